//! The typed exports of a stand-alone component: from flat parameters of the canonical ABI to arguments.
//!
//! The build adds one function per tool to the module. It writes each flat parameter as 64 bits into
//! the frame that [`frame`] hands out and calls [`invoke`], whose answer is a `result<string, string>` in
//! memory; the matching post-return function calls [`release`].
//!
//! # Why the `unsafe` here is sound
//!
//! Every address comes from the canonical ABI: the component runtime allocated each string and list with
//! this module's own `cabi_realloc`, filled it, and passes its ownership to the callee. The functions below
//! take each one exactly once, with the length that came with it, and a length of zero stands for no
//! allocation. An instance has one thread, so nothing else can hold them.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::slice;

use crate::harness::standalone::{self, Argument, Kind, Parameter};
use crate::world::HostWorld;

thread_local! {
    static FRAME: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// What the build passes before it takes the snapshot.
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for `length` bytes from the build.
#[unsafe(export_name = "holm-room")]
extern "C" fn room(length: u32) -> *mut u8 {
    ROOM.with_borrow_mut(|room| {
        *room = vec![0; length as usize];
        room.as_mut_ptr()
    })
}

/// Embeds the tool file in the room: `description` bytes of JSON, then the image. Returns 1 when this
/// instance is ready to be kept, 0 when the top level cannot run ahead, and 2 on an error, whose text is
/// then in the room.
#[unsafe(export_name = "holm-embed")]
extern "C" fn embed(description: u32) -> u32 {
    let bytes = ROOM.take();
    let (description, image) = bytes.split_at(bytes.len().min(description as usize));
    let embedded = match str::from_utf8(description) {
        Ok(description) => standalone::embed(description, image),
        Err(error) => Err(error.to_string()),
    };
    match embedded {
        Ok(ahead) => u32::from(ahead),
        Err(message) => {
            ROOM.set(message.into_bytes());
            2
        }
    }
}

/// Where the room is now; its length goes with it in the upper half.
#[unsafe(export_name = "holm-message")]
extern "C" fn message() -> u64 {
    ROOM.with_borrow(|room| (room.len() as u64) << 32 | room.as_ptr() as usize as u64)
}

/// Room for `count` flat parameters of 8 bytes.
#[unsafe(export_name = "holm-frame")]
extern "C" fn frame(count: u32) -> *mut u64 {
    FRAME.with_borrow_mut(|frame| {
        *frame = vec![0; count as usize];
        frame.as_mut_ptr()
    })
}

/// A `result<string, string>` as the canonical ABI has it in memory.
#[repr(C)]
struct Answer {
    /// 1 for an error.
    is_error: u8,
    text: *mut u8,
    length: u32,
}

/// Calls the tool of a typed export with the parameters in the frame.
#[unsafe(export_name = "holm-invoke")]
extern "C" fn invoke(export: u32) -> *mut Answer {
    let frame = FRAME.take();
    let answer = match standalone::signature(export as usize) {
        Some(signature) => {
            let mut flat = frame.into_iter();
            let arguments = signature
                .parameters
                .iter()
                .map(|parameter| argument(parameter, &mut flat));
            let arguments = arguments.collect();
            let world = Box::new(HostWorld::new(standalone::capabilities()));
            standalone::call_typed(&signature, arguments, world)
        }
        None => Err("this component has no such tool".to_owned()),
    };
    let (is_error, text) = match answer {
        Ok(text) => (0, text),
        Err(text) => (1, text),
    };
    let text = text.into_bytes().into_boxed_slice();
    let length = text.len() as u32;
    Box::into_raw(Box::new(Answer {
        is_error,
        text: Box::into_raw(text).cast(),
        length,
    }))
}

/// Frees an answer that the runtime has read.
#[unsafe(export_name = "holm-release")]
extern "C" fn release(answer: *mut Answer) {
    // Safety: the only caller passes what `invoke` returned, once.
    let answer = unsafe { Box::from_raw(answer) };
    let text = std::ptr::slice_from_raw_parts_mut(answer.text, answer.length as usize);
    // Safety: the same, for its text.
    drop(unsafe { Box::from_raw(text) });
}

/// One argument, from as many flat parameters as its type has.
fn argument(parameter: &Parameter, flat: &mut impl Iterator<Item = u64>) -> Option<Argument> {
    let mut next = || flat.next().unwrap_or_default();
    let present = !parameter.optional || next() as u32 != 0;
    let first = next();
    let second = match parameter.kind {
        Kind::Bool | Kind::S64 | Kind::F64 => 0,
        _ => next(),
    };
    // The flat parameters of an absent option mean nothing.
    present.then(|| match parameter.kind {
        Kind::Bool => Argument::Bool(first as u32 != 0),
        Kind::S64 => Argument::S64(first as i64),
        Kind::F64 => Argument::F64(f64::from_bits(first)),
        Kind::String | Kind::Json => Argument::String(text(first as u32, second as u32)),
        Kind::ListBool => list(first, second, |item: &u8| Argument::Bool(*item != 0)),
        Kind::ListS64 => list(first, second, |item: &i64| Argument::S64(*item)),
        Kind::ListF64 => list(first, second, |item: &f64| Argument::F64(*item)),
        Kind::ListString => list(first, second, |item: &[u32; 2]| {
            Argument::String(text(item[0], item[1]))
        }),
    })
}

/// Takes a string over.
fn text(address: u32, length: u32) -> String {
    if length == 0 {
        return String::new();
    }
    let (address, length) = (address as usize as *mut u8, length as usize);
    // Safety: see the top; a string's allocation is as long as the string.
    let bytes = unsafe { Vec::from_raw_parts(address, length, length) };
    // The runtime checked that it is UTF-8, so nothing is replaced.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Takes a list over.
fn list<T>(address: u64, length: u64, item: impl Fn(&T) -> Argument) -> Argument {
    let (address, length) = (address as usize as *mut T, length as usize);
    if length == 0 {
        return Argument::List(Vec::new());
    }
    // Safety: see the top; `T` has the size and alignment of the list's elements.
    let items = unsafe { slice::from_raw_parts(address, length) };
    let arguments = items.iter().map(item).collect();
    // Safety: the same; nothing refers to the elements any more.
    drop(unsafe { Vec::from_raw_parts(address, length, length) });
    Argument::List(arguments)
}
