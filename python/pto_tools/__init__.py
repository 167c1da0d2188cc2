"""PTO tile programs on numpy arrays: load, check, run and judge them, on any machine.

>>> import pto_tools as pto
>>> kernel = pto.load("rms.pto")
>>> y = kernel(x, g, rows=40, cols=300)
"""

from ._native import (
    Argument,
    CheckError,
    DataError,
    Deadlock,
    Diagnostic,
    Error,
    Kernel,
    OutOfBounds,
    Race,
    Run,
    RunError,
    Signature,
    __version__,
    load,
    parse,
)

__all__ = [
    "Argument",
    "CheckError",
    "DataError",
    "Deadlock",
    "Diagnostic",
    "Error",
    "Kernel",
    "OutOfBounds",
    "Race",
    "Run",
    "RunError",
    "Signature",
    "__version__",
    "load",
    "parse",
]
