#include "campaign/in_children.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep {

std::expected<void, std::string> in_children(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<void(std::size_t, const std::string& returned, const ExitStatus&)>& done,
    const std::function<ChildrenMay()>& may, const ChildProcess::Options& options) {
  struct Running {
    std::size_t index;
    ChildProcess process;
    std::string inbox = {};
  };
  std::vector<Running> running;
  std::size_t next = 0;
  while (true) {
    const ChildrenMay now = may();
    for (; now == ChildrenMay::start && next < count && running.size() < jobs; ++next) {
      auto child = ChildProcess::call([&](Outbox& out) { out.send(work(next)); }, options);
      if (!child) return std::unexpected(child.error());
      running.push_back({next, std::move(*child)});
    }
    if (running.empty() && (now != ChildrenMay::start || next == count)) return {};
    std::erase_if(running, [&](Running& one) {
      if (now == ChildrenMay::not_run) one.process.kill();
      if (one.process.read(one.inbox)) return false;
      done(one.index, one.inbox, one.process.wait());
      return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
}

}  // namespace lockstep
