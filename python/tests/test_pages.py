"""Every block of Python in the pages for readers runs."""

import os
import re

import numpy as np
import pytest
from conftest import EXAMPLES, has_compiler

ROOT = EXAMPLES.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
PAGES = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(page, text, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, text in enumerate(BLOCK.findall(page.read_text()))
]


def test_there_are_blocks():
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize("page, text", BLOCKS)
def test_a_block_runs(page, text, monkeypatch):
    if "pto.cpp." in text and not has_compiler():
        pytest.skip("no C++ compiler")
    monkeypatch.chdir(ROOT)
    names = {"x": np.load(EXAMPLES / "row_softmax" / "arg0.npy"), "np": np}
    exec(compile(text, str(page), "exec"), names)
    assert "pto" in names and os.getcwd() == str(ROOT)
