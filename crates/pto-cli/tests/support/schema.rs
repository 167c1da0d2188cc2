//! A judge of JSON by a schema, for the keywords that the generated schema has; others are errors.

use serde_json::Value;

/// Checks `value` by `schema`, whose references are into `root`.
pub(crate) fn check(schema: &Value, value: &Value, root: &Value) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(keywords) => keywords,
        other => return Err(format!("{other} is no schema")),
    };
    for (keyword, wanted) in keywords {
        let holds = match keyword.as_str() {
            "description" | "title" | "format" => true,
            "$ref" => {
                let path = wanted.as_str().and_then(|path| path.strip_prefix('#')).unwrap_or_default();
                let target = root.pointer(path).ok_or_else(|| format!("there is no {wanted}"))?;
                check(target, value, root)?;
                true
            }
            "type" => each(wanted).any(|kind| is_a(value, kind.as_str().unwrap_or_default())),
            "enum" => each(wanted).any(|known| known == value),
            "minimum" => value.as_f64().is_none_or(|value| value >= wanted.as_f64().unwrap_or(0.0)),
            "anyOf" => each(wanted).any(|one| check(one, value, root).is_ok()),
            "required" => each(wanted).all(|key| value.get(key.as_str().unwrap_or_default()).is_some()),
            "items" => {
                let items = value.as_array().into_iter().flatten();
                items.map(|item| check(wanted, item, root)).collect::<Result<Vec<()>, _>>()?;
                true
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    // Every key of a report is in its schema.
                    let schema = wanted.get(key).ok_or_else(|| format!("`{key}` is not in the schema"))?;
                    check(schema, inner, root).map_err(|error| format!("{key}: {error}"))?;
                }
                true
            }
            other => return Err(format!("the judge does not know `{other}`")),
        };
        if !holds {
            return Err(format!("{keyword} {wanted} does not hold for {value}"));
        }
    }
    Ok(())
}

/// The elements of an array, or the value itself.
fn each(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
