"""Kernels on numpy arrays. Shapes are in elements, outermost dimension first; lines and columns count from 1."""

import os
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

Severity = Literal["error", "extension", "lint"]
Target = Literal["cpu", "a2a3", "a5"]

__version__: str

def load(path: Union[str, os.PathLike[str]], *, entry: Optional[str] = None, target: Optional[Target] = None) -> Kernel:
    """Reads and checks the program of a file.

    `entry` names the function to run, where there are several; `target` is the profile to check for, by default that of
    the program. Raises CheckError for an illegal program, OSError for a file that cannot be read.
    """

def parse(
    text: str, *, entry: Optional[str] = None, target: Optional[Target] = None, name: str = "<text>"
) -> Kernel:
    """Checks a program. `name` stands for the file in messages. Raises CheckError for an illegal program."""

class Kernel:
    """A checked kernel."""

    @property
    def signature(self) -> Signature:
        """Arguments: names, formats, shapes, directions."""

    @property
    def text(self) -> str:
        """The program's text."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Runs the kernel on arrays and numbers; returns the arrays that it writes: one, a tuple, or None.

        Positional arguments are those that the kernel does not only write, in the order of the signature; each argument can
        be given by name. Buffers that are only written are allocated, in the shape that follows from the scalars, unless they
        are given; they are written in place. Scalars that are extents of views follow from the shapes of arrays.
        Keywords that no argument has are options: those of `run`.
        """

    def run(self, *args: Any, **keywords: Any) -> Run:
        """Runs the kernel as a call does; returns outputs and findings.

        Options: `grid` or `blocks` (number of blocks, 1), `threads` (0: one per core), `max_steps` (per block),
        `watch` ("all", or words of "race,sync,init,mem"), `schedule` ("program", "lazy", "eager", "random", "adversarial"),
        `seed` (of the schedule), `sync_inserted` (a compiler adds flags: assume program order), `log` (keep a log).
        Raises OutOfBounds, Deadlock or RunError if the run stops, and DataError for arguments that do not fit.
        """

    def check(self, *, target: Optional[Target] = None) -> list[Diagnostic]:
        """All findings about the text, for a target: errors, extensions, lints."""

class Signature:
    """The arguments of a kernel, in order."""

    @property
    def entry(self) -> str:
        """The name of the entry function."""

    @property
    def arguments(self) -> list[Argument]:
        """The arguments."""

class Argument:
    """An argument of a kernel."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def kind(self) -> Literal["buffer", "scalar", "launch", "other"]:
        """A buffer, a scalar, or a number that the launch fills in."""

    @property
    def dtype(self) -> str:
        """The word of its format, such as `f32` or `index`."""

    @property
    def shape(self) -> Optional[list[str]]:
        """The extents of its first view as expressions of scalars; None for scalars and without a view."""

    @property
    def direction(self) -> Optional[Literal["in", "out", "inout", "unused"]]:
        """What the kernel does with a buffer; None for a scalar."""

class Run:
    """What a run left."""

    @property
    def outputs(self) -> dict[str, Any]:
        """The arrays that the kernel writes, by argument."""

    @property
    def findings(self) -> list[Diagnostic]:
        """Findings of the watchers, and warnings at run time."""

    @property
    def printed(self) -> list[str]:
        """Texts that the program printed."""

    @property
    def log(self) -> list[str]:
        """What ran, a line for each entry, with `log=True`."""

    @property
    def instructions(self) -> int:
        """Number of tile instructions that ran."""

    def expect_clean(self) -> Run:
        """Raises the exception for the first finding that is an error, if there is one; returns the run."""

class Diagnostic:
    """A finding about a program."""

    @property
    def rule(self) -> str:
        """The id of the rule, which `pto explain` knows."""

    @property
    def severity(self) -> Severity:
        """How bad it is."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def line(self) -> Optional[int]:
        """The line in the program; None if it is about no line."""

    @property
    def column(self) -> Optional[int]:
        """The column; None if it is about no line."""

    @property
    def notes(self) -> list[str]:
        """Facts that explain the message."""

    @property
    def help(self) -> list[str]:
        """What to do."""

class Error(Exception):
    """What a program does wrong."""

    rule: str
    line: Optional[int]
    diagnostics: Sequence[Diagnostic]

class CheckError(Error):
    """The text is no legal program."""

class RunError(Error):
    """A rule of the ISA is broken during a run, or the run does not end."""

class OutOfBounds(RunError):
    """An access outside of a buffer in global memory."""

class Deadlock(RunError):
    """Cores or pipes wait for each other."""

class Race(Error):
    """Two accesses that nothing orders."""

class DataError(ValueError):
    """Arguments that do not fit the kernel."""
