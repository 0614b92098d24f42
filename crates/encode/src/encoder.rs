//! The encoder: what all states of one exploration share, and the join of states.

use crate::canon::Canon;
use crate::guard::{GuardId, Guards};
use crate::memory::contents::Contents;
use crate::memory::object::{LayoutId, ObjId, ObjectKind, Objects};
use crate::repeats::Repeats;
use crate::state::{FrameSlots, Slots, State};
use cfa::{EdgeId, ExprId, FloatFormat, FuncId, Program, Scalar, Undefined};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{FloatSort, Sort, TermId, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state's guard became false: no run goes on here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dead;

/// What was left open on a path, in the order of exploration, which is the order of execution on each path.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// Guard of the paths that met it.
    pub guard: GuardId,
    /// Edge that was executed.
    pub edge: EdgeId,
    /// What.
    pub what: Logged,
}

/// Kinds of [`LogEntry`].
#[derive(Clone, Debug)]
pub enum Logged {
    /// The register that the edge assigns got an arbitrary value.
    Value { var: TermId, ty: Scalar },
    /// What an edge reads in the iterations of an accelerated path: an array of values by the number of the iteration.
    Series { edge: EdgeId, values: TermId },
    /// The bytes that the edge sets are arbitrary: terms of ascending addresses.
    Bytes { chunks: Vec<TermId> },
    /// The edge sets all of an object to arbitrary bytes, if `when` holds: an array of elements of `elem` bytes.
    Whole { when: TermId, object: ObjId, elem: u32, var: TermId },
    /// The edge made an object.
    Object { object: ObjId },
    /// Bytes of an object's initial content that were read before they were written.
    Content { object: ObjId, offset: u64, var: TermId },
    /// Bytes that a read found outside of its object, if `when` holds: a load of the location that the edge leaves.
    Outside { when: TermId, var: TermId },
    /// The whole initial content of an object as an array of elements of `elem` bytes.
    ContentArray { object: ObjId, elem: u32, var: TermId },
}

/// A path that ended before the program did.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Condition.
    pub guard: GuardId,
    /// Where.
    pub edge: EdgeId,
    /// Why.
    pub kind: EndingKind,
}

/// What is said where a run may meet undefined behaviour at one of [`Program::must_be_defined`].
pub const MAY_BE_UNDEFINED: &str = "expression that may be undefined";

/// Kinds of [`Ending`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// Undefined behaviour.
    Undefined(Undefined),
    /// Something that the encoding does not model; what it is, in a few words.
    Unsupported(&'static str),
    /// A construct that lowering did not model.
    Construct(cfa::UnsupportedId),
}

/// A block may be larger than the room that it was given.
pub(crate) const VERY_LARGE: &str = "allocation of a very large object";

/// No room is left for a block.
pub(crate) const NO_ROOM: &str = "more memory than the address space has";

impl EndingKind {
    /// Whether it is this encoding that ends runs so, because of how much room earlier objects left, rather than the program.
    pub fn is_for_want_of_room(self) -> bool {
        matches!(self, Self::Unsupported(what) if what == VERY_LARGE || what == NO_ROOM)
    }

    /// Whether runs that end this way are left out, with a note ([`Undefined::is_excluded`]).
    pub fn is_excluded(self) -> bool {
        matches!(self, Self::Undefined(what) if what.is_excluded())
    }
}

/// Shared context of an exploration.
pub struct Encoder<'p> {
    /// The program.
    pub program: &'p Program,
    /// Terms.
    pub terms: Terms,
    /// Guards.
    pub guards: Guards,
    /// Slots of variables.
    pub slots: Slots,
    /// Memory objects.
    pub objects: Objects,
    /// What was left open.
    pub log: Vec<LogEntry>,
    /// Paths that ended.
    pub endings: Vec<Ending>,
    /// Edges whose operation some run got past without undefined behaviour, as far as simplification tells.
    pub passed: FxHashSet<EdgeId>,
    /// Edges that end all runs of some state.
    pub dead: FxHashSet<EdgeId>,
    /// What holds when no object is very large, which runs that are replayed should keep to.
    pub small: Vec<TermId>,
    /// Initial content of external memory.
    pub external: TermId,
    /// The edge that is being executed.
    pub edge: EdgeId,
    /// Whether a pointer whose origin is not known, the value of an expression, may point into an object.
    pub may_point_to: MayPointTo<'p>,
    /// Canonical names, if states are generic.
    pub canon: Option<Box<Canon>>,
    /// Terms that are built on the address of an object of a layout, or are not.
    pub(crate) pointers: FxHashMap<(LayoutId, TermId), bool>,
    /// Iterations of accelerated paths.
    pub(crate) repeats: Repeats,
    /// Whether the program asks when objects end.
    pub(crate) asks_for_life: bool,
    /// Objects that end with a frame, by its first slot; only where the program asks.
    pub(crate) owned: FxHashMap<u32, Vec<ObjId>>,
    /// Functions of frames by their first slots.
    pub(crate) frames: BTreeMap<u32, FuncId>,
    /// Initial contents of globals that were asked for.
    pub(crate) initial: FxHashMap<ObjId, Rc<Contents>>,
}

/// See [`Encoder::may_point_to`].
pub type MayPointTo<'p> = Box<dyn Fn(ExprId, ObjectKind) -> bool + 'p>;

/// The float sort of a format.
pub fn float_sort(format: FloatFormat) -> FloatSort {
    match format {
        FloatFormat::F16 => FloatSort::F16,
        FloatFormat::F32 => FloatSort::F32,
        FloatFormat::F64 => FloatSort::F64,
        FloatFormat::F80 => FloatSort::X87,
        FloatFormat::F128 => FloatSort::F128,
    }
}

/// The format of a float sort; `None` for other sorts.
pub fn float_format(sort: Sort) -> Option<FloatFormat> {
    let formats = [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];
    formats.into_iter().find(|format| Sort::Float(float_sort(*format)) == sort)
}

impl<'p> Encoder<'p> {
    /// A context without states. Fails when the globals don't fit into the address space.
    pub fn new(program: &'p Program, may_point_to: MayPointTo<'p>) -> Result<Self, &'static str> {
        let mut terms = Terms::new();
        let guards = Guards::new(&terms);
        let external = terms.fresh_var("external", Sort::bv_array(program.pointer_bits(), 8));
        Ok(Self {
            program,
            guards,
            slots: Slots::new(program),
            objects: Objects::new(program)?,
            log: Vec::new(),
            endings: Vec::new(),
            small: Vec::new(),
            external,
            edge: base::Id::from_index(0),
            may_point_to,
            canon: None,
            pointers: FxHashMap::default(),
            repeats: Repeats::new(program),
            asks_for_life: program.exprs.asks_for_life(),
            owned: FxHashMap::default(),
            frames: BTreeMap::new(),
            initial: FxHashMap::default(),
            passed: FxHashSet::default(),
            dead: FxHashSet::default(),
            terms,
        })
    }

    /// The state before the first edge: globals have their initial values.
    pub fn initial_state(&mut self) -> State {
        let mut state = State {
            guard: self.guards.root(),
            slots: Default::default(),
            memory: Default::default(),
            external: self.external,
            layout: LayoutId::FIRST,
        };
        self.init_globals(&mut state);
        state
    }

    /// Sort of terms of a scalar type.
    pub fn sort(&self, ty: Scalar) -> Sort {
        match ty {
            Scalar::Bool => Sort::Bool,
            Scalar::Float(format) => Sort::Float(float_sort(format)),
            Scalar::Int { .. } | Scalar::Ptr => Sort::BitVec(ty.bits(self.program.pointer_bits())),
        }
    }

    /// Restricts the state to runs on which `condition` holds.
    pub fn assume(&mut self, state: &mut State, condition: TermId) -> Result<(), Dead> {
        state.guard = self.guards.and(&mut self.terms, state.guard, condition).ok_or(Dead)?;
        Ok(())
    }

    /// Goes on only where `valid` holds; the rest ends for the reason `kind`, and a note is kept.
    pub fn require(&mut self, state: &mut State, valid: TermId, kind: EndingKind) -> Result<(), Dead> {
        if self.terms.is_true(valid) {
            return Ok(());
        }
        let must_be_defined = kind.is_excluded() && self.program.must_be_defined.contains(&self.edge);
        let kind = if must_be_defined { EndingKind::Unsupported(MAY_BE_UNDEFINED) } else { kind };
        let invalid = self.terms.not(valid);
        if let Some(guard) = self.guards.and(&mut self.terms, state.guard, invalid) {
            self.endings.push(Ending { guard, edge: self.edge, kind });
        }
        self.assume(state, valid)
    }

    /// A fresh variable that is the arbitrary value of the register assigned by the current edge.
    pub fn arbitrary(&mut self, state: &State, name: &str, ty: Scalar) -> TermId {
        let sort = self.sort(ty);
        let var = self.terms.fresh_var(name, sort);
        self.log.push(LogEntry { guard: state.guard, edge: self.edge, what: Logged::Value { var, ty } });
        var
    }

    /// Joins two states of one layout at one location; their guards exclude each other.
    pub fn join(&mut self, a: State, b: State) -> State {
        let join = self.guards.join(&mut self.terms, a.guard, b.guard);
        let first = join.first;
        let mut slots = a.slots.clone();
        let mut changes = Vec::new();
        a.slots.for_each_difference(&b.slots, |slot, x, y| {
            // A register that has no value on one side is not read before it is assigned.
            changes.push((slot, x.copied().or(y.copied()), y.copied().or(x.copied())));
        });
        for (slot, x, y) in changes {
            if let (Some(x), Some(y)) = (x, y) {
                slots.insert(slot, self.terms.ite(first, x, y));
            }
        }
        let external =
            if a.external == b.external { a.external } else { self.terms.ite(first, a.external, b.external) };
        let mut joined = State { guard: join.guard, slots, memory: a.memory.clone(), external, layout: a.layout };
        let mut objects = Vec::new();
        a.memory.for_each_difference(&b.memory, |object, _, _| objects.push(object));
        for object in objects {
            self.join_object(&mut joined, first, &a, &b, base::Id::from_index(object as usize));
        }
        joined
    }

    /// Forgets the frame of a call that has returned.
    pub fn drop_frame(&mut self, state: &mut State, frame: FrameSlots, size: u32) {
        state.slots.remove_range(frame.0, frame.0 + size - 1);
    }
}
