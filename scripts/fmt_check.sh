#!/bin/sh
# The pre-commit hook `pto-fmt`: `pto fmt --check` takes one program, pre-commit passes several. Options such as
# `--form=ssa` come first.
set -eu

options=
while [ $# -gt 0 ]; do
  case $1 in
    -*) options="$options $1" ;;
    *) break ;;
  esac
  shift
done

status=0
for file; do
  pto fmt --check $options "$file" || status=1
done
exit "$status"
