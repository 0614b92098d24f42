//! What scalars in variables hold, for those who say something about states.

use crate::encoder::Encoder;
use crate::state::State;
use cfa::Scalar;
use smt::TermId;

impl Encoder<'_> {
    /// A scalar in the object that begins at a constant address; `None` if no object that exists does, or the scalar is not in it.
    pub fn scalar_at(&mut self, state: &mut State, base: TermId, offset: u64, ty: Scalar) -> Option<TermId> {
        let width = self.program.pointer_bits();
        let address = u64::try_from(self.terms.as_bv_const(base)?).ok()?;
        let id = self.objects.owner(state.layout, address)?;
        let (object, bytes) = (self.objects.get(id), ty.access_bytes(width));
        let is_inside = offset.checked_add(u64::from(bytes)).is_some_and(|end| end <= object.room);
        if object.base != address || !is_inside || !self.exists(state, id) {
            return None;
        }
        let at = self.terms.bv(width, u128::from(offset));
        Some(self.read(state, id, at, bytes, ty))
    }
}
