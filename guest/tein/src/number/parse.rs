//! The grammar of `<number>`, section 7.1.1.
//!
//! What is read is exactly the grammar: decimals in radix ten only, no repair of
//! anything near it. A fraction with a zero denominator is not a number.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

use super::limits::MAX_BITS;
use super::{Number, NumberError, Real, Result, big};

/// Reads a number, `None` for text that is none or would be too large.
pub fn parse(text: &str, radix: u32) -> Option<Number> {
    read(text, radix).ok().flatten()
}

/// Reads a number: `Ok(None)` for text that is none, an error for one that would be
/// too large, as `#e1e1000000000`. The radix, from 2 to 36, holds unless the text has a
/// prefix. Where it is so large that `i` is a digit, there are no complex numbers.
pub fn read(text: &str, radix: u32) -> Result<Option<Number>> {
    if !text.is_ascii() || !(2..=36).contains(&radix) {
        return Ok(None);
    }
    let Some((rest, radix, exactness)) = prefixes(text, radix) else {
        return Ok(None);
    };
    Scanner {
        text: rest,
        at: 0,
        radix,
        exactness,
    }
    .complex()
}

/// The cost of reading a text of `length` bytes: what comes with it may be a bignum.
pub fn parse_work(length: usize) -> u64 {
    let limbs = u64::try_from(length).unwrap_or(u64::MAX) / 16 + 1;
    // A fraction is reduced, which is quadratic.
    if limbs < 8 {
        1
    } else {
        limbs.saturating_mul(limbs) / 2
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Exactness {
    /// As the text says.
    Natural,
    /// `#e`.
    Exact,
    /// `#i`.
    Inexact,
}

/// A radix and an exactness prefix, at most one of each in either order.
fn prefixes(text: &str, default: u32) -> Option<(&str, u32, Exactness)> {
    let (mut rest, mut radix, mut exactness) = (text, None, None);
    while let Some(after) = rest.strip_prefix('#') {
        let new_radix = match after.bytes().next()?.to_ascii_lowercase() {
            b'b' => Some(2),
            b'o' => Some(8),
            b'd' => Some(10),
            b'x' => Some(16),
            letter => {
                let new = match letter {
                    b'e' => Exactness::Exact,
                    b'i' => Exactness::Inexact,
                    _ => return None,
                };
                if exactness.replace(new).is_some() {
                    return None;
                }
                None
            }
        };
        if new_radix.is_some() {
            if radix.is_some() {
                return None;
            }
            radix = new_radix;
        }
        rest = after.get(1..)?;
    }
    Some((
        rest,
        radix.unwrap_or(default),
        exactness.unwrap_or(Exactness::Natural),
    ))
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    radix: u32,
    exactness: Exactness,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text
            .as_bytes()
            .get(self.at)
            .map(u8::to_ascii_lowercase)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// An `i` that ends the number.
    fn take_imaginary(&mut self) -> bool {
        let last = self.at + 1 == self.text.len();
        last && self.radix <= 18 && self.take(b'i')
    }

    fn complex(mut self) -> Result<Option<Number>> {
        let signed = matches!(self.peek(), Some(b'+' | b'-'));
        let negative = self.peek() == Some(b'-');
        let Some(first) = self.real()? else {
            // `+i` and `-i`: a sign and no more.
            return Ok((signed && self.take_imaginary())
                .then(|| Number::rectangular(Real::ZERO, self.unit(negative))));
        };
        if self.at_end() {
            return Ok(Some(Number::Real(first)));
        }
        if signed && self.take_imaginary() {
            return Ok(Some(Number::rectangular(Real::ZERO, first)));
        }
        if self.take(b'@') {
            let Some(angle) = self.real()? else {
                return Ok(None);
            };
            if !self.at_end() {
                return Ok(None);
            }
            let polar = Number::make_polar(&Number::Real(first), &Number::Real(angle))?;
            return match self.exactness {
                // An infinite part has no exact value: then this is not a number.
                Exactness::Exact => match polar.exact() {
                    Err(NumberError::NotRational) => Ok(None),
                    other => other.map(Some),
                },
                Exactness::Inexact => Ok(Some(polar.inexact())),
                Exactness::Natural => Ok(Some(polar)),
            };
        }
        let negative = match self.peek() {
            Some(b'+') => false,
            Some(b'-') => true,
            _ => return Ok(None),
        };
        let start = self.at;
        let imaginary = match self.real()? {
            Some(im) => im,
            None if self.at == start + 1 => self.unit(negative),
            None => return Ok(None),
        };
        Ok(self
            .take_imaginary()
            .then(|| Number::rectangular(first, imaginary)))
    }

    /// The imaginary part of `+i` and `-i`.
    fn unit(&self, negative: bool) -> Real {
        let one = if negative { -1 } else { 1 };
        match self.exactness {
            Exactness::Inexact => Real::Int(one).to_inexact(),
            _ => Real::Int(one),
        }
    }

    /// `<real R>`. After a sign with nothing that belongs to it, the sign is consumed
    /// and the result is `None`.
    fn real(&mut self) -> Result<Option<Real>> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        if self.take(b'+') || self.take(b'-') {
            let word = self.text.get(self.at..self.at + 5).unwrap_or("");
            let value = if word.eq_ignore_ascii_case("inf.0") {
                Some(if negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                })
            } else if word.eq_ignore_ascii_case("nan.0") {
                Some(f64::NAN)
            } else {
                None
            };
            if let Some(value) = value {
                self.at += 5;
                return Ok((self.exactness != Exactness::Exact).then_some(Real::Flo(value)));
            }
        }
        let whole = self.digits();
        if self.peek() == Some(b'/') && !whole.is_empty() {
            self.at += 1;
            let denom = self.digits();
            return if denom.is_empty() {
                Ok(None)
            } else {
                self.fraction(negative, whole, denom)
            };
        }
        if self.radix == 10 {
            let fraction = if self.take(b'.') {
                Some(self.digits())
            } else {
                None
            };
            if whole.is_empty() && fraction.is_none_or(str::is_empty) {
                return Ok(None);
            }
            let exponent = if self.take(b'e') {
                match self.exponent() {
                    Some(exponent) => Some(exponent),
                    None => return Ok(None),
                }
            } else {
                None
            };
            if fraction.is_some() || exponent.is_some() {
                let text = self.text.get(start..self.at).unwrap_or("");
                return self.decimal(
                    negative,
                    text,
                    whole,
                    fraction.unwrap_or(""),
                    exponent.unwrap_or(0),
                );
            }
        }
        if whole.is_empty() {
            return Ok(None);
        }
        self.integer(negative, whole).map(Some)
    }

    fn digits(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or("");
        let end = rest
            .bytes()
            .position(|b| !char::from(b).is_digit(self.radix));
        let digits = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.at += digits.len();
        digits
    }

    /// The digits after `e`, held within bounds that are far out of range anyway.
    fn exponent(&mut self) -> Option<i64> {
        let negative = self.peek() == Some(b'-');
        if !self.take(b'-') {
            self.take(b'+');
        }
        let digits = self.digits();
        if digits.is_empty() {
            return None;
        }
        let size = digits
            .parse::<i64>()
            .unwrap_or(i64::MAX / 4)
            .min(i64::MAX / 4);
        Some(if negative { -size } else { size })
    }

    fn magnitude(&self, digits: &str) -> Result<BigUint> {
        let digits = digits.trim_start_matches('0');
        let bits = digits.len() as f64 * libm::log2(f64::from(self.radix));
        if bits > MAX_BITS as f64 {
            return Err(NumberError::TooLarge);
        }
        Ok(big::from_digits(digits.as_bytes(), self.radix))
    }

    fn integer(&self, negative: bool, digits: &str) -> Result<Real> {
        // `from_str_radix` refuses what does not fit; a sign cannot be here.
        let exact = match i64::from_str_radix(digits, self.radix) {
            Ok(small) => Real::Int(if negative { -small } else { small }),
            Err(_) => Real::from(with_sign(negative, self.magnitude(digits)?)),
        };
        Ok(if self.exactness == Exactness::Inexact {
            inexact(&exact, negative)
        } else {
            exact
        })
    }

    fn fraction(&self, negative: bool, numer: &str, denom: &str) -> Result<Option<Real>> {
        let denom = self.magnitude(denom)?;
        if denom.is_zero() {
            return Ok(None);
        }
        let numer = with_sign(negative, self.magnitude(numer)?);
        let exact = Real::from_ratio(numer, BigInt::from(denom))?;
        Ok(Some(if self.exactness == Exactness::Inexact {
            inexact(&exact, negative)
        } else {
            exact
        }))
    }

    fn decimal(
        &self,
        negative: bool,
        text: &str,
        whole: &str,
        fraction: &str,
        exponent: i64,
    ) -> Result<Option<Real>> {
        if self.exactness != Exactness::Exact {
            // The standard library rounds correctly, in linear time.
            return Ok(text.parse::<f64>().ok().map(Real::Flo));
        }
        let digits = [whole, fraction].concat();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(Some(Real::ZERO));
        }
        let significant = digits.trim_end_matches('0');
        let dropped = digits.len() - significant.len();
        let length = |n: usize| i64::try_from(n).unwrap_or(i64::MAX / 4);
        let exponent = exponent - length(fraction.len()) + length(dropped);
        let mantissa = self.magnitude(significant)?;
        let bits = mantissa.bits() as f64 + exponent as f64 * std::f64::consts::LOG2_10;
        if bits > MAX_BITS as f64 || exponent as f64 * -std::f64::consts::LOG2_10 > MAX_BITS as f64
        {
            return Err(NumberError::TooLarge);
        }
        let power = u32::try_from(exponent.unsigned_abs()).map_err(|_| NumberError::TooLarge)?;
        if exponent >= 0 {
            let value = (mantissa * BigUint::from(5u32).pow(power)) << power;
            return Ok(Some(Real::from(with_sign(negative, value))));
        }
        // Only twos and fives can be common to both: cheaper than a general gcd.
        let twos = mantissa.trailing_zeros().unwrap_or(0).min(u64::from(power));
        let mut mantissa = mantissa >> twos;
        let mut fives = u64::from(power);
        if (&mantissa % 5u32).is_zero() {
            let (count, left) = big::remove_factor(&mantissa, 5);
            let spare = u32::try_from(count.saturating_sub(fives)).unwrap_or(0);
            fives = fives.saturating_sub(count);
            mantissa = left * BigUint::from(5u32).pow(spare);
        }
        let fives = u32::try_from(fives).map_err(|_| NumberError::TooLarge)?;
        let denom = BigUint::from(5u32).pow(fives) << (u64::from(power) - twos);
        Ok(Some(Real::from_coprime(
            with_sign(negative, mantissa),
            BigInt::from(denom),
        )))
    }
}

fn with_sign(negative: bool, magnitude: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude)
}

/// The double for `#i`, where `-0` keeps its sign so that flonums read back.
fn inexact(exact: &Real, negative: bool) -> Real {
    let x = exact.to_f64();
    Real::Flo(if negative { -x.abs() } else { x })
}
