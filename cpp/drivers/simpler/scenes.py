"""Loads scene tests of simpler without its native extension, which only its own runtime needs."""

import enum
import importlib.util
import inspect
import sys
import types
from pathlib import Path


class ArgDirection(enum.IntEnum):
    SCALAR, IN, OUT, INOUT = range(4)


class Missing:
    """Stands for a name of the native extension: to load a test it has to exist, to use it needs the extension."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        return Missing(f"{self.name}.{name}")

    def __call__(self, *arguments, **named):
        if len(arguments) == 1 and not named and inspect.isroutine(arguments[0]) | inspect.isclass(arguments[0]):
            return arguments[0]
        raise Refused(f"it uses `{self.name}` of simpler's own runtime")


class Refused(Exception):
    """A scene that this runner does not run, and why."""


def stand_in(name):
    module = types.ModuleType(name)
    module.ArgDirection = ArgDirection
    module.__getattr__ = lambda attribute: Missing(f"{name}.{attribute}")
    return module


def scene_of(simpler, example):
    """The first scene test of an example: a class of its test file."""
    sys.path[:0] = [str(simpler), str(simpler / "python")]
    sys.modules["simpler.task_interface"] = stand_in("simpler.task_interface")
    if "pytest" not in sys.modules and importlib.util.find_spec("pytest") is None:
        pytest = stand_in("pytest")
        # Decorators of pytest leave a class as it is.
        marked = lambda *arguments, **named: arguments[0] if arguments and inspect.isclass(arguments[0]) else lambda item: item
        pytest.mark = type("Mark", (), {"__getattr__": lambda self, name: marked})()
        sys.modules["pytest"] = pytest
    files = sorted(Path(example).glob("test_*.py"))
    if not files:
        raise Refused("it has no scene test")
    spec = importlib.util.spec_from_file_location(files[0].stem, files[0])
    module = importlib.util.module_from_spec(spec)
    sys.modules[files[0].stem] = module
    sys.path.insert(0, str(files[0].parent))
    spec.loader.exec_module(module)
    from simpler_setup import SceneTestCase

    scenes = [item for item in vars(module).values()
              if inspect.isclass(item) and issubclass(item, SceneTestCase) and item is not SceneTestCase
              and item.__module__ == module.__name__]
    if not scenes:
        raise Refused("its test file is no scene test of one chip")
    scene = scenes[0]
    if "callables" in scene.CALLABLE:
        raise Refused("its orchestration is in Python and for several chips")
    return scene


def cases_of(scene, platform, all_of_them):
    """The cases of a scene for a device; those for manual runs only if all are asked for."""
    from simpler_setup.scene_test import is_manual_for_platform

    return [case for case in scene.CASES
            if {platform, platform + "sim"} & set(case["platforms"])
            and (all_of_them or not is_manual_for_platform(case.get("manual", False), platform))]
