//! How much of the host's own stack is in use.
//!
//! Expanding and compiling recurse with the nesting of the source. What a level takes differs by
//! form and by build, so the depth that is safe is not a number of levels: the recursion looks at
//! where its frames stand and stops with an error well before the stack ends. Inside WebAssembly
//! the addresses are those of the stack in linear memory, beside which the machine keeps another one
//! of about the same use.

/// Bytes that may be in use below the entry: the smallest stack that an embedder is expected to give
/// is 1 MiB. Inside WebAssembly, with 1 MiB of both stacks, each of 27 forms nested in itself ends here at 41 to
/// 75 per cent of the depth at which the machine would have trapped (`do` comes closest).
const MOST: usize = if cfg!(target_arch = "wasm32") {
    256 << 10
} else {
    600 << 10
};

/// Where the stack was when the host entered the engine; there is no room before it did.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entered(Option<usize>);

/// The address of a frame: a number to compare, never a pointer again.
#[inline(never)]
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(std::hint::black_box(&mark)).addr()
}

impl Entered {
    /// Takes the present place as the entry.
    pub(crate) fn now() -> Self {
        Self(Some(here()))
    }

    /// True when the recursion may go on.
    pub(crate) fn has_room(self) -> bool {
        self.0.is_some_and(|entry| entry.abs_diff(here()) < MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(entered: Entered, levels: usize) -> usize {
        let frame = std::hint::black_box([1u8; 1024]);
        if levels == 0 || !entered.has_room() {
            return 0;
        }
        usize::from(frame[levels % 1024]) + deep(entered, levels - 1)
    }

    #[test]
    fn there_is_no_room_before_the_entry() {
        assert!(!Entered::default().has_room());
        assert!(Entered::now().has_room());
    }

    #[test]
    fn recursion_is_stopped_before_a_mebibyte_is_used() {
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        let levels = thread
            .spawn(|| deep(Entered::now(), 1_000_000))
            .expect("a thread");
        let levels = levels.join().expect("no overflow");
        assert!((100..1024).contains(&levels), "{levels}");
    }
}
