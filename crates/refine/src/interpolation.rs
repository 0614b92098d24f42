//! Interpolation for constraint sequences, and inductive interpolants along a path [loewe13, Alg. 3 and 4].
//!
//! Generic in the assignments and their strongest postcondition. The paper's algorithms start from all variables of the
//! strongest postcondition; a domain that knows which ones a contradiction rests on passes only these as `candidates`.

/// Abstract assignments and a path that contradicts itself.
pub trait PathSemantics {
    /// Abstract assignments.
    type Assignment: Clone;
    /// Variables.
    type Variable: Copy + PartialEq;

    /// Number of operations of the path.
    fn len(&self) -> usize;
    /// Whether the path has no operation.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Replaces the assignment by its strongest postcondition under operation `i`; whether it is free of contradiction.
    fn post(&mut self, v: &mut Self::Assignment, i: usize) -> bool;
    /// Variables that have a value.
    fn variables(&self, v: &Self::Assignment) -> Vec<Self::Variable>;
    /// Makes a variable unknown.
    fn remove(&self, v: &mut Self::Assignment, x: Self::Variable);
    /// Variables that may be needed after operation `i - 1`; `None` if all may be.
    fn candidates(&self, i: usize) -> Option<&[Self::Variable]>;
}

/// How many strongest postconditions may be computed.
#[derive(Clone, Copy, Debug)]
pub struct Steps(pub u64);

/// Whether the suffix from operation `from` on contradicts `v`; `None` when the steps are used up.
fn contradicts<S: PathSemantics>(s: &mut S, v: &S::Assignment, from: usize, steps: &mut Steps) -> Option<bool> {
    let mut v = v.clone();
    for i in from..s.len() {
        steps.0 = steps.0.checked_sub(1)?;
        if !s.post(&mut v, i) {
            return Some(true);
        }
    }
    Some(false)
}

/// Alg. 3: removes variables from `v`, the strongest postcondition of the prefix, as long as the suffix from operation `from`
/// on still contradicts it. When the steps are used up, what is left is an interpolant as well, but perhaps not a minimal
/// one; then `false` is returned.
pub fn interpolate<S: PathSemantics>(s: &mut S, v: &mut S::Assignment, from: usize, steps: &mut Steps) -> bool {
    if let Some(candidates) = s.candidates(from) {
        let mut restricted = v.clone();
        for x in s.variables(v) {
            if !candidates.contains(&x) {
                s.remove(&mut restricted, x);
            }
        }
        match contradicts(s, &restricted, from, steps) {
            Some(true) => *v = restricted,
            Some(false) => {}
            None => return false,
        }
    }
    for x in s.variables(v) {
        let mut without = v.clone();
        s.remove(&mut without, x);
        match contradicts(s, &without, from, steps) {
            Some(true) => *v = without,
            Some(false) => {}
            None => return false,
        }
    }
    true
}

/// Alg. 4: inductive interpolants. The result's element `j` holds before operation `positions[j]`; positions ascend. `None` if
/// the path is free of contradiction, or the steps are used up.
pub fn inductive_interpolants<S: PathSemantics>(
    s: &mut S,
    initial: S::Assignment,
    positions: &[usize],
    steps: &mut Steps,
) -> Option<Vec<S::Assignment>> {
    let mut interpolants = Vec::with_capacity(positions.len());
    let mut v = initial;
    let mut at = 0;
    for position in positions {
        while at < *position {
            steps.0 = steps.0.checked_sub(1)?;
            if !s.post(&mut v, at) {
                return Some(interpolants);
            }
            at += 1;
        }
        if !interpolate(s, &mut v, at, steps) {
            return None;
        }
        interpolants.push(v.clone());
    }
    while at < s.len() {
        if !s.post(&mut v, at) {
            return Some(interpolants);
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Operations of a tiny language.
    #[derive(Clone, Copy)]
    enum Op {
        /// x := n
        Set(char, i64),
        /// x := y + n
        Add(char, char, i64),
        /// x := ?
        Any(char),
        /// [x == n]
        Is(char, i64),
    }

    struct Path<'a>(&'a [Op]);

    impl PathSemantics for Path<'_> {
        type Assignment = BTreeMap<char, i64>;
        type Variable = char;

        fn len(&self) -> usize {
            self.0.len()
        }

        fn post(&mut self, v: &mut Self::Assignment, i: usize) -> bool {
            match self.0[i] {
                Op::Set(x, n) => drop(v.insert(x, n)),
                Op::Add(x, y, n) => match v.get(&y).copied() {
                    Some(y) => drop(v.insert(x, y + n)),
                    None => drop(v.remove(&x)),
                },
                Op::Any(x) => drop(v.remove(&x)),
                Op::Is(x, n) => return *v.entry(x).or_insert(n) == n,
            }
            true
        }

        fn variables(&self, v: &Self::Assignment) -> Vec<char> {
            v.keys().copied().collect()
        }

        fn remove(&self, v: &mut Self::Assignment, x: char) {
            v.remove(&x);
        }

        fn candidates(&self, _: usize) -> Option<&[char]> {
            None
        }
    }

    /// Interpolants before each operation but the first, such as `a0` for a = 0.
    #[track_caller]
    fn check(ops: &[Op], expected: Option<&[&str]>) {
        let positions: Vec<usize> = (1..ops.len()).collect();
        let found = inductive_interpolants(&mut Path(ops), BTreeMap::new(), &positions, &mut Steps(1000));
        let text = |v: &BTreeMap<char, i64>| v.iter().map(|(x, n)| format!("{x}{n}")).collect::<String>();
        let found: Option<Vec<String>> = found.map(|found| found.iter().map(text).collect());
        assert_eq!(found, expected.map(|e| e.iter().map(|s| s.to_string()).collect()));
    }

    #[test]
    fn only_what_the_suffix_needs() {
        use Op::*;
        // a := 0; b := 7; c := a; [c == 1]
        check(&[Set('a', 0), Set('b', 7), Add('c', 'a', 0), Is('c', 1)], Some(&["a0", "a0", "c0"]));
        // A contradiction between two assumptions does not rest on what came before.
        check(&[Set('a', 0), Any('a'), Is('a', 1), Is('a', 2)], Some(&["", "", "a1"]));
        check(&[Set('a', 0), Is('a', 0)], None);
        // Either of two variables would do: the first is dropped.
        check(&[Set('a', 0), Set('b', 0), Is('a', 1), Is('b', 1)], Some(&["", "b0", "b0"]));
    }
}
