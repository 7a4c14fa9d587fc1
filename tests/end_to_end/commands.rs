//! The command line itself: forms, exit codes, what goes where.

use crate::project::{Project, result};

#[test]
fn init_gives_something_that_works() {
    let project = Project::new();
    project.holm(&["init"]).exits(0).prints("");
    project
        .holm(&["call", "hello", r#"{"name":"Ada"}"#])
        .exits(0)
        .prints(&result("Hello, Ada."));
    project
        .holm(&["call", "hello", r#"{"name":"Ada","loudly":true}"#])
        .exits(0)
        .prints(&result("Hello, Ada!"));
    project
        .holm(&["check", "tools/hello.scm", "tools/page.scm"])
        .exits(0);
    let list = project.holm(&["list"]).exits(0);
    assert_eq!(list.stderr, "");
    let names: Vec<_> = list
        .stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(names, ["hello", "page"]);
}

#[test]
fn init_overwrites_nothing() {
    let project = Project::new();
    project.write("new/holm.toml", "# mine\n");
    project
        .holm(&["init", "new"])
        .exits(0)
        .tells("kept new/holm.toml");
    let kept = std::fs::read_to_string(project.folder().join("new/holm.toml")).unwrap();
    assert_eq!(kept, "# mine\n");
    assert!(project.folder().join("new/tools/hello.scm").is_file());
}

#[test]
fn arguments_are_one_json_object() {
    let project = Project::with_config("");
    project.add_tool("echo.scm");
    let echo = |arguments: &str| project.holm(&["call", "echo", arguments]);
    echo(r#"{"b":[1,2.5,"x",null,true],"a":{}}"#)
        .exits(0)
        .prints("result: ((\"a\") (\"b\" 1 2.5 \"x\" null #t))\nstdout: ((\"a\") (\"b\" 1 2.5 \"x\" null #t))\nstderr: (empty)\n");
    for (arguments, message) in [
        ("[1]", "not an object"),
        ("null", "not an object"),
        ("{\"a\":", "not JSON"),
        ("{} {}", "not JSON"),
        ("", "not JSON"),
    ] {
        echo(arguments)
            .exits(2)
            .prints("")
            .tells(message)
            .tells("hint: give one JSON object");
    }
    project
        .holm_with_input(&["call", "echo", "-"], "{\"from\":\"stdin\"}")
        .exits(0)
        .prints(
            "result: ((\"from\" . \"stdin\"))\nstdout: ((\"from\" . \"stdin\"))\nstderr: (empty)\n",
        );
}

#[test]
fn an_unknown_tool_gets_a_suggestion() {
    let project = Project::with_config("");
    project.add_tool("echo.scm");
    project
        .holm(&["call", "ecko"])
        .exits(2)
        .tells("there is no tool `ecko`")
        .tells("hint: did you mean `echo`?");
}

#[test]
fn what_the_configuration_leaves_out_is_not_listed_and_not_called() {
    for config in [
        "[tools]\nexclude = [\"echo\"]\n",
        "[tools]\ninclude = [\"count\"]\n",
        "[tools]\nexclude-categories = [\"synthesised\"]\n",
    ] {
        let project = Project::with_config(config);
        project.add_tool("echo.scm");
        project.holm(&["list"]).exits(0).prints("");
        project.holm(&["call", "echo"]).exits(3).tells("[tools]");
    }
}

#[test]
fn a_file_can_be_given_without_any_configuration() {
    let project = Project::new();
    project.add_tool("echo.scm");
    project
        .holm(&["call", "echo", "--file", "tools/echo.scm"])
        .exits(0);
    let list = project
        .holm(&["list", "--file", "tools/echo.scm", "--json"])
        .exits(0)
        .json();
    assert_eq!(list["tools"][0]["name"], "echo");
    assert_eq!(list["tools"][0]["path"], "/tools/command-line/echo.scm");
    assert_eq!(list["tools"][0]["file"], "tools/echo.scm");
}

#[test]
fn a_wrong_configuration_stops_everything_with_its_line_and_key() {
    let project = Project::new();
    project.write(
        "holm.toml",
        "[tools.http.allow]\n\"/tools/shared\" = [\"https://a@b/\"]\n[tool]\n",
    );
    for command in [&["list"][..], &["call", "x"], &["check", "x.scm"]] {
        project
            .holm(command)
            .exits(2)
            .prints("")
            .tells("holm.toml:2:20: `tools.http.allow.\"/tools/shared\"`: \"https://a@b/\" is not a grant")
            .tells("holm.toml:3:2: `tool`: unknown key")
            .tells("hint: did you mean `tools`?");
    }
    project
        .holm(&["list", "--config", "elsewhere.toml"])
        .exits(2)
        .tells("elsewhere.toml: ");
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    let project = Project::new();
    for wrong in [&["cal"][..], &[], &["call"], &["check"], &["list", "--jsn"]] {
        project.holm(wrong).exits(2).prints("");
    }
    let about_call = project.holm(&["help", "call"]).exits(0);
    assert!(
        about_call.stdout.contains("Usage: holm call"),
        "{about_call:#?}"
    );
    let help = project.holm(&["--help"]).exits(0);
    for command in ["call", "list", "check", "permissions", "init", "help"] {
        assert!(
            help.stdout.contains(&format!("\n  {command} ")),
            "{help:#?}"
        );
    }
}

#[test]
fn json_has_every_part_of_an_answer() {
    let project = Project::with_config("");
    project.write(
        "tools/fails.scm",
        "(define-tool fails\n  (description \"Fails\")\n  (parameters '())\n  (execute (lambda (args)\n    (display \"hi\")\n    (error \"boom\" 1 \"two\"))))\n",
    );
    let answer = project.holm(&["call", "fails", "--json"]).exits(1).json();
    assert_eq!(answer["success"], false);
    assert_eq!(
        answer["result"],
        "error: scheme evaluation error: boom: (1 \"two\")"
    );
    assert_eq!(answer["stdout"], "hi");
    assert_eq!(answer["failure"]["line"], 6);
    assert!(answer["limit"].is_null());
    project
        .holm(&["call", "fails"])
        .exits(1)
        .prints("result: error: scheme evaluation error: boom: (1 \"two\")\nstdout: hi\nstderr: (empty)\n")
        .tells("tools/fails.scm:6:5: ")
        .tells("6 |     (error \"boom\" 1 \"two\"))))");
}
