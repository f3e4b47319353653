// The page's own files. The build writes the source that defines them (page/CMakeLists.txt).
#pragma once

#include <string_view>

namespace lockstep::page {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view module_js;
extern const std::string_view what_if_js;

}  // namespace lockstep::page
