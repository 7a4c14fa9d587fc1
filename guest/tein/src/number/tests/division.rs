//! Integer division, `gcd`, `lcm`.

use super::*;

fn pair(result: Result<(Number, Number)>) -> String {
    match result {
        Ok((q, r)) => format!("{q} {r}"),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn follows_the_standard() {
    let rows = [
        (Division::Floor, "5", "2", "2 1"),
        (Division::Floor, "-5", "2", "-3 1"),
        (Division::Floor, "5", "-2", "-3 -1"),
        (Division::Floor, "-5", "-2", "2 -1"),
        (Division::Truncate, "5", "2", "2 1"),
        (Division::Truncate, "-5", "2", "-2 -1"),
        (Division::Truncate, "5", "-2", "-2 1"),
        (Division::Truncate, "-5", "-2", "2 -1"),
        (Division::Truncate, "-5.0", "2", "-2.0 -1.0"),
        (Division::Truncate, "7.0", "2", "3.0 1.0"),
        (Division::Ceiling, "5", "2", "3 -1"),
        (Division::Ceiling, "-5", "2", "-2 -1"),
        (Division::Ceiling, "5", "-2", "-2 1"),
        (Division::Ceiling, "-5", "-2", "3 1"),
        (Division::Round, "5", "2", "2 1"),
        (Division::Round, "7", "2", "4 -1"),
        (Division::Round, "-5", "2", "-2 -1"),
        (Division::Round, "-7", "2", "-4 1"),
        (Division::Round, "5", "3", "2 -1"),
        (Division::Round, "4", "3", "1 1"),
        (Division::Euclidean, "5", "2", "2 1"),
        (Division::Euclidean, "-5", "2", "-3 1"),
        (Division::Euclidean, "5", "-2", "-2 1"),
        (Division::Euclidean, "-5", "-2", "3 1"),
        (Division::Balanced, "5", "2", "3 -1"),
        (Division::Balanced, "-5", "2", "-2 -1"),
        (Division::Balanced, "5", "-2", "-3 -1"),
        (Division::Balanced, "5", "3", "2 -1"),
        (Division::Balanced, "4", "3", "1 1"),
        (Division::Balanced, "-4", "3", "-1 -1"),
        (
            Division::Truncate,
            "-9223372036854775808",
            "-1",
            "9223372036854775808 0",
        ),
        (
            Division::Ceiling,
            "-1",
            "-9223372036854775808",
            "1 9223372036854775807",
        ),
        (
            Division::Floor,
            "1",
            "-9223372036854775808",
            "-1 -9223372036854775807",
        ),
        (
            Division::Floor,
            "100000000000000000000",
            "-3",
            "-33333333333333333334 -2",
        ),
        (Division::Truncate, "1e20", "3", "3.333333333333333e+19 1.0"),
        (Division::Truncate, "5", "0", "DivideByZero"),
        (Division::Truncate, "5", "0.0", "DivideByZero"),
        (Division::Truncate, "5.5", "2", "NotInteger"),
        (Division::Truncate, "5", "1/2", "NotInteger"),
        (Division::Truncate, "+inf.0", "2", "NotInteger"),
        (Division::Truncate, "+i", "2", "NotInteger"),
    ];
    for (family, a, b, expected) in rows {
        assert_eq!(
            pair(family.divide(&n(a), &n(b))),
            expected,
            "{family:?} of {a} and {b}"
        );
    }
    binary(
        Number::modulo,
        &[
            ("13", "4", "1"),
            ("-13", "4", "3"),
            ("13", "-4", "-3"),
            ("-13", "-4", "-1"),
        ],
    );
    binary(
        Number::remainder,
        &[
            ("13", "4", "1"),
            ("-13", "4", "-1"),
            ("13", "-4", "1"),
            ("-13", "-4.0", "-1.0"),
        ],
    );
    binary(
        Number::quotient,
        &[("17", "5", "3"), ("-17", "5", "-3"), ("17.0", "5", "3.0")],
    );
}

#[test]
fn families_keep_their_promises() {
    let families = [
        Division::Floor,
        Division::Truncate,
        Division::Ceiling,
        Division::Round,
        Division::Euclidean,
        Division::Balanced,
    ];
    let big = n("18446744073709551616");
    for a in -25i64..=25 {
        for b in (-7i64..=7).filter(|b| *b != 0) {
            for family in families {
                let (q, r) = family.divide(&Number::from(a), &Number::from(b)).unwrap();
                let (q, r) = (q.as_i64().unwrap(), r.as_i64().unwrap());
                assert_eq!(q * b + r, a);
                let exact = a as f64 / b as f64;
                match family {
                    Division::Floor => assert_eq!(q as f64, exact.floor()),
                    Division::Truncate => assert_eq!(q as f64, exact.trunc()),
                    Division::Ceiling => assert_eq!(q as f64, exact.ceil()),
                    Division::Round => assert_eq!(q as f64, exact.round_ties_even()),
                    Division::Euclidean => assert!(r >= 0 && r < b.abs()),
                    Division::Balanced => assert!(-b.abs() <= 2 * r && 2 * r < b.abs()),
                }
                // The long way must agree with words: scale both by 2^64.
                let scaled = |x: i64| Number::from(x).mul(&big).unwrap();
                let (big_q, big_r) = family.divide(&scaled(a), &scaled(b)).unwrap();
                assert_eq!(big_q.as_i64(), Some(q), "{family:?} {a} {b}");
                assert!(big_r.eqv(&scaled(r)));
            }
        }
    }
}

#[test]
fn finds_common_divisors() {
    binary(
        Number::gcd,
        &[
            ("32", "-36", "4"),
            ("0", "0", "0"),
            ("0", "-5", "5"),
            ("32.0", "36", "4.0"),
            ("-9223372036854775808", "0", "9223372036854775808"),
            ("100000000000000000000", "15", "5"),
            ("1/2", "1", "NotInteger"),
        ],
    );
    binary(
        Number::lcm,
        &[
            ("32", "-36", "288"),
            ("32.0", "-36", "288.0"),
            ("0", "5", "0"),
            ("1", "1", "1"),
            ("9223372036854775807", "2", "18446744073709551614"),
        ],
    );
}
