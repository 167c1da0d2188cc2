//! Rules of values other than tiles and scalars: views, arrays, structs, multi tiles, pointers as integers,
//! constants.

use crate::rule::Rule;

const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";
const SHELL: &str = "https://mlir.llvm.org/docs/Dialects/ArithOps";

family! {
    /// An empty tile next to a tile that does not match it.
    EMPTY_REGION = Rule::of("", "empty-region",
        "The valid regions of an instruction's tiles fit each other, even if one of them is empty.", "docs/isa/TCOLSUM.md")
        .because("An instruction with an empty tile does nothing, although the valid regions of the other tiles are not empty.")
        .instead("Give the other tiles empty valid regions too, or skip the instruction.")
        .lint();

    /// An illegal number of tiles in a multi tile.
    MULTI_TILE_COUNT = Rule::of("alloc_multi_tile", "count", "A multi tile has 2 to 16 tiles.", MANUAL)
        .because("The operation is defined for these counts, and the public assembler reads no others.")
        .instead("Change the count, or allocate single tiles.");

    /// Rows that reach into the next tile.
    MULTI_TILE_COMPACT = Rule::of("alloc_multi_tile", "compact",
        "The type of a multi tile does not have `compact=2`.", MANUAL)
        .because("With `compact=2` additional elements would lie in the next tile.")
        .instead("Leave `compact` out of the type.");

    /// A result whose type differs from the multi tile's.
    MULTI_TILE_TYPE = Rule::of("multi_tile_get", "type",
        "The result has the type of the multi tile's tiles.", MANUAL)
        .because("The result is one of these tiles, not a view of it.")
        .instead("Write the tile type of the multi tile.");

    /// An index beyond the multi tile's last tile.
    MULTI_TILE_INDEX = Rule::of("multi_tile_get", "index",
        "The index is less than the number of tiles of the multi tile.", MANUAL)
        .because("The bytes beyond the last tile belong to something else.")
        .instead("Take the index modulo the count.");

    /// A declared view without its extents.
    GLOBAL_EXTENT = Rule::of("declare_global", "extent",
        "The type gives one to five extents as numbers.", MANUAL)
        .because("Only the type determines the extents of the view.")
        .instead("Replace each `?` of the type by a number.");

    /// A use before the address is assigned.
    DECLARED_ADDRESS = Rule::of("declare", "address",
        "A declared tile or view gets its address before it is used.", MANUAL)
        .because("A tile or view without an address has no bytes.")
        .instead("Before the use, give the tile or view an address with `pto.tassign`, or an entry with `pto.tpop`.");

    /// An illegal type of a struct field.
    STRUCT_FIELD = Rule::of("declare_struct", "field",
        "A field is an integer of 8 to 64 bits, f16, bf16, f32, or a struct of such fields.", MANUAL)
        .because("A struct lives in scalar registers.")
        .instead("Keep tiles, views and pointers in separate values.");

    /// A struct that escapes its scope.
    STRUCT_ESCAPE = Rule::of("declare_struct", "escape",
        "A struct stays in the scope that declares it.", MANUAL)
        .because("A struct is a reference to its fields, which end with the scope.")
        .instead("Declare the struct outside, and write its fields where they change.");

    /// A path that selects no field.
    STRUCT_PATH = Rule::of("struct", "path",
        "A path is a list of field numbers that leads to a field.", MANUAL)
        .because("A path beyond the fields names nothing.")
        .instead("Write the numbers of the fields from the outermost struct inwards, as in `[0, 2]`.");

    /// A value whose type differs from the field's.
    STRUCT_TYPE = Rule::of("struct", "type", "The value has the type of the field.", MANUAL)
        .because("A field holds the bits of one type; nothing converts them.")
        .instead("Convert the value, or change the field's type.");

    /// An integer that is not an address.
    INT_TO_POINTER_ADDRESS = Rule::of("inttoptr", "address",
        "The number is an address inside an argument whose address `pto.ptrtoint` returned.", MANUAL)
        .because("Any other number points to memory that is not the program's.")
        .instead("Compute the number from the result of `pto.ptrtoint`.");

    /// A pointer from an integer that is used to create a view.
    INT_TO_POINTER_USE = Rule::of("inttoptr", "use",
        "A pointer from `pto.inttoptr` is used by `pto.load_scalar` and `pto.store_scalar` only.", MANUAL)
        .because("Views and transfers need a pointer whose buffer is known.")
        .instead("Use the pointer that the number was made from.");

    /// A reserved bit of the control register.
    CONTROL_BIT = Rule::of("set_ctrl", "bit",
        "A program changes only bits of the control register that leave the results of instructions as they are.", MANUAL)
        .because("The other bits select modes that `pto run` does not compute: its results would differ from the device's.")
        .instead("Give the bit that the message names the value that `pto.get_ctrl` returns at the start.");

    /// An event id that does not exist.
    EVENT_ID = Rule::of("", "event-id", "An event id is 0 to 7.", MANUAL)
        .because("A core has eight flags for each pair of pipes.")
        .instead("Take the id modulo 8, and wait for the flag before it is set again.");

    /// A negative extent or stride.
    VIEW_EXTENT = Rule::of("make_tensor_view", "extent",
        "Extents and strides of a view are not negative.", MANUAL)
        .because("A negative extent has no elements, and a negative stride leaves the buffer.")
        .instead("Correct the computation of the extent or stride.");

    /// A number of offsets that differs from the number of dimensions.
    PARTITION_RANK = Rule::of("partition_view", "rank",
        "A view is cut with one offset and one size for each of its dimensions.", MANUAL)
        .because("A dimension without an offset has no first element.")
        .instead("Give one offset and one size for each dimension.");

    /// A negative offset or size.
    PARTITION_EXTENT = Rule::of("partition_view", "extent",
        "Offsets and sizes of a part are not negative.", MANUAL)
        .because("A part with a negative offset begins before its view.")
        .instead("Correct the computation of the offset or size.");

    /// A source and a destination that partly overlap.
    OVERLAP = Rule::of("", "overlap",
        "A source and a destination are one tile or have no byte in common.", "docs/isa/tile/ops")
        .because("`pto run` reads all sources first; a device writes the first elements before it reads the last ones.")
        .instead("Place the destination at the source's address, or where it overlaps no source.")
        .lint();

    /// A partition that ends beyond its view.
    PARTITION_BEYOND = Rule::of("partition_view", "beyond",
        "A part of a view ends within it.", MANUAL)
        .because("Elements beyond the end of a dimension belong to the next row, or to no row.")
        .instead("Limit the size to what the view has left, for instance with `arith.minsi`.")
        .lint();

    /// A valid region that is set through a part of a tile.
    SUBVIEW_REGION = Rule::of("set_validshape", "subview",
        "The valid region of a part of a tile is written where the part is made.",
        "docs/PTO_IR_manual.md of the public assembler, pto.set_validshape")
        .because("The assembler sets the valid region of tiles of alloc_tile, declare_tile, bitcast and treshape only.")
        .instead("Give the subview a `valid` operand, or set the valid region of a separate tile.")
        .lint();

    /// A dimension that the view lacks.
    VIEW_DIM = Rule::of("", "view-dim", "The requested dimension is one of the view's dimensions.", MANUAL)
        .because("Other dimensions have neither extent nor stride.")
        .instead("Number dimensions from 0, the outermost.");

    /// Different numbers of extents and strides.
    VIEW_RANK = Rule::of("", "view-rank",
        "A view has one to five dimensions, each with an extent and a stride or size.", MANUAL)
        .because("Transfers have loops of at most five dimensions.")
        .instead("Give as many strides or sizes as extents, and merge dimensions beyond five.");

    /// An array that is too large, or an index outside its bounds.
    LOCAL_ARRAY = Rule::of("", "local-array",
        "An array has a bounded size, and each access has one index per dimension, within the extent of the dimension.", MANUAL)
        .because("An index beyond the extent accesses the memory of another variable.")
        .instead("Correct the index, or declare a larger array.");

    /// A constant that does not fit its type.
    CONSTANT = Rule::of("", "constant", "The value of a constant fits its type; a constant of a float type is written as a \
         float.", SHELL)
        .because("Bits beyond the type would be cut off silently.")
        .instead("Write a wider type or a smaller number; write a float with a point, or its bits as hexadecimal digits.");
}
