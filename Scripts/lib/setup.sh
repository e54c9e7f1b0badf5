# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Set-up shared by the scripts; sourced, not run. Moves to the package's top folder and offers the functions below.

set -euo pipefail
CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." >/dev/null

# Ends the script with a message.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Ends the script unless PATH has a Swift toolchain that is new enough.
require_swift() {
  local wanted_major=6 wanted_minor=3 help='see https://www.swift.org/install/'
  local wanted=$wanted_major.$wanted_minor version
  command -v swift >/dev/null || fail "Swift $wanted or later is needed, and no 'swift' is in PATH; $help"
  version=$(swift --version 2>/dev/null </dev/null) || version=
  # Debian has another program of that name: a client of an object store.
  [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] ||
    fail "Swift $wanted or later is needed, and 'swift' in PATH ($(command -v swift)) is not a Swift toolchain; $help"
  local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  ((major > wanted_major || (major == wanted_major && minor >= wanted_minor))) ||
    fail "Swift $wanted or later is needed, and $(command -v swift) is Swift $major.$minor; $help"
}

# Installs Debian packages, as root or with sudo. It asks nothing itself; sudo may ask for a password at a terminal.
install_packages() {
  [[ $(uname -s) != Darwin ]] || fail "missing: $*; with Homebrew: brew install openblas libpng"
  command -v apt-get >/dev/null || fail "missing: $* (names of Debian packages); install them and run this again"
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "missing: $*; neither root nor sudo is at hand. As root: apt-get install $*"
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(-n)
  fi
  printf 'Installing %s\n' "$*"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update || fail "'apt-get update' failed; missing: $*"
  "${apt[@]}" install -y --no-install-recommends "$@" || fail "'apt-get install $*' failed"
}

# Installs the packages of missing commands: COMMAND=PACKAGE …
require_commands() {
  local pair missing=()
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

# Installs three.js, for an example: where Debian has it.
readonly three=/usr/share/javascript/three/three.module.js
require_three() {
  [[ -e $three ]] || install_packages libjs-three
}

# Installs everything that building the package needs: the toolchain, git for its dependencies, libpng for the tool, and
# OpenBLAS, with which it runs.
require_build_tools() {
  require_swift
  local missing=()
  command -v git >/dev/null || missing+=(git ca-certificates)
  has_openblas || missing+=(libopenblas-dev)
  has_libpng || missing+=(libpng-dev)
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

# Installs packages for Python into a virtual environment, which it makes first if there is none: FOLDER PACKAGE…
install_for_python() {
  require_commands python3=python3
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
  [[ -e $1 ]] || python3 -m venv "$1"
  "$1/bin/pip" -q --disable-pip-version-check install "${@:2}"
}

# Whether the dynamic linker finds OpenBLAS.
has_openblas() {
  if [[ $(uname -s) == Darwin ]]; then
    [[ -e /opt/homebrew/opt/openblas || -e /usr/local/opt/openblas ]]
  else
    [[ $(PATH=$PATH:/sbin:/usr/sbin ldconfig -p) == *libopenblas.so.0* ]]
  fi
}

# Whether the compiler finds the header of libpng.
has_libpng() {
  if [[ $(uname -s) == Darwin ]]; then
    [[ -e /opt/homebrew/include/png.h || -e /usr/local/include/png.h ]]
  else
    [[ -e /usr/include/png.h || -e /usr/local/include/png.h ]]
  fi
}

# Fails unless each suite of a list, NAME|NAME…, has tests: a filter by a name that no longer exists selects nothing and
# passes. Further arguments go to `swift test list`. (Filters know names only, not tags.)
require_suites() {
  local names name tests
  IFS='|' read -ra names <<<"$1"
  tests=$(swift test list --skip-build "${@:2}")
  for name in "${names[@]}"; do
    grep -qE "\.${name}[/.]" <<<"$tests" || fail "no suite is named $name; was it renamed?"
  done
}

# Prints the path of the tool, which is built for release. MURMURATION_TOOL may name one that is built already.
release_tool() {
  if [[ -x ${MURMURATION_TOOL:-} ]]; then
    printf '%s\n' "$MURMURATION_TOOL"
  else
    swift build -c release --product murmuration >&2
    printf '%s/murmuration\n' "$(swift build -c release --show-bin-path)"
  fi
}
