//! The components that a sandbox instantiates: one per set of capabilities, made when
//! it is first needed and then shared by every call.

use super::bindings::{BaseIndices, BasePre};
use super::cache::{self, Cache};
use super::host::Host;
use super::provided::Provided;
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

/// One variant per set of capabilities, once it is made.
#[derive(Default)]
pub(super) struct Made([OnceLock<Arc<Variant>>; 4]);

impl Made {
    /// Where the variant for these capabilities is.
    pub(super) fn slot(&self, capabilities: Capabilities) -> &OnceLock<Arc<Variant>> {
        let [none, environment, http, both] = &self.0;
        match (capabilities.http, capabilities.environment) {
            (false, false) => none,
            (false, true) => environment,
            (true, false) => http,
            (true, true) => both,
        }
    }
}

/// All variants.
pub(super) struct Variants {
    engine: Engine,
    cache: Option<Cache>,
    progress: Option<ProgressFn>,
    pub(super) made: Made,
    /// Held while one is made, so that calls that start together compile once.
    making: Mutex<()>,
}

impl Variants {
    pub(super) fn new(engine: Engine, cache: Option<Cache>, progress: Option<ProgressFn>) -> Self {
        Self {
            engine,
            cache,
            progress,
            made: Made::default(),
            making: Mutex::new(()),
        }
    }

    /// The variant, if it is there already.
    pub(super) fn ready(&self, capabilities: Capabilities) -> Option<Arc<Variant>> {
        self.made.slot(capabilities).get().cloned()
    }

    /// The variant, made now if need be: this may compile for seconds.
    pub(super) fn get(&self, capabilities: Capabilities) -> wasmtime::Result<Arc<Variant>> {
        // A panic elsewhere left nothing half done: the slot is filled at the end.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = self.ready(capabilities) {
            return Ok(variant);
        }
        let component = self.component(capabilities)?;
        let variant = self.linked(component, capabilities)?;
        Ok(Arc::clone(
            self.made.slot(capabilities).get_or_init(|| variant),
        ))
    }

    /// A component from outside, compiled and linked with what it is granted.
    pub(super) fn provided(
        &self,
        provided: &Provided,
        capabilities: Capabilities,
    ) -> wasmtime::Result<Arc<Variant>> {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = provided.slot(capabilities).get() {
            return Ok(Arc::clone(variant));
        }
        let key = cache::key(&self.engine, &[b"provided", provided.digest()]);
        let component = self.compiled(&key, capabilities, || Ok(provided.bytes().to_vec()))?;
        let variant = self.linked(component, capabilities)?;
        Ok(Arc::clone(
            provided.slot(capabilities).get_or_init(|| variant),
        ))
    }

    /// Puts another component where the variant for these capabilities would be.
    pub(super) fn put(&self, wasm: &[u8], capabilities: Capabilities) -> wasmtime::Result<()> {
        let component = Component::from_binary(&self.engine, wasm)?;
        let variant = self.linked(component, capabilities)?;
        self.made.slot(capabilities).get_or_init(|| variant);
        Ok(())
    }

    fn linked(
        &self,
        component: Component,
        capabilities: Capabilities,
    ) -> wasmtime::Result<Arc<Variant>> {
        let linker = linker::linker(&self.engine, capabilities)?;
        let pre = linker.instantiate_pre(&component)?;
        Ok(Arc::new(Variant {
            indices: BaseIndices::new(&pre)?,
            session: SessionExports::find(&component),
            pre: BasePre::new(pre)?,
            component,
        }))
    }

    fn component(&self, capabilities: Capabilities) -> wasmtime::Result<Component> {
        let key = self.key(capabilities);
        self.compiled(&key, capabilities, || {
            Ok(variant::component(variant::CORE, capabilities)?)
        })
    }

    /// What the cache has under `key`, or else what `wasm` is compiled to.
    fn compiled(
        &self,
        key: &str,
        capabilities: Capabilities,
        wasm: impl FnOnce() -> wasmtime::Result<Vec<u8>>,
    ) -> wasmtime::Result<Component> {
        if let Some(cache) = &self.cache {
            match cache.get(&self.engine, key) {
                Ok(Some(component)) => return Ok(component),
                Ok(None) => {}
                Err(error) => self.report(Progress::CacheUnused(error.to_string())),
            }
        }
        self.report(Progress::Compiling(capabilities));
        let start = Instant::now();
        let component = Component::from_binary(&self.engine, &wasm()?)?;
        self.report(Progress::Compiled(capabilities, start.elapsed()));
        if let Some(cache) = &self.cache
            && let Err(error) = cache.put(key, &component)
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
