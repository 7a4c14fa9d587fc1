//! Entries for a host that wants more of a value than its text: read-eval-print, hooks, and
//! values that go on to another program.

use crate::context::{Context, Error, Failure, Result, Value};
use crate::convert;
use crate::prims;
use crate::prims::json::{Symbols, from_scheme};
use crate::printer;
use crate::program::Stop;
use crate::reader::{Source, read_from};
use crate::text::Text;
use crate::value::Word;

/// What a text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluated {
    /// The last form has no particular value, or there is no form.
    Unspecified,
    /// The last form's value in external representation (`write`).
    Written(String),
    /// The program called `exit`; what follows did not run.
    Exited(i32),
}

/// The form in which a procedure's value leaves the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A string's characters, anything else as the host shows values.
    Text,
    /// What `read` makes the value of again. A value that has no such form, a procedure or a
    /// record, is the string that [`Form::Text`] gives.
    Datum,
    /// JSON by the rule of `json-stringify`, with symbols as strings. Empty for `'()`, `#f` and no
    /// particular value, by which a handler says nothing.
    Json,
}

impl Context {
    /// Runs a text under a file name that errors mention.
    ///
    /// # Errors
    /// As [`Context::evaluate`].
    pub fn evaluate_written(&mut self, file: &str, code: &str) -> Result<Evaluated> {
        self.start_entry();
        match self.vm.run_text(file, code, self.env) {
            Ok(Word::UNSPECIFIED) => Ok(Evaluated::Unspecified),
            Ok(w) => Ok(Evaluated::Written(printer::written(&self.vm.cx.heap, w))),
            Err(Stop::Exited(n)) => Ok(Evaluated::Exited(n)),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    /// Whether a text ends between two data. False when more text could complete it; a text that
    /// nothing could complete is complete.
    pub fn is_complete(&mut self, code: &str) -> bool {
        let text = Text::from(code);
        let mut source = Source::new(&text);
        loop {
            match read_from(&mut self.vm.cx, &mut source) {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(e) => return !e.incomplete,
            }
        }
    }

    /// Calls a procedure with one argument, converted from JSON text, and gives its value.
    ///
    /// # Errors
    /// The arguments are not JSON, the value has no JSON form where one is wanted, or whatever stops
    /// the call.
    pub fn call_with_json_as(&mut self, f: &Value, json: &str, form: Form) -> Result<String> {
        let f = convert::to_word(&mut self.vm, f);
        // Converting spends steps of this entry, not what the one before left over.
        self.start_entry();
        let arg = match prims::json::read(&mut self.vm.cx, json) {
            Ok(Ok(w)) => w,
            Ok(Err(e)) => {
                return Err(Error {
                    kind: Failure::Evaluation,
                    message: format!("args conversion: {e}"),
                    at: None,
                    trace: Vec::new(),
                });
            }
            Err(e) => return Err(self.raised(*e, "args conversion")),
        };
        match self.continue_with(f, &[arg])? {
            Ok(w) => self.in_form(w, form),
            Err(n) => Ok(format!("#<exit {n}>")),
        }
    }

    fn in_form(&mut self, w: Word, form: Form) -> Result<String> {
        match form {
            Form::Text => Ok(self.result_text(w)),
            Form::Datum => {
                let written = printer::written(&self.vm.cx.heap, w);
                Ok(if self.reads_back(&written) {
                    written
                } else {
                    printer::quoted_string(&self.result_text(w))
                })
            }
            Form::Json if matches!(w, Word::NIL | Word::FALSE | Word::UNSPECIFIED) => {
                Ok(String::new())
            }
            Form::Json => match from_scheme(&mut self.vm.cx, w, Symbols::AsStrings) {
                Ok(json) => Ok(json),
                Err(e) => Err(self.raised(*e, "result conversion")),
            },
        }
    }

    /// Whether a text is one datum and nothing else.
    fn reads_back(&mut self, text: &str) -> bool {
        let text = Text::from(text);
        let mut source = Source::new(&text);
        let cx = &mut self.vm.cx;
        matches!(read_from(cx, &mut source), Ok(Some(_)))
            && matches!(read_from(cx, &mut source), Ok(None))
    }
}
