//! Types of values.

use super::{Chapter, word};

pub(super) const CHAPTER: Chapter = Chapter {
    name: "types",
    title: "Types",
    intro: &[
        "Every value has a type. Tiles live in on-chip buffers, views and pointers name global memory, scalars belong to the \
         scalar unit. A program only passes handles (queues, sessions, events) to operations.",
        "A view or a tile holds no data of its own: it is an address and a layout of elements. Two values may name the same \
         bytes.",
    ],
    words: &[
        word("tile_buf", "The type of a tile: location, rows, columns, element type, and layout.")
            .or(&["tile"])
            .more(
                "The compact form omits defaults: fully valid, `row_major`, `none_box`, fractal 512, no padding. The keyed form \
                 writes everything. `!pto.tile<...>` is accepted in the forms of the manual as well.",
            )
            .spelled(&[
                "!pto.tile_buf<vec, 16x64xf32>",
                "!pto.tile_buf<mat, 32x32xf16, valid=?x32, blayout=col_major, slayout=row_major>",
                "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, \
                 slayout=none_box, fractal=512, pad=0>",
            ])
            .shown("tiles")
            .see(&["location", "valid region", "blayout", "alloc_tile"]),
        word("multi_tile_buf", "The type of several tiles of one type, one after the other: 1 to 1024.")
            .or(&["count"])
            .spelled(&["!pto.multi_tile_buf<vec, 16x64xf32, count=2>"])
            .shown("multi_tile")
            .see(&["alloc_multi_tile", "multi_tile_get"]),
        word("conv_tile", "The type of a feature map or a filter of a convolution: location, layout, four to six extents.")
            .spelled(&["!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>"])
            .shown("timg2col")
            .see(&["NC1HWC0", "timg2col"]),
        word("tensor_view", "The type of a view of global memory: one to five extents, outermost first; `?` is an extent known \
                             at run time.")
            .or(&["view"])
            .spelled(&["!pto.tensor_view<?x?xf32>", "!pto.tensor_view<1x1x16x16x16xf16>"])
            .shown("views")
            .see(&["make_tensor_view", "partition_tensor_view"]),
        word("partition_tensor_view", "The type of a part of a view of global memory, which loads and stores take.")
            .spelled(&["!pto.partition_tensor_view<16x64xf32>"])
            .shown("views")
            .see(&["partition_view", "tensor_view"]),
        word("tile_view", "The former type of a part of a tile; read as `partition_tensor_view`, with the lint `old-syntax`.")
            .see(&["subview", "partition_tensor_view"]),
        word("ptr", "The type of a pointer: element type, and the address space if it is not global memory.")
            .or(&["pointer"])
            .spelled(&["!pto.ptr<f32>", "!pto.ptr<f32, gm>"])
            .shown("pointers")
            .see(&["gm", "addptr", "load_scalar", "make_tensor_view"]),
        word("memref", "The builtin type of a memory reference: extents, element type, strides, address space.")
            .or(&["strided"])
            .more("As an argument it is a buffer in global memory, and a load takes it like a view.")
            .spelled(&["memref<16x64xf32>", "memref<16x64xf32, strided<[64, 1], offset: ?>, #pto.address_space<gm>>"])
            .shown("memref")
            .see(&["address_space", "tensor_view"]),
        word("address_space", "The memory that a pointer, a memref or a reserved buffer belongs to: `gm` or a location.")
            .spelled(&["#pto.address_space<vec>"])
            .shown("reserve_buffer")
            .see(&["gm", "location"]),
        word("gm", "Global memory: the memory outside the cores, which holds the arguments of a launch.")
            .or(&["global memory"])
            .spelled(&["!pto.ptr<f32, gm>", "#pto.address_space<gm>"])
            .shown("pointers")
            .see(&["tload", "tstore", "ptr"]),
        word("local_array", "The type of an array of scalars in the memory of the scalar unit.")
            .spelled(&["!pto.local_array<2x4xi32>"])
            .shown("aggregates")
            .see(&["declare_local_array", "local_array_get"]),
        word("struct", "The type of a struct of scalars and structs; fields are counted from 0.")
            .spelled(&["!pto.struct<i32, f32, !pto.struct<i32>>"])
            .shown("aggregates")
            .see(&["declare_struct", "struct_get"]),
        word("eventid_array", "The type of an array of event identifiers, for flags whose event is computed.")
            .spelled(&["!pto.eventid_array<4>"])
            .shown("event_arrays")
            .see(&["declare_eventid_array", "set_flag_dyn"]),
        word("!pto.pipe", "The type of a queue between cores as a value; a queue is no hardware pipe.")
            .spelled(&["!pto.pipe"])
            .shown("initialize_l2l_pipe")
            .see(&["queue", "initialize_l2l_pipe", "tpush"]),
        word("async_session", "The type of a session of the DMA engine for asynchronous transfers.")
            .spelled(&["!pto.async_session"])
            .shown("comm.build_async_session")
            .see(&["comm.build_async_session", "async_event"]),
        word("async_event", "The type of the event that an asynchronous transfer returns and a program waits for.")
            .spelled(&["!pto.async_event"])
            .shown("comm.tput_async")
            .see(&["comm.wait_async_event", "async_session"]),
        word("prefetch_async_context", "The type of the context of asynchronous prefetches.")
            .spelled(&["!pto.prefetch_async_context"])
            .shown("make_prefetch_async_context")
            .see(&["make_prefetch_async_context", "tprefetch_async"]),
        word("vreg", "Types of vector registers, masks and event objects of lower dialects: parsed and printed, without \
                      operations.")
            .or(&["pto.mask", "pto.align", "sync_event", "!pto.event"])
            .spelled(&["!pto.vreg"])
            .see(&["vec"]),
        word("vector", "Builtin types without operations here: parsed and printed.")
            .or(&["tensor", "none type", "f64", "tf32"])
            .more("The four counts that `tmrgsort` returns are a vector.")
            .spelled(&["vector<4xi16>"])
            .shown("tmrgsort")
            .see(&["tmrgsort", "dense"]),
    ],
    sets: &[],
    operations: &[],
};
