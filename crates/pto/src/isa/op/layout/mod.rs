//! Layout and rearrangement: the same elements in another place.

mod fixpipe_rules;
mod indexed;
mod moving;
mod tconcat;
mod tconcatidx;
mod textract;
mod textract_two;
mod tfillpad;
mod tinsert;
mod tmov;
mod tmov_rules;
mod tpack;
mod transfer_rules;
mod treshape;
mod ttrans;
mod zz;

use super::Instruction;

/// The instructions of this set, by name.
pub(super) const LIST: &[&dyn Instruction] = &[
    &tconcat::TCONCAT,
    &tconcatidx::TCONCATIDX,
    &textract::TEXTRACT,
    &textract::TEXTRACT_FP,
    &tfillpad::TFILLPAD,
    &tfillpad::TFILLPAD_EXPAND,
    &tfillpad::TFILLPAD_INPLACE,
    &tinsert::TINSERT,
    &tinsert::TINSERT_FP,
    &tmov::TMOV,
    &tmov::TMOV_FP,
    &tpack::TPACK,
    &treshape::TRESHAPE,
    &ttrans::TTRANS,
];
