//! The targets of `fuzz/` on stable: mutated inputs from fixed seeds, the same in every run.
//!
//! An input whose outcome is of a new sort joins the corpus, so that the search goes on from what
//! it reached. `TEIN_FUZZ_ROUNDS` sets how many inputs each target gets, `TEIN_FUZZ_SEED` where
//! the sequence begins, `TEIN_FUZZ_IMAGES` a folder that the images to begin from are written to.
//!
//! What libFuzzer found is in `fuzz/found`, a folder for each target, and runs first.

#![allow(clippy::expect_used)] // a broken fixture is a failed test

#[path = "../fuzz/targets.rs"]
mod targets;

use std::collections::BTreeSet;

use targets::Targets;

/// Inputs of each target when nothing else is set.
const ROUNDS: u64 = 1500;
/// Longest input.
const LONGEST: usize = 4000;

/// xorshift64*: all that is asked of it is that it is the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            0
        } else {
            (self.next() % n as u64) as usize
        }
    }
}

/// Pieces that mean something to the reader, the expander or the machine.
const PIECES: &[&str] = &[
    "(",
    ")",
    "#(",
    "#u8(",
    "'",
    "`",
    ",",
    ",@",
    ".",
    "...",
    "\"",
    "|",
    "#|",
    "|#",
    "#;",
    ";\n",
    "#0=",
    "#0#",
    "#t",
    "#\\x",
    "#\\space",
    "#x",
    "#e",
    "#i",
    "1e400",
    "-1/2",
    "+inf.0",
    "+nan.0",
    "1@2",
    "+i",
    "\\x41;",
    "#!fold-case",
    "#!eof",
    "\u{0}",
    "λ",
    "\u{10ffff}",
    "(lambda args ",
    "(define x ",
    "(let loop ((i 0)) ",
    "(let-syntax ((m (syntax-rules () ((_ x ...) (x ...))))) ",
    "(define-syntax m (syntax-rules () ((_ . x) ",
    "(call/cc (lambda (k) ",
    "(dynamic-wind ",
    "(guard (e (#t ",
    "(with-exception-handler ",
    "(raise ",
    "(error \"x\" ",
    "(apply ",
    "(map ",
    "(string->symbol ",
    "(make-string 100000 #\\a)",
    "(make-vector 100000 0)",
    "(expt 7 77777)",
    "(exact 1e300)",
    "(number->string ",
    "(eval '",
    "(import ",
    "(define-library (a) ",
    "(define-record-type ",
    "(case-lambda ",
    "(parameterize ",
    "(delay ",
    "(cond-expand ",
    "(define-values ",
    "(quasiquote ",
    "(unquote ",
    "(syntax-rules ",
    "(values ",
    "(read (open-input-string ",
    "(json-parse ",
    "(regexp-matches ",
    "(match ",
    "(sort ",
    "(hash-table-update! ",
    "(string-search ",
    "(list-tail ",
    "(vector-ref ",
    "9223372036854775807",
    "4611686018427387904",
    "-2305843009213693953",
    "1e-320",
    "(begin ",
    "(set! ",
    "(if ",
];

fn mutate(random: &mut Random, corpus: &[Vec<u8>], pieces: bool) -> Vec<u8> {
    let mut data = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(data.len() + 1);
        match random.below(if pieces { 8 } else { 6 }) {
            0 if !data.is_empty() => {
                let at = at.min(data.len() - 1);
                data[at] ^= 1 << random.below(8);
            }
            1 if !data.is_empty() => {
                let at = at.min(data.len() - 1);
                data[at] = random.next() as u8;
            }
            2 => data.insert(at, random.next() as u8),
            3 => {
                let end = (at + random.below(20)).min(data.len());
                data.drain(at..end);
            }
            4 => {
                let end = (at + random.below(40)).min(data.len());
                let copy = data[at..end].to_vec();
                let to = random.below(data.len() + 1);
                data.splice(to..to, copy);
            }
            5 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let end = (from + random.below(80)).min(other.len());
                data.splice(at..at, other[from..end].iter().copied());
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                data.splice(at..at, piece.bytes());
            }
        }
    }
    data.truncate(LONGEST);
    data
}

/// The sort of an outcome: its text without what varies from input to input.
fn sort_of(outcome: &str) -> String {
    let mut sort: String = outcome
        .chars()
        .take(60)
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    if let Some((head, _)) = sort.split_once(": (") {
        sort = head.to_owned();
    }
    sort
}

/// Says which input it was when the test ends in a panic.
struct Report<'a>(&'a [u8]);

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input: {:?}", String::from_utf8_lossy(self.0));
            eprintln!("its bytes: {:?}", self.0);
        }
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

fn fuzz(
    name: &str,
    mut corpus: Vec<Vec<u8>>,
    pieces: bool,
    share: u64,
    mut target: impl FnMut(&[u8]) -> String,
) {
    assert!(!corpus.is_empty(), "there are seeds");
    let mut random = Random(setting("TEIN_FUZZ_SEED", 1) ^ 0x9e37_79b9_7f4a_7c15);
    let mut sorts = BTreeSet::new();
    for data in found(name) {
        let _report = Report(&data);
        target(&data);
    }
    let seeds = corpus.len();
    for data in corpus.clone() {
        let _report = Report(&data);
        sorts.insert(sort_of(&target(&data)));
    }
    for _ in 0..setting("TEIN_FUZZ_ROUNDS", ROUNDS) / share {
        let data = mutate(&mut random, &corpus, pieces);
        let report = Report(&data);
        let new = sorts.insert(sort_of(&target(&data)));
        drop(report);
        if new {
            corpus.push(data);
        }
    }
    println!(
        "{} sorts of outcome, {} inputs beside the {seeds} seeds",
        sorts.len(),
        corpus.len() - seeds
    );
    assert!(sorts.len() > 1, "every input ends in the same way");
}

/// What libFuzzer found for a target.
fn found(name: &str) -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/found");
    let files = std::fs::read_dir(format!("{folder}/{name}"));
    let files = files.into_iter().flatten().flatten();
    files
        .filter_map(|file| std::fs::read(file.path()).ok())
        .collect()
}

/// The cases of the language suite as seeds.
fn programs() -> Vec<Vec<u8>> {
    let files = [
        include_str!("suite/r7rs/4-2-binding.scm"),
        include_str!("suite/r7rs/4-3-hygiene.scm"),
        include_str!("suite/r7rs/4-3-macros.scm"),
        include_str!("suite/r7rs/5-definitions.scm"),
        include_str!("suite/r7rs/6-10-control.scm"),
        include_str!("suite/r7rs/6-11-exceptions.scm"),
        include_str!("suite/r7rs/6-13-ports-read.scm"),
        include_str!("suite/r7rs/6-2-numbers-text.scm"),
        include_str!("suite/r7rs/7-1-syntax.scm"),
        include_str!("suite/lib/tein-safe-regexp.scm"),
        include_str!("suite/lib/tein-json.scm"),
        include_str!("suite/lib/tein-toml.scm"),
        include_str!("suite/lib/chibi-match.scm"),
    ];
    files
        .iter()
        .flat_map(|text| text.split("\n\n"))
        .filter_map(|case| case.rsplit_once("=>").map(|(code, _)| code))
        .step_by(3)
        .map(|code| code.as_bytes().to_vec())
        .collect()
}

#[test]
fn any_text_is_read_or_refused() {
    let mut targets = Targets::default();
    fuzz("read", programs(), true, 1, |data| targets.read(data));
}

#[test]
fn any_text_runs_to_an_end() {
    let mut targets = Targets::default();
    fuzz("evaluate", programs(), true, 1, |data| {
        targets.evaluate(data)
    });
}

#[test]
fn any_bytes_are_an_image_or_refused() {
    let seeds: Vec<Vec<u8>> = [
        "(define (f x) (if (< x 2) x (+ (f (- x 1)) (f (- x 2))))) (f 5)",
        "(define-syntax m (syntax-rules () ((_ a ...) (list a ...)))) (m 1 'x \"s\" #\\c 1.5 #(1))",
        "(define k #f) (call/cc (lambda (c) (set! k c))) (define-record-type p (mk a) p? (a pa))",
        "(define t (list 1/2 (expt 2 70) #u8(1 2) '|a b|)) (for-each display t)",
    ]
    .iter()
    .filter_map(|text| Targets::image_of(text))
    .collect();
    if let Ok(folder) = std::env::var("TEIN_FUZZ_IMAGES") {
        for (n, image) in seeds.iter().enumerate() {
            std::fs::write(format!("{folder}/{n}"), image).expect("the folder is there");
        }
    }
    let mut targets = Targets::default();
    // What passes the checks runs in a context of its own, which takes a while to make.
    fuzz("image", seeds, false, 5, |data| targets.image(data));
}
