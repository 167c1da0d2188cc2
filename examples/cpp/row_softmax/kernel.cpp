// The softmax of each row of a matrix whose extents are no multiples of those of the tiles.
//
//   pto c++ --target a2a3 --cores vector kernel.cpp -o softmax && PTO_WATCH=all ./softmax x.bin y.bin
#include "../files.hpp"
#include <pto/pto-inst.hpp>

#include <acl/acl.h>

using namespace pto;

constexpr int kRows = 20;
constexpr int kCols = 50;
constexpr int kTileRows = 8;
constexpr int kTileCols = 64;

extern "C" __global__ AICORE void row_softmax(__gm__ float *x, __gm__ float *y, int rows, int cols) {
    using View = GlobalTensor<float, pto::Shape<1, 1, 1, DYNAMIC, DYNAMIC>,
                              pto::Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, 1>>;
    using Matrix = Tile<TileType::Vec, float, kTileRows, kTileCols, BLayout::RowMajor, -1, -1>;
    using Column = Tile<TileType::Vec, float, kTileRows, 1, BLayout::ColMajor, -1, 1>;

    for (int row = 0; row < rows; row += kTileRows) {
        const int count = min(kTileRows, rows - row);
        pto::Shape<1, 1, 1, DYNAMIC, DYNAMIC> shape(count, cols);
        pto::Stride<DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC, 1> stride(rows * cols, rows * cols, rows * cols, cols);
        View from(x + row * cols, shape, stride), to(y + row * cols, shape, stride);
        Matrix in(count, cols), out(count, cols), workspace(count, cols);
        Column most(count), sum(count);
        TASSIGN(in, 0x0);
        TASSIGN(out, 0x1000);
        TASSIGN(workspace, 0x2000);
        TASSIGN(most, 0x3000);
        TASSIGN(sum, 0x3100);

        if (row > 0) {
            // The tiles of the round before are free.
            wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
            wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        }
        TLOAD(in, from);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        TROWMAX(most, in, workspace);
        pipe_barrier(PIPE_V);
        TROWEXPANDSUB(out, in, most);
        pipe_barrier(PIPE_V);
        TEXP(out, out);
        pipe_barrier(PIPE_V);
        TROWSUM(sum, out, workspace);
        pipe_barrier(PIPE_V);
        TROWEXPANDDIV(out, out, sum);
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        TSTORE(to, out);
        if (row + kTileRows < rows) {
            set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
            set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
        }
    }
}

int main(int count, char **names) {
    constexpr std::size_t bytes = kRows * kCols * sizeof(float);
    Files files(count, names, 2);
    void *x = files.load(1, bytes), *y = files.room(bytes);
    row_softmax<<<1, nullptr, nullptr>>>((float *)x, (float *)y, kRows, kCols);
    return files.save(2, y, bytes);
}

// With these flags `pto bench` times the kernel.
// target: a2a3
// run: --entry row_softmax -i x=randn:20x50 -i y=zeros:20x50 -i rows=20 -i cols=50
