// Scenarios, traces and implementations without the types of their system, so that the code that works on them is
// compiled once.
//
// Values: copies are independent, and assignment reuses memory. One thread at a time uses a value, even if it only reads,
// because a visitor takes each field by reference. scenario_of.hpp implements them for a system's types.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/base/function_ref.hpp"
#include "lockstep/base/kind.hpp"
#include "lockstep/base/limits.hpp"
#include "lockstep/describe/trace.hpp"

namespace lockstep {

class Fields;
class AnyProblem;
class Laps;
class Random;
class Vocabulary;
struct AnyExploration;
struct AnyWorkload;

/// Holds a value of a system's type, or refers to one.
class StoredValue {
 public:
  explicit StoredValue(void* value) : value_{value} {}
  virtual ~StoredValue() = default;
  StoredValue(const StoredValue&) = delete;
  StoredValue& operator=(const StoredValue&) = delete;

  void* value() const { return value_; }

 private:
  void* value_;
};

/// A setup and the actions that follow it.
class AnyScenario {
 public:
  /// An action in its place.
  class VisitAction {
   public:
    /// Applies a visitor to it. False if the action cannot occur there.
    virtual bool operator()(Fields& io) const = 0;
    /// Applies one to a copy.
    virtual bool copy(Fields& io) const = 0;
    virtual std::size_t kind() const = 0;

   protected:
    ~VisitAction() = default;
  };
  /// Appends an action of a kind, whose fields the visitor sets; false, and nothing appended, if it is impossible there.
  using TryAction = FunctionRef<bool(std::size_t kind, Fields& io)>;

  /// Implemented for each system.
  class Store : public StoredValue {
   public:
    using StoredValue::StoredValue;
    virtual const Vocabulary& vocabulary() const = 0;
    virtual std::unique_ptr<Store> clone() const = 0;
    virtual void assign(const Store& other) = 0;
    virtual void assign_setup(const Store& other) = 0;
    virtual bool equals(const Store& other) const = 0;
    virtual void reset_setup() = 0;
    virtual void visit_setup(Fields& io) = 0;
    virtual void visit_copy_of_setup(Fields& io) const = 0;
    virtual void normalise() = 0;
    virtual std::optional<Flaw> flaw() const = 0;
    virtual std::size_t size() const = 0;
    virtual std::size_t kind(std::size_t action) const = 0;
    virtual bool action_equals(std::size_t action, const Store& other, std::size_t others) const = 0;
    virtual void at_action(std::size_t action, FunctionRef<void(const VisitAction&)> use) = 0;
    virtual void visit_actions(Fields& io, const Store& in_places_of) = 0;
    virtual void each_action(FunctionRef<bool(std::size_t action, const VisitAction& visit)> keep) = 0;
    virtual void grow(FunctionRef<void(TryAction)> more, bool alternatives) = 0;
    virtual void set_action(std::size_t action, std::size_t kind) = 0;
    virtual void assign_action(std::size_t action, const Store& other, std::size_t others) = 0;
    virtual void insert(std::size_t at, const Store& from, std::size_t first, std::size_t count) = 0;
    virtual void erase(std::size_t first, std::size_t count) = 0;
    virtual void swap(std::size_t one, std::size_t other) = 0;
  };

  explicit AnyScenario(std::unique_ptr<Store> store) : store_{std::move(store)} {}
  AnyScenario(const AnyScenario& other) : store_{other.store_->clone()} {}
  AnyScenario(AnyScenario&&) noexcept = default;
  AnyScenario& operator=(const AnyScenario& other) {
    if (!store_) store_ = other.store_->clone();
    else store_->assign(*other.store_);
    return *this;
  }
  AnyScenario& operator=(AnyScenario&&) noexcept = default;
  ~AnyScenario() = default;

  const Vocabulary& vocabulary() const { return store_->vocabulary(); }
  Store& store() const { return *store_; }
  bool operator==(const AnyScenario& other) const { return store_->equals(*other.store_); }

  void visit_setup(Fields& io) { store_->visit_setup(io); }
  void read_setup(Fields& io) const { store_->visit_setup(io); }
  void visit_copy_of_setup(Fields& io) const { store_->visit_copy_of_setup(io); }
  /// Replaces the setup by the default one.
  void reset_setup() { store_->reset_setup(); }
  void assign_setup(const AnyScenario& other) { store_->assign_setup(*other.store_); }
  void normalise() { store_->normalise(); }
  std::optional<Flaw> flaw() const { return store_->flaw(); }

  /// The number of actions.
  std::size_t size() const { return store_->size(); }
  std::size_t kind(std::size_t action) const { return store_->kind(action); }
  std::string_view action_name(std::size_t action) const;
  bool action_equals(std::size_t action, const AnyScenario& other, std::size_t others) const {
    return store_->action_equals(action, *other.store_, others);
  }
  /// Calls `use(visit)` for one action. For several visits, because reaching its place may take the actions before it.
  void at_action(std::size_t action, FunctionRef<void(const VisitAction&)> use) const {
    store_->at_action(action, use);
  }
  bool visit_action(std::size_t action, Fields& io) {
    bool possible = false;
    at_action(action, [&](const VisitAction& visit) { possible = visit(io); });
    return possible;
  }
  void read_action(std::size_t action, Fields& io) const {
    at_action(action, [&](const VisitAction& visit) { visit(io); });
  }
  /// Applies a visitor that only reads to all actions, in order. Before each it is told the kind (Fields::visit_kind).
  void read_actions(Fields& io) const { store_->visit_actions(io, *store_); }
  /// Applies a visitor to all actions, each after the actions of another scenario, of the same number, that precede its
  /// place there.
  void visit_actions(Fields& io, const AnyScenario& in_places_of) { store_->visit_actions(io, *in_places_of.store_); }
  /// Calls `read(action, visit)` for each action, in order.
  void read_each(FunctionRef<void(std::size_t action, const VisitAction& visit)> read) const {
    store_->each_action([&](std::size_t action, const VisitAction& visit) {
      read(action, visit);
      return true;
    });
  }
  /// Calls `keep(action, visit)` for each action, in order and numbered as before, and removes those for which it is
  /// false: later actions are visited as if those had never occurred.
  void each_action(FunctionRef<bool(std::size_t action, const VisitAction& visit)> keep) { store_->each_action(keep); }
  /// Calls `more(try_one)`, which appends actions.
  void grow(FunctionRef<void(TryAction)> more) { store_->grow(more, false); }
  /// The same for actions of which each comes right after the setup: a list of what can be done there.
  void grow_alternatives(FunctionRef<void(TryAction)> more) { store_->grow(more, true); }
  /// Replaces an action by the default one of a kind; the one after the last is appended.
  void set_action(std::size_t action, std::size_t kind) { store_->set_action(action, kind); }
  /// Replaces an action by one of another scenario.
  void assign_action(std::size_t action, const AnyScenario& other, std::size_t others) {
    store_->assign_action(action, *other.store_, others);
  }
  /// Inserts actions of another scenario, which is not this one.
  void insert(std::size_t at, const AnyScenario& from, std::size_t first, std::size_t count) {
    store_->insert(at, *from.store_, first, count);
  }
  void erase(std::size_t first, std::size_t count) { store_->erase(first, count); }
  /// Removes all actions from number `size` on.
  void truncate(std::size_t size) {
    if (size < this->size()) erase(size, this->size() - size);
  }
  void swap(std::size_t one, std::size_t other) { store_->swap(one, other); }

 private:
  std::unique_ptr<Store> store_;
};

/// A run of an implementation.
class AnyTrace {
 public:
  /// Implemented for each system.
  class Store : public StoredValue {
   public:
    using StoredValue::StoredValue;
    virtual std::unique_ptr<Store> clone() const = 0;
    virtual void assign(const Store& other) = 0;
    virtual TraceHead& head() = 0;
    /// All answers, snapshots and the deviation.
    virtual bool equals(const Store& other) const = 0;
    virtual bool same_answer(std::size_t action, const Store& other, std::size_t others) const = 0;
    virtual bool same_snapshot(std::size_t taken, const Store& other, std::size_t others) const = 0;
    virtual void visit_answer(std::size_t action, Fields& io) const = 0;
    virtual void visit_snapshot(std::size_t taken, Fields& io) const = 0;
    virtual std::size_t snapshots() const = 0;
  };

  explicit AnyTrace(std::unique_ptr<Store> store) : store_{std::move(store)} {}
  AnyTrace(const AnyTrace& other) : store_{other.store_->clone()} {}
  AnyTrace(AnyTrace&&) noexcept = default;
  AnyTrace& operator=(const AnyTrace& other) {
    if (!store_) store_ = other.store_->clone();
    else store_->assign(*other.store_);
    return *this;
  }
  AnyTrace& operator=(AnyTrace&&) noexcept = default;
  ~AnyTrace() = default;

  Store& store() const { return *store_; }
  TraceHead& head() { return store_->head(); }
  const TraceHead& head() const { return store_->head(); }
  const std::optional<Deviation>& deviation() const { return head().deviation; }
  /// Laws::equal counts for answers.
  bool operator==(const AnyTrace& other) const { return store_->equals(*other.store_); }
  bool same_answer(std::size_t action, const AnyTrace& other, std::size_t others) const {
    return store_->same_answer(action, *other.store_, others);
  }
  bool same_snapshot(std::size_t taken, const AnyTrace& other, std::size_t others) const {
    return store_->same_snapshot(taken, *other.store_, others);
  }
  void read_answer(std::size_t action, Fields& io) const { store_->visit_answer(action, io); }
  void read_snapshot(std::size_t taken, Fields& io) const { store_->visit_snapshot(taken, io); }
  std::size_t snapshots() const { return store_->snapshots(); }

 private:
  std::unique_ptr<Store> store_;
};

/// An implementation. Built-in ones and plugins look alike. Copies share the code.
struct Runner {
  /// What is compiled for each implementation. It is called once per scenario, so that the indirect call costs nothing
  /// beside the steps.
  class Code {
   public:
    virtual ~Code() = default;
    virtual void run(const AnyScenario& scenario, Cadence cadence, AnyTrace& out) const = 0;
    /// Whether it can be timed.
    virtual bool timed() const { return false; }
    virtual std::unique_ptr<Laps> laps(std::span<const AnyScenario> scenarios) const;
  };

  std::string_view name;
  Kind kind;
  std::string_view about = {};  // one line: the idea, or for a canary the bug
  std::shared_ptr<const Code> code = nullptr;
  /// Where it is registered: reports for a code host point there. A plugin has no such place.
  std::source_location where = {};
  /// Its static function of that name, an AnswerMany (registry.hpp) of its system; null: it has none.
  void (*answer_many)() = nullptr;

  void run(const AnyScenario& scenario, Cadence cadence, AnyTrace& out) const { code->run(scenario, cadence, out); }
  /// Whether it can be timed: canaries, plugins and those that are registered as `untimed` cannot.
  bool timed() const { return code->timed(); }
  /// Laps over these scenarios, which must outlive them. Only if it can be timed.
  std::unique_ptr<Laps> laps(std::span<const AnyScenario> scenarios) const;
};

/// The code of an implementation that is a function.
template <class Run>
class FunctionCode final : public Runner::Code {
 public:
  explicit FunctionCode(Run run) : run_{std::move(run)} {}
  void run(const AnyScenario& scenario, Cadence cadence, AnyTrace& out) const override { run_(scenario, cadence, out); }

 private:
  Run run_;
};
template <class Run>
std::shared_ptr<const Runner::Code> code_of(Run run) {
  return std::make_shared<const FunctionCode<Run>>(std::move(run));
}

struct ActionKind {
  std::string_view name;
  bool has_fields = true;
};

/// What a symmetry (symmetry.hpp) makes of setups.
struct SetupSymmetry {
  std::string_view name;
  /// Replaces the setup of `out`, which is another scenario, by the image of that of `from`.
  std::function<void(const AnyScenario& from, AnyScenario& out)> map;
};

/// A system without its types: what the library asks of its vocabulary, its laws and its other parts.
class Vocabulary {
 public:
  virtual ~Vocabulary() = default;
  virtual std::string_view name() const = 0;
  virtual std::span<const ActionKind> kinds() const = 0;
  /// How often each kind is drawn.
  virtual std::span<const std::uint64_t> weights() const = 0;
  /// Whether the lawful fields of an action depend on the actions before it.
  virtual bool depends_on_past() const = 0;
  /// Whether actions refer to results of earlier ones.
  virtual bool has_results() const = 0;
  virtual bool has_invariants() const = 0;
  virtual bool has_suggestions() const = 0;
  /// Whether a position can be given as a setup.
  virtual bool can_restate() const = 0;
  /// What the system itself says of its description; "": nothing is wrong.
  virtual std::string description_flaw() const = 0;
  /// Whether the implementations were compiled with optimization and without assertions.
  virtual bool optimized_build() const = 0;

  /// In registration order. Registering one appends it here.
  virtual std::vector<Runner>& implementations() const = 0;

  /// The default setup, without actions.
  virtual AnyScenario scenario() const = 0;
  virtual AnyTrace trace() const = 0;

  /// By a new object of the system's Suggestions: replaces the setup, if that is wanted, and then appends so many actions
  /// as `count` says. Only if it has them.
  virtual void suggest(Random& random, AnyScenario& out, bool setup, FunctionRef<std::size_t()> count) const = 0;

  /// Replaces the setup of `out` by the position of a snapshot in a run of `from`, which is another scenario. Snapshots
  /// that are one position give one setup, unless `exact`. Only if it can restate.
  virtual void restate(const AnyScenario& from, const AnyTrace& trace, std::size_t taken, bool exact,
                       AnyScenario& out) const = 0;
  /// Replaces the setup by its canonical form; false if the system has none.
  virtual bool take_canonical_position(AnyScenario& scenario) const = 0;
  virtual void add_symmetries(std::vector<SetupSymmetry>& out) const = 0;
  /// The first step at which the trace breaks an invariant, with the broken law.
  virtual std::optional<std::pair<std::size_t, std::string>> broken_invariant(const AnyScenario& scenario,
                                                                              const AnyTrace& trace,
                                                                              Cadence cadence) const = 0;
  /// Asks a Runner's answer_many what the first action asks, if it is a question. Another answer ends the trace.
  virtual void ask_in_bits(void (*)(), const AnyScenario&, AnyTrace&) const {}
  /// Calls emit(number of the feature, value) for every feature in a trace on the default cadence.
  virtual void emit_features(const AnyScenario& scenario, const AnyTrace& trace,
                             FunctionRef<void(std::size_t, std::int64_t)> emit) const = 0;
  virtual std::span<const Feature> features() const = 0;
  virtual std::span<const Limit> limits() const = 0;
};

/// A system for the program: its vocabulary, and what it may have beyond that. Null: it has none.
struct SystemParts {
  const Vocabulary& vocabulary;
  std::vector<AnyExploration> (*explorations)() = nullptr;
  std::vector<AnyWorkload> (*workloads)() = nullptr;
  const AnyProblem* (*problem)() = nullptr;
};

inline std::string_view AnyScenario::action_name(std::size_t action) const {
  return vocabulary().kinds()[kind(action)].name;
}

// The typed value behind a scenario or a trace of this system.
template <System S>
Scenario<S>& typed(const AnyScenario& scenario) {
  return *static_cast<Scenario<S>*>(scenario.store().value());
}
template <System S>
Trace<S>& typed(const AnyTrace& trace) {
  return *static_cast<Trace<S>*>(trace.store().value());
}

}  // namespace lockstep
