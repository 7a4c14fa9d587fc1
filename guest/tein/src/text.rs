//! Strings: characters by position in constant time (R7RS 6.7), one byte each while all are ASCII.

/// The characters of a Scheme string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    /// ASCII only.
    Narrow(Vec<u8>),
    /// At least one character was not ASCII when this was made.
    Wide(Vec<char>),
}

impl Default for Text {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl From<&str> for Text {
    fn from(s: &str) -> Self {
        if s.is_ascii() {
            Self::Narrow(s.as_bytes().to_vec())
        } else {
            Self::Wide(s.chars().collect())
        }
    }
}

impl From<String> for Text {
    fn from(s: String) -> Self {
        if s.is_ascii() {
            Self::Narrow(s.into_bytes())
        } else {
            Self::Wide(s.chars().collect())
        }
    }
}

impl FromIterator<char> for Text {
    fn from_iter<I: IntoIterator<Item = char>>(chars: I) -> Self {
        let mut text = Self::default();
        for c in chars {
            text.push(c);
        }
        text
    }
}

impl Text {
    /// Number of characters.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(b) => b.len(),
            Self::Wide(c) => c.len(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The characters, where they are stored as they would be in UTF-8.
    pub(crate) fn as_ascii(&self) -> Option<&str> {
        match self {
            Self::Narrow(b) => std::str::from_utf8(b).ok(),
            Self::Wide(_) => None,
        }
    }

    /// Bytes of memory that the characters take.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(b) => b.capacity(),
            Self::Wide(c) => c.capacity() * 4,
        }
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> Option<char> {
        match self {
            Self::Narrow(b) => b.get(i).map(|b| *b as char),
            Self::Wide(c) => c.get(i).copied(),
        }
    }

    fn widen(&mut self) -> &mut Vec<char> {
        if let Self::Narrow(b) = self {
            *self = Self::Wide(b.iter().map(|b| *b as char).collect());
        }
        match self {
            Self::Wide(c) => c,
            Self::Narrow(_) => unreachable!("widened above"),
        }
    }

    pub(crate) fn push(&mut self, c: char) {
        match self {
            Self::Narrow(b) if c.is_ascii() => b.push(c as u8),
            Self::Wide(w) => w.push(c),
            Self::Narrow(_) => self.widen().push(c),
        }
    }

    /// How far behind `start` the first character is that `wanted` holds for.
    pub(crate) fn position(&self, start: usize, wanted: impl Fn(char) -> bool) -> Option<usize> {
        match self {
            Self::Narrow(b) => b.get(start..)?.iter().position(|b| wanted(*b as char)),
            Self::Wide(c) => c.get(start..)?.iter().position(|c| wanted(*c)),
        }
    }

    /// Replaces the character at `i`; false when out of range.
    pub(crate) fn set(&mut self, i: usize, c: char) -> bool {
        if i >= self.len() {
            return false;
        }
        match self {
            Self::Narrow(b) if c.is_ascii() => b[i] = c as u8,
            Self::Wide(w) => w[i] = c,
            Self::Narrow(_) => self.widen()[i] = c,
        }
        true
    }

    pub(crate) fn append(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Narrow(a), Self::Narrow(b)) => a.extend_from_slice(b),
            (Self::Wide(a), Self::Wide(b)) => a.extend_from_slice(b),
            (Self::Wide(a), Self::Narrow(b)) => a.extend(b.iter().map(|b| *b as char)),
            (Self::Narrow(_), Self::Wide(b)) => self.widen().extend_from_slice(b),
        }
    }

    /// Characters from `start` to before `end`, which must be in range.
    pub(crate) fn slice(&self, start: usize, end: usize) -> Self {
        match self {
            Self::Narrow(b) => Self::Narrow(b[start..end].to_vec()),
            Self::Wide(c) => {
                let part = &c[start..end];
                if part.iter().all(char::is_ascii) {
                    Self::Narrow(part.iter().map(|c| *c as u8).collect())
                } else {
                    Self::Wide(part.to_vec())
                }
            }
        }
    }

    pub(crate) fn chars(&self) -> impl DoubleEndedIterator<Item = char> + '_ {
        let (narrow, wide): (&[u8], &[char]) = match self {
            Self::Narrow(b) => (b, &[]),
            Self::Wide(c) => (&[], c),
        };
        narrow
            .iter()
            .map(|b| *b as char)
            .chain(wide.iter().copied())
    }

    /// The text as UTF-8.
    pub(crate) fn to_utf8(&self) -> String {
        match self.as_ascii() {
            Some(text) => text.to_owned(),
            None => self.chars().collect(),
        }
    }

    /// Order by scalar values (R7RS `string<?`).
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Narrow(a), Self::Narrow(b)) => a.cmp(b),
            (Self::Wide(a), Self::Wide(b)) => a.cmp(b),
            _ => self.chars().cmp(other.chars()),
        }
    }

    /// Same characters, whatever the representation.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Narrow(a), Self::Narrow(b)) => same_bytes(a, b),
            _ => self.len() == other.len() && self.order(other).is_eq(),
        }
    }
}

/// Equality of sequences that are short as a rule: by words, where wasm's own comparison is by bytes
/// and out of line.
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let ((x, x_rest), (y, y_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    a.len() == b.len()
        && std::iter::zip(x, y).all(|(x, y)| u64::from_le_bytes(*x) == u64::from_le_bytes(*y))
        && std::iter::zip(x_rest, y_rest).all(|(x, y)| x == y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_only_when_it_must_and_keeps_positions() {
        let mut t = Text::from("abc");
        assert!(matches!(t, Text::Narrow(_)));
        assert!(t.set(1, 'λ'));
        assert_eq!(t.get(1), Some('λ'));
        assert_eq!(t.to_utf8(), "aλc");
        assert!(matches!(t.slice(0, 1), Text::Narrow(_)));
        t.append(&Text::from("de"));
        assert_eq!(t.len(), 5);
        assert_eq!(t.to_utf8(), "aλcde");
        assert!(Text::from("abc").same(&Text::Wide(vec!['a', 'b', 'c'])));
        assert!(!t.set(9, 'x'));
    }
}
