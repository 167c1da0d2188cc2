"""Ctrl-C during long work: the call ends with KeyboardInterrupt at once, not when the work is done."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import LONG

import pto_tools as pto

# Seconds that the work takes on this machine, at least, and after which a call must have ended once it is interrupted.
WORK, LIMIT = 8.0, 2.0

PROGRAMS = '''
import sys, time
import pto_tools as pto

def line_of(count):
    """`count` instructions in a row on 24 tiles."""
    tile, view = "!pto.tile_buf<vec, 8x16xf32>", "!pto.tensor_view<8x16xf32>"
    yield "func.func @line(%x: !pto.ptr<f32>) {"
    yield "%c1 = arith.constant 1 : index\\n%c8 = arith.constant 8 : index\\n%c16 = arith.constant 16 : index"
    yield f"%v = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : {view}"
    for at in range(24):
        yield f"%t{at} = pto.alloc_tile : {tile}\\npto.tload ins(%v : {view}) outs(%t{at} : {tile})"
    for at in range(count):
        a, b, c = (at * step % 24 for step in (7, 11, 13))
        if at % 5 == 4:
            yield f"pto.tstore ins(%t{a} : {tile}) outs(%v : {view})"
        elif at % 5 == 3:
            yield f"pto.tload ins(%v : {view}) outs(%t{a} : {tile})"
        else:
            yield f"pto.tadd ins(%t{a}, %t{b} : {tile}, {tile}) outs(%t{c} : {tile})"
    yield "return\\n}"

def work(text):
    if sys.argv[1] == "lower":
        pto.lower(text, target="a2a3")
    else:
        pto.verify(text, text, target="a2a3")

def text(count):
    return "\\n".join(line_of(count))
'''

# Doubles the program until the work takes long enough to tell; then its size follows. A busy machine prolongs the time, several
# threads the time of processors: neither may shorten the program.
MEASURE = """
count = 500
while True:
    program = text(count)
    clocks = time.perf_counter, time.process_time
    begin = [clock() for clock in clocks]
    work(program)
    took = min(clock() - start for clock, start in zip(clocks, begin))
    if took > 0.5:
        break
    count *= 2
print(int(count * float(sys.argv[2]) / took) + 1)
"""

INTERRUPTED = """
import signal
# A shell that runs the tests in the background has them ignore SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)
program = text(int(sys.argv[2]))
print("ready", flush=True)
work(program)
print("done", flush=True)
"""


def child(script, name, argument):
    return [sys.executable, "-c", PROGRAMS + script, name, str(argument)]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("name", ["lower", "verify"])
def test_ctrl_c_ends_long_work_at_once(name):
    size = subprocess.run(child(MEASURE, name, WORK), check=True, capture_output=True, text=True).stdout.strip()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(child(INTERRUPTED, name, size), **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            begin = time.perf_counter()
            out, err = process.communicate(timeout=10 * WORK)
            took = time.perf_counter() - begin
        finally:
            process.kill()
    assert "KeyboardInterrupt" in err and "done" not in out, err
    assert took < LIMIT, f"{took:.1f} s from the signal to the end"


ALARMED = """
import signal, sys, time
import pto_tools as pto

def ring(*_):
    raise TimeoutError

kernel = pto.parse(sys.stdin.read())
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.3)
begin = time.perf_counter()
try:
    pto.time(kernel, n=1 << 40)
except TimeoutError:
    print(time.perf_counter() - begin)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_a_handler_that_raises_ends_a_command():
    run = subprocess.run([sys.executable, "-c", ALARMED], input=LONG, capture_output=True, text=True, timeout=60)
    assert 0.3 <= float(run.stdout) < LIMIT, run.stderr


def test_a_handler_that_raises_nothing_does_not_end_the_work():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        lowered = pto.lower(LINES, target="a2a3")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "addr =" in lowered.text and rung


LINES = "\n".join(
    ["func.func @f(%s: f32) {", "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>"]
    + ["pto.texpands ins(%s : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)"] * 2000
    + ["return", "}"]
)
