"""The commands of `pto` as calls that return objects.

Each runs the command itself: text and data are those that it prints, as text and with `--json`. An exception of a signal handler,
such as KeyboardInterrupt, ends the call; its work goes on without Python until it is done.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterable
from typing import Any, Optional, Union

from . import _native
from ._builder import KernelBuilder
from ._calls import naming, options, unknown
from ._results import (
    Difference,
    Explanation,
    Inspection,
    MemoryMap,
    PathName,
    Recording,
    Replay,
    Report,
    Result,
    Shrunk,
    Timing,
)

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True

Program = Union[_native.Kernel, _native.Lowered, KernelBuilder, str, "os.PathLike[str]"]
Words = Union[str, Iterable[str], None]


#: Options that flags spell otherwise, given their values.
_FLAGS = {"sync_inserted": lambda value: ["--sync=inserted"] if value else []}


def _words(options: dict[str, Any]) -> list[str]:
    """Options as the words of a command line. None and False are options that are not given."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if name in _FLAGS:
            words += _FLAGS[name](value)
        elif value is True:
            words.append(flag)
        elif isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
            words.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
        else:
            words.append(f"{flag}={','.join(str(one) for one in value)}")
    return words


def _spelled(message: str) -> str:
    """A message with options as Python spells them: `'--max-tries <N>'` is `max_tries`."""
    return re.sub(r"'--([a-z-]+)(?: <[^']*>)?'", lambda found: f"`{found[1].replace('-', '_')}`", message)


def _run(kind: type[Result], words: list[str], files: Iterable[tuple[str, bytes]] = ()) -> Result:
    """Runs a command; raises the exception for the findings that prevent a result."""
    try:
        text, data, notes, findings = _native._command(words, list(files))
    except _native.DataError as error:
        raise type(error)(_spelled(str(error))) from None
    if not text and data is None:
        _native._expect_clean(findings)
    return kind(text, None if data is None else json.loads(data), findings, notes)


def _kernel(call: str, program: Any, target: Optional[str]) -> _native.Kernel:
    """The kernel of what a call takes for one."""
    if isinstance(program, (str, os.PathLike)):
        return _native.load(program, target=target)
    if isinstance(program, KernelBuilder):
        return program.build()
    if isinstance(program, _native.Lowered):
        return program.kernel
    if isinstance(program, _native.Kernel):
        return program
    if isinstance(program, _native.CppKernel):
        raise _native.DataError(f"`{call}` takes a kernel in the text of PTO: for one in C++ run `pto {call} kernel.cpp`")
    kind = type(program).__name__
    raise _native.DataError(f"`{call}` takes a kernel, or the path of a .pto file, not {kind}")


def _programs(call: str, programs: Iterable[Any], target: Optional[str]) -> tuple[list[str], list[tuple[str, bytes]]]:
    """Programs as the words of a command line, and as files: names and texts of kernels."""
    names: list[str] = []
    files: list[tuple[str, bytes]] = []
    for program in programs:
        kernel = _kernel(call, program, target)
        text, name, entry, own = kernel.__reduce__()[1]
        name = f"./{name}" if name.startswith("-") else name
        if name in names and (name, text.encode()) not in files:
            name = f"{name} ({len(names) + 1})"
        if not names:
            first = _words({"entry": entry, "target": target or own})
        names.append(name)
        files.append((name, text.encode()))
    return [*names, *first], files


def _launched(
    call: str,
    kind: type[Result],
    given: dict[str, Any],
    others: Iterable[Any] = (),
    defaults: Optional[dict[str, Any]] = None,
) -> Result:
    """Runs a command on a kernel with the arguments of a launch. `given` has what the call was given: `kernel`, `args`,
    `arguments`, and its options. An argument of the kernel comes before an option of the same name."""
    kernel, args, arguments = (given.pop(name) for name in ("kernel", "args", "arguments"))
    target = given.pop("target", None)
    kernel = _kernel(call, kernel, target)
    names = [argument.name for argument in kernel.signature.arguments]
    for name in arguments:
        if name not in names:
            raise unknown(call, name, [*names, *options(globals()[call])])
    for name in set(names) & set(given):
        if given[name] is not None:
            arguments[name] = given.pop(name)
    given.update({name: value for name, value in (defaults or {}).items() if given.get(name) is None})
    words, files = _programs(call, [kernel, *others], target)
    ranks = given.get("ranks") or 1
    if not isinstance(ranks, int) or ranks < 1:
        raise _native.DataError(f"ranks={ranks!r}: it takes a number of ranks")
    for name, source, contents in _native._flags(kernel, ranks, args, arguments):
        words += ["-i", f"{name}={source}"]
        files += [] if contents is None else [(source, contents)]
    return _run(kind, [call, *words, *_words(given)], files)


def time(
    kernel: Program,
    /,
    *args: Any,
    other: Optional[Program] = None,
    device: Optional[str] = None,
    top: Optional[int] = None,
    trace: Optional[PathName] = None,
    trace_limit: Optional[int] = None,
    limit: Optional[int] = None,
    blocks: Optional[int] = None,
    ranks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    watch: Words = None,
    sync_inserted: Optional[bool] = None,
    tconcat_index: Optional[str] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> Timing:
    """Times a launch on a device: where the cycles go, the critical path, waits.

    `args` and `arguments` are those of a call of the kernel: arrays, numbers, and sources such as "randn". Buffers that are not
    given are zeros. `other` is a program to compare with, on the same arguments; `device` a known device or a .toml file; `top`
    the number of lines of each table; `trace` a file for Perfetto, with at most `trace_limit` instructions; `limit` the most
    instructions that are timed; `target` comes before the target of the kernel. The other options are those of `Kernel.run`.
    """
    given = locals()
    others = [] if other is None else [given["other"]]
    del given["other"]
    return _launched("time", Timing, given, others)  # type: ignore[return-value]


def map(
    kernel: Program,
    /,
    *args: Any,
    block: Optional[int] = None,
    rank: Optional[int] = None,
    device: Optional[str] = None,
    limit: Optional[int] = None,
    blocks: Optional[int] = None,
    ranks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    watch: Words = None,
    sync_inserted: Optional[bool] = None,
    tconcat_index: Optional[str] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> MemoryMap:
    """Shows the memory of a block over time: tiles, live and dead, waste, conflicts; `svg` is the picture.

    `block` and `rank` say which block. The other options are those of `pto_tools.time`.
    """
    given = locals()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "map.svg")
        result = _launched("map", MemoryMap, given, defaults={"svg": path, "json": True})
        result.svg = path.read_text() if path.exists() else ""  # type: ignore[attr-defined]
    return result  # type: ignore[return-value]


def report(
    kernel: Program,
    /,
    *args: Any,
    output: Optional[PathName] = None,
    block: Optional[int] = None,
    rank: Optional[int] = None,
    device: Optional[str] = None,
    limit: Optional[int] = None,
    blocks: Optional[int] = None,
    ranks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    watch: Words = None,
    sync_inserted: Optional[bool] = None,
    tconcat_index: Optional[str] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> Report:
    """Makes one page about a run: source, timeline, memory, tiles, races, layouts. Notebooks show it.

    `output` is a file to write it to. The other options are those of `pto_tools.map`.
    """
    given = locals()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report.html")
        result = _launched("report", Report, given, defaults={"output": path})
        is_kept = not path.exists()
        page = pathlib.Path(os.fspath(output) if is_kept else path).read_text(encoding="utf-8")
    result.html = page  # type: ignore[attr-defined]
    result.text = result.notes if is_kept else result.notes.replace(str(path), "a page")
    return result  # type: ignore[return-value]


def diff(
    kernel: Program,
    other: Program,
    /,
    *args: Any,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    ulp: Optional[int] = None,
    blocks: Optional[int] = None,
    ranks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    schedule: Optional[str] = None,
    schedule_seed: Optional[int] = None,
    tconcat_index: Optional[str] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> Difference:
    """Runs two programs on the same arguments, and finds the first instruction whose values differ.

    By default values are compared bit for bit; `atol`, `rtol` and `ulp` are the tolerance. The other options are those of
    `Kernel.run`.
    """
    given = locals()
    others = [given.pop("other")]
    return _launched("diff", Difference, given, others)  # type: ignore[return-value]


@naming
def explain(word: Any = None, *, search: Optional[str] = None, cost: bool = False) -> Explanation:
    """Describes an operation, a rule or any word of a program or a message; a finding by its rule.

    `search` lists what has these words in its name or summary. With `cost`, the text is what an instruction costs on each
    device. Without arguments, all words are listed.
    """
    name = word.rule if isinstance(word, _native.Diagnostic) else word
    if name is not None and not isinstance(name, str):
        raise _native.DataError(f"`explain` takes a word or a finding, not {type(name).__name__}")
    words = ["--list"] if name is None and search is None else [] if name is None else ["--", name]
    result = _run(Explanation, ["explain", *_words({"search": search, "cost": cost}), *words])
    result._word = name or ""  # type: ignore[attr-defined]
    return result  # type: ignore[return-value]


@naming
def inspect(kernel: Program, *, target: Optional[str] = None) -> Inspection:
    """Describes a program: arguments, tiles, pipes, synchronization, and what the watchers can judge.

    `target` comes before the target of the kernel.
    """
    words, files = _programs("inspect", [kernel], target)
    return _run(Inspection, ["inspect", *words], files)  # type: ignore[return-value]


def record(
    kernel: Program,
    /,
    *args: Any,
    save: PathName,
    force: bool = False,
    note: Optional[str] = None,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    ulp: Optional[int] = None,
    blocks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    watch: Words = None,
    sync_inserted: Optional[bool] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> Recording:
    """Runs a kernel once, and writes the folder `save`, which `pto test` and `pto_tools.sweep` run again.

    `force` writes into a folder that is not empty, `note` is a remark, `atol`, `rtol` and `ulp` are the tolerance of the case. The
    other options are those of `Kernel.run`. Findings that are errors prevent the recording, and are raised.
    """
    given = locals()
    result = _launched("record", Recording, given)
    result.folder = pathlib.Path(os.fspath(save))  # type: ignore[attr-defined]
    result.data = json.loads((result.folder / "case.json").read_text(encoding="utf-8"))
    return result  # type: ignore[return-value]


@naming
def replay(
    dump: PathName,
    kernels: PathName,
    *,
    map: Optional[dict[int, str]] = None,
    blocks: Union[int, dict[str, int], None] = None,
    task: Words = None,
    save: Optional[PathName] = None,
    force: bool = False,
    atol: Optional[float] = None,
    rtol: Optional[float] = None,
    ulp: Optional[int] = None,
    watch: Words = None,
    max_steps: Optional[int] = None,
    verbose: bool = False,
    target: Optional[str] = None,
) -> Replay:
    """Runs the tasks of a dump again on their recorded inputs, and finds the first whose outputs differ.

    `dump` is `args_dump.json` or its folder, `kernels` the folder of the programs or one program. `map` has programs by the number of
    their function, `blocks` a number of blocks, also by function, `task` the tasks to run, `save` a folder for the first task that
    differs, `force` writes into a folder that is not empty, `verbose` lists every task; `atol`, `rtol` and `ulp` are the tolerance.
    """
    options = {name: value for name, value in locals().items() if name not in ("dump", "kernels", "map", "blocks")}
    words = [f"--map={number}={path}" for number, path in (map or {}).items()]
    counts = blocks.items() if isinstance(blocks, dict) else []
    words += [f"--blocks={function}={count}" for function, count in counts]
    words += [] if blocks is None or isinstance(blocks, dict) else [f"--blocks={blocks}"]
    places = [os.fspath(dump), f"--kernels={os.fspath(kernels)}"]
    return _run(Replay, ["replay", *places, *words, *_words(options)])  # type: ignore[return-value]


def shrink(
    kernel: Program,
    /,
    *args: Any,
    rule: str,
    output: Optional[PathName] = None,
    max_tries: Optional[int] = None,
    max_seconds: Optional[float] = None,
    blocks: Optional[int] = None,
    ranks: Optional[int] = None,
    seed: Optional[int] = None,
    max_steps: Optional[int] = None,
    schedule: Optional[str] = None,
    schedule_seed: Optional[int] = None,
    watch: Words = None,
    sync_inserted: Optional[bool] = None,
    tconcat_index: Optional[str] = None,
    target: Optional[str] = None,
    **arguments: Any,
) -> Shrunk:
    """Finds the smallest program that keeps a finding of `rule`, of its check or of a run with these arguments.

    `output` is a file that gets the smallest program so far; `max_tries` and `max_seconds` end the search early. The other options are
    those of `Kernel.run`. `program` of the result is the program.
    """
    given = locals()
    return _launched("shrink", Shrunk, given)  # type: ignore[return-value]
