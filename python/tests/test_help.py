"""Signatures, help, exceptions, misspelt keywords."""

import inspect
import pickle
import pydoc

import numpy as np
import pytest
from conftest import EXAMPLES, SCALE

import pto_tools as pto
from pto_tools import _native

ONES = np.ones((8, 64), np.float32)


def test_a_kernel_has_the_signature_of_its_calls(scale):
    signature = inspect.signature(scale)
    text = str(signature)
    assert text.startswith(
        "(x: 'f32[rows, 64], in', rows: 'index' = <from the shape of x>, factor: 'f32' = <required>, *, "
        "y: 'f32[rows, 64], out' = <allocated>, blocks=1, "
    )
    assert signature.bind(ONES, factor=2, watch="all").arguments["watch"] == "all"
    with pytest.raises(TypeError, match="unexpected keyword argument 'facto'"):
        signature.bind(ONES, facto=2)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        signature.bind(factor=2)
    assert "Kernel" in pydoc.render_doc(pto.Kernel, renderer=pydoc.plaintext)


def test_every_option_of_a_signature_is_one_of_calls(scale):
    names = [name for name, _ in _native._options(False)]
    defaults = {name: inspect.signature(scale).parameters[name].default for name in names}
    # With their defaults, options change nothing.
    plain, explicit = scale.run(ONES, factor=2), scale.run(ONES, factor=2, **defaults)
    np.testing.assert_array_equal(plain.outputs["y"], explicit.outputs["y"])
    assert plain.findings == explicit.findings
    documented = inspect.getdoc(pto.Kernel.run)
    assert all(f"`{name}`" in documented for name in names)
    taken = pto.parse(SCALE.replace("%factor", "%seed"), target="a5")
    assert inspect.signature(taken).parameters["seed"].annotation == "f32"


def test_help_of_a_kernel_names_its_arguments(scale):
    text = pydoc.render_doc(scale, renderer=pydoc.plaintext)
    for part in [
        "scale(x: f32[rows, 64] in, y: f32[rows, 64] out, rows: index, factor: f32)",
        "x: f32[rows, 64]",
        "Written; allocated and returned unless it is given.",
        "A scalar; by default the extent of x.",
    ]:
        assert part in text, text
    assert scale.__doc__ != pto.Kernel.__doc__ and "pickles" in pto.Kernel.__doc__


def test_calls_have_signatures_and_help():
    for name in ["time", "map", "report", "diff", "explain", "record", "replay", "shrink", "inspect", "load", "parse"]:
        call = getattr(pto, name)
        parameters = inspect.signature(call).parameters
        assert call.__doc__ and len(parameters) > 1, name
        # Options that only a call of commands has are documented there, or are those of `Kernel.run`.
        options = [one.name for one in parameters.values() if one.kind == one.KEYWORD_ONLY]
        everything = call.__doc__ + pto.Kernel.run.__doc__ + pto.time.__doc__ + pto.map.__doc__
        assert not [option for option in options if f"`{option}`" not in everything], name
    assert pickle.loads(pickle.dumps(pto.load)) is pto.load


def test_documentation_at_run_time_is_that_of_the_stubs():
    import ast
    import pathlib

    tree = ast.parse(pathlib.Path(_native.__file__).with_name("_native.pyi").read_text())
    wrong = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            wrong += [node.name] if ast.get_docstring(node) != inspect.getdoc(getattr(_native, node.name)) else []
        elif isinstance(node, ast.ClassDef):
            owner = getattr(_native, node.name)
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
                    known = inspect.getdoc(getattr(owner, method.name))
                    wrong += [f"{node.name}.{method.name}"] if ast.get_docstring(method) != known else []
    assert wrong == []


EXCEPTIONS = [
    thing
    for thing in (getattr(pto, name) for name in pto.__all__)
    if isinstance(thing, type) and issubclass(thing, Exception) and not issubclass(thing, Warning)
]


def test_all_exceptions_have_one_base():
    assert len(EXCEPTIONS) > 18
    for kind in EXCEPTIONS:
        assert issubclass(kind, pto.Error) and kind.__module__ == "pto_tools"
        error = pickle.loads(pickle.dumps(kind("what")))
        assert type(error) is kind and str(error) == "what"
        assert (error.rule, error.line, error.element, error.diagnostics) == (None, None, None, ())


def test_exceptions_are_those_of_python_too(scale, tmp_path):
    for call, kinds, said in [
        (lambda: pto.load("none.pto"), (FileNotFoundError,), "none.pto"),
        (lambda: pto.load_sequence("none.toml"), (FileNotFoundError,), "none.toml"),
        (lambda: pto.cpp.load("none.cpp"), (FileNotFoundError,), "none.cpp"),
        (lambda: scale("none.npy", rows=8, factor=1), (FileNotFoundError,), "argument `x`: .*none.npy"),
        (lambda: pto.time(scale, "none.npy", rows=8, factor=1), (FileNotFoundError,), "argument `x`: .*none.npy"),
        (lambda: pto.load(tmp_path), (OSError,), str(tmp_path)),
        (lambda: scale(), (ValueError, TypeError), "`x` is missing"),
        (lambda: scale(ONES.astype(int), factor=1), (ValueError,), "`x`"),
        (lambda: scale(ONES), (ValueError, TypeError), "`factor`"),
        (lambda: scale(ONES, x=ONES, factor=1), (ValueError, TypeError), "given twice"),
        (lambda: pto.layout("vec, 8x64xf32").offset(9, 0), (IndexError,), "9"),
        (lambda: pto.parse("nothing"), (), "expected"),
        (lambda: pto.check_against(scale, lambda x, factor: x, x=ONES, factor=2), (AssertionError,), "differ"),
    ]:
        with pytest.raises(pto.Error, match=said) as caught:
            call()
        assert all(isinstance(caught.value, kind) for kind in kinds)
    with pytest.raises(FileNotFoundError) as caught:
        pto.load("none.pto")
    assert caught.value.errno == 2 and caught.value.filename == "none.pto"


def test_misspelt_keywords_are_named(scale):
    for call, said in [
        (lambda: scale(ONES, factor=1, watc="all"), "`scale` has no argument `watc`; did you mean `watch`"),
        (lambda: scale(ONES, facto=1), "did you mean `factor`"),
        (lambda: scale.run(ONES, factor=1, sede=1), "did you mean `seed`"),
        (lambda: pto.load("x.pto", tagret="a5"), "`load` has no argument `tagret`; did you mean `target`"),
        (lambda: pto.parse(SCALE, nmae="x"), "did you mean `name`"),
        (lambda: pto.lower(scale, multibuffer=2), "did you mean `multi_buffer`"),
        (lambda: pto.verify(scale, scale, block=1), "`verify` has no argument `block`"),
        (lambda: pto.kernel("k", traget="a5"), "did you mean `target`"),
        (lambda: pto.live("a5", wach="all"), "did you mean `watch`"),
        (lambda: pto.Session(wach="all"), "`Session` has no argument `wach`; did you mean `watch`"),
        (lambda: pto.randn(3, sed=1), "did you mean `seed`"),
        (lambda: pto.sweep([], executer=None), "did you mean `executor`"),
        (lambda: pto.layout("vec, 8x64xf32", taget="a5"), "did you mean `target`"),
        (lambda: pto.cpp.load("x.cpp", entri="f"), "did you mean `entry`"),
    ]:
        with pytest.raises(pto.CallError, match=said) as caught:
            call()
        assert isinstance(caught.value, (TypeError, ValueError))
    for call, said in [
        (lambda: scale(ONES, factor=1, schedule="lazi"), 'schedule="lazi": the words are program, lazy, .*did you mean "lazy"'),
        (lambda: scale(ONES, factor=1, watch="rase"), 'did you mean "race"'),
        (lambda: scale(ONES, factor=1, uninitialized="nam"), 'did you mean "nan"'),
        (lambda: pto.parse(SCALE, target="a55"), 'target="a55": the words are cpu, a2a3, a5; did you mean "a5"'),
        (lambda: pto.cpp.load(__file__, cores="vectors"), 'cores="vectors": the words are vector, .*did you mean "vector"'),
        (lambda: pto.time(scale, ONES, factor=1, watch="rase"), "invalid value 'rase' for `watch`.*'race'"),
    ]:
        with pytest.raises(pto.DataError, match="(?s)" + said):
            call()


@pytest.mark.parametrize(
    "x, said",
    [
        (ONES.T, r"argument `x`: an array of shape \(64, 8\) is given, but .* f32\[rows, 64\] of shape \(8, 64\); transpose it: x.T"),
        (np.ones((4, 64), np.float32), r"of shape \(4, 64\) is given, but .* of shape \(8, 64\)"),
        (np.ones((8, 32), np.float32), r"of shape \(8, 32\) is given"),
        (np.ones(511, np.float32), r"of shape \(511,\) is given"),
        (np.ones((8, 64), np.int32), "an array of int32.*convert it: x.astype"),
    ],
    ids=["transposed", "rows", "columns", "flat", "dtype"],
)
def test_shapes_and_formats_are_checked_before_anything_runs(scale, x, said):
    y = np.full((8, 64), 7, np.float32)
    for call in (scale, scale.run):
        with pytest.raises(ValueError, match=said):
            call(x, rows=8, factor=2, y=y)
    assert (y == 7).all()


def test_views_are_read_as_what_they_are(scale):
    tall = np.arange(64 * 8, dtype=np.float32).reshape(64, 8)
    np.testing.assert_array_equal(scale(tall.T, factor=1), tall.T)
    square = pto.load(EXAMPLES / "row_softmax" / "kernel.pto")
    x = pto.randn(90, 20)
    np.testing.assert_array_equal(square(x.T), square(np.ascontiguousarray(x.T)))
    # Memory in the same order, in other dimensions.
    np.testing.assert_array_equal(scale(ONES.ravel(), rows=8, factor=2), 2 * ONES)
    np.testing.assert_array_equal(scale(ONES.reshape(1, 8, 64), rows=8, factor=2), 2 * ONES)
    with pytest.raises(ValueError, match="argument `y`: the array is not contiguous, but the kernel writes to it"):
        scale(ONES, factor=1, y=np.zeros((64, 8), np.float32).T)


def test_bytes_are_bytes(scale):
    for kind in (bytes, bytearray, memoryview):
        with pytest.raises(ValueError, match=r"argument `x`: an array of uint8 of shape \(2048,\) is given, but .*f32"):
            scale(kind(ONES.tobytes()), rows=8, factor=2)
    with pytest.raises(ValueError, match=r"read it: numpy.frombuffer\(x, numpy.float32\)"):
        scale(bytearray(2048), rows=8, factor=2)
    # A view of memory has a format.
    np.testing.assert_array_equal(scale(memoryview(ONES), factor=2), 2 * ONES)
    lines = [line for line in SCALE.splitlines() if "tmuls" not in line]
    copy = pto.parse("\n".join(lines).replace(", %factor: f32", "").replace("f32", "ui8"), target="a5")
    data = bytes(range(256)) * 2
    assert copy(data, rows=8).tobytes() == data
    out = bytearray(512)
    assert copy(bytearray(data), rows=8, y=out) is out and out == data
    with pytest.raises(ValueError, match="argument `y`: the array is read-only"):
        copy(data, rows=8, y=bytes(512))


def test_seeds_of_arguments_and_of_the_schedule(scale):
    def y(**options):
        return scale("randn:8x64", rows=8, factor=1, schedule="random", **options)

    assert (y(seed=1) == y(seed=1, schedule_seed=5)).all() and (y(seed=1) != y(seed=2)).any()
    # Without flags, the order of the schedule shows in the result.
    lost = pto.load(EXAMPLES.parent / "tests" / "mistakes" / "missing_flag.pto")
    logs = {tuple(lost.run("randn", seed=3, schedule="random", schedule_seed=n, log=True).log) for n in range(8)}
    assert len(logs) > 1
    with pytest.raises(pto.DataError, match="schedule_seed='x'"):
        y(schedule_seed="x")
