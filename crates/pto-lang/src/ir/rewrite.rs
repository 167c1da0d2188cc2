//! Rewriting of functions: inserts, moves, replaces and erases operations.
//!
//! Unchanged parts keep their names, locations and comments. Comments of an operation move with it; comments of an
//! erased operation stay at its position. At the end, unreachable objects are removed and the others are numbered
//! in text order.
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
use pto_isa::diag::Span;
use std::collections::HashMap;
use std::fmt;

pub mod copy;
mod links;
mod names;
mod remarks;
mod renumber;

use links::{Ends, Link};

/// The position of an inserted operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Point {
    /// Right before an operation.
    Before(OperationId),
    /// Right after an operation.
    After(OperationId),
    /// At the start of a block.
    Start(BlockId),
    /// At the end of a block.
    End(BlockId),
}

/// A rejected change that would leave the function invalid. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// An operation to be erased has a result that is still used.
    InUse(ValueId),
    /// The operation is in no block because it was erased.
    Absent(OperationId),
    /// An operation cannot be moved into itself.
    Inside(OperationId),
    /// The number or types of the replacement values differ from the operation's results.
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

/// A function that is being rewritten; created by [`Module::rewrite`].
pub struct Rewriter<'m> {
    function: &'m mut Function,
    types: &'m mut TypeTable,
    links: Vec<Link>,
    ends: Vec<Ends>,
    /// The region of each block, and the operation that contains each region.
    regions: Vec<Option<RegionId>>,
    owners: Vec<Option<OperationId>>,
    /// The users of each value, once per use; may contain erased operations.
    users: Vec<Vec<OperationId>>,
    /// Number of values per name.
    names: HashMap<String, u32>,
    /// The last number appended to each name.
    numbers: HashMap<String, u32>,
    /// Comments by spot.
    comments: HashMap<Spot, Vec<super::Comment>>,
}

impl Module {
    /// Rewrites one function.
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

    /// The function in its current state, except the operation lists of blocks; use [`Rewriter::operations`] for
    /// those.
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

    /// The operation with a handle.
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

    /// Every operation of the function in text order; an operation precedes the operations in its regions.
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

    /// The block of an operation; `None` if it was erased.
    pub fn block_of(&self, id: OperationId) -> Option<BlockId> {
        self.links.get(id.index())?.block
    }

    /// The operation whose region contains a block; `None` for blocks of the body.
    pub fn owner_of(&self, block: BlockId) -> Option<OperationId> {
        self.owners[self.regions.get(block.index()).copied().flatten()?.index()]
    }

    /// The next operation in the block.
    pub fn next(&self, id: OperationId) -> Option<OperationId> {
        self.links.get(id.index())?.after
    }

    /// The previous operation in the block.
    pub fn previous(&self, id: OperationId) -> Option<OperationId> {
        self.links.get(id.index())?.before
    }

    /// The users of a value, each once.
    pub fn users(&self, value: ValueId) -> Vec<OperationId> {
        let list = self.users.get(value.index()).into_iter().flatten().copied();
        let mut list: Vec<_> =
            list.filter(|id| self.block_of(*id).is_some() && self.uses(*id, value)).collect();
        list.sort_unstable_by_key(|id| id.index());
        list.dedup();
        list
    }

    fn uses(&self, id: OperationId, value: ValueId) -> bool {
        uses_of(&self.function.operations[id]).any(|used| used == value)
    }

    /// Inserts an operation without regions; its results are new values with these names and types. A number is
    /// appended to names that are already used.
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

    /// Moves an operation with its regions.
    ///
    /// # Errors
    /// If the operation or the point is not in the function, or the point is inside the operation.
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
            // Sibling regions may contain values of the same name.
            for value in self.function.operations[id].results.clone() {
                self.make_name_unique(value);
            }
        }
        Ok(())
    }

    /// Replaces all uses of a value by another value.
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

    /// Erases an operation and replaces its results by values.
    ///
    /// # Errors
    /// If the number or types of the values differ, or the operation is not in the function.
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

    /// Erases an operation with its regions. Its comments move above the next operation.
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

    /// Changes attributes, operands or spelling of an operation, but not its results and regions.
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

    /// The block of a point, or an error if it was erased.
    fn present(&self, point: Point) -> Result<BlockId, RewriteError> {
        match point {
            Point::Before(id) | Point::After(id) => self.block_of(id).ok_or(RewriteError::Absent(id)),
            Point::Start(block) | Point::End(block) => Ok(block),
        }
    }

    /// An empty span at a point, so that findings on an inserted operation have a location.
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
}

/// The values that an operation uses, once per use.
fn uses_of(operation: &Operation) -> impl Iterator<Item = ValueId> + '_ {
    let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
    operation.operands.iter().chain(passed).map(|operand| operand.value)
}
