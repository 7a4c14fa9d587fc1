//! What the README shows is what works.

use std::path::Path;

use holm::config::Config;

use crate::project::{Project, result, tools};

fn readme() -> String {
    std::fs::read_to_string(tools().join("../../README.md")).unwrap()
}

/// The fenced blocks of a language outside the tutorial, which has a test of its own.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let (before, tutorial) = readme.split_once("\n## Tutorial").unwrap();
    let (_, after) = tutorial.split_once("\n## ").unwrap();
    format!("{before}{after}")
        .split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_configuration_is_accepted() {
    let blocks = blocks("toml");
    assert_eq!(blocks.len(), 1);
    let config = Config::parse("README.md", &blocks[0], Path::new("/base")).unwrap();
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    // The limits are said to be the defaults.
    assert_eq!(
        config.limits.apply(holm::limits::Limits::default()),
        holm::limits::Limits::default()
    );
}

#[test]
fn the_starter_configuration_is_accepted_with_everything_in_it_turned_on() {
    let text = std::fs::read_to_string(tools().join("../../examples/starter/holm.toml")).unwrap();
    let all_on: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.contains(" = ") && !setting.contains('`') => {
                format!("{setting}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    assert!(all_on.lines().count() > text.lines().filter(|line| !line.starts_with('#')).count());
    for text in [text, all_on] {
        let config = Config::parse("holm.toml", &text, Path::new("/base"));
        assert!(config.is_ok_and(|config| config.warnings.is_empty()));
    }
}

#[test]
fn the_tools_work() {
    let blocks = blocks("scheme");
    let [short, long] = blocks.as_slice() else {
        panic!("{blocks:?}");
    };
    let project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared/long.scm\" = [\"https://status.example.com/\"]\n",
    );
    project
        .write("tools/short.scm", short)
        .write("tools/long.scm", long);
    project
        .holm(&["check", "tools/short.scm", "tools/long.scm"])
        .exits(0);
    project
        .holm(&["call", "hello", r#"{"name":"Ada"}"#])
        .exits(0)
        .prints(&result("Hello, Ada."));
}

#[test]
fn every_command_and_every_exit_code_is_there() {
    let readme = readme();
    let help = Project::new().holm(&["--help"]).exits(0);
    let commands = help.stdout.split("Commands:\n").nth(1).unwrap();
    let mut count = 0;
    for line in commands.lines().take_while(|line| !line.is_empty()) {
        let command = line.split_whitespace().next().unwrap();
        assert!(readme.contains(&format!("| `holm {command}")), "{command}");
        count += 1;
    }
    assert_eq!(count, readme.matches("| `holm ").count());
    for code in 0..=4 {
        assert!(readme.contains(&format!("| {code} | ")), "{code}");
    }
}

/// The same command in the README, in CI and here.
#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let script = std::fs::read_to_string(tools().join("../../.ci/run")).unwrap();
    assert!(readme().contains("    cargo test --workspace\n"));
    assert!(script.contains("cargo test --workspace "));
}

#[test]
fn the_configurations_of_the_reference_are_accepted() {
    let text = std::fs::read_to_string(tools().join("../../docs/mcp.md")).unwrap();
    let blocks: Vec<&str> = text
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let config = Config::parse("docs/mcp.md", block, Path::new("/base")).unwrap();
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
        assert!(!config.skills.is_empty());
    }
}
