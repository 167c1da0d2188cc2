//! C++ kernels: preparation of sources for an ordinary C++ compiler.
//!
//! Kernels are written for the vendor's compiler. An ordinary compiler needs our headers (`cpp/include`), the macros that
//! the vendor's compiler defines, calls in place of launches, and our library at link time. The headers handle all other
//! differences.
//!
//! | module | contents |
//! |---|---|
//! | `tokens`, [`launches`] | launches rewritten as calls, as a function on texts |
//! | `includes` | the headers beside a source, which a recorded case also contains |
//! | `rewritten` | files with launches, rewritten into a temporary folder |
//! | `arguments` | the roles of the compiler's arguments |
//! | `cores` | target and kind of cores, and their macros |
//! | `compiler`, `home` | the compiler of the host; the folders of headers and library |

pub(crate) mod arguments;
pub(crate) mod compiler;
pub(crate) mod cores;
pub(crate) mod home;
pub(crate) mod includes;
pub mod launches;
pub(crate) mod rewritten;
pub(crate) mod tokens;
