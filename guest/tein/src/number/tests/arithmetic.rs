//! `+ - * /`, order, identity, exactness, predicates.

use std::cmp::Ordering;

use super::*;

#[test]
fn adds_and_subtracts() {
    binary(
        Number::add,
        &[
            ("3", "4", "7"),
            ("9223372036854775807", "1", "9223372036854775808"),
            ("-9223372036854775808", "-1", "-9223372036854775809"),
            ("9223372036854775808", "-1", "9223372036854775807"),
            ("9223372036854775808", "-9223372036854775808", "0"),
            ("1/2", "1/3", "5/6"),
            ("1/2", "1/2", "1"),
            ("1/2", "3", "7/2"),
            ("-1/2", "9223372036854775808", "18446744073709551615/2"),
            ("1/2", "0.25", "0.75"),
            ("0", "-0.0", "0.0"),
            ("1", "+i", "1+i"),
            ("1+i", "2-i", "3"),
            ("1.5", "+i", "1.5+1.0i"),
            ("1+2i", "0.5-2.0i", "1.5+0.0i"),
            ("+inf.0", "-inf.0", "+nan.0"),
        ],
    );
    binary(
        Number::sub,
        &[
            ("3", "4", "-1"),
            ("-9223372036854775808", "1", "-9223372036854775809"),
            ("9223372036854775808", "1", "9223372036854775807"),
            ("0", "-9223372036854775808", "9223372036854775808"),
            ("5/6", "1/3", "1/2"),
            ("1", "5/6", "1/6"),
            ("0.5", "1/2", "0.0"),
            ("+i", "+i", "0"),
            ("9223372036854775807", "9223372036854775808", "-1"),
        ],
    );
    unary(
        |x| Ok(x.negate()),
        &[
            ("5", "-5"),
            ("-9223372036854775808", "9223372036854775808"),
            ("9223372036854775808", "-9223372036854775808"),
            ("0.0", "-0.0"),
            ("2/3", "-2/3"),
            ("1-2i", "-1+2i"),
        ],
    );
}

#[test]
fn multiplies_and_divides() {
    binary(
        Number::mul,
        &[
            ("4", "-3", "-12"),
            ("9223372036854775807", "2", "18446744073709551614"),
            ("-9223372036854775808", "-1", "9223372036854775808"),
            ("9223372036854775808", "0", "0"),
            (
                "99999999999999999999",
                "99999999999999999999",
                "9999999999999999999800000000000000000001",
            ),
            ("2/3", "3/2", "1"),
            ("2/3", "3", "2"),
            ("-1/2", "0", "0"),
            ("0", "1.5", "0.0"),
            ("+i", "+i", "-1"),
            ("1+2i", "3-i", "5+5i"),
            ("2", "+inf.0i", "+inf.0i"),
            ("1/2", "2+4i", "1+2i"),
        ],
    );
    binary(
        Number::div,
        &[
            ("3", "5", "3/5"),
            ("-3", "-6", "1/2"),
            ("6", "-3", "-2"),
            ("-9223372036854775808", "-1", "9223372036854775808"),
            ("1", "-9223372036854775808", "-1/9223372036854775808"),
            ("-9223372036854775808", "-9223372036854775808", "1"),
            ("2/3", "2/3", "1"),
            ("2/3", "-4", "-1/6"),
            ("1", "0", "DivideByZero"),
            ("1.0", "0", "DivideByZero"),
            ("+i", "0", "DivideByZero"),
            ("0", "0", "DivideByZero"),
            ("1", "0.0", "+inf.0"),
            ("1", "-0.0", "-inf.0"),
            ("0", "0.0", "+nan.0"),
            ("1", "3.0", "0.3333333333333333"),
            ("5+5i", "3-i", "1+2i"),
            ("1", "+i", "-i"),
            ("2+4i", "2", "1+2i"),
            ("1e300+1e300i", "1e300+1e300i", "1.0+0.0i"),
            ("1.0", "+i", "-1.0i"),
        ],
    );
    assert_eq!(n("1/3").square().unwrap().to_string(), "1/9");
}

#[test]
fn orders_exactly() {
    // Each list is strictly increasing.
    let lists: [&[&str]; 2] = [
        &[
            "-inf.0",
            "-1e300",
            "-18446744073709551617",
            "-9223372036854775809",
            "-9223372036854775808",
            "-3/2",
            "-1",
            "-1/2",
            "-1e-300",
            "0",
            "5e-324",
            "1/3",
            "0.3333333333333334",
            "1/2",
            "1",
            "3/2",
            "9007199254740992",
            "9007199254740993",
            "9007199254740994.0",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616.0",
            "18446744073709551617",
            "1e300",
            "+inf.0",
        ],
        &["#e0.1", "0.1", "1/9"],
    ];
    for list in lists {
        for (i, a) in list.iter().enumerate() {
            for (j, b) in list.iter().enumerate() {
                assert_eq!(n(a).compare(&n(b)), Ok(Some(i.cmp(&j))), "{a} against {b}");
                assert_eq!(n(a).num_eq(&n(b)), i == j);
            }
        }
    }
    assert_eq!(n("+nan.0").compare(&n("1")), Ok(None));
    assert_eq!(n("1/2").compare(&n("+nan.0")), Ok(None));
    assert_eq!(n("1").compare(&n("+i")), Err(NumberError::NotReal));
    assert_eq!(n("0.0").compare(&n("-0.0")), Ok(Some(Ordering::Equal)));
    assert!(n("1").num_eq(&n("1.0")));
    assert!(n("0.5").num_eq(&n("1/2")));
    assert!(!n("0.1").num_eq(&n("1/10")));
    assert!(!n("+nan.0").num_eq(&n("+nan.0")));
    assert!(n("1+2i").num_eq(&n("1.0+2.0i")));
    assert!(!n("1+2i").num_eq(&n("1")));
    assert!(n("1.0+0.0i").num_eq(&n("1")));
}

#[test]
fn tells_identical_numbers() {
    let all = [
        "0",
        "0.0",
        "-0.0",
        "1",
        "1.0",
        "1/2",
        "0.5",
        "9223372036854775808",
        "9223372036854775808.0",
        "-9223372036854775808",
        "-9223372036854775809",
        "+nan.0",
        "+inf.0",
        "-inf.0",
        "+i",
        "-i",
        "+1.0i",
        "1+i",
        "1.0+0.0i",
        "-9223372036854775809/2",
        "9223372036854775809/2",
    ];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            assert_eq!(n(a).eqv(&n(b)), i == j, "{a} and {b}");
            assert_eq!(n(a).hash() == n(b).hash(), i == j, "hashes of {a} and {b}");
        }
    }
    let other_nan = Number::from(f64::from_bits(f64::NAN.to_bits() | 1));
    assert!(other_nan.eqv(&n("+nan.0")));
    assert_eq!(other_nan.hash(), n("-nan.0").hash());
    // Hashes are stable: an image may hold them.
    assert_eq!(n("1").hash(), 0xa83e_e440_2938_331c);
}

#[test]
fn chooses_extremes() {
    binary(
        Number::max,
        &[
            ("3", "4", "4"),
            ("3.9", "4", "4.0"),
            ("4", "3.9", "4.0"),
            ("1/2", "1/3", "1/2"),
            ("1", "+nan.0", "+nan.0"),
            ("+nan.0", "1", "+nan.0"),
            ("1", "+i", "NotReal"),
        ],
    );
    binary(
        Number::min,
        &[
            ("3", "4", "3"),
            ("3", "4.0", "3.0"),
            ("-inf.0", "4", "-inf.0"),
        ],
    );
}

#[test]
fn changes_exactness() {
    unary(
        Number::exact,
        &[
            ("2.5", "5/2"),
            ("-2.0", "-2"),
            ("-0.0", "0"),
            ("1e18", "1000000000000000000"),
            ("9223372036854775808.0", "9223372036854775808"),
            ("-9223372036854775808.0", "-9223372036854775808"),
            ("1e23", "99999999999999991611392"),
            ("0.1", "3602879701896397/36028797018963968"),
            ("-0.125", "-1/8"),
            ("1.5-2.0i", "3/2-2i"),
            ("1.5+0.0i", "3/2"),
            ("+inf.0", "NotRational"),
            ("+nan.0", "NotRational"),
            ("1/3", "1/3"),
        ],
    );
    unary(
        |x| Ok(x.inexact()),
        &[
            ("1/3", "0.3333333333333333"),
            ("100000000000000000000000", "1e+23"),
            ("1+2i", "1.0+2.0i"),
            ("9007199254740993", "9007199254740992.0"),
            ("-1/3", "-0.3333333333333333"),
        ],
    );
    let tiny = Number::ONE.div(&n("2").expt(&n("1074")).unwrap()).unwrap();
    assert_eq!(tiny.to_f64(), Ok(f64::from_bits(1)));
    let half_tiny = tiny.div(&n("2")).unwrap();
    assert_eq!(half_tiny.to_f64(), Ok(0.0));
    let more = half_tiny.mul(&n("1000000000001/1000000000000")).unwrap();
    assert_eq!(more.to_f64(), Ok(f64::from_bits(1)));
    let huge = n("10").expt(&n("1000")).unwrap();
    assert_eq!(huge.to_f64(), Ok(f64::INFINITY));
    assert_eq!(
        huge.div(&huge.add(&Number::ONE).unwrap()).unwrap().to_f64(),
        Ok(1.0)
    );
}

#[test]
fn answers_predicates() {
    // complex? is always true; then real? rational? integer? exact? finite? infinite?
    // nan? zero?
    let rows = [
        ("3", "real rational integer exact finite"),
        ("0", "real rational integer exact finite zero"),
        ("1/2", "real rational exact finite"),
        ("2.0", "real rational integer finite"),
        ("-0.0", "real rational integer finite zero"),
        ("2.5", "real rational finite"),
        ("1e300", "real rational integer finite"),
        ("+inf.0", "real infinite"),
        ("+nan.0", "real nan"),
        ("3+4i", "exact finite"),
        ("-2.5+0i", "real rational finite"),
        ("-2.5+0.0i", "finite"),
        ("0.0+0.0i", "finite zero"),
        ("3.0+inf.0i", "infinite"),
        ("+nan.0+5.0i", "nan"),
        ("+inf.0+nan.0i", "infinite nan"),
        ("99999999999999999999", "real rational integer exact finite"),
    ];
    for (text, expected) in rows {
        let x = n(text);
        let answers = [
            ("real", x.is_real()),
            ("rational", x.is_rational()),
            ("integer", x.is_integer()),
            ("exact", x.is_exact()),
            ("finite", x.is_finite()),
            ("infinite", x.is_infinite()),
            ("nan", x.is_nan()),
            ("zero", x.is_zero()),
        ];
        let names: Vec<&str> = answers
            .iter()
            .filter(|(_, yes)| *yes)
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(names.join(" "), expected, "{text}");
        assert_eq!(x.is_inexact(), !x.is_exact());
        assert_eq!(x.is_exact_integer(), x.is_exact() && x.is_integer());
        assert_eq!(x.is_exact_rational(), x.is_exact() && x.is_rational());
    }
    let signs = [
        ("1", true, false),
        ("0", false, false),
        ("-0.0", false, false),
        ("-1/2", false, true),
        ("+inf.0", true, false),
        ("+nan.0", false, false),
        ("-99999999999999999999", false, true),
    ];
    for (text, positive, negative) in signs {
        assert_eq!(n(text).is_positive(), Ok(positive), "{text}");
        assert_eq!(n(text).is_negative(), Ok(negative), "{text}");
    }
    assert_eq!(n("+i").is_positive(), Err(NumberError::NotReal));
    for (text, odd) in [
        ("3", true),
        ("-3", true),
        ("0", false),
        ("5.0", true),
        ("-4.0", false),
        ("1e300", false),
        ("99999999999999999999", true),
        ("-99999999999999999999", true),
    ] {
        assert_eq!(n(text).is_odd(), Ok(odd), "{text}");
        assert_eq!(n(text).is_even(), Ok(!odd), "{text}");
    }
    for text in ["1/2", "0.5", "+inf.0", "+nan.0", "+i"] {
        assert_eq!(n(text).is_odd(), Err(NumberError::NotInteger), "{text}");
    }
}

#[test]
fn takes_complex_numbers_apart() {
    unary(|x| Ok(x.real_part()), &[("3-4i", "3"), ("2.5", "2.5")]);
    unary(|x| Ok(x.imag_part()), &[("3-4i", "-4"), ("2.5", "0")]);
    unary(
        Number::magnitude,
        &[
            ("3+4i", "5"),
            ("-7", "7"),
            ("3/5+4/5i", "1"),
            ("1+i", "1.4142135623730951"),
            ("3.0-4.0i", "5.0"),
            ("1e300+1e300i", "1.4142135623730952e+300"),
        ],
    );
    unary(
        Number::angle,
        &[
            ("5", "0"),
            ("5.0", "0.0"),
            ("-1", "3.141592653589793"),
            ("-1.0", "3.141592653589793"),
            ("+i", "1.5707963267948966"),
            ("-1-i", "-2.356194490192345"),
            ("0", "DivideByZero"),
        ],
    );
    binary(
        Number::make_rectangular,
        &[
            ("1", "2", "1+2i"),
            ("1", "0", "1"),
            ("1", "0.0", "1.0+0.0i"),
            ("+i", "1", "NotReal"),
        ],
    );
    binary(
        Number::make_polar,
        &[("2", "0", "2"), ("0", "1", "0"), ("1", "+i", "NotReal")],
    );
    assert!(close(
        &Number::make_polar(&n("2"), &n("1.5707963267948966")).unwrap(),
        &n("0.0+2.0i")
    ));
    unary(
        Number::abs,
        &[
            ("-7", "7"),
            ("-7/2", "7/2"),
            ("-0.0", "0.0"),
            ("-inf.0", "+inf.0"),
            ("+i", "NotReal"),
            ("-9223372036854775808", "9223372036854775808"),
        ],
    );
}
