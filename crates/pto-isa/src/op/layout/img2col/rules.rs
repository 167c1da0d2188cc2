//! Rules of TIMG2COL only.

use super::HEADERS;
use crate::profile::NPU;
use crate::rule::Rule;

pub(super) const DESTINATION: Rule = Rule::new(
    "destination",
    "The matrix is a left tile with boxes of 512 bytes: ZZ on A2/A3, NZ on A5, either on cpu.",
    HEADERS,
)
.because("The unit writes the left factor of a product, in the order that the matrix unit reads.")
.instead("Declare a left tile with the layout of the profile and `fractal=512`.");
pub(super) const BLOCK: Rule =
    Rule::new("channel-block", "The last dimension of the feature map, C0, takes 32 bytes.", HEADERS)
        .because("The unit reads one channel block of 32 bytes at a time.")
        .instead("Declare C0 as 32 bytes divided by the element size.")
        .only(NPU);
pub(super) const POSITION: Rule = Rule::new(
    "position",
    "The first row and column of the matrix that are taken are numbers from 0 to 65535.",
    "docs/isa/TIMG2COL.md: uint16_t posM, posK",
)
.because("Row and column are 16-bit fields of the instruction.")
.instead("Pass numbers from 0 to 65535.");
pub(super) const MAP: Rule = Rule::new(
    "fmap",
    "The feature map is not empty and has no more points than the tile, whose bytes are read with the extents of the map.",
    "include/pto/npu/{a2a3,a5}/SetFmatrix.hpp",
)
.because("A larger map would be read from bytes after the tile.")
.instead("Write an `fmap` with no more rows times columns than the tile.");
pub(super) const OUTPUT: Rule = Rule::new(
    "output-size",
    "The filter fits into the padded feature map.",
    "include/pto/cpu/TImg2col.hpp, output size",
)
.because("A filter larger than the padded map has no position, so the matrix has no rows.")
.instead("Use a smaller filter or dilation, or more padding.");
pub(super) const REPEAT: Rule = Rule::new(
    "repeat",
    "The instruction makes one transfer, to the start of the destination; no public page defines repetition.",
    "docs/isa/SET_IMG2COL_RPT.md",
)
.because("The result of more transfers is not documented.")
.instead("Write a repeat count of 1 and no destination offset.");
pub(super) const EXTENT: Rule = Rule::new(
    "matrix-extent",
    "The rows and columns that are taken lie within the matrix.",
    "include/pto/cpu/TImg2col.hpp",
)
.because("The rows and columns beyond the matrix hold padding, not data.")
.instead("Take rows and columns within the matrix that the message names.")
.lint();
pub(super) const UNUSED: Rule = Rule::new(
    "unused-attribute",
    "An instruction in a manual mode has no attributes of the feature map: registers describe the map.",
    HEADERS,
)
.because("The value is ignored, so the convolution may be another one than intended.")
.instead("Remove the attribute, or use an automatic mode.")
.lint();
