//! Timelines: lanes from top to bottom, time to the right.

use super::diagram::{ARROW, LINE, MARGIN, TITLE, WORDS, fill, key, on_paper};
use super::svg::{Anchor, Area, INK, Letters, PAPER, Stroke, Svg};
use pto::isa::op::picture::{Doing, Edge, Lane, Paint, Step};

/// Pixels for one unit of time.
const UNIT: i32 = 14;
const STEP: i32 = 26;
/// Pixels from one lane to the next.
const PITCH: i32 = 52;
const BOX: Stroke = Stroke::of(INK, 1.0);
const RAIL: Stroke = Stroke::of("#8c959f", 1.0);

fn color(doing: Doing) -> &'static str {
    match doing {
        Doing::Works => fill(Paint::First),
        Doing::Synchronizes => fill(Paint::Parameter),
        Doing::Waits => PAPER,
        Doing::Holds => fill(Paint::Second),
    }
}

/// The area of a step of lane `number`.
fn area(left: i32, top: i32, number: usize, step: &Step) -> Area {
    let (from, to) = (i32::from(step.time.0), i32::from(step.time.1));
    Area { x: left + UNIT * from, y: top + PITCH * number as i32, width: UNIT * (to - from), height: STEP }
}

/// Draws a timeline from `top` on; returns its right and lower edge.
pub(super) fn draw(svg: &mut Svg, lanes: &[Lane], edges: &[Edge], top: i32) -> (i32, i32) {
    let names = lanes.iter().map(|lane| TITLE.width(lane.name)).max().unwrap_or(0);
    let left = MARGIN + names + 14;
    let end = lanes.iter().flat_map(|lane| lane.steps).map(|step| step.time.1).max().unwrap_or(0);
    let right = left + UNIT * i32::from(end) + 24;
    for (number, lane) in lanes.iter().enumerate() {
        let middle = top + PITCH * number as i32 + STEP / 2;
        svg.text(MARGIN, middle + 4, TITLE, lane.name);
        svg.path(&[(left - 6, middle), (right, middle)], RAIL);
        lane.steps.iter().for_each(|step| draw_step(svg, area(left, top, number, step), step));
    }
    let find = |(lane, step): (u8, u8)| {
        let found = lanes.get(usize::from(lane))?.steps.get(usize::from(step))?;
        Some(area(left, top, usize::from(lane), found))
    };
    for edge in edges {
        let Some((from, to)) = find(edge.from).zip(find(edge.to)) else { continue };
        draw_edge(svg, from, to, edge.label);
    }
    let axis = top + PITCH * lanes.len() as i32 - 6;
    svg.arrow(&[(left, axis), (right, axis)], RAIL);
    svg.text(MARGIN, axis + 4, WORDS.faint(), "time");
    legend(svg, lanes, left, axis + 8);
    (right, axis + 8 + LINE)
}

fn draw_step(svg: &mut Svg, area: Area, step: &Step) {
    let stroke = if step.doing == Doing::Waits { BOX.dashed() } else { BOX };
    svg.rect(area, color(step.doing), Some(stroke));
    let middle = (area.x + area.width / 2, area.y + area.height / 2 + 4);
    svg.text(middle.0, middle.1, Letters::plain(12, Anchor::Middle), step.label);
}

/// Draws the order from the end of one step to the begin of another.
fn draw_edge(svg: &mut Svg, from: Area, to: Area, label: &str) {
    let is_down = to.y > from.y;
    let start = (from.x + from.width - 5, if is_down { from.y + from.height } else { from.y });
    let tip = (to.x + 7, if is_down { to.y } else { to.y + to.height });
    svg.arrow(&[start, tip], ARROW);
    let (x, y) = ((start.0 + tip.0) / 2 + 8, (start.1 + tip.1) / 2 + 4);
    on_paper(svg, x, y, WORDS, label);
}

/// Draws the meanings of the colours that occur, in a line.
fn legend(svg: &mut Svg, lanes: &[Lane], mut x: i32, y: i32) {
    let mut kinds: Vec<Doing> = lanes.iter().flat_map(|lane| lane.steps).map(|step| step.doing).collect();
    kinds.sort_unstable();
    kinds.dedup();
    // Waits are labelled in the picture.
    for doing in kinds.into_iter().filter(|doing| *doing != Doing::Waits) {
        x = key(svg, x, y, color(doing), doing.word()) + 20;
    }
}
