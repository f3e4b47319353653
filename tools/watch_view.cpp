#include "tools/watch_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "campaign/shards.hpp"
#include "lockstep/error.hpp"
#include "lockstep/folder_lock.hpp"
#include "lockstep/lines.hpp"
#include "tools/fuzz_report.hpp"
#include "tools/numbers.hpp"
#include "tools/verbs.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using State = WatchedCampaign::State;

// Text -------------------------------------------------------------------------------------------

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The beginning of a line, as it fits; without bytes that would control the terminal.
std::string fitted(std::string_view line, std::size_t columns) {
  std::string out;
  std::size_t width = 0;
  for (const char c : line) {
    if (!continues_character(c) && width++ == columns) break;
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return out;
}

/// A command, on as many lines as it needs: cut, it could not be typed.
std::vector<std::string> broken(std::string_view command, const Window& window) {
  std::vector<std::string> out;
  while (!command.empty()) {
    std::size_t end = std::min(command.size(), window.columns);
    while (end < command.size() && continues_character(command[end])) ++end;
    out.push_back(fitted(command.substr(0, end), window.columns));
    command.remove_prefix(end);
  }
  return out;
}

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view red = "\x1b[1;31m";
constexpr std::string_view plain = "\x1b[0m";

std::string in_colour(std::string_view colour, std::string line, const Window& window) {
  return window.colours ? fmt::format("{}{}{}", colour, line, plain) : std::move(line);
}

/// "42 s", "3 min 5 s", "2 h 10 min"
std::string duration_text(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::max(0.0, seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

/// The values as a curve of one line.
std::string curve_of(const std::vector<double>& values) {
  constexpr std::array<std::string_view, 8> levels = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double most = values.empty() ? 0 : *std::ranges::max_element(values);
  std::string out;
  for (const double value : values) {
    const double share = most > 0 ? value / most : 0;
    out += levels[std::min<std::size_t>(static_cast<std::size_t>(share * 8), 7)];
  }
  return out;
}

std::string bar_text(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
  return fmt::format("[{}{}] {:3.0f}%", std::string(full, '#'), std::string(width - full, '-'),
                     100 * std::min(share, 1.0));
}

std::string_view word_of(State state) {
  switch (state) {
    case State::none: return "not started";
    case State::running: return "running";
    case State::ended: return "ended";
    case State::interrupted: return "interrupted";
    case State::unknown: return "not known whether it runs (no locks here)";
    case State::dead: return "DEAD";
  }
  return "";
}

// Numbers ----------------------------------------------------------------------------------------

EngineCounts counts_of(const EngineTally& tally) {
  return {tally.scenarios, tally.steps, tally.features, tally.findings};
}
EngineCounts sum_of(const Sample& sample) {
  EngineCounts out;
  for (const auto& [name, counts] : sample.engines) {
    out.scenarios += counts.scenarios;
    out.steps += counts.steps;
  }
  return out;
}

struct Rates {
  double scenarios = 0;
  double steps = 0;
};

/// Over the last ten seconds: of all engines, or of one.
Rates rates_of(const CampaignResult& r, const std::string& engine = {}) {
  const Sample& before = r.before;
  const auto then = engine.empty()                    ? sum_of(before)
                    : before.engines.contains(engine) ? before.engines.at(engine)
                                                      : EngineCounts{};
  const auto now = counts_of(engine.empty() ? r.total() : r.engines.at(engine));
  const double seconds = r.seconds - before.seconds;
  if (seconds < 0.05 || now.scenarios < then.scenarios || now.steps < then.steps) return {};
  return {static_cast<double>(now.scenarios - then.scenarios) / seconds,
          static_cast<double>(now.steps - then.steps) / seconds};
}

/// Steps a second and features in `width` equal parts of the time.
struct Curves {
  std::vector<double> steps;
  std::vector<double> features;
};
Curves curves_of(const CampaignResult& r, std::size_t width) {
  Curves out;
  const auto& samples = r.timeline.samples();
  const std::size_t points = std::min(width, samples.size());
  if (points < 2) return out;
  for (std::size_t i = 1; i < points; ++i) {
    const Sample& from = samples[(i - 1) * (samples.size() - 1) / (points - 1)];
    const Sample& to = samples[i * (samples.size() - 1) / (points - 1)];
    const auto steps = static_cast<double>(sum_of(to).steps) - static_cast<double>(sum_of(from).steps);
    out.steps.push_back(std::max(0.0, steps) / (to.seconds - from.seconds));
    out.features.push_back(static_cast<double>(to.features));
  }
  return out;
}

using Rows = std::vector<std::vector<std::string>>;

std::string number(std::uint64_t value) { return short_number(static_cast<double>(value)); }

std::vector<std::string> fitted_lines(std::string_view text, const Window& window) {
  std::vector<std::string> out;
  while (!text.empty()) out.push_back(fitted(take_line(text), window.columns));
  return out;
}

/// Lines of a table; the first one is its heading.
std::vector<std::string> table_lines(std::string_view table, const Window& window) {
  std::vector<std::string> out = fitted_lines(table, window);
  if (!out.empty()) out[0] = in_colour(bold, out[0], window);
  return out;
}

Rows engine_rows(const CampaignResult& r) {
  Rows rows = {{"engine", "scenarios", "a second", "steps", "a second", "features first", "findings"}};
  for (const auto& [name, tally] : r.engines) {
    const Rates rates = rates_of(r, name);
    rows.push_back({name, number(tally.scenarios), short_number(rates.scenarios), number(tally.steps),
                    short_number(rates.steps), std::to_string(tally.features), std::to_string(tally.findings)});
  }
  const EngineTally sum = r.total();
  const Rates rates = rates_of(r);
  rows.push_back({"all", number(sum.scenarios), short_number(rates.scenarios), number(sum.steps),
                  short_number(rates.steps), std::to_string(r.features.count()), std::to_string(r.findings.size())});
  return rows;
}

/// The last findings, two lines each, as many as there is room for.
std::vector<std::string> finding_lines(std::span<const CampaignResult> results, std::size_t rows,
                                       const Window& window) {
  std::vector<std::pair<const CampaignResult*, const Found*>> all;
  for (const auto& r : results) {
    for (const auto& found : r.findings) all.emplace_back(&r, &found);
  }
  std::vector<std::string> out;
  if (all.empty() || rows < 3) return out;
  const std::size_t shown = std::min(all.size(), (rows - 1) / 2);
  const std::string hidden = shown < all.size() ? fmt::format(", the last {} of {}", shown, all.size()) : "";
  out.push_back(in_colour(bold, "findings" + hidden, window));
  for (const auto& [result, found] : std::span{all}.last(shown)) {
    out.push_back(fitted(fmt::format("{} after {}: {}", found->finding.engine, duration_text(found->finding.seconds),
                                     found->finding.signature),
                         window.columns));
    out.push_back(fitted("  " + found->file, window.columns));
  }
  return out;
}

// One campaign -------------------------------------------------------------------------------------

/// Files that are read again only when they have changed.
class Changes {
 public:
  /// True if one of them is another file than the last time, or has come or gone.
  bool in(std::initializer_list<fs::path> files) {
    std::vector<std::array<std::int64_t, 4>> now;
    for (const fs::path& file : files) {
      struct stat status = {};
      if (stat(file.c_str(), &status) != 0) now.push_back({});
      else
        now.push_back(
            {static_cast<std::int64_t>(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec});
    }
    return std::exchange(seen_, now) != now;
  }

 private:
  std::vector<std::array<std::int64_t, 4>> seen_;
};

/// Of a campaign that has begun and has not ended. `run`: its state file, unless that cannot be read.
State state_of(std::optional<bool> locked, const std::optional<FuzzRun>& run) {
  if (locked == true) return State::running;
  if (run && run->interrupted) return State::interrupted;
  return locked ? State::dead : State::unknown;
}

std::string running_text(const CampaignProgress& now) {
  if (!now.canary.empty())
    return fmt::format("hunting the canary {}: {}", now.canary, short_count(now.total.scenarios, "scenario"));
  std::vector<std::string> engines;
  for (const auto& [engine, count] : now.running) engines.push_back(fmt::format("{} {}", count, engine));
  return engines.empty() ? "shrinking" : fmt::format("{} running", fmt::join(engines, " + "));
}

class Folder : public WatchedCampaign {
 public:
  explicit Folder(fs::path folder) : folder_{std::move(folder)} {}

  void look() override {
    const std::optional<bool> locked = FolderLock::held(folder_);
    std::error_code none;
    const bool has_state = fs::exists(resume_file(folder_), none);
    const bool has_ended = !has_state && locked != true && fs::exists(last_state_file(folder_), none);
    const fs::path file = has_ended ? last_state_file(folder_) : resume_file(folder_);
    if (changes_.in({file}) && (has_state || has_ended)) {
      try {
        run_ = read_fuzz_run(file, system_named);
        fault_.clear();
      } catch (const BadInput& bad) {
        // Gone since: the campaign has ended. Else it is of another version.
        if (fs::exists(file, none)) fault_ = bad.what();
      }
    }
    shows_its_end_ = has_ended;
    if (has_state || locked == true) state_ = state_of(locked, run_);
    else if (has_ended) state_ = State::ended;
    else state_ = state_ == State::none ? State::none : State::ended;
  }
  State state() const override { return state_; }

  std::vector<std::string> lines(const Window& window) const override {
    std::vector<std::string> out = {head(window)};
    if (!fault_.empty()) out.push_back(fitted(fault_, window.columns));
    if (state_ == State::ended && shows_its_end_ && run_) {
      std::ranges::copy(end_lines(window), std::back_inserter(out));
      return out;
    }
    if (state_ == State::ended) out.push_back(fitted("its result is what fuzz printed; last seen:", window.columns));
    if (state_ == State::dead || state_ == State::interrupted) {
      out.push_back(fitted("no process runs it; to resume it:", window.columns));
      for (const auto& line :
           broken("  " + program_command() + " fuzz --resume --out " + shell_word(folder_.string()), window))
        out.push_back(line);
    }
    if (!run_) {
      if (state_ == State::running) out.emplace_back("it has just begun, and has written nothing yet");
      return out;
    }
    const FuzzRun& run = *run_;
    if (run.options.runs == 0) {
      out.push_back(bar_text(used() / run.options.seconds, window.columns - 9));
    }
    out.push_back(fitted(where(), window.columns));
    if (run.results.empty()) return out;
    const CampaignResult& r = run.results.back();
    out.emplace_back();
    std::ranges::copy(table_lines(table_text(engine_rows(r), 1, 0), window), std::back_inserter(out));
    if (const Curves curves = curves_of(r, window.columns - 9);
        !curves.steps.empty() && out.size() + 3 <= window.rows) {
      out.emplace_back();
      out.push_back("steps/s  " + curve_of(curves.steps));
      out.push_back("features " + curve_of(curves.features));
    }
    if (out.size() + 4 <= window.rows) {
      const auto findings = finding_lines(run.results, window.rows - out.size() - 1, window);
      if (!findings.empty()) out.emplace_back();
      std::ranges::copy(findings, std::back_inserter(out));
    }
    out.resize(std::min(out.size(), window.rows));
    return out;
  }

 private:
  double used() const { return run_->used() + (run_->results.size() < place() ? run_->now->seconds : 0); }
  /// The number of the system that is searched, from 1.
  std::size_t place() const {
    if (run_->now && !run_->now->canary.empty()) {
      const auto at = std::ranges::find(run_->systems, run_->now->system->name());
      return static_cast<std::size_t>(at - run_->systems.begin()) + 1;
    }
    return run_->results.size();
  }

  std::string head(const Window& window) const {
    std::string out = fmt::format("{}: {}", folder_.string(), word_of(state_));
    if (run_) {
      out += fmt::format(", seed {}, {}", run_->options.seed, counted(run_->options.jobs, "job"));
      const double left = run_->options.seconds - used();
      if (state_ == State::running)
        out += run_->options.runs > 0 ? ", " + duration_text(used()) + " so far" : ", " + duration_text(left) + " left";
      else if (state_ == State::ended) out += ", after " + duration_text(used());
    }
    return in_colour(state_ == State::dead ? red : bold, fitted(out, window.columns), window);
  }
  /// How it ended: the last lines that fuzz printed, then its table, and the findings as far as there is room.
  std::vector<std::string> end_lines(const Window& window) const {
    const FuzzRun& run = *run_;
    const int exit_code = exit_code_of(run.results, false);
    std::string text = outcome_text(run.results, exit_code);
    for (const auto& remark : remarks(run)) text += "\n" + remark;
    auto out = fitted_lines(wrapped(text, window.columns), window);
    out.emplace_back();
    std::ranges::copy(table_lines(systems_table(run.results), window), std::back_inserter(out));
    const std::size_t used = out.size() + 2;  // the heading above, and an empty line
    const auto findings = finding_lines(run.results, window.rows - std::min(window.rows, used), window);
    if (!findings.empty()) out.emplace_back();
    std::ranges::copy(findings, std::back_inserter(out));
    out.resize(std::min(out.size(), window.rows - 1));
    return out;
  }
  /// "system 2 of 5: puyo; 2 built-in + 1 libfuzzer running"
  std::string where() const {
    const FuzzRun& run = *run_;
    const std::size_t at = std::max<std::size_t>(place(), 1);
    std::string out =
        fmt::format("system {} of {}: {}", at, run.systems.size(), run.systems[std::min(at, run.systems.size()) - 1]);
    if (state_ == State::running && run.now) out += "; " + running_text(*run.now);
    return out;
  }

  fs::path folder_;
  State state_ = State::none;
  bool shows_its_end_ = false;
  std::optional<FuzzRun> run_;
  std::string fault_;
  Changes changes_;
};

// Shards -------------------------------------------------------------------------------------------

class Shards : public WatchedCampaign {
 public:
  explicit Shards(fs::path folder) : folder_{std::move(folder)}, shards_(read_run(folder_).shards) {
    if (read_run(folder_).verb != "fuzz")
      throw BadInput{folder_.string() + ": its shards run " + read_run(folder_).verb + "; watch shows fuzz"};
  }

  void look() override {
    for (unsigned i = 0; i < shards_.size(); ++i) look(i);
  }
  State state() const override {
    const auto is = [](State state) { return [state](const One& one) { return one.state == state; }; };
    if (std::ranges::any_of(shards_, is(State::running)) || std::ranges::any_of(shards_, is(State::none)))
      return State::running;
    for (const State worst : {State::unknown, State::dead, State::interrupted}) {
      if (std::ranges::any_of(shards_, is(worst))) return worst;
    }
    return State::ended;
  }

  std::vector<std::string> lines(const Window& window) const override {
    std::vector<std::string> out = {head(window), ""};
    std::vector<FuzzShard> begun;
    for (const One& one : shards_) {
      if (one.shard) begun.push_back(*one.shard);
    }
    std::vector<std::string> findings;
    FuzzRun sum;
    if (!begun.empty()) {
      sum = merged(begun);
      findings = finding_lines(sum.results, std::max<std::size_t>(window.rows / 3, 3), window);
    }
    // Heading, sum and shards; what is dead first, then what runs.
    const std::size_t room = window.rows - std::min(window.rows, out.size() + findings.size() + 4);
    auto order = in_order();
    const std::size_t shown = order.size() <= room ? order.size() : std::max<std::size_t>(room, 1) - 1;
    Rows rows = {{"shard", "state", "system", "scenarios", "steps", "a second", "features", "findings"}};
    for (const std::size_t i : std::span{order}.first(shown)) rows.push_back(row_of(i));
    rows.push_back(sum_row(sum));
    auto table = table_lines(table_text(rows, 3, 0), window);
    if (shown < order.size())
      table.insert(table.end() - 1, fmt::format("… and {} more", counted(order.size() - shown, "shard")));
    std::ranges::copy(table, std::back_inserter(out));
    if (!findings.empty()) out.emplace_back();
    std::ranges::copy(findings, std::back_inserter(out));
    for (const One& one : shards_) {
      if (!one.fault.empty()) out.push_back(fitted(one.fault, window.columns));
    }
    out.resize(std::min(out.size(), window.rows));
    return out;
  }

 private:
  struct One {
    State state = State::none;
    std::optional<FuzzShard> shard = {};
    std::string fault = {};
    Changes changes = {};
  };

  void look(unsigned i) {
    One& one = shards_[i];
    const fs::path own = shard_folder(folder_, i);
    const std::optional<bool> locked = FolderLock::held(own);
    if (one.changes.in({resume_file(own), fuzz_result_file(own)})) {
      try {
        one.shard = read_fuzz_shard(folder_, i, system_named);
        one.fault.clear();
      } catch (const BadInput& bad) {
        one.fault = bad.what();
      }
    }
    if (one.shard && one.shard->ended) one.state = State::ended;
    else if (one.shard) one.state = state_of(locked, one.shard->run);
    else if (!one.fault.empty()) one.state = state_of(locked, std::nullopt);
    else one.state = locked == true ? State::running : State::none;
  }

  /// Dead, running, not started, ended; among these by number.
  std::vector<std::size_t> in_order() const {
    const auto rank = [this](std::size_t i) {
      switch (shards_[i].state) {
        case State::dead: return 0;
        case State::interrupted: return 1;
        case State::unknown: return 2;
        case State::running: return 3;
        case State::none: return 4;
        case State::ended: return 5;
      }
      return 6;
    };
    std::vector<std::size_t> out(shards_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
    std::ranges::sort(out, {}, [&](std::size_t i) { return std::pair{rank(i), i}; });
    return out;
  }

  static double steps_a_second(const One& one) {
    if (one.state != State::running || !one.shard || one.shard->run.results.empty()) return 0;
    return rates_of(one.shard->run.results.back()).steps;
  }
  std::vector<std::string> row_of(std::size_t i) const {
    const One& one = shards_[i];
    const std::string name = std::to_string(i + 1);
    if (!one.shard) return {name, std::string{word_of(one.state)}, "", "", "", "", "", ""};
    const FuzzRun& run = one.shard->run;
    const std::string system = run.now               ? std::string{run.now->system->name()}
                               : run.results.empty() ? ""
                                                     : std::string{run.results.back().system->name()};
    EngineTally sum;
    std::size_t features = 0;
    std::size_t findings = 0;
    for (const auto& r : run.results) {
      sum += r.total();
      features += r.features.count();
      findings += r.findings.size();
    }
    return {name,
            std::string{word_of(one.state)},
            one.state == State::ended ? "" : system,
            number(sum.scenarios),
            number(sum.steps),
            short_number(steps_a_second(one)),
            std::to_string(features),
            std::to_string(findings)};
  }
  std::vector<std::string> sum_row(const FuzzRun& run) const {
    EngineTally sum;
    std::size_t features = 0;
    std::size_t findings = 0;
    double a_second = 0;
    for (const auto& r : run.results) {
      sum += r.total();
      features += r.features.count();
      findings += r.findings.size();
    }
    for (const One& one : shards_) a_second += steps_a_second(one);
    return {"all",
            "",
            "",
            number(sum.scenarios),
            number(sum.steps),
            short_number(a_second),
            std::to_string(features),
            std::to_string(findings)};
  }
  std::string head(const Window& window) const {
    std::string out = folder_.string() + ":";
    for (const State state :
         {State::running, State::none, State::ended, State::unknown, State::interrupted, State::dead}) {
      const auto count = std::ranges::count(shards_, state, &One::state);
      if (count > 0) out += fmt::format("{} {} {}", out.ends_with(":") ? "" : ",", count, word_of(state));
    }
    out += fmt::format(", of {}", counted(shards_.size(), "shard"));
    const bool dead = std::ranges::count(shards_, State::dead, &One::state) > 0;
    const bool stopped = dead || std::ranges::count(shards_, State::interrupted, &One::state) > 0;
    if (stopped) out += "; the same command resumes one";
    return in_colour(dead ? red : bold, fitted(out, window.columns), window);
  }

  fs::path folder_;
  std::vector<One> shards_;
};

}  // namespace

std::unique_ptr<WatchedCampaign> watch_folder(const fs::path& folder) { return std::make_unique<Folder>(folder); }
std::unique_ptr<WatchedCampaign> watch_shards(const fs::path& folder) { return std::make_unique<Shards>(folder); }

}  // namespace lockstep
