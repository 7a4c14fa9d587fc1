//! Texts of bounded length, with a note where something is missing.

/// The text, cut at a character boundary when it is longer than `limit` bytes.
pub(super) fn bounded(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{}", &text[..end], note(text.len() - end, limit))
}

/// Captured output, with what the port dropped.
pub(super) fn captured((text, dropped): (String, usize), limit: usize) -> String {
    if dropped == 0 {
        text
    } else {
        format!("{text}{}", note(dropped, limit))
    }
}

fn note(dropped: usize, limit: usize) -> String {
    format!("... [truncated: {dropped} bytes over the output limit of {limit}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters_and_says_how_much() {
        assert_eq!(bounded("short", 5), "short");
        assert_eq!(
            bounded("ab\u{20ac}d", 4),
            "ab... [truncated: 4 bytes over the output limit of 4]"
        );
        assert_eq!(
            captured(("ab".to_owned(), 7), 2),
            "ab... [truncated: 7 bytes over the output limit of 2]"
        );
    }
}
