#include "tools/verbs.hpp"

#include <signal.h>
#include <sys/ioctl.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "lockstep/base/lines.hpp"
#include "lockstep/base/numbers.hpp"
#include "lockstep/process/files.hpp"
#include "lockstep/process/kept_files.hpp"
#include "lockstep/process/shared_files.hpp"
#include "lockstep/system/plugin.hpp"
#include "lockstep/system/processor.hpp"
#include "lockstep/text/text.hpp"
#include "programs/problem_format.hpp"
#include "programs/problems.hpp"
#include "tools/starters.hpp"

namespace lockstep {
namespace {

volatile sig_atomic_t interrupt_flag = 0;

/// The implementations that a finding names; empty if one of them is unknown. A file never loads a plugin: one from
/// elsewhere could otherwise run any code.
std::vector<std::string> named_implementations(const LoadedScenario& loaded) {
  const auto& names = loaded.notes.implementations;
  const auto plugin =
      std::ranges::find_if(names, [](const auto& name) { return names_plugin(name) && known_plugin(name) == nullptr; });
  if (plugin != names.end()) {
    std::cerr << loaded.source() << ": it names the plugin " << shown(*plugin)
              << ", which only --with loads; judging all but canaries instead (to load it: --with "
              << shell_word(shown(*plugin)) << ")\n";
    return {};
  }
  if (const auto known = resolve_implementations(*loaded.system, names); !known) {
    std::cerr << loaded.source() << ": " << known.error()
              << "\n  (named in the file; judging all but canaries instead)\n";
    return {};
  }
  return names;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupt_flag = 1; };
  action.sa_flags = SA_RESTART;  // a report that is being written is written to its end
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_flag != 0; }

const AnySystem& system_named(const std::string& name) {
  if (const AnySystem* system = find_system(name)) return *system;
  for (const Starter& starter : starters()) {
    if (starter.text.substr(0, starter.text.find('\n')).ends_with(" " + name)) return *find_system(starter.system);
  }
  std::vector<std::string> known;
  for (const AnySystem* system : all_systems()) known.emplace_back(system->name());
  throw BadInput{unknown_name("system", name, known)};
}

SystemInputs problem_inputs(const AnySystem& system) {
  const AnyProblem* const problem = system.problem();
  if (problem == nullptr) throw BadInput{std::string{system.name()} + " has no original problem"};
  if (!problem->has_domain()) {
    throw BadInput{std::string{system.name()} +
                   " does not say which inputs its problem has (outside and bring_inside of its ProblemFormat)"};
  }
  return SystemInputs{*problem};
}

CLI::Option* add_corpus_option(CLI::App& verb, CorpusOption& corpus, const std::string& use) {
  return verb
      .add_option("--corpus", corpus,
                  use +
                      ": a folder that contains SYSTEM/*.txt; none; default: the one that comes with the program, else "
                      "./corpus if there is one")
      ->type_name("FOLDER")
      ->take_last();
}

std::filesystem::path corpus_of(const CorpusOption& corpus, const std::vector<std::string>& systems) {
  std::error_code none;
  if (corpus) {
    if (*corpus == "none") return {};
    if (std::filesystem::is_directory(*corpus, none)) return *corpus;
    throw BadInput{"--corpus " + *corpus + ": expected a folder that contains SYSTEM/*.txt, or none"};
  }
  const std::filesystem::path own = own_corpus();
  const auto has = [&](const std::string& system) { return std::filesystem::is_directory(own / system, none); };
  if (!own.empty() && std::ranges::any_of(systems, has)) return own;
  return std::filesystem::is_directory("corpus", none) ? "corpus" : "";
}

std::string about_corpus(const std::filesystem::path& corpus, std::string_view system) {
  if (corpus.empty()) return "no corpus";
  const std::filesystem::path folder = corpus_folder(corpus, system);
  const bool empty = corpus_files_if_any(folder).empty() && corpus_files_if_any(folder / "judge", ".in").empty();
  return empty ? "no corpus (" + folder.string() + " has no scenario)" : "corpus " + folder.string();
}

std::string exit_codes(std::string_view agree, std::string_view differ, std::string_view internal_error) {
  std::string out = "exit codes: 0 " + std::string{agree};
  if (!differ.empty()) out += ", 1 " + std::string{differ};
  return out + ", 2 wrong input or command line, 3 " + std::string{internal_error};
}

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::expected<std::string, std::string> input_text(const std::string& path) {
  auto bytes = read_file(path == "-" ? "/dev/stdin" : path);
  if (!bytes) return std::unexpected(source_name(path) + ": " + bytes.error());
  return bytes;
}

std::string read_input(const std::string& path) { return or_refuse(input_text(path)); }

std::vector<const AnySystem*> systems_named(const std::vector<std::string>& names) {
  std::vector<const AnySystem*> out;
  for (const auto& name : names) out.push_back(&system_named(name));
  if (out.empty()) out.assign(all_systems().begin(), all_systems().end());
  return out;
}

std::size_t place_of(std::string_view what, const std::string& name, const std::vector<std::string>& known,
                     const std::string& of) {
  const auto found = std::ranges::find(known, name);
  if (found == known.end()) throw BadInput{unknown_name(what, name, known, of)};
  return static_cast<std::size_t>(found - known.begin());
}

void print_json(const nlohmann::ordered_json& value) { fmt::print("{}\n", dumped(value, 2)); }

void complain(std::string_view what) { std::cerr << program_name() << ": " << what << "\n"; }

void write_output(const std::filesystem::path& path, std::string_view bytes) { or_refuse(write_file(path, bytes)); }

void keep_output(const std::filesystem::path& path, std::string_view bytes) { or_refuse(keep_file(path, bytes)); }

void print_unwritten(const std::string& what, const std::string& reason, std::string_view text) {
  std::cerr << program_name() << ": the " << what << " could not be written (" << reason << "). The " << what << ":\n"
            << text;
}

bool keep_or_print(const std::filesystem::path& path, const std::string& what, std::string_view text) {
  const auto written = keep_file(path, text);
  if (!written) print_unwritten(what, written.error(), text);
  return written.has_value();
}

std::vector<std::string> corpus_texts(const std::filesystem::path& corpus, std::string_view system) {
  std::vector<std::string> texts;
  for (const auto& file : corpus_files_if_any(corpus_folder(corpus, system)))
    texts.push_back(read_input(file.string()));
  return texts;
}

std::string LoadedScenario::memory_notice() const {
  return source() +
         ": a finding of memory, which answers and states do not show: 'replay' shows it in a program "
         "that is linked with -fsanitize=leak";
}

int nothing_to(std::string_view verb, const LoadedScenario& loaded, Guard guard) {
  const Replay again = replay_of(loaded.scenario, loaded.implementations, guard);
  const auto& differs = again.verdict.divergence;
  if (differs && differs->kind == DivergenceKind::memory) throw BadInput{loaded.memory_notice()};
  if (!again.verdict.agreed()) throw InternalError{fmt::format("{}: {}: {}", loaded.source(), verb, again.explanation)};
  std::cerr << fmt::format("{}: agreed: there is nothing to {}\n", loaded.source(), verb);
  return exit_agreed;
}

const AnySystem& system_of(const std::string& text, const std::string& source) {
  const auto lines = text::lines_of(text, 1);
  const std::string name = value_of(text::system_of(lines), source);
  try {
    return system_named(name);
  } catch (const BadInput& unknown) {
    throw BadInput{TextError{lines[0].number, lines[0].words[2].column, unknown.what()}.message(source)};
  }
}

LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& with) {
  return load_scenario(path, read_input(path), with);
}

LoadedScenario load_scenario(const std::string& path, std::string text, const std::vector<std::string>& with) {
  const AnySystem& system = system_of(text, source_name(path));
  LoadedScenario out{path, std::move(text), &system, system.vocabulary().scenario()};
  out.notes = notes_of(out.text);
  out.implementations = implementations_to_judge(system, with.empty() ? named_implementations(out) : with);
  out.scenario = value_of(system.parse(out.text), out.source());
  return out;
}

std::vector<std::string> split_names(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const auto& value : values) std::ranges::copy(split(value, ','), std::back_inserter(out));
  std::erase(out, "");
  if (out.empty() && !values.empty()) throw BadInput{"expected a name, got '" + values.front() + "'"};
  return out;
}

CLI::Validator seconds_between(double lo, double hi, bool whole) {
  return CLI::Validator{
      [lo, hi, whole](std::string& text) -> std::string {
        constexpr std::array<std::pair<std::string_view, double>, 4> units = {
            {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}}};
        const std::size_t end = std::min(text.find_first_of("smh"), text.size());
        const auto unit =
            std::ranges::find(units, std::string_view{text}.substr(end), &std::pair<std::string_view, double>::first);
        double value = 0;
        const bool number = unit != units.end() && CLI::detail::lexical_cast(text.substr(0, end), value);
        const double seconds = number ? value * unit->second : -1;
        if (seconds >= lo && seconds <= hi && !(whole && seconds != std::floor(seconds))) {
          text = fmt::format("{}", seconds);
          return "";
        }
        return fmt::format("expected {}seconds from {} to {}, or a time such as 90s, 5m or 2h, got '{}'",
                           whole ? "whole " : "", lo, hi, text);
      },
      "SECONDS"};
}

CLI::Validator whole_number(std::uint64_t lo, std::uint64_t hi) {
  return CLI::Validator{[lo, hi](const std::string& text) -> std::string {
                          const auto value = number_in(text);
                          if (value && lo <= *value && *value <= hi) return "";
                          return "expected a whole number from " + std::to_string(lo) + " to " + std::to_string(hi) +
                                 ", got '" + text + "'";
                        },
                        "UINT"};
}

CLI::Option* add_system(CLI::App& verb, std::string& system) {
  const auto systems = all_systems();
  if (systems.size() == 1) system = systems.front()->name();
  return verb.add_option("SYSTEM", system, "The system")->required(systems.size() != 1);
}

CLI::Option* add_jobs(CLI::App& verb, unsigned& jobs, const std::string& text) {
  return verb.add_option("--jobs", jobs, text)->check(whole_number(1, 1024));
}

unsigned jobs_of(unsigned jobs) { return jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }

CLI::Option* add_names(CLI::App& verb, const std::string& option, std::vector<std::string>& names,
                       const std::string& text, const std::string& word) {
  return verb.add_option(option, names, text)->type_name(word)->allow_extra_args(false);
}

CLI::Option* add_with(CLI::App& verb, std::vector<std::string>& with, std::string_view default_text) {
  return add_names(verb, "--with", with,
                   "Implementations to compare with the reference (NAME,NAME), also canaries and plugins (PATH.so, "
                   "PATH.so:NAME); default: " +
                       std::string{default_text});
}

CLI::Option* add_timeout(CLI::App& verb, std::chrono::milliseconds& timeout) {
  const auto take = [&timeout](int seconds) { timeout = std::chrono::seconds{seconds}; };
  return verb.add_option_function<int>("--timeout", take, "Seconds after which one action counts as a hang")
      ->transform(seconds_between(1, 86'400, true))
      ->default_str(std::to_string(timeout / std::chrono::seconds{1}));
}

void add_failure_options(CLI::App& verb, FailureOptions& options, const std::string& about_file,
                         const std::string& about_seconds) {
  verb.add_option("FILE", options.file, about_file)->required();
  add_with(verb, options.with, with_default_of_file);
  add_number(verb, "--seconds", options.seconds, seconds_between(1, 86'400, true), about_seconds);
  add_timeout(verb, options.guard.timeout);
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    const bool command = line.starts_with(' ') || line.starts_with("example:");
    const bool ended = line.size() < text.size();
    text.remove_prefix(line.size() + (ended ? 1 : 0));
    while (!command && line.size() > columns) {
      std::size_t end = line.rfind(' ', columns);
      if (end == line.npos) end = line.find(' ');
      if (end == line.npos) break;
      out.append(line.substr(0, end)).append("\n");
      line.remove_prefix(end + 1);
    }
    out.append(line).append(ended ? "\n" : "");
  }
  return out;
}

std::string described(std::string name, std::string_view text, std::size_t indent) {
  const std::string blanks(indent, ' ');
  name += name.size() < indent ? blanks.substr(name.size()) : "\n" + blanks;
  for (const char c : wrapped(text, text_columns - indent)) {
    name += c;
    if (c == '\n') name += blanks;
  }
  return name + "\n";
}

std::string bounded(std::string_view text, std::size_t lines_max, const std::string& where) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(take_line(text));
  const std::size_t half = lines_max / 2;
  std::string left_out;
  if (const std::size_t count = lines.size(); count > lines_max) {
    left_out = "… " + counted(count - 2 * half, "more line") + (where.empty() ? "" : ": " + where);
    const auto marked = std::ranges::find_if(lines, [](std::string_view line) { return line.starts_with('*'); });
    const auto at = static_cast<std::size_t>(marked - lines.begin());
    const std::size_t from = std::clamp(at < half / 2 ? 0 : at - half / 2, half, count - half);  // the second half
    const auto place = [&](std::size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
    lines.erase(place(from + half), lines.end());
    if (from + half < count) lines.emplace_back(from > half ? "…" : left_out);
    if (from > half) lines.insert(lines.erase(place(half), place(from)), left_out);
  }
  std::string out;
  for (const auto line : lines) out.append(line).append("\n");
  return out;
}

std::string left_out_hint() {
  if (!leaves_out_implementations()) return "";
  return wrapped("level: " + about_level() + ": implementations that need more are left out", text_columns);
}

bool colours_wanted(int fd) {
  const char* const no_colour = std::getenv("NO_COLOR");
  return isatty(fd) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

Layout layout_of(int fd) {
  winsize size{};
  const bool known = ioctl(fd, TIOCGWINSZ, &size) == 0;
  return {.colour = colours_wanted(fd), .columns = known ? size.ws_col : std::size_t{0}};
}

}  // namespace lockstep
