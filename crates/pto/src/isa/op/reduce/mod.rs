//! Rows or columns of a tile to one element each.

mod arg;
mod family;

use super::Instruction;
use super::elementwise::list;

list!(
    super::scalar::END;
    tcolargmax::TCOLARGMAX,
    tcolargmin::TCOLARGMIN,
    tcolmax::TCOLMAX,
    tcolmin::TCOLMIN,
    tcolprod::TCOLPROD,
    tcolsum::TCOLSUM,
    tpairreducesum::TPAIRREDUCESUM,
    trowargmax::TROWARGMAX,
    trowargmin::TROWARGMIN,
    trowmax::TROWMAX,
    trowmin::TROWMIN,
    trowprod::TROWPROD,
    trowsum::TROWSUM,
);
