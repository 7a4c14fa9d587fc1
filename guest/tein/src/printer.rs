//! External representations (R7RS 6.13.3), with an explicit stack.

use crate::heap::{FixedMap, Heap};
use crate::number::{Number, Real};
use crate::value::{Kind, Word};

/// How data are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `display`: strings and characters raw, labels for cycles.
    Display,
    /// `write`: labels for cycles.
    Write,
    /// `write-shared`: labels for all sharing.
    Shared,
    /// `write-simple`: no labels.
    Simple,
    /// Values as the host shows them in results and messages.
    Host,
}

enum Item {
    Datum(Word),
    Text(&'static str),
    /// The rest of a list.
    Tail(Word),
    /// The rest of a vector.
    Vector(Word, usize),
    /// From here on, how the data are shown: a condition's irritants have a form of their own.
    Mode(Mode),
}

/// Most characters of one representation; what is longer ends in `...`.
pub(crate) const MAX_SHOWN: usize = 8 << 20;
/// Most bytes of the message of an error that leaves the engine.
const MAX_MESSAGE: usize = 64 << 10;

/// The representation of a datum.
pub(crate) fn show(heap: &Heap, datum: Word, mode: Mode) -> String {
    // What is written most, and has no parts to look through.
    if let Some(n) = datum.as_fix() {
        return n.to_string();
    }
    let mut out = String::new();
    let labels = match mode {
        Mode::Simple => FixedMap::default(),
        _ => shared(heap, datum, mode == Mode::Shared, usize::MAX).unwrap_or_default(),
    };
    show_to(heap, datum, mode, &labels, MAX_SHOWN, &mut out);
    out
}

/// The representation of a datum for a message, and no more of it than a message may have. Data
/// that are too large to be looked through for cycles are cut before a cycle matters.
pub(crate) fn brief(heap: &Heap, datum: Word, mode: Mode) -> String {
    let mut out = String::new();
    let labels = shared(heap, datum, false, MAX_MESSAGE).unwrap_or_default();
    show_to(heap, datum, mode, &labels, MAX_MESSAGE, &mut out);
    out
}

/// Message and irritants of a condition as the host words them, cut to what a message may have.
pub(crate) fn condition_message(heap: &Heap, w: Word) -> String {
    let mut out = String::new();
    if let Some(t) = heap.as_text(heap.slot(w, 1)) {
        out.extend(t.chars().take(MAX_MESSAGE));
    }
    let irritants = heap.slot(w, 2);
    if irritants != Word::NIL {
        out.push_str(": ");
        out.push_str(&brief(heap, irritants, Mode::Host));
    }
    cut(&mut out, MAX_MESSAGE);
    out
}

/// Ends a text that is too long in `...`, at the boundary of a character.
fn cut(out: &mut String, limit: usize) {
    if out.len() > limit {
        let end = (0..=limit).rev().find(|i| out.is_char_boundary(*i));
        out.truncate(end.unwrap_or(0));
        out.push_str("...");
    }
}

/// `write` form.
pub(crate) fn written(heap: &Heap, datum: Word) -> String {
    show(heap, datum, Mode::Write)
}

/// The irritant list as the host appends it to messages.
pub(crate) fn host(heap: &Heap, datum: Word) -> String {
    show(heap, datum, Mode::Host)
}

fn show_to(
    heap: &Heap,
    datum: Word,
    mode: Mode,
    labels: &FixedMap<Word, ()>,
    limit: usize,
    out: &mut String,
) {
    let mut mode = mode;
    let mut numbers: FixedMap<Word, usize> = FixedMap::default();
    let mut todo = vec![Item::Datum(datum)];
    while let Some(item) = todo.pop() {
        if out.len() > limit {
            break;
        }
        match item {
            Item::Mode(m) => mode = m,
            Item::Text(s) => out.push_str(s),
            Item::Vector(v, i) => {
                let items = heap.as_vector(v).unwrap_or_default();
                if let Some(w) = items.get(i) {
                    if i > 0 {
                        out.push(' ');
                    }
                    todo.push(Item::Vector(v, i + 1));
                    todo.push(Item::Datum(*w));
                } else {
                    out.push(')');
                }
            }
            Item::Tail(w) => {
                if w == Word::NIL {
                    out.push(')');
                } else if w.is_pair() && !labels.contains_key(&w) {
                    out.push(' ');
                    todo.push(Item::Tail(heap.cdr(w)));
                    todo.push(Item::Datum(heap.car(w)));
                } else {
                    out.push_str(" . ");
                    todo.push(Item::Text(")"));
                    todo.push(Item::Datum(w));
                }
            }
            Item::Datum(w) => {
                if labels.contains_key(&w) {
                    if let Some(n) = numbers.get(&w) {
                        out.push_str(&format!("#{n}#"));
                        continue;
                    }
                    let n = numbers.len();
                    numbers.insert(w, n);
                    out.push_str(&format!("#{n}="));
                }
                match w.kind() {
                    Some(Kind::Pair) => {
                        let cdr = heap.cdr(w);
                        // 'x and its kin.
                        if mode != Mode::Host
                            && cdr.is_pair()
                            && heap.cdr(cdr) == Word::NIL
                            && !labels.contains_key(&cdr)
                        {
                            let prefix = match heap.symbol_name(heap.car(w)) {
                                Some("quote") => Some("'"),
                                Some("quasiquote") => Some("`"),
                                // `,@x` would read as a splice of `x`.
                                Some("unquote")
                                    if heap
                                        .symbol_name(heap.car(cdr))
                                        .is_none_or(|n| !n.starts_with('@')) =>
                                {
                                    Some(",")
                                }
                                Some("unquote-splicing") => Some(",@"),
                                _ => None,
                            };
                            if let Some(p) = prefix {
                                out.push_str(p);
                                todo.push(Item::Datum(heap.car(cdr)));
                                continue;
                            }
                        }
                        out.push('(');
                        todo.push(Item::Tail(cdr));
                        todo.push(Item::Datum(heap.car(w)));
                    }
                    Some(Kind::Vector) => {
                        out.push_str("#(");
                        todo.push(Item::Vector(w, 0));
                    }
                    Some(Kind::Values) => {
                        out.push_str("((values)");
                        todo.push(Item::Text(")"));
                        for v in heap.slots(w).iter().rev() {
                            todo.push(Item::Datum(*v));
                            todo.push(Item::Text(" "));
                        }
                    }
                    // Conditions nest in each other's irritants.
                    Some(Kind::Condition) => {
                        out.push_str("#<error ");
                        if let Some(t) = heap.as_text(heap.slot(w, 1)) {
                            out.extend(t.chars().take(limit));
                        }
                        todo.push(Item::Text(">"));
                        let irritants = heap.slot(w, 2);
                        if irritants != Word::NIL {
                            out.push_str(": ");
                            todo.push(Item::Mode(mode));
                            todo.push(Item::Datum(irritants));
                            mode = Mode::Host;
                        }
                    }
                    _ => atom(heap, w, mode, limit, out),
                }
            }
        }
    }
}

/// What a datum shows of others, last first.
fn parts(heap: &Heap, w: Word, mut f: impl FnMut(Word)) {
    match w.kind() {
        Some(Kind::Pair) => {
            f(heap.cdr(w));
            f(heap.car(w));
        }
        Some(Kind::Vector) => heap
            .as_vector(w)
            .unwrap_or_default()
            .iter()
            .rev()
            .for_each(|x| f(*x)),
        Some(Kind::Condition) => f(heap.slot(w, 2)),
        _ => {}
    }
}

const fn has_parts(w: Word) -> bool {
    matches!(w.kind(), Some(Kind::Pair | Kind::Vector | Kind::Condition))
}

/// Data that occur more than once, or (not `all`) only those on a cycle; none when there are more
/// than `most` to look through.
fn shared(heap: &Heap, datum: Word, all: bool, most: usize) -> Option<FixedMap<Word, ()>> {
    let mut labels = FixedMap::default();
    if !has_parts(datum) || (!all && is_small_tree(heap, datum)) {
        return Some(labels);
    }
    // Depth first, with the path marked: a second visit on the path is a cycle.
    enum Step {
        Enter(Word),
        Leave(Word),
    }
    let mut on_path: FixedMap<Word, bool> = FixedMap::default();
    let mut todo = vec![Step::Enter(datum)];
    while let Some(step) = todo.pop() {
        match step {
            Step::Leave(w) => {
                on_path.insert(w, false);
            }
            Step::Enter(w) => {
                if !has_parts(w) {
                    continue;
                }
                match on_path.get(&w) {
                    Some(true) => {
                        labels.insert(w, ());
                        continue;
                    }
                    Some(false) => {
                        if all {
                            labels.insert(w, ());
                        }
                        continue;
                    }
                    None => {}
                }
                if on_path.len() >= most {
                    return None;
                }
                on_path.insert(w, true);
                todo.push(Step::Leave(w));
                parts(heap, w, |x| {
                    if has_parts(x) {
                        todo.push(Step::Enter(x));
                    }
                });
            }
        }
    }
    Some(labels)
}

/// A quick look that most data pass: few nodes when walked as a tree, so no cycle.
fn is_small_tree(heap: &Heap, datum: Word) -> bool {
    let mut todo = vec![datum];
    let mut n = 0;
    while let Some(w) = todo.pop() {
        n += 1;
        if n > 2000 || heap.as_vector(w).is_some_and(|v| v.len() > 2000) {
            return false;
        }
        parts(heap, w, |x| todo.push(x));
    }
    true
}

fn atom(heap: &Heap, w: Word, mode: Mode, limit: usize, out: &mut String) {
    if let Some(n) = w.as_fix() {
        out.push_str(&n.to_string());
    } else if let Some(x) = heap.as_flonum(w) {
        if let Ok(s) = Number::Real(Real::Flo(x)).to_string_radix(10) {
            out.push_str(&s);
        }
    } else if let Some(c) = w.as_char() {
        if mode == Mode::Display {
            out.push(c)
        } else {
            char_name(c, out)
        }
    } else if w.as_native().is_some() {
        out.push_str("#<procedure>");
    } else if let Some(kind) = w.kind() {
        match kind {
            Kind::Number => {
                if let Some(Ok(s)) = heap.as_boxed_number(w).map(|n| n.to_string_radix(10)) {
                    out.push_str(&s);
                }
            }
            Kind::String => {
                if let Some(t) = heap.as_text(w) {
                    if mode == Mode::Display {
                        out.extend(t.chars().take(limit))
                    } else {
                        quoted(t.chars().take(limit), out)
                    }
                }
            }
            Kind::Symbol | Kind::Alias => {
                let w = crate::syntax::Syntax::symbol_of(heap, w);
                let name = heap.symbol_name(w).unwrap_or_default();
                if matches!(mode, Mode::Display | Mode::Host) || !heap.is_interned(w) {
                    out.push_str(name)
                } else {
                    symbol(name, out)
                }
            }
            Kind::Bytevector => {
                out.push_str("#u8(");
                for (i, b) in heap.as_bytes(w).unwrap_or_default().iter().enumerate() {
                    if i > 0 {
                        out.push(' ');
                    }
                    out.push_str(&b.to_string());
                    if out.len() > limit {
                        break;
                    }
                }
                out.push(')');
            }
            Kind::Closure | Kind::CaseLambda | Kind::Parameter | Kind::Continuation => {
                out.push_str("#<procedure>")
            }
            Kind::Port => out.push_str("#<port>"),
            Kind::Table => out.push_str("#<hash-table>"),
            Kind::Record => {
                out.push_str("#<");
                out.push_str(&crate::prims::record::record_name(heap, w));
                out.push('>');
            }
            Kind::RecordType => {
                out.push_str("#<record-type ");
                out.push_str(heap.symbol_name(heap.slot(w, 0)).unwrap_or_default());
                out.push('>');
            }
            Kind::Promise => out.push_str("#<promise>"),
            Kind::Environment => out.push_str("#<environment>"),
            Kind::Tagged => match crate::prims::uvector::contents(heap, w) {
                Some((name, numbers)) => {
                    let shown: Vec<_> = numbers
                        .iter()
                        .map(|n| n.to_string_radix(10).unwrap_or_default())
                        .collect();
                    out.push_str(&format!("#{name}({})", shown.join(" ")));
                }
                None => out.push_str("#<object>"),
            },
            Kind::Cell => out.push_str("#<object>"),
            Kind::Pair | Kind::Vector | Kind::Flonum | Kind::Values | Kind::Condition => {}
        }
    } else {
        out.push_str(match w {
            Word::FALSE => "#f",
            Word::TRUE => "#t",
            Word::NIL => "()",
            Word::EOF => "#<eof>",
            _ => "#<unspecified>",
        });
    }
}

/// A string between quotes, escaped.
pub(crate) fn quoted_string(s: &str) -> String {
    let mut out = String::new();
    quoted(s.chars(), &mut out);
    out
}

/// A character in written form.
pub(crate) fn written_char(c: char) -> String {
    let mut out = String::new();
    char_name(c, &mut out);
    out
}

/// Format characters (Cf) that show nothing, or turn the text around them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn char_name(c: char, out: &mut String) {
    out.push_str("#\\");
    match c {
        '\u{7}' => out.push_str("alarm"),
        '\u{8}' => out.push_str("backspace"),
        '\u{7f}' => out.push_str("delete"),
        '\u{1b}' => out.push_str("escape"),
        '\n' => out.push_str("newline"),
        '\0' => out.push_str("null"),
        '\r' => out.push_str("return"),
        ' ' => out.push_str("space"),
        '\t' => out.push_str("tab"),
        c if c.is_control() || is_invisible(c) || (c.is_whitespace() && !c.is_ascii()) => {
            out.push_str(&format!("x{:x}", u32::from(c)))
        }
        c => out.push(c),
    }
}

fn quoted(chars: impl Iterator<Item = char>, out: &mut String) {
    out.push('"');
    for c in chars {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\x{:x};", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A symbol, between bars when it would read as something else.
fn symbol(name: &str, out: &mut String) {
    let plain = !name.is_empty()
        && name != "."
        // A byte order mark between data is skipped as a blank.
        && !name.starts_with(['#', '\u{feff}'])
        && name.chars().all(|c| {
            !(c.is_whitespace()
                || c.is_control()
                || c.is_uppercase()
                || matches!(c, '(' | ')' | '"' | ';' | '\'' | '`' | ',' | '|' | '\\'))
        })
        && crate::number::parse(name, 10).is_none();
    if plain {
        out.push_str(name);
        return;
    }
    out.push('|');
    for c in name.chars() {
        match c {
            '|' => out.push_str("\\|"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\x{:x};", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('|');
}
