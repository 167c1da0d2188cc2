//! Pictures of memory: every tile has a rectangle at its address and its time, and tiles that are alive together do not
//! overlap.

use crate::support::folder::Folder;
use crate::support::{Drawn, command, drawn, texts_are_apart};
use pto_cli::picture::memory::{Block, Chart, Kind, Mark, memory};
use std::path::Path;

const KINDS: [Kind; 2] = [Kind { word: "one", color: "#cfe4ff" }, Kind { word: "other", color: "#ffd9a0" }];

/// The rectangles of blocks: position, size, colour.
fn blocks(svg: &str) -> Vec<([i32; 4], String)> {
    let (mut inside, mut found) = (false, Vec::new());
    for shape in drawn(svg) {
        match shape {
            Drawn::Group => inside = true,
            Drawn::End => inside = false,
            Drawn::Rect { x, y, width, height, fill } if inside => found.push(([x, y, width, height], fill)),
            _ => {}
        }
    }
    found
}

fn are_apart([x, y, w, h]: [i32; 4], [a, b, c, d]: [i32; 4]) -> bool {
    x + w <= a || a + c <= x || y + h <= b || b + d <= y
}

fn block(name: &str, address: u64, bytes: u64, time: (usize, usize), kind: usize) -> Block {
    Block { name: name.to_owned(), address, bytes, time, kind }
}

#[test]
fn a_rectangle_is_at_its_address_and_its_time() {
    let chart = Chart {
        title: "UB".to_owned(),
        blocks: vec![
            block("a", 0, 100, (0, 4), 0),
            block("b", 100, 200, (2, 9), 1),
            block("c", 0, 100, (5, 9), 0),
        ],
        marks: vec![
            Mark { address: 300, label: "peak".to_owned(), is_limit: false },
            Mark { address: 300, label: "capacity".to_owned(), is_limit: true },
        ],
        moments: 10,
        labels: (0..10).map(|at| (at, format!("line {at}"))).collect(),
    };
    let svg = memory("memory", std::slice::from_ref(&chart), &KINDS);
    texts_are_apart(&svg, "memory");
    let found = blocks(&svg);
    let [(a, first), (b, second), (c, third)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!([first, second, third], ["#cfe4ff", "#ffd9a0", "#cfe4ff"]);
    // `a` and `c` have one address, one after the other in time. `b` is below both, twice as high.
    assert!(a[0] + a[2] == c[0] && a[1] == c[1] && a[2] == c[2], "{found:?}");
    assert!(b[1] == a[1] + a[3] && b[3] == 2 * a[3] && b[0] > a[0], "{found:?}");
    assert!(svg.contains("prefers-color-scheme: dark") && svg.contains(">peak<") && svg.contains(">a 100<"));
    for word in ["one", "other"] {
        assert!(svg.contains(&format!(">{word}<")), "no {word} in the legend");
    }
}

#[test]
fn odd_charts_are_drawn() {
    assert!(memory("nothing", &[], &KINDS).contains("no tile has memory"));
    let chart = Chart {
        title: "<&>".to_owned(),
        blocks: vec![block("last", u64::MAX - 1, 2, (0, usize::MAX - 1), 7), block("none", 0, 0, (0, 0), 0)],
        marks: vec![Mark { address: u64::MAX, label: "end".to_owned(), is_limit: true }],
        moments: 0,
        labels: vec![(usize::MAX, "late".to_owned())],
    };
    assert_eq!(blocks(&memory("odd", &[chart], &KINDS)).len(), 2);
    // A buffer that is nearly empty is not drawn to its end.
    let small = Chart {
        title: "UB".to_owned(),
        blocks: vec![block("a", 0, 64, (0, 1), 0)],
        marks: vec![Mark { address: 196_608, label: "capacity".to_owned(), is_limit: true }],
        moments: 2,
        labels: Vec::new(),
    };
    let svg = memory("small", &[small], &KINDS);
    assert!(svg.contains("capacity, not drawn") && blocks(&svg)[0].0[3] > 100, "{svg}");
}

/// The picture that `pto lower` draws of a program, and its exit status.
fn map(text: &str, flags: &[&str]) -> (String, bool) {
    let folder = Folder::new();
    let (source, path) = (folder.write("source.pto", text), folder.path("map.svg"));
    let output = command(&[&["lower", &source, "--target", "a2a3", "--map", &path], flags].concat());
    (folder.read("map.svg"), output.status.success())
}

const CHAIN: &str = "!t = !pto.tile_buf<vec, 8x64xf32>
func.func @main(%s: f32) {
  %at = arith.constant 8192 : i64
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %c = pto.alloc_tile : !t
  %d = pto.alloc_tile addr = %at : !t
  pto.texpands ins(%s : f32) outs(%a : !t)
  pto.texp ins(%a : !t) outs(%b : !t)
  pto.texp ins(%b : !t) outs(%c : !t)
  pto.tadd ins(%c, %c : !t, !t) outs(%d : !t)
  return
}
";

#[test]
fn every_placed_tile_is_drawn_and_none_overlap() {
    let (svg, lowered) = map(CHAIN, &[]);
    assert!(lowered);
    texts_are_apart(&svg, "chain");
    let found = blocks(&svg);
    assert_eq!(found.len(), 4, "{svg}");
    for (at, (one, _)) in found.iter().enumerate() {
        assert!(found[..at].iter().all(|(other, _)| are_apart(*one, *other)), "{found:?}");
    }
    // Three addresses are chosen, one after the other. The address of `%d` is given, four times as far down as the
    // second.
    let top = found[0].0[1];
    let offsets: Vec<i32> = found.iter().map(|(area, _)| area[1] - top).collect();
    assert!(
        offsets[1] > 0
            && (offsets[2] - 2 * offsets[1]).abs() <= 4
            && (offsets[3] - 4 * offsets[1]).abs() <= 4,
        "{found:?}"
    );
    let colors: Vec<&str> = found.iter().map(|(_, color)| color.as_str()).collect();
    assert!(colors[0] == colors[1] && colors[1] == colors[2] && colors[2] != colors[3], "{colors:?}");
    assert!(svg.contains("UB of @main") && svg.contains(">10240<") && svg.contains("line 8"), "{svg}");
}

#[test]
fn what_does_not_fit_is_drawn_beyond_the_capacity() {
    let (svg, lowered) = map(
        &CHAIN.replace("8x64xf32", "512x64xf32").replace("(%c, %c", "(%c, %a").replace("addr = %at ", ""),
        &[],
    );
    assert!(!lowered && svg.contains("UB of @main, which does not fit"), "{svg}");
    texts_are_apart(&svg, "full");
    let found = blocks(&svg);
    assert_eq!(found.len(), 4, "{svg}");
    assert!(svg.contains(">262144<") && svg.contains(">196608<"), "{svg}");
}

#[test]
fn several_buffers_are_drawn() {
    let kernel = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/row_softmax/kernel.pto"),
    );
    let kernel = kernel.expect("the example");
    let (one, _) = map(&kernel, &[]);
    let (two, lowered) = map(&kernel, &["--multi-buffer", "2"]);
    assert!(lowered && blocks(&two).len() > blocks(&one).len(), "{two}");
    texts_are_apart(&two, "softmax");
}
