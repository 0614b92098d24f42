//! Turns assignments of `condition ? a : b` into branches, for analyses that forget a value which two runs do not share.
//!
//! Edges keep their ids and expressions are not touched: the edge assigns `a` behind a new assumption, and a new edge assigns
//! `b` behind the opposite one. Choices within `a` and `b` are split as well.

use crate::edges::move_source;
use cfa::expr::ExprKind;
use cfa::op::Op;
use cfa::program::{EdgeId, Program};

/// Most edges that one assignment becomes.
const MAX_PARTS: usize = 32;

/// Splits all choices; returns how many.
pub fn split_choices(program: &mut Program) -> usize {
    let mut split = 0;
    let attached: Vec<EdgeId> = program.locs.iter().flat_map(|l| l.out.iter().copied()).collect();
    for edge in attached {
        let mut work = vec![edge];
        let mut parts = 1;
        while let Some(edge) = work.pop() {
            if parts < MAX_PARTS
                && let Some(other) = split_one(program, edge)
            {
                parts += 1;
                split += 1;
                work.extend([edge, other]);
            }
        }
    }
    split
}

/// Splits the choice on an edge; the edge of the other branch.
fn split_one(program: &mut Program, edge: EdgeId) -> Option<EdgeId> {
    let Op::Assign { dst, src } = program.edges[edge].op else { return None };
    let ExprKind::Ite(cond, yes, no) = program.exprs.kind(src) else { return None };
    let (from, to, span) = (program.edges[edge].src, program.edges[edge].dst, program.edges[edge].span);
    let func = program.locs[from].func;
    let (at_yes, at_no) = (program.add_loc(func), program.add_loc(func));
    move_source(program, edge, at_yes);
    program.add_edge(from, at_yes, Op::Assume { cond, truth: true }, span);
    program.add_edge(from, at_no, Op::Assume { cond, truth: false }, span);
    program.edges[edge].op = Op::Assign { dst, src: yes };
    Some(program.add_edge(at_no, to, Op::Assign { dst, src: no }, span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;
    use cfa::expr::BinOp;
    use cfa::value::Scalar;

    #[test]
    fn nested_choices_become_branches() {
        let mut b = Builder::new();
        let start = b.program.start;
        let (entry, exit) = (b.entry(start), b.exit(start));
        let (x, y) = (b.reg(None, "x", Scalar::INT), b.reg(None, "y", Scalar::INT));
        let vy = b.var(y);
        let [one, two, three] = [1, 2, 3].map(|n| b.int(n));
        let (is_one, is_two) = (b.bin(BinOp::Eq, vy, one), b.bin(BinOp::Eq, vy, two));
        let inner = b.program.exprs.add(ExprKind::Ite(is_two, two, three), Scalar::INT);
        let choice = b.program.exprs.add(ExprKind::Ite(is_one, one, inner), Scalar::INT);
        let edge = b.edge(entry, exit, Op::Assign { dst: x, src: choice });
        assert_eq!(split_choices(&mut b.program), 2);
        let p = &b.program;
        assert_eq!(p.edges[edge].op, Op::Assign { dst: x, src: one });
        let mut values = Vec::new();
        for e in &p.locs[exit].inc {
            let Op::Assign { src, .. } = p.edges[*e].op else { panic!("only assignments lead to the end") };
            assert!(p.locs[p.edges[*e].src].out.contains(e));
            let [assume] = p.locs[p.edges[*e].src].inc[..] else { panic!("one way to each assignment") };
            assert!(matches!(p.edges[assume].op, Op::Assume { .. }));
            values.push(src);
        }
        values.sort_unstable();
        let mut expected = vec![one, two, three];
        expected.sort_unstable();
        assert_eq!(values, expected);
        assert_eq!(p.locs[entry].out.len(), 2);
    }
}
