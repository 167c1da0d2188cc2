//! A row or a column against a tile.
//!
//! The row expands take the per-row operand on either side: in columns with one valid column (Mode 1), or in rows of 32
//! bytes that repeat (Mode 2). The `_tmp` forms are the overloads with a workspace, for Mode 1.

use super::{Error, Event, Kernel, Target, VecTile, id, vec_methods};

vec_methods!(
    /// `dst[i, j] = src[i, 0]`.
    trowexpand = "pto.trowexpand" (src);
    /// `dst[i, j] = src0[i, j] + src1[i]`, or with the sources' parts exchanged.
    trowexpandadd = "pto.trowexpandadd" (src0, src1);
    /// The same with a workspace.
    trowexpandadd_tmp = "pto.trowexpandadd" (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] - src1[i]`, or with the sources' parts exchanged.
    trowexpandsub = "pto.trowexpandsub" (src0, src1);
    /// The same with a workspace.
    trowexpandsub_tmp = "pto.trowexpandsub" (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] * src1[i]`, or with the sources' parts exchanged.
    trowexpandmul = "pto.trowexpandmul" (src0, src1);
    /// The same with a workspace.
    trowexpandmul_tmp = "pto.trowexpandmul" (src0, src1, tmp: any);
    /// `dst[i, j] = src0[i, j] / src1[i]`, or with the sources' parts exchanged.
    trowexpanddiv = "pto.trowexpanddiv" (src0, src1);
    /// The same with a workspace.
    trowexpanddiv_tmp = "pto.trowexpanddiv" (src0, src1, tmp: any);
    /// `dst[i, j] = max(src0[i, j], src1[i])`, or with the sources' parts exchanged.
    trowexpandmax = "pto.trowexpandmax" (src0, src1);
    /// The same with a workspace.
    trowexpandmax_tmp = "pto.trowexpandmax" (src0, src1, tmp: any);
    /// `dst[i, j] = min(src0[i, j], src1[i])`, or with the sources' parts exchanged.
    trowexpandmin = "pto.trowexpandmin" (src0, src1);
    /// The same with a workspace.
    trowexpandmin_tmp = "pto.trowexpandmin" (src0, src1, tmp: any);
    /// `dst[i, j] = e^(src0[i, j] - src1[i])`, or with the sources' parts exchanged.
    trowexpandexpdif = "pto.trowexpandexpdif" (src0, src1);
    /// The same with a workspace.
    trowexpandexpdif_tmp = "pto.trowexpandexpdif" (src0, src1, tmp: any);
    /// `dst[i, j] = src[0, j]`.
    tcolexpand = "pto.tcolexpand" (src);
    /// `dst[i, j] = src0[i, j] + src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandadd = "pto.tcolexpandadd" (src0, src1);
    /// `dst[i, j] = src0[i, j] - src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandsub = "pto.tcolexpandsub" (src0, src1);
    /// `dst[i, j] = src0[i, j] * src1[0, j]`, or with the sources' parts exchanged.
    tcolexpandmul = "pto.tcolexpandmul" (src0, src1);
    /// `dst[i, j] = src0[i, j] / src1[0, j]`, or with the sources' parts exchanged.
    tcolexpanddiv = "pto.tcolexpanddiv" (src0, src1);
    /// `dst[i, j] = max(src0[i, j], src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandmax = "pto.tcolexpandmax" (src0, src1);
    /// `dst[i, j] = min(src0[i, j], src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandmin = "pto.tcolexpandmin" (src0, src1);
    /// `dst[i, j] = e^(src0[i, j] - src1[0, j])`, or with the sources' parts exchanged.
    tcolexpandexpdif = "pto.tcolexpandexpdif" (src0, src1);
);
