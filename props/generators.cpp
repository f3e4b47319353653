#include "props/generators.hpp"

#include "lockstep/describe/reduce.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/text/text.hpp"
#include "props/laws.hpp"

namespace lockstep {

void showValue(const AnyScenario& scenario, std::ostream& out) { out << "\n" << scenario_text(scenario); }

}  // namespace lockstep

namespace lockstep::laws {

namespace {

/// All one-step reductions of a scenario, built one at a time.
class Reductions {
 public:
  explicit Reductions(AnyScenario scenario) : scenario_{std::move(scenario)} {}

  rc::Maybe<AnyScenario> operator()() {
    rc::Maybe<AnyScenario> out;
    const auto number = reduction_from(scenario_, next_, [&](const AnyScenario& smaller) {
      out = smaller;
      return true;
    });
    if (number) next_ = *number + 1;
    return out;
  }

 private:
  AnyScenario scenario_;
  std::size_t next_ = 0;
};

}  // namespace

rc::Seq<AnyScenario> shrunk(const AnyScenario& scenario) {
  std::vector<std::size_t> actions(scenario.size());
  std::iota(actions.begin(), actions.end(), std::size_t{0});
  auto fewer_actions = rc::seq::map(rc::shrink::removeChunks(actions), [=](const std::vector<std::size_t>& left) {
    AnyScenario out = scenario;
    out.truncate(0);
    for (const std::size_t action : left) out.insert(out.size(), scenario, action, 1);
    return out;
  });
  const auto numbers = numbers_at(scenario, {}).fields;
  auto lower_numbers = rc::seq::mapcat(rc::seq::range<std::size_t>(0, numbers.size()), [=](std::size_t field) {
    const NumberField& number = numbers[field];
    const auto distance = static_cast<std::uint64_t>(number.distance());
    return rc::seq::map(rc::shrink::towards(distance, std::uint64_t{0}), [=](std::uint64_t left) {
      AnyScenario lower = scenario;
      refit(lower, Edit{field, number.nearer(distance - left)});
      return lower;
    });
  });
  // Repairing a setup may enlarge it.
  lower_numbers = rc::seq::filter(
      std::move(lower_numbers), [size = size_of(scenario)](const AnyScenario& lower) { return size_of(lower) < size; });
  return rc::seq::concat(std::move(fewer_actions), std::move(lower_numbers), rc::makeSeq<Reductions>(scenario));
}

rc::Gen<AnyScenario> scenarios(const Vocabulary& system, std::span<const Style> some, std::size_t actions_max) {
  return [=, &system](rc::Random chosen, int) {
    Random random{chosen.next()};
    AnyScenario scenario = drawn_scenario(system, random, some[random.below(some.size())]);
    scenario.truncate(actions_max);
    return rc::shrinkable::shrinkRecur(std::move(scenario), &shrunk);
  };
}

AnyScenario any_scenario(const Vocabulary& system, std::size_t actions_max) {
  return *scenarios(system, styles, actions_max);
}

AnyScenario any_suggested(const Vocabulary& system, std::size_t actions_max) {
  static constexpr Style suggested[] = {Style::suggested};
  return *scenarios(system, suggested, actions_max);
}

std::uint64_t any_seed() {
  constexpr int full_range = 100;
  return *rc::gen::noShrink(rc::gen::resize(full_range, rc::gen::arbitrary<std::uint64_t>())).as("seed");
}

void require(const std::string& complaint) {
  if (!complaint.empty()) RC_FAIL(complaint);
}

void require_of_each(const std::function<Verdict(const Runner& simulator, const AnyScenario& scenario)>& law) {
  const AnyScenario scenario = bounded(*rc::gen::noShrink(scenarios(this_vocabulary())));
  for (const Runner& simulator : honest(this_vocabulary())) {
    require(complaint({simulator}, scenario, [&](const AnyScenario& s) { return law(simulator, s); }));
  }
}

}  // namespace lockstep::laws
