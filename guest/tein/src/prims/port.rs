//! Ports (R7RS 6.13), all of them over memory.

use super::bytevector::{byte, bytes};
use super::{Ctx, NativeDef, plain};
use crate::error::{ErrorKind, Raise, Res, fail, raise, wrong_type};
use crate::port::{Buffer, Port};
use crate::printer::{self, Mode};
use crate::reader::{Source, read_from};
use crate::text::Text;
use crate::value::{Kind, Word};

fn port<'c>(cx: &'c Ctx, w: Word, what: &str) -> Res<&'c Port> {
    match cx.heap.as_port(w) {
        Some(p) => Ok(p),
        None => wrong_type(what, w),
    }
}

fn output(cx: &Ctx, a: &[Word], i: usize) -> Res {
    let w = match a.get(i) {
        Some(w) => *w,
        None => cx.parameter_value(cx.roots.output),
    };
    let p = port(cx, w, "Output-Port")?;
    if !p.is_output() {
        return wrong_type("Output-Port", w);
    }
    if !p.is_open() {
        return fail("the port is closed", &[w]);
    }
    Ok(w)
}

fn input(cx: &Ctx, a: &[Word], i: usize, textual: bool) -> Res {
    let w = match a.get(i) {
        Some(w) => *w,
        None => cx.parameter_value(cx.roots.input),
    };
    let p = port(cx, w, "Input-Port")?;
    if !p.is_input() {
        return wrong_type("Input-Port", w);
    }
    if !p.is_open() {
        return fail("the port is closed", &[w]);
    }
    if p.is_textual() != textual {
        return wrong_type(
            if textual {
                "Textual-Input-Port"
            } else {
                "Binary-Input-Port"
            },
            w,
        );
    }
    Ok(w)
}

fn put(cx: &mut Ctx, w: Word, s: &str) -> Res {
    cx.charge(s.len() / 32);
    let before = cx.heap.as_port(w).map_or(0, Port::bytes);
    cx.reserve(before + s.len())?;
    let done = cx.heap.port_mut(w).is_some_and(|p| p.write(s));
    let grown = cx
        .heap
        .as_port(w)
        .map_or(0, Port::bytes)
        .saturating_sub(before);
    cx.heap.charge(grown);
    if done {
        pass_on(cx, w)
    } else {
        wrong_type("Textual-Output-Port", w)
    }
}

/// The result of writing to the port: its procedure, if it has one, comes first.
fn pass_on(cx: &Ctx, w: Word) -> Res {
    match cx.heap.as_port(w).and_then(Port::sink) {
        Some(procedure) => Err(Box::new(Raise::Serve {
            procedure,
            again: false,
        })),
        None => Ok(Word::UNSPECIFIED),
    }
}

/// Asks the port's procedure for more unless there is `enough` to read.
fn want(cx: &Ctx, w: Word, enough: impl Fn(&Port) -> bool) -> Res<()> {
    match cx.heap.as_port(w) {
        Some(p) => match p.source() {
            Some(procedure) if !enough(p) => Err(Box::new(Raise::Serve {
                procedure,
                again: true,
            })),
            _ => Ok(()),
        },
        None => Ok(()),
    }
}

/// Are there `n` characters or bytes to read?
fn has(p: &Port, n: usize) -> bool {
    match p {
        Port::StringInput { text, at, .. } => text.len() - at >= n,
        Port::BytesInput { bytes, at, .. } => bytes.len() - at >= n,
        _ => true,
    }
}

/// Is there a whole line to read?
fn has_line(p: &Port) -> bool {
    let Port::StringInput { text, at, .. } = p else {
        return true;
    };
    let end = (*at..text.len()).find(|i| matches!(text.get(*i), Some('\n' | '\r')));
    // A newline may follow a carriage return.
    end.is_some_and(|i| text.get(i) == Some('\n') || i + 1 < text.len())
}

fn print(cx: &mut Ctx, a: &[Word], mode: Mode) -> Res {
    let w = output(cx, a, 1)?;
    let s = printer::show(&cx.heap, a[0], mode);
    put(cx, w, &s)
}

fn write_string(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("write-string", a, 2, len)?;
    let w = output(cx, a, 1)?;
    let s = if (start, end) == (0, len) {
        cx.text(a[0])?.to_utf8()
    } else {
        cx.text(a[0])?.slice(start, end).to_utf8()
    };
    put(cx, w, &s)
}

fn write_char(cx: &mut Ctx, a: &[Word]) -> Res {
    let c = cx.char(a[0])?;
    let w = output(cx, a, 1)?;
    put(cx, w, c.encode_utf8(&mut [0; 4]))
}

fn newline(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = output(cx, a, 0)?;
    put(cx, w, "\n")
}

fn write_bytes(cx: &mut Ctx, w: Word, data: &[u8]) -> Res {
    cx.heap.charge(data.len());
    cx.charge(data.len() / 64);
    match cx.heap.port_mut(w) {
        Some(
            Port::BytesOutput(b)
            | Port::Sink {
                buffer: Buffer::Bytes(b),
                ..
            },
        ) => {
            b.extend_from_slice(data);
            pass_on(cx, w)
        }
        _ => wrong_type("Binary-Output-Port", w),
    }
}

fn write_u8(cx: &mut Ctx, a: &[Word]) -> Res {
    let b = byte(cx, a[0])?;
    let w = output(cx, a, 1)?;
    write_bytes(cx, w, &[b])
}

fn write_bytevector(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = bytes(cx, a[0])?.len();
    let (start, end) = cx.range("write-bytevector", a, 2, len)?;
    let w = output(cx, a, 1)?;
    let part = bytes(cx, a[0])?[start..end].to_vec();
    write_bytes(cx, w, &part)
}

fn read_char(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, true)?;
    want(cx, w, |p| has(p, 1))?;
    Ok(cx
        .heap
        .port_mut(w)
        .and_then(Port::next)
        .map_or(Word::EOF, Word::char))
}

fn peek_char(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, true)?;
    want(cx, w, |p| has(p, 1))?;
    Ok(cx
        .heap
        .as_port(w)
        .and_then(Port::peek)
        .map_or(Word::EOF, Word::char))
}

fn read_line(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, true)?;
    want(cx, w, has_line)?;
    let Some(line) = cx.heap.port_mut(w).and_then(Port::line) else {
        return Ok(Word::EOF);
    };
    cx.charge(line.len() / 16);
    Ok(cx.heap.string(line))
}

fn read_string(cx: &mut Ctx, a: &[Word]) -> Res {
    // Both argument orders are in use: (read-string k port) is R7RS.
    let (k, p) = if a[0].is(Kind::Port) {
        (a.get(1).copied().unwrap_or(a[0]), &a[..1])
    } else {
        (a[0], &a[1..])
    };
    let k = cx.index(k)?;
    let w = input(cx, p, 0, true)?;
    want(cx, w, |p| has(p, k))?;
    let text = cx
        .heap
        .port_mut(w)
        .map_or_else(Text::default, |p| p.take(k));
    cx.charge(text.len() / 16);
    if text.is_empty() && k > 0 {
        return Ok(Word::EOF);
    }
    Ok(cx.heap.string(text))
}

fn read_u8(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, false)?;
    want(cx, w, |p| has(p, 1))?;
    match cx.heap.port_mut(w) {
        Some(Port::BytesInput { bytes, at, .. }) => match bytes.get(*at) {
            Some(b) => {
                *at += 1;
                Ok(Word::fix(i64::from(*b)))
            }
            None => Ok(Word::EOF),
        },
        _ => Ok(Word::EOF),
    }
}

fn peek_u8(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, false)?;
    want(cx, w, |p| has(p, 1))?;
    match cx.heap.as_port(w) {
        Some(Port::BytesInput { bytes, at, .. }) => Ok(bytes
            .get(*at)
            .map_or(Word::EOF, |b| Word::fix(i64::from(*b)))),
        _ => Ok(Word::EOF),
    }
}

fn take_bytes(cx: &mut Ctx, w: Word, k: usize) -> Vec<u8> {
    match cx.heap.port_mut(w) {
        Some(Port::BytesInput { bytes, at, .. }) => {
            let end = at.saturating_add(k).min(bytes.len());
            let part = bytes[*at..end].to_vec();
            *at = end;
            part
        }
        _ => Vec::new(),
    }
}

fn read_bytevector(cx: &mut Ctx, a: &[Word]) -> Res {
    let k = cx.index(a[0])?;
    let w = input(cx, a, 1, false)?;
    want(cx, w, |p| has(p, k))?;
    let part = take_bytes(cx, w, k);
    if part.is_empty() && k > 0 {
        return Ok(Word::EOF);
    }
    Ok(cx.heap.bytevector(part))
}

fn read_bytevector_to(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = bytes(cx, a[0])?.len();
    let (start, end) = cx.range("read-bytevector!", a, 2, len)?;
    let w = input(cx, a, 1, false)?;
    want(cx, w, |p| has(p, end - start))?;
    let part = take_bytes(cx, w, end - start);
    if part.is_empty() && end > start {
        return Ok(Word::EOF);
    }
    if let Some(v) = cx.heap.bytes_mut(a[0]) {
        v[start..start + part.len()].copy_from_slice(&part);
    }
    Ok(Word::index(part.len()))
}

fn read(cx: &mut Ctx, a: &[Word]) -> Res {
    let w = input(cx, a, 0, true)?;
    let Some(Port::StringInput {
        text,
        at,
        line,
        fold_case,
        source: more,
    }) = cx.heap.port_mut(w).map(std::mem::take)
    else {
        return Ok(Word::EOF);
    };
    let mut source = Source {
        text: &text,
        at,
        line,
        column: 1,
        fold_case,
    };
    let result = read_from(cx, &mut source);
    cx.spend((source.at - at) as u64 / 8)?;
    // What reaches to the end of what is there may go on in what comes, unless it is closed.
    let closed = result.as_ref().is_ok_and(Option::is_some)
        && matches!(text.get(source.at.wrapping_sub(1)), Some(')' | '"' | '|'));
    let hungry = more.is_some() && source.at >= text.len() && !closed;
    let (at, line, fold_case) = if hungry {
        (at, line, fold_case)
    } else {
        (source.at, source.line, source.fold_case)
    };
    if let Some(p) = cx.heap.port_mut(w) {
        *p = Port::StringInput {
            text,
            at,
            line,
            fold_case,
            source: more,
        };
    }
    if hungry {
        want(cx, w, |_| false)?;
    }
    match result {
        Ok(Some(d)) => Ok(d),
        Ok(None) => Ok(Word::EOF),
        Err(e) if e.memory => crate::error::out_of_memory(),
        Err(e) => Err(raise(ErrorKind::Read, e.message, &[])),
    }
}

fn open_input_string(cx: &mut Ctx, a: &[Word]) -> Res {
    let t = cx.text(a[0])?.clone();
    Ok(cx.heap.port(Port::string_input(t)))
}

fn open_input_bytevector(cx: &mut Ctx, a: &[Word]) -> Res {
    let b = bytes(cx, a[0])?.to_vec();
    Ok(cx.heap.port(Port::BytesInput {
        bytes: b,
        at: 0,
        source: None,
    }))
}

/// `(%make-input-port textual? procedure)`: empty; the procedure feeds it.
fn make_input(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut port = if a[0].truthy() {
        Port::string_input(Text::default())
    } else {
        Port::BytesInput {
            bytes: Vec::new(),
            at: 0,
            source: None,
        }
    };
    if let Port::StringInput { source, .. } | Port::BytesInput { source, .. } = &mut port {
        *source = Some(a[1]);
    }
    Ok(cx.heap.port(port))
}

/// `(%make-output-port textual? procedure)`: the procedure takes what each operation wrote.
fn make_output(cx: &mut Ctx, a: &[Word]) -> Res {
    let buffer = if a[0].truthy() {
        Buffer::Text(Text::default())
    } else {
        Buffer::Bytes(Vec::new())
    };
    Ok(cx.heap.port(Port::Sink {
        buffer,
        procedure: a[1],
    }))
}

/// `(%port-feed! port data)`: adds a string or bytes to read; anything else is the end.
fn feed(cx: &mut Ctx, a: &[Word]) -> Res {
    let text = cx.heap.as_text(a[1]).cloned();
    let data = cx.heap.as_bytes(a[1]).map(<[u8]>::to_vec);
    let size = text.as_ref().map_or(0, Text::bytes) + data.as_ref().map_or(0, Vec::len);
    let before = port(cx, a[0], "Port")?.bytes();
    cx.reserve(before + size)?;
    cx.charge((before + size) / 64);
    cx.heap.charge(size);
    match (cx.heap.port_mut(a[0]), text, data) {
        (Some(Port::StringInput { text, at, .. }), Some(new), _) if !new.is_empty() => {
            let mut rest = text.slice(*at, text.len());
            rest.append(&new);
            (*text, *at) = (rest, 0);
        }
        (Some(Port::BytesInput { bytes, at, .. }), _, Some(new)) if !new.is_empty() => {
            bytes.drain(..*at);
            bytes.extend_from_slice(&new);
            *at = 0;
        }
        (Some(Port::StringInput { source, .. } | Port::BytesInput { source, .. }), ..) => {
            *source = None;
        }
        _ => {}
    }
    Ok(Word::UNSPECIFIED)
}

/// `(%port-take! port)`: what was written and not taken yet.
fn take(cx: &mut Ctx, a: &[Word]) -> Res {
    match cx.heap.port_mut(a[0]) {
        Some(Port::Sink {
            buffer: Buffer::Text(text),
            ..
        }) => {
            let text = std::mem::take(text);
            Ok(cx.heap.string(text))
        }
        Some(Port::Sink {
            buffer: Buffer::Bytes(bytes),
            ..
        }) => {
            let bytes = std::mem::take(bytes);
            Ok(cx.heap.bytevector(bytes))
        }
        _ => wrong_type("Custom-Output-Port", a[0]),
    }
}

/// `(%port-position port)`: characters or bytes read so far.
fn position(cx: &mut Ctx, a: &[Word]) -> Res {
    match port(cx, a[0], "Port")? {
        Port::StringInput {
            at, source: None, ..
        }
        | Port::BytesInput {
            at, source: None, ..
        } => Ok(Word::index(*at)),
        Port::StringOutput(t) => Ok(Word::index(t.len())),
        Port::BytesOutput(b) => Ok(Word::index(b.len())),
        _ => fail("the port has no position", &[a[0]]),
    }
}

/// `(%set-port-position! port n)`, and `(%port-size port)` for positions from the end.
fn set_position(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = cx.index(a[1])?;
    if n > size(cx, a[0])? {
        return fail("the position is outside of the port's data", &[a[1]]);
    }
    if let Some(Port::StringInput { at, .. } | Port::BytesInput { at, .. }) = cx.heap.port_mut(a[0])
    {
        *at = n;
    }
    Ok(Word::UNSPECIFIED)
}

fn size(cx: &Ctx, w: Word) -> Res<usize> {
    match port(cx, w, "Port")? {
        Port::StringInput {
            text, source: None, ..
        } => Ok(text.len()),
        Port::BytesInput {
            bytes,
            source: None,
            ..
        } => Ok(bytes.len()),
        _ => fail("the port's position cannot be set", &[w]),
    }
}

fn get_output_string(cx: &mut Ctx, a: &[Word]) -> Res {
    match port(cx, a[0], "Port")? {
        Port::StringOutput(t) => {
            let (bytes, len) = (t.bytes(), t.len());
            cx.reserve(bytes)?;
            cx.charge(len / 64);
            let t = match port(cx, a[0], "Port")? {
                Port::StringOutput(t) => t.clone(),
                _ => Text::default(),
            };
            Ok(cx.heap.string(t))
        }
        _ => wrong_type("String-Output-Port", a[0]),
    }
}

fn get_output_bytevector(cx: &mut Ctx, a: &[Word]) -> Res {
    match port(cx, a[0], "Port")? {
        Port::BytesOutput(b) => {
            let len = b.len();
            cx.reserve(len)?;
            cx.charge(len / 64);
            let b = match port(cx, a[0], "Port")? {
                Port::BytesOutput(b) => b.clone(),
                _ => Vec::new(),
            };
            Ok(cx.heap.bytevector(b))
        }
        _ => wrong_type("Bytevector-Output-Port", a[0]),
    }
}

fn test(cx: &Ctx, w: Word, f: fn(&Port) -> bool) -> Res {
    Ok(Word::bool(cx.heap.as_port(w).is_some_and(f)))
}

fn is_open(cx: &mut Ctx, a: &[Word], input: bool) -> Res {
    let p = port(cx, a[0], "Port")?;
    if input && !p.is_input() || !input && !p.is_output() {
        return wrong_type(if input { "Input-Port" } else { "Output-Port" }, a[0]);
    }
    Ok(Word::bool(p.is_open()))
}

fn close(cx: &mut Ctx, a: &[Word], want: fn(&Port) -> bool) -> Res {
    if !want(port(cx, a[0], "Port")?) {
        return wrong_type("Port", a[0]);
    }
    if let Some(p) = cx.heap.port_mut(a[0]) {
        p.close();
    }
    Ok(Word::UNSPECIFIED)
}

fn flush(cx: &mut Ctx, a: &[Word]) -> Res {
    output(cx, a, 0)?;
    Ok(Word::UNSPECIFIED)
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%current-input-port", 0, 0, |cx, _| Ok(cx.roots.input)),
    plain("%current-output-port", 0, 0, |cx, _| Ok(cx.roots.output)),
    plain("%current-error-port", 0, 0, |cx, _| Ok(cx.roots.error)),
    plain("write", 1, 2, |cx, a| print(cx, a, Mode::Write)),
    plain("display", 1, 2, |cx, a| print(cx, a, Mode::Display)),
    plain("write-shared", 1, 2, |cx, a| print(cx, a, Mode::Shared)),
    plain("write-simple", 1, 2, |cx, a| print(cx, a, Mode::Simple)),
    plain("write-string", 1, 4, write_string),
    plain("write-char", 1, 2, write_char),
    plain("newline", 0, 1, newline),
    plain("write-u8", 1, 2, write_u8),
    plain("write-bytevector", 1, 4, write_bytevector),
    plain("flush-output-port", 0, 1, flush),
    plain("read", 0, 1, read),
    plain("read-char", 0, 1, read_char),
    plain("peek-char", 0, 1, peek_char),
    plain("char-ready?", 0, 1, |cx, a| {
        input(cx, a, 0, true).map(|_| Word::TRUE)
    }),
    plain("read-line", 0, 1, read_line),
    plain("read-string", 1, 2, read_string),
    plain("read-u8", 0, 1, read_u8),
    plain("peek-u8", 0, 1, peek_u8),
    plain("u8-ready?", 0, 1, |cx, a| {
        input(cx, a, 0, false).map(|_| Word::TRUE)
    }),
    plain("read-bytevector", 1, 2, read_bytevector),
    plain("read-bytevector!", 1, 4, read_bytevector_to),
    plain("open-input-string", 1, 1, open_input_string),
    plain("open-output-string", 0, 0, |cx, _| {
        Ok(cx.heap.port(Port::StringOutput(Text::default())))
    }),
    plain("open-input-bytevector", 1, 1, open_input_bytevector),
    plain("open-output-bytevector", 0, 0, |cx, _| {
        Ok(cx.heap.port(Port::BytesOutput(Vec::new())))
    }),
    plain("%make-input-port", 2, 2, make_input),
    plain("%make-output-port", 2, 2, make_output),
    plain("%port-feed!", 2, 2, feed),
    plain("%port-take!", 1, 1, take),
    plain("%port-position", 1, 1, position),
    plain("%set-port-position!", 2, 2, set_position),
    plain("%port-size", 1, 1, |cx, a| size(cx, a[0]).map(Word::index)),
    plain("get-output-string", 1, 1, get_output_string),
    plain("get-output-bytevector", 1, 1, get_output_bytevector),
    plain("port?", 1, 1, |_, a| Ok(Word::bool(a[0].is(Kind::Port)))),
    plain("input-port?", 1, 1, |cx, a| test(cx, a[0], Port::is_input)),
    plain("output-port?", 1, 1, |cx, a| {
        test(cx, a[0], Port::is_output)
    }),
    plain("textual-port?", 1, 1, |cx, a| {
        test(cx, a[0], Port::is_textual)
    }),
    plain("binary-port?", 1, 1, |cx, a| {
        test(cx, a[0], |p| !p.is_textual())
    }),
    plain("input-port-open?", 1, 1, |cx, a| is_open(cx, a, true)),
    plain("output-port-open?", 1, 1, |cx, a| is_open(cx, a, false)),
    plain("close-port", 1, 1, |cx, a| close(cx, a, |_| true)),
    plain("close-input-port", 1, 1, |cx, a| {
        close(cx, a, Port::is_input)
    }),
    plain("close-output-port", 1, 1, |cx, a| {
        close(cx, a, Port::is_output)
    }),
];
