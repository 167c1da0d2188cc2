//! Guards: the conditions under which an operation runs.

use super::Way;
use super::search::{Search, both, bounded};
use crate::ir::{BlockId, FunctionId, Operation, OperationId, RegionId};
use pto_isa::meaning::Meaning;
use std::collections::{HashMap, VecDeque};

/// Maximum number of calls between a kernel and an operation.
const MOST_CALLS: usize = 16;
/// Rounds of a loop that are tried.
const ROUNDS: [i64; 3] = [1, 2, 3];

impl Search<'_, '_> {
    /// Alternatives with which an operation runs: its guards together, those of its function's callers included.
    pub(super) fn guards(&mut self, mut function: FunctionId, mut operation: OperationId) -> Vec<Way> {
        let steering = self.steering;
        let mut all = vec![Way::new()];
        for _ in 0..MOST_CALLS {
            let Some(flow) = steering.flows.get(&function) else { break };
            let mut at = Some(operation);
            while let Some(inner) = at {
                let Some((block, _)) = flow.place(inner) else { break };
                let Some(region) = flow.region(block) else { break };
                for (jump, successor) in self.jumps(function, region, block) {
                    let jump = steering.operation(function, jump);
                    let condition = jump.value("condition");
                    let holds = i64::from(successor == 0);
                    let ways =
                        condition.map_or(Vec::new(), |condition| self.ways((function, condition), holds));
                    all = with(all, &ways);
                }
                at = flow.owner(region);
                if let Some(owner) = at {
                    let owner = steering.operation(function, owner);
                    let nth = owner.regions.iter().position(|known| *known == region).unwrap_or(0);
                    let ways = self.enters(function, owner, nth);
                    all = with(all, &ways);
                }
            }
            let Some((caller, call)) = steering.calls.get(&function).and_then(|calls| calls.first()) else {
                break;
            };
            (function, operation) = (*caller, *call);
        }
        all
    }

    /// Alternatives with which an operation runs one of its regions.
    pub(super) fn enters(&mut self, function: FunctionId, owner: &Operation, region: usize) -> Vec<Way> {
        let operand = |role: &str| owner.value(role).map(|operand| (function, operand));
        match owner.meaning() {
            Meaning::If => operand("condition")
                .map_or(Vec::new(), |condition| self.ways(condition, i64::from(region == 0))),
            Meaning::Switch => {
                let cases = owner.integers("cases").unwrap_or_default();
                let cases: Vec<i64> = cases.into_iter().map(|case| case as i64).collect();
                let other = cases.iter().max().map_or(0, |most| most.saturating_add(1));
                let want = cases.get(region).copied().unwrap_or(other);
                operand("index").map_or(Vec::new(), |index| self.ways(index, want))
            }
            Meaning::For => {
                let [Some(lower), Some(upper)] = ["lower", "upper"].map(operand) else { return Vec::new() };
                let step = operand("step").and_then(|step| self.steering.number(step)).unwrap_or(1);
                let first = self.steering.number(lower).unwrap_or(0);
                let far = |rounds: i64| first.saturating_add(step.saturating_mul(rounds));
                let mut ways: Vec<Way> =
                    ROUNDS.iter().flat_map(|rounds| self.ways(upper, far(*rounds))).collect();
                if let Some(last) = self.steering.number(upper) {
                    ways.extend(self.ways(lower, last.saturating_sub(1)));
                    // Nothing must change for a loop that runs.
                    if last > first {
                        ways.insert(0, Way::new());
                    }
                }
                ways
            }
            Meaning::While if region == 1 => self.continues(function, owner),
            _ => vec![Way::new()],
        }
    }

    /// Alternatives with which the first region of a loop with a condition continues with the second.
    fn continues(&mut self, function: FunctionId, owner: &Operation) -> Vec<Way> {
        let body = &self.steering.module.functions[function];
        let blocks = owner.regions.first().map_or(&[][..], |first| &body.regions[*first].blocks);
        let ends = blocks.iter().filter_map(|block| body.blocks[*block].operations.last());
        let conditions =
            ends.map(|end| &body.operations[*end]).filter(|end| end.meaning() == Meaning::Condition);
        let conditions = conditions.filter_map(|end| end.value("condition"));
        conditions.flat_map(|condition| self.ways((function, condition), 1)).collect()
    }

    /// The conditional jumps on a shortest path from the entry of a region to a block, each with the number of its successor.
    fn jumps(&self, function: FunctionId, region: RegionId, to: BlockId) -> Vec<(OperationId, usize)> {
        let body = &self.steering.module.functions[function];
        let Some(&entry) = body.regions[region].blocks.first() else { return Vec::new() };
        let mut before: HashMap<BlockId, (BlockId, OperationId, usize)> = HashMap::new();
        let mut open = VecDeque::from([entry]);
        while let Some(block) = open.pop_front().filter(|_| entry != to) {
            let Some(&last) = body.blocks[block].operations.last() else { continue };
            for (nth, successor) in body.operations[last].successors.iter().enumerate() {
                if successor.block != entry && !before.contains_key(&successor.block) {
                    before.insert(successor.block, (block, last, nth));
                    open.push_back(successor.block);
                }
            }
        }
        let path = std::iter::successors(before.get(&to), |(block, ..)| before.get(block));
        let jumps = path.map(|(_, jump, nth)| (*jump, *nth));
        jumps.filter(|(jump, _)| body.operations[*jump].meaning() == Meaning::BranchIf).collect()
    }
}

/// Combines the alternatives with those of one more guard. Ignores a guard without a known way to fulfil it.
fn with(all: Vec<Way>, guard: &[Way]) -> Vec<Way> {
    let joined = both(&all, guard);
    if joined.is_empty() { all } else { bounded(joined) }
}
