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
    let image = Image(image.into());
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
    let n = std::env::var("N").map_or(3000, |n| n.parse().unwrap());
    for round in 0..n {
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
        let tool = tools[round % tools.len()];
        let copy = image.clone();
        let end = end_of(image, tool).await;
        if end == End::Trap {
            let diff: Vec<_> = (copy.len() == whole.len())
                .then(|| {
                    (0..copy.len())
                        .filter(|i| copy[*i] != whole[*i])
                        .map(|i| (i, whole[i], copy[i]))
                        .collect()
                })
                .unwrap_or_default();
            println!("trap {round} {tool} {diff:?}");
        }
        *ends.entry(end).or_default() += 1;
    }
    println!("{ends:?}");
    assert_eq!(ends.get(&End::Trap), None, "{ends:?}");
    assert_healthy().await;
}

fn times(count: usize, text: &str) -> String {
    text.repeat(count)
}

/// Loads, and says how it ended.
async fn load_end(source: &str) -> String {
    let start = std::time::Instant::now();
    let ended = match load(source, &Grants::default(), &Limits::default()).await {
        Ok(_) => "loaded".to_owned(),
        Err(Failure::Problem(problem)) => {
            format!("{:?} {:?}: {}", problem.kind, problem.at, problem.message)
        }
        Err(Failure::Limit(reached)) => reached.message(),
        Err(other) => panic!("{other:?}"),
    };
    println!("{:?} {ended:.300}", start.elapsed());
    ended
}

#[tokio::test]
async fn a_source_is_as_deep_as_it_likes() {
    for (name, source) in [
        ("open", times(1_000_000, "(")),
        ("closed", times(1_000_000, ")")),
        (
            "data",
            format!(
                "(define x '{}{})",
                times(1_000_000, "("),
                times(1_000_000, ")")
            ),
        ),
        (
            "vectors",
            format!(
                "(define x '{}{})",
                times(1_000_000, "#("),
                times(1_000_000, ")")
            ),
        ),
        ("quotes", format!("(define x {}y)", times(1_000_000, "'"))),
        ("quasi", format!("(define x {}y)", times(100_000, "`(1 ,"))),
        (
            "quasi closed",
            format!(
                "(define x {}y{})",
                times(100_000, "`(1 ,"),
                times(100_000, ")")
            ),
        ),
        ("comments", format!("{}1", times(1_000_000, "#;"))),
        ("block comments", times(1_000_000, "#|")),
        (
            "labels",
            format!(
                "(define x '{}1{})",
                times(10_000, "#0=("),
                times(10_000, ")")
            ),
        ),
        (
            "calls",
            format!(
                "(define x {}1{})",
                times(100_000, "(+ 1 "),
                times(100_000, ")")
            ),
        ),
        (
            "begins",
            format!("{}1{}", times(100_000, "(begin "), times(100_000, ")")),
        ),
        (
            "lambdas",
            format!(
                "(define x {}1{})",
                times(100_000, "(lambda () "),
                times(100_000, ")")
            ),
        ),
        (
            "lets",
            format!(
                "(define x {}1{})",
                times(100_000, "(let ((a 1)) "),
                times(100_000, ")")
            ),
        ),
        (
            "operators",
            format!(
                "(define x {}car{})",
                times(100_000, "("),
                times(100_000, ")")
            ),
        ),
        (
            "conds",
            format!(
                "(define x {}1{})",
                times(100_000, "(cond (#f 1) (else "),
                times(200_000, ")")
            ),
        ),
        (
            "600 lets",
            format!(
                "(define x {}1{})",
                times(600, "(let ((a 1)) "),
                times(600, ")")
            ),
        ),
        (
            "600 lambdas",
            format!(
                "(define x {}1{})",
                times(600, "((lambda (a) "),
                times(600, ") 1)")
            ),
        ),
        (
            "patterns",
            format!(
                "(define-syntax m (syntax-rules () (({}x{}) 1)))",
                times(100_000, "("),
                times(100_000, ")")
            ),
        ),
        (
            "templates",
            format!(
                "(define-syntax m (syntax-rules () ((_ x) {}x{})))\n(m 1)",
                times(100_000, "("),
                times(100_000, ")")
            ),
        ),
        (
            "ellipses",
            format!(
                "(define-syntax m (syntax-rules () ((_ x {}) 1)))\n(m 1)",
                times(100_000, "... ")
            ),
        ),
        (
            "import sets",
            format!(
                "(import {}(scheme base){})",
                times(100_000, "(only "),
                times(100_000, ")")
            ),
        ),
        (
            "libraries",
            format!("(define-library (a) {}", times(100_000, "(begin ")),
        ),
        (
            "let-syntax",
            format!(
                "(define x {}1{})",
                times(10_000, "(let-syntax () "),
                times(10_000, ")")
            ),
        ),
        (
            "cond-expand",
            format!(
                "(cond-expand ({} x {} 1))",
                times(100_000, "(not "),
                times(100_000, ")")
            ),
        ),
    ] {
        println!("{name}");
        load_end(&source).await;
        assert_healthy().await;
    }
}

#[tokio::test]
async fn a_source_is_as_long_as_it_likes() {
    for (name, source) in [
        ("definitions", times(250_000, "(define x 1)\n        ")),
        (
            "string",
            format!("(define x \"{}\")", times(5_000_000, "x")),
        ),
        ("symbol", times(5_000_000, "x")),
        ("number", format!("(define x {})", times(5_000_000, "7"))),
        (
            "rational",
            format!("(define x {}/{})", times(500_000, "7"), times(500_000, "3")),
        ),
        ("float", format!("(define x 1e{})", times(5_000_000, "9"))),
        (
            "float digits",
            format!("(define x 0.{})", times(5_000_000, "9")),
        ),
        ("big exponent", "(define x #e1e1000000000)".to_owned()),
        ("comment", format!(";{}", times(5_000_000, "x"))),
        ("list", format!("(define x '({}))", times(2_500_000, "1 "))),
        (
            "call",
            format!("(define x (list {}))", times(1_000_000, "1 ")),
        ),
        (
            "parameters",
            format!(
                "(define (x {}) 1)",
                (0..500_000).map(|n| format!("a{n} ")).collect::<String>()
            ),
        ),
        (
            "body",
            format!("(define (x) {})", times(400_000, "(car '()) ")),
        ),
        (
            "locals",
            format!(
                "(define (x) {} 1)",
                (0..200_000)
                    .map(|n| format!("(define a{n} 1) "))
                    .collect::<String>()
            ),
        ),
        (
            "let",
            format!(
                "(let ({}) 1)",
                (0..200_000)
                    .map(|n| format!("(a{n} 1) "))
                    .collect::<String>()
            ),
        ),
        (
            "case",
            format!(
                "(define (f x) (case x {}))",
                (0..200_000)
                    .map(|n| format!("(({n}) 1)"))
                    .collect::<String>()
            ),
        ),
        (
            "names",
            (0..200_000)
                .map(|n| format!("(define a{n} 1)"))
                .collect::<String>(),
        ),
        (
            "strings in strings",
            format!("(define x '({}))", times(500_000, "\"\" ")),
        ),
        ("nul", times(5_000_000, "\0")),
        (
            "record",
            format!(
                "(define-record-type r (m) r? {})",
                (0..100_000)
                    .map(|n| format!("(f{n} g{n}) "))
                    .collect::<String>()
            ),
        ),
        (
            "export",
            format!(
                "(define-library (a) (export {}))",
                (0..200_000).map(|n| format!("f{n} ")).collect::<String>()
            ),
        ),
    ] {
        println!("{name}");
        load_end(&source).await;
        assert_healthy().await;
    }
}

#[tokio::test]
async fn macros_expand_as_far_as_the_limits_go() {
    for (name, source) in [
        (
            "doubling",
            "(define-syntax m (syntax-rules () ((_ x) (begin (m (x x)) (m (x x))))))\n(m 1)",
        ),
        (
            "endless",
            "(define-syntax m (syntax-rules () ((_) (m))))\n(m)",
        ),
        (
            "growing",
            "(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...))))\n(m 1)",
        ),
        (
            "nesting",
            "(define-syntax m (syntax-rules () ((_ x) (+ 1 (m x)))))\n(m 1)",
        ),
        (
            "nested patterns",
            "(define-syntax m (syntax-rules () ((_ (x ...) ...) (m (x ... x ...) ... (x ... x ...) ...))))\n(m (1 2) (3 4))",
        ),
        (
            "defining",
            "(define-syntax m (syntax-rules () ((_ n) (begin (define-syntax n (syntax-rules () ((_) (m n)))) (n)))))\n(m k)",
        ),
        (
            "quoting",
            "(define-syntax m (syntax-rules () ((_ x) (m '(x x)))))\n(m a)",
        ),
        (
            "let-syntax",
            "(define-syntax m (syntax-rules () ((_ x) (let-syntax ((k (syntax-rules () ((_) (m x))))) (k)))))\n(m a)",
        ),
        (
            "bodies",
            "(define-syntax m (syntax-rules () ((_ x) (let () (define a x) (m a)))))\n(m 1)",
        ),
        (
            "lambda",
            "(define-syntax m (syntax-rules () ((_ x) (lambda (a) (m x)))))\n(m 1)",
        ),
        (
            "backtracking",
            "(define-syntax m (syntax-rules () ((_ (a ... b c) ...) 1) ((_ . x) (m 1 . x))))\n(m 1)",
        ),
        (
            "while loading",
            "(define-syntax m (syntax-rules () ((_ n) (begin (define n 1) (m k)))))\n(m k)",
        ),
    ] {
        println!("{name}");
        let ended = load_end(source).await;
        assert_ne!(ended, "loaded", "{name}");
        assert_healthy().await;
    }
}
