"""Launches that are driven instruction by instruction."""

from __future__ import annotations

import re
from typing import Any

from . import _native

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True


class LiveTile:
    """A tile of a live launch.

    ``array`` is what its valid region holds now; ``rows`` and ``cols`` may be set.
    """

    def __init__(self, live: Live, type: str, address: int | None, valid: tuple[int, int] | None, name: str):
        self._live = live._live
        #: The spelling of its type in programs.
        self.type, rows, cols = _native._Live.tile_type(type)
        #: Its address in bytes, or a place that the launch chose.
        self.address = self._live.place(type) if address is None else address
        #: Valid rows and columns.
        self.rows, self.cols = valid or (rows, cols)
        #: Its name in the text of the launch.
        self.name = name
        self._number = live._next()

    @property
    def array(self) -> Any:
        """The elements of the valid region, as an array of numpy."""
        return self._live.contents(self.type, self.address, self.rows, self.cols)

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        """The same, for numpy."""
        return self.array.__array__(*args, **keywords)

    def __repr__(self) -> str:
        """Name, type and contents."""
        return f"<LiveTile %{self.name}: {self.type}, valid {self.rows}x{self.cols}>\n{self.array}"


class LiveBuffer:
    """An array in global memory of a live launch, in place."""

    def __init__(self, live: Live, array: Any, name: str):
        #: The array.
        self.array = array
        #: Its name in messages.
        self.name = name
        self._address, self._element, shape = live._live.buffer(name, array)
        #: Its extents.
        self.shape = tuple(shape)

    def part(self, offsets: tuple[int, ...], sizes: tuple[int, ...]) -> LivePart:
        """A part of it, as ``tload`` and ``tstore`` take it."""
        return LivePart(self, tuple(offsets), tuple(sizes))


class LivePart:
    """A part of a buffer: offsets and sizes, one for each dimension."""

    def __init__(self, buffer: LiveBuffer, offsets: tuple[int, ...], sizes: tuple[int, ...]):
        if not len(offsets) == len(sizes) == len(buffer.shape):
            dimensions = len(buffer.shape)
            raise _native.DataError(f"`{buffer.name}` has {dimensions} dimensions: give as many offsets and sizes")
        self._buffer, self._offsets, self._sizes = buffer, offsets, sizes


class Live:
    """A launch of one core, instruction by instruction: ``live.tadd(a, b, out=c)``.

    Each instruction runs at once, and tiles show what they hold. ``findings()`` ends the launch and says what the watchers found.
    """

    def __init__(self, target: str | None = None, watch: Any = None):
        self._live = _native._Live(target, watch)
        self._parts: dict[str, int] = {}
        self._numbers = 0

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def tile(
        self, type: str, address: int | None = None, valid: tuple[int, int] | None = None, name: str | None = None
    ) -> LiveTile:
        """A tile: its type as in programs (``"vec, 8x64xf32"``), its address in bytes, or a place of its own."""
        return LiveTile(self, type, address, valid, name or f"t{self._numbers}")

    def buffer(self, array: Any, name: str | None = None) -> LiveBuffer:
        """An array as global memory, in place: stores change it."""
        return LiveBuffer(self, array, name or f"b{self._next()}")

    def run(self, text: str, **operands: Any) -> list[str]:
        """Runs one operation in the text of programs, whose operands are keywords; ``@a`` stands for the type of ``a``.

        ``live.run("pto.tadd ins(%a, %b : @a, @b) outs(%c : @c)", a=a, b=b, c=c)``. Returns what it printed.
        """
        parameters, arguments, body, types = [], [], [], {}
        for name, value in operands.items():
            if isinstance(value, LiveTile):
                types[name] = value.type
                parameters.append(f"%{name}: {value.type}")
                arguments.append(("t", value.address, value.rows, value.cols, value._number))
            elif isinstance(value, LivePart):
                types[name] = _view(name, value, parameters, arguments, body)
            elif isinstance(value, int):
                types[name] = "index"
                parameters.append(f"%{name}: index")
                arguments.append(("s", value % (1 << 64), 0, 0, 0))
            else:
                raise _native.DataError(f"operand `{name}` is a tile, a part of a buffer or an integer")
        operation = re.sub(r"@(\w+)", lambda found: types.get(found[1], found[0]), text)
        function = "\n".join([f"func.func @live({', '.join(parameters)}) {{", *body, f"  {operation}", "  return", "}"])
        if function not in self._parts:
            self._parts[function] = self._live.define(function)
        return self._live.call(self._parts[function], arguments)

    def instruction(self, op: str, *ins: Any, out: Any = None, **attributes: Any) -> list[str]:
        """Runs an instruction by its name; attributes are words or numbers as programs write them."""
        outs = [] if out is None else list(out) if isinstance(out, (list, tuple)) else [out]
        operands, texts = {}, []
        for values in (ins, outs):
            names = [_named(value, f"x{len(operands) + at}", operands) for at, value in enumerate(values)]
            for name, value in zip(names, values):
                operands[name] = value
            written, types = ", ".join(f"%{name}" for name in names), ", ".join(f"@{name}" for name in names)
            texts.append(f"{written} : {types}" if names else "")
        words = ", ".join(f"{key} = {str(value).lower() if isinstance(value, bool) else value}" for key, value in attributes.items())
        after = f" {{{words}}}" if words else ""
        return self.run(f"pto.{op} ins({texts[0]}) outs({texts[1]}){after}", **operands)

    def __getattr__(self, op: str) -> Any:
        """The instruction with this name, as a function of its operands."""
        if op.startswith("_"):
            raise AttributeError(op)
        return lambda *ins, out=None, **attributes: self.instruction(op, *ins, out=out, **attributes)

    def set_flag(self, source: str, destination: str, event: int = 0) -> None:
        """Sets a flag from a pipe to another: ``live.set_flag("MTE2", "V")``."""
        self.run(f"pto.set_flag[<PIPE_{source}>, <PIPE_{destination}>, <EVENT_ID{event}>]")

    def wait_flag(self, source: str, destination: str, event: int = 0) -> None:
        """Waits for a flag."""
        self.run(f"pto.wait_flag[<PIPE_{source}>, <PIPE_{destination}>, <EVENT_ID{event}>]")

    def barrier(self, pipe: str = "ALL") -> None:
        """Orders what a pipe, or all of them, was given before what it is given later."""
        self.run(f"pto.barrier <PIPE_{pipe}>")

    def findings(self) -> list[Any]:
        """Ends the launch: what the watchers found, errors first."""
        return self._live.finish()


def _named(value: Any, fallback: str, taken: dict[str, Any]) -> str:
    """The name of an operand in the text: that of its tile, unless another operand has it."""
    name = getattr(value, "name", None) or fallback
    return name if taken.get(name, value) is value else fallback


def _view(name: str, part: LivePart, parameters: list[str], arguments: list[Any], body: list[str]) -> str:
    """Adds the operations that make the view of a part; returns its type. Offsets are arguments, so that a loop has one part."""
    buffer = part._buffer
    element, shape = buffer._element, buffer.shape
    parameters.append(f"%{name}_p: !pto.ptr<{element}>")
    arguments.append(("p", buffer._address, 0, 0, 0))
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)

    def constants(kind: str, values: Any) -> str:
        names = [f"%{name}_{kind}{at}" for at in range(len(values))]
        body.extend(f"  {one} = arith.constant {value} : index" for one, value in zip(names, values))
        return ", ".join(names)

    offsets = []
    for at, offset in enumerate(part._offsets):
        offsets.append(f"%{name}_o{at}")
        parameters.append(f"%{name}_o{at}: index")
        arguments.append(("s", offset % (1 << 64), 0, 0, 0))
    whole = "!pto.tensor_view<" + "".join(f"{extent}x" for extent in shape) + f"{element}>"
    window = "!pto.partition_tensor_view<" + "".join(f"{size}x" for size in part._sizes) + f"{element}>"
    extents, steps = constants("n", shape), constants("s", strides)
    sizes = constants("z", part._sizes)
    body.append(f"  %{name}_v = pto.make_tensor_view %{name}_p, shape = [{extents}], strides = [{steps}] : {whole}")
    body.append(f"  %{name} = pto.partition_view %{name}_v, offsets = [{', '.join(offsets)}], sizes = [{sizes}] : {whole} -> {window}")
    return window


def live(target: str | None = None, watch: Any = None) -> Live:
    """A launch of one core that is driven instruction by instruction, as in a notebook.

    ``target`` is the device (``"a2a3"``, ``"a5"``, ``"cpu"``), ``watch`` names watchers as for ``Kernel.run``.
    """
    return Live(target, watch)
