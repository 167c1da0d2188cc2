//! A line of a report.

use super::instruction_times::InstructionTimes;
use crate::report::Figure;

/// Ratio of median and best time above which a measurement is noisy.
const NOISY: f64 = 1.2;

/// The time of something, with its work in that time.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) best_ns: f64,
    pub(super) median_ns: f64,
    /// Bytes of its operands, read or written.
    pub(super) bytes: u64,
    pub(super) multiply_adds: u64,
    /// For a product, its share of the core's f32 multiply-add rate at that time.
    pub(super) of_peak: Option<f64>,
    /// For a kernel, the separate times of its instructions, if requested.
    pub(super) parts: Option<InstructionTimes>,
    /// For a kernel, the best time with watchers in ns, if requested.
    pub(super) watched_ns: Option<f64>,
}

/// The column headings; `compared` adds the ratio to saved measurements.
pub(super) fn headline(compared: bool) -> String {
    let ratio = if compared { format!(" {:>9}", "to saved") } else { String::new() };
    format!(
        "{:<44} {:>10} {:>10} {:>9} {:>9} {:>8}{ratio}\n",
        "name", "best", "median", "GB/s", "GFLOP/s", "of peak"
    )
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
    /// A time that is not related to bytes or multiply-adds.
    pub(super) fn of(name: String, best_ns: f64, median_ns: f64) -> Measured {
        Measured {
            name,
            best_ns,
            median_ns,
            bytes: 0,
            multiply_adds: 0,
            of_peak: None,
            parts: None,
            watched_ns: None,
        }
    }

    fn per_second(&self, amount: f64) -> Option<f64> {
        (amount > 0.0 && self.best_ns > 0.0).then(|| amount / self.best_ns)
    }

    fn gigabytes(&self) -> Option<f64> {
        self.per_second(self.bytes as f64)
    }

    /// GFLOP/s; a multiply-add is two operations.
    fn gigaflops(&self) -> Option<f64> {
        self.per_second(2.0 * self.multiply_adds as f64)
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
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let line = format!(
            "{:<44} {:>10} {:>10} {:>9} {:>9} {:>8}",
            self.name,
            time_text(self.best_ns),
            time_text(self.median_ns),
            number(self.gigabytes()),
            number(self.gigaflops()),
            self.of_peak.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
        );
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
            gb_per_s: self.gigabytes(),
            gflop_per_s: self.gigaflops(),
            of_peak: self.of_peak,
            watched: self.watched(),
            parts: self.parts.as_ref().map(InstructionTimes::report),
        }
    }
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
