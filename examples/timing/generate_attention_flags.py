"""Makes attention_flags.pto: attention as in attention_256.pto, with flags by hand and two slots for what is loaded.

    python3 examples/timing/generate_attention_flags.py

Nothing runs this in the tests; the program is in the repository.
"""

from generate import HERE
from program_text import Text

AHEAD = 4  # steps for which scores are computed ahead

HEAD_TEXT = """// softmax(q k^T / sqrt(128)) v of one head, f16 to f32. A block has 128 rows of q, a cube core and its two vector cores. Steps of
// 256 keys, in two parts: the cube core puts scores into a queue (f32), the vector cores weights into another (f16), the cube core
// products of weights and v into a third (f32), which the vector cores rescale and add. Scores are computed 4 steps ahead.
// The slots of the queues are in global memory, `rings` of them: the cores of the device. k, weights and v have two slots of L1, factors two of L0, sums two of L0C,
// scores and weights two of UB.
//
// target: a2a3
// run: -i keys=1024 -i q=randn:128x128 -i k=randn -i v=randn -i rings=1 --blocks 1
!f16_data = !pto.tensor_view<?x?xf16>
!f32_data = !pto.tensor_view<?x?xf32>
!block_part = !pto.partition_tensor_view<128x128xf16>
!scores_slot = !pto.tensor_view<2x128x128xf32>
!scores_out = !pto.partition_tensor_view<1x128x128xf32>
!scores_in = !pto.partition_tensor_view<1x32x128xf32>
!weights_slot = !pto.tensor_view<2x128x128xf16>
!weights_out = !pto.partition_tensor_view<1x32x128xf16>
!weights_in = !pto.partition_tensor_view<1x128x128xf16>
!product_slot = !pto.tensor_view<128x128xf32>
!product_out = !pto.partition_tensor_view<128x128xf32>
!product_in = !pto.partition_tensor_view<64x128xf32>
!mat = !pto.tile_buf<mat, 128x128xf16, blayout=col_major, slayout=row_major>
!mat_k = !pto.tile_buf<mat, 128x128xf16, blayout=row_major, slayout=col_major>
!left = !pto.tile_buf<left, 128x128xf16, blayout=row_major, slayout=row_major>
!right = !pto.tile_buf<right, 128x128xf16, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 128x128xf32, blayout=col_major, slayout=row_major, fractal=1024>
!wide = !pto.tile_buf<vec, 32x256xf32>
!wides = !pto.multi_tile_buf<vec, 32x256xf32, count=2>
!half = !pto.tile_buf<vec, 32x256xf32, valid=32x128>
!wide_f16 = !pto.tile_buf<vec, 32x256xf16>
!wides_f16 = !pto.multi_tile_buf<vec, 32x256xf16, count=2>
!part_f32 = !pto.tile_buf<vec, 32x128xf32>
!part_f16 = !pto.tile_buf<vec, 32x128xf16>
!out_tile = !pto.tile_buf<vec, 64x128xf32>
!out_tiles = !pto.multi_tile_buf<vec, 64x128xf32, count=2>
!column = !pto.tile_buf<vec, 32x1xf32, blayout=col_major>
!columns = !pto.multi_tile_buf<vec, 32x1xf32, blayout=col_major, count=2>
!ring = !pto.multi_tile_buf<vec, 32x1xf32, blayout=col_major, count=16>
!row = !pto.tile_buf<vec, 1x32xf32>
!long_column = !pto.tile_buf<vec, 64x1xf32, blayout=col_major>
!long_ring = !pto.multi_tile_buf<vec, 64x1xf32, blayout=col_major, count=8>

"""

# Queues: bytes of a slot, direction, first flag, format.
QUEUES = [("scores", 131072, 1, 0, "f32"), ("weights", 65536, 2, 2, "f16"), ("product", 65536, 1, 4, "f32")]


def flag(verb, source, to, event):
    if isinstance(event, str):
        return f"pto.{verb}_flag_dyn[<PIPE_{source}>, <PIPE_{to}>, {event}]"
    return f"pto.{verb}_flag[<PIPE_{source}>, <PIPE_{to}>, <EVENT_ID{event}>]"


def pair(source, to, event):
    return [flag("set", source, to, event), flag("wait", source, to, event)]


class Attention:
    def __init__(self):
        self.t = Text()

    def queue(self, verb, name):
        ends = "" if verb == "declare" else f"%{name}_entry, %{name} : !{name}_slot, !pto.pipe"
        self.t.put(f"pto.{verb}({ends}) {{split = 1}}")

    def open(self):
        for name, size, way, event, kind in QUEUES:
            self.t.put(
                f"%{name} = pto.initialize_l2g2l_pipe {{dir_mask = {way}, slot_size = {size}, slot_num = 8, flag_base = {event}}} "
                f"(%{name}_slots : !pto.ptr<{kind}>) -> !pto.pipe",
                f"%{name}_entry = pto.declare_global -> !{name}_slot",
            )

    # The cube core.

    def multiply(self, left, right, slot, acc, name="tmatmul"):
        """Both factors into slot `slot` of L0, and their product."""
        t = self.t
        t.put(flag("wait", "M", "MTE1", slot))
        t.op("textract", [(left, "!mat"), ("%c0", "index"), ("%c0", "index")], (f"%left{slot}", "!left"))
        right_kind = "!mat_k" if "k_mat" in right else "!mat"
        t.op("textract", [(right, right_kind), ("%c0", "index"), ("%c0", "index")], (f"%right{slot}", "!right"))
        t.put(*pair("MTE1", "M", slot))
        factors = [(f"%left{slot}", "!left"), (f"%right{slot}", "!right")]
        if name == "tmatmul":
            t.put(flag("wait", "FIX", "M", acc))
        else:
            t.put("pto.barrier <PIPE_M>")
            factors.insert(0, (f"%acc{acc}", "!acc"))
        t.op(name, factors, (f"%acc{acc}", "!acc"))
        t.put(flag("set", "M", "MTE1", slot))

    def scores(self, step, sub, slot, acc):
        t = self.t
        if sub == 0:
            self.queue("talloc", "scores")
        at = t.at(step, 256, 128 * sub)
        part = t.view("%k_all", "!f16_data", f"%c0, {at}", "%c128, %c128", "!block_part")
        t.put(flag("wait", "MTE1", "MTE2", sub))
        t.op("tload", [(part, "!block_part")], (f"%k_mat{sub}", "!mat_k"))
        t.put(*pair("MTE2", "MTE1", sub))
        self.multiply("%q_mat", f"%k_mat{sub}", slot, acc)
        t.put(flag("set", "MTE1", "MTE2", sub), *pair("M", "FIX", acc))
        part = t.view("%scores_entry", "!scores_slot", f"%c{sub}, %c0, %c0", "%c1, %c128, %c128", "!scores_out")
        t.op("tstore", [(f"%acc{acc}", "!acc")], (part, "!scores_out"))
        t.put(flag("set", "FIX", "M", acc))
        if sub == 1:
            self.queue("tpush", "scores")

    def product(self, step, sub, slot, acc):
        t = self.t
        if sub == 0:
            self.queue("tpop", "weights")
        at = t.at(step, 256, 128 * sub)
        t.put(flag("wait", "MTE1", "MTE2", 2 + sub))
        part = t.view("%v_all", "!f16_data", f"{at}, %c0", "%c128, %c128", "!block_part")
        t.op("tload", [(part, "!block_part")], (f"%v_mat{sub}", "!mat"))
        part = t.view("%weights_entry", "!weights_slot", f"%c{sub}, %c0, %c0", "%c1, %c128, %c128", "!weights_in")
        t.op("tload", [(part, "!weights_in")], (f"%p_mat{sub}", "!mat"))
        if sub == 1:
            self.queue("tfree", "weights")
        t.put(*pair("MTE2", "MTE1", 2 + sub))
        self.multiply(f"%p_mat{sub}", f"%v_mat{sub}", slot, acc, "tmatmul" if sub == 0 else "tmatmul.acc")
        t.put(flag("set", "MTE1", "MTE2", 2 + sub))
        if sub == 1:
            t.put(*pair("M", "FIX", acc))
            self.queue("talloc", "product")
            part = t.view("%product_entry", "!product_slot", "%c0, %c0", "%c128, %c128", "!product_out")
            t.op("tstore", [(f"%acc{acc}", "!acc")], (part, "!product_out"))
            self.queue("tpush", "product")
            t.put(flag("set", "FIX", "M", acc))

    def cube(self):
        t = self.t
        free = [("M", "MTE1", 2), ("MTE1", "MTE2", 4), ("FIX", "M", 2)]
        t.put("pto.section.cube {")
        self.open()
        tiles = ["q_mat mat", "k_mat0 mat_k", "k_mat1 mat_k", "p_mat0 mat", "p_mat1 mat", "v_mat0 mat", "v_mat1 mat"]
        for at, tile in enumerate(tiles):
            t.tile(*tile.split(), 32768 * at)
        for slot in (0, 1):
            t.tile(f"left{slot}", "left", 32768 * slot)
            t.tile(f"right{slot}", "right", 32768 * slot)
            t.tile(f"acc{slot}", "acc", 65536 * slot)
        t.put(*[flag("set", source, to, event) for source, to, count in free for event in range(count)])
        part = t.view("%q_all", "!f16_data", "%row, %c0", "%c128, %c128", "!block_part")
        t.op("tload", [(part, "!block_part")], ("%q_mat", "!mat"))
        t.put("scf.for %ahead = %c0 to %c4 step %c1 {")
        for sub in (0, 1):
            self.scores("%ahead", sub, sub, sub)
        t.put("}", "scf.for %step = %c0 to %steady step %c1 {", "%next = arith.addi %step, %c4 : index")
        for sub in (0, 1):
            self.scores("%next", sub, 0, 0)
            self.product("%step", sub, 1, 1)
        t.put("}", "scf.for %step = %steady to %steps step %c2 {", "%second = arith.addi %step, %c1 : index")
        for acc, step in enumerate(["%step", "%second"]):
            for sub in (0, 1):
                self.product(step, sub, sub, acc)
        t.put("}")
        t.put(*[flag("wait", source, to, event) for source, to, count in free for event in range(count)], "}")

    # The vector cores.

    def softmax(self, step, is_first):
        """Weights of one step: two slices of 32 rows, whose slot of UB alternates."""
        t = self.t
        t.put("scf.for %slice = %c0 to %c2 step %c1 {")
        work, slot, at = t.name("work"), t.name("slot"), t.name("at")
        t.put(
            f"{work} = arith.addi {self.turn}, %slice : index",
            f"{slot} = arith.remsi {work}, %c2 : index",
            f"{at} = arith.muli %slice, %c32 : index",
            "%is_0 = arith.cmpi eq, %slice, %c0 : index",
            "%is_1 = arith.cmpi eq, %slice, %c1 : index",
            f"%s = pto.multi_tile_get %wides[{slot}] : !wides -> !wide",
            f"%p = pto.multi_tile_get %wides_f16[{slot}] : !wides_f16 -> !wide_f16",
        )
        t.put(flag("wait", "V", "MTE2", slot), "scf.if %is_0 {")
        self.queue("tpop", "scores")
        t.put("}")
        for sub in (0, 1):
            part_of = t.name("s_part")
            part = t.view("%scores_entry", "!scores_slot", f"%c{sub}, {at}, %c0", "%c1, %c32, %c128", "!scores_in")
            t.put(f"{part_of} = pto.subview %s[%c0, %c{128 * sub}] sizes [32, 128] : !wide -> !part_f32")
            t.op("tload", [(part, "!scores_in")], (part_of, "!part_f32"))
        t.put("scf.if %is_1 {")
        self.queue("tfree", "scores")
        t.put("}", *pair("MTE2", "V", 0), flag("wait", "MTE3", "V", slot))
        self.weights(step, is_first)
        t.put(flag("set", "V", "MTE2", slot), *pair("V", "MTE3", 0), "scf.if %is_0 {")
        self.queue("talloc", "weights")
        t.put("}")
        for sub in (0, 1):
            part_of = t.name("p_part")
            part = t.view("%weights_entry", "!weights_slot", f"%c{sub}, {at}, %c0", "%c1, %c32, %c128", "!weights_out")
            t.put(f"{part_of} = pto.subview %p[%c0, %c{128 * sub}] sizes [32, 128] : !wide_f16 -> !part_f16")
            t.op("tstore", [(part_of, "!part_f16")], (part, "!weights_out"))
        t.put("scf.if %is_1 {")
        self.queue("tpush", "weights")
        t.put("}", flag("set", "MTE3", "V", slot), "}")

    def weights(self, step, is_first):
        t, barrier = self.t, "pto.barrier <PIPE_V>"
        wide, row = "!wide", "!row"
        s = ("%s", wide)
        for name in ["here", "most", "sum", "part_sum"]:
            t.put(f"%{name} = pto.multi_tile_get %{name}s[%slice] : !columns -> !column")
            t.put(f"%{name}_row = pto.treshape %{name} : !column -> !row")
        to_f16 = "pto.tcvt ins(%s {sat_mode = #pto<saturation_mode ON>} : !wide) outs(%p : !wide_f16)"
        if is_first:
            t.op("trowmax", [s, ("%scratch", wide)], ("%most", "!column"))
            t.put(barrier)
            t.op("trowexpandsub", [s, ("%most", "!column")], s)
            t.put(barrier)
            t.op("tmuls", [s, ("%scale", "f32")], s)
            t.put(barrier)
            t.op("texp", [s], s)
            t.put(barrier)
            t.op("trowsum", [s, ("%scratch", wide)], ("%sum", "!column"))
            t.put(to_f16, barrier)
            return
        factor, index = ("%factor_row", row), t.name("index")
        t.put(
            f"{index}a = arith.remsi {step}, %c8 : index",
            f"{index}b = arith.muli {index}a, %c2 : index",
            f"{index} = arith.addi {index}b, %slice : index",
            f"%factor = pto.multi_tile_get %factors[{index}] : !ring -> !column",
            "%factor_row = pto.treshape %factor : !column -> !row",
        )
        here, most, total = ("%here_row", row), ("%most_row", row), ("%sum_row", row)
        t.op("trowmax", [s, ("%scratch", wide)], ("%here", "!column"))
        t.put(barrier)
        t.op("tmax", [here, most], here)
        t.put(barrier)
        t.op("tsub", [most, here], factor)
        t.put(barrier)
        t.op("tmuls", [here, ("%one", "f32")], most)
        t.op("trowexpandsub", [s, ("%here", "!column")], s)
        t.op("tmuls", [factor, ("%scale", "f32")], factor)
        t.put(barrier)
        t.op("tmuls", [s, ("%scale", "f32")], s)
        t.op("texp", [factor], factor)
        t.put(barrier)
        t.op("texp", [s], s)
        t.put(barrier, to_f16)
        t.op("tmul", [factor, total], total)
        t.op("trowsum", [s, ("%scratch", wide)], ("%part_sum", "!column"))
        t.put(barrier)
        t.op("tadd", [total, ("%part_sum_row", row)], total)

    def update(self):
        """The product of a step, added to the rescaled sums; the last one divides by the sums of weights."""
        t, out = self.t, ("%out", "!out_tile")
        t.put(
            "%slot = arith.remsi %work, %c2 : index",
            "%new = pto.multi_tile_get %news[%slot] : !out_tiles -> !out_tile",
            flag("wait", "V", "MTE2", "%slot"),
        )
        self.queue("tpop", "product")
        part = t.view("%product_entry", "!product_slot", "%c0, %c0", "%c64, %c128", "!product_in")
        t.put("%is_first = arith.cmpi eq, %step, %c0 : index", "scf.if %is_first {")
        t.op("tload", [(part, "!product_in")], out)
        t.put(*pair("MTE2", "V", 0), "} else {")
        t.op("tload", [(part, "!product_in")], ("%new", "!out_tile"))
        t.put(*pair("MTE2", "V", 0), "%which = arith.remsi %step, %c8 : index")
        t.put("%long = pto.multi_tile_get %long_factors[%which] : !long_ring -> !long_column")
        t.op("trowexpandmul", [out, ("%long", "!long_column")], out)
        t.put("pto.barrier <PIPE_V>")
        t.op("tadd", [out, ("%new", "!out_tile")], out)
        t.put("pto.barrier <PIPE_V>", "}")
        self.queue("tfree", "product")
        t.put(flag("set", "V", "MTE2", "%slot"))

    def vector(self):
        t = self.t
        free = [("V", "MTE2", 2), ("MTE3", "V", 2)]
        t.put("pto.section.vector {")
        self.open()
        t.put("%core = pto.get_subblock_idx", "%core_index = arith.index_cast %core : i64 to index")
        t.put("%half = arith.muli %core_index, %c64 : index")
        t.tile("out", "out_tile", 0)
        for name, kind, at in [("wides", "wides", 32768), ("news", "out_tiles", 32768), ("wides_f16", "wides_f16", 98304)]:
            t.tile(name, kind, at, many=True)
        t.tile("scratch", "wide", 131072)
        for at, name in enumerate(["heres", "mosts", "sums", "part_sums"]):
            t.tile(name, "columns", 163840 + 256 * at, many=True)
        t.tile("long_sum", "long_column", 163840 + 512)
        t.tile("factors", "ring", 164864, many=True)
        t.tile("long_factors", "long_ring", 164864, many=True)
        t.put(*[flag("set", source, to, event) for source, to, count in free for event in range(count)])
        self.turn = "%c0"
        self.softmax("%c0", True)
        t.put("%last = arith.addi %steps, %c4 : index", "scf.for %next = %c1 to %last step %c1 {")
        # Pieces of work before this one: two for each step of weights, one for each update.
        t.put("%step = arith.subi %next, %c4 : index", "%updates = arith.maxsi %step, %c0 : index")
        t.put("%goes_on = arith.cmpi slt, %next, %steps : index", "scf.if %goes_on {")
        t.put("%halves = arith.muli %next, %c2 : index", "%turn = arith.addi %halves, %updates : index")
        self.turn = "%turn"
        self.softmax("%next", False)
        t.put("}", "%is_late = arith.cmpi sge, %step, %c0 : index", "scf.if %is_late {")
        t.put("%after = arith.addi %next, %c1 : index", "%weighed = arith.minsi %after, %steps : index")
        t.put("%halves = arith.muli %weighed, %c2 : index", "%work = arith.addi %halves, %updates : index")
        self.update()
        t.put("}")
        t.put("}", *pair("V", "MTE3", 0))
        # The division belongs to V: it follows the last sum.
        last = t.lines[-2:]
        del t.lines[-2:]
        t.op("trowexpanddiv", [("%out", "!out_tile"), ("%long_sum", "!long_column")], ("%out", "!out_tile"))
        t.lines += last
        t.put("%own_row = arith.addi %row, %half : index")
        part = t.view("%o_all", "!f32_data", "%own_row, %c0", "%c64, %c128", "!product_in")
        t.op("tstore", [("%out", "!out_tile")], (part, "!product_in"))
        t.put(*[flag("wait", source, to, event) for source, to, count in free for event in range(count)], "}")

    def text(self):
        t = self.t
        t.put('module attributes {"pto.target_arch" = "a2a3"} {')
        t.put(
            "func.func @attention(%q: !pto.ptr<f16>, %k: !pto.ptr<f16>, %v: !pto.ptr<f16>, %o: !pto.ptr<f32>, %score_ring: !pto.ptr<f32>, "
            "%weight_ring: !pto.ptr<f16>, %product_ring: !pto.ptr<f32>, %keys: index, %rings: index) {"
        )
        t.put(*[f"%c{number} = arith.constant {number} : index" for number in [0, 1, 2, 4, 8, 32, 64, 128, 256, 131072, 262144]])
        t.put(
            "%scale = arith.constant 0.08838834764831845 : f32",
            "%one = arith.constant 1.0 : f32",
            "%block = pto.get_block_idx : index",
            "%blocks = pto.get_block_num : index",
            "%rows = arith.muli %blocks, %c128 : index",
            "%row = arith.muli %block, %c128 : index",
            "%q_all = pto.make_tensor_view %q, shape = [%rows, %c128], strides = [%c128, %c1] : !f16_data",
            "%k_all = pto.make_tensor_view %k, shape = [%c128, %keys], strides = [%c1, %c128] {layout = #pto.layout<dn>} : !f16_data",
            "%v_all = pto.make_tensor_view %v, shape = [%keys, %c128], strides = [%c128, %c1] : !f16_data",
            "%o_all = pto.make_tensor_view %o, shape = [%rows, %c128], strides = [%c128, %c1] : !f32_data",
            "%steps = arith.divsi %keys, %c256 : index",
            "%steady = arith.subi %steps, %c4 : index",
            "%ring = arith.remsi %block, %rings : index",
            "%score_start = arith.muli %ring, %c262144 : index",
            "%product_start = arith.muli %ring, %c131072 : index",
            "%scores_slots = pto.addptr %score_ring, %score_start : !pto.ptr<f32> -> !pto.ptr<f32>",
            "%weights_slots = pto.addptr %weight_ring, %score_start : !pto.ptr<f16> -> !pto.ptr<f16>",
            "%product_slots = pto.addptr %product_ring, %product_start : !pto.ptr<f32> -> !pto.ptr<f32>",
            "",
        )
        self.cube()
        self.vector()
        t.put("return", "}", "}")
        return HEAD_TEXT + "\n".join(t.used()) + "\n"


def main():
    (HERE / "attention_flags.pto").write_text(Attention().text())


if __name__ == "__main__":
    main()
