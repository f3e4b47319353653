// The page's own files. The build writes the source that defines them (page/CMakeLists.txt).
#pragma once

#include <span>
#include <string_view>

namespace lockstep::page {

extern const std::string_view element_js;
extern const std::string_view head_html;  // the beginning of both pages
extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view module_js;
extern const std::string_view what_if_js;
extern const std::string_view run_html;
extern const std::string_view run_css;
extern const std::string_view run_js;
extern const std::span<const std::string_view> d3;  // page/d3/: the licence, and what the charts need

}  // namespace lockstep::page
