#include "programs/stress.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <iterator>
#include <mutex>
#include <set>
#include <unordered_set>
#include <utility>

#include "lockstep/base/seconds.hpp"

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
  std::mutex mutex;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> cases = 0;
  std::atomic<std::uint64_t> processes = 0;
  std::vector<std::pair<Cases, JudgedRun>> failures = {};  // at most one of each thread
};

/// Cases in batches that grow while the program is right: most wrong programs fail on the first few cases.
class Searcher {
 public:
  Searcher(const ProblemInputs& inputs, const StressOptions& options, TestedProgram& program, std::uint64_t part)
      : inputs_{inputs},
        program_{program},
        several_{options.batch == Batch::loop || (options.batch == Batch::published && inputs.many_cases())},
        keep_going_{options.keep_going},
        stream_{inputs.draw(options.seed, part, options.jobs, options.corpus)} {}

  /// `known`: kinds of failures that are findings already.
  void search(Shared& shared, const std::set<std::string>& known, Clock::time_point deadline) {
    std::size_t size = 1;
    do {  // at least once, however busy the machine is
      const Cases batch = !again_.empty() ? Cases{std::exchange(again_, {again_.begin() + 1, again_.end()}).front()}
                                          : next_batch(size, [&] { return shared.stop || Clock::now() >= deadline; });
      const std::string input = batch.size() == 1 ? batch.front().input : inputs_.input_of(batch);
      JudgedRun run = program_.run(input, answers_of(batch), [&] { return shared.stop.load(); });
      if (run.stopped()) {
        again_.insert(again_.end(), batch.begin(), batch.end());
        return;
      }
      ++shared.processes;
      // A failure hides those of other cases in its batch.
      if (keep_going_ && batch.size() > 1 && !run.right()) again_.insert(again_.end(), batch.begin(), batch.end());
      else shared.cases += batch.size();
      if (run.right()) {
        if (several_) size = std::min(size * 2, batch_max_);
        continue;
      }
      size = 1;
      if (run.exceeds_limit()) batch_max_ = std::max<std::size_t>(1, batch.size() / 2);
      if (known.contains(run.what.kind)) continue;
      const std::lock_guard lock{shared.mutex};
      shared.failures.emplace_back(batch, std::move(run));
      shared.stop = true;
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

  const ProblemInputs& inputs_;
  TestedProgram& program_;
  bool several_;
  bool keep_going_;
  std::unique_ptr<InputStream> stream_;
  Cases again_;  // to be run alone
  std::size_t batch_max_ = 256;
  std::uint64_t given_ = 0;
  std::unordered_set<std::size_t> seen_;  // hashes of inputs
};

/// A program's output, without the ends of very long lines and without what follows when it is long.
std::string beginning(std::string_view output) {
  constexpr std::size_t bytes_max = 1 << 16;
  constexpr std::size_t line_max = 1'000;
  std::string out;
  std::size_t column = 0;
  std::size_t left_out = 0;
  for (const char c : output) {
    column = c == '\n' ? 0 : column + 1;
    if (column <= line_max && out.size() < bytes_max) out += c;
    else ++left_out;
  }
  return left_out == 0 ? out : out + "\n… " + std::to_string(left_out) + " more bytes\n";
}

StressFinding finding_of(const ShrunkInput& shrunk, const JudgedRun& run) {
  StressFinding out;
  out.verdict = run.verdict;
  out.kind = run.what.kind;
  out.reason = run.reason;
  out.cases = shrunk.cases;
  out.case_number = run.what.case_number;
  out.line = run.what.line;
  out.input = shrunk.input;
  out.expected = run.other ? beginning(run.expected) : run.expected;
  out.got = beginning(run.run.output);
  out.errors = run.run.errors;
  out.minimal = shrunk.minimal;
  return out;
}

/// Runs the program alone until it is known what a failure is, or until it is interrupted. What appears again is a finding.
class Confirmer {
 public:
  Confirmer(const ProblemInputs& inputs, TestedProgram& program, const StressOptions& options,
            const StressCallbacks& callbacks, StressResult& out)
      : inputs_{inputs}, program_{program}, options_{options}, callbacks_{callbacks}, out_{out} {}

  /// Adds to the findings, or to the failures that did not appear again. `shrinks`: the search drew the cases; else they were
  /// given, and a failure that only all of them show is not lost.
  void confirm(const Cases& cases, const JudgedRun& run, bool shrinks) {
    if (known_.contains(run.what.kind)) return;  // by another thread's failure
    start_ = Clock::now();
    deadline_ = start_ + options_.shrink_time;
    no_failure_ = false;
    if (auto finding = confirmed(cases, run, shrinks)) {
      if (!known_.insert(finding->kind).second) return;
      callbacks_.found(*finding);
      out_.findings.push_back(std::move(*finding));
    } else if (!callbacks_.interrupted() && !(no_failure_ && shrinks)) {
      out_.unrepeated.push_back(finding_of({cases, inputs_.input_of(cases), false}, run));
    }
  }

  /// Kinds of the findings.
  const std::set<std::string>& known() const { return known_; }

 private:
  static constexpr int repeats = 2;
  static constexpr const char* non_deterministic = "non-deterministic";

  /// Nullopt if the failure does not appear again, or if it is interrupted before.
  std::optional<StressFinding> confirmed(const Cases& cases, const JudgedRun& first, bool shrinks) {
    const std::string input = inputs_.input_of(cases);
    const auto answers = answers_of(cases);
    for (const InputCase& one : cases) check_answer(inputs_, one);
    if (first.exceeds_limit()) {
      deadline_ = std::min(deadline_, start_ + as_duration(std::max(options_.seconds, 1.0)));
      if (cases.size() > 1) {
        if (auto finding = confirmed_of_one(cases, first, shrinks)) return finding;
        if (no_failure_) return std::nullopt;
      }
    }
    JudgedRun run = first;
    for (int again = 0; again < repeats && (again == 0 || Clock::now() < deadline_); ++again) {
      run = program_.run(input, answers, callbacks_.interrupted);
      if (callbacks_.interrupted()) return std::nullopt;
      if (first.exceeds_limit()) {
        if (run.what.kind != first.what.kind) return std::nullopt;
      } else if (!program_.same_result(run, first)) {
        no_failure_ = known_.contains(non_deterministic);
        return no_failure_ ? std::nullopt : unsteady(cases, shrinks);
      }
    }
    const ShrunkInput whole{cases, input, false};
    const auto judge = [&](const std::string& candidate, const std::vector<std::string>& expected) {
      return callbacks_.interrupted() ? std::nullopt : failure_of(candidate, expected);
    };
    if (!shrinks || left().count() <= 0) return finding_of(whole, run);
    const ShrunkInput shrunk = inputs_.shrink(cases, judge, left());
    const JudgedRun last = program_.run(shrunk.input, answers_of(shrunk.cases), callbacks_.interrupted);
    if (!last.right() && !last.stopped()) return finding_of(shrunk, last);
    // A minimal input barely exceeds the limit, so it may pass in some runs.
    return first.exceeds_limit() || last.stopped() ? std::optional{finding_of(whole, run)} : std::nullopt;
  }

  /// Time for shrinking.
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  }

  /// How the program fails on a candidate of shrinking. A candidate on which the checker fails shows nothing.
  std::optional<InputFailure> failure_of(const std::string& input, const std::vector<std::string>& answers) {
    try {
      JudgedRun run = program_.run(input, answers, callbacks_.interrupted);
      return run.right() || run.stopped() ? std::nullopt : std::optional{std::move(run.what)};
    } catch (const BadInput&) {
      return std::nullopt;
    }
  }

  /// The first case that alone exceeds a limit. If none does, their times tell whether they are only too many.
  std::optional<StressFinding> confirmed_of_one(const Cases& cases, const JudgedRun& first, bool shrinks) {
    std::chrono::milliseconds together{0};
    for (const InputCase& one : cases) {
      if (Clock::now() > deadline_) break;
      const JudgedRun run = program_.run(one.input, {one.answer}, callbacks_.interrupted);
      if (callbacks_.interrupted()) break;
      if (run.exceeds_limit()) return confirmed({one}, run, shrinks);
      together += run.run.processor_time;
    }
    constexpr std::chrono::milliseconds noise{100};  // a batch that sleeps uses less
    no_failure_ =
        first.run.end == ProgramRun::End::time_limit && together > noise && 2 * together > first.run.processor_time;
    return std::nullopt;
  }

  /// Two different results for one input; nullopt if a few runs show none.
  std::optional<std::pair<JudgedRun, JudgedRun>> two_results(const std::string& input,
                                                             const std::vector<std::string>& answers) {
    std::optional<JudgedRun> first;
    for (int i = 0; i < 6 && !callbacks_.interrupted(); ++i) {
      JudgedRun run = program_.run(input, answers, callbacks_.interrupted);
      if (run.exceeds_limit()) continue;
      if (!first) first = std::move(run);
      else if (!program_.same_result(run, *first)) return std::pair{std::move(*first), std::move(run)};
    }
    return std::nullopt;
  }

  static std::string shown(const ProgramRun& run) {
    const bool died = run.end == ProgramRun::End::runtime_error;
    return died ? "(" + run.reason + ")\n" + run.output : run.output;
  }

  std::optional<StressFinding> unsteady(const Cases& cases, bool shrinks) {
    const auto judge = [&](const std::string& input, const std::vector<std::string>& answers) {
      return two_results(input, answers) ? std::optional{InputFailure{non_deterministic, 0, {}}} : std::nullopt;
    };
    ShrunkInput shrunk{cases, inputs_.input_of(cases), false};
    if (shrinks) shrunk = inputs_.shrink(cases, judge, left());
    const auto answers = answers_of(shrunk.cases);
    auto results = two_results(shrunk.input, answers);
    const auto until = Clock::now() + options_.shrink_time;
    for (int i = 0; i < 10 && !results && Clock::now() < until; ++i) results = two_results(shrunk.input, answers);
    if (!results) return std::nullopt;
    auto& [one, two] = *results;
    const bool of_other = one.other && one.expected != two.expected;
    one.verdict = non_deterministic;
    one.reason = std::string{of_other ? "two runs of the other program" : "two runs"} +
                 " with this input gave different results";
    one.what = {one.verdict, 0, {}};
    StressFinding out = finding_of(shrunk, one);
    out.got = beginning(shown(of_other ? *one.other : one.run));
    out.other = beginning(shown(of_other ? *two.other : two.run));
    return out;
  }

  const ProblemInputs& inputs_;
  TestedProgram& program_;
  const StressOptions& options_;
  const StressCallbacks& callbacks_;
  StressResult& out_;
  std::set<std::string> known_;
  Clock::time_point start_ = {};  // of the failure that is confirmed now
  Clock::time_point deadline_ = {};
  /// Whether what was not confirmed was no new failure: cases that are each within the limit and only together too many for
  /// one process, or another result of a program that is known to be non-deterministic.
  bool no_failure_ = false;
};

/// Searches with one thread a program until one of them fails or the time is up. Throws what a search throws.
void search_all(std::vector<Searcher>& searchers, Shared& shared, const std::set<std::string>& known,
                Clock::time_point deadline, const std::function<void()>& meanwhile) {
  std::vector<std::future<void>> searches;
  for (Searcher& searcher : searchers) {
    searches.push_back(std::async(std::launch::async, [&] {
      try {
        searcher.search(shared, known, deadline);
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

/// Runs the program on the heaviest cases until it fails on one; else its time on them is known.
void test_heaviest(const ProblemInputs& inputs, const StressOptions& options, TestedProgram& program,
                   Confirmer& confirmer, const StressCallbacks& callbacks, Clock::time_point start, StressResult& out) {
  std::chrono::milliseconds most{0};
  for (const InputCase& one : options.heaviest ? *options.heaviest : heaviest_cases(inputs, options)) {
    if (callbacks.interrupted()) return;
    const JudgedRun run = program.run(one.input, {one.answer}, callbacks.interrupted);
    if (run.stopped()) return;
    ++out.cases;
    ++out.processes;
    out.seconds = seconds_since(start);
    most = std::max(most, run.run.processor_time);
    if (run.right()) continue;
    callbacks.failed();
    confirmer.confirm({one}, run, true);
    if (!out.findings.empty() || callbacks.interrupted()) return;
  }
  out.heaviest = most;
}

}  // namespace

std::vector<InputCase> heaviest_cases(const ProblemInputs& inputs, const StressOptions& options) {
  const double seconds = std::min(options.seconds / 10, 2.0);
  return inputs.heaviest(options.seed, options.corpus, std::chrono::milliseconds{std::lround(1000 * seconds)}, 5);
}

StressResult stress(const ProblemInputs& inputs, const StressOptions& options, const StressCallbacks& callbacks) {
  // Each program is set up before the first thread starts: it forks this process.
  std::vector<TestedProgram> programs;
  while (programs.size() < options.jobs)
    programs.emplace_back(options.command, options.limits, options.safety, options.rules);
  StressResult out;
  out.safety = programs.front().safety();
  std::vector<Searcher> searchers;
  for (TestedProgram& program : programs) searchers.emplace_back(inputs, options, program, searchers.size());
  const Clock::time_point start = Clock::now();
  auto deadline = start + as_duration(options.seconds);
  Shared shared;
  Confirmer confirmer{inputs, programs.front(), options, callbacks, out};
  const auto count = [&] {
    out.cases = shared.cases;
    out.processes = shared.processes;
    out.seconds = seconds_since(start);
  };
  while ((options.keep_going || out.findings.empty()) && Clock::now() < deadline && !callbacks.interrupted()) {
    shared.stop = false;
    shared.failures.clear();
    search_all(searchers, shared, confirmer.known(), deadline, [&] {
      count();
      callbacks.progress(out);
      if (callbacks.interrupted()) shared.stop = true;
    });
    count();
    if (shared.failures.empty()) break;
    const Clock::time_point found = Clock::now();
    callbacks.failed();
    for (const auto& [cases, run] : shared.failures) {
      confirmer.confirm(cases, run, true);
      if (callbacks.interrupted() || (!options.keep_going && !out.findings.empty())) break;
    }
    if (options.keep_going) deadline += Clock::now() - found;
  }
  // A second program may be a slow one on purpose.
  if (out.findings.empty() && !options.rules.other && !callbacks.interrupted())
    test_heaviest(inputs, options, programs.front(), confirmer, callbacks, start, out);
  return out;
}

StressResult stress_once(const ProblemInputs& inputs, const StressOptions& options, const std::vector<InputCase>& cases,
                         const std::function<bool()>& interrupted) {
  TestedProgram program{options.command, options.limits, options.safety, options.rules};
  const Clock::time_point start = Clock::now();
  StressResult out;
  out.safety = program.safety();
  const std::string input = inputs.input_of(cases);
  const JudgedRun run = program.run(input, answers_of(cases), interrupted);
  const StressCallbacks callbacks{.interrupted = interrupted};
  if (!run.right() && !run.stopped()) Confirmer{inputs, program, options, callbacks, out}.confirm(cases, run, false);
  out.cases = run.stopped() ? 0 : cases.size();
  out.processes = program.processes();
  out.seconds = seconds_since(start);
  return out;
}

}  // namespace lockstep
