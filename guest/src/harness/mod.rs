//! What loading and calling a tool file mean.
//!
//! TEMPORARY BODY: a list of built-in probes, one per thing that the host limits,
//! until the engine is there. The types and the three functions stay.

mod types;

pub use types::{
    Call, Capabilities, Loaded, Manifest, Outcome, Position, Problem, ProblemKind, Settings, Tool,
};

use std::cell::RefCell;
use std::time::Duration;
use tein::world::{HttpError, HttpRequest, World};

thread_local! {
    static STARTED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Prepares the engine and its prelude. Runs once, when the component is built,
/// and must not reach outside.
pub fn initialize() {
    STARTED.with_borrow_mut(|started| *started = (0..1000).collect());
}

/// Reads, expands, compiles and runs a tool file once.
pub fn load(
    source: &str,
    settings: &Settings,
    mut world: Box<dyn World>,
) -> Result<Loaded, Problem> {
    let mut manifest = Manifest::default();
    for word in source.split_whitespace() {
        if word == "(" {
            return Err(problem(
                ProblemKind::Read,
                "unexpected end of input",
                settings,
            ));
        }
        manifest.tools.push(Tool {
            name: word.to_string(),
            description: probe(word, "", settings, world.as_mut()).unwrap_or_else(|p| p.message),
            parameters: r#"{"type":"object"}"#.to_string(),
            category: "synthesised".to_string(),
            summary_params: Vec::new(),
        });
    }
    Ok(Loaded {
        manifest,
        image: source.as_bytes().to_vec(),
        steps_used: 1,
    })
}

/// Calls one tool.
pub fn call(
    call: &Call<'_>,
    settings: &Settings,
    mut world: Box<dyn World>,
) -> Result<Outcome, Problem> {
    match probe(call.tool, call.arguments, settings, world.as_mut()) {
        Ok(result) => Ok(Outcome {
            result,
            stdout: String::new(),
            stderr: String::new(),
            failure: None,
            steps_used: 1,
        }),
        Err(failure) => Ok(Outcome {
            result: format!("error: {}", failure.message),
            stdout: "before".to_string(),
            stderr: String::new(),
            failure: Some(failure),
            steps_used: 1,
        }),
    }
}

fn problem(kind: ProblemKind, message: &str, settings: &Settings) -> Problem {
    Problem {
        kind,
        message: message.to_string(),
        file: settings.file.clone(),
        at: None,
        trace: Vec::new(),
    }
}

fn probe(
    tool: &str,
    arguments: &str,
    settings: &Settings,
    world: &mut dyn World,
) -> Result<String, Problem> {
    match tool {
        "echo" => Ok(arguments.to_string()),
        "count" => Ok(STARTED.with_borrow_mut(|started| {
            started.push(0);
            started.len().to_string()
        })),
        "env" => Ok(format!("{:?}", world.env_vars())),
        "clock" => Ok(format!(
            "{} {}",
            world.wall_clock().as_secs(),
            world.monotonic_nanos()
        )),
        "random" => {
            let mut bytes = [0; 16];
            world.random(&mut bytes);
            Ok(format!("{bytes:?}"))
        }
        "spin" => {
            let mut n = 1u64;
            loop {
                n = std::hint::black_box(n.wrapping_mul(3));
            }
        }
        "grow" => {
            let mut kept = Vec::new();
            loop {
                let mut chunk: Vec<u8> = Vec::new();
                if chunk.try_reserve_exact(1 << 20).is_err() {
                    return Err(problem(ProblemKind::Memory, "out of memory", settings));
                }
                chunk.resize(1 << 20, 1);
                kept.push(chunk);
            }
        }
        "grow-hard" => {
            let mut kept = Vec::new();
            loop {
                kept.push(std::hint::black_box(vec![1u8; 1 << 20]));
            }
        }
        "recurse" => Ok(recurse(u64::MAX).to_string()),
        "panic" => Err(problem(
            ProblemKind::Host,
            &format!("{:?}", [1][std::hint::black_box(1)]),
            settings,
        )),
        "steps" => Err(problem(ProblemKind::Steps, "step limit exceeded", settings)),
        "nested" => world
            .call_tool("other", arguments)
            .map_err(|message| problem(ProblemKind::Evaluation, &message, settings)),
        "get" => {
            let request = HttpRequest {
                method: "GET".to_string(),
                url: arguments.to_string(),
                headers: Vec::new(),
                body: None,
                timeout: Duration::from_secs(5),
            };
            match world.http(&request) {
                Ok(response) => Ok(format!(
                    "{} {}",
                    response.status,
                    String::from_utf8_lossy(&response.body)
                )),
                Err(HttpError::Denied) => Err(problem(
                    ProblemKind::Sandbox,
                    &format!("http request blocked: URL not in allowlist: {arguments}"),
                    settings,
                )),
                Err(HttpError::Failed(text)) => Err(problem(
                    ProblemKind::Evaluation,
                    &format!("http: {text}"),
                    settings,
                )),
            }
        }
        _ => Err(problem(ProblemKind::Manifest, "no such tool", settings)),
    }
}

fn recurse(n: u64) -> u64 {
    let deep = std::hint::black_box([n; 16]);
    if n == 0 {
        0
    } else {
        recurse(n - 1) + deep[(n % 16) as usize]
    }
}
