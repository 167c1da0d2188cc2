//! Moves between locations: exactly those compile that the rules allow.

use pto_isa::Profile;
use pto_isa::element::Element;
use pto_isa::memory::Buffer;
use pto_isa::profile::NPU;
use pto_isa::registry::Op;
use pto_isa::tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType};
use pto_lang::build::{Builder, Id};
use pto_lang::ir::{Scalar, Type};
use pto_typed::tables::{EXTRACTS, INSERTS, MOVES};

const NAMES: [&str; 9] = ["Vec", "Mat", "Left", "Right", "Acc", "Bias", "Scaling", "ScaleLeft", "ScaleRight"];

/// Tiles at a location, of every layout and of formats that some move takes.
fn tiles(builder: &mut Builder, name: &str) -> Vec<Id> {
    let (location, fractal) = match name {
        "Acc" => (Location::Acc, 1024),
        "ScaleLeft" | "ScaleRight" => (Location::Scaling, 32),
        "Scaling" => (Location::Scaling, 512),
        other => (Location::from_word(&other.to_lowercase()).expect("a location"), 512),
    };
    let mut made = Vec::new();
    for (rows, cols) in [(1, 64), (32, 32)] {
        for blayout in [BLayout::RowMajor, BLayout::ColMajor] {
            for slayout in [SLayout::NoneBox, SLayout::RowMajor, SLayout::ColMajor] {
                for element in [Element::F32, Element::F16, Element::E8M0, Element::U64] {
                    let ty = TileType {
                        location,
                        element,
                        rows,
                        cols,
                        valid_rows: Some(rows),
                        valid_cols: Some(cols),
                        blayout,
                        slayout,
                        fractal,
                        pad: Pad::NULL,
                        compact: CompactMode::Null,
                    };
                    // `scaling` is three buffers, which the layout distinguishes.
                    let buffer = match name {
                        "Scaling" => Buffer::Fixpipe,
                        "ScaleLeft" => Buffer::ScaleLeft,
                        "ScaleRight" => Buffer::ScaleRight,
                        _ => ty.buffer(),
                    };
                    if ty.buffer() != buffer {
                        continue;
                    }
                    let ty = builder.intern(Type::Tile(ty));
                    let alloc = builder.operation(Op::ALLOC_TILE, &[], &[("t", ty)], Vec::new());
                    made.extend(alloc.into_iter().flat_map(|(_, made)| made));
                }
            }
        }
    }
    made
}

/// Whether the rules accept the instruction for any tiles of two locations.
fn accepted(profile: Profile, op: Op, from: &str, to: &str) -> bool {
    let mut builder = Builder::new("probe", profile);
    let (sources, targets) = (tiles(&mut builder, from), tiles(&mut builder, to));
    let zero = builder.integer(Scalar::Index, 0);
    let offsets: &[Id] = if op == Op::TMOV { &[] } else { &[zero, zero] };
    sources.iter().any(|src| {
        targets.iter().any(|dst| {
            let ins: Vec<Id> = [*src].iter().chain(offsets).copied().collect();
            builder.instruction(op, &ins, &[*dst], Vec::new()).is_ok()
        })
    })
}

#[test]
fn what_compiles_is_what_the_rules_allow() {
    for (op, table) in [(Op::TMOV, MOVES), (Op::TEXTRACT, EXTRACTS), (Op::TINSERT, INSERTS)] {
        for &profile in NPU {
            for (from, to) in NAMES.iter().flat_map(|from| NAMES.map(|to| (*from, to))) {
                let compiles = table.contains(&(profile, from, to));
                let legal = accepted(profile, op, from, to);
                assert_eq!(compiles, legal, "{op} from {from} to {to} on {}", profile.word());
            }
        }
    }
}
