"""Lowering and verification."""

import pathlib

import numpy
import pytest

import pto_tools as pto

SOFTMAX = pathlib.Path(__file__).parents[2] / "examples/row_softmax/kernel.pto"


def lines_without(text, word):
    return "".join(line + "\n" for line in text.splitlines() if word not in line)


def test_a_kernel_is_lowered_and_computes_the_same():
    kernel = pto.load(SOFTMAX, target="a2a3")
    lowered = pto.lower(kernel)
    assert "pto.set_flag" in lowered.text and "addr =" in lowered.text
    x = pto.randn(20, 90)
    run = lowered.kernel.run(x, watch="all").expect_clean()
    numpy.testing.assert_array_equal(run.outputs["y"], kernel(x))
    assert lowered.kernel.target == "a2a3" and lowered.kernel.signature.entry == kernel.signature.entry


def test_the_passes_say_what_they_did():
    lowered = pto.lower(pto.load(SOFTMAX, target="a2a3"))
    (memory,) = lowered.buffers
    assert memory.buffer == "UB" and 0 < memory.bound <= memory.peak <= memory.capacity
    assert max(address + size for _, address, size in memory.tiles) == memory.peak
    kinds = {one.kind for one in lowered.insertions}
    assert kinds == {"flag", "barrier"}
    for one in lowered.insertions:
        assert len(one.pipes) == (1 if one.kind == "barrier" else 2)
        assert (one.event is None) == (one.kind == "barrier") and all(line > 0 for line in one.lines)
    assert any(one.carried for one in lowered.insertions)
    assert pto.lower(lowered.text, target="a2a3").insertions == []


def test_passes_are_chosen():
    kernel = pto.load(SOFTMAX, target="a5")
    unplaced = pto.lower(kernel, place=False)
    assert unplaced.buffers == [] and "addr =" not in unplaced.text and unplaced.insertions
    placed = pto.lower(kernel, sync=None)
    assert placed.insertions == [] and "set_flag" not in placed.text
    assert "get_buf" in pto.lower(kernel, sync="tokens").text
    assert pto.lower(kernel, multi_buffer=2).multi_buffered == 1
    for wrong in ({"sync": "events"}, {"multi_buffer": 0}, {"multi_buffer": 9}):
        with pytest.raises(pto.DataError):
            pto.lower(kernel, **wrong)


def test_tiles_that_do_not_fit_are_an_error():
    tiles = "".join(f"  %t{i} = pto.alloc_tile : !pto.tile_buf<vec, 512x64xf32>\n" for i in range(2))
    ty = "!pto.tile_buf<vec, 512x64xf32>"
    text = (
        f"func.func @main(%s: f32) {{\n{tiles}  pto.texpands ins(%s : f32) outs(%t0 : {ty})\n"
        f"  pto.texpands ins(%s : f32) outs(%t1 : {ty})\n"
        f"  pto.tadd ins(%t0, %t1 : {ty}, {ty}) outs(%t0 : {ty})\n  return\n}}\n"
    )
    with pytest.raises(pto.CheckError) as error:
        pto.lower(text, target="a2a3")
    assert error.value.rule == "place::capacity" and "are missing" in str(error.value)


def test_what_lower_makes_is_accepted():
    kernel = pto.load(SOFTMAX, target="a2a3")
    for options in ({}, {"multi_buffer": 2}):
        verification = pto.verify(kernel, pto.lower(kernel, **options).kernel)
        assert verification.accepted and verification and verification.counterexample is None
        assert set(verification.properties.values()) == {"holds"} and verification.verdict == "accepted"
        assert list(verification.properties) == ["signature", "lowered", "silent", "bits", "coverage"]
        assert verification.ran == verification.instructions > 0 and verification.not_run == []
        assert verification.compared > 0 and verification.findings == []


def test_a_missing_flag_has_a_counterexample():
    kernel = pto.load(SOFTMAX, target="a2a3")
    broken = lines_without(pto.lower(kernel).text, "PIPE_MTE2>, <PIPE_V>")
    verification = pto.verify(kernel, broken, target="a2a3")
    assert not verification and verification.properties["silent"] == "fails"
    found = verification.counterexample
    assert found.property == "silent" and "block" in found.launch
    assert found.findings[0].rule == "race::read-after-write" and found.findings[0].line > 0


def test_inputs_are_given():
    kernel = pto.load(SOFTMAX, target="a2a3")
    text = pto.lower(kernel).text
    for x in (pto.randn(20, 90), "ones"):
        assert pto.verify(kernel, text, target="a2a3", inputs={"x": x})
    # The given array is used: with too few rows the kernel does not run, which leaves the question open.
    verification = pto.verify(kernel, text, target="a2a3", inputs={"x": pto.randn(3, 90)})
    assert verification.verdict == "unknown" and verification.properties["bits"] == "unknown"
    with pytest.raises(pto.DataError, match="no argument `z`"):
        pto.verify(kernel, text, target="a2a3", inputs={"z": 1})
    with pytest.raises(pto.DataError):
        pto.verify(kernel, text, target="a2a3", blocks=0)
