//! A line of a report.

use super::instruction_times::InstructionTimes;
use serde_json::{Value, json};

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

/// The column headings.
pub(super) fn headline() -> String {
    format!(
        "{:<44} {:>12} {:>12} {:>9} {:>9} {:>8}\n",
        "name", "best ns", "median ns", "GB/s", "GFLOP/s", "of peak"
    )
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

    pub(super) fn line(&self) -> String {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let line = format!(
            "{:<44} {:>12.1} {:>12.1} {:>9} {:>9} {:>8}\n",
            self.name,
            self.best_ns,
            self.median_ns,
            number(self.gigabytes()),
            number(self.gigaflops()),
            self.of_peak.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
        );
        let watched = self.watched().map(|ratio| format!("    watched: {ratio:.3} times the bare run\n"));
        line + &watched.unwrap_or_default()
            + &self.parts.as_ref().map_or(String::new(), |parts| parts.line(self.best_ns))
    }

    pub(super) fn to_json(&self) -> Value {
        let mut object = json!({"name": self.name, "best_ns": self.best_ns, "median_ns": self.median_ns});
        let rates =
            [("gb_per_s", self.gigabytes()), ("gflop_per_s", self.gigaflops()), ("of_peak", self.of_peak)];
        for (key, value) in rates {
            if let Some(value) = value {
                object[key] = json!(value);
            }
        }
        if let Some(ratio) = self.watched() {
            object["watched"] = json!(ratio);
        }
        if let Some(parts) = &self.parts {
            object["parts"] = parts.to_json();
        }
        object
    }
}
