// The laws that systems must keep can fail: each is tested with an implementation or a system that breaks it.
#include "props/laws.hpp"

#include <gtest/gtest.h>

#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t scenarios = 400;

/// The field of the first divergence that the law finds on a stream of scenarios; "" when it holds on all.
template <class Law>
std::string first_break(const Runner& implementation, Law&& law) {
  for (std::uint64_t index = 0; index < scenarios; ++index) {
    const Verdict verdict = law(implementation, laws::bounded<Garden>(laws::scenario_at<Garden>(11, index)));
    if (verdict.diverged()) return verdict.divergence->field;
  }
  return "";
}

Verdict mirror_holds(const Runner& implementation, const Scenario<Garden>& scenario) {
  static const auto symmetries = Garden::Laws::symmetries();
  return laws::symmetry_holds<Garden>(implementation, symmetries.front(), scenario);
}

Garden::Setup tulip_on_top() {
  Garden::Setup setup;
  setup.beds.at(0, 0) = 2;
  return setup;
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
  EXPECT_EQ(first_break(head_gardener, laws::invariants_hold<Garden>), "");
  EXPECT_EQ(first_break(head_gardener, laws::refusals_change_nothing<Garden>), "");
  EXPECT_EQ(first_break(head_gardener, laws::looking_changes_nothing<Garden>), "");
  EXPECT_EQ(first_break(head_gardener, laws::restarts_hold<Garden>), "");
  EXPECT_EQ(first_break(head_gardener, mirror_holds), "");
}

TEST(Laws, CatchABrokenInvariant) {
  const Scenario<Garden> dry{.setup = {}, .actions = {Garden::Wait{}, Garden::Plant{}}};
  const Verdict verdict = laws::invariants_hold<Garden>(gardener<Slip::borrows>("one"), dry);
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->signature(), "garden one invariant plant water was taken from an empty butt");
  EXPECT_EQ(verdict.divergence->step, 2u);
}

TEST(Laws, CatchAPositionThatIsNoLawfulSetup) {
  // The wrong initial state contains a tulip, which stays where tulips are not allowed.
  const Verdict verdict = laws::invariants_hold<Garden>(gardener<Slip::none>("one"), {tulip_on_top(), {}});
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->field, "as a setup, the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchARefusalThatChangesTheState) {
  EXPECT_EQ(first_break(gardener<Slip::remembers>("one"), laws::refusals_change_nothing<Garden>),
            "an illegal action changed the state");
}

TEST(Laws, CatchASnapshotThatChangesAnAnswer) {
  const Runner vain{"vain", Kind::optimized, "", typed_code<Garden>(&run_trace<Vain, Garden>)};
  EXPECT_EQ(first_break(vain, laws::looking_changes_nothing<Garden>), "taking snapshots changes an answer");
}

TEST(Laws, CatchABrokenSymmetry) {
  EXPECT_EQ(first_break(gardener<Slip::left_handed>("one"), mirror_holds), "under mirror, another answer");
}

TEST(Laws, CatchASymmetryThatLeavesTheBounds) {
  Symmetry<Garden> shifted = Garden::Laws::symmetries().front();
  shifted.action = [](const Garden::Setup& s, const Garden::Action& a) -> Garden::Action {
    return std::holds_alternative<Garden::Plant>(a) ? Garden::Plant{0, s.columns, 1} : a;
  };
  const auto law = [&](const Runner& implementation, const Scenario<Garden>& scenario) {
    return laws::symmetry_holds<Garden>(implementation, shifted, scenario);
  };
  EXPECT_NE(first_break(gardener<Slip::none>("one"), law).find("is outside its bounds"), std::string::npos);
}

TEST(Laws, CatchASymmetryThatHoldsForObservationsOnly) {
  Symmetry<Garden> lazy = Garden::Laws::symmetries().front();
  lazy.snapshot = [](const Garden::Setup&, const Garden::Snapshot& snapshot) { return snapshot; };
  const auto law = [&](const Runner& implementation, const Scenario<Garden>& scenario) {
    return laws::symmetry_holds<Garden>(implementation, lazy, scenario);
  };
  EXPECT_EQ(first_break(gardener<Slip::none>("one"), law), "under mirror, another position");
}

TEST(Laws, CatchStateThatNoSnapshotShows) {
  EXPECT_EQ(first_break(gardener<Slip::tires>("one"), laws::restarts_hold<Garden>),
            "another answer after a restart: it carries hidden state");
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
  EXPECT_EQ(laws::fault_of_setup<Garden>(setup), "a field of the setup is outside its bounds");
  EXPECT_EQ(laws::fault_of<Garden>({{}, {Garden::Wait{}, Garden::Plant{0, 1, 1}}}),
            "action 2 (plant row=0 column=1 flower=rose) is outside its bounds");
}

TEST(Laws, CatchAFlaw) {
  EXPECT_EQ(laws::fault_of_setup<Garden>(tulip_on_top()),
            "the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchABadNormalise) {
  EXPECT_EQ(laws::fault_of_normalise<Garden>(tulip_on_top()), "");
  EXPECT_EQ(laws::fault_of_normalise<Unrepaired>(tulip_on_top()),
            "normalise leaves a flaw: beds: tulips do not grow in the top row");
  EXPECT_EQ(laws::fault_of_normalise<Overeager>({}), "normalise changes a setup without a flaw");
  EXPECT_EQ(laws::fault_of_normalise<Restless>({}), "normalise is not idempotent");
  EXPECT_EQ(laws::fault_of_setup<Overeager>({}), "normalise changes a setup without a flaw");
}

TEST(Laws, CatchAFieldThatIsNotDescribed) {
  Scenario<Forgetful> scenario;
  EXPECT_EQ(fault_of_round_trips<Forgetful>(scenario), "");
  scenario.setup.fence = true;
  EXPECT_EQ(fault_of_round_trips<Forgetful>(scenario),
            "its text is another scenario:\n" + scenario_text<Forgetful>(scenario));
}

TEST(Laws, CatchTextThatItsOwnReaderRefuses) {
  const Scenario<Garden> tulip{tulip_on_top(), {}};
  EXPECT_EQ(
      fault_of_round_trips<Garden>(tulip),
      "its own text is refused: text:8:1: beds: tulips do not grow in the top row\n" + scenario_text<Garden>(tulip));
}

TEST(Laws, CatchBytesThatAreNoLawfulScenario) {
  const Bytes bytes = encode<Garden>(Scenario<Garden>{tulip_on_top(), {}});
  EXPECT_EQ(laws::fault_of_bytes<Garden>(bytes), "");
  EXPECT_EQ(laws::fault_of_bytes<Unrepaired>(bytes), "the setup has a flaw: beds: tulips do not grow in the top row");
}

TEST(Laws, CatchAReductionThatIsNotLawful) {
  Scenario<Unrepaired> scenario;
  scenario.setup.rows = 2;
  scenario.setup.beds = Grid{2, 1};
  scenario.setup.beds.at(1, 0) = 2;
  EXPECT_EQ(laws::fault_of_reductions<Unrepaired>(scenario),
            "a reduction is not lawful: the setup has a flaw: beds: tulips do not grow in the top row");
  EXPECT_EQ(laws::fault_of_reductions<Garden>({scenario.setup, {}}), "");
}

TEST(Laws, CatchAFeatureBeyondTheList) {
  const Scenario<Garden> scenario{.setup = {}, .actions = {Garden::Rain{1}}};
  Trace<Garden> trace;
  run_trace<Gardener<Slip::none>>(scenario, Cadence{}, trace);
  EXPECT_EQ(laws::fault_of_features<Garden>(scenario, trace), "");
  Trace<Talkative> talkative;
  talkative.observations = trace.observations;
  talkative.snapshots = trace.snapshots;
  EXPECT_EQ(laws::fault_of_features<Talkative>({scenario.setup, scenario.actions}, talkative),
            "a feature beyond the list of features");
}

TEST(Laws, ReportAShrunkFinding) {
  const std::vector<Runner> implementations = {gardener<Slip::remembers>("resentful")};
  const auto law = [&](const Scenario<Garden>& s) {
    return laws::refusals_change_nothing<Garden>(implementations.front(), s);
  };
  Scenario<Garden> failing = laws::scenario_at<Garden>(11, 0);
  for (std::uint64_t index = 1; law(failing).agreed(); ++index) failing = laws::scenario_at<Garden>(11, index);
  const std::string complaint = laws::complaint<Garden>(implementations, failing, law);
  EXPECT_NE(complaint.find("DIVERGENCE in garden: at step 1 of 1 (plant "), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("an illegal action changed the state"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("minimal: no smaller step still fails"), std::string::npos) << complaint;
  EXPECT_EQ(laws::complaint<Garden>(implementations, {}, law), "");
}

}  // namespace
}  // namespace lockstep
