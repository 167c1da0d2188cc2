//! The flags of output formats and of tolerances.

use super::values::magnitude;
use clap::builder::ValueParser;
use clap::{Args, ValueEnum};
use pto::data::Tolerance;

/// Output format of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// JSON.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// Commands of GitHub Actions, which marks the findings in a change.
    Github,
    /// JUnit XML, for systems that show tests.
    Junit,
}

/// Output format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// Text for people.
    Text,
    /// JSON.
    Json,
}

/// Output format of findings.
#[derive(Clone, Copy, Debug, Args)]
pub struct FormatArgs {
    /// Output format; sarif, github and junit list findings, without outputs.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl FormatArgs {
    /// The output format, from both flags.
    pub fn chosen(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Output format of results.
#[derive(Clone, Copy, Debug, Args)]
pub struct PlainFormatArgs {
    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl PlainFormatArgs {
    /// Whether the output is JSON, from both flags.
    pub fn is_json(&self) -> bool {
        self.json || self.format == PlainFormat::Json
    }
}

/// Errors of values that count as equal.
#[derive(Clone, Copy, Debug, Args)]
pub struct ToleranceArgs {
    /// Largest absolute error of a value that counts as equal. By default values are compared bit for bit.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub atol: f64,
    /// Largest error of a value that counts as equal, relative to the expected value.
    #[arg(long, value_name = "ERROR", default_value = "0", value_parser = ValueParser::new(magnitude))]
    pub rtol: f64,
    /// Largest error of a value that counts as equal, in units in the last place.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub ulp: u64,
}

impl ToleranceArgs {
    /// The tolerance; any NaN equals any other.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance { atol: self.atol, rtol: self.rtol, ulp: self.ulp, nan_payload_matters: false }
    }
}
