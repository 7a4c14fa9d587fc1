//! Names that every client accepts: `^[a-zA-Z0-9_-]{1,64}$`.
//!
//! A tool's own name may have any characters but blanks and parentheses in one of the two formats,
//! and any at all in the other. Every character that clients do not accept becomes `_`.
//! A name is never cut: a longer one is an error, and so are two tools that would get one name.

use std::collections::BTreeMap;

/// Characters of a name, at most: what the model APIs accept.
pub const LONGEST_NAME: usize = 64;

/// The name of a tool where names are restricted.
///
/// # Errors
///
/// It is empty or too long.
pub fn wire_name(name: &str) -> Result<String, String> {
    let wire: String = name
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() || matches!(character, '_' | '-') {
                character
            } else {
                '_'
            }
        })
        .collect();
    match wire.len() {
        0 => Err("a tool without a name cannot be told of".to_owned()),
        length if length > LONGEST_NAME => Err(format!(
            "the name `{}` has {length} characters, and clients accept at most {LONGEST_NAME}",
            crate::visible::short_line(name, LONGEST_NAME)
        )),
        _ => Ok(wire),
    }
}

/// Names for tools, in their order. Of several tools that would get one name, the one that is
/// called exactly that has it; if there is none, none has it.
pub(super) fn assign<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Result<String, String>> {
    let wired: Vec<(&str, Result<String, String>)> =
        names.map(|name| (name, wire_name(name))).collect();
    let mut holders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, wire) in &wired {
        if let Ok(wire) = wire {
            holders.entry(wire).or_default().push(name);
        }
    }
    wired
        .iter()
        .map(|(name, wire)| {
            let wire = wire.clone()?;
            let rivals = holders.get(wire.as_str()).map_or(&[][..], Vec::as_slice);
            if rivals.len() < 2 || *name == wire {
                return Ok(wire);
            }
            let others: Vec<String> = rivals
                .iter()
                .filter(|other| *other != name)
                .map(|other| format!("`{}`", crate::visible::line(other)))
                .collect();
            Err(format!(
                "clients would call `{}` `{wire}`, as they would {}",
                crate::visible::line(name),
                others.join(", ")
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_do_not_accept_becomes_an_underscore() {
        for (name, wire) in [
            ("swarm_read", "swarm_read"),
            ("a.b/c d", "a_b_c_d"),
            ("größe", "gr__e"),
            ("A-1", "A-1"),
        ] {
            assert_eq!(wire_name(name).as_deref(), Ok(wire), "{name}");
        }
        assert!(wire_name("").is_err());
        assert!(wire_name(&"a".repeat(64)).is_ok());
        assert!(wire_name(&"a".repeat(65)).is_err());
    }

    #[test]
    fn two_tools_never_get_one_name() {
        let names = assign(["a b", "c", "a.b", "d.e", "d_e"].into_iter());
        let held: Vec<Option<&str>> = names.iter().map(|name| name.as_deref().ok()).collect();
        assert_eq!(held, [None, Some("c"), None, None, Some("d_e")]);
        assert_eq!(
            names.first().unwrap().as_ref().unwrap_err(),
            "clients would call `a b` `a_b`, as they would `a.b`"
        );
    }
}
