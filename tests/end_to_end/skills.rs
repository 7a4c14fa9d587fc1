//! A skill decides what is listed, declared and called. V1 to V8 are the verification list of
//! the policy's specification.

use serde_json::{Value, json};

use crate::project::{Project, result};
use crate::server::{Answer, Server};
use crate::swarm::{REFUSAL, WORKER, add_tools, names, skill};

/// A project with 92 tools and skill files of these tags.
fn swarm(skills: &[(&str, Value)]) -> Project {
    let project = Project::with_config("");
    add_tools(&project, 92);
    for (name, tags) in skills {
        project.write(&format!("{name}.json"), &skill(tags));
    }
    project
}

/// The names in the declarations for OpenAI, which is what a request to a model carries.
fn declared(project: &Project, arguments: &[&str]) -> Vec<String> {
    let run = project.holm(&[&["schema"], arguments].concat()).exits(0);
    run.json()
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect()
}

fn worker() -> Vec<String> {
    let mut names = WORKER.map(str::to_owned).to_vec();
    names.sort();
    names
}

#[test]
fn v1_without_a_policy_everything_is_declared_and_with_one_the_count_is_told() {
    let project = swarm(&[("worker", json!([["tools", WORKER.join(",")]]))]);
    assert_eq!(declared(&project, &[]).len(), 92);
    project
        .holm(&["schema", "--skill", "worker.json"])
        .exits(0)
        .tells("the skill sees 5 of 92 tools");
}

#[test]
fn v2_a_worker_is_told_of_its_five_tools_in_every_form() {
    let project = swarm(&[("worker", json!([["tools", WORKER.join(",")]]))]);
    let skill = ["--skill", "worker.json"];
    assert_eq!(declared(&project, &skill), worker());
    for form in ["anthropic", "mcp"] {
        let run = project
            .holm(&[&["schema", "--format", form], &skill[..]].concat())
            .exits(0);
        let tools = run.json();
        let names: Vec<&str> = tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, worker(), "{form}");
    }
    let list = project.holm(&[&["list"], &skill[..]].concat()).exits(0);
    assert_eq!(names(&list), worker());
}

#[test]
fn v3_a_worker_claims_with_the_tool_that_tags_its_claims() {
    let project = swarm(&[("worker", json!([["tools", WORKER.join(",")]]))]);
    let claim = project
        .holm(&[
            "call",
            "swarm_claim",
            r#"{"task":"42"}"#,
            "--skill",
            "worker.json",
        ])
        .exits(0);
    assert!(claim.stdout.contains(r#"["t","swarm-task"]"#), "{claim:#?}");
}

#[test]
fn v4_and_v5_no_tag_and_a_wildcard_are_every_tool() {
    let project = swarm(&[
        ("none", json!([["d", "worker"]])),
        ("star", json!([["tools", "*"]])),
    ]);
    for file in ["none.json", "star.json"] {
        assert_eq!(declared(&project, &["--skill", file]).len(), 92, "{file}");
        project
            .holm(&["call", "other_050", "--skill", file])
            .exits(0)
            .prints(&result("50"));
    }
}

#[test]
fn v6_and_v7_a_list_is_exactly_what_it_names_and_a_slip_is_told() {
    let project = swarm(&[
        ("two", json!([["tools", "swarm_read,swarm_claim"]])),
        ("slip", json!([["tools", "swarm_read,bogus"]])),
    ]);
    let two = project.holm(&["list", "--skill", "two.json"]).exits(0);
    assert_eq!(names(&two), ["swarm_claim", "swarm_read"]);
    assert!(!two.stderr.contains("warning"), "{two:#?}");
    let slip = project.holm(&["list", "--skill", "slip.json"]).exits(0);
    assert_eq!(names(&slip), ["swarm_read"]);
    assert_eq!(slip.stderr.matches("warning:").count(), 1, "{slip:#?}");
    slip.tells("\"bogus\"");
}

#[test]
fn v8_a_forced_call_is_refused_and_does_not_run() {
    let server = Server::start(|_| Answer::ok("ran"));
    let project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared/fetch.scm\" = [{:?}]\n",
        server.url("/")
    ));
    project
        .add_tool("fetch.scm")
        .add_tool("echo.scm")
        .add_tool("nested.scm");
    project.write("worker.json", &skill(&json!([["tools", "echo,relay"]])));
    let arguments = format!("{{\"target\":{:?}}}", server.url("/"));
    let forced = [
        "call",
        "fetch",
        &arguments,
        "--yes",
        "--skill",
        "worker.json",
    ];
    let hidden = project.holm(&forced).exits(3);
    assert_eq!(hidden.stdout, format!("{REFUSAL}\n"));
    // A program gets the same bytes.
    let json = project.holm(&[&forced[..], &["--json"]].concat()).exits(3);
    assert_eq!(json.stdout, hidden.stdout);
    // So does whoever asks for what is not there, so that nobody can find out what is.
    let unknown = project
        .holm(&[
            "call",
            "ecko",
            &arguments,
            "--yes",
            "--skill",
            "worker.json",
        ])
        .exits(3);
    assert_eq!(unknown, hidden);
    // A tool of the skill does not reach further than the skill.
    for name in ["fetch", "ecko"] {
        let nested = project
            .holm(&[
                "call",
                "relay",
                &format!("{{\"tool\":{name:?}}}"),
                "--yes",
                "--skill",
                "worker.json",
            ])
            .exits(1);
        assert!(
            nested.stdout.contains(
                "tool error: {\"success\":false,\"error\":\"tool not permitted by skill policy\"}"
            ),
            "{nested:#?}"
        );
    }
    server.assert_untouched("no permission by the skill");
    // Without the skill it runs.
    project
        .holm(&["call", "fetch", &arguments, "--yes"])
        .exits(0)
        .prints(&result("ran"));
}

#[test]
fn a_skill_md_is_a_skill_and_a_broken_one_is_not_everything() {
    let project = swarm(&[]);
    project
        .write("SKILL.md", "---\nname: worker\ndescription: Works\nallowed-tools: swarm_read swarm_claim\n---\n\n# Worker\n")
        .write("broken.md", "---\ntools: [swarm_read\n---\n")
        .write("broken.json", "{\"tools\":\"swarm_read\"}")
        .write("notes.txt", "swarm_read");
    let list = project.holm(&["list", "--skill", "SKILL.md"]).exits(0);
    assert_eq!(names(&list), ["swarm_claim", "swarm_read"]);
    for broken in ["broken.md", "broken.json", "notes.txt", "missing.json"] {
        for command in [&["list"][..], &["schema"], &["call", "swarm_read"]] {
            project
                .holm(&[command, &["--skill", broken]].concat())
                .exits(2)
                .prints("")
                .tells(broken);
        }
    }
}

#[test]
fn check_says_what_a_skill_hides() {
    let project = swarm(&[("worker", json!([["tools", "nostr_post"]]))]);
    let check = ["check", "tools/nostr.scm", "--skill", "worker.json"];
    let run = project.holm(&check).exits(0);
    assert!(
        run.stdout.contains("tool nostr_post (synthesised)\n"),
        "{run:#?}"
    );
    assert!(
        run.stdout
            .contains("tool nostr_query (synthesised), hidden from worker.json\n"),
        "{run:#?}"
    );
    let json = project
        .holm(&[&check[..], &["--json"]].concat())
        .exits(0)
        .json();
    let permitted: Vec<&Value> = json["files"][0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["permitted"])
        .collect();
    assert_eq!(permitted, [true, false]);
}
