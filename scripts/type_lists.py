#!/usr/bin/env python3
"""Compares the element types that the manual names with those that we accept.

Reads the constraints of the manual's pages (FOLDER/docs/isa/**/*.md), the type assertions of the
headers (FOLDER/include/pto/npu/{a2a3,a5}/*.hpp) and the tables of docs/instructions.md, and
prints a Markdown table of all differences. Text is read by a few patterns, not parsed: a type
that is found nowhere may stand in a sentence that no pattern knows, so each row is judged by
a person. Decisions are kept in the last column of the file given with --decided.
"""

import argparse
import re
from pathlib import Path

PROFILES = {"a2a3": r"A2/?A3", "a5": r"A5"}
ORDER = "i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 bf16 f32 hif8 e4m3 e5m2 e8m0 e2m1 e1m2 s4".split()

# The words of C++ for our types.
WORDS = {
    "int8_t": "i8", "int16_t": "i16", "int32_t": "i32", "int": "i32", "int64_t": "i64",
    "uint8_t": "ui8", "uint16_t": "ui16", "uint32_t": "ui32", "uint64_t": "ui64",
    "half": "f16", "float16_t": "f16", "bfloat16_t": "bf16", "float": "f32", "float32_t": "f32",
    "hifloat8_t": "hif8", "float8_e4m3_t": "e4m3", "float8_e5m2_t": "e5m2",
    "float8_e8m0_t": "e8m0", "float4_e2m1x2_t": "e2m1", "float4_e1m2x2_t": "e1m2", "int4b_t": "s4",
}
# The words of our tables for the same.
OURS = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "f8E8M0": "e8m0", "f4E2M1x2": "e2m1", "f4E1M2x2": "e1m2"}

LISTS = re.compile(r"supported|must be|one of|allow|DType|element type", re.I)
SIMULATORS = re.compile(r"CPU|Costmodel", re.I)
ABOUT_OTHERS = re.compile(r"`(tmp|idx|index|mask|offset|scalar)\w*`|tmp element|indices", re.I)


def types_in(text):
    """The element types whose names stand in a text as whole words, some without their ending."""
    found = re.findall(r"\b\w+\b", text)
    return {WORDS.get(word) or WORDS.get(word + "_t") for word in found} - {None}


def of_page(text):
    """Types by profile that the constraints of a page name. A heading or a list item names profiles
    for what is below it; what names none holds for all, or for no profile if it is about a simulator."""
    found = {profile: set() for profile in PROFILES}
    match = re.search(r"^## Constraints$(.*?)(?=^## |\Z)", text, re.M | re.S)
    section = item = list(PROFILES)
    body = match.group(1) if match else ""
    if "!!!" in body:  # a box, whose lines are indented
        body = re.sub("^    ", "", body, flags=re.M)
    for line in body.splitlines():
        here = [profile for profile, word in PROFILES.items() if re.search(word, line)]
        if not here and SIMULATORS.search(line):
            item = []
            continue
        if line.startswith("#"):
            section = item = here or list(PROFILES)
        elif here and not types_in(line):
            item = here
        elif line.startswith("- "):
            item = here or section
        if LISTS.search(line) and not ABOUT_OTHERS.search(line):
            for profile in here or item:
                found[profile] |= types_in(line)
    return found


def of_headers(folder, name):
    """Types by profile that the assertions of the functions of an instruction name."""
    found = {}
    for profile in PROFILES:
        found[profile] = set()
        for path in sorted((folder / "include/pto/npu" / profile).glob("*.hpp")):
            text = path.read_text(encoding="utf-8", errors="replace")
            for block in re.findall(r"static_assert\((.*?)\);", text, re.S):
                said = re.search(r'"(.*)"', block, re.S)
                if said and re.search(rf"\b{name}\b", said.group(1), re.I) and "is_same" in block:
                    found[profile] |= types_in(block.replace(said.group(0), ""))
    return found


def of_ours(path):
    """Types by instruction and profile in docs/instructions.md; extensions count as accepted."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 8 or not cells[1].startswith("`"):
            continue
        lists = {}
        for profile, cell in zip(PROFILES, cells[4:6]):
            words = {word.strip("*;,`") for word in cell.split()}
            words = {OURS.get(word, word) for word in words}
            lists[profile] = None if "any" in words or "see" in words else words & set(ORDER)
        found[cells[1].strip("`")] = lists
    return found


def decisions(path):
    """What a person has decided, by the cells of the difference."""
    found = {}
    if path and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 6 and cells[0].startswith("`"):
                found[tuple(cells[:5])] = cells[5]
    return found


def words(types):
    return " ".join(sorted(types, key=ORDER.index)) or "-"


def pages(folder):
    """The pages of each instruction, which may have several, by its name in small letters."""
    found = {}
    for path in sorted((folder / "docs/isa").rglob("*.md")):
        found.setdefault(path.stem.lower(), []).append(path.read_text(encoding="utf-8"))
    return found


def differences(folder, ours):
    """Rows: instruction, profile, where it is named, what only we accept, what only they name."""
    texts = pages(folder)
    for name in sorted(ours.keys() & texts.keys()):
        lists = [of_page(text) for text in texts[name]]
        page = {profile: set().union(*(found[profile] for found in lists)) for profile in PROFILES}
        header = of_headers(folder, name)
        for profile in PROFILES:
            named, mine = page[profile] | header[profile], ours[name][profile]
            if mine is None or not named or not (mine ^ named):
                continue
            sources = [word for word, source in (("page", page), ("header", header)) if source[profile]]
            yield (f"`{name}`", profile, " and ".join(sources), words(mine - named), words(named - mine))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with docs/isa and include/pto/npu")
    parser.add_argument("--ours", type=Path, default=Path("docs/instructions.md"), help="our tables")
    parser.add_argument("--decided", type=Path, help="a table printed before, whose decisions are kept")
    arguments = parser.parse_args()
    if not (arguments.folder / "docs/isa").is_dir():
        parser.error(f"{arguments.folder} has no docs/isa")
    decided = decisions(arguments.decided)
    print("| instruction | profile | named by | only here | only there | decided |")
    print("|---|---|---|---|---|---|")
    for row in differences(arguments.folder, of_ours(arguments.ours)):
        print("| " + " | ".join([*row, decided.get(row, "open")]) + " |")


if __name__ == "__main__":
    main()
