// Shared by the verbs: exit codes, common options, and reading input. A verb need not include again what this includes.
//
// A verb writes results to stdout, progress and errors to stderr, and sets the exit code. For bad input it throws
// BadInput, which program_main prints.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <expected>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/base/json.hpp"
#include "lockstep/base/refuse.hpp"
#include "lockstep/base/words.hpp"
#include "lockstep/draw/corpus.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/report.hpp"
#include "lockstep/shrink/explain.hpp"
#include "lockstep/system/any_system.hpp"

namespace lockstep {

class SystemInputs;

enum ExitCode : int {
  exit_agreed = 0,
  exit_diverged = 1,
  exit_bad_input = 2,
  exit_internal_error = 3,
  exit_interrupted = 130,
};

/// Adds a verb to the program. The verb runs when the command line names it.
using AddVerb = void(CLI::App& program, int& exit_code);
AddVerb add_bench, add_canaries, add_corpus, add_explain, add_explore, add_fuzz, add_gen, add_grade, add_html, add_init,
    add_labels, add_list, add_merge, add_replay, add_show, add_shrink, add_solve, add_stress, add_validate;

/// Adds a verb to the program, or to another verb. `run` gets its options, and returns the exit code if it returns
/// anything.
template <class Options, class Run>
std::pair<CLI::App*, Options*> add_verb(CLI::App& program, const std::string& name, const std::string& about,
                                        int& exit_code, Run run) {
  CLI::App* const verb = program.add_subcommand(name, about);
  const auto options = std::make_shared<Options>();
  verb->callback([&, options, run] {
    if constexpr (std::is_void_v<std::invoke_result_t<Run, Options&>>) run(*options);
    else exit_code = run(*options);
  });
  return {verb, options.get()};
}

/// How the user calls the program, for printed commands: "build/release/bin/lockstep", for example.
const std::string& program_command();
/// The name that messages begin with: the file name of argv[0].
const std::string& program_name();

/// The first line below a verb's options: "exit codes: 0 …, 1 …, 2 wrong input or command line, 3 …". An empty `differ`
/// is left out.
std::string exit_codes(std::string_view agree, std::string_view differ = {},
                       std::string_view internal_error = "internal error");

/// Adds the argument SYSTEM. It is optional when exactly one system is registered.
CLI::Option* add_system(CLI::App& verb, std::string& system);

/// The system with that name; BadInput with the nearest name if there is none.
const AnySystem& system_named(const std::string& name);

/// The system that the first line of a text names; BadInput with source, line and column if there is none.
const AnySystem& system_of(const std::string& text, const std::string& source);

/// The inputs of the system's original problem; BadInput if it has no such problem, or does not say which inputs it has.
SystemInputs problem_inputs(const AnySystem& system);

/// What --corpus says; nullopt if it is not given.
using CorpusOption = std::optional<std::string>;
/// Adds --corpus, for every verb that searches or counts from a corpus. `use`: "Seed corpus".
CLI::Option* add_corpus_option(CLI::App& verb, CorpusOption& corpus, const std::string& use);
/// The folder that --corpus names; empty for none. By default that of the program if it has one for one of the systems,
/// else ./corpus, else none: what a program finds does not depend on the current folder. BadInput if there is no such folder.
std::filesystem::path corpus_of(const CorpusOption& corpus, const std::vector<std::string>& systems);
/// "corpus FOLDER", or "no corpus", of a system.
std::string about_corpus(const std::filesystem::path& corpus, std::string_view system);

/// Adds an option with a number, whose default the help shows. `range`: whole_number or seconds_between.
template <class Number>
CLI::Option* add_number(CLI::App& verb, const std::string& name, Number& number, const CLI::Validator& range,
                        const std::string& text) {
  return verb.add_option(name, number, text)->transform(range)->capture_default_str();
}
/// Adds --jobs: 0, its default, is one for each core (jobs_of).
CLI::Option* add_jobs(CLI::App& verb, unsigned& jobs, const std::string& text);
unsigned jobs_of(unsigned jobs);
/// Adds an option whose values are names: NAME,NAME, or repeated (split_names).
CLI::Option* add_names(CLI::App& verb, const std::string& option, std::vector<std::string>& names,
                       const std::string& text, const std::string& word = "NAMES");
/// Adds an option with a path. `word`: FILE or FOLDER.
template <class Path>
CLI::Option* add_path(CLI::App& verb, const std::string& name, const std::string& word, Path& path,
                      const std::string& text) {
  return verb.add_option(name, path, text)->type_name(word);
}

/// The systems with these names, in the order of the names; all if there are none.
std::vector<const AnySystem*> systems_named(const std::vector<std::string>& names);

/// Makes SIGINT (Ctrl-C) and SIGTERM set a flag instead of ending the process. A verb polls it, stops early, and still
/// prints its results.
void catch_interrupts();
bool interrupted();

/// Prints JSON on standard output, as lines for people.
void print_json(const nlohmann::ordered_json& value);
/// Prints "PROGRAM: what" and a line end on standard error.
void complain(std::string_view what);

/// The place of a name among the known ones; BadInput, with the nearest one, if it is not there. `what`: "engine"; `of`
/// follows the name.
std::size_t place_of(std::string_view what, const std::string& name, const std::vector<std::string>& known,
                     const std::string& of = {});

/// The default of --with where it does not depend on a scenario file, and where it does.
inline constexpr std::string_view with_default = "all but canaries";
inline constexpr std::string_view with_default_of_file = "the implementations that the file names, or all but canaries";

/// The names of an option, given as "a,b" or repeated; BadInput if values were given but contain no name.
std::vector<std::string> split_names(const std::vector<std::string>& values);

/// Adds --with, for every verb that judges. `default_text` describes the default.
CLI::Option* add_with(CLI::App& verb, std::vector<std::string>& with, std::string_view default_text);
/// Adds --timeout, in seconds, for one action. The default is what `timeout` is.
CLI::Option* add_timeout(CLI::App& verb, std::chrono::milliseconds& timeout);

/// The name of a file in errors: "standard input" for "-".
std::string source_name(const std::string& path);

/// The file's bytes; "-" is standard input. An error begins with the name of the file.
std::expected<std::string, std::string> input_text(const std::string& path);
/// The same; BadInput if they cannot be read.
std::string read_input(const std::string& path);
void write_output(const std::filesystem::path& path, std::string_view bytes);
/// The same for what must outlive a crash of the machine (lockstep/process/kept_files.hpp).
void keep_output(const std::filesystem::path& path, std::string_view bytes);

/// Prints what was found and could not be written, for this reason: it must not be lost. `what`: "finding", for example.
void print_unwritten(const std::string& what, const std::string& reason, std::string_view text);
/// Writes the text as keep_output does; if it cannot be written, prints it and returns false.
bool keep_or_print(const std::filesystem::path& path, const std::string& what, std::string_view text);

/// The texts of a system's scenarios in a corpus, in the order of their file names; none if the folder does not exist.
std::vector<std::string> corpus_texts(const std::filesystem::path& corpus, std::string_view system);

/// A scenario with its text, its system, and the implementations to judge: those of --with; without it, those that the
/// file names if it is a finding; else all but canaries.
struct LoadedScenario {
  std::string path;
  std::string text;
  const AnySystem* system;
  AnyScenario scenario;
  FindingNotes notes = {};
  std::vector<std::string> implementations = {};

  std::string source() const { return source_name(path); }
  /// Of a finding of memory: how it is seen.
  std::string memory_notice() const;
};
LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& with);
/// The same of a text that was read from `path`.
LoadedScenario load_scenario(const std::string& path, std::string text, const std::vector<std::string>& with);

/// Becomes gdb, stopped in the blamed implementation before the step that is wrong (debugger.cpp). BadInput if there is no
/// gdb.
[[noreturn]] void debug_step(const LoadedScenario& loaded, const Divergence& divergence);

/// The options of a verb that works on one failure: shrink, explain, html.
struct FailureOptions {
  std::string file;
  std::vector<std::string> with;
  int seconds = 10;
  Guard guard;

  LoadedScenario load() const { return load_scenario(file, split_names(with)); }
  std::chrono::seconds time() const { return std::chrono::seconds{seconds}; }
};
void add_failure_options(CLI::App& verb, FailureOptions& options, const std::string& about_file,
                         const std::string& about_seconds = "Time limit");

/// Says that a scenario agrees, and that the verb has nothing to do; returns exit_agreed. BadInput if the scenario
/// leaks memory, which the verb does not see. InternalError if it cannot be judged, or differs only at times.
int nothing_to(std::string_view verb, const LoadedScenario& loaded, Guard guard);

/// The parsed value; BadInput with source, line and column if parsing failed.
template <class T>
T value_of(Parsed<T> parsed, const std::string& source) {
  if (!parsed) throw BadInput{parsed.error().message(source)};
  return std::move(*parsed);
}

/// Accepts a whole number within the bounds. CLI11's own check would wrap "-1" and truncate larger numbers.
CLI::Validator whole_number(std::uint64_t lo = 0, std::uint64_t hi = UINT64_MAX);
/// For `transform`: accepts a number of seconds within the bounds, and 90s, 5m or 2h. CLI11's own range check lets "nan"
/// pass. `whole`: no fraction of a second.
CLI::Validator seconds_between(double lo, double hi, bool whole = false);

/// An explanation with its legend, as `explain` and `show --explain` print it.
std::string explained(const Explanation& explanation, bool colour);

/// The length of a line of help and of a list.
inline constexpr std::size_t text_columns = 80;

/// The text with lines broken at blanks, so that none has more than `columns` characters unless one word has. A line that
/// begins with a blank or with "example:" stays: it is a command, to be copied.
std::string wrapped(std::string_view text, std::size_t columns);

/// A name and, from column `indent` on, wrapped text about it; with a line end.
std::string described(std::string name, std::string_view text, std::size_t indent);

/// A text of at most so many lines, so that a report is a page: the first half, and the other half around the first line that
/// is marked with '*', else from the end. A line says how many are left out, and `where` all of them are.
std::string bounded(std::string_view text, std::size_t lines_max, const std::string& where);

/// "level: avx2 (this processor lacks …): implementations that need more are left out"; empty if none is.
std::string left_out_hint();

/// The line below a finding that hides state, and its text alone.
inline constexpr std::string_view hidden_state_note =
    "  hidden state: it vanishes when the position before that step is given as a setup\n";
inline constexpr std::string_view hidden_state_text = hidden_state_note.substr(2, hidden_state_note.size() - 3);

/// True if the stream is a terminal and NO_COLOR is not set.
bool colours_wanted(int fd);

/// With colours if they are wanted, and in the columns of the terminal; in lines of any length if it is none.
Layout layout_of(int fd);

/// A progress line on stderr, rewritten in place. Off a terminal, in a log of CI, it is a line each half minute.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted = true) : wanted_{wanted}, shown_{wanted && isatty(STDERR_FILENO) != 0} {
    if (!shown_) last_ = std::chrono::steady_clock::now();
  }

  bool shown() const { return shown_; }

  /// Prints at most ten times a second. The line is cut to the width of the terminal: "\r" could not erase a second line.
  void update(const std::string& line) {
    constexpr std::chrono::milliseconds rewritten{100};
    constexpr std::chrono::seconds logged{30};
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (shown_ ? rewritten : logged)) return;
    last_ = now;
    if (shown_) show(line);
    else if (wanted_) std::cerr << line << '\n' << std::flush;
  }

  void show(const std::string& line) const {
    if (shown_) std::cerr << "\r\x1b[K" << line.substr(0, width() - 1) << std::flush;
  }

  void clear() const { show(""); }

 private:
  /// Read each time, because a window can be resized.
  static std::size_t width() {
    const std::size_t columns = layout_of(STDERR_FILENO).columns;
    return columns > 1 ? columns : text_columns;
  }

  bool wanted_;
  bool shown_;  // on a terminal
  std::chrono::steady_clock::time_point last_;
};

}  // namespace lockstep
