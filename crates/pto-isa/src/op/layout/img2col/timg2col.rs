//! TIMG2COL: unfolds a feature map: each row of the result holds the points under one position of the filter.

use super::geometry::{Filter, Geometry};
use super::rules::{BLOCK, DESTINATION, EXTENT, MAP, OUTPUT, POSITION, REPEAT, UNUSED};
use super::{
    DILATION, FILTER, KEYS, OF_TIMG2COL, PAD_VALUE, PARAMETERS, RegisterSet, SOURCE, STRIDE,
    check_parameters, fmatrix, is_map, is_register, map_size, repeat,
};
use crate::conv::ConvTileType;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::layout::{LayoutName, c0};
use crate::op::common::{ELEMENT, NUMBERS, SAME_TYPE, Types, element_type};
use crate::op::cost::Cost;
use crate::op::effect::{Count, Effect, Extent, Register};
use crate::op::form::{Syntax, form};
use crate::op::layout::transfer_rules::{MATRIX, MATRIX_A5};
use crate::op::origin::Origin;
use crate::op::picture::{Cells, Paint, Panel, Patch, Picture, Span, arrow};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{PerProfile, Profile};
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::padding,
    crate::exec::reference::Reference,
    crate::exec::registers::Img2colRegisters,
    crate::exec::state::{ConvTile, Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    pto_num::{get_element, set_element},
};

const TYPES: Types = Types {
    a2a3: &[Element::I8, Element::F16, Element::Bf16, Element::F32],
    a5: NUMBERS,
    a2a3_header: MATRIX,
    a5_header: MATRIX_A5,
};

/// The instruction TIMG2COL.
pub(in crate::op::layout) struct Timg2col {
    page: Page,
}

pub(in crate::op::layout) static TIMG2COL: Timg2col = Timg2col {
    page: Page {
        name: "timg2col",
        aliases: &[],
        set: Set::Layout,
        summary: "Makes a matrix with a row for each position of a filter: the points of the feature map under the filter.",
        formula: "m = row + i is (n, d, oh, ow), k = col + j is (c1, kh, kw, c0), the last fastest; ih = oh * stride + kh * \
                  dilation - top, iw = ow * stride + kw * dilation - left; dst[i, j] = src[n, d, c1, ih, iw, c0], outside \
                  the feature map the padding value; outputs = (map + padding - dilation * (filter - 1) - 1) / stride + 1",
        source: "docs/isa/TIMG2COL.md",
        syntax: Syntax::Destination(&[
            form!(ins(src: ConvTile) outs(dst: Tile)),
            form!(ins(src: ConvTile, row: Scalar, col: Scalar) outs(dst: Tile)),
        ]),
        attributes: OF_TIMG2COL,
        rules: &[
            &SAME_TYPE,
            &ELEMENT,
            &SOURCE,
            &DESTINATION,
            &BLOCK,
            &PARAMETERS,
            &UNUSED,
            &POSITION,
            &MAP,
            &OUTPUT,
            &REPEAT,
            &EXTENT,
        ],
        cost: Cost::Transfer,
        effects: &[
            Effect::reads_register(Register::Img2col),
            Effect::reads("src")
                .of(Extent::Storage)
                .loosely("only the points under the filter's positions are read"),
            Effect::writes("dst"),
        ],
        pictures: &[PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

const fn patch(at: (u8, u8), paint: Paint, label: &'static str) -> Patch {
    Patch::new(at, (2, 2), paint, label).with(Cells::Along)
}

const fn unfolded(row: u8, paint: Paint, label: &'static str) -> Patch {
    Patch::new((row, 0), (1, 4), paint, label).with(Cells::Along)
}

/// Four positions of a filter.
const PICTURE: Picture = Picture::tiles(
    "one channel, a filter of 2 x 2, stride 2: each position of the filter becomes a row",
    &[
        Panel::source(
            "src",
            (4, 4),
            &[
                patch((0, 0), Paint::First, "output (0, 0)"),
                patch((0, 2), Paint::Second, "output (0, 1)"),
                patch((2, 0), Paint::Second, ""),
                patch((2, 2), Paint::First, ""),
            ],
        )
        .measured(&[Span::Rows(0, 4, "H"), Span::Columns(0, 4, "W")]),
        Panel::destination(
            "dst",
            (4, 4),
            &[
                unfolded(0, Paint::First, "row 0"),
                unfolded(1, Paint::Second, "row 1"),
                unfolded(2, Paint::Second, ""),
                unfolded(3, Paint::First, ""),
            ],
        )
        .measured(&[Span::Rows(0, 4, "outputs"), Span::Columns(0, 4, "C1 * KH * KW * C0")]),
    ],
    &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((0, 2), (1, 2)), arrow((0, 3), (1, 3))],
)
.noted("With a smaller stride the places overlap; a point outside the feature map is the padding value.");

/// The filter in the attributes.
fn filter(site: &Site<'_>) -> Filter {
    let pair = |key: &super::Key| key.of(site).unwrap_or([1, 1]);
    Filter { size: pair(&FILTER), stride: pair(&STRIDE), dilation: pair(&DILATION) }
}

/// The rule that the registers break, and a message.
fn misfit(ty: &ConvTileType, geometry: &Geometry, repeat: u64) -> Option<(&'static Rule, String)> {
    let [rows, cols] = geometry.map;
    let [have_rows, have_cols] = map_size(ty);
    if rows == 0 || cols == 0 {
        return Some((&MAP, "FMATRIX holds no feature map: run `setfmatrix` first, or give `fmap`".into()));
    }
    if rows * cols > have_rows * have_cols {
        let message = format!("the feature map is {rows}x{cols}, the tile {have_rows}x{have_cols}");
        return Some((&MAP, message));
    }
    if geometry.out.contains(&0) {
        let Filter { size, dilation, .. } = geometry.filter;
        let message = format!(
            "a filter of {}x{} with dilation {}x{} is larger than the feature map of {rows}x{cols} with its padding",
            size[0], size[1], dilation[0], dilation[1]
        );
        return Some((&OUTPUT, message));
    }
    // Only one transfer without a destination offset is supported; stride and mode of further transfers are
    // ignored.
    if repeat >> 16 & 0xff != 1 || repeat >> 32 != 0 {
        let (times, target) = (repeat >> 16 & 0xff, repeat >> 32);
        let message = format!("RPT asks for {times} transfers, with {target:#x} for the destination");
        return Some((&REPEAT, message));
    }
    None
}

/// Legal layouts of a destination.
const ORDERS: PerProfile<&[LayoutName]> =
    PerProfile::new(&[LayoutName::Zz, LayoutName::Nz], &[LayoutName::Zz], &[LayoutName::Nz]);

impl Timg2col {
    fn check_tiles(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.conv("src"), check.tile("dst"));
        check.require(&SAME_TYPE, "src", src.element == dst.element(), |check| {
            let (from, to) = (element_word(src.element), element_word(dst.element()));
            format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
        });
        // The simulator and A2/A3 reject 8-bit floats.
        element_type(check, "dst", &TYPES, &|element| {
            element.bits() >= 8 && (element.is_integer() || element.bits() > 8)
        });
        let name = dst.layout().name;
        let order = ORDERS.of(check.profile()).contains(&name);
        let left = dst.location() == Location::Left && dst.ty.fractal == 512;
        check.require(&DESTINATION, "dst", left && order, |check| {
            format!(
                "{} is a {} tile, {}, with fractal={}",
                check.name("dst"),
                dst.location().word(),
                name.word(),
                dst.ty.fractal
            )
        });
        let channels = src.shape().last().copied().unwrap_or(0);
        check.require(&BLOCK, "src", channels == c0(src.element), |check| {
            format!("C0 of {} is {channels}, not {}", check.name("src"), c0(src.element))
        });
    }

    /// Checks the convolution statically, if the attributes describe it.
    fn check_geometry(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.conv("src"), check.tile("dst"));
        let geometry = Geometry::new(&src, fmatrix(check.site, &src), filter(check.site));
        if let Some((rule, message)) = misfit(&src, &geometry, repeat(check.site)) {
            check.require(rule, "src", false, |_| message);
            return;
        }
        let start = |role: &str| check.site.scalar(role).map_or(Some(0), |(_, value)| value);
        let first = [start("row"), start("col")];
        let have = geometry.matrix();
        for (at, (first, count)) in first.into_iter().zip([dst.rows, dst.cols]).enumerate() {
            let end = first.zip(count).map(|(first, count)| first.max(0) as u64 + u64::from(count));
            let exists = end.is_none_or(|end| end <= have[at]);
            check.judge(Severity::Lint, &EXTENT, "dst", exists, |check| {
                format!(
                    "{} takes {} to {}, but the matrix is {}x{}",
                    check.name("dst"),
                    if at == 0 { "rows up" } else { "columns up" },
                    end.unwrap_or(0),
                    have[0],
                    have[1]
                )
            });
        }
    }
}

impl Instruction for Timg2col {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Mte1
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    /// On devices a transfer ends at a multiple of 32 bytes.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        if let (Some(dst), Some(written)) = (site.tile("dst"), effects.last_mut())
            && site.profile.is_device()
        {
            *written = written.of(Extent::Rect(Count::Valid, Count::RoundedUp(c0(dst.element()))));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        self.check_tiles(check);
        check_parameters(check);
        for role in ["row", "col"] {
            let value = check.site.scalar(role).and_then(|(_, value)| value);
            let fits = value.is_none_or(|value| (0..=0xffff).contains(&value));
            check.require(&POSITION, role, fits, |_| format!("{} is out of range", value.unwrap_or(0)));
        }
        let src = check.conv("src");
        if !is_map(&src) {
            return;
        }
        if RegisterSet::of(check.site).auto {
            return self.check_geometry(check);
        }
        let said = |key: &&super::Key| is_register(key) && check.site.attribute(key.name).is_some();
        let unused = KEYS.iter().find(said).map(|key| key.name);
        let unused = unused.or(check.site.attribute(PAD_VALUE).map(|_| PAD_VALUE));
        check.judge(Severity::Lint, &UNUSED, "attributes", unused.is_none(), |_| {
            format!("`{}` is not used in a manual mode", unused.unwrap_or_default())
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Timg2col {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let unfold = Unfold::of(reference.prepare()).map_err(Fault::Other)?;
        let (geometry, pad) = unfold.begin(reference.state())?;
        let [row, col] = unfold.position(reference.state())?;
        let Size { rows, cols } = reference.valid(&unfold.dst);
        let base = reference.state().live_conv(&unfold.src);
        for i in 0..rows {
            for j in 0..unfold.columns(cols) {
                let (position, weight) = (geometry.position(row + i as u64), geometry.weight(col + j as u64));
                let value = match geometry.element(&position, &weight) {
                    Some(at) => {
                        get_element(reference.state().memory, base, at as usize, unfold.src.ty.element)
                    }
                    None => pad,
                };
                reference.set(&unfold.dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let unfold = Unfold::of(prepare)?;
        Ok(Box::new(move |state: &mut State<'_>| unfold.run(state)))
    }
}

/// The operands and attributes, ready to run.
#[cfg(feature = "run")]
struct Unfold {
    src: ConvTile,
    dst: Tile,
    /// Slots of the first row and the first column.
    first: [Option<usize>; 2],
    registers: RegisterSet,
    /// The number of the set of repeat and padding registers.
    shared_set: usize,
    /// The values that an automatic mode writes: FMATRIX, RPT and PADDING.
    written: [u64; 3],
    filter: Filter,
    /// Columns per block.
    block: usize,
}

#[cfg(feature = "run")]
impl Unfold {
    fn of(prepare: &Prepare<'_>) -> Result<Unfold, String> {
        let (site, src, dst) = (prepare.site, prepare.conv("src")?, prepare.tile("dst")?);
        let registers = RegisterSet::of(site);
        let slot = |role: &str| prepare.scalar_if(role).map(|(slot, _)| slot);
        // Devices move whole channel blocks, the simulator only valid columns.
        let block = if prepare.profile().is_device() { c0(dst.ty.element) as usize } else { 1 };
        Ok(Unfold {
            src,
            dst,
            first: [slot("row"), slot("col")],
            registers,
            shared_set: registers.shared_set(site.profile),
            written: [fmatrix(site, &src.ty), repeat(site), padding(site, src.ty.element)],
            filter: filter(site),
            block,
        })
    }

    /// Writes the registers in an automatic mode, then reads them; returns the convolution and the padding value.
    fn begin(&self, state: &mut State<'_>) -> Result<(Geometry, u64), Fault> {
        let Img2colRegisters { fmatrix, repeat, padding } = &mut state.registers.img2col;
        if self.registers.auto {
            let [map, times, value] = self.written;
            fmatrix[self.registers.set] = map;
            (repeat[self.shared_set], padding[self.shared_set]) = (times, value);
        }
        let geometry = Geometry::new(&self.src.ty, fmatrix[self.registers.set], self.filter);
        if let Some((rule, message)) = misfit(&self.src.ty, &geometry, repeat[self.shared_set]) {
            return Err(Fault::Broken(rule, message));
        }
        Ok((geometry, padding[self.shared_set] & self.dst.ty.element.mask()))
    }

    fn position(&self, state: &State<'_>) -> Result<[u64; 2], Fault> {
        let first = self.first.map(|slot| slot.map_or(0, |slot| state.scalars[slot]));
        if first.iter().any(|first| *first > 0xffff) { Err(Fault::Rule) } else { Ok(first) }
    }

    /// The columns that are written if `valid` are valid.
    fn columns(&self, valid: usize) -> usize {
        valid.next_multiple_of(self.block).min(self.dst.cols())
    }

    /// Copies runs of channels, which are contiguous in the feature map and in a row of a box.
    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (geometry, pad) = self.begin(state)?;
        let [row, col] = self.position(state)?;
        let (live, base) = (state.live(&self.dst), state.live_conv(&self.src));
        let cols = self.columns(live.cols as usize);
        let layout = &self.dst.layout;
        let size = self.dst.ty.element.bits() as usize / 8;
        let mut j = 0;
        while j < cols {
            let weight = geometry.weight(col + j as u64);
            let run = (geometry.c0() - weight.channel) as usize;
            let run = run.min(layout.box_cols - j % layout.box_cols).min(cols - j);
            for i in 0..live.rows as usize {
                let to = layout.offset(i, j);
                match geometry.element(&geometry.position(row + i as u64), &weight) {
                    Some(at) => {
                        let from = base + at as usize * size;
                        state.memory.copy_within(from..from + run * size, live.address + to * size);
                    }
                    None => {
                        for at in to..to + run {
                            set_element(state.memory, live.address, at, self.dst.ty.element, pad);
                        }
                    }
                }
            }
            j += run;
        }
        Ok(())
    }
}
