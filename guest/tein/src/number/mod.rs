//! The numeric tower of R7RS section 6.2: exact integers of any size, exact
//! rationals, flonums, and rectangular complex numbers.
//!
//! Nothing here knows the heap or the values of the engine. Every function gives a
//! number or a [`NumberError`]; none panics, and none starts work whose result would
//! be larger than [`MAX_BITS`]. Work below that bound can still be long, so the
//! engine charges steps from the hints in `limits` before it calls.
//!
//! The same input gives the same bits on every machine: transcendental functions come
//! from `libm` and not from the platform, and a NaN is one value whatever its payload.
//!
//! | file | concern |
//! |---|---|
//! | `real`, `ratio`, `complex` | the representations and their arithmetic |
//! | `big` | fast algorithms on magnitudes: division, gcd, roots, digits |
//! | `convert` | exact to inexact and back, rounded once |
//! | `arith`, `compare`, `predicates` | the generic operations of section 6.2.6 |
//! | `division`, `rounding` | integer division families, `floor` ..., `rationalize` |
//! | `roots`, `transcendental` | `sqrt`, `expt`, `exp`, `log`, trigonometry |
//! | `bits` | the primitives of SRFI 151 |
//! | `parse`, `print` | section 7.1.1 `<number>`, `number->string`, JSON |
//! | `limits` | size bounds and cost hints |

mod arith;
mod big;
mod bits;
mod compare;
mod complex;
mod convert;
mod division;
mod limits;
mod parse;
mod predicates;
mod print;
mod ratio;
mod real;
mod roots;
mod rounding;
mod transcendental;

#[cfg(test)]
mod tests;

use std::fmt;

use num_bigint::BigInt;

pub use complex::Complex;
pub use division::Division;
pub use limits::MAX_BITS;
pub use parse::{parse, parse_work, read};
pub use ratio::Ratio;

/// A real number.
///
/// The representation is canonical: `Big` never fits an `i64`, and `Rat` is reduced
/// with a denominator above one. Exact reals are equal exactly when their
/// representations are.
#[derive(Clone, Debug)]
pub enum Real {
    /// An exact integer that fits a machine word.
    Int(i64),
    /// Any other exact integer.
    Big(BigInt),
    /// An exact rational that is not an integer.
    Rat(Box<Ratio>),
    /// An inexact real: an IEEE 754 double.
    Flo(f64),
}

/// Any Scheme number.
#[derive(Clone, Debug)]
pub enum Number {
    /// A real number.
    Real(Real),
    /// A number whose imaginary part is not an exact zero.
    Complex(Box<Complex>),
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The divisor is zero, or the result would be infinite and exact.
    DivideByZero,
    /// A real number is needed.
    NotReal,
    /// A rational number is needed: not an infinity, not a NaN.
    NotRational,
    /// An integer is needed.
    NotInteger,
    /// An exact integer is needed.
    NotExact,
    /// The result would be larger than [`MAX_BITS`].
    TooLarge,
    /// The argument is outside the domain: a negative number, or a radix outside 2 to 36.
    OutOfRange,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::DivideByZero => "divide by zero",
            NumberError::NotReal => "not a real number",
            NumberError::NotRational => "not a rational number",
            NumberError::NotInteger => "not an integer",
            NumberError::NotExact => "not an exact integer",
            NumberError::TooLarge => "number too large",
            NumberError::OutOfRange => "number out of range",
        })
    }
}

impl std::error::Error for NumberError {}

/// What most operations give.
pub type Result<T> = std::result::Result<T, NumberError>;

impl Number {
    /// Exact zero.
    pub const ZERO: Number = Number::Real(Real::Int(0));
    /// Exact one.
    pub const ONE: Number = Number::Real(Real::Int(1));

    /// The exact rational `numer / denom`.
    pub fn rational(numer: BigInt, denom: BigInt) -> Result<Number> {
        Ok(Number::Real(Real::from_ratio(numer, denom)?))
    }

    /// The value when it is an exact integer that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Number::Real(Real::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// The value when it is a flonum.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Number::Real(Real::Flo(x)) => Some(*x),
            _ => None,
        }
    }

    /// The nearest double of a real number.
    pub fn to_f64(&self) -> Result<f64> {
        Ok(self.real()?.to_f64())
    }

    /// The real number that this is.
    pub fn real(&self) -> Result<&Real> {
        match self {
            Number::Real(r) => Ok(r),
            Number::Complex(_) => Err(NumberError::NotReal),
        }
    }
}

impl From<Real> for Number {
    fn from(r: Real) -> Number {
        Number::Real(r)
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Number {
        Number::Real(Real::Int(n))
    }
}

impl From<u64> for Number {
    fn from(n: u64) -> Number {
        Number::Real(Real::from(n))
    }
}

impl From<i128> for Number {
    fn from(n: i128) -> Number {
        Number::Real(Real::from(n))
    }
}

impl From<BigInt> for Number {
    fn from(n: BigInt) -> Number {
        Number::Real(Real::from(n))
    }
}

impl From<f64> for Number {
    fn from(x: f64) -> Number {
        Number::Real(Real::Flo(x))
    }
}
