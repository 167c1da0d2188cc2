"""Kernels on numpy arrays. Shapes are in elements, outermost dimension first; lines and columns count from 1."""

import os
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

Severity = Literal["error", "extension", "lint"]
Target = Literal["cpu", "a2a3", "a5"]
Direction = Literal["in", "out", "inout", "unused"]

__version__: str

def load(path: Union[str, os.PathLike[str]], *, entry: Optional[str] = None, target: Optional[Target] = None) -> Kernel:
    """Reads and checks the program of a file.

    `entry` names the function to run, where there are several; `target` is the profile to check for, by default that of
    the program. Raises CheckError for an illegal program, FileNotFound or another FileError for a file that cannot be read.
    """

def parse(
    text: str, *, entry: Optional[str] = None, target: Optional[Target] = None, name: str = "<text>"
) -> Kernel:
    """Checks a program. `name` stands for the file in messages; `entry` and `target` are those of `load`. Raises CheckError for an illegal program."""

def layout(tile: str, *, target: Optional[Target] = None) -> Layout:
    """The layout of a tile type, such as `mat, 32x32xf16, blayout=col_major, slayout=row_major`.

    Raises CheckError for a type that the target does not accept.
    """

def lower(
    program: Union[Kernel, str],
    *,
    multi_buffer: int = 1,
    sync: Optional[Literal["flags", "tokens", "fewest"]] = "flags",
    place: bool = True,
    canonicalize: bool = False,
    verify: bool = True,
    target: Optional[Target] = None,
) -> Lowered:
    """Gives addresses to the tiles of a program, and inserts flags and barriers that order their accesses, as `pto lower`.

    `multi_buffer` repeats loops that load and compute, so that each round has tiles of its own: 1 to 8; `sync=None` and
    `place=False` leave out a pass; `canonicalize` folds constants first. Of the programs that the passes can make the fastest is kept, and verified against
    the source unless `verify=False`. Raises CheckError for an illegal program, and if tiles do not fit: its notes list what is alive
    at the fullest point. An exception of a signal handler, such as KeyboardInterrupt, ends the call; the passes go on in a
    thread of their own until they are done.
    """

def verify(
    source: Union[Kernel, str],
    lowered: Union[Kernel, str],
    *,
    inputs: Optional[dict[str, Any]] = None,
    entry: Optional[str] = None,
    blocks: Optional[int] = None,
    seed: int = 0,
    assume_v_chains: bool = False,
    target: Optional[Target] = None,
) -> Verification:
    """Whether `lowered` computes what `source` computes, under every schedule, without a race; as `pto verify`.

    `inputs` has arrays, numbers or sources such as "randn" by argument; all others are generated, scalars in several ways.
    `entry` is the kernel, by default that of `source`. Raises CheckError for an illegal program and DataError for inputs that do
    not fit. An exception of a signal handler, such as KeyboardInterrupt, ends the call; the launches go on in a thread of their own
    until they are done.
    """

class Lowered:
    """A lowered program, and what the passes did."""

    @property
    def text(self) -> str:
        """The program."""

    @property
    def kernel(self) -> Kernel:
        """The program as a kernel with the entry and the target of the source."""

    @property
    def insertions(self) -> list[Insertion]:
        """The flags, tokens and barriers that were inserted."""

    @property
    def buffers(self) -> list[Memory]:
        """The memory of each function and buffer in which a tile is; empty with `place=False`."""

    @property
    def multi_buffered(self) -> int:
        """Number of loops whose tiles have several buffers."""

    @property
    def unknown(self) -> Optional[str]:
        """Why it is not known that the result computes what its source computes; None if it was accepted, or not verified."""

    @property
    def microseconds(self) -> Optional[float]:
        """Its time on the usual device, if several programs were timed; else None."""

class Insertion:
    """A flag, a token or a barrier that was inserted."""

    @property
    def kind(self) -> Literal["flag", "token", "barrier"]:
        """Its kind."""

    @property
    def function(self) -> str:
        """The function, without `@`."""

    @property
    def pipes(self) -> list[str]:
        """The pipe that sets and the pipe that waits; the pipe of a barrier alone."""

    @property
    def event(self) -> Optional[int]:
        """The event id of a flag, the number of a token; None for a barrier."""

    @property
    def carried(self) -> bool:
        """Whether it orders accesses of different rounds of a loop."""

    @property
    def lines(self) -> list[int]:
        """The lines of the two accesses that it orders, in the source."""

class Memory:
    """The memory of a function in one buffer."""

    @property
    def function(self) -> str:
        """The function, without `@`."""

    @property
    def buffer(self) -> str:
        """The buffer, such as `UB` or `L1`."""

    @property
    def peak(self) -> int:
        """The end of the last tile, in bytes."""

    @property
    def bound(self) -> int:
        """The most bytes that are alive at one time."""

    @property
    def capacity(self) -> int:
        """The bytes that may be used."""

    @property
    def tiles(self) -> list[tuple[str, int, int]]:
        """Name, address and size in bytes of each tile."""

class Verification:
    """What a verification found out; true if the lowered program is accepted."""

    @property
    def accepted(self) -> bool:
        """Whether all properties hold."""

    @property
    def properties(self) -> dict[str, Literal["holds", "fails", "unknown"]]:
        """The verdict on `signature`, `lowered`, `silent`, `bits` and `coverage`."""

    @property
    def verdict(self) -> Literal["accepted", "rejected", "unknown"]:
        """`rejected` if a property fails, `unknown` if none fails and some are not known."""

    @property
    def instructions(self) -> int:
        """Number of tile instructions of the lowered program, and of operations that order pipes or cores."""

    @property
    def ran(self) -> int:
        """Number of those that ran in a launch in which both programs were compared."""

    @property
    def not_run(self) -> list[int]:
        """Lines of the others."""

    @property
    def counterexample(self) -> Optional[Counterexample]:
        """The smallest launch found in which the first failing property fails; None if none does."""

    @property
    def compared(self) -> int:
        """Number of launches, without schedules, in which both programs were compared."""

    @property
    def skipped(self) -> int:
        """Number of launches in which the source does not run."""

    @property
    def findings(self) -> list[Diagnostic]:
        """What is wrong, as findings about the lowered program; if nothing is, what is not known."""

class Counterexample:
    """The smallest launch found in which a property does not hold."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def launch(self) -> str:
        """The launch in words: scalars, blocks, schedule."""

    @property
    def argument(self) -> Optional[str]:
        """The buffer that differs; None if none does."""

    @property
    def element(self) -> Optional[int]:
        """The index of the first element that differs."""

    @property
    def want(self) -> Optional[str]:
        """Its value after the source."""

    @property
    def got(self) -> Optional[str]:
        """Its value after the lowered program."""

    @property
    def findings(self) -> list[Diagnostic]:
        """Findings of the check or of watchers in the lowered program."""

    @property
    def property(self) -> Literal["signature", "silent", "bits"]:
        """The property."""

class Kernel:
    """A checked kernel. It pickles as its text."""

    @property
    def signature(self) -> Signature:
        """Arguments: names, formats, shapes, directions."""

    @property
    def text(self) -> str:
        """The program's text."""

    @property
    def name(self) -> str:
        """The file, or the name that was given with the text."""

    @property
    def target(self) -> Target:
        """The target that the program is checked for."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Runs the kernel on arrays and numbers; returns the arrays that it writes: one, a tuple, or None.

        Positional arguments are those that the kernel does not only write, in the order of the signature; each argument can
        be given by name. Buffers that are only written are allocated, in the shape that follows from the scalars, unless they
        are given; they are written in place. Scalars that are extents of views follow from the shapes of arrays.
        A text is a source as `pto run -i` takes it: "randn", "arange:16x32", "x.npy". Keywords that no argument has are
        options: those of `run`. Suspicious arguments give a LaunchWarning.
        """

    def run(self, *args: Any, **keywords: Any) -> Run:
        """Runs the kernel as a call does; returns outputs, findings, coverage, tiles.

        Options:
        `grid` or `blocks` (number of blocks, 1), `threads` (0: one per core), `max_steps` (of a block);
        `watch` ("all", or words of "race,sync,init,mem"), `max_reports` (most findings of watchers, 20);
        `schedule` ("program", "lazy", "eager", "random", "adversarial"), `seed` (of "rand" and "randn"), `schedule_seed` (of the
        schedule; by default `seed`);
        `sync_inserted` (a compiler adds flags: assume program order);
        `uninitialized` ("zero", or "nan": unwritten tiles and outputs start as ones in each bit, NaN in float formats);
        `missing` ("error", or "zeros": buffers that the kernel reads may be left out);
        `tiles` (tiles to keep, such as ["%sum@42"]), `log` (keep a log), `tconcat_index` ("bytes" or "columns");
        `ranks` (number of ranks, 1): then a list gives an argument for each rank, a dict for some ranks, anything else for
        all; "rank", "ranks", "comm", "@1" and "@1:window" are the sources of `pto run`; outputs are lists.

        Raises OutOfBounds, Deadlock, MaxSteps or another RunError if the run stops, and DataError for arguments that do not
        fit. An exception of a signal handler, such as KeyboardInterrupt, stops the run within about 20 ms.
        """

    def check(self, *, target: Optional[Target] = None) -> list[Diagnostic]:
        """All findings about the text, for a target: errors, extensions, lints."""

class CppKernel:
    """A kernel in C++ that `pto_tools.cpp.load` has compiled and loaded. It pickles as the arguments of that call, and is compiled again."""

    @property
    def signature(self) -> Signature:
        """Arguments: names and formats, by debug information; "any" for `void *` and pointers to bytes."""

    @property
    def name(self) -> str:
        """The file."""

    @property
    def target(self) -> Target:
        """The target for which it was compiled."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Runs the kernel on arrays and numbers; returns the arrays that it has written: one, a tuple, or None.

        Arguments are given in the order of the function's parameters, or by name. A pointer takes an array of numpy, or what has DLPack, in
        place: a contiguous one of the pointer's format, of any shape; None is a null pointer. A pointer to `const` also takes arrays that
        cannot be written. Keywords that no argument has are options: those of `run`. All arrays count as written.
        """

    def run(self, *args: Any, **keywords: Any) -> CppRun:
        """Runs the kernel as a call does; returns outputs and findings.

        Options, as those of `Kernel.run`: `grid` or `blocks`, `watch`, `max_reports`, `seed`, `sync_inserted`, `uninitialized`,
        `tconcat_index`.

        Raises OutOfBounds, Deadlock or another RunError if a finding stops the run, and DataError for arguments that do not fit. An
        exception of a signal handler, such as KeyboardInterrupt, stops it at its next instruction. A launch waits for one of another thread.
        A wild pointer ends the process, and so does an exception of the kernel.
        """

class CppRun:
    """What a run of a kernel in C++ left."""

    @property
    def outputs(self) -> dict[str, Any]:
        """The arrays that the kernel has written, by argument."""

    @property
    def findings(self) -> list[Diagnostic]:
        """Findings of the watchers, with the lines of the source."""

    @property
    def printed(self) -> list[str]:
        """Texts that instructions printed, such as TPRINT. What the kernel prints by `printf` goes to stdout."""

    @property
    def instructions(self) -> int:
        """Number of tile instructions that ran."""

    def expect_clean(self) -> CppRun:
        """Raises the exception for the first finding that is an error, if there is one; returns the run."""

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
    def direction(self) -> Optional[Direction]:
        """What the kernel does with a buffer; None for a scalar."""

class Run:
    """What a run left."""

    @property
    def outputs(self) -> dict[str, Any]:
        """The arrays that the kernel writes, by argument; with several ranks lists with one for each."""

    @property
    def findings(self) -> list[Diagnostic]:
        """Findings of the watchers, and warnings about the launch."""

    @property
    def printed(self) -> list[str]:
        """Texts that the program printed."""

    @property
    def log(self) -> list[str]:
        """What ran, a line for each entry, with `log=True`."""

    @property
    def instructions(self) -> int:
        """Number of tile instructions that ran."""

    @property
    def coverage(self) -> Coverage:
        """How often each tile instruction ran."""

    def expect_clean(self) -> Run:
        """Raises the exception for the first finding that is an error, if there is one; returns the run."""

    def tile(self, name: str, line: Optional[int] = None, *, run: int = -1) -> Tile:
        """The contents of a tile after an instruction: that of `line`, by default the last one that names the tile.

        `run` counts the runs of the instruction from 0; by default the last. Unless the option `tiles` named the tile, the
        launch is repeated; arrays that have changed since raise DataError.
        """

    def tiles(self, name: str, line: Optional[int] = None) -> list[Tile]:
        """The contents after each run of the instruction, at most the last 16384."""

class Coverage:
    """How often each tile instruction of a program ran."""

    @property
    def lines(self) -> dict[int, int]:
        """Number of runs of the tile instructions of each line that has any."""

    @property
    def missed(self) -> list[tuple[int, str]]:
        """Tile instructions that never ran, as line and name."""

    @property
    def total(self) -> int:
        """Number of tile instructions in the program."""

class Tile:
    """The contents of a tile after an instruction; `numpy.asarray` takes it."""

    @property
    def name(self) -> str:
        """Its name, without `%`."""

    @property
    def line(self) -> int:
        """The line of the instruction."""

    @property
    def type(self) -> str:
        """Declared shape, element type and location, such as `16x32xf32 vec`."""

    @property
    def rank(self) -> int:
        """The rank that ran the instruction."""

    @property
    def block(self) -> int:
        """The block that ran the instruction."""

    @property
    def array(self) -> Any:
        """Its valid region as an array of rows by columns, in elements."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the valid region."""

class Layout:
    """Where the elements of a tile lie in memory."""

    @property
    def name(self) -> Literal["ND", "DN", "NZ", "ZN", "ZZ", "NN"]:
        """Its name."""

    @property
    def type(self) -> str:
        """The tile type in full."""

    @property
    def shape(self) -> tuple[int, int]:
        """Declared rows and columns, in elements."""

    @property
    def box(self) -> tuple[int, int]:
        """Rows and columns of a box, in elements; (1, 1) without boxes."""

    @property
    def bytes(self) -> int:
        """Size of the tile in bytes."""

    @property
    def buffer(self) -> str:
        """The on-chip buffer that holds it."""

    def offset(self, row: int, col: int) -> int:
        """Offset of an element from the start of the tile, in elements."""

    def offsets(self) -> Any:
        """Offsets of all elements, in elements, as an array of rows by columns."""

class Buffer:
    """A buffer of a session, or consecutive elements of one: `buffer[first:end]`, counted through all dimensions."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def dtype(self) -> str:
        """The word of its format, such as `f32`."""

    @property
    def array(self) -> Any:
        """Its contents, without a copy: launches change them. A part has one dimension."""

    def __len__(self) -> int:
        """Number of elements."""

    def __getitem__(self, part: slice) -> Buffer:
        """A part of it, in elements."""

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
    def file(self) -> str:
        """The name of the program."""

    @property
    def line(self) -> Optional[int]:
        """The line in the program; None if it is about no line."""

    @property
    def source(self) -> Optional[str]:
        """The text of the line."""

    @property
    def element(self) -> Optional[tuple[int, ...]]:
        """Index of the element that it is about, such as row and column of a tile; None if it is about none."""

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
    """The base of all exceptions of the package. `rule`, `line`, `element` and `diagnostics` say what a program does wrong, and where."""

    rule: Optional[str]
    line: Optional[int]
    element: Optional[tuple[int, ...]]
    diagnostics: Sequence[Diagnostic]

class CheckError(Error):
    """The text is no legal program."""

class RunError(Error):
    """A rule of the ISA is broken during a run, or the run does not end."""

class OutOfBounds(RunError):
    """An access outside of a buffer in global memory."""

class Deadlock(RunError):
    """Cores or pipes wait for each other."""

class MaxSteps(RunError):
    """A block has run more steps than `max_steps` allows."""

class QueueError(RunError):
    """A queue between cores is used wrongly."""

class Race(Error):
    """Two accesses that nothing orders."""

class SyncError(Error):
    """A flag or an event is used wrongly."""

class UninitializedRead(Error):
    """A read of memory that nothing has written."""

class MemoryMisuse(Error):
    """Tiles that live at the same time share memory."""

class LaunchConflict(Error):
    """Launches without order access the same bytes."""

class DataError(Error, ValueError):
    """Arguments that do not fit."""

class CallError(DataError, TypeError):
    """An argument or an option that a call does not have, lacks, or is given twice."""

class PlaceError(DataError, IndexError):
    """An index outside of a tile or of a buffer."""

class FileError(Error, OSError):
    """A file that cannot be read."""

class FileNotFound(FileError, FileNotFoundError):
    """A file that does not exist."""

class BusyError(Error, RuntimeError):
    """A session in use by another thread."""

class Mismatch(Error, AssertionError):
    """A result that differs from the expected one."""

class LaunchWarning(UserWarning):
    """A launch runs, though its arguments suggest a mistake."""
