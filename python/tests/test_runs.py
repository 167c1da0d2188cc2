"""What a run tells: ranks, sources, poison, coverage, tiles, elements, signals, HTML."""

import os
import pickle
import signal
import threading
import warnings

import numpy as np
import pytest
from conftest import EXAMPLES, LONG, SCALE

import pto_tools as pto

ONES = np.ones((16, 64), np.float32)
# Its last rows are less than the kernel takes at a time.
TALL = np.ones((20, 64), np.float32)


def ranks_kernel():
    """Each of two ranks writes `src` to the window of the other one."""
    return pto.load(EXAMPLES / "language" / "ranks.pto", target="a5")


def test_an_argument_of_several_ranks_is_a_list_a_dict_or_one_for_all():
    first = np.arange(64, dtype=np.float32).reshape(4, 16)
    peers = dict(peer=["@1:window", "@0:window"], peer_signal={0: "@1:signal", 1: "@0:signal"})
    run = ranks_kernel().run(src=[first, first + 100], **peers, ranks=2)
    windows = run.outputs["window"]
    np.testing.assert_array_equal(windows[0], first + 100)
    np.testing.assert_array_equal(windows[1], first)
    same = ranks_kernel().run(src=first, **peers, ranks=2).outputs["window"]
    np.testing.assert_array_equal(same, [first, first])
    assert "peer" not in run.outputs


def test_wrong_arguments_of_ranks_are_named():
    kernel = ranks_kernel()
    with pytest.raises(pto.DataError, match="`src`: a list of 3 is given, but the launch has 2 ranks"):
        kernel.run(src=[1, 2, 3], ranks=2)
    with pytest.raises(pto.DataError, match="`src`: 5 is no rank; the launch has 0 to 1"):
        kernel.run(src={5: ONES}, ranks=2)
    with pytest.raises(pto.DataError, match="1 to 64 ranks"):
        kernel.run(src=ONES, ranks=0)
    with pytest.raises(pto.DataError, match="argument `src` is missing"):
        kernel.run(ranks=2)


def test_each_rank_writes_in_place_or_to_a_copy(scale):
    own = [np.zeros((16, 64), np.float32) for _ in range(2)]
    run = scale.run(ONES, factor=[2, 3], y=own, ranks=2)
    assert run.outputs["y"][0] is own[0] and (own[0] == 2).all() and (own[1] == 3).all()
    shared = np.zeros((16, 64), np.float32)
    first, second = scale.run(ONES, factor=[2, 3], y=shared, ranks=2).outputs["y"]
    assert (first == 2).all() and (second == 3).all() and (shared == 0).all()
    with pytest.raises(pto.DataError, match="share memory"):
        scale.run(ONES, factor=1, y=[own[0], own[0]], ranks=2)


def test_texts_are_sources(scale, tmp_path, monkeypatch):
    y = scale(x="arange:8x64", rows=8, factor="0.5")
    np.testing.assert_array_equal(y.ravel(), np.arange(512, dtype=np.float32) / 2)
    one, two = (scale.run(x="randn", rows=8, factor=1, seed=seed).outputs["y"] for seed in (1, 2))
    assert (one != two).any() and one.shape == (8, 64)
    np.save(tmp_path / "x.npy", ONES)
    monkeypatch.chdir(tmp_path)
    assert (scale(x="x.npy", rows=16, factor=2) == 2).all()
    with pytest.raises(pto.DataError, match="argument `x`: `nothing` is neither"):
        scale(x="nothing", rows=8, factor=1)


def test_helps_are_spelled_in_python(scale):
    with pytest.raises(pto.DataError, match='give a file or a generator: `x="x.npy"`, `x="randn:16x32"`') as caught:
        scale(x="5", rows=8, factor=1)
    assert "-i" not in str(caught.value)
    with pytest.raises(pto.DataError, match="give it as `factor=5`"):
        scale(x="randn", rows=8)


def test_missing_buffers_may_be_zeros(scale):
    assert (scale.run(rows=8, factor=3, missing="zeros").outputs["y"] == 0).all()
    with pytest.raises(pto.DataError, match="the words are error or zeros"):
        scale.run(rows=8, factor=3, missing="ones")


def test_unwritten_memory_may_be_nan(scale):
    text = SCALE.replace("    pto.tload", "    //")
    kernel = pto.parse(text, target="a5")
    assert (kernel.run(ONES, factor=1).outputs["y"] == 0).all()
    assert np.isnan(kernel.run(ONES, factor=1, uninitialized="nan").outputs["y"]).all()
    never = pto.parse(text.replace("    pto.tstore", "    //"), target="a5")
    assert never.run(ONES, factor=1).outputs == {}
    assert (scale.run(ONES, factor=2, uninitialized="nan").outputs["y"] == 2).all()


def test_coverage_names_what_never_ran(scale):
    run = scale.run(ONES, factor=1)
    lines = SCALE.splitlines()
    assert {lines[line - 1].split()[0]: runs for line, runs in run.coverage.lines.items()} == {
        "pto.tload": 2,
        "pto.tmuls": 2,
        "pto.tstore": 2,
    }
    assert (run.coverage.missed, run.coverage.total) == ([], 3)
    none = scale.run(np.ones((0, 64), np.float32), factor=1).coverage
    assert [name for _, name in none.missed] == ["tload", "tmuls", "tstore"]


def test_tiles_after_a_line(scale):
    x = np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
    lines = [line.split()[0] if line.split() else "" for line in SCALE.splitlines()]
    run = scale.run(x, factor=2)
    loaded = run.tile("%tile", line=lines.index("pto.tload") + 1)
    np.testing.assert_array_equal(np.asarray(loaded), x[8:])
    assert (loaded.name, loaded.shape, loaded.type) == ("tile", (8, 64), "8x64xf32 vec")
    np.testing.assert_array_equal(run.tile("tile", run=0), 2 * x[:8])
    assert len(run.tiles("tile")) == 2
    x[:] = 0
    with pytest.raises(pto.DataError, match="argument `x` has changed since the run"):
        run.tile("tile")
    kept = scale.run(np.ones((8, 64), np.float32), factor=2, tiles=["%tile@15"])
    assert lines[14] == "pto.tmuls" and (kept.tile("tile", 15).array == 2).all()


def test_wrong_tiles_are_named(scale):
    run = scale.run(ONES, factor=2)
    with pytest.raises(pto.DataError, match="no `%tiel`; did you mean `%tile`"):
        run.tile("tiel")
    with pytest.raises(pto.DataError, match="lines, no line 99"):
        run.tile("tile", 99)
    with pytest.raises(pto.DataError, match="no instruction ran at line 1 "):
        run.tile("tile", 1)
    with pytest.raises(pto.DataError, match="ran 2 times, it has no run 2"):
        run.tile("tile", run=2)
    with pytest.raises(pto.DataError, match="write %TILE@LINE"):
        scale.run(ONES, factor=2, tiles="tile@one")


def test_tiles_of_a_kernel_that_overwrites_its_input():
    text = SCALE.replace("make_tensor_view %y", "make_tensor_view %x").replace("%y: !pto.ptr<f32>, ", "")
    kernel = pto.parse(text, target="a5")
    x = ONES.copy()
    run = kernel.run(x, factor=3)
    assert run.outputs["x"] is x and (x == 3).all()
    assert (run.tile("tile", 14).array == 1).all() and (x == 3).all()


def test_errors_name_the_element(scale):
    with pytest.raises(pto.OutOfBounds) as caught:
        scale(TALL, factor=2)
    assert caught.value.element == (20, 0)
    text = SCALE.replace("    pto.tload", "    //")
    run = pto.parse(text, target="a5").run(ONES, factor=1, watch="init")
    with pytest.raises(pto.UninitializedRead) as caught:
        run.expect_clean()
    assert caught.value.element == (0, 0) and caught.value.rule == "init::unwritten"
    assert caught.value.diagnostics[0].source.strip().startswith("pto.tmuls")


def test_suspicious_shapes_are_findings_of_a_run_and_warnings_of_a_call():
    kernel = pto.load(EXAMPLES / "row_softmax" / "kernel.pto")
    x = np.zeros((30, 90), np.float32)
    (lint,) = kernel.run(x).findings
    assert (lint.rule, lint.severity) == ("launch::excess", "lint")
    with pytest.warns(pto.LaunchWarning, match="launch::excess"):
        kernel(x)
    lost = pto.parse(SCALE.replace("    pto.tstore", "    //"), target="a5")
    (lint,) = lost.run(ONES, factor=1, y=np.zeros((16, 64), np.float32)).findings
    assert lint.rule == "launch::unwritten" and "`y`" in lint.message
    (lint,) = pto.parse(SCALE, target="a5").run(ONES, rows=0, factor=1, y=ONES.copy()).findings
    assert lint.rule == "launch::unwritten" and "`y`" in lint.message
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel(np.zeros((20, 90), np.float32))
        kernel(np.zeros(1800, np.float32))


@pytest.mark.parametrize("grid", [1, 4])
def test_signals_stop_a_run(grid):
    kernel = pto.parse(LONG)

    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Alarm):
            kernel(out=np.zeros(4, np.int32), n=1 << 40, grid=grid)
    finally:
        signal.signal(signal.SIGALRM, before)
    # A shell that runs the tests in the background has them ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            kernel(out=np.zeros(4, np.int32), n=1 << 40, grid=grid)
    finally:
        signal.signal(signal.SIGINT, before)
    assert kernel(out=np.zeros(4, np.int32), n=10, grid=grid)[0] == 7


def test_what_is_shown_in_notebooks(scale):
    run = scale.run(ONES, factor=1)
    assert "<td>rows, 64</td>" in scale._repr_html_() and "&lt;f32&gt;" in scale._repr_html_()
    assert "<td>1.0</td>" in run.tile("tile")._repr_html_()
    assert "tile instructions" not in run._repr_html_() and "Run of 6" in run._repr_html_()
    layout = pto.layout("mat, 32x32xf16, blayout=col_major, slayout=row_major")
    assert "background" in layout._repr_html_()
    with pytest.raises(pto.OutOfBounds) as caught:
        scale(TALL, factor=2)
    assert "<code>tload::out-of-bounds</code>" in caught.value.diagnostics[0]._repr_html_()


def test_layouts():
    layout = pto.layout("mat, 32x32xf16, blayout=col_major, slayout=row_major")
    assert (layout.name, layout.shape, layout.box, layout.bytes) == ("NZ", (32, 32), (16, 16), 2048)
    offsets = layout.offsets()
    assert sorted(offsets.ravel()) == list(range(1024))
    assert offsets[0, 16] == layout.offset(0, 16) == 512
    with pytest.raises(IndexError):
        layout.offset(32, 0)
    with pytest.raises(pto.CheckError):
        pto.layout("mat, 32x")


def test_kernels_findings_and_exceptions_pickle(scale):
    again = pickle.loads(pickle.dumps(scale))
    assert (again.text, again.target, str(again.signature)) == (scale.text, "a5", str(scale.signature))
    with pytest.raises(pto.OutOfBounds) as caught:
        scale(TALL, factor=2)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (type(error), str(error), error.element) == (pto.OutOfBounds, str(caught.value), (20, 0))
    assert error.diagnostics == caught.value.diagnostics
