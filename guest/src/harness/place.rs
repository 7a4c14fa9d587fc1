//! Where a file's text defines a name: good enough to point an author at it.
//!
//! The engine gives no place for what is wrong with a value that was computed without an error, so
//! the text is searched for the form that defines it. Comments, strings and characters are skipped;
//! a definition that a macro writes is not found.

use super::types::Position;

/// The places of every form `(HEAD NAME ...` or `(HEAD (NAME ...`, in order.
pub(super) fn definitions(source: &str, head: &str, name: &str) -> Vec<Position> {
    let mut found = Vec::new();
    let mut at = Position { line: 1, column: 1 };
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        if c == '(' && defines(&rest[1..], head, name) {
            found.push(at);
        }
        let (passed, after) = rest.split_at(item(rest, c));
        for c in passed.chars() {
            if c == '\n' {
                at = Position {
                    line: at.line + 1,
                    column: 1,
                };
            } else {
                at.column += 1;
            }
        }
        rest = after;
    }
    found
}

/// Bytes of what begins with `c`: a comment, a string, a quoted symbol, a character, or one character.
fn item(text: &str, c: char) -> usize {
    match c {
        ';' => text.find('\n').unwrap_or(text.len()),
        '"' | '|' => quoted(text, c),
        '#' if text.starts_with("#|") => block_comment(text),
        // The character after the backslash may be one of those that begin something.
        '#' if text.starts_with("#\\") => text.chars().take(3).map(char::len_utf8).sum(),
        _ => c.len_utf8(),
    }
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut i) = (0_usize, 0);
    while i < text.len() {
        let rest = &text.as_bytes()[i..];
        if rest.starts_with(b"#|") {
            depth += 1;
            i += 2;
        } else if rest.starts_with(b"|#") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return i;
            }
        } else {
            i += 1;
        }
    }
    text.len()
}

fn defines(after_paren: &str, head: &str, name: &str) -> bool {
    let word = |text: &str, word: &str| {
        let rest = text.strip_prefix(word)?;
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';' | '\'');
        rest.chars().next().is_none_or(ends).then_some(rest.len())
    };
    let text = after_paren.trim_start();
    let Some(left) = word(text, head) else {
        return false;
    };
    let text =
        text[text.len() - left..].trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    word(text, name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(source: &str) -> Vec<(u32, u32)> {
        let found = definitions(source, "define", "x");
        found.iter().map(|p| (p.line, p.column)).collect()
    }

    #[test]
    fn finds_definitions_and_nothing_that_only_looks_like_one() {
        for (source, expected) in [
            ("(define x 1)", &[(1, 1)][..]),
            ("\n  (define (x a) a)", &[(2, 3)]),
            ("(define\n  ((x a) b) a)", &[(1, 1)]),
            ("(begin (define x 1) (define x 2))", &[(1, 8), (1, 21)]),
            ("é (define x 1)", &[(1, 3)]),
            ("(define xy 1) (define-x x) (define y x)", &[]),
            ("; (define x 1)\n(define x 2)", &[(2, 1)]),
            ("#| (define x #| ( |# 1) |#(define x 2)", &[(1, 27)]),
            ("\"(define x 1) \\\" (define x 1)\"(define x 2)", &[(1, 31)]),
            ("#\\\"(define x #\\;)(define x 2)", &[(1, 4), (1, 18)]),
            ("|(define x|(define x 1)", &[(1, 12)]),
            ("(define x", &[(1, 1)]),
            ("(", &[]),
            ("\"never closed (define x", &[]),
            ("#| é never closed", &[]),
            ("#\\", &[]),
        ] {
            assert_eq!(places(source), expected, "{source}");
        }
    }
}
