#include "tools/run_page.hpp"

#include "tools/report_files.hpp"
#include "tools/sarif.hpp"
#include "tools/verbs.hpp"

namespace lockstep {

namespace fs = std::filesystem;

void write_run_page(const std::string& path, page::RunFile run, std::vector<page::RunFile> more,
                    const std::string& doing) {
  const fs::path folder = fs::absolute(path).parent_path();
  const auto page_of = [&](const std::string& finding) -> std::string {
    const fs::path beside = fs::path{finding}.replace_extension(".html");
    std::error_code fault;
    if (finding.empty() || !fs::is_regular_file(beside, fault)) return "";
    const fs::path near = fs::proximate(beside, folder, fault);
    // "./", so that no name is taken for a protocol.
    return fault ? "" : (near.is_absolute() ? "file://" : "./") + percent_encoded(near.string());
  };
  const std::string text = page::html_of({std::move(run), std::move(more), program_command(), doing, page_of});
  if (doing.empty()) write_output(path, text);
  else begin_file(path, text);
}

}  // namespace lockstep
