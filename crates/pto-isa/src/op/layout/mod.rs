//! Changes of layout and rearrangements of elements.

mod blocks;
mod fixpipe_rules;
mod img2col;
mod indexed;
mod interleaving;
mod moving;
mod raw_copy;
mod repack;
mod set_quant;
mod tconcat;
mod tconcatidx;
mod tdeinterleave;
mod textract;
mod textract_rules;
mod textract_two;
mod tfillpad;
mod tinsert;
mod tinsert_rules;
mod tinterleave;
mod tmov;
mod tmov_rules;
mod tpack;
mod transfer_rules;
mod treshape;
mod ttrans;
mod ttrans_conv;
mod weights;
mod zz;
mod zz_rules;

use super::tables::list;

list!(
    super::matmul::END;
    img2col::SETFMATRIX,
    img2col::SET_IMG2COL_PADDING,
    img2col::SET_IMG2COL_RPT,
    set_quant::SET_QUANT_SCALAR,
    set_quant::SET_QUANT_VECTOR,
    tconcat::TCONCAT,
    tconcatidx::TCONCATIDX,
    tdeinterleave::TDEINTERLEAVE,
    textract::TEXTRACT,
    textract::TEXTRACT_FP,
    tfillpad::TFILLPAD,
    tfillpad::TFILLPAD_EXPAND,
    tfillpad::TFILLPAD_INPLACE,
    img2col::TIMG2COL,
    tinsert::TINSERT,
    tinsert::TINSERT_FP,
    tinterleave::TINTERLEAVE,
    tmov::TMOV,
    tmov::TMOV_FP,
    tpack::TPACK,
    treshape::TRESHAPE,
    ttrans::TTRANS,
);
