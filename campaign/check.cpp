#include "lockstep/program/check.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

#include "campaign/campaign.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// The value of an environment variable, as `read` returns it; nullopt if it is not set or empty.
template <class Value>
std::optional<Value> number_from_environment(const char* name, Value most, const char* expected, auto&& read) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  if (const auto value = read(text); value && *value >= 0 && *value <= most) return static_cast<Value>(*value);
  throw BadInput{std::string{name} + ": expected " + expected + ", got '" + text + "'"};
}

constexpr double seconds_max = 1e7;

CheckOptions with_environment(CheckOptions options) {
  if (const auto seed = number_from_environment("LOCKSTEP_SEED", UINT64_MAX, "a whole number", number_in))
    options.seed = *seed;
  if (!(options.timeout > 0 && options.timeout <= seconds_max))
    throw BadInput{"CheckOptions::timeout: expected seconds, above 0 and at most 10000000, got " +
                   std::to_string(options.timeout)};
  if (!options.text.empty()) return options;  // nothing is searched
  if (const auto seconds =
          number_from_environment("LOCKSTEP_SECONDS", seconds_max, "seconds, from 0 to 10000000", floating::in_text)) {
    options.seconds = *seconds;
    options.scenarios = 0;
  }
  if (options.seconds >= 0 && options.seconds <= seconds_max) return options;
  throw BadInput{"CheckOptions::seconds: expected seconds from 0 to 10000000, got " + std::to_string(options.seconds)};
}

/// The files to replay: those of the folder, or the one file. BadInput if there is no such folder, because a check whose
/// corpus is misspelt would judge less than its author believes.
CorpusFiles files_of(const fs::path& corpus) {
  if (corpus.empty()) return {};
  std::error_code none;
  if (fs::is_regular_file(corpus, none)) return {corpus};
  auto files = corpus_files(corpus);
  if (files) return std::move(*files);
  throw BadInput{"the corpus " + files.error() + " (in " + fs::current_path(none).string() +
                 "): create the folder, or leave CheckOptions::corpus out"};
}

std::string nothing_judged(const AnySystem& system) { return std::string{system.name()} + ": nothing was judged: "; }

class Check {
 public:
  Check(const AnySystem& system, const CheckOptions& options) : system_{system}, options_{with_environment(options)} {
    refuse_mistakes(system);
    names_ = implementations_to_judge(system, {});
  }

  CheckResult run() {
    try {
      if (!options_.text.empty()) judge("the text", options_.text);
      for (const auto& file : files_of(options_.corpus)) replay(file);
      if (wrong_.empty() && (options_.scenarios > 0 || options_.seconds > 0)) search();
    } catch (const std::exception& fault) {  // what was found before stays in the report
      wrong_ += (scenarios_ == 0 ? nothing_judged(system_) : std::string{system_.name()} + ": ") + fault.what() + "\n";
    }
    if (wrong_.empty() && scenarios_ == 0)
      wrong_ = "nothing was judged: the corpus has no scenario and nothing was searched\n";
    if (!wrong_.empty()) return {false, scenarios_, wrong_};
    return {true, scenarios_,
            std::string{system_.name()} + ": " + joined(names_, ", ") + " agree on " + counted(scenarios_, "scenario") +
                " (seed " + std::to_string(options_.seed) + ")\n" + notes_};
  }

 private:
  void replay(const fs::path& file) {
    const auto text = read_file(file);
    if (!text) return fail(file.string() + ": " + text.error());
    judge(file.string(), *text);
  }
  void judge(const std::string& source, const std::string& text) {
    const auto scenario = system_.parse(text);
    if (!scenario) return fail(scenario.error().message(source));
    const Replay replay = replay_of(*scenario, names_, Guard{timeout()});
    ++scenarios_;
    if (replay.verdict.agreed()) return;
    if (!replay.verdict.divergence) return fail(source + ": not judged: " + replay.explanation);
    fail(std::string{verdict_word(replay.hidden_state)} + " in " + source + " " + replay.explanation);
    wrong_ += indented(text, "  | ");
  }
  std::chrono::milliseconds timeout() const {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(options_.timeout));
  }
  void fail(const std::string& line) { wrong_ += line + "\n"; }

  void search() {
    const ScratchFolder scratch;
    const bool kept = !options_.findings.empty() || fs::is_directory(options_.corpus);
    CampaignOptions campaign{.runs = options_.scenarios, .seed = options_.seed};
    campaign.seconds = options_.scenarios > 0 ? no_time_limit : options_.seconds;
    campaign.out = !options_.findings.empty() ? fs::path{options_.findings}
                   : kept                     ? fs::path{options_.corpus}
                                              : scratch.path();
    campaign.corpus = options_.corpus;
    campaign.timeout = timeout();
    campaign.hunt_canary = false;
    for (const Generator generator : generators) campaign.engines.emplace_back(to_string(generator));
    const CampaignResult result = run_campaign(campaign, system_, {});
    scenarios_ += result.total().scenarios;
    for (const auto& [finding, file] : result.findings) {
      wrong_ += std::string{verdict_word(finding.hidden_state)} + " in " + std::string{system_.name()} + " " +
                finding.explanation + "\n" + indented(finding_text(finding), "  | ") + "  seed " +
                std::to_string(options_.seed) + ", after " + counted(result.total().scenarios, "scenario") +
                (kept && !file.empty() ? "; kept as " + file : "") + "\n";
    }
    for (const auto& note : result.notes) notes_ += std::string{system_.name()} + ": " + note + "\n";
    for (const auto& fault : result.faults) wrong_ += std::string{system_.name()} + ": " + fault + "\n";
  }

  const AnySystem& system_;
  CheckOptions options_;
  std::vector<std::string> names_;
  std::uint64_t scenarios_ = 0;
  std::string wrong_;  // why the check fails, in whole lines
  std::string notes_;  // lines that change nothing
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const CheckResult& result) { return out << result.report(); }

CheckResult check_system(const AnySystem& system, const CheckOptions& options) {
  try {
    return Check{system, options}.run();
  } catch (const std::exception& fault) {  // wrong options
    return {false, 0, nothing_judged(system) + fault.what() + "\n"};
  }
}

CheckResult check_implementations(const SystemParts& parts, const std::vector<Runner>& implementations,
                                  const CheckOptions& options) {
  struct RegistryExchanged {
    RegistryExchanged(std::vector<Runner>& all, std::vector<Runner> own)
        : registered{all}, others{std::exchange(all, std::move(own))} {}
    ~RegistryExchanged() { registered = std::move(others); }
    std::vector<Runner>& registered;
    std::vector<Runner> others;
  };
  const RegistryExchanged own{parts.vocabulary.implementations(), implementations};
  return check_system(AnySystem{parts}, options);
}

}  // namespace lockstep
