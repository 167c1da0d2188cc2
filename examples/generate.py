"""Makes the data of the examples: inputs, expected outputs and case.json. Needs NumPy.

    python3 examples/generate.py

Nothing runs this in the tests; the arrays are in the repository. Expected values are computed in float64 from the
rounded inputs, by formulas that know nothing of tiles. Arrays are written in C order.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DTYPES = {"f32": np.float32, "f16": np.float16}


def write_case(name, profile, arguments, tolerance, note):
    """Writes the arrays and `case.json` of one example.

    `arguments` are (name, dtype, before, after) in order: contents before the run or None, after it or None if
    they must not be compared, or (name, "index", value) for a scalar.
    """
    folder = HERE / name
    described = []
    for number, (argument, dtype, *contents) in enumerate(arguments):
        entry = {"name": argument, "dtype": dtype}
        if dtype == "index":
            entry |= {"shape": [], "role": "scalar", "value": contents[0]}
            described.append(entry)
            continue
        before, after = contents
        entry["shape"] = list((after if before is None else before).shape)
        entry["role"] = "out" if before is None else "in" if after is None else "inout"
        if before is not None:
            entry["file"] = f"arg{number}.npy"
            np.save(folder / entry["file"], before.astype(DTYPES[dtype]))
        if after is not None:
            entry["expect"] = f"expect{number}.npy"
            np.save(folder / entry["expect"], after.astype(DTYPES[dtype]))
        described.append(entry)
    case = {
        "op": name,
        "family": "examples",
        "profile": profile,
        "args": described,
        "tolerance": tolerance,
        "oracles": ["numpy"],
        "note": note,
    }
    (folder / "case.json").write_text(json.dumps(case, indent=1) + "\n")


def normal(random, shape, dtype="f32"):
    """Normal values, rounded to `dtype`, as float64."""
    return random.standard_normal(shape).astype(DTYPES[dtype]).astype(np.float64)


def close(atol, rtol):
    return {"kind": "close", "atol": atol, "rtol": rtol}


def vector_add():
    random = np.random.default_rng(1)
    x, y = normal(random, (1, 1000)), normal(random, (1, 1000))
    arguments = [("x", "f32", x, None), ("y", "f32", y, None), ("sum", "f32", None, x + y), ("length", "index", 1000)]
    write_case("vector_add", "a5", arguments, {"kind": "exact"}, "one f32 addition per element is rounded correctly")


def row_softmax():
    random = np.random.default_rng(2)
    x = (3 * normal(random, (20, 90))).astype(np.float32).astype(np.float64)
    exponentials = np.exp(x - x.max(axis=1, keepdims=True))
    y = exponentials / exponentials.sum(axis=1, keepdims=True)
    # The difference x - max is off by up to 2^-21, which the exponential hands on as a relative error.
    write_case("row_softmax", "a5", [("x", "f32", x, None), ("y", "f32", None, y)], close(1e-9, 2e-6),
               "f32 arithmetic against f64")


def layer_norm():
    random = np.random.default_rng(3)
    x = (2 * normal(random, (24, 200)) + 1).astype(np.float32).astype(np.float64)
    gamma, beta = normal(random, (1, 200)), normal(random, (1, 200))
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    y = centred / np.sqrt(variance + 1e-5) * gamma + beta
    arguments = [("x", "f32", x, None), ("gamma", "f32", gamma, None), ("beta", "f32", beta, None),
                 ("y", "f32", None, y)]
    write_case("layer_norm", "a5", arguments, close(5e-6, 2e-6), "f32 arithmetic against f64")


def gemm_bias():
    random = np.random.default_rng(4)
    a, b, bias = normal(random, (30, 96), "f16"), normal(random, (96, 64), "f16"), normal(random, (1, 64))
    arguments = [("a", "f16", a, None), ("b", "f16", b, None), ("bias", "f32", bias, None),
                 ("c", "f32", None, a @ b + bias)]
    # Sums of about 10: 96 roundings of 2^-24 of that.
    write_case("gemm_bias", "a5", arguments, close(2e-5, 1e-6), "f16 products are exact in f32; sums are rounded")


def flash_attention():
    random = np.random.default_rng(5)
    q, k, v = normal(random, (16, 32)), normal(random, (75, 32)), normal(random, (75, 32))
    scores = q @ k.T
    scaled = scores / np.sqrt(32)
    exponentials = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    out = exponentials / exponentials.sum(axis=1, keepdims=True) @ v
    # What a step leaves in the exchange buffers: weights relative to the maximum so far.
    weights = np.empty_like(scaled)
    for first in range(0, 75, 32):
        so_far = scaled[:, : first + 32].max(axis=1, keepdims=True)
        weights[:, first : first + 32] = np.exp(scaled[:, first : first + 32] - so_far)
    product = weights[:, 64:] @ v[64:]
    arguments = [("q", "f32", q, None), ("k", "f32", k, None), ("v", "f32", v, None), ("out", "f32", None, out),
                 ("scores", "f32", None, scores), ("weights", "f32", None, weights),
                 ("product", "f32", None, product)]
    write_case("flash_attention", "a3", arguments, close(1e-5, 1e-5),
               "75 keys in steps of 32: the last step has 11. The last three arguments are exchange buffers")


def kv_cache_append():
    random = np.random.default_rng(6)
    cache, new = normal(random, (32, 48), "f16"), normal(random, (32, 8), "f16")
    cache[:, 37:] = 0
    after = cache.copy()
    after[:, 37:42] = new[:, :5]
    arguments = [("cache", "f16", cache, after), ("new", "f16", new, None), ("length", "index", 37),
                 ("count", "index", 5)]
    write_case("kv_cache_append", "a3", arguments, {"kind": "exact"}, "values only move")


if __name__ == "__main__":
    for example in (vector_add, row_softmax, layer_norm, gemm_bias, flash_attention, kv_cache_append):
        example()
