//! Examples of instructions with larger tiles, whose times are more than overhead.

/// Factor of enlarged sizes.
const LARGER: u64 = 8;

/// A text with shapes and index constants above 1 eight times as large.
pub fn enlarged(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("//") {
            out.push_str(line);
        } else if let Some((before, after)) = line.split_once("= arith.constant ") {
            let number = after.split(' ').next().unwrap_or_default();
            match number.parse::<u64>() {
                Ok(value) if value > 1 && after.ends_with(": index") => {
                    out.push_str(&format!("{before}= arith.constant {} : index", value * LARGER));
                }
                _ => out.push_str(line),
            }
        } else {
            enlarge_shapes(line, &mut out);
        }
        out.push('\n');
    }
    out
}

/// Copies a line; multiplies the extents above 1 of shapes such as `8x16xf32`.
fn enlarge_shapes(line: &str, out: &mut String) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let starts = digits > 0 && !(before.is_alphanumeric() && before != 'x') && before != '%';
        let extent = rest[digits..].strip_prefix('x').and_then(|rest| rest.chars().next());
        let width = if digits > 0 { digits } else { first.len_utf8() };
        match rest[..digits].parse::<u64>() {
            Ok(value) if starts && value > 1 && extent.is_some_and(char::is_alphanumeric) => {
                out.push_str(&(value * LARGER).to_string());
            }
            _ => out.push_str(&rest[..width]),
        }
        before = rest[..width].chars().next_back().unwrap_or(' ');
        rest = &rest[width..];
    }
}
