# The tool that checks and tests the page. Sourced by the suites that need "venv".

# deno ARGUMENTS…: runs the deno of the tests' Python environment, without its check for updates.
deno() {
  local tool
  tool=$("${TEST_PYTHON:-python3}" -c 'import deno; print(deno.find_deno_bin())') || return 1
  DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 "$tool" "$@"
}
