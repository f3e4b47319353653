// lockstep-prove: decides claims, each in a process of its own within its limits, and prints a table or JSON.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "proof/prove.hpp"
#include "proof/solver.hpp"

namespace {

using namespace lockstep::proof;
using Json = nlohmann::ordered_json;

struct Options {
  std::string game;
  std::string name;
  bool json = false;
  bool list = false;
  bool quick = false;
  double seconds = 600;
  std::size_t megabytes = 4096;
  std::size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string findings = "findings/proof";
  std::string replay;
};

/// The lines of one file as ranges: "3-5, 9".
std::string ranges(const std::set<unsigned>& lines) {
  std::string out;
  for (auto line = lines.begin(); line != lines.end();) {
    const unsigned first = *line;
    unsigned last = first;
    while (++line != lines.end() && *line == last + 1) last = *line;
    out += (out.empty() ? "" : ", ") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
  }
  return out;
}

/// Keeps the counterexample as a scenario, and judges it on the simulators if there is a command for it.
void write_scenario(const Claim& claim, const Result& result, const Options& options, Json& out) {
  if (!result.lawful || !claim.scenario) {
    out["scenario"] = nullptr;  // no scenario has this input, or the kernel has none
    return;
  }
  const std::string text = claim.scenario(result.input);
  const std::filesystem::path file = std::filesystem::path(options.findings) / (claim.full_name() + ".txt");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << text;
  out["scenario"] = {{"file", file.string()}, {"text", text}};
  if (options.replay.empty()) return;
  std::fflush(nullptr);
  const int status = std::system((options.replay + " '" + file.string() + "' >&2").c_str());
  const bool differ = WIFEXITED(status) && WEXITSTATUS(status) == 1;
  out["replayed"] = differ;
  if (differ) return;
  // The simulators agree on it: prover or claim are wrong. The scenario stays, and so does what the prover says of it.
  out["answer"] = to_string(Answer::not_covered);
  out["reason"] =
      "internal error: the simulators do not differ on the counterexample " + file.string() + " of: " + result.reason;
  std::ofstream{file.string() + ".json"} << out.dump(2) << "\n";
}

Json decide(const Claim& claim, const Options& options) {
  const Result result = prove(claim, options.seconds);
  Json out = {{"game", claim.game}, {"claim", claim.name}, {"says", claim.says}, {"answer", to_string(result.answer)}};
  if (result.answer != Answer::proved) {
    out["reason"] = result.reason;
    if (!result.place.instruction.empty()) {
      out["place"] = {
          {"file", result.place.file}, {"line", result.place.line}, {"instruction", result.place.instruction}};
    }
  }
  if (result.answer == Answer::refuted) {
    std::string input;
    for (const std::byte byte : result.input) input += fmt::format("{:02x}", static_cast<unsigned>(byte));
    out["input"] = input;
    write_scenario(claim, result, options, out);
  }
  out["variables"] = result.variables;
  out["clauses"] = result.clauses;
  out["seconds"] = result.seconds;
  out["solver"] = Solver::name();
  Json files = Json::object();
  for (const auto& [file, covered] : result.covered) {
    std::set<unsigned> missing;
    std::ranges::set_difference(result.with_code.at(file), covered, std::inserter(missing, missing.end()));
    files[file] = {
        {"not_covered", ranges(missing)}, {"covered", covered.size()}, {"with_code", result.with_code.at(file).size()}};
  }
  out["lines"] = files;
  out["unreached"] = result.unreached;
  return out;
}

Json without_answer(const Claim& claim, std::string_view reason) {
  return {{"game", claim.game},
          {"claim", claim.name},
          {"says", claim.says},
          {"answer", to_string(Answer::not_covered)},
          {"reason", reason},
          {"variables", 0},
          {"clauses", 0},
          {"seconds", 0.0},
          {"solver", Solver::name()},
          {"lines", Json::object()},
          {"unreached", Json::array()}};
}

struct Child {
  const Claim* claim;
  std::size_t place;  // of its result
  pid_t process;
  int pipe;
  std::string text = {};
};

/// A child keeps its limits itself; the kernel ends one that does not.
Child start(const Claim& claim, std::size_t place, const Options& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{"pipe: no descriptor is left"};
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error{"fork: no process can be made"};
  if (process > 0) {
    ::close(ends[1]);
    return {.claim = &claim, .place = place, .process = process, .pipe = ends[0]};
  }
  const rlim_t bytes = rlim_t{options.megabytes} << 20;
  const rlimit memory{.rlim_cur = bytes, .rlim_max = bytes};
  ::setrlimit(RLIMIT_AS, &memory);
  const auto most = static_cast<rlim_t>(options.seconds) + 30;
  const rlimit time{.rlim_cur = most, .rlim_max = most};
  ::setrlimit(RLIMIT_CPU, &time);
  std::string text;
  try {
    text = decide(claim, options).dump();
  } catch (const std::exception& error) {
    text = without_answer(claim, std::string("internal error: ") + error.what()).dump();
  }
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(ends[1], left.data(), left.size());
    if (written <= 0) ::_exit(3);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

/// Reads what a child says; true while there may be more.
bool read_more(Child& child) {
  char buffer[4096];
  const ssize_t count = ::read(child.pipe, buffer, sizeof buffer);
  if (count > 0) child.text.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

Json finish(const Child& child) {
  ::close(child.pipe);
  int status = 0;
  ::waitpid(child.process, &status, 0);
  const Json out = Json::parse(child.text, nullptr, false);
  if (!out.is_discarded()) return out;
  return without_answer(*child.claim, WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU
                                          ? "the time is up"
                                          : "internal error: the prover ended without an answer (signal " +
                                                std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0) + ")");
}

std::vector<Json> decide_all(const std::vector<const Claim*>& chosen, const Options& options) {
  std::vector<Json> out(chosen.size());
  std::vector<Child> running;
  std::size_t next = 0;
  while (next < chosen.size() || !running.empty()) {
    while (next < chosen.size() && running.size() < options.jobs) {
      running.push_back(start(*chosen[next], next, options));
      ++next;
    }
    std::vector<pollfd> pipes;
    for (const Child& child : running) pipes.push_back({.fd = child.pipe, .events = POLLIN, .revents = 0});
    ::poll(pipes.data(), pipes.size(), -1);
    for (std::size_t i = running.size(); i-- > 0;) {
      if (pipes[i].revents == 0 || read_more(running[i])) continue;
      out[running[i].place] = finish(running[i]);
      const Json& result = out[running[i].place];
      fmt::print(stderr, "{}: {}\n", running[i].claim->full_name(), result["answer"].get<std::string>());
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return out;
}

void print_table(const std::vector<Json>& results) {
  std::size_t width = 5;
  for (const Json& each : results) {
    width = std::max(width, each["game"].get<std::string>().size() + each["claim"].get<std::string>().size() + 1);
  }
  fmt::print("{:{}}  {:11} {:>9} {:>9} {:>8}  {:14} {}\n", "claim", width, "answer", "variables", "clauses", "seconds",
             "solver", "lines");
  for (const Json& each : results) {
    std::size_t covered = 0;
    for (const auto& [file, lines] : each["lines"].items()) covered += lines["covered"].get<std::size_t>();
    fmt::print("{:{}}  {:11} {:>9} {:>9} {:>8.1f}  {:14} {}\n",
               each["game"].get<std::string>() + "." + each["claim"].get<std::string>(), width,
               each["answer"].get<std::string>(), each["variables"].get<int>(), each["clauses"].get<std::size_t>(),
               each["seconds"].get<double>(), each["solver"].get<std::string>(), covered);
  }
  for (const Json& each : results) {
    const std::string name = each["game"].get<std::string>() + "." + each["claim"].get<std::string>();
    if (each.contains("reason")) fmt::print("\n{}: {}\n", name, each["reason"].get<std::string>());
    if (each.contains("place")) {
      fmt::print("  {}:{}: {}\n", each["place"]["file"].get<std::string>(), each["place"]["line"].get<unsigned>(),
                 each["place"]["instruction"].get<std::string>());
    }
    if (each.contains("scenario") && each["scenario"].is_object()) {
      fmt::print("{}replay: lockstep replay {}\n", each["scenario"]["text"].get<std::string>(),
                 each["scenario"]["file"].get<std::string>());
    } else if (each.contains("input")) {
      fmt::print("no scenario has this input: {}\n", each["input"].get<std::string>());
    }
    for (const Json& branch : each["unreached"]) fmt::print("{}: never taken: {}\n", name, branch.get<std::string>());
  }
  // Over all claims: a line is covered if one of them covers it.
  fmt::print("\nlines with code that no claim here covers:\n");
  std::set<std::string> files;
  for (const Json& each : results) {
    for (const auto& [file, lines] : each["lines"].items()) files.insert(file);
  }
  for (const std::string& file : files) {
    for (const Json& each : results) {
      if (!each["lines"].contains(file)) continue;
      fmt::print("  {} ({} of {} covered by {}): {}\n", file, each["lines"][file]["covered"].get<std::size_t>(),
                 each["lines"][file]["with_code"].get<std::size_t>(), each["claim"].get<std::string>(),
                 each["lines"][file]["not_covered"].get<std::string>());
    }
  }
}

std::vector<const Claim*> choose(const Options& options) {
  std::vector<const Claim*> out;
  for (const Claim& claim : claims()) {
    const bool named =
        (options.game.empty() || claim.game == options.game) && (options.name.empty() || claim.name == options.name);
    if (named && (!options.quick || claim.quick)) out.push_back(&claim);
  }
  return out;
}

int run(const Options& options) {
  const std::vector<const Claim*> chosen = choose(options);
  if (chosen.empty()) {
    fmt::print(stderr, "lockstep-prove: there is no claim '{}'; there are:\n",
               options.game + (options.name.empty() ? "" : " " + options.name));
    for (const Claim& claim : claims()) fmt::print(stderr, "  {} {}\n", claim.game, claim.name);
    return 2;
  }
  if (options.list) {
    for (const Claim* claim : chosen) fmt::print("{} {}: {}\n", claim->game, claim->name, claim->says);
    return 0;
  }
  const std::vector<Json> results = decide_all(chosen, options);
  if (options.json) {
    fmt::print("{}\n", Json{{"claims", results}}.dump(2));
  } else {
    print_table(results);
  }
  const auto is = [](Answer answer) { return [=](const Json& each) { return each["answer"] == to_string(answer); }; };
  if (std::ranges::any_of(results, is(Answer::refuted))) return 1;
  return std::ranges::all_of(results, is(Answer::proved)) ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Proves that kernels of the optimized simulators equal their definition on every input"};
  app.add_option("game", options.game, "only claims about this game");
  app.add_option("claim", options.name, "only this claim");
  app.add_flag("--json", options.json, "print JSON");
  app.add_flag("--list", options.list, "list the claims, and decide none");
  app.add_flag("--quick", options.quick, "only claims that a test run decides");
  app.add_option("--seconds", options.seconds, "processor time for each claim")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  app.add_option("--memory", options.megabytes, "megabytes for each claim")
      ->check(CLI::Range(std::size_t{64}, std::size_t{1} << 20))
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "claims decided at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--findings", options.findings, "folder for scenarios of counterexamples")->capture_default_str();
  app.add_option("--replay", options.replay,
                 "command that judges a scenario's file, and exits with 1 if simulators differ");
  app.footer("Exit: 0 all proved, 1 a claim is refuted, 2 wrong command line, 3 something is not covered.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
