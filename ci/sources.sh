# ./dev format and ./dev tidy. dev reads this file.
# shellcheck shell=sh disable=SC2086,SC2154

# The files of this tree with a checked format, and those of them that differ from the branch main (or origin/main).
in_git() { git -C "$root" -c safe.directory='*' "$@"; }
cxx_files() {
  if in_git rev-parse --git-dir >/dev/null 2>&1; then
    in_git ls-files --cached --others --exclude-standard -- '*.hpp' '*.cpp' '*.h'
  else
    (cd "$root" && find . -path './build*' -prune -o \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) -print)
  fi | while read -r file; do
    [ ! -f "$root/$file" ] || printf '%s\n' "$file"
  done
}
changed_files() {
  for main in main origin/main; do
    base=$(in_git merge-base "$main" HEAD 2>/dev/null) || continue
    { in_git diff --name-only --diff-filter=d "$base" -- && in_git ls-files --others --exclude-standard; } |
      grep -E '\.(hpp|cpp|h)$' | sort -u
    return
  done
  say "there is no branch main to compare with: name the files"
  exit 2
}

# chosen_files FILE…: the given files, or else those that differ from main; paths from the root.
chosen_files() {
  [ $# -gt 0 ] || {
    changed_files
    return
  }
  for file in "$@"; do
    [ -f "$file" ] || {
      say "there is no file '$file'"
      exit 2
    }
    realpath --relative-to "$root" "$file"
  done
}

! asks_for_help "$@" || help_of_dev "$command"
check=
[ "$command" != format ] || [ "${1:-}" != --check ] || {
  check=1
  shift
}
[ "$command" = tidy ] || install "format sources" $needs_format
files=$(if [ -n "$check" ] && [ $# -eq 0 ]; then cxx_files; else chosen_files "$@"; fi) || exit $?
[ -n "$files" ] || {
  say "no C++ file differs from main: nothing was checked"
  [ "$command" = format ] || exit 3
  exit 0
}
cd "$root" || exit 3
if [ "$command" = tidy ]; then
  install "check sources" $needs_build $needs_test $needs_tidy
  # This preset is only configured, without unity files and precompiled headers: so each source has its own command.
  configure tidy
  ci/compile_once build/tidy
  printf '%s\n' "$files" | xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy/once --quiet --warnings-as-errors='*' || exit 1
elif [ -n "$check" ]; then
  printf '%s\n' "$files" | xargs -d '\n' -n 16 -P "$(nproc)" clang-format-19 --dry-run -Werror || {
    say "./dev format FILE … formats these"
    exit 1
  }
else
  printf '%s\n' "$files" | xargs -d '\n' clang-format-19 -i || exit 3
  printf '%s\n' "$files"
fi
