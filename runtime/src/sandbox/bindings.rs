//! Generated from `wit/`: the exports are the same in every world, so the smallest one
//! stands for all.

#![allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "base",
    imports: { default: async },
    exports: { default: async },
    with: {
        "wasi:clocks": wasmtime_wasi::p2::bindings::clocks,
        "wasi:random": wasmtime_wasi::p2::bindings::random,
        "wasi:io": wasmtime_wasi::p2::bindings::io,
    },
});
