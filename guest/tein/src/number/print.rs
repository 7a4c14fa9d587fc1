//! External representations: `number->string`, and the number of a JSON text.
//!
//! Flonums print as the reference does: the shortest digits that read back, with an
//! exponent where C's `%g` with 15 digits, or as many as there are, would have one.
//! In radices other than ten the grammar has no decimals, so a flonum prints as `#i`
//! with its exact value, which reads back too.

use std::fmt;

use num_bigint::{BigInt, Sign};

use super::{Complex, Number, NumberError, Real, Result, big};

/// Significant digits for which `%g` always shows a plain number.
const PLAIN_DIGITS: i32 = 15;

impl Number {
    /// `(number->string self radix)`, for a radix from 2 to 36.
    pub fn to_string_radix(&self, radix: u32) -> Result<String> {
        if !(2..=36).contains(&radix) {
            return Err(NumberError::OutOfRange);
        }
        let mut out = String::new();
        let (re, im) = self.parts();
        let finite = |r: &Real| matches!(r, Real::Flo(x) if x.is_finite());
        if radix != 10 && (finite(re) || finite(im)) {
            out.push_str("#i");
        }
        match self {
            Number::Real(r) => r.write(radix, &mut out),
            Number::Complex(z) => z.write(radix, &mut out),
        }
        Ok(out)
    }

    /// The JSON number: integers in full, flonums in the shortest form that reads back;
    /// `None` for numbers that JSON cannot hold.
    pub fn to_json(&self) -> Option<String> {
        match self {
            Number::Real(Real::Int(n)) => Some(n.to_string()),
            Number::Real(Real::Big(n)) => Some(integer(n, 10)),
            Number::Real(Real::Flo(x)) if x.is_finite() => Some(json_float(*x)),
            _ => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_radix(10).unwrap_or_default())
    }
}

impl Complex {
    fn write(&self, radix: u32, out: &mut String) {
        let positive_zero = |x: &f64| x.to_bits() == 0;
        if !(self.re.is_exact_zero() || matches!(&self.re, Real::Flo(x) if positive_zero(x))) {
            self.re.write(radix, out);
        }
        match &self.im {
            Real::Int(1) => out.push('+'),
            Real::Int(-1) => out.push('-'),
            im => {
                let mut text = String::new();
                im.write(radix, &mut text);
                if !text.starts_with(['+', '-']) {
                    out.push('+');
                }
                out.push_str(&text);
            }
        }
        out.push('i');
    }
}

impl Real {
    /// Writes the number, without a prefix.
    fn write(&self, radix: u32, out: &mut String) {
        match self {
            Real::Int(n) if radix == 10 => out.push_str(&n.to_string()),
            Real::Int(n) => out.push_str(&BigInt::from(*n).to_str_radix(radix)),
            Real::Big(n) => out.push_str(&integer(n, radix)),
            Real::Rat(q) => {
                out.push_str(&integer(q.numer(), radix));
                out.push('/');
                out.push_str(&integer(q.denom(), radix));
            }
            Real::Flo(x) => flonum(*x, radix, out),
        }
    }
}

fn integer(n: &BigInt, radix: u32) -> String {
    let digits = big::to_digits(n.magnitude(), radix);
    if n.sign() == Sign::Minus {
        format!("-{digits}")
    } else {
        digits
    }
}

fn flonum(x: f64, radix: u32, out: &mut String) {
    if x.is_nan() {
        out.push_str("+nan.0");
    } else if x.is_infinite() {
        out.push_str(if x > 0.0 { "+inf.0" } else { "-inf.0" });
    } else if radix == 10 {
        decimal(x, out);
    } else {
        if x == 0.0 && x.is_sign_negative() {
            out.push('-');
        }
        if let Ok(exact) = Real::Flo(x).to_exact() {
            exact.write(radix, out);
        }
    }
}

/// The shortest digits that read back, without leading or trailing zeros, and the
/// power of ten of the first.
fn shortest(x: f64) -> (String, i32) {
    let form = split(&format!("{:e}", x.abs()));
    if form.0.len() > 15 {
        // Of two such forms that are equally near, both references take the even one.
        let even = format!("{:.*e}", form.0.len() - 1, x.abs());
        if even.parse() == Ok(x.abs()) {
            return split(&even);
        }
    }
    form
}

/// The digits and the exponent of Rust's scientific form.
fn split(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

/// Writes `digits` with a point after the first `whole` of them; that may be negative,
/// or beyond the last.
fn place_point(digits: &str, whole: i32, out: &mut String) {
    let count = usize::try_from(whole).unwrap_or(0);
    if whole <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n(
            '0',
            usize::try_from(-whole).unwrap_or(0),
        ));
        out.push_str(digits);
        return;
    }
    match digits.split_at_checked(count) {
        Some((before, after)) if !after.is_empty() => {
            out.push_str(before);
            out.push('.');
            out.push_str(after);
        }
        _ => {
            out.push_str(digits);
            out.extend(std::iter::repeat_n('0', count.saturating_sub(digits.len())));
            out.push_str(".0");
        }
    }
}

/// `d` or `d.ddd`, as the mantissa before an exponent.
fn mantissa(digits: &str, out: &mut String) {
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    out.push_str(first);
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
}

/// A finite double as the reference writes it.
fn decimal(x: f64, out: &mut String) {
    if x.is_sign_negative() {
        out.push('-');
    }
    let (digits, exponent) = shortest(x);
    let precision = i32::try_from(digits.len()).unwrap_or(0).max(PLAIN_DIGITS);
    if (-4..precision).contains(&exponent) {
        place_point(&digits, exponent + 1, out);
        return;
    }
    mantissa(&digits, out);
    let sign = if exponent < 0 { '-' } else { '+' };
    out.push_str(&format!("e{sign}{:02}", exponent.abs()));
}

/// A finite double as the JSON library of the host writes it: plain from 1e-5 up to
/// 1e16, else with a signed exponent.
fn json_float(x: f64) -> String {
    let mut out = String::new();
    if x.is_sign_negative() {
        out.push('-');
    }
    let (digits, exponent) = shortest(x);
    if (-5..16).contains(&exponent) {
        place_point(&digits, exponent + 1, &mut out);
    } else {
        mantissa(&digits, &mut out);
        let sign = if exponent < 0 { '-' } else { '+' };
        out.push_str(&format!("e{sign}{}", exponent.abs()));
    }
    out
}
