#!/usr/bin/env python3
"""Compares the element types that the manual names with those that we accept.

Reads the constraints of the manual's pages (FOLDER/docs/isa/**/*.md), the type assertions of the
headers (FOLDER/include/pto/npu/{a2a3,a5}/*.hpp) and the tables of docs/instructions.md, and
prints a Markdown table of all differences. With --pto it also prints a table by operand: what the
assertions name for sources and destinations, against what the command's rules accept there, and
what they name for helpers (workspaces, indices, masks, parameters), which a person looks up.
Text is read by a few patterns, not parsed: a type that is found nowhere may stand in a sentence
that no pattern knows, so each row is judged by a person. Decisions are kept in the last column of
the file given with --decided. What no pattern reads is named on standard error.
"""

import argparse
import json
import re
import subprocess
import sys
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


# A name for the type of an operand, or an assertion that may speak of one.
NAMED = re.compile(r"using\s+(\w+)\s*=\s*(?:typename\s+)?(\w+)::DType\s*;|static_assert\((.*?)\);", re.S)
SAME = re.compile(r"is_same(?:_v)?<\s*(?:typename\s+)?(\w+)(?:::DType)?\s*,\s*(?:typename\s+)?(\w+)(::DType)?\s*>")
# The operand of a template parameter, by its name; the first pattern that fits.
PARAMETERS = [
    ("helpers", re.compile(r"tmp|idx|ind(ex|ice)?s?$|mask|exp|max|scal|offset|fp", re.I)),
    ("destination", re.compile(r"dst|out|tiledatad?$|^d$|dtype$", re.I)),
    ("sources", re.compile(r"src|in\d?$|tiledatas\d?$|left|right|bias|^s$", re.I)),
]


def of_operands(text):
    """Types by operand that the assertions of a header name, and the names that fit no operand."""
    names, found, unread = {}, {}, set()
    for match in NAMED.finditer(text):
        if match.group(1):
            names[match.group(1)] = match.group(2)
            continue
        for subject, word, is_operand in SAME.findall(match.group(3)):
            known = WORDS.get(word) or WORDS.get(word + "_t")
            if is_operand or not known:
                continue
            subject = names.get(subject, subject)
            operand = next((operand for operand, form in PARAMETERS if form.search(subject)), None)
            if operand:
                found.setdefault(operand, set()).add(known)
            else:
                unread.add(subject)
    return found, unread


def accepted(command, name):
    """Types by profile and operand that the rules of an instruction accept, extensions included."""
    told = subprocess.run([command, "explain", name, "--format", "json"], capture_output=True, text=True, check=True)
    found = {profile: {"sources": set(), "destination": set()} for profile in PROFILES}
    groups = [group for form in json.loads(told.stdout)["legal"] for group in form["groups"]]
    for group in groups:
        for profile, cases in group["profiles"].items():
            for case in cases if profile in found else []:
                types = [OURS.get(word, word) for word in case["elements"]]
                found[profile]["sources"].update(types[:-1])
                found[profile]["destination"].add(types[-1])
    return found


def by_operand(folder, instructions, command):
    """Rows: instruction, profile, operand, what only we accept, what only the assertions name."""
    stems = {re.sub(r"[._]", "", name): name for name in instructions}
    for path in sorted((folder / "include/pto/npu").glob("a*/*.hpp")):
        if path.stem.lower() not in stems and "is_same" in path.read_text(encoding="utf-8", errors="replace"):
            print(f"{path.parent.name}/{path.name}: shared by several instructions, not read by operand", file=sys.stderr)
    for stem, name in sorted(stems.items(), key=lambda pair: pair[1]):
        for profile in PROFILES:
            headers = [path for path in (folder / "include/pto/npu" / profile).glob("*.hpp") if path.stem.lower() == stem]
            for path in headers:
                named, unread = of_operands(path.read_text(encoding="utf-8", errors="replace"))
                if unread:
                    print(f"{profile}/{path.name}: no operand is known for {', '.join(sorted(unread))}", file=sys.stderr)
                if "helpers" in named:
                    yield (f"`{name}`", profile, "helpers", "-", words(named["helpers"]))
                ours = accepted(command, name)[profile] if named.keys() - {"helpers"} else {}
                for operand in ("sources", "destination"):
                    mine, theirs = ours.get(operand, set()) & set(ORDER), named.get(operand, set())
                    if theirs and mine != theirs:
                        yield (f"`{name}`", profile, operand, words(mine - theirs), words(theirs - mine))


def table(head, rows, decided):
    print("| " + " | ".join([*head, "decided"]) + " |")
    print("|" + "---|" * (len(head) + 1))
    for row in rows:
        print("| " + " | ".join([*row, decided.get(row, "open")]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with docs/isa and include/pto/npu")
    parser.add_argument("--ours", type=Path, default=Path("docs/instructions.md"), help="our tables")
    parser.add_argument("--decided", type=Path, help="a table printed before, whose decisions are kept")
    parser.add_argument("--pto", help="the command, for the table by operand")
    arguments = parser.parse_args()
    if not (arguments.folder / "docs/isa").is_dir():
        parser.error(f"{arguments.folder} has no docs/isa")
    decided = decisions(arguments.decided)
    ours = of_ours(arguments.ours)
    table(["instruction", "profile", "named by", "only here", "only there"], differences(arguments.folder, ours), decided)
    if arguments.pto:
        print()
        rows = by_operand(arguments.folder, ours, arguments.pto)
        table(["instruction", "profile", "operand", "only here", "only there"], rows, decided)


if __name__ == "__main__":
    main()
