// What a page in a browser will need: describe, text, judge, shrink and one reference, compiled for WebAssembly without
// exceptions. tests/CMakeLists.txt compiles and links this file; nothing runs it.
#include <string>
#include <string_view>

#include "games/ts_tetris/system.hpp"
#include "lockstep/judge.hpp"
#include "lockstep/registry.hpp"
#include "lockstep/report.hpp"
#include "lockstep/shrink.hpp"
#include "lockstep/text.hpp"
#include "optimized/ts_tetris/lean.hpp"
#include "reference/ts_tetris.hpp"

namespace {

using namespace lockstep;

/// The smallest scenario that fails as the text's does; "" when all implementations agree on it, the error when it
/// cannot be read.
std::string shrunk(std::string_view text) {
  const auto scenario = parse_scenario<TsTetris>(text);
  if (!scenario) return scenario.error().message("input");
  Judge<TsTetris> judge{registry<TsTetris>()};
  if (judge.judge(*scenario).agreed()) return {};
  Shrinker<TsTetris> shrinker{
      [&](const Scenario<TsTetris>& candidate) { return judge.judge(candidate); }, registry<TsTetris>().front(), {}};
  return scenario_text<TsTetris>(shrinker.shrink(*scenario).scenario);
}

}  // namespace

/// Shrinks the zero-terminated scenario; the answer stays until the next call.
extern "C" [[gnu::visibility("default")]] const char* lockstep_shrunk(const char* text);
extern "C" const char* lockstep_shrunk(const char* text) {
  static std::string answer;
  answer = shrunk(text);
  return answer.c_str();
}
