//! Consistency of the pictures on all pages.

use pto_isa::op::picture::*;

use pto_isa::Op;
use pto_isa::element::Element;
use pto_isa::op::form::Syntax;
use pto_isa::op::{Page, Set};
use pto_num::Rounding;

/// Panels of queue pictures that are not operands.
const PARTS_OF_QUEUES: [&str; 3] = ["producer", "slots", "consumer"];

fn roles(page: &Page) -> Vec<&'static str> {
    match page.syntax {
        Syntax::Destination(forms) => {
            forms.iter().flat_map(|form| form.roles()).map(|role| role.name).collect()
        }
        Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => {
            kinds.iter().map(|(role, _)| *role).chain(["src", "result"]).chain(PARTS_OF_QUEUES).collect()
        }
    }
}

fn check_panel(panel: &Panel, name: &str) {
    let mut covered = vec![false; usize::from(panel.rows) * usize::from(panel.cols)];
    let cells = covered.len();
    assert!(panel.values.is_empty() || panel.values.len() == cells, "{name}: values of {}", panel.role);
    assert!(panel.values.is_empty() || panel.element.is_some(), "{name}: element type of {}", panel.role);
    for patch in panel.patches {
        for row in patch.at.0..patch.at.0 + patch.size.0 {
            for col in patch.at.1..patch.at.1 + patch.size.1 {
                assert!(row < panel.rows && col < panel.cols, "{name}: {patch:?} leaves {}", panel.role);
                let cell = &mut covered[usize::from(row) * usize::from(panel.cols) + usize::from(col)];
                assert!(!*cell, "{name}: {patch:?} overlaps another in {}", panel.role);
                *cell = true;
            }
        }
    }
    for span in panel.spans {
        let (from, to, limit) = match *span {
            Span::Rows(from, to, _) => (from, to, panel.rows),
            Span::Columns(from, to, _) => (from, to, panel.cols),
        };
        assert!(from < to && to <= limit, "{name}: {span:?} of {}", panel.role);
    }
}

/// Whether an arrow keeps a patch's size, transposes it, flattens it to a row, or spreads it along a side of
/// extent 1.
fn fits(from: (u8, u8), to: (u8, u8)) -> bool {
    let (rows, cols) = to;
    let spread = |a: u8, b: u8| a > 0 && b.is_multiple_of(a);
    let row = rows == 1 && from.0 * from.1 == cols;
    row || from == (cols, rows) || spread(from.0, rows) && spread(from.1, cols)
}

/// Checks that arrows begin at sources and end at destinations; where panels have places, they may also lead through
/// indices and parameters, and from many elements to one.
fn check_arrows(panels: &[Panel], arrows: &[Arrow], name: &str) {
    let is_placed = panels.iter().any(|panel| panel.place.is_some());
    for arrow in arrows {
        let [from, to] = [arrow.from, arrow.to].map(|(panel, patch)| {
            let panel = panels.get(usize::from(panel)).unwrap_or_else(|| panic!("{name}: {arrow:?}"));
            (panel, panel.patch(patch).unwrap_or_else(|| panic!("{name}: {arrow:?}")))
        });
        assert!(!from.0.is_written || from.0.role == "slots", "{name}: {arrow:?}");
        let parameter = from.1.paint == Paint::Parameter;
        assert!(is_placed || to.0.is_written, "{name}: {arrow:?}");
        assert!(is_placed || parameter || fits(from.1.size, to.1.size), "{name}: {arrow:?}");
    }
}

/// Whether the instruction has a destination; instructions that only set registers have nothing to draw.
fn writes(page: &Page) -> bool {
    match page.syntax {
        Syntax::Destination(forms) => forms.iter().any(|form| !form.outs.is_empty()),
        Syntax::Own(patterns, _) | Syntax::Code(patterns, _) => {
            patterns.iter().any(|pattern| pattern.contains("!type"))
        }
    }
}

/// Sets of which every instruction that writes a tile has a picture.
const DRAWN: [Set; 4] = [Set::Layout, Set::Expand, Set::Reduce, Set::Matmul];

#[test]
fn pictures_are_consistent() {
    for page in Op::all().map(Op::page) {
        let drawn = DRAWN.contains(&page.set) && writes(page) && page.name != "tget_scale_addr";
        assert!(!drawn || !page.pictures.is_empty(), "{}", page.name);
        for picture in page.pictures {
            let panels = picture.panels();
            panels.iter().for_each(|panel| check_panel(panel, page.name));
            let placed = panels.iter().filter(|panel| panel.place.is_some()).count();
            assert!(placed == 0 || placed == panels.len(), "{}: some panels have no place", page.name);
            for panel in panels {
                assert!(roles(page).contains(&panel.role), "{} has no {}", page.name, panel.role);
            }
            check_arrows(panels, picture.arrows(), page.name);
        }
    }
}

#[test]
fn steps_follow_each_other_and_edges_lead_forward_in_time() {
    let mut seen = 0;
    for page in Op::all().map(Op::page) {
        for picture in page.pictures {
            let Drawing::Timeline { lanes, edges } = picture.drawing else { continue };
            seen += 1;
            for lane in lanes {
                let mut now = 0;
                for step in lane.steps {
                    assert!(now <= step.time.0 && step.time.0 < step.time.1, "{}: {step:?}", page.name);
                    now = step.time.1;
                }
            }
            let step = |(lane, step): (u8, u8)| &lanes[usize::from(lane)].steps[usize::from(step)];
            for edge in edges {
                let (from, to) = (step(edge.from), step(edge.to));
                assert!(from.time.1 <= to.time.0, "{}: {edge:?}", page.name);
                assert_ne!(edge.from.0, edge.to.0, "{}: a lane is in order anyway", page.name);
            }
            // A lane waits until another one has come to the end of a step.
            for (number, lane) in lanes.iter().enumerate() {
                for wait in lane.steps.iter().filter(|step| step.doing == Doing::Waits) {
                    let mut others = lanes.iter().enumerate().filter(|(other, _)| *other != number);
                    let ends =
                        others.any(|(_, other)| other.steps.iter().any(|step| step.time.1 == wait.time.1));
                    assert!(ends, "{}: {} waits for nothing", page.name, lane.name);
                }
            }
        }
    }
    assert!(seen >= 15, "{seen}");
}

/// Slots hold an entry from the end of its push to the free after its pop, and no two at once.
#[test]
fn slots_hold_what_was_pushed_until_it_is_freed() {
    let page = Op::all().map(Op::page).find(|page| page.name == "tpush").expect("a page");
    let timeline = page.pictures.iter().find_map(|picture| match picture.drawing {
        Drawing::Timeline { lanes, .. } => Some(lanes),
        _ => None,
    });
    let lanes = timeline.expect("a timeline");
    let steps = || lanes.iter().flat_map(|lane| lane.steps);
    let end = lanes.iter().flat_map(|lane| lane.steps).map(|step| step.time.1).max();
    let find = |label: String| steps().find(|step| step.label == label);
    let holds: Vec<_> = steps().filter(|step| step.doing == Doing::Holds).collect();
    assert_eq!(holds.len(), 3);
    for held in holds {
        let push = find(format!("tpush {}", held.label)).expect("a push");
        assert_eq!(push.time.1, held.time.0, "{}", held.label);
        let Some(pop) = find(format!("tpop {}", held.label)) else {
            assert_eq!(Some(held.time.1), end, "{} stays", held.label);
            continue;
        };
        assert!(pop.time.0 >= push.time.1);
        let free = steps().find(|step| step.label == "tfree" && step.time.0 >= pop.time.1).expect("a free");
        assert_eq!(free.time.1, held.time.1, "{}", held.label);
    }
}

#[test]
fn fields_are_those_of_the_formats() {
    for element in Element::ALL {
        for bits in [0x35, 0x52, 0x0b, 0x64, 0x7f] {
            let word = Word::of("src", element, bits);
            let total: u32 = word.fields().iter().map(|field| field.width).sum();
            assert_eq!(total, element.value_bits(), "{element:?}");
            if let Some(fields) = element.fields() {
                let widths = [Part::Sign, Part::Exponent, Part::Mantissa].map(|part| word.width(part));
                assert_eq!(widths, [1, fields.exponent, fields.mantissa], "{element:?}");
            }
        }
    }
    // HiFloat8: the value of the fields as the format defines it, for every normal number.
    for bits in (0x08..0x6f).chain(0x70..0x80) {
        let word = Word::of("src", Element::HiF8, bits);
        let mantissa_bits = word.width(Part::Mantissa);
        let mantissa = bits & ((1 << mantissa_bits) - 1);
        let width = word.width(Part::Exponent);
        let field = (bits >> mantissa_bits & ((1 << width) - 1)) as i32;
        let exponent = match width {
            0 => 0,
            _ => {
                let top = 1 << (width - 1);
                let magnitude = top + (field & (top - 1));
                if field & top == 0 { magnitude } else { -magnitude }
            }
        };
        let value = (1.0 + mantissa as f64 / f64::from(1 << mantissa_bits)) * 2f64.powi(exponent);
        assert_eq!(Element::HiF8.decode(bits), value, "{bits:#x}");
    }
}

#[test]
fn bits_become_what_the_conversion_makes_of_them() {
    let mut seen = 0;
    for page in Op::all().map(Op::page) {
        for picture in page.pictures {
            let Drawing::Bits { source, result } = picture.drawing else { continue };
            seen += 1;
            let (from, to) = (source.element, result.element);
            let convert = |bits| pto_num::convert_one(from, to, Rounding::NearestEven, true, bits);
            assert_eq!(convert(source.bits), Some(result.bits), "{}", picture.caption);
            // The bits that are kept alone fit exactly: they are the neighbour toward 0.
            let dropped = source.width(Part::Mantissa) - kept(&source, &result);
            assert!(dropped > 0, "{}: nothing is dropped", picture.caption);
            let cut = source.bits >> dropped << dropped;
            let neighbour = convert(cut).expect("a conversion");
            assert_eq!(to.decode(neighbour), from.decode(cut), "{}", picture.caption);
            let is_away = rounds_away(&source, &result);
            assert_eq!(is_away, neighbour != result.bits, "{}", picture.caption);
            // Only a set first dropped bit rounds away, as the picture shows.
            let round_bit = source.bits >> (dropped - 1) & 1;
            assert!(is_away <= (round_bit == 1), "{}", picture.caption);
        }
    }
    assert_eq!(seen, 6);
}
