//! What an encoder knows of the iterations of accelerated paths ([`cfa::Repeat`]).

use crate::guard::GuardId;
use crate::memory::object::ObjId;
use crate::state::{FrameSlots, State};
use cfa::{EdgeId, ExprId, Op, Program, VarId};
use rustc_hash::FxHashMap;
use smt::TermId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state before the first iteration.
pub(crate) struct Scene {
    pub(crate) state: State,
    pub(crate) frame: FrameSlots,
    pub(crate) edge: EdgeId,
    pub(crate) index: VarId,
    /// What the environment chooses in each iteration: arrays by the number of the iteration.
    pub(crate) inputs: Vec<(VarId, TermId)>,
}

/// Where the accesses of all iterations lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    pub(crate) object: ObjId,
    /// Offset in the first iteration.
    pub(crate) first: TermId,
    pub(crate) stride: i64,
    pub(crate) bytes: u32,
}

/// A range of an array that iterations wrote.
pub(crate) struct Layer {
    /// The array before.
    pub(crate) below: TermId,
    pub(crate) track: Track,
    pub(crate) count: TermId,
    pub(crate) scene: Rc<Scene>,
    pub(crate) value: ExprId,
}

/// What must hold in each iteration.
pub(crate) struct Universal {
    pub(crate) guard: GuardId,
    pub(crate) count: TermId,
    pub(crate) scene: Rc<Scene>,
    pub(crate) require: Vec<(ExprId, bool)>,
    pub(crate) reads: Vec<Track>,
}

/// Iterations of accelerated paths in one exploration.
pub(crate) struct Repeats {
    /// Whether the program has any.
    pub(crate) active: bool,
    /// By the variable that stands for the array with the layer.
    pub(crate) layers: FxHashMap<TermId, Rc<Layer>>,
    /// Arrays with a layer somewhere below, or without.
    pub(crate) layered: FxHashMap<TermId, bool>,
    pub(crate) read: FxHashMap<(TermId, TermId), TermId>,
    pub(crate) universals: Vec<Rc<Universal>>,
    /// Offsets of accesses.
    pub(crate) touched: BTreeMap<ObjId, Vec<TermId>>,
}

impl Repeats {
    /// Nothing was executed yet.
    pub fn new(program: &Program) -> Self {
        let active = program.edges.iter().any(|edge| matches!(edge.op, Op::Repeat(_)));
        Self {
            active,
            layers: FxHashMap::default(),
            layered: FxHashMap::default(),
            read: FxHashMap::default(),
            universals: Vec::new(),
            touched: BTreeMap::new(),
        }
    }
}
