//! Accelerators of loops made by hand: strides, bounds and aliasing of their accesses.

use super::super::closed::closed_forms;
use super::super::path::{LoopPath, Write};
use super::super::slopes::Failure;
use super::{Accelerator, Unbounded, accelerator};
use cfa::build::Builder;
use cfa::{BinOp, ExprId, Scalar, VarId};
use encode::{Encoder, FrameSlots};

const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };
const LONG: Scalar = Scalar::Int { bits: 64, signed: true };

/// `for (;; i++) *write = value;` with a global array `a` and an index of some type.
struct Looping {
    b: Builder,
    array: ExprId,
    i: VarId,
    ty: Scalar,
}

impl Looping {
    fn new(ty: Scalar) -> Self {
        let mut b = Builder::new();
        let array = b.mem(None, "a", 4096);
        let i = b.reg(Some(b.program.start), "i", ty);
        let array = b.addr(array);
        Self { b, array, i, ty }
    }

    /// `&a[factor · i + rest]` with elements of `size` bytes.
    fn place(&mut self, factor: i64, rest: i64, size: i64) -> ExprId {
        let [factor, rest] = [factor, rest].map(|n| self.b.constant(n, self.ty));
        let i = self.b.var(self.i);
        let scaled = self.b.bin(BinOp::Mul, i, factor);
        let index = self.b.bin(BinOp::Add, scaled, rest);
        self.b.index(self.array, index, size)
    }

    fn close(&mut self, addr: ExprId, value: ExprId) -> Result<Accelerator, Failure> {
        let (i, one) = (self.b.var(self.i), self.b.constant(1, self.ty));
        let next = self.b.bin(BinOp::Add, i, one);
        let mut path = LoopPath::new(self.b.entry(self.b.program.start), Vec::new());
        path.updates.insert(self.i, next);
        path.writes.push(Write { addr, value });
        let closed = closed_forms(&mut self.b.program, path).ok_or(Failure::Form)?;
        accelerator(&mut self.b.program, closed, Unbounded::Fail, &|_| true)
    }

    /// `a[factor · i + rest] = a[other_factor · i + other_rest]`
    fn copies(&mut self, (factor, rest): (i64, i64), (other_factor, other_rest): (i64, i64)) -> bool {
        let (to, from) = (self.place(factor, rest, 4), self.place(other_factor, other_rest, 4));
        let value = self.b.load(from, Scalar::INT);
        self.close(to, value).is_ok()
    }

    /// The value of an expression, 0 or 1 for conditions, under values of registers.
    fn value(&self, expr: ExprId, registers: &[(VarId, u128)]) -> u128 {
        let mut enc = Encoder::new(&self.b.program, Box::new(|_, _| true)).expect("fits");
        let mut state = enc.initial_state();
        for (var, value) in registers {
            let ty = self.b.program.vars[*var].register().expect("a register");
            let value = enc.terms.bv(ty.bits(64), *value);
            enc.assign(&mut state, FrameSlots(0), *var, value);
        }
        let value = enc.eval(&mut state, FrameSlots(0), expr).expect("defined");
        let as_bool = enc.terms.as_bool_const(value).map(u128::from);
        as_bool.or_else(|| enc.terms.as_bv_const(value)).expect("a constant")
    }

    /// Whether so many iterations are within the bound.
    fn permits(&self, accelerator: &Accelerator, i: u128, count: u128) -> bool {
        self.value(accelerator.bound, &[(self.i, i), (accelerator.closed.count, count)]) == 1
    }
}

#[test]
fn addresses_move_by_the_stride() {
    for (factor, size) in [(1, 4), (2, 4), (3, 8), (-1, 4), (-5, 1)] {
        let mut looping = Looping::new(LONG);
        let addr = looping.place(factor, 7, size);
        let ty = Scalar::Int { bits: 8 * size as u16, signed: false };
        let value = looping.b.constant(3, ty);
        let accelerator = looping.close(addr, value).expect("accelerated");
        let repeat = accelerator.repeat.expect("writes at moving places");
        let [write] = repeat.writes[..] else { panic!("{repeat:?}") };
        assert_eq!(write.stride, factor * size);
        let first = looping.value(write.first, &[(looping.i, 40)]);
        for n in [0, 1, 9] {
            let there = looping.value(write.addr, &[(looping.i, 40), (repeat.index, n)]);
            assert_eq!(there as i128, first as i128 + n as i128 * i128::from(write.stride), "iteration {n}");
        }
    }
}

#[test]
fn reads_of_conditions_move_too() {
    let mut looping = Looping::new(LONG);
    let (from, to) = (looping.place(4, 0, 4), looping.place(1, 0, 8));
    let value = looping.b.load(from, Scalar::INT);
    let value = looping.b.cast(value, LONG);
    // Reads by 16 bytes and writes by 8: nothing tells that they never meet, so the encoder has to see.
    let accelerator = looping.close(to, value).expect("accelerated");
    let repeat = accelerator.repeat.expect("accesses at moving places");
    assert_eq!(repeat.reads.iter().map(|read| (read.stride, read.bytes)).collect::<Vec<_>>(), [(16, 4)]);
    assert_eq!(repeat.writes.iter().map(|write| write.stride).collect::<Vec<_>>(), [8]);
}

#[test]
fn narrow_indices_must_not_wrap_around() {
    let mut looping = Looping::new(BYTE);
    let addr = looping.place(1, 0, 4);
    let value = looping.b.constant(3, Scalar::INT);
    let accelerator = looping.close(addr, value).expect("accelerated");
    assert!(looping.permits(&accelerator, 0, 1) && looping.permits(&accelerator, 0, 255));
    assert!(!looping.permits(&accelerator, 0, 257) && !looping.permits(&accelerator, 1, 256));
    assert!(looping.permits(&accelerator, 250, 5) && !looping.permits(&accelerator, 250, 7));
    // Counts whose product with the stride wraps around.
    assert!(!looping.permits(&accelerator, 0, 1 << 61) && !looping.permits(&accelerator, 3, 1 << 62));
    assert!(!looping.permits(&accelerator, 0, 0), "an acceleration is at least one iteration");
    // Downwards, the other end counts.
    let mut looping = Looping::new(BYTE);
    let (zero, addr) = (looping.b.constant(3, Scalar::INT), looping.place(-1, 0, 4));
    let accelerator = looping.close(addr, zero).expect("accelerated");
    assert!(looping.permits(&accelerator, 1, 200) && !looping.permits(&accelerator, 0, 3));
}

#[test]
fn what_an_earlier_iteration_wrote_is_not_read() {
    let copies = |to, from| Looping::new(Scalar::INT).copies(to, from);
    assert!(copies((1, 0), (1, 0)) && copies((1, 0), (1, 1)) && copies((1, 0), (1, 5)));
    assert!(!copies((1, 1), (1, 0)) && !copies((1, 5), (1, 0)));
    // Downwards, it is the other way round.
    assert!(copies((-1, 0), (-1, -1)) && !copies((-1, 0), (-1, 1)));
    // Even and odd elements never meet; even ones do.
    assert!(copies((2, 1), (2, 0)) && copies((2, 0), (2, 1)));
    assert!(!copies((2, 2), (2, 0)) && copies((2, 0), (2, 2)));
    // The encoder knows more of places that move by different distances.
    assert!(copies((1, 1), (2, 0)));
}

#[test]
fn writes_must_not_overlap_each_other() {
    for (factor, size, accelerated) in
        [(1, 4, true), (1, 2, false), (0, 4, false), (1 << 18, 4, true), (1 << 19, 4, false)]
    {
        let mut looping = Looping::new(LONG);
        let (addr, value) = (looping.place(factor, 0, size), looping.b.constant(3, Scalar::INT));
        assert_eq!(looping.close(addr, value).is_ok(), accelerated, "{factor} elements of {size} bytes");
    }
}
