#!/usr/bin/env python3
"""Runs examples of simpler on the machine, and compares their results with the goldens of the examples.

Kernels and orchestration are compiled unchanged, with `pto c++` and the headers of this repository, and run on a pool of threads
(runtime.cpp). Inputs, goldens and tolerances are those of the example's test file, which needs torch. Each case runs in a process of its
own, and PTO_WATCH names watchers as for any kernel.

    run.py SIMPLER a2a3/tensormap_and_ringbuffer/vector_example a5/tensormap_and_ringbuffer/bgemm
"""

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import scenes
from scenes import Refused

HERE = Path(__file__).resolve().parent
TYPES = "float32 float16 int32 int16 int8 uint8 bfloat16 int64 uint64 uint16 uint32 bool".split()


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_uint32), ("rank", ctypes.c_uint32),
                ("shape", ctypes.c_uint32 * 5)]


class Kernel(ctypes.Structure):
    _fields_ = [("entry", ctypes.c_void_p), ("core", ctypes.c_int32)]


class Report(ctypes.Structure):
    _fields_ = [("tasks", ctypes.c_uint64), ("calls", ctypes.c_uint64), ("threads", ctypes.c_uint32)]


class Build:
    """Shared objects of an example: one for each kernel, and one with the orchestration and the runtime."""

    def __init__(self, options, scene, target, folder):
        self.options, self.target, self.folder = options, target, Path(folder)
        simpler, runtime = options.simpler, scene._st_runtime
        source = simpler / "src" / target / "runtime" / runtime
        self.shared = [simpler / "src/common/platform/include", simpler / "src/common/task_interface", simpler / "src/common",
                       source / "runtime", source / "common", simpler / "src" / target / "platform/include"]
        self.incore = [simpler / "simpler_setup/incore", *self.shared]
        self.support = [*sorted((source / "orchestration").glob("*.cpp")),
                        *sorted((source / "host_orchestration_support").glob("*.cpp"))]
        self.orchestration = [source / "orchestration", *self.shared]

    def run(self, command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            raise Refused("does not compile: " + (lines[0] if lines else "no message"))

    def include(self, folders):
        return [word for folder in folders for word in ("-I", folder)]

    def kernel(self, incore):
        extra = [os.path.expandvars(str(folder)) for folder in incore.get("extra_include_dirs", [])]
        result = self.folder / f"kernel{incore['func_id']}.so"
        cores = "cube" if incore["core_type"] == "aic" else "vector"
        if not result.exists():
            self.run([self.options.pto, "c++", "--target", self.target, "--cores", cores, "-std=c++20", "-O1", "-shared", "-fPIC", "-w",
                      *self.options.flag, *self.include(self.incore + extra), incore["source"], "-o", result])
        return result

    def all(self, scene):
        # The library that kernels are linked with has the memory of the runtime, too.
        libraries = subprocess.run([self.options.pto, "c++", "--libs"], capture_output=True, text=True, check=True)
        entry = scene.CALLABLE["orchestration"]["source"]
        result = self.folder / "orchestration.so"
        command = ["g++", "-std=c++17", "-g", "-O1", "-shared", "-fPIC", "-w", *self.include([HERE, *self.orchestration]),
                   HERE / "runtime.cpp", *self.support, entry, *libraries.stdout.split(), "-pthread", "-o", result]
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            jobs = [workers.submit(self.kernel, incore) for incore in scene.CALLABLE["incores"]]
            if not result.exists():
                jobs.append(workers.submit(self.run, command))
            for job in jobs:
                job.result()


def changes(options):
    """Parameters of a case that are not those of the example."""
    return {name: int(value) for name, value in (change.split("=") for change in options.set)}


def words_of(value):
    """A scalar of C as the bits of a word."""
    if isinstance(value, (ctypes.c_float, ctypes.c_double)):
        return int.from_bytes(bytes(value), "little")
    return int(getattr(value, "value", value)) % (1 << 64)


def run_case(options, scene, case, folder):
    """Runs a case in this process. Returns the greatest error, and what the pool has done."""
    import torch
    scene_test = sys.modules["simpler_setup.scene_test"]
    torch.manual_seed(0)
    test, params, callable = scene(), case.get("params", {}) | changes(options), scene.CALLABLE
    given = test.generate_args(params)
    tensors = [spec for spec in given.specs if hasattr(spec.value, "data_ptr")]
    scalars = [words_of(spec.value) for spec in given.specs if not hasattr(spec.value, "data_ptr")]
    arguments = (Argument * len(tensors))()
    for argument, spec in zip(arguments, tensors):
        shape = tuple(spec.value.shape)
        argument.data, argument.rank = spec.value.data_ptr(), len(shape)
        argument.type = TYPES.index(str(spec.value.dtype).removeprefix("torch."))
        argument.shape = shape + (0,) * (5 - len(shape))
    kernels = (Kernel * (1 + max(incore["func_id"] for incore in callable["incores"])))()
    for incore in callable["incores"]:
        library = ctypes.CDLL(str(Path(folder) / f"kernel{incore['func_id']}.so"))
        kernel = kernels[incore["func_id"]]
        kernel.entry = ctypes.cast(library.kernel_entry, ctypes.c_void_p)
        kernel.core = 0 if incore["core_type"] == "aic" else 1
    library = ctypes.CDLL(str(Path(folder) / "orchestration.so"))
    library.run_orchestration.restype = ctypes.c_char_p
    skip = case.get("skip_golden", scene.SKIP_GOLDEN)
    golden, worst = given.clone(), 0.0
    compare = scene_test._compare_outputs

    def measured(actual, expected, names, *tolerances):
        nonlocal worst
        for name in names:
            difference = getattr(actual, name).double() - getattr(expected, name).double()
            worst = max(worst, difference.abs().max().item())
        compare(actual, expected, names, *tolerances)

    scene_test._compare_outputs = measured
    if not skip:
        test.compute_golden(golden, params)
    report = Report()
    begin = time.monotonic()
    why = library.run_orchestration(
        ctypes.cast(getattr(library, callable["orchestration"]["function_name"]), ctypes.c_void_p), arguments, len(tensors),
        (ctypes.c_uint64 * len(scalars))(*scalars), len(scalars), kernels, len(kernels), options.clusters, ctypes.byref(report))
    seconds = time.monotonic() - begin
    if why:
        raise Refused(why.decode())
    directions = callable["orchestration"]["signature"]
    outputs = [spec.name for spec, direction in zip(tensors, directions) if direction >= scenes.ArgDirection.OUT]
    result = "agrees"
    try:
        if skip:
            result = "runs, has no golden"
        else:
            test.compare_outputs(given, golden, outputs, params)
    except AssertionError as error:
        result = f"differs: {error}"
    return {"result": result, "worst": worst, "seconds": round(seconds, 2), "tasks": report.tasks, "calls": report.calls,
            "threads": report.threads}


def in_a_process(options, example, case, folder):
    """Runs a case in a process of its own, which a finding may end."""
    command = [sys.executable, __file__, options.simpler, example, "--one", case["name"], "--build", folder,
               "--clusters", str(options.clusters), *(word for change in options.set for word in ("--set", change))]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return {"result": f"did not end within {options.seconds} s"}
    if options.verbose or done.returncode != 0:
        sys.stderr.write(done.stderr)
    found = [line for line in done.stderr.splitlines() if line.startswith(("error", "pto:", "Traceback"))]
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        answer = {"result": f"ended with status {done.returncode}"}
    if done.returncode != 0 and found:
        answer["result"] += f" ({found[0]})"
    return answer


def run_example(options, name, folder):
    """Compiles an example and runs its cases. Returns whether all agree."""
    example = options.simpler / "examples" / name
    target = Path(name).parts[0]
    try:
        scene = scenes.scene_of(options.simpler, example)
        if options.one:
            case = next(case for case in scene.CASES if case["name"] == options.one)
            print(json.dumps(run_case(options, scene, case, folder)))
            return True
        cases = [case for case in scenes.cases_of(scene, target, options.all) if options.case in (None, case["name"])]
        begin = time.monotonic()
        Build(options, scene, target, folder).all(scene)
        print(f"{name}: compiled in {time.monotonic() - begin:.0f} s", flush=True)
    except Refused as why:
        print(json.dumps({"result": f"refused: {why}"}) if options.one else f"{name} | - | not run: {why}", flush=True)
        return bool(options.one)
    agree = True
    for case in cases:
        answer = in_a_process(options, name, case, folder)
        agree &= answer["result"].startswith(("agrees", "runs")) and "(" not in answer["result"]
        counts = ", ".join(f"{key} {answer[key]}" for key in ("worst", "seconds", "tasks", "calls", "threads") if key in answer)
        print(f"{name} | {case['name']} | {answer['result']} | {counts}", flush=True)
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simpler", type=Path, help="source tree of simpler")
    parser.add_argument("examples", nargs="+", help="folders below its examples")
    parser.add_argument("--pto", default="pto", help="the command")
    parser.add_argument("--flag", action="append", default=[], help="a flag for the compiler of kernels")
    parser.add_argument("--all", action="store_true", help="also cases that the example marks as manual")
    parser.add_argument("--case", help="this case only")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER", help="a parameter of the case, such as a smaller batch")
    parser.add_argument("--clusters", type=int, default=4, help="number of clusters of three threads")
    parser.add_argument("--seconds", type=float, default=600, help="longest time of a case")
    parser.add_argument("--build", type=Path, help="folder of compiled objects, which are used again")
    parser.add_argument("--verbose", action="store_true", help="print what a case prints")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.simpler = options.simpler.resolve()
    agree = True
    for name in options.examples:
        if options.one:
            run_example(options, name, options.build)
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.build / name if options.build else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            agree &= run_example(options, name, folder)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
