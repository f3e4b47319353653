#include "campaign/stress.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <iterator>
#include <mutex>
#include <set>
#include <unordered_set>
#include <utility>

#include "campaign/seconds.hpp"
#include "campaign/tested_program.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using Cases = std::vector<InputCase>;

std::vector<std::string> answers_of(const Cases& cases) {
  std::vector<std::string> out;
  std::ranges::transform(cases, std::back_inserter(out), &InputCase::answer);
  return out;
}

/// What the threads found, and how far they came.
struct Shared {
  std::set<std::string> known = {};  // kinds of failures that are findings already
  std::mutex mutex;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> cases = 0;
  std::atomic<std::uint64_t> processes = 0;
  std::vector<std::pair<Cases, ProgramFailure>> failures = {};  // at most one of each thread
};

/// Cases in batches that grow while the program is right: most wrong programs fail on the first few cases.
class Searcher {
 public:
  Searcher(const ProblemInputs& inputs, const StressOptions& options, TestedProgram& program, std::uint64_t part)
      : inputs_{inputs},
        program_{program},
        several_{options.batch == Batch::loop || (options.batch == Batch::published && inputs.many_cases())},
        stream_{inputs.draw(options.seed, part, options.jobs, options.corpus)} {}

  void search(Shared& shared, Clock::time_point deadline) {
    std::size_t size = 1;
    do {  // at least once, however busy the machine is
      const Cases batch = next_batch(size, [&] { return shared.stop || Clock::now() >= deadline; });
      auto failure = program_.run(input_of(batch), answers_of(batch));
      shared.cases += batch.size();
      ++shared.processes;
      if (failure && shared.known.contains(failure->what.kind)) {
        size = batch_max_ = 1;  // so that the case of a known failure hides no other
      } else if (failure) {
        if (exceeds_limit(failure->run)) batch_max_ = std::max<std::size_t>(1, batch.size() / 2);
        const std::lock_guard lock{shared.mutex};
        shared.failures.emplace_back(batch, std::move(*failure));
        shared.stop = true;
        return;
      } else if (several_) {
        size = std::min(size * 2, batch_max_);
      }
    } while (!shared.stop && Clock::now() < deadline);
  }

 private:
  static constexpr std::size_t bytes_max = std::size_t{1} << 18;

  Cases next_batch(std::size_t size, const std::function<bool()>& over) {
    Cases out;
    for (std::size_t bytes = 0; out.size() < size && bytes < bytes_max && (out.empty() || !over());) {
      // What reaches no new feature is run more and more seldom: a process costs more than a few cases drawn in vain.
      InputCase one = stream_->next(1 + std::min<std::uint64_t>(given_++ / 1'000, 7));
      if (!seen_.insert(std::hash<std::string>{}(one.input)).second && !out.empty()) continue;
      bytes += one.input.size();
      out.push_back(std::move(one));
    }
    return out;
  }

  std::string input_of(const Cases& batch) const {
    return batch.size() == 1 ? batch.front().input : inputs_.input_of(batch);
  }

  const ProblemInputs& inputs_;
  TestedProgram& program_;
  bool several_;
  std::unique_ptr<InputStream> stream_;
  std::size_t batch_max_ = 256;
  std::uint64_t given_ = 0;
  std::unordered_set<std::size_t> seen_;  // hashes of inputs
};

/// Runs the program alone until it is known what a failure is, or until it is interrupted.
class Confirmer {
 public:
  Confirmer(const ProblemInputs& inputs, TestedProgram& program, std::chrono::milliseconds shrink_time,
            std::function<bool()> interrupted)
      : inputs_{inputs}, program_{program}, shrink_time_{shrink_time}, interrupted_{std::move(interrupted)} {}

  /// Nullopt if the failure does not appear again.
  std::optional<StressFinding> confirmed(const Cases& cases, const ProgramFailure& first, bool shrinks) {
    const std::string input = inputs_.input_of(cases);
    const auto answers = answers_of(cases);
    for (const InputCase& one : cases) check_answer(inputs_, one);
    if (exceeds_limit(first.run) && cases.size() > 1) {
      if (auto finding = confirmed_of_one(cases, first, shrinks)) return finding;
      if (only_too_many_) return std::nullopt;
    }
    for (int again = 0; again < repeats && !interrupted_(); ++again) {
      const auto failure = program_.run(input, answers);
      if (exceeds_limit(first.run)) {
        if (!failure || failure->what.kind != first.what.kind) return std::nullopt;
      } else if (!failure || !same_result(failure->run, first.run)) {
        return unsteady(cases, shrinks);
      }
    }
    const auto judge = [&](const std::string& candidate,
                           const std::vector<std::string>& expected) -> std::optional<InputFailure> {
      if (interrupted_()) return std::nullopt;
      auto failure = program_.run(candidate, expected);
      return failure ? std::optional{failure->what} : std::nullopt;
    };
    const ShrunkInput shrunk = shrinks ? inputs_.shrink(cases, judge, shrink_time_) : ShrunkInput{cases, input, false};
    const auto last = program_.run(shrunk.input, answers_of(shrunk.cases));
    if (!last) return std::nullopt;
    return finding_of(shrunk, *last);
  }

  /// Whether the failure that was not confirmed was none: the cases, each within the limit, were too many for one process.
  bool only_too_many() const { return only_too_many_; }

 private:
  static constexpr int repeats = 2;

  static StressFinding finding_of(const ShrunkInput& shrunk, const ProgramFailure& failure) {
    StressFinding out;
    out.verdict = failure.verdict;
    out.reason = failure.reason;
    out.cases = shrunk.cases;
    out.case_number = failure.what.case_number;
    out.line = failure.what.line;
    out.input = shrunk.input;
    out.expected = failure.expected;
    out.got = failure.run.output;
    out.errors = failure.run.errors;
    out.minimal = shrunk.minimal;
    return out;
  }

  /// The first case that alone exceeds a limit. If none does, their times tell whether they are only too many.
  std::optional<StressFinding> confirmed_of_one(const Cases& cases, const ProgramFailure& first, bool shrinks) {
    std::chrono::milliseconds together{0};
    const auto until = Clock::now() + shrink_time_;
    for (const InputCase& one : cases) {
      if (interrupted_() || Clock::now() > until) break;
      const auto failure = program_.run(one.input, {one.answer});
      if (failure && exceeds_limit(failure->run)) return confirmed({one}, *failure, shrinks);
      together += program_.last_time();
    }
    constexpr std::chrono::milliseconds noise{100};  // a batch that sleeps uses less
    only_too_many_ =
        first.run.end == ProgramRun::End::time_limit && together > noise && 2 * together > first.run.processor_time;
    return std::nullopt;
  }

  /// Two different results for one input; nullopt if a few runs show none.
  std::optional<std::pair<ProgramRun, ProgramRun>> two_results(const std::string& input) {
    std::optional<ProgramRun> first;
    for (int i = 0; i < 6 && !interrupted_(); ++i) {
      ProgramRun run = program_.run(input);
      if (exceeds_limit(run)) continue;
      if (!first) first = std::move(run);
      else if (!same_result(run, *first)) return std::pair{std::move(*first), std::move(run)};
    }
    return std::nullopt;
  }

  static std::string shown(const ProgramRun& run) {
    const bool died = run.end == ProgramRun::End::runtime_error;
    return died ? "(" + run.reason + ")\n" + run.output : run.output;
  }

  std::optional<StressFinding> unsteady(const Cases& cases, bool shrinks) {
    const auto judge = [&](const std::string& input, const std::vector<std::string>&) {
      return two_results(input) ? std::optional{InputFailure{"non-deterministic", 0, 0}} : std::nullopt;
    };
    ShrunkInput shrunk{cases, inputs_.input_of(cases), false};
    if (shrinks) shrunk = inputs_.shrink(cases, judge, shrink_time_);
    auto results = two_results(shrunk.input);
    const auto until = Clock::now() + shrink_time_;
    for (int i = 0; i < 10 && !results && Clock::now() < until; ++i) results = two_results(shrunk.input);
    if (!results) return std::nullopt;
    ProgramFailure failure;
    failure.verdict = "non-deterministic";
    failure.reason = "two runs with this input gave different results";
    failure.what = {failure.verdict, 0, 0};
    for (const InputCase& one : shrunk.cases) failure.expected += one.answer;
    failure.run = std::move(results->first);
    StressFinding out = finding_of(shrunk, failure);
    out.got = shown(failure.run);
    out.other = shown(results->second);
    return out;
  }

  const ProblemInputs& inputs_;
  TestedProgram& program_;
  std::chrono::milliseconds shrink_time_;
  std::function<bool()> interrupted_;
  bool only_too_many_ = false;
};

std::vector<TestedProgram> programs_of(const StressOptions& options, unsigned count) {
  std::vector<TestedProgram> out;
  while (out.size() < count) out.emplace_back(options.command, options.limits, options.safety, options.rules);
  return out;
}

/// Searches with one thread a program until one of them fails or the time is up. Throws what a search throws.
void search_all(std::vector<std::unique_ptr<Searcher>>& searchers, Shared& shared, Clock::time_point deadline,
                const std::function<void()>& meanwhile) {
  std::vector<std::future<void>> searches;
  for (const auto& searcher : searchers) {
    searches.push_back(std::async(std::launch::async, [&, each = searcher.get()] {
      try {
        each->search(shared, deadline);
      } catch (...) {
        shared.stop = true;
        throw;
      }
    }));
  }
  for (auto& search : searches) {
    while (search.wait_for(std::chrono::milliseconds{5}) != std::future_status::ready) meanwhile();
  }
  for (auto& search : searches) search.get();
}

}  // namespace

StressResult stress(const ProblemInputs& inputs, const StressOptions& options, const StressCallbacks& callbacks) {
  if (!options.rules.checker.empty() && options.batch == Batch::loop && !inputs.many_cases()) {
    throw BadInput{"a checker judges an input of the problem, which holds one case: leave out --batch loop"};
  }
  // Each program is set up before the first thread starts: it forks this process.
  auto programs = programs_of(options, options.jobs);
  StressResult out;
  out.safety = programs.front().safety();
  std::vector<std::unique_ptr<Searcher>> searchers;
  for (TestedProgram& program : programs)
    searchers.push_back(std::make_unique<Searcher>(inputs, options, program, searchers.size()));
  const Clock::time_point start = Clock::now();
  const auto deadline = start + as_duration(options.seconds);
  Shared shared;
  const auto count = [&] {
    out.cases = shared.cases;
    out.processes = shared.processes;
    out.seconds = seconds_since(start);
  };
  // A failure that does not appear again is counted, and the search goes on.
  while ((options.keep_going || out.findings.empty()) && Clock::now() < deadline && !callbacks.interrupted()) {
    shared.stop = false;
    shared.failures.clear();
    search_all(searchers, shared, deadline, [&] {
      count();
      callbacks.progress(out);
      if (callbacks.interrupted()) shared.stop = true;
    });
    count();
    if (shared.failures.empty()) break;
    for (const auto& [cases, failure] : shared.failures) {
      if (shared.known.contains(failure.what.kind)) continue;  // by another thread's failure
      Confirmer confirmer{inputs, programs.front(), options.shrink_time, callbacks.interrupted};
      if (auto finding = confirmer.confirmed(cases, failure, true)) {
        shared.known.insert(failure.what.kind);
        out.findings.push_back(std::move(*finding));
        if (!options.keep_going) break;
      } else if (!confirmer.only_too_many()) {
        ++out.unrepeated;
      }
    }
  }
  for (const TestedProgram& program : programs) out.slowest = std::max(out.slowest, program.slowest());
  return out;
}

StressResult stress_once(const ProblemInputs& inputs, const StressOptions& options,
                         const std::vector<InputCase>& cases) {
  TestedProgram program{options.command, options.limits, options.safety, options.rules};
  const Clock::time_point start = Clock::now();
  StressResult out;
  out.safety = program.safety();
  const auto failure = program.run(inputs.input_of(cases), answers_of(cases));
  if (failure) {
    Confirmer confirmer{inputs, program, options.shrink_time, [] { return false; }};
    if (auto finding = confirmer.confirmed(cases, *failure, false)) out.findings.push_back(std::move(*finding));
    else ++out.unrepeated;
  }
  out.cases = cases.size();
  out.slowest = program.slowest();
  out.processes = program.processes();
  out.seconds = seconds_since(start);
  return out;
}

}  // namespace lockstep
