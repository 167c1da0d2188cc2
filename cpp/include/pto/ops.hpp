// The names of instructions in events, written from the registry of instructions; not for editing.
#ifndef PTO_OPS_HPP
#define PTO_OPS_HPP

#include "pto/enumerations.hpp"

namespace pto {

/// A class of instructions that one pipe runs.
enum class Op : std::uint16_t {
    SCALAR,
    VECTOR,
    TLOAD,
    TPREFETCH,
    TSTORE_VEC,
    TSTORE_ACC,
    TSTORE_MAT,
    TMOV_V2V,
    TMOV_V2M,
    TMOV_M2L,
    TMOV_M2R,
    TMOV_M2B,
    TMOV_M2S,
    TMOV_A2V,
    TMOV_A2M,
    TEXTRACT_M2LR,
    TEXTRACT_V2M,
    TEXTRACT_A2M,
    TINSERT_A2M,
    TIMG2COL,
    TEXPANDS_MAT,
    TFILLPAD_VEC,
    TFILLPAD_MAT,
    MGATHER_VEC,
    MGATHER_MAT,
    TABS,
    TADD,
    TADDC,
    TADDDEQRELU,
    TADDRELUCONV,
    TAND,
    TCMP,
    TCVT,
    TDIV,
    TEXP,
    TFMOD,
    TFUSEDMULADD,
    TFUSEDMULADDRELU,
    TLOG,
    TMAX,
    TMIN,
    TMUL,
    TMULADDDST,
    TNEG,
    TNOT,
    TOR,
    TPOW,
    TPRELU,
    TRECIP,
    TRELU,
    TREM,
    TRSQRT,
    TSEL,
    TSHL,
    TSHR,
    TSQRT,
    TSUB,
    TSUBC,
    TSUBRELU,
    TSUBRELUCONV,
    TXOR,
    TADDS,
    TADDSC,
    TANDS,
    TAXPY,
    TCMPS,
    TDIVS,
    TEXPANDS,
    TFMODS,
    TLRELU,
    TMAXS,
    TMINS,
    TMULS,
    TORS,
    TPOWS,
    TREMS,
    TSELS,
    TSHLS,
    TSHRS,
    TSUBS,
    TSUBSC,
    TXORS,
    TCOLARGMAX,
    TCOLARGMIN,
    TCOLMAX,
    TCOLMIN,
    TCOLPROD,
    TCOLSUM,
    TPAIRREDUCESUM,
    TROWARGMAX,
    TROWARGMIN,
    TROWMAX,
    TROWMIN,
    TROWPROD,
    TROWSUM,
    TCOLEXPAND,
    TCOLEXPANDADD,
    TCOLEXPANDDIV,
    TCOLEXPANDEXPDIF,
    TCOLEXPANDMAX,
    TCOLEXPANDMIN,
    TCOLEXPANDMUL,
    TCOLEXPANDSUB,
    TROWEXPAND,
    TROWEXPANDADD,
    TROWEXPANDDIV,
    TROWEXPANDEXPDIF,
    TROWEXPANDMAX,
    TROWEXPANDMIN,
    TROWEXPANDMUL,
    TROWEXPANDSUB,
    TGEMV,
    TGEMV_ACC,
    TGEMV_BIAS,
    TGEMV_MX,
    TGEMV_MX_ACC,
    TGEMV_MX_BIAS,
    TGET_SCALE_ADDR,
    TMATMUL,
    TMATMUL_ACC,
    TMATMUL_BIAS,
    TMATMUL_MX,
    TMATMUL_MX_ACC,
    TMATMUL_MX_BIAS,
    TCONCAT,
    TDEINTERLEAVE,
    TEXTRACT,
    TEXTRACT_FP,
    TFILLPAD,
    TFILLPAD_EXPAND,
    TFILLPAD_INPLACE,
    TINSERT,
    TINSERT_FP,
    TINTERLEAVE,
    TMOV,
    TMOV_FP,
    TPACK,
    TTRANS,
    MGATHER,
    MSCATTER,
    TCI,
    TDEQUANT,
    TGATHER,
    TGATHERB,
    THISTOGRAM,
    TMRGSORT,
    TPARTADD,
    TPARTARGMAX,
    TPARTARGMIN,
    TPARTMAX,
    TPARTMIN,
    TPARTMUL,
    TQUANT,
    TQUANT_MX,
    TRANDOM,
    TSCATTER,
    TSORT32,
    TTRI,
};

namespace detail {

/// The pipe that runs a class of instructions.
constexpr pipe_t pipe_of(Op op) {
    switch (op) {
    case Op::TSTORE_ACC:
    case Op::TMOV_V2M:
    case Op::TMOV_M2S:
    case Op::TMOV_A2V:
    case Op::TMOV_A2M:
    case Op::TEXTRACT_V2M:
    case Op::TEXTRACT_A2M:
    case Op::TINSERT_A2M:
        return PIPE_FIX;
    case Op::TGEMV:
    case Op::TGEMV_ACC:
    case Op::TGEMV_BIAS:
    case Op::TGEMV_MX:
    case Op::TGEMV_MX_ACC:
    case Op::TGEMV_MX_BIAS:
    case Op::TMATMUL:
    case Op::TMATMUL_ACC:
    case Op::TMATMUL_BIAS:
    case Op::TMATMUL_MX:
    case Op::TMATMUL_MX_ACC:
    case Op::TMATMUL_MX_BIAS:
        return PIPE_M;
    case Op::TMOV_M2L:
    case Op::TMOV_M2R:
    case Op::TMOV_M2B:
    case Op::TEXTRACT_M2LR:
    case Op::TIMG2COL:
        return PIPE_MTE1;
    case Op::TLOAD:
    case Op::TPREFETCH:
    case Op::TEXPANDS_MAT:
    case Op::TFILLPAD_MAT:
    case Op::MGATHER_MAT:
        return PIPE_MTE2;
    case Op::TSTORE_VEC:
    case Op::TSTORE_MAT:
        return PIPE_MTE3;
    case Op::SCALAR:
    case Op::TGET_SCALE_ADDR:
    case Op::TCI:
        return PIPE_S;
    default:
        return PIPE_V;
    }
}

} // namespace detail
} // namespace pto

#endif
