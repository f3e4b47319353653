#include "tools/report_files.hpp"

#include <iterator>
#include <map>

#include "lockstep/services/finding_json.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

void ReportFiles::add_to(CLI::App& verb) {
  add_path(verb, "--sarif", "FILE", sarif_,
           "Also write the findings to this file, as SARIF for code hosts and editors");
  add_path(verb, "--junit", "FILE", junit_, "Also write the results to this file, as JUnit's XML");
}

std::string ReportFiles::given() const {
  std::string out;
  if (!sarif_.empty()) out += " --sarif " + shell_word(sarif_);
  if (!junit_.empty()) out += " --junit " + shell_word(junit_);
  return out;
}

void ReportFiles::begin(std::string_view verb, const std::string& html) const {
  const std::map<std::string, std::string> files{{"--html", html}, {"--junit", junit_}, {"--sarif", sarif_}};
  for (auto one = files.begin(); one != files.end(); ++one) {
    for (auto other = std::next(one); other != files.end(); ++other) {
      if (!one->second.empty() && one->second == other->second)
        throw BadInput{one->first + " and " + other->first + " name the same file, " + one->second};
    }
  }
  constexpr const char* unfinished = "the run did not end";
  if (!sarif_.empty())
    begin_file(sarif_, sarif_text({.verb = verb, .errors = {unfinished}, .exit_code = exit_internal_error}));
  if (!junit_.empty()) {
    begin_file(junit_, junit_text("lockstep " + std::string{verb},
                                  {junit_error(verb, "end of the run", "unfinished", unfinished)}));
  }
}

void begin_file(const std::string& path, const std::string& text) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) throw BadInput{path + " is a folder; expected a file"};
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) return;
  write_output(path, text);
}

int ReportFiles::write(const SarifRun& run, const std::vector<JunitCase>& cases) const {
  const int exit_code = after_writing(run.exit_code, [&] {
    if (!sarif_.empty()) write_output(sarif_, sarif_text(run));
  });
  return after_writing(exit_code, [&] {
    if (!junit_.empty()) write_output(junit_, junit_text("lockstep " + std::string{run.verb}, cases));
  });
}

int after_writing(int exit_code, const std::function<void()>& write) {
  try {
    write();
  } catch (const BadInput& error) {
    complain(error.what());
    if (exit_code == exit_agreed) return exit_bad_input;
  }
  return exit_code;
}

nlohmann::ordered_json json_of(const Finding& finding, const std::string& file) {
  const nlohmann::json members = finding;
  nlohmann::ordered_json out{{"file", file}, {"blamed", finding.divergence.blamed}};
  for (const char* const name : {"signature", "engine", "explanation", "minimal", "hidden_state", "unstable", "seconds",
                                 "scenarios", "actions"}) {
    out[name] = members.at(name);
  }
  return out;
}

JunitCase junit_case(const SarifResult& result, std::string name, double seconds) {
  return {.suite = std::string{result.system->name()},
          .name = std::move(name),
          .seconds = seconds,
          .outcome = JunitCase::Outcome::failure,
          .type = std::string{to_string(result.finding.divergence.kind)},
          .message = result.message(),
          .details = "replay it: " + result.replay() + "\n\n" + result.text};
}

}  // namespace lockstep
