"""The plugin for pytest: the fixture `pto_kernel`, and `.pto` files and `case.json` folders as tests."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, Optional

import pytest

from . import _native
from ._recorded import Recorded, from_case, from_run_line, has_run_line
from ._testing import check_against

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--pto-watch`."""
    group = parser.getgroup("pto", "PTO tile programs")
    group.addoption(
        "--pto-watch",
        metavar="WHAT",
        default=None,
        help="watchers of every launch: all, or words of race,sync,init,mem; a finding that is an error fails the test",
    )


def _watch(config: pytest.Config) -> dict[str, Any]:
    watch = config.getoption("--pto-watch")
    return {"watch": watch} if watch else {}


class CheckedKernel:
    """A kernel as tests use it: what `pto_tools.Kernel` has, with the watchers of `--pto-watch`."""

    def __init__(self, kernel: _native.Kernel, options: dict[str, Any]) -> None:
        #: The kernel.
        self.kernel = kernel
        self._options = options

    def check_against(self, reference: Callable[..., Any], **keywords: Any) -> _native.Run:
        """Compares with a reference: `pto_tools.check_against`."""
        return check_against(self.kernel, reference, **{**self._options, **keywords})

    def run(self, *args: Any, **keywords: Any) -> _native.Run:
        """Runs the kernel; a finding of `--pto-watch` that is an error raises its exception."""
        run = self.kernel.run(*args, **{**self._options, **keywords})
        return run.expect_clean() if self._options else run

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        outputs = tuple(self.run(*args, **keywords).outputs.values())
        return outputs[0] if len(outputs) == 1 else outputs or None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


@pytest.fixture
def pto_kernel(request: pytest.FixtureRequest) -> Callable[..., CheckedKernel]:
    """Loads a kernel, relative to the test's file: `pto_kernel("rms.pto", entry=..., target=...)`."""
    folder, options = request.path.parent, _watch(request.config)

    def load(path: os.PathLike[str], *, entry: Optional[str] = None, target: Optional[str] = None) -> CheckedKernel:
        return CheckedKernel(_native.load(folder / path, entry=entry, target=target), options)

    return load


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> Optional[pytest.File]:
    """Collects programs that say how they are run, and recorded cases."""
    if file_path.name == "case.json" and file_path.with_name("kernel.pto").is_file():
        return RecordedFile.from_parent(parent, path=file_path)
    if file_path.suffix == ".pto" and has_run_line(file_path):
        return RecordedFile.from_parent(parent, path=file_path)
    return None


class RecordedFile(pytest.File):
    """A program with a `// run:` line, or a `case.json`."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test."""
        yield RecordedItem.from_parent(self, name="case" if self.path.name == "case.json" else "run")


class RecordedItem(pytest.Item):
    """The launch of a file."""

    def runtest(self) -> None:
        """Runs it."""
        is_case = self.path.name == "case.json"
        recorded: Recorded = from_case(self.path.parent) if is_case else from_run_line(self.path)
        recorded.run(**_watch(self.config))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong with the program, without the stack of the plugin."""
        if isinstance(excinfo.value, (_native.Error, AssertionError)):
            return f"{type(excinfo.value).__name__}: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], Optional[int], str]:
        """The file."""
        return self.path, None, f"pto: {self.path.name}"
