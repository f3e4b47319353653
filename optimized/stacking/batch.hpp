// Stacking, as many games at a time as a register has bytes: a game is a byte lane, and piece k of all games is a
// register of cells and a register of poses. Stacks are not stored: a move tests every piece for membership in the moving
// group, so ten pieces cost ten tests for all games at once.
//
//       lane         0    1    2   …
//       cells[2]     17   96   40          the cell of piece 2
//       poses[2]     6    0    3           4 × its level + its facing
//
// The colours around a mover are loaded game by game, since every game has its own board.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "games/stacking/game.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/system/registry.hpp"

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

/// Games side by side, each on its own board. An ended game no longer changes. The caller counts turns, except those of `play`.
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
    block.ended[lane] = game.ended ? yes : 0;
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
  bool ended(std::size_t number) const { return blocks_[number / lanes].ended[number % lanes] != 0; }

  /// The number of games, rounded up to whole blocks.
  std::size_t places() const { return blocks_.size() * lanes; }

  /// Moves a piece of each game: asked[number], from 0. Values for unused places are ignored.
  void move(std::span<const std::uint8_t> asked) {
    const std::span<const std::uint8_t> movers = asked.first(places());
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      using Here = Kernel<decltype(level)>;
      for (std::size_t first = 0; first < blocks_.size(); first += tile) {
        const std::span<Block> blocks = tile_from(first);
        for (Block& block : blocks) {
          std::memcpy(block.movers.data(), &movers[static_cast<std::size_t>(&block - blocks_.data()) * lanes], lanes);
          for (std::size_t lane = 0; lane < lanes; lane += Here::lanes) Here{block, lane}.choose();
        }
        for (Block& block : blocks) look_around(block);
        for (Block& block : blocks) {
          for (std::size_t lane = 0; lane < lanes; lane += Here::lanes) Here{block, lane}.move();
        }
      }
    });
  }

  /// Moves the pieces of each game in order, until it ends.
  void turn() {
    for (Block& block : blocks_) block.enders.fill(no_piece);
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      using Here = Kernel<decltype(level)>;
      for (std::size_t first = 0; first < blocks_.size(); first += tile) {
        const std::span<Block> blocks = tile_from(first);
        for (std::size_t piece = 0; piece < in_play_; ++piece) {
          for (Block& block : blocks) {
            block.from = block.cells[piece];
            block.pose = block.poses[piece];
          }
          for (Block& block : blocks) look_around(block);
          for (Block& block : blocks) {
            for (std::size_t lane = 0; lane < lanes; lane += Here::lanes) Here{block, lane}.move(piece);
          }
        }
      }
    });
  }

  /// The piece that ended the game in the last turn, from 0, or `no_piece`.
  static constexpr std::uint8_t no_piece = 0xff;
  std::uint8_t ender(std::size_t number) const { return blocks_[number / lanes].enders[number % lanes]; }

  /// A game that is to be played to its end. `board` is of the caller.
  struct Round {
    Game game;
    const Surroundings* board;
    int turn;  // turns started so far
  };

  /// Plays each game until it ends or its turn 1,000 has passed, and updates its round. When a game is over, the next one
  /// takes its lane, so that only the last games leave lanes empty. A game that stands as it stood `period` turns ago never
  /// ends: whole periods are skipped. Each game is compared with its first position, and later with its last one of an age
  /// that is a power of two. `seats`, above 0, is how many games play at a time.
  static void play(std::span<Round> rounds, std::size_t seats = tile * lanes) {
    StackingGames games{seats};
    std::vector<Round*> seated(seats);
    std::vector<int> last(seats);      // the value of `now` after turn 1,000 of the game
    std::vector<unsigned> age(seats);  // turns in the lane
    auto waiting = rounds.begin();
    for (int now = 0;;) {
      std::size_t playing = 0;
      int next_last = now + Stacking::turns_played;
      for (std::size_t seat = 0; seat < seats; ++seat) {
        Round*& round = seated[seat];
        if (round != nullptr && games.repeats(seat)) {
          const auto period = static_cast<int>(age[seat] - std::bit_floor(age[seat] - 1));
          last[seat] = now + (last[seat] - now) % period;
        }
        if (round != nullptr && (games.ended(seat) || last[seat] == now)) {
          round->game = games.get(seat);
          round->turn = Stacking::turns_played - (last[seat] - now);
          games.stop(seat);
          round = nullptr;
        }
        for (; round == nullptr && waiting != rounds.end(); ++waiting) {
          if (waiting->game.ended || waiting->turn >= Stacking::turns_played) continue;
          round = &*waiting;
          last[seat] = now + Stacking::turns_played - round->turn;
          age[seat] = 0;
          games.set(seat, round->game, *round->board);
          games.remember(seat);
        }
        if (round == nullptr) continue;
        ++playing;
        next_last = std::min(next_last, last[seat]);
      }
      if (playing == 0) return;
      do {
        for (std::size_t seat = 0; seat < seats; ++seat) {
          if (std::has_single_bit(age[seat]++)) games.remember(seat);
        }
        games.turn();
        ++now;
      } while (!games.find_repeats() && now < next_last && games.running() == playing);
    }
  }

 private:
  using Lanes = std::array<std::uint8_t, lanes>;

  static constexpr std::uint8_t yes = 0xff;  // true, as comparisons of vectors have it

  struct alignas(lanes) Block {
    Block() { ended.fill(yes); }
    std::array<Lanes, pieces> cells{};
    std::array<Lanes, pieces> poses{};
    Lanes movers{};  // the moving piece in each game
    Lanes from{};    // its cell
    Lanes pose{};    // its pose
    Lanes around{};  // the colours around it
    Lanes enders{};
    Lanes ended;                             // yes or 0
    std::array<Lanes, pieces> cells_then{};  // in the remembered position
    std::array<Lanes, pieces> poses_then{};
    Lanes repeats{};  // yes if the position is the remembered one and the game has not ended, or 0
    std::array<Surroundings, lanes> boards{};

    bool all_ended() const {
      return std::ranges::all_of(ended, [](std::uint8_t each) { return each == yes; });
    }
  };

  /// The number of blocks that go through each phase together. A load of a register from bytes that were stored one by
  /// one stalls until the last one has reached the cache; meanwhile the other block is processed. Their boards, 19 kB,
  /// stay in the cache from piece to piece.
  static constexpr std::size_t tile = 2;

  void stop(std::size_t number) { blocks_[number / lanes].ended[number % lanes] = yes; }
  void remember(std::size_t number) {
    Block& block = blocks_[number / lanes];
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      block.cells_then[piece][number % lanes] = block.cells[piece][number % lanes];
      block.poses_then[piece][number % lanes] = block.poses[piece][number % lanes];
    }
  }
  /// Compares all games with their remembered positions; whether some game repeats one.
  bool find_repeats() {
    at_level_in_use([&](auto level) __attribute__((always_inline)) {
      using Here = Kernel<decltype(level)>;
      for (Block& block : blocks_) {
        for (std::size_t lane = 0; lane < lanes; lane += Here::lanes) Here{block, lane}.compare();
      }
    });
    return std::ranges::any_of(
        blocks_, [](const Block& block) { return std::memchr(block.repeats.data(), yes, lanes) != nullptr; });
  }
  bool repeats(std::size_t number) const { return blocks_[number / lanes].repeats[number % lanes] != 0; }
  std::size_t running() const {
    std::ptrdiff_t out = 0;
    for (const Block& block : blocks_) out += std::ranges::count(block.ended, 0);
    return static_cast<std::size_t>(out);
  }

  std::span<Block> tile_from(std::size_t first) {
    auto out = std::span{blocks_}.subspan(first, std::min(tile, blocks_.size() - first));
    while (!out.empty() && out.front().all_ended()) out = out.subspan(1);
    while (!out.empty() && out.back().all_ended()) out = out.first(out.size() - 1);
    return out;
  }

  [[gnu::always_inline]] static void look_around(Block& block) {
    for (std::size_t lane = 0; lane < lanes; ++lane) block.around[lane] = block.boards[lane][block.from[lane]];
  }

  /// As many games of a block as a register has bytes, from the given lane on.
  template <class Compiled>
  class Kernel {
   public:
    static constexpr std::size_t lanes = Compiled::bytes;

    [[gnu::always_inline]] Kernel(Block& block, std::size_t lane) : block_{block}, lane_{lane} {}

    /// Selects the mover of each game.
    [[gnu::always_inline]] void choose() const {
      Bytes movers;
      look(movers, block_.movers);
      Bytes from{};
      Bytes pose{};
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        const auto chosen = movers == static_cast<std::uint8_t>(piece);
        Bytes cells, poses;
        look(cells, block_.cells[piece]);
        look(poses, block_.poses[piece]);
        from = chosen ? cells : from;
        pose = chosen ? poses : pose;
      }
      keep(block_.from, from);
      keep(block_.pose, pose);
    }

    /// Moves the chosen piece of each game.
    [[gnu::always_inline]] void move() const {
      Bytes turned, movers;
      carry(turned);
      look(movers, block_.movers);
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        Bytes poses;
        look(poses, block_.poses[piece]);
        keep(block_.poses[piece], poses ^ ((Bytes)(movers == static_cast<std::uint8_t>(piece)) & turned));
      }
    }

    /// Moves the same piece of each game, and notes where that ended the game.
    [[gnu::always_inline]] void move(std::size_t piece) const {
      Bytes before, turned, from, poses, ended, enders;
      look(before, block_.ended);
      look(from, block_.from);
      carry(turned);
      look(poses, block_.poses[piece]);
      turned &= (Bytes)(from != nowhere);  // a piece that is in no game stays as it is
      keep(block_.poses[piece], poses ^ turned);
      look(ended, block_.ended);
      look(enders, block_.enders);
      keep(block_.enders, ended != before ? Bytes{} + static_cast<std::uint8_t>(piece) : enders);
    }

    /// Notes where the position is the remembered one.
    [[gnu::always_inline]] void compare() const {
      Bytes ended;
      look(ended, block_.ended);
      Bytes same = ~ended;
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        Bytes cells, poses, cells_then, poses_then;
        look(cells, block_.cells[piece]);
        look(poses, block_.poses[piece]);
        look(cells_then, block_.cells_then[piece]);
        look(poses_then, block_.poses_then[piece]);
        same &= (Bytes)((cells == cells_then) & (poses == poses_then));
      }
      keep(block_.repeats, same);
    }

   private:
    using Bytes = Vector<std::uint8_t, lanes>;

    [[gnu::always_inline]] void look(Bytes& out, const Lanes& bytes) const { load(out, &bytes[lane_]); }
    [[gnu::always_inline]] void keep(Lanes& to, const Bytes& bytes) const { store(&to[lane_], bytes); }

    /// Moves the movers and the pieces on top of them; `turned` is 1 where the mover still has to be turned round.
    ///
    /// The group of a mover consists of the pieces on its cell with a pose of at least four times its level, whatever
    /// they face. When a group of n lands on b pieces, and the level of its mover was m, a piece of level l gets
    ///
    ///     b + (l − m)              = (b − m) + l         the right way up
    ///     b + (n − 1) − (l − m)    = (b + n + m) + ~l    upside down, as ~l = −l − 1
    ///
    /// A pose has the level in bits 2–7: the computation uses four times the levels, and ~ is an exclusive or with
    /// those bits, which leaves the facing unchanged.
    ///
    /// A mover that stays, is nowhere or belongs to an ended game has a step of 0, and so no group. Any other mover
    /// lands on another cell, so none of the pieces there belong to the group.
    [[gnu::always_inline]] void carry(Bytes& turned) const {
      Bytes from, pose, ended, step, twist;
      look(from, block_.from);
      look(pose, block_.pose);
      look(ended, block_.ended);
      find_outcome(pose, step, twist);
      step &= ~ended;
      twist &= ~ended;
      const Bytes to = from + step;

      // Heights and levels are four times their values, as in a pose.
      const Bytes level = pose & static_cast<std::uint8_t>(~3);
      Bytes lifted{};
      Bytes below{};
      Bytes group[pieces];
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        Bytes cells, poses;
        look(cells, block_.cells[piece]);
        look(poses, block_.poses[piece]);
        group[piece] = (Bytes)((step != 0) & (cells == from) & (poses >= level));
        lifted += group[piece] & 4;
        below += (Bytes)(cells == to) & 4;
      }
      const Bytes height = below + lifted;

      const Bytes flips = twist & StackingOutcomes::upside_down;
      const Bytes base = flips != 0 ? height + level : below - level;
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        Bytes cells, poses;
        look(cells, block_.cells[piece]);
        look(poses, block_.poses[piece]);
        keep(block_.poses[piece], (poses ^ (group[piece] & flips)) + (group[piece] & base));
        keep(block_.cells[piece], cells + (group[piece] & step));
      }
      keep(block_.ended,
           ended | (Bytes)((step != 0) & (height >= static_cast<std::uint8_t>(4 * Stacking::end_height))));
      turned = twist & 1;
    }

    /// Where the mover lands, and how: StackingOutcomes, computed with two or three instructions for each condition, or
    /// looked up by the instruction that the highest level has for a table of 64 bytes.
    [[gnu::always_inline]] void find_outcome(const Bytes& pose, Bytes& step, Bytes& twist) const {
      Bytes around;
      look(around, block_.around);
      const Bytes colours = (pose & 2) != 0 ? around >> 4 : around;  // bits 0–3: the colours along the way
#if defined(__x86_64__)
      if constexpr (Compiled::level >= Level::avx512vbmi) {
        // The table is indexed by bits 0–5; the higher bits are ignored.
        const Bytes index = (colours & 0x0f) | pose << 4;
        look_up(step, outcomes.steps.data(), index);
        look_up(twist, outcomes.twists.data(), index);
        return;
      }
#endif
      constexpr std::uint8_t red = Stacking::red, blue = Stacking::blue;
      static_assert(red == 1 && blue == 2);
      const auto faces_second = (pose & 1) != 0;
      const Bytes before = faces_second ? colours >> 2 : colours;
      const Bytes behind = faces_second ? colours : colours >> 2;
      const auto turns = (before & blue) != 0;
      const auto stays = turns & ((behind & blue) != 0);
      const auto on_red = ((turns ? behind : before) & red) != 0;
      const Bytes first = (pose & 2) != 0 ? Bytes{} - StackingOutcomes::stride : Bytes{} + 1;
      const Bytes there = (faces_second ^ turns) ? -first : first;
      step = stays ? Bytes{} : there;
      twist = ((Bytes)turns & 1) | ((Bytes)on_red & StackingOutcomes::upside_down);
    }

#if defined(__x86_64__)
    static constexpr StackingOutcomes outcomes{};

    /// A function with intrinsics names its instructions; compilers inline it into kernels all the same.
    [[gnu::target(LOCKSTEP_AVX512VBMI)]] static void look_up(Bytes& out, const void* table, const Bytes& index) {
      _mm512_storeu_si512(&out, _mm512_permutexvar_epi8(_mm512_loadu_si512(&index), _mm512_loadu_si512(table)));
    }
#endif

    Block& block_;
    std::size_t lane_;
  };

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

  StackingGames::Game neighbour(std::size_t lane, StackingGames::Game game) const {
    const auto turned = static_cast<StackingGames::Pose>(1 + lane % 3);
    for (std::size_t i = 0; i < count_; ++i) game.poses[i] ^= turned;
    if (count_ < StackingGames::pieces) {
      game.poses[count_] = static_cast<StackingGames::Pose>(4 * std::ranges::count(game.cells, game.cells[0]));
      game.cells[count_] = game.cells[0];
    }
    return game;
  }
  void leave_neighbour(std::size_t lane, const StackingGames::Game& game) {
    games_.set(lane, neighbour(lane, game), elsewhere_);
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

  /// Its neighbours play too, up to 32 turns each. With one block of lanes, which the number of pieces decides, the game gets
  /// the lane of one that is over.
  int play() {
    const StackingGames::Game game = games_.get(lane_);
    std::vector<StackingGames::Round> rounds;
    for (std::size_t i = 0; i < lanes + 16; ++i) {
      rounds.push_back({neighbour(i, game), &elsewhere_, Stacking::turns_played - 1 - static_cast<int>(i % 32)});
    }
    StackingGames::Round& own = rounds[lanes + lane_ % 16];
    own = {game, &surroundings_, turn_};
    StackingGames::play(rounds, (1 + count_ / 2 % 2) * lanes);
    games_.set(lane_, own.game, surroundings_);
    turn_ = own.turn;
    return ended() ? turn_ : -1;
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
    register_batch<BatchStacking, Stacking>("batch", "one of many games in the lanes of registers");

}  // namespace lockstep::optimized
