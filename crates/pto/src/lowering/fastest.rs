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
    let prices = || candidates.iter().map(|(_, lowered)| lowered.price).collect();
    let (device, costs) = timed.unwrap_or_else(|| (String::new(), prices()));
    let at = passes::least(&costs);
    let is_timed = !device.is_empty();
    let fastest = is_timed.then(|| Fastest { device, microseconds: costs[at], candidates: costs.len() });
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
    let time = |(_, lowered): &(Choices, Lowered)| {
        let profile = checked.module().functions.iter().map(|(id, _)| checked.profile(id)).next();
        timer.microseconds(&pto_lang::check(lowered.module.clone(), profile).ok()?)
    };
    let times = candidates.iter().map(time).collect::<Option<Vec<f64>>>()?;
    Some((timer.device().to_owned(), times))
}
