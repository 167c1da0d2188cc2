//! `pto explain NAME --svg FILE`: every tile, patch and arrow of a picture is drawn, and nothing else.

use crate::support::{Drawn, command, drawn, texts_are_apart};
use pto::isa::Op;
use pto::isa::op::form::Syntax;
use pto::isa::op::picture::{Drawing, Paint, Picture};
use pto::isa::op::{Page, Set};
use pto_cli::picture::{diagram, reason};
use std::collections::BTreeMap;

/// Number of cells of each kind.
fn expected(pictures: &[Picture]) -> Vec<usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for panel in pictures.iter().flat_map(|picture| picture.panels()) {
        let area = |(rows, cols): (u8, u8)| usize::from(rows) * usize::from(cols);
        let mut add = |paint: Paint, cells: usize| *counts.entry(format!("{paint:?}")).or_default() += cells;
        panel.patches.iter().for_each(|patch| add(patch.paint, area(patch.size)));
        let covered: usize = panel.patches.iter().map(|patch| area(patch.size)).sum();
        add(panel.ground, area((panel.rows, panel.cols)) - covered);
    }
    let mut counts: Vec<_> = counts.into_values().filter(|count| *count > 0).collect();
    counts.sort_unstable();
    counts
}

/// Whether an instruction has no destination tile.
fn sets_registers(page: &Page) -> bool {
    match page.syntax {
        Syntax::Destination(forms) => forms.iter().all(|form| form.outs.is_empty()),
        Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
            !patterns.iter().any(|pattern| pattern.contains("!type"))
        }
    }
}

/// Sets of which every instruction with a destination has a picture.
const DRAWN: [Set; 4] = [Set::Layout, Set::Expand, Set::Reduce, Set::Matmul];

/// The pages with a picture, and their pictures.
fn drawn_pages() -> impl Iterator<Item = (&'static Page, String)> {
    Op::all().map(Op::page).filter_map(|page| Some((page, diagram(page)?)))
}

fn is_tiles(picture: &Picture) -> bool {
    matches!(picture.drawing, Drawing::Tiles { .. })
}

#[test]
fn every_cell_label_and_arrow_is_drawn() {
    for page in Op::all().map(Op::page).filter(|page| page.pictures.is_empty()) {
        let drawn = DRAWN.contains(&page.set) && !sets_registers(page) && page.name != "tget_scale_addr";
        assert!(!drawn, "{} has no picture", page.name);
    }
    let mut seen = 0;
    for (page, svg) in drawn_pages().filter(|(page, _)| page.pictures.iter().all(is_tiles)) {
        seen += 1;
        let shapes = drawn(&svg);
        let (mut inside, mut fills, mut texts, mut lines) = (false, BTreeMap::new(), Vec::new(), Vec::new());
        for shape in shapes {
            match shape {
                Drawn::Group => inside = true,
                Drawn::End => inside = false,
                Drawn::Rect { fill, .. } if inside => *fills.entry(fill).or_insert(0) += 1,
                Drawn::Text { text, .. } => texts.push(text),
                Drawn::Polyline(points) => lines.push(points),
                _ => {}
            }
        }
        let mut counts: Vec<usize> = fills.into_values().collect();
        counts.sort_unstable();
        assert_eq!(counts, expected(page.pictures), "{}", page.name);
        let arrows: usize = page.pictures.iter().map(|picture| picture.arrows().len()).sum();
        let panels = || page.pictures.iter().flat_map(|picture| picture.panels());
        let spans: usize = panels().map(|panel| panel.spans.len()).sum();
        assert_eq!((lines.len(), svg.matches("<polygon").count()), (arrows + spans, arrows), "{}", page.name);
        for panel in panels() {
            let labels = panel.patches.iter().map(|patch| patch.label);
            for label in labels.filter(|label| !label.is_empty()) {
                assert!(texts.iter().any(|text| text == label), "{} does not say `{label}`", page.name);
            }
            let is_title = |text: &String| text.split(", ").next() == Some(panel.role);
            assert!(texts.iter().any(is_title), "{} does not name {}", page.name, panel.role);
            for value in panel.values.iter().filter(|value| !value.is_nan()) {
                assert!(texts.iter().any(|text| *text == value.to_string()), "{}: {value}", page.name);
            }
        }
        assert!(svg.len() < 100_000);
    }
    assert_eq!(seen, 86);
}

#[test]
fn every_lane_step_and_edge_is_drawn() {
    let mut seen = 0;
    for (page, svg) in drawn_pages() {
        let shapes = drawn(&svg);
        let mut arrows: usize = page.pictures.iter().map(|picture| picture.arrows().len()).sum();
        for picture in page.pictures {
            let Drawing::Timeline { lanes, edges } = picture.drawing else { continue };
            seen += 1;
            // One arrow is the axis of time.
            arrows += edges.len() + 1;
            let steps = lanes.iter().flat_map(|lane| lane.steps).map(|step| step.label);
            let labels =
                steps.chain(lanes.iter().map(|lane| lane.name)).chain(edges.iter().map(|edge| edge.label));
            for label in labels.filter(|label| !label.is_empty()) {
                let is_label = |shape: &Drawn| matches!(shape, Drawn::Text { text, .. } if text == label);
                assert!(shapes.iter().any(is_label), "{} does not say `{label}`", page.name);
            }
        }
        let has_bits = page.pictures.iter().any(|picture| matches!(picture.drawing, Drawing::Bits { .. }));
        assert!(has_bits || svg.matches("<polygon").count() == arrows, "{}", page.name);
    }
    assert!(seen >= 15, "{seen}");
}

#[test]
fn every_bit_is_drawn() {
    let (page, svg) = drawn_pages().find(|(page, _)| page.name == "tcvt").expect("a picture");
    let digits = drawn(&svg).into_iter().filter_map(|shape| match shape {
        Drawn::Text { text, .. } if text == "0" || text == "1" => Some(text),
        _ => None,
    });
    let digits: String = digits.collect();
    let mut wanted = String::new();
    for picture in page.pictures {
        let Drawing::Bits { source, result } = picture.drawing else { continue };
        for word in [source, result] {
            let width = word.element.value_bits() as usize;
            wanted.push_str(&format!("{:0width$b}", word.bits));
        }
    }
    assert_eq!(digits, wanted);
}

#[test]
fn no_text_covers_another_or_leaves_the_picture() {
    for (page, svg) in drawn_pages() {
        texts_are_apart(&svg, page.name);
        assert_eq!(diagram(page).as_ref(), Some(&svg), "{}: equal each time", page.name);
        assert!(svg.contains("prefers-color-scheme: dark"), "{}", page.name);
    }
}

/// Each instruction without a picture has a reason for that, in one sentence.
#[test]
fn instructions_without_a_picture_move_no_elements_of_tiles() {
    for op in Op::all().filter(|op| op.instruction().is_some() && op.page().pictures.is_empty()) {
        let reason = reason(op);
        assert!(!reason.is_empty() && !reason.ends_with('.') && !reason.contains(". "), "{op}: {reason}");
    }
    assert!(reason(Op::SETFMATRIX).contains("register") && reason(Op::COMM_TTEST).contains("ranks"));
    assert!(reason(Op::ARITH_ADDI).contains("scalar"));
}

/// Without places, sources are on the left and destinations on the right.
#[test]
fn sources_stand_left_of_destinations_and_arrows_point_right() {
    let in_columns =
        |picture: &Picture| is_tiles(picture) && picture.panels().iter().all(|panel| panel.place.is_none());
    for (page, svg) in drawn_pages().filter(|(page, _)| page.pictures.iter().all(in_columns)) {
        for shape in drawn(&svg) {
            // Spans have six points, arrows two.
            if let Drawn::Polyline(points) = shape
                && let [from, to] = points[..]
            {
                assert!(to.0 - from.0 >= 100, "{}: {from:?} to {to:?}", page.name);
            }
        }
    }
}

#[test]
fn an_instruction_without_a_picture_is_told_apart() {
    let refused = |name: &str| {
        let output = command(&["explain", name, "--svg", "/nonexistent/x.svg"]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let message = refused("tadd");
    assert!(message.contains("no picture of `tadd`: each element of the result"), "{message}");
    assert!(message.contains("tinsert"), "{message}");
    let message = refused("comm.tbroadcast");
    assert!(message.contains("between ranks"), "{message}");
    assert_eq!(command(&["explain", "tinsert", "--svg", "/nonexistent/x.svg"]).status.code(), Some(2));
    assert_eq!(command(&["explain", "nothing", "--svg", "x.svg"]).status.code(), Some(2));
}
