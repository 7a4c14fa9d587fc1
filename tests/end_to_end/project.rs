//! A folder with a configuration and tools, and the real binary run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Removed when it is dropped.
pub(crate) struct Project {
    folder: PathBuf,
    variables: Vec<(String, String)>,
}

/// What a run of the binary gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Fails unless this is the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// The three lines, as a call prints them.
    #[track_caller]
    pub(crate) fn prints(self, stdout: &str) -> Self {
        assert_eq!(self.stdout, stdout, "{self:#?}");
        self
    }

    /// Fails unless stderr has this in it.
    #[track_caller]
    pub(crate) fn tells(self, part: &str) -> Self {
        assert!(self.stderr.contains(part), "no {part:?} in {self:#?}");
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The three lines with nothing printed.
pub(crate) fn result(value: &str) -> String {
    format!("result: {value}\nstdout: (empty)\nstderr: (empty)\n")
}

/// The folder with the tests' tool files.
pub(crate) fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tools")
}

/// Where every test keeps compiled code, so that only the first one compiles.
pub(crate) fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

impl Project {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "project-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        fs::create_dir_all(&folder).unwrap();
        Self {
            folder,
            variables: Vec::new(),
        }
    }

    /// A folder with a configuration that mounts its `tools` at `/tools/shared`.
    pub(crate) fn with_config(config: &str) -> Self {
        let project = Self::new();
        project.write(
            "holm.toml",
            &format!(
                "[mount]\n\"/tools/shared\" = \"tools\"\n[cache]\ndir = {:?}\n{config}",
                cache()
            ),
        );
        fs::create_dir_all(project.folder.join("tools")).unwrap();
        project
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a file.
    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        let file = self.folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        self
    }

    /// Adds the example tool that places market orders to `tools`.
    pub(crate) fn add_market_order(&self) -> &Self {
        let file = tools().join("../../examples/broker/market_order.scm");
        self.write("tools/market_order.scm", &fs::read_to_string(file).unwrap())
    }

    /// Adds one of the tests' tool files to `tools`.
    pub(crate) fn add_tool(&self, name: &str) -> &Self {
        self.write(
            &format!("tools/{name}"),
            &fs::read_to_string(tools().join(name)).unwrap(),
        )
    }

    /// Sets a variable of the runs.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs the binary.
    #[track_caller]
    pub(crate) fn holm(&self, arguments: &[&str]) -> Run {
        self.holm_with_input(arguments, "")
    }

    /// Runs the binary with something on its standard input.
    #[track_caller]
    pub(crate) fn holm_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut child = self
            .command(env!("CARGO_BIN_EXE_holm"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The binary may not want it.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// A command in the folder, with the variables set here and no others of holm's concern.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.folder)
            .env("XDG_CACHE_HOME", cache())
            // Whoever runs the tests may have a configuration and approvals of their own.
            .env("XDG_CONFIG_HOME", self.folder.join(".config"))
            .env("XDG_STATE_HOME", self.folder.join(".state"))
            .env_remove("NO_COLOR")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}
