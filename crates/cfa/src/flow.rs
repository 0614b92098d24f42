//! The automaton of one function while it is built.
//!
//! A [`Node`] may be joined with another before any edge leaves it, so that jumps need no edges of their own; only a
//! location that must stay apart (labels of the source, the entry) keeps a `Skip` edge. What control can't reach is left
//! out when the automaton is committed to the program.

use crate::expr::ExprId;
use crate::op::Op;
use crate::program::{Body, FuncId, LocId, Program};
use base::{Name, Span};
use std::collections::BTreeSet;
use std::ops::Range;

/// A location under construction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Node(u32);

struct NodeData {
    /// The node that this one was joined with, or itself.
    forward: u32,
    /// Whether something leads here.
    entered: bool,
    /// Whether it must not be joined with its successor.
    pinned: bool,
}

/// Locations and edges of one function under construction.
pub struct Flow {
    nodes: Vec<NodeData>,
    edges: Vec<(Node, Node, Op, Span)>,
    labels: Vec<(Node, Name)>,
    /// Where control is; `None` in code that can't be reached.
    pub cur: Option<Node>,
    entry: Node,
    exit: Node,
    /// See [`Flow::enter_before`].
    resumed: Option<Node>,
}

impl Default for Flow {
    fn default() -> Self {
        Self::new()
    }
}

impl Flow {
    /// An automaton with entry and exit; control is at the entry.
    pub fn new() -> Self {
        let mut flow = Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            cur: None,
            entry: Node(0),
            exit: Node(1),
            resumed: None,
        };
        flow.node();
        flow.node();
        flow.nodes[0].pinned = true;
        flow.nodes[0].entered = true;
        flow.cur = Some(flow.entry);
        flow
    }

    /// A new location that nothing leads to yet.
    pub fn node(&mut self) -> Node {
        let id = self.nodes.len() as u32;
        self.nodes.push(NodeData { forward: id, entered: false, pinned: false });
        Node(id)
    }

    /// A new location that carries a label of the source; jumps to it may come later.
    pub fn labelled(&mut self, name: Name) -> Node {
        let node = self.node();
        self.nodes[node.0 as usize].pinned = true;
        self.labels.push((node, name));
        node
    }

    /// The exit.
    pub fn exit(&self) -> Node {
        self.exit
    }

    /// Number of edges so far.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// What an edge does.
    pub fn op(&self, edge: usize) -> &Op {
        &self.edges[edge].2
    }

    /// Where an edge comes from.
    pub fn span(&self, edge: usize) -> Span {
        self.edges[edge].3
    }

    /// The edges of a region from which some of its operations can be reached.
    pub fn leading_to(&mut self, region: Range<usize>, is_end: impl Fn(&Op, Span) -> bool) -> Vec<usize> {
        let (mut nodes, mut found) = (BTreeSet::new(), BTreeSet::new());
        loop {
            let known = found.len();
            for edge in region.clone().rev() {
                let (src, dst) = (self.edges[edge].0, self.edges[edge].1);
                let (src, dst) = (self.find(src), self.find(dst));
                if nodes.contains(&dst) || is_end(self.op(edge), self.span(edge)) {
                    found.insert(edge);
                    nodes.insert(src);
                }
            }
            if found.len() == known {
                return found.into_iter().collect();
            }
        }
    }

    /// Control is in front of an edge: what is carried out comes before it, up to [`Flow::resume`].
    pub fn enter_before(&mut self, edge: usize) {
        let node = self.inserted();
        let src = std::mem::replace(&mut self.edges[edge].0, node);
        self.cur = Some(self.find(src));
        self.resumed = Some(node);
    }

    /// Control is behind an edge: what is carried out comes after it, up to [`Flow::resume`].
    pub fn enter_after(&mut self, edge: usize) {
        let node = self.inserted();
        let dst = std::mem::replace(&mut self.edges[edge].1, node);
        self.cur = Some(node);
        self.resumed = Some(dst);
    }

    fn inserted(&mut self) -> Node {
        let node = self.node();
        self.nodes[node.0 as usize].entered = true;
        node
    }

    /// Goes on where what was inserted ends.
    pub fn resume(&mut self) {
        if let Some(node) = self.resumed.take() {
            self.goto(node, Span::NONE);
        }
        self.cur = None;
    }

    /// An edge does nothing.
    pub fn skip(&mut self, edge: usize) {
        self.edges[edge].2 = Op::Skip;
    }

    /// An edge does something else.
    pub fn replace(&mut self, edge: usize, op: Op) {
        self.edges[edge].2 = op;
    }

    /// Takes edges out that do nothing, as if control had got to their ends at once. Numbers of edges change.
    pub fn join(&mut self, edges: &[usize]) {
        let mut is_joined = vec![false; self.edges.len()];
        for edge in edges {
            let (src, dst) = (self.edges[*edge].0, self.edges[*edge].1);
            let (src, dst) = (self.find(src), self.find(dst));
            if src != dst && !self.nodes[src.0 as usize].pinned {
                self.nodes[src.0 as usize].forward = dst.0;
                is_joined[*edge] = true;
            }
        }
        let mut is_joined = is_joined.into_iter();
        self.edges.retain(|_| !is_joined.next().unwrap_or(false));
    }

    fn find(&mut self, node: Node) -> Node {
        let mut at = node.0;
        while self.nodes[at as usize].forward != at {
            let next = self.nodes[at as usize].forward;
            self.nodes[at as usize].forward = self.nodes[next as usize].forward;
            at = next;
        }
        Node(at)
    }

    fn connect(&mut self, src: Node, dst: Node, op: Op, span: Span) {
        let root = self.find(dst);
        self.nodes[root.0 as usize].entered = true;
        self.edges.push((src, dst, op, span));
    }

    /// Carries out `op` and goes on behind it, or ends the path.
    pub fn emit(&mut self, op: Op, span: Span) {
        let Some(cur) = self.cur else { return };
        if op.ends_path() {
            self.edges.push((cur, self.exit, op, span));
            self.cur = None;
        } else {
            let next = self.node();
            self.connect(cur, next, op, span);
            self.cur = Some(next);
        }
    }

    /// Goes to `yes` or `no` by the truth of a `Bool` expression.
    pub fn branch(&mut self, cond: ExprId, yes: Node, no: Node, span: Span) {
        if let Some(cur) = self.cur.take() {
            self.connect(cur, yes, Op::Assume { cond, truth: true }, span);
            self.connect(cur, no, Op::Assume { cond, truth: false }, span);
        }
    }

    /// Goes to `target`; control is nowhere afterwards.
    pub fn goto(&mut self, target: Node, span: Span) {
        let Some(cur) = self.cur.take() else { return };
        let (from, to) = (self.find(cur), self.find(target));
        if from == to || self.nodes[from.0 as usize].pinned {
            self.connect(from, to, Op::Skip, span);
        } else {
            self.nodes[from.0 as usize].forward = to.0;
            self.nodes[to.0 as usize].entered = true;
        }
    }

    /// Goes to `target` by an edge of its own, which tells where control was; control is nowhere afterwards.
    pub fn step_to(&mut self, target: Node, span: Span) {
        if let Some(cur) = self.cur.take() {
            self.connect(cur, target, Op::Skip, span);
        }
    }

    /// Control is at `node` if something led there.
    pub fn enter(&mut self, node: Node) {
        let root = self.find(node);
        self.cur = self.nodes[root.0 as usize].entered.then_some(root);
    }

    /// Control is at `node`, whether something led there so far or not.
    pub fn enter_label(&mut self, node: Node) {
        self.cur = Some(self.find(node));
    }

    /// Puts operations in front of the entry.
    pub fn prepend(&mut self, ops: Vec<(Op, Span)>) {
        let old = self.entry;
        self.entry = self.node();
        self.nodes[self.entry.0 as usize].pinned = true;
        self.nodes[self.entry.0 as usize].entered = true;
        let saved = self.cur.replace(self.entry);
        for (op, span) in ops {
            self.emit(op, span);
        }
        self.goto(old, Span::NONE);
        self.cur = saved;
    }

    /// Adds what can be reached to `program` as the body of `func`.
    pub fn commit(mut self, program: &mut Program, func: FuncId) {
        self.drop_skips();
        let ends = self.ends();
        let reached = self.reached(&ends);
        let (entry, exit) = (self.find(self.entry).0 as usize, self.find(self.exit).0 as usize);
        // The entry comes first, the exit last.
        let mut locs: Vec<Option<LocId>> = vec![None; self.nodes.len()];
        locs[entry] = Some(program.add_loc(func));
        for i in (0..locs.len()).filter(|i| reached[*i] && *i != exit) {
            locs[i].get_or_insert_with(|| program.add_loc(func));
        }
        let exit_loc = *locs[exit].get_or_insert_with(|| program.add_loc(func));
        for (node, name) in std::mem::take(&mut self.labels) {
            if let Some(loc) = locs[self.find(node).0 as usize] {
                program.locs[loc].labels.push(name);
            }
        }
        for ((src, dst), (_, _, op, span)) in ends.into_iter().zip(self.edges) {
            if let (Some(src), Some(dst)) = (locs[src as usize], locs[dst as usize]) {
                program.add_edge(src, dst, op, span);
            }
        }
        let entry = locs[entry].unwrap_or(exit_loc);
        program.functions[func].body = Some(Body { entry, exit: exit_loc });
    }

    /// Source and target of each edge after joining.
    fn ends(&mut self) -> Vec<(u32, u32)> {
        (0..self.edges.len())
            .map(|i| {
                let (src, dst) = (self.edges[i].0, self.edges[i].1);
                (self.find(src).0, self.find(dst).0)
            })
            .collect()
    }

    /// Which nodes the entry reaches.
    fn reached(&mut self, ends: &[(u32, u32)]) -> Vec<bool> {
        let n = self.nodes.len();
        // Successors as a compressed table.
        let mut first = vec![0u32; n + 1];
        for (src, _) in ends {
            first[*src as usize + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut successors = vec![0u32; ends.len()];
        for (src, dst) in ends {
            successors[next[*src as usize] as usize] = *dst;
            next[*src as usize] += 1;
        }
        let entry = self.find(self.entry).0;
        let mut reached = vec![false; n];
        let mut stack = vec![entry];
        reached[entry as usize] = true;
        while let Some(at) = stack.pop() {
            for dst in &successors[first[at as usize] as usize..first[at as usize + 1] as usize] {
                if !std::mem::replace(&mut reached[*dst as usize], true) {
                    stack.push(*dst);
                }
            }
        }
        reached
    }

    /// Joins the ends of `Skip` edges whose target is entered by nothing else and has no label.
    fn drop_skips(&mut self) {
        if !self.edges.iter().any(|(_, _, op, _)| *op == Op::Skip) {
            return;
        }
        let ends = self.ends();
        let reached = self.reached(&ends);
        let mut incoming = vec![0u32; self.nodes.len()];
        for (src, dst) in &ends {
            incoming[*dst as usize] += u32::from(reached[*src as usize]);
        }
        for i in 0..self.labels.len() {
            let node = self.find(self.labels[i].0);
            incoming[node.0 as usize] = u32::MAX;
        }
        let mut kept = Vec::with_capacity(self.edges.len());
        for (edge, (_, dst)) in std::mem::take(&mut self.edges).into_iter().zip(ends) {
            let src = self.find(edge.0);
            if edge.2 == Op::Skip && incoming[dst as usize] == 1 && dst != self.exit.0 && src.0 != dst {
                self.nodes[dst as usize].forward = src.0;
            } else {
                kept.push(edge);
            }
        }
        self.edges = kept;
    }
}
