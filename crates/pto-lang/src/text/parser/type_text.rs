//! Parts of the text of a type.

/// The word `gm` in `gm`, `<gm>` or `#pto.address_space<gm>`.
pub(super) fn address_space(text: &str) -> &str {
    text.strip_prefix("#pto.address_space").unwrap_or(text).trim_matches(['<', '>'])
}

/// Splits at commas outside brackets.
pub(super) fn split_top(body: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0u32, 0, Vec::new());
    for (at, character) in body.char_indices() {
        match character {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    parts
}

/// Splits `16x?xf32` into its extents and the word after them.
pub(super) fn shape_and_word(body: &str) -> Option<(Vec<Option<u64>>, &str)> {
    let mut rest = body.trim();
    let mut shape = Vec::new();
    loop {
        let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit()).count();
        let (extent, length) = match digits {
            0 if rest.starts_with('?') => (None, 1),
            0 => return Some((shape, rest)),
            _ => (Some(rest[..digits].parse().ok()?), digits),
        };
        rest = rest[length..].strip_prefix('x')?;
        shape.push(extent);
    }
}

/// The byte offset of the `>` that closes the `<` at byte `open`; arrows in between are skipped.
pub(super) fn matching_bracket(source: &str, open: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut depth = 0u32;
    for (length, &byte) in bytes[open..].iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if bytes[open + length - 1] != b'-' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + length);
                }
            }
            b'{' | b'}' | b'%' | b'@' | b';' => return None,
            _ => {}
        }
    }
    None
}
