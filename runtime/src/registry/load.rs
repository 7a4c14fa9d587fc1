//! From sources to loaded files, as many at a time as there are processors.
//!
//! A file whose declaration the operator trusts is loaded in two steps. In the first it
//! may import `(tein http)` though nothing is granted yet; every load refuses every
//! request anyway. If what it declares gives it no prefix, it is loaded again without the
//! import, so that it fails now, with its line, and not at its first call.

use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{FileGrants, Source, ToolFile, hints, redact};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place};
use crate::files;
use crate::sandbox::{Code, Failure, LoadRequest, Loaded, Problem, Sandbox};
use crate::signing::{PublicKey, Signature};

/// What became of one source.
pub(super) struct LoadedFile {
    pub(super) loaded: Option<ToolFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Loads every source; the answers are in the order of the sources, with their virtual paths.
pub(super) async fn all(
    config: &Config,
    sources: Vec<Source>,
    sandbox: &Sandbox,
) -> Vec<(String, LoadedFile)> {
    let places = Arc::new(Semaphore::new(
        available_parallelism().map_or(1, usize::from),
    ));
    let shared = Arc::new(config.clone());
    let mut running = JoinSet::new();
    for (index, source) in sources.into_iter().enumerate() {
        let grants = FileGrants::resolve(config, &source.path);
        let sandbox = sandbox.clone();
        let config = Arc::clone(&shared);
        let places = Arc::clone(&places);
        running.spawn(async move {
            // The semaphore is never closed; without a place the load is only less orderly.
            let _place = places.acquire_owned().await;
            let path = source.path.clone();
            (index, path, one(source, grants, &config, &sandbox).await)
        });
    }
    let mut loaded = Vec::with_capacity(running.len());
    while let Some(finished) = running.join_next().await {
        match finished {
            Ok(file) => loaded.push(file),
            Err(error) => {
                let message = format!("a file could not be loaded because holm failed: {error}");
                let diagnostics = vec![Diagnostic::error(message)];
                loaded.push((
                    usize::MAX,
                    String::new(),
                    LoadedFile {
                        loaded: None,
                        diagnostics,
                    },
                ));
            }
        }
    }
    loaded.sort_by_key(|(index, ..)| *index);
    loaded
        .into_iter()
        .map(|(_, path, file)| (path, file))
        .collect()
}

/// Loads one source.
async fn one(
    source: Source,
    mut grants: FileGrants,
    config: &Config,
    sandbox: &Sandbox,
) -> LoadedFile {
    // Before anything of it is compiled.
    if let Err(reason) = signed(&source, config.trusted_keys.as_deref()) {
        return LoadedFile {
            loaded: None,
            diagnostics: vec![Diagnostic::error(reason).place(Place::file(&source.origin))],
        };
    }
    let mut loaded = load(&source, &grants, sandbox).await;
    let mut messages = Vec::new();
    if let Ok(first) = &loaded {
        messages = grants.accept_declared(&first.manifest.http_allow, &config.private);
        if grants.trusts_declaration() && grants.http.is_empty() {
            loaded = load(&source, &grants, sandbox).await;
        }
    }
    let place = Place::file(&source.origin);
    let mut diagnostics: Vec<Diagnostic> = messages
        .into_iter()
        .map(|message| Diagnostic::warning(message).place(place.clone()))
        .collect();
    let mut loaded = match loaded {
        Ok(loaded) => {
            diagnostics.extend(grants.compare(&loaded.manifest.http_allow, &place));
            let hooks = &loaded.manifest.hooks;
            diagnostics.extend(grants.compare_hooks(hooks, &source.path, &config.name(), &place));
            for warning in &loaded.manifest.warnings {
                diagnostics.push(located(
                    &source,
                    warning,
                    Diagnostic::warning(&warning.message),
                ));
            }
            let digest = files::digest(source.bytes());
            Some(ToolFile {
                source,
                digest,
                grants_digest: grants.digest(),
                grants,
                loaded,
                warnings: Vec::new(),
            })
        }
        Err(failure) => {
            let mut diagnostic = failed(&source, &failure);
            if let Failure::Problem(problem) = &failure {
                let hint = hints::of_import(problem, &source.path, &grants, &config.name());
                diagnostic.hints.extend(hint);
            }
            diagnostics.push(diagnostic);
            None
        }
    };
    let secrets = loaded
        .as_ref()
        .map(|file| file.grants.read_environment())
        .unwrap_or_default();
    for diagnostic in &mut diagnostics {
        diagnostic.map_text(|text| redact(text, &secrets));
    }
    if let Some(file) = &mut loaded {
        file.warnings.clone_from(&diagnostics);
    }
    LoadedFile {
        loaded,
        diagnostics,
    }
}

/// Checks the signature of a component, where the configuration names the keys to trust.
fn signed(source: &Source, trusted: Option<&[PublicKey]>) -> Result<(), String> {
    let (Some(component), Some(trusted)) = (&source.component, trusted) else {
        return Ok(());
    };
    let Some(signature) = &component.signature else {
        return Err("it has no signature, and `components.trusted-keys` asks for one".to_owned());
    };
    signature
        .parse::<Signature>()
        .and_then(|signature| signature.verify(component.provided.bytes(), trusted))
        .map_err(|error| error.to_string())
}

async fn load(source: &Source, grants: &FileGrants, sandbox: &Sandbox) -> Result<Loaded, Failure> {
    let request = LoadRequest {
        code: match &source.component {
            Some(component) => Code::Component(&component.provided),
            None => Code::Scheme(&source.text),
        },
        file: &source.path,
        unrestricted: grants.is_unrestricted(),
        grants: &grants.for_instance(),
        limits: &grants.limits,
    };
    sandbox.load(request).await
}

/// Why a file is not there.
pub(super) fn failed(source: &Source, failure: &Failure) -> Diagnostic {
    match failure {
        Failure::Problem(problem) => located(source, problem, Diagnostic::error(&problem.message)),
        Failure::Limit(_) => Diagnostic::error(format!("loading did not end: {failure}"))
            .place(Place::file(&source.origin))
            .hint("the top-level forms of a file run when it is loaded; work belongs into the handler"),
        Failure::Trap(_) | Failure::Busy(_) | Failure::Host(_) => {
            Diagnostic::error(failure.to_string()).place(Place::file(&source.origin))
        }
    }
}

/// Puts a problem of the guest's where it happened, in the file on this machine.
pub(super) fn located(
    source: &Source,
    problem: &Problem,
    mut diagnostic: Diagnostic,
) -> Diagnostic {
    diagnostic.trace.clone_from(&problem.trace);
    match problem.at {
        Some(at) => diagnostic
            .place(Place::at(&source.origin, at.line, at.column))
            .excerpt_from(&source.text),
        None => diagnostic.place(Place::file(&source.origin)),
    }
}
