//! How many instructions the guest needs for fixed work: the one cost of a call that is the same
//! on every machine, so that a change of it is a change of the guest and no noise.

use super::super::bindings::BasePre;
use super::super::bindings::exports::holm::tool::guest::Settings;
use super::super::host::Host;
use super::super::{convert, linker};
use super::*;
use crate::egress::{Phase, Reports};
use crate::limits::Budget;
use std::fmt::Write as _;
use wasmtime::component::Component;
use wasmtime::{Config, Engine, OptLevel, Store};

/// Per cent that a count may be over the recorded one.
const TOLERANCE: u64 = 1;

/// Name, tool file and arguments.
const WORKLOADS: [(&str, &str, &str); 4] = [
    (
        "trivial",
        include_str!("../../../../tests/workloads/trivial.scm"),
        "{}",
    ),
    (
        "long",
        include_str!("../../../../tests/workloads/long.scm"),
        r#"{"text":"a few words, as a model would send them"}"#,
    ),
    (
        "json",
        include_str!("../../../../tests/workloads/echo.scm"),
        include_str!("../../../../tests/workloads/search.json"),
    ),
    // Could make requests, and makes none: what the library costs that it imports.
    (
        "request",
        include_str!("../../../../tests/workloads/fetch.scm"),
        "{}",
    ),
];

/// The guest in an engine that counts.
struct Counting {
    engine: Engine,
    pre: BasePre<Host>,
    settings: Settings,
}

impl Counting {
    fn new() -> Self {
        let mut config = Config::new();
        // Instructions of wasm are counted, whatever becomes of them.
        config
            .consume_fuel(true)
            .cranelift_opt_level(OptLevel::None)
            .concurrency_support(false);
        let engine = Engine::new(&config).unwrap();
        let capabilities = Capabilities {
            http: true,
            environment: false,
        };
        let bytes = Sandbox::component_bytes(capabilities).unwrap();
        let component = Component::from_binary(&engine, &bytes).unwrap();
        let linker = linker::linker(&engine, capabilities).unwrap();
        let pre = BasePre::new(linker.instantiate_pre(&component).unwrap()).unwrap();
        Self {
            engine,
            pre,
            settings: convert::settings(FILE, false, capabilities, &Limits::default()),
        }
    }

    fn store(&self) -> Store<Host> {
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let host = Host::new(
            &Grants::default(),
            &limits,
            None,
            Arc::new(NoNestedCalls),
            Reports {
                tool: FILE.to_owned(),
                rules: Arc::default(),
                variables: Vec::new(),
                phase: Phase::Call,
                journal: Journal::new(),
            },
            budget,
        );
        let mut store = Store::new(&self.engine, host);
        store.set_fuel(u64::MAX).unwrap();
        store
    }

    /// The image of a file, and what loading it took.
    async fn load(&self, source: &str) -> (Vec<u8>, u64) {
        let mut store = self.store();
        let instance = self.pre.instantiate_async(&mut store).await.unwrap();
        let guest = instance.holm_tool_guest();
        let loaded = guest.call_load(&mut store, source, &self.settings).await;
        let image = loaded.unwrap().unwrap().image;
        (image, u64::MAX - store.get_fuel().unwrap())
    }

    /// What one call in an instance of its own took.
    async fn call(&self, image: &[u8], arguments: &str) -> u64 {
        let mut store = self.store();
        let instance = self.pre.instantiate_async(&mut store).await.unwrap();
        let guest = instance.holm_tool_guest();
        let outcome = guest
            .call_call(&mut store, Some(image), "t", arguments, "", &self.settings)
            .await;
        let outcome = outcome.unwrap().unwrap();
        assert!(outcome.failure.is_none(), "{}", outcome.result);
        u64::MAX - store.get_fuel().unwrap()
    }
}

/// The counts as the file has them: a name and a number in each line.
fn recorded(text: &str) -> Vec<(String, u64)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, count) = line.split_once('\t').unwrap();
            (name.to_owned(), count.parse().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn a_call_takes_no_more_instructions_than_it_did() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/workloads/instructions.txt");
    let counting = Counting::new();
    let mut counts = Vec::new();
    for (name, source, arguments) in WORKLOADS {
        let (image, load) = counting.load(source).await;
        counts.push((format!("{name}: load"), load));
        let (first, second) = (
            counting.call(&image, arguments).await,
            counting.call(&image, arguments).await,
        );
        // Nothing that the guest does may depend on the time or on randomness here.
        assert_eq!(first, second, "{name}: two calls, two counts");
        counts.push((format!("{name}: call"), first));
    }
    if std::env::var_os("HOLM_BLESS").is_some() {
        let mut text = String::from(
            "# wasm instructions of the guest; `HOLM_BLESS=1 cargo test -p holm --lib instructions` writes them anew\n",
        );
        for (name, count) in &counts {
            writeln!(text, "{name}\t{count}").unwrap();
        }
        std::fs::write(path, text).unwrap();
        return;
    }
    let before = recorded(&std::fs::read_to_string(path).unwrap());
    assert_eq!(before.len(), counts.len());
    for ((name, count), (recorded_name, recorded)) in counts.iter().zip(&before) {
        assert_eq!(name, recorded_name);
        assert!(
            *count <= recorded + recorded * TOLERANCE / 100,
            "{name}: {count} instructions, {recorded} before; if that is worth it, record it with HOLM_BLESS=1"
        );
    }
}
