//! `pto verify`: the scope of a verdict, and the reasons for *unknown*.

use crate::support::command;
use crate::support::folder::{Folder, err, out};
use serde_json::Value as Json;
use std::path::Path;

/// A kernel that adds `ADDED` to a tile if `CHOICE` is true.
const CHOOSES: &str = r#"!t = !pto.tile_buf<vec, 8x16xf32>
!v = !pto.tensor_view<8x16xf32>
module attributes {pto.target_arch = "a5"} {
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %list: !pto.ptr<i32>, %m: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %far = arith.constant 1000 : i32
    %added = arith.constant ADDED : f32
    %xv = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : !v
    %yv = pto.make_tensor_view %y, shape = [%c8, %c16], strides = [%c16, %c1] : !v
    %a = pto.alloc_tile : !t
    pto.tload ins(%xv : !v) outs(%a : !t)
    CHOICE
    scf.if %chosen {
      pto.tadds ins(%a, %added : !t, f32) outs(%a : !t)
    }
    pto.tstore ins(%a : !t) outs(%yv : !v)
    return
  }
}
"#;

/// Values on the way from arguments to a condition that a launch reaches.
const REACHED: [&str; 11] = [
    "%chosen = arith.cmpi sgt, %m, %far : i32",
    "%q = arith.divsi %m, %far : i32\n %chosen = arith.cmpi eq, %q, %one : i32",
    "%q = arith.remsi %m, %far : i32\n %chosen = arith.cmpi eq, %q, %one : i32",
    "%q = arith.minsi %m, %far : i32\n %chosen = arith.cmpi eq, %q, %far : i32",
    "%is = arith.cmpi eq, %m, %far : i32\n %q = arith.select %is, %one, %zero : i32\n %chosen = arith.cmpi eq, %q, %one : i32",
    "%q = arith.index_cast %m : i32 to index\n %chosen = arith.cmpi sgt, %q, %c16 : index",
    "%q = pto.load_scalar %list[%c0] : !pto.ptr<i32> -> i32\n %chosen = arith.cmpi eq, %q, %one : i32",
    // No small number reaches these: they are made of the constants on the way.
    "%q = pto.load_scalar %list[%c8] : !pto.ptr<i32> -> i32\n %chosen = arith.cmpi eq, %q, %far : i32",
    "%q = arith.muli %m, %far : i32\n %r = arith.subi %q, %far : i32\n %chosen = arith.cmpi eq, %r, %far : i32",
    "%q = arith.divsi %m, %far : i32\n %r = arith.addi %q, %far : i32\n %s = arith.remsi %r, %far : i32\n \
     %chosen = arith.cmpi eq, %s, %one : i32",
    "%q = pto.load_scalar %list[%c1] : !pto.ptr<i32> -> i32\n %e = arith.cmpi sgt, %q, %far : i32\n %f = arith.cmpi eq, %m, %far : i32\n \
     %chosen = arith.andi %e, %f : i1",
];

/// No launch that is generated loads such a number: the search does not draw roots.
const UNREACHED: &str = "%q = pto.load_scalar %list[%c0] : !pto.ptr<i32> -> i32\n %r = arith.muli %q, %q : i32\n \
                         %chosen = arith.cmpi sgt, %r, %far : i32";

fn chooses(choice: &str, added: &str) -> String {
    CHOOSES.replace("CHOICE", choice).replace("ADDED", added)
}

fn write_lowered(folder: &Folder, name: &str, source: &str) -> String {
    let path = folder.write(&format!("{name}-source.pto"), source);
    let lowered = command(&["lower", &path]);
    assert!(lowered.status.success(), "{}", err(&lowered));
    folder.write(&format!("{name}.pto"), out(&lowered))
}

fn report(words: &[&str]) -> Json {
    let output = command(&[&["verify"], words, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", err(&output)))
}

fn verdict<'j>(report: &'j Json, property: &str) -> &'j str {
    let properties = report["kernels"][0]["properties"].as_array().expect("properties");
    let one = properties.iter().find(|one| one["property"] == property).expect("the property");
    one["verdict"].as_str().expect("a verdict")
}

// 13.9: `verify`: coverage
#[test]
fn scalars_are_followed_to_conditions() {
    let folder = Folder::new();
    for choice in REACHED {
        let source = folder.write("source.pto", chooses(choice, "1.0"));
        let right = write_lowered(&folder, "right", &chooses(choice, "1.0"));
        let wrong = write_lowered(&folder, "wrong", &chooses(choice, "2.0"));
        let right = report(&[&source, &right]);
        assert_eq!(right["verdict"], "accepted", "{choice}: {right}");
        assert_eq!(right["kernels"][0]["ran"], right["kernels"][0]["instructions"]);
        let wrong = report(&[&source, &wrong]);
        assert_eq!(wrong["verdict"], "rejected", "{choice}: {wrong}");
        assert_eq!(wrong["diagnostics"][0]["rule"], "verify::bits");
        let argument = if choice.contains("%m") { "m" } else { "list" };
        let inspected = out(&command(&["inspect", &source]));
        let is_named = |line: &&str| line.contains(&format!("  {argument}  ")) && !line.contains("unused");
        assert!(inspected.lines().any(|line| is_named(&line)), "{inspected}");
    }
}

/// A tool that removes instructions that no small number reaches is not accepted: instructions of the source must be
/// covered, too.
#[test]
fn instructions_of_the_source_are_covered() {
    let folder = Folder::new();
    let lowered = write_lowered(&folder, "lowered", &chooses("%chosen = arith.constant false", "1.0"));
    let text = std::fs::read_to_string(&lowered).expect("a program");
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("pto.tadds")).collect();
    let lowered = folder.write("without.pto", kept.join("\n"));
    for (choice, verdict) in [(REACHED[7], "rejected"), (UNREACHED, "unknown")] {
        let source = folder.write("source.pto", chooses(choice, "1.0"));
        let said = report(&[&source, &lowered]);
        assert_eq!(said["verdict"], verdict, "{said}");
        if verdict == "unknown" {
            assert_eq!(said["diagnostics"][0]["rule"], "verify::coverage");
            assert_eq!(said["kernels"][0]["not_run"], serde_json::json!([]));
            assert_eq!(said["kernels"][0]["source_not_run"].as_array().map(Vec::len), Some(1));
            let text = out(&command(&["verify", &source, &lowered]));
            assert!(text.contains("6 of 6 instructions") || text.contains(" of the source; line "), "{text}");
        }
    }
}

/// Whether a test of a signal holds decides a branch: signals are contents, too.
#[test]
fn signals_vary() {
    let folder = Folder::new();
    let test = "%sv = pto.make_tensor_view %list, shape = [%c1], strides = [%c1] : !pto.tensor_view<1xi32>\n \
                %chosen = pto.comm.ttest(%sv, %far : !pto.tensor_view<1xi32>, i32) {cmp = #pto<wait_cmp eq>} -> i1";
    let source = folder.write("source.pto", chooses(test, "1.0"));
    let right = write_lowered(&folder, "right", &chooses(test, "1.0"));
    let wrong = write_lowered(&folder, "wrong", &chooses(test, "2.0"));
    assert_eq!(report(&[&source, &right])["verdict"], "accepted");
    assert_eq!(report(&[&source, &wrong])["verdict"], "rejected");
}

// 13.9: `verify`: coverage
#[test]
fn what_did_not_run_is_unknown_with_its_lines() {
    let folder = Folder::new();
    let source = folder.write("source.pto", chooses(UNREACHED, "1.0"));
    let lowered = write_lowered(&folder, "lowered", &chooses(UNREACHED, "2.0"));
    let text = std::fs::read_to_string(&lowered).expect("a program");
    let line = 1 + text.lines().position(|line| line.contains("tadds")).expect("a line");
    let output = command(&["verify", &source, &lowered]);
    assert_eq!(output.status.code(), Some(3));
    let said = out(&output);
    assert!(said.ends_with("unknown\n") && said.contains(&format!("line {line} did not run")), "{said}");
    assert!(said.contains("coverage   unknown: 7 of 8 instructions in "), "{said}");
    assert!(err(&output).contains("did not run"), "{}", err(&output));
    let report = report(&[&source, &lowered]);
    assert_eq!((&report["verdict"], &report["accepted"]), (&"unknown".into(), &false.into()));
    assert_eq!(report["diagnostics"][0]["rule"], "verify::coverage");
    assert_eq!(report["kernels"][0]["not_run"], serde_json::json!([line]));
    assert_eq!((verdict(&report, "bits"), verdict(&report, "coverage")), ("holds", "unknown"));
    // Contents that reach the line settle it.
    let array = folder.path("list.bin");
    std::fs::write(Path::new(&array), 1000i32.to_le_bytes()).expect("a file");
    let given = command(&["verify", &source, &lowered, "-i", &format!("list={array}")]);
    assert!(given.status.code() == Some(1) && out(&given).ends_with("rejected\n"), "{}", out(&given));
}

// 13.9: `verify`: coverage, `verify K K` of a program that needs synchronization and has none
#[test]
fn what_another_tool_must_lower_is_not_accepted() {
    let folder = Folder::new();
    let text = chooses(REACHED[0], "1.0");
    let open = folder.write("open.pto", &text);
    let said = report(&[&open, &open]);
    assert_eq!((said["verdict"].as_str(), verdict(&said, "lowered")), (Some("unknown"), "unknown"));
    assert_eq!(said["diagnostics"][0]["rule"], "verify::not-lowered");
    // With addresses alone, it races.
    let placed = command(&["lower", &open, "--place"]);
    assert!(placed.status.success() && out(&placed).contains("addr ="), "{}", out(&placed));
    let placed = folder.write("placed.pto", out(&placed));
    assert_eq!(report(&[&placed, &placed])["verdict"], "rejected");
    // With flags alone, its tiles have no addresses.
    let ordered = command(&["lower", &open, "--sync", "flags"]);
    assert!(ordered.status.success() && out(&ordered).contains("set_flag"), "{}", err(&ordered));
    let ordered = folder.write("ordered.pto", out(&ordered));
    assert_eq!(verdict(&report(&[&open, &ordered]), "lowered"), "unknown");
    // A program without a target is built for a device.
    let unnamed = folder.write("unnamed.pto", text.replace(" attributes {pto.target_arch = \"a5\"}", ""));
    assert_eq!(verdict(&report(&[&unnamed, &unnamed]), "lowered"), "unknown");
    assert_eq!(report(&[&unnamed, &unnamed, "--target", "cpu"])["verdict"], "accepted");
    // Two sources are compared on `cpu`, where nothing needs addresses or flags.
    let cpu = folder.write("cpu.pto", text.replace("\"a5\"", "\"cpu\""));
    assert_eq!(report(&[&cpu, &cpu])["verdict"], "accepted");
}

/// Scalars alone: one pipe.
const SCALARS: &str = r#"module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: !pto.ptr<i32>, %y: !pto.ptr<i32>) {
    %c0 = arith.constant 0 : index
    %ten = arith.constant 10 : i32
    %d = pto.load_scalar %n[%c0] : !pto.ptr<i32> -> i32
    %q = arith.divsi %ten, %d : i32
    pto.store_scalar %q, %y[%c0] : !pto.ptr<i32>, i32
    return
  }
}
"#;

// 13.9: `verify`: signals
#[test]
fn contents_that_nobody_gave_leave_the_verdict_unknown() {
    let folder = Folder::new();
    let divides = folder.write("divides.pto", SCALARS);
    let waits = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/instructions/comm.twait.pto");
    // With the arguments in its comment the verdict is known.
    let beside = command(&["verify", waits, waits]);
    assert!(out(&beside).ends_with("accepted\n"), "{}", out(&beside));
    assert!(err(&beside).contains("arguments from its `// run:` comment"), "{}", err(&beside));
    let text = std::fs::read_to_string(waits).expect("the example");
    let waits = folder.write("waits.pto", text.replace("// run:", "// Flags:"));
    for (program, argument, contents) in
        [(divides.as_str(), "n", "n=ones:1"), (waits.as_str(), "signal", "signal=ones")]
    {
        let output = command(&["verify", program, program]);
        assert_eq!(output.status.code(), Some(3), "{}", out(&output));
        assert!(out(&output).ends_with("unknown\n"), "{}", out(&output));
        let said = report(&[program, program]);
        assert_eq!(said["diagnostics"][0]["rule"], "verify::unknown");
        let message = said["diagnostics"][0]["message"].as_str().expect("a message");
        assert!(message.contains(&format!("`%{argument}` needs contents")), "{message}");
        let given = command(&["verify", program, program, "-i", contents]);
        assert!(out(&given).ends_with("accepted\n"), "{}{}", out(&given), err(&given));
    }
}

/// A kernel of which `FILL` may fill the tile with -1, and `TAIL` the rest of its rows.
fn fills(fill: &str, columns: u32) -> String {
    format!(
        r#"!t = !pto.tile_buf<vec, 1x8xi32>
!p = !pto.partition_tensor_view<1x8xi32>
module attributes {{pto.target_arch = "a5"}} {{
  func.func @fill(%y: !pto.ptr<i32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %columns = arith.constant {columns} : index
    %a0 = arith.constant 0 : i64
    %value = arith.constant -1 : i32
    %yv = pto.make_tensor_view %y, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xi32>
    %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xi32> -> !p
    %a = pto.alloc_tile addr = %a0 : !t
    %part = pto.alloc_tile addr = %a0 valid_row = %c1 valid_col = %columns : !pto.tile_buf<vec, 1x8xi32, valid=?x?>
    {fill}
    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.tstore ins(%a : !t) outs(%yp : !p)
    return
  }}
}}
"#
    )
}

const FILL: &str = "pto.texpands ins(%value : i32) outs(%part : !pto.tile_buf<vec, 1x8xi32, valid=?x?>)";

// 13.9: `verify`: undefined bytes
#[test]
fn undefined_bytes_are_no_result() {
    let folder = Folder::new();
    let whole = folder.write("whole.pto", fills(FILL, 8));
    assert_eq!(report(&[&whole, &whole])["verdict"], "accepted");
    // Bytes of all ones are -1: the result differs with another pattern.
    for (name, text) in [("none", fills("", 8)), ("half", fills(FILL, 4))] {
        let other = folder.write(&format!("{name}.pto"), &text);
        let said = report(&[&whole, &other]);
        assert_eq!((verdict(&said, "silent"), verdict(&said, "bits")), ("fails", "fails"), "{name}");
        assert_eq!(said["diagnostics"][0]["rule"], "init::unwritten", "{name}");
    }
    // The tool is not blamed for bytes that the source also leaves undefined.
    let half = folder.write("half.pto", fills(FILL, 4));
    for lowered in [&half, &whole] {
        let said = report(&[&half, lowered]);
        assert_eq!(said["verdict"], "accepted", "{said}");
    }
}

// 13.9: `verify`: coverage, "integers loaded from memory vary too"
#[test]
fn contents_are_not_zeros_alone() {
    let folder = Folder::new();
    let kernel = |element: &str, instruction: &str| {
        format!(
            "!t = !pto.tile_buf<vec, 8x16x{element}>\n!v = !pto.tensor_view<8x16x{element}>\n\
             module attributes {{pto.target_arch = \"a5\"}} {{\n\
             func.func @k(%x: !pto.ptr<{element}>, %y: !pto.ptr<{element}>) {{\n\
             %c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n%c16 = arith.constant 16 : index\n\
             %xv = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : !v\n\
             %yv = pto.make_tensor_view %y, shape = [%c8, %c16], strides = [%c16, %c1] : !v\n\
             %a = pto.alloc_tile : !t\n%b = pto.alloc_tile : !t\npto.tload ins(%xv : !v) outs(%a : !t)\n\
             {instruction}\npto.tstore ins(%b : !t) outs(%yv : !v)\nreturn\n}}\n}}\n"
        )
    };
    // Sums and products of zeros are equal, and so are numbers from 0 to 1 and their absolute values.
    for (element, right, wrong) in [
        ("i32", "pto.tadd ins(%a, %a : !t, !t) outs(%b : !t)", "pto.tmul ins(%a, %a : !t, !t) outs(%b : !t)"),
        ("f32", "pto.tabs ins(%a : !t) outs(%b : !t)", "pto.tmax ins(%a, %a : !t, !t) outs(%b : !t)"),
    ] {
        let source = folder.write("source.pto", kernel(element, right));
        let same = write_lowered(&folder, "same", &kernel(element, right));
        let other = write_lowered(&folder, "other", &kernel(element, wrong));
        assert_eq!(report(&[&source, &same])["verdict"], "accepted");
        assert_eq!(report(&[&source, &other])["diagnostics"][0]["rule"], "verify::bits", "{element}");
    }
}
