#include "lockstep/describe/features.hpp"

namespace lockstep {

std::string feature_bucket_text(std::size_t bucket, std::optional<std::int64_t> around) {
  if (!around) return std::string{feature_bucket_text(bucket)};
  const std::string value = std::to_string(*around - 8 + static_cast<std::int64_t>(bucket));
  if (bucket == 0) return "≤" + value;
  return bucket + 1 == feature_buckets ? "≥" + value : value;
}

}  // namespace lockstep
