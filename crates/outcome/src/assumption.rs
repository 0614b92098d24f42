//! Assumptions: what an answer rests on beyond the semantics of C, listed in every report.

use base::Place;

/// Kinds of assumptions, in the order of reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssumptionKind {
    /// A function without a body returns any value and changes nothing else.
    ExternalFunction,
    /// Inline assembler without outputs has no effect; with outputs it changes only these.
    Assembler,
    /// Paths that end in undefined behaviour were not followed.
    UndefinedBehaviour,
    /// Memory that external code hands out is disjoint from the program's objects.
    ExternalMemory,
    /// Anything else that the text explains.
    Other,
}

/// An assumption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Kind.
    pub kind: AssumptionKind,
    /// What is assumed, such as `printk has no body: it returns any value and changes nothing else`.
    pub text: String,
    /// Where it mattered, in source order; not all need to be listed.
    pub places: Vec<Place>,
}

/// Adds assumptions to others: the places of one that is known are added to it.
pub fn add(known: &mut Vec<Assumption>, more: &[Assumption]) {
    for assumption in more {
        match known.iter_mut().find(|known| (known.kind, &known.text) == (assumption.kind, &assumption.text)) {
            Some(known) => {
                known.places.extend(assumption.places.iter().cloned());
                known.places.sort();
                known.places.dedup();
            }
            None => known.push(assumption.clone()),
        }
    }
}
