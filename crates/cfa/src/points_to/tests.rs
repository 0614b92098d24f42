//! Tests of the points-to analysis on programs made by hand.

mod random;

use super::*;
use crate::build::Builder;
use crate::expr::{BinOp, ExprKind};
use crate::layout::external_range;
use crate::op::{AllocKind, HavocSource, Op, Reach};
use crate::program::{Init, InitValue, Outside, VarId};
use crate::value::Scalar;

const INT: Scalar = Scalar::INT;
const UINT: Scalar = Scalar::Int { bits: 32, signed: false };
const LONG: Scalar = Scalar::Int { bits: 64, signed: true };
const ULONG: Scalar = Scalar::Int { bits: 64, signed: false };

/// A program that is a sequence of operations.
struct Seq {
    b: Builder,
    ops: Vec<Op>,
}

impl Seq {
    fn new() -> Self {
        Seq { b: Builder::new(), ops: Vec::new() }
    }

    fn ptr(&mut self, name: &str) -> VarId {
        self.b.reg(None, name, Scalar::Ptr)
    }

    fn assign(&mut self, dst: VarId, src: ExprId) {
        self.ops.push(Op::Assign { dst, src });
    }

    fn store(&mut self, addr: ExprId, value: ExprId) {
        self.ops.push(Op::Store { addr, value });
    }

    /// Reads a scalar into a new register.
    fn read(&mut self, addr: ExprId, ty: Scalar) -> ExprId {
        let dst = self.b.reg(None, "tmp", ty);
        let src = self.b.load(addr, ty);
        self.assign(dst, src);
        self.b.var(dst)
    }

    fn solve(&mut self) -> PointsTo {
        let start = self.b.program.start;
        let (entry, exit) = (self.b.entry(start), self.b.exit(start));
        self.b.chain(entry, exit, std::mem::take(&mut self.ops));
        PointsTo::new(&self.b.program)
    }

    #[track_caller]
    fn check(&self, pt: &PointsTo, addr: ExprId, objects: &[&str], kind: RegionKind) {
        let class = pt.class_of_address(addr);
        let mut names: Vec<String> = pt
            .objects(class)
            .iter()
            .map(|o| match o {
                Object::Var(v) => self.b.program.vars[*v].name.to_string(),
                Object::Function(f) => self.b.program.functions[*f].name.to_string(),
                Object::Alloc(_) => "alloc".into(),
                Object::External => "external".into(),
            })
            .collect();
        names.sort();
        assert_eq!(names, objects);
        assert_eq!(pt.kind(class), kind);
    }
}

#[test]
fn copies_unify_and_others_stay_apart() {
    let mut s = Seq::new();
    let vars: Vec<_> = ["x", "y", "z"].iter().map(|n| s.b.mem(None, n, 4)).collect();
    let [x, y, z] = [s.b.addr(vars[0]), s.b.addr(vars[1]), s.b.addr(vars[2])];
    let (p, q) = (s.ptr("p"), s.ptr("q"));
    let (vp, vq) = (s.b.var(p), s.b.var(q));
    s.assign(q, vp);
    s.assign(p, x);
    s.assign(p, y);
    let one = s.b.int(1);
    s.store(vq, one);
    s.store(z, one);
    let pt = s.solve();
    s.check(&pt, vq, &["x", "y"], RegionKind::Typed(UINT));
    s.check(&pt, z, &["z"], RegionKind::Typed(UINT));
    assert!(pt.may_alias(x, vq) && !pt.may_alias(x, z));
}

#[test]
fn fields_are_apart_until_types_are_punned() {
    for punned in [false, true] {
        let mut s = Seq::new();
        let var = s.b.mem(None, "s", 16);
        let target = s.b.mem(None, "t", 4);
        let (base, t, one) = (s.b.addr(var), s.b.addr(target), s.b.int(1));
        let field = s.b.at(base, 8);
        s.store(base, one);
        s.store(field, t);
        let loaded = s.read(field, Scalar::Ptr);
        s.store(loaded, one);
        if punned {
            s.read(base, Scalar::Int { bits: 8, signed: true });
        }
        let pt = s.solve();
        s.check(&pt, base, &["s"], if punned { RegionKind::Bytes } else { RegionKind::Typed(UINT) });
        s.check(&pt, field, &["s"], RegionKind::Typed(Scalar::Ptr));
        s.check(&pt, loaded, &["t"], RegionKind::Typed(UINT));
        assert!(!pt.may_alias(base, field));
        let cells = pt.cells(base, 16);
        assert_eq!(cells.iter().map(|c| (c.offset, c.size)).collect::<Vec<_>>(), [(0, 4), (8, 8)]);
    }
}

#[test]
fn overlapping_cells_are_one() {
    let mut s = Seq::new();
    let var = s.b.mem(None, "s", 16);
    let (base, one) = (s.b.addr(var), s.b.int(1));
    let middle = s.b.at(base, 2);
    let apart = s.b.at(base, 8);
    for addr in [base, middle, apart] {
        s.store(addr, one);
    }
    let pt = s.solve();
    assert!(pt.may_alias(base, middle) && !pt.may_alias(base, apart));
    s.check(&pt, middle, &["s"], RegionKind::Bytes);
    s.check(&pt, apart, &["s"], RegionKind::Typed(UINT));
}

#[test]
fn arrays_of_structs_keep_fields() {
    let mut s = Seq::new();
    let var = s.b.mem(None, "a", 160);
    let i = s.b.reg(None, "i", INT);
    let (base, i, one) = (s.b.addr(var), s.b.var(i), s.b.int(1));
    let elem = s.b.index(base, i, 16);
    let field = s.b.at(elem, 8);
    s.store(elem, one);
    let pointer = s.b.addr(var);
    s.store(field, pointer);
    let third = s.b.at(base, 56);
    let pt = {
        s.read(third, Scalar::Ptr);
        s.solve()
    };
    assert_eq!(pt.class_of_address(third), pt.class_of_address(field));
    s.check(&pt, elem, &["a"], RegionKind::Typed(UINT));
    s.check(&pt, field, &["a"], RegionKind::Typed(Scalar::Ptr));
    let at_20 = pt.cells(third, 20);
    assert_eq!(at_20.iter().map(|c| (c.offset, c.size, c.stride)).collect::<Vec<_>>(), [(0, 8, 16), (8, 4, 16)]);
}

#[test]
fn moving_pointers_have_a_stride() {
    let mut s = Seq::new();
    let var = s.b.mem(None, "a", 40);
    let p = s.ptr("p");
    let (a, vp, one) = (s.b.addr(var), s.b.var(p), s.b.int(1));
    s.assign(p, a);
    s.store(vp, one);
    let next = s.b.at(vp, 4);
    s.assign(p, next);
    let pt = s.solve();
    s.check(&pt, vp, &["a"], RegionKind::Typed(UINT));
    assert_eq!(pt.cells(a, 40).len(), 1);
    assert_eq!(pt.cells(a, 40)[0].stride, 4);
}

#[test]
fn unaligned_moves_make_bytes() {
    let mut s = Seq::new();
    let var = s.b.mem(None, "a", 40);
    let p = s.ptr("p");
    let (a, vp, one) = (s.b.addr(var), s.b.var(p), s.b.int(1));
    s.assign(p, a);
    let next = s.b.at(vp, 1);
    s.assign(p, next);
    s.store(vp, one);
    let pt = s.solve();
    s.check(&pt, vp, &["a"], RegionKind::Bytes);
}

#[test]
fn integers_carry_pointers() {
    let mut s = Seq::new();
    let (x, y) = (s.b.mem(None, "x", 8), s.b.mem(None, "y", 8));
    let (n, m) = (s.b.reg(None, "n", ULONG), s.b.reg(None, "m", ULONG));
    let (ax, ay, vn, vm) = (s.b.addr(x), s.b.addr(y), s.b.var(n), s.b.var(m));
    let (cast_x, cast_y) = (s.b.cast(ax, ULONG), s.b.cast(ay, ULONG));
    s.assign(n, cast_x);
    let four = s.b.constant(4, ULONG);
    let sum = s.b.bin(BinOp::Add, vn, four);
    let back = s.b.cast(sum, Scalar::Ptr);
    let one = s.b.int(1);
    s.store(back, one);
    s.assign(m, cast_y);
    let copy = s.b.cast(vm, Scalar::Ptr);
    s.store(copy, one);
    let pt = s.solve();
    s.check(&pt, back, &["x"], RegionKind::Typed(UINT));
    s.check(&pt, copy, &["y"], RegionKind::Typed(UINT));
    assert_eq!(pt.cells(ax, 8).iter().map(|c| c.offset).collect::<Vec<_>>(), [4]);
}

/// Makes a pointer from a number that `make` computes of the addresses of `x` and `y`, and of an input: where does it lead?
#[track_caller]
fn check_number(make: impl Fn(&mut Builder, [ExprId; 3]) -> ExprId, objects: &[&str]) {
    let mut s = Seq::new();
    let (x, y, input) = (s.b.mem(None, "x", 8), s.b.mem(None, "y", 8), s.b.reg(None, "input", ULONG));
    let number = s.b.reg(None, "number", ULONG);
    let (ax, ay, vi, vn) = (s.b.addr(x), s.b.addr(y), s.b.var(input), s.b.var(number));
    s.ops.push(Op::Havoc { dst: input, source: HavocSource::Environment });
    let (cast_x, cast_y) = (s.b.cast(ax, ULONG), s.b.cast(ay, ULONG));
    let src = make(&mut s.b, [cast_x, cast_y, vi]);
    s.assign(number, src);
    let made = s.b.cast(vn, Scalar::Ptr);
    let one = s.b.int(1);
    s.store(made, one);
    let pt = s.solve();
    let class = pt.class_of_address(made);
    let kind = pt.kind(class);
    s.check(&pt, made, objects, kind);
}

#[test]
fn numbers_lead_to_what_is_exposed() {
    check_number(|_, [.., input]| input, &["external"]);
    check_number(|b, [x, _, input]| b.bin(BinOp::Add, x, input), &["x"]);
    check_number(|b, [x, ..]| b.bin(BinOp::Mul, x, x), &["external", "x"]);
    let by_difference = |b: &mut Builder, [x, y, _]: [ExprId; 3]| {
        let difference = b.bin(BinOp::Sub, y, x);
        b.bin(BinOp::Add, x, difference)
    };
    check_number(by_difference, &["external", "x", "y"]);
    let compared = |b: &mut Builder, [_, y, input]: [ExprId; 3]| {
        let cond = b.bin(BinOp::Eq, input, y);
        b.program.exprs.add(ExprKind::Ite(cond, input, input), ULONG)
    };
    check_number(compared, &["external", "y"]);
    // No more is known of `x` than that it is no null pointer.
    let tested = |b: &mut Builder, [x, _, input]: [ExprId; 3]| {
        let zero = b.constant(0, ULONG);
        let cond = b.bin(BinOp::Eq, x, zero);
        b.program.exprs.add(ExprKind::Ite(cond, input, input), ULONG)
    };
    check_number(tested, &["external"]);
    // It is no address of memory that is not the program's.
    let placed = |b: &mut Builder, [x, _, input]: [ExprId; 3]| {
        let start = external_range(b.program.machine).start;
        let start = b.constant(start as i64, ULONG);
        let cond = b.bin(BinOp::Ge, x, start);
        b.program.exprs.add(ExprKind::Ite(cond, input, input), ULONG)
    };
    check_number(placed, &["external"]);
}

#[test]
fn arithmetic_on_integers_is_conservative() {
    let mut s = Seq::new();
    let (x, y) = (s.b.mem(None, "x", 8), s.b.mem(None, "y", 8));
    let regs: Vec<_> = ["n", "m", "k"].iter().map(|r| s.b.reg(None, r, LONG)).collect();
    let (ax, ay) = (s.b.addr(x), s.b.addr(y));
    for (reg, addr) in [(regs[0], ax), (regs[1], ay)] {
        let cast = s.b.cast(addr, LONG);
        s.assign(reg, cast);
    }
    let (n, m, k) = (s.b.var(regs[0]), s.b.var(regs[1]), s.b.var(regs[2]));
    let mixed = s.b.bin(BinOp::BitXor, n, m);
    s.assign(regs[2], mixed);
    let p = s.b.cast(k, Scalar::Ptr);
    let one = s.b.int(1);
    s.store(p, one);
    let pt = s.solve();
    s.check(&pt, p, &["external", "x", "y"], RegionKind::Bytes);
}

#[test]
fn memory_operations() {
    let mut s = Seq::new();
    let (x, y, t) = (s.b.mem(None, "x", 16), s.b.mem(None, "y", 16), s.b.mem(None, "t", 4));
    let (ax, ay, at, one) = (s.b.addr(x), s.b.addr(y), s.b.addr(t), s.b.int(1));
    let x8 = s.b.at(ax, 8);
    let y8 = s.b.at(ay, 8);
    s.store(ax, one);
    s.store(x8, at);
    s.ops.push(Op::MemCopy { dst: ay, src: ax, len: 16 });
    let loaded = s.read(y8, Scalar::Ptr);
    s.store(loaded, one);
    let pt = s.solve();
    s.check(&pt, loaded, &["t"], RegionKind::Typed(UINT));
    s.check(&pt, ay, &["x", "y"], RegionKind::Typed(UINT));
    // A copy that ends inside a cell needs bytes.
    let mut s = Seq::new();
    let x = s.b.mem(None, "x", 16);
    let (ax, byte, one) = (s.b.addr(x), s.b.int(0), s.b.int(1));
    s.store(ax, one);
    s.ops.push(Op::MemSet { dst: ax, byte, len: 2 });
    let pt = s.solve();
    s.check(&pt, ax, &["x"], RegionKind::Bytes);
}

#[test]
fn allocations_and_lists() {
    let mut s = Seq::new();
    let (p, head) = (s.ptr("p"), s.ptr("head"));
    let (vp, vh) = (s.b.var(p), s.b.var(head));
    let size = s.b.constant(16, ULONG);
    s.ops.push(Op::Alloc { dst: p, size, align: crate::layout::ALLOCATED, kind: AllocKind::Heap });
    let next = s.b.at(vp, 8);
    s.store(next, vh);
    s.assign(head, vp);
    let one = s.b.int(1);
    s.store(vh, one);
    let load = s.read(next, Scalar::Ptr);
    s.store(load, one);
    let pt = s.solve();
    s.check(&pt, load, &["alloc"], RegionKind::Typed(UINT));
    s.check(&pt, next, &["alloc"], RegionKind::Typed(Scalar::Ptr));
    assert!(pt.may_alias(load, vh));
    assert_eq!(pt.classes_of_register(p).len(), 2);
}

#[test]
fn calls_bind_parameters_and_results() {
    let mut s = Seq::new();
    let f = s.b.func("f", &[Scalar::Ptr]);
    let ret = s.b.ret(f, Scalar::Ptr);
    let param = s.b.program.functions[f].params[0];
    let vparam = s.b.var(param);
    let moved = s.b.at(vparam, 4);
    let (entry, exit) = (s.b.entry(f), s.b.exit(f));
    s.b.edge(entry, exit, Op::Assign { dst: ret, src: moved });
    let x = s.b.mem(None, "x", 8);
    let (ax, q, one) = (s.b.addr(x), s.ptr("q"), s.b.int(1));
    let call = s.b.call_to(Some(q), f, &[ax]);
    s.ops.push(call);
    let vq = s.b.var(q);
    s.store(vq, one);
    s.store(ax, one);
    let pt = s.solve();
    s.check(&pt, vq, &["x"], RegionKind::Typed(UINT));
    assert!(!pt.may_alias(vq, ax));
    let x4 = pt.cells(ax, 8);
    assert_eq!(x4.iter().map(|c| c.offset).collect::<Vec<_>>(), [0, 4]);
    assert_eq!(pt.class_of_address(vq), x4[1].class);
}

#[test]
fn function_pointers_are_resolved() {
    let mut s = Seq::new();
    let (x, y) = (s.b.mem(None, "x", 8), s.b.mem(None, "y", 8));
    let q = s.ptr("q");
    let mut fs = Vec::new();
    for (name, key) in [("f", 1), ("g", 1), ("h", 2), ("unused", 1)] {
        // `h` takes another type, so that no call with a pointer works with it.
        let f = s.b.func(name, &[if name == "h" { Scalar::INT } else { Scalar::Ptr }]);
        s.b.program.functions[f].ty_key = key;
        fs.push(f);
    }
    // `f` makes `g` known, through a global in memory.
    let table = s.b.mem(None, "table", 8);
    let (at, fg, fh) = (s.b.addr(table), s.b.func_addr(fs[1]), s.b.func_addr(fs[2]));
    s.b.func_addr(fs[3]);
    let (entry, exit) = (s.b.entry(fs[0]), s.b.exit(fs[0]));
    s.b.chain(entry, exit, [Op::Store { addr: at, value: fg }, Op::Store { addr: at, value: fh }]);
    s.b.program.functions[fs[0]].address_taken = true;
    let init = Init { cells: vec![(0, Scalar::Ptr, InitValue::Function(fs[0]))], ..Init::default() };
    s.b.program.vars[table].init = Some(Box::new(init));
    let callee = s.read(at, Scalar::Ptr);
    let (ax, ay, vq, one) = (s.b.addr(x), s.b.addr(y), s.b.var(q), s.b.int(1));
    let gparam = s.b.program.functions[fs[1]].params[0];
    let vg = s.b.var(gparam);
    let (entry, exit) = (s.b.entry(fs[1]), s.b.exit(fs[1]));
    s.b.edge(entry, exit, Op::Store { addr: vg, value: one });
    s.ops.push(Op::CallPtr { callee, args: [ax].into(), dst: None, ty_key: 1 });
    s.assign(q, ay);
    s.store(vq, one);
    let pt = s.solve();
    assert_eq!(pt.functions_of(callee), fs[..3]);
    let targets = pt.targets(&s.b.program, &PointerCall { callee, args: &[ax], dst: None, ty_key: 1 });
    assert_eq!(
        targets,
        Targets { functions: fs[..2].to_vec(), misfits: vec![fs[2]], may_be_unknown: false, is_from_outside: false }
    );
    s.check(&pt, vg, &["x"], RegionKind::Typed(UINT));
    // Nothing of this type is known: every function of the type is possible.
    let targets = pt.targets(&s.b.program, &PointerCall { callee: vq, args: &[ax], dst: None, ty_key: 1 });
    assert_eq!(
        targets,
        Targets { functions: vec![fs[0], fs[1], fs[3]], misfits: vec![], may_be_unknown: true, is_from_outside: false }
    );
}

#[test]
fn external_functions_return_what_was_stored_where_they_read() {
    let mut s = Seq::new();
    let vars: Vec<_> = ["x", "y"].iter().map(|n| s.b.mem(None, n, 8)).collect();
    let (ax, ay, one) = (s.b.addr(vars[0]), s.b.addr(vars[1]), s.b.int(1));
    let (write, give) = (s.b.extern_func("write"), s.b.extern_func("give"));
    s.b.program.functions[write].outside = Outside::KeepsContent(0);
    let q = s.ptr("q");
    s.store(ax, ay);
    let calls = [s.b.call(write, &[ax]), s.b.call_to(Some(q), give, &[])];
    s.ops.extend(calls);
    let vq = s.b.var(q);
    s.store(vq, one);
    let pt = s.solve();
    s.check(&pt, vq, &["external", "y"], RegionKind::Bytes);
}

#[test]
fn external_functions_return_what_escaped() {
    for returns in [false, true] {
        let mut s = Seq::new();
        let vars: Vec<_> = ["x", "y", "z"].iter().map(|n| s.b.mem(None, n, 8)).collect();
        let (ax, ay, az, one) = (s.b.addr(vars[0]), s.b.addr(vars[1]), s.b.addr(vars[2]), s.b.int(1));
        let keep = s.b.extern_func("keep");
        let give = s.b.extern_func("give");
        let print = s.b.extern_func("printf");
        s.b.program.functions[print].outside = Outside::KeepsNothing;
        let q = s.ptr("q");
        s.store(ax, ay);
        let calls = [s.b.call(keep, &[ax]), s.b.call(print, &[az])];
        s.ops.extend(calls);
        s.store(az, one);
        if returns {
            let call = s.b.call_to(Some(q), give, &[]);
            s.ops.push(call);
        }
        let vq = s.b.var(q);
        s.store(vq, one);
        let pt = s.solve();
        let objects: &[&str] = if returns { &["external", "x", "y"] } else { &[] };
        s.check(&pt, vq, objects, if returns { RegionKind::Bytes } else { RegionKind::Typed(UINT) });
    }
}

#[test]
fn environment_pointers_are_external() {
    let mut s = Seq::new();
    let p = s.ptr("p");
    s.ops.push(Op::Havoc { dst: p, source: HavocSource::Environment });
    let (vp, one) = (s.b.var(p), s.b.int(1));
    s.store(vp, one);
    let block = s.b.mem(None, "block", 16);
    let ab = s.b.addr(block);
    let ab8 = s.b.at(ab, 8);
    s.ops.push(Op::MemHavoc { dst: ab, len: Reach::Bytes(16), source: HavocSource::Environment });
    let inner = s.read(ab8, Scalar::Ptr);
    s.store(inner, one);
    let pt = s.solve();
    s.check(&pt, vp, &["external"], RegionKind::Bytes);
    s.check(&pt, inner, &["external"], RegionKind::Bytes);
    s.check(&pt, ab8, &["block"], RegionKind::Typed(Scalar::Ptr));
}
