//! The engine's value: one 64-bit word, of which only this module knows the bits.
//!
//! | low bits | meaning |
//! |---|---|
//! | `..01` | fixnum, 62 bits, in the upper 62 |
//! | `000` `011` `100` | flonum, rotated left by four: those whose exponent is small enough that the rotation leaves one of these tags; the others are boxed |
//! | `..10` | heap object: kind in bits 2 to 7, kind-specific bits 8 to 31, arena index in bits 32 to 63 |
//! | `111` | character, native procedure or constant |
//!
//! Nearly all flonums that programs compute (zero, and magnitudes from about 1e-77 to 1e77)
//! are immediate, and fixnums keep 62 bits, as on a 64-bit chibi.

/// A Scheme value. Copying one is copying eight bytes; nothing is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Word(u64);

/// What a heap index points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    Pair,
    /// A flonum that has no immediate form.
    Flonum,
    /// Bignum, ratnum or complex.
    Number,
    String,
    Symbol,
    Vector,
    Bytevector,
    Port,
    Table,
    Continuation,
    // Kinds from here on live in the block arenas: fixed size, every slot a value.
    Closure,
    Cell,
    Values,
    Record,
    RecordType,
    Parameter,
    Promise,
    Condition,
    Alias,
    CaseLambda,
    Environment,
    /// Other small structures of the libraries; slot 0 is a symbol that says which.
    Tagged,
}

impl Kind {
    const ALL: [Self; 22] = [
        Self::Pair,
        Self::Flonum,
        Self::Number,
        Self::String,
        Self::Symbol,
        Self::Vector,
        Self::Bytevector,
        Self::Port,
        Self::Table,
        Self::Continuation,
        Self::Closure,
        Self::Cell,
        Self::Values,
        Self::Record,
        Self::RecordType,
        Self::Parameter,
        Self::Promise,
        Self::Condition,
        Self::Alias,
        Self::CaseLambda,
        Self::Environment,
        Self::Tagged,
    ];
}

const FIX_TAG: u64 = 0b01;
const HEAP_TAG: u64 = 0b10;
const IMM_TAG: u64 = 0b111;
/// Bit n is set when the three-bit tag n is a flonum's.
const FLO_TAGS: u64 = 0b0001_1001;
const SUB_CONST: u64 = 0;
const SUB_CHAR: u64 = 1;
const SUB_NATIVE: u64 = 2;

/// Smallest fixnum.
pub(crate) const FIX_MIN: i64 = -(1 << 61);
/// Largest fixnum.
pub(crate) const FIX_MAX: i64 = (1 << 61) - 1;

impl Word {
    pub(crate) const FALSE: Self = Self::constant(0);
    pub(crate) const TRUE: Self = Self::constant(1);
    pub(crate) const NIL: Self = Self::constant(2);
    pub(crate) const UNSPECIFIED: Self = Self::constant(3);
    pub(crate) const EOF: Self = Self::constant(4);
    /// A global that has no value yet.
    pub(crate) const UNBOUND: Self = Self::constant(5);
    /// A local that is not initialised yet (R7RS 4.2.2).
    pub(crate) const UNDEFINED: Self = Self::constant(6);

    /// All bits zero, the flonum 0.0: what unused registers hold, so that their pages stay untouched.
    pub(crate) const ZERO: Self = Self(0);

    const fn constant(n: u64) -> Self {
        Self(n << 32 | SUB_CONST << 3 | IMM_TAG)
    }

    #[inline(always)]
    pub(crate) const fn bool(b: bool) -> Self {
        if b { Self::TRUE } else { Self::FALSE }
    }

    /// A fixnum; the caller knows that `n` is in range.
    #[inline(always)]
    pub(crate) const fn fix(n: i64) -> Self {
        Self((n as u64) << 2 | FIX_TAG)
    }

    /// A fixnum, or none where `n` is too large for one.
    #[inline(always)]
    pub(crate) const fn try_fix(n: i64) -> Option<Self> {
        if n >= FIX_MIN && n <= FIX_MAX {
            Some(Self::fix(n))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn index(n: usize) -> Self {
        Self::fix(n as i64)
    }

    #[inline(always)]
    pub(crate) const fn is_fix(self) -> bool {
        self.0 & 3 == FIX_TAG
    }

    #[inline(always)]
    pub(crate) const fn as_fix(self) -> Option<i64> {
        if self.is_fix() {
            Some((self.0 as i64) >> 2)
        } else {
            None
        }
    }

    /// The fixnum in a word that is known to hold one.
    #[inline(always)]
    pub(crate) const fn fix_value(self) -> i64 {
        (self.0 as i64) >> 2
    }

    #[inline(always)]
    pub(crate) const fn both_fix(a: Self, b: Self) -> bool {
        ((a.0 ^ FIX_TAG) | (b.0 ^ FIX_TAG)) & 3 == 0
    }

    /// Sum of two fixnums, or none on overflow.
    #[inline(always)]
    pub(crate) const fn fix_add(a: Self, b: Self) -> Option<Self> {
        match (a.0 as i64).checked_add((b.0 - FIX_TAG) as i64) {
            Some(n) => Some(Self(n as u64)),
            None => None,
        }
    }

    /// Difference of two fixnums, or none on overflow.
    #[inline(always)]
    pub(crate) const fn fix_sub(a: Self, b: Self) -> Option<Self> {
        match (a.0 as i64).checked_sub((b.0 - FIX_TAG) as i64) {
            Some(n) => Some(Self(n as u64)),
            None => None,
        }
    }

    /// Product of two fixnums, or none on overflow.
    #[inline(always)]
    pub(crate) const fn fix_mul(a: Self, b: Self) -> Option<Self> {
        match ((a.0 - FIX_TAG) as i64).checked_mul((b.0 as i64) >> 2) {
            Some(n) => Some(Self(n as u64 | FIX_TAG)),
            None => None,
        }
    }

    /// Order of two fixnums.
    #[inline(always)]
    pub(crate) const fn fix_lt(a: Self, b: Self) -> bool {
        (a.0 as i64) < (b.0 as i64)
    }

    /// The immediate form of a flonum, if it has one.
    #[inline(always)]
    pub(crate) const fn try_flo(x: f64) -> Option<Self> {
        let bits = x.to_bits().rotate_left(4);
        if FLO_TAGS >> (bits & 7) & 1 == 1 {
            Some(Self(bits))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn imm_flo(self) -> Option<f64> {
        if FLO_TAGS >> (self.0 & 7) & 1 == 1 {
            Some(f64::from_bits(self.0.rotate_right(4)))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn char(c: char) -> Self {
        Self((c as u64) << 32 | SUB_CHAR << 3 | IMM_TAG)
    }

    #[inline(always)]
    pub(crate) const fn as_char(self) -> Option<char> {
        if self.0 & 0xff == (SUB_CHAR << 3 | IMM_TAG) {
            char::from_u32((self.0 >> 32) as u32)
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn native(index: u32) -> Self {
        Self((index as u64) << 32 | SUB_NATIVE << 3 | IMM_TAG)
    }

    #[inline(always)]
    pub(crate) const fn as_native(self) -> Option<u32> {
        if self.0 & 0xff == (SUB_NATIVE << 3 | IMM_TAG) {
            Some((self.0 >> 32) as u32)
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn heap(kind: Kind, index: u32) -> Self {
        Self((index as u64) << 32 | (kind as u64) << 2 | HEAP_TAG)
    }

    /// A block: `class` says which arena, `len` how many of its slots are in use.
    #[inline(always)]
    pub(crate) const fn block(kind: Kind, class: u8, len: u16, index: u32) -> Self {
        Self(
            (index as u64) << 32
                | (len as u64) << 16
                | (class as u64) << 8
                | (kind as u64) << 2
                | HEAP_TAG,
        )
    }

    #[inline(always)]
    pub(crate) const fn is_heap(self) -> bool {
        self.0 & 3 == HEAP_TAG
    }

    #[inline(always)]
    pub(crate) const fn is(self, kind: Kind) -> bool {
        self.0 & 0xff == ((kind as u64) << 2 | HEAP_TAG)
    }

    /// The kind of a heap object.
    #[inline(always)]
    pub(crate) const fn kind(self) -> Option<Kind> {
        if self.is_heap() {
            let k = (self.0 >> 2 & 63) as usize;
            if k < Kind::ALL.len() {
                Some(Kind::ALL[k])
            } else {
                None
            }
        } else {
            None
        }
    }

    /// The arena index of a heap object.
    #[inline(always)]
    pub(crate) const fn at(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(crate) const fn block_class(self) -> usize {
        (self.0 >> 8 & 0xff) as usize
    }

    #[inline(always)]
    pub(crate) const fn block_len(self) -> usize {
        (self.0 >> 16 & 0xffff) as usize
    }

    #[inline(always)]
    pub(crate) const fn is_pair(self) -> bool {
        self.is(Kind::Pair)
    }

    #[inline(always)]
    pub(crate) fn truthy(self) -> bool {
        self != Self::FALSE
    }

    /// The bits, for hashing by identity and for images.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The word of these bits; only for bits that [`Word::bits`] gave.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(n) = self.as_fix() {
            write!(f, "{n}")
        } else if let Some(x) = self.imm_flo() {
            write!(f, "{x:?}")
        } else if let Some(k) = self.kind() {
            write!(f, "{k:?}@{}", self.at())
        } else {
            write!(f, "imm:{:x}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_eight_bytes() {
        assert_eq!(size_of::<Word>(), 8);
        for (i, k) in Kind::ALL.iter().enumerate() {
            assert_eq!(*k as usize, i);
        }
    }

    #[test]
    fn fixnums_keep_their_value_and_notice_overflow() {
        for n in [0, 1, -1, FIX_MIN, FIX_MAX, 12345, -98765] {
            assert_eq!(Word::fix(n).as_fix(), Some(n));
            assert!(Word::fix(n).imm_flo().is_none());
            assert!(!Word::fix(n).is_heap());
        }
        assert_eq!(Word::try_fix(FIX_MAX + 1), None);
        assert_eq!(Word::fix_add(Word::fix(FIX_MAX), Word::fix(1)), None);
        assert_eq!(Word::fix_sub(Word::fix(FIX_MIN), Word::fix(1)), None);
        assert_eq!(Word::fix_mul(Word::fix(1 << 40), Word::fix(1 << 40)), None);
        assert_eq!(
            Word::fix_mul(Word::fix(-7), Word::fix(6)),
            Some(Word::fix(-42))
        );
        assert_eq!(
            Word::fix_sub(Word::fix(3), Word::fix(5)),
            Some(Word::fix(-2))
        );
        assert!(Word::fix_lt(Word::fix(-1), Word::fix(0)));
    }

    #[test]
    fn common_flonums_are_immediate() {
        for x in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            1e70,
            -1e-70,
            0.1,
            std::f64::consts::PI,
        ] {
            let w = Word::try_flo(x).expect("immediate");
            assert_eq!(w.imm_flo().map(f64::to_bits), Some(x.to_bits()));
            assert!(!w.is_fix() && !w.is_heap());
        }
        for x in [f64::NAN, f64::INFINITY, 1e300, 1e-200] {
            assert_eq!(Word::try_flo(x), None);
        }
    }

    #[test]
    fn tags_do_not_overlap() {
        let all = [
            Word::FALSE,
            Word::char('x'),
            Word::native(3),
            Word::heap(Kind::Pair, 7),
            Word::block(Kind::Closure, 2, 3, 9),
        ];
        for w in all {
            assert!(!w.is_fix() && w.imm_flo().is_none());
        }
        assert_eq!(Word::char('λ').as_char(), Some('λ'));
        assert_eq!(Word::native(3).as_native(), Some(3));
        assert_eq!(Word::block(Kind::Closure, 2, 3, 9).block_len(), 3);
        assert_eq!(Word::block(Kind::Closure, 2, 3, 9).at(), 9);
        assert!(Word::block(Kind::Closure, 2, 3, 9).is(Kind::Closure));
    }
}
