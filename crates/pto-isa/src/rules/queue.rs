//! Rules of queues between the cores of a block. The dialect calls queues pipes; here a pipe is a hardware pipe of
//! a core.

use crate::profile::NPU;
use crate::rule::Rule;

const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler, 4.18";
const EPILOGUES: &str = "docs/designs/fixpipe-tpipe-design.md of the public assembler";

family! {
    /// An imported buffer that the other function does not reserve.
    PEER = Rule::of("queue", "peer",
        "The function that an import names reserves a buffer with the imported name.", MANUAL)
        .because("The reservation determines the address of the imported buffer.")
        .instead("Correct the name or `peer_func`, or reserve the buffer there.");

    /// Sizes or counts of slots that are not positive.
    SLOTS = Rule::of("queue", "slots",
        "`slot_size`, `slot_num` and `local_slot_num` are positive numbers of bytes and slots.", MANUAL)
        .because("A queue without slots or bytes can hold no entry.")
        .instead("Write a positive number that is within the bound.");

    /// A use of a queue that was not opened.
    INITIALIZE = Rule::of("queue", "initialize", "A core opens a queue before it uses it.", MANUAL)
        .because("Opening defines the address and the number of slots.")
        .instead("Open the queue in this function before its first use.");

    /// An entry of the wrong kind.
    ENTRY = Rule::of("queue", "entry",
        "Both ends use one form of entry: a tile, or a slot in global memory.", MANUAL)
        .because("A tile is transferred through on-chip memory; a slot is memory in a global buffer.")
        .instead("Use tiles on both ends, or tensor views on both ends.");

    /// A split that is illegal for the entry.
    SPLIT = Rule::of("queue", "split",
        "An entry is split only where its queue allows it and its extent is even.", MANUAL)
        .because("Each of the two vector cores gets one half.")
        .instead("Write `split = 0`, or push an even extent.");

    /// An illegal epilogue for accumulators.
    EPILOGUE = Rule::of("queue", "epilogue",
        "`acc_push_epilogue` names a mode of the profile, on a queue from cube to vector cores that is not split.", EPILOGUES)
        .because("Only the fixpipe, on the path out of L0C, applies an epilogue.")
        .instead("Write a mode of the profile, `dir_mask = 1` and `nosplit = true`.");

    /// A format that the mode does not accept or produce.
    EPILOGUE_TYPE = Rule::of("queue", "epilogue-type",
        "Pushed accumulators and popped tiles have formats of the queue's mode.", EPILOGUES)
        .because("The fixpipe converts between certain pairs of formats only.")
        .instead("Push and pop the formats of the mode, or open the queue with another mode.");

    /// A layout that the mode does not produce.
    EPILOGUE_LAYOUT = Rule::of("queue", "epilogue-layout",
        "A popped tile has the layout that the queue's mode produces.", EPILOGUES)
        .because("The fixpipe writes entries in one order of elements.")
        .instead("Pop a tile of the layout that the message names.");

    /// Missing quantization parameters, or parameters of the wrong kind.
    QUANTIZATION = Rule::of("queue", "quantization",
        "The parameters of a quantizing queue's mode are set before its first push; other queues have no parameters.", EPILOGUES)
        .because("The fixpipe reads scale and offset from registers that a setter writes.")
        .instead("Write the setter that the message names, with the number of the queue, before the push.");

    /// Two ends of a queue with different attributes.
    AGREEMENT = Rule::of("queue", "agreement",
        "Both ends open a queue with the same directions, slots, sizes and epilogue, and split its entries alike.", MANUAL)
        .because("Each end computes slot addresses from its own numbers.")
        .instead("Write the same attributes on both ends.");

    /// Slots that end beyond the buffer.
    CAPACITY = Rule::of("queue", "capacity", "The slots of a queue end within the consumer's buffer.", MANUAL)
        .because("Addresses beyond the capacity do not exist on the device.")
        .instead("Use fewer or smaller slots, or a lower base.");

    /// An entry that is larger than a slot.
    SLOT_SIZE = Rule::of("queue", "slot-size", "An entry is no larger than a slot.", MANUAL)
        .because("The rest of the entry would overwrite the next slot.")
        .instead("Open the queue with a larger `slot_size`, or push smaller tiles.");

    /// A popped tile whose element type differs from the entry's.
    ELEMENT_TYPE = Rule::of("queue", "element-type",
        "An entry is popped with the element type it was pushed with.", MANUAL)
        .because("The bytes of the entry are not converted.")
        .instead("Pop a tile of the pushed element type, and convert it with TCVT.");

    /// An entry that is larger than the popped tile.
    SHAPE = Rule::of("queue", "shape", "A popped tile is at least as large as the entry.", MANUAL)
        .because("Elements beyond the tile would be lost.")
        .instead("Declare the popped tile as large as the pushed one, or as its half if the entry is split.");

    /// A slot that is freed twice.
    FREE = Rule::of("queue", "free", "A core frees only slots that it has popped.", MANUAL)
        .because("The producer would write to a slot whose entry is still to be read.")
        .instead("Write one `pto.tfree` for each pop.");

    /// An entry that is pushed and never popped.
    LEFT = Rule::of("queue", "left", "Every entry that is pushed is popped before the kernel ends.",
        "docs/PTO_IR_manual.md of the public assembler, 4.18; include/pto/npu/{a2a3,a5}/TPush.hpp")
        .because("The flag of the entry stays set, and the first pop of the next kernel does not wait.")
        .instead("Pop and free as many entries as are pushed, on every path.");

    /// An entry that is popped and never freed, although its producer waits for the slot.
    NOT_FREED = Rule::of("queue", "not-freed", "Every entry that is popped is freed before the kernel ends.",
        "docs/PTO_IR_manual.md of the public assembler, 4.18; include/pto/npu/{a2a3,a5}/TPush.hpp")
        .because("The producer waits for the slot, at the latest before it ends, and so never ends.")
        .instead("Free each entry after its last use, on every path.");

    /// Operations on one entry in different blocks.
    ONE_BLOCK = Rule::of("queue", "one-block",
        "A popped tile is freed in the block of its pop, and parameters are set in the block of their push.",
        "docs/PTO_IR_manual.md of the public assembler, 4.18; lib/PTO/IR/PTO.cpp of the public assembler")
        .because("The public assembler pairs these operations within a block, and refuses others.")
        .instead("Move the two operations into one block.")
        .lint()
        .only(NPU);

    /// An entry that both ends count differently.
    PACKING = Rule::of("queue", "packing",
        "Push and pop agree on the columns of an entry, or of a consumer's part: on valid columns in global memory, on \
         declared columns on chip (A5); from vector cores to the cube core on chip, on declared rows.",
        "include/pto/npu/{a2a3,a5}/TPush.hpp, TPop.hpp")
        .because("A device packs the elements of a slot without gaps: another number shifts all rows but the first.")
        .instead("Pop into a tile with the extents that the message names.");

    /// Slots in global memory that end beyond their buffer.
    MEMORY = Rule::of("queue", "memory",
        "`gm_slot_buffer` has room for all slots; if `dir_mask` is 3, for the slots of both directions.",
        "docs/PTO_IR_manual.md of the public assembler, 4.18; include/pto/npu/a2a3/TPush.hpp")
        .because("Entries of the last slots would be written behind the buffer.")
        .instead("Pass a larger buffer, or use fewer or smaller slots.");

    /// A push without an allocated slot.
    ALLOCATE = Rule::of("queue", "allocate",
        "A slot in global memory is allocated before it is pushed.", MANUAL)
        .because("Allocation waits until the consumer has freed the slot.")
        .instead("Write one `pto.talloc` before each push.");
}
