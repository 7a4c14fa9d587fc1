//! Memory over a long life: what a program drops is used again.

#![allow(clippy::expect_used, clippy::panic)]

use tein::{Context, Value};

/// What a call has in all; the guest gives most of it to the heap.
const MEMORY: usize = 64 << 20;

fn context(program: &str) -> Context {
    let mut c = Context::builder()
        .standard_env()
        .heap_max(MEMORY)
        .build()
        .expect("the engine boots");
    c.evaluate(program).expect(program);
    c
}

/// Runs of a program within which the collector must have run as often as is waited for.
const MOST_RUNS: usize = 5_000;

/// Programs whose `(run)` leaves nothing behind, each with a kind of object of its own.
const GARBAGE: &[&str] = &[
    "(define (run) (let loop ((i 0) (l '())) (if (< i 50000) (loop (+ i 1) (cons i l)) (length l))))",
    "(define (run) (let loop ((i 0)) (if (< i 500) (begin (make-vector 100 i) (loop (+ i 1))) i)))",
    "(define (run) (let loop ((i 0)) (if (< i 500) (begin (make-string 1000 #\\a) (loop (+ i 1))) i)))",
    "(define (run) (let loop ((i 0)) (if (< i 5000) (begin (call/cc (lambda (k) (k i))) (loop (+ i 1))) i)))",
    "(define (run) (let loop ((i 0) (n 1)) (if (< i 200) (loop (+ i 1) (* n 1000003)) i)))",
];

#[test]
fn garbage_in_steady_state_does_not_grow_memory() {
    for program in GARBAGE {
        let mut c = context(program);
        // The state is steady once the collector has run a few times.
        let highest = |c: &mut Context, collections: u64| {
            let (mut highest, end) = (0, c.collections() + collections);
            for _ in 0..MOST_RUNS {
                c.evaluate("(run)").expect(program);
                highest = highest.max(c.heap_bytes());
                if c.collections() >= end {
                    return highest;
                }
            }
            panic!("{program}: it is not collected");
        };
        let first = highest(&mut c, 4);
        let later = highest(&mut c, 12);
        assert!(
            later <= first + first / 8,
            "{program}: {first} bytes at first, {later} later"
        );
    }
}

#[test]
fn a_thousand_times_a_megabyte_fits() {
    let mut c = context(
        "(define (work n)
           (let ((s (make-string 500000 #\\a)) (b (make-bytevector 250000 n)))
             (let loop ((i 0) (l '()))
               (if (< i 16000)
                   (loop (+ i 1) (cons i l))
                   (+ (string-length s) (bytevector-length b) (length l))))))
         (define (run)
           (let loop ((n 0) (sum 0))
             (if (< n 1000) (loop (+ n 1) (+ sum (work (modulo n 256)))) sum)))",
    );
    assert_eq!(
        c.evaluate("(run)").expect("the workload fits"),
        Value::Integer(766_000_000)
    );
    assert!(c.heap_bytes() <= MEMORY, "{} bytes", c.heap_bytes());
}
