//! Initial contents of global variables, and which of them never change.

use cfa::{ExprId, Op, Program, Scalar, Storage, VarId};
use encode::{Encoder, ObjectKind};
use rustc_hash::FxHashSet;
use smt::TermId;

/// Globals of a program.
pub struct Globals {
    constants: FxHashSet<VarId>,
}

impl Globals {
    /// Finds the globals that no operation changes.
    pub fn new(program: &Program, may_point_to: &dyn Fn(ExprId, ObjectKind) -> bool) -> Self {
        let mut changed: FxHashSet<VarId> = FxHashSet::default();
        let mut written: FxHashSet<ExprId> = FxHashSet::default();
        for edge in program.locs.iter().flat_map(|l| &l.out) {
            let op = &program.edges[*edge].op;
            changed.extend(op.assigned());
            match op {
                Op::Store { addr: dst, .. }
                | Op::MemCopy { dst, .. }
                | Op::MemSet { dst, .. }
                | Op::MemHavoc { dst, .. } => {
                    written.insert(*dst);
                }
                _ => {}
            }
        }
        let mut constants = FxHashSet::default();
        let mut written: Vec<ExprId> = written.into_iter().collect();
        written.sort_unstable();
        for (id, var) in program.vars.iter_enumerated().filter(|(_, var)| var.is_global()) {
            let is_constant = match var.storage {
                Storage::Register(_) => !changed.contains(&id),
                Storage::Memory { .. } => !written.iter().any(|e| may_point_to(*e, ObjectKind::Global(id))),
            };
            if is_constant {
                constants.insert(id);
            }
        }
        Self { constants }
    }

    /// Whether no operation changes it.
    pub fn is_constant(&self, var: VarId) -> bool {
        self.constants.contains(&var)
    }

    /// The initial value of a global register.
    pub fn initial_register(&self, enc: &mut Encoder<'_>, var: VarId) -> TermId {
        let ty = enc.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let init = enc.program.vars[var].init.as_deref().and_then(|init| init.cells.first());
        match init {
            None => enc.zero(ty),
            Some((_, _, value)) => enc.init_value(ty, *value),
        }
    }

    /// The initial bytes of a global memory variable that are not zero: offset, number and bits, without overlap.
    pub fn initial_cells(&self, enc: &mut Encoder<'_>, var: VarId) -> Vec<(u64, u64, TermId)> {
        let program = enc.program;
        let mut cells = Vec::new();
        let Some(init) = program.vars[var].init.as_deref() else { return cells };
        for (offset, bytes) in &init.bytes {
            for (at, byte) in (*offset..).zip(bytes.iter()).filter(|(_, byte)| **byte != 0) {
                cells.push((at, 1, enc.terms.bv(8, u128::from(*byte))));
            }
        }
        for (offset, ty, value) in &init.cells {
            let bytes = u64::from(ty.access_bytes(program.pointer_bits()));
            let bits = enc.init_bits(*value);
            cells.push((*offset, bytes, enc.terms.bv(8 * bytes as u32, bits)));
        }
        cells
    }
}
