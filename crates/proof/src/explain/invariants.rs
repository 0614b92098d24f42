//! Loop invariants of a proof graph, as C over the program's variables.
//!
//! At the head of a loop, one of the nodes there holds: the invariant is the disjunction of what they claim. What can't be
//! written in C is left out only where that makes the invariant weaker, so whatever is printed is true; so is what
//! is left where the whole would be too long: the ranges of values, and the facts that all nodes have in common.

use super::boolean::{Cube, Form, MAX_ATOMS, shortest};
use super::compare::{Comparison, Known, is_possible};
use super::names::{Scope, Spot, Vocabulary};
use crate::graph::{FactValue, Next, ProofGraph, ProofNode};
use cfa::loops::Wto;
use cfa::{LocId, Program};
use ctext::term::{self, Leaf, LeafType};
use outcome::{Extent, Invariant};
use rustc_hash::FxHashMap;
use smt::{BinOp, Node, Sort, TermId, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// Most nodes at one loop head that are looked at.
pub const MAX_NODES: usize = 400;
/// Most loop heads.
const MAX_HEADS: usize = 50;
/// Longest text.
const MAX_TEXT: usize = 300;
/// Most gates of what nodes claim.
const MAX_GATES: usize = 4000;
/// Most atoms of one node of which each is tried as a consequence.
const MAX_OWN_ATOMS: usize = 10;

/// The invariants of a graph, in the order of the text.
pub fn invariants(program: &Program, wto: &Wto, graph: &ProofGraph) -> Vec<Invariant> {
    let mut heads: BTreeMap<LocId, Vec<usize>> = BTreeMap::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        if wto.is_head(node.loc) && !matches!(node.next, Next::Covered(_)) {
            heads.entry(node.loc).or_default().push(index);
        }
    }
    let vocabulary = Vocabulary::new(program, graph);
    let mut found = Vec::new();
    for (loc, nodes) in heads.into_iter().take(MAX_HEADS) {
        let location = &program.locs[loc];
        let Some(edge) = location.out.first() else { continue };
        let Some(place) = program.source.place(program.edges[*edge].span.lo) else { continue };
        if place.file.starts_with('<') || nodes.len() > MAX_NODES {
            continue;
        }
        let mut head = Head::new(&vocabulary, program, graph, Spot::Inside);
        let text = head.text(&nodes);
        let function = program.functions[location.func].name.clone();
        if text.is_some() || head.extent == Extent::Part {
            found.push(Invariant { place, function, text, extent: head.extent });
        }
    }
    found.sort_by(|a, b| (a.place.line, a.place.column, &a.text).cmp(&(b.place.line, b.place.column, &b.text)));
    found
}

/// What a node claims, as a list of C expressions that all hold; `false` beside it if that is not everything.
pub fn claims(
    vocabulary: &Vocabulary<'_>,
    program: &Program,
    graph: &ProofGraph,
    node: &ProofNode,
) -> (Vec<String>, Extent) {
    let mut head = Head::new(vocabulary, program, graph, Spot::Inside);
    let claimed = head.claimed(node);
    let mut all: Vec<String> = claimed.values.into_iter().map(|value| value.text()).collect();
    all.extend(claimed.others.iter().map(|literal| head.atoms.text(*literal).to_owned()));
    if let Some(text) = head.whole(&[claimed.formula]) {
        all.extend(text);
    } else {
        head.extent = Extent::Part;
        all.extend(head.common(&[claimed.formula]));
    }
    (all, head.extent)
}

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    atom: u32,
    holds: bool,
}

/// A Boolean combination of atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    Constant(bool),
    Literal(Literal),
    And(Vec<u32>),
    Or(Vec<u32>),
}

/// Facts, and Boolean combinations of them.
#[derive(Default)]
pub(super) struct Atoms {
    /// Texts of each atom and its negation.
    texts: Vec<[String; 2]>,
    /// What each atom compares, as far as that is known.
    comparisons: Vec<Option<Comparison>>,
    ids: FxHashMap<String, Literal>,
    pub(super) gates: Vec<Gate>,
}

impl Atoms {
    fn literal(
        &mut self,
        text: String,
        comparison: Option<Comparison>,
        negation: impl FnOnce() -> Option<String>,
    ) -> Option<Literal> {
        if let Some(known) = self.ids.get(&text) {
            return Some(*known);
        }
        let negation = negation()?;
        let atom = self.texts.len() as u32;
        self.ids.insert(negation.clone(), Literal { atom, holds: false });
        self.ids.insert(text.clone(), Literal { atom, holds: true });
        self.texts.push([negation, text]);
        self.comparisons.push(comparison);
        Some(Literal { atom, holds: true })
    }

    pub(super) fn text(&self, literal: Literal) -> &str {
        &self.texts[literal.atom as usize][usize::from(literal.holds)]
    }

    fn gate(&mut self, gate: Gate) -> u32 {
        self.gates.push(gate);
        self.gates.len() as u32 - 1
    }

    /// Whether a gate is true where the given atoms hold.
    fn value(&self, gate: u32, holds: &dyn Fn(u32) -> bool) -> bool {
        match &self.gates[gate as usize] {
            Gate::Constant(value) => *value,
            Gate::Literal(literal) => holds(literal.atom) == literal.holds,
            Gate::And(parts) => parts.iter().all(|part| self.value(*part, holds)),
            Gate::Or(parts) => parts.iter().any(|part| self.value(*part, holds)),
        }
    }

    pub(super) fn atoms_of(&self, gates: &[u32]) -> Vec<u32> {
        let mut atoms = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = gates.to_vec();
        while let Some(gate) = stack.pop() {
            if !seen.insert(gate) {
                continue;
            }
            match &self.gates[gate as usize] {
                Gate::Constant(_) => {}
                Gate::Literal(literal) => drop(atoms.insert(literal.atom)),
                Gate::And(parts) | Gate::Or(parts) => stack.extend(parts),
            }
        }
        atoms.into_iter().collect()
    }
}

/// How literals are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joined {
    And,
    Or,
}

impl Atoms {
    /// The texts of literals; `a < b || a == b` becomes `a <= b`, and `a <= b && a != b` becomes `a < b`.
    fn texts_of(&self, mut literals: Vec<Literal>, joined: Joined) -> Vec<String> {
        let mut texts: Vec<(Literal, String)> = Vec::new();
        let fits = |literal: &Literal| {
            let comparison = self.comparisons[literal.atom as usize]?;
            Some((comparison, comparison.fits(literal.holds)))
        };
        // The (in)equalities that can become part of another comparison.
        let only = match joined {
            Joined::Or => [false, true, false],
            Joined::And => [true, false, true],
        };
        let mut used = Vec::new();
        for literal in &literals {
            let mut text = self.text(*literal).to_owned();
            if let Some((comparison, has)) = fits(literal)
                && has != only
                && has[1] == (joined == Joined::And)
                && let Some(equality) = literals.iter().find(|other| {
                    fits(other).is_some_and(|(other, fits)| fits == only && other.is_about_the_same(&comparison))
                })
            {
                let changed = match joined {
                    Joined::Or => replaced(&text, [(" < ", " <= "), (" > ", " >= ")]),
                    Joined::And => replaced(&text, [(" <= ", " < "), (" >= ", " > ")]),
                };
                if let Some(changed) = changed {
                    text = changed;
                    used.push(*equality);
                }
            }
            texts.push((*literal, text));
        }
        literals.retain(|literal| !used.contains(literal));
        texts.into_iter().filter(|(literal, _)| literals.contains(literal)).map(|(_, text)| text).collect()
    }
}

/// A comparison with another operator, if the text has exactly one.
fn replaced(text: &str, operators: [(&str, &str); 2]) -> Option<String> {
    let (old, new) = operators.into_iter().find(|(old, _)| text.contains(old))?;
    (text.matches(old).count() == 1 && !text.contains(" ? ")).then(|| text.replace(old, new))
}

impl Known {
    fn text(&self) -> String {
        format!("{} == {}", self.leaf.text, number(self.value))
    }
}

fn number(value: i128) -> String {
    ctext::syntax::Tree::number(value).text()
}

/// What a node claims.
pub(super) struct Claimed {
    values: Vec<Known>,
    others: Vec<Literal>,
    formula: u32,
}

/// What some nodes at one place claim.
pub(super) struct Head<'g> {
    vocabulary: &'g Vocabulary<'g>,
    program: &'g Program,
    graph: &'g ProofGraph,
    spot: Spot,
    pub(super) atoms: Atoms,
    pub(super) extent: Extent,
}

impl<'g> Head<'g> {
    /// Nothing yet.
    pub(super) fn new(vocabulary: &'g Vocabulary<'g>, program: &'g Program, graph: &'g ProofGraph, spot: Spot) -> Self {
        Self { vocabulary, program, graph, spot, atoms: Atoms::default(), extent: Extent::Whole }
    }
}

impl Head<'_> {
    /// What each node claims, and the gates of that.
    pub(super) fn gates(&mut self, nodes: &[usize]) -> (Vec<Claimed>, Vec<u32>) {
        let mut claimed = Vec::with_capacity(nodes.len());
        for index in nodes {
            claimed.push(self.claimed(&self.graph.nodes[*index]));
        }
        let mut gates = Vec::with_capacity(nodes.len());
        for node in &claimed {
            let mut parts = vec![node.formula];
            for value in &node.values {
                let differs = format!("{} != {}", value.leaf.text, number(value.value));
                let comparison = Comparison::value(value);
                let literal = self.atoms.literal(value.text(), comparison, || Some(differs));
                parts.extend(literal.map(|literal| self.atoms.gate(Gate::Literal(literal))));
            }
            for other in &node.others {
                parts.push(self.atoms.gate(Gate::Literal(*other)));
            }
            gates.push(self.atoms.gate(Gate::And(parts)));
        }
        (claimed, gates)
    }

    /// The invariant of some nodes; `None` if there is none, or nothing of it can be written.
    fn text(&mut self, nodes: &[usize]) -> Option<String> {
        let (claimed, gates) = self.gates(nodes);
        let parts = match self.whole(&gates) {
            Some(parts) => parts,
            None => {
                self.extent = Extent::Part;
                let mut parts = ranges(&claimed);
                let formulas: Vec<u32> = claimed.iter().map(|node| node.formula).collect();
                match self.whole(&formulas) {
                    Some(more) => parts.extend(more),
                    None => parts.extend(self.common(&formulas)),
                }
                parts
            }
        };
        self.joined(&parts, MAX_TEXT)
    }

    /// Facts that all hold, as far as there is room for them; `None` if there is none.
    pub(super) fn joined(&mut self, parts: &[String], room: usize) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            // Alternatives are in parentheses beside other facts.
            let part = if parts.len() > 1 && part.contains("||") { format!("({part})") } else { part.clone() };
            if text.len() + part.len() + 4 > room {
                self.extent = Extent::Part;
                continue;
            }
            if !text.is_empty() {
                text.push_str(" && ");
            }
            text.push_str(&part);
        }
        (!text.is_empty()).then_some(text)
    }

    fn claimed(&mut self, node: &ProofNode) -> Claimed {
        let scope = Scope::new(self.vocabulary, node, self.spot);
        let (mut values, mut others) = (Vec::new(), Vec::new());
        for fact in &node.facts {
            if let (Some(leaf), FactValue::Bits(bits)) = (scope.number(fact.place), fact.value)
                && let Some(value) = integer(&leaf, bits)
            {
                values.push(Known { place: fact.place, leaf, value });
                continue;
            }
            let text = scope.pointer_fact(fact);
            let literal = text.and_then(|text| {
                let negation = text.replacen(" == ", " != ", 1);
                self.atoms.literal(text, None, || Some(negation))
            });
            match literal {
                Some(literal) => others.push(literal),
                None => self.extent = Extent::Part,
            }
        }
        let mut memo = FxHashMap::default();
        let mut parts = Vec::new();
        for formula in &node.formulas {
            parts.push(self.weakened(&scope, *formula, true, &mut memo));
        }
        Claimed { values, others, formula: self.atoms.gate(Gate::And(parts)) }
    }

    /// A formula, or its negation, without what can't be written in C: implied by it.
    fn weakened(
        &mut self,
        scope: &Scope<'_>,
        formula: TermId,
        plain: bool,
        memo: &mut FxHashMap<(TermId, bool), u32>,
    ) -> u32 {
        if let Some(known) = memo.get(&(formula, plain)) {
            return *known;
        }
        if self.atoms.gates.len() > MAX_GATES {
            self.extent = Extent::Part;
            return self.atoms.gate(Gate::Constant(true));
        }
        let terms = &self.graph.formulas.terms;
        let gate = match terms.node(formula) {
            Node::Bool(value) => Gate::Constant(value == plain),
            Node::Un(UnOp::Not, a) => return self.weakened(scope, a, !plain, memo),
            Node::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let parts = vec![self.weakened(scope, a, plain, memo), self.weakened(scope, b, plain, memo)];
                if (op == BinOp::And) == plain { Gate::And(parts) } else { Gate::Or(parts) }
            }
            Node::Ite(c, a, b) if terms.sort(a) == Sort::Bool => {
                let (yes, no) = (self.weakened(scope, c, true, memo), self.weakened(scope, c, false, memo));
                let (a, b) = (self.weakened(scope, a, plain, memo), self.weakened(scope, b, plain, memo));
                let (first, second) =
                    (self.atoms.gate(Gate::And(vec![yes, a])), self.atoms.gate(Gate::And(vec![no, b])));
                Gate::Or(vec![first, second])
            }
            _ => {
                let machine = self.program.machine;
                let text = term::formula(terms, machine, scope, formula);
                let negation = || term::negation(terms, machine, scope, formula);
                let comparison = Comparison::of(self.graph, formula);
                match text.and_then(|text| self.atoms.literal(text, comparison, negation)) {
                    Some(literal) => Gate::Literal(Literal { holds: literal.holds == plain, ..literal }),
                    None => {
                        self.extent = Extent::Part;
                        Gate::Constant(true)
                    }
                }
            }
        };
        let gate = self.atoms.gate(gate);
        memo.insert((formula, plain), gate);
        gate
    }

    /// The disjunction of some gates as facts that all hold; `None` if it has too many atoms.
    pub(super) fn whole(&self, gates: &[u32]) -> Option<Vec<String>> {
        let atoms = self.atoms.atoms_of(gates);
        if atoms.len() > MAX_ATOMS {
            return None;
        }
        let bit = |atom: u32| atoms.iter().position(|a| *a == atom).map_or(0, |i| 1u32 << i);
        let holds = |point: u32| gates.iter().any(|gate| self.atoms.value(*gate, &|atom| point & bit(atom) != 0));
        let comparisons: Vec<Option<Comparison>> = atoms.iter().map(|a| self.atoms.comparisons[*a as usize]).collect();
        let form = shortest(atoms.len(), &holds, &|point| is_possible(&comparisons, point));
        let literals = |cube: &Cube, joined: Joined| -> Vec<String> {
            let chosen = atoms.iter().enumerate().filter(|(i, _)| cube.atoms >> i & 1 == 1);
            let holds = |i: usize| (cube.values >> i & 1 == 1) == (joined == Joined::And);
            let chosen = chosen.map(|(i, atom)| Literal { atom: *atom, holds: holds(i) }).collect();
            self.atoms.texts_of(chosen, joined)
        };
        Some(match &form {
            Form::AndNot(cubes) if cubes.iter().any(|cube| cube.atoms == 0) => vec!["0".to_owned()],
            // Facts first, alternatives behind them.
            Form::AndNot(cubes) if cubes.iter().all(|cube| cube.atoms.count_ones() == 1) => {
                let all = cubes.iter().fold(Cube { atoms: 0, values: 0 }, |all, cube| Cube {
                    atoms: all.atoms | cube.atoms,
                    values: all.values | (cube.atoms & !cube.values),
                });
                literals(&all, Joined::And)
            }
            Form::AndNot(cubes) => cubes.iter().map(|cube| literals(cube, Joined::Or).join(" || ")).collect(),
            Form::Or(cubes) => match cubes.as_slice() {
                [only] => literals(only, Joined::And),
                _ => {
                    let side = |cube: &Cube| {
                        let literals = literals(cube, Joined::And);
                        if literals.len() > 1 { format!("({})", literals.join(" && ")) } else { literals.concat() }
                    };
                    vec![cubes.iter().map(side).collect::<Vec<String>>().join(" || ")]
                }
            },
        })
    }

    /// Literals that hold wherever one of the gates does.
    fn common(&self, gates: &[u32]) -> Vec<String> {
        let mut common: Option<Vec<(u32, bool)>> = None;
        for gate in gates {
            let atoms = self.atoms.atoms_of(&[*gate]);
            if atoms.len() > MAX_OWN_ATOMS {
                return Vec::new();
            }
            let bit = |atom: u32| atoms.iter().position(|a| *a == atom).map_or(0, |i| 1u32 << i);
            let points: Vec<u32> = (0..1u32 << atoms.len())
                .filter(|point| self.atoms.value(*gate, &|atom| point & bit(atom) != 0))
                .collect();
            let implied = |atom: u32, holds: bool| points.iter().all(|point| (point & bit(atom) != 0) == holds);
            let known = common.take().unwrap_or_else(|| atoms.iter().flat_map(|a| [(*a, true), (*a, false)]).collect());
            let has = |atom: u32| atoms.contains(&atom);
            common = Some(known.into_iter().filter(|(atom, holds)| has(*atom) && implied(*atom, *holds)).collect());
        }
        let common = common.unwrap_or_default();
        common.into_iter().map(|(atom, holds)| self.atoms.text(Literal { atom, holds }).to_owned()).collect()
    }
}

/// The value of an integer in C.
fn integer(leaf: &Leaf, bits: u128) -> Option<i128> {
    match leaf.ty {
        LeafType::Int { bits: width @ 1..=64, signed: true } => Some((bits << (128 - width)) as i128 >> (128 - width)),
        LeafType::Int { bits: 1..=64, .. } | LeafType::Truth => i128::try_from(bits).ok(),
        _ => None,
    }
}

/// What the values of places have in common that all nodes know.
fn ranges(claimed: &[Claimed]) -> Vec<String> {
    let Some((first, rest)) = claimed.split_first() else { return Vec::new() };
    let mut parts = Vec::new();
    for known in &first.values {
        let mut values = BTreeSet::from([known.value]);
        let same = |node: &Claimed| node.values.iter().find(|other| other.place == known.place).map(|k| k.value);
        let all = rest.iter().all(|node| same(node).map(|value| values.insert(value)).is_some());
        let (Some(least), Some(greatest)) = (values.first(), values.last()) else { continue };
        if !all {
            continue;
        }
        let name = &known.leaf.text;
        if values.len() <= 3 {
            let equal: Vec<String> = values.iter().map(|value| format!("{name} == {}", number(*value))).collect();
            parts.push(equal.join(" || "));
        } else {
            parts.push(format!("{} <= {name}", number(*least)));
            parts.push(format!("{name} <= {}", number(*greatest)));
        }
    }
    parts
}
