#include "games/stacking/suggestions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "games/stacking/laws.hpp"
#include "games/stacking/stacks.hpp"
#include "games/stacking/turns.hpp"

namespace lockstep {

using namespace stacking;

namespace {

/// A board of the judge's sizes with few coloured cells, on which one game in ten takes longer than 1,000 turns.
Stacking::Setup roomy_setup(Random& random) {
  Stacking::Setup s;
  s.size = random.integer(9, Stacking::size_max);
  s.board = Grid{s.size, s.size};
  const unsigned red = static_cast<unsigned>(random.below(2));  // of 20 cells
  const unsigned blue = 2 + static_cast<unsigned>(random.below(4));
  for (std::uint8_t& cell : s.board.cells) {
    const std::uint64_t draw = random.below(20);
    cell = draw < blue ? Stacking::blue : draw < blue + red ? Stacking::red : Stacking::white;
  }
  s.pieces.resize(static_cast<std::size_t>(random.integer(5, 8)));
  for (Stacking::Piece& p : s.pieces) {
    do {
      p = {.row = random.integer(0, s.size - 1), .column = random.integer(0, s.size - 1)};
      p.facing = random.integer(Stacking::right, Stacking::down);
    } while (height_at(s, p) > 1);
  }
  return s;
}

/// The turn that ends the game; nullopt if it takes too long, or repeats (Brent: "An improved Monte Carlo factorization
/// algorithm", BIT 1980).
std::optional<int> end_of(const Stacking::Setup& s) {
  Turns game{s};
  auto kept = game.pieces();
  for (int turn = 1, since = 1, wait = 1; turn <= 3 * Stacking::turns_played; ++turn, ++since) {
    if (game.play()) return turn;
    if (game.pieces() == kept) return std::nullopt;
    if (since < wait) continue;
    kept = game.pieces();
    since = 0;
    wait *= 2;
  }
  return std::nullopt;
}

/// Seeds whose first game is a longer one, and the turn in which it ends. To find another takes about twenty tries, as long
/// as fifty other scenarios take.
constexpr std::pair<std::uint64_t, int> long_games[] = {
    {5, 1727},   {6, 2354},   {44, 1333},  {53, 1993},  {63, 2038},  {101, 1340}, {152, 1060}, {187, 1026},
    {253, 1224}, {278, 2285}, {287, 1811}, {301, 1237}, {339, 2371}, {391, 1010}, {429, 2431}, {446, 1958}};

/// A game that ends in turn 999, 1000 or 1001 if it is played on: a longer one, begun so many turns before its end. No
/// other generator meets one from turn 0, where games of the judge begin. nullopt if a few tries find none.
std::optional<Stacking::Setup> long_game(Random& random) {
  const int last = Stacking::turns_played + random.integer(-1, 1);
  const auto* const known = random.chance(1, 16) ? nullptr : &random.pick(long_games);
  Random games = known != nullptr ? Random{known->first} : random;
  for (int tries = 0; tries < 50; ++tries) {
    Stacking::Setup s = roomy_setup(games);
    const std::optional<int> end = tries == 0 && known != nullptr ? known->second : end_of(s);
    if (!end || *end < last) continue;
    Turns game{s};
    for (int turn = *end; turn > last; --turn) game.play();
    s.pieces = game.pieces();
    // Pieces of the judge begin on cells of their own.
    if (std::ranges::all_of(s.pieces, [](const Stacking::Piece& p) { return p.level == 0; })) return s;
  }
  return std::nullopt;
}

}  // namespace

Stacking::Suggestions::Suggestions(Random& random)
    : weight_move_{static_cast<unsigned>(random.below(20))},
      weight_turn_{1 + static_cast<unsigned>(random.below(8))},
      // A `play` from the start costs the reference up to 10,000 moves, so most scenarios have none.
      weight_play_{random.chance(1, 6) ? 1u : 0u},
      red_{static_cast<unsigned>(random.below(12))},
      blue_{static_cast<unsigned>(random.below(9))},
      stacked_{static_cast<unsigned>(random.below(8))},
      vertical_{static_cast<unsigned>(random.below(11))},
      favourites_{random.chance(1, 3) ? random.integer(1, 3) : 0} {}

Stacking::Setup Stacking::Suggestions::setup(Random& random) {
  // Another generator decides, so that all other scenarios of a seed are what they would be without long games.
  if (Random other = random.apart(); other.chance(1, 32)) {
    if (auto found = long_game(other)) {
      weight_move_ = 0;
      weight_play_ = 2 * weight_turn_;
      return *std::move(found);
    }
  }
  Setup s;
  s.size = random.chance(1, 12) ? random.integer(1, size_max) : random.integer(2, 6);
  s.board = Grid{s.size, s.size};
  for (std::uint8_t& cell : s.board.cells) {
    const std::uint64_t draw = random.below(20);
    cell = draw < blue_ ? blue : draw < blue_ + red_ ? red : white;
  }
  if (random.chance(1, 4)) {
    // Just before, at and just beyond the last turn of `play`; sometimes any turn, or where the counter saturates.
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
      if (!on_blue && (may_have_ended || height_at(s, p) < end_height - 1)) break;
    }
    p.facing = random.chance(vertical_, 10) ? up : right;
    p.facing += random.integer(0, 1);
    p.level = random.integer(0, pieces_max - 1);
    s.pieces.push_back(p);
  }
  Laws::normalise(s);
  return s;
}

Stacking::Action Stacking::Suggestions::action(Random& random, const Setup& s) {
  // Close to its last turn `play` is cheap, and only there does a wrong turn count show.
  const unsigned weight_play = s.turn > 0 && s.turn <= turns_played ? 1 : weight_play_;
  const std::uint64_t kind = random.below(weight_move_ + weight_turn_ + weight_play);
  if (kind < weight_play) return Play{};
  if (kind < weight_play + weight_turn_) return Turn{};
  const int last = static_cast<int>(s.pieces.size()) - 1;
  const bool favours = favourites_ > 0 && random.chance(3, 4);
  return Move{random.integer(0, favours ? std::min(last, favourites_ - 1) : last)};
}

}  // namespace lockstep
