//! Parts of a project's harnesses, for machines that share the work.

/// A part of a project's harnesses: every `of`-th, beginning with number `part`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Number of the first one.
    pub part: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// All of them.
    pub const ALL: Shard = Shard { part: 1, of: 1 };

    /// Reads `2/5`.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Shard, String> {
        let expected = "expected I/N with I from 1 to N, such as 2/5";
        let (part, of) = text.split_once('/').ok_or(expected)?;
        let (part, of) = (part.trim().parse().map_err(|_| expected)?, of.trim().parse().map_err(|_| expected)?);
        if (1..=of).contains(&part) { Ok(Shard { part, of }) } else { Err(expected.to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards() {
        assert_eq!(Shard::read("2/5"), Ok(Shard { part: 2, of: 5 }));
        for text in ["0/5", "6/5", "1", "a/b", "1/0", ""] {
            assert!(Shard::read(text).is_err(), "{text}");
        }
    }
}
