//! Arrays: a number format, a shape and bytes.

use super::number::{decode, encode};
use super::{DataError, dtype};
use pto_machine::sim::Storage;
use pto_num::Element;
use std::fmt::Write;

/// A dense array in C order, little endian.
///
/// The shape counts *items*, the entries of the `.npy` file. An item is one value, except for the 4-bit floats, where
/// it is a byte with two values, the low nibble first (`f4E2M1x2`). Methods on *values* ([`values`](Array::values),
/// [`value_as_f64`](Array::value_as_f64)) count each nibble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    element: Element,
    shape: Vec<usize>,
    bytes: Storage,
}

/// Arrays of at most this many values are printed in full.
pub(super) const SHOWN_IN_FULL: usize = 256;

/// Bytes of one item: one value, or two 4-bit values.
pub fn item_bytes(element: Element) -> usize {
    element.bytes(1)
}

/// Size in bytes of an array of `shape`; `None` if it exceeds the address space.
pub fn shape_bytes(element: Element, shape: &[usize]) -> Option<usize> {
    let bytes = shape.iter().try_fold(item_bytes(element), |n, &d| n.checked_mul(d))?;
    (isize::try_from(bytes).is_ok()).then_some(bytes)
}

/// `16x128`, or `scalar` without dimensions.
pub fn shape_text(shape: &[usize]) -> String {
    if shape.is_empty() {
        return "scalar".to_string();
    }
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

impl Array {
    /// An array of these bytes, whose number must match the shape.
    pub fn new(element: Element, shape: Vec<usize>, bytes: impl Into<Storage>) -> Result<Array, DataError> {
        let bytes = bytes.into();
        if shape_bytes(element, &shape) != Some(bytes.len()) {
            return Err(DataError::new(format!(
                "{} bytes do not make an array of shape {} of {}",
                bytes.len(),
                shape_text(&shape),
                dtype::word(element)
            )));
        }
        Ok(Array { element, shape, bytes })
    }

    /// An array of zero bits. An error if the host cannot hold it.
    pub fn zeros(element: Element, shape: Vec<usize>) -> Result<Array, DataError> {
        let too_large = || {
            DataError::new(format!(
                "an array of shape {} of {} does not fit in memory",
                shape_text(&shape),
                dtype::word(element)
            ))
        };
        let size = shape_bytes(element, &shape).ok_or_else(too_large)?;
        // `vec!` aborts on failure, which this reports, but only `vec!` gets untouched zero pages from the system.
        Vec::<u8>::new().try_reserve_exact(size).map_err(|_| too_large())?;
        Ok(Array { element, shape, bytes: vec![0; size].into() })
    }

    /// An array without dimensions that holds one item: the low bits of `bits`.
    pub fn scalar(element: Element, bits: u64) -> Array {
        let bytes = bits.to_le_bytes()[..item_bytes(element)].to_vec();
        Array { element, shape: Vec::new(), bytes: bytes.into() }
    }

    /// The number format.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The shape in items.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The contents, little endian.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The contents, to be changed in place.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.to_mut()
    }

    /// The contents, without format and shape.
    pub fn into_bytes(self) -> Storage {
        self.bytes
    }

    /// Number of items: the product of the shape.
    pub fn items(&self) -> usize {
        self.bytes.len() / item_bytes(self.element)
    }

    /// Number of values: the items, or twice as many for 4-bit floats.
    pub fn values(&self) -> usize {
        if self.element.is_packed() { self.bytes.len() * 2 } else { self.items() }
    }

    /// The shape in values: [`shape`](Array::shape), with the last dimension doubled for 4-bit floats.
    pub fn value_shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.element.is_packed() {
            match shape.last_mut() {
                // If another dimension is 0, this one may have any size.
                Some(last) => *last = last.saturating_mul(2),
                None => shape.push(2),
            }
        }
        shape
    }

    /// The bits of a value, zero-extended; zero outside the array.
    pub fn bits(&self, index: usize) -> u64 {
        if self.element.is_packed() {
            let byte = self.bytes.get(index / 2).copied().unwrap_or(0);
            return u64::from(byte >> (index % 2 * 4) & 0xf);
        }
        let size = item_bytes(self.element);
        let item = index.checked_mul(size).and_then(|at| self.bytes.get(at..)?.get(..size)).unwrap_or(&[]);
        let mut word = [0; 8];
        word[..item.len()].copy_from_slice(item);
        u64::from_le_bytes(word)
    }

    /// A value as f64: exact except for integers of more than 53 bits; zero outside the array.
    pub fn value_as_f64(&self, index: usize) -> f64 {
        decode(self.element, self.bits(index))
    }

    /// Calls `see` with every value and its index; takes a few nanoseconds per value.
    fn each_value(&self, mut see: impl FnMut(usize, f64)) {
        let values = self.values();
        match self.element {
            Element::F32 => {
                let items = self.bytes.chunks_exact(4).map(|item| [item[0], item[1], item[2], item[3]]);
                items.enumerate().for_each(|(at, item)| see(at, f64::from(f32::from_le_bytes(item))));
            }
            // Each bit pattern of a narrow format is decoded only once.
            element if element.bits() <= 16 && values > 1 << 16 => {
                let table: Vec<f64> = (0..1u64 << element.bits()).map(|bits| decode(element, bits)).collect();
                (0..values).for_each(|at| see(at, table[self.bits(at) as usize]));
            }
            _ => (0..values).for_each(|at| see(at, self.value_as_f64(at))),
        }
    }

    /// A value in the fewest decimal digits that parse to the same bits.
    pub fn value_text(&self, index: usize) -> String {
        value_text(self.element, self.bits(index))
    }

    /// The index of a value in [`value_shape`](Array::value_shape).
    pub fn index(&self, position: usize) -> Vec<usize> {
        let mut rest = position;
        let mut index: Vec<usize> = Vec::new();
        for &extent in self.value_shape().iter().rev() {
            index.push(rest % extent.max(1));
            rest /= extent.max(1);
        }
        index.reverse();
        index
    }

    /// The index of a value as text, such as `[0, 5]`.
    pub fn index_text(&self, position: usize) -> String {
        format!("{:?}", self.index(position))
    }

    /// The array as text: in full if it is small, else a summary.
    pub fn describe(&self) -> String {
        if self.values() <= SHOWN_IN_FULL { self.full() } else { self.summary() }
    }

    /// Every value, nested in brackets by dimension, columns aligned.
    pub fn full(&self) -> String {
        let texts: Vec<String> = (0..self.values()).map(|i| self.value_text(i)).collect();
        let shape = self.value_shape();
        if shape.is_empty() {
            return texts.concat();
        }
        let mut out = String::new();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        nest(&mut out, &shape, &texts, width, 1);
        out
    }

    /// Shape, format, range, mean, how many NaN, and the first values, on one or two lines.
    pub fn summary(&self) -> String {
        let count = self.values();
        let mut low: Option<(f64, usize)> = None;
        let mut high: Option<(f64, usize)> = None;
        let (mut sum, mut nan, mut infinite) = (0.0, 0usize, 0usize);
        self.each_value(|i, value| {
            if value.is_nan() {
                nan += 1;
                return;
            }
            infinite += usize::from(value.is_infinite());
            sum += value;
            if low.is_none_or(|(least, _)| value < least) {
                low = Some((value, i));
            }
            if high.is_none_or(|(most, _)| value > most) {
                high = Some((value, i));
            }
        });
        let mut out = format!("{} of {}", shape_text(&self.shape), dtype::word(self.element));
        if let (Some((_, low)), Some((_, high))) = (low, high) {
            let mean = sum / (count - nan) as f64;
            let _ =
                write!(out, ", min {}, max {}, mean {mean:.6}", self.value_text(low), self.value_text(high));
        }
        if nan > 0 {
            let _ = write!(out, ", {nan} NaN");
        }
        if infinite > 0 {
            let _ = write!(out, ", {infinite} infinite");
        }
        let first: Vec<String> = (0..count.min(8)).map(|i| self.value_text(i)).collect();
        let more = if count > first.len() { " ..." } else { "" };
        let _ = write!(out, "\nfirst values: {}{more}", first.join(" "));
        out
    }
}

/// The value of these bits in the fewest decimal digits that parse to the same bits.
pub fn value_text(element: Element, bits: u64) -> String {
    if element.holds_integers() {
        return element.decode_int(bits).to_string();
    }
    let value = decode(element, bits);
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    let shortest = (0..17)
        .filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok())
        .find(|&candidate| encode(element, candidate) == bits)
        .unwrap_or(value);
    let size = shortest.abs();
    if size != 0.0 && !(1e-4..1e16).contains(&size) {
        return format!("{shortest:e}");
    }
    // Debug, unlike Display, keeps `.0`.
    format!("{shortest:?}")
}

/// Columns after which a row of values wraps.
const LINE_WIDTH: usize = 100;

fn nest(out: &mut String, shape: &[usize], texts: &[String], width: usize, depth: usize) {
    out.push('[');
    match shape {
        [] => {}
        [_] => {
            let mut column = depth;
            for (i, text) in texts.iter().enumerate() {
                if i > 0 && column + 1 + width > LINE_WIDTH {
                    let _ = write!(out, "\n{:depth$}", "");
                    column = depth;
                } else if i > 0 {
                    out.push(' ');
                    column += 1;
                }
                let _ = write!(out, "{text:>width$}");
                column += width;
            }
        }
        [_, inner @ ..] => {
            // Nothing to print for an empty inner dimension.
            let size = inner.iter().fold(1usize, |n, &d| n.saturating_mul(d)).max(1);
            for (i, part) in texts.chunks(size).enumerate() {
                if i > 0 {
                    let _ = write!(out, "\n{:depth$}", "");
                }
                nest(out, inner, part, width, depth + 1);
            }
        }
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(shape: &[usize], values: &[f32]) -> Array {
        Array::new(
            Element::F32,
            shape.to_vec(),
            values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(),
        )
        .unwrap()
    }

    #[test]
    fn small_arrays_are_aligned() {
        let array = f32s(&[2, 2], &[1.0, -0.5, 100.25, f32::NAN]);
        assert_eq!(array.describe(), "[[   1.0   -0.5]\n [100.25    nan]]");
        assert_eq!(f32s(&[], &[3.0]).describe(), "3.0");
        assert_eq!(f32s(&[0, 3], &[]).describe(), "[]");
    }

    #[test]
    fn a_long_row_wraps() {
        let text = f32s(&[1, 200], &[1.0; 200]).describe();
        assert!(text.lines().all(|line| line.len() <= LINE_WIDTH + 2), "{text}");
        assert_eq!(text.matches("1.0").count(), 200);
    }

    #[test]
    fn floats_take_the_fewest_digits() {
        assert_eq!(value_text(Element::F32, u64::from(0.1f32.to_bits())), "0.1");
        assert_eq!(value_text(Element::F16, 0x2e66), "0.1");
        assert_eq!(value_text(Element::F32, u64::from(1e-30f32.to_bits())), "1e-30");
        assert_eq!(value_text(Element::F32, 0x8000_0000), "-0.0");
        assert_eq!(value_text(Element::E8M0, 0), "6e-39");
        assert_eq!(value_text(Element::I8, 0xff), "-1");
        assert_eq!(value_text(Element::U64, u64::MAX), "18446744073709551615");
        assert_eq!(value_text(Element::I64, 1 << 63), "-9223372036854775808");
    }

    #[test]
    fn every_text_of_16_bits_reads_back() {
        for element in [Element::F16, Element::Bf16, Element::HiF8, Element::E4M3, Element::E8M0] {
            for bits in 0..1u64 << element.bits() {
                let value: f64 = value_text(element, bits).parse().unwrap();
                assert!(value.is_nan() || encode(element, value) == bits, "{element:?} {bits:#x} {value}");
            }
        }
    }

    #[test]
    fn a_byte_holds_two_fp4_low_nibble_first() {
        let array = Array::new(Element::E2M1x2, vec![1, 2], vec![0x21, 0xf0]).unwrap();
        assert_eq!((array.items(), array.values(), array.value_shape()), (2, 4, vec![1, 4]));
        assert_eq!(array.describe(), "[[ 0.5  1.0  0.0 -6.0]]");
        assert_eq!(array.index_text(3), "[0, 3]");
    }

    #[test]
    fn a_large_array_is_summarized() {
        let mut values = vec![2.0f32; 300];
        values[7] = -1.0;
        values[8] = f32::NAN;
        let text = f32s(&[3, 100], &values).describe();
        assert_eq!(
            text,
            "3x100 of f32, min -1.0, max 2.0, mean 1.989967, 1 NaN\nfirst values: 2.0 2.0 2.0 2.0 2.0 2.0 2.0 -1.0 ..."
        );
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(Array::new(Element::F32, vec![2], vec![0; 7]).is_err());
        assert!(Array::zeros(Element::F32, vec![usize::MAX, 2]).is_err());
        assert!(Array::zeros(Element::U8, vec![isize::MAX as usize]).is_err());
        assert_eq!(f32s(&[1], &[1.0]).bits(usize::MAX), 0);
        for element in [Element::F32, Element::E2M1x2] {
            let empty = Array::new(element, vec![0, usize::MAX, usize::MAX], vec![]).unwrap();
            assert_eq!(empty.describe(), "[]");
            assert!(empty.summary().starts_with("0x"));
        }
    }
}
