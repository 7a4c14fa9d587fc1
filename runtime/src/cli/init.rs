//! `holm init`: a configuration to start from.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{ExitStatus, Printer};
use crate::diagnostic::{Diagnostic, Place};

/// Writes the files of a new project.
#[derive(Debug, clap::Args)]
pub(super) struct Init {
    /// The folder to write into; it is created if need be
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// The files, by their names in the folder.
const FILES: [(&str, &str); 3] = [
    (
        "holm.toml",
        include_str!("../../../examples/starter/holm.toml"),
    ),
    (
        "tools/hello.scm",
        include_str!("../../../examples/starter/tools/hello.scm"),
    ),
    (
        "tools/page.scm",
        include_str!("../../../examples/starter/tools/page.scm"),
    ),
];

impl Init {
    /// Runs the command. A file that is there already stays as it is.
    pub(super) fn run(&self, printer: &Printer) -> Result<ExitStatus, Vec<Diagnostic>> {
        for (name, text) in FILES {
            let file = match self.folder == Path::new(".") {
                true => PathBuf::from(name),
                false => self.folder.join(name),
            };
            match write_new(&file, text) {
                Ok(()) => printer.note(&format!("wrote {}", file.display())),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    printer.note(&format!("kept {}, which was there already", file.display()));
                }
                Err(error) => {
                    let problem = Diagnostic::error(format!("cannot be written: {error}"));
                    return Err(vec![problem.place(Place::file(file.display().to_string()))]);
                }
            }
        }
        let change = if self.folder == Path::new(".") {
            String::new()
        } else {
            format!("cd {} && ", self.folder.display())
        };
        printer.note(&format!(
            "try it: {change}holm call hello '{{\"name\":\"Ada\"}}'"
        ));
        Ok(ExitStatus::Success)
    }
}

/// Writes a file that is not there yet, with the folders above it.
fn write_new(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)?
        .write_all(text.as_bytes())
}
