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

/// At most `most` characters of `text` on one line, and how many were left out.
#[must_use]
pub fn short_line(text: &str, most: usize) -> String {
    let kept: String = text.chars().take(most).collect();
    let left_out = text.chars().count().saturating_sub(most);
    if left_out == 0 {
        line(&kept)
    } else {
        format!("{}... ({left_out} more characters)", line(&kept))
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
            // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // Zero width characters and directional marks.
            | '\u{200b}'..='\u{200f}'
            // Line and paragraph separators, embeddings and overrides.
            | '\u{2028}'..='\u{202e}'
            // Word joiner, invisible operators, isolates, deprecated format controls.
            | '\u{2060}'..='\u{206f}'
            // Variation selectors carry hidden data; so do tags.
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_bidirectional_controls_become_escapes() {
        assert_eq!(line("a\u{1b}[2Kb\r\n"), "a\\u{1b}[2Kb\\r\\n");
        assert_eq!(line("pay \u{202e}001"), "pay \\u{202e}001");
        assert_eq!(line("\u{9b}31m"), "\\u{9b}31m");
        assert_eq!(line("héllo 世界 🏝"), "héllo 世界 🏝");
    }

    #[test]
    fn a_block_keeps_its_lines() {
        assert_eq!(block("a\n\tb\u{7}"), "a\n\tb\\u{7}");
    }

    #[test]
    fn a_short_line_says_what_is_missing() {
        assert_eq!(short_line("abcdef", 6), "abcdef");
        assert_eq!(short_line("abcdef", 4), "abcd... (2 more characters)");
    }
}
