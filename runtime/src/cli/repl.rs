//! `holm repl`: form by form, from a terminal or a pipe.
//!
//! On a terminal there is a prompt, and Ctrl-C gives up the form that is being typed or
//! evaluated. From a pipe the forms are evaluated as they come; an error ends its form only, and the
//! command fails at the end.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use tokio::sync::mpsc;

use super::session::Session;
use super::{ExitStatus, Global, Printer, eval};
use crate::diagnostic::Diagnostic;
use crate::registry::{Evaluated, Evaluator};
use crate::sandbox::Failure;

/// What a terminal shows before a form, and before another line of it.
const PROMPT: &str = "> ";
const CONTINUED: &str = ". ";

/// Reads, evaluates and prints.
#[derive(Debug, clap::Args)]
pub(super) struct Repl {
    #[command(flatten)]
    how: eval::How,
}

impl Repl {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let session = Session::open(global, printer)?;
        let evaluator = self
            .how
            .evaluator(&session, printer, &eval::default_path())?;
        let interactive = std::io::stdin().is_terminal();
        if interactive {
            printer.note("Scheme in holm's sandbox; Ctrl-C gives up a form, Ctrl-D ends");
        }
        let mut dialogue = Dialogue {
            evaluator,
            global,
            printer,
            interactive,
            input: Input::open(),
            forms: 0,
            failed: None,
        };
        Ok(session.runtime.block_on(dialogue.run()))
    }
}

/// One run of the command.
struct Dialogue<'a> {
    evaluator: Evaluator,
    global: &'a Global,
    printer: &'a Printer,
    interactive: bool,
    input: Input,
    /// Texts evaluated so far, for their names.
    forms: usize,
    /// How the first text failed that did.
    failed: Option<ExitStatus>,
}

/// What came from the input.
enum Line {
    Text(String),
    End,
    /// Ctrl-C.
    GivenUp,
}

impl Dialogue<'_> {
    async fn run(&mut self) -> ExitStatus {
        let mut text = String::new();
        loop {
            self.prompt(if text.is_empty() { PROMPT } else { CONTINUED });
            let at_end = match self.line().await {
                Line::GivenUp => {
                    text.clear();
                    println!();
                    continue;
                }
                Line::End => true,
                Line::Text(line) => {
                    text.push_str(&line);
                    false
                }
            };
            if !text.trim().is_empty() {
                // What the end of the input cuts off is an error, and evaluating it says which.
                let complete = at_end || self.is_complete(&text).await;
                if !complete {
                    continue;
                }
                if let Some(status) = self.evaluate(&text).await {
                    return status;
                }
            }
            text.clear();
            if at_end {
                if self.interactive {
                    println!();
                    return ExitStatus::Success;
                }
                return self.failed.unwrap_or(ExitStatus::Success);
            }
        }
    }

    fn prompt(&self, prompt: &str) {
        if self.interactive {
            let mut stdout = std::io::stdout().lock();
            // A reader that went away is not a failure of the command.
            drop(stdout.write_all(prompt.as_bytes()));
            drop(stdout.flush());
        }
    }

    async fn line(&mut self) -> Line {
        if !self.interactive {
            return self.input.line().await;
        }
        tokio::select! {
            line = self.input.line() => line,
            _ = interrupted() => Line::GivenUp,
        }
    }

    async fn is_complete(&mut self, text: &str) -> bool {
        // Evaluating it says what is wrong with it, or with the sandbox.
        self.evaluator.is_complete(text).await.unwrap_or(true)
    }

    /// Evaluates a text. Gives how the command ends, if the program ended it.
    async fn evaluate(&mut self, text: &str) -> Option<ExitStatus> {
        self.forms += 1;
        let name = format!("<repl {}>", self.forms);
        let begun = self.evaluator.is_begun();
        let evaluated = if self.interactive {
            tokio::select! {
                evaluated = self.evaluator.evaluate(&name, text) => Some(evaluated),
                _ = interrupted() => None,
            }
        } else {
            Some(self.evaluator.evaluate(&name, text).await)
        };
        let Some(evaluated) = evaluated else {
            println!();
            self.lost(begun);
            return None;
        };
        match evaluated {
            Ok(evaluated) => {
                eval::show(&evaluated, self.global, self.printer);
                self.lost(evaluated.lost);
                self.judge(&evaluated)
            }
            Err(failure) => {
                self.printer
                    .diagnostic(&self.evaluator.explain(&name, &failure));
                self.lost(begun && !self.evaluator.is_begun());
                self.failed.get_or_insert(eval::failed(&failure));
                // What this machine cannot do now it cannot do for the next form either.
                matches!(failure, Failure::Host(_)).then_some(ExitStatus::Usage)
            }
        }
    }

    fn judge(&mut self, evaluated: &Evaluated) -> Option<ExitStatus> {
        let status = eval::status(evaluated)?;
        if let ExitStatus::Program(_) = status {
            return Some(status);
        }
        self.failed.get_or_insert(status);
        None
    }

    fn lost(&self, lost: bool) {
        if lost {
            self.printer
                .note("the instance ended; what was defined is gone");
        }
    }
}

/// Resolves at Ctrl-C.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without it Ctrl-C ends the command, as it always could.
        std::future::pending::<()>().await;
    }
}

/// Standard input, read by a thread of its own, a line when one is asked for: a permission
/// prompt may want the terminal in between.
struct Input {
    ask: std::sync::mpsc::Sender<()>,
    lines: mpsc::UnboundedReceiver<Line>,
    /// Whether a line was asked for and has not come.
    asked: bool,
}

impl Input {
    fn open() -> Self {
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (send, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            while asked.recv().is_ok() {
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_until(b'\n', &mut bytes);
                let line = match read {
                    Ok(length) if length > 0 => {
                        Line::Text(String::from_utf8_lossy(&bytes).into_owned())
                    }
                    _ => Line::End,
                };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            ask,
            lines,
            asked: false,
        }
    }

    async fn line(&mut self) -> Line {
        if !self.asked && self.ask.send(()).is_err() {
            return Line::End;
        }
        self.asked = true;
        let line = self.lines.recv().await.unwrap_or(Line::End);
        self.asked = false;
        line
    }
}
