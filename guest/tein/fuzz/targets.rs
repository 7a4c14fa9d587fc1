//! What is fuzzed: whatever the bytes are, each target ends within its limits with a value or an
//! error, and the engine works afterwards. A panic, an overflow of the stack or a hang is the
//! finding.
#![allow(dead_code)] // each binary takes one of the targets

use tein::sandbox::Modules;
use tein::{Context, Value};

/// Steps of one input.
const STEPS: u64 = 20_000;
/// Bytes of heap of one input.
const HEAP: usize = 16 << 20;
/// Inputs that share a context: what an earlier one defined may be in the way of a later one.
const SHARED: u32 = 64;

/// Contexts for the inputs, made when they are needed.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    evaluator: Option<Context>,
    used: u32,
    image_reader: Option<Context>,
}

fn context() -> Option<Context> {
    let built = Context::builder()
        .tool_env()
        .sandboxed(Modules::Safe)
        .step_limit(STEPS)
        .heap_max(HEAP)
        .build();
    built.ok()
}

impl Targets {
    fn evaluator(&mut self) -> Option<&mut Context> {
        self.used += 1;
        if self.used.is_multiple_of(SHARED) {
            self.evaluator = None;
        }
        if self.evaluator.is_none() {
            self.evaluator = context();
        }
        self.evaluator.as_mut()
    }

    /// The reader behind `read`, on the bytes as UTF-8. The answer says what came of it.
    pub(crate) fn read(&mut self, data: &[u8]) -> String {
        let Some(c) = self.evaluator() else {
            return "no context".to_owned();
        };
        let text = String::from_utf8_lossy(data).into_owned();
        c.define("%fuzz-input", &Value::String(text));
        let code = "(let ((port (open-input-string %fuzz-input)))
                      (let loop ((count 0))
                        (if (eof-object? (read port)) count (loop (+ count 1)))))";
        outcome(c, "input", code)
    }

    /// Reader, expander, compiler and machine, on the bytes as the text of a tool file.
    pub(crate) fn evaluate(&mut self, data: &[u8]) -> String {
        let Some(c) = self.evaluator() else {
            return "no context".to_owned();
        };
        let text = String::from_utf8_lossy(data).into_owned();
        let answer = outcome(c, "input", &text);
        // Whatever ran, the context goes on.
        assert_eq!(outcome(c, "after", "5"), "5", "the context is broken");
        answer
    }

    /// The image reader, and the machine on what it lets pass.
    pub(crate) fn image(&mut self, data: &[u8]) -> String {
        let Some(mut c) = self.image_reader.take().or_else(context) else {
            return "no context".to_owned();
        };
        match c.run_image(data) {
            Ok(()) => "ran".to_owned(),
            Err(e) => {
                // A context that refused an image is as it was.
                if e.message.starts_with("bad image: ") {
                    self.image_reader = Some(c);
                }
                e.to_string()
            }
        }
    }

    /// The image of a program, to begin from.
    pub(crate) fn image_of(text: &str) -> Option<Vec<u8>> {
        let mut c = context()?;
        c.evaluate_file("seed", text).ok()?;
        c.image().ok()
    }
}

fn outcome(c: &mut Context, file: &str, text: &str) -> String {
    let answer = match c.evaluate_to_string(file, text) {
        Ok(value) => value,
        Err(e) => e.to_string(),
    };
    c.take_output();
    answer
}
