#include "games/stacking/problem_format.hpp"

#include <utility>

#include "games/stacking/stacks.hpp"

namespace lockstep {

namespace {

using Setup = Stacking::Setup;
using Piece = Stacking::Piece;

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
    out += std::to_string(observations[i].turn) + "\n";
  }
  return out;
}

}  // namespace lockstep
