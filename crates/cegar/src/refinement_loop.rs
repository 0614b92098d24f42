//! Counterexample-guided abstraction refinement [clarke00; loewe13, Alg. 2].
//!
//! ```text
//! loop
//!   explore with the precision                -- `Reachability::explore`
//!   no target: true
//!   target:    the refiner looks at the path
//!                feasible in the program:      false
//!                refuted:                      refine the precision, prune, go on
//!                neither:                      remember why, look for another path
//! ```
//! A path that comes back although it was refuted is given one restart; then the run ends (`no progress`).

mod refinements;

pub(crate) use refinements::Refinements;

use analysis::{AnalysisError, Arg, Cpa, NodeId, Order, Reachability, Status, Target};
use base::Budget;
use cfa::EdgeId;
use outcome::progress::Event;
use outcome::{Counterexample, Evidence, Outcome, Progress, StatValue, Statistics, StopReason, Verdict};
use refine::prune::{PruneStrategy, prune};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

/// Settings that do not depend on the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CegarConfig {
    /// Order of exploration.
    pub order: Order,
    /// What is explored again after a refinement.
    pub prune: PruneStrategy,
    /// Most abstract successors; `None` for any number.
    pub most_successors: Option<u64>,
}

/// A path through the graph to a target.
pub struct ErrorPath {
    /// Nodes, the root first.
    pub nodes: Vec<NodeId>,
    /// Edges of the program from the start to the target.
    pub edges: Vec<EdgeId>,
    /// How many edges lie before each node.
    pub positions: Vec<usize>,
    /// What the last node is.
    pub target: Target,
    /// Identifies the path, also after a restart.
    pub fingerprint: u64,
}

/// What a refiner makes of an error path.
pub enum Refinement {
    /// A run violates the property.
    Feasible(Box<Counterexample>),
    /// No run takes the path, and the precision is finer now; this node's subtree is obsolete.
    Spurious {
        /// See [`refine::pivot`].
        pivot: NodeId,
        /// So are these.
        others: Vec<NodeId>,
        /// The precision excluded the path already, but states of it were older than that.
        stale: bool,
        /// Which part of a precision excludes the path now: one that another part excluded before is no sign that refinement
        /// stands still.
        by: &'static str,
        /// Numbers for the table of iterations.
        values: Vec<(&'static str, StatValue)>,
    },
    /// A strategy on the path that over-approximates a loop is not taken any more; this node's successors are obsolete.
    Reselected {
        /// The first node from which the path enters such a strategy; none where all states take the same strategies, so that
        /// everything is obsolete.
        pivot: Option<NodeId>,
    },
    /// The path is one of calls whose stack was abstracted, and these are followed from now on.
    Followed {
        /// The nodes where they begin; their successors are obsolete.
        calls: Vec<NodeId>,
    },
    /// Neither; the target stays, and the property can't be proved any more.
    Open(StopReason),
    /// Others are to be seen first: the target stays, and comes back when nothing else is left to explore.
    Deferred,
    /// The precision already excludes the path.
    NoProgress,
}

/// Decides error paths and refines precisions.
pub trait Refiner<C: Cpa> {
    /// Looks at an error path.
    ///
    /// # Errors
    /// When the budget ends.
    fn refine(
        &mut self,
        cpa: &mut C,
        arg: &Arg<C::State>,
        precision: &mut C::Precision,
        path: &ErrorPath,
    ) -> Result<Refinement, AnalysisError>;

    /// Called when there is nothing left to explore but a path was deferred: from now on each has to be decided.
    fn insist(&mut self) {}

    /// Called when there is nothing left to explore but targets: whether it is certain that no run gets to any of them.
    ///
    /// # Errors
    /// When the budget ends.
    fn refutes_rest(&mut self, cpa: &mut C, arg: &Arg<C::State>) -> Result<bool, AnalysisError> {
        let _ = (cpa, arg);
        Ok(false)
    }

    /// Called when there is nothing left to explore but paths were left open: a last look for a violation.
    ///
    /// # Errors
    /// When the budget ends.
    fn last_look(&mut self, cpa: &mut C, arg: &Arg<C::State>) -> Result<Option<Box<Counterexample>>, AnalysisError> {
        let _ = (cpa, arg);
        Ok(None)
    }
}

/// How a run ended.
pub enum Answer {
    /// The graph is complete, without a target that a run gets to.
    Proved,
    /// A confirmed counterexample.
    Refuted(Box<Counterexample>),
    /// Neither.
    Unknown(StopReason),
}

/// The result of a run.
pub struct Explored<C: Cpa> {
    /// How it ended.
    pub answer: Answer,
    /// The nodes of the path that a run takes, if it ended so.
    pub error_path: Vec<NodeId>,
    /// The last exploration.
    pub exploration: Reachability<C>,
    /// The last precision.
    pub precision: C::Precision,
    /// What was counted.
    pub stats: Statistics,
}

/// Most paths that are left open before the search for others ends.
const MAX_OPEN: usize = 16;

impl Answer {
    /// The same, unless it is a proof and there is a reason why that is none.
    pub fn unless(self, objection: impl FnOnce() -> Option<StopReason>) -> Self {
        match self {
            Answer::Proved => objection().map_or(Answer::Proved, Answer::Unknown),
            answer => answer,
        }
    }

    /// The outcome; `evidence` is that of a proof.
    pub fn outcome(self, evidence: Evidence, stats: Statistics) -> Outcome {
        let outcome = match self {
            Answer::Proved => Outcome::new(Verdict::True, evidence),
            Answer::Refuted(counterexample) => {
                Outcome::new(Verdict::False(counterexample.violated), Evidence::Counterexample(counterexample))
            }
            Answer::Unknown(reason) => Outcome::unknown(reason),
        };
        Outcome { stats, ..outcome }
    }
}

/// Error paths that were neither refuted nor confirmed, with the reasons.
#[derive(Default)]
pub struct OpenPaths(Vec<StopReason>);

impl OpenPaths {
    /// Notes a path; a reason if there are too many now.
    pub fn add(&mut self, reason: StopReason) -> Option<StopReason> {
        self.0.push(reason);
        if self.0.len() >= MAX_OPEN { self.take_reason() } else { None }
    }

    /// Why there is no answer, if there are such paths. A failed replay is told first, because the caller can do something about it.
    pub fn take_reason(&mut self) -> Option<StopReason> {
        let at = self.0.iter().position(StopReason::is_of_replay).unwrap_or(0);
        (!self.0.is_empty()).then(|| self.0.swap_remove(at))
    }
}

/// Runs the loop.
pub fn run<C: Cpa, R: Refiner<C>>(
    cpa: &mut C,
    refiner: &mut R,
    precision: C::Precision,
    config: CegarConfig,
    budget: &Budget,
    progress: &dyn Progress,
) -> Explored<C> {
    let mut exploration = Reachability::new(config.order);
    exploration.most_successors = config.most_successors;
    let mut this = Run {
        cpa,
        refiner,
        config,
        budget,
        progress,
        exploration,
        precision,
        open: OpenPaths::default(),
        deferred: Vec::new(),
        error_path: Vec::new(),
        refinements: Refinements::default(),
        reselections: 0,
        times: [Duration::ZERO; 2],
        stats: Statistics::default(),
    };
    let answer = match this.run() {
        Ok(answer) => answer,
        Err(error) => Answer::Unknown(error.reason(budget)),
    };
    let Run { exploration, precision, error_path, mut stats, mut refinements, reselections, times, .. } = this;
    stats.count("cegar.refinements", refinements.count);
    if reselections > 0 {
        stats.count("cegar.strategies_refused", reselections);
    }
    stats.count("arg.nodes", exploration.arg.len());
    stats.count("arg.successors", exploration.successors);
    stats.time("cegar.explore", times[0]);
    stats.time("cegar.refine", times[1]);
    refinements.add_iterations(&mut stats);
    Explored { answer, error_path, exploration, precision, stats }
}

struct Run<'a, C: Cpa, R> {
    cpa: &'a mut C,
    refiner: &'a mut R,
    config: CegarConfig,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    exploration: Reachability<C>,
    precision: C::Precision,
    open: OpenPaths,
    /// Targets that were deferred since the last restart.
    deferred: Vec<(NodeId, Target)>,
    /// See [`Explored::error_path`].
    error_path: Vec<NodeId>,
    refinements: Refinements,
    /// Strategies for loops that were taken back.
    reselections: u64,
    /// Of exploration and refinement.
    times: [Duration; 2],
    stats: Statistics,
}

impl<C: Cpa, R: Refiner<C>> Run<'_, C, R> {
    fn run(&mut self) -> Result<Answer, AnalysisError> {
        loop {
            self.progress.event(Event::Phase("explore"));
            let began = Instant::now();
            let found = self.exploration.explore(self.cpa, &self.precision, self.budget);
            self.times[0] += began.elapsed();
            let mut found = found?;
            if found.is_none() {
                let is_open = !self.open.0.is_empty() || !self.deferred.is_empty();
                if is_open && self.refiner.refutes_rest(self.cpa, &self.exploration.arg)? {
                    return Ok(Answer::Proved);
                }
                found = self.next_deferred();
            }
            let Some((node, target)) = found else {
                return match self.open.take_reason() {
                    Some(reason) => self.give_up(reason),
                    None => Ok(Answer::Proved),
                };
            };
            self.progress.event(Event::Phase("refine"));
            let began = Instant::now();
            let decided = self.decide(node, target);
            self.times[1] += began.elapsed();
            if let Some(answer) = decided? {
                return Ok(answer);
            }
        }
    }

    /// A target that was deferred and is still there.
    fn next_deferred(&mut self) -> Option<(NodeId, Target)> {
        self.refiner.insist();
        let arg = &self.exploration.arg;
        let at = self.deferred.iter().position(|(node, _)| arg.status(*node) == Status::Target)?;
        Some(self.deferred.swap_remove(at))
    }

    /// Looks at one target; an answer ends the run.
    fn decide(&mut self, node: NodeId, target: Target) -> Result<Option<Answer>, AnalysisError> {
        let began = Instant::now();
        let path = self.path_to(node, target)?;
        let arg = &self.exploration.arg;
        match self.refiner.refine(self.cpa, arg, &mut self.precision, &path)? {
            Refinement::Feasible(counterexample) => {
                self.error_path = path.nodes;
                return Ok(Some(Answer::Refuted(counterexample)));
            }
            Refinement::Open(reason) => {
                if let Some(reason) = self.open.add(reason) {
                    return self.give_up(reason).map(Some);
                }
            }
            Refinement::Deferred => self.deferred.push((node, target)),
            Refinement::Reselected { pivot } => {
                self.reselections += 1;
                // Paths may have to be refuted again.
                self.refinements.forget_paths();
                match pivot {
                    Some(pivot) => {
                        let state = self.cpa.reselected(self.exploration.arg.state(pivot));
                        self.exploration.replace_state(self.cpa, pivot, state);
                    }
                    None => {
                        self.exploration.restart();
                        self.deferred.clear();
                    }
                }
            }
            Refinement::Followed { calls } => {
                self.refinements.forget_paths();
                for call in calls {
                    if self.exploration.arg.status(call) != Status::Removed {
                        let state = self.exploration.arg.state(call).clone();
                        self.exploration.replace_state(self.cpa, call, state);
                    }
                }
            }
            Refinement::NoProgress => return Ok(Some(Answer::Unknown(StopReason::NoProgress))),
            Refinement::Spurious { pivot, others, stale, by, mut values } => {
                self.refinements.count += 1;
                // Where one state is older than the precision, others will be.
                let first = if stale { PruneStrategy::Restart } else { self.config.prune };
                let Some(strategy) = self.refinements.strategy(path.fingerprint, by, first) else {
                    return Ok(Some(Answer::Unknown(StopReason::NoProgress)));
                };
                let nodes = self.exploration.arg.len();
                values.push(("nodes", StatValue::Count(nodes as u64)));
                self.refinements.list(values, began, self.progress, &format!("{nodes} abstract states"));
                for pivot in std::iter::once(pivot).chain(others) {
                    // An earlier one may have removed it.
                    if !self.exploration.arg.is_empty() && self.exploration.arg.status(pivot) != Status::Removed {
                        prune(&mut self.exploration, self.cpa, strategy, pivot);
                    }
                }
                if strategy == PruneStrategy::Restart {
                    self.deferred.clear();
                }
            }
        }
        Ok(None)
    }

    /// The answer where paths were left open.
    fn give_up(&mut self, reason: StopReason) -> Result<Answer, AnalysisError> {
        let found = self.refiner.last_look(self.cpa, &self.exploration.arg)?;
        Ok(found.map_or(Answer::Unknown(reason), Answer::Refuted))
    }

    fn path_to(&mut self, node: NodeId, target: Target) -> Result<ErrorPath, AnalysisError> {
        let nodes = self.exploration.arg.path_to(node);
        let mut edges = Vec::new();
        let mut positions = vec![0];
        for pair in nodes.windows(2) {
            let choice = self.exploration.arg.node(pair[1]).choice;
            let from = self.exploration.arg.state(pair[0]).clone();
            edges.extend(self.cpa.path(&from, choice)?);
            positions.push(edges.len());
        }
        let fingerprint = self.fingerprint(&nodes, &edges);
        Ok(ErrorPath { nodes, edges, positions, target, fingerprint })
    }

    /// Identifies a path by its edges, and by the ends of blocks in the procedures that it calls.
    fn fingerprint(&self, nodes: &[NodeId], edges: &[EdgeId]) -> u64 {
        let arg = &self.exploration.arg;
        let mut hasher = FxHasher::default();
        identify(edges).hash(&mut hasher);
        let mut known: FxHashMap<NodeId, u64> = FxHashMap::default();
        for exit in nodes.iter().filter_map(|node| arg.rests_on(*node)) {
            run_of(arg, exit, &mut known).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Identifies a path without calls whose stack is abstracted.
pub(crate) fn identify(edges: &[EdgeId]) -> u64 {
    let mut hasher = FxHasher::default();
    edges.hash(&mut hasher);
    hasher.finish()
}

/// Tells paths, and how they were refuted, apart.
pub(crate) fn fingerprint(path: u64, by: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (path, by).hash(&mut hasher);
    hasher.finish()
}

/// Identifies the way to an exit.
fn run_of<S>(arg: &Arg<S>, exit: NodeId, known: &mut FxHashMap<NodeId, u64>) -> u64 {
    if let Some(known) = known.get(&exit) {
        return *known;
    }
    let mut hasher = FxHasher::default();
    for node in arg.path_to(exit) {
        arg.node(node).choice.hash(&mut hasher);
        if let Some(inner) = arg.rests_on(node) {
            run_of(arg, inner, known).hash(&mut hasher);
        }
    }
    let hash = hasher.finish();
    known.insert(exit, hash);
    hash
}
