//! What the process says when it ends. The only place that knows the numbers.

use outcome::Verdict;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitCode {
    /// The property holds, or the command did its work.
    True,
    /// The property is violated, or a witness is refuted.
    False,
    /// Wrong usage, input that can't be read, or files that can't be written.
    Usage,
    /// Not decided.
    Unknown,
}

impl ExitCode {
    /// The number.
    pub const fn number(self) -> u8 {
        match self {
            ExitCode::True => 0,
            ExitCode::False => 1,
            ExitCode::Usage => 2,
            ExitCode::Unknown => 3,
        }
    }

    /// The code of several files: an unusable one outweighs a violation, that an unknown, that a proof.
    pub fn join(self, other: ExitCode) -> ExitCode {
        let weight = |code| match code {
            ExitCode::True => 0,
            ExitCode::Unknown => 1,
            ExitCode::False => 2,
            ExitCode::Usage => 3,
        };
        if weight(self) >= weight(other) { self } else { other }
    }
}

impl From<&Verdict> for ExitCode {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::True => ExitCode::True,
            Verdict::False(_) => ExitCode::False,
            Verdict::Unknown(_) => ExitCode::Unknown,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code.number())
    }
}

#[cfg(test)]
mod tests {
    use super::ExitCode::{False, True, Unknown, Usage};

    #[test]
    fn the_worst_counts() {
        assert_eq!(True.join(Unknown), Unknown);
        assert_eq!(False.join(Unknown), False);
        assert_eq!(True.join(Usage).join(False), Usage);
    }
}
