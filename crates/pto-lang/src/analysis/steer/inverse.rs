//! Operands for which a scalar operation has a wanted result. The other operand is known.

use pto_isa::meaning::Binary;
use pto_isa::scalar::{Compare, Width};

/// Values of the left operand with which the operation results in `want`, if the right one is `right`. Both ends of the range of a
/// division, and of a remainder the two smallest.
pub(super) fn left(op: Binary, want: i64, right: i64) -> Vec<i64> {
    use Binary::*;
    let candidates = match op {
        Add => vec![want.wrapping_sub(right)],
        Sub => vec![want.wrapping_add(right)],
        Mul => quotient(want, right),
        DivSigned | DivUnsigned | FloorDivSigned | CeilDivSigned => {
            let first = want.wrapping_mul(right);
            let rest = right.wrapping_sub(1);
            vec![first, first.wrapping_add(rest), first.wrapping_sub(rest)]
        }
        RemSigned | RemUnsigned => vec![want, want.wrapping_add(right)],
        MinSigned | MinUnsigned => vec![want, want.saturating_add(1)],
        MaxSigned | MaxUnsigned => vec![want, want.saturating_sub(1)],
        And | Or => vec![want, want & right],
        Xor => vec![want ^ right],
        ShiftLeft => shift(right).map(|by| want >> by).into_iter().collect(),
        ShiftRightSigned | ShiftRightUnsigned => {
            shift(right).map(|by| want.wrapping_shl(by)).into_iter().collect()
        }
        Float(_) => Vec::new(),
    };
    holding(candidates, |candidate| apply(op, candidate, right) == Some(want))
}

/// Values of the right operand with which the operation results in `want`, if the left one is `left`.
pub(super) fn right(op: Binary, want: i64, left: i64) -> Vec<i64> {
    use Binary::*;
    let candidates = match op {
        Sub => vec![left.wrapping_sub(want)],
        DivSigned | DivUnsigned | FloorDivSigned | CeilDivSigned => {
            let mut all = quotient(left, want);
            all.extend([left.saturating_add(1), 1]);
            all
        }
        RemSigned | RemUnsigned => vec![left.wrapping_sub(want), left.saturating_add(1)],
        ShiftLeft | ShiftRightSigned | ShiftRightUnsigned => (0..64).collect(),
        Float(_) => Vec::new(),
        // The operands commute.
        _ => return self::left(op, want, left),
    };
    holding(candidates, |candidate| apply(op, left, candidate) == Some(want))
}

/// Values around `right` that compare with it as wanted: less by one, equal, greater by one.
pub(super) fn around(op: Compare, want: bool, right: i64) -> Vec<i64> {
    let near = vec![right, right.saturating_sub(1), right.saturating_add(1)];
    holding(near, |near| op.apply(Width::of(64), near as u64, right as u64) == want)
}

fn apply(op: Binary, left: i64, right: i64) -> Option<i64> {
    op.apply(Width::of(64), left as u64, right as u64).map(|bits| bits as i64)
}

fn quotient(of: i64, by: i64) -> Vec<i64> {
    of.checked_div(by).into_iter().collect()
}

fn shift(by: i64) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < 64)
}

/// The candidates that hold, each once.
fn holding(candidates: Vec<i64>, holds: impl Fn(i64) -> bool) -> Vec<i64> {
    let mut kept: Vec<i64> = Vec::new();
    for candidate in candidates {
        if holds(candidate) && !kept.contains(&candidate) {
            kept.push(candidate);
        }
    }
    kept
}
