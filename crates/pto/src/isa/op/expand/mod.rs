//! A row or a column spread over a tile, alone or against a full tile.

mod column;
mod pictures;
mod row;
mod row_rules;
mod spread;

use super::Instruction;
use super::elementwise::list;

list!(
    super::reduce::END;
    tcolexpand::TCOLEXPAND,
    tcolexpandadd::TCOLEXPANDADD,
    tcolexpanddiv::TCOLEXPANDDIV,
    tcolexpandexpdif::TCOLEXPANDEXPDIF,
    tcolexpandmax::TCOLEXPANDMAX,
    tcolexpandmin::TCOLEXPANDMIN,
    tcolexpandmul::TCOLEXPANDMUL,
    tcolexpandsub::TCOLEXPANDSUB,
    trowexpand::TROWEXPAND,
    trowexpandadd::TROWEXPANDADD,
    trowexpanddiv::TROWEXPANDDIV,
    trowexpandexpdif::TROWEXPANDEXPDIF,
    trowexpandmax::TROWEXPANDMAX,
    trowexpandmin::TROWEXPANDMIN,
    trowexpandmul::TROWEXPANDMUL,
    trowexpandsub::TROWEXPANDSUB,
);
