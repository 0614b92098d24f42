//! `setjmp` and `longjmp`: jumps to a function that is still running.
//!
//! Each call of `setjmp` gets a number of its own, which it keeps in a register of its frame and writes to its buffer. `longjmp` says which number it
//! looks for, and returns. Behind each call that may come back that way, control goes on where it should if no number is looked for, to the
//! call of `setjmp` if its number is, and otherwise to the caller. At the start function, what was called is known to have returned, or its buffer has been
//! used again. All this is done at the end, when it is known who calls whom. Local variables have the values that they had at the jump.

use crate::call::Want;
use crate::context::Lowerer;
use base::Span;
use cfa::program::Body;
use cfa::{Access, BinOp, EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, Scalar, Unsupported, Value, VarId};
use cfront::typed::Expr;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The construct that a jump is of which nobody knows where it leads.
const CONSTRUCT: &str = "longjmp";

/// Names of the functions that stand for jumps until all is lowered.
const SET: &str = "setjmp";
const JUMP: &str = "longjmp";

impl<'u> Lowerer<'u> {
    /// `setjmp`: any later jump comes back here, too.
    pub fn set_jump(&mut self, args: &'u [Expr], want: Want, span: Span) -> ExprId {
        let buffer = self.values(args)[0];
        let buffer = self.as_pointer(buffer);
        self.check_access(buffer, u64::from(self.pointer_bits / 8), Access::Write, span);
        let dst = self.result_register(Scalar::INT, want, span);
        let func = self.made_function(SET, self.void_ctype);
        self.emit(Op::CallExtern { func, args: [buffer].into(), dst: Some(dst) }, span);
        self.jumps_return_here(span);
        self.var(dst)
    }

    /// `longjmp`.
    pub fn jump(&mut self, args: &'u [Expr], span: Span) -> Option<ExprId> {
        let values = self.values(args);
        let buffer = self.as_pointer(values[0]);
        self.check_access(buffer, u64::from(self.pointer_bits / 8), Access::Read, span);
        let value = self.convert(values[1], Scalar::INT);
        let func = self.made_function(JUMP, self.void_ctype);
        self.emit(Op::CallExtern { func, args: [buffer, value].into(), dst: None }, span);
        self.emit(Op::Halt, span);
        None
    }

    /// Gives jumps their meaning.
    pub fn lower_jumps(&mut self) {
        let [sets, jumps] = [SET, JUMP].map(|name| self.made.get(name).copied());
        if sets.is_none() && jumps.is_none() {
            return;
        }
        let word = self.usize_ty();
        let mut register = |name, ty| self.hidden_counter(name, ty);
        let state = State {
            count: register("jumps", word),
            sought: register("jump to", word),
            value: register("jump with", Scalar::INT),
            word,
        };
        Jumps {
            program: &mut self.p,
            state,
            unwinding: FxHashMap::default(),
            points: FxHashMap::default(),
            first: Span::NONE,
        }
        .lower(sets, jumps);
    }
}

/// Registers of the program.
#[derive(Clone, Copy)]
struct State {
    /// How many calls of `setjmp` there were.
    count: VarId,
    /// Number of the call that is looked for, or zero.
    sought: VarId,
    /// What it will return.
    value: VarId,
    /// Type of the numbers.
    word: Scalar,
}

/// A call of `setjmp`.
#[derive(Clone, Copy)]
struct Point {
    /// Register with its number.
    number: VarId,
    result: Option<VarId>,
    /// Where it returns to.
    to: LocId,
    span: Span,
}

struct Jumps<'a> {
    program: &'a mut Program,
    state: State,
    points: FxHashMap<FuncId, Vec<Point>>,
    /// By function: where runs are that look for a number.
    unwinding: FxHashMap<FuncId, LocId>,
    /// The first jump.
    first: Span,
}

impl Jumps<'_> {
    fn lower(mut self, set: Option<FuncId>, jump: Option<FuncId>) {
        let live: Vec<EdgeId> = self.program.locs.iter().flat_map(|loc| &loc.out).copied().collect();
        let calls = |marker: Option<FuncId>| {
            let program = &self.program;
            let is_call = move |edge: &EdgeId| matches!(program.edges[*edge].op, Op::CallExtern { func, .. } if Some(func) == marker);
            live.iter().copied().filter(is_call).collect::<Vec<_>>()
        };
        let (sets, jumps) = (calls(set), calls(jump));
        self.first = jumps.first().map_or(Span::NONE, |edge| self.program.edges[*edge].span);
        let mut returning: BTreeSet<FuncId> = jumps.iter().map(|edge| self.func_of(*edge)).collect();
        let callers = self.callers(&live, &mut returning);
        for edge in sets {
            self.set(edge);
        }
        for edge in jumps {
            self.jump(edge);
        }
        for edge in callers {
            self.return_from(edge);
        }
    }

    fn func_of(&self, edge: EdgeId) -> FuncId {
        self.program.locs[self.program.edges[edge].src].func
    }

    /// Calls that may come back by a jump, and the functions that make them.
    fn callers(&self, live: &[EdgeId], returning: &mut BTreeSet<FuncId>) -> BTreeSet<EdgeId> {
        let mut calls = BTreeSet::new();
        loop {
            let by_pointer = returning.iter().any(|func| self.program.functions[*func].address_taken);
            let before = calls.len();
            for edge in live {
                let may_jump = match &self.program.edges[*edge].op {
                    Op::Call { func, .. } => returning.contains(func),
                    Op::CallPtr { .. } => by_pointer,
                    _ => false,
                };
                if may_jump && calls.insert(*edge) {
                    returning.insert(self.func_of(*edge));
                }
            }
            if calls.len() == before {
                return calls;
            }
        }
    }

    fn var(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].register().unwrap_or(self.state.word);
        self.program.exprs.add(ExprKind::Var(var), ty)
    }

    fn number(&mut self, value: u128, ty: Scalar) -> ExprId {
        self.program.exprs.add(ExprKind::Const(Value(value)), ty)
    }

    fn zero(&mut self, var: VarId) -> ExprId {
        let ty = self.program.vars[var].register().unwrap_or(self.state.word);
        self.number(0, ty)
    }

    /// Carries out operations one after the other; where they end.
    fn operations(&mut self, from: LocId, ops: impl IntoIterator<Item = Op>, span: Span) -> LocId {
        let func = self.program.locs[from].func;
        ops.into_iter().fold(from, |at, op| {
            let next = self.program.add_loc(func);
            self.program.add_edge(at, next, op, span);
            next
        })
    }

    /// Replaces an operation by others; the new end, which leads nowhere yet.
    fn instead(&mut self, edge: EdgeId, ops: Vec<Op>) -> LocId {
        let (src, dst, span) =
            (self.program.edges[edge].src, self.program.edges[edge].dst, self.program.edges[edge].span);
        let start = self.program.add_loc(self.program.locs[src].func);
        self.program.locs[dst].inc.retain(|e| *e != edge);
        self.program.locs[start].inc.push(edge);
        self.program.edges[edge].dst = start;
        self.program.edges[edge].op = Op::Skip;
        self.operations(start, ops, span)
    }

    fn set(&mut self, edge: EdgeId) {
        let (func, to, span) = (self.func_of(edge), self.program.edges[edge].dst, self.program.edges[edge].span);
        let Op::CallExtern { args, dst: result, .. } = &self.program.edges[edge].op else { return };
        let (buffer, result) = (args[0], *result);
        let number = self.program.add_register(func, "jump point", self.state.word);
        self.points.entry(func).or_default().push(Point { number, result, to, span });
        self.zero_at_entry(func, number);

        let (count, one) = (self.var(self.state.count), self.number(1, self.state.word));
        let next = self.program.exprs.add(ExprKind::Binary(BinOp::Add, count, one), self.state.word);
        let zero = self.number(0, Scalar::INT);
        let mut ops = vec![
            Op::Assign { dst: self.state.count, src: next },
            Op::Assign { dst: number, src: count },
            Op::Store { addr: buffer, value: count },
        ];
        ops.extend(result.map(|dst| Op::Assign { dst, src: zero }));
        let end = self.instead(edge, ops);
        self.program.add_edge(end, to, Op::Skip, span);
    }

    /// A frame begins without a number.
    fn zero_at_entry(&mut self, func: FuncId, number: VarId) {
        let Some(body) = self.program.functions[func].body else { return };
        let src = self.number(0, self.state.word);
        let entry = self.program.add_loc(func);
        self.program.add_edge(entry, body.entry, Op::Assign { dst: number, src }, self.program.functions[func].span);
        self.program.functions[func].body = Some(Body { entry, ..body });
    }

    fn jump(&mut self, edge: EdgeId) {
        let (func, span) = (self.func_of(edge), self.program.edges[edge].span);
        let Op::CallExtern { args, .. } = &self.program.edges[edge].op else { return };
        let (buffer, value) = (args[0], args[1]);
        let sought = self.program.exprs.add(ExprKind::Load(buffer), self.state.word);
        let (zero, one) = (self.number(0, Scalar::INT), self.number(1, Scalar::INT));
        let is_zero = self.program.exprs.add(ExprKind::Binary(BinOp::Eq, value, zero), Scalar::Bool);
        let value = self.program.exprs.add(ExprKind::Ite(is_zero, one, value), Scalar::INT);
        let ops =
            vec![Op::Assign { dst: self.state.sought, src: sought }, Op::Assign { dst: self.state.value, src: value }];
        let end = self.instead(edge, ops);
        let unknown = self.program.add_loc(func);
        let unwinding = self.unwinding(func);
        self.branch(end, (unknown, unwinding), span);
        self.unknown(unknown, "to where no `setjmp` was called", span);
    }

    /// Control goes on at the first location where no number is looked for, otherwise at the second.
    fn branch(&mut self, from: LocId, (none, some): (LocId, LocId), span: Span) {
        let (sought, zero) = (self.var(self.state.sought), self.number(0, self.state.word));
        let cond = self.program.exprs.add(ExprKind::Binary(BinOp::Eq, sought, zero), Scalar::Bool);
        self.program.add_edge(from, none, Op::Assume { cond, truth: true }, span);
        self.program.add_edge(from, some, Op::Assume { cond, truth: false }, span);
    }

    fn unknown(&mut self, from: LocId, detail: &str, span: Span) {
        let unsupported = Unsupported { construct: CONSTRUCT.into(), detail: detail.into(), span };
        let id = self.program.unsupported.push(unsupported);
        if let Some(body) = self.program.functions[self.program.locs[from].func].body {
            self.program.add_edge(from, body.exit, Op::Unsupported(id), span);
        }
    }

    /// Where a call comes back, a number may be looked for; it has no result then.
    fn return_from(&mut self, edge: EdgeId) {
        let (func, to, span) = (self.func_of(edge), self.program.edges[edge].dst, self.program.edges[edge].span);
        let returned = self.program.add_loc(func);
        self.program.locs[to].inc.retain(|e| *e != edge);
        self.program.locs[returned].inc.push(edge);
        self.program.edges[edge].dst = returned;
        let kept = match &mut self.program.edges[edge].op {
            Op::Call { dst, .. } | Op::CallPtr { dst, .. } => dst.take(),
            _ => None,
        };
        let next = self.program.add_loc(func);
        let unwinding = self.unwinding(func);
        self.branch(returned, (next, unwinding), span);
        let Some(kept) = kept else {
            self.program.add_edge(next, to, Op::Skip, span);
            return;
        };
        let ty = self.program.vars[kept].register().unwrap_or(self.state.word);
        let result = self.program.add_register(func, "result", ty);
        if let Op::Call { dst, .. } | Op::CallPtr { dst, .. } = &mut self.program.edges[edge].op {
            *dst = Some(result);
        }
        let src = self.var(result);
        self.program.add_edge(next, to, Op::Assign { dst: kept, src }, span);
    }

    /// Where runs of a function are that look for a number: they find it here, or return.
    fn unwinding(&mut self, func: FuncId) -> LocId {
        if let Some(known) = self.unwinding.get(&func) {
            return *known;
        }
        let first = self.program.add_loc(func);
        self.unwinding.insert(func, first);
        let mut at = first;
        for Point { number, result, to, span } in self.points.get(&func).cloned().unwrap_or_default() {
            let (sought, number) = (self.var(self.state.sought), self.var(number));
            let cond = self.program.exprs.add(ExprKind::Binary(BinOp::Eq, sought, number), Scalar::Bool);
            let (found, next) = (self.program.add_loc(func), self.program.add_loc(func));
            self.program.add_edge(at, found, Op::Assume { cond, truth: true }, span);
            self.program.add_edge(at, next, Op::Assume { cond, truth: false }, span);
            let (zero, value) = (self.number(0, self.state.word), self.var(self.state.value));
            let mut ops = vec![Op::Assign { dst: self.state.sought, src: zero }];
            ops.extend(result.map(|dst| Op::Assign { dst, src: value }));
            let end = self.operations(found, ops, span);
            self.program.add_edge(end, to, Op::Skip, span);
            at = next;
        }
        if func == self.program.start {
            let detail =
                "to a call of `setjmp` whose function has returned, or that was made again with another buffer";
            self.unknown(at, detail, self.first);
        } else if let Some(body) = self.program.functions[func].body {
            let op = match self.program.functions[func].ret {
                // Nobody reads it.
                Some(dst) => Op::Assign { dst, src: self.zero(dst) },
                None => Op::Skip,
            };
            self.program.add_edge(at, body.exit, op, self.program.functions[func].span);
        }
        first
    }
}
