#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, inside their image, from the tree in $SRC/lockstep.
#
# Arguments go to CMake: build.sh -DLOCKSTEP_ONLY=omok builds the target of one game. ci/oss-fuzz/README.md lists the rules that
# this script follows; tests/oss_fuzz.py checks them.
cd "$SRC/lockstep"
build=$WORK/lockstep
seeds=$WORK/seeds

# Without a build type, CMake adds nothing to $CXXFLAGS. fuzz/CMakeLists.txt links with $LIB_FUZZING_ENGINE.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE= -DCMAKE_UNITY_BUILD=ON -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_BENCHMARKS=OFF \
  -DLOCKSTEP_INSTALL=OFF "$@"
cmake --build "$build" --target fuzz seeds

# A target of one source outside this tree's build, as a project that uses the library has it.
# shellcheck disable=SC2086 # flags are words
$CXX $CXXFLAGS -std=c++23 -DLOCKSTEP_FUZZ_TARGET -I. examples/interval_set/interval_set.cpp \
  "$build/liblockstep_library.a" "$build/liblockstep_core.a" $LIB_FUZZING_ENGINE -o "$build/bin/fuzz_interval_set"

rm -rf "$seeds"
for target in "$build"/bin/fuzz_*; do
  name=${target##*/}
  case $name in
    *.options | *.dict)
      cp "$target" "$OUT/"
      continue
      ;;
    *.*) continue ;;
  esac
  cp "$target" "$OUT/"
  game=${name#fuzz_}
  if [ "$game" = text ]; then  # reads texts as they are; the games' files have equal names
    mkdir -p "$seeds/text"
    for file in corpus/*/*.txt; do
      folder=${file%/*}
      cp "$file" "$seeds/text/${folder##*/}-${file##*/}"
    done
  elif [ -d "corpus/$game" ]; then
    "$build/bin/seeds" "$game" "corpus/$game" "$seeds/$game"
  else
    continue
  fi
  rm -f "$OUT/${name}_seed_corpus.zip"
  (cd "$seeds/$game" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
