// The JSON of parts of a result (docs/fuzz-json.md), and what reads files that hold it. Only sources include this header,
// as json.hpp says.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "campaign/result.hpp"
#include "lockstep/base/error.hpp"
#include "lockstep/base/json.hpp"
#include "lockstep/process/kept_files.hpp"

namespace lockstep {

LOCKSTEP_JSON(EngineCurve, scenarios, steps, features_first, findings)
LOCKSTEP_JSON(Timeline, interval, seconds, features, engines)
LOCKSTEP_JSON(CanaryHunt, name, found, engine, seconds, scenarios)

/// What `read` makes of a file of our own. DamagedFile if it is no JSON, lacks a member, or holds a broken value.
auto unless_damaged(const std::filesystem::path& file, auto&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    throw DamagedFile{file};
  } catch (const std::invalid_argument&) {  // features that are not zeros and ones
    throw DamagedFile{file};
  } catch (const InternalError&) {  // a broken finding
    throw DamagedFile{file};
  }
}

}  // namespace lockstep
