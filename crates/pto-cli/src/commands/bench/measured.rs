//! A line of a report.

use super::instruction_times::InstructionTimes;
use crate::report::Figure;

/// Ratio of median and best time above which a measurement is noisy.
const NOISY: f64 = 1.2;

/// The time of a kernel.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) best_ns: f64,
    pub(super) median_ns: f64,
    /// The separate times of its instructions, if requested.
    pub(super) parts: Option<InstructionTimes>,
    /// The best time with watchers in ns, if requested.
    pub(super) watched_ns: Option<f64>,
}

/// The column headings; `compared` adds the ratio to saved measurements.
pub(super) fn headline(compared: bool) -> String {
    let ratio = if compared { format!(" {:>9}", "to saved") } else { String::new() };
    format!("{:<44} {:>10} {:>10}{ratio}\n", "name", "best", "median")
}

/// A time with the unit in which it has one to three digits before the point.
pub(super) fn time_text(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 999.5 => (ns, "ns"),
        ns if ns < 999.5e3 => (ns / 1e3, "us"),
        ns if ns < 999.5e6 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$} {unit}")
}

impl Measured {
    /// A time without those of instructions, and without watchers.
    pub(super) fn of(name: String, best_ns: f64, median_ns: f64) -> Measured {
        Measured { name, best_ns, median_ns, parts: None, watched_ns: None }
    }

    /// Ratio of the times with and without watchers.
    pub(super) fn watched(&self) -> Option<f64> {
        self.watched_ns.map(|watched| watched / self.best_ns)
    }

    /// Whether best and median time part by more than a fifth: something else used the machine.
    pub(super) fn is_noisy(&self) -> bool {
        self.median_ns > NOISY * self.best_ns
    }

    /// A line of the table. `saved_ns`: the best time of the saved measurement with that name.
    pub(super) fn line(&self, saved_ns: Option<f64>) -> String {
        let (best, median) = (time_text(self.best_ns), time_text(self.median_ns));
        let line = format!("{:<44} {best:>10} {median:>10}", self.name);
        let ratio = saved_ns.map(|saved| format!(" {:>9.3}", self.best_ns / saved)).unwrap_or_default();
        let noisy = if self.is_noisy() { "  noisy" } else { "" };
        let line = format!("{}\n", format!("{line}{ratio}{noisy}").trim_end());
        let watched = self.watched().map(|ratio| format!("    watched: {ratio:.3} times the bare run\n"));
        line + &watched.unwrap_or_default()
            + &self.parts.as_ref().map_or(String::new(), |parts| parts.line(self.best_ns))
    }

    pub(super) fn report(&self) -> Figure {
        Figure {
            name: self.name.clone(),
            best_ns: self.best_ns,
            median_ns: self.median_ns,
            watched: self.watched(),
            parts: self.parts.as_ref().map(InstructionTimes::report),
        }
    }
}

/// The minimum and the median.
pub(super) fn quantiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_unstable_by(f64::total_cmp);
    (times.first().copied().unwrap_or(0.0), times.get(times.len() / 2).copied().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_the_unit_that_fits() {
        let texts: Vec<_> =
            [0.5, 9.996, 123.4, 999.4, 999.6, 12_345.0, 1.5e6, 2.5e9, 1e13].map(time_text).into();
        let expected =
            ["0.50 ns", "10.0 ns", "123 ns", "999 ns", "1.00 us", "12.3 us", "1.50 ms", "2.50 s", "10000 s"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_median_more_than_a_fifth_above_the_best_is_noisy() {
        assert!(!Measured::of("a".into(), 100.0, 119.0).is_noisy());
        assert!(Measured::of("a".into(), 100.0, 121.0).line(Some(50.0)).ends_with("2.000  noisy\n"));
    }
}
