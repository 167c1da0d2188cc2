//! Bits of a converted number: its fields, the bits that are kept, and the bit that decides the rounding.

use super::diagram::{EDGE, FRAME, LINE, MARGIN, TITLE, WORDS, fill, key, on_paper};
use super::svg::{Anchor, Area, Letters, Stroke, Svg};
use pto::isa::element::{Element, element_word};
use pto::isa::op::picture::{Paint, Part, Word, kept, rounds_away};

/// Width and height of a bit in pixels.
const BIT: (i32, i32) = (20, 24);
/// Pixels between the two numbers.
const GAP: i32 = 64;
const MEASURE: Stroke = Stroke::of("#57606a", 1.0);

fn color(part: Part) -> &'static str {
    match part {
        Part::Sign => fill(Paint::Parameter),
        Part::Prefix => fill(Paint::Unchanged),
        Part::Exponent => fill(Paint::Second),
        Part::Mantissa | Part::Integer => fill(Paint::First),
    }
}

/// The bits of a word as text, the highest first.
fn digits(word: &Word) -> Vec<char> {
    let width = word.fields().iter().map(|field| field.width).sum::<u32>() as usize;
    format!("{:0width$b}", word.bits).chars().collect()
}

/// The field with a meaning as text.
fn digits_of(word: &Word, part: Part) -> String {
    let mut at = 0;
    for field in word.fields() {
        let width = field.width as usize;
        if field.part == part {
            return digits(word)[at..at + width].iter().collect();
        }
        at += width;
    }
    String::new()
}

/// Left and right edge of a field in pixels, if the word has it.
fn span(word: &Word, left: i32, part: Part) -> Option<(i32, i32)> {
    let mut x = left;
    for field in word.fields() {
        let next = x + BIT.0 * field.width as i32;
        if field.part == part {
            return Some((x, next));
        }
        x = next;
    }
    None
}

/// Draws both numbers from `top` on; returns the right and lower edge.
pub(super) fn draw(svg: &mut Svg, source: &Word, result: &Word, top: i32) -> (i32, i32) {
    let kept = kept(source, result);
    let first = heading(svg, source, top);
    let second = first + BIT.1 + GAP;
    links(svg, source, first + BIT.1, result, second, kept);
    bits(svg, source, first, kept);
    bits(svg, result, second, u32::MAX);
    dropped(svg, source, first, kept);
    let mut y = heading(svg, result, second + BIT.1 + 6) + LINE;
    for line in reasons(source, result, kept) {
        svg.text(MARGIN, y, WORDS, &line);
        y += LINE;
    }
    (MARGIN + BIT.0 * digits(source).len().max(digits(result).len()) as i32, y - LINE)
}

/// Draws the operand, its format and value, and the legend of its fields; returns the lower edge.
fn heading(svg: &mut Svg, word: &Word, top: i32) -> i32 {
    let value = match word.element {
        // The shortest decimal that is this f32 and no other.
        Element::F32 => (word.element.decode(word.bits) as f32).to_string(),
        _ => word.element.decode(word.bits).to_string(),
    };
    let text = format!("{}, {}: {value}", word.role, element_word(word.element));
    svg.text(MARGIN, top + 12, TITLE, &text);
    let mut x = MARGIN + TITLE.width(&text) + 30;
    for field in word.fields() {
        let unit = if field.width == 1 { "bit" } else { "bits" };
        x = key(svg, x, top, color(field.part), &format!("{}: {} {unit}", field.part.word(), field.width))
            + 16;
    }
    top + LINE + 2
}

/// Draws the bits of a word; mantissa bits after the first `kept` are marked.
fn bits(svg: &mut Svg, word: &Word, top: i32, kept: u32) {
    let digits = digits(word);
    let mut colors = Vec::new();
    for field in word.fields() {
        for at in 0..field.width {
            let is_dropped = field.part == Part::Mantissa && at >= kept;
            colors.push(match (is_dropped, at == kept) {
                (false, _) => color(field.part),
                (true, true) => fill(Paint::Fill),
                (true, false) => fill(Paint::Unread),
            });
        }
    }
    let area = |at: usize| Area { x: MARGIN + BIT.0 * at as i32, y: top, width: BIT.0, height: BIT.1 };
    svg.cells(EDGE, colors.iter().enumerate().map(|(at, color)| (area(at), *color)));
    let label = |(at, digit): (usize, &char)| (area(at).x + BIT.0 / 2, top + 16, digit.to_string());
    svg.labels(Letters::plain(12, Anchor::Middle).mono(), digits.iter().enumerate().map(label));
    let mut x = MARGIN;
    for field in word.fields() {
        let width = BIT.0 * field.width as i32;
        svg.rect(Area { x, y: top, width, height: BIT.1 }, "none", Some(FRAME));
        x += width;
    }
}

/// Draws which field becomes which, from the lower edge `top` of `source` to the upper edge `bottom` of `result`.
fn links(svg: &mut Svg, source: &Word, top: i32, result: &Word, bottom: i32, kept: u32) {
    for part in [Part::Sign, Part::Exponent, Part::Mantissa] {
        let Some((left, right)) = span(source, MARGIN, part) else { continue };
        let right = if part == Part::Mantissa { left + BIT.0 * kept as i32 } else { right };
        let to = match (part, span(result, MARGIN, part), span(result, MARGIN, Part::Integer)) {
            (_, Some(to), _) => to,
            // The leading one, which is not stored, and the bits before the point.
            (Part::Mantissa, None, Some((_, end))) => (end - BIT.0 * (kept as i32 + 1), end),
            _ => continue,
        };
        svg.band([(left, top), (right, top), (to.1, bottom), (to.0, bottom)], color(part));
    }
    let Some((left, right)) = span(source, MARGIN, Part::Exponent) else { return };
    let (from, to) = (source.element.fields(), result.element.fields());
    if let Some((from, to)) = from.zip(to) {
        let stored = u64::from_str_radix(&digits_of(source, Part::Exponent), 2).unwrap_or_default() as i32;
        let text = match from.bias == to.bias {
            true => format!("{stored}: the bias stays {}", to.bias),
            false => format!("{stored} - {} + {} = {}", from.bias, to.bias, stored - from.bias + to.bias),
        };
        on_paper(svg, (left + right) / 2, top + 18, Letters::plain(12, Anchor::Middle), &text);
    }
}

/// Draws a bracket below the bits that are dropped.
fn dropped(svg: &mut Svg, source: &Word, top: i32, kept: u32) {
    let Some((left, right)) = span(source, MARGIN, Part::Mantissa) else { return };
    let from = left + BIT.0 * kept as i32;
    if from >= right {
        return;
    }
    let (y, tick) = (top + BIT.1 + 8, 4);
    svg.path(
        &[(from + 1, y - tick), (from + 1, y), (from + BIT.0 - 1, y), (from + BIT.0 - 1, y - tick)],
        MEASURE,
    );
    svg.text(from + 2, y + 14, WORDS, "round bit, then dropped bits");
}

/// Why the result is this neighbour of the source, in words.
fn reasons(source: &Word, result: &Word, kept: u32) -> Vec<String> {
    let mantissa = digits_of(source, Part::Mantissa);
    let (head, tail) = mantissa.split_at(mantissa.len().min(kept as usize));
    let mut lines = Vec::new();
    if result.width(Part::Integer) > 0 {
        lines.push(format!("1.{mantissa} times 2 to the power of {kept} is 1{head}.{tail} in binary."));
    }
    let neighbour =
        if rounds_away(source, result) { "away from 0: 1 is added" } else { "toward 0: the bits are cut" };
    let is_set = tail.starts_with('1');
    let is_more = tail.get(1..).is_some_and(|rest| rest.contains('1'));
    lines.push(match (is_set, is_more) {
        (false, false) => "No bit is lost.".to_owned(),
        (false, true) => format!("The round bit is 0: the nearest neighbour is {neighbour}."),
        (true, true) => format!("The round bit is 1, and so is a later bit: the nearest neighbour is {neighbour}."),
        (true, false) => format!("The round bit is 1 and no later bit is: a tie, which goes to the even neighbour, here {neighbour}."),
    });
    lines
}
