//! What must hold for any numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;

fn big() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        3 => any::<i64>().prop_map(BigInt::from),
        1 => (-20i64..20).prop_map(BigInt::from),
        1 => any::<i128>().prop_map(BigInt::from),
        1 => proptest::collection::vec(any::<u8>(), 0..80).prop_map(|b| BigInt::from_signed_bytes_le(&b)),
        // Around the edges of words and of what doubles hold.
        1 => (0u32..130, -3i64..3).prop_map(|(k, d)| (BigInt::from(1) << k) + d),
    ]
}

fn integer() -> impl Strategy<Value = Number> {
    big().prop_map(Number::from)
}

fn exact_real() -> impl Strategy<Value = Number> {
    prop_oneof![
        integer(),
        (big(), big()).prop_filter_map("zero", |(a, b)| Number::rational(a, b).ok()),
    ]
}

fn flonum() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        any::<f64>(),
        (-1000i64..1000).prop_map(|n| n as f64),
        (-1000i64..1000).prop_map(|n| n as f64 / 8.0),
    ]
    .prop_map(Number::from)
}

fn real() -> impl Strategy<Value = Number> {
    prop_oneof![exact_real(), flonum()]
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        3 => real(),
        1 => (real(), real()).prop_map(|(a, b)| Number::make_rectangular(&a, &b).unwrap()),
    ]
}

/// Numerator and denominator, with no help from the code under test.
fn fraction(x: &Number) -> (BigInt, BigInt) {
    match x {
        Number::Real(Real::Int(n)) => (BigInt::from(*n), BigInt::from(1)),
        Number::Real(Real::Big(n)) => (n.clone(), BigInt::from(1)),
        Number::Real(Real::Rat(q)) => (q.numer().clone(), q.denom().clone()),
        other => panic!("not exact: {other}"),
    }
}

/// The invariants of the representation.
fn canonical(x: &Number) -> bool {
    let part = |r: &Real| match r {
        Real::Big(n) => i64::try_from(n).is_err(),
        Real::Rat(q) => {
            *q.denom() > BigInt::from(1)
                && num_integer::Integer::gcd(q.numer(), q.denom()) == BigInt::from(1)
        }
        Real::Int(_) | Real::Flo(_) => true,
    };
    match x {
        Number::Real(r) => part(r),
        Number::Complex(z) => {
            let exactness = matches!(z.re(), Real::Flo(_)) == matches!(z.im(), Real::Flo(_));
            part(z.re()) && part(z.im()) && exactness && !matches!(z.im(), Real::Int(0))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn text_reads_back(x in number()) {
        for radix in [2, 8, 10, 16] {
            let text = x.to_string_radix(radix).unwrap();
            let back = parse(&text, radix);
            prop_assert!(back.as_ref().is_some_and(|b| b.eqv(&x)), "{} gives {:?}", text, back);
            prop_assert!(canonical(&back.unwrap()));
        }
    }

    #[test]
    fn json_reads_back(x in flonum()) {
        if let Some(text) = x.to_json() {
            prop_assert_eq!(text.parse::<f64>().ok(), x.as_f64());
        }
    }

    #[test]
    fn any_text_is_a_number_or_not(text in "[-+#.0-9a-fixonEI/@]{0,12}", radix in 0u32..40) {
        if let Some(x) = parse(&text, radix) {
            prop_assert!(canonical(&x));
        }
    }

    #[test]
    fn any_unicode_is_a_number_or_not(text in "\\PC*") {
        let _ = parse(&text, 10);
    }

    #[test]
    fn arithmetic_is_that_of_fractions(a in exact_real(), b in exact_real()) {
        let ((n1, d1), (n2, d2)) = (fraction(&a), fraction(&b));
        let cases = [
            (a.add(&b), &n1 * &d2 + &n2 * &d1, &d1 * &d2),
            (a.sub(&b), &n1 * &d2 - &n2 * &d1, &d1 * &d2),
            (a.mul(&b), &n1 * &n2, &d1 * &d2),
            (a.div(&b), &n1 * &d2, &d1 * &n2),
        ];
        for (got, numer, denom) in cases {
            if denom == BigInt::ZERO {
                prop_assert_eq!(got.err(), Some(NumberError::DivideByZero));
                continue;
            }
            let got = got.unwrap();
            prop_assert!(canonical(&got));
            let (n, d) = fraction(&got);
            prop_assert_eq!(n * denom, numer * d);
        }
        let order = (&n1 * &d2).cmp(&(&n2 * &d1));
        prop_assert_eq!(a.compare(&b), Ok(Some(order)));
        prop_assert_eq!(a.eqv(&b), order == Ordering::Equal);
        prop_assert_eq!(a.negate().to_string(), Number::ZERO.sub(&a).unwrap().to_string());
    }

    #[test]
    fn order_is_transitive(a in real(), b in real(), c in real()) {
        let order = |x: &Number, y: &Number| x.compare(y).unwrap();
        if let (Some(ab), Some(bc), Some(ac)) = (order(&a, &b), order(&b, &c), order(&a, &c)) {
            if ab == bc || bc == Ordering::Equal {
                prop_assert_eq!(ac, ab);
            }
            prop_assert_eq!(order(&b, &a), Some(ab.reverse()));
        }
    }

    #[test]
    fn order_is_transitive_near_an_exact_number(a in exact_real(), steps in -2i64..3) {
        // The doubles around a number, against the number and its exact neighbours.
        let x = a.to_f64().unwrap();
        prop_assume!(x.is_finite());
        let near = f64::from_bits(x.to_bits().wrapping_add_signed(steps));
        prop_assume!(near.is_finite());
        let near = Number::from(near);
        prop_assert_eq!(near.compare(&a), near.exact().unwrap().compare(&a));
    }

    #[test]
    fn inexact_is_nearest(a in exact_real()) {
        let x = a.to_f64().unwrap();
        prop_assume!(x.is_finite() && x != 0.0);
        let distance = |x: f64| Number::from(x).exact().unwrap().sub(&a).unwrap().abs().unwrap();
        let here = distance(x);
        for step in [-1i64, 1] {
            let other = f64::from_bits(x.to_bits().wrapping_add_signed(step));
            if other.is_finite() {
                let order = here.compare(&distance(other)).unwrap().unwrap();
                prop_assert_ne!(order, Ordering::Greater);
                if order == Ordering::Equal {
                    prop_assert_eq!(x.to_bits() & 1, 0);
                }
            }
        }
    }

    #[test]
    fn exact_undoes_inexact(x in flonum()) {
        if let Ok(exact) = x.exact() {
            prop_assert!(canonical(&exact));
            prop_assert!(exact.num_eq(&x));
            prop_assert_eq!(exact.to_f64().ok(), x.as_f64());
        }
    }

    #[test]
    fn division_identities(a in integer(), b in integer()) {
        let families = [
            Division::Floor, Division::Truncate, Division::Ceiling,
            Division::Round, Division::Euclidean, Division::Balanced,
        ];
        for family in families {
            if b.is_zero() {
                prop_assert_eq!(family.divide(&a, &b).err(), Some(NumberError::DivideByZero));
                continue;
            }
            let (q, r) = family.divide(&a, &b).unwrap();
            prop_assert!(canonical(&q) && canonical(&r));
            prop_assert!(q.mul(&b).unwrap().add(&r).unwrap().eqv(&a), "{:?}", family);
            let ratio = a.div(&b).unwrap();
            let expected = match family {
                Division::Floor => ratio.floor(),
                Division::Truncate => ratio.truncate(),
                Division::Ceiling => ratio.ceiling(),
                Division::Round => ratio.round(),
                Division::Euclidean => {
                    prop_assert!(!r.is_negative().unwrap());
                    prop_assert_eq!(r.compare(&b.abs().unwrap()), Ok(Some(Ordering::Less)));
                    continue;
                }
                Division::Balanced => {
                    let twice = r.add(&r).unwrap();
                    let d = b.abs().unwrap();
                    prop_assert_ne!(twice.compare(&d.negate()), Ok(Some(Ordering::Less)));
                    prop_assert_eq!(twice.compare(&d), Ok(Some(Ordering::Less)));
                    continue;
                }
            };
            prop_assert!(q.eqv(&expected.unwrap()), "{:?}", family);
        }
    }

    #[test]
    fn gcd_and_lcm_multiply_to_the_product(a in integer(), b in integer()) {
        let product = a.gcd(&b).unwrap().mul(&a.lcm(&b).unwrap()).unwrap();
        prop_assert!(product.eqv(&a.mul(&b).unwrap().abs().unwrap()));
    }

    #[test]
    fn rounding_is_near(x in real()) {
        prop_assume!(x.is_rational());
        let exact = x.exact().unwrap();
        let one = Number::ONE;
        for (rounded, low, high) in [(x.floor(), 0i64, 1i64), (x.ceiling(), -1, 0), (x.round(), -1, 1), (x.truncate(), -1, 1)] {
            let rounded = rounded.unwrap();
            prop_assert!(rounded.is_integer() && rounded.is_exact() == x.is_exact());
            let left = exact.sub(&rounded.exact().unwrap()).unwrap();
            prop_assert_ne!(left.compare(&Number::from(low)), Ok(Some(Ordering::Less)));
            prop_assert_ne!(left.compare(&Number::from(high)), Ok(Some(Ordering::Greater)));
            prop_assert!(left.abs().unwrap().compare(&one) != Ok(Some(Ordering::Equal)));
        }
    }

    #[test]
    fn roots_are_roots(a in exact_real()) {
        let square = a.square().unwrap();
        prop_assert!(square.sqrt().unwrap().eqv(&a.abs().unwrap()));
        let size = a.abs().unwrap();
        if size.is_exact_integer() {
            let (s, r) = size.exact_integer_sqrt().unwrap();
            prop_assert!(s.square().unwrap().add(&r).unwrap().eqv(&size));
            prop_assert_ne!(r.compare(&s.add(&s).unwrap()), Ok(Some(Ordering::Greater)));
        }
    }

    #[test]
    fn powers_multiply(a in exact_real(), i in -6i64..7, j in -6i64..7) {
        prop_assume!(!a.is_zero());
        let power = |k: i64| a.expt(&Number::from(k)).unwrap();
        prop_assert!(canonical(&power(i)));
        prop_assert!(power(i).mul(&power(j)).unwrap().eqv(&power(i + j)));
    }

    #[test]
    fn rationalize_is_simplest(n in -3000i64..3000, d in 1i64..300, tn in 0i64..60, td in 1i64..300) {
        let x = Number::from(n).div(&Number::from(d)).unwrap();
        let t = Number::from(tn).div(&Number::from(td)).unwrap();
        let got = x.rationalize(&t).unwrap();
        prop_assert!(canonical(&got));
        let within = |y: &Number| {
            let distance = x.sub(y).unwrap().abs().unwrap();
            distance.compare(&t).unwrap() != Some(Ordering::Greater)
        };
        prop_assert!(within(&got));
        // No smaller denominator will do.
        let denom = got.denominator().unwrap().as_i64().unwrap();
        for q in 1..denom {
            let p = x.mul(&Number::from(q)).unwrap().round().unwrap();
            prop_assert!(!within(&p.div(&Number::from(q)).unwrap()));
        }
    }

    #[test]
    fn bits_are_two_complement(a in any::<i128>(), b in any::<i128>(), k in 0i64..120) {
        let (x, y) = (Number::from(a), Number::from(b));
        let same = |got: Result<Number>, want: i128| got.unwrap().eqv(&Number::from(want));
        prop_assert!(same(x.bit_and(&y), a & b));
        prop_assert!(same(x.bit_ior(&y), a | b));
        prop_assert!(same(x.bit_xor(&y), a ^ b));
        prop_assert!(same(x.bit_not(), !a));
        prop_assert!(same(x.arithmetic_shift(&Number::from(-k)), a >> k));
        let up = x.arithmetic_shift(&Number::from(k)).unwrap();
        prop_assert!(up.eqv(&x.mul(&Number::from(2i64).expt(&Number::from(k)).unwrap()).unwrap()));
        prop_assert_eq!(x.bit_set(&Number::from(k)), Ok(a >> k & 1 == 1));
        let ones = if a < 0 { a.count_zeros() } else { a.count_ones() };
        prop_assert_eq!(x.bit_count().unwrap().as_i64(), Some(i64::from(ones)));
    }

    #[test]
    fn complex_arithmetic_undoes_itself(a in exact_real(), b in exact_real(), c in exact_real(), d in exact_real()) {
        let x = Number::make_rectangular(&a, &b).unwrap();
        let y = Number::make_rectangular(&c, &d).unwrap();
        prop_assert!(x.add(&y).unwrap().sub(&y).unwrap().eqv(&x));
        let product = x.mul(&y).unwrap();
        prop_assert!(canonical(&product));
        if !y.is_zero() {
            prop_assert!(product.div(&y).unwrap().eqv(&x));
        }
    }

    #[test]
    fn nothing_panics(x in number(), y in number()) {
        let unary: [fn(&Number) -> Result<Number>; 24] = [
            Number::sqrt, Number::exp, Number::log, Number::sin, Number::cos, Number::tan, Number::asin,
            Number::acos, Number::atan, Number::floor, Number::ceiling, Number::round, Number::truncate,
            Number::exact, Number::abs, Number::magnitude, Number::angle, Number::numerator,
            Number::denominator, Number::bit_not, Number::bit_count, Number::integer_length,
            Number::first_set_bit, Number::square,
        ];
        let expt = |a: &Number, b: &Number| {
            // As the engine would: what costs too much is not begun.
            if a.expt_work(b) > 100_000 { Err(NumberError::TooLarge) } else { a.expt(b) }
        };
        let binary: [fn(&Number, &Number) -> Result<Number>; 20] = [
            Number::add, Number::sub, Number::mul, Number::div, Number::quotient, Number::remainder,
            Number::modulo, Number::gcd, Number::lcm, Number::max, Number::min, expt, Number::atan2,
            Number::log_base, Number::rationalize, Number::make_polar, Number::make_rectangular,
            Number::bit_and, Number::bit_ior, Number::arithmetic_shift,
        ];
        for result in unary.iter().map(|op| op(&x)).chain(binary.iter().map(|op| op(&x, &y))).flatten() {
            prop_assert!(canonical(&result));
            let _ = (result.to_string(), result.hash(), result.to_json(), result.inexact());
        }
    }
}
