#include "lockstep/draw/portfolio.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/mutate.hpp"

namespace lockstep {
namespace {

/// The one with the fewest hits among three random entries, which are drawn by their indices.
const auto& rarest_of_three(Random& random, const std::vector<std::size_t>& indices, const auto& entries) {
  const auto* rarest = &entries[random.pick(indices)];
  for (int more = 0; more < 2; ++more) {
    const auto& entry = entries[random.pick(indices)];
    if (entry.hits < rarest->hits) rarest = &entry;
  }
  return *rarest;
}

}  // namespace

std::uint64_t cost_of(const AnyScenario& scenario) {
  // A board of a few cells costs about as much as one of 64, because each step has a cost of its own.
  return (scenario.size() + 1) * (64 + area_of(scenario));
}

void mark_own_features(std::span<const AnyTrace> traces, FunctionRef<void(std::size_t index)> mark) {
  for (const AnyTrace& trace : traces) {
    for (const OwnFeature& own : trace.head().own_features) {
      mark((features_max + std::min(own.number, own_features_max - 1)) * feature_buckets + feature_bucket(own.value));
    }
  }
}

void mark_features(const AnyScenario& scenario, const AnyTrace& trace, FunctionRef<void(std::size_t index)> mark) {
  const Vocabulary& vocabulary = scenario.vocabulary();
  const std::span<const Feature> features = vocabulary.features();
  vocabulary.emit_features(
      scenario, trace, [&](std::size_t feature, std::int64_t value) { mark(feature_index(features, feature, value)); });
}

bool Pool::add(Random& random, const AnyScenario& scenario, std::span<const std::size_t> buckets) {
  bool any_new = false;
  Shared shared;
  for (const std::size_t index : buckets) {
    Bucket& bucket = buckets_[index];
    if (bucket.hits++ == 0) {
      reached_.push_back(index);
      any_new = true;
    }
    const std::size_t place = bucket.hits <= sample_max ? bucket.hits - 1 : random.below(bucket.hits);
    if (place >= sample_max) continue;
    if (!shared) shared = std::make_shared<const AnyScenario>(scenario);
    bucket.sample[place] = shared;
  }
  return any_new;
}

const AnyScenario& Pool::pick(Random& random) const {
  const Bucket& rarest = rarest_of_three(random, reached_, buckets_);
  return *rarest.sample[random.below(std::min<std::uint64_t>(rarest.hits, sample_max))];
}

bool EdgePool::add(const AnyScenario& scenario, std::span<const std::size_t> edges) {
  if (edges.empty()) return false;
  bool any_new = false;
  Shared shared;
  const std::uint64_t cost = cost_of(scenario);
  if (edges.back() >= edges_.size()) edges_.resize(edges.back() + 1);
  for (const std::size_t index : edges) {
    Edge& edge = edges_[index];
    if (edge.hits++ == 0) {
      taken_.push_back(index);
      any_new = true;
    } else if (edge.cost <= cost) {
      continue;
    }
    if (!shared) shared = std::make_shared<const AnyScenario>(scenario);
    edge.cost = cost;
    edge.cheapest = shared;
  }
  return any_new;
}

const AnyScenario& EdgePool::pick(Random& random) const { return *rarest_of_three(random, taken_, edges_).cheapest; }

Portfolio::Portfolio(const Vocabulary& vocabulary, const std::vector<Generator>& from, std::vector<AnyScenario> corpus,
                     std::function<void(AnyScenario&)> adjust, DrawLimits limits,
                     std::vector<std::int64_t> (*compared)())
    : given_{std::make_move_iterator(corpus.begin()), std::make_move_iterator(corpus.end())},
      adjust_{std::move(adjust)},
      limits_{std::move(limits)},
      grows_{limits_.actions_max == 0},
      compared_{compared},
      scenario_{vocabulary.scenario()} {
  for (const Generator generator : from) clocks_.push_back({generator, 0});
}

const AnyScenario& Portfolio::next(std::uint64_t seed) {
  random_ = Random{seed};
  if (grows_) limits_.actions_max = actions_max();
  turn_ = static_cast<std::size_t>(std::ranges::min_element(clocks_, {}, &Clock::time) - clocks_.begin());
  // The other generators are the styles of draw.hpp.
  if (generator() == Generator::mutated) mutate_one();
  else draw_scenario(random_, styles[static_cast<std::size_t>(generator())], scenario_, limits_);
  if (adjust_) adjust_(scenario_);
  return scenario_;
}

bool Portfolio::learn(std::span<const AnyTrace> traces, std::span<const std::size_t> edges) {
  buckets_.clear();
  FeatureSet seen;
  const auto mark = [&](std::size_t bucket) {
    if (!seen[bucket]) buckets_.push_back(bucket);
    seen[bucket] = true;
  };
  mark_features(scenario_, traces.front(), mark);
  mark_own_features(traces, mark);
  const bool new_edge = edges_.add(scenario_, edges);
  clocks_[turn_].time += cost_of(scenario_) * (weight_max / weight_of(generator()));
  const bool fresh = pool_.add(random_, scenario_, buckets_) || new_edge;
  since_new_ = fresh ? 0 : since_new_ + 1;
  return fresh;
}

void Portfolio::offer(AnyScenario scenario) {
  if (std::ranges::find(clocks_, Generator::mutated, &Clock::generator) != clocks_.end())
    given_.push_back(std::move(scenario));
}

// One in 256 scenarios has any length up to the limit. With d doublings, a limit that is doubled i times is tried for one
// scenario in (d + 1) · 2ⁱ, so that each of the d + 1 limits has the same share of the work that the first has alone.
std::uint64_t Portfolio::actions_max() {
  constexpr std::uint64_t usual = DrawLimits{}.actions_max;
  std::uint64_t doublings = 0;
  while (doublings < 6 && since_new_ >> (16 + doublings) != 0) ++doublings;
  if (doublings == 0) return usual;  // draws nothing, so that the stream of a seed stays
  const std::uint64_t i = random_.below(doublings + 1);
  return random_.below(std::uint64_t{1} << i) == 0 ? usual << i : usual;
}

void Portfolio::mutate_one() {
  if (!given_.empty()) {
    scenario_ = std::move(given_.front());
    given_.pop_front();
    ++given_back_;
    return;
  }
  if (pool_.empty() && edges_.empty()) {
    draw_scenario(random_, Style::suggested, scenario_, limits_);
    return;
  }
  const AnyScenario& one = pick();
  if (random_.chance(1, 4)) scenario_ = crossover(random_, one, pick());
  else scenario_ = one;
  mutate(random_, scenario_, compared_ ? compared_() : std::vector<std::int64_t>{});
  scenario_.truncate(limits_.actions_max);
}

const AnyScenario& Portfolio::pick() {
  if (edges_.empty()) return pool_.pick(random_);
  return pool_.empty() || random_.chance(1, 2) ? edges_.pick(random_) : pool_.pick(random_);
}

}  // namespace lockstep
