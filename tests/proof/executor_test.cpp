// Tests of the executor: what the compiler assumed becomes an obligation, and what is not known is never agreement.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "proof/prove.hpp"

namespace lockstep::proof {
namespace {

/// A claim about functions in IR: @kernel and @specification take 8 bytes to 8 bytes; the invariant is @invariant.
Claim claim_of(const std::string& functions) {
  // Tests run side by side.
  static const std::string name =
      (std::filesystem::path(testing::TempDir()) / ("kernel-" + std::to_string(getpid()) + ".ll")).string();
  std::ofstream{name} << functions;
  Claim claim;
  claim.kernel = "kernel";
  claim.specification = "specification";
  claim.invariant = "invariant";
  claim.bitcode = name;
  claim.input_size = claim.output_size = 8;
  claim.input_alignment = claim.output_alignment = 8;
  claim.rounds = 8;
  return claim;
}

Result proved(const std::string& functions, double seconds = 20) { return prove(claim_of(functions), seconds); }

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

TEST(Prove, RefutesWithTheSmallestBits) {
  const Result result =
      proved(kernel("  %big = icmp ugt i64 %a, 41\n  %more = zext i1 %big to i64\n"
                    "  %x = add i64 %a, %more\n" +
                    give_x));
  ASSERT_EQ(result.answer, Answer::refuted) << result.reason;
  EXPECT_GT(std::to_integer<int>(result.input.front()), 41);
  EXPECT_EQ(result.reason, "the kernel's result is not the specification's");
}

TEST(NotCovered, ABranchThatNoInputTakes) {
  const Result result =
      proved(kernel("  %big = icmp ugt i64 %a, 100\n  br i1 %big, label %p, label %q\n"
                    "p:\n  store i64 7, ptr %out\n  ret void\n"
                    "q:\n  store i64 %a, ptr %out\n  ret void\n"));
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason, "no input takes these ways: 1");
  EXPECT_EQ(result.unreached.size(), 1u);
}

struct Case {
  std::string body;
  std::string reason;
};

/// Poison from 64 on; else not the lowest number.
const std::string poison = "  %s = lshr i64 4, %a\n";
const std::string give_a = "  %x = add i64 %a, 0\n" + give_x;
const std::string null_at_99 = "  %c = icmp eq i64 %a, 99\n  %p = select i1 %c, ptr null, ptr %in\n";
/// An address that is stored, so that it can be loaded.
const std::string stored = "  %l = alloca ptr\n  store ptr %p, ptr %l\n";

const std::string functions = R"(
declare void @llvm.assume(i1)
declare void @llvm.trap()
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @takes(i64 %a) { ret void }
define internal void @takes_defined(i64 noundef %a) { ret void }
define internal void @takes_small(i64 noundef range(i64 0, 99) %a) { ret void }
define internal void @takes_address(ptr %p) { ret void }
define internal void @takes_some(ptr noundef nonnull %p) { ret void }
define internal void @takes_aligned(ptr noundef align 8 %p) { ret void }
define internal void @takes_sixteen(ptr dereferenceable(16) %p) { ret void }
define internal void @takes_sixteen_or_null(ptr dereferenceable_or_null(16) %p) { ret void }
define internal void @takes_result(ptr sret([16 x i8]) %p) { ret void }
define internal noundef i64 @gives_defined(i64 %a) {
  %s = lshr i64 4, %a
  ret i64 %s
}
define internal noundef range(i64 0, 99) i64 @gives_small(i64 %a) { ret i64 %a }
define internal noundef nonnull ptr @gives_some(ptr %p) { ret ptr %p }
define internal ptr @gives(ptr %p) { ret ptr %p }
define internal i64 @gives_number(i64 %a) { ret i64 %a }
define internal i64 @gives_another(i64 returned %a) {
  %x = add i64 %a, 1
  ret i64 %x
}
define internal i64 @gives_frozen(i64 returned %a) {
  %x = freeze i64 %a
  ret i64 %x
}
define internal ptr @local() {
  %l = alloca i64
  ret ptr %l
}
define internal i64 @comes_back() noreturn { ret i64 0 }
!0 = !{}
!1 = !{i64 0, i64 40, i64 41, i64 200}
!2 = !{i64 16}
)";

const std::vector<Case> violations = {
    {"  %y = add nuw i64 %a, -50\n  %z = add i64 %y, 50\n  %x = sub i64 %z, 0\n" + give_x, "of its result undefined"},
    {"  %y = shl i64 1, %a\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "of its result undefined"},
    {"  %y = or disjoint i64 %a, 1\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "of its result undefined"},
    {"  %y = lshr exact i64 %a, 1\n  %z = and i64 %y, 0\n  %x = add i64 %z, %a\n" + give_x, "of its result undefined"},
    {"  ret void\n", "the kernel leaves byte 0 of its result undefined"},
    // Arithmetic
    {"  %y = udiv i64 5, %a\n" + give_a, "a division by 0"},
    {poison + "  %d = or i64 %s, 1\n  %y = udiv i64 5, %d\n" + give_a, "a division by poison"},
    {poison + "  %y = sdiv i64 %s, -1\n" + give_a, "a division of poison by -1"},
    {"  %c = icmp eq i64 %a, 7\n  %n = select i1 %c, i64 -9223372036854775808, i64 5\n  %y = sdiv i64 %n, -1\n" +
         give_a,
     "a division that overflows"},
    // Control flow
    {"  %l = alloca i64\n  %y = load i64, ptr %l\n  %c = icmp eq i64 %y, 0\n  br i1 %c, label %p, label %p\np:\n" +
         give_a,
     "a branch on poison"},
    {poison + "  switch i64 %s, label %p [i64 1, label %p]\np:\n" + give_a, "a switch on poison"},
    {"  %c = icmp eq i64 %a, 99\n  br i1 %c, label %p, label %q\np:\n  unreachable\nq:\n" + give_a,
     "code that must be unreachable is reached"},
    {"  %c = icmp eq i64 %a, 99\n  br i1 %c, label %p, label %q\np:\n  call void @llvm.trap()\n  unreachable\nq:\n" +
         give_a,
     "a trap is reached"},
    {"  %c = icmp ne i64 %a, 99\n  call void @llvm.assume(i1 %c)\n" + give_a,
     "an assumption of the compiler does not hold"},
    // Accesses
    {"  %p = getelementptr i8, ptr %in, i64 %a\n  %y = load i8, ptr %p\n" + give_a, "access outside of an object"},
    {"  %y = load i128, ptr %in, align 1\n" + give_a, "access outside of an object"},
    {"  %p = getelementptr inbounds i8, ptr %in, i64 %a\n  store i64 %a, ptr %p, align 1\n" + give_a,
     "the address is poison"},
    {"  %m = mul i64 %a, -4\n  %p = getelementptr inbounds [2 x [4 x i8]], ptr %in, i64 0, i64 %a, i64 %m\n"
     "  %y = load i8, ptr %p\n" +
         give_a,
     "the address is poison"},
    {"  store i64 %a, ptr %in\n" + give_a, "write to a constant object"},
    {"  %p = getelementptr i8, ptr %out, i64 1\n  store i32 1, ptr %p, align 4\n" + give_a, "misaligned access"},
    {"  %c = icmp eq i64 %a, 99\n  %m = insertelement <2 x i1> zeroinitializer, i1 %c, i32 1\n"
     "  call void @llvm.masked.store.v2i64.p0(<2 x i64> zeroinitializer, ptr %out, i32 1, <2 x i1> %m)\n" +
         give_a,
     "access outside of an object"},
    {poison +
         "  %c = trunc i64 %s to i1\n  %m = insertelement <2 x i1> zeroinitializer, i1 %c, i32 0\n"
         "  call void @llvm.masked.store.v2i64.p0(<2 x i64> zeroinitializer, ptr %out, i32 1, <2 x i1> %m)\n" +
         give_a,
     "the mask of a store is poison"},
    {"  %y = load i64, ptr null\n" + give_a, "access through a null pointer"},
    {"  %p = call ptr @local()\n  %y = load i64, ptr %p\n" + give_a, "access to an object outside of its lifetime"},
    {"  %l = alloca i64\n  store i64 1, ptr %l\n  call void @llvm.lifetime.end.p0(i64 8, ptr %l)\n"
     "  store i64 2, ptr %l\n" +
         give_a,
     "access to an object outside of its lifetime"},
    {"  %l = alloca i64\n  store i64 1, ptr %l\n  call void @llvm.lifetime.start.p0(i64 8, ptr %l)\n" + give_a,
     "access to an object outside of its lifetime"},
    {"  %l = alloca [16 x i8], align 8\n  store i64 1, ptr %l\n  %p = getelementptr i8, ptr %l, i64 1\n"
     "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %l, i64 7, i1 false)\n" +
         give_a,
     "a copy to a place that overlaps its source"},
    {"  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 poison, i1 false)\n" + give_a,
     "the length of a copy is poison"},
    // Promises: of a call, of the function that is called, of what it returns, of what is loaded
    {poison + "  call void @takes(i64 noundef %s)\n" + give_a, "an argument is poison"},
    {poison + "  call void @takes_defined(i64 %s)\n" + give_a, "an argument is poison"},
    {"  call void @takes(i64 noundef range(i64 0, 99) %a)\n" + give_a, "an argument is poison"},
    {"  call void @takes_small(i64 %a)\n" + give_a, "an argument is poison"},
    {null_at_99 + "  call void @takes_address(ptr noundef nonnull %p)\n" + give_a, "an argument is poison"},
    {null_at_99 + "  call void @takes_some(ptr %p)\n" + give_a, "an argument is poison"},
    {"  %p = getelementptr i8, ptr %in, i64 %a\n  call void @takes_address(ptr noundef align 8 %p)\n" + give_a,
     "an argument is poison"},
    {"  %p = getelementptr i8, ptr %in, i64 %a\n  call void @takes_aligned(ptr %p)\n" + give_a,
     "an argument is poison"},
    {"  call void @takes_address(ptr dereferenceable(16) %in)\n" + give_a, "access outside of an object"},
    {"  call void @takes_sixteen(ptr %in)\n" + give_a, "access outside of an object"},
    {null_at_99 + "  call void @takes_sixteen_or_null(ptr %p)\n" + give_a, "access outside of an object"},
    {"  call void @takes_result(ptr sret([16 x i8]) %out)\n" + give_a, "access outside of an object"},
    {"  %y = call i64 @gives_defined(i64 %a)\n" + give_a, "a result is poison"},
    {poison + "  %y = call noundef i64 @gives_number(i64 %s)\n" + give_a, "a result is poison"},
    {"  %y = call i64 @gives_small(i64 %a)\n" + give_a, "a result is poison"},
    {"  %y = call noundef i64 @gives_number(i64 %a), !range !1\n" + give_a, "a result is poison"},
    {null_at_99 + "  %q = call ptr @gives_some(ptr %p)\n" + give_a, "a result is poison"},
    {null_at_99 + "  %q = call noundef nonnull ptr @gives(ptr %p)\n" + give_a, "a result is poison"},
    {"  %p = getelementptr i8, ptr %in, i64 %a\n  %q = call noundef align 8 ptr @gives(ptr %p)\n" + give_a,
     "a result is poison"},
    {"  %q = call dereferenceable(16) ptr @gives(ptr %in)\n" + give_a, "access outside of an object"},
    {"  %y = call i64 @gives_another(i64 %a)\n" + give_a, "an argument that is promised to be returned is not"},
    {poison + "  %y = call i64 @gives_frozen(i64 %s)\n" + give_a, "an argument that is promised to be returned is not"},
    {poison + "  %l = alloca i64\n  store i64 %s, ptr %l\n  %y = load i64, ptr %l, !noundef !0\n" + give_a,
     "a loaded value is poison"},
    {"  %y = load i64, ptr %in, !noundef !0, !range !1\n" + give_a, "a loaded value is poison"},
    {null_at_99 + stored + "  %q = load ptr, ptr %l, !noundef !0, !nonnull !0\n" + give_a, "a loaded value is poison"},
    {"  %p = getelementptr i8, ptr %in, i64 %a\n" + stored + "  %q = load ptr, ptr %l, !noundef !0, !align !3\n" +
         give_a,
     "a loaded value is poison"},
    {"  %p = getelementptr i8, ptr %in, i64 0\n" + stored + "  %q = load ptr, ptr %l, !dereferenceable !2\n" + give_a,
     "access outside of an object"},
    {null_at_99 + stored + "  %q = load ptr, ptr %l, !dereferenceable_or_null !2\n" + give_a,
     "access outside of an object"},
};

TEST(Obligations, AViolatedOneIsARefutation) {
  for (const Case& each : violations) {
    const Result result = proved(kernel(each.body, functions + "!3 = !{i64 8}\n"));
    EXPECT_EQ(result.answer, Answer::refuted) << each.body << result.reason;
    EXPECT_NE(result.reason.find(each.reason), std::string::npos) << each.body << result.reason;
    EXPECT_FALSE(result.differs) << each.body;
  }
}

/// Every text of an obligation in the prover's sources is the reason of a violation above.
TEST(Obligations, EachIsSeenViolated) {
  std::set<std::string> texts;
  for (const auto& file : std::filesystem::directory_iterator{LOCKSTEP_PROOF_SOURCES}) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream in{file.path()};
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::regex obligation{R"re((undefined|never|kept)\(([^";]*)"([^"]+)"\))re"};
    for (std::sregex_iterator i{text.begin(), text.end(), obligation}, end; i != end; ++i) {
      const std::string text_of = (*i)[3];
      if (text_of != " is poison") texts.insert(text_of + ((*i)[1] == "kept" ? " is poison" : ""));
    }
  }
  EXPECT_GT(texts.size(), 18u);
  for (const std::string& text : texts) {
    EXPECT_TRUE(std::ranges::any_of(violations, [&](const Case& each) { return each.reason == text; })) << text;
  }
}

/// What a kernel does, its body, and what it needs.
struct Proved {
  std::string what, body, more = {};
};
const std::vector<Proved> proofs = {
    {"arithmetic", "  %y = shl nuw i64 %a, 3\n  %x = lshr exact i64 %y, 3\n" + give_x},
    {"promises that hold",
     "  %p = getelementptr i8, ptr %in, i64 0\n" + stored +
         "  call void @takes_address(ptr noundef nonnull align 8 dereferenceable(8) %in)\n"
         "  call void @takes_some(ptr %in)\n  call void @takes_aligned(ptr %in)\n"
         "  %q = load ptr, ptr %l, !noundef !0, !nonnull !0, !align !3, !dereferenceable !3\n"
         "  %r = call noundef nonnull align 8 dereferenceable(8) ptr @gives(ptr %q)\n"
         "  %y = load i64, ptr %r, !noundef !0, !range !4\n"
         "  %x = call noundef range(i64 0, 100) i64 @gives_number(i64 noundef range(i64 0, 100) %y)\n" +
         give_x,
     functions + "!3 = !{i64 8}\n!4 = !{i64 0, i64 100}\n"},
    {"poison that is not used",
     "  %y = shl i64 1, %a\n  %c = icmp ult i64 %a, 64\n"
     "  %z = select i1 %c, i64 %y, i64 1\n  %w = and i64 %z, 0\n"
     "  %x = add i64 %w, %a\n" +
         give_x},
    {"a masked store, which accesses no other lanes",
     "  store i64 5, ptr %out\n  %v = insertelement <2 x i64> zeroinitializer, i64 %a, i32 0\n"
     "  %c = icmp ne i64 %a, 5\n  %m = insertelement <2 x i1> zeroinitializer, i1 %c, i32 0\n"
     "  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr %out, i32 1, <2 x i1> %m)\n  ret void\n",
     "declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)\n"},
    {"empty assembly",
     "  store i64 %a, ptr %out\n"
     "  call void asm sideeffect \"\", \"~{memory},~{dirflag},~{fpsr},~{flags}\"(), !srcloc !0\n"
     "  %x = load i64, ptr %out\n" +
         give_x,
     functions + "!3 = !{i64 8}\n"},
    // After four rounds the guard of the loop never holds, but no rule of the graph says so.
    {"a loop whose rounds the input decides",
     "  %n = and i64 %a, 3\n  br label %l\n"
     "l:\n  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n  %j = add i64 %i, 1\n"
     "  %c = icmp eq i64 %i, %n\n  br i1 %c, label %e, label %l\n"
     "e:\n  %d = sub i64 %i, %n\n  %x = add i64 %a, %d\n" +
         give_x},
    {"a constant that points to itself",
     "  %p = load ptr, ptr @table\n  %y = load i64, ptr %p\n  %z = sub i64 %y, 7\n"
     "  %x = add i64 %a, %z\n" +
         give_x,
     "@table = internal constant { ptr, i64 } { ptr getelementptr inbounds (i8, ptr @table, i64 8), i64 7 }\n"},
};

TEST(Prove, ProvesWhatHolds) {
  for (const auto& [what, body, more] : proofs) {
    const Result result = proved(kernel(body, more));
    EXPECT_EQ(result.answer, Answer::proved) << what << ": " << result.reason;
    EXPECT_TRUE(result.unreached.empty()) << what;
  }
}

TEST(NotCovered, WhatIsNotKnownIsNeverAgreement) {
  for (const Case& each : {
           Case{"  %f = uitofp i64 %a to double\n  %x = fptoui double %f to i64\n" + give_x, "floating-point"},
           Case{"  %x = call i64 @elsewhere(i64 %a)\n" + give_x, "a call of elsewhere, which has no body here"},
           Case{"  %x = call i64 asm \"mov $1, $0\", \"=r,r\"(i64 %a)\n" + give_x, "assembly"},
           Case{"  call void asm sideeffect \"nop\", \"~{memory}\"()\n" + give_a, "assembly"},
           Case{"  %x = call i64 asm \"\", \"=r\"()\n" + give_x, "assembly"},
           Case{"  call void asm sideeffect \"\", \"\"() noreturn\n" + give_a, "assembly"},
           Case{"  call void @llvm.masked.store.v2i64.p0(<2 x i64> zeroinitializer, ptr %out, i32 8, "
                "<2 x i1> <i1 true, i1 false>)\n" +
                    give_a,
                "a masked store that is aligned"},
           Case{"  call void @llvm.masked.store.v2i4.p0(<2 x i4> zeroinitializer, ptr %out, i32 1, "
                "<2 x i1> <i1 true, i1 false>)\n" +
                    give_a,
                "a masked store of lanes that are no whole bytes"},
           Case{"  %x = call i64 @itself(i64 %a)\n" + give_x, "calls are nested too deeply"},
           Case{"  %x = load volatile i64, ptr %in\n" + give_x, "volatile"},
           Case{"  %x = atomicrmw add ptr %out, i64 1 seq_cst\n" + give_x, "the instruction atomicrmw"},
           Case{"  %x = load i64, ptr @variable\n" + give_x, "the variable variable, which is not constant"},
           Case{"  %p = inttoptr i64 %a to ptr\n  %x = load i64, ptr %p\n" + give_x, "a number as an address"},
           Case{"  %x = call i64 @llvm.readcyclecounter()\n" + give_x, "the intrinsic llvm.readcyclecounter"},
           Case{"  %l = alloca i64, i64 %a\n  %x = add i64 %a, 0\n" + give_x,
                "a local variable whose size is not known"},
           Case{"  %x = load i64, ptr %in, !invariant.load !0\n" + give_x, "the metadata invariant.load"},
           Case{"  call void @by_reference(ptr byref(i64) %in)\n" + give_a, "the attribute byref"},
           Case{"  %x = call i64 @gives_number(i64 %a) [ \"note\"(i32 0) ]\n" + give_x, "operand bundles"},
           Case{"  %y = call i64 @comes_back()\n" + give_a, "a function returns that is promised not to"},
           Case{"  %x = call i64 (...) @any_number(i64 %a)\n" + give_x, "a call with any number of arguments"},
           Case{"  %x = call fastcc i64 @gives_number(i64 %a)\n" + give_x, "a call by another convention"},
           Case{"  %p = call ptr @local()\n  call void @takes_aligned(ptr %p)\n" + give_a,
                "a promised alignment of an object after its lifetime"},
           Case{"  call void @takes_address(ptr align 32 %in)\n" + give_a,
                "an address that is aligned more than its object"},
           Case{"  %p = getelementptr nuw i8, ptr %in, i64 1\n  %y = load i8, ptr %p\n" + give_a,
                "an address that is promised not to wrap"},
           Case{"  %l = alloca i1\n  %c = icmp eq i64 %a, 5\n  store i1 %c, ptr %l\n" + give_a,
                "access to a value of no whole bytes"},
           Case{"  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 8, i1 true)\n  ret void\n",
                "a volatile or atomic access"},
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
    const Result result = proved(kernel(
        each.body, functions + "define internal void @by_reference(ptr byref(i64) %p) { ret void }\n"
                               "define internal i64 @any_number(...) { ret i64 0 }\n"
                               "declare i64 @elsewhere(i64)\ndeclare i64 @llvm.readcyclecounter()\n"
                               "declare void @llvm.masked.store.v2i4.p0(<2 x i4>, ptr, i32, <2 x i1>)\n"
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
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason, "no input takes these ways: 1");  // and nothing of the call
}

TEST(NotCovered, AnEndlessLoopEndsWithTheTime) {
  const Result result = proved(kernel("  br label %l\nl:\n  br label %l\n"), 1);
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

TEST(NotCovered, ASpecificationWhoseSourceIsNotKnown) {
  Claim claim = claim_of(kernel(give_a));
  ASSERT_EQ(prove(claim, 20).answer, Answer::proved);
  claim.kernels_in = "optimized/";
  const Result result = prove(claim, 20);
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason,
            "nothing says which code the specification or invariant uses: no debug information of specification");
}

/// The kernel's store is in line 7 of optimized/kernel.hpp, that of the specification where `specified` says: metadata with
/// the scopes !24 (the specification's own source), !25 (the kernel's) and !26 (a library's).
Claim claim_with_sources(const std::string& kernel_at, const std::string& specified) {
  const auto function = [](const std::string& name, const std::string& metadata) {
    return "define void @" + name + "(ptr %in, ptr %out) !dbg !" + metadata +
           "7 {\n  %x = load i64, ptr %in\n  store i64 %x, ptr %out, !dbg !" + metadata + "8\n  ret void\n}\n";
  };
  Claim claim = claim_of(function("kernel", "3") + function("specification", "4") + R"(
define i1 @invariant(ptr %in) !dbg !24 { ret i1 true }
!llvm.dbg.cu = !{!20}
!llvm.module.flags = !{!21}
!20 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !22, emissionKind: LineTablesOnly)
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !DIFile(filename: "claims.cpp", directory: "/")
!23 = !DIFile(filename: "optimized/kernel.hpp", directory: "/")
!24 = distinct !DISubprogram(name: "invariant", file: !22, unit: !20, spFlags: DISPFlagDefinition)
!25 = distinct !DISubprogram(name: "own", file: !23, unit: !20, spFlags: DISPFlagDefinition)
!26 = distinct !DISubprogram(name: "library", file: !27, unit: !20, spFlags: DISPFlagDefinition)
!27 = !DIFile(filename: "/usr/include/algorithm", directory: "/")
!37 = distinct !DISubprogram(name: "kernel", file: !22, unit: !20, spFlags: DISPFlagDefinition)
!38 = )" + kernel_at + R"(
!39 = !DILocation(line: 1, scope: !37)
!47 = distinct !DISubprogram(name: "specification", file: !22, unit: !20, spFlags: DISPFlagDefinition)
!48 = )" + specified + R"(
!49 = !DILocation(line: 2, scope: !47)
!50 = distinct !DILocation(line: 7, scope: !25, inlinedAt: !49)
)");
  claim.kernels_in = "optimized/";
  return claim;
}

TEST(NotCovered, ASpecificationThatUsesCodeOfTheKernels) {
  const std::string kernels = "!DILocation(line: 7, scope: !25, inlinedAt: !39)";
  EXPECT_EQ(prove(claim_with_sources(kernels, "!DILocation(line: 3, scope: !47)"), 20).reason, "");
  // Directly, and by a function of a library that was inlined into the kernel's code.
  for (const char* at :
       {"!DILocation(line: 7, scope: !25, inlinedAt: !49)", "!DILocation(line: 5, scope: !26, inlinedAt: !50)"}) {
    const Result result = prove(claim_with_sources(kernels, at), 20);
    EXPECT_EQ(result.answer, Answer::not_covered);
    EXPECT_EQ(result.reason, "the specification or invariant uses code of the kernels: optimized/kernel.hpp:7");
  }
}

TEST(NotCovered, AKernelThatExecutesNoCodeOfTheKernels) {
  const Result result =
      prove(claim_with_sources("!DILocation(line: 3, scope: !37)", "!DILocation(line: 3, scope: !47)"), 20);
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_EQ(result.reason,
            "the kernel executes no code of optimized/, or the names of files are not relative to the project");
}

/// The lawful inputs ask for numbers with x · (y + 1) ≠ x · y + x: that there are none takes long.
TEST(Prove, ARefutationStaysWhenTheTimeIsUpBeforeItIsReduced) {
  std::string text = kernel("  %x = add i64 %a, 1\n" + give_x, R"(
define i1 @lawful(ptr %in) {
  %a = load i64, ptr %in
  %x = trunc i64 %a to i32
  %h = lshr i64 %a, 32
  %y = trunc i64 %h to i32
  %z = add i32 %y, 1
  %p = mul i32 %x, %z
  %q = mul i32 %x, %y
  %r = add i32 %q, %x
  %c = icmp ne i32 %p, %r
  ret i1 %c
}
)");
  text.replace(text.find("icmp ult i64 %a, 100"), 20, "icmp uge i64 %a, 0");
  Claim claim = claim_of(text);
  claim.lawful = "lawful";
  const Result result = prove(claim, 2);
  EXPECT_EQ(result.answer, Answer::refuted) << result.reason;
  EXPECT_EQ(result.input.size(), 8u);
  EXPECT_TRUE(result.differs);
  EXPECT_FALSE(result.reduced);
}

TEST(Prove, ACounterexampleIsTriedOnTheCompiledCode) {
  Claim claim = claim_of(kernel("  %x = add i64 %a, 1\n" + give_x));
  claim.run_kernel = [](Claim::Bytes) { return std::vector<std::byte>(8, std::byte{1}); };
  claim.run_specification = [](Claim::Bytes) { return std::vector<std::byte>(8, std::byte{2}); };
  EXPECT_EQ(prove(claim, 20).answer, Answer::refuted);
  claim.run_specification = claim.run_kernel;
  const Result result = prove(claim, 20);
  EXPECT_EQ(result.answer, Answer::not_covered);
  EXPECT_TRUE(result.reason.starts_with("internal error: the compiled functions agree")) << result.reason;
}

TEST(Prove, AKernelThatTheProcessorCannotRunIsRefutedWithoutBeingCalled) {
  Claim claim = claim_of(kernel("  %x = add i64 %a, 1\n" + give_x));
  claim.run_kernel = nullptr;
  const Result result = prove(claim, 20);
  EXPECT_EQ(result.answer, Answer::refuted) << result.reason;
  EXPECT_TRUE(result.differs);
}

/// Draws that compare nothing: none meets the invariant, or the kernel is undefined on all.
TEST(Evaluations, OfNothingAreAnError) {
  Claim claim = claim_of(kernel(give_a));
  const auto same = [](Claim::Bytes in) { return std::vector<std::byte>(in.begin(), in.end()); };
  const auto number = [](std::uint64_t x) {
    std::vector<std::byte> out(8);
    std::memcpy(out.data(), &x, 8);
    return out;
  };
  claim.run_kernel = claim.run_specification = same;
  claim.meets_invariant = [](Claim::Bytes in) {
    std::uint64_t x = 0;
    std::memcpy(&x, in.data(), 8);
    return x < 100;
  };
  claim.draw = [=](Draws& draws) { return number(draws.below(100)); };
  EXPECT_EQ(prove(claim, 20).answer, Answer::proved) << prove(claim, 20).reason;
  claim.draw = [=](Draws&) { return number(~std::uint64_t{0}); };
  EXPECT_EQ(prove(claim, 20).reason,
            "internal error: the prover's model errs: nothing was compared: no drawn input meets invariant");
  Claim undefined = claim_of(kernel("  %p = getelementptr i8, ptr null, i64 1\n  %y = load i8, ptr %p\n" + give_a));
  undefined.run_kernel = undefined.run_specification = same;
  undefined.meets_invariant = claim.meets_invariant;
  undefined.draw = claim.draw;
  EXPECT_EQ(prove(undefined, 20).reason,
            "internal error: the prover's model errs: nothing was compared: no drawn input defines kernel: "
            "access through a null pointer, (no source line)");
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
