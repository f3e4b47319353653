// lockstep-prove: decides claims, each in a process of its own within its limits, and prints a table or JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "lockstep/base/json.hpp"
#include "lockstep/process/child.hpp"
#include "proof/limits.hpp"
#include "proof/prove.hpp"
#include "proof/solver.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::proof;
using Json = nlohmann::ordered_json;

struct Options {
  std::string game;
  std::string name;
  bool json = false;
  bool list = false;
  bool quick = false;
  bool markdown = false;
  bool confirm = false;
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
    for (++line; line != lines.end() && *line == last + 1; ++line) last = *line;
    out += (out.empty() ? "" : ", ") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
  }
  return out;
}

/// The counterexample as a scenario in a file; null if no scenario has this input, or the kernel has none.
Json written_scenario(const Claim& claim, const proof::Result& result, const Options& options) {
  if (!result.lawful || !claim.scenario) return nullptr;
  const std::string text = claim.scenario(result.input);
  const std::filesystem::path file = std::filesystem::path(options.findings) / (claim.full_name() + ".txt");
  std::error_code fault;
  std::filesystem::create_directories(file.parent_path(), fault);
  std::ofstream out{file};
  out << text << std::flush;
  if (!out) {  // the refutation stays
    fmt::print(stderr, "prove: cannot write {}; the scenario is:\n{}", file.string(), text);
    return nullptr;
  }
  return {{"file", file.string()}, {"text", text}};
}

std::string solvers(const Options& options) {
  return Solver::name() + (options.confirm ? ", " + Solver::second_name() : "");
}

Json decide(const Claim& claim, const Options& options) {
  const proof::Result result = prove(claim, options.seconds, options.confirm);
  Json out = {{"system", claim.game},
              {"claim", claim.name},
              {"says", claim.says},
              {"covers_only", claim.covers_only},
              {"answer", to_string(result.answer)}};
  if (result.answer != Answer::proved) {
    out["reason"] = result.reason;
    if (!result.place.instruction.empty()) {
      out["place"] = {
          {"file", result.place.file}, {"line", result.place.line}, {"instruction", result.place.instruction}};
    }
  }
  if (!result.input.empty()) {
    std::string input;
    for (const std::byte byte : result.input) input += fmt::format("{:02x}", static_cast<unsigned>(byte));
    out["input"] = input;
    out["differs"] = result.differs;
    out["reduced"] = result.reduced;
    out["scenario"] = written_scenario(claim, result, options);
  }
  out["compared"] = claim.draw && claim.run_kernel;
  out["variables"] = result.variables;
  out["clauses"] = result.clauses;
  out["hash"] = result.hash;
  out["seconds"] = result.seconds;
  out["solver"] = solvers(options);
  out["lines"] = Json::object();
  for (const auto& [file, with_code] : result.with_code) {
    const auto covered = result.covered.find(file);
    out["lines"][file] = {{"covered", covered != result.covered.end() ? covered->second : std::set<unsigned>{}},
                          {"with_code", with_code}};
  }
  out["unreached"] = result.unreached;
  return out;
}

/// What judges counterexamples of the claim; empty: nothing does.
std::string command_of(const Claim& claim, const Options& options) {
  return options.replay.empty() ? std::string(claim.replay) : options.replay;
}

/// Judges a counterexample on the implementations, without the limits of the claim's process: the command may build the
/// program first.
void replay(Json& result, const Claim& claim, const Options& options) {
  if (!result.contains("scenario") || result["scenario"].is_null()) return;
  const std::string file = result["scenario"]["file"];
  const std::string with = claim.canary.empty() ? "" : " --with " + std::string(claim.canary);
  const std::string command = command_of(claim, options);
  result["scenario"]["replay"] = (command.empty() ? "lockstep replay" : command) + " '" + file + "'" + with;
  if (command.empty()) return;
  std::fflush(nullptr);
  const int status = std::system((command + " '" + file + "'" + with + " >&2").c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result["replayed"] = code == 1;
  if (code == 1) return;
  if (code != 0) {  // nothing was judged: the refutation stays
    result["reason"] = fmt::format("{} ({} could not be judged: the command ended with {})",
                                   result["reason"].get<std::string>(), file, code);
  } else if (result["differs"].get<bool>() && claim.run_kernel) {
    // The implementations agree on it: prover or claim are wrong. The scenario stays, and so does what the prover says of it.
    result["answer"] = to_string(Answer::not_covered);
    result["reason"] = "internal error: the implementations do not differ on the counterexample " + file +
                       " of: " + result["reason"].get<std::string>();
    std::ofstream{file + ".json"} << dumped(result, 2) << "\n";
  }  // else the kernel is undefined there, which need not show, or no implementation that runs here has it
}

Json without_answer(const Claim& claim, std::string_view reason, const Options& options) {
  return {{"system", claim.game},
          {"claim", claim.name},
          {"says", claim.says},
          {"covers_only", claim.covers_only},
          {"answer", to_string(Answer::not_covered)},
          {"reason", reason},
          {"compared", false},
          {"variables", 0},
          {"clauses", 0},
          {"hash", ""},
          {"seconds", 0.0},
          {"solver", solvers(options)},
          {"lines", Json::object()},
          {"unreached", Json::array()}};
}

/// A claim that is being decided.
struct Running {
  const Claim* claim;
  std::size_t place;  // of its result
  ChildProcess process;
  std::string text = {};  // what it has written
};

Running start(const Claim& claim, std::size_t place, const Options& options) {
  auto process = ChildProcess::call(
      [&](Outbox& out) {
        Json result;
        try {
          result = decide(claim, options);
        } catch (const std::exception& error) {
          result = without_answer(claim, std::string("internal error: ") + error.what(), options);
        }
        out.send(dumped(result));
      },
      limited(options.seconds, options.megabytes));
  if (!process) throw std::runtime_error{process.error()};
  return {.claim = &claim, .place = place, .process = std::move(*process)};
}

Json finish(Running& running, const Options& options) {
  const ExitStatus status = running.process.wait();
  Json out = Json::parse(running.text, nullptr, false);
  if (!out.is_discarded()) return out;
  return without_answer(*running.claim,
                        status.signal() == SIGXCPU
                            ? "the time is up"
                            : "internal error: the prover " + status.text() + " without an answer",
                        options);
}

std::vector<Json> decide_all(const std::vector<const Claim*>& chosen, const Options& options) {
  using namespace std::chrono_literals;
  std::vector<Json> out(chosen.size());
  std::vector<Running> running;
  std::size_t next = 0;
  while (next < chosen.size() || !running.empty()) {
    while (next < chosen.size() && running.size() < options.jobs) {
      running.push_back(start(*chosen[next], next, options));
      ++next;
    }
    std::erase_if(running, [&](Running& each) {
      if (each.process.read(each.text)) return false;
      out[each.place] = finish(each, options);
      fmt::print(stderr, "{}: {}\n", each.claim->full_name(), out[each.place]["answer"].get<std::string>());
      return true;
    });
    std::this_thread::sleep_for(5ms);
  }
  return out;
}

std::string name_of(const Json& result) {
  return result["system"].get<std::string>() + "." + result["claim"].get<std::string>();
}

/// Over all claims: a line is covered if one of them covers it.
struct Lines {
  std::set<unsigned> covered;
  std::set<unsigned> with_code;
  std::set<std::string> claims;

  std::string missing() const {
    std::set<unsigned> out;
    std::ranges::set_difference(with_code, covered, std::inserter(out, out.end()));
    return ranges(out);
  }
};
std::map<std::string, Lines> lines_of(const std::vector<Json>& results) {
  std::map<std::string, Lines> out;
  for (const Json& each : results) {
    for (const auto& [file, lines] : each["lines"].items()) {
      Lines& all = out[file];
      all.covered.merge(lines["covered"].get<std::set<unsigned>>());
      all.with_code.merge(lines["with_code"].get<std::set<unsigned>>());
      if (!lines["covered"].empty()) all.claims.insert(each["claim"].get<std::string>());
    }
  }
  return out;
}

void print_uncovered(const std::map<std::string, Lines>& files) {
  fmt::print("lines with code that no claim here covers:\n");
  for (const auto& [file, lines] : files) {
    fmt::print("  {} ({} of {} covered{}{}): {}\n", file, lines.covered.size(), lines.with_code.size(),
               lines.claims.empty() ? "" : " by ", fmt::join(lines.claims, ", "), lines.missing());
  }
}

std::size_t lines_covered(const Json& result) {
  std::size_t out = 0;
  for (const auto& [file, lines] : result["lines"].items()) out += lines["covered"].size();
  return out;
}

void print_table(const std::vector<Json>& results) {
  std::size_t width = 5;
  std::size_t solver = 6;
  for (const Json& each : results) {
    width = std::max(width, name_of(each).size());
    solver = std::max(solver, each["solver"].get<std::string>().size());
  }
  fmt::print("\n{:{}}  {:11} {:>9} {:>9} {:>8}  {:{}}  {}\n", "claim", width, "answer", "variables", "clauses",
             "seconds", "solver", solver, "lines");
  for (const Json& each : results) {
    fmt::print("{:{}}  {:11} {:>9} {:>9} {:>8.1f}  {:{}}  {}\n", name_of(each), width,
               each["answer"].get<std::string>(), each["variables"].get<int>(), each["clauses"].get<std::size_t>(),
               each["seconds"].get<double>(), each["solver"].get<std::string>(), solver, lines_covered(each));
  }
  for (const Json& each : results) {
    if (each.contains("reason")) fmt::print("\n{}: {}\n", name_of(each), each["reason"].get<std::string>());
    if (each.contains("place")) {
      fmt::print("  {}:{}: {}\n", each["place"]["file"].get<std::string>(), each["place"]["line"].get<unsigned>(),
                 each["place"]["instruction"].get<std::string>());
    }
    if (each.contains("scenario") && each["scenario"].is_object()) {
      fmt::print("{}replay: {}\n", each["scenario"]["text"].get<std::string>(),
                 each["scenario"]["replay"].get<std::string>());
    } else if (each.contains("input")) {
      fmt::print("no scenario has this input: {}\n", each["input"].get<std::string>());
    }
    for (const Json& branch : each["unreached"]) {
      fmt::print("{}: never taken: {}\n", name_of(each), branch.get<std::string>());
    }
  }
}

std::size_t count(const std::vector<Json>& results, Answer answer) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const Json& each) { return each["answer"] == to_string(answer); }));
}

void print_sentence(const std::vector<Json>& results) {
  std::vector<std::string> models_alone;
  for (const Json& each : results) {
    if (each["answer"] == to_string(Answer::proved) && !each["compared"].get<bool>())
      models_alone.push_back(name_of(each));
  }
  if (!models_alone.empty()) {
    fmt::print("\nnot compared with compiled code (no inputs are drawn, or this processor lacks instructions): {}\n",
               fmt::join(models_alone, ", "));
  }
  fmt::print("\n{} of {} claims proved", count(results, Answer::proved), results.size());
  for (const Answer answer : {Answer::refuted, Answer::not_covered}) {
    if (const std::size_t some = count(results, answer)) fmt::print(", {} {}", some, to_string(answer));
  }
  fmt::print("\n");
}

/// The same as a table in Markdown.
void print_markdown(const std::vector<Json>& results) {
  fmt::print("| claim | answer | variables | clauses | seconds | solver | lines |\n");
  fmt::print("|---|---|---:|---:|---:|---|---:|\n");
  for (const Json& each : results) {
    fmt::print("| {} `{}` | {} | {} | {} | {:.0f} | {} | {} |\n", each["system"].get<std::string>(),
               each["claim"].get<std::string>(), each["answer"].get<std::string>(), each["variables"].get<int>(),
               each["clauses"].get<std::size_t>(), each["seconds"].get<double>(), each["solver"].get<std::string>(),
               lines_covered(each));
  }
}

std::vector<const Claim*> choose(const Options& options) {
  std::vector<const Claim*> out;
  for (const Claim& claim : claims()) {
    const bool named =
        (options.game.empty() || claim.game == options.game) && (options.name.empty() || claim.name == options.name);
    const bool asked_for = claim.canary.empty() || !options.name.empty() || options.list;
    if (named && asked_for && (!options.quick || claim.quick)) out.push_back(&claim);
  }
  return out;
}

int run(const Options& options) {
  const std::vector<const Claim*> chosen = choose(options);
  if (chosen.empty()) {
    fmt::print(stderr, "lockstep-prove: there is no claim '{}'; there are:\n",
               options.game + (options.name.empty() ? "" : " " + options.name));
    const bool known = std::ranges::any_of(claims(), [&](const Claim& claim) { return claim.game == options.game; });
    for (const Claim& claim : claims()) {
      if (!known || claim.game == options.game) fmt::print(stderr, "  {} {}\n", claim.game, claim.name);
    }
    return 2;
  }
  if (options.list) {
    for (const Claim* claim : chosen) {
      fmt::print("{} {}: {}{}{}\n", claim->game, claim->name, claim->canary.empty() ? "" : "(a planted mistake) ",
                 claim->says, claim->covers_only.empty() ? "" : fmt::format(" (only {})", claim->covers_only));
    }
    return 0;
  }
  std::vector<Json> results = decide_all(chosen, options);
  for (std::size_t i = 0; i < results.size(); ++i) replay(results[i], *chosen[i], options);
  const std::map<std::string, Lines> files = lines_of(results);
  if (options.json) {
    Json uncovered = Json::object();
    for (const auto& [file, lines] : files) {
      uncovered[file] = {
          {"lines", lines.missing()}, {"covered", lines.covered.size()}, {"with_code", lines.with_code.size()}};
    }
    fmt::print("{}\n", dumped(Json{{"uncovered", uncovered}, {"claims", results}}, 2));
  } else if (options.markdown) {
    print_markdown(results);
  } else {
    print_uncovered(files);
    print_table(results);
    print_sentence(results);
  }
  if (count(results, Answer::refuted) > 0) return 1;
  return count(results, Answer::proved) == results.size() ? 0 : 3;
}

/// CLI11's own range check lets "nan" pass.
CLI::Validator seconds_from(double lo, double hi) {
  return CLI::Validator{[lo, hi](const std::string& text) -> std::string {
                          double value = 0;
                          if (CLI::detail::lexical_cast(text, value) && value >= lo && value <= hi) return "";
                          return fmt::format("expected a number from {} to {}, got '{}'", lo, hi, text);
                        },
                        fmt::format("[{:.0f} - {:.0f}]", lo, hi)};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Proves that functions equal their definition on every input"};
  app.add_option("system", options.game, "only claims about this system");
  app.add_option("claim", options.name, "only this claim");
  app.add_flag("--json", options.json, "print JSON");
  app.add_flag("--markdown", options.markdown, "print the table only, as Markdown");
  app.add_flag("--list", options.list, "list the claims, and decide none");
  app.add_flag("--quick", options.quick, "only claims that a test run decides");
  app.add_flag("--confirm", options.confirm, "CryptoMiniSat proves again what CaDiCaL has proved");
  app.add_option("--seconds", options.seconds, "processor time for each claim")
      ->check(seconds_from(1, 1e6))
      ->capture_default_str();
  app.add_option("--memory", options.megabytes, "megabytes for each claim")
      ->check(CLI::Range(std::size_t{64}, std::size_t{1} << 20))
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "claims decided at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--findings", options.findings, "folder for scenarios of counterexamples")->capture_default_str();
  app.add_option("--replay", options.replay,
                 "command that judges a scenario's file, and exits with 1 if implementations differ");
  app.footer("Exit: 0 all proved, 1 a claim is refuted, 2 wrong command line, 3 something is not covered.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.confirm && Solver::second_name().empty()) {
    fmt::print(stderr, "lockstep-prove: built without a second solver; cmake -DLOCKSTEP_CONFIRM=ON builds it\n");
    return 2;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
