//! What a call costs, and how much of it is holm: `cargo bench -p holm`.
//!
//! Each tool is called through [`Sandbox::call`], and through wasmtime alone: the same
//! component, the same image, the same export, nothing of holm around it. They take turns
//! in one run, and what counts is this thread's CPU time, so that the ratio holds whatever
//! else the machine does meanwhile: there is nothing in these calls that waits.
//!
//! wasmtime alone is measured twice: with holm's pool of instances but without limits and
//! fibers, which is the least that a call in an instance of its own can cost, and as it
//! comes by default.

mod common;

use common::{Clock, Failed, row};
use holm::egress::Journal;
use holm::grants::{Rule, RuleSet};
use holm::limits::Limits;
use holm::sandbox::{
    CallRequest, Capabilities, Code, Grants, LoadRequest, NestedCalls, NoNestedCalls, Sandbox,
    SandboxOptions,
};
use http_body_util::BodyExt as _;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::component::{Component, HasData, Linker};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Store,
};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::p2::bindings::{clocks, random};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::{ResourceTable, WasiCtx, WasiCtxView, WasiView};

#[allow(missing_docs, unreachable_pub, clippy::all)]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "base",
        with: {
            "wasi:clocks": wasmtime_wasi::p2::bindings::clocks,
            "wasi:random": wasmtime_wasi::p2::bindings::random,
            "wasi:io": wasmtime_wasi::p2::bindings::sync::io,
        },
    });
}

use bindings::exports::holm::tool::guest::{Capabilities as Imported, Settings};
use bindings::{Base, BasePre};

/// One request, and what the server said.
const FETCH: &str = include_str!("../../tests/workloads/fetch.scm");
const BODY: &str = "a small answer";

/// Calls of each kind that count.
const ROUNDS: usize = 2000;
/// Calls before that, so that pools are filled and pages are there.
const WARM_UP: usize = 100;
const FILE: &str = "/tools/bench.scm";

/// A tool file and one call of it.
struct Case {
    name: &'static str,
    source: &'static str,
    arguments: &'static str,
}

const CASES: [Case; 3] = [
    Case {
        name: "trivial tool",
        source: include_str!("../../tests/workloads/trivial.scm"),
        arguments: "{}",
    },
    Case {
        name: "180 lines",
        source: include_str!("../../tests/workloads/long.scm"),
        arguments: r#"{"text":"a few words, as a model would send them"}"#,
    },
    Case {
        name: "30 KB of JSON, there and back",
        source: include_str!("../../tests/workloads/echo.scm"),
        arguments: include_str!("../../tests/workloads/search.json"),
    },
];

// --- wasmtime alone ---

struct Host {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl bindings::holm::tool::harness::Host for Host {
    fn call_tool(&mut self, _: String, _: String) -> Result<String, String> {
        Err("no other tools".to_owned())
    }

    fn call_tool_value(&mut self, _: String, _: String) -> Result<String, String> {
        Err("no other tools".to_owned())
    }

    fn steps_left(&mut self, left: u64) -> u64 {
        left
    }

    fn request_refused(&mut self, _: String, _: String, _: Option<String>) {}

    fn variable_missing(&mut self, _: String) {}
}

struct HasHost;

impl HasData for HasHost {
    type Data<'a> = &'a mut Host;
}

/// The component in an engine of its own.
struct Bare {
    engine: Engine,
    pre: BasePre<Host>,
}

/// The times of one call's parts.
#[derive(Default)]
struct Parts {
    store: Vec<Duration>,
    instantiate: Vec<Duration>,
    image: Vec<Duration>,
    call: Vec<Duration>,
    teardown: Vec<Duration>,
}

impl Bare {
    fn new(config: &Config, component: &[u8]) -> Result<Self, Failed> {
        let engine = Engine::new(config)?;
        let component = Component::from_binary(&engine, component)?;
        let mut linker = Linker::<Host>::new(&engine);
        clocks::wall_clock::add_to_linker::<Host, WasiClocks>(&mut linker, Host::clocks)?;
        clocks::monotonic_clock::add_to_linker::<Host, WasiClocks>(&mut linker, Host::clocks)?;
        random::random::add_to_linker::<Host, WasiRandom>(&mut linker, |host| {
            host.ctx().ctx.random()
        })?;
        bindings::holm::tool::harness::add_to_linker::<Host, HasHost>(&mut linker, |host| host)?;
        let pre = BasePre::new(linker.instantiate_pre(&component)?)?;
        Ok(Self { engine, pre })
    }

    fn store(&self) -> Store<Host> {
        let host = Host {
            wasi: WasiCtx::builder().build(),
            table: ResourceTable::new(),
        };
        Store::new(&self.engine, host)
    }

    /// The image of a tool file.
    fn load(&self, source: &str) -> Result<Vec<u8>, Failed> {
        let mut store = self.store();
        let instance = self.pre.instantiate(&mut store)?;
        let guest = instance.holm_tool_guest();
        match guest.call_load(&mut store, source, &settings())? {
            Ok(loaded) => Ok(loaded.image),
            Err(problem) => Err(problem.message.into()),
        }
    }

    /// One call from nothing to nothing.
    fn call(&self, image: &[u8], case: &Case, settings: &Settings) -> Result<usize, Failed> {
        let mut store = self.store();
        let instance = self.pre.instantiate(&mut store)?;
        enter(&instance, &mut store, Some(image), "t", case, settings)
    }

    /// The same, with a clock between its parts. The image runs in an entry of its own
    /// that asks for no tool, and the tool in the next one.
    fn parts(
        &self,
        image: &[u8],
        case: &Case,
        settings: &Settings,
        parts: &mut Parts,
    ) -> Result<(), Failed> {
        let mut clock = Clock::start();
        let mut lap = || clock.lap();
        let mut store = self.store();
        parts.store.push(lap());
        let instance = self.pre.instantiate(&mut store)?;
        parts.instantiate.push(lap());
        let nothing = enter(&instance, &mut store, Some(image), "", case, settings);
        parts.image.push(lap());
        let length = enter(&instance, &mut store, None, "t", case, settings)?;
        parts.call.push(lap());
        drop(black_box(store));
        parts.teardown.push(lap());
        if nothing.is_ok() || length == 0 {
            return Err("the parts of a call are not what they were".into());
        }
        Ok(())
    }
}

fn enter(
    instance: &Base,
    store: &mut Store<Host>,
    image: Option<&[u8]>,
    tool: &str,
    case: &Case,
    settings: &Settings,
) -> Result<usize, Failed> {
    let guest = instance.holm_tool_guest();
    let image = image.map(<[u8]>::to_vec);
    match guest.call_call(store, image.as_deref(), tool, case.arguments, "", settings)? {
        Ok(outcome) if outcome.failure.is_none() => Ok(outcome.result.len()),
        Ok(outcome) => Err(outcome.result.into()),
        Err(problem) => Err(problem.message.into()),
    }
}

fn settings() -> Settings {
    let limits = Limits::default();
    Settings {
        file: FILE.to_owned(),
        steps: limits.steps,
        unrestricted: false,
        capabilities: Imported::HARNESS,
        output_limit: limits.output,
    }
}

fn pooled() -> Config {
    let mut config = Config::new();
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(4)
        .total_core_instances(16)
        .total_memories(4)
        .total_tables(16)
        .linear_memory_keep_resident(4 << 20)
        .table_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    config
}

// --- numbers ---

/// Pages that the system had to find for this process so far.
fn faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let field = after_name.split_whitespace().nth(7);
    field.and_then(|field| field.parse().ok()).unwrap_or(0)
}

async fn measure(case: &Case, sandbox: &Sandbox, pool: &Bare, plain: &Bare) -> Result<(), Failed> {
    let image = pool.load(case.source)?;
    let settings = settings();
    let (grants, limits) = (Grants::default(), Limits::default());
    let request = LoadRequest {
        code: Code::Scheme(case.source),
        file: FILE,
        unrestricted: false,
        grants: &grants,
        limits: &limits,
    };
    let loaded = sandbox.load(request).await?;
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    let journal = Journal::new();
    let request = CallRequest {
        image: &loaded.image,
        file: FILE,
        tool: "t",
        arguments: case.arguments,
        context_name: "",
        unrestricted: false,
        grants: &grants,
        limits: &limits,
        nested: &nested,
        principal: "bench",
        budget: None,
        journal: &journal,
    };

    let (mut with_holm, mut with_pool, mut with_plain) = (Vec::new(), Vec::new(), Vec::new());
    let mut parts = Parts::default();
    let mut touched = 0;
    let mut usage = None;
    for round in 0..WARM_UP + ROUNDS {
        if round == WARM_UP {
            (with_holm, with_pool, with_plain) = Default::default();
            parts = Parts::default();
            touched = 0;
        }
        let mut clock = Clock::start();
        let outcome = sandbox.call(request).await?;
        with_holm.push(clock.lap());
        if outcome.failure.is_some() || outcome.limit.is_some() {
            return Err(outcome.result.into());
        }
        usage = Some(outcome.usage);

        let mut clock = Clock::start();
        black_box(pool.call(&image, case, &settings)?);
        with_pool.push(clock.lap());

        // Its memory is new each time, so that every page that it touches is a fault.
        let before = faults();
        let mut clock = Clock::start();
        black_box(plain.call(&image, case, &settings)?);
        with_plain.push(clock.lap());
        touched += faults() - before;

        pool.parts(&image, case, &settings, &mut parts)?;
    }

    println!(
        "\n{}: {} lines, image of {} bytes, {} bytes of arguments",
        case.name,
        case.source.lines().count(),
        image.len(),
        case.arguments.len()
    );
    if let Some(usage) = usage {
        println!(
            "  {} steps, {} KiB of memory, {} pages touched",
            usage.steps,
            usage.memory >> 10,
            touched / ROUNDS as u64
        );
    }
    println!("  {:<44}{:>14}{:>14}", "", "p50", "p99");
    let base = row("wasmtime, pooled", &mut with_pool, None);
    row("holm", &mut with_holm, Some(base));
    row("wasmtime, default", &mut with_plain, Some(base));
    for (name, times) in [
        ("  part: store", &mut parts.store),
        ("  part: instantiate", &mut parts.instantiate),
        ("  part: image", &mut parts.image),
        ("  part: arguments and call", &mut parts.call),
        ("  part: teardown", &mut parts.teardown),
    ] {
        row(name, times, Some(base));
    }
    Ok(())
}

// --- a call with a request in it ---

/// Answers every request on every connection, until the process ends.
fn serve(listener: std::net::TcpListener) {
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || {
            drop(stream.set_nodelay(true));
            let Ok(mut writer) = stream.try_clone() else {
                return;
            };
            let mut reader = BufReader::new(stream);
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{BODY}",
                BODY.len()
            );
            let mut line = String::new();
            // A GET ends with an empty line.
            while reader.read_line(&mut line).is_ok_and(|n| n > 0) {
                if line == "\r\n" && writer.write_all(answer.as_bytes()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
}

/// A tool that makes one request, and the same request by the HTTP library that holm uses, on a
/// connection that is kept as holm keeps its own.
async fn measure_request(sandbox: &Sandbox) -> Result<(), Failed> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || serve(listener));

    let rule: Rule = format!("http://{address}/").parse()?;
    let grants = Grants {
        rules: Arc::new(RuleSet::new(vec![rule])),
        capabilities: Capabilities {
            http: true,
            environment: false,
        },
        ..Grants::default()
    };
    let limits = Limits::default();
    let request = LoadRequest {
        code: Code::Scheme(FETCH),
        file: FILE,
        unrestricted: false,
        grants: &grants,
        limits: &limits,
    };
    let loaded = sandbox.load(request).await?;
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    let journal = Journal::new();
    let arguments = format!(r#"{{"url":"http://{address}/item"}}"#);
    let refused = r#"{"url":"http://127.0.0.1:1/item"}"#;
    let request = CallRequest {
        image: &loaded.image,
        file: FILE,
        tool: "t",
        arguments: &arguments,
        context_name: "",
        unrestricted: false,
        grants: &grants,
        limits: &limits,
        nested: &nested,
        principal: "bench",
        budget: None,
        journal: &journal,
    };

    let stream = tokio::net::TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut connection, driver) =
        hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream)).await?;
    tokio::spawn(driver);

    let (mut alone, mut with_holm) = <(Both, Both)>::default();
    let (mut without, mut denied) = <(Both, Both)>::default();
    for round in 0..WARM_UP + ROUNDS {
        if round == WARM_UP {
            (alone, with_holm, without, denied) = Default::default();
        }
        let get = http::Request::get("/item")
            .header("host", address.to_string())
            .body(http_body_util::Empty::<bytes::Bytes>::new())?;
        let body = alone.time(async {
            connection.ready().await?;
            let answer = connection.send_request(get).await?;
            Ok::<_, hyper::Error>(answer.into_body().collect().await?.to_bytes())
        });
        if body.await? != BODY {
            return Err("not the body that was served".into());
        }

        for (times, arguments, result) in [
            (&mut with_holm, arguments.as_str(), BODY),
            (&mut without, "{}", "nothing"),
            (&mut denied, refused, "refused"),
        ] {
            // One of its own, as each call from outside has: it notes what was refused.
            let journal = Journal::new();
            let call = sandbox.call(CallRequest {
                arguments,
                journal: &journal,
                ..request
            });
            let outcome = times.time(call).await?;
            if outcome.result != result {
                return Err(outcome.result.into());
            }
        }
    }
    type Times = fn(&mut Both) -> &mut Vec<Duration>;
    let clocks: [(&str, Times); 2] = [
        ("wall clock", |both| &mut both.wall),
        ("CPU time of the calling thread", |both| &mut both.cpu),
    ];
    for (clock, times) in clocks {
        println!("\none HTTP request to loopback, {clock}");
        println!("  {:<44}{:>14}{:>14}", "", "p50", "p99");
        let base = row("the request alone", times(&mut alone), None);
        row("holm", times(&mut with_holm), Some(base));
        for (name, both) in [
            ("  the same call without a request", &mut without),
            ("  with one that is refused", &mut denied),
        ] {
            row(name, times(both), Some(base));
        }
    }
    Ok(())
}

/// What was timed by both clocks: waiting for a server costs no CPU time.
#[derive(Default)]
struct Both {
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
}

impl Both {
    async fn time<T>(&mut self, work: impl Future<Output = T>) -> T {
        let (start, mut clock) = (Instant::now(), Clock::start());
        let done = work.await;
        self.cpu.push(clock.lap());
        self.wall.push(start.elapsed());
        done
    }
}

fn main() -> Result<(), Failed> {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR"))),
        ..SandboxOptions::default()
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // `cargo bench -p holm --bench call -- request` measures the request alone.
    if std::env::args().all(|argument| argument != "request") {
        let component = Sandbox::component_bytes(Capabilities::default())?;
        let pool = Bare::new(&pooled(), &component)?;
        let plain = Bare::new(&Config::new(), &component)?;
        for case in CASES {
            runtime.block_on(measure(&case, &sandbox, &pool, &plain))?;
        }
    }
    runtime.block_on(measure_request(&sandbox))
}
