// Stacking, 64 games at a time with AVX-512: a game is a byte lane, and piece k of all 64 games is a register of cells
// and a register of poses. Stacks are not stored: a move tests every piece for membership in the moving group, so ten
// pieces cost ten tests for 64 games at once.
//
//       lane         0    1    2   …
//       cells[2]     17   96   40          the cell of piece 2
//       poses[2]     6    0    3           4 × its level + its facing
//
// The colours around a mover are loaded game by game, since every game has its own board: 64 loads of a byte.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/processor.hpp"
#include "lockstep/registry.hpp"

namespace lockstep::optimized {

/// The outcome of a move, indexed by 16 × the mover's facing + the two colours along its way: the one to the right of
/// it or above it, + 4 × the other.
struct StackingOutcomes {
  static constexpr int stride = Stacking::size_max;  // from a cell to the one below it on the board
  static constexpr int upside_down = 0xfc;

  std::array<std::int8_t, 64> steps{};    // to the cell where the mover lands; 0 if it stays
  std::array<std::uint8_t, 64> twists{};  // 1 if it turns round, + upside_down if the group lands that way

  constexpr StackingOutcomes() {
    constexpr std::array<int, 4> ahead = {1, -1, -stride, stride};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t facing = i / 16;
      const std::size_t before = facing % 2 == 0 ? i % 4 : i / 4 % 4;
      const std::size_t behind = facing % 2 == 0 ? i / 4 % 4 : i % 4;
      const bool turns = before == Stacking::blue;
      const bool stays = turns && behind == Stacking::blue;
      const bool red = (turns ? behind : before) == Stacking::red;
      steps[i] = static_cast<std::int8_t>(stays ? 0 : turns ? -ahead[facing] : ahead[facing]);
      twists[i] = static_cast<std::uint8_t>((turns ? 1 : 0) + (red ? upside_down : 0));
    }
  }
};

/// Games side by side, each on its own board. An ended game no longer changes. The caller counts turns.
class StackingGames {
 public:
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t pieces = Stacking::pieces_max;

  /// 1 … 144, row by row, twelve to a row on smaller boards too; 0 is nowhere.
  using Cell = std::uint8_t;
  static constexpr Cell nowhere = 0;
  static constexpr int stride = StackingOutcomes::stride;
  static constexpr Cell cell_of(int row, int column) { return static_cast<Cell>(row * stride + column + 1); }

  /// 4 × level + facing, 0 … 3 for right, left, up, down: of two pieces on a cell the higher one has the greater pose.
  using Pose = std::uint8_t;

  /// The colours to the right, left, up and down of each cell, two bits each from the lowest on. Off the board all is
  /// blue, and so are all four neighbours of nowhere.
  using Surroundings = std::array<std::uint8_t, 1 + stride * stride>;
  static Surroundings survey(const Grid& board) {
    const auto colour = [&](int row, int column) {
      return board.contains(row, column) ? int{board.at(row, column)} : int{Stacking::blue};
    };
    Surroundings out{};
    out[nowhere] = Stacking::blue * 0b01010101;
    for (int row = 0; row < board.rows; ++row) {
      for (int column = 0; column < board.columns; ++column) {
        const int along_row = colour(row, column + 1) | colour(row, column - 1) << 2;
        const int along_column = colour(row - 1, column) | colour(row + 1, column) << 2;
        out[cell_of(row, column)] = static_cast<std::uint8_t>(along_row | along_column << 4);
      }
    }
    return out;
  }

  /// One of the games. A piece that is not in the game is at `nowhere`.
  struct Game {
    std::array<Cell, pieces> cells{};
    std::array<Pose, pieces> poses{};
    bool ended = true;
    bool operator==(const Game&) const = default;
  };

  static Game game_of(const Stacking::Setup& setup) {
    Game out;
    for (std::size_t i = 0; i < setup.pieces.size(); ++i) {
      const Stacking::Piece& piece = setup.pieces[i];
      out.cells[i] = cell_of(piece.row, piece.column);
      out.poses[i] = static_cast<Pose>(4 * piece.level + piece.facing - Stacking::right);
    }
    out.ended = setup.ended;
    return out;
  }

  /// Creates `count` ended games without pieces.
  explicit StackingGames(std::size_t count) : blocks_((count + lanes - 1) / lanes) {}

  void set(std::size_t number, const Game& game, const Surroundings& board) {
    Block& block = blocks_[number / lanes];
    const std::size_t lane = number % lanes;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      block.cells[piece][lane] = game.cells[piece];
      block.poses[piece][lane] = game.poses[piece];
    }
    block.ended = (block.ended & ~(std::uint64_t{1} << lane)) | std::uint64_t{game.ended} << lane;
    block.boards[lane] = board;
    while (in_play_ < pieces && game.cells[in_play_] != nowhere) ++in_play_;
  }
  Game get(std::size_t number) const {
    const Block& block = blocks_[number / lanes];
    Game out;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      out.cells[piece] = block.cells[piece][number % lanes];
      out.poses[piece] = block.poses[piece][number % lanes];
    }
    out.ended = ended(number);
    return out;
  }
  bool ended(std::size_t number) const { return (blocks_[number / lanes].ended >> number % lanes & 1) != 0; }

  /// The number of games, rounded up to whole registers.
  std::size_t places() const { return blocks_.size() * lanes; }

  /// Moves a piece of each game: asked[number], from 0. Values for unused places are ignored.
  [[gnu::target("avx512f,avx512bw,avx512vbmi")]] void move(std::span<const std::uint8_t> asked) {
    const std::span<const std::uint8_t> movers = asked.first(places());
    for (std::size_t first = 0; first < blocks_.size(); first += tile) {
      const std::span<Block> blocks = tile_from(first);
      for (Block& block : blocks) {
        choose(block, load(movers.subspan(static_cast<std::size_t>(&block - blocks_.data()) * lanes)));
      }
      for (Block& block : blocks) look_around(block);
      for (Block& block : blocks) {
        const __m512i turned = carry(block);
        for (std::size_t piece = 0; piece < pieces; ++piece) {
          const __mmask64 moved = _mm512_cmpeq_epi8_mask(load(block.movers), all(static_cast<int>(piece)));
          store(block.poses[piece], _mm512_xor_si512(load(block.poses[piece]), _mm512_maskz_mov_epi8(moved, turned)));
        }
      }
    }
  }

  /// Moves the pieces of each game in order, until it ends.
  [[gnu::target("avx512f,avx512bw,avx512vbmi")]] void turn() {
    for (Block& block : blocks_) block.enders.fill(no_piece);
    for (std::size_t first = 0; first < blocks_.size(); first += tile) {
      const std::span<Block> blocks = tile_from(first);
      for (std::size_t piece = 0; piece < in_play_; ++piece) {
        for (Block& block : blocks) {
          block.from = block.cells[piece];
          block.pose = block.poses[piece];
        }
        for (Block& block : blocks) look_around(block);
        for (Block& block : blocks) {
          const std::uint64_t before = block.ended;
          const __m512i turned = carry(block);
          store(block.poses[piece], _mm512_xor_si512(load(block.poses[piece]), turned));
          _mm512_mask_storeu_epi8(block.enders.data(), block.ended & ~before, all(static_cast<int>(piece)));
        }
      }
    }
  }

  /// The piece that ended the game in the last turn, from 0, or `no_piece`.
  static constexpr std::uint8_t no_piece = 0xff;
  std::uint8_t ender(std::size_t number) const { return blocks_[number / lanes].enders[number % lanes]; }

 private:
  using Lanes = std::array<std::uint8_t, lanes>;

  static constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

  struct alignas(lanes) Block {
    std::array<Lanes, pieces> cells{};
    std::array<Lanes, pieces> poses{};
    Lanes movers{};  // the moving piece in each game
    Lanes from{};    // its cell
    Lanes pose{};    // its pose
    Lanes around{};  // the colours around it
    Lanes enders{};
    std::uint64_t ended = all_lanes;
    std::array<Surroundings, lanes> boards{};
  };

  /// The number of blocks that go through each phase together. A load of a register from bytes that were stored one by
  /// one stalls until the last one has reached the cache; meanwhile the other block is processed. Their boards, 19 kB,
  /// stay in the cache from piece to piece.
  static constexpr std::size_t tile = 2;
  std::span<Block> tile_from(std::size_t first) {
    auto out = std::span{blocks_}.subspan(first, std::min(tile, blocks_.size() - first));
    while (!out.empty() && out.front().ended == all_lanes) out = out.subspan(1);
    while (!out.empty() && out.back().ended == all_lanes) out = out.first(out.size() - 1);
    return out;
  }

  static constexpr StackingOutcomes outcomes{};

  [[gnu::target("avx512f")]] static __m512i all(int byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
  [[gnu::target("avx512f")]] static __m512i load(const auto& bytes) { return _mm512_loadu_si512(bytes.data()); }
  [[gnu::target("avx512f")]] static void store(Lanes& to, __m512i bytes) { _mm512_storeu_si512(to.data(), bytes); }

  /// Selects the mover of each game.
  [[gnu::target("avx512f,avx512bw")]] static void choose(Block& block, __m512i movers) {
    __m512i from = _mm512_setzero_si512();
    __m512i pose = _mm512_setzero_si512();
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const __mmask64 chosen = _mm512_cmpeq_epi8_mask(movers, all(static_cast<int>(piece)));
      from = _mm512_mask_mov_epi8(from, chosen, load(block.cells[piece]));
      pose = _mm512_mask_mov_epi8(pose, chosen, load(block.poses[piece]));
    }
    store(block.movers, movers);
    store(block.from, from);
    store(block.pose, pose);
  }

  static void look_around(Block& block) {
    for (std::size_t lane = 0; lane < lanes; ++lane) block.around[lane] = block.boards[lane][block.from[lane]];
  }

  /// Moves the movers and the pieces on top of them; returns 1 where the mover still has to be turned round.
  ///
  /// The group of a mover consists of the pieces on its cell with a pose of at least four times its level, whatever
  /// they face. When a group of n lands on b pieces, and the level of its mover was m, a piece of level l gets
  ///
  ///     b + (l − m)              = (b − m) + l         the right way up
  ///     b + (n − 1) − (l − m)    = (b + n + m) + ~l    upside down, as ~l = −l − 1
  ///
  /// A pose has the level in bits 2–7: the computation uses four times the levels, and ~ is an exclusive or with those
  /// bits, which leaves the facing unchanged.
  ///
  /// A mover that stays, is nowhere or belongs to an ended game has a step of 0, and so no group. Any other mover
  /// lands on another cell, so none of the pieces there belong to the group.
  [[gnu::target("avx512f,avx512bw,avx512vbmi")]] static __m512i carry(Block& block) {
    const __m512i from = load(block.from);
    const __m512i pose = load(block.pose);
    const __m512i around = load(block.around);

    // Bits 0–3: the colours along the way; bits 4–5: the facing; the higher bits are ignored.
    const __mmask64 along_column = _mm512_test_epi8_mask(pose, all(2));
    const __m512i colours = _mm512_mask_mov_epi8(around, along_column, _mm512_srli_epi16(around, 4));
    const __m512i index = _mm512_ternarylogic_epi64(all(0x0f), colours, _mm512_slli_epi16(pose, 4), 0xca);
    const __m512i step = _mm512_maskz_permutexvar_epi8(~block.ended, index, load(outcomes.steps));
    const __m512i twist = _mm512_maskz_permutexvar_epi8(~block.ended, index, load(outcomes.twists));
    const __mmask64 goes = _mm512_test_epi8_mask(step, step);
    const __m512i to = _mm512_add_epi8(from, step);

    // Heights and levels are four times their values, as in a pose.
    const __m512i level = _mm512_and_si512(pose, all(~3));
    __m512i lifted = _mm512_setzero_si512();
    __m512i below = _mm512_setzero_si512();
    std::array<__mmask64, pieces> group;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const __m512i cell = load(block.cells[piece]);
      group[piece] =
          _mm512_mask_cmpge_epu8_mask(_mm512_mask_cmpeq_epi8_mask(goes, cell, from), load(block.poses[piece]), level);
      lifted = _mm512_mask_add_epi8(lifted, group[piece], lifted, all(4));
      below = _mm512_mask_add_epi8(below, _mm512_cmpeq_epi8_mask(cell, to), below, all(4));
    }
    const __m512i height = _mm512_add_epi8(below, lifted);

    const __m512i flips = _mm512_and_si512(twist, all(StackingOutcomes::upside_down));
    const __m512i base = _mm512_mask_add_epi8(_mm512_sub_epi8(below, level), _mm512_movepi8_mask(twist), height, level);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const __m512i was = load(block.poses[piece]);
      store(block.poses[piece], _mm512_mask_add_epi8(was, group[piece], _mm512_xor_si512(was, flips), base));
      store(block.cells[piece], _mm512_mask_mov_epi8(load(block.cells[piece]), group[piece], to));
    }
    block.ended |= _mm512_mask_cmpge_epu8_mask(goes, height, all(4 * Stacking::end_height));
    return _mm512_and_si512(twist, all(1));
  }

  std::vector<Block> blocks_;
  std::size_t in_play_ = 0;  // the largest number of pieces of any game
};

/// Plays one game in one lane. For the first question it is alone in a register. Then it moves to a register with 63
/// variants of the same game: other facings, one more piece, and a board with red and white swapped. It changes lanes
/// after every question.
class BatchStacking {
 public:
  explicit BatchStacking(const Stacking::Setup& setup)
      : count_{setup.pieces.size()},
        turn_{setup.turn},
        board_{setup.board},
        surroundings_{StackingGames::survey(board_)},
        elsewhere_{StackingGames::survey(red_for_white(board_))} {
    games_.set(lane_, StackingGames::game_of(setup), surroundings_);
  }

  Stacking::Observation step(const Stacking::Action& action) {
    if (ended()) return {.says = Stacking::Says::illegal};
    const Stacking::Observation out = answer(action);
    change_places();
    return out;
  }

  Stacking::Snapshot snapshot() const {
    Stacking::Snapshot out{.size = board_.rows, .turn = turn_, .ended = ended(), .board = board_, .pieces = {}};
    const StackingGames::Game game = games_.get(lane_);
    for (std::size_t i = 0; i < count_; ++i) {
      const int cell = game.cells[i] - 1;
      out.pieces.push_back({cell / StackingGames::stride, cell % StackingGames::stride,
                            game.poses[i] % 4 + Stacking::right, game.poses[i] / 4});
    }
    return out;
  }

 private:
  static constexpr std::size_t lanes = StackingGames::lanes;
  static constexpr std::size_t games = 2 * lanes + 1;  // the last one is alone in its register

  static Grid red_for_white(Grid board) {
    for (auto& cell : board.cells) {
      if (cell != Stacking::blue) cell ^= Stacking::red;
    }
    return board;
  }

  bool ended() const { return games_.ended(lane_); }

  Stacking::Observation answer(const Stacking::Action& action) {
    if (const auto* one = std::get_if<Stacking::Move>(&action)) {
      move(one->piece);
      return {.says = Stacking::Says::moved, .ended = ended()};
    }
    if (std::holds_alternative<Stacking::Turn>(action)) {
      turn();
      return {.says = Stacking::Says::turned, .ended = ended(), .piece = static_cast<std::int8_t>(games_.ender(lane_))};
    }
    return {.says = Stacking::Says::played, .turn = play()};
  }

  /// Moves from the last register to the first or the second, and then from lane to lane.
  void change_places() {
    const StackingGames::Game game = games_.get(lane_);
    const std::size_t first = count_ % 2 * lanes;
    const std::size_t left = lane_;
    lane_ = first + (left + 9) % lanes;
    games_.set(lane_, game, surroundings_);
    if (left < games - 1) {
      leave_neighbour(left, game);
    } else {
      games_.set(left, {}, elsewhere_);
      for (std::size_t by = 1; by < lanes; ++by) leave_neighbour(first + (lane_ + by) % lanes, game);
    }
  }

  void leave_neighbour(std::size_t lane, StackingGames::Game game) {
    const auto turned = static_cast<StackingGames::Pose>(1 + lane % 3);
    for (std::size_t i = 0; i < count_; ++i) game.poses[i] ^= turned;
    if (count_ < StackingGames::pieces) {
      game.poses[count_] = static_cast<StackingGames::Pose>(4 * std::ranges::count(game.cells, game.cells[0]));
      game.cells[count_] = game.cells[0];
    }
    games_.set(lane, game, elsewhere_);
  }

  /// The other games move the next piece.
  void move(int piece) {
    std::array<std::uint8_t, 3 * lanes> asked;
    asked.fill(static_cast<std::uint8_t>(piece + 1));
    asked[lane_] = static_cast<std::uint8_t>(piece);
    games_.move(asked);
  }

  void turn() {
    turn_ += turn_ < Stacking::turn_max ? 1 : 0;
    games_.turn();
  }

  /// Plays until the end or turn 1,000, with fewer turns when the game repeats a state: as PackedStacks::play.
  int play() {
    StackingGames::Game kept = games_.get(lane_);
    int since = 0;
    int wait = 1;
    while (turn_ < Stacking::turns_played) {
      turn();
      if (ended()) return turn_;
      ++since;
      const StackingGames::Game now = games_.get(lane_);
      if (now == kept) {
        turn_ = Stacking::turns_played - (Stacking::turns_played - turn_) % since;
        while (turn_ < Stacking::turns_played) turn();
      } else if (since == wait) {
        kept = now;
        since = 0;
        wait *= 2;
      }
    }
    return -1;
  }

  std::size_t count_;
  int turn_;
  Grid board_;
  StackingGames::Surroundings surroundings_;
  StackingGames::Surroundings elsewhere_;
  StackingGames games_{games};
  std::size_t lane_ = games - 1;  // of the game that is played
};

static_assert(Implementation<BatchStacking, Stacking>);
inline const auto stacking_batch =
    has_level(Level::avx512vbmi)
        ? register_batch<BatchStacking, Stacking>("batch", "one of 64 games in the lanes of registers (AVX-512)")
        : Registration{};

}  // namespace lockstep::optimized

#endif
