#!/usr/bin/env bash
# The part of CHANGELOG.md about a version; that of what is not released yet, if the version has none.
set -euo pipefail
cd "$(dirname "$0")/.."
part() {
  awk -v title="## $1" 'index($0, "## ") == 1 { on = $0 == title || index($0, title " ") == 1; next } on' CHANGELOG.md
}
text=$(part "$1")
if [ -z "$text" ]; then
  text=$(part Unreleased)
fi
printf '%s\n' "$text"
