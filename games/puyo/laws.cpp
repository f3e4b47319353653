#include "games/puyo/laws.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "games/puyo/groups.hpp"

namespace lockstep {

using namespace puyo;

namespace {

using Setup = Puyo::Setup;

std::array<int, Puyo::colours> count(const Grid& board) {
  std::array<int, Puyo::colours> out{};
  for (const std::uint8_t cell : board.cells) {
    if (cell != 0) ++out[cell - 1u];
  }
  return out;
}

std::string violation_of_illegal(const Setup& before, const Puyo::Action& action, const Setup& after) {
  if (before != after) return "an illegal action changed the state";
  const auto* drop = std::get_if<Puyo::Drop>(&action);
  if (drop == nullptr) return "a resolve was refused";
  return height(before.board, drop->column) == Puyo::rows ? "" : "a drop into a column with room was refused";
}

std::string violation_of_drop(const Setup& before, const Puyo::Drop& drop, const Setup& after) {
  const int tall = height(before.board, drop.column);
  if (tall == Puyo::rows) return "a drop into a full column was accepted";
  Setup expected = before;
  expected.board.at(Puyo::rows - 1 - tall, drop.column) = static_cast<std::uint8_t>(drop.colour);
  return after == expected ? "" : "a drop did more or less than to put one puyo on top of its column";
}

std::string violation_of_resolve(const Setup& before, const Puyo::Observation& o, const Setup& after) {
  if (o.chains > Puyo::chains_max) return "more chains than 72 puyos can make";
  if ((largest_group(before.board) < Puyo::group_min) != (o.chains == 0)) {
    return "there were chains without a group of four, or a group of four without chains";
  }
  if (largest_group(after.board) >= Puyo::group_min) return "a group of four or more was left after a resolve";
  std::array<int, Puyo::colours> vanished{};
  for (int i = 0; i < Puyo::chains_max; ++i) {
    int sum = 0;
    for (std::size_t colour = 0; colour < vanished.size(); ++colour) {
      const int gone = o.chain(i)[colour];
      if (gone != 0 && gone < Puyo::group_min) return "fewer than four of a colour vanished in one chain";
      vanished[colour] += gone;
      sum += gone;
    }
    if ((sum > 0) != (i < o.chains)) return "a chain took nothing, or something vanished beyond the last chain";
  }
  const auto was = count(before.board);
  const auto is = count(after.board);
  for (std::size_t colour = 0; colour < vanished.size(); ++colour) {
    if (was[colour] - vanished[colour] != is[colour]) {
      return "puyos in − puyos vanished is not puyos on the field, " + std::string{Puyo::colour_names[colour]};
    }
  }
  return "";
}

}  // namespace

std::optional<Flaw> Puyo::Laws::flaw(const Setup& s) {
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (s.board.at(row, column) != 0 && s.board.at(row + 1, column) == 0) {
        return Flaw{"board", row, column, "a settled field has no puyo above an empty cell"};
      }
    }
  }
  return std::nullopt;
}

void Puyo::Laws::normalise(Setup& s) {
  for (int column = 0; column < columns; ++column) {
    int floor = rows - 1;
    for (int row = rows - 1; row >= 0; --row) {
      const std::uint8_t cell = std::exchange(s.board.at(row, column), std::uint8_t{0});
      if (cell != 0) s.board.at(floor--, column) = cell;
    }
  }
}

std::string Puyo::Laws::violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                                  const Snapshot& after) {
  if (o.says == Says::illegal) return violation_of_illegal(before, action, after);
  if (const auto broken = flaw(after)) return broken->what;
  const auto* drop = std::get_if<Drop>(&action);
  if ((o.says == Says::dropped) != (drop != nullptr)) return "the answer is one to another action";
  return drop != nullptr ? violation_of_drop(before, *drop, after) : violation_of_resolve(before, o, after);
}

// Symmetries -----------------------------------------------------------------------------------

namespace {

Setup mirrored(const Setup& s) {
  Setup image = s;
  for (int row = 0; row < Puyo::rows; ++row) {
    for (int column = 0; column < Puyo::columns; ++column) {
      image.board.at(row, Puyo::columns - 1 - column) = s.board.at(row, column);
    }
  }
  return image;
}

/// The image of each cell value; the empty cell stays empty.
using Renaming = std::array<std::uint8_t, Puyo::colours + 1>;

Symmetry<Puyo> renaming(std::string_view name, const Renaming& to) {
  return {.name = name,
          .setup =
              [to](const Setup& s) {
                Setup image = s;
                for (auto& cell : image.board.cells) cell = to[cell];
                return image;
              },
          .action = [to](const Setup&, const Puyo::Action& action) -> Puyo::Action {
            const auto* drop = std::get_if<Puyo::Drop>(&action);
            if (drop == nullptr) return action;
            return Puyo::Drop{.colour = to[static_cast<std::size_t>(drop->colour)], .column = drop->column};
          },
          .observation = [to](const Setup&, const Puyo::Action&, const Puyo::Observation& o,
                              const Puyo::Snapshot&) -> std::optional<Puyo::Observation> {
            Puyo::Observation image = o;
            for (int chain = 0; chain < Puyo::chains_max; ++chain) {
              for (std::size_t colour = 0; colour < Puyo::colours; ++colour) {
                image.chain(chain)[to[colour + 1] - 1u] = o.chain(chain)[colour];
              }
            }
            return image;
          },
          .snapshot = nullptr};
}

}  // namespace

Puyo::Bits Puyo::Laws::bits_of(const Grid& board) {
  Bits out{};
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      for (std::size_t digit = 0; digit < out.size(); ++digit) {
        std::uint16_t& bits = out[digit][static_cast<std::size_t>(column)];
        bits = static_cast<std::uint16_t>(bits | (board.at(row, column) >> digit & 1u) << row);
      }
    }
  }
  return out;
}

std::vector<Symmetry<Puyo>> Puyo::Laws::symmetries() {
  const auto moved = [](const Setup&, const Action& action) -> Action {
    const auto* drop = std::get_if<Drop>(&action);
    if (drop == nullptr) return action;
    return Drop{.colour = drop->colour, .column = columns - 1 - drop->column};
  };
  // A rotation of all five colours and a swap of two generate every renaming.
  return {{.name = "mirror", .setup = mirrored, .action = moved, .observation = nullptr, .snapshot = nullptr},
          renaming("rotate colours", {0, 2, 3, 4, 5, 1}),
          renaming("swap red and green", {0, 2, 1, 3, 4, 5})};
}

}  // namespace lockstep
