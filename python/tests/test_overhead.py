"""Time of a call beside the time of the launch alone, printed: times are judged by people, not by tests."""

import statistics
import time

import numpy as np
from conftest import EXAMPLES

import pto_tools as pto

CALLS = 300


def test_calls_and_launches_give_the_same(capsys):
    kernel = pto.load(EXAMPLES / "row_softmax" / "kernel.pto")
    x = np.load(EXAMPLES / "row_softmax" / "arg0.npy")
    y = np.zeros_like(x)
    times = []
    for _ in range(CALLS):
        start = time.perf_counter()
        kernel(x, y=y)
        times.append(time.perf_counter() - start)
    called = y.copy()
    y[:] = 0
    launch = kernel._launch_seconds(CALLS, x, y=y)
    allocating = []
    for _ in range(CALLS):
        start = time.perf_counter()
        kernel(x)
        allocating.append(time.perf_counter() - start)
    np.testing.assert_array_equal(kernel(x), called)
    call, allocated = statistics.median(times), statistics.median(allocating)
    with capsys.disabled():
        print(
            f"\na launch takes {launch * 1e6:.1f} us, a call {(call - launch) * 1e6:+.1f} us,"
            f" with a new output {(allocated - launch) * 1e6:+.1f} us"
        )
