//! What every algorithm needs of a program beyond its automata: resolved calls, points-to classes, memory regions.

use crate::assumed;
use base::Span;
use cfa::points_to::PointsTo;
use cfa::regions::Regions;
use cfa::{EdgeId, ExprId, Observer, Program, Unsupported};
use domains::interval::local;
use encode::ObjectKind;
use outcome::{Assumption, Statistics};
use std::sync::Arc;
use std::time::Instant;
use transform::chosen_locale::chosen_locale;
use transform::end_runs::end_runs;
use transform::guard_threads::guard_threads;
use transform::guard_writes::{conditions, guard_writes, pointer_conditions};
use transform::observed_layout::observed_layout;
use transform::open_values::leave_open;
use transform::resolve_calls::resolve_calls;
use transform::reused_addresses::reused_addresses;
use transform::simplify_graph::simplify_graph;
use transform::unmapped::replace_unmapped;

/// A program ready for analysis.
pub struct Prepared {
    /// The program; every call names its function.
    pub program: Program,
    /// What its pointers may point to.
    pub points_to: Arc<PointsTo>,
    /// The partition of its memory.
    pub regions: Arc<Regions>,
    /// What the automata take for granted.
    pub assumptions: Vec<Assumption>,
    /// Values that are arbitrary in the program, because a machine may compute them in another way than the model.
    pub open: Vec<Unsupported>,
    /// The program as it was before such values, and accesses through pointers that lead nowhere, were replaced, if there are some.
    written: Option<Program>,
}

impl Prepared {
    /// The program with all of its accesses, on which runs are replayed. A pointer that leads nowhere may have the address of an object on
    /// a machine, for instance what was left in memory that is allocated again.
    pub fn written(&self) -> &Program {
        self.written.as_ref().unwrap_or(&self.program)
    }

    /// The same program with runs that end where they would take these edges, which break the property.
    pub fn ending_at(&self, observer: &Observer, edges: &[EdgeId]) -> Prepared {
        let written = self.written.as_ref().map(|program| ending_at(program, observer, edges));
        Prepared { written, ..self.without(observer, edges) }
    }

    /// The same program, no run of which takes these edges, which break the property. In the program as it was written, runs may take them
    /// behind an access through a pointer that leads nowhere.
    pub fn without(&self, observer: &Observer, edges: &[EdgeId]) -> Prepared {
        Prepared {
            program: ending_at(&self.program, observer, edges),
            points_to: self.points_to.clone(),
            regions: self.regions.clone(),
            assumptions: self.assumptions.clone(),
            open: self.open.clone(),
            written: self.written.clone(),
        }
    }

    /// The same for an analysis, if it differs. Its proofs say nothing about what follows accesses through pointers that lead nowhere.
    pub fn as_written(&self) -> Option<Prepared> {
        let program = self.written.clone()?;
        let points_to = PointsTo::new(&program);
        let regions = Regions::new(&program, &points_to);
        Some(Prepared {
            program,
            points_to: Arc::new(points_to),
            regions: Arc::new(regions),
            assumptions: self.assumptions.clone(),
            open: Vec::new(),
            written: None,
        })
    }
}

fn ending_at(program: &Program, observer: &Observer, edges: &[EdgeId]) -> Program {
    let mut program = program.clone();
    end_runs(&mut program, observer, edges);
    program
}

/// A program in which calls through pointers are resolved, so that it has all of its checks.
pub struct Resolved {
    pub program: Program,
    /// Calls that may also reach functions that the program does not have.
    assumed: Vec<Span>,
    began: Instant,
}

/// Resolves calls through pointers.
pub fn resolve(mut program: Program) -> Resolved {
    let began = Instant::now();
    let points_to = PointsTo::new(&program);
    let assumed = resolve_calls(&mut program, &points_to).assumed;
    Resolved { program, assumed, began }
}

/// Prepares a program that is as lowering leaves it; see [`Resolved::prepare`].
pub fn prepare(program: Program, stats: &mut Statistics) -> Prepared {
    resolve(program).prepare(stats)
}

impl Resolved {
    /// Drops what can't be reached, checks what threads share and writes to variables, leaves values open that machines may compute in
    /// another way, replaces accesses through pointers that lead nowhere, and analyses pointers.
    pub fn prepare(self, stats: &mut Statistics) -> Prepared {
        let Resolved { mut program, assumed, began } = self;
        simplify_graph(&mut program);
        chosen_locale(&mut program);
        stats.count("prepare.threads", guard_threads(&mut program));
        let mut checks = conditions(&mut program);
        let holding = local::holding(&program, &checks);
        checks.retain(|edge, _| !holding.contains(edge));
        guard_writes(&mut program, &checks);
        let mut points_to = PointsTo::new(&program);
        let pointers = pointer_conditions(&mut program, &points_to);
        if !pointers.is_empty() {
            guard_writes(&mut program, &pointers);
            points_to = PointsTo::new(&program);
        }
        stats.count("prepare.write_checks", checks.len() + pointers.len());
        let mut open = reused_addresses(&mut program, &points_to);
        stats.count("prepare.reuse", open.len());
        let (observed, displacements) = observed_layout(&mut program, &points_to);
        stats.count("prepare.layout", observed.len());
        open.extend(observed);
        let before = program.clone();
        if !open.is_empty() {
            leave_open(&mut program, &open, &displacements);
            points_to = PointsTo::new(&program);
        }
        let (unmapped, points_to) = replace_unmapped(&mut program, points_to);
        stats.count("prepare.unmapped", unmapped);
        let open: Vec<Unsupported> = open.iter().map(|open| open.unmodelled(&before)).collect();
        let written = (unmapped > 0 || !open.is_empty()).then_some(before);
        let regions = Regions::new(&program, &points_to);
        stats.time("prepare.time", began.elapsed());
        let assumptions = assumed::assumptions(&program, &points_to, &assumed);
        let (points_to, regions) = (Arc::new(points_to), Arc::new(regions));
        Prepared { program, points_to, regions, assumptions, open, written }
    }
}

/// Whether a pointer of unknown origin, the value of `expr`, may point into an object of this kind.
pub fn may_point_to(points_to: &PointsTo, expr: ExprId, kind: ObjectKind) -> bool {
    points_to.objects(points_to.class_of_address(expr)).binary_search(&kind.into()).is_ok()
}
