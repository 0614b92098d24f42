//! The symbolic memory against plain bytes: random accesses at constant and unknown offsets, forks, joins, copies.
//!
//! Each round runs the same operations twice: symbolically, and on a byte array under one assignment of all variables. Then each
//! byte that the symbolic memory holds must evaluate to the concrete one.

use base::{ByteOrder, Id};
use cfa::build::Builder;
use cfa::{ExprId, Program, Scalar, VarId};
use encode::memory::object::Size;
use encode::{Encoder, FrameSlots, Logged, ObjId, State};
use smt::{ArrayValue, Assignment, Evaluator, Sort, TermId, Value};
use std::sync::Arc;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0;
        (x >> 33) ^ x.rotate_left(17)
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n
    }
}

/// Objects: a zeroed global and an arbitrary local of each size.
const SIZES: [u64; 3] = [7, 48, 600];

struct World<'p> {
    enc: Encoder<'p>,
    order: ByteOrder,
    assignment: Assignment,
    rng: Rng,
    objects: Vec<(ObjId, u64, TermId)>,
}

/// Concrete content of each object.
type Bytes = Vec<Vec<u8>>;

fn program() -> (Program, Vec<VarId>, Vec<VarId>) {
    let mut b = Builder::new();
    let func = b.program.start;
    let globals = SIZES.iter().map(|size| b.mem(None, "g", *size)).collect();
    let locals = SIZES.iter().map(|size| b.mem(Some(func), "l", *size)).collect();
    b.int(0);
    (b.program, globals, locals)
}

fn unsigned(bytes: u64) -> Scalar {
    Scalar::Int { bits: 8 * bytes as u16, signed: false }
}

impl World<'_> {
    fn variable(&mut self, width: u32, value: u128) -> TermId {
        let var = self.enc.terms.fresh_var("v", Sort::BitVec(width));
        self.assignment.insert(var, Value::Bv { width, value });
        var
    }

    /// An offset for an access of `bytes` bytes: the term and its value.
    fn offset(&mut self, size: u64, bytes: u64) -> (TermId, u64) {
        let scale = [1, 2, 4, 8][self.rng.below(4) as usize];
        let last = size - bytes;
        let at = self.rng.below(last + 1);
        if self.rng.below(2) == 0 {
            return (self.enc.terms.bv(64, u128::from(at)), at);
        }
        let (index, rest) = (at / scale, at % scale);
        let index = self.variable(64, u128::from(index));
        let factor = self.enc.terms.bv(64, u128::from(scale));
        let scaled = self.enc.terms.bv_mul(index, factor);
        let rest = self.enc.terms.bv(64, u128::from(rest));
        (self.enc.terms.bv_add(scaled, rest), at)
    }

    fn operations(&mut self, state: &mut State, bytes: &mut Bytes, n: u64) {
        let expr: ExprId = Id::from_index(0);
        for _ in 0..n {
            let o = self.rng.below(self.objects.len() as u64) as usize;
            let (_, size, base) = self.objects[o];
            let len = [1, 2, 4, 8][self.rng.below(4) as usize].min(size);
            let len = if len == 7 { 4 } else { len };
            match self.rng.below(8) {
                0..4 => {
                    let (offset, at) = self.offset(size, len);
                    let address = self.enc.terms.bv_add(base, offset);
                    let value = u128::from(self.rng.next()) & ((1u128 << (8 * len)) - 1);
                    let term = self.variable(8 * len as u32, value);
                    self.enc.store(state, expr, address, term, unsigned(len)).expect("in bounds");
                    bytes[o][at as usize..(at + len) as usize].copy_from_slice(&self.order.bytes(value, len as usize));
                }
                4..6 => {
                    let (offset, _) = self.offset(size, len);
                    let address = self.enc.terms.bv_add(base, offset);
                    self.enc.load(state, expr, address, unsigned(len)).expect("in bounds");
                }
                6 => {
                    let p = self.rng.below(self.objects.len() as u64) as usize;
                    let (_, other, from) = self.objects[p];
                    let len = 1 + self.rng.below(size.min(other).min(40));
                    let (to_offset, to_at) = self.offset(size, len);
                    let (from_offset, from_at) = self.offset(other, len);
                    let to = self.enc.terms.bv_add(base, to_offset);
                    let from = self.enc.terms.bv_add(from, from_offset);
                    self.enc.copy(state, (expr, to), (expr, from), len).expect("in bounds");
                    let moved = bytes[p][from_at as usize..(from_at + len) as usize].to_vec();
                    bytes[o][to_at as usize..(to_at + len) as usize].copy_from_slice(&moved);
                }
                _ => {
                    let whole = self.rng.below(3) == 0;
                    let len = if whole { size } else { 1 + self.rng.below(size.min(40)) };
                    let (offset, at) = if whole { (self.enc.terms.bv(64, 0), 0) } else { self.offset(size, len) };
                    let value = if self.rng.below(2) == 0 { 0 } else { self.rng.next() as u8 };
                    let to = self.enc.terms.bv_add(base, offset);
                    let byte = self.enc.terms.bv(32, u128::from(value));
                    self.enc.fill(state, (expr, to), byte, len).expect("in bounds");
                    bytes[o][at as usize..(at + len) as usize].fill(value);
                }
            }
        }
    }

    /// Random operations with nested branches; returns the joined state.
    fn block(&mut self, mut state: State, bytes: &mut Bytes, depth: u32) -> State {
        let n = self.rng.below(5);
        self.operations(&mut state, bytes, n);
        if depth > 0 && self.rng.below(3) > 0 {
            let cond = self.enc.terms.fresh_var("c", Sort::Bool);
            let truth = self.rng.below(2) == 0;
            self.assignment.insert(cond, Value::Bool(truth));
            let not_cond = self.enc.terms.not(cond);
            let (mut yes, mut no) = (state.clone(), state);
            self.enc.assume(&mut yes, cond).expect("open");
            self.enc.assume(&mut no, not_cond).expect("open");
            let (mut yes_bytes, mut no_bytes) = (bytes.clone(), bytes.clone());
            let yes = self.block(yes, &mut yes_bytes, depth - 1);
            let no = self.block(no, &mut no_bytes, depth - 1);
            *bytes = if truth { yes_bytes } else { no_bytes };
            state = self.enc.join(yes, no);
            let n = self.rng.below(5);
            self.operations(&mut state, bytes, n);
        }
        state
    }

    /// Gives the variables of initial contents the bytes that the concrete run began with.
    fn open_contents(&mut self, initial: &Bytes) {
        let index = |object: ObjId| self.objects.iter().position(|o| o.0 == object).expect("known");
        for entry in &self.enc.log {
            match &entry.what {
                Logged::Content { object, offset, var } => {
                    let Sort::BitVec(width) = self.enc.terms.sort(*var) else { panic!("no floats here") };
                    let content = &initial[index(*object)][*offset as usize..][..width as usize / 8];
                    self.assignment.insert(*var, Value::Bv { width, value: self.order.number(content) });
                }
                Logged::ContentArray { object, elem, var } => {
                    let sort = self.enc.terms.sort(*var);
                    let width = 8 * elem;
                    let default = Value::Bv { width, value: 0 };
                    let mut array = ArrayValue { sort, default, elems: Default::default() };
                    let mut content = initial[index(*object)].clone();
                    content.resize(content.len().next_multiple_of(8), 0);
                    for (i, element) in content.chunks(*elem as usize).enumerate() {
                        array.set(i as u128, Value::Bv { width, value: self.order.number(element) });
                    }
                    self.assignment.insert(*var, Value::Array(Arc::new(array)));
                }
                _ => {}
            }
        }
    }
}

#[track_caller]
fn check(seed: u64, order: ByteOrder) {
    let (mut program, globals, locals) = program();
    program.byte_order = order;
    let enc = Encoder::new(&program, Box::new(|_, _| true)).expect("fits");
    let mut world = World { enc, order, assignment: Assignment::default(), rng: Rng(seed), objects: Vec::new() };
    let mut state = world.enc.initial_state();
    let mut initial = Vec::new();
    for (var, size) in globals.iter().zip(SIZES) {
        let object = world.enc.objects.global(*var).expect("a global");
        let base = world.enc.address_of(&mut state, FrameSlots(0), *var);
        world.objects.push((object, size, base));
        initial.push(vec![0; size as usize]);
    }
    for (_, size) in locals.iter().zip(SIZES) {
        let len = world.enc.terms.bv(64, u128::from(size));
        let kind = encode::ObjectKind::Local(locals[0]);
        let (object, base) =
            world.enc.allocate(&mut state, len, 8, kind, encode::memory::object::Rest::Arbitrary).expect("fits");
        assert_eq!(world.enc.objects.get(object).size, Size::Const(size));
        world.objects.push((object, size, base));
        initial.push((0..size).map(|_| world.rng.next() as u8).collect());
    }
    let mut bytes = initial.clone();
    let mut state = world.block(state, &mut bytes, 3);
    let expr: ExprId = Id::from_index(0);
    let mut expected = Vec::new();
    for (o, (_, size, base)) in world.objects.clone().into_iter().enumerate() {
        for at in 0..size {
            let delta = world.enc.terms.bv(64, u128::from(at));
            let address = world.enc.terms.bv_add(base, delta);
            let value = world.enc.load(&mut state, expr, address, unsigned(1)).expect("in bounds");
            expected.push((o, at, value, bytes[o][at as usize]));
        }
    }
    world.open_contents(&initial);
    let mut eval = Evaluator::new(&world.enc.terms, &world.assignment);
    let guard = eval.eval(world.enc.guards.formula(state.guard));
    assert_eq!(guard, Value::Bool(true), "seed {seed}: every access is valid");
    for (o, at, term, byte) in expected {
        let value = eval.eval(term);
        assert_eq!(value.as_bits(), Some(u128::from(byte)), "seed {seed} {order:?}: object {o}, offset {at}");
    }
}

#[test]
fn agrees_with_bytes() {
    for seed in 0..400 {
        check(seed, ByteOrder::Little);
        check(seed, ByteOrder::Big);
    }
}
