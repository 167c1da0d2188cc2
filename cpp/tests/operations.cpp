// Calls of intrinsics in their overloads, with explicit template arguments in the documented order.
#include <pto/pto-inst.hpp>

using namespace pto;

namespace {

template <typename T, int Rows, int Cols>
using Vec = Tile<TileType::Vec, T, Rows, Cols>;
template <typename T, int Rows, int Cols>
using Mat = Tile<TileType::Mat, T, Rows, Cols, BLayout::ColMajor, Rows, Cols, SLayout::RowMajor>;

void elements() {
    using T = Vec<float, 16, 64>;
    T a, b, c;
    Event<Op::TLOAD, Op::TADD> loaded;
    Event<Op::TADD, Op::TSTORE_VEC> added = TADD(a, b, c, loaded);
    TSYNC(added);
    TADD_IMPL(c, a, b);
    TSYNC<Op::TADD>();
    TMULS(a, b, 2);
    TEXP<ExpAlgorithm::HIGH_PRECISION>(a, b);
    float x = 1;
    TDIVS(a, b, x);
    TDIVS(a, x, b);
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, 16, 8> mask;
    for (const auto mode : {CmpMode::EQ, CmpMode::GE}) {
        TCMPS(mask, a, 1.0f, mode);
    }
    using Workspace = Vec<uint32_t, 1, 16>;
    Workspace workspace;
    TSEL<T, decltype(mask), Workspace>(a, mask, b, c, workspace);
    TSYNC();
#ifdef PTO_TARGET_A5
    TInterleave(a, b, c, *(new T));
    TDeInterleave(a, b, c, *(new T));
#endif
    Vec<half, 16, 64> h;
    TCVT(h, a, RoundMode::CAST_RINT);
    TCVT(h, a, RoundMode::CAST_ODD, SaturationMode::ON);
    TCVT<false>(h, a, RoundMode::CAST_FLOOR, SaturationMode::OFF);
    TEXPANDS(h, 0.5);
    TCI<Vec<int32_t, 1, 16>, int32_t, 1>(*(new Vec<int32_t, 1, 16>), 7);
    using Padded = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 8, 48, SLayout::NoneBox, 512, PadValue::Max>;
    Padded padded;
    TFILLPAD(padded, a);
    TFILLPAD_INPLACE(padded, padded);
    a.SetValue(3, a.GetValue(2));
    using Column = Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor>;
    Column sums;
    TROWSUM(sums, a, b);
    TROWEXPANDMUL(c, a, sums);
    TRESHAPE(*(new Vec<float, 32, 32>), a);
    Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 8, 32> part;
    TSUBVIEW(part, a, 8, 32);
    Mat<float, 16, 256> zeros;
    TFILLPAD(zeros, zeros);
}

void irregular() {
    Vec<float, 1, 32> values;
    Vec<uint32_t, 1, 32> indices;
    Vec<float, 1, 64> pairs;
    TSORT32(pairs, values, indices);
    Vec<float, 1, 256> list;
    Vec<float, 1, 256> merged;
    TMRGSORT(merged, list, 64);
    using Half = Vec<float, 1, 128>;
    Half first, second;
    MrgSortExecutedNumList taken;
    TMRGSORT<decltype(merged), decltype(list), Half, Half, false>(merged, taken, list, first, second);
    Vec<float, 16, 16> data, gathered, workspace_of_data;
    Vec<int32_t, 16, 16> places, workspace;
    TGATHER(gathered, data, places, workspace);
#ifndef PTO_TARGET_A2A3
    TGATHER(gathered, data, places);
#endif
    TGATHER<Vec<float, 16, 8>, Vec<float, 16, 16>, MaskPattern::P0101>(*(new Vec<float, 16, 8>), data);
    TSCATTER(gathered, data, places);
    Vec<float, 8, 32> raw;
    Vec<int8_t, 8, 32> codes;
    Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> scale, offset;
    TQUANT<QuantType::INT8_SYM, Vec<int8_t, 8, 32>, Vec<float, 8, 32>, decltype(scale)>(codes, raw, scale);
    TQUANT<QuantType::INT8_ASYM>(*(new Vec<uint8_t, 8, 32>), raw, scale, &offset);
    Vec<float, 8, 32> rounded;
    TQUANT<QuantType::INT8_SYM>(codes, raw, scale, rounded);
#ifndef PTO_TARGET_A2A3
    Vec<float, 32, 64> wide;
    Vec<int8_t, 32, 64> fp8;
    Vec<uint8_t, 32, 64> exponents, in_order;
    Vec<float, 32, 64> most, scaling;
    TQUANT<1, MxQuantAlg::NvMxFp8E4M3>(fp8, wide, &exponents, &most, &scaling);
    Vec<uint8_t, 1, 64> row_of_exponents;
    Vec<float, 1, 64> row_of_most, row_of_scaling;
    TQUANT<0, MxQuantAlg::OcpMxFp8E4M3>(fp8, wide, &row_of_exponents, &row_of_most, &row_of_scaling);
    TQUANT<QuantType::MXFP8>(fp8, wide, &exponents, &most, &scaling);
    TQUANT<QuantType::MXFP8, VecStoreMode::ND>(fp8, wide, &exponents, &most, &scaling, &in_order);
#endif
    TTRI<Vec<float, 16, 16>, 1>(data, 2);
    TPRINT(data);
}

void memory(float *pointer, half *product) {
    using Tensor = GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1024, 1024, 1024, 64, 1>>;
    using Whole = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
    Tensor tensor(pointer);
    Whole whole(pointer, {8, 32}, {64});
    Vec<float, 16, 64> tile;
    Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1> part(8, 32);
    TLOAD(tile, tensor);
    TLOAD(part, whole);
    TSTORE(tensor, tile);
    TSTORE<decltype(part), Whole, AtomicType::AtomicAdd>(whole, part);
    TASSIGN(tensor, pointer + 64);
    using Bytes = GlobalTensor<int8_t, TileShape2D<int8_t, 32, 32>, BaseShape2D<int8_t, 32, 32>>;
    Bytes bytes(reinterpret_cast<int8_t *>(pointer));
    TileAcc<int32_t, 32, 32> sums;
    TSTORE<decltype(sums), Bytes, AtomicType::AtomicNone, ReluPreMode::NormalRelu>(bytes, sums, 0x3f800000);
    Tile<TileType::Scaling, uint64_t, 1, 32> parameters;
    TSTORE_FP(bytes, sums, parameters);
    using Product = GlobalTensor<half, TileShape2D<half, 32, 32>, BaseShape2D<half, 32, 32>>;
    Product out(product);
    TileAcc<float, 32, 32> acc;
    TSTORE<STPhase::Final>(out, acc);
    using Table = GlobalTensor<float, Shape<1, 1, 1, 64, 16>, Stride<1024, 1024, 1024, 16, 1>>;
    Table table(pointer);
    Vec<float, 16, 16> rows;
    Tile<TileType::Vec, int32_t, 1, 16> row_indices;
    MGATHER<Coalesce::Row, GatherOOB::Zero>(rows, table, row_indices);
    MGATHER(rows, table, row_indices);
    MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Skip>(table, rows, row_indices);
}

void products() {
    Mat<half, 32, 32> a, b;
    TileLeft<half, 32, 32> left;
    TileRight<half, 32, 32> right;
    TileAcc<float, 32, 32> acc, sum;
    Tile<TileType::Bias, float, 1, 32> bias;
    TMOV(left, a);
    TEXTRACT(right, b, 0, 0);
    TMATMUL(acc, left, right);
    TMATMUL<AccPhase::Partial>(acc, left, right);
    TMATMUL_ACC(acc, left, right);
    TMATMUL_ACC(sum, acc, left, right);
    TMATMUL_BIAS(acc, left, right, bias);
    Mat<half, 32, 32> converted;
    TMOV<decltype(converted), decltype(acc), ReluPreMode::NormalRelu>(converted, acc);
    TEXTRACT<decltype(converted), decltype(acc), ReluPreMode::NormalRelu>(converted, acc, 0, 0);
    TINSERT(converted, acc, 0, 0);
    TileAcc<int32_t, 32, 32> integers;
    TMOV(converted, integers, uint64_t{0x3f800000});
    TINSERT<decltype(converted), decltype(integers), ReluPreMode::NormalRelu>(converted, integers, 0x3f800000, 0, 0);
    Tile<TileType::Scaling, uint64_t, 1, 32> parameters;
    TMOV_FP(converted, integers, parameters);
    TEXTRACT_FP(converted, integers, parameters, 0, 0);
    TINSERT_FP(converted, integers, parameters, 0, 0);
#ifdef PTO_TARGET_A5
    Vec<float, 32, 32> in_ub;
    Vec<float, 16, 32> split;
    TMOV<decltype(in_ub), decltype(acc), AccToVecMode::SingleModeVec1>(in_ub, acc);
    TMOV<STPhase::Final, decltype(in_ub), decltype(acc), AccToVecMode::SingleModeVec1>(in_ub, acc);
    TMOV<decltype(split), decltype(acc), AccToVecMode::DualModeSplitM>(split, acc);
    TEXTRACT<decltype(in_ub), decltype(acc), AccToVecMode::SingleModeVec0>(in_ub, acc, 0, 0);
    TINSERT<decltype(in_ub), decltype(acc), AccToVecMode::SingleModeVec0>(in_ub, acc, 0, 0);
    Tile<TileType::Vec, half, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor> boxes;
    TINSERT<TInsertMode::SPLIT2>(converted, boxes);
    TileLeft<float8_e5m2_t, 16, 64> left8;
    TileRight<float8_e5m2_t, 64, 32> right8;
    TileLeftScale<float8_e8m0_t, 16, 2> left_scale;
    TileRightScale<float8_e8m0_t, 2, 32> right_scale;
    TileAcc<float, 16, 32> scaled;
    TASSIGN(left8, 0x800);
    TGET_SCALE_ADDR(left_scale, left8);
    TASSIGN(left_scale, GetScaleAddr(left8.data()));
    TMATMUL_MX(scaled, left8, left_scale, right8, right_scale);
    TMATMUL_MX(scaled, scaled, left8, left_scale, right8, right_scale);
    TMATMUL_MX(scaled, left8, left_scale, right8, right_scale, bias);
    TMATMUL_MX<AccPhase::Final>(scaled, left8, left_scale, right8, right_scale);
#endif
}

void synchronize() {
    for (const auto pipe : {PIPE_V, PIPE_MTE3, PIPE_FIX}) {
        set_flag(PIPE_MTE2, pipe, EVENT_ID3);
        wait_flag(PIPE_MTE2, pipe, 3);
    }
    PtoSetWaitFlag<PIPE_V, PIPE_MTE3>();
    pipe_barrier(PIPE_ALL);
    dsb(mem_dsb_t::DSB_DDR);
    int word = 0;
    dcci(&word, SINGLE_CACHE_LINE, CACHELINE_OUT);
    dcci(static_cast<void *>(&word), cache_line_t::ENTIRE_DATA_CACHE);
    ffts_cross_core_sync(PIPE_MTE3, 1 | 2 << 4 | 3 << 8);
#ifndef PTO_TARGET_A5
    wait_flag_dev(3);
    ffts_cross_core_sync(PIPE_MTE3, _getFFTSMsg(V_ALL_CORE_SYNC, 4));
    wait_flag_dev(4);
#endif
    set_intra_block(PIPE_MTE3, 3);
    wait_intra_block(PIPE_MTE2, 3);
    set_ctrl(sbitset1(get_ctrl(), 48));
    set_mask_norm();
    SYNCALL();
    const int64_t mine = min(block_idx + 1, 3) + max(get_subblockid(), 2);
    PTO_ASSERT(mine >= 0, "a number of a core, %d", 1);
}

void convolution() {
    using Map = ConvTile<TileType::Mat, half, 16384, Layout::NC1HWC0, ConvTileShape<1, 1, 4, 4, 16>>;
    Map map;
    map.SetFmapH(4);
    map.SetFmapW(4);
    const uint8_t pad[4] = {1, 0, 1, 0};
    map.SetPadListArray(pad);
    map.SetFilterH(2);
    map.SetFilterW(2);
    TileLeft<half, 16, 64> left;
    SETFMATRIX(map);
    SET_IMG2COL_RPT(map);
    SET_IMG2COL_PADDING(map);
    TIMG2COL(left, map);
    TIMG2COL<SetFmatrixMode::FMATRIX_A_AUTO>(left, map, 0, 0);
    half *pointer = nullptr;
    GlobalTensor<half, Shape<1, 1, 4, 4, 16>, Stride<256, 256, 64, 16, 1>, Layout::NC1HWC0> tensor(pointer);
    TLOAD(map, tensor);
    ConvTile<TileType::Mat, half, 8192, Layout::FRACTAL_Z, ConvTileShape<4, 1, 16, 16>> filters;
    TileRight<half, 32, 16> right;
    TEXTRACT(right, filters, 0, 0);
}

} // namespace

int main() {
    elements();
    irregular();
    memory(nullptr, nullptr);
    products();
    synchronize();
    convolution();
}
