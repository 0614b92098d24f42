//! Floats that are known while a program is checked, to the bit, in the format of their type.
//!
//! Results round to nearest, ties to even. Of a NaN, only that it is one is kept.

use crate::typed::BinaryOp;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;
use syntax::machine_model::FloatKind;

/// Calls `$body` with the type `$F` of `rustc_apfloat` that `$kind` stands for.
macro_rules! with_kind {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float16 => {
                type $F = Half;
                $body
            }
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// A value of a floating type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Float {
    kind: FloatKind,
    bits: u128,
}

impl Float {
    /// Reads decimal or hexadecimal text without a suffix; too large numbers are infinite.
    pub fn parse(text: &str, kind: FloatKind) -> Option<Self> {
        let parsed = with_kind!(kind, F => F::from_str_r(text, Round::NearestTiesToEven).map(|v| v.value.to_bits()));
        parsed.ok().map(|bits| Self { kind, bits })
    }

    pub fn infinity(kind: FloatKind) -> Self {
        Self { kind, bits: with_kind!(kind, F => F::INFINITY.to_bits()) }
    }

    pub fn nan(kind: FloatKind) -> Self {
        Self { kind, bits: with_kind!(kind, F => F::NAN.to_bits()) }
    }

    /// The nearest float.
    pub fn from_int(magnitude: u128, is_negative: bool, kind: FloatKind) -> Self {
        let bits = with_kind!(kind, F => F::from_u128_r(magnitude, Round::NearestTiesToEven).value.to_bits());
        let value = Self { kind, bits };
        if is_negative { value.negated() } else { value }
    }

    /// The nearest float of another type.
    pub fn converted(self, kind: FloatKind) -> Self {
        let bits =
            with_kind!(self.kind, F => with_kind!(kind, G => convert::<F, G>(F::from_bits(self.bits)).to_bits()));
        Self { kind, bits }
    }

    /// The integer that this is when cut towards zero, if that has so many bits.
    pub fn to_int(self, bits: u32, is_signed: bool) -> Option<i128> {
        let (value, status) = with_kind!(self.kind, F => {
            let (v, bits) = (F::from_bits(self.bits), bits as usize);
            if is_signed {
                let r = v.to_i128_r(bits, Round::TowardZero, &mut false);
                (r.value, r.status)
            } else {
                let r = v.to_u128_r(bits, Round::TowardZero, &mut false);
                (r.value as i128, r.status)
            }
        });
        (!status.contains(Status::INVALID_OP)).then_some(value)
    }

    pub fn negated(self) -> Self {
        Self { bits: with_kind!(self.kind, F => (-F::from_bits(self.bits)).to_bits()), ..self }
    }

    pub fn is_zero(self) -> bool {
        with_kind!(self.kind, F => F::from_bits(self.bits).is_zero())
    }

    /// The result of `+`, `-`, `*` or `/` on two values of one type.
    pub fn binary(self, op: BinaryOp, other: Self) -> Option<Self> {
        if self.kind != other.kind {
            return None;
        }
        let bits = with_kind!(self.kind, F => {
            let (a, b) = (F::from_bits(self.bits), F::from_bits(other.bits));
            let StatusAnd { value, .. } = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            };
            value.to_bits()
        });
        Some(Self { bits, ..self })
    }

    /// The truth of a comparison of two values of one type.
    pub fn compare(self, op: BinaryOp, other: Self) -> Option<bool> {
        if self.kind != other.kind {
            return None;
        }
        let order = with_kind!(self.kind, F => F::from_bits(self.bits).partial_cmp(&F::from_bits(other.bits)));
        Some(match op {
            BinaryOp::Lt => order == Some(Ordering::Less),
            BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinaryOp::Gt => order == Some(Ordering::Greater),
            BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            BinaryOp::Eq => order == Some(Ordering::Equal),
            BinaryOp::Ne => order != Some(Ordering::Equal),
            _ => return None,
        })
    }
}

fn convert<F: FloatConvert<G>, G: rustc_apfloat::Float>(v: F) -> G {
    v.convert_r(Round::NearestTiesToEven, &mut false).value
}
