//! Who calls whom, and the strongly connected components of it (recursion).
//!
//! Components by Tarjan's algorithm, without recursion.

use crate::op::Op;
use crate::points_to::PointsTo;
use crate::program::{EdgeId, FuncId, Program};
use base::{Id, IdVec};
use rustc_hash::FxHashMap;

/// The call graph of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: IdVec<FuncId, Vec<FuncId>>,
    /// Edges that may call the function.
    sites: IdVec<FuncId, Vec<EdgeId>>,
    /// Possible functions of calls through pointers.
    targets: FxHashMap<EdgeId, Vec<FuncId>>,
    component: IdVec<FuncId, u32>,
    recursive: IdVec<FuncId, bool>,
    /// Callees before callers, but for recursion.
    order: Vec<FuncId>,
}

impl CallGraph {
    /// The call graph. Calls through pointers may reach what points-to analysis says or, without it, each function of the type
    /// whose address is taken.
    pub fn new(program: &Program, points_to: Option<&PointsTo>) -> Self {
        let n = program.functions.len();
        let mut taken: FxHashMap<u32, Vec<FuncId>> = FxHashMap::default();
        for (id, function) in program.functions.iter_enumerated().filter(|(_, f)| f.address_taken) {
            taken.entry(function.ty_key).or_default().push(id);
        }
        let mut callees: IdVec<FuncId, Vec<FuncId>> = IdVec::from_elem(Vec::new(), n);
        let mut sites: IdVec<FuncId, Vec<EdgeId>> = IdVec::from_elem(Vec::new(), n);
        let mut targets: FxHashMap<EdgeId, Vec<FuncId>> = FxHashMap::default();
        for loc in &program.locs {
            for id in &loc.out {
                match &program.edges[*id].op {
                    Op::Call { func, .. } | Op::CallExtern { func, .. } => {
                        callees[loc.func].push(*func);
                        sites[*func].push(*id);
                    }
                    op @ Op::CallPtr { .. } => {
                        let Some(call) = op.as_pointer_call() else { continue };
                        let functions = match points_to {
                            Some(pt) => pt.targets(program, &call).functions,
                            None => taken.get(&call.ty_key).cloned().unwrap_or_default(),
                        };
                        for f in &functions {
                            callees[loc.func].push(*f);
                            sites[*f].push(*id);
                        }
                        targets.insert(*id, functions);
                    }
                    _ => {}
                }
            }
        }
        for list in callees.iter_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let (component, order) = components(&callees);
        let mut size = vec![0; n];
        component.iter().for_each(|c| size[*c as usize] += 1);
        let recursive = callees
            .iter_enumerated()
            .map(|(f, list)| size[component[f] as usize] > 1 || list.binary_search(&f).is_ok())
            .collect();
        Self { callees, sites, targets, component, recursive, order }
    }

    /// Functions that the function may call, sorted; those without a body, too.
    pub fn callees(&self, func: FuncId) -> &[FuncId] {
        &self.callees[func]
    }

    /// Edges that may call the function.
    pub fn call_sites(&self, func: FuncId) -> &[EdgeId] {
        &self.sites[func]
    }

    /// Functions that an edge may call, in order.
    pub fn callees_of_edge<'a>(&'a self, program: &'a Program, edge: EdgeId) -> &'a [FuncId] {
        match &program.edges[edge].op {
            Op::Call { func, .. } | Op::CallExtern { func, .. } => std::slice::from_ref(func),
            Op::CallPtr { .. } => self.targets.get(&edge).map_or(&[], |t| &t[..]),
            _ => &[],
        }
    }

    /// Number of the function's component: those of other functions that it calls are smaller.
    pub fn component(&self, func: FuncId) -> u32 {
        self.component[func]
    }

    /// Whether the function may call itself, directly or not.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.recursive[func]
    }

    /// Whether a function that may call itself may be called from `root`.
    pub fn reaches_recursion(&self, root: FuncId) -> bool {
        self.reachable(root).iter_enumerated().any(|(func, reached)| *reached && self.recursive[func])
    }

    /// All functions, callees before their callers except within a component, whose functions are in a row.
    pub fn bottom_up(&self) -> &[FuncId] {
        &self.order
    }

    /// Which functions may be called, directly or not, from `root`; itself included.
    pub fn reachable(&self, root: FuncId) -> IdVec<FuncId, bool> {
        let mut seen = IdVec::from_elem(false, self.callees.len());
        let mut stack = vec![root];
        while let Some(f) = stack.pop() {
            if !std::mem::replace(&mut seen[f], true) {
                stack.extend(&self.callees[f]);
            }
        }
        seen
    }
}

fn components(callees: &IdVec<FuncId, Vec<FuncId>>) -> (IdVec<FuncId, u32>, Vec<FuncId>) {
    const NONE: u32 = u32::MAX;
    let n = callees.len();
    let mut component: IdVec<FuncId, u32> = IdVec::from_elem(NONE, n);
    let mut number: IdVec<FuncId, u32> = IdVec::from_elem(NONE, n);
    let mut low: IdVec<FuncId, u32> = IdVec::from_elem(NONE, n);
    let (mut order, mut open, mut stack) = (Vec::new(), Vec::new(), Vec::new());
    let (mut next, mut count) = (0, 0);
    for root in (0..n).map(FuncId::from_index) {
        if number[root] == NONE {
            stack.push((root, 0));
        }
        while let Some((f, edge)) = stack.last_mut() {
            let f = *f;
            if *edge == 0 {
                number[f] = next;
                low[f] = next;
                next += 1;
                open.push(f);
            }
            if let Some(g) = callees[f].get(*edge) {
                *edge += 1;
                if number[*g] == NONE {
                    stack.push((*g, 0));
                } else if component[*g] == NONE {
                    low[f] = low[f].min(number[*g]);
                }
                continue;
            }
            stack.pop();
            if let Some((caller, _)) = stack.last() {
                low[*caller] = low[*caller].min(low[f]);
            }
            if low[f] == number[f] {
                while let Some(g) = open.pop() {
                    component[g] = count;
                    order.push(g);
                    if g == f {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (component, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;

    #[test]
    fn components_and_recursion() {
        let mut b = Builder::new();
        let fs: Vec<_> = ["a", "b", "c", "d", "unused"].iter().map(|n| b.func(n, &[])).collect();
        let start = b.program.start;
        let calls = [
            (start, fs[0]),
            (fs[0], fs[1]),
            (fs[1], fs[2]),
            (fs[2], fs[1]),
            (fs[2], fs[3]),
            (fs[3], fs[3]),
            (fs[4], fs[0]),
        ];
        for (from, to) in calls {
            let (entry, exit, op) = (b.entry(from), b.exit(from), b.call(to, &[]));
            b.edge(entry, exit, op);
        }
        let graph = CallGraph::new(&b.program, None);
        assert_eq!(fs.iter().map(|f| graph.is_recursive(*f)).collect::<Vec<_>>(), [false, true, true, true, false]);
        assert_eq!(graph.component(fs[1]), graph.component(fs[2]));
        assert!(graph.component(fs[3]) < graph.component(fs[1]) && graph.component(fs[1]) < graph.component(fs[0]));
        assert_eq!(graph.bottom_up().first(), Some(&fs[3]));
        let reachable = graph.reachable(start);
        assert!(reachable[fs[3]] && !reachable[fs[4]]);
        assert_eq!(graph.call_sites(fs[0]).len(), 2);
    }
}
