//! SET_IMG2COL_RPT: tells TIMG2COL how often it transfers.

use super::repeat;
use super::setup::{Setup, page};

pub(in crate::isa::op::layout) static SET_IMG2COL_RPT: Setup = Setup {
    page: page(
        "set_img2col_rpt",
        &["SET_IMG2COL_RPT"],
        "Sets how often timg2col transfers, and how far apart.",
        "RPT = repeat_stride | repeat_time << 16 | repeat_mode << 24, on A5 also | dst_stride << 32 | dst_m_position << 48",
        "docs/isa/SET_IMG2COL_RPT.md",
    ),
    value: |site, _| repeat(site),
    register: |registers| &mut registers.repeat,
    in_both_sets: false,
};
