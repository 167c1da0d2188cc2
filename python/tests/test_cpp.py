"""Kernels in C++ from Python. They need a C++ compiler, and a few seconds each for it."""

import ctypes
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import EXAMPLES, has_compiler

import pto_tools as pto
from pto_tools import cpp, npu

VECTOR_ADD = EXAMPLES / "cpp" / "vector_add" / "kernel.cpp"

KERNELS = """
#include <pto/pto-inst.hpp>
#include <cstdio>
using namespace pto;
using Tile8 = Tile<TileType::Vec, float, 8, 64>;
using View = GlobalTensor<float, pto::Shape<1, 1, 1, 8, 64>, pto::Stride<512, 512, 512, 64, 1>>;

// y = x * factor, a block for each 8 rows.
__global__ AICORE void scale(__gm__ const float *x, __gm__ float *y, float factor, bool with_flags) {
    Tile8 tile, result;
    TASSIGN(tile, 0x0);
    TASSIGN(result, 0x1000);
    View from(const_cast<__gm__ float *>(x) + get_block_idx() * 512), to(y + get_block_idx() * 512);
    TLOAD(tile, from);
    if (with_flags) {
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    }
    TMULS(result, tile, factor);  // the race
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(to, result);
}

// Any bytes: each is one more.
__global__ AICORE void count(__gm__ void *bytes, int n, __gm__ int *sum) {
    for (int i = 0; i < n; ++i) ((__gm__ unsigned char *)bytes)[i] += 1;
    if (sum) *sum = n;
}

__global__ AICORE void throws(int n) {
    if (n > 0) throw n;
}

__global__ AICORE void endless(__gm__ float *x) {
    Tile8 tile;
    TASSIGN(tile, 0x0);
    View from(x);
    for (;;) TLOAD(tile, from);
}
"""


needs_compiler = pytest.mark.skipif(not has_compiler(), reason="no C++ compiler")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The file of the kernels, which is compiled for each entry at most once."""
    path = tmp_path_factory.mktemp("cpp") / "kernels.cpp"
    path.write_text(KERNELS)
    return path


@pytest.fixture(scope="module")
def loaded(source):
    known = {}

    def load(entry):
        if entry not in known:
            known[entry] = cpp.load(source, entry=entry, cores="vector")
        return known[entry]

    return load


def line_of(text):
    return next(number for number, line in enumerate(KERNELS.splitlines(), 1) if text in line)


@needs_compiler
def test_a_kernel_runs_on_arrays_in_place():
    add = pto.cpp.load(VECTOR_ADD)
    assert [argument.name for argument in add.signature.arguments] == ["x", "y", "z"]
    assert str(add.signature) == "vector_add(x: f32, y: f32, z: f32)"
    assert (add.target, add.name) == ("a2a3", str(VECTOR_ADD))
    assert repr(add) == f"<CppKernel vector_add(x: f32, y: f32, z: f32) of {VECTOR_ADD}>"
    x, y, z = pto.randn(64, 64), pto.randn(64, 64, seed=1), np.zeros((64, 64), np.float32)
    assert add(x, y, z, blocks=4) is z
    np.testing.assert_array_equal(z, x + y)
    run = add.run(x, z=z, y=y, grid=4, watch="all")
    assert run.expect_clean() is run and run.findings == [] and run.instructions == 16
    assert list(run.outputs) == ["z"] and run.outputs["z"] is z
    # One array may be several arguments, and a part of another one is none.
    wanted = x + y
    assert list(add.run(x, y, x, blocks=4, watch="all").expect_clean().outputs) == ["x", "z"]
    np.testing.assert_array_equal(x, wanted)
    with pytest.raises(pto.DataError, match="`x` and `z` share a part of their memory"):
        add(x, y, x[:32])


@needs_compiler
def test_arguments_that_do_not_fit_are_named(loaded):
    scale = loaded("scale")
    assert str(scale.signature) == "scale(x: f32, y: f32, factor: f32, with_flags: i1)"
    x, y = pto.randn(16, 64), np.zeros((16, 64), np.float32)
    for call, message in [
        (lambda: scale(x, y, 2.0), "argument `with_flags` of type i1 is missing"),
        (lambda: scale(x, factor=2.0, with_flags=True), r"argument `y` is missing: the kernel takes an array of f32"),
        (lambda: scale(x, y, 2.0, True, 5), "5 arguments are given, but positional ones are x, y, factor, with_flags"),
        (lambda: scale(x, y, 2.0, True, facter=5), "no argument `facter`; did you mean `factor`?"),
        (lambda: scale(x.astype(np.float64), y, 2.0, True), r"`x`: an array of float64 of shape \(16, 64\) .* takes an array of f32"),
        (lambda: scale(x, y.T, 2.0, True), "`y`: the array is not contiguous"),
        (lambda: scale(x, y, "much", True), "argument `factor`: str is given, but it is a scalar of type f32"),
        (lambda: scale(x, 7, 2.0, True), "`y`: the kernel writes to it: give an array of f32, not int"),
        (lambda: scale(x, y, 2.0, True, ranks=2), "ranks is no option of a kernel in C\\+\\+: the ranks of a launch"),
        (lambda: scale(x, y, 2.0, True, blocks=0), "a launch has at least one block"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    assert not y.any()


@needs_compiler
def test_an_array_that_is_too_small_is_named(loaded):
    x, y = pto.randn(16, 64), np.zeros((12, 64), np.float32)
    with pytest.raises(pto.OutOfBounds, match="argument `y` holds") as caught:
        loaded("scale")(x, y, 2.0, True, blocks=2)
    assert caught.value.line == line_of("TSTORE(to, result)")
    # The next launch begins anew.
    y = np.zeros((16, 64), np.float32)
    assert loaded("scale")(x, y, 2.0, True, blocks=2) is y
    np.testing.assert_array_equal(y, x * 2)


@needs_compiler
def test_what_the_kernel_only_reads_may_be_read_only(loaded):
    x, y = pto.randn(16, 64), np.zeros((8, 64), np.float32)
    x.setflags(write=False)
    loaded("scale")(x, y, 2.0, True)
    np.testing.assert_array_equal(y, x[:8] * 2)
    loaded("scale")(x[::-1], y, 2.0, True)
    np.testing.assert_array_equal(y, x[:7:-1] * 2)
    loaded("scale")([[1.0] * 64] * 8, y, 2.0, True)
    assert (y == 2).all()
    y.setflags(write=False)
    with pytest.raises(pto.DataError, match="`y`: the array is read-only"):
        loaded("scale")(x, y, 2.0, True)


@needs_compiler
def test_a_race_has_the_line_of_the_source(source, loaded):
    x, y = pto.randn(8, 64), np.zeros((8, 64), np.float32)
    for _ in range(2):
        run = loaded("scale").run(x, y, 2.0, False, watch="race")
        found = run.findings[0]
        assert (found.rule, found.severity) == ("race::read-after-write", "error")
        assert (found.file, found.line) == (str(source), line_of("// the race"))
        assert found.source.strip().startswith("TMULS(result")
        assert any(f"line {line_of('TLOAD(tile, from);')}: written here" in note for note in found.notes)
        with pytest.raises(pto.Race) as caught:
            run.expect_clean()
        assert caught.value.line == found.line and caught.value.diagnostics == run.findings
    assert loaded("scale").run(x, y, 2.0, True, watch="race,sync,init").findings == []
    # Comparisons and sweeps work as for kernels in text.
    case = {"x": x, "y": y, "factor": 2.0, "with_flags": True}
    assert [result.error for result in pto.sweep([(loaded("scale"), case)])] == [None]
    with pytest.raises(pto.Race):
        pto.check_against(loaded("scale"), lambda x, y, *_: 2 * x, x=x, y=y, factor=2.0, with_flags=False, watch="race")


@needs_compiler
def test_a_pointer_to_void_takes_any_array(loaded):
    count = loaded("count")
    assert str(count.signature) == "count(bytes: any, n: i32, sum: i32)"
    for array in (np.zeros(8, np.uint8), np.zeros(2, np.int32), np.zeros(1, np.float64)):
        assert count(array, 8, None) is array
        np.testing.assert_array_equal(array.view(np.uint8), np.ones(8, np.uint8))
    array, total = np.zeros(8, np.uint8), np.zeros(1, np.int32)
    assert count(array, n=8, sum=total) == (array, total)
    assert total[0] == 8


class Tensor:
    """A tensor of another library: DLPack of an array, and `data_ptr`, which is not needed."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def data_ptr(self):
        raise AssertionError("says neither size nor format")


@needs_compiler
def test_tensors_are_used_in_place(loaded):
    x, y = pto.randn(8, 64), np.zeros((8, 64), np.float32)
    into = Tensor(y)
    assert loaded("scale")(Tensor(x), into, 3.0, True) is into
    np.testing.assert_array_equal(y, x * 3)


@needs_compiler
def test_tensors_of_torch(loaded):
    torch = pytest.importorskip("torch")
    x, y = torch.randn(8, 64), torch.zeros(8, 64)
    assert loaded("scale")(x, y, 3.0, True) is y
    assert torch.equal(y, x * 3)
    bits = torch.zeros(4, dtype=torch.bfloat16)
    loaded("count")(bits, 8, None)
    assert torch.equal(bits.view(torch.int16), torch.full((4,), 257, dtype=torch.int16))


@needs_compiler
def test_a_kernel_for_both_kinds_of_cores(tmp_path):
    path = tmp_path / "mixed.cpp"
    path.write_text("""
#include <pto/pto-inst.hpp>
// What each kind of core writes.
extern "C" __global__ AICORE void kinds(__gm__ int *out) {
#ifdef __DAV_CUBE__
    out[0] = 1;
#else
    out[1 + get_subblockid()] = 10 + get_subblockid();
#endif
}
""")
    kinds = cpp.load(path, cores="mixed")
    assert kinds(out := np.zeros(3, np.int32)) is out
    assert out.tolist() == [1, 10, 11]


@needs_compiler
def test_a_template_flags_and_a_changed_source(tmp_path):
    text = """
#include <pto/pto-inst.hpp>
#include "table.hpp"
template <int N> __global__ AICORE void fill(__gm__ int *out) {
    for (int i = 0; i < N; ++i) out[i] = Table<int>::values[i];
}
template __global__ AICORE void fill<2>(__gm__ int *out);
"""
    (tmp_path / "inner").mkdir()
    table = tmp_path / "inner" / "table.hpp"
    path = tmp_path / "fill.cpp"
    path.write_text(text)
    for values in ([1, 2], [3, 4]):
        table.write_text(
            f"template <class T> struct Table {{ static T values[2]; }}; template <class T> T Table<T>::values[2] = {{{values[0]}, {values[1]}}};"
        )
        fill = cpp.load(path, entry="fill<2>", target="a5", cores="vector", flags=["-I", tmp_path / "inner"])
        assert fill.target == "a5"
        out = np.zeros(2, np.int32)
        fill(out)
        assert out.tolist() == values
    with pytest.raises(pto.DataError, match="did you mean `fill<2>`?"):
        cpp.load(path, entry="fill<3>", cores="vector", flags=["-I", tmp_path / "inner"])
    again = pickle.loads(pickle.dumps(fill))
    again(out := np.zeros(2, np.int32))
    assert out.tolist() == values


@needs_compiler
def test_what_does_not_compile_or_load_is_an_exception(tmp_path, monkeypatch):
    path = tmp_path / "broken.cpp"
    path.write_text("#include <pto/pto-inst.hpp>\n__global__ AICORE void f(__gm__ float *x) { x[0] = missing; }\n")
    with pytest.raises(pto.CheckError, match=r"(?s)the compiler has refused the kernel\n.*broken\.cpp:2:\d+: error: .*missing"):
        cpp.load(path)
    path.write_text("#include <pto/pto-inst.hpp>\nvoid nowhere();\n__global__ AICORE void f(__gm__ float *x) { nowhere(); }\n")
    with pytest.raises(pto.CheckError, match="the kernel cannot be loaded: .*nowhere"):
        cpp.load(path, cores="vector")
    path.write_text("#include <pto/pto-inst.hpp>\n__global__ AICORE void f(__gm__ float *x, double y) { x[0] = y; }\n")
    with pytest.raises(pto.DataError, match="parameter `y` has the type `double`"):
        cpp.load(path, cores="vector")
    for keywords, message in [
        ({"cores": "many"}, "the words are vector, cube and mixed"),
        ({"target": "b1"}, "the words are cpu, a2a3, a5"),
        ({"entry": "g"}, "has no function `g`"),
    ]:
        with pytest.raises(pto.DataError, match=message):
            cpp.load(path, **{"cores": "vector", **keywords})
    with pytest.raises(OSError, match="none.cpp"):
        cpp.load(tmp_path / "none.cpp")


def test_without_a_compiler_the_sentence_says_what_was_searched(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("PTO_CXX", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(pto.DataError, match="(?s)no C\\+\\+ compiler was found: PTO_CXX and CXX name none.*install one"):
        cpp.load(VECTOR_ADD)


@needs_compiler
def test_nothing_is_left_of_a_compilation(tmp_path, loaded, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(VECTOR_ADD.parent)
    add = cpp.load("kernel.cpp")
    assert list(tmp_path.iterdir()) == []
    # Lines are still known, also from elsewhere.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pto.OutOfBounds) as caught:
        add(*np.zeros((3, 4, 4), np.float32))
    assert caught.value.line == 1 + VECTOR_ADD.read_text().splitlines().index("    TLOAD(a, xs);")


@needs_compiler
def test_arrays_are_let_go(loaded):
    x, y = pto.randn(8, 64), np.zeros((8, 64), np.float32)
    before = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(3):
        loaded("scale").run(x, y, 2.0, True)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before


@needs_compiler
def test_threads_launch_one_after_the_other(loaded):
    scale = loaded("scale")
    results = [np.zeros((8, 64), np.float32) for _ in range(4)]

    def work(number):
        for _ in range(3):
            scale(np.full((8, 64), number, np.float32), results[number], 2.0, True)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [int(result[0, 0]) for result in results] == [0, 2, 4, 6]


@needs_compiler
def test_ctrl_c_stops_a_launch(loaded):
    endless, x = loaded("endless"), np.zeros((8, 64), np.float32)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        endless(x)
    y = np.zeros((8, 64), np.float32)
    loaded("scale")(x + 1, y, 2.0, True)
    assert (y == 2).all()


@needs_compiler
def test_a_kernel_that_throws_ends_the_process_with_a_sentence(source):
    code = f"import pto_tools as pto; pto.cpp.load({str(source)!r}, entry='throws', cores='vector')(1); print('no')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert re.search("a kernel throws .*: devices have no exceptions", ended.stderr)


def test_streams_are_null_pointers():
    take = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p)(lambda pointer: 7 if pointer is None else 0)
    stream = npu.current_stream()
    assert take(stream) == take(stream._as_parameter_) == 7
    with npu.stream(stream) as current:
        event = current.record_event(npu.Event(enable_timing=True))
    npu.synchronize(), stream.synchronize(), event.synchronize()
    assert event.elapsed_time(current.record_event()) >= 0 and event.query()
    with pytest.raises(RuntimeError, match="recorded"):
        event.elapsed_time(npu.Event())


SCRIPT = """
import sys, torch, torch_npu

x = torch.rand((4, 4), device="npu", dtype=torch.float16)
assert x.device.type == torch.ones(2).npu().device.type == x.to("npu:0").device.type == "cpu"
assert torch.zeros_like(x, device=torch.device("npu")).device.type == "cpu"
torch.npu.set_device("npu:0")
torch_npu.npu.synchronize()
assert torch.npu.is_available() and torch.npu.current_stream()._as_parameter_.value is None
print(sys.argv[1:], __name__)
"""


def test_a_script_runs_with_the_stand_in(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "script.py").write_text(SCRIPT)
    words = [sys.executable, "-m", "pto_tools.npu", "script.py", "--fast"]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "['--fast'] __main__\n"), ended.stderr
