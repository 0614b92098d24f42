//! Quantifiers, relations and Spacer, and what is needed to read terms that Z3 has made.

use super::{Answer, Ast, Context, Params, SortRef, Symbol, text};
use smt::{FloatSort, SmtError, Sort};
use std::sync::Arc;
use z3_sys::*;

unsafe extern "C" {
    /// The numbers of some operators (uninterpreted ones, too) differ between Z3's versions, so that those of the bindings'
    /// enumeration may lack one; such a value of an enumeration is undefined behaviour.
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind_number(context: Z3_context, decl: Z3_func_decl) -> u32;
}

/// The operators that terms have.
const KINDS: [DeclKind; 56] = [
    DeclKind::True,
    DeclKind::False,
    DeclKind::Eq,
    DeclKind::Distinct,
    DeclKind::Ite,
    DeclKind::And,
    DeclKind::Or,
    DeclKind::Iff,
    DeclKind::Xor,
    DeclKind::Not,
    DeclKind::Implies,
    DeclKind::Oeq,
    DeclKind::Le,
    DeclKind::Ge,
    DeclKind::Lt,
    DeclKind::Gt,
    DeclKind::Add,
    DeclKind::Sub,
    DeclKind::Uminus,
    DeclKind::Mul,
    DeclKind::Store,
    DeclKind::Select,
    DeclKind::ConstArray,
    DeclKind::Bneg,
    DeclKind::Badd,
    DeclKind::Bsub,
    DeclKind::Bmul,
    DeclKind::Bsdiv,
    DeclKind::Budiv,
    DeclKind::Bsrem,
    DeclKind::Burem,
    DeclKind::BsdivI,
    DeclKind::BudivI,
    DeclKind::BsremI,
    DeclKind::BuremI,
    DeclKind::Uleq,
    DeclKind::Sleq,
    DeclKind::Ugeq,
    DeclKind::Sgeq,
    DeclKind::Ult,
    DeclKind::Slt,
    DeclKind::Ugt,
    DeclKind::Sgt,
    DeclKind::Band,
    DeclKind::Bor,
    DeclKind::Bnot,
    DeclKind::Bxor,
    DeclKind::Concat,
    DeclKind::SignExt,
    DeclKind::ZeroExt,
    DeclKind::Extract,
    DeclKind::Bcomp,
    DeclKind::Bshl,
    DeclKind::Blshr,
    DeclKind::Bashr,
    DeclKind::Bit2bool,
];

/// A declared relation.
#[derive(Clone, Copy)]
pub(crate) struct Relation(Z3_func_decl);

/// A term as its parts.
pub(crate) enum Shape {
    /// A number, in digits.
    Numeral(String),
    /// A bound variable, by its index.
    Bound(u32),
    /// A constant that is named by a number.
    Constant(u32),
    /// An operator (`None`: one without a number of its own), its numbers and its arguments.
    App(Option<DeclKind>, Vec<i32>, Vec<Ast>),
    /// Something else.
    Other,
}

impl Context {
    /// Takes a term apart.
    pub(crate) fn shape(&self, a: Ast) -> Result<Shape, SmtError> {
        // SAFETY: context and term are alive; each function is called on terms of the kind that it is for.
        unsafe {
            match Z3_get_ast_kind(self.raw, a.0) {
                AstKind::Numeral => Ok(Shape::Numeral(text(Z3_get_numeral_string(self.raw, a.0)))),
                AstKind::Var => Ok(Shape::Bound(Z3_get_index_value(self.raw, a.0))),
                AstKind::App => {
                    let app = Z3_to_app(self.raw, a.0).ok_or_else(|| self.failure())?;
                    let decl = Z3_get_app_decl(self.raw, app).ok_or_else(|| self.failure())?;
                    let kind = decl_kind_number(self.raw, decl);
                    let count = Z3_get_app_num_args(self.raw, app);
                    if count == 0
                        && let Symbol::Number(number) = self.decl_name(decl)?
                    {
                        return Ok(u32::try_from(number).map_or(Shape::Other, Shape::Constant));
                    }
                    let args =
                        (0..count).map(|i| self.keep(Z3_get_app_arg(self.raw, app, i))).collect::<Result<_, _>>()?;
                    let mut numbers = Vec::new();
                    for i in 0..Z3_get_decl_num_parameters(self.raw, decl) {
                        if Z3_get_decl_parameter_kind(self.raw, decl, i) == ParameterKind::Int {
                            numbers.push(Z3_get_decl_int_parameter(self.raw, decl, i));
                        }
                    }
                    Ok(Shape::App(KINDS.into_iter().find(|known| *known as u32 == kind), numbers, args))
                }
                _ => Ok(Shape::Other),
            }
        }
    }

    /// The sort of a term; `None` for those that terms don't have.
    pub(crate) fn sort_of(&self, a: Ast) -> Result<Option<Sort>, SmtError> {
        // SAFETY: context and term are alive.
        let sort = unsafe { Z3_get_sort(self.raw, a.0) }.ok_or_else(|| self.failure())?;
        self.known_sort(sort)
    }

    fn known_sort(&self, sort: Z3_sort) -> Result<Option<Sort>, SmtError> {
        // SAFETY: the sort is one of this context; each function is called on sorts of the kind that it is for.
        unsafe {
            Ok(match Z3_get_sort_kind(self.raw, sort) {
                SortKind::Bool => Some(Sort::Bool),
                SortKind::Int => Some(Sort::Int),
                SortKind::Bv => Some(Sort::BitVec(Z3_get_bv_sort_size(self.raw, sort))),
                SortKind::FloatingPoint => {
                    let (exp, sig) = (Z3_fpa_get_ebits(self.raw, sort), Z3_fpa_get_sbits(self.raw, sort));
                    let known = [FloatSort::F16, FloatSort::F32, FloatSort::F64, FloatSort::X87, FloatSort::F128];
                    let same = |f: &FloatSort| u32::from(f.exp()) == exp && u32::from(f.sig()) == sig;
                    known.into_iter().find(same).map(Sort::Float)
                }
                SortKind::Array => {
                    let index = Z3_get_array_sort_domain(self.raw, sort).ok_or_else(|| self.failure())?;
                    let elem = Z3_get_array_sort_range(self.raw, sort).ok_or_else(|| self.failure())?;
                    match (self.known_sort(index)?, self.known_sort(elem)?.and_then(Sort::as_elem)) {
                        (Some(Sort::BitVec(index)), Some(elem)) => Some(Sort::Array { index, elem }),
                        _ => None,
                    }
                }
                _ => None,
            })
        }
    }

    /// Declares a relation.
    pub(crate) fn relation(&self, name: &str, params: &[SortRef]) -> Result<Relation, SmtError> {
        let symbol = self.symbol(name)?;
        let params: Vec<Z3_sort> = params.iter().map(|s| s.0).collect();
        let range = self.bool_sort()?;
        // SAFETY: all sorts are of this context; the array has that many. The declaration is kept by a term that uses it.
        unsafe {
            let decl = Z3_mk_func_decl(self.raw, symbol, params.len() as u32, params.as_ptr(), range.0)
                .ok_or_else(|| self.failure())?;
            let ast = Z3_func_decl_to_ast(self.raw, decl);
            self.keep(ast)?;
            Ok(Relation(decl))
        }
    }

    /// A relation applied to arguments.
    pub(crate) fn apply(&self, relation: Relation, args: &[Ast]) -> Result<Ast, SmtError> {
        let args: Vec<Z3_ast> = args.iter().map(|a| a.0).collect();
        // SAFETY: relation and arguments are of this context; the array has that many.
        self.keep(unsafe { Z3_mk_app(self.raw, relation.0, args.len() as u32, args.as_ptr()) })
    }

    /// A formula that holds for all values of some constants; the formula itself if there are none.
    pub(crate) fn for_all(&self, bound: &[Ast], body: Ast) -> Result<Ast, SmtError> {
        if bound.is_empty() {
            return Ok(body);
        }
        // SAFETY: all terms are of this context; the bound ones are constants, which are applications.
        unsafe {
            let bound = bound
                .iter()
                .map(|a| Z3_to_app(self.raw, a.0).ok_or_else(|| self.failure()))
                .collect::<Result<Vec<Z3_app>, _>>()?;
            self.keep(Z3_mk_forall_const(self.raw, 0, bound.len() as u32, bound.as_ptr(), 0, std::ptr::null(), body.0))
        }
    }
}

/// Spacer.
pub(crate) struct Fixedpoint {
    context: Arc<Context>,
    raw: Z3_fixedpoint,
}

impl Drop for Fixedpoint {
    fn drop(&mut self) {
        // SAFETY: the reference was taken in `new`; the context is alive.
        unsafe { Z3_fixedpoint_dec_ref(self.context.raw, self.raw) }
    }
}

/// What kind of clauses an engine gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clauses {
    /// At most one predicate in each body.
    Linear,
    /// Any.
    Nonlinear,
}

impl Fixedpoint {
    /// An engine without rules, with a limit of resources; 0 for none.
    pub(crate) fn new(context: &Arc<Context>, resources: u32, clauses: Clauses) -> Result<Self, SmtError> {
        // The engine's own parameters have no such limit: it takes that of its context.
        context.set_parameter("rlimit", &resources.to_string());
        let mut params = Params::new(context)?.word("engine", "spacer")?.bool("ctrl_c", false)?;
        // Inlined relations have no interpretation, and their quantified variables would come back.
        for name in [
            "xform.inline_eager",
            "xform.inline_linear",
            "xform.inline_linear_branch",
            "xform.slice",
            "xform.coalesce_rules",
            "xform.coi",
            "xform.subsumption_checker",
            "xform.tail_simplifier_pve",
        ] {
            params = params.bool(name, false)?;
        }
        // The newer way of taking hypotheses out of proofs crashes on some proofs of such systems.
        params = params.bool("spacer.iuc.old_hyp_reducer", clauses == Clauses::Nonlinear)?;
        // SAFETY: every object is of this context and referenced while it is used.
        unsafe {
            let raw = Z3_mk_fixedpoint(context.raw).ok_or_else(|| context.failure())?;
            Z3_fixedpoint_inc_ref(context.raw, raw);
            let this = Self { context: context.clone(), raw };
            Z3_fixedpoint_set_params(context.raw, raw, params.raw);
            this.result(())?;
            Ok(this)
        }
    }

    fn result<T>(&self, value: T) -> Result<T, SmtError> {
        match self.context.error() {
            None => Ok(value),
            Some(error) => Err(SmtError::Backend(error)),
        }
    }

    pub(crate) fn register(&self, relation: Relation) -> Result<(), SmtError> {
        // SAFETY: both are of this context.
        unsafe { Z3_fixedpoint_register_relation(self.context.raw, self.raw, relation.0) };
        self.result(())
    }

    pub(crate) fn add_rule(&self, rule: Ast, name: &str) -> Result<(), SmtError> {
        let name = self.context.symbol(name)?;
        // SAFETY: all are of this context.
        unsafe { Z3_fixedpoint_add_rule(self.context.raw, self.raw, rule.0, Some(name)) };
        self.result(())
    }

    /// Whether a relation without parameters holds; errors are for the caller to ask. Only this way of asking keeps the limit.
    pub(crate) fn query(&self, relation: Ast) -> Answer {
        // SAFETY: both are of this context.
        match unsafe { Z3_fixedpoint_query(self.context.raw, self.raw, relation.0) } {
            Z3_L_TRUE => Answer::Sat,
            Z3_L_FALSE => Answer::Unsat,
            _ => Answer::Unknown,
        }
    }

    pub(crate) fn reason_unknown(&self) -> String {
        // SAFETY: the engine is of this context; the string is copied at once.
        text(unsafe { Z3_fixedpoint_get_reason_unknown(self.context.raw, self.raw) })
    }

    /// What the solution says about a relation, over bound variables for its parameters.
    pub(crate) fn cover(&self, relation: Relation) -> Result<Ast, SmtError> {
        // SAFETY: both are of this context; -1 asks for what holds at all levels.
        self.context.keep(unsafe { Z3_fixedpoint_get_cover_delta(self.context.raw, self.raw, -1, relation.0) })
    }
}
