"""Bad input: an exception that names the argument, never a crash."""

import gc
import os
import random
import sys
import threading

import numpy as np
import pytest
from conftest import LONG, SCALE

import pto_tools as pto

CALLS = 10_000


@pytest.mark.parametrize(
    "x, said",
    [
        (np.ones((8, 64)), "`x`: an array of float64.*numpy.float32"),
        (np.ones((8, 64), ">f4"), "`x`: an array of >f4 in the other byte order"),
        (np.ones((8, 64), np.complex64), "`x`: an array of complex64"),
        (np.ones((8, 64), [("a", "f4")]), "`x`: an array of "),
        (np.array([object()] * 64), "`x`: an array of object"),
        (5, r"`x`: int is given, but the kernel takes an array of f32\[rows, 64\]"),
        (object(), "`x`: object is given"),
        ("nonsense", "`x`: `nonsense` is neither"),
        ([[1, 2], [3]], "`x`: list is given"),
        (None, "`x` is missing"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else None,
)
def test_what_is_no_array_of_the_format_is_named(scale, x, said):
    with pytest.raises(pto.DataError, match=said):
        scale(x=x, rows=8, factor=2)


def test_outputs_that_cannot_be_written_are_named(scale):
    x = np.ones((8, 64), np.float32)
    readonly = np.zeros((8, 64), np.float32)
    readonly.flags.writeable = False
    memory = np.zeros(1024, np.float32)
    for y, said in [
        (readonly, "`y`: the array is read-only"),
        (np.zeros((8, 128), np.float32)[:, ::2], "`y`: the array is not contiguous"),
        (np.zeros((64, 8), np.float32).T, "`y`: the array is not contiguous"),
        ([[0.0] * 64] * 8, "`y`: the kernel writes to it: give an array of f32.*, not list"),
        (b"0" * 2048, "`y`: "),
        (np.zeros((8, 64), np.float64), "`y`: an array of float64"),
    ]:
        with pytest.raises(pto.DataError, match=said):
            scale(x, factor=1, y=y)
    with pytest.raises(pto.DataError, match="`x` and `y` share memory"):
        scale(memory[:512].reshape(8, 64), factor=1, y=memory[256:768].reshape(8, 64))
    assert scale(memory[:512].reshape(8, 64), factor=1, y=memory[512:].reshape(8, 64)).base is memory


def test_too_small_arrays_are_named(scale):
    with pytest.raises(pto.DataError, match=r"argument `x`: an array of shape \(8, 64\).* of shape \(16, 64\)"):
        scale(np.ones((8, 64), np.float32), rows=16, factor=1)
    with pytest.raises(pto.DataError, match=r"argument `y`: an array of shape \(4, 64\)"):
        scale(np.ones((8, 64), np.float32), factor=1, y=np.zeros((4, 64), np.float32))
    with pytest.raises(pto.DataError, match="argument `y`: it would have the shape"):
        scale("randn:8x64", rows=1 << 50, factor=1)


def test_subclasses_share_their_memory(scale, tmp_path):
    x = np.memmap(tmp_path / "x", np.float32, "w+", shape=(8, 64))
    y = np.memmap(tmp_path / "y", np.float32, "w+", shape=(8, 64))
    x[:] = 1
    assert scale(x, factor=2, y=y) is y and (np.asarray(y) == 2).all()
    masked = np.ma.masked_array(np.ones((8, 64), np.float32))
    assert (scale(masked, factor=3) == 3).all()


def test_a_kernel_may_be_freed_while_it_runs():
    kernels = [pto.parse(LONG)]
    results = []
    run = lambda: results.append(kernels.pop()(out=np.zeros(4, np.int32), n=3_000_000))  # noqa: E731
    thread = threading.Thread(target=run)
    thread.start()
    while kernels:
        pass
    gc.collect()
    thread.join()
    assert results[0][0] == 7


def test_threads_share_a_kernel(scale):
    def work(n, found):
        for _ in range(50):
            found.append((scale(np.full((8, 64), n, np.float32), factor=2) == 2 * n).all())

    found = []
    threads = [threading.Thread(target=work, args=(n, found)) for n in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 200 and all(found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore")
def test_a_fork_after_import_runs_kernels(scale):
    x = np.ones((64, 64), np.float32)
    scale(x, factor=2, grid=2)
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if (scale(x, factor=2, grid=2) == 2).all() else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class Hostile:
    """An object whose attributes raise, or are of the wrong type."""

    def __init__(self, rng):
        self.rng = rng

    def __getattr__(self, name):
        choice = self.rng.randrange(4)
        if choice == 0:
            raise AttributeError(name)
        if choice == 1:
            raise ValueError(name)
        return [None, lambda *args, **keywords: 5][choice - 2]

    def __float__(self):
        raise OverflowError("no float")

    def __index__(self):
        return [1, 1 << 70, -1][self.rng.randrange(3)]


def anything(rng, depth=0):
    """A random object."""
    kinds = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([0, 1, -1, 8, 1 << 31, -(1 << 63), 1 << 64, 10**30]),
        lambda: rng.choice([0.0, -1.5, float("nan"), float("inf"), 1e300]),
        lambda: rng.choice(["", "randn", "arange:8x64", "@1:x", "rank", "x.npy", "1e999", "\0", "é" * 100, "zeros:0x0"]),
        lambda: rng.choice([b"", b"\0" * 64, bytearray(2048), memoryview(b"1234")]),
        lambda: object(),
        lambda: Hostile(rng),
        lambda: rng.choice([int, np, len, sys, ValueError("x"), 3j, range(3), {1, 2}]),
        lambda: array(rng),
        lambda: array(rng),
        lambda: np.float32(3),
        lambda: [anything(rng, depth + 1) for _ in range(rng.randrange(4))] if depth < 2 else [],
        lambda: {rng.choice([0, 1, "x", None, 9]): anything(rng, depth + 1)} if depth < 2 else {},
    ]
    return rng.choice(kinds)()


def array(rng):
    """A random array: of any dtype, rank and memory order, also views, read-only ones, and empty ones."""
    dtype = rng.choice(["f4", "f4", "f4", "f8", "f2", "i4", "u1", "?", ">f4", "c8", "O", "S4", "M8[s]", "V8"])
    shape = tuple(rng.choice([0, 1, 2, 8, 64]) for _ in range(rng.randrange(5)))
    made = np.zeros(shape if rng.random() < 0.7 else (8, 64), dtype)
    for change in rng.sample(range(6), 2):
        if change == 0 and made.ndim:
            made = made[::-1]
        elif change == 1:
            made = made.T
        elif change == 2:
            made.flags.writeable = False
        elif change == 3 and made.ndim:
            made = made[..., ::2]
        elif change == 4 and made.ndim:
            made = np.broadcast_to(made[:1], made.shape)
    return made


@pytest.mark.filterwarnings("ignore")
def test_random_objects_raise_or_run(scale, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(27)
    inout = pto.parse(
        SCALE.replace("make_tensor_view %y", "make_tensor_view %x").replace("%y: !pto.ptr<f32>, ", ""), target="a5"
    )
    names = ["x", "y", "rows", "factor", "grid", "watch", "schedule", "ranks", "uninitialized", "tiles", "seed", "log"]
    names += ["threads", "max_reports", "missing", "max_steps", "nothing"]
    ran = failed = 0
    for _ in range(CALLS):
        kernel = rng.choice([scale, inout])
        keywords = {}
        if rng.random() < 0.6:
            keywords = {"x": np.ones((8, 64), np.float32), "rows": 8, "factor": 2}
        keywords.update({name: anything(rng) for name in rng.sample(names, rng.randrange(3))})
        # Large launches are legal, but slow.
        for name, most in (("grid", 4), ("rows", 64), ("max_steps", 10_000), ("ranks", 4), ("threads", 4)):
            if isinstance(keywords.get(name), int) and keywords[name] > most:
                keywords[name] = most
        args = [anything(rng) for _ in range(rng.randrange(2))]
        try:
            rng.choice([kernel, kernel.run])(*args, **keywords)
            ran += 1
        except (pto.DataError, pto.Error) as error:
            assert str(error)
            failed += 1
    assert ran > CALLS / 20 and failed > CALLS / 5, (ran, failed)


@pytest.mark.filterwarnings("ignore")
def test_random_objects_in_sessions_and_builders_raise_or_run(scale):
    rng = random.Random(28)
    session = pto.Session(max_steps=10_000)
    x = session.buffer("x", np.ones((8, 64), np.float32))
    y = session.buffer("y", shape=(8, 64), dtype="f32")
    builder = pto.kernel("k", target="a5")
    tile = builder.tile("vec, 8x64xf32")
    expected = (pto.DataError, pto.Error, TypeError, ValueError, IndexError, OverflowError, AttributeError)
    ran = failed = 0
    for _ in range(CALLS // 5):
        one, two = anything(rng), anything(rng)
        small = one if not isinstance(one, int) or abs(one) < 1000 else 7
        call = rng.choice(
            [
                lambda: session.launch(scale, **{"x": x, "y": y, "factor": 1, rng.choice(["x", "y", "rows"]): one}),
                lambda: session.launch(scale, x, one, factor=two),
                lambda: session.buffer("b", one) and session.buffer(one, two),
                lambda: session.buffer("b", shape=one, dtype=two),
                lambda: x[one:two],
                lambda: session.findings(results=one),
                lambda: pto.Session(**{rng.choice(["watch", "seed", "schedule"]): one}),
                lambda: builder.tadd(tile, one, out=two),
                lambda: builder.tile("vec, 8x64xf32, valid=?x?", valid=(small, small)),
                lambda: builder.scalar("n", one),
                lambda: builder.tmuls(tile, small, out=tile),
                lambda: pto.layout(one),
                lambda: pto.parse(one, target=two),
            ]
        )
        try:
            call()
            ran += 1
        except expected as error:
            assert str(error) or isinstance(error, AttributeError)
            failed += 1
    assert ran > 20 and failed > 500, (ran, failed)
    session.launch(scale, x=x, y=y, factor=2)
    assert (y.array == 2 * x.array).all()
