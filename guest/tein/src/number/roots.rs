//! `sqrt`, `exact-integer-sqrt` and `expt`.

use num_bigint::{BigInt, Sign};
use num_traits::{One, ToPrimitive};

use super::convert::scaled;
use super::limits::MAX_BITS;
use super::{Number, NumberError, Real, Result, big};

/// The root of an exact number that is not negative, when it is exact.
fn exact_sqrt(r: &Real) -> Option<Real> {
    let (n, d) = r.as_fraction()?;
    if n.sign() == Sign::Minus {
        return None;
    }
    let (n, d) = (
        big::exact_sqrt(n.magnitude())?,
        big::exact_sqrt(d.magnitude())?,
    );
    Some(Real::from_coprime(BigInt::from(n), BigInt::from(d)))
}

/// The root of a real that is not negative; exact when the number and the root are.
pub(super) fn real_sqrt(r: &Real) -> Real {
    if let Real::Flo(x) = r {
        return Real::Flo(x.sqrt());
    }
    if let Some(root) = exact_sqrt(r) {
        return root;
    }
    let x = r.to_f64();
    if x.is_normal() && x.is_finite() {
        return Real::Flo(x.sqrt());
    }
    // Out of the range of a double, though the root is within it or nearer.
    match r.as_fraction() {
        Some((n, d)) => {
            let (m, e) = scaled(&n, &d);
            let half = (e / 2).clamp(-5000, 5000);
            Real::Flo(libm::scalbn(m.sqrt(), i32::try_from(half).unwrap_or(0)))
        }
        None => Real::Flo(x.sqrt()),
    }
}

impl Number {
    /// `(sqrt self)`: the principal root, exact when the number and the root are.
    pub fn sqrt(&self) -> Result<Number> {
        let z = match self {
            Number::Real(r) if r.is_negative() => {
                return Ok(Number::rectangular(Real::ZERO, real_sqrt(&r.negate())));
            }
            Number::Real(r) => return Ok(Number::Real(real_sqrt(r))),
            Number::Complex(z) => z,
        };
        if z.re.is_exact()
            && let Some(root) = exact_complex_sqrt(&z.re, &z.im)?
        {
            return Ok(root);
        }
        Ok(Number::from_float(z.floats().sqrt()))
    }

    /// `(exact-integer-sqrt self)`: the root rounded down, and what is left.
    pub fn exact_integer_sqrt(&self) -> Result<(Number, Number)> {
        let n = self.to_big_int().ok_or(NumberError::NotExact)?;
        if n.sign() == Sign::Minus {
            return Err(NumberError::OutOfRange);
        }
        let (root, rest) = big::sqrt_rem(n.magnitude());
        Ok((
            Number::from(BigInt::from(root)),
            Number::from(BigInt::from(rest)),
        ))
    }

    /// `(expt self exponent)`. An exact integer power of an exact number is exact; an
    /// exact zero has no negative power.
    pub fn expt(&self, exponent: &Number) -> Result<Number> {
        if let Number::Real(power @ (Real::Int(_) | Real::Big(_))) = exponent {
            return self.integer_power(power);
        }
        if self.is_zero() {
            return self.zero_power(exponent);
        }
        if let (Number::Real(base), Number::Real(power)) = (self, exponent) {
            // Halves are powers of a square root, which may be exact.
            if let Real::Rat(q) = power
                && base.is_exact()
                && *q.denom() == BigInt::from(2)
            {
                let root = self.sqrt()?;
                if root.is_exact() || q.numer().is_one() {
                    return root.integer_power(&Real::from(q.numer().clone()));
                }
            }
            let (b, p) = (base.to_f64(), power.to_f64());
            if base.is_exact()
                && !b.is_normal()
                && !base.is_negative()
                && let Some((n, d)) = base.as_fraction()
            {
                // The base is out of range, but its power need not be.
                let (m, e) = scaled(&n, &d);
                return Ok(Number::from(libm::pow(m, p) * libm::exp2(e as f64 * p)));
            }
            if !base.is_negative() || p.trunc() == p || p.is_nan() {
                return Ok(Number::from(libm::pow(b, p)));
            }
        }
        let product = exponent.mul(&self.log()?)?;
        product.exp()
    }

    /// Powers of zero that are not exact integers (section 6.2.6).
    fn zero_power(&self, exponent: &Number) -> Result<Number> {
        let inexact = self.is_inexact() || exponent.is_inexact();
        if let (Some(base), Number::Real(power)) = (self.as_f64(), exponent) {
            return Ok(Number::from(libm::pow(base, power.to_f64())));
        }
        if exponent.is_nan() {
            return Ok(Number::from(f64::NAN));
        }
        let zero = if inexact {
            Number::from(0.0)
        } else {
            Number::ZERO
        };
        match exponent.parts().0 {
            _ if exponent.is_zero() => Ok(Number::from(1.0)),
            re if !re.is_negative() && !re.is_zero() => Ok(zero),
            _ => Err(NumberError::DivideByZero),
        }
    }

    /// A power by an exact integer.
    fn integer_power(&self, power: &Real) -> Result<Number> {
        match self {
            Number::Real(Real::Flo(x)) => Ok(Number::from(float_power(*x, power))),
            Number::Real(base) => Ok(Number::Real(exact_power(base, power)?)),
            Number::Complex(z) if z.re.is_exact() => exact_complex_power(&z.re, &z.im, power),
            Number::Complex(_) => match power {
                Real::Int(e) => {
                    let result = self.squarings(e.unsigned_abs())?;
                    if *e < 0 {
                        Number::ONE.div(&result)
                    } else {
                        Ok(result)
                    }
                }
                _ => Number::Real(power.to_inexact()).mul(&self.log()?)?.exp(),
            },
        }
    }

    /// A power of an inexact number by repeated squaring.
    fn squarings(&self, mut power: u64) -> Result<Number> {
        let (mut result, mut square) = (Number::from(1.0), self.clone());
        while power > 0 {
            if power & 1 == 1 {
                result = result.mul(&square)?;
            }
            power >>= 1;
            square = square.mul(&square)?;
        }
        Ok(result)
    }
}

/// The exact root of an exact complex number, when both parts of it are exact.
fn exact_complex_sqrt(re: &Real, im: &Real) -> Result<Option<Number>> {
    let norm = re.mul(re)?.add(&im.mul(im)?)?;
    let Some(magnitude) = exact_sqrt(&norm) else {
        return Ok(None);
    };
    let two = Real::Int(2);
    let root_re = exact_sqrt(&magnitude.add(re)?.div(&two)?);
    let root_im = exact_sqrt(&magnitude.sub(re)?.div(&two)?);
    Ok(match (root_re, root_im) {
        (Some(a), Some(b)) => {
            let b = if im.is_negative() { b.negate() } else { b };
            Some(Number::rectangular(a, b))
        }
        _ => None,
    })
}

/// An exact complex number to an exact integer: over the common denominator, so that
/// nothing is reduced on the way.
fn exact_complex_power(re: &Real, im: &Real, power: &Real) -> Result<Number> {
    if power.is_exact_zero() {
        return Ok(Number::ONE);
    }
    if re.is_zero() {
        return imaginary_power(im, power);
    }
    let Real::Int(e) = power else {
        return Err(NumberError::TooLarge);
    };
    let (Some((n1, d1)), Some((n2, d2))) = (re.as_fraction(), im.as_fraction()) else {
        return Err(NumberError::NotExact);
    };
    let (mut a, mut b, denom) = (&*n1 * &*d2, &*n2 * &*d1, &*d1 * &*d2);
    let size = e.unsigned_abs();
    // Checks the size of the magnitude's power: both parts are below it.
    check_power(&(&a * &a + &b * &b), size as f64 / 2.0)?;
    let denom = power_of(&denom, size)?;
    let (mut x, mut y) = (BigInt::one(), BigInt::ZERO);
    let mut left = size;
    loop {
        if left & 1 == 1 {
            (x, y) = (&x * &a - &y * &b, &x * &b + &y * &a);
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        (a, b) = ((&a + &b) * (&a - &b), (&a * &b) << 1u32);
    }
    if *e > 0 {
        let part = |n: BigInt| Real::from_ratio(n, denom.clone());
        return Ok(Number::rectangular(part(x)?, part(y)?));
    }
    // denom / (x + iy) = denom (x - iy) / (x^2 + y^2)
    let norm = &x * &x + &y * &y;
    let part = |n: BigInt| Real::from_ratio(n * &denom, norm.clone());
    Ok(Number::rectangular(part(x)?, part(-y)?))
}

/// `(im * i)^power`, so that powers of `+i` need no bound.
fn imaginary_power(im: &Real, power: &Real) -> Result<Number> {
    let size = exact_power(im, power)?;
    let quarter = match power {
        Real::Int(e) => e.rem_euclid(4),
        other => {
            let n = other.as_exact_integer().ok_or(NumberError::NotInteger)?;
            i64::from(n.bit(0)) + 2 * i64::from(n.bit(1))
        }
    };
    Ok(match quarter {
        0 => Number::Real(size),
        1 => Number::rectangular(Real::ZERO, size),
        2 => Number::Real(size.negate()),
        _ => Number::rectangular(Real::ZERO, size.negate()),
    })
}

/// A flonum to an exact integer, whose parity a double may not hold.
fn float_power(x: f64, power: &Real) -> f64 {
    let odd = match power {
        Real::Int(e) => e & 1 == 1,
        other => other.as_exact_integer().is_some_and(|n| n.bit(0)),
    };
    let size = libm::pow(x.abs(), power.to_f64());
    if odd && x.is_sign_negative() {
        -size
    } else {
        size
    }
}

/// An exact real to an exact integer.
fn exact_power(base: &Real, power: &Real) -> Result<Real> {
    if power.is_exact_zero() {
        return Ok(Real::ONE);
    }
    match base {
        Real::Int(0) if power.is_negative() => return Err(NumberError::DivideByZero),
        Real::Int(0 | 1) => return Ok(base.clone()),
        Real::Int(-1) => {
            let odd = Number::Real(power.clone()).is_odd()?;
            return Ok(Real::Int(if odd { -1 } else { 1 }));
        }
        _ => {}
    }
    let Real::Int(e) = power else {
        return Err(NumberError::TooLarge);
    };
    let (n, d) = base.as_fraction().ok_or(NumberError::NotExact)?;
    let (n, d) = (
        power_of(&n, e.unsigned_abs())?,
        power_of(&d, e.unsigned_abs())?,
    );
    Ok(if *e < 0 {
        Real::from_coprime(d, n)
    } else {
        Real::from_coprime(n, d)
    })
}

/// `n^e` when the result is not too large. Powers of two in `n` become a shift.
fn power_of(n: &BigInt, e: u64) -> Result<BigInt> {
    check_power(&BigInt::from(n.magnitude().clone()), e as f64)?;
    let zeros = n.trailing_zeros().unwrap_or(0);
    let odd = n.magnitude() >> zeros;
    let sign = if n.sign() == Sign::Minus && e & 1 == 1 {
        Sign::Minus
    } else {
        Sign::Plus
    };
    let power = if odd.is_one() {
        odd
    } else {
        odd.pow(e.to_u32().ok_or(NumberError::TooLarge)?)
    };
    Ok(BigInt::from_biguint(sign, power << zeros.saturating_mul(e)))
}

/// Refuses `n^e` for a positive `n` when it is too large, before any work.
fn check_power(n: &BigInt, e: f64) -> Result<()> {
    let (m, weight) = scaled(n, &BigInt::one());
    if (libm::log2(m) + weight as f64) * e >= MAX_BITS as f64 {
        return Err(NumberError::TooLarge);
    }
    Ok(())
}
