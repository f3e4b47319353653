#include "lockstep/services/showing.hpp"

#include <algorithm>

#include "lockstep/side_by_side.hpp"
#include "lockstep/words.hpp"

namespace lockstep {

Parsed<ShownPosition> shown_position(const Verdict& verdict, std::size_t actions, const ShowOptions& options) {
  if (verdict.state == Verdict::State::cannot_judge) throw InternalError{"not judged: " + verdict.reason};
  const std::size_t differs_at = verdict.divergence ? verdict.divergence->step : actions;
  ShownPosition out{.step = options.step.value_or(differs_at), .total = actions};
  if (out.step > actions) {
    return text_error(0, 0,
                      std::string{"there "} + (actions == 1 ? "is " : "are ") + counted(actions, "action") +
                          ": --step must be from 0 to " + std::to_string(actions));
  }
  if (verdict.divergence && dies(*verdict.divergence) && out.step >= differs_at) out.dead = verdict.divergence->blamed;
  return out;
}

std::string show_text(std::string_view system, const ShownPosition& shown, const std::vector<DrawnBy>& drawn,
                      const std::string& difference, const ShowOptions& options) {
  std::string out =
      std::string{system} + ", after " + std::to_string(shown.step) + " of " + counted(shown.total, "action");
  if (shown.step > 0) out += " (the last: " + shown.actions.back() + ")";
  out += "\n";
  if (shown.step > 1 && !options.file.empty()) out += "all actions: " + options.file + ", below the line 'actions'\n";
  out += "\n";
  const auto with_before = std::ranges::find_if(drawn, [](const DrawnBy& by) { return !by.drawn.before.empty(); });
  if (shown.step > 1 && with_before == drawn.end()) {
    const std::size_t earlier = shown.step - shown.actions.size();
    out += "actions:\n" + (earlier > 0 ? "  … " + counted(earlier, "earlier action") + "\n" : "");
    for (const auto& action : shown.actions) out += "  " + action + "\n";
    out += "\n";
  }
  std::vector<Panel> panels;
  if (with_before != drawn.end()) panels.push_back({"before", with_before->drawn.before, {}});
  const std::size_t first = panels.size();
  for (const auto& [implementation, each] : drawn) panels.push_back({implementation, each.after, each.answer});
  out += side_by_side(panels, first, options.layout);
  if (!difference.empty()) return out + "\n" + difference + "\n";
  if (drawn.size() == 1) return out;  // nothing was compared
  return out + "\nall " + counted(drawn.size(), "implementation") + " agree on all " + counted(shown.total, "action") +
         "\n";
}

}  // namespace lockstep
