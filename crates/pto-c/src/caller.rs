//! Memory of the caller of the interface: texts of forms, objects to which words of a call point.
#![allow(unsafe_code)]

use crate::abi::pto_form;
use std::ffi::CStr;

/// The text at a pointer that a caller passes; `None` for a null pointer.
pub(crate) fn c_text(pointer: *const std::ffi::c_char) -> Option<String> {
    // SAFETY: texts of callers end with a zero byte.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

pub(crate) fn pattern(form: &pto_form) -> Option<String> {
    c_text(form.pattern)
}

/// The texts of a form.
pub(crate) fn texts(form: &pto_form) -> Vec<String> {
    let count = if form.texts.is_null() { 0 } else { form.count as usize };
    // SAFETY: the form has `count` texts.
    (0..count).filter_map(|at| c_text(unsafe { *form.texts.add(at) })).collect()
}

/// An object of the caller to which a word of a call points.
pub(crate) fn object<T: Copy>(word: u64) -> Option<T> {
    let pointer = word as usize as *const T;
    // SAFETY: the headers pass pointers to objects that live during the call.
    (!pointer.is_null()).then(|| unsafe { pointer.read() })
}
