//! Long lines in excerpts: types and repeated parts that no label points at are shortened, so that the line is readable.

use std::ops::Range;

/// Lines up to this many bytes are not shortened.
const WIDE: usize = 120;
/// Types up to this many bytes between their brackets are not shortened.
const SHORT: usize = 12;

/// A line of an excerpt, and the positions in it of the bytes of the original line.
pub(super) struct Line {
    pub(super) text: String,
    /// Parts that were left out: the range in the original line, and the number of bytes that replace it.
    cuts: Vec<(Range<usize>, usize)>,
}

impl Line {
    /// A line; if it is long, the parameters of types are left out, except those in `kept`.
    pub(super) fn of(line: &str, kept: &[Range<usize>]) -> Line {
        let mut short = Line { text: line.to_owned(), cuts: Vec::new() };
        if line.len() <= WIDE {
            return short;
        }
        const GAP: &str = "...";
        let (mut text, mut done) = (String::new(), 0);
        while let Some(at) = line[done..].find("!pto.") {
            let start = done + at;
            let Some(body) = body(line, start) else {
                text.push_str(&line[done..start + 1]);
                done = start + 1;
                continue;
            };
            let touched = kept.iter().any(|kept| kept.start < body.end && body.start < kept.end);
            // A label on the whole type keeps the type in sight without its parameters.
            let inside = kept.iter().any(|kept| body.start < kept.start || kept.end < body.end);
            text.push_str(&line[done..body.start]);
            if body.len() > SHORT && !(touched && inside) {
                text.push_str(GAP);
                short.cuts.push((body.clone(), GAP.len()));
            } else {
                text.push_str(&line[body.clone()]);
            }
            done = body.end;
        }
        text.push_str(&line[done..]);
        short.text = text;
        short
    }

    /// Column at which a byte of the original line is shown.
    pub(super) fn place(&self, at: usize) -> usize {
        let mut moved = at;
        for (cut, shown) in &self.cuts {
            if at >= cut.end {
                moved = moved + shown - cut.len();
            } else if at > cut.start {
                return moved - (at - cut.start);
            }
        }
        moved
    }
}

/// The range between the brackets of the type that begins at `start`, if it has brackets.
fn body(line: &str, start: usize) -> Option<Range<usize>> {
    let open = start + line[start..].find(|c: char| !c.is_ascii_alphanumeric() && !"!._".contains(c))?;
    if !line[open..].starts_with('<') {
        return None;
    }
    let mut depth = 0;
    for (at, byte) in line.bytes().enumerate().skip(open) {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + 1..at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_has_short_types_and_moved_labels() {
        let ty = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64>";
        let line = format!("pto.tadd ins(%a, %b : {ty}, {ty}) outs(%c : {ty})");
        let short = Line::of(&line, &[]);
        assert_eq!(
            short.text,
            "pto.tadd ins(%a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%c : !pto.tile_buf<...>)"
        );
        let at = line.find("%c").expect("an operand");
        assert!(short.text[short.place(at)..].starts_with("%c"));
        let rows = line.rfind("rows").expect("a parameter");
        let label = std::iter::once(rows..rows + 4).collect::<Vec<_>>();
        let kept = Line::of(&line, &label);
        assert!(kept.text[kept.place(rows)..].starts_with("rows=16"), "{}", kept.text);
        assert_eq!(Line::of("%a : !pto.tile_buf<vec, 16x64xf32, valid=?x?>", &[]).cuts.len(), 0);
    }
}
