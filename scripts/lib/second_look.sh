# Sourced by scripts/test: a few tests that failed in a whole run are run once more, each alone.
#
# Two suites run beside each other, on whatever else the machine does. What only fails so is told by
# name as unsteady, and does not fail the run; what fails alone, too, has failed. A suite offers this
# by printing "again: FILTER" for each test that failed; more than a few are never looked at again,
# and neither is a suite that came to no counts: what it did not run nobody knows.

# How many may fail and still be looked at again, in all.
second_looks=3

# second_look: looks again at what results say has failed, and corrects them.
second_look() {
  local p f s name failures=0 again
  while read -r p f s name; do
    [ -n "$name" ] || continue
    failures=$((failures + f))
    # All or none: a run that fails anyhow needs no longer.
    counted "$name" && [ "$f" -gt 0 ] && [ "$(offered "$name" | wc -l)" -eq "$f" ] || return 0
  done <"$results"
  [ "$failures" -le "$second_looks" ] || return 0
  local corrected=$results.corrected
  : >"$corrected"
  while read -r p f s name; do
    if [ -n "$name" ]; then
      : >"$build/tests/$name.again.log"
      while read -r again; do
        say "$name: '$again' failed; once more, alone"
        if passes_alone "$name" "$again"; then
          echo "unsteady: $name: $again failed beside the others and passed alone" >>"$unsteady"
          p=$((p + 1)) f=$((f - 1))
        fi
      done < <(offered "$name")
      [ "$f" -gt 0 ] || name=
    fi
    echo "$p $f $s $name" >>"$corrected"
  done <"$results"
  mv "$corrected" "$results"
}

counted() { tail -n 1 "$build/tests/$1.log" | grep -qE '^[0-9]+ passed, [0-9]+ failed'; }
offered() { sed -n 's/^again: //p' "$build/tests/$1.log"; }

# passes_alone NAME FILTER: whether one test of a suite passes when nothing runs beside it.
passes_alone() {
  local log=$build/tests/$1.again.log
  timeout --kill-after=10 "$limit" "$(file_of "$1")" "$2" </dev/null >>"$log" 2>&1 || return 1
  [[ $(tail -n 1 "$log") =~ ^[1-9][0-9]*\ passed,\ 0\ failed$ ]]
}
