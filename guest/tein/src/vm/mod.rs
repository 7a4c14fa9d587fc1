//! The virtual machine: registers, frames, calls and continuations.

mod arith;
mod control;
mod liveness;
mod run;
pub(crate) mod stack;

use crate::code::{Op, Pos, Proto};
use crate::error::{ErrorKind, Limit, Raise, Res};
use crate::heap::settle;
use crate::prims::{Ctx, NativeDef};
use crate::syntax::{Globals, Syntax};
use crate::value::{Kind, Word};
use liveness::{Live, Liveness};
use stack::Frame;

/// Registers of the stack: eight mebibytes, of which only what is used is ever touched.
const MAX_STACK: usize = 1 << 20;
/// Registers while the prelude loads: enough for it.
const BOOT_STACK: usize = 1 << 16;
/// Registers that a call may use beyond its own window without asking.
const SLACK: usize = 80;
/// Most frames.
const MAX_FRAMES: usize = 1 << 20;

/// Why `execute` stopped.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The program of one top-level form ended with this value.
    Value(Word),
    /// Nothing handled this object; the message and place of a condition are inside it.
    Uncaught(Word),
    Limit(Limit),
    /// `(exit n)`.
    Exited(i32),
}

/// Everything that a running program needs.
pub(crate) struct Vm {
    pub(crate) cx: Ctx,
    /// All instructions. Taken out while the machine runs, like the stack, so that neither can
    /// change under the dispatch loop.
    pub(crate) code: Vec<Op>,
    pub(crate) protos: Vec<Proto>,
    pub(crate) consts: Vec<Word>,
    pub(crate) globals: Globals,
    pub(crate) syntax: Syntax,
    pub(crate) natives: Vec<NativeDef>,
    stack: Vec<Word>,
    /// Registers of the stack, known while it is taken out.
    stack_len: usize,
    frames: Vec<Frame>,
    /// The frozen continuation under the stack, and how many of its frames remain.
    under: Option<(Word, u32)>,
    /// Registers of the machine while it is stopped.
    proto: u32,
    pc: usize,
    base: usize,
    /// Where the stack of the present run begins.
    floor: usize,
    /// Continuations of the runs below this one.
    suspended: Vec<Word>,
    /// How deep library bodies run inside each other.
    pub(crate) nesting: u32,
    /// How many special procedures are at work: forms that run meanwhile, such as a library's,
    /// belong to the form that called, and run again with it.
    pub(crate) inside: u32,
    /// How many transformers run: the expander holds words that nothing else names, so that
    /// nothing is collected.
    pub(crate) expanding: u32,
    /// The run of a transformer that is under way, 0 for the program itself. A continuation of one
    /// run cannot be entered in another: they end in different places.
    pub(crate) phase: u32,
    /// Runs of transformers so far.
    pub(crate) phases: u32,
    /// The hook of `(tein macro)` runs, and does not see its own expansions.
    pub(crate) hooked: bool,
    /// Set while a program registers a library: what its body compiles to is kept in `registered`,
    /// since later forms may import it and an image must then have it.
    pub(crate) registering: bool,
    pub(crate) registered: Vec<u32>,
    /// Well-known procedures of the prelude.
    pub(crate) hooks: Hooks,
    /// Forms that wait for their turn: the collector must see them.
    pub(crate) pending: Vec<Word>,
    /// The form that was just compiled.
    pub(crate) compiled: Option<u32>,
    /// Every top-level form run so far, in order: what an image replays.
    pub(crate) recorded: Vec<u32>,
    /// The top-level code that ended last: a continuation may have led back to an earlier form.
    pub(crate) halted: u32,
    /// Objects that the embedder holds.
    pub(crate) handles: Vec<Word>,
    /// Which registers captured and collected frames still need.
    liveness: Liveness,
}

/// Globals of the prelude that the machine calls by itself.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Hooks {
    /// `(%signal condition)`: raises what a primitive reported.
    pub(crate) signal: u32,
    /// `(%rewind k values)`: runs winders, then goes to the continuation.
    pub(crate) rewind: u32,
    /// `(%call-with-values producer consumer)`.
    pub(crate) call_with_values: u32,
}

impl Vm {
    pub(crate) fn new(cx: Ctx, natives: Vec<NativeDef>) -> Self {
        Self {
            cx,
            code: vec![Op::HaltBase],
            protos: vec![Proto {
                len: 1,
                registers: 2,
                ..Proto::default()
            }],
            consts: Vec::new(),
            globals: Globals::default(),
            syntax: Syntax::default(),
            natives,
            stack: vec![Word::ZERO; BOOT_STACK],
            stack_len: BOOT_STACK,
            frames: Vec::with_capacity(256),
            under: None,
            proto: 0,
            pc: 0,
            base: 1,
            floor: 0,
            suspended: Vec::new(),
            nesting: 0,
            inside: 0,
            expanding: 0,
            phase: 0,
            phases: 0,
            hooked: false,
            registering: false,
            registered: Vec::new(),
            hooks: Hooks::default(),
            pending: Vec::new(),
            compiled: None,
            recorded: Vec::new(),
            halted: 0,
            handles: Vec::new(),
            liveness: Liveness::default(),
        }
    }

    /// Gives the machine room for a small program, so that running one copies none of the code that is
    /// there, and its whole stack. Done when everything else that lasts is in place: what is allocated last
    /// lies behind the rest, and a snapshot of memory ends before so many zeros.
    pub(crate) fn settle(&mut self) {
        settle(&mut self.code, 16 << 10);
        settle(&mut self.protos, 512);
        settle(&mut self.consts, 1 << 10);
        settle(&mut self.globals.values, 512);
        settle(&mut self.globals.info, 512);
        settle(&mut self.recorded, 64);
        self.stack = Vec::new();
        self.stack = vec![Word::ZERO; MAX_STACK];
        self.stack_len = MAX_STACK;
    }

    /// Runs the code of a top-level form.
    pub(crate) fn run_proto(&mut self, proto: u32) -> Exit {
        self.start(Word::UNSPECIFIED, &[], proto)
    }

    /// Runs the recorded forms from `from` on. A form that jumps into the continuation of an
    /// earlier one is followed by the forms after that one, as the text has them.
    pub(crate) fn run_recorded(&mut self, from: usize) -> Exit {
        let mut i = from;
        loop {
            let Some(proto) = self.recorded.get(i).copied() else {
                return Exit::Value(Word::UNSPECIFIED);
            };
            let exit = self.run_proto(proto);
            if !matches!(exit, Exit::Value(_)) {
                return exit;
            }
            if self.halted != proto {
                i = self
                    .recorded
                    .iter()
                    .rposition(|p| *p == self.halted)
                    .unwrap_or(i);
            }
            i += 1;
            if i >= self.recorded.len() {
                return exit;
            }
        }
    }

    /// Calls a procedure from outside.
    pub(crate) fn call(&mut self, f: Word, args: &[Word]) -> Exit {
        self.start(f, args, 0)
    }

    /// Puts a program on an empty stack and runs it to its end.
    fn start(&mut self, f: Word, args: &[Word], proto: u32) -> Exit {
        let saved = (
            std::mem::take(&mut self.frames),
            self.under.take(),
            self.proto,
            self.pc,
            self.base,
            self.floor,
        );
        self.suspended.extend(saved.1.map(|u| u.0));
        // A library body runs above the registers of the program that imports it.
        let floor = if self.nesting == 0 {
            0
        } else {
            saved.4 + self.protos[saved.2 as usize].registers as usize + 2
        };
        self.floor = floor;
        let exit = if floor + args.len() + SLACK > self.stack.len() {
            Exit::Limit(Limit::Stack)
        } else {
            self.stack[floor] = Word::UNSPECIFIED;
            self.base = floor + 1;
            self.proto = proto;
            self.pc = self.protos[proto as usize].start as usize;
            if proto == 0 {
                self.stack[floor + 1] = f;
                self.stack[floor + 2..floor + 2 + args.len()].copy_from_slice(args);
                match self.with_stack(|vm, code, stack| {
                    vm.enter(code, stack, floor + 1, args.len(), false)
                }) {
                    Ok(()) => self.go_on(),
                    Err(raise) => match self.interrupted(*raise) {
                        Ok(()) => self.go_on(),
                        Err(exit) => exit,
                    },
                }
            } else {
                let registers = self.protos[proto as usize].registers as usize;
                match self.room(floor + registers) {
                    Ok(()) => self.go_on(),
                    Err(_) => Exit::Limit(Limit::Stack),
                }
            }
        };
        if saved.1.is_some() {
            self.suspended.pop();
        }
        (
            self.frames,
            self.under,
            self.proto,
            self.pc,
            self.base,
            self.floor,
        ) = saved;
        exit
    }

    /// Runs `f` with the code and the stack beside the machine.
    fn with_stack<T>(&mut self, f: impl FnOnce(&mut Self, &[Op], &mut [Word]) -> T) -> T {
        let code = std::mem::take(&mut self.code);
        let mut stack = std::mem::take(&mut self.stack);
        let result = f(self, &code, &mut stack);
        self.stack = stack;
        self.code = code;
        result
    }

    fn go_on(&mut self) -> Exit {
        loop {
            match self.with_stack(Self::execute) {
                Ok(exit) => return exit,
                Err(raise) => {
                    if let Err(exit) = self.interrupted(*raise) {
                        return exit;
                    }
                }
            }
        }
    }

    /// Goes on after the dispatch loop stopped: with a special procedure, or with the handler.
    fn interrupted(&mut self, raise: Raise) -> Result<(), Exit> {
        let Raise::Suspended {
            special,
            at,
            n,
            tail,
        } = raise
        else {
            return self.signal(raise);
        };
        self.inside += 1;
        let done = self.outside(special, at, n, tail);
        self.inside -= 1;
        match done {
            Ok(()) => Ok(()),
            Err(raise) => self.interrupted(*raise),
        }
    }

    /// Turns what a primitive reported into a call of the handler.
    fn signal(&mut self, raise: Raise) -> Result<(), Exit> {
        match raise {
            Raise::Limit(limit) => Err(Exit::Limit(limit)),
            Raise::Collect => Err(Exit::Limit(Limit::Memory)),
            Raise::Exit(code) => Err(Exit::Exited(code)),
            Raise::Uncaught(object) => Err(Exit::Uncaught(object)),
            Raise::Suspended { .. } => self.interrupted(raise),
            Raise::Serve { procedure, again } => {
                // The instruction that called the native is carried out again after the call.
                if again {
                    self.pc -= 1;
                }
                let top = self.base + self.protos[self.proto as usize].registers as usize + 1;
                if self.room(top).is_err() {
                    return Err(Exit::Limit(Limit::Stack));
                }
                self.stack[top] = procedure;
                match self.with_stack(|vm, code, stack| vm.enter(code, stack, top, 0, false)) {
                    Ok(()) => Ok(()),
                    Err(raise) => self.signal(*raise),
                }
            }
            Raise::Error {
                kind,
                message,
                irritants,
            } => {
                let condition = self.condition(kind, &message, &irritants, None);
                self.signal_object(condition)
            }
            Raise::Object(object) => self.signal_object(object),
        }
    }

    /// Calls the handler with a condition or another object.
    fn signal_object(&mut self, condition: Word) -> Result<(), Exit> {
        let handler = self.globals.values[self.hooks.signal as usize];
        if handler == Word::UNBOUND {
            return Err(Exit::Uncaught(condition));
        }
        // The handler runs above the window of the instruction that failed.
        let top = self.base + self.protos[self.proto as usize].registers as usize + 1;
        if self.room(top).is_err() {
            return Err(Exit::Limit(Limit::Stack));
        }
        self.stack[top] = handler;
        self.stack[top + 1] = condition;
        match self.with_stack(|vm, code, stack| vm.enter(code, stack, top, 1, false)) {
            Ok(()) => Ok(()),
            Err(e) => match *e {
                Raise::Limit(l) => Err(Exit::Limit(l)),
                _ => Err(Exit::Uncaught(condition)),
            },
        }
    }

    /// A condition object with where it happened and who called.
    pub(crate) fn condition(
        &mut self,
        kind: ErrorKind,
        message: &str,
        irritants: &[Word],
        at: Option<Pos>,
    ) -> Word {
        let pos = at.unwrap_or_else(|| self.present_place());
        let trace = self.trace();
        let heap = &mut self.cx.heap;
        let message = heap.string(message);
        let irritants = heap.list(irritants);
        let trace = heap.string(trace);
        heap.block(
            Kind::Condition,
            &[
                Word::fix(kind.code()),
                message,
                irritants,
                Word::fix(i64::from(pos.file)),
                Word::fix(i64::from(pos.line)),
                Word::fix(i64::from(pos.column)),
                trace,
            ],
        )
    }

    /// Where the program is: the innermost place that is in a file of its own.
    fn present_place(&self) -> Pos {
        let here = self.protos[self.proto as usize].place(self.pc.saturating_sub(1));
        if here.line != 0 {
            return here;
        }
        let outer = self.frames.iter().rev().take(64);
        let mut places =
            outer.map(|f| self.protos[f.proto as usize].place((f.pc as usize).saturating_sub(1)));
        places.find(|p| p.line != 0).unwrap_or(here)
    }

    /// The innermost named procedures, a line each.
    fn trace(&self) -> String {
        let mut lines = Vec::new();
        let mut add = |proto: u32, pc: usize| {
            let p = &self.protos[proto as usize];
            let at = p.place(pc.saturating_sub(1));
            if at.line == 0 || at.file == 0 {
                return true;
            }
            let top = p.is_top;
            let name = match (p.name.as_str(), top) {
                ("", true) => "top level",
                ("", false) => "a lambda expression",
                (name, _) => name,
            };
            let file = self
                .syntax
                .files
                .get(at.file as usize)
                .map_or("", String::as_str);
            lines.push(format!("{name} at {file}:{}:{}", at.line, at.column));
            lines.len() < 5
        };
        if add(self.proto, self.pc) {
            for f in self.frames.iter().rev().take(64) {
                if !add(f.proto, f.pc as usize) {
                    break;
                }
            }
        }
        lines.join("\n")
    }

    /// Refuses a window that ends at `end` when the stack does not reach that far.
    fn room(&self, end: usize) -> Res<()> {
        if end + SLACK <= self.stack_len {
            Ok(())
        } else {
            Err(Box::new(Raise::Limit(Limit::Stack)))
        }
    }

    /// The code of a procedure, for an image.
    pub(crate) fn with_code(&self, proto: &Proto) -> Proto {
        let start = proto.start as usize;
        Proto {
            code: self.code[start..start + proto.len as usize].to_vec(),
            ..proto.clone()
        }
    }

    /// What the collector must know of.
    pub(crate) fn collect(&mut self) -> bool {
        self.with_stack(|vm, code, stack| vm.collect_with(code, stack, None, 0..0))
    }

    /// Collects, unless a transformer runs; false when that does not make enough room. `current` says what the running procedure still needs, where its place in the code
    /// does not; `arguments` are further places of the stack in use.
    fn collect_with(
        &mut self,
        code: &[Op],
        stack: &[Word],
        current: Option<Live>,
        arguments: std::ops::Range<usize>,
    ) -> bool {
        if self.expanding > 0 {
            return false;
        }
        let windows = self.windows(code, current);
        let floor = self.floor.min(stack.len());
        let Self {
            cx,
            consts,
            globals,
            syntax,
            under,
            suspended,
            pending,
            handles,
            ..
        } = self;
        let Ctx {
            heap,
            roots,
            state,
            expand_hook,
            ..
        } = cx;
        heap.collect(&mut |f: &mut dyn FnMut(Word)| {
            // Runs below this one are stopped in the middle of an instruction: all of theirs counts.
            stack[..floor].iter().for_each(|w| f(*w));
            stack[arguments.clone()].iter().for_each(|w| f(*w));
            for (start, end, live) in &windows {
                let window = stack[*start..*end].iter().enumerate();
                window
                    .filter(|(slot, _)| live.has(*slot))
                    .for_each(|(_, w)| f(*w));
            }
            consts.iter().for_each(|w| f(*w));
            globals.values.iter().for_each(|w| f(*w));
            globals.info.iter().for_each(|i| f(i.name));
            syntax.each_word(f);
            if let Some((w, _)) = under {
                f(*w);
            }
            suspended
                .iter()
                .chain(&*pending)
                .chain(&*handles)
                .for_each(|w| f(*w));
            state.iter().for_each(|w| f(*w));
            f(*expand_hook);
            roots.each_word(f);
        })
    }

    /// The windows of this run's frames and of the running procedure: where each begins, where it
    /// ends, and which of its slots are in use.
    fn windows(&mut self, code: &[Op], current: Option<Live>) -> Vec<(usize, usize, Live)> {
        let mut windows = Vec::with_capacity(self.frames.len() + 1);
        let mut last = (u32::MAX, Live::ALL);
        for (i, frame) in self.frames.iter().enumerate() {
            if last.0 != frame.pc {
                let live = self.liveness.of(code, &self.protos, frame.proto, frame.pc);
                last = (frame.pc, live);
            }
            let next = self
                .frames
                .get(i + 1)
                .map_or(self.base, |f| f.base as usize);
            windows.push((frame.base as usize - 1, next - 1, last.1));
        }
        let live = current.unwrap_or_else(|| {
            self.liveness
                .of(code, &self.protos, self.proto, self.pc as u32)
        });
        let end = self.base + self.protos[self.proto as usize].registers as usize;
        let end = end.min(self.stack_len);
        windows.push((self.base - 1, end, live));
        windows
    }

    /// Calls a primitive again that asked for a collection. Its arguments are in these places.
    #[cold]
    fn after_collection(
        &mut self,
        code: &[Op],
        stack: &[Word],
        run: fn(&mut Ctx, &[Word]) -> Res,
        arguments: std::ops::Range<usize>,
    ) -> Res {
        if self.collect_with(code, stack, Some(Live::ALL), arguments.clone()) {
            match run(&mut self.cx, &stack[arguments]) {
                Err(e) if matches!(*e, Raise::Collect) => {
                    Err(Box::new(Raise::Limit(Limit::Memory)))
                }
                result => result,
            }
        } else {
            Err(Box::new(Raise::Limit(Limit::Memory)))
        }
    }

    /// Collects between two forms when it is time: what they need is in `pending`.
    pub(crate) fn tend(&mut self) -> Res<()> {
        if !self.cx.heap.needs_attention() {
            return Ok(());
        }
        self.with_stack(|vm, code, stack| vm.tend_heap(code, stack))
    }

    /// Forgets the program that a limit ended, with all that only it held.
    pub(crate) fn recover(&mut self) {
        self.pending.clear();
        self.cx.state = [Word::NIL; 3];
        // It may be what the limit ended.
        self.cx.expand_hook = Word::FALSE;
        self.cx.heap.recover();
        self.collect();
    }

    /// Collects when it is time; ends the program when the budget is used up.
    fn tend_heap(&mut self, code: &[Op], stack: &[Word]) -> Res<()> {
        if self.cx.heap.is_exhausted() {
            return Err(Box::new(Raise::Limit(Limit::Memory)));
        }
        if self.expanding > 0 {
            return if self.cx.heap.fits_now(0) {
                Ok(())
            } else {
                Err(Box::new(Raise::Limit(Limit::Memory)))
            };
        }
        if !self.cx.heap.must_collect() || self.collect_with(code, stack, None, 0..0) {
            Ok(())
        } else {
            Err(Box::new(Raise::Limit(Limit::Memory)))
        }
    }
}
