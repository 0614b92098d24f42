//! Memory: bounds, lifetimes, undefined behaviour.

use super::*;
use crate::testing::{Builder, INT};
use cfa::{AllocKind, BinOp, EdgeId, ExprId, FloatFormat, Op, Scalar, Undefined, eval};

#[test]
fn memory_and_bounds() {
    let mut b = Builder::new();
    let a = b.memory("a", 40);
    b.op(Op::Declare { var: a });
    let base = b.addr(a);
    for i in 0..10 {
        let (at, value) = (b.offset(base, 4 * i), b.int(i * 11));
        b.op(Op::Store { addr: at, value });
    }
    let at = b.offset(base, 13);
    let (unaligned, expected) = (b.load(at, INT), b.int(44 << 24));
    require_eq(&mut b, unaligned, expected);
    let (half, six) = (b.offset(base, 20), b.offset(base, 24));
    b.op(Op::MemCopy { dst: six, src: half, len: 16 });
    let last = b.offset(base, 36);
    let (moved, expected) = (b.load(last, INT), b.int(88));
    require_eq(&mut b, moved, expected);
    let byte = b.int(0x1ff);
    b.op(Op::MemSet { dst: base, byte, len: 4 });
    let (first, expected) = (b.load(base, INT), b.int(-1));
    require_eq(&mut b, first, expected);
    let x = b.local("x", INT);
    let beyond = b.offset(base, 40);
    let read = b.load(beyond, INT);
    let edge = b.set(x, read);
    b.halt();
    check_undefined(&b, Undefined::InvalidAccess, edge, "read of 4 bytes at offset 40 of `a` (40 bytes)");
}

#[test]
fn f80_moves_ten_bytes() {
    let mut b = Builder::new();
    let (a, ty) = (b.memory("a", 16), Scalar::Float(FloatFormat::F80));
    b.op(Op::Declare { var: a });
    let base = b.addr(a);
    let (minus, two) = (b.int(-1), b.constant(eval::float_from_f64(FloatFormat::F80, 2.0).0, ty));
    b.op(Op::MemSet { dst: base, byte: minus, len: 16 });
    b.op(Op::Store { addr: base, value: two });
    let read = b.load(base, ty);
    require_eq(&mut b, read, two);
    let (at, byte) = (b.offset(base, 10), Scalar::Int { bits: 8, signed: false });
    let (padding, ff) = (b.load(at, byte), b.constant(255, byte));
    require_eq(&mut b, padding, ff);
    b.halt();
    check_exit(&b);
}

/// Ends in undefined behaviour at its last edge, of a kind, with a text.
type Scenario = (fn(&mut Builder) -> EdgeId, Undefined, &'static str);

fn heap(b: &mut Builder, size: i64) -> ExprId {
    let p = b.local("p", Scalar::Ptr);
    let size = b.constant(size as u128, Scalar::Int { bits: 64, signed: false });
    b.op(Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: AllocKind::Heap });
    b.get(p)
}

#[track_caller]
fn check_scenarios(scenarios: &[Scenario]) {
    for (scenario, what, detail) in scenarios {
        let mut b = Builder::new();
        let edge = scenario(&mut b);
        b.halt();
        check_undefined(&b, *what, edge, detail);
    }
}

#[test]
fn undefined_accesses() {
    check_scenarios(&[
        (
            |b| {
                let p = heap(b, 8);
                b.op(Op::Free { ptr: p, kind: AllocKind::Heap });
                let v = b.int(1);
                b.op(Op::Store { addr: p, value: v })
            },
            Undefined::FreedAccess,
            "write of 4 bytes at offset 0 of `heap#1`, which is freed",
        ),
        (
            |b| {
                let a = b.memory("a", 4);
                b.op(Op::Declare { var: a });
                let p = b.local("p", Scalar::Ptr);
                let addr = b.addr(a);
                b.set(p, addr);
                b.op(Op::EndScope { var: a });
                let (p, x) = (b.get(p), b.local("x", INT));
                let v = b.load(p, INT);
                b.set(x, v)
            },
            Undefined::InvalidAccess,
            "read of 4 bytes at offset 0 of `a`, which is no longer alive",
        ),
        (
            |b| {
                let null = b.constant(0, Scalar::Ptr);
                let v = b.long(0);
                b.op(Op::Store { addr: null, value: v })
            },
            Undefined::InvalidAccess,
            "write of 8 bytes through a null pointer",
        ),
        (
            |b| {
                let p = heap(b, 8);
                let q = b.offset(p, -1);
                let v = b.constant(0, Scalar::Int { bits: 8, signed: false });
                b.op(Op::Store { addr: q, value: v })
            },
            Undefined::InvalidAccess,
            "write of 1 byte 1 bytes before `heap#1`",
        ),
        (
            |b| {
                let (p, q) = (heap(b, 8), heap(b, 6));
                b.op(Op::MemCopy { dst: p, src: q, len: 7 })
            },
            Undefined::InvalidAccess,
            "read of 7 bytes at offset 0 of `heap#2` (6 bytes)",
        ),
    ]);
}

#[test]
fn undefined_frees_allocations_and_calls() {
    check_scenarios(&[
        (
            |b| {
                let p = heap(b, 8);
                b.op(Op::Free { ptr: p, kind: AllocKind::Heap });
                b.op(Op::Free { ptr: p, kind: AllocKind::Heap })
            },
            Undefined::InvalidFree,
            "`heap#1` was freed before",
        ),
        (
            |b| {
                let p = heap(b, 8);
                let q = b.offset(p, 4);
                b.op(Op::Free { ptr: q, kind: AllocKind::Heap })
            },
            Undefined::InvalidFree,
            "`heap#1+4` is not the begin of a heap object",
        ),
        (
            |b| {
                let p = b.local("p", Scalar::Ptr);
                let size = b.constant(u128::from(u64::MAX), Scalar::Int { bits: 64, signed: false });
                b.op(Op::Alloc { dst: p, size, align: cfa::layout::ALLOCATED, kind: AllocKind::Heap })
            },
            Undefined::InvalidSize,
            "object of 18446744073709551615 bytes",
        ),
        (
            |b| {
                let callee = b.constant(0x1234, Scalar::Ptr);
                b.op(Op::CallPtr { callee, args: [].into(), dst: None, ty_key: 0 })
            },
            Undefined::InvalidCall,
            "call of `0x1234`",
        ),
    ]);
}

#[test]
fn locals_die_on_return_and_stack_objects_too() {
    for alloca in [None, Some(AllocKind::Stack)] {
        let mut b = Builder::new();
        let f = b.function("f", &[], Some(Scalar::Ptr));
        let p = b.local("p", Scalar::Ptr);
        b.op(Op::Call { func: f, args: [].into(), dst: Some(p) });
        let pv = b.get(p);
        let (x, v) = (b.local("x", INT), b.load(pv, INT));
        let edge = b.set(x, v);
        b.halt();
        b.begin(f);
        let addr = match alloca {
            None => {
                let a = b.memory("a", 4);
                b.op(Op::Declare { var: a });
                b.op(Op::Declare { var: a });
                b.addr(a)
            }
            Some(kind) => {
                let (q, size) = (b.local("q", Scalar::Ptr), b.constant(4, Scalar::Int { bits: 64, signed: false }));
                b.op(Op::Alloc { dst: q, size, align: cfa::layout::ALLOCATED, kind });
                b.get(q)
            }
        };
        b.ret(Some(addr));
        let name = if alloca.is_some() { "alloca#1" } else { "a" };
        let detail = format!("read of 4 bytes at offset 0 of `{name}`, which is no longer alive");
        check_undefined(&b, Undefined::InvalidAccess, edge, &detail);
    }
}

#[test]
fn each_frame_and_each_declaration_has_its_own_instance() {
    let mut b = Builder::new();
    let a = b.memory("a", 4);
    let (p, q) = (b.local("p", Scalar::Ptr), b.local("q", Scalar::Ptr));
    for var in [p, q] {
        b.op(Op::Declare { var: a });
        let addr = b.addr(a);
        b.set(var, addr);
    }
    let (pv, qv) = (b.get(p), b.get(q));
    let differ = b.binary(BinOp::Ne, pv, qv);
    require(&mut b, differ);
    let one = b.int(1);
    b.op(Op::Store { addr: qv, value: one });
    let edge = b.op(Op::Store { addr: pv, value: one });
    b.halt();
    check_undefined(
        &b,
        Undefined::InvalidAccess,
        edge,
        "write of 4 bytes at offset 0 of `a`, which is no longer alive",
    );
}
