// lockstep watch: shows running campaigns. It reads what they write, and never writes.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "lockstep/words.hpp"
#include "tools/interrupt.hpp"
#include "tools/verbs.hpp"
#include "tools/watch_view.hpp"

namespace lockstep {
namespace {

using State = WatchedCampaign::State;
using Campaigns = std::vector<std::unique_ptr<WatchedCampaign>>;

struct WatchOptions {
  std::vector<std::string> folders;
  std::vector<std::string> exchange;
  bool once = false;
};

/// Read each time, because a window can be resized.
Window window_now(std::size_t campaigns) {
  Window out{.colours = colours_wanted(STDOUT_FILENO)};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
    out.rows *= std::max<std::size_t>(campaigns, 1);  // no window limits it
    return out;
  }
  if (size.ws_row >= 8) out.rows = size.ws_row;
  if (size.ws_col >= 40) out.columns = size.ws_col;
  return out;
}

/// The campaigns below each other, in equal parts of the window; its last row stays empty. Where not all fit, those that
/// run come first, and the last line says how many are not shown.
std::vector<std::string> frame(const Campaigns& campaigns, const Window& window) {
  constexpr std::size_t rows_min = 4;
  const std::size_t fit = std::max<std::size_t>((window.rows - 2) / (rows_min + 1), 1);
  std::vector<const WatchedCampaign*> shown;
  for (const bool runs : {true, false}) {
    for (const auto& campaign : campaigns) {
      const bool first = campaigns.size() <= fit || campaign->state() == State::running;
      if (first == runs) shown.push_back(campaign.get());
    }
  }
  const std::size_t hidden = shown.size() > fit ? shown.size() - fit : 0;
  shown.resize(shown.size() - hidden);
  Window part = window;
  part.rows = std::max((window.rows - 1 - (hidden > 0 ? 1 : 0)) / shown.size() - 1, rows_min);
  std::vector<std::string> out;
  for (const auto* const campaign : shown) {
    if (!out.empty()) out.emplace_back();
    auto lines = campaign->lines(part);
    lines.resize(std::min(lines.size(), part.rows));
    std::ranges::move(lines, std::back_inserter(out));
  }
  if (hidden > 0) out.push_back(fmt::format("… and {} more, for which there is no room", counted(hidden, "campaign")));
  return out;
}

void print(const std::vector<std::string>& lines, std::string_view end) {
  for (const auto& line : lines) fmt::print("{}{}", line, end);
  std::fflush(stdout);
}

/// The other screen of a terminal while this lives.
class Screen {
 public:
  Screen() { fmt::print("\x1b[?1049h\x1b[?25l"); }
  ~Screen() {
    fmt::print("\x1b[?25h\x1b[?1049l");
    std::fflush(stdout);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void show(const std::vector<std::string>& lines) const {
    fmt::print("\x1b[H");
    print(lines, "\x1b[K\r\n");
    fmt::print("\x1b[J");
    std::fflush(stdout);
  }
};

Campaigns campaigns_of(const WatchOptions& options) {
  Campaigns out;
  auto folders = options.folders;
  if (folders.empty() && options.exchange.empty()) folders.emplace_back("findings");
  for (const auto& folder : folders) {
    auto& campaign = out.emplace_back(watch_folder(folder));
    campaign->look();
    if (campaign->state() == State::none)
      throw BadInput{folder + ": no campaign runs there; expected the folder of fuzz --out"};
  }
  for (const auto& folder : options.exchange) out.emplace_back(watch_shards(folder))->look();
  return out;
}

void watch(const Campaigns& campaigns) {
  constexpr std::chrono::milliseconds refreshed{500};
  constexpr std::chrono::milliseconds asked{50};
  const auto over = [](const auto& campaign) {
    return campaign->state() != State::running && campaign->state() != State::unknown;
  };
  const Screen screen;
  while (!interrupted()) {
    for (const auto& campaign : campaigns) campaign->look();
    screen.show(frame(campaigns, window_now(campaigns.size())));
    if (std::ranges::all_of(campaigns, over)) break;
    for (auto slept = asked; slept < refreshed && !interrupted(); slept += asked) std::this_thread::sleep_for(asked);
  }
}

int watch(const WatchOptions& options) {
  const Campaigns campaigns = campaigns_of(options);
  if (!options.once && isatty(STDOUT_FILENO) != 0) {
    catch_interrupts();
    watch(campaigns);
  }
  print(frame(campaigns, window_now(campaigns.size())), "\n");
  if (interrupted()) return exit_interrupted;
  const auto dead = [](const auto& campaign) {
    return campaign->state() == State::dead || campaign->state() == State::interrupted;
  };
  return std::ranges::any_of(campaigns, dead) ? exit_internal_error : exit_agreed;
}

}  // namespace

void add_watch(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* const verb = program.add_subcommand("watch", "Shows campaigns while they run: rates, features, findings");
  verb->add_option("FOLDER", options->folders, "The folder of fuzz --out; default: findings");
  verb->add_option("--exchange", options->exchange, "The folder that the shards of a campaign share")
      ->allow_extra_args(false);
  verb->add_flag("--once", options->once, "Print it once; the default where the output is no terminal");
  verb->footer(exit_codes("the campaigns have ended, or were shown once", "", "a campaign was killed or interrupted") +
               ", 130 interrupted\nCtrl-C ends the view, not the campaign.\n"
               "example: lockstep watch findings");
  verb->callback([options, &exit_code] { exit_code = watch(*options); });
}

}  // namespace lockstep
