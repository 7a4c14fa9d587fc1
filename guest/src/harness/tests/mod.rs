//! Loading and calling, natively, in an in-memory world.

mod calls;
mod images;
mod manifests;
mod session;
mod world;

use super::*;
use world::Memory;

/// The steps of a tier 1 entry.
const STEPS: u64 = 10_000_000;

fn settings() -> Settings {
    Settings {
        file: "/tools/shared/test.scm".to_owned(),
        steps: Some(STEPS),
        unrestricted: false,
        capabilities: Capabilities {
            http: true,
            environment: true,
            harness: true,
        },
        output_limit: 256 << 10,
    }
}

/// Loads in an instance of its own, as the host does.
fn load_with(source: &str, settings: &Settings) -> Result<Loaded, Problem> {
    initialize();
    load(source, settings, Box::new(Memory))
}

fn loaded(source: &str) -> Loaded {
    load_with(source, &settings()).unwrap_or_else(|e| panic!("{source}: {e:?}"))
}

fn load_error(source: &str) -> Problem {
    match load_with(source, &settings()) {
        Ok(loaded) => panic!("{source} loads: {loaded:?}"),
        Err(e) => e,
    }
}

/// One call in an instance of its own.
fn fresh(image: &[u8], tool: &str, arguments: &str, settings: &Settings) -> Outcome {
    initialize();
    enter_call(Some(image), tool, arguments, settings).unwrap()
}

/// A further call in the present instance.
fn again(tool: &str, arguments: &str) -> Outcome {
    enter_call(None, tool, arguments, &settings()).unwrap()
}

fn enter_call(
    image: Option<&[u8]>,
    tool: &str,
    arguments: &str,
    settings: &Settings,
) -> Result<Outcome, Problem> {
    let one = Call {
        image,
        tool,
        arguments,
        context_name: "chat",
    };
    call(&one, Form::Text, settings, Box::new(Memory))
}

/// A file with one tool, `t`, whose handler has this body and may use `args`.
fn tool(body: &str) -> String {
    format!(
        "(define tool-name \"t\")\n(define tool-description \"d\")\n(define tool-parameters '())\n\
         (define (tool-execute args) {body})\n"
    )
}

/// The outcome of a tool with this body.
fn outcome_of(body: &str, arguments: &str) -> Outcome {
    let image = loaded(&tool(body)).image;
    fresh(&image, "t", arguments, &settings())
}

fn warnings(manifest: &Manifest) -> Vec<String> {
    let line = |p: &Problem| match p.at {
        Some(at) => format!("{}:{}: {}", at.line, at.column, p.message),
        None => p.message.clone(),
    };
    assert!(
        manifest
            .warnings
            .iter()
            .all(|p| p.kind == ProblemKind::Manifest)
    );
    manifest.warnings.iter().map(line).collect()
}
