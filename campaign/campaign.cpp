#include "campaign/campaign.hpp"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "campaign/compared.hpp"
#include "campaign/engine.hpp"
#include "campaign/findings.hpp"
#include "campaign/hunt.hpp"
#include "campaign/known_mistakes.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/seconds.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/judge/signature.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/services/report.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

/// J / 2 targets run beside J workers. The Linux scheduler gives a process of this niceness about half the weight of one at
/// normal priority. So the targets get (J / 2) × 1/2 of a total weight of J + (J / 2) × 1/2: a fifth of the processors.
constexpr int target_niceness = 3;

/// What the fault begins with that has the text of a finding without a file.
constexpr const char* unwritten = "a finding could not be written (";

class Campaign {
 public:
  Campaign(const CampaignOptions& options, const AnySystem& system, const CampaignCallbacks& callbacks,
           const CampaignResult* before)
      : options_{options}, callbacks_{callbacks} {
    if (before != nullptr) {
      result_ = *before;
      // These may have changed since the earlier run: they come from the engines and the file of known mistakes again.
      result_.mended.clear();
      result_.notes.clear();
      result_.processor = {};
      std::erase_if(result_.faults, [](const std::string& fault) { return fault.starts_with(unwritten); });
      showed_before_ = std::exchange(result_.ignored_signatures, {});
    }
    result_.system = &system;
    result_.implementations = implementations_to_judge(system, options.with);
    refuse_unknown_actions();
    used_before_ = result_.seconds;
  }

  CampaignResult run() {
    start_ = Clock::now();
    for (const auto& found : result_.findings) note_known(found.finding);  // of the campaign that is resumed
    if (!options_.ignore.empty()) ignore_known_mistakes();  // before anything that takes time: a file may be missing
    if (options_.hunt_canary && !result_.canary.found) hunt();
    if (!ends_the_search()) search();
    if (!unfinished().empty()) finish_shrinking();
    write_missing_findings();
    refuse_campaign_without_actions();
    result_.seconds = used();
    add_sample(result_);
    result_.finished = !callbacks_.interrupted();
    return std::move(result_);
  }

 private:
  /// A running engine. Worker number i draws the scenarios i, i + jobs, i + 2 · jobs, … of the shard's part of the stream,
  /// which begins at shard.index and takes every shard.count-th scenario, however many jobs each shard has.
  struct Running {
    std::unique_ptr<Engine> engine;  // null once it has ended
    std::string name;
    std::optional<std::size_t> worker = {};  // the worker's number; empty: a libFuzzer target
  };

  double used() const { return used_before_ + seconds_since(start_); }
  Clock::time_point deadline() const { return start_ + as_duration(options_.seconds - used_before_); }

  /// Indices of the findings whose shrinking was cut short because the search continued (--keep-going), or because it was
  /// the hunt that found them.
  std::vector<std::size_t> unfinished() const {
    std::vector<std::size_t> out;
    const bool cut_short = options_.keep_going || found_in_hunt_;
    for (std::size_t i = 0; cut_short && i < result_.findings.size(); ++i) {
      const Finding& finding = result_.findings[i].finding;
      // What leaks was shrunk to the end when it was found.
      if (finding.minimal || finding.unstable || finding.divergence.kind == DivergenceKind::memory) continue;
      out.push_back(i);
    }
    return out;
  }
  /// At most the last quarter of the time is for these findings.
  Clock::time_point search_end() const {
    const std::size_t rounds = (unfinished().size() + options_.jobs - 1) / options_.jobs;
    const auto needed = std::chrono::duration<double>(further_shrink_time) * static_cast<double>(rounds);
    return deadline() - as_duration(std::min(options_.seconds / 4, needed.count()));
  }

  EngineOptions engine_options() const {
    return {.system = result_.system,
            .implementations = result_.implementations,
            .part = {.seed = options_.seed,
                     .end = options_.runs > 0 ? options_.runs : UINT64_MAX,
                     .corpus = options_.corpus,
                     .exchange = exchange_folder(),
                     .deadline = deadline(),
                     .keep_going = options_.keep_going,
                     .ignored = ignored_,
                     .without = options_.without,
                     .actions_max = options_.actions_max,
                     .compared = {&compared_numbers, &record_comparisons}},
            .timeout = options_.timeout,
            .known = &known_};
  }

  std::filesystem::path exchange_folder() const {
    if (!options_.exchange.empty()) return options_.exchange / result_.system->name();
    return exchange_ ? exchange_->path() : std::filesystem::path{};
  }

  /// An unstable finding does not end the search: it may have no scenario that shows it again.
  bool ends_the_search() const {
    const auto stable = [](const Found& found) { return !found.finding.unstable; };
    return !options_.keep_going && std::ranges::any_of(result_.findings, stable);
  }
  bool has_minimal_finding() const {
    return std::ranges::any_of(result_.findings, [](const Found& found) { return found.finding.minimal; });
  }

  void refuse_unknown_actions() const {
    const auto known = result_.system->action_names();
    const auto left_out = [&](const auto& kind) {
      return std::ranges::find(options_.without, kind) != options_.without.end();
    };
    if (!known.empty() && std::ranges::all_of(known, left_out)) throw BadInput{"--without leaves no kind of action"};
    for (const auto& kind : options_.without) {
      if (std::ranges::find(known, kind) == known.end()) throw BadInput{unknown_name("action", kind, known)};
    }
  }

  void ignore_known_mistakes() {
    const IgnoredMistakes ignored =
        ignored_mistakes(options_.ignore, *result_.system, result_.implementations, Guard{options_.timeout});
    ignored_ = ignored.signatures;
    result_.mended.insert(ignored.mended.begin(), ignored.mended.end());
    for (const auto& [signature, showed] : ignored.showed) {
      const bool drawn = std::ranges::find(options_.without, parts_of(signature).action) == options_.without.end();
      const auto earlier = showed_before_.find(signature);
      if (drawn)
        result_.ignored_signatures[signature] |= showed || (earlier != showed_before_.end() && earlier->second);
    }
    known_.insert(ignored_.begin(), ignored_.end());
  }

  void note_known(const Finding& finding) {
    known_.insert(finding.signature);
    if (!finding.unstable) known_scenarios_.insert(finding.scenario);
  }
  bool is_known(const Finding& finding) const {
    if (known_scenarios_.contains(finding.scenario)) return true;
    return known_.contains(finding.signature) || (!finding.unstable && !known_as(ignored_, finding.divergence).empty());
  }

  void hunt() {
    const std::string canary = chosen_canary(*result_.system, options_.seed + options_.shard.index);
    if (canary.empty()) return;
    result_.canary = hunt_canary(engine_options(), canary, deadline(), [&](std::uint64_t scenarios) {
      callbacks_.progress(
          {.system = result_.system, .canary = canary, .total = {.scenarios = scenarios}, .seconds = used()});
      return !callbacks_.interrupted();
    });
    result_.canary.seconds = used();
    result_.processor = {.used = result_.canary.processor_seconds, .available = seconds_since(start_)};
    if (result_.canary.found) ++result_.engines[result_.canary.engine].canaries;
    for (const auto& fault : result_.canary.faults) {
      result_.faults.push_back("the hunt for the canary " + canary + ": " + fault);
    }
    auto others = std::exchange(result_.canary.others, {});
    found_in_hunt_ = !others.empty();
    for (auto& finding : others) report(std::move(finding));
  }

  void search() {
    const auto begin = Clock::now();
    start_engines();
    const auto side_by_side =
        std::min<double>(static_cast<double>(engines_.size()), std::thread::hardware_concurrency());
    while (!engines_.empty()) {
      const bool stop = callbacks_.interrupted() || Clock::now() >= search_end() || ends_the_search();
      const bool complete = stop && !options_.keep_going && has_minimal_finding();
      for (Running& running : engines_) {
        if (stop) running.engine->stop();
        if (complete) running.engine->stop_shrinking();  // a minimal finding does not wait for those of other workers
        poll(running);
      }
      std::erase_if(engines_, [](const Running& running) { return running.engine == nullptr; });
      report_progress();
      // Short at first, so that a short campaign does not spend its time sleeping.
      std::this_thread::sleep_for(std::chrono::milliseconds{used() > 0.1 ? 5 : 1});
    }
    result_.processor.used += ended_seconds_;
    result_.processor.available += seconds_since(begin) * side_by_side;
  }

  void finish_shrinking() {
    const auto places = unfinished();
    std::vector<Finding> begun;
    for (const std::size_t place : places) begun.push_back(result_.findings[place].finding);
    const auto shrunk = [&](std::size_t i, Finding now) {
      Found& found = result_.findings[places[i]];
      const bool same = now.signature == found.finding.signature;
      if (now.divergence.signature() != found.finding.divergence.signature()) return;
      if (!same && known_.contains(now.signature)) return;  // that of another finding
      now.shrunk_from(found.finding);
      // A minimal one may need other conditions: then its file has another name.
      const auto written = write(now, same ? found.file : "");
      if (!written) {
        if (found.file.empty()) found.finding = std::move(now);  // it is told at the end
        else result_.faults.push_back(written.error());          // the earlier text stays
        return;
      }
      std::error_code none;
      if (!found.file.empty() && found.file != *written) std::filesystem::remove(found.file, none);
      found = {std::move(now), *written};
      known_.insert(found.finding.signature);
      checkpoint();
      callbacks_.found(result_, found);
    };
    const auto goes_on = [&] {
      report_progress();
      return !callbacks_.interrupted();
    };
    const auto all_begun = shrink_further(*result_.system, result_.implementations, begun,
                                          {.timeout = options_.timeout,
                                           .jobs = options_.jobs,
                                           .time_max = further_shrink_time,
                                           .deadline = deadline(),
                                           .known = ignored_},
                                          shrunk, goes_on);
    if (!all_begun) result_.faults.push_back(all_begun.error());
    drop_equal_findings();
  }

  /// Tries again to write findings that could not be written. If that fails, a fault has the text.
  void write_missing_findings() {
    for (Found& found : result_.findings) {
      if (!found.file.empty()) continue;
      if (auto written = write(found.finding)) {
        found.file = std::move(*written);
        callbacks_.found(result_, found);
      } else {
        result_.faults.push_back(unwritten + written.error() + "). The finding:\n" + finding_text(found.finding));
      }
    }
  }

  /// Writes the finding to its file, in place of what it has; one that has none yet gets one.
  std::expected<std::string, std::string> write(const Finding& finding, const std::string& file = {}) const {
    if (file.empty()) return write_numbered(options_.out / finding.file_name, *result_.system, finding_text(finding));
    const auto written = keep_file(file, finding_text(finding));
    return written ? std::expected<std::string, std::string>{file} : std::unexpected(written.error());
  }

  /// Two findings that were begun may end in the same scenario, or in two with one signature.
  void drop_equal_findings() {
    std::set<std::string> scenarios;
    Signatures signatures;
    std::erase_if(result_.findings, [&](const Found& found) {
      if (found.finding.unstable) return false;
      const bool is_new = signatures.insert(found.finding.signature).second;
      if (scenarios.insert(found.finding.scenario).second && is_new) return false;
      std::error_code none;
      if (!found.file.empty()) std::filesystem::remove(found.file, none);
      --result_.engines[found.finding.engine].findings;
      return true;
    });
  }

  /// A few scenarios may have no action by chance.
  void refuse_campaign_without_actions() {
    const auto sum = result_.total();
    if (sum.scenarios < 64 || sum.steps > 0 || !result_.findings.empty()) return;
    result_.faults.push_back("nothing was compared: in " + counted(sum.scenarios, "scenario") +
                             " no action was possible; look for an action's bounds that have no value, as 5 to 1");
  }

  void start_engines() {
    const auto from = wanted_generators(options_.engines);
    const auto targets = wanted_targets(options_);
    const std::size_t workers = from.empty() ? 0 : options_.jobs;
    if (!options_.exchange.empty()) std::filesystem::create_directories(exchange_folder());
    else if (workers + targets.size() > 1) exchange_.emplace();
    result_.next.resize(workers, 0);
    for (std::size_t i = 0; i < workers; ++i) {
      const auto [first, stride] = numbers_of(options_.shard, options_.jobs, i);
      EngineOptions options = engine_options();
      options.part.first = result_.next[i] = std::max(result_.next[i], first);
      options.part.stride = stride;
      options.part.generators = from;
      engines_.push_back({.engine = start_worker(options), .name = "built-in", .worker = i});
    }
    for (const auto& process : targets) {
      const int niceness = workers > 0 ? target_niceness : 0;
      engines_.push_back({.engine = start_fuzz_target(engine_options(), process, options_.runs, niceness),
                          .name = process.target.engine});
    }
  }

  void poll(Running& running) {
    const bool alive = running.engine->poll();
    note_detection(*running.engine);  // now, because the other engines use processor time while this one shrinks
    collect_reach(running);
    for (auto& finding : running.engine->take_findings()) report(std::move(finding));
    if (running.worker && running.engine->place() > 0) result_.next[*running.worker] = running.engine->place() - 1;
    if (!alive) finish(running);
  }

  /// Collects what the engine has reached. A feature is credited to the engine that reached it first.
  void collect_reach(const Running& running) {
    const auto& stats = running.engine->stats();
    result_.longest = std::max(result_.longest, stats.longest.load());
    const auto kinds = result_.system->vocabulary().kinds();
    for (std::size_t i = 0; result_.kinds_drawn.size() < kinds.size() && i < kinds.size(); ++i) {
      if (i >= stats.kinds.size() || stats.kinds[i].load() != 0) result_.kinds_drawn.emplace(kinds[i].name);
    }
    const FeatureSet fresh = stats.reached() & ~result_.features;
    if (fresh.none()) return;
    const auto names = running.engine->names();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (!fresh[i]) continue;
      const std::size_t generator = std::min<std::size_t>(stats.features[i].load(), names.size()) - 1;
      ++result_.engines[names[generator]].features;
    }
    result_.features |= fresh;
  }

  void report(Finding finding) {
    if (is_known(finding)) {
      const std::string as = known_as(ignored_, finding.divergence);
      const auto ignored = result_.ignored_signatures.find(as.empty() ? finding.signature : as);
      if (ignored != result_.ignored_signatures.end()) ignored->second = true;
      return;
    }
    note_known(finding);
    finding.seconds = used();
    finding.scenarios += so_far().total().scenarios;  // before the hunt's own count
    std::string file = write(finding).value_or("");
    ++result_.engines[finding.engine].findings;
    result_.findings.push_back({std::move(finding), std::move(file)});
    checkpoint();  // before the callback prints the finding: no printed finding is lost
    callbacks_.found(result_, result_.findings.back());
  }

  /// Collects the results of an engine that has ended.
  void finish(Running& running) {
    add_tallies(running, result_);
    const std::string note = running.engine->note();
    for (const auto& fault : running.engine->faults()) result_.faults.push_back(running.name + ": " + fault);
    if (!note.empty()) result_.notes.insert(running.name + " " + note);
    ended_seconds_ += running.engine->processor_seconds();
    ended_scenarios_ += running.engine->stats().scenarios.load();
    result_.ignored += running.engine->stats().ignored.load();
    for (auto& [signature, showed] : result_.ignored_signatures)
      showed = showed || running.engine->stats().has_ignored(signature);
    running.engine.reset();
  }

  static void add_tallies(const Running& running, CampaignResult& to) {
    const auto names = running.engine->names();
    for (std::size_t generator = 0; generator < names.size(); ++generator) {
      const auto& tally = running.engine->stats().by_generator[generator];
      if (tally.scenarios.load() == 0) continue;
      // Workers measure their judgements. A target's time includes its engine's own work.
      const double seconds =
          running.worker ? static_cast<double>(tally.time_ns.load()) * 1e-9 : running.engine->processor_seconds();
      to.engines[names[generator]] +=
          {.scenarios = tally.scenarios.load(), .steps = tally.steps.load(), .seconds = seconds};
    }
  }

  void note_detection(const Engine& engine) {
    const auto& stats = engine.stats();
    const std::uint64_t at = stats.diverged_at_ns.load();
    if (at == 0) return;
    const double seconds = used_before_ + static_cast<double>(at) * 1e-9 -
                           std::chrono::duration<double>(start_.time_since_epoch()).count();
    if (result_.detected && result_.detected->seconds <= seconds) return;
    Detection detection{
        .seconds = std::max(0.0, seconds),
        .processor_seconds = ended_seconds_ + static_cast<double>(stats.diverged_processor_ns.load()) * 1e-9,
        .scenarios = ended_scenarios_ + stats.diverged_after.load()};
    for (const Running& other : engines_) {
      if (!other.engine || other.engine.get() == &engine) continue;
      detection.processor_seconds += other.engine->processor_seconds();
      detection.scenarios += other.engine->stats().scenarios.load();
    }
    result_.detected = detection;
  }

  /// The result up to now, including the counts of the running engines.
  CampaignResult so_far() const {
    CampaignResult out = result_;
    out.seconds = used();
    for (const Running& running : engines_) {
      if (running.engine) add_tallies(running, out);
    }
    return out;
  }

  void add_sample(const CampaignResult& now) { result_.timeline.add(now.seconds, now.features.count(), now.engines); }

  void checkpoint() {
    checkpoint_at_ = Clock::now();
    callbacks_.checkpoint(so_far());
  }

  void report_progress() {
    if (Clock::now() - checkpoint_at_ > std::chrono::seconds{1}) checkpoint();
    if (Clock::now() - progress_at_ < std::chrono::milliseconds{100}) return;
    progress_at_ = Clock::now();
    const CampaignResult now = so_far();
    if (result_.timeline.due(now.seconds)) add_sample(now);
    CampaignProgress progress{
        .system = result_.system, .total = now.total(), .findings = result_.findings.size(), .seconds = now.seconds};
    for (const Running& running : engines_) ++progress.running[running.name];
    callbacks_.progress(progress);
  }

  const CampaignOptions& options_;
  const CampaignCallbacks& callbacks_;
  CampaignResult result_;
  bool found_in_hunt_ = false;                 // the hunt for the canary has found something else
  std::map<std::string, bool> showed_before_;  // ignored_signatures of the campaign that is resumed
  Signatures known_;                           // of the findings and known mistakes
  Signatures ignored_;                         // of known mistakes
  std::set<std::string> known_scenarios_;      // canonical texts of the findings
  std::optional<ScratchFolder> exchange_;
  std::vector<Running> engines_;
  double ended_seconds_ = 0;           // processor time of the engines that have ended
  std::uint64_t ended_scenarios_ = 0;  // likewise, scenarios
  double used_before_ = 0;
  Clock::time_point start_;
  Clock::time_point checkpoint_at_ = Clock::now();
  Clock::time_point progress_at_;
};

}  // namespace

CampaignResult run_campaign(const CampaignOptions& options, const AnySystem& system, const CampaignCallbacks& callbacks,
                            const CampaignResult* before) {
  return Campaign{options, system, callbacks, before}.run();
}

}  // namespace lockstep
