//! `pto test` on case folders of PyPTO. Tests that run Python need an interpreter with numpy (and torch, for .pt files):
//! `PTO_PYTHON`, `python3` or the environment that `.ci/python` makes. Without one, these tests print that they did not
//! run.
#![allow(clippy::print_stderr)]

use crate::support::folder::{Folder, parts};
use std::fs;
use std::process::Command;

/// y = x * factor, row by row.
const KERNEL: &str = r#"func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %factor: f32, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%rows, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  scf.for %row = %c0 to %rows step %c1 {
    %xp = pto.partition_view %xv, offsets = [%row, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<1x8xf32>
    %yp = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<1x8xf32>
    pto.tload ins(%xp : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
    pto.tmuls ins(%t, %factor : !pto.tile_buf<vec, 1x8xf32>, f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%yp : !pto.partition_tensor_view<1x8xf32>)
  }
  return
}
"#;

/// The case in Python, where `numbers` is the module that makes arrays.
const GOLDEN: &str = "import ctypes
import numpy
from helper import FACTOR

__outputs__ = ['result']
RTOL = 1e-4
ATOL = 0.0


def generate_inputs(params):
    print('not for the reader of the report')
    data = numpy.linspace(0, 1, 24, dtype=numpy.float32).reshape(3, 8)
    return [('data', data), ('result', numpy.zeros((3, 8), numpy.float32)), ('factor', ctypes.c_float(FACTOR))]


def compute_golden(tensors, params):
    tensors['result'][:] = tensors['data'] * FACTOR
    tensors['data'][:] = -1
";

impl Folder {
    /// A folder with the kernel of a case in `case`.
    fn of_case() -> Folder {
        let folder = Folder::new();
        folder.write("case/ptoas/scale.pto", KERNEL);
        fs::create_dir_all(folder.0.join("temporary")).expect("a folder");
        folder
    }

    /// Runs the command with temporary files in `temporary`: status, output and messages.
    fn apart(&self, flags: &str) -> (Option<i32>, String, String) {
        let mut command = self.command();
        let command = command.env("TMPDIR", self.0.join("temporary")).args(flags.split_whitespace());
        parts(&command.output().expect("the command runs"))
    }
}

/// A `.npy` file of f32.
fn npy(shape: &str, values: impl Iterator<Item = f32>) -> Vec<u8> {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    let values: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &values].concat()
}

/// A Python that has these modules.
fn python(modules: &str) -> Option<String> {
    let made = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/python/bin/python").to_owned();
    let named = std::env::var("PTO_PYTHON").ok();
    let has = |python: &String| {
        let run = Command::new(python).args(["-c", &format!("import {modules}")]).output();
        run.is_ok_and(|run| run.status.success())
    };
    let found = named.into_iter().chain(["python3".to_owned(), made]).find(has);
    if found.is_none() {
        eprintln!("not run: no Python with {modules}; PTO_PYTHON may name one");
    }
    found
}

#[test]
fn recorded_arrays_need_no_python() {
    let folder = Folder::of_case();
    let ramp = |factor: f32| (0..24).map(move |at| at as f32 * factor);
    folder.write("case/data/in/x.npy", npy("3, 8", ramp(1.0)));
    folder.write("case/data/in/y.npy", npy("3, 8", ramp(0.0)));
    folder.write("case/data/out/y.npy", npy("3, 8", ramp(2.0)));
    // The scalar `factor` is in no file; `rows` follows from the shapes.
    let (status, out, _) = folder.apart("test case");
    assert!(status == Some(1) && out.contains("argument `factor` of type f32 is missing"), "{out}");
    folder.write(
        "case/ptoas/scale.pto",
        KERNEL
            .replace(", %factor: f32", "")
            .replace("%c8 = arith", "%factor = arith.constant 2.0 : f32\n  %c8 = arith"),
    );
    let (status, out, err) = folder.apart("test .");
    assert_eq!((status, out.as_str()), (Some(0), "pypto: 1 of 1 passed\n1 passed, 0 failed\n"), "{err}");
    folder.write("case/data/out/y.npy", npy("3, 8", ramp(2.1)));
    let (status, out, _) = folder.apart("test case --families pypto --ops case");
    assert!(
        status == Some(1)
            && out.contains("y: 23 of 24 values differ (3x8 of f32, tolerance: atol 1e-5, rtol 1e-5)"),
        "{out}"
    );
    assert!(out.contains("written last by `pto.tstore` at case/ptoas/scale.pto:14, block 0"), "{out}");
    // Other names: in order.
    fs::rename(folder.0.join("case/data/in/x.npy"), folder.0.join("case/data/in/a.npy")).expect("a file");
    assert!(folder.apart("test case").1.contains("y: 23 of 24"));
    fs::remove_file(folder.0.join("case/data/in/a.npy")).expect("a file");
    assert!(folder.apart("test case").1.contains("the kernel takes x, y, but the case has y"));
    folder.write("case/data/in/x.pt", "");
    assert!(folder.apart("test case").1.contains("torch reads .pt files"));
    folder.write("case/ptoas/more.pto", KERNEL);
    let (_, out, _) = folder.apart("test case");
    assert!(out.contains("it has 2 programs, not one") && out.contains("pto replay"), "{out}");
}

#[test]
#[cfg(unix)]
fn a_python_that_fails_is_an_error() {
    let folder = Folder::of_case();
    folder.write("case/golden.py", GOLDEN);
    let failed = |python: &str, expected: &str| {
        let (status, out, _) = folder.apart(&format!("test case --run-golden --python {python}"));
        assert!(status == Some(1) && out.contains(expected), "{expected}: {out}");
    };
    failed("nowhere/python", "cannot run nowhere/python");
    failed(
        &folder.script("a.sh", "#!/bin/sh\necho first >&2\necho 'ValueError: no' >&2\nexit 3\n"),
        "help: ValueError: no",
    );
    failed(&folder.script("b.sh", "#!/bin/sh\nexit 0\n"), "golden.py left no list of arrays");
    let list = |text: &str| folder.script("c.sh", &format!("#!/bin/sh\necho '{text}' > \"$4/case.json\"\n"));
    failed(&list("[1]"), "its list of arrays");
    failed(&list("{\"args\": [], \"expected\": []}"), "the kernel takes x, y, but the case has none");
    let one = r#"{"name": "x", "file": "x.npy"}, {"name": "y", "file": "y.npy"}, {"name": "factor", "value": "2.5"}"#;
    failed(&list(&format!("{{\"args\": [{one}], \"expected\": []}}")), "x.npy: cannot open the file");
    assert_eq!(fs::read_dir(folder.0.join("temporary")).expect("a folder").count(), 0, "no folder is left");
}

#[test]
fn golden_py_is_run() {
    let Some(python) = python("numpy") else { return };
    let folder = Folder::of_case();
    folder.write("case/golden.py", GOLDEN);
    folder.write("case/helper.py", "FACTOR = 2.5\n");
    let (status, out, _) = folder.apart("test case");
    assert!(status == Some(1) && out.contains("`--run-golden` runs it by Python"), "{out}");
    let flags = format!("test case --run-golden --python {python}");
    let (status, out, err) = folder.apart(&flags);
    assert_eq!(
        (status, out.as_str(), err.as_str()),
        (Some(0), "pypto: 1 of 1 passed\n1 passed, 0 failed\n", "")
    );
    let (status, out, _) = folder.apart(&format!("{flags} --json"));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON alone");
    assert_eq!((status, &report["cases"][0]["family"]), (Some(0), &"pypto".into()));
    folder.write("case/ptoas/scale.pto", KERNEL.replace("pto.tmuls", "pto.tadds"));
    let (status, out, _) = folder.apart(&flags);
    assert!(
        status == Some(1) && out.contains("y: 24 of 24 values differ (3x8 of f32, tolerance: rtol 0.0001)"),
        "{out}"
    );
    folder.write("case/ptoas/scale.pto", KERNEL);
    // Recorded data takes precedence: here in an archive.
    let archive =
        "import numpy; x = numpy.ones((3, 8), numpy.float32); numpy.savez('case/data/in/a.npz', data=x)";
    fs::create_dir_all(folder.0.join("case/data/in")).expect("a folder");
    let made = Command::new(&python).args(["-c", archive]).current_dir(&folder.0).status();
    assert!(made.is_ok_and(|made| made.success()));
    assert_eq!(folder.apart(&flags).0, Some(0));
    folder.write("case/data/out/result.npy", npy("3, 8", (0..24).map(|_| 2.5)));
    assert_eq!(folder.apart(&flags).0, Some(0), "the recorded output is that of ones");
    folder.write("case/data/out/result.npy", npy("3, 8", (0..24).map(|_| 3.5)));
    assert_eq!(folder.apart(&flags).0, Some(1));
    folder.write("case/golden.py", GOLDEN.replace("ctypes.c_float(FACTOR)", "None + 1"));
    let (status, out, _) = folder.apart(&flags);
    assert!(status == Some(1) && out.contains("help: TypeError: "), "{out}");
}

#[test]
fn torch_reads_pt_files() {
    let Some(python) = python("numpy, torch") else { return };
    let folder = Folder::of_case();
    folder.write("case/golden.py", GOLDEN.replace("import numpy\n", "import numpy\nimport torch\n"));
    folder.write("case/helper.py", "FACTOR = 2.5\n");
    fs::create_dir_all(folder.0.join("case/data/in")).expect("a folder");
    fs::create_dir_all(folder.0.join("case/data/out")).expect("a folder");
    let save = "import torch; x = torch.ones(3, 8); torch.save(x, 'case/data/in/data.pt'); torch.save(x * 2.5, 'case/data/out/result.pt')";
    let made = Command::new(&python).args(["-c", save]).current_dir(&folder.0).status();
    assert!(made.is_ok_and(|made| made.success()));
    let (status, out, _) = folder.apart(&format!("test case --run-golden --python {python}"));
    assert_eq!(status, Some(0), "{out}");
}
