//! Steps of values that the dialect has beside tiles and scalars: parts of multi tiles, structs, pointers as numbers,
//! the control register.

use crate::exec::state::View;

/// One step. Slots are relative to the frame of the function.
#[derive(Clone, Debug)]
pub(crate) enum ValueStep {
    /// One of `count` tiles of so many bytes that lie one after the other.
    MultiGet {
        to: u32,
        from: u32,
        index: u32,
        count: u32,
        bytes: usize,
    },
    /// A view without an address.
    DeclareView {
        to: u32,
        view: Box<View>,
    },
    /// Gives a view its address.
    BindView {
        view: u32,
        pointer: u32,
    },
    /// What was declared under a name has an address: the flag in a scalar slot is set.
    Placed {
        flag: u32,
        name: Box<str>,
    },
    /// A struct of so many scalars, in a slot of arrays; `to` becomes what names it.
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
    /// Writes one.
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
    /// The number of an event is one that there is.
    EventId {
        id: u32,
    },
}
