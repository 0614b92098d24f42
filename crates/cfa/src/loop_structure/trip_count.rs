//! How many rounds a loop makes.

use super::TripCount;
use crate::expr::BinOp;
use crate::program::Program;

impl TripCount {
    /// How often the condition holds in a row, beginning with the value `first` of the variable at the first test, before it fails
    /// for the first time. Numbers are read as the type says. `None` if the variable would pass a limit of its type first, or
    /// the loop never ends.
    pub fn rounds(&self, program: &Program, first: i128, bound: i128) -> Option<u128> {
        let ty = program.vars[self.var].register()?;
        let bits = ty.bits(program.pointer_bits());
        if bits > 64 {
            return None;
        }
        let (min, max) =
            if ty.is_signed() { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let holds = |x: i128| match self.op {
            BinOp::Lt => x < bound,
            BinOp::Le => x <= bound,
            BinOp::Gt => x > bound,
            BinOp::Ge => x >= bound,
            _ => x != bound,
        };
        if !holds(first) {
            return Some(0);
        }
        // The first value on the way that fails, and how far away it is.
        let distance = match (self.op, self.step > 0) {
            (BinOp::Lt, true) => bound - first,
            (BinOp::Le, true) => bound - first + 1,
            (BinOp::Gt, false) => first - bound,
            (BinOp::Ge, false) => first - bound + 1,
            (BinOp::Ne, true) => bound - first,
            (BinOp::Ne, false) => first - bound,
            _ => return None,
        };
        let step = self.step.abs();
        if distance <= 0 || (self.op == BinOp::Ne && distance % step != 0) {
            return None;
        }
        let rounds = (distance + step - 1) / step;
        let last = first + self.step.signum() * rounds * step;
        (min <= last && last <= max).then_some(rounds as u128)
    }
}
