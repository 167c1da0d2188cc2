//! Kernels in shared objects that this process loads, as the package for Python does.
//!
//! An object is linked with the library that loads it, so that its calls come back here. It is never unloaded: a core that a finding stopped
//! sleeps in its code until the process ends. Its file may be removed.
#![allow(unsafe_code)]

use crate::linked::{Guard, Linked};
use pto::data::DataError;
use pto_cli::linked::Kernels;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::transmute;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
}

/// `RTLD_NOW`: a function that is missing is an error of the load, not of a call.
const NOW: c_int = 2;

/// Loads the shared object of a kernel.
///
/// # Errors
/// A file that cannot be loaded, such as one that lacks a function of the host; one that `pto_cli` has not compiled for this.
pub fn load(object: &Path) -> Result<impl Kernels + Send + use<>, DataError> {
    let failed = || {
        // SAFETY: the text is null or ends with a zero byte, and lives until the next call of these functions.
        let text =
            unsafe { dlerror().as_ref().map(|text| CStr::from_ptr(text).to_string_lossy().into_owned()) };
        DataError::new(format!("the kernel cannot be loaded: {}", text.unwrap_or_default()))
    };
    let path = CString::new(object.as_os_str().as_bytes())
        .map_err(|_| DataError::new("a path has no zero bytes"))?;
    // SAFETY: initializers of the object run, as those of each program that the user starts.
    let library = unsafe { dlopen(path.as_ptr(), NOW) };
    if library.is_null() {
        return Err(failed());
    }
    let symbol = |name: &CStr| {
        // SAFETY: the library is open, and the name ends with a zero byte.
        let address = unsafe { dlsym(library, name.as_ptr()) };
        if address.is_null() { Err(failed()) } else { Ok(address) }
    };
    let (guard, target, cores) =
        (symbol(c"pto_guarded")?, symbol(c"pto_target_of_file")?, symbol(c"pto_cores_of_file")?);
    // SAFETY: the compilation has added functions of these names with these types.
    unsafe {
        let target = transmute::<*mut c_void, extern "C" fn() -> *const c_char>(target)();
        let target = CStr::from_ptr(target).to_string_lossy().into_owned();
        let cores = transmute::<*mut c_void, extern "C" fn() -> u32>(cores)();
        Ok(Linked { target, cores, guard: transmute::<*mut c_void, Guard>(guard) })
    }
}
