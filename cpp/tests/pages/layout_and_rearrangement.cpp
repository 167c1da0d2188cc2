// The C++ of the manual page, word for word.

#include <pto/pto-inst.hpp>
using namespace pto;

// Basic move/copy
template <typename TileDst, typename TileSrc>
PTO_INST RecordEvent TMOV(TileDst& dst, TileSrc& src);

// Move with fill/pad
template <typename TileDst, typename TileSrc, typename FillT>
PTO_INST RecordEvent TMOV_FP(TileDst& dst, TileSrc& src, FillT fp);

// Reshape tile shape
template <typename TileDst, typename TileSrc>
PTO_INST RecordEvent TRESHAPE(TileDst& dst, TileSrc& src, ShapeRef newShape);

// Transpose
template <typename TileDst, typename TileSrc>
PTO_INST RecordEvent TTRANS(TileDst& dst, TileSrc& src);

// Extract/Insert at offset
template <typename TileDst, typename TileSrc>
PTO_INST RecordEvent TEXTRACT(TileDst& dst, TileSrc& src, int rowOffset, int colOffset);

template <typename TileDst, typename TileSrc>
PTO_INST RecordEvent TINSERT(TileDst& dst, TileSrc& src, int rowOffset, int colOffset);

// Fill padding region
template <typename TileT, typename FillT>
PTO_INST RecordEvent TFILLPAD(TileT& dst, FillT fp);

// Image to column (convolution lowering)
template <typename TileDst, typename TileSrc, typename Cfg>
PTO_INST RecordEvent TIMG2COL(TileDst& dst, TileSrc& src, Cfg cfg);
