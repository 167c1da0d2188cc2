//! Conversion of scalar arguments to and from their form in dumps.

use super::{Entry, Kind, dtype_name};
use pto::data::{DataError, Dtype, parse_scalar, value_text};
use pto::isa::Element;
use serde_json::{Value, json};

/// The name of the type and the value of a scalar. Types that dumps do not have are written as their bits.
pub(super) fn written(dtype: Dtype, bits: u64) -> (&'static str, Value) {
    let element = dtype.storage();
    match dtype {
        Dtype::Bool => ("bool", json!(bits & 1 == 1)),
        _ if element == Element::F32 => ("float32", float(f32::from_bits(bits as u32))),
        _ if element.is_float() => ("uint64", json!(bits)),
        _ => (dtype_name(element).unwrap_or("int64"), integer(&value_text(element, bits))),
    }
}

/// A number as dumps have it: NaN is null, infinities are texts.
fn float(value: f32) -> Value {
    match value {
        _ if value.is_nan() => Value::Null,
        f32::INFINITY => json!("$Inf"),
        f32::NEG_INFINITY => json!("-$Inf"),
        _ => json!(value),
    }
}

fn integer(text: &str) -> Value {
    text.parse::<i64>()
        .map(Value::from)
        .or_else(|_| text.parse::<u64>().map(Value::from))
        .unwrap_or(Value::Null)
}

impl Entry {
    /// The bits of a scalar for an argument of type `wanted`.
    ///
    /// Integers are bit patterns: the recorder widens every scalar to 64 bits. Floats keep the digits that the recorder wrote.
    ///
    /// # Errors
    /// A value that is missing, or of another type.
    pub fn scalar_bits(&self, wanted: Dtype) -> Result<u64, DataError> {
        let is_float = self.dtype.to_ascii_lowercase().starts_with('f');
        let element = wanted.storage();
        let value = self.value.as_ref().unwrap_or(&Value::Null);
        let wrong = || self.error(format!("the value {value} of {} is no {}", self.dtype, wanted.word()));
        if self.kind != Kind::Scalar || is_float && !element.is_float() {
            return Err(wrong());
        }
        if is_float {
            let text = match value {
                Value::Null => "nan".to_owned(),
                Value::String(text) => text.replace("$Inf", "inf"),
                value => value.to_string(),
            };
            return parse_scalar(&text, wanted).map_err(|_| wrong());
        }
        let bits = match value {
            Value::Bool(truth) => u64::from(*truth),
            Value::Number(number) => {
                number.as_u64().or(number.as_i64().map(|value| value as u64)).ok_or_else(wrong)?
            }
            _ => return Err(wrong()),
        };
        Ok(if wanted == Dtype::Bool {
            u64::from(bits != 0)
        } else {
            bits & (u64::MAX >> (64 - element.bits()))
        })
    }
}
