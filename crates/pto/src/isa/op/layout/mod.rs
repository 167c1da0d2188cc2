//! Layout and rearrangement: the same elements in another place.

mod moving;

use super::Instruction;
use super::elementwise::list;

list!(
    tconcat::TCONCAT,
    tconcatidx::TCONCATIDX,
    textract::TEXTRACT,
    tfillpad::TFILLPAD,
    tinsert::TINSERT,
    tmov::TMOV,
    treshape::TRESHAPE,
    ttrans::TTRANS,
);
