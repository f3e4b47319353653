#include "lockstep/program/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>

#include "lockstep/system/processor.hpp"
#include "programs/problem_format.hpp"
#include "tools/verbs.hpp"
#include "tools/version.hpp"

namespace lockstep {
namespace {

/// How printed commands call the program, and the name that its messages begin with.
std::string command_name = "lockstep";
std::string own_name = "lockstep";

/// The verbs below the headings of --help.
const std::pair<std::string, std::vector<AddVerb*>> verbs[] = {
    {"Search and look",
     {add_list, add_fuzz, add_explore, add_replay, add_show, add_shrink, add_explain, add_html, add_merge}},
    {"Corpus and versions", {add_corpus, add_labels, add_canaries, add_bench}},
    {"Programs of problems", {add_init, add_solve, add_validate, add_stress, add_gen, add_grade}},
};

/// Without aliases: an error lists each verb once, by its name.
std::vector<std::string> names_of_verbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) names.push_back(verb->get_name());  // else hidden
  }
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The verb or subcommand with that name or alias; null when there is none.
CLI::App* verb_named(CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands({});
  const auto found = std::ranges::find_if(all, [&](const CLI::App* verb) { return verb->check_name(name); });
  return found != all.end() ? *found : nullptr;
}

/// The verb that the command line names, and the arguments after it.
struct NamedVerb {
  CLI::App* verb;
  std::string path;  // "lockstep corpus add"; an alias is replaced by the name
  std::span<char* const> rest;
};

NamedVerb named_verb(CLI::App& program, std::span<char* const> arguments) {
  NamedVerb out{&program, program.get_name(), arguments};
  while (!out.rest.empty()) {
    CLI::App* const next = verb_named(*out.verb, out.rest[0]);
    if (next == nullptr) break;
    out.verb = next;
    out.path += " " + next->get_name();
    out.rest = out.rest.subspan(1);
  }
  return out;
}

/// The error message for a wrong command line. An unknown verb or option is reported first, with the nearest known name.
/// Other errors keep the message of CLI11.
std::string command_line_fault(const NamedVerb& at, const CLI::ParseError& error) {
  if (const auto known = names_of_verbs(*at.verb); !known.empty()) {
    if (at.rest.empty()) return "'" + at.path + "' takes one of: " + joined(known, ", ");
    if (at.rest[0][0] != '-') {
      const std::string near = nearest(at.rest[0], known);
      return "there is no verb '" + shown(at.rest[0]) + "'" +
             (near.empty() ? "; there are: " + joined(known, ", ") : "; did you mean '" + at.path + " " + near + "'?");
    }
  }
  const auto options = names_of_options(*at.verb);
  for (const std::string_view argument : at.rest) {
    const std::string_view name = argument.substr(0, argument.find('='));
    if (name == "--") break;
    if (!name.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
    return unknown_name("option", name, options, " of '" + at.path + "'");
  }
  const std::string said = error.what();
  if (said.ends_with(" missing"))
    return said.substr(0, said.find(':')) + " needs a value";  // "--seed: 1 required UINT missing"
  if (const auto most = said.find(": At Most 1 required"); most != std::string::npos)
    return said.substr(0, most) + " is given more than once";
  constexpr std::string_view too_many = " not expected: ";  // "The following argument was not expected: more"
  if (const auto more = said.find(too_many); said.starts_with("The following argument") && more != said.npos)
    return "'" + at.path + "' takes no further argument: " + said.substr(more + too_many.size());
  return said;
}

/// The example of a verb's help as this program is called, with a system that it has.
std::string of_this_program(std::string_view text) {
  const std::string system{all_systems().empty() ? "SYSTEM" : all_systems().front()->name()};
  return replaced(text, {{"SYSTEM", system}, {"lockstep ", program_command() + " "}});
}

/// What the value of an option is, for people: the word that its verb gives it (type_name), or N.
std::string value_word(const CLI::Option* option) {
  std::string type = option->get_type_name();
  type = type.substr(0, type.find(':'));
  if (type == "UINT" || type == "INT" || type == "FLOAT") return "N";
  if (type != "TEXT") return type;
  return option->get_name().starts_with("-") ? "VALUE" : "";  // the name of a positional one says it
}

/// Help in words and in lines of 80 characters: CLI11 would print "UINT:INT in [1 - 1024]" for a number, "TEXT ..." for
/// what may be repeated, and each explanation in one line.
class Help : public CLI::Formatter {
 public:
  Help() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "VERB");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const std::string word = value_word(option);
    std::string out = word.empty() ? "" : " " + word;
    if (!option->get_default_str().empty()) out += " (" + option->get_default_str() + ")";
    return out;
  }
  std::string make_option(const CLI::Option* option, bool positional) const override {
    return row(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return row(verb->get_display_name(true), verb->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_description(app), text_columns);
  }
  std::string make_footer(const CLI::App* app) const override {
    return wrapped(of_this_program(CLI::Formatter::make_footer(app)), text_columns);
  }

 private:
  std::string row(const std::string& name, const std::string& text) const {
    return described("  " + name, text, get_column_width());
  }
};

int refuse(CLI::App& program, const CLI::ParseError& error, std::span<char* const> arguments) {
  const NamedVerb at = named_verb(program, arguments);
  std::fprintf(stderr, "%s: %s\n", program_name().c_str(), command_line_fault(at, error).c_str());
  std::fprintf(stderr, "'%s --help' shows %s\n", at.path.c_str(),
               at.verb == &program ? "the verbs" : "its options, with an example");
  return exit_bad_input;
}

int run(int argc, char** argv) {
  CLI::App program{
      "Compares fast implementations with slow ones, and finds the smallest scenario on which they differ."};
  const std::string& name = program_name();
  program.name(name);
  program.formatter(std::make_shared<Help>());  // of the verbs too, which inherit it
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.footer(
      "To compare an implementation of another language or version with the reference, build it as a plugin "
      "(docs/plugins.md), then run\n"
      "  " +
      name + " fuzz SYSTEM --with ./mine.so\n" + exit_codes("all implementations agree", "a divergence was found") +
      ", 130 interrupted");
  int exit_code = exit_agreed;
  try {
    if (const auto level = level_asked(); !level) throw BadInput{level.error()};
    for (const auto& [heading, below] : verbs) {
      for (AddVerb* const add : below) {
        add(program, exit_code);
        program.get_subcommands({}).back()->group(heading);
      }
    }
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help or --version
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    return refuse(program, error, {argv + 1, argv + argc});
  }
  return exit_code;
}

/// Whether all of standard output was written.
bool output_written() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace

const std::string& program_command() { return command_name; }
const std::string& program_name() { return own_name; }

int program_main(int argc, char** argv) {
  if (argc > 0) own_name = std::filesystem::path{argv[0]}.filename().string();
  const char* const given = std::getenv("LOCKSTEP_COMMAND");
  if (given != nullptr && *given != '\0') command_name = given;
  else if (argc > 0) command_name = shell_word(argv[0]);
  int exit_code = exit_internal_error;
  std::string fault;
  try {
    exit_code = run(argc, argv);
  } catch (const std::exception& thrown) {
    // A filesystem_error comes from a missing or read-only folder, for example.
    const bool of_input = dynamic_cast<const BadInput*>(&thrown) != nullptr ||
                          dynamic_cast<const std::filesystem::filesystem_error*>(&thrown) != nullptr;
    if (of_input) exit_code = exit_bad_input;
    fault = std::string{of_input ? "" : "internal error: "} + thrown.what();
  }
  // An exception may come from the output itself.
  if (!output_written()) {
    fault = "standard output cannot be written";
    exit_code = exit_bad_input;
  }
  if (!fault.empty()) std::fprintf(stderr, "%s: %s\n", program_name().c_str(), fault.c_str());
  return exit_code;
}

}  // namespace lockstep
