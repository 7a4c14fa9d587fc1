//! The guest's second interface, `session`: evaluating text, running hooks, and values that go on
//! to another tool.

use super::bindings::exports::holm::tool::guest as wit;
use super::host::Host;
use super::types::{Evaluation, Outcome};
use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, ComponentType, Instance, Lift, Lower,
};
use wasmtime::{Result, Store};

/// The interface, as `wit/world.wit` has it.
const INTERFACE: &str = "holm:tool/session@0.1.0";

/// Where a component exports the interface's functions.
#[derive(Clone, Copy)]
pub(super) struct SessionExports {
    evaluate: ComponentExportIndex,
    is_complete: ComponentExportIndex,
    call_for_value: ComponentExportIndex,
    run_hook: ComponentExportIndex,
}

/// What a text gave, as the interface has it.
#[derive(Debug, Clone, ComponentType, Lift)]
#[component(record)]
pub(super) struct Evaluated {
    value: Option<String>,
    exit: Option<i32>,
    stdout: String,
    stderr: String,
    failure: Option<wit::Problem>,
    #[component(name = "steps-used")]
    steps_used: u64,
}

/// What an entry gives, or what the guest could not do.
pub(super) type Said<T> = Result<Result<T, wit::Problem>>;

impl SessionExports {
    /// The exports, if the component has all of them.
    pub(super) fn find(component: &Component) -> Option<Self> {
        let interface = component.get_export_index(None, INTERFACE)?;
        let find = |name: &str| component.get_export_index(Some(&interface), name);
        Some(Self {
            evaluate: find("evaluate")?,
            is_complete: find("is-complete")?,
            call_for_value: find("call-for-value")?,
            run_hook: find("run-hook")?,
        })
    }

    pub(super) async fn evaluate(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
        source: &str,
        context_name: &str,
        settings: &wit::Settings,
    ) -> Said<Evaluated> {
        let parameters = (source, context_name, settings);
        enter(store, instance, self.evaluate, parameters).await
    }

    pub(super) async fn is_complete(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
        source: &str,
        settings: &wit::Settings,
    ) -> Said<bool> {
        enter(store, instance, self.is_complete, (source, settings)).await
    }

    pub(super) async fn call_for_value(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
        image: Option<&[u8]>,
        (tool, arguments, context_name): (&str, &str, &str),
        settings: &wit::Settings,
    ) -> Said<wit::Outcome> {
        let parameters = (image, tool, arguments, context_name, settings);
        enter(store, instance, self.call_for_value, parameters).await
    }

    pub(super) async fn run_hook(
        &self,
        store: &mut Store<Host>,
        instance: &Instance,
        image: Option<&[u8]>,
        (hook, payload): (&str, &str),
        settings: &wit::Settings,
    ) -> Said<wit::Outcome> {
        let parameters = (image, hook, payload, settings);
        enter(store, instance, self.run_hook, parameters).await
    }
}

/// Calls one function of the interface.
async fn enter<P, T>(
    store: &mut Store<Host>,
    instance: &Instance,
    function: ComponentExportIndex,
    parameters: P,
) -> Said<T>
where
    P: ComponentNamedList + Lower + Send + Sync,
    T: Lift + ComponentType + Send + Sync + 'static,
{
    let function = instance
        .get_typed_func::<P, (std::result::Result<T, wit::Problem>,)>(&mut *store, function)?;
    let (said,) = function.call_async(&mut *store, parameters).await?;
    Ok(said)
}

impl Evaluated {
    /// Takes apart what is judged like the outcome of a call, and what is not.
    pub(super) fn split(self) -> (wit::Outcome, bool, Option<i32>) {
        let has_value = self.value.is_some();
        let outcome = wit::Outcome {
            result: self.value.unwrap_or_default(),
            stdout: self.stdout,
            stderr: self.stderr,
            failure: self.failure,
            steps_used: self.steps_used,
        };
        (outcome, has_value, self.exit)
    }
}

impl Evaluation {
    /// An evaluation whose outcome has been judged.
    pub(super) fn new(outcome: Outcome, has_value: bool, exit: Option<i32>) -> Self {
        let ended_well = outcome.failure.is_none() && outcome.limit.is_none();
        Self {
            value: (has_value && ended_well).then(|| outcome.result.clone()),
            exit: exit.filter(|_| ended_well),
            outcome,
        }
    }
}
