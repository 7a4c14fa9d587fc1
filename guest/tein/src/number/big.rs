//! Algorithms on magnitudes that `num-bigint` has only in quadratic or slower form.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// Below this many bits of divisor or quotient, schoolbook division is faster.
const DIVIDE_BITS: u64 = 64 * 100;
/// Digits below which the library's own conversions are faster.
const CHUNK: usize = 512;

/// Quotient and remainder; `(0, 0)` when the divisor is zero, which callers rule out.
pub(super) fn div_rem(n: &BigUint, d: &BigUint) -> (BigUint, BigUint) {
    if d.is_zero() {
        return (BigUint::zero(), BigUint::zero());
    }
    let size = d.bits();
    if size < DIVIDE_BITS || n.bits() < size + DIVIDE_BITS {
        return num_integer::Integer::div_rem(n, d);
    }
    // Halving must end at whole limbs: widen the divisor to a multiple of 64 * 2^k bits.
    let mut width = size;
    let mut halvings = 0;
    while width >= DIVIDE_BITS {
        width = width.div_ceil(2);
        halvings += 1;
    }
    let width = (width.div_ceil(64) * 64) << halvings;
    let shift = width - size;
    let (n, d) = (n << shift, d << shift);
    // Long division with digits of `width` bits, which are whole 32-bit words.
    let words = usize::try_from(width / 32).unwrap_or(1);
    let digits = n.to_u32_digits();
    let mut quotient = Vec::with_capacity(digits.len() + words);
    let mut rest = BigUint::zero();
    for chunk in digits.chunks(words).rev() {
        let (q, r) = divide_double(&join(&rest, &BigUint::from_slice(chunk), width), &d, width);
        let mut q = q.to_u32_digits();
        q.resize(words, 0);
        quotient.extend(q.iter().rev());
        rest = r;
    }
    quotient.reverse();
    (BigUint::new(quotient), rest >> shift)
}

/// Burnikel and Ziegler's recursive division: `n < d * 2^width`, and `d` has exactly
/// `width` bits.
fn divide_double(n: &BigUint, d: &BigUint, width: u64) -> (BigUint, BigUint) {
    if width < DIVIDE_BITS || n.bits() < width + DIVIDE_BITS {
        return num_integer::Integer::div_rem(n, d);
    }
    let half = width / 2;
    let (high, low) = (d >> half, slice(d, 0, half));
    let (q1, r1) = divide_three_halves(&(n >> width), &slice(n, half, half), d, &high, &low, half);
    let (q0, r0) = divide_three_halves(&r1, &slice(n, 0, half), d, &high, &low, half);
    (join(&q1, &q0, half), r0)
}

/// One half-width digit of quotient: `(n2 * 2^half + n1) / d` for `d = high:low`.
fn divide_three_halves(
    n2: &BigUint,
    n1: &BigUint,
    d: &BigUint,
    high: &BigUint,
    low: &BigUint,
    half: u64,
) -> (BigUint, BigUint) {
    let (mut q, r) = if (n2 >> half) < *high {
        divide_double(n2, high, half)
    } else {
        // The estimate would not fit a digit: take the largest digit.
        let q = (BigUint::one() << half) - 1u32;
        let r = n2 + high - (high << half);
        (q, r)
    };
    let product = &q * low;
    let mut r = join(&r, n1, half);
    // The estimate is at most two too large.
    while r < product {
        r += d;
        q -= 1u32;
    }
    r -= product;
    (q, r)
}

/// `count` bits of `n` from bit `from`.
fn slice(n: &BigUint, from: u64, count: u64) -> BigUint {
    let top = n >> from;
    if top.bits() <= count {
        return top;
    }
    let high = (&top >> count) << count;
    top - high
}

/// `high * 2^width + low`.
fn join(high: &BigUint, low: &BigUint, width: u64) -> BigUint {
    if high.is_zero() {
        low.clone()
    } else {
        (high << width) + low
    }
}

/// Greatest common divisor of machine words; `gcd(0, n)` is `n`.
pub(super) fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Greatest common divisor by Lehmer's method: the leading bits decide many steps of
/// Euclid's algorithm at once.
pub(super) fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = if a >= b {
        (a.clone(), b.clone())
    } else {
        (b.clone(), a.clone())
    };
    loop {
        if b.is_zero() {
            return a;
        }
        if let Some(small) = b.to_u64() {
            let rest = (a % small).to_u64().unwrap_or(0);
            return BigUint::from(gcd_words(small, rest));
        }
        let (mut x, mut y) = (a.to_u32_digits(), b.to_u32_digits());
        while y.len() > 2 {
            let [p, q, r, s] = lehmer(&x, &y);
            if q == 0 {
                break;
            }
            apply([p, q, r, s], &mut x, &mut y);
        }
        // What the leading bits do not decide takes a step of its own.
        (a, b) = (BigUint::new(x), BigUint::new(y));
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        if b.is_zero() {
            return a;
        }
        let rest = div_rem(&a, &b).1;
        (a, b) = (b, rest);
    }
}

/// The 62 leading bits of `x`, and those of the same weight of `y`.
fn leading(x: &[u32], y: &[u32]) -> (i64, i64) {
    let top = x.last().map_or(0, |w| w.leading_zeros());
    let window = |words: &[u32]| {
        let words = (1..=3).map(|k| x.len().checked_sub(k).and_then(|at| words.get(at)));
        let bits = words.fold(0u128, |bits, w| {
            bits << 32 | u128::from(w.copied().unwrap_or(0))
        });
        i64::try_from((bits << top >> 34) & ((1 << 62) - 1)).unwrap_or(0)
    };
    (window(x), window(y))
}

/// Replaces both numbers by their combinations, which are not negative.
fn apply([p, q, r, s]: [i64; 4], x: &mut Vec<u32>, y: &mut Vec<u32>) {
    y.resize(x.len(), 0);
    let (mut carry_x, mut carry_y) = (0i64, 0i64);
    for (a, b) in x.iter_mut().zip(y.iter_mut()) {
        let (u, v) = (i64::from(*a), i64::from(*b));
        carry_x += p * u + q * v;
        carry_y += r * u + s * v;
        (*a, *b) = (
            (carry_x & 0xffff_ffff) as u32,
            (carry_y & 0xffff_ffff) as u32,
        );
        (carry_x, carry_y) = (carry_x >> 32, carry_y >> 32);
    }
    for words in [&mut *x, &mut *y] {
        while words.last() == Some(&0) {
            words.pop();
        }
    }
    if y.len() > x.len() {
        std::mem::swap(x, y);
    }
}

/// The steps of Euclid's algorithm that the leading bits decide, as a matrix.
fn lehmer(x: &[u32], y: &[u32]) -> [i64; 4] {
    // Cofactors below 2^30 keep every sum of products in `apply` within a word.
    const LIMIT: i64 = 1 << 30;
    let (mut x, mut y) = leading(x, y);
    let (mut p, mut q, mut r, mut s) = (1i64, 0i64, 0i64, 1i64);
    while y + r > 0 && y + s > 0 {
        let step = (x + p) / (y + r);
        if step != (x + q) / (y + s) || step >= LIMIT {
            break;
        }
        let (next_r, next_s) = (
            i128::from(p) - i128::from(step) * i128::from(r),
            i128::from(q) - i128::from(step) * i128::from(s),
        );
        let (Ok(next_r), Ok(next_s)) = (i64::try_from(next_r), i64::try_from(next_s)) else {
            break;
        };
        if next_r.abs() >= LIMIT || next_s.abs() >= LIMIT {
            break;
        }
        (p, r) = (r, next_r);
        (q, s) = (s, next_s);
        (x, y) = (y, x - step * y);
    }
    [p, q, r, s]
}

/// The integer square root and the remainder, by Zimmermann's recursion.
pub(super) fn sqrt_rem(n: &BigUint) -> (BigUint, BigUint) {
    if n.bits() < 2048 {
        let root = n.sqrt();
        let rest = n - &root * &root;
        return (root, rest);
    }
    // The recursion needs one of the two leading bits set.
    let odd = n.bits() % 4;
    if odd == 1 || odd == 2 {
        let (root, _) = sqrt_rem(&(n << 2u32));
        let root = root >> 1u32;
        let rest = n - &root * &root;
        return (root, rest);
    }
    let quarter = n.bits().div_ceil(4);
    let (high, rest) = sqrt_rem(&(n >> (2 * quarter)));
    let middle = join(&rest, &slice(n, quarter, quarter), quarter);
    let (q, u) = div_rem(&middle, &(&high << 1u32));
    let root = BigInt::from((high << quarter) + &q);
    let rest = BigInt::from(join(&u, &slice(n, 0, quarter), quarter)) - BigInt::from(&q * &q);
    let (root, rest) = if rest.sign() == Sign::Minus {
        let rest = rest + &root * 2 - 1;
        (root - 1, rest)
    } else {
        (root, rest)
    };
    (root.into_parts().1, rest.into_parts().1)
}

/// The root of a perfect square.
pub(super) fn exact_sqrt(n: &BigUint) -> Option<BigUint> {
    // Squares modulo 64: a cheap test that passes one number in five.
    const SQUARES: u64 = 0x0202_0212_0203_0213;
    if n.is_zero() {
        return Some(BigUint::zero());
    }
    let low = n.iter_u64_digits().next().unwrap_or(0) & 63;
    if SQUARES >> low & 1 == 0 {
        return None;
    }
    // And modulo 3 * 5 * 7 * 11 * 13 * 17, before the long way.
    let rest = (n % 255_255u32).to_u32().unwrap_or(0);
    for p in [3, 5, 7, 11, 13, 17] {
        if !(0..p).any(|k| k * k % p == rest % p) {
            return None;
        }
    }
    let (root, rest) = sqrt_rem(n);
    rest.is_zero().then_some(root)
}

/// The powers `base^(unit * 2^k)` until one is longer than `bits`.
fn powers(base: &BigUint, bits: u64) -> Vec<BigUint> {
    let mut list = vec![base.clone()];
    let mut last = base.clone();
    while last.bits() * 2 <= bits + 1 {
        last = &last * &last;
        list.push(last.clone());
    }
    list
}

/// The value of ASCII digits, all valid in the radix.
pub(super) fn from_digits(digits: &[u8], radix: u32) -> BigUint {
    if radix.is_power_of_two() || digits.len() <= CHUNK {
        return BigUint::parse_bytes(digits, radix).unwrap_or_default();
    }
    // Chunks join in pairs, so that both factors of each product are long.
    let mut values: Vec<BigUint> = digits
        .rchunks(CHUNK)
        .map(|chunk| BigUint::parse_bytes(chunk, radix).unwrap_or_default())
        .collect();
    let mut power = BigUint::from(radix).pow(u32::try_from(CHUNK).unwrap_or(0));
    loop {
        values = values
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => high * &power + low,
                [low] => low.clone(),
                _ => BigUint::zero(),
            })
            .collect();
        if values.len() <= 1 {
            return values.pop().unwrap_or_default();
        }
        power = &power * &power;
    }
}

/// The digits of a magnitude; the radix is from 2 to 36.
pub(super) fn to_digits(n: &BigUint, radix: u32) -> String {
    let unit = BigUint::from(radix).pow(u32::try_from(CHUNK).unwrap_or(0));
    if radix.is_power_of_two() || *n < unit {
        return n.to_str_radix(radix);
    }
    let powers = powers(&unit, n.bits());
    let mut out = String::new();
    write_digits(n, radix, &powers, &mut out);
    out
}

/// Writes `n`, with leading zeros unless `out` is still empty; `n` has at most twice
/// the digits of the last power.
fn write_digits(n: &BigUint, radix: u32, powers: &[BigUint], out: &mut String) {
    let Some((power, smaller)) = powers.split_last() else {
        let text = n.to_str_radix(radix);
        if out.is_empty() {
            if !n.is_zero() {
                out.push_str(&text);
            }
            return;
        }
        out.extend(std::iter::repeat_n('0', CHUNK.saturating_sub(text.len())));
        out.push_str(&text);
        return;
    };
    let (high, low) = div_rem(n, power);
    write_digits(&high, radix, smaller, out);
    write_digits(&low, radix, smaller, out);
}

/// How often `base` divides `n`, and what is left; `n` is not zero.
pub(super) fn remove_factor(n: &BigUint, base: u32) -> (u64, BigUint) {
    let powers = powers(&BigUint::from(base), n.bits());
    let mut left = n.clone();
    let mut count = 0;
    for (k, power) in powers.iter().enumerate().rev() {
        let (q, r) = div_rem(&left, power);
        if r.is_zero() {
            left = q;
            count += 1 << k;
        }
    }
    (count, left)
}
