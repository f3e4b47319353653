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
  Proving(const Claim& claim, Clock::time_point deadline, Result& result)
      : claim_{claim}, result_{result}, deadline_{deadline}, t_{claim, deadline}, solver_{t_.graph, deadline} {}

  void run() {
    lines();
    const auto difference = claim_.draw ? evaluated_differently(claim_, t_, evaluations) : std::nullopt;
    if (difference) {
      return stop(Answer::not_covered, "internal error: the prover's model errs: " + *difference);
    }
    if (prepare() && decide()) {
      find_unreached();
      result_.answer = Answer::proved;
    }
    result_.nodes = t_.graph.size();
    result_.variables = solver_.variables();
    result_.clauses = solver_.clauses();
  }

 private:
  static constexpr std::size_t evaluations = 4096;

  void stop(Answer answer, std::string reason, Place place = {}) {
    result_.answer = answer;
    result_.reason = std::move(reason);
    result_.place = std::move(place);
  }

  bool satisfiable(Literal question) {
    switch (solver_.solve(question)) {
      case Solver::Answer::satisfiable: return true;
      case Solver::Answer::unsatisfiable: return false;
      case Solver::Answer::unknown: break;
    }
    throw OutOfTime{};
  }

  /// Looks for a violation of the given kinds; reports the first and says that there is one.
  bool violated(const Translation::Part& part, std::initializer_list<Kind> kinds, Answer answer,
                std::string_view whose) {
    std::vector<Literal> all;
    for (const Obligation& each : part.obligations) {
      if (std::ranges::find(kinds, each.kind) != kinds.end()) all.push_back(each.violated);
    }
    if (!satisfiable(t_.graph.any(all))) return false;
    for (const Obligation& each : part.obligations) {
      if (std::ranges::find(kinds, each.kind) == kinds.end() || !satisfiable(each.violated)) continue;
      if (answer == Answer::refuted) counterexample(each.violated);
      stop(answer, std::string(whose) + ": " + each.what, each.place);
      return true;
    }
    throw std::logic_error("a disjunction holds without any of its parts");
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
      counterexample(t_.kernel.poison[byte]);
      return stop(Answer::refuted, "the kernel leaves byte " + std::to_string(byte) + " of its result undefined"),
             false;
    }
    std::vector<Literal> differences;
    for (std::size_t bit = 0; bit < t_.kernel.result.size(); ++bit) {
      differences.push_back(t_.graph.differ(t_.kernel.result[bit], t_.specification.result[bit]));
    }
    for (std::size_t bit = 0; bit < differences.size(); ++bit) {
      if (!satisfiable(differences[bit])) {
        solver_.require(!differences[bit]);  // helps with the bits that follow
        continue;
      }
      counterexample(t_.graph.any(differences));
      return stop(Answer::refuted, "the kernel's result is not the specification's"), false;
    }
    return true;
  }

  /// The input of a model, lawful if possible, with as few bits as single bits can be cleared. The invariant is
  /// required.
  void counterexample(Literal question) {
    std::vector<Literal> assumed{question, t_.graph.both(t_.lawful.result.front(), !t_.lawful.violated)};
    result_.lawful = solver_.solve(assumed) == Solver::Answer::satisfiable;
    if (!result_.lawful) assumed.pop_back();
    std::vector<bool> model = answer_to(assumed);
    for (std::size_t bit = 0; bit < model.size(); ++bit) {
      if (model[bit]) {
        assumed.push_back(!t_.input[bit]);
        if (solver_.solve(assumed) != Solver::Answer::satisfiable) {
          assumed.back() = t_.input[bit];
          continue;
        }
        model = answer_to(assumed);
      }
      assumed.push_back(!t_.input[bit]);
    }
    result_.input.assign(model.size() / 8, std::byte{});
    for (std::size_t bit = 0; bit < model.size(); ++bit) {
      if (model[bit]) result_.input[bit / 8] |= std::byte{1} << (bit % 8);
    }
  }

  std::vector<bool> answer_to(const std::vector<Literal>& assumed) {
    if (solver_.solve(assumed) != Solver::Answer::satisfiable) throw OutOfTime{};
    std::vector<bool> model;
    for (const Literal bit : t_.input) model.push_back(solver_.value(bit));
    return model;
  }

  void lines() {
    for (const auto& [file, numbers] : t_.program.lines()) {
      const auto executed = t_.kernel.lines.find(file);
      if (!file.starts_with("optimized/") || executed == t_.kernel.lines.end()) continue;
      result_.covered[file] = executed->second;
      result_.with_code[file].insert(numbers.begin(), numbers.end());
    }
  }

  void find_unreached() {
    for (const auto& [edge, conditions] : t_.kernel.edges) {
      if (satisfiable(t_.graph.any(conditions))) continue;
      const Place place = place_of(*edge.first);
      result_.unreached.push_back(place.text() + ": way " + std::to_string(edge.second) + " of " + place.instruction);
    }
  }

  const Claim& claim_;
  Result& result_;
  Clock::time_point deadline_;
  Translation t_;
  Solver solver_;
};

}  // namespace

Result prove(const Claim& claim, double seconds_max) {
  const auto start = Clock::now();
  Result out;
  try {
    const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_max));
    Proving{claim, start + allowed, out}.run();
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

}  // namespace lockstep::proof
