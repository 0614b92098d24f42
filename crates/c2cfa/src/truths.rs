//! Truth values in memory that holds anything: objects of type `_Bool` hold 0 or 1.

use crate::context::Lowerer;
use crate::entry::Part;
use base::Span;
use cfa::{BinOp, ExprId, Scalar};
use cfront::types::TypeId;

impl Lowerer<'_> {
    /// Runs in which memory of a C type, which holds anything, has other bits where truth values lie are none of a machine.
    pub fn trust_truths(&mut self, addr: ExprId, ty: TypeId, span: Span) {
        let mut parts = Vec::new();
        self.parts(ty, 0, "", &mut parts);
        let byte = Scalar::Int { bits: 8, signed: false };
        let mut are_truths = self.constant(1, Scalar::Bool);
        for (offset, _, part) in parts {
            if let Part::Truth = part {
                let at = self.ptr_offset(addr, i128::from(offset));
                let value = self.load(at, byte);
                let is_truth = self.with_constant(BinOp::Le, value, 1);
                are_truths = self.binary(BinOp::And, are_truths, is_truth);
            }
        }
        if self.as_int(are_truths).is_none() {
            self.require(are_truths, span);
        }
    }
}
