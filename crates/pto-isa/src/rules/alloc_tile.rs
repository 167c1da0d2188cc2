//! Rules of tiles: type, valid region, address.

use crate::profile::{NPU, Profile};
use crate::rule::{Rule, Severity};

const SOURCE: &str = "docs/isa/state-and-types, tile types";

family! {
    /// A valid region larger than the declared shape.
    VALID_REGION = Rule::of("alloc_tile", "valid-region",
        "The valid region lies within the declared shape.", SOURCE)
        .because("Elements outside of the declared shape are bytes of other tiles.")
        .instead("Declare a larger shape, or a smaller valid region.");

    /// A box size that does not exist.
    FRACTAL = Rule::of("alloc_tile", "fractal", "A box has 512, 1024 or 32 bytes.", SOURCE)
        .because("The matrix unit reads and writes boxes of these sizes only.")
        .instead("Write 512 for factors, 1024 for accumulators of 32-bit elements, 32 for MX scales.");

    /// A row size that is not a multiple of a block.
    ALIGNMENT = Rule::of("alloc_tile", "alignment",
        "A row of a row-major tile, or a column of a column-major one, takes a multiple of 32 bytes.", SOURCE)
        .because("The pipes access on-chip buffers in blocks of 32 bytes, and each row must start at a block.")
        .instead("Pad the declared extent to a multiple of 32 bytes and keep the valid region.");

    /// A shape that is not a multiple of the box shape.
    BOXES = Rule::of("alloc_tile", "boxes",
        "The declared extents of a tile with boxes are multiples of the extents of a box.", SOURCE)
        .because("A part of a box has no place in the layout.")
        .instead("Pad the declared extents to whole boxes and keep the valid region.");

    /// A left tile with the box order of another device.
    LEFT_LAYOUT = Rule::of("alloc_tile", "left-layout",
        "A left tile has the order of boxes of its device: ZZ on a2a3, NZ on a5.", SOURCE)
        .because("The cube core of the device reads L0A in its own order of boxes.")
        .instead("Write the `blayout` that the message names.")
        .only(NPU)
        .weighing(&[(Severity::Lint, NPU)])
        .frequent();

    /// An accumulator with another box size.
    ACC_FRACTAL = Rule::of("alloc_tile", "acc-fractal", "An accumulator has boxes of 1024 bytes.", SOURCE)
        .because("The matrix unit writes 16x16 elements of 32 bits to a box.")
        .instead("Write fractal=1024.")
        .lint();

    /// A fill value that does not fit the element type.
    PAD = Rule::of("alloc_tile", "pad", "The element type of a tile holds its fill value.", SOURCE)
        .because("A device keeps as many bits as the element type has; those of a longer number mean another value.")
        .instead("Write a fill value with the bits of the element type.")
        .lint();

    /// A valid extent that is given twice or not at all.
    VALID_OPERAND = Rule::of("alloc_tile", "valid-operand",
        "Each valid extent is a number in the type, or `?` in the type and a number in an operand.", SOURCE)
        .because("Two numbers for one extent contradict each other; without a number the whole tile counts as valid.")
        .instead("Write `?` in the type if there is an operand, and an operand if the type has `?`.")
        .weighing(&[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)]);

    /// A tile larger than its buffer.
    CAPACITY = Rule::of("alloc_tile", "capacity", "A tile ends within its buffer.", SOURCE)
        .because("Addresses beyond the capacity do not exist on the device.")
        .instead("Use a smaller tile or a lower address.")
        .weighing(&[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)]);

    /// Tiles that together are larger than their buffer.
    TOTAL_CAPACITY = Rule::of("alloc_tile", "total-capacity",
        "All tiles of a function that have no address fit their buffer at the same time.", SOURCE)
        .because("`pto run` gives each of these tiles its own address; on the device some of them must share one.")
        .instead("Run `pto lower`, which gives one address to several tiles that are not live at the same time, or write \
             such addresses.")
        .weighing(&[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)]);

    /// A misaligned address.
    ADDRESS = Rule::of("alloc_tile", "address", "The address of a tile is a multiple of 32 bytes.", SOURCE)
        .because("The pipes access on-chip buffers in blocks of 32 bytes.")
        .instead("Round the address up to a multiple of 32.")
        .only(NPU)
        .weighing(&[(Severity::Error, NPU)]);
}
