// lockstep explore: judges every position within a bound, and prints a certificate of what was covered.
#include "campaign/shards.hpp"
#include "lockstep/explore/exploring.hpp"
#include "lockstep/process/kept_files.hpp"
#include "tools/explore_command.hpp"
#include "tools/out_folder.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::string progress_text(const Explorer& explorer, double seconds) {
  const LevelCount total = total_of(explorer.state().levels);
  const auto& level = explorer.state().levels.back();
  return fmt::format("{}: {:.0f}% of {}, {}, {}, {} MiB, {:.0f} s{}", level.name, 100 * explorer.share_done(),
                     grouped(level.positions), grouped(total.positions, "position"), grouped(total.steps, "step"),
                     explorer.memory() >> 20, seconds,
                     explorer.awaits_others()    ? "; waiting for other shards"
                     : explorer.counterexample() ? "; DIVERGED, searching for the smallest counterexample"
                                                 : "");
}

void print_list(const AnySystem& system) {
  const auto all = explorations_of(system.parts());
  if (all.empty()) fmt::print("{} has no named exploration; --setup explores from any setup\n", system.name());
  for (const auto& each : all) fmt::print("{}", described(each.name, each.about, 16));
}

/// Explores, with a line of progress on a terminal.
Explored explored_by(ExplorationRun& run) {
  ProgressLine line;
  run.progress = [&](const Explorer& explorer, double seconds) {
    if (line.shown()) line.update(progress_text(explorer, seconds));
  };
  run.interrupted = interrupted;
  catch_interrupts();
  Explored explored = explore(run);
  line.clear();
  return explored;
}

int report_explored(const ExploreCommand& command, const Explored& explored, const fs::path& out) {
  const std::string file = finding_file(explored, out);
  if (command.json) print_json(command.report, explored, file);
  else print_certificate(command.report, explored, counted(command.run.options.jobs, "job"), file);
  if (!explored.unsaved.empty()) {
    complain(explored.unsaved + "; this run can be resumed from an earlier one only");
  }
  return write_reports(command.reports, command.report, explored, file, exit_code_of(explored));
}

/// The lock of a checkpoint is a folder beside it, since the file itself is replaced again and again.
int explore_whole(ExploreCommand& command) {
  std::optional<LockedFolder> lock;
  const std::string& checkpoint = command.run.checkpoint;
  if (!checkpoint.empty()) {
    lock.emplace(checkpoint + ".lock", "the checkpoint " + checkpoint,
                 "another exploration writes it; choose another file", true);
    const fs::path file = fs::absolute(checkpoint);
    remove_unfinished(file.parent_path(), file.filename().string());
  }
  const Explored explored = explored_by(command.run);
  lock.reset();
  return report_explored(command, explored, command.out.value_or("findings"));
}

/// Explores a part, from where this shard was when it was killed. A shard that has ended only reports again.
int explore_shard(ExploreCommand& command) {
  const fs::path folder = command.shards.exchange;
  const Shard shard = command.shards.shard();
  ExplorationRun& run = command.run;
  using nlohmann::ordered_json;
  join_run(folder,
           {"explore", shard.count, ordered_json::parse(compatibility_text(run)), ordered_json(command.report)});
  const fs::path own = shard_folder(folder, shard.index);
  const LockedFolder lock{own, own.string(), "shard " + shard.text() + " is running already"};
  remove_unfinished(own);
  command.report.about += "; shard " + shard.text();
  const fs::path out = command.out.value_or(own.string());
  if (const auto ended = read_explored(result_file(own))) return report_explored(command, *ended, out);
  run.options.shard = shard;
  run.checkpoint = shard_checkpoint(folder, shard.index);
  run.resume = fs::exists(run.checkpoint);
  run.exchange = [&](const Explorer& explorer, const std::function<bool()>& stopped) {
    return exchange_level(folder, shard, explorer, std::chrono::seconds{command.wait}, stopped);
  };
  const Explored explored = of_shard([&] { return explored_by(run); });
  // Reported first: what was found is printed even if nothing can be written.
  const int exit_code = report_explored(command, explored, out);
  const bool ended = explored.end != ExploreEnd::running && explored.end != ExploreEnd::out_of_memory;
  try {
    if (ended) write_explored(result_file(own), explored);
  } catch (const BadInput& fault) {
    complain(std::string{"the result of this shard could not be written: "} + fault.what() +
             "; to merge it, run the same command again");
    return exit_code == exit_agreed ? exit_internal_error : exit_code;
  }
  return exit_code;
}

int explore_verb(ExploreCommand& command) {
  // With one system, SYSTEM may be left out: the first argument is then NAME.
  if (all_systems().size() == 1 && command.name.empty() && command.system != all_systems().front()->name()) {
    command.name = std::exchange(command.system, std::string{all_systems().front()->name()});
  }
  const AnySystem& system = system_named(command.system);
  if (command.list) {
    print_list(system);
    return exit_agreed;
  }
  if ((command.name.empty() ? 0 : 1) + (command.setup.empty() ? 0 : 1) + (command.corpus.empty() ? 0 : 1) > 1) {
    throw BadInput{"explore takes only one of NAME, --setup and --corpus"};
  }
  const ShardOptions& shards = command.shards;
  if (shards.sharded() && (!command.run.checkpoint.empty() || !command.resume.empty())) {
    throw BadInput{"a shard keeps its own checkpoint in the folder of --exchange: leave --checkpoint and --resume out"};
  }
  command.complete(system);
  command.reports.begin("explore");
  return shards.sharded() ? explore_shard(command) : explore_whole(command);
}

}  // namespace

void add_explore(CLI::App& program, int& exit_code) {
  const auto [verb, command] = add_verb<ExploreCommand>(
      program, "explore", "Judges every position within a bound, and certifies what was covered", exit_code,
      explore_verb);
  command->add_to(*verb);
  verb->footer(exit_codes("everything was covered and agrees", "implementations differ",
                          "internal error, or not everything was covered (memory, other shards)") +
               ", 130 interrupted\n"
               "example: lockstep explore SYSTEM --depth 8");
}

}  // namespace lockstep
