//! The buffers of a copy.

/// The buffers of a copy: one, or two.
pub(crate) struct Memory<'a> {
    /// The destination buffer.
    pub(crate) dst: &'a mut [u8],
    /// The source buffer; the destination's buffer if `None`.
    pub(crate) src: Option<&'a [u8]>,
}

impl Memory<'_> {
    #[inline(always)]
    pub(crate) fn source(&self) -> &[u8] {
        self.src.unwrap_or(self.dst)
    }

    #[inline(always)]
    pub(super) fn copy(&mut self, dst: usize, src: usize, len: usize) {
        match self.src {
            Some(source) => self.dst[dst..dst + len].copy_from_slice(&source[src..src + len]),
            None => self.dst.copy_within(src..src + len, dst),
        }
    }

    /// Pointers to the starts of destination and source, after checking that both buffers reach these ends.
    #[inline(always)]
    pub(crate) fn pointers(&mut self, dst_end: usize, src_end: usize) -> (*mut u8, *const u8) {
        assert!(src_end <= self.source().len() && dst_end <= self.dst.len(), "not in the buffer");
        let dst = self.dst.as_mut_ptr();
        (dst, self.src.map_or(dst.cast_const(), <[u8]>::as_ptr))
    }

    /// A copy of a size known at compile time: a few moves, no call.
    #[inline(always)]
    pub(super) fn copy_fixed<const LEN: usize>(&mut self, dst: usize, src: usize) {
        let mut bytes = [0; LEN];
        bytes.copy_from_slice(&self.source()[src..src + LEN]);
        self.dst[dst..dst + LEN].copy_from_slice(&bytes);
    }
}
