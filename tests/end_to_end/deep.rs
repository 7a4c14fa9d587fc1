//! Deep and wide source and data end in a value or in an error that says why: never in a crash, and never without
//! end. Each case is a process of its own with the limits of any tool.

use crate::project::Project;
use std::sync::atomic::{AtomicUsize, Ordering};

const MILLION: usize = 1_000_000;
/// Makes a list of depth `n`; a million of them are within the memory limit once, and not twice.
const DEEP: &str = "(define (deep n) (do ((i 0 (+ i 1)) (l '() (list l))) ((= i n) l)))";

/// What is evaluated.
enum Source {
    /// A thing inside itself: what opens it, the innermost, what closes it, how often.
    Nested(&'static str, &'static str, &'static str, usize),
    /// A thing with many parts: what comes before them, a part, what comes after, how many.
    Wide(&'static str, &'static str, &'static str, usize),
    /// As it stands, after [`DEEP`].
    Data(&'static str),
}

/// How it must end.
enum End {
    /// Exit code 0, and this is printed.
    Value(&'static str),
    /// Exit code 1, and the message has this in it.
    Error(&'static str),
    /// Exit code 4, and the message names this limit.
    Limit(&'static str),
}

use End::{Error, Limit, Value};
use Source::{Data, Nested, Wide};

const STACK: &str = "expressions nested too deeply for the stack";
const MEMORY: &str = "memory limit exceeded";

#[rustfmt::skip]
const CASES: &[(Source, End)] = &[
    // Source, a million levels of it.
    (Nested("(", "", ")", MILLION), Limit(MEMORY)),
    (Nested("(x ", "1", ")", MILLION), Limit(MEMORY)),
    (Nested("'", "a", "", MILLION), Limit(MEMORY)),
    (Nested("`", "a", "", MILLION), Limit(MEMORY)),
    (Nested("`,", "a", "", MILLION), Limit(MEMORY)),
    (Nested("#(", "", ")", MILLION), Limit(MEMORY)),
    (Nested("(1 . ", "2", ")", MILLION), Limit(MEMORY)),
    (Nested("(begin ", "1", ")", MILLION), Limit(MEMORY)),
    (Nested("(lambda () ", "1", ")", MILLION), Limit(MEMORY)),
    (Nested("#|", "", "", MILLION), Error("a block comment is never closed")),
    (Nested("#;", "1 2", "", MILLION), Limit(MEMORY)),
    // So many that they fit, and are too deep for the compiler.
    (Nested("(if #t ", "1", ")", 100_000), Error(STACK)),
    (Nested("(+ 1 ", "1", ")", 100_000), Error(STACK)),
    (Nested("(let ((x 1)) ", "x", ")", 100_000), Error(STACK)),
    (Nested("(let ((x ", "1", ")) x)", 50_000), Error(STACK)),
    (Nested("(let l () ", "1", ")", 100_000), Error(STACK)),
    (Nested("(let-values (((x) 1)) ", "x", ")", 50_000), Error(STACK)),
    (Nested("(do ((i 0 (+ i 1))) ((= i 1) 1) ", "1", ")", 20_000), Error(STACK)),
    (Nested("(guard (e (#t 1)) ", "1", ")", 50_000), Error(STACK)),
    (Nested("(parameterize () ", "1", ")", 50_000), Error(STACK)),
    (Nested("(let-syntax () ", "1", ")", 50_000), Error(STACK)),
    (Nested("(case-lambda (() ", "1", "))", 50_000), Error(STACK)),
    (Nested("`(a ,", "1", ")", 100_000), Error(STACK)),
    (Nested("(let ((x 1)) (set! x ", "1", ") x)", 50_000), Error(STACK)),
    (Nested("(let () (define x ", "1", ") x)", 50_000), Error(STACK)),
    (Nested("(call/cc (lambda (k) ", "1", "))", 50_000), Error(STACK)),
    (Nested("(import (only (scheme base) ", "car", "))", 10_000), Error("import: ")),
    // So many that a program may have them.
    (Nested("(let ((x 1)) ", "x", ")", 200), Value("1")),
    (Nested("(+ 1 ", "1", ")", 250), Value("251")),
    (Nested("(guard (e (#t 1)) ", "1", ")", 120), Value("1")),
    (Nested("(begin ", "1", ")", 50_000), Value("1")),
    (Nested("#|", " |# 1", "", 1), Value("1")),
    // Wide, which is not deep.
    (Wide("(+ ", "1 ", ")", 100_000), Value("100000")),
    (Wide("(begin ", "1 ", ")", 100_000), Value("1")),
    (Wide("(and ", "#t ", ")", 100_000), Value("#t")),
    (Wide("(or ", "#f ", ")", 100_000), Value("#f")),
    (Wide("(cond ", "(#f 1) ", "(else 2))", 100_000), Value("2")),
    (Wide("(case 5 ", "((1) 1) ", "(else 2))", 100_000), Value("2")),
    (Wide("(let* (", "(x 1) ", ") x)", 3_000), Value("1")),
    (Wide("(let* (", "(x 1) ", ") x)", 100_000), Limit("stack limit exceeded")),
    (Wide("(length `(", ",1 ", "))", 100_000), Value("100000")),
    (Wide("(length '(", "1 ", "))", MILLION), Limit(MEMORY)),
    (Wide("(string-length \"", "a", "\")", MILLION), Value("1000000")),
    (Wide("((lambda x (length x)) ", "1 ", ")", 100_000), Error("a procedure is too large")),
    // Macros: one that walks what it is given is linear, one without end ends.
    (Wide("(define-syntax m (syntax-rules () ((_ (x . r) y) (m r (1 y))) ((_ () y) 'y))) (pair? (m (", "a ", ") 0))", 20_000), Value("#t")),
    (Wide("(define-syntax m (syntax-rules () ((_) 0) ((_ x . r) (+ 1 (m . r))))) (m ", "a ", ")", 100_000), Error(STACK)),
    (Data("(define-syntax m (syntax-rules () ((_ x) (m (x))))) (m a)"), Limit(MEMORY)),
    (Nested("(define-syntax m (syntax-rules () ((_ ((", "x", ")) 1)))", 1), Error("")),
    // Data that a program makes or reads.
    (Data("(read (open-input-string (make-string 1000000 #\\()))"), Limit(MEMORY)),
    (Data("(read (open-input-string (make-string 100000 #\\()))"), Error("missing ')'")),
    (Data("(equal? (deep 300000) (deep 300000))"), Value("#t")),
    (Data("(equal? (deep 1000000) (deep 1000000))"), Limit(MEMORY)),
    (Data("(let ((p (open-output-string))) (write (deep 300000) p) (string-length (get-output-string p)))"), Value("600002")),
    (Data("(raise (deep 300000))"), Error("uncaught: (((")),
    (Data("(error \"too deep\" (deep 300000))"), Error("too deep: (((")),
    (Data("(vector-ref (vector) (deep 100000))"), Error("expected Integer: (((")),
    (Data("(import (srfi 69)) (exact-integer? (hash (deep 300000)))"), Value("#t")),
    (Data("(pair? (list-copy (deep 1000000)))"), Value("#t")),
    (Data("(pair? (member (deep 100000) (list 1 (deep 100000))))"), Value("#t")),
    (Data("(import (scheme eval)) (pair? (eval (list 'quote (deep 100000)) (environment '(scheme base))))"), Value("#t")),
    (Data("(import (scheme eval)) (eval (let loop ((i 0) (l 1)) (if (= i 100000) l (loop (+ i 1) (list '+ 1 l)))) (environment '(scheme base)))"), Error(STACK)),
    (Data("(import (tein json)) (json-parse (make-string 100000 #\\[))"), Error("json-parse: recursion limit exceeded")),
    (Data("(import (tein json)) (json-stringify (deep 100000))"), Error("json-stringify: nested too deeply")),
    (Data("(import (tein toml)) (toml-parse (string-append \"a = \" (make-string 100000 #\\[)))"), Error("toml-parse: ")),
    // Recursion, and callbacks out of the engine's own procedures.
    (Data("(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 100000)"), Value("100000")),
    (Data("(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 100000000)"), Limit("stack limit exceeded")),
    (Data("(define (f n) (if (= n 0) 0 (dynamic-wind (lambda () 1) (lambda () (+ 1 (f (- n 1)))) (lambda () 2)))) (f 50000)"), Value("50000")),
    (Data("(define p (make-parameter 0)) (define (f n) (if (= n 0) (p) (parameterize ((p n)) (+ 1 (f (- n 1)))))) (f 50000)"), Value("50001")),
    (Data("(define (f n) (if (= n 0) (raise 'x) (guard (e ((number? e) e)) (+ 1 (f (- n 1)))))) (f 10000)"), Error("uncaught: x")),
    (Data("(import (scheme sort)) (define (f n) (list-sort (lambda (a b) (f (- n 1)) #t) '(2 1))) (f 0)"), Limit("stack limit exceeded")),
    (Data("(define (f n) (vector-map (lambda (x) (f n)) #(1))) (f 0)"), Limit("stack limit exceeded")),
    (Data("(define (f n) (string-map (lambda (x) (f n)) \"a\")) (f 0)"), Limit("stack limit exceeded")),
    (Data("(import (srfi 69)) (define h (make-hash-table)) (hash-table-set! h 1 1) (define (f n) (hash-table-update! h 1 (lambda (x) (f n)))) (f 0)"), Limit("stack limit exceeded")),
    (Data("(define (f n) (if (= n 0) 0 (+ 1 (apply f (list (- n 1)))))) (f 50000)"), Value("50000")),
    (Data("(define (f n) (if (= n 0) 0 (+ 1 (call/cc (lambda (k) (f (- n 1))))))) (f 50000)"), Value("50000")),
];

fn text(source: &Source) -> String {
    match source {
        Nested(open, inner, close, times) => {
            format!("{}{inner}{}", open.repeat(*times), close.repeat(*times))
        }
        Wide(before, part, after, times) => format!("{before}{}{after}", part.repeat(*times)),
        Data(program) => format!("{DEEP} {program}"),
    }
}

/// What is wrong with how a case ended.
fn fault(project: &Project, source: &Source, end: &End) -> Option<String> {
    let text = text(source);
    let run = project.holm_with_input(&["eval", "-"], &text);
    let (code, said) = match end {
        Value(value) => (0, run.stdout.trim_end() == *value),
        Error(part) => (
            1,
            run.stderr.contains("<stdin>:") && run.stderr.contains(part),
        ),
        Limit(part) => (4, run.stderr.contains(part)),
    };
    let right = run.code == code && said;
    (!right).then(|| {
        let shown = |text: &str| text.chars().take(200).collect::<String>();
        format!(
            "{} ({} bytes): exit code {}, {:?}, {:?}",
            shown(&text),
            text.len(),
            run.code,
            shown(&run.stdout),
            shown(&run.stderr)
        )
    })
}

#[test]
fn deep_and_wide_forms_end_in_a_value_or_an_error() {
    let project = Project::new();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut faults = Vec::new();
        while let Some((source, end)) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
            faults.extend(fault(&project, source, end));
        }
        faults
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
