//! The log of calls: one line of JSON for each, added to a file.
//!
//! A record is written when its call is over, whichever way. One that cannot be written is kept
//! and tried again before anything else runs: as long as that fails, no call may start. So records
//! may come late, and are never lost while the process lives.
//!
//! A record has no arguments and no results. Values of granted variables are taken out of what
//! a tool's author or a model can put into one.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::policy::ToolPolicy;
use crate::registry::{Audit, CallRecord};

/// Where records go.
#[derive(Debug, Default)]
pub struct CallLog(Option<Mutex<Writer>>);

#[derive(Debug)]
struct Writer {
    file: File,
    /// Records that are still to be written, oldest first.
    waiting: VecDeque<String>,
    /// Whether the last thing written may be half a line.
    broken: bool,
}

impl CallLog {
    /// No log.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// A log at the end of the file at `path`, which is made if need be, for its owner alone.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let writer = Writer {
            file: options.open(path)?,
            waiting: VecDeque::new(),
            broken: false,
        };
        Ok(Self(Some(Mutex::new(writer))))
    }

    /// Writes what is waiting. As long as this fails, nothing may run.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn ready(&self) -> io::Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(writer) => writer
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write(),
        }
    }

    /// Writes a record, or keeps it to be written later.
    ///
    /// # Errors
    ///
    /// It could not be written now.
    pub fn add(&self, record: &Value) -> io::Result<()> {
        let Some(writer) = &self.0 else {
            return Ok(());
        };
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.waiting.push_back(record.to_string());
        writer.write()
    }
}

impl Writer {
    fn write(&mut self) -> io::Result<()> {
        while let Some(line) = self.waiting.front() {
            // A line that follows half a line would be lost with it.
            let start = if self.broken { "\n" } else { "" };
            let text = format!("{start}{line}\n");
            self.broken = true;
            self.file.write_all(text.as_bytes())?;
            self.broken = false;
            self.waiting.pop_front();
        }
        Ok(())
    }
}

/// Told of a record that could not be written at once.
pub type Unwritten = Arc<dyn Fn(&io::Error) + Send + Sync>;

/// Writes the records of one call, and of the calls nested in it.
pub struct Scribe {
    log: Arc<CallLog>,
    skill: Option<String>,
    policy: Arc<ToolPolicy>,
    unwritten: Unwritten,
    wrote: AtomicBool,
}

impl Scribe {
    /// A scribe for a call under this policy.
    #[must_use]
    pub fn new(
        log: Arc<CallLog>,
        skill: Option<String>,
        policy: Arc<ToolPolicy>,
        unwritten: Unwritten,
    ) -> Self {
        Self {
            log,
            skill,
            policy,
            unwritten,
            wrote: AtomicBool::new(false),
        }
    }

    /// Whether the call itself has its record.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.wrote.load(Ordering::SeqCst)
    }

    /// Writes the record of a call that nothing ran for.
    pub fn not_run(&self, principal: &str, tool: &str, outcome: &str, reason: Option<&str>) {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        self.write(json!({
            "time": u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            "principal": principal,
            "context": principal,
            // Whatever the caller sent: enough of it to recognise.
            "tool": crate::visible::short_line(tool, LONGEST_NAME),
            "depth": 0,
            "outcome": outcome,
            "reason": reason,
        }));
    }

    fn write(&self, mut record: Value) {
        if let Value::Object(record) = &mut record {
            record.insert("skill".to_owned(), json!(self.skill));
            record.insert("policy_sha256".to_owned(), json!(self.policy.digest()));
        }
        if let Err(error) = self.log.add(&record) {
            (self.unwritten)(&error);
        }
    }
}

/// Characters of a name that no tool has.
const LONGEST_NAME: usize = 128;

impl Audit for Scribe {
    fn record(&self, record: &CallRecord) {
        if record.depth == 0 {
            self.wrote.store(true, Ordering::SeqCst);
        }
        self.write(record.to_json());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_written_is_kept_and_said() {
        // Every write to it fails with "no space left".
        let log = CallLog::open(Path::new("/dev/full")).unwrap();
        log.ready().unwrap();
        assert!(log.add(&json!({})).is_err());
        assert!(log.ready().is_err());
        assert_eq!(log.0.unwrap().lock().unwrap().waiting.len(), 1);
    }

    #[test]
    fn a_record_is_one_line_whatever_is_in_it() {
        let file = std::env::temp_dir().join(format!("holm-log-{}", std::process::id()));
        let log = CallLog::open(&file).unwrap();
        for text in ["a\nb\u{2028}\"", "second"] {
            log.add(&json!({ "tool": text })).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let tools: Vec<Value> = written
            .split('\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["tool"].clone())
            .collect();
        assert_eq!(tools, ["a\nb\u{2028}\"", "second"]);
    }
}
