// Draws random scenarios.
//
// There are three styles, because none is best for every bug (docs/finding-power.md has the measurements):
//   uniform    every field uniform within its bounds, boards of a random density;
//   swarm      per scenario, each action kind has a random weight and each field a narrow part of its range,
//              so that some scenarios repeat one unusual thing often
//              (Groce et al.: "Swarm testing", ISSTA 2012);
//   suggested  the system's own Suggestions draws the setup and the actions. If it has none, numbers recur: equal to
//              earlier ones, next to them, or near powers of two, bounds and multiples.
//
// A system's Suggestions, if it has one:
//   struct Suggestions {
//     explicit Suggestions(Random&);          // weights, drawn anew for each scenario
//     Setup setup(Random&);                   // must be lawful
//     Action action(Random&, const Setup&);   // within bounds; may model the state inside the Suggestions
//   };
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/hash.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/describe/scenario.hpp"

namespace lockstep {

enum class Style { uniform, swarm, suggested };
inline constexpr auto styles = Enumerators<Style>::values;

class Recurring;

/// Draws the fields that it visits. With a nonzero swarm seed, each number stays in a part of its range that depends
/// only on that seed and the field's name.
class DrawFields : public Fields {
 public:
  DrawFields(Random& random, bool large, std::uint64_t swarm_seed = 0, Recurring* recurring = nullptr)
      : random_{random}, large_{large}, swarm_seed_{swarm_seed}, recurring_{recurring} {}

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override;
  void visit_real(std::string_view name, double& value, Bounds bounds, bool single) override;
  void visit_text(std::string_view name, std::string& value, int lo, int hi, const Text& of) override;
  void visit_items(std::string_view name, Items& items, int lo, int hi) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;

 private:
  Number draw_size(Number lo, Number hi);
  Number draw_number(std::string_view name, Number lo, Number hi);
  Number draw_integer(std::string_view name, Number lo, Number hi);
  std::size_t draw_length(int lo, int hi);
  Number signed_power();
  void narrow(std::string_view name, Number& lo, Number& hi) const;
  void fill(Items& items, std::size_t size);

  Random& random_;
  bool large_;
  std::uint64_t swarm_seed_;
  Recurring* recurring_;
};

/// A kind of action with the given weights, of which one is above 0.
std::size_t draw_kind(Random& random, std::span<const std::uint64_t> weights);

/// Replaces the setup by a drawn one.
void draw_setup(Random& random, AnyScenario& out);

/// Appends an action by `try_one`; false if none was found.
bool draw_action(Random& random, const Vocabulary& vocabulary, AnyScenario::TryAction try_one);

/// How scenarios are drawn: the weights of the kinds of action (empty: those of the system), and the most actions.
struct DrawLimits {
  std::vector<std::uint64_t> weights = {};
  std::uint64_t actions_max = 2'000;
};

/// The weights without these kinds; empty if no kind remains that is drawn.
std::vector<std::uint64_t> weights_without(const Vocabulary& vocabulary, const std::vector<std::string>& kinds);

/// Replaces the whole scenario. A system's Suggestions know no weights.
void draw_scenario(Random& random, Style style, AnyScenario& out, const DrawLimits& limits = {});
AnyScenario drawn_scenario(const Vocabulary& system, Random& random, Style style, const DrawLimits& limits = {});

}  // namespace lockstep
