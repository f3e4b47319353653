// A symmetry as one more implementation.
#include "lockstep/image.hpp"

#include <gtest/gtest.h>

#include "lockstep/judge.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

template <Slip slip>
Verdict judged_by_its_mirror(const Scenario<Garden>& scenario) {
  const auto own = gardener<slip>("own", Kind::reference);
  const AnyImplementation<Garden> mirror{"own.mirror", Kind::yardstick, "",
                                         Image<Garden>{own, symmetries<Garden>()[0]}};
  return Judge<Garden>{{own, mirror}}.judge(scenario);
}

const char* const plants =
    "lockstep 1 garden\n"
    "columns 3\n"
    "water 9\n"
    "actions\n"
    "rain amount=7\n"
    "plant row=0 column=1 flower=rose\n"
    "plant row=0 column=0 flower=rose\n";

TEST(Image, OfASymmetricImplementationAgrees) {
  EXPECT_TRUE(judged_by_its_mirror<Slip::none>(scenario_of(plants)).agreed());
  // Wrong, but in the same way at both sides.
  EXPECT_TRUE(judged_by_its_mirror<Slip::counts_short>(scenario_of(plants)).agreed());
}

TEST(Image, DeviatesAtTheFirstStepThatTheSymmetryChanges) {
  const Verdict verdict = judged_by_its_mirror<Slip::left_handed>(scenario_of(plants));
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->signature(), "garden own.mirror observation plant legal");
  EXPECT_EQ(verdict.divergence->step, 3u);
  EXPECT_EQ(verdict.divergence->expected, "no");
  EXPECT_EQ(verdict.divergence->actual, "yes");
}

/// A mirror that leaves the board alone: no implementation has that symmetry.
TEST(Image, OfAWrongSymmetryDeviatesInTheSnapshot) {
  Symmetry<Garden> wrong = symmetries<Garden>()[0];
  wrong.snapshot = [](const Garden::Setup&, const Garden::Snapshot& s) { return s; };
  const auto own = gardener<Slip::none>("own", Kind::reference);
  const AnyImplementation<Garden> mirror{"own.mirror", Kind::yardstick, "", Image<Garden>{own, wrong}};
  const Verdict verdict = Judge<Garden>{{own, mirror}}.judge(scenario_of(plants));
  ASSERT_TRUE(verdict.diverged());
  EXPECT_EQ(verdict.divergence->kind, DivergenceKind::snapshot);
  EXPECT_EQ(verdict.divergence->step, 3u);
  EXPECT_EQ(verdict.divergence->field, "beds[0]");
}

}  // namespace
}  // namespace lockstep
