//! Where the configuration comes from, what it may decide, and what is wrong with it.

use crate::project::{Project, result};

/// The text of a tool that says which file it is of.
fn named(tool: &str, says: &str) -> String {
    format!(
        "(define-tool {tool} (description \"d\") (parameters '()) (execute (lambda (args) {says:?})))\n"
    )
}

#[test]
fn the_users_own_configuration_is_the_authority() {
    let mut project = Project::with_config(
        "[tools]\nexclude = [\"page\"]\n[tools.env]\n\"/tools\" = [\"GRANTED\"]\n",
    );
    project.add_tool("environment.scm");
    project.set("GRANTED", "value");
    let run = project.holm(&["call", "environment"]).exits(0);
    assert!(run.stdout.contains("\"value\""), "{run:#?}");

    // The same file, now under one of the user's own, gives nothing.
    project.write(
        ".config/holm/holm.toml",
        "[mount]\n\"/tools/shared\" = \"../../own\"\n[tools.env]\n\"/tools/shared\" = [\"GRANTED\"]\n",
    );
    project.write("own/mine.scm", &named("mine", "mine"));
    project
        .holm(&["list"])
        .exits(0)
        .prints(&format!(
            "mine\tsynthesised\td\t{}\n",
            ".config/holm/../../own/mine.scm"
        ))
        .tells("holm.toml:2:1: the mount `/tools/shared` is left out")
        .tells("`tools.env`: a local configuration does not decide this")
        .tells("`cache`: a local configuration does not decide this");

    // A local mount has a place of its own, which the user's wide keys do not reach.
    project.write("holm.toml", "[mount]\n\"/tools/local\" = \"tools\"\n");
    let run = project.holm(&["call", "environment"]).exits(0);
    assert!(!run.stdout.contains("\"value\""), "{run:#?}");
    project.holm(&["call", "mine"]).exits(0);

    // Named, a file is taken as it is.
    project.write(
        "holm.toml",
        "[mount]\n\"/tools/shared\" = \"tools\"\n[tools.env]\n\"/tools/shared\" = [\"GRANTED\"]\n",
    );
    let run = project
        .holm(&["call", "environment", "--config", "holm.toml"])
        .exits(0);
    assert!(run.stdout.contains("\"value\""), "{run:#?}");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_anybody_can_write_has_to_be_named() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with_config("");
    project.add_tool("echo.scm");
    let file = project.folder().join("holm.toml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    for command in [
        &["list"][..],
        &["call", "echo"],
        &["check", "tools/echo.scm"],
    ] {
        project
            .holm(command)
            .exits(2)
            .prints("")
            .tells("holm.toml: the configuration can be written by every user")
            .tells("--config holm.toml");
    }
    project.holm(&["list", "--config", "holm.toml"]).exits(0);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_files() {
    let project = Project::with_config("");
    let made = project.command("mkfifo").arg("pipe").status().unwrap();
    assert!(made.success());
    for odd in ["pipe", "/dev/zero"] {
        project
            .holm(&["list", "--config", odd])
            .exits(2)
            .tells("the configuration is not a regular file");
        project
            .holm(&["list", "--file", odd])
            .exits(2)
            .tells("is not a regular file");
        project
            .holm(&["call", "x", "--file", odd])
            .exits(2)
            .tells("is not a regular file");
    }
}

#[test]
fn a_file_from_the_command_line_takes_no_name_and_no_wide_grant() {
    let mut project = Project::with_config("[tools.env]\n\"/tools\" = [\"GRANTED\"]\n");
    project.set("GRANTED", "value");
    project
        .write("tools/mine.scm", &named("mine", "mounted"))
        .write("other/mine.scm", &named("mine", "other"));
    project
        .holm(&["call", "mine", "--file", "other/mine.scm"])
        .exits(0)
        .prints(&result("mounted"))
        .tells("other/mine.scm: the tool `mine` is defined by tools/mine.scm already");
    let environment = std::fs::read_to_string(crate::project::tools().join("environment.scm"));
    project.write("other/environment.scm", &environment.unwrap());
    let run = project
        .holm(&["call", "environment", "--file", "other/environment.scm"])
        .exits(0);
    assert!(!run.stdout.contains("\"value\""), "{run:#?}");
}

#[test]
fn what_is_named_and_not_there_is_a_mistake() {
    let project = Project::with_config("\"/tools/gone\" = \"gone\"\n");
    let text = std::fs::read_to_string(project.folder().join("holm.toml")).unwrap();
    // The mount stands under `[mount]`.
    let text = text.replace("[cache]", "\"/tools/home/x\" = \"gone\"\n[cache]");
    project.write(
        "holm.toml",
        text.replace("\"/tools/gone\" = \"gone\"\n", "").as_str(),
    );
    project.add_tool("echo.scm");
    let list = project
        .holm(&["list"])
        .exits(2)
        .tells("holm.toml:3:1: the folder of mount `/tools/home/x`");
    assert!(list.stdout.starts_with("echo\t"), "{list:#?}");
    project.holm(&["call", "echo"]).exits(0);

    let project = Project::with_config("");
    project.add_tool("echo.scm");
    for command in [
        &["list", "--file", "gone.scm"][..],
        &["call", "echo", "--file", "gone.scm"],
        &["check", "gone.scm"],
    ] {
        project
            .holm(command)
            .exits(2)
            .tells("gone.scm: cannot be read");
    }
}

#[test]
fn what_has_no_effect_is_warned_about() {
    let project = Project::with_config(
        "[tools]\ninclude = [\"echo\", \"ecko\"]\nexclude = [\"dangerous\"]\n\
         [tools.env]\n\"/tools/shared/echo.scm\" = [\"A\"]\n\"/tools/sharde\" = [\"B\"]\n",
    );
    project.add_tool("echo.scm");
    project
        .holm(&["list"])
        .exits(0)
        .tells("holm.toml:6:20: `tools.include`: there is no tool `ecko`")
        .tells("holm.toml:7:12: `tools.exclude`: there is no tool `dangerous`")
        .tells("holm.toml:10:1: `tools.env.\"/tools/sharde\"` covers no tool file");
}

#[test]
fn a_program_gets_json_whatever_is_wrong() {
    let project = Project::with_config("");
    project.add_tool("echo.scm");
    let json = |arguments: &[&str], code: i32| {
        let mut arguments = arguments.to_vec();
        arguments.push("--json");
        project.holm(&arguments).exits(code).json()
    };
    let unknown = json(&["call", "ecko"], 2);
    assert_eq!(unknown["success"], false);
    assert_eq!(unknown["error"], "there is no tool `ecko`");
    assert_eq!(
        unknown["diagnostics"][0]["hints"][0],
        "did you mean `echo`?"
    );
    assert_eq!(
        json(&["call", "echo", "[]"], 2)["error"],
        "the arguments are JSON, but not an object"
    );
    assert_eq!(json(&["cal"], 2)["success"], false);
    assert_eq!(
        json(&["list", "--config", "gone.toml"], 2)["success"],
        false
    );
    assert_eq!(json(&["call", "echo"], 0)["success"], true);
}

#[test]
fn a_list_can_be_narrowed() {
    let project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared/market_order.scm\" = [\"https://broker.example.com/\"]\n",
    );
    project.add_tool("echo.scm").add_market_order();
    project.write("tools/deep/more.scm", &named("more", "more"));
    for (arguments, tools) in [
        (&["list"][..], &["more", "echo", "market_order"][..]),
        (&["list", "--category", "network"], &["market_order"]),
        (
            &["list", "--category", "network", "--category", "synthesised"],
            &["more", "echo", "market_order"],
        ),
        (&["list", "--path", "/tools/shared/deep"], &["more"]),
        (&["list", "--path", "/tools/shared/de"], &[]),
        (&["list", "--category", "eval"], &[]),
    ] {
        let run = project.holm(arguments).exits(0);
        let names: Vec<_> = run
            .stdout
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        assert_eq!(names, tools, "{arguments:?}");
    }
    project
        .holm(&["list", "--category", "netwrk"])
        .exits(2)
        .tells("did you mean `network`?");
}

#[test]
fn an_odd_name_is_no_tool() {
    let project = Project::with_config("");
    let long = "x".repeat(65);
    for name in ["two words", "ordеr", "order\u{3164}", "a.b", "", &long] {
        project.write(
            "tools/odd.scm",
            &format!(
                "(define tool-name {name:?})\n(define tool-description \"d\")\n(define tool-parameters '())\n(define (tool-execute args) 1)\n"
            ),
        );
        project
            .holm(&["check", "tools/odd.scm"])
            .exits(1)
            .tells("is not accepted as the name of a tool")
            .tells("at most 64");
    }
}

/// A file is loaded once, and a hostile one costs its limit once: what the load came to is
/// kept, under the hash of everything that it depends on.
#[cfg(unix)]
#[test]
fn loads_are_kept_and_values_of_variables_are_not() {
    let mut project = Project::new();
    project.write(
        "holm.toml",
        "[mount]\n\"/tools/shared\" = \"tools\"\n[cache]\ndir = \"kept\"\n[tools.env]\n\"/tools/shared/secret.scm\" = [\"SECRET\"]\n",
    );
    // Compiled code is another test's: it only takes time to make here.
    let kept = |project: &Project| {
        let entries = std::fs::read_dir(project.folder().join("kept/loaded")).unwrap();
        entries
            .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
            .collect::<Vec<_>>()
    };
    project.write("tools/good.scm", &named("good", "good"));
    project.write("tools/stuck.scm", "(let loop () (loop))\n");
    project.write(
        "tools/secret.scm",
        "(define tool-name \"secret\")\n(define tool-description (get-environment-variable \"SECRET\"))\n(define tool-parameters '())\n(define (tool-execute args) 1)\n",
    );
    project.set("SECRET", "hunter2hunter2");
    let first = project
        .holm(&["list"])
        .exits(0)
        .tells("step limit exceeded");
    assert!(first.stdout.contains("hunter2hunter2"), "{first:#?}");
    let files = kept(&project);
    assert_eq!(files.len(), 2);
    let holds = |bytes: &Vec<u8>| bytes.windows(7).any(|window| window == b"hunter2");
    assert!(!files.iter().any(holds));
    let second = project.holm(&["list"]).exits(0);
    assert_eq!((second.stdout, second.stderr), (first.stdout, first.stderr));
    assert_eq!(kept(&project).len(), 2);
    project
        .holm(&["call", "good"])
        .exits(0)
        .prints(&result("good"));
    project.write("tools/good.scm", &named("good", "better"));
    project
        .holm(&["call", "good"])
        .exits(0)
        .prints(&result("better"));
    assert_eq!(kept(&project).len(), 3);
}
