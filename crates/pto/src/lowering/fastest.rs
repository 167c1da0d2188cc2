//! The fastest of the programs that the passes can make of one.

use super::{Fastest, Lowering, LoweringOptions, Timer};
use crate::data::{Failure, Files};
use pto_lang::Checked;
use pto_lang::passes::{self, Choices, Lowered};

/// Lowers a program by each choice of the passes, and keeps the fastest result. Where no launch can be timed, the static price decides.
///
/// # Errors
/// If the usual choice makes no program.
pub(super) fn fastest(
    checked: &Checked,
    options: &LoweringOptions,
    files: &dyn Files,
) -> Result<Lowering, Failure> {
    let mut candidates = passes::candidates(checked, &options.passes)?;
    let timed = match candidates.len() {
        1 => None,
        _ => times(checked, &candidates, options, files),
    };
    let (at, fastest) = match timed {
        Some((device, times)) => {
            let at = passes::least(&times);
            (at, Some(Fastest { device, microseconds: times[at], candidates: times.len() }))
        }
        None => {
            let prices: Vec<f64> = candidates.iter().map(|(_, lowered)| lowered.price).collect();
            (passes::least(&prices), None)
        }
    };
    let (choices, lowered) = candidates.swap_remove(at);
    Ok(Lowering { lowered, choices, fastest, unknown: None })
}

/// The name of the device, and the microseconds of each candidate on it; `None` if one of them is not timed.
fn times(
    checked: &Checked,
    candidates: &[(Choices, Lowered)],
    options: &LoweringOptions,
    files: &dyn Files,
) -> Option<(String, Vec<f64>)> {
    let timer = Timer::of(checked, options, files)?;
    let time = |(_, lowered): &(Choices, Lowered)| timer.microseconds(&lowered.module);
    let times = candidates.iter().map(time).collect::<Option<Vec<f64>>>()?;
    Some((timer.device().to_owned(), times))
}
