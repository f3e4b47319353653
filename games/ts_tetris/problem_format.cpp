#include "games/ts_tetris/problem_format.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {

namespace {

constexpr int judge_side_min = 10;
constexpr int drops_max = 10'000;
constexpr int changes_max = 1'000;
constexpr int results_max = 1'000;
constexpr std::array<int, 3> calls_max = {drops_max, changes_max, results_max};  // by the kind of the action

/// The start of the original problem on a board of about this width and height.
TsTetris::Setup start(const TsTetris::Setup& like) {
  TsTetris::Setup out{.width = std::max(like.width, judge_side_min), .height = std::max(like.height, judge_side_min)};
  out.board = Grid{out.height, out.width};
  return out;
}

/// Reads one test case, call by call.
class CaseReader {
 public:
  explicit CaseReader(TokenReader& in) : in_{in} {}

  Parsed<ProblemCase<TsTetris>> read() {
    const auto calls = in_.number("the number of calls", 1, 1 + drops_max + changes_max + results_max);
    if (!calls) return std::unexpected(calls.error());
    for (int i = 0; i < *calls; ++i) {
      const std::pair place{in_.line(), in_.column()};
      const auto call = in_.number("a call (100, 200, 300 or 400)", 100, 400);
      if (!call) return std::unexpected(call.error());
      if (*call % 100 != 0) return text_error(place.first, place.second, "a call is 100, 200, 300 or 400");
      if ((i == 0) != (*call == 100)) {
        return text_error(
            place.first, place.second,
            i == 0 ? "the first call of a case is 100 (init)" : "100 (init) is the first call of a case only");
      }
      const auto read = i == 0 ? read_init() : *call == 400 ? read_result(place) : read_turn(*call == 200, place);
      if (!read) return std::unexpected(read.error());
    }
    return std::move(case_);
  }

 private:
  using Place = std::pair<int, int>;  // line and column of a call

  TsTetris::Setup& setup() { return case_.scenario.setup; }

  Parsed<bool> read_init() {
    const auto width = in_.number("the width", judge_side_min, TsTetris::side_max);
    if (!width) return std::unexpected(width.error());
    const auto height = in_.number("the height", judge_side_min, TsTetris::side_max);
    if (!height) return std::unexpected(height.error());
    setup() = {.width = *width, .height = *height, .board = Grid{*height, *width}};
    return true;
  }

  Parsed<bool> read_result(Place place) {
    if (++results_ > results_max) return text_error(place.first, place.second, "more than 1,000 results");
    return add(TsTetris::Result{}, place);
  }

  Parsed<bool> read_turn(bool drops, Place place) {
    const Place mover_place{in_.line(), in_.column()};
    const auto mover = in_.number("the player", 1, 2);
    if (!mover) return std::unexpected(mover.error());
    if (*mover != to_move_) {
      return text_error(mover_place.first, mover_place.second, "it is the turn of player " + std::to_string(to_move_));
    }
    to_move_ = 3 - to_move_;
    const auto column = in_.number("the column", 0, setup().width - (drops ? 3 : 1));
    if (!column) return std::unexpected(column.error());
    if (drops) {
      if (++drops_ > drops_max) return text_error(place.first, place.second, "more than 10,000 drops");
      return add(TsTetris::Drop{*column}, place);
    }
    if (++changes_ > changes_max) return text_error(place.first, place.second, "more than 1,000 changes");
    return add(TsTetris::Change{*column}, place);
  }

  bool add(const TsTetris::Action& action, Place place) {
    case_.scenario.actions.push_back(action);
    case_.places.push_back(place);
    return true;
  }

  TokenReader& in_;
  ProblemCase<TsTetris> case_;
  int drops_ = 0;
  int changes_ = 0;
  int results_ = 0;
  int to_move_ = 1;
};

}  // namespace

Parsed<std::vector<ProblemCase<TsTetris>>> TsTetris::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  const auto cases = in.number("the number of test cases", 1, cases_max);
  if (!cases) return std::unexpected(cases.error());
  std::vector<ProblemCase<TsTetris>> out;
  for (int i = 0; i < *cases; ++i) {
    auto read = CaseReader{in}.read();
    if (!read) return std::unexpected(read.error());
    out.push_back(std::move(*read));
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  return out;
}

Parsed<std::string> TsTetris::ProblemFormat::print(const ProblemCase<TsTetris>& asked,
                                                   std::span<const Observation> observations) {
  std::string out;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& o = observations[i];
    switch (o.says) {
      case Says::illegal:
        return text_error(asked.places.at(i).first, asked.places.at(i).second, "one of the three columns is full");
      case Says::turn: out += std::to_string(o.points) + "\n"; break;
      case Says::standing:
        out += std::to_string(o.winner) + " " + std::to_string(o.left[0]) + " " + std::to_string(o.left[1]) + "\n";
        break;
    }
  }
  return out;
}

std::string TsTetris::ProblemFormat::write(std::span<const Scenario<TsTetris>> scenarios) {
  std::string out = std::to_string(scenarios.size()) + "\n";
  for (const auto& [setup, actions] : scenarios) {
    out += std::to_string(actions.size() + 1) + "\n100 " + std::to_string(setup.width) + " " +
           std::to_string(setup.height) + "\n";
    int to_move = 1;
    for (const Action& action : actions) {
      if (std::holds_alternative<Result>(action)) {
        out += "400\n";
        continue;
      }
      const auto* const drop = std::get_if<Drop>(&action);
      out += (drop != nullptr ? "200 " : "300 ") + std::to_string(to_move) + " " +
             std::to_string(drop != nullptr ? drop->column : std::get<Change>(action).column) + "\n";
      to_move = 3 - to_move;
    }
  }
  return out;
}

std::optional<std::string> TsTetris::ProblemFormat::outside(const Scenario<TsTetris>& scenario,
                                                            std::span<const Observation> answers) {
  const Setup& setup = scenario.setup;
  if (setup.width < judge_side_min || setup.height < judge_side_min) {
    return "the problem's boards are 10 to 200 wide and high, not " + std::to_string(setup.width) + " by " +
           std::to_string(setup.height);
  }
  if (setup != start(setup)) return "the problem starts from an empty board, without points, with player 1";
  std::array<int, 3> calls{};
  for (std::size_t i = 0; i < scenario.actions.size(); ++i) {
    const std::size_t kind = scenario.actions[i].index();
    if (++calls[kind] > calls_max[kind]) {
      return "the problem has at most 10,000 drops, 1,000 changes and 1,000 results";
    }
    if (i < answers.size() && answers[i].says == Says::illegal) {
      return "the problem promises room for each drop; at step " + std::to_string(i + 1) + " a column is full";
    }
  }
  return std::nullopt;
}

void TsTetris::ProblemFormat::bring_inside(Scenario<TsTetris>& scenario, std::span<const Observation> answers) {
  Setup& setup = scenario.setup;
  if (setup != start(setup)) {
    setup = start(setup);
    return;  // the answers are those of another position
  }
  // A refused drop changes nothing, so without it all other answers remain.
  std::array<int, 3> calls{};
  std::size_t i = 0;
  std::erase_if(scenario.actions, [&](const Action& action) {
    const bool refused = i < answers.size() && answers[i].says == Says::illegal;
    ++i;
    return refused || ++calls[action.index()] > calls_max[action.index()];
  });
}

}  // namespace lockstep
