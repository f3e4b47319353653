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
#include "lockstep/shrink/shrink.hpp"
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
struct Table {
  std::string name;
  std::vector<Row> setup;
  std::vector<ActionKind> kinds;
  std::vector<std::vector<Row>> fields;  // of each kind
};

struct Call {
  std::size_t kind = 0;
  Numbers fields = {};
  bool operator==(const Call&) const = default;
};
struct Play {
  Numbers setup = {};
  std::vector<Call> actions = {};
  bool operator==(const Play&) const = default;
};
struct Run : TraceHead {
  Numbers answers = {};
  std::vector<Numbers> positions = {};
};

void visit(Fields& io, const std::vector<Row>& rows, Numbers& numbers) {
  for (std::size_t i = 0; i < rows.size(); ++i) io.number(rows[i].name, numbers[i], rows[i].lo, rows[i].hi);
}
Numbers least(const std::vector<Row>& rows) {
  Numbers out;
  for (const Row& row : rows) out.push_back(row.lo);
  return out;
}

class TableStore final : public AnyScenario::Store {
 public:
  TableStore(const Vocabulary& system, const Table& table)
      : Store{&play_}, system_{system}, table_{table}, play_{least(table.setup)} {}

  const Vocabulary& vocabulary() const override { return system_; }
  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<TableStore>(system_, table_);
    out->play_ = play_;
    return out;
  }
  void assign(const Store& other) override { play_ = of(other); }
  void assign_setup(const Store& other) override { play_.setup = of(other).setup; }
  bool equals(const Store& other) const override { return play_ == of(other); }
  void reset_setup() override { play_.setup = least(table_.setup); }
  void visit_setup(Fields& io) override { visit(io, table_.setup, play_.setup); }
  void visit_copy_of_setup(Fields& io) const override {
    Numbers copy = play_.setup;
    visit(io, table_.setup, copy);
  }
  void normalise() override {}
  std::optional<Flaw> flaw() const override { return std::nullopt; }
  std::size_t size() const override { return play_.actions.size(); }
  std::size_t kind(std::size_t action) const override { return play_.actions[action].kind; }
  bool action_equals(std::size_t action, const Store& other, std::size_t others) const override {
    return play_.actions[action] == of(other).actions[others];
  }
  void at_action(std::size_t action, FunctionRef<void(const AnyScenario::VisitAction&)> use) override {
    use(Place{table_, play_.actions[action]});
  }
  void visit_actions(Fields& io, const Store&) override {
    for (Call& call : play_.actions) {
      io.visit_kind(call.kind);
      Place{table_, call}(io);
    }
  }
  void each_action(FunctionRef<bool(std::size_t, const AnyScenario::VisitAction&)> keep) override {
    std::size_t number = 0;
    std::erase_if(play_.actions, [&](Call& call) { return !keep(number++, Place{table_, call}); });
  }
  void grow(FunctionRef<void(AnyScenario::TryAction)> more, bool) override {
    more([&](std::size_t kind, Fields& io) {
      Call call = first(kind);
      const bool possible = Place{table_, call}(io);
      if (possible) play_.actions.push_back(std::move(call));
      return possible;
    });
  }
  void set_action(std::size_t action, std::size_t kind) override {
    if (action == size()) play_.actions.emplace_back();
    play_.actions[action] = first(kind);
  }
  void assign_action(std::size_t action, const Store& other, std::size_t others) override {
    play_.actions[action] = of(other).actions[others];
  }
  void insert(std::size_t at, const Store& from, std::size_t begin, std::size_t count) override {
    const auto source = of(from).actions.begin() + static_cast<std::ptrdiff_t>(begin);
    play_.actions.insert(place(at), source, source + static_cast<std::ptrdiff_t>(count));
  }
  void erase(std::size_t begin, std::size_t count) override { play_.actions.erase(place(begin), place(begin + count)); }
  void swap(std::size_t one, std::size_t other) override { std::swap(play_.actions[one], play_.actions[other]); }

 private:
  struct Place final : AnyScenario::VisitAction {
    Place(const Table& table, Call& call) : table_{table}, call_{call} {}
    bool operator()(Fields& io) const override { return visit_fields(io, call_.fields); }
    bool copy(Fields& io) const override {
      Numbers copy = call_.fields;
      return visit_fields(io, copy);
    }
    std::size_t kind() const override { return call_.kind; }
    bool visit_fields(Fields& io, Numbers& fields) const {
      io.begin_action(nullptr);
      visit(io, table_.fields[call_.kind], fields);
      return !io.impossible();
    }
    const Table& table_;
    Call& call_;
  };

  static const Play& of(const Store& store) { return *static_cast<Play*>(store.value()); }
  std::vector<Call>::iterator place(std::size_t i) { return play_.actions.begin() + static_cast<std::ptrdiff_t>(i); }
  Call first(std::size_t kind) const { return {kind, least(table_.fields[kind])}; }

  const Vocabulary& system_;
  const Table& table_;
  Play play_;
};

class RunStore final : public AnyTrace::Store {
 public:
  explicit RunStore(const Table& table) : Store{&run_}, table_{table} {}
  std::unique_ptr<Store> clone() const override {
    auto out = std::make_unique<RunStore>(table_);
    out->run_ = run_;
    return out;
  }
  void assign(const Store& other) override { run_ = of(other); }
  TraceHead& head() override { return run_; }
  bool equals(const Store& other) const override {
    return run_.answers == of(other).answers && run_.positions == of(other).positions &&
           run_.deviation == of(other).deviation;
  }
  bool same_answer(std::size_t action, const Store& other) const override {
    return run_.answers[action] == of(other).answers[action];
  }
  bool same_snapshot(std::size_t taken, const Store& other) const override {
    return run_.positions[taken] == of(other).positions[taken];
  }
  void visit_answer(std::size_t action, Fields& io) const override { io.value("answer", run_.answers[action]); }
  void visit_snapshot(std::size_t taken, Fields& io) const override {
    Numbers copy = run_.positions[taken];
    visit(io, table_.setup, copy);
  }
  std::size_t snapshots() const override { return run_.positions.size(); }

 private:
  static const Run& of(const Store& store) { return *static_cast<Run*>(store.value()); }
  const Table& table_;
  Run run_;
};

const Play& play_of(const AnyScenario& scenario) { return *static_cast<Play*>(scenario.store().value()); }
Run& run_of(const AnyTrace& trace) { return *static_cast<Run*>(trace.store().value()); }

void play_out(const Play& play, const auto& step, Cadence cadence, Run& out) {
  out.clear();
  out.answers.clear();
  out.positions.clear();
  Numbers position = play.setup;
  for (std::size_t done = 0;; ++done) {
    if (takes_snapshot(cadence, done, play.actions.size())) out.positions.push_back(position);
    if (done == play.actions.size()) break;
    if (out.progress != nullptr) *out.progress = static_cast<std::uint32_t>(done);
    out.answers.push_back(step(position, play.actions[done]));
  }
}

/// Positions are setups. An implementation is a function of a position, which it changes, and a call.
class TableSystem : public Vocabulary {
 public:
  explicit TableSystem(Table table) : table_{std::move(table)}, weights_(table_.kinds.size(), 1) {}

  template <class Step>
  void add(std::string_view name, Kind kind, Step step) {
    implementations_.push_back({name, kind, "", code_of([step](const AnyScenario& any, Cadence cadence, AnyTrace& out) {
                                  play_out(play_of(any), step, cadence, run_of(out));
                                })});
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
    static_cast<Play*>(out.store().value())->setup = run_of(trace).positions[taken];
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
std::int64_t step(Numbers& counters, const Call& call, bool wrong) {
  if (call.kind == 1) return std::exchange(counters, {0, 0})[0];
  auto& counter = counters[static_cast<std::size_t>(call.fields[0])];
  const std::int64_t sum = std::min<std::int64_t>(20, counter + call.fields[1]);
  if (!wrong || call.fields[0] == 0 || sum != 13) counter = sum;
  return sum;
}

struct Counters : TableSystem {
  Counters()
      : TableSystem{{"counters",
                     {{"one", 0, 20}, {"other", 0, 20}},
                     {{"add", true}, {"clear", false}},
                     {{{"to", 0, 1}, {"amount", 1, 9}}, {}}}} {
    add("slow", Kind::reference, [](Numbers& counters, const Call& call) { return step(counters, call, false); });
    add("fast", Kind::optimized, [](Numbers& counters, const Call& call) { return step(counters, call, false); });
    add("wrong", Kind::canary, [](Numbers& counters, const Call& call) { return step(counters, call, true); });
  }
};
const TableSystem& counters() {
  static const Counters system;
  return system;
}

TEST(RuntimeSystem, ScenariosAreTheSameAfterBytesAndText) {
  EXPECT_EQ(description_flaw(counters()), "");
  const TableSystem twice{{"twice", {{"one", 0, 1}, {"one", 0, 1}}, {{"go", false}}, {{}}}};
  EXPECT_NE(description_flaw(twice), "");
  EXPECT_TRUE(parse_scenario(counters(), "lockstep 1 counters\none 20\nother 0\nactions\n"));
  EXPECT_FALSE(parse_scenario(counters(), "lockstep 1 counters\none 21\nother 0\nactions\n"));
  AnyScenario scenario = counters().scenario();
  AnyScenario again = counters().scenario();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random{seed};
    draw_scenario(random, seed % 2 == 0 ? Style::uniform : Style::swarm, scenario);
    for (int i = 0; i < 3; ++i) {
      Bytes bytes;
      encode(scenario, bytes);
      decode(bytes, again);
      EXPECT_EQ(scenario, again);
      const auto parsed = parse_scenario(counters(), scenario_text(scenario));
      ASSERT_TRUE(parsed) << parsed.error().message("text");
      EXPECT_EQ(scenario, *parsed);
      mutate(random, scenario);
    }
  }
}

TEST(RuntimeSystem, ADifferenceIsFoundShrunkAndExplained) {
  const auto& all = counters().implementations();
  Judge agree{counters(), {all[0], all[1]}};
  Judge differ{counters(), {all[0], all[2]}};
  AnyScenario scenario = counters().scenario();
  bool found = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random{seed};
    draw_scenario(random, Style::uniform, scenario);
    EXPECT_TRUE(agree.judge(scenario).agreed());
    if (found || differ.judge(scenario).agreed()) continue;
    found = true;
    const JudgeFunction judge = [&](const AnyScenario& any) { return differ.judge_every_step(any); };
    const Shrunk shrunk = Shrinker{judge, all[0]}.shrink(scenario);
    EXPECT_TRUE(shrunk.minimal);
    EXPECT_EQ(scenario_text(shrunk.scenario), "lockstep 1 counters\none 0\nother 5\nactions\nadd to=1 amount=8\n");
    EXPECT_TRUE(explain(judge, std::chrono::seconds{10}, shrunk.scenario));
  }
  EXPECT_TRUE(found);
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

TEST(RuntimeSystem, TheServicesTakeIt) {
  const AnySystem system{{.vocabulary = counters()}};
  EXPECT_EQ(system.implementations().size(), 3u);
  EXPECT_FALSE(implementation_named(counters(), "fast").timed());
  const auto failing = system.parse(
      "lockstep 1 counters\none 3\nother 9\nactions\nclear\nadd to=1 amount=7\nadd to=1 amount=6\nadd to=0 amount=1\n");
  ASSERT_TRUE(failing);
  const auto shrunk = shrunk_finding(*failing, {"slow", "wrong"}, Guard{}, std::chrono::seconds{10});
  ASSERT_TRUE(shrunk);
  EXPECT_TRUE(shrunk->minimal);
  const auto smallest = parse_scenario(counters(), shrunk->scenario);
  ASSERT_TRUE(smallest);
  const Play& play = play_of(*smallest);
  EXPECT_EQ(play.actions.size(), 1u) << shrunk->scenario;
  EXPECT_EQ(play.setup[0], 0);
  EXPECT_EQ(play.setup[1] + play.actions[0].fields[1], 13);
}

}  // namespace
}  // namespace lockstep
