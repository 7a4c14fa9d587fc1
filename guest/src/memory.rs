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
