// The laws that systems must keep can fail: each is tested with an implementation or a system that breaks it.
#include "props/laws.hpp"

#include <gtest/gtest.h>

#include "lockstep/system/round_trip.hpp"
#include "props/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t scenarios = 400;

/// The field of the first divergence that the law finds on a stream of scenarios; "" when it holds on all.
template <class Law>
std::string first_break(const Runner& implementation, Law&& law) {
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    const Verdict verdict = law(implementation, laws::bounded(laws::scenario_at(vocabulary<Garden>(), 11, index)));
    if (verdict.diverged()) return verdict.divergence->field;
  }
  return "";
}

/// The law of one symmetry.
auto holds_under(Symmetry<Garden> symmetry) {
  return [=](const Runner& implementation, const AnyScenario& scenario) {
    return laws::symmetry_holds<Garden>(implementation, symmetry, typed<Garden>(scenario));
  };
}

Symmetry<Garden> mirror() { return symmetries<Garden>().front(); }

Garden::Setup tulip_on_top() {
  Garden::Setup setup;
  setup.beds.at(0, 0) = 2;
  return setup;
}

/// A setup without actions.
template <System S>
AnyScenario with_setup(const typename S::Setup& setup) {
  return any_of<S>({.setup = setup, .actions = {}});
}

/// Counts its snapshots, and answers wrongly after more than 12 of them.
class Vain {
 public:
  explicit Vain(const Garden::Setup& setup) : inner_{setup} {}
  Garden::Observation step(const Garden::Action& action) {
    Garden::Observation o = inner_.step(action);
    if (o.legal && looks_ > 12) ++o.water;
    return o;
  }
  Garden::Snapshot snapshot() const {
    ++looks_;
    return inner_.snapshot();
  }

 private:
  Gardener<Slip::none> inner_;
  mutable int looks_ = 0;
};

TEST(Laws, HoldForACorrectImplementation) {
  EXPECT_EQ(first_break(head_gardener, laws::invariants_hold), "");
  EXPECT_EQ(first_break(head_gardener, laws::refusals_change_nothing), "");
  EXPECT_EQ(first_break(head_gardener, laws::looking_changes_nothing), "");
  EXPECT_EQ(first_break(head_gardener, laws::restarts_hold), "");
  EXPECT_EQ(first_break(head_gardener, laws::restarts_at_every_step_hold), "");
  EXPECT_EQ(first_break(head_gardener, holds_under(mirror())), "");
}

TEST(Laws, CatchABrokenInvariant) {
  const AnyScenario dry = any_of<Garden>({.setup = {}, .actions = {Garden::Wait{}, Garden::Plant{}}});
  const Verdict verdict = laws::invariants_hold(gardener<Slip::borrows>("one"), dry);
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->signature(), "garden one invariant plant water was taken from an empty butt");
  EXPECT_EQ(verdict.divergence->step, 2u);
}

TEST(Laws, CatchAPositionThatIsNoLawfulSetup) {
  // The wrong initial state contains a tulip, which stays where tulips are not allowed.
  const Verdict verdict = laws::invariants_hold(gardener<Slip::none>("one"), with_setup<Garden>(tulip_on_top()));
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->field, "as a setup, the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchARefusalThatChangesTheState) {
  EXPECT_EQ(first_break(gardener<Slip::remembers>("one"), laws::refusals_change_nothing),
            "an illegal action changed the state");
}

TEST(Laws, CatchASnapshotThatChangesAnAnswer) {
  const Runner vain{"vain", Kind::optimized, "", typed_code<Garden>(&run_trace<Vain, Garden>)};
  EXPECT_EQ(first_break(vain, laws::looking_changes_nothing), "taking snapshots changes an answer");
}

TEST(Laws, CatchABrokenSymmetry) {
  EXPECT_EQ(first_break(gardener<Slip::left_handed>("one"), holds_under(mirror())), "under mirror, another answer");
}

TEST(Laws, CatchASymmetryThatLeavesTheBounds) {
  Symmetry<Garden> shifted = mirror();
  shifted.action = [](const Garden::Setup& s, const Garden::Action& a) -> Garden::Action {
    return std::holds_alternative<Garden::Plant>(a) ? Garden::Plant{0, s.columns, 1} : a;
  };
  EXPECT_NE(first_break(gardener<Slip::none>("one"), holds_under(shifted)).find("is outside its bounds"),
            std::string::npos);
}

TEST(Laws, CatchASymmetryThatHoldsForObservationsOnly) {
  Symmetry<Garden> lazy = mirror();
  lazy.snapshot = [](const Garden::Setup&, const Garden::Snapshot& snapshot) { return snapshot; };
  EXPECT_EQ(first_break(gardener<Slip::none>("one"), holds_under(lazy)), "under mirror, another position");
}

TEST(Laws, CatchStateThatNoSnapshotShows) {
  for (const auto law : {laws::restarts_hold, laws::restarts_at_every_step_hold}) {
    EXPECT_EQ(first_break(gardener<Slip::tires>("one"), law),
              "another answer after a restart: it carries hidden state");
  }
}

TEST(Laws, RefuseARunThatEndsEarly) {
  const Runner ends{"ends", Kind::optimized, "", code_of([](const AnyScenario& s, Cadence cadence, AnyTrace& out) {
                      head_gardener.run(s, cadence, out);
                      out.head().deviation = Deviation{.step = 1, .field = "threw", .expected = {}, .actual = {}};
                    })};
  EXPECT_THROW(first_break(ends, laws::refusals_change_nothing), std::runtime_error);
}

// Systems that break the laws of data ---------------------------------------------------------

/// Repairs nothing.
struct Unrepaired : Garden {
  struct Laws : Garden::Laws {
    static void normalise(Setup&) {}
  };
};
/// Repairs lawful setups too.
struct Overeager : Garden {
  struct Laws : Garden::Laws {
    static void normalise(Setup& s) {
      Garden::Laws::normalise(s);
      s.fence = true;
    }
  };
};
/// Its normalise is not idempotent.
struct Restless : Garden {
  struct Laws : Garden::Laws {
    static void normalise(Setup& s) {
      Garden::Laws::normalise(s);
      s.fence = !s.fence;
    }
  };
};
/// Forgets to describe the fence.
struct Forgetful : Garden {
  static void describe(auto& io, Setup& s) {
    io.size("rows", s.rows, 1, side_max);
    io.size("columns", s.columns, 1, side_max);
    io.board("beds", s.beds, s.rows, s.columns, flowers);
  }
  static void describe(auto& io, const Setup& s, Plant& a) { Garden::describe(io, s, a); }
  static void describe(auto& io, const Setup& s, Rain& a) { Garden::describe(io, s, a); }
  static void describe(auto& io, Observation& o) { Garden::describe(io, o); }
};
/// Emits features that its list does not name.
struct Talkative : Garden {
  struct Features : Garden::Features {
    static constexpr std::array<Feature, 1> list = {{{refused, "refused"}}};
  };
};

TEST(Laws, CatchWhatIsOutsideItsBounds) {
  Garden::Setup setup;
  setup.water = Garden::water_max + 1;
  EXPECT_EQ(laws::fault_of_setup(with_setup<Garden>(setup)), "a field of the setup is outside its bounds");
  EXPECT_EQ(laws::fault_of(any_of<Garden>({{}, {Garden::Wait{}, Garden::Plant{0, 1, 1}}})),
            "action 2 (plant row=0 column=1 flower=rose) is outside its bounds");
}

TEST(Laws, CatchAFlaw) {
  EXPECT_EQ(laws::fault_of_setup(with_setup<Garden>(tulip_on_top())),
            "the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchABadNormalise) {
  EXPECT_EQ(laws::fault_of_normalise(with_setup<Garden>(tulip_on_top())), "");
  EXPECT_EQ(laws::fault_of_normalise(with_setup<Unrepaired>(tulip_on_top())),
            "normalise leaves a flaw: beds: tulips do not grow in the top row");
  EXPECT_EQ(laws::fault_of_normalise(with_setup<Overeager>({})), "normalise changes a setup without a flaw");
  EXPECT_EQ(laws::fault_of_normalise(with_setup<Restless>({})), "normalise is not idempotent");
  EXPECT_EQ(laws::fault_of_setup(with_setup<Overeager>({})), "normalise changes a setup without a flaw");
}

TEST(Laws, CatchAFieldThatIsNotDescribed) {
  Scenario<Forgetful> scenario;
  EXPECT_EQ(fault_of_round_trips(untyped<Forgetful>(scenario)), "");
  scenario.setup.fence = true;
  EXPECT_EQ(fault_of_round_trips(untyped<Forgetful>(scenario)),
            "its text is another scenario:\n" + scenario_text<Forgetful>(scenario));
}

TEST(Laws, CatchTextThatItsOwnReaderRefuses) {
  const AnyScenario tulip = with_setup<Garden>(tulip_on_top());
  EXPECT_EQ(fault_of_round_trips(tulip),
            "its own text is refused: text:8:1: beds: tulips do not grow in the top row\n" + scenario_text(tulip));
}

TEST(Laws, CatchBytesThatAreNoLawfulScenario) {
  const Bytes bytes = encode<Garden>(Scenario<Garden>{tulip_on_top(), {}});
  EXPECT_EQ(laws::fault_of_bytes(vocabulary<Garden>(), bytes), "");
  EXPECT_EQ(laws::fault_of_bytes(vocabulary<Unrepaired>(), bytes),
            "the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchAReductionThatIsNotLawful) {
  Scenario<Unrepaired> scenario;
  scenario.setup.rows = 2;
  scenario.setup.beds = Grid{2, 1};
  scenario.setup.beds.at(1, 0) = 2;
  EXPECT_EQ(laws::fault_of_reductions(untyped<Unrepaired>(scenario)),
            "a reduction is not lawful: the setup has a flaw: beds: tulips do not grow in the top row");
  EXPECT_EQ(laws::fault_of_reductions(with_setup<Garden>(scenario.setup)), "");
}

TEST(Laws, CatchAFeatureBeyondTheList) {
  const Scenario<Garden> scenario{.setup = {}, .actions = {Garden::Rain{1}}};
  Trace<Garden> trace;
  run_trace<Gardener<Slip::none>>(scenario, Cadence{}, trace);
  EXPECT_EQ(laws::fault_of_features(untyped<Garden>(scenario), untyped<Garden>(trace)), "");
  Trace<Talkative> talkative;
  talkative.observations = trace.observations;
  talkative.snapshots = trace.snapshots;
  EXPECT_EQ(
      laws::fault_of_features(any_of<Talkative>({scenario.setup, scenario.actions}), untyped<Talkative>(talkative)),
      "a feature beyond the list of features");
}

TEST(Laws, ReportAShrunkFinding) {
  const std::vector<Runner> implementations = {gardener<Slip::remembers>("resentful")};
  const auto law = [&](const AnyScenario& s) { return laws::refusals_change_nothing(implementations.front(), s); };
  AnyScenario failing = laws::scenario_at(vocabulary<Garden>(), 11, 0);
  for (std::uint64_t index = 1; law(failing).agreed(); ++index)
    failing = laws::scenario_at(vocabulary<Garden>(), 11, index);
  const std::string complaint = laws::complaint(implementations, failing, law);
  EXPECT_NE(complaint.find("DIVERGENCE in garden: at step 1 of 1 (plant "), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("an illegal action changed the state"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("minimal: no smaller step still fails"), std::string::npos) << complaint;
  EXPECT_EQ(laws::complaint(implementations, vocabulary<Garden>().scenario(), law), "");
}

}  // namespace
}  // namespace lockstep
