//! The strict URL grammar that grants and requests share.
//!
//! One grammar serves both sides on purpose: a spelling that a rule may not use is a
//! spelling that a request may not use either, so the two can be compared part by part
//! with no normalisation in between. Everything that two readers could take in two ways
//! is an error here, and nothing is repaired.
//!
//! What `http::Uri` accepts and this grammar refuses: userinfo, `host:` and `host:junk`
//! (their `port_u16()` is `None`, so a policy would see the default port while the text
//! that goes into the `Host` header has the junk), `:0443`, zone ids, `xn--` labels that
//! are not punycode, dot segments in any encoding, non-ASCII paths, and the target `*`.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The two schemes a grant may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `http`, port 80 unless the URL says otherwise.
    Http,
    /// `https`, port 443 unless the URL says otherwise.
    Https,
}

impl Scheme {
    /// Reads a scheme, in any case.
    ///
    /// # Errors
    ///
    /// Any scheme but `http` and `https`.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        if text.eq_ignore_ascii_case("https") {
            Ok(Self::Https)
        } else if text.eq_ignore_ascii_case("http") {
            Ok(Self::Http)
        } else {
            Err(UrlError::Scheme)
        }
    }

    /// The scheme as a URL spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port of a URL that names none.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A host in its one canonical spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// A DNS name, in lower case, without a trailing dot.
    Name(String),
    /// An address written as a dotted quad.
    V4(Ipv4Addr),
    /// An address written in brackets.
    V6(Ipv6Addr),
}

impl Host {
    /// The address, if the host is a literal one.
    pub fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Name(_) => None,
            Self::V4(address) => Some(IpAddr::V4(*address)),
            Self::V6(address) => Some(IpAddr::V6(*address)),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::V4(address) => write!(f, "{address}"),
            Self::V6(address) => write!(f, "[{address}]"),
        }
    }
}

/// Why a URL can be read in more than one way, or not at all.
///
/// No variant carries text of the URL: the text may hold a secret, and whoever reports
/// the error has the URL and knows how much of it may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UrlError {
    /// Longer than [`MAX_URL`].
    TooLong,
    /// A control character: it would end or split a line of the request.
    Control,
    /// A raw blank, which ends the target of a request line.
    Blank,
    /// A raw character outside ASCII, which servers decode in different ways.
    NonAscii,
    /// A backslash, which browsers' parsers read as a slash and others do not.
    Backslash,
    /// No `scheme://` at the front.
    NotAbsolute,
    /// A scheme that is neither `http` nor `https`.
    Scheme,
    /// `user@` or `user:password@`, which makes a host look like another.
    Userinfo,
    /// Nothing where the host should be.
    NoHost,
    /// A character or a label that no host name has.
    HostSyntax,
    /// A name that ends in a dot, which is another name to a certificate and a cookie.
    TrailingDot,
    /// A percent sign in the host.
    EncodedHost,
    /// A label that starts with `xn--` and is not the punycode of a name.
    Punycode,
    /// An address spelled some other way than as a dotted quad.
    NumericHost,
    /// Brackets around something that is not an IPv6 address.
    Ipv6Syntax,
    /// An IPv4 address written as an IPv6 one, mapped or compatible.
    EmbeddedIpv4,
    /// An IPv6 zone, which names an interface of this machine.
    ZoneId,
    /// A colon with no port after it.
    EmptyPort,
    /// A port that is not a decimal number, or one with leading zeros.
    PortSyntax,
    /// A port that is 0 or above 65535.
    PortRange,
    /// A path that does not start with a slash.
    RelativePath,
    /// A character that a path may only have percent-encoded.
    PathCharacter,
    /// A percent sign that is not followed by two hexadecimal digits.
    BadEncoding,
    /// `.` or `..` as a segment, raw, encoded, or before a `;`.
    DotSegment,
    /// Two slashes in a row, which some servers merge.
    EmptySegment,
    /// An encoded slash or backslash, which some servers decode before they split.
    EncodedSlash,
    /// An encoded control character.
    EncodedControl,
    /// An encoded percent sign: a second decoding would change the path.
    DoubleEncoding,
    /// Encoded bytes that are not UTF-8, such as an overlong spelling of a dot.
    NotUtf8,
    /// An encoded character that compatibility mappings turn into a dot, a slash, a
    /// backslash, a percent sign or a semicolon.
    Lookalike,
}

impl UrlError {
    /// What to write instead, where there is something to write.
    pub fn advice(self) -> &'static str {
        match self {
            Self::TooLong => "shorten it to 16 KiB",
            Self::Control | Self::Blank => "percent-encode it, or remove it",
            Self::NonAscii => {
                "percent-encode a path as UTF-8, and write a host in its punycode form (`xn--...`)"
            }
            Self::Backslash => "write a slash, or `%5C` in a query",
            Self::NotAbsolute | Self::Scheme => "start with `https://` or `http://`",
            Self::Userinfo => "remove everything up to the `@`, and send credentials in a header",
            Self::NoHost => "name a host after `//`",
            Self::HostSyntax => {
                "write a DNS name such as `api.example.com`, a dotted quad, or an IPv6 address in brackets"
            }
            Self::TrailingDot => "remove the dot at the end of the host",
            Self::EncodedHost => "write the host without percent-encoding",
            Self::Punycode => "write the host's valid punycode form",
            Self::NumericHost => "write the address as four decimal numbers, such as `127.0.0.1`",
            Self::Ipv6Syntax => "write an IPv6 address in brackets, such as `[2001:db8::1]`",
            Self::EmbeddedIpv4 => "write the IPv4 address, such as `127.0.0.1`",
            Self::ZoneId => "remove the zone from the address",
            Self::EmptyPort => "remove the colon, or write a port after it",
            Self::PortSyntax | Self::PortRange => {
                "write the port as a plain number from 1 to 65535"
            }
            Self::RelativePath => "start the path with a slash",
            Self::PathCharacter | Self::BadEncoding => {
                "percent-encode the character, as `%20` for a blank"
            }
            Self::DotSegment => "write the path that is meant, without `.` and `..`",
            Self::EmptySegment => "write one slash",
            Self::EncodedSlash => "write the slash itself, if it separates segments",
            Self::EncodedControl | Self::NotUtf8 | Self::Lookalike => "remove it from the path",
            Self::DoubleEncoding => "encode the path once, and move a percent sign to the query",
        }
    }
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the URL is too long",
            Self::Control => "there is a control character in it",
            Self::Blank => "there is a blank in it",
            Self::NonAscii => "there is a character outside ASCII in it",
            Self::Backslash => "there is a backslash in it",
            Self::NotAbsolute => "it has no scheme",
            Self::Scheme => "its scheme is neither http nor https",
            Self::Userinfo => "it names a user (`user@`)",
            Self::NoHost => "it has no host",
            Self::HostSyntax => "its host is not a host name",
            Self::TrailingDot => "its host ends in a dot",
            Self::EncodedHost => "its host has a percent sign",
            Self::Punycode => "its host has an `xn--` label that is not punycode",
            Self::NumericHost => "its host is a number, but not a dotted quad",
            Self::Ipv6Syntax => "the brackets hold no IPv6 address",
            Self::EmbeddedIpv4 => "its address is an IPv4 address inside IPv6",
            Self::ZoneId => "its address has a zone",
            Self::EmptyPort => "there is no port after the colon",
            Self::PortSyntax => "its port is not a plain decimal number",
            Self::PortRange => "its port is out of range",
            Self::RelativePath => "its path does not start with a slash",
            Self::PathCharacter => "its path has a character that must be percent-encoded",
            Self::BadEncoding => "its path has a percent sign without two hexadecimal digits",
            Self::DotSegment => "its path has a dot segment",
            Self::EmptySegment => "its path has an empty segment",
            Self::EncodedSlash => "its path has an encoded slash or backslash",
            Self::EncodedControl => "its path has an encoded control character",
            Self::DoubleEncoding => "its path is encoded twice",
            Self::NotUtf8 => "its path decodes to something that is not UTF-8",
            Self::Lookalike => "its path has a character that servers may turn into a separator",
        })
    }
}

impl std::error::Error for UrlError {}

/// Bytes of a URL. Servers commonly stop at 8 KiB; a longer one is an attempt at theirs.
pub const MAX_URL: usize = 16 << 10;

/// Octets of a DNS name, and of a label in it (RFC 1035, without the root's).
const MAX_NAME: usize = 253;
const MAX_LABEL: usize = 63;

/// The parts of an absolute URL, cut but not yet read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) scheme: Scheme,
    pub(super) authority: &'a str,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

/// Cuts an absolute URL at its delimiters.
pub(super) fn split(url: &str) -> Result<Parts<'_>, UrlError> {
    check_characters(url)?;
    let (scheme, rest) = url.split_once("://").ok_or(UrlError::NotAbsolute)?;
    // A scheme has no slash in it: this is a path or a host with a URL further on.
    if !scheme
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-'))
    {
        return Err(UrlError::NotAbsolute);
    }
    let scheme = Scheme::parse(scheme)?;
    let (rest, fragment) = cut(rest, '#');
    let (rest, query) = cut(rest, '?');
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Ok(Parts {
        scheme,
        authority,
        path,
        query,
        fragment,
    })
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Refuses what no part of a URL may contain.
pub(super) fn check_characters(text: &str) -> Result<(), UrlError> {
    if text.len() > MAX_URL {
        return Err(UrlError::TooLong);
    }
    for byte in text.bytes() {
        match byte {
            b' ' => return Err(UrlError::Blank),
            b'\\' => return Err(UrlError::Backslash),
            0..=0x1f | 0x7f => return Err(UrlError::Control),
            0x80.. => return Err(UrlError::NonAscii),
            _ => {}
        }
    }
    Ok(())
}

/// Cuts an authority into the text of its host and its port.
///
/// The host is given as written, so that a rule can look for its wildcard.
pub(super) fn split_authority(authority: &str) -> Result<(&str, Option<u16>), UrlError> {
    if authority.contains('@') {
        return Err(UrlError::Userinfo);
    }
    let (host, port) = if authority.starts_with('[') {
        let end = authority.find(']').ok_or(UrlError::Ipv6Syntax)?;
        let (host, after) = authority.split_at(end + 1);
        match after.strip_prefix(':') {
            Some(port) => (host, Some(port)),
            None if after.is_empty() => (host, None),
            None => return Err(UrlError::HostSyntax),
        }
    } else {
        cut(authority, ':')
    };
    if host.is_empty() {
        return Err(UrlError::NoHost);
    }
    Ok((host, port.map(parse_port).transpose()?))
}

fn parse_port(text: &str) -> Result<u16, UrlError> {
    if text.is_empty() {
        return Err(UrlError::EmptyPort);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(UrlError::PortSyntax);
    }
    if text == "0" {
        return Err(UrlError::PortRange);
    }
    if text.starts_with('0') {
        return Err(UrlError::PortSyntax);
    }
    text.parse().map_err(|_| UrlError::PortRange)
}

/// Reads a host in the one spelling that is accepted for it.
pub(super) fn parse_host(text: &str) -> Result<Host, UrlError> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or(UrlError::Ipv6Syntax)?;
        if inner.contains('%') {
            return Err(UrlError::ZoneId);
        }
        let address: Ipv6Addr = inner.parse().map_err(|_| UrlError::Ipv6Syntax)?;
        // Mapped (`::ffff:0:0/96`) and compatible (`::/96`): the sockets of most systems
        // connect to the IPv4 address, and parsers print it in two ways.
        let low = [Ipv6Addr::LOCALHOST, Ipv6Addr::UNSPECIFIED];
        if address.to_ipv4().is_some() && !low.contains(&address) {
            return Err(UrlError::EmbeddedIpv4);
        }
        return Ok(Host::V6(address));
    }
    if text.contains('%') {
        return Err(UrlError::EncodedHost);
    }
    if text.ends_with('.') {
        return Err(UrlError::TrailingDot);
    }
    // A name whose last label is a number is an address to every resolver and parser that
    // follows the WHATWG or the `inet_aton` rules: `127.1`, `2130706433`, `0x7f.0.0.1`.
    if ends_in_number(text) {
        return text
            .parse()
            .map(Host::V4)
            .map_err(|_| UrlError::NumericHost);
    }
    parse_name(text).map(Host::Name)
}

fn ends_in_number(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    let hexadecimal = last
        .strip_prefix("0x")
        .or_else(|| last.strip_prefix("0X"))
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    hexadecimal || (!last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
}

fn parse_name(text: &str) -> Result<String, UrlError> {
    if text.is_empty() {
        return Err(UrlError::NoHost);
    }
    if text.len() > MAX_NAME {
        return Err(UrlError::HostSyntax);
    }
    let name = text.to_ascii_lowercase();
    let mut punycode = false;
    for label in name.split('.') {
        let plain = label.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        });
        if label.is_empty()
            || label.len() > MAX_LABEL
            || !plain
            || label.starts_with('-')
            || label.ends_with('-')
        {
            return Err(UrlError::HostSyntax);
        }
        punycode |= label.starts_with("xn--");
    }
    if punycode {
        // A label that only looks like punycode is a name to a lenient resolver and an
        // error, or another name, to a strict one (CVE-2024-12224).
        let strict = idna::domain_to_ascii_cow(name.as_bytes(), idna::AsciiDenyList::URL);
        if strict.ok().as_deref() != Some(name.as_str()) {
            return Err(UrlError::Punycode);
        }
    }
    Ok(name)
}

/// The segments of a path that starts with a slash: `/` is one empty segment, `/v1/` is
/// `v1` and an empty one.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// Refuses a path that a server may resolve to another one.
pub(super) fn check_path(path: &str) -> Result<(), UrlError> {
    if !path.starts_with('/') {
        return Err(UrlError::RelativePath);
    }
    let mut rest = segments(path).peekable();
    while let Some(segment) = rest.next() {
        check_segment(segment)?;
        if segment.is_empty() && rest.peek().is_some() {
            return Err(UrlError::EmptySegment);
        }
    }
    Ok(())
}

fn check_segment(segment: &str) -> Result<(), UrlError> {
    let decoded = decode(segment)?;
    for character in decoded.chars() {
        match character {
            '/' | '\\' => return Err(UrlError::EncodedSlash),
            '%' => return Err(UrlError::DoubleEncoding),
            character if character.is_control() => return Err(UrlError::EncodedControl),
            character if LOOKALIKES.contains(&character) => return Err(UrlError::Lookalike),
            _ => {}
        }
    }
    // Servers with path parameters drop everything from the `;` on before they resolve
    // dots, and some file systems drop blanks and dots at the end of a name.
    let name = decoded.split(';').next().unwrap_or_default();
    let stem = name.trim_matches(|character: char| character == '.' || character.is_whitespace());
    if stem.is_empty() && name.contains('.') {
        return Err(UrlError::DotSegment);
    }
    if name.is_empty() && !decoded.is_empty() {
        return Err(UrlError::EmptySegment);
    }
    Ok(())
}

/// Decodes a segment once.
fn decode(segment: &str) -> Result<String, UrlError> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = rest
                .next()
                .and_then(hexadecimal)
                .ok_or(UrlError::BadEncoding)?;
            let low = rest
                .next()
                .and_then(hexadecimal)
                .ok_or(UrlError::BadEncoding)?;
            bytes.push(high << 4 | low);
        } else if is_path_character(byte) {
            bytes.push(byte);
        } else {
            return Err(UrlError::PathCharacter);
        }
    }
    String::from_utf8(bytes).map_err(|_| UrlError::NotUtf8)
}

pub(super) fn hexadecimal(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// `pchar` of RFC 3986 without the percent sign.
fn is_path_character(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
        )
}

/// The characters that need no encoding anywhere (RFC 3986, 2.3).
pub(super) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Characters that NFKC or a best-fit code page turns into `.`, `..`, `/`, `\`, `%` or `;`.
const LOOKALIKES: [char; 22] = [
    '\u{2024}', '\u{2025}', '\u{FE30}', '\u{FE52}', '\u{FF0E}', // dots
    '\u{2044}', '\u{2215}', '\u{29F8}', '\u{FF0F}', '\u{2100}', '\u{2101}', '\u{2105}',
    '\u{2106}', // slashes
    '\u{2216}', '\u{29F5}', '\u{29F9}', '\u{FE68}', '\u{FF3C}', // backslashes
    '\u{FE6A}', '\u{FF05}', // percent signs
    '\u{FE54}', '\u{FF1B}', // semicolons
];

/// Compares two checked segments; only the case of hexadecimal digits is free.
pub(super) fn same_segment(one: &str, other: &str) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut digits = 0_u8;
    one.bytes().zip(other.bytes()).all(|(one, other)| {
        if digits > 0 {
            digits -= 1;
            return one.eq_ignore_ascii_case(&other);
        }
        if one == b'%' {
            digits = 2;
        }
        one == other
    })
}

/// A URL as it may be shown: without userinfo and query values, with control characters
/// escaped, and no longer than a line of a log should be.
///
/// It takes any text, since what is refused is mostly not a URL.
pub fn redact(url: &str) -> String {
    const SHOWN: usize = 512;
    let (rest, _fragment) = cut(url, '#');
    let (rest, query) = cut(rest, '?');
    let mut shown = String::new();
    // Only the authority can hold userinfo; without a scheme it may still be meant as one.
    let (scheme, after) = match rest.split_once("://") {
        Some((scheme, after)) => (Some(scheme), after),
        None => (None, rest),
    };
    if let Some(scheme) = scheme {
        escape(scheme, &mut shown);
        shown.push_str("://");
    }
    let (authority, path) = after.split_at(after.find(['/', '\\']).unwrap_or(after.len()));
    match authority.rsplit_once('@') {
        Some((_, host)) => {
            shown.push_str("[user]@");
            escape(host, &mut shown);
        }
        None => escape(authority, &mut shown),
    }
    escape(path, &mut shown);
    if let Some(query) = query {
        for (index, pair) in query.split('&').enumerate() {
            shown.push(if index == 0 { '?' } else { '&' });
            match pair.split_once('=') {
                Some((name, _)) => {
                    escape(name, &mut shown);
                    shown.push_str("=...");
                }
                // With no `=` the whole of it may be the value.
                None if pair.is_empty() => {}
                None => shown.push_str("..."),
            }
            if shown.len() > SHOWN {
                break;
            }
        }
    }
    if shown.len() > SHOWN {
        let end = (0..=SHOWN)
            .rev()
            .find(|end| shown.is_char_boundary(*end))
            .unwrap_or(0);
        shown.truncate(end);
        shown.push_str("...");
    }
    shown
}

fn escape(text: &str, into: &mut String) {
    for character in text.chars() {
        if character.is_ascii_graphic() {
            into.push(character);
        } else {
            into.extend(character.escape_unicode());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_compare_byte_by_byte_but_for_hexadecimal_case() {
        assert!(same_segment("a%e2%82%ac", "a%E2%82%AC"));
        assert!(!same_segment("ab", "aB"));
        assert!(!same_segment("%20a", "%20A"));
        assert!(!same_segment("a", "ab"));
    }

    #[test]
    fn a_shown_url_has_no_user_no_query_value_and_no_control_character() {
        for (url, shown) in [
            (
                "https://u:pw@h/p?key=s3cret&x#f",
                "https://[user]@h/p?key=...&...",
            ),
            ("u:pw@h/p", "[user]@h/p"),
            ("https://h/a\r\nb", "https://h/a\\u{d}\\u{a}b"),
            ("https://h/\u{202e}x", "https://h/\\u{202e}x"),
            ("", ""),
        ] {
            assert_eq!(redact(url), shown, "{url:?}");
        }
        assert!(redact(&"é".repeat(5000)).len() < 600);
    }
}
