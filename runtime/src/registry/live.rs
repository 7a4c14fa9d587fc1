//! A registry that follows its files.
//!
//! A [`Registry`] never changes. [`LiveRegistry`] holds the one in force and puts another in
//! its place when files changed, in one step: a call sees the tools of before or those of
//! after, and one that is under way keeps what it began with.
//!
//! | a file | then |
//! |---|---|
//! | is new | its tools are there, unless another file has a tool of that name |
//! | changed and loads | its tools are replaced |
//! | changed and does not load, or cannot be read | the tools of its last good version stay, and a diagnostic says so |
//! | is gone or has another name | its tools are gone, or come from the other path with that path's grants |
//!
//! A tool keeps its name for as long as its file defines it, wherever a new file sorts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime};

use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::{Found, Registry, Tool, ToolFile, scan};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place};
use crate::sandbox::Sandbox;

/// How often files are looked at: a person who saved a file and turns to the model waits
/// no longer than this.
pub const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// The tools of a configuration, following their files.
pub struct LiveRegistry {
    config: Arc<Config>,
    files: Vec<PathBuf>,
    sandbox: Sandbox,
    current: RwLock<Arc<Registry>>,
    /// One reload at a time.
    reloading: Mutex<()>,
    changes: watch::Sender<u64>,
}

/// What a reload did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reload {
    /// Virtual paths of files that are new or load with another text.
    pub loaded: Vec<String>,
    /// Virtual paths of files that are gone.
    pub removed: Vec<String>,
    /// Virtual paths of files whose last good version stays.
    pub kept: Vec<String>,
    /// Whether anybody sees other tools than before: a name, a description, a schema or a category.
    pub tools_changed: bool,
    /// What went wrong or looks wrong now, in all files.
    pub diagnostics: Vec<Diagnostic>,
}

impl Reload {
    /// Whether it found everything as it was.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.loaded.is_empty() && self.removed.is_empty() && self.kept.is_empty()
    }
}

impl LiveRegistry {
    /// Loads the mounted files and those from the command line.
    pub async fn load(config: Arc<Config>, files: Vec<PathBuf>, sandbox: Sandbox) -> Arc<Self> {
        let found = scan(&config.mounts, &files);
        let registry = Registry::load(&config, found, sandbox.clone()).await;
        Arc::new(Self {
            config,
            files,
            sandbox,
            current: RwLock::new(Arc::new(registry)),
            reloading: Mutex::default(),
            changes: watch::Sender::new(0),
        })
    }

    /// The registry in force. Whoever holds on to it keeps the tools of now.
    #[must_use]
    pub fn current(&self) -> Arc<Registry> {
        let current = self.current.read();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// A number that grows whenever anybody sees other tools than before.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Looks at the files again and puts what they define in force, all at once.
    pub async fn reload(&self) -> Reload {
        let _one = self.reloading.lock().await;
        let config = Arc::clone(&self.config);
        let files = self.files.clone();
        let found = tokio::task::spawn_blocking(move || scan(&config.mounts, &files)).await;
        let before = self.current();
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let message = format!("the files could not be looked at: {error}");
                return Reload {
                    diagnostics: vec![Diagnostic::error(message)],
                    ..Reload::default()
                };
            }
        };
        let (after, mut reload) = next(&self.config, &before, found, &self.sandbox).await;
        reload.tools_changed = !before
            .tools
            .iter()
            .map(Tool::shown)
            .eq(after.tools.iter().map(Tool::shown));
        reload.diagnostics = after.diagnostics().to_vec();
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        if reload.tools_changed {
            self.changes.send_modify(|version| *version += 1);
        }
        reload
    }

    /// Reloads whenever a file changed, for as long as somebody holds the registry. `report` is
    /// told what each reload did.
    pub fn watch(
        self: &Arc<Self>,
        interval: Duration,
        report: impl Fn(&Reload) + Send + 'static,
    ) -> JoinHandle<()> {
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            // What was there when the registry was loaded is not known any more, so the first
            // look is followed by a reload, which finds nothing if nothing changed.
            let mut before = None;
            while let Some(now) = fingerprint(&weak).await {
                if before.as_ref() != Some(&now)
                    && let Some(live) = weak.upgrade()
                {
                    let reload = live.reload().await;
                    if !reload.is_nothing() {
                        report(&reload);
                    }
                }
                before = Some(now);
                tokio::time::sleep(interval).await;
            }
        })
    }
}

/// What tells one state of the files from another without reading them.
type Fingerprint = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// The state of the files, or `None` when nobody holds the registry any more.
async fn fingerprint(live: &Weak<LiveRegistry>) -> Option<Fingerprint> {
    let live = live.upgrade()?;
    let config = Arc::clone(&live.config);
    let files = live.files.clone();
    drop(live);
    let folders: Vec<PathBuf> = config.mounts.iter().map(|m| m.folder.clone()).collect();
    let looked = tokio::task::spawn_blocking(move || {
        let mut state = Fingerprint::new();
        for path in folders.into_iter().chain(files) {
            look(path, &mut state, 0);
        }
        state
    });
    // A look that failed found nothing.
    Some(looked.await.unwrap_or_default())
}

/// Notes a file or everything below a folder.
fn look(path: PathBuf, state: &mut Fingerprint, depth: usize) {
    let Ok(about) = path.metadata() else {
        return;
    };
    if about.is_dir() && depth <= super::scan::DEEPEST {
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        for entry in entries {
            // As `scan`: names with a dot are not tools', and links to folders are not followed.
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let followed = linked && entry.path().is_dir();
            if !hidden && !followed {
                look(entry.path(), state, depth + 1);
            }
        }
    }
    state.insert(path, (about.modified().ok(), about.len()));
}

/// The registry after `before`, from what was found now.
async fn next(
    config: &Config,
    before: &Registry,
    found: Found,
    sandbox: &Sandbox,
) -> (Registry, Reload) {
    let mut reload = Reload::default();
    let old: BTreeMap<&str, &Arc<ToolFile>> = before
        .files()
        .iter()
        .map(|file| (file.source.path.as_str(), file))
        .collect();
    let mut order = Vec::with_capacity(found.sources.len());
    let mut changed = Vec::new();
    for source in found.sources {
        order.push(source.path.clone());
        if old
            .get(source.path.as_str())
            .is_none_or(|file| file.source != source)
        {
            changed.push(source);
        }
    }
    // What is there and cannot be read is not gone.
    let unread = |path: &str| {
        found
            .unread
            .iter()
            .any(|unread| crate::grants::resolve([(unread.as_str(), &())], path).is_some())
    };
    for path in old.keys() {
        if !order.iter().any(|known| known == path) {
            if unread(path) {
                order.push((*path).to_owned());
                reload.kept.push((*path).to_owned());
            } else {
                reload.removed.push((*path).to_owned());
            }
        }
    }
    let mut diagnostics = found.diagnostics;
    let mut fresh = BTreeMap::new();
    for (path, file) in super::load::all(config, changed, sandbox).await {
        diagnostics.extend(file.diagnostics);
        match (file.loaded, old.get(path.as_str())) {
            (Some(file), _) => {
                reload.loaded.push(path.clone());
                fresh.insert(path, Arc::new(file));
            }
            (None, Some(last)) => {
                let message = "its last good version stays in force";
                let place = Place::file(&last.source.origin);
                diagnostics.push(Diagnostic::warning(message).place(place));
                reload.kept.push(path);
            }
            (None, None) => {}
        }
    }
    let files = order.iter().filter_map(|path| {
        let known = old.get(path.as_str()).map(|file| Arc::clone(file));
        fresh.remove(path).or(known)
    });
    let files: Vec<Arc<ToolFile>> = files.collect();
    // Warnings of files that did not change are still true.
    for file in &files {
        if !reload.loaded.contains(&file.source.path) {
            diagnostics.extend(file.warnings.iter().cloned());
        }
    }
    let mut after = before.successor(diagnostics);
    after.add_all(files, before);
    (after, reload)
}
