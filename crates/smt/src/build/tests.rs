//! Tests of the simplifying constructors: rules that others rely on, and that no rule changes a value.

use crate::random::{Choices, Pair, RandomTerms, Theory};
use crate::value::mask;
use crate::{BinOp, FloatSort, Sort, TermId, Terms, UnOp, Value};
use proptest::prelude::*;

/// Builds random terms by both ways and compares their values.
fn check_values(theory: Theory, mut choices: Choices, steps: usize) {
    let mut random = RandomTerms::new(theory, &mut choices);
    for _ in 0..steps {
        random.grow(&mut choices);
    }
    for _ in 0..4 {
        let assignment = random.assignment(&mut choices);
        random.check_values(&assignment, random.pairs());
    }
    assert_eq!(random.terms.depth, 0, "nested rules are balanced");
}

#[test]
fn constructors_keep_values() {
    for seed in 0..6000 {
        check_values(Theory::Narrow, Choices::from_seed(seed), 60);
    }
    for theory in [Theory::BitVectors, Theory::Arrays, Theory::Floats, Theory::CheapFloats] {
        for seed in 0..1500 {
            check_values(theory, Choices::from_seed(seed), 60);
        }
    }
}

/// Terms of a width in the shapes that rules look for, each built by the two ways.
fn forms(random: &mut RandomTerms, width: u32) -> Vec<Pair> {
    let sort = Sort::BitVec(width);
    let same = |random: &mut RandomTerms, t: TermId| {
        random.vars.push(t);
        Pair { raw: t, simple: t }
    };
    let (x, y) = (random.terms.var("x", sort), random.terms.var("y", sort));
    let (x, y) = (same(random, x), same(random, y));
    let c = random.terms.var("c", Sort::Bool);
    let c = same(random, c);
    let mut forms = vec![x, y];
    for value in 0..=mask(width) {
        let t = random.terms.bv(width, value);
        forms.push(Pair { raw: t, simple: t });
    }
    let constants = forms[2..].to_vec();
    for inner in 1..width {
        let var = random.terms.var("n", Sort::BitVec(inner));
        let rest = random.terms.var("m", Sort::BitVec(width - inner));
        let (var, rest) = (same(random, var), same(random, rest));
        let extra = (width - inner) as u8;
        forms.push(random.apply_un(UnOp::ZeroExt(extra), var));
        forms.push(random.apply_un(UnOp::SignExt(extra), var));
        forms.push(random.apply_bin(BinOp::Concat, var, rest));
        let zeros = random.terms.bv(width - inner, 0);
        let zeros = Pair { raw: zeros, simple: zeros };
        forms.push(random.apply_bin(BinOp::Concat, var, zeros));
    }
    use BinOp::*;
    for op in [BvAdd, BvSub, BvXor, BvAnd, BvMul] {
        forms.push(random.apply_bin(op, x, y));
    }
    for op in [UnOp::BvNeg, UnOp::BvNot] {
        forms.push(random.apply_un(op, x));
    }
    for (i, &k) in constants.iter().enumerate() {
        for op in [BvAdd, BvSub, BvMul, BvAnd, BvOr, BvXor, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr] {
            if (i + op as usize).is_multiple_of(3) {
                forms.push(random.apply_bin(op, x, k));
            }
        }
        forms.push(random.apply_bin(BvSub, k, x));
        let next = constants[(i * 5 + 3) % constants.len()];
        forms.push(random.apply_ite(c, k, next));
        forms.push(random.apply_ite(c, x, next));
        forms.push(random.apply_ite(c, k, y));
    }
    forms.push(random.apply_ite(c, x, y));
    forms
}

/// Every operator on every pair of forms.
#[test]
fn operators_on_forms_keep_values() {
    use BinOp::*;
    for width in [1, 3, 4] {
        let mut choices = Choices::from_seed(u64::from(width));
        let mut random = RandomTerms::new(Theory::Narrow, &mut choices);
        let forms = forms(&mut random, width);
        let mut pairs = Vec::new();
        for &a in &forms {
            for hi in 0..width as u8 {
                pairs.extend((0..=hi).map(|lo| random.apply_un(UnOp::Extract { hi, lo }, a)));
            }
            for op in [UnOp::ZeroExt(2), UnOp::SignExt(2), UnOp::BvNot, UnOp::BvNeg] {
                pairs.push(random.apply_un(op, a));
            }
            for &b in &forms {
                for op in [
                    Eq, BvUlt, BvUle, BvSlt, BvSle, BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr,
                    BvXor, BvShl, BvLshr, BvAshr, Concat,
                ] {
                    pairs.push(random.apply_bin(op, a, b));
                }
            }
        }
        for _ in 0..4 {
            let assignment = random.assignment(&mut choices);
            random.check_values(&assignment, pairs.iter().copied());
        }
    }
}

/// Every connective on every pair of formulas that say something about the same variables.
#[test]
fn connectives_keep_values() {
    let mut choices = Choices::from_seed(1);
    let mut random = RandomTerms::new(Theory::Narrow, &mut choices);
    let mut formulas = Vec::new();
    let x = random.terms.var("x", Sort::BitVec(3));
    random.vars.push(x);
    for value in 0..8 {
        let c = random.terms.bv(3, value);
        for op in [BinOp::Eq, BinOp::BvUlt, BinOp::BvSlt] {
            let atom = random.apply_bin(op, Pair { raw: x, simple: x }, Pair { raw: c, simple: c });
            formulas.push(atom);
            formulas.push(random.apply_un(UnOp::Not, atom));
        }
    }
    let c = random.terms.var("c", Sort::Bool);
    random.vars.push(c);
    formulas.push(Pair { raw: c, simple: c });
    let atoms = formulas.clone();
    for (i, &a) in atoms.iter().enumerate() {
        let b = atoms[(i * 7 + 3) % atoms.len()];
        let both = random.apply_bin(BinOp::And, a, b);
        formulas.push(both);
        formulas.push(random.apply_un(UnOp::Not, both));
        formulas.push(random.apply_bin(BinOp::And, both, *formulas.last().unwrap_or(&a)));
    }
    let mut pairs = Vec::new();
    for (i, &a) in formulas.iter().enumerate() {
        for &b in &formulas {
            for op in [BinOp::And, BinOp::Or, BinOp::Eq] {
                pairs.push(random.apply_bin(op, a, b));
            }
            pairs.push(random.apply_ite(a, b, formulas[(i * 11 + 5) % formulas.len()]));
        }
    }
    for value in 0..8 {
        for truth in [true, false] {
            let assignment = [(x, Value::Bv { width: 3, value }), (c, Value::Bool(truth))].into_iter().collect();
            random.check_values(&assignment, pairs.iter().copied());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn constructors_keep_values_of_narrow_terms(choices: Vec<u32>) {
        check_values(Theory::Narrow, Choices::from_list(choices), 25);
    }

    #[test]
    fn constructors_keep_values_of_bit_vectors(choices: Vec<u32>) {
        check_values(Theory::BitVectors, Choices::from_list(choices), 25);
    }

    #[test]
    fn constructors_keep_values_of_arrays(choices: Vec<u32>) {
        check_values(Theory::Arrays, Choices::from_list(choices), 25);
    }

    #[test]
    fn constructors_keep_values_of_floats(choices: Vec<u32>) {
        check_values(Theory::Floats, Choices::from_list(choices), 25);
    }
}

/// Variables of the tests below: Bools `g c d`, 32-bit `x y`, 8-bit `b`, an array `m`.
struct Vars {
    g: TermId,
    c: TermId,
    d: TermId,
    x: TermId,
    y: TermId,
    b: TermId,
    m: TermId,
}

/// Checks that two terms are built equal.
#[track_caller]
fn check(build: impl FnOnce(&mut Terms, &Vars) -> (TermId, TermId)) {
    let mut terms = Terms::new();
    let vars = Vars {
        g: terms.var("g", Sort::Bool),
        c: terms.var("c", Sort::Bool),
        d: terms.var("d", Sort::Bool),
        x: terms.var("x", Sort::BitVec(32)),
        y: terms.var("y", Sort::BitVec(32)),
        b: terms.var("b", Sort::BitVec(8)),
        m: terms.var("m", Sort::bv_array(32, 8)),
    };
    let (actual, expected) = build(&mut terms, &vars);
    let show = |t| crate::smtlib::term_to_string(&terms, t);
    assert_eq!(actual, expected, "\n{}\nis not\n{}", show(actual), show(expected));
}

#[test]
fn guards_merge_where_paths_join() {
    check(|t, v| {
        let not_c = t.not(v.c);
        let (then, els) = (t.and(v.g, v.c), t.and(v.g, not_c));
        (t.or(then, els), v.g)
    });
    // A branch inside a branch, one path of which has left.
    check(|t, v| {
        let (not_c, not_d) = (t.not(v.c), t.not(v.d));
        let then = t.and(v.g, v.c);
        let then_stays = t.and(then, v.d);
        let then_leaves = t.and(then, not_d);
        let els = t.and(v.g, not_c);
        let stays = t.or(els, then_stays);
        (t.or(stays, then_leaves), v.g)
    });
    // Deep guards with shared prefixes.
    check(|t, v| {
        let mut guard = v.g;
        for i in 0..200 {
            let c = t.var(&format!("c{i}"), Sort::Bool);
            guard = t.and(guard, c);
        }
        let not_c = t.not(v.c);
        let (then, els) = (t.and(guard, v.c), t.and(guard, not_c));
        (t.or(then, els), guard)
    });
    // Bounds count as literals: x < 10 or not x < 10.
    check(|t, v| {
        let ten = t.bv(32, 10);
        let (below, above) = (t.slt(v.x, ten), t.sge(v.x, ten));
        let (then, els) = (t.and(v.g, below), t.and(v.g, above));
        (t.or(then, els), v.g)
    });
}

#[test]
fn conjunctions_notice_contradictions() {
    check(|t, v| {
        let not_c = t.not(v.c);
        let rest = t.and(v.d, not_c);
        (t.and(v.c, rest), t.fals())
    });
    check(|t, v| {
        let (three, four) = (t.bv(32, 3), t.bv(32, 4));
        let (is_three, is_four) = (t.eq(v.x, three), t.eq(v.x, four));
        let first = t.and(v.g, is_three);
        (t.and(first, is_four), t.fals())
    });
    check(|t, v| {
        let (three, five) = (t.bv(32, 3), t.bv(32, 5));
        let (is_three, below) = (t.eq(v.x, three), t.ult(v.x, five));
        (t.and(is_three, below), is_three)
    });
    check(|t, v| {
        let not_c = t.not(v.c);
        let either = t.or(not_c, v.d);
        (t.and(v.c, either), t.and(v.c, v.d))
    });
    check(|t, v| {
        let both = t.and(v.c, v.d);
        (t.or(v.c, both), v.c)
    });
}

#[test]
fn conditions_on_constants_disappear() {
    check(|t, v| {
        let as_int = t.bool_to_bv(32, v.c);
        let zero = t.bv(32, 0);
        (t.ne(as_int, zero), v.c)
    });
    check(|t, v| {
        // A state machine: s = c ? 3 : d ? 5 : 7; s + 1 == 6.
        let (three, five, seven) = (t.bv(32, 3), t.bv(32, 5), t.bv(32, 7));
        let inner = t.ite(v.d, five, seven);
        let state = t.ite(v.c, three, inner);
        let next = t.bv_add_const(state, 1);
        let six = t.bv(32, 6);
        let not_c = t.not(v.c);
        (t.eq(next, six), t.and(not_c, v.d))
    });
    check(|t, v| {
        let inner = t.ite(v.c, v.x, v.y);
        let outer = t.ite(v.c, inner, v.x);
        (outer, t.ite(v.c, v.x, v.x))
    });
    check(|t, v| {
        let not_c = t.not(v.c);
        (t.ite(not_c, v.x, v.y), t.ite(v.c, v.y, v.x))
    });
}

#[test]
fn arithmetic_is_normalised() {
    check(|t, v| {
        let one = t.bv_add_const(v.x, 1);
        (t.bv_add_const(one, 2), t.bv_add_const(v.x, 3))
    });
    check(|t, v| {
        let sixty = t.bv(32, 60);
        let (quotient, remainder) = (t.bv_udiv(v.x, sixty), t.bv_urem(v.x, sixty));
        let product = t.bv_mul(sixty, quotient);
        (t.bv_add(remainder, product), v.x)
    });
    check(|t, v| {
        let (quotient, remainder) = (t.bv_sdiv(v.x, v.y), t.bv_srem(v.x, v.y));
        let product = t.bv_mul(quotient, v.y);
        (t.bv_add(product, remainder), v.x)
    });
    check(|t, v| {
        let sum = t.bv_add(v.x, v.y);
        (t.bv_sub(sum, v.x), v.y)
    });
    check(|t, v| {
        let next = t.bv_add_const(v.x, 1);
        let (seven, six) = (t.bv(32, 7), t.bv(32, 6));
        (t.eq(next, seven), t.eq(v.x, six))
    });
    check(|t, v| {
        // (i + 1) * 4 = i * 4 + 4.
        let (next, four) = (t.bv_add_const(v.x, 1), t.bv(32, 4));
        let (scaled_next, scaled) = (t.bv_mul(next, four), t.bv_mul(v.x, four));
        (scaled_next, t.bv_add_const(scaled, 4))
    });
    check(|t, v| {
        // (char)((int)b + 1).
        let wide = t.sign_ext(24, v.b);
        let sum = t.bv_add_const(wide, 1);
        (t.extract(7, 0, sum), t.bv_add_const(v.b, 1))
    });
    check(|t, v| {
        let wide = t.zero_ext(24, v.b);
        let limit = t.bv(32, 256);
        (t.slt(wide, limit), t.tru())
    });
    check(|t, v| {
        // x % 2 == 0 on signed numbers.
        let (two, zero, bit) = (t.bv(32, 2), t.bv(32, 0), t.bv(1, 1));
        let remainder = t.bv_srem(v.x, two);
        let low = t.extract(0, 0, v.x);
        let odd = t.eq(low, bit);
        (t.eq(remainder, zero), t.not(odd))
    });
}

#[test]
fn bytes_are_put_together() {
    check(|t, v| {
        let parts = [t.extract(31, 24, v.x), t.extract(23, 16, v.x), t.extract(15, 8, v.x), t.extract(7, 0, v.x)];
        let (hi, lo) = (t.concat(parts[0], parts[1]), t.concat(parts[2], parts[3]));
        (t.concat(hi, lo), v.x)
    });
    check(|t, v| {
        // (b << 8) | b by shifts of 32 bits.
        let wide = t.zero_ext(24, v.b);
        let eight = t.bv(32, 8);
        let shifted = t.bv_shl(wide, eight);
        let both = t.concat(v.b, v.b);
        (t.bv_or(shifted, wide), t.zero_ext(16, both))
    });
}

#[test]
fn reads_see_through_writes() {
    check(|t, v| {
        let next = t.bv_add_const(v.x, 1);
        let first = t.store(v.m, v.x, v.b);
        let zero = t.bv(8, 0);
        let second = t.store(first, next, zero);
        (t.select(second, v.x), v.b)
    });
    check(|t, v| {
        let zero = t.bv(8, 0);
        let guarded = t.store(v.m, v.x, zero);
        let array = t.ite(v.c, guarded, v.m);
        let old = t.select(v.m, v.x);
        (t.select(array, v.x), t.ite(v.c, zero, old))
    });
    check(|t, v| {
        let array = t.default_array(Sort::bv_array(32, 8));
        (t.select(array, v.x), t.bv(8, 0))
    });
    check(|t, v| {
        let (one, two, zero) = (t.bv(32, 1), t.bv(32, 2), t.bv(8, 0));
        let a = t.store(v.m, one, zero);
        let b = t.store(a, two, v.b);
        let again = t.store(b, one, v.b);
        let direct = t.store(v.m, two, v.b);
        (again, t.store(direct, one, v.b))
    });
}

#[test]
fn floats_fold() {
    let double = |x: f64| u128::from(x.to_bits());
    check(|t, _| {
        let (a, b) = (t.fp_const(double(0.1), FloatSort::F64), t.fp_const(double(0.2), FloatSort::F64));
        (t.fp_add(a, b), t.fp_const(double(0.1 + 0.2), FloatSort::F64))
    });
    check(|t, _| {
        let (a, b) = (t.fp_const(double(-7.5), FloatSort::F64), t.fp_const(double(2.0), FloatSort::F64));
        (t.fp_fmod(a, b), t.fp_const(double(-1.5), FloatSort::F64))
    });
    check(|t, v| {
        let float = t.fp_from_sbv(FloatSort::F64, v.x);
        (t.fp_to_sbv(32, float), v.x)
    });
    check(|t, _| {
        let one = t.fp_const(double(1.0), FloatSort::F64);
        let long = t.fp_to_fp(FloatSort::X87, one);
        (t.fp_to_x87_bits(long), t.bv(80, 0x3fff_8000_0000_0000_0000))
    });
}

/// What is known of a term follows from its children's: a search through 100 levels of shared terms would have no end.
#[test]
fn shared_terms_are_known_at_once() {
    let mut terms = Terms::new();
    let mut t = terms.var("x", Sort::BitVec(64));
    for _ in 0..100 {
        let twice = terms.bv_mul(t, t);
        let product = terms.bv_mul(twice, t);
        t = terms.bv_xor(twice, product);
    }
    let eight = terms.bv(64, 8);
    let low = terms.bv_mul(t, eight);
    assert_eq!(terms.congruence(low).zeros(), 3);
    let seven = terms.bv(64, 7);
    assert_eq!(terms.eq(low, seven), terms.fals());
}
