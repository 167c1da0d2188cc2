//! TSTORE: copies a tile into a view of global memory.

use super::tload::{layout_of, pair_fits, shifted};
use super::window::Window;
use crate::isa::element::{Element, element_word};
use crate::isa::op::common::NPU;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, GlobalLayout, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State, Tile};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::tile::Location;
use pto_kernels::map::{BinaryFn, BinaryOp, UnaryOp, binary};
use pto_kernels::{Conversion, Placement, Rounding, convert, convert_one, get_element, set_element, transfer};

const SOURCE: &str = "docs/isa/tile/ops/memory-and-data-movement/tstore.md";

const TYPES: Rule = Rule::new(
    "element-type",
    "View and tile have elements of the same size; an accumulator of f32 also stores f16 and bf16.",
    SOURCE,
);
const EXTENT: Rule = Rule::new("extent", "The view is at least as large as the valid region of the tile.", SOURCE);
const LOCATION: Rule =
    Rule::new("location", "The tile is a vec or acc tile, on A2/A3 also a mat tile.", SOURCE).only(NPU);
const LAYOUTS: Rule = Rule::new("layout-pair", "Vec tiles store ND to ND, DN to DN and NZ to NZ.", SOURCE).only(NPU);
const ATOMIC: Rule =
    Rule::new("atomic", "The atomic mode is none or add; add needs a format that adds.", SOURCE);

/// Copies the valid region of a tile into a view.
pub(super) struct Tstore {
    page: Page,
}

pub(super) static TSTORE: Tstore = Tstore {
    page: Page {
        name: "tstore",
        aliases: &[],
        set: Set::Memory,
        summary: "Copies the valid region of a tile into a view of global memory, converting from an accumulator.",
        formula: "dst[i, j] = src[i, j], or dst[i, j] + src[i, j] with atomic add",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: View))]),
        rules: &[&TYPES, &EXTENT, &LOCATION, &LAYOUTS, &ATOMIC],
        reads_destination: false,
    },
};

/// What happens to an element between tile and memory.
#[derive(Clone, Copy)]
struct Path {
    from: Element,
    to: Element,
    relu: bool,
    add: bool,
}

fn path(site: &Site<'_>, from: Element, to: Element) -> Path {
    let relu = site.word("reluPreMode").is_some_and(|word| word.ends_with("normal_relu"));
    let add = site.word("atomicType").is_some_and(|word| word.ends_with("atomic_add"));
    Path { from, to, relu, add }
}

impl Path {
    fn is_copy(&self) -> bool {
        !self.relu && !self.add && self.from.bits() == self.to.bits()
    }

    /// One element, by the formula.
    fn apply(&self, value: u64, old: u64) -> u64 {
        let mut value = value;
        if self.from != self.to && self.from.bits() != self.to.bits() {
            value = convert_one(self.from, self.to, Rounding::NearestEven, false, value).unwrap_or_default();
        }
        if self.relu {
            value = UnaryOp::Relu.apply(self.to, value).unwrap_or(value);
        }
        if self.add {
            value = BinaryOp::Add.apply(self.to, old, value).unwrap_or(value);
        }
        value
    }
}

fn types_fit(location: Location, from: Element, to: Element) -> bool {
    from.bits() == to.bits()
        || location == Location::Acc && from == Element::F32 && matches!(to, Element::F16 | Element::Bf16)
}

impl Instruction for Tstore {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("src").map(|src| src.location()) {
            Some(Location::Acc) => Pipe::Fixpipe,
            _ => Pipe::Mte3,
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let src = check.tile("src");
        let Some(dst) = check.site.view("dst").cloned() else { return };
        let (from, to) = (src.element(), dst.element);
        check.require(&TYPES, "dst", types_fit(src.location(), from, to), |check| {
            let (from, to) = (element_word(from), element_word(to));
            format!("{} holds {from}, but {} holds {to}", check.name("src"), check.name("dst"))
        });
        let (profile, location) = (check.profile(), src.location());
        let place = match location {
            Location::Vec | Location::Acc => true,
            Location::Mat => profile == Profile::A2A3,
            _ => false,
        };
        check.require(&LOCATION, "src", place, |check| {
            format!("{} is a {} tile; {} does not store those", check.name("src"), location.word(), profile.word())
        });
        let layout = dst.layout.or_guess(&src.ty);
        let pair = location == Location::Acc && layout != GlobalLayout::Dn || pair_fits(profile, layout, &src.ty);
        check.require(&LAYOUTS, "dst", pair, |check| {
            let tile = src.ty.layout().name.word();
            format!("{} is {tile}, {} is {}", check.name("src"), check.name("dst"), layout.word())
        });
        if let Some((rows, cols)) = dst.matrix(layout) {
            let enough = |have: Option<u64>, need: Option<u32>| {
                have.zip(need).is_none_or(|(have, need)| have >= u64::from(need))
            };
            check.require(&EXTENT, "dst", enough(rows, src.rows) && enough(cols, src.cols), |check| {
                let text = |extent: Option<u64>| extent.map_or("?".to_owned(), |extent| extent.to_string());
                format!(
                    "{} has {} valid elements, but {} is {}x{}",
                    check.name("src"),
                    src.valid_text(),
                    check.name("dst"),
                    text(rows),
                    text(cols)
                )
            });
        }
        let atomic = check.site.word("atomicType").unwrap_or("atomic_none");
        let known = matches!(atomic, "atomic_none" | "atomic_add");
        let adds = atomic != "atomic_add" || BinaryOp::Add.applies_to(to);
        check.require(&ATOMIC, "dst", known && adds, |_| {
            if known {
                format!("{} does not add", element_word(to))
            } else {
                format!("`{atomic}` is no atomic mode of a store: atomic_none or atomic_add")
            }
        });
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let src = reference.tile("src");
        let (view, element) = reference.view("dst");
        let window = Window::of(&view, layout_of(reference.prepare(), &src));
        let path = path(reference.prepare().site, src.ty.element, element);
        let (rows, cols) = reference.valid(&src);
        let (buffer, start) = window.locate(reference.state().global, element, "dst")?;
        let base = start as usize;
        for i in 0..rows {
            for j in 0..cols {
                let at = window.offset(i as u64, j as u64) as usize;
                let value = reference.get(&src, i, j);
                let bytes = &mut reference.state().global.buffer_mut(buffer).bytes;
                let old = get_element(bytes, base, at, element);
                set_element(bytes, base, at, element, path.apply(value, old));
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let src = prepare.tile("src")?;
        let (slot, element) = prepare.view("dst")?;
        let name = prepare.name("dst").to_owned();
        let layout = layout_of(prepare, &src);
        let path = path(prepare.site, src.ty.element, element);
        let staged = Staged::new(&path)?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let window = Window::of(&state.views[slot], layout);
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let (have_rows, have_cols) = window.extent();
            if (rows as u64) > have_rows || (cols as u64) > have_cols {
                return Err(Fault::Rule);
            }
            let (buffer, start) = window.locate(state.global, element, &name)?;
            if !path.is_copy() {
                staged.run(state, &src, &window, (buffer, start), rows, cols);
                return Ok(());
            }
            let source = src.layout.placement(live.address);
            let target = &mut state.global.buffer_mut(buffer).bytes;
            window.pieces(start, element, rows, cols, |piece| {
                if let Some(place) = shifted(&src, &source, piece.row, piece.col) {
                    transfer(target, &piece.placement, state.memory, &place, piece.rows, piece.cols, element.bits());
                    return;
                }
                for i in 0..piece.rows {
                    for j in 0..piece.cols {
                        let at = src.layout.offset(piece.row + i, piece.col + j);
                        let value = get_element(state.memory, live.address, at, element);
                        set_element(target, piece.placement.offset, piece.placement.index(i, j), element, value);
                    }
                }
            });
            Ok(())
        }))
    }
}

/// Stores that compute on the way: row by row through a line beside the tiles.
struct Staged {
    path: Path,
    conversion: Option<Conversion>,
    relu: Option<pto_kernels::map::UnaryFn>,
    add: Option<BinaryFn>,
}

impl Staged {
    fn new(path: &Path) -> Result<Staged, String> {
        let differs = path.from.bits() != path.to.bits();
        let conversion = if differs { convert(path.from, path.to, Rounding::NearestEven, false) } else { None };
        if differs && conversion.is_none() {
            return Err("there is no such conversion".into());
        }
        let relu = if path.relu { pto_kernels::map::unary(UnaryOp::Relu, path.to) } else { None };
        let add = if path.add { binary(BinaryOp::Add, path.to) } else { None };
        Ok(Staged { path: *path, conversion, relu, add })
    }

    fn run(&self, state: &mut State<'_>, src: &Tile, window: &Window, place: (usize, u64), rows: usize, cols: usize) {
        let Path { from, to, .. } = self.path;
        let address = state.live(src).address;
        let source = src.layout.placement(address);
        let line = Placement::rows(state.spare.start, cols);
        let result = Placement::rows(line.offset + from.bytes(cols).next_multiple_of(64), cols);
        let old = Placement::rows(result.offset + to.bytes(cols).next_multiple_of(64), cols);
        let memory = &mut *state.memory;
        let target = &mut state.global.buffer_mut(place.0).bytes;
        for i in 0..rows {
            for j in 0..cols {
                let value = get_element(memory, address, source.index(i, j), from);
                set_element(memory, line.offset, j, from, value);
            }
            let value = match &self.conversion {
                Some(conversion) => {
                    conversion.run(memory, result.offset, line.offset, cols);
                    result.offset
                }
                None => line.offset,
            };
            if let Some(relu) = self.relu {
                relu(memory, value, value, cols);
            }
            let at = |j: usize| window.offset(i as u64, j as u64) as usize;
            if let Some(add) = self.add {
                for j in 0..cols {
                    let bits = get_element(target, place.1 as usize, at(j), to);
                    set_element(memory, old.offset, j, to, bits);
                }
                add(memory, value, old.offset, value, cols);
            }
            for j in 0..cols {
                let bits = get_element(memory, value, j, to);
                set_element(target, place.1 as usize, at(j), to, bits);
            }
        }
    }
}
