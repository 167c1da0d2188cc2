"""The plugin for pytest."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES, SCALE

RUN = "// target: a5\n// run: -i x=arange -i rows=8 -i factor=2\n"
# The value of %factor is loaded from nowhere: %tile is used before anything is loaded.
UNWRITTEN = SCALE.replace("    pto.tload", "    //")


@pytest.fixture
def folder(pytester):
    pytester.makefile(".pto", scale="// target: a5\n" + SCALE, unwritten="// target: a5\n" + UNWRITTEN)
    return pytester


def test_the_fixture_compares_with_a_reference(folder):
    folder.makepyfile(
        """
        import numpy as np
        import pytest
        from pto_tools import DataError, randn

        def test_right(pto_kernel):
            run = pto_kernel("scale.pto").check_against(lambda x, factor: x * factor, x=randn(16, 64), factor=2.0)
            assert run.instructions == 6

        def test_other_names(pto_kernel):
            pto_kernel("scale.pto").check_against(lambda a, b: (a * b,), x=randn(16, 64), factor=2.0)

        def test_by_name_in_f64(pto_kernel):
            wide = lambda x, factor: {"y": x.astype(np.float64) * 0.1}
            with pytest.raises(AssertionError, match="values differ"):
                pto_kernel("scale.pto").check_against(wide, x=randn(16, 64), factor=0.1)
            pto_kernel("scale.pto").check_against(wide, x=randn(16, 64), factor=0.1, rtol=1e-6)

        def test_wrong(pto_kernel):
            pto_kernel("scale.pto").check_against(lambda x, factor: x + factor, x=randn(16, 64), factor=2.0, rtol=1e-5)

        def test_the_kernel_is_there(pto_kernel):
            kernel = pto_kernel("scale.pto", target="a5")
            assert (kernel(x=np.ones((8, 64), np.float32), factor=3) == 3).all()
            assert kernel.signature.entry == "scale"
            with pytest.raises(DataError):
                kernel(x=1, factor=3)
        """
    )
    result = folder.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*`y` of *scale.pto: 1024 of 1024 values differ (tolerance: rtol 1e-5)", "*first at [[]0, 0]*"])


def test_watchers_judge_every_launch(folder):
    folder.makepyfile(
        """
        import numpy as np

        def test_unwritten(pto_kernel):
            pto_kernel("unwritten.pto").run(x=np.ones((8, 64), np.float32), factor=3)
        """
    )
    folder.runpytest().assert_outcomes(passed=1)
    result = folder.runpytest("--pto-watch=all")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*UninitializedRead*init::unwritten*"])


def test_programs_with_run_lines_are_tests(pytester):
    pytester.makefile(".pto", plain=SCALE, good=RUN + SCALE, unwritten=RUN + UNWRITTEN)
    pytester.makefile(".pto", far="// target: a5\n// run: -i x=ones:8x64 -i rows=64 -i factor=2\n" + SCALE)
    pytester.makefile(".pto", flags="// run: --nonsense 3\n" + SCALE)
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["OutOfBounds: *far.pto:*", "DataError: `// run:`: unrecognized arguments: --nonsense 3"])
    result.stdout.no_fnmatch_line("*Traceback*")
    pytester.runpytest("--pto-watch=init", "good.pto", "unwritten.pto").assert_outcomes(passed=1, failed=1)


def test_run_lines_have_expectations(pytester):
    np.save(pytester.path / "y.npy", 2 * np.arange(512, dtype=np.float32).reshape(8, 64))
    line = "// target: a5\n// run: -i x=arange -i rows=8 -i factor={} --expect y=y.npy --rtol 1e-6\n"
    pytester.makefile(".pto", good=line.format(2) + SCALE, bad=line.format(3) + SCALE)
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["Mismatch: *bad.pto: `y`: 511 of 512 values differ*"])


def test_recorded_cases_are_tests(pytester):
    case = pytester.mkdir("case")
    (case / "kernel.pto").write_text(RUN + SCALE)
    x = np.arange(512, dtype=np.float32).reshape(8, 64)
    np.save(case / "x.npy", x)
    np.save(case / "y.npy", 2 * x)
    arguments = [
        {"name": "x", "dtype": "f32", "shape": [8, 64], "role": "in", "file": "x.npy"},
        {"name": "y", "dtype": "f32", "shape": [8, 64], "role": "out", "expect": "y.npy"},
        {"name": "rows", "dtype": "index", "role": "scalar", "value": 8},
        {"name": "factor", "dtype": "f32", "role": "scalar", "bits": "0x40000000"},
    ]
    (case / "case.json").write_text(json.dumps({"profile": "a5", "args": arguments}))
    pytester.runpytest("case").assert_outcomes(passed=2)
    np.save(case / "y.npy", 3 * x)
    result = pytester.runpytest("case")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["Mismatch: *`y`: 511 of 512 values differ (tolerance: exact)*"])


def test_the_examples_pass(pytester):
    programs = len(list((EXAMPLES / "language").glob("*.pto")))
    assert programs > 20
    # The recorded case of `vector_add` is one more.
    pytester.runpytest(str(EXAMPLES / "vector_add"), str(EXAMPLES / "language")).assert_outcomes(passed=programs + 1)


def test_a_traceback_ends_at_the_line_of_the_test(folder):
    folder.makepyfile(
        """
        def test_wrong(pto_kernel):
            pto_kernel("scale.pto").check_against(lambda x, factor: x, x="no array", factor=2.0)
        """
    )
    result = folder.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*pto_tools*.py:*")
    result.stdout.fnmatch_lines(["test_a_traceback_ends_at_the_line_of_the_test.py:2: *Error"])
