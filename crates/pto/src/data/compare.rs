//! Comparison of outputs with expected values.

use super::array::shape_text;
use super::expected::{Expected, Reference};
use super::tolerance::{Distance, Tolerance, absolute_error, distance};
use super::{Array, DataError, dtype};
use pto_num::Element;
use std::fmt;

/// A value that differs from the expected one by more than the tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Index of the value in C order; 4-bit floats count each nibble.
    pub position: usize,
    /// Index of the value by dimension, such as `[0, 5]`.
    pub index: String,
    /// The actual value, in the fewest digits that parse to the same bits.
    pub got: String,
    /// The expected value.
    pub want: String,
    /// Bits of the actual value.
    pub got_bits: u64,
    /// Bits of the expected value; for a wider reference, of its value rounded to the format.
    pub want_bits: u64,
    /// The absolute difference; infinite or NaN if one of the two is.
    pub absolute_error: f64,
    /// The distance in units in the last place; `None` if one of them is NaN. For integers, the difference. From a wider reference, the
    /// distance to its value rounded to the format.
    pub ulp: Option<u64>,
}

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The format of the result.
    pub element: Element,
    /// The word of the format of the expected values, if they are a reference in a wider format: `f32` or `f64`.
    pub reference: Option<&'static str>,
    /// The shape of the expected array, in items.
    pub shape: Vec<usize>,
    /// The tolerance.
    pub tolerance: Tolerance,
    /// Number of values compared.
    pub total: usize,
    /// Number of values that differ by more than allowed.
    pub mismatches: usize,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// The mismatch with a NaN on one side, or else of the largest distance in ulp; the first of equal ones.
    pub worst: Option<Mismatch>,
}

impl Comparison {
    /// Whether every value passed.
    pub fn passed(&self) -> bool {
        self.mismatches == 0
    }
}

/// Compares value by value. The arrays must have the same format and number of values; shapes may differ.
///
/// A value passes if its bits are equal; if both are NaN (unless the payload matters); if both are finite
/// and their distance is at most `atol + rtol * |want|`; or if they are at most `ulp` values of the format
/// distance, neither of them infinite. Zeros of different sign differ only if the tolerance is exact.
pub fn compare(got: &Array, want: &Array, tolerance: &Tolerance) -> Result<Comparison, DataError> {
    compare_values(got, want, None, tolerance)
}

/// Compares an array with expected values, one by one, as [`compare`] does.
///
/// With a reference in a wider format, a value passes if it equals the reference value, or is within `atol + rtol *
/// |want|` of it. If `ulp` is not 0, it also passes within `ulp` values of the format from the reference rounded to the
/// format.
///
/// # Errors
/// Arrays of another format or number of values.
pub fn compare_expected(
    got: &Array,
    want: &Expected,
    tolerance: &Tolerance,
) -> Result<Comparison, DataError> {
    compare_values(got, want.array(), want.reference(), tolerance)
}

fn compare_values(
    got: &Array,
    want: &Array,
    reference: Option<&Reference>,
    tolerance: &Tolerance,
) -> Result<Comparison, DataError> {
    if got.element() != want.element() || got.values() != want.values() {
        return Err(DataError::new(format!(
            "{} of {} cannot be compared with the expected {} of {}",
            shape_text(got.shape()),
            dtype::word(got.element()),
            shape_text(want.shape()),
            reference.map_or_else(|| dtype::word(want.element()), |reference| reference.word)
        )));
    }
    let mut comparison = Comparison {
        element: want.element(),
        reference: reference.map(|reference| reference.word),
        shape: want.shape().to_vec(),
        tolerance: *tolerance,
        total: want.values(),
        mismatches: 0,
        first: None,
        worst: None,
    };
    if reference.is_none() && got.bytes() == want.bytes() {
        return Ok(comparison);
    }
    let (mut first, mut worst) = (None, None);
    for position in 0..want.values() {
        let distance = match reference {
            None => mismatch(got, want, position, tolerance),
            Some(reference) => {
                let (got, rounded) = (got.bits(position), want.bits(position));
                tolerance.distance_beyond_reference(want.element(), got, rounded, reference.values[position])
            }
        };
        let Some(distance) = distance else { continue };
        comparison.mismatches += 1;
        first = first.or(Some(position));
        if worst.is_none_or(|(w, _)| distance > w) {
            worst = Some((distance, position));
        }
    }
    let describe = |position| match reference {
        None => describe(got, want, position),
        Some(reference) => {
            let absolute_error = (got.value_as_f64(position) - reference.values[position]).abs();
            Mismatch { want: reference.text(position), absolute_error, ..describe(got, want, position) }
        }
    };
    comparison.first = first.map(describe);
    comparison.worst = worst.map(|(_, position)| describe(position));
    Ok(comparison)
}

fn mismatch(got: &Array, want: &Array, position: usize, tolerance: &Tolerance) -> Option<Distance> {
    tolerance.distance_beyond(want.element(), got.bits(position), want.bits(position))
}

fn describe(got: &Array, want: &Array, position: usize) -> Mismatch {
    let element = want.element();
    let (got_bits, want_bits) = (got.bits(position), want.bits(position));
    let (a, b) = (got.value_as_f64(position), want.value_as_f64(position));
    let ulp = distance(element, got_bits, want_bits);
    Mismatch {
        position,
        index: want.index_text(position),
        got: got.value_text(position),
        want: want.value_text(position),
        got_bits,
        want_bits,
        absolute_error: absolute_error(element, a, b, ulp),
        ulp: (!a.is_nan() && !b.is_nan()).then_some(ulp),
    }
}

impl Mismatch {
    /// `got 1.5, want 1.25 (off by 0.25, 2097152 ulp)`.
    fn describe(&self, element: Element) -> String {
        let how_far = match self.ulp {
            None if self.got == self.want => {
                format!("bits {:#x} and {:#x}", self.got_bits, self.want_bits)
            }
            None => return format!("got {}, want {}", self.got, self.want),
            Some(0) if self.absolute_error == 0.0 => "the sign of zero".to_string(),
            Some(n) if element.is_integer() => format!("off by {n}"),
            Some(n) => format!("off by {}, {n} ulp", short(self.absolute_error)),
        };
        format!("got {}, want {} ({how_far})", self.got, self.want)
    }
}

/// A number with three significant digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    if rounded != 0.0 && rounded.is_finite() && !(1e-4..1e6).contains(&rounded) {
        return format!("{rounded:e}");
    }
    format!("{rounded}")
}

impl fmt::Display for Comparison {
    /// One line if all values match; else the count, the first and the worst mismatch, without a final newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reference = self.reference.map_or(String::new(), |word| format!(" with a reference of {word}"));
        let kind = format!(
            "{} of {}{reference}, tolerance: {}",
            shape_text(&self.shape),
            dtype::word(self.element),
            self.tolerance
        );
        let (Some(first), Some(worst)) = (&self.first, &self.worst) else {
            return write!(f, "all {} values match ({kind})", self.total);
        };
        let verb = if self.mismatches == 1 { "value differs" } else { "values differ" };
        write!(f, "{} of {} {verb} ({kind})", self.mismatches, self.total)?;
        write!(f, "\n  first at {}: {}", first.index, first.describe(self.element))?;
        if worst.position != first.position {
            write!(f, "\n  worst at {}: {}", worst.index, worst.describe(self.element))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance { atol: 0.0, rtol: 0.0, ulp: 0, nan_payload_matters: false };

    fn f32s(values: &[f32]) -> Array {
        Array::new(
            Element::F32,
            vec![values.len()],
            values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(),
        )
        .unwrap()
    }

    fn passes(got: f32, want: f32, tolerance: Tolerance) -> bool {
        compare(&f32s(&[got]), &f32s(&[want]), &tolerance).unwrap().passed()
    }

    #[test]
    fn exact_means_bits_except_for_nan() {
        assert!(passes(1.0, 1.0, EXACT));
        assert!(!passes(1.0, 1.0000001, EXACT));
        assert!(!passes(0.0, -0.0, EXACT));
        let other_nan = f32::from_bits(0xffc0_0001);
        assert!(passes(f32::NAN, other_nan, EXACT));
        assert!(!passes(f32::NAN, other_nan, Tolerance { nan_payload_matters: true, ..EXACT }));
        assert!(!passes(f32::NAN, 1.0, Tolerance { atol: f64::INFINITY, ulp: u64::MAX, ..EXACT }));
    }

    #[test]
    fn any_tolerance_forgives_the_sign_of_zero() {
        assert!(passes(0.0, -0.0, Tolerance { ulp: 1, ..EXACT }));
        assert!(passes(0.0, -0.0, Tolerance { atol: 1e-9, ..EXACT }));
        assert!(passes(0.0, -0.0, Tolerance { rtol: 1e-9, ..EXACT }));
    }

    #[test]
    fn tolerances_add_up_or_stand_alone() {
        assert!(passes(1.5, 1.25, Tolerance { atol: 0.125, rtol: 0.1, ..EXACT }));
        assert!(!passes(1.5, 1.25, Tolerance { atol: 0.1, rtol: 0.1, ..EXACT }));
        assert!(passes(1.0, 1.0000001, Tolerance { ulp: 1, ..EXACT }));
        assert!(!passes(f32::MAX, f32::INFINITY, Tolerance { ulp: 1, ..EXACT }));
        assert!(!passes(1.0, f32::INFINITY, Tolerance { rtol: 1.0, ..EXACT }));
        assert!(passes(1e-45, -1e-45, Tolerance { ulp: 2, ..EXACT }));
    }

    #[test]
    fn the_report_names_the_first_and_the_worst() {
        let got = f32s(&[1.0, 2.0000002, 3.0, f32::NAN]);
        let want = f32s(&[1.0, 2.0, 4.0, 0.5]);
        assert_eq!(
            compare(&got, &want, &EXACT).unwrap().to_string(),
            "3 of 4 values differ (4 of f32, tolerance: exact)\n  first at [1]: got 2.0000002, want 2.0 (off by 2.38e-7, 1 \
             ulp)\n  worst at [3]: got nan, want 0.5"
        );
        let loose = Tolerance { atol: 1e-6, ulp: 2, ..EXACT };
        let comparison = compare(&f32s(&[1.5]), &f32s(&[1.25]), &loose).unwrap();
        assert_eq!(
            comparison.to_string(),
            "1 of 1 value differs (1 of f32, tolerance: atol 1e-6, 2 ulp)\n  first at [0]: got 1.5, want 1.25 (off by 0.25, \
             2097152 ulp)"
        );
        assert_eq!(
            compare(&want, &want, &EXACT).unwrap().to_string(),
            "all 4 values match (4 of f32, tolerance: exact)"
        );
        assert!(
            compare(&f32s(&[0.0]), &f32s(&[-0.0]), &EXACT).unwrap().to_string().contains("the sign of zero")
        );
    }

    #[test]
    fn integers_are_exact_at_64_bits() {
        let array = |v: i64| Array::new(Element::I64, vec![1, 1], v.to_le_bytes().to_vec()).unwrap();
        let comparison = compare(&array(i64::MAX), &array(i64::MAX - 1), &EXACT).unwrap();
        assert!(
            comparison
                .to_string()
                .ends_with("first at [0, 0]: got 9223372036854775807, want 9223372036854775806 (off by 1)")
        );
        let distance = compare(&array(i64::MAX), &array(i64::MIN), &EXACT).unwrap();
        assert_eq!(distance.first.unwrap().ulp, Some(u64::MAX));
        assert!(compare(&array(5), &array(3), &Tolerance { atol: 2.0, ..EXACT }).unwrap().passed());
    }

    #[test]
    fn unlike_arrays_are_an_error() {
        let text = compare(&f32s(&[1.0]), &f32s(&[1.0, 2.0]), &EXACT).unwrap_err().to_string();
        assert_eq!(text, "1 of f32 cannot be compared with the expected 2 of f32");
        let reshaped = Array::new(Element::F32, vec![1, 1], vec![0; 4]).unwrap();
        assert!(compare(&f32s(&[0.0]), &reshaped, &EXACT).unwrap().passed());
    }
}
