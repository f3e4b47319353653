#include "lockstep/draw/labels.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "lockstep/base/lines.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/base/words.hpp"

namespace lockstep {
namespace {

/// Fills in the generators that show the value, if one must.
LimitLabel with_generators(LimitLabel label, const LabelTable& table) {
  if (!label.nothing.empty()) return label;
  const std::size_t index = feature_index(table.features, label.limit.feature, label.value);
  for (const auto& generator : table.generators) {
    if (generator.showing[index] > 0) label.generators.push_back(generator.name);
  }
  return label;
}

/// Parses a whole number; nullopt if the text is not one.
std::optional<std::uint64_t> number_of(std::string_view text) {
  const auto value = number_in(text);
  if (!value || *value < 0 || *value > UINT64_MAX) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

}  // namespace

std::vector<LimitLabel> limit_labels(const LabelTable& table) {
  std::vector<LimitLabel> out;
  for (const Limit& limit : table.limits) {
    out.push_back(with_generators({limit, "below", limit.at - 1, limit.nothing_below}, table));
    out.push_back(with_generators({limit, "at", limit.at}, table));
    out.push_back(with_generators({limit, "beyond", limit.at + 1, limit.nothing_beyond}, table));
  }
  return out;
}

std::string fault_of_limits(const LabelTable& table) {
  for (const LimitLabel& label : limit_labels(table)) {
    if (!label.nothing.empty()) continue;  // values that cannot occur need no bucket
    const Limit& limit = label.limit;
    const std::int64_t value = label.value;
    const auto bucket = [&](std::int64_t of) { return feature_bucket(of, table.features[limit.feature].around); };
    // A value has a bucket of its own if both neighbours are in other buckets.
    const bool lowest = value == 0 || (value == limit.at && !limit.nothing_below.empty());  // none is negative
    const bool highest = value == limit.at && !limit.nothing_beyond.empty();
    if ((!lowest && bucket(value - 1) == bucket(value)) || (!highest && bucket(value + 1) == bucket(value))) {
      return "the limit '" + std::string{limit.rule} + "' shares the bucket of " + std::to_string(value) +
             " with other values";
    }
  }
  return "";
}

Parsed<Floors> parse_floors(std::string_view text) {
  Floors out;
  const auto refused = [](int line) {
    return text_error(line, 1, "expected 'seed N', 'runs N' or 'FEATURE = VALUE: GENERATOR COUNT …'");
  };
  for (int line = 1; !text.empty(); ++line) {
    std::string_view rest = take_line(text);
    if (rest.empty() || rest.front() == '#') continue;
    const std::size_t colon = rest.rfind(": ");
    if (colon == std::string_view::npos) {
      const std::string_view word = take_word(rest);
      const auto number = number_of(rest);
      if (!number || (word != "seed" && word != "runs")) return refused(line);
      (word == "seed" ? out.seed : out.runs) = *number;
      continue;
    }
    const std::string_view label = rest.substr(0, colon);
    const std::size_t equals = label.rfind(" = ");
    if (equals == std::string_view::npos) return refused(line);
    for (rest.remove_prefix(colon + 2); !rest.empty();) {
      const std::string_view generator = take_word(rest);
      const auto least = number_of(take_word(rest));
      if (!least) return refused(line);
      out.floors.push_back({std::string{generator}, *least, std::string{label.substr(0, equals)},
                            std::string{label.substr(equals + 3)}});
    }
  }
  return out;
}

std::string floors_file(const std::filesystem::path& folder, std::string_view system) {
  return (folder / (std::string{system} + ".txt")).string();
}

std::string floors_text(const LabelTable& table) {
  std::string out =
      "# Of so many runs of a generator, so many at least show a value at or beside a limit of the rules:\n"
      "# 'lockstep labels --floors' counts again, and fails if a count is lower.\n"
      "seed " +
      std::to_string(table.seed) + "\nruns " + std::to_string(table.runs) + "\n";
  std::set<std::string> done;  // limits may share a value
  for (const LimitLabel& label : limit_labels(table)) {
    const Feature& feature = table.features[label.limit.feature];
    const std::size_t bucket = feature_bucket(label.value, feature.around);
    const std::string what = std::string{feature.name} + " = " + table.bucket_text(label.limit.feature, bucket);
    std::string counts;
    for (const auto& generator : table.generators) {
      const std::uint64_t showing = generator.showing[label.limit.feature * feature_buckets + bucket];
      const std::uint64_t least = generator.name == "corpus" ? std::min<std::uint64_t>(showing, 1) : showing / 2;
      if (least > 0) counts += " " + generator.name + " " + std::to_string(least);
    }
    if (label.nothing.empty() && !counts.empty() && done.insert(what).second) out += what + ":" + counts + "\n";
  }
  return out;
}

std::vector<std::string> below_floors(const LabelTable& table, const Floors& floors) {
  std::vector<std::string> out;
  for (const Floor& floor : floors.floors) {
    const auto generator = std::ranges::find(table.generators, floor.generator, &LabelledGenerator::name);
    const auto named = std::ranges::find(table.features, floor.feature, &Feature::name);
    const auto feature = static_cast<std::size_t>(named - table.features.begin());
    std::size_t bucket = 0;
    while (feature < table.features.size() && bucket < feature_buckets &&
           table.bucket_text(feature, bucket) != floor.bucket) {
      ++bucket;
    }
    const bool known =
        generator != table.generators.end() && feature < table.features.size() && bucket < feature_buckets;
    const std::uint64_t showing = known ? generator->showing[feature * feature_buckets + bucket] : 0;
    if (showing >= floor.least) continue;
    std::string line = floor.generator + ": " + floor.feature + " = " + floor.bucket;
    if (!known) line += " is not counted any more";
    else line += " in " + std::to_string(showing) + " of " + counted(generator->scenarios, "scenario");
    out.push_back(line + ", the floor is " + std::to_string(floor.least));
  }
  return out;
}

}  // namespace lockstep
