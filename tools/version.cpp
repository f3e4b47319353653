#include "tools/version.hpp"

#include "revision.hpp"

namespace lockstep {

std::string version_text() {
#ifdef __clang__
  constexpr const char* compiler = "clang " __clang_version__;
#else
  constexpr const char* compiler = "g++ " __VERSION__;
#endif
  return std::string{"lockstep " LOCKSTEP_VERSION ", " LOCKSTEP_REVISION ", compiled by "} + compiler;
}

}  // namespace lockstep
