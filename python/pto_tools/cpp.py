"""Kernels in C++ on arrays, in this process: compiled by an ordinary C++ compiler with the headers that the package brings along.

>>> import pto_tools as pto
>>> add = pto.cpp.load("kernel.cpp", entry="add")
>>> add(x, y, z, blocks=4)
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from typing import Optional, Union

from . import _native
from ._calls import naming

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True

#: The folder of the C++ headers.
HEADERS = pathlib.Path(__file__).with_name("include")


@naming
def load(
    path: Union[str, os.PathLike[str]],
    *,
    entry: Optional[str] = None,
    target: Optional[str] = None,
    cores: Optional[str] = None,
    flags: Sequence[str] = (),
) -> _native.CppKernel:
    """Compiles a kernel in C++ and loads it into this process.

    `entry` names a function of the source, a template by an instance ("add<64>"); it may be left out if the source has one function with
    `__global__`, or one function only. `target` ("a2a3", "a5", "cpu") and `cores` ("vector", "cube", "mixed") are those of `pto c++`:
    by default a2a3, and the kind of cores for which the source has code. `flags` are arguments of the compiler, such as
    ["-O2", "-I", "include"], and further sources.

    The compiler is the one that PTO_CXX names, else that of CXX, else g++ from 11 on or clang++ from 14 on. Raises CheckError with the
    messages of the compiler for a source that does not compile, DataError if there is no compiler or no such function, OSError for a
    file that cannot be read.
    """
    return _loaded(os.fspath(path), entry, target, cores, [os.fspath(flag) for flag in flags])


def _loaded(path: str, entry: Optional[str], target: Optional[str], cores: Optional[str], flags: list[str]) -> _native.CppKernel:
    """A kernel from what it is pickled as."""
    return _native._load_cpp(path, (HEADERS, _native.__file__), entry, target, cores, flags)
