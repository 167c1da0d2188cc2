//! TTRANS between convolution tiles: between plain channels and channel blocks, and from filters to fractals.

use super::ttrans::{SIZE, TYPES};
use crate::conv::{ConvLayout, ConvTileType};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::layout::c0;
use crate::op::common::VEC;
use crate::op::site::Check;
use crate::profile::{A2A3_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_EXTENSION, Rule};
use crate::tile::Location;
use ConvLayout::{FractalZ, FractalZ3d, Gnc1hwc0, Gnchw, Nc1hwc0, Ncdhw, Nchw, Ndc1hwc0};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{ConvTile, Execute, Fault, Prepare, State},
    ConvLayout::FractalZPoints,
    pto_kernels::{Placement, copy_matrix},
    pto_num::{get_element, set_element},
};

const SOURCE: &str = "docs/isa/TTRANS.md, ConvTile";

const LAYOUTS: Rule = Rule::new(
    "conv-layouts",
    "Convolution tiles are changed from NCHW to NC1HWC0 and back, from GNCHW to GNC1HWC0, from NC1HWC0 or GNC1HWC0 to \
     FRACTAL_Z, and from NCDHW to FRACTAL_Z_3D. Only headers change GNC1HWC0 back to GNCHW, and have FRACTAL_Z_3D on A2/A3.",
    SOURCE,
)
.because("The device has a loop for these pairs of layouts only.")
.instead("Change the layout in two steps, by way of one in the statement.")
.weighing(ERROR_OR_EXTENSION);
const SHAPE: Rule = Rule::new(
    "conv-shape",
    "Both tiles have the same groups, images, depth and points; channels fill C1 blocks of C0, output channels N1 blocks \
     of N0.",
    SOURCE,
)
.because("Each element of one tile has its place in the other.")
.instead("Declare the destination with the extents that the statement gives.");
const BLOCKS: Rule = Rule::new(
    "conv-blocks",
    "C0 takes 32 bytes, or is 4 without a third dimension of points; N0 is 16.",
    SOURCE,
)
.because("The device moves channel blocks of 32 bytes, and 16 output channels at a time.")
.instead("Declare C0 as 32 bytes and N0 as 16.")
.only(NPU);
const POINTS: Rule = Rule::new(
    "conv-points",
    "The points of a channel that goes into a block take a multiple of 32 bytes.",
    SOURCE,
)
.because("The device transposes blocks of 32 bytes of points.")
.instead("Pad rows times columns to a multiple of 32 bytes.")
.only(NPU);
const TMP: Rule = Rule::new(
    "conv-tmp-size",
    "The workspace has the size that the page requires for the pair of layouts.",
    "docs/isa/TTRANS.md, Temporary tile",
)
.because("The device keeps transposed blocks there and overruns a smaller tile.")
.instead("Declare a workspace of the size that the message names.")
.only(A2A3_ONLY);

/// Rules of convolution tiles only.
pub(super) const RULES: &[&Rule] = &[&LAYOUTS, &SHAPE, &BLOCKS, &POINTS, &TMP];

/// The data that both tiles hold: extents, and the extents of the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extents {
    groups: u64,
    /// Images, or output channels of a filter.
    images: u64,
    /// Capacity for images; larger than `images` if the last block is partial.
    image_places: u64,
    channels: u64,
    /// Number of channel blocks, C1.
    blocks: u64,
    c0: u64,
    depth: u64,
    rows: u64,
    cols: u64,
}

/// Whether TTRANS converts one layout to the other.
fn is_pair(from: ConvLayout, to: ConvLayout) -> bool {
    matches!(
        (from, to),
        (Nchw, Nc1hwc0)
            | (Nc1hwc0, Nchw | FractalZ)
            | (Gnchw, Gnc1hwc0)
            | (Gnc1hwc0, Gnchw | FractalZ)
            | (Ncdhw, FractalZ3d)
    )
}

/// Profiles that have FRACTAL_Z_3D only in their header.
const FRACTAL_Z3D_BY_HEADER: &[Profile] = A2A3_ONLY;

/// Whether a profile has the pair of layouts only in its header.
fn is_later(profile: Profile, from: ConvLayout, to: ConvLayout) -> bool {
    match (from, to) {
        (Gnc1hwc0, Gnchw) => profile.is_device(),
        (Ncdhw, FractalZ3d) => FRACTAL_Z3D_BY_HEADER.contains(&profile),
        _ => false,
    }
}

impl Extents {
    /// The extents of a tile that is not a fractal; channels in blocks are all counted. `c0` is used if the tile
    /// has no blocks.
    fn of(ty: &ConvTileType, c0: u64) -> Extents {
        let shape: Vec<u64> = ty.shape().iter().map(|extent| u64::from(*extent)).collect();
        let plain = |groups: u64, images: u64, channels: u64, depth: u64, points: [u64; 2]| Extents {
            groups,
            images,
            image_places: images,
            channels,
            blocks: channels.div_ceil(c0.max(1)),
            c0,
            depth,
            rows: points[0],
            cols: points[1],
        };
        let blocked = |groups: u64, images: u64, depth: u64, blocks: u64, points: [u64; 2], c0: u64| {
            Extents { blocks, c0, ..plain(groups, images, blocks.saturating_mul(c0), depth, points) }
        };
        match (ty.layout, shape.as_slice()) {
            (Nchw, &[n, c, h, w]) => plain(1, n, c, 1, [h, w]),
            (Gnchw, &[g, n, c, h, w]) => plain(g, n, c, 1, [h, w]),
            (Ncdhw, &[n, c, d, h, w]) => plain(1, n, c, d, [h, w]),
            (Nc1hwc0, &[n, c1, h, w, c0]) => blocked(1, n, 1, c1, [h, w], c0),
            (Gnc1hwc0, &[g, n, c1, h, w, c0]) => blocked(g, n, 1, c1, [h, w], c0),
            (Ndc1hwc0, &[n, d, c1, h, w, c0]) => blocked(1, n, d, c1, [h, w], c0),
            _ => plain(1, 1, 1, 1, [1, 1]),
        }
    }

    /// The data of a pair of tiles; `None` if their shapes do not match.
    fn together(src: &ConvTileType, dst: &ConvTileType) -> Option<Extents> {
        let shape = dst.shape();
        if !matches!(dst.layout, FractalZ | FractalZ3d) {
            // One of the two tiles has channel blocks; the other one has the number of channels.
            let from_blocks = matches!(src.layout, Nc1hwc0 | Gnc1hwc0);
            let (blocked, plain) = if from_blocks { (src, dst) } else { (dst, src) };
            let blocked = Extents::of(blocked, 1);
            let plain = Extents::of(plain, blocked.c0);
            return (Extents { channels: plain.channels, ..blocked } == plain).then_some(plain);
        }
        let [points, n1, n0, c0] = [0, 1, 2, 3].map(|at| u64::from(shape[at]));
        let data = Extents::of(src, c0);
        let places = [data.groups, data.depth, data.blocks, data.rows, data.cols];
        let places = places.into_iter().fold(1u64, u64::saturating_mul);
        let fits = places == points && data.c0 == c0 && n1 == data.images.div_ceil(n0);
        fits.then_some(Extents { image_places: n1.saturating_mul(n0), ..data })
    }

    /// Whether some elements of the destination are padding.
    fn is_padded(&self) -> bool {
        self.image_places > self.images || self.blocks.saturating_mul(self.c0) > self.channels
    }

    /// Points per channel.
    fn points(&self) -> u64 {
        self.rows.saturating_mul(self.cols)
    }

    /// Workspace size that the page requires, in elements.
    fn workspace(&self, from: ConvLayout, to: ConvLayout, element: Element) -> u64 {
        let stride = if element.bits() == 8 { 32 } else { 16 };
        let rounded = |count: u64| count.div_ceil(stride).saturating_mul(stride);
        let forward = self.points().saturating_mul(rounded(self.c0));
        match (from, to) {
            (_, FractalZ) => 0,
            (_, FractalZ3d) => {
                let planes = self.images.saturating_mul(self.blocks * self.c0).saturating_mul(self.points());
                planes.saturating_add(planes.max(forward))
            }
            (Nc1hwc0 | Gnc1hwc0, _) => self.c0.saturating_mul(rounded(self.points())),
            _ => forward,
        }
    }

    /// The offset of an element in a tile of one of the layouts, in elements.
    #[cfg(feature = "run")]
    fn place(&self, layout: ConvLayout, at: &Index) -> u64 {
        let Index { group, image, channel, depth, row, col } = *at;
        let Extents { images, image_places, channels, blocks, c0, rows, cols, .. } = *self;
        let (block, inner) = (channel / c0, channel % c0);
        match layout {
            Nchw | Gnchw => (((group * images + image) * channels + channel) * rows + row) * cols + col,
            Ncdhw => (((image * channels + channel) * self.depth + depth) * rows + row) * cols + col,
            Nc1hwc0 | Gnc1hwc0 => {
                ((((group * images + image) * blocks + block) * rows + row) * cols + col) * c0 + inner
            }
            Ndc1hwc0 => {
                ((((image * self.depth + depth) * blocks + block) * rows + row) * cols + col) * c0 + inner
            }
            FractalZ | FractalZPoints => {
                ((((group * blocks + block) * rows + row) * cols + col) * image_places + image) * c0 + inner
            }
            FractalZ3d => {
                ((((depth * blocks + block) * rows + row) * cols + col) * image_places + image) * c0 + inner
            }
        }
    }
}

/// The indices of an element of the data.
#[derive(Clone, Copy, Debug, Default)]
struct Index {
    group: u64,
    image: u64,
    channel: u64,
    depth: u64,
    row: u64,
    col: u64,
}

/// Checks the rules of convolution tiles.
pub(super) fn check(check: &mut Check<'_>) {
    let (src, dst, profile) = (check.conv("src"), check.conv("dst"), check.profile());
    for (role, tile) in [("src", &src), ("dst", &dst)] {
        check.require(&VEC, role, tile.location == Location::Vec, |check| {
            format!("{} is a {} tile, not a vec tile", check.name(role), tile.location.word())
        });
    }
    let elements = |check: &Check<'_>| {
        let (from, to) = (element_word(src.element), element_word(dst.element));
        format!("{} holds {from}, {} {to}", check.name("src"), check.name("dst"))
    };
    let size = src.element.bits() == dst.element.bits() && matches!(src.element.bits(), 8 | 16 | 32);
    check.require(&SIZE, "src", size, elements);
    let listed = |element: Element| {
        element.is_integer() || matches!(element, Element::F16 | Element::Bf16 | Element::F32)
    };
    check.require(&TYPES, "src", listed(src.element) && listed(dst.element), elements);
    let layouts = |_: &Check<'_>| {
        format!("{} does not change {} to {}", profile.word(), src.layout.word(), dst.layout.word())
    };
    if !is_pair(src.layout, dst.layout) {
        check.require(&LAYOUTS, "dst", false, layouts);
        return;
    }
    let later = is_later(profile, src.layout, dst.layout);
    check.judge(Severity::Extension, &LAYOUTS, "dst", !later, |_| {
        let (from, to) = (src.layout.word(), dst.layout.word());
        format!("{from} to {to} is in a header or on a later page only")
    });
    let Some(extents) = Extents::together(&src, &dst) else {
        check.require(&SHAPE, "dst", false, |check| {
            format!("{} is {}, {} {}", check.name("src"), src.brief(), check.name("dst"), dst.brief())
        });
        return;
    };
    check_blocks(check, &src, &dst, &extents);
}

fn check_blocks(check: &mut Check<'_>, src: &ConvTileType, dst: &ConvTileType, extents: &Extents) {
    let whole = u64::from(c0(dst.element));
    let narrow = extents.c0 == 4 && dst.layout != FractalZ3d;
    check.require(&BLOCKS, "dst", extents.c0 == whole || narrow, |_| {
        format!("C0 is {}, not {whole}", extents.c0)
    });
    if matches!(dst.layout, FractalZ | FractalZ3d) {
        let n0 = dst.shape()[2];
        check.require(&BLOCKS, "dst", n0 == 16, |_| format!("N0 is {n0}, not 16"));
    }
    let bytes = extents.points().saturating_mul(u64::from(src.element.bits() / 8));
    let aligned = !matches!(src.layout, Nchw | Gnchw) || bytes % 32 == 0;
    check.require(&POINTS, "src", aligned, |check| {
        let (rows, cols) = (extents.rows, extents.cols);
        format!("the {rows}x{cols} points of a channel of {} take {bytes} bytes", check.name("src"))
    });
    let Some(tmp) = check.site.tile("tmp") else { return };
    let need = extents.workspace(src.layout, dst.layout, src.element);
    let need = need.saturating_mul(u64::from(src.element.bits() / 8));
    let have = tmp.ty.bytes() as u64;
    check.require(&TMP, "tmp", need <= have, |check| {
        format!("{} has {have} bytes, of {need}", check.name("tmp"))
    });
}

/// The tiles and their data.
#[cfg(feature = "run")]
struct Change {
    src: ConvTile,
    dst: ConvTile,
    extents: Extents,
}

#[cfg(feature = "run")]
impl Change {
    fn of(prepare: &Prepare<'_>) -> Result<Change, String> {
        let (src, dst) = (prepare.conv("src")?, prepare.conv("dst")?);
        let extents = Extents::together(&src.ty, &dst.ty).ok_or("the shapes do not go together")?;
        Ok(Change { src, dst, extents })
    }

    /// Copies the channels of a block for all points at once, as a transposition.
    fn run(&self, state: &mut State<'_>) {
        let Extents { groups, images, channels, blocks, c0, depth, rows, cols, .. } = self.extents;
        let (base, bytes) = (state.live_conv(&self.dst), self.dst.ty.bytes() as usize);
        let mut free = state.spare.start;
        let written = base..base + bytes;
        let (from, length) = (state.live_conv(&self.src), self.src.ty.bytes() as usize);
        let from = state.kept(from, length, std::slice::from_ref(&written), &mut free);
        if self.extents.is_padded() {
            state.memory[base..base + bytes].fill(0);
        }
        let bits = self.src.ty.element.bits();
        let placement = |layout: ConvLayout, base: usize, first: &Index| {
            let place = |index: &Index| self.extents.place(layout, index);
            let start = place(first);
            let channel = place(&Index { channel: first.channel + 1, ..*first }) - start;
            // The stride between points is constant, also from the end of one row to the start of the next.
            let point = place(&Index { col: first.col + 1, ..*first }) - start;
            let offset = base + start as usize * bits as usize / 8;
            Placement::strided(offset, channel as usize, point as usize)
        };
        for group in 0..groups {
            for image in 0..images {
                for (block, depth) in
                    (0..blocks).flat_map(|block| (0..depth).map(move |depth| (block, depth)))
                {
                    let first = Index { group, image, channel: block * c0, depth, ..Index::default() };
                    let count = (channels - first.channel).min(c0) as usize;
                    let (to, source) = (
                        placement(self.dst.ty.layout, base, &first),
                        placement(self.src.ty.layout, from, &first),
                    );
                    copy_matrix(state.memory, &to, &source, count, (rows * cols) as usize, bits);
                }
            }
        }
    }
}

/// The formula: writes every element of the destination, zero for padding.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let Change { src, dst, extents } = Change::of(reference.prepare()).map_err(Fault::Other)?;
    let state = reference.state();
    let before = state.memory.to_vec();
    let (from, to) = (state.live_conv(&src), state.live_conv(&dst));
    let blocked = !matches!(dst.ty.layout, Nchw | Gnchw);
    let channels = if blocked { extents.blocks * extents.c0 } else { extents.channels };
    let counts = [extents.groups, extents.image_places, channels, extents.depth, extents.rows, extents.cols];
    for number in 0..counts.iter().product::<u64>() {
        let mut digits = [0; 6];
        let mut rest = number;
        for (digit, count) in digits.iter_mut().zip(counts).rev() {
            (*digit, rest) = (rest % count, rest / count);
        }
        let [group, image, channel, depth, row, col] = digits;
        let index = Index { group, image, channel, depth, row, col };
        let data = image < extents.images && channel < extents.channels;
        let value = if data {
            get_element(&before, from, extents.place(src.ty.layout, &index) as usize, src.ty.element)
        } else {
            0
        };
        set_element(state.memory, to, extents.place(dst.ty.layout, &index) as usize, dst.ty.element, value);
    }
    Ok(())
}

/// The instruction, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let change = Change::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| {
        change.run(state);
        Ok(())
    }))
}
