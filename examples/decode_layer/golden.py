"""Makes the data of this example: inputs, and the expected results of one decode step. Needs NumPy.

    python3 examples/decode_layer/golden.py

Nothing runs this in the tests; the arrays are in the repository. The layer is computed in float64, and rounded to float16
where the kernels round.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
BATCH, HIDDEN, HEAD, HEADS, KV_HEADS, INNER, CAPACITY = 3, 128, 32, 4, 2, 192, 80
LENGTHS = (37, 2, 80)


def half(values):
    return values.astype(np.float16).astype(np.float64)


def rms_norm(x, weights):
    return half(x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * weights)


def rope(heads, cos, sin):
    a, b = heads[:, : HEAD // 2], heads[:, HEAD // 2 :]
    return half(np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=1))


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(HEAD)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return half(half(weights) @ v / weights.sum(axis=1, keepdims=True))


def inputs(random):
    def normal(*shape, scale=1.0):
        return random.standard_normal(shape) * scale

    def weights(inner, outer):
        return normal(inner, outer, scale=inner**-0.5).astype(np.float16)

    angles = np.arange(CAPACITY)[:, None] * 10000.0 ** (-np.arange(HEAD // 2) / (HEAD // 2))
    cache = (BATCH, KV_HEADS, CAPACITY, HEAD)
    given = {
        "x": normal(BATCH, HIDDEN).astype(np.float32),
        "lengths": np.array(LENGTHS, np.int32),
        "cos": np.cos(angles).astype(np.float32),
        "sin": np.sin(angles).astype(np.float32),
        "k_cache": normal(*cache).astype(np.float16),
        "v_cache": normal(*cache).astype(np.float16),
        "norm_attention": normal(1, HIDDEN, scale=0.5).astype(np.float32),
        "norm_mlp": normal(1, HIDDEN, scale=0.5).astype(np.float32),
        "wq": weights(HIDDEN, HIDDEN),
        "wk": weights(HIDDEN, KV_HEADS * HEAD),
        "wv": weights(HIDDEN, KV_HEADS * HEAD),
        "wo": weights(HIDDEN, HIDDEN),
        "w_gate": weights(HIDDEN, INNER),
        "w_up": weights(HIDDEN, INNER),
        "w_down": weights(INNER, HIDDEN),
    }
    # The cache holds nothing from the new token on.
    for b, length in enumerate(LENGTHS):
        given["k_cache"][b, :, length - 1 :] = 0
        given["v_cache"][b, :, length - 1 :] = 0
    return given


def layer(given):
    g = {name: array.astype(np.float64) for name, array in given.items()}
    k_cache, v_cache = g["k_cache"].copy(), g["v_cache"].copy()
    normed = rms_norm(g["x"], g["norm_attention"])
    q, k, v = (normed @ g[name] for name in ("wq", "wk", "wv"))
    attended = np.empty((BATCH, HIDDEN))
    for b, length in enumerate(LENGTHS):
        cos, sin = g["cos"][length - 1], g["sin"][length - 1]
        rotated = rope(q[b].reshape(HEADS, HEAD), cos, sin)
        k_cache[b, :, length - 1] = rope(k[b].reshape(KV_HEADS, HEAD), cos, sin)
        v_cache[b, :, length - 1] = half(v[b].reshape(KV_HEADS, HEAD))
        for head in range(KV_HEADS):
            shared = slice(head * HEADS // KV_HEADS, (head + 1) * HEADS // KV_HEADS)
            out = attention(rotated[shared], k_cache[b, head, :length], v_cache[b, head, :length])
            attended[b].reshape(HEADS, HEAD)[shared] = out
    middle = g["x"] + attended @ g["wo"]
    normed = rms_norm(middle, g["norm_mlp"])
    gate, up = normed @ g["w_gate"], normed @ g["w_up"]
    y = middle + half(gate / (1 + np.exp(-gate)) * up) @ g["w_down"]
    return {"y": y.astype(np.float32), "k_cache": k_cache.astype(np.float16), "v_cache": v_cache.astype(np.float16)}


if __name__ == "__main__":
    given = inputs(np.random.default_rng(27))
    for name, array in given.items():
        np.save(HERE / f"{name}.npy", array)
    for name, array in layer(given).items():
        np.save(HERE / f"expect_{name}.npy", array)
