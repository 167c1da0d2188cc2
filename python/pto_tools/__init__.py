"""PTO tile programs on numpy arrays: load, check, run and judge them, on any machine.

>>> import pto_tools as pto
>>> kernel = pto.load("rms.pto")
>>> y = kernel(x, g, rows=40, cols=300)
"""

from . import _builder, _live, _native, _session, _sweep, _testing, cpp
from ._builder import KernelBuilder, Value
from ._calls import naming
from ._commands import diff, explain, inspect, map, record, replay, report, shrink, time
from ._native import (
    Argument,
    Buffer,
    BusyError,
    CallError,
    CheckError,
    Counterexample,
    Coverage,
    CppKernel,
    CppRun,
    DataError,
    Deadlock,
    Diagnostic,
    Error,
    FileError,
    FileNotFound,
    Insertion,
    Kernel,
    LaunchConflict,
    LaunchWarning,
    Layout,
    Lowered,
    MaxSteps,
    Memory,
    MemoryMisuse,
    Mismatch,
    OutOfBounds,
    PlaceError,
    QueueError,
    Race,
    Run,
    RunError,
    Signature,
    SyncError,
    Tile,
    UninitializedRead,
    Verification,
    __version__,
)
from ._live import Live, LiveBuffer, LivePart, LiveTile
from ._results import (
    Difference,
    Explanation,
    Inspection,
    MemoryMap,
    Recording,
    Replay,
    Report,
    Result as CommandResult,
    Shrunk,
    Timing,
)
from ._session import Sequence, SequenceRun, Session
from ._sweep import Case, Result
from ._testing import check_against

kernel = naming(_builder.kernel)
layout = naming(_native.layout)
live = naming(_live.live)
load = naming(_native.load)
load_sequence = naming(_session.load_sequence)
lower = naming(_native.lower)
parse = naming(_native.parse)
randn = naming(_testing.randn)
sweep = naming(_sweep.sweep)
verify = naming(_native.verify)

# Without `inspect`, `map` and `time`: `from pto_tools import *` leaves those of Python as they are.
__all__ = [
    "Argument",
    "Buffer",
    "BusyError",
    "CallError",
    "Case",
    "CheckError",
    "CommandResult",
    "Counterexample",
    "Coverage",
    "CppKernel",
    "CppRun",
    "DataError",
    "Deadlock",
    "Diagnostic",
    "Difference",
    "Error",
    "Explanation",
    "FileError",
    "FileNotFound",
    "Insertion",
    "Inspection",
    "Kernel",
    "KernelBuilder",
    "LaunchConflict",
    "LaunchWarning",
    "Layout",
    "Live",
    "LiveBuffer",
    "LivePart",
    "LiveTile",
    "Lowered",
    "MaxSteps",
    "Memory",
    "MemoryMap",
    "MemoryMisuse",
    "Mismatch",
    "OutOfBounds",
    "PlaceError",
    "QueueError",
    "Race",
    "Recording",
    "Replay",
    "Report",
    "Result",
    "Run",
    "RunError",
    "Sequence",
    "SequenceRun",
    "Session",
    "Shrunk",
    "Signature",
    "SyncError",
    "Tile",
    "Timing",
    "UninitializedRead",
    "Value",
    "Verification",
    "__version__",
    "check_against",
    "cpp",
    "diff",
    "explain",
    "kernel",
    "layout",
    "live",
    "load",
    "load_sequence",
    "lower",
    "parse",
    "randn",
    "record",
    "replay",
    "report",
    "shrink",
    "sweep",
    "verify",
]
