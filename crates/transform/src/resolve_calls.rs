//! Replaces calls through pointers by branches over the functions that they may reach.
//!
//! A chain of branches `[callee == &f]` compares the pointer with each candidate of points-to analysis that has the type of
//! the call. What is left is undefined behaviour, unless the pointer may come from outside or nothing is known about it:
//! then each function of the type whose address is taken is a candidate, null is undefined, and any other value is assumed
//! to be a function that returns any value and changes nothing else ([`ResolvedCalls::assumed`]).

use crate::edges::step;
use base::Span;
use cfa::Check;
use cfa::expr::{BinOp, ExprId, ExprKind};
use cfa::op::{HavocSource, Op, Undefined, Unsupported};
use cfa::points_to::{PointsTo, Targets};
use cfa::program::{EdgeId, FuncId, Function, LocId, Program, VarId};
use cfa::value::{Scalar, Value};

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct ResolvedCalls {
    /// Number of calls through pointers that were replaced.
    pub resolved: usize,
    /// Calls that may also reach functions that the program does not have: they are assumed to change nothing.
    pub assumed: Vec<Span>,
}

/// Resolves all calls through pointers. `points_to` is of this program; it has to be computed again afterwards.
///
/// The edge of a call becomes the first branch (or the call itself is replaced, if there is no candidate).
pub fn resolve_calls(program: &mut Program, points_to: &PointsTo) -> ResolvedCalls {
    let mut done = ResolvedCalls::default();
    let attached: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
    for edge in attached {
        if let Some(call) = program.edges[edge].op.as_pointer_call() {
            let targets = points_to.targets(program, &call);
            let site =
                Site { callee: call.callee, args: call.args.into(), dst: call.dst, end: program.edges[edge].dst };
            if targets.may_be_unknown {
                done.assumed.push(program.edges[edge].span);
            }
            done.resolved += 1;
            resolve(program, edge, &site, &targets);
        }
    }
    done
}

struct Site {
    callee: ExprId,
    args: Box<[ExprId]>,
    dst: Option<VarId>,
    /// Where the call returns to.
    end: LocId,
}

fn resolve(program: &mut Program, edge: EdgeId, site: &Site, targets: &Targets) {
    let span = program.edges[edge].span;
    let func = program.locs[program.edges[edge].src].func;
    let mut branches = Branches { program, at: None, edge, span, func };
    for candidate in &targets.functions {
        let address = branches.program.exprs.add(ExprKind::FuncAddr(*candidate), Scalar::Ptr);
        let src = branches.when_equal(site.callee, address);
        match branches.program.functions[*candidate].body {
            Some(_) => call(branches.program, src, *candidate, site, span),
            None => {
                let op = Op::CallExtern { func: *candidate, args: site.args.clone(), dst: site.dst };
                branches.program.add_edge(src, site.end, op, span);
            }
        }
    }
    for misfit in &targets.misfits {
        let address = branches.program.exprs.add(ExprKind::FuncAddr(*misfit), Scalar::Ptr);
        let src = branches.when_equal(site.callee, address);
        // A machine may go on with a function of another type; where nobody asks for the kind of the call, that is not modelled.
        if targets.is_from_outside || branches.program.checks.contains(&Check::Call) {
            branches.end_path(Some(src), &[Check::Call]);
            continue;
        }
        let construct = Unsupported {
            construct: "call through a pointer of another type".into(),
            detail: format!("`{}` does not take these arguments", branches.program.functions[*misfit].name),
            span,
        };
        let id = branches.program.unsupported.push(construct);
        branches.stop(Some(src), Op::Unsupported(id));
    }
    if targets.may_be_unknown {
        let null = branches.program.exprs.add(ExprKind::Const(Value(0)), Scalar::Ptr);
        let src = branches.when_equal(site.callee, null);
        branches.end_path(Some(src), &[Check::Call, Check::Memory]);
        let op = match site.dst {
            Some(dst) => Op::Havoc { dst, source: HavocSource::Environment },
            None => Op::Skip,
        };
        let at = branches.at;
        branches.last(at, site.end, op);
    } else {
        // Null, or anything else but a function: to call it is an access, too.
        let at = branches.at;
        branches.end_path(at, &[Check::Call, Check::Memory]);
    }
}

/// Calls a function that works with the call. Arguments beyond its parameters are ignored, and integers may differ in their signs.
fn call(program: &mut Program, src: LocId, func: FuncId, site: &Site, span: Span) {
    let Function { params, ret, .. } = &program.functions[func];
    let (params, ret) = (params.clone(), ret.and_then(|ret| program.vars[ret].register()));
    let mut args = site.args[..params.len()].to_vec();
    for (arg, param) in args.iter_mut().zip(params) {
        if let Some(ty) = program.vars[param].register().filter(|ty| *ty != program.exprs.ty(*arg)) {
            *arg = program.exprs.add(ExprKind::Cast(*arg), ty);
        }
    }
    let args = args.into();
    let other = site.dst.zip(ret).filter(|(dst, ty)| program.vars[*dst].register() != Some(*ty));
    let Some((dst, ty)) = other else {
        program.add_edge(src, site.end, Op::Call { func, args, dst: site.dst }, span);
        return;
    };
    let result = program.add_register(program.locs[src].func, "result", ty);
    let behind = step(program, src, Op::Call { func, args, dst: Some(result) }, span);
    let (value, ty) = (program.exprs.add(ExprKind::Var(result), ty), program.vars[dst].register().unwrap_or(ty));
    let value = program.exprs.add(ExprKind::Cast(value), ty);
    program.add_edge(behind, site.end, Op::Assign { dst, src: value }, span);
}

/// Builds the chain of branches; its first edge takes the place of the call's edge.
struct Branches<'a> {
    program: &'a mut Program,
    /// Where the next branch starts; `None` for the source of the call's edge, which has not been replaced yet.
    at: Option<LocId>,
    edge: EdgeId,
    span: Span,
    func: FuncId,
}

impl Branches<'_> {
    /// Branches on equality with `address`; returns where it holds and goes on where it does not.
    fn when_equal(&mut self, callee: ExprId, address: ExprId) -> LocId {
        let cond = self.program.exprs.add(ExprKind::Binary(BinOp::Eq, callee, address), Scalar::Bool);
        let (equal, other) = (self.program.add_loc(self.func), self.program.add_loc(self.func));
        let at = self.at;
        self.last(at, equal, Op::Assume { cond, truth: true });
        let src = at.unwrap_or(self.program.edges[self.edge].src);
        self.program.add_edge(src, other, Op::Assume { cond, truth: false }, self.span);
        self.at = Some(other);
        equal
    }

    fn last(&mut self, src: Option<LocId>, dst: LocId, op: Op) {
        match src {
            Some(src) => {
                self.program.add_edge(src, dst, op, self.span);
            }
            None => {
                self.program.edges[self.edge].op = op;
                crate::edges::redirect(self.program, self.edge, dst);
            }
        }
    }

    /// Ends the path where no function of the type is called, which breaks the first of some kinds of checks that is made.
    fn end_path(&mut self, src: Option<LocId>, kinds: &[Check]) {
        let Some(check) = kinds.iter().find(|kind| self.program.checks.contains(kind)) else {
            return self.stop(src, Op::Undefined(Undefined::InvalidCall));
        };
        let fault = self.program.add_loc(self.func);
        self.program.locs[fault].labels.push(check.property().into());
        self.last(src, fault, Op::Skip);
        self.stop(Some(fault), Op::Halt);
    }

    /// Ends the path with an operation that does so.
    fn stop(&mut self, src: Option<LocId>, op: Op) {
        if let Some(body) = self.program.functions[self.func].body {
            self.last(src, body.exit, op);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::display;

    /// Calls through `p` after what `prepare` does with it; compares the operations in a listing.
    #[track_caller]
    fn check(prepare: impl Fn(&mut Builder, VarId) -> Vec<Op>, expected: &[&str], assumed: usize) {
        let mut b = Builder::new();
        let f = b.func("f", &[Scalar::INT]);
        let g = b.extern_func("g");
        let h = b.func("h", &[]);
        for (func, key) in [(f, 1), (g, 1), (h, 2)] {
            b.program.functions[func].ty_key = key;
            b.func_addr(func);
        }
        let (p, r) = (b.reg(None, "p", Scalar::Ptr), b.reg(None, "r", Scalar::INT));
        let mut ops = prepare(&mut b, p);
        let (callee, one) = (b.var(p), b.int(1));
        ops.push(Op::CallPtr { callee, args: [one].into(), dst: Some(r), ty_key: 1 });
        let (entry, exit) = (b.entry(b.program.start), b.exit(b.program.start));
        let prepared = ops.len() - 1;
        b.chain(entry, exit, ops);
        let points_to = PointsTo::new(&b.program);
        let done = resolve_calls(&mut b.program, &points_to);
        assert_eq!((done.resolved, done.assumed.len()), (1, assumed));
        let text: Vec<_> = b.program.edges.iter().map(|e| display::op(&b.program, &e.op)).collect();
        assert_eq!(text[prepared..], *expected);
        for (id, edge) in b.program.edges.iter_enumerated() {
            assert!(b.program.locs[edge.src].out.contains(&id) && b.program.locs[edge.dst].inc.contains(&id));
        }
    }

    fn assign_functions(names: &[&str]) -> impl Fn(&mut Builder, VarId) -> Vec<Op> {
        move |b, p| {
            let one = |name: &&str| {
                let f = b.program.function_named(name).expect("is declared");
                Op::Assign { dst: p, src: b.func_addr(f) }
            };
            names.iter().map(one).collect()
        }
    }

    #[test]
    fn known_functions() {
        let expected = [
            "[p == &f]",
            "[!(p == &f)]",
            "r = call f(1)",
            "[p == &g]",
            "[!(p == &g)]",
            "r = call g(1)",
            "[p == &h]",
            "[!(p == &h)]",
            "unsupported: call through a pointer of another type",
            "undefined behaviour: invalid call through a pointer",
        ];
        check(assign_functions(&["f", "g", "h"]), &expected, 0);
        check(
            assign_functions(&["f"]),
            &["[p == &f]", "[!(p == &f)]", "r = call f(1)", "undefined behaviour: invalid call through a pointer"],
            0,
        );
    }

    #[test]
    fn unknown_functions() {
        let expected = [
            "[p == &f]",
            "[!(p == &f)]",
            "r = call f(1)",
            "[p == &g]",
            "[!(p == &g)]",
            "r = call g(1)",
            "[p == 0]",
            "[!(p == 0)]",
            "undefined behaviour: invalid call through a pointer",
            "havoc r",
        ];
        let havoc = |_: &mut Builder, p| vec![Op::Havoc { dst: p, source: HavocSource::Environment }];
        check(havoc, &expected, 1);
        check(|_, _| Vec::new(), &expected, 1);
        // `h` gives no result, so the call does not work with it.
        let misfit = ["[p == &h]", "[!(p == &h)]", "unsupported: call through a pointer of another type"].into_iter();
        let with_misfit: Vec<&str> =
            expected[..6].iter().copied().chain(misfit).chain(expected[6..].to_vec()).collect();
        check(assign_functions(&["h"]), &with_misfit, 1);
    }
}
