//! Pictures of memory: addresses from top to bottom, time to the right, a rectangle for each piece of memory while it is in use.
//!
//! The caller gives the contents as plain data: [`Chart`]s with [`Block`]s. Nothing here depends on programs or passes.

use super::diagram::{LINE, MARGIN, TITLE, key};
use super::svg::{Anchor, Area, INK, Letters, Stroke, Svg};

/// Pixels from the left edge to the first moment: room for addresses.
const LEFT: i32 = MARGIN + 72;
/// Width of the time axis, in pixels.
const WIDTH: i32 = 760;
/// Height of the addresses of one chart, in pixels.
const HEIGHT: i32 = 300;
/// Smallest height in pixels of a rectangle with a name.
const NAMED: i32 = 13;
/// Most numbered moments on the time axis.
const MOMENTS: usize = 12;
const NAME: Letters = Letters::plain(11, Anchor::Start).mono();
const TICK: Letters = Letters::plain(11, Anchor::End).faint();
const RAIL: Stroke = Stroke::of("#8c959f", 1.0);
const PEAK: Stroke = Stroke::of("#0969da", 1.4);
const LIMIT: Stroke = Stroke::of("#cf222e", 1.6).dashed();

/// Pieces of memory of one buffer, over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Title: the buffer and the function.
    pub title: String,
    /// The pieces.
    pub blocks: Vec<Block>,
    /// Lines across the whole time, such as the peak and the capacity.
    pub marks: Vec<Mark>,
    /// Number of moments; those of blocks are lower.
    pub moments: usize,
    /// The moments that have labels on the time axis, such as line numbers, ascending.
    pub labels: Vec<(usize, String)>,
}

/// A piece of memory while it is in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Name; empty for a piece drawn on top of named ones.
    pub name: String,
    /// First byte.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// First and last moment of its use.
    pub time: (usize, usize),
    /// Index of its kind among the [`Kind`]s of the picture.
    pub kind: usize,
}

/// A kind of pieces: its colour, and its word in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The word in the legend.
    pub word: &'static str,
    /// The fill colour, light enough for dark text.
    pub color: &'static str,
}

/// An address that is marked by a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The address in bytes.
    pub address: u64,
    /// Text of the label.
    pub label: String,
    /// Whether nothing may lie beyond it.
    pub is_limit: bool,
}

/// The charts, one below the other, with a legend of the kinds that occur.
pub fn memory(title: &str, charts: &[Chart], kinds: &[Kind]) -> String {
    let mut svg = Svg::default();
    svg.text(MARGIN, 30, Letters::plain(20, Anchor::Start).bold(), title);
    let mut y = 44;
    for chart in charts {
        y = draw(&mut svg, chart, kinds, y);
    }
    if charts.iter().all(|chart| chart.blocks.is_empty()) {
        svg.text(MARGIN, y + LINE, Letters::plain(12, Anchor::Start), "no tile has memory of its own");
        y += LINE;
    }
    y = legend(&mut svg, charts, kinds, y + 6);
    let width = svg.right().max(LEFT + WIDTH) + MARGIN;
    svg.finish(width, y + MARGIN, title)
}

/// From addresses and moments to pixels.
struct Scale {
    top: i32,
    /// The address at the lower edge.
    end: u64,
    moments: usize,
}

impl Scale {
    fn of(chart: &Chart, top: i32) -> Scale {
        let ends = chart.blocks.iter().map(|block| block.address.saturating_add(block.bytes));
        let marks = chart.marks.iter().map(|mark| mark.address);
        let end = ends.clone().chain(marks).max().unwrap_or(0);
        // A nearly empty buffer is drawn with 4/3 of its used bytes; its limit is then only named.
        let used = ends.max().unwrap_or(0).max(1);
        let end = if end / 4 > used { used.saturating_mul(4) / 3 } else { end };
        Scale { top, end: end.max(1), moments: chart.moments.max(1) }
    }

    /// The pixel of an address, which is at most at the lower edge.
    fn y(&self, address: u64) -> i32 {
        let address = u128::from(address.min(self.end));
        self.top + (address * HEIGHT as u128 / u128::from(self.end)) as i32
    }

    /// The pixel at which a moment begins.
    fn x(&self, moment: usize) -> i32 {
        let moment = moment.min(self.moments) as u128;
        LEFT + (moment * WIDTH as u128 / self.moments as u128) as i32
    }

    fn area(&self, block: &Block) -> Area {
        let (x, y) = (self.x(block.time.0), self.y(block.address));
        let width = (self.x(block.time.1.saturating_add(1)) - x).max(1);
        let height = (self.y(block.address.saturating_add(block.bytes)) - y).max(1);
        Area { x, y, width, height }
    }
}

/// Draws a chart from `top` on; returns its lower edge.
fn draw(svg: &mut Svg, chart: &Chart, kinds: &[Kind], top: i32) -> i32 {
    svg.text(MARGIN, top + LINE, TITLE, &chart.title);
    let scale = Scale::of(chart, top + LINE + 22);
    let bottom = scale.y(scale.end);
    svg.path(&[(LEFT, scale.top), (LEFT, bottom), (LEFT + WIDTH, bottom)], RAIL);
    let color = |block: &Block| kinds.get(block.kind).map_or("#ffffff", |kind| kind.color);
    let areas: Vec<(Area, &Block)> = chart.blocks.iter().map(|block| (scale.area(block), block)).collect();
    svg.cells(Stroke::of(INK, 0.6), areas.iter().map(|(area, block)| (*area, color(block))));
    names(svg, &areas);
    marks(svg, chart, &scale);
    times(svg, chart, &scale, bottom);
    bottom + 2 * LINE
}

/// Writes names into the rectangles that are large enough, only once for each name, and none on another one.
fn names(svg: &mut Svg, areas: &[(Area, &Block)]) {
    let mut named: Vec<&str> = Vec::new();
    let mut labels = Vec::new();
    for (area, block) in areas.iter().filter(|(_, block)| !block.name.is_empty()) {
        let label = format!("{} {}", block.name, block.bytes);
        let fits = |text: &str| area.height >= NAMED && NAME.width(text) + 6 <= area.width;
        let text = [label.as_str(), block.name.as_str()].into_iter().find(|text| fits(text));
        if let Some(text) = text.filter(|_| !named.contains(&block.name.as_str())) {
            let (x, y) = (area.x + 3, area.y + area.height / 2 + 4);
            let is_over = |(at, below, other): &(i32, i32, String)| {
                (y - below).abs() < NAMED && x < at + NAME.width(other) && *at < x + NAME.width(text)
            };
            if !labels.iter().any(is_over) {
                named.push(&block.name);
                labels.push((x, y, text.to_owned()));
            }
        }
    }
    svg.labels(NAME, labels);
}

/// Draws the marked addresses, and zero.
fn marks(svg: &mut Svg, chart: &Chart, scale: &Scale) {
    svg.text(LEFT - 6, scale.top + 4, TICK, "0");
    let mut taken = vec![scale.top];
    let mut marks: Vec<&Mark> = chart.marks.iter().collect();
    marks.sort_by_key(|mark| (mark.address, mark.is_limit));
    for mark in marks {
        let is_drawn = mark.address <= scale.end;
        let y = scale.y(mark.address);
        if is_drawn {
            let stroke = if mark.is_limit { LIMIT } else { PEAK };
            svg.path(&[(LEFT, y), (LEFT + WIDTH, y)], stroke);
        }
        // Labels of addresses that are close together go below each other.
        let mut text = y;
        while taken.iter().any(|other| (other - text).abs() < 13) {
            text += 13;
        }
        taken.push(text);
        svg.text(LEFT - 6, text + 4, TICK, &mark.address.to_string());
        let beyond = if is_drawn { "" } else { ", not drawn" };
        let label = format!("{}{beyond}", mark.label);
        svg.text(LEFT + WIDTH + 6, text + 4, Letters::plain(11, Anchor::Start).faint(), &label);
    }
}

/// Writes labels below the time axis, as many as fit.
fn times(svg: &mut Svg, chart: &Chart, scale: &Scale, bottom: i32) {
    let every = chart.labels.len().div_ceil(MOMENTS).max(1);
    let letters = Letters::plain(11, Anchor::Start).faint();
    let mut right = 0;
    for (moment, label) in chart.labels.iter().step_by(every) {
        let x = scale.x(*moment);
        if x >= right && x + letters.width(label) <= LEFT + WIDTH {
            svg.path(&[(x, bottom), (x, bottom + 4)], RAIL);
            svg.text(x, bottom + 15, letters, label);
            right = x + letters.width(label) + 8;
        }
    }
}

/// Draws the meanings of the colours that occur; returns the lower edge.
fn legend(svg: &mut Svg, charts: &[Chart], kinds: &[Kind], y: i32) -> i32 {
    let occurs = |at: &usize| charts.iter().flat_map(|chart| &chart.blocks).any(|block| block.kind == *at);
    let mut x = MARGIN;
    for kind in (0..kinds.len()).filter(occurs).map(|at| &kinds[at]) {
        x = key(svg, x, y, kind.color, kind.word) + 20;
    }
    y + LINE
}
