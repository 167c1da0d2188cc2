//! Timing of one instruction of a program: the program is run with an increasing number of rounds of a loop of it, and
//! the time with no rounds is subtracted.

use super::looped::{UNROLLED, looped, written};
use super::peaks::multiply_adds_per_ns;
use super::ready::Ready;
use crate::commands::check_text;
use crate::commands::sweep::Said;
use crate::settings::Settings;
use pto::data::DataError;
use pto::data::Failure;
use pto::ir::{Module, Type};
use pto::isa::element::element_word;
use pto::launch::Spec;
use std::path::Path;

/// The time of one instruction.
pub(super) struct Timed {
    pub(super) best_ns: f64,
    pub(super) median_ns: f64,
    pub(super) multiply_adds: u64,
    /// Median share of the multiply-add rate in registers, which is measured right after each measurement.
    pub(super) of_peak: Option<f64>,
    /// Bytes of its tiles.
    pub(super) bytes: u64,
    /// The type of its first tile, for its name: ` f32 64x128`, or empty.
    pub(super) shapes: String,
}

/// Least length of a measurement in ns, for which the resolution of the clock does not matter.
const ENOUGH_NS: f64 = 1e6;

/// Most rounds of a loop.
const MOST_ROUNDS: u64 = 1 << 22;

/// Times the last instruction of this name in a program; `multiply_adds` is the number in one execution.
pub(super) fn instruction(text: &str, name: &str, multiply_adds: u64, repeat: u32) -> Result<Timed, String> {
    let repeated = looped(text, name).ok_or("the program has no such instruction")?;
    let ready = ready(text, &repeated).map_err(|failure| said(&failure))?;
    let base = ready.fastest(5, 0)?;
    let mut rounds = 1;
    while rounds < MOST_ROUNDS {
        // The fastest of three launches: a disturbed one must not make the number of rounds seem sufficient.
        let took = (ready.fastest(3, rounds)? - base).max(0.0);
        if took > ENOUGH_NS {
            break;
        }
        rounds = (rounds * 2).max((rounds as f64 * ENOUGH_NS / took.max(1.0) * 0.9) as u64).min(rounds * 16);
    }
    let rounds = rounds.min(MOST_ROUNDS);
    let once = (rounds * u64::from(UNROLLED)) as f64;
    let (mut times, mut shares) = (Vec::new(), Vec::new());
    for _ in 0..repeat {
        let ns = (ready.time(rounds)? - base).max(0.0) / once;
        times.push(ns);
        // The clock of a core varies: only rates measured at the same time are comparable.
        if multiply_adds > 0 && ns > 0.0 {
            shares.push(multiply_adds as f64 / ns / multiply_adds_per_ns());
        }
    }
    let of_peak = (!shares.is_empty()).then(|| quantiles(shares).1);
    let (best_ns, median_ns) = quantiles(times);
    let (bytes, shapes) = operands(ready.module(), name);
    Ok(Timed { best_ns, median_ns, multiply_adds, of_peak, bytes, shapes })
}

/// Times an instruction in its example: with eight times the rows and columns if its rules allow that, else unchanged.
pub(super) fn example(text: &str, name: &str, repeat: u32) -> Result<Timed, String> {
    instruction(&enlarged(text), name, 0, repeat).or_else(|_| instruction(text, name, 0, repeat))
}

/// A program with a looped instruction, with the inputs of the original program.
fn ready(text: &str, looped: &str) -> Result<Ready, Failure> {
    let usual = Spec { threads: 1, ..Spec::default() };
    let said = Said::of(Path::new("-"), text, &[], &usual)?;
    let (checked, _) = check_text(text, &Settings::of_target(said.profile))?;
    let launch = said.launches.first().ok_or_else(|| DataError::new("it is run with nothing"))?;
    let ready = Ready::new(&checked, None, &launch.spec)?;
    let (checked, _) = check_text(looped, &Settings::of_target(said.profile))?;
    ready.looped(&checked, None)
}

/// Factor of enlarged sizes.
const LARGER: u64 = 8;

/// A text with shapes and index constants above 1 multiplied by [`LARGER`].
fn enlarged(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("//") {
            out.push_str(line);
        } else if let Some((before, after)) = line.split_once("= arith.constant ") {
            let number = after.split(' ').next().unwrap_or_default();
            match number.parse::<u64>() {
                Ok(value) if value > 1 && after.ends_with(": index") => {
                    out.push_str(&format!("{before}= arith.constant {} : index", value * LARGER));
                }
                _ => out.push_str(line),
            }
        } else {
            enlarge_shapes(line, &mut out);
        }
        out.push('\n');
    }
    out
}

/// Copies a line; multiplies the extents above 1 of shapes such as `8x16xf32`.
fn enlarge_shapes(line: &str, out: &mut String) {
    let mut rest = line;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let starts = digits > 0 && !(before.is_alphanumeric() && before != 'x') && before != '%';
        let extent = rest[digits..].strip_prefix('x').and_then(|rest| rest.chars().next());
        let width = if digits > 0 { digits } else { first.len_utf8() };
        match rest[..digits].parse::<u64>() {
            Ok(value) if starts && value > 1 && extent.is_some_and(char::is_alphanumeric) => {
                out.push_str(&(value * LARGER).to_string());
            }
            _ => out.push_str(&rest[..width]),
        }
        before = rest[..width].chars().next_back().unwrap_or(' ');
        rest = &rest[width..];
    }
}

/// The reason of a failed measurement, as a sentence.
pub(super) fn said(failure: &Failure) -> String {
    match failure {
        Failure::Data(error) => error.to_string().replace('\n', "; "),
        Failure::Program(findings) => {
            findings.first().map_or(String::new(), |finding| finding.message.clone())
        }
    }
}

/// The minimum and the median.
pub(super) fn quantiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_unstable_by(f64::total_cmp);
    (times.first().copied().unwrap_or(0.0), times.get(times.len() / 2).copied().unwrap_or(0.0))
}

/// Bytes of the tiles of an instruction, and the type of its first tile.
fn operands(module: &Module, name: &str) -> (u64, String) {
    let name = written(name);
    let uses = module.functions.iter().flat_map(|(_, function)| {
        function.operations.iter().map(move |(_, operation)| (function, operation))
    });
    let Some((function, operation)) = uses.filter(|(_, operation)| operation.name.as_str() == name).last()
    else {
        return (0, String::new());
    };
    let types = operation.operands.iter().map(|operand| &module.types[function.values[operand.value].ty]);
    let tiles: Vec<_> =
        types.filter_map(|ty| if let Type::Tile(tile) = ty { Some(tile) } else { None }).collect();
    let bytes = tiles.iter().map(|tile| tile.bytes() as u64).sum();
    let shapes = tiles
        .first()
        .map_or(String::new(), |tile| format!(" {} {}x{}", element_word(tile.element), tile.rows, tile.cols));
    (bytes, shapes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_and_indices_get_larger_and_nothing_else() {
        let text = "// 8x8\n!t = !pto.tile_buf<vec, 8x1xf32, valid=4x1, fractal=512>\n  %c8 = arith.constant 8 : index\n  \
                    %c1 = arith.constant 1 : index\n  %s = arith.constant 8 : i32\n  pto.t ins(%a8x : !t)";
        let want = "// 8x8\n!t = !pto.tile_buf<vec, 64x1xf32, valid=32x1, fractal=512>\n  %c8 = arith.constant 64 : index\n  \
                    %c1 = arith.constant 1 : index\n  %s = arith.constant 8 : i32\n  pto.t ins(%a8x : !t)\n";
        assert_eq!(enlarged(text), want);
    }
}
