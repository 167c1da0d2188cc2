//! Kernels recorded from Rust (`pto::intrinsics`).

use crate::rule::Rule;

const SOURCE: &str = "pto::intrinsics";

family! {
    /// A value of another kernel.
    FOREIGN_VALUE = Rule::of("kernel", "foreign-value",
        "Values, events, tensors and ranks belong to the kernel that they are used with.", SOURCE)
        .because("A handle is a number that means another value in another kernel.")
        .instead("Make the value with the kernel that uses it.");

    /// Regions nested too deeply.
    DEPTH = Rule::of("kernel", "depth", "Loops and sections are nested no deeper than `.pto` text allows.", SOURCE)
        .because("The kernel is printed and read again before it runs.")
        .instead("Merge loops.");

    /// An argument that is not in the signature.
    SIGNATURE = Rule::of("kernel", "signature", "A launch gives values only to arguments of the kernel.", SOURCE)
        .because("A constant or a value of another type has no place in the launch.")
        .instead("Pass the handle that the kernel returned for this argument.");

    /// An address assigned to a value without an allocation.
    ASSIGN_TARGET = Rule::of("assign", "target",
        "An address is assigned to a tile that was allocated.", SOURCE)
        .because("A view of a tile has the address of the tile.")
        .instead("Assign the address of the whole tile.");

    /// An address assigned after the first use.
    ASSIGN_LATE = Rule::of("assign", "late",
        "The address of a tile is assigned before its first use.", SOURCE)
        .because("The operations so far were checked with another address.")
        .instead("Assign the address directly after the allocation.");

    /// An event used outside its region.
    EVENT_SCOPE = Rule::of("event", "scope",
        "Only a later instruction of the block that recorded the event, or of a block inside it, waits for the event.", SOURCE)
        .because("If only one path sets the flag, the wait hangs or the flag stays set on the other path.")
        .instead("Wait in the same block, before the loop or branch ends.");

    /// An event between cores.
    EVENT_CORES = Rule::of("event", "cores", "An event orders pipes of one core.", SOURCE)
        .because("Flags between pipes do not reach other cores.")
        .instead("Use a queue or a flag between cores.");

    /// More events in use than there are identifiers.
    EVENT_IDENTIFIERS = Rule::of("event", "identifiers",
        "At most eight events are in flight between two pipes.", SOURCE)
        .because("A core has eight flags for each pair of pipes.")
        .instead("Wait for an earlier event first.");

    /// Half of a pair of 4-bit numbers.
    PAIRS = Rule::of("kernel", "pairs",
        "Extents and offsets are even along the dimension in which 4-bit numbers share bytes.", SOURCE)
        .because("Two numbers share a byte, and `.pto` text counts such pairs.")
        .instead("Give an even number.");

    /// Illegal extents of a tensor.
    TENSOR_EXTENTS = Rule::of("tensor", "extents",
        "A tensor has one to five extents, and data and windows that fit them.", SOURCE)
        .because("Views have at most five dimensions, and elements without data have no value.")
        .instead("Give as many extents, offsets and bytes as the tensor has.");

    /// Extents that do not match the layout.
    CONV_TILE_EXTENTS = Rule::of("conv_tile", "extents",
        "A convolution tile has as many extents as its layout has dimensions.", SOURCE)
        .because("Each extent belongs to one dimension of the layout.")
        .instead("Give one extent for each dimension, outermost first.");
}
