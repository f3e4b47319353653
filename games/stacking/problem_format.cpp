#include "games/stacking/problem_format.hpp"

#include <algorithm>
#include <utility>

#include "games/stacking/stacks.hpp"

namespace lockstep {

namespace {

using Setup = Stacking::Setup;
using Piece = Stacking::Piece;

constexpr int judge_size_min = 4;
constexpr std::size_t judge_pieces_min = 4;

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
  if (stacking::height_at(setup, piece) > 0) {
    return text_error(place.first, place.second,
                      "expected a cell of its own for this piece, got row " + std::to_string(*row) + ", column " +
                          std::to_string(*column) + " once more");
  }
  return piece;
}

}  // namespace

Parsed<std::vector<ProblemCase<Stacking>>> Stacking::ProblemFormat::read(std::string_view text) {
  TokenReader in{text};
  ProblemCase<Stacking> asked;
  Setup& setup = asked.scenario.setup;
  const std::pair place{in.line(), in.column()};
  const auto size = in.number("the size of the board", judge_size_min, size_max);
  if (!size) return std::unexpected(size.error());
  setup.size = *size;
  const auto count = in.number("the number of pieces", judge_pieces_min, pieces_max);
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
      return text_error(asked.places.at(i).first, asked.places.at(i).second,
                        "the game has ended before the first turn");
    }
    out += std::to_string(observations[i].turn) + "\n";
  }
  return out;
}

std::string Stacking::ProblemFormat::write(std::span<const Scenario<Stacking>> scenarios) {
  std::string out;
  for (const auto& [setup, actions] : scenarios) {
    out += std::to_string(setup.size) + " " + std::to_string(setup.pieces.size()) + "\n";
    out += rows_of_numbers(setup.board);
    for (const Piece& p : setup.pieces) {
      out += std::to_string(p.row + 1) + " " + std::to_string(p.column + 1) + " " + std::to_string(p.facing) + "\n";
    }
  }
  return out;
}

std::optional<std::string> Stacking::ProblemFormat::outside(const Scenario<Stacking>& scenario,
                                                            std::span<const Observation>) {
  const Setup& setup = scenario.setup;
  if (!asks_only<Play>(scenario)) return "the problem gives a board and asks for one play";
  if (setup.size < judge_size_min) return "the problem's boards have size 4 to 12, not " + std::to_string(setup.size);
  if (setup.pieces.size() < judge_pieces_min) {
    return "the problem has 4 to 10 pieces, not " + std::to_string(setup.pieces.size());
  }
  if (setup.turn != 0) return "the problem starts before turn 1, not after turn " + std::to_string(setup.turn);
  for (const Piece& piece : setup.pieces) {
    if (stacking::height_at(setup, piece) > 1) {
      return "the problem's pieces start on cells of their own; row " + std::to_string(piece.row) + ", column " +
             std::to_string(piece.column) + " has several";
    }
  }
  return std::nullopt;
}

void Stacking::ProblemFormat::bring_inside(Scenario<Stacking>& scenario, std::span<const Observation>) {
  Setup& setup = scenario.setup;
  const int size = std::max(setup.size, judge_size_min);
  setup.size = size;
  setup.board = setup.board.grown(size, size);
  setup.turn = 0;
  setup.ended = false;
  if (setup.pieces.size() < judge_pieces_min) setup.pieces.resize(judge_pieces_min);
  // A piece on an earlier piece's cell goes to the first free cell after it, in reading order.
  Grid taken{size, size};
  for (Piece& piece : setup.pieces) {
    piece.level = 0;
    int cell = piece.row * size + piece.column;
    while (taken.at(cell / size, cell % size) != 0) cell = (cell + 1) % (size * size);
    piece.row = cell / size;
    piece.column = cell % size;
    taken.at(piece.row, piece.column) = 1;
  }
  scenario.actions = {Play{}};
}

}  // namespace lockstep
