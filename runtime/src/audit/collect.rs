//! From a registry to a report.

use super::findings;
use super::report::{
    Decision, Engine, EnvironmentReport, FileReport, Grant, HooksReport, HttpReport, LimitsReport,
    Report, ToolReport,
};
use super::used::Used;
use crate::config::{Config, Hook, State};
use crate::grants::{HostPattern, Rule};
use crate::limits::Limits;
use crate::registry::{HttpSource, Registry, Tool, ToolFile, Written};
use crate::sandbox::{Capabilities, Core, Imports, Sandbox, WASMTIME_VERSION, component_imports};

/// What an audit looks at beside the registry.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The configuration that the registry was loaded with.
    pub config: &'a Config,
    /// The skill whose view to take, by name.
    pub skill: Option<&'a str>,
    /// Whether a tool can be called, in that view.
    pub callable: &'a dyn Fn(&Tool) -> bool,
    /// What was reached so far, if there is a log of it.
    pub used: Option<&'a Used>,
}

/// Audits a registry.
///
/// # Errors
/// The guest in this build of holm is not what it should be.
pub fn audit(registry: &Registry, inputs: Inputs<'_>) -> Result<Report, String> {
    let imports = ComponentImports::read()?;
    let mut files = Vec::new();
    let mut found = Vec::new();
    for (index, file) in registry.files().iter().enumerate() {
        let tools: Vec<&Tool> = registry.tools_of(index).collect();
        let report = describe(file, &tools, &imports, inputs);
        found.extend(findings::of(&report, &file.grants.http));
        files.push(report);
    }
    // The worst first; within a severity, the order of the files.
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let callable = registry.all_tools().filter(|tool| (inputs.callable)(tool));
    Ok(Report {
        engine: Engine {
            holm: env!("CARGO_PKG_VERSION").to_owned(),
            guest_sha256: Core::sha256(),
            wasmtime: WASMTIME_VERSION.to_owned(),
        },
        skill: inputs.skill.map(str::to_owned),
        private_ranges: inputs
            .config
            .private
            .iter()
            .map(ToString::to_string)
            .collect(),
        callable: callable.map(|tool| tool.name.clone()).collect(),
        files,
        findings: found,
    })
}

/// Imports of the components that a sandbox instantiates, one per set of capabilities.
struct ComponentImports([(Capabilities, Imports); 4]);

impl ComponentImports {
    fn read() -> Result<Self, String> {
        let mut all = Capabilities::ALL.map(|capabilities| (capabilities, Imports::new()));
        for (capabilities, imports) in &mut all {
            let bytes = Sandbox::component_bytes(*capabilities).map_err(|e| e.to_string())?;
            *imports = component_imports(&bytes)?;
        }
        Ok(Self(all))
    }

    fn of(&self, capabilities: Capabilities) -> Imports {
        let found = self.0.iter().find(|(known, _)| *known == capabilities);
        found
            .map(|(_, imports)| imports.clone())
            .unwrap_or_default()
    }
}

fn describe(
    file: &ToolFile,
    tools: &[&Tool],
    imports: &ComponentImports,
    inputs: Inputs<'_>,
) -> FileReport {
    let path = &file.source.path;
    let tools_config = &inputs.config.tools;
    let grants = &file.grants;
    let manifest = &file.loaded.manifest;
    let imports = match &file.source.component {
        // What it imports is what it says, and it is instantiated only if that is granted.
        Some(component) => component_imports(component.provided.bytes()).unwrap_or_default(),
        None => imports.of(grants.for_instance().capabilities),
    };
    FileReport {
        file: file.source.origin.clone(),
        path: file.source.path.clone(),
        sha256: file.digest.clone(),
        tier: grants.tier.number(),
        calls_tools: imports
            .keys()
            .any(|name| name.starts_with("holm:tool/harness")),
        imports,
        http: HttpReport {
            granted: grants.http.iter().map(Grant::of).collect(),
            declared: manifest.http_allow.clone(),
            decided_by: match &grants.http_source {
                HttpSource::Listed(written) | HttpSource::Declared(Some(written)) => {
                    Some(Decision::of(written))
                }
                HttpSource::Declared(None) => Some(Decision {
                    key: "tools.http.trust-declared".to_owned(),
                    file: None,
                    line: None,
                    column: None,
                }),
                HttpSource::Nothing => None,
            },
            trusts_declaration: grants.trusts_declaration(),
            used: inputs.used.map(|used| used.of(&file.source.path)),
        },
        environment: EnvironmentReport {
            granted: grants.environment.clone(),
            decided_by: grants.environment_key.as_ref().map(Decision::of),
        },
        limits: LimitsReport::of(&grants.limits),
        state: match tools_config.state.resolve(path).map(|entry| entry.value) {
            Some(State::Context) => "context",
            Some(State::Fresh) | None => "fresh",
        }
        .to_owned(),
        hooks: HooksReport {
            registered: manifest.hooks.clone(),
            active: active_hooks(inputs.config, file),
        },
        tools: tools
            .iter()
            .map(|tool| ToolReport {
                name: tool.name.clone(),
                category: tool.category.as_str().to_owned(),
                summary_params: tool.summary_params.clone(),
                permission: inputs.config.permissions.usual(&tool.name, tool.category),
                callable: (inputs.callable)(tool),
            })
            .collect(),
    }
}

/// Hooks that a file registers and the operator lets run.
fn active_hooks(config: &Config, file: &ToolFile) -> Vec<String> {
    let listed = config.tools.hooks.resolve(&file.source.path);
    let listed = listed
        .map(|entry| entry.value.as_slice())
        .unwrap_or_default();
    let registered = file.loaded.manifest.hooks.iter();
    registered
        .filter(|name| Hook::named(name).is_some_and(|hook| listed.contains(&hook)))
        .cloned()
        .collect()
}

impl Grant {
    fn of(rule: &Rule) -> Self {
        Self {
            prefix: rule.to_string(),
            methods: rule
                .methods()
                .map(|methods| methods.map(str::to_owned).collect()),
            whole_origin: rule.covers_whole_origin(),
            wildcard_host: matches!(rule.host(), HostPattern::Below(_)),
        }
    }
}

impl Decision {
    fn of(written: &Written) -> Self {
        let position = written.place.position;
        Self {
            key: written.key.clone(),
            file: Some(written.place.file.clone()),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
        }
    }
}

impl LimitsReport {
    fn of(limits: &Limits) -> Self {
        let milliseconds =
            |d: std::time::Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
        Self {
            wall_ms: milliseconds(limits.wall),
            cpu_ms: milliseconds(limits.cpu),
            steps: limits.steps,
            memory: limits.memory,
            output: limits.output.into(),
            http_body: limits.http_body,
            http_send: limits.http_send,
            http_requests: limits.http_requests,
        }
    }
}
