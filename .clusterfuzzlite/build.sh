#!/bin/bash -eu
# The same build as for OSS-Fuzz.
exec "$SRC/lockstep/ci/oss-fuzz/build.sh" "$@"
