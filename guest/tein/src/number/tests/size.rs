//! The size bound, and long numbers.

use num_bigint::BigUint;

use super::*;

#[test]
fn refuses_large_results() {
    let large = n("1").arithmetic_shift(&n("8388607")).unwrap();
    let rows = [
        large.mul(&large),
        large.mul(&n("2")),
        large.add(&large),
        large.negate().sub(&large),
        large.square(),
        large.arithmetic_shift(&n("1")),
        large.add(&n("1/2")),
        n("1/2").div(&large),
        large.lcm(&n("3")),
        large.expt(&n("2")),
        read("#e1e1000000000", 10).map(|x| x.unwrap()),
        read("#e1e-1000000000", 10).map(|x| x.unwrap()),
        read("#e1e99999999999999999999", 10).map(|x| x.unwrap()),
        read("#e-1.5e-99999999999999999999", 10).map(|x| x.unwrap()),
        read("#e1+1e1000000000i", 10).map(|x| x.unwrap()),
        read(&"f".repeat(2_200_000), 16).map(|x| x.unwrap()),
    ];
    for (i, row) in rows.into_iter().enumerate() {
        assert_eq!(row.err(), Some(NumberError::TooLarge), "row {i}");
    }
    assert!(parse("#e1e1000000000", 10).is_none());
    assert!(large.sub(&large).unwrap().is_zero());
}

#[test]
fn long_numbers_agree_with_the_library() {
    // Sizes on both sides of every threshold.
    let make = |bits: u64, seed: u64| {
        let mut x = BigUint::from(seed);
        while x.bits() < bits {
            x = &x * &x + seed;
        }
        let excess = x.bits() - bits;
        x >> excess
    };
    let sizes = [
        1, 64, 100, 6399, 6400, 6401, 12_799, 12_801, 25_000, 40_000, 64_001,
    ];
    for (i, a_bits) in sizes.into_iter().enumerate() {
        for (j, b_bits) in sizes.into_iter().enumerate() {
            let (i, j) = (u64::try_from(i).unwrap(), u64::try_from(j).unwrap());
            let (a, b) = (make(a_bits, 3 + 2 * i), make(b_bits, 5 + 2 * j));
            assert_eq!(
                big::div_rem(&a, &b),
                num_integer::Integer::div_rem(&a, &b),
                "{a_bits} by {b_bits}"
            );
            let common = make(300, 7);
            let (ac, bc) = (&a * &common, &b * &common);
            if a_bits + b_bits < 60_000 {
                assert_eq!(
                    big::gcd(&ac, &bc),
                    num_integer::Integer::gcd(&ac, &bc),
                    "{a_bits} and {b_bits}"
                );
            }
        }
        let x = make(a_bits, 11);
        for x in [
            &x * &x,
            &x * &x - 1u32,
            &x * &x + 1u32,
            x.clone(),
            &x << 1u32,
            &x << 2u32,
        ] {
            let (root, rest) = big::sqrt_rem(&x);
            assert_eq!(&root * &root + &rest, x, "{a_bits}");
            assert!(rest <= &root * 2u32, "{a_bits}");
            assert_eq!(big::exact_sqrt(&x).is_some(), rest == BigUint::ZERO);
        }
        for radix in [3, 10, 36] {
            let text = x.to_str_radix(radix);
            assert_eq!(big::to_digits(&x, radix), text);
            assert_eq!(big::from_digits(text.as_bytes(), radix), x);
        }
    }
    // All ones are the hard case of the quotient estimate.
    for bits in [6400u64, 12_800, 25_600] {
        let ones = |k: u64| (BigUint::from(1u32) << k) - 1u32;
        for d in [
            ones(bits),
            ones(bits) - ones(bits / 2),
            BigUint::from(1u32) << (bits - 1),
        ] {
            for a in [ones(2 * bits), ones(3 * bits), ones(2 * bits) - ones(bits)] {
                assert_eq!(big::div_rem(&a, &d), num_integer::Integer::div_rem(&a, &d));
            }
        }
    }
}

#[test]
fn exact_decimals_are_in_lowest_terms() {
    for text in [
        "#e1.25",
        "#e0.0000625",
        "#e123456789.5e-20",
        "#e1e-30",
        "#e15625e-3",
        "#e15625e-2",
        "#e15625e-7",
        "#e9.765625e-40",
    ] {
        let x = n(text);
        let (a, b) = (x.numerator().unwrap(), x.denominator().unwrap());
        assert_eq!(a.gcd(&b).unwrap().to_string(), "1", "{text}");
        let mantissa = text.trim_start_matches("#e");
        assert_eq!(x.to_f64(), Ok(mantissa.parse().unwrap()), "{text}");
    }
}

#[test]
fn hints_grow_with_the_work() {
    let small = n("5");
    let large = n("1").arithmetic_shift(&n("100000")).unwrap();
    let fraction = n("1/3");
    for (a, b) in [(&small, &small), (&n("1.5"), &small)] {
        assert_eq!((a.work(b), a.mul_work(b), a.gcd_work(b)), (1, 1, 1));
    }
    assert!(large.limbs() >= 1562);
    assert!(large.work(&large) >= 2 * large.limbs());
    assert!(large.mul_work(&large) > large.work(&large));
    assert!(large.gcd_work(&large) > large.mul_work(&large));
    assert!(large.work(&fraction) > large.work(&small));
    assert!(large.root_work() > 1000);
    assert!(large.print_work() > large.root_work());
    assert_eq!((small.root_work(), small.print_work()), (1, 1));
    assert!(small.expt_work(&n("100000")) > small.expt_work(&n("10")));
    assert_eq!(small.expt_work(&n("100000000000")), 1);
    assert!(parse_work(1_000_000) > parse_work(1000));
    assert_eq!(parse_work(20), 1);
}
