"""Makes attention_256.pto, attention_512.pto and attention_split.pto: attention whose scores, weights and products go through queues
in global memory; in the last one, two cores have half of the keys each, and attention_combine.pto combines what they store.

    python3 examples/timing/generate_attention.py

The programs have no flags: `pto lower` puts them in, as the assembler does for the kernel with published times. Nothing runs this
in the tests; the programs are in the repository.
"""

from generate import HERE
from program_text import Text

ROWS = 128  # rows of q in a block
HEAD = 128  # size of a head
KEYS = 128  # keys of one product
AHEAD = 3  # steps for which scores are computed ahead

HEAD_TEXT = """// softmax(q k^T / sqrt(128)) v of one head, f16 to f32. A block of 128 rows of q is on one cube core and its two vector cores.
// Steps of {tile} keys: the cube core puts scores into a queue (f32), the vector cores weights into another (f16), the cube core
// products of weights and v into a third (f32), which the vector cores rescale and add. Scores are computed {ahead} steps ahead.
// The slots of the queues are in global memory.
//
// target: a2a3
// run: -i rows=128 -i keys={keys} -i q=randn -i k=randn -i v=randn --blocks 1
"""

SPLIT_TEXT = """// The keys have two parts. What a part gives is stored undivided, with the maxima and sums of its rows, for attention_combine.pto.
"""


def types(tile):
    slices = tile // KEYS
    height = ROWS // 2 // slices
    nz, zn, acc = (
        "blayout=col_major, slayout=row_major",
        "blayout=row_major, slayout=col_major",
        "blayout=col_major, slayout=row_major, fractal=1024",
    )
    kinds = [
        ("f16_data", "!pto.tensor_view<?x?xf16>"),
        ("f32_data", "!pto.tensor_view<?x?xf32>"),
        ("block_part", f"!pto.partition_tensor_view<{ROWS}x{HEAD}xf16>"),
        ("keys_part", f"!pto.partition_tensor_view<{HEAD}x{KEYS}xf16>"),
        ("scores_slot", f"!pto.tensor_view<{ROWS}x{tile}xf32>"),
        ("scores_out", f"!pto.partition_tensor_view<{ROWS}x{KEYS}xf32>"),
        ("scores_in", f"!pto.partition_tensor_view<{height}x{tile}xf32>"),
        ("weights_slot", f"!pto.tensor_view<{ROWS}x{tile}xf16>"),
        ("weights_out", f"!pto.partition_tensor_view<{height}x{tile}xf16>"),
        ("product_slot", f"!pto.tensor_view<{ROWS}x{HEAD}xf32>"),
        ("product_out", f"!pto.partition_tensor_view<{ROWS}x{HEAD}xf32>"),
        ("product_in", f"!pto.partition_tensor_view<{height}x{HEAD}xf32>"),
        ("mat", f"!pto.tile_buf<mat, 128x128xf16, {nz}>"),
        ("mat_k", f"!pto.tile_buf<mat, 128x128xf16, {zn}>"),
        ("left", "!pto.tile_buf<left, 128x128xf16, blayout=row_major, slayout=row_major>"),
        ("right", f"!pto.tile_buf<right, 128x128xf16, {zn}>"),
        ("acc", f"!pto.tile_buf<acc, 128x128xf32, {acc}>"),
        ("wide", f"!pto.tile_buf<vec, {height}x{tile}xf32>"),
        ("wide_f16", f"!pto.tile_buf<vec, {height}x{tile}xf16>"),
        ("out_tile", f"!pto.tile_buf<vec, {height}x{HEAD}xf32>"),
        ("column", f"!pto.tile_buf<vec, {height}x1xf32, blayout=col_major>"),
        ("columns", f"!pto.multi_tile_buf<vec, {height}x1xf32, blayout=col_major, count={AHEAD * slices}>"),
        ("row", f"!pto.tile_buf<vec, 1x{height}xf32>"),
    ]
    return [f"!{name} = {kind}" for name, kind in kinds]


class Attention:
    def __init__(self, tile, parts=1):
        self.tile, self.slices, self.parts = tile, tile // KEYS, parts
        self.height = ROWS // 2 // self.slices
        self.t = Text()

    def units(self):
        """The head of the loop over blocks of rows, or over parts of the keys for each of them."""
        t = self.t
        if self.parts == 1:
            t.put("scf.for %block = %first_block to %end_block step %c1 {")
            return
        t.put("scf.for %unit = %first_block to %end_block step %c1 {", f"%block = arith.divsi %unit, %c{self.parts} : index")
        t.put(f"%key_part = arith.remsi %unit, %c{self.parts} : index", "%base = arith.muli %key_part, %steps : index")
        t.base = "%base"

    # The cube core.

    def scores(self, step, sub, slot):
        """Scores of one part of a step, into the slot of the queue."""
        t = self.t
        at = t.at(step, self.tile, sub * KEYS)
        part = t.view("%k_all", "!f16_data", f"%c0, {at}", "%c128, %c128", "!keys_part")
        t.op("tload", [(part, "!keys_part")], (f"%k_mat{slot}", "!mat_k"))
        t.op("tmov", [(f"%k_mat{slot}", "!mat_k")], ("%k_right", "!right"))
        t.op("tmatmul", [("%q_left", "!left"), ("%k_right", "!right")], ("%scores_acc", "!acc"))
        part = t.view("%scores_entry", "!scores_slot", f"%c0, %c{sub * KEYS}", "%c128, %c128", "!scores_out")
        t.op("tstore", [("%scores_acc", "!acc")], (part, "!scores_out"))

    def product(self, step, sub):
        """The product of weights and v of one part of a step."""
        t = self.t
        part = t.view("%weights_entry", "!weights_slot", f"%c0, %c{sub * KEYS}", "%c128, %c128", "!block_part")
        t.op("tload", [(part, "!block_part")], ("%p_mat", "!mat"))
        t.op("tmov", [("%p_mat", "!mat")], ("%p_left", "!left"))
        at = t.at(step, self.tile, sub * KEYS)
        part = t.view("%v_all", "!f16_data", f"{at}, %c0", "%c128, %c128", "!block_part")
        t.op("tload", [(part, "!block_part")], ("%v_mat", "!mat"))
        t.op("tmov", [("%v_mat", "!mat")], ("%v_right", "!right"))
        factors = [("%p_left", "!left"), ("%v_right", "!right")]
        if sub == 0:
            t.op("tmatmul", factors, ("%product_acc", "!acc"))
        else:
            t.op("tmatmul.acc", [("%product_acc", "!acc")] + factors, ("%product_acc", "!acc"))

    def push_product(self):
        t = self.t
        t.put(
            "pto.tfree(%weights_entry, %weights : !weights_slot, !pto.pipe) {split = 1}",
            "pto.talloc(%product_entry, %products : !product_slot, !pto.pipe) {split = 1}",
        )
        part = t.view("%product_entry", "!product_slot", "%c0, %c0", "%c128, %c128", "!product_out")
        t.op("tstore", [("%product_acc", "!acc")], (part, "!product_out"))
        t.put("pto.tpush(%product_entry, %products : !product_slot, !pto.pipe) {split = 1}")

    def cube_step(self, next_step, step, slot):
        """Scores of one step, products of an earlier one, or both, part by part."""
        t = self.t
        if step:
            t.put("pto.tpop(%weights_entry, %weights : !weights_slot, !pto.pipe) {split = 1}")
        for sub in range(self.slices):
            if step:
                self.product(step, sub)
            if next_step and sub == 0:
                t.put("pto.talloc(%scores_entry, %scores : !scores_slot, !pto.pipe) {split = 1}")
            if step and sub == self.slices - 1:
                self.push_product()
            if next_step:
                self.scores(next_step, sub, slot)
        if next_step:
            t.put("pto.tpush(%scores_entry, %scores : !scores_slot, !pto.pipe) {split = 1}")

    def queues(self):
        """The ends of the queues: 8 slots each, in global memory."""
        sizes = [("scores", ROWS * self.tile * 4, 1, 0), ("products", ROWS * HEAD * 4, 1, 4), ("weights", ROWS * self.tile * 2, 2, 2)]
        for name, size, way, flag in sizes:
            kind = "f16" if name == "weights" else "f32"
            self.t.put(
                f"%{name} = pto.initialize_l2g2l_pipe {{dir_mask = {way}, slot_size = {size}, slot_num = 8, flag_base = {flag}}} "
                f"(%{name}_slots : !pto.ptr<{kind}>) -> !pto.pipe"
            )

    def cube(self):
        t = self.t
        t.put("pto.section.cube {")
        self.queues()
        tiles = ["q_mat mat 0", "k_mat0 mat_k 32768", "k_mat1 mat_k 65536", "p_mat mat 98304", "v_mat mat 131072"]
        tiles += ["q_left left 0", "p_left left 32768", "k_right right 0", "v_right right 32768"]
        for tile in tiles + ["scores_acc acc 0", "product_acc acc 65536"]:
            t.tile(*tile.split())
        for name, kind in [("scores", "scores_slot"), ("weights", "weights_slot"), ("product", "product_slot")]:
            t.put(f"%{name}_entry = pto.declare_global -> !{kind}")
        self.units()
        t.put("%row = arith.muli %block, %c128 : index")
        part = t.view("%q_all", "!f16_data", "%row, %c0", "%c128, %c128", "!block_part")
        t.op("tload", [(part, "!block_part")], ("%q_mat", "!mat"))
        t.op("tmov", [("%q_mat", "!mat")], ("%q_left", "!left"))
        t.put(f"scf.for %ahead = %c0 to %c{AHEAD} step %c1 {{")
        self.cube_step("%ahead", None, 1)
        t.put("}", "scf.for %step = %c0 to %steady step %c1 {", f"%next = arith.addi %step, %c{AHEAD} : index")
        self.cube_step("%next", "%step", 0)
        t.put("}", "scf.for %step = %steady to %steps step %c1 {")
        self.cube_step(None, "%step", 0)
        t.put("}", "}", "}")

    # The vector cores.

    def softmax(self, step, is_first):
        """Weights of one step, slice by slice of rows, with the running maximum and sum."""
        t = self.t
        t.put(
            "pto.tpop(%scores_entry, %scores : !scores_slot, !pto.pipe) {split = 1}",
            "pto.talloc(%weights_entry, %weights : !weights_slot, !pto.pipe) {split = 1}",
        )
        ring = self.ring(step)
        wide, column, row = "!wide", "!column", "!row"
        for i in range(self.slices):
            shape = f"%c{self.height}, %c{self.tile}"
            part = t.view("%scores_entry", "!scores_slot", f"%c{i * self.height}, %c0", shape, "!scores_in")
            t.op("tload", [(part, "!scores_in")], ("%s", wide))
            t.op("trowmax", [("%s", wide), ("%work", wide)], (f"%here{i}", column))
            here, total, most = (f"%here_row{i}", row), (f"%sum_row{i}", row), (f"%most_row{i}", row)
            if is_first:
                t.op("trowexpandsub", [("%s", wide), (f"%here{i}", column)], ("%p", wide))
                t.op("tmov", [here], most)
                t.op("tmuls", [("%p", wide), ("%scale", "f32")], ("%p", wide))
                t.op("texp", [("%p", wide)], ("%p", wide))
                t.op("trowsum", [("%p", wide), ("%work", wide)], (f"%sum{i}", column))
            else:
                factor, factor_row = self.factor(ring, i), t.name("factor_row")
                t.put(f"{factor_row} = pto.treshape {factor} : !column -> !row")
                factor = (factor_row, row)
                t.op("tmax", [here, most], here)
                t.op("tsub", [most, here], factor)
                t.op("tmov", [here], most)
                t.op("trowexpandsub", [("%s", wide), (f"%here{i}", column)], ("%p", wide))
                t.op("tmuls", [factor, ("%scale", "f32")], factor)
                t.op("tmuls", [("%p", wide), ("%scale", "f32")], ("%p", wide))
                t.op("texp", [factor], factor)
                t.op("texp", [("%p", wide)], ("%p", wide))
                t.op("tmul", [total, factor], total)
                t.op("trowsum", [("%p", wide), ("%work", wide)], (f"%part_sum{i}", column))
                t.op("tadd", [total, (f"%part_sum_row{i}", row)], total)
            t.put("pto.tcvt ins(%p {sat_mode = #pto<saturation_mode ON>} : !wide) outs(%p_f16 : !wide_f16)")
            part = t.view("%weights_entry", "!weights_slot", f"%c{i * self.height}, %c0", shape, "!weights_out")
            t.op("tstore", [("%p_f16", "!wide_f16")], (part, "!weights_out"))
        t.put(
            "pto.tpush(%weights_entry, %weights : !weights_slot, !pto.pipe) {split = 1}",
            "pto.tfree(%scores_entry, %scores : !scores_slot, !pto.pipe) {split = 1}",
        )

    def ring(self, step):
        """The index of the first factor of a step among those that are kept."""
        t = self.t
        turn, base = t.name("turn"), t.name("base")
        t.put(f"{turn} = arith.remsi {step}, %c{AHEAD} : index", f"{base} = arith.muli {turn}, %c{self.slices} : index")
        return base

    def factor(self, base, i):
        t = self.t
        at, tile = t.name("at"), t.name("factor")
        t.put(f"{at} = arith.addi {base}, %c{i} : index", f"{tile} = pto.multi_tile_get %factors[{at}] : !columns -> !column")
        return tile

    def update(self, step, is_first):
        """The product of one step, added to the rescaled sums."""
        t = self.t
        t.put("pto.tpop(%product_entry, %products : !product_slot, !pto.pipe) {split = 1}")
        ring = None if is_first else self.ring(step)
        for i in range(self.slices):
            shape = f"%c{self.height}, %c128"
            part = t.view("%product_entry", "!product_slot", f"%c{i * self.height}, %c0", shape, "!product_in")
            new, out = (f"%new{i}", "!out_tile"), (f"%out{i}", "!out_tile")
            t.op("tload", [(part, "!product_in")], new)
            if is_first:
                t.op("tmov", [new], out)
            else:
                t.op("trowexpandmul", [out, (self.factor(ring, i), "!column")], out)
                t.op("tadd", [out, new], out)
        t.put("pto.tfree(%product_entry, %products : !product_slot, !pto.pipe) {split = 1}")

    def vector(self):
        t = self.t
        t.put("pto.section.vector {")
        self.queues()
        for tile in ["s wide 0", "work wide 32768", "p wide 65536", "p_f16 wide_f16 98304"]:
            t.tile(*tile.split())
        size, free = self.height * HEAD * 4, 114688 + 65536
        for i in range(self.slices):
            t.tile(f"new{i}", "out_tile", 114688 + 2 * i * size)
            t.tile(f"out{i}", "out_tile", 114688 + (2 * i + 1) * size)
            for name in ["most", "sum", "here", "part_sum"]:
                t.tile(f"{name}{i}", "column", free)
                t.put(f"%{name}_row{i} = pto.treshape %{name}{i} : !column -> !row")
                free += 4 * self.height
        t.tile("factors", "columns", free, many=True)
        for name, kind in [("scores", "scores_slot"), ("weights", "weights_slot"), ("product", "product_slot")]:
            t.put(f"%{name}_entry = pto.declare_global -> !{kind}")
        t.put("%core = pto.get_subblock_idx", "%core_index = arith.index_cast %core : i64 to index")
        t.put("%half = arith.muli %core_index, %c64 : index")
        self.units()
        self.softmax("%c0", True)
        t.put("scf.for %step = %c1 to %steps step %c1 {", f"%earlier = arith.subi %step, %c{AHEAD} : index")
        t.put("%is_late = arith.cmpi sge, %earlier, %c0 : index", "scf.if %is_late {")
        t.put("%is_first = arith.cmpi eq, %earlier, %c0 : index", "scf.if %is_first {")
        self.update("%earlier", True)
        t.put("} else {")
        self.update("%earlier", False)
        t.put("}", "}")
        self.softmax("%step", False)
        t.put("}", "scf.for %step = %steady to %steps step %c1 {")
        t.put("%is_first = arith.cmpi eq, %step, %c0 : index", "scf.if %is_first {")
        self.update("%step", True)
        t.put("} else {")
        self.update("%step", False)
        t.put("}", "}", f"%row = arith.muli {'%block' if self.parts == 1 else '%unit'}, %c128 : index")
        t.put("%own_row = arith.addi %row, %half : index")
        for i in range(self.slices):
            out, at = (f"%out{i}", "!out_tile"), t.name("at")
            if self.parts == 1:
                t.op("trowexpanddiv", [out, (f"%sum{i}", "!column")], out)
            t.put(f"{at} = arith.addi %own_row, %c{i * self.height} : index")
            part = t.view("%o_all", "!f32_data", f"{at}, %c0", f"%c{self.height}, %c128", "!product_in")
            t.op("tstore", [out], (part, "!product_in"))
            for name in ["most", "sum"] if self.parts > 1 else []:
                part = t.view(f"%{name}_all", "!f32_data", f"%c0, {at}", f"%c1, %c{self.height}", "!row_part")
                t.op("tstore", [(f"%{name}_row{i}", "!row")], (part, "!row_part"))
        t.put("}", "}")

    def outputs(self):
        """Views of what is stored: the result, or a result with maxima and sums for each part of the keys."""
        rows = "%rows" if self.parts == 1 else "%out_rows"
        lines = [f"%out_rows = arith.muli %rows, %c{self.parts} : index"] if self.parts > 1 else []
        lines.append(f"%o_all = pto.make_tensor_view %o, shape = [{rows}, %c128], strides = [%c128, %c1] : !f32_data")
        for name in ["most", "sum"] if self.parts > 1 else []:
            lines.append(
                f"%{name}_all = pto.make_tensor_view %{name}_out, shape = [%c1, %out_rows], strides = [%out_rows, %c1] : !f32_data"
            )
        return lines

    def text(self):
        t = self.t
        t.put('module attributes {"pto.target_arch" = "a2a3"} {')
        states = "%most_out: !pto.ptr<f32>, %sum_out: !pto.ptr<f32>, " if self.parts > 1 else ""
        t.put(
            "func.func @attention(%q: !pto.ptr<f16>, %k: !pto.ptr<f16>, %v: !pto.ptr<f16>, %o: !pto.ptr<f32>, %score_ring: !pto.ptr<f32>, "
            f"%weight_ring: !pto.ptr<f16>, %product_ring: !pto.ptr<f32>, {states}%rows: index, %keys: index) {{"
        )
        numbers = {0, 1, 64, 128, self.tile, self.height, AHEAD, 2, self.slices}
        numbers |= {self.parts, self.parts * self.tile} | {i * KEYS for i in range(self.slices)} | {i * self.height for i in range(self.slices)} | set(range(self.slices))
        sizes = {"scores": 8 * ROWS * self.tile, "products": 8 * ROWS * HEAD}
        t.put(*[f"%c{number} = arith.constant {number} : index" for number in sorted(numbers | set(sizes.values()))])
        t.put(
            "%scale = arith.constant 0.08838834764831845 : f32",
            "%q_all = pto.make_tensor_view %q, shape = [%rows, %c128], strides = [%c128, %c1] : !f16_data",
            "%k_all = pto.make_tensor_view %k, shape = [%c128, %keys], strides = [%c1, %c128] {layout = #pto.layout<dn>} : !f16_data",
            "%v_all = pto.make_tensor_view %v, shape = [%keys, %c128], strides = [%c128, %c1] : !f16_data",
            *self.outputs(),
            "",
            "// Blocks of rows of this core: the first cores have one more.",
            "%core_number = pto.get_block_idx : index",
            "%cores = pto.get_block_num : index",
            f"%blocks = arith.divsi {'%rows' if self.parts == 1 else '%out_rows'}, %c128 : index",
            "%each = arith.divsi %blocks, %cores : index",
            "%extra = arith.remsi %blocks, %cores : index",
            "%more_before = arith.minsi %core_number, %extra : index",
            "%each_before = arith.muli %core_number, %each : index",
            "%first_block = arith.addi %each_before, %more_before : index",
            "%is_fat = arith.cmpi slt, %core_number, %extra : index",
            "%one_more = arith.select %is_fat, %c1, %c0 : index",
            "%own = arith.addi %each, %one_more : index",
            "%end_block = arith.addi %first_block, %own : index",
            f"%steps = arith.divsi %keys, %c{self.tile * self.parts} : index",
            f"%steady = arith.subi %steps, %c{AHEAD} : index",
            "// Slots of the queues of this core.",
            f"%score_start = arith.muli %core_number, %c{sizes['scores']} : index",
            f"%product_start = arith.muli %core_number, %c{sizes['products']} : index",
            "%scores_slots = pto.addptr %score_ring, %score_start : !pto.ptr<f32> -> !pto.ptr<f32>",
            "%weights_slots = pto.addptr %weight_ring, %score_start : !pto.ptr<f16> -> !pto.ptr<f16>",
            "%products_slots = pto.addptr %product_ring, %product_start : !pto.ptr<f32> -> !pto.ptr<f32>",
        )
        self.cube()
        self.vector()
        t.put("return", "}", "}")
        head = HEAD_TEXT.format(tile=self.tile, ahead=AHEAD, keys=4 * self.tile * self.parts)
        if self.parts > 1:
            head = head.replace("//\n// target", SPLIT_TEXT + "//\n// target")
        kinds = types(self.tile)
        if self.parts > 1:
            kinds.append(f"!row_part = !pto.partition_tensor_view<1x{self.height}xf32>")
        return head + "\n".join(kinds) + "\n\n" + "\n".join(t.used()) + "\n"


def main():
    for tile in (256, 512):
        (HERE / f"attention_{tile}.pto").write_text(Attention(tile).text())
    (HERE / "attention_split.pto").write_text(Attention(256, 2).text())


if __name__ == "__main__":
    main()
