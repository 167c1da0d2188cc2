//! Location and layout of the operands that a probe tries.

use crate::check::tiles;
use pto_isa::diag::{Severity, Span};
use pto_isa::element::Element;
use pto_isa::layout::LayoutName;
use pto_isa::op::Set;
use pto_isa::op::form::{Form, Kind, Role};
use pto_isa::op::site::{Fact, GlobalLayout, TileFact, ViewFact, ViewLayout};
use pto_isa::profile::Profile;
use pto_isa::tile::{BLayout, Location, Pad, SLayout, TileType};

/// Location and layout of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandStorage {
    /// A tile.
    Tile {
        /// Buffer location of the tile.
        location: Location,
        /// Layout of the tile.
        layout: LayoutName,
        /// Bytes per box.
        fractal: u32,
        /// Whether the tile has a single row.
        is_row: bool,
    },
    /// A view of global memory.
    View(GlobalLayout),
}

const LAYOUTS: [LayoutName; 6] =
    [LayoutName::Nd, LayoutName::Dn, LayoutName::Nz, LayoutName::Zn, LayoutName::Zz, LayoutName::Nn];

impl OperandStorage {
    pub(super) const fn tile(location: Location, layout: LayoutName) -> OperandStorage {
        OperandStorage::Tile { location, layout, fractal: 512, is_row: false }
    }

    pub(super) const fn row(location: Location) -> OperandStorage {
        OperandStorage::Tile { location, layout: LayoutName::Nd, fractal: 512, is_row: true }
    }

    pub(super) const fn scale(location: Location, layout: LayoutName) -> OperandStorage {
        OperandStorage::Tile { location, layout, fractal: 32, is_row: false }
    }

    pub(super) const ACC: OperandStorage = OperandStorage::Tile {
        location: Location::Acc,
        layout: LayoutName::Nz,
        fractal: 1024,
        is_row: false,
    };

    /// The distinction from other tiles of its location and layout: ` of scales`, ` of one row`, or nothing.
    pub fn kind(self) -> &'static str {
        match self {
            OperandStorage::Tile { fractal: 32, .. } => " of scales",
            OperandStorage::Tile { is_row: true, .. } => " of one row",
            _ => "",
        }
    }

    /// The storage as text: `acc NZ`, `mat ND of one row`, `ND view`.
    pub fn text(self) -> String {
        match self {
            OperandStorage::View(layout) => format!("{} view", layout.word()),
            OperandStorage::Tile { location, layout, .. } => {
                format!("{} {}{}", location.word(), layout.word(), self.kind())
            }
        }
    }

    /// A tile type of a representative shape, which consists of whole boxes in every format.
    pub fn ty(self, element: Element) -> TileType {
        let OperandStorage::Tile { location, layout, fractal, is_row } = self else {
            return TileType::vec(element, 64, 64);
        };
        let (blayout, slayout) = match layout {
            LayoutName::Nd => (BLayout::RowMajor, SLayout::NoneBox),
            LayoutName::Dn => (BLayout::ColMajor, SLayout::NoneBox),
            LayoutName::Nz => (BLayout::ColMajor, SLayout::RowMajor),
            LayoutName::Zn => (BLayout::RowMajor, SLayout::ColMajor),
            LayoutName::Zz => (BLayout::RowMajor, SLayout::RowMajor),
            LayoutName::Nn => (BLayout::ColMajor, SLayout::ColMajor),
        };
        let (rows, cols) = if is_row { (1, 512) } else { (64, 64) };
        let (valid_rows, valid_cols) = (None, None);
        // Instructions that fill require a pad value.
        let pad = Pad::ZERO;
        let ty = TileType::vec(element, rows, cols);
        TileType { location, blayout, slayout, fractal, valid_rows, valid_cols, pad, ..ty }
    }

    pub(super) fn fact(self, element: Element) -> Fact {
        match self {
            OperandStorage::View(layout) => {
                let (shape, layout) = (vec![None; 5], ViewLayout(Some(layout)));
                Fact::View(ViewFact { element, shape, layout, strides: Vec::new(), is_static: false })
            }
            OperandStorage::Tile { .. } => {
                let ty = self.ty(element);
                Fact::Tile(TileFact {
                    ty,
                    rows: None,
                    cols: None,
                    address: None,
                    storage: (ty.rows, ty.cols),
                })
            }
        }
    }

    /// Every storage that is tried for a tile.
    pub fn tiles() -> Vec<OperandStorage> {
        let lists = [Location::Vec, Location::Mat]
            .map(|location| LAYOUTS.map(|layout| OperandStorage::tile(location, layout)).to_vec());
        let scales = [Location::Mat, Location::Scaling].map(|location| {
            [LayoutName::Zz, LayoutName::Nn].map(|layout| OperandStorage::scale(location, layout)).to_vec()
        });
        let rows = [Location::Mat, Location::Left, Location::Bias, Location::Scaling];
        let rows = rows.map(OperandStorage::row).to_vec();
        let factors = [left(), right(), vec![OperandStorage::ACC]];
        lists.into_iter().chain(factors).chain(scales).chain([rows]).flatten().collect()
    }

    /// Facts about an operand in this storage; `None` if such a tile cannot be declared.
    pub fn declared(self, element: Element) -> Option<Fact> {
        self.exists(element).then(|| self.fact(element))
    }

    /// Whether such a tile type is legal.
    pub(super) fn exists(self, element: Element) -> bool {
        let mut findings = Vec::new();
        if let OperandStorage::Tile { .. } = self {
            tiles::check_type(&self.ty(element), Profile::Cpu, Span::default(), &mut findings);
        }
        findings.iter().all(|finding| finding.severity != Severity::Error)
    }
}

/// The storages that are tried for an operand of a form with `count` operands.
pub(super) fn storages(set: Set, form: &Form, role: &Role, count: usize) -> Vec<OperandStorage> {
    let is_product = form.ins.iter().any(|role| role.name == "left");
    if role.kind == Kind::View {
        return GlobalLayout::ALL.map(OperandStorage::View).to_vec();
    }
    match (set, role.name) {
        (Set::Matmul, "left") => left(),
        (Set::Matmul, "right") => right(),
        // The scales of a factor.
        (Set::Matmul, "src") => [left(), right()].concat(),
        (Set::Matmul, "dst") if count == 2 && !is_product => scales(),
        (Set::Matmul, _) => vec![OperandStorage::ACC],
        (Set::Layout | Set::Memory, _) if count < 3 => OperandStorage::tiles(),
        // Instructions of the other sets compute on vec tiles.
        _ => LAYOUTS.map(|layout| OperandStorage::tile(Location::Vec, layout)).to_vec(),
    }
}

/// The storages of a left factor.
fn left() -> Vec<OperandStorage> {
    [LayoutName::Nz, LayoutName::Zz].map(|layout| OperandStorage::tile(Location::Left, layout)).to_vec()
}

/// The storages of the scales of factors.
fn scales() -> Vec<OperandStorage> {
    [LayoutName::Zz, LayoutName::Nn].map(|layout| OperandStorage::scale(Location::Scaling, layout)).to_vec()
}

/// The storages of a right factor.
fn right() -> Vec<OperandStorage> {
    vec![OperandStorage::tile(Location::Right, LayoutName::Zn)]
}
