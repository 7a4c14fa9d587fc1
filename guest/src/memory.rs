//! The allocator of the component: what is freed while the snapshot is made is cleared, so that no garbage is
//! shipped.
//!
//! # Why the `unsafe` here is sound
//!
//! Every call goes on to the system's allocator with the arguments that came in. The one thing added is to write
//! zeros over a block that its owner has just given back, before the allocator gets it: nobody else can hold it,
//! and the layout says how long it is.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// Set until the snapshot is complete; instances start behind that.
static BUILDING: AtomicBool = AtomicBool::new(true);

/// The snapshot is complete.
pub(crate) fn is_complete() {
    BUILDING.store(false, Ordering::Relaxed);
}

/// Takes what is free between the blocks that last, for good, so that what a call allocates lies together behind
/// them. A call would fill one hole after the other otherwise, each on another page; the host resets what a call
/// wrote region by region, and gives up on doing so cheaply after 32 of them (see `docs/performance.md`).
///
/// The holes are zeros and not touched: they cost the component's size nothing, and an instance address space alone.
pub(crate) fn fill_holes() {
    /// The largest block that is tried: smaller than what is free behind the last block.
    const LARGEST: usize = 128 << 10;
    /// The smallest block of the allocator.
    const SMALLEST: usize = 8;
    /// Bytes at the end of memory that hold the machine's stack, which is allocated last, or are free.
    const END: usize = 4 << 20;
    let end = (core::arch::wasm32::memory_size(0) << 16).saturating_sub(END);
    // Without a stack there is nothing to lie behind: an engine that did not start says so at the first call.
    let mut size = LARGEST;
    while size >= SMALLEST {
        let block = Vec::<u8>::with_capacity(size);
        if block.as_ptr().addr() < end {
            std::mem::forget(block);
        } else {
            size -= (size / 8).max(4);
        }
    }
}

struct Clearing;

#[global_allocator]
static ALLOCATOR: Clearing = Clearing;

// Safety: see the top.
unsafe impl GlobalAlloc for Clearing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if BUILDING.load(Ordering::Relaxed) {
            unsafe { block.write_bytes(0, layout.size()) };
        }
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !BUILDING.load(Ordering::Relaxed) {
            return unsafe { System.realloc(block, layout, size) };
        }
        // Moved by hand, so that the old place is cleared.
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else {
            return std::ptr::null_mut();
        };
        let moved = unsafe { self.alloc(wanted) };
        if !moved.is_null() {
            unsafe {
                std::ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}
