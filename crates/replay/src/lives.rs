//! Where objects of a run came to life and ended, for what is told of accesses.

use base::Place;
use cfa::{EdgeId, Program};
use interp::{Effect, Interpreter, ObjectInfo, ObjectKind, Observe, Step};
use rustc_hash::FxHashMap;

/// Most objects whose lives are noted.
const MAX_OBJECTS: usize = 1 << 17;

/// Notes the lives of the objects of a run that are no variables.
pub struct Lives<'p> {
    program: &'p Program,
    /// The calls that the run is in, from the outermost.
    calls: Vec<EdgeId>,
    /// Where an object was allocated and where it was freed, in the user's code.
    objects: FxHashMap<ObjectKind, (EdgeId, Option<EdgeId>)>,
    /// Callers of what made the last step.
    depth: usize,
}

impl<'p> Lives<'p> {
    /// Nothing has happened.
    pub fn new(program: &'p Program) -> Self {
        Self { program, calls: Vec::new(), objects: FxHashMap::default(), depth: 0 }
    }

    /// In words: `allocated at line 3`, `freed at line 7 (allocated at line 3)`, `declared at line 2`.
    pub fn words(&self, object: ObjectInfo) -> Option<String> {
        if let Some(var) = object.kind.var() {
            let var = &self.program.vars[var];
            let place = self.program.source.place(var.span.lo).filter(|_| var.span != base::Span::NONE)?;
            return Some(format!("declared at {}", self.at(&place))).filter(|_| !var.is_read_only());
        }
        let (allocated, freed) = self.objects.get(&object.kind)?;
        let at = |edge: EdgeId| self.place(edge).map(|place| self.at(&place));
        let allocated = format!("allocated at {}", at(*allocated)?);
        Some(match freed.and_then(at) {
            Some(freed) => format!("freed at {freed} ({allocated})"),
            None => allocated,
        })
    }

    /// Where the run is, in the user's text, when it takes this edge behind the last step.
    pub fn now(&self, edge: EdgeId) -> Option<Place> {
        self.place(self.of_user(edge, self.depth))
    }

    fn at(&self, place: &Place) -> String {
        let file = place.file.rsplit('/').next().unwrap_or(&place.file);
        if place.file == *self.program.source.main_file() {
            format!("line {}", place.line)
        } else {
            format!("{file}:{}", place.line)
        }
    }

    /// The place of an edge in the user's text.
    fn place(&self, edge: EdgeId) -> Option<Place> {
        let span = self.program.edges[edge].span;
        self.program.source.place(span.lo).filter(|place| span != base::Span::NONE && !place.file.starts_with('<'))
    }

    /// The innermost of the edge and the calls that the run is in which is in the user's text.
    fn of_user(&self, edge: EdgeId, depth: usize) -> EdgeId {
        let calls = self.calls.iter().take(depth).rev().copied();
        std::iter::once(edge).chain(calls).find(|edge| self.place(*edge).is_some()).unwrap_or(edge)
    }
}

impl Observe for Lives<'_> {
    fn step(&mut self, step: &Step<'_>, state: &Interpreter<'_>) {
        let Step { edge, depth, effect } = *step;
        self.depth = depth + usize::from(matches!(effect, Effect::Call { .. }));
        match effect {
            Effect::Call { .. } => {
                self.calls.truncate(depth);
                self.calls.push(edge);
            }
            Effect::Allocate { object, .. } if object.kind.var().is_none() && self.objects.len() < MAX_OBJECTS => {
                let at = self.of_user(edge, depth);
                self.objects.insert(object.kind, (at, None));
            }
            Effect::Free { address } => {
                let at = self.of_user(edge, depth);
                let ended = state.memory().dead_object_at(address).filter(|object| object.base == address);
                if let Some((_, freed)) = ended.and_then(|object| self.objects.get_mut(&object.kind)) {
                    *freed = Some(at);
                }
            }
            _ => {}
        }
    }
}
