//! Tolerances of comparisons, and the distance of two values of a format.

use super::number::{decode, ordinal};
use pto_num::Element;
use std::fmt;

/// Allowed differences from the expected values. The default allows none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Largest absolute error of a finite value.
    pub atol: f64,
    /// Largest error of a finite value relative to the magnitude of the expected one, added to `atol`.
    pub rtol: f64,
    /// Largest distance in units in the last place: the number of values of the format between the two, plus one.
    pub ulp: u64,
    /// Whether two NaN must have the same bits.
    pub nan_payload_matters: bool,
}

impl Tolerance {
    /// Whether only equal bits pass (any NaN passes for a NaN).
    pub fn is_exact(&self) -> bool {
        self.atol == 0.0 && self.rtol == 0.0 && self.ulp == 0
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            return f.write_str("exact");
        }
        let mut parts = Vec::new();
        if self.atol > 0.0 {
            parts.push(format!("atol {:?}", self.atol));
        }
        if self.rtol > 0.0 {
            parts.push(format!("rtol {:?}", self.rtol));
        }
        if self.ulp > 0 {
            parts.push(format!("{} ulp", self.ulp));
        }
        f.write_str(&parts.join(", "))
    }
}

/// Distance of a value from the expected one. Distances are ordered by the size of the mismatch: NaN against a number is
/// the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance {
    /// Whether exactly one of the two values is NaN.
    pub is_nan: bool,
    /// Distance of the two values in units in the last place, if none is NaN. For integers, their difference.
    pub ulp: u64,
}

impl Tolerance {
    /// The distance of two values of a format, given their bits; `None` if it is allowed.
    pub fn distance_beyond(&self, element: Element, got_bits: u64, want_bits: u64) -> Option<Distance> {
        if got_bits == want_bits {
            return None;
        }
        let (a, b) = (decode(element, got_bits), decode(element, want_bits));
        match (a.is_nan(), b.is_nan()) {
            (true, true) => return self.nan_payload_matters.then_some(Distance { is_nan: false, ulp: 0 }),
            (false, false) => {}
            _ => return Some(Distance { is_nan: true, ulp: 0 }),
        }
        let ulp = distance(element, got_bits, want_bits);
        if !self.is_exact() {
            if ulp <= self.ulp && a.is_infinite() == b.is_infinite() {
                return None;
            }
            let allowed = self.atol + self.rtol * b.abs();
            if a.is_finite() && b.is_finite() && absolute_error(element, a, b, ulp) <= allowed {
                return None;
            }
        }
        Some(Distance { is_nan: false, ulp })
    }

    /// Distance of a value from a wider reference; `None` if it is allowed. `rounded` has the bits of the reference in
    /// the format of the value.
    pub(super) fn distance_beyond_reference(
        &self,
        element: Element,
        got_bits: u64,
        rounded: u64,
        want: f64,
    ) -> Option<Distance> {
        let got = decode(element, got_bits);
        match (got.is_nan(), want.is_nan()) {
            (true, true) => return None,
            (false, false) => {}
            _ => return Some(Distance { is_nan: true, ulp: 0 }),
        }
        if got == want && (got_bits == rounded || !self.is_exact()) {
            return None;
        }
        let ulp = distance(element, got_bits, rounded);
        if self.is_exact() {
            return Some(Distance { is_nan: false, ulp });
        }
        let allowed = self.atol + self.rtol * want.abs();
        let is_near = got.is_finite() && want.is_finite() && (got - want).abs() <= allowed;
        let are_alike = got.is_infinite() == decode(element, rounded).is_infinite();
        let is_neighbour = self.ulp > 0 && ulp <= self.ulp && are_alike;
        (!is_near && !is_neighbour).then_some(Distance { is_nan: false, ulp })
    }
}

pub(super) fn distance(element: Element, a: u64, b: u64) -> u64 {
    let distance = ordinal(element, a).abs_diff(ordinal(element, b));
    u64::try_from(distance).unwrap_or(u64::MAX)
}

/// 64-bit integers are exact in `ulp`, but not in f64.
pub(super) fn absolute_error(element: Element, a: f64, b: f64, ulp: u64) -> f64 {
    if element.is_integer() { ulp as f64 } else { (a - b).abs() }
}
