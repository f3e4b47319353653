#include "lockstep/describe/scenario.hpp"

#include "lockstep/describe/laps.hpp"

namespace lockstep {

TraceHead::TraceHead() = default;
TraceHead::TraceHead(const TraceHead& other) = default;
TraceHead::TraceHead(TraceHead&& other) noexcept = default;
TraceHead& TraceHead::operator=(const TraceHead& other) = default;
TraceHead& TraceHead::operator=(TraceHead&& other) noexcept = default;
TraceHead::~TraceHead() = default;

void TraceHead::clear() {
  deviation.reset();
  own_features.clear();
}

std::unique_ptr<Laps> Runner::Code::laps(std::span<const AnyScenario>) const { return nullptr; }

std::unique_ptr<Laps> Runner::laps(std::span<const AnyScenario> scenarios) const { return code->laps(scenarios); }

}  // namespace lockstep
