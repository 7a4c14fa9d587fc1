//! `holm check`: which file, which line, which column.

use serde_json::Value;

use crate::project::{Project, tools};

/// The rows of `tools/check/expected.json`.
fn expected() -> Vec<Value> {
    let text = std::fs::read_to_string(tools().join("check/expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_broken_file_says_where_it_is_broken() {
    let project = Project::with_config("");
    let mut wrong = Vec::new();
    for row in expected() {
        let name = row["file"].as_str().unwrap();
        let file = tools().join("check").join(name).canonicalize().unwrap();
        let report = project
            .holm(&["check", "--json", file.to_str().unwrap()])
            .exits(1)
            .json();
        assert_eq!(report["ok"], false);
        let found = &report["diagnostics"][0];
        let as_expected = found["severity"] == "error"
            && found["file"] == file.to_str().unwrap()
            && found["line"] == row["line"]
            && found["column"] == row["column"]
            && found["message"]
                .as_str()
                .unwrap()
                .contains(row["message"].as_str().unwrap());
        if !as_expected {
            wrong.push(format!("expected {row}\ngot {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_has_its_row() {
    let mut files: Vec<String> = std::fs::read_dir(tools().join("check"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".scm"))
        .collect();
    files.sort();
    let mut rows: Vec<String> = expected()
        .iter()
        .map(|row| row["file"].as_str().unwrap().to_owned())
        .collect();
    rows.sort();
    assert_eq!(files, rows);
}

#[test]
fn a_broken_file_hides_no_other() {
    let project = Project::with_config("");
    project
        .add_tool("check/wrong_type.scm")
        .add_tool("echo.scm");
    project
        .holm(&["list"])
        .exits(0)
        .tells("tools/check/wrong_type.scm:4:3: ");
    project.holm(&["call", "echo"]).exits(0);
    project
        .holm(&["check", "tools/check/wrong_type.scm", "tools/echo.scm"])
        .exits(1)
        .tells("4 |   (string-append \"one\" 2))");
}

#[test]
fn a_good_file_is_described() {
    let project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared/market_order.scm\" = [\"https://demo.broker.example/api/\"]\n",
    );
    project.add_market_order();
    let run = project.holm(&["check", "tools/market_order.scm"]).exits(0);
    for part in [
        "tools/market_order.scm: ok, /tools/shared/market_order.scm at tier 1\n",
        "  tool market_order (network) broker: string, note?: string, quantity: number, side: string, ticker: string; a prompt shows side quantity ticker broker\n",
        "  declares https://demo.broker.example/api/v0/\n",
        "  \"trust-declared\" would add https://demo.broker.example/api/v0/ and take away https://demo.broker.example/api/\n",
        "  granted https://demo.broker.example/api/, by `tools.http.allow.\"/tools/shared/market_order.scm\"` (holm.toml:6:1)\n",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in {run:#?}");
    }
}

#[test]
fn two_files_with_one_tool_are_told_apart() {
    let project = Project::with_config("");
    project
        .write(
            "tools/a.scm",
            &std::fs::read_to_string(tools().join("echo.scm")).unwrap(),
        )
        .write(
            "tools/b.scm",
            &std::fs::read_to_string(tools().join("echo.scm")).unwrap(),
        );
    let list = project
        .holm(&["list"])
        .exits(0)
        .tells("tools/b.scm: the tool `echo` is defined by tools/a.scm already");
    assert_eq!(list.stdout.lines().count(), 1);
}
