//! Checks that a complete abstract reachability graph proves the property, without any transfer relation of the analysis.
//!
//! * The root stands at the start of the program, and its facts hold initially.
//! * Runs that satisfy the facts of a node go on along one of its edges, to a node whose facts they satisfy; every other edge
//!   of the program is impossible for them, traps, or soon leads to the end of the run. The solver decides; [`machine`] says what operations do.
//!   Graphs with formulas are followed to the next points where there are nodes ([`symbolic`]), and may abstract the stack below calls.
//! * Graphs of blocks are checked once each ([`blocks`]).
//! * A covered node agrees with the covering one in location, calls and observer, and has all of its facts.
//! * No run along an edge violates the property or meets what is not modelled, or the edge leads to a node of violations that no run gets to: bounded model
//!   checking of the edges on all ways to such nodes shows that ([`bmc::remainder`]).
//!
//! By induction over the steps of a run, all runs stay within the graph, so none violates the property.

mod blocks;
mod globals;
mod machine;
mod observe;
mod procedures;
mod symbolic;

use crate::graph::{Fact, FactPlace, FactValue, Next, ObjectRef, ProofGraph, ProofNode};
use analysis::AnalysisError;
use base::Budget;
use blocks::{Changes, Exits};
use bmc::remainder::Remainder;
use cfa::blocks::BlockKind;
use cfa::{EdgeId, Observer};
use encode::ObjId;
use machine::{End, Machine, Runs};
use rustc_hash::FxHashMap;
use smt::TermId;
use smt::query::{Answer, ask};
use std::collections::BTreeMap;
use task::Task;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The graph is a proof; so many queries were needed.
    Proof {
        /// Asked of the solver.
        queries: u64,
    },
    /// It is not, or that could not be shown.
    Rejected {
        /// The node at which the check failed.
        node: usize,
        /// Why.
        why: String,
    },
}

/// Terms and objects after which a machine is replaced.
const OLD: usize = 400_000;
/// Most edges of runs that lead to no node, because they end before.
const MAX_ENDING: u32 = 4000;

/// Checks a graph.
///
/// # Errors
/// When the budget ends.
pub fn check(task: &Task<'_, '_>, graph: &ProofGraph, budget: &Budget) -> Result<Checked, AnalysisError> {
    let is_symbolic =
        |node: &ProofNode| matches!(node.next, Next::Reach(_) | Next::Call { .. }) || !node.formulas.is_empty();
    if graph.nodes.iter().any(is_symbolic) {
        return symbolic::check(task, graph, budget);
    }
    let mut checker = match Machine::new(task.program, task.may_point_to) {
        Ok(machine) => {
            let exits = (0..graph.blocks.len()).map(|block| Exits::of(graph, block)).collect();
            let (block, changes) = (None, FxHashMap::default());
            Checker { task, graph, budget, machine, queries: 0, node: 0, block, exits, changes }
        }
        Err(what) => return Ok(Checked::Rejected { node: 0, why: what.to_owned() }),
    };
    for node in 0..graph.nodes.len() {
        budget.check()?;
        if checker.machine.size() > OLD
            && let Ok(machine) = Machine::new(task.program, task.may_point_to)
        {
            checker.machine = machine;
        }
        match checker.node(node) {
            Ok(()) => {}
            Err(Failure::Rejected(why)) => return Ok(Checked::Rejected { node, why }),
            Err(Failure::Stopped(error)) => return Err(error),
        }
    }
    if let Some(edges) = graph.edges_to_refuted()
        && (!graph.blocks.is_empty()
            || Remainder::new(task, &edges).and_then(|remainder| remainder.refute(task, budget)).is_none())
    {
        budget.check()?;
        let node = graph.nodes.iter().position(|node| matches!(node.next, Next::Refuted)).unwrap_or(0);
        return Ok(Checked::Rejected {
            node,
            why: "runs may get to a node that is said to be out of reach".to_owned(),
        });
    }
    Ok(Checked::Proof { queries: checker.queries })
}

enum Failure {
    Rejected(String),
    Stopped(AnalysisError),
}

impl From<base::Stop> for Failure {
    fn from(stop: base::Stop) -> Self {
        Failure::Stopped(stop.into())
    }
}

fn rejected<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Rejected(why.into()))
}

struct Checker<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    graph: &'t ProofGraph,
    budget: &'t Budget,
    machine: Machine<'p>,
    queries: u64,
    /// Number of the node that is being checked.
    node: usize,
    /// The block that it is about.
    block: Option<usize>,
    /// Where runs leave the blocks.
    exits: Vec<Exits>,
    /// What blocks may change.
    changes: FxHashMap<usize, Changes>,
}

/// Runs on their way, with the edge lists that they may still follow: position and target node of each.
struct Way<'g> {
    runs: Runs,
    lists: Vec<(&'g [EdgeId], usize)>,
    /// Whether they have left the node: only then they arrive at another one.
    moved: bool,
}

impl<'t> Checker<'t, '_, '_> {
    fn node(&mut self, index: usize) -> Result<(), Failure> {
        let graph = self.graph;
        self.node = index;
        let node = &graph.nodes[index];
        self.block = graph.block_of(index);
        if index == 0 {
            self.root(node)?;
        }
        // Only runs that violate the property get there: none does, if no run of the edges on the way violates it.
        if matches!(node.next, Next::Refuted) && index != 0 && node.observer == self.task.observer.error {
            return Ok(());
        }
        if node.bottom.is_some() {
            return rejected("only graphs with formulas abstract stacks");
        }
        if node.observer == self.task.observer.error {
            return rejected("the property is violated here");
        }
        if !matches!(node.next, Next::Leave | Next::Covered(_)) && self.is_left(node.loc, node.calls.len() + 1) {
            return rejected("runs go on behind a loop");
        }
        match &node.next {
            Next::Open | Next::Refuted | Next::Reach(_) | Next::Call { .. } => rejected("the node was not expanded"),
            Next::Covered(upper) => self.covered(node, *upper),
            Next::Along(lists) => {
                let runs = self.runs_of(node)?;
                self.follow(runs, lists)
            }
            Next::Enter(entering) => {
                let runs = self.runs_of(node)?;
                self.enters(node, runs, entering)
            }
            Next::Leave => self.exits(node),
        }
    }

    /// The runs that a node is about.
    fn runs_of(&mut self, node: &ProofNode) -> Result<Runs, Failure> {
        let program = self.task.program;
        let func = match self.block.map(|block| self.graph.blocks[block].kind) {
            None => program.start,
            Some(BlockKind::Function(func)) => func,
            Some(BlockKind::Loop(head)) => program.locs[head].func,
        };
        let mut runs = self.machine.anywhere(func, node.loc, &node.calls, node.observer);
        runs.initial = self.node == 0;
        if !runs.initial {
            self.assume_facts(&mut runs, &node.facts)?;
        }
        Ok(runs)
    }

    fn root(&mut self, node: &ProofNode) -> Result<(), Failure> {
        let program = self.task.program;
        let entry = program.functions[program.start].body.map(|body| body.entry);
        if Some(node.loc) != entry
            || node.bottom.is_some()
            || !node.calls.is_empty()
            || node.observer != Observer::INITIAL
        {
            return rejected("the root is not the start of the program");
        }
        let mut runs = self.machine.anywhere(program.start, node.loc, &[], node.observer);
        runs.initial = true;
        self.implied(&mut runs, &node.facts)
    }

    fn covered(&mut self, node: &ProofNode, upper: usize) -> Result<(), Failure> {
        let expanded = self.graph.is_expanded_in_the_end(upper) && self.graph.block_of(upper) == self.block;
        let Some(upper) = self.graph.nodes.get(upper) else { return rejected("the covering node does not exist") };
        if !expanded {
            return rejected("the covering node was not expanded");
        }
        if node.loc != upper.loc || node.calls != upper.calls || node.observer != upper.observer {
            return rejected("the covering node is about other runs");
        }
        // Equal facts are the rule, so no solver is needed.
        match upper.facts.iter().all(|fact| node.facts.contains(fact)) {
            true => Ok(()),
            false => rejected("the facts of the covering node are not implied"),
        }
    }

    fn assume_facts(&mut self, runs: &mut Runs, facts: &[Fact]) -> Result<(), Failure> {
        for fact in facts {
            match fact.place {
                FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                    let frame = frame_of(fact.place).unwrap_or(0);
                    if frame >= runs.frames.len() {
                        return rejected("a fact is about a frame that does not exist");
                    }
                    let value = self.register_value(runs, var, fact.value)?;
                    self.machine.set_register(runs, frame, var, value);
                }
                FactPlace::Memory { object, offset, bytes } => {
                    let value = self.memory_value(runs, bytes, fact.value)?;
                    let Some(object) = self.machine.object(runs, object) else {
                        return rejected("a fact is about an object that does not exist");
                    };
                    let Ok(offset) = u64::try_from(offset) else {
                        return rejected("a fact is about bytes before an object");
                    };
                    self.machine.write(runs, object, offset, u64::from(bytes), value);
                }
            }
        }
        Ok(())
    }

    fn register_value(&mut self, runs: &mut Runs, var: cfa::VarId, value: FactValue) -> Result<TermId, Failure> {
        let ty = self.task.program.vars[var].register().unwrap_or(cfa::Scalar::Ptr);
        match value {
            FactValue::Bits(n) => Ok(self.machine.enc.constant(ty, cfa::Value(n))),
            FactValue::Address(..) => self.address(runs, value),
        }
    }

    fn memory_value(&mut self, runs: &mut Runs, bytes: u32, value: FactValue) -> Result<TermId, Failure> {
        match value {
            FactValue::Bits(n) => Ok(self.machine.bits(u64::from(bytes), n)),
            FactValue::Address(..) => self.address(runs, value),
        }
    }

    fn address(&mut self, runs: &mut Runs, value: FactValue) -> Result<TermId, Failure> {
        let FactValue::Address(object, offset) = value else { return rejected("a number is no address") };
        match self.machine.object(runs, object) {
            Some(object) => Ok(self.machine.address(object, offset)),
            None => rejected("a fact is about an object that does not exist"),
        }
    }

    /// Follows runs along the program; they must stay on the lists.
    fn follow(&mut self, runs: Runs, lists: &'t [(Vec<EdgeId>, usize)]) -> Result<(), Failure> {
        let program = self.task.program;
        let lists: Vec<(&[EdgeId], usize)> = lists.iter().map(|(edges, node)| (&edges[..], *node)).collect();
        let mut ways = vec![Way { runs, lists, moved: false }];
        while let Some(mut way) = ways.pop() {
            self.budget.check()?;
            if !self.returns(&mut way)? {
                continue;
            }
            let (graph, task) = (self.graph, self.task);
            for edge in graph.strategies.edges(task, graph.strategies.of(self.node), way.runs.loc) {
                let lists: Vec<(&[EdgeId], usize)> = way
                    .lists
                    .iter()
                    .filter(|(edges, _)| edges.first() == Some(edge))
                    .map(|(edges, node)| (&edges[1..], *node))
                    .collect();
                // These runs are looked at all together.
                if lists.iter().any(|(edges, node)| edges.is_empty() && self.is_refuted(*node)) {
                    continue;
                }
                let mut runs = way.runs.clone();
                match self.machine.execute(&mut runs, *edge) {
                    Ok(()) => {}
                    Err(End::Fine) => continue,
                    Err(End::Unknown) => {
                        self.impossible(&mut runs, "something that is not modelled is reached")?;
                        continue;
                    }
                }
                self.arrive(&mut runs, *edge);
                if runs.observer == self.task.observer.error {
                    self.impossible(&mut runs, "the property is violated")?;
                } else if lists.is_empty() {
                    if self.all_end(&runs)? {
                        continue;
                    }
                    let why =
                        || format!("`{}` is not in the graph", cfa::display::op(program, &program.edges[*edge].op));
                    self.impossible_because(&mut runs, why)?;
                } else {
                    ways.push(Way { runs, lists, moved: true });
                }
            }
        }
        Ok(())
    }

    fn is_refuted(&self, node: usize) -> bool {
        matches!(self.graph.nodes.get(node), Some(ProofNode { next: Next::Refuted, .. }))
    }

    /// Returns between the last edge and a node, or before the next edge; whether runs go on along an edge.
    fn returns(&mut self, way: &mut Way<'_>) -> Result<bool, Failure> {
        let program = self.task.program;
        loop {
            let runs = &mut way.runs;
            if let Some((_, node)) =
                way.lists.iter().find(|(edges, node)| way.moved && edges.is_empty() && self.fits(runs, *node))
            {
                let node = *node;
                self.arrives(runs, node)?;
                return Ok(false);
            }
            if way.moved && self.is_left(way.runs.loc, way.runs.frames.len()) {
                self.impossible(&mut way.runs, "a loop is left without an exit")?;
                return Ok(false);
            }
            let runs = &mut way.runs;
            let at_exit = program.functions[program.locs[runs.loc].func].body.is_some_and(|b| b.exit == runs.loc);
            if !at_exit {
                return Ok(true);
            }
            if !self.machine.leave(runs) {
                return self.ends_at_exit(runs);
            }
            way.moved = true;
            runs.observer = observe::labels(self.task, runs.observer, runs.loc);
            if runs.observer == self.task.observer.error {
                self.impossible(runs, "the property is violated")?;
                return Ok(false);
            }
        }
    }

    /// Whether all runs end soon without a violation, wherever they go on.
    fn all_end(&mut self, runs: &Runs) -> Result<bool, Failure> {
        let program = self.task.program;
        let mut open = vec![runs.clone()];
        let mut steps = 0;
        while let Some(mut runs) = open.pop() {
            self.budget.check()?;
            let at_exit = program.functions[program.locs[runs.loc].func].body.is_some_and(|b| b.exit == runs.loc);
            if at_exit {
                if !self.machine.leave(&mut runs) {
                    if self.block.is_some() {
                        return Ok(false);
                    }
                    continue;
                }
                runs.observer = observe::labels(self.task, runs.observer, runs.loc);
                steps += 1;
                if steps >= MAX_ENDING {
                    return Ok(false);
                }
                if runs.observer != self.task.observer.error {
                    open.push(runs);
                } else if !self.is_impossible(&runs)? {
                    return Ok(false);
                }
                continue;
            }
            let (graph, task) = (self.graph, self.task);
            for edge in graph.strategies.edges(task, graph.strategies.of(self.node), runs.loc) {
                steps += 1;
                let mut next = runs.clone();
                if steps >= MAX_ENDING {
                    return Ok(false);
                }
                let modelled = match self.machine.execute(&mut next, *edge) {
                    Ok(()) => true,
                    Err(End::Fine) => continue,
                    Err(End::Unknown) => false,
                };
                self.arrive(&mut next, *edge);
                if modelled && next.observer != self.task.observer.error {
                    open.push(next);
                } else if !self.is_impossible(&next)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether runs stand where the node does.
    fn fits(&self, runs: &Runs, node: usize) -> bool {
        if node == 0 || self.graph.block_of(node) != self.block {
            return false;
        }
        let Some(node) = self.graph.nodes.get(node) else { return false };
        let calls = runs.frames.iter().filter_map(|frame| frame.call);
        runs.loc == node.loc && runs.observer == node.observer && calls.eq(node.calls.iter().copied())
    }

    /// Sets location and observer behind an edge.
    fn arrive(&self, runs: &mut Runs, edge: EdgeId) {
        (runs.loc, runs.observer) = observe::behind(self.task, runs.observer, edge);
    }

    /// Runs arrive at a node: its facts must hold.
    fn arrives(&mut self, runs: &mut Runs, node: usize) -> Result<(), Failure> {
        let graph = self.graph;
        self.implied(runs, &graph.nodes[node].facts)
    }

    /// All runs satisfy the facts, under some choice of objects for the names in them.
    fn implied(&mut self, runs: &mut Runs, facts: &[Fact]) -> Result<(), Failure> {
        let names = self.bind_names(runs, facts);
        runs.made.retain(|(_, name, _)| name.is_none());
        for (name, object) in names {
            let ObjectRef::Made(edge, _) = name else { continue };
            runs.made.push((edge, Some(name), object));
        }
        self.satisfied(runs, facts)
    }

    /// All runs satisfy the facts, for the objects that the names in them have.
    fn satisfied(&mut self, runs: &mut Runs, facts: &[Fact]) -> Result<(), Failure> {
        let mut holds = self.machine.enc.terms.tru();
        for fact in facts {
            let (is, should) = match fact.place {
                FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                    let frame = frame_of(fact.place).unwrap_or(0);
                    if frame >= runs.frames.len() {
                        return rejected("a fact is about a frame that does not exist");
                    }
                    (self.machine.register(runs, frame, var), self.register_value(runs, var, fact.value)?)
                }
                FactPlace::Memory { object, offset, bytes } => {
                    let should = self.memory_value(runs, bytes, fact.value)?;
                    let place = self.machine.object(runs, object).zip(u64::try_from(offset).ok());
                    let is =
                        place.and_then(|(object, offset)| self.machine.read(runs, object, offset, u64::from(bytes)));
                    let Some(is) = is else { return rejected("the content of memory is not known") };
                    (is, should)
                }
            };
            let equal = self.machine.enc.terms.eq(is, should);
            holds = self.machine.enc.terms.and(holds, equal);
        }
        let fails = self.machine.enc.terms.not(holds);
        self.machine.assume(runs, fails);
        self.impossible(runs, "the facts of a successor are not implied")
    }

    /// Objects for the names of made objects in facts: those that pointers with facts designate, then the same names as
    /// before, then new objects. Different names stand for different objects, and for those that the edge in them made.
    fn bind_names(&mut self, runs: &mut Runs, facts: &[Fact]) -> BTreeMap<ObjectRef, ObjId> {
        let mut names: BTreeMap<ObjectRef, ObjId> = BTreeMap::new();
        let made = runs.made.clone();
        loop {
            let known = names.len();
            for fact in facts {
                if let FactValue::Address(name @ ObjectRef::Made(edge, _), offset) = fact.value
                    && !names.contains_key(&name)
                    && let Some((object, at)) = self.designated(runs, fact.place, &names)
                    && at as i64 == offset
                    && !names.values().any(|used| *used == object)
                    && made.iter().any(|(maker, _, id)| *maker == edge && *id == object)
                {
                    names.insert(name, object);
                }
            }
            if names.len() > known {
                continue;
            }
            // An object to which no pointer leads; others may be reached from it.
            let unreached = facts.iter().find_map(|fact| {
                let FactPlace::Memory { object: name @ ObjectRef::Made(edge, _), .. } = fact.place else {
                    return None;
                };
                let free = |id: &ObjId| !names.values().any(|used| used == id);
                let same = || made.iter().find(|(_, old, id)| *old == Some(name) && free(id));
                let new = || made.iter().find(|(e, old, id)| *e == edge && old.is_none() && free(id));
                let (.., id) = if names.contains_key(&name) { None } else { same().or_else(new) }?;
                Some((name, *id))
            });
            match unreached {
                Some((name, object)) => names.insert(name, object),
                None => return names,
            };
        }
    }

    /// The object that the content of a place points to, if it is known, and where in it.
    fn designated(
        &mut self,
        runs: &mut Runs,
        place: FactPlace,
        names: &BTreeMap<ObjectRef, ObjId>,
    ) -> Option<(ObjId, u64)> {
        let term = match place {
            FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                let frame = frame_of(place).unwrap_or(0);
                (frame < runs.frames.len()).then(|| self.machine.register(runs, frame, var))
            }
            FactPlace::Memory { object, offset, bytes } => {
                let object = match object {
                    ObjectRef::Made(..) => names.get(&object).copied(),
                    _ => self.machine.object(runs, object),
                };
                let place = object.zip(u64::try_from(offset).ok());
                place.and_then(|(object, offset)| self.machine.read(runs, object, offset, u64::from(bytes)))
            }
        };
        term.and_then(|term| self.machine.place(term))
    }

    /// No run is left.
    fn impossible(&mut self, runs: &mut Runs, why: &str) -> Result<(), Failure> {
        self.impossible_because(runs, || why.to_owned())
    }

    fn impossible_because(&mut self, runs: &mut Runs, why: impl Fn() -> String) -> Result<(), Failure> {
        match self.taken(runs)? {
            Answer::Never => Ok(()),
            Answer::Model(_) => rejected(why()),
            Answer::Unknown(reason) => rejected(format!("{}, or the solver can't tell: {reason}", why())),
        }
    }

    /// Whether there are certainly no such runs.
    fn is_impossible(&mut self, runs: &Runs) -> Result<bool, Failure> {
        Ok(matches!(self.taken(runs)?, Answer::Never))
    }

    /// Whether there are such runs.
    fn taken(&mut self, runs: &Runs) -> Result<Answer, Failure> {
        if self.machine.enc.terms.is_false(runs.guard) {
            return Ok(Answer::Never);
        }
        self.queries += 1;
        Ok(ask(self.task.solver, &self.machine.enc.terms, runs.guard, None, self.budget)?)
    }
}

fn frame_of(place: FactPlace) -> Option<usize> {
    match place {
        FactPlace::Local { frame, .. } => Some(frame as usize),
        _ => None,
    }
}
