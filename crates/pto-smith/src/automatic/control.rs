//! Loops and branches around statements.

use super::draft::{Counter, Draft, Tile};
use super::vector;

/// Maximum number of loops around a statement.
const DEEPEST: usize = 3;

/// Adds one statement.
pub(super) type Statement = fn(&mut Draft<'_>);

/// Adds a loop or a branch around statements; a single statement where they would be too deep.
pub(super) fn control(draft: &mut Draft<'_>, statement: Statement) {
    if draft.counters.len() >= DEEPEST {
        return statement(draft);
    }
    match draft.rng.below(10) {
        0..=4 => counted(draft, statement),
        5..=7 => branch(draft, statement),
        8 => repeated(draft, statement),
        _ => nested(draft, statement),
    }
}

fn statements(draft: &mut Draft<'_>, statement: Statement) {
    let count = draft.rng.between(1, 4);
    for _ in 0..count {
        if draft.budget == 0 {
            break;
        }
        statement(draft);
    }
}

/// The upper end of a loop: a constant, or the smaller of an argument and a constant. Returns it with its largest value.
pub(super) fn rounds(draft: &mut Draft<'_>) -> (String, u64) {
    let most = draft.rng.between(2, 4) as u64;
    let limit = draft.constant(most, "index");
    match draft.rng.below(6) {
        0 => (limit, most),
        1 => (draft.constant(1, "index"), 1),
        2 | 3 => (draft.index("minsi", "%m", &limit), most),
        _ => (draft.index("minsi", "%n", &limit), most),
    }
}

/// Returns the head of a counted loop, up to its step. Pushes the counter.
pub(super) fn head(draft: &mut Draft<'_>) -> String {
    let (upper, most) = rounds(draft);
    let lower = draft.rng.below(5) / 4;
    let step = 1 + draft.rng.below(5) / 4;
    let [lower, step] = [lower, step].map(|number| draft.constant(number as u64, "index"));
    let counter = draft.name("k");
    draft.counters.push(Counter { name: counter.clone(), most: most.saturating_sub(1).max(1) });
    format!("scf.for {counter} = {lower} to {upper} step {step}")
}

/// A counted loop; sometimes two tiles change places in each round.
fn counted(draft: &mut Draft<'_>, statement: Statement) {
    draft.has("loop");
    if draft.counters.len() == 1 {
        draft.has("nested loop");
    }
    let exchanged = [draft.tile("!t"), draft.tile("!t")];
    if let [Some(a), Some(b)] = exchanged
        && a.name != b.name
        && draft.rng.chance(40)
    {
        return exchange(draft, [a.name, b.name], statement);
    }
    draft.scoped(|draft| {
        let head = head(draft);
        draft.open(&format!("{head} {{"));
        statements(draft, statement);
        draft.close();
    });
}

fn exchange(draft: &mut Draft<'_>, [a, b]: [String; 2], statement: Statement) {
    draft.has("exchanged tiles");
    let [results, p, q] = ["r", "p", "q"].map(|base| draft.name(base));
    draft.scoped(|draft| {
        let head = head(draft);
        draft.open(&format!("{results}:2 = {head} iter_args({p} = {a}, {q} = {b}) -> (!t, !t) {{"));
        // The names from before the loop denote the same two tiles, in the order of the first round.
        if draft.rng.chance(70) {
            draft.tiles.retain(|tile| tile.name != a && tile.name != b);
        }
        for name in [&p, &q] {
            draft.tiles.push(Tile { name: name.clone(), ty: "!t" });
        }
        statements(draft, statement);
        draft.line(&format!("scf.yield {q}, {p} : !t, !t"));
        draft.close();
    });
    for at in 0..2 {
        draft.tiles.push(Tile { name: format!("{results}#{at}"), ty: "!t" });
    }
}

/// A condition: on an argument, on a counter, or on data.
fn condition(draft: &mut Draft<'_>) -> String {
    let name = draft.name("is");
    let tile = draft.tile("!t").filter(|_| draft.rng.chance(35));
    let counter = draft.counters.last().map(|counter| counter.name.clone()).filter(|_| draft.rng.chance(50));
    match (tile, counter) {
        (Some(tile), _) => {
            draft.has("branch on data");
            let (value, zero) = (draft.name("s"), draft.float(0));
            let at = draft.constant(5, "index");
            draft.line(&format!("{value} = pto.tgetval ins({}, {at} : !t, index) outs : f32", tile.name));
            draft.line(&format!("{name} = arith.cmpf ogt, {value}, {zero} : f32"));
        }
        (_, Some(counter)) => {
            draft.has("branch");
            let (two, zero) = (draft.constant(2, "index"), draft.constant(0, "index"));
            let rest = draft.index("remui", &counter, &two);
            draft.line(&format!("{name} = arith.cmpi eq, {rest}, {zero} : index"));
        }
        _ => {
            draft.has("branch");
            let number = draft.rng.below(3) as u64;
            let number = draft.constant(number, "i32");
            draft.line(&format!("{name} = arith.cmpi sgt, %kind, {number} : i32"));
        }
    }
    name
}

fn branch(draft: &mut Draft<'_>, statement: Statement) {
    let condition = condition(draft);
    draft.open(&format!("scf.if {condition} {{"));
    draft.scoped(|draft| statements(draft, statement));
    if draft.rng.chance(50) {
        draft.close_with("} else {");
        draft.open_again();
        draft.scoped(|draft| statements(draft, statement));
    }
    draft.close();
}

/// Chooses one of two tiles by a condition. The tile is then also alive under its new name.
pub(super) fn chosen(draft: &mut Draft<'_>) {
    draft.has("chosen tile");
    let [a, b] = [vector::operand(draft), vector::operand(draft)].map(|tile| tile.name);
    let (condition, name) = (condition(draft), draft.name("one"));
    if draft.rng.chance(60) {
        draft.line(&format!("{name} = arith.select {condition}, {a}, {b} : !t"));
    } else {
        draft.open(&format!("{name} = scf.if {condition} -> (!t) {{"));
        draft.line(&format!("scf.yield {a} : !t"));
        draft.close_with("} else {");
        draft.open_again();
        draft.line(&format!("scf.yield {b} : !t"));
        draft.close();
    }
    // Half of the programs do not use the original names of the chosen tile.
    if draft.rng.chance(50) {
        draft.tiles.retain(|tile| tile.name != a && tile.name != b);
    }
    draft.tiles.push(Tile { name, ty: "!t" });
}

/// A loop with a condition before each round; sometimes a statement runs before the condition.
fn repeated(draft: &mut Draft<'_>, statement: Statement) {
    draft.has("while");
    let (upper, most) = rounds(draft);
    let [result, before, more, counter, next] = ["w", "u", "is", "k", "i"].map(|base| draft.name(base));
    let [zero, one] = [0, 1].map(|number| draft.constant(number, "index"));
    draft.open(&format!("{result} = scf.while ({before} = {zero}) : (index) -> index {{"));
    if draft.rng.chance(30) {
        draft.scoped(statement);
    }
    draft.line(&format!("{more} = arith.cmpi slt, {before}, {upper} : index"));
    draft.line(&format!("scf.condition({more}) {before} : index"));
    draft.close_with("} do {");
    draft.open_again();
    draft.line(&format!("^bb0({counter}: index):"));
    draft.scoped(|draft| {
        draft.counters.push(Counter { name: counter.clone(), most });
        statements(draft, statement);
        draft.line(&format!("{next} = arith.addi {counter}, {one} : index"));
        draft.line(&format!("scf.yield {next} : index"));
    });
    draft.close();
}

/// Seven loops of at most two rounds around one another.
fn nested(draft: &mut Draft<'_>, statement: Statement) {
    if draft.counters.len() + 1 >= DEEPEST || !draft.rng.chance(30) {
        return counted(draft, statement);
    }
    draft.has("deep nesting");
    let [zero, one, two] = [0, 1, 2].map(|number| draft.constant(number, "index"));
    let upper = draft.index("minsi", "%n", &two);
    draft.scoped(|draft| {
        for depth in 0..7 {
            let (name, end) = (draft.name("k"), if depth % 3 == 2 { &upper } else { &one });
            draft.counters.push(Counter { name: name.clone(), most: 1 });
            draft.open(&format!("scf.for {name} = {zero} to {end} step {one} {{"));
            if depth == 3 && draft.budget > 0 {
                statement(draft);
            }
        }
        statements(draft, statement);
        (0..7).for_each(|_| draft.close());
    });
}
