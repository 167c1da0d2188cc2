//! The header of a `.npy` file: a Python dictionary of three keys, read without recursion.

use crate::data::DataError;
use crate::data::error::clip;
use std::io::Read;

/// Longest accepted header in bytes; numpy itself stops at 10 000 bytes.
const LONGEST: usize = 1 << 16;

/// Most dimensions, as in numpy.
const MOST_DIMENSIONS: usize = 64;

/// The contents of a header.
#[derive(Debug)]
pub(super) struct Header {
    /// The type string of the file.
    pub descr: String,
    pub kind: Kind,
    pub big_endian: bool,
    pub fortran_order: bool,
    pub shape: Vec<usize>,
    /// Byte offset of the data in the file.
    pub bytes_read: u64,
}

/// The type of one item; sizes in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Float(u32),
    Signed(u32),
    Unsigned(u32),
    Void(u32),
    /// A type of `ml_dtypes`, by name.
    Named(String),
    /// A type that no tile can hold.
    Other,
}

/// Reads everything before the data.
pub(super) fn read(input: &mut dyn Read) -> Result<Header, DataError> {
    let mut start = [0; 8];
    let found = fill(input, &mut start)?;
    if found < 8 || &start[..6] != b"\x93NUMPY" {
        let what = if found == 0 { "the file is empty" } else { "this is not an .npy file" };
        return Err(
            DataError::new(what).with_help("write it with numpy.save, or name it .bin if it holds raw bytes")
        );
    }
    let mut length_bytes = [0; 4];
    let width = match start[6] {
        1 => 2,
        2 | 3 => 4,
        major => {
            return Err(DataError::new(format!(
                "version {major}.{} of the .npy format is not known",
                start[7]
            )));
        }
    };
    exactly(input, &mut length_bytes[..width])?;
    let length = u32::from_le_bytes(length_bytes) as usize;
    if length > LONGEST {
        return Err(DataError::new(format!("the file claims a header of {length} bytes; it is damaged")));
    }
    let mut text = vec![0; length];
    exactly(input, &mut text)?;
    // Type names and keys are ASCII; a Latin-1 field name is part of a structure, which is rejected anyway.
    let text = String::from_utf8_lossy(&text);
    parse(&text, (8 + width + length) as u64).ok_or_else(|| {
        DataError::new(format!("cannot understand the header `{}`", clip(text.trim(), 120)))
            .with_help("the file is damaged; write it again with numpy.save")
    })
}

/// The bytes of a version 1 header, padded so that the data starts at a multiple of 64.
pub(super) fn write(descr: &str, shape: &[usize]) -> Vec<u8> {
    let dims: String = shape.iter().map(|d| format!("{d}, ")).collect();
    let dims = if shape.len() == 1 { dims.trim_end() } else { dims.trim_end_matches(", ") };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut out = b"\x93NUMPY".to_vec();
    // A shape has few dimensions, but the length field must be right in any case.
    match u16::try_from(text.len()) {
        Ok(length) => {
            out.extend([1, 0]);
            out.extend(length.to_le_bytes());
        }
        Err(_) => {
            out.extend([2, 0]);
            out.extend((text.len() as u32).to_le_bytes());
        }
    }
    out.extend(text.into_bytes());
    out
}

fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> Result<usize, DataError> {
    let mut found = 0;
    while found < buffer.len() {
        match input.read(&mut buffer[found..]) {
            Ok(0) => break,
            Ok(n) => found += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(DataError::new(format!("cannot read the file: {e}"))),
        }
    }
    Ok(found)
}

fn exactly(input: &mut dyn Read, buffer: &mut [u8]) -> Result<(), DataError> {
    if fill(input, buffer)? < buffer.len() {
        return Err(DataError::new("the file ends inside its header").with_help("the file is truncated"));
    }
    Ok(())
}

fn parse(text: &str, bytes_read: u64) -> Option<Header> {
    let mut cursor = Cursor { rest: text.trim() };
    cursor.expect("{")?;
    let (mut descr, mut order, mut shape) = (None, None, None);
    while !cursor.eat("}") {
        let key = cursor.string()?;
        cursor.expect(":")?;
        match key {
            "descr" => descr = Some(cursor.descr()?),
            "fortran_order" => order = Some(cursor.boolean()?),
            "shape" => shape = Some(cursor.shape()?),
            _ => return None,
        }
        if !cursor.eat(",") {
            cursor.expect("}")?;
            break;
        }
    }
    let (descr, fortran_order, shape) = (descr?, order?, shape?);
    if !cursor.rest.is_empty() {
        return None;
    }
    let (kind, big_endian) = kind(&descr);
    Some(Header { descr, kind, big_endian, fortran_order, shape, bytes_read })
}

/// The type of a type string such as `<f4`, `|V2`, `bfloat16`, and whether it is big endian.
fn kind(descr: &str) -> (Kind, bool) {
    // A void type that was saved as a structure of one unnamed field.
    let compact: String = descr.chars().filter(|c| !c.is_whitespace()).collect();
    let descr = compact.strip_prefix("[('','").and_then(|d| d.strip_suffix("')]")).unwrap_or(descr);
    let (order, code) = match descr.split_at_checked(1) {
        Some((order @ ("<" | ">" | "|" | "="), code)) => (order, code),
        _ => ("=", descr),
    };
    let size = |digits: &str| digits.parse::<u32>().ok().filter(|n| (1..=16).contains(n));
    let kind = match code.split_at_checked(1) {
        Some(("b", "1")) => Kind::Bool,
        Some(("?", "")) => Kind::Bool,
        Some(("f", n)) if size(n).is_some() => Kind::Float(size(n).unwrap_or(0)),
        Some(("i", n)) if size(n).is_some() => Kind::Signed(size(n).unwrap_or(0)),
        Some(("u", n)) if size(n).is_some() => Kind::Unsigned(size(n).unwrap_or(0)),
        Some(("V", n)) if size(n).is_some() => Kind::Void(size(n).unwrap_or(0)),
        _ if code.len() > 2 && code.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            Kind::Named(code.to_string())
        }
        _ => Kind::Other,
    };
    (kind, order == ">")
}

struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Skips white space and then `token`; returns whether `token` came next.
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        self.eat(token).then_some(())
    }

    fn string(&mut self) -> Option<&'a str> {
        self.eat("u");
        let quote = if self.eat("'") { '\'' } else { self.expect("\"").map(|()| '"')? };
        let (text, rest) = self.rest.split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    fn boolean(&mut self) -> Option<bool> {
        if self.eat("True") {
            return Some(true);
        }
        self.expect("False").map(|()| false)
    }

    /// A type string, or the text of a structure up to its closing bracket.
    fn descr(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        if !self.rest.starts_with(['[', '(']) {
            return self.string().map(str::to_string);
        }
        let mut depth = 0usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                let (text, rest) = self.rest.split_at(at + 1);
                self.rest = rest;
                return Some(text.to_string());
            }
        }
        None
    }

    fn shape(&mut self) -> Option<Vec<usize>> {
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.eat(")") {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            if shape.len() == MOST_DIMENSIONS {
                return None;
            }
            shape.push(digits.parse().ok()?);
            // Python 2 wrote this suffix of long integers.
            self.eat("L");
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Some(shape)
    }
}
