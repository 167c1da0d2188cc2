"""Makes mx_fp8.pto and mx_fp4.pto: products with MX scales, whose panels and scales have two slots of L1 each.

    python3 examples/timing/generate_mx.py

Nothing runs this in the tests; the programs are in the repository.
"""

from generate import FREE, HERE, flag


class Product:
    """A program: its format, its block of `m` x `n`, the elements of a step, of a panel, and of a slot of scales."""

    def __init__(self, name, element, packed, m, n, step, panel, scales, open_region):
        self.name, self.element, self.packed = name, element, packed
        self.m, self.n, self.step, self.panel, self.scales = m, n, step, panel, scales
        self.open = open_region

    def head(self):
        m, n, step, panel, scales, packed = self.m, self.n, self.step, self.panel, self.scales, self.packed
        at, bt = ("?x?", "?x?") if self.open else (None, None)

        def tile(place, shape, layout, valid=None):
            region = f", valid={valid}" if valid else ""
            return f"!pto.tile_buf<{place}, {shape}{region}, {layout}>"

        def slots(place, shape, layout, valid):
            return f"!pto.multi_tile_buf<{place}, {shape}, valid={valid}, {layout}, count=2>"

        nz, zn = "blayout=col_major, slayout=row_major", "blayout=row_major, slayout=col_major"
        zz, nn = "slayout=row_major, fractal=32", "blayout=col_major, slayout=col_major, fractal=32"
        e, s = self.element, "!pto.f8E8M0"
        types = [
            ("a_panel", tile("mat", f"{m}x{panel // packed}x{e}", nz, at)),
            ("b_panel", tile("mat", f"{panel // packed}x{n}x{e}", zn, bt)),
            ("a_scales", tile("mat", f"{m}x{scales // 32}x{s}", zz, "?x?")),
            ("b_scales", tile("mat", f"{scales // 32}x{n}x{s}", nn, "?x?")),
            ("a_slots", slots("mat", f"{m}x{scales // 32}x{s}", zz, "?x?")),
            ("b_slots", slots("mat", f"{scales // 32}x{n}x{s}", nn, "?x?")),
            ("left", tile("left", f"{m}x{step // packed}x{e}", nz, at)),
            ("right", tile("right", f"{step // packed}x{n}x{e}", zn, bt)),
            ("left_scale", tile("scaling", f"{m}x{step // 32}x{s}", zz, at)),
            ("right_scale", tile("scaling", f"{step // 32}x{n}x{s}", nn, bt)),
            ("acc", tile("acc", f"{m}x{n}xf32", "blayout=col_major, slayout=row_major, fractal=1024", at)),
            ("data", f"!pto.tensor_view<?x?x{e}>"),
            ("scale_data", f"!pto.tensor_view<?x?x?x?x?x{s}>"),
            ("result", "!pto.tensor_view<?x?xbf16>"),
            ("a_part", f"!pto.partition_tensor_view<?x{panel // packed}x{e}>"),
            ("b_part", f"!pto.partition_tensor_view<{panel // packed}x?x{e}>"),
            ("scale_part", f"!pto.partition_tensor_view<1x1x?x?x2x{s}>"),
            ("c_part", "!pto.partition_tensor_view<?x?xbf16>"),
        ]
        return "".join(f"!{name} = {text}\n" for name, text in types)

    def constants(self):
        m, n, step, panel, scales, packed = self.m, self.n, self.step, self.panel, self.scales, self.packed
        numbers = {0, 1, 2, 4, 32, 64, m, n, step, panel, 2 * panel, scales, panel // packed, panel // 32}
        numbers |= {step // packed * i for i in range(panel // step)} | {scales // 32, packed}
        numbers |= {step // 32 * i for i in range(1, panel // step)} | {step // 32}
        return "".join(f"  %c{number} = arith.constant {number} : index\n" for number in sorted(numbers))

    def setup(self):
        lines = [
            "// Extents of packed elements are in bytes; there is a scale for every 32 elements, in pairs.",
            f"%kp = arith.divsi %k, %c{self.packed} : index",
            "%pairs = arith.divsi %k, %c64 : index",
            "%scales = arith.divsi %k, %c32 : index",
            "%a_all = pto.make_tensor_view %a, shape = [%m, %kp], strides = [%kp, %c1] : !data",
            "%b_all = pto.make_tensor_view %b, shape = [%kp, %n], strides = [%c1, %kp] {layout = #pto.layout<dn>} : !data",
            "%a_scale_all = pto.make_tensor_view %a_scale, shape = [%c1, %c1, %m, %pairs, %c2], "
            "strides = [%scales, %scales, %scales, %c2, %c1] {layout = #pto.layout<mx_a_nd>} : !scale_data",
            "%b_scale_all = pto.make_tensor_view %b_scale, shape = [%c1, %c1, %n, %pairs, %c2], "
            "strides = [%scales, %scales, %scales, %c2, %c1] {layout = #pto.layout<mx_b_dn>} : !scale_data",
            "%c_all = pto.make_tensor_view %c, shape = [%m, %n], strides = [%n, %c1] : !result",
            "",
            "// The part of this core.",
            "%core = pto.get_block_idx : index",
            "%row_part = arith.remsi %core, %c4 : index",
            "%column_part = arith.divsi %core, %c4 : index",
            "%first_row = arith.muli %row_part, %core_rows : index",
            "%first_column = arith.muli %column_part, %core_columns : index",
            "%beyond_row = arith.addi %first_row, %core_rows : index",
            "%beyond_column = arith.addi %first_column, %core_columns : index",
            "%end_row = arith.minsi %beyond_row, %m : index",
            "%end_column = arith.minsi %beyond_column, %n : index",
            "",
            "// Slots of scales alternate over all blocks of the result: `groups` of them belong to one block.",
            f"%last = arith.addi %k, %c{self.scales} : index",
            "%less = arith.subi %last, %c1 : index",
            f"%groups = arith.divsi %less, %c{self.scales} : index",
            "",
        ]
        region = {
            "a": f"%c{self.m}, %c{self.panel // self.packed}",
            "b": f"%c{self.panel // self.packed}, %c{self.n}",
            "left": f"%c{self.m}, %c{self.step // self.packed}",
            "right": f"%c{self.step // self.packed}, %c{self.n}",
            "left_scale": f"%c{self.m}, %c{self.step // 32}",
            "right_scale": f"%c{self.step // 32}, %c{self.n}",
        }
        types = {"a": "!a_panel", "b": "!b_panel"}
        for name, valid in region.items():
            rows, columns = valid.split(", ")
            kind = types.get(name, f"!{name}")
            extents = f" valid_row = {rows} valid_col = {columns}" if self.open else ""
            lines += [f"%{name}{slot} = pto.alloc_tile{extents} : {kind}" for slot in (0, 1)]
        extents = f" valid_row = %c{self.m} valid_col = %c{self.n}" if self.open else ""
        lines += [
            f"%acc = pto.alloc_tile{extents} : !acc",
            f"%a_slots = pto.alloc_multi_tile valid_row = %c{self.m} valid_col = %c{self.scales // 32} : !a_slots",
            f"%b_slots = pto.alloc_multi_tile valid_row = %c{self.scales // 32} valid_col = %c{self.n} : !b_slots",
        ]
        for side in (0, 1):
            lines.append(f"pto.tget_scale_addr ins(%left{side} : !left) outs(%left_scale{side} : !left_scale)")
            lines.append(f"pto.tget_scale_addr ins(%right{side} : !right) outs(%right_scale{side} : !right_scale)")
        return lines

    def resize(self):
        """Valid regions of one block of the result."""
        lines = []
        packed, step = self.packed, self.step
        for slot in (0, 1):
            lines += [
                f"pto.set_validshape %a{slot}, %rows, %c{self.panel // packed} : !a_panel",
                f"pto.set_validshape %b{slot}, %c{self.panel // packed}, %columns : !b_panel",
                f"pto.set_validshape %left{slot}, %rows, %c{step // packed} : !left",
                f"pto.set_validshape %right{slot}, %c{step // packed}, %columns : !right",
                f"pto.set_validshape %left_scale{slot}, %rows, %c{step // 32} : !left_scale",
                f"pto.set_validshape %right_scale{slot}, %c{step // 32}, %columns : !right_scale",
            ]
        return lines + ["pto.set_validshape %acc, %rows, %columns : !acc"]

    def scale_load(self, side, rows):
        part = f"%{side}_scale_part"
        shape = "%rows, %width" if side == "a" else "%width, %columns"
        return [
            "scf.if %begins {",
            f"  pto.set_validshape %{side}_scales, {shape} : !{side}_scales",
            f"  {part} = pto.partition_view %{side}_scale_all, offsets = [%c0, %c0, {rows[0]}, %pair, %c0], "
            f"sizes = [%c1, %c1, {rows[1]}, %pairs_here, %c2] : !scale_data -> !scale_part",
            f"  pto.tload ins({part} : !scale_part) outs(%{side}_scales : !{side}_scales)",
            "}",
        ]

    def panel_lines(self, slot, at):
        """One panel: its loads, and its steps. The scales of a group come with the first panel of a pair."""
        name, depth = f"p{slot}", self.panel // self.packed
        lines = [
            f"%{name}_a = pto.partition_view %a_all, offsets = [%row, {at}p], sizes = [%rows, %c{depth}] : !data -> !a_part",
            f"%{name}_b = pto.partition_view %b_all, offsets = [{at}p, %column], sizes = [%c{depth}, %columns] : !data -> !b_part",
            flag("wait", "MTE1", "MTE2", slot),
            f"pto.tload ins(%{name}_a : !a_part) outs(%a{slot} : !a_panel)",
        ]
        lines += self.scale_load("a", ("%row", "%rows")) if slot == 0 else []
        lines += [
            flag("set", "MTE2", "MTE1", 2 * slot),
            f"pto.tload ins(%{name}_b : !b_part) outs(%b{slot} : !b_panel)",
        ]
        lines += self.scale_load("b", ("%column", "%columns")) if slot == 0 else []
        lines.append(flag("set", "MTE2", "MTE1", 2 * slot + 1))
        steps = self.panel // self.step
        for step in range(steps):
            side, inner = step % 2, f"%c{step * self.step // self.packed}"
            scale = f"%s{slot}{step}"
            lines += [
                f"{scale} = arith.addi %scale{slot}, %c{step * self.step // 32} : index",
                flag("wait", "M", "MTE1", side),
            ]
            if step == 0:
                lines.append(flag("wait", "MTE2", "MTE1", 2 * slot))
            lines += [
                f"pto.textract ins(%a{slot}, %c0, {inner} : !a_panel, index, index) outs(%left{side} : !left)",
                f"pto.textract ins(%a_scales, %c0, {scale} : !a_scales, index, index) outs(%left_scale{side} : !left_scale)",
            ]
            if step == 0:
                lines.append(flag("wait", "MTE2", "MTE1", 2 * slot + 1))
            lines += [
                f"pto.textract ins(%b{slot}, {inner}, %c0 : !b_panel, index, index) outs(%right{side} : !right)",
                f"pto.textract ins(%b_scales, {scale}, %c0 : !b_scales, index, index) outs(%right_scale{side} : !right_scale)",
            ]
            if step == steps - 1:
                lines.append(flag("set", "MTE1", "MTE2", slot))
            lines += [flag("set", "MTE1", "M", side), flag("wait", "MTE1", "M", side)]
            factors = f"%left{side}, %left_scale{side}, %right{side}, %right_scale{side}"
            types = "!left, !left_scale, !right, !right_scale"
            plain = f"pto.tmatmul.mx ins({factors} : {types}) outs(%acc : !acc)"
            added = f"pto.tmatmul.mx.acc ins(%acc, {factors} : !acc, {types}) outs(%acc : !acc)"
            if slot == 0 and step == 0:
                lines += [
                    "scf.if %starts {",
                    "  " + flag("wait", "FIX", "M", 0),
                    "  " + plain,
                    "} else {",
                    "  " + added,
                    "}",
                ]
            else:
                lines.append(added)
            lines.append(flag("set", "M", "MTE1", side))
        return lines

    def text(self, comment):
        out = [comment, self.head(), "\n", 'module attributes {"pto.target_arch" = "a5"} {\n']
        scale_type = "!pto.ptr<!pto.f8E8M0>"
        out.append(
            f"func.func @{self.name}(%a: !pto.ptr<{self.element}>, %b: !pto.ptr<{self.element}>, %a_scale: {scale_type}, "
            f"%b_scale: {scale_type}, %c: !pto.ptr<bf16>,\n    %m: index, %k: index, %n: index, %core_rows: index, "
            "%core_columns: index) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n"
        )
        out.append(self.constants())
        put = lambda depth, lines: out.extend(("  " * depth + line).rstrip() + "\n" for line in lines)
        put(1, self.setup() + [flag("set", *free) for free in FREE])
        put(1, [f"%row_blocks_of = arith.subi %end_column, %first_column : index"])
        put(1, [f"%padded = arith.addi %row_blocks_of, %c{self.n} : index", "%padded_less = arith.subi %padded, %c1 : index"])
        put(1, [f"%blocks_of_row = arith.divsi %padded_less, %c{self.n} : index"])
        put(1, [f"scf.for %row = %first_row to %end_row step %c{self.m} {{"])
        put(2, ["%rows_left = arith.subi %end_row, %row : index", f"%rows = arith.minsi %rows_left, %c{self.m} : index"])
        put(2, ["%rows_done = arith.subi %row, %first_row : index", f"%row_blocks = arith.divsi %rows_done, %c{self.m} : index"])
        put(2, ["%blocks_before = arith.muli %row_blocks, %blocks_of_row : index"])
        put(2, [f"scf.for %column = %first_column to %end_column step %c{self.n} {{"])
        put(3, ["%columns_left = arith.subi %end_column, %column : index"])
        put(3, [f"%columns = arith.minsi %columns_left, %c{self.n} : index"])
        put(3, ["%columns_done = arith.subi %column, %first_column : index"])
        put(3, [f"%column_blocks = arith.divsi %columns_done, %c{self.n} : index"])
        put(3, ["%block = arith.addi %blocks_before, %column_blocks : index", "%first_group = arith.muli %block, %groups : index"])
        put(3, self.resize() if self.open else [])
        put(3, [f"scf.for %at = %c0 to %k step %c{2 * self.panel} {{"])
        put(4, ["%starts = arith.cmpi eq, %at, %c0 : index", f"%within = arith.remsi %at, %c{self.scales} : index"])
        put(4, ["%begins = arith.cmpi eq, %within, %c0 : index", f"%of_block = arith.divsi %at, %c{self.scales} : index"])
        put(4, ["%group = arith.addi %first_group, %of_block : index", "%which = arith.remsi %group, %c2 : index"])
        put(4, ["%a_scales = pto.multi_tile_get %a_slots[%which] : !a_slots -> !a_scales"])
        put(4, ["%b_scales = pto.multi_tile_get %b_slots[%which] : !b_slots -> !b_scales"])
        put(4, ["%left_over = arith.subi %k, %at : index", f"%here = arith.minsi %left_over, %c{self.scales} : index"])
        put(4, ["%width = arith.divsi %here, %c32 : index", "%pairs_here = arith.divsi %here, %c64 : index"])
        put(4, ["%pair = arith.divsi %at, %c64 : index", "%scale0 = arith.divsi %within, %c32 : index"])
        put(4, [f"%scale1 = arith.addi %scale0, %c{self.panel // 32} : index"])
        put(4, [f"%next = arith.addi %at, %c{self.panel} : index"])
        put(4, [f"%atp = arith.divsi %at, %c{self.packed} : index", f"%nextp = arith.divsi %next, %c{self.packed} : index"])
        put(4, self.panel_lines(0, "%at") + self.panel_lines(1, "%next"))
        put(3, ["}"])
        put(3, ["%c_part = pto.partition_view %c_all, offsets = [%row, %column], sizes = [%rows, %columns] : !result -> !c_part"])
        put(3, [flag("set", "M", "FIX", 0), flag("wait", "M", "FIX", 0)])
        put(3, ["pto.tstore ins(%acc : !acc) outs(%c_part : !c_part)", flag("set", "FIX", "M", 0)])
        put(2, ["}"])
        put(1, ["}"] + [flag("wait", *free) for free in FREE] + ["return"])
        out.append("}\n}\n")
        return "".join(out)


FP8 = """// c = a * b with MX scales, fp8 to bf16: a is MxK by rows, b is KxN by columns, a scale for every 32 elements along K. Each of
// 4 x 8 cores has `core_rows` x `core_columns` of c, in blocks of 128 x 256. Panels of 512 along K have two slots of L1; the
// scales of 4096 along K are loaded at once, into one of two further slots. Steps of 128 alternate between two slots of L0.
//
// target: a5
// run: -i m=128 -i k=1024 -i n=256 -i core_rows=128 -i core_columns=256 -i a=randn -i b=randn -i a_scale=ones -i b_scale=ones
"""

FP4 = """// c = a * b with MX scales, fp4 to bf16: a is MxK by rows, b is KxN by columns, a scale for every 32 elements along K. Each of
// 4 x 8 cores has `core_rows` x `core_columns` of c, in blocks of 256 x 256; those at the edges are smaller. Panels of 512
// along K have two slots of L1; the scales of 2048 along K are loaded at once, into one of two further slots. Steps of 256
// alternate between two slots of L0.
//
// target: a5
// run: -i m=248 -i k=1024 -i n=164 -i core_rows=256 -i core_columns=256 -i a=randn -i b=randn -i a_scale=ones -i b_scale=ones
"""


def main():
    fp8 = Product("mx_fp8", "f8E5M2", 1, 128, 256, 128, 512, 4096, False)
    (HERE / "mx_fp8.pto").write_text(fp8.text(FP8))
    fp4 = Product("mx_fp4", "f4E2M1x2", 2, 256, 256, 256, 512, 2048, True)
    (HERE / "mx_fp4.pto").write_text(fp4.text(FP4))


if __name__ == "__main__":
    main()
