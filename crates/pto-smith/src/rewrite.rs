//! Oracle for rewrites: random rewrites that preserve behaviour, and the passes of the library.

use crate::Rng;
use crate::program::sentence;
use crate::same_bits::inputs;
use pto::analysis::{Liveness, Storage};
use pto::diag::Diagnostic;
use pto::ir::flow::{Definition, Flow};
use pto::ir::rewrite::{Point, RewriteError, Rewriter};
use pto::ir::{
    Attribute, FunctionId, Module, NamedAttribute, Operand, OperandGroup, Operation, OperationId, Scalar,
    Type, ValueId,
};
use pto::isa::op::effect::{Access, Effect};
use pto::isa::{Op, TileType};
use pto::sim::{Options, Program, Signature};
use pto::text::{Style, print};

/// Operations that make a value without side effects.
const PURE: [Op; 4] = [Op::ARITH_CONSTANT, Op::MAKE_TENSOR_VIEW, Op::PARTITION_VIEW, Op::ALLOC_TILE];

/// Rewrites a program at random, preserving its behaviour, then canonicalizes it. Both results must be legal with the
/// same findings, print as text that parses to an equal program, keep every comment at its operation, and compute equal
/// bytes.
///
/// # Errors
/// The difference, with the changed program.
pub fn rewritten(text: &str, rng: &mut Rng) -> Result<(), String> {
    let text = annotated(text, rng);
    let parsed = pto::parse(&text).map_err(sentence)?.module;
    let before = Seen::of(&text)?;
    let mut module = parsed;
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions.into_iter().filter(|id| module.functions[*id].body.is_some()).collect::<Vec<_>>() {
        for _ in 0..rng.between(1, 12) {
            let flow = Flow::of(&module.functions[id]);
            module.rewrite(id, |rewriter| change(rewriter, &flow, rng))?;
        }
    }
    let changed = print(&module, &Style { source: Some(&text), ..Style::default() });
    let fail = |message: String| format!("{message}\n--- changed:\n{changed}\n--- from:\n{text}");
    comments_stayed(&text, &changed, false).map_err(fail)?;
    let after = Seen::of(&changed).map_err(fail)?;
    before.same(&after, rng).map_err(fail)?;
    canonical(&mut module, &text, rng)
}

fn canonical(module: &mut Module, text: &str, rng: &mut Rng) -> Result<(), String> {
    pto::passes::canonicalize(module);
    let printed = print(module, &Style::default());
    let fail = |message: String| format!("{message}\n--- canonicalized:\n{printed}\n--- from:\n{text}");
    let again = pto::passes::canonicalize(&mut module.clone());
    if again != Default::default() {
        return Err(fail(format!("a second time finds more to do: {again:?}")));
    }
    let before = Seen::of(text)?;
    match Seen::of(&printed) {
        Ok(canonical) => before.runs_alike(&canonical, rng).map_err(fail),
        // With constants folded, the check finds errors that only the run found before.
        Err(findings) => before.stops(rng).then_some(()).ok_or_else(|| fail(findings)),
    }
}

/// The program with a comment after each definition that names it, and locations after some.
pub(crate) fn annotated(text: &str, rng: &mut Rng) -> String {
    let annotate = |line: &str| {
        let name = line.trim_start().split(' ').next().filter(|name| name.starts_with('%'));
        match name {
            Some(name) if line.contains(" = ") && !line.ends_with('{') && !name.contains([':', ',']) => {
                let location =
                    if rng.chance(30) { format!(" loc(\"{}\")", &name[1..]) } else { String::new() };
                format!("{line}{location} //={name}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(annotate).collect()
}

/// Checks that every comment of [`annotated`] remains after its operation or a copy of it, or on a line of its own if
/// that was erased; and so does its location.
/// With `copies`, operations may have been copied with their comments.
pub(crate) fn comments_stayed(before: &str, after: &str, copies: bool) -> Result<(), String> {
    let mark = |line: &str| line.split_once("//=").map(|(_, name)| name.to_owned());
    let mut wanted: Vec<String> = before.lines().filter_map(mark).collect();
    let mut found: Vec<String> = after.lines().filter_map(mark).collect();
    wanted.sort();
    found.sort();
    if copies {
        found.dedup();
    }
    if wanted != found {
        return Err("comments were lost or doubled".into());
    }
    let locations = |text: &str| -> Vec<String> {
        text.lines()
            .filter_map(|line| Some(line.split_once(" loc(")?.1.split_once(')')?.0.to_owned()))
            .collect()
    };
    let kept = locations(before);
    for line in after.lines() {
        let code = line.trim_start();
        let Some(name) = mark(line) else { continue };
        if !code.starts_with(&name) && !code.starts_with("//=") {
            return Err(format!("the comment of {name} stands behind: {code}"));
        }
        let own = format!("\"{}\"", &name[1..]);
        if !code.starts_with("//=") && kept.contains(&own) && !code.contains(&format!("loc({own})")) {
            return Err(format!("{name} lost its location"));
        }
    }
    Ok(())
}

/// The observable properties of a program.
struct Seen {
    program: Program,
    signature: Signature,
    /// Rules of the findings of a check, and the text of their spans.
    findings: Vec<String>,
}

impl Seen {
    fn of(text: &str) -> Result<Seen, String> {
        let module = pto::parse(text).map_err(sentence)?.module;
        let printed = print(&module, &Style { source: Some(text), ..Style::default() });
        let again = print(
            &pto::parse(&printed).map_err(sentence)?.module,
            &Style { source: Some(&printed), ..Style::default() },
        );
        if printed != again {
            return Err("printed, read and printed again, it differs".into());
        }
        let checked = pto::check(module, None).map_err(sentence)?;
        let mut findings: Vec<String> =
            checked.warnings().iter().map(|finding| finding.rule.to_string()).collect();
        findings.sort();
        let program = Program::decode(&checked, None).map_err(sentence)?;
        let signature = Signature::of(program.module(), program.entry())?;
        Ok(Seen { program, signature, findings })
    }

    fn stops(&self, rng: &mut Rng) -> bool {
        let values = inputs(&self.program, &self.signature, rng);
        values.is_err()
            || values.is_ok_and(|values| self.program.launch(values, &Options::default(), &mut []).is_err())
    }

    fn same(&self, other: &Seen, rng: &mut Rng) -> Result<(), String> {
        if self.findings != other.findings {
            return Err(format!("findings {:?} became {:?}", self.findings, other.findings));
        }
        self.runs_alike(other, rng)
    }

    fn runs_alike(&self, other: &Seen, rng: &mut Rng) -> Result<(), String> {
        let values = inputs(&self.program, &self.signature, rng).map_err(sentence)?;
        let run = |program: &Program| program.launch(values.clone(), &Options::default(), &mut []);
        match (run(&self.program), run(&other.program)) {
            (Ok(one), Ok(two)) => {
                let differs = one.buffers.iter().zip(&two.buffers).position(|(a, b)| a.bytes != b.bytes);
                differs.map_or(Ok(()), |at| Err(format!("buffer {at} differs")))
            }
            (Err(one), Err(two)) if one[0].rule == two[0].rule => Ok(()),
            (one, two) => {
                let end = |end: Result<_, Vec<Diagnostic>>| end.map_or_else(sentence, |_| "runs".to_owned());
                Err(format!("before: {}; after: {}", end(one), end(two)))
            }
        }
    }
}

/// One random change of a function with known structure.
fn change(rewriter: &mut Rewriter<'_>, flow: &Flow, rng: &mut Rng) -> Result<(), String> {
    let order = rewriter.all_operations();
    if order != flow.operations() {
        return Err("the cursor and the structure disagree about the order".into());
    }
    let id = *rng.pick(&order);
    let pure = rewriter.operation(id).op().is_some_and(|op| PURE.contains(&op));
    match rng.below(5) {
        0 => insert_constant(rewriter, id),
        1 if pure => copy(rewriter, id),
        2 if pure => hoist(rewriter, flow, id, rng),
        3 => refuse(rewriter, id),
        _ if pure && unused(rewriter, id) => rewriter.erase(id).map_err(|error| error.to_string()),
        _ => Ok(()),
    }
}

fn unused(rewriter: &Rewriter<'_>, id: OperationId) -> bool {
    rewriter.operation(id).results.iter().all(|result| rewriter.users(*result).is_empty())
}

/// Inserts an unused constant before an operation.
fn insert_constant(rewriter: &mut Rewriter<'_>, id: OperationId) -> Result<(), String> {
    let index = rewriter.intern(Type::Scalar(Scalar::Index));
    let value = NamedAttribute::new("value", Attribute::Integer(7, Some(index)));
    let constant = Operation::new(Op::ARITH_CONSTANT, vec![value]);
    let made = rewriter.insert(Point::Before(id), constant, &[("seven", index)]);
    made.map(|_| ()).map_err(|error| error.to_string())
}

/// Replaces an operation by a copy.
fn copy(rewriter: &mut Rewriter<'_>, id: OperationId) -> Result<(), String> {
    let operation = rewriter.operation(id).clone();
    let results: Vec<_> = operation
        .results
        .iter()
        .map(|result| {
            let value = &rewriter.function().values[*result];
            (value.name.clone(), value.ty)
        })
        .collect();
    let results: Vec<_> = results.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
    let (_, made) =
        rewriter.insert(Point::After(id), operation, &results).map_err(|error| error.to_string())?;
    rewriter.replace(id, &made).map_err(|error| error.to_string())
}

/// Moves an operation up or down in its block, as far as its operands and users allow.
fn hoist(rewriter: &mut Rewriter<'_>, flow: &Flow, id: OperationId, rng: &mut Rng) -> Result<(), String> {
    let Some(block) = rewriter.block_of(id) else { return Ok(()) };
    let list: Vec<OperationId> = rewriter.operations(block).collect();
    // The operation of this block that is, or contains, the other one.
    let place = |mut other: OperationId| {
        while let Some(at) = flow.place(other) {
            if at.0 == block {
                return Some(at.1);
            }
            other = flow.parent(other)?;
        }
        None
    };
    let operands = rewriter.operation(id).operands.iter();
    let defined = operands.filter_map(|operand| match flow.definition(operand.value)? {
        Definition::Operation(definition) => {
            flow.place(definition).filter(|at| at.0 == block).map(|at| at.1 + 1)
        }
        _ => None,
    });
    let first = defined.max().unwrap_or(0);
    let users = rewriter.operation(id).results.iter().flat_map(|result| rewriter.users(*result));
    let last = users.filter_map(place).min().unwrap_or(list.len() - 1);
    let target = list[rng.between(first, last.max(first))];
    rewriter.move_to(id, Point::Before(target)).map_err(|error| error.to_string())?;
    let stands = target == id || rewriter.next(id) == Some(target) && rewriter.previous(target) == Some(id);
    if stands { Ok(()) } else { Err("an operation is not where it was moved to".into()) }
}

/// Invalid rewrites must be rejected, and change nothing.
fn refuse(rewriter: &mut Rewriter<'_>, id: OperationId) -> Result<(), String> {
    if !unused(rewriter, id) && !matches!(rewriter.erase(id), Err(RewriteError::InUse(_))) {
        return Err("an operation was erased although its result is used".into());
    }
    let operation = rewriter.operation(id);
    let inner =
        operation.regions.first().and_then(|region| rewriter.function().regions[*region].blocks.first());
    if let Some(block) = inner.copied()
        && rewriter.move_to(id, Point::Start(block)) != Err(RewriteError::Inside(id))
    {
        return Err("an operation was moved into itself".into());
    }
    Ok(())
}

/// Overwrites tiles at points where they are dead according to the liveness analysis: the program must compute equal
/// bytes. Returns the number of attempts.
///
/// # Errors
/// The difference, with the changed program.
pub fn dead_tiles_are_free(text: &str, rng: &mut Rng) -> Result<usize, String> {
    let before = Seen::of(text)?;
    let mut tried = 0;
    for _ in 0..6 {
        let mut module = pto::parse(text).map_err(sentence)?.module;
        let Some(name) = overwrite_one(&mut module, before.program.profile(), rng) else { continue };
        let printed = print(&module, &Style::default());
        // Not every tile can be filled with numbers.
        let checked = pto::parse(&printed).map_err(sentence)?.module;
        if pto::check(checked, None).is_err() {
            continue;
        }
        tried += 1;
        let fail = |message: String| {
            format!("{name} was needed: {message}\n--- changed:\n{printed}\n--- from:\n{text}")
        };
        before.runs_alike(&Seen::of(&printed).map_err(fail)?, rng).map_err(fail)?;
    }
    Ok(tried)
}

/// Fills a tile that has its own storage directly before an operation at which it is dead; returns the tile's name.
fn overwrite_one(module: &mut Module, profile: pto::Profile, rng: &mut Rng) -> Option<String> {
    let (id, function) = module.functions.iter().next()?;
    let storage = Storage::of(module);
    let liveness = Liveness::of(module, id, &storage, profile);
    let flow = Flow::of(function);
    // Generated programs store staging tiles after a transfer has destroyed them. The contents are then undefined, but
    // depend on the previous contents.
    let is_destroyed = |tile: ValueId| {
        function.operations.iter().any(|(_, operation)| {
            let effects = operation.instruction().map_or(&[][..], |instruction| instruction.page().effects);
            let roles =
                effects.iter().filter(|effect| effect.access == Access::Destroy).filter_map(Effect::role);
            let mut destroyed = roles.flat_map(|role| operation.operands_in(role));
            destroyed.any(|operand| operand.value == tile)
        })
    };
    // A tile with an address may alias others, which have other live ranges.
    let tiles: Vec<(ValueId, TileType)> = function
        .operations
        .iter()
        .filter(|(_, operation)| operation.is(Op::ALLOC_TILE) && operation.operand("addr").is_none())
        .filter_map(|(_, operation)| match &module.types[function.values[operation.result()?].ty] {
            Type::Tile(tile) => Some((operation.result()?, *tile)),
            _ => None,
        })
        .filter(|(tile, _)| !is_destroyed(*tile))
        .collect();
    if tiles.is_empty() {
        return None;
    }
    let (tile, ty) = *rng.pick(&tiles);
    let ranges = liveness.ranges(storage.allocation(id, tile));
    let free: Vec<OperationId> = flow
        .operations()
        .iter()
        .enumerate()
        .filter(|(at, operation)| {
            ranges.iter().all(|range| *at < range.first || range.last < *at)
                && flow.reaches(tile, **operation)
        })
        .map(|(_, operation)| *operation)
        .collect();
    if free.is_empty() {
        return None;
    }
    let at = *rng.pick(&free);
    let entry = function.regions[function.body?].blocks[0];
    let name = function.values[tile].name.clone();
    module.rewrite(id, |rewriter| {
        let element = rewriter.intern(Type::Scalar(Scalar::Number(ty.element)));
        let value = match ty.element.is_integer() {
            true => Attribute::Integer(77, Some(element)),
            false => Attribute::Float("77.0".into(), Some(element)),
        };
        let constant = Operation::new(Op::ARITH_CONSTANT, vec![NamedAttribute::new("value", value)]);
        let (_, made) = rewriter.insert(Point::Start(entry), constant, &[("poison", element)]).ok()?;
        let operand = |value, role, group| Operand { value, role, group, span: Default::default() };
        let mut fill = Operation::new(Op::TEXPANDS, Vec::new());
        fill.operands =
            vec![operand(made[0], "scalar", OperandGroup::In), operand(tile, "dst", OperandGroup::Out)];
        rewriter.insert(Point::Before(at), fill, &[]).ok()?;
        Some(name)
    })
}
