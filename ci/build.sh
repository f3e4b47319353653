# Installs packages, configures and builds. dev reads this file, and knows $root.
#
# Packages, and what needs them: lists of words.
# shellcheck shell=sh disable=SC2086,SC2034,SC2154

needs_build="g++ cmake ninja-build clang-19 libclang-rt-19-dev libfmt-dev libcli11-dev nlohmann-json3-dev"
needs_format="clang-format-19"
needs_tidy="clang-tidy-19"
needs_wasm="wasi-libc libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32 lld-19"
needs_test="python3 shellcheck faketime bubblewrap python3-scipy python3-matplotlib python3-jsonschema libxml2-utils librapidcheck-dev libgtest-dev libbenchmark-dev valgrind gdb dpkg-dev $needs_format $needs_wasm"
needs_libcxx="libc++-19-dev libc++abi-19-dev"
needs_aarch64="libstdc++-12-dev-arm64-cross libc6-dev-arm64-cross binutils-aarch64-linux-gnu qemu-user-static"
needs_programs="rustc default-jdk-headless nodejs"
needs_examples="libutfcpp-dev libroaring-dev valgrind"
needs_oss_fuzz="$needs_libcxx afl++ binutils git zip"
needs_slurm="slurmctld slurmd slurm-client"
needs_workflows="git python3-yaml yamllint"
needs_scripts="python3"
needs_bare="debootstrap"
needs_pages="chromium chromium-driver python3-selenium $(command -v npm >/dev/null || echo npm)" # npm fetches axe-core
needs_coverage="llvm-19"
needs_proof="llvm-19-dev libcadical-dev"
needs_confirm="libcryptominisat5-dev"
needs_compare="git python3 python3-scipy python3-matplotlib libbenchmark-dev valgrind"

say() { printf '%s\n' "dev: $*" >&2; }

# missing_of PACKAGE…: the packages that are not installed. One query for all, because each takes as long.
missing_of() {
  there=$(dpkg-query -W -f '${Package}:${db:Status-Status}\n' "$@" 2>/dev/null || :)
  for package in "$@"; do
    case "
$there
" in
      (*"
$package:installed
"*) ;;
      (*) printf ' %s' "$package" ;;
    esac
  done
}

# install REASON PACKAGE…: installs the packages that are missing.
install() {
  why=$1
  shift
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    # Without dpkg, the presence of the compiler stands for that of all packages.
    command -v clang++-19 >/dev/null 2>&1 && command -v ninja >/dev/null 2>&1 && return 0
    say "this is not Debian or Ubuntu. To $why, install what these packages of Debian 12 hold:"
    printf '  %s\n' "$@" >&2
    exit 2
  fi
  missing=$(missing_of "$@")
  [ -n "$missing" ] || return 0
  say "installing what is missing to $why:$missing"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
      say "not root, and there is no sudo: run 'apt-get update && apt-get install$missing' as root"
      exit 2
    }
    as_root=sudo
  fi
  {
    $as_root apt-get update -q
    # shellcheck disable=SC2086 # the packages are words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
  } >&2 || exit 3
}

# quietly COMMAND…: shows the command's output only when it fails, and on a terminal how far a build is.
quietly() {
  log=$(mktemp)
  if [ -t 2 ]; then
    { NINJA_STATUS='[%p %e] ' "$@" 2>&1 || echo failed >"$log.failed"; } | show_progress "$log"
  else
    "$@" >"$log" 2>&1 || echo failed >"$log.failed"
  fi
  [ ! -f "$log.failed" ] || {
    cat "$log" >&2
    rm -f "$log" "$log.failed"
    exit 3
  }
  rm -f "$log"
}

# show_progress LOG: copies standard input to LOG. Shows on one line, which it removes at the end, what ninja's status
# "[PERCENT% SECONDS]" tells.
show_progress() {
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      "["*"% "*"] "*)
        status=${line%%"]"*}
        percent=${status%%"%"*}
        percent=${percent##*[!0-9]}
        seconds=${status##* }
        left=
        [ "$percent" -lt 5 ] || {
          left=$((${seconds%%.*} * (100 - percent) / percent))
          if [ "$left" -lt 90 ]; then
            left=", about $left s left"
          else
            left=", about $(((left + 30) / 60)) minutes left"
          fi
        }
        printf '\r\033[Kdev: %s: %s %%%s' "$building" "$percent" "$left" >&2
        ;;
    esac
  done
  printf '\r\033[K' >&2
}

# alone PRESET COMMAND…: two commands at a time take turns in a build's folder, because ninja has no lock.
alone() {
  folder=build/$1
  lock=$root/$folder.lock
  shift
  mkdir -p "$root/build"
  flock --nonblock "$lock" true || say "waiting for another command that builds in $folder"
  (cd "$root" && quietly flock --close "$lock" "$@")
}

configure() { alone "$1" cmake --preset "$@"; }

# configure_first PRESET WHAT…: without tests and benchmarks, because running the program does not need their libraries.
configure_first() {
  [ ! -f "$root/build/$1/build.ninja" ] || return 0
  preset=$1
  shift
  say "first $building: $*"
  configure "$preset" -DLOCKSTEP_TESTS=OFF -DLOCKSTEP_BENCHMARKS=OFF
}

# configure_prover [NAME…]: adds the prover, and other options, to the release build. Without the preset, which would turn
# the tests on. CMake keeps an option that it could not configure; that would break every later build.
configure_prover() {
  building="build (build/release)"
  configure_first release lockstep-prove
  for option in LOCKSTEP_PROOF "$@"; do
    grep -qx "$option:BOOL=ON" "$root/build/release/CMakeCache.txt" 2>/dev/null && continue
    (alone release cmake "-D$option=ON" build/release) || {
      (alone release cmake "-D$option=OFF" build/release)
      exit 3
    }
  done
}

# build PRESET TARGET…: configures once, then builds what changed. `builds`: how many of them a command needs, where it is
# known.
builds=
built=0
build() {
  preset=$1
  shift
  built=$((built + 1))
  building="build${builds:+ $built of $builds} (build/$preset)"
  configure_first "$preset" "$@"
  alone "$preset" cmake --build --preset "$preset" --target "$@"
}

