//! The world of a stand-alone component, as text.

use std::fmt::Write as _;

use super::function::{Function, Parameter};
use crate::visible;

/// The exported functions alone, in a world of their own: what the component's builder has to know.
pub(super) fn exports(functions: &[Function]) -> String {
    let mut text = "package holm:standalone;\n\nworld typed {\n".to_owned();
    for function in functions {
        let _ = writeln!(text, "  {}", declaration(function));
    }
    text.push_str("}\n");
    text
}

/// The whole world of a component that imports `imports` (interfaces with their versions), for people to
/// read and for a binding generator, beside the packages that it names.
pub(super) fn world(name: &str, imports: &[String], functions: &[Function]) -> String {
    let mut text = format!("package tools:%{name};\n\nworld %{name} {{\n");
    for import in imports {
        let _ = writeln!(text, "  import {import};");
    }
    text.push_str("\n  export holm:tool/guest@0.1.0;\n  export holm:tool/session@0.1.0;\n");
    for function in functions {
        text.push('\n');
        docs(&mut text, function);
        let _ = writeln!(text, "  {}", declaration(function));
    }
    text.push_str("}\n");
    text
}

fn docs(text: &mut String, function: &Function) {
    let mut line = |line: &str| {
        let _ = writeln!(text, "  /// {}", visible::line(line).trim_end());
    };
    function.description.lines().for_each(&mut line);
    for parameter in &function.parameters {
        if !parameter.description.is_empty() {
            line(&format!(
                "- `{}`: {}",
                parameter.name,
                parameter.description.replace(['\n', '\r'], " ")
            ));
        }
    }
}

fn declaration(function: &Function) -> String {
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    format!(
        "export %{}: func({}) -> result<string, string>;",
        function.name,
        parameters.join(", ")
    )
}

fn parameter(parameter: &Parameter) -> String {
    let kind = parameter.kind.wit();
    match parameter.optional {
        true => format!("%{}: option<{kind}>", parameter.name),
        false => format!("%{}: {kind}", parameter.name),
    }
}
