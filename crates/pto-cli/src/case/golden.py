"""Writes the inputs and the expected outputs of a PyPTO case as .npy files, and a list of them.

python3 -c THIS CASE FOLDER [golden]: reads data/in and data/out of the folder CASE; with the word `golden`, it also runs golden.py
there. Contents recorded in data count before those that golden.py makes.
"""

import ctypes
import importlib.util
import json
import pathlib
import sys

import numpy


def is_scalar(value):
    return isinstance(value, (bool, int, float, numpy.generic, ctypes._SimpleCData))


def scalar_text(value):
    value = getattr(value, "value", value) if isinstance(value, ctypes._SimpleCData) else value
    value = value.item() if isinstance(value, numpy.generic) else value
    return str(value).lower() if isinstance(value, bool) else repr(value)


def to_numpy(value):
    """A numpy array; formats that numpy does not have as their bits."""
    if hasattr(value, "detach"):
        import torch

        value = value.detach().cpu().contiguous()
        bits = {1: torch.uint8, 2: torch.int16}.get(value.element_size())
        if value.dtype.is_floating_point and value.dtype not in (torch.float16, torch.float32, torch.float64):
            value = value.view(bits).numpy()
            return value.view(numpy.uint16) if value.dtype == numpy.int16 else value
        value = value.numpy()
    value = numpy.asarray(value)
    if value.dtype.kind == "V" or value.dtype.name in ("bfloat16",) or value.dtype.name.startswith("float8"):
        value = value.view({1: numpy.uint8, 2: numpy.uint16}[value.dtype.itemsize])
    return numpy.ascontiguousarray(value).reshape(value.shape)


def recorded(folder):
    """The arrays of a folder by name, in the order of their names."""
    arrays = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.suffix == ".pt":
            import torch

            arrays[path.stem] = torch.load(path, map_location="cpu", weights_only=True)
        elif path.suffix == ".npy":
            arrays[path.stem] = numpy.load(path, allow_pickle=False)
        elif path.suffix == ".npz":
            with numpy.load(path, allow_pickle=False) as archive:
                arrays.update({name: archive[name] for name in archive.files})
    return arrays


def load(path):
    specification = importlib.util.spec_from_file_location("golden", path)
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, str(path.parent))
    specification.loader.exec_module(module)
    return module


def main(case, folder, golden=None):
    golden = load(case / "golden.py") if golden else None
    inputs, outputs = recorded(case / "data" / "in"), recorded(case / "data" / "out")
    params = getattr(golden, "ALL_CASES", {}).get(getattr(golden, "DEFAULT_CASE", None), {})
    pairs = golden.generate_inputs(dict(params)) if golden else {}
    values = dict(pairs.items() if hasattr(pairs, "items") else pairs)
    values.update({name: array for name, array in inputs.items() if name in values or not golden})
    names = list(getattr(golden, "__outputs__", outputs))
    listed = []
    for number, (name, value) in enumerate(values.items()):
        if is_scalar(value):
            listed.append({"name": name, "value": scalar_text(value)})
        else:
            numpy.save(folder / f"in{number}.npy", to_numpy(value), allow_pickle=False)
            listed.append({"name": name, "file": f"in{number}.npy"})
    if not all(name in outputs for name in names):
        made = golden.compute_golden(values, dict(params))
        values.update(made if isinstance(made, dict) else {})
        outputs = {name: values[name] for name in names}
    expected = []
    for number, name in enumerate(names):
        numpy.save(folder / f"out{number}.npy", to_numpy(outputs[name]), allow_pickle=False)
        expected.append({"name": name, "file": f"out{number}.npy"})
    result = {"args": listed, "expected": expected}
    for key in ("RTOL", "ATOL"):
        if hasattr(golden, key):
            result[key.lower()] = float(getattr(golden, key))
    (folder / "case.json").write_text(json.dumps(result))


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), *sys.argv[3:])
