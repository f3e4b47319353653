# ./dev test: runs parts of the tests, each as ci/parts says. dev reads this file.
# shellcheck shell=sh disable=SC2046,SC2086,SC2154

list_parts() {
  echo "parts of ./dev test; without a name: the first three, which continuous"
  echo "integration runs on one machine"
  echo
  awk '/^#/ { next } /^[a-z]/ { sub(":$", ""); name = $0 } /^  [^ ]/ { printf "  %-14s %s\n", name, substr($0, 3); name = "" }' "$root/ci/parts"
}
# steps_of PART
steps_of() { awk -v part="$1:" '/^[a-z]/ { shown = $0 == part } shown && /^    / { print substr($0, 5) }' "$root/ci/parts"; }

# timed WHAT COMMAND…: adds a line to the summary: wall-clock time, and processor time, which hardly depends on other
# work on the machine.
timed() {
  what=$1
  shift
  say "$what"
  started=$(date +%s)
  times >"$summary.before" # not in $(…): a subshell would count its own children
  "$@" # its status is not asked for: that would switch set -e off inside it
  times >"$summary.after"
  awk -v what="$what" -v clock=$(($(date +%s) - started)) '
    FNR == 2 { for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); used[FILENAME] += 60 * t[1] + t[2] } }
    END { printf "%-24s %5d s, %5d s of processor time\n", what, clock, used[ARGV[2]] - used[ARGV[1]] }
  ' "$summary.before" "$summary.after" >>"$summary"
}

# run_tests PRESET ARGS: runs the test preset; the summary says which tests were skipped, and why. A part that runs no test
# proves nothing, and fails; it may run none only where the arguments select among the tests of several parts.
run_tests() {
  preset=$1
  shift
  results=$root/build/tests-$preset.xml
  rm -f "$results"
  timed "$preset: tests" run_ctest "$@"
  if python3 "$root/ci/ran.py" "$preset" "$results" >>"$summary"; then
    tests_run=1
  elif [ $# -eq 0 ]; then
    say "$preset ran no test"
    exit 3
  fi
}
run_ctest() {
  # One more than there are cores, because some tests wait for processes and for limits of time.
  (unset LOCKSTEP_COMMAND; cd "$root" && ctest --preset "$preset" --parallel "$(($(nproc) + 1))" --no-tests=ignore \
    --output-junit "$results" --test-output-size-passed 65536 --test-output-truncation head "$@") || exit 1
}

in_root() { (cd "$root" && sh -c "$1"); }

# run_part PART ARGS: its steps. The arguments select among tests, so with some, only tests run.
run_part() {
  part=$1
  shift
  configured=
  tests=
  while read -r verb first rest <&3; do
    case $verb in
      install) eval "install \"run part $part of the tests\" $first $rest" ;;
      prover)
        configure_prover
        configured="$configured release"
        ;;
      configure | build)
        case " $configured " in *" $first "*) ;; *) configure "$first" ;; esac
        configured="$configured $first"
        [ "$verb" = configure ] || timed "$part: build $first" build "$first" $rest
        ;;
      test)
        tests=1
        run_tests "$first" "$@"
        ;;
      run) [ $# -gt 0 ] || timed "$part: $first" in_root "$rest" ;;
      report) [ $# -gt 0 ] || timed "$part: $first" in_root "$rest" >>"$summary" ;;
      *)
        say "ci/parts: part $part has an unknown step '$verb'"
        exit 3
        ;;
    esac
  done 3<<STEPS
$(steps_of "$part")
STEPS
  [ -n "$tests" ] || tests_run=1
}

! { asks_for_help "$@" || [ "${1:-}" = --list ]; } || {
  list_parts
  exit 0
}
all=$(sed -n 's/^\([a-z0-9-]*\):$/\1/p' "$root/ci/parts")
chosen=
while [ $# -gt 0 ]; do
  case $1 in -*) break ;; esac
  printf '%s\n' "$all" | grep -qxF -- "$1" || {
    say "there is no part '$1' of the tests"
    list_parts >&2
    exit 2
  }
  chosen="$chosen $1"
  shift
done
[ -n "$chosen" ] || chosen=$(printf '%s\n' "$all" | head -n 3)
install "build and run the tests" $needs_build $needs_test $needs_coverage
summary=$(mktemp)
trap 'cat "$summary" >&2; rm -f "$summary" "$summary.before" "$summary.after"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tests_run=
for part in $chosen; do
  # A part without tests has nothing that arguments could select.
  [ $# -eq 0 ] || steps_of "$part" | grep -q '^test ' || continue
  run_part "$part" "$@"
done
[ -n "$tests_run" ] || {
  say "no test was run"
  exit 3
}
