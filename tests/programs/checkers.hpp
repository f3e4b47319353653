// Checkers for the toy problem of squares (squares.hpp).
#pragma once

namespace lockstep {

/// Accept a square or its negative, and find a word malformed.
inline constexpr const char* testlib_checker =
    "sh -c 'read x < $1; read y < $2; read z < $3; case $y in $z | -$z) exit 0;; *[a-z]*) exit 2;; esac; "
    "echo \"for $x: $y\" >&2; exit 1' sh";
/// The same, except that this protocol has no malformed outputs.
inline constexpr const char* kattis_checker =
    "sh -c 'read x < $1; read y; read z < $2; case $y in $z | -$z) exit 42;; esac; "
    "echo \"for $x: $y\" > $3/judgemessage.txt; exit 43' sh";

}  // namespace lockstep
