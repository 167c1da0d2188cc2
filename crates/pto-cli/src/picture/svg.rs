//! The shapes of the pictures, written as SVG 1.1.

use std::fmt::Write;

/// Dark text; readable on every fill of the pictures.
pub(super) const INK: &str = "#1f2328";
/// Secondary text.
pub(super) const FAINT: &str = "#57606a";
/// Background of every picture.
pub(super) const PAPER: &str = "#ffffff";
/// Swaps light and dark for readers who prefer dark pages; hues stay.
const DARK: &str = "@media (prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg) } }";

/// Horizontal anchor of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Style of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    pub(super) size: i32,
    pub(super) anchor: Anchor,
    pub(super) color: &'static str,
    pub(super) bold: bool,
    pub(super) mono: bool,
    /// Whether other text may be on top of it.
    pub(super) pale: bool,
}

impl Letters {
    /// Regular text of a size in pixels.
    pub(super) const fn plain(size: i32, anchor: Anchor) -> Letters {
        Letters { size, anchor, color: INK, bold: false, mono: false, pale: false }
    }

    /// Bold text.
    pub(super) const fn bold(self) -> Letters {
        Letters { bold: true, ..self }
    }

    /// Secondary text.
    pub(super) const fn faint(self) -> Letters {
        Letters { color: FAINT, ..self }
    }

    /// Text in the background.
    pub(super) const fn pale(self) -> Letters {
        Letters { pale: true, ..self }
    }

    /// Monospaced text.
    pub(super) const fn mono(self) -> Letters {
        Letters { mono: true, ..self }
    }

    /// Upper bound of the width of a text in pixels.
    pub(super) fn width(&self, text: &str) -> i32 {
        let per_mille = match (self.bold, self.mono) {
            (true, _) => 645,
            (false, true) => 605,
            (false, false) => 584,
        };
        (text.chars().count() as i32 * self.size * per_mille + 999) / 1000
    }

    /// The right edge of a text at `x`.
    fn right(&self, x: i32, text: &str) -> i32 {
        match self.anchor {
            Anchor::Start => x + self.width(text),
            Anchor::Middle => x + self.width(text) / 2,
            Anchor::End => x,
        }
    }

    fn attributes(&self) -> String {
        let anchor = match self.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if self.bold { " font-weight=\"bold\"" } else { "" };
        let opacity = if self.pale { " fill-opacity=\"0.15\"" } else { "" };
        let family = if self.mono { "monospace" } else { "sans-serif" };
        format!(
            "font-family=\"{family}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}{opacity}",
            self.size, self.color
        )
    }
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// Style of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) color: &'static str,
    pub(super) width: f32,
    pub(super) dashed: bool,
}

impl Stroke {
    /// A line of a colour and a width in pixels.
    pub(super) const fn of(color: &'static str, width: f32) -> Stroke {
        Stroke { color, width, dashed: false }
    }

    /// A dashed stroke.
    pub(super) const fn dashed(self) -> Stroke {
        Stroke { dashed: true, ..self }
    }

    fn attributes(&self) -> String {
        let dashes = if self.dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        format!("stroke=\"{}\" stroke-width=\"{}\"{dashes}", self.color, self.width)
    }
}

/// A picture under construction.
#[derive(Debug, Default)]
pub(super) struct Svg {
    body: String,
    /// The right edge of the texts so far.
    right: i32,
}

impl Svg {
    /// A filled rectangle.
    pub(super) fn rect(&mut self, area: Area, fill: &str, stroke: Option<Stroke>) {
        let Area { x, y, width, height } = area;
        let line = stroke.map_or(String::new(), |stroke| format!(" {}", stroke.attributes()));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"{line}/>"
        );
    }

    /// Draws many rectangles with one line style.
    pub(super) fn cells<'a>(&mut self, stroke: Stroke, cells: impl IntoIterator<Item = (Area, &'a str)>) {
        let _ = writeln!(self.body, "<g {}>", stroke.attributes());
        for (area, fill) in cells {
            self.rect(area, fill, None);
        }
        self.body.push_str("</g>\n");
    }

    /// Draws many short texts of one style, centered on their points.
    pub(super) fn labels(&mut self, letters: Letters, labels: impl IntoIterator<Item = (i32, i32, String)>) {
        let _ = writeln!(self.body, "<g {}>", letters.attributes());
        for (x, y, label) in labels {
            self.right = self.right.max(letters.right(x, &label));
            let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(&label));
        }
        self.body.push_str("</g>\n");
    }

    /// Draws a line of text with its baseline at `y`.
    pub(super) fn text(&mut self, x: i32, y: i32, letters: Letters, text: &str) {
        self.right = self.right.max(letters.right(x, text));
        let (look, text) = (letters.attributes(), escape(text));
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\" {look}>{text}</text>");
    }

    /// Draws a line through points.
    pub(super) fn path(&mut self, points: &[(i32, i32)], stroke: Stroke) {
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke-opacity=\"0.6\" {}/>",
            points.join(" "),
            stroke.attributes()
        );
    }

    /// A pale band with four corners.
    pub(super) fn band(&mut self, corners: [(i32, i32); 4], color: &str) {
        let corners = corners.map(|(x, y)| format!("{x},{y}")).join(" ");
        let _ = writeln!(self.body, "<polygon points=\"{corners}\" fill=\"{color}\" fill-opacity=\"0.55\"/>");
    }

    /// Draws a path with an arrowhead at its end.
    pub(super) fn arrow(&mut self, points: &[(i32, i32)], stroke: Stroke) {
        self.path(points, stroke);
        let [.., from, to] = points else { return };
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let corner = |side: f64| {
            let (back, wide) = (9.0, 4.0 * side);
            let x = f64::from(to.0) - ux * back - uy * wide;
            let y = f64::from(to.1) - uy * back + ux * wide;
            format!("{},{}", x.round(), y.round())
        };
        let _ = writeln!(
            self.body,
            "<polygon points=\"{},{} {} {}\" fill=\"{}\"/>",
            to.0,
            to.1,
            corner(1.0),
            corner(-1.0),
            stroke.color
        );
    }

    /// The right edge of the texts so far.
    pub(super) fn right(&self) -> i32 {
        self.right
    }

    /// The whole file.
    pub(super) fn finish(self, width: i32, height: i32, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n\
             <style>{DARK}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

/// Escapes text for XML content.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML allows no other control characters.
            other if other.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_a_tag() {
        let mut svg = Svg::default();
        svg.text(0, 0, Letters::plain(12, Anchor::Start), "<script>\u{1}&");
        let text = svg.finish(10, 10, "a \"title\"");
        assert!(text.contains("&lt;script&gt; &amp;") && !text.contains("<script"), "{text}");
    }
}
