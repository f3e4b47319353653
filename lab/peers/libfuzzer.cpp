// The actions of examples/roaring as a plain libFuzzer target: bytes become numbers by FuzzedDataProvider, and the
// first difference aborts.
//
// LAB_PEERS_PRINT=1 lab_peers_libfuzzer INPUT: prints the input as a scenario, and runs nothing.
#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "lab/peers/side_by_side.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep::lab {
namespace {

class Draw final : public Fields {
 public:
  explicit Draw(FuzzedDataProvider& bytes) : bytes_{bytes} {}

  void visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs&) override {
    if (empty_range(lo, hi)) return;
    value = bytes_.ConsumeIntegralInRange(static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi));
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  void visit_list(std::string_view, Items& items, int lo, int hi) override {
    if (empty_range(lo, hi)) return;
    items.resize(static_cast<std::size_t>(bytes_.ConsumeIntegralInRange(lo, hi)));
    items.visit_all(*this);
  }

 private:
  FuzzedDataProvider& bytes_;
};

Scenario<Roaring> scenario_of(FuzzedDataProvider& bytes) {
  Scenario<Roaring> out;
  Draw draw{bytes};
  visit_setup<Roaring>(draw, out.setup);
  while (bytes.remaining_bytes() > 0) {
    constexpr std::size_t kinds = std::variant_size_v<Roaring::Action>;
    auto action = alternative<Roaring::Action>(bytes.ConsumeIntegralInRange<std::size_t>(0, kinds - 1));
    if (visit_action<Roaring>(draw, Past<Roaring>{out.setup}, action)) out.actions.push_back(std::move(action));
  }
  return out;
}

}  // namespace
}  // namespace lockstep::lab

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;
  static const bool prints = std::getenv("LAB_PEERS_PRINT") != nullptr;
  FuzzedDataProvider bytes{data, size};
  const Scenario<Roaring> scenario = lab::scenario_of(bytes);
  if (prints) {
    if (size == 0) return 0;  // libFuzzer runs the empty input first, and each input twice to find leaks
    std::fputs(scenario_text<Roaring>(scenario).c_str(), stdout);
    std::fflush(stdout);
    _exit(0);
  }
  lab::SideBySide sides{scenario.setup};
  for (const auto& action : scenario.actions) {
    if (!sides.agree_on(action)) std::abort();
  }
  if (!sides.have_equal_members()) std::abort();
  return 0;
}
