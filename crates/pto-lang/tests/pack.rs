//! Tests of `pto_lang::passes::place::pack`.

use pto_lang::passes::place::pack::*;
use pto_lang::passes::place::rest::Rests;

fn item(bytes: u64, first: usize, last: usize, group: u32) -> Item {
    Item { bytes, fixed: None, alive: vec![(first, last)], group, round: None }
}

/// Numbers below a limit.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        pto_num::random::next(&mut self.0) % limit
    }
}

fn check(problem: &Problem, packing: &Packing) {
    for (at, others) in problem.beside.iter().enumerate() {
        for other in others.iter().map(|other| *other as usize) {
            let (a, b) = (packing.offsets[at], packing.offsets[other]);
            let apart = a + problem.items[at].bytes <= b || b + problem.items[other].bytes <= a;
            assert!(apart, "items {at} and {other} overlap");
        }
    }
    for (item, offset) in problem.items.iter().zip(&packing.offsets) {
        assert!(item.fixed.is_none_or(|fixed| fixed == *offset));
    }
    assert!(packing.peak >= problem.bound().0 && packing.peak == problem.peak(&packing.offsets));
}

#[test]
fn random_items_never_overlap() {
    let mut random = Random(7);
    for count in 1..60u32 {
        let items = (0..count).map(|group| {
            let first = random.below(40) as usize;
            item(32 * (1 + random.below(30)), first, first + random.below(12) as usize, group)
        });
        let mut items: Vec<Item> = items.collect();
        if count % 5 == 0 {
            items[0].fixed = Some(64);
        }
        let problem = Problem::new(items);
        let (bound, all) = (problem.bound().0, problem.items.iter().map(|item| item.bytes).sum::<u64>());
        let separate = apart(&problem.items);
        check(&problem, &separate);
        for limit in [bound, bound.midpoint(all), all + 64] {
            check(&problem, &problem.pack([limit, limit], &an_instruction_each()));
        }
    }
}

/// A function with an instruction at each position.
fn an_instruction_each() -> Rests {
    Rests::straight((0..100).collect())
}

/// Nothing shares bytes as long as memory suffices; then the bytes that were free longest are taken again.
#[test]
fn bytes_rest_as_long_as_possible() {
    let items = || [(0, 1), (2, 3), (4, 5), (6, 7)].into_iter().zip(0..);
    let problem = Problem::new(items().map(|((first, last), group)| item(64, first, last, group)).collect());
    let offsets = |limit| problem.pack([limit, limit], &an_instruction_each()).offsets;
    assert_eq!(apart(&problem.items).offsets, [0, 64, 128, 192]);
    let [first, second, third, last] = offsets(192)[..] else { panic!("four items") };
    assert_eq!(last, first, "the fourth takes the bytes of the first");
    assert!(second != third && second != first && third != first);
    assert_eq!(offsets(64), [0, 0, 0, 0]);
}

/// Two rounds of a loop, each with a tile alive after the other: a third tile is alive through both.
#[test]
fn rounds_need_memory_of_their_own() {
    let of_round =
        |round, first, group| Item { round: Some((0, round)), ..item(64, first, first + 1, group) };
    let items = vec![of_round(0, 1, 0), of_round(0, 3, 1), of_round(1, 5, 2), item(32, 0, 9, 3)];
    let problem = Problem::new(items);
    let peak = |limit| problem.pack([limit, limit], &an_instruction_each()).peak;
    assert_eq!(peak(160), 160);
    assert!(peak(159) > 159);
}

/// First fit in any of the orders takes more than the bound here; the search finds the packing.
#[test]
fn the_search_finds_what_orders_miss() {
    let mut random = Random(3);
    let mut better = 0;
    for _ in 0..40 {
        let items: Vec<Item> = (0..14)
            .map(|group| {
                let first = random.below(20) as usize;
                item(32 * (1 + random.below(9)), first, first + random.below(8) as usize, group)
            })
            .collect();
        let problem = Problem::new(items);
        let fits = problem.orders().map(|order| problem.peak(&problem.first_fit(&order))).min();
        let packing = problem.pack([problem.bound().0; 2], &an_instruction_each());
        check(&problem, &packing);
        better += u32::from(Some(packing.peak) < fits);
    }
    assert!(better > 0, "the search improves nothing");
}
