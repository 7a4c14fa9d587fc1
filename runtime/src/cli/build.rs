//! `holm build`: a stand-alone component of one tool file. `holm wit`: its world. `holm key`: a key to sign with.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::diagnostic::{Diagnostic, Place};
use crate::files;
use crate::registry::{Registry, Tool, ToolFile, scan_files};
use crate::sandbox::component_imports;
use crate::signing::{self, SecretKey};
use crate::standalone::{self, Built, Options};

/// Builds a component.
#[derive(Debug, clap::Args)]
pub(super) struct Build {
    #[command(flatten)]
    source: SourceFile,
    /// Where to write the component; without it, the file's name with `.wasm` in the working directory
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Sign the component with this private key, in a file beside it that ends in `.sig`
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
}

/// Prints a component's world.
#[derive(Debug, clap::Args)]
pub(super) struct Wit {
    #[command(flatten)]
    source: SourceFile,
}

/// Makes a key.
#[derive(Debug, clap::Args)]
pub(super) struct Key {
    /// Where to write the private key; nothing is overwritten
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// The tool file, and what to make of it.
#[derive(Debug, clap::Args)]
struct SourceFile {
    /// The tool file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Keep the import by which a tool calls other tools; only holm has it to offer
    #[arg(long)]
    call_tool: bool,
}

impl SourceFile {
    /// Loads the file; `None` when it does not load, which has been said then.
    fn load(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<Option<std::sync::Arc<Registry>>, Vec<Diagnostic>> {
        let session = Session::open(global, printer)?;
        let files = std::slice::from_ref(&self.file);
        let registry = session.load(scan_files(&session.config.mounts, files));
        for problem in registry.diagnostics() {
            printer.diagnostic(problem);
        }
        let failed = registry.diagnostics().iter().any(Diagnostic::is_error);
        Ok((!failed && !registry.files().is_empty()).then_some(registry))
    }

    fn options(&self) -> Options {
        Options {
            call_tool: self.call_tool,
        }
    }
}

/// The one file of a registry, and its tools.
fn only(registry: &Registry) -> Option<(&ToolFile, Vec<&Tool>)> {
    Some((registry.files().first()?, registry.tools_of(0).collect()))
}

fn failed(path: &Path, reason: impl std::fmt::Display) -> Vec<Diagnostic> {
    let place = Place::file(path.display().to_string());
    vec![Diagnostic::error(reason.to_string()).place(place)]
}

impl Build {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        // Before the work, so that a mistake costs nothing.
        let key = self.sign.as_deref().map(read_key).transpose()?;
        let Some(registry) = self.source.load(global, printer)? else {
            return Ok(ExitStatus::ToolError);
        };
        let Some((file, tools)) = only(&registry) else {
            return Ok(ExitStatus::ToolError);
        };
        let built = match standalone::build(file, &tools, self.source.options()) {
            Ok(built) => built,
            Err(reason) => {
                for problem in failed(&self.source.file, reason) {
                    printer.diagnostic(&problem);
                }
                return Ok(ExitStatus::ToolError);
            }
        };
        let output = match &self.output {
            Some(output) => output.clone(),
            None => PathBuf::from(self.source.file.file_name().unwrap_or_default())
                .with_extension("wasm"),
        };
        write(&output, &built.wasm)?;
        if let Some(key) = &key {
            let signature = key.sign(&built.wasm).to_string();
            write(&signing::file_of(&output), signature.as_bytes())?;
        }
        self.report(global, printer, &output, &built, key.as_ref());
        Ok(ExitStatus::Success)
    }

    fn report(
        &self,
        global: &Global,
        printer: &Printer,
        output: &Path,
        built: &Built,
        key: Option<&SecretKey>,
    ) {
        let imports = component_imports(&built.wasm).unwrap_or_default();
        if global.json {
            printer.json(&json!({
                "component": output.display().to_string(),
                "sha256": files::digest(&built.wasm),
                "bytes": built.wasm.len(),
                "initialised": built.section.initialised,
                "imports": imports,
                "tools": built.section.tools,
                "wit": built.wit,
                "signed_by": key.map(|key| key.public().to_string()),
            }));
            return;
        }
        let start = match built.section.initialised {
            true => "its top level has run",
            false => "its top level asks for something outside and runs in every instance",
        };
        printer.note(&format!(
            "{}: {} bytes, {start}",
            output.display(),
            built.wasm.len()
        ));
        for import in imports.keys() {
            printer.note(&format!("  imports {import}"));
        }
        if let Some(key) = key {
            printer.note(&format!("  signed by {}", key.public()));
        }
    }
}

impl Wit {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let Some(registry) = self.source.load(global, printer)? else {
            return Ok(ExitStatus::ToolError);
        };
        let Some((file, tools)) = only(&registry) else {
            return Ok(ExitStatus::ToolError);
        };
        match standalone::wit(file, &tools, self.source.options()) {
            Ok(wit) if global.json => printer.json(&json!({ "wit": wit })),
            Ok(wit) => printer.data(wit.trim_end()),
            Err(reason) => {
                for problem in failed(&self.source.file, reason) {
                    printer.diagnostic(&problem);
                }
                return Ok(ExitStatus::ToolError);
            }
        }
        Ok(ExitStatus::Success)
    }
}

impl Key {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let (key, pem) = SecretKey::generate().map_err(|error| failed(&self.file, error))?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(&self.file)
            .and_then(|mut file| file.write_all(pem.as_bytes()))
            .map_err(|error| failed(&self.file, format!("cannot be written: {error}")))?;
        let public = key.public().to_string();
        if global.json {
            printer.json(&json!({ "public_key": public }));
        } else {
            printer.data(&public);
        }
        Ok(ExitStatus::Success)
    }
}

fn read_key(path: &Path) -> Result<SecretKey, Vec<Diagnostic>> {
    let text = files::open_regular(path)
        .and_then(|file| files::read_text(file, signing::LARGEST_FILE, "a key"))
        .map_err(|reason| failed(path, reason))?;
    SecretKey::from_pem(&text).map_err(|error| failed(path, error))
}

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    let cannot = |error: std::io::Error| failed(path, format!("cannot be written: {error}"));
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}.tmp", std::process::id()));
    let aside = PathBuf::from(aside);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&aside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&aside, path));
    written.map_err(|error| {
        drop(std::fs::remove_file(&aside));
        cannot(error)
    })
}
