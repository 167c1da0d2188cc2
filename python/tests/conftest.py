"""Programs of the tests."""

import functools
import pathlib
import tempfile

import pytest

import pto_tools as pto

pytest_plugins = ["pytester"]

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

SCALE = """
func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %rows: index, %factor: f32)
    attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %all = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
  %out = pto.make_tensor_view %y, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
  scf.for %row = %c0 to %rows step %c8 {
    %from = pto.partition_view %all, offsets = [%row, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<8x64xf32>
    %to = pto.partition_view %out, offsets = [%row, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<8x64xf32>
    %tile = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    pto.tload ins(%from : !pto.partition_tensor_view<8x64xf32>) outs(%tile : !pto.tile_buf<vec, 8x64xf32>)
    pto.tmuls ins(%tile, %factor : !pto.tile_buf<vec, 8x64xf32>, f32) outs(%tile : !pto.tile_buf<vec, 8x64xf32>)
    pto.tstore ins(%tile : !pto.tile_buf<vec, 8x64xf32>) outs(%to : !pto.partition_tensor_view<8x64xf32>)
  }
  return
}
"""

LONG = """
func.func @long(%out: !pto.ptr<i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i7 = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.addi %i7, %i7 : i32
  }
  pto.store_scalar %i7, %out[%c0] : !pto.ptr<i32>, i32
  return
}
"""


@functools.lru_cache(maxsize=None)
def has_compiler():
    """Whether there is a C++ compiler that is new enough: one that refuses a source."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernel.cpp"
        source.write_text("#error\n")
        try:
            pto.cpp.load(source, cores="vector")
        except pto.CheckError:
            return True
        except pto.DataError:
            return False


@pytest.fixture
def scale():
    """y = x * factor, 8 rows of 64 at a time."""
    return pto.parse(SCALE, target="a5")
