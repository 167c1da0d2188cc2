//! The table of operations with the formats of each: from the assembler's definitions (`PTOOps.td`, and operations with
//! their own readers), and from MLIR's operations that programs use. `operations.rs` explains the words of formats.
//!
//! Comments state the choice where the definitions are ambiguous.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Operations of the dialect, without `pto.`.
const DIALECT: &[(&str, &str)] = &[
    (
        "1>1",
        "tprefetch tget_scale_addr tabs tcolexpand tcolmax tcolmin tcolprod texp texpands tfillpad tlog tneg tnot trecip \
             trelu trowexpand tsqrt",
    ),
    (
        "1-2>1",
        "ttrans tci tcolargmax tcolargmin trsqrt trowmax trowmin trowargmax trowargmin trowsum trowprod",
    ),
    (
        "2>1",
        "thistogram tadd taddrelu tadds taxpy tand tands tconcat tcolexpandadd tcolexpandmul tcolexpanddiv tcolexpandsub \
             tcolexpandexpdif tcolexpandmax tcolexpandmin tdiv tdivs tfmod tfmods tgatherb tlrelu tmax tmaxs tmin tmins tmul \
             tmuls tor tors tpartadd tpartmax tpartmin tpartmul tshl tshr tshls tshrs tsub tsubs tsetval mscatter tscatter \
             tmrgsort",
    ),
    (
        "2-3>1",
        "mgather tpow tpows tprelu trem trems trowexpandadd trowexpandsub trowexpandmul trowexpanddiv trowexpandmax \
               trowexpandmin trowexpandexpdif tsort32 txor txors",
    ),
    ("3>1", "taddc taddsc tdequant tsubc tsubsc"),
    ("3-4>1", "tsel tsels"),
    ("4>1", "tconcatidx"),
    ("4>2", "tpartargmax tpartargmin"),
    ("2-3>1-2", "tquant"),
    ("1>4-5", "tquant.mx"),
    ("2>1 ?( -> R )?", "tmatmul tgemv"),
    ("3>1 ?( -> R )?", "tmatmul.acc tmatmul.bias tgemv.acc tgemv.bias"),
    ("4>1 ?( -> R )?", "tmatmul.mx tgemv.mx"),
    ("5>1 ?( -> R )?", "tmatmul.mx.acc tmatmul.mx.bias tgemv.mx.acc tgemv.mx.bias"),
    ("ins ( % : T ) outs ( % : T ) {}", "tcolsum"),
    // With a workspace the dictionary is inside the operands, and nowhere else.
    ("ins ( *2 {} : T ) outs ( % : T )", "tcolsum tcmp tcmps"),
    ("ins ( *1-2 {} : T ) outs ( % : T )", "tcvt"),
    ("ins ( % {} : T ) outs ( % : T )", "ttri"),
    ("ins ( *6 {} : T ) outs ( % : T )", "trandom"),
    ("ins ( *3-4 : T ?( fp % : T )? ) outs ( % : T ) {}", "textract"),
    ("ins ( *3 : T ?( fp % : T )? ?( pre_quant % : T )? ) outs ( % : T ) {}", "tinsert"),
    ("ins ( % : T ?( fp % : T )? ?( , % : T )? ) outs ( % : T ) {} ?( -> R )?", "tstore"),
    // Of two optional operands after commas, one alone is the first to the assembler's reader; here it may be either.
    ("ins ( % : T ?( , % : T )? ?( , % : T )? ) outs ( % : T ) {} ?( -> R )?", "tmov"),
    (
        "1>1 ?( pad_mode = A )? ?( pad_value = % : T )? ?( left_padding_num = % : T )? ?( init_out_buffer = A )? \
      ?( right_padding_num = % : T )? ?( init_condition = % : T )? ?( -> R )?",
        "tload",
    ),
    ("ins ( *3-5 ?( { exhausted = A } )? : T ) outs ( *2 : T ) {}", "tmrgsort"),
    ("ins ( *2-4 no_tmp ?( { exhausted = A } )? : T ) outs ( *2 : T ) {}", "tmrgsort"),
    ("ins ( % , { maskPattern = A } : T ?( , S )? ) outs ( % : T ) {}", "tgather tscatter"),
    ("ins ( *2-3 : T ) outs ( *1-2 : T ) {}", "tgather"),
    ("ins ( *1-2 : T ) {}", "tprint"),
    ("ins ( S , % : T ) {}", "print"),
    ("ins ( *2 : T ) outs : R {}", "tgetval"),
    // Values.
    ("% , %index {} : T -> R", "addptr"),
    (
        "% {} : T -> R",
        "ptrtoint inttoptr castptr bitcast treshape tile_valid_rows tile_valid_cols get_prefetch_async_session",
    ),
    ("% [ %index ] {} : T -> R", "load_scalar multi_tile_get"),
    ("% , % [ %index ] {} : T~", "store_scalar"),
    ("%_ , shape = [ *index ] , strides = [ *index ] {} : R", "make_tensor_view"),
    ("% , offsets = [ *index ] , sizes = [ *index ] {} : T ?( -> R )? infer", "partition_view"),
    ("% [ *index ] sizes A ?( valid [ %index , %index ] )? {} : T ?( -> R )? infer", "subview"),
    ("% , %index : T -> R {}", "get_tensor_view_dim get_tensor_view_stride"),
    (
        "?( addr = %i64 )? ?( valid_row = %index )? ?( valid_col = %index )? {} : R",
        "alloc_tile alloc_multi_tile",
    ),
    ("% , %index , %index {} : T", "set_validshape"),
    ("% {} : T =index =index", "get_validshape"),
    ("% , %i64 {} : T -> R", "tassign"),
    ("{} =i64", "get_block_idx get_subblock_idx get_block_num get_subblock_num"),
    ("{} -> R", "declare_tile declare_global declare_eventid_array declare_local_array declare_struct"),
    ("% [ %index ] {} : T =index", "eventid_array_get"),
    ("% [ %index ] , %index {} : T", "eventid_array_set"),
    ("% [ *index ] {} : T -> R", "local_array_get"),
    ("% [ *index ] , % {} : T", "local_array_set"),
    ("% P {} : T -> R", "struct_get"),
    ("% P , % {} : T", "struct_set"),
    ("region {}", "section.cube section.vector"),
    ("region {} : R*", "fusion_region"),
    ("( *0-99 ) {} : F", "yield"),
    ("{}", "trap"),
    // Synchronization.
    ("[ A , A , A ] {}", "set_flag wait_flag record_event wait_event"),
    ("[ A , A , %index ] {}", "set_flag_dyn wait_flag_dyn"),
    ("A {}", "barrier fence.barrier_all"),
    ("[ A ] {}", "barrier_sync"),
    ("[ A , I ?( , I )? ] {}", "get_buf rls_buf"),
    ("S , I ?( , I )? {}", "get_buf rls_buf"),
    ("[ A , %index ?( , I )? ] {}", "get_buf_dyn rls_buf_dyn"),
    ("S , %index ?( , I )? {}", "get_buf_dyn rls_buf_dyn"),
    ("A , %index {}", SYNC),
    ("A , I {}", SYNC),
    ("all A {}", "cmo.cacheinvalid"),
    ("% single_cache_line : T {}", "cmo.cacheinvalid"),
    ("( ?( *1-2 : T )? ) mode = A , core_type = A {}", "syncall"),
    ("% {} : T", "set_ffts"),
    ("ins ( *1-99 : T ) {}", "tsync"),
    // Queues between cores.
    (
        "keys:id,dir_mask!,slot_size!,slot_num,local_slot_num,nosplit,acc_push_epilogue \
      operands:gm_slot_buffer,gm_slot_tensor,c2v_consumer_buf,v2c_consumer_buf {}",
        "aic_initialize_pipe aiv_initialize_pipe",
    ),
    // Three optional keys begin with a comma, of which the assembler's reader takes the first for `local_slot_num`; the definition means
    // each to be optional.
    (
        "{ dir_mask = I , slot_size = I , slot_num = I ?( , local_slot_num = I )? ?( , flag_base = I )? ?( , nosplit = A )? } \
      ( % : T ?( , % : T )? ?( , % : T )? ) {} -> R",
        "initialize_l2g2l_pipe",
    ),
    (
        "{ dir_mask = I , slot_size = I , slot_num = I ?( , flag_base = I )? ?( , nosplit = A )? } ( % : T ?( , % : T )? ) {} -> R",
        "initialize_l2l_pipe",
    ),
    ("{ name = S , size = I , location = A , auto = A ?( , base = I )? } {} -> R", "reserve_buffer"),
    ("{ name = S , peer_func = @ } {} -> R", "import_reserved_buffer"),
    ("{ ?( id = I , )? split = I } {} -> R", "talloc_to_aiv talloc_to_aic"),
    ("( % : T ) { ?( id = I , )? split = I } {}", "tpush_to_aiv"),
    ("( % : T ) { ?( id = I , )? split = I } ?( aiv_subblockid ( %i64 ) )? {}", "tpush_to_aic"),
    (
        "?( ( %index , %index ) )? { ?( id = I , )? split = I } ?( aiv_subblockid ( %i64 ) )? {} -> R",
        "tpop_from_aic",
    ),
    ("?( ( %index , %index ) )? { ?( id = I , )? split = I } {} -> R", "tpop_from_aiv"),
    ("?( ( % : T ) )? { ?( id = I , )? split = I } {}", "tfree_from_aic tfree_from_aiv"),
    ("( *2 : T ) { split = I } ?( aiv_subblockid ( %i64 ) )? {}", "tpush tpop"),
    ("( *2 : T ) { split = I } {}", "talloc"),
    ("( *1-2 : T ) { split = I } {}", "tfree"),
    ("( % : T ) { id = I } {}", "set_quant_scalar set_quant_vector"),
    // Communication.
    ("( % : T ) {} -> R", "make_prefetch_async_context"),
    (
        "( *2 : T ) {} -> R",
        "tprefetch_async comm.wait_async_event comm.test_async_event comm.build_async_session comm.ttest",
    ),
    ("( *3 : T ) {} -> R", "comm.tput_async comm.tget_async"),
    ("( *2 : T ) {}", "comm.tnotify comm.twait"),
    ("( % , % , buf ( *1-2 ) : T ) {}", "comm.tput comm.tget"),
    ("( % , recv ( *1-2 ) , group ( *1-99 ) : T ) {}", "comm.tbroadcast comm.tgather comm.tscatter"),
    ("( % , % , recv ( *1-2 ) , group ( *1-99 ) : T ) {}", "comm.treduce"),
];

const SYNC: &str = "sync.set sync.wait set_cross_block wait_cross_block set_intra_block wait_intra_block";

/// Operations of MLIR's dialects. Those with loops and branches are read by `operations.rs`.
const STANDARD: &[(&str, &str)] = &[
    ("C", "arith.constant"),
    (
        "% , % {} : same=",
        "arith.addi arith.subi arith.muli arith.divsi arith.divui arith.ceildivsi arith.ceildivui \
      arith.floordivsi arith.remsi arith.remui arith.andi arith.ori arith.xori arith.shli arith.shrsi arith.shrui arith.maxsi \
      arith.maxui arith.minsi arith.minui arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf \
      arith.minimumf arith.maxnumf arith.minnumf",
    ),
    ("% {} : same=", "arith.negf"),
    (
        "% {} : T to R",
        "arith.index_cast arith.index_castui arith.extsi arith.extui arith.extf arith.trunci arith.truncf \
      arith.sitofp arith.uitofp arith.fptosi arith.fptoui arith.bitcast",
    ),
    ("*1-99 : T to R {}", "builtin.unrealized_conversion_cast"),
    ("W , % , % {} : same =i1", "arith.cmpi arith.cmpf"),
    ("%i1 , % , % {} : same=", "arith.select"),
    ("@ ( *0-99 ) {} : F", "func.call call"),
    ("{} ?( *1-99 : T )?", "func.return return scf.yield"),
    ("( %i1 ) {} ?( *1-99 : T )?", "scf.condition"),
    ("block {}", "cf.br"),
    ("%i1 , block , block {}", "cf.cond_br"),
    ("?( -> RS )? region {}", "scf.execute_region"),
    ("%i1 ?( -> RS )? region ?( else region )? {}", "scf.if"),
];

/// Operations that `operations.rs` reads.
pub(super) const CONTROL: [&str; 3] = ["scf.for", "scf.while", "scf.index_switch"];

/// Operands of operations whose generic form states how many of each there are: one, one or none, any number.
pub(super) const SEGMENTS: &[(&str, &str)] = &[
    ("1**", "make_tensor_view partition_view"),
    ("???", "alloc_tile alloc_multi_tile tpop_from_aic"),
    ("1*??", "subview"),
    ("11????", "tload tgather"),
    ("11??", "tstore tmov"),
    ("1111??", "textract tinsert"),
    ("*?*??", "tmrgsort"),
    ("11??1", "tquant"),
    ("????", "aic_initialize_pipe aiv_initialize_pipe"),
    ("??", "tpop_from_aiv syncall"),
    ("1??", "initialize_l2g2l_pipe"),
    ("11?*", "comm.tbroadcast comm.tgather comm.tscatter"),
    ("111?*", "comm.treduce"),
];

/// Operations, types (`!`) and attributes (`#`) without a counterpart in the assembler's dialect: they are ours, for instructions
/// that the ISA's manual has and the assembler does not make.
pub const EXTENSIONS: &[&str] = &[
    "pto.get_ctrl",
    "pto.set_ctrl",
    "pto.set_img2col_padding",
    "pto.set_img2col_rpt",
    "pto.setfmatrix",
    "pto.sethf32mode",
    "pto.settf32mode",
    "pto.tadddeqrelu",
    "pto.taddreluconv",
    "pto.tdeinterleave",
    "pto.tensor_view_addr",
    "pto.textract_fp",
    "pto.tfillpad_expand",
    "pto.tfillpad_inplace",
    "pto.tfusedmuladd",
    "pto.tfusedmuladdrelu",
    "pto.tile_buf_addr",
    "pto.timg2col",
    "pto.tinsert_fp",
    "pto.tinterleave",
    "pto.tmov_fp",
    "pto.tmuladddst",
    "pto.tpack",
    "pto.tpairreducesum",
    "pto.tstore_fp",
    "pto.tsubrelu",
    "pto.tsubreluconv",
    "!pto.conv_tile",
    "!pto.i4x2",
    "#pto.layout<mx_a_nd>",
    "#pto.layout<mx_a_dn>",
    "#pto.layout<mx_b_nd>",
    "#pto.layout<mx_b_dn>",
];

/// Formats that the assembler's operations lack, of the same programs: workspaces, values and second results that the ISA's manual
/// has, and spellings with types that the assembler implies. Operations are named without `pto.`.
pub const FORMS: &[(&str, &str)] = &[
    ("1>1", "treshape"),
    (
        "ins ( % : T ?( fp % : T )? ?( , % : T )? ?( pre_quant % : T )? ) outs ( % : T ) {}",
        "textract tinsert",
    ),
    ("*1-99 : T", "yield"),
    ("2>1", "tabs texp tlog tneg tnot trecip trelu tsqrt tcolmax tcolmin tcolprod tfillpad"),
    ("ins ( % : T fp % : T ) outs ( % : T ) {}", "tfillpad"),
    ("3>1", "tfmod tfmods"),
    ("1-2>2", "tcolargmax tcolargmin trowargmax trowargmin"),
    ("4>1-2", "tconcat"),
    ("4>2", "tconcatidx"),
    ("5>2", "textract"),
    ("% , *index : T -> R", "treshape"),
    ("{} : R", "get_block_idx get_block_num"),
    ("% : T -> RS", "get_validshape"),
    ("*2 : T -> R", "tassign"),
    (
        "keys:dir_mask!,slot_size!,slot_num!,local_slot_num,flag_base,nosplit,acc_push_epilogue \
      ( *1 : T ?( , % : T )? ?( , % : T )? ) {} -> R",
        "initialize_l2g2l_pipe",
    ),
    ("?( -> RS )? region", "fusion_region"),
];

/// The entry of a name in [`EXTENSIONS`].
pub(super) fn extension(name: &str) -> Option<&'static str> {
    EXTENSIONS.iter().copied().find(|known| *known == name)
}

/// A format, and the name to report if it is one of [`FORMS`].
pub(super) type Format = (String, Option<&'static str>);

/// The formats of each operation, short ones written out.
pub(super) static FORMATS: LazyLock<HashMap<String, Vec<Format>>> = LazyLock::new(|| {
    let mut formats: HashMap<String, Vec<Format>> = HashMap::new();
    for (table, prefix, extended) in [(DIALECT, "pto.", false), (STANDARD, "", false), (FORMS, "pto.", true)]
    {
        for (format, names) in table {
            let (first, rest) = format.split_once(' ').unwrap_or((format, ""));
            let long = match first.split_once('>') {
                Some((ins, outs)) if ins.starts_with(|c: char| c.is_ascii_digit()) => {
                    format!("ins ( *{ins} : T ) outs ( *{outs} : T ) {{}} {rest}")
                }
                _ => (*format).to_owned(),
            };
            for name in names.split_whitespace() {
                formats
                    .entry(format!("{prefix}{name}"))
                    .or_default()
                    .push((long.clone(), extended.then_some(name)));
            }
        }
    }
    formats
});

/// Whether the table has an operation.
pub fn is_known(name: &str) -> bool {
    FORMATS.contains_key(name) || CONTROL.contains(&name)
}
