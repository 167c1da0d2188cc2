//! Kernels for a command, from the program that `pto run kernel.cpp` makes, or from a shared object ([`crate::loaded`]).
//!
//! Names and parameters of the kernels come from the symbols and the debug information of the file; the arguments are the
//! memory of the command, used in place.
#![allow(unsafe_code)]

use crate::abi::pto_cores;
use crate::host::Found;
use crate::invoke::{Arguments, IS_SUPPORTED, MOST_FLOATS, MOST_INTEGERS};
use crate::lines::module::Function;
use crate::lines::parameters::{Number, ParameterType as Described};
use crate::lines::{Lines, TWIN};
use crate::redirected::Redirected;
use crate::session::{self, Misuse, Request, Session, with_session};
use crate::{cores, findings};
use pto::data::DataError;
use pto::sim::{Options, Value};
use pto_cli::linked::{Ended, Kernel, Kernels, Parameter, ParameterType, RENAMED_MAIN, Wanted};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A function of the program that calls another one with a closure, and catches exceptions.
pub(crate) type Guard = unsafe extern "C" fn(unsafe extern "C-unwind" fn(*mut c_void), *mut c_void);

/// The kernels of this program, or of a shared object.
pub(crate) struct Linked {
    pub(crate) target: String,
    pub(crate) cores: u32,
    pub(crate) guard: Guard,
}

/// Held during a launch: a process runs one at a time.
static LAUNCHES: Mutex<()> = Mutex::new(());

impl Kernels for Linked {
    fn of_source(&self, source: &Path) -> Vec<Kernel> {
        let Ok(source) = source.canonicalize() else { return Vec::new() };
        // The file of a shared object may be gone: the session keeps it.
        with_session(|session| self.defined(&source, session.lines.get_or_insert_with(Lines::of_process)))
    }

    fn target(&self) -> &str {
        &self.target
    }

    fn has_synchronization(&self) -> bool {
        self.cores & pto_cores::PTO_AUTOMATIC as u32 == 0
    }

    fn run(
        &self,
        source: &Path,
        kernel: &Kernel,
        mut values: Vec<Value>,
        options: &Options,
        wanted: &Wanted,
    ) -> Result<Ended, DataError> {
        let _launch = LAUNCHES.lock().unwrap_or_else(PoisonError::into_inner);
        let before: Vec<u64> = contents(&values).map(hash).collect();
        let mut call = self.ask(kernel, &mut values, options, wanted)?;
        let launch = self.launch(&mut call, options);
        let redirected = wanted.is_report.then(Redirected::new);
        let launched = cores::launch(&launch);
        findings::flush();
        drop(redirected);
        launched.map_err(|Misuse(sentence)| DataError::new(sentence))?;
        let ended = with_session(|session| session.ended(source));
        let mut ended = ended.ok_or_else(|| DataError::new("the launch has not begun"))?;
        if let Ok((outcome, _)) = &mut ended.result {
            // Assignments of C++ write without an instruction.
            let changed: Vec<bool> =
                contents(&values).zip(before).map(|(bytes, before)| hash(bytes) != before).collect();
            let bytes = values.into_iter().filter_map(|value| match value {
                Value::Buffer { bytes } => Some(bytes),
                _ => None,
            });
            for ((buffer, bytes), changed) in outcome.buffers.iter_mut().zip(bytes).zip(changed) {
                (buffer.bytes, buffer.written) = (bytes, buffer.written || changed);
            }
        }
        Ok(ended)
    }

    fn time(
        &self,
        source: &Path,
        kernel: &Kernel,
        mut values: Vec<Value>,
        options: &Options,
        most: usize,
        longest: f64,
    ) -> Result<Vec<f64>, DataError> {
        let _launch = LAUNCHES.lock().unwrap_or_else(PoisonError::into_inner);
        let mut call = self.ask(kernel, &mut values, options, &Wanted::default())?;
        let launch = self.launch(&mut call, options);
        let (mut times, mut ends) = (Vec::new(), true);
        while ends && (times.is_empty() || times.len() < most && times.iter().sum::<f64>() < longest) {
            let start = Instant::now();
            ends = cores::launch(&launch).map_err(|Misuse(sentence)| DataError::new(sentence))?;
            times.push(start.elapsed().as_nanos() as f64);
        }
        let ended = with_session(|session| session.ended(source));
        match ended.map(|ended| ended.result) {
            Some(Err(findings)) => {
                let first = findings.first().map_or_else(String::new, |finding| finding.message.clone());
                Err(DataError::new(first))
            }
            _ => Ok(times),
        }
    }
}

impl Linked {
    /// Makes the next launches belong to a command, on these values. Returns the call of the kernel.
    fn ask(
        &self,
        kernel: &Kernel,
        values: &mut [Value],
        options: &Options,
        wanted: &Wanted,
    ) -> Result<Call, DataError> {
        with_session(Session::renew);
        let parameters = kernel.parameters.as_deref().unwrap_or_default();
        let (arguments, buffers) = arguments(parameters, values, options)?;
        with_session(|session| session.ask(Request::new(options, wanted, buffers)));
        Ok(Call { kernel: kernel.address, arguments, guard: self.guard })
    }

    /// The launch that calls a kernel.
    fn launch(&self, call: &mut Call, options: &Options) -> cores::Launch<'_> {
        cores::Launch {
            blocks: options.blocks,
            target: &self.target,
            cores: self.cores,
            run: call_kernel,
            closure: std::ptr::from_mut(call).cast(),
        }
    }

    /// The kernels that a source file itself defines.
    fn defined(&self, source: &Path, lines: &mut Lines) -> Vec<Kernel> {
        let functions = lines.functions(self.guard as usize as u64).into_iter().filter(is_kernel);
        let functions: BTreeMap<u64, Function> =
            functions.map(|function| (function.address, function)).collect();
        let in_source = |lines: &mut Lines, address: u64| {
            let frames = lines.frames(address);
            let file = frames.last().and_then(|frame| frame.file.as_ref());
            file.and_then(|file| Path::new(file).canonicalize().ok()).is_some_and(|file| file == source)
        };
        let mut kernels = Vec::new();
        for (address, function) in functions {
            if in_source(lines, address) {
                let parameters = lines.parameters(address);
                let parameters = parameters.map(|list| list.into_iter().map(parameter).collect());
                kernels.push(Kernel { name: function.name, address: address as usize, parameters });
            }
        }
        kernels
    }
}

/// The contents of the buffers among values.
fn contents(values: &[Value]) -> impl Iterator<Item = &[u8]> {
    values.iter().filter_map(|value| match value {
        Value::Buffer { bytes } => Some(&**bytes),
        _ => None,
    })
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Whether a function may be a kernel: the host can call it, and it is neither `main` nor the half of another for cube cores.
fn is_kernel(function: &Function) -> bool {
    function.is_external
        && !function.symbol.ends_with(TWIN)
        && function.name != "main"
        && function.name != RENAMED_MAIN
}

/// Converts a parameter to the command's form.
fn parameter(described: crate::lines::parameters::Parameter) -> Parameter {
    let is_const = matches!(described.ty, Described::Pointer { is_const: true, .. });
    let ty = match described.ty {
        Described::Pointer { element: Some(Number::Element(element)), .. } => {
            ParameterType::Pointer(Some(element))
        }
        Described::Pointer { .. } => ParameterType::Pointer(None),
        Described::Scalar(Number::Element(element)) => ParameterType::Number(element),
        Described::Scalar(Number::Bool) => ParameterType::Bool,
        Described::Scalar(Number::F64) => ParameterType::Other("double".to_owned()),
        Described::Other(name) => ParameterType::Other(name),
    };
    Parameter { name: described.name, ty, is_const }
}

/// The arguments of a call with these values, and the buffers among them. A buffer is the memory of its value.
fn arguments(
    parameters: &[Parameter],
    values: &mut [Value],
    options: &Options,
) -> Result<(Arguments, Vec<Found>), DataError> {
    if !IS_SUPPORTED {
        return Err(DataError::new("kernels in C++ are called on Linux on x86-64 and 64-bit ARM only")
            .with_help("give the source a `main` that launches the kernel, and compile it with `pto c++`"));
    }
    let (mut arguments, mut buffers) = (Arguments::default(), Vec::new());
    for (at, (parameter, value)) in parameters.iter().zip(values).enumerate() {
        let bits = match value {
            Value::Buffer { bytes } => {
                let written = !options.blank.contains(&(0, at));
                let found = Found::of_argument(&parameter.name, bytes.to_mut(), written);
                buffers.push(found);
                buffers.last().map_or(0, |found| found.start as u64)
            }
            Value::Scalar(bits) => *bits,
            _ => 0,
        };
        if !arguments.push(&parameter.ty, bits) {
            return Err(DataError::new(format!(
                "the kernel has too many parameters: at most {MOST_INTEGERS} integers and pointers and {MOST_FLOATS} floats can be passed"
            )));
        }
    }
    Ok((arguments, buffers))
}

/// A kernel with its arguments.
struct Call {
    kernel: usize,
    arguments: Arguments,
    guard: Guard,
}

/// Calls the kernel on the core of this thread.
unsafe extern "C" fn call_kernel(closure: *mut c_void) {
    // SAFETY: the closure is a call, which lives as long as its launch.
    unsafe {
        let call = &*closure.cast::<Call>();
        (call.guard)(call_unguarded, closure);
    }
}

/// Calls the kernel. An exception passes this frame, which has nothing to release.
unsafe extern "C-unwind" fn call_unguarded(closure: *mut c_void) {
    // SAFETY: as above.
    let call = unsafe { &*closure.cast::<Call>() };
    let function = cores::entry(call.kernel).unwrap_or_else(|misuse| session::fail(&misuse.0));
    // SAFETY: the arguments are those of the parameters that debug information describes.
    unsafe { call.arguments.call(function) };
}
