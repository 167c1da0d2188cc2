//! Rules of launches, and of runs that stop early.

use crate::profile::Profile;
use crate::rule::{Rule, Severity};

const MACHINE: &str = "ARCHITECTURE.md, Invariants";
const SHELL: &str = "https://mlir.llvm.org/docs/Dialects";
const VIEWS: &str = "docs/isa/programming-model";
const SEMANTICS: &str = "docs/isa/tile/ops";

family! {
    /// Launch arguments that do not match the function.
    ARGUMENTS = Rule::of("", "arguments",
        "A launch gives each rank one value for each argument, and the same number of buffers.", MACHINE)
        .because("An argument without a value has no contents.")
        .instead("Give one value for each argument; `pto run --help` tells how to write them.");

    /// A launch without an entry function, or with several candidates.
    ENTRY = Rule::of("", "entry",
        "The file contains the function to run; if it contains several, the launch names one.", MACHINE)
        .because("Without a name the kernel is ambiguous.")
        .instead("Name the function with `--entry`.");

    /// A cube and a vector function of a kernel with different arguments.
    KERNEL_ARGUMENTS = Rule::of("kernel", "arguments",
        "The functions for cube and vector cores of one kernel take the same arguments.", MACHINE)
        .because("One launch gives both functions their arguments.")
        .instead("Declare the same argument types in both functions.");

    /// Contents of an argument that do not fit it.
    INPUT = Rule::of("launch", "input",
        "A launch gives every scalar; the contents of a buffer have its element type and enough elements.", MACHINE)
        .because("The kernel would read other bytes than the caller means, or none.")
        .instead("Give the argument a number, an array of its type, or a generator such as `randn:16x32`.");

    /// A live launch that is driven in another order than it has.
    LIVE = Rule::of("launch", "live",
        "A launch that is driven call by call begins its blocks in order, calls each part with the part's arguments on a \
         core that has not ended, and ends every core.", MACHINE)
        .because("A call on a core that does not run, or with other values, has no meaning.")
        .instead("Begin the launch and its blocks before the first call, and compare the arguments with the function of the part.");

    /// A result that nothing wrote.
    UNWRITTEN = Rule::of("launch", "unwritten",
        "An argument that is saved or compared after a run has been written by the run.", MACHINE)
        .because("The result of the kernel is still in a tile, or in another argument.")
        .instead("Store the result to a view of the argument.")
        .weighing(&[(Severity::Lint, &Profile::ALL)]);

    /// An array of another shape than the view that reads it.
    SHAPE = Rule::of("launch", "shape",
        "An array has the shape of the view that reads it, except for merged dimensions.", MACHINE)
        .because("A transposed array has as many elements, and other values at each index.")
        .instead("Save the array in the view's shape, or correct shape and strides of the view.")
        .weighing(&[(Severity::Lint, &Profile::ALL)]);

    /// An array with more elements than the views of its argument reach.
    EXCESS = Rule::of("launch", "excess",
        "Views whose extents are constants reach all elements of the array that is given for their argument.", MACHINE)
        .because("The kernel was written for a smaller array, and leaves the rest as it is.")
        .instead("Give an array of the views' extents, or correct the extents.")
        .weighing(&[(Severity::Lint, &Profile::ALL)]);

    /// Too many steps.
    MAX_STEPS = Rule::of("", "max-steps", "A run ends within the number of steps that it is given.", MACHINE)
        .because("An endless loop would never return.")
        .instead("Check the loop's condition and step, or allow more steps with `--max-steps`.");

    /// A loop that repeats its state.
    ENDLESS_LOOP = Rule::of("", "endless-loop",
        "A loop ends, or changes a value in some round.", MACHINE)
        .because("After a round that leaves registers, tiles, memory and flags as they were, the same round follows forever.")
        .instead("Change in the body what the condition of the loop reads, or have another core set the signal that the loop waits for.");

    /// Too much time.
    MAX_SECONDS = Rule::of("", "max-seconds", "A run ends within the time that it is given.", MACHINE)
        .because("Without a limit a long run would block its caller.")
        .instead("Use fewer blocks or smaller arrays, or allow more time with `--max-seconds`.");

    /// A launch that was stopped from outside.
    STOPPED = Rule::of("", "stopped", "A launch whose results are used is not stopped from outside.", MACHINE)
        .because("The buffers hold only the results of the work before the stop.")
        .instead("Launch it again, or use fewer blocks or smaller arrays.");

    /// A division by zero.
    DIVISION_BY_ZERO = Rule::of("", "division-by-zero",
        "The divisor of an integer division or remainder is not zero.", SHELL)
        .because("The quotient is undefined, and differs from device to device.")
        .instead("Replace zero divisors before the division, for instance with TSEL or `arith.select`.");

    /// A loop step that is not positive.
    LOOP_STEP = Rule::of("", "loop-step", "The step of a loop is positive.", SHELL)
        .because("With a step of zero the loop has no end; negative steps are undefined.")
        .instead("Write a positive step, and count down by subtraction in the body.");

    /// Calls nested too deeply.
    CALL_DEPTH = Rule::of("", "call-depth", "Functions do not call themselves, and calls are nested at most 256 deep.", MACHINE)
        .because("Cores have no stack for recursion.")
        .instead("Replace the recursion by a loop.")
        .weighing(&[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)]);

    /// A result other than the expected one.
    MISMATCH = Rule::of("expect", "mismatch",
        "After a run, each argument that is compared has the expected values, within the tolerance.", "docs/ci.md")
        .because("The program computes something else than its reference, or rounds in another order.")
        .instead("Look at the first value that differs and the instruction that wrote it, with `--dump`; or allow rounding with `--atol`, `--rtol` or `--ulp`.");

    /// Findings beyond the limit.
    MORE = Rule::of("watch", "more", "A run has no more findings than are shown.", MACHINE)
        .because("The findings after the first ones are often consequences.")
        .instead("Correct the findings that are shown, or show more with `--max-reports`.");
}

/// An access outside of a buffer in global memory.
pub static OUT_OF_BOUNDS: Rule =
    Rule::new("out-of-bounds", "Accesses to global memory lie within the buffer of their argument.", VIEWS)
        .because("On a device they read or overwrite memory of somebody else, or stop the kernel.")
        .instead("Correct offsets and extents of the view, or give the argument a larger buffer.");

/// Operands with which the instruction cannot run.
pub static RUN: Rule =
    Rule::new("run", "The operands fit each other with the values that they have at run time.", SEMANTICS)
        .because("The instruction is not defined for such values.")
        .instead("Keep offsets, indices and valid regions within their tiles.");
