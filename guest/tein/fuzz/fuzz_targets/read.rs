#![no_main]

#[path = "../targets.rs"]
mod targets;

use std::cell::RefCell;

thread_local! {
    // A context takes far longer to make than an input to run.
    static TARGETS: RefCell<targets::Targets> = RefCell::default();
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    TARGETS.with_borrow_mut(|targets| drop(targets.read(data)));
});
