"""A layer of Qwen3-32B at its real sizes, as a sequence of 266 launches, against the same layer in NumPy.

The kernels are beside the checkout; without them nothing is tested. It takes a quarter of a minute and six gigabytes.
"""

import pathlib
import time

import numpy as np
import pytest

import pto_tools as pto

ml_dtypes = pytest.importorskip("ml_dtypes")
BF16 = ml_dtypes.bfloat16
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT.parent / "shared" / "corpus" / "Qwen3DecodeA5" / "kernels"
BATCH, HIDDEN, KV_HIDDEN, INNER, HEAD, HEADS_KV, MOST = 16, 8192, 1024, 25600, 128, 8, 4096


def inputs(rng):
    """Random inputs with the distributions of the public model's own test."""

    def uniform(*shape, low=-0.5, scale=1.0, dtype=BF16):
        values = rng.random(shape, dtype=np.float32)
        values += low
        values *= scale
        return values.astype(dtype)

    by_hidden = HIDDEN**-0.5
    return {
        "hidden_states": uniform(BATCH, HIDDEN),
        "input_rms_weight": uniform(1, HIDDEN, dtype=np.float32),
        "wq": uniform(HIDDEN, HIDDEN, low=0, scale=by_hidden),
        "wk": uniform(HIDDEN, KV_HIDDEN, low=0, scale=by_hidden),
        "wv": uniform(HIDDEN, KV_HIDDEN, low=0, scale=by_hidden),
        "lengths": rng.integers(1, MOST + 1, BATCH, dtype=np.int32),
        "rope_cos": uniform(MOST, HEAD, dtype=np.float32),
        "rope_sin": uniform(MOST, HEAD, dtype=np.float32),
        "k_cache": uniform(BATCH * HEADS_KV * MOST, HEAD),
        "v_cache": uniform(BATCH * HEADS_KV * MOST, HEAD),
        "wo": uniform(HIDDEN, HIDDEN, scale=by_hidden),
        "post_rms_weight": np.ones((1, HIDDEN), np.float32),
        "w_gate": uniform(HIDDEN, INNER, scale=by_hidden),
        "w_up": uniform(HIDDEN, INNER, scale=by_hidden),
        "w_down": uniform(INNER, HIDDEN, scale=INNER**-0.5),
    }


def rounded(values):
    return values.astype(BF16).astype(np.float32)


class Layer:
    """The layer in NumPy, in f32, rounded to bf16 where the model is. Weights are converted beforehand."""

    def __init__(self, given):
        self.w = {name: array.astype(np.float32) for name, array in given.items() if array.dtype == BF16}
        self.given = given

    def normed(self, x, weight):
        return rounded(x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * weight)

    def attention(self, b, q, keys, values):
        """One row: `q` has heads in rows; eight of them share a head of the cache."""
        heads = []
        for kv in range(HEADS_KV):
            scores = rounded(q[kv * 8 : kv * 8 + 8]) @ keys[kv].T * HEAD**-0.5
            # The kernels treat pages of 256 tokens, each with a maximum of its own.
            total = np.zeros((8, HEAD), np.float32)
            most, sums = np.full((8, 1), -np.inf, np.float32), np.zeros((8, 1), np.float32)
            for page in range(0, scores.shape[1], 256):
                part = scores[:, page : page + 256]
                high = part.max(1, keepdims=True)
                weights = rounded(np.exp(part - high))
                new = np.maximum(most, high)
                old, now = np.exp(most - new), np.exp(high - new)
                sums = old * sums + now * weights.sum(1, keepdims=True)
                total = old * total + now * (weights @ values[kv][page : page + 256])
                most = new
            heads.append(total / sums)
        return rounded(np.concatenate(heads).reshape(-1))

    def rotate(self, x, cos, sin):
        half = HEAD // 2
        low, high = x[:, :half], x[:, half:]
        return np.concatenate([low * cos[:half] - high * sin[:half], high * cos[half:] + low * sin[half:]], 1)

    def __call__(self):
        w, given = self.w, self.given
        normed = self.normed(w["hidden_states"], given["input_rms_weight"])
        q, k, v = normed @ w["wq"], normed @ w["wk"], normed @ w["wv"]
        keys = w["k_cache"].reshape(BATCH, HEADS_KV, MOST, HEAD)
        values = w["v_cache"].reshape(BATCH, HEADS_KV, MOST, HEAD)
        attended = np.empty((BATCH, HIDDEN), np.float32)
        for b, length in enumerate(given["lengths"]):
            cos, sin = given["rope_cos"][length - 1], given["rope_sin"][length - 1]
            keys[b, :, length - 1] = rounded(self.rotate(k[b].reshape(HEADS_KV, HEAD), cos, sin))
            values[b, :, length - 1] = rounded(v[b].reshape(HEADS_KV, HEAD))
            rotated = self.rotate(q[b].reshape(-1, HEAD), cos, sin)
            attended[b] = self.attention(b, rotated, keys[b, :, :length], values[b, :, :length])
        first = attended @ w["wo"] + w["hidden_states"]
        normed = self.normed(first, given["post_rms_weight"])
        gate, up = normed @ w["w_gate"], normed @ w["w_up"]
        middle = rounded(gate / (1 + np.exp(-gate)) * up)
        return rounded(middle @ w["w_down"] + first)


@pytest.mark.skipif(not KERNELS.is_dir(), reason="the public kernels are not beside the checkout")
def test_a_layer_of_qwen3_computes_what_numpy_computes(capsys):
    given = inputs(np.random.default_rng(7))
    layer = Layer(given)
    begin = time.perf_counter()
    want = layer()
    numpy_seconds = time.perf_counter() - begin
    sequence = pto.load_sequence(ROOT / "tests" / "sequences" / "qwen3_decode.toml")
    begin = time.perf_counter()
    run = sequence.run(**given)
    seconds = time.perf_counter() - begin
    got = np.asarray(run.outputs["out"]).astype(np.float32)
    error = np.abs(got - want)
    with capsys.disabled():
        print(
            f"\nQwen3-32B layer: {seconds:.2f} s, NumPy in f32 {numpy_seconds:.2f} s, ratio "
            f"{seconds / numpy_seconds:.1f}; largest error {error.max():.2e}"
        )
    # The tolerance of the model's own test.
    assert np.all(error <= 3e-3 + 3e-3 * np.abs(want))
