//! Text from tools and arguments, made safe to show on a terminal.
//!
//! A tool's author chooses names, descriptions and results, and a model chooses
//! arguments. Escape sequences in them could repaint a permission prompt, and bidirectional
//! controls could make it read differently from what will run. So what is shown is what is there:
//! every such character appears as its escape.

#![forbid(unsafe_code)]

use std::fmt::Write as _;

/// `text` on one line: line ends, controls, bidirectional controls and other invisible
/// characters are written as escapes.
#[must_use]
pub fn line(text: &str) -> String {
    escape(text, |_| false)
}

/// `text` with its line ends and tabs, and everything else as in [`line`].
#[must_use]
pub fn block(text: &str) -> String {
    escape(text, |character| matches!(character, '\n' | '\t'))
}

/// JSON text that means the same, with everything hidden in its strings written as JSON escapes.
/// Controls in JSON are escaped already, but for the line ends and blanks between its parts.
#[must_use]
pub fn json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\n' || !is_hidden(character) {
            shown.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(shown, "\\u{unit:04x}");
        }
    }
    shown
}

/// `text` with its line ends, each line after the first set in: a line that a tool wrote
/// cannot be taken for one of holm's.
#[must_use]
pub fn indented(text: &str, indent: &str) -> String {
    block(text).replace('\n', &format!("\n{indent}"))
}

/// `text` on one line, cut after `most` characters as they are shown, and how many were left out.
#[must_use]
pub fn short_line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut length = 0;
    let mut rest = text.chars();
    while let Some(character) = rest.clone().next() {
        let next = line(character.encode_utf8(&mut [0; 4]));
        length += next.chars().count();
        if length > most {
            break;
        }
        shown.push_str(&next);
        rest.next();
    }
    match rest.count() {
        0 => shown,
        left_out => format!("{shown}... ({left_out} more characters)"),
    }
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if keep(character) || !is_hidden(character) {
            shown.push(character);
            continue;
        }
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            // Writing to a string does not fail.
            _ => drop(write!(shown, "\\u{{{:x}}}", u32::from(character))),
        }
    }
    shown
}

/// Characters that a terminal acts on or shows nothing for.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Soft hyphen, combining grapheme joiner, Arabic letter mark.
            '\u{ad}' | '\u{34f}' | '\u{61c}'
            // Letters that are drawn as nothing: Hangul, Khmer, halfwidth and braille fillers.
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}'
            // Mongolian selectors and vowel separator.
            | '\u{180b}'..='\u{180f}'
            // Blanks that are no space: a run of them could push text out of sight.
            | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
            // Zero width characters and directional marks.
            | '\u{200b}'..='\u{200f}'
            // Line and paragraph separators, embeddings and overrides.
            | '\u{2028}'..='\u{202e}'
            // Word joiner, invisible operators, isolates, deprecated format controls.
            | '\u{2060}'..='\u{206f}'
            // Variation selectors carry hidden data; so do tags.
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Musical format controls, and everything for private use: a font draws what it likes.
            | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_bidirectional_controls_become_escapes() {
        assert_eq!(line("a\u{1b}[2Kb\r\n"), "a\\u{1b}[2Kb\\r\\n");
        assert_eq!(line("pay \u{202e}001"), "pay \\u{202e}001");
        assert_eq!(line("\u{9b}31m"), "\\u{9b}31m");
        assert_eq!(
            line("a\u{3164}\u{a0}\u{2800}b"),
            "a\\u{3164}\\u{a0}\\u{2800}b"
        );
        assert_eq!(line("héllo 世界 🏝"), "héllo 世界 🏝");
    }

    #[test]
    fn a_block_keeps_its_lines() {
        assert_eq!(block("a\n\tb\u{7}"), "a\n\tb\\u{7}");
    }

    #[test]
    fn json_stays_json() {
        let value = serde_json::json!({ "a\u{202e}": "\u{1b}[2J\u{9b}\u{f0000}\n" });
        let shown = json(&format!("{value:#}"));
        assert!(
            !shown
                .chars()
                .any(|character| character != '\n' && is_hidden(character)),
            "{shown}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
    }

    #[test]
    fn a_second_line_is_set_in() {
        assert_eq!(indented("a\nerror: b\r\n", "  "), "a\n  error: b\\r\n  ");
    }

    #[test]
    fn a_short_line_says_what_is_missing() {
        assert_eq!(short_line("abcdef", 6), "abcdef");
        assert_eq!(short_line("abcdef", 4), "abcd... (2 more characters)");
        assert_eq!(
            short_line("a\u{202e}bc", 10),
            "a\\u{202e}b... (1 more characters)"
        );
    }
}
