//! A command on a terminal of its own: util-linux's `script` makes one, and its pipes are
//! the screen and the keyboard. Nothing here waits for a time, only for what the screen shows.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::project::Project;

/// What the screen showed, and how the command ended.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) screen: String,
    pub(crate) code: i32,
}

/// Runs `command`, a line for the shell; for each step waits until the screen shows a
/// text, and then types another.
#[track_caller]
pub(crate) fn on_terminal(project: &Project, command: &str, steps: &[(&str, &str)]) -> Shown {
    let mut child = project
        .command("script")
        .env("NO_COLOR", "1")
        .args(["--quiet", "--return", "--echo", "always", "--command"])
        .args([command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    let mut from = 0;
    for (expected, answer) in steps {
        from = loop {
            let screen = String::from_utf8_lossy(&seen);
            if let Some(at) = screen.get(from..).and_then(|rest| rest.find(expected)) {
                break from + at + expected.len();
            }
            let mut buffer = [0; 1024];
            let read = output.read(&mut buffer).unwrap();
            assert!(read > 0, "the screen never showed {expected:?}: {screen}");
            seen.extend_from_slice(buffer.get(..read).unwrap());
        };
        keyboard.write_all(answer.as_bytes()).unwrap();
    }
    output.read_to_end(&mut seen).unwrap();
    let code = child.wait().unwrap().code().unwrap();
    let screen = String::from_utf8(seen).unwrap().replace("\r\n", "\n");
    // Which of the tests is the first to need a component is left to chance.
    let screen = screen
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("compiling the guest"))
        .collect();
    Shown { screen, code }
}

/// The command line of the binary with these arguments, for the shell.
pub(crate) fn holm(arguments: &[&str]) -> String {
    let quoted: Vec<String> = arguments
        .iter()
        .map(|argument| format!("'{}'", argument.replace('\'', r"'\''")))
        .collect();
    format!("'{}' {}", env!("CARGO_BIN_EXE_holm"), quoted.join(" "))
}
