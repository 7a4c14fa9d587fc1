//! The question on the terminal.

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::Arc;

use crate::permissions::{AllowAll, Approver, Question};

/// Who is asked before a call, and before calls of other tools in it. Without a terminal the
/// answer is no.
pub(super) fn approver(yes: bool) -> Arc<dyn Approver> {
    if yes {
        Arc::new(AllowAll)
    } else {
        Arc::new(TerminalPrompt)
    }
}

/// Asks whoever sits at the terminal. Enter and `y` are yes, everything else is no.
#[derive(Debug)]
pub(super) struct TerminalPrompt;

impl TerminalPrompt {
    /// Whether there is a terminal to ask on: stderr to show the question and a
    /// keyboard to answer it.
    pub(super) fn is_possible() -> bool {
        io::stderr().is_terminal() && keyboard().is_some()
    }
}

impl Approver for TerminalPrompt {
    fn approve(&self, question: &Question) -> bool {
        if !Self::is_possible() {
            return false;
        }
        let shown = write!(
            io::stderr().lock(),
            "[{}] {} [Y/n] ",
            question.tool,
            question.details
        )
        .and_then(|()| io::stderr().lock().flush());
        match (shown, keyboard()) {
            (Ok(()), Some(mut keyboard)) => is_yes(&mut *keyboard),
            _ => false,
        }
    }
}

/// The terminal itself where the system has a name for it, since stdin may hold the arguments.
fn keyboard() -> Option<Box<dyn BufRead>> {
    #[cfg(unix)]
    if let Ok(terminal) = std::fs::File::open("/dev/tty") {
        return Some(Box::new(BufReader::new(terminal)));
    }
    if io::stdin().is_terminal() {
        return Some(Box::new(BufReader::new(io::stdin())));
    }
    None
}

/// The end of the input is no answer, and no answer is no.
fn is_yes(keyboard: &mut dyn BufRead) -> bool {
    let mut answer = String::new();
    match keyboard.read_line(&mut answer) {
        Ok(read) if read > 0 => matches!(
            answer.trim().to_ascii_lowercase().as_str(),
            "" | "y" | "yes"
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn enter_and_yes_are_yes_and_the_rest_is_no() {
        for (answer, expected) in [
            ("\n", true),
            ("y\n", true),
            (" YES \n", true),
            ("n\n", false),
            ("No\n", false),
            ("maybe\n", false),
            ("", false),
        ] {
            assert_eq!(is_yes(&mut answer.as_bytes()), expected, "{answer:?}");
        }
    }
}
