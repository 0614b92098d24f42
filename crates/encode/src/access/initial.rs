//! What global variables hold in the beginning.

use crate::encoder::Encoder;
use crate::memory::contents::{Bytes, Cell, Contents};
use crate::memory::object::{ObjId, ObjectKind};
use crate::state::State;
use cfa::{InitValue, Scalar};
use smt::TermId;
use std::rc::Rc;

impl Encoder<'_> {
    /// Gives the global registers their initial values.
    pub(crate) fn init_globals(&mut self, state: &mut State) {
        let program = self.program;
        for (id, var) in program.vars.iter_enumerated() {
            if let (true, Some(ty)) = (var.is_global(), var.register()) {
                let init = var.init.as_ref().and_then(|init| init.cells.first());
                let value = match init {
                    Some((_, _, value)) => self.init_value(ty, *value),
                    None => self.zero(ty),
                };
                let slot = self.slots.slot(program, crate::FrameSlots(0), id);
                state.slots.insert(slot, value);
            }
        }
    }

    /// The term of an initial value.
    pub fn init_value(&mut self, ty: Scalar, value: InitValue) -> TermId {
        if let InitValue::Scalar(value) = value {
            return self.constant(ty, value);
        }
        let bits = self.init_bits(value);
        self.terms.bv(ty.bits(self.program.pointer_bits()), bits)
    }

    /// The bits of an initial value.
    pub fn init_bits(&self, value: InitValue) -> u128 {
        match value {
            InitValue::Scalar(value) => value.0,
            InitValue::Function(func) => u128::from(cfa::layout::function_address(func)),
            InitValue::Address(var, delta) => {
                let base = self.objects.global(var).map_or(0, |o| self.objects.get(o).base);
                u128::from(base.wrapping_add_signed(delta))
            }
        }
    }

    /// The content of an object that no state has written.
    pub(crate) fn initial_contents(&mut self, object: ObjId) -> Rc<Contents> {
        if let Some(known) = self.initial.get(&object) {
            return known.clone();
        }
        let rest = self.objects.get(object).rest;
        let mut contents = Contents { bytes: Bytes::Cells(Default::default()), rest, dead: self.terms.fals() };
        if let ObjectKind::Global(var) = self.objects.get(object).kind
            && let Some(init) = &self.program.vars[var].init
        {
            for (offset, bytes) in &init.bytes {
                for (k, byte) in bytes.iter().enumerate().filter(|(_, b)| **b != 0) {
                    let value = self.terms.bv(8, u128::from(*byte));
                    self.write_cell(&mut contents, offset + k as u64, Cell { bytes: 1, value });
                }
            }
            for (offset, ty, value) in &init.cells {
                let value = self.init_value(*ty, *value);
                let bytes = ty.access_bytes(self.program.pointer_bits());
                self.write_cell(&mut contents, *offset, Cell { bytes, value });
            }
        }
        let contents = Rc::new(contents);
        self.initial.insert(object, contents.clone());
        contents
    }
}
