//! Step 4, its means: questions to the solver about expressions of a program.

use crate::exprs::Literal;
use base::{Budget, Effort, Stop};
use cfa::eval::{Leaf, Node as ExprNode};
use cfa::{Access, ExprId, Program, Scalar, VarId};
use encode::Encoder;
use rustc_hash::FxHashMap;
use smt::query::{Answer, ask};
use smt::value::mask;
use smt::{BinOp, Node, Solver, Sort, TermId, UnOp as UnaryOp};

/// Most effort for one question.
const LIMIT: Effort = Effort::thousands(1_500);

/// Values of registers.
pub type Env = FxHashMap<VarId, TermId>;

/// Makes solvers.
pub type MakeSolver<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// Answers questions about expressions of a program.
pub struct Oracle<'a> {
    /// Makes terms of the program.
    pub enc: Encoder<'a>,
    make: MakeSolver<'a>,
    budget: &'a Budget,
    /// Memory by type of access.
    memory: FxHashMap<Scalar, TermId>,
    addresses: FxHashMap<VarId, TermId>,
    valid: FxHashMap<Option<(Access, TermId, TermId)>, TermId>,
    /// Questions asked.
    pub asked: u64,
}

impl<'a> Oracle<'a> {
    /// An oracle for the expressions of a program; `None` if it can't be encoded.
    pub fn new(program: &'a Program, make: MakeSolver<'a>, budget: &'a Budget) -> Option<Self> {
        let enc = Encoder::new(program, Box::new(|_, _| true)).ok()?;
        let (memory, addresses, valid) = Default::default();
        Some(Self { enc, make, budget, memory, addresses, valid, asked: 0 })
    }

    /// Whether the formula can hold.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn ask(&mut self, formula: TermId) -> Result<Answer, Stop> {
        self.asked += 1;
        ask(self.make, &mut self.enc.terms, formula, Some(LIMIT), self.budget)
    }

    /// Whether the claim holds for all values; `None` if the solver does not know.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn decide(&mut self, assumed: TermId, claimed: TermId) -> Result<Option<bool>, Stop> {
        let fails = self.enc.terms.not(claimed);
        let query = self.enc.terms.and(assumed, fails);
        Ok(match self.ask(query)? {
            Answer::Never => Some(true),
            Answer::Model(_) => Some(false),
            Answer::Unknown(_) => None,
        })
    }

    /// Whether the claim certainly holds for all values.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn holds(&mut self, assumed: TermId, claimed: TermId) -> Result<bool, Stop> {
        Ok(self.decide(assumed, claimed)? == Some(true))
    }

    /// Any value of a register.
    pub fn fresh(&mut self, var: VarId) -> TermId {
        let ty = self.enc.program.vars[var].register().unwrap_or(Scalar::Ptr);
        let sort = self.enc.sort(ty);
        self.enc.terms.fresh_var(&self.enc.program.vars[var].name, sort)
    }

    /// The value of a register; one without a value gets one.
    pub fn register(&mut self, var: VarId, env: &mut Env) -> TermId {
        if let Some(value) = env.get(&var) {
            return *value;
        }
        let value = self.fresh(var);
        env.insert(var, value);
        value
    }

    /// A literal holds.
    pub fn literal(&mut self, Literal { cond, truth }: Literal, env: &mut Env) -> TermId {
        let value = self.term(cond, env);
        if truth { value } else { self.enc.terms.not(value) }
    }

    /// The term of an expression; registers without a value get one.
    pub fn term(&mut self, root: ExprId, env: &mut Env) -> TermId {
        let mut known: FxHashMap<ExprId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        let pool = &self.enc.program.exprs;
        while let Some((id, ready)) = stack.pop() {
            if known.contains_key(&id) {
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(pool.operands(id).map(|operand| (operand, false)));
                continue;
            }
            let cfa::Expr { kind, ty } = pool.get(id);
            let width = self.enc.program.pointer_bits();
            let term = match kind.node() {
                Err(Leaf::Const(value)) => self.enc.constant(ty, value),
                Err(Leaf::Var(var)) => self.register(var, env),
                Err(Leaf::AddrOf(var)) => {
                    let terms = &mut self.enc.terms;
                    *self.addresses.entry(var).or_insert_with(|| terms.fresh_var("address", Sort::BitVec(width)))
                }
                Err(Leaf::FuncAddr(func)) => self.enc.function(func),
                Err(Leaf::Load(a)) => self.load(known[&a], ty),
                // Accelerated paths end no life: equal accesses are equally valid.
                Err(Leaf::Valid(access, a, len)) => self.valid(Some((access, known[&a], known[&len]))),
                Err(Leaf::Tracked) => self.valid(None),
                Ok(ExprNode::Binary(cfa::BinOp::Mul, a, b)) if ty.is_int() => {
                    match self.enc.terms.as_bv_const(known[&b]) {
                        Some(factor) => self.times(known[&a], factor),
                        None => self.product(known[&a], known[&b]),
                    }
                }
                Ok(node) => {
                    let node = node.map(|operand| (pool.ty(operand), known[&operand]));
                    self.enc.compute(node, ty)
                }
            };
            known.insert(id, term);
        }
        known[&root]
    }

    /// Whether an access is valid, or nothing is lost: any truth value.
    fn valid(&mut self, asked: Option<(Access, TermId, TermId)>) -> TermId {
        let terms = &mut self.enc.terms;
        *self.valid.entry(asked).or_insert_with(|| terms.fresh_var("valid", Sort::Bool))
    }

    /// A multiple, told by multiples of what the term is made of: sums and cut numbers share them, so that the solver need not find out that
    /// they agree.
    fn times(&mut self, a: TermId, factor: u128) -> TermId {
        let width = self.enc.terms.width(a);
        if factor > mask(width) >> 1 {
            let positive = self.times(a, factor.wrapping_neg() & mask(width));
            return self.enc.terms.bv_neg(positive);
        }
        match self.enc.terms.node(a) {
            Node::Bin(BinOp::BvAdd, x, y) => {
                let (x, y) = (self.times(x, factor), self.times(y, factor));
                self.enc.terms.bv_add(x, y)
            }
            Node::Un(UnaryOp::Extract { hi, lo: 0 }, x) => {
                let whole = self.times(x, factor);
                self.enc.terms.extract(u32::from(hi), 0, whole)
            }
            _ => {
                let factor = self.enc.terms.bv(width, factor);
                self.enc.terms.bv_mul(a, factor)
            }
        }
    }

    /// A product of sums as a sum of products, which others share.
    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.summands(sum) {
                let (x, y) = (self.product(x, other), self.product(y, other));
                return self.enc.terms.bv_add(x, y);
            }
        }
        self.enc.terms.bv_mul(a, b)
    }

    /// What a sum, cut or not, is made of.
    fn summands(&mut self, sum: TermId) -> Option<(TermId, TermId)> {
        match self.enc.terms.node(sum) {
            Node::Bin(BinOp::BvAdd, x, y) => Some((x, y)),
            Node::Un(UnaryOp::Extract { hi, lo: 0 }, whole) => {
                let Node::Bin(BinOp::BvAdd, x, y) = self.enc.terms.node(whole) else { return None };
                let mut cut = |part| self.enc.terms.extract(u32::from(hi), 0, part);
                Some((cut(x), cut(y)))
            }
            _ => None,
        }
    }

    /// A read of memory that does not change meanwhile.
    fn load(&mut self, address: TermId, ty: Scalar) -> TermId {
        let width = self.enc.program.pointer_bits();
        let bits = ty.bits(width);
        let terms = &mut self.enc.terms;
        let memory =
            *self.memory.entry(ty).or_insert_with(|| terms.fresh_var("memory", Sort::bv_array(width, bits.max(8))));
        let value = self.enc.terms.select(memory, address);
        match ty {
            Scalar::Float(_) => self.enc.from_bits(value, ty),
            Scalar::Bool => self.enc.terms.extract(0, 0, value),
            _ => value,
        }
    }
}
