//! A row or a column against a tile.
//!
//! The row expands take the per-row operand on either side: in columns with one valid column (Mode 1), or in rows of 32
//! bytes that repeat (Mode 2). The `_tmp` forms are the overloads with a workspace, for Mode 1.

use super::{Error, Event, Kernel, Target, VecTile, id, vec_methods};

vec_methods!(
    /// `dst[i, j] = src[i, 0]`.
    trowexpand = TROWEXPAND (src);
    /// `dst[i, j] = src0[i, j] + src1[i]`, or with the sources' parts exchanged.
    trowexpandadd = TROWEXPANDADD (src0, src1);
    /// `dst[i, j] = src0[i, j] + src1[i]`, with a workspace.
    trowexpandadd_tmp = TROWEXPANDADD (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] - src1[i]`, or with the sources' parts exchanged.
    trowexpandsub = TROWEXPANDSUB (src0, src1);
    /// `dst[i, j] = src0[i, j] - src1[i]`, with a workspace.
    trowexpandsub_tmp = TROWEXPANDSUB (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] * src1[i]`, or with the sources' parts exchanged.
    trowexpandmul = TROWEXPANDMUL (src0, src1);
    /// `dst[i, j] = src0[i, j] * src1[i]`, with a workspace.
    trowexpandmul_tmp = TROWEXPANDMUL (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] / src1[i]`, or with the sources' parts exchanged.
    trowexpanddiv = TROWEXPANDDIV (src0, src1);
    /// `dst[i, j] = src0[i, j] / src1[i]`, with a workspace.
    trowexpanddiv_tmp = TROWEXPANDDIV (src0, src1, tmp: any);
    /// `dst[i, j] = max(src0[i, j], src1[i])`, or with the sources' parts exchanged.
    trowexpandmax = TROWEXPANDMAX (src0, src1);
    /// `dst[i, j] = max(src0[i, j], src1[i])`, with a workspace.
    trowexpandmax_tmp = TROWEXPANDMAX (src0, src1, tmp: any);
    /// `dst[i, j] = min(src0[i, j], src1[i])`, or with the sources' parts exchanged.
    trowexpandmin = TROWEXPANDMIN (src0, src1);
    /// `dst[i, j] = min(src0[i, j], src1[i])`, with a workspace.
    trowexpandmin_tmp = TROWEXPANDMIN (src0, src1, tmp: any);
    /// `dst[i, j] = e^(src0[i, j] - src1[i])`, or with the sources' parts exchanged.
    trowexpandexpdif = TROWEXPANDEXPDIF (src0, src1);
    /// `dst[i, j] = e^(src0[i, j] - src1[i])`, with a workspace.
    trowexpandexpdif_tmp = TROWEXPANDEXPDIF (src0, src1, tmp: any);
    /// `dst[i, j] = src[0, j]`.
    tcolexpand = TCOLEXPAND (src);
    /// `dst[i, j] = src0[i, j] + src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandadd = TCOLEXPANDADD (src0, src1);
    /// `dst[i, j] = src0[i, j] - src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandsub = TCOLEXPANDSUB (src0, src1);
    /// `dst[i, j] = src0[i, j] * src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandmul = TCOLEXPANDMUL (src0, src1);
    /// `dst[i, j] = src0[i, j] / src1[0, j]`, or with the sources' parts exchanged.
    tcolexpanddiv = TCOLEXPANDDIV (src0, src1);
    /// `dst[i, j] = max(src0[i, j], src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandmax = TCOLEXPANDMAX (src0, src1);
    /// `dst[i, j] = min(src0[i, j], src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandmin = TCOLEXPANDMIN (src0, src1);
    /// `dst[i, j] = e^(src0[i, j] - src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandexpdif = TCOLEXPANDEXPDIF (src0, src1);
);
