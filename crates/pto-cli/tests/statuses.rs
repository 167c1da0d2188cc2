//! Exit statuses of all commands: files and folders that do not exist, and output pipes without a reader.

use crate::support::folder::{Folder, err};
use clap::CommandFactory;
use pto_cli::args::Cli;
use std::collections::BTreeSet;
use std::process::{Output, Stdio};

const LEGAL: &str = "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xv = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %yv = pto.make_tensor_view %y, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%xv : !pto.tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%yv : !pto.tensor_view<1x8xf32>)
  return
}
";

/// A folder with a legal and a broken program and an empty folder.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("k.pto", LEGAL);
    folder.write("broken.pto", "func.func @k() {\n  pto.tadd\n}\n");
    folder.write("kernels/k.pto", LEGAL);
    std::fs::create_dir(folder.0.join("empty")).expect("a folder");
    folder
}

/// Commands that name something that does not exist, or a folder that holds nothing of the kind.
const MISSING: &[&str] = &[
    "check no.pto",
    "check k.pto no.pto",
    "check no.pto broken.pto",
    "check no.pto --json",
    "check no.pto --format junit",
    "check --fix no.pto",
    "check nofolder/",
    "check empty",
    "run no.pto",
    "run k.pto -i x=no.npy",
    "run k.pto -i x=no.npz:x",
    "run k.pto --expect y=no.npy",
    "run k.pto -o y=no/y.npy",
    "run k.pto --log no/k.log",
    "run --all nofolder",
    "run --all empty",
    "run --all kernels --manifest no.json",
    "run --sequence no.toml",
    "inspect no.pto",
    "inspect k.pto --manifest -o no/m.json",
    "fmt no.pto",
    "fmt k.pto -o no/k.pto",
    "lower no.pto",
    "lower k.pto -o no/k.pto",
    "verify no.pto k.pto",
    "verify k.pto no.pto",
    "time no.pto",
    "time k.pto --device no.toml",
    "time --sequence no.toml",
    "map no.pto",
    "report no.pto -o page.html",
    "report k.pto -o no/page.html",
    "explain no-such-word",
    "explain tinsert --svg no/tinsert.svg",
    "layout vec,8x8xf32 --svg no/tile.svg",
    "diff no.pto k.pto",
    "diff k.pto no.pto",
    "diff-log no.log k.log",
    "test nofolder",
    "test empty",
    "test k.pto",
    "record no.pto -s case",
    "record k.pto -s k.pto/case",
    "replay nodump --kernels kernels",
    "replay empty --kernels kernels",
    "shim shim --real no-assembler",
    "c++ -c no.cpp",
    "shrink no.pto --rule alloc_tile::alignment",
    "shrink no.pto -- true",
    "shrink k.pto -- ./no-command {}",
    "bench nofolder",
    "bench --compare no.json",
];

#[test]
fn what_does_not_exist_is_wrong_usage_in_every_command() {
    let folder = folder();
    let mut named = BTreeSet::new();
    for line in MISSING {
        let (status, _, error) = folder.pto(line);
        assert_eq!(status, Some(2), "{line}: {error}");
        named.extend(line.split(' ').next());
    }
    for command in Cli::command().get_subcommands() {
        // The status of `shim-run` is that of the real assembler.
        let is_shim = command.get_name() == "shim-run";
        assert!(
            is_shim || named.contains(command.get_name()),
            "`MISSING` has no row for `pto {}`",
            command.get_name()
        );
    }
}

/// Write end of a pipe whose read end is closed.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_closed_stream_changes_no_status() {
    let folder = folder();
    let lines = [
        "check k.pto",
        "check broken.pto",
        "check broken.pto --json",
        "run k.pto",
        "run k.pto --watch all",
        "run broken.pto",
        "run --all .",
        "inspect k.pto",
        "inspect k.pto --manifest",
        "fmt k.pto",
        "fmt broken.pto",
        "fmt --check broken.pto",
        "lower k.pto",
        "lower k.pto --explain",
        "verify k.pto k.pto --target cpu",
        "time k.pto",
        "map k.pto",
        "report k.pto -o page.html",
        "explain tadd",
        "explain --list",
        "layout vec,8x8xf32",
        "diff k.pto k.pto",
        "test .",
        "record k.pto -s case --force",
        "shrink broken.pto -- false",
        "--help",
        "nothing",
    ];
    for line in lines.iter().chain(MISSING) {
        let words: Vec<&str> = line.split(' ').collect();
        let run = |out: Stdio, err: Stdio| -> Output {
            let mut command = folder.command();
            command.args(&words).stdout(out).stderr(err);
            command.spawn().and_then(|child| child.wait_with_output()).expect("the command runs")
        };
        let open = run(Stdio::piped(), Stdio::piped());
        let status = open.status.code();
        assert!(status.is_some_and(|status| status <= 2), "{line}: {open:?}");
        assert_eq!(run(Stdio::piped(), closed()).status.code(), status, "{line} with stderr closed");
        let without_out = run(closed(), Stdio::piped());
        assert_eq!(without_out.status.code(), status, "{line} with stdout closed: {}", err(&without_out));
        assert_eq!(run(closed(), closed()).status.code(), status, "{line} with both closed");
    }
}
