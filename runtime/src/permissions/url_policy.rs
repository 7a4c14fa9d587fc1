//! What is done about the URL that a network tool was given as its argument.
//!
//! The URL is what the *caller* names, and it decides who is asked. What the tool then
//! reaches is a matter of its grants and of the address that a name turns out to have.

use std::net::IpAddr;

use super::Decision;
use crate::grants::{AddressRange, Host, RequestTarget, classify};

/// What kind of place a URL names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlClass {
    /// A name, or an address of the public internet.
    Public,
    /// This machine.
    Loopback,
    /// Where a cloud keeps the credentials of its machines.
    CloudMetadata,
    /// This network segment.
    LinkLocal,
    /// A network that is not public.
    PrivateNetwork,
    /// An address with another purpose than to be reached.
    Reserved,
    /// Not a URL, or one that can be read in two ways.
    Unparseable,
}

impl UrlClass {
    /// The classes that need a look, by the word after `preset:`.
    pub const PRESETS: [(&'static str, Self); 6] = [
        ("loopback", Self::Loopback),
        ("cloud_metadata", Self::CloudMetadata),
        ("link_local", Self::LinkLocal),
        ("private_network", Self::PrivateNetwork),
        ("reserved", Self::Reserved),
        ("unparseable", Self::Unparseable),
    ];

    /// The class of a URL. Names are not resolved: what an address turns out to be is
    /// checked when it is connected to.
    #[must_use]
    pub fn of(url: &str) -> Self {
        let Ok(target) = RequestTarget::parse("GET", url) else {
            return Self::Unparseable;
        };
        match target.host().address() {
            Some(address) => Self::of_address(address),
            None if is_local_name(target.host()) => Self::Loopback,
            None => Self::Public,
        }
    }

    fn of_address(address: IpAddr) -> Self {
        match classify(address) {
            None => Self::Public,
            Some(AddressRange::Loopback | AddressRange::Unspecified) => Self::Loopback,
            Some(AddressRange::Metadata) => Self::CloudMetadata,
            Some(AddressRange::LinkLocal) => Self::LinkLocal,
            Some(AddressRange::Private | AddressRange::CarrierNat | AddressRange::UniqueLocal) => {
                Self::PrivateNetwork
            }
            Some(_) => Self::Reserved,
        }
    }

    /// Why it needs a look.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Public => "public address",
            Self::Loopback => "loopback address",
            Self::CloudMetadata => "cloud metadata endpoint",
            Self::LinkLocal => "link-local address",
            Self::PrivateNetwork => "private network address",
            Self::Reserved => "reserved address",
            Self::Unparseable => "could not parse URL",
        }
    }
}

/// `localhost` and every name below it are this machine (RFC 6761, section 6.3).
fn is_local_name(host: &Host) -> bool {
    let name = host.to_string().to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// `[url-policy]`: the first list that has the URL decides, from `deny_override` down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlPolicy {
    /// Refused, whatever the others say.
    pub deny_override: Vec<UrlPattern>,
    /// Let through, whatever the next two say.
    pub allow_override: Vec<UrlPattern>,
    /// Refused.
    pub deny: Vec<UrlPattern>,
    /// Let through.
    pub allow: Vec<UrlPattern>,
    /// What holds for the rest. Without it, a public URL is let through and another one asks.
    pub default: Option<Decision>,
}

impl UrlPolicy {
    /// What is done about `url`, whose class is `class`.
    #[must_use]
    pub fn decide(&self, url: &str, class: UrlClass) -> Decision {
        let written = RequestTarget::parse("GET", url)
            .ok()
            .map(|target| format!("{}{}", target.origin(), target.origin_form()));
        let has = |patterns: &[UrlPattern]| {
            patterns
                .iter()
                .any(|pattern| pattern.matches(written.as_deref(), class))
        };
        if has(&self.deny_override) {
            Decision::Deny
        } else if has(&self.allow_override) {
            Decision::Allow
        } else if has(&self.deny) {
            Decision::Deny
        } else if has(&self.allow) {
            Decision::Allow
        } else {
            match self.default {
                // What cannot be read was not meant by a general yes.
                Some(Decision::Allow) if class == UrlClass::Unparseable => Decision::Ask,
                Some(decision) => decision,
                None if class == UrlClass::Public => Decision::Allow,
                None => Decision::Ask,
            }
        }
    }
}

/// An entry of a list of [`UrlPolicy`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlPattern {
    /// `preset:CLASS`.
    Preset(UrlClass),
    /// A URL in which `*` stands for any text, `?` for one character, and a backslash takes
    /// the next character for itself.
    Glob(Vec<Part>),
}

/// A piece of a glob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Any text.
    Any,
    /// Any one character.
    One,
    /// This character.
    This(char),
}

impl UrlPattern {
    /// Reads an entry.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(word) = text.strip_prefix("preset:") {
            let preset = UrlClass::PRESETS
                .into_iter()
                .find(|(name, _)| *name == word);
            return preset.map(|(_, class)| Self::Preset(class)).ok_or_else(|| {
                let known = UrlClass::PRESETS.map(|(name, _)| format!("`preset:{name}`"));
                format!("{text:?} is not a preset; there are {}", known.join(", "))
            });
        }
        let mut parts = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            parts.push(match character {
                // Two in a row mean what one does.
                '*' if parts.last() == Some(&Part::Any) => continue,
                '*' => Part::Any,
                '?' => Part::One,
                '\\' => match characters.next() {
                    Some(escaped) => Part::This(escaped),
                    None => return Err(format!("{text:?} ends in a backslash")),
                },
                other => Part::This(other),
            });
        }
        if parts.is_empty() {
            return Err("an empty pattern covers nothing".to_owned());
        }
        Ok(Self::Glob(parts))
    }

    /// Whether it has a URL, given as it would be sent; `None` is one that cannot be read.
    fn matches(&self, written: Option<&str>, class: UrlClass) -> bool {
        match (self, written) {
            (Self::Preset(preset), _) => *preset == class,
            (Self::Glob(parts), Some(url)) => glob(parts, url),
            (Self::Glob(_), None) => false,
        }
    }
}

/// Whether the whole of `text` fits. On a mismatch only the last `*` is widened, so the
/// work is at most the product of both lengths.
fn glob(parts: &[Part], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut from) = (0, 0);
    let mut widened: Option<(usize, usize)> = None;
    while from < text.len() {
        let fits = match (parts.get(at), text.get(from)) {
            (Some(Part::Any), _) => {
                widened = Some((at, from));
                at += 1;
                continue;
            }
            (Some(Part::One), _) => true,
            (Some(Part::This(wanted)), Some(found)) => wanted == found,
            _ => false,
        };
        if fits {
            at += 1;
            from += 1;
        } else if let Some((star, start)) = widened {
            widened = Some((star, start + 1));
            at = star + 1;
            from = start + 1;
        } else {
            return false;
        }
    }
    parts
        .get(at..)
        .is_some_and(|rest| rest.iter().all(|part| *part == Part::Any))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_their_class() {
        for (url, class) in [
            ("https://example.com/", UrlClass::Public),
            ("https://8.8.8.8/", UrlClass::Public),
            ("http://127.0.0.1/", UrlClass::Loopback),
            ("http://127.8.9.1:8080/", UrlClass::Loopback),
            ("http://[::1]/", UrlClass::Loopback),
            ("http://LOCALHOST/", UrlClass::Loopback),
            ("http://a.localhost/", UrlClass::Loopback),
            ("http://0.0.0.0/", UrlClass::Loopback),
            ("http://[::]/", UrlClass::Loopback),
            ("http://169.254.169.254/latest", UrlClass::CloudMetadata),
            ("http://169.254.1.1/", UrlClass::LinkLocal),
            ("http://[fe80::1]/", UrlClass::LinkLocal),
            ("http://10.1.2.3/", UrlClass::PrivateNetwork),
            ("http://172.16.0.1/", UrlClass::PrivateNetwork),
            ("http://192.168.1.1/", UrlClass::PrivateNetwork),
            ("http://100.64.0.1/", UrlClass::PrivateNetwork),
            ("http://[fd00::1]/", UrlClass::PrivateNetwork),
            ("http://[2001:db8::1]/", UrlClass::Reserved),
            ("http://[::ffff:10.0.0.1]/", UrlClass::Unparseable),
            ("http://224.0.0.1/", UrlClass::Reserved),
            ("http://2130706433/", UrlClass::Unparseable),
            ("http://127.1/", UrlClass::Unparseable),
            ("https://user@example.com/", UrlClass::Unparseable),
            ("example.com", UrlClass::Unparseable),
            ("ftp://example.com/", UrlClass::Unparseable),
        ] {
            assert_eq!(UrlClass::of(url), class, "{url}");
        }
    }

    #[test]
    fn globs_cover_whole_urls() {
        for (pattern, url, expected) in [
            ("https://example.com/*", "https://example.com/a/b?c", true),
            ("https://example.com/*", "https://example.com.evil/", false),
            ("https://*.example.com/*", "https://a.example.com/", true),
            ("https://*.example.com/*", "https://example.com/", false),
            ("*", "https://x/", true),
            ("**a**", "https://x/a", true),
            ("https://x/?", "https://x/1", true),
            ("https://x/?", "https://x/", false),
            ("https://x/\\?*", "https://x/?q", true),
            ("https://x/\\?*", "https://x/aq", false),
            ("https://x/", "https://x/y", false),
            ("*a*b*c", "aXbXbXc", true),
            ("*a*b*c", "aXcXb", false),
        ] {
            let Ok(UrlPattern::Glob(parts)) = UrlPattern::parse(pattern) else {
                panic!("{pattern}");
            };
            assert_eq!(glob(&parts, url), expected, "{pattern} {url}");
        }
        for wrong in ["", "preset:", "preset:evil", "a\\"] {
            assert!(UrlPattern::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_lists_are_asked_in_their_order() {
        let all = || vec![UrlPattern::Glob(vec![Part::Any])];
        let decide = |policy: &UrlPolicy| policy.decide("https://x/", UrlClass::Public);
        let mut policy = UrlPolicy {
            default: Some(Decision::Ask),
            ..UrlPolicy::default()
        };
        assert_eq!(decide(&policy), Decision::Ask);
        policy.allow = all();
        assert_eq!(decide(&policy), Decision::Allow);
        policy.deny = all();
        assert_eq!(decide(&policy), Decision::Deny);
        policy.allow_override = all();
        assert_eq!(decide(&policy), Decision::Allow);
        policy.deny_override = all();
        assert_eq!(decide(&policy), Decision::Deny);
    }

    #[test]
    fn a_general_yes_is_none_to_what_cannot_be_read() {
        let open = UrlPolicy {
            default: Some(Decision::Allow),
            allow: vec![UrlPattern::Glob(vec![Part::Any])],
            ..UrlPolicy::default()
        };
        assert_eq!(
            open.decide("http://a@b/", UrlClass::Unparseable),
            Decision::Ask
        );
        let named = UrlPolicy {
            allow: vec![UrlPattern::Preset(UrlClass::Unparseable)],
            ..open
        };
        assert_eq!(
            named.decide("http://a@b/", UrlClass::Unparseable),
            Decision::Allow
        );
    }
}
