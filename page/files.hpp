// The page's own files, and what fills the places in them. The build writes the source that defines them
// (page/CMakeLists.txt).
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/base/words.hpp"

namespace lockstep::page {

/// Their texts by name: "page.css", "d3/LICENSE". Those of D3 are in an order in which a page can have them.
const std::map<std::string_view, std::string>& files();

/// The page with its places {{name}} filled. `parts`: places and what they hold, in the order of the page. In one pass, so
/// that no part is searched for the name of another.
inline std::string filled(std::string_view page, std::span<const std::pair<std::string_view, std::string>> parts) {
  std::string out;
  for (const auto& [name, text] : parts) {
    const std::size_t at = std::min(page.find(name), page.size());
    out.append(page.substr(0, at)).append(text);
    page.remove_prefix(std::min(at + name.size(), page.size()));
  }
  return out.append(page);
}

/// The text without '<', for the title.
inline std::string escaped(std::string_view text) { return replaced(text, {{"<", "&lt;"}, {"&", "&amp;"}}); }

}  // namespace lockstep::page
