//! How far from its place in the model an object lies on a machine: a multiple of its alignment, as long as it lives.

use crate::edges::redirect;
use base::Span;
use cfa::callgraph::CallGraph;
use cfa::points_to::Object;
use cfa::{BinOp, EdgeId, ExprId, ExprKind, HavocSource, LocId, Op, Program, Scalar, Storage, Value, Var, VarId, VarKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// So many objects may be told apart by their addresses.
const MOST_OBJECTS: usize = 16;
/// So many places of an object are taken one by one.
const MOST_PLACES: u64 = 16;

/// A variable with its displacement.
#[derive(Clone, Copy)]
struct Displaced {
    /// Register with the address of a local variable.
    base: Option<VarId>,
    displacement: VarId,
    align: u64,
    /// Only the remainder matters.
    modulus: Option<u64>,
}

/// A value that shows where an object lies.
pub(crate) struct Asked<'a> {
    pub value: ExprId,
    /// Whether it is an address, too: it is one in the model again.
    pub is_address: bool,
    /// The address that it is computed of.
    pub address: ExprId,
    pub objects: &'a [Object],
    /// Only the remainder of the displacement matters.
    pub modulus: Option<u64>,
}

/// The variables whose displacement is asked for.
#[derive(Default)]
pub struct Displacements {
    vars: BTreeMap<VarId, Displaced>,
}

impl Displacements {
    /// What a value is where the objects lie that an address in it may lead to; `None` if there are too many to tell them apart, or several instances of one.
    pub(crate) fn moved(&mut self, program: &mut Program, calls: &CallGraph, asked: Asked<'_>) -> Option<ExprId> {
        let Asked { value, is_address, address, objects, modulus } = asked;
        let vars: Vec<VarId> = objects.iter().filter(|o| !is_elsewhere(**o)).map(|o| single(program, calls, *o)).collect::<Option<_>>()?;
        if vars.len() > MOST_OBJECTS {
            return None;
        }
        let number = number(program);
        let place = cast(program, address, number);
        let mut by = program.exprs.add(ExprKind::Const(Value(0)), number);
        for var in vars {
            let (base, displacement, size) = self.displaced(program, var, modulus)?;
            let base = cast(program, base, number);
            let exprs = &mut program.exprs;
            let offset = exprs.add(ExprKind::Binary(BinOp::Sub, place, base), number);
            let size = exprs.add(ExprKind::Const(Value(u128::from(size))), number);
            let is_inside = exprs.add(ExprKind::Binary(BinOp::Le, offset, size), Scalar::Bool);
            let displacement = exprs.add(ExprKind::Var(displacement), number);
            by = exprs.add(ExprKind::Ite(is_inside, displacement, by), number);
        }
        let ty = program.exprs.ty(address);
        let moved = if ty == Scalar::Ptr {
            program.exprs.add(ExprKind::PtrAdd(address, by), ty)
        } else {
            let by = cast(program, by, ty);
            program.exprs.add(ExprKind::Binary(BinOp::Add, address, by), ty)
        };
        let mut known = FxHashMap::from_iter([(address, moved)]);
        let moved = program.exprs.rewrite(value, &mut known, |_, _| None);
        if !is_address {
            return Some(moved);
        }
        let ty = program.exprs.ty(value);
        let by = cast(program, by, ty);
        Some(program.exprs.add(ExprKind::Binary(BinOp::Sub, moved, by), ty))
    }

    /// The address, the displacement and the size of a variable.
    fn displaced(
        &mut self,
        program: &mut Program,
        var: VarId,
        modulus: Option<u64>,
    ) -> Option<(ExprId, VarId, u64)> {
        let Storage::Memory { size, align } = program.vars[var].storage else { return None };
        let known = self.vars.entry(var).or_insert_with(|| {
            let is_local = !program.vars[var].is_global();
            let base = is_local.then(|| register(program, "place", var, Scalar::Ptr));
            let displacement = register(program, "displacement", var, number(program));
            Displaced { base, displacement, align: u64::from(align.max(1)), modulus }
        });
        known.modulus = known.modulus.zip(modulus).map(|(a, b)| a.max(b));
        let Displaced { base, displacement, .. } = *known;
        let base = program.exprs.add(base.map_or(ExprKind::AddrOf(var), ExprKind::Var), Scalar::Ptr);
        Some((base, displacement, size))
    }

    /// Objects lie anywhere from where they begin to live.
    pub(crate) fn apply(&self, program: &mut Program) {
        let declares = |id: &EdgeId| match program.edges[*id].op {
            Op::Declare { var } => self.vars.get(&var).map(|displaced| (*id, var, *displaced)),
            _ => None,
        };
        let live = program.locs.iter().flat_map(|loc| &loc.out);
        for (edge, var, displaced) in live.filter_map(declares).collect::<Vec<_>>() {
            let (end, span) = (program.edges[edge].dst, program.edges[edge].span);
            let mut at = program.add_loc(program.locs[end].func);
            redirect(program, edge, at);
            if let Some(dst) = displaced.base {
                let src = program.exprs.add(ExprKind::AddrOf(var), Scalar::Ptr);
                at = step(program, at, Op::Assign { dst, src }, span);
            }
            at = displaced.choose(program, at, span);
            program.add_edge(at, end, Op::Skip, span);
        }
        let start = program.start;
        let Some(body) = program.functions[start].body else { return };
        let (mut at, next) = (body.entry, program.split(body.entry));
        let span = program.functions[start].span;
        for displaced in self.vars.values().filter(|displaced| displaced.base.is_none()) {
            at = displaced.choose(program, at, span);
        }
        program.add_edge(at, next, Op::Skip, span);
    }
}

impl Displaced {
    /// Any multiple of the alignment. If there are few, they are taken one by one: then what depends on them are constants.
    fn choose(&self, program: &mut Program, at: LocId, span: Span) -> LocId {
        let (dst, number) = (self.displacement, number(program));
        let at = step(program, at, Op::Havoc { dst, source: HavocSource::Environment }, span);
        let any = program.exprs.add(ExprKind::Var(dst), number);
        let constant = |program: &mut Program, value: u64| program.exprs.add(ExprKind::Const(Value(value.into())), number);
        let count = self.modulus.map(|modulus| modulus.div_ceil(self.align)).filter(|count| *count <= MOST_PLACES);
        let Some(count) = count else {
            let align = constant(program, self.align);
            let src = program.exprs.add(ExprKind::Binary(BinOp::Mul, any, align), number);
            return step(program, at, Op::Assign { dst, src }, span);
        };
        let end = program.add_loc(program.locs[at].func);
        let mut at = at;
        for place in 0..count {
            let (bound, src) = (constant(program, place), constant(program, place * self.align));
            let mut here = at;
            if place + 1 < count {
                let cond = program.exprs.add(ExprKind::Binary(BinOp::Eq, any, bound), Scalar::Bool);
                here = step(program, at, Op::Assume { cond, truth: true }, span);
                at = step(program, at, Op::Assume { cond, truth: false }, span);
            }
            program.add_edge(here, end, Op::Assign { dst, src }, span);
        }
        end
    }
}

/// Where an operation at a location leads.
fn step(program: &mut Program, at: LocId, op: Op, span: Span) -> LocId {
    let next = program.add_loc(program.locs[at].func);
    program.add_edge(at, next, op, span);
    next
}

/// A global register that says something of a variable.
fn register(program: &mut Program, what: &str, of: VarId, ty: Scalar) -> VarId {
    let Var { name, ctype, span, .. } = &program.vars[of];
    let (name, storage, init) = (format!("{what} of {name}").into(), Storage::Register(ty), Some(Box::default()));
    program.vars.push(Var { name, func: None, storage, kind: VarKind::Temp, ctype: *ctype, init, span: *span })
}

/// An unsigned integer as wide as pointers.
fn number(program: &Program) -> Scalar {
    Scalar::Int { bits: program.pointer_bits() as u16, signed: false }
}

fn cast(program: &mut Program, e: ExprId, ty: Scalar) -> ExprId {
    if program.exprs.ty(e) == ty { e } else { program.exprs.add(ExprKind::Cast(e), ty) }
}

/// Whether it does not matter where it lies: functions are not asked, and what is outside may lie anywhere as it is.
fn is_elsewhere(object: Object) -> bool {
    matches!(object, Object::Function(_) | Object::External)
}

/// The variable that the object is, if no two instances of it live at the same time.
fn single(program: &Program, calls: &CallGraph, object: Object) -> Option<VarId> {
    let Object::Var(var) = object else { return None };
    match program.vars[var].func {
        Some(func) => (!calls.is_recursive(func)).then_some(var),
        None => Some(var),
    }
}
