//! How large a file's answer to being loaded may be.
//!
//! A manifest stays in memory for as long as the file is loaded, and is read by every model
//! that is told about its tools. The file's author decides what is in it, so it has
//! bounds; a file beyond them does not load, and says which one.

use super::bindings::exports::holm::tool::guest as wit;

/// Tools of one file. A skill with as many is of no use to a model.
pub(super) const MAX_TOOLS: usize = 256;
/// Bytes of a name: of a tool, a parameter in its summary, a category, a hook.
pub(super) const MAX_NAME: usize = 256;
/// Bytes of a tool's description: some pages.
pub(super) const MAX_DESCRIPTION: usize = 16 << 10;
/// Bytes of the JSON Schema of a tool's arguments.
pub(super) const MAX_SCHEMA: usize = 64 << 10;
/// Parameters in the summary of one tool, hooks of one file, and prefixes that it declares.
pub(super) const MAX_LIST: usize = 256;
/// Bytes of a declared URL prefix.
pub(super) const MAX_PREFIX: usize = 2 << 10;
/// Bytes of all texts of a manifest together.
pub(super) const MAX_MANIFEST: usize = 1 << 20;
/// Bytes of a compiled file: sources are smaller, and what comes of them is of their size.
pub(super) const MAX_IMAGE: usize = 16 << 20;
/// Warnings that are kept; the rest are not news.
pub(super) const MAX_WARNINGS: usize = 64;

/// Adds up what a manifest holds, and notices the first thing that is too large.
struct Check {
    total: usize,
    problem: Option<String>,
}

impl Check {
    fn text(&mut self, what: impl FnOnce() -> String, text: &str, limit: usize) {
        self.total = self.total.saturating_add(text.len());
        if text.len() > limit {
            let length = text.len();
            self.fail(|| format!("{} is {length} bytes long; the limit is {limit}", what()));
        }
    }

    fn count(&mut self, what: impl FnOnce() -> String, count: usize, limit: usize) {
        if count > limit {
            self.fail(|| format!("{count} {}; the limit is {limit}", what()));
        }
    }

    fn fail(&mut self, problem: impl FnOnce() -> String) {
        self.problem.get_or_insert_with(problem);
    }
}

/// Why what a file gave is too large, if it is.
pub(super) fn excess(loaded: &wit::Loaded) -> Option<String> {
    let manifest = &loaded.manifest;
    let mut check = Check {
        total: 0,
        problem: None,
    };
    check.count(
        || "tools in one file".to_owned(),
        manifest.tools.len(),
        MAX_TOOLS,
    );
    for (index, tool) in manifest.tools.iter().enumerate() {
        // A name that is too long is no way to name anything.
        let called = || match tool.name.len() {
            0..=MAX_NAME => format!("`{}`", tool.name),
            _ => format!("tool {}", index + 1),
        };
        check.text(|| format!("the name of {}", called()), &tool.name, MAX_NAME);
        let of = |part: &str| format!("the {part} of {}", called());
        check.text(|| of("description"), &tool.description, MAX_DESCRIPTION);
        check.text(|| of("parameters' schema"), &tool.parameters, MAX_SCHEMA);
        check.text(|| of("category"), &tool.category, MAX_NAME);
        let summary = &tool.summary_params;
        check.count(
            || format!("parameters in the summary of {}", called()),
            summary.len(),
            MAX_LIST,
        );
        for name in summary {
            check.text(
                || format!("a summary parameter of {}", called()),
                name,
                MAX_NAME,
            );
        }
    }
    let (prefixes, hooks) = (&manifest.http_allow, &manifest.hooks);
    check.count(
        || "declared URL prefixes".to_owned(),
        prefixes.len(),
        MAX_LIST,
    );
    for prefix in prefixes {
        check.text(|| "a declared URL prefix".to_owned(), prefix, MAX_PREFIX);
    }
    check.count(|| "hooks".to_owned(), hooks.len(), MAX_LIST);
    for hook in hooks {
        check.text(|| "the name of a hook".to_owned(), hook, MAX_NAME);
    }
    if check.total > MAX_MANIFEST {
        let total = check.total;
        check.fail(|| {
            format!("what the file says about its tools is {total} bytes long; the limit is {MAX_MANIFEST}")
        });
    }
    if loaded.image.len() > MAX_IMAGE {
        let length = loaded.image.len();
        check
            .fail(|| format!("the compiled file is {length} bytes long; the limit is {MAX_IMAGE}"));
    }
    check.problem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> wit::Tool {
        wit::Tool {
            name: name.to_owned(),
            description: String::new(),
            parameters: "{}".to_owned(),
            category: "synthesised".to_owned(),
            summary_params: Vec::new(),
        }
    }

    fn loaded(tools: Vec<wit::Tool>) -> wit::Loaded {
        wit::Loaded {
            manifest: wit::Manifest {
                tools,
                http_allow: Vec::new(),
                hooks: Vec::new(),
                warnings: Vec::new(),
            },
            image: Vec::new(),
            steps_used: 0,
        }
    }

    #[test]
    fn the_first_excess_is_named() {
        assert_eq!(excess(&loaded(vec![tool("a")])), None);
        let x = |count: usize| "x".repeat(count);
        let with = |change: &dyn Fn(&mut wit::Tool)| {
            let mut one = tool("a");
            change(&mut one);
            excess(&loaded(vec![one]))
        };
        for (found, expected) in [
            (
                excess(&loaded(vec![tool("a"); MAX_TOOLS + 1])),
                "257 tools in one file; the limit is 256",
            ),
            (
                with(&|tool| tool.name = x(MAX_NAME + 1)),
                "the name of tool 1 is 257 bytes long; the limit is 256",
            ),
            (
                with(&|tool| tool.description = x(MAX_DESCRIPTION + 1)),
                "the description of `a` is 16385 bytes long; the limit is 16384",
            ),
            (
                with(&|tool| tool.parameters = x(MAX_SCHEMA + 1)),
                "the parameters' schema of `a` is 65537 bytes long; the limit is 65536",
            ),
            (
                with(&|tool| tool.summary_params = vec![x(1); MAX_LIST + 1]),
                "257 parameters in the summary of `a`; the limit is 256",
            ),
            (
                excess(&loaded(
                    (0..100)
                        .map(|_| wit::Tool {
                            description: x(MAX_DESCRIPTION),
                            ..tool("a")
                        })
                        .collect(),
                )),
                "what the file says about its tools is 1639800 bytes long; the limit is 1048576",
            ),
        ] {
            assert_eq!(found.as_deref(), Some(expected));
        }
    }
}
