//! What the tools really reached, by an audit log.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Origins that each file reached, by virtual path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Used {
    origins: BTreeMap<String, BTreeSet<String>>,
    /// Records that could not be read.
    pub unreadable: usize,
}

impl Used {
    /// Reads a log: one JSON record a line, of which `path` and the `origin` of each of its `origins` count. A line that is no record, as the
    /// last one of a log that is being written may be, is counted and left out.
    #[must_use]
    pub fn read(log: &str) -> Self {
        let mut used = Self::default();
        for line in log.lines().filter(|line| !line.trim().is_empty()) {
            let record: Value = match serde_json::from_str(line) {
                Ok(record) => record,
                Err(_) => {
                    used.unreadable += 1;
                    continue;
                }
            };
            let Some(path) = record.get("path").and_then(Value::as_str) else {
                used.unreadable += 1;
                continue;
            };
            let origins = used.origins.entry(path.to_owned()).or_default();
            let reached = record.get("origins").and_then(Value::as_array);
            origins.extend(
                reached
                    .into_iter()
                    .flatten()
                    .filter_map(|host| host.get("origin")?.as_str())
                    .map(str::to_owned),
            );
        }
        used
    }

    /// Origins that a file reached; empty when it was never called or never sent a request.
    #[must_use]
    pub fn of(&self, path: &str) -> Vec<String> {
        let origins = self.origins.get(path);
        origins.into_iter().flatten().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_by_file() {
        let log = concat!(
            r#"{"path":"/a.scm","origins":[{"origin":"https://b.example"},{"origin":"https://a.example"}]}"#,
            "\n\n",
            r#"{"path":"/a.scm","origins":[{"origin":"https://a.example","requests":2}]}"#,
            "\n",
            r#"{"path":"/b.scm"}"#,
            "\n",
            r#"{"other":1}"#,
            "\n",
            r#"{"path":"/a.s"#
        );
        let used = Used::read(log);
        assert_eq!(
            used.of("/a.scm"),
            ["https://a.example", "https://b.example"]
        );
        assert_eq!(used.of("/b.scm"), Vec::<String>::new());
        assert_eq!(used.of("/c.scm"), Vec::<String>::new());
        assert_eq!(used.unreadable, 2);
    }
}
