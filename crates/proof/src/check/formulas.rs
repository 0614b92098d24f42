//! Checks graphs whose nodes have formulas.
//!
//! From each node all runs that satisfy its facts are followed to the next points of the graph ([`super::follow`]), merged where they
//! meet. The solver confirms that each arrives at a successor with what that claims, and that none of them violates
//! the property, writes outside of an object, or meets what is not modelled. What runs do depends on the point and the known
//! addresses only, so it is computed once for all nodes that agree in these; then each node is one question.
//! A covered node's facts imply those of the covering one. Calls whose stack is abstracted are checked by [`super::call`].

use super::claims::frame_of;
use super::follow::Followed;
use super::machine::Machine;
use super::state::{Point, Runs};
use super::{Checker, Failure, Obligation, point, rejected};
use crate::graph::{Fact, FactPlace, FactValue, FormulaPlace, Next, ObjectRef, ProofNode};
use cfa::Scalar;
use rustc_hash::FxHashMap;
use smt::copy::Copies;
use smt::{Solver, Sort, TermId};

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

/// Runs with the formulas that were translated for them.
pub(super) struct Place {
    pub runs: Runs,
    copies: Copies,
}

impl<'t> Checker<'t, '_> {
    /// Checks all nodes.
    pub(super) fn groups(&mut self) -> Result<(), Failure> {
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
            self.renew();
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
    fn group(&mut self, begin: &Begin, nodes: &[usize]) -> Result<(), Failure> {
        let graph = self.graph;
        self.node = nodes[0];
        self.machine.strategies = begin.strategies;
        let mut place = Place { runs: self.start(begin)?, copies: Copies::default() };
        let mut block: Option<(Followed, Vec<Copies>)> = None;
        let mut solver: Option<Box<dyn Solver>> = None;
        for index in nodes {
            self.node = *index;
            self.budget.check()?;
            let node = &graph.nodes[*index];
            if node.observer == self.task.observer.error {
                return rejected("the property is violated here");
            }
            if *index == 0 {
                self.is_start(node)?;
                let holds = self.holds(node, &mut place.runs, &mut place.copies)?;
                let fails = self.machine.enc.terms.not(holds);
                self.impossible(fails, &[(fails, "the facts of the root do not hold".into())], &mut None)?;
            }
            let lists;
            let targets: &[usize] = match &node.next {
                Next::Open | Next::Refuted => return rejected("the node was not expanded"),
                Next::Enter(_) | Next::Leave => return rejected("graphs of blocks have no formulas"),
                Next::Covered(upper) => {
                    self.covered(node, *upper, &mut place)?;
                    continue;
                }
                Next::Call { entered, returned } => {
                    self.stays(returned)?;
                    self.call(node, (*entered, returned), &mut place)?;
                    continue;
                }
                Next::Reach(targets) => targets,
                Next::Along(edges) => {
                    lists = edges.iter().map(|(_, target)| *target).collect::<Vec<usize>>();
                    &lists
                }
            };
            self.stays(targets)?;
            if block.is_none() {
                let followed = self.machine.follow(begin.point.here(), place.runs.clone())?;
                let copies = vec![Copies::default(); followed.arrivals.len()];
                block = Some((followed, copies));
                if nodes.len() > 1 {
                    solver = Some((self.task.incremental)());
                }
            }
            let Some((followed, copies)) = &mut block else { continue };
            let given = self.given(node, &mut place)?;
            self.expanded(given, targets, (followed, copies), &mut solver)?;
        }
        Ok(())
    }

    /// The runs that begin at a node.
    fn start(&mut self, begin: &Begin) -> Result<Runs, Failure> {
        let Point { bottom, calls, .. } = &begin.point;
        let mut runs = self.machine.begin(bottom.unwrap_or(self.task.program.start), calls);
        (runs.bottom, runs.initial) = (*bottom, begin.initial);
        if begin.initial && !begin.objects.is_empty() {
            return rejected("objects exist before the program starts");
        }
        for (object, dead) in &begin.objects {
            let Some(object) = self.machine.object(&runs, ObjectRef::Placed(*object)) else {
                return rejected("a fact is about an object that does not exist");
            };
            self.machine.exists(&mut runs, object, *dead);
        }
        let fact = |(place, bits): &(FactPlace, u128)| Fact { place: *place, value: FactValue::Bits(*bits) };
        let facts: Vec<Fact> = begin.values.iter().map(fact).collect();
        self.assume_facts(&mut runs, &facts)?;
        self.note_entry(begin.point.loc, &mut runs);
        Ok(runs)
    }

    fn covered(&mut self, node: &ProofNode, upper: usize, place: &mut Place) -> Result<(), Failure> {
        let upper = self.covering(node, upper)?;
        let same = upper.facts.iter().all(|fact| node.facts.contains(fact))
            && upper.formulas.iter().all(|formula| node.formulas.contains(formula))
            && upper.objects == node.objects;
        if same {
            return Ok(());
        }
        let given = self.given(node, place)?;
        let holds = self.holds(upper, &mut place.runs, &mut place.copies)?;
        let fails = self.machine.enc.terms.not(holds);
        let formula = self.machine.enc.terms.and(given, fails);
        self.impossible(formula, &[(formula, "the facts of the covering node are not implied".into())], &mut None)
    }

    /// What the formulas of a node say about the runs that begin there.
    pub(super) fn given(&mut self, node: &ProofNode, place: &mut Place) -> Result<TermId, Failure> {
        self.formulas(node, &mut place.runs, &mut place.copies)
    }

    /// Runs from a node for which `given` holds arrive at its successors.
    pub(super) fn expanded(
        &mut self,
        given: TermId,
        targets: &[usize],
        (followed, copies): (&mut Followed, &mut [Copies]),
        solver: &mut Option<Box<dyn Solver>>,
    ) -> Result<(), Failure> {
        let graph = self.graph;
        let mut obligations: Vec<Obligation> = Vec::new();
        for ((here, runs), copies) in followed.arrivals.iter_mut().zip(copies) {
            let mut somewhere = Vec::new();
            for target in targets {
                let target = graph.nodes.get(*target).filter(|_| *target != 0);
                if let Some(target) = target.filter(|target| point(target) == *here) {
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
        // A claim that is not implied tells more than what becomes of runs that it excludes.
        obligations.extend(followed.bad.iter().map(|(bad, what)| (*bad, (*what).into())));
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
    pub(super) fn holds(&mut self, node: &ProofNode, runs: &mut Runs, copies: &mut Copies) -> Result<TermId, Failure> {
        let mut all = Vec::new();
        let mut exist = 0;
        for (object, dead) in &node.objects {
            let object = self.machine.object(runs, ObjectRef::Placed(*object));
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
        all.push(self.facts_hold(runs, &node.facts, None)?);
        all.push(self.formulas(node, runs, copies)?);
        Ok(self.machine.enc.terms.and_all(&all))
    }

    /// What a place holds.
    fn value(&mut self, runs: &mut Runs, place: FormulaPlace, sort: Sort) -> Result<TermId, Failure> {
        let machine = &mut self.machine;
        let content = |machine: &mut Machine<'_, '_>, object| {
            let object = machine.object(runs, object);
            match object.and_then(|object| Some((object, machine.content(runs, object)?))) {
                Some(found) => Ok(found),
                None => rejected("a fact is about an object that does not exist"),
            }
        };
        let value = match place {
            FormulaPlace::Holds(place @ (FactPlace::Global(var) | FactPlace::Local { var, .. })) => {
                machine.register(runs, frame_of(runs, place)?, var)
            }
            FormulaPlace::Holds(FactPlace::Memory { object, offset, bytes }) => {
                let Some((object, at)) = self.bytes(runs, (object, offset, bytes), None)? else {
                    return rejected("a fact is about an object that does not exist");
                };
                let bits = self.machine.bits_at(runs, object, at, u64::from(bytes));
                match sort {
                    Sort::Float(_) => float(&mut self.machine, bits, sort),
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
        if self.machine.enc.terms.sort(value) != sort {
            return rejected("a fact takes a place for something else");
        }
        Ok(value)
    }
}

fn float(machine: &mut Machine<'_, '_>, bits: TermId, sort: Sort) -> TermId {
    use cfa::FloatFormat::{F16, F32, F64, F80, F128};
    let format = [F16, F32, F64, F80, F128].into_iter().find(|f| machine.enc.sort(Scalar::Float(*f)) == sort);
    format.map_or(bits, |format| machine.enc.from_bits(bits, Scalar::Float(format)))
}
