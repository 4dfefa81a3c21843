# Shared by the scripts of this folder: sourced, never run.
#
# After it: $root is the repository, $build the folder for everything that is made, and the
# working directory is $root.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/.build
cd "$root" || exit 1
mkdir -p "$build"

# say WORDS…: prints progress to standard error, so that results can be piped.
say() { printf '==> %s\n' "$*" >&2; }

# stop WORDS…: why it does not go on and what helps, one argument a line; ends the script.
stop() {
  printf '%s\n' "$@" >&2
  exit 1
}

# usage FILE: the comment at the head of a script, as its help.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }
