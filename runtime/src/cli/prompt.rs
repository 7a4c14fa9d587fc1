//! The question on the terminal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::Printer;
use super::session::approvals;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::permissions::{AllowAll, Approvals, Approver, Question, Remembering};

/// Who is asked before a call, and before calls of other tools in it. Without a terminal the
/// answer is no.
pub(super) fn approver(yes: bool, config: &Config, printer: &Printer) -> Arc<dyn Approver> {
    if yes {
        return Arc::new(AllowAll);
    }
    let remember = config.permissions.remember;
    let approvals = remember.then(|| approvals(config)).flatten();
    let prompt = TerminalPrompt::new(approvals.clone(), printer.clone());
    Arc::new(Remembering::new(approvals, prompt))
}

/// Asks whoever sits at the terminal. Enter and `y` are yes, `always` is yes for this and
/// later calls of the tool, everything else is no.
pub(super) struct TerminalPrompt {
    /// Where `always` is kept; `None` takes it for a yes to this call.
    approvals: Option<Arc<Approvals>>,
    printer: Printer,
    /// Questions of calls that run at a time are asked one after the other.
    asking: Mutex<()>,
}

/// What somebody answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    Always,
    No,
}

impl TerminalPrompt {
    /// A prompt that keeps what is always approved in `approvals`.
    fn new(approvals: Option<Arc<Approvals>>, printer: Printer) -> Self {
        Self {
            approvals,
            printer,
            asking: Mutex::new(()),
        }
    }

    /// Whether there is a terminal to ask on: stderr to show the question and a
    /// keyboard to answer it.
    pub(super) fn is_possible() -> bool {
        io::stderr().is_terminal() && keyboard().is_some()
    }

    /// Keeps an approval; without it, the yes is for this call.
    fn keep(&self, question: &Question) {
        let kept = match &self.approvals {
            None => Err("the configuration or the system has no place for it".to_owned()),
            Some(approvals) => approvals.add(&question.subject),
        };
        if let Err(reason) = kept {
            let message = format!("the approval is for this call only: {reason}");
            self.printer.brief(&Diagnostic::warning(message));
        }
    }
}

impl Approver for TerminalPrompt {
    fn approve(&self, question: &Question) -> bool {
        let _alone = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if !io::stderr().is_terminal() {
            return false;
        }
        let Some(mut keyboard) = keyboard() else {
            return false;
        };
        // What was typed before the question was there is no answer to it.
        if keyboard.forget().is_err() {
            return false;
        }
        let mut screen = io::stderr().lock();
        let shown = write!(screen, "[{}] {} [Y/n] ", question.tool, question.details)
            .and_then(|()| screen.flush());
        drop(screen);
        if shown.is_err() {
            return false;
        }
        match read(&mut *keyboard.lines) {
            Answer::No => false,
            Answer::Yes => true,
            Answer::Always => {
                self.keep(question);
                true
            }
        }
    }
}

/// A terminal to read answers from.
struct Keyboard {
    terminal: Terminal,
    lines: Box<dyn BufRead>,
}

enum Terminal {
    /// The terminal itself.
    Named(File),
    /// Standard input.
    Stdin,
}

impl Keyboard {
    /// Drops what was typed and not read.
    #[cfg(unix)]
    fn forget(&mut self) -> io::Result<()> {
        use rustix::termios::{QueueSelector, tcflush};
        match &self.terminal {
            Terminal::Named(file) => tcflush(file, QueueSelector::IFlush)?,
            Terminal::Stdin => tcflush(io::stdin(), QueueSelector::IFlush)?,
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn forget(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The terminal itself where the system has a name for it, since stdin may hold the arguments.
fn keyboard() -> Option<Keyboard> {
    #[cfg(unix)]
    if let Ok(terminal) = File::open("/dev/tty") {
        let lines = Box::new(BufReader::new(terminal.try_clone().ok()?));
        return Some(Keyboard {
            terminal: Terminal::Named(terminal),
            lines,
        });
    }
    if io::stdin().is_terminal() {
        return Some(Keyboard {
            terminal: Terminal::Stdin,
            lines: Box::new(BufReader::new(io::stdin())),
        });
    }
    None
}

/// The end of the input is no answer, and no answer is no.
fn read(keyboard: &mut dyn BufRead) -> Answer {
    let mut answer = String::new();
    match keyboard.read_line(&mut answer) {
        Ok(read) if read > 0 => match answer.trim().to_ascii_lowercase().as_str() {
            "" | "y" | "yes" => Answer::Yes,
            "a" | "always" => Answer::Always,
            _ => Answer::No,
        },
        _ => Answer::No,
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, read};

    #[test]
    fn enter_and_yes_are_yes_and_the_rest_is_no() {
        for (answer, expected) in [
            ("\n", Answer::Yes),
            ("y\n", Answer::Yes),
            (" YES \n", Answer::Yes),
            ("always\n", Answer::Always),
            ("a\n", Answer::Always),
            ("n\n", Answer::No),
            ("No\n", Answer::No),
            ("maybe\n", Answer::No),
            ("yy\n", Answer::No),
            ("", Answer::No),
        ] {
            assert_eq!(read(&mut answer.as_bytes()), expected, "{answer:?}");
        }
    }
}
