#include "campaign/options.hpp"

#include <algorithm>

#include "lockstep/base/error.hpp"

namespace lockstep {
namespace {

bool names(const std::vector<std::string>& engines, std::string_view engine) {
  return std::ranges::find(engines, engine) != engines.end();
}

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> out;
  for (const Generator generator : generators) out.emplace_back(to_string(generator));
  out.insert(out.end(), {"libfuzzer", fast_engine});
  return out;
}

std::vector<Generator> wanted_generators(const std::vector<std::string>& engines) {
  std::vector<Generator> out;
  for (const Generator generator : generators) {
    if (engines.empty() || names(engines, to_string(generator))) out.push_back(generator);
  }
  return out;
}

DrawnNumbers numbers_of(Shard shard, unsigned jobs, std::size_t worker) {
  return {.first = shard.index + std::uint64_t{shard.count} * worker, .stride = std::uint64_t{shard.count} * jobs};
}

std::vector<TargetProcess> wanted_targets(const CampaignOptions& options) {
  for (const auto& engine : options.engines) {
    const bool built =
        std::ranges::find(options.fuzz_targets, engine, &FuzzTarget::engine) != options.fuzz_targets.end();
    if (wanted_generators({engine}).empty() && !built) throw BadInput{"engine " + engine + " is not built"};
  }
  const bool alone = wanted_generators(options.engines).empty();
  std::vector<TargetProcess> out;
  for (const auto& target : options.fuzz_targets) {
    const bool named = names(options.engines, target.engine);
    if (options.engines.empty() ? target.engine == fast_engine : !named) continue;
    const unsigned count = alone ? options.jobs : std::max(options.jobs / 2, named ? 1u : 0u);
    for (unsigned number = 0; number < count; ++number)
      out.push_back({target, options.shard.index + std::uint64_t{options.shard.count} * number});
  }
  return out;
}

}  // namespace lockstep
