#include "lockstep/judge/signature.hpp"

#include <gtest/gtest.h>

#include "lockstep/judge/judge.hpp"

namespace lockstep {
namespace {

TEST(Signature, KeepsTheFieldButNotItsIndices) {
  Divergence d{.kind = DivergenceKind::snapshot,
               .step = 9,
               .system = "garden",
               .blamed = "short",
               .action = "plant",
               .field = "mole[3].row",
               .expected = "1",
               .actual = "2"};
  EXPECT_EQ(d.signature(), "garden short snapshot plant mole.row");
  d.kind = DivergenceKind::invariant;
  d.field = "law [1] holds";
  EXPECT_EQ(d.signature(), "garden short invariant plant law [1] holds");
}

TEST(SignatureParts, AreFoundAroundTheKind) {
  const SignatureParts parts = parts_of("omok /tmp/my plugins/x.so:foo observation judge winner");
  EXPECT_EQ(parts.system, "omok");
  EXPECT_EQ(parts.implementation, "/tmp/my plugins/x.so:foo");
  EXPECT_EQ(parts.kind, "observation");
  EXPECT_EQ(parts.action, "judge");
  EXPECT_EQ(parts.detail, "winner");
  EXPECT_FALSE(parts.unstable);
  EXPECT_EQ(parts_of("heap wrong hang pop crash").kind, "hang") << "the first one";
  EXPECT_EQ(parts_of("omok libfuzzer engine").kind, stopped_by_engine);
  for (const char* const none : {"", "heap", "heap hang", "heap wrong pop value"})
    EXPECT_EQ(parts_of(none).kind, "") << none;
}

TEST(SignatureParts, AreConditionsAfterThat) {
  const SignatureParts parts = parts_of("fix fast observation call returned if type=g|h text=some");
  EXPECT_EQ(parts.detail, "returned");
  EXPECT_EQ(parts.conditions, "type=g|h text=some");
  EXPECT_EQ(parse_conditions(parts.conditions), (ConditionValues{{"type", {"g", "h"}}, {"text", {"some"}}}));
  EXPECT_EQ(parts_of("fix all invariant call stays if left alone").detail, "stays if left alone") << "a law";
}

TEST(SignatureParts, OfAnUnstableFinding) {
  const SignatureParts parts = parts_of("heap wrong crash pop signal 6 unstable");
  EXPECT_EQ(parts.detail, "signal 6");
  EXPECT_TRUE(parts.unstable);
}

TEST(SignatureParts, MatchTheSignatureOfADivergence) {
  const Divergence divergence{.kind = DivergenceKind::crash,
                              .system = "heap",
                              .blamed = "a b",
                              .action = "pop",
                              .field = "signal 11",
                              .expected = {},
                              .actual = {}};
  const std::string signature = divergence.signature();
  const SignatureParts parts = parts_of(signature);
  EXPECT_EQ(parts.system, divergence.system);
  EXPECT_EQ(parts.implementation, divergence.blamed);
  EXPECT_EQ(parts.kind, to_string(divergence.kind));
  EXPECT_EQ(parts.action, divergence.action);
  EXPECT_EQ(parts.detail, divergence.field);
}

}  // namespace
}  // namespace lockstep
