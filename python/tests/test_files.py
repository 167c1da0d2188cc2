"""Files that the command writes, as numpy reads them."""

import json
import sys

import numpy as np
import pytest
from test_tensors import COPY, copy_of

from pto_tools import _recorded


def file_of(name, x):
    """The file of an array, with a type name of ml_dtypes as `pto run -o` and `pto record` write it."""
    text = f"{{'descr': '{name}', 'fortran_order': False, 'shape': (4, 32), }}"
    header = text.ljust(128 - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + x.tobytes()


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_the_type_names_of_ml_dtypes_are_read_by_numpy_and_as_sources(name, tmp_path, monkeypatch):
    """The header is the one that `pto run -o` writes; a test of the command compares it."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = np.dtype(getattr(ml_dtypes, name))
    x = np.arange(1, 129).astype(np.uint16 if dtype.itemsize == 2 else np.uint8).reshape(4, 32).view(dtype)
    (tmp_path / "x.npy").write_bytes(file_of(name, x))
    read = np.load(tmp_path / "x.npy")
    assert read.dtype == dtype and read.tobytes() == x.tobytes()
    np.save(tmp_path / "saved.npy", x)
    monkeypatch.chdir(tmp_path)
    word = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}.get(name, "f8E8M0FNU")
    for file in ("x.npy", "saved.npy"):
        result = copy_of(word)(file)
        assert result.dtype == dtype and result.tobytes() == x.tobytes()


@pytest.mark.parametrize("is_there", [True, False])
def test_recorded_cases_of_bf16_run_with_and_without_ml_dtypes(is_there, tmp_path, monkeypatch):
    if is_there:
        pytest.importorskip("ml_dtypes")
    else:
        monkeypatch.setitem(sys.modules, "ml_dtypes", None)
        real = np.load

        def load(file, *args):
            """numpy.load of a process that has not imported ml_dtypes."""
            if b"'bfloat16'" in (file.read_bytes() if hasattr(file, "read_bytes") else file.getvalue()):
                raise ValueError("descr is not a valid dtype descriptor: 'bfloat16'")
            return real(file, *args)

        monkeypatch.setattr(np, "load", load)
    x = np.arange(1, 129).astype(np.uint16).reshape(4, 32)
    (tmp_path / "x.npy").write_bytes(file_of("bfloat16", x))
    (tmp_path / "kernel.pto").write_text(COPY.replace("FORMAT", "bf16"))
    argument = {"dtype": "bf16", "shape": [4, 32]}
    roles = [{"name": "x", "role": "in", "file": "x.npy"}, {"name": "y", "role": "out", "expect": "x.npy"}]
    case = {"args": [{**argument, **role} for role in roles], "profile": "a5"}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert _recorded.from_case(tmp_path).run().instructions == 2
