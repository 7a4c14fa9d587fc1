//! Tables from the standard and the reference, then properties.

mod arithmetic;
mod bits;
mod division;
mod properties;
mod real_functions;
mod roots;
mod size;
mod syntax;

use super::*;

/// The number that a text denotes.
fn n(text: &str) -> Number {
    parse(text, 10).unwrap_or_else(|| panic!("not a number: {text}"))
}

/// What a test compares: the external form, or the error.
fn show(result: Result<Number>) -> String {
    match result {
        Ok(number) => number.to_string(),
        Err(error) => format!("{error:?}"),
    }
}

/// Rows of argument and expected form.
fn unary(op: impl Fn(&Number) -> Result<Number>, rows: &[(&str, &str)]) {
    for (a, expected) in rows {
        assert_eq!(show(op(&n(a))), *expected, "of {a}");
    }
}

/// Rows of two arguments and expected form.
fn binary(op: impl Fn(&Number, &Number) -> Result<Number>, rows: &[(&str, &str, &str)]) {
    for (a, b, expected) in rows {
        assert_eq!(show(op(&n(a), &n(b))), *expected, "of {a} and {b}");
    }
}

/// Rows of argument and a number that the result must be near, part by part.
fn near(op: impl Fn(&Number) -> Result<Number>, rows: &[(&str, &str)]) {
    for (a, expected) in rows {
        let (got, wanted) = (op(&n(a)).unwrap(), n(expected));
        assert!(close(&got, &wanted), "of {a}: {got}, not {wanted}");
    }
}

fn close(a: &Number, b: &Number) -> bool {
    let ((a, b), (c, d)) = (a.parts(), b.parts());
    let part = |x: &Real, y: &Real| {
        let (x, y) = (x.to_f64(), y.to_f64());
        x == y || (x - y).abs() <= 1e-14 * y.abs().max(1.0) || (x.is_nan() && y.is_nan())
    };
    part(a, c) && part(b, d)
}
