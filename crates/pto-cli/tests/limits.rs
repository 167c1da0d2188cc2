//! Limits of the command: endless sources, files that are not arrays, outputs with one path, misspelt keys.

use crate::support::folder::Folder;
use std::fs;
use std::process::Stdio;

const COPY: &str = "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%xv : !pto.tensor_view<8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%a : !pto.tile_buf<vec, 8x8xf32>) outs(%yv : !pto.tensor_view<8x8xf32>)
  return
}
";

/// A folder with `copy.pto`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("copy.pto", COPY);
    folder
}

impl Folder {
    /// The message for a command with wrong data.
    fn refused(&self, flags: &str) -> String {
        self.fails(flags, 1)
    }

    /// The message for a wrong usage of the command.
    fn misused(&self, flags: &str) -> String {
        self.fails(flags, 2)
    }

    fn fails(&self, flags: &str, status: i32) -> String {
        let (code, _, text) = self.pto(flags);
        assert_eq!(code, Some(status), "{flags}: {text}");
        text
    }
}

#[test]
fn a_source_that_never_ends_is_bounded() {
    let folder = folder();
    if !std::path::Path::new("/dev/zero").exists() {
        return;
    }
    let error = folder.refused("run copy.pto -i x=/dev/zero -q");
    assert!(error.contains("is longer than the"), "{error}");
    assert!(folder.refused("check /dev/zero").contains("too many for a program"));
}

#[test]
fn a_failed_write_of_stdout_is_said_once_and_exit_1() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = folder();
    let mut command = folder.command();
    let output = command
        .args(["run", "copy.pto", "-i", "x=arange"])
        .stdout(Stdio::from(full))
        .stderr(Stdio::piped())
        .output()
        .expect("the command runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error.matches("cannot write to stdout").count(), 1, "{error}");
}

#[test]
fn files_that_are_no_raw_array_are_refused() {
    let folder = folder();
    folder.write("a.npz", [0; 256]);
    folder.write("a.txt", [b'1'; 256]);
    folder.write("zip.bin", [b"PK\x03\x04".as_slice(), &[0; 252]].concat());
    folder.write("raw.bin", [0; 256]);
    folder.write("raw", [0; 256]);
    assert!(folder.refused("run copy.pto -q -i x=a.npz").contains("this is no .npz archive"));
    assert!(folder.refused("run copy.pto -q -i x=a.txt").contains("a .txt file is not an array"));
    assert!(folder.refused("run copy.pto -q -i x=zip.bin").contains("zip archive"));
    for raw in ["raw.bin", "raw"] {
        assert_eq!(folder.pto(&format!("run copy.pto -q -i x={raw}")).0, Some(0), "{raw}");
    }
}

#[test]
fn an_output_has_a_file_of_its_own() {
    let folder = folder();
    folder.write("raw.bin", [0; 256]);
    for flags in [
        "run copy.pto -q -i x=raw.bin -o y=raw.bin",
        "run copy.pto -q -i x=arange -o y=out.npy --log out.npy",
        "run copy.pto -q -i x=arange --log ./copy.pto",
    ] {
        assert!(folder.misused(flags).contains("read or written already"), "{flags}");
    }
    assert_eq!(folder.read("copy.pto"), COPY);
    assert_eq!(folder.pto("run copy.pto -q -i x=raw.bin -o y=out.npy --log out.log").0, Some(0));
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_followed_and_what_killed_runs_left_is_cleared() {
    let folder = folder();
    std::os::unix::fs::symlink("real.npy", folder.0.join("link.npy")).expect("a link");
    // No process has this id.
    folder.write(".real.npy.4294967295-0.tmp", b"half");
    folder.write(".real.npy.mine.tmp", b"kept");
    assert_eq!(folder.pto("run copy.pto -q -i x=arange -o y=link.npy").0, Some(0));
    assert!(fs::symlink_metadata(folder.0.join("link.npy")).expect("the link").is_symlink());
    assert!(folder.0.join("real.npy").is_file());
    assert!(folder.0.join(".real.npy.mine.tmp").exists());
    if std::path::Path::new("/proc/self").exists() {
        assert!(!folder.0.join(".real.npy.4294967295-0.tmp").exists());
    }
}

#[test]
fn misspelt_and_repeated_keys_are_errors() {
    let folder = folder();
    let manifest = |text: &str| {
        folder.write("m.json", text);
        folder.refused("run --all . --manifest m.json")
    };
    assert!(manifest(r#"[{"file": "copy.pto", "input": {}}]"#).contains("did you mean `inputs`?"));
    assert!(manifest(r#"[{"file": "copy.pto", "file": "b.pto"}]"#).contains("`file` occurs twice"));
    assert!(manifest(r#"[{"file": "copy.pto", "ranks": 65}]"#).contains("`ranks`: it is at most 64, not 65"));
    folder.write("kernel.pto", COPY);
    folder.write("case.json", br#"{"args": [{"nane": "x"}]}"#);
    let (status, out, err) = folder.pto("test .");
    assert!((out + &err).contains("did you mean `name`?"));
    assert_eq!(status, Some(1));
}

#[test]
fn infinity_is_no_neighbour_of_the_largest_number() {
    let folder = folder();
    let all = |bits: u32| bits.to_le_bytes().repeat(64);
    folder.write("inf.bin", all(f32::INFINITY.to_bits()));
    folder.write("max.bin", all(f32::MAX.to_bits()));
    folder.write("near.bin", all(f32::MAX.to_bits() - 1));
    let expect = |name: &str| {
        let recorded = folder.pto(&format!("run copy.pto -q -i x={name}.bin -o y={name}.npy"));
        assert_eq!(recorded.0, Some(0), "{name}");
        folder.pto(&format!("run copy.pto -q -i x=max.bin --expect y={name}.npy --ulp 2")).0
    };
    assert_eq!(expect("near"), Some(0));
    assert_eq!(expect("inf"), Some(1));
}

/// Inputs and schedules have separate seeds.
#[test]
fn schedules_have_a_seed_of_their_own() {
    let folder = folder();
    let run = |flags: &str| folder.pto(&format!("run copy.pto -i x=rand {flags}")).1;
    assert_eq!(run("--seed 3"), run("--seed 3 --schedule random --schedule-seed 9"));
    assert_ne!(run("--seed 3"), run("--seed 4"));
}

/// Files of a case must match its description.
#[test]
fn the_shape_of_a_case_is_held_against_its_file() {
    let folder = folder();
    folder.write("kernel.pto", COPY);
    let (status, _, err) = folder.pto("run kernel.pto -q -i x=arange -o y=y.npy -o x=x.npy");
    assert_eq!(status, Some(0), "{err}");
    let case = |rows: usize| {
        format!(
            r#"{{"args": [{{"name": "x", "dtype": "f32", "shape": [8, 8], "role": "in", "file": "x.npy"}},
               {{"name": "y", "dtype": "f32", "shape": [{rows}, 8], "role": "out", "expect": "y.npy"}}]}}"#
        )
    };
    folder.write("case.json", case(8));
    assert_eq!(folder.pto("test .").0, Some(0));
    folder.write("case.json", case(4));
    let (status, text, _) = folder.pto("test .");
    assert!(
        status == Some(1) && text.contains("its shape is 8x8, but `y` has the shape 4x8 in case.json"),
        "{text}"
    );
}

/// The run stops where it is, with status 1, in each of the commands that run programs of somebody else.
#[test]
fn a_launch_has_only_so_many_seconds() {
    let folder = Folder::new();
    let text = "func.func @count(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %sum = arith.addi %i, %i : index
  }
  return
}
";
    let kernel = folder.write("case/kernel.pto", text);
    folder.write(
        "case/case.json",
        r#"{"args": [{"name": "x", "dtype": "f32", "shape": [8, 8], "role": "in", "file": "x.npy"},
        {"name": "y", "dtype": "f32", "shape": [8, 8], "role": "out", "expect": "x.npy"}]}"#,
    );
    folder.write("copy.pto", COPY);
    let zeros = folder.pto("run copy.pto -q -i x=zeros:8x8 -o y=case/x.npy");
    assert_eq!(zeros.0, Some(0), "{}", zeros.2);
    for line in [
        format!("run {kernel} -i x=zeros:8 -i y=zeros:8 --max-seconds 0.1"),
        "run --all case --max-seconds 0.1".to_owned(),
        "test case --max-seconds 0.1".to_owned(),
    ] {
        let (status, out, err) = folder.pto(&line);
        let text = out + &err;
        assert_eq!(status, Some(1), "{line}: {text}");
        assert!(
            text.contains("max-seconds") && text.contains("no end after 0.1 s: 0 tile instructions and "),
            "{text}"
        );
        assert!(text.contains("kernel.pto:6") || text.contains("kernel.pto:5"), "{line}: {text}");
    }
}
