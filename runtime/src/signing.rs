//! Detached signatures of components: Ed25519 (RFC 8032), keys as PKCS #8 in PEM (RFC 5958, RFC 7468).
//!
//! What is signed is a fixed beginning and the SHA-256 of the component, so that a signature for something else,
//! made with the same key, is never one for a component. The signature stands in a text file beside it:
//!
//! ```text
//! holm signature 1
//! key ed25519:<64 hexadecimal digits>
//! signature <128 hexadecimal digits>
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use sha2::{Digest, Sha256};

use crate::hex;

/// The ending of a signature's file, after the component's whole name.
pub const EXTENSION: &str = "sig";
/// Bytes of a signature file or a key file that are read.
pub const LARGEST_FILE: u64 = 16 << 10;

const HEADER: &str = "holm signature 1";
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// The file that holds the signature of a component.
#[must_use]
pub fn file_of(component: &Path) -> PathBuf {
    let mut name = component.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}

/// What is signed for a component.
fn message(component: &[u8]) -> Vec<u8> {
    let mut message = b"holm:component:1\0".to_vec();
    message.extend_from_slice(&Sha256::digest(component));
    message
}

/// A public key, written `ed25519:` and 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey([u8; 32]);

/// A signature and the key that it claims to be by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    key: PublicKey,
    bytes: [u8; 64],
}

/// A private key. Its contents are never shown.
pub struct SecretKey(Ed25519KeyPair);

/// Why a key or a signature is not usable, or not good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SigningError {
    /// Text that is no public key.
    PublicKey,
    /// A file that is no private key.
    SecretKey,
    /// A file that is no signature.
    Signature,
    /// Signed by a key that is not trusted.
    Untrusted(PublicKey),
    /// The component is not what the key signed.
    Mismatch(PublicKey),
    /// This machine gives no random bytes.
    Random,
}

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PublicKey => f.write_str("a public key is `ed25519:` and 64 hexadecimal digits"),
            Self::SecretKey => {
                f.write_str("it is not an Ed25519 key: a PEM file with one `PRIVATE KEY`")
            }
            Self::Signature => {
                f.write_str("it is not a signature as `holm build --sign` writes it")
            }
            Self::Untrusted(key) => write!(
                f,
                "it is signed by {key}, which is not among `components.trusted-keys`"
            ),
            Self::Mismatch(key) => write!(
                f,
                "it is not what {key} signed: the component or the signature was changed"
            ),
            Self::Random => f.write_str("this machine gives no random bytes"),
        }
    }
}

impl std::error::Error for SigningError {}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ed25519:{}", hex::encode(&self.0))
    }
}

impl FromStr for PublicKey {
    type Err = SigningError;

    fn from_str(text: &str) -> Result<Self, SigningError> {
        let digits = text.strip_prefix("ed25519:");
        let bytes = digits
            .and_then(hex::decode)
            .ok_or(SigningError::PublicKey)?;
        let bytes = bytes.try_into().map_err(|_| SigningError::PublicKey)?;
        Ok(Self(bytes))
    }
}

impl SecretKey {
    /// A new key.
    ///
    /// # Errors
    /// There is no randomness to make it of.
    pub fn generate() -> Result<(Self, String), SigningError> {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
            .map_err(|_| SigningError::Random)?;
        let pair =
            Ed25519KeyPair::from_pkcs8(document.as_ref()).map_err(|_| SigningError::SecretKey)?;
        let mut pem = format!("{BEGIN}\n");
        let text = STANDARD.encode(document.as_ref());
        for line in text.as_bytes().chunks(64) {
            pem.push_str(&String::from_utf8_lossy(line));
            pem.push('\n');
        }
        pem.push_str(END);
        pem.push('\n');
        Ok((Self(pair), pem))
    }

    /// The key in a PEM file.
    ///
    /// # Errors
    /// The text is anything but one unencrypted Ed25519 key.
    pub fn from_pem(text: &str) -> Result<Self, SigningError> {
        let inner = text
            .trim()
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.strip_suffix(END))
            .ok_or(SigningError::SecretKey)?;
        let digits: String = inner.split_ascii_whitespace().collect();
        let document = STANDARD
            .decode(digits)
            .map_err(|_| SigningError::SecretKey)?;
        // Keys made by other programs lack the public half.
        Ed25519KeyPair::from_pkcs8_maybe_unchecked(&document)
            .map(Self)
            .map_err(|_| SigningError::SecretKey)
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(bytes)
    }

    /// Signs a component.
    #[must_use]
    pub fn sign(&self, component: &[u8]) -> Signature {
        let mut bytes = [0; 64];
        bytes.copy_from_slice(self.0.sign(&message(component)).as_ref());
        Signature {
            key: self.public(),
            bytes,
        }
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey of {}", self.public())
    }
}

impl Signature {
    /// Checks that one of the `trusted` keys signed these bytes.
    ///
    /// # Errors
    /// The key is not trusted, or the signature is not for these bytes.
    pub fn verify(&self, component: &[u8], trusted: &[PublicKey]) -> Result<(), SigningError> {
        if !trusted.contains(&self.key) {
            return Err(SigningError::Untrusted(self.key));
        }
        UnparsedPublicKey::new(&ED25519, &self.key.0)
            .verify(&message(component), &self.bytes)
            .map_err(|_| SigningError::Mismatch(self.key))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        writeln!(f, "key {}", self.key)?;
        writeln!(f, "signature {}", hex::encode(&self.bytes))
    }
}

impl FromStr for Signature {
    type Err = SigningError;

    fn from_str(text: &str) -> Result<Self, SigningError> {
        let lines: Vec<&str> = text.lines().collect();
        let [HEADER, key, signature] = lines.as_slice() else {
            return Err(SigningError::Signature);
        };
        let key = key.strip_prefix("key ").ok_or(SigningError::Signature)?;
        let bytes = signature
            .strip_prefix("signature ")
            .and_then(hex::decode)
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or(SigningError::Signature)?;
        Ok(Self {
            key: key.parse().map_err(|_| SigningError::Signature)?,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_for_these_bytes_by_this_key() {
        let (key, pem) = SecretKey::generate().unwrap();
        let (other, _) = SecretKey::generate().unwrap();
        let same = SecretKey::from_pem(&pem).unwrap();
        assert_eq!(same.public(), key.public());
        let signature: Signature = key.sign(b"bytes").to_string().parse().unwrap();
        assert_eq!(signature, same.sign(b"bytes"));
        let trusted = [other.public(), key.public()];
        assert_eq!(signature.verify(b"bytes", &trusted), Ok(()));
        assert_eq!(
            signature.verify(b"bytez", &trusted),
            Err(SigningError::Mismatch(key.public()))
        );
        for keys in [&[][..], &[other.public()]] {
            assert_eq!(
                signature.verify(b"bytes", keys),
                Err(SigningError::Untrusted(key.public()))
            );
        }
        // Another key's name over it does not make it that key's.
        let renamed = signature
            .to_string()
            .replace(&key.public().to_string(), &other.public().to_string());
        let renamed: Signature = renamed.parse().unwrap();
        assert_eq!(
            renamed.verify(b"bytes", &trusted),
            Err(SigningError::Mismatch(other.public()))
        );
    }

    #[test]
    fn keys_and_signatures_of_the_wrong_shape_are_refused() {
        let (key, pem) = SecretKey::generate().unwrap();
        let signature = key.sign(b"").to_string();
        for text in [
            "",
            "holm signature 1\n",
            &signature.replace("signature 1", "signature 2"),
            &format!("{signature}more\n"),
            &signature.replace("ed25519", "rsa"),
            &signature[..signature.len() - 2],
        ] {
            assert_eq!(
                text.parse::<Signature>(),
                Err(SigningError::Signature),
                "{text}"
            );
        }
        for text in ["", "ed25519:", "ed25519:00", "0", &"é".repeat(40)] {
            assert!(text.parse::<PublicKey>().is_err(), "{text}");
        }
        for text in [
            "",
            &pem[10..],
            &pem.replace("PRIVATE", "PUBLIC"),
            &pem.repeat(2),
        ] {
            assert!(SecretKey::from_pem(text).is_err(), "{text}");
        }
        assert!(!format!("{key:?}").contains("BEGIN"));
    }

    #[test]
    fn a_key_without_its_public_half_works() {
        // RFC 8410 section 10.3, the first example.
        let pem = "-----BEGIN PRIVATE KEY-----\n\
                   MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                   -----END PRIVATE KEY-----\n";
        let key = SecretKey::from_pem(pem).unwrap();
        assert_eq!(
            key.public().to_string(),
            "ed25519:19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
        );
    }
}
