"""Launches over buffers that persist."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence as Items
from dataclasses import dataclass, field
from typing import Any, Optional, TypeVar

from . import _native
from ._calls import read_text

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True

T = TypeVar("T")


class Session(_native._Session):
    """Buffers that persist from one launch to the next.

    Options are those of `Kernel.run` that concern every launch: `watch`, `schedule`, `seed`, `sync_inserted`, `threads`,
    `max_steps`, `max_reports`, `uninitialized`.

    >>> session = pto.Session(watch="all")
    >>> x = session.buffer("x", array)                      # used in place, without a copy
    >>> h = session.buffer("h", shape=(40, 300), dtype="f32")  # starts as zeros
    >>> session.launch(rms, x=x, y=h, blocks=4)
    >>> session.findings(results=[h]), h.array
    """

    def buffer(
        self, name: str, array: Any = None, *, shape: Optional[Items[int]] = None, dtype: Optional[str] = None
    ) -> _native.Buffer:
        """Adds a buffer: with the contents of an array, which launches use in place; or of zeros, with `shape` and `dtype`."""
        return self.buffer_of(name, array, shape=None if shape is None else list(shape), dtype=dtype)

    def parallel(self, items: Iterable[T]) -> Iterator[T]:
        """Goes through items; what is launched for one has no order with what is launched for another.

        >>> for b in session.parallel(range(16)):
        ...     session.launch(rope, x=q[b * 128 : (b + 1) * 128])
        """
        self._begin_group()
        try:
            for item in items:
                yield item
                self._next_branch()
        finally:
            self._end_group()


@dataclass
class SequenceRun:
    """What a run of a sequence left."""

    #: The results by name.
    outputs: dict[str, Any]
    #: Findings of all launches, each once.
    findings: list[_native.Diagnostic]
    #: Number of launches.
    launches: int = field(default=0)


class Sequence:
    """Launches that a file describes (docs/sequences.md)."""

    def __init__(self, table: dict[str, Any], folder: os.PathLike[str], *, target: Optional[str] = None) -> None:
        self._native = _native._Sequence(table, folder, target)

    @property
    def buffers(self) -> list[tuple[str, str, list[int]]]:
        """Name, format and shape of each buffer, in elements."""
        return self._native.buffers

    @property
    def results(self) -> list[str]:
        """Names of the buffers that are results."""
        return self._native.results

    def run(self, **keywords: Any) -> SequenceRun:
        """Runs all launches. Keywords are buffers with their arrays, which are not changed, and the options of a session.

        Buffers that are not given start as zeros.
        """
        names = {name for name, _, _ in self.buffers}
        given = {name: value for name, value in keywords.items() if name in names}
        options = {name: value for name, value in keywords.items() if name not in names}
        return SequenceRun(*self._native.run(given, options))


def load_sequence(path: os.PathLike[str], *, target: Optional[str] = None) -> Sequence:
    """Reads the sequence of a TOML file, and its kernels. Before Python 3.11 this needs the package tomli."""
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    path = pathlib.Path(path)
    try:
        table = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise _native.DataError(f"{path}: {error}") from None
    return Sequence(table, path.parent, target=target)
