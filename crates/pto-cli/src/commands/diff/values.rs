//! The first aligned instruction whose values differ by more than a tolerance.
//!
//! Candidates are taken in the order of the first program. In each round both programs run again, with the contents of
//! the next candidates captured. The first round captures little, since most differences show at the first candidate;
//! the size doubles from round to round up to a bound.

use super::{Failed, Ran, both};
use pto::data::{Distance, Tolerance, number::decode};
use pto::isa::Element;
use pto::log::Recorder;
use pto::log::{Captured, Contents, Value};

/// Bytes that a round captures of each program, at first and at most.
const FIRST_ROUND: u64 = 1 << 20;
const LARGEST_ROUND: u64 = 1 << 27;

/// A destination with values that differ.
pub(super) struct Difference {
    /// Numbers of the entries.
    pub(super) entries: (u64, u64),
    /// Names of the destination.
    pub(super) names: (String, String),
    /// The number formats.
    pub(super) formats: (Element, Element),
    /// Row and column of the first value that differs. Without rows (`has_rows`), the column alone is the index.
    pub(super) place: (u64, u64),
    pub(super) has_rows: bool,
    /// Bits of both values; `None` for an element that one of the instructions did not write.
    pub(super) values: (Option<u64>, Option<u64>),
    /// Distance in units in the last place, if both are numbers of one format.
    pub(super) ulp: Option<u64>,
    /// Number of values that differ, and number of all values.
    pub(super) differing: usize,
    pub(super) total: usize,
}

/// Finds the first difference among candidates.
pub(super) fn first_difference<'a>(
    a: &Ran<'a>,
    b: &Ran<'a>,
    candidates: Vec<(u64, u64)>,
    tolerance: &Tolerance,
) -> Result<Option<Difference>, Failed<'a>> {
    let (mut rest, mut budget) = (candidates.as_slice(), FIRST_ROUND);
    while !rest.is_empty() {
        let round;
        (round, rest) = rest.split_at(fitting(a, b, rest, budget));
        let first = || capture(a, round.iter().map(|(a, _)| *a));
        let second = || capture(b, round.iter().map(|(_, b)| *b));
        let (first, second) = both(first, second)?;
        let of = |list: &[Captured], number: u64| {
            list.binary_search_by_key(&number, |captured| captured.sequence).ok()
        };
        for (one, other) in round {
            let (Some(x), Some(y)) = (of(&first, *one), of(&second, *other)) else { continue };
            if let Some(found) = compare(&first[x], &second[y], tolerance) {
                return Ok(Some(found));
            }
        }
        budget = (budget * 2).min(LARGEST_ROUND);
    }
    Ok(None)
}

/// Number of candidates that fit into a round; at least one.
fn fitting(a: &Ran<'_>, b: &Ran<'_>, candidates: &[(u64, u64)], budget: u64) -> usize {
    let bytes = |ran: &Ran<'_>, entry: u64| ran.log.get(entry as usize).map_or(0, |it| it.bytes());
    let mut sum = 0;
    let fits = candidates.iter().take_while(|(one, other)| {
        sum += bytes(a, *one).max(bytes(b, *other));
        sum <= budget
    });
    fits.count().max(1)
}

/// Runs a program again and captures the contents that some entries write.
fn capture<'a>(ran: &Ran<'a>, entries: impl Iterator<Item = u64>) -> Result<Vec<Captured>, Failed<'a>> {
    let mut recorder = Recorder::of_contents(&entries.collect::<Vec<_>>());
    let outcome = ran.launch.clone().run(&mut [&mut recorder]);
    let failed = |findings: Vec<_>| (findings.into(), Some(&ran.subject.text));
    outcome.map(|_| recorder.into_captured()).map_err(failed)
}

/// Compares the contents that two entries wrote, destination by destination.
fn compare(a: &Captured, b: &Captured, tolerance: &Tolerance) -> Option<Difference> {
    let entries = (a.sequence, b.sequence);
    let mut pairs = a.destinations.iter().zip(&b.destinations);
    pairs.find_map(|(a, b)| destinations(entries, a, b, tolerance))
}

fn destinations(
    entries: (u64, u64),
    a: &Contents,
    b: &Contents,
    tolerance: &Tolerance,
) -> Option<Difference> {
    let formats = (a.element(), b.element());
    let mut found = Difference {
        entries,
        names: (a.name().to_owned(), b.name().to_owned()),
        formats,
        place: (0, 0),
        has_rows: a.has_rows(),
        values: (None, None),
        ulp: None,
        differing: 0,
        total: 0,
    };
    let (first, second) = (sorted(a), sorted(b));
    each_pair(&first, &second, |place, x, y| {
        found.total += 1;
        if !differs(formats, (x, y), tolerance) {
            return;
        }
        if found.differing == 0 {
            found.place = place;
            found.values = (x, y);
            found.ulp = ulp(formats, (x, y));
        }
        found.differing += 1;
    });
    // Bytes that do not form a whole element, such as those of a mask.
    if found.differing == 0 && tolerance.is_exact() && formats.0 == formats.1 && a.bytes() != b.bytes() {
        return Some(by_bytes(found, a.bytes(), b.bytes()));
    }
    (found.differing > 0).then_some(found)
}

/// The difference of bytes that are compared without a format.
fn by_bytes(found: Difference, a: &[u8], b: &[u8]) -> Difference {
    let differing = a.iter().zip(b).filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len());
    let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let value = |bytes: &[u8]| bytes.get(at).copied().map(u64::from);
    Difference {
        formats: (Element::U8, Element::U8),
        place: (0, at as u64),
        has_rows: false,
        values: (value(a), value(b)),
        differing,
        total: a.len().max(b.len()),
        ..found
    }
}

fn sorted(contents: &Contents) -> Vec<Value> {
    let mut values = contents.values();
    values.sort_unstable_by_key(|value| (value.row, value.column));
    values
}

/// Calls `see` for each place that one of the lists has, in order.
fn each_pair(a: &[Value], b: &[Value], mut see: impl FnMut((u64, u64), Option<u64>, Option<u64>)) {
    let place = |value: &Value| (value.row, value.column);
    let (mut i, mut j) = (0, 0);
    while let Some(at) = [a.get(i).map(place), b.get(j).map(place)].into_iter().flatten().min() {
        let x = a.get(i).filter(|value| place(value) == at);
        let y = b.get(j).filter(|value| place(value) == at);
        see(at, x.map(|value| value.bits), y.map(|value| value.bits));
        i += usize::from(x.is_some());
        j += usize::from(y.is_some());
    }
}

/// Whether two values differ; the first one is the reference.
fn differs(formats: (Element, Element), values: (Option<u64>, Option<u64>), tolerance: &Tolerance) -> bool {
    let (Some(x), Some(y)) = values else { return true };
    if formats.0 == formats.1 {
        return tolerance.distance_beyond(formats.0, y, x).is_some();
    }
    // Values of two formats are compared as numbers.
    let (x, y) = (decode(formats.0, x), decode(formats.1, y));
    let near = (x - y).abs() <= tolerance.atol + tolerance.rtol * x.abs();
    !(x == y || near || (x.is_nan() && y.is_nan()))
}

fn ulp(formats: (Element, Element), values: (Option<u64>, Option<u64>)) -> Option<u64> {
    let (Some(x), Some(y)) = values else { return None };
    let exact = Tolerance { nan_payload_matters: true, ..Tolerance::default() };
    let Distance { is_nan, ulp } = exact.distance_beyond(formats.0, y, x)?;
    (!is_nan && ulp > 0 && formats.0 == formats.1).then_some(ulp)
}
