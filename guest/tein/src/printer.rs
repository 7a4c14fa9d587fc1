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
}

/// Most characters of one representation; what is longer ends in `...`.
pub(crate) const MAX_SHOWN: usize = 8 << 20;

/// The representation of a datum.
pub(crate) fn show(heap: &Heap, datum: Word, mode: Mode) -> String {
    let mut out = String::new();
    show_to(heap, datum, mode, &mut out);
    out
}

/// `write` form.
pub(crate) fn written(heap: &Heap, datum: Word) -> String {
    show(heap, datum, Mode::Write)
}

/// The irritant list as the host appends it to messages.
pub(crate) fn host(heap: &Heap, datum: Word) -> String {
    show(heap, datum, Mode::Host)
}

fn show_to(heap: &Heap, datum: Word, mode: Mode, out: &mut String) {
    let labels = match mode {
        Mode::Simple => FixedMap::default(),
        Mode::Shared => shared(heap, datum, true),
        _ => shared(heap, datum, false),
    };
    let mut numbers: FixedMap<Word, usize> = FixedMap::default();
    let mut todo = vec![Item::Datum(datum)];
    while let Some(item) = todo.pop() {
        if out.len() > MAX_SHOWN {
            out.push_str("...");
            return;
        }
        match item {
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
                                Some("unquote") => Some(","),
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
                    _ => atom(heap, w, mode, out),
                }
            }
        }
    }
}

/// Pairs and vectors that occur more than once, or (not `all`) only those on a cycle.
fn shared(heap: &Heap, datum: Word, all: bool) -> FixedMap<Word, ()> {
    let mut labels = FixedMap::default();
    if !matches!(datum.kind(), Some(Kind::Pair | Kind::Vector)) {
        return labels;
    }
    if !all && is_small_tree(heap, datum) {
        return labels;
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
                if !matches!(w.kind(), Some(Kind::Pair | Kind::Vector)) {
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
                on_path.insert(w, true);
                todo.push(Step::Leave(w));
                if w.is_pair() {
                    todo.push(Step::Enter(heap.cdr(w)));
                    todo.push(Step::Enter(heap.car(w)));
                } else {
                    todo.extend(
                        heap.as_vector(w)
                            .unwrap_or_default()
                            .iter()
                            .map(|x| Step::Enter(*x)),
                    );
                }
            }
        }
    }
    labels
}

/// A quick look that most data pass: few nodes when walked as a tree, so no cycle.
fn is_small_tree(heap: &Heap, datum: Word) -> bool {
    let mut todo = vec![datum];
    let mut n = 0;
    while let Some(w) = todo.pop() {
        n += 1;
        if n > 2000 {
            return false;
        }
        if w.is_pair() {
            todo.push(heap.cdr(w));
            todo.push(heap.car(w));
        } else if let Some(items) = heap.as_vector(w) {
            if items.len() > 2000 {
                return false;
            }
            todo.extend(items);
        }
    }
    true
}

fn atom(heap: &Heap, w: Word, mode: Mode, out: &mut String) {
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
                        out.extend(t.chars())
                    } else {
                        quoted(t.chars(), out)
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
            Kind::Condition => {
                out.push_str("#<error ");
                out.push_str(&condition_text(heap, w));
                out.push('>');
            }
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
            Kind::Pair | Kind::Vector | Kind::Flonum | Kind::Values => {}
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

/// Message and irritants of a condition, as the host words them.
pub(crate) fn condition_text(heap: &Heap, w: Word) -> String {
    let message = heap
        .as_text(heap.slot(w, 1))
        .map(crate::text::Text::to_utf8)
        .unwrap_or_default();
    let irritants = heap.slot(w, 2);
    if irritants == Word::NIL {
        message
    } else {
        format!("{message}: {}", host(heap, irritants))
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
        c if c.is_control() || (c.is_whitespace() && !c.is_ascii()) => {
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
                || matches!(c, '(' | ')' | '"' | ';' | '\'' | '`' | ',' | '|'))
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
