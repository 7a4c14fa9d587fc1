//! Files: there are none. A program runs without a file system, so everything that would reach
//! one is refused, in the words that the contract has for a sandbox without grants.

use super::{Ctx, NativeDef, plain};
use crate::error::{ErrorKind, Res, fail, raise};
use crate::value::Word;

fn path(cx: &Ctx, w: Word) -> Res<String> {
    Ok(cx.text(w)?.to_utf8())
}

/// Refuses to look at a path, or to change what it names.
fn refuse(cx: &mut Ctx, w: Word, what: &str) -> Res {
    let path = path(cx, w)?;
    Err(raise(
        ErrorKind::File,
        format!("[sandbox:file] {path} ({what} not permitted)"),
        &[],
    ))
}

/// Refuses to open a file.
fn refuse_open(cx: &mut Ctx, who: &str, w: Word) -> Res {
    path(cx, w)?;
    Err(raise(
        ErrorKind::File,
        format!("{who}: access denied by sandbox policy"),
        &[w],
    ))
}

/// `(%not-available module name)`: a procedure that this sandbox has in name only.
fn not_available(cx: &mut Ctx, a: &[Word]) -> Res {
    let module = path(cx, a[0])?;
    let name = cx.heap.symbol_name(a[1]).unwrap_or_default().to_owned();
    fail(format!("[sandbox:{module}] {name} not available"), &[])
}

/// `(load path)` knows the paths of embedded texts by their form only: none is there as a file.
fn load(cx: &mut Ctx, a: &[Word]) -> Res {
    let path = path(cx, a[0])?;
    if path.starts_with("/vfs/") {
        return Err(raise(ErrorKind::File, "load: no such file", &[a[0]]));
    }
    fail(
        format!("[sandbox:load] {path} (only VFS paths permitted)"),
        &[],
    )
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%refuse-read", 1, 1, |cx, a| refuse(cx, a[0], "read")),
    plain("%refuse-write", 1, 1, |cx, a| refuse(cx, a[0], "write")),
    plain("file-exists?", 1, 1, |cx, a| refuse(cx, a[0], "read")),
    plain("delete-file", 1, 1, |cx, a| refuse(cx, a[0], "write")),
    plain("open-input-file", 1, 1, |cx, a| {
        refuse_open(cx, "open-input-file", a[0])
    }),
    plain("open-binary-input-file", 1, 1, |cx, a| {
        refuse_open(cx, "open-binary-input-file", a[0])
    }),
    plain("open-output-file", 1, 1, |cx, a| {
        refuse_open(cx, "open-output-file", a[0])
    }),
    plain("open-binary-output-file", 1, 1, |cx, a| {
        refuse_open(cx, "open-binary-output-file", a[0])
    }),
    plain("load", 1, 2, load),
    plain("%not-available", 2, 2, not_available),
];
