//! A rule and a URL, with a tab between them:
//! `cargo +nightly fuzz run grants fuzz/corpus fuzz/seeds`.
#![no_main]

use holm::grants;

#[path = "../check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::everything(text));
