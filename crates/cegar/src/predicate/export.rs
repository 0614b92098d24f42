//! The abstract reachability graph of the predicate analysis as a proof checker reads it.
//!
//! Canonical variables become places of registers and objects, and what a shape claims becomes facts: which objects exist,
//! whether they were freed, and registers that hold a known address.

use analysis::{AnalysisError, Arg, NodeId, Status};
use base::Id;
use domains::predicate::block::Start;
use domains::predicate::shape::ShapeId;
use domains::predicate::{PredicateCpa, PredicateState};
use domains::strategy::StrategyPrecisionId;
use encode::canon::{ObjectName, Place};
use encode::memory::object::Size;
use encode::{ObjId, ObjectKind};
use proof::graph::{
    Fact, FactPlace, FactValue, FormulaPlace, Next, ObjectRef, Placed, PlacedName, ProofGraph, ProofNode,
};
use rustc_hash::FxHashMap;
use smt::TermId;
use smt::copy::Copies;
use step::StackId;

/// Exports abstract states of the predicate domain; one for each graph.
pub struct Exporter {
    objects: FxHashMap<ObjId, ObjectRef>,
    copies: Copies,
    /// What each slot of a frame is.
    slots: FxHashMap<u32, FactPlace>,
    /// Slots for what variables held where a procedure was entered.
    entry: FxHashMap<u32, cfa::VarId>,
    stacks: usize,
}

impl Exporter {
    /// An exporter for the states that the domain has made so far; adds its objects to the graph.
    pub fn new(cpa: &PredicateCpa<'_, '_>, graph: &mut ProofGraph) -> Self {
        let mut this = Self {
            objects: FxHashMap::default(),
            copies: Copies::default(),
            slots: FxHashMap::default(),
            entry: FxHashMap::default(),
            stacks: 0,
        };
        let stacks = &cpa.generics.stacks;
        for object in cpa.enc.objects.ids() {
            let info = cpa.enc.objects.get(object);
            let calls = |stack: u32| stacks.calls(Id::from_index(stack as usize));
            let reference = match (info.kind, cpa.enc.canon.as_ref().and_then(|canon| canon.name(object))) {
                (ObjectKind::Global(var), _) => ObjectRef::Global(var),
                (_, Some(name)) => {
                    let name = match name {
                        ObjectName::Local(stack, var) => PlacedName::Local(calls(stack), var),
                        ObjectName::Heap(edge, count, _) => PlacedName::Heap(edge, count),
                        ObjectName::Stack(stack, edge, count, _) => PlacedName::Stack(calls(stack), edge, count),
                    };
                    let size = match info.size {
                        Size::Const(size) => Some(size),
                        Size::Term(_) => None,
                    };
                    graph.objects.push(Placed { name, base: info.base, room: info.room, size });
                    ObjectRef::Placed(graph.objects.len() as u32 - 1)
                }
                (_, None) => continue,
            };
            if let Some(elem) = info.elem {
                graph.arrays.push((reference, elem));
            }
            this.objects.insert(object, reference);
        }
        let program = cpa.enc.program;
        for (var, info) in program.vars.iter_enumerated() {
            if info.is_global() && info.register().is_some() {
                let slot = cpa.enc.slots.slot(program, encode::FrameSlots(0), var);
                this.slots.insert(slot, FactPlace::Global(var));
            }
        }
        this.note_stacks(cpa);
        this
    }

    /// Notes the slots of stacks that are new.
    fn note_stacks(&mut self, cpa: &PredicateCpa<'_, '_>) {
        let program = cpa.enc.program;
        let stacks = &cpa.generics.stacks;
        if self.stacks == stacks.len() {
            return;
        }
        let mut locals: FxHashMap<cfa::FuncId, Vec<cfa::VarId>> = FxHashMap::default();
        for (var, info) in program.vars.iter_enumerated() {
            if let Some(func) = info.func {
                locals.entry(func).or_default().push(var);
            }
        }
        for stack in self.stacks..stacks.len() {
            let stack: StackId = Id::from_index(stack);
            let frame = stacks.frame(stack);
            for var in locals.get(&frame.func).into_iter().flatten() {
                let slot = cpa.enc.slots.slot(program, cpa.generics.frame(stack), *var);
                self.slots.insert(slot, FactPlace::Local { frame: frame.depth, var: *var });
            }
            self.entry.extend(cpa.generics.entry_values(&cpa.enc, stack));
        }
        self.stacks = stacks.len();
    }

    fn place(&self, cpa: &PredicateCpa<'_, '_>, var: TermId) -> Option<FormulaPlace> {
        let object = |object: ObjId| self.objects.get(&object).copied();
        Some(match cpa.enc.canon.as_ref()?.place(var)? {
            Place::Slot(slot) => match self.entry.get(&slot) {
                Some(var) => FormulaPlace::Entry(*var),
                None => FormulaPlace::Holds(*self.slots.get(&slot)?),
            },
            Place::Cell { object: id, offset, bytes } => {
                let offset = i64::try_from(offset).ok()?;
                FormulaPlace::Holds(FactPlace::Memory { object: object(id)?, offset, bytes })
            }
            Place::Array(id) => FormulaPlace::Array(object(id)?),
            Place::Dead(id) => FormulaPlace::Dead(object(id)?),
            Place::Size(id) => FormulaPlace::Size(object(id)?),
            Place::External => FormulaPlace::External,
        })
    }

    /// A formula over canonical variables as one of the graph; `None` if a variable has no place.
    pub fn formula(&mut self, cpa: &PredicateCpa<'_, '_>, graph: &mut ProofGraph, formula: TermId) -> Option<TermId> {
        self.note_stacks(cpa);
        let mut copies = std::mem::take(&mut self.copies);
        let imported = graph.formulas.import(&mut copies, &cpa.enc.terms, formula, &mut |var| self.place(cpa, var));
        self.copies = copies;
        imported
    }

    /// What a shape claims: values of places, and which objects exist.
    pub fn shape(&mut self, cpa: &PredicateCpa<'_, '_>, shape: ShapeId) -> (Vec<Fact>, Vec<(u32, Option<bool>)>) {
        self.note_stacks(cpa);
        let shape = cpa.generics.shapes.get(shape);
        let known = |(slot, value): &(u32, TermId)| {
            let value = FactValue::Bits(cpa.enc.terms.as_bv_const(*value)?);
            Some(Fact { place: *self.slots.get(slot)?, value })
        };
        let object = |(object, dead): &(ObjId, Option<bool>)| match self.objects.get(object) {
            Some(ObjectRef::Placed(index)) => Some((*index, *dead)),
            _ => None,
        };
        (shape.pointers.iter().filter_map(known).collect(), shape.objects.iter().filter_map(object).collect())
    }
}

/// The nodes of the graph in the order of the export: the root first.
pub fn order<S>(arg: &Arg<S>) -> Vec<NodeId> {
    let root = arg.root();
    root.into_iter().chain(arg.ids().filter(|id| Some(*id) != root)).collect()
}

/// All nodes in that order.
///
/// # Errors
/// When the budget ends.
pub fn export(cpa: &mut PredicateCpa<'_, '_>, arg: &Arg<PredicateState>) -> Result<ProofGraph, AnalysisError> {
    export_with(cpa, arg, |cpa, state| describe(cpa, state))
}

/// Where a state is, which strategies its runs take at loops, and what holds there.
pub type Described = (Start, StrategyPrecisionId, Vec<TermId>);

/// Describes a state.
pub fn describe(cpa: &mut PredicateCpa<'_, '_>, state: &PredicateState) -> Described {
    (state.start(), state.strategy, vec![cpa.formula(state.abstraction)])
}

/// All nodes of a graph over blocks, the root first; `describe` tells where a node is and what holds there.
///
/// # Errors
/// When the budget ends.
pub fn export_with<'p, 'b, S>(
    cpa: &mut PredicateCpa<'p, 'b>,
    arg: &Arg<S>,
    describe: impl Fn(&mut PredicateCpa<'p, 'b>, &S) -> Described,
) -> Result<ProofGraph, AnalysisError> {
    let mut writer = Writer::new(cpa);
    let order = order(arg);
    let numbers: FxHashMap<NodeId, usize> = order.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    for id in &order {
        let (start, strategy, holds) = describe(cpa, arg.state(*id));
        let next = match (arg.status(*id), arg.covered_by(*id).and_then(|upper| numbers.get(&upper))) {
            (Status::Covered, Some(upper)) => Next::Covered(*upper),
            (Status::Expanded, _) if cpa.is_abstract_call(start.at) => {
                let (entered, returned) =
                    arg.children(*id).partition::<Vec<_>, _>(|child| arg.rests_on(*child).is_none());
                let mut returned: Vec<usize> = returned.iter().map(|child| numbers[child]).collect();
                returned.sort_unstable();
                Next::Call { entered: entered.first().map(|child| numbers[child]), returned }
            }
            (Status::Expanded, _) => {
                let mut children: Vec<NodeId> = arg.children(*id).collect();
                children.sort_by_key(|child| arg.node(*child).choice);
                Next::Reach(children.iter().map(|child| numbers[child]).collect())
            }
            _ => Next::Open,
        };
        writer.push(cpa, (start, strategy, holds), next);
    }
    Ok(writer.graph)
}

/// Makes a graph node by node.
pub struct Writer {
    /// The graph.
    pub graph: ProofGraph,
    exporter: Exporter,
}

impl Writer {
    /// No nodes.
    pub fn new(cpa: &PredicateCpa<'_, '_>) -> Self {
        let mut graph = ProofGraph::default();
        graph.strategies.lists = cpa.strategies.selections().to_vec();
        graph.points.extend(cpa.enc.program.locs.ids().filter(|loc| cpa.is_point(*loc)));
        let exporter = Exporter::new(cpa, &mut graph);
        Self { graph, exporter }
    }

    /// Appends a node.
    pub fn push(&mut self, cpa: &PredicateCpa<'_, '_>, (start, strategy, holds): Described, next: Next) {
        let Self { graph, exporter } = self;
        graph.strategies.of_node.push(strategy.index());
        let mut formulas = Vec::new();
        for formula in holds {
            let formula = exporter.formula(cpa, graph, formula);
            formulas.extend(formula.filter(|f| !graph.formulas.terms.is_true(*f)));
        }
        let (facts, objects) = start.shape.map(|shape| exporter.shape(cpa, shape)).unwrap_or_default();
        graph.nodes.push(ProofNode {
            loc: start.at.loc,
            bottom: cpa.generics.stacks.bottom(start.at.stack),
            calls: cpa.generics.stacks.calls(start.at.stack),
            observer: start.at.observer,
            facts,
            formulas,
            objects,
            next,
        });
    }
}
