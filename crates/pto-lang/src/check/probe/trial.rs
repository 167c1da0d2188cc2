//! Facts of a use that no table has: the shape of tiles, the element type of a workspace, the words of required
//! attributes, the extents of a feature map.

use super::OperandStorage;
use crate::ir::{Attribute, EnumSpelling, NamedAttribute};
use pto_isa::conv::{ConvLayout, ConvTileType, MAX_CONV_RANK};
use pto_isa::element::Element;
use pto_isa::layout::LayoutName;
use pto_isa::op::Page;
use pto_isa::op::attribute::{AttributeKind, DefaultValue};
use pto_isa::op::form::Form;
use pto_isa::op::site::Fact;
use pto_isa::registry::Op;
use pto_isa::tile::{BLayout, Location, TileType};

/// Declared shapes of the tiles of a use. An instruction is tried with the first shape that is legal for some types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Tiles of one size.
    Square,
    /// A destination four times as wide, for instructions whose results are larger than their sources.
    Wide,
    /// Tiles of one row.
    Row,
    /// Tiles of one row, with a wide destination.
    WideRow,
}

impl Shape {
    pub(super) const ALL: [Shape; 4] = [Shape::Square, Shape::Wide, Shape::Row, Shape::WideRow];

    const fn is_row(self) -> bool {
        matches!(self, Shape::Row | Shape::WideRow)
    }

    /// A storage in this shape.
    pub(super) fn of(self, storage: OperandStorage) -> OperandStorage {
        match storage {
            OperandStorage::Tile { location: Location::Vec, layout: LayoutName::Nd, .. } if self.is_row() => {
                OperandStorage::row(Location::Vec)
            }
            other => other,
        }
    }

    /// The storages that are tried in this shape.
    pub(super) fn among(self, storages: Vec<OperandStorage>) -> Vec<OperandStorage> {
        let changed = storages.iter().map(|storage| self.of(*storage));
        if self.is_row() {
            changed.zip(&storages).filter(|(a, b)| a != *b).map(|(a, _)| a).collect()
        } else {
            storages
        }
    }

    /// Widens a destination.
    pub(super) fn widen(self, fact: &mut Fact) {
        if let Fact::Tile(tile) = fact
            && matches!(self, Shape::Wide | Shape::WideRow)
        {
            tile.ty.cols *= 4;
            tile.storage = (tile.ty.rows, tile.ty.cols);
        }
    }
}

/// One choice of the properties that a table does not show.
pub(super) struct Trial {
    pub(super) shape: Shape,
    /// Element type of a workspace; `None` for the source's element type.
    pub(super) workspace: Option<Element>,
    pub(super) attributes: &'static [NamedAttribute],
    /// Declared rows and columns of a tile of indices; `None` for those of the other tiles.
    pub(super) indices: Option<(u32, u32)>,
    /// Whether the types of tiles state their valid regions.
    pub(super) fixed: bool,
}

impl Trial {
    /// Makes the valid region of a tile its declared shape, for instructions that require a known one.
    pub(super) fn fix(&self, fact: &mut Fact) {
        if let Fact::Tile(tile) = fact
            && self.fixed
        {
            (tile.rows, tile.cols) = (Some(tile.ty.rows), Some(tile.ty.cols));
            (tile.ty.valid_rows, tile.ty.valid_cols) = (tile.rows, tile.cols);
        }
    }

    /// Gives a tile of indices its shape; a single column is column-major.
    pub(super) fn reshape(&self, fact: &mut Fact) {
        if let (Fact::Tile(tile), Some((rows, cols))) = (fact, self.indices) {
            let blayout = if cols == 1 { BLayout::ColMajor } else { BLayout::RowMajor };
            tile.ty = TileType { rows, cols, blayout, ..tile.ty };
            tile.storage = (rows, cols);
        }
    }
}

/// The trials of a form.
pub(super) fn trials(page: &Page, form: &Form) -> Vec<Trial> {
    let with_workspace = form.roles().any(|role| role.name == "tmp");
    let workspaces: &[Option<Element>] = if with_workspace { &[None, Some(Element::F32)] } else { &[None] };
    // A histogram of bytes has an index for each row, or those of the two bytes above.
    let of_bytes = page.name == Op::THISTOGRAM.page().name;
    let indices: &[_] = if of_bytes { &[Some((64, 1)), Some((2, 64))] } else { &[None] };
    let of_groups = page.name == Op::TQUANT_MX.page().name;
    let fixed: &[bool] = if of_groups { &[false, true] } else { &[false] };
    let mut trials = Vec::new();
    for shape in Shape::ALL {
        for attributes in required(page, form) {
            for workspace in workspaces.iter().copied() {
                for indices in indices.iter().copied() {
                    let trial = |fixed: &bool| Trial { shape, workspace, attributes, indices, fixed: *fixed };
                    trials.extend(fixed.iter().map(trial));
                }
            }
        }
    }
    trials
}

/// The attributes of the trials: each word of a required attribute, or a key without a value and nothing. A gather or
/// scatter with other sources has no pattern.
fn required(page: &Page, form: &Form) -> Vec<&'static [NamedAttribute]> {
    let by_pattern = [Op::TGATHER, Op::TSCATTER].iter().any(|op| op.page().name == page.name);
    let masked = by_pattern && form.ins.len() == 1;
    let specs = page.attributes.iter().filter(|spec| match spec.name {
        "maskPattern" => masked,
        _ => spec.default == DefaultValue::Required,
    });
    let of_words = specs.filter_map(|spec| match spec.kind {
        AttributeKind::Words(name, words) if !by_pattern || masked => Some((spec.name, name, words)),
        _ => None,
    });
    let lists: Vec<_> = of_words.collect();
    let flag = page.attributes.iter().find(|spec| spec.kind == AttributeKind::Unit);
    match (lists.as_slice(), flag) {
        ([(key, name, words)], _) => words.iter().map(|one| leaked(key, word(name, one))).collect(),
        (_, Some(flag)) => vec![&[], leaked(flag.name, Attribute::Unit)],
        _ => vec![&[]],
    }
}

fn word(name: &str, word: &str) -> Attribute {
    Attribute::Enum { name: name.to_owned(), value: word.to_owned(), spelling: EnumSpelling::Dotted }
}

/// An attribute for the rest of the run; tables are made once.
fn leaked(key: &str, value: Attribute) -> &'static [NamedAttribute] {
    Box::leak(Box::new([NamedAttribute::new(key, value)]))
}

/// A feature map of 8x8 points with one block of channels.
pub(super) fn map(element: Element) -> ConvTileType {
    let channels = (32 * 8 / element.bits().max(1)).max(1);
    let mut extents = [1; MAX_CONV_RANK];
    extents[..5].copy_from_slice(&[1, 1, 8, 8, channels]);
    ConvTileType { location: Location::Mat, layout: ConvLayout::Nc1hwc0, element, extents }
}
