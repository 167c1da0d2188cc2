//! Arrays of `.npz` archives as inputs and expected values.

use crate::support::folder::Folder;
use std::fs;

/// y = x, 2x3 in a tile of 2x8.
const COPY: &str = "!tile = !pto.tile_buf<vec, 2x8xf32, valid=2x3>
!all = !pto.tensor_view<2x3xf32>
func.func @copy(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xv = pto.make_tensor_view %x, shape = [%c2, %c3], strides = [%c3, %c1] : !all
  %yv = pto.make_tensor_view %y, shape = [%c2, %c3], strides = [%c3, %c1] : !all
  %t = pto.alloc_tile : !tile
  pto.tload ins(%xv : !all) outs(%t : !tile)
  pto.tstore ins(%t : !tile) outs(%yv : !all)
  return
}
";

const SEQUENCE: &str = "results = [\"y\"]
[buffers]
x = \"f32[2, 3]\"
y = \"f32[2, 3]\"
[[step]]
kernel = \"copy.pto\"
arguments = [\"x\", \"y\"]
";

const MANIFEST: &str = r#"[{"file": "copy.pto", "inputs": {"x": "stored.npz:x"}}]"#;

/// A folder with the archives that numpy wrote: `x`, 0 to 5 in 2x3 of f32; `n`, 7 of i32.
fn folder() -> Folder {
    let folder = Folder::new();
    let archives = concat!(env!("CARGO_MANIFEST_DIR"), "/../pto/src/data/npz");
    for archive in ["stored.npz", "deflated.npz"] {
        fs::copy(format!("{archives}/{archive}"), folder.0.join(archive)).expect("a copy");
    }
    for (file, text) in [("copy.pto", COPY), ("copy.toml", SEQUENCE), ("manifest.json", MANIFEST)] {
        folder.write(file, text);
    }
    folder
}

#[test]
fn archives_give_inputs_and_expected_values() {
    let folder = folder();
    for (from, to) in [("stored", "deflated"), ("deflated", "stored")] {
        for run in ["copy.pto", "--sequence copy.toml"] {
            let (status, out, err) =
                folder.pto(&format!("run {run} -i x={from}.npz:x --expect y={to}.npz:x"));
            assert_eq!((status, err.as_str()), (Some(0), ""), "{run}");
            assert_eq!(out, "y: all 6 values match (2x3 of f32, tolerance: exact)\n");
        }
    }
    let (status, out, err) = folder.pto("run copy.pto -i x=ones:2x3 --expect y=stored.npz:x");
    assert!(status == Some(1) && out.contains("5 of 6 values differ"), "{out}{err}");
    let (status, out, err) = folder.pto("run --all .");
    assert!(status == Some(0) && out.contains("1 ok"), "{out}{err}");
}

#[test]
fn mistakes_name_the_arrays() {
    let folder = folder();
    for (flags, expected) in [
        ("-i x=stored.npz", "stored.npz: this archive has 2 arrays"),
        ("-i x=stored.npz:y", "this archive has no array `y`"),
        ("-i x=stored.npz:n", "`n`: the file holds"),
        ("-i x=none.npz:x", "none.npz: cannot open the file"),
        ("-i x=ones:2x3 --expect y=stored.npz", "it has x, n; name one, such as `stored.npz:x`"),
        ("-i x=stored.npz:x -o y=stored.npz", "is read or written already by this command"),
    ] {
        let (status, out, err) = folder.pto(&format!("run copy.pto {flags}"));
        assert!(status.is_some_and(|status| status > 0) && err.contains(expected), "{flags}: {out}{err}");
    }
    // A larger array is a warning, as it is in a .npy file.
    let (status, _, err) = folder.pto("run copy.pto -q -i x=deflated.npz:zeros");
    assert!(status == Some(0) && err.contains("launch::excess"), "{err}");
}

/// Makes an archive whose directory lists an array `x` of 16777216 f32 as compressed. It contains a header, and then
/// blocks without contents.
fn large() -> Vec<u8> {
    let shape = format!("{:117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (16777216,), }");
    let header = [&b"\x93NUMPY\x01\x00"[..], &(shape.len() as u16).to_le_bytes(), shape.as_bytes()].concat();
    // Blocks of deflate that are not compressed.
    let length = header.len() as u16;
    let block = [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &header].concat();
    let packed = [block, [0, 0, 0, 0xff, 0xff].repeat(1 << 15)].concat();
    let sizes =
        [(packed.len() as u32).to_le_bytes(), (header.len() as u32 + (1 << 26)).to_le_bytes()].concat();
    let common = [&[20, 0, 0, 0, 8, 0][..], &[0; 8], &sizes, &[5, 0, 0, 0]].concat();
    let member = [&b"PK\x03\x04"[..], &common, b"x.npy", &packed].concat();
    let directory = [&b"PK\x01\x02\x14\x00"[..], &common, &[0; 14], b"x.npy"].concat();
    let places = [(directory.len() as u32).to_le_bytes(), (member.len() as u32).to_le_bytes()].concat();
    [&member[..], &directory, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &places, &[0; 2]].concat()
}

#[test]
fn a_large_compressed_array_is_compared_with_its_argument_by_its_header() {
    let folder = folder();
    folder.write("large.npz", large());
    for flags in ["-i x=large.npz", "-i x=ones:2x3 --expect y=large.npz"] {
        for program in ["copy.pto", "--sequence copy.toml"] {
            let (status, _, err) = folder.pto(&format!("run {program} {flags}"));
            let expected =
                "its compressed array has the shape 16777216 of f32, but the argument takes 6 values";
            assert!(status == Some(1) && err.contains(expected), "{program} {flags}: {err}");
        }
    }
}
