// The actions of examples/roaring in RapidCheck's stateful interface.
//
// usage: RC_PARAMS=seed=N lab_peers_rapidcheck SCENARIO SECONDS
//
// Runs one property with RapidCheck's own settings, unless RC_PARAMS changes them. Exit status 1: it failed, and the
// file SCENARIO is what RapidCheck shrank it to. If the library ends the process instead, or a scenario takes longer
// than SECONDS (SIGALRM), the file is the scenario that was running.
#include <rapidcheck.h>
#include <rapidcheck/state.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "lab/peers/side_by_side.hpp"
#include "lockstep/describe/describe.hpp"
#include "lockstep/system/typed.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep::lab {
namespace {

/// Draws fields inside of rc::gen::exec, which shrinks each number towards its lower bound.
class Draw final : public Fields {
 public:
  /// inRange prefers small numbers at first. Names and types have no small ones.
  void visit_number(std::string_view, Number& value, Number lo, Number hi, const NumberAs& as) override {
    if (empty_range(lo, hi)) return;
    const auto range = rc::gen::inRange(static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi) + 1);
    const bool named = as.role == Role::choice || as.role == Role::tag;
    value = named ? *rc::gen::resize(rc::kNominalSize, range) : *range;
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}
  void visit_list(std::string_view, Items& items, int lo, int hi) override {
    if (empty_range(lo, hi)) return;
    items.resize(static_cast<std::size_t>(*rc::gen::inRange(lo, hi + 1)));
    items.visit_all(*this);
  }
};

using Command = rc::state::Command<Roaring::Model, SideBySide>;

template <class Kind>
class Act : public Command {
 public:
  explicit Act(const Roaring::Model& model) : setup_{model.setup} {
    Draw draw;
    RC_PRE(visit_action<Roaring>(draw, Past<Roaring>{setup_}, action_));
  }
  void run(const Roaring::Model&, SideBySide& sides) const override { RC_ASSERT(sides.agree_on(action_)); }
  void show(std::ostream& out) const override { out << action_text(any_of<Roaring>({setup_, {action_}}), 0); }

 private:
  Roaring::Setup setup_;
  Roaring::Action action_{Kind{}};
};

template <class... Kind>
auto any_act(std::type_identity<std::variant<Kind...>>) {
  return rc::state::gen::execOneOfWithArgs<Act<Kind>...>();
}

std::string text_of(const Roaring::Setup& setup, const rc::state::Commands<Command>& commands) {
  std::ostringstream out;
  out << scenario_text<Roaring>({.setup = setup, .actions = {}});
  showValue(commands, out);
  return out.str();
}

/// One run of RapidCheck. The file is written before each scenario. After a failure it has the last scenario that
/// failed, which is the one that RapidCheck reports.
bool check(const std::string& file, unsigned seconds) {
  std::string failing;
  const bool passed = rc::check("boundaries and library agree", [&] {
    const auto setup = *rc::gen::exec([] {
      Draw draw;
      Roaring::Setup drawn;
      visit_setup<Roaring>(draw, drawn);
      return drawn;
    });
    // The two steps of rc::state::check, so that the commands can be written down first.
    const Roaring::Model model{setup};
    const auto commands = *rc::state::gen::commands(model, any_act(std::type_identity<Roaring::Action>{}));
    const std::string text = text_of(setup, commands);
    std::ofstream{file} << text;
    alarm(seconds);
    try {
      SideBySide sides{setup};
      rc::state::runAll(commands, model, sides);
      RC_ASSERT(sides.have_equal_members());
    } catch (...) {
      failing = text;
      alarm(0);
      throw;
    }
    alarm(0);
  });
  if (!passed) std::ofstream{file} << failing;
  return passed;
}

}  // namespace
}  // namespace lockstep::lab

/// RapidCheck's report shows a setup as text.
void showValue(const Roaring::Setup& setup, std::ostream& out) {
  out << lockstep::setup_text(lockstep::any_of<Roaring>({setup, {}}));
}

int main(int argc, char** argv) {
  const int seconds = argc == 3 ? std::atoi(argv[2]) : 0;
  if (seconds <= 0) {
    std::cerr << "usage: lab_peers_rapidcheck SCENARIO SECONDS\n";
    return 2;
  }
  return lockstep::lab::check(argv[1], static_cast<unsigned>(seconds)) ? 0 : 1;
}
