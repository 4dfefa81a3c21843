# Builds the programs for the suites. Sourced with the repository as the working directory.
#
# Packages that depend on this one by path are built in its own .build. That reuses
# the libraries; separate folders would compile all of them again.
#
# scripts/test sets BUILT after the suite `build` has built everything; the scripts then build nothing.

mkdir -p .build/tests
# A relative path would be resolved in Examples.
examples=(--package-path Examples --scratch-path "$PWD/.build")

# SwiftPM may reuse the plan of the package that was built there before: remove the plan before each
# build, and after builds of other packages.
forget_plan() { rm -f .build/debug/description.json; }

build_tests() { forget_plan && swift build --build-tests; }

build_examples() {
  local status
  forget_plan
  swift build "${examples[@]}"
  status=$?
  forget_plan
  return "$status"
}

# need WHAT…: programs of this package that a suite runs, or "examples". One that does not build
# ends the suite. Sets LIVE_BUILD and EXAMPLES_BUILD, the folders in which they are.
need() {
  local what log=.build/tests/$(basename "$0" | sed 's/^[0-9]*-//')-build.txt
  : >"$log"
  if [ -z "${BUILT:-}" ]; then
    for what in "$@"; do
      if [ "$what" = examples ]; then build_examples; else swift build --product "$what"; fi \
        >>"$log" 2>&1 || {
        tail -n 20 "$log"
        echo "$what: it does not build"
        echo "0 passed, 1 failed"
        exit 1
      }
    done
  fi
  export LIVE_BUILD=${LIVE_BUILD:-$PWD/.build/debug} EXAMPLES_BUILD=$PWD/.build/debug
}
