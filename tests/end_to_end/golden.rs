//! What holm says, word for word: each case of `tests/golden/cases.json` with the exit code
//! and both streams in a file of its name. `HOLM_BLESS=1` writes the files anew, to be read
//! before they are committed.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::project::{Project, tools};

fn folder() -> PathBuf {
    tools().join("../golden")
}

fn cases() -> Vec<Value> {
    let text = fs::read_to_string(folder().join("cases.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    let items = value.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap()).collect()
}

/// Runs a case: its files, and then its commands one after the other.
fn run(case: &Value) -> String {
    let project = Project::new();
    for (name, text) in case["files"].as_object().unwrap() {
        let text = match text {
            Value::String(text) => text.clone(),
            lines => texts(lines).join("\n") + "\n",
        };
        project.write(name, &text);
    }
    let mut shown = String::new();
    for command in case["commands"].as_array().unwrap() {
        let arguments = texts(command);
        let run = project.holm(&arguments);
        let _ = write!(
            shown,
            "$ holm {}\n{}{}exit {}\n",
            arguments.join(" "),
            marked("out", &run.stdout),
            marked("err", &run.stderr),
            run.code
        );
    }
    let folder = project.folder().canonicalize().unwrap();
    shown.replace(folder.to_str().unwrap(), "[folder]")
}

/// Every line with the name of its stream before it.
fn marked(stream: &str, text: &str) -> String {
    text.lines()
        .map(|line| format!("{stream}| {line}\n"))
        .collect()
}

#[test]
fn every_message_reads_as_it_did() {
    let mut changed = Vec::new();
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let file = folder().join(format!("{name}.txt"));
        let shown = run(&case);
        if std::env::var_os("HOLM_BLESS").is_some() {
            fs::write(&file, &shown).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if shown != expected {
            changed.push(format!("--- {name}\n{expected}+++\n{shown}"));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn every_file_is_of_a_case_and_every_case_has_one() {
    let mut names: Vec<String> = cases()
        .iter()
        .map(|case| format!("{}.txt", case["name"].as_str().unwrap()))
        .collect();
    names.push("cases.json".to_owned());
    names.sort();
    let mut files: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, names);
}
