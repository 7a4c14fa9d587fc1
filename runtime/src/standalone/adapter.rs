//! The functions behind the typed exports: they write their flat parameters into the guest's frame and let
//! it call the tool (the guest's `typed` has the other half).
//!
//! Layout and flattening are those of the component model's canonical ABI: up to 16 flat parameters are passed
//! as they are, more in memory, as a record.

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function as Body, FunctionSection, Instruction, MemArg,
    Module, TypeSection, ValType,
};
use wasmparser::{ExternalKind, Parser};

use super::function::{Function, Kind, Parameter};

/// Flat parameters that are passed without memory.
const MAX_FLAT: usize = 16;
/// The guest's exports that the functions need. They are for the builder alone, and so is every other
/// export with this beginning.
const PRIVATE: &str = "holm-";

/// Adds one exported function per tool to a core module, and takes the builder's exports away.
///
/// # Errors
/// The module is not the guest.
pub(super) fn add(core: &[u8], functions: &[Function]) -> Result<Vec<u8>, String> {
    let mut adding = Adding::new(core, functions).map_err(|error| error.to_string())?;
    let mut module = Module::new();
    adding
        .parse_core_module(&mut module, Parser::new(0), core)
        .map_err(|error: reencode::Error<Wrong>| error.to_string())?;
    Ok(module.finish())
}

/// What is wrong with the module.
#[derive(Debug)]
struct Wrong(&'static str);

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the guest has no export `{}`", self.0)
    }
}

impl std::error::Error for Wrong {}

struct Adding<'a> {
    functions: &'a [Function],
    /// Types and functions that the module has before any is added.
    types: u32,
    defined: u32,
    frame: u32,
    invoke: u32,
    release: u32,
}

impl<'a> Adding<'a> {
    fn new(core: &[u8], functions: &'a [Function]) -> Result<Self, Box<dyn std::error::Error>> {
        let (mut types, mut defined) = (0, 0);
        let mut exports = std::collections::BTreeMap::new();
        for payload in Parser::new(0).parse_all(core) {
            match payload? {
                wasmparser::Payload::TypeSection(section) => {
                    for group in section {
                        types += u32::try_from(group?.types().len())?;
                    }
                }
                wasmparser::Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let ty = import?.ty;
                        defined += u32::from(matches!(ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                wasmparser::Payload::FunctionSection(section) => defined += section.count(),
                wasmparser::Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        if export.kind == ExternalKind::Func {
                            exports.insert(export.name.to_owned(), export.index);
                        }
                    }
                }
                _ => {}
            }
        }
        let find = |name: &'static str| exports.get(name).copied().ok_or(Wrong(name));
        Ok(Self {
            functions,
            types,
            defined,
            frame: find("holm-frame")?,
            invoke: find("holm-invoke")?,
            release: find("holm-release")?,
        })
    }

    /// Index of the tool's function; the one that frees its answer follows.
    fn index(&self, tool: usize) -> u32 {
        self.defined + 2 * u32::try_from(tool).unwrap_or(u32::MAX / 4)
    }

    fn body(&self, tool: usize, function: &Function) -> Body {
        let slots = slots(&function.parameters);
        let in_memory = slots.len() > MAX_FLAT;
        let parameters = if in_memory { 1 } else { slots.len() };
        // The one local: where the frame is.
        let frame = u32::try_from(parameters).unwrap_or(u32::MAX);
        let mut body = Body::new([(1, ValType::I32)]);
        let mut emit = |instruction: Instruction<'_>| {
            body.instruction(&instruction);
        };
        emit(Instruction::I32Const(
            i32::try_from(slots.len()).unwrap_or(i32::MAX),
        ));
        emit(Instruction::Call(self.frame));
        emit(Instruction::LocalSet(frame));
        for (at, slot) in slots.iter().enumerate() {
            emit(Instruction::LocalGet(frame));
            if in_memory {
                emit(Instruction::LocalGet(0));
                emit(slot.load());
            } else {
                emit(Instruction::LocalGet(u32::try_from(at).unwrap_or(u32::MAX)));
            }
            match slot.ty() {
                ValType::I32 => emit(Instruction::I64ExtendI32U),
                ValType::F64 => emit(Instruction::I64ReinterpretF64),
                _ => {}
            }
            emit(Instruction::I64Store(memory(8 * at as u64, 3)));
        }
        emit(Instruction::I32Const(
            i32::try_from(tool).unwrap_or(i32::MAX),
        ));
        emit(Instruction::Call(self.invoke));
        emit(Instruction::End);
        body
    }
}

impl Reencode for Adding<'_> {
    type Error = Wrong;

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Wrong>> {
        utils::parse_type_section(self, types, section)?;
        // For all functions alike: what frees an answer.
        types.ty().function([ValType::I32], []);
        for function in self.functions {
            let slots = slots(&function.parameters);
            let parameters = match slots.len() > MAX_FLAT {
                true => vec![ValType::I32],
                false => slots.iter().map(Slot::ty).collect(),
            };
            types.ty().function(parameters, [ValType::I32]);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<Wrong>> {
        utils::parse_function_section(self, functions, section)?;
        for (_, ty) in self.functions.iter().zip(self.types + 1..) {
            functions.function(ty);
            functions.function(self.types);
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error<Wrong>> {
        for export in section {
            let export = export?;
            if !export.name.starts_with(PRIVATE) {
                utils::parse_export(self, exports, export)?;
            }
        }
        for (tool, function) in self.functions.iter().enumerate() {
            let index = self.index(tool);
            exports.export(&function.name, ExportKind::Func, index);
            let release = format!("cabi_post_{}", function.name);
            exports.export(&release, ExportKind::Func, index + 1);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Wrong>> {
        utils::parse_code_section(self, code, section)?;
        for (tool, function) in self.functions.iter().enumerate() {
            code.function(&self.body(tool, function));
            let mut release = Body::new([]);
            release.instruction(&Instruction::LocalGet(0));
            release.instruction(&Instruction::Call(self.release));
            release.instruction(&Instruction::End);
            code.function(&release);
        }
        Ok(())
    }
}

/// One flat parameter, and where it is when all of them are in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// One byte: a `bool`, or whether an `option` is there.
    Byte(u64),
    /// An address or a length.
    Word(u64),
    S64(u64),
    F64(u64),
}

impl Slot {
    fn ty(&self) -> ValType {
        match self {
            Self::Byte(_) | Self::Word(_) => ValType::I32,
            Self::S64(_) => ValType::I64,
            Self::F64(_) => ValType::F64,
        }
    }

    fn load(&self) -> Instruction<'static> {
        match *self {
            Self::Byte(at) => Instruction::I32Load8U(memory(at, 0)),
            Self::Word(at) => Instruction::I32Load(memory(at, 2)),
            Self::S64(at) => Instruction::I64Load(memory(at, 3)),
            Self::F64(at) => Instruction::F64Load(memory(at, 3)),
        }
    }
}

fn memory(offset: u64, align: u32) -> MemArg {
    MemArg {
        offset,
        align,
        memory_index: 0,
    }
}

/// The flat parameters of a function, in order.
fn slots(parameters: &[Parameter]) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut at: u64 = 0;
    for parameter in parameters {
        let (size, align) = match parameter.kind {
            Kind::Bool => (1, 1),
            Kind::S64 | Kind::F64 => (8, 8),
            _ => (8, 4),
        };
        at = at.next_multiple_of(align);
        if parameter.optional {
            slots.push(Slot::Byte(at));
            // The payload is aligned behind the byte that says whether it is there.
            at += align;
        }
        match parameter.kind {
            Kind::Bool => slots.push(Slot::Byte(at)),
            Kind::S64 => slots.push(Slot::S64(at)),
            Kind::F64 => slots.push(Slot::F64(at)),
            _ => slots.extend([Slot::Word(at), Slot::Word(at + 4)]),
        }
        at += size;
    }
    slots
}
