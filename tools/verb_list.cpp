// lockstep list: prints the systems and their implementations.
#include "lockstep/system/processor.hpp"
#include "tools/sarif.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct ListOptions {
  bool json = false;
  bool canaries = false;
};

void list(const ListOptions& options) {
  nlohmann::ordered_json systems = nlohmann::json::array();
  bool has_batch = false;  // which runs at the level of the processor
  for (const AnySystem* system : all_systems()) {
    nlohmann::ordered_json implementations = nlohmann::json::array();
    if (!options.json) fmt::print("{}\n", system->name());
    for (const auto& implementation : system->implementations()) {
      if ((implementation.kind == Kind::canary) != options.canaries) continue;
      has_batch |= implementation.kind == Kind::batch;
      implementations.push_back({{"name", implementation.name},
                                 {"kind", to_string(implementation.kind)},
                                 {"file", source_uri(source_file(implementation))},
                                 {"line", implementation.where.line()}});
      if (!options.json) {
        const std::string_view kind = options.canaries ? "" : to_string(implementation.kind);
        fmt::print("{}", described(fmt::format("  {:<{}} {}", implementation.name, options.canaries ? 0 : 14, kind),
                                   implementation.about, options.canaries ? 34 : 28));
      }
    }
    systems.push_back({{"name", system->name()}, {"implementations", implementations}});
  }
  if (!options.json) {
    if (leaves_out_implementations()) fmt::print("{}\n", left_out_hint());
    else if (has_batch) fmt::print("{}\n", wrapped("level: " + about_level(), text_columns));
    return;
  }
  const nlohmann::ordered_json level = {{"in_use", to_string(level_in_use())},
                                        {"of_processor", to_string(level_of_processor())},
                                        {"missing", missing_for(Level::avx512vbmi)}};
  print_json({{"systems", systems}, {"level", level}});
}

}  // namespace

void add_list(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<ListOptions>(program, "list", "Lists the systems and their implementations", exit_code, list);
  verb->add_flag(
      "--json", options->json,
      "Print JSON: of each of the \"systems\" its name, and of its \"implementations\" name, kind, file and line; "
      "\"level\": in_use, of_processor, missing");
  verb->add_flag("--canaries", options->canaries,
                 "List the canaries instead: implementations that are wrong on purpose");
  verb->footer(exit_codes("listed") + "\nexample: lockstep list --canaries");
}

}  // namespace lockstep
