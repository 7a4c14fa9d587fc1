//! The official clients against the real server: the TypeScript SDK from npm and the Python
//! SDK from PyPI, which install themselves below `target/`.
//!
//! Where there is no npm, no Python, or no way to their registries, a test says so and passes,
//! unless `HOLM_REQUIRE_CLIENTS` is set.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use super::Hole;
use super::client::Http;
use crate::project::Project;
use crate::swarm::add_tools;

/// The versions that the tests were written for.
const PYTHON: &str = "mcp==2.3.0";
const TYPESCRIPT: &str = "@modelcontextprotocol/sdk@1.32.2";

const TOKEN: &str = "client-0123456789abcdef";

/// Where the clients are installed.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients")
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/clients")
}

/// Runs a command; an error is what it said.
fn run(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command
        .output()
        .map_err(|error| format!("{shown}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!(
            "{shown}:\n{}{}",
            text(&output.stdout),
            text(&output.stderr)
        ))
    }
}

/// Says why a test has nothing to test with.
fn skip(reason: &str) {
    assert!(
        std::env::var_os("HOLM_REQUIRE_CLIENTS").is_none(),
        "a client is needed: {reason}"
    );
    println!("skipped: {reason}");
}

/// The Python with the SDK.
fn python() -> Result<&'static PathBuf, &'static String> {
    static PYTHON_: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PYTHON_
        .get_or_init(|| {
            let venv = folder().join("python");
            let python = venv.join("bin/python");
            let done = venv.join(PYTHON);
            if !done.exists() {
                run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
                run(Command::new(&python).args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    PYTHON,
                ]))?;
                std::fs::write(done, "").map_err(|error| error.to_string())?;
            }
            Ok(python)
        })
        .as_ref()
}

/// The script beside the TypeScript SDK.
fn typescript() -> Result<&'static PathBuf, &'static String> {
    static SCRIPT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    SCRIPT
        .get_or_init(|| {
            let prefix = folder().join("typescript");
            let done = prefix.join(TYPESCRIPT.replace('/', "-"));
            std::fs::create_dir_all(&prefix).map_err(|error| error.to_string())?;
            if !done.exists() {
                run(Command::new("npm")
                    .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
                    .arg(&prefix)
                    .arg(TYPESCRIPT))?;
                std::fs::write(done, "").map_err(|error| error.to_string())?;
            }
            // Modules are looked for beside the script.
            let script = prefix.join("client.mjs");
            std::fs::copy(scripts().join("client.mjs"), &script)
                .map_err(|error| error.to_string())?;
            Ok(script)
        })
        .as_ref()
}

/// 200 tools, of which the skill has five.
fn project(hole: &Hole) -> Project {
    let mut project = Project::with_config(&format!(
        "{}[skills.five]\ntools = [\"echo\", \"fetch\", \"order\", \"relay\", \"status\"]\n\
         [principals.client]\ntoken-env = \"TOKEN\"\nskill = \"five\"\n",
        hole.config()
    ));
    project.set("TOKEN", TOKEN);
    project
        .add_tool("echo.scm")
        .add_tool("fetch.scm")
        .add_tool("nested.scm");
    project.write(
        "tools/order.scm",
        "(define-tool order (description \"Orders\") (category \"network\") (summary-params '(\"side\")) (parameters '((side . ((type . \"string\"))))) (execute (lambda (args) \"ordered\")))\n",
    );
    project.write(
        "tools/status.scm",
        "(define-tool status (description \"Old\") (parameters '()) (execute (lambda (args) \"old\")))\n",
    );
    add_tools(&project, 195);
    project
}

/// Runs a client on stdio and over HTTP, and sees that what it cancelled is over.
fn drive(client: &dyn Fn() -> Command) {
    for way in ["stdio", "http"] {
        let hole = Hole::open();
        let project = project(&hole);
        let mut command = client();
        command.env("TOKEN", TOKEN).arg(way);
        let server = (way == "http").then(|| Http::start(&project, &[]));
        match &server {
            None => drop(command.arg(env!("CARGO_BIN_EXE_holm"))),
            Some(server) => drop(command.args([&server.url(), TOKEN])),
        }
        command.arg(project.folder()).arg(&hole.url);
        // What the client cancels is a call that has come as far as its request.
        let reached = project.folder().join("reached");
        let said = std::thread::scope(|threads| {
            let client = threads.spawn(|| run(&mut command));
            while !client.is_finished() {
                if hole.is_reached_within(Duration::from_millis(50)) {
                    std::fs::write(&reached, "").unwrap();
                }
            }
            client.join().unwrap()
        });
        match said {
            Ok(said) => print!("{said}"),
            Err(wrong) => panic!("{wrong}"),
        }
        hole.wait_for_end();
    }
}

#[test]
fn the_python_sdk_works_with_both_lifecycles() {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => return skip(reason),
    };
    for mode in ["legacy", "2026-07-28"] {
        drive(&|| {
            let mut command = Command::new(python);
            command.arg(scripts().join("client.py")).arg(mode);
            command
        });
    }
}

#[test]
fn the_typescript_sdk_works() {
    let script = match typescript() {
        Ok(script) => script,
        Err(reason) => return skip(reason),
    };
    drive(&|| {
        let mut command = Command::new("node");
        command.arg(script);
        command
    });
}
