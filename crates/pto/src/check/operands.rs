//! Operands of the right kind: scalars, views, tiles and pointers where each belongs.

use crate::diag::Diagnostic;
use crate::ir::{Function, Operand, Operation, Place, Scalar, Type, TypeTable};
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::rules;
use crate::text::printer::type_text;

/// Whether the operands of an instruction are those of one of its forms, each of its kind.
pub(super) fn fits(types: &TypeTable, function: &Function, operation: &Operation) -> bool {
    let Some(instruction) = crate::isa::op::find(&operation.name) else { return false };
    let type_of = |operand: &Operand| &types[function.values[operand.value].ty];
    match instruction.page().syntax {
        Syntax::Destination(forms) => forms.iter().any(|form| {
            let mut roles = form.roles();
            operation.operands.iter().all(|operand| {
                roles.next().is_some_and(|role| {
                    let kind = role.kind == Kind::Other || Kind::of(type_of(operand)) == role.kind;
                    role.name == operand.role && kind
                })
            }) && roles.next().is_none()
        }),
        Syntax::Own(_) => {
            missing(operation).is_none()
                && wants(&operation.name).iter().all(|(role, want)| {
                    operation.operands_in(role).all(|operand| want.accepts(type_of(operand)))
                })
        }
    }
}

/// The first operand that an instruction with a syntax of its own cannot do without, and does not have.
fn missing(operation: &Operation) -> Option<&'static str> {
    let lacks = |role: &&'static str| operation.operand(role).is_none();
    let mut patterns = crate::text::required(&operation.name).peekable();
    let first = patterns.peek().and_then(|roles| roles.iter().copied().find(lacks));
    if patterns.any(|roles| !roles.iter().any(&lacks)) { None } else { first }
}

/// What an operand must be.
#[derive(Clone, Copy)]
enum Want {
    Integer,
    Index,
    Bool,
    Float,
    Pointer,
    View,
    Tile,
    Handle,
    MultiTile,
    Struct,
    Events,
    TileOrView,
    PointerOrView,
}

impl Want {
    fn word(self) -> &'static str {
        match self {
            Want::Integer => "an integer",
            Want::Index => "an index or integer",
            Want::Bool => "an i1",
            Want::Float => "a float",
            Want::Pointer => "a pointer",
            Want::View => "a tensor view",
            Want::Tile => "a tile",
            Want::Handle => "a session, a context or an event",
            Want::MultiTile => "a multi tile",
            Want::Struct => "a struct",
            Want::Events => "an array of events",
            Want::TileOrView => "a tile or a tensor view",
            Want::PointerOrView => "a pointer or a tensor view",
        }
    }

    fn accepts(self, ty: &Type) -> bool {
        match (self, ty) {
            (Want::Integer | Want::Index, Type::Scalar(scalar)) => scalar.is_integer(),
            (Want::Bool, Type::Scalar(scalar)) => *scalar == Scalar::Bool,
            (Want::Float, Type::Scalar(Scalar::Number(element))) => element.is_float(),
            (Want::Pointer, Type::Pointer { .. }) => true,
            (Want::View, Type::TensorView { .. } | Type::PartitionView { .. } | Type::MemRef { .. }) => true,
            (Want::Tile, Type::Tile(_)) => true,
            (Want::Handle, ty) => ty.is_handle(),
            (Want::MultiTile, Type::MultiTile { .. }) => true,
            (Want::Struct, Type::Struct(_)) => true,
            (Want::Events, ty) => super::event_ids(ty).is_some(),
            (Want::PointerOrView, ty) => Want::Pointer.accepts(ty) || Want::View.accepts(ty),
            (Want::TileOrView, Type::Tile(_) | Type::ConvTile(_) | Type::TensorView { .. }) => true,
            _ => false,
        }
    }
}

/// Roles and what they must be, for operations that are no instructions.
fn wants(name: &str) -> &'static [(&'static str, Want)] {
    use Want::{
        Bool, Events, Float, Handle, Index, Integer, MultiTile, Pointer, PointerOrView, Struct, Tile,
        TileOrView, View,
    };
    match name {
        "arith.addi" | "arith.subi" | "arith.muli" | "arith.divsi" | "arith.divui" | "arith.remsi"
        | "arith.remui" | "arith.maxsi" | "arith.minsi" | "arith.maxui" | "arith.minui" | "arith.andi"
        | "arith.ori" | "arith.xori" | "arith.shli" | "arith.shrsi" | "arith.shrui" | "arith.ceildivsi"
        | "arith.floordivsi" | "arith.cmpi" => &[("lhs", Integer), ("rhs", Integer)],
        "arith.addf" | "arith.subf" | "arith.mulf" | "arith.divf" | "arith.maximumf" | "arith.minimumf"
        | "arith.cmpf" => &[("lhs", Float), ("rhs", Float)],
        "arith.negf" | "arith.extf" | "arith.truncf" | "arith.fptosi" | "arith.fptoui" => &[("in", Float)],
        "arith.index_cast"
        | "arith.index_castui"
        | "arith.extsi"
        | "arith.extui"
        | "arith.trunci"
        | "arith.sitofp"
        | "arith.uitofp"
        | "builtin.unrealized_conversion_cast" => &[("in", Integer)],
        "arith.select" | "scf.if" | "scf.condition" | "cf.cond_br" => &[("condition", Bool)],
        "scf.for" => &[("lower", Index), ("upper", Index), ("step", Index)],
        "scf.index_switch" => &[("index", Index)],
        "pto.alloc_tile" | "pto.alloc_multi_tile" => {
            &[("addr", Integer), ("valid_row", Index), ("valid_col", Index)]
        }
        "pto.partition_view" => &[("source", View), ("offsets", Index), ("sizes", Index)],
        "pto.addptr" | "pto.load_scalar" | "pto.store_scalar" => &[("pointer", Pointer), ("offset", Index)],
        "pto.set_validshape" => &[("tile", Tile), ("rows", Index), ("cols", Index)],
        "pto.get_validshape" => &[("tile", Tile)],
        "pto.set_quant_vector" => &[("value", Tile)],
        "pto.multi_tile_get" => &[("source", MultiTile), ("index", Index)],
        "pto.struct_get" | "pto.struct_set" => &[("struct", Struct)],
        "pto.eventid_array_get" | "pto.eventid_array_set" => {
            &[("array", Events), ("index", Index), ("value", Index)]
        }
        "pto.set_flag_dyn" | "pto.wait_flag_dyn" => &[("event", Index)],
        "pto.set_intra_block"
        | "pto.wait_intra_block"
        | "pto.set_cross_block"
        | "pto.wait_cross_block"
        | "pto.sync.set"
        | "pto.sync.wait" => &[("id", Index)],
        "pto.tpush_to_aiv" | "pto.tpush_to_aic" => &[("value", TileOrView), ("subblock", Index)],
        "pto.tpop_from_aic" | "pto.tpop_from_aiv" => &[("rows", Index), ("cols", Index), ("subblock", Index)],
        "pto.talloc" | "pto.tpush" | "pto.tpop" | "pto.tfree" | "pto.tfree_from_aic"
        | "pto.tfree_from_aiv" => &[("value", TileOrView)],
        "pto.cmo.cacheinvalid" => &[("value", PointerOrView)],
        "pto.ptrtoint" => &[("in", Pointer)],
        "pto.inttoptr" => &[("in", Integer)],
        "pto.tile_valid_rows" | "pto.tile_valid_cols" => &[("tile", Tile)],
        "pto.tile_buf_addr" => &[("in", Tile)],
        "pto.tassign" => &[("tile", TileOrView)],
        "pto.set_ctrl" => &[("value", Integer)],
        "pto.set_ffts" => &[("address", Pointer)],
        "pto.tgetval" => &[("src", Tile), ("index", Index)],
        "pto.comm.tput" | "pto.comm.tget" => &[("dst", View), ("src", View), ("buffers", Tile)],
        "pto.comm.tbroadcast" | "pto.comm.tgather" | "pto.comm.tscatter" | "pto.comm.treduce" => {
            &[("tensor", View), ("accumulator", Tile), ("receive", Tile), ("group", View)]
        }
        "pto.comm.tnotify" | "pto.comm.twait" | "pto.comm.ttest" => &[("signal", View), ("value", Integer)],
        "pto.comm.tput_async" | "pto.comm.tget_async" => &[("dst", View), ("src", View), ("session", Handle)],
        "pto.comm.build_async_session" => &[("scratch", Tile), ("workspace", Pointer)],
        "pto.comm.wait_async_event" | "pto.comm.test_async_event" => {
            &[("event", Handle), ("session", Handle)]
        }
        "pto.make_prefetch_async_context" => &[("workspace", Pointer)],
        "pto.get_prefetch_async_session" => &[("context", Handle)],
        "pto.tprefetch_async" => &[("src", View), ("context", Handle)],
        "pto.treshape" | "pto.bitcast" => &[("src", Tile), ("rows", Index), ("cols", Index)],
        _ => &[],
    }
}

/// Names of known instructions that are read and printed but do not run.
fn is_known_elsewhere(name: &str) -> bool {
    crate::text::is_spelled(name)
}

/// Checks the operands of one operation.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    findings: &mut Vec<Diagnostic>,
) {
    let type_of = |operand: &Operand| function.values[operand.value].ty;
    for (role, want) in wants(&operation.name) {
        for operand in operation.operands_in(role) {
            let ty = type_of(operand);
            if !want.accepts(&types[ty]) {
                let message = format!(
                    "`%{}` is a `{}`; `{}` takes {} here",
                    function.values[operand.value].name,
                    type_text(types, ty),
                    operation.name,
                    want.word()
                );
                findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operand.span));
            }
        }
    }
    if let Some(instruction) = crate::isa::op::find(&operation.name) {
        if !fits(types, function, operation) && matches!(instruction.page().syntax, Syntax::Destination(_)) {
            findings.push(misfit(types, function, operation, instruction.page().syntax));
        } else if let Some(role) = missing(operation)
            && matches!(instruction.page().syntax, Syntax::Own(_))
        {
            let message = format!("`{}` lacks its operand `{role}`", operation.name);
            findings.push(Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span));
        }
        return;
    }
    if let Some(role) = missing(operation) {
        let message = format!("`{}` lacks its operand `{role}`", operation.name);
        findings.push(Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span));
        return;
    }
    same_type(types, function, operation, findings);
    scalar_result(types, function, operation, findings);
    if !crate::sim::runs(&operation.name) {
        findings.push(not_run(operation));
    }
}

/// Two operands of one scalar operation have one type.
fn same_type(types: &TypeTable, function: &Function, operation: &Operation, findings: &mut Vec<Diagnostic>) {
    let pairs = [("lhs", "rhs"), ("then", "else"), ("lower", "upper"), ("lower", "step")];
    for (first, second) in pairs {
        let (Some(a), Some(b)) = (operation.operand(first), operation.operand(second)) else { continue };
        let (ta, tb) = (function.values[a.value].ty, function.values[b.value].ty);
        if ta != tb {
            let message = format!(
                "`%{}` is a `{}`, but `%{}` is a `{}`",
                function.values[a.value].name,
                type_text(types, ta),
                function.values[b.value].name,
                type_text(types, tb)
            );
            findings.push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(b.span));
        }
    }
}

/// A cast between types of one size gives a scalar.
fn scalar_result(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    findings: &mut Vec<Diagnostic>,
) {
    if !matches!(operation.name.as_str(), "arith.bitcast" | "builtin.unrealized_conversion_cast") {
        return;
    }
    for result in &operation.results {
        let ty = function.values[*result].ty;
        if !matches!(types[ty], Type::Scalar(_)) {
            let name = &operation.name;
            let message = format!("`{name}` gives a scalar, not a `{}`", type_text(types, ty));
            findings
                .push(Diagnostic::error(&rules::structure::OPERAND_TYPE, message).at(operation.name_span));
        }
    }
}

fn not_run(operation: &Operation) -> Diagnostic {
    let name = &operation.name;
    if is_known_elsewhere(name) {
        let message = format!("`{name}` is known, but does not run yet");
        return Diagnostic::error(&rules::structure::UNSUPPORTED, message).at(operation.name_span);
    }
    let message = format!("unknown operation `{name}`");
    let mut diagnostic = Diagnostic::error(&rules::text::UNKNOWN_OPERATION, message).at(operation.name_span);
    if let Some(close) = crate::text::nearest(name, crate::isa::op::names().chain(crate::text::spelled())) {
        diagnostic = diagnostic.with_help(format!("did you mean `{close}`?"));
    }
    diagnostic
}

fn misfit(types: &TypeTable, function: &Function, operation: &Operation, syntax: Syntax) -> Diagnostic {
    let describe = |operand: &Operand| {
        let value = &function.values[operand.value];
        let kind = Kind::of(&types[value.ty]).word();
        let keyword = match operand.place {
            Place::Keyword(keyword) => format!("{keyword} "),
            _ => String::new(),
        };
        format!("{keyword}%{}: {kind}", value.name)
    };
    let given: Vec<_> = operation.operands.iter().map(describe).collect();
    let message = format!("`{}` does not take these operands ({})", operation.name, given.join(", "));
    let mut diagnostic = Diagnostic::error(&rules::structure::OPERANDS, message).at(operation.name_span);
    if let Syntax::Destination(forms) = syntax {
        for form in forms {
            diagnostic =
                diagnostic.with_help(format!("it is written `{} {}`", operation.name, form.describe()));
        }
    }
    diagnostic
}
