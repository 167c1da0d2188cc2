//! Expansions: a row or column repeated over a tile, alone or combined with a full tile.

mod column;
mod columns;
mod pictures;
mod row;
mod row_rules;
mod rows;
mod spread;

use super::tables::list;

list!(
    super::reduce::END;
    spread::TCOLEXPAND,
    columns::TCOLEXPANDADD,
    columns::TCOLEXPANDDIV,
    columns::TCOLEXPANDEXPDIF,
    columns::TCOLEXPANDMAX,
    columns::TCOLEXPANDMIN,
    columns::TCOLEXPANDMUL,
    columns::TCOLEXPANDSUB,
    spread::TROWEXPAND,
    rows::TROWEXPANDADD,
    rows::TROWEXPANDDIV,
    rows::TROWEXPANDEXPDIF,
    rows::TROWEXPANDMAX,
    rows::TROWEXPANDMIN,
    rows::TROWEXPANDMUL,
    rows::TROWEXPANDSUB,
);
