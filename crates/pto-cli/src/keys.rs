//! JSON that people write by hand: a key that is misspelt or written twice is an error, not a value that gets lost.

use pto::text::nearest;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads JSON in which no object has a key twice.
///
/// # Errors
/// No JSON, or a key that is there twice; with the line.
pub(crate) fn parse(text: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(text).map(|Once(value)| value).map_err(|error| format!("this is no JSON: {error}"))
}

/// Says that an object has none but these keys.
///
/// # Errors
/// The first key that it should not have, with the nearest that it may.
pub(crate) fn known(map: &Map<String, Value>, at: &str, keys: &[&str]) -> Result<(), String> {
    let Some(key) = map.keys().find(|key| !keys.contains(&key.as_str())) else { return Ok(()) };
    let near = nearest(key, keys.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
    Err(format!("`{at}{key}` is no key{}", near.unwrap_or_default()))
}

/// A value whose objects have each key once.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Once, D::Error> {
        deserializer.deserialize_any(Reader).map(Once)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number beyond 64 bits"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Once(value))) = entries.next_entry::<String, Once>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is there twice")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let text = br#"{"a": [1, -2, 3.5, true, null, "x\n"], "b": {"a": 18446744073709551615}}"#;
        assert_eq!(parse(text), Ok(serde_json::from_slice(text).unwrap()));
    }

    #[test]
    fn a_key_that_is_there_twice_is_an_error() {
        let error = parse(b"{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}").unwrap_err();
        assert!(error.contains("`c` is there twice") && error.contains("line 2"), "{error}");
    }

    #[test]
    fn a_key_that_is_none_is_named_with_the_nearest() {
        let Value::Object(map) = parse(br#"{"filee": 1}"#).unwrap() else { panic!("an object") };
        assert_eq!(
            known(&map, "args[0].", &["file", "expect"]),
            Err("`args[0].filee` is no key; did you mean `file`?".to_owned())
        );
    }
}
