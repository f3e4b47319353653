// The page's own files. The build writes the source that defines them (page/CMakeLists.txt).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lockstep::page {

/// Their texts by name: "page.css", "d3/LICENSE". Those of D3 are in an order in which a page can have them.
const std::map<std::string_view, std::string>& files();

}  // namespace lockstep::page
