//! The matrix products: of two matrices or of a row vector and a matrix; initialized with zero, an accumulator or
//! a row of biases; without and with MX scales.

use super::family::{Left, Product, Start, product, scaled};

pub(super) static TGEMV: Product = product(
    "tgemv",
    Start::Zero,
    Left::Row,
    "Multiplies a row vector by a matrix.",
    "dst = left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv.md",
);

pub(super) static TGEMV_ACC: Product = product(
    "tgemv.acc",
    Start::Accumulator,
    Left::Row,
    "Multiplies a row vector by a matrix onto an accumulator.",
    "dst = acc + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-acc.md",
);

pub(super) static TGEMV_BIAS: Product = product(
    "tgemv.bias",
    Start::Bias,
    Left::Row,
    "Multiplies a row vector by a matrix and adds a row of biases.",
    "dst = bias + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-bias.md",
);

pub(super) static TGEMV_MX: Product = scaled(
    "tgemv.mx",
    Start::Zero,
    Left::Row,
    "Multiplies a row vector by a matrix with MX scales.",
    "dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);

pub(super) static TGEMV_MX_ACC: Product = scaled(
    "tgemv.mx.acc",
    Start::Accumulator,
    Left::Row,
    "Multiplies a row vector by a matrix with MX scales onto an accumulator.",
    "dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);

pub(super) static TGEMV_MX_BIAS: Product = scaled(
    "tgemv.mx.bias",
    Start::Bias,
    Left::Row,
    "Multiplies a row vector by a matrix with MX scales and adds a row of biases.",
    "dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);

pub(super) static TMATMUL: Product = product(
    "tmatmul",
    Start::Zero,
    Left::Matrix,
    "Multiplies two matrices.",
    "dst = left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul.md",
);

pub(super) static TMATMUL_ACC: Product = product(
    "tmatmul.acc",
    Start::Accumulator,
    Left::Matrix,
    "Multiplies two matrices onto an accumulator.",
    "dst = acc + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-acc.md",
);

pub(super) static TMATMUL_BIAS: Product = product(
    "tmatmul.bias",
    Start::Bias,
    Left::Matrix,
    "Multiplies two matrices and adds a row of biases.",
    "dst = bias + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-bias.md",
);

pub(super) static TMATMUL_MX: Product = scaled(
    "tmatmul.mx",
    Start::Zero,
    Left::Matrix,
    "Multiplies two matrices with MX scales.",
    "dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);

pub(super) static TMATMUL_MX_ACC: Product = scaled(
    "tmatmul.mx.acc",
    Start::Accumulator,
    Left::Matrix,
    "Multiplies two matrices with MX scales onto an accumulator.",
    "dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);

pub(super) static TMATMUL_MX_BIAS: Product = scaled(
    "tmatmul.mx.bias",
    Start::Bias,
    Left::Matrix,
    "Multiplies two matrices with MX scales and adds a row of biases.",
    "dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);
