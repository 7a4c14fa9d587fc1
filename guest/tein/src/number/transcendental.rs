//! `exp`, `log` and the trigonometric functions (section 6.2.6). Results are inexact,
//! also for exact arguments; reals outside a function's real domain give complex
//! numbers. Branch cuts are those of section 6.2.6, from Common Lisp.

use std::f64::consts::{E, FRAC_PI_2, LN_2, LOG10_2, PI};

use super::complex::Float;
use super::convert::scaled;
use super::{Number, NumberError, Real, Result};

/// `libm` is off by one unit in the last place where everyone knows the digits.
fn real_exp(x: f64) -> f64 {
    if x == 1.0 { E } else { libm::exp(x) }
}

impl Number {
    /// `(exp self)`.
    pub fn exp(&self) -> Result<Number> {
        self.apply(real_exp, Float::exp)
    }

    fn apply(&self, real: fn(f64) -> f64, complex: fn(Float) -> Float) -> Result<Number> {
        Ok(match self {
            Number::Real(r) => Number::from(real(r.to_f64())),
            Number::Complex(z) => Number::from_float(complex(z.floats())),
        })
    }

    /// `(log self)`. The logarithm of zero is minus infinity.
    pub fn log(&self) -> Result<Number> {
        Ok(match self {
            Number::Real(r) if r.is_negative() => {
                Number::from_float(Float::new(real_log(&r.negate(), libm::log, LN_2), PI))
            }
            Number::Real(r) => Number::from(real_log(r, libm::log, LN_2)),
            Number::Complex(z) => Number::from_float(z.floats().log()),
        })
    }

    /// `(log self base)`. Bases two and ten have functions of their own, so that the
    /// logarithms of their powers are integers.
    pub fn log_base(&self, base: &Number) -> Result<Number> {
        if let (Number::Real(r), Number::Real(b)) = (self, base)
            && !r.is_negative()
        {
            let b = b.to_f64();
            if b == 2.0 {
                return Ok(Number::from(real_log(r, libm::log2, 1.0)));
            }
            if b == 10.0 {
                return Ok(Number::from(real_log(r, libm::log10, LOG10_2)));
            }
        }
        let quotient = self.log()?.div(&base.log()?)?;
        if let (Ok(z), Ok(b), Some(x)) = (self.to_f64(), base.to_f64(), quotient.as_f64()) {
            // The quotient of two roundings may miss an integer that is the answer.
            let whole = x.round_ties_even();
            if (x - whole).abs() < 1e-12 && z.is_normal() && libm::pow(b, whole) == z {
                return Ok(Number::from(whole));
            }
        }
        Ok(quotient)
    }

    /// `(sin self)`.
    pub fn sin(&self) -> Result<Number> {
        self.apply(libm::sin, |z| {
            Float::new(
                libm::sin(z.re) * libm::cosh(z.im),
                libm::cos(z.re) * libm::sinh(z.im),
            )
        })
    }

    /// `(cos self)`.
    pub fn cos(&self) -> Result<Number> {
        self.apply(libm::cos, |z| {
            Float::new(
                libm::cos(z.re) * libm::cosh(z.im),
                -(libm::sin(z.re) * libm::sinh(z.im)),
            )
        })
    }

    /// `(tan self)`.
    pub fn tan(&self) -> Result<Number> {
        self.apply(libm::tan, |z| {
            // Far from the real axis the hyperbolic functions overflow, and the
            // tangent is a unit up or down.
            if z.im.abs() > 20.0 {
                let fade = 4.0 * libm::exp(-2.0 * z.im.abs());
                return Float::new(
                    fade * libm::sin(z.re) * libm::cos(z.re),
                    1.0_f64.copysign(z.im),
                );
            }
            let scale = libm::cos(2.0 * z.re) + libm::cosh(2.0 * z.im);
            Float::new(
                libm::sin(2.0 * z.re) / scale,
                libm::sinh(2.0 * z.im) / scale,
            )
        })
    }

    /// `(asin self)`.
    pub fn asin(&self) -> Result<Number> {
        Ok(match self {
            Number::Real(r) => {
                let x = r.to_f64();
                if x.abs() > 1.0 {
                    let im = -libm::acosh(x.abs()).copysign(x);
                    return Ok(Number::from_float(Float::new(FRAC_PI_2.copysign(x), im)));
                }
                Number::from(libm::asin(x))
            }
            Number::Complex(z) => {
                let z = z.floats();
                let (minus, plus) = roots_about_one(z);
                let re = libm::atan2(z.re, minus.re * plus.re - minus.im * plus.im);
                Number::from_float(Float::new(re, libm::asinh(minus.conj().mul(plus).im)))
            }
        })
    }

    /// `(acos self)`.
    pub fn acos(&self) -> Result<Number> {
        Ok(match self {
            Number::Real(r) => {
                let x = r.to_f64();
                if x.abs() > 1.0 {
                    let im = libm::acosh(x.abs()).copysign(x);
                    let re = if x > 0.0 { 0.0 } else { PI };
                    return Ok(Number::from_float(Float::new(re, im)));
                }
                Number::from(libm::acos(x))
            }
            Number::Complex(z) => {
                let (minus, plus) = roots_about_one(z.floats());
                let re = 2.0 * libm::atan2(minus.re, plus.re);
                Number::from_float(Float::new(re, libm::asinh(plus.conj().mul(minus).im)))
            }
        })
    }

    /// `(atan self)`, which has no value at `+i` and `-i`.
    pub fn atan(&self) -> Result<Number> {
        let z = match self {
            Number::Real(r) => return Ok(Number::from(libm::atan(r.to_f64()))),
            Number::Complex(z) => z,
        };
        if z.re.is_exact_zero() && matches!(z.im, Real::Int(1 | -1)) {
            return Err(NumberError::DivideByZero);
        }
        // (log(1 + iz) - log(1 - iz)) / 2i
        let z = z.floats();
        let difference = Float::new(1.0 - z.im, z.re)
            .log()
            .sub(Float::new(1.0 + z.im, -z.re).log());
        Ok(Number::from_float(Float::new(
            difference.im / 2.0,
            -difference.re / 2.0,
        )))
    }

    /// `(atan y x)`: the angle of `x + yi`, for reals that are not both exact zeros.
    pub fn atan2(&self, x: &Number) -> Result<Number> {
        let (y, x) = (self.real()?, x.real()?);
        if y.is_exact_zero() && x.is_exact() {
            // Exact arguments have no signed zero to choose a side with.
            return match x {
                x if x.is_zero() => Err(NumberError::DivideByZero),
                x if x.is_negative() => Ok(Number::from(PI)),
                _ => Ok(Number::ZERO),
            };
        }
        let (mut fy, mut fx) = (y.to_f64(), x.to_f64());
        if y.is_exact() && x.is_exact() && !x.is_zero() && !(fy.is_normal() && fx.is_normal()) {
            // Only the quotient matters, which may be well within range.
            let quotient = y.div(&x.abs())?.to_f64();
            (fy, fx) = (quotient, 1.0_f64.copysign(fx));
        }
        Ok(Number::from(libm::atan2(fy, fx)))
    }
}

/// A logarithm of a real that is not negative; `unit` is the same logarithm of two.
fn real_log(r: &Real, log: fn(f64) -> f64, unit: f64) -> f64 {
    let x = r.to_f64();
    if r.is_exact()
        && !r.is_zero()
        && !x.is_normal()
        && let Some((n, d)) = r.as_fraction()
    {
        let (m, e) = scaled(&n, &d);
        return log(m) + e as f64 * unit;
    }
    log(x)
}

/// `sqrt(1 - z)` and `sqrt(1 + z)`, from which Kahan takes both inverse functions
/// without cancellation.
fn roots_about_one(z: Float) -> (Float, Float) {
    (
        Float::new(1.0 - z.re, -z.im).sqrt(),
        Float::new(1.0 + z.re, z.im).sqrt(),
    )
}
