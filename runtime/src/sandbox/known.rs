//! Loaded files on disk, so that a command need not load what it loaded before: one
//! hostile file costs its limits once, and not at every command.
//!
//! A file is kept under the hash of everything that its load depends on: its text, its
//! path, its tier, its limits, the capabilities it loaded with, and the guest. It is not
//! kept when it saw a value of a variable, which its description might repeat.
//!
//! What is kept grants nothing. The manifest is data that the tool's author wrote, and
//! the guest checks an image before it runs it, inside the instance that a call gets anyway.
//! The files belong to this user alone all the same, as those of compiled code do.

use super::limits::Limit;
use super::types::{Failure, Image, Loaded, Manifest, Position, Problem, ProblemKind, Tool};
use super::variant;
use crate::files::private;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Marks the layout of a file: changed when it changes.
const FORMAT: &str = "holm loaded 1";
/// Files that are kept: ten thousand tool files in a few versions each.
const MOST: usize = 32 << 10;
/// Files that this process writes before it looks again whether there are too many: looking
/// takes time in proportion to what there is.
const BETWEEN: usize = MOST / 16;

/// A folder of loaded files.
#[derive(Debug)]
pub(super) struct Known {
    folder: PathBuf,
    /// Files that this process wrote.
    written: AtomicUsize,
}

/// What a load came to: only what it would come to again.
pub(super) enum Came {
    /// The file loaded.
    Loaded(Loaded),
    /// It does not load.
    Problem(Problem),
    /// It ran into the step limit.
    Steps,
}

impl Known {
    /// Below `base`; `None` where files cannot be kept from others.
    pub(super) fn open(base: &Path) -> Option<Self> {
        let folder = base.join("loaded");
        private::folder(&folder).ok()?;
        Some(Self {
            folder,
            written: AtomicUsize::new(0),
        })
    }

    /// The file for a load's key. The guest is part of the name, and so is this crate's version.
    fn path(&self, key: &[u8; 32]) -> PathBuf {
        let mut hash = Sha256::new();
        for part in [
            FORMAT.as_bytes(),
            env!("CARGO_PKG_VERSION").as_bytes(),
            variant::PROVENANCE.as_bytes(),
            key,
        ] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let name: String = hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.folder.join(name)
    }

    /// What the load of `key` came to, if it is known. A file that is damaged counts as unknown.
    pub(super) fn get(&self, key: &[u8; 32]) -> Option<Came> {
        let bytes = private::read(&self.path(key)).ok()??;
        read(&bytes)
    }

    /// Keeps what a load came to. It is no loss if that does not work.
    pub(super) fn put(&self, key: &[u8; 32], result: &Result<Loaded, Failure>) {
        let (head, image): (Value, &[u8]) = match result {
            Ok(loaded) => (
                json!({
                    "manifest": manifest_to_json(&loaded.manifest),
                    "steps": loaded.steps_used,
                }),
                &loaded.image.0,
            ),
            Err(Failure::Problem(problem)) if is_lasting(problem.kind) => {
                (json!({ "problem": problem_to_json(problem) }), &[])
            }
            Err(Failure::Limit(reached)) if reached.limit == Limit::Steps => {
                (json!({ "limit": "steps" }), &[])
            }
            // Time, memory of the machine, holm itself: another time it may be otherwise.
            Err(_) => return,
        };
        let head = head.to_string();
        let length = (head.len() as u64).to_le_bytes();
        let mut sum = Sha256::new();
        sum.update(head.as_bytes());
        sum.update(image);
        let parts = [&length[..], &sum.finalize(), head.as_bytes(), image];
        let written = private::write(&self.path(key), &parts).is_ok();
        let before = self
            .written
            .fetch_add(usize::from(written), Ordering::Relaxed);
        if written && before.is_multiple_of(BETWEEN) {
            self.prune(MOST);
        }
    }

    /// Takes the older half away when there are more than `most`.
    fn prune(&self, most: usize) {
        let entries = || fs::read_dir(&self.folder).into_iter().flatten();
        if entries().count() <= most {
            return;
        }
        let mut files: Vec<(SystemTime, PathBuf)> = entries()
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let excess = files.len().saturating_sub(most / 2);
        for (_, file) in files.iter().take(excess) {
            // Another process may have been here first.
            drop(fs::remove_file(file));
        }
    }
}

/// Whether the same text would have the same problem tomorrow.
fn is_lasting(kind: ProblemKind) -> bool {
    match kind {
        ProblemKind::Read
        | ProblemKind::Syntax
        | ProblemKind::Evaluation
        | ProblemKind::Sandbox
        | ProblemKind::Manifest => true,
        ProblemKind::Steps | ProblemKind::Memory | ProblemKind::Host | ProblemKind::Arguments => {
            false
        }
    }
}

/// Reads a file whose checksum holds.
fn read(bytes: &[u8]) -> Option<Came> {
    let (length, rest) = bytes.split_at_checked(8)?;
    let (sum, rest) = rest.split_at_checked(32)?;
    if sum != Sha256::digest(rest).as_slice() {
        return None;
    }
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let (head, image) = rest.split_at_checked(length)?;
    let head: Value = serde_json::from_slice(head).ok()?;
    if let Some(problem) = head.get("problem") {
        return Some(Came::Problem(problem_of_json(problem)?));
    }
    if head.get("limit").is_some() {
        return Some(Came::Steps);
    }
    Some(Came::Loaded(Loaded {
        manifest: Arc::new(manifest_of_json(head.get("manifest")?)?),
        image: Image(image.into(), None),
        steps_used: head.get("steps")?.as_u64()?,
    }))
}

fn manifest_to_json(manifest: &Manifest) -> Value {
    let Manifest {
        tools,
        http_allow,
        hooks,
        warnings,
    } = manifest;
    let tools: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let Tool {
                name,
                description,
                parameters,
                category,
                summary_params,
            } = tool;
            json!({
                "name": name,
                "description": description,
                "parameters": parameters,
                "category": category,
                "summary": summary_params,
            })
        })
        .collect();
    let warnings: Vec<Value> = warnings.iter().map(problem_to_json).collect();
    json!({ "tools": tools, "http": http_allow, "hooks": hooks, "warnings": warnings })
}

fn manifest_of_json(value: &Value) -> Option<Manifest> {
    let tool = |value: &Value| {
        Some(Tool {
            name: text(value.get("name")?)?,
            description: text(value.get("description")?)?,
            parameters: text(value.get("parameters")?)?,
            category: text(value.get("category")?)?,
            summary_params: list(value.get("summary")?, text)?,
        })
    };
    Some(Manifest {
        tools: list(value.get("tools")?, tool)?,
        http_allow: list(value.get("http")?, text)?,
        hooks: list(value.get("hooks")?, text)?,
        warnings: list(value.get("warnings")?, problem_of_json)?,
    })
}

/// The kinds of problems by the word they are kept under.
const KINDS: [(&str, ProblemKind); 8] = [
    ("read", ProblemKind::Read),
    ("syntax", ProblemKind::Syntax),
    ("evaluation", ProblemKind::Evaluation),
    ("sandbox", ProblemKind::Sandbox),
    ("steps", ProblemKind::Steps),
    ("memory", ProblemKind::Memory),
    ("manifest", ProblemKind::Manifest),
    ("host", ProblemKind::Host),
];

fn problem_to_json(problem: &Problem) -> Value {
    let kind = KINDS.iter().find(|(_, kind)| *kind == problem.kind);
    json!({
        "kind": kind.map(|(word, _)| word),
        "message": problem.message,
        "file": problem.file,
        "at": problem.at.map(|at| [at.line, at.column]),
        "trace": problem.trace,
    })
}

fn problem_of_json(value: &Value) -> Option<Problem> {
    let word = value.get("kind")?.as_str()?;
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    let at = match value.get("at")? {
        Value::Null => None,
        at => match list(at, number)?.as_slice() {
            [line, column] => Some(Position {
                line: *line,
                column: *column,
            }),
            _ => return None,
        },
    };
    Some(Problem {
        kind: KINDS.iter().find(|(known, _)| *known == word)?.1,
        message: text(value.get("message")?)?,
        file: text(value.get("file")?)?,
        at,
        trace: list(value.get("trace")?, text)?,
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)] // clippy knows only a plain `cfg(test)` as a test
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::sandbox::LimitReached;

    fn problem(kind: ProblemKind) -> Problem {
        Problem {
            kind,
            message: "no".to_owned(),
            file: "/tools/a.scm".to_owned(),
            at: Some(Position { line: 3, column: 4 }),
            trace: vec!["f at 1:1".to_owned()],
        }
    }

    fn loaded() -> Loaded {
        Loaded {
            manifest: Arc::new(Manifest {
                tools: vec![Tool {
                    name: "t".to_owned(),
                    description: "d\n".to_owned(),
                    parameters: "{}".to_owned(),
                    category: "network".to_owned(),
                    summary_params: vec!["q".to_owned()],
                }],
                http_allow: vec!["https://a/".to_owned()],
                hooks: vec!["pre_tool".to_owned()],
                warnings: vec![problem(ProblemKind::Manifest)],
            }),
            image: Image(vec![1, 2, 3].into(), None),
            steps_used: 7,
        }
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("holm-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        folder
    }

    #[test]
    fn what_would_come_out_again_is_kept_and_nothing_else() {
        let folder = scratch("kept");
        let kept = Known::open(&folder).unwrap();
        assert!(kept.get(&[0; 32]).is_none());
        kept.put(&[1; 32], &Ok(loaded()));
        let Some(Came::Loaded(back)) = kept.get(&[1; 32]) else {
            panic!("not kept");
        };
        assert_eq!(back.manifest, loaded().manifest);
        assert_eq!(back.image, loaded().image);
        assert_eq!(back.steps_used, 7);
        kept.put(
            &[2; 32],
            &Err(Failure::Problem(problem(ProblemKind::Syntax))),
        );
        assert!(
            matches!(kept.get(&[2; 32]), Some(Came::Problem(back)) if back == problem(ProblemKind::Syntax))
        );
        let reached = |limit| Failure::Limit(LimitReached::new(limit, &Limits::default()));
        kept.put(&[3; 32], &Err(reached(Limit::Steps)));
        assert!(matches!(kept.get(&[3; 32]), Some(Came::Steps)));
        for passing in [
            reached(Limit::Cpu),
            reached(Limit::Wall),
            reached(Limit::Memory),
            Failure::Host("no".to_owned()),
            Failure::Busy("no".to_owned()),
            Failure::Problem(problem(ProblemKind::Memory)),
        ] {
            kept.put(&[4; 32], &Err(passing));
            assert!(kept.get(&[4; 32]).is_none());
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_older_half_goes_when_there_are_too_many() {
        let folder = scratch("kept-many");
        let kept = Known::open(&folder).unwrap();
        for n in 0..9 {
            kept.put(&[n; 32], &Ok(loaded()));
            let file = fs::File::open(kept.path(&[n; 32])).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n.into());
            file.set_modified(time).unwrap();
        }
        kept.prune(9);
        assert!((0..9).all(|n| kept.get(&[n; 32]).is_some()));
        kept.prune(8);
        let left: Vec<u8> = (0..9).filter(|n| kept.get(&[*n; 32]).is_some()).collect();
        assert_eq!(left, [5, 6, 7, 8]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_damaged_file_is_as_good_as_none() {
        let folder = scratch("kept-damaged");
        let kept = Known::open(&folder).unwrap();
        kept.put(&[1; 32], &Ok(loaded()));
        let path = kept.path(&[1; 32]);
        let good = fs::read(&path).unwrap();
        for at in [0, 8, 40, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&path, &bad).unwrap();
            assert!(kept.get(&[1; 32]).is_none(), "{at}");
        }
        fs::write(&path, &good[..good.len() - 1]).unwrap();
        assert!(kept.get(&[1; 32]).is_none());
        fs::write(&path, &good).unwrap();
        assert!(kept.get(&[1; 32]).is_some());
        fs::remove_dir_all(&folder).unwrap();
    }
}
