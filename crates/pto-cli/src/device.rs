//! Devices by name or from a `.toml` file.

use pto::data::DataError;
use pto::diag::nearest;
use pto::isa::Profile;
use pto::isa::device::{Device, Endpoint, PathTime};
use pto::isa::op::cost::Constant;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Most bytes of a device file.
const LONGEST: u64 = 1 << 20;

/// The source of numbers of a user's file.
const OWN: &str = "the device file";

/// The contents of a device file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// The known device from which it starts.
    base: String,
    name: Option<String>,
    cube_cores: Option<u32>,
    vector_cores: Option<u32>,
    clock: Option<f64>,
    memory: Option<f64>,
    l2_read: Option<f64>,
    l2_write: Option<f64>,
    l2_bytes: Option<f64>,
    l2_line: Option<f64>,
    issue: Option<f64>,
    issue_order: Option<f64>,
    flag: Option<f64>,
    signal: Option<f64>,
    block_start: Option<f64>,
    queue_depth: Option<f64>,
    /// Paths by name, such as `"GM -> UB"`.
    #[serde(default)]
    paths: BTreeMap<String, WrittenPath>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPath {
    start: Option<f64>,
    each: Option<f64>,
    run: Option<f64>,
    rate: Option<f64>,
    least: Option<f64>,
    odd: Option<f64>,
}

/// The device that a flag names: a known one, or a file that starts from one. Without a flag, the usual device of a profile.
///
/// # Errors
/// A name that no device has, a file that cannot be read, and numbers that no device can have.
pub fn find(named: Option<&str>, profile: Profile) -> Result<Device, DataError> {
    let Some(name) = named else { return Ok(Device::usual(profile)) };
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") {
        return read(path);
    }
    known(name)
}

fn known(name: &str) -> Result<Device, DataError> {
    Device::named(name).ok_or_else(|| {
        let names: Vec<&str> = Device::names().collect();
        let error = DataError::misuse(format!("no device is named `{name}`"));
        match nearest(name, names.iter().copied()) {
            Some(near) => error.with_help(format!("did you mean `{near}`? Known are {}", names.join(", "))),
            None => error.with_help(format!("known are {}; or name a .toml file", names.join(", "))),
        }
    })
}

fn read(path: &Path) -> Result<Device, DataError> {
    let fail = |what: String| DataError::misuse(format!("{}: {what}", path.display()));
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| fail(format!("cannot read the file: {error}")))?;
    file.take(LONGEST)
        .read_to_string(&mut text)
        .map_err(|error| fail(format!("cannot read the file: {error}")))?;
    let written: Written = toml::from_str(&text).map_err(|error| fail(error.to_string()))?;
    let mut device = known(&written.base)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    device.name = written.name.clone().unwrap_or(stem);
    device.cube_cores = written.cube_cores.unwrap_or(device.cube_cores);
    device.vector_cores = written.vector_cores.unwrap_or(device.vector_cores);
    for (field, value) in [
        (&mut device.clock, written.clock),
        (&mut device.memory, written.memory),
        (&mut device.l2_read, written.l2_read),
        (&mut device.l2_write, written.l2_write),
        (&mut device.l2_bytes, written.l2_bytes),
        (&mut device.l2_line, written.l2_line),
        (&mut device.issue, written.issue),
        (&mut device.issue_order, written.issue_order),
        (&mut device.flag, written.flag),
        (&mut device.signal, written.signal),
        (&mut device.block_start, written.block_start),
        (&mut device.queue_depth, written.queue_depth),
    ] {
        set(field, value);
    }
    for (name, path) in &written.paths {
        change_path(&mut device, name, path).map_err(&fail)?;
    }
    device.validate().map_err(fail)?;
    Ok(device)
}

fn set(field: &mut Constant, value: Option<f64>) {
    if let Some(value) = value {
        *field = Constant::assumed(value, OWN);
    }
}

/// Changes the numbers of one path.
fn change_path(device: &mut Device, name: &str, written: &WrittenPath) -> Result<(), String> {
    let word = |end: Endpoint| end.word();
    let found =
        device.paths.iter_mut().find(|path| format!("{} -> {}", word(path.from), word(path.to)) == name);
    let Some(path) = found else {
        let known: Vec<String> =
            device.paths.iter().map(|path| format!("`{} -> {}`", word(path.from), word(path.to))).collect();
        return Err(format!("{} has no path `{name}`; it has {}", device.name, known.join(", ")));
    };
    let WrittenPath { start, each, run, rate, least, odd } = *written;
    let unused = match &mut path.time {
        PathTime::Rate { start: a, each: b, run: c, rate: d } => {
            for (field, value) in [(a, start), (b, each), (c, run), (d, rate)] {
                set(field, value);
            }
            [("least", least), ("odd", odd), ("", None)]
        }
        PathTime::Drain { each: a, least: b, rate: c, odd: d } => {
            for (field, value) in [(a, each), (b, least), (c, rate), (d, odd)] {
                set(field, value);
            }
            [("start", start), ("run", run), ("", None)]
        }
        _ => [("", None); 3],
    };
    match unused.iter().find(|(_, value)| value.is_some()) {
        Some((key, _)) => Err(format!("path `{name}` has no `{key}`")),
        None => Ok(()),
    }
}
