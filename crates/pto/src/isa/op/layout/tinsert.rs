//! TINSERT: copies a tile into a window of a tile.

use super::moving::{ELEMENTS, Path, Window, check_elements, has_relu, pipe_between};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::reference::Reference;
use crate::isa::op::rule::Rule;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::tile::Location;

const SOURCE: &str = "docs/isa/TINSERT.md";

const BOUNDS: Rule =
    Rule::new("bounds", "The window lies inside the declared shape of the destination.", SOURCE);

/// Copies the valid region of the source to (row, col) of the destination.
pub(super) struct Tinsert {
    page: Page,
}

pub(super) static TINSERT: Tinsert = Tinsert {
    page: Page {
        name: "tinsert",
        aliases: &[],
        set: Set::Layout,
        summary: "Copies a tile into the window of a tile that starts at (row, col); the rest stays.",
        formula: "dst[row + i, col + j] = src[i, j]",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, row: Scalar, col: Scalar) outs(dst: Tile))]),
        rules: &[&ELEMENTS, &BOUNDS],
        reads_destination: true,
    },
};

impl Instruction for Tinsert {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        let location = |role: &str| site.tile(role).map_or(Location::Vec, |tile| tile.location());
        pipe_between(location("src"), location("dst"))
    }

    fn check(&self, check: &mut Check<'_>) {
        check_elements(check);
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (extents, limits) = ([src.rows, src.cols], [dst.ty.rows, dst.ty.cols]);
        for (at, role) in ["row", "col"].into_iter().enumerate() {
            let offset = check.site.scalar(role).and_then(|(_, value)| value);
            let inside = offset.is_none_or(|offset| {
                offset >= 0 && offset.saturating_add(i64::from(extents[at].unwrap_or(0))) <= i64::from(limits[at])
            });
            check.require(&BOUNDS, role, inside, |check| {
                let unit = if at == 0 { "rows" } else { "columns" };
                format!(
                    "{} {unit} from {} on reach outside {}, which has {}",
                    extents[at].map_or("?".into(), |extent| extent.to_string()),
                    offset.unwrap_or(0),
                    check.name("dst"),
                    limits[at]
                )
            });
        }
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let path = Path::new(src.ty.element, dst.ty.element, has_relu(reference.prepare().site)).map_err(Fault::Other)?;
        let (row, col) = (reference.integer("row") as usize, reference.integer("col") as usize);
        let (rows, cols) = reference.valid(&src);
        for i in 0..rows {
            for j in 0..cols {
                let value = path.apply(reference.get(&src, i, j));
                reference.set(&dst, row + i, col + j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let ((row, _), (col, _)) = (prepare.scalar("row")?, prepare.scalar("col")?);
        let path = Path::new(src.ty.element, dst.ty.element, has_relu(prepare.site))?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            let inside = |start: u64, extent: usize, limit: usize| {
                usize::try_from(start).is_ok_and(|start| start.checked_add(extent).is_some_and(|end| end <= limit))
            };
            let (row, col) = (state.scalars[row], state.scalars[col]);
            if !inside(row, rows, dst.rows()) || !inside(col, cols, dst.cols()) {
                return Err(Fault::Rule);
            }
            let [from] = state.settle(&dst, [&src]);
            let window = Window { row: row as usize, col: col as usize };
            path.run(state, &dst, window, &src, from, Window { row: 0, col: 0 }, rows, cols);
            Ok(())
        }))
    }
}
