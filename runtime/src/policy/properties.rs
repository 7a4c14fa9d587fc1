//! What holds for every policy.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Candidate, HookFilter, Rules, SelectionBuilder, Skill, ToolPolicy};
use crate::config::{Config, ToolFilter};
use crate::permissions::Category;

const NAMES: [&str; 6] = ["a", "ab", "all", "b", "A", "-a"];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(&NAMES[..]).prop_map(str::to_owned)
}

fn entry() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => name(),
        1 => Just("*".to_owned()),
        1 => Just(String::new()),
        1 => name().prop_map(|name| format!("-{name}")),
        1 => name().prop_map(|name| format!(" {name} ")),
        1 => "[ -~]{0,6}",
    ]
}

fn skill() -> impl Strategy<Value = Option<Skill>> {
    let list = prop::collection::vec(entry(), 0..4);
    let said = (
        prop::collection::vec((any::<bool>(), list), 0..3),
        prop::collection::vec(name(), 0..2),
    );
    prop::option::of(said.prop_map(|(lists, required)| {
        let mut builder = SelectionBuilder::new();
        for (as_text, entries) in lists {
            if as_text {
                builder.text(entries.join(","));
            } else {
                builder.items(entries);
            }
        }
        for name in required {
            builder.requires(name);
        }
        Skill {
            name: "s".to_owned(),
            origin: "s".to_owned(),
            selection: builder.build(),
        }
    }))
}

fn filter() -> impl Strategy<Value = ToolFilter> {
    (
        prop::option::of(prop::collection::vec(name(), 0..4)),
        prop::collection::vec(name(), 0..2),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(include, exclude, no_network)| ToolFilter {
            include,
            exclude,
            exclude_categories: no_network
                .then_some(Category::Network)
                .into_iter()
                .collect(),
        })
}

fn hooks() -> impl Strategy<Value = HookFilter> {
    let names = || prop::collection::btree_set(name(), 0..4);
    prop::collection::vec((prop::option::of(names()), names()), 0..3).prop_map(|results| {
        let mut filter = HookFilter::default();
        for (include, exclude) in results {
            filter.add(include, exclude);
        }
        filter
    })
}

fn tools() -> impl Strategy<Value = Vec<(String, Category, &'static str)>> {
    let tool = (
        name(),
        prop::sample::select(&[Category::Network, Category::Synthesised][..]),
        prop::sample::select(
            &[
                "/tools/shared/x.scm",
                "/tools/home/ada/x.scm",
                "/tools/home/bob/x.scm",
            ][..],
        ),
    );
    prop::collection::btree_map(name(), tool, 0..6).prop_map(|tools| {
        tools
            .into_iter()
            .map(|(name, (_, category, path))| (name, category, path))
            .collect()
    })
}

proptest! {
    /// A policy permits what all four say, which is at most what each of them says; what it
    /// lists is what it permits.
    #[test]
    fn a_policy_is_the_intersection_of_what_decides(
        tools in tools(), filter in filter(), hooks in hooks(), skill in skill(),
    ) {
        let mut config = Config::default();
        config.tools.filter = filter.clone();
        let candidates = tools.iter().map(|(name, category, path)| Candidate {
            name, category: *category, path,
        });
        let policy = ToolPolicy::compute(candidates.clone(), Rules {
            config: &config, who: "ada", hooks: &hooks, skill: skill.as_ref(),
        });
        let listed: BTreeSet<&str> = policy.names().collect();
        for tool in candidates.clone() {
            let expected = filter.admits(tool.name, tool.category)
                && tool.path != "/tools/home/bob/x.scm"
                && hooks.include.as_ref().is_none_or(|names| names.contains(tool.name))
                && !hooks.exclude.contains(tool.name)
                && skill.as_ref().and_then(|skill| skill.selection.as_ref())
                    .is_none_or(|selection| selection.selects(tool.name));
            prop_assert_eq!(policy.permits(tool.name), expected);
            prop_assert_eq!(listed.contains(tool.name), expected);
        }
        for name in NAMES {
            let exists = tools.iter().any(|(tool, ..)| tool == name);
            prop_assert!(exists || !policy.permits(name));
        }
    }

    /// Adding a skill never widens, and taking a skill away is the only way to have no policy.
    #[test]
    fn a_skill_only_narrows(tools in tools(), filter in filter(), skill in skill()) {
        let mut config = Config::default();
        config.tools.filter = filter;
        let hooks = HookFilter::default();
        let candidates = tools.iter().map(|(name, category, path)| Candidate {
            name, category: *category, path,
        });
        let with = |skill: Option<&Skill>| ToolPolicy::compute(candidates.clone(), Rules {
            config: &config, who: "ada", hooks: &hooks, skill,
        });
        let (wide, narrow) = (with(None), with(skill.as_ref()));
        prop_assert!(!wide.is_under_skill());
        prop_assert!(narrow.names().all(|name| wide.permits(name)));
        let said = skill.as_ref().is_some_and(|skill| skill.selection.is_some());
        prop_assert_eq!(narrow.is_under_skill(), said);
    }
}
