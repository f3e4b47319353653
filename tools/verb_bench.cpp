// lockstep bench: times a step of each implementation (lockstep/services/timing.hpp).
#include "lockstep/services/timing.hpp"
#include "lockstep/system/implementations.hpp"
#include "tools/numbers.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

LOCKSTEP_JSON(Quartiles, low, median, high)

void to_json(nlohmann::ordered_json& out, const WorkloadTime& workload) {
  nlohmann::ordered_json implementations = nlohmann::json::array();
  for (const auto& each : workload.implementations) {
    implementations.push_back({{"name", each.name}, {"step_ns", each.step_ns}, {"faster_than_reference", each.ratio}});
  }
  out = {{"name", workload.name},
         {"scenarios", workload.scenarios},
         {"steps", workload.steps},
         {"rounds", workload.rounds},
         {"implementations", implementations}};
  if (workload.fault.empty()) out["noise"] = workload.noise;
  else out["fault"] = workload.fault;
}

namespace {

struct BenchOptions {
  std::string system;
  std::vector<std::string> with;
  CorpusOption corpus;
  double seconds = 3;
  std::uint64_t seed = 1;
  bool json = false;
};

/// "1.23 ns", "45.6 µs": three digits.
std::string time_text(double ns) {
  constexpr std::array<std::string_view, 4> units = {"ns", "µs", "ms", "s"};
  std::size_t unit = 0;
  for (; ns >= 999.5 && unit + 1 < units.size(); ns /= 1000) ++unit;
  return fmt::format("{} {}", three_digits(ns), units[unit]);
}

/// "277× faster", "3.61× slower", "the same": a ratio whose spread includes 1 is no difference.
std::string ratio_text(const Quartiles& ratio) {
  if (ratio.low <= 1 && ratio.high >= 1) return "the same";
  const bool slower = ratio.median < 1;
  return three_digits(slower ? 1 / ratio.median : ratio.median) + (slower ? "× slower" : "× faster");
}

/// "±3 %": half the distance of the quartiles.
std::string spread_text(const Quartiles& sample) {
  if (sample.median <= 0) return "";
  return fmt::format("±{:.0f} %", 50 * (sample.high - sample.low) / sample.median);
}

void print(const WorkloadTime& workload, bool optimized) {
  fmt::print("{}: {} with {}\n", workload.name, counted(workload.scenarios, "scenario"),
             short_count(workload.steps, "step"));
  if (!workload.fault.empty()) {
    fmt::print("  not timed, since implementations differ {}\n\n", workload.fault);
    return;
  }
  std::vector<std::vector<std::string>> rows = {{"", "a step", "spread", optimized ? "than the reference" : ""}};
  for (const auto& each : workload.implementations) {
    const bool reference = &each == &workload.implementations.front();
    rows.push_back({"  " + each.name, time_text(each.step_ns.median), spread_text(each.step_ns),
                    reference || !optimized ? "" : ratio_text(each.ratio)});
  }
  fmt::print("{}", table_text(rows, 1, 3));
  fmt::print("  {}; the reference against itself: {}, {}\n\n", counted(workload.rounds, "round"),
             ratio_text(workload.noise), spread_text(workload.noise));
}

/// The implementations of --with that can be timed, the reference first.
std::vector<std::string> timed(const AnySystem& system, const std::vector<std::string>& with) {
  auto names = implementations_to_judge(system, with);
  const auto cannot = [&](const auto& name) { return !implementation_named(system.vocabulary(), name).timed(); };
  const auto untimed = std::ranges::find_if(names, cannot);
  if (untimed != names.end() && !with.empty()) {
    throw BadInput{*untimed + " cannot be timed: only implementations of this program can, and no canaries"};
  }
  std::erase_if(names, cannot);
  return names;
}

int bench(const BenchOptions& options) {
  const AnySystem& system = system_named(options.system);
  const auto names = timed(system, split_names(options.with));
  const bool optimized = system.vocabulary().optimized_build();
  if (const std::string hint = left_out_hint(); !hint.empty() && !options.json) std::cerr << hint << "\n";
  if (!optimized) {
    complain(
        "the implementations were compiled without optimization (-O2) or with assertions (without "
        "-DNDEBUG): these times mean nothing");
  }
  const std::filesystem::path corpus = corpus_of(options.corpus, {std::string{system.name()}});
  if (!options.json) std::cerr << about_corpus(corpus, system.name()) << "\n";
  const TimingOptions timing{.seed = options.seed,
                             .budget = std::chrono::milliseconds{static_cast<std::int64_t>(options.seconds * 1000)},
                             .corpus = corpus_texts(corpus, system.name())};
  const auto workloads = time_implementations(system.parts(), names, timing, [&](const WorkloadTime& workload) {
    if (!options.json) print(workload, optimized);
  });
  const bool differ = std::ranges::any_of(workloads, [](const auto& each) { return !each.fault.empty(); });
  if (options.json) {
    print_json({{"schema", 2},
                {"system", system.name()},
                {"seed", options.seed},
                {"optimized", optimized},
                {"workloads", workloads}});
  }
  return differ ? exit_diverged : exit_agreed;
}

}  // namespace

void add_bench(CLI::App& program, int& exit_code) {
  const auto [verb, options] =
      add_verb<BenchOptions>(program, "bench", "Times a step of each implementation", exit_code, bench);
  add_system(*verb, options->system);
  add_names(*verb, "--with", options->with,
            "Implementations to time beside the reference (NAME,NAME), no canaries and plugins; default: all");
  add_number(*verb, "--seconds", options->seconds, seconds_between(0.01, 1e5), "Time for each workload");
  add_number(*verb, "--seed", options->seed, whole_number(),
             "Seed of the scenarios that are drawn for a system without workloads of its own");
  add_corpus_option(*verb, options->corpus, "Scenarios of one more workload");
  verb->add_flag(
      "--json", options->json,
      "Print JSON: of each of the \"workloads\" its name, scenarios, steps, rounds and noise, or the \"fault\" for "
      "which it was not timed; of each of its \"implementations\" the name, and step_ns and faster_than_reference as "
      "low, median and high, the quartiles");
  verb->footer(exit_codes("timed", "implementations differ on a workload, which was not timed then") +
               "\nA time is the median of the rounds; the spread is half the distance of their quartiles."
               "\nexample: lockstep bench SYSTEM --seconds 1");
}

}  // namespace lockstep
