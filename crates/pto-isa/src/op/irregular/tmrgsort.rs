//! TMRGSORT: merges sorted lists of pairs.

use super::shared::{ROWS, Types, holds, rows};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::common::{VEC, agree};
use crate::op::cost;
use crate::op::effect::{Effect, Extent, Target};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::{ERROR_OR_EXTENSION, Rule};
use pto_num::sizes::LISTS;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::op::Compute,
    pto_kernels::sort::{List, merge},
    pto_num::sizes::PAIR,
};

const SOURCE: &str = "docs/isa/TMRGSORT.md";

const ELEMENT: Rule = Rule::new("element-type", "Lists and result are f16 or f32, all the same.", SOURCE)
    .because("The device merges records whose value is of these formats.")
    .instead("Declare lists and result as f16 or as f32.");
const ONE_ROW: Rule = Rule::new("one-row", "The tiles declare one row, and it is valid.", SOURCE)
    .because("A list is one contiguous line of records.")
    .instead("Declare the tiles with one row.");
const LENGTH: Rule = Rule::new(
    "block-length",
    "blockLen is a multiple of 64, and the valid elements of the source are 1 to 255 times four blocks.",
    "docs/isa/TMRGSORT.md, Single-list constraints",
)
.because("The device merges four blocks of whole records at a time, with an 8-bit repeat count.")
.instead("Choose `blockLen` as a multiple of 64 that divides the list into 4 to 1020 blocks.");
const ROOM: Rule = Rule::new(
    "room",
    "The destination declares as many elements as the source has valid ones.",
    "docs/isa/TMRGSORT.md, Single-list variant",
)
.because("Records beyond the destination overwrite other tiles.")
.instead("Declare the destination with at least the source's valid columns.");
const TMP: Rule = Rule::new(
    "workspace",
    "The workspace declares as many columns as all lists together.",
    "docs/isa/TMRGSORT.md, Temporary Space",
)
.because("The device merges into the workspace before it copies to the destination.")
.instead("Declare the workspace with the sum of the lists' columns.")
.weighing(ERROR_OR_EXTENSION);
const COUNT: Rule = Rule::new(
    "lists",
    "Two to four lists are merged: the tiles before the workspace, or all tiles with no_tmp.",
    "docs/isa/TMRGSORT.md, Variant B",
)
.because("The merge unit has four inputs.")
.instead("Merge two to four lists, and merge the results again.");

const VALUES: Types = Types {
    a2a3: &[Element::F16, Element::F32],
    a5: &[Element::F16, Element::F32],
    cpu: &[Element::F16, Element::F32],
};

/// The instruction TMRGSORT: merges the blocks of one tile, or several tiles.
pub(super) struct Tmrgsort {
    page: Page,
}

const STOPS: &str = "the rest of dst stays if the lists are shorter, or one is used up";

pub(super) static TMRGSORT: Tmrgsort = Tmrgsort {
    page: Page {
        name: "tmrgsort",
        aliases: &[],
        set: Set::Irregular,
        summary: "Merges sorted lists of value-index pairs, the greatest value first: every four blocks of a tile, or two to \
                  four tiles.",
        formula: "dst = merge(src0, src1, ...) in the valid region of dst; of equal values, the value of the earlier list comes \
                  first; with exhausted, the merge ends when one list is used up",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile, block: Scalar) outs(dst: Tile)),
            form!(ins(src0: Tile, src1: Tile) outs(dst: Tile, executed: Other)),
            form!(ins(src0: Tile, src1: Tile, src2: Tile) outs(dst: Tile, executed: Other)),
            form!(ins(src0: Tile, src1: Tile, src2: Tile, src3: Tile) outs(dst: Tile, executed: Other)),
            form!(ins(src0: Tile, src1: Tile, src2: Tile, src3: Tile, tmp: Tile) outs(dst: Tile, executed: Other)),
        ]),
        attributes: &[
            AttributeSpec::boolean("exhausted", "Whether the merge ends when one list is used up.")
                .or_bool(false),
            AttributeSpec::new(
                "no_tmp",
                AttributeKind::Unit,
                "There is no workspace: every source is a list.",
            )
            .or_means("the last source is a workspace"),
        ],
        rules: &[&VEC, &ROWS, &ELEMENT, &ONE_ROW, &LENGTH, &ROOM, &COUNT, &TMP],
        cost: cost::MERGE,
        effects: &[
            Effect::reads("src"),
            Effect::reads("src0"),
            Effect::reads("src1"),
            Effect::reads("src2"),
            Effect::reads("src3"),
            Effect::destroys("tmp"),
            Effect::writes_parts("dst", STOPS),
            Effect::uses_flags(),
        ],
        pictures: super::sort_pictures::TMRGSORT,
        origin: Some(Origin::WRITTEN),
    },
};

const ROLES: [&str; 5] = ["src0", "src1", "src2", "src3", "tmp"];

/// The roles of the lists, and the role of the workspace, which is the last tile, if there is one.
fn lists(site: &Site<'_>) -> (Vec<&'static str>, Option<&'static str>) {
    let mut roles: Vec<_> = ROLES.into_iter().filter(|role| site.operand(role).is_some()).collect();
    let tmp = if site.attribute("no_tmp").is_some() { None } else { roles.pop() };
    (roles, tmp)
}

/// Whether the merge ends when the first list is exhausted.
fn is_exhausted(site: &Site<'_>) -> bool {
    site.integer_or_default("exhausted") == Some(1)
}

fn check_block(check: &mut Check<'_>) {
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    let block = check.site.scalar("block").and_then(|(_, value)| value);
    let multiple = block.is_none_or(|block| block > 0 && block % 64 == 0);
    let times = block.filter(|block| *block > 0).zip(src.cols).map(|(block, cols)| {
        let four = i128::from(block) * 4;
        if i128::from(cols) % four == 0 { i128::from(cols) / four } else { 0 }
    });
    let fits = multiple && times.is_none_or(|times| (1..=255).contains(&times));
    check.require(&LENGTH, "block", fits, |check| {
        let block = block.map_or("?".to_owned(), |block| block.to_string());
        format!("blocks of {block} elements, and {} has {} valid ones", check.name("src"), src.valid_text())
    });
    check.require(&ROOM, "dst", src.cols.is_none_or(|cols| cols <= dst.ty.cols), |check| {
        let have = src.valid_text();
        format!(
            "{} has {have} valid elements, {} room for {}",
            check.name("src"),
            check.name("dst"),
            dst.ty.cols
        )
    });
}

fn check_lists(check: &mut Check<'_>) {
    let (roles, tmp) = lists(check.site);
    check.require(&COUNT, "dst", (2..=LISTS).contains(&roles.len()), |_| {
        format!("{} lists and {}", roles.len(), if tmp.is_some() { "a workspace" } else { "no workspace" })
    });
    if let Some(role) = tmp {
        let need: u64 = roles.iter().map(|role| u64::from(check.tile(role).ty.cols)).sum();
        let (have, dst) = (check.tile(role).ty.cols, check.tile("dst").ty.cols);
        // The public assembler requires only the columns of the destination.
        let severity = if have >= dst { Severity::Extension } else { Severity::Error };
        check.judge(severity, &TMP, role, u64::from(have) >= need, |check| {
            format!("{} has {have} columns, the lists have {need}", check.name(role))
        });
    }
}

impl Instruction for Tmrgsort {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    /// The effects of a use: blocks write as much of the destination as the source has; a merge may stop at the end
    /// of one list.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        if site.operand("block").is_some() {
            effects.pop();
            effects.push(Effect::writes("dst").of(Extent::like("src")));
        }
        // The last of several tiles is the workspace, regardless of its role.
        if let (_, Some(role)) = lists(site) {
            effects.retain(|effect| !matches!(effect.target, Target::Operand(of, _) if of == role));
            effects.push(Effect::destroys(role));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        holds(check, &ELEMENT, "dst", VALUES.of(check.profile()));
        let element = check.tile("dst").element();
        let roles = ["src", "dst"].into_iter().chain(ROLES);
        for role in roles.filter(|role| check.site.operand(role).is_some()).collect::<Vec<_>>() {
            rows(check, role);
            let tile = check.tile(role);
            check.require(&ONE_ROW, role, tile.ty.rows == 1 && agree(tile.rows, Some(1)), |check| {
                format!("{} declares {} rows, {} valid", check.name(role), tile.ty.rows, tile.valid_text())
            });
            check.require(&ELEMENT, role, tile.element() == element, |check| {
                let (a, b) = (element_word(tile.element()), element_word(element));
                format!("{} holds {a}, {} {b}", check.name(role), check.name("dst"))
            });
        }
        if check.site.operand("block").is_some() { check_block(check) } else { check_lists(check) }
    }
}

#[cfg(feature = "run")]
impl Compute for Tmrgsort {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let element = dst.ty.element;
        let slots = PAIR / element.bytes(1);
        let pairs = |reference: &Reference<'_>, tile: &Tile, from: usize, to: usize| {
            let bits = |pair: usize| (0..slots).map(move |slot| (pair * slots + slot, slot as u32));
            let pair = |pair| {
                bits(pair)
                    .fold(0, |all, (col, slot)| all | reference.get(tile, 0, col) << (slot * element.bits()))
            };
            (from..to).map(pair).collect::<Vec<u64>>()
        };
        let site = reference.prepare().site;
        let (mut groups, exhausted, room) =
            (Vec::new(), is_exhausted(site), reference.valid(&dst).cols / slots);
        if site.operand("block").is_some() {
            let src = reference.tile("src");
            let block = block_of(reference.integer("block"), reference.valid(&src).cols)? / slots;
            let all = reference.valid(&src).cols / slots;
            for start in (0..all).step_by(4 * block) {
                let list = |at| pairs(reference, &src, start + at * block, start + (at + 1) * block);
                groups.push((0..4).map(list).collect::<Vec<_>>());
            }
        } else {
            let tiles = lists(site).0.into_iter().map(|role| reference.tile(role));
            let list = |tile: Tile| pairs(reference, &tile, 0, reference.valid(&tile).cols / slots);
            groups.push(tiles.map(list).collect());
        }
        let room = if site.operand("block").is_some() { usize::MAX } else { room };
        let mut place = 0;
        for mut group in groups {
            group.iter_mut().for_each(|list| list.reverse());
            while !(exhausted && group.iter().any(Vec::is_empty)) && place < room {
                let value = |list: &Vec<u64>| list.last().map(|pair| element.decode(pair & element.mask()));
                let beats = |x: f64, y: f64| x > y || y.is_nan() && !x.is_nan();
                let mut best: Option<(usize, f64)> = None;
                for (at, x) in group.iter().enumerate().filter_map(|(at, list)| Some((at, value(list)?))) {
                    best = best.filter(|(_, y)| !beats(x, *y)).or(Some((at, x)));
                }
                let Some(pair) = best.and_then(|(at, _)| group[at].pop()) else { break };
                for slot in 0..slots {
                    reference.set(&dst, 0, place * slots + slot, pair >> (slot as u32 * element.bits()));
                }
                place += 1;
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        if prepare.site.operand("block").is_some() {
            return blocks(dst, prepare.tile("src")?, prepare.scalar("block")?.0);
        }
        let tiles: Result<Vec<_>, _> =
            lists(prepare.site).0.into_iter().map(|role| prepare.tile(role)).collect();
        let (tiles, exhausted, element) = (tiles?, is_exhausted(prepare.site), dst.ty.element);
        let executed = prepare.pointer("executed").ok();
        Ok(Box::new(move |state: &mut State<'_>| {
            let mut list = [List::default(); LISTS];
            for (list, tile) in list.iter_mut().zip(&tiles) {
                let live = state.live(tile);
                *list = List { start: live.address, pairs: element.bytes(live.cols as usize) / PAIR };
            }
            let live = state.live(&dst);
            let room = element.bytes(live.cols as usize) / PAIR;
            let lists = &list[..tiles.len().min(LISTS)];
            let aside = state.spare.start;
            let taken = merge(state.memory, element, lists, aside, room, exhausted);
            let bytes = taken.iter().sum::<usize>().min(room) * PAIR;
            state.memory.copy_within(aside..aside + bytes, live.address);
            if let Some(slot) = executed.filter(|_| exhausted) {
                state.scalars[slot] = status(taken);
            }
            Ok(())
        }))
    }
}

/// The number of pairs taken from each list, as `vector<4xi16>`.
fn status(taken: [usize; LISTS]) -> u64 {
    taken.iter().rev().fold(0, |all, count| all << 16 | *count as u64 & 0xffff)
}

/// The block length, if it is legal for rows of `cols` elements.
#[cfg(feature = "run")]
fn block_of(length: i64, cols: usize) -> Result<usize, Fault> {
    let length = usize::try_from(length).map_err(|_| Fault::Rule)?;
    let four = length.saturating_mul(4);
    let fits =
        length != 0 && length % 64 == 0 && cols.is_multiple_of(four) && (1..=255).contains(&(cols / four));
    fits.then_some(length).ok_or(Fault::Rule)
}

/// Merges groups of four blocks of `src`.
#[cfg(feature = "run")]
fn blocks(dst: Tile, src: Tile, slot: usize) -> Result<Box<dyn Execute>, String> {
    let element = dst.ty.element;
    Ok(Box::new(move |state: &mut State<'_>| {
        let live = state.live(&src);
        let cols = live.cols as usize;
        let block = block_of(state.scalars[slot] as i64, cols)?;
        let (aside, pairs) = (state.spare.start, element.bytes(block) / PAIR);
        for start in (0..element.bytes(cols)).step_by(4 * pairs * PAIR) {
            let list = |at| List { start: live.address + start + at * pairs * PAIR, pairs };
            merge(state.memory, element, &[0, 1, 2, 3].map(list), aside + start, 4 * pairs, false);
        }
        let to = state.live(&dst).address;
        state.memory.copy_within(aside..aside + element.bytes(cols), to);
        Ok(())
    }))
}
