//! What is kept about every call, for whoever answers for it.
//!
//! The one way of a call makes one record, whether the call came from the command line, over MCP
//! or from another tool, and whether it ran, was refused, or was given up by its caller.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Answer, Call, CallError, FileGrants, Tool, ToolFile};
use crate::egress::{Entries, Journal};
use crate::sandbox::Failure;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With a result.
    Result,
    /// With an error of the tool.
    ToolError(String),
    /// At a limit, or for want of a place.
    Limit(String),
    /// It was not allowed to start, or its answer was not allowed out.
    Refused(String),
    /// holm could not make it.
    Failed(String),
    /// The caller did not wait for it.
    Abandoned,
}

impl Ending {
    /// One word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::ToolError(_) => "error",
            Self::Limit(_) => "limit",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
            Self::Abandoned => "abandoned",
        }
    }

    /// Why, for all but a result.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Result | Self::Abandoned => None,
            Self::ToolError(reason)
            | Self::Limit(reason)
            | Self::Refused(reason)
            | Self::Failed(reason) => Some(reason),
        }
    }
}

/// One call. Values of granted variables do not appear in it.
#[derive(Debug, Clone)]
pub struct CallRecord {
    /// When it began.
    pub began: SystemTime,
    /// Who called.
    pub principal: String,
    /// The caller's name as the tool sees it.
    pub context: String,
    /// The tool.
    pub tool: String,
    /// What kind of tool it says it is.
    pub category: &'static str,
    /// Virtual path of its file.
    pub path: String,
    /// SHA-256 of the file's text, in hexadecimal digits.
    pub file_digest: String,
    /// SHA-256 of what the file was granted, in hexadecimal digits.
    pub grants_digest: String,
    /// 0 for a call from outside, 1 for a call by a tool, and so on.
    pub depth: u32,
    /// What it reached, what it was refused, and what it used.
    pub journal: Entries,
    /// How it ended.
    pub ending: Ending,
}

/// Takes the records of calls.
pub trait Audit: Send + Sync {
    /// Keeps one record. Called when the call is over, from the thread that made it: it must
    /// not wait for long.
    fn record(&self, record: &CallRecord);
}

impl CallRecord {
    /// The record for a program: one object, with times in milliseconds.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let began = self.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let usage = self.journal.usage.unwrap_or_default();
        let total = self.journal.total();
        let origins = self.journal.traffic.iter().map(|one| {
            json!({
                "origin": one.origin,
                "requests": one.requests,
                "sent": one.sent,
                "received": one.received,
            })
        });
        let denials = self.journal.denials.iter().map(|denial| denial.to_json());
        json!({
            "time": u64::try_from(began.as_millis()).unwrap_or(u64::MAX),
            "principal": self.principal,
            "context": self.context,
            "tool": self.tool,
            "category": self.category,
            "path": self.path,
            "file_sha256": self.file_digest,
            "grants_sha256": self.grants_digest,
            "depth": self.depth,
            "outcome": self.ending.word(),
            "reason": self.ending.reason(),
            "wall_ms": u64::try_from(usage.wall.as_millis()).unwrap_or(u64::MAX),
            "cpu_ms": u64::try_from(usage.cpu.as_millis()).unwrap_or(u64::MAX),
            "steps": usage.steps,
            "memory": usage.memory,
            "requests": total.requests,
            "sent": total.sent,
            "received": total.received,
            "origins": origins.collect::<Vec<_>>(),
            "denials": denials.collect::<Vec<_>>(),
            "denials_dropped": self.journal.denials_dropped,
        })
    }
}

/// A record that is being made. Whatever becomes of the call, it is handed over.
pub(super) struct Recording<'a> {
    /// Nothing is noted for nobody.
    audit: Option<&'a Arc<dyn Audit>>,
    began: SystemTime,
    tool: &'a Tool,
    file: &'a ToolFile,
    grants: &'a FileGrants,
    call: &'a Call,
    depth: u32,
    journal: &'a Journal,
    ending: Ending,
}

impl<'a> Recording<'a> {
    pub(super) fn begin(
        tool: &'a Tool,
        file: &'a ToolFile,
        grants: &'a FileGrants,
        call: &'a Call,
        depth: u32,
        journal: &'a Journal,
    ) -> Self {
        Self {
            audit: call.audit.as_ref(),
            began: SystemTime::now(),
            tool,
            file,
            grants,
            call,
            depth,
            journal,
            // Until it is known better: a future that is dropped says nothing any more.
            ending: Ending::Abandoned,
        }
    }

    /// Notes how the call ended.
    pub(super) fn end(mut self, ended: &Result<Answer, CallError>) {
        if self.audit.is_none() {
            return;
        }
        let redact = |text: &str| self.journal.redact(text);
        self.ending = match ended {
            Ok(answer) => match (&answer.outcome.limit, &answer.outcome.failure) {
                (Some(reached), _) => Ending::Limit(reached.message()),
                (None, Some(problem)) => Ending::ToolError(redact(&problem.message)),
                (None, None) => Ending::Result,
            },
            Err(CallError::Refused(reason)) => Ending::Refused(redact(reason)),
            Err(CallError::Failed(failure)) => {
                let reason = redact(&failure.to_string());
                match failure {
                    Failure::Limit(_) | Failure::Busy(_) => Ending::Limit(reason),
                    _ => Ending::Failed(reason),
                }
            }
        };
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        let Some(audit) = self.audit else {
            return;
        };
        audit.record(&CallRecord {
            began: self.began,
            principal: self.call.principal.name().to_owned(),
            context: self.call.context.clone(),
            tool: self.tool.name.clone(),
            category: self.tool.category.as_str(),
            path: self.file.source.path.clone(),
            file_digest: self.file.digest.clone(),
            grants_digest: self.grants.digest(),
            depth: self.depth,
            journal: self.journal.entries(),
            ending: self.ending.clone(),
        });
    }
}
