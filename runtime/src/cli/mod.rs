//! The command line: a file per command, one exit status, one printer.

#![forbid(unsafe_code)]

mod audit;
mod build;
mod call;
mod check;
mod eval;
mod init;
mod json;
mod list;
mod permissions;
mod printer;
mod prompt;
mod repl;
mod schema;
mod serve;
mod session;
mod status;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use printer::Printer;
pub use status::ExitStatus;

use crate::diagnostic::Diagnostic;

/// Runs untrusted Scheme tools, each call in its own WebAssembly instance.
#[derive(Debug, Parser)]
#[command(name = "holm", version)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command understands.
#[derive(Debug, clap::Args)]
struct Global {
    /// The configuration; without it, the nearest `holm.toml` at or above the working directory
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON for a program to read
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Call a tool once and print its result
    Call(call::Call),
    /// List the tools that there are
    List(list::List),
    /// Print the tools as a model is told of them
    Schema(schema::Schema),
    /// Load tool files without calling anything, and say what is wrong with them
    Check(check::Check),
    /// Serve tools to clients over MCP, on stdio or HTTP
    Serve(serve::Serve),
    /// Evaluate Scheme in the sandbox and print its values
    Eval(eval::Eval),
    /// Read Scheme, evaluate it in the sandbox and print its values, form by form
    Repl(repl::Repl),
    /// Say what tools can reach, and whether that is what was agreed to
    Audit(audit::Audit),
    /// Build a stand-alone component of a tool file, importing only what the file is granted
    Build(build::Build),
    /// Print the WIT world of that component
    Wit(build::Wit),
    /// Make a key to sign components with, and print its public half
    Key(build::Key),
    /// List the tools whose calls are always approved, and take approvals back
    Permissions(permissions::Permissions),
    /// Write a commented holm.toml and two example tools
    Init(init::Init),
}

/// Runs the command that `arguments`, program name first, ask for. Output goes to the
/// streams of this process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let printer = Printer::for_process();
    let arguments = match Arguments::try_parse_from(&given) {
        Ok(arguments) => arguments,
        Err(error) => return unparsed(&error, &given, &printer),
    };
    let global = &arguments.global;
    let result = match &arguments.command {
        Command::Call(call) => call.run(global, &printer),
        Command::List(list) => list.run(global, &printer),
        Command::Schema(schema) => schema.run(global, &printer),
        Command::Check(check) => check.run(global, &printer),
        Command::Serve(serve) => serve.run(global, &printer),
        Command::Eval(eval) => eval.run(global, &printer),
        Command::Repl(repl) => repl.run(global, &printer),
        Command::Audit(audit) => audit.run(global, &printer),
        Command::Build(build) => build.run(global, &printer),
        Command::Wit(wit) => wit.run(global, &printer),
        Command::Key(key) => key.run(global, &printer),
        Command::Permissions(permissions) => permissions.run(global, &printer),
        Command::Init(init) => init.run(&printer),
    };
    result.unwrap_or_else(|problems| {
        if global.json {
            printer.json(&json::failure(&problems));
        }
        printer.diagnostics(&problems);
        ExitStatus::Usage
    })
}

/// All of standard input, for an argument that is `-`.
fn standard_input() -> Result<String, Vec<Diagnostic>> {
    std::io::read_to_string(std::io::stdin().lock())
        .map_err(|error| vec![Diagnostic::error(format!("stdin cannot be read: {error}"))])
}

/// Answers a command line that is none, or that asks for help.
fn unparsed(error: &clap::Error, given: &[OsString], printer: &Printer) -> ExitStatus {
    // A reader that went away is not a failure of the command.
    drop(error.print());
    if !error.use_stderr() {
        return ExitStatus::Success;
    }
    // What cannot be read has no options either; a program that asked for JSON gets it.
    if given.iter().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        printer.json(&json::failure(&[Diagnostic::error(message)]));
    }
    ExitStatus::Usage
}
