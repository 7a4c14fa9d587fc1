//! The reader (R7RS 7.1): text to data, with an explicit stack, so that nesting has no limit but memory.

use crate::code::Pos;
use crate::heap::{FixedMap, Heap};
use crate::number;
use crate::prims::Ctx;
use crate::text::Text;
use crate::value::{Kind, Word};

/// Why a text is not a datum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadError {
    pub(crate) message: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The text ended inside a datum: more text could complete it.
    pub(crate) incomplete: bool,
    /// Memory ran out.
    pub(crate) memory: bool,
}

/// Bytes that a list takes while it is read: its entry on the reader's stack, its items, its place.
const OPEN_BYTES: usize = 96;

/// A text and how far it is read.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a Text,
    pub(crate) at: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) fold_case: bool,
}

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a Text) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            column: 1,
            fold_case: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at)
    }

    fn peek_at(&self, n: usize) -> Option<char> {
        self.text.get(self.at + n)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text.get(self.at)?;
        self.at += 1;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';' | '\'' | '`' | ',')
}

enum Open {
    List {
        items: Vec<Word>,
        tail: Option<Word>,
        dotted: bool,
        line: u32,
        column: u32,
    },
    Vector {
        items: Vec<Word>,
        /// The type of a homogeneous one.
        uniform: Option<usize>,
        line: u32,
        column: u32,
    },
    Bytes {
        items: Vec<u8>,
        line: u32,
        column: u32,
    },
    /// `'` and its kin: the symbol, and where it stood.
    Prefix {
        symbol: Word,
        line: u32,
        column: u32,
    },
    Label(u64),
    Comment,
}

/// A reader of one text.
pub(crate) struct Reader<'s, 'a> {
    pub(crate) source: &'s mut Source<'a>,
    /// File index for places; places are only noted when there is one.
    pub(crate) file: u32,
}

enum Token {
    Datum(Word),
    Open(Open),
    Close,
    Dot,
    /// `#!fold-case` and the like: in force, and no datum.
    Directive,
    /// `#;`, labels and prefixes push their own entry.
    End,
}

impl Reader<'_, '_> {
    fn fail<T>(&self, message: impl Into<String>, incomplete: bool) -> Result<T, ReadError> {
        Err(ReadError {
            message: message.into(),
            line: self.source.line,
            column: self.source.column,
            incomplete,
            memory: false,
        })
    }

    /// Reads one datum; none at the end of the text.
    pub(crate) fn read(
        &mut self,
        heap: &mut Heap,
        places: &mut FixedMap<u32, Pos>,
    ) -> Result<Option<Word>, ReadError> {
        let mut stack: Vec<Open> = Vec::new();
        let mut labels: FixedMap<u64, (Word, Option<Word>)> = FixedMap::default();
        let mut count = 0u32;
        loop {
            count += 1;
            if count.is_multiple_of(4096) {
                self.check_memory(heap)?;
            }
            let (line, column) = {
                self.skip_blanks()?;
                (self.source.line, self.source.column)
            };
            let mut datum = match self.token(heap, &mut labels)? {
                Token::End => {
                    if stack.is_empty() {
                        return Ok(None);
                    }
                    return self.unfinished(&stack);
                }
                Token::Open(open) => {
                    heap.charge(OPEN_BYTES);
                    stack.push(open);
                    continue;
                }
                Token::Directive => continue,
                Token::Dot => match stack.last_mut() {
                    Some(Open::List { items, dotted, .. }) if !items.is_empty() && !*dotted => {
                        *dotted = true;
                        continue;
                    }
                    _ => return fail_at(line, column, "a dot in the wrong place"),
                },
                Token::Close => match stack.pop() {
                    Some(Open::List {
                        items,
                        tail,
                        dotted,
                        line,
                        column,
                    }) => {
                        if dotted && tail.is_none() {
                            return fail_at(line, column, "nothing after the dot");
                        }
                        let list = heap.list_with_tail(&items, tail.unwrap_or(Word::NIL));
                        self.note(places, list, line, column);
                        list
                    }
                    Some(Open::Vector {
                        items,
                        uniform: None,
                        ..
                    }) => heap.vector(items),
                    Some(Open::Vector {
                        items,
                        uniform: Some(code),
                        line,
                        column,
                    }) => match crate::prims::uvector::from_literal(heap, code, &items) {
                        Ok(v) => v,
                        Err(_) => {
                            let message = "an item of this homogeneous vector is not of its type";
                            return fail_at(line, column, message);
                        }
                    },
                    Some(Open::Bytes { items, .. }) => heap.bytevector(items),
                    Some(_) => return fail_at(line, column, "a datum is missing before ')'"),
                    None => return fail_at(line, column, "too many ')'s"),
                },
                Token::Datum(w) => w,
            };
            // Hand the datum to what waits for it.
            loop {
                match stack.last_mut() {
                    None => {
                        if !labels.is_empty() {
                            datum = resolve_labels(heap, datum, &labels);
                        }
                        // A datum of which a part found no room is none.
                        self.check_memory(heap)?;
                        return Ok(Some(datum));
                    }
                    Some(Open::List {
                        items,
                        tail,
                        dotted,
                        ..
                    }) => {
                        if *dotted {
                            if tail.replace(datum).is_some() {
                                return fail_at(line, column, "more than one datum after the dot");
                            }
                        } else {
                            items.push(datum);
                        }
                        break;
                    }
                    Some(Open::Vector { items, .. }) => {
                        items.push(datum);
                        break;
                    }
                    Some(Open::Bytes { items, .. }) => {
                        match datum.as_fix().and_then(|n| u8::try_from(n).ok()) {
                            Some(b) => {
                                items.push(b);
                                break;
                            }
                            None => return fail_at(line, column, "a bytevector holds only bytes"),
                        }
                    }
                    Some(Open::Prefix {
                        symbol,
                        line,
                        column,
                    }) => {
                        let (symbol, line, column) = (*symbol, *line, *column);
                        datum = heap.list(&[symbol, datum]);
                        self.note(places, datum, line, column);
                        stack.pop();
                    }
                    Some(Open::Label(n)) => {
                        if let Some(entry) = labels.get_mut(n) {
                            if entry.0 == datum {
                                return fail_at(line, column, "a label names itself");
                            }
                            entry.1 = Some(datum);
                        }
                        stack.pop();
                    }
                    Some(Open::Comment) => {
                        stack.pop();
                        break;
                    }
                }
            }
        }
    }

    fn check_memory(&self, heap: &Heap) -> Result<(), ReadError> {
        if heap.is_exhausted() || !heap.fits_now(0) {
            return Err(ReadError {
                message: String::new(),
                line: self.source.line,
                column: self.source.column,
                incomplete: false,
                memory: true,
            });
        }
        Ok(())
    }

    fn note(&self, places: &mut FixedMap<u32, Pos>, datum: Word, line: u32, column: u32) {
        if self.file != 0 && datum.is_pair() {
            places.insert(
                datum.at() as u32,
                Pos {
                    file: self.file,
                    line,
                    column,
                },
            );
        }
    }

    fn unfinished<T>(&self, stack: &[Open]) -> Result<T, ReadError> {
        for open in stack.iter().rev() {
            if let Open::List { line, column, .. }
            | Open::Vector { line, column, .. }
            | Open::Bytes { line, column, .. } = open
            {
                return Err(ReadError {
                    message: "missing ')': the list that opens here is never closed".to_owned(),
                    line: *line,
                    column: *column,
                    incomplete: true,
                    memory: false,
                });
            }
        }
        self.fail("unexpected end of the text", true)
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), ReadError> {
        loop {
            match (self.source.peek(), self.source.peek_at(1)) {
                (Some(c), _) if c.is_whitespace() || c == '\u{feff}' => {
                    self.source.next();
                }
                (Some(';'), _) => {
                    while let Some(c) = self.source.peek() {
                        if c == '\n' {
                            break;
                        }
                        self.source.next();
                    }
                }
                (Some('#'), Some('|')) => {
                    let (line, column) = (self.source.line, self.source.column);
                    let mut depth = 0usize;
                    loop {
                        match (self.source.next(), self.source.peek()) {
                            (Some('#'), Some('|')) => {
                                self.source.next();
                                depth += 1;
                            }
                            (Some('|'), Some('#')) => {
                                self.source.next();
                                depth -= 1;
                                if depth == 0 {
                                    break;
                                }
                            }
                            (None, _) => {
                                return Err(ReadError {
                                    message: "a block comment is never closed".to_owned(),
                                    line,
                                    column,
                                    incomplete: true,
                                    memory: false,
                                });
                            }
                            _ => {}
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn token(
        &mut self,
        heap: &mut Heap,
        labels: &mut FixedMap<u64, (Word, Option<Word>)>,
    ) -> Result<Token, ReadError> {
        let (line, column) = (self.source.line, self.source.column);
        let prefix = |heap: &mut Heap, name: &str| {
            Token::Open(Open::Prefix {
                symbol: heap.symbol(name),
                line,
                column,
            })
        };
        let Some(c) = self.source.peek() else {
            return Ok(Token::End);
        };
        Ok(match c {
            '(' => {
                self.source.next();
                Token::Open(Open::List {
                    items: Vec::new(),
                    tail: None,
                    dotted: false,
                    line,
                    column,
                })
            }
            ')' => {
                self.source.next();
                Token::Close
            }
            '\'' => {
                self.source.next();
                prefix(heap, "quote")
            }
            '`' => {
                self.source.next();
                prefix(heap, "quasiquote")
            }
            ',' => {
                self.source.next();
                if self.source.peek() == Some('@') {
                    self.source.next();
                    prefix(heap, "unquote-splicing")
                } else {
                    prefix(heap, "unquote")
                }
            }
            '"' => {
                self.source.next();
                let text = self.quoted('"', "string")?;
                Token::Datum(heap.string(text))
            }
            '#' => return self.hash(heap, labels, line, column),
            _ => {
                let (name, verbatim) = self.atom()?;
                if name == "." && !verbatim {
                    Token::Dot
                } else {
                    Token::Datum(self.atom_datum(heap, &name, verbatim)?)
                }
            }
        })
    }

    fn hash(
        &mut self,
        heap: &mut Heap,
        labels: &mut FixedMap<u64, (Word, Option<Word>)>,
        line: u32,
        column: u32,
    ) -> Result<Token, ReadError> {
        match self.source.peek_at(1) {
            Some('(') => {
                self.source.next();
                self.source.next();
                Ok(Token::Open(Open::Vector {
                    items: Vec::new(),
                    uniform: None,
                    line,
                    column,
                }))
            }
            // R6RS 4.3.5, for procedural macros.
            Some(c @ ('\'' | '`' | ',')) => {
                self.source.next();
                self.source.next();
                let name = match c {
                    '\'' => "syntax",
                    '`' => "quasisyntax",
                    _ if self.source.peek() == Some('@') => {
                        self.source.next();
                        "unsyntax-splicing"
                    }
                    _ => "unsyntax",
                };
                Ok(Token::Open(Open::Prefix {
                    symbol: heap.symbol(name),
                    line,
                    column,
                }))
            }
            Some(';') => {
                self.source.next();
                self.source.next();
                Ok(Token::Open(Open::Comment))
            }
            Some('\\') => {
                self.source.next();
                self.source.next();
                self.character().map(|c| Token::Datum(Word::char(c)))
            }
            Some('!') => {
                let (name, _) = self.atom()?;
                match name.as_str() {
                    "#!fold-case" => self.source.fold_case = true,
                    "#!no-fold-case" => self.source.fold_case = false,
                    "#!eof" => return Ok(Token::Datum(Word::EOF)),
                    "#!default" | "#!unspecified" | "#!void" => {
                        return Ok(Token::Datum(Word::UNSPECIFIED));
                    }
                    _ if line == 1 && column == 1 => {
                        // A script's first line.
                        while self.source.peek().is_some_and(|c| c != '\n') {
                            self.source.next();
                        }
                    }
                    _ => return self.fail(format!("unknown directive {name}"), false),
                }
                Ok(Token::Directive)
            }
            Some(d) if d.is_ascii_digit() => {
                let mut n = 0u64;
                let mut i = 1;
                while let Some(d) = self.source.peek_at(i).and_then(|c| c.to_digit(10)) {
                    n = n.saturating_mul(10).saturating_add(u64::from(d));
                    i += 1;
                }
                let after = self.source.peek_at(i);
                if !matches!(after, Some('=' | '#')) {
                    return self.fail("a label is #n= or #n#", false);
                }
                for _ in 0..=i {
                    self.source.next();
                }
                if after == Some('=') {
                    let placeholder = heap.uninterned("label");
                    if labels.insert(n, (placeholder, None)).is_some() {
                        return self.fail(format!("label #{n}= is defined twice"), false);
                    }
                    return Ok(Token::Open(Open::Label(n)));
                }
                match labels.get(&n) {
                    Some((_, Some(w))) => Ok(Token::Datum(*w)),
                    Some((placeholder, None)) => Ok(Token::Datum(*placeholder)),
                    None => self.fail(format!("label #{n}# is not defined"), false),
                }
            }
            _ => {
                let (name, _) = self.atom()?;
                match name.to_ascii_lowercase().as_str() {
                    "#t" | "#true" => Ok(Token::Datum(Word::TRUE)),
                    "#f" | "#false" => Ok(Token::Datum(Word::FALSE)),
                    "#u8" if self.source.peek() == Some('(') => {
                        self.source.next();
                        Ok(Token::Open(Open::Bytes {
                            items: Vec::new(),
                            line,
                            column,
                        }))
                    }
                    prefix
                        if self.source.peek() == Some('(')
                            && crate::prims::uvector::literal(prefix).is_some() =>
                    {
                        self.source.next();
                        Ok(Token::Open(Open::Vector {
                            items: Vec::new(),
                            uniform: crate::prims::uvector::literal(prefix),
                            line,
                            column,
                        }))
                    }
                    _ => match self.number(heap, &name)? {
                        Some(w) => Ok(Token::Datum(w)),
                        None => Err(ReadError {
                            message: format!("unknown syntax {name}"),
                            line,
                            column,
                            incomplete: false,
                            memory: false,
                        }),
                    },
                }
            }
        }
    }

    fn number(&self, heap: &mut Heap, text: &str) -> Result<Option<Word>, ReadError> {
        match number::read(text, 10) {
            Ok(Some(n)) => Ok(Some(heap.number(n))),
            Ok(None) => Ok(None),
            Err(e) => self.fail(format!("{e}"), false),
        }
    }

    /// A run of characters up to a delimiter; parts between bars are taken as they are.
    fn atom(&mut self) -> Result<(String, bool), ReadError> {
        let mut name = String::new();
        let mut verbatim = false;
        while let Some(c) = self.source.peek() {
            if c == '|' {
                self.source.next();
                verbatim = true;
                let part = self.quoted('|', "symbol")?;
                name.push_str(&part.to_utf8());
            } else if is_delimiter(c) {
                break;
            } else {
                self.source.next();
                if self.source.fold_case {
                    name.extend(c.to_lowercase());
                } else {
                    name.push(c);
                }
            }
        }
        Ok((name, verbatim))
    }

    fn atom_datum(&self, heap: &mut Heap, name: &str, verbatim: bool) -> Result<Word, ReadError> {
        if !verbatim {
            let first = name.chars().next().unwrap_or(' ');
            if (first.is_ascii_digit() || matches!(first, '+' | '-' | '.'))
                && let Some(w) = self.number(heap, name)?
            {
                return Ok(w);
            }
        }
        Ok(heap.symbol(name))
    }

    /// The characters up to the closing delimiter, escapes resolved (R7RS 6.7, 7.1.1).
    fn quoted(&mut self, close: char, what: &str) -> Result<Text, ReadError> {
        let (line, column) = (self.source.line, self.source.column);
        let mut text = Text::default();
        loop {
            let Some(c) = self.source.next() else {
                return Err(ReadError {
                    message: format!("a {what} is never closed"),
                    line,
                    column,
                    incomplete: true,
                    memory: false,
                });
            };
            if c == close {
                return Ok(text);
            }
            if c == '\r' {
                // A line end of any kind is a newline.
                if self.source.peek() != Some('\n') {
                    text.push('\n');
                }
                continue;
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            match self.source.next() {
                Some('a') => text.push('\u{7}'),
                Some('b') => text.push('\u{8}'),
                Some('t') => text.push('\t'),
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('0') if close == '"' => text.push('\0'),
                Some(c @ ('"' | '\\' | '|' | '\'')) => text.push(c),
                Some('x' | 'X') => {
                    let mut n = 0u32;
                    let mut digits = 0;
                    loop {
                        match self.source.next() {
                            Some(';') if digits > 0 => break,
                            Some(c) if c.is_ascii_hexdigit() && digits < 8 => {
                                n = n * 16 + c.to_digit(16).unwrap_or(0);
                                digits += 1;
                            }
                            _ => return self.fail(format!("a bad \\x escape in a {what}"), false),
                        }
                    }
                    match char::from_u32(n) {
                        Some(c) => text.push(c),
                        None => return self.fail(format!("\\x{n:x}; is not a character"), false),
                    }
                }
                Some(c) if c == '\n' || c == ' ' || c == '\t' || c == '\r' => {
                    // A line continuation: blanks, a newline, blanks.
                    let mut c = Some(c);
                    while matches!(c, Some(' ' | '\t' | '\r')) {
                        c = self.source.next();
                    }
                    if c != Some('\n') {
                        return self.fail(format!("a bad escape in a {what}"), false);
                    }
                    while matches!(self.source.peek(), Some(' ' | '\t')) {
                        self.source.next();
                    }
                }
                Some(c) => return self.fail(format!("unknown escape \\{c} in a {what}"), false),
                None => return self.fail(format!("a {what} is never closed"), true),
            }
        }
    }

    fn character(&mut self) -> Result<char, ReadError> {
        let Some(first) = self.source.next() else {
            return self.fail("a character is missing", true);
        };
        let mut name = String::from(first);
        while let Some(c) = self.source.peek() {
            if is_delimiter(c) {
                break;
            }
            name.push(c);
            self.source.next();
        }
        if name.chars().count() == 1 {
            return Ok(first);
        }
        let lower = if self.source.fold_case {
            name.to_lowercase()
        } else {
            name.clone()
        };
        let named = match lower.as_str() {
            "alarm" => '\u{7}',
            "backspace" => '\u{8}',
            "delete" | "rubout" => '\u{7f}',
            "escape" | "altmode" => '\u{1b}',
            "newline" | "linefeed" | "nl" => '\n',
            "null" | "nul" => '\0',
            "return" => '\r',
            "space" => ' ',
            "tab" => '\t',
            "page" => '\u{c}',
            _ => {
                let hex = name.strip_prefix(['x', 'U', 'u']).filter(|h| !h.is_empty());
                return match hex
                    .and_then(|h| u32::from_str_radix(h, 16).ok())
                    .and_then(char::from_u32)
                {
                    Some(c) => Ok(c),
                    None => self.fail(format!("unknown character name #\\{name}"), false),
                };
            }
        };
        Ok(named)
    }
}

/// An error at the start of the token that is wrong.
fn fail_at<T>(line: u32, column: u32, message: &str) -> Result<T, ReadError> {
    Err(ReadError {
        message: message.to_owned(),
        line,
        column,
        incomplete: false,
        memory: false,
    })
}

/// Puts the labelled data where their references stand.
fn resolve_labels(
    heap: &mut Heap,
    datum: Word,
    labels: &FixedMap<u64, (Word, Option<Word>)>,
) -> Word {
    let mut targets: FixedMap<Word, Word> = FixedMap::default();
    for (placeholder, target) in labels.values() {
        if let Some(t) = target {
            targets.insert(*placeholder, *t);
        }
    }
    let get = |w: Word| targets.get(&w).copied().unwrap_or(w);
    let mut seen: FixedMap<Word, ()> = FixedMap::default();
    let mut todo = vec![get(datum)];
    while let Some(w) = todo.pop() {
        if !matches!(w.kind(), Some(Kind::Pair | Kind::Vector)) || seen.insert(w, ()).is_some() {
            continue;
        }
        if w.is_pair() {
            let (car, cdr) = (get(heap.car(w)), get(heap.cdr(w)));
            heap.set_car(w, car);
            heap.set_cdr(w, cdr);
            todo.push(cdr);
            todo.push(car);
        } else {
            let items: Vec<Word> = heap
                .as_vector(w)
                .unwrap_or_default()
                .iter()
                .map(|x| get(*x))
                .collect();
            todo.extend(&items);
            if let Some(v) = heap.vector_mut(w) {
                *v = items;
            }
        }
    }
    get(datum)
}

/// Reads one datum of a text, for natives.
pub(crate) fn read_from(cx: &mut Ctx, source: &mut Source<'_>) -> Result<Option<Word>, ReadError> {
    let mut places = FixedMap::default();
    Reader { source, file: 0 }.read(&mut cx.heap, &mut places)
}
