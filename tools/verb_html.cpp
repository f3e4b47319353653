// lockstep html: writes a finding, or a run, as a page that a browser shows.
#include "lockstep/process/files.hpp"
#include "lockstep/process/shared_files.hpp"
#include "page/page.hpp"
#include "programs/problems.hpp"
#include "tools/fuzz_report.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

struct HtmlOptions : FailureOptions {
  std::vector<std::string> more;
  std::string out;
};

/// The scenario as an input of the original problem; empty if it is none.
std::optional<std::string> input_of(const LoadedScenario& loaded) {
  const AnyProblem* const problem = loaded.system->problem();
  if (problem == nullptr || !problem->has_domain()) return std::nullopt;
  const auto one = SystemInputs{*problem}.case_of(loaded.text);
  return one ? std::optional{one->input} : std::nullopt;
}

/// The system's module; empty if it was not built. A module that is beside the program is of the same build.
std::string module_of(std::string_view system) {
  const auto file = shared_file(std::filesystem::path{"modules"} / (std::string{system} + ".wasm.gz"));
  return file ? read_file(*file).value_or("") : std::string{};
}

page::Content content_of(const LoadedScenario& loaded, const HtmlOptions& options) {
  page::Content out;
  out.system = loaded.system->name();
  out.file = loaded.source();
  out.replay = replay_command(loaded.path, loaded.implementations, program_command());
  const auto named = split_names(options.with);  // the file does not name these, so the command does
  if (!named.empty() && out.replay.find(" --with ") == std::string::npos) out.replay += " --with " + joined(named, ",");
  out.scenario = loaded.text;
  out.input = input_of(loaded);
  out.judged = replay_of(loaded.scenario, loaded.implementations, options.guard);
  out.implementations = loaded.system->implementations();
  if (out.judged.verdict.state == Verdict::State::cannot_judge)
    throw InternalError{"not judged: " + out.judged.explanation};
  const auto& divergence = out.judged.verdict.divergence;
  if (divergence ? divergence->kind == DivergenceKind::memory : loaded.notes.memory()) {
    throw BadInput{loaded.memory_notice()};
  }
  out.recording = recording_of(loaded.scenario, loaded.implementations,
                               divergence ? divergence->step : out.judged.actions, options.guard);
  if (divergence) {
    out.explanation = explanation_of(loaded.scenario, loaded.implementations, options.guard, options.time());
  }
  out.module = module_of(out.system);
  return out;
}

/// FINDING.txt → FINDING.html, beside it.
std::filesystem::path path_of(const HtmlOptions& options) {
  if (!options.out.empty()) return options.out;
  if (options.file == "-") throw BadInput{"html reads standard input only with --out FILE"};
  return std::filesystem::path{options.file}.replace_extension(".html");
}

void html(const HtmlOptions& options) {
  const std::filesystem::path path = path_of(options);
  std::string text = read_input(options.file);
  const bool is_run = page::is_json(text);
  if (!is_run && !options.more.empty())
    throw BadInput{options.file + " is a scenario, and not a run: leave " + options.more.front() + " out"};
  std::vector<std::string> given = options.more;
  given.push_back(options.file);
  for (const auto& file : given) {
    std::error_code fault;
    if (std::filesystem::equivalent(path, file, fault))
      throw BadInput{path.string() + (is_run ? " is read for the page" : " is the scenario itself") +
                     ": name another file with --out"};
  }
  if (is_run) {
    std::vector<page::RunFile> more;
    for (const auto& file : options.more) more.push_back({source_name(file), read_input(file)});
    write_run_page(path, {source_name(options.file), std::move(text)}, std::move(more));
  } else {
    const LoadedScenario loaded = load_scenario(options.file, std::move(text), split_names(options.with));
    write_output(path, page::html_of(content_of(loaded, options)));
  }
  fmt::print("{}\n", path.string());
}

}  // namespace

void add_html(CLI::App& program, int& exit_code) {
  const auto [verb, options] = add_verb<HtmlOptions>(
      program, "html", "Writes a scenario or a run as a page that a browser shows", exit_code, html);
  add_failure_options(*verb, *options, "A finding or any other scenario file, or the run that fuzz --json wrote",
                      "Time limit for finding out what matters to the failure (explain)");
  verb->add_option(
      "MORE", options->more,
      "For the page of a run: what labels, canaries, explore, lockstep-prove and compare wrote with --json");
  verb->add_option("-o,--out", options->out, "The page; default: FILE with the ending .html")->type_name("FILE");
  verb->footer(exit_codes("written") +
               "\nexample: lockstep html findings/SYSTEM-0123456789abcdef.txt\n"
               "example: lockstep html run.json labels.json certificate.json");
}

}  // namespace lockstep
