//! Loop structure of every function: a weak topological order (WTO) and the nesting of its components.
//!
//! A WTO [bourdoncle93] is a linear order with nested components (loops), each with a head, such that every edge either goes
//! forward in the order or is a *back edge*, whose target is the head of a component that contains its source. Components
//! are contiguous in the order and start with their heads. Irreducible graphs have one, too.
//!
//! Algorithm: one depth-first search; components are found bottom-up with disjoint sets, where a cross edge takes part from
//! the least common ancestor of its ends on [ramalingam99, havlak97]; almost linear time. The order is the reverse
//! postorder of the search, made contiguous component by component. No recursion: depth is bounded by memory only.
//!
//! **Unrolling.** Give each unrolled location the key `[(pos(h1), i1), …, (pos(hk), ik), pos(loc)]` with the heads around
//! it ([`Wto::heads`], the location itself included if it is a head) and their iterations. Along an edge that is no back
//! edge, let the iterations of common heads stay and those of entered components start at 0: the key grows strictly in the
//! lexicographic order. Along a back edge to `h`, cut the key after `h` and add 1 to the iteration of `h`: it grows as well.
//! Reason: where the nesting of source and target parts, the compared positions are those of different elements (locations
//! or components) of one surrounding component, and the order is topological between those. The tests check it.

use crate::op::Op;
use crate::program::{EdgeId, FuncId, LocId, Program};
use base::IdVec;

const NONE: u32 = u32::MAX;

/// Weak topological orders of all functions with a body.
#[derive(Clone, Debug)]
pub struct Wto {
    /// Position in the order of the location's function; `NONE` if it is unreachable from the entry.
    pos: IdVec<LocId, u32>,
    /// For heads: the position after the last one of the component; else 0.
    end: IdVec<LocId, u32>,
    /// Innermost head around the location, itself included.
    innermost: IdVec<LocId, Option<LocId>>,
    /// Where the heads around a location are in `chains`: first and number.
    chain: IdVec<LocId, (u32, u32)>,
    chains: Vec<LocId>,
    /// Locations of each function in their order.
    order: IdVec<FuncId, Vec<LocId>>,
}

impl Wto {
    /// Orders the locations of all functions. Edges whose operation ends the path lead nowhere.
    pub fn new(program: &Program) -> Self {
        let n = program.locs.len();
        let mut wto = Wto {
            pos: IdVec::from_elem(NONE, n),
            end: IdVec::from_elem(0, n),
            innermost: IdVec::from_elem(None, n),
            chain: IdVec::from_elem((0, 0), n),
            chains: Vec::new(),
            order: IdVec::new(),
        };
        let mut local = IdVec::from_elem(NONE, n);
        for function in &program.functions {
            let order = match function.body {
                Some(body) => wto.add_function(program, body.entry, &mut local),
                None => Vec::new(),
            };
            wto.order.push(order);
        }
        wto
    }

    /// Position in the order of its function, from 0; `u32::MAX` for locations that are unreachable from its entry.
    #[inline]
    pub fn pos(&self, loc: LocId) -> u32 {
        self.pos[loc]
    }

    /// Whether the location is reachable from its function's entry.
    #[inline]
    pub fn is_reachable(&self, loc: LocId) -> bool {
        self.pos[loc] != NONE
    }

    /// Whether the location is the head of a component, that is, the target of a back edge.
    #[inline]
    pub fn is_head(&self, loc: LocId) -> bool {
        self.end[loc] != 0
    }

    /// Heads of the components around the location, outermost first; a head is in its own component.
    pub fn heads(&self, loc: LocId) -> &[LocId] {
        let (first, len) = self.chain[loc];
        &self.chains[first as usize..(first + len) as usize]
    }

    /// Innermost head around the location, itself included.
    pub fn innermost(&self, loc: LocId) -> Option<LocId> {
        self.innermost[loc]
    }

    /// Whether the component of `head` contains the location.
    #[inline]
    pub fn contains(&self, head: LocId, loc: LocId) -> bool {
        self.pos[head] <= self.pos[loc] && self.pos[loc] < self.end[head]
    }

    /// The locations of the component of `head`, in order, `head` first; just `[]` if it is no head.
    pub fn component(&self, program: &Program, head: LocId) -> &[LocId] {
        match self.end[head] {
            0 => &[],
            end => &self.order[program.locs[head].func][self.pos[head] as usize..end as usize],
        }
    }

    /// Whether the edge leads to a head whose component contains its source.
    #[inline]
    pub fn is_back_edge(&self, program: &Program, edge: EdgeId) -> bool {
        let edge = &program.edges[edge];
        !edge.op.ends_path() && self.is_reachable(edge.src) && self.contains(edge.dst, edge.src)
    }

    /// The reachable locations of a function in their order.
    pub fn order(&self, func: FuncId) -> &[LocId] {
        &self.order[func]
    }

    fn add_function(&mut self, program: &Program, entry: LocId, local: &mut IdVec<LocId, u32>) -> Vec<LocId> {
        let search = Search::run(program, entry, local);
        let n = search.locs.len();
        let parent = search.components();
        // Elements of each component in reverse postorder; the last list holds those outside of all.
        let mut by_rpo = vec![0; n];
        for (v, post) in search.post.iter().enumerate() {
            by_rpo[n - 1 - *post as usize] = v as u32;
        }
        let mut first = vec![NONE; n + 1];
        let mut next = vec![NONE; n];
        for v in by_rpo.iter().rev() {
            let list = if parent[*v as usize].head == NONE { n } else { parent[*v as usize].head as usize };
            next[*v as usize] = first[list];
            first[list] = *v;
        }
        // Flatten the forest: a head comes before the elements of its component.
        let mut order = Vec::with_capacity(n);
        let mut stack = vec![(first[n], NONE)];
        while let Some((v, head)) = stack.pop() {
            if v == NONE {
                if head != NONE {
                    self.end[search.locs[head as usize]] = order.len() as u32;
                }
                continue;
            }
            stack.push((next[v as usize], head));
            let loc = search.locs[v as usize];
            self.pos[loc] = order.len() as u32;
            order.push(loc);
            let around = parent[v as usize].head;
            if parent[v as usize].is_head {
                self.innermost[loc] = Some(loc);
                stack.push((first[v as usize], v));
            } else if around != NONE {
                self.innermost[loc] = Some(search.locs[around as usize]);
            }
        }
        self.add_chains(&order, &search, &parent, local);
        order
    }

    /// Lists the heads around each location. A list is shared by a head and the heads on the way to its first inner one.
    fn add_chains(&mut self, order: &[LocId], search: &Search, parent: &[Nesting], local: &IdVec<LocId, u32>) {
        let mut depth = vec![0u32; search.locs.len()];
        for loc in order {
            let v = local[*loc] as usize;
            let Nesting { head, is_head } = parent[v];
            let outer = if head == NONE { None } else { Some(search.locs[head as usize]) };
            let around = outer.map_or((0, 0), |head| self.chain[head]);
            if !is_head {
                self.chain[*loc] = around;
                continue;
            }
            depth[v] = around.1 + 1;
            let end = (around.0 + around.1) as usize;
            if around.1 > 0 && end == self.chains.len() {
                self.chains.push(*loc);
                self.chain[*loc] = (around.0, depth[v]);
            } else {
                let start = self.chains.len();
                self.chains.extend_from_within(around.0 as usize..end);
                self.chains.push(*loc);
                self.chain[*loc] = (start as u32, depth[v]);
            }
        }
    }
}

/// Place of a location in the nesting of components.
#[derive(Clone, Copy)]
struct Nesting {
    /// Head of the innermost component around it that is not its own; `NONE` outside of all.
    head: u32,
    is_head: bool,
}

/// Depth-first search of one function; nodes are numbered in preorder.
struct Search {
    locs: Vec<LocId>,
    parent: Vec<u32>,
    post: Vec<u32>,
    /// Sources of the edges that lead back to an ancestor, by that ancestor.
    back: Vec<Vec<u32>>,
    /// Cross edges, by the least common ancestor of their ends.
    cross: Vec<Vec<(u32, u32)>>,
}

impl Search {
    fn run(program: &Program, entry: LocId, local: &mut IdVec<LocId, u32>) -> Self {
        let mut s =
            Search { locs: Vec::new(), parent: Vec::new(), post: Vec::new(), back: Vec::new(), cross: Vec::new() };
        // Finished nodes are merged into their parents, so that the root of a finished node is its least common ancestor
        // with the node being visited.
        let mut ancestors = DisjointSets::default();
        let mut finished = 0;
        s.enter(entry, NONE, local, &mut ancestors);
        let mut stack = vec![(0u32, program.locs[entry].out.len())];
        while let Some((v, edges)) = stack.last_mut() {
            let v = *v;
            if *edges == 0 {
                stack.pop();
                s.post[v as usize] = finished;
                finished += 1;
                if s.parent[v as usize] != NONE {
                    ancestors.merge_into(v, s.parent[v as usize]);
                }
                continue;
            }
            // The first successor is visited last and so comes first in the order.
            *edges -= 1;
            let edge = &program.edges[program.locs[s.locs[v as usize]].out[*edges]];
            if edge.op.ends_path() {
                continue;
            }
            let w = local[edge.dst];
            if w == NONE {
                let w = s.enter(edge.dst, v, local, &mut ancestors);
                stack.push((w, program.locs[edge.dst].out.len()));
            } else if s.post[w as usize] == NONE {
                s.back[w as usize].push(v);
            } else if w < v {
                let common = ancestors.find(w);
                s.cross[common as usize].push((v, w));
            }
        }
        s
    }

    fn enter(&mut self, loc: LocId, parent: u32, local: &mut IdVec<LocId, u32>, sets: &mut DisjointSets) -> u32 {
        let v = self.locs.len() as u32;
        local[loc] = v;
        self.locs.push(loc);
        self.parent.push(parent);
        self.post.push(NONE);
        self.back.push(Vec::new());
        self.cross.push(Vec::new());
        sets.push();
        v
    }

    /// The nesting of components, innermost first: the component of `h` is what reaches a back edge to `h` backwards
    /// without leaving the subtree of `h`.
    fn components(&self) -> Vec<Nesting> {
        let n = self.locs.len();
        let mut nesting = vec![Nesting { head: NONE, is_head: false }; n];
        let mut sets = DisjointSets::default();
        (0..n).for_each(|_| sets.push());
        let mut preds: Vec<Vec<u32>> =
            self.parent.iter().map(|p| if *p == NONE { Vec::new() } else { vec![*p] }).collect();
        let mut stack = Vec::new();
        for h in (0..n as u32).rev() {
            for (u, v) in &self.cross[h as usize] {
                let v = sets.find(*v);
                preds[v as usize].push(*u);
            }
            if self.back[h as usize].is_empty() {
                continue;
            }
            nesting[h as usize].is_head = true;
            stack.extend(&self.back[h as usize]);
            while let Some(u) = stack.pop() {
                let u = sets.find(u);
                if u != h {
                    nesting[u as usize].head = h;
                    sets.merge_into(u, h);
                    stack.append(&mut preds[u as usize]);
                }
            }
        }
        nesting
    }
}

/// Disjoint sets whose representatives the caller chooses; paths are halved.
#[derive(Default)]
struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    fn push(&mut self) {
        self.parent.push(self.parent.len() as u32);
    }

    fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }

    fn merge_into(&mut self, v: u32, root: u32) {
        self.parent[v as usize] = root;
    }
}

/// Locations that control can reach from `entry` within its function; edges that end the path lead nowhere.
pub fn reachable_locations(program: &Program, entry: LocId) -> Vec<LocId> {
    let mut seen = rustc_hash::FxHashSet::default();
    seen.insert(entry);
    let mut found = vec![entry];
    let mut next = 0;
    while next < found.len() {
        for edge in &program.locs[found[next]].out {
            let edge = &program.edges[*edge];
            if !edge.op.ends_path() && seen.insert(edge.dst) {
                found.push(edge.dst);
            }
        }
        next += 1;
    }
    found
}

/// Whether the location has exactly two outgoing edges, which assume the same condition with opposite truth values.
pub fn is_branch(program: &Program, loc: LocId) -> bool {
    let [a, b] = program.locs[loc].out[..] else { return false };
    match (&program.edges[a].op, &program.edges[b].op) {
        (Op::Assume { cond: c, truth: s }, Op::Assume { cond: d, truth: t }) => c == d && s != t,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::testing::graph;
    use fastrand::Rng;

    type Key = Vec<(u32, u32)>;

    fn locs(program: &Program) -> Vec<LocId> {
        program.locs.ids().collect()
    }

    /// The definition of a WTO, and that the views of the nesting agree.
    #[track_caller]
    fn check_edges(program: &Program) {
        let wto = Wto::new(program);
        let mut order: Vec<_> = wto.order(program.start).to_vec();
        assert_eq!(order.iter().map(|l| wto.pos(*l)).collect::<Vec<_>>(), (0..order.len() as u32).collect::<Vec<_>>());
        order.sort();
        order.dedup();
        assert_eq!(order.len(), wto.order(program.start).len());
        for (id, edge) in program.edges.iter_enumerated() {
            if !wto.is_reachable(edge.src) {
                continue;
            }
            let into_component = wto.heads(edge.src).contains(&edge.dst);
            assert_eq!(wto.is_back_edge(program, id), into_component, "{id:?}");
            assert!(into_component || wto.pos(edge.src) < wto.pos(edge.dst), "{id:?} goes backwards");
        }
        for loc in locs(program) {
            let heads = wto.heads(loc);
            assert_eq!(heads.last().copied(), wto.innermost(loc));
            assert_eq!(wto.is_head(loc), wto.innermost(loc) == Some(loc));
            for pair in heads.windows(2) {
                assert!(wto.contains(pair[0], pair[1]) && !wto.contains(pair[1], pair[0]));
            }
            for head in wto.order(program.start).iter().filter(|h| wto.is_head(**h)) {
                assert_eq!(heads.contains(head), wto.contains(*head, loc));
                assert_eq!(heads.contains(head), wto.component(program, *head).contains(&loc));
            }
        }
    }

    fn key(wto: &Wto, loc: LocId, iterations: &[(LocId, u32)]) -> Key {
        iterations.iter().map(|(h, i)| (wto.pos(*h), *i)).chain([(wto.pos(loc), 0)]).collect()
    }

    /// Walks at random and checks that the keys of the unrolled locations grow strictly.
    #[track_caller]
    fn check_walk(program: &Program, rng: &mut Rng) {
        let wto = Wto::new(program);
        let mut at = program.functions[program.start].body.expect("start has a body").entry;
        let mut iterations: Vec<(LocId, u32)> = wto.heads(at).iter().map(|h| (*h, 0)).collect();
        for _ in 0..200 {
            let out = &program.locs[at].out;
            if out.is_empty() {
                return;
            }
            let before = key(&wto, at, &iterations);
            let edge = out[rng.usize(..out.len())];
            let dst = program.edges[edge].dst;
            if wto.is_back_edge(program, edge) {
                let level = iterations.iter().position(|(h, _)| *h == dst).expect("a head around the source");
                iterations.truncate(level + 1);
                iterations[level].1 += 1;
            } else {
                let heads = wto.heads(dst);
                let common = iterations.iter().zip(heads).take_while(|((h, _), g)| h == *g).count();
                iterations.truncate(common);
                iterations.extend(heads[common..].iter().map(|h| (*h, 0)));
            }
            at = dst;
            assert!(before < key(&wto, at, &iterations), "the key does not grow along {edge:?}");
        }
    }

    #[test]
    fn random_graphs() {
        let mut rng = Rng::with_seed(1);
        for round in 0..3000 {
            let n = 2 + rng.usize(..14);
            let m = n + rng.usize(..2 * n);
            let program = graph(n, (0..m).map(|_| (rng.usize(..n), rng.usize(..n))).collect::<Vec<_>>());
            check_edges(&program);
            if round % 3 == 0 {
                (0..5).for_each(|_| check_walk(&program, &mut rng));
            }
        }
    }

    #[test]
    fn nested_loops() {
        let program = graph(6, [(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (2, 4), (1, 5), (4, 1)]);
        let wto = Wto::new(&program);
        let l = locs(&program);
        assert_eq!(wto.heads(l[3]), [l[1], l[2]]);
        assert_eq!(wto.heads(l[2]), [l[1], l[2]]);
        assert_eq!(wto.heads(l[4]), [l[1]]);
        assert_eq!(wto.heads(l[5]), []);
        assert!(wto.pos(l[5]) > wto.pos(l[3]));
    }

    #[test]
    fn irreducible() {
        // Two entries into the loop 1 <-> 2.
        let program = graph(4, [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)]);
        check_edges(&program);
        let wto = Wto::new(&program);
        assert_eq!(locs(&program).iter().filter(|l| wto.is_head(**l)).count(), 1);
    }

    #[test]
    fn large_functions() {
        let n = 200_000;
        let nested = 3_000;
        let mut edges: Vec<_> = (0..n - 1).map(|i| (i, i + 1)).collect();
        edges.extend((0..nested).map(|i| (n - 2 - i, i)));
        let program = graph(n, edges);
        let wto = Wto::new(&program);
        assert_eq!(wto.order(program.start).len(), n);
        let deepest = locs(&program)[n / 2];
        assert_eq!(wto.heads(deepest).len(), nested);
    }

    #[test]
    fn dead_ends_lead_nowhere() {
        let mut b = Builder::new();
        let f = b.program.start;
        let (entry, exit) = (b.entry(f), b.exit(f));
        let edge = b.end(entry, Op::Halt);
        let wto = Wto::new(&b.program);
        assert!(!wto.is_reachable(exit) && !wto.is_back_edge(&b.program, edge));
        assert_eq!(reachable_locations(&b.program, entry), [entry]);
    }
}
