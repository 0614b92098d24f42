//! The order in which the bytes of a number lie in memory.

/// Which byte of a number has the lowest address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ByteOrder {
    /// The least significant one.
    #[default]
    Little,
    /// The most significant one.
    Big,
}

impl ByteOrder {
    /// As compilers call machines with this order.
    pub const fn name(self) -> &'static str {
        match self {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        }
    }

    /// The lowest bit, in a number of `bytes` bytes, of the `len` bytes that lie `at` bytes behind its first one.
    pub const fn shift(self, bytes: u32, at: u32, len: u32) -> u32 {
        match self {
            ByteOrder::Little => 8 * at,
            ByteOrder::Big => 8 * (bytes - at - len),
        }
    }

    /// What has the higher and what the lower bits, of two parts of a number that lie one behind the other.
    pub fn high_and_low<T>(self, first: T, second: T) -> (T, T) {
        match self {
            ByteOrder::Little => (second, first),
            ByteOrder::Big => (first, second),
        }
    }

    /// The number whose bytes, up to 16, are these; further ones are left out.
    pub fn number(self, bytes: &[u8]) -> u128 {
        let bytes = &bytes[..bytes.len().min(16)];
        let joined = |number: u128, byte: &u8| number << 8 | u128::from(*byte);
        match self {
            ByteOrder::Little => bytes.iter().rev().fold(0, joined),
            ByteOrder::Big => bytes.iter().fold(0, joined),
        }
    }

    /// The `len` bytes, up to 16, of a number.
    pub fn bytes(self, number: u128, len: usize) -> Vec<u8> {
        let mut bytes = number.to_le_bytes()[..len.min(16)].to_vec();
        if self == ByteOrder::Big {
            bytes.reverse();
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_their_bytes() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for len in 1..=16u32 {
                let number = 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10_u128 & (u128::MAX >> (128 - 8 * len));
                let bytes = order.bytes(number, len as usize);
                assert_eq!(order.number(&bytes), number, "{order:?} {len}");
                for at in 0..len {
                    for part in 1..=len - at {
                        let bits = number >> order.shift(len, at, part) & (u128::MAX >> (128 - 8 * part));
                        assert_eq!(
                            bits,
                            order.number(&bytes[at as usize..(at + part) as usize]),
                            "{order:?} {len} {at} {part}"
                        );
                    }
                }
            }
        }
        assert_eq!(ByteOrder::Little.bytes(0x0102, 2), [2, 1]);
        assert_eq!(ByteOrder::Big.bytes(0x0102, 4), [0, 0, 1, 2]);
        assert_eq!(ByteOrder::Big.high_and_low(1, 2), (1, 2));
    }
}
