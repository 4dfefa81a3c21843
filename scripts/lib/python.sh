# The Python environment of the tests, in .build/python. Sourced after common.sh.

# python_environment: makes the environment that scripts/lib/python-packages.txt describes, and
# exports TEST_PYTHON, its interpreter. Rebuilt when the list or the system's Python changes.
python_environment() {
  local list=$root/scripts/lib/python-packages.txt place=$build/python key
  key=$(cat "$list" && python3 -c 'import sys; print(sys.version, sys.base_prefix)')
  export TEST_PYTHON=$place/bin/python
  if [ "$(cat "$place/made-from" 2>/dev/null)" = "$key" ] && imports "$TEST_PYTHON"; then return; fi
  say "making the Python environment of the tests in .build/python"
  rm -rf "$place"
  if python3 -m venv "$place" >"$build/setup/python.log" 2>&1 &&
    "$TEST_PYTHON" -m pip install --quiet --disable-pip-version-check --requirement "$list" \
      </dev/null >>"$build/setup/python.log" 2>&1 && imports "$TEST_PYTHON"; then
    printf '%s\n' "$key" >"$place/made-from"
  elif imports python3; then
    say "pip could not fetch the packages; using the ones that python3 has already"
    TEST_PYTHON=$(command -v python3)
  else
    tail -n 20 "$build/setup/python.log" >&2
    stop "The Python packages of the tests could not be installed, see above." \
      "To fix this, check the network (or pip's configuration) and run the command again."
  fi
}

# python_peers: puts the programs with which we compare ours into .build/peers.
python_peers() {
  local list=$root/Tests/Peers/packages.txt place=$build/peers
  if cmp -s "$list" "$place/packages.txt"; then return; fi
  say "installing the peers in .build/peers"
  rm -rf "$place"
  "$TEST_PYTHON" -m pip install --quiet --disable-pip-version-check --target "$place" \
    --requirement "$list" </dev/null >&2 ||
    stop "The peers could not be installed, see above." \
      "To fix this, check the network (or pip's configuration) and run the command again."
  cp "$list" "$place"
}

# python_debug_protocol: exports DAP_SCHEMA, the schema of the Debug Adapter Protocol, unless it is set.
# The package debugpy contains it; its code does not run. Without it, two tests are skipped.
python_debug_protocol() {
  local place=$build/debug-protocol package=debugpy==1.8.22
  local schema=$place/debugpy/_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json
  [ -z "${DAP_SCHEMA:-}" ] || return 0
  if [ "$(cat "$place/package.txt" 2>/dev/null)" != "$package" ]; then
    say "installing the schema of the Debug Adapter Protocol in .build/debug-protocol"
    rm -rf "$place"
    "$TEST_PYTHON" -m pip install --quiet --disable-pip-version-check --no-deps --target "$place" \
      "$package" </dev/null >&2 && echo "$package" >"$place/package.txt"
  fi
  if [ -f "$schema" ]; then export DAP_SCHEMA=$schema; fi
}

# imports PYTHON: whether an interpreter has every package of the list.
imports() {
  [ -x "$(command -v "$1")" ] && "$1" -c "import $(
    sed -n 's/^[^#]*# import: //p' "$root/scripts/lib/python-packages.txt" | paste -sd,
  )" 2>/dev/null
}
