//! Attributes: MLIR's, and those of the dialect with their words.

use super::table::extension;
use super::types::FLOATS;
use super::{Read, Reader, fail};

/// Attributes that are written `#pto.name<word>`, with their words.
const BRACKETED: [(&str, &str); 16] = [
    ("address_space", "zero gm mat left right acc vec bias scaling"),
    (
        "pipe",
        "PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_ALL PIPE_MTE4 PIPE_MTE5 PIPE_V2 PIPE_FIX",
    ),
    ("event", "EVENT_ID0 EVENT_ID1 EVENT_ID2 EVENT_ID3 EVENT_ID4 EVENT_ID5 EVENT_ID6 EVENT_ID7"),
    ("pipe_event_type", SYNC),
    ("sync_op_type", SYNC),
    ("fence_scope", "local_memory gm all"),
    ("sync_all_mode", "hard soft"),
    ("sync_core_type", "aiv_only aic_only mix"),
    ("layout", "nd dn nz mx_a_zz mx_b_nn"),
    ("kernel_kind", "cube vector"),
    ("padmode", "PadNull PadFirstElem PadValue"),
    ("acc_to_vec_mode", "single_mode_vec0 single_mode_vec1 dual_mode_split_m dual_mode_split_n"),
    ("mask_pattern", "P0101 P1010 P0001 P0010 P0100 P1000 P1111"),
    ("pad_value", "null zero max min"),
    ("tinsert_mode", "split2 split4"),
    ("func_core_type", "AIC AIV MIX AIC_OR_AIV"),
];
const SYNC: &str =
    "TLOAD TSTORE_ACC TSTORE_VEC TMOV_M2L TMOV_M2S TMOV_M2B TMOV_M2V TMOV_V2M TMATMUL TVEC TVECWAIT_EVENT";

/// Attributes that are written `#pto<name word>`, with their words.
const SPACED: [(&str, &str); 22] = [
    ("cmp", "eq ne lt le gt ge"),
    ("round_mode", "NONE RINT ROUND FLOOR CEIL TRUNC ODD CAST_RINT"),
    ("saturation_mode", "ON OFF"),
    ("st_phase", "unspecified partial final"),
    ("acc_phase", "unspecified partial final"),
    ("atomic_type", "atomic_none atomic_add atomic_max atomic_min"),
    ("notify_op", "atomic_add set"),
    ("wait_cmp", "eq ne gt ge lt le"),
    ("reduce_op", "sum max min"),
    ("relu_pre_mode", "no_relu normal_relu scalar_relu vector_relu pwl"),
    ("gather_oob", "undefined clamp wrap zero"),
    ("coalesce", "row elem"),
    ("scatter_atomic_op", "none add max min"),
    ("scatter_oob", "undefined skip clamp wrap"),
    ("scatter_conflict", "default last"),
    ("print_format", "width8_precision4 width8_precision2 width10_precision6"),
    ("quant_type", "INT8_SYM INT8_ASYM MXFP8 MXFP4_E2M1"),
    ("quant_scale_alg", "ocp nv"),
    ("mx_group_axis", "axis0 axis1"),
    ("vec_store_mode", "nd nz"),
    ("rounding", "r a f c z o h"),
    ("saturation", "nosat sat"),
];

fn holds(table: &[(&str, &str)], name: &str, word: &str) -> bool {
    table.iter().any(|(known, words)| *known == name && words.split(' ').any(|known| known == word))
}

impl Reader<'_> {
    /// `{name = attribute, name}`: no name twice.
    pub(super) fn dictionary(&mut self) -> Read<()> {
        self.expect("{")?;
        let mut names = Vec::new();
        self.list("}", |reader| {
            let name = if reader.sees("\"") { reader.string()? } else { reader.word()? };
            if names.contains(&name) {
                return fail(format!("attribute `{name}` is given twice"));
            }
            names.push(name);
            if reader.eat("=") { reader.attribute() } else { Ok(()) }
        })
        .map(drop)
    }

    pub(super) fn dictionary_if_any(&mut self) -> Read<()> {
        if self.sees("{") { self.dictionary() } else { Ok(()) }
    }

    pub(super) fn attribute(&mut self) -> Read<()> {
        self.constant().map(drop)
    }

    /// An attribute; returns the type of a number, if it is written.
    pub(super) fn constant(&mut self) -> Read<Option<String>> {
        self.skip();
        match self.rest().chars().next() {
            Some('"') => drop(self.string()?),
            Some('{') => self.dictionary()?,
            Some('#') => self.dialect_attribute()?,
            Some('[') => {
                self.expect("[")?;
                self.list("]", Self::attribute)?;
            }
            Some('@') => {
                self.symbol()?;
                while self.eat("::") {
                    self.symbol()?;
                }
            }
            Some('!' | '(') => drop(self.ty()?),
            Some(c) if c == '-' || c.is_ascii_digit() => return self.typed_number(),
            _ if self.eat("true") || self.eat("false") => return Ok(Some("i1".to_owned())),
            _ if self.eat("unit") => {}
            _ if self.eat("dense") => {
                self.skip_angled()?;
                self.expect(":")?;
                return self.ty().map(Some);
            }
            _ if self.eat("array<") => {
                self.ty()?;
                if self.eat(":") {
                    self.list(">", |reader| reader.digits().map(drop))?;
                } else {
                    self.expect(">")?;
                }
            }
            _ => drop(self.ty()?),
        }
        Ok(None)
    }

    /// Digits with a sign; returns whether they are a float, or hexadecimal.
    fn digits(&mut self) -> Read<(bool, bool)> {
        self.skip();
        self.at += usize::from(self.rest().starts_with('-'));
        if self.rest().starts_with("0x") {
            self.at += 2;
            let hex = self.run(|c| c.is_ascii_hexdigit());
            return if hex.is_empty() { fail("expected digits") } else { Ok((false, true)) };
        }
        self.number()?;
        if !self.rest().starts_with('.') {
            return Ok((false, false));
        }
        self.at += 1;
        self.run(|c| c.is_ascii_digit());
        let exponent = self.rest().strip_prefix(['e', 'E']).map(|rest| rest.trim_start_matches(['-', '+']));
        if exponent.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.at += 1;
            self.at += usize::from(self.rest().starts_with(['-', '+']));
            self.run(|c| c.is_ascii_digit());
        }
        Ok((true, false))
    }

    /// A number and its type; a float needs a point or hexadecimal digits, an integer has none. Types of the dialect take either.
    fn typed_number(&mut self) -> Read<Option<String>> {
        let (point, hexadecimal) = self.digits()?;
        if self.rest().starts_with(is_word) {
            return fail("expected the end of the number");
        }
        if !self.eat(":") {
            return Ok(Some(if point { "f64" } else { "i64" }.to_owned()));
        }
        let ty = self.ty()?;
        let float = FLOATS.contains(&ty.as_str());
        if point && !float && !ty.starts_with('!') || float && !point && !hexadecimal {
            return fail(format!("the number is not written as {ty}"));
        }
        Ok(Some(ty))
    }

    /// `#pto.name<word>` or `#pto<name word>`, whichever the attribute's definition has; the epilogue of a queue has three words.
    fn dialect_attribute(&mut self) -> Read<()> {
        self.expect("#")?;
        let name = self.suffix()?;
        self.expect("<")?;
        let fits = match name {
            "pto" => {
                let kind = self.word()?;
                let word = self.word()?;
                holds(&SPACED, kind, word)
            }
            "pto.acc_push_epilogue" => {
                for (at, key) in ["layout", "quant", "relu"].into_iter().enumerate() {
                    if at > 0 {
                        self.expect(",")?;
                    }
                    self.key(key)?;
                }
                true
            }
            _ => {
                let word = self.word()?;
                let ours = extension(&format!("#{name}")).or_else(|| extension(&format!("#{name}<{word}>")));
                self.extensions.extend(ours);
                ours.is_some() || holds(&BRACKETED, name.strip_prefix("pto.").unwrap_or_default(), word)
            }
        };
        self.expect(">")?;
        if fits { Ok(()) } else { fail("the attribute has no such name or word") }
    }

    /// An attribute whose name the operation implies, `<word>`, or any other.
    pub(super) fn implied(&mut self) -> Read<()> {
        if !self.eat("<") {
            return self.attribute();
        }
        let word = self.word()?;
        let known =
            BRACKETED.iter().chain(&SPACED).any(|(_, words)| words.split(' ').any(|known| known == word));
        self.expect(">")?;
        if known { Ok(()) } else { fail(format!("`{word}` is no word of an attribute")) }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}
