# ./dev lab: the programs of this folder. dev reads this file.
# shellcheck shell=sh disable=SC2046,SC2086,SC2154

# at PROGRAM: one of the release build.
at() { printf '%s' "$root/build/release/bin/$1"; }

case ${1:-} in -h | --help) help_of_dev lab ;; esac
tool=${1:-}
[ $# -eq 0 ] || shift
case $tool in
  shrink-times)
    # Its help is the comment that the source begins with.
    ! asks_for_help "$@" || exec sed -n '/^\/\//!q; s|^// \{0,1\}||p' "$root/lab/shrink_times.cpp"
    check_games "$@"
    install "build what measures the shrinker" $needs_build
    build release lab_shrink_times
    exec "$(at lab_shrink_times)" "$@"
    ;;
  campaign-cost)
    ! asks_for_help "$@" || exec sed -n '/^\/\//!q; s|^// \{0,1\}||p' "$root/lab/campaign_cost/campaign_cost.cpp"
    check_games "$@"
    install "build what measures campaigns" $needs_build
    [ $# -gt 0 ] || set -- $(games)
    for game in "$@"; do
      build release "campaign_cost_$game"
      "$(at "campaign_cost_$game")"
    done
    ;;
  peers)
    ! asks_for_help "$@" || help_from python3 "$root/lab/peers/peers.py"
    install "test a library with known mistakes" $needs_build $needs_test $needs_examples
    configure release
    build release lab_peers
    exec python3 "$root/lab/peers/peers.py" "$@"
    ;;
  puyo-peers)
    ! asks_for_help "$@" || help_from python3 "$root/lab/puyo_peers/puyo_peers.py"
    install "count chains beside other engines" $needs_build $needs_scripts
    build release lab_puyo_peers
    exec python3 "$root/lab/puyo_peers/puyo_peers.py" "$@"
    ;;
  equivalents | refutations)
    ! asks_for_help "$@" || help_from python3 "$root/lab/mutants/prove_changes.py"
    [ $# -gt 0 ] || check_game "$tool"
    check_games "$1"
    install "prove planted changes" $needs_build $needs_scripts $needs_proof
    configure_prover
    build release prove_changes # the judge is built only for a counterexample
    exec python3 "$root/lab/mutants/prove_changes.py" "$tool" "$@"
    ;;
  library-score)
    ! asks_for_help "$@" || help_from python3 "$root/lab/library_score/library_score.py"
    install "plant changes into the library, and run its tests" $needs_build $needs_test
    configure release
    build release library_score
    exec python3 "$root/lab/library_score/library_score.py" "$@"
    ;;
  *)
    say "lab: expected shrink-times, campaign-cost, library-score, peers, puyo-peers, equivalents or refutations first, got '$tool'"
    exit 2
    ;;
esac
