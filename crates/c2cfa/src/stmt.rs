//! Statements.

use crate::context::{Lowerer, Place, Ret};
use crate::layout::Class;
use base::{Id, Span};
use cfa::flow::Node;
use cfa::{BinOp, ExprId, Op, Scalar, Undefined, VarId};
use cfront::typed::contract::Contract;
use cfront::typed::{CaseId, Expr, LabelId, LocalDecl, Stmt, StmtKind, VarKind};

impl<'u> Lowerer<'u> {
    /// Statements in a row.
    pub fn stmts(&mut self, stmts: &'u [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// A statement. Where control can't be, only labels and scopes are looked for.
    pub fn stmt(&mut self, stmt: &'u Stmt) {
        self.f.position += 1;
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Decl(decls) => {
                for decl in decls {
                    self.declaration(decl);
                }
            }
            StmtKind::Block(stmts) => {
                let scope = self.open_scope();
                self.stmts(stmts);
                self.close_scope(scope, span);
            }
            StmtKind::If { arms, otherwise } => self.if_chain(arms, otherwise.as_deref(), span),
            StmtKind::While { cond, body } => self.while_loop(cond, body, span),
            StmtKind::DoWhile { body, cond } => self.do_while_loop(body, cond, span),
            StmtKind::For { init, cond, step, body } => {
                let scope = self.open_scope();
                self.stmts(init);
                self.for_loop(cond.as_ref(), step.as_ref(), body, span);
                self.close_scope(scope, span);
            }
            StmtKind::Switch { value, body, cases, default } => self.switch(value, body, cases, *default, span),
            StmtKind::Case(case) => self.case(*case, span),
            StmtKind::Label(label) => {
                if let Some(position) = self.f.label_positions.get_mut(label.index()) {
                    *position = self.f.position;
                }
                let blocks = self.f.scopes.open();
                if let Some(known) = self.f.label_blocks.get_mut(label.index()) {
                    *known = blocks;
                }
                let node = self.label_node(*label);
                self.goto(node, span);
                self.f.flow.enter_label(node);
            }
            StmtKind::Goto(label) => {
                let node = self.label_node(*label);
                self.jump_to_label(*label, span);
                self.goto(node, span);
            }
            StmtKind::GotoComputed(e) => self.goto_computed(e, span),
            StmtKind::Break => {
                if let Some((target, depth)) = self.f.breaks.last().copied() {
                    self.leave_to(depth, span);
                    self.goto(target, span);
                }
            }
            StmtKind::Continue => {
                if let Some((target, depth)) = self.f.continues.last().copied() {
                    self.leave_to(depth, span);
                    self.goto(target, span);
                }
            }
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            StmtKind::Contract(contract) => self.contract(contract, span),
            StmtKind::Asm(asm) => self.assembler(asm, span),
            StmtKind::Unsupported(construct, detail) => self.unsupported(construct, detail.clone(), span),
        }
    }

    /// A case. What is declared between the switch and the case lives from here on.
    fn case(&mut self, case: CaseId, span: Span) {
        let Some((node, depth)) = self.f.cases.get(case.index()).copied().flatten() else { return };
        let passed: Vec<VarId> = self.f.scopes.objects.iter().skip(depth.objects).map(|object| object.var).collect();
        let passed: Vec<VarId> = passed.into_iter().filter(|var| self.p.vars[*var].register().is_none()).collect();
        let has_labels = self.f.labels.is_some_and(|labels| !labels.is_empty());
        if passed.is_empty() && !has_labels {
            self.goto(node, span);
            return self.enter(node);
        }
        let both = self.node();
        self.goto(both, span);
        self.enter(node);
        for var in &passed {
            self.emit(Op::Declare { var: *var }, span);
        }
        self.enter_case(depth, span);
        self.goto(both, span);
        self.enter(both);
    }

    fn while_loop(&mut self, cond: &'u Expr, body: &'u Stmt, span: Span) {
        let (head, inside, end) = (self.node(), self.node(), self.node());
        self.enter_loop(head, body, span);
        self.check_endless(Some(cond), body, span);
        self.branch(cond, inside, end);
        self.enter(inside);
        self.loop_body(body, head, end);
        self.goto(head, span);
        self.enter(end);
    }

    fn do_while_loop(&mut self, body: &'u Stmt, cond: &'u Expr, span: Span) {
        let (head, check, end) = (self.node(), self.node(), self.node());
        self.enter_loop(head, body, span);
        self.loop_body(body, check, end);
        self.goto(check, span);
        self.enter(check);
        self.branch(cond, head, end);
        self.enter(end);
    }

    /// A `for` loop behind its first part.
    fn for_loop(&mut self, cond: Option<&'u Expr>, step: Option<&'u Expr>, body: &'u Stmt, span: Span) {
        let (head, inside, next, end) = (self.node(), self.node(), self.node(), self.node());
        self.enter_loop(head, body, span);
        self.check_endless(cond, body, span);
        match cond {
            Some(cond) => self.branch(cond, inside, end),
            None => self.goto(inside, span),
        }
        self.enter(inside);
        self.loop_body(body, next, end);
        self.goto(next, span);
        self.enter(next);
        if let Some(step) = step {
            self.effect(step);
        }
        self.goto(head, span);
        self.enter(end);
    }

    fn declaration(&mut self, decl: &'u LocalDecl) {
        let kind = self.unit.vars[decl.var].kind;
        if matches!(kind, VarKind::Global | VarKind::Extern | VarKind::StaticLocal(_)) {
            return;
        }
        let place = self.place(decl.var);
        let begins = self.beginning();
        if begins.is_some() {
            self.init_local(decl.var, place, decl.init.as_ref(), decl.span);
        }
        match place {
            Place::Memory(var) => {
                let cleanup = self.cleanup(decl.var, decl.span);
                self.add_to_scope(var, begins, cleanup);
            }
            // Those of the outermost block end with the frame, unless a jump leads to before their declaration.
            Place::Pointer(var)
                if !self.f.scopes.is_outermost() || self.f.labels.is_some_and(|all| !all.is_empty()) =>
            {
                self.add_to_scope(var, None, None);
            }
            Place::Pointer(_) | Place::Register(_) => {}
        }
    }

    fn if_chain(&mut self, arms: &'u [(Expr, Stmt)], otherwise: Option<&'u Stmt>, span: Span) {
        let end = self.node();
        for (cond, body) in arms {
            let (yes, no) = (self.node(), self.node());
            self.branch(cond, yes, no);
            self.enter(yes);
            self.stmt(body);
            self.goto(end, span);
            self.enter(no);
        }
        if let Some(body) = otherwise {
            self.stmt(body);
        }
        self.goto(end, span);
        self.enter(end);
    }

    /// What is lost is asked for in a loop that no run leaves, too.
    fn check_endless(&mut self, cond: Option<&Expr>, body: &Stmt, span: Span) {
        let is_true = cond.is_none_or(|cond| crate::effects::constant_of(cond).is_some_and(|value| value != 0));
        if is_true && !is_left(body) {
            self.check_leaks(span);
        }
    }

    /// Goes to the head of a loop. In code that nothing has led to so far, a jump into the body may still lead to the head.
    fn enter_loop(&mut self, head: Node, body: &Stmt, span: Span) {
        if self.is_reachable() || !has_targets(body) {
            self.goto(head, span);
            self.enter(head);
        } else {
            self.f.flow.enter_label(head);
        }
    }

    fn loop_body(&mut self, body: &'u Stmt, next: Node, end: Node) {
        let depth = self.f.scopes.depth();
        self.f.breaks.push((end, depth));
        self.f.continues.push((next, depth));
        self.stmt(body);
        self.f.breaks.pop();
        self.f.continues.pop();
    }

    fn switch(
        &mut self,
        value: &'u Expr,
        body: &'u Stmt,
        cases: &'u [(i128, i128, CaseId)],
        default: Option<CaseId>,
        span: Span,
    ) {
        let end = self.node();
        let depth = self.f.scopes.depth();
        for case in cases.iter().map(|(_, _, case)| *case).chain(default) {
            let node = self.node();
            if self.f.cases.len() <= case.index() {
                self.f.cases.resize(case.index() + 1, None);
            }
            self.f.cases[case.index()].get_or_insert((node, depth));
        }
        if self.is_reachable() {
            let value_of = self.rvalue(value);
            let saved = self.stable_memory(value_of, value.span);
            for (low, high, case) in cases {
                if let Some((node, _)) = self.f.cases[case.index()] {
                    self.select(saved, *low, *high, node, value.span);
                }
            }
            let rest = default.and_then(|case| self.f.cases[case.index()]).map_or(end, |(node, _)| node);
            self.goto(rest, span);
        }
        self.f.breaks.push((end, depth));
        self.stmt(body);
        self.f.breaks.pop();
        self.goto(end, span);
        self.enter(end);
    }

    /// Goes to `node` if the value is in the range, otherwise on.
    fn select(&mut self, value: ExprId, low: i128, high: i128, node: Node, span: Span) {
        let next = self.node();
        if low == high {
            let same = self.with_constant(BinOp::Eq, value, low);
            self.branch_on(same, node, next, span);
        } else {
            let upper = self.node();
            let above = self.with_constant(BinOp::Ge, value, low);
            self.branch_on(above, upper, next, span);
            self.enter(upper);
            let below = self.with_constant(BinOp::Le, value, high);
            self.branch_on(below, node, next, span);
        }
        self.enter(next);
    }

    /// Location of a label.
    fn label_node(&mut self, label: LabelId) -> Node {
        if let Some(Some(node)) = self.f.label_nodes.get(label.index()) {
            return *node;
        }
        let name = self.f.labels.and_then(|labels| labels.get(label)).map_or_else(|| "".into(), |l| l.name.clone());
        let node = self.f.flow.labelled(name);
        if self.f.label_nodes.len() <= label.index() {
            self.f.label_nodes.resize(label.index() + 1, None);
        }
        self.f.label_nodes[label.index()] = Some(node);
        node
    }

    fn goto_computed(&mut self, e: &'u Expr, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let target = self.rvalue(e);
        let target = self.convert(target, Scalar::Ptr);
        let target = self.stable_memory(target, span);
        let labels = self.f.labels;
        for (label, _) in labels.iter().flat_map(|l| l.iter_enumerated()).filter(|(_, l)| l.address_taken) {
            let (node, way) = (self.label_node(label), self.node());
            let address = self.label_address(label);
            self.select(target, address, address, way, span);
            let others = self.f.flow.cur;
            self.enter(way);
            self.jump_to_label(label, span);
            self.goto(node, span);
            self.f.flow.cur = others;
        }
        self.emit(Op::Undefined(Undefined::InvalidCall), span);
    }

    fn return_stmt(&mut self, value: Option<&'u Expr>, span: Span) {
        if !self.is_reachable() {
            return;
        }
        match (self.f.ret, value) {
            (Ret::Register(ret), Some(value)) if self.class(value.ty) != Class::Void => {
                self.rvalue_into(value, ret, span);
            }
            (Ret::Record { ptr, size }, Some(value)) => {
                let src = self.record(value);
                let dst = self.var(ptr);
                self.copy(dst, src, size, span);
            }
            (_, value) => {
                if let Some(value) = value {
                    self.effect(value);
                }
                self.lack_result(span);
            }
        }
        self.clean_up_all(span);
        self.leave(span);
    }
}

/// Whether a statement contains one that may leave the loop around it.
fn is_left(stmt: &Stmt) -> bool {
    contains(stmt, &|kind| {
        matches!(kind, StmtKind::Break | StmtKind::Goto(_) | StmtKind::GotoComputed(_) | StmtKind::Return(_))
    })
}

/// Whether a statement contains labels or cases, which jumps may lead to.
fn has_targets(stmt: &Stmt) -> bool {
    contains(stmt, &|kind| matches!(kind, StmtKind::Case(_) | StmtKind::Label(_)))
}

/// Whether a statement is one that is wanted, or contains one.
fn contains(stmt: &Stmt, is_wanted: &impl Fn(&StmtKind) -> bool) -> bool {
    let go = |stmt: &Stmt| contains(stmt, is_wanted);
    match &stmt.kind {
        kind if is_wanted(kind) => true,
        StmtKind::Block(stmts) => stmts.iter().any(go),
        StmtKind::If { arms, otherwise } => {
            arms.iter().any(|(_, body)| go(body)) || otherwise.as_ref().is_some_and(|body| go(body))
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => go(body),
        StmtKind::Contract(contract) => match &**contract {
            Contract::Frame { body, .. } | Contract::Iteration { body, .. } => body.iter().any(go),
            _ => false,
        },
        _ => false,
    }
}
