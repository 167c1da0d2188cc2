#!/usr/bin/env bash
# Tries an archive where nothing else is: in a root with its files and the C library that it names. Needs to be root, for chroot.
#
#   scripts/try_archive.sh ARCHIVE.tar.gz
set -euo pipefail

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -C "$root" -xzf "$1" --strip-components=1
mkdir -p "$root/tmp"
for library in $(ldd "$root/bin/pto" | grep -o '/[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

inside() {
  env -i "$(command -v chroot)" "$root" /bin/pto "$@"
}
inside --version
inside test examples
inside run examples/vector_add/kernel.pto -i x=randn -i y=randn -i length=1000 --watch all
inside explain tinsert > "$root/tmp/page"
grep -q tinsert "$root/tmp/page"
# Without a compiler it names those that it looked for.
echo 'int main() {}' > "$root/kernel.cpp"
if message=$(inside c++ kernel.cpp 2>&1); then
  echo "c++ without a compiler ended well"
  exit 1
fi
echo "$message"
grep -q 'g++' <<< "$message"
grep -q 'clang++' <<< "$message"
echo "the archive works alone"
