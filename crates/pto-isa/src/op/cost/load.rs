//! Load of one execution of an instruction, and its duration on its pipe on a device.

use super::{Cost, Extents};
use crate::device::{Device, Endpoint, Path, PathTime};
use crate::element::Element;
use crate::op::effect::Access;
use crate::pipe::Pipe;
use crate::profile::Profile;
use crate::tile::{Location, TileType};

/// The part of a tile that an access covers.
#[derive(Clone, Debug)]
pub struct Region {
    /// Rows, in elements.
    pub rows: u64,
    /// Columns, in elements.
    pub cols: u64,
    /// The type of the tile.
    pub ty: TileType,
}

impl Region {
    /// Size of the region in bytes.
    pub fn bytes(&self) -> u64 {
        self.ty.element.bytes((self.rows * self.cols) as usize) as u64
    }

    /// Whether the region is one run of memory, boxes ignored.
    pub fn is_contiguous(&self) -> bool {
        self.rows <= 1 || self.cols >= u64::from(self.ty.cols)
    }

    /// Extents of the region.
    pub fn extents(&self) -> Extents {
        Extents {
            rows: self.rows,
            row_bytes: self.ty.element.bytes(self.cols as usize) as u64,
            columns: self.cols,
            contiguous: self.is_contiguous(),
            fractals: 0,
        }
    }
}

/// Load of one execution of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Cost on the page of the instruction.
    pub cost: Cost,
    /// Format of the largest operand; for a product, format of the factors.
    pub element: Element,
    /// Extents of the largest operand.
    pub extents: Extents,
    /// Source of the bytes of a transfer.
    pub from: Option<Endpoint>,
    /// Destination of the bytes.
    pub to: Option<Endpoint>,
    /// Number of bytes that a transfer moves.
    pub bytes: u64,
    /// Number of contiguous runs of these bytes.
    pub runs: u64,
    /// Rows, common dimension and columns of a product.
    pub product: Option<[u64; 3]>,
}

impl Load {
    /// The load of an instruction that accesses these regions of tiles.
    pub fn of(cost: Cost, regions: &[(Access, Region)]) -> Load {
        let largest = regions.iter().map(|(_, region)| region).max_by_key(|region| region.bytes());
        let mut load = Load {
            cost,
            element: largest.map_or(Element::F32, |region| region.ty.element),
            extents: largest.map_or(Extents::default(), Region::extents),
            from: None,
            to: None,
            bytes: 0,
            runs: 0,
            product: None,
        };
        match cost {
            Cost::Transfer => load.transfer(regions),
            Cost::Cycles(_) => load.multiply(regions),
            Cost::Issue => {}
        }
        load
    }

    /// A transfer between two tiles: its path and its bytes.
    fn transfer(&mut self, regions: &[(Access, Region)]) {
        for (access, region) in regions {
            let place = Endpoint::Chip(region.ty.buffer());
            if *access == Access::Read {
                // Quantization parameters are read too, so the largest source counts as the moved one.
                if self.bytes < region.bytes() {
                    self.from = Some(place);
                    self.bytes = region.bytes();
                    (self.extents, self.element) = (region.extents(), region.ty.element);
                }
            } else if *access != Access::Destroy && self.to.is_none() {
                self.to = Some(place);
                if self.from.is_none() {
                    (self.bytes, self.extents) = (region.bytes(), region.extents());
                }
            }
        }
        self.runs = 1;
    }

    /// The fractals of a product: rows of the left factor, its columns, and columns of the right one.
    fn multiply(&mut self, regions: &[(Access, Region)]) {
        let at = |location: Location| {
            regions.iter().rev().map(|(_, region)| region).find(|region| region.ty.location == location)
        };
        let (Some(left), Some(right)) = (at(Location::Left), at(Location::Right)) else { return };
        let element = left.ty.element;
        let bytes = element.bytes(left.cols as usize) as u64;
        self.extents.fractals = left.rows.div_ceil(16) * bytes.div_ceil(32) * right.cols.div_ceil(16);
        self.product = Some([left.rows, left.cols, right.cols]);
        self.element = element;
    }
}

/// The cycles of an instruction on its last pipe.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duration {
    /// Cycles during which the pipe begins nothing else; for a transfer of global memory, those before its bytes flow.
    pub before: f64,
    /// Cycles from the end of `before` and of the transfer to the results.
    pub latency: f64,
    /// Whether the moved bytes are those of global memory, which all cores share.
    pub moves_global: bool,
    /// Rate along the path in bytes per cycle.
    pub rate: f64,
}

/// Bytes a cycle along a path for which a device has no figure.
const UNKNOWN_RATE: f64 = 64.0;

impl Duration {
    /// The time of a load whose last pipe is `pipe` on a device.
    pub fn of(load: &Load, pipe: Pipe, device: &Device) -> Duration {
        match load.cost {
            Cost::Issue => Duration::default(),
            Cost::Cycles(_) => of_formula(load, pipe, device.profile),
            Cost::Transfer => of_transfer(load, device),
        }
    }
}

fn of_formula(load: &Load, pipe: Pipe, profile: Profile) -> Duration {
    let Some(formula) = load.cost.formula(profile, load.element) else { return Duration::default() };
    let (occupied, start) = (formula.occupied(&load.extents), formula.start.value);
    match profile.overlapping_pipes.contains(&pipe) {
        true => Duration { before: occupied, latency: start, ..Duration::default() },
        false => Duration { before: occupied + start, ..Duration::default() },
    }
}

fn of_transfer(load: &Load, device: &Device) -> Duration {
    let bytes = load.bytes as f64;
    let Some((from, to)) = load.from.zip(load.to) else {
        return Duration { before: bytes / UNKNOWN_RATE, ..Duration::default() };
    };
    let moves_global = from == Endpoint::Global || to == Endpoint::Global;
    let shared = match (from, to) {
        (Endpoint::Global, _) => device.l2_read.value,
        (_, Endpoint::Global) => device.l2_write.value,
        _ => f64::INFINITY,
    };
    let (before, latency, rate) = match device.path(from, to) {
        Some(Path { time: PathTime::Rate { start, each, run, rate }, .. }) => {
            (each.value + load.runs as f64 * run.value, start.value, rate.value)
        }
        Some(Path { time: PathTime::Drain { each, least, rate, odd }, .. }) => {
            let row = load.extents.row_bytes as f64;
            let blocks = load.extents.row_bytes.div_ceil(32).max(1);
            let factor = (blocks >> blocks.trailing_zeros()) as f64 - 1.0;
            let cycles =
                load.extents.rows as f64 * ((row / rate.value).max(least.value) + factor * odd.value);
            (each.value, 0.0, bytes / cycles.max(1.0))
        }
        _ => (0.0, 0.0, UNKNOWN_RATE),
    };
    let rate = rate.min(shared).max(1e-3);
    match moves_global {
        true => Duration { before, latency, moves_global, rate },
        false => Duration { before: before + bytes / rate, latency, moves_global, rate },
    }
}
