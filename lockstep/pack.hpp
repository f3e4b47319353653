// Packs setups into as few bytes as their description allows, for explorers that store millions of them.
//
// Unlike the bytes of codec.hpp, which engines mutate, packed bytes are exact: unpacking gives back the setup, and
// equal setups have equal bytes, so that a set of bytes is a set of setups. A number takes one bit if it is the simplest
// of its range, else one bit more than its bounds need. Each cell of a board takes as many bits as the largest one needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/scenario.hpp"

namespace lockstep {

/// Replaces `out` by the bytes of the scenario's setup.
void pack(const AnyScenario& scenario, std::vector<std::uint8_t>& out);

/// Writes the setup with these bytes to `out`, and reuses its memory.
void unpack(std::span<const std::uint8_t> bytes, AnyScenario& out);

}  // namespace lockstep
