//! TASSIGN: sets the address of a tile.

use super::support::page;
#[cfg(feature = "run")]
use crate::exec::state::{Fault, Prepare, State};
use crate::memory::{ADDRESS_ALIGNMENT, Buffer};
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::op::scalar_unit::ScalarInstruction;
use crate::op::site::{Check, Fact, Site};
use crate::profile::NPU;
use crate::rule::Rule;
use crate::types::Scalar;

const SOURCE: &str = "docs/isa/tile/ops/sync-and-config/tassign.md";
const OPERANDS: Rule = Rule::new(
    "operands",
    "The address of a tile is a number of bytes, the address of a declared tensor view a pointer; the result has the same type.",
    SOURCE,
)
.because("A tile is placed in a buffer, a view in global memory.")
.instead("Pass an integer for a tile, a pointer for a view.");
const CAPACITY: Rule = Rule::new("capacity", "The tile ends inside its buffer.", SOURCE)
    .because("Addresses beyond the capacity do not exist on the device.")
    .instead("Assign a lower address, or use a smaller tile.");
const ADDRESS: Rule = Rule::new("address", "An address is a multiple of 32 bytes.", SOURCE)
    .because("The pipes access on-chip buffers in blocks of 32 bytes.")
    .instead("Round the address up to a multiple of 32.")
    .only(NPU);

pub(super) static TASSIGN: ScalarInstruction = ScalarInstruction {
    page: page(
        "tassign",
        "Gives a tile another address in its buffer, or a declared tensor view its address in global memory.",
        "address of tile = address; the result is another name of the tile",
        SOURCE,
        Syntax::Own(
            &["%tile , %address {} : :tile , :address -> !type", "%tile , %address {} : :tile -> !type"],
            &[("tile", Kind::TileOrView), ("address", Kind::Other)],
        ),
        &[&OPERANDS, &CAPACITY, &ADDRESS],
    )
    .touching(&[Effect::names("tile")])
    .from(Origin::Names(&["tile"])),
    check: rules,
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let Some((buffer, bytes)) = room(prepare.site) else {
            return Ok(Box::new(|_: &mut State<'_>| Ok(())));
        };
        let (address, _) = prepare.scalar("address")?;
        let tiles = tiles(prepare);
        let (capacity, alignment) = (prepare.profile().capacity(buffer), prepare.profile().address_alignment);
        Ok(Box::new(move |state: &mut State<'_>| {
            let at = state.scalars[address];
            if at.saturating_add(bytes) > capacity || !at.is_multiple_of(alignment) {
                return Err(Fault::Rule);
            }
            for tile in &tiles {
                state.tiles[*tile as usize].address = state.buffers[buffer as usize] + at as usize;
            }
            Ok(())
        }))
    },
};

/// The slots of the tile operand and the result, which may be the same slot.
#[cfg(feature = "run")]
fn tiles(prepare: &Prepare<'_>) -> Vec<u32> {
    let slot = |role: &str| match prepare.site.operand(role)?.fact {
        Fact::Tile(_) => prepare.tile_if(role).map(|tile| tile.slot),
        _ => prepare.conv(role).ok().map(|tile| tile.slot),
    };
    ["tile", "result"].into_iter().filter_map(slot).collect()
}

/// The buffer of the tile and its size in bytes; `None` for a view.
fn room(site: &Site<'_>) -> Option<(Buffer, u64)> {
    match &site.operand("tile")?.fact {
        Fact::Tile(tile) => Some((tile.ty.buffer(), tile.ty.bytes_in(&tile.layout()) as u64)),
        Fact::ConvTile(ty) => Some((ty.buffer(), ty.bytes())),
        _ => None,
    }
}

fn rules(check: &mut Check<'_>) {
    let room = room(check.site);
    let fact = |role: &str| check.site.operand(role).map(|operand| &operand.fact);
    let same = match (fact("tile"), fact("result")) {
        (Some(Fact::Tile(a)), Some(Fact::Tile(b))) => a.ty == b.ty,
        (Some(Fact::ConvTile(a)), Some(Fact::ConvTile(b))) => a == b,
        (Some(Fact::View(a)), Some(Fact::View(b))) => {
            (a.element, a.shape.len()) == (b.element, b.shape.len())
        }
        _ => false,
    };
    let given = match fact("address") {
        Some(Fact::Scalar(ty, _)) => room.is_some() && ty.is_integer() && *ty != Scalar::Bool,
        Some(Fact::Pointer(..)) => room.is_none(),
        _ => false,
    };
    if !check.require(&OPERANDS, "address", same && given, |check| {
        let what = if room.is_some() { "a number of bytes" } else { "a pointer" };
        format!("{} takes {what}, and the result has its type", check.name("tile"))
    }) {
        return;
    }
    let (Some((buffer, bytes)), Some((_, Some(at)))) = (room, check.site.scalar("address")) else { return };
    let capacity = check.profile().capacity(buffer);
    let inside = u64::try_from(at).is_ok_and(|at| at.saturating_add(bytes) <= capacity);
    if check.require(&CAPACITY, "address", inside, |check| {
        format!(
            "{} takes {bytes} bytes: at {at} it does not lie in {}, which has {capacity} on {}",
            check.name("tile"),
            buffer.word(),
            check.profile().word()
        )
    }) {
        check.require(&ADDRESS, "address", at % ADDRESS_ALIGNMENT as i64 == 0, |_| {
            format!("address {at} is not a multiple of {ADDRESS_ALIGNMENT}")
        });
    }
}
