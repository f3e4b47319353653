// lockstep labels: counts the feature values that each generator reaches, compares the counts with floors, and searches
// for a scenario that shows a given value.
#include "lockstep/base/numbers.hpp"
#include "lockstep/services/labelling.hpp"
#include "lockstep/system/implementations.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct LabelsOptions {
  std::vector<std::string> systems;
  CorpusOption corpus;
  std::string floors;
  std::string update_floors;
  std::string search;
  std::string out;
  std::uint64_t seed = 1;
  std::uint64_t runs = 1'000;
  std::uint64_t tries = 200'000;
  bool json = false;
};

/// The texts of the corpus. Says which that is.
std::vector<std::string> corpus_of_system(const LabelsOptions& options, const AnySystem& system) {
  const auto corpus = corpus_of(options.corpus, {std::string{system.name()}});
  if (!options.json) std::cerr << system.name() << ": " << about_corpus(corpus, system.name()) << "\n";
  return corpus_texts(corpus, system.name());
}

// Printing ------------------------------------------------------------------------------------

/// "37 %", "2.1 %", "<0.1 %", "." for none.
std::string share(std::uint64_t part, std::uint64_t whole) {
  if (part == 0) return ".";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent < 0.1) return "<0.1 %";
  return percent < 10 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

void print_features(const LabelTable& table) {
  if (table.features.empty())
    return fmt::print("  the system has no features to count (lockstep/describe/features.hpp)\n");
  std::string head = fmt::format("  {:15}", "feature, value");
  for (const auto& generator : table.generators) head += fmt::format("  {:>9}", generator.name);
  fmt::print("{}\n", head);
  for (std::size_t f = 0; f < table.features.size(); ++f) {
    std::string rows;
    for (std::size_t b = 0; b < feature_buckets; ++b) {
      const std::size_t index = f * feature_buckets + b;
      if (std::ranges::none_of(table.generators, [&](const auto& generator) { return generator.showing[index] > 0; }))
        continue;
      rows += fmt::format("    {:13}", table.bucket_text(f, b));
      for (const auto& generator : table.generators)
        rows += fmt::format("  {:>9}", share(generator.showing[index], generator.scenarios));
      rows += "\n";
    }
    if (!rows.empty()) fmt::print("  {}\n{}", table.features[f].name, rows);
  }
}

void print_limits(const LabelTable& table) {
  fmt::print(
      "\n  limits of the rules: the generators that reach the values just below, at and just\n  beyond each limit\n");
  std::string_view rule;
  for (const LimitLabel& label : limit_labels(table)) {
    if (label.limit.rule != rule) {
      const auto& feature = table.features[label.limit.feature];
      fmt::print("{}", described("", fmt::format("{} ({})", label.limit.rule, feature.name), 2));
    }
    rule = label.limit.rule;
    const std::string reached_by = !label.nothing.empty()     ? "impossible: " + std::string{label.nothing}
                                   : label.generators.empty() ? "no generator"
                                                              : joined(label.generators, ", ");
    fmt::print("    {:6} {}: {}\n", label.side, label.value, reached_by);
  }
}

void print(const LabelTable& table) {
  std::string about = fmt::format("{}: seed {}, shares of {} for each generator", table.system, table.seed,
                                  counted(table.runs, "scenario"));
  if (table.generators.back().name == "corpus")
    about += fmt::format(", and of {} of the corpus", counted(table.generators.back().scenarios, "scenario"));
  fmt::print("{}\n", wrapped(about, text_columns));
  print_features(table);
  if (!table.limits.empty()) print_limits(table);
  fmt::print("\n");
}

nlohmann::ordered_json json_of(const LabelTable& table, const std::vector<std::string>& complaints) {
  nlohmann::ordered_json generators = nlohmann::json::array();
  for (const auto& generator : table.generators)
    generators.push_back({{"name", generator.name}, {"scenarios", generator.scenarios}});
  nlohmann::ordered_json features = nlohmann::json::array();
  for (std::size_t f = 0; f < table.features.size(); ++f) {
    nlohmann::ordered_json values = nlohmann::json::object();
    for (std::size_t b = 0; b < feature_buckets; ++b) {
      nlohmann::ordered_json counts = nlohmann::json::object();
      for (const auto& generator : table.generators) {
        if (const auto n = generator.showing[f * feature_buckets + b]; n > 0) counts[generator.name] = n;
      }
      if (!counts.empty()) values[table.bucket_text(f, b)] = counts;
    }
    features.push_back({{"name", table.features[f].name}, {"values", values}});
  }
  nlohmann::ordered_json limits = nlohmann::json::array();
  for (const LimitLabel& label : limit_labels(table)) {
    nlohmann::ordered_json one{{"rule", label.limit.rule},
                               {"feature", table.features[label.limit.feature].name},
                               {"side", label.side},
                               {"value", label.value},
                               {"ways", label.generators}};
    if (!label.nothing.empty()) one["nothing"] = label.nothing;
    limits.push_back(one);
  }
  return {{"system", table.system}, {"seed", table.seed}, {"runs", table.runs},      {"ways", generators},
          {"features", features},   {"limits", limits},   {"complaints", complaints}};
}

// Counting and checking ------------------------------------------------------------------------

/// The counts below their floors, and the values at limits that no generator reaches.
std::vector<std::string> complaints_of(const LabelTable& table, const Floors& floors) {
  std::vector<std::string> out = below_floors(table, floors);
  if (std::string fault = fault_of_limits(table); !fault.empty()) out.push_back(std::move(fault));
  for (const LimitLabel& label : limit_labels(table)) {
    if (!label.missing()) continue;
    out.push_back(fmt::format("no generator reaches {} = {}, just {} the limit '{}'",
                              table.features[label.limit.feature].name, label.value, label.side, label.limit.rule));
  }
  return out;
}

int count_labels(const LabelsOptions& options) {
  nlohmann::ordered_json results = nlohmann::json::array();
  bool failed = false;
  for (const AnySystem* system : systems_named(options.systems)) {
    Floors floors{options.seed, options.runs, {}};
    const bool checks = !options.floors.empty();
    if (checks) {
      const std::string file = floors_file(options.floors, system->name());
      floors = value_of(parse_floors(read_input(file)), file);
    }
    const LabelTable table = count_labels(system->vocabulary(), fastest_of(system->vocabulary()), floors.seed,
                                          floors.runs, corpus_of_system(options, *system));
    const std::vector<std::string> complaints = checks ? complaints_of(table, floors) : std::vector<std::string>{};
    failed |= !complaints.empty();
    if (!options.update_floors.empty())
      write_output(floors_file(options.update_floors, system->name()), floors_text(table));
    if (options.json) results.push_back(json_of(table, complaints));
    else if (!checks) print(table);
    else if (complaints.empty())
      fmt::print("{}: {} and {} hold\n", system->name(), counted(floors.floors.size(), "floor"),
                 counted(table.limits.size(), "limit"));
    for (const auto& complaint : complaints) std::cerr << system->name() << ": " << complaint << "\n";
  }
  if (options.json) print_json({{"systems", results}});
  return failed ? exit_diverged : exit_agreed;
}

// Searching -----------------------------------------------------------------------------------

/// The feature, and the value that a scenario should show.
std::pair<std::size_t, std::int64_t> wanted_of(const LabelsOptions& options, const AnySystem& system) {
  const std::size_t equals = options.search.rfind('=');
  std::string name = options.search.substr(0, equals);
  while (name.ends_with(' ')) name.pop_back();
  std::string digits = equals == std::string::npos ? "" : options.search.substr(equals + 1);
  while (digits.starts_with(' ')) digits.erase(0, 1);
  const auto value = number_in(digits);
  if (!value || *value < INT64_MIN || *value > INT64_MAX)
    throw BadInput{"--search '" + options.search + "': expected FEATURE=NUMBER"};
  std::vector<std::string> known;
  for (const Feature& feature : system.features()) known.emplace_back(feature.name);
  return {place_of("feature", name, known, " of " + std::string{system.name()}), static_cast<std::int64_t>(*value)};
}

int search(const LabelsOptions& options) {
  if (options.systems.size() != 1) throw BadInput{"--search takes one system: labels SYSTEM --search FEATURE=NUMBER"};
  const AnySystem& system = system_named(options.systems[0]);
  const auto [feature, value] = wanted_of(options, system);
  const LabelFound found = find_label(system.vocabulary(), fastest_of(system.vocabulary()), feature, value,
                                      options.seed, options.tries, corpus_of_system(options, system));
  if (found.distance > 0) {
    std::cerr << "no scenario among " << found.tries << " shows it"
              << (found.distance == UINT64_MAX ? std::string{}
                                               : "; the nearest is " + std::to_string(found.distance) + " away")
              << "\n";
    return exit_diverged;
  }
  std::cerr << "found after " << counted(found.tries, "scenario") << "\n";
  if (options.out.empty()) fmt::print("{}", found.text);
  else if (!keep_or_print(options.out, "scenario", found.text)) return exit_bad_input;
  return exit_agreed;
}

int labels(const LabelsOptions& options) { return options.search.empty() ? count_labels(options) : search(options); }

}  // namespace

void add_labels(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<LabelsOptions>(
      program, "labels", "Counts what each generator reaches, and searches for what they miss", exit_code, labels);
  verb->add_option("SYSTEM", options->systems, "The systems; default: all");
  add_number(*verb, "--seed", options->seed, whole_number(), "Seed of the scenarios");
  add_number(*verb, "--runs", options->runs, whole_number(1, 100'000'000), "Scenarios for each generator");
  add_corpus_option(*verb, options->corpus, "Seed corpus");
  add_path(*verb, "--floors", "FOLDER", options->floors,
           "Compare the counts with the floors in FOLDER/SYSTEM.txt, with the seed and runs given there");
  add_path(*verb, "--update-floors", "FOLDER", options->update_floors, "Write FOLDER/SYSTEM.txt from the counts")
      ->excludes("--floors");
  verb->add_option("--search", options->search,
                   "FEATURE=NUMBER: search for a scenario that shows this value, shrink it and print it")
      ->type_name("FEATURE=N")
      ->excludes("--floors")
      ->excludes("--update-floors");
  add_number(*verb, "--tries", options->tries, whole_number(1, 1'000'000'000),
             "Maximum number of scenarios that a search tries");
  add_path(*verb, "-o,--out", "FILE", options->out, "File for the scenario of a search; default: standard output");
  verb->add_flag("--json", options->json, "Print one JSON object with all counts");
  verb->footer(
      exit_codes("done", "a count is below its floor, no generator reaches a limit, or a search found nothing") +
      "\nexample: lockstep labels SYSTEM --search 'FEATURE=9'");
}

}  // namespace lockstep
