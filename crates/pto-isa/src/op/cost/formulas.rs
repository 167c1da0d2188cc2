//! Formulas that pages share, by kind of computation.
//!
//! A2/A3: one vector instruction takes a start and a number of cycles for each repeat of 256 bytes; the fits to an
//! Ascend 910B3 are those in the vendor's cost model of intrinsics. A5: a whole tile operation is one vector
//! function; its figures are the vendor's fits to its simulator.

use super::{Constant, Cost, Count, Formula, Term};
use crate::profile::{A2A3_ONLY, A5_ONLY, Profile};

/// Fits to an Ascend 910B3, A2/A3.
const FIT: &str =
    "pto-isa include/pto/costmodel/a2a3/cce_costmodel/cce_costmodel_vector_compute.hpp, fitted to a 910B3";
/// The vendor's model of intrinsics, A2/A3.
const MODEL: &str = "pto-isa include/pto/costmodel/a2a3/cce_costmodel";
/// The vendor's table of tile operations, A2/A3.
const TABLE: &str = "pto-isa include/pto/costmodel/a2a3/formula_costmodel/formula_params.csv";
/// The vendor's table of tile operations, A5.
const TABLE_A5: &str = "pto-isa include/pto/costmodel/a5/formula_costmodel/formula_params.csv";
/// The fit for merges, whose repeats are four blocks of 64 elements: 78 cycles for 1,024 bytes.
const MERGED: &str = "pto-isa include/pto/costmodel/a2a3/cce_costmodel/cce_costmodel_vector_compute.hpp, fitted to a 910B3: 78 \
                      cycles for four blocks of 64 elements of f32";
/// Sweeps on A2/A3 devices.
const SWEEP: &str = "pypto include/pypto/backend/common/backend_handler.h, sweeps on A2/A3 devices";
/// Fits to a simulator of A5.
const SWEEP_A5: &str = "pypto 950/backend_950_handler.h, fits to a simulator of A5";

/// Setting up a mask, for a row that is not a multiple of a repeat, A2/A3.
const MASK: Term = Term {
    count: Count::Ragged,
    cycles: Constant::measured(16.0, "pto-isa cce_costmodel_core.hpp: 15 to 19 cycles on a 910B3"),
};

const fn repeats(cycles: Constant) -> Term {
    Term { count: Count::Repeats, cycles }
}

const fn a2a3(bits: &'static [u32], start: Constant, terms: &'static [Term]) -> Formula {
    Formula { profiles: A2A3_ONLY, bits, start, terms }
}

const fn a5(bits: &'static [u32], start: Constant, terms: &'static [Term]) -> Formula {
    Formula { profiles: A5_ONLY, bits, start, terms }
}

/// A vector function of A5; `row`: cycles of each row if rows are not contiguous.
macro_rules! vector_function {
    ($bits:expr, start $start:expr, repeat $repeat:expr, row $row:expr) => {
        a5(
            $bits,
            Constant::published($start, TABLE_A5),
            &[
                repeats(Constant::published($repeat, TABLE_A5)),
                Term { count: Count::RowsApart, cycles: Constant::published($row, TABLE_A5) },
            ],
        )
    };
}

/// One source: magnitudes, relu, minimum with a scalar.
pub(crate) const ONE_SOURCE: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(23.0, FIT), &[repeats(Constant::measured(1.0, FIT)), MASK]),
    vector_function!(&[], start 53.1, repeat 1.06, row 2.9),
]);

/// A tile and a scalar: sums and products.
pub(crate) const WITH_SCALAR: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(26.0, FIT), &[repeats(Constant::measured(1.0, FIT)), MASK]),
    vector_function!(&[], start 53.1, repeat 1.06, row 2.9),
]);

/// Two sources: sums, differences, extrema, bits.
pub(crate) const TWO_SOURCES: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(24.0, FIT), &[repeats(Constant::measured(2.11, FIT)), MASK]),
    vector_function!(&[], start 55.1, repeat 1.25, row 2.9),
]);

/// Products of two tiles.
pub(crate) const PRODUCT: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::published(26.0, TABLE), &[repeats(Constant::published(2.0, TABLE)), MASK]),
    vector_function!(&[], start 56.3, repeat 1.19, row 2.9),
]);

/// Quotients of two tiles.
pub(crate) const QUOTIENT: Cost = Cost::Cycles(&[
    a2a3(&[16], Constant::measured(31.0, FIT), &[repeats(Constant::published(8.0, TABLE)), MASK]),
    a2a3(&[], Constant::measured(31.0, FIT), &[repeats(Constant::measured(4.03, FIT)), MASK]),
    vector_function!(&[16], start 68.7, repeat 3.55, row 2.9),
    vector_function!(&[], start 64.5, repeat 1.91, row 2.9),
]);

/// Quotients with a scalar: the scalar is spread first.
pub(crate) const QUOTIENT_WITH_SCALAR: Cost = Cost::Cycles(&[
    a2a3(&[16], Constant::published(45.0, TABLE), &[repeats(Constant::published(9.0, TABLE)), MASK]),
    a2a3(&[], Constant::published(45.0, TABLE), &[repeats(Constant::published(5.0, TABLE)), MASK]),
    vector_function!(&[16], start 68.7, repeat 3.55, row 2.9),
    vector_function!(&[], start 64.5, repeat 1.91, row 2.9),
]);

/// Exponentials and square roots.
pub(crate) const EXPONENTIAL: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(31.0, FIT), &[repeats(Constant::measured(2.0, FIT)), MASK]),
    vector_function!(&[16], start 65.9, repeat 3.76, row 2.9),
    vector_function!(&[], start 62.7, repeat 1.97, row 2.9),
]);

/// Logarithms.
pub(crate) const LOGARITHM: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(33.0, FIT), &[repeats(Constant::measured(2.0, FIT)), MASK]),
    vector_function!(&[16], start 65.9, repeat 3.76, row 2.9),
    vector_function!(&[], start 62.7, repeat 1.97, row 2.9),
]);

/// Reciprocal square roots.
pub(crate) const RECIPROCAL_ROOT: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(24.0, FIT), &[repeats(Constant::measured(1.07, FIT)), MASK]),
    vector_function!(&[16], start 81.1, repeat 8.11, row 2.9),
    vector_function!(&[], start 75.6, repeat 4.03, row 2.9),
]);

/// Conversions.
pub(crate) const CONVERSION: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::published(32.0, MODEL), &[repeats(Constant::published(2.0, MODEL)), MASK]),
    vector_function!(&[], start 52.3, repeat 1.32, row 1.9),
]);

/// Comparisons and selections by masks.
pub(crate) const SELECTION: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::published(
            3.0,
            "figures with which the vendor compares its model: tsel 1x128 f16 in 19 cycles, 4x64 f32 in 67",
        ),
        &[Term {
            count: Count::Rows,
            cycles: Constant::published(
                16.0,
                "figures with which the vendor compares its model: tsel 1x128 f16 in 19 cycles, 4x64 f32 in 67",
            ),
        }],
    ),
    vector_function!(&[], start 52.5, repeat 2.1, row 1.4),
]);

/// Filling with a scalar, and copies within UB.
pub(crate) const COPY: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::published(24.0, MODEL), &[repeats(Constant::published(1.0, MODEL)), MASK]),
    vector_function!(&[], start 53.1, repeat 1.06, row 2.9),
]);

/// Reductions of rows.
pub(crate) const ROW_REDUCTION: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::published(38.0, TABLE),
        &[
            Term { count: Count::Rows, cycles: Constant::published(7.0, TABLE) },
            Term { count: Count::FurtherRepeats, cycles: Constant::published(1.7, TABLE) },
        ],
    ),
    a5(
        &[],
        Constant::assumed(60.0, "a vector function with the latency of vcadd, 19 to 21 cycles, at its end"),
        &[
            Term {
                count: Count::Rows,
                cycles: Constant::assumed(
                    4.0,
                    "vcadd begins one repeat a cycle; storing one element a row keeps it to this",
                ),
            },
            Term {
                count: Count::FurtherRepeats,
                cycles: Constant::assumed(1.25, "repeats of a row are added as by TADD"),
            },
        ],
    ),
]);

/// Reductions of columns: a dependent instruction for each row.
pub(crate) const COLUMN_REDUCTION: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::published(17.0, TABLE),
        &[
            Term { count: Count::Rows, cycles: Constant::published(17.5, TABLE) },
            Term { count: Count::FurtherRepeats, cycles: Constant::published(2.0, TABLE) },
        ],
    ),
    a5(
        &[],
        Constant::assumed(60.0, "a vector function with a chain of sums"),
        &[repeats(Constant::published(3.0, "a5/VfSim/params/forwarding.csv: VADD to VADD"))],
    ),
]);

/// The first element of each row along the row.
pub(crate) const ROW_EXPANSION: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::published(37.0, TABLE),
        &[
            Term { count: Count::Rows, cycles: Constant::published(14.0, TABLE) },
            Term { count: Count::FurtherRepeats, cycles: Constant::published(1.0, TABLE) },
        ],
    ),
    vector_function!(&[], start 53.1, repeat 1.06, row 2.9),
]);

/// A tile and one element for each row: eight rows are spread at a time, then as two sources.
pub(crate) const WITH_ROW_ELEMENTS: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::assumed(42.0, "the start of vbrcb, 18 cycles, before that of a sum, 24"),
        &[
            repeats(Constant::measured(2.11, FIT)),
            Term {
                count: Count::Rows,
                cycles: Constant::assumed(0.25, "vbrcb spreads eight elements in two cycles"),
            },
            MASK,
        ],
    ),
    vector_function!(&[], start 55.1, repeat 1.25, row 2.9),
]);

/// A tile and one element for each column: the row is a source of every repeat.
pub(crate) const WITH_COLUMN_ELEMENTS: Cost = TWO_SOURCES;

/// Exponentials of differences.
pub(crate) const EXPONENTIAL_OF_DIFFERENCE: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::assumed(73.0, "the start of the difference, 42 cycles, before that of the exponential, 31"),
        &[
            repeats(Constant::measured(4.11, FIT)),
            Term {
                count: Count::Rows,
                cycles: Constant::assumed(0.25, "vbrcb spreads eight elements in two cycles"),
            },
            MASK,
        ],
    ),
    vector_function!(&[], start 62.7, repeat 3.0, row 2.9),
]);

/// Transpositions.
pub(crate) const TRANSPOSITION: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::assumed(24.0, "the start of a copy"),
        &[repeats(Constant::published(
            1.96,
            "figures with which the vendor compares its model: ttrans 128x128 f32 in 501 cycles",
        ))],
    ),
    a5(
        &[],
        Constant::assumed(60.0, "a vector function"),
        &[repeats(Constant::assumed(4.0, "gathers of 16 rows: a quarter of the rate of copies"))],
    ),
]);

/// Gathers and scatters within tiles.
pub(crate) const GATHER: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::measured(26.0, FIT),
        &[Term {
            count: Count::Rows,
            cycles: Constant::measured(
                46.6,
                "pto-isa cce_costmodel_vector_compute.hpp: a row with its product and barrier, 910B3",
            ),
        }],
    ),
    a5(
        &[],
        Constant::published(
            60.0,
            "PTOAS docs/isa/micro-isa/03-vector-load-store.md: a gather takes 27 to 28 cycles",
        ),
        &[repeats(Constant::assumed(8.0, "eight elements a cycle"))],
    ),
]);

/// Sorts of blocks of 32 pairs.
pub(crate) const SORT: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::assumed(24.0, "the start of a vector instruction"),
        &[repeats(Constant::assumed(32.0, "a block of 32 takes as many cycles as it has elements"))],
    ),
    a5(
        &[],
        Constant::assumed(60.0, "a vector function"),
        &[repeats(Constant::assumed(32.0, "a block of 32 takes as many cycles as it has elements"))],
    ),
]);

/// Merges of sorted lists.
pub(crate) const MERGE: Cost = Cost::Cycles(&[
    a2a3(&[], Constant::measured(20.0, FIT), &[repeats(Constant::measured(19.5, MERGED))]),
    a5(&[], Constant::assumed(60.0, "a vector function"), &[repeats(Constant::assumed(19.5, "as on A2/A3"))]),
]);

/// Several vector instructions in one: quantization, histograms, random numbers, remainders, powers.
pub(crate) const SEVERAL: Cost = Cost::Cycles(&[
    a2a3(
        &[],
        Constant::assumed(80.0, "a chain of about three instructions"),
        &[repeats(Constant::assumed(10.0, "about five instructions of two cycles for each repeat")), MASK],
    ),
    a5(
        &[],
        Constant::assumed(80.0, "a vector function of about five instructions"),
        &[repeats(Constant::assumed(6.0, "about five instructions for each repeat"))],
    ),
]);

/// Products of matrices: a head for each instruction, then the fractals.
pub(crate) const MATRIX_PRODUCT: Cost = Cost::Cycles(&[
    matrix(A2A3_ONLY, &[32], &[HEAD, fractals(Constant::measured(2.0, SWEEP))]),
    matrix(A2A3_ONLY, &[], &[HEAD, fractals(Constant::measured(1.0, SWEEP))]),
    matrix(A5_ONLY, &[32], &[HEAD_A5, fractals(Constant::published(8.0, SWEEP_A5))]),
    matrix(A5_ONLY, &[], &[HEAD_A5, fractals(Constant::published(1.0, SWEEP_A5))]),
]);

const HEAD: Term = Term { count: Count::Once, cycles: Constant::measured(21.0, SWEEP) };
const HEAD_A5: Term = Term { count: Count::Once, cycles: Constant::published(25.0, SWEEP_A5) };

const fn fractals(cycles: Constant) -> Term {
    Term { count: Count::Fractals, cycles }
}

const fn matrix(profiles: &'static [Profile], bits: &'static [u32], terms: &'static [Term]) -> Formula {
    Formula { profiles, bits, start: Constant::assumed(0.0, "the sweeps count it in the head"), terms }
}
