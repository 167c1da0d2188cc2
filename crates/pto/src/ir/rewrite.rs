//! Changing a function: operations are put in, moved, replaced and erased, and everything else keeps its place.
//!
//! What stays keeps its names, locations and comments. Comments of an operation move with it; those of one that is erased stay
//! where it stood. Afterwards the function holds what can be reached in it and nothing else, numbered as the text has it.
//!
//! ```
//! use pto::ir::rewrite::Point;
//! use pto::ir::{Attribute, EnumSpelling, NamedAttribute, Operation};
//! use pto::isa::Op;
//!
//! let text = "func.func @f(%x: f32) {
//!   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
//!   // Fills the tile.
//!   pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
//!   return
//! }";
//! let mut module = pto::parse(text).expect("well-formed text").module;
//! let (function, _) = module.functions.iter().next().expect("a function");
//! module.rewrite(function, |rewriter| {
//!     for id in rewriter.all_operations() {
//!         if rewriter.operation(id).is(Op::TEXPANDS) {
//!             let pipe = Attribute::Enum { name: String::new(), value: "PIPE_V".into(), spelling: EnumSpelling::Elided };
//!             let barrier = Operation::new(Op::BARRIER, vec![NamedAttribute::new("pipe", pipe)]);
//!             rewriter.insert(Point::After(id), barrier, &[]).expect("the operation is there");
//!         }
//!     }
//! });
//! let lines: Vec<String> =
//!     pto::text::print(&module, &Default::default()).lines().map(|line| line.trim().to_owned()).collect();
//! assert_eq!(lines[2], "// Fills the tile.");
//! assert_eq!(lines[4], "pto.barrier <PIPE_V>");
//! ```

use super::comments::Spot;
use super::{
    BlockId, Function, FunctionId, Module, Operation, OperationId, RegionId, Type, TypeId, TypeTable, Value,
    ValueId,
};
use crate::diag::Span;
use std::collections::HashMap;
use std::fmt;

mod renumber;

/// Where an operation is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Right before an operation.
    Before(OperationId),
    /// Right behind an operation.
    After(OperationId),
    /// Before everything else in a block.
    Start(BlockId),
    /// Behind everything else in a block.
    End(BlockId),
}

/// A change that would leave the function broken. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// Something still uses this value of an operation to be erased.
    InUse(ValueId),
    /// The operation stands nowhere in the function: it was erased.
    Absent(OperationId),
    /// An operation cannot stand inside of itself.
    Inside(OperationId),
    /// An operation is replaced by fewer or more values than it has results, or by values of other types.
    Results(OperationId),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RewriteError::InUse(_) => "a result of the operation is still used",
            RewriteError::Absent(_) => "the operation is not in the function",
            RewriteError::Inside(_) => "an operation cannot be moved into itself",
            RewriteError::Results(_) => {
                "an operation is replaced by as many values as it has results, of their types"
            }
        })
    }
}

impl std::error::Error for RewriteError {}

/// Neighbours of an operation in its block.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    block: Option<BlockId>,
    before: Option<OperationId>,
    after: Option<OperationId>,
}

/// First and last operation of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    first: Option<OperationId>,
    last: Option<OperationId>,
}

/// A function under change: made by [`Module::rewrite`].
pub struct Rewriter<'m> {
    function: &'m mut Function,
    types: &'m mut TypeTable,
    links: Vec<Link>,
    ends: Vec<Ends>,
    /// The region of each block, and the operation that holds each region.
    regions: Vec<Option<RegionId>>,
    owners: Vec<Option<OperationId>>,
    /// Operations that use each value, once for each use; some may have been erased.
    users: Vec<Vec<OperationId>>,
    /// How many values have each name.
    names: HashMap<String, u32>,
    /// The last number that was put behind a name.
    numbers: HashMap<String, u32>,
    /// Comments by what they belong to.
    comments: HashMap<Spot, Vec<super::Comment>>,
}

impl Module {
    /// Changes one function.
    pub fn rewrite<R>(&mut self, function: FunctionId, change: impl FnOnce(&mut Rewriter<'_>) -> R) -> R {
        let mut rewriter = Rewriter::of(&mut self.functions[function], &mut self.types);
        let result = change(&mut rewriter);
        rewriter.finish();
        result
    }
}

impl<'m> Rewriter<'m> {
    fn of(function: &'m mut Function, types: &'m mut TypeTable) -> Rewriter<'m> {
        let mut names: HashMap<String, u32> = HashMap::new();
        for (_, value) in function.values.iter() {
            *names.entry(value.name.clone()).or_default() += 1;
        }
        let mut comments: HashMap<Spot, Vec<super::Comment>> = HashMap::new();
        for placed in function.comments.drain(..) {
            comments.entry(placed.spot).or_default().push(placed.comment);
        }
        let mut rewriter = Rewriter {
            links: vec![Link::default(); function.operations.len()],
            ends: vec![Ends::default(); function.blocks.len()],
            regions: vec![None; function.blocks.len()],
            owners: vec![None; function.regions.len()],
            users: vec![Vec::new(); function.values.len()],
            function,
            types,
            names,
            numbers: HashMap::new(),
            comments,
        };
        rewriter.link();
        rewriter
    }

    /// Reads the blocks that can be reached.
    fn link(&mut self) {
        let mut open: Vec<RegionId> = self.function.body.into_iter().collect();
        while let Some(region) = open.pop() {
            for block in self.function.regions[region].blocks.clone() {
                self.regions[block.index()] = Some(region);
                for id in std::mem::take(&mut self.function.blocks[block].operations) {
                    self.attach(id, Point::End(block));
                    self.note_uses(id);
                    for inner in self.function.operations[id].regions.clone() {
                        self.owners[inner.index()] = Some(id);
                        open.push(inner);
                    }
                }
            }
        }
    }

    /// The function as it is now, but for the lists of operations in its blocks: [`Rewriter::operations`] has those.
    pub fn function(&self) -> &Function {
        self.function
    }

    /// The types of the module.
    pub fn types(&self) -> &TypeTable {
        self.types
    }

    /// The handle of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.types.intern(ty)
    }

    /// An operation.
    pub fn operation(&self, id: OperationId) -> &Operation {
        &self.function.operations[id]
    }

    /// The type of a value.
    pub fn type_of(&self, value: ValueId) -> &Type {
        &self.types[self.function.values[value].ty]
    }

    /// The operations of a block, in order.
    pub fn operations(&self, block: BlockId) -> impl Iterator<Item = OperationId> + '_ {
        std::iter::successors(self.ends[block.index()].first, |id| self.links[id.index()].after)
    }

    /// Every operation of the function, as the text has them: one with regions before what they hold.
    pub fn all_operations(&self) -> Vec<OperationId> {
        let mut order = Vec::with_capacity(self.links.len());
        let mut open: Vec<OperationId> = Vec::new();
        let start = |region: RegionId, open: &mut Vec<OperationId>| {
            let blocks = &self.function.regions[region].blocks;
            let from = open.len();
            open.extend(blocks.iter().flat_map(|block| self.operations(*block)));
            open[from..].reverse();
        };
        if let Some(body) = self.function.body {
            start(body, &mut open);
        }
        while let Some(id) = open.pop() {
            order.push(id);
            for region in self.function.operations[id].regions.iter().rev() {
                start(*region, &mut open);
            }
        }
        order
    }

    /// The block that holds an operation; `None` of one that was erased.
    pub fn block_of(&self, id: OperationId) -> Option<BlockId> {
        self.links.get(id.index())?.block
    }

    /// The operation in whose region a block is; `None` of the blocks of the body.
    pub fn owner_of(&self, block: BlockId) -> Option<OperationId> {
        self.owners[self.regions.get(block.index()).copied().flatten()?.index()]
    }

    /// The operation right behind one.
    pub fn next(&self, id: OperationId) -> Option<OperationId> {
        self.links.get(id.index())?.after
    }

    /// The operation right before one.
    pub fn previous(&self, id: OperationId) -> Option<OperationId> {
        self.links.get(id.index())?.before
    }

    /// The operations that use a value, each once.
    pub fn users(&self, value: ValueId) -> Vec<OperationId> {
        let list = self.users.get(value.index()).into_iter().flatten().copied();
        let mut list: Vec<_> =
            list.filter(|id| self.block_of(*id).is_some() && self.uses(*id, value)).collect();
        list.sort_by_key(|id| id.index());
        list.dedup();
        list
    }

    fn uses(&self, id: OperationId, value: ValueId) -> bool {
        uses_of(&self.function.operations[id]).any(|used| used == value)
    }

    /// Puts an operation without regions into the function; its results are new values with these names and types, the names
    /// followed by a number where there are values of theirs.
    ///
    /// # Errors
    /// If the point is not in the function.
    pub fn insert(
        &mut self,
        point: Point,
        operation: Operation,
        results: &[(&str, TypeId)],
    ) -> Result<(OperationId, Vec<ValueId>), RewriteError> {
        self.present(point)?;
        let place = self.span_at(point);
        let mut made = Vec::with_capacity(results.len());
        for (name, ty) in results {
            let name = self.unused_name(name);
            self.users.push(Vec::new());
            made.push(self.function.values.push(Value { name, ty: *ty, span: place }));
        }
        let operation = Operation { results: made.clone(), span: place, name_span: place, ..operation };
        let id = self.function.operations.push(operation);
        self.links.push(Link::default());
        self.attach(id, point);
        self.note_uses(id);
        Ok((id, made))
    }

    /// Moves an operation with all that it holds.
    ///
    /// # Errors
    /// If the operation or the point is not in the function, or the point is inside of the operation.
    pub fn move_to(&mut self, id: OperationId, point: Point) -> Result<(), RewriteError> {
        self.present(Point::Before(id))?;
        let target = self.present(point)?;
        if point == Point::Before(id) || point == Point::After(id) {
            return Ok(());
        }
        let mut around = Some(target);
        while let Some(block) = around {
            let owner = self.owner_of(block);
            if owner == Some(id) {
                return Err(RewriteError::Inside(id));
            }
            around = owner.and_then(|owner| self.block_of(owner));
        }
        let other_block = self.block_of(id) != Some(target);
        self.detach(id);
        self.attach(id, point);
        if other_block {
            // Sibling regions may have values of one name.
            for value in self.function.operations[id].results.clone() {
                self.make_name_unique(value);
            }
        }
        Ok(())
    }

    /// Lets what uses a value use another one.
    pub fn replace_uses(&mut self, of: ValueId, by: ValueId) {
        if of == by {
            return;
        }
        let users = std::mem::take(&mut self.users[of.index()]);
        for id in &users {
            let operation = &mut self.function.operations[*id];
            let passed = operation.successors.iter_mut().flat_map(|successor| &mut successor.arguments);
            for operand in operation.operands.iter_mut().chain(passed).filter(|operand| operand.value == of) {
                operand.value = by;
            }
        }
        self.users[by.index()].extend(users);
    }

    /// Erases an operation whose results are these values from now on.
    ///
    /// # Errors
    /// If there are not as many values of the same types, or the operation is not in the function.
    pub fn replace(&mut self, id: OperationId, by: &[ValueId]) -> Result<(), RewriteError> {
        self.present(Point::Before(id))?;
        let results = self.function.operations[id].results.clone();
        let ty = |value: &ValueId| self.function.values[*value].ty;
        if !results.iter().map(ty).eq(by.iter().map(ty)) || results.iter().any(|result| by.contains(result)) {
            return Err(RewriteError::Results(id));
        }
        for (result, by) in results.iter().zip(by) {
            self.replace_uses(*result, *by);
        }
        self.erase(id)
    }

    /// Erases an operation with all that it holds. Its comments stay above what follows it.
    ///
    /// # Errors
    /// If a result is still used, or the operation is not in the function.
    pub fn erase(&mut self, id: OperationId) -> Result<(), RewriteError> {
        let block = self.present(Point::Before(id))?;
        for result in &self.function.operations[id].results {
            if !self.users(*result).is_empty() {
                return Err(RewriteError::InUse(*result));
            }
        }
        let mut kept = self.take_comments(id);
        let above = match self.next(id) {
            Some(next) => Spot::Above(next),
            None => self.end_of(block),
        };
        let list = self.comments.entry(above).or_default();
        kept.append(list);
        *list = kept;
        self.forget(id);
        Ok(())
    }

    /// Changes attributes, operands or spelling of an operation; its results and regions stay.
    ///
    /// # Errors
    /// If the operation is not in the function.
    pub fn modify(
        &mut self,
        id: OperationId,
        change: impl FnOnce(&mut Operation),
    ) -> Result<(), RewriteError> {
        self.present(Point::Before(id))?;
        let operation = &mut self.function.operations[id];
        let (results, regions) = (operation.results.clone(), operation.regions.clone());
        change(operation);
        (operation.results, operation.regions) = (results, regions);
        self.note_uses(id);
        Ok(())
    }

    /// A name that no value of the function has: this one, or this one with a number.
    pub fn unused_name(&mut self, name: &str) -> String {
        // Results of one packed definition share what stands before the `#`.
        let (base, part) = match name.split_once('#') {
            Some((base, part)) => (base, format!("#{part}")),
            None => (name, String::new()),
        };
        let mut candidate = name.to_owned();
        while self.names.contains_key(&candidate) {
            let last = self.numbers.entry(name.to_owned()).or_default();
            *last += 1;
            candidate = format!("{base}_{last}{part}");
        }
        self.names.insert(candidate.clone(), 1);
        candidate
    }

    fn make_name_unique(&mut self, value: ValueId) {
        let name = self.function.values[value].name.clone();
        let Some(count) = self.names.get_mut(&name).filter(|count| **count > 1) else { return };
        *count -= 1;
        self.function.values[value].name = self.unused_name(&name);
    }

    /// The block of a point.
    fn present(&self, point: Point) -> Result<BlockId, RewriteError> {
        match point {
            Point::Before(id) | Point::After(id) => self.block_of(id).ok_or(RewriteError::Absent(id)),
            Point::Start(block) | Point::End(block) => Ok(block),
        }
    }

    /// A place in the text for what is put in at a point: nothing stands there, but findings can point at it.
    fn span_at(&self, point: Point) -> Span {
        let of = |id: OperationId| self.function.operations[id].span;
        let (end, span) = match point {
            Point::Before(id) => (false, of(id)),
            Point::After(id) => (true, of(id)),
            Point::Start(block) => {
                (false, self.ends[block.index()].first.map_or(self.function.blocks[block].span, of))
            }
            Point::End(block) => {
                (true, self.ends[block.index()].last.map_or(self.function.blocks[block].span, of))
            }
        };
        let at = if end { span.end } else { span.start };
        Span { start: at, end: at }
    }

    fn attach(&mut self, id: OperationId, point: Point) {
        let (block, before, after) = match point {
            Point::Before(other) => {
                (self.links[other.index()].block, self.links[other.index()].before, Some(other))
            }
            Point::After(other) => {
                (self.links[other.index()].block, Some(other), self.links[other.index()].after)
            }
            Point::Start(block) => (Some(block), None, self.ends[block.index()].first),
            Point::End(block) => (Some(block), self.ends[block.index()].last, None),
        };
        self.links[id.index()] = Link { block, before, after };
        self.join(block, before, Some(id));
        self.join(block, Some(id), after);
    }

    fn detach(&mut self, id: OperationId) {
        let Link { block, before, after } = std::mem::take(&mut self.links[id.index()]);
        self.join(block, before, after);
    }

    /// Makes two operations of a block neighbours; nothing is beyond its first and its last.
    fn join(&mut self, block: Option<BlockId>, before: Option<OperationId>, after: Option<OperationId>) {
        let Some(block) = block else { return };
        match before {
            Some(before) => self.links[before.index()].after = after,
            None => self.ends[block.index()].first = after,
        }
        match after {
            Some(after) => self.links[after.index()].before = before,
            None => self.ends[block.index()].last = before,
        }
    }

    fn note_uses(&mut self, id: OperationId) {
        for value in uses_of(&self.function.operations[id]) {
            self.users[value.index()].push(id);
        }
    }

    /// Takes an operation and all that it holds out of the function.
    fn forget(&mut self, id: OperationId) {
        for region in self.function.operations[id].regions.clone() {
            for block in self.function.regions[region].blocks.clone() {
                for inner in self.operations(block).collect::<Vec<_>>() {
                    self.forget(inner);
                }
            }
        }
        self.detach(id);
    }

    /// The spot before the end of a block.
    fn end_of(&self, block: BlockId) -> Spot {
        let Some(region) = self.regions[block.index()] else { return Spot::AboveBlock(block) };
        let blocks = &self.function.regions[region].blocks;
        let at = blocks.iter().position(|other| *other == block);
        match at.and_then(|at| blocks.get(at + 1)) {
            Some(next) => Spot::AboveBlock(*next),
            None => Spot::Closing(region),
        }
    }

    /// Takes the comments of an operation and of all that it holds, in order, as lines of their own.
    fn take_comments(&mut self, id: OperationId) -> Vec<super::Comment> {
        let mut taken = Vec::new();
        self.take(Spot::Above(id), &mut taken);
        for region in self.function.operations[id].regions.clone() {
            self.take(Spot::Opening(region), &mut taken);
            for block in self.function.regions[region].blocks.clone() {
                self.take(Spot::AboveBlock(block), &mut taken);
                self.take(Spot::BehindBlock(block), &mut taken);
                for inner in self.operations(block).collect::<Vec<_>>() {
                    taken.extend(self.take_comments(inner));
                }
            }
            self.take(Spot::Closing(region), &mut taken);
        }
        self.take(Spot::Behind(id), &mut taken);
        taken
    }

    fn take(&mut self, spot: Spot, taken: &mut Vec<super::Comment>) {
        let lines = self.comments.remove(&spot).unwrap_or_default();
        taken.extend(lines.into_iter().map(|comment| super::Comment { trailing: false, ..comment }));
    }
}

/// The values that an operation uses, once for each use.
fn uses_of(operation: &Operation) -> impl Iterator<Item = ValueId> + '_ {
    let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
    operation.operands.iter().chain(passed).map(|operand| operand.value)
}
