//! Tools as typed functions: from a JSON Schema to parameters that WIT has types for.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::names;
use crate::registry::Tool;

/// A tool as a function of the component's world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Name of the tool.
    pub tool: String,
    /// Name of the function: the tool's, in the spelling of WIT.
    pub name: String,
    /// The tool's description.
    pub description: String,
    /// In the order of the schema's properties, which is the names'.
    pub parameters: Vec<Parameter>,
}

/// A parameter of such a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The argument, as the tool has it.
    pub argument: String,
    /// Its name in the spelling of WIT.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Whether the tool can do without; it is an `option` then.
    pub optional: bool,
    /// What the schema says about it.
    pub description: String,
}

/// Types of parameters. The names are the guest's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `bool`
    Bool,
    /// `s64`
    S64,
    /// `f64`
    F64,
    /// `string`
    String,
    /// JSON text in a `string`: objects, mixed lists, and whatever has no type.
    Json,
    /// `list<bool>`
    ListBool,
    /// `list<s64>`
    ListS64,
    /// `list<f64>`
    ListF64,
    /// `list<string>`
    ListString,
}

impl Kind {
    /// The type as WIT writes it.
    #[must_use]
    pub fn wit(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::S64 => "s64",
            Self::F64 => "f64",
            Self::String | Self::Json => "string",
            Self::ListBool => "list<bool>",
            Self::ListS64 => "list<s64>",
            Self::ListF64 => "list<f64>",
            Self::ListString => "list<string>",
        }
    }

    fn of(schema: &Value) -> Self {
        let word = |schema: &Value| {
            schema
                .get("type")
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        match word(schema).as_deref() {
            Some("string") => Self::String,
            Some("integer") => Self::S64,
            Some("number") => Self::F64,
            Some("boolean") => Self::Bool,
            Some("array") => match schema.get("items").and_then(word).as_deref() {
                Some("string") => Self::ListString,
                Some("integer") => Self::ListS64,
                Some("number") => Self::ListF64,
                Some("boolean") => Self::ListBool,
                _ => Self::Json,
            },
            _ => Self::Json,
        }
    }
}

/// The functions of some tools.
///
/// # Errors
/// Two tools whose names WIT writes alike, or a name that it cannot write.
pub fn functions<'a>(tools: impl Iterator<Item = &'a Tool>) -> Result<Vec<Function>, String> {
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    let mut functions = Vec::new();
    for tool in tools {
        let name = names::kebab(&tool.name)
            .ok_or_else(|| format!("the tool `{}` has no name that WIT can write", tool.name))?;
        if let Some(other) = taken.insert(name.clone(), &tool.name) {
            return Err(format!(
                "the tools `{other}` and `{}` are both `{name}` in WIT: rename one of them",
                tool.name
            ));
        }
        functions.push(Function {
            tool: tool.name.clone(),
            name,
            description: tool.description.clone(),
            parameters: parameters(&tool.parameters),
        });
    }
    Ok(functions)
}

fn parameters(schema: &Value) -> Vec<Parameter> {
    let required = |name: &str| {
        let names = schema.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut taken = Vec::new();
    properties
        .into_iter()
        .flatten()
        .map(|(argument, property)| {
            let name = names::unused(names::kebab(argument), &taken);
            taken.push(name.clone());
            let description = property.get("description").and_then(Value::as_str);
            Parameter {
                argument: argument.clone(),
                name,
                kind: Kind::of(property),
                optional: !required(argument),
                description: description.unwrap_or_default().to_owned(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_become_parameters() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": "string", "description": "one" },
                "b_c": { "type": "integer" },
                "b-c": { "type": "number" },
                "d": { "type": "boolean" },
                "e": { "type": "array", "items": { "type": "string" } },
                "f": { "type": "array", "items": { "type": "integer" } },
                "g": { "type": "array", "items": { "type": "number" } },
                "h": { "type": "array", "items": { "type": "boolean" } },
                "i": { "type": "array" },
                "j": { "type": "array", "items": { "type": "object" } },
                "k": { "type": "object" },
                "l": {},
                "größe": { "type": ["string", "null"] },
            },
            "required": ["a", "e"],
        });
        let shown: Vec<String> = parameters(&schema)
            .iter()
            .map(|p| {
                let mark = if p.optional { "?" } else { "" };
                format!("{} {}{mark}: {:?}", p.argument, p.name, p.kind)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a a: String",
                "b-c b-c?: F64",
                "b_c b-c2?: S64",
                "d d?: Bool",
                "e e: ListString",
                "f f?: ListS64",
                "g g?: ListF64",
                "größe gr-e?: Json",
                "h h?: ListBool",
                "i i?: Json",
                "j j?: Json",
                "k k?: Json",
                "l l?: Json",
            ]
        );
    }
}
