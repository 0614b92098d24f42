//! Values that are missing: automatic variables that are read before they are written (C11 6.3.2.1p2), and results of functions that end
//! without one (C11 6.9.1p12).
//!
//! Both are found on the finished automata. A variable that a dataflow analysis can't show to be written where it is read gets a register that
//! says so, which is asked there. Variables whose address is taken are not followed.

use crate::context::Lowerer;
use base::{IdVec, Span};
use cfa::check::WRITTEN;
use cfa::program::Body;
use cfa::unwritten::{Unwritten, is_normalisation};
use cfa::{BinOp, Check, Edge, EdgeId, ExprId, ExprKind, FuncId, HavocSource, LocId, Op, Scalar, UnOp, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Lowerer<'_> {
    /// Checks the variables of all functions of the user.
    pub fn check_variables(&mut self) {
        let mut functions: IdVec<FuncId, (Vec<LocId>, Vec<VarId>)> =
            self.p.functions.ids().map(|_| Default::default()).collect();
        for (loc, location) in self.p.locs.iter_enumerated() {
            functions[location.func].0.push(loc);
        }
        for (id, var) in self.p.vars.iter_enumerated() {
            if let (Some(func), VarKind::Local, Some(_)) = (var.func, var.kind, var.register()) {
                functions[func].1.push(id);
            }
        }
        for (func, (locs, locals)) in functions.iter_enumerated() {
            let typed = self.typed_function(func);
            let is_library = typed.is_some_and(|id| self.unit.functions[id].name.starts_with(clib::libc::PREFIX));
            if let (false, false, Some(body)) = (is_library, locals.is_empty(), self.p.functions[func].body) {
                self.check_variables_of(body, locs, locals);
            }
        }
    }

    fn check_variables_of(&mut self, body: Body, locs: &[LocId], locals: &[VarId]) {
        let p = &self.p;
        let unwritten = Unwritten::new(p, body, locals);
        let mut read: BTreeSet<VarId> = BTreeSet::new();
        let mut places = Vec::new();
        for loc in locs {
            let mut any = false;
            for edge in p.locs[*loc].out.iter().filter(|edge| !is_normalisation(p, **edge)) {
                p.edges[*edge].op.for_each_expr(|e| {
                    p.exprs.walk(e, |_, e| {
                        if let ExprKind::Var(var) = e.kind
                            && unwritten.at(*loc, var)
                        {
                            any = true;
                            read.insert(var);
                        }
                    });
                });
            }
            if any {
                places.push(*loc);
            }
        }
        let func = p.locs[body.entry].func;
        let flags: FxHashMap<VarId, VarId> = read
            .into_iter()
            .map(|var| {
                let name = format!("{}{WRITTEN}", self.p.vars[var].name);
                (var, self.p.add_register(func, &name, Scalar::Bool))
            })
            .collect();
        for loc in places {
            self.check_reads(loc, body, &flags, &unwritten);
        }
        self.flag_writes(body, locs, &flags);
    }

    /// The flags follow what becomes of their variables.
    fn flag_writes(&mut self, body: Body, locs: &[LocId], flags: &FxHashMap<VarId, VarId>) {
        let (yes, no) = (self.constant(1, Scalar::Bool), self.zero(Scalar::Bool));
        let all = locs.iter().flat_map(|loc| self.p.locs[*loc].inc.iter().copied());
        let writes: Vec<EdgeId> = all.filter(|edge| !is_normalisation(&self.p, *edge)).collect();
        for edge in writes {
            let op = &self.p.edges[edge].op;
            let Some(flag) = op.assigned().and_then(|var| flags.get(&var)).copied() else { continue };
            let src = match op {
                Op::Havoc { source: HavocSource::Uninitialised, .. } => no,
                _ => yes,
            };
            self.p.append(edge, Op::Assign { dst: flag, src });
        }
        let mut flags: Vec<VarId> = flags.values().copied().collect();
        flags.sort_unstable();
        for dst in flags {
            let next = self.p.split(body.entry);
            self.p.add_edge(body.entry, next, Op::Assign { dst, src: no }, Span::NONE);
        }
    }

    /// In front of what leaves a location, asks whether what is read there was written.
    fn check_reads(&mut self, loc: LocId, body: Body, flags: &FxHashMap<VarId, VarId>, unwritten: &Unwritten) {
        let Some(edge) = self.p.locs[loc].out.first().copied() else { return };
        let (op, span) = (self.p.edges[edge].op.clone(), self.p.edges[edge].span);
        let mut bad = self.zero(Scalar::Bool);
        op.for_each_expr(|e| {
            let asked = self.unwritten_in(e, flags, &|var| unwritten.at(loc, var));
            bad = self.binary(BinOp::Or, bad, asked);
        });
        self.fault_in_front(loc, body, bad, Check::Uninitialised, span);
    }

    /// Whether an expression reads a variable that was not written; where C would not evaluate an operand, nothing is read.
    fn unwritten_in(&mut self, e: ExprId, flags: &FxHashMap<VarId, VarId>, may_be: &impl Fn(VarId) -> bool) -> ExprId {
        match self.p.exprs.kind(e) {
            ExprKind::Var(var) => match flags.get(&var) {
                Some(flag) if may_be(var) => {
                    let written = self.var(*flag);
                    self.not(written)
                }
                _ => self.zero(Scalar::Bool),
            },
            ExprKind::Ite(c, a, b) => {
                let asked = [c, a, b].map(|part| self.unwritten_in(part, flags, may_be));
                let chosen = self.ite(c, asked[1], asked[2]);
                self.binary(BinOp::Or, asked[0], chosen)
            }
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (first, second) = (self.unwritten_in(a, flags, may_be), self.unwritten_in(b, flags, may_be));
                let goes_on = if op == BinOp::And { a } else { self.unary(UnOp::Not, a) };
                let second = self.binary(BinOp::And, goes_on, second);
                self.binary(BinOp::Or, first, second)
            }
            _ => {
                let mut asked = self.zero(Scalar::Bool);
                for operand in self.p.exprs.operands(e) {
                    let part = self.unwritten_in(operand, flags, may_be);
                    asked = self.binary(BinOp::Or, asked, part);
                }
                asked
            }
        }
    }

    /// Where `bad` holds at a location, the run breaks the check.
    fn fault_in_front(&mut self, loc: LocId, body: Body, bad: ExprId, check: Check, span: Span) {
        if self.as_int(bad) == Some(0) {
            return;
        }
        let next = self.p.split(loc);
        let fault = self.p.add_loc(self.p.locs[loc].func);
        self.p.locs[fault].labels.push(check.property().into());
        self.p.add_edge(loc, fault, Op::Assume { cond: bad, truth: true }, span);
        self.p.add_edge(loc, next, Op::Assume { cond: bad, truth: false }, span);
        self.p.add_edge(fault, body.exit, Op::Halt, span);
    }

    /// Checks the results of all calls: registers say whether a function has ended without one, a scalar or a record.
    pub fn check_results(&mut self) {
        let source = HavocSource::Uninitialised;
        let ends_without = |this: &Self, edge: EdgeId| {
            let Edge { src, op, .. } = &this.p.edges[edge];
            let function = &this.p.functions[this.p.locs[*src].func];
            function.ret.is_some_and(|dst| *op == Op::Havoc { dst, source })
        };
        let has_target =
            |_: &Self, op: &Op| matches!(op, Op::Call { dst: Some(_), .. } | Op::CallPtr { dst: Some(_), .. });
        self.check_results_of(ends_without, has_target);
        // A record is written where the first argument points to.
        let ends_without = |this: &Self, edge: EdgeId| {
            let Edge { src, op: Op::MemHavoc { dst, source: HavocSource::Uninitialised, .. }, .. } =
                &this.p.edges[edge]
            else {
                return false;
            };
            let params = &this.p.functions[this.p.locs[*src].func].params;
            params.first().is_some_and(|param| this.p.exprs.kind(*dst) == ExprKind::Var(*param))
        };
        self.check_results_of(ends_without, |this, op| {
            let (Op::Call { args, dst: None, .. } | Op::CallPtr { args, dst: None, .. }) = op else { return false };
            let is_unused = |to: &ExprId| matches!(this.p.exprs.kind(*to), ExprKind::AddrOf(var) if this.unused_results.contains(&var));
            args.first().is_some_and(|to| !is_unused(to))
        });
    }

    fn check_results_of(&mut self, ends_without: impl Fn(&Self, EdgeId) -> bool, is_used: impl Fn(&Self, &Op) -> bool) {
        let ends: Vec<EdgeId> = self.p.edges.ids().filter(|edge| ends_without(self, *edge)).collect();
        let p = &self.p;
        let functions: FxHashSet<FuncId> = ends.iter().map(|edge| p.locs[p.edges[*edge].src].func).collect();
        let by_pointer = functions.iter().any(|func| p.functions[*func].address_taken);
        let may_lack = |edge: &EdgeId| match &p.edges[*edge].op {
            Op::Call { func, .. } => functions.contains(func),
            Op::CallPtr { .. } => by_pointer,
            _ => false,
        };
        let calls: Vec<EdgeId> = p.edges.ids().filter(may_lack).collect();
        if calls.is_empty() {
            return;
        }
        let lacks = self.hidden_counter("result is missing", Scalar::Bool);
        let (yes, no) = (self.constant(1, Scalar::Bool), self.zero(Scalar::Bool));
        for end in ends {
            self.p.append(end, Op::Assign { dst: lacks, src: yes });
        }
        for call in calls {
            let (op, span) = (self.p.edges[call].op.clone(), self.p.edges[call].span);
            let after = self.p.append(call, Op::Assign { dst: lacks, src: no });
            let func = self.p.locs[after].func;
            if let Some(body) = self.p.functions[func].body.filter(|_| is_used(self, &op)) {
                let bad = self.var(lacks);
                self.fault_in_front(after, body, bad, Check::Return, span);
            }
        }
    }
}
