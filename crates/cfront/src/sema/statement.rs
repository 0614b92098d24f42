//! Statements: control flow, labels, `switch`, inline assembler, statement expressions.

use super::Sema;
use super::convert::Target;
use crate::typed::{CaseId, Expr, ExprKind, FunctionId, Label, LabelId, Size, Stmt, StmtKind};
use crate::types::TypeId;
use base::{Diagnostic, Id, IdVec, Span};
use rustc_hash::FxHashMap;
use syntax::ast::{self, BlockItem, ForInit, Ident, LabelKind, StmtKind as Ast, Symbol};

/// The function that is being checked.
pub(super) struct FuncCtx {
    pub id: FunctionId,
    ret: TypeId,
    pub labels: IdVec<LabelId, Label>,
    /// Whether the label's definition was seen, by label.
    defined: Vec<bool>,
    /// Local labels may be declared and never used (GNU).
    used: Vec<bool>,
    /// Labels by name; several for `__label__`, the innermost last.
    names: FxHashMap<Symbol, Vec<LabelId>>,
    pub n_cases: usize,
    switches: Vec<Switch>,
    /// How many loops and switches a `break` could leave, and loops a `continue` could go on with.
    n_breakable: u32,
    n_loops: u32,
    /// Whether `__builtin_va_arg_pack` occurs.
    pub uses_arg_pack: bool,
}

impl FuncCtx {
    pub fn new(id: FunctionId, ret: TypeId) -> Self {
        Self {
            id,
            ret,
            labels: IdVec::new(),
            defined: Vec::new(),
            used: Vec::new(),
            names: FxHashMap::default(),
            n_cases: 0,
            switches: Vec::new(),
            n_breakable: 0,
            n_loops: 0,
            uses_arg_pack: false,
        }
    }
}

/// A `switch` whose body is being checked.
struct Switch {
    /// Type of the controlling expression.
    ty: TypeId,
    cases: Vec<(i128, i128, CaseId)>,
    /// Where they stand.
    spans: Vec<Span>,
    default: Option<CaseId>,
}

impl<'a> Sema<'a> {
    /// The items of a block, without a scope of their own.
    pub(super) fn block_items(&mut self, block: &'a ast::Block, out: &mut Vec<Stmt>) {
        self.declare_local_labels(&block.local_labels);
        for item in &block.items {
            self.block_item(item, out);
        }
        self.forget_local_labels(&block.local_labels);
    }

    fn block_item(&mut self, item: &'a BlockItem, out: &mut Vec<Stmt>) {
        match item {
            BlockItem::Stmt(stmt) => self.stmt(stmt, out),
            BlockItem::Declaration(declaration) => self.declaration(declaration, out),
            BlockItem::StaticAssert(assert) => self.static_assert(assert),
        }
    }

    /// Checks a statement and appends what it becomes; see [`Sema::stmt`].
    pub(super) fn simple_stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let kind = match &stmt.kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Block(block) => StmtKind::Block(self.block(block)),
            Ast::Expr(e) => StmtKind::Expr(self.rvalue_expr(e)),
            Ast::If(statement) => return self.if_stmt(statement, span, out),
            Ast::While(looping) => {
                let contract = self.loop_contract(looping.contract.as_deref());
                let cond = self.condition(&looping.condition);
                let body = Box::new(self.loop_body(&looping.body));
                let span = span_to(span, looping.condition.span);
                return self.push_loop(contract, Stmt { kind: StmtKind::While { cond, body }, span }, out);
            }
            Ast::DoWhile(looping) => {
                let contract = self.loop_contract(looping.contract.as_deref());
                let body = Box::new(self.loop_body(&looping.body));
                let cond = self.condition(&looping.condition);
                let span = looping.condition.span;
                return self.push_loop(contract, Stmt { kind: StmtKind::DoWhile { body, cond }, span }, out);
            }
            Ast::For(statement) => return self.for_stmt(statement, span, out),
            Ast::Switch(looping) => return self.switch_stmt(looping, span, out),
            Ast::Labeled(labeled) => return self.labeled(labeled, out),
            Ast::Goto(label) => match self.label(*label) {
                Some(id) => StmtKind::Goto(id),
                None => StmtKind::Empty,
            },
            Ast::GotoExpr(e) => {
                let target = self.rvalue_expr(e);
                let void_ptr = self.common.void_ptr;
                StmtKind::GotoComputed(self.assign_convert(target, void_ptr, Target::Assignment))
            }
            Ast::Break => self.jump(StmtKind::Break, span),
            Ast::Continue => self.jump(StmtKind::Continue, span),
            Ast::Return(value) => return self.return_stmt(value.as_ref(), span, out),
            Ast::Asm(asm) => return self.asm_stmt(asm, out),
        };
        out.push(Stmt { kind, span });
    }

    pub(super) fn block(&mut self, block: &'a ast::Block) -> Vec<Stmt> {
        let mut stmts = Vec::with_capacity(block.items.len());
        self.scopes.push();
        self.block_items(block, &mut stmts);
        self.scopes.pop();
        stmts
    }

    fn loop_body(&mut self, stmt: &'a ast::Stmt) -> Stmt {
        if let Some(func) = &mut self.func {
            func.n_loops += 1;
            func.n_breakable += 1;
        }
        let body = self.body(stmt);
        if let Some(func) = &mut self.func {
            func.n_loops -= 1;
            func.n_breakable -= 1;
        }
        body
    }

    fn if_stmt(&mut self, statement: &'a ast::If, span: Span, out: &mut Vec<Stmt>) {
        let mut arms = Vec::with_capacity(statement.arms.len());
        for arm in &statement.arms {
            let condition = self.condition(&arm.condition);
            let body = self.body(&arm.body);
            arms.push((condition, body));
        }
        let otherwise = statement.otherwise.as_ref().map(|stmt| Box::new(self.body(stmt)));
        let span = statement.arms.first().map_or(span, |arm| span_to(span, arm.condition.span));
        out.push(Stmt { kind: StmtKind::If { arms, otherwise }, span });
    }

    fn for_stmt(&mut self, statement: &'a ast::For, span: Span, out: &mut Vec<Stmt>) {
        self.scopes.push();
        let mut init = Vec::new();
        let mut head = span.lo;
        match &statement.init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                head = e.span.hi;
                init.push(Stmt { kind: StmtKind::Expr(self.rvalue_expr(e)), span: e.span });
            }
            ForInit::Declaration(declaration) => {
                head = declaration.span.hi;
                self.declaration(declaration, &mut init);
            }
        }
        let contract = self.loop_contract(statement.contract.as_deref());
        let cond = statement.condition.as_ref().map(|e| self.condition(e));
        let step = statement.step.as_ref().map(|e| self.rvalue_expr(e));
        let body = Box::new(self.loop_body(&statement.body));
        self.scopes.pop();
        let parts = [&cond, &step].into_iter().flatten().map(|e| e.span.hi);
        let span = Span::new(span.lo, parts.fold(head, u32::max).max(span.lo + 3).min(span.hi));
        self.push_loop(contract, Stmt { kind: StmtKind::For { init, cond, step, body }, span }, out);
    }

    fn switch_stmt(&mut self, looping: &'a ast::Loop, span: Span, out: &mut Vec<Stmt>) {
        let value = self.rvalue_expr(&looping.condition);
        let value = match self.types.is_integer(value.ty) {
            true => self.promote(value),
            false if self.types.is_unsupported(value.ty) => {
                self.unsupported_operand(&value, self.common.int, value.span)
            }
            false => {
                let text = format!("`switch` over a value of type `{}`", self.types.display(value.ty));
                let mut poison = self.error_expr(Diagnostic::error("E0342", value.span, text).label("not an integer"));
                poison.ty = self.common.int;
                poison
            }
        };
        let ty = value.ty;
        if let Some(func) = &mut self.func {
            func.switches.push(Switch { ty, cases: Vec::new(), spans: Vec::new(), default: None });
            func.n_breakable += 1;
        }
        let body = Box::new(self.body(&looping.body));
        let mut popped = None;
        if let Some(func) = &mut self.func {
            func.n_breakable -= 1;
            popped = func.switches.pop();
        }
        let Some(switch) = popped else { return };
        self.check_duplicates(&switch);
        let (cases, default) = (switch.cases, switch.default);
        let span = span_to(span, looping.condition.span);
        out.push(Stmt { kind: StmtKind::Switch { value, body, cases, default }, span });
    }

    fn check_duplicates(&mut self, switch: &Switch) {
        let mut order: Vec<usize> = (0..switch.cases.len()).collect();
        order.sort_by_key(|i| switch.cases[*i].0);
        for pair in order.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            if switch.cases[first].1 >= switch.cases[second].0 {
                let (first, second) = (first.min(second), first.max(second));
                let text = "duplicate case value";
                let diagnostic = Diagnostic::error("E0343", switch.spans[second], text);
                self.error(diagnostic.related(switch.spans[first], "used before here"));
            }
        }
    }

    /// `break` or `continue`.
    fn jump(&mut self, kind: StmtKind, span: Span) -> StmtKind {
        let (allowed, text) = match (&self.func, &kind) {
            (Some(func), StmtKind::Break) => (func.n_breakable > 0, "`break` outside of a loop or `switch`"),
            (Some(func), _) => (func.n_loops > 0, "`continue` outside of a loop"),
            (None, _) => (false, "a jump outside of a function"),
        };
        if !allowed {
            self.error(Diagnostic::error("E0344", span, text));
        }
        kind
    }

    fn return_stmt(&mut self, value: Option<&'a ast::Expr>, span: Span, out: &mut Vec<Stmt>) {
        let ret = self.func.as_ref().map_or(self.common.void, |f| f.ret);
        let is_void = ret == self.common.void;
        let value = match value {
            None => {
                if !is_void {
                    self.warning("W0306", span, |_| "`return` without a value in a function that returns one".into());
                }
                None
            }
            Some(e) => {
                let e = self.rvalue_expr(e);
                if is_void {
                    if e.ty != self.common.void && !self.types.is_unsupported(e.ty) {
                        self.warning("W0306", span, |_| "`return` with a value in a function that returns none".into());
                    }
                    let value_span = e.span;
                    out.push(Stmt { kind: StmtKind::Expr(e), span: value_span });
                    None
                } else {
                    Some(self.assign_convert(e, ret, Target::Return))
                }
            }
        };
        out.push(Stmt { kind: StmtKind::Return(value), span });
    }

    // ----------------------------------------------------------------------------------------------------- labels

    fn labeled(&mut self, labeled: &'a ast::Labeled, out: &mut Vec<Stmt>) {
        for label in &labeled.labels {
            let kind = match &label.kind {
                LabelKind::Named(name, _) => self.define_label(*name).map(StmtKind::Label),
                LabelKind::Case(e) => self.case(e, None, label.span),
                LabelKind::Range(first, last) => self.case(first, Some(last), label.span),
                LabelKind::Default => self.default_case(label.span),
            };
            out.extend(kind.map(|kind| Stmt { kind, span: label.span }));
        }
        self.stmt(&labeled.body, out);
    }

    fn case(&mut self, first: &'a ast::Expr, last: Option<&'a ast::Expr>, span: Span) -> Option<StmtKind> {
        let Some(ty) = self.func.as_ref().and_then(|f| f.switches.last()).map(|s| s.ty) else {
            self.error(Diagnostic::error("E0344", span, "`case` outside of a `switch`"));
            return None;
        };
        let low = self.integer_constant(first, "the value of a `case`")?;
        let high = match last {
            Some(last) => self.integer_constant(last, "the value of a `case`")?,
            None => low,
        };
        let low = self.wrap_to(low, ty).unwrap_or(low);
        let high = self.wrap_to(high, ty).unwrap_or(high);
        if low > high {
            self.warning("W0307", span, |_| "empty range of case values".into());
        }
        let func = self.func.as_mut()?;
        let id = CaseId::from_index(func.n_cases);
        func.n_cases += 1;
        let switch = func.switches.last_mut()?;
        if low <= high {
            switch.cases.push((low, high, id));
            switch.spans.push(span);
        }
        Some(StmtKind::Case(id))
    }

    fn default_case(&mut self, span: Span) -> Option<StmtKind> {
        let id = match self.func.as_mut().map(|func| (func.n_cases, func.switches.last_mut())) {
            Some((n_cases, Some(switch))) if switch.default.is_none() => {
                let id = CaseId::from_index(n_cases);
                switch.default = Some(id);
                id
            }
            Some((_, Some(_))) => {
                self.error(Diagnostic::error("E0343", span, "several `default` labels in one `switch`"));
                return None;
            }
            _ => {
                self.error(Diagnostic::error("E0344", span, "`default` outside of a `switch`"));
                return None;
            }
        };
        if let Some(func) = &mut self.func {
            func.n_cases += 1;
        }
        Some(StmtKind::Case(id))
    }

    fn declare_local_labels(&mut self, labels: &'a [Ident]) {
        for label in labels {
            let name = self.names.name(label.name).clone();
            if let Some(func) = &mut self.func {
                let id = func.labels.push(Label { name, address_taken: false, span: label.span });
                func.defined.push(false);
                func.used.push(false);
                func.names.entry(label.name).or_default().push(id);
            }
        }
    }

    fn forget_local_labels(&mut self, labels: &'a [Ident]) {
        for label in labels {
            if let Some(func) = &mut self.func
                && let Some(ids) = func.names.get_mut(&label.name)
            {
                ids.pop();
            }
        }
    }

    /// The label of this name, maybe defined later.
    pub(super) fn label(&mut self, name: Ident) -> Option<LabelId> {
        let names = self.names;
        let Some(func) = &mut self.func else {
            self.error(Diagnostic::error("E0345", name.span, "a label is used outside of a function"));
            return None;
        };
        if let Some(id) = func.names.get(&name.name).and_then(|ids| ids.last()) {
            func.used[id.index()] = true;
            return Some(*id);
        }
        let text = names.name(name.name).clone();
        let id = func.labels.push(Label { name: text, address_taken: false, span: name.span });
        func.defined.push(false);
        func.used.push(true);
        // Function labels lie below the local ones.
        func.names.entry(name.name).or_default().insert(0, id);
        Some(id)
    }

    fn define_label(&mut self, name: Ident) -> Option<LabelId> {
        let id = self.label(name)?;
        let func = self.func.as_mut()?;
        if func.defined[id.index()] {
            let text = format!("duplicate label `{}`", func.labels[id].name);
            let first = func.labels[id].span;
            self.error(Diagnostic::error("E0203", name.span, text).related(first, "first defined here"));
            return None;
        }
        func.defined[id.index()] = true;
        func.labels[id].span = name.span;
        Some(id)
    }

    pub(super) fn check_labels(&mut self, func: &FuncCtx) {
        let states = func.defined.iter().zip(&func.used);
        for (label, _) in func.labels.iter().zip(states).filter(|(_, (defined, used))| !**defined && **used) {
            let text = format!("label `{}` is used but not defined", label.name);
            self.error(Diagnostic::error("E0345", label.span, text));
        }
    }

    pub(super) fn label_address(&mut self, name: Ident, span: Span) -> Expr {
        let Some(id) = self.label(name) else { return self.poison(span) };
        if let Some(func) = &mut self.func {
            func.labels[id].address_taken = true;
        }
        Expr { kind: ExprKind::LabelAddr(id), ty: self.common.void_ptr, span }
    }

    // ------------------------------------------------------------------------------------------------------- others

    /// `({ … })`
    pub(super) fn statement_expr(&mut self, block: &'a ast::Block, span: Span) -> Expr {
        if self.func.is_none() {
            let text = "a statement expression outside of a function";
            return self.error_expr(Diagnostic::error("E0346", span, text));
        }
        let outer = std::mem::take(&mut self.pending);
        self.scopes.push();
        self.declare_local_labels(&block.local_labels);
        let mut stmts = Vec::with_capacity(block.items.len());
        for item in &block.items {
            self.block_item(item, &mut stmts);
        }
        self.forget_local_labels(&block.local_labels);
        self.scopes.pop();
        self.pending = outer;
        let value = match stmts.pop() {
            Some(Stmt { kind: StmtKind::Expr(e), .. }) => Some(Box::new(e)),
            last => {
                stmts.extend(last);
                None
            }
        };
        // Only the last statement of the block gives the value.
        let ends_in_expr = match block.items.last() {
            Some(BlockItem::Stmt(stmt)) => ends_in_expr(stmt),
            _ => false,
        };
        let (value, ty) = match value {
            Some(value) if ends_in_expr => {
                let ty = value.ty;
                (Some(value), ty)
            }
            Some(value) => {
                let span = value.span;
                stmts.push(Stmt { kind: StmtKind::Expr(*value), span });
                (None, self.common.void)
            }
            None => (None, self.common.void),
        };
        if let Some(value) = &value
            && self.types.is_unsupported(ty)
        {
            return self.unsupported_operand(value, ty, span);
        }
        Expr { kind: ExprKind::StmtExpr { stmts, value }, ty, span }
    }
}

fn ends_in_expr(stmt: &ast::Stmt) -> bool {
    match &stmt.kind {
        Ast::Expr(_) => true,
        Ast::Labeled(labeled) => matches!(labeled.body.kind, Ast::Expr(_)),
        _ => false,
    }
}

/// From the start of `whole` to the end of `head`.
fn span_to(whole: Span, head: Span) -> Span {
    Span::new(whole.lo, head.hi.max(whole.lo))
}

/// Whether evaluating the expression can do more than compute a value.
pub(super) fn has_effect(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } | ExprKind::IncDec { .. } | ExprKind::Call { .. } => {
            true
        }
        ExprKind::Quantified(_) | ExprKind::StmtExpr { .. } | ExprKind::VaArg(_) | ExprKind::Unsupported(..) => true,
        ExprKind::CompoundLiteral { .. } => true,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) | ExprKind::Function(_) | ExprKind::String(_) => false,
        ExprKind::LabelAddr(_) | ExprKind::VlaSize(_) => false,
        ExprKind::Deref(e) | ExprKind::Load(e) | ExprKind::Decay(e) | ExprKind::AddrOf(e) => has_effect(e),
        ExprKind::Cast(e) | ExprKind::Wrap(e, _) | ExprKind::Unary(_, e) => has_effect(e),
        ExprKind::Member { base: e, .. } => has_effect(e),
        ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => has_effect(a) || has_effect(b),
        ExprKind::PtrAdd { ptr: a, index: b, elem_size, .. } | ExprKind::PtrDiff { lhs: a, rhs: b, elem_size } => {
            has_effect(a) || has_effect(b) || matches!(elem_size, Size::Expr(e) if has_effect(e))
        }
        ExprKind::Conditional { cond, then, otherwise } => {
            has_effect(cond) || then.as_deref().is_some_and(has_effect) || has_effect(otherwise)
        }
    }
}
