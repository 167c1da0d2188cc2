//! Queues between the cores of a block. The dialect calls them pipes; here a pipe is a hardware pipe of a core.

use crate::isa::rule::Rule;

const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler, 4.18";
const EPILOGUES: &str = "docs/designs/fixpipe-tpipe-design.md of the public assembler";

family! {
    /// A buffer that the other function lacks.
    PEER = Rule::of("queue", "peer",
        "An imported buffer is reserved under its name by the function that the import names.", MANUAL)
        .because("The address of the buffer is that of the reservation.")
        .instead("Correct the name or `peer_func`, or reserve the buffer there.");

    /// Numbers that make no queue.
    SLOTS = Rule::of("queue", "slots",
        "`slot_size`, `slot_num` and `local_slot_num` are positive numbers of bytes and slots.", MANUAL)
        .because("A queue without slots or bytes can hold no entry.")
        .instead("Write a positive number that is within the bound.");

    /// A queue that nobody opened.
    INITIALIZE = Rule::of("queue", "initialize", "A core opens a queue before it uses it.", MANUAL)
        .because("Opening says where the slots are and how many there are.")
        .instead("Open the queue in this function before its first use.");

    /// An entry of the wrong kind.
    ENTRY = Rule::of("queue", "entry",
        "An entry is popped as what was pushed: a tile, or a slot in global memory.", MANUAL)
        .because("A tile travels through on-chip memory, a slot is a place in global memory.")
        .instead("Use tiles on both ends, or tensor views on both ends.");

    /// A split that the entry cannot have.
    SPLIT = Rule::of("queue", "split",
        "An entry is split only where its queue allows it and its extent is even.", MANUAL)
        .because("Each of the two vector cores gets one half.")
        .instead("Write `split = 0`, or push an even extent.");

    /// What opens the queue says something impossible of accumulators.
    EPILOGUE = Rule::of("queue", "epilogue",
        "`acc_push_epilogue` names a mode of the profile, on a queue from cube to vector cores that is not split.", EPILOGUES)
        .because("The fixpipe applies it on the way out of L0C, which is the only such way.")
        .instead("Write a mode of the profile, `dir_mask = 1` and `nosplit = true`.");

    /// A format that the mode does not take or give.
    EPILOGUE_TYPE = Rule::of("queue", "epilogue-type",
        "Pushed accumulators and popped tiles have formats of the queue's mode.", EPILOGUES)
        .because("The fixpipe converts between certain pairs of formats only.")
        .instead("Push and pop the formats of the mode, or open the queue with another mode.");

    /// A layout that the mode does not give.
    EPILOGUE_LAYOUT = Rule::of("queue", "epilogue-layout",
        "A popped tile has the layout that the queue's mode gives.", EPILOGUES)
        .because("The fixpipe writes entries in one order of elements.")
        .instead("Pop a tile of the layout that the message names.");

    /// Parameters that are missing, or of another kind.
    QUANTIZATION = Rule::of("queue", "quantization",
        "A queue that quantizes gets the parameters of its mode before the first push, and no other queue gets any.", EPILOGUES)
        .because("The fixpipe reads scale and offset from registers that this operation sets.")
        .instead("Write the setter that the message names, with the number of the queue, before the push.");

    /// Ends that contradict each other.
    AGREEMENT = Rule::of("queue", "agreement",
        "Both ends open a queue with the same slots, sizes and epilogue.", MANUAL)
        .because("Each end computes slot addresses from its own numbers.")
        .instead("Write the same attributes on both ends.");

    /// Slots that the buffer cannot hold.
    CAPACITY = Rule::of("queue", "capacity", "The slots of a queue end within the consumer's buffer.", MANUAL)
        .because("Addresses beyond the capacity do not exist on the device.")
        .instead("Use fewer or smaller slots, or a lower base.");

    /// An entry that a slot cannot hold.
    SLOT_SIZE = Rule::of("queue", "slot-size", "An entry is no larger than a slot.", MANUAL)
        .because("The rest of the entry would overwrite the next slot.")
        .instead("Open the queue with a larger `slot_size`, or push smaller tiles.");

    /// An entry of another format.
    ELEMENT_TYPE = Rule::of("queue", "element-type",
        "An entry is popped with the element type it was pushed with.", MANUAL)
        .because("The bytes of the entry are not converted.")
        .instead("Pop a tile of the pushed element type, and convert it with TCVT.");

    /// An entry that the tile cannot hold.
    SHAPE = Rule::of("queue", "shape", "A popped tile has room for the entry.", MANUAL)
        .because("The elements beyond the tile would have no place.")
        .instead("Declare the popped tile as large as the pushed one, or as its half if the entry is split.");

    /// A slot that is freed too often.
    FREE = Rule::of("queue", "free", "A core frees only slots that it has popped.", MANUAL)
        .because("The producer would write to a slot whose entry is still to be read.")
        .instead("Write one `pto.tfree` for each pop.");

    /// A push without a slot.
    ALLOCATE = Rule::of("queue", "allocate",
        "A slot in global memory is allocated before it is pushed.", MANUAL)
        .because("Allocation waits until the consumer has freed the slot.")
        .instead("Write one `pto.talloc` before each push.");
}
