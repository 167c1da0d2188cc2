"""Comparison of kernels with references."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Optional

import numpy as np

from . import _native

# pytest: a traceback ends at the line of the caller.
__tracebackhide__ = True


def compared(got: Any, want: Any, dtype: str, **tolerance: Any) -> Optional[str]:
    """How an array differs from the expected one by more than the tolerance, as text; None if it does not.

    `dtype` is the word of the format of `got`, such as "bf16". An expected array of another format, such as the f32
    reference of a bf16 result, is compared in f64, by `atol` and `rtol`.
    """
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"the result has the shape {got.shape}, the expected array {want.shape}"
    if got.dtype == want.dtype:
        return _native._compare(got, want, dtype, **tolerance)
    atol, rtol = tolerance.get("atol", 0.0), tolerance.get("rtol", 0.0)
    got, want = got.astype(np.float64), want.astype(np.float64)
    equal = (got == want) | (np.isnan(got) & np.isnan(want))
    with np.errstate(invalid="ignore"):
        near = equal | (np.isfinite(got) & np.isfinite(want) & (np.abs(got - want) <= atol + rtol * np.abs(want)))
    if near.all():
        return None
    wrong = np.argwhere(~near)
    first = tuple(int(at) for at in wrong[0])
    return (
        f"{len(wrong)} of {got.size} values differ (tolerance: atol {atol}, rtol {rtol})"
        f"\n  first at {list(first)}: {got[first]}, expected {want[first]}"
    )


def check_against(
    kernel: _native.Kernel,
    reference: Callable[..., Any],
    *,
    atol: float = 0.0,
    rtol: float = 0.0,
    ulp: int = 0,
    **keywords: Any,
) -> _native.Run:
    """Runs a kernel and a reference on the same arguments, and compares what they return; returns the run.

    `reference` gets the arguments by name, or in the order of `keywords` if it names them otherwise. It returns the array
    that the kernel writes, a tuple of such arrays in the order of the signature, or a dict by name. Keywords that no
    argument of the kernel has are options of `Kernel.run`. Findings of watchers that are errors are raised.
    """
    signature = kernel.signature.arguments
    names = {argument.name for argument in signature}
    arguments = {name: value for name, value in keywords.items() if name in names}
    copies = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    run = kernel.run(**keywords)
    run.expect_clean()
    wanted = _named(_called(reference, copies), list(run.outputs))
    formats = {argument.name: argument.dtype for argument in signature}
    for name, want in wanted.items():
        if name not in run.outputs:
            raise _native.Mismatch(f"the reference returns `{name}`, which the kernel does not write")
        problem = compared(run.outputs[name], want, formats[name], atol=atol, rtol=rtol, ulp=ulp)
        if problem:
            raise _native.Mismatch(f"`{name}` of {kernel.name}: {problem}")
    return run


def _called(reference: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        inspect.signature(reference).bind(**arguments)
    except (TypeError, ValueError):
        return reference(*arguments.values())
    return reference(**arguments)


def _named(result: Any, names: list[str]) -> dict[str, Any]:
    if isinstance(result, Mapping):
        return dict(result)
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(names):
        raise _native.Mismatch(f"the reference returns {len(results)} arrays, the kernel writes {', '.join(names)}")
    return dict(zip(names, results))


def randn(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray:
    """An array of normally distributed numbers: the same ones for the same shape and seed."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)
