//! The embedding interface.

use std::time::Duration;

use crate::convert;
use crate::error::{ErrorKind, Limit};
use crate::heap::{DEFAULT_HEAP, Heap};
use crate::interact::Form;
use crate::library::{PRELOADED, TOOL_PRELUDE};
use crate::native_stack::Entered;
use crate::port::Port;
use crate::prims::{self, Ctx, Roots};
use crate::printer;
use crate::program::Stop;
use crate::sandbox::Modules;
use crate::syntax::EnvId;
use crate::syntax::environment::Entry;
use crate::value::{Kind, Word};
use crate::vm::{Exit, Hooks, Vm};
use crate::world::{HttpError, HttpRequest, HttpResponse, World};

pub use crate::convert::Value;

/// Bytes of captured output kept per port when nothing else is set.
const DEFAULT_OUTPUT: usize = 256 << 10;

/// What went wrong, with where and the innermost calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The class of the error.
    pub kind: Failure,
    /// Message and irritants, without any prefix.
    pub message: String,
    /// File name, line and column, from 1, where known.
    pub at: Option<(String, u32, u32)>,
    /// Procedure names and places, innermost first.
    pub trace: Vec<String>,
}

/// The class of an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The text is not well-formed data.
    Read,
    /// It does not expand or compile.
    Syntax,
    /// An error or an uncaught object.
    Evaluation,
    /// The sandbox refused something.
    Sandbox,
    /// A limit was reached.
    Limit(Limit),
    /// An image is not one of this build, is damaged, or came too late: nothing of it has run.
    Image,
}

impl std::fmt::Display for Error {
    /// The contract text: what follows `error: ` in a result.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            Failure::Sandbox => write!(f, "sandbox violation: {}", self.message),
            Failure::Limit(Limit::Steps) => f.write_str("step limit exceeded"),
            Failure::Limit(Limit::Memory) => f.write_str("memory limit exceeded"),
            Failure::Limit(Limit::Stack) => f.write_str("stack limit exceeded"),
            _ => write!(f, "scheme evaluation error: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}

/// A result of the engine.
pub type Result<T> = std::result::Result<T, Error>;

/// A world in which nothing is granted and no time passes.
#[derive(Debug, Default)]
pub struct Nowhere;

impl World for Nowhere {
    fn http(&mut self, _: &HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        Err(HttpError::Denied)
    }
    fn env_var(&mut self, _: &str) -> Option<String> {
        None
    }
    fn env_vars(&mut self) -> Vec<(String, String)> {
        Vec::new()
    }
    fn wall_clock(&mut self) -> Duration {
        Duration::ZERO
    }
    fn monotonic_nanos(&mut self) -> u64 {
        0
    }
    fn random(&mut self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
    fn call_tool(&mut self, _: &str, _: &str) -> std::result::Result<String, String> {
        Err(
            "call-tool: no active call context for this thread (called outside tool execute?)"
                .to_owned(),
        )
    }
}

/// A Scheme system: heap, libraries and one program environment.
pub struct Context {
    pub(crate) vm: Vm,
    pub(crate) env: EnvId,
    step_limit: Option<u64>,
    /// Counts of what existed before the program: an image holds what came after.
    pub(crate) base: Base,
    /// What the program's environment bound then.
    pub(crate) base_bindings: crate::heap::FixedMap<Word, Entry>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("env", &self.env)
            .field("step_limit", &self.step_limit)
            .finish_non_exhaustive()
    }
}

/// How much of everything the snapshot has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Base {
    pub(crate) protos: usize,
    pub(crate) consts: usize,
    pub(crate) globals: usize,
    pub(crate) files: usize,
    pub(crate) recorded: usize,
}

/// Settings of a new [`Context`].
#[derive(Debug, Clone, Default)]
pub struct ContextBuilder {
    modules: Option<Modules>,
    step_limit: Option<u64>,
    heap_max: Option<usize>,
    prelude: Vec<String>,
    extra: Vec<String>,
}

impl ContextBuilder {
    /// Most bytes of Scheme heap.
    #[must_use]
    pub fn heap_max(mut self, bytes: usize) -> Self {
        self.heap_max = Some(bytes);
        self
    }

    /// Most steps of each entry.
    #[must_use]
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.step_limit = Some(steps);
        self
    }

    /// Restricts what the program may import.
    #[must_use]
    pub fn sandboxed(mut self, modules: Modules) -> Self {
        self.modules = Some(modules);
        self
    }

    /// Allows one library, by its slash-joined path, besides what the policy allows.
    #[must_use]
    pub fn allow_module(mut self, path: &str) -> Self {
        self.extra.push(path.to_owned());
        self
    }

    /// Allows programs to register libraries of their own: `(tein modules)`.
    #[must_use]
    pub fn allow_dynamic_modules(self) -> Self {
        self.allow_module("tein/modules")
    }

    /// Imports the libraries of R7RS-small into the program's environment.
    #[must_use]
    pub fn standard_env(mut self) -> Self {
        let small = PRELOADED.iter().filter(|p| p.starts_with("scheme/"));
        self.prelude.extend(small.map(|p| (*p).to_owned()));
        self
    }

    /// Imports what a tool file finds without importing it.
    #[must_use]
    pub fn tool_env(mut self) -> Self {
        self.prelude
            .extend(TOOL_PRELUDE.iter().map(|p| (*p).to_owned()));
        self
    }

    /// Builds the context, loading the libraries that tools use most.
    ///
    /// # Errors
    /// A library of the prelude does not load: a defect of the engine.
    pub fn build(self) -> Result<Context> {
        let mut heap = Heap::default();
        heap.set_max(usize::MAX / 4);
        let capture = || Port::Capture {
            bytes: Vec::new(),
            limit: DEFAULT_OUTPUT,
            dropped: 0,
        };
        let stdin = heap.port(Port::string_input(crate::text::Text::default()));
        let stdout = heap.port(capture());
        let stderr = heap.port(capture());
        let parameter = |heap: &mut Heap, port| heap.block(Kind::Parameter, &[port, Word::FALSE]);
        let roots = Roots {
            input: parameter(&mut heap, stdin),
            output: parameter(&mut heap, stdout),
            error: parameter(&mut heap, stderr),
            stdout,
            stderr,
        };
        let cx = Ctx {
            heap,
            world: Box::new(Nowhere),
            state: [Word::NIL; 3],
            expand_hook: Word::FALSE,
            roots,
            steps: i64::MAX,
            command_line: vec!["tein".to_owned(), "--sandbox".to_owned()],
            regexps: Default::default(),
        };
        let mut vm = Vm::new(cx, prims::all());
        vm.syntax.entered = Entered::now();
        vm.syntax.file("");
        vm.boot_core();
        vm.syntax.libraries.policy = Modules::All;
        let env = vm.syntax.new_env();
        debug_assert_eq!(env, crate::introspect::PROGRAM_ENV);
        let mut context = Context {
            vm,
            env,
            step_limit: None,
            base: Base::default(),
            base_bindings: Default::default(),
        };
        for name in ["%signal", "%rewind", "%call-with-values"] {
            let symbol = context.vm.cx.heap.symbol(name);
            let g = context.vm.globals.add(symbol);
            match name {
                "%signal" => context.vm.hooks.signal = g,
                "%rewind" => context.vm.hooks.rewind = g,
                _ => context.vm.hooks.call_with_values = g,
            }
        }
        context.load_embedded("scheme/base")?;
        context.vm.hooks = Hooks {
            signal: context.exported("scheme/base", "%signal")?,
            rewind: context.exported("scheme/base", "%rewind")?,
            call_with_values: context.exported("scheme/base", "%call-with-values")?,
        };
        // The machine's own names are not for programs.
        let hidden: Vec<Word> = [
            "%with-parameters",
            "%guard",
            "%signal",
            "%rewind",
            "%call-with-values",
        ]
        .map(|n| context.vm.cx.heap.symbol(n))
        .to_vec();
        if let Some(l) = context.vm.syntax.libraries.loaded.get_mut("scheme/base") {
            l.exports.retain(|(n, _)| !hidden.contains(n));
        }
        for path in PRELOADED {
            context.load_embedded(path)?;
        }
        // What `define-tool` expands into.
        let register = context.exported("harness/tool-file", "%register-tool!")?;
        let symbol = context.vm.cx.heap.symbol("%register-tool!");
        let entry = Entry {
            denotation: crate::syntax::Denotation::Global(register),
            imported: false,
            forward: false,
        };
        context.vm.syntax.envs[0].bindings.insert(symbol, entry);
        // `import`, `define-library` and the like are there before anything is imported.
        for name in ["import", "define-library", "begin", "cond-expand"] {
            let symbol = context.vm.cx.heap.symbol(name);
            if let Some(e) = context.vm.syntax.envs[0].bindings.get(&symbol).cloned() {
                context.vm.syntax.envs[env as usize].bindings.insert(
                    symbol,
                    Entry {
                        imported: true,
                        ..e
                    },
                );
            }
        }
        let policy = self.modules.unwrap_or(Modules::All);
        for path in &self.prelude {
            // A restricted program does not find what it may not import.
            if policy.admits(path) || self.extra.contains(path) {
                context.import_into(path, true)?;
            }
        }
        if self.prelude.iter().any(|p| p == "harness/tools") {
            // Present without import, and the program's own: it may assign and redefine them.
            context.import_into("harness/tool-file", false)?;
            context.import_name("tein/core", "get-environment-variable")?;
            context.import_name("tein/core", "get-environment-variables")?;
            context.import_name("tein/core", "command-line")?;
            context.alias("exact->inexact", "inexact");
            context.alias("inexact->exact", "exact");
        }
        context.vm.syntax.libraries.policy = policy;
        context.vm.syntax.libraries.extra = self.extra;
        context.vm.collect();
        context.vm.cx.heap.settle();
        context.vm.cx.heap.freeze();
        context
            .vm
            .cx
            .heap
            .set_max(self.heap_max.unwrap_or(DEFAULT_HEAP));
        context.step_limit = self.step_limit;
        context.vm.recorded.clear();
        context.base = Base {
            protos: context.vm.protos.len(),
            consts: context.vm.consts.len(),
            globals: context.vm.globals.values.len(),
            files: context.vm.syntax.files.len(),
            recorded: 0,
        };
        context.base_bindings = context.vm.syntax.envs[env as usize].bindings.clone();
        context.vm.syntax.envs[env as usize].bindings.reserve(256);
        context.vm.settle();
        Ok(context)
    }
}

impl Context {
    /// A context with nothing imported and nothing restricted.
    pub fn builder() -> ContextBuilder {
        ContextBuilder::default()
    }

    /// A context with R7RS-small imported.
    ///
    /// # Errors
    /// As [`ContextBuilder::build`].
    pub fn new_standard() -> Result<Self> {
        Self::builder().standard_env().build()
    }

    fn load_embedded(&mut self, path: &str) -> Result<()> {
        self.vm.syntax.libraries.trusted += 1;
        let name = self.vm.cx.heap.string(path);
        let r = self.vm.library(path, name);
        self.vm.syntax.libraries.trusted -= 1;
        match r {
            Ok(_) => Ok(()),
            Err(e) => Err(self.raised(*e, path)),
        }
    }

    pub(crate) fn raised(&mut self, e: crate::error::Raise, what: &str) -> Error {
        use crate::error::Raise;
        match e {
            Raise::Error {
                message, irritants, ..
            } => {
                let list = self.vm.cx.heap.list(&irritants);
                Error {
                    kind: Failure::Evaluation,
                    message: format!(
                        "{what}: {message}: {}",
                        printer::brief(&self.vm.cx.heap, list, printer::Mode::Write)
                    ),
                    at: None,
                    trace: Vec::new(),
                }
            }
            Raise::Uncaught(w) | Raise::Object(w) => {
                let mut e = self.stopped(Stop::Uncaught(w));
                e.message = format!("{what}: {}", e.message);
                e
            }
            Raise::Limit(l) => self.stopped(Stop::Limit(l)),
            Raise::Collect => self.stopped(Stop::Limit(Limit::Memory)),
            Raise::Exit(n) => self.stopped(Stop::Exited(n)),
            Raise::Suspended { .. } | Raise::Serve { .. } => {
                self.stopped(Stop::Limit(Limit::Stack))
            }
        }
    }

    fn exported(&mut self, path: &str, name: &str) -> Result<u32> {
        let symbol = self.vm.cx.heap.symbol(name);
        let library = self.vm.syntax.libraries.loaded.get(path);
        let found = library.and_then(|l| l.exports.iter().find(|(n, _)| *n == symbol));
        match found {
            Some((_, crate::syntax::Denotation::Global(g))) => Ok(*g),
            _ => Err(Error {
                kind: Failure::Evaluation,
                message: format!("{path} does not define {name}"),
                at: None,
                trace: Vec::new(),
            }),
        }
    }

    /// Binds a library's exports in the program's environment.
    fn import_into(&mut self, path: &str, imported: bool) -> Result<()> {
        let Some(library) = self.vm.syntax.libraries.loaded.get(path).cloned() else {
            return Ok(());
        };
        if imported {
            self.vm.syntax.envs[self.env as usize].note_import(path);
        }
        for (name, denotation) in library.exports {
            self.vm.syntax.envs[self.env as usize].bindings.insert(
                name,
                Entry {
                    denotation,
                    imported,
                    forward: false,
                },
            );
        }
        Ok(())
    }

    fn import_name(&mut self, path: &str, name: &str) -> Result<()> {
        let symbol = self.vm.cx.heap.symbol(name);
        let Some(library) = self.vm.syntax.libraries.loaded.get(path) else {
            return Ok(());
        };
        if let Some((_, d)) = library.exports.iter().find(|(n, _)| *n == symbol) {
            let entry = Entry {
                denotation: d.clone(),
                imported: true,
                forward: false,
            };
            self.vm.syntax.envs[self.env as usize]
                .bindings
                .insert(symbol, entry);
        }
        Ok(())
    }

    /// Gives a binding of the program's environment a second name.
    fn alias(&mut self, new: &str, old: &str) {
        let (new, old) = (self.vm.cx.heap.symbol(new), self.vm.cx.heap.symbol(old));
        let bindings = &mut self.vm.syntax.envs[self.env as usize].bindings;
        if let Some(e) = bindings.get(&old).cloned() {
            bindings.insert(new, e);
        }
    }

    // --- settings of an entry ---

    /// Replaces the world that the program reaches.
    pub fn set_world(&mut self, world: Box<dyn World>) {
        self.vm.cx.world = world;
    }

    /// What the program may import from now on.
    pub fn set_modules(&mut self, modules: Modules) {
        self.vm.syntax.libraries.policy = modules;
        self.vm.syntax.made.clear();
    }

    /// Allows these libraries, slash-joined paths, besides what the policy allows.
    pub fn set_extra_modules(&mut self, paths: &[&str]) {
        self.vm.syntax.libraries.extra = paths.iter().map(|p| (*p).to_owned()).collect();
    }

    /// Most steps of each entry from now on.
    pub fn set_step_limit(&mut self, steps: Option<u64>) {
        self.step_limit = steps;
    }

    /// Most bytes of Scheme heap.
    pub fn set_heap_max(&mut self, bytes: usize) {
        self.vm.cx.heap.set_max(bytes);
    }

    /// Collects at every safe point: slow, and finds what the collector does not know of.
    pub fn set_gc_stress(&mut self, on: bool) {
        self.vm.cx.heap.stress = on;
    }

    /// Collections so far.
    pub fn collections(&self) -> u64 {
        self.vm.cx.heap.collections
    }

    /// Bytes that the Scheme heap occupies now, free room in it included.
    pub fn heap_bytes(&self) -> usize {
        self.vm.cx.heap.footprint()
    }

    /// Bytes kept of standard output and of standard error, each.
    pub fn set_output_limit(&mut self, bytes: usize) {
        for w in [self.vm.cx.roots.stdout, self.vm.cx.roots.stderr] {
            if let Some(Port::Capture { limit, .. }) = self.vm.cx.heap.port_mut(w) {
                *limit = bytes;
            }
        }
    }

    /// Takes what was written to the current output and error ports; with it, how many bytes
    /// beyond the limit were dropped.
    pub fn take_output(&mut self) -> [(String, usize); 2] {
        [self.vm.cx.roots.stdout, self.vm.cx.roots.stderr].map(|w| {
            match self.vm.cx.heap.port_mut(w) {
                Some(Port::Capture { bytes, dropped, .. }) => {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    let lost = *dropped;
                    bytes.clear();
                    *dropped = 0;
                    (text, lost)
                }
                _ => (String::new(), 0),
            }
        })
    }

    // --- running ---

    pub(crate) fn start_entry(&mut self) {
        self.vm.syntax.entered = Entered::now();
        self.vm.cx.steps = self
            .step_limit
            .map_or(i64::MAX, |n| i64::try_from(n).unwrap_or(i64::MAX));
        self.vm.cx.state = [Word::NIL; 3];
    }

    /// Steps that the present entry may still use; none is no limit.
    pub fn steps_left(&self) -> Option<u64> {
        self.step_limit
            .map(|_| u64::try_from(self.vm.cx.steps).unwrap_or(0))
    }

    /// Forgets the handles of all procedures given out so far: the values that name them are no
    /// longer good.
    pub fn release(&mut self) {
        self.vm.handles.clear();
    }

    /// Runs a text; the value is the last form's, or unspecified for an empty one.
    ///
    /// # Errors
    /// Whatever stops the program: the forms before it have taken effect.
    pub fn evaluate(&mut self, code: &str) -> Result<Value> {
        self.evaluate_file("eval", code)
    }

    /// Runs a text under a file name that errors mention.
    ///
    /// # Errors
    /// As [`Context::evaluate`].
    pub fn evaluate_file(&mut self, file: &str, code: &str) -> Result<Value> {
        self.start_entry();
        match self.vm.run_text(file, code, self.env) {
            Ok(w) => Ok(convert::to_value(&mut self.vm, w)),
            Err(Stop::Exited(n)) => Ok(Value::Exit(n)),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    /// Runs a text and gives the last value in external representation (`write`).
    ///
    /// # Errors
    /// As [`Context::evaluate`].
    pub fn evaluate_to_string(&mut self, file: &str, code: &str) -> Result<String> {
        self.start_entry();
        match self.vm.run_text(file, code, self.env) {
            Ok(w) => Ok(printer::written(&self.vm.cx.heap, w)),
            Err(Stop::Exited(n)) => Ok(format!("#<exit {n}>")),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    /// Calls a procedure.
    ///
    /// # Errors
    /// `expected procedure` for anything else, and whatever stops the call.
    pub fn call(&mut self, f: &Value, args: &[Value]) -> Result<Value> {
        let f = convert::to_word(&mut self.vm, f);
        let args: Vec<Word> = args
            .iter()
            .map(|a| convert::to_word(&mut self.vm, a))
            .collect();
        let w = self.call_word(f, &args)?;
        Ok(match w {
            Ok(w) => convert::to_value(&mut self.vm, w),
            Err(n) => Value::Exit(n),
        })
    }

    /// Calls a procedure with words; the inner error is an exit code.
    pub(crate) fn call_word(
        &mut self,
        f: Word,
        args: &[Word],
    ) -> Result<std::result::Result<Word, i32>> {
        self.start_entry();
        self.continue_with(f, args)
    }

    /// Calls a procedure within the present entry.
    pub(crate) fn continue_with(
        &mut self,
        f: Word,
        args: &[Word],
    ) -> Result<std::result::Result<Word, i32>> {
        match self.vm.call(f, args) {
            Exit::Value(w) => Ok(Ok(w)),
            Exit::Exited(n) => Ok(Err(n)),
            Exit::Uncaught(w) => Err(self.stopped(Stop::Uncaught(w))),
            Exit::Limit(l) => Err(self.stopped(Stop::Limit(l))),
        }
    }

    /// Calls a procedure with one argument, converted from JSON text, and gives the value's text:
    /// a string's characters, anything else in written form.
    ///
    /// # Errors
    /// The arguments are not JSON, or whatever stops the call.
    pub fn call_with_json(&mut self, f: &Value, json: &str) -> Result<String> {
        self.call_with_json_as(f, json, Form::Text)
    }

    /// The text of a tool's value.
    pub(crate) fn result_text(&self, w: Word) -> String {
        match self.vm.cx.heap.as_text(w) {
            Some(t) => t.to_utf8(),
            None => printer::host(&self.vm.cx.heap, w),
        }
    }

    /// The value of a variable of the program, if it has one.
    pub fn global(&mut self, name: &str) -> Option<Value> {
        let w = self.global_word(name)?;
        Some(convert::to_value(&mut self.vm, w))
    }

    /// In a list of lists that a variable of the program holds: item `at` of the first one that
    /// begins with the string `key`. Converts nothing else, however long the lists are.
    pub fn lookup(&mut self, variable: &str, key: &str, at: usize) -> Option<Value> {
        let list = self.global_word(variable)?;
        let heap = &self.vm.cx.heap;
        let found = heap.list_items(list)?.into_iter().find_map(|entry| {
            let items = heap.list_items(entry)?;
            let name = heap.as_text(*items.first()?)?;
            (name.to_utf8() == key).then(|| items.get(at).copied())?
        })?;
        Some(convert::to_value(&mut self.vm, found))
    }

    pub(crate) fn global_word(&mut self, name: &str) -> Option<Word> {
        let symbol = self.vm.cx.heap.symbol(name);
        match self.vm.syntax.envs[self.env as usize]
            .bindings
            .get(&symbol)?
            .denotation
        {
            crate::syntax::Denotation::Global(g) => {
                Some(self.vm.globals.values[g as usize]).filter(|w| *w != Word::UNBOUND)
            }
            _ => None,
        }
    }

    /// Sets a variable of the program, defining it when it is not there.
    pub fn define(&mut self, name: &str, value: &Value) {
        let w = convert::to_word(&mut self.vm, value);
        let symbol = self.vm.cx.heap.symbol(name);
        let g = self
            .vm
            .syntax
            .define(&mut self.vm.globals, symbol, self.env);
        self.vm.globals.values[g as usize] = w;
    }

    /// The public error for a stop.
    pub(crate) fn stopped(&mut self, stop: Stop) -> Error {
        let plain = |kind, message: String| Error {
            kind,
            message,
            at: None,
            trace: Vec::new(),
        };
        if let Stop::Limit(_) = stop {
            self.vm.recover();
        }
        let heap = &self.vm.cx.heap;
        match stop {
            Stop::Limit(l) => plain(Failure::Limit(l), String::new()),
            Stop::Exited(n) => plain(Failure::Evaluation, format!("exit {n}")),
            Stop::Uncaught(w) if !w.is(Kind::Condition) => plain(
                Failure::Evaluation,
                format!(
                    "uncaught: {}",
                    printer::brief(heap, w, printer::Mode::Write)
                ),
            ),
            Stop::Uncaught(w) => {
                let kind = ErrorKind::from_code(heap.slot(w, 0).fix_value());
                let message = printer::condition_message(heap, w);
                let number = |i: usize| {
                    heap.slot(w, i)
                        .as_fix()
                        .and_then(|n| u32::try_from(n).ok())
                        .unwrap_or(0)
                };
                let file = self
                    .vm
                    .syntax
                    .files
                    .get(number(3) as usize)
                    .cloned()
                    .unwrap_or_default();
                let at = (number(4) > 0 && !file.is_empty()).then(|| (file, number(4), number(5)));
                let trace = heap
                    .as_text(heap.slot(w, 6))
                    .map(crate::text::Text::to_utf8)
                    .unwrap_or_default();
                let (kind, message) = match kind {
                    ErrorKind::Read => (Failure::Read, message),
                    ErrorKind::Syntax => (Failure::Syntax, message),
                    ErrorKind::Sandbox => (Failure::Sandbox, sandbox_text(&message)),
                    // A refused file is a file error inside and a refusal outside.
                    ErrorKind::File if is_refused_file(&message) => {
                        (Failure::Sandbox, sandbox_text(&message))
                    }
                    ErrorKind::Error | ErrorKind::File => (Failure::Evaluation, message),
                };
                Error {
                    kind,
                    message,
                    at,
                    trace: trace.lines().map(str::to_owned).collect(),
                }
            }
        }
    }
}

/// What stands between the procedure and the path when opening a file is refused.
const FILE_DENIED: &str = ": access denied by sandbox policy: ";

fn is_refused_file(message: &str) -> bool {
    message.starts_with("[sandbox:file] ") || message.contains(FILE_DENIED)
}

/// The host's text for a refusal of the sandbox.
fn sandbox_text(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("couldn't find import: ") {
        return format!("module import blocked: {rest} (not available in this sandbox)");
    }
    if let Some(rest) = message.strip_prefix("[sandbox:file] ") {
        return format!("file access denied: {rest}");
    }
    if let Some((_, path)) = message.split_once(FILE_DENIED) {
        return format!("file access denied: {path}");
    }
    for prefix in ["[sandbox:http] ", "[sandbox:binding] "] {
        if let Some(rest) = message.strip_prefix(prefix) {
            return rest.to_owned();
        }
    }
    message.to_owned()
}
