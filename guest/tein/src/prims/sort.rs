//! Sorting by the orders of the language's own (`<`, `string<?`, `char<?` and their opposites),
//! for the sort libraries. Every other comparison may be a closure, through which continuations
//! must work, so those sort in Scheme.

use std::cmp::Ordering;

use super::{Ctx, NativeDef, plain};
use crate::error::Res;
use crate::number::Number;
use crate::value::Word;

/// Steps that sorting `n` items is charged for, if a comparison is one step.
fn comparisons(n: usize) -> u64 {
    let n = n as u64;
    n.saturating_mul(u64::from(n.checked_ilog2().unwrap_or(0)) + 1)
}

/// The items with what they are compared by, if all of them have one.
fn keyed<K>(items: &[Word], key: impl Fn(Word) -> Option<K>) -> Option<Vec<(K, Word)>> {
    items.iter().map(|w| Some((key(*w)?, *w))).collect()
}

/// Stable: items that are equal in the order stay as they were, in either direction.
fn sort<K>(
    mut items: Vec<(K, Word)>,
    descending: bool,
    order: impl Fn(&K, &K) -> Ordering,
) -> Vec<Word> {
    if descending {
        items.sort_by(|a, b| order(&b.0, &a.0));
    } else {
        items.sort_by(|a, b| order(&a.0, &b.0));
    }
    items.into_iter().map(|(_, w)| w).collect()
}

/// A number that takes no more than a word.
#[derive(Clone, Copy)]
enum Small {
    Fix(i64),
    /// Not a NaN.
    Flo(f64),
}

impl Small {
    /// By exact value (R7RS 6.2.6: `<` is transitive).
    fn order(&self, other: &Self) -> Ordering {
        let number = |n: &Self| match *n {
            Self::Fix(n) => Number::from(n),
            Self::Flo(x) => Number::from(x),
        };
        match (self, other) {
            (Self::Fix(x), Self::Fix(y)) => x.cmp(y),
            (Self::Flo(x), Self::Flo(y)) => x.partial_cmp(y).unwrap_or(Ordering::Equal),
            _ => match number(self).compare(&number(other)) {
                Ok(Some(order)) => order,
                _ => Ordering::Equal,
            },
        }
    }
}

/// `(%sorted v less ascending descending)`: a new vector of the items of `v` in order, where
/// `less` is one of the procedures of the vectors `ascending` and `descending`, which hold those
/// for numbers, strings and characters. False where it is not, or where the items are not all of
/// one kind that it orders totally: the caller's own sort then finds what is wrong, if anything is.
fn sorted(cx: &mut Ctx, a: &[Word]) -> Res {
    let place = |cx: &Ctx, orders: Word| -> Res<Option<usize>> {
        Ok(cx.items(orders)?.iter().position(|w| *w == a[1]))
    };
    let up = place(cx, a[2])?;
    let down = place(cx, a[3])?;
    let Some(order) = up.or(down) else {
        return Ok(Word::FALSE);
    };
    let down = up.is_none();
    let n = cx.items(a[0])?.len();
    // The keys beside the items, as much again to merge them through, and the result.
    cx.reserve(n.saturating_mul(72))?;
    cx.spend(comparisons(n))?;
    // A comparison reads no more than its shorter string: in each round of merging, all of them
    // together.
    let text: usize = cx
        .items(a[0])?
        .iter()
        .filter_map(|w| cx.heap.as_text(*w))
        .map(|t| t.len())
        .sum();
    let rounds = comparisons(n) / (n as u64).max(1);
    cx.spend((text as u64 / 16).saturating_mul(rounds))?;
    let items = cx.items(a[0])?;
    let sorted = match order {
        0 => {
            if let Some(keyed) = keyed(items, Word::as_fix) {
                Some(sort(keyed, down, i64::cmp))
            } else {
                // Not a number is in no order.
                let flonum = |w: Word| cx.heap.as_flonum(w).filter(|x| !x.is_nan());
                let flonums = keyed(items, flonum).map(|keyed| {
                    sort(keyed, down, |x, y| {
                        x.partial_cmp(y).unwrap_or(Ordering::Equal)
                    })
                });
                flonums.or_else(|| {
                    let mixed = |w: Word| match w.as_fix() {
                        Some(n) => Some(Small::Fix(n)),
                        None => flonum(w).map(Small::Flo),
                    };
                    keyed(items, mixed).map(|keyed| sort(keyed, down, Small::order))
                })
            }
        }
        1 => keyed(items, |w| cx.heap.as_text(w)).map(|keyed| sort(keyed, down, |x, y| x.order(y))),
        2 => keyed(items, Word::as_char).map(|keyed| sort(keyed, down, char::cmp)),
        _ => None,
    };
    Ok(match sorted {
        Some(items) => cx.heap.vector(items),
        None => Word::FALSE,
    })
}

pub(crate) const NATIVES: &[NativeDef] = &[plain("%sorted", 4, 4, sorted)];

#[cfg(test)]
mod tests {
    use crate::{Context, Value};

    /// By the native sort and by a closure that says the same: the items, and where equal ones
    /// stand.
    #[test]
    fn a_primitive_sorts_as_a_closure_of_it_does() -> Result<(), crate::Error> {
        const ORDERS: &[(&str, &str)] = &[
            ("<", "(3 1 2 -5 1 0 4611686018427387904)"),
            (">", "(3 1 2 -5 1 0)"),
            ("<", "(1.5 -0.0 0.0 -0.0 -2.25 +inf.0 -inf.0)"),
            (">", "(1.5 -0.0 0.0 -0.0 -2.25 +inf.0 -inf.0)"),
            ("<", "(1 1.5 1.0 -2 -2.0 0 -0.0 0.0 1)"),
            (">", "(1 1.5 1.0 -2 -2.0 0 -0.0 0.0 1)"),
            (
                "<",
                "(9007199254740993 9007199254740992.0 9007199254740992 +inf.0 -inf.0)",
            ),
            ("<", "(1 2.0 +nan.0 0)"),
            ("<", "(1 2/3 0.5 100000000000000000000 -1)"),
            ("string<?", "(\"b\" \"a\" \"\" \"ab\" \"é\" \"z\")"),
            ("string>?", "(\"b\" \"a\" \"\" \"ab\" \"é\" \"z\")"),
            ("char<?", "(#\\b #\\a #\\λ #\\A)"),
            ("char>?", "(#\\b #\\a #\\λ #\\A)"),
            ("<", "()"),
            ("string<?", "(\"one\")"),
        ];
        let mut c = Context::builder().build()?;
        for (order, items) in ORDERS {
            let same = c.evaluate(&format!(
                "(import (scheme base) (scheme char) (srfi 95) (prefix (srfi 132) x:))
                 (define l '{items})
                 (define closure (lambda (a b) ({order} a b)))
                 (define v (list->vector l))
                 (let ((right (sort l closure)))
                   (and (equal? right (sort l {order}))
                        (equal? right (x:list-sort {order} l))
                        (equal? right (x:list-sort closure l))
                        (equal? (list->vector right) (x:vector-sort {order} v))
                        (equal? (list->vector right) (sort v {order}))
                        (equal? l (vector->list v))))"
            ))?;
            assert_eq!(same, Value::Boolean(true), "{order} {items}");
        }
        Ok(())
    }

    #[test]
    fn what_has_no_order_is_refused_as_the_comparison_refuses_it() -> Result<(), crate::Error> {
        let mut c = Context::builder().build()?;
        c.evaluate("(import (scheme base) (srfi 95))")?;
        for source in ["(sort '(1 a) <)", "(sort '(\"a\" 1) string<?)"] {
            assert!(c.evaluate(source).is_err(), "{source}");
        }
        Ok(())
    }

    #[test]
    fn sorting_is_charged_for() -> Result<(), crate::Error> {
        let mut c = Context::builder().build()?;
        c.evaluate("(import (scheme base) (srfi 95)) (define v (make-vector 100000 1))")?;
        c.set_step_limit(Some(500_000));
        assert!(c.evaluate("(sort v <)").is_err());
        Ok(())
    }
}
