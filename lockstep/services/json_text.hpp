// JSON that stands in a page's script element.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lockstep {

/// ASCII, so that no byte of an implementation breaks the file's encoding; without '<', so that no text ends the
/// script element.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace lockstep
