//! Numbers and states against what programs compute: laws of the lattice, and soundness of each operator and operation.

use super::env::Env;
use super::post::post;
use crate::numerical::number::number;
use crate::numerical::{Cell, Num, Place, Scope};
use crate::testing::laws::{Domain, THRESHOLDS, lattice_laws};
use crate::testing::programs::{ARITHMETIC, COMPARISONS, Case, Run, TYPES, bits, member};
use base::Id;
use cfa::eval::{eval_binary, eval_cast};
use cfa::{BinOp, EdgeId, Scalar, Value};
use proptest::prelude::*;
use step::StackId;

/// A set with some of its members.
type Members = (Num, Vec<i128>);

fn set(ty: Scalar) -> impl Strategy<Value = Members> {
    (prop::collection::vec(member(ty), 1..4), 0..3u8).prop_map(move |(members, loose)| {
        let mut num = members.iter().map(|v| Num::single(*v)).reduce(Num::join).expect("not empty");
        if loose == 1 {
            num = Num::single(members[0]).widen(num, &[-1, 0, 1, 10, 100], ty);
        } else if loose == 2 {
            num = Num::interval(num.lo, num.hi).expect("not empty");
        }
        (num, members)
    })
}

fn typed() -> impl Strategy<Value = (Scalar, Members, Members)> {
    (0..TYPES.len()).prop_flat_map(|t| (Just(TYPES[t]), set(TYPES[t]), set(TYPES[t])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn lattice((ty, (a, xs), (b, ys)) in typed()) {
        let joined = a.join(b);
        prop_assert!(a.leq(joined) && b.leq(joined) && a.leq(a) && a.leq(Num::top(ty)));
        prop_assert_eq!(joined, b.join(a));
        prop_assert!(xs.iter().all(|x| a.contains(*x) && joined.contains(*x)));
        prop_assert!(ys.iter().all(|y| joined.contains(*y)));
        let widened = a.widen(b, &[-1, 0, 1, 10, 100], ty);
        prop_assert!(joined.leq(widened));
        prop_assert_eq!(widened.widen(widened, &[-1, 0, 1, 10, 100], ty), widened);
        let common: Vec<i128> = xs.iter().chain(&ys).copied().filter(|v| a.contains(*v) && b.contains(*v)).collect();
        match a.meet(b) {
            Some(met) => prop_assert!(common.iter().all(|v| met.contains(*v))),
            None => prop_assert!(common.is_empty()),
        }
        if a.leq(b) {
            prop_assert!(xs.iter().all(|x| b.contains(*x)));
        }
        let without = a.without(xs[0]);
        prop_assert!(xs.iter().all(|x| *x == xs[0] || without.is_some_and(|w| w.contains(*x))));
    }

    #[test]
    fn operators((ty, (a, xs), (b, ys)) in typed()) {
        for &op in ARITHMETIC {
            let result = Num::binary(op, ty, a, b).unwrap_or(Num::top(ty));
            for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                if matches!(op, BinOp::Shl | BinOp::Shr) && y < 0 {
                    continue;
                }
                if let Some(v) = eval_binary(op, ty, bits(x, ty), bits(y, ty), 64) {
                    prop_assert!(result.contains(number(v, ty)), "{:?} {:?}: {} {} not in {:?} of {:?} {:?}", op, ty, x, y, result, a, b);
                }
            }
        }
        for &op in COMPARISONS {
            if let Some(holds) = Num::compare(op, a, b) {
                for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                    prop_assert_eq!(eval_binary(op, ty, bits(x, ty), bits(y, ty), 64), Some(Value::from(holds)));
                }
            }
        }
        for to in TYPES {
            let result = a.fit(to);
            for x in &xs {
                let cast = eval_cast(ty, to, bits(*x, ty), 64).expect("of integers");
                prop_assert!(result.contains(number(cast, to)), "{} from {:?} to {:?}: {:?} of {:?}", x, ty, to, result, a);
            }
        }
    }
}

/// The domain without calls.
struct Intervals<'c> {
    case: &'c Case,
    scope: Scope<'c>,
}

impl<'c> Domain<'c> for Intervals<'c> {
    type State = Env;

    fn new(case: &'c Case) -> Self {
        let root = StackId::from_index(0);
        Self { case, scope: Scope { program: &case.program, stack: root, root } }
    }

    fn top(&mut self) -> Env {
        Env::default()
    }

    fn post(&mut self, state: &Env, edge: EdgeId) -> Option<Env> {
        let mut env = state.clone();
        post(self.scope, &self.case.points_to, &mut env, &self.case.program.edges[edge].op).ok().map(|()| env)
    }

    fn satisfies(&self, run: &Run, env: &Env) -> Result<(), String> {
        let value = |cell: Cell| match cell.place {
            Place::Register(_, var) => number(run[&var], cell.ty),
            Place::Memory(..) => unreachable!("no memory here"),
        };
        for (cell, num) in env.cells() {
            if !num.contains(value(cell)) {
                return Err(format!("{cell:?} = {} is not in {num:?}", value(cell)));
            }
        }
        for ((x, y), bound) in env.differences() {
            if value(x) - value(y) > bound {
                return Err(format!("{} - {} > {bound}", value(x), value(y)));
            }
        }
        Ok(())
    }

    fn leq(&self, lower: &Env, upper: &Env) -> bool {
        lower.leq(upper)
    }

    fn join(&self, a: &Env, b: &Env) -> Option<Env> {
        Some(a.join(b))
    }

    fn widen(&self, old: &Env, newer: &Env) -> Option<Env> {
        Some(old.widen(newer, &THRESHOLDS))
    }
}

lattice_laws!(intervals, Intervals);
