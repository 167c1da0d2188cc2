"""Calls as Python shows them: signatures and help of kernels, and misspelt keywords."""

from __future__ import annotations

import ast
import functools
import inspect
import pathlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from . import _native

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True

Call = TypeVar("Call", bound=Callable[..., Any])


def unknown(call: str, name: str, known: Iterable[str]) -> _native.CallError:
    """The error for a keyword that a call does not have."""
    return _native._no_such_argument(call, name, list(known))


def options(function: Callable[..., Any]) -> list[str]:
    """The keywords that a function has."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]


def naming(function: Call) -> Call:
    """The function, which names a misspelt keyword and the one that is meant."""
    known = options(function)

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        for name in keywords:
            if name not in known:
                raise unknown(function.__name__, name, known)
        return function(*args, **keywords)

    # Where pickle finds it: modules with `_` are private.
    call.__module__ = function.__module__.split("._")[0]
    return call  # type: ignore[return-value]


def read_text(path: Any) -> str:
    """The text of a file."""
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise _native.FileNotFound(error.errno, error.strerror, str(path)) from None
    except OSError as error:
        raise _native.FileError(error.errno, error.strerror, str(path)) from None
    except UnicodeDecodeError as error:
        raise _native.DataError(f"{path}: not a text file: {error}") from None


class _Default:
    """A default that no value stands for, such as `<from the shape of x>`."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"<{self._text}>"


def _is_positional(argument: Any) -> bool:
    return argument.kind == "scalar" or argument.kind == "buffer" and argument.direction != "out"


def _described(argument: Any) -> str:
    """The type of an argument, as an annotation: `f32[rows, 64], in`."""
    shape = f"[{', '.join(argument.shape)}]" if argument.shape else ""
    direction = f", {argument.direction}" if argument.direction else ""
    return f"{argument.dtype}{shape}{direction}"


def _extent_of(name: str, arguments: list[Any]) -> Any:
    """The buffer whose shape has a scalar as an extent; None if none does."""
    given = (one for one in arguments if one.shape and _is_positional(one) and name in one.shape)
    return next(given, None)


def _default(argument: Any, arguments: list[Any]) -> Any:
    """The default of an argument, which says what happens without it; `inspect.Parameter.empty` if it is required."""
    if argument.kind == "scalar":
        buffer = _extent_of(argument.name, arguments)
        return inspect.Parameter.empty if buffer is None else _Default(f"from the shape of {buffer.name}")
    if argument.kind == "launch":
        return _Default("from the launch")
    return _Default("allocated") if argument.direction == "out" else inspect.Parameter.empty


def signature(kernel: Any) -> inspect.Signature:
    """The signature of a call of a kernel: positional arguments, those by name, options."""
    arguments = kernel.signature.arguments
    positional, named = [], []
    for argument in arguments:
        default = _default(argument, arguments)
        kind = inspect.Parameter.KEYWORD_ONLY
        if isinstance(kernel, _native.CppKernel) or _is_positional(argument):
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            if default is inspect.Parameter.empty and any(one.default is not one.empty for one in positional):
                # Python has no required argument behind one that has a default.
                default = _Default("required")
        parameter = inspect.Parameter(argument.name, kind, default=default, annotation=_described(argument))
        (positional if kind == inspect.Parameter.POSITIONAL_OR_KEYWORD else named).append(parameter)
    taken = {argument.name for argument in arguments}
    launch = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=ast.literal_eval(default))
        for name, default in _native._options(isinstance(kernel, _native.CppKernel))
        if name not in taken
    ]
    return inspect.Signature([*positional, *named, *launch])


_DIRECTIONS = {
    "in": "read",
    "out": "written; allocated and returned unless it is given",
    "inout": "read, and written in place",
    "unused": "not used",
    None: "a buffer",
}


def _line(argument: Any, arguments: list[Any]) -> str:
    """What help says about an argument."""
    what = {"scalar": "a scalar", "launch": "a number that the launch fills in", "other": "no array and no number"}
    text = what.get(argument.kind) or _DIRECTIONS[argument.direction]
    buffer = _extent_of(argument.name, arguments) if argument.kind == "scalar" else None
    if buffer is not None:
        text += f"; by default the extent of {buffer.name}"
    shape = f"[{', '.join(argument.shape)}]" if argument.shape else ""
    return f"    {argument.name}: {argument.dtype}{shape}\n        {text[0].upper()}{text[1:]}."


def documentation(kernel: Any) -> str:
    """The documentation of a kernel: its arguments, then what a call does."""
    arguments = kernel.signature.arguments
    lines = [f"{kernel.signature}, of {kernel.name} for {kernel.target}", ""]
    if arguments:
        lines += ["Arguments:", *(_line(argument, arguments) for argument in arguments), ""]
    return "\n".join([*lines, "Calls:", "    " + inspect.getdoc(type(kernel).run).replace("\n", "\n    ")])


class _OfInstances:
    """An attribute that instances compute, and for which the class has another value, or none."""

    def __init__(self, compute: Callable[[Any], Any], own: Any = None) -> None:
        self._compute, self._own = compute, own

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is not None:
            return self._compute(instance)
        if self._own is None:
            raise AttributeError
        return self._own


for _kind in (_native.Kernel, _native.CppKernel):
    _kind.__doc__ = _OfInstances(documentation, _kind.__doc__)
    _kind.__signature__ = _OfInstances(signature)
