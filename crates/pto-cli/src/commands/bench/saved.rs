//! Measurements that an earlier run saved, and the comparison with them.

use super::measured::Measured;
use crate::keys;
use crate::report::BenchReport;
use pto::data::DataError;
use std::collections::BTreeMap;
use std::path::Path;

/// The best times of saved measurements in ns, by name.
pub(super) struct Saved(BTreeMap<String, f64>);

impl Saved {
    /// Reads a file that `--save` wrote.
    pub(super) fn read(path: &Path) -> Result<Saved, DataError> {
        let fail = |what: String| DataError::misuse(format!("{}: {what}", path.display()));
        let text = std::fs::read(path).map_err(|error| fail(format!("cannot read the file: {error}")))?;
        let BenchReport { figures } = keys::read(&text).map_err(|error| fail(error.to_string()))?;
        match figures.iter().find(|figure| !(figure.best_ns.is_finite() && figure.best_ns > 0.0)) {
            Some(wrong) => Err(fail(format!("`{}` has no positive time", wrong.name))),
            None => Ok(Saved(figures.into_iter().map(|figure| (figure.name, figure.best_ns)).collect())),
        }
    }

    /// The best time of the measurement with a name.
    pub(super) fn best_ns(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }

    /// The geometric mean of the ratios, the largest changes, and how many names only one side has.
    pub(super) fn sum(&self, all: &[Measured]) -> String {
        let mut ratios: Vec<(f64, &str)> = all
            .iter()
            .filter_map(|measured| {
                Some((measured.best_ns / self.best_ns(&measured.name)?, measured.name.as_str()))
            })
            .collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let plain: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
        let Some(mean) = geometric_mean(&plain) else {
            return "no measurement has the name of a saved one\n".to_owned();
        };
        let mut text = format!("to saved: geometric mean {mean:.3} over {} measurements\n", ratios.len());
        if let (Some(least), Some(most)) = (ratios.first(), ratios.last()) {
            text += &format!("  from {:.3} ({}) to {:.3} ({})\n", least.0, least.1, most.0, most.1);
        }
        let new = all.len() - ratios.len();
        if new > 0 {
            text += &format!("  {new} measurements are not in the file\n");
        }
        text
    }
}

/// The geometric mean of ratios; `None` without any.
pub(super) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}
