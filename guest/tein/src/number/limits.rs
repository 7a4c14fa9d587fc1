//! How large a number may become, and what an operation costs.

use super::{Number, NumberError, Real, Result};

/// The most bits that an integer, numerator or denominator may have: 2^23, one
/// mebibyte. A tool's memory is 64 MiB, and an operation holds a few of its operands.
pub const MAX_BITS: u64 = 1 << 23;

/// Refuses a result of `bits` bits when that is too many.
pub(super) fn check_bits(bits: u64) -> Result<()> {
    if bits > MAX_BITS {
        Err(NumberError::TooLarge)
    } else {
        Ok(())
    }
}

fn limbs(bits: u64) -> u64 {
    bits / 64 + 1
}

/// The cost of multiplying magnitudes of `a` and `b` limbs, in limb products:
/// schoolbook while small, then three half-size products in place of four.
fn product(a: u64, b: u64) -> u64 {
    let (mut small, large) = (a.min(b).max(1), a.max(b));
    let blocks = large / small + 1;
    let mut factor = 1u64;
    while small > 32 {
        small = small.div_ceil(2);
        factor = factor.saturating_mul(3);
    }
    blocks.saturating_mul(factor).saturating_mul(small * small)
}

/// What decides the cost of an operation on two numbers.
enum Kinds {
    /// Machine words and flonums.
    Small,
    /// At least one long integer.
    Integers,
    /// Something with more than one part.
    Fractions,
}

impl Real {
    pub(super) fn limbs(&self) -> u64 {
        match self {
            Real::Int(_) | Real::Flo(_) => 1,
            Real::Big(n) => limbs(n.bits()),
            Real::Rat(q) => limbs(q.numer().bits()) + limbs(q.denom().bits()),
        }
    }

    /// The bits of the exact integers that this is made of.
    fn bits(&self) -> u64 {
        match self {
            Real::Int(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Real::Big(n) => n.bits(),
            Real::Rat(q) => q.numer().bits() + q.denom().bits(),
            Real::Flo(_) => 0,
        }
    }

    fn is_small(&self) -> bool {
        matches!(self, Real::Int(_) | Real::Flo(_))
    }
}

impl Number {
    /// The size in 64-bit limbs: the cost of `+`, a comparison, a copy or a shift.
    pub fn limbs(&self) -> u64 {
        match self {
            Number::Real(r) => r.limbs(),
            Number::Complex(z) => z.re.limbs() + z.im.limbs(),
        }
    }

    /// The cost of `+`, `-`, a comparison or a bitwise operation, about one unit for
    /// each product of two limbs; one for machine words and flonums.
    pub fn work(&self, other: &Number) -> u64 {
        match self.kinds(other) {
            Kinds::Small => 1,
            Kinds::Integers => self.limbs().saturating_add(other.limbs()),
            Kinds::Fractions => self.reduction(other),
        }
    }

    /// The cost of `*` and of the integer divisions.
    pub fn mul_work(&self, other: &Number) -> u64 {
        match self.kinds(other) {
            Kinds::Small => 1,
            Kinds::Integers => product(self.limbs(), other.limbs()),
            Kinds::Fractions => self.reduction(other),
        }
    }

    /// The cost of `gcd`, `lcm`, `/` and `rationalize`: bringing a fraction to lowest
    /// terms is quadratic.
    pub fn gcd_work(&self, other: &Number) -> u64 {
        match self.kinds(other) {
            Kinds::Small => 1,
            Kinds::Integers | Kinds::Fractions => self.reduction(other),
        }
    }

    fn kinds(&self, other: &Number) -> Kinds {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) if a.is_small() && b.is_small() => Kinds::Small,
            (Number::Real(Real::Rat(_)) | Number::Complex(_), _)
            | (_, Number::Real(Real::Rat(_)) | Number::Complex(_)) => Kinds::Fractions,
            _ => Kinds::Integers,
        }
    }

    fn reduction(&self, other: &Number) -> u64 {
        let n = self.limbs().saturating_add(other.limbs());
        n.saturating_mul(n).saturating_mul(2)
    }

    /// The cost of `sqrt` and `exact-integer-sqrt`.
    pub fn root_work(&self) -> u64 {
        let n = self.limbs();
        if n <= 1 { 1 } else { product(n, n) }
    }

    /// The cost of `number->string`.
    pub fn print_work(&self) -> u64 {
        let n = self.limbs();
        if n <= 1 {
            1
        } else {
            product(n, n).saturating_mul(3)
        }
    }

    /// The cost of `(expt self exponent)`; one when it fails at once.
    pub fn expt_work(&self, exponent: &Number) -> u64 {
        let (re, im) = self.parts();
        let Some(e) = exponent.as_i64().filter(|_| re.is_exact()) else {
            return 64;
        };
        let bits = re
            .bits()
            .saturating_add(im.bits())
            .saturating_mul(e.unsigned_abs());
        if bits > MAX_BITS.saturating_mul(4) {
            return 1;
        }
        let n = limbs(bits);
        let reduction = if im.is_exact_zero() {
            0
        } else {
            n.saturating_mul(n).saturating_mul(8)
        };
        product(n, n).saturating_add(reduction)
    }
}
