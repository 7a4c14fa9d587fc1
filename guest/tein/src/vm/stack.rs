//! The control stack and its frozen parts.

use crate::value::Word;

/// What a return needs: the code to go on with and its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) proto: u32,
    /// Instruction after the call.
    pub(crate) pc: u32,
    /// Stack index of register 0.
    pub(crate) base: u32,
}

/// A part of the stack that a continuation holds, shared and never changed: returning into it
/// copies back one frame at a time.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub(crate) values: Vec<Word>,
    pub(crate) frames: Vec<Frame>,
    /// The segment below and how many of its frames belong to this continuation.
    pub(crate) below: Option<(Word, u32)>,
    /// The dynamic state when the continuation was captured: handlers, parameters, winds.
    pub(crate) state: [Word; 3],
    /// The run of a transformer that it belongs to, 0 for the program itself.
    pub(crate) phase: u32,
}

impl Default for Word {
    fn default() -> Self {
        Self::UNSPECIFIED
    }
}

impl Segment {
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * 8 + self.frames.capacity() * 12
    }

    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        self.values.iter().for_each(|w| f(*w));
        self.state.iter().for_each(|w| f(*w));
        if let Some((w, _)) = self.below {
            f(w);
        }
    }
}
