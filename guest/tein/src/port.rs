//! Ports over memory (R7RS 6.13). The engine has no other kind: what a program prints to its
//! current output and error ports is captured here and read by the host. Ports that a program makes
//! itself are over memory too, with a procedure that gets more to read or takes what was written.

use crate::text::Text;
use crate::value::Word;

/// A port's state.
#[derive(Debug, Default)]
pub(crate) enum Port {
    /// A port that was closed, or the slot of a dead one.
    #[default]
    Closed,
    StringInput {
        text: Text,
        at: usize,
        /// Line of the next character, from 1.
        line: u32,
        fold_case: bool,
        /// Called when there is nothing more to read; none at the end of the data.
        source: Option<Word>,
    },
    BytesInput {
        bytes: Vec<u8>,
        at: usize,
        source: Option<Word>,
    },
    StringOutput(Text),
    BytesOutput(Vec<u8>),
    /// Text or bytes on their way to the procedure that takes them.
    Sink {
        buffer: Buffer,
        procedure: Word,
    },
    /// A closed port of a known direction, so that predicates still answer.
    ClosedInput {
        textual: bool,
    },
    ClosedOutput {
        textual: bool,
    },
    /// Captured output, up to a limit; the rest is counted and dropped.
    Capture {
        bytes: Vec<u8>,
        limit: usize,
        dropped: usize,
    },
}

/// What a port was given and its procedure has not taken yet.
#[derive(Debug)]
pub(crate) enum Buffer {
    Text(Text),
    Bytes(Vec<u8>),
}

impl Port {
    pub(crate) fn string_input(text: Text) -> Self {
        Self::StringInput {
            text,
            at: 0,
            line: 1,
            fold_case: false,
            source: None,
        }
    }

    /// The procedure that gets more to read.
    pub(crate) fn source(&self) -> Option<Word> {
        match self {
            Self::StringInput { source, .. } | Self::BytesInput { source, .. } => *source,
            _ => None,
        }
    }

    /// The procedure that takes what is written.
    pub(crate) fn sink(&self) -> Option<Word> {
        match self {
            Self::Sink { procedure, .. } => Some(*procedure),
            _ => None,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::StringInput { text, .. } | Self::StringOutput(text) => text.bytes(),
            Self::BytesInput { bytes, .. }
            | Self::BytesOutput(bytes)
            | Self::Capture { bytes, .. }
            | Self::Sink {
                buffer: Buffer::Bytes(bytes),
                ..
            } => bytes.capacity(),
            Self::Sink {
                buffer: Buffer::Text(text),
                ..
            } => text.bytes(),
            _ => 0,
        }
    }

    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        if let Some(w) = self.source().or(self.sink()) {
            f(w);
        }
    }

    pub(crate) fn is_input(&self) -> bool {
        matches!(
            self,
            Self::StringInput { .. } | Self::BytesInput { .. } | Self::ClosedInput { .. }
        )
    }

    pub(crate) fn is_output(&self) -> bool {
        matches!(
            self,
            Self::StringOutput(_)
                | Self::BytesOutput(_)
                | Self::Sink { .. }
                | Self::ClosedOutput { .. }
                | Self::Capture { .. }
        )
    }

    pub(crate) fn is_textual(&self) -> bool {
        matches!(
            self,
            Self::StringInput { .. }
                | Self::StringOutput(_)
                | Self::Capture { .. }
                | Self::Sink {
                    buffer: Buffer::Text(_),
                    ..
                }
                | Self::ClosedInput { textual: true }
                | Self::ClosedOutput { textual: true }
        )
    }

    pub(crate) fn is_open(&self) -> bool {
        !matches!(
            self,
            Self::Closed | Self::ClosedInput { .. } | Self::ClosedOutput { .. }
        )
    }

    pub(crate) fn close(&mut self) {
        let textual = self.is_textual();
        if self.is_input() {
            *self = Self::ClosedInput { textual };
        } else if !matches!(self, Self::Capture { .. }) {
            *self = Self::ClosedOutput { textual };
        }
    }

    /// Writes text; false when the port does not take any.
    pub(crate) fn write(&mut self, s: &str) -> bool {
        match self {
            Self::StringOutput(text)
            | Self::Sink {
                buffer: Buffer::Text(text),
                ..
            } => {
                if s.is_ascii()
                    && let Text::Narrow(b) = text
                {
                    b.extend_from_slice(s.as_bytes());
                    return true;
                }
                for c in s.chars() {
                    text.push(c);
                }
                true
            }
            Self::Capture {
                bytes,
                limit,
                dropped,
            } => {
                let mut take = limit.saturating_sub(bytes.len()).min(s.len());
                while !s.is_char_boundary(take) {
                    take -= 1;
                }
                if *dropped > 0 {
                    take = 0;
                }
                bytes.extend_from_slice(&s.as_bytes()[..take]);
                *dropped += s.len() - take;
                true
            }
            _ => false,
        }
    }

    /// Next character, left in place.
    pub(crate) fn peek(&self) -> Option<char> {
        match self {
            Self::StringInput { text, at, .. } => text.get(*at),
            _ => None,
        }
    }

    /// The characters up to the end of the line, which is taken too: a newline, a carriage return, or
    /// one before the other. None at the end of the text.
    pub(crate) fn line(&mut self) -> Option<Text> {
        let Self::StringInput { text, at, line, .. } = self else {
            return None;
        };
        let start = *at;
        if start >= text.len() {
            return None;
        }
        let length = text.position(start, |c| matches!(c, '\n' | '\r'));
        let end = length.map_or(text.len(), |length| start + length);
        *at = match (text.get(end), text.get(end + 1)) {
            (None, _) => end,
            (Some('\r'), Some('\n')) => end + 2,
            _ => end + 1,
        };
        if text.get((*at).saturating_sub(1)) == Some('\n') {
            *line += 1;
        }
        Some(text.slice(start, end))
    }

    /// At most `n` characters, taken.
    pub(crate) fn take(&mut self, n: usize) -> Text {
        let Self::StringInput { text, at, line, .. } = self else {
            return Text::default();
        };
        let end = at.saturating_add(n).min(text.len());
        let part = text.slice((*at).min(end), end);
        *at = end;
        part.chars().filter(|c| *c == '\n').for_each(|_| *line += 1);
        part
    }

    /// Next character, taken.
    pub(crate) fn next(&mut self) -> Option<char> {
        match self {
            Self::StringInput { text, at, line, .. } => {
                let c = text.get(*at)?;
                *at += 1;
                if c == '\n' {
                    *line += 1;
                }
                Some(c)
            }
            _ => None,
        }
    }
}
