"""Launches that are driven instruction by instruction."""

import numpy as np
import pytest

import pto_tools as pto


def test_tiles_show_what_they_hold_and_stores_change_the_array():
    live = pto.live("a2a3", watch="all")
    x = np.arange(1024, dtype=np.float32).reshape(16, 64)
    y = np.zeros_like(x)
    source, result = live.buffer(x, "x"), live.buffer(y, "y")
    a, b = live.tile("vec, 8x64xf32", address=0, name="a"), live.tile("vec, 8x64xf32", address=4096)
    for row in (0, 8):
        if row:
            live.barrier()
        live.tload(source.part((row, 0), (8, 64)), out=a)
        live.set_flag("MTE2", "V")
        live.wait_flag("MTE2", "V")
        np.testing.assert_array_equal(a.array, x[row : row + 8])
        live.tadd(a, a, out=b)
        assert np.asarray(b)[7, 63] == 2 * x[row + 7, 63]
        live.set_flag("V", "MTE3")
        live.wait_flag("V", "MTE3")
        live.tstore(b, out=result.part((row, 0), (8, 64)))
    np.testing.assert_array_equal(y, 2 * x)
    assert live.findings() == []


def test_watchers_find_what_is_missing_and_rules_stop_a_call():
    live = pto.live("a2a3", watch="race")
    x = live.buffer(np.ones((1, 8), np.float32))
    a = live.tile("vec, 1x8xf32", address=0, name="a")
    b = live.tile("vec, 1x16xf16, valid=1x8", address=64, name="b")
    live.tload(x.part((0, 0), (1, 8)), out=a)
    with pytest.raises(pto.Error, match="tadd"):
        live.tadd(a, b, out=a)
    live.tmul(a, a, out=a)
    rules = {finding.rule for finding in live.findings()}
    assert rules == {"race::no-sync"}
    with pytest.raises(pto.DataError, match="over"):
        live.tadd(a, a, out=a)


def test_attributes_and_places_are_those_of_programs():
    live = pto.live()
    a, b = live.tile("vec, 1x16xf32"), live.tile("vec, 1x16xf16")
    live.instruction("tcvt", a, out=b, rmode="#pto<round_mode RINT>")
    assert b.array.dtype == np.float16 and b.array.shape == (1, 16)
    with pytest.raises(pto.DataError, match="2 dimensions"):
        live.buffer(np.ones((2, 8), np.float32)).part((0,), (8,))
