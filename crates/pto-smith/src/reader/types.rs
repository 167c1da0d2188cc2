//! Types, from the manual's chapter on types and the definitions of types.

use super::table::extension;
use super::{Read, Reader, fail};

/// Element types of the dialect itself.
const ELEMENTS: [&str; 6] = ["hif8", "f8E8M0", "hif8x2", "f4E1M2x2", "f4E2M1x2", "bf16x2"];
pub(super) const FLOATS: [&str; 9] =
    ["f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"];
const LOCATIONS: [&str; 7] = ["vec", "mat", "left", "right", "acc", "bias", "scaling"];
/// Memory spaces of pointers; global memory is the default.
const SPACES: &str = "gm ub mat l1 left l0a right l0b acc l0c vec bias bt scaling fb";
/// Fields of a tile type and their defaults.
const FIELDS: [(&str, &str); 5] =
    [("blayout", "row_major"), ("slayout", "none_box"), ("fractal", "512"), ("pad", "0"), ("compact", "0")];

/// `i8`, `si8`, `ui8`: any positive width without a leading zero.
fn is_integer(word: &str) -> bool {
    let width = word.trim_start_matches(['s', 'u']).strip_prefix('i');
    word.len() - width.map_or(0, str::len) <= 2
        && width.is_some_and(|w| !w.starts_with('0') && w.parse::<u32>().is_ok())
}

fn is_element(ty: &str) -> bool {
    let dialect = ty.strip_prefix("!pto.").is_some_and(|ty| ELEMENTS.contains(&ty));
    is_integer(ty) || FLOATS.contains(&ty) || dialect || extension(ty).is_some()
}

impl<'a> Reader<'a> {
    /// A type, in one spelling: aliases are written out, tile types have all their fields.
    pub(super) fn ty(&mut self) -> Read<String> {
        if self.sees("(") {
            let (from, to) = self.function_type()?;
            return Ok(format!("({}) -> ({})", from.join(", "), to.join(", ")));
        }
        if !self.eat("!") {
            let word = self.word()?;
            return match word {
                "memref" | "vector" | "tensor" => Ok(format!("{word}{}", self.skip_angled()?)),
                "index" | "none" => Ok(word.to_owned()),
                _ if is_element(word) => Ok(word.to_owned()),
                _ => fail(format!("`{word}` is not a type")),
            };
        }
        let name = self.suffix()?;
        let Some(kind) = name.strip_prefix("pto.") else {
            return self.aliases.get(name).cloned().ok_or_else(|| format!("`!{name}` is not defined"));
        };
        if let Some(known) = extension(&format!("!{name}")) {
            self.extensions.insert(known);
            let parameters = if self.rest().starts_with('<') { self.skip_angled()? } else { "" };
            return Ok(format!("!{name}{parameters}"));
        }
        let parameters = match kind {
            "pipe" | "async_session" | "async_event" | "prefetch_async_context" => {
                return Ok(format!("!{name}"));
            }
            _ if ELEMENTS.contains(&kind) => return Ok(format!("!{name}")),
            "ptr" => self.angled(Self::pointer)?,
            "tensor_view" | "partition_tensor_view" => self.angled(|reader| reader.shaped(true))?,
            "local_array" => self.angled(|reader| reader.shaped(false))?,
            "eventid_array" => self.angled(|reader| reader.number().map(str::to_owned))?,
            "struct" => self.angled(Self::fields)?,
            "tile_buf" => self.angled(|reader| reader.tile(false))?,
            "multi_tile_buf" => self.angled(|reader| reader.tile(true))?,
            _ => return fail(format!("`!{name}` is not a type")),
        };
        Ok(format!("!{name}<{parameters}>"))
    }

    /// `(types) -> type` or `(types) -> (types)`
    pub(super) fn function_type(&mut self) -> Read<(Vec<String>, Vec<String>)> {
        let from = self.types_in_brackets()?;
        self.expect("->")?;
        let to = if self.sees("(") { self.types_in_brackets()? } else { vec![self.ty()?] };
        Ok((from, to))
    }

    pub(super) fn types_in_brackets(&mut self) -> Read<Vec<String>> {
        let mut types = Vec::new();
        self.expect("(")?;
        self.list(")", |reader| {
            types.push(reader.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// `<...>` with nested ones, as it stands.
    pub(super) fn skip_angled(&mut self) -> Read<&'a str> {
        let mut depth = 0;
        let close = self.rest().char_indices().find(|(_, c)| {
            depth += i32::from(*c == '<') - i32::from(*c == '>');
            depth <= 0
        });
        let (end, _) = close.filter(|(_, c)| *c == '>').ok_or("expected `<` and `>`")?;
        let text = &self.rest()[..=end];
        self.at += end + 1;
        Ok(text)
    }

    fn angled(&mut self, body: impl Fn(&mut Self) -> Read<String>) -> Read<String> {
        self.expect("<")?;
        let body = body(self)?;
        self.expect(">")?;
        Ok(body)
    }

    /// `element` or `element, space`
    fn pointer(&mut self) -> Read<String> {
        let element = self.ty()?;
        let space = if self.eat(",") { self.word()? } else { "gm" };
        let known = SPACES.split(' ').any(|known| known == space);
        if known { Ok(format!("{element}, {space}")) } else { fail(format!("`{space}` is no memory space")) }
    }

    /// `2x?xf32`: dimensions and an element type.
    fn shaped(&mut self, open: bool) -> Read<String> {
        self.skip();
        let start = self.at;
        while self.rest().starts_with(|c: char| c.is_ascii_digit() || c == '?' && open) {
            self.dimension(open)?;
            self.cross()?;
        }
        let shape = &self.text[start..self.at];
        let element = self.ty()?;
        if shape.is_empty() || !is_element(&element) {
            return fail(format!("`{shape}{element}` is not a shape and an element type"));
        }
        Ok(format!("{shape}{element}"))
    }

    /// The `x` after a dimension, without a blank before it.
    fn cross(&mut self) -> Read<()> {
        let found = self.rest().starts_with('x');
        self.at += usize::from(found);
        if found { Ok(()) } else { fail("expected `x` after a dimension") }
    }

    /// A number of a shape, or `?`.
    fn dimension(&mut self, open: bool) -> Read<&'a str> {
        if open && self.rest().starts_with('?') {
            self.at += 1;
            return Ok("?");
        }
        let digits = self.run(|c| c.is_ascii_digit());
        if digits.is_empty() { fail("expected a dimension") } else { Ok(digits) }
    }

    fn fields(&mut self) -> Read<String> {
        let mut fields = vec![self.ty()?];
        while self.eat(",") {
            fields.push(self.ty()?);
        }
        Ok(fields.join(", "))
    }

    /// The parameters of a tile type in either spelling; with slots, `count` follows, and a tile type may be written in full.
    fn tile(&mut self, slots: bool) -> Read<String> {
        if slots && self.sees("!") {
            let slot = self.ty()?;
            self.expect(",")?;
            let tile = slot.strip_prefix("!pto.tile_buf<").and_then(|slot| slot.strip_suffix('>'));
            let tile = tile.ok_or("a slot is a tile")?;
            return Ok(format!("{tile}, {}", self.key("count")?));
        }
        if self.eat("loc") {
            return self.keyed_tile();
        }
        let location = self.location_word()?;
        self.expect(",")?;
        self.skip();
        let rows = self.dimension(false)?;
        self.cross()?;
        let cols = self.dimension(false)?;
        self.cross()?;
        let element = self.ty()?;
        let mut valid = (rows, cols);
        let mut written: Vec<(&str, &str)> = Vec::new();
        let mut count = None;
        while count.is_none() && self.eat(",") {
            let key = self.word()?;
            self.expect("=")?;
            match key {
                _ if written.iter().any(|(known, _)| *known == key) => {
                    return fail(format!("`{key}` is given twice"));
                }
                "valid" => {
                    self.skip();
                    valid.0 = self.dimension(true)?;
                    self.cross()?;
                    valid.1 = self.dimension(true)?;
                    written.push((key, ""));
                }
                "count" if slots => count = Some(self.number()?),
                _ if FIELDS.iter().any(|(known, _)| *known == key) => written.push((key, self.plain()?)),
                _ => return fail(format!("`{key}` is no field of a tile type")),
            }
        }
        let fields = FIELDS.iter().map(|(key, default)| {
            let value = written.iter().find(|(known, _)| known == key).map_or(*default, |(_, value)| value);
            format!("{key}={value}")
        });
        let mut all = vec![format!("{location}, {element}, {rows}x{cols}, {}x{}", valid.0, valid.1)];
        all.extend(fields);
        all.extend(count.map(|count| format!("count={count}")));
        if slots && count.is_none() { fail("expected `count`") } else { Ok(all.join(", ")) }
    }

    /// `=vec, dtype=f32, rows=..`: every field in order, then `compact` if it is not the default.
    fn keyed_tile(&mut self) -> Read<String> {
        self.expect("=")?;
        let location = self.location_word()?;
        for literal in [",", "dtype", "="] {
            self.expect(literal)?;
        }
        let element = self.ty()?;
        let mut numbers = [""; 4];
        for (at, key) in ["rows", "cols", "v_row", "v_col"].into_iter().enumerate() {
            for literal in [",", key, "="] {
                self.expect(literal)?;
            }
            self.skip();
            numbers[at] = self.dimension(at > 1)?;
        }
        let [rows, cols, valid_rows, valid_cols] = numbers;
        let mut all = format!("{location}, {element}, {rows}x{cols}, {valid_rows}x{valid_cols}");
        for key in ["blayout", "slayout", "fractal", "pad"] {
            self.expect(",")?;
            all = format!("{all}, {}", self.key(key)?);
        }
        let compact = if self.eat(",") { self.key("compact")? } else { "compact=0".to_owned() };
        Ok(format!("{all}, {compact}"))
    }

    fn location_word(&mut self) -> Read<&'a str> {
        let word = self.word()?;
        if LOCATIONS.contains(&word) { Ok(word) } else { fail(format!("`{word}` is no location of tiles")) }
    }

    /// `key=value`
    pub(super) fn key(&mut self, key: &str) -> Read<String> {
        self.expect(key)?;
        self.expect("=")?;
        Ok(format!("{key}={}", self.plain()?))
    }

    /// A name or a number.
    fn plain(&mut self) -> Read<&'a str> {
        self.skip();
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) { self.number() } else { self.word() }
    }

    /// A whole number without a sign.
    pub(super) fn number(&mut self) -> Read<&'a str> {
        self.skip();
        let digits = self.run(|c| c.is_ascii_digit());
        if digits.is_empty() { fail("expected a number") } else { Ok(digits) }
    }
}
