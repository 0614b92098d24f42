//! Visits what the functions of a translation unit execute, and lets it be changed in place.
//!
//! Parts come before what they are parts of, so that a visitor may replace a node without meeting its replacement. Expressions
//! that only make types (`sizeof`, `typeof`, lengths of arrays) are left out. The recursion is as deep as the tree.

use super::{
    Block, BlockItem, Declaration, Expr, ExprKind, ExternalItem, ForInit, FunctionDef, InitList, Initializer, Loop,
    Stmt, StmtKind,
};

/// What is done with the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It is used.
    Value,
    /// Nothing; it may have none.
    Discarded,
}

/// What a condition controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// The first `if` of a chain.
    If,
    /// A further `if` of a chain, behind `else`.
    ElseIf,
    /// `while`.
    While,
    /// `do`.
    DoWhile,
    /// `for`.
    For,
    /// `switch`.
    Switch,
}

/// What is told of the nodes; by default each function does nothing.
pub trait Visit {
    /// The body of a function comes next.
    fn function(&mut self, def: &FunctionDef) {
        let _ = def;
    }

    /// An expression.
    fn expr(&mut self, e: &mut Expr, used: Use) {
        let _ = (e, used);
    }

    /// A condition; none where a `for` has none. `keyword` is the offset of the statement's first word.
    fn condition(&mut self, kind: Control, keyword: u32, condition: &mut Option<Expr>, body: &Stmt) {
        let _ = (kind, keyword, condition, body);
    }

    /// A statement.
    fn stmt(&mut self, stmt: &mut Stmt) {
        let _ = stmt;
    }

    /// The items of a block.
    fn items(&mut self, items: &mut Vec<BlockItem>) {
        let _ = items;
    }
}

/// Visits all functions.
pub fn unit(items: &mut [ExternalItem], v: &mut impl Visit) {
    for item in items {
        if let ExternalItem::Function(def) = item {
            function(def, v);
        }
    }
}

/// Visits a function.
pub fn function(def: &mut FunctionDef, v: &mut impl Visit) {
    v.function(def);
    block(&mut def.body, v);
}

fn block(block: &mut Block, v: &mut impl Visit) {
    for item in &mut block.items {
        match item {
            BlockItem::Stmt(s) => stmt(s, v),
            BlockItem::Declaration(d) => declaration(d, v),
            BlockItem::StaticAssert(_) => {}
        }
    }
    v.items(&mut block.items);
}

fn declaration(declaration: &mut Declaration, v: &mut impl Visit) {
    for init in declaration.declarators.iter_mut().filter_map(|d| d.init.as_mut()) {
        initializer(init, v);
    }
}

/// Visits the expressions of an initialiser.
pub fn initializer(init: &mut Initializer, v: &mut impl Visit) {
    match init {
        Initializer::Expr(e) => expr(e, Use::Value, v),
        Initializer::List(list) => init_list(list, v),
    }
}

fn init_list(list: &mut InitList, v: &mut impl Visit) {
    for item in &mut list.items {
        initializer(&mut item.value, v);
    }
}

fn stmt(s: &mut Stmt, v: &mut impl Visit) {
    let keyword = s.span.lo;
    match &mut s.kind {
        StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {}
        StmtKind::Block(b) => block(b, v),
        StmtKind::Expr(e) => expr(e, Use::Discarded, v),
        StmtKind::If(chain) => {
            for (i, arm) in chain.arms.iter_mut().enumerate() {
                let kind = if i == 0 { Control::If } else { Control::ElseIf };
                stmt(&mut arm.body, v);
                condition(kind, arm.span.lo, &mut arm.condition, &arm.body, v);
            }
            if let Some(otherwise) = &mut chain.otherwise {
                stmt(otherwise, v);
            }
        }
        StmtKind::While(l) => looping(Control::While, keyword, l, v),
        StmtKind::DoWhile(l) => looping(Control::DoWhile, keyword, l, v),
        StmtKind::Switch(l) => looping(Control::Switch, keyword, l, v),
        StmtKind::For(f) => {
            match &mut f.init {
                ForInit::None => {}
                ForInit::Expr(e) => expr(e, Use::Discarded, v),
                ForInit::Declaration(d) => declaration(d, v),
            }
            if let Some(e) = &mut f.condition {
                expr(e, Use::Value, v);
            }
            if let Some(e) = &mut f.step {
                expr(e, Use::Discarded, v);
            }
            stmt(&mut f.body, v);
            v.condition(Control::For, keyword, &mut f.condition, &f.body);
        }
        StmtKind::Labeled(labeled) => {
            // Values of cases are constants.
            stmt(&mut labeled.body, v);
        }
        StmtKind::GotoExpr(e) | StmtKind::Return(Some(e)) => expr(e, Use::Value, v),
        StmtKind::Asm(asm) => {
            for operand in asm.inputs.iter_mut().chain(&mut asm.outputs) {
                expr(&mut operand.expr, Use::Value, v);
            }
        }
    }
    v.stmt(s);
}

fn looping(kind: Control, keyword: u32, l: &mut Loop, v: &mut impl Visit) {
    stmt(&mut l.body, v);
    condition(kind, keyword, &mut l.condition, &l.body, v);
}

fn condition(kind: Control, keyword: u32, e: &mut Expr, body: &Stmt, v: &mut impl Visit) {
    expr(e, Use::Value, v);
    let nothing = Expr { span: e.span, kind: ExprKind::Comma(Box::default()) };
    let mut whole = Some(std::mem::replace(e, nothing));
    v.condition(kind, keyword, &mut whole, body);
    if let Some(whole) = whole {
        *e = whole;
    }
}

/// Visits an expression and its parts.
pub fn expr(e: &mut Expr, used: Use, v: &mut impl Visit) {
    match &mut e.kind {
        ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Str(_) => {}
        ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) | ExprKind::AlignofExpr(_) | ExprKind::AlignofType(_) => {}
        ExprKind::LabelAddress(_) | ExprKind::Offsetof(_) | ExprKind::TypesCompatible(..) => {}
        // What is put there would be evaluated for each value, or by other rules.
        ExprKind::Quantified(_) | ExprKind::Exact(_) => {}
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member(a, _) | ExprKind::Arrow(a, _) => {
            expr(a, Use::Value, v);
        }
        ExprKind::VaArg(a, _) => expr(a, Use::Value, v),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) | ExprKind::AssignOp(_, a, b) | ExprKind::Index(a, b) => {
            expr(a, Use::Value, v);
            expr(b, Use::Value, v);
        }
        ExprKind::Conditional(parts) => {
            expr(&mut parts.condition, Use::Value, v);
            if let Some(then) = &mut parts.then {
                expr(then, used, v);
            }
            expr(&mut parts.otherwise, used, v);
        }
        ExprKind::Comma(parts) => {
            let last = parts.len().saturating_sub(1);
            for (i, part) in parts.iter_mut().enumerate() {
                expr(part, if i == last { used } else { Use::Discarded }, v);
            }
        }
        ExprKind::CompoundLiteral(_, list) => init_list(list, v),
        ExprKind::Call(call) => {
            expr(&mut call.callee, Use::Value, v);
            for arg in &mut call.args {
                expr(arg, Use::Value, v);
            }
        }
        ExprKind::Statement(b) => block(b, v),
        ExprKind::Generic(generic) => {
            for (_, e) in &mut generic.associations {
                expr(e, used, v);
            }
        }
        ExprKind::Choose(choose) => {
            expr(&mut choose.then, used, v);
            expr(&mut choose.otherwise, used, v);
        }
    }
    v.expr(e, used);
}
