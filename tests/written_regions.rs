//! What a call writes lies together in memory.
//!
//! A pooled memory is reset by copying back the pages that a call wrote, as long as they form at most 32
//! regions; what is beyond is given back to the system, which interrupts every core that runs the process, and the
//! next call faults those pages in again. That cost a call of a tool that imports `(tein http)` 100 of its 230 µs.
//! The guest keeps below that by its arenas' room and by filling the holes of its allocator (`guest/src/memory.rs`).
//!
//! A process of its own, so that no other instance is in its memory map.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use holm::egress::Journal;
use holm::limits::Limits;
use holm::sandbox::{
    CallRequest, Capabilities, Code, Grants, LoadRequest, NestedCalls, NoNestedCalls, Sandbox,
    SandboxOptions,
};

/// Regions that wasmtime copies back.
const MOST: usize = 32;
const PAGE: usize = 4096;
/// A page is there (`Documentation/admin-guide/mm/pagemap.rst` of Linux).
const PRESENT: u64 = 1 << 63;
/// It is the file's, or shared: not written to.
const FILE: u64 = 1 << 61;

/// Addresses of memories that began as an image, each with what is writable right behind it. The image is in memory
/// when this process compiled the guest, and in the file of compiled code when another one had.
fn memories() -> Vec<Range<usize>> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut found: Vec<Range<usize>> = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let (Some(range), Some(rights)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (start, end) = range.split_once('-').unwrap();
        let start = usize::from_str_radix(start, 16).unwrap();
        let end = usize::from_str_radix(end, 16).unwrap();
        if rights != "rw-p" {
            continue;
        }
        if line.contains("wasm-memory-image") || line.ends_with(".bin") {
            found.push(start..end);
        } else if let Some(before) = found.last_mut().filter(|before| before.end == start) {
            before.end = end;
        }
    }
    found
}

/// Runs of pages that were written to, by their first page and length.
fn written(memory: &Range<usize>) -> Vec<(usize, usize)> {
    let pages = memory.len() / PAGE;
    let mut entries = vec![0; pages * 8];
    let mut pagemap = File::open("/proc/self/pagemap").unwrap();
    let at = u64::try_from(memory.start / PAGE * 8).unwrap();
    pagemap.seek(SeekFrom::Start(at)).unwrap();
    pagemap.read_exact(&mut entries).unwrap();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (page, entry) in entries.as_chunks::<8>().0.iter().enumerate() {
        let entry = u64::from_ne_bytes(*entry);
        if entry & PRESENT == 0 || entry & FILE != 0 {
            continue;
        }
        match runs.last_mut() {
            Some((start, length)) if *start + *length == page => *length += 1,
            _ => runs.push((page, 1)),
        }
    }
    runs
}

#[tokio::test]
async fn a_call_writes_fewer_regions_than_are_copied_back() {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
        ..SandboxOptions::default()
    })
    .unwrap();
    let grants = Grants {
        capabilities: Capabilities {
            http: true,
            environment: false,
        },
        ..Grants::default()
    };
    let limits = Limits::default();
    let loaded = sandbox
        .load(LoadRequest {
            code: Code::Scheme(include_str!("workloads/fetch.scm")),
            file: "/tools/fetch.scm",
            unrestricted: false,
            grants: &grants,
            limits: &limits,
        })
        .await
        .unwrap();
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    // Loading wrote to the slot too, and more: the first calls may still find that.
    for round in 0..20 {
        let journal = Journal::new();
        let outcome = sandbox
            .call(CallRequest {
                image: &loaded.image,
                file: "/tools/fetch.scm",
                tool: "t",
                arguments: "{}",
                context_name: "",
                unrestricted: false,
                grants: &grants,
                limits: &limits,
                nested: &nested,
                principal: "test",
                budget: None,
                journal: &journal,
            })
            .await
            .unwrap();
        assert_eq!(outcome.result, "nothing", "round {round}");
    }
    let memories = memories();
    assert!(!memories.is_empty(), "no memory of an instance is mapped");
    for memory in memories {
        let regions = written(&memory);
        assert!(
            regions.len() < MOST,
            "{} regions of pages: {regions:?}",
            regions.len()
        );
    }
}
