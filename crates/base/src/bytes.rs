//! Data as bytes: a writer, a reader that no input can confuse, and content addresses.
//!
//! Numbers take as few bytes as they need, lists begin with their length. What is written in one order is read in the same
//! one. There are no types in the bytes, so what is read has to come with an address that says what it is.

use sha2::{Digest as _, Sha256};

/// A content address: SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The address of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// In hexadecimal.
    pub fn hex(&self) -> String {
        self.0
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .map(|n| char::from(b"0123456789abcdef"[n as usize]))
            .collect()
    }
}

/// Collects bytes.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    /// What was written.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// A number.
    pub fn number(&mut self, n: impl Into<u128>) {
        let mut n = n.into();
        while n >= 0x80 {
            self.bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    /// A length or an index.
    pub fn index(&mut self, n: usize) {
        self.number(n as u64);
    }

    /// A signed number.
    pub fn signed(&mut self, n: i64) {
        self.number((n << 1 ^ n >> 63) as u64);
    }

    /// Bytes, with their number.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.index(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    /// An address.
    pub fn digest(&mut self, digest: &Digest) {
        self.bytes.extend_from_slice(&digest.0);
    }

    /// The address of what was written.
    pub fn address(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// Reads what a [`Writer`] wrote; `None` where it can't have.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// A number.
    pub fn number(&mut self) -> Option<u128> {
        let mut n = 0u128;
        for shift in (0..128).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            let part = u128::from(byte & 0x7f);
            if part << shift >> shift != part {
                return None;
            }
            n |= part << shift;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }

    /// A smaller number.
    pub fn narrow<T: TryFrom<u128>>(&mut self) -> Option<T> {
        self.number()?.try_into().ok()
    }

    /// The length of a list, whose elements take at least one byte each.
    pub fn length(&mut self) -> Option<usize> {
        self.narrow().filter(|n: &usize| *n <= self.rest.len())
    }

    /// A signed number.
    pub fn signed(&mut self) -> Option<i64> {
        let n: u64 = self.narrow()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// Bytes.
    pub fn blob(&mut self) -> Option<&'a [u8]> {
        let len = self.length()?;
        self.take(len)
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.blob()?).ok()
    }

    /// An address.
    pub fn digest(&mut self) -> Option<Digest> {
        self.take(32)?.try_into().ok().map(Digest)
    }

    /// So many bytes.
    pub fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u128::from(u64::MAX), u128::MAX];
        let signed = [0, -1, 1, i64::MIN, i64::MAX];
        let mut w = Writer::default();
        numbers.iter().for_each(|n| w.number(*n));
        signed.iter().for_each(|n| w.signed(*n));
        w.text("a\u{e9}");
        let mut r = Reader::new(&w.bytes);
        assert!(numbers.iter().all(|n| r.number() == Some(*n)));
        assert!(signed.iter().all(|n| r.signed() == Some(*n)));
        assert_eq!(r.text(), Some("a\u{e9}"));
        assert!(r.is_empty() && r.number().is_none());
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(Reader::new(&[0xff; 30]).number(), None);
        assert_eq!(Reader::new(&[200, 1, 2]).blob(), None);
        assert_eq!(Reader::new(&[2, 0xff, 0xfe]).text(), None);
        assert_eq!(Reader::new(&[0x80, 2]).narrow::<u8>(), None);
    }

    #[test]
    fn addresses() {
        let hex = Digest::of(b"abc").hex();
        assert_eq!(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
