//! A registry that follows its files, in this process.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use holm::config::Config;
use holm::registry::{Call, LiveRegistry, Principal, Registry};
use holm::sandbox::{Sandbox, SandboxOptions};

use crate::isolation::runtime;
use crate::project::{Project, cache};

/// A tool file whose tools all answer with one text.
fn file(tools: &[&str], answer: &str) -> String {
    tools
        .iter()
        .map(|name| {
            format!(
                "(define-tool {name} (description \"d\") (parameters '()) \
                 (execute (lambda (args) \"{answer}\")))\n"
            )
        })
        .collect()
}

async fn live(project: &Project) -> Arc<LiveRegistry> {
    let text = std::fs::read_to_string(project.folder().join("holm.toml")).unwrap();
    let config = Config::parse("holm.toml", &text, project.folder()).unwrap();
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(cache()),
        ..SandboxOptions::default()
    })
    .unwrap();
    LiveRegistry::load(Arc::new(config), Vec::new(), sandbox).await
}

fn names(registry: &Registry) -> Vec<&str> {
    registry
        .all_tools()
        .map(|tool| tool.name.as_str())
        .collect()
}

async fn answer(registry: &Arc<Registry>, tool: &str) -> String {
    let policy = crate::isolation::everything(registry);
    let tool = registry.find(&policy, tool).unwrap();
    let call = Call::new(Principal::local(), Arc::clone(&policy));
    let answer = registry.call(tool, &serde_json::Map::new(), &call).await;
    answer.unwrap().outcome.result
}

fn remove(project: &Project, name: &str) {
    std::fs::remove_file(project.folder().join(name)).unwrap();
}

fn rename(project: &Project, from: &str, to: &str) {
    let folder = project.folder();
    std::fs::rename(folder.join(from), folder.join(to)).unwrap();
}

#[test]
fn new_changed_renamed_and_deleted_files_take_effect() {
    runtime().block_on(async {
        let project = Project::with_config("");
        project.write("tools/a.scm", &file(&["one", "two"], "first"));
        let live = live(&project).await;
        let changes = live.subscribe();
        let first = live.current();
        assert_eq!(names(&first), ["one", "two"]);

        assert!(live.reload().await.is_nothing());
        assert!(!changes.has_changed().unwrap());

        project.write("tools/b.scm", &file(&["three"], "b"));
        let reload = live.reload().await;
        assert_eq!(reload.loaded, ["/tools/shared/b.scm"]);
        assert!(reload.tools_changed && changes.has_changed().unwrap());
        assert_eq!(names(&live.current()), ["one", "two", "three"]);

        // Another answer is no other tool for whoever lists them.
        project.write("tools/a.scm", &file(&["one", "two"], "second"));
        let version = *changes.borrow();
        let reload = live.reload().await;
        assert_eq!(reload.loaded, ["/tools/shared/a.scm"]);
        assert!(!reload.tools_changed);
        assert_eq!(*changes.borrow(), version);
        assert_eq!(answer(&live.current(), "one").await, "second");
        // Who began before has what was there then.
        assert_eq!(answer(&first, "one").await, "first");

        project.write("tools/a.scm", &file(&["one"], "third"));
        assert!(live.reload().await.tools_changed);
        assert_eq!(names(&live.current()), ["one", "three"]);

        rename(&project, "tools/b.scm", "tools/c.scm");
        let reload = live.reload().await;
        assert_eq!(reload.loaded, ["/tools/shared/c.scm"]);
        assert_eq!(reload.removed, ["/tools/shared/b.scm"]);
        assert_eq!(answer(&live.current(), "three").await, "b");

        remove(&project, "tools/a.scm");
        assert_eq!(live.reload().await.removed, ["/tools/shared/a.scm"]);
        assert_eq!(names(&live.current()), ["three"]);
    });
}

#[test]
fn what_does_not_load_or_cannot_be_read_keeps_its_last_good_version() {
    runtime().block_on(async {
        let project = Project::with_config("");
        project.write("tools/a.scm", &file(&["one"], "good"));
        let live = live(&project).await;
        let broken: [&[u8]; 3] = [b"(define-tool one", b"(error \"no\")", b"(\xff)"];
        for text in broken {
            std::fs::write(project.folder().join("tools/a.scm"), text).unwrap();
            let reload = live.reload().await;
            assert_eq!(reload.kept, ["/tools/shared/a.scm"]);
            assert!(!reload.tools_changed);
            assert!(reload.diagnostics.iter().any(|one| one.is_error()));
            assert_eq!(answer(&live.current(), "one").await, "good");
        }
        let told = live.reload().await.diagnostics;
        assert!(!told.is_empty());
        // A folder that is away for a moment takes no tools with it.
        rename(&project, "tools", "away");
        assert_eq!(live.reload().await.kept, ["/tools/shared/a.scm"]);
        assert_eq!(names(&live.current()), ["one"]);
        rename(&project, "away", "tools");
        project.write("tools/a.scm", &file(&["one"], "better"));
        let reload = live.reload().await;
        assert_eq!((reload.kept, reload.diagnostics), (vec![], vec![]));
        assert_eq!(answer(&live.current(), "one").await, "better");
    });
}

#[test]
fn no_file_takes_a_tool_from_another() {
    runtime().block_on(async {
        let project = Project::with_config("");
        project.write("tools/m.scm", &file(&["one"], "rightful"));
        let live = live(&project).await;
        // It sorts first, and comes too late.
        project.write("tools/a.scm", &file(&["one", "two"], "impostor"));
        let reload = live.reload().await;
        let told: Vec<String> = reload.diagnostics.iter().map(ToString::to_string).collect();
        assert!(
            told.iter()
                .any(|text| text.contains("the tool `one` is defined by")),
            "{told:?}"
        );
        assert_eq!(answer(&live.current(), "one").await, "rightful");
        assert_eq!(answer(&live.current(), "two").await, "impostor");
        // Still so while the owner is broken, and when only the impostor changes.
        project.write("tools/m.scm", "(");
        project.write("tools/a.scm", &file(&["one", "two"], "again"));
        live.reload().await;
        assert_eq!(answer(&live.current(), "one").await, "rightful");
        // A name that its file gave up is free.
        project.write("tools/m.scm", &file(&["other"], "m"));
        live.reload().await;
        assert_eq!(answer(&live.current(), "one").await, "again");
    });
}

#[test]
fn a_reload_under_calls_loses_none() {
    const CALLERS: usize = 4;
    const RELOADS: usize = 12;
    runtime().block_on(async {
        let project = Project::with_config("");
        project.write("tools/a.scm", &file(&["one"], "0"));
        let live = live(&project).await;
        let done = Arc::new(AtomicBool::new(false));
        let made = Arc::new(AtomicUsize::new(0));
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                let (live, done, made) = (Arc::clone(&live), Arc::clone(&done), Arc::clone(&made));
                tokio::spawn(async move {
                    let mut last = 0;
                    while !done.load(Ordering::Relaxed) {
                        // Every one has an answer, and nobody goes back in time.
                        let version: usize = answer(&live.current(), "one").await.parse().unwrap();
                        assert!(version >= last, "{version} after {last}");
                        last = version;
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        for version in 1..=RELOADS {
            let before = made.load(Ordering::Relaxed);
            project.write("tools/a.scm", &file(&["one"], &version.to_string()));
            assert_eq!(live.reload().await.loaded.len(), 1);
            while made.load(Ordering::Relaxed) < before + CALLERS {
                tokio::task::yield_now().await;
            }
        }
        done.store(true, Ordering::Relaxed);
        for caller in callers {
            caller.await.unwrap();
        }
        assert_eq!(answer(&live.current(), "one").await, RELOADS.to_string());
    });
}

#[test]
fn a_watched_registry_reloads_by_itself() {
    runtime().block_on(async {
        let project = Project::with_config("");
        project.write("tools/a.scm", &file(&["one"], "1"));
        let live = live(&project).await;
        let mut changes = live.subscribe();
        let (report, mut reports) = tokio::sync::mpsc::unbounded_channel();
        let watch = live.watch(Duration::from_millis(5), move |reload| {
            drop(report.send(reload.clone()));
        });
        project.write("tools/sub/b.scm", &file(&["two"], "2"));
        changes.changed().await.unwrap();
        assert_eq!(names(&live.current()), ["one", "two"]);
        // A file that is read while it is written may be reported as broken first.
        while !reports.recv().await.unwrap().tools_changed {}
        assert!(Path::new(&project.folder().join("tools/sub/b.scm")).is_file());
        drop(live);
        // Nobody holds it any more.
        watch.await.unwrap();
    });
}
