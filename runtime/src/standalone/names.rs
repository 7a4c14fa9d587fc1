//! Names as WIT spells them: words of lower-case letters and digits, joined by hyphens, the first
//! character a letter.

/// A name in that spelling, if anything of it is left: `market_order` is `market-order`. A word that begins
/// with a digit joins the one before, since not every reader of WIT takes it alone.
pub(super) fn kebab(name: &str) -> Option<String> {
    let mut spelled = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let Some(first) = word.chars().next() else {
            continue;
        };
        if spelled.is_empty() && first.is_ascii_digit() {
            spelled.push('n');
        } else if !spelled.is_empty() && !first.is_ascii_digit() {
            spelled.push('-');
        }
        spelled.push_str(&word.to_ascii_lowercase());
    }
    (!spelled.is_empty()).then_some(spelled)
}

/// A name that is not `taken`: this one, or with the first number that makes it new.
pub(super) fn unused(name: Option<String>, taken: &[String]) -> String {
    let name = name.unwrap_or_else(|| "argument".to_owned());
    if !taken.contains(&name) {
        return name;
    }
    let numbered = |n: usize| format!("{name}{n}");
    (2..)
        .map(numbered)
        .find(|name| !taken.contains(name))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings() {
        for (name, spelled) in [
            ("greet", Some("greet")),
            ("market_order", Some("market-order")),
            ("t212_place_market_order", Some("t212-place-market-order")),
            ("GetURL", Some("geturl")),
            ("a__b--c", Some("a-b-c")),
            ("v_2", Some("v2")),
            ("3d", Some("n3d")),
            ("list", Some("list")),
            ("größe", Some("gr-e")),
            ("--", None),
            ("", None),
        ] {
            assert_eq!(kebab(name).as_deref(), spelled, "{name}");
        }
    }

    proptest! {
        #[test]
        fn every_spelling_is_a_name(name in "\\PC{0,20}") {
            if let Some(spelled) = kebab(&name) {
                let text = format!("package a:b; interface %{spelled} {{}}");
                let parsed = wit_parser::Resolve::default().push_str("a.wit", &text);
                prop_assert!(parsed.is_ok(), "{spelled}");
            }
        }
    }
}
