//! Numbers as text: the values of scalar arguments.

use super::DataError;
use super::dtype::{self, Dtype};
use super::error::clip;
use super::number::{decode, encode};
use pto_num::Element;

/// Whether `text` can be a number of some type, or a truth value.
pub(super) fn looks_like_scalar(text: &str) -> bool {
    if matches!(text, "true" | "false") || text.parse::<f64>().is_ok() {
        return true;
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    hex.is_some_and(|h| !h.is_empty() && h.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The bits of a scalar of type `dtype` with the value `text`, in the low bits of the result.
///
/// - Integers and `index`: decimal or `0x` hexadecimal, with an optional minus. A signed type also accepts the unsigned
///   value of its bits (200 for an i8 is -56), as compilers write such constants.
/// - Floats: decimal, `inf`, `-inf`, `nan`; rounded to nearest, ties to even. `0x` is a bit pattern: `0x3c00` is 1.0 in
///   f16.
/// - `i1`: `true`, `false`, `1`, `0`.
pub fn parse_scalar(text: &str, dtype: Dtype) -> Result<u64, DataError> {
    match dtype {
        Dtype::Bool => match text {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => Err(bad(text, "i1", "write true or false")),
        },
        _ if dtype.storage().is_integer() => integer(text, dtype.storage(), dtype.word()),
        _ => float(text, dtype.storage()),
    }
}

fn bad(text: &str, word: &str, help: &str) -> DataError {
    DataError::misuse(format!("`{}` is not a value of type {word}", clip(text, 60))).with_help(help)
}

fn integer(text: &str, element: Element, word: &str) -> Result<u64, DataError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with('+') => u128::from_str_radix(hex, 16),
        _ => digits.parse::<u128>(),
    };
    let magnitude = match magnitude {
        Ok(magnitude) => magnitude,
        Err(e) if matches!(e.kind(), std::num::IntErrorKind::PosOverflow) => u128::MAX,
        Err(_) => return Err(bad(text, word, "write a whole number, such as 12, -3 or 0x1f")),
    };
    let bits = element.bits();
    let lowest = if element.is_signed_integer() { 1u128 << (bits - 1) } else { 0 };
    let highest = (1u128 << bits) - 1;
    if (negative && magnitude > lowest) || (!negative && magnitude > highest) {
        let sign = if lowest > 0 { "-" } else { "" };
        return Err(DataError::misuse(format!(
            "{} is out of range for {word}, which takes {sign}{lowest} to {highest}",
            clip(text, 60)
        )));
    }
    let value = magnitude as u64;
    let mask = u64::MAX >> (64 - bits);
    Ok(if negative { value.wrapping_neg() } else { value } & mask)
}

fn float(text: &str, element: Element) -> Result<u64, DataError> {
    let word = dtype::word(element);
    if element.is_packed() {
        return Err(DataError::misuse(format!("{word} is a pair of values and cannot be a scalar")));
    }
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16)
            .ok()
            .filter(|bits| !hex.starts_with('+') && bits >> element.bits() == 0)
            .ok_or_else(|| {
                let digits = element.bits() / 4;
                bad(text, word, &format!("0x and up to {digits} digits is the bit pattern of a {word}"))
            });
    }
    let help = "write a number such as 1.5, -2e-3, inf or nan; 0x gives the bit pattern";
    let value = text.parse::<f64>().map_err(|_| bad(text, word, help))?;
    let has_digits = text.bytes().any(|b| b.is_ascii_digit());
    let bits = match element {
        // f32 is parsed from the digits, which rounds once instead of twice.
        Element::F32 if !value.is_nan() => u64::from(text.parse::<f32>().unwrap_or(value as f32).to_bits()),
        _ => encode(element, value),
    };
    let (largest, smallest) = extremes(element);
    // Formats without infinity saturate; a value within half a unit of the largest rounds to it.
    let too_large = value.is_infinite() || !decode(element, bits).is_finite() || value.abs() > 1.04 * largest;
    if has_digits && too_large {
        return Err(DataError::misuse(format!(
            "{} is too large for {word}, whose largest value is {largest:?}",
            clip(text, 60)
        )));
    }
    let no_infinity = value.is_infinite() && decode(element, bits).is_finite();
    let no_such = element == Element::E8M0 && (value <= 0.0 || value < smallest / 2.0);
    if no_infinity || no_such {
        return Err(bad(text, word, "the format has no such value"));
    }
    Ok(bits)
}

/// The largest and the smallest positive value of a format.
fn extremes(element: Element) -> (f64, f64) {
    let values = |codes: std::ops::Range<u64>| {
        let mut values = codes.map(|c| decode(element, c)).filter(|v| v.is_finite() && *v > 0.0);
        let first = values.next().unwrap_or(1.0);
        values.fold((first, first), |(high, low), v| (v.max(high), v.min(low)))
    };
    match element {
        Element::F16 => values(0..0x7c00),
        Element::Bf16 => values(0..0x7f80),
        Element::F32 => (f64::from(f32::MAX), f64::from(f32::from_bits(1))),
        Element::E8M0 => values(0..0xff),
        _ => values(0..0x80),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str, word: &str) -> Result<u64, String> {
        parse_scalar(text, Dtype::parse(word).unwrap()).map_err(|e| e.to_string())
    }

    #[test]
    fn integers() {
        assert_eq!(bits("-2", "i16"), Ok(0xfffe));
        assert_eq!(bits("200", "i8"), Ok(200));
        assert_eq!(bits("0xFF", "i8"), Ok(0xff));
        assert_eq!(bits("-128", "i8"), Ok(0x80));
        assert_eq!(bits("18446744073709551615", "ui64"), Ok(u64::MAX));
        assert_eq!(bits("-9223372036854775808", "i64"), Ok(1 << 63));
        assert_eq!(bits("-1", "index"), Ok(u64::MAX));
        assert!(
            bits("256", "i8").unwrap_err().contains("256 is out of range for i8, which takes -128 to 255")
        );
        assert!(bits("-1", "ui8").unwrap_err().contains("which takes 0 to 255"));
        assert!(bits(&"9".repeat(1000), "i64").unwrap_err().contains("out of range"));
        for text in ["", "-", "0x", "1.5", "--1", "1e3", "true", "0x+1"] {
            assert!(bits(text, "i32").unwrap_err().contains("not a value of type i32"), "{text}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(bits("1", "f32"), Ok(0x3f80_0000));
        assert_eq!(bits("0.1", "f32"), Ok(u64::from(0.1f32.to_bits())));
        assert_eq!(bits("1.0", "f16"), Ok(0x3c00));
        assert_eq!(bits("0x3c00", "f16"), Ok(0x3c00));
        assert_eq!(bits("-0.0", "bf16"), Ok(0x8000));
        assert_eq!(bits("-inf", "f32"), Ok(0xff80_0000));
        assert_eq!(bits("nan", "f32"), Ok(0x7fc0_0000));
        assert_eq!(bits("1.0", "hif8"), Ok(8));
        assert_eq!(bits("2", "!pto.f8E8M0"), Ok(128));
        assert_eq!(bits("1e-60", "f32"), Ok(0));
        assert!(bits("70000", "f16").unwrap_err().contains("whose largest value is 65504.0"));
        assert!(bits("1e39", "f32").unwrap_err().contains("too large for f32"));
        assert!(bits("1e999", "f32").unwrap_err().contains("too large"));
        assert!(bits("500", "f8E4M3FN").unwrap_err().contains("whose largest value is 448.0"));
        assert!(bits("inf", "f8E4M3FN").unwrap_err().contains("no such value"));
        assert!(bits("0", "f8E8M0").unwrap_err().contains("no such value"));
        assert!(bits("0x10000", "f16").unwrap_err().contains("bit pattern"));
        assert!(bits("1", "f4E2M1x2").unwrap_err().contains("pair"));
        assert!(bits("abc", "f32").unwrap_err().contains("not a value of type f32"));
    }

    #[test]
    fn truth() {
        assert_eq!((bits("true", "i1"), bits("0", "i1")), (Ok(1), Ok(0)));
        assert!(bits("2", "i1").is_err());
    }

    #[test]
    fn file_names_are_no_numbers() {
        for text in ["x", "", "-", "0x", "0xg", "1.5.npy"] {
            assert!(!looks_like_scalar(text), "{text}");
        }
    }
}
