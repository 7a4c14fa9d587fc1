//! `holm permissions`: what was answered with `always`, and taking it back.

use serde_json::{Value, json};

use super::session;
use super::{ExitStatus, Global, Printer};
use crate::diagnostic::{Diagnostic, Place};
use crate::permissions::Approval;
use crate::visible;

/// Lists the tools whose calls are always approved, and takes approvals back.
#[derive(Debug, clap::Args)]
pub(super) struct Permissions {
    /// Take back the approvals of this tool
    #[arg(long, value_name = "TOOL", conflicts_with = "revoke_all")]
    revoke: Option<String>,
    /// Take back every approval
    #[arg(long)]
    revoke_all: bool,
}

impl Permissions {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let config = session::configuration(global, printer)?;
        let Some(approvals) = session::approvals(&config) else {
            let problem = Diagnostic::error("there is no folder to keep approvals in");
            return Err(vec![problem.hint("set $XDG_STATE_HOME or $HOME")]);
        };
        let broken = |reason: String| {
            let problem = Diagnostic::error(format!("the approvals cannot be used: {reason}"));
            let file = approvals.file().display().to_string();
            let hint = "nothing counts as approved; take the file away to start anew";
            vec![problem.place(Place::file(file)).hint(hint)]
        };
        if self.revoke_all || self.revoke.is_some() {
            let revoked = approvals.revoke(self.revoke.as_deref()).map_err(broken)?;
            if global.json {
                printer.json(&json!({ "revoked": rows(&revoked) }));
            } else {
                show(&revoked, printer);
            }
            if revoked.is_empty() {
                printer.note("nothing was approved; `holm permissions` lists what is");
            }
            return Ok(ExitStatus::Success);
        }
        let all = approvals.list().map_err(broken)?;
        if global.json {
            printer.json(&json!({ "approved": rows(&all) }));
        } else {
            show(&all, printer);
        }
        if all.is_empty() {
            printer.note("nothing is always approved; the answer `always` to a question does it");
        }
        Ok(ExitStatus::Success)
    }
}

/// Tool, path of its file, and digest of the text, with tabs between.
fn show(approvals: &[Approval], printer: &Printer) {
    for approval in approvals {
        printer.data(&format!(
            "{}\t{}\t{}",
            visible::line(&approval.tool),
            visible::line(&approval.path),
            visible::line(&approval.digest)
        ));
    }
}

fn rows(approvals: &[Approval]) -> Vec<Value> {
    approvals
        .iter()
        .map(|approval| {
            json!({ "tool": approval.tool, "path": approval.path, "digest": approval.digest })
        })
        .collect()
}
