//! What the configuration says to no effect: a key that covers no file, a name that no tool has.
//! Most often it is a slip of the pen, and what was meant to be left out is there.

use super::Tool;
use crate::config::{Config, PathEntry, PathMap};
use crate::diagnostic::{Diagnostic, did_you_mean};

/// Warnings about keys that cover none of `paths`, and names that none of `tools` has.
pub(super) fn warnings(config: &Config, paths: &[String], tools: &[Tool]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let given = &config.tools;
    warnings.extend(keys(&given.tiers, paths));
    warnings.extend(keys(&given.http, paths));
    warnings.extend(keys(&given.env, paths));
    warnings.extend(keys(&given.limits, paths));
    warnings.extend(keys(&given.state, paths));
    warnings.extend(keys(&given.hooks, paths));
    for named in &given.named {
        if tools.iter().any(|tool| tool.name == named.text) {
            continue;
        }
        let message = format!("`{}`: there is no tool `{}`", named.key, named.text);
        let warning = Diagnostic::warning(message).place(named.place.clone());
        let like = did_you_mean(&named.text, tools.iter().map(|tool| tool.name.as_str()));
        warnings.push(match like {
            Some(name) => warning.hint(format!("did you mean `{name}`?")),
            None => warning,
        });
    }
    warnings
}

/// The keys of a table that cover none of `paths`.
fn keys<T>(map: &PathMap<T>, paths: &[String]) -> Vec<Diagnostic> {
    map.iter()
        .filter(|entry| !paths.iter().any(|path| entry.covers(path)))
        .map(unused)
        .collect()
}

fn unused<T>(entry: &PathEntry<T>) -> Diagnostic {
    let message = format!("`{}` covers no tool file", entry.key);
    Diagnostic::warning(message)
        .place(entry.place.clone())
        .hint("keys are virtual paths below those of `[mount]`; `holm list` shows the files")
}
