//! `eqv?` and `equal?` (R7RS 6.1). `equal?` keeps its own stack and ends on circular data.

use crate::heap::{FixedMap, Heap};
use crate::number::{Number, Real};
use crate::value::{Kind, Word};

/// `eqv?`.
pub(crate) fn eqv(heap: &Heap, a: Word, b: Word) -> bool {
    if a == b {
        return true;
    }
    match (a.kind(), b.kind()) {
        (Some(Kind::Flonum), Some(Kind::Flonum)) => match (heap.as_flonum(a), heap.as_flonum(b)) {
            (Some(x), Some(y)) => Number::Real(Real::Flo(x)).eqv(&Number::Real(Real::Flo(y))),
            _ => false,
        },
        (Some(Kind::Number), Some(Kind::Number)) => {
            match (heap.as_boxed_number(a), heap.as_boxed_number(b)) {
                (Some(x), Some(y)) => x.eqv(y),
                _ => false,
            }
        }
        // Empty strings and vectors are only eqv to themselves, as objects.
        _ => false,
    }
}

/// `equal?`.
pub(crate) fn equal(heap: &Heap, a: Word, b: Word) -> bool {
    if eqv(heap, a, b) {
        return true;
    }
    // Most comparisons end here, without a stack.
    match (a.kind(), b.kind()) {
        (Some(Kind::String), Some(Kind::String)) => match (heap.as_text(a), heap.as_text(b)) {
            (Some(x), Some(y)) => x.same(y),
            _ => false,
        },
        (Some(Kind::Pair), Some(Kind::Pair)) | (Some(Kind::Vector), Some(Kind::Vector)) => {
            equal_with_work(heap, a, b).0
        }
        (Some(Kind::Bytevector), Some(Kind::Bytevector)) => heap.as_bytes(a) == heap.as_bytes(b),
        (Some(Kind::Tagged), Some(Kind::Tagged)) => crate::prims::uvector::same(heap, a, b),
        _ => false,
    }
}

/// `equal?`, with the number of objects compared.
pub(crate) fn equal_with_work(heap: &Heap, a: Word, b: Word) -> (bool, usize) {
    let mut todo = vec![(a, b)];
    let mut work = 0usize;
    // Pairs of objects assumed equal while their parts are compared; only kept once the data
    // is large enough that it may be circular.
    let mut assumed: FixedMap<(Word, Word), ()> = FixedMap::default();
    while let Some((a, b)) = todo.pop() {
        work += 1;
        if eqv(heap, a, b) {
            continue;
        }
        let (Some(ka), Some(kb)) = (a.kind(), b.kind()) else {
            return (false, work);
        };
        if ka != kb {
            return (false, work);
        }
        let container = matches!(ka, Kind::Pair | Kind::Vector);
        if container && work > 1000 && assumed.insert((a, b), ()).is_some() {
            continue;
        }
        match ka {
            Kind::Pair => {
                todo.push((heap.cdr(a), heap.cdr(b)));
                todo.push((heap.car(a), heap.car(b)));
            }
            Kind::Vector => match (heap.as_vector(a), heap.as_vector(b)) {
                (Some(x), Some(y)) if x.len() == y.len() => {
                    todo.extend(x.iter().copied().zip(y.iter().copied()).rev());
                }
                _ => return (false, work),
            },
            Kind::String => match (heap.as_text(a), heap.as_text(b)) {
                (Some(x), Some(y)) if x.same(y) => work += x.len() / 16,
                _ => return (false, work),
            },
            Kind::Bytevector => {
                if heap.as_bytes(a) != heap.as_bytes(b) {
                    return (false, work);
                }
            }
            Kind::Tagged if crate::prims::uvector::same(heap, a, b) => {}
            _ => return (false, work),
        }
    }
    (true, work)
}
