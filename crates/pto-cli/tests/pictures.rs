//! `pto explain NAME --svg FILE`: every tile, patch and arrow of a picture is drawn, and nothing else.

mod support;

use pto::isa::Op;
use pto::isa::op::form::Syntax;
use pto::isa::op::picture::{Paint, Picture};
use pto::isa::op::{Page, Set};
use pto_cli::picture::diagram;
use std::collections::BTreeMap;
use support::{Drawn, command, drawn};

/// Number of cells of each kind.
fn expected(pictures: &[Picture]) -> Vec<usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for panel in pictures.iter().flat_map(|picture| picture.panels) {
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

#[test]
fn every_cell_label_and_arrow_is_drawn() {
    let mut seen = 0;
    for page in Op::all().map(Op::page) {
        let Some(svg) = diagram(page) else {
            let drawn = matches!(page.set, Set::Layout | Set::Expand) && !sets_registers(page);
            assert!(!drawn, "{} has no picture", page.name);
            continue;
        };
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
        let arrows: usize = page.pictures.iter().map(|picture| picture.arrows.len()).sum();
        let spans: usize =
            page.pictures.iter().flat_map(|picture| picture.panels).map(|panel| panel.spans.len()).sum();
        assert_eq!((lines.len(), svg.matches("<polygon").count()), (arrows + spans, arrows), "{}", page.name);
        for panel in page.pictures.iter().flat_map(|picture| picture.panels) {
            let labels = panel.patches.iter().map(|patch| patch.label);
            for label in labels.chain([panel.role]).filter(|label| !label.is_empty()) {
                assert!(texts.iter().any(|text| text == label), "{} does not say `{label}`", page.name);
            }
        }
        assert!(svg.len() < 100_000);
    }
    assert_eq!(seen, 41);
}

#[test]
fn sources_stand_left_of_destinations_and_arrows_point_right() {
    for page in Op::all().map(Op::page) {
        let Some(svg) = diagram(page) else { continue };
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
    let output = command(&["explain", "tadd", "--svg", "/nonexistent/x.svg"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("no picture of `tadd`") && message.contains("tinsert"), "{message}");
    assert_eq!(command(&["explain", "tinsert", "--svg", "/nonexistent/x.svg"]).status.code(), Some(1));
    assert_eq!(command(&["explain", "nothing", "--svg", "x.svg"]).status.code(), Some(2));
}
