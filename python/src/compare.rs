//! Comparison of results with expected arrays.

use crate::arrays::{Array, Wanted};
use crate::errors::{DataError, unfit};
use crate::formats;
use pto::data::{self, Comparison, Mismatch, Tolerance};
use pto::isa::Element;
use pyo3::prelude::*;

/// Compares two arrays of one format, given as its word; returns how they differ by more than the tolerance, or None.
#[pyfunction]
#[pyo3(name = "_compare", signature = (got, want, dtype, *, atol = 0.0, rtol = 0.0, ulp = 0, nan_payload = false))]
pub(crate) fn compare(
    got: &Bound<'_, PyAny>,
    want: &Bound<'_, PyAny>,
    dtype: &str,
    atol: f64,
    rtol: f64,
    ulp: u64,
    nan_payload: bool,
) -> PyResult<Option<String>> {
    let element = formats::parse(dtype)?;
    let (got, want) = (contents(got, "got", element)?, contents(want, "want", element)?);
    if got.shape() != want.shape() {
        let (has, wants) = (data::shape_text(got.shape()), data::shape_text(want.shape()));
        return Err(DataError::new_err(format!("the result has the shape {has}, but {wants} is expected")));
    }
    let tolerance = Tolerance { atol, rtol, ulp, nan_payload_matters: nan_payload };
    let compared = data::compare(&got, &want, &tolerance).map_err(|error| unfit(&error))?;
    Ok(if compared.passed() { None } else { Some(text(&compared)) })
}

fn contents(object: &Bound<'_, PyAny>, name: &str, element: Element) -> PyResult<data::Array> {
    let array = Array::of(object, Wanted { name, element, shape: "", written: false, is_open: false })?;
    let shape = array.shape.iter().map(|extent| *extent as usize).collect();
    data::Array::new(element, shape, array.shared()).map_err(|error| unfit(&error))
}

fn text(compared: &Comparison) -> String {
    let Comparison { mismatches, total, tolerance, first, worst, .. } = compared;
    let one = |what: &str, one: &Option<Mismatch>| match one {
        Some(Mismatch { index, got, want, absolute_error, ulp, .. }) => {
            let ulp = ulp.map_or(String::new(), |ulp| format!(", {ulp} ulp"));
            format!("\n  {what} at {index}: {got}, expected {want} (error {absolute_error:.3e}{ulp})")
        }
        None => String::new(),
    };
    let first = one("first", first);
    format!("{mismatches} of {total} values differ (tolerance: {tolerance}){first}{}", one("worst", worst))
}
