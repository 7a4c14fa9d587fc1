//! What to do about a file that does not load because of what it may not import.

use super::FileGrants;
use crate::sandbox::{Problem, ProblemKind};

/// The library that a blocked import, or a name of one, was about.
fn library(message: &str) -> Option<&str> {
    const BLOCKED: &str = "module import blocked: (";
    const REQUIRES: &str = " requires (import ";
    let rest = match message.split_once(BLOCKED) {
        Some((_, rest)) => rest,
        None => message.split_once(REQUIRES)?.1,
    };
    // The name is the first list: names of libraries have no lists in them.
    let end = rest.find(')')?;
    rest.get(..=end).filter(|name| name.starts_with('('))
}

/// The next step for the problem of the file at `path`, if it is one of these.
pub(super) fn of_import(
    problem: &Problem,
    path: &str,
    grants: &FileGrants,
    configuration: &str,
) -> Option<String> {
    if problem.kind != ProblemKind::Sandbox {
        return None;
    }
    let library = library(&problem.message)?;
    if library != "(tein http)" {
        return Some(format!(
            "{library} is not among the libraries that a tool file can import; the README lists them under \"The engine\""
        ));
    }
    if problem.message.contains("requires (import") && !grants.http.is_empty() {
        return Some("write `(import (tein http))` at the top of the file".to_owned());
    }
    Some(format!(
        "a file can import (tein http) when it is granted a URL: \
         `\"{path}\" = [\"https://api.example.com/\"]` under `[tools.http.allow]` in {configuration}"
    ))
}

#[cfg(test)]
mod tests {
    use super::library;

    #[test]
    fn the_library_is_read_from_the_contracts_texts() {
        for (message, expected) in [
            (
                "tein init: sandbox violation: module import blocked: ((tein http)) (not available in this sandbox)",
                Some("(tein http)"),
            ),
            (
                "module import blocked: ((srfi 18)) (not available)",
                Some("(srfi 18)"),
            ),
            (
                "'http-get' requires (import (tein http))",
                Some("(tein http)"),
            ),
            ("'x' requires (import the required module)", None),
            ("car: not a pair: (42)", None),
            ("module import blocked: ((a", None),
        ] {
            assert_eq!(library(message), expected, "{message}");
        }
    }
}
