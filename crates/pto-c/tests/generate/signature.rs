//! C++ signatures of the forms of instructions: which overload calls a form, and in which order it takes the operands.

use pto_isa::op::attribute::{AttributeKind, AttributeSpec};
use pto_isa::op::form::{Form, Kind, Role};
use pto_isa::registry::Op;

/// Instructions of the registry that have no C++ intrinsic.
pub(super) const WITHOUT: [&str; 3] = ["taddrelu", "tconcatidx", "tsetval"];

/// Instructions whose intrinsics are written by hand: most have template parameters besides types, or operands that are
/// not tiles, in an order of their own.
const BY_HAND: [&str; 29] = [
    "tload",
    "tstore",
    "tstore_fp",
    "tprefetch",
    "tmov",
    "tmov_fp",
    "textract",
    "textract_fp",
    "tinsert",
    "tinsert_fp",
    "tfillpad",
    "tcvt",
    "tci",
    "ttri",
    "tgather",
    "tscatter",
    "mgather",
    "mscatter",
    "thistogram",
    "tmrgsort",
    "tquant",
    "tquant.mx",
    "trandom",
    "tprint",
    "timg2col",
    "tget_scale_addr",
    "setfmatrix",
    "set_img2col_rpt",
    "set_img2col_padding",
];

/// Results beside the first one stand before the operands that belong to them. Pairs are in reverse order on their pages.
const ORDERS: [(&str, &[&str]); 4] = [
    ("count", &["dst", "src0", "src1", "count", "idx0", "idx1"]),
    ("idx", &["dst", "src0", "src1", "idx", "idx0", "idx1"]),
    ("value", &["value", "dst", "src", "tmp"]),
    ("dst1", &["dst1", "dst0", "src1", "src0", "src"]),
];

/// Intrinsics that select an algorithm, and whose operation has none to select.
const UNKNOWN: [(&str, &str); 2] = [("tfmods", "FmodSAlgorithm"), ("trems", "RemSAlgorithm")];

/// Selection of a variant of an instruction by the first template parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// No such parameter.
    Plain,
    /// `auto Precision`, the algorithm of a function; the name of the attribute's enumeration.
    Precision(&'static str),
    /// `auto Precision`, which the operation ignores; the name of the enumeration of C++.
    Unknown(&'static str),
    /// `AccPhase Phase`, the phase of an accumulation.
    Phase,
}

/// One C++ function.
pub(super) struct Signature {
    pub(super) op: Op,
    pub(super) form: &'static Form,
    pub(super) name: String,
    pub(super) variant: Variant,
    /// The operands in the order of C++.
    pub(super) operands: Vec<&'static Role>,
    /// Whether the accumulator is also the destination.
    pub(super) in_place: bool,
    /// The attribute that is chosen at run time.
    pub(super) choice: Option<&'static AttributeSpec>,
}

impl Signature {
    /// The number of an operand in the pattern.
    pub(super) fn number(&self, role: &Role) -> usize {
        let name = if self.in_place && role.name == "acc" { "dst" } else { role.name };
        self.operands.iter().position(|operand| operand.name == name).expect("an operand of the form")
    }

    /// The operation as text, with `%0` for the first operand of C++.
    pub(super) fn pattern(&self, precision: bool) -> String {
        let list = |roles: &'static [Role]| {
            let numbers: Vec<usize> = roles.iter().map(|role| self.number(role)).collect();
            let values: Vec<String> = numbers.iter().map(|number| format!("%{number}")).collect();
            let types: Vec<String> = numbers.iter().map(|number| format!("@{number}")).collect();
            format!("{} : {}", values.join(", "), types.join(", "))
        };
        let word = self.operands.len();
        let attribute = match (self.choice, self.variant) {
            (Some(spec), _) => match spec.kind {
                AttributeKind::Words(name, _) => format!(" {{{} = #pto<{name} @{word}>}}", spec.name),
                _ => format!(" {{{} = @{word}}}", spec.name),
            },
            (None, Variant::Precision(name)) if precision => {
                format!(" {{precisionType = #pto<{name} @{word}>}}")
            }
            (None, Variant::Phase) => format!(" {{accPhase = #pto<acc_phase @{word}>}}"),
            _ => String::new(),
        };
        format!("{} ins({}) outs({}){attribute}", self.op.name(), list(self.form.ins), list(self.form.outs))
    }

    /// Whether an operand is a number.
    pub(super) fn is_scalar(role: &Role) -> bool {
        role.kind == Kind::Scalar
    }
}

/// The name of an instruction's intrinsic: `TMATMUL_ACC` of `tmatmul.acc`. Products with MX scales have one name.
fn intrinsic(op: Op) -> String {
    let name = op.page().name;
    let name = name.strip_suffix(".acc").filter(|rest| rest.ends_with(".mx")).unwrap_or(name);
    let name = name.strip_suffix(".bias").filter(|rest| rest.ends_with(".mx")).unwrap_or(name);
    name.replace('.', "_").to_uppercase()
}

/// Whether a form is called by a generated intrinsic.
fn is_generated(op: Op, form: &Form) -> bool {
    let page = op.page();
    let hand = WITHOUT.contains(&page.name) || BY_HAND.contains(&page.name);
    let roles = || form.roles();
    // Tiles only: convolution tiles go by the same functions, since these are templates.
    let tiles = roles().all(|role| matches!(role.kind, Kind::Tile | Kind::Scalar) && role.keyword.is_none());
    let fills = roles().any(|role| role.name == "fill");
    // With two results and without a workspace, three tiles would be two overloads.
    let argument =
        form.outs.iter().any(|role| role.name == "value") && !roles().any(|role| role.name == "tmp");
    op.instruction().is_some() && page.set.has_formulas() && !hand && tiles && !fills && !argument
}

/// The operands of a form in the order of C++: destinations, then sources.
fn operands(form: &'static Form) -> Vec<&'static Role> {
    let all: Vec<&'static Role> = form.outs.iter().chain(form.ins).collect();
    let order = ORDERS.iter().find(|(result, _)| form.outs.iter().any(|role| role.name == *result));
    match order {
        Some((_, names)) => {
            names.iter().filter_map(|name| all.iter().find(|role| role.name == *name).copied()).collect()
        }
        None => all,
    }
}

/// The signatures of the intrinsics that call forms of an instruction.
pub(super) fn signatures(op: Op, forms: &'static [Form]) -> Vec<Signature> {
    let spec = |name: &str| op.page().attributes.iter().find(|spec| spec.name == name);
    let mut all = Vec::new();
    for form in forms.iter().filter(|form| is_generated(op, form)) {
        let takes_tmp = form.ins.iter().any(|role| role.name == "tmp");
        // A sum in two halves needs the workspace.
        let choice = spec("cmpMode").or_else(|| spec("isBinary").filter(|_| takes_tmp));
        let unknown = UNKNOWN.iter().find(|(name, _)| *name == op.page().name);
        let variants = match (spec("precisionType").map(|spec| spec.kind), spec("accPhase")) {
            (Some(AttributeKind::Words(name, _)), _) => vec![Variant::Precision(name)],
            (_, Some(_)) => vec![Variant::Plain, Variant::Phase],
            _ if unknown.is_some() => unknown.map(|(_, name)| Variant::Unknown(name)).into_iter().collect(),
            _ => vec![Variant::Plain],
        };
        let accumulates = form.ins.first().is_some_and(|role| role.name == "acc");
        let scaled = form.ins.iter().any(|role| role.name == "left_scale");
        let in_place = if accumulates && !scaled { &[false, true][..] } else { &[false] };
        for (variant, in_place) in
            variants.iter().flat_map(|variant| in_place.iter().map(|it| (*variant, *it)))
        {
            let mut operands = operands(form);
            operands.retain(|role| !in_place || role.name != "acc");
            all.push(Signature { op, form, name: intrinsic(op), variant, operands, in_place, choice });
        }
    }
    all
}
