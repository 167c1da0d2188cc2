//! The table of `docs/timing.md` that sets the costs on the pages beside cycles that the vendor publishes for single
//! instructions, and leave-one-out errors of the same formulas. `BLESS=1` rewrites the table.

use pto::isa::Profile;
use pto::isa::device::{Device, Endpoint, Path, PathTime};
use pto::isa::element::element_from_word;
use pto::isa::memory::Buffer;
use pto::isa::op::cost::{Cost, Count, Extents};
use pto::isa::registry::Op;
use std::fmt::Write;

/// One published figure.
struct Figure {
    name: String,
    cycles: f64,
    /// The cycles of each term on the page, the start among them, and how often it counts here.
    page: Vec<f64>,
    counts: Vec<f64>,
}

impl Figure {
    /// The error of the formula with some cycles for each term, relative to the figure.
    fn error(&self, terms: &[f64]) -> f64 {
        let predicted: f64 = self.counts.iter().zip(terms).map(|(count, cycles)| count * cycles).sum();
        (predicted - self.cycles) / self.cycles
    }
}

/// Terms of a load into UB by one core.
fn load(device: &Device, extents: &Extents) -> (Vec<f64>, Vec<f64>) {
    let path = device.path(Endpoint::Global, Endpoint::Chip(Buffer::Ub));
    let Some(Path { time: PathTime::Rate { start, each, run, rate }, .. }) = path else {
        unreachable!("a path with a rate")
    };
    let rate = rate.value.min(device.l2_read.value);
    let bytes = (extents.rows * extents.row_bytes) as f64;
    (vec![start.value + each.value, run.value, 1.0 / rate], vec![1.0, extents.rows as f64, bytes])
}

/// The figures that are not dropped, by families: instructions with the same formulas.
fn families() -> Vec<(Cost, Vec<Figure>)> {
    let text = include_str!("../../../examples/timing/instructions.csv");
    let device = Device::usual(Profile::A2A3);
    let mut families: Vec<(Cost, Vec<Figure>)> = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, format, rows, columns, inner, cycles, dropped] = fields[..] else { panic!("{line}") };
        if !dropped.is_empty() {
            continue;
        }
        let number = |word: &str| word.parse::<u64>().expect("a number");
        let (rows, columns, inner, format) =
            (number(rows), number(columns), number(inner), element_from_word(format).expect("a format"));
        let bytes = u64::from(format.bits()) / 8;
        let extents = Extents {
            rows,
            columns,
            row_bytes: columns * bytes,
            contiguous: true,
            fractals: rows.div_ceil(16) * (inner * bytes).div_ceil(32) * columns.div_ceil(16),
        };
        let cost = Op::find(&format!("pto.{name}")).or_else(|| Op::find(name)).expect(name).page().cost;
        let (page, counts) = match cost.formula(Profile::A2A3, format) {
            Some(formula) => {
                let terms = formula.terms.iter();
                let (cycles, counts): (Vec<f64>, Vec<f64>) =
                    terms.map(|term| (term.cycles.value, extents.count(term.count))).unzip();
                let start = [formula.start.value];
                ([&start[..], &cycles].concat(), [&[extents.count(Count::Once)][..], &counts].concat())
            }
            None => load(&device, &extents),
        };
        let figure = Figure { name: name.to_owned(), cycles: number(cycles) as f64, page, counts };
        match families.iter_mut().find(|(of, _)| *of == cost) {
            Some((_, figures)) => figures.push(figure),
            None => families.push((cost, vec![figure])),
        }
    }
    families
}

/// The cycles of each term that fit figures best, in relative squares, near those of `page`: one figure does not determine
/// several terms, so a distance from the page counts as a hundredth of an error.
fn fit<'f>(figures: impl Iterator<Item = &'f Figure>, page: &[f64]) -> Vec<f64> {
    let size = page.len();
    let scale: Vec<f64> = page.iter().map(|cycles| cycles.max(1e-3)).collect();
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for (at, row) in matrix.iter_mut().enumerate() {
        row[at] = 0.01;
    }
    for figure in figures {
        let weights: Vec<f64> =
            figure.counts.iter().zip(&scale).map(|(count, scale)| count * scale / figure.cycles).collect();
        let rest = -figure.error(page);
        for row in 0..size {
            for column in 0..size {
                matrix[row][column] += weights[row] * weights[column];
            }
            matrix[row][size] += weights[row] * rest;
        }
    }
    for pivot in 0..size {
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = row[pivot] / pivot_row[pivot];
            row.iter_mut().zip(&pivot_row).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    (0..size).map(|at| page[at] + scale[at] * matrix[at][size] / matrix[at][at]).collect()
}

/// The median and the largest of absolute values, in percent.
fn spread(errors: &[f64]) -> String {
    let mut errors: Vec<f64> = errors.iter().map(|error| 100.0 * error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    let half = errors.len() / 2;
    let median =
        if errors.len().is_multiple_of(2) { (errors[half - 1] + errors[half]) / 2.0 } else { errors[half] };
    format!("{median:.0} % | {:.0} %", errors[errors.len() - 1])
}

const BEGIN: &str = "<!-- calibration begin -->\n";
const END: &str = "<!-- calibration end -->\n";

#[test]
fn the_table_of_calibration_is_that_of_the_pages() {
    let mut table = String::from(
        "| instructions | figures | median error of the pages | worst | median of leave-one-out | worst |\n|---|---|---|---|---|---|\n",
    );
    let (mut all, mut all_left) = (Vec::new(), Vec::new());
    for (_, figures) in families() {
        let mut names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
        names.dedup();
        let mut errors = Vec::new();
        let mut left = Vec::new();
        for (at, figure) in figures.iter().enumerate() {
            errors.push(figure.error(&figure.page));
            let same = |other: &&Figure| other.page == figure.page;
            let others = figures.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, other)| other);
            left.push(figure.error(&fit(others.filter(same), &figure.page)));
        }
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} |",
            names.join(" "),
            figures.len(),
            spread(&errors),
            spread(&left)
        );
        all.extend(errors);
        all_left.extend(left);
    }
    let _ = writeln!(table, "| all | {} | {} | {} |", all.len(), spread(&all), spread(&all_left));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/timing.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (_, after) = rest.split_once(END).expect("the mark after the table");
    let fresh = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).expect("the page");
    assert!(written == fresh, "docs/timing.md is stale: BLESS=1 writes the table");
}
