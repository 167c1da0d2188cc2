//! Lowering: selects the fastest result of the passes, and verifies it.
//!
//! Each result of [`lower`](pto_lang::passes::lower()) is right. The fastest result depends on the program and its
//! device. So [`lower`] makes a bounded number of them ([`Choices::ALL`]), times each on one launch by the
//! [timeline](crate::timeline), and keeps the fastest; of equal results the first. The launch has the given inputs; all
//! others are those of the first launch of [`verify`]. If it does not run, or takes too many steps, the static price of
//! each program decides ([`Lowered::price`]).
//!
//! At the end the program is verified against its source, within bounded steps. A rejection is a fault of a pass: it is
//! an error, not a result.

mod fastest;
mod timer;

use crate::data::{DataError, Failure, Files, Input};
use crate::prove::{Property, Verdict, Verification, VerifyOptions, verify};
use fastest::fastest;
use pto_isa::Profile;
use pto_isa::device::Device;
use pto_lang::Checked;
use pto_lang::passes::{Choices, LowerOptions, Lowered};
use pto_machine::Program;
pub use timer::Timer;

/// Bounds of a verification: tile instructions and bytes of all its launches, and by default steps of one.
const MOST_INSTRUCTIONS: u64 = 2_000;
const MOST_BYTES: u64 = 64 << 20;
const MOST_STEPS: u64 = 20_000;

/// How [`lower`] lowers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoweringOptions {
    /// The passes. Their choices are those of the fastest result.
    pub passes: LowerOptions,
    /// The device; the usual one of the program's profile if `None`.
    pub device: Option<Device>,
    /// Inputs of the timed launch and of the compared launches; all others are generated.
    pub inputs: Vec<Input>,
    /// Number of blocks of these launches.
    pub blocks: Option<u32>,
    /// Whether the result is verified.
    pub verify: bool,
    /// Maximum number of steps of a block in the launches of the verification.
    pub most_steps: u64,
}

impl Default for LoweringOptions {
    fn default() -> LoweringOptions {
        let (passes, device, inputs) = (LowerOptions::default(), None, Vec::new());
        LoweringOptions { passes, device, inputs, blocks: None, verify: true, most_steps: MOST_STEPS }
    }
}

/// A lowered program, the reason for its selection, and the state of its verification.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowering {
    /// The program, and a report on the passes.
    pub lowered: Lowered,
    /// Choices of the passes.
    pub choices: Choices,
    /// The comparison by time; `None` if all choices make one program, or if no launch could be timed.
    pub fastest: Option<Fastest>,
    /// Reason why equivalence to the source is unknown, as a sentence; `None` if the program was accepted, or not
    /// verified.
    pub unknown: Option<String>,
}

/// The fastest of several programs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fastest {
    /// The name of the device.
    pub device: String,
    /// Time of the program in microseconds.
    pub microseconds: f64,
    /// The programs that were timed.
    pub candidates: usize,
}

/// Lowers a program: the fastest result of the passes that is known, verified against the program.
///
/// # Errors
/// If tiles do not fit their buffers; inputs that do not fit the program. A result that computes something else is an error too, with the
/// findings of its verification.
///
/// ```
/// use pto::lowering::{LoweringOptions, lower};
///
/// let text = "module attributes {pto.target_arch = \"a3\"} {
/// func.func @main(%x: f32, %y: !pto.ptr<f32>) {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   %c64 = arith.constant 64 : index
///   %v = pto.make_tensor_view %y, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
///   %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<1x64xf32> -> !pto.partition_tensor_view<1x64xf32>
///   %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
///   pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
///   pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%p : !pto.partition_tensor_view<1x64xf32>)
///   return
/// }
/// }";
/// let checked = pto::check(pto::parse(text)?.module, None)?;
/// let lowering = lower(&checked, &LoweringOptions::default(), &pto::data::NoFiles).expect("it fits");
/// assert_eq!((lowering.lowered.insertions.len(), lowering.unknown), (1, None));
/// # Ok::<(), Vec<pto::diag::Diagnostic>>(())
/// ```
pub fn lower(checked: &Checked, options: &LoweringOptions, files: &dyn Files) -> Result<Lowering, Failure> {
    let mut lowering = fastest(checked, options, files)?;
    // A program without synchronization is not final, so it is not verified.
    if options.verify && options.passes.synchronize.is_some() {
        let lowered = pto_lang::check(lowering.lowered.module.clone(), profile(checked))?;
        lowering.unknown = compare(checked, &lowered, options, files)?;
    }
    Ok(lowering)
}

/// The profile of a program: that of its first function.
fn profile(checked: &Checked) -> Option<Profile> {
    checked.module().functions.iter().map(|(id, _)| checked.profile(id)).next()
}

impl LoweringOptions {
    /// The comparison of a result with its source.
    fn comparison(&self) -> VerifyOptions {
        let mut options = VerifyOptions::default();
        (options.inputs, options.blocks) = (self.inputs.clone(), self.blocks);
        (options.most_instructions, options.most_steps) = (MOST_INSTRUCTIONS, self.most_steps);
        // Watchers find in program order the errors that other schedules would show.
        (options.most_bytes, options.schedules) = (MOST_BYTES, false);
        options
    }
}

/// Compares a program that any tool has lowered with its source, within bounded steps. Returns the reason why equivalence
/// is unknown; `None` if the program is accepted.
///
/// # Errors
/// Findings of the lowered program; inputs that do not fit the source.
pub fn compare(
    source: &Checked,
    lowered: &Checked,
    options: &LoweringOptions,
    files: &dyn Files,
) -> Result<Option<String>, Failure> {
    let kernels = Program::kernels(source.module());
    if kernels.is_empty() {
        return Ok(Some("the program has no kernel that could be launched".to_owned()));
    }
    let mut unknown = None;
    for entry in kernels {
        let decode = |program: &Checked| Program::decode(program, Some(&entry));
        let (first, second) = (decode(source)?, decode(lowered)?);
        match verify(&first, &second, &options.comparison(), files) {
            Ok(found) if found.verdict() == Verdict::Rejected => return Err(found.findings().into()),
            Ok(found) => unknown = unknown.or_else(|| why(&found).map(|why| format!("@{entry}: {why}"))),
            // Inputs are those of one kernel.
            Err(error) if options.inputs.is_empty() => return Err(error.into()),
            Err(DataError { message, .. }) => unknown = Some(format!("@{entry}: {message}")),
        }
    }
    Ok(unknown)
}

/// Why a verification has no verdict.
fn why(found: &Verification) -> Option<String> {
    found.properties.iter().find_map(|(property, outcome)| match outcome {
        crate::prove::Outcome::Unknown(why) => Some(match property {
            Property::Coverage => format!("{why} in generated launches"),
            _ => why.clone(),
        }),
        _ => None,
    })
}
