//! References in wider formats for results in narrow ones, and the `.npy` files of such results.

use crate::support::folder::Folder;
use pto::data::number::encode;
use pto::data::{Array, item_bytes, npy};
use pto::isa::Element;
use std::fs;

/// y = x, 2x32.
const COPY: &str = "!tile = !pto.tile_buf<vec, 2x32xFORMAT>
!all = !pto.tensor_view<2x32xFORMAT>
func.func @copy(%x: !pto.ptr<FORMAT>, %y: !pto.ptr<FORMAT>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%c2, %c32], strides = [%c32, %c1] : !all
  %yv = pto.make_tensor_view %y, shape = [%c2, %c32], strides = [%c32, %c1] : !all
  %t = pto.alloc_tile : !tile
  pto.tload ins(%xv : !all) outs(%t : !tile)
  pto.tstore ins(%t : !tile) outs(%yv : !all)
  return
}
";

const SEQUENCE: &str = "results = [\"y\"]
[buffers]
x = \"FORMAT[2, 32]\"
y = \"FORMAT[2, 32]\"
[[step]]
kernel = \"copy.pto\"
arguments = [\"x\", \"y\"]
";

/// The file of 2x32 values: 0.1, 0.2, and so on.
fn file(element: Element) -> Vec<u8> {
    let bits = (1..=64).map(|at| encode(element, f64::from(at as f32 / 10.0)).to_le_bytes());
    let bytes: Vec<u8> = bits.flat_map(|bits| bits.into_iter().take(item_bytes(element))).collect();
    npy::to_bytes(&Array::new(element, vec![2, 32], bytes).expect("an array"))
}

/// A folder with the program and the sequence of a format, values in that format and in f32.
fn folder(word: &str, element: Element) -> Folder {
    let folder = Folder::new();
    folder.write("copy.pto", COPY.replace("FORMAT", word));
    folder.write("copy.toml", SEQUENCE.replace("FORMAT", word));
    folder.write("x.npy", file(element));
    folder.write("want.npy", file(Element::F32));
    folder
}

/// Formats: word, element type, half a unit in the last place relative to the value, and the type name in files.
const FORMATS: [(&str, Element, &str, &str); 3] = [
    ("bf16", Element::Bf16, "4e-3", "'bfloat16'"),
    ("f8E4M3FN", Element::E4M3, "0.0625", "'float8_e4m3fn'"),
    ("f8E5M2", Element::E5M2, "0.125", "'float8_e5m2'"),
];

#[test]
fn a_reference_in_f32_is_compared_with_the_decoded_result() {
    for (word, element, rtol, _) in FORMATS {
        let folder = folder(word, element);
        for run in ["copy.pto", "--sequence copy.toml"] {
            let run = format!("run {run} --target a5 -i x=x.npy --expect y=want.npy");
            let (status, out, err) = folder.pto(&format!("{run} --rtol {rtol}"));
            assert_eq!((status, err.as_str()), (Some(0), ""), "{run}");
            let matched =
                format!("y: all 64 values match (2x32 of {word} with a reference of f32, tolerance: ");
            assert!(out.starts_with(&matched), "{out}");
            let (status, out, _) = folder.pto(&format!("{run} --ulp 1"));
            assert_eq!(status, Some(0), "{out}");
            // The format cannot represent 0.1.
            let (status, out, _) = folder.pto(&run);
            assert!(status == Some(1) && out.contains("first at [0, 0]: got 0."), "{out}");
            assert!(out.contains("want 0.1 (off by ") && out.contains(", 0 ulp)"), "{out}");
        }
        let (_, out, _) = folder.pto("run copy.pto --target a5 -i x=x.npy --expect y=want.npy --json");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(report["expect"][0]["first"]["want"], 0.1, "{report:#}");
    }
}

#[test]
fn a_result_in_a_narrow_format_has_the_type_name_of_ml_dtypes() {
    for (word, element, _, descr) in FORMATS {
        let folder = folder(word, element);
        let (status, _, err) = folder.pto("run copy.pto --target a5 -i x=x.npy -o y=y.npy");
        assert_eq!((status, err.as_str()), (Some(0), ""));
        let written = fs::read(folder.0.join("y.npy")).expect("the result");
        assert_eq!(written, file(element));
        assert!(String::from_utf8_lossy(&written[..64]).contains(descr), "{word}");
        let (status, out, _) = folder.pto("run copy.pto --target a5 -i x=y.npy --expect y=y.npy");
        assert_eq!(
            (status, out),
            (Some(0), format!("y: all 64 values match (2x32 of {word}, tolerance: exact)\n"))
        );
    }
}

#[test]
fn other_types_are_no_references() {
    let folder = folder("bf16", Element::Bf16);
    for element in [Element::F16, Element::I32] {
        folder.write("other.npy", file(element));
        let (status, _, err) = folder.pto("run copy.pto --target a5 -i x=x.npy --expect y=other.npy");
        assert!(status != Some(0) && err.contains("but the kernel takes bf16"), "{err}");
    }
    let (status, _, err) = folder.pto("run copy.pto --target a5 -i x=want.npy");
    assert!(status != Some(0) && err.contains("but the kernel takes bf16"), "{err}");
}
