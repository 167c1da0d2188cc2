"""Results of commands: text, data, and pictures for notebooks."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
from typing import Any, Union

from . import _native

PathName = Union[str, "os.PathLike[str]"]


class Result:
    """The output of a command.

    `str(result)` is the text that the command prints, `result.data` the data that it prints with `--json`. Keys of the data
    are attributes, too.
    """

    def __init__(self, text: str, data: Any, findings: list[_native.Diagnostic], notes: str) -> None:
        #: The text that the command prints on stdout.
        self.text = text
        #: The data that it prints with `--json`.
        self.data = data
        #: The findings that it prints on stderr.
        self.findings = findings
        #: All that it prints on stderr.
        self.notes = notes

    def __getitem__(self, key: Any) -> Any:
        return self.data[key]

    def __getattr__(self, name: str) -> Any:
        data = self.__dict__.get("data")
        if isinstance(data, dict) and name in data:
            return data[name]
        raise AttributeError(f"{type(self).__name__} has no `{name}`; its data has {', '.join(data or ()) or 'no keys'}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self.data if isinstance(self.data, dict) else ())]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>\n{self}"

    def _repr_html_(self) -> str:
        findings = "".join(finding._repr_html_() for finding in self.findings)
        return f"{self._picture()}<pre>{html.escape(str(self))}</pre>{findings}"

    def _picture(self) -> str:
        """What notebooks show above the text, as HTML."""
        return ""


class Timing(Result):
    """When a launch runs on a device, as `pto time` prints it."""


class MemoryMap(Result):
    """The memory of a run over time, as `pto map` prints it."""

    #: The picture of `pto map --svg`.
    svg = ""

    def _picture(self) -> str:
        return self.svg


class Difference(Result):
    """The first instruction whose values differ in two programs, as `pto diff` prints it."""


class Explanation(Result):
    """The page of an operation, a rule or a word, as `pto explain` prints it."""

    @property
    def svg(self) -> str:
        """The picture of `pto explain --svg`; empty if there is none."""
        name = self.__dict__.get("_word")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "picture.svg")
            try:
                _native._command(["explain", "--svg", str(path), "--", name], [])
            except _native.DataError:
                return ""
            return path.read_text()

    def _picture(self) -> str:
        return self.svg


class Inspection(Result):
    """What a program takes and what it consists of, as `pto inspect` prints it."""


class Recording(Result):
    """A recorded case: `folder` is what `pto test` runs, `data` its `case.json`."""

    #: The folder of the case.
    folder: pathlib.Path


class Replay(Result):
    """The tasks of a dump, run again, as `pto replay` prints them."""


class Shrunk(Result):
    """The smallest program that keeps a finding, as `pto shrink` prints it."""


class Report(Result):
    """The page of `pto report`: notebooks show it, `save` writes it."""

    #: The page, one file of HTML that needs no network.
    html = ""

    def save(self, path: PathName) -> None:
        """Writes the page to a file."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        style = "width:100%;height:640px;border:1px solid #ccc"
        return f'<iframe style="{style}" sandbox="allow-scripts" srcdoc="{html.escape(self.html)}"></iframe>'
