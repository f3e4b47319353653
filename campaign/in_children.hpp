// Pieces of work in child processes, several at the same time.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>

#include "lockstep/process/child.hpp"

namespace lockstep {

/// What becomes of the children: further ones are started, those that run are waited for, or they are killed.
enum class ChildrenMay { start, finish, not_run };

/// Calls `work` with 0 … count − 1, each in a child process of its own, at most `jobs` (1 or more) at the same time. `done` is called
/// as the children end, with what `work` returned; of a child that did not end cleanly, that may be missing. `may` is
/// asked every few milliseconds. Returns when no child runs and none may start. An error: a child could not be started;
/// those that run are killed.
std::expected<void, std::string> in_children(
    std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
    const std::function<void(std::size_t, const std::string& returned, const ExitStatus&)>& done,
    const std::function<ChildrenMay()>& may, const ChildProcess::Options& options = {});

}  // namespace lockstep
