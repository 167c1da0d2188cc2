"""Makes the expected outputs of the tutorial of synchronization by hand. Needs NumPy.

    python3 examples/by_hand/generate.py

Nothing runs this in the tests; the arrays are in the repository. All values are whole numbers that f32 represents.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def main():
    x = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)
    np.save(HERE / "sum.npy", x + 1)
    a = np.arange(64 * 16, dtype=np.float32).reshape(64, 16)
    b = np.arange(16 * 16, dtype=np.float32).reshape(16, 16)
    np.save(HERE / "product.npy", a @ b + 1)


if __name__ == "__main__":
    main()
