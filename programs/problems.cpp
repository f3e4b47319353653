#include "programs/problems.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "lockstep/describe/features.hpp"
#include "lockstep/describe/measure.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/shrink/shrink.hpp"
#include "lockstep/system/implementations.hpp"
#include "programs/heaviest.hpp"
#include "programs/problem_domain.hpp"

namespace lockstep {
namespace {

InputCase case_with(const AnyProblem& problem, const AnyScenario& scenario, std::string answer) {
  return {scenario_text(scenario), problem.write({&scenario, 1}), std::move(answer)};
}

Parsed<InputCase> case_if_inside(const AnyProblem& problem, const AnyScenario& scenario) {
  ProblemDomain domain{problem, reference_of(problem.vocabulary())};
  if (const auto why = domain.outside(scenario)) return text_error(0, 0, *why);
  return case_with(problem, scenario, domain.answer(scenario));
}

/// The error of a case that is outside the domain.
std::unexpected<TextError> outside_of(const AnyProblem& problem, const AnyProblem::Case& one, const AnyTrace& trace,
                                      const std::string& why) {
  // Of what shows only in answers, `print` knows the place.
  if (!problem.outside(one.scenario, nullptr)) {
    if (const auto printed = problem.print(one, trace); !printed) return std::unexpected(printed.error());
  }
  const auto [line, column] = one.places.empty() ? std::pair{0, 0} : one.places.front();
  return text_error(line, column, why);
}

/// The scenario of a case, whose text is the library's.
AnyScenario scenario_of(const AnyProblem& problem, const InputCase& one) {
  return parse_scenario(problem.vocabulary(), one.scenario).value();
}
std::vector<AnyScenario> scenarios_of(const AnyProblem& problem, const std::vector<InputCase>& cases) {
  std::vector<AnyScenario> out;
  for (const InputCase& one : cases) out.push_back(scenario_of(problem, one));
  return out;
}

/// The published samples and the corpus' scenarios.
std::vector<AnyScenario> problem_seeds(const AnyProblem& problem, const std::filesystem::path& corpus) {
  std::vector<AnyScenario> out;
  if (corpus.empty()) return out;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, problem.vocabulary().name()) / "judge", ".in")) {
    auto cases = problem.read(read_file(file).value_or(""));
    if (!cases) continue;
    for (auto& one : *cases) out.push_back(std::move(one.scenario));
  }
  for (AnyScenario& each : seed_corpus(problem.vocabulary(), corpus)) out.push_back(std::move(each));
  return out;
}

/// Draws with the fastest implementation. Before a failure is reported, the reference gives the answers (shrink).
class SystemInputStream final : public InputStream {
 public:
  SystemInputStream(const AnyProblem& problem, std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                    std::vector<AnyScenario> seeds)
      : problem_{problem}, seed_{seed}, index_{first}, stride_{stride}, seeds_{std::move(seeds)} {}

  InputCase next(std::uint64_t patience) override {
    if (next_seed_ < seeds_.size()) {
      AnyScenario scenario = std::move(seeds_[next_seed_]);
      next_seed_ += stride_;
      domain_.bring_inside(scenario);
      return case_with(problem_, scenario, domain_.answer(scenario));
    }
    for (std::uint64_t drawn = 1;; ++drawn) {
      const AnyScenario& scenario = portfolio_.next(seed_of(seed_, std::exchange(index_, index_ + stride_)));
      const bool fresh = portfolio_.learn({&domain_.trace(), 1});
      if (fresh || drawn >= patience) return case_with(problem_, scenario, domain_.answer(scenario));
    }
  }

 private:
  const AnyProblem& problem_;
  std::uint64_t seed_;
  std::uint64_t index_;
  std::uint64_t stride_;
  std::vector<AnyScenario> seeds_;
  std::uint64_t next_seed_ = index_;
  ProblemDomain domain_{problem_, fastest_of(problem_.vocabulary())};
  Portfolio portfolio_ = portfolio_inside(domain_, seeds_);
};

/// Shrinks one failing list of cases.
class InputShrinker {
 public:
  using Clock = std::chrono::steady_clock;

  InputShrinker(const AnyProblem& problem, const InputJudge& judge, std::chrono::milliseconds time)
      : problem_{problem},
        judge_{judge},
        deadline_{Clock::now() + time},
        domain_{problem, reference_of(problem.vocabulary())} {}

  /// Requires scenarios inside the domain, on which the program fails.
  ShrunkInput shrink(std::vector<AnyScenario> scenarios) {
    scenarios_ = std::move(scenarios);
    for (const auto& scenario : scenarios_) answers_.push_back(domain_.answer_to(scenario));
    const auto failure = judge_(problem_.write(scenarios_), answers_);
    bool minimal = failure.has_value();
    if (failure) {
      kind_ = failure->kind;
      remove_cases();
      for (std::size_t i = 0; i < scenarios_.size(); ++i) minimal &= shrink_case(i);
      for (std::size_t i = 0; minimal && i < scenarios_.size(); ++i) minimal = shrink_others(i);
    }
    ShrunkInput out{{}, problem_.write(scenarios_), minimal};
    for (std::size_t i = 0; i < scenarios_.size(); ++i)
      out.cases.push_back(case_with(problem_, scenarios_[i], answers_[i]));
    return out;
  }

 private:
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
        const auto failure = judge_(problem_.write(fewer), fewer_answers);
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
    take(i, std::move(shrunk.scenario));
    return shrunk.minimal;
  }

  /// Draws cases that are smaller than this one, and shrinks those that fail in the same way: shrinking them can reach
  /// smaller cases than shrinking this one (in one game, 12 cells where this one leads to 64). The effort is a number of
  /// judgements, so that two machines come to the same case; false if the time was spent before.
  bool shrink_others(std::size_t i) {
    ProblemDomain drawing{problem_, fastest_of(problem_.vocabulary())};
    Portfolio portfolio = portfolio_inside(drawing);
    std::unordered_set<std::size_t> judged;  // hashes
    Size size = size_of(scenarios_[i]);
    // A small case has few smaller ones, which are drawn again and again.
    const std::uint64_t draws = std::max<std::uint64_t>(4 * judgements_, 4'000);
    std::uint64_t left = std::max<std::uint64_t>(judgements_, 1'000);
    for (std::uint64_t drawn = 0; drawn < draws && left > 0 && Clock::now() < deadline_; ++drawn) {
      const AnyScenario& candidate = portfolio.next(seed_of(0, drawn));
      if (!smaller(candidate, scenarios_[i], size)) continue;
      if (!judged.insert(std::hash<std::string>{}(scenario_text(candidate))).second) continue;
      --left;
      if (!verdict_with(i, candidate).diverged()) continue;
      Shrunk other = shrunk_from(i, candidate, wider_search);
      left -= std::min<std::uint64_t>(left, other.judgements);
      if (!other.minimal || !smaller(other.scenario, scenarios_[i], size)) continue;
      take(i, std::move(other.scenario));
      size = size_of(scenarios_[i]);
    }
    return Clock::now() < deadline_;
  }

  Shrunk shrunk_from(std::size_t i, const AnyScenario& failing, std::string_view without = {}) {
    const auto judge = [&](const AnyScenario& candidate) { return verdict_with(i, candidate); };
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return Shrinker{judge,
                    reference_of(problem_.vocabulary()),
                    {.time = std::max(left, std::chrono::milliseconds{0}), .without = without}}
        .shrink(failing);
  }

  /// Whether the program fails in the same way with this scenario in the place of a case.
  Verdict verdict_with(std::size_t i, const AnyScenario& candidate) {
    if (domain_.outside(candidate)) return {};
    auto scenarios = scenarios_;
    auto answers = answers_;
    scenarios[i] = candidate;
    answers[i] = domain_.answer(candidate);
    const auto failure = judge_(problem_.write(scenarios), answers);
    if (!failure || failure->kind != kind_) return {};
    Divergence d;
    const std::size_t actions = candidate.size();
    d.step = failure->case_number == i && failure->line ? std::min(*failure->line + 1, actions) : actions;
    d.system = problem_.vocabulary().name();
    d.blamed = "program";
    d.action = "input";
    d.field = failure->kind;
    return {Verdict::State::diverged, std::move(d), {}};
  }

  void take(std::size_t i, AnyScenario scenario) {
    scenarios_[i] = std::move(scenario);
    answers_[i] = domain_.answer_to(scenarios_[i]);
  }

  const AnyProblem& problem_;
  const InputJudge& judge_;
  Clock::time_point deadline_;
  ProblemDomain domain_;
  std::vector<AnyScenario> scenarios_;
  std::vector<std::string> answers_;
  std::string kind_;
  std::uint64_t judgements_ = 0;  // of shrinking the cases
};

}  // namespace

Parsed<std::vector<InputCase>> SystemInputs::cases_of(std::string_view input) const {
  const auto cases = problem_.read(input);
  if (!cases) return std::unexpected(cases.error());
  if (cases->empty()) return text_error(1, 1, "expected at least one case");
  ProblemDomain domain{problem_, reference_of(problem_.vocabulary())};
  std::vector<InputCase> out;
  for (const AnyProblem::Case& one : *cases) {
    if (const auto why = domain.outside(one.scenario)) return outside_of(problem_, one, domain.trace(), *why);
    out.push_back(case_with(problem_, one.scenario, domain.answer(one.scenario)));
  }
  return out;
}

Parsed<InputCase> SystemInputs::case_of(std::string_view text) const {
  const auto scenario = parse_scenario(problem_.vocabulary(), text);
  if (!scenario) return std::unexpected(scenario.error());
  return case_if_inside(problem_, *scenario);
}

std::string SystemInputs::input_of(const std::vector<InputCase>& cases) const {
  return problem_.write(scenarios_of(problem_, cases));
}

std::vector<std::string> SystemInputs::shown_by(const InputCase& one) const {
  const Vocabulary& system = problem_.vocabulary();
  const AnyScenario scenario = scenario_of(problem_, one);
  AnyTrace trace = system.trace();
  fastest_of(system).run(scenario, Cadence{}, trace);
  std::set<std::size_t> shown;
  mark_features(scenario, trace, [&](std::size_t bucket) { shown.insert(bucket); });
  std::vector<std::string> out;
  for (const std::size_t each : shown) {
    const Feature& feature = system.features()[each / feature_buckets];
    out.push_back(std::string{feature.name} + " = " + feature_bucket_text(each % feature_buckets, feature.around));
  }
  return out;
}

bool SystemInputs::answers(const std::string& implementation, const InputCase& one) const {
  AnyProblem::Case asked{scenario_of(problem_, one)};
  asked.places.resize(asked.scenario.size());
  AnyTrace trace = problem_.vocabulary().trace();
  implementation_named(problem_.vocabulary(), implementation).run(asked.scenario, Cadence{}, trace);
  const auto printed = problem_.print(asked, trace);
  return printed && *printed == one.answer;
}

std::vector<std::string> SystemInputs::unchecked_inputs(std::uint64_t seed, std::size_t count) const {
  Portfolio portfolio{problem_.vocabulary(), {generators.begin(), generators.end()}, {}};
  std::vector<std::string> out;
  while (out.size() < count) out.push_back(problem_.write({&portfolio.next(seed_of(seed, out.size())), 1}));
  return out;
}

std::unique_ptr<InputStream> SystemInputs::draw(std::uint64_t seed, std::uint64_t first, std::uint64_t stride,
                                                const std::filesystem::path& corpus) const {
  return std::make_unique<SystemInputStream>(problem_, seed, first, stride, problem_seeds(problem_, corpus));
}

std::vector<InputCase> SystemInputs::heaviest(std::uint64_t seed, const std::filesystem::path& corpus,
                                              std::chrono::milliseconds time, std::size_t count) const {
  HeaviestSearch search{problem_, count, seed, problem_seeds(problem_, corpus)};
  std::vector<InputCase> out;
  for (const AnyScenario& scenario : search.search(time)) {
    auto one = case_if_inside(problem_, scenario);
    if (!one)
      throw InternalError{"only for the reference, this is no case of the problem:\n" + scenario_text(scenario)};
    out.push_back(std::move(*one));
  }
  return out;
}

ShrunkInput SystemInputs::shrink(const std::vector<InputCase>& cases, const InputJudge& judge,
                                 std::chrono::milliseconds time) const {
  return InputShrinker{problem_, judge, time}.shrink(scenarios_of(problem_, cases));
}

Parsed<std::vector<std::string>> texts_of_input(const AnyProblem& problem, std::string_view input) {
  const auto cases = problem.read(input);
  if (!cases) return std::unexpected(cases.error());
  std::vector<std::string> out;
  for (const auto& one : *cases) out.push_back(scenario_text(one.scenario));
  return out;
}

Parsed<std::string> answer_to_input(const AnyProblem& problem, std::string_view input,
                                    const std::string& implementation) {
  const auto cases = problem.read(input);
  if (!cases) return std::unexpected(cases.error());
  const Runner answering = implementation_named(problem.vocabulary(), implementation);
  std::string out;
  AnyTrace trace = problem.vocabulary().trace();
  for (const auto& one : *cases) {
    answering.run(one.scenario, Cadence{}, trace);
    const auto printed = problem.print(one, trace);
    if (!printed) return std::unexpected(printed.error());
    out += *printed;
    if (!out.empty() && out.back() != '\n') out += '\n';
  }
  return out;
}

}  // namespace lockstep
