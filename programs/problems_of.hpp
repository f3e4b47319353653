// The original problem's input and output, and its inputs, as templates over a system.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lockstep/describe/features.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/system/typed.hpp"
#include "programs/heaviest.hpp"
#include "programs/problem_domain.hpp"
#include "programs/problem_format.hpp"
#include "programs/problems.hpp"

namespace lockstep {

template <System S>
InputCase case_with(const Scenario<S>& scenario, std::string answer) {
  return {scenario_text<S>(scenario), S::ProblemFormat::write(std::span{&scenario, 1}), std::move(answer)};
}

/// The published samples and the corpus' scenarios.
template <System S>
std::vector<AnyScenario> problem_seeds(const std::filesystem::path& corpus) {
  std::vector<AnyScenario> out;
  if (corpus.empty()) return out;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, S::name) / "judge", ".in")) {
    const auto text = read_file(file);
    const auto cases = S::ProblemFormat::read(text ? *text : std::string{});
    if (!cases) continue;
    for (const auto& one : *cases) out.push_back(any_of<S>(one.scenario));
  }
  for (AnyScenario& each : seed_corpus(vocabulary<S>(), corpus)) out.push_back(std::move(each));
  return out;
}

/// Drawing runs the fastest implementation. Before a failure is reported, the reference gives the answers (shrink).
template <System S>
class InputStreamOf final : public InputStream {
 public:
  InputStreamOf(std::uint64_t seed, std::uint64_t first, std::uint64_t stride, std::vector<AnyScenario> seeds)
      : seed_{seed}, index_{first}, stride_{stride}, seeds_{std::move(seeds)} {}

  InputCase next(std::uint64_t patience) override {
    if (next_seed_ < seeds_.size()) {
      Scenario<S> scenario = std::move(typed<S>(seeds_[next_seed_]));
      next_seed_ += stride_;
      domain_.bring_inside(scenario);
      return case_with<S>(scenario, domain_.answer(scenario));
    }
    for (std::uint64_t drawn = 1;; ++drawn) {
      const auto& scenario = typed<S>(portfolio_.next(seed_of(seed_, std::exchange(index_, index_ + stride_))));
      const bool fresh = portfolio_.learn({&domain_.trace(), 1});
      if (fresh || drawn >= patience) return case_with<S>(scenario, domain_.answer(scenario));
    }
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_;
  std::uint64_t stride_;
  std::vector<AnyScenario> seeds_;
  std::uint64_t next_seed_ = index_;
  ProblemDomain<S> domain_{fastest_of(vocabulary<S>())};
  Portfolio portfolio_ = portfolio_inside(domain_, seeds_);
};

/// Shrinks one failing list of cases.
template <System S>
class InputShrinker {
 public:
  using Clock = std::chrono::steady_clock;

  InputShrinker(const InputJudge& judge, std::chrono::milliseconds time)
      : judge_{judge}, deadline_{Clock::now() + time}, domain_{reference_of(vocabulary<S>())} {}

  /// Requires scenarios inside the domain, on which the program fails.
  ShrunkInput shrink(std::vector<Scenario<S>> scenarios) {
    scenarios_ = std::move(scenarios);
    for (const auto& scenario : scenarios_) answers_.push_back(domain_.answer_to(scenario));
    const auto failure = judge_(Format::write(scenarios_), answers_);
    bool minimal = failure.has_value();
    if (failure) {
      kind_ = failure->kind;
      remove_cases();
      for (std::size_t i = 0; i < scenarios_.size(); ++i) minimal &= shrink_case(i);
      for (std::size_t i = 0; minimal && i < scenarios_.size(); ++i) minimal = shrink_others(i);
    }
    ShrunkInput out{{}, Format::write(scenarios_), minimal};
    for (std::size_t i = 0; i < scenarios_.size(); ++i) out.cases.push_back(case_with<S>(scenarios_[i], answers_[i]));
    return out;
  }

 private:
  using Format = S::ProblemFormat;

  void remove_cases() {
    for (std::size_t count = scenarios_.size() / 2; count >= 1; count /= 2) {
      bool removed = false;
      for (std::size_t end = scenarios_.size(); end > 0 && scenarios_.size() > count && Clock::now() < deadline_;) {
        const std::size_t first = end > count ? end - count : 0;
        const auto without = [&](auto items) {
          items.erase(items.begin() + static_cast<std::ptrdiff_t>(first),
                      items.begin() + static_cast<std::ptrdiff_t>(end));
          return items;
        };
        auto fewer = without(scenarios_);
        auto fewer_answers = without(answers_);
        const auto failure = judge_(Format::write(fewer), fewer_answers);
        if (failure && failure->kind == kind_) {
          scenarios_ = std::move(fewer);
          answers_ = std::move(fewer_answers);
          removed = true;
        }
        end = std::min(first, scenarios_.size());
        // Single cases until none can be removed.
        if (end == 0 && count == 1) end = std::exchange(removed, false) ? scenarios_.size() : 0;
      }
    }
  }

  /// True if the case became 1-minimal beside the others.
  bool shrink_case(std::size_t i) {
    Shrunk shrunk = shrunk_from(i, scenarios_[i]);
    judgements_ += shrunk.judgements - shrunk.wider;
    take(i, std::move(typed<S>(shrunk.scenario)));
    return shrunk.minimal;
  }

  /// Draws cases that are smaller than this one, and shrinks those that fail in the same way: shrinking them can reach
  /// smaller cases than shrinking this one (in one game, 12 cells where this one leads to 64). The effort is a number of
  /// judgements, so that two machines come to the same case; false if the time was spent before.
  bool shrink_others(std::size_t i) {
    ProblemDomain<S> drawing{fastest_of(vocabulary<S>())};
    Portfolio portfolio = portfolio_inside(drawing);
    std::unordered_set<std::size_t> judged;  // hashes
    Size size = size_of<S>(scenarios_[i]);
    // A small case has few smaller ones, which are drawn again and again.
    const std::uint64_t draws = std::max<std::uint64_t>(4 * judgements_, 4'000);
    std::uint64_t left = std::max<std::uint64_t>(judgements_, 1'000);
    for (std::uint64_t drawn = 0; drawn < draws && left > 0 && Clock::now() < deadline_; ++drawn) {
      const auto& candidate = typed<S>(portfolio.next(seed_of(0, drawn)));
      if (!smaller<S>(candidate, scenarios_[i], size)) continue;
      if (!judged.insert(std::hash<std::string>{}(scenario_text<S>(candidate))).second) continue;
      --left;
      if (!verdict_with(i, candidate).diverged()) continue;
      Shrunk other = shrunk_from(i, candidate, wider_search);
      left -= std::min<std::uint64_t>(left, other.judgements);
      if (!other.minimal || !smaller(other.scenario, untyped<S>(scenarios_[i]), size)) continue;
      take(i, std::move(typed<S>(other.scenario)));
      size = size_of<S>(scenarios_[i]);
    }
    return Clock::now() < deadline_;
  }

  Shrunk shrunk_from(std::size_t i, const Scenario<S>& failing, std::string_view without = {}) {
    const auto judge = [&](const AnyScenario& candidate) { return verdict_with(i, typed<S>(candidate)); };
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return Shrinker{judge,
                    reference_of(vocabulary<S>()),
                    {.time = std::max(left, std::chrono::milliseconds{0}), .without = without}}
        .shrink(any_of<S>(failing));
  }

  /// Whether the program fails in the same way with this scenario in the place of a case.
  Verdict verdict_with(std::size_t i, const Scenario<S>& candidate) {
    if (domain_.outside(candidate)) return {};
    auto scenarios = scenarios_;
    auto answers = answers_;
    scenarios[i] = candidate;
    answers[i] = domain_.answer(candidate);
    const auto failure = judge_(Format::write(scenarios), answers);
    if (!failure || failure->kind != kind_) return {};
    Divergence d;
    const std::size_t actions = candidate.actions.size();
    d.step = failure->case_number == i && failure->line ? std::min(*failure->line + 1, actions) : actions;
    d.system = S::name;
    d.blamed = "program";
    d.action = "input";
    d.field = failure->kind;
    return {Verdict::State::diverged, std::move(d), {}};
  }

  void take(std::size_t i, Scenario<S> scenario) {
    scenarios_[i] = std::move(scenario);
    answers_[i] = domain_.answer_to(scenarios_[i]);
  }

  const InputJudge& judge_;
  Clock::time_point deadline_;
  ProblemDomain<S> domain_;
  std::vector<Scenario<S>> scenarios_;
  std::vector<std::string> answers_;
  std::string kind_;
  std::uint64_t judgements_ = 0;  // of shrinking the cases
};

template <System S>
  requires HasProblemDomain<S>
class ProblemInputsOf final : public ProblemInputs {
 public:
  using Format = S::ProblemFormat;

  bool many_cases() const override {
    return requires { Format::cases_max; };
  }

  Parsed<std::vector<InputCase>> cases_of(std::string_view input) const override {
    const auto cases = Format::read(input);
    if (!cases) return std::unexpected(cases.error());
    if (cases->empty()) return text_error(1, 1, "expected at least one case");
    ProblemDomain<S> domain{reference_of(vocabulary<S>())};
    std::vector<InputCase> out;
    for (const ProblemCase<S>& one : *cases) {
      if (const auto why = domain.outside(one.scenario)) return outside_of(one, typed<S>(domain.trace()), *why);
      out.push_back(case_with<S>(one.scenario, domain.answer(one.scenario)));
    }
    return out;
  }

  Parsed<InputCase> case_of(std::string_view text) const override {
    const auto scenario = parse_scenario<S>(text);
    if (!scenario) return std::unexpected(scenario.error());
    return case_if_inside(*scenario);
  }

  std::string input_of(const std::vector<InputCase>& cases) const override {
    return Format::write(scenarios_of(cases));
  }

  std::vector<std::string> shown_by(const InputCase& one) const override {
    const Scenario<S> scenario = parse_scenario<S>(one.scenario).value();
    Trace<S> trace;
    run_typed<S>(fastest_of(vocabulary<S>()), scenario, Cadence{}, trace);
    std::set<std::size_t> shown;
    mark_features(untyped<S>(scenario), untyped<S>(trace), [&](std::size_t bucket) { shown.insert(bucket); });
    std::vector<std::string> out;
    for (const std::size_t each : shown) {
      const Feature& feature = feature_list<S>[each / feature_buckets];
      out.push_back(std::string{feature.name} + " = " + feature_bucket_text(each % feature_buckets, feature.around));
    }
    return out;
  }

  bool answers(const std::string& implementation, const InputCase& one) const override {
    const Scenario<S> scenario = parse_scenario<S>(one.scenario).value();
    Trace<S> trace;
    run_typed<S>(implementation_named(vocabulary<S>(), implementation), scenario, Cadence{}, trace);
    const std::vector<std::pair<int, int>> places(scenario.actions.size());
    const auto printed = Format::print({scenario, places}, trace.observations);
    return printed && *printed == one.answer;
  }

  std::vector<std::string> unchecked_inputs(std::uint64_t seed, std::size_t count) const override {
    Portfolio portfolio{vocabulary<S>(), {generators.begin(), generators.end()}, {}};
    std::vector<std::string> out;
    while (out.size() < count) {
      const auto& scenario = typed<S>(portfolio.next(seed_of(seed, out.size())));
      out.push_back(Format::write(std::span{&scenario, 1}));
    }
    return out;
  }

  std::unique_ptr<InputStream> draw(std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                                    const std::filesystem::path& corpus) const override {
    return std::make_unique<InputStreamOf<S>>(seed, first, stride, problem_seeds<S>(corpus));
  }

  std::vector<InputCase> heaviest(std::uint64_t seed, const std::filesystem::path& corpus,
                                  std::chrono::milliseconds time, std::size_t count) const override {
    HeaviestSearch<S> search{count, seed, problem_seeds<S>(corpus)};
    std::vector<InputCase> out;
    for (const AnyScenario& scenario : search.search(time)) {
      auto one = case_if_inside(typed<S>(scenario));
      if (!one)
        throw InternalError{"only for the reference, this is no case of the problem:\n" + scenario_text(scenario)};
      out.push_back(std::move(*one));
    }
    return out;
  }

  ShrunkInput shrink(const std::vector<InputCase>& cases, const InputJudge& judge,
                     std::chrono::milliseconds time) const override {
    return InputShrinker<S>{judge, time}.shrink(scenarios_of(cases));
  }

 private:
  static Parsed<InputCase> case_if_inside(const Scenario<S>& scenario) {
    ProblemDomain<S> domain{reference_of(vocabulary<S>())};
    if (const auto why = domain.outside(scenario)) return text_error(0, 0, *why);
    return case_with<S>(scenario, domain.answer(scenario));
  }

  static std::unexpected<TextError> outside_of(const ProblemCase<S>& one, const Trace<S>& trace,
                                               const std::string& why) {
    // Of what shows only in answers, `print` knows the place.
    if (!Format::outside(one.scenario, {})) {
      if (const auto printed = Format::print(one, trace.observations); !printed) {
        return std::unexpected(printed.error());
      }
    }
    const auto [line, column] = one.places.empty() ? std::pair{0, 0} : one.places.front();
    return text_error(line, column, why);
  }

  static std::vector<Scenario<S>> scenarios_of(const std::vector<InputCase>& cases) {
    std::vector<Scenario<S>> out;
    for (const InputCase& one : cases) out.push_back(parse_scenario<S>(one.scenario).value());
    return out;
  }
};

template <System S>
Parsed<std::vector<std::string>> texts_of_input(std::string_view input) {
  const auto cases = S::ProblemFormat::read(input);
  if (!cases) return std::unexpected(cases.error());
  std::vector<std::string> out;
  for (const auto& one : *cases) out.push_back(scenario_text<S>(one.scenario));
  return out;
}

template <System S>
Parsed<std::string> answer_to_input(std::string_view input, const std::string& implementation) {
  const auto cases = S::ProblemFormat::read(input);
  if (!cases) return std::unexpected(cases.error());
  const Runner& answering = implementation_named(vocabulary<S>(), implementation);
  std::string out;
  Trace<S> trace;
  for (const auto& one : *cases) {
    run_typed<S>(answering, one.scenario, Cadence{}, trace);
    const auto printed = S::ProblemFormat::print(one, trace.observations);
    if (!printed) return std::unexpected(printed.error());
    out += *printed;
    if (!out.empty() && out.back() != '\n') out += '\n';
  }
  return out;
}

template <System S>
const ProblemInputs* problem_inputs_of() {
  if constexpr (HasProblemDomain<S>) {
    static const ProblemInputsOf<S> inputs;
    return &inputs;
  } else {
    return nullptr;
  }
}

template <System S>
const Problems* problems_of() {
  static const Problems problems{&texts_of_input<S>, &answer_to_input<S>, problem_inputs_of<S>()};
  return &problems;
}

}  // namespace lockstep
