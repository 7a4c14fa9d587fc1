//! Lines of a rule and a URL with a tab between them; see `fuzz/README.md`.
#![no_main]
#![allow(dead_code, unused_imports, rustdoc::broken_intra_doc_links)]

// The module alone, which depends on nothing else of holm: the rest would take minutes to build.
#[path = "../../runtime/src/grants/mod.rs"]
mod grants;

#[path = "../check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for line in text.lines() {
        check::everything(line);
    }
});
