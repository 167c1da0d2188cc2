"""Commands as calls: results with text, data and HTML."""

import json
import os
import pickle
import re
import sys

import numpy as np
import pytest
from conftest import EXAMPLES, SCALE

import pto_tools as pto

MISTAKE = EXAMPLES.parent / "tests" / "mistakes" / "missing_flag.pto"
X = np.random.default_rng(1).standard_normal((20, 90)).astype(np.float32)


@pytest.fixture
def softmax():
    return pto.load(EXAMPLES / "row_softmax" / "kernel.pto")


def dumped(folder, x, y):
    """A dump of one task of the kernel that scales by 2, with its recorded output."""
    tensors = [("input", "before_dispatch", x, 0), ("output", "after_completion", y, x.nbytes)]
    records = [
        {
            **{"kind": "tensor", "role": role, "stage": stage, "arg_index": at, "dtype": "float32", "shape": list(array.shape)},
            **{"strides": [array.shape[1], 1], "bin_offset": offset, "bin_size": array.nbytes},
        }
        for at, (role, stage, array, offset) in enumerate(tensors)
    ]
    for at, (dtype, value) in enumerate([("int64", 8), ("float32", 2.0)], 2):
        scalar = {"kind": "scalar", "role": "input", "stage": "before_dispatch", "arg_index": at, "dtype": dtype, "value": value}
        records.append(scalar)
    task = {"task_id": "0x1", "func_id": [0], "run_epoch": 0}
    dump = folder / "args_dump"
    dump.mkdir(exist_ok=True)
    head = {"bin_file": "args.bin", "bin_format": {"type": "logical_contiguous", "byte_order": "little_endian"}, "dropped_records": 0}
    (dump / "args_dump.json").write_text(json.dumps({**head, "args": [{**task, **record} for record in records]}))
    (dump / "args.bin").write_bytes(x.tobytes() + y.tobytes())
    return dump


def shows_its_text(result):
    """Whether notebooks show the text of a result."""
    shown = result._repr_html_()
    first = next(line for line in str(result).splitlines() if line.strip())
    return "<pre>" in shown and first.split()[0].replace("<", "&lt;") in shown


def test_time(softmax):
    timing = pto.time(softmax, X)
    assert timing["program"] is timing.program and "other" not in timing.data
    assert timing.program["cycles"] > 0 and str(timing).count("\n") > 5 and shows_its_text(timing)
    assert "cycles" in str(timing) and "program" in dir(timing)
    both = pto.time(softmax, X, other=softmax)
    assert both.other["cycles"] == both.program["cycles"] == timing.program["cycles"]
    assert len(str(pto.time(softmax, x=X, top=1)).splitlines()) < len(str(timing).splitlines())
    with pytest.raises(AttributeError, match="Timing has no `cycle`; its data has version, program"):
        timing.cycle
    assert pickle.loads(pickle.dumps(timing)).text == timing.text


def test_time_writes_a_trace(softmax, tmp_path):
    pto.time(softmax, X, trace=tmp_path / "trace.json")
    assert (tmp_path / "trace.json").read_text().lstrip()[0] in "[{"


def test_map(softmax):
    memory = pto.map(softmax, X)
    assert memory.svg.startswith("<svg") and memory.svg in memory._repr_html_() and shows_its_text(memory)
    assert memory.data and "values" in str(memory)


def test_report(softmax, tmp_path):
    report = pto.report(softmax, X)
    assert report.html.lstrip().lower().startswith("<!doctype html") and "row_softmax" in report.html
    assert "<iframe" in report._repr_html_() and re.match(r"wrote a page \(\d+ kB\)", str(report))
    report.save(tmp_path / "a.html")
    other = pto.report(softmax, X, output=tmp_path / "b.html")
    size = -(-(tmp_path / "b.html").stat().st_size // 1000)
    assert str(other) == f"wrote {tmp_path / 'b.html'} ({size} kB); not given, and therefore zeros: y\n"
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text() == other.html == report.html


def test_diff(softmax):
    same = pto.diff(softmax, softmax, X)
    assert str(same).startswith("no value differs")
    other = pto.parse(softmax.text.replace("pto.texp ins", "pto.tneg ins"), name="other.pto")
    difference = pto.diff(softmax, other, X)
    assert str(difference).startswith("first difference: ") and "other.pto" in str(difference) and shows_its_text(difference)
    assert pto.diff(softmax, other, X, atol=1e9).data != difference.data
    # Two texts without names of their own.
    one, two = pto.parse(SCALE, target="a5"), pto.parse(SCALE.replace("tmuls", "tadds"), target="a5")
    assert "`tmuls`" in str(pto.diff(one, two, x=np.ones((8, 64), np.float32), factor=3))


def test_explain():
    page = pto.explain("trowsum")
    assert str(page).startswith("trowsum: ")
    assert page.svg.startswith("<svg") and page.svg in page._repr_html_()
    assert "cycles" not in str(page) and "cycles" in str(pto.explain("trowsum", cost=True))
    rule = pto.explain("race::read-after-write")
    assert rule.svg == "" and shows_its_text(rule)
    assert "trowsum" in str(pto.explain(search="row sum"))
    (finding,) = pto.load(MISTAKE).run(np.ones((16, 64), np.float32), watch="race").findings
    assert str(pto.explain(finding)) == str(rule)
    for wrong in ("tadddd", "--list", "", 5):
        with pytest.raises(pto.DataError):
            pto.explain(wrong)


def test_inspect(softmax):
    seen = pto.inspect(softmax)
    assert seen.file == softmax.name and seen.kernels[0]["entry"] == "row_softmax" and shows_its_text(seen)
    assert str(pto.inspect(EXAMPLES / "row_softmax" / "kernel.pto")) == str(seen)


def test_record(softmax, tmp_path):
    case = pto.record(softmax, X, save=tmp_path / "case", rtol=1e-5, note="a remark")
    assert case.folder == tmp_path / "case" and case.data["note"] == "a remark"
    assert str(case).startswith(f"recorded {tmp_path / 'case'}: x in 20x90 of f32")
    (result,) = pto.sweep([case.folder])
    assert result.error is None
    np.testing.assert_array_equal(np.load(tmp_path / "case" / "arg0.npy"), X)
    with pytest.raises(pto.DataError, match="not empty|force"):
        pto.record(softmax, X, save=tmp_path / "case")
    with pytest.raises(pto.Race) as caught:
        pto.record(MISTAKE, np.ones((16, 64), np.float32), save=tmp_path / "none", watch="race")
    assert caught.value.line == 22 and not (tmp_path / "none").exists()


def test_replay(tmp_path, scale):
    x = np.arange(512, dtype=np.float32).reshape(8, 64)
    (tmp_path / "scale.pto").write_text(SCALE)
    dump = dumped(tmp_path, x, scale(x, factor=2))
    same = pto.replay(dump, tmp_path / "scale.pto", map={0: "scale.pto"}, blocks=1, target="a5")
    assert (same.same, same.differ) == (1, 0) and str(same) == "1 tasks: 1 the same, 0 different, 0 not replayed\n"
    dump = dumped(tmp_path, x, scale(x, factor=3))
    wrong = pto.replay(dump, tmp_path / "scale.pto", save=tmp_path / "wrong", target="a5")
    assert wrong.first == "0x1" and "first at [0, 1]: got 2.0, want 3.0" in str(wrong) and shows_its_text(wrong)
    assert (tmp_path / "wrong" / "case.json").exists()
    with pytest.raises(pto.DataError, match="args_dump.json"):
        pto.replay(tmp_path / "wrong", tmp_path)
    with pytest.raises(pto.CallError, match="did you mean `kernels`"):
        pto.replay(tmp_path, kernel=tmp_path)


def test_shrink():
    shrunk = pto.shrink(MISTAKE, rule="race::read-after-write", watch="race")
    assert shrunk.program == str(shrunk) and len(str(shrunk)) < len(MISTAKE.read_text())
    assert "pto.texp" in str(shrunk) and shrunk.reductions
    assert pto.shrink(MISTAKE, rule="race::read-after-write", watch="race", max_tries=1).end == "tries"
    with pytest.raises(pto.DataError, match="the condition does not hold"):
        pto.shrink(MISTAKE, rule="race::read-after-write")
    with pytest.raises(pto.DataError, match="did you mean `race::read-after-write`"):
        pto.shrink(MISTAKE, rule="race::read-after-writ")


def test_arguments_are_checked_as_those_of_a_call(softmax):
    with pytest.raises(pto.DataError, match=r"argument `x`: an array of shape \(90, 20\).*transpose it: x.T"):
        pto.time(softmax, X.T)
    assert pto.time(softmax, np.asfortranarray(X)).data == pto.time(softmax, X).data
    with pytest.raises(pto.DataError, match="argument `x`: an array of float64"):
        pto.map(softmax, X.astype(np.float64))
    with pytest.raises(pto.CallError, match="`time` has no argument `devise`; did you mean `device`"):
        pto.time(softmax, X, devise="910B2")
    with pytest.raises(pto.DataError, match="for `top`"):
        pto.time(softmax, X, top="many")
    with pytest.raises(pto.DataError, match="910B9"):
        pto.time(softmax, X, device="910B9")
    for ranks in (0, -1, "2", 65):
        with pytest.raises(pto.DataError, match="`?ranks`?"):
            pto.time(softmax, X, ranks=ranks)
    with pytest.raises(pto.DataError, match="not int"):
        pto.time(5)
    with pytest.raises(FileNotFoundError):
        pto.inspect("none.pto")


def test_the_argument_of_a_kernel_comes_before_an_option():
    kernel = pto.parse(SCALE.replace("%factor", "%top"), target="a5")
    timing = pto.time(kernel, np.ones((16, 64), np.float32), top=2.0)
    assert timing.program["cycles"] > 0
    # Scalars follow from shapes as in a call.
    assert timing.data == pto.time(kernel, x=np.ones((16, 64), np.float32), rows=16, top=2.0).data


def test_ranks_have_arguments_of_their_own(scale):
    one, two = np.ones((8, 64), np.float32), np.ones((16, 64), np.float32)
    assert pto.time(scale, x=[one, two], factor=2, ranks=2).data


def test_an_error_that_stops_the_run_is_in_the_result(scale):
    x = np.ones((12, 64), np.float32)
    timing = pto.time(scale, x, factor=2)
    assert timing.findings[0].rule == "tload::out-of-bounds" and "an error stopped the run" in str(timing)


def test_builders_lowered_programs_and_texts_are_programs(softmax):
    k = pto.kernel("nothing", target="a5")
    tile = k.tile("vec, 8x64xf32", address=0)
    k.tadd(tile, tile, out=tile)
    assert pto.inspect(k).file == "<nothing>"
    assert pto.time(pto.lower(softmax), X).program["cycles"] > 0


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_nothing_is_printed_and_no_file_is_left(softmax, capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    for call in (pto.time, pto.map, pto.report):
        call(softmax, X)
    pto.explain("tadd")._repr_html_()
    assert capfd.readouterr() == ("", "") and os.listdir(tmp_path) == []
