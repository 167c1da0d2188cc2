//! Layout and rearrangement: the same elements in another place.

mod blocks;
mod fixpipe_rules;
mod img2col;
mod indexed;
mod interleaving;
mod moving;
mod set_quant;
mod tconcat;
mod tconcatidx;
mod tdeinterleave;
mod textract;
mod textract_rules;
mod textract_two;
mod tfillpad;
mod tinsert;
mod tinterleave;
mod tmov;
mod tmov_rules;
mod tpack;
mod transfer_rules;
mod treshape;
mod ttrans;
mod ttrans_conv;
mod zz;
mod zz_rules;

use super::Instruction;

/// The instructions of this set, by name.
pub(super) const LIST: &[&dyn Instruction] = &[
    &img2col::SETFMATRIX,
    &img2col::SET_IMG2COL_PADDING,
    &img2col::SET_IMG2COL_RPT,
    &set_quant::SET_QUANT_SCALAR,
    &set_quant::SET_QUANT_VECTOR,
    &tconcat::TCONCAT,
    &tconcatidx::TCONCATIDX,
    &tdeinterleave::TDEINTERLEAVE,
    &textract::TEXTRACT,
    &textract::TEXTRACT_FP,
    &tfillpad::TFILLPAD,
    &tfillpad::TFILLPAD_EXPAND,
    &tfillpad::TFILLPAD_INPLACE,
    &img2col::TIMG2COL,
    &tinsert::TINSERT,
    &tinsert::TINSERT_FP,
    &tinterleave::TINTERLEAVE,
    &tmov::TMOV,
    &tmov::TMOV_FP,
    &tpack::TPACK,
    &treshape::TRESHAPE,
    &ttrans::TTRANS,
];

crate::isa::registry::handles!(
    super::matmul::END;
    SETFMATRIX,
    SET_IMG2COL_PADDING,
    SET_IMG2COL_RPT,
    SET_QUANT_SCALAR,
    SET_QUANT_VECTOR,
    TCONCAT,
    TCONCATIDX,
    TDEINTERLEAVE,
    TEXTRACT,
    TEXTRACT_FP,
    TFILLPAD,
    TFILLPAD_EXPAND,
    TFILLPAD_INPLACE,
    TIMG2COL,
    TINSERT,
    TINSERT_FP,
    TINTERLEAVE,
    TMOV,
    TMOV_FP,
    TPACK,
    TRESHAPE,
    TTRANS,
);
