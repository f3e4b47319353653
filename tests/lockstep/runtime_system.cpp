// A system that is made at run time, from a table: the engines need no type of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/describe/codec.hpp"
#include "lockstep/draw/draw.hpp"
#include "lockstep/draw/mutate.hpp"
#include "lockstep/explore/explore.hpp"
#include "lockstep/judge/judge.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/shrink/explain.hpp"
#include "lockstep/system/any_system.hpp"
#include "lockstep/system/check_description.hpp"
#include "lockstep/system/implementations.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Row {
  std::string name;
  std::int64_t lo, hi;
};
/// The rows of the setup come first, then those of each kind of action.
struct Table {
  std::string name;
  std::vector<ActionKind> kinds;
  std::vector<std::vector<Row>> rows;
};

/// A setup, of kind 0, or an action, whose kind counts from 1.
struct Call {
  std::size_t kind = 0;
  Numbers fields = {};
  bool operator==(const Call&) const = default;
};
/// The setup, then the actions.
using Play = std::vector<Call>;

Call least(const Table& table, std::size_t kind) {
  Call out{kind};
  for (const Row& row : table.rows[kind]) out.fields.push_back(row.lo);
  return out;
}

struct Place final : AnyScenario::VisitAction {
  Place(const Table& table, Call& call) : table_{table}, call_{call} {}
  void fields(Fields& io) const {
    const auto& rows = table_.rows[call_.kind];
    for (std::size_t i = 0; i < rows.size(); ++i) io.number(rows[i].name, call_.fields[i], rows[i].lo, rows[i].hi);
  }
  bool operator()(Fields& io) const override {
    io.begin_action(nullptr);
    fields(io);
    return !io.impossible();
  }
  bool copy(Fields& io) const override {
    Call copy = call_;
    return Place{table_, copy}(io);
  }
  std::size_t kind() const override { return call_.kind - 1; }

 private:
  const Table& table_;
  Call& call_;
};

const Play& play_of(const StoredValue& store) { return *static_cast<Play*>(store.value()); }

class TableStore final : public AnyScenario::Store {
 public:
  TableStore(const Vocabulary& system, const Table& table)
      : Store{&play_}, system_{system}, table_{table}, play_{least(table, 0)} {}

  const Vocabulary& vocabulary() const override { return system_; }
  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<TableStore>(system_, table_);
    out->play_ = play_;
    return out;
  }
  void assign(const Store& other) override { play_ = play_of(other); }
  void assign_setup(const Store& other) override { play_[0] = play_of(other)[0]; }
  bool equals(const Store& other) const override { return play_ == play_of(other); }
  void reset_setup() override { play_[0] = least(table_, 0); }
  void visit_setup(Fields& io) override { Place{table_, play_[0]}.fields(io); }
  void visit_copy_of_setup(Fields& io) const override {
    Call copy = play_[0];
    Place{table_, copy}.fields(io);
  }
  void normalise() override {}
  std::optional<Flaw> flaw() const override { return std::nullopt; }
  std::size_t size() const override { return play_.size() - 1; }
  std::size_t kind(std::size_t action) const override { return play_[action + 1].kind - 1; }
  bool action_equals(std::size_t action, const Store& other, std::size_t others) const override {
    return play_[action + 1] == play_of(other)[others + 1];
  }
  void at_action(std::size_t action, FunctionRef<void(const AnyScenario::VisitAction&)> use) override {
    use(Place{table_, play_[action + 1]});
  }
  void visit_actions(Fields& io, const Store&) override {
    for (std::size_t i = 0; i < size(); ++i) {
      io.visit_kind(kind(i));
      Place{table_, play_[i + 1]}(io);
    }
  }
  void each_action(FunctionRef<bool(std::size_t, const AnyScenario::VisitAction&)> keep) override {
    std::size_t number = 0;
    play_.erase(std::remove_if(place(0), play_.end(), [&](Call& call) { return !keep(number++, Place{table_, call}); }),
                play_.end());
  }
  void grow(FunctionRef<void(AnyScenario::TryAction)> more, bool) override {
    more([&](std::size_t kind, Fields& io) {
      Call call = least(table_, kind + 1);
      const bool possible = Place{table_, call}(io);
      if (possible) play_.push_back(std::move(call));
      return possible;
    });
  }
  void set_action(std::size_t action, std::size_t kind) override {
    play_.resize(std::max(play_.size(), action + 2));
    play_[action + 1] = least(table_, kind + 1);
  }
  void assign_action(std::size_t action, const Store& other, std::size_t others) override {
    play_[action + 1] = play_of(other)[others + 1];
  }
  void insert(std::size_t at, const Store& from, std::size_t begin, std::size_t count) override {
    const auto source = play_of(from).begin() + 1 + static_cast<std::ptrdiff_t>(begin);
    play_.insert(place(at), source, source + static_cast<std::ptrdiff_t>(count));
  }
  void erase(std::size_t begin, std::size_t count) override { play_.erase(place(begin), place(begin + count)); }
  void swap(std::size_t one, std::size_t other) override { std::swap(play_[one + 1], play_[other + 1]); }

 private:
  Play::iterator place(std::size_t i) { return play_.begin() + 1 + static_cast<std::ptrdiff_t>(i); }

  const Vocabulary& system_;
  const Table& table_;
  Play play_;
};

struct Run : TraceHead {
  Numbers answers = {};
  std::vector<Call> positions = {};
};
Run& run_of(const StoredValue& store) { return *static_cast<Run*>(store.value()); }

class RunStore final : public AnyTrace::Store {
 public:
  explicit RunStore(const Table& table) : Store{&run_}, table_{table} {}
  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<RunStore>(table_);
    out->run_ = run_;
    return out;
  }
  void assign(const Store& other) override { run_ = run_of(other); }
  TraceHead& head() override { return run_; }
  bool equals(const Store& other) const override {
    return std::tie(run_.answers, run_.positions, run_.deviation) ==
           std::tie(run_of(other).answers, run_of(other).positions, run_of(other).deviation);
  }
  bool same_answer(std::size_t action, const Store& other, std::size_t others) const override {
    return run_.answers[action] == run_of(other).answers[others];
  }
  bool same_snapshot(std::size_t taken, const Store& other, std::size_t others) const override {
    return run_.positions[taken] == run_of(other).positions[others];
  }
  void visit_answer(std::size_t action, Fields& io) const override { io.value("answer", run_.answers[action]); }
  void visit_snapshot(std::size_t taken, Fields& io) const override {
    Call copy = run_.positions[taken];
    Place{table_, copy}.fields(io);
  }
  std::size_t snapshots() const override { return run_.positions.size(); }

 private:
  const Table& table_;
  Run run_;
};

/// Positions are setups. An implementation is a function of a position, which it changes, and a call.
class TableSystem : public Vocabulary {
 public:
  explicit TableSystem(Table table) : table_{std::move(table)}, weights_(table_.kinds.size(), 1) {}

  template <class Step>
  void add(std::string_view name, Kind kind, Step step) {
    const auto run = [step](const AnyScenario& any, Cadence cadence, AnyTrace& trace) {
      const Play& play = play_of(any.store());
      Run& out = run_of(trace.store());
      out.clear();
      out.answers.clear();
      out.positions.clear();
      Call position = play[0];
      for (std::size_t done = 0;; ++done) {
        if (takes_snapshot(cadence, done, play.size() - 1)) out.positions.push_back(position);
        if (done + 1 == play.size()) break;
        if (out.progress != nullptr) *out.progress = static_cast<std::uint32_t>(done);
        out.answers.push_back(step(position.fields, play[done + 1]));
      }
    };
    implementations_.push_back({name, kind, "", code_of(run)});
  }

  std::string_view name() const override { return table_.name; }
  std::span<const ActionKind> kinds() const override { return table_.kinds; }
  std::span<const std::uint64_t> weights() const override { return weights_; }
  bool depends_on_past() const override { return false; }
  bool has_results() const override { return false; }
  bool has_invariants() const override { return false; }
  bool has_suggestions() const override { return false; }
  bool can_restate() const override { return true; }
  std::string description_flaw() const override { return {}; }
  bool optimized_build() const override { return false; }
  std::vector<Runner>& implementations() const override { return implementations_; }
  AnyScenario scenario() const override { return AnyScenario{std::make_unique<TableStore>(*this, table_)}; }
  AnyTrace trace() const override { return AnyTrace{std::make_unique<RunStore>(table_)}; }
  void suggest(Random&, AnyScenario&, bool, FunctionRef<std::size_t()>) const override {}
  void restate(const AnyScenario&, const AnyTrace& trace, std::size_t taken, bool, AnyScenario& out) const override {
    static_cast<Play*>(out.store().value())->front() = run_of(trace.store()).positions[taken];
  }
  bool take_canonical_position(AnyScenario&) const override { return false; }
  void add_symmetries(std::vector<SetupSymmetry>&) const override {}
  std::optional<std::pair<std::size_t, std::string>> broken_invariant(const AnyScenario&, const AnyTrace&,
                                                                      Cadence) const override {
    return std::nullopt;
  }
  void emit_features(const AnyScenario&, const AnyTrace&, FunctionRef<void(std::size_t, std::int64_t)>) const override {
  }
  std::span<const Feature> features() const override { return {}; }
  std::span<const Limit> limits() const override { return {}; }

 private:
  Table table_;
  std::vector<std::uint64_t> weights_;
  mutable std::vector<Runner> implementations_;
};

/// Two counters up to 20. Those that are wrong forget the change of the second one when that would be 13.
template <bool wrong>
std::int64_t step(Numbers& counters, const Call& call) {
  if (call.kind == 2) return std::exchange(counters, {0, 0})[0];
  auto& counter = counters[static_cast<std::size_t>(call.fields[0])];
  const std::int64_t sum = std::min<std::int64_t>(20, counter + call.fields[1]);
  if (!wrong || call.fields[0] == 0 || sum != 13) counter = sum;
  return sum;
}

const TableSystem& counters() {
  static const TableSystem system = [] {
    TableSystem out{{"counters",
                     {{"add", true}, {"clear", false}},
                     {{{"one", 0, 20}, {"other", 0, 20}}, {{"to", 0, 1}, {"amount", 1, 9}}, {}}}};
    out.add("slow", Kind::reference, step<false>);
    out.add("fast", Kind::optimized, step<false>);
    out.add("wrong", Kind::canary, step<true>);
    return out;
  }();
  return system;
}

TEST(RuntimeSystem, ScenariosAreTheSameAfterBytesAndText) {
  EXPECT_EQ(description_flaw(counters()), "");
  const TableSystem twice{{"twice", {{"go", false}}, {{{"one", 0, 1}, {"one", 0, 1}}, {}}}};
  EXPECT_NE(description_flaw(twice), "");
  EXPECT_TRUE(parse_scenario(counters(), "lockstep 1 counters\none 20\nother 0\nactions\n"));
  EXPECT_FALSE(parse_scenario(counters(), "lockstep 1 counters\none 21\nother 0\nactions\n"));
  AnyScenario scenario = counters().scenario();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random{seed};
    draw_scenario(random, seed % 2 == 0 ? Style::uniform : Style::swarm, scenario);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(scenario, decoded(counters(), encoded(scenario)));
      const auto parsed = parse_scenario(counters(), scenario_text(scenario));
      ASSERT_TRUE(parsed) << parsed.error().message("text");
      EXPECT_EQ(scenario, *parsed);
      mutate(random, scenario);
    }
  }
}

TEST(RuntimeSystem, ADifferenceIsFoundShrunkAndExplained) {
  const AnySystem system{{.vocabulary = counters()}};
  EXPECT_EQ(system.implementations().size(), 3u);
  EXPECT_FALSE(implementation_named(counters(), "fast").timed());
  const auto& all = counters().implementations();
  Judge agree{counters(), {all[0], all[1]}};
  Judge differ{counters(), {all[0], all[2]}};
  AnyScenario failing = counters().scenario();
  for (std::uint64_t seed = 0; seed < 100 && differ.judge(failing).agreed(); ++seed) {
    Random random{seed};
    draw_scenario(random, Style::uniform, failing);
    EXPECT_TRUE(agree.judge(failing).agreed());
  }
  const auto shrunk = shrunk_finding(failing, {"slow", "wrong"}, Guard{}, std::chrono::seconds{10});
  ASSERT_TRUE(shrunk);
  EXPECT_TRUE(shrunk->minimal);
  EXPECT_EQ(shrunk->scenario, "lockstep 1 counters\none 0\nother 5\nactions\nadd to=1 amount=8\n");
  const JudgeFunction judge = [&](const AnyScenario& any) { return differ.judge_every_step(any); };
  EXPECT_TRUE(explain(judge, std::chrono::seconds{10}, system.parse(shrunk->scenario).value()));
}

TEST(RuntimeSystem, EveryPositionIsExplored) {
  const auto& all = counters().implementations();
  ExploreOptions options;
  options.depth = 100;
  const auto walk = walk_from(counters(), {all[0], all[1]}, options, {counters().scenario()});
  while (walk->end() == ExploreEnd::running) walk->advance(std::chrono::milliseconds{100});
  EXPECT_EQ(walk->end(), ExploreEnd::exhausted);
  std::uint64_t positions = 0;
  for (const auto& level : walk->state().levels) positions += level.positions;
  EXPECT_EQ(positions, 21u * 21u);
}

}  // namespace
}  // namespace lockstep
