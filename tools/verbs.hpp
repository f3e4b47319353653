// What the verbs of the program share: exit codes, streams, and reading what people hand in.
//
// Results go to stdout, progress and errors to stderr. A verb returns its exit code; bad input is thrown
// as BadInput and printed by main, so that every verb says it the same way.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/any_system.hpp"
#include "lockstep/corpus.hpp"
#include "lockstep/explain.hpp"

namespace lockstep {

enum ExitCode : int {
  exit_agreed = 0,
  exit_diverged = 1,
  exit_bad_input = 2,
  exit_internal_error = 3,
  exit_interrupted = 130,
};

/// A verb: adds its subcommand to the program, and runs when the command line named it.
using AddVerb = void (*)(CLI::App& program, int& exit_code);
void add_list(CLI::App& program, int& exit_code);
void add_fuzz(CLI::App& program, int& exit_code);
void add_canaries(CLI::App& program, int& exit_code);
void add_replay(CLI::App& program, int& exit_code);
void add_show(CLI::App& program, int& exit_code);
void add_shrink(CLI::App& program, int& exit_code);
void add_judge(CLI::App& program, int& exit_code);
void add_corpus(CLI::App& program, int& exit_code);
void add_explore(CLI::App& program, int& exit_code);
void add_labels(CLI::App& program, int& exit_code);
void add_explain(CLI::App& program, int& exit_code);

/// How the user calls the program, for commands that are printed to be copied: "./dev run", "build/bin/lockstep".
const std::string& program_command();

/// Adds the argument SYSTEM, which may be left out where only one is registered.
CLI::Option* add_system(CLI::App& verb, std::string& system);

/// The system with that name; BadInput with the nearest name when there is none.
const AnySystem& system_named(const std::string& name);

/// BadInput for a name that is not among those that --engine knows.
void check_engines(const std::vector<std::string>& engines, const std::vector<std::string>& known);

/// Adds --with as all verbs have it that judge; `otherwise` says who plays without it.
CLI::Option* add_with(CLI::App& verb, std::vector<std::string>& with, const std::string& otherwise);
/// Adds --timeout, in seconds, for one action.
CLI::Option* add_timeout(CLI::App& verb, int& seconds);

/// The name of a file in errors: "standard input" for "-".
std::string source_name(const std::string& path);

/// The file's bytes; "-" is standard input.
std::string read_input(const std::string& path);
void write_output(const std::filesystem::path& path, std::string_view bytes);

/// A folder's scenario files, sorted (lockstep/corpus.hpp); BadInput when it cannot be read.
CorpusFiles scenario_files(const std::filesystem::path& folder);

/// The scenarios that a corpus keeps of a system, as texts in the order of their names; none when there is no such folder.
std::vector<std::string> corpus_texts(const std::filesystem::path& corpus, std::string_view system);

/// A scenario's text, its system and who is to play it: those of --with, else those that the text's
/// comments name, else everybody.
struct LoadedScenario {
  std::string path;
  std::string text;
  const AnySystem* system;
  std::vector<std::string> implementations;

  std::string source() const { return source_name(path); }
};
LoadedScenario load_scenario(const std::string& path, const std::vector<std::string>& with);

/// Unwraps, or throws BadInput with the place in the named source.
template <class T>
T value_of(Parsed<T> parsed, const std::string& source) {
  if (!parsed) throw BadInput{parsed.error().message(source)};
  return std::move(*parsed);
}

/// Accepts what is a number within the bounds in full; CLI11 alone would wrap "-1" and cut what is larger.
CLI::Validator whole_number(std::uint64_t lo = 0, std::uint64_t hi = UINT64_MAX);
/// Accepts a number of seconds within the bounds; CLI11's own range lets "nan" pass.
CLI::Validator seconds_between(double lo, double hi);

/// An explanation with its legend, as `explain` and `show --explain` print it.
std::string explained(const Explanation& explanation, bool colour);

/// "a,b" and repeated options alike; BadInput when options were given and name nothing.
std::vector<std::string> split_names(const std::vector<std::string>& values);

/// Whether to write colours to this stream (a terminal, and NO_COLOR not set).
bool colours_wanted(int fd);

}  // namespace lockstep
