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

# imports PYTHON: whether an interpreter has every package of the list.
imports() {
  [ -x "$(command -v "$1")" ] && "$1" -c "import $(
    sed -n 's/^[^#]*# import: //p' "$root/scripts/lib/python-packages.txt" | paste -sd,
  )" 2>/dev/null
}
