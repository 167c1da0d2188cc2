//! Devices: cores, clock, memory and paths, as data for the timeline.
//!
//! A device is a row of data, as a profile is. Every number is a [`Constant`] with its basis and its source. Users describe
//! devices of their own by changing numbers of a known one.

use super::memory::Buffer;
use super::op::cost::Constant;
use super::profile::Profile;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

/// An end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// Global memory.
    Global,
    /// A buffer of a core.
    Chip(Buffer),
}

impl Endpoint {
    /// Short name of the endpoint, such as `GM`.
    pub fn word(self) -> &'static str {
        match self {
            Endpoint::Global => "GM",
            Endpoint::Chip(buffer) => buffer.word(),
        }
    }
}

/// The time of transfers along a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathTime {
    /// A rate, and a start that overlaps the transfers before.
    Rate {
        /// Cycles until the first bytes arrive.
        start: Constant,
        /// Cycles for each transfer, during which the pipe begins nothing else.
        each: Constant,
        /// Cycles for each run of contiguous bytes.
        run: Constant,
        /// Bytes in a cycle of the core.
        rate: Constant,
    },
    /// An accumulator that drains row by row.
    Drain {
        /// Cycles for each transfer.
        each: Constant,
        /// Least cycles for each row.
        least: Constant,
        /// Bytes of the accumulator in a cycle.
        rate: Constant,
        /// Further cycles for each row and each odd factor of the number of blocks in a row, less one.
        odd: Constant,
    },
}

/// A path between two memories.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Source of the bytes.
    pub from: Endpoint,
    /// Destination of the bytes.
    pub to: Endpoint,
    /// The time of transfers along the path.
    pub time: PathTime,
}

/// A device that runs launches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Device {
    /// Name of the device, such as `910B2`.
    pub name: String,
    /// The profile of the device's programs.
    pub profile: Profile,
    /// Cube cores. A block with a cube core has one of them.
    pub cube_cores: u32,
    /// Vector cores. A block without a cube core has one of them.
    pub vector_cores: u32,
    /// Clock of the cores in GHz.
    pub clock: Constant,
    /// Rate of the memory beyond the L2 cache in GB/s, for all cores together.
    pub memory: Constant,
    /// Rate of the L2 cache in bytes a cycle, for one core that reads.
    pub l2_read: Constant,
    /// Rate of the L2 cache in bytes a cycle, for one core that writes.
    pub l2_write: Constant,
    /// Bytes of the L2 cache.
    pub l2_bytes: Constant,
    /// Bytes of a line of the L2 cache.
    pub l2_line: Constant,
    /// Cycles of the scalar unit for a tile instruction: its operands and its issue.
    pub issue: Constant,
    /// Cycles of the scalar unit for a flag, a barrier or a token.
    pub issue_order: Constant,
    /// Cycles from the set of a flag to the wait that it ends.
    pub flag: Constant,
    /// Cycles from a signal of a core to the wait of another core of the device.
    pub signal: Constant,
    /// Nanoseconds from the start of a launch, or the end of a block, to the first instruction of a block.
    pub block_start: Constant,
    /// Instructions that wait in front of a pipe at most.
    pub queue_depth: Constant,
    /// The paths between memories.
    pub paths: Vec<Path>,
}

mod known;

impl Device {
    /// The names of the known devices.
    pub fn names() -> impl Iterator<Item = &'static str> {
        known::NAMES.iter().copied()
    }

    /// A known device, by its name in any case, with or without `Ascend`.
    pub fn named(name: &str) -> Option<Device> {
        let lower = name.to_ascii_lowercase();
        let short = lower.strip_prefix("ascend").unwrap_or(&lower);
        known::NAMES.iter().copied().find(|known| known.eq_ignore_ascii_case(short)).map(known::device)
    }

    /// The device for which programs of a profile are timed if none is named.
    pub fn usual(profile: Profile) -> Device {
        known::device(profile.usual_device)
    }

    /// The path between two memories.
    pub fn path(&self, from: Endpoint, to: Endpoint) -> Option<&Path> {
        self.paths.iter().find(|path| (path.from, path.to) == (from, to))
    }

    /// Rate of the memory beyond the L2 cache in bytes per cycle.
    pub fn memory_rate(&self) -> f64 {
        self.memory.value / self.clock.value
    }

    /// Maximum number of floating-point operations per cycle of one cube core, for factors of `bits` bits.
    pub fn products_per_cycle(&self, bits: u32) -> f64 {
        let cost = super::op::cost::MATRIX_PRODUCT;
        let element = if bits == 32 { super::Element::F32 } else { super::Element::F16 };
        let per_fractal = cost.formula(self.profile, element).map_or(1.0, |formula| {
            formula
                .terms
                .iter()
                .filter(|term| term.count == super::op::cost::Count::Fractals)
                .map(|term| term.cycles.value)
                .sum()
        });
        2.0 * 16.0 * 16.0 * (256.0 / f64::from(bits.max(4))) / per_fractal
    }

    /// Checks that the numbers can be those of a device.
    ///
    /// # Errors
    /// A sentence that names the field.
    pub fn validate(&self) -> Result<(), String> {
        let fields: [(&str, &Constant, f64, f64); 12] = [
            ("clock", &self.clock, 0.01, 100.0),
            ("memory", &self.memory, 0.1, 1e6),
            ("l2_read", &self.l2_read, 0.01, 1e5),
            ("l2_write", &self.l2_write, 0.01, 1e5),
            ("l2_bytes", &self.l2_bytes, 0.0, 1e12),
            ("l2_line", &self.l2_line, 32.0, 65536.0),
            ("issue", &self.issue, 0.0, 1e6),
            ("issue_order", &self.issue_order, 0.0, 1e6),
            ("flag", &self.flag, 0.0, 1e6),
            ("signal", &self.signal, 0.0, 1e7),
            ("block_start", &self.block_start, 0.0, 1e9),
            ("queue_depth", &self.queue_depth, 1.0, 1e4),
        ];
        for (name, constant, least, most) in fields {
            within(&format!("`{name}`"), constant.value, least..=most)?;
        }
        for (name, count) in [("cube_cores", self.cube_cores), ("vector_cores", self.vector_cores)] {
            within(&format!("`{name}`"), count, 1..=4096)?;
        }
        for path in &self.paths {
            let name = format!("{} -> {}", path.from.word(), path.to.word());
            let (numbers, rate) = match path.time {
                PathTime::Rate { start, each, run, rate } => ([start, each, run], rate),
                PathTime::Drain { each, least, rate, odd } => ([each, least, odd], rate),
            };
            if numbers.iter().any(|number| !(0.0..=1e6).contains(&number.value)) {
                return Err(format!("path {name}: cycles are between 0 and 1000000"));
            }
            within(&format!("path {name}: `rate`"), rate.value, 0.001..=1e5)?;
        }
        Ok(())
    }
}

/// Checks that a number lies in a range.
///
/// # Errors
/// A sentence that begins with `what`, the name of the number.
fn within<T: PartialOrd + Debug + Display>(
    what: &str,
    number: T,
    range: RangeInclusive<T>,
) -> Result<(), String> {
    let (least, most) = (range.start(), range.end());
    match range.contains(&number) {
        true => Ok(()),
        // Huge numbers would be hundreds of digits without an exponent.
        false => Err(format!("{what} is {number:?}, which is not between {least} and {most}")),
    }
}
