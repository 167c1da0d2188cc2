//! C++ kernels: what stands between a source and an ordinary C++ compiler.
//!
//! Kernels are written for the vendor's compiler. An ordinary one needs our headers (`cpp/include`), the macros that the vendor's compiler
//! defines, calls in place of launches, and the library at the end. Everything else that differs is the headers' part.
//!
//! | module | contents |
//! |---|---|
//! | `tokens`, [`launches`] | launches rewritten as calls, as a function on texts |
//! | `includes` | the headers beside a source, which a recorded case has too |
//! | `rewritten` | files with launches, rewritten into a temporary folder |
//! | `arguments` | the roles of the compiler's arguments |
//! | `cores` | target and kind of cores, and the macros that say so |
//! | `compiler`, `home` | the compiler of the host; the folders of headers and library |

pub(crate) mod arguments;
pub(crate) mod compiler;
pub(crate) mod cores;
pub(crate) mod home;
pub(crate) mod includes;
pub mod launches;
pub(crate) mod rewritten;
pub(crate) mod tokens;
