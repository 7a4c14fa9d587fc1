//! Which addresses may be connected to.
//!
//! A granted name says nothing about where it points: whoever runs its DNS can point it at
//! `127.0.0.1` or at the cloud's metadata service, and can answer differently the second
//! time (DNS rebinding). So the name is resolved once, every address of the answer is put to
//! [`Consent::permits`], one refused address refuses the request, and the address that
//! was vetted is the one that is dialled.
//!
//! | address | connected to |
//! |---|---|
//! | globally routable | yes |
//! | any other ([`classify`] names its range) | only by consent |
//!
//! | consent | form |
//! |---|---|
//! | a rule whose host is that very address | `http://127.0.0.1:8080/` |
//! | the operator's ranges | `[network] private = ["10.0.0.0/8"]` |
//! | neither, or an empty list | nothing beyond global addresses |
//!
//! What is not in the table of ranges but lies outside the global unicast space of IPv6
//! (`2000::/3`) is reserved, so a range that nobody has heard of yet is refused.
//! Addresses with an IPv4 address inside (mapped, NAT64, 6to4) need consent for their own
//! range *and* for the one inside: `::ffff:127.0.0.1` is loopback in other clothes.
//!
//! ```
//! use std::net::IpAddr;
//! use holm::grants::{AddressRange, Consent, Rule, classify};
//!
//! let metadata: IpAddr = [169, 254, 169, 254].into();
//! assert_eq!(classify(metadata), Some(AddressRange::Metadata));
//!
//! let rule = Rule::parse("https://api.example.com/")?;
//! let consent = Consent::new(vec!["10.0.0.0/8".parse().unwrap()]);
//! assert!(consent.permits(&rule, [10, 1, 2, 3].into()).is_ok());
//! assert!(consent.permits(&rule, metadata).is_err());
//! # Ok::<(), holm::grants::RuleError>(())
//! ```

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::rule::Rule;

/// Why an address is not a global one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressRange {
    /// A service that hands out the machine's credentials.
    Metadata,
    /// "This network", which most systems take for this machine.
    Unspecified,
    /// This machine.
    Loopback,
    /// Private networks (RFC 1918).
    Private,
    /// This link only.
    LinkLocal,
    /// Between a provider and its customers (RFC 6598).
    CarrierNat,
    /// Set aside for protocols, Teredo among them.
    Protocol,
    /// Documentation.
    Documentation,
    /// Benchmarks.
    Benchmarking,
    /// To more than one machine.
    Multicast,
    /// To every machine of a network.
    Broadcast,
    /// Not assigned.
    Reserved,
    /// Private networks of IPv6 (RFC 4193), and the older site-local ones.
    UniqueLocal,
    /// IPv4 inside IPv6: `::ffff:a.b.c.d`.
    Mapped,
    /// IPv4 inside IPv6: `::a.b.c.d`.
    Compatible,
    /// IPv4 inside IPv6: `::ffff:0:a.b.c.d`.
    Translated,
    /// IPv4 behind a translator.
    Nat64,
    /// IPv4 inside IPv6: `2002:aabb:ccdd::`.
    SixToFour,
    /// Thrown away on arrival.
    Discard,
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metadata => "a cloud metadata address",
            Self::Unspecified => "an unspecified address",
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::CarrierNat => "a carrier-grade NAT address",
            Self::Protocol => "an address set aside for protocols",
            Self::Documentation => "a documentation address",
            Self::Benchmarking => "a benchmarking address",
            Self::Multicast => "a multicast address",
            Self::Broadcast => "the broadcast address",
            Self::Reserved => "a reserved address",
            Self::UniqueLocal => "a unique local address",
            Self::Mapped => "an IPv4-mapped address",
            Self::Compatible => "an IPv4-compatible address",
            Self::Translated => "an IPv4-translated address",
            Self::Nat64 => "a NAT64 address",
            Self::SixToFour => "a 6to4 address",
            Self::Discard => "a discard-only address",
        })
    }
}

/// The ranges of IPv4 that are not global, narrower ones first (IANA's special-purpose
/// registry, RFC 6890, and the metadata services that have addresses of their own).
const IPV4: &[(Ipv4Addr, u8, AddressRange)] = &[
    (
        Ipv4Addr::new(169, 254, 169, 254),
        32,
        AddressRange::Metadata,
    ),
    (Ipv4Addr::new(169, 254, 170, 2), 32, AddressRange::Metadata),
    (
        Ipv4Addr::new(100, 100, 100, 200),
        32,
        AddressRange::Metadata,
    ),
    (Ipv4Addr::new(192, 0, 0, 192), 32, AddressRange::Metadata),
    // Azure's wire server: in a public range, reachable from every virtual machine.
    (Ipv4Addr::new(168, 63, 129, 16), 32, AddressRange::Metadata),
    (Ipv4Addr::new(0, 0, 0, 0), 8, AddressRange::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, AddressRange::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, AddressRange::CarrierNat),
    (Ipv4Addr::new(127, 0, 0, 0), 8, AddressRange::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, AddressRange::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, AddressRange::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, AddressRange::Protocol),
    (Ipv4Addr::new(192, 0, 2, 0), 24, AddressRange::Documentation),
    (Ipv4Addr::new(192, 31, 196, 0), 24, AddressRange::Protocol),
    (Ipv4Addr::new(192, 52, 193, 0), 24, AddressRange::Protocol),
    (Ipv4Addr::new(192, 88, 99, 0), 24, AddressRange::SixToFour),
    (Ipv4Addr::new(192, 168, 0, 0), 16, AddressRange::Private),
    (Ipv4Addr::new(192, 175, 48, 0), 24, AddressRange::Protocol),
    (Ipv4Addr::new(198, 18, 0, 0), 15, AddressRange::Benchmarking),
    (
        Ipv4Addr::new(198, 51, 100, 0),
        24,
        AddressRange::Documentation,
    ),
    (
        Ipv4Addr::new(203, 0, 113, 0),
        24,
        AddressRange::Documentation,
    ),
    (Ipv4Addr::new(224, 0, 0, 0), 4, AddressRange::Multicast),
    (
        Ipv4Addr::new(255, 255, 255, 255),
        32,
        AddressRange::Broadcast,
    ),
    (Ipv4Addr::new(240, 0, 0, 0), 4, AddressRange::Reserved),
];

/// The ranges of IPv6 that are not global, narrower ones first.
const IPV6: &[(Ipv6Addr, u8, AddressRange)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, AddressRange::Unspecified),
    (Ipv6Addr::LOCALHOST, 128, AddressRange::Loopback),
    (v6(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, AddressRange::Mapped),
    (
        v6(0, 0, 0, 0, 0xffff, 0, 0, 0),
        96,
        AddressRange::Translated,
    ),
    (v6(0, 0, 0, 0, 0, 0, 0, 0), 96, AddressRange::Compatible),
    (v6(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, AddressRange::Nat64),
    (v6(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, AddressRange::Nat64),
    (v6(0x100, 0, 0, 0, 0, 0, 0, 0), 64, AddressRange::Discard),
    (
        v6(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0),
        32,
        AddressRange::Documentation,
    ),
    (
        v6(0x2001, 2, 0, 0, 0, 0, 0, 0),
        48,
        AddressRange::Benchmarking,
    ),
    // Teredo (2001::/32), ORCHID (2001:10::/28, 2001:20::/28) and the like.
    (v6(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, AddressRange::Protocol),
    (v6(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, AddressRange::SixToFour),
    (
        v6(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0),
        48,
        AddressRange::Protocol,
    ),
    (
        v6(0x3fff, 0, 0, 0, 0, 0, 0, 0),
        20,
        AddressRange::Documentation,
    ),
    (
        v6(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
        128,
        AddressRange::Metadata,
    ),
    (
        v6(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
        128,
        AddressRange::Metadata,
    ),
    (
        v6(0xfc00, 0, 0, 0, 0, 0, 0, 0),
        7,
        AddressRange::UniqueLocal,
    ),
    (v6(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, AddressRange::LinkLocal),
    (
        v6(0xfec0, 0, 0, 0, 0, 0, 0, 0),
        10,
        AddressRange::UniqueLocal,
    ),
    (v6(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, AddressRange::Multicast),
];

#[allow(clippy::too_many_arguments)]
const fn v6(a: u16, b: u16, c: u16, d: u16, e: u16, f: u16, g: u16, h: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, d, e, f, g, h)
}

/// All that IANA has given out of IPv6 for global unicast.
const GLOBAL_UNICAST: Cidr = Cidr::V6 {
    network: v6(0x2000, 0, 0, 0, 0, 0, 0, 0),
    length: 3,
};

/// The range of an address that is not global; `None` is a global address.
pub fn classify(address: IpAddr) -> Option<AddressRange> {
    match address {
        IpAddr::V4(address) => IPV4
            .iter()
            .find(|(network, length, _)| {
                same_network(
                    address.to_bits().into(),
                    network.to_bits().into(),
                    *length,
                    32,
                )
            })
            .map(|(_, _, range)| *range),
        IpAddr::V6(address) => IPV6
            .iter()
            .find(|(network, length, _)| {
                same_network(address.to_bits(), network.to_bits(), *length, 128)
            })
            .map(|(_, _, range)| *range)
            .or_else(|| {
                (!GLOBAL_UNICAST.contains(IpAddr::V6(address))).then_some(AddressRange::Reserved)
            }),
    }
}

/// Whether two addresses of `width` bits agree in their first `length`.
fn same_network(one: u128, other: u128, length: u8, width: u8) -> bool {
    let host_bits = u32::from(width.saturating_sub(length));
    // A shift by all 128 bits is not defined; it leaves nothing to differ.
    (one ^ other).checked_shr(host_bits).unwrap_or(0) == 0
}

/// The IPv4 address that a packet to this IPv6 address would end up at.
fn embedded(address: Ipv6Addr, range: AddressRange) -> Option<Ipv4Addr> {
    let low = || u32::try_from(address.to_bits() & u128::from(u32::MAX)).ok();
    let bits = match range {
        AddressRange::Mapped
        | AddressRange::Compatible
        | AddressRange::Translated
        | AddressRange::Nat64 => low()?,
        AddressRange::SixToFour => {
            u32::try_from(address.to_bits() >> 80 & u128::from(u32::MAX)).ok()?
        }
        _ => return None,
    };
    Some(Ipv4Addr::from_bits(bits))
}

/// A range of addresses, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cidr {
    /// A range of IPv4 addresses.
    V4 {
        /// The first address.
        network: Ipv4Addr,
        /// How many leading bits are fixed.
        length: u8,
    },
    /// A range of IPv6 addresses.
    V6 {
        /// The first address.
        network: Ipv6Addr,
        /// How many leading bits are fixed.
        length: u8,
    },
}

/// What is wrong with a range; its text says what to write instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CidrError {
    /// Not `address/length`.
    Syntax,
    /// More bits than the address has.
    Length,
    /// No fixed bit: every address there is.
    Everything,
    /// Bits after the prefix are set, so the range is not the one that is shown.
    HostBits(Cidr),
}

impl fmt::Display for CidrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str(
                "it is not a range: write an address, a slash and a length, such as `10.0.0.0/8`",
            ),
            Self::Length => f.write_str(
                "its length is more than the address has bits: write at most 32, or 128 for IPv6",
            ),
            Self::Everything => {
                f.write_str("it covers every address: name the ranges that tools may reach")
            }
            Self::HostBits(range) => write!(f, "it has bits set after its length: write `{range}`"),
        }
    }
}

impl std::error::Error for CidrError {}

impl Cidr {
    /// Whether the address is in the range. IPv4 addresses inside IPv6 ones are not in a
    /// range of IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::V4 { network, length }, IpAddr::V4(address)) => same_network(
                address.to_bits().into(),
                network.to_bits().into(),
                *length,
                32,
            ),
            (Self::V6 { network, length }, IpAddr::V6(address)) => {
                same_network(address.to_bits(), network.to_bits(), *length, 128)
            }
            _ => false,
        }
    }

    /// The range of one address.
    pub fn single(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(network) => Self::V4 {
                network,
                length: 32,
            },
            IpAddr::V6(network) => Self::V6 {
                network,
                length: 128,
            },
        }
    }

    /// The range of this length around an address.
    fn around(address: IpAddr, length: u8) -> Option<Self> {
        let masked = |bits: u128, width: u8| -> Option<u128> {
            let host_bits = u32::from(width.checked_sub(length)?);
            Some(
                bits.checked_shr(host_bits)
                    .and_then(|bits| bits.checked_shl(host_bits))
                    .unwrap_or(0),
            )
        };
        match address {
            IpAddr::V4(address) => Some(Self::V4 {
                network: Ipv4Addr::from_bits(
                    u32::try_from(masked(address.to_bits().into(), 32)?).ok()?,
                ),
                length,
            }),
            IpAddr::V6(address) => Some(Self::V6 {
                network: Ipv6Addr::from_bits(masked(address.to_bits(), 128)?),
                length,
            }),
        }
    }

    fn network(&self) -> IpAddr {
        match self {
            Self::V4 { network, .. } => IpAddr::V4(*network),
            Self::V6 { network, .. } => IpAddr::V6(*network),
        }
    }
}

impl FromStr for Cidr {
    type Err = CidrError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, length) = text.split_once('/').ok_or(CidrError::Syntax)?;
        let address: IpAddr = address.parse().map_err(|_| CidrError::Syntax)?;
        let plain = !length.is_empty()
            && length.bytes().all(|byte| byte.is_ascii_digit())
            && (length == "0" || !length.starts_with('0'));
        if !plain {
            return Err(CidrError::Syntax);
        }
        let length: u8 = length.parse().map_err(|_| CidrError::Length)?;
        if length == 0 {
            return Err(CidrError::Everything);
        }
        let range = Self::around(address, length).ok_or(CidrError::Length)?;
        if range.network() != address {
            return Err(CidrError::HostBits(range));
        }
        Ok(range)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4 { network, length } => write!(f, "{network}/{length}"),
            Self::V6 { network, length } => write!(f, "{network}/{length}"),
        }
    }
}

/// What the operator allows beyond global addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    ranges: Vec<Cidr>,
    literals: bool,
}

impl Default for Consent {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// An address that may not be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRefusal {
    /// The address.
    pub address: IpAddr,
    /// Its range.
    pub range: AddressRange,
}

impl fmt::Display for AddressRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its name resolves to {}, {}", self.address, self.range)
    }
}

impl std::error::Error for AddressRefusal {}

impl Consent {
    /// Consent to these ranges, and to every address that a rule names literally.
    pub fn new(ranges: Vec<Cidr>) -> Self {
        Self {
            ranges,
            literals: true,
        }
    }

    /// The same ranges without the consent of literal rules, for rules that the operator
    /// has not written: a tool must not reach the metadata service because it *declares*
    /// `http://169.254.169.254/`.
    #[must_use]
    pub fn without_literals(mut self) -> Self {
        self.literals = false;
        self
    }

    /// Whether this address of the rule's host may be connected to.
    ///
    /// # Errors
    ///
    /// The range that there is no consent to.
    pub fn permits(&self, rule: &Rule, address: IpAddr) -> Result<(), AddressRefusal> {
        if self.literals && rule.literal_address() == Some(address) {
            return Ok(());
        }
        self.in_ranges(address)
    }

    fn in_ranges(&self, address: IpAddr) -> Result<(), AddressRefusal> {
        let Some(range) = classify(address) else {
            return Ok(());
        };
        if !self
            .ranges
            .iter()
            .any(|consented| consented.contains(address))
        {
            return Err(AddressRefusal { address, range });
        }
        match address {
            // Consent to a way of carrying IPv4 is not consent to every IPv4 address.
            IpAddr::V6(outer) => match embedded(outer, range) {
                Some(inner) => self
                    .in_ranges(IpAddr::V4(inner))
                    .map_err(|refusal| AddressRefusal { address, ..refusal }),
                None => Ok(()),
            },
            IpAddr::V4(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn every_special_range_is_named_at_both_of_its_ends() {
        use AddressRange as Range;
        for (addresses, range) in [
            (
                &[
                    "169.254.169.254",
                    "168.63.129.16",
                    "100.100.100.200",
                    "fd00:ec2::254",
                ][..],
                Range::Metadata,
            ),
            (&["0.0.0.0", "0.255.255.255", "::"], Range::Unspecified),
            (
                &["127.0.0.1", "127.0.0.0", "127.255.255.255", "::1"],
                Range::Loopback,
            ),
            (
                &[
                    "10.0.0.0",
                    "10.255.255.255",
                    "172.16.0.0",
                    "172.31.255.255",
                    "192.168.0.0",
                    "192.168.255.255",
                ],
                Range::Private,
            ),
            (
                &["169.254.0.0", "169.254.255.255", "fe80::", "febf:ffff::1"],
                Range::LinkLocal,
            ),
            (&["100.64.0.0", "100.127.255.255"], Range::CarrierNat),
            (
                &[
                    "192.0.0.1",
                    "192.0.0.255",
                    "2001::1",
                    "2001:0:7f00:1::",
                    "2001:1ff:ffff::",
                ],
                Range::Protocol,
            ),
            (
                &[
                    "192.0.2.1",
                    "198.51.100.1",
                    "203.0.113.255",
                    "2001:db8::1",
                    "3fff:fff::1",
                ],
                Range::Documentation,
            ),
            (
                &["198.18.0.0", "198.19.255.255", "2001:2::1"],
                Range::Benchmarking,
            ),
            (
                &["224.0.0.1", "239.255.255.255", "ff02::1"],
                Range::Multicast,
            ),
            (&["255.255.255.255"], Range::Broadcast),
            (
                &[
                    "240.0.0.0",
                    "255.255.255.254",
                    "4000::1",
                    "1::1",
                    "5f00::1",
                    "fe00::1",
                ],
                Range::Reserved,
            ),
            (&["fc00::", "fdff:ffff::1", "fec0::1"], Range::UniqueLocal),
            (
                &["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1"],
                Range::Mapped,
            ),
            (&["::127.0.0.1", "::2", "::8.8.8.8"], Range::Compatible),
            (&["::ffff:0:127.0.0.1"], Range::Translated),
            (
                &[
                    "64:ff9b::127.0.0.1",
                    "64:ff9b::7f00:1",
                    "64:ff9b:1::1",
                    "64:ff9b:1:ffff::1",
                ],
                Range::Nat64,
            ),
            (
                &["2002:7f00:1::", "2002:808:808::1", "192.88.99.1"],
                Range::SixToFour,
            ),
            (&["100::1"], Range::Discard),
        ] {
            for address in addresses {
                assert_eq!(classify(ip(address)), Some(range), "{address}");
            }
        }
    }

    #[test]
    fn the_neighbours_of_the_ranges_are_global() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00::1",
            "2001:4860::8",
            "2001:200::1",
            "2003::1",
            "3ffe::1",
        ] {
            assert_eq!(classify(ip(address)), None, "{address}");
        }
    }

    #[test]
    fn the_table_is_in_an_order_that_lets_the_narrower_range_win() {
        for (index, (network, length, _)) in IPV4.iter().enumerate() {
            for (wider, wider_length, range) in &IPV4[..index] {
                let hidden = *wider_length <= *length
                    && same_network(
                        network.to_bits().into(),
                        wider.to_bits().into(),
                        *wider_length,
                        32,
                    );
                assert!(!hidden, "{network}/{length} is hidden by {range}");
            }
        }
        for (index, (network, length, _)) in IPV6.iter().enumerate() {
            for (wider, wider_length, range) in &IPV6[..index] {
                let hidden = *wider_length <= *length
                    && same_network(network.to_bits(), wider.to_bits(), *wider_length, 128);
                assert!(!hidden, "{network}/{length} is hidden by {range}");
            }
        }
    }

    #[test]
    fn a_literal_rule_is_consent_to_that_address_alone() {
        let consent = Consent::default();
        let rule = Rule::parse("http://127.0.0.1:8080/").unwrap();
        assert_eq!(consent.permits(&rule, ip("127.0.0.1")), Ok(()));
        for other in ["127.0.0.2", "::1", "::ffff:127.0.0.1", "10.0.0.1"] {
            assert!(consent.permits(&rule, ip(other)).is_err(), "{other}");
        }
        let named = Rule::parse("http://localhost:8080/").unwrap();
        assert!(consent.permits(&named, ip("127.0.0.1")).is_err());
        let declared = Consent::default().without_literals();
        assert!(declared.permits(&rule, ip("127.0.0.1")).is_err());
        assert_eq!(declared.permits(&rule, ip("1.1.1.1")), Ok(()));
    }

    #[test]
    fn an_operators_range_covers_its_own_addresses_and_none_in_disguise() {
        let rule = Rule::parse("https://intra.example/").unwrap();
        let consent = Consent::new(vec![
            "10.0.0.0/8".parse().unwrap(),
            "64:ff9b::/96".parse().unwrap(),
        ]);
        for allowed in [
            "10.0.0.1",
            "10.255.255.255",
            "1.1.1.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b::10.1.1.1",
        ] {
            assert_eq!(consent.permits(&rule, ip(allowed)), Ok(()), "{allowed}");
        }
        for refused in [
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "2002:a00:1::",
            "192.168.0.1",
            "64:ff9b::127.0.0.1",
        ] {
            assert!(consent.permits(&rule, ip(refused)).is_err(), "{refused}");
        }
    }

    #[test]
    fn a_range_is_spelled_in_one_way() {
        for (text, expected) in [
            (
                "10.0.0.1/8",
                CidrError::HostBits("10.0.0.0/8".parse().unwrap()),
            ),
            (
                "fd00::1/8",
                CidrError::HostBits("fd00::/8".parse().unwrap()),
            ),
            ("0.0.0.0/0", CidrError::Everything),
            ("::/0", CidrError::Everything),
            ("10.0.0.0/33", CidrError::Length),
            ("::/129", CidrError::Length),
            ("10.0.0.0/300", CidrError::Length),
            ("10.0.0.0", CidrError::Syntax),
            ("10.0.0.0/", CidrError::Syntax),
            ("10.0.0.0/+8", CidrError::Syntax),
            ("10.0.0.0/08", CidrError::Syntax),
            ("10.0/8", CidrError::Syntax),
            ("localhost/8", CidrError::Syntax),
            ("[::1]/128", CidrError::Syntax),
        ] {
            assert_eq!(text.parse::<Cidr>(), Err(expected), "{text}");
        }
        for text in ["10.0.0.0/8", "192.168.1.7/32", "fd00::/8", "::1/128"] {
            assert_eq!(text.parse::<Cidr>().unwrap().to_string(), text);
        }
    }
}
