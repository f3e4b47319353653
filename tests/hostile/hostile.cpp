// Hostile inputs for every reader of this tree: what people write, what lies on a disk, and what processes send each other.
//
//   hostile [--inputs N] [--seed S] [--only READER] ROOT
//
// The inputs of a reader are valid ones, changed by a few edits: bytes, words and lines that are removed, repeated, moved
// or taken from another input, numbers that become extreme. A reader keeps its law if it returns, or refuses by an error
// that its interface names. Anything else ends the process: an abort, a signal, a sanitizer's report, another exception.
// The input is then in the file hostile-input of the current folder.
//
// --inputs is for all readers together, of which each has its part; a checkpoint takes two processes, so few are read.
// --only planted reads with a reader that breaks its law, as a test of this program.
// Exit status: 0 all kept their laws, 1 one was broken.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/known_mistakes.hpp"
#include "campaign/resume.hpp"
#include "campaign/shards.hpp"
#include "fuzz/text_readers.hpp"
#include "lockstep/base/bounds.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/draw/labels.hpp"
#include "lockstep/explore/exploration_run.hpp"
#include "lockstep/explore/exploring.hpp"
#include "lockstep/process/child.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/scratch.hpp"
#include "lockstep/system/plugin.hpp"
#include "programs/answers.hpp"
#include "tests/campaign/garden_system.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct Reader {
  std::string name;
  std::vector<std::string> seeds;                      // valid inputs
  std::function<std::string(const std::string&)> law;  // "", or what is broken; may throw BadInput
  std::uint64_t weight = 1;                            // its part of all inputs; a reader of files is slower
  bool between_processes = false;  // of what a process of the program sent: it may also throw InternalError
};

// Inputs ---------------------------------------------------------------------------------------

class Edits {
 public:
  explicit Edits(std::uint64_t seed) : random_{seed} {}

  std::string next(const std::vector<std::string>& seeds) {
    std::string out = seeds[random_.below(seeds.size())];
    for (std::uint64_t edits = 1 + random_.below(4); edits > 0; --edits) edit(out, seeds);
    if (out.size() > size_max) out.resize(size_max);
    return out;
  }

 private:
  static constexpr std::size_t size_max = 4096;

  struct Part {
    std::size_t begin;
    std::size_t size;
  };
  Part bytes_in(std::string_view text) {
    const std::size_t begin = random_.below(text.size() + 1);
    return {begin, random_.below(std::min<std::size_t>(text.size() - begin, 40) + 1)};
  }
  /// A run of characters of one kind, or a line.
  Part word_in(std::string_view text) {
    if (text.empty()) return {0, 0};
    const auto kind = [&](std::size_t at) {
      const auto c = static_cast<unsigned char>(text[at]);
      return std::isalnum(c) != 0 || c == '_' ? 1 : std::isspace(c) != 0 ? 2 : 3;
    };
    const bool line = random_.chance(1, 4);
    const auto ends = [&](std::size_t one, std::size_t other) {
      return line ? text[other] == '\n' : kind(one) != kind(other);
    };
    std::size_t begin = random_.below(text.size());
    std::size_t end = begin + 1;
    while (begin > 0 && !ends(begin, begin - 1)) --begin;
    while (end < text.size() && !ends(begin, end)) ++end;
    return {begin, end - begin};
  }

  void edit(std::string& text, const std::vector<std::string>& seeds) {
    static constexpr std::string_view nul{"\0", 1};
    static constexpr std::string_view lowest = "-9223372036854775808", too_high = "18446744073709551616";
    static constexpr std::string_view pieces[] = {
        // numbers beyond ranges, bytes that are no text, separators, and words of the formats
        "-1",   "0", "1",    "2147483648", lowest, too_high, "1e309", "nan", "\xff\xfe", "\xc3\xa9", "\n",
        "\r\n", " ", "\t",   "#",          "\"",   "\\",     "{",     "}",   "[",        "]",        ",",
        ":",    "=", "null", "true",       "..",   "/",      "'",     nul,   "\x1b[31m", "actions",  "lockstep 1 "};
    const Part bytes = bytes_in(text);
    const Part word = word_in(text);
    switch (random_.below(9)) {
      case 0: text.erase(bytes.begin, bytes.size); return;
      case 1: text.erase(word.begin, word.size); return;
      case 2: text.insert(word.begin, text.substr(word.begin, word.size)); return;
      case 3: text.insert(random_.below(text.size() + 1), text.substr(word.begin, word.size)); return;
      case 4: text.replace(word.begin, word.size, random_.pick(pieces)); return;
      case 5: text.insert(bytes.begin, random_.pick(pieces)); return;
      case 6: {
        const std::string& other = seeds[random_.below(seeds.size())];
        const Part part = word_in(other);
        text.replace(word.begin, word.size, other.substr(part.begin, part.size));
        return;
      }
      case 7:
        if (!text.empty()) text[random_.below(text.size())] = static_cast<char>(random_.below(256));
        return;
      default: text.resize(random_.below(text.size() + 1));
    }
  }

  Random random_;
};

/// The input that is being read, where it is seen after the process has died.
class InFlight {
 public:
  InFlight() {
    const int file = open("hostile-input", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || ftruncate(file, size) != 0) std::abort();
    bytes_ = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    if (bytes_ == MAP_FAILED) std::abort();
    close(file);
  }
  void set(std::string_view input) {
    std::memcpy(bytes_, input.data(), std::min<std::size_t>(input.size(), size));
    if (input.size() < size) bytes_[input.size()] = '\0';
  }

 private:
  static constexpr off_t size = 8192;
  char* bytes_;
};

// The readers ----------------------------------------------------------------------------------

/// A reader of a file, which reads it from memory.
std::function<std::string(const std::string&)> of_file(const fs::path& file, std::function<void()> read) {
  return [file, read = std::move(read)](const std::string& input) {
    const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0 || !write_all(out, input)) std::abort();
    close(out);
    read();
    return std::string{};
  };
}

template <class Read>
std::function<std::string(const std::string&)> of_text(Read read) {
  return [read = std::move(read)](const std::string& input) {
    static_cast<void>(read(input));
    return std::string{};
  };
}

std::vector<std::string> texts_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator{folder}) {
    auto text = entry.is_regular_file() ? read_file(entry.path()) : std::unexpected{std::string{}};
    if (text) out.push_back(text->substr(0, text->rfind('\n', 3000) + 1));
  }
  std::ranges::sort(out);
  return out;
}

constexpr const char* garden_text =
    "lockstep 1 garden\nrows 2\ncolumns 3\nwater 5\nseason summer\nfence yes\nbeds\n.r.\nt.r\nmole row=1 column=2 "
    "awake=no\nactions\nplant row=0 column=0 flower=rose # why\nrain amount=30\nwait\n";

std::string finding_line() {
  Finding finding;
  finding.signature = "garden counts_short observation rain";
  finding.file_name = "garden-0.txt";
  finding.scenario = garden_text;
  finding.divergence.action = "rain";
  return to_json(finding);
}

/// A state file of fuzz, with a result that has a finding.
std::string state_text() {
  FuzzRun run{{"garden"}, {}, {}};
  run.options.with = {"counts_short"};
  CampaignResult& result = run.results.emplace_back();
  result.system = &garden();
  result.implementations = {"rulebook", "counts_short"};
  result.engines["swarm"] = {.scenarios = 3, .steps = 4, .seconds = 0.5};
  result.canary = {.name = "counts_short", .found = true, .engine = "swarm"};
  result.findings.push_back({finding_from(finding_line()), "findings/garden-0.txt"});
  result.next = {5};
  return resume_text(run);
}

/// Of the garden, from its simplest setup.
ExplorationRun small_walk(const fs::path& checkpoint) {
  ExplorationRun run;
  run.system = &garden();
  run.from.texts.emplace_back("setup", "lockstep 1 garden\nactions\n");
  run.implementations = {"rulebook", "honest"};
  run.options.depth = 2;
  run.options.jobs = 1;
  run.checkpoint = checkpoint.string();
  return run;
}

std::vector<Reader> all_readers(const fs::path& root, const fs::path& scratch) {
  std::vector<Reader> out;
  for (const AnySystem* game : all_systems()) {
    if (game->name() == garden().name()) continue;  // it has readers of its own below
    const std::string name{game->name()};
    auto seeds = texts_in(root / "corpus" / name);
    seeds.push_back(read_file(root / "tests" / "hostile" / "inputs" / (name + ".txt")).value());
    out.push_back({"texts and problem inputs of " + name, std::move(seeds),
                   [game](const std::string& input) { return law_broken_by_reading(*game, input); }, 6});
  }
  const AnySystem& system = garden();
  out.push_back({"scenarios",
                 {garden_text, "lockstep 1 garden\nfinding\n  signature: a\n    b\n# why\n  c: d\nrows 2\nactions\n"},
                 [&](const std::string& input) -> std::string {
                   const auto text = system.canonical(input);
                   return !text || system.canonical(*text) == *text ? "" : "canonical text changes";
                 },
                 20});
  const auto pack = [&](const std::string& text) { return encoded(system.parse(text).value()); };
  const Bytes packed = pack(garden_text);
  out.push_back({"bytes",
                 {std::string{packed.begin(), packed.end()}},
                 [&system, pack](const std::string& input) -> std::string {
                   const auto text = system.unpack(bytes_in(input));
                   if (!text) return "bytes are refused";
                   return system.unpack(pack(*text)) == *text ? "" : "bytes lose the scenario";
                 },
                 10});

  out.push_back({"floors", texts_in(root / "tests/golden/floors"),
                 of_text([](const std::string& input) { return parse_floors(input).has_value(); }), 3});
  const fs::path ignored = scratch / "ignored";
  if (!write_file(scratch / "known" / "a.txt", garden_text)) std::abort();
  out.push_back({"known mistakes",
                 {"# why\ngarden counts_short observation rain # a reason\nscenario known/a.txt # another\n"},
                 of_file(ignored, [ignored] { read_known_mistakes(ignored); }),
                 1});

  Verdict verdict{Verdict::State::diverged, Divergence{}, "why"};
  Explanation explanation{.signature = "a b", .system = "garden", .lines = {ExplainedLine{}}};
  explanation.lines[0].words.push_back({"rows", "2", Matter::free});
  out.push_back({"findings between processes",
                 {finding_line()},
                 of_text([](const std::string& input) {
                   std::string lines = input + "\n";
                   return take_messages(lines).findings.size();
                 }),
                 4,
                 true});
  out.push_back({"verdicts between processes", {to_json(verdict)}, of_text(verdict_from), 2, true});
  out.push_back({"explanations between processes", {to_json(explanation)}, of_text(explanation_from), 2, true});
  Explored explored{.end = ExploreEnd::diverged, .levels = {{"1", 2, 3, 4}}, .reason = "why", .folded_by = {"mirror"}};
  explored.failed = Counterexample{garden_text, "why", Size{1, 2, 3, 4, 5}};
  out.push_back({"explorations between processes", {to_json(explored)}, of_text(explored_from), 2, true});

  const fs::path state = scratch / "state";
  out.push_back({"state files of fuzz",
                 {state_text()},
                 of_file(state,
                         [state] {
                           read_fuzz_run(state, [](const std::string& name) -> const AnySystem& {
                             if (name != "garden") throw BadInput{"no system " + name};
                             return garden();
                           });
                         }),
                 1});
  const fs::path shards = scratch / "shards";
  join_run(shards, {"explore", 3, {{"system", "garden"}, {"program", "0"}}});
  out.push_back({"run.json of shards",
                 {read_file(shards / "run.json").value()},
                 of_file(shards / "run.json", [shards] { read_run(shards); }),
                 1});
  explored.finding = finding_from(finding_line());
  const fs::path result = result_file(shard_folder(shards, 0));
  write_explored(result, explored);
  out.push_back(
      {"results of shards", {read_file(result).value()}, of_file(result, [result] { read_explored(result); }), 1});

  const fs::path checkpoint = scratch / "checkpoint";
  explore(small_walk(checkpoint));
  out.push_back({"checkpoints",
                 {read_file(checkpoint).value()},
                 of_file(checkpoint,
                         [checkpoint] {
                           ExplorationRun again = small_walk(checkpoint);
                           again.resume = true;
                           explore(again);
                         }),
                 0});

  out.push_back({"answers of plugins",
                 {"legal yes\nwater 3\ncount 1 2\n", "rows 2\nbeds\n.r\nt.\nmole row=1 awake=no\n"},
                 of_text([](const std::string& input) { return picture_of(fields_of(input)); }),
                 4});
  out.push_back(
      {"answers of programs",
       {"3 7\n1.5e3 yes\n", "1\n2\n3\n"},
       of_text([](const std::string& input) { return answer_difference({"3 7\n", "1.5e3 yes\n"}, input).has_value(); }),
       4});
  out.push_back({"error output",
                 {"==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n #0 0x1 in f\n"},
                 of_text([](const std::string& input) { return memory_error(telling_lines(input)); }),
                 2});
  out.push_back({"options",
                 {"place.price=1..3", "data.item=-5..9", "3/8", "1/10000"},
                 of_text([](const std::string& input) {
                   static_cast<void>(shard_from(input));
                   return bound_from(input);
                 }),
                 4});
  return out;
}

/// It calls hostile text a mistake of the program, which only readers between processes may do.
constexpr const char* planted_reader = "planted";

// Reading --------------------------------------------------------------------------------------

[[noreturn]] void broken(const Reader& reader, const std::string& what) {
  std::fprintf(stderr, "hostile: %s: %s; the input is in hostile-input\n", reader.name.c_str(), what.c_str());
  std::exit(1);
}

struct Counts {
  std::uint64_t read = 0;
  std::uint64_t refused = 0;
};

Counts read_all(const Reader& reader, std::uint64_t inputs, std::uint64_t seed, InFlight& in_flight) {
  Edits edits{seed};
  Counts counts;
  while (counts.read < inputs) {
    const std::string input = edits.next(reader.seeds);
    in_flight.set(input);
    ++counts.read;
    try {
      if (const std::string what = reader.law(input); !what.empty()) broken(reader, what);
    } catch (const BadInput&) {
      ++counts.refused;
    } catch (const InternalError& fault) {
      if (!reader.between_processes) broken(reader, std::string{"calls it a mistake of the program: "} + fault.what());
      ++counts.refused;
    } catch (const std::exception& other) {
      broken(reader, std::string{"an exception that its interface does not name: "} + other.what());
    }
  }
  return counts;
}

int run(std::uint64_t inputs, std::uint64_t seed, const std::string& only, const fs::path& root) {
  const ScratchFolder scratch;
  InFlight in_flight;
  auto readers = all_readers(root, scratch.path());
  if (only == planted_reader)
    readers.push_back({planted_reader, {"3"}, of_text([](const std::string& input) { return finding_from(input); })});
  std::uint64_t weights = 0;
  for (const Reader& reader : readers) weights += reader.weight;
  std::uint64_t all = 0;
  for (const Reader& reader : readers) {
    if (!only.empty() && !reader.name.contains(only)) continue;
    if (reader.seeds.empty()) broken(reader, "has no valid input to begin with");
    // A checkpoint takes a process each, which under sanitizers takes a second.
    const std::uint64_t few = std::min<std::uint64_t>(inputs / 20'000 + 1, 60);
    const std::uint64_t part = reader.weight > 0 ? inputs * reader.weight / weights + 1 : few;
    const auto start = std::chrono::steady_clock::now();
    const Counts counts = read_all(reader, part, seed, in_flight);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%-45s %10llu inputs, %3.0f%% refused by an exception, %8.0f a second\n", reader.name.c_str(),
                static_cast<unsigned long long>(counts.read),
                100 * static_cast<double>(counts.refused) / static_cast<double>(counts.read),
                static_cast<double>(counts.read) / std::max(seconds, 1e-9));
    std::fflush(stdout);
    all += counts.read;
  }
  fs::remove("hostile-input");
  std::printf("%llu hostile inputs, no reader broke its law\n", static_cast<unsigned long long>(all));
  return all > 0 ? 0 : 2;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  // The files are rewritten thousands of times a second, which a disk would slow down.
  if (std::filesystem::is_directory("/dev/shm")) setenv("TMPDIR", "/dev/shm", 1);
  std::uint64_t inputs = 100'000;
  std::uint64_t seed = 1;
  std::string only;
  std::string root;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool option = word.starts_with("--") && i + 1 < argc;
    if (word == "--inputs" && option) inputs = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--seed" && option) seed = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--only" && option) only = argv[++i];
    else root = word;
  }
  if (root.empty() || inputs == 0) {
    std::fprintf(stderr, "usage: hostile [--inputs N] [--seed S] [--only READER] ROOT\n");
    return 2;
  }
  return lockstep::run(inputs, seed, only, root);
}
