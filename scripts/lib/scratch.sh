# A folder for the temporary files of a run, removed when the script ends: sourced.
#
# After it: TMPDIR is that folder.

scratch_parent=${TMPDIR:-/tmp}
# The path of a Unix socket has at most 107 bytes.
[ ${#scratch_parent} -le 40 ] || scratch_parent=/tmp
TMPDIR=$(mktemp -d "$scratch_parent/tests.XXXXXX") || exit 1
export TMPDIR
scratch=$TMPDIR
trap 'rm -rf "$scratch"' EXIT

# stop_trees PID…: ends subshells and the commands that they wait for, and returns after they ended.
stop_trees() {
  local pid commands
  for pid in "$@"; do
    commands=$(pgrep -P "$pid")
    kill "$pid" $commands 2>/dev/null
    for pid in $commands; do
      while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    done
  done
}
