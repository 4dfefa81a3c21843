# Finds and installs missing packages. Sourced after common.sh.
#
# A need is a file scripts/needs/NAME.sh that sets
#   purpose    what it is for, a phrase that reads well in a list
#   packages   the Debian packages that provide it
#   packages_13, if Debian 13's have other names
# and defines `probe`, which tries the package itself (compiles, links, runs) and fails if that does not
# work. Probes run every time, in parallel: no stale result is cached, and together they take less than
# half a second.

needs=$root/scripts/needs
least_swift=6.2

# compile LIBRARY SOURCE [SUFFIX]: whether the toolchain builds a program of SOURCE with LIBRARY.
compile() {
  local work status
  work=$(mktemp -d) || return 1
  printf '%s\n' "$2" >"$work/probe.${3:-c}"
  "$(compiler "${3:-c}")" "$work/probe.${3:-c}" ${1:+"-l$1"} -o "$work/probe" && "$work/probe"
  status=$?
  rm -rf "$work"
  return $status
}

# The C compiler that Swift itself uses: the one next to `swift`, otherwise the system's.
compiler() {
  local name=clang system=cc beside
  [ "$1" = c ] || name=clang++ system=c++
  beside=$(dirname "$(readlink -f "$(command -v swift)")")/$name
  if [ -x "$beside" ]; then echo "$beside"; else echo "$system"; fi
}

# missing NAME…: the needs whose probe fails; the reasons are in $build/setup/NAME.log.
missing() {
  local name
  mkdir -p "$build/setup"
  for name in "$@"; do
    (
      source "$needs/$name.sh"
      probe
    ) </dev/null >"$build/setup/$name.log" 2>&1 && rm -f "$build/setup/$name.log" &
  done
  wait
  for name in "$@"; do
    [ ! -e "$build/setup/$name.log" ] || echo "$name"
  done
}

# field NAME VARIABLE: what a need's file sets, or nothing.
field() { (source "$needs/$1.sh" && printf '%s' "${!2:-}"); }

# packages_of NAME: the packages that provide a need, on this release of Debian.
packages_of() {
  local names=
  [ "$(debian_release)" != 13 ] || names=$(field "$1" packages_13)
  printf '%s' "${names:-$(field "$1" packages)}"
}

# packages_by_purpose NAME…: the list for a user who installs them without this script.
packages_by_purpose() {
  local name
  for name in "$@"; do
    printf '  %-46s %s\n' "$(field "$name" purpose)" "$(packages_of "$name")"
  done
}

# all_packages NAME…: the packages of several needs, each once, on one line.
all_packages() {
  local name
  for name in "$@"; do packages_of "$name" | tr ' ' '\n'; echo; done | sed '/^$/d' | sort -u |
    tr '\n' ' ' | sed 's/ $//'
}

# setup NAME…: makes sure that every named tool works, or ends the script with instructions. Checks
# all of them first, so that it lists or installs the packages once.
setup() {
  local gaps name
  [[ " $* " != *" toolchain "* ]] || swift_is_there
  mapfile -t gaps < <(missing "$@")
  if [ ${#gaps[@]} -gt 0 ]; then
    for name in "${gaps[@]}"; do say "missing: $(field "$name" purpose)"; done
    install_packages "${gaps[@]}"
    mapfile -t gaps < <(missing "${gaps[@]}")
    for name in "${gaps[@]}"; do
      printf 'Still missing after the installation: %s. The probe printed:\n' \
        "$(field "$name" purpose)" >&2
      tail -n 20 "$build/setup/$name.log" >&2
    done
    [ ${#gaps[@]} -eq 0 ] || stop "To fix this, make the above work and run the command again."
  fi
  [[ " $* " != *" toolchain "* ]] || swift_is_new_enough
}

# install_packages NAME…: installs the packages of the needs, on Debian 12 and 13.
install_packages() {
  local packages as_root=()
  packages=$(all_packages "$@")
  if [ -z "$(debian_release)" ] || ! command -v apt-get >/dev/null; then
    stop "This is not Debian 12 or 13, so the script installs nothing. Install these with your package manager" \
      "(on the right are Debian 12's package names), then run the command again:" \
      "$(packages_by_purpose "$@")"
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      stop "Packages are missing, and you are neither root nor able to use sudo here." \
        "$(packages_by_purpose "$@")" "Ask a user with sudo rights to run:" \
        "  apt-get update && apt-get install -y --no-install-recommends $packages"
    fi
    as_root=(sudo)
  fi
  say "installing with apt-get: $packages"
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  "${as_root[@]}" update </dev/null >"$build/setup/apt.log" 2>&1 ||
    say "apt-get update failed; trying with the old list of packages"
  # shellcheck disable=SC2086 # each package is a word
  "${as_root[@]}" install -y --no-install-recommends $packages </dev/null \
    >>"$build/setup/apt.log" 2>&1 || {
    tail -n 20 "$build/setup/apt.log" >&2
    stop "apt-get failed, see above (all of it: .build/setup/apt.log)." \
      "To fix this, check the network and run the command again, or install yourself:" \
      "  apt-get install -y --no-install-recommends $packages"
  }
}

# os_release KEY: a value of /etc/os-release, or nothing.
os_release() { (. "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && printf '%s' "${!1:-}"); }

# debian_release: 12 or 13, or nothing on every other system.
debian_release() {
  [ "$(os_release ID)" = debian ] || return 0
  case $(os_release VERSION_ID) in 12 | 13) os_release VERSION_ID ;; esac
}

# swift_is_there: ends the script unless there is a swift on the PATH.
swift_is_there() {
  command -v swift >/dev/null ||
    stop "There is no swift on the PATH. Install Swift $least_swift or newer from" \
      "https://www.swift.org/install, add its usr/bin to the PATH and run the command again."
}

# swift_is_new_enough: ends the script unless the swift on the PATH runs and can build this.
swift_is_new_enough() {
  local said version
  said=$(swift --version 2>&1) ||
    stop "swift does not run: $said" "To fix this, make 'swift --version' work."
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$said" | head -n 1)
  if [ "$(printf '%s\n' "$least_swift" "${version:-0}" | sort -V | head -n 1)" != "$least_swift" ]
  then
    stop "swift is ${version:-of an unknown version} ($(command -v swift)); $least_swift or newer" \
      "is needed: https://www.swift.org/install"
  fi
}
