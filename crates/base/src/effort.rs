//! Effort: how much was computed, counted in steps, so that the same run takes the same decisions on every machine.
//!
//! A unit is about what a core of a machine of 2024 computes in a microsecond, so that limits can be read. It is only a name for a number
//! of steps: [`crate::Budget::check`] counts those of explorations, and solvers tell what their queries took.

use std::ops::{Div, Mul};
use std::time::Duration;

/// An amount of work, in thousandths of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Effort(u64);

const UNIT: u64 = 1000;

impl Effort {
    /// No work.
    pub const ZERO: Self = Self(0);
    /// More than any run does.
    pub const MAX: Self = Self(u64::MAX);

    /// So many thousandths of a unit: about a nanosecond each.
    pub const fn thousandths(thousandths: u64) -> Self {
        Self(thousandths)
    }

    /// So many units.
    pub const fn units(units: u64) -> Self {
        Self(units.saturating_mul(UNIT))
    }

    /// So many thousand units: about a millisecond each.
    pub const fn thousands(thousands: u64) -> Self {
        Self::units(thousands.saturating_mul(1000))
    }

    /// What is done in that time, if all goes as it usually does.
    pub fn usual_in(time: Duration) -> Self {
        Self(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    /// How many units it is, rounded down.
    pub const fn count(self) -> u64 {
        self.0 / UNIT
    }

    /// How many thousandths of a unit it is.
    pub(crate) const fn in_thousandths(self) -> u64 {
        self.0
    }

    /// What is left of it without `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Both.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// A part of it.
    pub const fn percent(self, percent: u32) -> Self {
        Self((self.0 as u128 * percent as u128 / 100) as u64)
    }

    /// Twice as much, so many times.
    pub const fn doubled(self, times: u32) -> Self {
        Self(self.0.saturating_mul(1 << if times < 32 { times } else { 32 }))
    }
}

impl Mul<u32> for Effort {
    type Output = Self;

    fn mul(self, factor: u32) -> Self {
        Self(self.0.saturating_mul(factor.into()))
    }
}

impl Div<u32> for Effort {
    type Output = Self;

    fn div(self, parts: u32) -> Self {
        Self(self.0.checked_div(parts.into()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_saturate() {
        let some = Effort::thousands(3);
        assert_eq!((some / 2, some.percent(50)), (Effort::units(1500), Effort::units(1500)));
        assert_eq!((some * 2, some.doubled(1)), (Effort::units(6000), Effort::units(6000)));
        assert_eq!(some.without(Effort::MAX), Effort::ZERO);
        assert_eq!(some.plus(Effort::MAX), Effort::MAX);
        assert_eq!((Effort::MAX * 2, Effort::MAX.doubled(99)), (Effort::MAX, Effort::MAX));
        assert_eq!((Effort::MAX.percent(100), some / 0), (Effort::MAX, Effort::ZERO));
        assert_eq!(Effort::usual_in(Duration::from_millis(3)), some);
        assert_eq!((some.count(), Effort::thousandths(2999).count()), (3000, 2));
    }
}
