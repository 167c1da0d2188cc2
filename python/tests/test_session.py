"""Launches over buffers that persist."""

import signal
import time

import numpy as np
import pytest
from conftest import EXAMPLES, LONG

import pto_tools as pto

LAYER = EXAMPLES / "decode_layer"


def test_buffers_are_used_in_place(scale):
    session = pto.Session()
    array = np.ones((16, 64), np.float32)
    x, h = session.buffer("x", array), session.buffer("h", shape=(16, 64), dtype="f32")
    session.launch(scale, x=x, y=h, factor=2)
    session.launch(scale, h, y=x, factor=3, blocks=1, name="back")
    assert (array == 6).all() and (h.array == 2).all() and x.array is array
    assert (np.asarray(h) == 2).all() and (h.name, h.dtype, len(h)) == ("h", "f32", 1024)


def test_parts_are_consecutive_elements(scale):
    session = pto.Session()
    x = session.buffer("x", np.arange(32 * 64, dtype=np.float32))
    y = session.buffer("y", shape=(32, 64), dtype="f32")
    session.launch(scale, x=x[512:1536], y=y[1024:], rows=16, factor=2)
    np.testing.assert_array_equal(y.array[16:].ravel(), 2 * np.arange(512, 1536))
    assert (y.array[:16] == 0).all() and len(y[1024:][:64]) == 64
    assert y[1024:].array.shape == (1024,)
    with pytest.raises(IndexError, match="consecutive"):
        x[::2]
    with pytest.raises(pto.OutOfBounds):
        session.launch(scale, x=x[:512], y=y, rows=16, factor=2)


def test_launches_are_watched_across(scale):
    session = pto.Session(watch="all", sync_inserted=True)
    x = session.buffer("x", pto.randn(8, 64))
    h, y = (session.buffer(name, shape=(8, 64), dtype="f32") for name in "hy")
    session.launch(scale, x=h, y=y, factor=1, name="early")
    rules = {finding.rule for finding in session.findings(results=[y])}
    assert rules == {"init::unwritten"}
    assert any("in launch `early`" in note for note in session.findings()[0].notes)
    for _ in session.parallel(range(2)):
        session.launch(scale, x=x, y=h, factor=1, name="fill")
    found = session.findings(results=[y])
    (conflict,) = [finding for finding in found if finding.rule == "sequence::conflict"]
    assert conflict.element == (0, 0) and "`fill`" in conflict.message
    assert "sequence::unread" in {finding.rule for finding in session.findings()}


def test_a_group_without_conflict(scale):
    session = pto.Session(watch="race", sync_inserted=True)
    x, y = session.buffer("x", pto.randn(32, 64)), session.buffer("y", shape=(32, 64), dtype="f32")
    for b in session.parallel(range(4)):
        part = slice(b * 512, (b + 1) * 512)
        session.launch(scale, x=x[part], y=y[part], rows=8, factor=2)
    assert session.findings(results=[y]) == []
    np.testing.assert_array_equal(y.array, 2 * x.array)


def test_wrong_arguments_are_named(scale):
    session, other = pto.Session(), pto.Session()
    x = session.buffer("x", np.ones((8, 64), np.float32))
    y = session.buffer("y", shape=(8, 64), dtype="f32")
    with pytest.raises(pto.DataError, match=r'argument `x`: ndarray is given; give a buffer: session.buffer\("x"'):
        session.launch(scale, x=np.ones((8, 64), np.float32), y=y, factor=2)
    with pytest.raises(pto.DataError, match="`x` belongs to another session"):
        other.launch(scale, x=x, y=y, factor=2)
    with pytest.raises(pto.DataError, match="argument `y` is missing"):
        session.launch(scale, x=x, factor=2)
    with pytest.raises(pto.DataError, match="argument `y` is a buffer of f32, but `n` holds i32"):
        session.launch(scale, x=x, y=session.buffer("n", shape=(512,), dtype="i32"), factor=2)
    with pytest.raises(pto.DataError, match="at least one block"):
        session.launch(scale, x=x, y=y, factor=2, blocks=0)
    with pytest.raises(pto.DataError, match="`Session` has no argument `ranks`; it takes threads"):
        pto.Session(ranks=2)
    memory = np.zeros(64, np.float32)
    session.buffer("one", memory[:40])
    with pytest.raises(pto.DataError, match="buffers `one` and `two` share memory"):
        session.buffer("two", memory[32:])
    with pytest.raises(pto.DataError, match="read-only"):
        session.buffer("z", np.broadcast_to(np.float32(1), (1,)))
    with pytest.raises(pto.DataError, match="complex128 has no format"):
        session.buffer("z", np.ones(4, complex))
    with pytest.raises(pto.DataError, match="give an array, or shape and dtype"):
        session.buffer("z")


def test_a_signal_stops_a_launch_and_the_session_goes_on(scale):
    session = pto.Session()
    out = session.buffer("out", shape=(4,), dtype="i32")

    def ring(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError):
            session.launch(pto.parse(LONG), out=out, n=1 << 40)
    finally:
        signal.signal(signal.SIGALRM, before)
    session.launch(pto.parse(LONG), out=out, n=3)
    assert out.array[0] == 7


def layer():
    return {path.stem: np.load(path) for path in LAYER.glob("*.npy") if not path.stem.startswith("expect")}


def test_a_sequence_of_a_file():
    pytest.importorskip("tomllib")
    sequence = pto.load_sequence(LAYER / "layer.toml")
    given = {name: array for name, array in layer().items() if name in {name for name, *_ in sequence.buffers}}
    cache = given["k_cache"].copy()
    start = time.perf_counter()
    run = sequence.run(**given, watch="all")
    assert run.findings == [] and run.launches > 10 and time.perf_counter() > start
    for name in sequence.results:
        want = np.load(LAYER / f"expect_{name}.npy")
        np.testing.assert_allclose(run.outputs[name].astype(np.float32), want, rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(given["k_cache"], cache)
    with pytest.raises(pto.DataError, match="`run` has no argument `nothing`"):
        sequence.run(nothing=1)
    with pytest.raises(pto.DataError, match="argument `x`: an array of float64"):
        sequence.run(x=np.zeros(4))


def test_wrong_sequences_are_named(tmp_path):
    pytest.importorskip("tomllib")

    def load(text):
        (tmp_path / "s.toml").write_text(text)
        return pto.load_sequence(tmp_path / "s.toml")

    with pytest.raises(pto.DataError, match="`stpe` of the sequence: unknown field `stpe`, expected one of"):
        load("stpe = 1")
    with pytest.raises(pto.DataError, match="`results` of the sequence: "):
        load("results = 3")
    with pytest.raises(pto.DataError, match=r"`step\[0\].blocks` of the sequence: a number or a text"):
        load("[[step]]\nkernel = 'k.pto'\nblocks = []")
    with pytest.raises(pto.DataError, match=r"`step\[0\].arguments` of the sequence: arguments are a list"):
        load("[[step]]\nkernel = 'k.pto'\narguments = 1")
    with pytest.raises(pto.DataError, match="`f64` is no element type"):
        load('buffers = {x = "f64[4]"}')
    with pytest.raises(OSError, match="none.pto"):
        load('[[step]]\nkernel = "none.pto"')
    with pytest.raises(pto.DataError, match="s.toml"):
        load("= 1")
    with pytest.raises(pto.DataError, match="neither a launch nor a group"):
        load("[[step]]\nparallel = true")
