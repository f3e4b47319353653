// Converts scenarios between text and bytes (codec.hpp), for engines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/codec.hpp"
#include "lockstep/error.hpp"
#include "lockstep/scenario.hpp"

namespace lockstep {

class Encoding {
 public:
  explicit Encoding(const Vocabulary& system) : system_{system} {}

  Parsed<Bytes> pack(std::string_view text) const;
  /// An error if the bytes contain more actions than a text may.
  Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const;
  /// The text without the actions of these kinds (fit.hpp); the same text if there are no kinds.
  Parsed<std::string> without(std::string_view text, const std::vector<std::string>& kinds) const;

 private:
  const Vocabulary& system_;
};

}  // namespace lockstep
