// Migrates scenarios to a changed description of their system, by rules that are kept in one file:
//
//   lockstep 1 lru                   the system
//   add setup ttl 60                 what has no field ttl gets one
//   rename setup size capacity
//   bound setup capacity 1 64        numbers outside move to the nearest bound
//   remove setup colour
//   rename get k key                 instead of setup: an action, or a list of the setup
//   add put ttl 0
//   rename action put store          an action itself; later rules use its new name
//   remove action touch              all actions of this kind
//
// Rules are applied in their order, to the words of a text: comments and everything that no rule is about stay. A text
// that follows the new description already is not changed, so that rules can stay in their file and be applied again.
//
// Rules do not see inside compound values ({…}, […]), do not remove boards, and do not renumber references to results of
// actions that are removed. The migrated text must be a scenario of the system. A text that is none, because
// a rule is missing, is an error; it is never repaired.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/describe.hpp"
#include "lockstep/error.hpp"

namespace lockstep {

struct MigrationRule {
  enum class Kind { add, rename, remove, bound };
  Kind kind;
  std::string subject;  // "setup", "action", or the name of an action or list
  std::string name;     // the field, or the action of subject "action"
  std::string value;    // of add: the new value; of rename: the new name
  Number lo = 0;        // of bound
  Number hi = 0;
  int line = 0;  // of the file of rules
};

struct Migration {
  std::string system;
  std::vector<MigrationRule> rules;
};

/// An error if a second run of the rules could change more than the first, for example when a rule changes what a later
/// rule creates.
Parsed<Migration> parse_migration(std::string_view text);

/// The text after all rules, which is a scenario of the system; the same text if no rule applies. An error names the
/// line of the text as it was.
Parsed<std::string> migrated(const Migration& migration, const AnySystem& system, std::string_view text);

/// A rule because of which a text is no scenario.
struct WrongRule {
  const MigrationRule* rule;
  bool applied;  // false: it cannot be applied to the text
};

/// The rule that is wrong, if `migrated` fails for a text that is a scenario before some of the rules: the rule that cannot
/// be applied, else the one since which the text is no scenario. For any other text, which may be of the old form, the
/// rule without which the others make a scenario of it. None: the text may be damaged, or a rule may be missing.
std::optional<WrongRule> wrong_rule(const Migration& migration, const AnySystem& system, std::string_view text);

}  // namespace lockstep
