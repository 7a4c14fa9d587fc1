//! `[permissions]` and `[url-policy]`: which calls ask, run or are refused.

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::{CATEGORIES, DECISIONS, PERMISSIONS, URL_POLICY};
use crate::diagnostic::did_you_mean;
use crate::permissions::{Category, Decision, Permissions, UrlPattern, UrlPolicy};

/// Reads `[permissions]` into `permissions`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    permissions: &mut Permissions,
) {
    for field in reader.fields_of(at, value, &PERMISSIONS) {
        let (key, value) = (&field.key, field.value);
        if field.name == "remember" {
            permissions.remember = reader.boolean(key, value).unwrap_or(false);
            continue;
        }
        let Some(table) = reader.table(key, value) else {
            continue;
        };
        for (name, value) in table {
            let at = key.child(name.get_ref());
            let decision = decision(reader, &at, value);
            if field.name == "tools" {
                if let Some(decision) = decision {
                    permissions
                        .tools
                        .insert(name.get_ref().to_string(), decision);
                }
                continue;
            }
            let category = Category::named(name.get_ref());
            if let (Some(category), Some(decision)) = (category, decision) {
                permissions.categories.insert(category, decision);
            }
            if category.is_none() {
                let hint = match did_you_mean(name.get_ref(), CATEGORIES) {
                    Some(candidate) => format!("did you mean `{candidate}`?"),
                    None => format!("the categories are {}", super::document::list(&CATEGORIES)),
                };
                let message = format!("`{}` is not a category", name.get_ref());
                reader.error(&name.span(), &at, message, hint);
            }
        }
    }
}

/// Reads `[url-policy]`.
pub(super) fn read_url_policy(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
) -> UrlPolicy {
    let mut policy = UrlPolicy::default();
    for field in reader.fields_of(at, value, &URL_POLICY) {
        let (key, value) = (&field.key, field.value);
        match field.name {
            "default" => policy.default = decision(reader, key, value),
            "deny-override" => policy.deny_override = patterns(reader, key, value),
            "allow-override" => policy.allow_override = patterns(reader, key, value),
            "deny" => policy.deny = patterns(reader, key, value),
            _ => policy.allow = patterns(reader, key, value),
        }
    }
    policy
}

fn decision(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<Decision> {
    reader
        .word(key, value, &DECISIONS)
        .and_then(Decision::named)
}

/// Globs and presets.
fn patterns(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Vec<UrlPattern> {
    let accepted = "a list of URLs with `*` and `?`, or presets such as \"preset:loopback\"";
    let mut patterns = Vec::new();
    for (text, span) in reader.strings(key, value, accepted).unwrap_or_default() {
        match UrlPattern::parse(&text) {
            Ok(pattern) => patterns.push(pattern),
            Err(message) => reader.error(&span, key, message, format!("give {accepted}")),
        }
    }
    patterns
}
