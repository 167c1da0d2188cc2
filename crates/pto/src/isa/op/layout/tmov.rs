//! TMOV: copies a tile into a tile of another location or layout.

use super::moving::{ELEMENTS, PAIR, Path, Window, check_elements, has_relu, pipe_between};
use crate::isa::op::common::NPU;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State, Tile};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::tile::Location;

const SOURCE: &str = "docs/isa/TMOV.md";

const SHAPE: Rule =
    Rule::new("shape", "Source and destination have the same declared rows and columns.", SOURCE).only(NPU);
const ROOM: Rule = Rule::new("room", "What is moved fits the declared shape of the destination.", SOURCE);

/// Copies the valid region; into left, right, bias and scaling tiles the whole declared matrix.
pub(super) struct Tmov {
    page: Page,
}

pub(super) static TMOV: Tmov = Tmov {
    page: Page {
        name: "tmov",
        aliases: &["tmov.m2l", "tmov.m2r", "tmov.m2b", "tmov.m2s", "tmov.a2v", "tmov.v2v"],
        set: Set::Layout,
        summary: "Copies a tile into a tile of another location or layout.",
        formula: "dst[i, j] = src[i, j]",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        rules: &[&PAIR, &ELEMENTS, &SHAPE, &ROOM],
        reads_destination: false,
    },
};

fn pair_fits(profile: Profile, from: Location, to: Location) -> bool {
    use Location::*;
    let a2a3 = matches!(
        (from, to),
        (Mat, Left | Right | Bias | Scaling) | (Vec, Vec) | (Acc, Mat)
    );
    let a5 = a2a3 || matches!((from, to), (Vec, Mat) | (Acc, Vec));
    match profile {
        Profile::A2A3 => a2a3,
        Profile::A5 => a5,
        Profile::Cpu => true,
    }
}

/// Rows and columns that are moved.
fn extent(dst: &Tile, src: &Tile, state: &State<'_>) -> (usize, usize) {
    let (from, to) = (state.live(src), state.live(dst));
    match dst.ty.location {
        Location::Vec if src.ty.location == Location::Vec => {
            (from.rows.min(to.rows) as usize, from.cols.min(to.cols) as usize)
        }
        Location::Left | Location::Right | Location::Bias | Location::Scaling => {
            (src.rows().min(dst.rows()), src.cols().min(dst.cols()))
        }
        _ => (from.rows as usize, from.cols as usize),
    }
}

impl Instruction for Tmov {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        let location = |role: &str| site.tile(role).map_or(Location::Vec, |tile| tile.location());
        pipe_between(location("src"), location("dst"))
    }

    fn check(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let profile = check.profile();
        check.require(&PAIR, "dst", pair_fits(profile, src.location(), dst.location()), |_| {
            let (from, to) = (src.location().word(), dst.location().word());
            let mut message = format!("{} does not move from {from} to {to}", profile.word());
            let others: Vec<_> = Profile::ALL
                .iter()
                .filter(|other| pair_fits(**other, src.location(), dst.location()))
                .map(|other| other.word())
                .collect();
            message.push_str(&format!("; {} does", others.join(", ")));
            message
        });
        check_elements(check);
        let declared = (src.ty.rows, src.ty.cols) == (dst.ty.rows, dst.ty.cols);
        let strict = profile == Profile::A2A3 || src.location() == Location::Mat;
        check.require(&SHAPE, "dst", declared || !strict, |check| {
            format!(
                "{} is declared {}x{}, {} {}x{}",
                check.name("src"), src.ty.rows, src.ty.cols, check.name("dst"), dst.ty.rows, dst.ty.cols
            )
        });
        let fits = |have: u32, need: Option<u32>| need.is_none_or(|need| need <= have);
        let bounded = matches!((src.location(), dst.location()), (Location::Vec, Location::Vec) | (Location::Mat, _));
        check.require(&ROOM, "dst", bounded || fits(dst.ty.rows, src.rows) && fits(dst.ty.cols, src.cols), |check| {
            format!(
                "{} has {} valid elements, {} room for {}x{}",
                check.name("src"), src.valid_text(), check.name("dst"), dst.ty.rows, dst.ty.cols
            )
        });
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let relu = has_relu(reference.prepare().site);
        let path = Path::new(src.ty.element, dst.ty.element, relu).map_err(Fault::Other)?;
        let (rows, cols) = extent(&dst, &src, reference.state());
        for i in 0..rows {
            for j in 0..cols {
                let value = path.apply(reference.get(&src, i, j));
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let path = Path::new(src.ty.element, dst.ty.element, has_relu(prepare.site))?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let (rows, cols) = extent(&dst, &src, state);
            if rows > dst.rows() || cols > dst.cols() {
                return Err(Fault::Rule);
            }
            let [from] = state.settle(&dst, [&src]);
            let start = Window { row: 0, col: 0 };
            path.run(state, &dst, start, &src, from, start, rows, cols);
            Ok(())
        }))
    }
}
