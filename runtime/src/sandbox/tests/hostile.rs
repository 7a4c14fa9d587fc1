//! Sources that overwhelm a reader or an expander, and images that no load gave.

use super::*;

/// Numbers that are the same in every run (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap()
    }
}

/// What a call of a strange image came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It was refused, or the tool's own error.
    Refused,
    /// It ran, and reached a limit perhaps.
    Ran,
    /// It broke the guest.
    Trap,
}

async fn end_of(image: Vec<u8>, tool: &str) -> End {
    let limits = Limits {
        steps: Some(100_000),
        cpu: Duration::from_secs(2),
        ..Limits::default()
    };
    let image = Image(image.into(), None);
    let nested = Arc::new(NoNestedCalls);
    match call_image(&image, tool, "{}", &Grants::default(), &limits, nested).await {
        Ok(_) => End::Ran,
        Err(Failure::Problem(_)) => End::Refused,
        Err(Failure::Trap(_)) => End::Trap,
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_image_of_anything_is_refused() {
    let mut numbers = Numbers(1);
    let mut images = vec![Vec::new(), vec![0; 1 << 20], vec![0xff; 1 << 20]];
    for _ in 0..200 {
        let length = numbers.below(4000);
        images.push(
            (0..length)
                .map(|_| numbers.next().to_le_bytes()[0])
                .collect(),
        );
    }
    for image in images {
        let length = image.len();
        assert_eq!(end_of(image, "echo").await, End::Refused, "{length} bytes");
    }
    assert_healthy().await;
}

/// An image comes from the guest itself and is kept in memory only, so nothing but a
/// fault of ours changes one. That fault must stay within its call.
#[tokio::test]
async fn a_changed_image_hurts_its_own_call_at_most() {
    let probes = load(PROBES, &Grants::default(), &Limits::default())
        .await
        .unwrap();
    let whole = probes.image.0.to_vec();
    for length in (0..whole.len()).step_by(97) {
        assert_eq!(end_of(whole[..length].to_vec(), "echo").await, End::Refused);
    }
    let mut numbers = Numbers(2);
    let mut ends = std::collections::BTreeMap::<End, usize>::new();
    let tools = [
        "echo",
        "count",
        "env",
        "clock",
        "print",
        "fail",
        "other",
        "dive-into-circles",
    ];
    for round in 0..3000 {
        let mut image = whole.clone();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(image.len());
            // The next number up or down is likely to be a good one, in another place.
            match numbers.below(8) {
                0 => image[at] ^= 1 << numbers.below(8),
                1 => image[at] = numbers.next().to_le_bytes()[0],
                2 => drop(image.remove(at)),
                3 => {
                    let to = numbers.below(image.len());
                    image.swap(at, to);
                }
                4 | 5 => image[at] = image[at].wrapping_add(1),
                _ => image[at] = image[at].wrapping_sub(1),
            }
        }
        let end = end_of(image, tools[round % tools.len()]).await;
        *ends.entry(end).or_default() += 1;
    }
    assert_eq!(ends.get(&End::Trap), None, "{ends:?}");
    assert_healthy().await;
}

/// `inside` in `count` pairs of `open` and `close`.
fn nested(count: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(count), close.repeat(count))
}

/// What `one` makes of the numbers below `count`, in a row.
fn row(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

/// Loads a file that defines no tool, and says how that ended: at a limit, or with a
/// fault of the file. Nothing else will do, and the next call must not notice.
async fn assert_ends(name: &str, source: &str) {
    let limits = Limits {
        // Some of it takes as long as it may.
        cpu: Duration::from_secs(1),
        ..Limits::default()
    };
    match load(source, &Grants::default(), &limits).await {
        Err(Failure::Problem(problem)) => assert!(
            problem.kind != ProblemKind::Host && problem.message.len() < 20_000,
            "{name}: {problem:.1000}"
        ),
        Err(Failure::Limit(_)) => {}
        other => panic!("{name}: {other:?}"),
    }
    assert_healthy().await;
}

#[tokio::test]
async fn a_source_is_as_deep_as_it_likes() {
    const MANY: usize = 1_000_000;
    const SOME: usize = 100_000;
    for (name, source) in [
        ("open", "(".repeat(MANY)),
        ("closed", ")".repeat(MANY)),
        ("block comments", "#|".repeat(MANY)),
        ("comments", nested(MANY, "#;", "1", "")),
        ("begins", nested(SOME, "(begin ", "1", ")")),
        ("import", nested(SOME, "(import (only ", "(a)", "))")),
        (
            "only",
            format!("(import {})", nested(SOME, "(only ", "(a)", ")")),
        ),
        (
            "library",
            nested(SOME, "(define-library (a) (begin ", "", "))"),
        ),
        (
            "not",
            format!("(cond-expand ({} 1))", nested(SOME, "(not ", "x", ")")),
        ),
    ] {
        assert_ends(name, &source).await;
    }
    for (name, expression) in [
        ("lists", nested(MANY, "'(", "", ")")),
        ("vectors", nested(MANY, "#(", "", ")")),
        ("quotes", nested(MANY, "'", "x", "")),
        ("labels", format!("'{}", nested(SOME, "#0=(", "", ")"))),
        ("templates", nested(SOME, "`(1 ,", "x", ")")),
        ("open templates", nested(SOME, "`(1 ,", "x", "")),
        ("calls", nested(SOME, "(+ 1 ", "1", ")")),
        ("operators", nested(SOME, "(", "car", ")")),
        ("procedures", nested(SOME, "(lambda () ", "1", ")")),
        ("bindings", nested(SOME, "(let ((a 1)) ", "a", ")")),
        ("600 bindings", nested(600, "(let ((a 1)) ", "a", ")")),
        ("600 procedures", nested(600, "((lambda (a) ", "a", ") 1)")),
        ("600 bodies", nested(600, "(let () (define a 1) ", "a", ")")),
        ("branches", nested(SOME, "(cond (#f 1) (else ", "1", "))")),
        ("macros", nested(SOME, "(let-syntax () ", "1", ")")),
        ("parameters", nested(SOME, "(parameterize () ", "1", ")")),
        ("handlers", nested(SOME, "(guard (e (#t 1)) ", "1", ")")),
    ] {
        assert_ends(name, &format!("(define x {expression})")).await;
    }
    for (name, pattern, template) in [
        ("pattern", nested(SOME, "(", "x", ")"), "1".to_owned()),
        ("template", "x".to_owned(), nested(SOME, "(", "x", ")")),
        ("dots", format!("x {}", "... ".repeat(SOME)), "1".to_owned()),
        (
            "dots in template",
            "x ...".to_owned(),
            format!("x {}", "... ".repeat(SOME)),
        ),
        (
            "vector pattern",
            nested(SOME, "#(", "x", ")"),
            "1".to_owned(),
        ),
        (
            "dotted pattern",
            nested(SOME, "(x ... ", "x", ")"),
            "1".to_owned(),
        ),
    ] {
        let rule = format!("(syntax-rules () ((_ {pattern}) {template}))");
        assert_ends(name, &format!("(define-syntax m {rule})\n(m 1)")).await;
    }
}

#[tokio::test]
async fn a_source_is_as_long_as_it_likes() {
    const SIZE: usize = 5_000_000;
    const MANY: usize = 200_000;
    for (name, source) in [
        ("definitions", "(define x 1)\n        ".repeat(SIZE / 20)),
        ("names", row(MANY, |n| format!("(define a{n} 1)"))),
        ("comment", format!(";{}", "x".repeat(SIZE))),
        ("symbol", "x".repeat(SIZE)),
        ("nothing", "\0".repeat(SIZE)),
        ("space", " ".repeat(SIZE)),
        ("string", format!("\"{}\"", "x".repeat(SIZE))),
        (
            "wide string",
            format!("\"{}\"", "\u{1f600}".repeat(SIZE / 4)),
        ),
        ("escapes", format!("\"{}\"", "\\x41;".repeat(SIZE / 5))),
        ("open string", format!("\"{}", "x".repeat(SIZE))),
        ("digits", "7".repeat(SIZE)),
        (
            "ratio",
            format!("{}/{}", "7".repeat(SIZE / 10), "3".repeat(SIZE / 10)),
        ),
        ("exponent", format!("1e{}", "9".repeat(SIZE))),
        ("fraction", format!("0.{}", "9".repeat(SIZE))),
        ("exact exponent", "#e1e1000000000".to_owned()),
        ("list", format!("'({})", "1 ".repeat(SIZE / 2))),
        ("strings", format!("'({})", "\"\" ".repeat(SIZE / 3))),
        ("bytes", format!("#u8({})", "1 ".repeat(SIZE / 2))),
        ("call", format!("(list {})", "1 ".repeat(SIZE / 2))),
        (
            "parameters",
            format!("(lambda ({}) 1)", row(MANY, |n| format!("a{n} "))),
        ),
        (
            "body",
            format!("(lambda () {})", "(car '()) ".repeat(SIZE / 10)),
        ),
        (
            "locals",
            format!(
                "(lambda () {} 1)",
                row(MANY, |n| format!("(define a{n} 1)"))
            ),
        ),
        (
            "let",
            format!("(let ({}) 1)", row(MANY, |n| format!("(a{n} 1)"))),
        ),
        (
            "case",
            format!(
                "(lambda (x) (case x {}))",
                row(MANY, |n| format!("(({n}) 1)"))
            ),
        ),
        (
            "record",
            format!(
                "(define-record-type r (m) r? {})",
                row(MANY, |n| format!("(f{n} g{n})"))
            ),
        ),
        (
            "export",
            format!(
                "(define-library (a) (export {}))",
                row(MANY, |n| format!("f{n} "))
            ),
        ),
        (
            "rules",
            format!(
                "(define-syntax m (syntax-rules () {}))\n(m)",
                "((_ x) 1)".repeat(MANY)
            ),
        ),
    ] {
        assert_ends(name, &source).await;
    }
}

#[tokio::test]
async fn macros_expand_as_far_as_the_limits_go() {
    for (name, rules) in [
        ("double", "((_ x) (begin (m (x x)) (m (x x))))"),
        ("loop", "((_ x) (m x))"),
        ("grow", "((_ x ...) (m x ... x ...))"),
        ("nest", "((_ x) (+ 1 (m x)))"),
        ("quote", "((_ x) (m '(x x)))"),
        ("define", "((_ x) (begin (define x 1) (m k)))"),
        (
            "define macros",
            "((_ n) (begin (define-syntax n (syntax-rules () ((_) (m n)))) (n)))",
        ),
        (
            "local macros",
            "((_ x) (let-syntax ((k (syntax-rules () ((_) (m x))))) (k)))",
        ),
        ("bodies", "((_ x) (let () (define a x) (m a)))"),
        ("procedures", "((_ x) (lambda (a) (m x)))"),
        ("match", "((_ (a ... b c) ...) 1) ((_ . x) (m 1 . x))"),
        (
            "match deeper",
            "((_ (x ...) ...) (m (x ... x ...) ...)) ((_ x) (m (x x) (x x)))",
        ),
        ("strings", "((_ x) (m #(x \"text\" x)))"),
        (
            "libraries",
            "((_ x) (begin (define-library (x) (begin (define a 1))) (m y)))",
        ),
    ] {
        let source = format!("(define-syntax m (syntax-rules () {rules}))\n(m a)");
        assert_ends(name, &source).await;
    }
}
