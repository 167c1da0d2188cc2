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


def scaled(k, x, y, *, order):
    """Doubles x into y, 8 rows at a time; the last tile may have fewer."""
    with k.loop(0, x._shape[0], 8) as row:
        count = k.min(x._shape[0] - row, 8)
        tile = k.tile("vec, 8x64xf32", valid=(count, 64), address=0)
        k.tload(x.part((row, 0), (count, 64)), out=tile)
        order(k, "MTE2", "V", row)
        k.tmuls(tile, 2.0, out=tile)
        order(k, "V", "MTE3", row)
        k.tstore(tile, out=y.part((row, 0), (count, 64)))
        order(k, "MTE3", "MTE2", row)
    return k.build()


def flags(k, source, destination, row):
    k.set_flag(source, destination)
    k.wait_flag(source, destination)


def computed(k, source, destination, row):
    k.set_flag(source, destination, row % 2)
    k.wait_flag(f"PIPE_{source}", destination.lower(), row % 2)


@pytest.mark.parametrize(
    "order, spelling, clean",
    [
        (flags, "pto.set_flag", True),
        (computed, "pto.set_flag_dyn", True),
        (lambda k, *_: k.barrier(), "pto.barrier", True),
        (lambda k, *_: None, "pto.tload", False),
    ],
    ids=["flags", "computed", "barriers", "nothing"],
)
def test_flags_addresses_and_open_rows(order, spelling, clean):
    k = pto.kernel("double", target="a5")
    rows = k.scalar("rows")
    x, y = k.buffer("x", "f32", (rows, 64)), k.buffer("y", "f32", (rows, 64))
    kernel = scaled(k, x, y, order=order)
    assert spelling in k.text and "valid=?x64" in k.text and "addr = " in k.text
    data = pto.randn(20, 64)
    run = kernel.run(x=data, watch="all", schedule="lazy")
    if clean:
        np.testing.assert_array_equal(run.expect_clean().outputs["y"], 2 * data)
    else:
        with pytest.raises(pto.Race):
            run.expect_clean()


def test_valid_regions_of_constants_and_of_values():
    k = pto.kernel("valid", target="a5")
    n = k.scalar("n")
    for valid, spelled in [((3, 5), "valid=3x5"), ((n, n), "valid=?x?"), ((3, n), "valid=3x?"), ((n, 5), "valid=?x5")]:
        assert spelled not in k.text
        k.tile("vec, 8x64xf32", valid=valid)
        assert spelled in k.text
    open_tile = k.tile("vec, 8x64xf32, valid=?x?", valid=(8, 64))
    k.set_validshape(open_tile, n, 5)
    assert "pto.set_validshape" in k.text
    with pytest.raises(pto.CheckError) as caught:
        k.tile("vec, 8x64xf32", valid=(9, 64))
    assert caught.value.diagnostics
    before = k.text
    for wrong in [lambda: k.set_flag("MTE2", "MTE9"), lambda: k.set_flag("MTE2", "V", 9), lambda: k.barrier("X")]:
        with pytest.raises(pto.DataError, match="it is PIPE_S, PIPE_V|it is EVENT_ID0"):
            wrong()
    with pytest.raises(pto.CheckError) as caught:
        k.set_flag("V", "V")
    assert caught.value.rule == "set_flag::direction" and k.text == before
    with pytest.raises(pto.DataError, match="no attribute `pip`"):
        k._native.operation("barrier", [], pip="PIPE_V")
