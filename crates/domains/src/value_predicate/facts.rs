//! Known values as formulas over the canonical variables of the predicate domain.
//!
//! Numbers in registers and in memory become equations. What has no canonical variable, no block reads, and pointers are part of
//! shapes already ([`crate::predicate::shape`]).

use super::ValuePredicateCpa;
use crate::predicate::PredicateCpa;
use crate::predicate::bdd::BddId;
use crate::predicate::block::Block;
use crate::predicate::predicates::PredId;
use crate::predicate::shape::ShapeId;
use crate::value::assignment::AssignmentId;
use crate::value::cells::{CellId, ObjId, ObjectName, Place as CellPlace};
use crate::value::number::{Known, Val};
use base::Id;
use cfa::VarId;
use encode::canon::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, TermId, vars_of};
use std::rc::Rc;
use step::StackId;

/// A canonical variable and its value.
pub type Fact = (TermId, TermId);

impl ValuePredicateCpa<'_, '_> {
    /// The stack of the predicate domain that is a stack of the value domain.
    pub fn stack(&mut self, stack: StackId) -> StackId {
        let mut missing = Vec::new();
        let mut at = stack;
        let mut mapped = loop {
            if let Some(known) = self.stacks.get(&at) {
                break *known;
            }
            let frame = self.values.value.stacks.frame(at);
            let Some((below, call)) = frame.caller else { break self.predicates.generics.stacks.root() };
            missing.push((at, call, frame.func));
            at = below;
        };
        for (at, call, func) in missing.into_iter().rev() {
            mapped = self.predicates.generics.push(&self.predicates.enc, mapped, call, func);
            self.stacks.insert(at, mapped);
        }
        mapped
    }

    /// What is known of canonical variables. Objects that allocations made count where `shape` is known: registers that hold their addresses
    /// in both parts tell which they are.
    pub fn facts(&mut self, values: AssignmentId, shape: Option<ShapeId>) -> Vec<Fact> {
        let entries: Vec<_> = self.values.store.entries(values).collect();
        let made = shape.map(|shape| self.made(&entries, shape)).unwrap_or_default();
        let mut facts = Vec::with_capacity(entries.len());
        for (cell, val) in entries {
            let Known::Num(number) = self.values.value.values.get(val) else { continue };
            let (place, sort) = match self.values.value.cells.cells[cell].place {
                CellPlace::Register(owner, var) => {
                    let slot = self.slot(owner, var);
                    let enc = &self.predicates.enc;
                    let Some(ty) = enc.program.vars[var].register() else { continue };
                    (Place::Slot(slot), enc.sort(ty))
                }
                CellPlace::Memory { obj, offset, bytes } => {
                    let object = match self.values.value.cells.objects[obj].name {
                        ObjectName::Global(var) => self.predicates.enc.objects.global(var),
                        ObjectName::Local(owner, var) => {
                            let stack = self.stack(owner).index() as u32;
                            self.predicates.enc.canon.as_ref().and_then(|canon| canon.local(stack, var))
                        }
                        ObjectName::Heap(..) | ObjectName::Stack(..) => made.get(&obj).copied(),
                        ObjectName::Outer(..) => None,
                    };
                    let (Some(object), Ok(offset)) = (object, u64::try_from(offset)) else { continue };
                    (Place::Cell { object, offset, bytes }, Sort::BitVec(8 * bytes))
                }
            };
            let enc = &mut self.predicates.enc;
            let Some(var) = enc.canon.as_ref().and_then(|canon| canon.variable(place, sort)) else { continue };
            let value = match sort {
                Sort::Bool => enc.terms.bool_const(number != 0),
                Sort::BitVec(width) => enc.terms.bv(width, number),
                _ => continue,
            };
            facts.push((var, value));
        }
        facts
    }

    /// The slot of a register of the value part.
    fn slot(&mut self, owner: Option<StackId>, var: VarId) -> u32 {
        let stack = owner.map_or(self.predicates.generics.stacks.root(), |owner| self.stack(owner));
        let enc = &self.predicates.enc;
        enc.slots.slot(enc.program, self.predicates.generics.frame(stack), var)
    }

    /// Objects of the value part whose addresses registers hold, and what they are in a shape.
    fn made(&mut self, entries: &[(CellId, Val)], shape: ShapeId) -> FxHashMap<ObjId, encode::ObjId> {
        let mut made = FxHashMap::default();
        for (cell, val) in entries {
            let place = self.values.value.cells.cells[*cell].place;
            let (CellPlace::Register(owner, var), Known::Ptr(obj, offset)) =
                (place, self.values.value.values.get(*val))
            else {
                continue;
            };
            let slot = self.slot(owner, var);
            let PredicateCpa { enc, generics, .. } = &self.predicates;
            let address = generics.shapes.get(shape).pointers.iter().find(|(at, _)| *at == slot);
            let address = address.and_then(|(_, address)| u64::try_from(enc.terms.as_bv_const(*address)?).ok());
            let object =
                address.and_then(|address| Some((address, enc.objects.owner(encode::LayoutId::FIRST, address)?)));
            if let Some((address, object)) = object
                && enc.objects.get(object).base.wrapping_add_signed(offset) == address
            {
                made.insert(obj, object);
            }
        }
        made
    }

    /// The facts about places that hold something at an end of a block.
    pub fn facts_at_end(&mut self, block: &Block, end: usize, values: AssignmentId) -> Vec<Fact> {
        let mut facts = self.facts(values, None);
        facts.retain(|(var, _)| self.known_output(block, end, *var).is_some());
        facts
    }

    /// What facts at the start and at an end of a block say of the runs between; none if there are no such runs.
    ///
    /// Facts that neither the block nor the predicates mention are left out, so that different values make the same question.
    pub(super) fn restriction(
        &mut self,
        block: &Block,
        end: usize,
        before: BddId,
        preds: &[PredId],
        (at_start, at_end): (&[Fact], &[Fact]),
    ) -> Option<TermId> {
        let cpa = &mut self.predicates;
        let mut mentioned = vec![block.ends[end].guard];
        for pred in preds {
            mentioned.push(cpa.post(block, end, *pred));
        }
        let predicates = &cpa.predicates;
        mentioned.push(cpa.bdds.formula(&mut cpa.enc.terms, before, &|pred| predicates.formula(pred)));
        let mut conjuncts = Vec::new();
        for fact in at_end {
            if at_start.contains(fact) && self.keeps(block, end, fact.0) {
                continue;
            }
            let Some(output) = self.known_output(block, end, fact.0) else { continue };
            let terms = &mut self.predicates.enc.terms;
            let equation = terms.eq(output, fact.1);
            if terms.is_false(equation) {
                return None;
            }
            if !terms.is_true(equation) {
                conjuncts.push(equation);
                mentioned.push(equation);
            }
        }
        let vars: Vec<Rc<FxHashSet<TermId>>> = mentioned.into_iter().map(|root| self.vars(root)).collect();
        for (var, value) in at_start {
            if vars.iter().any(|vars| vars.contains(var)) {
                conjuncts.push(self.predicates.enc.terms.eq(*var, *value));
            }
        }
        Some(self.predicates.enc.terms.and_all(&conjuncts))
    }

    /// Whether a block leaves a variable as it was.
    fn keeps(&mut self, block: &Block, end: usize, var: TermId) -> bool {
        self.known_output(block, end, var) == Some(var)
    }

    /// What a variable holds at an end of a block, if it holds anything there.
    fn known_output(&mut self, block: &Block, end: usize, var: TermId) -> Option<TermId> {
        let cpa = &mut self.predicates;
        let state = block.ends[end].state.as_ref()?;
        match cpa.enc.canon.as_ref()?.place(var)? {
            Place::Slot(slot) => state.slots.get(slot).copied(),
            Place::Cell { object, .. } => {
                let exists = cpa.enc.global_of(cpa.enc.objects.get(object).kind)
                    || cpa.generics.shapes.get(block.ends[end].shape).has(object);
                exists.then(|| cpa.output(block, end, var))
            }
            _ => None,
        }
    }

    /// The variables of a term.
    fn vars(&mut self, root: TermId) -> Rc<FxHashSet<TermId>> {
        let terms = &self.predicates.enc.terms;
        self.mentioned.entry(root).or_insert_with(|| Rc::new(vars_of(terms, &[root]).into_iter().collect())).clone()
    }
}
