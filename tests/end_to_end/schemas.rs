//! What a model is told about tools, and what it is told when its arguments do not fit.

use serde_json::{Value, json};

use crate::project::{Project, result};

const TOOLS: &str = r#"
(define-tool order-something
  (description "Orders")
  (parameters '((ticker . ((type . "string") (description . "What")))
                (side . ((type . "string") (enum . ("buy" "sell"))))
                (quantity . ((type . "integer") (minimum . 1)))
                (tags . ((type . "array") (required . #f)))
                (anything . ((required . #f)))
                (when . ((type . "date") (required . #f)))))
  (execute (lambda (args) (length args))))
"#;

fn schema(project: &Project, form: &str) -> Vec<Value> {
    let run = project.holm(&["schema", "--format", form]).exits(0);
    run.json().as_array().unwrap().clone()
}

#[test]
fn every_form_is_valid_json_schema_under_a_name_that_clients_accept() {
    let project = Project::with_config("[tools.http]\ntrust-declared = true\n");
    project
        .add_tool("fetch.scm")
        .add_tool("echo.scm")
        .add_tool("nested.scm")
        .add_tool("environment.scm")
        .add_tool("greedy.scm");
    project.write(
        "tools/order.scm",
        "(define tool-name \"order_something\")\n(define tool-description \"Orders\")\n\
         (define tool-parameters '((tags . ((type . \"array\"))) (x) (when . ((type . \"date\")))))\n\
         (define (tool-execute args) 1)\n",
    );
    for (form, name, parameters) in [
        ("openai", "/function/name", "/function/parameters"),
        ("anthropic", "/name", "/input_schema"),
        ("mcp", "/name", "/inputSchema"),
    ] {
        let tools = schema(&project, form);
        assert!(tools.len() >= 6, "{form}: {tools:?}");
        let mut names = Vec::new();
        for tool in &tools {
            let name = tool.pointer(name).unwrap().as_str().unwrap();
            assert!((1..=64).contains(&name.len()), "{name}");
            assert!(
                name.bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'),
                "{name}"
            );
            names.push(name);
            let parameters = tool.pointer(parameters).unwrap();
            assert_eq!(parameters["type"], "object");
            assert!(
                jsonschema::draft202012::meta::is_valid(parameters),
                "{tool}"
            );
            assert!(jsonschema::draft202012::new(parameters).is_ok(), "{tool}");
            for (property, schema) in parameters["properties"].as_object().unwrap() {
                assert_ne!(*schema, json!({}), "{name} {property}");
            }
        }
        assert!(names.is_sorted(), "{names:?}");
        assert!(names.contains(&"order_something"), "{names:?}");
        // The same tools give the same bytes.
        let again = project.holm(&["schema", "--format", form]).exits(0);
        assert_eq!(
            serde_json::from_str::<Vec<Value>>(&again.stdout).unwrap(),
            tools
        );
    }
}

#[test]
fn annotations_say_what_the_grants_allow() {
    let project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared/fetch.scm\" = [\"https://example.com/\"]\n\
         [tools.env]\n\"/tools/shared/environment.scm\" = [\"GRANTED\"]\n",
    );
    project
        .add_tool("fetch.scm")
        .add_tool("echo.scm")
        .add_tool("environment.scm");
    let hints: Vec<(String, bool, bool)> = schema(&project, "mcp")
        .iter()
        .map(|tool| {
            let hint = |name: &str| tool["annotations"][name].as_bool().unwrap();
            (
                tool["name"].as_str().unwrap().to_owned(),
                hint("readOnlyHint"),
                hint("openWorldHint"),
            )
        })
        .collect();
    let expected = [
        ("echo", true, false),
        ("environment", false, true),
        ("fetch", false, true),
    ];
    assert_eq!(
        hints,
        expected.map(|(name, read, open)| (name.to_owned(), read, open))
    );
}

#[test]
fn arguments_that_do_not_fit_are_a_result_that_says_what_to_change() {
    let project = Project::with_config("");
    project.write(
        "tools/order.scm",
        &TOOLS.replace("order-something", "order"),
    );
    let call = |arguments: &str| project.holm(&["call", "order", arguments]);
    for (arguments, text) in [
        (
            r#"{"tiker":"A","side":"by","quantity":"10"}"#,
            "error: invalid arguments: `ticker` is required and missing (there is no `tiker`); `quantity` must be an integer, got the string \"10\"; `side` must be one of \"buy\", \"sell\", got the string \"by\"",
        ),
        (
            r#"{"ticker":"A","side":"buy","quantity":0}"#,
            "error: invalid arguments: `quantity` must be at least 1, got 0",
        ),
        (
            r#"{"ticker":"A","side":"buy","quantity":1,"tags":"x"}"#,
            "error: invalid arguments: `tags` must be an array, got the string \"x\"",
        ),
    ] {
        call(arguments).exits(1).prints(&result(text));
    }
    // Leave out, null, or add: as the format has it.
    for (arguments, count) in [
        (r#"{"ticker":"A","side":"buy","quantity":1.0}"#, "3"),
        (
            r#"{"ticker":"A","side":"buy","quantity":1,"tags":null,"when":4,"more":[]}"#,
            "6",
        ),
    ] {
        call(arguments).exits(0).prints(&result(count));
    }
}
