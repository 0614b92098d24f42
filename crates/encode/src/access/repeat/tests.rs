//! Ranges that iterations write against the same iterations one by one, and the conditions on places against all pairs of iterations.

use super::far_iteration;
use crate::encoder::{Encoder, Ending};
use crate::memory::object::ObjId;
use crate::repeats::Track;
use crate::state::{FrameSlots, State};
use base::Id;
use cfa::build::Builder;
use cfa::{BinOp, ExprId, MovingRead, MovingWrite, Program, Repeat, Scalar, VarId};
use smt::eval::eval;
use smt::{Assignment, Sort, TermId, Value};

const U32: Scalar = Scalar::Int { bits: 32, signed: false };
const U64: Scalar = Scalar::Int { bits: 64, signed: false };
const FRAME: FrameSlots = FrameSlots(0);

/// `for (j = 0; j < count; j++) *(a + first + j·stride) = *(b + from + j·read_stride) + j;`
#[derive(Clone, Copy)]
struct Loop {
    /// Bytes of each of the arrays.
    size: u64,
    first: i64,
    stride: i64,
    /// Reads from the array that is written, if it is its own.
    is_own: bool,
    from: i64,
    read_stride: i64,
}

struct Scene {
    program: Program,
    arrays: [VarId; 2],
    count: VarId,
    repeat: Repeat,
}

fn scene(looping: Loop) -> Scene {
    let mut b = Builder::new();
    let arrays = ["a", "b"].map(|name| b.mem(None, name, looping.size));
    let [count, index] = ["count", "index"].map(|name| b.reg(None, name, U64));
    let [n, at] = [count, index].map(|var| b.var(var));
    let [target, other] = arrays.map(|var| b.addr(var));
    let source = if looping.is_own { target } else { other };
    let (first, from) = (b.at(target, looping.first), b.at(source, looping.from));
    let (addr, read) = (b.index(first, at, looping.stride), b.index(from, at, looping.read_stride));
    let (loaded, number) = (b.load(read, U32), b.cast(at, U32));
    let value = b.bin(BinOp::Add, loaded, number);
    let repeat = Repeat {
        count: n,
        index,
        inputs: Vec::new(),
        require: Vec::new(),
        writes: vec![MovingWrite { first, stride: looping.stride, addr, value }],
        reads: vec![MovingRead { first: from, stride: looping.read_stride, bytes: 4 }],
    };
    Scene { program: b.program, arrays, count, repeat }
}

/// The elements before: of `a` from 100 on, of `b` from 900 on.
fn elements(size: u64) -> [Vec<u32>; 2] {
    [100, 900].map(|base| (0..size as u32 / 4).map(|i| base + 3 * i).collect())
}

/// Encodes the loop with an unknown count; gives also the address of `a` and the count.
fn encode<'p>(scene: &'p Scene, size: u64) -> (Encoder<'p>, State, TermId, TermId) {
    let mut enc = Encoder::new(&scene.program, Box::new(|_, _| true)).expect("fits");
    let mut state = enc.initial_state();
    let expr: ExprId = Id::from_index(0);
    let addresses = scene.arrays.map(|var| enc.address_of(&mut state, FRAME, var));
    for (base, content) in addresses.into_iter().zip(elements(size)) {
        for (i, element) in content.into_iter().enumerate() {
            let (offset, value) = (enc.terms.bv(64, 4 * i as u128), enc.terms.bv(32, u128::from(element)));
            let address = enc.terms.bv_add(base, offset);
            enc.store(&mut state, expr, address, value, U32).expect("in bounds");
        }
    }
    let count = enc.terms.fresh_var("count", Sort::BitVec(64));
    enc.assign(&mut state, FRAME, scene.count, count);
    enc.repeat(&mut state, FRAME, &scene.repeat).expect("some counts are possible");
    (enc, state, addresses[0], count)
}

fn number(enc: &Encoder<'_>, assignment: &Assignment, term: TermId) -> u128 {
    match eval(&enc.terms, assignment, term) {
        Value::Bv { value, .. } => value,
        Value::Bool(value) => u128::from(value),
        other => panic!("{other:?}"),
    }
}

fn counts(count: TermId, value: u128) -> Assignment {
    let mut assignment = Assignment::default();
    assignment.insert(count, Value::Bv { width: 64, value });
    assignment
}

/// Compares each element after the loop with what iterations one by one write, for counts up to `most`; the next count must be impossible.
#[track_caller]
fn agrees(looping: Loop, most: u64) {
    let scene = scene(looping);
    let (mut enc, mut state, base, count) = encode(&scene, looping.size);
    let index = enc.terms.fresh_var("index", Sort::BitVec(64));
    let four = enc.terms.bv(64, 4);
    let offset = enc.terms.bv_mul(index, four);
    let address = enc.terms.bv_add(base, offset);
    let guard = enc.guards.formula(state.guard);
    let loaded = enc.load(&mut state, Id::from_index(0), address, U32).expect("in bounds");
    for n in 1..=most + 1 {
        let mut assignment = counts(count, u128::from(n));
        assert_eq!(number(&enc, &assignment, guard) == 1, n <= most, "{n} iterations");
        if n > most {
            break;
        }
        let mut memory = elements(looping.size);
        for j in 0..n as i64 {
            let read = memory[usize::from(!looping.is_own)][((looping.from + j * looping.read_stride) / 4) as usize];
            memory[0][((looping.first + j * looping.stride) / 4) as usize] = read.wrapping_add(j as u32);
        }
        for (i, element) in memory[0].iter().enumerate() {
            assignment.insert(index, Value::Bv { width: 64, value: i as u128 });
            assert_eq!(number(&enc, &assignment, loaded), u128::from(*element), "element {i} after {n} iterations");
        }
    }
}

const COPY: Loop = Loop { size: 80, first: 0, stride: 4, is_own: false, from: 0, read_stride: 4 };

#[test]
fn copies() {
    agrees(COPY, 20);
    // An array of a size whose elements are told by a layer.
    agrees(Loop { size: 240, ..COPY }, 60);
}

#[test]
fn wide_strides() {
    agrees(Loop { first: 8, stride: 12, ..COPY }, 6);
    agrees(Loop { size: 240, first: 4, stride: 16, from: 8, ..COPY }, 15);
    agrees(Loop { size: 240, first: 0, stride: 12, read_stride: 0, ..COPY }, 20);
}

#[test]
fn negative_strides() {
    agrees(Loop { first: 76, stride: -4, ..COPY }, 20);
    agrees(Loop { size: 240, first: 236, stride: -12, from: 200, read_stride: -4, ..COPY }, 20);
}

#[test]
fn reads_ahead_of_writes() {
    agrees(Loop { size: 240, is_own: true, from: 4, ..COPY }, 59);
    agrees(Loop { size: 240, is_own: true, ..COPY }, 60);
    agrees(Loop { size: 240, is_own: true, first: 236, stride: -4, from: 232, read_stride: -4 }, 59);
}

#[test]
fn reads_behind_writes_are_not_followed() {
    // The first iteration alone reads nothing that was written.
    agrees(Loop { size: 240, is_own: true, first: 4, ..COPY }, 1);
    // Ranges that only meet after some iterations.
    agrees(Loop { size: 240, is_own: true, first: 40, from: 0, ..COPY }, 10);
}

#[test]
fn counts_that_wrap_around_are_outside() {
    for stride in [4, -4, 12] {
        let first = if stride < 0 { 236 } else { 0 };
        let scene = scene(Loop { size: 240, first, stride, ..COPY });
        let (enc, state, _, count) = encode(&scene, 240);
        let guard = enc.guards.formula(state.guard);
        // Four bytes times this count is nothing at all.
        for n in [1 << 62, (1 << 62) + 1, 1 << 63, u128::from(u64::MAX)] {
            let assignment = counts(count, n);
            assert_eq!(number(&enc, &assignment, guard), 0, "{n} iterations by {stride}");
            // Such runs are not lost.
            let ends = |ending: &Ending| number(&enc, &assignment, enc.guards.formula(ending.guard)) == 1;
            assert!(enc.endings.iter().any(ends), "{n} iterations by {stride}");
        }
    }
}

/// All tracks of small numbers, at offsets of one object.
fn tracks(enc: &mut Encoder<'_>, object: ObjId, strides: &[i64]) -> Vec<(i64, Track)> {
    let mut all = Vec::new();
    for first in [40i64, 41, 44, 48, 52] {
        for &stride in strides {
            for bytes in [1, 4, 8] {
                let offset = enc.terms.bv(64, first as u128);
                all.push((first, Track { object, first: offset, stride, bytes }));
            }
        }
    }
    all
}

fn overlap((a, x): (i64, u32), (b, y): (i64, u32)) -> bool {
    a < b + i64::from(y) && b < a + i64::from(x)
}

#[test]
fn conditions_on_places_are_sound() {
    let scene = scene(COPY);
    let (mut enc, _, _, _) = encode(&scene, 80);
    let object = enc.objects.global(scene.arrays[0]).expect("a global");
    let tracks = tracks(&mut enc, object, &[4, 8, 12, -4, -12]);
    let count = enc.terms.bv(64, 4);
    let (mut ahead, mut never) = (0, 0);
    for (a, read) in &tracks {
        for (b, write) in &tracks {
            let place = |first: i64, track: &Track, j: i64| (first + j * track.stride, track.bytes);
            let apart = enc.reads_before(*read, *write, count);
            if enc.terms.is_true(apart) {
                ahead += 1;
                let early = (0..4).flat_map(|j| (0..j).map(move |i| (i, j)));
                for (i, j) in early {
                    assert!(!overlap(place(*b, write, i), place(*a, read, j)), "{read:?} after {write:?}");
                }
            }
            let apart = enc.never_meet(*read, *write);
            if enc.terms.is_true(apart) {
                never += 1;
                for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))).filter(|(i, j)| i != j) {
                    assert!(!overlap(place(*a, read, i), place(*b, write, j)), "{read:?} and {write:?}");
                }
            }
        }
    }
    assert!(ahead > 500 && never > 50, "{ahead} and {never} of {} pairs", tracks.len() * tracks.len());
}

#[test]
fn offsets_are_hit_by_their_iteration() {
    let scene = scene(COPY);
    let (mut enc, _, _, _) = encode(&scene, 80);
    let object = enc.objects.global(scene.arrays[0]).expect("a global");
    let count = enc.terms.bv(64, 5);
    for stride in [4, 8, 12, -4, -12] {
        let first = enc.terms.bv(64, 60);
        let track = Track { object, first, stride, bytes: 4 };
        for offset in 0..128i64 {
            let term = enc.terms.bv(64, offset as u128);
            let (hit, iteration) = enc.hit(track, count, term);
            let expected = (0..5).find(|j| 60 + j * stride == offset);
            assert_eq!(enc.terms.is_true(hit), expected.is_some(), "offset {offset} by {stride}");
            if let Some(j) = expected {
                assert_eq!(enc.terms.as_bv_const(iteration), Some(j as u128));
            }
        }
    }
}

#[test]
fn far_iterations_are_found() {
    let beyond = |first: u128| move |n: u128| (n >= first).then_some(n);
    assert_eq!(far_iteration(1 << 40, beyond(142_858)), Some(142_858));
    assert_eq!(far_iteration(600, beyond(570)), Some(570));
    assert_eq!(far_iteration(1 << 20, |_| None::<u128>), None);
    // Nothing is said of iterations that there are not.
    assert_eq!(far_iteration(1000, beyond(1000)), None);
}
