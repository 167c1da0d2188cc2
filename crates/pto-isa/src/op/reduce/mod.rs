//! Reductions of each row or column of a tile to one element.

mod arg;
mod columns;
mod family;
mod pictures;
mod rows;
mod tpairreducesum;

use super::tables::list;

list!(
    super::scalar::END;
    arg::TCOLARGMAX,
    arg::TCOLARGMIN,
    columns::TCOLMAX,
    columns::TCOLMIN,
    columns::TCOLPROD,
    columns::TCOLSUM,
    tpairreducesum::TPAIRREDUCESUM,
    arg::TROWARGMAX,
    arg::TROWARGMIN,
    rows::TROWMAX,
    rows::TROWMIN,
    rows::TROWPROD,
    rows::TROWSUM,
);
