//! The hash of keys: the same on every machine and in every run, so that tables and their images are.
//!
//! It is no secret which keys collide. What such keys cost is charged as steps where they are compared.

/// Where a hash starts.
pub(crate) const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stirs a word into a hash, so that neighbours end far apart. Every bit of the result depends on all
/// of the word: a table on a machine of 32 bits looks at the lower half alone.
#[inline]
pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    let mut x = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 32;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 29)
}

/// Stirs in a sequence of bytes and its length.
pub(crate) fn mix_bytes(hash: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words
        .iter()
        .fold(hash, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest
        .iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte));
    // At most seven bytes are left, so the length has the highest byte for itself.
    mix(hash, last | (bytes.len() as u64) << 56)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Of the lower bits, which choose the place, and of the seven bits that a table compares first
    /// where a word has 32 bits.
    #[test]
    fn neighbours_spread_over_a_table() {
        for step in [1u64, 4, 28, 256, 1 << 32, 1 << 40] {
            let places: HashSet<u64> = (0..50_000).map(|i| mix(SEED, i * step) & 0xffff).collect();
            // As many as chance leaves: 65,536 * (1 - e^-0.763).
            assert!(places.len() > 34_500, "{step}: {}", places.len());
            let tags: HashSet<u64> = (0..50_000)
                .map(|i| mix(SEED, i * step) as u32 as u64 >> 25)
                .collect();
            assert_eq!(tags.len(), 128, "{step}");
        }
    }

    #[test]
    fn every_byte_and_the_length_count() {
        let mut seen = HashSet::new();
        for length in 0..40usize {
            let zeros = vec![0u8; length];
            assert!(seen.insert(mix_bytes(SEED, &zeros)), "{length}");
            for at in 0..length {
                let mut bytes = zeros.clone();
                bytes[at] = 1;
                assert!(seen.insert(mix_bytes(SEED, &bytes)), "{length} {at}");
            }
        }
    }
}
