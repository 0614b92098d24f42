//! Implicants: from a formula and a model of it to a conjunction of literals that is true in the model and implies the formula.
//!
//! Boolean structure is resolved by the model: of a disjunction one true part is taken, an if-then-else becomes its
//! condition and one branch, also inside of terms, and a read over writes becomes the write that it sees.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Assignment, BinOp, Evaluator, Node, Sort, TermId, Terms, UnOp, Value, eval::eval, subst::subterms};

/// The search under one model.
struct Implicants<'a> {
    assignment: &'a Assignment,
    /// Values of all subterms of the formulas, and of what was built since.
    values: FxHashMap<TermId, Value>,
    /// Terms without choices, where they were needed.
    resolved: FxHashMap<TermId, TermId>,
    literals: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

/// Literals that are true under the assignment and together imply all the formulas, which are true under it. `None` if one of
/// them is not.
pub fn implicant(terms: &mut Terms, assignment: &Assignment, formulas: &[TermId]) -> Option<Vec<TermId>> {
    let mut values = FxHashMap::default();
    {
        let mut evaluator = Evaluator::new(terms, assignment);
        for t in subterms(terms, formulas) {
            if !matches!(terms.sort(t), Sort::Array { .. }) {
                values.insert(t, evaluator.eval(t));
            }
        }
    }
    let mut implicants = Implicants {
        assignment,
        values,
        resolved: FxHashMap::default(),
        literals: Vec::new(),
        seen: FxHashSet::default(),
    };
    if formulas.iter().any(|&t| !implicants.is_true(terms, t)) {
        return None;
    }
    // A worklist instead of recursion: resolving a term may add conditions that must be taken apart themselves.
    let mut todo: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(t) = todo.pop() {
        implicants.formula(terms, t, &mut todo);
    }
    Some(implicants.literals)
}

impl Implicants<'_> {
    fn is_true(&mut self, terms: &Terms, t: TermId) -> bool {
        *self.value(terms, t) == Value::Bool(true)
    }

    fn value(&mut self, terms: &Terms, t: TermId) -> &Value {
        let assignment = self.assignment;
        self.values.entry(t).or_insert_with(|| eval(terms, assignment, t))
    }

    /// `t` or its negation, whichever is true.
    fn literal_of(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        if self.is_true(terms, t) { t } else { terms.not(t) }
    }

    /// Takes apart a formula that is true.
    fn formula(&mut self, terms: &mut Terms, t: TermId, todo: &mut Vec<TermId>) {
        if terms.is_true(t) || !self.seen.insert(t) {
            return;
        }
        let (atom, positive) = match terms.node(t) {
            Node::Un(UnOp::Not, inner) => (inner, false),
            _ => (t, true),
        };
        match terms.node(atom) {
            Node::Bin(BinOp::And, a, b) if positive => todo.extend([b, a]),
            Node::Bin(BinOp::And, a, b) => {
                // One false part is enough; the older one, which is smaller more often than not.
                let part = match (self.is_true(terms, a), self.is_true(terms, b)) {
                    (false, false) => a.min(b),
                    (false, true) => a,
                    _ => b,
                };
                let not_part = terms.not(part);
                todo.push(not_part);
            }
            Node::Ite(c, a, b) if terms.sort(atom) == Sort::Bool => {
                let branch = if self.is_true(terms, c) { a } else { b };
                let literals = [self.literal_of(terms, c), self.literal_of(terms, branch)];
                todo.extend(literals);
            }
            Node::Bin(BinOp::Eq, a, b) if terms.sort(a) == Sort::Bool => {
                let literals = [self.literal_of(terms, a), self.literal_of(terms, b)];
                todo.extend(literals);
            }
            _ => {
                let plain = self.resolve(terms, atom, todo);
                let literal = if positive { plain } else { terms.not(plain) };
                if terms.is_true(literal) {
                    return;
                }
                self.literals.push(literal);
            }
        }
    }

    /// The term without if-then-elses and reads over writes, whose conditions go to `todo`.
    fn resolve(&mut self, terms: &mut Terms, root: TermId, todo: &mut Vec<TermId>) -> TermId {
        // Inside of another term it may have become its value, which says nothing about itself.
        self.resolved.remove(&root);
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.resolved.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let done = match terms.node(t) {
                Node::Ite(c, a, b) => {
                    let branch = if self.is_true(terms, c) { a } else { b };
                    match self.resolved.get(&branch) {
                        Some(&plain) => {
                            let condition = self.literal_of(terms, c);
                            todo.push(condition);
                            Some(plain)
                        }
                        None => {
                            stack.push(branch);
                            None
                        }
                    }
                }
                // A formula below a term: its value is what matters, so that it may be resolved as a formula.
                _ if t != root && terms.sort(t) == Sort::Bool && !terms.is_var(t) && !terms.is_const(t) => {
                    let value = self.is_true(terms, t);
                    let literal = self.literal_of(terms, t);
                    todo.push(literal);
                    Some(terms.bool_const(value))
                }
                Node::Bin(BinOp::Select, array, index) => self.read(terms, array, index, &mut stack, todo),
                _ => {
                    let children = terms.children(t);
                    stack.extend(children.iter().filter(|child| !self.resolved.contains_key(child)));
                    (stack.len() == before).then(|| {
                        let children: Vec<TermId> = children.iter().map(|child| self.resolved[child]).collect();
                        terms.with_children(t, &children)
                    })
                }
            };
            if let Some(done) = done {
                self.resolved.insert(t, done);
                stack.pop();
            }
        }
        self.resolved[&root]
    }

    /// A read without choices, or pushes what it needs first.
    fn read(
        &mut self,
        terms: &mut Terms,
        mut array: TermId,
        index: TermId,
        stack: &mut Vec<TermId>,
        todo: &mut Vec<TermId>,
    ) -> Option<TermId> {
        let mut conditions = Vec::new();
        let source = loop {
            match terms.node(array) {
                Node::Store(below, written, value) => {
                    let same = self.value(terms, written).clone() == *self.value(terms, index);
                    let equal = terms.eq(written, index);
                    let condition = if same { equal } else { terms.not(equal) };
                    conditions.push(condition);
                    if same {
                        break Err(value);
                    }
                    array = below;
                }
                Node::Ite(c, a, b) => {
                    let condition = self.literal_of(terms, c);
                    conditions.push(condition);
                    array = if self.is_true(terms, c) { a } else { b };
                }
                Node::ConstArray(_, value) => break Err(value),
                _ => break Ok(array),
            }
        };
        let needed: &[TermId] = match &source {
            Ok(array) => &[*array, index],
            Err(value) => &[*value],
        };
        let missing: Vec<TermId> = needed.iter().copied().filter(|t| !self.resolved.contains_key(t)).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            return None;
        }
        todo.extend(conditions);
        Some(match source {
            Ok(array) => {
                let (array, index) = (self.resolved[&array], self.resolved[&index]);
                terms.select(array, index)
            }
            Err(value) => self.resolved[&value],
        })
    }
}
