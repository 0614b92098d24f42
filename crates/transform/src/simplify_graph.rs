//! Takes out edges that no run can reach and contracts edges that do nothing.
//!
//! A location without labels whose only way on is a `Skip` edge is left out: the edges into it lead to where the `Skip` edge
//! leads. Entries of functions stay. Nothing else is merged, and ids keep their meaning.
//!
//! `while (!condition) {}` is a usual way to write an assumption: a run that goes around once does so for ever. Such runs end
//! with `Halt` instead, so that whoever follows one comes back.

use base::{Id, IdVec};
use cfa::callgraph::CallGraph;
use cfa::loops::reachable_locations;
use cfa::op::Op;
use cfa::program::{EdgeId, FuncId, LocId, Program};

/// The functions that may be called, directly or not, from the start function. Without points-to analysis, a call through a
/// pointer may reach each function of its type whose address is taken.
pub fn reachable_functions(program: &Program) -> IdVec<FuncId, bool> {
    CallGraph::new(program, None).reachable(program.start)
}

/// Simplifies the automata of all functions; returns how many edges were taken out.
pub fn simplify_graph(program: &mut Program) -> usize {
    let count = |program: &Program| program.locs.iter().map(|l| l.out.len()).sum::<usize>();
    let before = count(program);
    remove_unreachable(program);
    contract_skips(program);
    let removed = before - count(program);
    end_idle_loops(program);
    removed
}

/// Takes out all edges from locations that control can't reach.
fn remove_unreachable(program: &mut Program) {
    // Edges of unreachable locations do not make functions reachable, so they go first.
    for round in 0..2 {
        let functions =
            if round == 0 { IdVec::from_elem(true, program.functions.len()) } else { reachable_functions(program) };
        let mut live = IdVec::from_elem(false, program.locs.len());
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(body) = function.body.filter(|_| functions[id]) {
                reachable_locations(program, body.entry).into_iter().for_each(|l| live[l] = true);
            }
        }
        keep_edges(program, |program, edge| live[program.edges[edge].src]);
    }
}

/// Keeps the attached edges for which `keep` holds.
fn keep_edges(program: &mut Program, keep: impl Fn(&Program, EdgeId) -> bool) {
    let kept: IdVec<EdgeId, bool> = program.edges.ids().map(|e| keep(program, e)).collect();
    for loc in program.locs.iter_mut() {
        loc.out.retain(|e| kept[*e]);
        loc.inc.retain(|e| kept[*e]);
    }
}

fn contract_skips(program: &mut Program) {
    let mut is_entry = IdVec::from_elem(false, program.locs.len());
    program.functions.iter().filter_map(|f| f.body).for_each(|b| is_entry[b.entry] = true);
    let next: IdVec<LocId, Option<LocId>> = program
        .locs
        .iter_enumerated()
        .map(|(id, loc)| match loc.out[..] {
            [edge] if loc.labels.is_empty() && !is_entry[id] && matches!(program.edges[edge].op, Op::Skip) => {
                // The step to a label says where the label is reached from.
                Some(program.edges[edge].dst).filter(|dst| program.locs[*dst].labels.is_empty())
            }
            _ => None,
        })
        .collect();
    // Where each location's chain of `Skip` edges ends. In a cycle of them, one location stays.
    let mut target: IdVec<LocId, Option<LocId>> = IdVec::from_elem(None, next.len());
    let mut path = Vec::new();
    let mut on_path = IdVec::from_elem(false, next.len());
    for start in (0..next.len()).map(LocId::from_index) {
        let mut at = start;
        while let (None, Some(after)) = (target[at], next[at]) {
            if std::mem::replace(&mut on_path[at], true) {
                break;
            }
            path.push(at);
            at = after;
        }
        let end = target[at].unwrap_or(at);
        target[at] = Some(end);
        for loc in path.drain(..) {
            on_path[loc] = false;
            target[loc] = Some(end);
        }
    }
    let target = |loc: LocId| target[loc].unwrap_or(loc);
    keep_edges(program, |program, edge| {
        let src = program.edges[edge].src;
        target(src) == src
    });
    for loc in program.locs.ids().filter(|l| target(*l) != *l) {
        for edge in std::mem::take(&mut program.locs[loc].inc) {
            let dst = target(loc);
            program.edges[edge].dst = dst;
            program.locs[dst].inc.push(edge);
        }
    }
}

/// Lets runs that only test a condition again and again end.
fn end_idle_loops(program: &mut Program) {
    let is_idle = |program: &Program, edge: EdgeId| {
        let edge = &program.edges[edge];
        edge.src == edge.dst && matches!(edge.op, Op::Assume { .. }) && program.locs[edge.src].out.len() > 1
    };
    let idle: Vec<EdgeId> = program.edges.ids().filter(|edge| is_idle(program, *edge)).collect();
    for edge in idle {
        let (head, span) = (program.edges[edge].src, program.edges[edge].span);
        let func = program.locs[head].func;
        let Some(body) = program.functions[func].body.filter(|_| program.locs[head].out.contains(&edge)) else {
            continue;
        };
        let end = program.add_loc(func);
        program.locs[head].inc.retain(|e| *e != edge);
        program.edges[edge].dst = end;
        program.locs[end].inc.push(edge);
        program.add_edge(end, body.exit, Op::Halt, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::build::Builder;

    fn check_links(program: &Program) {
        for (id, loc) in program.locs.iter_enumerated() {
            assert!(
                loc.out
                    .iter()
                    .all(|e| program.edges[*e].src == id && program.locs[program.edges[*e].dst].inc.contains(e))
            );
            assert!(
                loc.inc
                    .iter()
                    .all(|e| program.edges[*e].dst == id && program.locs[program.edges[*e].src].out.contains(e))
            );
        }
    }

    #[test]
    fn skips_vanish_but_labels_and_loops_stay() {
        let mut b = Builder::new();
        let start = b.program.start;
        let (entry, exit) = (b.entry(start), b.exit(start));
        let l: Vec<_> = (0..7).map(|_| b.loc(start)).collect();
        b.program.locs[l[2]].labels.push("ERROR".into());
        let x = b.reg(None, "x", cfa::Scalar::INT);
        let one = b.int(1);
        let first = b.edge(entry, l[0], Op::Assign { dst: x, src: one });
        for (from, to) in [(l[0], l[1]), (l[1], l[2]), (l[2], l[3]), (l[3], exit)] {
            b.edge(from, to, Op::Skip);
        }
        // A cycle that nobody reaches, and one that is reached.
        b.edge(l[4], l[4], Op::Skip);
        let into = b.edge(entry, l[5], Op::Assign { dst: x, src: one });
        b.edge(l[5], l[6], Op::Skip);
        b.edge(l[6], l[5], Op::Skip);
        let removed = simplify_graph(&mut b.program);
        let p = &b.program;
        check_links(p);
        assert_eq!(removed, 4);
        // One step leads to the label.
        assert_eq!(p.edges[first].dst, l[1]);
        assert_eq!(p.locs[l[1]].out.iter().map(|e| p.edges[*e].dst).collect::<Vec<_>>(), [l[2]]);
        assert_eq!(p.locs[l[2]].out.iter().map(|e| p.edges[*e].dst).collect::<Vec<_>>(), [exit]);
        let stuck = p.edges[into].dst;
        assert_eq!(p.locs[stuck].out.iter().map(|e| p.edges[*e].dst).collect::<Vec<_>>(), [stuck]);
    }

    #[test]
    fn idle_loops_end() {
        let mut b = Builder::new();
        let start = b.program.start;
        let (entry, exit) = (b.entry(start), b.exit(start));
        let [head, body] = [0; 2].map(|_| b.loc(start));
        let x = b.reg(None, "x", cfa::Scalar::INT);
        let (vx, one) = (b.var(x), b.int(1));
        b.edge(entry, head, Op::Assign { dst: x, src: one });
        let cond = b.bin(cfa::BinOp::Eq, vx, one);
        b.branch(head, cond, body, exit);
        b.edge(body, head, Op::Skip);
        simplify_graph(&mut b.program);
        let p = &b.program;
        check_links(p);
        let ends = p.locs[head].out.iter().map(|e| &p.locs[p.edges[*e].dst]);
        let halts: Vec<bool> = ends.map(|l| l.out.iter().any(|e| p.edges[*e].op == Op::Halt)).collect();
        assert_eq!(halts, [true, false]);
    }

    #[test]
    fn unreachable_code_goes() {
        let mut b = Builder::new();
        let (start, used, unused) = (b.program.start, b.func("used", &[]), b.func("unused", &[]));
        let (entry, exit, op) = (b.entry(start), b.exit(start), b.call(used, &[]));
        b.edge(entry, exit, op);
        let dead = b.loc(start);
        let op = b.call(unused, &[]);
        b.edge(dead, exit, op);
        for f in [used, unused] {
            let entry = b.entry(f);
            b.end(entry, Op::Halt);
        }
        assert_eq!(simplify_graph(&mut b.program), 2);
        check_links(&b.program);
        assert_eq!(reachable_functions(&b.program).iter().copied().collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(b.program.locs[b.entry(used)].out.len(), 1);
        assert!(b.program.locs[b.entry(unused)].out.is_empty());
    }
}
