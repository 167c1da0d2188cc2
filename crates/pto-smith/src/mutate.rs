//! Corruption of programs.

use crate::Rng;

/// A corrupted copy of `seed`: one to four random changes.
///
/// The result is converted to valid UTF-8, as a reader of files does.
pub fn mutate(seed: &str, rng: &mut Rng) -> String {
    let mut text = seed.as_bytes().to_vec();
    for _ in 0..rng.between(1, 4) {
        text = match rng.below(12) {
            0 => flip_bytes(text, rng),
            1 => delete_range(text, rng),
            2 => duplicate_line(text, rng),
            3 => swap_lines(text, rng),
            4 => truncate(text, rng),
            5 => swap_tokens(text, rng),
            6 => replace_number(text, rng),
            7 => replace_type_parameter(text, rng),
            8 => unbalance(text, rng),
            9 => rename_value(text, rng),
            10 => nest(text, rng),
            _ => replace_word(text, rng),
        };
    }
    String::from_utf8_lossy(&text).into_owned()
}

const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "3",
    "17",
    "255",
    "4096",
    "65535",
    "1000000",
    "2147483648",
    "4294967295",
    "4294967296",
    "1099511627776",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "10000000000000000000000000000000000000000",
    "-9223372036854775808",
    "0x7fffffffffffffff",
    "1.0e400",
    "?",
];

const TYPE_WORDS: &[&str] = &[
    "vec",
    "mat",
    "left",
    "right",
    "acc",
    "bias",
    "scaling",
    "f32",
    "f16",
    "bf16",
    "i8",
    "ui8",
    "i16",
    "i32",
    "i64",
    "i1",
    "index",
    "row_major",
    "col_major",
    "none_box",
    "512",
    "1024",
    "32",
    "nd",
    "dn",
    "nz",
    "f8E4M3FN",
    "!pto.hif8",
    "!pto.f4E2M1x2",
    "!pto.i4x2",
    "0x32",
    "?x?",
    "1x1",
    "16x0",
    "4294967295x4294967295",
];

/// Byte ranges of the tokens of a text: words with their sigils, numbers, other single characters; no white space.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b'!' | b'#' | b'@');
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        if text[start].is_ascii_whitespace() {
            continue;
        }
        while is_word(text[start]) && at < text.len() && is_word(text[at]) {
            at += 1;
        }
        tokens.push((start, at));
    }
    tokens
}

/// A random token for which `wanted` holds.
fn find(text: &[u8], rng: &mut Rng, wanted: impl Fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let found: Vec<_> = tokens(text).into_iter().filter(|(start, end)| wanted(&text[*start..*end])).collect();
    (!found.is_empty()).then(|| *rng.pick(&found))
}

fn replaced(mut text: Vec<u8>, (start, end): (usize, usize), new: &[u8]) -> Vec<u8> {
    text.splice(start..end, new.iter().copied());
    text
}

fn flip_bytes(mut text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..rng.between(1, 8) {
        let at = rng.below(text.len());
        if let Some(byte) = text.get_mut(at) {
            *byte = if rng.chance(50) { *byte ^ (1 << rng.below(8)) } else { rng.bits() as u8 };
        }
    }
    text
}

fn delete_range(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let start = rng.below(text.len());
    let limit = if rng.chance(70) { 12 } else { 400 };
    let end = (start + rng.between(1, limit)).min(text.len());
    replaced(text, (start, end), b"")
}

/// The byte range of a random line, with its line break.
fn line(text: &[u8], rng: &mut Rng) -> (usize, usize) {
    let at = rng.below(text.len());
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length + 1);
    (start, end)
}

fn duplicate_line(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let (start, end) = line(&text, rng);
    let copy = text[start..end].to_vec();
    let (target, _) = if rng.chance(50) { (start, end) } else { line(&text, rng) };
    replaced(text, (target, target), &copy)
}

fn swap_lines(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let (a, b) = (line(&text, rng), line(&text, rng));
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    swap(text, first, second)
}

fn swap_tokens(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let tokens = tokens(&text);
    if tokens.is_empty() {
        return text;
    }
    let first = rng.below(tokens.len());
    let near = (first + rng.between(1, 6)).min(tokens.len() - 1);
    swap(text, tokens[first], tokens[near])
}

fn swap(text: Vec<u8>, first: (usize, usize), second: (usize, usize)) -> Vec<u8> {
    if first.1 > second.0 {
        return text;
    }
    let parts =
        [&text[..first.0], &text[second.0..second.1], &text[first.1..second.0], &text[first.0..first.1]];
    [parts.concat().as_slice(), &text[second.1..]].concat()
}

fn truncate(mut text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let length = rng.below(text.len());
    text.truncate(length);
    text
}

fn replace_number(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let Some(place) = find(&text, rng, |token| token[0].is_ascii_digit()) else { return text };
    // A shape such as `16x32xf32` is one token: replace one of its numbers.
    let digits = text[place.0..place.1].iter().position(|byte| !byte.is_ascii_digit());
    let end = digits.map_or(place.1, |length| place.0 + length);
    let number = rng.pick(NUMBERS);
    replaced(text, (place.0, end), number.as_bytes())
}

fn replace_type_parameter(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let is_parameter = |token: &[u8]| {
        let word = std::str::from_utf8(token).unwrap_or("");
        TYPE_WORDS.contains(&word)
            || word.contains('x') && word.starts_with(|first: char| first.is_ascii_digit())
    };
    let Some(place) = find(&text, rng, is_parameter) else { return text };
    let word = rng.pick(TYPE_WORDS);
    replaced(text, place, word.as_bytes())
}

fn unbalance(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let brackets = b"()[]{}<>\"";
    let place = find(&text, rng, |token| brackets.contains(&token[0])).unwrap_or((0, 0));
    match rng.below(3) {
        0 => replaced(text, place, b""),
        1 => {
            let bracket = *rng.pick(brackets);
            replaced(text, place, &[bracket])
        }
        _ => {
            let bracket = *rng.pick(brackets);
            replaced(text, (place.1, place.1), &[bracket])
        }
    }
}

fn rename_value(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let is_value = |token: &[u8]| token[0] == b'%';
    let (Some(place), Some(other)) = (find(&text, rng, is_value), find(&text, rng, is_value)) else {
        return text;
    };
    let name = if rng.chance(70) { text[other.0..other.1].to_vec() } else { b"%nobody".to_vec() };
    replaced(text, place, &name)
}

fn replace_word(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let is_word = |token: &[u8]| token[0].is_ascii_alphabetic();
    let (Some(place), Some(other)) = (find(&text, rng, is_word), find(&text, rng, is_word)) else {
        return text;
    };
    let mut word = text[other.0..other.1].to_vec();
    if rng.chance(30) {
        word.pop();
    }
    replaced(text, place, &word)
}

/// Inserts deeply nested brackets or regions at a random position.
fn nest(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let depth = *rng.pick(&[3, 40, 300, 3000]);
    let (open, close) = *rng.pick(&[
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("<", ">"),
        ("{a = ", "}"),
        ("scf.execute_region {\n", "}\n"),
        ("module {\n", "}\n"),
        ("tuple<", ">"),
        ("memref<1x", ">"),
    ]);
    let (start, _) =
        if rng.chance(50) { line(&text, rng) } else { find(&text, rng, |_| true).unwrap_or((0, 0)) };
    let close = if rng.chance(80) { close } else { "" };
    let nest = [open.repeat(depth), close.repeat(depth)].concat();
    replaced(text, (start, start), nest.as_bytes())
}
