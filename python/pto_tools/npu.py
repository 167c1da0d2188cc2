"""A stand-in for the device of torch_npu: scripts that compile kernels and call them by ctypes run on tensors in the memory of the host.

`python -m pto_tools.npu script.py` runs a script with it. In a program of your own:

>>> from pto_tools import npu
>>> npu.stand_in()
>>> import torch, torch_npu
>>> x = torch.rand(20, 2048, device="npu", dtype=torch.float16)  # a tensor of the CPU
>>> library.call_kernel(20, torch.npu.current_stream()._as_parameter_, x.data_ptr())

A launch ends before its call returns, so there is nothing to wait for: a stream has no state, and events measure time of this machine.
"""

from __future__ import annotations

import ctypes
import pathlib
import runpy
import sys
import time
import types
from typing import Any, Optional


class Stream:
    """A stream: ctypes passes it as a null pointer, which launches ignore."""

    #: What ctypes passes.
    _as_parameter_ = ctypes.c_void_p(0)
    #: The same as a number.
    npu_stream = 0

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        """All streams are alike."""

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def synchronize(self) -> None:
        """Does nothing: launches have ended."""

    def query(self) -> bool:
        """True: launches have ended."""
        return True

    def wait_stream(self, stream: Stream) -> None:
        """Does nothing: launches have ended."""

    def wait_event(self, event: Event) -> None:
        """Does nothing: launches have ended."""

    def record_event(self, event: Optional[Event] = None) -> Event:
        """An event that is recorded now."""
        event = event or Event()
        event.record(self)
        return event


class Event:
    """A point in time, on the clock of this machine: `pto time` says what a launch takes on a device."""

    def __init__(self, enable_timing: bool = False, **_: Any) -> None:
        """Without a time until it is recorded."""
        self._time: Optional[float] = None

    def record(self, stream: Optional[Stream] = None) -> None:
        """Takes the time."""
        self._time = time.perf_counter()

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds from this event to another one."""
        if self._time is None or end._time is None:
            raise RuntimeError("both events must be recorded before elapsed_time")
        return (end._time - self._time) * 1000

    def wait(self, stream: Optional[Stream] = None) -> None:
        """Does nothing: launches have ended."""

    def synchronize(self) -> None:
        """Does nothing: launches have ended."""

    def query(self) -> bool:
        """True: launches have ended."""
        return True


def current_stream(device: Any = None) -> Stream:
    """The stream."""
    return Stream()


def default_stream(device: Any = None) -> Stream:
    """The stream."""
    return Stream()


def stream(stream: Optional[Stream]) -> Stream:
    """A context in which a stream is the current one."""
    return stream or Stream()


def synchronize(device: Any = None) -> None:
    """Does nothing: launches have ended."""


def set_device(device: Any) -> None:
    """Does nothing: there is one device."""


def current_device() -> int:
    """0: there is one device."""
    return 0


def device_count() -> int:
    """1: there is one device."""
    return 1


def is_available() -> bool:
    """True."""
    return True


def empty_cache() -> None:
    """Does nothing: the memory is that of the process."""


def manual_seed_all(seed: int) -> None:
    """Seeds the generator of the CPU."""
    import torch

    torch.manual_seed(seed)


manual_seed = manual_seed_all

_FUNCTIONS = [
    Stream, Event, current_stream, default_stream, stream, synchronize, set_device, current_device, device_count, is_available,
    empty_cache, manual_seed, manual_seed_all,
]  # fmt: skip


def stand_in() -> None:
    """Makes `import torch_npu` and `torch.npu` work, and `device="npu"` and `tensor.npu()` mean the CPU, in the rest of the process.

    Raises RuntimeError if torch_npu itself is there. Operators of torch_npu, such as fused attention, are not part of it.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    if getattr(sys.modules.get("torch_npu"), "__is_stand_in__", False):
        return
    if "torch_npu" in sys.modules or hasattr(torch, "npu"):
        raise RuntimeError("torch has an npu already: the stand-in is for machines without one")

    def host(value: Any) -> Any:
        return "cpu" if isinstance(value, str) and value.split(":")[0] == "npu" else value

    # Sees the arguments of every function of torch, also those of `torch.device`.
    class OnHost(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = {name: host(value) for name, value in (kwargs or {}).items()}
            return function(*map(host, args), **kwargs)

    mode = OnHost()
    mode.__enter__()
    npu = types.ModuleType("torch.npu", "The stand-in of pto_tools for a device.")
    for thing in _FUNCTIONS:
        setattr(npu, thing.__name__, thing)
    npu.manual_seed = manual_seed
    torch.npu = npu
    torch.Tensor.npu = lambda tensor, *_, **__: tensor.cpu()
    torch_npu = types.ModuleType("torch_npu", npu.__doc__)
    torch_npu.npu, torch_npu.__is_stand_in__ = npu, True

    def missing(name: str) -> Any:
        raise AttributeError(f"the stand-in for torch_npu has no `{name}`: it has streams, events and devices, but no operators")

    torch_npu.__getattr__ = missing
    # The mode counts as long as somebody has it.
    torch_npu._mode = mode
    sys.modules.update({"torch_npu": torch_npu, "torch.npu": npu})


def _main(words: list[str]) -> None:
    if not words:
        raise SystemExit("usage: python -m pto_tools.npu script.py [argument ...]")
    stand_in()
    sys.argv = words
    # As Python does for a script.
    sys.path[0] = str(pathlib.Path(words[0]).resolve().parent)
    runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    _main(sys.argv[1:])
