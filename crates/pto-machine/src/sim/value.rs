//! Steps of values other than tiles and scalars: multi tiles, structs, pointers from integers, the control
//! register.

use pto_isa::exec::state::View;

/// One step. Slots are relative to the frame of the function.
#[derive(Clone, Debug)]
pub(crate) enum ValueStep {
    /// Selects one of `count` contiguous tiles of `bytes` bytes.
    MultiGet {
        to: u32,
        from: u32,
        index: u32,
        count: u32,
        bytes: usize,
    },
    /// Creates a view without an address.
    DeclareView {
        to: u32,
        view: Box<View>,
    },
    /// Assigns an address to a view.
    BindView {
        view: u32,
        pointer: u32,
    },
    /// Checks that a declared value has an address: the flag in a scalar slot must be set.
    Placed {
        flag: u32,
        name: Box<str>,
    },
    /// Creates a struct of `length` scalars in an array slot; `to` receives its handle.
    NewStruct {
        to: u32,
        array: u32,
        length: u32,
    },
    /// Reads a scalar of a struct.
    Field {
        to: u32,
        of: u32,
        field: u32,
    },
    /// Writes a scalar of a struct.
    SetField {
        of: u32,
        field: u32,
        value: u32,
    },
    PointerToInt {
        to: u32,
        pointer: u32,
    },
    IntToPointer {
        to: u32,
        from: u32,
    },
    TileExtent {
        to: u32,
        tile: u32,
        cols: bool,
    },
    ReadControl {
        to: u32,
    },
    WriteControl {
        value: u32,
    },
    /// Checks that an event id is valid.
    EventId {
        id: u32,
    },
}
