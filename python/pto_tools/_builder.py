"""Kernels from Python calls, instruction by instruction. Each is checked when it is added."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from typing import Any, Optional, Union

from . import _native

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True

Number = Union[int, "Value"]


class Value:
    """A value of a kernel under construction: a scalar, a tile, a view. Index values have `+ - * // %`."""

    def __init__(self, kernel: KernelBuilder, number: int, kind: str, element: str) -> None:
        self._kernel, self._number = kernel, number
        #: "scalar", "tile", "view" or "part".
        self.kind = kind
        #: The word of its element type, or of its own type for a scalar.
        self.element = element
        self._shape: tuple[Number, ...] = ()

    def part(self, offsets: Sequence[Number], sizes: Sequence[Number]) -> Value:
        """The part of a view that begins at `offsets` and has `sizes`, in elements, outermost dimension first."""
        if self.kind != "view" or len(offsets) != len(self._shape) or len(sizes) != len(self._shape):
            raise _native.DataError(
                f"a part takes {len(self._shape)} offsets and sizes of a view, not {len(offsets)} and {len(sizes)}"
            )
        kernel = self._kernel
        offsets = [kernel._index(offset) for offset in offsets]
        sizes = [kernel._extent(size) for size in sizes]
        number = kernel._native.part(kernel._name(self) + "_part", self._number, offsets, sizes, self.element)
        return Value(kernel, number, "part", self.element)

    def _with(self, operation: str, left: Number, right: Number) -> Value:
        kernel = self._kernel
        if self.kind != "scalar" or self.element != "index":
            raise _native.DataError(f"{operation} takes index values, not a {self.kind} of {self.element}")
        operands = [kernel._index(left), kernel._index(right)]
        return Value(kernel, kernel._native.arithmetic(f"arith.{operation}", operands, "index"), "scalar", "index")

    def __add__(self, other: Number) -> Value:
        return self._with("addi", self, other)

    def __radd__(self, other: int) -> Value:
        return self._with("addi", other, self)

    def __sub__(self, other: Number) -> Value:
        return self._with("subi", self, other)

    def __rsub__(self, other: int) -> Value:
        return self._with("subi", other, self)

    def __mul__(self, other: Number) -> Value:
        return self._with("muli", self, other)

    def __rmul__(self, other: int) -> Value:
        return self._with("muli", other, self)

    def __floordiv__(self, other: Number) -> Value:
        return self._with("floordivsi", self, other)

    def __mod__(self, other: Number) -> Value:
        return self._with("remsi", self, other)

    def __repr__(self) -> str:
        return f"<{self.kind} of {self.element}>"


def _pipe(name: Any) -> str:
    """The word of a pipe in programs: "MTE2" is `PIPE_MTE2`."""
    word = str(name).upper()
    return word if word.startswith("PIPE_") else f"PIPE_{word}"


class KernelBuilder:
    """A kernel under construction. Every tile instruction is a method: `k.tadd(a, b, out=c)`.

    Positional arguments are the operands that it reads, `out` those that it writes (one, or a tuple), other keywords its
    attributes. Numbers among the operands are constants of the element type of the first tile. `set_flag`, `wait_flag` and
    `barrier` order pipes. What a rule forbids raises CheckError and leaves the kernel as it was.
    """

    def __init__(self, name: str, *, target: Optional[str] = None) -> None:
        self._native = _native._Builder(name, target)
        self._names: dict[int, str] = {}
        self._entry = name

    def scalar(self, name: str, dtype: str = "index") -> Value:
        """Adds an argument that is a scalar."""
        number = self._native.scalar(name, dtype)
        return self._named(Value(self, number, "scalar", dtype), name)

    def buffer(self, name: str, dtype: str, shape: Sequence[Number]) -> Value:
        """Adds an argument that is a buffer; returns a view of it, in C order. Extents are numbers or index values."""
        if not 1 <= len(shape) <= 5:
            raise _native.DataError(f"a buffer has 1 to 5 extents, not {len(shape)}")
        pointer = self._native.pointer(name, dtype)
        strides: list[Number] = [1]
        for extent in reversed(shape[1:]):
            strides.insert(0, strides[0] * extent)
        extents, steps = [self._extent(extent) for extent in shape], [self._index(stride) for stride in strides]
        view = Value(self, self._native.view(name + "_view", pointer, extents, steps, dtype), "view", dtype)
        view._shape = tuple(shape)
        return self._named(view, name)

    def tile(
        self,
        type: str,
        *,
        name: str = "t",
        valid: Optional[tuple[Number, Number]] = None,
        address: Optional[int] = None,
    ) -> Value:
        """Makes a tile of a type such as `vec, 8x64xf32`.

        `valid` are rows and columns of the valid region; those that are values of the kernel are open in the type (`valid=?x64`).
        `address` is in bytes; without one, `pto lower` and the machine choose.
        """
        region = None if valid is None else (self._extent(valid[0]), self._extent(valid[1]))
        at = None if address is None else self._native.integer("i64", address)
        number, element = self._native.tile(name, type, region, at)
        return self._named(Value(self, number, "tile", element), name)

    def set_flag(self, source: str, destination: str, event: Number = 0) -> None:
        """Lets the pipe `source` set a flag for the pipe `destination`: `k.set_flag("MTE2", "V")`.

        `event` is 0 to 7, or an index value that the kernel computes, such as `row % 2`.
        """
        self._flag("set_flag", source, destination, event)

    def wait_flag(self, source: str, destination: str, event: Number = 0) -> None:
        """Lets the pipe `destination` wait until the pipe `source` has set the flag `event`."""
        self._flag("wait_flag", source, destination, event)

    def barrier(self, pipe: str = "ALL") -> None:
        """Lets a pipe, or all of them, complete what was issued before anything that is issued after."""
        self._native.operation("barrier", [], pipe=_pipe(pipe))

    def set_validshape(self, tile: Value, rows: Number, cols: Number) -> None:
        """Changes the valid rows and columns of a tile whose type leaves both open (`valid=?x?`)."""
        region = [("tile", self._operand(tile, "")._number), ("rows", self._index(rows)), ("cols", self._index(cols))]
        self._native.operation("set_validshape", region)

    def _flag(self, operation: str, source: str, destination: str, event: Number) -> None:
        pipes = {"src": _pipe(source), "dst": _pipe(destination)}
        if isinstance(event, Value):
            self._native.operation(f"{operation}_dyn", [("event", self._index(event))], **pipes)
        else:
            self._native.operation(operation, [], event=f"EVENT_ID{event}", **pipes)

    def constant(self, value: Union[int, float], dtype: str = "index") -> Value:
        """A constant."""
        if isinstance(value, float) or dtype.startswith(("f", "bf")):
            return Value(self, self._native.float(dtype, repr(float(value))), "scalar", dtype)
        return Value(self, self._native.integer(dtype, value), "scalar", dtype)

    def min(self, a: Number, b: Number) -> Value:
        """The smaller of two index values."""
        return self._two("minsi", a, b)

    def max(self, a: Number, b: Number) -> Value:
        """The larger of two index values."""
        return self._two("maxsi", a, b)

    def block(self) -> tuple[Value, Value]:
        """The index of the block that runs, and the number of blocks."""
        facts = []
        for operation, name in (("get_block_idx", "block"), ("get_block_num", "blocks")):
            wide = self._native.fact(operation, name)
            number = self._native.arithmetic("arith.index_cast", [wide], "index")
            facts.append(Value(self, number, "scalar", "index"))
        return facts[0], facts[1]

    @contextlib.contextmanager
    def loop(self, start: Number, stop: Number, step: Number = 1, *, name: str = "i") -> Iterator[Value]:
        """Repeats the body for each index from `start` up to but not with `stop`."""
        bounds = (self._index(start), self._index(stop), self._index(step))
        variable = Value(self, self._native.begin_loop(name, bounds), "scalar", "index")
        with self._region():
            yield self._named(variable, name)

    @contextlib.contextmanager
    def section(self, core: str) -> Iterator[None]:
        """Code for one kind of core: "cube" or "vector"."""
        if core not in ("cube", "vector"):
            raise _native.DataError(f"core={core!r}: the words are cube, vector")
        self._native.begin_section(core == "cube")
        with self._region():
            yield

    @contextlib.contextmanager
    def _region(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._native.abandon()
            raise
        self._native.end()

    @property
    def text(self) -> str:
        """The program so far."""
        return self._native.text()

    def build(self) -> _native.Kernel:
        """The kernel, checked as a whole."""
        return _native.parse(self.text, name=f"<{self._entry}>")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return functools.partial(self.instruction, name)

    def instruction(
        self, name: str, *ins: Union[Value, int, float], out: Union[Value, Sequence[Value]] = (), **attributes: Any
    ) -> None:
        """Adds a tile instruction by its name. `k.tadd(...)` is `k.instruction("tadd", ...)`."""
        outs = [out] if isinstance(out, Value) else list(out)
        tiles = [value for value in [*outs, *ins] if isinstance(value, Value) and value.kind == "tile"]
        element = tiles[0].element if tiles else "f32"
        operands = [self._operand(value, element)._number for value in ins]
        self._native.instruction(name, operands, [self._operand(value, element)._number for value in outs], attributes)

    def _operand(self, value: Any, element: str) -> Value:
        if isinstance(value, Value):
            if value._kernel is not self:
                raise _native.DataError("the value belongs to another kernel")
            return value
        if isinstance(value, (int, float)):
            return self.constant(value, element)
        raise _native.DataError(f"an operand is a value of the kernel or a number, not {type(value).__name__}")

    def _two(self, operation: str, a: Number, b: Number) -> Value:
        first = a if isinstance(a, Value) else self.constant(a)
        return first._with(operation, a, b)

    def _index(self, number: Number) -> int:
        if isinstance(number, Value):
            return self._operand(number, "index")._number
        return self._native.integer("index", number)

    def _extent(self, number: Number) -> tuple[Optional[int], int]:
        return (None if isinstance(number, Value) else number, self._index(number))

    def _named(self, value: Value, name: str) -> Value:
        self._names[value._number] = name
        return value

    def _name(self, value: Value) -> str:
        return self._names.get(value._number, "x")


def kernel(name: str, *, target: Optional[str] = None) -> KernelBuilder:
    """Begins a kernel for a target ("cpu", "a2a3", "a5").

    >>> k = pto.kernel("double", target="a5")
    >>> rows = k.scalar("rows")
    >>> x, y = k.buffer("x", "f32", (rows, 64)), k.buffer("y", "f32", (rows, 64))
    >>> with k.loop(0, rows, 8) as row:
    ...     t = k.tile("vec, 8x64xf32")
    ...     k.tload(x.part((row, 0), (8, 64)), out=t)
    ...     k.tadd(t, t, out=t)
    ...     k.tstore(t, out=y.part((row, 0), (8, 64)))
    >>> double = k.build()
    """
    return KernelBuilder(name, target=target)
