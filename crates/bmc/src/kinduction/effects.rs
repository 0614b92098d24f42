//! Computes what loops may modify: registers, memory objects, external memory; and where that can't be bounded.
//!
//! The arbitrary state at the head of a loop keeps what no iteration changes. An object that an iteration makes and that may live at
//! the head in the next one can't be described that way, so loops that allocate have no arbitrary state.

use base::{IdVec, Span};
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::points_to::{Object, PointsTo};
use cfa::regions::{Code, ModRef, RegionId, Regions};
use cfa::{AllocKind, EdgeId, FuncId, LocId, Op, Program, VarId};
use encode::ObjectKind;

/// What one loop may modify.
#[derive(Clone, Debug, Default)]
pub struct LoopEffects {
    /// Registers of its function and global ones.
    pub registers: Vec<VarId>,
    /// Local memory variables of its function that are declared in it.
    pub declared: Vec<VarId>,
    /// Memory objects, sorted.
    objects: Vec<Object>,
    /// Whether heap objects may end in it.
    pub frees: bool,
}

impl LoopEffects {
    /// Whether an object of this kind may be modified.
    pub fn modifies(&self, kind: ObjectKind) -> bool {
        self.objects.binary_search(&kind.into()).is_ok()
    }

    /// Whether memory that is not the program's may be modified.
    pub fn modifies_external(&self) -> bool {
        self.objects.binary_search(&Object::External).is_ok()
    }
}

/// Why there are no arbitrary states.
#[derive(Clone, Debug)]
pub struct Unbounded {
    /// In a few words.
    pub why: &'static str,
    /// Where.
    pub span: Span,
}

/// The effects of all loops that the start function reaches.
pub struct Effects {
    loops: IdVec<LocId, Option<Box<LoopEffects>>>,
    /// Heads of the loops.
    pub heads: Vec<LocId>,
}

impl Effects {
    /// Computes them.
    ///
    /// # Errors
    /// If the program has recursion, a loop that is entered other than at its head, or one that makes objects.
    pub fn new(program: &Program, wto: &Wto, points_to: &PointsTo) -> Result<Self, Unbounded> {
        let calls = CallGraph::new(program, Some(points_to));
        let regions = Regions::new(program, points_to);
        let modref = ModRef::new(program, &regions, &calls);
        let reachable = calls.reachable(program.start);
        let allocating = functions_with(program, &calls, |op| makes_object(op, Includes::HeapOnly));
        let freeing = functions_with(program, &calls, |op| matches!(op, Op::Free { .. }));
        let mut loops: IdVec<LocId, Option<Box<LoopEffects>>> = IdVec::from_elem(None, program.locs.len());
        let mut heads = Vec::new();
        for (func, function) in program.functions.iter_enumerated().filter(|(f, _)| reachable[*f]) {
            if function.body.is_none() {
                continue;
            }
            if calls.is_recursive(func) {
                return Err(Unbounded { why: "recursion", span: function.span });
            }
            for loc in wto.order(func) {
                entered_at_head(program, wto, *loc)?;
                if !wto.is_head(*loc) {
                    continue;
                }
                let edges: Vec<EdgeId> = wto
                    .component(program, *loc)
                    .iter()
                    .flat_map(|l| &program.locs[*l].out)
                    .copied()
                    .filter(|edge| !program.edges[*edge].op.ends_path())
                    .collect();
                let mut effects = LoopEffects::default();
                for edge in &edges {
                    let makes = |callee: &FuncId| allocating[*callee];
                    let op = &program.edges[*edge].op;
                    if makes_object(op, Includes::Stack) || calls.callees_of_edge(program, *edge).iter().any(makes) {
                        return Err(Unbounded { why: "allocation in a loop", span: program.edges[*edge].span });
                    }
                    if let Op::Declare { var } = op {
                        effects.declared.push(*var);
                    }
                    effects.frees |= matches!(op, Op::Free { .. });
                    effects.frees |= calls.callees_of_edge(program, *edge).iter().any(|callee| freeing[*callee]);
                }
                effects.declared.sort_unstable();
                effects.declared.dedup();
                let footprint = modref.modified_by(Code { program, regions: &regions, calls: &calls }, edges);
                effects.registers = footprint.registers;
                effects.objects = objects(points_to, &footprint.regions);
                loops[*loc] = Some(Box::new(effects));
                heads.push(*loc);
            }
        }
        Ok(Self { loops, heads })
    }

    /// The effects of the loop with this head.
    pub fn of(&self, head: LocId) -> Option<&LoopEffects> {
        self.loops[head].as_deref()
    }
}

fn objects(points_to: &PointsTo, regions: &[RegionId]) -> Vec<Object> {
    let mut objects: Vec<Object> = regions.iter().flat_map(|region| points_to.objects(*region)).copied().collect();
    objects.sort_unstable();
    objects.dedup();
    objects
}

/// An edge that enters a component leads to its head.
fn entered_at_head(program: &Program, wto: &Wto, loc: LocId) -> Result<(), Unbounded> {
    for edge in &program.locs[loc].inc {
        let src = program.edges[*edge].src;
        if program.edges[*edge].op.ends_path() || !wto.is_reachable(src) {
            continue;
        }
        let enters_inside = wto.heads(loc).iter().any(|head| *head != loc && !wto.contains(*head, src));
        if enters_inside {
            return Err(Unbounded { why: "a jump into a loop", span: program.edges[*edge].span });
        }
    }
    Ok(())
}

/// Whether storage of a frame counts as an object that is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Includes {
    Stack,
    HeapOnly,
}

fn makes_object(op: &Op, includes: Includes) -> bool {
    match op {
        Op::Alloc { kind: AllocKind::Stack, .. } => includes == Includes::Stack,
        Op::Alloc { .. } | Op::Realloc { .. } => true,
        _ => false,
    }
}

/// Functions that have such an operation, or call one that has.
fn functions_with(program: &Program, calls: &CallGraph, is_wanted: impl Fn(&Op) -> bool) -> IdVec<FuncId, bool> {
    let mut found = IdVec::from_elem(false, program.functions.len());
    for loc in &program.locs {
        found[loc.func] |= loc.out.iter().any(|edge| is_wanted(&program.edges[*edge].op));
    }
    // Functions that call each other may wait for one that comes later.
    loop {
        let mut more = false;
        for func in calls.bottom_up() {
            let is_new = !found[*func] && calls.callees(*func).iter().any(|callee| found[*callee]);
            found[*func] |= is_new;
            more |= is_new;
        }
        if !more {
            return found;
        }
    }
}
