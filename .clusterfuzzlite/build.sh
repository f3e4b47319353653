#!/bin/bash -eu
# The same build as for OSS-Fuzz.
exec "$SRC/lockstep/oss-fuzz/build.sh" "$@"
