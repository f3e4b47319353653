#include "lockstep/judge/conditions.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "lockstep/base/words.hpp"
#include "lockstep/describe/reduce.hpp"
#include "lockstep/judge/signature.hpp"

namespace lockstep {
namespace {

constexpr std::size_t conditions_max = 8;
constexpr std::size_t values_max = 32;

/// Lists the conditions of an action, or changes one of them.
class Conditions final : public Fields {
 public:
  struct Change {
    std::size_t condition;
    std::size_t value;
  };

  explicit Conditions(std::optional<Change> change = {}) : change_{change} {}

  std::vector<Condition> all;

  void visit_number(std::string_view name, Number& value, Number lo, Number hi, const NumberAs& as) override {
    if (as.role != Role::choice || as.unnamed || value < lo || value > hi) return;
    std::vector<std::string> names{as.names.begin(), as.names.end()};
    if (const auto next = taken(name, std::move(names), static_cast<std::size_t>(value - lo)))
      value = lo + static_cast<Number>(*next);
  }
  void visit_optional(std::string_view name, Items& value) override {
    if (const auto next = taken(name, {"none", "some"}, value.size())) value.resize(*next);
    inside(name, [&] { value.visit_all(*this); });
  }
  void visit_variant(std::string_view name, Alternatives& value) override {
    std::vector<std::string> tags;
    for (std::size_t i = 0; i < value.count(); ++i) tags.push_back(value.tag(i));
    if (const auto next = taken(name, std::move(tags), value.index())) value.select(*next);
    inside(name, [&] { value.visit(*this); });
  }
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> fields) override {
    inside(name, [&] { fields(*this); });
  }
  void visit_list(std::string_view name, Items& items, int lo, int hi) override {
    if (lo > 0 || hi < 1) return;
    if (const auto next = taken(name, {"empty", "some"}, items.size() == 0 ? 0 : 1)) items.resize(*next);
  }
  void board(std::string_view, Grid&, int, int, const Alphabet&) override {}

 private:
  std::string full(std::string_view name) const {
    return around_ + (around_.empty() ? "" : ".") + std::string{name.empty() ? "value" : name};
  }
  void inside(std::string_view name, FunctionRef<void()> visit) {
    const std::string before = std::exchange(around_, full(name));
    visit();
    around_ = before;
  }
  /// Notes a condition. The value that it is to have, if it is to change.
  std::optional<std::size_t> taken(std::string_view name, std::vector<std::string> values, std::size_t value) {
    const bool told_apart = values.size() >= 2 && values.size() <= values_max && std::ranges::all_of(values, is_name);
    if (!told_apart || all.size() == conditions_max) return std::nullopt;
    std::string now = values[value];
    all.push_back({full(name), std::move(values), std::move(now)});
    if (!change_ || change_->condition + 1 != all.size()) return std::nullopt;
    return change_->value;
  }

  std::optional<Change> change_;
  std::string around_;  // the name of the compound value that is being visited; empty at the top
};

}  // namespace

std::vector<Condition> conditions_of(const AnyScenario& scenario, std::size_t action) {
  Conditions list;
  scenario.read_action(action, list);
  return std::move(list.all);
}

std::optional<AnyScenario> with_condition(const AnyScenario& scenario, std::size_t action, std::string_view name,
                                          std::string_view value) {
  const std::vector<Condition> all = conditions_of(scenario, action);
  const auto condition = std::ranges::find(all, name, &Condition::name);
  if (condition == all.end()) return std::nullopt;
  const auto wanted = std::ranges::find(condition->values, value);
  if (wanted == condition->values.end()) return std::nullopt;
  Conditions change{Conditions::Change{static_cast<std::size_t>(condition - all.begin()),
                                       static_cast<std::size_t>(wanted - condition->values.begin())}};
  AnyScenario out = scenario;
  out.visit_action(action, change);
  refit_one(out, action);
  if (out.size() != scenario.size()) return std::nullopt;
  const std::vector<Condition> changed = conditions_of(out, action);
  const auto now = std::ranges::find(changed, name, &Condition::name);
  return now != changed.end() && now->value == value ? std::optional{std::move(out)} : std::nullopt;
}

AnyScenario without_known(const AnyScenario& scenario, std::size_t action, std::string_view signature) {
  const auto needed = parse_conditions(parts_of(signature).conditions);
  for (const Condition& condition : conditions_of(scenario, action)) {
    const auto failing = needed.find(condition.name);
    if (failing == needed.end()) continue;
    for (const std::string& value : condition.values) {
      if (failing->second.contains(value)) continue;
      if (auto changed = with_condition(scenario, action, condition.name, value)) return *std::move(changed);
    }
  }
  return without_actions(scenario, action, 1);
}

std::string needed_conditions(const JudgeFunction& judge, const AnyScenario& scenario, const Divergence& divergence) {
  const bool has_action = divergence.step > 0 && divergence.action != at_the_end;
  if (!has_action || divergence.kind == DivergenceKind::hang) return {};
  const std::size_t action = divergence.step - 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
  std::string out;
  for (const Condition& condition : conditions_of(scenario, action)) {
    std::vector<std::string> failing;
    for (const std::string& value : condition.values) {
      if (std::chrono::steady_clock::now() > end) break;
      const auto fails = [&] {
        const auto changed = with_condition(scenario, action, condition.name, value);
        if (!changed) return true;
        const Verdict verdict = judge(*changed);
        return verdict.divergence && verdict.divergence->signature() == divergence.signature();
      };
      if (value == condition.value || fails()) failing.push_back(value);
    }
    if (std::chrono::steady_clock::now() > end) break;
    if (failing.size() < condition.values.size())
      out += (out.empty() ? std::string{before_conditions} : " ") + condition.name + "=" + joined(failing, "|");
  }
  return out;
}

}  // namespace lockstep
