//! Checks that a complete abstract reachability graph proves the property, without any transfer relation of the analysis.
//!
//! * The root stands at the start of the program, and its facts hold initially.
//! * Runs that satisfy the facts of a node go on to a node whose facts they satisfy; every other way is impossible for them, traps, or soon leads to the
//!   end of the run. The solver decides; [`machine`] says what operations do. Graphs of values name the edges on the way, which is followed
//!   path by path ([`paths`]). Graphs with formulas are followed to the next points where there are nodes ([`formulas`]), and may abstract the stack
//!   below calls ([`call`]).
//! * Graphs of blocks are checked once each ([`blocks`]).
//! * A covered node agrees with the covering one in location, calls and observer, and has all of its facts.
//! * No run violates the property or meets what is not modelled, or the edge leads to a node of violations that no run gets to: bounded model
//!   checking of the edges on all ways to such nodes shows that ([`bmc::residual`]).
//!
//! By induction over the steps of a run, all runs stay within the graph, so none violates the property.

mod blocks;
mod call;
mod claims;
mod counts;
mod follow;
mod formulas;
mod globals;
mod join;
mod machine;
mod memory;
mod open;
mod operations;
mod paths;
mod procedures;
mod ranges;
mod state;
mod targets;
mod unwinding;
mod validity;

use crate::graph::{Next, ProofGraph, ProofNode, Selections};
use analysis::AnalysisError;
use base::Budget;
use blocks::{Changes, Exits};
use cfa::{EdgeId, Observer};
use counts::Unwinding;
use follow::Lost;
use machine::Machine;
use rustc_hash::FxHashMap;
use smt::query::{Answer, ask, ask_under};
use smt::{BinOp, Node, Solver, Sort, Substitution, TermId, Terms};
use state::Point;
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

/// Checks a graph.
///
/// # Errors
/// When the budget ends.
pub fn check(task: &Task<'_, '_>, graph: &ProofGraph, budget: &Budget) -> Result<Checked, AnalysisError> {
    check_with(task, (graph, None), budget)
}

/// Checks that unwinding every loop and recursion this often covers all runs, and that none violates the property: a graph with the root alone, between
/// whose points, of which there are none, loops are unwound. Runs take `selected` at the choices of strategies.
///
/// # Errors
/// When the budget ends.
pub fn check_unwinding(
    task: &Task<'_, '_>,
    (unwind, selected): (u32, Vec<EdgeId>),
    budget: &Budget,
) -> Result<Checked, AnalysisError> {
    let Some(body) = task.program.functions[task.program.start].body else { return Ok(Checked::Proof { queries: 0 }) };
    let root = ProofNode {
        loc: body.entry,
        bottom: None,
        calls: Vec::new(),
        observer: Observer::INITIAL,
        facts: Vec::new(),
        formulas: Vec::new(),
        objects: Vec::new(),
        next: Next::Reach(Vec::new()),
    };
    let strategies = Selections { lists: vec![selected], of_node: vec![0] };
    let graph = ProofGraph { nodes: vec![root], strategies, ..ProofGraph::default() };
    check_with(task, (&graph, Some(unwind)), budget)
}

fn check_with(
    task: &Task<'_, '_>,
    (graph, unwind): (&ProofGraph, Option<u32>),
    budget: &Budget,
) -> Result<Checked, AnalysisError> {
    let mut machine = match Machine::new(task, graph, budget) {
        Ok(machine) => machine,
        Err(why) => return Ok(Checked::Rejected { node: 0, why: why.to_owned() }),
    };
    machine.unwinding = unwind.map(|most| Unwinding::new(task, most, budget));
    let exits = (0..graph.blocks.len()).map(|block| Exits::of(graph, block)).collect();
    let changes = FxHashMap::default();
    let mut checker = Checker { task, graph, budget, machine, queries: 0, node: 0, exits, changes };
    let checked = if graph.has_formulas() { checker.groups() } else { checker.paths() };
    match checked {
        Ok(()) => Ok(Checked::Proof { queries: checker.queries }),
        Err(Failure::Rejected(why)) => Ok(Checked::Rejected { node: checker.node, why }),
        Err(Failure::Stopped(error)) => Err(error),
    }
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

impl From<Lost> for Failure {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::NoPoint => Failure::Rejected("runs go on without meeting a point".to_owned()),
            Lost::Stopped(stop) => stop.into(),
        }
    }
}

fn rejected<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Rejected(why.into()))
}

struct Checker<'t, 'p> {
    task: &'t Task<'t, 'p>,
    graph: &'t ProofGraph,
    budget: &'t Budget,
    machine: Machine<'t, 'p>,
    queries: u64,
    /// Number of the node that is being checked.
    node: usize,
    /// Where runs leave the blocks.
    exits: Vec<Exits>,
    /// What blocks may change.
    changes: FxHashMap<usize, Changes>,
}

/// What must not be possible, and what it is called.
type Obligation = (TermId, String);

impl<'t> Checker<'t, '_> {
    /// Begins with a new machine if this one is old.
    fn renew(&mut self) {
        if self.machine.size() > OLD
            && let Ok(machine) = Machine::new(self.task, self.graph, self.budget)
        {
            self.machine = machine;
        }
    }

    /// Whether a node stands where the program starts.
    fn is_start(&self, node: &ProofNode) -> Result<(), Failure> {
        let program = self.task.program;
        let entry = program.functions[program.start].body.map(|body| body.entry);
        let is_first = node.bottom.is_none() && node.calls.is_empty() && node.observer == Observer::INITIAL;
        match Some(node.loc) == entry && is_first {
            true => Ok(()),
            false => rejected("the root is not the start of the program"),
        }
    }

    /// The node that covers the current one, which is about the same runs.
    fn covering(&self, node: &ProofNode, upper: usize) -> Result<&'t ProofNode, Failure> {
        let expanded = self.graph.is_expanded_in_the_end(upper);
        self.stays(&[upper])?;
        let Some(upper) = self.graph.nodes.get(upper) else { return rejected("the covering node does not exist") };
        if !expanded {
            return rejected("the covering node was not expanded");
        }
        match point(node) == point(upper) {
            true => Ok(upper),
            false => rejected("the covering node is about other runs"),
        }
    }

    /// Whether nodes to which runs go on from the current one are in the same part of the graph.
    fn stays(&self, to: &[usize]) -> Result<(), Failure> {
        let part = self.graph.block_of(self.node);
        let exists = |to: &&usize| **to < self.graph.nodes.len();
        match to.iter().filter(exists).all(|to| self.graph.block_of(*to) == part) {
            true => Ok(()),
            false => rejected("runs leave the block that a node is about"),
        }
    }

    /// Whether no run satisfies a formula; otherwise the first obligation that one violates.
    fn impossible(
        &mut self,
        formula: TermId,
        obligations: &[Obligation],
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(), Failure> {
        let (answer, mut elements) = self.answer(formula, solver)?;
        match answer {
            Answer::Never => Ok(()),
            // The first one that is violated: which ones a model violates is chance.
            Answer::Model(_) => {
                for (bad, why) in obligations {
                    let terms = &mut self.machine.enc.terms;
                    let violated = terms.and(formula, *bad);
                    let violated = elements.as_mut().map_or(violated, |elements| elements.apply(terms, violated));
                    if let Answer::Model(_) = ask(self.task.solver, terms, violated, None, self.budget)? {
                        return rejected(why.as_str());
                    }
                }
                rejected("it is no proof")
            }
            Answer::Unknown(reason) => match obligations {
                [(_, why)] => rejected(format!("{why}, or the solver can't tell: {reason}")),
                _ => rejected(format!("the solver can't tell: {reason}")),
            },
        }
    }

    /// What the solver says to a formula, and what was put in place of its terms.
    fn answer(
        &mut self,
        formula: TermId,
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(Answer, Option<Substitution>), Failure> {
        let terms = &mut self.machine.enc.terms;
        let mut elements = without_arrays(terms, formula);
        let formula = elements.as_mut().map_or(formula, |elements| elements.apply(terms, formula));
        if self.machine.enc.terms.is_false(formula) {
            return Ok((Answer::Never, elements));
        }
        self.queries += 1;
        let answer = match solver {
            Some(solver) => ask_under(&mut **solver, &mut self.machine.enc.terms, formula, self.budget)?,
            None => Answer::Unknown(String::new()),
        };
        let answer = match answer {
            Answer::Unknown(_) => ask(self.task.solver, &mut self.machine.enc.terms, formula, None, self.budget)?,
            decided => decided,
        };
        Ok((answer, elements))
    }
}

fn point(node: &ProofNode) -> Point {
    Point { loc: node.loc, bottom: node.bottom, calls: node.calls.clone(), observer: node.observer }
}

/// Arrays of which only elements at constant indices matter to a formula become variables, one for each element.
fn without_arrays(terms: &mut Terms, formula: TermId) -> Option<Substitution> {
    let all = smt::subst::subterms(terms, &[formula]);
    let is_array = |t: TermId| terms.is_var(t) && matches!(terms.sort(t), Sort::Array { .. });
    let mut whole: rustc_hash::FxHashSet<TermId> = rustc_hash::FxHashSet::default();
    let mut reads = Vec::new();
    for t in &all {
        match terms.node(*t) {
            Node::Bin(BinOp::Select, array, index) if is_array(array) && terms.is_const(index) => {
                reads.push((*t, array));
            }
            node => whole.extend(node.children().iter().copied().filter(|child| is_array(*child))),
        }
    }
    reads.retain(|(_, array)| !whole.contains(array));
    let element = |(read, _): (TermId, TermId)| {
        let sort = terms.sort(read);
        (read, terms.var(&format!("element{}", read.index()), sort))
    };
    let map: Vec<(TermId, TermId)> = reads.into_iter().map(element).collect();
    (!map.is_empty()).then(|| Substitution::new(map))
}
