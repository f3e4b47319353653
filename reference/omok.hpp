// Omok, reference implementation: follows the rules sentence by sentence and stone by stone, without optimisation.
//
// Its state is the board itself; every judgement looks at the whole board.
#pragma once

#include <array>
#include <cstdint>

#include "games/omok/game.hpp"
#include "lockstep/system/registry.hpp"

namespace lockstep::reference {

class RulebookOmok {
 public:
  explicit RulebookOmok(const Omok::Setup& setup) : state_{setup} {}

  Omok::Observation step(const Omok::Action& action) {
    if (const auto* place = std::get_if<Omok::Place>(&action)) return play(*place);
    if (const auto* remove = std::get_if<Omok::Remove>(&action)) return play(*remove);
    return judge();
  }

  const Omok::Snapshot& snapshot() const { return state_; }

 private:
  struct Stone {
    int row, column;
  };
  /// A direction along a line; the opposite one belongs to the same straight line.
  struct Direction {
    int down, right;
    Direction opposite() const { return {-down, -right}; }
  };
  static constexpr std::array<Direction, 4> directions = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

  Omok::Observation play(const Omok::Place& place) {
    if (state_.board.at(place.row, place.column) != 0) return {.says = Omok::Says::illegal};
    state_.board.at(place.row, place.column) = static_cast<std::uint8_t>(place.colour);
    return {.says = Omok::Says::done};
  }

  Omok::Observation play(const Omok::Remove& remove) {
    if (state_.board.at(remove.row, remove.column) == 0) return {.says = Omok::Says::illegal};
    state_.board.at(remove.row, remove.column) = 0;
    return {.says = Omok::Says::done};
  }

  /// Tests for every stone whether it is in a run of exactly five. Of all the runs found, the one with the leftmost,
  /// then topmost, first stone is reported.
  Omok::Observation judge() const {
    Omok::Observation answer{.says = Omok::Says::judged};
    for (int row = 0; row < state_.size; ++row) {
      for (int column = 0; column < state_.size; ++column) {
        if (state_.board.at(row, column) == 0) continue;
        for (const Direction direction : directions) ask({row, column}, direction, answer);
      }
    }
    return answer;
  }

  /// Updates the answer with the run of this stone along a line, if the run wins.
  void ask(Stone stone, Direction direction, Omok::Observation& answer) const {
    const int ahead = same_colour_beyond(stone, direction);
    const int behind = same_colour_beyond(stone, direction.opposite());
    if (behind + 1 + ahead != Omok::win_length) return;  // six or more is no win
    const Stone one_end = {stone.row + ahead * direction.down, stone.column + ahead * direction.right};
    const Stone other_end = {stone.row - behind * direction.down, stone.column - behind * direction.right};
    const Stone named = comes_before(one_end, other_end) ? one_end : other_end;
    // Answers count rows and columns from 1.
    if (answer.winner != 0 && !comes_before(named, {answer.row - 1, answer.column - 1})) return;
    answer.winner = static_cast<std::int8_t>(state_.board.at(named.row, named.column));
    answer.row = static_cast<std::int8_t>(named.row + 1);
    answer.column = static_cast<std::int8_t>(named.column + 1);
  }

  /// The number of stones of the same colour that follow without a gap.
  int same_colour_beyond(Stone stone, Direction direction) const {
    const std::uint8_t colour = state_.board.at(stone.row, stone.column);
    int count = 0;
    while (true) {
      const int row = stone.row + (count + 1) * direction.down;
      const int column = stone.column + (count + 1) * direction.right;
      if (!state_.board.contains(row, column) || state_.board.at(row, column) != colour) return count;
      ++count;
    }
  }

  /// Further to the left, or in the same column and higher.
  static bool comes_before(Stone a, Stone b) { return a.column < b.column || (a.column == b.column && a.row < b.row); }

  Omok::Snapshot state_;
};
static_assert(Implementation<RulebookOmok, Omok>);

inline const auto omok_rulebook = register_implementation<RulebookOmok, Omok>(
    "rulebook", Kind::reference, "asks every stone for the runs that it stands in");

}  // namespace lockstep::reference
