"""Launches that files describe: `// run:` lines of programs, and `case.json` folders."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import pathlib
import shlex
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np

from . import _native
from ._calls import read_text
from ._testing import compared

RUN, TARGET = "// run:", "// target:"
TARGETS = ("cpu", "a2a3", "a2", "a3", "a5")


@dataclass
class Recorded:
    """A launch with what must come out."""

    name: str
    kernel: _native.Kernel
    arguments: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    #: Expected arrays by argument.
    expected: dict[str, np.ndarray] = field(default_factory=dict)
    #: `atol`, `rtol`, `ulp`, `nan_payload`.
    tolerance: dict[str, Any] = field(default_factory=dict)

    def run(self, **options: Any) -> _native.Run:
        """Runs it; raises the exception for a finding that is an error, or AssertionError for a wrong result."""
        run = self.kernel.run(**self.arguments, **{**self.options, **options})
        run.expect_clean()
        formats = {argument.name: argument.dtype for argument in self.kernel.signature.arguments}
        for name, want in self.expected.items():
            got = run.outputs.get(name, self.arguments.get(name))
            problem = compared(got, want.reshape(got.shape), formats[name], **self.tolerance)
            if problem:
                raise _native.Mismatch(f"{self.name}: `{name}`: {problem}")
        return run


def has_run_line(path: pathlib.Path) -> bool:
    """Whether a program says how it is run."""
    with open(path, errors="replace") as lines:
        return any(line.startswith(RUN) for line in lines)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise _native.DataError(f"`{RUN}`: {message}")


def _flags() -> argparse.ArgumentParser:
    """The flags of `pto run` that a `// run:` line may have."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for flag in ("-i", "--input"):
        parser.add_argument(flag, action="append", default=[], dest="inputs")
    for flag in ("-o", "--output"):
        parser.add_argument(flag, action="append", default=[], dest="outputs")
    parser.add_argument("--expect", action="append", default=[])
    for flag, kind in (("--atol", float), ("--rtol", float), ("--ulp", int)):
        parser.add_argument(flag, type=kind)
    for flag in ("--blocks", "--ranks", "--seed", "--max-steps", "--threads", "--max-reports"):
        parser.add_argument(flag, type=int)
    for flag in ("--entry", "--watch", "--schedule", "--tconcat-index", "--sync"):
        parser.add_argument(flag)
    return parser


def from_run_line(path: pathlib.Path) -> Recorded:
    """The launch of a program's `// run:` line, for the first target of its `// target:` line."""
    text = read_text(path)
    comments = [line for line in text.splitlines() if line.startswith("//")]
    line = next((line[len(RUN) :] for line in comments if line.startswith(RUN)), "")
    targets = next((line[len(TARGET) :] for line in comments if line.startswith(TARGET)), "")
    target = next((word.strip() for word in targets.split(",") if word.strip() in TARGETS), None)
    flags = _flags().parse_args(shlex.split(line))
    kernel = _native.parse(text, entry=flags.entry, target=target, name=str(path))
    names = ("blocks", "ranks", "seed", "max_steps", "threads", "max_reports", "watch", "schedule", "tconcat_index")
    options = {name: getattr(flags, name) for name in names if getattr(flags, name) is not None}
    options["missing"] = "zeros"
    if flags.sync == "inserted":
        options["sync_inserted"] = True
    expected = {}
    for text in flags.expect:
        name, file = _assignment(text)
        expected[name] = _load(file)
    tolerance = {name: getattr(flags, name) for name in ("atol", "rtol", "ulp") if getattr(flags, name) is not None}
    arguments = _arguments(flags.inputs, flags.ranks or 1, kernel)
    return Recorded(str(path), kernel, arguments, options, expected, tolerance)


#: Type names of ml_dtypes in `.npy` files, with the types of their bits.
_BITS = {"bfloat16": "<u2", "float8_e4m3fn": "|u1", "float8_e5m2": "|u1", "float8_e8m0fnu": "|u1"}


def _load(path: Union[str, pathlib.Path]) -> np.ndarray:
    """The array of a `.npy` file. bf16 and 8-bit floats are unsigned integers where ml_dtypes is missing."""
    with contextlib.suppress(ImportError):
        importlib.import_module("ml_dtypes")
    try:
        return np.load(path)
    except ValueError:
        contents = pathlib.Path(path).read_bytes()
        for name, bits in _BITS.items():
            quoted = repr(name).encode()
            if quoted in contents:
                # The header comes first, and keeps its length.
                same = contents.replace(quoted, repr(bits).encode().ljust(len(quoted)), 1)
                return np.load(io.BytesIO(same))
        raise


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise _native.DataError(f"`{RUN}`: `{text}` is not ARG=SOURCE")
    return name, value


def _arguments(inputs: list[str], ranks: int, kernel: _native.Kernel) -> dict[str, Any]:
    """Sources by argument: a text for all ranks, or a dict by rank."""
    names = [argument.name for argument in kernel.signature.arguments]
    found: dict[str, dict[int, str]] = {}
    for text in sorted(inputs, key=lambda text: "@" in text.partition("=")[0]):
        place, source = _assignment(text)
        name, _, rank = place.lstrip("%").partition("@")
        if name not in names and name.isdigit() and int(name) < len(names):
            name = names[int(name)]
        which = [int(rank)] if rank else range(ranks)
        found.setdefault(name, {}).update({rank: source for rank in which})
    return {name: table if ranks > 1 else table[0] for name, table in found.items()}


def from_case(folder: pathlib.Path) -> Recorded:
    """The launch of a folder with `case.json` and a program."""
    case = json.loads(read_text(folder / "case.json"))
    program = case.get("program", "kernel.pto")
    if not program.endswith(".pto"):
        raise _native.DataError(f"{folder}: {program} is a kernel in C++, which `pto test` runs")
    kernel = _native.load(folder / program, target=case.get("profile"))
    signature = kernel.signature.arguments
    if len(case["args"]) != len(signature):
        raise _native.DataError(f"{folder}: the case has {len(case['args'])} arguments, the kernel {len(signature)}")
    arguments, expected = {}, {}
    for described, argument in zip(case["args"], signature):
        role = described["role"]
        if role == "scalar":
            arguments[argument.name] = _scalar(described)
            continue
        if "expect" in described:
            expected[argument.name] = _load(folder / described["expect"])
        if role == "out":
            arguments[argument.name] = np.zeros_like(expected[argument.name])
        else:
            arguments[argument.name] = _load(folder / described["file"])
    return Recorded(str(folder), kernel, arguments, {}, expected, _tolerance(case))


def _tolerance(case: dict[str, Any]) -> dict[str, Any]:
    written = case.get("tolerance", {"kind": "exact"})
    tolerance: dict[str, Any] = {"nan_payload": case.get("nan") == "exact"}
    if written["kind"] == "ulp":
        tolerance["ulp"] = written["max"]
    if written["kind"] == "close":
        tolerance.update(atol=written.get("atol", 0.0), rtol=written.get("rtol", 0.0))
    return tolerance


def _scalar(described: dict[str, Any]) -> Any:
    """A scalar of a case: its value, or the number that its bits are."""
    bits: Optional[Any] = described.get("bits")
    if bits is None:
        value = described["value"]
        return float(value) if isinstance(value, str) and not value.lstrip("-").isdigit() else value
    number = int(bits, 0) if isinstance(bits, str) else int(bits)
    kind = described["dtype"]
    if kind == "f32":
        return np.uint32(number).view(np.float32)
    if kind == "f16":
        return np.uint16(number).view(np.float16)
    if kind == "bf16":
        return np.uint32(number << 16).view(np.float32)
    width = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}.get(kind, 0)
    return number - (1 << width) if width and number >> (width - 1) else number
