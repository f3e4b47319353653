#!/bin/bash
# What a person meets on a bare machine: a minimal Debian 12, with nothing but git and ca-certificates added, and a clone of
# this tree's HEAD. Prints a line for each command; only root can run it.
#
#   tests/bare.sh [STEP …]      the steps, by default all:
#     readme    in root's home, the README's two commands, each twice, and once more with LOCKSTEP_PORTABLE=1, which is read
#               when a program runs, so nothing is built for it
#     confined  the same system; no command may make namespaces, as in most containers
#     other     the same system; the folder belongs to another user
#     commands  the first run of each other command of ./dev --help where only the compilers are installed, and the program
#               is built; in short forms
#   tests/bare.sh run COMMAND … these commands on the bare system, one after another
#
# BARE (build/bare) is the folder of the systems, several GB; its Debian is kept from run to run, and what the last step
# left can be entered. All that a step starts and mounts ends with it, because each runs in namespaces of its own. Exit
# status: 0, 1 if a command failed, 3 if nothing was tried.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
bare=$(realpath -m "${BARE:-$root/build/bare}")
confined=
failed=

die() {
  printf 'bare: %s\n' "$*" >&2
  exit 3
}

# enter SYSTEM COMMAND: runs the command in the project's folder of the system. As the process with the number 1 of a
# namespace: when it ends, all others in it do, too, and its mounts are gone. Confined, it is in a mere chroot, and has not
# the right to mount, so it can make no namespaces of any kind.
# shellcheck disable=SC2016 # the inner shell expands these
inner='
  mount --make-rprivate / && mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc &&
    mount -t tmpfs tmpfs dev/shm && mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666,mode=0620 || exit 3
  ln -sf pts/ptmx dev/ptmx
  if [ -n "$3" ]; then
    exec chroot . setpriv --bounding-set -sys_admin --inh-caps -sys_admin sh -c "cd /root/project && $2"
  fi
  mkdir -p before && pivot_root . before && umount -l before && rmdir before && cd /root/project && exec sh -c "$2"'
enter() {
  mkdir -p "$1/dev/pts" "$1/dev/shm"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    unshare --mount --pid --fork --kill-child=KILL bash -c "$inner" bash "$1" "$2" "$confined" </dev/null &
  child=$!
  trap 'kill -KILL "$child"; exit 130' INT TERM
  wait "$child"
}

# try STEP SYSTEM COMMAND: prints how it ended and its times; of one that fails, the end of its output too. All of it is then
# in a file failed-TIME.
try() {
  local log=$bare/log status=0 TIMEFORMAT="%R %U %S" times
  { time enter "$2" "$3" >"$log" 2>&1; } 2>"$bare/times" || status=$?
  read -r -a times <"$bare/times"
  printf '%-24s exit %d, %6.0f s, %6.0f s of processor time: %s\n' "bare: $1" "$status" "${times[0]}" \
    "$(awk "BEGIN { print ${times[1]} + ${times[2]} }")" "$3"
  [ "$status" = 0 ] || {
    failed=1
    tail -n 40 "$log" >&2
    cp "$log" "$bare/failed-$(date +%H%M%S)"
  }
}

# fresh FROM TO: a new copy of a system.
fresh() {
  [ -d "$bare/$1" ] || die "there is no $bare/$1: run the step that makes it first"
  rm -rf --one-file-system "${bare:?}/$2"
  cp -a "$bare/$1" "$bare/$2"
}

make_debian() {
  [ -d "$bare/debian/root" ] && return
  command -v debootstrap >/dev/null || die "there is no debootstrap: apt-get install debootstrap"
  mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \([^ [][^ ]*\) .*/\1/p' | grep '/debian/\{0,1\}$' | head -n 1)
  rm -rf --one-file-system "$bare/unfinished"
  debootstrap --variant=minbase --include=ca-certificates,git bookworm "$bare/unfinished" "$mirror" >"$bare/log" ||
    die "debootstrap failed; $bare/log says why"
  mv "$bare/unfinished" "$bare/debian"
}

make_bare() {
  fresh debian bare
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' \
    git clone -q "$root" "$bare/bare/root/project" || die "this tree is no clone of git"
}

readme() {
  make_bare
  rm -rf --one-file-system "$bare/readme"
  mv "$bare/bare" "$bare/readme"
  for command in "./dev fuzz" "./dev fuzz" "./dev test" "./dev test" \
    "LOCKSTEP_PORTABLE=1 ./dev fuzz --seconds 20" "LOCKSTEP_PORTABLE=1 ./dev test"; do
    try readme "$bare/readme" "$command"
  done
}

confined() {
  fresh readme confined
  confined=1
  try confined "$bare/confined" "! unshare --user true && ! unshare --mount true"
  try confined "$bare/confined" "./dev fuzz --seconds 20"
  try confined "$bare/confined" "./dev test"
  confined=
}

other() {
  fresh readme other
  chown -R 1000:1000 "$bare/other/root/project"
  try other "$bare/other" "./dev fuzz --seconds 20"
  try other "$bare/other" "./dev test"
}

# The commands of ./dev --help but those of the README, in forms that build little and take little time.
short=(
  "run list" "run html corpus/omok/borders.txt --out build/page.html" "mutants omok --list" "mutants stacking --only turn_max --seconds 1"
  "coverage omok --seconds 2" "lab shrink-times omok --seconds 1" "lab campaign-cost omok" "lab peers --help"
  "prove --list" "bench --smoke" "compare HEAD HEAD --filter omok --seconds 5 --behaviour-seconds 1"
  "format --check" "tidy lockstep/base/words.cpp" "test --list"
)
commands() {
  make_bare
  try commands "$bare/bare" "./dev build"
  for name in $("$root/dev" --help | awk '/^  [a-z]/ { print $1 }'); do
    case " fuzz test build $(printf '%s ' "${short[@]%% *}") " in
      *" $name "*) ;;
      *) die "no step tries the command '$name' of ./dev --help" ;;
    esac
  done
  for command in "${short[@]}"; do
    fresh bare commands
    try commands "$bare/commands" "./dev $command"
  done
}

run() {
  make_bare
  for command in "$@"; do
    try run "$bare/bare" "$command"
  done
}

[ "$(id -u)" = 0 ] || die "only root can make such a system"
mkdir -p "$bare"
make_debian
if [ "${1:-}" = run ]; then
  "$@"
else
  [ $# -gt 0 ] || set -- readme confined other commands
  for step in "$@"; do
    case $step in
      readme | confined | other | commands) "$step" ;;
      *) die "there is no step '$step'" ;;
    esac
  done
fi
[ -z "$failed" ]
