//! Taking aliases out of quoted data, without recursion and without copying what has none.

use crate::heap::{FixedMap, Heap};
use crate::syntax::Syntax;
use crate::value::{Kind, Word};

/// True when a datum holds an alias. Ends on circular data.
fn has_alias(heap: &Heap, datum: Word) -> bool {
    let mut todo = vec![datum];
    let mut seen: FixedMap<Word, ()> = FixedMap::default();
    let mut n = 0usize;
    while let Some(w) = todo.pop() {
        match w.kind() {
            Some(Kind::Alias) => return true,
            Some(Kind::Pair | Kind::Vector) => {
                n += 1;
                // Shared parts are looked at twice before the marks start: most data is small.
                if n > 256 && seen.insert(w, ()).is_some() {
                    continue;
                }
                if w.is_pair() {
                    todo.push(heap.cdr(w));
                    todo.push(heap.car(w));
                } else if let Some(items) = heap.as_vector(w) {
                    todo.extend(items);
                }
            }
            _ => {}
        }
    }
    false
}

/// The datum with each alias replaced by its symbol.
pub(crate) fn strip(heap: &mut Heap, datum: Word) -> Word {
    if datum.is(Kind::Alias) {
        return Syntax::symbol_of(heap, datum);
    }
    if !datum.is_heap() || !has_alias(heap, datum) {
        return datum;
    }
    // Copies are made first and filled after, so that nesting needs no recursion.
    let mut copies: FixedMap<Word, Word> = FixedMap::default();
    let mut todo = vec![datum];
    let mut order = Vec::new();
    while let Some(w) = todo.pop() {
        if copies.contains_key(&w) {
            continue;
        }
        match w.kind() {
            Some(Kind::Pair) => {
                let copy = heap.cons(Word::NIL, Word::NIL);
                copies.insert(w, copy);
                order.push(w);
                todo.push(heap.cdr(w));
                todo.push(heap.car(w));
            }
            Some(Kind::Vector) => {
                let items = heap.as_vector(w).unwrap_or_default().to_vec();
                let copy = heap.vector(items.clone());
                copies.insert(w, copy);
                order.push(w);
                todo.extend(items);
            }
            _ => {}
        }
    }
    let get = |heap: &Heap, copies: &FixedMap<Word, Word>, w: Word| {
        if w.is(Kind::Alias) {
            Syntax::symbol_of(heap, w)
        } else {
            copies.get(&w).copied().unwrap_or(w)
        }
    };
    for w in order {
        let copy = copies[&w];
        if w.is_pair() {
            let car = get(heap, &copies, heap.car(w));
            let cdr = get(heap, &copies, heap.cdr(w));
            heap.set_car(copy, car);
            heap.set_cdr(copy, cdr);
        } else {
            let items: Vec<Word> = heap
                .as_vector(w)
                .unwrap_or_default()
                .iter()
                .map(|x| get(heap, &copies, *x))
                .collect();
            if let Some(v) = heap.vector_mut(copy) {
                *v = items;
            }
        }
    }
    copies[&datum]
}

/// True for what reading a text can give: no object of the engine is in it.
pub(crate) fn is_text(heap: &Heap, datum: Word) -> bool {
    let mut seen: FixedMap<Word, ()> = FixedMap::default();
    let mut todo = vec![datum];
    while let Some(w) = todo.pop() {
        if !w.is_heap() || seen.insert(w, ()).is_some() {
            continue;
        }
        match w.kind() {
            Some(Kind::Pair) => todo.extend([heap.car(w), heap.cdr(w)]),
            Some(Kind::Vector) => todo.extend(heap.as_vector(w).unwrap_or_default()),
            Some(Kind::Symbol | Kind::String | Kind::Bytevector | Kind::Number | Kind::Flonum) => {}
            _ => return false,
        }
    }
    true
}
