//! The components that a sandbox instantiates: one per set of capabilities, made when
//! it is first needed and then shared by every call.

use super::bindings::{BaseIndices, BasePre};
use super::cache::{self, Cache};
use super::host::Host;
use super::session::SessionExports;
use super::types::{Capabilities, Progress, ProgressFn};
use super::{linker, variant};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The sources that decide what a component is made of, for the cache's key: changed
/// code must not find the old result.
const CODE: [&str; 2] = [include_str!("variant.rs"), include_str!("variants.rs")];

/// One component, linked and ready to instantiate.
pub(super) struct Variant {
    pub(super) component: Component,
    pub(super) pre: BasePre<Host>,
    /// What every guest exports.
    pub(super) indices: BaseIndices,
    /// What more there is to ask.
    pub(super) session: Option<SessionExports>,
}

/// All variants.
pub(super) struct Variants {
    engine: Engine,
    cache: Option<Cache>,
    progress: Option<ProgressFn>,
    made: [OnceLock<Arc<Variant>>; 4],
    /// Held while one is made, so that calls that start together compile once.
    making: Mutex<()>,
}

impl Variants {
    pub(super) fn new(engine: Engine, cache: Option<Cache>, progress: Option<ProgressFn>) -> Self {
        Self {
            engine,
            cache,
            progress,
            made: Default::default(),
            making: Mutex::new(()),
        }
    }

    /// Where the variant for these capabilities is once it is made.
    pub(super) fn slot(&self, capabilities: Capabilities) -> &OnceLock<Arc<Variant>> {
        let [none, environment, http, both] = &self.made;
        match (capabilities.http, capabilities.environment) {
            (false, false) => none,
            (false, true) => environment,
            (true, false) => http,
            (true, true) => both,
        }
    }

    /// The variant, if it is there already.
    pub(super) fn ready(&self, capabilities: Capabilities) -> Option<Arc<Variant>> {
        self.slot(capabilities).get().cloned()
    }

    /// The variant, made now if need be: this may compile for seconds.
    pub(super) fn get(&self, capabilities: Capabilities) -> wasmtime::Result<Arc<Variant>> {
        // A panic elsewhere left nothing half done: the slot is filled at the end.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = self.ready(capabilities) {
            return Ok(variant);
        }
        let component = self.component(capabilities)?;
        let linker = linker::linker(&self.engine, capabilities)?;
        let pre = linker.instantiate_pre(&component)?;
        let variant = Arc::new(Variant {
            indices: BaseIndices::new(&pre)?,
            session: SessionExports::find(&component),
            pre: BasePre::new(pre)?,
            component,
        });
        Ok(Arc::clone(self.slot(capabilities).get_or_init(|| variant)))
    }

    fn component(&self, capabilities: Capabilities) -> wasmtime::Result<Component> {
        let key = self.key(capabilities);
        if let Some(cache) = &self.cache {
            match cache.get(&self.engine, &key) {
                Ok(Some(component)) => return Ok(component),
                Ok(None) => {}
                Err(error) => self.report(Progress::CacheUnused(error.to_string())),
            }
        }
        self.report(Progress::Compiling(capabilities));
        let start = Instant::now();
        let wasm = variant::component(variant::CORE, capabilities)?;
        let component = Component::from_binary(&self.engine, &wasm)?;
        self.report(Progress::Compiled(capabilities, start.elapsed()));
        if let Some(cache) = &self.cache
            && let Err(error) = cache.put(&key, &component)
        {
            self.report(Progress::CacheUnused(error.to_string()));
        }
        Ok(component)
    }

    fn key(&self, capabilities: Capabilities) -> String {
        let [derive, link] = CODE;
        let parts = [variant::PROVENANCE, derive, link, &capabilities.to_string()];
        cache::key(&self.engine, &parts.map(str::as_bytes))
    }

    fn report(&self, progress: Progress) {
        if let Some(report) = &self.progress {
            report(progress);
        }
    }
}
