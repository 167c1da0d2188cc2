//! Expected values of a result, also in a wider float format than the result.

use super::number::encode;
use super::source::check_inside;
use super::{Array, DataError, Files, Source, item_bytes, materialize, npy, npz, value_text};
use pto_num::Element;

/// The expected values of a result.
///
/// A reference in f32 or f64 for a result in a narrower float format, such as bf16 or an 8-bit float, keeps its values: a
/// comparison decodes the result, and the tolerance covers the rounding error of the format.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    array: Array,
    reference: Option<Reference>,
}

/// Values in a wider format than the result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    /// The word of their format: `f32` or `f64`.
    pub(super) word: &'static str,
    /// The values, in C order.
    pub(super) values: Vec<f64>,
}

impl Reference {
    /// Whether results of a format are compared with references of wider formats.
    fn is_for(element: Element) -> bool {
        element.is_float() && !element.is_packed()
    }

    /// A value in the fewest decimal digits that parse to the same value.
    pub(super) fn text(&self, position: usize) -> String {
        let value = self.values[position];
        match self.word {
            "f32" => value_text(Element::F32, u64::from((value as f32).to_bits())),
            _ if value.is_nan() => "nan".to_owned(),
            _ => format!("{value:?}"),
        }
    }
}

impl From<Array> for Expected {
    fn from(array: Array) -> Expected {
        Expected { array, reference: None }
    }
}

impl Expected {
    /// Reads the expected values of a result of format `element`, as [`materialize`] does; the array of a `.npy` or `.npz` file may also
    /// be f32 or f64 if that is wider than `element`. `items` is the number of items of the result, if known.
    ///
    /// # Errors
    /// As for [`materialize`].
    pub fn read(
        source: &Source,
        element: Element,
        items: Option<usize>,
        files: &dyn Files,
    ) -> Result<Expected, DataError> {
        let wider = match source {
            Source::Npy(path) if Reference::is_for(element) => npy::read_wider(path, element, files)?,
            Source::Npz { path, name } if Reference::is_for(element) => {
                items.map_or(Ok(()), |items| check_inside(source, element, items, files))?;
                npz::read_wider(path, name.as_deref(), element, files)?
            }
            _ => None,
        };
        match wider {
            Some(wider) => Expected::rounded(element, wider),
            None => materialize(source, element, items, 0, 0, files).map(Expected::from),
        }
    }

    /// The values of a wider array, and each rounded to `element`.
    fn rounded(element: Element, wider: npy::Wider) -> Result<Expected, DataError> {
        let npy::Wider { word, shape, values } = wider;
        let bits = values.iter().map(|value| encode(element, *value).to_le_bytes());
        let bytes: Vec<u8> = bits.flat_map(|bits| bits.into_iter().take(item_bytes(element))).collect();
        Ok(Expected {
            array: Array::new(element, shape, bytes)?,
            reference: Some(Reference { word, values }),
        })
    }

    /// The values in the format of the result: those of a wider reference rounded to nearest, ties to even.
    pub fn array(&self) -> &Array {
        &self.array
    }

    /// The values of a wider reference.
    pub(super) fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::Disk;
    use crate::data::{Tolerance, compare_expected};

    const EXACT: Tolerance = Tolerance { atol: 0.0, rtol: 0.0, ulp: 0, nan_payload_matters: false };

    fn array(element: Element, values: &[f64]) -> Array {
        let bits = values.iter().map(|value| encode(element, *value).to_le_bytes());
        let bytes: Vec<u8> = bits.flat_map(|bits| bits.into_iter().take(item_bytes(element))).collect();
        Array::new(element, vec![values.len()], bytes).unwrap()
    }

    fn reference(element: Element, values: &[f64]) -> Expected {
        let (word, shape) = ("f32", vec![values.len()]);
        Expected::rounded(element, npy::Wider { word, shape, values: values.to_vec() }).unwrap()
    }

    fn passes(element: Element, got: f64, want: f64, tolerance: Tolerance) -> bool {
        compare_expected(&array(element, &[got]), &reference(element, &[want]), &tolerance).unwrap().passed()
    }

    #[test]
    fn a_result_is_decoded_and_compared_with_the_values_of_a_wider_reference() {
        for element in [Element::Bf16, Element::E4M3, Element::E5M2, Element::HiF8, Element::F16] {
            assert!(passes(element, 0.5, 0.5, EXACT));
            assert!(!passes(element, 0.1, f64::from(0.1f32), EXACT), "{element:?}");
            assert!(passes(element, 0.1, f64::from(0.1f32), Tolerance { rtol: 0.125, ..EXACT }));
            assert!(passes(element, f64::NAN, f64::NAN, EXACT) && !passes(element, f64::NAN, 1.0, EXACT));
        }
        assert!(passes(Element::Bf16, 1.0, 1.0039, Tolerance { rtol: 4e-3, ..EXACT }));
        assert!(!passes(Element::Bf16, 1.0, 1.0041, Tolerance { rtol: 4e-3, ..EXACT }));
        assert!(!passes(Element::Bf16, 0.0, -0.0, EXACT));
        assert!(passes(Element::Bf16, 0.0, -0.0, Tolerance { atol: 1e-9, ..EXACT }));
    }

    #[test]
    fn ulp_counts_from_the_rounded_reference() {
        let one = Tolerance { ulp: 1, ..EXACT };
        assert!(passes(Element::Bf16, 1.0, 1.004, one) && passes(Element::Bf16, 1.0078125, 1.001, one));
        assert!(!passes(Element::Bf16, 1.015625, 1.001, one));
        // 1e39 rounds to infinity.
        assert!(passes(Element::Bf16, f64::INFINITY, 1e39, one));
        assert!(!passes(Element::Bf16, f64::INFINITY, 3e38, one));
    }

    #[test]
    fn a_mismatch_shows_the_value_of_the_reference() {
        let got = array(Element::Bf16, &[0.1, 2.0]);
        let compared = compare_expected(&got, &reference(Element::Bf16, &[f64::from(0.1f32), 2.0]), &EXACT);
        assert_eq!(
            compared.unwrap().to_string(),
            "1 of 2 value differs (2 of bf16 with a reference of f32, tolerance: exact)\n  first at [0]: got 0.1, want 0.1 (off by \
             9.77e-5, 0 ulp)"
        );
        let short = compare_expected(&got, &reference(Element::Bf16, &[1.0]), &EXACT).unwrap_err();
        assert_eq!(short.message, "2 of bf16 cannot be compared with the expected 1 of f32");
    }

    #[test]
    fn files_in_f32_and_f64_are_references_and_others_are_read_as_before() {
        let folder = std::env::temp_dir().join(format!("pto-expected-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("want.npy");
        let source = Source::Npy(path.clone());
        let read = |element| Expected::read(&source, element, Some(2), &Disk);
        std::fs::write(&path, npy::to_bytes(&array(Element::F32, &[0.1, 3.0]))).unwrap();
        let of_bf16 = read(Element::Bf16).unwrap();
        assert_eq!(of_bf16.array(), &array(Element::Bf16, &[0.1, 3.0]));
        assert_eq!(of_bf16.reference().unwrap().values, [f64::from(0.1f32), 3.0]);
        assert_eq!(read(Element::F32).unwrap().reference(), None);
        assert!(read(Element::I32).is_err() && read(Element::E2M1x2).is_err());
        let mut doubles = npy::to_bytes(&array(Element::I64, &[0.0, 0.0]));
        let at = doubles.len() - 16;
        doubles[at..].copy_from_slice(&[0.1f64.to_le_bytes(), 3f64.to_le_bytes()].concat());
        let descr = doubles.windows(3).position(|bytes| bytes == b"<i8").unwrap();
        doubles[descr + 1] = b'f';
        std::fs::write(&path, &doubles).unwrap();
        assert_eq!(read(Element::F32).unwrap().reference().unwrap().values, [0.1, 3.0]);
        assert_eq!(read(Element::E4M3).unwrap().reference().unwrap().word, "f64");
        std::fs::write(&path, npy::to_bytes(&array(Element::Bf16, &[0.1, 3.0]))).unwrap();
        assert_eq!(read(Element::Bf16).unwrap(), array(Element::Bf16, &[0.1, 3.0]).into());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(read(Element::Bf16).unwrap_err().misuse);
    }
}
