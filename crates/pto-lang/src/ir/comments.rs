//! Spots: the part of a function to which a comment is attached, so that it moves with the operations.

use super::{BlockId, Comment, Function, Module, OperationId, RegionId};

/// The part of a function's body to which a comment is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// On separate lines above an operation.
    Above(OperationId),
    /// At the end of an operation's last line.
    Behind(OperationId),
    /// On separate lines above the header of a block.
    AboveBlock(BlockId),
    /// At the end of the header of a block.
    BehindBlock(BlockId),
    /// After the opening brace of a region.
    Opening(RegionId),
    /// On separate lines above the closing brace of a region.
    Closing(RegionId),
}

impl Spot {
    /// Every spot of a function's body, in the order in which it is printed.
    pub(crate) fn all(function: &Function) -> Vec<Spot> {
        fn region(function: &Function, id: RegionId, spots: &mut Vec<Spot>) {
            spots.push(Spot::Opening(id));
            for block in &function.regions[id].blocks {
                spots.extend([Spot::AboveBlock(*block), Spot::BehindBlock(*block)]);
                for operation in &function.blocks[*block].operations {
                    spots.push(Spot::Above(*operation));
                    for inner in &function.operations[*operation].regions {
                        region(function, *inner, spots);
                    }
                    spots.push(Spot::Behind(*operation));
                }
            }
            spots.push(Spot::Closing(id));
        }
        let mut spots = Vec::new();
        if let Some(body) = function.body {
            region(function, body, &mut spots);
        }
        spots
    }
}

/// A comment of a function's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedComment {
    /// The part of the body to which it is attached.
    pub spot: Spot,
    /// The comment.
    pub comment: Comment,
}

/// Moves comments inside function bodies from the module to the functions.
pub(crate) fn place(module: &mut Module) {
    let mut functions: Vec<_> = module
        .functions
        .iter()
        .filter(|(_, function)| function.body.is_some())
        .map(|(id, function)| (function.span, id))
        .collect();
    functions.sort_unstable_by_key(|(span, _)| span.start);
    let mut comments = std::mem::take(&mut module.comments).into_iter().peekable();
    for (span, id) in functions {
        while let Some(before) = comments.next_if(|comment| comment.span.start < span.start) {
            module.comments.push(before);
        }
        let mut inside = Vec::new();
        while let Some(own) = comments.next_if(|comment| comment.span.start < span.end) {
            inside.push(own);
        }
        module.functions[id].comments = Walk::through(&module.functions[id], inside);
    }
    module.comments.extend(comments);
}

/// Walks a function in source order, and attaches each comment to the first matching spot.
struct Walk<'a> {
    function: &'a Function,
    comments: std::iter::Peekable<std::vec::IntoIter<Comment>>,
    placed: Vec<PlacedComment>,
}

impl Walk<'_> {
    fn through(function: &Function, comments: Vec<Comment>) -> Vec<PlacedComment> {
        let mut walk = Walk {
            function,
            placed: Vec::with_capacity(comments.len()),
            comments: comments.into_iter().peekable(),
        };
        if let Some(body) = function.body.filter(|_| walk.comments.peek().is_some()) {
            walk.region(body, function.span.end);
            walk.above(u32::MAX, Spot::Closing(body));
        }
        walk.placed
    }

    /// Attaches comments that begin before byte `start` to a spot.
    fn above(&mut self, start: u32, spot: Spot) {
        while let Some(comment) = self.comments.next_if(|comment| comment.span.start < start) {
            self.placed.push(PlacedComment { spot, comment });
        }
    }

    /// Attaches trailing comments that begin before byte `limit` to a spot.
    fn behind(&mut self, limit: u32, spot: Spot) {
        while let Some(comment) =
            self.comments.next_if(|comment| comment.trailing && comment.span.start < limit)
        {
            self.placed.push(PlacedComment { spot, comment });
        }
    }

    /// Walks a region that ends before byte `end`.
    fn region(&mut self, region: RegionId, end: u32) {
        let function = self.function;
        let blocks = &function.regions[region].blocks;
        let start = |id: &OperationId| function.operations[*id].span.start;
        let first = blocks.iter().find_map(|block| function.blocks[*block].operations.first());
        self.behind(first.map_or(end, start), Spot::Opening(region));
        for (index, id) in blocks.iter().enumerate() {
            let block = &function.blocks[*id];
            let next = blocks.get(index + 1).map_or(end, |next| function.blocks[*next].span.start);
            if index > 0 || !block.name.is_empty() {
                self.above(block.span.start, Spot::AboveBlock(*id));
                self.behind(block.operations.first().map_or(block.span.end, start), Spot::BehindBlock(*id));
            }
            for (index, operation) in block.operations.iter().enumerate() {
                self.operation(*operation, block.operations.get(index + 1).map_or(next, start));
            }
        }
        self.above(end, Spot::Closing(region));
    }

    /// Walks an operation; the next part begins at byte `limit`.
    fn operation(&mut self, id: OperationId, limit: u32) {
        let operation = &self.function.operations[id];
        self.above(operation.span.start, Spot::Above(id));
        for (index, region) in operation.regions.iter().enumerate() {
            let next =
                operation.regions.get(index + 1).and_then(|next| self.function.regions[*next].blocks.first());
            let end = next.map_or(operation.span.end, |block| self.function.blocks[*block].span.start);
            self.region(*region, end);
        }
        self.behind(limit, Spot::Behind(id));
    }
}
