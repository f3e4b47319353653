// What --version prints.
#pragma once

#include <string>

namespace lockstep {

/// The version, the revision of the tree, and the compiler: "lockstep 0.1.0, revision 982e877, compiled by g++ 12.2.0".
/// The revision ends in "-dirty" if files of the tree differ from it.
std::string version_text();

}  // namespace lockstep
