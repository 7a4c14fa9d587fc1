//! Rectangular complex numbers, exact and inexact.

use super::{Number, NumberError, Real, Result};

/// A complex number. The imaginary part is not an exact zero, and the parts are both
/// exact or both inexact: a number is inexact when a part of it is (section 6.2.2).
#[derive(Clone, Debug)]
pub struct Complex {
    pub(super) re: Real,
    pub(super) im: Real,
}

impl Complex {
    /// The real part.
    pub fn re(&self) -> &Real {
        &self.re
    }

    /// The imaginary part.
    pub fn im(&self) -> &Real {
        &self.im
    }

    pub(super) fn floats(&self) -> Float {
        Float {
            re: self.re.to_f64(),
            im: self.im.to_f64(),
        }
    }
}

impl Number {
    /// `re + im i`, real when `im` is an exact zero.
    pub(super) fn rectangular(re: Real, im: Real) -> Number {
        if im.is_exact_zero() {
            return Number::Real(re);
        }
        let (re, im) = match (re.is_exact(), im.is_exact()) {
            (true, false) => (re.to_inexact(), im),
            (false, true) => (re, im.to_inexact()),
            _ => (re, im),
        };
        Number::Complex(Box::new(Complex { re, im }))
    }

    pub(super) fn from_float(z: Float) -> Number {
        Number::rectangular(Real::Flo(z.re), Real::Flo(z.im))
    }

    /// Both parts; the imaginary part of a real number is an exact zero.
    pub(super) fn parts(&self) -> (&Real, &Real) {
        match self {
            Number::Real(r) => (r, &Real::ZERO),
            Number::Complex(z) => (&z.re, &z.im),
        }
    }
}

pub(super) fn add(a: &Number, b: &Number) -> Result<Number> {
    let ((a, b), (c, d)) = (a.parts(), b.parts());
    Ok(Number::rectangular(a.add(c)?, b.add(d)?))
}

pub(super) fn sub(a: &Number, b: &Number) -> Result<Number> {
    let ((a, b), (c, d)) = (a.parts(), b.parts());
    Ok(Number::rectangular(a.sub(c)?, b.sub(d)?))
}

pub(super) fn mul(a: &Number, b: &Number) -> Result<Number> {
    match (a, b) {
        // By parts: an imaginary part that is not there must not meet an infinity.
        (Number::Real(r), Number::Complex(z)) | (Number::Complex(z), Number::Real(r)) => {
            Ok(Number::rectangular(z.re.mul(r)?, z.im.mul(r)?))
        }
        _ => {
            let ((a, b), (c, d)) = (a.parts(), b.parts());
            let re = a.mul(c)?.sub(&b.mul(d)?)?;
            let im = a.mul(d)?.add(&b.mul(c)?)?;
            Ok(Number::rectangular(re, im))
        }
    }
}

pub(super) fn div(a: &Number, b: &Number) -> Result<Number> {
    match (a, b) {
        (Number::Complex(z), Number::Real(r)) => {
            Ok(Number::rectangular(z.re.div(r)?, z.im.div(r)?))
        }
        (_, Number::Real(r)) if r.is_exact_zero() => Err(NumberError::DivideByZero),
        _ => {
            let ((a_re, a_im), (c, d)) = (a.parts(), b.parts());
            if !(a_re.is_exact() && c.is_exact()) {
                let n = Float {
                    re: a_re.to_f64(),
                    im: a_im.to_f64(),
                };
                let d = Float {
                    re: c.to_f64(),
                    im: d.to_f64(),
                };
                return Ok(Number::from_float(n.div(d)));
            }
            let norm = c.mul(c)?.add(&d.mul(d)?)?;
            let re = a_re.mul(c)?.add(&a_im.mul(d)?)?.div(&norm)?;
            let im = a_im.mul(c)?.sub(&a_re.mul(d)?)?.div(&norm)?;
            Ok(Number::rectangular(re, im))
        }
    }
}

/// A complex number of doubles, for the transcendental functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Float {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl Float {
    pub(super) fn new(re: f64, im: f64) -> Float {
        Float { re, im }
    }

    pub(super) fn sub(self, other: Float) -> Float {
        Float::new(self.re - other.re, self.im - other.im)
    }

    pub(super) fn mul(self, other: Float) -> Float {
        Float::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }

    pub(super) fn conj(self) -> Float {
        Float::new(self.re, -self.im)
    }

    /// Smith's division: no square of a part overflows.
    pub(super) fn div(self, other: Float) -> Float {
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let scale = other.re + other.im * ratio;
            Float::new(
                (self.re + self.im * ratio) / scale,
                (self.im - self.re * ratio) / scale,
            )
        } else {
            let ratio = other.re / other.im;
            let scale = other.re * ratio + other.im;
            Float::new(
                (self.re * ratio + self.im) / scale,
                (self.im * ratio - self.re) / scale,
            )
        }
    }

    pub(super) fn magnitude(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    pub(super) fn angle(self) -> f64 {
        libm::atan2(self.im, self.re)
    }

    pub(super) fn exp(self) -> Float {
        let scale = libm::exp(self.re);
        Float::new(scale * libm::cos(self.im), scale * libm::sin(self.im))
    }

    pub(super) fn log(self) -> Float {
        // Halving first keeps the magnitude of the largest numbers finite.
        let (scaled, offset) = if self.re.abs().max(self.im.abs()) > 1e300 {
            (
                Float::new(self.re / 2.0, self.im / 2.0),
                std::f64::consts::LN_2,
            )
        } else {
            (self, 0.0)
        };
        Float::new(libm::log(scaled.magnitude()) + offset, self.angle())
    }

    /// The principal root, in the right half plane.
    pub(super) fn sqrt(self) -> Float {
        let Float { re, im } = self;
        if re == 0.0 && im == 0.0 {
            return Float::new(0.0, im);
        }
        if im.is_infinite() {
            return Float::new(f64::INFINITY, im);
        }
        if re.is_infinite() {
            return if re > 0.0 {
                Float::new(re, 0.0_f64.copysign(im))
            } else {
                Float::new(0.0, f64::INFINITY.copysign(im))
            };
        }
        // Scale by an even power of two where squares would leave the range.
        let largest = re.abs().max(im.abs());
        let (scale, back) = if largest > 1e300 {
            (1.0 / 16.0, 4.0)
        } else if largest < 1e-290 {
            (
                f64::from_bits(0x43b0_0000_0000_0000),
                1.0 / f64::from_bits(0x41d0_0000_0000_0000),
            )
        } else {
            (1.0, 1.0)
        };
        let (x, y) = (re * scale, im * scale);
        let t = ((x.abs() + libm::hypot(x, y)) / 2.0).sqrt();
        let root = if x >= 0.0 {
            Float::new(t, y / (2.0 * t))
        } else {
            Float::new(y.abs() / (2.0 * t), t.copysign(y))
        };
        Float::new(root.re * back, root.im * back)
    }
}
