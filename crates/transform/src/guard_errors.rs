//! Lets only those runs violate an observer that have come far enough, as a counter tells.

use crate::edges::redirect;
use cfa::expr::{BinOp, ExprKind};
use cfa::observer::Observer;
use cfa::op::Op;
use cfa::program::{EdgeId, LocId, Program, VarId};
use cfa::value::{Scalar, Value};

/// When errors count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// A global register of an integer type.
    pub counter: VarId,
    /// Its value when a forbidden call counts.
    pub calls_at: u32,
    /// When labels count.
    pub labels: Labels,
}

/// When forbidden labels count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Labels {
    /// As calls do.
    AsCalls,
    /// One label of one function counts at a value, others never do.
    Only(Option<(String, String, u32)>),
}

/// Puts an assumption before each edge to an error.
pub fn guard_errors(program: &mut Program, observer: &Observer, guard: &Guard) {
    let attached: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
    for edge in attached {
        if observer.forbids_call(program, edge) {
            let Some(assume) = at(program, guard.counter, guard.calls_at) else { return };
            let (src, span) = (program.edges[edge].src, program.edges[edge].span);
            let func = program.locs[src].func;
            let between = program.add_loc(func);
            program.locs[src].out.retain(|e| *e != edge);
            program.add_edge(src, between, assume, span);
            program.edges[edge].src = between;
            program.locs[between].out.push(edge);
        }
    }
    let is_labelled = |loc: &LocId| observer.forbidden_labels(program, *loc).next().is_some();
    let labelled: Vec<LocId> = program.locs.ids().filter(is_labelled).collect();
    for loc in labelled {
        let func = program.locs[loc].func;
        let value = match &guard.labels {
            Labels::AsCalls => guard.calls_at,
            Labels::Only(Some((function, label, value)))
                if *program.functions[func].name == **function
                    && program.locs[loc].labels.iter().any(|l| **l == **label) =>
            {
                *value
            }
            // A counter never gets that far.
            Labels::Only(_) => u32::MAX,
        };
        for edge in program.locs[loc].inc.clone() {
            let Some(assume) = at(program, guard.counter, value) else { return };
            let between = program.add_loc(func);
            let span = program.edges[edge].span;
            redirect(program, edge, between);
            program.add_edge(between, loc, assume, span);
        }
    }
}

fn at(program: &mut Program, counter: VarId, value: u32) -> Option<Op> {
    let ty = program.vars[counter].register()?;
    let counter = program.exprs.add(ExprKind::Var(counter), ty);
    let value = program.exprs.add(ExprKind::Const(Value(value.into())), ty);
    let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, counter, value), Scalar::Bool);
    Some(Op::Assume { cond, truth: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::observer::Pattern;

    #[test]
    fn only_calls_behind_the_counter_count() {
        let mut b = Builder::new();
        let start = b.program.start;
        let (entry, exit) = (b.entry(start), b.exit(start));
        let counter = b.reg(None, "counter", Scalar::INT);
        let error = b.extern_func("error");
        let call = b.call(error, &[]);
        let edge = b.edge(entry, exit, call);
        let observer = Observer::never("p", [Pattern::Call("error".into())]);
        guard_errors(&mut b.program, &observer, &Guard { counter, calls_at: 3, labels: Labels::AsCalls });
        let p = &b.program;
        let [assume] = p.locs[entry].out[..] else { panic!("one way on") };
        assert!(matches!(p.edges[assume].op, Op::Assume { truth: true, .. }));
        assert_eq!(p.locs[p.edges[assume].dst].out, [edge]);
        assert_eq!(p.edges[edge].src, p.edges[assume].dst);
    }
}
