//! Between global memory and tiles.

mod window;

use super::Instruction;
use super::elementwise::list;

list!(tload::TLOAD, tstore::TSTORE);
