#!/usr/bin/env bash
# The archive of a release for one target: the command, the C++ headers with their library, some examples, licences, and what is new.
#
#   scripts/archive.sh [TARGET [FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc --print host-tuple)
target=${1:-$host}
folder=${2:-target/archives}
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
name=pto-$version-$target

build=(cargo build --release --locked --target "$target")
built=target/$target/release
# A static libc has no shared objects, which C++ kernels are linked with.
case $target in
  *-musl) "${build[@]}" -p pto-cli ;;
  *) "${build[@]}" -p pto-cli -p pto-c ;;
esac

root=$folder/$name
rm -rf "$root"
mkdir -p "$root/bin" "$root/examples"
cp "$built/pto" "$root/bin/"
if [ -f "$built/libpto_c.so" ]; then
  mkdir -p "$root/lib"
  cp "$built/libpto_c.so" "$root/lib/"
  cp -rL cpp/include "$root/include"
fi
# Manual pages and completions are the same for every target.
cargo run --release --locked --target "$host" -p pto-cli --example package -- "$root/share"
cp -rL examples/vector_add examples/row_softmax examples/flash_attention "$root/examples/"
cp README.md LICENSE-MIT LICENSE-APACHE "$root/"
scripts/changes.sh "$version" > "$root/CHANGES.md"

tar -C "$folder" -czf "$folder/$name.tar.gz" "$name"
(cd "$folder" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$folder/$name.tar.gz"
