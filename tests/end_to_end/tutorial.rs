//! The tutorial of the README, followed to the letter: its files are written, its commands
//! are run on a terminal, what it types is typed, and the screen has to show what it shows.
//! Only the API is a server on this machine.

use crate::project::{Project, tools};
use crate::server::{Answer, Server};
use crate::terminal::on_terminal;

/// The API of the tutorial.
const API: &str = "https://api.orders.example/";

/// A part of the tutorial.
#[derive(Debug)]
enum Part {
    /// A file with its text.
    File(String, String),
    /// Commands, and what the screen shows after each.
    Console(Vec<(String, String)>),
}

/// The parts of the section, in order. A fenced block is the file that the paragraph
/// before it names last, in code quotes; an indented block is a console.
fn parts() -> Vec<Part> {
    let readme = std::fs::read_to_string(tools().join("../../README.md")).unwrap();
    let section = readme.split("\n## Tutorial").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut parts = Vec::new();
    let mut named = String::new();
    let mut lines = section.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            parts.push(Part::File(named.clone(), text.join("\n") + "\n"));
        } else if let Some(first) = line.strip_prefix("    ") {
            let mut console = vec![first];
            while let Some(next) = lines.peek().and_then(|line| line.strip_prefix("    ")) {
                console.push(next);
                lines.next();
            }
            let text = console.join("\n") + "\n";
            let text = format!("\n{text}");
            let commands = text.split("\n$ ").skip(1).map(|command| {
                let (command, shown) = command.split_once('\n').unwrap_or((command, ""));
                (command.to_owned(), shown.to_owned())
            });
            parts.push(Part::Console(commands.collect()));
        } else if let Some(name) = line.rsplit('`').nth(1).filter(|name| name.contains('.')) {
            named = name.to_owned();
        }
    }
    parts
}

#[test]
fn the_tutorial_works_as_it_is_written() {
    let server = Server::start(|_| Answer::ok(r#"{"id":"A-17"}"#));
    let local = server.url("/");
    let project = Project::new();
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_holm"))
        .parent()
        .unwrap();
    let path = format!("PATH={}:$PATH; ", bin.display());
    let (mut files, mut commands, mut questions) = (0, 0, 0);
    for part in parts() {
        match part {
            Part::File(name, text) => {
                // A second block of one name is to be added to the first.
                let file = project.folder().join(&name);
                let before = std::fs::read_to_string(file).unwrap_or_default();
                project.write(&name, &(before + &text.replace(API, &local)));
                files += 1;
            }
            Part::Console(console) => {
                for (command, expected) in console {
                    let line = format!("{path}{}", command.replace(API, &local));
                    // What stands after a question is what the reader types.
                    let typed: Vec<(&str, String)> = expected
                        .lines()
                        .filter_map(|line| line.split_once("[Y/n] "))
                        .map(|(_, answer)| ("[Y/n] ", format!("{answer}\n")))
                        .collect();
                    let steps: Vec<(&str, &str)> = typed
                        .iter()
                        .map(|(question, answer)| (*question, answer.as_str()))
                        .collect();
                    let shown = on_terminal(&project, &line, &steps);
                    let screen = shown.screen.replace(&local, API);
                    let screen: Vec<&str> = screen.lines().map(str::trim_end).collect();
                    let expected: Vec<&str> = expected.lines().map(str::trim_end).collect();
                    assert_eq!(screen, expected, "$ {command}");
                    commands += 1;
                    questions += steps.len();
                }
            }
        }
    }
    // A tutorial that lost its parts would pass.
    assert!(
        files >= 2 && commands >= 6 && questions >= 2,
        "{files} {commands} {questions}"
    );
    let requests = server.requests();
    assert!(!requests.is_empty());
    for request in &requests {
        assert_eq!(request.header("authorization"), Some("Bearer k-123456"));
    }
}
