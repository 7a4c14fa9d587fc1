//! Where tools run: each call in an instance of its own, which can import only what was
//! granted and is dropped when the call is over.
//!
//! | file | answers |
//! |---|---|
//! | `variant` | how is an ungranted import taken away? |
//! | `imports` | what can a component reach? |
//! | `linker`, `host`, `outgoing` | what stands behind the imports that are left? |
//! | `limits` | what ends a call that uses too much? |
//! | `bounds` | how much may a file say about itself? |
//! | `places` | who waits when too many calls run? |
//! | `provided` | and when the component is not holm's own? |
//! | `engine`, `variants`, `cache` | what is compiled, when, and where is it kept? |
//! | `known` | which loads are kept for the next command? |
//! | `call` | the life of one instance |
//!
//! Invariants:
//!
//! - The imports of what is instantiated are the granted set, and the linker has nothing
//!   else to offer.
//! - A store lives as long as one call. After a trap, a timeout or a limit it is dropped
//!   where it stands, and nothing of it is entered again.
//! - Loading sends no request.

mod bindings;
mod bounds;
mod cache;
mod call;
mod convert;
mod engine;
mod host;
mod imports;
mod kept;
mod known;
mod limits;
mod linker;
mod outgoing;
mod places;
mod provided;
mod session;
#[cfg(test)]
mod tests;
mod types;
mod variant;
mod variants;

pub use imports::{Imports, component_imports, imports};
pub use kept::Kept;
pub use limits::{Limit, LimitReached};
pub use types::{
    BoxFuture, CallRequest, Capabilities, Code, Entry, EvaluateRequest, Evaluation, Failure,
    Grants, Image, LoadRequest, Loaded, Manifest, NestedCalls, NoNestedCalls, Outcome, Position,
    Problem, ProblemKind, Progress, ProgressFn, SandboxError, SandboxOptions, Tool,
};

pub use crate::limits::{Concurrency, Usage};
pub use provided::Provided;
pub use variant::{Core, VariantError};

use crate::egress::Client;
use crate::grants::Consent;
use cache::Cache;
use known::{Came, Known};
use places::Places;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use variants::{Variant, Variants};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Version of the WebAssembly runtime.
pub const WASMTIME_VERSION: &str = env!("HOLM_WASMTIME_VERSION");

/// Instances per call that may run at a time: the call, and the calls nested in it.
const INSTANCES_PER_CALL: u32 = 1 + 8;
/// Runs tools. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Sandbox(Arc<Shared>);

struct Shared {
    engine: Engine,
    variants: Arc<Variants>,
    places: Arc<Places>,
    client: OnceLock<Client>,
    consent: Arc<Consent>,
    loaded: Mutex<HashMap<[u8; 32], Remembered>>,
    known: Option<Known>,
}

/// A loaded file, for as long as someone else holds it.
struct Remembered {
    manifest: Weak<Manifest>,
    image: Weak<[u8]>,
    provided: Option<Weak<Provided>>,
    steps_used: u64,
}

impl Remembered {
    fn get(&self) -> Option<Loaded> {
        let provided = match &self.provided {
            None => None,
            Some(provided) => Some(provided.upgrade()?),
        };
        Some(Loaded {
            manifest: self.manifest.upgrade()?,
            image: Image(self.image.upgrade()?, provided),
            steps_used: self.steps_used,
        })
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox").finish_non_exhaustive()
    }
}

impl Sandbox {
    /// A sandbox; nothing is compiled yet.
    ///
    /// # Errors
    ///
    /// When this machine cannot run compiled guests. A cache that cannot be used is no
    /// error: it is reported as [`Progress::CacheUnused`].
    pub fn new(options: SandboxOptions) -> Result<Self, SandboxError> {
        let places = Places::new(options.concurrency);
        let engine = engine::new(places.in_all().saturating_mul(INSTANCES_PER_CALL))
            .map_err(|error| SandboxError(format!("{error:#}")))?;
        let base = options.cache_dir.or_else(cache::default_folder);
        let cache = match &base {
            None => Err("there is no home folder".to_owned()),
            Some(base) => Cache::open(base).map_err(|error| error.to_string()),
        };
        if let (Err(reason), Some(report)) = (&cache, &options.progress) {
            report(Progress::CacheUnused(reason.clone()));
        }
        let client = OnceLock::new();
        if let Some(given) = options.client {
            client.get_or_init(|| given);
        }
        Ok(Self(Arc::new(Shared {
            variants: Arc::new(Variants::new(engine.clone(), cache.ok(), options.progress)),
            engine,
            places: Arc::new(places),
            client,
            consent: options.consent,
            loaded: Mutex::default(),
            known: base.as_deref().and_then(Known::open),
        })))
    }

    /// Reads, expands and compiles a tool file and runs its top-level forms once. Every
    /// HTTP request is refused meanwhile.
    ///
    /// The same file under the same grants and limits is loaded once for as long as its
    /// result is held somewhere.
    ///
    /// # Errors
    ///
    /// [`Failure::Problem`] for a fault of the file, [`Failure::Limit`] when loading took
    /// more than it may, and the others when it is nobody's fault in the file.
    pub async fn load(&self, request: LoadRequest<'_>) -> Result<Loaded, Failure> {
        let key = load_key(&request);
        let known = self.loaded().get(&key).and_then(Remembered::get);
        if let Some(loaded) = known {
            return Ok(loaded);
        }
        let loaded = self.load_or_recall(&key, &request).await?;
        let remembered = Remembered {
            manifest: Arc::downgrade(&loaded.manifest),
            image: Arc::downgrade(&loaded.image.0),
            provided: loaded.image.1.as_ref().map(Arc::downgrade),
            steps_used: loaded.steps_used,
        };
        let mut all = self.loaded();
        // Only before it would grow, so that loading n files stays linear in n.
        if all.len() == all.capacity() {
            all.retain(|_, other| other.image.strong_count() > 0);
        }
        all.insert(key, remembered);
        Ok(loaded)
    }

    /// Loads a file, or takes what its load came to before on this machine.
    async fn load_or_recall(
        &self,
        key: &[u8; 32],
        request: &LoadRequest<'_>,
    ) -> Result<Loaded, Failure> {
        // A value of a variable never ends up on disk, not even in a description.
        let known = self.0.known.as_ref();
        let is_text = matches!(request.code, Code::Scheme(_));
        let known = known.filter(|_| is_text && request.grants.env.is_empty());
        match known.and_then(|known| known.get(key)) {
            Some(Came::Loaded(loaded)) => return Ok(loaded),
            Some(Came::Problem(problem)) => return Err(Failure::Problem(problem)),
            Some(Came::Steps) => {
                let reached = LimitReached::new(Limit::Steps, request.limits);
                return Err(Failure::Limit(reached));
            }
            None => {}
        }
        let result = self.load_fresh(request).await;
        if let Some(known) = known {
            known.put(key, &result);
        }
        result
    }

    /// Calls a tool in a fresh instance.
    ///
    /// An error of the tool and a limit that it reached are outcomes, with the text for
    /// the model in [`Outcome::result`].
    ///
    /// # Errors
    ///
    /// When the call could not begin or broke off for no fault of the tool.
    pub async fn call(&self, request: CallRequest<'_>) -> Result<Outcome, Failure> {
        self.call_as(request, Entry::Text, None).await
    }

    /// Calls a tool or a hook, in a fresh instance or in a kept one. With [`Kept`], the instance
    /// is begun by the first call and every further call finds what the ones before left in it,
    /// until one ends in a trap or at a limit of holm's.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub async fn call_as(
        &self,
        request: CallRequest<'_>,
        entry: Entry,
        kept: Option<&mut Kept>,
    ) -> Result<Outcome, Failure> {
        self.call_in(&request, entry, kept).await
    }

    /// Evaluates text as a tool file's top level, after what the kept instance has evaluated
    /// before.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub async fn evaluate(
        &self,
        request: EvaluateRequest<'_>,
        kept: &mut Kept,
    ) -> Result<Evaluation, Failure> {
        self.evaluate_in(&request, kept).await
    }

    /// Whether a text ends between two data, so that no more of it is needed to evaluate it.
    ///
    /// # Errors
    ///
    /// As [`Self::call`].
    pub async fn is_complete(
        &self,
        request: EvaluateRequest<'_>,
        kept: &mut Kept,
    ) -> Result<bool, Failure> {
        self.is_complete_in(&request, kept).await
    }

    /// The component that is instantiated for a set of capabilities. Compiles it if it
    /// is not there yet, which takes seconds.
    ///
    /// # Errors
    ///
    /// When it cannot be compiled here.
    pub fn component(&self, capabilities: Capabilities) -> Result<Component, Failure> {
        let variant = self.0.variants.get(capabilities).map_err(broken)?;
        Ok(variant.component.clone())
    }

    /// The bytes of that component: WebAssembly that other tools can read.
    ///
    /// # Errors
    ///
    /// When the guest in this build is not what it should be.
    pub fn component_bytes(capabilities: Capabilities) -> Result<Vec<u8>, Failure> {
        variant::component(variant::CORE, capabilities)
            .map_err(|error| Failure::Host(error.to_string()))
    }

    /// The same sandbox, with the same engine, HTTP client and places, that runs `wasm`
    /// where a call with these capabilities would run holm's own guest. This is how a
    /// hostile guest is put behind the wall that all tools are behind.
    ///
    /// # Errors
    ///
    /// When it is not a component of holm's world, or imports what is not granted.
    #[doc(hidden)]
    pub fn with_guest(&self, wasm: &[u8], capabilities: Capabilities) -> Result<Self, Failure> {
        let variants = Variants::new(self.0.engine.clone(), None, None);
        variants.put(wasm, capabilities).map_err(broken)?;
        Ok(Self(Arc::new(Shared {
            engine: self.0.engine.clone(),
            variants: Arc::new(variants),
            places: Arc::clone(&self.0.places),
            client: self.client()?.into(),
            consent: Arc::clone(&self.0.consent),
            loaded: Mutex::default(),
            known: None,
        })))
    }

    /// Instances that are alive in this sandbox's engine, if they are counted here.
    #[doc(hidden)]
    #[must_use]
    pub fn instances(&self) -> Option<u64> {
        let metrics = self.0.engine.pooling_allocator_metrics()?;
        Some(metrics.component_instances())
    }

    async fn variant(&self, capabilities: Capabilities) -> Result<Arc<Variant>, Failure> {
        if let Some(variant) = self.0.variants.ready(capabilities) {
            return Ok(variant);
        }
        let variants = Arc::clone(&self.0.variants);
        // Compiling would hold up every other call on this thread.
        tokio::task::spawn_blocking(move || variants.get(capabilities))
            .await
            .map_err(|error| Failure::Host(error.to_string()))?
            .map_err(broken)
    }

    /// A component from outside, ready to be instantiated with what it is granted.
    async fn provided(
        &self,
        provided: &Arc<Provided>,
        run: &call::Run<'_>,
    ) -> Result<Arc<Variant>, Failure> {
        let capabilities = run.grants.capabilities;
        if let Some(variant) = provided.slot(capabilities).get() {
            return Ok(Arc::clone(variant));
        }
        let refused = |message: String| {
            Failure::Problem(Problem {
                kind: ProblemKind::Sandbox,
                message,
                file: run.file.to_owned(),
                at: None,
                trace: Vec::new(),
            })
        };
        if let Some(reason) = provided.refusal(capabilities) {
            return Err(refused(reason));
        }
        let variants = Arc::clone(&self.0.variants);
        let provided = Arc::clone(provided);
        tokio::task::spawn_blocking(move || variants.provided(&provided, capabilities))
            .await
            .map_err(|error| Failure::Host(error.to_string()))?
            .map_err(|error| refused(Provided::misfit(&error)))
    }

    fn engine(&self) -> &Engine {
        &self.0.engine
    }

    fn places(&self) -> &Places {
        &self.0.places
    }

    fn consent(&self) -> Arc<Consent> {
        Arc::clone(&self.0.consent)
    }

    fn client(&self) -> Result<Client, Failure> {
        if let Some(client) = self.0.client.get() {
            return Ok(client.clone());
        }
        // Made twice at worst, when two first calls meet.
        let client = Client::new().map_err(|error| Failure::Host(error.to_string()))?;
        Ok(self.0.client.get_or_init(|| client).clone())
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Remembered>> {
        self.0.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn broken(error: wasmtime::Error) -> Failure {
    Failure::Host(format!("the guest cannot be made ready: {error:#}"))
}

/// Everything that a load's result depends on. Values of variables enter it too, and it
/// never leaves memory.
fn load_key(request: &LoadRequest<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    match request.code {
        Code::Scheme(source) => {
            add(b"scheme");
            add(source.as_bytes());
        }
        Code::Component(provided) => {
            add(b"component");
            add(provided.digest());
        }
    }
    add(request.file.as_bytes());
    let Capabilities { http, environment } = request.grants.capabilities;
    add(&[request.unrestricted, http, environment].map(u8::from));
    add(format!("{:?}", request.limits).as_bytes());
    for secret in &request.grants.env {
        add(secret.name().as_bytes());
        add(secret.reveal().as_bytes());
    }
    hash.finalize().into()
}
