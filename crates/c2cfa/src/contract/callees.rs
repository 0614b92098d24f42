//! Frames in functions that are called inside of them: what they write is compared with the byte that is watched.

use super::CONTRACT;
use super::frame::{UNNAMED, written};
use crate::context::Lowerer;
use crate::frames::{Fault, Frame};
use base::Span;
use cfa::{Access, AllocKind, BinOp, EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Scalar, Unsupported, VarId, VarKind};
use std::collections::BTreeSet;

impl Lowerer<'_> {
    /// Guards what is called in frames; all functions are lowered.
    pub fn guard_callees(&mut self) {
        let frames = std::mem::take(&mut self.frames);
        let watched: BTreeSet<VarId> = frames.iter().flat_map(Frame::own_registers).collect();
        for frame in frames {
            let functions = self.called_in(&frame);
            let edges: Vec<EdgeId> = self.p.edges.ids().collect();
            for edge in edges {
                if functions.contains(&self.p.locs[self.p.edges[edge].src].func) {
                    self.guard_callee(&frame, &watched, edge);
                }
            }
        }
    }

    /// Functions that a frame may call, also by others.
    fn called_in(&self, frame: &Frame) -> BTreeSet<FuncId> {
        let mut calls: Vec<(FuncId, Option<FuncId>)> = Vec::new();
        for edge in self.p.edges.iter() {
            let caller = self.p.locs[edge.src].func;
            match &edge.op {
                Op::Call { func, .. } => calls.push((caller, Some(*func))),
                Op::CallPtr { .. } => calls.push((caller, None)),
                _ => {}
            }
        }
        let pointed: Vec<FuncId> =
            self.p.functions.iter_enumerated().filter(|(_, f)| f.address_taken).map(|(id, _)| id).collect();
        let mut found = BTreeSet::new();
        let mut open: Vec<FuncId> = frame.called.iter().copied().collect();
        if frame.calls_pointers {
            open.extend(&pointed);
        }
        while let Some(func) = open.pop() {
            if found.insert(func) {
                for (_, callee) in calls.iter().filter(|(caller, _)| *caller == func) {
                    match callee {
                        Some(callee) => open.push(*callee),
                        None => open.extend(&pointed),
                    }
                }
            }
        }
        found
    }

    fn guard_callee(&mut self, frame: &Frame, watched: &BTreeSet<VarId>, edge: EdgeId) {
        let (op, span) = (self.p.edges[edge].op.clone(), self.p.edges[edge].span);
        let byte = self.p.exprs.add(ExprKind::Var(frame.watched), self.usize_ty());
        if let Some((addr, reach)) = written(self, &op) {
            // Variables of the function were made inside of the frame.
            let root = self.root(addr);
            let is_own = matches!(self.p.exprs.kind(root), ExprKind::AddrOf(var) if !self.p.vars[var].is_global());
            if !is_own && (frame.is_loop || !self.is_static_local(root)) {
                let bad = self.is_written(byte, addr, reach);
                self.branch_before(edge, bad, frame.fault, span);
            }
        }
        match op {
            Op::Free { ptr, kind: AllocKind::Heap } | Op::Realloc { ptr, .. } => {
                let freeable: Vec<ExprId> = frame.freeable.iter().map(|var| self.var(*var)).collect();
                let allowed = self.may_be_freed(ptr, &freeable, byte);
                self.assign_before(edge, frame.allowed, allowed, span);
                let (address, one) = (self.cast(byte, Scalar::Ptr), self.size_constant(1));
                let there = self.p.exprs.add(ExprKind::Valid(Access::Write, address, one), Scalar::Bool);
                let gone = self.not(there);
                let some = self.with_constant(BinOp::Gt, byte, 1);
                let gone = self.binary(BinOp::And, some, gone);
                let allowed = self.var(frame.allowed);
                let forbidden = self.not(allowed);
                let bad = self.binary(BinOp::And, gone, forbidden);
                // What is made there later is new.
                let next = self.ite(gone, one, byte);
                let behind = self.p.append(edge, Op::Assign { dst: frame.watched, src: next });
                if let Some(next) = self.p.locs[behind].out.first().copied() {
                    self.branch_before(next, bad, frame.fault, span);
                }
            }
            _ => {
                let foreign =
                    op.assigned().filter(|var| self.is_foreign_register(frame, *var) && !watched.contains(var));
                if let Some(var) = foreign {
                    let bad = self.with_constant(BinOp::Ne, byte, 0);
                    // Whether the condition of the target holds is known where the frame is entered only.
                    let fault = if frame.conditional.contains(&var) { Fault::Unknown } else { frame.fault };
                    self.branch_before(edge, bad, fault, span);
                }
            }
        }
    }

    /// Whether a register is one that exists outside of the frame, and that it must not write.
    fn is_foreign_register(&self, frame: &Frame, var: VarId) -> bool {
        let is_of_file = self.p.vars[var].kind == VarKind::Global && !self.p.vars[var].name.contains("::");
        let matters = frame.is_loop || is_of_file;
        self.p.vars[var].is_global() && matters && !frame.registers.contains(&var)
    }

    /// Before an edge, a register gets a value.
    fn assign_before(&mut self, edge: EdgeId, dst: VarId, src: ExprId, span: Span) {
        let from = self.p.edges[edge].src;
        let behind = self.p.add_loc(self.p.locs[from].func);
        self.p.locs[from].out.retain(|e| *e != edge);
        self.p.edges[edge].src = behind;
        self.p.locs[behind].out.push(edge);
        self.p.add_edge(from, behind, Op::Assign { dst, src }, span);
    }

    /// Before an edge, runs in which a condition holds end.
    fn branch_before(&mut self, edge: EdgeId, bad: ExprId, fault: Fault, span: Span) {
        let src = self.p.edges[edge].src;
        let func = self.p.locs[src].func;
        let (go_on, broken) = (self.p.add_loc(func), self.p.add_loc(func));
        self.p.locs[src].out.retain(|e| *e != edge);
        self.p.edges[edge].src = go_on;
        self.p.locs[go_on].out.push(edge);
        self.p.add_edge(src, broken, Op::Assume { cond: bad, truth: true }, span);
        self.p.add_edge(src, go_on, Op::Assume { cond: bad, truth: false }, span);
        let Some(exit) = self.p.functions[func].body.map(|body| body.exit) else { return };
        self.end_run(broken, exit, fault, span);
    }

    fn end_run(&mut self, at: LocId, exit: LocId, fault: Fault, span: Span) {
        match fault {
            Fault::Violation => {
                let callee = self.assert_fail();
                let behind = self.p.add_loc(self.p.locs[at].func);
                self.p.add_edge(at, behind, Op::CallExtern { func: callee, args: Box::default(), dst: None }, span);
                self.p.add_edge(behind, exit, Op::Halt, span);
            }
            Fault::Unknown => {
                let (construct, detail) = (CONTRACT.into(), UNNAMED.into());
                let id = self.p.unsupported.push(Unsupported { construct, detail, span });
                self.p.add_edge(at, exit, Op::Unsupported(id), span);
            }
        }
    }
}
