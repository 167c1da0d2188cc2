"""The text of a program, line by line: what the generators of attention share."""

import re


class Text:
    """Lines of a program, and fresh names."""

    def __init__(self):
        self.lines, self.depth, self.count = [], 0, 0
        self.base = None

    def put(self, *lines):
        for line in lines:
            if line.startswith("}"):
                self.depth -= 1
            self.lines.append("  " * self.depth + line if line else "")
            if line.endswith("{"):
                self.depth += 1

    def tile(self, name, kind, at, many=False):
        """A tile at an address of its own: tiles of a buffer do not share memory, as those of the published kernel."""
        self.put(f"%at_{name} = arith.constant {at} : i64")
        self.put(f"%{name} = pto.alloc_{'multi_' if many else ''}tile addr = %at_{name} : !{kind}")

    def at(self, step, size, offset):
        """The first key of a part of a step."""
        first, at = self.name("first"), self.name("at")
        if self.base:
            self.put(f"{first}a = arith.addi {self.base}, {step} : index")
            step = f"{first}a"
        self.put(f"{first} = arith.muli {step}, %c{size} : index")
        if offset == 0:
            return first
        self.put(f"{at} = arith.addi {first}, %c{offset} : index")
        return at

    def used(self):
        """The lines without constants that nothing uses."""
        words = "\n".join(self.lines)
        unused = lambda line: re.match(r" *(%c\d+) = arith.constant", line)
        return [line for line in self.lines if not unused(line) or len(re.findall(unused(line)[1] + r"\b", words)) > 1]

    def name(self, stem):
        self.count += 1
        return f"%{stem}{self.count}"

    def view(self, source, kind, offsets, sizes, part):
        name = self.name("part")
        self.put(
            f"{name} = pto.partition_view {source}, offsets = [{offsets}], sizes = [{sizes}] : {kind} -> {part}",
        )
        return name

    def op(self, name, ins, out):
        names, kinds = ", ".join(of for of, _ in ins), ", ".join(kind for _, kind in ins)
        self.put(f"pto.{name} ins({names} : {kinds}) outs({out[0]} : {out[1]})")
