"""Makes gemm.pto: a product with two panels in L1, each cut into four steps that alternate between two slots of L0.

    python3 examples/timing/generate.py

Nothing runs this in the tests; the program is in the repository.
"""

from pathlib import Path

HERE = Path(__file__).parent

HEAD = """// c = a * b, f16 to f32: a is NxN by rows, b is NxN by columns. Each of 24 cores has a part of N/4 rows and N/6 columns, in
// blocks of 128 x 256. Panels of 256 along the inner dimension are loaded into one of two slots of L1, and multiplied in
// steps of 64. A slot of L1 is free when MTE1 has extracted its last step, one of L0 when M has multiplied it, the sums when
// they are stored.
//
// target: a2a3
// run: -i n=1536 -i a=randn -i b=randn --blocks 1
!a_panel = !pto.tile_buf<mat, 128x256xf16, blayout=col_major, slayout=row_major>
!b_panel = !pto.tile_buf<mat, 256x256xf16, blayout=row_major, slayout=col_major>
!left = !pto.tile_buf<left, 128x64xf16, blayout=row_major, slayout=row_major>
!right = !pto.tile_buf<right, 64x256xf16, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 128x256xf32, blayout=col_major, slayout=row_major, fractal=1024>
!whole = !pto.tensor_view<?x?xf16>
!result = !pto.tensor_view<?x?xf32>
!a_part = !pto.partition_tensor_view<128x256xf16>
!b_part = !pto.partition_tensor_view<256x256xf16>
!c_part = !pto.partition_tensor_view<128x256xf32>

module attributes {"pto.target_arch" = "a2a3"} {
func.func @gemm(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %c: !pto.ptr<f32>, %n: index)
    attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %a_all = pto.make_tensor_view %a, shape = [%n, %n], strides = [%n, %c1] : !whole
  %b_all = pto.make_tensor_view %b, shape = [%n, %n], strides = [%c1, %n] {layout = #pto.layout<dn>} : !whole
  %c_all = pto.make_tensor_view %c, shape = [%n, %n], strides = [%n, %c1] : !result

  // The part of this core.
  %core = pto.get_block_idx : index
  %row_part = arith.remsi %core, %c4 : index
  %column_part = arith.divsi %core, %c4 : index
  %rows = arith.divsi %n, %c4 : index
  %columns = arith.divsi %n, %c6 : index
  %first_row = arith.muli %row_part, %rows : index
  %first_column = arith.muli %column_part, %columns : index
  %end_row = arith.addi %first_row, %rows : index
  %end_column = arith.addi %first_column, %columns : index

"""


def tiles():
    kinds = [("a", "!a_panel"), ("b", "!b_panel"), ("left", "!left"), ("right", "!right")]
    lines = [f"  %{name}{slot} = pto.alloc_tile : {type}" for name, type in kinds for slot in (0, 1)]
    return "\n".join(lines + ["  %acc = pto.alloc_tile : !acc", "", ""])


def flag(verb, source, to, event):
    return f"pto.{verb}_flag[<PIPE_{source}>, <PIPE_{to}>, <EVENT_ID{event}>]"


def panel(slot, at, begins):
    """One panel: its loads, and its four steps. `begins` says that the first product starts the sums."""
    name = f"p{slot}{'b' if begins else ''}"
    lines = [
        f"%{name}_a = pto.partition_view %a_all, offsets = [%row, {at}], sizes = [%c128, %c256] : !whole -> !a_part",
        f"%{name}_b = pto.partition_view %b_all, offsets = [{at}, %column], sizes = [%c256, %c256] : !whole -> !b_part",
        flag("wait", "MTE1", "MTE2", slot),
        f"pto.tload ins(%{name}_a : !a_part) outs(%a{slot} : !a_panel)",
        flag("set", "MTE2", "MTE1", 2 * slot),
        f"pto.tload ins(%{name}_b : !b_part) outs(%b{slot} : !b_panel)",
        flag("set", "MTE2", "MTE1", 2 * slot + 1),
    ]
    for step in range(4):
        at, side = ["%c0", "%c64", "%c128", "%c192"][step], step % 2
        first = begins and slot == 0 and step == 0
        lines.append(flag("wait", "M", "MTE1", side))
        if step == 0:
            lines.append(flag("wait", "MTE2", "MTE1", 2 * slot))
        lines.append(f"pto.textract ins(%a{slot}, %c0, {at} : !a_panel, index, index) outs(%left{side} : !left)")
        if step == 0:
            lines.append(flag("wait", "MTE2", "MTE1", 2 * slot + 1))
        lines.append(f"pto.textract ins(%b{slot}, {at}, %c0 : !b_panel, index, index) outs(%right{side} : !right)")
        if step == 3:
            lines.append(flag("set", "MTE1", "MTE2", slot))
        lines += [flag("set", "MTE1", "M", side), flag("wait", "MTE1", "M", side)]
        if first:
            lines.append(flag("wait", "FIX", "M", 0))
            lines.append(f"pto.tmatmul ins(%left{side}, %right{side} : !left, !right) outs(%acc : !acc)")
        else:
            lines.append("pto.barrier <PIPE_M>")
            lines.append(
                f"pto.tmatmul.acc ins(%acc, %left{side}, %right{side} : !acc, !left, !right) outs(%acc : !acc)"
            )
        lines.append(flag("set", "M", "MTE1", side))
    return lines


# What is free before the first round: slots of L1, slots of L0, the sums.
FREE = [("MTE1", "MTE2", 0), ("MTE1", "MTE2", 1), ("M", "MTE1", 0), ("M", "MTE1", 1), ("FIX", "M", 0)]


def main():
    text = HEAD + tiles()
    text += "".join(f"  {flag('set', *free)}\n" for free in FREE)
    text += "  scf.for %row = %first_row to %end_row step %c128 {\n"
    text += "    scf.for %column = %first_column to %end_column step %c256 {\n"
    text += "      // The first two panels.\n"
    for line in panel(0, "%c0", True) + panel(1, "%c256", True):
        text += f"      {line}\n"
    text += "      scf.for %k = %c512 to %n step %c512 {\n"
    text += "        %next = arith.addi %k, %c256 : index\n"
    for line in panel(0, "%k", False) + panel(1, "%next", False):
        text += f"        {line}\n"
    text += "      }\n"
    text += "      %c_part = pto.partition_view %c_all, offsets = [%row, %column], sizes = [%c128, %c256] : !result -> !c_part\n"
    store = [
        flag("set", "M", "FIX", 0),
        flag("wait", "M", "FIX", 0),
        "pto.tstore ins(%acc : !acc) outs(%c_part : !c_part)",
        flag("set", "FIX", "M", 0),
    ]
    text += "".join(f"      {line}\n" for line in store)
    text += "    }\n  }\n"
    text += "".join(f"  {flag('wait', *free)}\n" for free in FREE)
    text += "  return\n}\n}\n"
    (HERE / "gemm.pto").write_text(text)


if __name__ == "__main__":
    main()
