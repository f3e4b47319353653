#include "campaign/migrate.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "lockstep/lines.hpp"
#include "lockstep/random.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/text.hpp"
#include "lockstep/words.hpp"

namespace lockstep {
namespace {

using Change = MigrationRule::Kind;

constexpr std::string_view setup_subject = "setup";
constexpr std::string_view action_subject = "action";

// Reading rules -------------------------------------------------------------------------------

struct Form {
  std::string_view verb;
  Change kind;
  std::size_t words;
  std::string_view shape;
};
constexpr Form forms[] = {{"add", Change::add, 4, "add SUBJECT FIELD VALUE"},
                          {"rename", Change::rename, 4, "rename SUBJECT OLD NEW"},
                          {"remove", Change::remove, 3, "remove SUBJECT FIELD"},
                          {"bound", Change::bound, 5, "bound SUBJECT FIELD LOWEST HIGHEST"}};

Parsed<MigrationRule> rule_of(const text::Line& line) {
  const auto& words = line.words;
  const auto* const form = std::ranges::find(forms, words[0].text, &Form::verb);
  if (form == std::end(forms)) {
    return text_error(line.number, words[0].column,
                      "expected add, rename, remove or bound, got '" + std::string{words[0].text} + "'");
  }
  if (words.size() != form->words) {
    return text_error(line.number, words[0].column, "expected " + std::string{form->shape});
  }
  MigrationRule rule{.kind = form->kind,
                     .subject = std::string{words[1].text},
                     .name = std::string{words[2].text},
                     .value = std::string{words.size() > 3 ? words[3].text : std::string_view{}},
                     .line = line.number};
  const bool changes_fields = rule.kind == Change::add || rule.kind == Change::bound;
  if (rule.subject == action_subject && changes_fields) {
    return text_error(line.number, words[1].column, "an action is renamed or removed; fields need its name");
  }
  if (rule.kind != Change::bound) return rule;
  for (const std::size_t bound : {std::size_t{3}, std::size_t{4}}) {
    const auto number = number_in(words[bound].text);
    if (!number) return text_error(line.number, words[bound].column, "expected a whole number");
    (bound == 3 ? rule.lo : rule.hi) = *number;
  }
  if (rule.lo > rule.hi) return text_error(line.number, words[3].column, "the lowest value is above the highest");
  return rule;
}

/// Whether a second run of both rules could change what the first run made. In the first run, the earlier rule does not
/// see what the later one makes: a name, or lines of its subject. In the second it does.
bool disturbs(const MigrationRule& earlier, const MigrationRule& later) {
  const bool same = earlier.subject == later.subject;
  if (later.kind == Change::add && same && earlier.name == later.name) return true;
  if (later.kind == Change::rename && same && earlier.name == later.value) return true;
  const bool takes = later.kind == Change::rename || later.kind == Change::remove;
  if (earlier.kind == Change::add && takes && same && earlier.name == later.name) return true;
  const bool names_lines = later.subject == setup_subject || later.subject == action_subject;
  return later.kind == Change::rename && names_lines && earlier.subject == later.value;
}

// Applying them -------------------------------------------------------------------------------

/// A line of the text, and its number before any rule.
struct Raw {
  std::string text;
  int number;
};

std::vector<text::Word> words_of(const Raw& raw) {
  auto lines = text::lines_of(raw.text);
  return lines.empty() ? std::vector<text::Word>{} : std::move(lines.front().words);
}

class Rewriter {
 public:
  Rewriter(std::string_view text, const AnySystem& system, const std::vector<MigrationRule>& rules)
      : rules_{rules}, order_{setup_fields(system)} {
    for (int number = 1; !text.empty(); ++number) lines_.push_back({std::string{take_line(text)}, number});
  }

  /// A rule of those that the constructor was given.
  void apply(const MigrationRule& rule) {
    find_sections();
    if (rule.subject == setup_subject) return apply_to_setup(rule);
    if (rule.subject == action_subject) return apply_to_actions(rule);
    for (std::size_t i = setup_; i < lines_.size(); ++i) {
      const auto words = words_of(lines_[i]);
      if (!words.empty() && words[0].text == rule.subject) apply_to_record(rule, lines_[i], words);
    }
  }

  /// The first error of a rule.
  const std::optional<TextError>& error() const { return error_; }

  std::string text() const {
    std::string out;
    for (const Raw& line : lines_) out.append(line.text).append("\n");
    return out;
  }

  /// The same error, with the line's number before any rule.
  TextError in_old_text(TextError error) const {
    if (error.line < 1 || lines_.empty()) return error;
    const auto line = std::min(static_cast<std::size_t>(error.line), lines_.size()) - 1;
    return {lines_[line].number, error.column, "after the rules: " + error.what};
  }

 private:
  /// The names of the setup's fields and lists in the described order. The simplest scenario has all fields; its lists are
  /// empty, so they come from drawn scenarios.
  static const std::vector<std::string>& setup_fields(const AnySystem& system) {
    static std::map<const AnySystem*, std::vector<std::string>> known;
    const auto [of_system, is_new] = known.try_emplace(&system);
    if (is_new) of_system->second = listed_fields(system);
    return of_system->second;
  }
  static std::vector<std::string> listed_fields(const AnySystem& system) {
    const auto names_in = [&system](std::span<const std::uint8_t> bytes, auto&& wanted) {
      std::vector<std::string> out;
      const std::string scenario = system.encoding().unpack(bytes).value();
      for (const auto& line : text::lines_of(scenario)) {
        if (line.words[0].text == "actions") break;
        const bool repeated = !out.empty() && out.back() == line.words[0].text;
        if (line.number > 1 && !repeated && wanted(line)) out.emplace_back(line.words[0].text);
      }
      return out;
    };
    const auto fields = names_in({}, [](const text::Line&) { return true; });
    std::vector<std::string> longest = fields;
    Random random{1};
    for (int sample = 0; sample < 16; ++sample) {
      std::vector<std::uint8_t> bytes(200);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
      auto names = names_in(bytes, [&](const text::Line& line) {  // not the rows of boards
        return line.words.size() > 1 || std::ranges::find(fields, line.words[0].text) != fields.end();
      });
      if (names.size() > longest.size()) longest = std::move(names);
    }
    return longest;
  }

  void find_sections() {
    setup_ = lines_.size();
    actions_ = lines_.size();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto words = words_of(lines_[i]);
      if (words.empty()) continue;
      if (setup_ == lines_.size()) {
        setup_ = i + 1;  // behind the line "lockstep 1 NAME"
      } else if (words.size() == 1 && words[0].text == "actions") {
        actions_ = i;
        return;
      }
    }
  }

  void fail(const Raw& line, const text::Word& word, std::string what) {
    if (!error_) error_ = TextError{line.number, word.column, std::move(what)};
  }

  static void replace(Raw& line, std::string_view part, std::string_view by) {
    line.text.replace(static_cast<std::size_t>(part.data() - line.text.data()), part.size(), by);
  }

  /// Moves a number between the bounds; `part` is a part of the line.
  void bring_inside(const MigrationRule& rule, Raw& line, const text::Word& word, std::string_view part) {
    const auto number = number_in(part);
    if (!number) return fail(line, word, "'" + rule.name + "' is no number, so it has no bounds");
    if (*number < rule.lo || *number > rule.hi) replace(line, part, to_text(std::clamp(*number, rule.lo, rule.hi)));
  }

  /// The first line of the setup that begins with this name.
  std::optional<std::size_t> setup_line(std::string_view name) const {
    for (std::size_t i = setup_; i < actions_; ++i) {
      const auto words = words_of(lines_[i]);
      if (!words.empty() && words[0].text == name) return i;
    }
    return std::nullopt;
  }

  void apply_to_setup(const MigrationRule& rule) {
    if (rule.kind == Change::add) return add_to_setup(rule);
    const auto other = rule.kind == Change::rename ? setup_line(rule.value) : std::nullopt;
    for (std::size_t i = setup_; i < actions_; ++i) {
      const auto words = words_of(lines_[i]);
      if (words.empty() || words[0].text != rule.name) continue;
      if (rule.kind == Change::rename) {
        if (other) return fail(lines_[i], words[0], "there is a '" + rule.value + "' already");
        replace(lines_[i], words[0].text, rule.value);
      } else if (words.size() < 2) {
        return fail(lines_[i], words[0], "'" + rule.name + "' is a board: rules change fields of one line");
      } else if (rule.kind == Change::bound) {
        bring_inside(rule, lines_[i], words[1], words[1].text);
      } else {
        erase_line(i--);
      }
    }
  }

  void erase_line(std::size_t i) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < actions_) --actions_;
  }

  /// What the rules behind this one make of the name of a field.
  std::string_view renamed_after(const MigrationRule& rule, std::string_view name) const {
    for (auto later = rules_.begin() + (&rule - rules_.data()) + 1; later != rules_.end(); ++later) {
      if (later->kind == Change::rename && later->subject == setup_subject && later->name == name) name = later->value;
    }
    return name;
  }

  /// Before the first field that is described after it.
  void add_to_setup(const MigrationRule& rule) {
    if (setup_line(rule.name)) return;
    const auto own = std::ranges::find(order_, rule.name);
    std::size_t at = actions_;
    for (std::size_t i = setup_; i < actions_ && at == actions_; ++i) {
      const auto words = words_of(lines_[i]);
      const auto is_behind = [&](std::string_view name) { return std::find(own, order_.end(), name) != order_.end(); };
      if (!words.empty() && own != order_.end() && is_behind(renamed_after(rule, words[0].text))) at = i;
    }
    const int number = at > 0 ? lines_[at - 1].number : 1;
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), {rule.name + " " + rule.value, number});
  }

  void apply_to_actions(const MigrationRule& rule) {
    for (std::size_t i = actions_ + 1; i < lines_.size(); ++i) {
      const auto words = words_of(lines_[i]);
      if (words.empty() || words[0].text != rule.name) continue;
      if (rule.kind == Change::rename) replace(lines_[i], words[0].text, rule.value);
      else erase_line(i--);
    }
  }

  void apply_to_record(const MigrationRule& rule, Raw& line, const std::vector<text::Word>& words) {
    const auto field = [&](std::string_view name) {
      return std::ranges::find_if(words.begin() + 1, words.end(), [&](const text::Word& word) {
        return word.text.size() > name.size() && word.text.starts_with(name) && word.text[name.size()] == '=';
      });
    };
    const auto own = field(rule.name);
    if (rule.kind == Change::add) {
      const auto end = static_cast<std::size_t>(words.back().text.data() - line.text.data()) + words.back().text.size();
      if (own == words.end()) line.text.insert(end, " " + rule.name + "=" + rule.value);
      return;
    }
    if (own == words.end()) return;
    switch (rule.kind) {
      case Change::rename:
        if (field(rule.value) != words.end()) return fail(line, *own, "there is a '" + rule.value + "' already");
        return replace(line, own->text.substr(0, rule.name.size()), rule.value);
      case Change::bound: return bring_inside(rule, line, *own, own->text.substr(rule.name.size() + 1));
      case Change::remove: {
        const auto& before = (own - 1)->text;
        const char* const end = before.data() + before.size();
        return replace(line, {end, static_cast<std::size_t>(own->text.data() + own->text.size() - end)}, "");
      }
      case Change::add: return;
    }
  }

  const std::vector<MigrationRule>& rules_;
  const std::vector<std::string>& order_;
  std::vector<Raw> lines_;
  std::size_t setup_ = 0;    // the first line of the setup
  std::size_t actions_ = 0;  // the line "actions", or the end
  std::optional<TextError> error_;
};

/// The first rule without which the others make a scenario of the text; null if there is none.
const MigrationRule* rule_in_the_way(const Migration& migration, const AnySystem& system, std::string_view text) {
  for (std::size_t i = 0; i < migration.rules.size(); ++i) {
    Migration others = migration;
    others.rules.erase(others.rules.begin() + static_cast<std::ptrdiff_t>(i));
    if (migrated(others, system, text)) return &migration.rules[i];
  }
  return nullptr;
}

}  // namespace

Parsed<Migration> parse_migration(std::string_view text) {
  const auto lines = text::lines_of(text);
  const auto system = text::system_of(lines);
  if (!system) return std::unexpected(system.error());
  Migration out{.system = *system, .rules = {}};
  for (const auto& line : lines) {
    if (&line == &lines.front()) continue;
    const auto rule = rule_of(line);
    if (!rule) return std::unexpected(rule.error());
    const auto other = std::ranges::find_if(out.rules, [&](const auto& earlier) { return disturbs(earlier, *rule); });
    if (other != out.rules.end()) {
      return text_error(
          line.number, line.words[0].column,
          "a second run would change more: an earlier rule is about '" + other->subject + " " + other->name + "'");
    }
    out.rules.push_back(*rule);
  }
  return out;
}

Parsed<std::string> migrated(const Migration& migration, const AnySystem& system, std::string_view text) {
  const auto name = text::system_of(text::lines_of(text));
  if (!name) return std::unexpected(name.error());
  if (*name != migration.system) return text_error(1, 1, "the rules are for " + migration.system + ", not " + *name);
  Rewriter rewriter{text, system, migration.rules};
  for (const auto& rule : migration.rules) {
    rewriter.apply(rule);
    if (rewriter.error()) return std::unexpected(*rewriter.error());
  }
  std::string out = rewriter.text();
  if (out == std::string{text} + "\n") out.pop_back();  // the last line has no newline
  if (auto read = system.judging().canonical(out); !read) {
    return std::unexpected(out == text ? read.error() : rewriter.in_old_text(read.error()));
  }
  return out;
}

std::optional<WrongRule> wrong_rule(const Migration& migration, const AnySystem& system, std::string_view text) {
  bool was_scenario = system.judging().canonical(text).has_value();
  const MigrationRule* since = nullptr;  // it made no scenario of one, and none behind it did
  const MigrationRule* failed = nullptr;
  Rewriter rewriter{text, system, migration.rules};
  for (const auto& rule : migration.rules) {
    rewriter.apply(rule);
    if (rewriter.error()) {
      failed = &rule;
      break;
    }
    const bool is_scenario = system.judging().canonical(rewriter.text()).has_value();
    if (is_scenario) since = nullptr;
    else if (was_scenario && since == nullptr) since = &rule;
    was_scenario = was_scenario || is_scenario;
  }
  const MigrationRule* const wrong = !was_scenario       ? rule_in_the_way(migration, system, text)
                                     : failed != nullptr ? failed
                                                         : since;
  if (wrong == nullptr) return std::nullopt;
  return WrongRule{.rule = wrong, .applied = wrong != failed};
}

}  // namespace lockstep
