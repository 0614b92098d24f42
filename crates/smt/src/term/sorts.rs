//! Sorts of operations by those of their operands.

use super::{BinOp, TermId, Terms, UnOp};
use crate::sort::{ElemSort, MAX_WIDTH, Sort};

impl Terms {
    #[track_caller]
    pub(super) fn un_sort(&self, op: UnOp, a: TermId) -> Sort {
        let sort = self.sort(a);
        match op {
            UnOp::Not => {
                assert_eq!(sort, Sort::Bool, "argument of {op:?}");
                Sort::Bool
            }
            UnOp::BvNot | UnOp::BvNeg => Sort::BitVec(sort.width()),
            UnOp::Extract { hi, lo } => {
                assert!(lo <= hi && u32::from(hi) < sort.width(), "{op:?} of {sort}");
                Sort::BitVec(u32::from(hi - lo) + 1)
            }
            UnOp::ZeroExt(extra) | UnOp::SignExt(extra) => self.checked_bv(sort.width() + u32::from(extra)),
            UnOp::FpNeg | UnOp::FpAbs | UnOp::FpSqrt | UnOp::FpRoundToIntegral(_) => Sort::Float(sort.float()),
            UnOp::FpIsNan | UnOp::FpIsInf | UnOp::FpIsZero | UnOp::FpIsNegative => {
                sort.float();
                Sort::Bool
            }
            UnOp::FpToFp(to) => {
                sort.float();
                Sort::Float(to)
            }
            UnOp::FpFromSbv(to) | UnOp::FpFromUbv(to) => {
                sort.width();
                Sort::Float(to)
            }
            UnOp::FpToSbv(width) | UnOp::FpToUbv(width) => {
                sort.float();
                self.checked_bv(u32::from(width))
            }
            UnOp::FpToBits => Sort::BitVec(sort.float().width()),
            UnOp::FpFromBits(to) => {
                assert_eq!(sort, Sort::BitVec(to.width()), "argument of {op:?}");
                Sort::Float(to)
            }
            UnOp::IntNeg => {
                assert_eq!(sort, Sort::Int, "argument of {op:?}");
                Sort::Int
            }
            UnOp::IntFromUbv => {
                sort.width();
                Sort::Int
            }
        }
    }

    #[track_caller]
    fn checked_bv(&self, width: u32) -> Sort {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} of a bit-vector");
        Sort::BitVec(width)
    }

    #[track_caller]
    pub(super) fn bin_sort(&self, op: BinOp, a: TermId, b: TermId) -> Sort {
        use BinOp::*;
        let (sa, sb) = (self.sort(a), self.sort(b));
        match op {
            Concat => return self.checked_bv(sa.width() + sb.width()),
            Select => {
                let Sort::Array { index, elem } = sa else { panic!("select from a term of sort {sa}") };
                assert_eq!(sb, Sort::BitVec(index), "index of a select");
                return elem.into();
            }
            _ => assert_eq!(sa, sb, "arguments of {op:?}"),
        }
        match op {
            And | Or => {
                assert_eq!(sa, Sort::Bool, "arguments of {op:?}");
                Sort::Bool
            }
            Eq | Concat | Select => Sort::Bool,
            BvAdd | BvSub | BvMul | BvUdiv | BvSdiv | BvUrem | BvSrem | BvAnd | BvOr | BvXor | BvShl | BvLshr
            | BvAshr => Sort::BitVec(sa.width()),
            BvUlt | BvUle | BvSlt | BvSle => {
                sa.width();
                Sort::Bool
            }
            FpAdd | FpSub | FpMul | FpDiv | FpRem => Sort::Float(sa.float()),
            FpEq | FpLt | FpLe => {
                sa.float();
                Sort::Bool
            }
            IntAdd | IntMul | IntLe | IntLt => {
                assert_eq!(sa, Sort::Int, "arguments of {op:?}");
                if matches!(op, IntAdd | IntMul) { Sort::Int } else { Sort::Bool }
            }
        }
    }

    /// The array sort with an index of that width and elements of the sort of `value`.
    pub fn array_sort(&self, index: u32, value: TermId) -> Option<Sort> {
        let elem: ElemSort = self.sort(value).as_elem()?;
        Some(Sort::Array { index, elem })
    }
}
