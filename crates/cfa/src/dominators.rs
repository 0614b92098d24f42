//! Dominators, postdominators and control dependence.
//!
//! Algorithm: semidominators with compressed paths [lengauer79], in time O(m log n). Where a path
//! can end (the function's exit, edges whose operation ends the path, assumptions that may block, endless loops) an edge to
//! one virtual exit is added; postdominators are dominators of the reversed graph. Control dependence [ferrante87] is the
//! dominance frontier of the reversed graph.

use crate::loops::{Wto, is_branch};
use crate::op::Op;
use crate::program::{FuncId, LocId, Program};
use base::IdVec;

const NONE: u32 = u32::MAX;

/// Immediate dominators of the nodes `0..n` of a graph; the root's is itself, `u32::MAX` stands for unreachable ones.
///
/// `succs[v]` and `preds[v]` are the neighbours of `v`.
pub fn immediate_dominators(root: u32, succs: &[Vec<u32>], preds: &[Vec<u32>]) -> Vec<u32> {
    let Preorder { order, number, parent } = preorder(root, succs);
    // From here on, nodes are their numbers in preorder.
    let mut forest = Forest::new(order.len());
    let mut idom = vec![0; order.len()];
    let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for w in (1..order.len()).rev() {
        let above = parent[w];
        for p in &preds[order[w] as usize] {
            let p = number[*p as usize];
            if p != NONE {
                let least = forest.least(p);
                forest.semi[w] = forest.semi[w].min(forest.semi[least as usize]);
            }
        }
        bucket[forest.semi[w] as usize].push(w as u32);
        forest.ancestor[w] = above;
        for v in std::mem::take(&mut bucket[above as usize]) {
            let least = forest.least(v);
            let lower = forest.semi[least as usize] < forest.semi[v as usize];
            idom[v as usize] = if lower { least } else { above };
        }
    }
    for w in 1..order.len() {
        if idom[w] != forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
    }
    let mut result = vec![NONE; succs.len()];
    for (v, dom) in idom.iter().enumerate() {
        result[order[v] as usize] = order[*dom as usize];
    }
    result
}

/// The part of the depth-first tree whose semidominators are known, with compressed paths.
struct Forest {
    semi: Vec<u32>,
    /// Nearest known ancestor outside of the compressed path; `NONE` for roots.
    ancestor: Vec<u32>,
    /// The node with the least semidominator on the compressed path.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(n: usize) -> Self {
        let all: Vec<u32> = (0..n as u32).collect();
        Self { semi: all.clone(), ancestor: vec![NONE; n], label: all, path: Vec::new() }
    }

    /// The node with the least semidominator from `v` up to below the root of its tree; `v` itself if it is the root.
    fn least(&mut self, v: u32) -> u32 {
        let mut at = v;
        while self.ancestor[at as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        let mut above = self.path.pop();
        while let Some(v) = self.path.pop() {
            let upper = above.unwrap_or(v) as usize;
            if self.semi[self.label[upper] as usize] < self.semi[self.label[v as usize] as usize] {
                self.label[v as usize] = self.label[upper];
            }
            self.ancestor[v as usize] = self.ancestor[upper];
            above = Some(v);
        }
        self.label[v as usize]
    }
}

/// Nodes in depth-first preorder, the number of each node in it, and the number of each one's parent.
struct Preorder {
    order: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
}

fn preorder(root: u32, succs: &[Vec<u32>]) -> Preorder {
    let mut found = Preorder { order: vec![root], number: vec![NONE; succs.len()], parent: vec![0] };
    found.number[root as usize] = 0;
    let mut stack = vec![(root, 0)];
    while let Some((v, next)) = stack.last_mut() {
        match succs[*v as usize].get(*next) {
            Some(w) => {
                *next += 1;
                if found.number[*w as usize] == NONE {
                    found.parent.push(found.number[*v as usize]);
                    found.number[*w as usize] = found.order.len() as u32;
                    found.order.push(*w);
                    stack.push((*w, 0));
                }
            }
            None => {
                stack.pop();
            }
        }
    }
    found
}

/// Dominance and control dependence within one function.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Reachable locations, in the order of the [`Wto`].
    locs: Vec<LocId>,
    /// Immediate dominators and postdominators by index in `locs`; `locs.len()` is the virtual exit.
    idom: Vec<u32>,
    #[cfg(test)]
    ipdom: Vec<u32>,
    /// Locations on which each one is directly control dependent.
    controls: Vec<Vec<LocId>>,
    /// Fewest edges to the virtual exit.
    to_exit: Vec<u32>,
    wto_first: LocId,
}

impl Dominators {
    /// Computes them for a function; `None` if it has no body.
    pub fn new(program: &Program, wto: &Wto, func: FuncId) -> Option<Self> {
        let body = program.functions[func].body?;
        let locs = wto.order(func).to_vec();
        let n = locs.len();
        let exit = n as u32;
        let mut succs: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
        let mut ending = Vec::new();
        for (v, loc) in locs.iter().enumerate() {
            for edge in &program.locs[*loc].out {
                let edge = &program.edges[*edge];
                if edge.op.ends_path() {
                    ending.push(v as u32);
                } else {
                    push_new(&mut succs[v], wto.pos(edge.dst));
                }
            }
            if *loc == body.exit || may_block(program, *loc) {
                push_new(&mut succs[v], exit);
            }
        }
        let mut preds = reversed(&succs);
        let mut to_exit = vec![NONE; n + 1];
        relax(exit, 0, &preds, &mut to_exit);
        // A loop that only edges that end the path leave counts as endless: whether one of them is ever taken is a choice.
        // What is left can't leave an endless loop. The last location in the order is in one without a way out of it.
        let mut endless = Vec::new();
        for v in (0..n).rev() {
            if to_exit[v] == NONE
                && let Some(head) = wto.heads(locs[v]).first()
            {
                endless.push(wto.pos(*head));
                relax(wto.pos(*head), 1, &preds, &mut to_exit);
            }
        }
        for v in ending.into_iter().chain(endless) {
            if !succs[v as usize].contains(&exit) {
                succs[v as usize].push(exit);
                preds[exit as usize].push(v);
            }
        }
        to_exit.fill(NONE);
        relax(exit, 0, &preds, &mut to_exit);
        for v in (0..n).rev() {
            if to_exit[v] == NONE {
                succs[v].push(exit);
                preds[exit as usize].push(v as u32);
                relax(v as u32, 1, &preds, &mut to_exit);
            }
        }
        let idom = immediate_dominators(0, &succs, &preds);
        let ipdom = immediate_dominators(exit, &preds, &succs);
        let mut controls: Vec<Vec<LocId>> = vec![Vec::new(); n];
        for v in 0..n {
            if succs[v].len() < 2 {
                continue;
            }
            for w in &succs[v] {
                let mut at = *w;
                while at != ipdom[v] && at != exit {
                    if controls[at as usize].last() != Some(&locs[v]) {
                        controls[at as usize].push(locs[v]);
                    }
                    at = ipdom[at as usize];
                }
            }
        }
        Some(Self {
            idom,
            #[cfg(test)]
            ipdom,
            controls,
            to_exit,
            wto_first: body.entry,
            locs,
        })
    }

    /// The nearest location that is on every path from the entry to `loc`; `None` for the entry.
    fn idom(&self, wto: &Wto, loc: LocId) -> Option<LocId> {
        if loc == self.wto_first || !wto.is_reachable(loc) {
            return None;
        }
        self.locs.get(self.idom[wto.pos(loc) as usize] as usize).copied()
    }

    /// The nearest location that is on every path from `loc` to an end; `None` if there is none.
    #[cfg(test)]
    fn ipdom(&self, wto: &Wto, loc: LocId) -> Option<LocId> {
        if !wto.is_reachable(loc) {
            return None;
        }
        self.locs.get(self.ipdom[wto.pos(loc) as usize] as usize).copied()
    }

    /// Whether `a` is on every path from the entry to `b`. Takes time linear in the depth of the tree.
    pub fn dominates(&self, wto: &Wto, a: LocId, b: LocId) -> bool {
        std::iter::successors(Some(b), |v| self.idom(wto, *v)).any(|v| v == a)
    }

    /// The locations whose choice of an edge decides whether `loc` is reached (directly control dependent).
    pub fn controls(&self, wto: &Wto, loc: LocId) -> &[LocId] {
        self.controls.get(wto.pos(loc) as usize).map_or(&[], |c| &c[..])
    }

    /// Fewest edges from the location to where its path ends or its function returns; an endless loop ends at its head.
    pub fn distance_to_end(&self, wto: &Wto, loc: LocId) -> u32 {
        self.to_exit.get(wto.pos(loc) as usize).copied().unwrap_or(NONE)
    }
}

/// Control dependence of all functions with a body.
pub fn all(program: &Program, wto: &Wto) -> IdVec<FuncId, Option<Dominators>> {
    program.functions.ids().map(|f| Dominators::new(program, wto, f)).collect()
}

/// Whether a run may be stuck at the location because no assumption of an outgoing edge holds.
pub fn may_block(program: &Program, loc: LocId) -> bool {
    let out = &program.locs[loc].out;
    let all_assume = out.iter().all(|e| matches!(program.edges[*e].op, Op::Assume { .. }));
    !out.is_empty() && all_assume && !is_branch(program, loc)
}

fn push_new(list: &mut Vec<u32>, v: u32) {
    if !list.contains(&v) {
        list.push(v);
    }
}

fn reversed(succs: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut preds = vec![Vec::new(); succs.len()];
    for (v, succs) in succs.iter().enumerate() {
        for w in succs {
            preds[*w as usize].push(v as u32);
        }
    }
    preds
}

/// Spreads the distance backwards from `from`, breadth first, to nodes that had none.
fn relax(from: u32, distance: u32, preds: &[Vec<u32>], to_exit: &mut [u32]) {
    to_exit[from as usize] = distance;
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(v) = queue.pop_front() {
        for p in &preds[v as usize] {
            if to_exit[*p as usize] == NONE {
                to_exit[*p as usize] = to_exit[v as usize] + 1;
                queue.push_back(*p);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;
    use fastrand::Rng;

    /// Whether `to` can be reached from `from` without visiting `without`.
    fn reaches(succs: &[Vec<u32>], from: u32, to: u32, without: u32) -> bool {
        let mut seen = vec![false; succs.len()];
        let mut stack = vec![from];
        while let Some(v) = stack.pop() {
            if v == without || std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            if v == to {
                return true;
            }
            stack.extend(&succs[v as usize]);
        }
        false
    }

    #[test]
    fn as_defined_on_random_graphs() {
        let mut rng = Rng::with_seed(2);
        for _ in 0..800 {
            let n = 2 + rng.usize(..10);
            let mut succs = vec![Vec::new(); n];
            for _ in 0..n + rng.usize(..n) {
                let (a, b) = (rng.usize(..n), rng.usize(..n) as u32);
                succs[a].push(b);
            }
            let idom = immediate_dominators(0, &succs, &reversed(&succs));
            for v in 1..n as u32 {
                let dominators: Vec<u32> = (0..n as u32).filter(|d| *d != v && !reaches(&succs, 0, v, *d)).collect();
                if !reaches(&succs, 0, v, NONE) {
                    assert_eq!(idom[v as usize], NONE);
                    continue;
                }
                let d = idom[v as usize];
                assert!(dominators.contains(&d));
                assert!(dominators.iter().all(|e| *e == d || !reaches(&succs, 0, d, *e)), "not the nearest");
            }
        }
    }

    #[test]
    fn control_dependence_as_defined() {
        let mut rng = Rng::with_seed(3);
        for _ in 0..500 {
            let n = 3 + rng.usize(..8);
            // The last location is the exit and has no outgoing edge.
            let edges: Vec<_> = (0..n + rng.usize(..n)).map(|_| (rng.usize(..n - 1), rng.usize(..n))).collect();
            let program = graph(n, edges);
            let wto = Wto::new(&program);
            let d = Dominators::new(&program, &wto, program.start).expect("has a body");
            for v in wto.order(program.start) {
                assert_ne!(d.distance_to_end(&wto, *v), NONE);
                assert!(d.dominates(&wto, wto.order(program.start)[0], *v));
                for w in wto.order(program.start) {
                    let succs = program.locs[*v].out.iter().map(|e| program.edges[*e].dst);
                    let some = succs.clone().any(|s| postdominates(&d, &wto, *w, s));
                    let strictly = v != w && postdominates(&d, &wto, *w, *v);
                    let expected = some && !strictly && several_ways(&program, &d, &wto, *v);
                    assert_eq!(d.controls(&wto, *w).contains(v), expected, "{w:?} on {v:?}");
                }
            }
        }
    }

    /// Whether `a` is on every path from `b` to an end.
    fn postdominates(d: &Dominators, wto: &Wto, a: LocId, b: LocId) -> bool {
        std::iter::successors(Some(b), |v| d.ipdom(wto, *v)).any(|v| v == a)
    }

    /// Whether a location has successors with different postdominators, the virtual exit of endless loops included.
    fn several_ways(program: &Program, d: &Dominators, wto: &Wto, v: LocId) -> bool {
        let mut succs: Vec<_> = program.locs[v].out.iter().map(|e| program.edges[*e].dst).collect();
        succs.sort();
        succs.dedup();
        succs.len() > 1 || (succs.len() == 1 && d.distance_to_end(wto, v) == 1)
    }

    #[test]
    fn large_joins_are_fast() {
        // A chain of branches that all jump to the exit.
        let n = 100_000;
        let edges = (0..n - 1).flat_map(|i| [(i, i + 1), (i, n - 1)]);
        let program = graph(n, edges);
        let wto = Wto::new(&program);
        let d = Dominators::new(&program, &wto, program.start).expect("has a body");
        let order = wto.order(program.start);
        assert_eq!(d.idom(&wto, order[n - 1]), Some(order[0]));
    }

    #[test]
    fn deeply_nested_joins_are_fast() {
        // Nested branches, each of which joins where the one around it does: a chain down and a chain up with bridges.
        let n = 100_000;
        let mut succs: Vec<Vec<u32>> = vec![Vec::new(); 2 * n];
        for i in 0..n - 1 {
            succs[i].extend([i as u32 + 1, (2 * n - 1 - i) as u32]);
            succs[2 * n - 2 - i].push((2 * n - 1 - i) as u32);
        }
        succs[n - 1].push(n as u32);
        let idom = immediate_dominators(0, &succs, &reversed(&succs));
        assert!((1..n).all(|i| idom[2 * n - 1 - i] == i as u32));
    }
}
