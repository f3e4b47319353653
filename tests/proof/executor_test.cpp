// Tests of the executor: what the compiler assumed becomes an obligation, and what is not known is never agreement.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "proof/prove.hpp"

namespace lockstep::proof {
namespace {

/// A claim about functions in IR: @kernel and @specification take 8 bytes to 8 bytes; the invariant is @invariant.
Result proved(const std::string& functions, int rounds = 8, double seconds = 20) {
  // Tests run side by side.
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("kernel-" + std::to_string(getpid()) + ".ll");
  std::ofstream{file} << functions;
  const std::string name = file.string();
  Claim claim;
  claim.kernel = "kernel";
  claim.specification = "specification";
  claim.invariant = "invariant";
  claim.bitcode = name;
  claim.input_size = claim.output_size = 8;
  claim.input_alignment = claim.output_alignment = 8;
  claim.rounds = rounds;
  return prove(claim, seconds);
}

std::string kernel(const std::string& body, const std::string& more = "") {
  return "define void @kernel(ptr %in, ptr %out) {\n  %a = load i64, ptr %in\n" + body +
         "}\n"
         "define void @specification(ptr %in, ptr %out) {\n  %a = load i64, ptr %in\n  store i64 %a, ptr %out\n"
         "  ret void\n}\n"
         "define i1 @invariant(ptr %in) {\n  %a = load i64, ptr %in\n  %small = icmp ult i64 %a, 100\n  ret i1 "
         "%small\n}\n" +
         more;
}
const std::string give_x = "  store i64 %x, ptr %out\n  ret void\n";

TEST(Prove, ProvesWhatHolds) {
  const Result result = proved(kernel("  %y = shl nuw i64 %a, 3\n  %x = lshr exact i64 %y, 3\n" + give_x));
  EXPECT_EQ(result.answer, Answer::proved) << result.reason;
  EXPECT_TRUE(result.unreached.empty());
}

TEST(Prove, RefutesWithTheSmallestBits) {
  const Result result =
      proved(kernel("  %big = icmp ugt i64 %a, 41\n  %more = zext i1 %big to i64\n"
                    "  %x = add i64 %a, %more\n" +
                    give_x));
  ASSERT_EQ(result.answer, Answer::refuted) << result.reason;
  EXPECT_GT(std::to_integer<int>(result.input.front()), 41);
  EXPECT_EQ(result.reason, "the kernel's result is not the specification's");
}

TEST(Prove, ReportsBranchesThatNoInputTakes) {
  const Result result =
      proved(kernel("  %big = icmp ugt i64 %a, 100\n  br i1 %big, label %p, label %q\n"
                    "p:\n  store i64 7, ptr %out\n  ret void\n"
                    "q:\n  store i64 %a, ptr %out\n  ret void\n"));
  EXPECT_EQ(result.answer, Answer::proved) << result.reason;
  ASSERT_EQ(result.unreached.size(), 1u);
}

struct Case {
  std::string body;
  std::string reason;
};

TEST(Obligations, AViolatedOneIsARefutation) {
  for (const Case& each : {
           Case{"  %y = add nuw i64 %a, -50\n  %z = add i64 %y, 50\n  %x = sub i64 %z, 0\n" + give_x, "undefined"},
           Case{"  %y = shl i64 1, %a\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "undefined"},
           Case{"  %y = or disjoint i64 %a, 1\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "undefined"},
           Case{"  %y = lshr exact i64 %a, 1\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "undefined"},
           Case{"  %y = udiv i64 5, %a\n  %x = add i64 %a, 0\n" + give_x, "a division by 0"},
           Case{"  %p = getelementptr i8, ptr %in, i64 %a\n  %y = load i8, ptr %p\n  %x = add i64 %a, 0\n" + give_x,
                "access outside of an object"},
           Case{"  %p = getelementptr inbounds i8, ptr %in, i64 %a\n  store i64 %a, ptr %p, align 1\n  %x = add i64 "
                "%a, 0\n" +
                    give_x,
                "the address is poison"},
           Case{"  store i64 %a, ptr %in\n  %x = add i64 %a, 0\n" + give_x, "write to a constant object"},
           Case{"  %p = getelementptr i8, ptr %out, i64 1\n  store i32 1, ptr %p, align 4\n  %x = add i64 %a, 0\n" +
                    give_x,
                "misaligned access"},
           Case{"  %y = load i64, ptr null\n  %x = add i64 %a, 0\n" + give_x, "access through a null pointer"},
           Case{"  %l = alloca i64\n  %y = load i64, ptr %l\n  %c = icmp eq i64 %y, 0\n  br i1 %c, label %p, label %p\n"
                "p:\n  %x = add i64 %a, 0\n" +
                    give_x,
                "a branch on poison"},
           Case{"  %c = icmp eq i64 %a, 99\n  br i1 %c, label %p, label %q\np:\n  unreachable\n"
                "q:\n  %x = add i64 %a, 0\n" +
                    give_x,
                "code that must be unreachable is reached"},
           Case{"  %c = icmp ne i64 %a, 99\n  call void @llvm.assume(i1 %c)\n  %x = add i64 %a, 0\n" + give_x,
                "an assumption of the compiler does not hold"},
           Case{"  ret void\n", "the kernel leaves byte 0 of its result undefined"},
       }) {
    const Result result = proved(kernel(each.body, "declare void @llvm.assume(i1)\n"));
    EXPECT_EQ(result.answer, Answer::refuted) << each.body << result.reason;
    EXPECT_NE(result.reason.find(each.reason), std::string::npos) << each.body << result.reason;
  }
}

TEST(Obligations, PoisonThatIsNotUsedIsNone) {
  const Result result =
      proved(kernel("  %y = shl i64 1, %a\n  %c = icmp ult i64 %a, 64\n"
                    "  %z = select i1 %c, i64 %y, i64 1\n  %w = and i64 %z, 0\n"
                    "  %x = add i64 %w, %a\n" +
                    give_x));
  EXPECT_EQ(result.answer, Answer::proved) << result.reason;
}

TEST(NotCovered, WhatIsNotKnownIsNeverAgreement) {
  for (const Case& each : {
           Case{"  %f = uitofp i64 %a to double\n  %x = fptoui double %f to i64\n" + give_x, "floating-point"},
           Case{"  %x = call i64 @elsewhere(i64 %a)\n" + give_x, "a call of elsewhere, which has no body here"},
           Case{"  %x = call i64 asm \"mov $1, $0\", \"=r,r\"(i64 %a)\n" + give_x, "a call through a pointer"},
           Case{"  %x = call i64 @itself(i64 %a)\n" + give_x, "calls are nested too deeply"},
           Case{"  %x = load volatile i64, ptr %in\n" + give_x, "volatile"},
           Case{"  %x = atomicrmw add ptr %out, i64 1 seq_cst\n" + give_x, "the instruction atomicrmw"},
           Case{"  %x = load i64, ptr @variable\n" + give_x, "the variable variable, which is not constant"},
           Case{"  %p = inttoptr i64 %a to ptr\n  %x = load i64, ptr %p\n" + give_x, "a number as an address"},
           Case{"  %x = call i64 @llvm.readcyclecounter()\n" + give_x, "the intrinsic llvm.readcyclecounter"},
           Case{"  %l = alloca i64, i64 %a\n  %x = add i64 %a, 0\n" + give_x,
                "a local variable whose size is not known"},
           Case{"  br label %l\nl:\n  %x = phi i64 [ 0, %0 ], [ %n, %l ]\n  %n = add i64 %x, 1\n"
                "  %c = icmp eq i64 %x, %a\n  br i1 %c, label %e, label %l\ne:\n" +
                    give_x,
                "a loop takes more than 8 rounds"},
           Case{"  %c = icmp eq i64 %a, 5\n  br i1 %c, label %p, label %q\np:\n  %d = icmp eq i64 %a, 6\n"
                "  br i1 %d, label %q, label %e\nq:\n  %f = icmp eq i64 %a, 7\n  br i1 %f, label %p, label %e\n"
                "e:\n  %x = add i64 %a, 0\n" +
                    give_x,
                "a loop with two entries"},
       }) {
    const Result result =
        proved(kernel(each.body,
                      "declare i64 @elsewhere(i64)\ndeclare i64 @llvm.readcyclecounter()\n"
                      "@variable = global i64 0\n"
                      "define i64 @itself(i64 %a) {\n  %x = call i64 @itself(i64 %a)\n  ret i64 %x\n}\n"));
    EXPECT_EQ(result.answer, Answer::not_covered) << each.body << result.reason;
    EXPECT_NE(result.reason.find(each.reason), std::string::npos) << each.body << result.reason;
  }
}

TEST(NotCovered, WhatNoInputReachesNeedNotBeKnown) {
  const Result result =
      proved(kernel("  %c = icmp ult i64 %a, 100\n  br i1 %c, label %p, label %q\n"
                    "p:\n  store i64 %a, ptr %out\n  ret void\n"
                    "q:\n  call void @elsewhere()\n  ret void\n",
                    "declare void @elsewhere()\n"));
  EXPECT_EQ(result.answer, Answer::proved) << result.reason;
}

TEST(NotCovered, AnEndlessLoopEndsWithTheTime) {
  const Result result = proved(kernel("  br label %l\nl:\n  br label %l\n"), 8, 1);
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason, "the time is up");
}

TEST(NotCovered, AVacuousClaim) {
  std::string text = kernel("  %x = add i64 %a, 0\n" + give_x);
  text.replace(text.find("icmp ult i64 %a, 100"), 20, "icmp ult i64 %a, 0");
  const Result result = proved(text);
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason, "the claim is vacuous: no input meets the invariant");
}

/// The address and the number meet in a call, on a path that no input takes. The call's other path stays: it gives 7.
TEST(Prove, APathThatIsNotCoveredLosesNoOther) {
  const Result result =
      proved(kernel("  %big = icmp ugt i64 %a, 41\n  br i1 %big, label %p, label %q\n"
                    "p:\n  call void @f(ptr %in, i64 %a)\n  store i64 7, ptr %out\n  ret void\n"
                    "q:\n  store i64 %a, ptr %out\n  ret void\n",
                    "define internal void @f(ptr %in, i64 %a) {\n  %p = ptrtoint ptr %in to i64\n"
                    "  %c = icmp eq i64 %a, 1000\n  br i1 %c, label %x, label %done\n"
                    "x:\n  %d = trunc i64 %a to i1\n  br i1 %d, label %y, label %m\n"
                    "y:\n  br label %m\n"
                    "m:\n  %v = phi i64 [ %p, %y ], [ 7, %x ]\n  ret void\n"
                    "done:\n  ret void\n}\n"));
  EXPECT_EQ(result.answer, Answer::refuted) << result.reason;
}

TEST(NotCovered, AnAddressOutsideOfItsObjectThatIsCompared) {
  const Result result =
      proved(kernel("  %p = getelementptr i8, ptr %in, i64 -4611686018427387904\n  %c = icmp ult ptr %p, %in\n"
                    "  %x = select i1 %c, i64 %a, i64 0\n" +
                    give_x));
  EXPECT_EQ(result.answer, Answer::not_covered) << result.reason;
}

TEST(NotCovered, HostilePrograms) {
  const std::string good = kernel("  %x = add i64 %a, 0\n" + give_x);
  ASSERT_EQ(proved(good).answer, Answer::proved);
  for (const std::string& bad : {
           std::string(), std::string("BC\xc0\xde and nothing else"), std::string(1000, '\0'),
           good.substr(0, good.size() / 2),                                  // the end is missing
           good + "define void @kernel() { ret void }\n",                    // twice
           kernel("  %x = add i64 %y, 0\n  %y = add i64 %a, 0\n" + give_x),  // used before it is made
           kernel("  %x = add i32 %a, 0\n" + give_x),                        // of another type
           "target datalayout = \"E-p:64:64\"\n" + good,                     // big-endian
           "target datalayout = \"e-p:32:32\"\n" + good,                     // addresses of 32 bits
           std::string("define void @kernel(ptr %in) {\n  ret void\n}\n"),   // no specification
           std::string(good).replace(good.find("ptr %in, ptr %out"), 17, "ptr %in, i64 %out"),  // other parameters
       }) {
    const Result result = proved(bad);
    EXPECT_EQ(result.answer, Answer::not_covered) << bad;
    EXPECT_FALSE(result.reason.empty());
  }
}

}  // namespace
}  // namespace lockstep::proof
