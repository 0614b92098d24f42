//! Small Boolean functions, written down as short as possible: prime implicants of the function or of its negation.

use std::collections::BTreeSet;

/// Most atoms of a function.
pub const MAX_ATOMS: usize = 8;

/// A conjunction of literals: the atoms that take part, and which of them hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cube {
    /// Atoms by bit.
    pub atoms: u32,
    /// Those of them that are not negated.
    pub values: u32,
}

/// A function in one of two forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A disjunction of conjunctions.
    Or(Vec<Cube>),
    /// A conjunction of disjunctions: each cube is what must not be.
    AndNot(Vec<Cube>),
}

/// The shorter form of a function of `atoms` atoms; what it is where `possible` is false does not matter.
pub fn shortest(atoms: usize, holds: &dyn Fn(u32) -> bool, possible: &dyn Fn(u32) -> bool) -> Form {
    let (possible, never): (Vec<u32>, Vec<u32>) = (0..1u32 << atoms).partition(|values| possible(*values));
    let (on, off): (Vec<u32>, Vec<u32>) = possible.into_iter().partition(|values| holds(*values));
    let (or, and) = (cover(atoms, &on, &never), cover(atoms, &off, &never));
    let size = |cubes: &[Cube]| cubes.iter().map(|cube| cube.atoms.count_ones() + 1).sum::<u32>();
    // Conjunctions of facts are easier to read.
    if size(&and) <= size(&or) { Form::AndNot(and) } else { Form::Or(or) }
}

/// Few cubes that cover the given points, and others only among those that do not matter.
fn cover(atoms: usize, points: &[u32], never: &[u32]) -> Vec<Cube> {
    let full = (1u32 << atoms) - 1;
    let all = points.iter().chain(never);
    let mut level: BTreeSet<Cube> = all.map(|values| Cube { atoms: full, values: *values }).collect();
    let mut prime = Vec::new();
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for cube in &level {
            let mut merged = false;
            for atom in (0..atoms).map(|i| 1 << i).filter(|atom| cube.atoms & atom != 0) {
                if level.contains(&Cube { atoms: cube.atoms, values: cube.values ^ atom }) {
                    merged = true;
                    next.insert(Cube { atoms: cube.atoms & !atom, values: cube.values & !atom });
                }
            }
            if !merged {
                prime.push(*cube);
            }
        }
        level = next;
    }
    let covers = |cube: &Cube, point: u32| point & cube.atoms == cube.values;
    let mut left: Vec<u32> = points.to_vec();
    let mut chosen = Vec::new();
    // What only one cube covers comes first, then whatever covers most.
    while !left.is_empty() {
        let only = left.iter().find_map(|point| {
            let mut fitting = prime.iter().filter(|cube| covers(cube, *point));
            fitting.next().filter(|_| fitting.next().is_none())
        });
        let gain = |cube: &&Cube| left.iter().filter(|point| covers(cube, **point)).count();
        let Some(best) = only.or_else(|| prime.iter().rev().max_by_key(|cube| gain(cube))).copied() else { break };
        left.retain(|point| !covers(&best, *point));
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(form: &Form, point: u32) -> bool {
        let covers = |cube: &Cube| point & cube.atoms == cube.values;
        match form {
            Form::Or(cubes) => cubes.iter().any(covers),
            Form::AndNot(cubes) => !cubes.iter().any(covers),
        }
    }

    #[test]
    fn forms_are_the_function() {
        for table in 0..1u32 << 16 {
            let form = shortest(4, &|point| table >> point & 1 == 1, &|_| true);
            assert!((0..16).all(|point| value(&form, point) == (table >> point & 1 == 1)), "{table:#x}");
        }
    }

    #[test]
    fn facts_stay_facts() {
        // a ∧ ¬b, whatever c is.
        let form = shortest(3, &|point| point & 3 == 1, &|_| true);
        assert_eq!(form, Form::Or(vec![Cube { atoms: 3, values: 1 }]));
        assert_eq!(shortest(2, &|_| true, &|_| true), Form::AndNot(Vec::new()));
    }

    #[test]
    fn impossible_points_do_not_matter() {
        // x < n or x = n, which exclude each other: as good as not (x > n), but only these two are there.
        let form = shortest(2, &|point| point != 0, &|point| point != 3);
        assert_eq!(form, Form::AndNot(vec![Cube { atoms: 3, values: 0 }]));
        // Where only the impossible is left, the function is constant.
        assert_eq!(shortest(1, &|point| point == 1, &|point| point == 1), Form::AndNot(Vec::new()));
    }
}
