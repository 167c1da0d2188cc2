"""Makes conv_48.pto to conv_128.pto: convolutions of feature maps that are 48 to 128 points wide, with filters of 3 x 3 points.

    python3 examples/timing/generate_conv.py

Nothing runs this in the tests; the programs are in the repository.
"""

from generate import FREE, HERE, flag

HEAD = """// y = x * w, f16: x has 4 feature maps of `groups` x {high} x {width} x 16 (groups of 16 channels, rows, columns, channels), w has 3 x 3
// points for each of them and `n` results, in fractals. Each of 24 cores has one map and a sixth of the results, in blocks of
// 128 points x 256 results. The rows of x under a block, for one group of channels, and its weights are loaded into one of two slots of
// L1, unfolded, and multiplied in three steps of 48 that alternate between two slots of L0. Blocks at the upper and lower edge have
// padding of their own.
//
// target: a2a3
// run: -i groups=2 -i n=1536 -i x=randn -i w=randn --blocks 1
"""


class Convolution:
    """A program for maps of `high` x `width` points; `high` is 0 if it is an argument: all blocks of the middle are then alike."""

    def __init__(self, width, high):
        self.width, self.high = width, high
        self.lines, self.depth = [], 0

    def put(self, *lines):
        for line in lines:
            if line.startswith("}"):
                self.depth -= 1
            self.lines.append("  " * self.depth + line if line else "")
            if line.endswith("{"):
                self.depth += 1

    def rows(self, block, blocks):
        """Rows of x under a block, and its padding above and below; rows count from the first row of results of the block."""
        first, last = block * 128 // self.width, (block * 128 + 127) // self.width
        top, bottom = int(block == 0), int(block == blocks - 1)
        return last - first + 3 - top - bottom, top, bottom

    def kinds(self):
        """Blocks of the upper edge, the middle and the lower edge: their rows and padding."""
        blocks = {48: 3, 64: 4, 96: 6, 128: 3}[self.width]
        return [self.rows(0, blocks), self.rows(1, blocks), self.rows(blocks - 1, blocks)]

    def step(self, kind, slot, step, begins):
        """One step of 48: factors into L0, and their product."""
        name, (high, top, bottom) = ["top", "middle", "bottom"][kind], self.kinds()[kind]
        side = (3 * slot + step) % 2
        fmap = f"{{fmap = [{high}, {self.width}], pad = [1, 1, {top}, {bottom}], filter = [3, 3]}}"
        self.put(flag("wait", "M", "MTE1", side))
        if step == 0:
            self.put(flag("wait", "MTE2", "MTE1", 2 * slot))
        self.put(
            f"pto.timg2col ins(%{name}{slot}, %offset, %c{48 * step} : !{name}, index, index) outs(%left{side} : !left) {fmap}"
        )
        if step == 0:
            self.put(flag("wait", "MTE2", "MTE1", 2 * slot + 1))
        self.put(f"pto.textract ins(%w{slot}, %c{48 * step}, %c0 : !w_panel, index, index) outs(%right{side} : !right)")
        if step == 2:
            self.put(flag("set", "MTE1", "MTE2", slot))
        self.put(flag("set", "MTE1", "M", side), flag("wait", "MTE1", "M", side))
        factors = f"%left{side}, %right{side}"
        plain = f"pto.tmatmul ins({factors} : !left, !right) outs(%acc : !acc)"
        added = f"pto.tmatmul.acc ins(%acc, {factors} : !acc, !left, !right) outs(%acc : !acc)"
        if begins and step == 0:
            self.put("scf.if %starts {", flag("wait", "FIX", "M", 0), plain, "} else {", "pto.barrier <PIPE_M>", added, "}")
        else:
            self.put("pto.barrier <PIPE_M>", added)
        self.put(flag("set", "M", "MTE1", side))

    def panel(self, kind, slot, group):
        """One group of channels: its loads and its three steps."""
        name, (high, top, _) = ["top", "middle", "bottom"][kind], self.kinds()[kind]
        self.put(
            f"%x{slot} = pto.partition_view %x_all, offsets = [%map, {group}, %first_row, %c0, %c0], "
            f"sizes = [%c1, %c1, %c{high}, %c{self.width}, %c16] : !x_data -> !{name}_part",
            f"%from{slot} = arith.muli {group}, %c9 : index",
            f"%v{slot} = pto.partition_view %w_all, offsets = [%from{slot}, %result, %c0, %c0], "
            "sizes = [%c9, %c16, %c16, %c16] : !w_data -> !w_part",
            flag("wait", "MTE1", "MTE2", slot),
            f"pto.tload ins(%x{slot} : !{name}_part) outs(%{name}{slot} : !{name})",
            flag("set", "MTE2", "MTE1", 2 * slot),
            f"pto.tload ins(%v{slot} : !w_part) outs(%weights{slot} : !weights)",
            flag("set", "MTE2", "MTE1", 2 * slot + 1),
        )
        for step in range(3):
            self.step(kind, slot, step, slot == 0)

    def blocks(self, kind, first, end):
        """The blocks of one kind."""
        top = self.kinds()[kind][1]
        self.put(
            f"scf.for %block = {first} to {end} step %c1 {{",
            "%point = arith.muli %block, %c128 : index",
            f"%out_row = arith.divsi %point, %c{self.width} : index",
            f"%offset = arith.remsi %point, %c{self.width} : index",
        )
        above = "%c0" if top else "%c1"
        self.put(
            f"%first_row = arith.subi %out_row, {above} : index",
            "%fractal = arith.divsi %point, %c16 : index",
            "scf.for %result = %first_result to %end_result step %c16 {",
            "scf.for %group = %c0 to %groups step %c2 {",
            "%next = arith.addi %group, %c1 : index",
            "%starts = arith.cmpi eq, %group, %c0 : index",
        )
        self.panel(kind, 0, "%group")
        self.panel(kind, 1, "%next")
        self.put("}", flag("set", "M", "FIX", 0), flag("wait", "M", "FIX", 0))
        self.put(
            "%y_part = pto.partition_view %y_all, offsets = [%map, %result, %fractal, %c0, %c0], "
            "sizes = [%c1, %c16, %c8, %c16, %c16] : !y_data -> !y_part",
            "pto.tstore ins(%acc : !acc) outs(%y_part : !y_part)",
            flag("set", "FIX", "M", 0),
            "}",
            "}",
        )

    def text(self):
        width, names = self.width, ["top", "middle", "bottom"]
        types = []
        for name, (high, _, _) in zip(names, self.kinds()):
            types.append(f"!{name} = !pto.conv_tile<mat, NC1HWC0, 1x1x{high}x{width}x16xf16>")
            types.append(f"!{name}_part = !pto.partition_tensor_view<1x1x{high}x{width}x16xf16>")
        types += [
            "!weights = !pto.conv_tile<mat, FRACTAL_Z, 9x16x16x16xf16>",
            "!w_panel = !pto.tile_buf<mat, 144x256xf16, blayout=row_major, slayout=col_major>",
            "!left = !pto.tile_buf<left, 128x48xf16, blayout=row_major, slayout=row_major>",
            "!right = !pto.tile_buf<right, 48x256xf16, blayout=row_major, slayout=col_major>",
            "!acc = !pto.tile_buf<acc, 128x256xf32, blayout=col_major, slayout=row_major, fractal=1024>",
            "!x_data = !pto.tensor_view<?x?x?x?x?xf16>",
            "!w_data = !pto.tensor_view<?x?x?x?xf16>",
            "!y_data = !pto.tensor_view<?x?x?x?x?xf16>",
            "!w_part = !pto.partition_tensor_view<9x16x16x16xf16>",
            "!y_part = !pto.partition_tensor_view<1x16x8x16x16xf16>",
        ]
        high_argument = "" if self.high else ", %high: index"
        self.put('module attributes {"pto.target_arch" = "a2a3"} {')
        self.put(
            "func.func @conv(%x: !pto.ptr<f16>, %w: !pto.ptr<f16>, %y: !pto.ptr<f16>, %groups: index, %n: index"
            f"{high_argument})\n    attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{"
        )
        numbers = {0, 1, 2, 4, 6, 8, 9, 16, 48, 96, 128, 256, width, width * 16} | {kind[0] for kind in self.kinds()}
        self.put(*[f"%c{number} = arith.constant {number} : index" for number in sorted(numbers)])
        if self.high:
            self.put(f"%high = arith.constant {self.high} : index")
        self.put(
            f"%points = arith.muli %high, %c{width} : index",
            "%channel = arith.muli %points, %c16 : index",
            "%map_size = arith.muli %groups, %channel : index",
            "%taps = arith.muli %groups, %c9 : index",
            "%result_blocks = arith.divsi %n, %c16 : index",
            "%tap_size = arith.muli %n, %c16 : index",
            "%y_size = arith.muli %n, %points : index",
            "%fractals = arith.divsi %points, %c16 : index",
            f"%x_all = pto.make_tensor_view %x, shape = [%c4, %groups, %high, %c{width}, %c16], "
            f"strides = [%map_size, %channel, %c{16 * width}, %c16, %c1] : !x_data",
            "%w_all = pto.make_tensor_view %w, shape = [%taps, %result_blocks, %c16, %c16], "
            "strides = [%tap_size, %c256, %c16, %c1] : !w_data",
            "%y_all = pto.make_tensor_view %y, shape = [%c4, %result_blocks, %fractals, %c16, %c16], "
            "strides = [%y_size, %channel, %c256, %c16, %c1] {layout = #pto.layout<nz>} : !y_data",
            "",
            "// The part of this core.",
            "%core = pto.get_block_idx : index",
            "%map = arith.divsi %core, %c6 : index",
            "%part = arith.remsi %core, %c6 : index",
            "%part_results = arith.divsi %result_blocks, %c6 : index",
            "%first_result = arith.muli %part, %part_results : index",
            "%end_result = arith.addi %first_result, %part_results : index",
            "%blocks = arith.divsi %points, %c128 : index",
            "%last_block = arith.subi %blocks, %c1 : index",
            "",
        )
        places = [(f"{name}{slot}", 65536 * slot, name) for name in names for slot in (0, 1)]
        places += [(f"weights{slot}", 131072 + 73728 * slot, "weights") for slot in (0, 1)]
        places += [(f"w{slot}", 131072 + 73728 * slot, "w_panel") for slot in (0, 1)]
        places += [(f"{side}{slot}", 32768 * slot, side) for side in ("left", "right") for slot in (0, 1)]
        for at in sorted({at for _, at, _ in places}):
            self.put(f"%at{at} = arith.constant {at} : i64")
        self.put(*[f"%{name} = pto.alloc_tile addr = %at{at} : !{kind}" for name, at, kind in places])
        self.put("%acc = pto.alloc_tile addr = %at0 : !acc")
        self.put(*[flag("set", *free) for free in FREE])
        self.blocks(0, "%c0", "%c1")
        self.blocks(1, "%c1", "%last_block")
        self.blocks(2, "%last_block", "%blocks")
        self.put(*[flag("wait", *free) for free in FREE], "return", "}", "}")
        high = self.high or "`high`"
        return HEAD.format(width=width, high=high) + "\n".join(types) + "\n\n" + "\n".join(self.lines) + "\n"


def main():
    (HERE / "conv_48.pto").write_text(Convolution(48, 8).text())
    for width in (64, 96, 128):
        text = Convolution(width, 0).text()
        (HERE / f"conv_{width}.pto").write_text(text.replace("-i n=1536", "-i n=1536 -i high=8"))


if __name__ == "__main__":
    main()
