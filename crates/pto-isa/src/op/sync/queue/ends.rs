//! The ends of queues: their directions and slots.

use super::super::order::{By, Order, VERIFIER, page};
use crate::attribute::Attribute;
use crate::meaning::{Core, Meaning};
use crate::op::attribute::{AttributeKind, AttributeSpec, DefaultValue};
use crate::op::effect::Effect;
use crate::op::epilogue;
use crate::op::form::{Kind, Syntax};
use crate::op::site::Check;
use crate::profile::A5_ONLY;
use crate::rule::Rule;

pub(super) static AIC_INITIALIZE_PIPE: Order = Order {
    page: page(
        "aic_initialize_pipe",
        "Opens the cube core's end of a numbered queue.",
        "the queue has slot_num free slots of slot_size bytes for each direction of dir_mask",
        MANUAL,
        PATTERNS,
        END,
    )
    .with(OF_NUMBERED)
    .touching(SLOTS_OF_NUMBERED),
    by: By::Scalar,
    meaning: Meaning::QueueEnd(Core::Cube),
    check: check_numbered,
};

pub(super) static AIV_INITIALIZE_PIPE: Order = Order {
    page: page(
        "aiv_initialize_pipe",
        "Opens a vector core's end of a numbered queue.",
        "the queue has slot_num free slots of slot_size bytes for each direction of dir_mask",
        MANUAL,
        PATTERNS,
        END,
    )
    .with(OF_NUMBERED)
    .touching(SLOTS_OF_NUMBERED),
    by: By::Scalar,
    meaning: Meaning::QueueEnd(Core::Vector),
    check: check_numbered,
};

pub(super) static INITIALIZE_L2G2L_PIPE: Order = Order {
    page: page(
        "initialize_l2g2l_pipe",
        "Makes a queue with slots in global memory, and copies of some slots in a buffer of the consumer.",
        "result is a queue: slot_num free slots in global memory at address first, local_slot_num slots in the buffer at \
         address second",
        "docs/designs/ptoas-tpush-tpop-design.md of the public assembler",
        VALUE_PATTERNS,
        VALUE,
    )
    .with(OF_VALUE)
    .touching(SLOTS_OF_VALUE),
    by: By::Scalar,
    meaning: Meaning::Queue { through_global: true },
    check: |check| check_value(check, "third"),
};

pub(super) static INITIALIZE_L2L_PIPE: Order = Order {
    page: page(
        "initialize_l2l_pipe",
        "Makes a queue whose slots are in a buffer of the consumer.",
        "result is a queue of slot_num free slots in the buffer at address first (and at address second for the other \
         direction)",
        "docs/designs/ptoas-tpush-tpop-design.md of the public assembler",
        VALUE_PATTERNS,
        VALUE,
    )
    .with(OF_VALUE)
    .touching(SLOTS_OF_VALUE),
    by: By::Scalar,
    meaning: Meaning::Queue { through_global: false },
    check: |check| check_value(check, "second"),
};

/// The document of the dialect's queues.
pub(super) const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler, 4.18";

const DIRECTION: Rule = Rule::new(
    "direction",
    "dir_mask is 1 (from the cube core to the vector cores), 2 (the other way) or 3 (both).",
    MANUAL,
)
.because("The direction decides which core pushes and which one pops.")
.instead("Write `dir_mask` as 1, 2 or 3.");
const SLOT_SIZE: Rule =
    Rule::new("slot-size", "slot_size, the bytes of an entry before it is split, is 1 or more.", VERIFIER)
        .because("A slot without bytes can hold no entry.")
        .instead("Write the bytes of the largest entry before it is split.");
const SLOT_NUM: Rule =
    Rule::new("slot-num", "slot_num, if it is written, is 1 or more.", "docs/isa/TPUSH.md, Constraints")
        .because("A queue without slots can hold no entry.")
        .instead("Write a positive number, or leave `slot_num` out.");
const LOCAL_SLOT_NUM: Rule = Rule::new(
    "local-slot-num",
    "local_slot_num, if it is written, is 1 to slot_num; without slot_num the limit is 8, or 4 if dir_mask is 3.",
    MANUAL,
)
.because("Local slots are copies of slots in global memory.")
.instead("Write 1 to `slot_num`, or leave `local_slot_num` out.");
const A5_LOCAL: Rule = Rule::new("a5-local-slot-num", "local_slot_num is for A2 and A3.", MANUAL)
    .because("On A5 entries stay in on-chip memory, which has no second set of slots.")
    .instead("Remove `local_slot_num`.")
    .only(A5_ONLY);
const ID: Rule = Rule::new("id", "The number of a queue is 0 or more.", VERIFIER)
    .because("Both ends find the queue by this number.")
    .instead("Write a number of 0 or more.");
const SLOT_TENSOR: Rule = Rule::new(
    "slot-tensor",
    "A slot in global memory is named by gm_slot_tensor or by gm_slot_buffer, not by both.",
    MANUAL,
)
.because("Two names for one slot may contradict each other.")
.instead("Keep one of the two operands.");
const SLOT_BYTES: Rule = Rule::new(
    "slot-bytes",
    "slot_size is the number of bytes of gm_slot_tensor, or twice that number if each vector core has half an entry.",
    VERIFIER,
)
.because("Both ends compute slot addresses from `slot_size`.")
.instead("Write the number of bytes of the tensor, or twice that number for halves.");
/// Checked with all operations of a function: `check::queues`.
pub const UNIQUE: Rule = Rule::new("unique", "A function opens one queue of each number.", MANUAL)
    .because("A use of the number would mean two queues.")
    .instead("Give the second queue another `id`, or remove it.");
const FLAG_BASE: Rule = Rule::new(
    "flag-base",
    "flag_base, if it is written, is the first of 2 consecutive flags out of 16, or of 4 if dir_mask is 3.",
    VERIFIER,
)
.because("Each direction uses two of the 16 flags.")
.instead("Write a `flag_base` of 0 to 14, or to 12 where `dir_mask` is 3.");
/// Checked with all operations of a function: `check::queues`.
pub const FLAGS: Rule = Rule::new(
    "flags",
    "The queues that a function opens take 16 flags at most: 2 each, or 4 where dir_mask is 3.",
    MANUAL,
)
.because("Each direction uses two of the 16 flags of a core.")
.instead("Open fewer queues in one function, or use one for several kinds of entries.");
/// Checked with all operations of a function: `check::queues`.
pub const ONE_QUEUE: Rule = Rule::new("one-queue", "A buffer holds the slots of one queue.", MANUAL)
    .because("Entries of two queues would overwrite each other.")
    .instead("Reserve a buffer for each queue.");
const BUFFERS: Rule = Rule::new(
    "buffers",
    "A second buffer, of the other direction's consumer, is named if and only if dir_mask is 3.",
    VERIFIER,
)
.because("Each direction has its slots in the buffer of its consumer.")
.instead("Name one buffer for each direction of `dir_mask`.");

/// The integer of an attribute, or the page's default; -1 if the attribute is not an integer, `None` if there is
/// neither.
pub(super) fn number(check: &Check<'_>, key: &str) -> Option<i128> {
    let written = check.site.attribute(key).map(|attribute| attribute.as_integer().unwrap_or(-1));
    written.or_else(|| check.site.integer_or_default(key))
}

/// Checks that an attribute is in a range, and that it is written unless the page has a default.
pub(super) fn within(check: &mut Check<'_>, rule: &'static Rule, key: &str, [first, last]: [i128; 2]) {
    let Some(number) = number(check, key) else {
        let spec = check.site.instruction.page().attribute(key);
        let required = spec.is_some_and(|spec| spec.default == DefaultValue::Required);
        check.require(rule, key, !required, |_| format!("write {key}"));
        return;
    };
    check.require(rule, key, (first..=last).contains(&number), |_| {
        if last < i128::from(u32::MAX) {
            format!("{key} is {number}, not one of {first} to {last}")
        } else {
            format!("{key} is {number}, less than {first}")
        }
    });
}

/// An upper bound for unlimited numbers of slots or bytes.
pub(super) const MANY: i128 = i128::MAX;

/// Whether a queue is bidirectional.
fn goes_both_ways(check: &Check<'_>) -> bool {
    number(check, "dir_mask") == Some(3)
}

/// The slots of each direction of a queue without `slot_num`.
pub const fn usual_slots(goes_both_ways: bool) -> i128 {
    if goes_both_ways { 4 } else { 8 }
}

/// Checks the attributes that all ends have.
fn check_slots(check: &mut Check<'_>) {
    within(check, &DIRECTION, "dir_mask", [1, 3]);
    within(check, &SLOT_SIZE, "slot_size", [1, MANY]);
    within(check, &SLOT_NUM, "slot_num", [1, MANY]);
    let slots = number(check, "slot_num").unwrap_or_else(|| usual_slots(goes_both_ways(check)));
    if slots > 0 {
        within(check, &LOCAL_SLOT_NUM, "local_slot_num", [1, slots]);
    }
}

/// Checks the end of a numbered queue.
fn check_numbered(check: &mut Check<'_>) {
    within(check, &ID, "id", [0, MANY]);
    let local = check.site.attribute("local_slot_num").is_some();
    check.require(&A5_LOCAL, "local_slot_num", !local, |_| {
        "local_slot_num is written, but the consumer has every slot on a5".to_owned()
    });
    check_slots(check);
    let said = |role: &str| check.site.operand(role).is_some();
    let both = said("gm_slot_tensor") && said("gm_slot_buffer");
    check.require(&SLOT_TENSOR, "gm_slot_tensor", !both, |_| "both are named".to_owned());
    let Some(view) = check.site.view("gm_slot_tensor") else { return };
    let count = view.shape.iter().try_fold(1u64, |count, extent| count.checked_mul((*extent)?));
    let bytes =
        count.and_then(|count| count.checked_mul(u64::from(view.element.bits()))).map(|bits| bits / 8);
    let size = number(check, "slot_size").unwrap_or(0);
    let same = bytes.map(i128::from).is_none_or(|bytes| bytes == size || 2 * bytes == size);
    check.require(&SLOT_BYTES, "gm_slot_tensor", same, |check| {
        let bytes = bytes.unwrap_or_default();
        format!("{} has {bytes} bytes, but slot_size is {size}", check.name("gm_slot_tensor"))
    });
}

/// Checks the end of a queue value; `peer` is the role of its local buffer for the other direction.
fn check_value(check: &mut Check<'_>, peer: &'static str) {
    check_slots(check);
    let both = goes_both_ways(check);
    within(check, &FLAG_BASE, "flag_base", [0, if both { 12 } else { 14 }]);
    let named = check.site.operand(peer).is_some();
    check.require(&BUFFERS, peer, named == both, |_| {
        if both { "write it after the other one".to_owned() } else { "dir_mask is not 3".to_owned() }
    });
}

/// The value of a boolean attribute, or `otherwise` if it is not written.
pub(super) fn flag(check: &Check<'_>, key: &str, otherwise: bool) -> bool {
    check.site.attribute(key).map_or(otherwise, |attribute| match attribute {
        Attribute::Bool(flag) => *flag,
        other => other.as_integer().is_some_and(|number| number != 0),
    })
}

const DIR_MASK: AttributeSpec = AttributeSpec::integer(
    "dir_mask",
    "The directions: 1 from the cube core to the vector cores, 2 the other way, 3 both.",
);
const SIZE: AttributeSpec = AttributeSpec::integer("slot_size", "Bytes of an entry before it is split.");
const SLOTS: AttributeSpec = AttributeSpec::integer("slot_num", "Slots of each direction.");
const LOCAL_SLOTS: AttributeSpec =
    AttributeSpec::integer("local_slot_num", "Slots that the consumer has on chip (A2/A3).")
        .or_means("slot_num");
const SPLITS: AttributeSpec = AttributeSpec::boolean(
    "nosplit",
    "Whether all uses of the queue are unsplit (true), or all are split (false).",
)
.or_means("as in the first use");
const EPILOGUE: AttributeSpec = AttributeSpec::new(
    epilogue::KEY,
    AttributeKind::Fields(epilogue::KEY, "layout = LAYOUT, quant = MODE, relu = RELU"),
    "The layout, quantization and relu of elements of accumulators on their way into the queue.",
)
.or_means("the elements stay as they are");
/// The attributes of an end of a numbered queue.
pub(super) const OF_NUMBERED: &[AttributeSpec] = &[
    AttributeSpec::integer("id", "The number of the queue.").or_integer(0),
    DIR_MASK,
    SIZE,
    SLOTS.or_means("8, or 4 where dir_mask is 3"),
    LOCAL_SLOTS,
    SPLITS,
    EPILOGUE,
];
/// The attributes of a queue value.
pub(super) const OF_VALUE: &[AttributeSpec] = &[
    DIR_MASK,
    SIZE,
    SLOTS,
    LOCAL_SLOTS,
    SPLITS,
    AttributeSpec::integer("flag_base", "The number of the queue's first flag.")
        .or_means("the number of earlier queues of the function"),
    EPILOGUE,
];
/// Effects of an end of a numbered queue: it names the memory of its slots.
const SLOTS_OF_NUMBERED: &[Effect] = &[Effect::names("gm_slot_buffer"), Effect::names("gm_slot_tensor")];
/// Effects of a queue value: it names the memory of its slots.
const SLOTS_OF_VALUE: &[Effect] = &[Effect::names("first"), Effect::names("second"), Effect::names("third")];
const PATTERNS: Syntax = Syntax::Own(
    &["{} [? ( [? gm_slot_buffer = %gm_slot_buffer : :gm_slot_buffer ?] ,? \
     [? gm_slot_tensor = %gm_slot_tensor : :gm_slot_tensor ?] ,? \
     [? c2v_consumer_buf = %c2v_consumer_buf : :c2v_consumer_buf ?] ,? \
     [? v2c_consumer_buf = %v2c_consumer_buf : :v2c_consumer_buf ?] ) ?]"],
    &[
        ("gm_slot_buffer", Kind::Other),
        ("gm_slot_tensor", Kind::Other),
        ("c2v_consumer_buf", Kind::Other),
        ("v2c_consumer_buf", Kind::Other),
    ],
);
const VALUE_PATTERNS: Syntax = Syntax::Own(
    &[
        "{} ( %first : :first , %second : :second , %third : :third ) {} -> !type",
        "{} ( %first : :first , %second : :second ) {} -> !type",
        "{} ( %first : :first ) {} -> !type",
        "{} ( %first , %second : :first , :second ) {} -> !type",
    ],
    &[("first", Kind::Other), ("second", Kind::Other), ("third", Kind::Other)],
);
/// The rules of an end.
const END: &[&Rule] = &[
    &ID,
    &DIRECTION,
    &SLOT_SIZE,
    &SLOT_NUM,
    &LOCAL_SLOT_NUM,
    &A5_LOCAL,
    &SLOT_TENSOR,
    &SLOT_BYTES,
    &UNIQUE,
    &ONE_QUEUE,
    &FLAGS,
];
const VALUE: &[&Rule] = &[&DIRECTION, &SLOT_SIZE, &SLOT_NUM, &LOCAL_SLOT_NUM, &FLAG_BASE, &BUFFERS];
