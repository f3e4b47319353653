// The garden: a toy system for the tests of the library. It has a field of every kind that systems describe, and
// implementations (gardeners) with every kind of mistake that the library must find.
//
// Beds are rows × columns: '.' bare, 'r' a rose, 't' a tulip. Planting needs a bare bed and uses one measure of water;
// tulips do not grow in the top row. Rain fills the water butt up to its limit. Waiting advances the season, and winter
// removes the roses. Moles do nothing, and no two of them share a bed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/base/limits.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/symmetry.hpp"
#include "lockstep/system/registry.hpp"
#include "lockstep/text/text.hpp"
#include "props/typed.hpp"

namespace lockstep {

struct Garden {
  static constexpr std::string_view name = "garden";

  static constexpr int side_max = 200;
  static constexpr int water_max = 1'000;
  static constexpr int moles_max = 4;
  static constexpr Alphabet flowers = Alphabet::of(".rt");
  static constexpr std::array<std::string_view, 2> flower_names = {"rose", "tulip"};
  static constexpr std::array<std::string_view, 4> seasons = {"spring", "summer", "autumn", "winter"};
  static constexpr int winter = 4;

  struct Mole {
    int row = 0;
    int column = 0;
    bool awake = false;
    bool operator==(const Mole&) const = default;
  };
  struct Setup {
    int rows = 1;
    int columns = 1;
    int water = 0;
    int season = 1;
    bool fence = false;
    Grid beds{1, 1};
    std::vector<Mole> moles;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;

  struct Plant {
    static constexpr std::string_view name = "plant";
    int row = 0;
    int column = 0;
    int flower = 1;
    bool operator==(const Plant&) const = default;
  };
  struct Rain {
    static constexpr std::string_view name = "rain";
    int amount = 0;
    bool operator==(const Rain&) const = default;
  };
  struct Wait {
    static constexpr std::string_view name = "wait";
    bool operator==(const Wait&) const = default;
  };
  using Action = std::variant<Plant, Rain, Wait>;

  struct Observation {
    bool legal = false;
    std::int32_t water = 0;
    std::array<std::int32_t, 2> count{};  // roses, tulips
    std::int32_t whisper = 0;             // compared, but never described
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Setup& s) {
    io.size("rows", s.rows, 1, side_max);
    io.size("columns", s.columns, 1, side_max);
    io.number("water", s.water, 0, water_max);
    io.choice("season", s.season, 1, seasons);
    io.flag("fence", s.fence);
    io.board("beds", s.beds, s.rows, s.columns, flowers);
    io.list("mole", s.moles, 0, moles_max, [&s](auto& mole_io, Mole& mole) {
      mole_io.number("row", mole.row, 0, s.rows - 1);
      mole_io.number("column", mole.column, 0, s.columns - 1);
      mole_io.flag("awake", mole.awake);
    });
  }
  static void describe(auto& io, const Setup& s, Plant& a) {
    io.number("row", a.row, 0, s.rows - 1);
    io.number("column", a.column, 0, s.columns - 1);
    io.choice("flower", a.flower, 1, flower_names);
  }
  static void describe(auto& io, const Setup&, Rain& a) { io.number("amount", a.amount, 0, 300); }
  static void describe(auto& io, Observation& o) {
    io.flag("legal", o.legal);
    if (!o.legal) return;
    io.value("water", o.water);
    io.values("count", o.count);
  }

  struct Laws;
  struct Features;
};
static_assert(System<Garden>);

struct Garden::Laws {
  static std::optional<Flaw> flaw(const Setup& s) {
    for (int column = 0; column < s.columns; ++column) {
      if (s.beds.at(0, column) == 2) return Flaw{"beds", 0, column, "tulips do not grow in the top row"};
    }
    for (std::size_t i = 0; i < s.moles.size(); ++i) {
      if (meets_another(s, i)) return Flaw{"mole", static_cast<int>(i), -1, "two moles in the same bed"};
    }
    return std::nullopt;
  }
  static void normalise(Setup& s) {
    for (int column = 0; column < s.columns; ++column) {
      if (s.beds.at(0, column) == 2) s.beds.at(0, column) = 0;
    }
    for (std::size_t i = s.moles.size(); i-- > 0;) {
      if (meets_another(s, i)) s.moles.erase(s.moles.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  static std::string violation(const Setup&, const Snapshot& before, const Action& action, const Observation& o,
                               const Snapshot& after) {
    if (!o.legal) return before == after ? "" : "a refusal changed the garden";
    if (after.water < 0) return "water was taken from an empty butt";
    if (std::holds_alternative<Plant>(action) && after.water != before.water - 1) return "a plant takes one water";
    return "";
  }

  static std::vector<Symmetry<Garden>> symmetries() {
    const auto mirrored = [](const Setup& s) {
      Setup image = s;
      for (int row = 0; row < s.rows; ++row) {
        for (int column = 0; column < s.columns; ++column) {
          image.beds.at(row, s.columns - 1 - column) = s.beds.at(row, column);
        }
      }
      for (Mole& mole : image.moles) mole.column = s.columns - 1 - mole.column;
      return image;
    };
    const auto moved = [](const Setup& s, const Action& action) -> Action {
      const auto* const plant = std::get_if<Plant>(&action);
      return plant == nullptr ? action : Plant{plant->row, s.columns - 1 - plant->column, plant->flower};
    };
    return {{.name = "mirror", .setup = mirrored, .action = moved, .observation = nullptr, .snapshot = nullptr}};
  }

 private:
  static bool meets_another(const Setup& s, std::size_t mole) {
    return std::any_of(s.moles.begin(), s.moles.begin() + static_cast<std::ptrdiff_t>(mole), [&](const Mole& other) {
      return other.row == s.moles[mole].row && other.column == s.moles[mole].column;
    });
  }
};

struct Garden::Features {
  enum : std::size_t { refused, water, flower_count };
  static constexpr std::array<Feature, 3> list = {{{refused, "refused"}, {water, "water"}, {flower_count, "flowers"}}};

  static void observe(auto&& emit, const Action&, const Observation& o) {
    if (!o.legal) return emit(refused, 1);
    emit(water, o.water);
  }
  static void survey(auto&& emit, const Snapshot& s) {
    emit(flower_count, static_cast<std::int64_t>(s.beds.cells.size()) - std::ranges::count(s.beds.cells, 0));
  }
};

/// The mistake of a gardener.
enum class Slip {
  none,
  counts_short,    // answers one rose too few from the third on
  forgets_rain,    // the answer is right, the state is not, when it rains by seven
  tires,           // answers wrongly at every fourth plant since the start: a count that no snapshot contains
  dreams,          // answers wrongly on odd runs: flaky
  borrows,         // plants without water, which breaks an invariant
  misreads_setup,  // loads the setup with the fence open
  whispers,        // differs in a value that is not described
  left_handed,     // no flower grows in the first column, so a mirror changes answers
  remembers,       // an illegal action costs water
  loses_a_bed,     // a tulip planted in row 1 disappears from the board
  two_faced,       // counts short, and reports water when there is none: two signatures
};

template <Slip slip>
class Gardener {
 public:
  explicit Gardener(const Garden::Setup& setup) : state_{setup} {
    if (slip == Slip::dreams) wrong_today_ = runs_++ % 2 == 1;
    if (slip == Slip::misreads_setup) state_.fence = false;
  }

  Garden::Observation step(const Garden::Action& action) {
    const bool legal = std::visit([this](const auto& a) { return this->act(a); }, action);
    Garden::Observation o;
    if (!legal) return o;
    o.legal = true;
    o.water = state_.water;
    for (const int flower : {1, 2}) {
      o.count[static_cast<std::size_t>(flower - 1)] =
          static_cast<std::int32_t>(std::ranges::count(state_.beds.cells, flower));
    }
    if ((slip == Slip::counts_short || slip == Slip::two_faced) && o.count[0] >= 3) --o.count[0];
    if (slip == Slip::two_faced && o.water == 0) o.water = 1;
    if (slip == Slip::tires && std::holds_alternative<Garden::Plant>(action) && planted_ % 4 == 0) ++o.water;
    if (slip == Slip::dreams && wrong_today_) ++o.water;
    if (slip == Slip::whispers && state_.season == Garden::winter) o.whisper = 1;
    // The answer is final here: from here on only the state becomes wrong.
    const auto* const rain = std::get_if<Garden::Rain>(&action);
    if (slip == Slip::forgets_rain && rain != nullptr && rain->amount == 7) --state_.water;
    return o;
  }
  Garden::Snapshot snapshot() const { return state_; }

 private:
  bool act(const Garden::Plant& plant) {
    std::uint8_t& bed = state_.beds.at(plant.row, plant.column);
    bool refused = bed != 0 || (plant.flower == 2 && plant.row == 0) || state_.water == 0;
    if (slip == Slip::borrows && bed == 0 && state_.water == 0) refused = false;
    if (slip == Slip::left_handed && plant.column == 0) refused = true;
    if (refused) {
      if (slip == Slip::remembers && state_.water > 0) --state_.water;
      return false;
    }
    --state_.water;
    ++planted_;
    bed = static_cast<std::uint8_t>(plant.flower);
    if (slip == Slip::loses_a_bed && plant.flower == 2 && plant.row == 1) bed = 0;
    return true;
  }
  bool act(const Garden::Rain& rain) {
    state_.water = std::min(Garden::water_max, state_.water + rain.amount);
    return true;
  }
  bool act(const Garden::Wait&) {
    state_.season = state_.season % Garden::winter + 1;
    if (state_.season == Garden::winter) std::ranges::replace(state_.beds.cells, std::uint8_t{1}, std::uint8_t{0});
    return true;
  }

  static inline unsigned runs_ = 0;
  Garden::Setup state_;
  int planted_ = 0;
  bool wrong_today_ = false;
};
static_assert(Implementation<Gardener<Slip::none>, Garden>);

/// A gardener as the judge sees it.
template <Slip slip>
Runner gardener(std::string_view name, Kind kind = Kind::optimized) {
  return {name, kind, "", typed_code<Garden>(&run_trace<Gardener<slip>, Garden>)};
}

/// A garden with bare beds.
inline Garden::Setup plot(int rows, int columns, int water = 0) {
  return {.rows = rows, .columns = columns, .water = water, .beds = Grid{rows, columns}, .moles = {}};
}

/// Parses a scenario. Throws std::invalid_argument when the text is invalid.
inline Scenario<Garden> scenario_of(std::string_view text) {
  const auto parsed = parse_scenario<Garden>(text);
  if (!parsed) throw std::invalid_argument{parsed.error().message("scenario")};
  return *parsed;
}

/// The reference: no slips.
inline const Runner head_gardener = gardener<Slip::none>("rulebook", Kind::reference);

}  // namespace lockstep
