#!/bin/sh
# The GitHub action: finds or builds pto, runs it, and exits with its status. Inputs are the variables PTO_ACTION_* that
# `action.yml` sets. Without GitHub the script runs as it is: `PTO_ACTION_PATHS=kernels sh scripts/action.sh`.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)

# An annotation without a file, and the status of a wrong use.
fail() {
  echo "::error::$1"
  exit 2
}

# Whether the executable $1 has the required version.
matches() {
  [ -n "${PTO_ACTION_VERSION:-}" ] || return 0
  # A commit in parentheses may follow.
  case $("$1" --version) in
    "pto $PTO_ACTION_VERSION" | "pto $PTO_ACTION_VERSION ("*) return 0 ;;
  esac
  return 1
}

if [ -n "${PTO_ACTION_BINARY:-}" ]; then
  pto=$PTO_ACTION_BINARY
  command -v "$pto" > /dev/null || fail "$pto: no executable file"
elif pto=$(command -v pto) && matches "$pto"; then
  :
else
  command -v cargo > /dev/null || fail "no pto ${PTO_ACTION_VERSION:-} on PATH, and no cargo to build one"
  to=${RUNNER_TEMP:-$root/target}/pto-action
  # In the action's folder, so that no toolchain file or configuration of the checked repository applies.
  (cd "$root" && cargo install --locked --path crates/pto-cli --root "$to") >&2 || fail "the build of pto failed"
  pto=$to/bin/pto
  # Later steps of the job find pto on PATH.
  [ -z "${GITHUB_PATH:-}" ] || echo "$to/bin" >> "$GITHUB_PATH"
fi
matches "$pto" || fail "$pto is $("$pto" --version), not $PTO_ACTION_VERSION"

# Words of the arguments are not patterns; words of the paths are.
set -f
set -- ${PTO_ACTION_ARGUMENTS:-check --format github}
set +f
set -- "$@" ${PTO_ACTION_PATHS:-.}

# Annotations need paths from the root of the repository, without the `./` of files below `.`. The status is that of
# pto, not of sed: it takes the way of descriptor 3.
exec 4>&1
status=$({
  { code=0; "$pto" "$@" 3>&- 4>&- || code=$?; echo "$code" >&3; } | sed 's|^\(::[a-z]* file=\)\./|\1|' >&4
} 3>&1)
exit "$status"
