//! Answers that count for later calls too, on disk, for the operator to list and revoke.
//!
//! An approval is for one tool of one text: its name, the virtual path of its file and
//! the hash of the file's source. When the file changes, it is asked about again. What
//! the tool may reach is not part of it, since grants are the operator's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::{Approver, Question};
use crate::files::private;

/// What was approved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Approval {
    /// Name of the tool.
    pub tool: String,
    /// Virtual path of its file.
    pub path: String,
    /// SHA-256 of the file's text, in hexadecimal digits.
    pub digest: String,
}

impl Approval {
    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        Some(Self {
            tool: text("tool")?,
            path: text("path")?,
            digest: text("digest")?,
        })
    }

    fn write(&self) -> Value {
        json!({ "tool": self.tool, "path": self.path, "digest": self.digest })
    }
}

/// The approvals under one configuration.
#[derive(Debug)]
pub struct Approvals {
    file: PathBuf,
    writing: Mutex<()>,
}

/// The most of a store that is read: some ten thousand approvals.
const LARGEST: u64 = 4 << 20;

impl Approvals {
    /// The approvals that were given under the configuration in `configuration`, or
    /// without one in a folder; `None` when this user has no place for them.
    #[must_use]
    pub fn open(configuration: &Path) -> Option<Self> {
        let absolute = |name: &str| {
            let path = PathBuf::from(std::env::var_os(name)?);
            path.is_absolute().then_some(path)
        };
        let base =
            absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
        Some(Self::in_folder(&base.join("holm"), configuration))
    }

    /// The same, kept in `folder`.
    #[must_use]
    pub fn in_folder(folder: &Path, configuration: &Path) -> Self {
        let known = configuration
            .canonicalize()
            .unwrap_or_else(|_| configuration.to_owned());
        let digest = crate::files::digest(known.as_os_str().as_encoded_bytes());
        Self {
            file: folder.join("approvals").join(format!("{digest}.json")),
            writing: Mutex::new(()),
        }
    }

    /// Every approval, sorted.
    ///
    /// # Errors
    ///
    /// Why the store cannot be read. Nothing counts as approved then.
    pub fn list(&self) -> Result<Vec<Approval>, String> {
        match self.file.parent() {
            Some(folder) if folder.exists() => private::folder(folder)?,
            _ => return Ok(Vec::new()),
        }
        let Some(bytes) = private::read(&self.file)? else {
            return Ok(Vec::new());
        };
        if u64::try_from(bytes.len()).is_ok_and(|length| length > LARGEST) {
            return Err(format!("larger than {LARGEST} bytes"));
        }
        let damaged = || "damaged: not what holm writes".to_owned();
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
        let rows = value.as_array().ok_or_else(damaged)?;
        let mut approvals: Vec<Approval> = rows
            .iter()
            .map(Approval::read)
            .collect::<Option<_>>()
            .ok_or_else(damaged)?;
        approvals.sort();
        Ok(approvals)
    }

    /// Whether calls of this tool are approved.
    #[must_use]
    pub fn has(&self, approval: &Approval) -> bool {
        self.list().is_ok_and(|all| all.contains(approval))
    }

    /// Approves the calls of a tool from now on.
    ///
    /// # Errors
    ///
    /// Why it could not be kept.
    pub fn add(&self, approval: &Approval) -> Result<(), String> {
        self.change(|all| {
            // An older text of the same tool is gone.
            all.retain(|old| old.tool != approval.tool || old.path != approval.path);
            all.push(approval.clone());
        })
    }

    /// Takes back what was approved for tools of this name, or everything. Gives what was taken back.
    ///
    /// # Errors
    ///
    /// Why it could not be.
    pub fn revoke(&self, tool: Option<&str>) -> Result<Vec<Approval>, String> {
        let mut revoked = Vec::new();
        self.change(|all| {
            all.retain(|approval| {
                let gone = tool.is_none_or(|tool| tool == approval.tool);
                if gone {
                    revoked.push(approval.clone());
                }
                !gone
            });
        })?;
        Ok(revoked)
    }

    /// Where they are kept.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Approval>)) -> Result<(), String> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.list()?;
        change(&mut all);
        let folder = self.file.parent().ok_or("there is no folder")?;
        if let Some(above) = folder.parent() {
            fs::create_dir_all(above).map_err(|error| error.to_string())?;
        }
        private::folder(folder)?;
        let rows: Vec<Value> = all.iter().map(Approval::write).collect();
        private::write(&self.file, &[Value::from(rows).to_string().as_bytes()])
    }
}

/// Says yes to what was approved before, and asks about the rest.
pub struct Remembering<A> {
    approvals: Option<std::sync::Arc<Approvals>>,
    inner: A,
}

impl<A> Remembering<A> {
    /// With the approvals in `approvals`, before `inner` is asked.
    pub fn new(approvals: Option<std::sync::Arc<Approvals>>, inner: A) -> Self {
        Self { approvals, inner }
    }
}

impl<A: Approver> Approver for Remembering<A> {
    fn approve(&self, question: &Question) -> bool {
        let known = self
            .approvals
            .as_ref()
            .is_some_and(|approvals| approvals.has(&question.subject));
        known || self.inner.approve(question)
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)] // clippy knows only a plain `cfg(test)` as a test
mod tests {
    use super::*;
    use crate::permissions::{Category, DenyAll};
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    fn approval(tool: &str, digest: &str) -> Approval {
        Approval {
            tool: tool.to_owned(),
            path: format!("/tools/shared/{tool}.scm"),
            digest: digest.to_owned(),
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("holm-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        folder
    }

    #[test]
    fn an_approval_is_for_one_text_under_one_configuration() {
        let folder = folder("approvals");
        let here = Arc::new(Approvals::in_folder(&folder, Path::new("/a/holm.toml")));
        let elsewhere = Approvals::in_folder(&folder, Path::new("/b/holm.toml"));
        assert_eq!(here.list().unwrap(), []);
        here.add(&approval("order", "1")).unwrap();
        here.add(&approval("page", "1")).unwrap();
        assert!(here.has(&approval("order", "1")));
        assert!(!here.has(&approval("order", "2")));
        assert!(!elsewhere.has(&approval("order", "1")));
        here.add(&approval("order", "2")).unwrap();
        assert_eq!(
            here.list().unwrap(),
            [approval("order", "2"), approval("page", "1")]
        );
        let question = Question {
            tool: "order".to_owned(),
            category: Category::Network,
            details: String::new(),
            subject: approval("order", "2"),
        };
        let asked = Remembering::new(Some(Arc::clone(&here)), DenyAll);
        assert!(asked.approve(&question));
        assert_eq!(
            here.revoke(Some("order")).unwrap(),
            [approval("order", "2")]
        );
        assert!(!asked.approve(&question));
        assert_eq!(here.revoke(None).unwrap(), [approval("page", "1")]);
        assert_eq!(here.list().unwrap(), []);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_store_that_others_can_write_or_that_is_damaged_approves_nothing() {
        let folder = folder("approvals-foreign");
        let store = Approvals::in_folder(&folder, Path::new("/a/holm.toml"));
        store.add(&approval("order", "1")).unwrap();
        fs::set_permissions(store.file(), fs::Permissions::from_mode(0o666)).unwrap();
        assert!(!store.has(&approval("order", "1")));
        assert!(store.list().is_err());
        fs::set_permissions(store.file(), fs::Permissions::from_mode(0o600)).unwrap();
        assert!(store.has(&approval("order", "1")));
        fs::write(store.file(), "[{}]").unwrap();
        assert!(store.list().is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
