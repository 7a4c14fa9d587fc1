//! Properties that hold for any data, text and program.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::cell::RefCell;
use std::fmt::Write as _;

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};
use proptest::prelude::*;
use tein::{Context, Value};

fn context() -> Context {
    Context::builder()
        .standard_env()
        .step_limit(100_000)
        .build()
        .expect("the engine boots")
}

/// So many cases, or more when `PROPTEST_CASES` asks for more than its usual 256.
fn cases(n: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: n * default.cases / 256,
        failure_persistence: None,
        ..default
    }
}

const PRELUDE: &str = "
    (define (written x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
    (define (shared x) (let ((p (open-output-string))) (write-shared x p) (get-output-string p)))
    (define (simple x) (let ((p (open-output-string))) (write-simple x p) (get-output-string p)))
    (define (reread s) (read (open-input-string s)))";

thread_local! {
    static SHARED: RefCell<Context> = RefCell::new({
        let mut c = context();
        c.set_step_limit(Some(10_000_000));
        c.evaluate(PRELUDE).expect("the prelude runs");
        c
    });
}

/// What a text gives in a context that only data pass through.
fn run(code: &str) -> Result<String, String> {
    SHARED.with_borrow_mut(|c| {
        c.evaluate_to_string("property", code)
            .map_err(|e| e.to_string())
    })
}

fn define(name: &str, value: Value) {
    SHARED.with_borrow_mut(|c| c.define(name, &value));
}

// --- data ---

/// A datum, as the test writes it; independent of the engine's printer.
#[derive(Debug, Clone)]
enum Datum {
    Number(String),
    Boolean(bool),
    Character(char),
    String(String),
    Symbol(String),
    Bytes(Vec<u8>),
    List(Vec<Datum>, Option<Box<Datum>>),
    Vector(Vec<Datum>),
}

fn escaped(s: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for c in s.chars() {
        let _ = write!(out, "\\x{:x};", u32::from(c));
    }
    out.push(quote);
    out
}

impl Datum {
    fn source(&self) -> String {
        let join = |items: &[Datum]| {
            items
                .iter()
                .map(Datum::source)
                .collect::<Vec<_>>()
                .join(" ")
        };
        match self {
            Self::Number(n) => n.clone(),
            Self::Boolean(b) => (if *b { "#true" } else { "#false" }).to_owned(),
            Self::Character(c) => format!("#\\x{:x}", u32::from(*c)),
            Self::String(s) => escaped(s, '"'),
            Self::Symbol(s) => escaped(s, '|'),
            Self::Bytes(b) => {
                format!(
                    "#u8({})",
                    b.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
                )
            }
            Self::List(items, None) => format!("({})", join(items)),
            Self::List(items, Some(tail)) => format!("({} . {})", join(items), tail.source()),
            Self::Vector(items) => format!("#({})", join(items)),
        }
    }
}

/// Characters, with the ones that readers and printers treat specially made likely.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        any::<char>(),
        proptest::sample::select(
            " \t\n\r\0\u{7}\u{8}\u{7f}\u{1b}\u{85}\u{a0}\u{feff}\u{2028}()\"';`,|\\#.+-@0123456789abefinxABEFINXλßİıςΣ[]{}"
                .chars()
                .collect::<Vec<_>>()
        ),
    ]
}

fn text(max: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(character(), 0..max).prop_map(|v| v.into_iter().collect())
}

/// Names near numbers, dots and directives.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        text(6),
        proptest::collection::vec(
            proptest::sample::select(vec![
                "+", "-", ".", "1", "0", "e", "i", "/", "@", "#", "inf", "nan", "inf.0", "nan.0",
                "...", "a", "t", "f", "x", "u8", "!", "|", "\\", "E",
            ]),
            0..5
        )
        .prop_map(|v| v.concat()),
    ]
}

fn integer() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        (-20i64..20).prop_map(BigInt::from),
        any::<i64>().prop_map(BigInt::from),
        // The edges of fixnums and machine words.
        (
            proptest::sample::select(vec![30u32, 31, 32, 52, 53, 60, 61, 62, 63, 64, 127, 128]),
            -2i64..3,
            any::<bool>()
        )
            .prop_map(|(bits, off, minus)| {
                let n = (BigInt::one() << bits) + off;
                if minus { -n } else { n }
            }),
        (proptest::collection::vec(any::<u8>(), 1..40), any::<bool>()).prop_map(|(b, minus)| {
            BigInt::from_bytes_le(if minus { Sign::Minus } else { Sign::Plus }, &b)
        }),
    ]
}

fn flonum() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>(),
        any::<u64>().prop_map(f64::from_bits),
        (-1000i32..1000).prop_map(|n| f64::from(n) / 8.0)
    ]
    .prop_map(|x| {
        if x.is_nan() {
            "+nan.0".to_owned()
        } else if x.is_infinite() {
            (if x > 0.0 { "+inf.0" } else { "-inf.0" }).to_owned()
        } else {
            format!("{x:e}")
        }
    })
}

fn number() -> impl Strategy<Value = String> {
    let real = || {
        prop_oneof![
            integer().prop_map(|n| n.to_string()),
            (integer(), integer())
                .prop_filter("a denominator", |(_, d)| d.is_positive())
                .prop_map(|(n, d)| format!("{n}/{d}")),
            flonum(),
        ]
    };
    prop_oneof![
        4 => real(),
        1 => (real(), real()).prop_map(|(a, b)| {
            let sign = if b.starts_with(['-', '+']) { "" } else { "+" };
            format!("{a}{sign}{b}i")
        }),
        1 => integer().prop_map(|n| format!("#x{}", n.to_str_radix(16))),
        1 => flonum().prop_filter("finite", |x| !x.contains('n')).prop_map(|x| format!("#e{x}")),
    ]
}

fn datum() -> impl Strategy<Value = Datum> {
    let leaf = prop_oneof![
        number().prop_map(Datum::Number),
        any::<bool>().prop_map(Datum::Boolean),
        character().prop_map(Datum::Character),
        text(12).prop_map(Datum::String),
        name().prop_map(Datum::Symbol),
        proptest::collection::vec(any::<u8>(), 0..5).prop_map(Datum::Bytes),
        proptest::sample::select(vec!["quote", "quasiquote", "unquote", "unquote-splicing"])
            .prop_map(|s| Datum::Symbol(s.to_owned())),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(|v| Datum::List(v, None)),
            (
                proptest::collection::vec(inner.clone(), 1..4),
                inner.clone()
            )
                .prop_map(|(v, t)| Datum::List(v, Some(Box::new(t)))),
            proptest::collection::vec(inner, 0..6).prop_map(Datum::Vector),
        ]
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn reading_what_was_written_gives_the_same(d in datum()) {
        let code = format!(
            "(let* ((x '{}) (s (written x)) (y (reread s)))
               (if (and (equal? x y) (string=? s (written y)) (equal? x (reread (shared x))) (equal? x (reread (simple x))))
                   'same
                   (list 'not s)))",
            d.source()
        );
        prop_assert_eq!(run(&code), Ok("same".to_owned()));
    }

    #[test]
    fn what_is_written_can_be_read_beside_other_data(a in datum(), b in datum()) {
        let code = format!(
            "(let* ((a '{}) (b '{}) (p (open-input-string (string-append (written a) \" \" (written b) \"(end)\"))))
               (let* ((x (read p)) (y (read p)) (z (read p))) (and (equal? a x) (equal? b y) z)))",
            a.source(), b.source()
        );
        prop_assert_eq!(run(&code), Ok("(end)".to_owned()));
    }

    #[test]
    fn strings_and_symbols_of_any_characters_pass_through(s in text(30)) {
        define("text", Value::String(s.clone()));
        let code = "(and (equal? text (reread (written text)))
                         (eq? (string->symbol text) (reread (written (string->symbol text))))
                         (equal? text (symbol->string (string->symbol text)))
                         (equal? text (utf8->string (string->utf8 text)))
                         (equal? text (list->string (string->list text)))
                         (equal? text (vector->string (string->vector text)))
                         (equal? text (string-append (string-copy text 0 (quotient (string-length text) 2))
                                                     (string-copy text (quotient (string-length text) 2))))
                         (= (string-length text) (length (string->list text)))
                         (equal? text (let ((p (open-output-string))) (display text p) (get-output-string p)))
                         (equal? text (let ((p (open-input-string text)))
                                        (let loop ((out '()))
                                          (let ((c (read-char p)))
                                            (if (eof-object? c) (list->string (reverse out)) (loop (cons c out))))))))";
        prop_assert_eq!(run(code), Ok("#t".to_owned()));
        let length = run("(string-length text)");
        prop_assert_eq!(length, Ok(s.chars().count().to_string()));
    }

    #[test]
    fn numbers_pass_through_every_radix(n in integer(), d in integer(), radix in 2u32..=36) {
        let code = format!("(let ((n {n})) (number->string n {radix}))");
        prop_assert_eq!(run(&code), Ok(format!("\"{}\"", n.to_str_radix(radix))));
        let code = format!("(string->number \"{}\" {radix})", n.to_str_radix(radix));
        prop_assert_eq!(run(&code), Ok(n.to_string()));
        if d.is_positive() {
            let code = format!("(let ((q (/ {n} {d}))) (eqv? q (string->number (number->string q {radix}) {radix})))");
            prop_assert_eq!(run(&code), Ok("#t".to_owned()));
        }
    }

    #[test]
    fn flonums_print_as_the_shortest_text_that_reads_back(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        prop_assume!(x.is_finite());
        define("x", Value::Float(x));
        let shown = SHARED.with_borrow_mut(|c| c.evaluate("(number->string x)")).expect("prints");
        let Value::String(shown) = shown else { panic!("{shown:?}") };
        prop_assert_eq!(shown.parse::<f64>().expect("a number").to_bits(), bits);
        let digits = |s: &str| {
            let mantissa = s.split('e').next().unwrap_or_default();
            let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
            all.trim_matches('0').len()
        };
        prop_assert_eq!(digits(&shown), digits(&format!("{x:e}")), "{}", shown);
        prop_assert_eq!(run("(eqv? x (string->number (number->string x)))"), Ok("#t".to_owned()));
        prop_assert_eq!(run("(= x (exact x))"), Ok("#t".to_owned()));
        prop_assert_eq!(run("(eqv? (if (zero? x) 0.0 x) (inexact (exact x)))"), Ok("#t".to_owned()));
    }
}

// --- shared and circular data ---

/// A graph of pairs and vectors: each slot names a node, or an atom beyond them.
#[derive(Debug, Clone)]
struct Graph {
    /// The slots of each node, and whether it is a pair.
    nodes: Vec<(bool, Vec<usize>)>,
}

impl Graph {
    /// An expression for node 0.
    fn source(&self, prefix: &str) -> String {
        let mut s = String::from("(let (");
        for (i, (pair, slots)) in self.nodes.iter().enumerate() {
            if *pair {
                let _ = write!(s, "({prefix}{i} (cons 0 0))");
            } else {
                let _ = write!(s, "({prefix}{i} (make-vector {} 0))", slots.len());
            }
        }
        s.push(')');
        let of = |slot: usize| {
            if slot < self.nodes.len() {
                format!("{prefix}{slot}")
            } else {
                format!("'a{}", slot - self.nodes.len())
            }
        };
        for (i, (pair, slots)) in self.nodes.iter().enumerate() {
            for (k, slot) in slots.iter().enumerate() {
                let value = of(*slot);
                let _ = match (pair, k) {
                    (true, 0) => write!(s, "(set-car! {prefix}{i} {value})"),
                    (true, _) => write!(s, "(set-cdr! {prefix}{i} {value})"),
                    _ => write!(s, "(vector-set! {prefix}{i} {k} {value})"),
                };
            }
        }
        let _ = write!(s, "{prefix}0)");
        s
    }

    /// Are the (possibly infinite) trees from node 0 of both the same? Assume so, and look for a
    /// difference that can be reached.
    fn same(&self, other: &Self) -> bool {
        let mut todo = vec![(0, 0)];
        let mut seen = std::collections::HashSet::new();
        while let Some((a, b)) = todo.pop() {
            if !seen.insert((a, b)) {
                continue;
            }
            match (self.nodes.get(a), other.nodes.get(b)) {
                (Some((p, x)), Some((q, y))) => {
                    if p != q || x.len() != y.len() {
                        return false;
                    }
                    todo.extend(x.iter().copied().zip(y.iter().copied()));
                }
                (None, None) => {
                    if a - self.nodes.len() != b - other.nodes.len() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

fn graph(max: usize, atoms: usize) -> impl Strategy<Value = Graph> {
    (1..=max).prop_flat_map(move |n| {
        proptest::collection::vec(
            prop_oneof![
                3 => proptest::collection::vec(0..n + atoms, 2).prop_map(|s| (true, s)),
                1 => proptest::collection::vec(0..n + atoms, 0..4).prop_map(|s| (false, s)),
            ],
            n,
        )
        .prop_map(|nodes| Graph { nodes })
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn circular_data_pass_through_written_labels(g in graph(8, 3)) {
        let code = format!(
            "(let* ((x {}) (s (shared x)) (y (reread s)))
               (if (and (equal? x y) (string=? s (shared y)) (equal? x (reread (written x)))) 'same (list 'not s)))",
            g.source("n")
        );
        prop_assert_eq!(run(&code), Ok("same".to_owned()));
    }

    #[test]
    fn equal_ends_and_is_right_on_circular_data(a in graph(5, 1), b in graph(5, 1)) {
        let code = format!("(equal? {} {})", a.source("a"), b.source("b"));
        let want = if a.same(&b) { "#t" } else { "#f" };
        prop_assert_eq!(run(&code), Ok(want.to_owned()));
    }

    #[test]
    fn a_copy_that_unrolls_a_node_is_equal(g in graph(5, 2), node in 0usize..5) {
        // The same tree, with one node twice.
        let node = node % g.nodes.len();
        let n = g.nodes.len();
        let mut unrolled: Vec<_> = g.nodes.iter().map(|(p, s)| (*p, s.iter().map(|x| if *x >= n { x + 1 } else { *x }).collect::<Vec<_>>())).collect();
        unrolled.push(unrolled[node].clone());
        if let Some((_, s)) = unrolled.get_mut(node) {
            for x in s.iter_mut().filter(|x| **x == node) {
                *x = n;
            }
        }
        let h = Graph { nodes: unrolled };
        prop_assert!(g.same(&h));
        let code = format!("(equal? {} {})", g.source("a"), h.source("b"));
        prop_assert_eq!(run(&code), Ok("#t".to_owned()));
    }
}

// --- any text ---

fn noise() -> impl Strategy<Value = String> {
    prop_oneof![
        text(60),
        proptest::collection::vec(
            proptest::sample::select(vec![
                "(",
                ")",
                "#(",
                "#u8(",
                "'",
                "`",
                ",",
                ",@",
                ".",
                " ",
                "\n",
                "\"",
                "\\",
                "|",
                "#|",
                "|#",
                ";",
                "#;",
                "#\\",
                "#0=",
                "#0#",
                "#1=",
                "#1#",
                "#!fold-case",
                "#!no-fold-case",
                "#!eof",
                "#!",
                "#x",
                "#e",
                "#i",
                "#d",
                "#b",
                "1",
                "-",
                "+",
                "1/2",
                "1e5",
                "e",
                "i",
                "@",
                "inf.0",
                "nan.0",
                "a",
                "B",
                "quote",
                "\\x41;",
                "x41",
                "\u{3bb}",
                "#t",
                "#false",
                "255",
                "256",
            ]),
            0..40
        )
        .prop_map(|v| v.concat()),
    ]
}

/// Programs made of the language's own words, well bracketed but otherwise random.
fn soup() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec![
        "x",
        "y",
        "f",
        "k",
        "0",
        "1",
        "-1",
        "2.5",
        "1/2",
        "#t",
        "#f",
        "'()",
        "\"s\"",
        "#\\a",
        "'a",
        "...",
        "_",
        "else",
        "=>",
        "()",
        "#(1 x)",
        "#u8(1)",
        "car",
        "cdr",
        "cons",
        "list",
        "+",
        "*",
        "-",
        "apply",
        "map",
        "call/cc",
        "values",
        "raise",
        "error",
        "if",
        "define",
        "let",
        "lambda",
        "begin",
        "set!",
        "define-syntax",
        "syntax-rules",
        "quasiquote",
        "unquote",
        "unquote-splicing",
        "quote",
        "cond",
        "case",
        "and",
        "or",
        "when",
        "unless",
        "do",
        "letrec",
        "let*",
        "let-values",
        "define-values",
        "define-record-type",
        "guard",
        "parameterize",
        "delay",
        "force",
        "case-lambda",
        "import",
        "cond-expand",
        "let-syntax",
        "letrec-syntax",
        "dynamic-wind",
        "call-with-values",
        "with-exception-handler",
        "vector-map",
        "string-append",
        "number->string",
        "string->number",
        "eval",
        "environment",
        "(scheme base)",
        "read",
        "open-input-string",
        "exit",
        "vector",
        "vector-ref",
        "eq?",
        "define-library",
        "export",
        "only",
        "rename",
        "prefix",
        "syntax-error",
        "include",
        "expt",
        "exact",
        "sqrt",
        "list-copy",
        "append",
        "reverse",
    ])
    .prop_map(str::to_owned);
    let tree = leaf.prop_recursive(6, 80, 6, |inner| {
        prop_oneof![
            5 => proptest::collection::vec(inner.clone(), 0..6).prop_map(|v| format!("({})", v.join(" "))),
            1 => (proptest::collection::vec(inner.clone(), 1..4), inner.clone()).prop_map(|(v, t)| format!("({} . {t})", v.join(" "))),
            1 => inner.clone().prop_map(|t| format!("'{t}")),
            1 => inner.clone().prop_map(|t| format!("`{t}")),
            1 => inner.clone().prop_map(|t| format!(",{t}")),
            1 => inner.clone().prop_map(|t| format!("(let ((x 1) (y 2)) {t})")),
            1 => inner.clone().prop_map(|t| format!("(lambda (x . y) {t})")),
            1 => inner.clone().prop_map(|t| format!("(define (f x) {t})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(define-syntax f (syntax-rules () ((_ x ...) {a}) ((_ . x) {b})))")),
            1 => inner.clone().prop_map(|t| format!("(guard (e (#t e)) {t})")),
            1 => inner.clone().prop_map(|t| format!("(let f ((x 0)) (if (< x 3) (begin {t} (f (+ x 1)))))")),
            1 => inner.prop_map(|t| format!("(call/cc (lambda (k) {t}))")),
        ]
    });
    proptest::collection::vec(tree, 1..5).prop_map(|v| v.join("\n"))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_reader_gives_data_or_an_error_for_any_text(s in noise()) {
        define("noise", Value::String(s));
        let code = "(guard (e ((read-error? e) 'refused))
                      (let ((p (open-input-string noise)))
                        (let loop ((n 0)) (if (eof-object? (read p)) 'read (if (< n 1000) (loop (+ n 1)) 'long)))))";
        let got = run(code);
        prop_assert!(matches!(got.as_deref(), Ok("refused" | "read" | "long")), "{got:?}");
    }

    #[test]
    fn what_is_read_can_be_written_and_read_again(s in noise()) {
        define("noise", Value::String(s));
        let code = "(guard (e ((read-error? e) #t))
                      (let* ((x (read (open-input-string noise))) (s (shared x)))
                        (or (eof-object? x) (equal? x (reread s)) (list 'not s))))";
        let got = run(code);
        // `#!eof` inside a list has no written form.
        prop_assert!(matches!(got.as_deref(), Ok("#t")) || got.as_ref().is_ok_and(|s| s.contains("#<")), "{got:?}");
    }

    #[test]
    fn the_evaluator_gives_a_value_or_an_error_for_any_text(s in noise()) {
        let mut c = context();
        let _ = c.evaluate(&s);
        prop_assert_eq!(c.evaluate("5"), Ok(Value::Integer(5)));
    }

    #[test]
    fn the_evaluator_gives_a_value_or_an_error_for_any_program(s in soup()) {
        let mut c = context();
        let first = c.evaluate(&s);
        prop_assert_eq!(c.evaluate("5"), Ok(Value::Integer(5)));
        // The same text in a new context does the same, and so does its image.
        let mut again = context();
        again.set_gc_stress(true);
        let second = again.evaluate(&s);
        prop_assert_eq!(first.as_ref().map(ToString::to_string), second.as_ref().map(ToString::to_string));
        if first.is_ok() {
            let mut fresh = context();
            if fresh.evaluate_file("program", &s).is_ok()
                && let Ok(image) = fresh.image()
            {
                let mut third = context();
                let _ = third.run_image(&image);
                prop_assert_eq!(third.evaluate("5"), Ok(Value::Integer(5)));
                let outputs = [fresh.take_output(), third.take_output()];
                prop_assert_eq!(&outputs[0], &outputs[1]);
            }
        }
    }

    #[test]
    fn any_bytes_are_an_image_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in any::<proptest::sample::Index>(), with in any::<u8>()) {
        let mut c = context();
        let refused = c.run_image(&bytes).expect_err("not an image");
        prop_assert_eq!(refused.kind, tein::Failure::Image);
        // The refusal has changed nothing, so the same context may try an image with one byte changed.
        let mut image = small_image().to_vec();
        let i = at.index(image.len());
        image[i] = with;
        let _ = c.run_image(&image);
        prop_assert_eq!(c.evaluate("5"), Ok(Value::Integer(5)));
    }
}

/// The image of a small program, made once.
fn small_image() -> &'static [u8] {
    static IMAGE: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    IMAGE.get_or_init(|| {
        let mut source = context();
        let program = "(define (f x) (if (< x 1) '(a #(1 \"s\")) (f (- x 1)))) (display (f 3))";
        source.evaluate_file("program", program).expect("runs");
        source.image().expect("an image")
    })
}

// --- programs ---

/// A program that prints what it computes: integer expressions over some variables.
fn expression(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        (-9i64..10).prop_map(|n| n.to_string()),
        proptest::sample::select(vec![
            "a",
            "b",
            "(car l)",
            "(vector-ref v 1)",
            "(string-length s)",
            "(counter)"
        ])
        .prop_map(str::to_owned),
        integer().prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(depth, 40, 3, |e| {
        let two = || (e.clone(), e.clone());
        prop_oneof![
            two().prop_map(|(x, y)| format!("(+ {x} {y})")),
            two().prop_map(|(x, y)| format!("(- {x} {y})")),
            two().prop_map(|(x, y)| format!("(* {x} (modulo {y} 7))")),
            (e.clone(), e.clone(), e.clone(), e.clone()).prop_map(|(p, q, x, y)| format!("(if (< {p} {q}) {x} {y})")),
            two().prop_map(|(x, y)| format!("(let ((a {x})) {y})")),
            two().prop_map(|(x, y)| format!("((lambda (b) {y}) {x})")),
            two().prop_map(|(x, y)| format!("(begin (set! a {x}) {y})")),
            two().prop_map(|(x, y)| format!("(let loop ((i 3) (b {x})) (if (= i 0) b (loop (- i 1) (+ b {y}))))")),
            two().prop_map(|(x, y)| format!("(call/cc (lambda (k) (+ 1 (if (odd? {x}) (k {y}) 2))))")),
            two().prop_map(|(x, y)| format!("(guard (e ((number? e) (+ e {y})) (else 1)) (raise {x}))")),
            two().prop_map(|(x, y)| format!("(guard (e (#t {y})) (vector-ref v {x}))")),
            two().prop_map(|(x, y)| format!("(let-values (((a b) (values {x} {y}))) (- a b))")),
            two().prop_map(|(x, y)| format!("(apply + (map (lambda (z) (* z {x})) (list 1 {y})))")),
            two().prop_map(|(x, y)| format!("(parameterize ((p {x})) (+ (p) {y}))")),
            two().prop_map(|(x, y)| format!("(dynamic-wind (lambda () (set! b {x})) (lambda () {y}) (lambda () (set! a 1)))")),
            two().prop_map(|(x, y)| format!("(case (modulo {x} 3) ((0) {y}) ((1) => (lambda (m) m)) (else 5))")),
            two().prop_map(|(x, y)| format!("(swap-add {x} {y})")),
            two().prop_map(|(x, y)| format!("(with-exception-handler (lambda (e) {y}) (lambda () (+ 1 (raise-continuable {x}))))")),
            two().prop_map(|(x, y)| format!("(let () (define (f n) (if (> n 2) {x} (f (+ n 1)))) (define g {y}) (+ (f 0) g))")),
            two().prop_map(|(x, y)| format!("(do ((i 0 (+ i 1)) (acc {x} (+ acc {y}))) ((= i 2) acc))")),
            e.clone().prop_map(|x| format!("(force (delay {x}))")),
            e.clone().prop_map(|x| format!("(length `(1 ,{x} ,@(list {x})))")),
            e.prop_map(|x| format!("(px (make-p {x} 2))")),
        ]
    })
    .boxed()
}

const WORLD: &str = "
    (define a 3) (define b 4) (define l '(5 6)) (define v (vector 7 8 9)) (define s \"text\")
    (define p (make-parameter 0))
    (define counter (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
    (define-record-type p2 (make-p x y) p2? (x px) (y py))
    (define-syntax swap-add (syntax-rules () ((_ x y) (let ((t x)) (let ((u y)) (+ u t))))))";

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn programs_do_the_same_from_an_image_and_while_collecting(parts in proptest::collection::vec(expression(5), 1..4)) {
        let mut source = WORLD.to_owned();
        for (i, e) in parts.iter().enumerate() {
            let _ = writeln!(source, "(define (part{i}) {e})\n(display (part{i})) (newline) (display {e}) (newline)");
        }
        let mut plain = context();
        let first = plain.evaluate_file("program", &source);
        let [(want, _), _] = plain.take_output();
        let mut stressed = context();
        stressed.set_gc_stress(true);
        let second = stressed.evaluate_file("program", &source);
        let [(got, _), _] = stressed.take_output();
        prop_assert_eq!(&want, &got, "while collecting: {}", source);
        prop_assert_eq!(first.as_ref().map_err(ToString::to_string), second.as_ref().map_err(ToString::to_string));
        if first.is_ok() {
            let image = plain.image().expect("an image");
            let mut third = context();
            third.run_image(&image).expect("runs");
            let [(got, _), _] = third.take_output();
            prop_assert_eq!(&want, &got, "from the image: {}", source);
        } else {
            let e = first.expect_err("failed");
            prop_assert!(matches!(e.kind, tein::Failure::Limit(_)), "{e}: {source}");
        }
    }
}

// --- arithmetic ---

#[derive(Debug, Clone, PartialEq)]
struct Rational {
    n: BigInt,
    d: BigInt,
}

impl Rational {
    fn new(n: BigInt, d: BigInt) -> Option<Self> {
        if d.is_zero() {
            return None;
        }
        let g = n.gcd(&d);
        let (n, d) = (n / &g, d / g);
        Some(if d.is_negative() {
            Self { n: -n, d: -d }
        } else {
            Self { n, d }
        })
    }

    fn whole(n: BigInt) -> Self {
        Self {
            n,
            d: BigInt::one(),
        }
    }

    fn less(&self, other: &Self) -> bool {
        &self.n * &other.d < &other.n * &self.d
    }

    fn shown(&self) -> String {
        if self.d.is_one() {
            self.n.to_string()
        } else {
            format!("{}/{}", self.n, self.d)
        }
    }
}

#[derive(Debug, Clone)]
enum Sum {
    Leaf(Rational),
    Two(&'static str, Box<Sum>, Box<Sum>),
    One(&'static str, Box<Sum>),
    Choose(Box<Sum>, Box<Sum>, Box<Sum>),
}

impl Sum {
    /// In Scheme; leaves are variables when they are given names.
    fn source(&self, names: &mut Option<Vec<Rational>>) -> String {
        match self {
            Self::Leaf(r) => match names {
                Some(list) => {
                    list.push(r.clone());
                    format!("x{}", list.len() - 1)
                }
                None => r.shown(),
            },
            Self::Two(op, a, b) => format!("({op} {} {})", a.source(names), b.source(names)),
            Self::One(op, a) => format!("({op} {})", a.source(names)),
            Self::Choose(a, b, c) => {
                format!(
                    "(if (< {} {}) {} 0)",
                    a.source(names),
                    b.source(names),
                    c.source(names)
                )
            }
        }
    }

    /// The value by Rust's own big integers; none after a division by zero.
    fn value(&self) -> Option<Rational> {
        Some(match self {
            Self::Leaf(r) => r.clone(),
            Self::Choose(a, b, c) => {
                if a.value()?.less(&b.value()?) {
                    c.value()?
                } else {
                    Rational::whole(BigInt::zero())
                }
            }
            Self::One(op, a) => {
                let a = a.value()?;
                match *op {
                    "-" => Rational { n: -a.n, d: a.d },
                    "abs" => Rational {
                        n: a.n.abs(),
                        d: a.d,
                    },
                    "square" => Rational {
                        n: &a.n * &a.n,
                        d: &a.d * &a.d,
                    },
                    "floor" => Rational::whole(a.n.div_floor(&a.d)),
                    "ceiling" => Rational::whole(-(-a.n).div_floor(&a.d)),
                    "truncate" => Rational::whole(a.n / a.d),
                    "round" => {
                        let twice = BigInt::from(2) * &a.n + &a.d;
                        let double = BigInt::from(2) * &a.d;
                        let up = twice.div_floor(&double);
                        let tie = twice.mod_floor(&double).is_zero();
                        Rational::whole(if tie && up.is_odd() { up - 1 } else { up })
                    }
                    "numerator" => Rational::whole(a.n),
                    "denominator" => Rational::whole(a.d),
                    _ => Rational::new(a.d, a.n)?,
                }
            }
            Self::Two(op, a, b) => {
                let (a, b) = (a.value()?, b.value()?);
                match *op {
                    "+" => Rational::new(&a.n * &b.d + &b.n * &a.d, a.d * b.d)?,
                    "-" => Rational::new(&a.n * &b.d - &b.n * &a.d, a.d * b.d)?,
                    "*" => Rational::new(a.n * b.n, a.d * b.d)?,
                    "/" => Rational::new(a.n * b.d, a.d * b.n)?,
                    "max" => {
                        if a.less(&b) {
                            b
                        } else {
                            a
                        }
                    }
                    "min" => {
                        if b.less(&a) {
                            b
                        } else {
                            a
                        }
                    }
                    _ => {
                        // Integer operations, on the floors.
                        let (x, y) = (a.n.div_floor(&a.d), b.n.div_floor(&b.d));
                        let divides = !matches!(*op, "igcd" | "ilcm");
                        if divides && y.is_zero() {
                            return None;
                        }
                        Rational::whole(match *op {
                            "iquotient" => x / y,
                            "iremainder" => x % y,
                            "imodulo" => x.mod_floor(&y),
                            "ifloor" => x.div_floor(&y),
                            "igcd" => x.gcd(&y),
                            _ => {
                                if x.is_zero() || y.is_zero() {
                                    BigInt::zero()
                                } else {
                                    x.lcm(&y).abs()
                                }
                            }
                        })
                    }
                }
            }
        })
    }
}

const OPERATIONS: &str = "
    (define (iquotient a b) (quotient (floor a) (floor b)))
    (define (iremainder a b) (remainder (floor a) (floor b)))
    (define (imodulo a b) (modulo (floor a) (floor b)))
    (define (ifloor a b) (floor-quotient (floor a) (floor b)))
    (define (igcd a b) (gcd (floor a) (floor b)))
    (define (ilcm a b) (lcm (floor a) (floor b)))";

fn sum() -> impl Strategy<Value = Sum> {
    let leaf = prop_oneof![
        3 => integer().prop_map(|n| Sum::Leaf(Rational::whole(n))),
        1 => (integer(), integer()).prop_map(|(n, d)| Sum::Leaf(Rational::new(n, d).unwrap_or_else(|| Rational::whole(BigInt::one())))),
    ];
    leaf.prop_recursive(6, 40, 3, |e| {
        prop_oneof![
            6 => (
                proptest::sample::select(vec![
                    "+", "-", "*", "/", "max", "min", "iquotient", "iremainder", "imodulo", "ifloor", "igcd", "ilcm",
                ]),
                e.clone(),
                e.clone()
            )
                .prop_map(|(op, a, b)| Sum::Two(op, Box::new(a), Box::new(b))),
            2 => (
                proptest::sample::select(vec![
                    "-", "abs", "square", "floor", "ceiling", "truncate", "round", "numerator", "denominator", "/",
                ]),
                e.clone()
            )
                .prop_map(|(op, a)| Sum::One(op, Box::new(a))),
            1 => (e.clone(), e.clone(), e).prop_map(|(a, b, c)| Sum::Choose(Box::new(a), Box::new(b), Box::new(c))),
        ]
    })
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn exact_arithmetic_agrees_with_big_integers(e in sum()) {
        let _ = run(OPERATIONS);
        let want = match e.value() {
            Some(r) => Ok(r.shown()),
            None => Err("scheme evaluation error: divide by zero".to_owned()),
        };
        // As constants, and as variables that nothing is known of.
        prop_assert_eq!(&run(&e.source(&mut None)), &want);
        let mut names = Some(Vec::new());
        let body = e.source(&mut names);
        let values = names.unwrap_or_default();
        let formals: Vec<String> = (0..values.len()).map(|i| format!("x{i}")).collect();
        let arguments: Vec<String> = values.iter().map(Rational::shown).collect();
        let code = format!("((lambda ({}) {body}) {})", formals.join(" "), arguments.join(" "));
        prop_assert_eq!(&run(&code), &want);
    }

    #[test]
    fn comparisons_agree_with_big_integers(a in sum(), b in sum()) {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            let (sa, sb) = (x.shown(), y.shown());
            let shown = |b: bool| if b { "#t" } else { "#f" };
            let code = format!("(let ((a {sa}) (b {sb})) (list (< a b) (> a b) (= a b) (<= a b) (>= a b) (eqv? a b) (equal? a b)))");
            let (less, equal) = (x.less(&y), x == y);
            let want = format!(
                "({} {} {} {} {} {} {})",
                shown(less), shown(!less && !equal), shown(equal), shown(less || equal), shown(!less), shown(equal), shown(equal)
            );
            prop_assert_eq!(run(&code), Ok(want));
        }
    }

    #[test]
    fn flonum_arithmetic_is_the_machines(a in any::<f64>(), b in any::<f64>(), n in -1000i64..1000) {
        define("fa", Value::Float(a));
        define("fb", Value::Float(b));
        for (op, want) in [("+", a + b), ("-", a - b), ("*", a * b), ("/", a / b)] {
            let got = SHARED.with_borrow_mut(|c| c.evaluate(&format!("({op} fa fb)")));
            let Ok(Value::Float(got)) = got else { panic!("{op} {a} {b}: {got:?}") };
            prop_assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{} {} {}: {}", op, a, b, got);
        }
        for (op, want) in [("<", a < b), (">", a > b), ("=", a == b), ("<=", a <= b), (">=", a >= b)] {
            prop_assert_eq!(run(&format!("({op} fa fb)")), Ok((if want { "#t" } else { "#f" }).to_owned()));
        }
        let got = SHARED.with_borrow_mut(|c| c.evaluate(&format!("(+ fa {n})")));
        prop_assert!(matches!(got, Ok(Value::Float(x)) if x.to_bits() == (a + n as f64).to_bits() || x.is_nan()), "{got:?}");
    }

    #[test]
    fn exact_roots_are_exact(n in integer()) {
        let n = n.abs();
        let code = format!("(let-values (((s r) (exact-integer-sqrt {n}))) (and (= (+ (* s s) r) {n}) (< {n} (* (+ s 1) (+ s 1))) (>= r 0) (eqv? s (sqrt (* s s)))))");
        prop_assert_eq!(run(&code), Ok("#t".to_owned()));
    }
}
