//! The syntax tree of GNU C11 after preprocessing.
//!
//! It follows the grammar, with these simplifications: parentheses and `__extension__` leave no node (a
//! parenthesised expression keeps the span with its parentheses); type specifiers are normalised to one [`TypeSpec`];
//! declarators are lists of [`Derived`] parts from the name outward; `else if` chains, `case`/label chains and comma
//! chains are flat. What is left of nesting (operands, blocks, initialisers, declarators) is at most
//! [`crate::parse::MAX_DEPTH`] deep, so that recursive consumers can size their stack.

use crate::unchecked::Unchecked;
use base::Span;

mod contract;
mod declaration;
mod expression;
mod statement;
pub mod walk;

pub use crate::intern::{Interner, Symbol};
pub use contract::{Clause, ClauseGroup, ClauseKind, Contract, Writes};
pub use declaration::{
    ArrayPart, ArraySize, AttrArg, Attribute, Builtin, DeclSpecs, Declaration, Declarator, Derived, Designator,
    DesignatorKind, EnumSpec, Enumerator, Field, FieldDeclaration, FunctionPart, InitDeclarator, InitItem, InitList,
    Initializer, Member, ParamDecl, Params, Quals, RecordKind, RecordSpec, Storage, TypeName, TypeSpec,
};
pub use expression::{
    BinaryOp, Call, CharKind, CharLit, Choose, Conditional, Expr, ExprKind, FloatLit, Generic, IntLength, IntLit,
    Offsetof, Quantified, Quantifier, Radix, StrData, StrLit, UnaryOp, Values,
};
pub use statement::{
    Asm, AsmOperand, Block, BlockItem, For, ForInit, If, IfArm, Label, LabelKind, Labeled, Loop, Stmt, StmtKind,
};

/// An identifier at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// Its name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// The translation units of a program, one behind the other.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// Names of all identifiers in it.
    pub names: Interner,
    /// In source order; each unit begins with [`ExternalItem::File`].
    pub items: Vec<ExternalItem>,
    /// Where some checks are off.
    pub unchecked: Unchecked,
    /// Whether an expression asks which of several types it has, so that `const char *` and `char *` have to be told apart.
    pub asks_for_types: bool,
}

/// What stands at file scope.
#[derive(Clone, Debug)]
pub enum ExternalItem {
    /// A unit begins, whose text stands there: names of those before are not seen in it, but for what they link.
    File(Span),
    /// A function with its body.
    Function(Box<FunctionDef>),
    /// Variables, functions without body, types.
    Declaration(Declaration),
    /// `asm("…");`
    Asm(Box<Asm>),
    /// `_Static_assert(…);`
    StaticAssert(Box<StaticAssert>),
    /// `#pragma`; all of a file stand behind the rest of it.
    Pragma(Pragma),
}

/// A pragma about symbols, such as `weak f`, or layouts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// The line.
    pub span: Span,
    /// What stands behind `#pragma`.
    pub text: String,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// Return type specifiers, storage class, `inline`.
    pub specs: DeclSpecs,
    /// Has a name, and the first derived part is [`Derived::Function`] (unless the function type is a typedef, which is
    /// rejected by the parser).
    pub declarator: Declarator,
    /// K&R parameter declarations, empty for prototypes.
    pub kr_declarations: Vec<Declaration>,
    /// The body.
    pub body: Block,
}

/// `_Static_assert(condition, "message")`.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// The whole.
    pub span: Span,
    /// Constant expression.
    pub condition: Expr,
    /// Optional since C23.
    pub message: Option<StrLit>,
}
