#include "games/stacking/game.hpp"

#include <tuple>
#include <utility>

namespace lockstep {
namespace {

using Setup = Stacking::Setup;
using Snapshot = Stacking::Snapshot;
using Piece = Stacking::Piece;
using Observation = Stacking::Observation;
using Says = Stacking::Says;

bool share_cell(const Piece& a, const Piece& b) { return a.row == b.row && a.column == b.column; }

int height_under(const Setup& s, const Piece& piece) {
  return static_cast<int>(std::ranges::count_if(s.pieces, [&](const Piece& p) { return share_cell(p, piece); }));
}

bool has_tall_stack(const Setup& s) {
  return std::ranges::any_of(s.pieces, [&](const Piece& p) { return height_under(s, p) >= Stacking::end_height; });
}

std::string number(std::size_t n) { return std::to_string(n); }
std::string number(int n) { return std::to_string(n); }

}  // namespace

// Lawful setups --------------------------------------------------------------------------------

std::optional<Flaw> Stacking::flaw(const Setup& s) {
  const Piece* tall = nullptr;  // a piece of a stack that ends the game
  for (std::size_t i = 0; i < s.pieces.size(); ++i) {
    const Piece& p = s.pieces[i];
    const auto refused = [&](const std::string& why) {
      return Flaw{"piece", static_cast<int>(i), -1, "piece " + number(i) + " stands at level " + number(p.level) + why};
    };
    const int height = height_under(s, p);
    if (height >= end_height && tall == nullptr) tall = &p;
    if (p.level >= height) return refused(", but its stack holds " + number(height));
    for (std::size_t j = 0; j < i; ++j) {
      if (share_cell(s.pieces[j], p) && s.pieces[j].level == p.level)
        return refused(", where piece " + number(j) + " is");
    }
  }
  if (tall != nullptr && !s.ended) {
    return Flaw{"ended", -1, -1,
                "the stack of four or more in row " + number(tall->row) + ", column " + number(tall->column) +
                    " has ended the game"};
  }
  if (tall == nullptr && s.ended) return Flaw{"ended", -1, -1, "the game ends only by a stack of four or more"};
  return std::nullopt;
}

/// Levels become ranks within their stack, equal ones in the order of the pieces.
void Stacking::normalise(Setup& s) {
  std::vector<int> levels;
  for (std::size_t i = 0; i < s.pieces.size(); ++i) {
    const auto under = [&](std::size_t j) {
      return share_cell(s.pieces[j], s.pieces[i]) && std::pair{s.pieces[j].level, j} < std::pair{s.pieces[i].level, i};
    };
    int level = 0;
    for (std::size_t j = 0; j < s.pieces.size(); ++j) level += under(j) ? 1 : 0;
    levels.push_back(level);
  }
  for (std::size_t i = 0; i < s.pieces.size(); ++i) s.pieces[i].level = levels[i];
  s.ended = has_tall_stack(s);
}

// Invariants -----------------------------------------------------------------------------------

// The laws are named without numbers of pieces: a law's name is part of what makes two findings the same.
namespace {

/// What holds from before to after any number of moves.
std::string broken_by_any(const Snapshot& before, const Snapshot& after) {
  if (const auto broken = Stacking::flaw(after)) {
    return broken->field == "ended" ? "the game has not ended exactly when a stack of four or more stands"
                                    : "the levels of a stack are not 0, 1, 2 and so on";
  }
  for (std::size_t i = 0; i < before.pieces.size(); ++i) {
    const Piece& was = before.pieces[i];
    const Piece& is = after.pieces[i];
    if (!share_cell(was, is) && after.board.at(is.row, is.column) == Stacking::blue) {
      return "a piece moved onto blue";
    }
    if ((was.facing >= Stacking::up) != (is.facing >= Stacking::up)) {
      return "a piece made a quarter turn";
    }
  }
  return "";
}

/// What holds from before to after a single move: the group goes together, by one cell in the
/// direction in which the mover now faces, or not at all; everybody else stands as before.
std::string broken_by_move(const Snapshot& before, std::size_t mover, const Observation& o, const Snapshot& after) {
  if (after.turn != before.turn) return "a move advanced the turn counter";
  if (o.ended != after.ended) return "the move's answer and the state disagree about the end";
  const Piece& from = before.pieces[mover];
  const Piece& to = after.pieces[mover];
  const bool stays = share_cell(from, to);
  if (stays && to.facing == from.facing) return "a piece that stayed did not turn round";
  const int right_by = to.facing == Stacking::right ? 1 : to.facing == Stacking::left ? -1 : 0;
  const int down_by = to.facing == Stacking::down ? 1 : to.facing == Stacking::up ? -1 : 0;
  if (!stays && (to.row != from.row + down_by || to.column != from.column + right_by)) {
    return "a piece did not move one cell in its direction";
  }
  if (after.ended && height_under(after, to) < Stacking::end_height) return "the end is not where the piece landed";
  for (std::size_t i = 0; i < before.pieces.size(); ++i) {
    const Piece& was = before.pieces[i];
    const Piece& is = after.pieces[i];
    if (i != mover && was.facing != is.facing) return "a piece turned round that did not move";
    const bool carried = !stays && share_cell(was, from) && was.level >= from.level;
    if (carried && !share_cell(is, to)) return "a piece above the mover was not carried";
    if (!carried && (!share_cell(is, was) || is.level != was.level)) {
      return "a piece moved that was not carried";
    }
  }
  return "";
}

std::string broken_by_turn(const Snapshot& before, const Observation& o, const Snapshot& after) {
  if (after.turn != std::min(before.turn + 1, Stacking::turn_max))
    return "a turn did not advance the turn counter by one";
  if (o.ended != after.ended) return "the turn's answer and the state disagree about the end";
  if (o.ended != (o.piece >= 0)) return "a turn names a piece exactly when it ends the game";
  if (!o.ended) return "";
  const std::size_t last = static_cast<std::size_t>(o.piece);
  if (last >= after.pieces.size()) return "the turn was ended by no piece";
  if (height_under(after, after.pieces[last]) < Stacking::end_height) return "the end is not where the piece landed";
  for (std::size_t i = last + 1; i < after.pieces.size(); ++i) {
    if (after.pieces[i].facing != before.pieces[i].facing) return "a piece moved after the end";
  }
  return "";
}

std::string broken_by_play(const Snapshot& before, const Observation& o, const Snapshot& after) {
  if (o.turn == -1) {
    if (after.ended) return "play answered -1, but the game has ended";
    if (after.turn != std::max(before.turn, Stacking::turns_played)) return "play gave up at another turn than 1000";
    if (before.turn >= Stacking::turns_played && before != after) return "play moved after turn 1000";
    return "";
  }
  if (!after.ended) return "play named a turn, but the game has not ended";
  if (o.turn != after.turn) return "play's answer is not the turn counter";
  return before.turn < o.turn && o.turn <= Stacking::turns_played ? "" : "play's answer is not a turn that it played";
}

}  // namespace

std::string Stacking::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                const Snapshot& after) {
  if (before.size != after.size || before.board != after.board || before.pieces.size() != after.pieces.size()) {
    return "the board or the number of pieces changed";
  }
  if ((o.says == Says::illegal) != before.ended) {
    return before.ended ? "an action after the end was not refused" : "an action before the end was refused";
  }
  if (before.ended) return before == after ? "" : "an illegal action changed the state";
  if (static_cast<std::size_t>(o.says) != action.index() + 1) return "the answer is that of another action";
  if (std::string broken = broken_by_any(before, after); !broken.empty()) return broken;
  if (const auto* move = std::get_if<Move>(&action)) {
    return broken_by_move(before, static_cast<std::size_t>(move->piece), o, after);
  }
  return std::holds_alternative<Turn>(action) ? broken_by_turn(before, o, after) : broken_by_play(before, o, after);
}

// Suggestions ----------------------------------------------------------------------------------------

Stacking::Suggestions::Suggestions(Random& random)
    : weight_move_{static_cast<unsigned>(random.below(20))},
      weight_turn_{1 + static_cast<unsigned>(random.below(8))},
      // A `play` from the start costs the rulebook up to 10,000 moves, so most scenarios hold none.
      weight_play_{random.chance(1, 6) ? 1u : 0u},
      red_{static_cast<unsigned>(random.below(12))},
      blue_{static_cast<unsigned>(random.below(9))},
      stacked_{static_cast<unsigned>(random.below(8))},
      vertical_{static_cast<unsigned>(random.below(11))},
      favourites_{random.chance(1, 3) ? random.integer(1, 3) : 0} {}

Setup Stacking::Suggestions::setup(Random& random) {
  Setup s;
  s.size = random.chance(1, 12) ? random.integer(1, size_max) : random.integer(2, 6);
  s.board = Grid{s.size, s.size};
  for (std::uint8_t& cell : s.board.cells) {
    const std::uint64_t draw = random.below(20);
    cell = draw < blue_ ? blue : draw < blue_ + red_ ? red : white;
  }
  if (random.chance(1, 4)) {
    // Just before, at and just beyond the last turn of `play`; now and then anywhere, or where the counter stops.
    const int anywhere = random.chance(1, 2) ? random.integer(0, turn_max) : random.integer(turn_max - 2, turn_max);
    s.turn = random.chance(1, 10) ? anywhere : random.integer(turns_played - 12, turns_played + 2);
  }
  const bool may_have_ended = random.chance(1, 30);
  const int count = random.chance(1, 4) ? random.integer(1, pieces_max) : random.integer(1, 6);
  s.pieces.clear();
  for (int i = 0; i < count; ++i) {
    Piece p;
    const bool joins = i > 0 && random.chance(stacked_, 10);
    for (int tries = 0; tries < 8; ++tries) {
      p = joins && tries < 4 ? random.pick(s.pieces)
                             : Piece{.row = random.integer(0, s.size - 1), .column = random.integer(0, s.size - 1)};
      const bool on_blue = s.board.at(p.row, p.column) == blue && !random.chance(1, 8);
      if (!on_blue && (may_have_ended || height_under(s, p) < end_height - 1)) break;
    }
    p.facing = random.chance(vertical_, 10) ? up : right;
    p.facing += random.integer(0, 1);
    p.level = random.integer(0, pieces_max - 1);
    s.pieces.push_back(p);
  }
  normalise(s);
  return s;
}

Stacking::Action Stacking::Suggestions::action(Random& random, const Setup& s) {
  // Close to its last turn `play` costs little, and whether it counts well shows only there.
  const unsigned weight_play = s.turn > 0 && s.turn <= turns_played ? 1 : weight_play_;
  const std::uint64_t kind = random.below(weight_move_ + weight_turn_ + weight_play);
  if (kind < weight_play) return Play{};
  if (kind < weight_play + weight_turn_) return Turn{};
  const int last = static_cast<int>(s.pieces.size()) - 1;
  const bool favours = favourites_ > 0 && random.chance(3, 4);
  return Move{random.integer(0, favours ? std::min(last, favourites_ - 1) : last)};
}

// Symmetries -----------------------------------------------------------------------------------

namespace {

/// One of the eight symmetries of the square: first the transposition, then the mirrors.
struct SquareMap {
  bool transposes;
  bool flips_rows;
  bool flips_columns;

  std::pair<int, int> cell(int size, int row, int column) const {
    if (transposes) std::swap(row, column);
    return {flips_rows ? size - 1 - row : row, flips_columns ? size - 1 - column : column};
  }

  int facing(int facing) const {
    constexpr std::array<int, 4> transposed = {Stacking::down, Stacking::up, Stacking::left, Stacking::right};
    constexpr std::array<int, 4> opposite = {Stacking::left, Stacking::right, Stacking::down, Stacking::up};
    if (transposes) facing = transposed[static_cast<std::size_t>(facing - 1)];
    const bool flips = facing >= Stacking::up ? flips_rows : flips_columns;
    return flips ? opposite[static_cast<std::size_t>(facing - 1)] : facing;
  }

  Setup operator()(const Setup& s) const {
    Setup image = s;
    for (int row = 0; row < s.size; ++row) {
      for (int column = 0; column < s.size; ++column) {
        const auto [to_row, to_column] = cell(s.size, row, column);
        image.board.at(to_row, to_column) = s.board.at(row, column);
      }
    }
    for (Piece& p : image.pieces) {
      std::tie(p.row, p.column) = cell(s.size, p.row, p.column);
      p.facing = facing(p.facing);
    }
    return image;
  }
};

}  // namespace

std::vector<Symmetry<Stacking>> Stacking::symmetries() {
  struct Named {
    std::string_view name;
    SquareMap map;
  };
  constexpr std::array<Named, 7> all = {{
      {"mirror left-right", {false, false, true}},
      {"mirror up-down", {false, true, false}},
      {"half turn", {false, true, true}},
      {"transpose", {true, false, false}},
      {"quarter turn", {true, false, true}},
      {"quarter turn back", {true, true, false}},
      {"transpose across", {true, true, true}},
  }};
  std::vector<Symmetry<Stacking>> out;
  for (const auto& [label, map] : all) {
    out.push_back({.name = label,
                   .setup = map,
                   .action = [](const Setup&, const Action& action) { return action; },
                   .observation = nullptr,
                   .snapshot = nullptr});
  }
  return out;
}

// Judge format ---------------------------------------------------------------------------------

namespace {

Parsed<bool> read_board(TokenReader& in, Setup& setup) {
  setup.board = Grid{setup.size, setup.size};
  for (std::uint8_t& cell : setup.board.cells) {
    const auto colour = in.number("a colour", Stacking::white, Stacking::blue);
    if (!colour) return std::unexpected(colour.error());
    cell = static_cast<std::uint8_t>(*colour);
  }
  return true;
}

Parsed<Piece> read_piece(TokenReader& in, const Setup& setup) {
  const std::pair place{in.line(), in.column()};
  const auto row = in.number("a piece's row", 1, setup.size);
  if (!row) return std::unexpected(row.error());
  const auto column = in.number("a piece's column", 1, setup.size);
  if (!column) return std::unexpected(column.error());
  const auto facing = in.number("a piece's direction", Stacking::right, Stacking::down);
  if (!facing) return std::unexpected(facing.error());
  const Piece piece{.row = *row - 1, .column = *column - 1, .facing = *facing};
  if (height_under(setup, piece) > 0) {
    return text_error(place.first, place.second,
                      "expected a cell of its own for this piece, got row " + number(*row) + ", column " +
                          number(*column) + " once more");
  }
  return piece;
}

}  // namespace

Parsed<std::vector<ProblemCase<Stacking>>> Stacking::ProblemFormat::read(std::string_view text) {
  constexpr int size_min = 4;
  constexpr int pieces_min = 4;
  TokenReader in{text};
  ProblemCase<Stacking> asked;
  Setup& setup = asked.scenario.setup;
  const std::pair place{in.line(), in.column()};
  const auto size = in.number("the size of the board", size_min, size_max);
  if (!size) return std::unexpected(size.error());
  setup.size = *size;
  const auto count = in.number("the number of pieces", pieces_min, pieces_max);
  if (!count) return std::unexpected(count.error());
  if (const auto board = read_board(in, setup); !board) return std::unexpected(board.error());
  setup.pieces.clear();
  for (int i = 0; i < *count; ++i) {
    const auto piece = read_piece(in, setup);
    if (!piece) return std::unexpected(piece.error());
    setup.pieces.push_back(*piece);
  }
  if (const auto end = in.finish(); !end) return std::unexpected(end.error());
  asked.scenario.actions.emplace_back(Play{});
  asked.places.push_back(place);
  return std::vector{std::move(asked)};
}

Parsed<std::string> Stacking::ProblemFormat::print(const ProblemCase<Stacking>& asked,
                                                   std::span<const Observation> observations) {
  std::string out;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (observations[i].says != Says::played) {
      return text_error(asked.places[i].first, asked.places[i].second, "the game has ended before the first turn");
    }
    out += number(observations[i].turn) + "\n";
  }
  return out;
}

}  // namespace lockstep
