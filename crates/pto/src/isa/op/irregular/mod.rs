//! Irregular and complex: sorting, counting, random numbers, quantization.

mod affine;
mod shared;

use super::Instruction;
use super::elementwise::list;

list!(
    tdequant::TDEQUANT,
    thistogram::THISTOGRAM,
    tmrgsort::TMRGSORT,
    tquant::TQUANT,
    tquant_mx::TQUANT_MX,
    trandom::TRANDOM,
    tsort32::TSORT32,
);
