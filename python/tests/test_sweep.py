"""Sweeps on executors."""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import EXAMPLES, LONG, SCALE

import pto_tools as pto

CASES = sorted(path.parent for path in EXAMPLES.glob("*/case.json"))
PROGRAMS = sorted((EXAMPLES / "instructions").glob("*.pto"))


def test_results_are_in_the_order_of_cases(scale):
    cases = [(scale, {"x": np.full((8, 64), n, np.float32), "factor": 2}) for n in range(20)]
    for executor in (None, concurrent.futures.ThreadPoolExecutor(4)):
        results = pto.sweep(cases, executor, progress=False)
        assert [result.outputs["y"][0, 0] for result in results] == [2.0 * n for n in range(20)]
        assert all(result.error is None and result.seconds > 0 for result in results)


def test_errors_are_results(scale):
    x = np.ones((8, 64), np.float32)
    case = pto.Case(scale, {"x": np.ones((12, 64), np.float32), "factor": 1}, {"watch": "all"}, "large")
    wrong, fine = pto.sweep([case, (scale, {"x": x, "factor": 1})])
    assert isinstance(wrong.error, pto.OutOfBounds) and wrong.name == "large" and wrong.outputs == {}
    assert fine.error is None and (fine.outputs["y"] == 1).all()


def test_processes_get_kernels_as_text(scale):
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    x = np.ones((8, 64), np.float32)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        results = pto.sweep([CASES[0], (scale, {"x": x, "factor": 3}), (scale, {"x": x})], executor)
    assert results[0].error is None and (results[1].outputs["y"] == 3).all()
    assert isinstance(results[2].error, pto.DataError)


def test_progress_is_shown_by_tqdm(scale, capsys):
    pytest.importorskip("tqdm")
    pto.sweep([(scale, {"x": np.ones((8, 64), np.float32), "factor": 3})] * 3, progress=True)
    assert "3/3" in capsys.readouterr().err


class Losing(concurrent.futures.Executor):
    """An executor that loses the first results of each case."""

    def __init__(self, lost):
        self.inner, self.lost, self.given = concurrent.futures.ThreadPoolExecutor(2), lost, {}

    def submit(self, function, case):
        self.given[case.name] = self.given.get(case.name, 0) + 1
        if self.given[case.name] > self.lost:
            return self.inner.submit(function, case)
        future = concurrent.futures.Future()
        future.set_exception(TypeError("a result is lost"))
        return future


def test_lost_results_are_computed_again(scale):
    cases = [pto.Case(scale, {"x": np.ones((8, 64), np.float32), "factor": n}, name=f"{n}") for n in range(5)]
    executor = Losing(2)
    results = pto.sweep(cases, executor, progress=False)
    assert [result.outputs["y"][0, 0] for result in results] == list(range(5))
    assert set(executor.given.values()) == {3}
    with pytest.raises(TypeError, match="lost"):
        pto.sweep(cases, Losing(3), progress=False)


class Killing(concurrent.futures.Executor):
    """An executor that kills a process when the first result is there."""

    def __init__(self, inner, victim):
        self.inner, self.victim, self.killed = inner, victim, threading.Event()

    def submit(self, function, *args):
        future = self.inner.submit(function, *args)
        future.add_done_callback(self.kill)
        return future

    def kill(self, _):
        if not self.killed.is_set():
            self.killed.set()
            os.kill(self.victim, signal.SIGKILL)


@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_that_dies_costs_no_result():
    distributed = pytest.importorskip("distributed")
    options = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        slow = pto.parse(LONG)
        slows = [pto.Case(slow, {"out": np.zeros(4, np.int32), "n": 1_000_000}, name=f"slow {n}") for n in range(12)]
        cases = [*slows, *CASES, *PROGRAMS]
        workers = list(client.run(os.getpid).values())
        assert len(set(workers)) == 2 and os.getpid() not in workers
        executor = Killing(client.get_executor(), workers[0])
        results = pto.sweep(cases, executor, progress=False)
        assert executor.killed.is_set()
    assert len(results) == len(cases)
    assert [result.name for result in results[:12]] == [case.name for case in slows]
    assert [result.name for result in results[12:]] == [str(path) for path in [*CASES, *PROGRAMS]]
    assert [result.error for result in results] == [None] * len(cases)


MPI = """
import sys
import pto_tools as pto
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        results = pto.sweep(sys.argv[1:], executor, progress=False)
    print([(result.name, result.error) for result in results] == [(name, None) for name in sys.argv[1:]])
"""


def test_an_mpi_pool_runs_the_examples(tmp_path):
    try:
        import mpi4py.futures  # noqa: F401
    except ImportError:
        pytest.skip("no MPI")
    mpiexec = shutil.which("mpiexec", path=f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        pytest.skip("no mpiexec")
    (tmp_path / "sweep.py").write_text(MPI)
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(tmp_path / "sweep.py"), *map(str, CASES)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and ran.stdout.strip() == "True", ran.stderr


def test_run_lines_are_cases(tmp_path):
    (tmp_path / "k.pto").write_text(f"// target: a5\n// run: -i x=arange -i rows=8 -i factor=2 --blocks 1\n{SCALE}")
    (result,) = pto.sweep([tmp_path / "k.pto"])
    np.testing.assert_array_equal(result.outputs["y"].ravel(), 2 * np.arange(512, dtype=np.float32))
