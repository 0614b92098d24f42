//! Iterations of a loop's path as one operation: what acceleration makes of paths that read and write memory at moving places [kroening13].
//!
//! In a circle with `expr`, `op`, `program` and `threads`: it is an operation, and names variables and edges of its program.

use crate::expr::ExprId;
use crate::program::{EdgeId, VarId};

/// `for (index = 0; index < count; index++) { inputs := any; assume(requirements); writes }`.
///
/// Registers keep their values; `index` and the inputs mean something in here only. Acceleration makes it, of loops whose accesses move by a
/// constant distance with each iteration, and bounded model checking is the only analysis that meets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// Number of iterations, an unsigned integer; not zero.
    pub count: ExprId,
    /// Number of the iteration, from 0; of the same type.
    pub index: VarId,
    /// What each iteration reads from the environment: where, and the register that stands for it.
    pub inputs: Vec<(EdgeId, VarId)>,
    /// What holds in each iteration before it writes, with its truth value.
    pub require: Vec<(ExprId, bool)>,
    /// Writes of an iteration. All values are computed before the first write.
    pub writes: Vec<MovingWrite>,
    /// Reads that move, of requirements and written values.
    pub reads: Vec<MovingRead>,
}

/// A write at a place that moves by a constant distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovingWrite {
    /// Address in the first iteration; does not mention the index.
    pub first: ExprId,
    /// Bytes by which it moves; not zero.
    pub stride: i64,
    /// Address in iteration `index`.
    pub addr: ExprId,
    /// Value in iteration `index`.
    pub value: ExprId,
}

/// A read at a place that moves by a constant distance, or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovingRead {
    /// Address in the first iteration; does not mention the index.
    pub first: ExprId,
    /// Bytes by which it moves.
    pub stride: i64,
    /// Bytes that are read.
    pub bytes: u32,
}

impl Repeat {
    /// Calls `f` for each expression that is evaluated.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId)) {
        f(self.count);
        self.require.iter().for_each(|(cond, _)| f(*cond));
        for write in &self.writes {
            f(write.first);
            f(write.addr);
            f(write.value);
        }
        self.reads.iter().for_each(|read| f(read.first));
    }
}
