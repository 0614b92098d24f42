//! A store of values by content address, which outlives a run.
//!
//! Nothing here decides what a value means. Whoever asks has an address that no other question has, and treats what comes back as
//! possibly missing.

use base::bytes::Digest;

/// A store of values.
pub trait Store: Send + Sync {
    /// The value at an address, as it was written.
    fn get(&self, address: &Digest) -> Option<Vec<u8>>;

    /// Writes a value; failures are kept quiet, because a run is complete without it.
    fn put(&self, address: &Digest, value: &[u8]);

    /// What was found at an address was used.
    fn used(&self, address: &Digest);

    /// What was found at an address can't be used, and should be written again.
    fn reject(&self, address: &Digest);
}
