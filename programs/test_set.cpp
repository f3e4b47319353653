#include "programs/test_set.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <ranges>
#include <set>
#include <unordered_set>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/base/seconds.hpp"
#include "lockstep/process/child.hpp"
#include "programs/tested_program.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

/// A canary, a command or a value of a feature.
struct Goal {
  std::string name;
  bool is_program;  // or a value
  std::size_t candidates = 0;
};

struct Candidate {
  InputCase one;
  std::vector<std::size_t> targets;  // by number
};

class Chooser {
 public:
  Chooser(const ProblemInputs& inputs, const std::vector<std::string>& canaries, const TestSetOptions& options,
          std::function<bool()> interrupted)
      : inputs_{inputs}, canaries_{canaries}, options_{options}, interrupted_{std::move(interrupted)} {
    for (const auto& canary : canaries) target(canary, true);
    for (const auto& command : options.wrong) target(command, true);
    for (const auto& planted : options.planted)
      for (const auto& change : planted.changes) target(change.name, true);
  }

  TestSet choose() {
    try_solutions();
    // Drawing has as much time as the search with each program, however long shrinking took.
    const double share = options_.seconds / static_cast<double>(options_.wrong.size() + 1);
    for (const auto& command : options_.wrong) add_smallest_failure(command, share);
    add_heaviest(share);
    draw_until(Clock::now() + as_duration(share));
    run_programs();
    return set_of(chosen());
  }

 private:
  using Set = std::vector<std::size_t>;  // of candidates, by number

  static constexpr std::size_t batch = 64;
  static constexpr std::size_t candidates_of_a_target = 4;

  std::size_t target(const std::string& name, bool is_program) {
    const auto [at, fresh] = numbers_.try_emplace(name, targets_.size());
    if (fresh) targets_.push_back({name, is_program});
    return at->second;
  }

  /// Keeps the case if it has a target with few candidates. `value`: one that it shows besides those of features.
  void consider(const InputCase& one, const std::vector<std::string>& failing, const std::string& value = "") {
    std::set<std::size_t> targets;
    for (const auto& name : failing) targets.insert(target(name, true));
    if (!value.empty()) targets.insert(target(value, false));
    for (const auto& name : inputs_.shown_by(one)) targets.insert(target(name, false));
    const auto wanted = [&](std::size_t i) { return targets_[i].candidates < candidates_of_a_target; };
    if (std::ranges::none_of(targets, wanted)) return;
    check_answer(inputs_, one);
    for (const std::size_t i : targets) ++targets_[i].candidates;
    candidates_.push_back({one, {targets.begin(), targets.end()}});
  }

  void draw_until(Clock::time_point deadline) {
    const auto stream = inputs_.draw(options_.seed, 0, 1, options_.corpus);
    std::unordered_set<std::size_t> seen;  // hashes of inputs
    do {
      std::vector<InputCase> cases;
      // What reaches nothing new is considered now and then, since canaries may tell it apart.
      for (std::size_t i = 0; i < batch; ++i) {
        InputCase one = stream->next(8);
        if (seen.insert(std::hash<std::string>{}(one.input)).second) cases.push_back(std::move(one));
      }
      const auto failing = failing_canaries(cases);
      for (std::size_t i = 0; i < cases.size(); ++i) consider(cases[i], failing[i]);
      cases_ += batch;
    } while (Clock::now() < deadline && !interrupted_());
  }

  /// The canaries that are wrong on each case. They run in a child, which one that crashes or hangs ends.
  std::vector<std::vector<std::string>> failing_canaries(const std::vector<InputCase>& cases) const {
    std::string wrong;  // for each pair of a case and a canary: '1' or '0'
    const std::size_t pairs = cases.size() * canaries_.size();
    while (wrong.size() < pairs) {
      add_answers(cases, pairs, wrong);
      if (interrupted_()) wrong.resize(pairs, '0');
      if (wrong.size() < pairs) wrong += '1';
    }
    std::vector<std::vector<std::string>> out(cases.size());
    for (std::size_t i = 0; i < pairs; ++i) {
      if (wrong[i] == '1') out[i / canaries_.size()].push_back(canaries_[i % canaries_.size()]);
    }
    return out;
  }

  /// Continues with `wrong` until all pairs are done, or a pair ends the child, or keeps it for long.
  void add_answers(const std::vector<InputCase>& cases, std::size_t pairs, std::string& wrong) const {
    constexpr std::chrono::seconds patience{5};
    auto child = ChildProcess::call(
        [&](Outbox& out) {
          for (std::size_t i = wrong.size(); i < pairs; ++i) {
            const InputCase& one = cases[i / canaries_.size()];
            out.send(inputs_.answers(canaries_[i % canaries_.size()], one) ? "0" : "1");
          }
        },
        ChildProcess::quiet());
    if (!child) throw InternalError{child.error()};
    auto last = Clock::now();
    for (std::size_t before = wrong.size(); wrong.size() < pairs; before = wrong.size()) {
      const bool open = child->read(wrong, std::chrono::milliseconds{50});
      if (wrong.size() > before) last = Clock::now();
      else if (!open || interrupted_() || Clock::now() - last > patience) break;
    }
    child->kill();
  }

  /// A program that is too slow, or that is wrong at the end of a long case only, fails on these.
  void add_heaviest(double seconds) {
    const auto cases =
        heaviest_cases(inputs_, {.command = {}, .seconds = seconds, .seed = options_.seed, .corpus = options_.corpus});
    const auto failing = failing_canaries(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) consider(cases[i], failing[i], "heavy");
  }

  /// Failures that need several cases in one process have no input here.
  void add_smallest_failure(const std::string& command, double seconds) {
    const StressOptions stressing{
        .command = command,
        .seconds = seconds,
        .seed = options_.seed,
        .batch = Batch::one,
        .corpus = options_.corpus,
        .shrink_time = std::chrono::milliseconds{static_cast<std::int64_t>(1000 * std::min(seconds, 10.0))},
        .heaviest = std::vector<InputCase>{}};
    const StressResult result = stress(inputs_, stressing, {.interrupted = interrupted_});
    cases_ += result.cases;
    if (result.findings.empty() || result.findings.front().cases.size() != 1) return;
    const auto& cases = result.findings.front().cases;
    auto failing = failing_canaries(cases).front();
    failing.push_back(command);
    consider(cases.front(), failing);
  }

  /// Runs the program on the case. What exceeds a limit has to do so twice, since the machine may be busy.
  JudgedRun judged(TestedProgram& program, const InputCase& one) const {
    JudgedRun out = program.run(one.input, {one.answer}, interrupted_);
    if (out.exceeds_limit()) out = program.run(one.input, {one.answer}, interrupted_);
    return out;
  }

  /// Runs the program on the candidates, in the given order, until it fails. One that fails has its target then.
  void run_until_failure(const std::string& name, const std::string& command, const ProgramLimits& limits,
                         const Set& order) {
    const std::size_t number = target(name, true);
    if (targets_[number].candidates > 0) return;
    TestedProgram program{command, limits};
    for (const std::size_t each : order) {
      const bool right = judged(program, candidates_[each].one).right();
      if (interrupted_()) return;
      if (right) continue;
      candidates_[each].targets.push_back(number);
      ++targets_[number].candidates;
      return;
    }
  }

  void run_programs() {
    const Set order = in_order();
    for (const auto& command : options_.wrong) run_until_failure(command, command, {}, order);
    for (const PlantedProgram& planted : options_.planted) run_changes(planted, order);
  }

  /// With the published samples and the first cases of the corpus, before anything is searched.
  void try_solutions() const {
    constexpr int first = 20;
    for (const PlantedProgram& planted : options_.planted) {
      TestedProgram unchanged{planted.command};
      const auto stream = inputs_.draw(options_.seed, 0, 1, options_.corpus);
      for (int i = 0; i < first && !interrupted_(); ++i) refuse_if_wrong(unchanged, stream->next(1));
    }
  }

  void refuse_if_wrong(TestedProgram& unchanged, const InputCase& one) const {
    const JudgedRun run = judged(unchanged, one);
    if (run.right() || run.stopped()) return;
    throw BadInput{"the program fails without a change (" + run.reason +
                   "; it was compiled with checks of bounds), on the input\n" + one.input};
  }

  void run_changes(const PlantedProgram& planted, const Set& order) {
    TestedProgram unchanged{planted.command};
    for (const std::size_t each : order) {
      refuse_if_wrong(unchanged, candidates_[each].one);
      if (interrupted_()) return;
    }
    // A change that makes an endless loop should not cost the whole limit.
    ProgramLimits limits;
    limits.processor_time = std::min(limits.processor_time, 10 * unchanged.slowest() + std::chrono::milliseconds{100});
    for (const auto& change : planted.changes) {
      if (interrupted_()) return;
      run_until_failure(change.name, "env LOCKSTEP_MUTANT=" + std::to_string(change.number) + " " + planted.command,
                        limits, order);
    }
  }

  /// The chosen candidates first, then all others.
  Set in_order() const {
    Set out = chosen();
    for (std::size_t each = 0; each < candidates_.size(); ++each) {
      if (std::ranges::find(out, each) == out.end()) out.push_back(each);
    }
    return out;
  }

  /// Adds the best candidate until each target has one input or no more candidates; then until each has two, and so on.
  Set chosen() const {
    Set set;
    std::vector<std::size_t> times(targets_.size());  // how often each target is in the set
    for (std::size_t wanted = 1; wanted <= candidates_of_a_target; ++wanted) {
      while (set.size() < options_.inputs_max) {
        const auto each = std::views::iota(std::size_t{0}, candidates_.size());
        const auto gain = [&](std::size_t i) { return gain_of(i, set, times, wanted); };
        const auto best = std::ranges::max_element(each, {}, gain);
        if (best == each.end() || gain(*best) == Gain{}) break;
        for (const std::size_t i : candidates_[*best].targets) ++times[i];
        set.push_back(*best);
      }
    }
    return set;
  }

  /// What a candidate adds to a set, the most important first: the failures that lack inputs, the values that do, and the
  /// length of the input: most happens in a long one.
  using Gain = std::array<std::size_t, 3>;
  Gain gain_of(std::size_t each, const Set& set, const std::vector<std::size_t>& times, std::size_t wanted) const {
    if (std::ranges::find(set, each) != set.end()) return {};
    Gain out{};
    for (const std::size_t i : candidates_[each].targets) {
      if (times[i] < wanted) ++out[targets_[i].is_program ? 0 : 1];
    }
    if (out != Gain{}) out[2] = candidates_[each].one.input.size();
    return out;
  }

  TestSet set_of(const Set& set) const {
    TestSet out;
    out.cases = cases_;
    out.finished = !interrupted_();
    std::vector<std::size_t> times(targets_.size());
    for (const std::size_t each : set) {
      const Candidate& candidate = candidates_[each];
      TestInput& input = out.inputs.emplace_back(TestInput{candidate.one, {}, {}});
      // What was rarest when it was chosen.
      std::size_t rarest = SIZE_MAX;
      for (const std::size_t i : candidate.targets) rarest = std::min(rarest, times[i]);
      for (const std::size_t i : candidate.targets) {
        if (times[i]++ == rarest) (targets_[i].is_program ? input.failing : input.shows).push_back(targets_[i].name);
      }
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (times[i] == 0) (targets_[i].candidates == 0 ? out.passed : out.left_out).push_back(targets_[i].name);
    }
    return out;
  }

  const ProblemInputs& inputs_;
  const std::vector<std::string>& canaries_;
  const TestSetOptions& options_;
  std::function<bool()> interrupted_;
  std::vector<Goal> targets_;
  std::map<std::string, std::size_t> numbers_;  // by name
  std::vector<Candidate> candidates_;
  std::uint64_t cases_ = 0;
};

}  // namespace

TestSet choose_tests(const ProblemInputs& inputs, const std::vector<std::string>& canaries,
                     const TestSetOptions& options, const std::function<bool()>& interrupted) {
  return Chooser{inputs, canaries, options, interrupted}.choose();
}

}  // namespace lockstep
