# Shared by the scripts. Sourced, never run.
#
# Sets $root to the repository, $build to the folder of build products, and the working directory to
# $root.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/.build
cd "$root" || exit 1
mkdir -p "$build"

# say WORDS…: prints progress to standard error, so that results can be piped.
say() { printf '==> %s\n' "$*" >&2; }

# stop WORDS…: prints the problem and its fix, one argument per line, and ends the script.
stop() {
  printf '%s\n' "$@" >&2
  exit 1
}

# usage FILE: the comment at the head of a script, as its help.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }
