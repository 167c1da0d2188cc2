"""Makes the data of the tutorial: inputs and the expected output. Needs NumPy.

    python3 examples/tutorial/generate.py

Nothing runs this in the tests; the arrays are in the repository. The expected values are computed in float64 from the
rounded inputs.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def main():
    random = np.random.default_rng(40)
    x = random.standard_normal((40, 300)).astype(np.float32)
    gamma = random.uniform(0.5, 1.5, (1, 300)).astype(np.float32)
    wide = x.astype(np.float64)
    root = np.sqrt((wide * wide).mean(axis=1, keepdims=True) + 1e-5)
    np.save(HERE / "x.npy", x)
    np.save(HERE / "gamma.npy", gamma)
    np.save(HERE / "y.npy", (wide / root * gamma).astype(np.float32))


if __name__ == "__main__":
    main()
