"""Tensors of other libraries in bf16 and 8-bit floats, which DLPack has and numpy's reader of DLPack lacks."""

import ctypes
import gc
import sys
import types

import numpy as np
import pytest

import pto_tools as pto

COPY = """
func.func @copy(%x: !pto.ptr<FORMAT>, %y: !pto.ptr<FORMAT>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%c4, %c32], strides = [%c32, %c1] : !pto.tensor_view<4x32xFORMAT>
  %yv = pto.make_tensor_view %y, shape = [%c4, %c32], strides = [%c32, %c1] : !pto.tensor_view<4x32xFORMAT>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 4x32xFORMAT>
  pto.tload ins(%xv : !pto.tensor_view<4x32xFORMAT>) outs(%t : !pto.tile_buf<vec, 4x32xFORMAT>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 4x32xFORMAT>) outs(%yv : !pto.tensor_view<4x32xFORMAT>)
  return
}
"""

# The word of a format, its name in ml_dtypes and torch, its type code in dlpack.h, and its bits.
FORMATS = [
    ("bf16", "bfloat16", 4, 16),
    ("f8E4M3FN", "float8_e4m3fn", 10, 8),
    ("f8E5M2", "float8_e5m2", 12, 8),
    ("f8E8M0FNU", "float8_e8m0fnu", 14, 8),
]


def copy_of(word):
    return pto.parse(COPY.replace("FORMAT", word), target="a5")


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Managed(ctypes.Structure):
    """DLManagedTensor."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("data", ctypes.c_void_p),
    ("device_type", ctypes.c_int32),
    ("device_id", ctypes.c_int32),
    ("dimensions", ctypes.c_int32),
    ("dtype", DataType),
    ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("byte_offset", ctypes.c_uint64),
    ("context", ctypes.c_void_p),
    ("deleter", Deleter),
]

class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned, whose tensor has the fields of DLManagedTensor before the last two."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        *Managed._fields_[:-2],
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Tensor:
    """A tensor of a library that numpy does not know: bits in memory, a type code, strides and an offset."""

    def __init__(self, bits, code, *, device=1, with_strides=True, flags=None):
        """With `flags`, capsules have a version."""
        self.bits, self.code, self.device, self.with_strides = bits, code, device, with_strides
        self.flags = flags
        self.kept, self.capsules = [], []

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, **keywords):
        if self.flags is None and keywords:
            raise TypeError("an old library")
        size = self.bits.itemsize
        extents = ctypes.c_int64 * self.bits.ndim
        shape = extents(*self.bits.shape)
        strides = extents(*(stride // size for stride in self.bits.strides)) if self.with_strides else None
        # The data begin at an offset.
        tensor = (
            self.bits.ctypes.data - 2 * size,
            self.device,
            0,
            self.bits.ndim,
            DataType(self.code, 8 * size, 1),
            shape,
            strides,
            2 * size,
        )
        if self.flags is None:
            managed, name = Managed(*tensor), b"dltensor"
        else:
            managed, name = Versioned(1, 1, None, None, self.flags, *tensor), b"dltensor_versioned"
        self.kept.append((managed, shape, strides, name))
        self.capsules.append(new_capsule(ctypes.addressof(managed), name, None))
        return self.capsules[-1]

    def users(self):
        """How often others refer to capsules of the tensor."""
        gc.collect()
        # A reference is that of the list, one is the argument.
        return sum(sys.getrefcount(self.capsules[at]) - 2 for at in range(len(self.capsules)))


def patterns(bits):
    return np.arange(1, 129, dtype=np.uint16 if bits == 16 else np.uint8).reshape(4, 32)


@pytest.mark.parametrize("word, name, code, bits", FORMATS)
def test_tensors_are_read_and_written_in_place(word, name, code, bits):
    kernel = copy_of(word)
    x = patterns(bits)
    y = np.zeros_like(x)
    into = Tensor(y, code)
    assert kernel(Tensor(x, code), y=into) is into
    np.testing.assert_array_equal(y, x)
    y[:] = 0
    run = kernel.run(Tensor(x, code, with_strides=False), y=into, watch="all", sync_inserted=True)
    assert run.expect_clean().outputs["y"] is into
    np.testing.assert_array_equal(y, x)
    # Rows of another order are copied if the kernel only reads them.
    np.testing.assert_array_equal(kernel(Tensor(x[::-1], code)).view(x.dtype), x[::-1])
    with pytest.raises(pto.DataError, match="`y`: the array is not contiguous, but the kernel writes to it"):
        kernel(x, y=Tensor(y[::-1], code))
    given = Tensor(x, code)
    run = kernel.run(given)
    np.testing.assert_array_equal(np.asarray(run.tile("t")).view(x.dtype), x)
    assert given.users() > 0, "the run keeps its argument"
    del run
    assert (given.users(), into.users()) == (0, 0)


@pytest.mark.parametrize("word, name, code, bits", FORMATS)
def test_results_have_the_dtypes_of_ml_dtypes(word, name, code, bits):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = np.dtype(getattr(ml_dtypes, name))
    kernel, x = copy_of(word), patterns(bits)
    for given in (Tensor(x, code), x.view(dtype), x):
        result = kernel(given)
        assert result.dtype == dtype
        np.testing.assert_array_equal(result.view(x.dtype), x)
        assert kernel.run(given).tile("t").array.dtype == dtype
    results = kernel.run(x=[x, x], ranks=2).outputs["y"]
    assert [result.dtype for result in results] == [dtype, dtype]


def test_capsules_with_a_version_may_be_read_only():
    kernel, x = copy_of("bf16"), patterns(16)
    y = np.zeros_like(x)
    into = Tensor(y, 4, flags=0)
    assert kernel(Tensor(x, 4, flags=1), y=into) is into
    np.testing.assert_array_equal(y, x)
    with pytest.raises(pto.DataError, match="`y`: the array is read-only, but the kernel writes to it"):
        kernel(x, y=Tensor(y, 4, flags=1))


def test_tensors_that_do_not_fit_are_named():
    x = patterns(8)
    with pytest.raises(pto.DataError, match=r"`x`: a tensor of f8E5M2 of shape \(4, 32\) .* takes .*f8E4M3FN"):
        copy_of("f8E4M3FN")(Tensor(x, 12))
    with pytest.raises(pto.DataError, match=r"a tensor of bf16 .* takes an array of f32\[4, 32\]"):
        copy_of("f32")(Tensor(patterns(16), 4))
    with pytest.raises(pto.DataError, match="on a device of type 2; copy it: x.cpu()"):
        copy_of("f8E4M3FN")(Tensor(x, 10, device=2))
    # float8_e3m4 is no format of the ISA.
    with pytest.raises(pto.DataError, match="`x`: Tensor is given"):
        copy_of("f8E4M3FN")(Tensor(x, 7))


@pytest.mark.parametrize("word, name, code, bits", FORMATS)
def test_tensors_of_torch(word, name, code, bits):
    torch = pytest.importorskip("torch")
    if not hasattr(torch, name):
        pytest.skip(f"this torch has no {name}")
    kernel, x = copy_of(word), patterns(bits)
    integers = torch.from_numpy(x.view(np.int16 if bits == 16 else np.uint8))
    given = integers.view(getattr(torch, name))
    np.testing.assert_array_equal(kernel(given).view(x.dtype), x)
    into = torch.zeros_like(integers).view(given.dtype)
    assert kernel(given, y=into) is into
    assert torch.equal(into.view(integers.dtype), integers)


class Float:
    """The dtype of a stand-in for torch."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"torch.{self.name}"


def test_a_torch_that_exports_no_8_bit_floats(monkeypatch):
    """torch before 2.9: `__dlpack__` of such a tensor raises; a view of integers has the memory."""

    class Old:
        dtype = Float("float8_e4m3fn")

        def __init__(self, bits):
            self.bits = bits

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **_):
            raise RuntimeError("float8 types are not supported by dlpack")

        def detach(self):
            return self

        def view(self, integers):
            assert integers == "uint8"
            return self

        def numpy(self):
            return self.bits

    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(uint8="uint8", int16="int16"))
    x, y = patterns(8), np.zeros((4, 32), np.uint8)
    into = Old(y)
    assert copy_of("f8E4M3FN")(Old(x), y=into) is into
    np.testing.assert_array_equal(y, x)
    with pytest.raises(pto.DataError, match="a tensor of f8E4M3FN"):
        copy_of("f8E5M2")(Old(x))
