"""Many launches, on any executor."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import queue
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _native
from ._recorded import Recorded, from_case, from_run_line

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True


@dataclass
class Case:
    """A launch of a sweep. It is pickled to where it runs: a kernel as its text."""

    kernel: _native.Kernel
    #: Arguments by name.
    arguments: dict[str, Any] = field(default_factory=dict)
    #: Options of `Kernel.run`.
    options: dict[str, Any] = field(default_factory=dict)
    name: str = ""


@dataclass
class Result:
    """What a launch of a sweep left."""

    name: str
    #: The arrays that the kernel wrote, by argument; empty after an error.
    outputs: dict[str, Any]
    findings: list[_native.Diagnostic]
    #: The exception that the launch raised, if it did.
    error: Optional[Exception]
    #: Wall-clock time of the launch, in seconds.
    seconds: float


AnyCase = Union[Case, Recorded, str, "os.PathLike[str]", tuple[_native.Kernel, dict[str, Any]]]


def _as_case(case: AnyCase) -> Union[Case, Recorded]:
    if isinstance(case, (Case, Recorded)):
        return case
    if isinstance(case, tuple):
        return Case(*case)
    path = pathlib.Path(case)
    return from_case(path) if path.is_dir() else from_run_line(path)


def run_case(case: Union[Case, Recorded]) -> Result:
    """Runs a case where it is called; an exception of the launch becomes part of the result."""
    start = time.perf_counter()
    try:
        run = case.run() if isinstance(case, Recorded) else case.kernel.run(**case.arguments, **case.options)
    except (_native.Error, AssertionError) as error:
        return Result(case.name, {}, [], error, time.perf_counter() - start)
    return Result(case.name, dict(run.outputs), run.findings, None, time.perf_counter() - start)


def _bar(progress: Optional[bool], total: int) -> Callable[[], None]:
    """What is called for each finished case: a bar of tqdm where it is installed."""
    if progress is False:
        return lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda: None
    # Without a wish of the caller, tqdm shows a bar on a terminal only.
    bar = tqdm(total=total, unit="case", disable=None if progress is None else False)

    def step() -> None:
        bar.update()
        if bar.n >= total:
            bar.close()

    return step


# So often a case is given to an executor.
_MOST_TRIES = 3


def sweep(
    cases: Iterable[AnyCase],
    executor: Optional[concurrent.futures.Executor] = None,
    *,
    progress: Optional[bool] = None,
) -> list[Result]:
    """Runs many launches; returns their results in the order of `cases`, each exactly once.

    A case is a `Case`, a pair of kernel and arguments, a `.pto` file with a `// run:` line, or a folder with `case.json`.
    `executor` is any `concurrent.futures.Executor`, such as `ProcessPoolExecutor()`, `dask.distributed.Client.get_executor()`
    or `mpi4py.futures.MPIPoolExecutor()`; without one the launches run here, one after the other. An exception of a launch
    is in its result; a case that the executor fails to run is given to it again, and the third exception is raised.
    `progress`: a bar of tqdm; by default on a terminal only.
    """
    prepared = [_as_case(case) for case in cases]
    step = _bar(progress, len(prepared))
    results: list[Optional[Result]] = [None] * len(prepared)
    if executor is None:
        for at, case in enumerate(prepared):
            results[at] = run_case(case)
            step()
        return results  # type: ignore[return-value]
    ended: queue.SimpleQueue[tuple[int, int, concurrent.futures.Future[Result]]] = queue.SimpleQueue()

    def submit(at: int, tries: int) -> None:
        future = executor.submit(run_case, prepared[at])
        future.add_done_callback(lambda future: ended.put((at, tries, future)))

    for at in range(len(prepared)):
        submit(at, 1)
    left = len(prepared)
    while left > 0:
        at, tries, future = ended.get()
        try:
            results[at] = future.result()
        except Exception:
            # The executor failed, not the launch: a worker died, or its result was lost on the way.
            if tries == _MOST_TRIES:
                raise
            submit(at, tries + 1)
            continue
        left -= 1
        step()
    return results  # type: ignore[return-value]
