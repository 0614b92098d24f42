//! Program slice with respect to an observer: what can't influence whether an observed event happens becomes `Skip`.
//!
//! Relevant are the observed calls and labels, `Unsupported` edges, those that must be defined, writes that may not stay in their object, what decides whether they are reached (control
//! dependence, over calls, too), and what may have written what relevant operations read (registers, and memory by the
//! regions of points-to analysis; flow-insensitive) [weiser81, horwitz90]. A function that may end the path (`Halt`,
//! undefined behaviour, blocked assumptions, loops without a way out) decides whether what follows its call is reached. A branch on which nothing
//! relevant depends becomes one `Skip` edge towards the end of the function. Where no observed event can follow, the path
//! ends with `Halt`.
//!
//! The slice has at least the runs of the program as far as events go, so that `true` holds for the program: removing a loop
//! that happens to be endless, or an access to memory that would have ended the path as undefined, only adds runs. Therefore `false` has
//! to be replayed on the program itself. Variables that are left out become temporary. Edges keep their ids, operations are replaced in place; arguments of calls that
//! nothing relevant depends on become zero.

use crate::distances::distances_to_exit;
use crate::guard_writes::{is_checked, is_guarded, is_in_variable, written};
use base::{IdVec, Name};
use cfa::callgraph::CallGraph;
use cfa::computed::is_determined;
use cfa::dominators::{self, Dominators};
use cfa::loops::{Wto, is_branch};
use cfa::observer::{Observer, Pattern};
use cfa::points_to::PointsTo;
use cfa::regions::{Object, RegionId, Regions};
use cfa::{Edge, EdgeId, ExprId, ExprKind, FuncId, LocId, Op, Program, Storage, Undefined, Value, VarId, VarKind};
use rustc_hash::FxHashMap;

/// A sliced program.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The program with irrelevant operations replaced.
    pub program: Program,
    /// Relevant edges, by id.
    pub relevant: IdVec<EdgeId, bool>,
    /// Number of operations other than `Skip` that were replaced or taken out.
    pub removed: usize,
}

/// Slices a program. `points_to` and `regions` are of this program; calls through pointers may be left.
pub fn slice(program: &Program, points_to: &PointsTo, regions: &Regions, observer: &Observer) -> Slice {
    let wto = Wto::new(program);
    let calls = CallGraph::new(program, Some(points_to));
    let events = Events::new(program, &calls, observer, &wto);
    let may_follow = events.may_follow(program, &calls);
    let controls = dominators::all(program, &wto);
    let to_exit = distances_to_exit(program);
    let mut marker =
        Marker::new(Context { program, points_to, regions, wto: &wto, calls: &calls }, &controls, may_follow);
    events.edges.iter().for_each(|e| marker.work.push(Item::Edge(*e)));
    events.locs.iter().for_each(|l| marker.work.push(Item::Loc(*l)));
    marker.seed_blocking_functions(&to_exit);
    marker.seed_writes();
    marker.run();
    let Marker { edges, registers, regions: kept, may_follow, .. } = marker;
    let is_lost = |region: &RegionId| !kept[*region] && !regions.writers(*region).is_empty();
    let lost: Vec<RegionId> = regions.used().filter(is_lost).collect();
    let mut rewriter =
        Rewriter { program: program.clone(), wto: &wto, controls: &controls, to_exit, registers, removed: 0 };
    rewriter.run(&edges, &may_follow);
    rewriter.hide(lost.iter().flat_map(|region| points_to.objects(*region)));
    let known = |object: &cfa::points_to::Object| match object {
        cfa::points_to::Object::Var(var) => Some(*var),
        cfa::points_to::Object::Alloc(edge) => program.edges[*edge].op.assigned(),
        cfa::points_to::Object::Function(_) | cfa::points_to::Object::External => None,
    };
    rewriter.program.known_outside = points_to.known_outside().iter().filter_map(known).collect();
    Slice { removed: rewriter.removed, program: rewriter.program, relevant: edges }
}

/// Where observed events happen.
struct Events {
    edges: Vec<EdgeId>,
    locs: Vec<LocId>,
}

impl Events {
    fn new(program: &Program, calls: &CallGraph, observer: &Observer, wto: &Wto) -> Self {
        let named = |wanted: fn(&Pattern) -> Option<&Name>| -> Vec<&Name> {
            observer.transitions.iter().filter_map(|t| wanted(&t.on)).collect()
        };
        let called = named(|p| if let Pattern::Call(name) = p { Some(name) } else { None });
        let labels = named(|p| if let Pattern::Label(name) = p { Some(name) } else { None });
        let mut events = Self { edges: Vec::new(), locs: Vec::new() };
        for (id, loc) in program.locs.iter_enumerated().filter(|(id, _)| wto.is_reachable(*id)) {
            if loc.labels.iter().any(|l| labels.contains(&l)) {
                events.locs.push(id);
            }
            for edge in &loc.out {
                let is_event = matches!(program.edges[*edge].op, Op::Unsupported(_))
                    || program.must_be_defined.contains(edge)
                    || calls
                        .callees_of_edge(program, *edge)
                        .iter()
                        .any(|f| called.iter().any(|name| **name == program.functions[*f].name));
                if is_event {
                    events.edges.push(*edge);
                }
            }
        }
        events
    }

    /// The locations from which control may get to an event, through calls and returns.
    fn may_follow(&self, program: &Program, calls: &CallGraph) -> IdVec<LocId, bool> {
        let mut entry_of: FxHashMap<LocId, FuncId> = FxHashMap::default();
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(body) = function.body {
                entry_of.insert(body.entry, id);
            }
        }
        let mut marked = IdVec::from_elem(false, program.locs.len());
        let mut stack = self.locs.clone();
        stack.extend(self.edges.iter().map(|e| program.edges[*e].src));
        while let Some(loc) = stack.pop() {
            if std::mem::replace(&mut marked[loc], true) {
                continue;
            }
            for edge in &program.locs[loc].inc {
                if program.edges[*edge].op.ends_path() {
                    continue;
                }
                stack.push(program.edges[*edge].src);
                let bodies = calls.callees_of_edge(program, *edge).iter();
                stack.extend(bodies.filter_map(|f| program.functions[*f].body).map(|b| b.exit));
            }
            if let Some(func) = entry_of.get(&loc) {
                stack.extend(calls.call_sites(*func).iter().map(|e| program.edges[*e].src));
            }
        }
        marked
    }
}

/// What the slice is computed from.
#[derive(Clone, Copy)]
struct Context<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    regions: &'a Regions,
    wto: &'a Wto,
    calls: &'a CallGraph,
}

enum Item {
    Edge(EdgeId),
    /// Whether the location is reached matters.
    Loc(LocId),
    Expr(ExprId),
    Register(VarId),
    Region(RegionId),
}

/// Spreads relevance until nothing changes.
struct Marker<'a> {
    context: Context<'a>,
    controls: &'a IdVec<FuncId, Option<Dominators>>,
    may_follow: IdVec<LocId, bool>,
    work: Vec<Item>,
    edges: IdVec<EdgeId, bool>,
    locs: IdVec<LocId, bool>,
    functions: IdVec<FuncId, bool>,
    exprs: IdVec<ExprId, bool>,
    registers: IdVec<VarId, bool>,
    regions: IdVec<RegionId, bool>,
    /// Edges that assign a register.
    assigners: IdVec<VarId, Vec<EdgeId>>,
    /// Edges that begin or end the life of a memory variable.
    scopes: IdVec<VarId, Vec<EdgeId>>,
    /// Edges that may end the life of a heap object.
    frees: Vec<EdgeId>,
    /// Function and position of a parameter.
    params: FxHashMap<VarId, Vec<(FuncId, usize)>>,
}

impl<'a> Marker<'a> {
    fn new(
        context: Context<'a>,
        controls: &'a IdVec<FuncId, Option<Dominators>>,
        may_follow: IdVec<LocId, bool>,
    ) -> Self {
        let program = context.program;
        let vars = program.vars.len();
        let mut marker = Self {
            context,
            controls,
            may_follow,
            work: Vec::new(),
            edges: IdVec::from_elem(false, program.edges.len()),
            locs: IdVec::from_elem(false, program.locs.len()),
            functions: IdVec::from_elem(false, program.functions.len()),
            exprs: IdVec::from_elem(false, program.exprs.len()),
            registers: IdVec::from_elem(false, vars),
            regions: IdVec::from_elem(false, context.points_to.class_count()),
            assigners: IdVec::from_elem(Vec::new(), vars),
            scopes: IdVec::from_elem(Vec::new(), vars),
            frees: Vec::new(),
            params: FxHashMap::default(),
        };
        for edge in program.locs.iter().flat_map(|l| &l.out) {
            let op = &program.edges[*edge].op;
            if let Some(dst) = op.assigned() {
                marker.assigners[dst].push(*edge);
            }
            match op {
                Op::Declare { var } | Op::EndScope { var } => marker.scopes[*var].push(*edge),
                Op::Free { .. } | Op::Realloc { .. } => marker.frees.push(*edge),
                _ => {}
            }
        }
        for (id, function) in program.functions.iter_enumerated() {
            for (i, param) in function.params.iter().enumerate() {
                marker.params.entry(*param).or_default().push((id, i));
            }
        }
        marker
    }

    /// A function that may end the path is called for that, and which of its paths return matters.
    fn seed_blocking_functions(&mut self, to_exit: &IdVec<LocId, u32>) {
        let Context { program, wto, calls, .. } = self.context;
        let mut blocks = IdVec::from_elem(false, program.functions.len());
        let mut stack = Vec::new();
        for (id, loc) in program.locs.iter_enumerated().filter(|(id, _)| wto.is_reachable(*id)) {
            // From an endless loop there is no way to the exit, and that is a usual way to write an assumption.
            let ends = loc.out.iter().any(|e| program.edges[*e].op.ends_path());
            if ends || to_exit[id] == u32::MAX || dominators::may_block(program, id) {
                stack.push(loc.func);
            }
        }
        while let Some(func) = stack.pop() {
            if !std::mem::replace(&mut blocks[func], true) {
                for site in calls.call_sites(func) {
                    self.work.push(Item::Edge(*site));
                    stack.push(program.locs[program.edges[*site].src].func);
                }
                if let Some(body) = program.functions[func].body {
                    self.work.push(Item::Loc(body.exit));
                }
            }
        }
    }

    /// A write that may not stay in its object changes what anybody reads, so those before events are kept: as a branch to where it is
    /// found to be outside ([`crate::guard_writes`]), or, where there is none, as it is. What is written to memory that is not the program's is
    /// taken to stay there.
    fn seed_writes(&mut self) {
        let Context { program, points_to, .. } = self.context;
        let all_checked = is_checked(program);
        for edge in program.locs.iter().flat_map(|l| &l.out) {
            let Edge { op, src, .. } = &program.edges[*edge];
            if *op == Op::Undefined(Undefined::OutsideWrite) {
                let branches = program.locs[*src].inc.iter().flat_map(|e| &program.locs[program.edges[*e].src].out);
                self.work.extend(branches.map(|e| Item::Edge(*e)));
            } else if let Some((addr, len)) = written(program, op)
                && (!all_checked || matches!(op, Op::MemHavoc { .. }))
                && !is_in_variable(program, addr)
                && !is_guarded(program, *edge, addr)
                && !points_to.is_inside(program, addr, len)
            {
                self.work.push(Item::Edge(*edge));
            }
        }
    }

    fn run(&mut self) {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Edge(edge) => self.edge(edge),
                Item::Loc(loc) => self.loc(loc),
                Item::Expr(e) => self.expr(e),
                Item::Register(var) => self.register(var),
                Item::Region(region) => {
                    if !std::mem::replace(&mut self.regions[region], true) {
                        let writers = self.context.regions.writers(region);
                        self.work.extend(writers.iter().map(|e| Item::Edge(*e)));
                    }
                }
            }
        }
    }

    /// Whether an event may follow the edge, so that it can matter at all.
    fn matters(&self, edge: EdgeId) -> bool {
        let src = self.context.program.edges[edge].src;
        self.may_follow[src] && self.context.wto.is_reachable(src)
    }

    fn edge(&mut self, edge: EdgeId) {
        if !self.matters(edge) || std::mem::replace(&mut self.edges[edge], true) {
            return;
        }
        let program = self.context.program;
        self.work.push(Item::Loc(program.edges[edge].src));
        match &program.edges[edge].op {
            // Arguments matter where the parameter does.
            Op::Call { func, args, .. } => {
                let params = &program.functions[*func].params;
                let used = params.iter().zip(args).filter(|(p, _)| self.registers[**p]);
                self.work.extend(used.map(|(_, a)| Item::Expr(*a)));
            }
            Op::CallExtern { func, .. } if !is_determined(&program.functions[*func]) => {}
            op => {
                op.for_each_expr(|e| self.work.push(Item::Expr(e)));
                self.work.extend(self.context.regions.reads(edge).iter().map(|r| Item::Region(*r)));
            }
        }
    }

    fn loc(&mut self, loc: LocId) {
        if !self.may_follow[loc] || std::mem::replace(&mut self.locs[loc], true) {
            return;
        }
        let Context { program, wto, calls, .. } = self.context;
        let func = program.locs[loc].func;
        if let Some(dominators) = &self.controls[func] {
            for branch in dominators.controls(wto, loc) {
                self.work.extend(program.locs[*branch].out.iter().map(|e| Item::Edge(*e)));
            }
        }
        if !std::mem::replace(&mut self.functions[func], true) {
            self.work.extend(calls.call_sites(func).iter().map(|e| Item::Edge(*e)));
        }
    }

    fn expr(&mut self, e: ExprId) {
        if std::mem::replace(&mut self.exprs[e], true) {
            return;
        }
        let Context { program, points_to, .. } = self.context;
        match program.exprs.kind(e) {
            ExprKind::Var(var) => self.work.push(Item::Register(var)),
            // Its object has to exist.
            ExprKind::AddrOf(var) => self.work.extend(self.scopes[var].iter().map(|e| Item::Edge(*e))),
            ExprKind::Valid(..) => self.work.extend(self.frees.iter().map(|e| Item::Edge(*e))),
            // All that a pointer may be written by.
            ExprKind::Tracked => {
                let edges = program.locs.iter().flat_map(|loc| &loc.out);
                self.work.extend(edges.filter(|e| !is_branching(&program.edges[**e].op)).map(|e| Item::Edge(*e)));
            }
            ExprKind::Load(addr) => self.work.push(Item::Region(points_to.class_of_address(addr))),
            _ => {}
        }
        self.work.extend(program.exprs.operands(e).map(Item::Expr));
    }

    fn register(&mut self, var: VarId) {
        if std::mem::replace(&mut self.registers[var], true) {
            return;
        }
        let Context { program, calls, .. } = self.context;
        for edge in &self.assigners[var] {
            self.work.push(Item::Edge(*edge));
            if self.matters(*edge) {
                let results = calls.callees_of_edge(program, *edge).iter().filter_map(|f| program.functions[*f].ret);
                self.work.extend(results.map(Item::Register));
            }
        }
        for (func, position) in self.params.get(&var).into_iter().flatten() {
            for site in calls.call_sites(*func) {
                if let Op::Call { args, .. } = &program.edges[*site].op
                    && self.matters(*site)
                {
                    self.work.push(Item::Expr(args[*position]));
                }
            }
        }
    }
}

/// Replaces what is irrelevant.
struct Rewriter<'a> {
    program: Program,
    wto: &'a Wto,
    controls: &'a IdVec<FuncId, Option<Dominators>>,
    to_exit: IdVec<LocId, u32>,
    registers: IdVec<VarId, bool>,
    removed: usize,
}

impl Rewriter<'_> {
    fn run(&mut self, relevant: &IdVec<EdgeId, bool>, may_follow: &IdVec<LocId, bool>) {
        for func in self.program.functions.ids() {
            let Some(body) = self.program.functions[func].body else { continue };
            for loc in self.wto.order(func) {
                if !may_follow[*loc] {
                    self.end_path(*loc, body.exit);
                    continue;
                }
                let out = self.program.locs[*loc].out.clone();
                if is_branch(&self.program, *loc) && out.iter().all(|e| !relevant[*e]) {
                    self.contract(*loc, [out[0], out[1]]);
                    continue;
                }
                for edge in out {
                    if relevant[edge] {
                        self.trim(edge);
                    } else if !self.program.edges[edge].op.ends_path() {
                        self.replace(edge, Op::Skip);
                    }
                }
            }
        }
    }

    /// What is known of variables that are not written as in the program must not be told: users do not see temporary ones.
    fn hide<'o>(&mut self, objects: impl Iterator<Item = &'o Object>) {
        let registers = self.program.vars.iter_enumerated().filter(|(id, var)| {
            let is_register = matches!(var.storage, Storage::Register(_));
            is_register && !self.registers[*id]
        });
        let mut hidden: Vec<VarId> = registers.map(|(id, _)| id).collect();
        hidden.extend(objects.filter_map(|object| match object {
            Object::Var(var) => Some(*var),
            _ => None,
        }));
        for var in hidden {
            let kind = &mut self.program.vars[var].kind;
            if matches!(kind, VarKind::Global | VarKind::Local | VarKind::Param) {
                *kind = VarKind::Temp;
            }
        }
    }

    fn replace(&mut self, edge: EdgeId, op: Op) {
        let old = std::mem::replace(&mut self.program.edges[edge].op, op);
        self.removed += usize::from(old != Op::Skip);
    }

    fn detach(&mut self, edge: EdgeId) {
        crate::edges::detach(&mut self.program, edge);
        self.removed += usize::from(self.program.edges[edge].op != Op::Skip);
    }

    /// Nothing that follows matters.
    fn end_path(&mut self, loc: LocId, exit: LocId) {
        let out = self.program.locs[loc].out.clone();
        let [first, others @ ..] = &out[..] else { return };
        if out.iter().any(|e| self.program.edges[*e].op.ends_path()) {
            return;
        }
        others.iter().for_each(|e| self.detach(*e));
        self.replace(*first, Op::Halt);
        crate::edges::redirect(&mut self.program, *first, exit);
    }

    /// Keeps the side of a branch that is nearer to the function's exit or, where no path leads there, to where paths end.
    /// Each kept edge comes nearer, so that they never form a loop.
    fn contract(&mut self, loc: LocId, [a, b]: [EdgeId; 2]) {
        let func = self.program.locs[loc].func;
        let distance = |edge: EdgeId| {
            let dst = self.program.edges[edge].dst;
            let to_end = self.controls[func].as_ref().map_or(u32::MAX, |d| d.distance_to_end(self.wto, dst));
            (self.to_exit[dst], to_end)
        };
        let (kept, gone) = if distance(b) < distance(a) { (b, a) } else { (a, b) };
        self.replace(kept, Op::Skip);
        self.detach(gone);
    }

    /// Takes irrelevant arguments and results out of a call.
    fn trim(&mut self, edge: EdgeId) {
        let program = &mut self.program;
        let op = &mut program.edges[edge].op;
        let (Op::Call { dst, .. } | Op::CallExtern { dst, .. } | Op::CallPtr { dst, .. }) = op else { return };
        if dst.is_some_and(|d| !self.registers[d]) {
            *dst = None;
        }
        let is_result_used = dst.is_some();
        if let Op::Call { func, args, .. } | Op::CallExtern { func, args, .. } = op {
            let function = &program.functions[*func];
            if is_result_used && is_determined(function) {
                return;
            }
            let params = function.body.map_or(&[][..], |_| &function.params);
            for (i, arg) in args.iter_mut().enumerate() {
                if params.get(i).is_none_or(|p| !self.registers[*p]) {
                    let ty = program.exprs.ty(*arg);
                    *arg = program.exprs.add(ExprKind::Const(Value(0)), ty);
                }
            }
        }
    }
}

fn is_branching(op: &Op) -> bool {
    matches!(op, Op::Assume { .. } | Op::Skip) || op.ends_path()
}
