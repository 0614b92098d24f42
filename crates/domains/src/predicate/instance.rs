//! Predicates of one instance of a function, used for the others.
//!
//! Canonical variables carry the call stack, so a predicate that was found in one call says nothing about another call of the same
//! function. Its *instance* for a stack speaks of that stack's top frame instead of the frame in which it was found, and of
//! callers at the same distance if they run the same function.

use super::generic::Generics;
use super::predicates::{PredId, Predicates};
use encode::Encoder;
use encode::canon::{ObjectName, Place};
use rustc_hash::FxHashMap;
use smt::{Substitution, TermId};
use step::StackId;

/// Instances that were asked for.
#[derive(Default)]
pub struct Instances {
    known: FxHashMap<(PredId, StackId), Option<PredId>>,
}

impl Instances {
    /// The instance of a predicate for a stack; none if it is the predicate itself, or if there is none.
    pub fn get(
        &mut self,
        enc: &mut Encoder<'_>,
        generics: &Generics<'_>,
        predicates: &mut Predicates,
        pred: PredId,
        stack: StackId,
    ) -> Option<PredId> {
        if let Some(known) = self.known.get(&(pred, stack)) {
            return *known;
        }
        let instance = make(enc, generics, predicates, pred, stack).filter(|instance| *instance != pred);
        self.known.insert((pred, stack), instance);
        instance
    }
}

/// The frame of which a place is a part; none for what all frames share.
fn owner(enc: &Encoder<'_>, generics: &Generics<'_>, place: Place) -> Option<StackId> {
    match place {
        Place::Slot(slot) => generics.owner(slot),
        Place::Cell { object, .. } | Place::Array(object) | Place::Dead(object) | Place::Size(object) => {
            match enc.canon.as_ref()?.name(object)? {
                ObjectName::Local(stack, _) | ObjectName::Stack(stack, ..) => {
                    Some(base::Id::from_index(stack as usize))
                }
                ObjectName::Heap(..) => None,
            }
        }
        Place::External => None,
    }
}

fn make(
    enc: &mut Encoder<'_>,
    generics: &Generics<'_>,
    predicates: &mut Predicates,
    pred: PredId,
    stack: StackId,
) -> Option<PredId> {
    let mut places = Vec::new();
    for var in predicates.vars(pred) {
        let place = enc.canon.as_ref()?.place(*var)?;
        places.push((*var, place, owner(enc, generics, place)));
    }
    let stacks = &generics.stacks;
    // The frame in which it was found, as far as its variables tell.
    let found = places.iter().filter_map(|(.., owner)| *owner).max_by_key(|owner| stacks.frame(*owner).depth)?;
    if found == stack {
        return None;
    }
    let mut map: Vec<(TermId, TermId)> = Vec::new();
    for (var, place, owner) in places {
        let Some(owner) = owner else { continue };
        let to = counterpart(generics, (found, stack), owner)?;
        if to == owner {
            continue;
        }
        let moved = match place {
            Place::Slot(slot) => {
                let offset = slot - generics.frame(owner).0;
                if offset >= enc.slots.frame_size(generics.stacks.frame(owner).func) {
                    // What a procedure's entry values are belongs to its detached stack.
                    return None;
                }
                Place::Slot(offset + generics.frame(to).0)
            }
            Place::Cell { object, offset, bytes } => Place::Cell { object: local(enc, object, to)?, offset, bytes },
            Place::Array(object) => Place::Array(local(enc, object, to)?),
            Place::Dead(object) => Place::Dead(local(enc, object, to)?),
            Place::Size(object) => Place::Size(local(enc, object, to)?),
            Place::External => continue,
        };
        let sort = enc.terms.sort(var);
        let variable = match (moved, enc.canon.as_ref()?.variable(moved, sort)) {
            (_, Some(variable)) => variable,
            (Place::Slot(_), None) => enc.canonical(moved, sort),
            // Memory that no block has touched has no name yet.
            _ => return None,
        };
        map.push((var, variable));
    }
    let formula = Substitution::new(map).apply(&mut enc.terms, predicates.formula(pred));
    predicates.intern(&mut enc.terms, formula)
}

/// The frame that is to `stack` what `owner` is to `found`.
fn counterpart(generics: &Generics<'_>, (found, stack): (StackId, StackId), owner: StackId) -> Option<StackId> {
    let stacks = &generics.stacks;
    let (mut a, mut b) = (found, stack);
    loop {
        let (from, to) = (stacks.frame(a), stacks.frame(b));
        if a == owner {
            return (from.func == to.func).then_some(b);
        }
        (a, b) = (from.caller?.0, to.caller?.0);
    }
}

/// The same local variable in another frame.
fn local(enc: &Encoder<'_>, object: encode::ObjId, to: StackId) -> Option<encode::ObjId> {
    let canon = enc.canon.as_ref()?;
    match canon.name(object)? {
        ObjectName::Local(_, var) => canon.local(base::Id::index(to) as u32, var),
        ObjectName::Stack(..) | ObjectName::Heap(..) => None,
    }
}
