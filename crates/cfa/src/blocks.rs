//! Partitions of a program into blocks [beyer18bam, Sect. 2.2]: function bodies and loops, nested or disjoint.
//!
//! A block is entered at one location and says what its runs, with everything that they call, may read and modify beyond the
//! registers of its own frames. What a block does not touch it leaves as it was; that is the frame condition by which its
//! entry states may be reduced. Memory counts by whole objects: an access touches every object in which its region has cells.

use crate::callgraph::CallGraph;
use crate::loops::Wto;
use crate::op::Op;
use crate::points_to::{Object, PointsTo};
use crate::program::{EdgeId, FuncId, LocId, Program, VarId};
use crate::regions::{Code, Footprint, ModRef, Regions};
use base::{IdVec, new_id};
use rustc_hash::FxHashMap;

new_id! {
    /// A block of a [`Partition`].
    pub struct BlockId;
}

/// What becomes a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockChoice {
    /// Bodies of functions.
    Functions,
    /// Loops.
    Loops,
    /// Both.
    #[default]
    Both,
    /// Bodies of recursive functions: the instances whose stack can be abstracted [somorjai23].
    Recursive,
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockKind {
    /// The body of a function, entered by calls.
    Function(FuncId),
    /// The loop with this head, entered there.
    Loop(LocId),
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The function that its own locations belong to.
    pub func: FuncId,
    /// Where it is entered.
    pub entry: LocId,
    /// Whether its runs may enter it again.
    pub is_recursive: bool,
    /// Functions all of whose edges are in it, sorted: its own one, and what it calls.
    pub funcs: Vec<FuncId>,
    /// Registers that it may read or modify: global ones, and for loops those of its function; sorted.
    registers: Vec<VarId>,
    /// Objects that it may read or modify, sorted.
    objects: Vec<Object>,
    /// Where runs leave a loop, sorted.
    exits: Vec<LocId>,
    /// Memory variables of its function that begin or end in it; for loops.
    pub declared: Vec<VarId>,
    /// Where runs enter or leave it.
    borders: Vec<LocId>,
}

impl Block {
    /// Whether runs in the block's own frame leave it at the location.
    pub fn is_exit(&self, program: &Program, loc: LocId) -> bool {
        match self.kind {
            BlockKind::Function(func) => program.functions[func].body.is_some_and(|body| body.exit == loc),
            BlockKind::Loop(_) => self.exits.binary_search(&loc).is_ok(),
        }
    }

    /// Whether it may read or modify the register.
    pub fn touches_register(&self, var: VarId) -> bool {
        self.registers.binary_search(&var).is_ok()
    }

    /// Registers that it may read or modify beyond those of its own frames, sorted.
    pub fn touched_registers(&self) -> &[VarId] {
        &self.registers
    }

    /// Objects that it may read or modify, sorted.
    pub fn touched_objects(&self) -> &[Object] {
        &self.objects
    }

    /// Whether it may read or modify objects of this origin.
    pub fn touches_object(&self, object: Object) -> bool {
        self.objects.binary_search(&object).is_ok()
    }
}

/// All blocks of a program.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// The blocks.
    pub blocks: IdVec<BlockId, Block>,
    /// Where runs enter a block: at a loop's head, or where a call is the only way on.
    starts: FxHashMap<LocId, BlockId>,
    /// Calls at the heads of loops that are blocks: where, the loop, and the block of the function.
    shadowed: Vec<(LocId, BlockId, BlockId)>,
}

impl Partition {
    /// Finds the blocks. `points_to` is of the same program.
    pub fn new(program: &Program, wto: &Wto, calls: &CallGraph, points_to: &PointsTo, choice: BlockChoice) -> Self {
        let regions = Regions::new(program, points_to);
        let modref = ModRef::new(program, &regions, calls);
        let mut this = Self::default();
        let reachable = calls.reachable(program.start);
        let mut branching = IdVec::from_elem(false, program.functions.len());
        program.locs.iter().for_each(|loc| branching[loc.func] |= loc.out.len() > 1);
        let size = sizes(program, calls);
        branching.iter_mut().zip(size.iter()).for_each(|(branches, size)| *branches |= *size > STRAIGHT);
        let find = Find { program, wto, calls, points_to, regions: &regions, modref: &modref, branching };
        let is_wanted = |func: FuncId| match choice {
            BlockChoice::Functions | BlockChoice::Both => true,
            BlockChoice::Loops => false,
            BlockChoice::Recursive => calls.is_recursive(func),
        };
        for func in calls.bottom_up().iter().copied().filter(|func| reachable[*func] && is_wanted(*func)) {
            this.add_function(&find, func);
        }
        if matches!(choice, BlockChoice::Loops | BlockChoice::Both) {
            for func in calls.bottom_up().iter().copied().filter(|func| reachable[*func]) {
                for head in wto.order(func).iter().copied().filter(|loc| wto.is_head(*loc)) {
                    this.add_loop(&find, head);
                }
            }
        }
        this
    }

    /// The block that runs enter at a location.
    #[inline]
    pub fn at(&self, loc: LocId) -> Option<BlockId> {
        self.starts.get(&loc).copied()
    }

    /// Where runs enter or leave blocks, sorted.
    pub fn borders(&self) -> Vec<LocId> {
        let mut entered: Vec<BlockId> = self.starts.values().copied().collect();
        entered.sort_unstable();
        entered.dedup();
        let mut borders: Vec<LocId> = entered.iter().flat_map(|id| &self.blocks[*id].borders).copied().collect();
        borders.sort_unstable();
        borders.dedup();
        borders
    }

    /// Runs do not enter the block any more: it is a part of the program as any other.
    pub fn dissolve(&mut self, block: BlockId) {
        self.starts.retain(|_, at| *at != block);
        self.shadowed.retain(|(_, _, function)| *function != block);
        for (at, by, function) in &self.shadowed {
            if *by == block {
                self.starts.insert(*at, *function);
            }
        }
    }

    /// Whether runs enter the block anywhere.
    pub fn is_entered(&self, block: BlockId) -> bool {
        self.starts.values().any(|at| *at == block)
    }

    fn add_function(&mut self, find: &Find<'_>, func: FuncId) {
        let program = find.program;
        let Some(body) = program.functions[func].body else { return };
        let sites: Vec<EdgeId> = find
            .calls
            .call_sites(func)
            .iter()
            .copied()
            .filter(|edge| program.locs[program.edges[*edge].src].func != program.start)
            .filter(|edge| program.locs[program.edges[*edge].src].out[..] == [*edge])
            .filter(|edge| matches!(program.edges[*edge].op, Op::Call { .. }))
            .collect();
        if sites.is_empty() || !find.branching[func] {
            return;
        }
        let footprints = [find.modref.modified(func), find.modref.read(func)];
        let around = |edge: &EdgeId| [program.edges[*edge].src, program.edges[*edge].dst];
        let block = Block {
            kind: BlockKind::Function(func),
            func,
            entry: body.entry,
            borders: [body.entry, body.exit].into_iter().chain(sites.iter().flat_map(around)).collect(),
            is_recursive: find.calls.is_recursive(func),
            funcs: find.reachable_from([func]),
            ..find.touching(footprints, (func, body.entry))
        };
        let id = self.blocks.push(block);
        self.starts.extend(sites.iter().map(|edge| (program.edges[*edge].src, id)));
    }

    fn add_loop(&mut self, find: &Find<'_>, head: LocId) {
        let program = find.program;
        let locs = find.wto.component(program, head);
        let goes_on = |edge: &EdgeId| !program.edges[*edge].op.ends_path();
        let inside = |loc: LocId| find.wto.contains(head, loc);
        let entered_at_head = locs.iter().filter(|loc| **loc != head).all(|loc| {
            let inc = program.locs[*loc].inc.iter().copied().filter(goes_on);
            inc.map(|edge| program.edges[edge].src).all(|src| inside(src) || !find.wto.is_reachable(src))
        });
        if !entered_at_head {
            return;
        }
        let func = program.locs[head].func;
        let edges: Vec<EdgeId> = locs.iter().flat_map(|loc| program.locs[*loc].out.iter().copied()).collect();
        let leaving = edges.iter().copied().filter(goes_on).map(|edge| program.edges[edge].dst);
        let mut exits: Vec<LocId> = leaving.filter(|dst| !inside(*dst)).collect();
        exits.sort_unstable();
        exits.dedup();
        let callees = edges.iter().flat_map(|edge| find.calls.callees_of_edge(program, *edge)).copied();
        let declared = edges.iter().filter_map(|edge| match &program.edges[*edge].op {
            Op::Declare { var } | Op::EndScope { var } => Some(*var),
            _ => None,
        });
        let declared = declared.filter(|var| program.vars[*var].func == Some(func));
        let mut declared: Vec<VarId> = declared.filter(|var| program.vars[*var].register().is_none()).collect();
        declared.sort_unstable();
        declared.dedup();
        let code = Code { program, regions: find.regions, calls: find.calls };
        let modified = find.modref.modified_by(code, edges.iter().copied());
        let read = find.modref.read_by(code, edges.iter().copied());
        let funcs = find.reachable_from(callees);
        let block = Block {
            kind: BlockKind::Loop(head),
            is_recursive: funcs.binary_search(&func).is_ok(),
            funcs,
            declared,
            borders: exits.iter().copied().chain([head]).collect(),
            exits,
            ..find.touching([modified, read], (func, head))
        };
        let id = self.blocks.push(block);
        if let Some(function) = self.starts.insert(head, id) {
            self.shadowed.push((head, id, function));
        }
    }
}

/// So many edges, with those of what is called, may a straight line have that is followed again and again.
const STRAIGHT: u32 = 64;

/// How many edges each function has with all that it calls.
pub(crate) fn sizes(program: &Program, calls: &CallGraph) -> IdVec<FuncId, u32> {
    let mut sizes: IdVec<FuncId, u32> = IdVec::from_elem(0, program.functions.len());
    let mut edges: IdVec<FuncId, Vec<EdgeId>> = IdVec::from_elem(Vec::new(), program.functions.len());
    for loc in &program.locs {
        sizes[loc.func] += loc.out.len() as u32;
        edges[loc.func].extend(&loc.out);
    }
    for func in calls.bottom_up().iter().copied().filter(|func| !calls.is_recursive(*func)) {
        let edges = edges[func].iter();
        let inner: u32 = edges
            .flat_map(|edge| calls.callees_of_edge(program, *edge))
            .map(|callee| sizes[*callee])
            .fold(0, u32::saturating_add);
        sizes[func] = sizes[func].saturating_add(inner);
    }
    sizes
}

/// What finding blocks needs.
struct Find<'a> {
    program: &'a Program,
    wto: &'a Wto,
    calls: &'a CallGraph,
    points_to: &'a PointsTo,
    regions: &'a Regions,
    modref: &'a ModRef,
    /// Functions in which runs part, or that are large: a short straight line is cheaper to follow than to look up.
    branching: IdVec<FuncId, bool>,
}

impl Find<'_> {
    fn reachable_from(&self, roots: impl IntoIterator<Item = FuncId>) -> Vec<FuncId> {
        let mut funcs: Vec<FuncId> = roots
            .into_iter()
            .flat_map(|root| {
                let reachable = self.calls.reachable(root);
                self.program.functions.ids().filter(|f| reachable[*f]).collect::<Vec<_>>()
            })
            .collect();
        funcs.sort_unstable();
        funcs.dedup();
        funcs
    }

    /// A block that touches what the footprints name.
    fn touching(&self, footprints: impl IntoIterator<Item = Footprint>, (func, entry): (FuncId, LocId)) -> Block {
        let mut block = Block {
            kind: BlockKind::Loop(entry),
            func,
            entry,
            is_recursive: false,
            funcs: Vec::new(),
            registers: Vec::new(),
            objects: Vec::new(),
            exits: Vec::new(),
            declared: Vec::new(),
            borders: Vec::new(),
        };
        for footprint in footprints {
            block.registers.extend(footprint.registers);
            block.objects.extend(footprint.regions.iter().flat_map(|region| self.points_to.objects(*region)));
        }
        block.registers.sort_unstable();
        block.registers.dedup();
        block.objects.sort_unstable();
        block.objects.dedup();
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::expr::BinOp;
    use crate::value::Scalar;

    /// `f(p) { if (g) *p = 1; }`, `recursive() { if (g) recursive(); }`, `straight() {}`, and `main() { h = 0; loop { f(&x); other += 1 } }`,
    /// where the loop may also be entered in the middle.
    fn sample(into_the_middle: bool) -> (Builder, [VarId; 5], LocId) {
        let mut b = Builder::new();
        let [f, recursive, straight, main] =
            [("f", &[Scalar::Ptr][..]), ("recursive", &[]), ("straight", &[]), ("main", &[])]
                .map(|(n, p)| b.func(n, p));
        let [g, h] = ["g", "h"].map(|name| b.reg(None, name, Scalar::INT));
        let [x, y] = ["x", "y"].map(|name| b.mem(None, name, 4));
        let other = b.reg(Some(main), "other", Scalar::INT);
        let (zero, one, vg, vother) = (b.int(0), b.int(1), b.var(g), b.var(other));
        let (ax, ay) = (b.addr(x), b.addr(y));
        let cond = b.bin(BinOp::Ne, vg, zero);
        let param = b.program.functions[f].params[0];
        let vparam = b.var(param);
        for (func, op) in [(f, Op::Store { addr: vparam, value: one }), (recursive, b.call(recursive, &[]))] {
            let (entry, exit, then) = (b.entry(func), b.exit(func), b.loc(func));
            b.branch(entry, cond, then, exit);
            b.edge(then, exit, op);
        }
        let (entry, exit) = (b.entry(straight), b.exit(straight));
        b.edge(entry, exit, Op::Store { addr: ay, value: one });
        let (entry, exit) = (b.entry(main), b.exit(main));
        let [head, inside, back] = [0; 3].map(|_| b.loc(main));
        b.edge(entry, head, Op::Assign { dst: h, src: zero });
        if into_the_middle {
            b.edge(entry, inside, Op::Skip);
        }
        let call = b.call(f, &[ax]);
        b.edge(head, inside, call);
        let more = b.bin(BinOp::Add, vother, one);
        b.edge(inside, back, Op::Assign { dst: other, src: more });
        let again = b.bin(BinOp::Ne, vother, zero);
        let after = b.loc(main);
        b.branch(back, again, head, after);
        let (call_recursive, call_straight) = (b.call(recursive, &[]), b.call(straight, &[]));
        b.chain(after, exit, [call_recursive, call_straight]);
        let (entry, exit, call) = (b.entry(b.program.start), b.exit(b.program.start), b.call(main, &[]));
        b.edge(entry, exit, call);
        (b, [g, h, x, y, other], head)
    }

    fn partition(b: &Builder, choice: BlockChoice) -> Partition {
        let program = &b.program;
        let points_to = PointsTo::new(program);
        let calls = CallGraph::new(program, Some(&points_to));
        Partition::new(program, &Wto::new(program), &calls, &points_to, choice)
    }

    #[test]
    fn functions_and_what_they_touch() {
        let (b, [g, h, x, y, _], _) = sample(false);
        let partition = partition(&b, BlockChoice::Functions);
        let blocks: Vec<&Block> = partition.blocks.iter().collect();
        let f = b.program.function_named("f").expect("a function");
        let recursive = b.program.function_named("recursive").expect("a function");
        let mut found: Vec<(FuncId, bool)> = blocks.iter().map(|block| (block.func, block.is_recursive)).collect();
        found.sort_unstable();
        assert_eq!(found, [(f, false), (recursive, true)]);
        let block = *blocks.iter().find(|block| block.kind == BlockKind::Function(f)).expect("a block");
        assert!(block.touches_register(g) && !block.touches_register(h));
        assert!(block.touches_object(Object::Var(x)) && !block.touches_object(Object::Var(y)));
        let body = b.program.functions[f].body.expect("a body");
        assert!(block.is_exit(&b.program, body.exit) && !block.is_exit(&b.program, body.entry));
        assert_eq!(block.funcs, [f]);
    }

    #[test]
    fn loops_and_what_they_touch() {
        let (b, [g, h, x, y, other], head) = sample(false);
        let partition = partition(&b, BlockChoice::Loops);
        let block = &partition.blocks[partition.at(head).expect("a loop")];
        assert_eq!(block.kind, BlockKind::Loop(head));
        assert!(block.touches_register(g) && block.touches_register(other) && !block.touches_register(h));
        assert!(block.touches_object(Object::Var(x)) && !block.touches_object(Object::Var(y)));
        assert_eq!(block.funcs, [b.program.function_named("f").expect("a function")]);
        let exits = b.program.locs.ids().filter(|loc| block.is_exit(&b.program, *loc)).count();
        assert_eq!((exits, partition.blocks.len()), (1, 1));
    }

    #[test]
    fn dissolved_blocks_are_not_entered() {
        let (b, _, head) = sample(false);
        let mut partition = partition(&b, BlockChoice::Both);
        let block = partition.at(head).expect("a loop");
        let before = partition.borders();
        assert!(partition.is_entered(block) && before.contains(&partition.blocks[block].exits[0]));
        partition.dissolve(block);
        assert!(!partition.is_entered(block));
        // The call at the head enters the function's block now.
        let function = partition.at(head).expect("a function");
        let (f, left) = (&partition.blocks[function], partition.borders());
        assert!(matches!(f.kind, BlockKind::Function(_)) && f.borders.iter().all(|loc| left.contains(loc)));
        partition.dissolve(function);
        assert!(partition.at(head).is_none() && !partition.is_entered(function));
    }

    #[test]
    fn loops_with_two_entries_are_none() {
        let (b, _, head) = sample(true);
        assert!(partition(&b, BlockChoice::Loops).at(head).is_none());
        // The call in it is at a loop's head.
        assert!(partition(&b, BlockChoice::Both).at(head).is_some());
    }
}
