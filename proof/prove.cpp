#include "proof/prove.hpp"

#include <algorithm>
#include <initializer_list>
#include <new>
#include <stdexcept>

#include "proof/evaluate.hpp"
#include "proof/translation.hpp"

namespace lockstep::proof {

namespace {

using Kind = Obligation::Kind;

class Proving {
 public:
  Proving(const Claim& claim, std::shared_ptr<Program> changed, Clock::duration allowed, bool confirm, Result& result)
      : claim_{claim},
        changed_{std::move(changed)},
        result_{result},
        allowed_{allowed},
        deadline_{Clock::now() + allowed},
        t_{claim, deadline_, nullptr, changed_},
        solver_{t_.graph, deadline_, confirm} {}

  void run() {
    try {
      attempt();
    } catch (...) {
      figures();
      throw;
    }
    figures();
  }

 private:
  static constexpr std::size_t evaluations = 4096;

  void attempt() {
    if (changed_) {
      if (prepare() && decide()) result_.answer = Answer::proved;
      return;
    }
    lines();
    // First what is not covered: it may be why nothing can be evaluated.
    if (!prepare()) return;
    const auto difference = claim_.draw ? evaluated_differently(claim_, t_, evaluations) : std::nullopt;
    if (difference) {
      return stop(Answer::not_covered, "internal error: the prover's model errs: " + *difference);
    }
    if (!decide()) return;
    find_unreached();
    if (result_.unreached.size() == claim_.dead_ways) {
      result_.answer = Answer::proved;
    } else {
      stop(Answer::not_covered, "no input takes these ways: " + std::to_string(result_.unreached.size()) +
                                    (claim_.dead_ways == 0 ? "" : ", not " + std::to_string(claim_.dead_ways)));
    }
  }

  void figures() {
    result_.nodes = t_.graph.size();
    result_.variables = solver_.variables();
    result_.clauses = solver_.clauses();
    result_.hash = solver_.hash();
  }

  void stop(Answer answer, std::string reason, Place place = {}) {
    result_.answer = answer;
    result_.reason = std::move(reason);
    result_.place = std::move(place);
  }

  bool satisfiable(Literal question) { return satisfiable(std::span{&question, 1}); }
  bool satisfiable(std::span<const Literal> question) {
    switch (solver_.solve(question)) {
      case Solver::Answer::satisfiable: return true;
      case Solver::Answer::unsatisfiable: return false;
      case Solver::Answer::unknown: break;
    }
    throw OutOfTime{};
  }

  /// The values that the last answer `satisfiable` gives to the graph.
  class Model {
   public:
    Model(const Graph& graph, const Solver& solver) {
      std::vector<Graph::Block> inputs(graph.inputs());
      for (std::uint32_t node = 1; node < graph.size(); ++node) {
        if (!graph.is_input(node) || !solver.value(Literal::of(node))) continue;
        inputs[graph.input_number(node)].words[0] = 1;
      }
      graph.evaluate(inputs, values_);
    }
    bool holds(Literal a) const { return Graph::value(values_, a).bit(0); }

   private:
    std::vector<Graph::Block> values_;
  };
  Model model() const { return {t_.graph, solver_}; }

  /// Looks for a violation of the given kinds; reports one and says that there is one.
  bool violated(const Translation::Part& part, std::initializer_list<Kind> kinds, Answer answer,
                std::string_view whose) {
    // One after the other: each that is kept helps with those that follow.
    for (const Obligation& each : part.obligations) {
      if (std::ranges::find(kinds, each.kind) == kinds.end()) continue;
      if (!satisfiable(each.violated)) {
        if (invariant_holds_) solver_.require(!each.violated);
        continue;
      }
      stop(answer, std::string(whose) + ": " + each.what, each.place);
      if (answer == Answer::refuted) counterexample(each.violated, model());
      return true;
    }
    return false;
  }

  /// Everything but the kernel's defects: these would be a refutation, the others mean that nothing is known.
  bool prepare() {
    if (violated(t_.invariant, {Kind::understood, Kind::loop_ends, Kind::defined}, Answer::not_covered,
                 "the invariant")) {
      return false;
    }
    if (satisfiable(t_.invariant.poison.front())) return stop(Answer::not_covered, "the invariant is undefined"), false;
    if (!satisfiable(t_.invariant.result.front())) {
      return stop(Answer::not_covered, "the claim is vacuous: no input meets the invariant"), false;
    }
    solver_.require(t_.invariant.result.front());
    invariant_holds_ = true;
    if (violated(t_.specification, {Kind::understood, Kind::loop_ends, Kind::defined}, Answer::not_covered,
                 "the specification")) {
      return false;
    }
    if (satisfiable(t_.graph.any(t_.specification.poison))) {
      return stop(Answer::not_covered, "the specification leaves a part of its result undefined"), false;
    }
    return !violated(t_.kernel, {Kind::understood, Kind::loop_ends}, Answer::not_covered, "the kernel");
  }

  bool decide() {
    if (violated(t_.kernel, {Kind::defined}, Answer::refuted, "the kernel")) return false;
    for (std::size_t byte = 0; byte < t_.kernel.poison.size(); ++byte) {
      if (!satisfiable(t_.kernel.poison[byte])) continue;
      stop(Answer::refuted, "the kernel leaves byte " + std::to_string(byte) + " of its result undefined");
      return counterexample(t_.kernel.poison[byte], model()), false;
    }
    std::vector<Literal> differences;
    for (std::size_t bit = 0; bit < t_.kernel.result.size(); ++bit) {
      differences.push_back(t_.graph.differ(t_.kernel.result[bit], t_.specification.result[bit]));
    }
    for (const Literal difference : differences) {
      if (difference == no) continue;
      if (!satisfiable(difference)) {
        solver_.require(!difference);  // helps with the bits that follow
        continue;
      }
      stop(Answer::refuted, "the kernel's result is not the specification's");
      keep(model());
      reduce(t_.graph.any(differences));
      return confirm(), false;
    }
    return true;
  }

  /// Keeps the input of a model, and looks for a smaller one. Whatever happens then, the refutation stays.
  void counterexample(Literal question, const Model& found) {
    keep(found);
    reduce(question);
  }

  void keep(const Model& found) {
    result_.input.assign(t_.input.size() / 8, std::byte{});
    for (std::size_t bit = 0; bit < t_.input.size(); ++bit) {
      if (found.holds(t_.input[bit])) result_.input[bit / 8] |= std::byte{1} << (bit % 8);
    }
    result_.lawful = found.holds(lawful());
  }
  Literal lawful() { return t_.graph.both(t_.lawful.result.front(), !t_.lawful.violated); }

  /// The least input, read as one little-endian number; of lawful ones if there are any. The invariant is required. So
  /// that a refuted claim is reported soon, making the input smaller takes at most a tenth of the time allowed.
  void reduce(Literal question) {
    try {
      std::vector<Literal> assumed{question, lawful()};
      if (satisfiable(assumed)) {
        keep(model());
      } else {
        assumed.pop_back();
        if (!satisfiable(assumed)) throw std::logic_error("a counterexample is lost");
        keep(model());
      }
      solver_.set_deadline(std::min(deadline_, Clock::now() + allowed_ / 10));
      for (std::size_t bit = t_.input.size(); bit-- > 0;) {
        assumed.push_back(!t_.input[bit]);
        if ((result_.input[bit / 8] >> (bit % 8) & std::byte{1}) == std::byte{}) continue;
        if (satisfiable(assumed)) {
          keep(model());
        } else {
          assumed.back() = t_.input[bit];
        }
      }
      result_.reduced = true;
    } catch (const OutOfTime&) {
      result_.reduced = false;  // what is kept is a counterexample, only not the smallest
    }
  }

  /// The compiled code must differ where the graphs do: there, both functions are defined. A kernel for
  /// instructions that the processor lacks is not called.
  void confirm() {
    result_.differs = true;
    if (changed_ || !claim_.run_kernel) return;
    if (claim_.run_kernel(result_.input) != claim_.run_specification(result_.input)) return;
    stop(Answer::not_covered,
         "internal error: the compiled functions agree on the counterexample of: " + result_.reason);
  }

  /// Whether lines of the file are counted. The build makes names of the project's own files relative.
  bool counts(std::string_view file) const {
    return claim_.kernels_in.empty() ? !file.empty() && !file.starts_with('/') : file.starts_with(claim_.kernels_in);
  }

  void lines() {
    for (const auto& [file, numbers] : t_.program->lines()) {
      if (!counts(file)) continue;
      result_.with_code[file].insert(numbers.begin(), numbers.end());
      const auto executed = t_.kernel.lines.find(file);
      if (executed == t_.kernel.lines.end()) continue;
      result_.covered[file] = executed->second;
      result_.covered[file].erase(0);
    }
  }

  void find_unreached() {
    for (const auto& [edge, conditions] : t_.kernel.edges) {
      const Place place = place_of(*edge.first);
      // How the claim itself calls the kernel is not the simulator's.
      if (!place.file.empty() && !counts(place.file)) continue;
      if (satisfiable(t_.graph.any(conditions))) continue;
      result_.unreached.push_back(place.text() + ": way " + std::to_string(edge.second) + " of " + place.instruction);
    }
  }

  const Claim& claim_;
  std::shared_ptr<Program> changed_;  // null: the kernel is the claim's own
  Result& result_;
  Clock::duration allowed_;
  Clock::time_point deadline_;
  bool invariant_holds_ = false;  // what is decided so far holds for the inputs that are meant
  Translation t_;
  Solver solver_;
};

Result decided(const Claim& claim, std::shared_ptr<Program> changed, double seconds_max, bool confirm) {
  const auto start = Clock::now();
  Result out;
  try {
    const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_max));
    Proving{claim, std::move(changed), allowed, confirm, out}.run();
  } catch (const OutOfTime&) {
    out.answer = Answer::not_covered;
    out.reason = "the time is up";
  } catch (const std::bad_alloc&) {
    out.answer = Answer::not_covered;
    out.reason = "the memory is used up";
  } catch (const std::exception& error) {
    out.answer = Answer::not_covered;
    out.reason = error.what();
  }
  out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return out;
}

}  // namespace

Result prove(const Claim& claim, double seconds_max, bool confirm) {
  return decided(claim, nullptr, seconds_max, confirm);
}

Result prove_changed(const Claim& claim, std::shared_ptr<Program> changed, double seconds_max) {
  return decided(claim, std::move(changed), seconds_max, false);
}

}  // namespace lockstep::proof
