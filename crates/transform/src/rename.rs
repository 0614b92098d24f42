//! Renames registers in operations, for copies of automata.

use cfa::{ExprId, Op, VarId};

/// Replaces the registers that an operation assigns and the expressions that it evaluates.
pub(crate) fn rename(op: &mut Op, var: impl Fn(VarId) -> VarId, mut expr: impl FnMut(ExprId) -> ExprId) {
    let mut e = |e: &mut ExprId| *e = expr(*e);
    let v = |v: &mut VarId| *v = var(*v);
    match op {
        Op::Skip | Op::Undefined(_) | Op::Halt | Op::Unsupported(_) => {}
        Op::Assign { dst, src } => {
            v(dst);
            e(src);
        }
        Op::Havoc { dst, .. } => v(dst),
        Op::Assume { cond, .. } => e(cond),
        Op::Store { addr, value } => {
            e(addr);
            e(value);
        }
        Op::MemCopy { dst, src, .. } => {
            e(dst);
            e(src);
        }
        Op::MemSet { dst, byte, .. } => {
            e(dst);
            e(byte);
        }
        Op::MemHavoc { dst, .. } => e(dst),
        Op::Repeat(repeat) => {
            e(&mut repeat.count);
            v(&mut repeat.index);
            repeat.inputs.iter_mut().for_each(|(_, var)| v(var));
            repeat.require.iter_mut().for_each(|(cond, _)| e(cond));
            for write in &mut repeat.writes {
                e(&mut write.first);
                e(&mut write.addr);
                e(&mut write.value);
            }
            repeat.reads.iter_mut().for_each(|read| e(&mut read.first));
        }
        Op::Alloc { dst, size, .. } => {
            v(dst);
            e(size);
        }
        Op::Realloc { dst, ptr, size } => {
            v(dst);
            e(ptr);
            e(size);
        }
        Op::Free { ptr, .. } => e(ptr),
        Op::Declare { var } | Op::EndScope { var } => v(var),
        Op::Call { args, dst, .. } | Op::CallExtern { args, dst, .. } => {
            args.iter_mut().for_each(&mut e);
            dst.iter_mut().for_each(v);
        }
        Op::CallPtr { callee, args, dst, .. } => {
            e(callee);
            args.iter_mut().for_each(&mut e);
            dst.iter_mut().for_each(v);
        }
    }
}
