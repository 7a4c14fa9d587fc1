//! What a call sees of the machine and of other calls.

use std::sync::Arc;

use holm::config::Config;
use holm::permissions::AllowAll;
use holm::registry::{Answer, Call, CallError, Principal, Registry, scan_files};
use holm::sandbox::{Sandbox, SandboxOptions};

use crate::project::{Project, cache, result, tools};

/// The tools of some of the tests' files, in this process.
pub(crate) fn registry(
    runtime: &tokio::runtime::Runtime,
    config: &str,
    files: &[&str],
) -> Arc<Registry> {
    let config = Config::parse("holm.toml", config, &tools()).unwrap();
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(cache()),
        ..SandboxOptions::default()
    })
    .unwrap();
    let files: Vec<_> = files.iter().map(|file| tools().join(file)).collect();
    let registry = runtime.block_on(Registry::load(&config, scan_files(&[], &files), sandbox));
    assert!(
        registry.diagnostics().iter().all(|one| !one.is_error()),
        "{:#?}",
        registry.diagnostics()
    );
    Arc::new(registry)
}

/// Calls a tool in this process.
pub(crate) fn call(
    runtime: &tokio::runtime::Runtime,
    registry: &Arc<Registry>,
    tool: &str,
) -> Result<Answer, CallError> {
    let policy = everything(registry);
    let call = Call::new(Principal::new("tests"), Arc::clone(&policy)).approver(Arc::new(AllowAll));
    let tool = registry.find(&policy, tool).unwrap();
    runtime.block_on(registry.call(tool, &serde_json::Map::new(), &call))
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
}

#[test]
fn variables_are_visible_by_name_only() {
    let mut project = Project::with_config(
        "[tools.env]\n\"/tools/shared/environment.scm\" = [\"GRANTED\", \"GRANTED_BUT_UNSET\"]\n",
    );
    project.add_tool("environment.scm");
    project.set("GRANTED", "yes").set("UNGRANTED", "no");
    project
        .holm(&["call", "environment"])
        .exits(0)
        .prints(&result("(\"yes\" #f #f #f \"true\")"));
}

#[test]
fn without_any_grant_the_sandbox_marker_is_all_there_is() {
    let mut project = Project::with_config("");
    project.add_tool("environment.scm");
    project.set("GRANTED", "yes");
    project
        .holm(&["call", "environment"])
        .exits(0)
        .prints(&result("(#f #f #f #f \"true\")"));
}

#[test]
fn every_call_starts_from_the_file() {
    let runtime = runtime();
    let registry = registry(&runtime, "", &["counter.scm"]);
    for (tool, expected) in [
        ("count", "1"),
        ("count", "1"),
        ("count_twice", "2"),
        ("count", "1"),
    ] {
        let answer = call(&runtime, &registry, tool).unwrap();
        assert_eq!(answer.outcome.result, expected);
    }
}

/// A policy that permits everything that anybody may reach.
pub(crate) fn everything(registry: &Registry) -> Arc<holm::policy::ToolPolicy> {
    let config = Config::default();
    Arc::new(registry.policy_before_hooks(&config, "local", None))
}
