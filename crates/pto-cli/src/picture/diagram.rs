//! Diagrams of operations: the pictures of a page, one below the other.

use super::svg::{Anchor, Area, INK, Letters, PAPER, Stroke, Svg};
use super::{bits, tiles, timeline};
use pto::isa::op::Page;
use pto::isa::op::picture::{Drawing, Paint, Picture};

pub(super) const MARGIN: i32 = 16;
/// Distance of two lines of text.
pub(super) const LINE: i32 = 18;
pub(super) const TITLE: Letters = Letters::plain(13, Anchor::Start).bold();
pub(super) const WORDS: Letters = Letters::plain(12, Anchor::Start);
pub(super) const EDGE: Stroke = Stroke::of("#8c959f", 0.5);
pub(super) const FRAME: Stroke = Stroke::of(INK, 1.4);
pub(super) const ARROW: Stroke = Stroke::of("#cf222e", 1.8);
/// Width of a line of text in pixels.
const TEXT_WIDTH: i32 = 700;

/// The colour of a patch; all are light enough for dark text.
pub(super) fn fill(paint: Paint) -> &'static str {
    match paint {
        Paint::First => "#cfe4ff",
        Paint::Second => "#ffd9a0",
        Paint::Parameter => "#e2d4f7",
        Paint::Result => "#c8ecd0",
        Paint::Fill => "#f7c6c7",
        Paint::Unchanged => "#f6f0d0",
        Paint::Outside => "#d8dde3",
        Paint::Unread => "#f0f2f5",
        Paint::Others => "#ffffff",
    }
}

/// Upper bound of the width in pixels of a 12-pixel text.
pub(super) fn width_of(text: &str) -> i32 {
    WORDS.width(text)
}

/// The pictures of an operation, one below the other; `None` if its page has none.
pub fn diagram(page: &Page) -> Option<String> {
    if page.pictures.is_empty() {
        return None;
    }
    let mut svg = Svg::default();
    let title = page.name.to_uppercase();
    svg.text(MARGIN, 30, Letters::plain(20, Anchor::Start).bold(), &title);
    let mut y = paragraph(&mut svg, 52 - LINE, WORDS, page.summary);
    y = paragraph(&mut svg, y, WORDS.mono(), page.formula) + LINE;
    let mut width = 480;
    for picture in page.pictures {
        let (right, bottom) = one(&mut svg, picture, y + 14);
        (width, y) = (width.max(right), bottom);
    }
    let width = width.max(svg.right());
    Some(svg.finish(width + MARGIN, y + MARGIN, &format!("{title} diagram")))
}

/// Writes text in lines of bounded length below `y`; returns the baseline of the last one.
fn paragraph(svg: &mut Svg, mut y: i32, letters: Letters, text: &str) -> i32 {
    for line in wrapped(letters, text) {
        y += LINE;
        svg.text(MARGIN, y, letters, &line);
    }
    y
}

/// Breaks text into lines of bounded width.
fn wrapped(letters: Letters, text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && letters.width(last) + letters.width(word) > TEXT_WIDTH {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// Draws one picture from `top` on; returns its right and lower edge.
fn one(svg: &mut Svg, picture: &Picture, top: i32) -> (i32, i32) {
    let mut y = paragraph(svg, top + 14 - LINE, Letters::plain(14, Anchor::Start).bold(), picture.caption);
    if !picture.attributes.is_empty() {
        y = paragraph(svg, y, WORDS.mono(), &format!("{{{}}}", picture.attributes));
    }
    let (right, mut bottom) = match picture.drawing {
        Drawing::Tiles { panels, arrows } => tiles::draw(svg, panels, arrows, y + LINE),
        Drawing::Timeline { lanes, edges } => timeline::draw(svg, lanes, edges, y + LINE),
        Drawing::Bits { source, result } => bits::draw(svg, &source, &result, y + LINE),
    };
    if !picture.note.is_empty() {
        bottom = paragraph(svg, bottom, WORDS.faint(), picture.note);
    }
    (right, bottom + 10)
}

/// Draws a text on a background that hides the lines below it.
pub(super) fn on_paper(svg: &mut Svg, x: i32, y: i32, letters: Letters, text: &str) {
    if text.is_empty() {
        return;
    }
    let width = letters.width(text);
    let left = match letters.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2,
        Anchor::End => x - width,
    };
    svg.rect(Area { x: left - 1, y: y - 11, width: width + 2, height: 14 }, PAPER, None);
    svg.text(x, y, letters, text);
}

/// Draws a line of a legend: a coloured field and a word; returns the right edge.
pub(super) fn key(svg: &mut Svg, x: i32, y: i32, color: &str, word: &str) -> i32 {
    svg.rect(Area { x, y: y + 2, width: 18, height: 12 }, color, Some(EDGE));
    svg.text(x + 24, y + 12, WORDS, word);
    x + 24 + width_of(word)
}
