"""Files that the command writes, as numpy reads them."""

import numpy as np
import pytest
from test_tensors import copy_of


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_the_type_names_of_ml_dtypes_are_read_by_numpy_and_as_sources(name, tmp_path, monkeypatch):
    """The header is the one that `pto run -o` writes; a test of the command compares it."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = np.dtype(getattr(ml_dtypes, name))
    x = np.arange(1, 129).astype(np.uint16 if dtype.itemsize == 2 else np.uint8).reshape(4, 32).view(dtype)
    text = f"{{'descr': '{name}', 'fortran_order': False, 'shape': (4, 32), }}"
    header = text.ljust(128 - 11) + "\n"
    contents = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + x.tobytes()
    (tmp_path / "x.npy").write_bytes(contents)
    read = np.load(tmp_path / "x.npy")
    assert read.dtype == dtype and read.tobytes() == x.tobytes()
    np.save(tmp_path / "saved.npy", x)
    monkeypatch.chdir(tmp_path)
    word = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}.get(name, "f8E8M0FNU")
    for file in ("x.npy", "saved.npy"):
        result = copy_of(word)(file)
        assert result.dtype == dtype and result.tobytes() == x.tobytes()
