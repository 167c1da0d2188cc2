"""Kernels from Python calls."""

import numpy as np
import pytest

import pto_tools as pto


def softmax(cols):
    """The softmax of each row, 8 rows at a time."""
    k = pto.kernel("row_softmax", target="a5")
    rows = k.scalar("rows")
    x, y = k.buffer("x", "f32", (rows, cols)), k.buffer("y", "f32", (rows, cols))
    with k.loop(0, rows, 8, name="first") as first:
        count = k.min(rows - first, 8)
        values, scratch = (k.tile("vec, 8x96xf32, valid=?x?", valid=(count, cols)) for _ in range(2))
        largest, total = (
            k.tile("vec, 8x1xf32, valid=?x?, blayout=col_major", name=name, valid=(count, 1))
            for name in ("largest", "total")
        )
        k.tload(x.part((first, 0), (count, cols)), out=values)
        k.trowmax(values, scratch, out=largest)
        k.trowexpandsub(values, largest, out=values)
        k.texp(values, out=values)
        k.trowsum(values, scratch, out=total)
        k.trowexpanddiv(values, total, out=values)
        k.tstore(values, out=y.part((first, 0), (count, cols)))
    return k.build()


def test_a_softmax_of_calls():
    kernel = softmax(90)
    assert str(kernel.signature) == "row_softmax(rows: index, x: f32[rows, 90] in, y: f32[rows, 90] out)"
    x = pto.randn(20, 90)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(kernel(x=x), e / e.sum(1, keepdims=True), rtol=1e-5)
    run = kernel.run(x=x, watch="all", sync_inserted=True).expect_clean()
    assert run.tile("total").shape == (4, 1)
    assert str(pto.parse(kernel.text).signature) == str(kernel.signature)


def test_numbers_attributes_and_blocks():
    k = pto.kernel("half", target="a5")
    x, y = k.buffer("x", "f32", (64, 64)), k.buffer("y", "f16", (64, 64))
    block, blocks = k.block()
    with k.loop(block * 8, 64, blocks * 8) as row:
        wide, narrow = k.tile("vec, 8x64xf32", address=0), k.tile("vec, 8x64xf16", address=8192)
        k.tload(x.part((row, 0), (8, 64)), out=wide)
        k.tmuls(wide, 0.5, out=wide)
        k.instruction("tcvt", wide, out=narrow, rmode="rint")
        k.tstore(narrow, out=y.part((row, 0), (8, 64)))
    kernel = k.build()
    assert "RINT" in kernel.text or "rint" in kernel.text
    x = pto.randn(64, 64)
    np.testing.assert_array_equal(kernel(x, grid=2), (x / 2).astype(np.float16))


def test_what_a_rule_forbids_leaves_the_kernel_as_it_was():
    k = pto.kernel("wrong", target="a5")
    a, b = k.tile("vec, 8x64xf32"), k.tile("vec, 8x64xf16")
    before = k.text
    with pytest.raises(pto.CheckError) as caught:
        k.tadd(a, b, out=a)
    assert caught.value.rule.startswith("tadd::") and k.text == before
    with pytest.raises(pto.DataError, match="no instruction `tmulz`; did you mean `tmul"):
        k.tmulz(a, out=a)
    with pytest.raises(pto.DataError, match="`pto.tcvt` has no attribute `rmod`; it has rmode"):
        k.tcvt(a, out=b, rmod="rint")
    with pytest.raises(pto.DataError, match="rmode='up' of `pto.tcvt`: it is "):
        k.tcvt(a, out=b, rmode="up")
    with pytest.raises(RuntimeError, match="stop"), k.loop(0, 4):
        k.tadd(a, a, out=a)
        raise RuntimeError("stop")
    assert k.text == before
    with pytest.raises(pto.CheckError):
        k.tile("vec, 8x")
    with pytest.raises(pto.DataError, match="belongs to another kernel"):
        pto.kernel("other").tadd(a, a, out=a)
    with pytest.raises(pto.DataError, match="not NoneType"):
        k.tadd(a, None, out=a)
    with k.loop(0, 4), pytest.raises(pto.DataError, match="is open"):
        k.build()
