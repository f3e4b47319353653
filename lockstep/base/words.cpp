#include "lockstep/base/words.hpp"

#include <algorithm>
#include <numeric>

#include "lockstep/base/lines.hpp"

namespace lockstep {
namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_letter(char a, char b) { return small_letter(a) == small_letter(b); }

bool contains(std::string_view name, std::string_view word) {
  return std::ranges::search(name, word, same_letter).begin() != name.end();
}

}  // namespace

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? std::string{} : std::string{separator}) + name;
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) out.emplace_back(take_until(text, separator));
  return out;
}

std::string plural(std::uint64_t count, std::string_view noun) { return std::string{noun} + (count == 1 ? "" : "s"); }

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + plural(count, noun);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j]: distance from the first i letters of a to the first j of b; before: for i - 1; before_that: for i - 2.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before(row.size());
  std::vector<std::size_t> before_that(row.size());
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_that.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_that[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t letters_min = 3;
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  if (best != nullptr) return *best;
  for (const auto& candidate : known) {
    if (word.size() < letters_min || !contains(candidate, word)) continue;
    if (best == nullptr || candidate.size() < best->size()) best = &candidate;
  }
  return best != nullptr ? *best : "";
}

std::string replaced(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& words) {
  std::string out;
  while (!text.empty()) {
    const auto word = std::ranges::find_if(words, [&](const auto& each) { return text.starts_with(each.first); });
    out += word == words.end() ? text.substr(0, 1) : std::string_view{word->second};
    text.remove_prefix(word == words.end() ? 1 : word->first.size());
  }
  return out;
}

std::string shown(std::string_view token) {
  std::string out;
  for (const char c : token.substr(0, 40)) out += (c >= 32 && c < 127) ? c : '?';
  return token.size() > 40 ? out + "…" : out;
}

bool is_name(std::string_view name) {
  constexpr std::string_view marks = "_-.+";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || marks.contains(c);
  });
}

std::string unknown_name(std::string_view what, std::string_view word, const std::vector<std::string>& known,
                         std::string_view of) {
  const std::string out = "there is no " + std::string{what} + " '" + shown(word) + "'" + std::string{of};
  if (const std::string near = nearest(word, known); !near.empty()) return out + "; did you mean '" + near + "'?";
  return known.empty() ? out : out + "; there are: " + joined(known, ", ");
}

std::string word_of_type(std::string_view type) {
  const std::size_t scope = type.substr(0, type.find('<')).rfind("::");
  if (scope != std::string_view::npos) type.remove_prefix(scope + 2);
  std::string out;
  for (const char c : type) {
    const bool in_word = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
    if (in_word) out += c;
    else if (!out.empty() && out.back() != '_') out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

}  // namespace lockstep
