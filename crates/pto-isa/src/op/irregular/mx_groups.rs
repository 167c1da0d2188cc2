//! The groups of TQUANT.MX, as the attributes of a use determine them: the elements that share a scale, and the place of
//! each group in the tiles with one element for each.

use crate::element::Element;
use crate::op::site::Site;
use pto_num::{Mx, ScaleRule};
#[cfg(feature = "run")]
use {
    crate::exec::state::Tile,
    crate::matrix::{Position, Size},
    pto_num::sizes::GROUP,
};

/// The attributes of a use.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) mx: Mx,
    /// Whether groups run down columns.
    pub(super) down: bool,
    pub(super) interleave: bool,
}

/// The contents of a tile with an element for each group.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg(feature = "run")]
pub(super) enum Holds {
    Exponents,
    /// Greatest values or scalings, one after the other.
    Values,
}

/// Position of a group: the row of its elements (column if groups run down), and its number along the other side.
#[derive(Clone, Copy)]
pub(super) struct GroupPosition {
    pub(super) line: usize,
    pub(super) group: usize,
    /// Groups per line.
    pub(super) groups: usize,
}

impl Plan {
    pub(super) fn of(site: &Site<'_>) -> Option<Plan> {
        let target = match site.word("quant_type")? {
            "MXFP8" => Element::E4M3,
            "MXFP4_E2M1" => Element::E2M1x2,
            _ => return None,
        };
        let rule = match site.word_or_default("quantScaleAlg")? {
            "ocp" => ScaleRule::Ocp,
            "nv" => ScaleRule::Nv,
            _ => return None,
        };
        let down = match site.word_or_default("grpAxis")? {
            "axis0" => true,
            "axis1" => false,
            _ => return None,
        };
        let interleave = site.integer_or_default("interleave")? != 0;
        let source = site.tile("src")?.element();
        (down || !interleave).then_some(Plan { mx: Mx { source, target, rule }, down, interleave })
    }

    /// Lines and groups per line of a source with this valid region.
    #[cfg(feature = "run")]
    pub(super) fn counts(self, region: Size) -> (usize, usize) {
        let Size { rows, cols } = region;
        if self.down { (cols, rows.div_ceil(GROUP)) } else { (rows, cols.div_ceil(GROUP)) }
    }

    /// Row and column of element `k` of a group.
    #[cfg(feature = "run")]
    pub(super) fn element(self, position: GroupPosition, k: usize) -> Position {
        let along = position.group * GROUP + k;
        if self.down {
            Position { row: along, col: position.line }
        } else {
            Position { row: position.line, col: along }
        }
    }

    /// The number of elements in a group of a source with this valid region.
    #[cfg(feature = "run")]
    pub(super) fn count(self, position: GroupPosition, region: Size) -> usize {
        let length = if self.down { region.rows } else { region.cols };
        GROUP.min(length - position.group * GROUP)
    }

    /// Row and column of the element for a group in a tile with `wide` valid columns.
    #[cfg(feature = "run")]
    pub(super) fn of_group(
        self,
        tile: &Tile,
        wide: usize,
        position: GroupPosition,
        of: Holds,
    ) -> (usize, usize) {
        let number = position.line * position.groups + position.group;
        match (self.down, of) {
            (true, Holds::Exponents) if self.interleave => {
                (position.group / 2, 2 * position.line + position.group % 2)
            }
            (true, _) => (position.group, position.line),
            // A tile with a single row holds all groups in that row.
            (false, Holds::Exponents) if tile.ty.rows > 1 => (position.line, position.group),
            _ => (number / wide.max(1), number % wide.max(1)),
        }
    }
}

/// The byte offset of an exponent in ZZ order.
pub(super) fn zz(position: GroupPosition) -> usize {
    let (block, pair) = (position.line / 16 * (position.groups / 2), position.group / 2);
    ((block + pair) * 16 + position.line % 16) * 2 + position.group % 2
}
