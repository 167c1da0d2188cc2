//! Checks tiles: shape against layout, valid region against shape, size against buffer.

use crate::analysis::Facts;
use crate::ir::{Function, Operation, Type, TypeTable};
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::element::element_word;
use pto_isa::layout::{Layout, LayoutName};
use pto_isa::memory::{ADDRESS_ALIGNMENT, Buffer};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::tile::{BLayout, Location, SLayout, TileType};

/// Total bytes of automatically placed tiles, by buffer.
#[derive(Clone)]
pub(super) struct Placed {
    profile: Profile,
    automatic: [u64; Buffer::ALL.len()],
}

impl Placed {
    pub(super) fn new(profile: Profile) -> Placed {
        Placed { profile, automatic: [0; Buffer::ALL.len()] }
    }

    /// Adds a lint for each buffer whose automatically placed tiles together exceed its capacity.
    pub(super) fn finish(&self, function: &Function, findings: &mut Vec<Diagnostic>) {
        for (buffer, &bytes) in Buffer::ALL.iter().zip(&self.automatic) {
            let capacity = self.profile.capacity(*buffer);
            if bytes > capacity {
                let message = format!(
                    "the tiles of `@{}` without an address take {bytes} bytes of {}, which has {capacity} on {}",
                    function.name,
                    buffer.word(),
                    self.profile.word()
                );
                let finding = Diagnostic::new(Severity::Lint, &rules::alloc_tile::TOTAL_CAPACITY, message);
                findings.push(finding.at(function.name_span));
            }
        }
    }
}

/// Checks the tile types of a function's arguments and results, which are allocated elsewhere.
pub(super) fn check_signature(
    types: &TypeTable,
    function: &Function,
    profile: Profile,
    findings: &mut Vec<Diagnostic>,
) {
    let arguments = function.arguments.iter().map(|argument| &function.values[argument.value]);
    let arguments = arguments.map(|value| (value.ty, value.span));
    let results = function.results.iter().map(|ty| (*ty, function.name_span));
    for (ty, span) in arguments.chain(results) {
        let (tile, count) = match &types[ty] {
            Type::Tile(tile) => (tile, 1),
            Type::MultiTile { tile, count } => (tile, *count),
            _ => continue,
        };
        check_type(tile, profile, span, findings);
        let need = Need::of(tile, count);
        findings.extend(need.beyond(profile).map(|error| error.at(span)));
    }
}

/// Checks an operation that creates a tile.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    facts: &Facts,
    profile: Profile,
    placed: &mut Placed,
    findings: &mut Vec<Diagnostic>,
) {
    if !operation.meaning().makes_tile() {
        return;
    }
    let Some(&result) = operation.results.first() else { return };
    let written = operation.type_span != Span::default();
    let span = if written { operation.type_span } else { operation.span };
    let address = facts.address(result);
    match &types[function.values[result].ty] {
        Type::Tile(tile) => {
            check_type(tile, profile, span, findings);
            check_valid_operands(tile, operation, findings);
            check_place(&Need::of(tile, 1), operation, address, profile, placed, findings);
        }
        Type::MultiTile { tile, count } => {
            check_type(tile, profile, span, findings);
            check_valid_operands(tile, operation, findings);
            check_place(&Need::of(tile, *count), operation, address, profile, placed, findings);
        }
        Type::ConvTile(tile) => {
            for operand in ["valid_row", "valid_col"].into_iter().filter_map(|role| operation.operand(role)) {
                let message = "a convolution tile is valid as a whole";
                findings.push(Diagnostic::error(&rules::alloc_tile::VALID_OPERAND, message).at(operand.span));
            }
            let need = Need { text: tile.brief(), buffer: tile.buffer(), bytes: tile.bytes() };
            check_place(&need, operation, address, profile, placed, findings);
        }
        _ if !operation.is(Op::ALLOC_TILE) => {}
        _ => {
            let message = "`pto.alloc_tile` makes a tile, not this type";
            findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(span));
        }
    }
}

/// Checks a tile type.
pub(super) fn check_type(tile: &TileType, profile: Profile, span: Span, findings: &mut Vec<Diagnostic>) {
    let mut error = |rule: &'static Rule, message: String| {
        findings.push(
            Diagnostic::error(rule, message).at(span).with_note("docs/isa/state-and-types, tile types"),
        );
    };
    for (what, valid, declared) in
        [("rows", tile.valid_rows, tile.rows), ("columns", tile.valid_cols, tile.cols)]
    {
        if let Some(valid) = valid.filter(|valid| *valid > declared) {
            error(
                &rules::alloc_tile::VALID_REGION,
                format!("{valid} valid {what}, but only {declared} are declared"),
            );
        }
    }
    if !tile.pad.fits(tile.element) {
        let message =
            format!("the fill value {:#x} does not fit {}", tile.pad.0 as u32, element_word(tile.element));
        let lint = Diagnostic::new(Severity::Lint, &rules::alloc_tile::PAD, message).at(span);
        findings.push(lint.with_note("only its lowest bits are kept"));
    }
    let mut error = |rule: &'static Rule, message: String| {
        findings.push(
            Diagnostic::error(rule, message).at(span).with_note("docs/isa/state-and-types, tile types"),
        );
    };
    if !matches!(tile.fractal, 512 | 1024 | 32) {
        error(
            &rules::alloc_tile::FRACTAL,
            format!("fractal={} is no box size: 512, 1024 or 32", tile.fractal),
        );
        return;
    }
    let layout = Layout::of(tile);
    if tile.slayout == SLayout::NoneBox {
        let (count, what) = match tile.blayout {
            BLayout::RowMajor => (tile.cols, "row"),
            BLayout::ColMajor => (tile.rows, "column"),
        };
        let bytes = tile.element.bytes(count as usize);
        if !bytes.is_multiple_of(32) {
            let message =
                format!("a {what} of {} takes {bytes} bytes, which is not a multiple of 32", tile.brief());
            let error = Diagnostic::error(&rules::alloc_tile::ALIGNMENT, message).at(span);
            findings.push(error.with_help(aligned(tile)));
        }
        return;
    }
    if !(tile.cols as usize).is_multiple_of(layout.box_cols) {
        let message = format!("{} columns are no multiple of the box's {}", tile.cols, layout.box_cols);
        error(&rules::alloc_tile::BOXES, message);
    }
    let free = tile.location == Location::Vec || tile.fractal == 32 || tile.rows == 1;
    if !free && !(tile.rows as usize).is_multiple_of(layout.box_rows) {
        let message = format!("{} rows are no multiple of the box's {}", tile.rows, layout.box_rows);
        error(&rules::alloc_tile::BOXES, message);
    }
    let wanted = profile.left_blayout();
    if tile.location == Location::Left
        && tile.slayout == SLayout::RowMajor
        && tile.blayout != wanted
        && profile.is_device()
    {
        let message = format!("a left tile is {} on {}", wanted.word(), profile.word());
        let lint = Diagnostic::new(Severity::Lint, &rules::alloc_tile::LEFT_LAYOUT, message).at(span);
        findings.push(lint.with_note("the logical matrix is the same; the tile is read as written"));
    } else if tile.location == Location::Acc && layout.name == LayoutName::Nz && tile.fractal == 512 {
        let message = "an accumulator has boxes of 1024 bytes, not 512";
        findings.push(Diagnostic::new(Severity::Lint, &rules::alloc_tile::ACC_FRACTAL, message).at(span));
    }
}

/// A legal type for a tile without boxes whose rows or columns are not aligned.
fn aligned(tile: &TileType) -> String {
    let bytes = |count: u32| tile.element.bytes(count as usize);
    let up = |count: u32| {
        (count..count.saturating_add(64)).find(|count| bytes(*count).is_multiple_of(32)).unwrap_or(count)
    };
    let word = element_word(tile.element);
    let (rows, cols) = (tile.rows, tile.cols);
    if tile.blayout == BLayout::RowMajor && cols == 1 && rows > 1 {
        return format!(
            "for one number per row, write `{}x1x{word}` with `blayout=col_major`: the rows of a column are contiguous",
            up(rows)
        );
    }
    let (rows_up, cols_up) = match tile.blayout {
        BLayout::RowMajor => (rows, up(cols)),
        BLayout::ColMajor => (up(rows), cols),
    };
    format!("declare `{rows_up}x{cols_up}x{word}`, and `valid={rows}x{cols}` for the elements that count")
}

/// Checks that each dynamic valid extent has an operand, and that static ones have none.
fn check_valid_operands(tile: &TileType, operation: &Operation, findings: &mut Vec<Diagnostic>) {
    let extents = [("valid_row", "v_row", tile.valid_rows), ("valid_col", "v_col", tile.valid_cols)];
    for (role, key, extent) in extents {
        match (operation.operand(role), extent) {
            (Some(operand), Some(extent)) => {
                let message = format!("`{role}` is given, but the type has {key}={extent}: write {key}=?");
                findings.push(Diagnostic::error(&rules::alloc_tile::VALID_OPERAND, message).at(operand.span));
            }
            (None, None) => {
                let message = format!("{key}=? without `{role}`: the whole tile is valid until it is set");
                let lint = Diagnostic::new(Severity::Lint, &rules::alloc_tile::VALID_OPERAND, message);
                findings.push(lint.at(operation.span));
            }
            _ => {}
        }
    }
}

/// The storage that a tile requires.
struct Need {
    text: String,
    buffer: Buffer,
    bytes: u64,
}

impl Need {
    fn of(tile: &TileType, count: u32) -> Need {
        let bytes = u64::from(count).saturating_mul(tile.bytes() as u64);
        let text = if count == 1 { tile.brief() } else { format!("{count} times {}", tile.brief()) };
        Need { text, buffer: tile.buffer(), bytes }
    }

    /// An error if it exceeds the capacity of the buffer.
    fn beyond(&self, profile: Profile) -> Option<Diagnostic> {
        let capacity = profile.capacity(self.buffer);
        (self.bytes > capacity).then(|| {
            let message = format!(
                "{} takes {} bytes, but {} has {capacity} on {}",
                self.text,
                self.bytes,
                self.buffer.word(),
                profile.word()
            );
            Diagnostic::error(&rules::alloc_tile::CAPACITY, message)
        })
    }
}

fn check_place(
    need: &Need,
    operation: &Operation,
    address: Option<u64>,
    profile: Profile,
    placed: &mut Placed,
    findings: &mut Vec<Diagnostic>,
) {
    let (buffer, bytes) = (need.buffer, need.bytes);
    let capacity = profile.capacity(buffer);
    if let Some(error) = need.beyond(profile) {
        findings.push(error.at(operation.span));
        return;
    }
    match (address, operation.operand("addr")) {
        (Some(address), Some(operand)) => {
            if address.saturating_add(bytes) > capacity {
                let message = format!(
                    "{bytes} bytes at {address} end beyond {}, which has {capacity} on {}",
                    buffer.word(),
                    profile.word()
                );
                findings.push(Diagnostic::error(&rules::alloc_tile::CAPACITY, message).at(operand.span));
            } else if !address.is_multiple_of(profile.address_alignment) {
                let message = format!("address {address} is not a multiple of {ADDRESS_ALIGNMENT}");
                findings.push(Diagnostic::error(&rules::alloc_tile::ADDRESS, message).at(operand.span));
            } else if buffer == Buffer::Ub && address + bytes > capacity - profile.compiler_ub {
                let message = format!(
                    "{bytes} bytes at {address} end in the last {} KB of UB, which compilers keep for themselves on {}",
                    profile.compiler_ub >> 10,
                    profile.word()
                );
                let lint = Diagnostic::new(Severity::Lint, &rules::alloc_tile::CAPACITY, message);
                findings.push(lint.at(operand.span));
            }
        }
        // A declared tile gets its address later.
        (None, None) if operation.is(Op::DECLARE_TILE) => {}
        (None, None) => {
            let total = &mut placed.automatic[buffer as usize];
            *total = total.saturating_add(bytes.next_multiple_of(ADDRESS_ALIGNMENT));
        }
        _ => {}
    }
}
