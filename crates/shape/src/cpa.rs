//! The analysis as a configurable program analysis: graphs at a place stay apart, unless they differ in numbers only.

use crate::branch::Branching;
use crate::eval::{COARSE, Eval, Stop};
use crate::graph::Graph;
use crate::object::Field;
use crate::post::initial;
use analysis::{AnalysisError, Cpa, Merged, Rank, Successor, Target};
use base::{Budget, Effort};
use cfa::callgraph::CallGraph;
use cfa::live::Live;
use cfa::observer::ObserverState;
use cfa::{EdgeId, ExprId, FuncId, LocId, Observer, Op, Program};
use domains::numerical::cpa::thresholds;
use encode::{FrameSlots, Slots};
use outcome::StopReason;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use step::{
    At, Callstacks, Condition, DepthFirst, Domain, End, Kernel, Leaf, Locations, Outcome, Point, StackId, Trail, Via,
    depth_first,
};

/// Deepest call stack with recursive functions.
const MAX_RECURSION: u32 = 40;
/// Most conditions that one operation decides.
const MAX_SPLITS: usize = 8;
/// Most graphs that an operation makes of one.
const MAX_GRAPHS: usize = 4096;
/// Graphs at a head of a loop that differ in numbers only and stay apart.
const DELAY: u32 = 3;
/// The same where runs can meet otherwise, and in functions of the library, which go through bytes one by one.
const LONG_DELAY: u32 = 300;

/// What it takes to copy a part of a graph, or to name it anew.
const COPYING: Effort = Effort::thousandths(30);
/// What it takes to compare it with that of another graph.
const COMPARING: Effort = Effort::thousandths(60);

/// A graph at a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reached {
    /// Location.
    pub loc: LocId,
    /// Call stack.
    pub stack: StackId,
    /// Observer of the property.
    pub observer: ObserverState,
    /// The graph.
    pub graph: Rc<Graph>,
    /// See [`Graph::skeleton`].
    pub skeleton: u64,
}

/// What graphs must agree on to be compared: others are hardly ever included in each other.
pub type Key = (LocId, StackId, ObserverState, u64);

impl Reached {
    fn new(at: At<StackId>, graph: Graph) -> Self {
        let skeleton = graph.skeleton();
        Self { loc: at.loc, stack: at.stack, observer: at.observer, graph: Rc::new(graph), skeleton }
    }
}

/// The analysis.
pub struct ShapeCpa<'p> {
    kernel: Kernel<'p>,
    locations: Locations,
    /// The call stacks that were met.
    pub stacks: Callstacks,
    calls: CallGraph,
    live: Live,
    slots: Slots,
    thresholds: Vec<i128>,
    /// By key: how many graphs came that differ from others in numbers only, and the last of them.
    merges: FxHashMap<Key, (u32, Rc<Graph>)>,
    branchings: Rc<[Branching]>,
    failed: Option<StopReason>,
    /// Edges at which runs met undefined behaviour.
    pub undefined: BTreeSet<EdgeId>,
    budget: Budget,
    /// Edges carried out so far.
    pub steps: u64,
}

impl<'p> ShapeCpa<'p> {
    /// The analysis of a program for a property.
    pub fn new(
        program: &'p Program,
        (locations, calls): (Locations, CallGraph),
        branchings: Vec<Branching>,
        observer: &Observer,
        budget: &Budget,
    ) -> Self {
        Self {
            kernel: Kernel::new(program, observer),
            locations,
            stacks: Callstacks::new(program),
            calls,
            live: encode::live(program),
            slots: Slots::new(program),
            thresholds: thresholds(program),
            merges: FxHashMap::default(),
            branchings: branchings.into(),
            failed: None,
            undefined: BTreeSet::new(),
            budget: budget.clone(),
            steps: 0,
        }
    }

    /// Carries out an operation in each graph; those in which runs go on. Nodes of segments become objects, and conditions are decided,
    /// as far as it needs.
    fn each(
        &mut self,
        graphs: &mut Vec<Graph>,
        (stack, edge): (StackId, EdgeId),
        f: impl Fn(&mut Eval<'_, '_>) -> Result<bool, Stop>,
    ) -> Result<(), End> {
        let mut done = Vec::new();
        let mut waiting: Vec<(Graph, Vec<(ExprId, bool)>)> =
            std::mem::take(graphs).into_iter().rev().map(|graph| (graph, Vec::new())).collect();
        let (program, root) = (self.kernel.program, self.stacks.root());
        while let Some((base, decided)) = waiting.pop() {
            if done.len() > MAX_GRAPHS {
                *graphs = vec![base];
                return Err(End::Unmodelled(None));
            }
            // Objects are shared.
            let parts = base.registers.len() + base.facts.len() + base.objects.len();
            self.budget.spend(COPYING * parts as u32);
            let mut graph = base.clone();
            match attempt(program, (stack, root), &mut graph, &decided, &f) {
                Ok(true) => done.push(graph),
                Ok(false) => {}
                Err(Stop::Unfold(id, side)) => {
                    waiting.extend(base.unfold(id, side).into_iter().map(|graph| (graph, decided.clone())));
                }
                Err(Stop::Split(cond)) => {
                    for truth in [false, true] {
                        let mut decided = decided.clone();
                        decided.push((cond, truth));
                        waiting.push((base.clone(), decided));
                    }
                }
                Err(Stop::End(End::Undefined(what))) if what.is_excluded() => drop(self.undefined.insert(edge)),
                Err(Stop::End(End::Blocked)) => {}
                Err(Stop::End(end)) => {
                    *graphs = vec![base];
                    return Err(end);
                }
            }
        }
        *graphs = done;
        if graphs.is_empty() { Err(End::Blocked) } else { Ok(()) }
    }

    /// Follows all runs of a state to the next nodes.
    fn follow(
        &mut self,
        from: &Reached,
        leaf: impl FnMut(&mut Self, &Trail, Leaf<Self>) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let at = At { loc: from.loc, stack: from.stack, observer: from.observer };
        let kernel = self.kernel.clone();
        depth_first(&kernel, self, (at, vec![(*from.graph).clone()]), &mut Trail::default(), leaf)
    }

    /// Whether a location belongs to a function of C's library that is C code.
    fn is_library(&self, loc: LocId) -> bool {
        let program = self.kernel.program;
        program.is_of_library(program.locs[loc].func)
    }

    /// Drops registers of a frame that are not read any more.
    fn keep_live(&self, stack: StackId, loc: LocId, graph: &mut Graph) {
        let program = self.kernel.program;
        graph.registers.retain(|(s, var), _| {
            *s != stack
                || program.vars[*var].is_global()
                || self.live.is_live(loc, self.slots.slot(program, FrameSlots(0), *var))
        });
    }
}

/// Decides conditions, and carries out an operation.
fn attempt(
    program: &Program,
    stacks: (StackId, StackId),
    graph: &mut Graph,
    decided: &[(ExprId, bool)],
    f: &impl Fn(&mut Eval<'_, '_>) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    let mut eval = Eval::new(program, stacks, graph);
    eval.coarse = decided.len() >= MAX_SPLITS;
    for (cond, truth) in decided {
        if !eval.assume(*cond, *truth)? {
            return Ok(false);
        }
        eval.refined();
        eval.decided.push((*cond, *truth));
    }
    f(&mut eval)
}

impl Domain for ShapeCpa<'_> {
    type Stack = StackId;
    type State = Vec<Graph>;
    type Condition = ExprId;

    fn copy(&mut self, state: &Vec<Graph>) -> Vec<Graph> {
        state.clone()
    }

    fn condition(
        &mut self,
        _: &mut Vec<Graph>,
        _: At<StackId>,
        _: EdgeId,
        cond: ExprId,
    ) -> Result<Condition<ExprId>, End> {
        Ok(Condition::Open(cond))
    }

    fn assume(
        &mut self,
        state: &mut Vec<Graph>,
        at: At<StackId>,
        edge: EdgeId,
        cond: &ExprId,
        truth: bool,
    ) -> Result<(), End> {
        self.each(state, (at.stack, edge), |eval| eval.assume(*cond, truth))
    }

    fn post(&mut self, state: &mut Vec<Graph>, at: At<StackId>, edge: EdgeId) -> Result<(), End> {
        let program = self.kernel.program;
        self.each(state, (at.stack, edge), |eval| eval.post(&program.edges[edge].op))
    }

    fn enter(&mut self, state: &mut Vec<Graph>, at: At<StackId>, edge: EdgeId, func: FuncId) -> Result<StackId, End> {
        let program = self.kernel.program;
        let (callee, _) = self.stacks.push(at.stack, edge, func);
        let limit = MAX_RECURSION;
        if self.calls.is_recursive(func) && self.stacks.frame(callee).depth > limit {
            self.failed = Some(StopReason::StackDepth { limit });
        }
        let Op::Call { args, .. } = &program.edges[edge].op else { return Err(End::Unmodelled(None)) };
        let params = &program.functions[func].params;
        self.each(state, (at.stack, edge), |eval| {
            for (param, arg) in params.iter().zip(args.iter()) {
                let val = eval.eval(*arg)?;
                let ty = program.vars[*param].register().ok_or(COARSE)?;
                eval.graph.registers.insert((callee, *param), Field { ty, val });
            }
            Ok(true)
        })?;
        for graph in state {
            self.keep_live(at.stack, program.edges[edge].dst, graph);
        }
        Ok(callee)
    }

    fn ended(&mut self, _: At<StackId>, edge: EdgeId, end: End) {
        if let End::Undefined(_) = end {
            self.undefined.insert(edge);
        }
    }

    fn leave(&mut self, state: &mut Vec<Graph>, at: At<StackId>) -> Option<(StackId, EdgeId)> {
        let program = self.kernel.program;
        let frame = self.stacks.frame(at.stack);
        let (func, (caller, edge)) = (frame.func, frame.caller?);
        let root = self.stacks.root();
        for graph in state {
            if let Op::Call { dst: Some(dst), .. } = &program.edges[edge].op
                && let Some(ty) = program.vars[*dst].register()
            {
                let result = program.functions[func].ret.and_then(|ret| graph.registers.get(&(at.stack, ret)).copied());
                let val = match result {
                    Some(result) => graph.reinterpret(result.val, result.ty, ty),
                    None => graph.any(ty),
                };
                let stack = if program.vars[*dst].is_global() { root } else { caller };
                graph.registers.insert((stack, *dst), Field { ty, val });
            }
            graph.end_frame(at.stack);
        }
        Some((caller, edge))
    }
}

impl DepthFirst for ShapeCpa<'_> {
    type Error = AnalysisError;

    fn stops(&self, at: At<StackId>, _: bool, _: Via) -> bool {
        self.locations.point(at.loc) != Point::Through
    }

    fn tick(&mut self) -> Result<(), AnalysisError> {
        if let Some(reason) = self.failed.take() {
            return Err(AnalysisError::Failed(reason));
        }
        self.steps += 1;
        Ok(self.budget.check()?)
    }
}

impl Cpa for ShapeCpa<'_> {
    type State = Reached;
    type Precision = ();
    type Key = Key;

    const MERGES: bool = true;

    fn initial(&mut self, (): &()) -> Reached {
        let (stack, program) = (self.stacks.root(), self.kernel.program);
        let loc = program.functions[program.start].body.map_or(base::Id::from_index(0), |body| body.entry);
        let mut graph = initial(program, stack);
        graph.branchings = self.branchings.clone();
        Reached::new(At { loc, stack, observer: Observer::INITIAL }, graph.canonical())
    }

    fn loc(&self, state: &Reached) -> LocId {
        state.loc
    }

    fn transfer(&mut self, from: &Reached, (): &(), out: &mut Vec<Successor<Reached>>) -> Result<(), AnalysisError> {
        let mut choice = 0;
        self.follow(from, |this, _, Leaf { at, outcome, state, .. }| {
            // A target has a graph, whatever it is: `each` leaves one where an operation is not modelled.
            assert!(outcome == Outcome::Arrived || !state.is_empty(), "a target without a graph");
            for mut graph in state {
                this.budget.spend(COPYING * graph.weight() as u32);
                if outcome == Outcome::Arrived {
                    this.keep_live(at.stack, at.loc, &mut graph);
                    graph.collect();
                    if this.locations.point(at.loc) == Point::Head {
                        graph.fold();
                    }
                }
                let state = Reached::new(at, graph.canonical());
                out.push(Successor { state, choice, target: Target::of(outcome) });
                choice += 1;
            }
            ControlFlow::Continue(())
        })
    }

    fn path(&mut self, from: &Reached, choice: u32) -> Result<Vec<EdgeId>, AnalysisError> {
        let mut edges = Vec::new();
        let mut number = 0;
        self.follow(from, |_, trail, leaf| {
            let last = number + leaf.state.len() as u32;
            if choice < last {
                edges = trail.edges_to(leaf.last);
                return ControlFlow::Break(());
            }
            number = last;
            ControlFlow::Continue(())
        })?;
        Ok(edges)
    }

    fn merge(&mut self, new: &Reached, old: &Reached) -> Merged<Reached> {
        // Exploration ends where it asks next.
        if self.budget.step(COMPARING * old.graph.weight() as u32).is_err() {
            return Merged::Sep;
        }
        if new.graph.leq(&old.graph) {
            return Merged::Sep;
        }
        let Some(joined) = old.graph.join(&new.graph, None) else { return Merged::Sep };
        let is_head = self.locations.point(old.loc) == Point::Head;
        // Lists of one node and of more are told apart only where a loop goes through them.
        let has_lists = !old.graph.has_shape_of(&new.graph);
        if has_lists && !is_head {
            return Merged::Sep;
        }
        let is_library = self.is_library(old.loc);
        let key = self.key(old);
        let (merges, last) = self.merges.entry(key).or_insert_with(|| (0, old.graph.clone()));
        if !Rc::ptr_eq(last, &new.graph) {
            *merges += 1;
            *last = new.graph.clone();
        }
        if !has_lists && *merges <= if is_head && !is_library { DELAY } else { LONG_DELAY } {
            return Merged::Sep;
        }
        let joined = match is_head {
            true => old.graph.join(&new.graph, Some(&self.thresholds)).unwrap_or(joined),
            false => joined,
        };
        let joined = Reached { graph: Rc::new(joined.canonical()), ..old.clone() };
        debug_assert_eq!(joined.graph.skeleton(), joined.skeleton);
        Merged::Into(joined)
    }

    fn leq(&mut self, lower: &Reached, upper: &Reached) -> Result<bool, AnalysisError> {
        if self.key(lower) != self.key(upper) {
            return Ok(false);
        }
        self.budget.step(COMPARING * lower.graph.weight() as u32)?;
        Ok(lower.graph.leq(&upper.graph))
    }

    fn key(&self, state: &Reached) -> Key {
        (state.loc, state.stack, state.observer, state.skeleton)
    }

    fn covering_keys(&mut self, state: &Reached, out: &mut Vec<Key>) {
        out.push(self.key(state));
    }

    fn rank(&self, state: &Reached) -> Rank {
        Rank { depth: self.stacks.frame(state.stack).depth, position: self.locations.position(state.loc) }
    }
}
