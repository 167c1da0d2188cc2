// The enumerations of PTO kernels, with the numbers of the manual where it gives any.
#ifndef PTO_ENUMERATIONS_HPP
#define PTO_ENUMERATIONS_HPP

#include <cstdint>

/// A hardware pipe of a core. Kernels write 10 for FIX where their headers lack it.
enum pipe_t {
    PIPE_S = 0,
    PIPE_V = 1,
    PIPE_M = 2,
    PIPE_MTE1 = 3,
    PIPE_MTE2 = 4,
    PIPE_MTE3 = 5,
    PIPE_ALL = 6,
    PIPE_FIX = 10
};

/// Event identifier of a flag. Functions also take the number as an integer.
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

/// The memory whose writes a `dsb` completes.
enum pto_mem_dsb { DSB_ALL, DSB_DDR, DSB_UB };

/// The part of the data cache that `dcci` writes back and invalidates.
enum pto_cache_line { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };

// Kernels that also support a CPU mode define these two names themselves there.
#ifndef __CPU_SIM
using mem_dsb_t = pto_mem_dsb;
using cache_line_t = pto_cache_line;
#endif

/// The memory to which `dcci` writes back.
enum dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

namespace pto {

/// The kind of a tile, which determines its buffer.
enum class TileType : std::uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight, Ctrl };

/// The order of the boxes of a tile, or of its elements if it has none.
enum class BLayout : std::uint8_t { RowMajor, ColMajor };

/// The order of the elements in a box.
enum class SLayout : std::uint8_t { NoneBox, RowMajor, ColMajor };

/// The order of the elements of a tensor in global memory.
enum class Layout : std::uint8_t {
    ND,
    DN,
    NZ,
    SCALE,
    MX_A_ND,
    MX_A_DN,
    MX_A_ZZ,
    MX_B_ND,
    MX_B_DN,
    MX_B_NN,
    HIF4_A_ZZ,
    HIF4_B_NN,
    NC1HWC0,
    GNC1HWC0,
    NCHW,
    GNCHW,
    NHWC,
    NDC1HWC0,
    NCDHW,
    FRACTAL_Z,
    FRACTAL_Z_S16S8,
    FRACTAL_Z_3D,
    MAX
};

/// The value that fills a tile outside of its valid region; `CustomBase` plus 32 bits of a value is that value.
enum class PadValue : std::uint64_t { Null, Zero, Max, Min, CustomBase = std::uint64_t{1} << 32 };

/// Storage of boxes that the valid region fills in part.
enum class CompactMode : std::uint8_t { Null, Normal, RowPlusOne, RowAlignedPadding };

/// Rounding of a conversion; ROUND goes away from zero at ties, ODD sets the last bit of an inexact result.
enum class RoundMode : std::uint8_t { CAST_NONE, CAST_RINT, CAST_ROUND, CAST_FLOOR, CAST_CEIL, CAST_TRUNC, CAST_ODD };
/// Whether values out of range become the nearest one of the format.
enum class SaturationMode : std::uint8_t { ON, OFF };
/// A comparison.
enum class CmpMode : std::uint8_t { EQ, NE, LT, LE, GT, GE };
/// The elements of each four that a mask selects, the last digit first.
enum class MaskPattern : std::uint8_t { P0101 = 1, P1010, P0001, P0010, P0100, P1000, P1111 };

/// Whether a store adds to the contents of memory.
enum class AtomicType : std::uint8_t { AtomicNone, AtomicAdd };
/// Whether negative elements that leave an accumulator become zero.
enum class ReluPreMode : std::uint8_t { NoRelu, NormalRelu };
/// The phase of an accumulation to which a store belongs.
enum class STPhase : std::uint8_t { Unspecified = 0, Partial = 2, Final = 3 };
/// The phase of an accumulation to which a product belongs.
enum class AccPhase : std::uint8_t { Unspecified = 0, Unknown = 0, Partial = 2, Final = 3 };
/// The vector core that receives an accumulator, or how both share it.
enum class AccToVecMode : std::uint8_t { SingleModeVec0, SingleModeVec1, DualModeSplitM, DualModeSplitN };
/// The number of transfers of an insertion.
enum class TInsertMode : std::uint8_t { SPLIT2 = 2, SPLIT4 = 4 };

/// The format to which TQUANT quantizes.
enum class QuantType : std::uint8_t { MXFP8, MXFP4_E2M1, INT8_SYM, INT8_ASYM };
/// The definition of the scale of an MX group.
enum class QuantScaleAlg : std::uint8_t { OCP, NV };
/// Format and scale of an MX quantization.
enum class MxQuantAlg : std::uint8_t { OcpMxFp8E4M3, NvMxFp8E4M3, OcpMxFp4E2M1, NvMxFp4E2M1, Hif4 };
/// The order in which TQUANT stores exponents.
enum class VecStoreMode : std::uint8_t { ND, NZ };

/// The three instructions that fill padding.
enum class TFillPadMode : std::uint8_t { Normal, InPlace, Expand };
/// Whether TIMG2COL sets the registers of a factor itself.
enum class SetFmatrixMode : std::uint8_t { FMATRIX_A_AUTO, FMATRIX_B_AUTO, FMATRIX_A_MANUAL, FMATRIX_B_MANUAL };
/// Width and digits of printed numbers.
enum class PrintFormat : std::uint8_t { Width8_Precision4, Width8_Precision2, Width10_Precision6 };

/// Whether a barrier of all cores works without memory or with a counter in it.
enum class SyncAllMode : std::uint8_t { Hard, Soft };
/// The cores that take part in a barrier.
enum class SyncCoreType : std::uint8_t { AIVOnly, AICOnly, Mix };

/// Split of an entry of a queue between the two vector cores of a block.
enum TileSplitAxis {
    TILE_NO_SPLIT,
    TILE_UP_DOWN,
    TILE_LEFT_RIGHT,
    TILE_UP_DOWN_ODD,
    TILE_LEFT_RIGHT_ODD
};

/// The cores between which a queue carries tiles.
enum Direction {
    DIR_C2V = 1,
    DIR_V2C = 2,
    DIR_BOTH = 3,
    DIR_V2C_CTRL = 4,
    DIR_C2V_GM = 5,
    DIR_V2C_GM = 6,
    DIR_BOTH_GM = 7
};

/// The memory of the entries of a queue.
enum class FIFOType : std::uint8_t { GM_FIFO, VEC_FIFO, MAT_FIFO, CTRL_FIFO };
/// The vector cores that take part in a queue.
enum class VecCubeRatio : std::uint8_t { V1C1_VEC0, V1C1_VEC1, V2C1_VECS };

/// The layout that an accumulator has in a queue: as it is, in rows, in columns.
enum class LayoutMode_t : std::uint8_t { NZ2NZ, NZ2ND, NZ2DN };
/// Conversion of an accumulator on its way into a queue. V: a parameter for each column.
enum class QuantMode_t : std::uint8_t {
    NoQuant,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    REQ8,
    VREQ8,
    QF322B8_PRE,
    VQF322B8_PRE,
    QF322F16_PRE,
    QF322BF16_PRE,
    QF322HIF8_PRE,
    QF322FP8_PRE,
    QS322BF16_PRE,
    VQS322BF16_PRE
};
/// Whether ReLU is bounded above.
enum class ClipReluMode_t : std::uint8_t { NOCLIP_RELU, CLIP_RELU };

/// Whether an index names a row or an element.
enum class Coalesce : std::uint8_t { Row, Elem };
/// Unit that gathers elements into L1 on A5.
enum class GatherExec : std::uint8_t { Scalar, Simt };
/// Result of a gather with an index out of range.
enum class GatherOOB : std::uint8_t { Undefined, Clamp, Wrap, Zero };
/// Destination of a scatter with an index out of range.
enum class ScatterOOB : std::uint8_t { Undefined, Skip, Clamp, Wrap };
/// Combination of a scattered element with the element in memory.
enum class ScatterAtomicOp : std::uint8_t { None, Add, Max, Min };
/// Winner among equal indices.
enum class ScatterConflict : std::uint8_t { Last, Default };
/// The axis of a mask pattern that scatters.
enum class ScatterAxis : std::uint8_t { SCATTER_ROW, SCATTER_COL };
/// The axis of a mask pattern that gathers.
enum class GatherAxis : std::uint8_t { GATHER_ROW, GATHER_COL };

// One enumeration for each family of functions, since their implementations are chosen separately.
enum class DivAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class ExpAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class LogAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class SqrtAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class RsqrtAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class RecipAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class PowAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class FmodAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class FmodSAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class RemAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };
enum class RemSAlgorithm : std::uint8_t { DEFAULT, HIGH_PRECISION };

/// A byte of an element, the lowest first.
enum class HistByte : std::uint8_t { BYTE_0, BYTE_1, BYTE_2, BYTE_3 };
/// The layouts of tiles: order of boxes, then order in a box.
enum class TileLayoutCustom : std::uint8_t { ND, DN, NZ, ZN, ZZ, NONE };
/// Whether a copy of a tile copies its elements.
enum class TCopyMode : std::uint8_t { SHALLOW_COPY, DEEP_COPY };

namespace comm {

/// Effect of a notification on a signal.
enum class NotifyOp : std::uint8_t { AtomicAdd, Set };
/// The comparison for which a signal is awaited.
enum class WaitCmp : std::uint8_t { EQ, NE, GT, GE, LT, LE };
/// The operation of a reduction.
enum class ReduceOp : std::uint8_t { Sum, Max, Min };
/// The engine of asynchronous transfers. They have the same effect on all of them.
enum class DmaEngine : std::uint8_t { SDMA, URMA, RDMA };
/// The engine of collective operations. They have the same effect on all of them.
enum class CollEngine : std::uint8_t { AIV, CCU };

} // namespace comm

/// The numbers of elements that a merge took from each list.
struct MrgSortExecutedNumList {
    std::uint16_t mrgSortList0;
    std::uint16_t mrgSortList1;
    std::uint16_t mrgSortList2;
    std::uint16_t mrgSortList3;
};

/// The key of TRANDOM.
using TRandomKey = std::uint32_t[2];
/// The counter of TRANDOM.
using TRandomCounter = std::uint32_t[4];

} // namespace pto

#endif
