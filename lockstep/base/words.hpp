// Text for people: numbers with their noun, suggestions for misspelt names, and words replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

/// "action" for 1, else "actions"; for callers that format the number themselves.
std::string plural(std::uint64_t count, std::string_view noun);

/// "1 action", "2 actions".
std::string counted(std::uint64_t count, std::string_view noun);

/// The number of insertions, deletions, substitutions and transpositions of neighbours that turn one word into the
/// other, each place edited at most once (optimal string alignment). Case-insensitive.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name that was probably meant: the nearest one, if at most a third of the word is wrong; else the shortest
/// one that contains the word, if the word has three letters; else "".
std::string nearest(std::string_view word, const std::vector<std::string>& known);

std::string joined(const std::vector<std::string>& names, std::string_view separator);

/// The parts of "a,b": the inverse of joined.
std::vector<std::string> split(std::string_view text, char separator);

/// The text with these words replaced in one pass: words in a replacement stay. Where several begin, the first one counts;
/// none is empty.
std::string replaced(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& words);

/// A token for error messages: printable, at most 40 characters.
std::string shown(std::string_view token);

/// Whether a name can be written in texts, signatures and on a command line without quotes.
bool is_name(std::string_view name);
/// What to do about one that cannot.
inline constexpr const char* name_hint = "use letters, digits and the marks _ - . + only";

/// "there is no system 'pyuo'; did you mean 'puyo'?", or "; there are: …" if no name is near. `of` follows the word.
std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& known,
                         std::string_view of = {});

/// A C++ type's name as one word of a text, without its namespaces: "lru::Indexed<int, 2>" → "Indexed_int_2".
std::string word_of_type(std::string_view type);

}  // namespace lockstep
