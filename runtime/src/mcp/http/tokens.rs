//! Who a bearer token belongs to.
//!
//! The server keeps SHA-256 digests and never a token. A token that comes in is hashed and
//! compared with every digest in constant time, so that neither what is equal nor which
//! principal it is shows in how long the answer takes.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Tokens shorter than this can be guessed by trying: 16 random characters have some
/// 95 bits.
pub const SHORT_TOKEN: usize = 16;

/// The digest of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// The digest of a token.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// A digest that is written down.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Enough to compare two, and useless for guessing.
        f.write_str("TokenDigest(..)")
    }
}

/// The index of the principal that a token belongs to.
#[must_use]
pub fn owner(digests: &[TokenDigest], token: &str) -> Option<usize> {
    let presented = TokenDigest::of(token);
    let mut found = Choice::from(0);
    let mut owner = 0_u64;
    for (index, digest) in (0_u64..).zip(digests) {
        let equal = digest.0.ct_eq(&presented.0);
        owner.conditional_assign(&index, equal);
        found |= equal;
    }
    bool::from(found)
        .then(|| usize::try_from(owner).ok())
        .flatten()
}

/// The token of an `Authorization` header: `Bearer` in any case, one space or more, and
/// then a token as RFC 6750 has it.
#[must_use]
pub fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    let token = token.trim_start_matches(' ');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.bytes().all(plain))
        .then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_the_owner_of_its_digest() {
        let digests = ["ada's", "bob's"].map(TokenDigest::of);
        assert_eq!(owner(&digests, "ada's"), Some(0));
        assert_eq!(owner(&digests, "bob's"), Some(1));
        for token in ["", "ada", "ada's ", "Ada's"] {
            assert_eq!(owner(&digests, token), None, "{token:?}");
        }
        assert_eq!(owner(&[], ""), None);
        assert!(!format!("{digests:?}").contains("ada"));
    }

    #[test]
    fn a_bearer_token_is_one_word() {
        for (header, token) in [
            ("Bearer abc", Some("abc")),
            ("bearer  a-._~+/=", Some("a-._~+/=")),
            ("Bearer", None),
            ("Bearer ", None),
            ("Bearer a b", None),
            ("Bearer a,b", None),
            ("Basic abc", None),
            ("abc", None),
        ] {
            assert_eq!(bearer(header), token, "{header:?}");
        }
    }
}
