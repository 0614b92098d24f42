//! Statements.

use base::Span;

use super::{Attribute, Contract, Declaration, Expr, Ident, StaticAssert, StrLit};

/// A compound statement.
#[derive(Clone, Debug)]
pub struct Block {
    /// With the braces.
    pub span: Span,
    /// `__label__ a, b;` at its beginning.
    pub local_labels: Vec<Ident>,
    /// In order.
    pub items: Vec<BlockItem>,
}

/// What stands in a block.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A statement.
    Stmt(Stmt),
    /// A declaration.
    Declaration(Declaration),
    /// `_Static_assert(…);`
    StaticAssert(Box<StaticAssert>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// With the semicolon.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// `{ … }`
    Block(Box<Block>),
    /// `e;`
    Expr(Expr),
    /// `if … else if … else …`
    If(Box<If>),
    /// `while (condition) body`
    While(Box<Loop>),
    /// `do body while (condition);`
    DoWhile(Box<Loop>),
    /// `for (init; condition; step) body`
    For(Box<For>),
    /// `switch (condition) body`
    Switch(Box<Loop>),
    /// Labels before a statement. The statement of a label at the end of a block is `Empty`.
    Labeled(Box<Labeled>),
    /// `goto l;`
    Goto(Ident),
    /// `goto *e;`
    GotoExpr(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expr>),
    /// `asm …;`
    Asm(Box<Asm>),
}

/// An `if` statement with all its `else if` arms, so that long chains aren't deep.
#[derive(Clone, Debug)]
pub struct If {
    /// At least one; tried in order.
    pub arms: Vec<IfArm>,
    /// The final `else`.
    pub otherwise: Option<Stmt>,
}

/// `if (condition) body`
#[derive(Clone, Debug)]
pub struct IfArm {
    /// From `if` to the end of the body.
    pub span: Span,
    /// When it is taken.
    pub condition: Expr,
    /// What it does.
    pub body: Stmt,
}

/// Condition and body of `while`, `do` and `switch`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Controlling expression.
    pub condition: Expr,
    /// Clauses behind the condition, or before the loop.
    pub contract: Option<Box<Contract>>,
    /// Body.
    pub body: Stmt,
}

/// A `for` statement.
#[derive(Clone, Debug)]
pub struct For {
    /// First clause.
    pub init: ForInit,
    /// Absent means true.
    pub condition: Option<Expr>,
    /// After each round.
    pub step: Option<Expr>,
    /// Clauses behind the head, or before the loop.
    pub contract: Option<Box<Contract>>,
    /// Body.
    pub body: Stmt,
}

/// First clause of `for`.
#[derive(Clone, Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Declaration(Declaration),
}

/// A statement with labels.
#[derive(Clone, Debug)]
pub struct Labeled {
    /// At least one, in source order.
    pub labels: Vec<Label>,
    /// Never `Labeled` itself.
    pub body: Stmt,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// With the colon.
    pub span: Span,
    /// What it is.
    pub kind: LabelKind,
}

/// Kinds of labels.
#[derive(Clone, Debug)]
pub enum LabelKind {
    /// `name:`
    Named(Ident, Vec<Attribute>),
    /// `case e:`
    Case(Expr),
    /// `case a ... b:`, both included
    Range(Expr, Expr),
    /// `default:`
    Default,
}

/// Inline assembler, as a statement or at file scope.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The whole.
    pub span: Span,
    /// `asm volatile`
    pub volatile: bool,
    /// The instructions.
    pub template: StrLit,
    /// After the first colon.
    pub outputs: Vec<AsmOperand>,
    /// After the second colon.
    pub inputs: Vec<AsmOperand>,
    /// After the third colon.
    pub clobbers: Vec<StrLit>,
    /// After the fourth colon: where `asm goto` may jump.
    pub labels: Vec<Ident>,
}

/// `[name] "constraint" (expression)`
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// Symbolic name.
    pub name: Option<Ident>,
    /// Constraint.
    pub constraint: StrLit,
    /// Operand.
    pub expr: Expr,
}
