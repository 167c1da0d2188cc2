//! Code shared by TINTERLEAVE and TDEINTERLEAVE: alternating columns and contiguous columns.

use crate::diag::Severity;
use crate::element::Element;
use crate::op::common::{
    ELEMENT, NUMBERS, SAME_TYPE, SAME_VALID, Types, VEC, agree, element_type, same_type, valid_regions, vec,
};
use crate::op::cost;
use crate::op::effect::{Access, Effect};
use crate::op::form::Syntax;
use crate::op::picture::{Cells, Paint, Patch, Picture};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, Profile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{BLayout, SLayout};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::layout::interleave::{deinterleave, interleave},
    pto_num::{get_element, set_element},
};

const PAGES: &str = "docs/isa/TINTERLEAVE.md, TDEINTERLEAVE.md, Constraints";
const PROFILE: Rule = Rule::new("profile", "A2/A3 has no such instruction.", PAGES)
    .because("The kernel does not compile for A2/A3.")
    .instead("Use TGATHER with a mask pattern, or run on A5.")
    .only(A2A3_ONLY);
const ROWS: Rule = Rule::new("row-major", "The tiles are row-major without boxes.", PAGES)
    .because("The instruction exchanges elements within rows.")
    .instead("Declare `blayout=row_major, slayout=none_box`.");
const EVEN: Rule = Rule::new(
    "even-columns",
    "The sources have an even number of valid columns.",
    PAGES,
)
.because("Columns are exchanged in pairs: with an odd number, TINTERLEAVE writes one element twice and drops the last one.")
.instead("Give the sources an even number of valid columns.")
.weighing(ERROR_OR_NPU_EXTENSION);
const HALF: Rule = Rule::new(
    "half-region",
    "In the form with one source, each destination has the source's valid rows and half of its valid columns.",
    "docs/isa/TDEINTERLEAVE.md; include/pto/npu/a5/TDeInterleave.hpp",
)
.because("Each destination receives every second column of the source.")
.instead("Give both destinations the source's valid rows and half of its valid columns.");
const WIDTH: Rule = Rule::new(
    "width",
    "In the form with one source, the source declares rows of at least 512 bytes.",
    "docs/isa/TDEINTERLEAVE.md, Single-source form",
)
.because("A5 reads two vectors of 256 bytes per step from a single source.")
.instead("Declare at least 512 bytes per row, or use the form with two sources.")
.only(A5_ONLY);

/// The rules of the forms with two sources.
pub(super) const RULES: &[&Rule] = &[&PROFILE, &VEC, &ROWS, &SAME_TYPE, &ELEMENT, &EVEN, &SAME_VALID];
/// Additional rules of the form with one source.
pub(super) const SINGLE_RULES: &[&Rule] =
    &[&PROFILE, &VEC, &ROWS, &SAME_TYPE, &ELEMENT, &EVEN, &SAME_VALID, &HALF, &WIDTH];
const TYPES: Types = Types { a2a3: &[], a5: NUMBERS, a2a3_header: &[], a5_header: &[] };

const EFFECTS: &[Effect] = &[
    Effect::reads("src"),
    Effect::reads("src0"),
    Effect::reads("src1"),
    Effect::writes("dst0"),
    Effect::writes("dst1"),
];

/// The page of one of the two instructions.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
    rules: &'static [&'static Rule],
    pictures: &'static [Picture],
) -> Page {
    Page::of(Set::Layout, name, summary, formula, source, syntax, rules)
        .costing(cost::COPY)
        .touching(EFFECTS)
        .pictured(pictures)
}

/// A column of a picture with two rows.
pub(super) const fn column(at: u8, paint: Paint, words: &'static [&'static str]) -> Patch {
    Patch::new((0, at), (2, 1), paint, "").with(Cells::Words(words))
}

/// The direction of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Interleave: contiguous columns become alternating columns.
    Together,
    /// Deinterleave: alternating columns become contiguous columns.
    Apart,
}

/// Interleaves the columns of two tiles, or deinterleaves them.
pub(super) struct Interleaving {
    pub(super) page: Page,
    pub(super) way: Way,
}

const OUTS: [&str; 2] = ["dst0", "dst1"];

fn sources(site: &Site<'_>) -> &'static [&'static str] {
    if site.operand("src").is_some() { &["src"] } else { &["src0", "src1"] }
}

impl Interleaving {
    /// The origin of column `j` of destination `to`, if sources have `cols` columns: source and column. An odd number of
    /// columns is interleaved in pairs, so the last column of the first destination is the first one of the second, too.
    fn origin(&self, to: usize, j: usize, cols: usize) -> (usize, usize) {
        match self.way {
            Way::Together => {
                let place = to * (cols / 2 * 2) + j;
                (place % 2, place / 2)
            }
            Way::Apart => {
                let place = 2 * j + to;
                (place / cols, place % cols)
            }
        }
    }
}

/// Bytes of a column stream that A5 interleaves in one step.
const STEP: u32 = 512;

/// Whether interleaving `cols` columns leaves the last column of both destinations unchanged: on A5 the last step has
/// a single element, and a step writes pairs.
fn keeps_last(cols: u32, element: Element, profile: Profile) -> bool {
    A5_ONLY.contains(&profile) && cols % 2 == 1 && cols % (STEP * 8 / element.bits()) == 1
}

fn rows(check: &mut Check<'_>, role: &str) {
    vec(check, role);
    let ty = check.tile(role).ty;
    let plain = (ty.blayout, ty.slayout) == (BLayout::RowMajor, SLayout::NoneBox);
    check.require(&ROWS, role, plain, |check| {
        format!("{} is {} with {}", check.name(role), ty.blayout.word(), ty.slayout.word())
    });
}

/// Checks the valid regions of the destinations against those of the sources.
fn check_regions(check: &mut Check<'_>, sources: &[&'static str], way: Way) {
    let first = check.tile(sources[0]);
    // A device interleaves an odd number of columns, against page and header.
    let (severity, judged) = match way {
        Way::Apart => (Severity::Error, true),
        Way::Together => (Severity::Extension, check.profile().is_device()),
    };
    let even = first.cols.is_none_or(|cols| cols % 2 == 0);
    check.judge(severity, &EVEN, sources[0], even || !judged, |check| {
        format!("{} has {} valid elements", check.name(sources[0]), first.valid_text())
    });
    for role in sources.iter().skip(1).chain(&OUTS).copied() {
        let tile = check.tile(role);
        let (rule, cols) = match sources.len() {
            1 => (&HALF, first.cols.map(|cols| cols / 2)),
            _ => (&SAME_VALID, first.cols),
        };
        check.require(rule, role, agree(tile.rows, first.rows) && agree(tile.cols, cols), |check| {
            valid_regions(check, role, sources[0])
        });
    }
}

impl Instruction for Interleaving {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        const LAST: &str = "a last column without a partner may stay as it is";
        let effects = site.held(self.page.effects);
        let Some(first) = site.tile("dst0").filter(|_| self.way == Way::Together) else { return effects };
        // Valid columns that are unknown may be such a number.
        let may_keep = match first.cols {
            Some(cols) => keeps_last(cols, first.element(), site.profile),
            None => A5_ONLY.contains(&site.profile),
        };
        let loosened = |effect: Effect| match (effect.access, effect.role()) {
            (Access::Write, Some(role)) if may_keep => Effect::writes_parts(role, LAST),
            _ => effect,
        };
        effects.into_iter().map(loosened).collect()
    }

    fn check(&self, check: &mut Check<'_>) {
        let name = self.page.name;
        if !check
            .require(&PROFILE, "dst0", false, |check| format!("{} has no `{name}`", check.profile().word()))
        {
            return;
        }
        let sources = sources(check.site);
        for role in sources.iter().chain(&OUTS) {
            rows(check, role);
        }
        for role in sources.iter().skip(1).chain(&OUTS) {
            same_type(check, role, sources[0]);
        }
        element_type(check, sources[0], &TYPES, &|element| element.bits() >= 8);
        check_regions(check, sources, self.way);
        if sources.len() == 1 {
            let ty = check.tile("src").ty;
            let bytes = ty.element.bytes(ty.cols as usize);
            check.require(&WIDTH, "src", bytes >= 512, |check| {
                format!("a row of {} has {bytes} bytes", check.name("src"))
            });
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Interleaving {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let sources: Vec<Tile> =
            sources(reference.prepare().site).iter().map(|role| reference.tile(role)).collect();
        let of_source = reference.valid(&sources[0]).cols;
        for (to, role) in OUTS.into_iter().enumerate() {
            let dst = reference.tile(role);
            let Size { rows, cols } = reference.valid(&dst);
            let keeps = self.way == Way::Together
                && keeps_last(cols as u32, dst.ty.element, reference.prepare().profile());
            let cols = if keeps { cols - 1 } else { cols };
            for i in 0..rows {
                for j in 0..cols {
                    let (from, col) = self.origin(to, j, of_source);
                    let bits = reference.get(&sources[from], i, col);
                    reference.set(&dst, i, j, bits);
                }
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let roles = sources(prepare.site);
        // A single source is used for both.
        let sources = [prepare.tile(roles[0])?, prepare.tile(roles[roles.len() - 1])?];
        let outs = [prepare.tile("dst0")?, prepare.tile("dst1")?];
        let element = outs[0].ty.element;
        let (way, count, profile) = (self.way, roles.len(), prepare.profile());
        let kernel =
            if way == Way::Together { interleave(element.bits()) } else { deinterleave(element.bits()) };
        Ok(Box::new(move |state: &mut State<'_>| {
            let at = state.apart([&outs[0], &outs[1]], [&sources[0], &sources[1]]);
            let live = state.live(&sources[0]);
            let (rows, half) = (live.rows as usize, live.cols as usize / 2);
            if live.cols % 2 == 1 {
                let keeps = keeps_last(live.cols, element, profile);
                return odd_columns(state, &sources, at, &outs, rows, keeps);
            }
            let [first, second] = outs.each_ref().map(|out| state.bytes_of(out));
            let mut run = |to: [usize; 2]| {
                for (turn, row) in (0..count).flat_map(|turn| (0..rows).map(move |row| (turn, row))) {
                    let place = |tile: &Tile, start: usize, col: usize| {
                        start + element.bytes(tile.layout.offset(row, col))
                    };
                    let col = turn * half;
                    let (lanes, both) = match way {
                        Way::Together => {
                            let lanes = [0, 1].map(|lane| place(&sources[lane], at[lane], col));
                            (lanes, place(&outs[turn], to[turn], 0))
                        }
                        Way::Apart => {
                            let lanes = [0, 1].map(|lane| place(&outs[lane], to[lane], col));
                            (lanes, place(&sources[turn], at[turn], 0))
                        }
                    };
                    kernel(state.memory, lanes[0], lanes[1], both, half);
                }
            };
            run([first.start, second.start]);
            if way == Way::Apart && first.start < second.end && second.start < first.end {
                // The second destination's contents remain in shared bytes: it is written again, with the first
                // one redirected to spare memory.
                run([state.spare.end - first.len(), second.start]);
            }
            Ok(())
        }))
    }
}

/// Interleaves an odd number of columns of `rows` rows. The sources are at the addresses `at`; with `keeps` the last column of each
/// destination keeps its value.
#[cfg(feature = "run")]
fn odd_columns(
    state: &mut State<'_>,
    sources: &[Tile; 2],
    at: [usize; 2],
    outs: &[Tile; 2],
    rows: usize,
    keeps: bool,
) -> Result<(), Fault> {
    for (to, dst) in outs.iter().enumerate() {
        let live = state.live(dst);
        let cols = live.cols as usize;
        let written = if keeps { cols - 1 } else { cols };
        for (i, j) in (0..rows).flat_map(|i| (0..written).map(move |j| (i, j))) {
            let place = to * (cols / 2 * 2) + j;
            let (from, col) = (&sources[place % 2], place / 2);
            let element = dst.ty.element;
            let bits = get_element(state.memory, at[place % 2], from.layout.offset(i, col), element);
            set_element(state.memory, live.address, dst.layout.offset(i, j), element, bits);
        }
    }
    Ok(())
}
