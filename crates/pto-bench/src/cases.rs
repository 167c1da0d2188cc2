//! Programs with the instructions whose times are compared with other simulators: fixed names and shapes.

/// A program for timing one instruction.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name in reports; must not change.
    pub name: String,
    /// The program; its comments name targets and inputs.
    pub text: String,
    /// The instruction without `pto.`, or an operation of `arith`; the last one with this name is timed.
    pub instruction: String,
    /// Multiply-adds of one execution, if it is a product.
    pub multiply_adds: u64,
}

/// The type of a row-major vector tile.
fn rows(rows: u32, cols: u32, element: &str) -> String {
    format!("!pto.tile_buf<vec, {rows}x{cols}x{element}>")
}

/// The type of a boxed tile: in L1, of a factor, or of an accumulator.
fn boxed(place: &str, rows: u32, cols: u32, element: &str) -> String {
    let layout = match place {
        "right" => "slayout=col_major",
        "acc" => "blayout=col_major, slayout=row_major, fractal=1024",
        _ => "blayout=col_major, slayout=row_major",
    };
    format!("!pto.tile_buf<{place}, {rows}x{cols}x{element}, {layout}>")
}

/// A program under construction.
struct Sketch {
    body: String,
}

impl Sketch {
    fn new() -> Sketch {
        Sketch { body: String::new() }
    }

    fn line(&mut self, line: &str) {
        self.body.push_str("  ");
        self.body.push_str(line);
        self.body.push('\n');
    }

    /// A constant index, `%c5`.
    fn number(&mut self, number: u32) -> String {
        let line = format!("%c{number} = arith.constant {number} : index");
        if !self.body.contains(&line) {
            self.line(&line);
        }
        format!("%c{number}")
    }

    fn tile(&mut self, name: &str, ty: &str) {
        self.line(&format!("%{name} = pto.alloc_tile : {ty}"));
    }

    /// A view `name` of rows and columns of an argument.
    fn view(&mut self, name: &str, argument: &str, rows: u32, cols: u32, element: &str) -> String {
        let (one, r, c) = (self.number(1), self.number(rows), self.number(cols));
        let ty = format!("!pto.tensor_view<{rows}x{cols}x{element}>");
        self.line(&format!(
            "%{name} = pto.make_tensor_view %{argument}, shape = [{r}, {c}], strides = [{c}, {one}] : {ty}"
        ));
        ty
    }

    /// A loaded tile.
    fn loaded(&mut self, name: &str, ty: &str, rows: u32, cols: u32, element: &str) {
        let view = format!("{name}_view");
        let argument = match element {
            "f16" => "h",
            "bf16" => "w",
            "i8" => "q",
            _ => "x",
        };
        let view_ty = self.view(&view, argument, rows, cols, element);
        self.tile(name, ty);
        self.line(&format!("pto.tload ins(%{view} : {view_ty}) outs(%{name} : {ty})"));
    }

    /// An instruction with tile operands.
    fn instruction(&mut self, name: &str, ins: &[(&str, &str)], out: &str, ty: &str) {
        let list = |pick: fn(&(&str, &str)) -> String| ins.iter().map(pick).collect::<Vec<_>>().join(", ");
        let (names, types) = (list(|(name, _)| format!("%{name}")), list(|(_, ty)| (*ty).to_owned()));
        self.line(&format!("pto.{name} ins({names} : {types}) outs(%{out} : {ty})"));
    }

    fn finish(self, name: &str, instruction: &str) -> Case {
        let text = format!(
            "// target: a5\n\
             // run: -i x=rand:16384 -i h=rand:16384 -i w=rand:16384 -i q=rand:16384 -i y=zeros:16384\n\
             func.func @bench(%x: !pto.ptr<f32>, %h: !pto.ptr<f16>, %w: !pto.ptr<bf16>, %q: !pto.ptr<i8>, \
             %y: !pto.ptr<f32>) {{\n{}  return\n}}\n",
            self.body
        );
        Case { name: name.to_owned(), text, instruction: instruction.to_owned(), multiply_adds: 0 }
    }
}

/// An instruction on vector tiles of 64 x 128 f32, with its sources and destination.
fn vector(name: &str, instruction: &str, sources: &[&str], out: &str) -> Case {
    vector_of(64, 128, name, instruction, sources, out)
}

fn vector_of(rows: u32, columns: u32, name: &str, instruction: &str, sources: &[&str], out: &str) -> Case {
    let mut sketch = Sketch::new();
    for (at, ty) in sources.iter().enumerate() {
        let cols = if ty.contains("x1x") { 1 } else { columns };
        sketch.loaded(&format!("s{at}"), ty, rows, cols, "f32");
    }
    sketch.tile("d", out);
    let names: Vec<String> = (0..sources.len()).map(|at| format!("s{at}")).collect();
    let ins: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(sources.iter().copied()).collect();
    sketch.instruction(instruction, &ins, "d", out);
    sketch.finish(&format!("{name} {rows}x{columns}"), instruction)
}

/// A program with the product of tiles `a` and `b` in `c`.
fn with_product(m: u32, k: u32, n: u32, element: &str) -> Sketch {
    let mut sketch = Sketch::new();
    for (name, place, rows, cols) in [("a", "left", m, k), ("b", "right", k, n)] {
        let (mat, factor) = (boxed("mat", rows, cols, element), boxed(place, rows, cols, element));
        let loaded = format!("{name}_mat");
        sketch.loaded(&loaded, &mat, rows, cols, element);
        sketch.tile(name, &factor);
        sketch.instruction("tmov", &[(&loaded, &mat)], name, &factor);
    }
    let (a, b) = (boxed("left", m, k, element), boxed("right", k, n, element));
    let c = boxed("acc", m, n, if element == "i8" { "i32" } else { "f32" });
    sketch.tile("c", &c);
    sketch.instruction("tmatmul", &[("a", &a), ("b", &b)], "c", &c);
    sketch
}

fn product(m: u32, k: u32, n: u32, element: &str) -> Case {
    let multiply_adds = u64::from(m) * u64::from(k) * u64::from(n);
    let name = format!("tmatmul {element} {m}x{k}x{n}");
    Case { multiply_adds, ..with_product(m, k, n, element).finish(&name, "tmatmul") }
}

/// A move from L1 into the buffer of a factor.
fn to_factor(place: &str) -> Case {
    let (mat, factor) = (boxed("mat", 128, 128, "f32"), boxed(place, 128, 128, "f32"));
    let mut sketch = Sketch::new();
    sketch.loaded("s", &mat, 128, 128, "f32");
    sketch.tile("d", &factor);
    sketch.instruction("tmov", &[("s", &mat)], "d", &factor);
    sketch.finish(&format!("tmov mat->{place} f32 128x128"), "tmov")
}

fn concat() -> Case {
    let (half, whole) = (rows(64, 64, "f32"), rows(64, 128, "f32"));
    let mut sketch = Sketch::new();
    sketch.loaded("a", &half, 64, 64, "f32");
    sketch.loaded("b", &half, 64, 64, "f32");
    sketch.tile("d", &whole);
    sketch.instruction("tconcat", &[("a", &half), ("b", &half)], "d", &whole);
    sketch.finish("tconcat f32 64x64+64x64", "tconcat")
}

fn transpose() -> Case {
    let square = rows(64, 64, "f32");
    let mut sketch = Sketch::new();
    sketch.loaded("s", &square, 64, 64, "f32");
    sketch.tile("d", &square);
    sketch.instruction("ttrans", &[("s", &square)], "d", &square);
    sketch.finish("ttrans f32 64x64", "ttrans")
}

fn insert() -> Case {
    let (part, whole) = (rows(32, 64, "f16"), rows(64, 128, "f16"));
    let mut sketch = Sketch::new();
    sketch.loaded("s", &part, 32, 64, "f16");
    sketch.loaded("d", &whole, 64, 128, "f16");
    let at = sketch.number(32);
    let at = at.trim_start_matches('%');
    sketch.instruction("tinsert", &[("s", &part), (at, "index"), (at, "index")], "d", &whole);
    sketch.finish("tinsert vec->vec f16 32x64 ND", "tinsert")
}

fn load_boxes() -> Case {
    let mut sketch = Sketch::new();
    sketch.loaded("d", &boxed("mat", 128, 128, "f32"), 128, 128, "f32");
    sketch.finish("tload ND->NZ f32 128x128", "tload")
}

fn store_sums() -> Case {
    let mut sketch = with_product(128, 16, 128, "f32");
    let view = sketch.view("y_view", "y", 128, 128, "f32");
    sketch.instruction("tstore", &[("c", &boxed("acc", 128, 128, "f32"))], "y_view", &view);
    sketch.finish("tstore acc->ND f32 128x128", "tstore")
}

/// A transfer of eight numbers from or to global memory.
fn tiny_transfer(instruction: &str) -> Case {
    let tiny = rows(1, 8, "f32");
    let mut sketch = Sketch::new();
    sketch.loaded("s", &tiny, 1, 8, "f32");
    let view = sketch.view("y_view", "y", 1, 8, "f32");
    sketch.instruction("tstore", &[("s", &tiny)], "y_view", &view);
    sketch.finish(&format!("{instruction} f32 1x8"), instruction)
}

/// An operation of the scalar unit on two numbers of a type.
fn scalar(operation: &str, ty: &str) -> Case {
    let mut sketch = Sketch::new();
    for (name, number) in [("a", 5), ("b", 3)] {
        sketch.line(&format!("%{name} = arith.constant {number} : {ty}"));
    }
    sketch.line(&format!("%s = arith.{operation} %a, %b : {ty}"));
    sketch.finish(&format!("arith.{operation} {ty}"), &format!("arith.{operation}"))
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let (tile, tiny) = (rows(64, 128, "f32"), rows(1, 8, "f32"));
    let (tile, tiny) = (tile.as_str(), tiny.as_str());
    let column = "!pto.tile_buf<vec, 64x1xf32, blayout=col_major>";
    let one = "!pto.tile_buf<vec, 8x1xf32, valid=1x1, blayout=col_major>";
    let half = rows(64, 128, "f16");
    let mut convert = vector("tcvt f32->f16", "tcvt", &[tile], &half);
    convert.text = convert.text.replace("tcvt ins(%s0", "tcvt ins(%s0 {rmode = #pto<round_mode RINT>}");
    vec![
        vector("tadd f32", "tadd", &[tile, tile], tile),
        vector("tmul f32", "tmul", &[tile, tile], tile),
        vector("texp f32", "texp", &[tile], tile),
        vector("tmov vec f32", "tmov", &[tile], tile),
        vector("trowsum f32", "trowsum", &[tile, tile], column),
        vector("trowmax f32", "trowmax", &[tile, tile], column),
        vector("trowexpandadd f32", "trowexpandadd", &[tile, column], tile),
        vector("trowexpandmul f32", "trowexpandmul", &[tile, column], tile),
        convert,
        concat(),
        transpose(),
        insert(),
        to_factor("left"),
        to_factor("right"),
        load_boxes(),
        store_sums(),
        product(32, 16, 32, "f32"),
        product(128, 128, 128, "f32"),
        product(128, 128, 128, "f16"),
        product(64, 64, 64, "f32"),
        product(64, 64, 64, "f16"),
        product(128, 128, 128, "bf16"),
        product(128, 128, 128, "i8"),
        // Products of a batch of sixteen with weights.
        product(16, 64, 256, "f32"),
        product(16, 64, 256, "bf16"),
        product(16, 64, 256, "i8"),
        // The overhead of an instruction, on tiny tiles.
        vector_of(1, 8, "tadd f32", "tadd", &[tiny, tiny], tiny),
        vector_of(1, 8, "texp f32", "texp", &[tiny], tiny),
        vector_of(1, 8, "tmov f32", "tmov", &[tiny], tiny),
        vector_of(1, 8, "tcvt f32->i32", "tcvt", &[tiny], &rows(1, 8, "i32")),
        vector_of(1, 8, "trowsum f32", "trowsum", &[tiny], one),
        vector_of(1, 8, "trowmax f32", "trowmax", &[tiny], one),
        vector_of(1, 8, "trowexpandmul f32", "trowexpandmul", &[tiny, one], tiny),
        tiny_transfer("tload"),
        tiny_transfer("tstore"),
        scalar("addi", "index"),
        scalar("muli", "i32"),
        scalar("divsi", "i32"),
    ]
}
