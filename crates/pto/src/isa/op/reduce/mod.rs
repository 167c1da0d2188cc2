//! Rows or columns of a tile to one element each.

mod family;

use super::Instruction;
use super::elementwise::list;

list!(
    tcolmax::TCOLMAX,
    tcolmin::TCOLMIN,
    tcolprod::TCOLPROD,
    tcolsum::TCOLSUM,
    trowmax::TROWMAX,
    trowmin::TROWMIN,
    trowprod::TROWPROD,
    trowsum::TROWSUM,
);
