//! Executes the instructions of an edge.

use crate::code::{Code, General, Instr, access, cell};
use crate::memory::{Memory, Miss};
use cfa::{BinOp, FloatFormat, Scalar, Value, eval as semantics};

/// A load that goes nowhere, or to external memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LoadMiss {
    /// Position of the instruction.
    pub at: usize,
    /// Address that it reads.
    pub address: u64,
    /// Bytes that it reads.
    pub len: u32,
    /// Why it stopped.
    pub miss: Miss,
}

/// Sign-extends a value that has `shift` unused bits.
#[inline(always)]
fn signed(v: u64, shift: u8) -> i64 {
    ((v << shift) as i64) >> shift
}

/// Executes `instrs` for the frame at `base`. After a miss in external memory, the caller may write the value and go on behind it.
#[inline(always)]
pub(crate) fn execute(
    cells: &mut [u128],
    base: usize,
    memory: &mut Memory,
    instrs: &[Instr],
    general: &[General],
    pointer_bits: u32,
) -> Result<(), LoadMiss> {
    for (at, i) in instrs.iter().enumerate() {
        let shift = i.shift;
        let a = cells[cell(base, i.a)] as u64;
        let b = cells[cell(base, i.b)] as u64;
        let mask = |v: u64| u128::from((v << shift) >> shift);
        macro_rules! f64_op {
            ($op:tt, $binop:expr) => {{
                let r = f64::from_bits(a) $op f64::from_bits(b);
                if r.is_nan() { nan(FloatFormat::F64, $binop, a, b) } else { u128::from(r.to_bits()) }
            }};
        }
        macro_rules! f32_op {
            ($op:tt, $binop:expr) => {{
                let r = f32::from_bits(a as u32) $op f32::from_bits(b as u32);
                if r.is_nan() { nan(FloatFormat::F32, $binop, a, b) } else { u128::from(r.to_bits()) }
            }};
        }
        let v: u128 = match i.code {
            Code::Move => cells[cell(base, i.a)],
            Code::Add => mask(a.wrapping_add(b)),
            Code::Sub => mask(a.wrapping_sub(b)),
            Code::Mul => mask(a.wrapping_mul(b)),
            Code::DivS | Code::RemS if b == 0 => 0,
            Code::DivS => mask(signed(a, shift).wrapping_div(signed(b, shift)) as u64),
            Code::DivU => u128::from(a.checked_div(b).unwrap_or(0)),
            Code::RemS => mask(signed(a, shift).wrapping_rem(signed(b, shift)) as u64),
            Code::RemU => u128::from(a.checked_rem(b).unwrap_or(0)),
            Code::Shl | Code::ShrU if b >= 64 => 0,
            Code::Shl => mask(a << b),
            Code::ShrS => mask((signed(a, shift) >> b.min(63)) as u64),
            Code::ShrU => u128::from(a >> b),
            Code::And => u128::from(a & b),
            Code::Or => u128::from(a | b),
            Code::Xor => u128::from(a ^ b),
            Code::Eq => u128::from(a == b),
            Code::Ne => u128::from(a != b),
            Code::LtS => u128::from(((a << shift) as i64) < ((b << shift) as i64)),
            Code::LtU => u128::from(a < b),
            Code::LeS => u128::from(((a << shift) as i64) <= ((b << shift) as i64)),
            Code::LeU => u128::from(a <= b),
            Code::Neg => mask(a.wrapping_neg()),
            Code::BitNot => mask(!a),
            Code::Not => u128::from(a == 0),
            Code::Mask => mask(a),
            Code::SignExtend => mask(signed(a, i.aux) as u64),
            Code::F64Add => f64_op!(+, BinOp::Add),
            Code::F64Sub => f64_op!(-, BinOp::Sub),
            Code::F64Mul => f64_op!(*, BinOp::Mul),
            Code::F64Div => f64_op!(/, BinOp::Div),
            Code::F64Lt => u128::from(f64::from_bits(a) < f64::from_bits(b)),
            Code::F64Le => u128::from(f64::from_bits(a) <= f64::from_bits(b)),
            Code::F64Eq => u128::from(f64::from_bits(a) == f64::from_bits(b)),
            Code::F32Add => f32_op!(+, BinOp::Add),
            Code::F32Sub => f32_op!(-, BinOp::Sub),
            Code::F32Mul => f32_op!(*, BinOp::Mul),
            Code::F32Div => f32_op!(/, BinOp::Div),
            Code::Load => match memory.load(a, u32::from(i.aux)) {
                Ok(v) => v,
                Err(miss) => return Err(LoadMiss { at, address: a, len: u32::from(i.aux), miss }),
            },
            Code::Valid => u128::from(memory.is_valid(access(i.aux), a, b)),
            Code::Tracked => return Err(LoadMiss { at, address: 0, len: 0, miss: Miss::Asked }),
            Code::Ite => cells[cell(base, if a != 0 { i.b } else { i.c })],
            Code::General => {
                let (a, b) = (cells[cell(base, i.a)], cells[cell(base, i.b)]);
                compute(general[i.c as usize], Value(a), Value(b), pointer_bits)
            }
        };
        cells[cell(base, i.dst)] = v;
    }
    Ok(())
}

#[cold]
fn nan(format: FloatFormat, op: BinOp, a: u64, b: u64) -> u128 {
    let (a, b) = (Value(a.into()), Value(b.into()));
    semantics::eval_binary(op, Scalar::Float(format), a, b, 64).unwrap_or_default().0
}

/// What is left open has some value: that of x86 for floats out of an integer's range, zero for the rest.
fn compute(general: General, a: Value, b: Value, pointer_bits: u32) -> u128 {
    let value = match general {
        General::Unary(op, ty) => semantics::eval_unary(op, ty, a, pointer_bits),
        General::Binary(op, ty) => semantics::eval_binary(op, ty, a, b, pointer_bits),
        General::Cast(from, to) => semantics::eval_cast(from, to, a, pointer_bits).or_else(|| {
            // x86 converts through the next signed width it has and gives the least number when that is out of range.
            let bits = to.bits(pointer_bits);
            let wide = if bits < 32 || bits == 32 && to.is_signed() { 32 } else { bits.max(64) };
            let via = Scalar::Int { bits: wide as u16, signed: true };
            let converted = semantics::eval_cast(from, via, a, pointer_bits).unwrap_or(Value(1 << (wide - 1)));
            Some(Value::truncated(converted.0, bits))
        }),
    };
    value.unwrap_or_default().0
}
