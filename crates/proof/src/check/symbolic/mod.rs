//! Checks graphs whose nodes have formulas, with a solver of its own and without any transfer relation of the analyses.
//!
//! From each node all runs that satisfy its facts are followed to the next points of the graph ([`follow`]), merged where they
//! meet. The solver confirms that each arrives at a successor with what that claims, and that none of them violates
//! the property, writes outside of an object, or meets what is not modelled. What runs do depends on the point and the known
//! addresses only, so it is computed once for all nodes that agree in these; then each node is one question.
//! A covered node's facts imply those of the covering one. Calls whose stack is abstracted are checked by [`call`].

mod call;
mod follow;
mod machine;
mod memory;
mod state;
mod step;

use super::{Checked, Failure, OLD, rejected};
use crate::graph::{Fact, FactPlace, FactValue, FormulaPlace, Next, ProofGraph, ProofNode};
use analysis::AnalysisError;
use base::Budget;
use cfa::{Observer, Scalar};
use follow::{Follow, Followed, Lost};
use machine::Machine;
use rustc_hash::FxHashMap;
use smt::copy::Copies;
use smt::query::{Answer, ask, ask_under};
use smt::{BinOp, Node, Solver, Sort, Substitution, TermId, Terms};
use state::{Point, Runs};
use task::Task;

/// Checks a graph.
///
/// # Errors
/// When the budget ends.
pub fn check(task: &Task<'_, '_>, graph: &ProofGraph, budget: &Budget) -> Result<Checked, AnalysisError> {
    let machine = match Machine::new(task.program, task.may_point_to, graph) {
        Ok(machine) => machine,
        Err(why) => return Ok(Checked::Rejected { node: 0, why: why.to_owned() }),
    };
    let mut checker = Checker { task, graph, budget, machine, queries: 0 };
    match checker.run() {
        Ok(()) => Ok(Checked::Proof { queries: checker.queries }),
        Err((node, Failure::Rejected(why))) => Ok(Checked::Rejected { node, why }),
        Err((_, Failure::Stopped(error))) => Err(error),
    }
}

/// What decides which runs begin at a node, apart from its formulas.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Begin {
    initial: bool,
    strategies: Option<usize>,
    point: Point,
    objects: Vec<(u32, Option<bool>)>,
    /// Places with constant values.
    values: Vec<(FactPlace, u128)>,
}

struct Checker<'t, 'a, 'p> {
    task: &'t Task<'a, 'p>,
    graph: &'t ProofGraph,
    budget: &'t Budget,
    machine: Machine<'p>,
    queries: u64,
}

/// Runs with the formulas that were translated for them.
struct Place {
    runs: Runs,
    copies: Copies,
}

/// What must not be possible, and what it is called.
type Obligation = (TermId, String);

impl<'t> Checker<'t, '_, '_> {
    fn run(&mut self) -> Result<(), (usize, Failure)> {
        let graph = self.graph;
        let mut groups: Vec<(Begin, Vec<usize>)> = Vec::new();
        let mut numbers: FxHashMap<Begin, usize> = FxHashMap::default();
        for index in 0..graph.nodes.len() {
            let begin = self.begin(index);
            let group = *numbers.entry(begin.clone()).or_insert_with(|| {
                groups.push((begin, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(index);
        }
        for (begin, nodes) in groups {
            if self.machine.enc.terms.len() > OLD
                && let Ok(machine) = Machine::new(self.task.program, self.task.may_point_to, graph)
            {
                self.machine = machine;
            }
            self.group(&begin, &nodes)?;
        }
        Ok(())
    }

    fn begin(&self, index: usize) -> Begin {
        let node = &self.graph.nodes[index];
        let values = node.facts.iter().filter_map(|fact| match fact.value {
            FactValue::Bits(bits) => Some((fact.place, bits)),
            FactValue::Address(..) => None,
        });
        let mut values: Vec<(FactPlace, u128)> = if index == 0 { Vec::new() } else { values.collect() };
        values.sort_unstable();
        let mut objects = node.objects.clone();
        objects.sort_unstable();
        let strategies = self.graph.strategies.of(index);
        Begin { initial: index == 0, strategies, point: point(node), objects, values }
    }

    /// All nodes at which the same runs begin.
    fn group(&mut self, begin: &Begin, nodes: &[usize]) -> Result<(), (usize, Failure)> {
        let graph = self.graph;
        let first = nodes[0];
        let start = self.start(begin).map_err(|failure| (first, failure))?;
        let mut place = Place { runs: start, copies: Copies::default() };
        let mut block: Option<(Followed, Vec<Copies>)> = None;
        let mut solver: Option<Box<dyn Solver>> = None;
        for index in nodes {
            let fail = |failure: Failure| (*index, failure);
            self.budget.check().map_err(|stop| fail(stop.into()))?;
            let node = &self.graph.nodes[*index];
            if node.observer == self.task.observer.error {
                return Err((*index, Failure::Rejected("the property is violated here".into())));
            }
            if *index == 0 {
                self.root(node, &mut place).map_err(fail)?;
            }
            let lists;
            let targets: &[usize] = match &node.next {
                Next::Open | Next::Refuted => {
                    return Err((*index, Failure::Rejected("the node was not expanded".into())));
                }
                Next::Enter(_) | Next::Leave => {
                    return Err((*index, Failure::Rejected("graphs of blocks have no formulas".into())));
                }
                Next::Covered(upper) => {
                    self.stays(*index, &[*upper]).map_err(fail)?;
                    self.covered(node, *upper, &mut place).map_err(fail)?;
                    continue;
                }
                Next::Call { entered, returned } => {
                    self.stays(*index, returned).map_err(fail)?;
                    self.call(node, (*entered, returned), &mut place, begin.strategies).map_err(fail)?;
                    continue;
                }
                Next::Reach(targets) => targets,
                Next::Along(edges) => {
                    lists = edges.iter().map(|(_, target)| *target).collect::<Vec<usize>>();
                    &lists
                }
            };
            if block.is_none() {
                let runs = place.runs.clone();
                let strategies = begin.strategies;
                let followed = Follow::run(&mut self.machine, self.task, (graph, strategies), runs, self.budget);
                let followed = match followed {
                    Ok(followed) => followed,
                    Err(Lost::NoPoint) => {
                        return Err((*index, Failure::Rejected("runs go on without meeting a point".into())));
                    }
                    Err(Lost::Stopped(stop)) => return Err(fail(stop.into())),
                };
                let copies = vec![Copies::default(); followed.arrivals.len()];
                block = Some((followed, copies));
                if nodes.len() > 1 {
                    solver = Some((self.task.incremental)());
                }
            }
            self.stays(*index, targets).map_err(fail)?;
            let Some((followed, copies)) = &mut block else { continue };
            let given = self.given(node, &mut place).map_err(fail)?;
            self.expanded(given, targets, (followed, copies), &mut solver).map_err(fail)?;
        }
        Ok(())
    }

    /// The runs that begin at a node.
    fn start(&mut self, begin: &Begin) -> Result<Runs, Failure> {
        let mut runs = self.machine.begin(&begin.point);
        runs.initial = begin.initial;
        if begin.initial && !begin.objects.is_empty() {
            return rejected("objects exist before the program starts");
        }
        for (object, dead) in &begin.objects {
            let Some(object) = self.machine.object(crate::graph::ObjectRef::Placed(*object)) else {
                return rejected("a fact is about an object that does not exist");
            };
            self.machine.exists(&mut runs, object, *dead);
        }
        for (place, bits) in &begin.values {
            self.set(&mut runs, *place, *bits)?;
        }
        self.note_entry(&mut runs);
        Ok(runs)
    }

    fn set(&mut self, runs: &mut Runs, place: FactPlace, bits: u128) -> Result<(), Failure> {
        let machine = &mut self.machine;
        match place {
            FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                let frame = frame_of(place);
                if frame >= runs.frames.len() {
                    return rejected("a fact is about a frame that does not exist");
                }
                let ty = machine.program.vars[var].register().unwrap_or(Scalar::Ptr);
                let value = machine.enc.constant(ty, cfa::Value(bits));
                machine.set_register(runs, frame, var, value);
            }
            FactPlace::Memory { object, offset, bytes } => {
                // Names within a node mean nothing here: such facts are neither used nor claimed.
                let Some(object) = machine.object(object) else { return Ok(()) };
                let (Some(content), Ok(at)) = (machine.content(runs, object), u64::try_from(offset)) else {
                    return rejected("a fact is about an object that does not exist");
                };
                let mut content = state::Content::clone(&content);
                machine.clear(&mut content, at, at + u64::from(bytes));
                let bits = machine.enc.terms.bv(8 * bytes, bits);
                content.cells.insert(at, (u64::from(bytes), bits));
                runs.memory.insert(object, std::rc::Rc::new(content));
            }
        }
        Ok(())
    }

    fn root(&mut self, node: &ProofNode, place: &mut Place) -> Result<(), Failure> {
        let program = self.task.program;
        let entry = program.functions[program.start].body.map(|body| body.entry);
        if Some(node.loc) != entry
            || node.bottom.is_some()
            || !node.calls.is_empty()
            || node.observer != Observer::INITIAL
        {
            return rejected("the root is not the start of the program");
        }
        let holds = self.holds(node, &mut place.runs, &mut place.copies)?;
        let fails = self.machine.enc.terms.not(holds);
        self.impossible(fails, &[(fails, "the facts of the root do not hold".into())], &mut None)
    }

    fn covered(&mut self, node: &ProofNode, upper: usize, place: &mut Place) -> Result<(), Failure> {
        let expanded = self.graph.is_expanded_in_the_end(upper);
        let Some(upper) = self.graph.nodes.get(upper) else { return rejected("the covering node does not exist") };
        if !expanded {
            return rejected("the covering node was not expanded");
        }
        if point(node) != point(upper) {
            return rejected("the covering node is about other runs");
        }
        let same = upper.facts.iter().all(|fact| node.facts.contains(fact))
            && upper.formulas.iter().all(|formula| node.formulas.contains(formula))
            && upper.objects == node.objects;
        if same {
            return Ok(());
        }
        let given = self.formulas(node, &mut place.runs, &mut place.copies)?;
        let holds = self.holds(upper, &mut place.runs, &mut place.copies)?;
        let fails = self.machine.enc.terms.not(holds);
        let formula = self.machine.enc.terms.and(given, fails);
        self.impossible(formula, &[(formula, "the facts of the covering node are not implied".into())], &mut None)
    }

    /// What the formulas of a node say about the runs that begin there.
    fn given(&mut self, node: &ProofNode, place: &mut Place) -> Result<TermId, Failure> {
        match node.formulas.is_empty() {
            true => Ok(self.machine.enc.terms.tru()),
            false => self.formulas(node, &mut place.runs, &mut place.copies),
        }
    }

    /// Runs from a node for which `given` holds arrive at its successors.
    fn expanded(
        &mut self,
        given: TermId,
        targets: &[usize],
        (followed, copies): (&mut Followed, &mut [Copies]),
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(), Failure> {
        let graph = self.graph;
        let mut obligations: Vec<Obligation> = followed.bad.iter().map(|(bad, what)| (*bad, (*what).into())).collect();
        for (runs, copies) in followed.arrivals.iter_mut().zip(copies) {
            let here = runs.point();
            let mut somewhere = Vec::new();
            for target in targets {
                let target = graph.nodes.get(*target).filter(|_| *target != 0);
                if let Some(target) = target.filter(|target| point(target) == here) {
                    somewhere.push(self.holds(target, runs, copies)?);
                }
            }
            let why = match somewhere.is_empty() {
                true => "a point is reached that is not in the graph",
                false => "the facts of a successor are not implied",
            };
            let terms = &mut self.machine.enc.terms;
            let holds = terms.or_all(&somewhere);
            let fails = terms.not(holds);
            let guard = self.machine.enc.guards.formula(runs.guard);
            let bad = terms.and(guard, fails);
            if !terms.is_false(bad) {
                obligations.push((bad, why.into()));
            }
        }
        let all: Vec<TermId> = obligations.iter().map(|(bad, _)| *bad).collect();
        let any = self.machine.enc.terms.or_all(&all);
        let formula = self.machine.enc.terms.and(given, any);
        self.impossible(formula, &obligations, solver)
    }

    /// The formulas of a node, for these runs.
    fn formulas(&mut self, node: &ProofNode, runs: &mut Runs, copies: &mut Copies) -> Result<TermId, Failure> {
        let from = &self.graph.formulas.terms;
        let mut all = Vec::with_capacity(node.formulas.len());
        for formula in &node.formulas {
            for var in copies.new_vars(from, *formula) {
                let Some(place) = self.graph.formulas.place(var) else {
                    return rejected("a formula has a variable that means nothing");
                };
                let value = self.value(runs, place, from.sort(var))?;
                copies.set(var, value);
            }
            match copies.copy(from, &mut self.machine.enc.terms, *formula) {
                Some(copy) => all.push(copy),
                None => return rejected("a formula has a variable that means nothing"),
            }
        }
        Ok(self.machine.enc.terms.and_all(&all))
    }

    /// Everything that a node claims, for these runs.
    fn holds(&mut self, node: &ProofNode, runs: &mut Runs, copies: &mut Copies) -> Result<TermId, Failure> {
        let mut all = Vec::new();
        let mut exist = 0;
        for (object, dead) in &node.objects {
            let object = self.machine.object(crate::graph::ObjectRef::Placed(*object));
            let Some(content) = object.and_then(|object| runs.memory.get(&object)) else {
                return rejected("an object does not exist that a node claims to exist");
            };
            exist += 1;
            if let Some(dead) = dead {
                all.push(match dead {
                    true => content.dead,
                    false => self.machine.enc.terms.not(content.dead),
                });
            }
        }
        if runs.memory.keys().filter(|object| !self.machine.is_global(**object)).count() != exist {
            return rejected("an object exists of which a node does not know");
        }
        for Fact { place, value } in &node.facts {
            let FactValue::Bits(bits) = *value else { continue };
            let (is, should) = match *place {
                FactPlace::Global(var) | FactPlace::Local { var, .. } => {
                    let ty = self.machine.program.vars[var].register().unwrap_or(Scalar::Ptr);
                    let sort = self.machine.enc.sort(ty);
                    let is = self.value(runs, FormulaPlace::Holds(*place), sort)?;
                    (is, self.machine.enc.constant(ty, cfa::Value(bits)))
                }
                FactPlace::Memory { object, bytes, .. } => {
                    if self.machine.object(object).is_none() {
                        continue;
                    }
                    let is = self.value(runs, FormulaPlace::Holds(*place), Sort::BitVec(8 * bytes))?;
                    (is, self.machine.enc.terms.bv(8 * bytes, bits))
                }
            };
            all.push(self.machine.enc.terms.eq(is, should));
        }
        all.push(self.formulas(node, runs, copies)?);
        Ok(self.machine.enc.terms.and_all(&all))
    }

    /// What a place holds.
    fn value(&mut self, runs: &mut Runs, place: FormulaPlace, sort: Sort) -> Result<TermId, Failure> {
        let machine = &mut self.machine;
        let content = |machine: &mut Machine<'_>, object| {
            let object = machine.object(object);
            match object.and_then(|object| Some((object, machine.content(runs, object)?))) {
                Some(found) => Ok(found),
                None => rejected("a fact is about an object that does not exist"),
            }
        };
        let value = match place {
            FormulaPlace::Holds(place @ (FactPlace::Global(var) | FactPlace::Local { var, .. })) => {
                let frame = frame_of(place);
                if frame >= runs.frames.len() {
                    return rejected("a fact is about a frame that does not exist");
                }
                machine.register(runs, frame, var)
            }
            FormulaPlace::Holds(FactPlace::Memory { object, offset, bytes }) => {
                let (object, content) = content(machine, object)?;
                let Some(at) =
                    u64::try_from(offset).ok().filter(|at| at + u64::from(bytes) <= machine.get(object).room)
                else {
                    return rejected("a fact is about bytes outside of an object");
                };
                let bits = machine.read_at(object, &content, at, u64::from(bytes));
                match sort {
                    Sort::Float(_) => float(machine, bits, sort),
                    _ => bits,
                }
            }
            FormulaPlace::Array(object) => {
                let (object, _) = content(machine, object)?;
                machine.flushed(runs, object)
            }
            FormulaPlace::Dead(object) => content(machine, object)?.1.dead,
            FormulaPlace::Size(object) => content(machine, object)?.1.size,
            FormulaPlace::External => runs.external,
            FormulaPlace::Entry(var) => machine.at_entry(runs, var),
        };
        if machine.enc.terms.sort(value) != sort {
            return rejected("a fact takes a place for something else");
        }
        Ok(value)
    }

    /// Whether no run satisfies a formula; otherwise the obligation that one violates.
    fn impossible(
        &mut self,
        formula: TermId,
        obligations: &[Obligation],
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(), Failure> {
        let formula = without_arrays(&mut self.machine.enc.terms, formula);
        if self.machine.enc.terms.is_false(formula) {
            return Ok(());
        }
        self.queries += 1;
        let answer = match solver {
            Some(solver) => ask_under(&mut **solver, &mut self.machine.enc.terms, formula, self.budget)?,
            None => Answer::Unknown(String::new()),
        };
        let answer = match answer {
            Answer::Unknown(_) => ask(self.task.solver, &self.machine.enc.terms, formula, None, self.budget)?,
            decided => decided,
        };
        match answer {
            Answer::Never => Ok(()),
            Answer::Model(model) => {
                let mut eval = model.evaluator(&self.machine.enc.terms);
                let broken = obligations.iter().find(|(bad, _)| eval.satisfies(*bad));
                rejected(broken.or(obligations.first()).map_or("it is no proof".into(), |(_, why)| why.clone()))
            }
            Answer::Unknown(reason) => rejected(format!("the solver can't tell: {reason}")),
        }
    }
}

fn point(node: &ProofNode) -> Point {
    Point { loc: node.loc, bottom: node.bottom, calls: node.calls.clone(), observer: node.observer }
}

fn frame_of(place: FactPlace) -> usize {
    match place {
        FactPlace::Local { frame, .. } => frame as usize,
        _ => 0,
    }
}

fn float(machine: &mut Machine<'_>, bits: TermId, sort: Sort) -> TermId {
    use cfa::FloatFormat::{F16, F32, F64, F80, F128};
    let format = [F16, F32, F64, F80, F128].into_iter().find(|f| machine.enc.sort(Scalar::Float(*f)) == sort);
    format.map_or(bits, |format| machine.enc.from_bits(bits, Scalar::Float(format)))
}

/// Arrays of which only elements at constant indices matter become variables, one for each element.
fn without_arrays(terms: &mut Terms, formula: TermId) -> TermId {
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
    if reads.is_empty() {
        return formula;
    }
    let map: Vec<(TermId, TermId)> = reads
        .into_iter()
        .map(|(read, _)| {
            let sort = terms.sort(read);
            (read, terms.var(&format!("element{}", read.index()), sort))
        })
        .collect();
    Substitution::new(map).apply(terms, formula)
}
