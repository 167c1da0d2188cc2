//! Values of flags with their own syntax.

use super::{Assignment, DumpPoint};
use pto::data::clip;

pub(super) fn assignment(text: &str) -> Result<Assignment, String> {
    let form = "write ARG=..., where ARG is the argument's name or its number";
    let (arg, value) =
        text.split_once('=').ok_or_else(|| format!("`{}` has no `=`; {form}", clip(text, 60)))?;
    let arg = arg.strip_prefix('%').unwrap_or(arg);
    if arg.is_empty() || value.is_empty() {
        return Err(format!("one side of the `=` is empty; {form}"));
    }
    Ok(Assignment { arg: arg.to_string(), value: value.to_string() })
}

pub(super) fn dump_point(text: &str) -> Result<DumpPoint, String> {
    let form = "write %TILE@LINE, such as %acc@42";
    let (tile, line) = text.rsplit_once('@').ok_or(form)?;
    let tile = tile.strip_prefix('%').unwrap_or(tile);
    let line = line.parse().ok().filter(|&line| line > 0).ok_or(form)?;
    if tile.is_empty() {
        return Err(form.to_string());
    }
    Ok(DumpPoint { tile: tile.to_string(), line })
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| "write a positive number of seconds".to_string())
}

pub(super) fn magnitude(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0);
    value.ok_or_else(|| "write a number that is not negative".to_string())
}
