//! TCONCAT: concatenates two tiles along columns.

use super::indexed;
use super::transfer_rules::{MATRIX, MATRIX_A5, PROFILE_TYPE, profile_types};
use crate::element::Element;
use crate::op::common::{
    ELEMENT, NUMBERS, ROW_MAJOR, SAME_TYPE, Types, VEC, agree, element_type, same_type, valid_regions,
    vec_row_major,
};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::{Rule, join};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::layout::LayoutName,
    crate::matrix::{Position, Size},
    crate::op::Compute,
    crate::op::subtile::{SubTile, copy_subtile, lines},
    pto_kernels::{pairs_copy, rows_copy},
};

const SOURCE: &str = "docs/isa/TCONCAT.md";

const VALID_ROWS: Rule =
    Rule::new("valid-rows", "Sources and destination have the same number of valid rows.", SOURCE)
        .because("A row of the destination is made of one row of each source.")
        .instead("Give all three tiles the same number of valid rows.");
const VALID_COLS: Rule =
    Rule::new("valid-cols", "The valid columns of the sources add up to those of the destination.", SOURCE)
        .because("Columns without a source would stay undefined, and surplus columns would be lost.")
        .instead("Declare the destination with the sum of the sources' valid columns.");

pub(super) const TYPES: Types =
    Types { a2a3: NUMBERS, a5: NUMBERS, a2a3_header: MATRIX, a5_header: MATRIX_A5 };

/// Rules of every form.
pub(super) const COMMON: &[&Rule] = &[&PROFILE_TYPE, &SAME_TYPE, &ELEMENT, &VEC, &ROW_MAJOR, &VALID_ROWS];
const RULES: &[&Rule] = join!(COMMON, &[&VALID_COLS], indexed::RULES);

/// The instruction TCONCAT.
pub(super) struct Tconcat {
    page: Page,
}

const PICTURE: Picture = Picture::tiles(
    "basic form: the valid regions side by side",
    &[
        Panel::source("src0", (4, 6), &[Patch::new((0, 0), (4, 5), Paint::First, "valid region")])
            .measured(&[Span::Columns(0, 5, "validCols0")]),
        Panel::source("src1", (4, 6), &[Patch::new((0, 0), (4, 3), Paint::Second, "valid region")])
            .measured(&[Span::Columns(0, 3, "validCols1")]),
        Panel::destination(
            "dst",
            (4, 10),
            &[
                Patch::new((0, 0), (4, 5), Paint::First, "src0"),
                Patch::new((0, 5), (4, 3), Paint::Second, "src1"),
            ],
        )
        .measured(&[Span::Columns(0, 5, "validCols0"), Span::Columns(5, 8, "validCols1")]),
    ],
    &[arrow((0, 0), (2, 0)), arrow((1, 0), (2, 1))],
);

/// Effects of the forms without indices.
const PLAIN: &[Effect] = &[
    Effect::reads("src0"),
    Effect::reads("src1").of(Extent::Rect(Count::Rows("src0"), Count::Valid)),
    Effect::writes("dst").of(Extent::Rect(Count::Rows("src0"), Count::ColsOfBoth("src0", "src1"))),
];

/// Effects of all forms.
const EFFECTS: &[Effect] =
    &[PLAIN[0], PLAIN[1], indexed::INDICES[0], indexed::INDICES[1], PLAIN[2], indexed::COUNT];

pub(super) static TCONCAT: Tconcat = Tconcat {
    page: Page {
        name: "tconcat",
        aliases: &[],
        set: Set::Layout,
        summary: "Puts the columns of two tiles side by side.",
        formula: "dst[i, j] = src0[i, j] for j < n0, else src1[i, j - n0], n0 being the valid columns of src0",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src0: Tile, src1: Tile) outs(dst: Tile)),
            form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile)).named("indexed"),
            form!(ins(src0: Tile, src1: Tile, idx0: Tile, idx1: Tile) outs(dst: Tile, count: Tile))
                .named("counted"),
        ]),
        attributes: &[],
        rules: RULES,
        effects: EFFECTS,
        cost: cost::COPY,
        pictures: &[PICTURE, indexed::PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

/// Checks the rules common to the forms with and without indices.
pub(super) fn common_rules(check: &mut Check<'_>) {
    if !profile_types(check) {
        return;
    }
    for role in ["src0", "src1"] {
        same_type(check, role, "dst");
        vec_row_major(check, role);
    }
    vec_row_major(check, "dst");
    element_type(check, "dst", &TYPES, &|element| element.bits() >= 8);
    let dst = check.tile("dst");
    for role in ["src0", "src1"] {
        let src = check.tile(role);
        check
            .require(&VALID_ROWS, role, agree(src.rows, dst.rows), |check| valid_regions(check, role, "dst"));
    }
}

impl Instruction for Tconcat {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: crate::profile::Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        site.held(if site.operand("idx0").is_some() { indexed::EFFECTS } else { PLAIN })
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.operand("idx0").is_some() {
            return indexed::check(check);
        }
        common_rules(check);
        let (src0, src1, dst) = (check.tile("src0"), check.tile("src1"), check.tile("dst"));
        let sum = src0.cols.zip(src1.cols).map(|(a, b)| a.saturating_add(b));
        check.require(&VALID_COLS, "dst", agree(sum, dst.cols), |check| {
            let text = |cols: Option<u32>| cols.map_or("?".to_owned(), |cols| cols.to_string());
            format!(
                "{} + {} valid columns, but {} has {}: give it {}",
                text(src0.cols),
                text(src1.cols),
                check.name("dst"),
                text(dst.cols),
                text(sum)
            )
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Tconcat {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.tile_if("idx0").is_some() {
            return indexed::by_formula(reference);
        }
        let (dst, src0, src1) = (reference.tile("dst"), reference.tile("src0"), reference.tile("src1"));
        let Size { rows, cols: first } = reference.valid(&src0);
        let second = reference.valid(&src1).cols;
        for i in 0..rows {
            for j in 0..first + second {
                let value =
                    if j < first { reference.get(&src0, i, j) } else { reference.get(&src1, i, j - first) };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.tile_if("idx0").is_some() {
            return indexed::prepare(prepare);
        }
        let (dst, src0, src1) = (prepare.tile("dst")?, prepare.tile("src0")?, prepare.tile("src1")?);
        let bits = dst.ty.element.bits();
        let width = bits as usize / 8;
        // Devices accept only row-major tiles.
        let in_rows = [&dst, &src0, &src1].iter().all(|tile| tile.layout.name == LayoutName::Nd);
        let (copy, copy_pairs) = (rows_copy(dst.bytes()), pairs_copy());
        Ok(Box::new(move |state: &mut State<'_>| {
            let (a, b) = (state.live(&src0), state.live(&src1));
            let (rows, first, second) = (a.rows as usize, a.cols as usize, b.cols as usize);
            if first + second > dst.cols() || rows > dst.rows() || rows > src1.rows() {
                return Err(Fault::Rule);
            }
            let [at0, at1] = state.unalias(&dst, [&src0, &src1]);
            // A second source that aliases the destination is copied: the first source's columns would overwrite
            // it.
            let live = state.live(&dst).address;
            let at1 = if at1 == live { state.copy_aside(at1, src1.bytes()) } else { at1 };
            if in_rows {
                // Copies both halves of a row at once if they are equally long.
                let alike = first == second && src0.cols() == src1.cols() && at0 < at1;
                let rows_of = |tile: &Tile, address: usize, col: usize| {
                    lines(&tile.layout, address, Position { row: 0, col }, width)
                };
                let (to, left) = (rows_of(&dst, live, 0), rows_of(&src0, at0, 0));
                if alike {
                    copy_pairs(state.memory, to, left, at1 - at0, rows, first * width);
                    return Ok(());
                }
                let (behind, right) = (rows_of(&dst, live, first), rows_of(&src1, at1, 0));
                copy(state.memory, to, left, rows, first * width);
                copy(state.memory, behind, right, rows, second * width);
                return Ok(());
            }
            let target = SubTile::new(&dst, live, Position::default());
            let behind = SubTile::new(&dst, live, Position { row: 0, col: first });
            let source = |tile: &Tile, address: usize| SubTile::new(tile, address, Position::default());
            copy_subtile(state.memory, &target, &source(&src0, at0), rows, first);
            copy_subtile(state.memory, &behind, &source(&src1, at1), rows, second);
            Ok(())
        }))
    }
}
