//! Components as built, read by `wit-component` and run by plain wasmtime.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use wasmtime::component::{Component, Instance, Linker, Val};
use wasmtime::{Engine, Store};
use wasmtime_wasi::{ResourceTable, WasiCtx, WasiCtxView, WasiView};

use super::*;
use crate::config::Config;
use crate::registry::{Found, Registry, Source};
use crate::sandbox::{Sandbox, SandboxOptions};

const GREET: &str = r#"
(define tool-name "greet")
(define tool-description "Greets someone")
(define tool-parameters '((name (type . "string") (description . "whom"))))
(define greeting (string-append "Hello, " ""))
(define count 0)
(define (tool-execute args)
  (set! count (+ count 1))
  (string-append greeting (cdr (assoc "name" args)) (make-string count #\!)))
"#;

/// Every type of parameter, in a file whose top level asks for the time.
const TYPES: &str = r#"
(import (scheme time))
(define started (current-second))
(define (show args) (let ((port (open-output-string))) (write args port) (get-output-string port)))
(define-tool all_types
  (description "Shows its arguments")
  (parameters
    '((a (type . "string")) (b (type . "integer")) (c (type . "number")) (d (type . "boolean"))
      (e (type . "array") (items (type . "string"))) (f (type . "array") (items (type . "integer")))
      (g (type . "array") (items (type . "number"))) (h (type . "array") (items (type . "boolean")))
      (i (type . "object"))
      (o1 (type . "string") (required . #f)) (o2 (type . "integer") (required . #f))
      (o3 (type . "boolean") (required . #f))))
  (execute (lambda (args) (if (> started 0) (show args) (error "no time")))))
(define-tool few
  (description "Shows two")
  (parameters '((x (type . "number") (required . #f)) (y (type . "boolean") (required . #f))))
  (execute (lambda (args) (show args))))
(define-tool fail
  (description "Fails")
  (parameters '())
  (execute (lambda (args) (error "it did" 42))))
"#;

fn config(text: &str) -> Config {
    Config::parse("holm.toml", text, Path::new("/")).unwrap()
}

/// Loads a file with the real guest.
fn load(source: &str, configuration: &str) -> Registry {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/test-cache")),
        ..SandboxOptions::default()
    })
    .unwrap();
    let found = Found {
        sources: vec![Source {
            path: "/tools/a_file.scm".to_owned(),
            origin: "a_file.scm".to_owned(),
            text: source.to_owned(),
            component: None,
        }],
        ..Found::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let config = config(configuration);
    let registry = runtime.block_on(Registry::load(&config, found, sandbox));
    assert!(
        registry.diagnostics().iter().all(|d| !d.is_error()),
        "{:?}",
        registry.diagnostics()
    );
    registry
}

/// Building compiles the guest, so each file is built once for all tests.
static GREET_BUILT: LazyLock<Built> = LazyLock::new(|| built(GREET, "", Options::default()));
static TYPES_BUILT: LazyLock<Built> = LazyLock::new(|| built(TYPES, "", Options::default()));

fn built(source: &str, configuration: &str, options: Options) -> Built {
    let registry = load(source, configuration);
    let tools: Vec<&Tool> = registry.tools_of(0).collect();
    build(&registry.files()[0], &tools, options).unwrap()
}

struct Plain {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Plain {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

/// An instance in a host that has WASI and knows nothing of holm.
fn plain(wasm: &[u8]) -> (Store<Plain>, Instance) {
    let mut config = wasmtime::Config::new();
    config.cranelift_opt_level(wasmtime::OptLevel::None);
    let engine = Engine::new(&config).unwrap();
    let component = Component::from_binary(&engine, wasm).unwrap();
    let mut linker = Linker::new(&engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker).unwrap();
    let plain = Plain {
        wasi: WasiCtx::builder().build(),
        table: ResourceTable::new(),
    };
    let mut store = Store::new(&engine, plain);
    let instance = linker.instantiate(&mut store, &component).unwrap();
    (store, instance)
}

fn call(
    store: &mut Store<Plain>,
    instance: &Instance,
    name: &str,
    arguments: &[Val],
) -> Result<String, String> {
    let function = instance.get_func(&mut *store, name).unwrap();
    let mut results = [Val::Bool(false)];
    function.call(&mut *store, arguments, &mut results).unwrap();
    let Val::Result(result) = &results[0] else {
        panic!("{results:?}");
    };
    let text = |value: &Option<Box<Val>>| match value.as_deref() {
        Some(Val::String(text)) => text.clone(),
        other => panic!("{other:?}"),
    };
    match result {
        Ok(value) => Ok(text(value)),
        Err(value) => Err(text(value)),
    }
}

#[test]
fn a_host_that_knows_nothing_of_holm_calls_a_tool() {
    let built = &*GREET_BUILT;
    assert!(built.section.initialised);
    let (mut store, instance) = plain(&built.wasm);
    let ada = [Val::String("Ada".to_owned())];
    let mut greet = || call(&mut store, &instance, "greet", &ada);
    assert_eq!(greet(), Ok("Hello, Ada!".to_owned()));
    // The instance is the host's, and so is the choice to keep it.
    assert_eq!(greet(), Ok("Hello, Ada!!".to_owned()));
    let (mut store, instance) = plain(&built.wasm);
    let long = "é".repeat(100_000);
    let answer = call(&mut store, &instance, "greet", &[Val::String(long.clone())]);
    assert_eq!(answer, Ok(format!("Hello, {long}!")));
}

#[test]
fn every_type_arrives() {
    let built = &*TYPES_BUILT;
    // It asks for the time, which a build must not keep.
    assert!(!built.section.initialised);
    let (mut store, instance) = plain(&built.wasm);
    let text = |s: &str| Val::String(s.to_owned());
    let some = |v: Val| Val::Option(Some(Box::new(v)));
    let list = Val::List;
    let answer = call(
        &mut store,
        &instance,
        "all-types",
        &[
            text("ä"),
            Val::S64(i64::MIN),
            Val::Float64(1.5),
            Val::Bool(true),
            list(vec![text(""), text("xyz")]),
            list(vec![Val::S64(-1), Val::S64(2)]),
            list(vec![Val::Float64(0.25)]),
            list(vec![Val::Bool(false), Val::Bool(true), Val::Bool(true)]),
            text(r#"{"k":[1,null]}"#),
            Val::Option(None),
            some(Val::S64(7)),
            some(Val::Bool(false)),
        ],
    );
    assert_eq!(
        answer.unwrap(),
        r#"(("a" . "ä") ("b" . -9223372036854775808) ("c" . 1.5) ("d" . #t) ("e" "" "xyz") ("f" -1 2) ("g" 0.25) ("h" #f #t #t) ("i" ("k" 1 null)) ("o2" . 7) ("o3" . #f))"#
    );
    let nothing = [Val::Option(None), Val::Option(None)];
    assert_eq!(
        call(&mut store, &instance, "few", &nothing),
        Ok("()".to_owned())
    );
    let both = [some(Val::Float64(-0.5)), some(Val::Bool(true))];
    assert_eq!(
        call(&mut store, &instance, "few", &both),
        Ok(r#"(("x" . -0.5) ("y" . #t))"#.to_owned())
    );
    let error = call(&mut store, &instance, "fail", &[]).unwrap_err();
    assert_eq!(error, "scheme evaluation error: it did: (42)");
}

/// The interfaces that a component may have without any grant.
const ALWAYS: [&str; 3] = [
    "wasi:clocks/wall-clock",
    "wasi:clocks/monotonic-clock",
    "wasi:random/random",
];
/// Those that an HTTP grant brings.
const WITH_HTTP: [&str; 5] = [
    "wasi:http/outgoing-handler",
    "wasi:http/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
];

/// Interfaces in a component, without versions.
fn interfaces(component: &[u8]) -> BTreeSet<String> {
    let imports = component_imports(component).unwrap();
    let bare = |name: &String| name.split('@').next().unwrap().to_owned();
    imports.keys().map(bare).collect()
}

#[test]
fn the_imports_are_the_grants() {
    for capabilities in Capabilities::ALL {
        for call_tool in [false, true] {
            let mut expected: BTreeSet<String> = ALWAYS.map(str::to_owned).into();
            if capabilities.http {
                expected.extend(WITH_HTTP.map(str::to_owned));
            }
            if capabilities.environment {
                expected.insert("wasi:cli/environment".to_owned());
            }
            if call_tool {
                expected.insert("holm:tool/harness".to_owned());
            }
            let core = Core::narrowed(capabilities, call_tool).unwrap();
            assert_eq!(interfaces(&core.component().unwrap()), expected);
        }
    }
    // And of whole builds, at both ends.
    let few = ALWAYS.map(str::to_owned).into();
    assert_eq!(interfaces(&GREET_BUILT.wasm), few);
    let everything = "[tools.http.allow]\n\"/tools\" = [\"https://a.example/\"]\n\
                      [tools.env]\n\"/tools\" = [\"KEY\"]\n";
    let all = built(GREET, everything, Options { call_tool: true });
    assert_eq!(interfaces(&all.wasm).len(), 3 + 5 + 2);
    assert_eq!(all.section.http_granted, ["https://a.example/"]);
    assert_eq!(all.section.environment, ["KEY"]);
    for import in component_imports(&all.wasm).unwrap().keys() {
        assert!(all.wit.contains(&format!("import {import};")), "{import}");
    }
}

#[test]
fn two_builds_agree() {
    let one = &*GREET_BUILT;
    let two = built(GREET, "", Options::default());
    assert!(one.wasm == two.wasm);
    assert_eq!(Section::read(&one.wasm), Ok(Some(one.section.clone())));
}

#[test]
fn the_world_is_what_the_component_has() {
    let built = &*TYPES_BUILT;
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    resolve.push_dir(folder).unwrap();
    let package = resolve.push_str("tool.wit", &built.wit).unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    let written: Vec<String> = resolve.worlds[world]
        .exports
        .keys()
        .map(|key| resolve.name_world_key(key))
        .collect();
    let decoded = wit_component::decode(&built.wasm).unwrap();
    let wit_component::DecodedWasm::Component(decoded, world) = decoded else {
        panic!("no component");
    };
    let mut exported: Vec<String> = decoded.worlds[world]
        .exports
        .keys()
        .map(|key| decoded.name_world_key(key))
        .collect();
    exported.sort();
    let mut written = written;
    written.sort();
    assert_eq!(written, exported);
    assert!(built.wit.contains(
        "export %few: func(%x: option<f64>, %y: option<bool>) -> result<string, string>;"
    ));
}

#[test]
fn a_top_level_that_fails_without_the_world_is_no_component() {
    // It reaches nothing, so there is nothing that could make it run later.
    let registry = load(GREET, "");
    let mut file = ToolFile::clone(&registry.files()[0]);
    let tools: Vec<&Tool> = registry.tools_of(0).collect();
    file.loaded.image = crate::sandbox::Image::from_bytes(vec![1, 2, 3]);
    assert!(build(&file, &tools, Options::default()).is_err());
}

#[test]
fn names_that_wit_cannot_tell_apart_are_an_error() {
    let two = r#"
(define-tool a_b (description "") (parameters '()) (execute (lambda (args) 1)))
(define-tool a-b (description "") (parameters '()) (execute (lambda (args) 2)))
"#;
    let registry = load(two, "");
    let tools: Vec<&Tool> = registry.tools_of(0).collect();
    let error = build(&registry.files()[0], &tools, Options::default()).unwrap_err();
    assert_eq!(
        error,
        "the tools `a_b` and `a-b` are both `a-b` in WIT: rename one of them"
    );
}

#[test]
fn sections_of_strangers_are_errors_or_nothing() {
    assert!(Section::read(b"not wasm").is_err());
    let plain = wasm_encoder::Component::new().finish();
    assert_eq!(Section::read(&plain), Ok(None));
    let with = |texts: &[&str]| {
        let mut component = wasm_encoder::Component::new();
        for text in texts {
            component.section(&wasm_encoder::CustomSection {
                name: SECTION.into(),
                data: text.as_bytes().into(),
            });
        }
        Section::read(&component.finish())
    };
    assert!(with(&["{}"]).is_err());
    assert!(with(&["not json"]).is_err());
    let good = serde_json::to_string(&Section::new()).unwrap();
    assert_eq!(with(&[&good]), Ok(Some(Section::new())));
    assert!(with(&[&good, &good]).is_err());
    let newer = good.replace("\"format\":1", "\"format\":2");
    assert!(with(&[&newer]).unwrap_err().contains("format 2"));
}
