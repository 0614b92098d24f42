//! What a loop without an assigns clause writes, as far as it can be named at its head. Frames catch what is missing here.

use super::extents::{Extent, variable_of};
use super::frame::written;
use crate::context::Lowerer;
use base::Span;
use cfa::{CType, ExprId, ExprKind, FuncId, Op, Scalar, VarId, VarKind};
use cfront::typed::contract::{Contract, Place};
use cfront::typed::{FunctionId, StmtKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// Parameters that lead to targets, with their sizes where these are known.
type Parameters = Vec<(usize, Option<u64>)>;

impl<'u> Lowerer<'u> {
    /// Memory that the edges of a loop write. `changed` are registers of other parts that the loop assigns.
    pub(super) fn inferred_extents(
        &mut self,
        region: Range<usize>,
        changed: &BTreeSet<VarId>,
        span: Span,
    ) -> Vec<Extent> {
        let mut roots: Vec<(ExprId, Option<u64>)> = Vec::new();
        let mut note = |this: &Self, root: Option<ExprId>, size: Option<u64>| {
            if let Some(root) = root
                && !this.is_literal(root)
                && !roots.contains(&(root, size))
            {
                roots.push((root, size));
            }
        };
        for edge in region.clone() {
            let op = self.f.flow.op(edge).clone();
            if let Some((addr, _)) = written(self, &op) {
                note(self, self.root_at_head(addr, &region, changed), None);
            }
            if let Op::Call { func, args, .. } = &op {
                for (arg, size) in self.written_by(*func, args) {
                    note(self, self.root_at_head(arg, &region, changed), size);
                }
            }
        }
        let mut extents = Vec::new();
        for (root, size) in roots {
            let size = match (self.p.exprs.kind(root), size) {
                (ExprKind::AddrOf(var), _) => Some(self.storage_size(var)),
                (ExprKind::Var(var), None) => self.fresh_size(var).or_else(|| self.record_size(var)),
                (_, size) => size,
            };
            let (start, len) = match size {
                Some(size) => (root, self.size_constant(size)),
                None => self.object_extent(root, true, span),
            };
            let (start, len) = (self.stable(start, span), self.stable(len, span));
            extents.push(Extent::Bytes { start, len, span });
        }
        extents
    }

    /// Whether an address is one of a string literal, which nobody writes.
    fn is_literal(&self, addr: ExprId) -> bool {
        matches!(self.p.exprs.kind(addr), ExprKind::AddrOf(var) if self.p.vars[var].kind == VarKind::Literal)
    }

    /// The object that an address belongs to, if it can be named before the loop; variables of the body need not be.
    fn root_at_head(&self, addr: ExprId, region: &Range<usize>, changed: &BTreeSet<VarId>) -> Option<ExprId> {
        let mut root = self.root(addr);
        // A chain of registers that are assigned once.
        for _ in 0..region.len() {
            match self.p.exprs.kind(root) {
                ExprKind::AddrOf(var) => {
                    let is_own = |edge| matches!(self.f.flow.op(edge), Op::Declare { var: own } if *own == var);
                    return (!region.clone().any(is_own)).then_some(root);
                }
                ExprKind::Var(var) => {
                    let mut writers = region.clone().filter(|edge| self.f.flow.op(*edge).assigned() == Some(var));
                    match (writers.next(), writers.next()) {
                        (None, _) => return (self.ty(root) == Scalar::Ptr).then_some(root),
                        (Some(edge), None) if !changed.contains(&var) => match self.f.flow.op(edge) {
                            Op::Assign { src, .. } => root = self.root(*src),
                            _ => return None,
                        },
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// Arguments through which a function may write, and how many bytes if that is known.
    fn written_by(&self, func: FuncId, args: &[ExprId]) -> Vec<(ExprId, Option<u64>)> {
        let known = self.typed_function(func).and_then(|f| self.targets_of(f));
        match known {
            Some(targets) => {
                let hidden = args.len().saturating_sub(targets.1);
                targets.0.into_iter().filter_map(|(at, size)| Some((*args.get(at + hidden)?, size))).collect()
            }
            None => args.iter().filter(|arg| self.ty(**arg) == Scalar::Ptr).map(|arg| (*arg, None)).collect(),
        }
    }

    /// Of a function for which its contract stands: parameters that lead to its targets, with their sizes, and the number of parameters.
    fn targets_of(&self, f: FunctionId) -> Option<(Parameters, usize)> {
        let body = self.unit.functions[f].body.as_ref()?;
        let StmtKind::Block(stmts) = &body.stmt.kind else { return None };
        let mut found = None;
        for stmt in stmts {
            let StmtKind::Contract(contract) = &stmt.kind else { continue };
            let Contract::Havoc { targets, .. } = &**contract else { continue };
            let list = found.get_or_insert_with(Parameters::new);
            for target in targets {
                let (pointer, size) = match &target.place {
                    Place::Range(pointer, len) => {
                        (pointer, crate::effects::constant_of(len).and_then(|len| u64::try_from(len).ok()))
                    }
                    Place::Object(pointer) | Place::Rest(pointer) => (pointer, None),
                    Place::Variable(_) => continue,
                };
                let param = variable_of(pointer).and_then(|var| body.params.iter().position(|p| *p == var));
                list.extend(param.map(|at| (at, size)));
            }
        }
        found.map(|list| (list, body.params.len()))
    }

    /// The size of the record that a pointer of the program leads to by its type.
    fn record_size(&self, var: VarId) -> Option<u64> {
        let CType::Pointer(to) = self.p.ctypes.try_get(self.p.vars[var].ctype)? else { return None };
        let is_whole = matches!(self.p.ctypes.try_get(*to)?, CType::Record { .. } | CType::Array(_, Some(_)));
        is_whole.then(|| self.p.ctypes.size(*to)).filter(|size| *size > 0)
    }
}
