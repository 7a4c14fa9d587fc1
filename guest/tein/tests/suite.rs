//! The language and its libraries, as cases that read like the standard's own examples.
//!
//! A case is separated from the next by a blank line and holds an expression (or several forms),
//! then `=> VALUE`, `=>error TEXT` (the error's text contains TEXT) or `=>output TEXT` (with `\n` for
//! a newline). Lines that begin with `;` are comments; `; import (lib)` at the head of a file adds to its imports. A line
//! of `----` starts a fresh program. Every case runs three times: plain, collecting at every safe
//! point, and (forms of one program together) from an image in a fresh context.

#![allow(clippy::expect_used)] // a broken fixture is a failed test

use std::fmt::Write as _;
use std::path::Path;

use tein::Context;

struct Case {
    line: usize,
    code: String,
    expect: Expect,
}

enum Expect {
    Value(String),
    Error(String),
    Output(String),
}

fn parse(text: &str) -> Vec<Vec<Case>> {
    let mut programs = vec![Vec::new()];
    let mut code = String::new();
    let mut line_of_code = 0;
    for (i, line) in text.lines().enumerate() {
        if line == "----" {
            programs.push(Vec::new());
            continue;
        }
        if line.starts_with(';') || (code.trim().is_empty() && line.trim().is_empty()) {
            continue;
        }
        if code.trim().is_empty() {
            line_of_code = i + 1;
        }
        let marks = ["=>error", "=>output", "=>"];
        let split = line
            .match_indices("=>")
            .map(|(at, _)| at)
            .filter(|at| *at == 0 || line[..*at].ends_with(' '))
            .find(|at| {
                balanced(&format!("{code}\n{}", &line[..*at]))
                    && !format!("{code}{}", &line[..*at]).trim().is_empty()
            })
            .and_then(|at| {
                marks
                    .iter()
                    .find(|m| line[at..].starts_with(**m))
                    .map(|m| (at, *m))
            });
        match split {
            Some((at, mark)) => {
                let _ = writeln!(code, "{}", &line[..at]);
                let rest = line[at + mark.len()..].trim().to_owned();
                let expect = match mark {
                    "=>error" => Expect::Error(rest),
                    "=>output" => Expect::Output(unescaped(&rest)),
                    _ => Expect::Value(rest),
                };
                let case = Case {
                    line: line_of_code,
                    code: std::mem::take(&mut code),
                    expect,
                };
                if let Some(p) = programs.last_mut() {
                    p.push(case);
                }
            }
            None => {
                let _ = writeln!(code, "{line}");
            }
        }
    }
    assert!(
        code.trim().is_empty(),
        "a case without an expectation: {code}"
    );
    programs
}

/// True when parentheses outside strings, comments, characters and barred symbols match.
fn balanced(code: &str) -> bool {
    let mut depth = 0i32;
    let mut chars = code.chars().peekable();
    let skip_quoted = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>, close: char| {
        while let Some(c) = chars.next() {
            if c == '\\' {
                chars.next();
            } else if c == close {
                return true;
            }
        }
        false
    };
    while let Some(c) = chars.next() {
        match c {
            '"' | '|' if !skip_quoted(&mut chars, c) => return false,
            '#' if chars.peek() == Some(&'\\') => {
                chars.next();
                chars.next();
            }
            '#' if chars.peek() == Some(&';') => {
                chars.next();
            }
            '#' if chars.peek() == Some(&'|') => {
                let mut nested = 0;
                let mut last = '#';
                for c in chars.by_ref() {
                    match (last, c) {
                        ('#', '|') => nested += 1,
                        ('|', '#') => nested -= 1,
                        _ => {}
                    }
                    if nested == 0 {
                        break;
                    }
                    last = c;
                }
            }
            ';' => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth <= 0
}

/// What a program writes: `\n` is a newline and `\\` a backslash.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('\\')) => out.push('\\'),
            _ => {
                out.push(c);
                continue;
            }
        }
        chars.next();
    }
    out
}

fn context(stress: bool) -> Context {
    let mut c = Context::builder()
        .standard_env()
        .step_limit(50_000_000)
        .build()
        .expect("the engine boots");
    c.set_gc_stress(stress);
    c
}

fn run(file: &str, text: &str, stress: bool, failures: &mut Vec<String>) -> usize {
    let imports: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("; import "))
        .collect();
    let mut count = 0;
    for program in parse(text) {
        let mut c = context(stress);
        for i in &imports {
            if let Err(e) = c.evaluate(&format!("(import {i})")) {
                failures.push(format!("{file}: import {i}: {e}"));
                return count;
            }
        }
        for case in program {
            count += 1;
            let at = format!(
                "{file}:{}{}",
                case.line,
                if stress { " (stress)" } else { "" }
            );
            let got = c.evaluate_to_string("case", &case.code);
            let [(out, _), _] = c.take_output();
            match (&case.expect, got) {
                (Expect::Value(want), Ok(got)) => {
                    let want = c
                        .evaluate_to_string("want", &format!("'{want}"))
                        .unwrap_or_else(|_| want.clone());
                    if want != got {
                        failures.push(format!(
                            "{at}: {}: got {got}, want {want}",
                            case.code.trim()
                        ));
                    }
                }
                (Expect::Output(want), Ok(_)) => {
                    if *want != out {
                        failures.push(format!(
                            "{at}: {}: wrote {out:?}, want {want:?}",
                            case.code.trim()
                        ));
                    }
                }
                (Expect::Error(want), Err(e)) => {
                    let text = e.to_string();
                    // A limit is only what a case that names it expects.
                    let limit =
                        matches!(e.kind, tein::Failure::Limit(_)) && !want.contains("limit");
                    if limit || !text.contains(want.as_str()) {
                        failures.push(format!(
                            "{at}: {}: error {text:?}, want {want:?}",
                            case.code.trim()
                        ));
                    }
                }
                (Expect::Error(want), Ok(got)) => {
                    failures.push(format!(
                        "{at}: {}: got {got}, want an error with {want:?}",
                        case.code.trim()
                    ));
                }
                (_, Err(e)) => failures.push(format!("{at}: {}: {e}", case.code.trim())),
            }
        }
    }
    count
}

/// The files of the suite; `TEIN_SUITE` names a part of a path to run only some.
fn files(dir: &Path, out: &mut Vec<std::path::PathBuf>) {
    let only = std::env::var("TEIN_SUITE").unwrap_or_default();
    let mut entries: Vec<_> = std::fs::read_dir(dir)
        .expect("suite folder")
        .flatten()
        .map(|e| e.path())
        .collect();
    entries.sort();
    for p in entries {
        if p.is_dir() {
            files(&p, out);
        } else if p.extension().is_some_and(|e| e == "scm") && p.to_string_lossy().contains(&only) {
            out.push(p);
        }
    }
}

fn suite(stress: bool) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut failures = Vec::new();
    let mut count = 0;
    for p in &paths {
        let text = std::fs::read_to_string(p).expect("suite file");
        if stress && text.starts_with("; slow") {
            continue;
        }
        let name = p.strip_prefix(&root).unwrap_or(p).display().to_string();
        count += run(&name, &text, stress, &mut failures);
    }
    println!("{count} assertions in {} files", paths.len());
    assert!(
        failures.is_empty(),
        "{} of {count} fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn every_case_holds() {
    suite(false);
}

#[test]
fn every_case_holds_when_collecting_at_every_safe_point() {
    suite(true);
}

#[test]
fn programs_run_the_same_from_an_image() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut failures = Vec::new();
    for p in &paths {
        let text = std::fs::read_to_string(p).expect("suite file");
        let imports: Vec<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix("; import "))
            .collect();
        for program in parse(&text) {
            let name = p.strip_prefix(&root).unwrap_or(p).display();
            let imports = imports.iter().map(|i| (0, format!("(import {i})")));
            let cases = program
                .iter()
                .filter(|c| !matches!(c.expect, Expect::Error(_)))
                .map(|c| (c.line, c.code.clone()));
            let mut forms: Vec<(usize, String)> = imports.chain(cases).collect();
            // Forms that end in an error or leave the program end its image too; the others form
            // one program.
            let mut trial = context(false);
            forms.retain(|(_, code)| {
                !matches!(
                    trial.evaluate_file("program", code),
                    Ok(tein::Value::Exit(_))
                )
            });
            let mut first = context(false);
            for (line, code) in &forms {
                if let Err(e) = first.evaluate_file("program", code) {
                    failures.push(format!("{name}:{line}: {e}"));
                }
            }
            let [(want, _), _] = first.take_output();
            let image = first.image().expect("an image");
            let mut second = context(false);
            match second.run_image(&image) {
                Ok(()) => {
                    let [(got, _), _] = second.take_output();
                    if got != want {
                        failures.push(format!(
                            "{name}: wrote {got:?} from the image, {want:?} from the source"
                        ));
                    }
                }
                Err(e) => failures.push(format!("{name}: {e}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
