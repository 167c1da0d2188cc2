"""Kernels on arrays: calls, results, errors."""

import numpy as np
import pytest
from conftest import EXAMPLES, SCALE

import pto_tools as pto


def test_a_call_returns_what_the_kernel_writes(scale):
    x = np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
    y = scale(x, rows=16, factor=2.5)
    assert y.shape == (16, 64) and y.dtype == np.float32
    np.testing.assert_array_equal(y, x * np.float32(2.5))


def test_scalars_follow_from_shapes(scale):
    x = np.ones((24, 64), np.float32)
    assert scale(x, factor=3).shape == (24, 64)
    with pytest.raises(pto.DataError, match="argument `factor` of type f32 is missing"):
        scale(x)
    with pytest.raises(pto.DataError, match="argument `rows` of type index is missing"):
        scale(x.ravel(), factor=2)


def test_outputs_may_be_given_and_are_written_in_place(scale):
    x = np.ones((8, 64), np.float32)
    y = np.zeros((8, 64), np.float32)
    assert scale(x, factor=2, y=y) is y
    assert (y == 2).all() and (x == 1).all()
    with pytest.raises(pto.DataError, match="share memory"):
        scale(x, factor=2, y=x)
    y.flags.writeable = False
    with pytest.raises(pto.DataError, match="read-only"):
        scale(x, factor=2, y=y)
    with pytest.raises(pto.DataError, match="not contiguous"):
        scale(x, factor=2, y=np.zeros((8, 128), np.float32)[:, ::2])


def test_inputs_of_any_layout(scale):
    x = np.arange(64 * 8, dtype=np.float32).reshape(64, 8).T
    np.testing.assert_array_equal(scale(x, factor=1), x)
    x.flags.writeable = False
    np.testing.assert_array_equal(scale(x, factor=1), x)
    np.testing.assert_array_equal(scale(x.tolist(), rows=8, factor=1), x)

    class Exporter:
        """An object of another library: it has DLPack and nothing else."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **keywords):
            return self.array.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    own = np.ones((8, 64), np.float32)
    assert (scale(Exporter(own), factor=4) == 4).all()
    assert (scale(Exporter(np.ones((64, 8), np.float32).T), factor=4) == 4).all()


def test_scalars_of_any_kind(scale):
    x = np.ones((8, 64), np.float32)
    for factor in (3, 3.0, np.float32(3), np.int64(3), np.float16(3), True + 2):
        assert (scale(x, factor=factor) == 3).all()
    assert np.isnan(scale(x, factor=float("nan"))).all() and (scale(x, factor=-np.inf) == -np.inf).all()
    with pytest.raises(pto.DataError, match="`rows`.*`18446744073709551616|`rows`.*1.8"):
        scale(x, rows=2**64, factor=1)
    with pytest.raises(pto.DataError, match="argument `rows`: `8.5` is not"):
        scale(x, rows=8.5, factor=1)


def test_wrong_arguments_are_named(scale):
    x = np.ones((8, 64))
    with pytest.raises(pto.DataError, match=r"argument `x`: an array of float64 of shape \(8, 64\).*float32"):
        scale(x, factor=2)
    with pytest.raises(pto.DataError, match="did you mean `factor`"):
        scale(x.astype(np.float32), facto=2)
    with pytest.raises(pto.DataError, match="`x` is missing"):
        scale(rows=8, factor=2)
    with pytest.raises(pto.DataError, match="given twice"):
        scale(x.astype(np.float32), x=x)
    with pytest.raises(pto.DataError, match="positional ones are x, rows, factor"):
        scale(1, 2, 3, 4)
    with pytest.raises(pto.DataError, match="at least one block"):
        scale(x.astype(np.float32), factor=2, grid=0)


def test_signature(scale):
    assert str(scale.signature) == "scale(x: f32[rows, 64] in, y: f32[rows, 64] out, rows: index, factor: f32)"
    y = scale.signature.arguments[1]
    assert (y.name, y.kind, y.dtype, y.shape, y.direction) == ("y", "buffer", "f32", ["rows", "64"], "out")
    assert scale.signature.arguments[3].shape is None


def test_what_is_out_of_bounds_has_a_rule_and_a_line(scale):
    with pytest.raises(pto.OutOfBounds) as caught:
        # The last of the steps of 8 rows has 4.
        scale(np.ones((12, 64), np.float32), factor=2)
    assert caught.value.rule == "tload::out-of-bounds"
    assert SCALE.splitlines()[caught.value.line - 1].strip().startswith("pto.tload")
    assert isinstance(caught.value, pto.RunError) and isinstance(caught.value, pto.Error)
    assert caught.value.diagnostics[0].severity == "error"


def test_illegal_programs():
    with pytest.raises(pto.CheckError) as caught:
        pto.parse(SCALE.replace("pto.tmuls", "pto.tmulz"), name="k.pto")
    assert str(caught.value).startswith("k.pto:15:5: error[unknown-operation]: ")
    assert any("tmuls" in line for line in caught.value.diagnostics[0].help)
    with pytest.raises(pto.DataError, match="the words are cpu, a2a3, a5"):
        pto.parse(SCALE, target="a9")
    with pytest.raises(OSError, match="none.pto"):
        pto.load("none.pto")


def test_a_run_has_findings(scale):
    kernel = pto.load(EXAMPLES.parent / "tests" / "mistakes" / "missing_flag.pto")
    x = np.ones([int(extent) for extent in kernel.signature.arguments[0].shape], np.float32)
    run = kernel.run(x, watch="race,sync", schedule="lazy", seed=1, log=True)
    assert any(finding.rule.startswith("race::") for finding in run.findings)
    assert all(finding.line is not None for finding in run.findings)
    with pytest.raises(pto.Race) as caught:
        run.expect_clean()
    assert caught.value.rule == "race::read-after-write" and caught.value.line == 22
    assert run.instructions > 0 and any(" tload " in line for line in run.log)
    clean = scale.run(np.ones((8, 64), np.float32), factor=2, watch=["all"], sync_inserted=True)
    assert clean.expect_clean() is clean
    assert clean.findings == [] and (clean.outputs["y"] == 2).all()
    with pytest.raises(pto.DataError, match="all, race, sync, init or mem"):
        scale.run(np.ones((8, 64), np.float32), factor=2, watch="rice")


def test_check_for_another_target(scale):
    assert scale.check() == []
    wide = pto.parse(SCALE.replace("8x64xf32>", "8x64xf32>"), target="cpu")
    assert [finding for finding in wide.check(target="a2a3") if finding.severity == "error"] == []
    large = SCALE.replace("%c8 = arith.constant 8", "%c8 = arith.constant 1024").replace("8x64", "1024x64")
    findings = pto.parse(large, target="cpu").check(target="a2a3")
    assert "alloc_tile::capacity" in {finding.rule for finding in findings}


def test_blocks_and_steps():
    kernel = pto.load(EXAMPLES / "row_softmax" / "kernel.pto")
    name = kernel.signature.arguments[0].name
    x = np.load(EXAMPLES / "row_softmax" / "arg0.npy")
    outputs = kernel.run(**{name: x}, grid=2).outputs
    (result,) = outputs.values()
    e = np.exp(x - x.max(-1, keepdims=True))
    np.testing.assert_allclose(result.reshape(x.shape), e / e.sum(-1, keepdims=True), rtol=1e-5)
    with pytest.raises(pto.RunError) as caught:
        kernel(x, max_steps=3)
    assert caught.value.rule == "max-steps"


def test_formats_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    text = SCALE.replace("xf32", "xbf16").replace("ptr<f32>", "ptr<bf16>")
    text = text.replace("pto.tmuls ins(%tile, %factor : !pto.tile_buf<vec, 8x64xbf16>, f32)", "pto.tneg ins(%tile : !pto.tile_buf<vec, 8x64xbf16>)")
    kernel = pto.parse(text, target="a5")
    x = np.linspace(-4, 4, 8 * 64).reshape(8, 64).astype(ml_dtypes.bfloat16)
    y = kernel(x, factor=1)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, -x)
    raw = kernel(x.view(np.uint16), factor=1)
    np.testing.assert_array_equal(raw, -x)
