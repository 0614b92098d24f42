//! The typed syntax tree: names resolved, every implicit conversion explicit. Expressions are *lvalues* (`Var`, `String`, `Deref`, `Member`
//! of an lvalue, `CompoundLiteral`) or *rvalues*. An lvalue becomes an rvalue only through [`ExprKind::Load`] (scalars and records),
//! [`ExprKind::Decay`] (arrays and functions to pointers) and [`ExprKind::AddrOf`]. [`ExprKind::Cast`] promotes operands of arithmetic.

use crate::types::{BitField, TypeId, Types};
use base::{IdVec, Name, SourceMap, Span, new_id};
use syntax::machine_model::Machine;
use syntax::unchecked::Unchecked;

mod attributes;
mod variable;
pub mod contract;
pub use attributes::{NonNull, Startup};
pub use syntax::ast::BinaryOp;
pub use variable::{Var, VarKind, named};

new_id! {
    /// A variable: global, static, local or parameter.
    pub struct VarId;
    /// A function, defined or only declared.
    pub struct FunctionId;
    /// A string literal.
    pub struct StringId;
    /// A label of one function.
    pub struct LabelId;
    /// A `case` or `default` of one function.
    pub struct CaseId;
}

/// The translation units of a program.
#[derive(Debug)]
pub struct TypedUnit {
    /// Types.
    pub types: Types,
    /// All variables.
    pub vars: IdVec<VarId, Var>,
    /// All functions.
    pub functions: IdVec<FunctionId, Function>,
    /// String literals: bytes with the terminating zero, in the element type's encoding.
    pub strings: IdVec<StringId, StringLiteral>,
    /// Text and positions.
    pub source: SourceMap,
    /// Data model that types and constants were computed for.
    pub machine: Machine,
    /// Declarations through which every run does what is not modelled: construct, detail and place.
    pub unmodelled: Vec<(Name, String, Span)>,
    /// Declarations of variables that each thread has its own of.
    pub thread_locals: Vec<Span>,
    /// Where some checks are off.
    pub unchecked: Unchecked,
}

/// A string literal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// Content as it lies in memory, with the terminator.
    pub bytes: Box<[u8]>,
    /// Array type.
    pub ty: TypeId,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Name in the source.
    pub name: Name,
    /// Type; [`crate::types::Type::Function`].
    pub ty: TypeId,
    /// Definition.
    pub body: Option<FunctionBody>,
    /// Whether it is used other than being called.
    pub address_taken: bool,
    /// `noreturn` by attribute or keyword.
    pub noreturn: bool,
    /// Declared without being named in the source (implicit declaration by a call).
    pub implicit: bool,
    /// The function that this is another name of.
    pub alias: Option<FunctionId>,
    /// Its name for the assembler if that is another one, and no file defines it.
    pub symbol: Option<Name>,
    /// Whether its address is null if no other file defines it.
    pub weak: bool,
    /// When the C runtime calls it.
    pub startup: Startup,
    /// Which parameters are declared not to be null.
    pub nonnull: NonNull,
    /// What is called instead, but by itself: a function that checks the contract, or one that the contract is all that is known of.
    pub stand_in: Option<FunctionId>,
    /// Definition or first declaration.
    pub span: Span,
}

impl Function {
    /// A function that is declared and nothing more.
    pub fn new(name: Name, ty: TypeId, span: Span) -> Self {
        Self {
            name,
            ty,
            body: None,
            address_taken: false,
            noreturn: false,
            implicit: false,
            alias: None,
            symbol: None,
            weak: false,
            startup: Startup::default(),
            nonnull: NonNull::default(),
            stand_in: None,
            span,
        }
    }
}

/// A function definition.
#[derive(Debug)]
pub struct FunctionBody {
    /// Parameters, in order.
    pub params: Vec<VarId>,
    /// Body; a `Block`.
    pub stmt: Stmt,
    /// Labels: names and places; `address_taken` for `&&label`.
    pub labels: IdVec<LabelId, Label>,
    /// Number of [`CaseId`]s.
    pub n_cases: usize,
    /// The closing brace.
    pub end: Span,
}

/// A label.
#[derive(Debug, Clone)]
pub struct Label {
    /// Name in the source.
    pub name: Name,
    /// Whether `&&label` occurs.
    pub address_taken: bool,
    /// Where it is defined.
    pub span: Span,
}

/// An initialiser, flattened: items in the order in which they are evaluated, later ones override earlier ones. Items
/// for a
/// flexible array member lie behind the size of the type: the object is as large as its last item demands.
#[derive(Debug, Clone, Default)]
pub struct Initializer {
    /// Whether what no item covers is zero (braced lists; always so for statics).
    pub zero_rest: bool,
    /// Parts.
    pub items: Vec<InitItem>,
}

/// One part of an initialiser.
#[derive(Debug, Clone)]
pub struct InitItem {
    /// Offset in bytes in the object.
    pub offset: u64,
    /// For bit-fields.
    pub bits: Option<BitField>,
    /// What is stored.
    pub value: InitValue,
}

/// What an initialiser stores.
#[derive(Debug, Clone)]
pub enum InitValue {
    /// An rvalue of scalar or record type, converted to the member's type.
    Expr(Expr),
    /// A string literal that initialises a character array: bytes, cut or zero-extended to the array.
    Bytes(Box<[u8]>),
}

/// A declaration of a local variable, executed where it stands: a new instance begins, then it is initialised.
#[derive(Debug, Clone)]
pub struct LocalDecl {
    /// The variable.
    pub var: VarId,
    /// Initialiser.
    pub init: Option<Initializer>,
    /// Declarator.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its source; for compound kinds the part up to the body.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `;` and what has no effect.
    Empty,
    /// An expression, whose value is discarded.
    Expr(Expr),
    /// Local declarations. Assignments to size variables of variable-length arrays come before, as `Expr`.
    Decl(Vec<LocalDecl>),
    /// `{ … }`: a scope.
    Block(Vec<Stmt>),
    /// `if`/`else if` chain.
    If {
        /// Conditions (scalar rvalues) and branches.
        arms: Vec<(Expr, Stmt)>,
        /// Last `else`.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`.
    While { cond: Expr, body: Box<Stmt> },
    /// `do … while`.
    DoWhile { body: Box<Stmt>, cond: Expr },
    /// `for`; a scope of its own. `init` is `Decl`, `Expr` or `Empty`.
    For { init: Vec<Stmt>, cond: Option<Expr>, step: Option<Expr>, body: Box<Stmt> },
    /// `switch` over a promoted integer.
    Switch {
        /// Controlling expression.
        value: Expr,
        /// Body; its cases are `Case` statements anywhere in it.
        body: Box<Stmt>,
        /// Inclusive ranges of values, converted to the type of `value`, with the case they select.
        cases: Vec<(i128, i128, CaseId)>,
        /// `default`.
        default: Option<CaseId>,
    },
    /// `case …:` or `default:`; the labelled statement follows as the next statement or is nested in a `Block`.
    Case(CaseId),
    /// A label; the labelled statement follows.
    Label(LabelId),
    /// `goto`.
    Goto(LabelId),
    /// `goto *e`.
    GotoComputed(Expr),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, value converted to the result type.
    Return(Option<Expr>),
    /// Inline assembler.
    Asm(Box<Assembler>),
    /// A part of a contract.
    Contract(Box<contract::Contract>),
    /// Not modelled: construct and detail.
    Unsupported(Name, String),
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type (for lvalues the type of the object).
    pub ty: TypeId,
    /// Its source.
    pub span: Span,
}

/// Inline assembler.
#[derive(Debug, Clone)]
pub struct Assembler {
    /// What is written besides memory.
    pub outputs: Vec<AsmOutput>,
    /// Rvalues through which the text may reach memory: operands that are read, addresses of those that lie in memory, and of
    /// variables that the text names.
    pub inputs: Vec<Expr>,
    /// Whether the memory that it can reach may change (`memory` clobber).
    pub changes_memory: bool,
    /// Whether it can jump (`asm goto`).
    pub jumps: bool,
    /// The template.
    pub text: Name,
}

/// An output of inline assembler.
#[derive(Debug, Clone)]
pub struct AsmOutput {
    /// The lvalue.
    pub target: Expr,
    /// The value that it gets, where that is known.
    pub value: Option<Expr>,
}

/// Unary arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x` on a promoted operand.
    Neg,
    /// `~x` on a promoted operand.
    BitNot,
    /// `!x` on a scalar; the result is `int`.
    Not,
}

/// Kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Integer constant (also enumerators, characters, `sizeof`, null pointers): its value in the range of its type, so that
    /// `-1` of type `unsigned int` is 4294967295; only large values of `unsigned __int128` come out negative. The type may be
    /// any integer, enumeration or pointer type or `_Bool`.
    Int(i128),
    /// Floating constant: decimal or hexadecimal text without suffix.
    Float(Name),
    /// Lvalue: variable.
    Var(VarId),
    /// Function designator.
    Function(FunctionId),
    /// Lvalue: string literal.
    String(StringId),
    /// Lvalue: object that a pointer rvalue points to. `a[i]` is `Deref(PtrAdd(a, i))`.
    Deref(Box<Expr>),
    /// Member of a record: an lvalue if `base` is one (`p->f` is `Member(Deref(p), f)`), else an rvalue of a record
    /// rvalue.
    Member {
        /// Record.
        base: Box<Expr>,
        /// Offset of the member in bytes.
        offset: u64,
        /// For bit-fields; the expression's type is the declared type.
        bits: Option<BitField>,
    },
    /// Lvalue: unnamed object, initialised anew each time (block scope) or once (file scope, `var` is a global with
    /// `init`).
    CompoundLiteral {
        /// The object.
        var: VarId,
        /// Initialiser at block scope.
        init: Option<Box<Initializer>>,
    },
    /// Value of an lvalue of scalar or record type.
    Load(Box<Expr>),
    /// Array lvalue or function designator to pointer.
    Decay(Box<Expr>),
    /// Address of an lvalue or of a function.
    AddrOf(Box<Expr>),
    /// Conversion of a scalar rvalue to the scalar type `ty` (to `_Bool`: `!= 0`), or of anything to `void`.
    Cast(Box<Expr>),
    /// The value of an integer rvalue modulo two to the power of a number of bits that is less than its type has, in the range of a
    /// bit-field of so many bits.
    Wrap(Box<Expr>, u32),
    /// Unary arithmetic.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, bitwise, shift or comparison (result `int`; pointers are compared as pointers of one type). `LogAnd`, `LogOr`
    /// evaluate their right operand conditionally, result `int`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Pointer plus (or minus) integer (converted to `long`/`unsigned long` width, sign kept by its type); the offset counts
    /// elements of `elem_size` bytes.
    PtrAdd {
        /// Pointer rvalue.
        ptr: Box<Expr>,
        /// Integer rvalue, of a type with the width of a pointer.
        index: Box<Expr>,
        /// Element size.
        elem_size: Size,
        /// Whether the offset is subtracted.
        negative: bool,
    },
    /// Difference of two pointers in elements; type `ptrdiff_t`.
    PtrDiff {
        /// Minuend.
        lhs: Box<Expr>,
        /// Subtrahend.
        rhs: Box<Expr>,
        /// Element size.
        elem_size: Size,
    },
    /// `c ? a : b`; branches converted to the common type. `then == None` is GNU's `c ?: b`: the value of `c`,
    /// evaluated once, is
    /// converted to `ty` where `c` is not zero.
    Conditional { cond: Box<Expr>, then: Option<Box<Expr>>, otherwise: Box<Expr> },
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `lhs = rhs`; `rhs` converted to the type of `lhs`. The value is that of `lhs` after the assignment.
    Assign(Box<Expr>, Box<Expr>),
    /// `lhs op= rhs`: `lhs = (ty_of_lhs)((compute)lhs op rhs)`; for shifts `rhs` has its own promoted type. For
    /// pointers
    /// (`p += n`) `rhs` is the index and `elem_size` is set.
    CompoundAssign {
        /// Operator without `=`.
        op: BinaryOp,
        /// Lvalue, evaluated once.
        lhs: Box<Expr>,
        /// Right operand, converted to `compute` (but for shifts and pointers).
        rhs: Box<Expr>,
        /// Type in which `op` is carried out.
        compute: TypeId,
        /// For pointers.
        elem_size: Option<Size>,
    },
    /// `++x`, `x++`, `--x`, `x--` on integers, floats and pointers.
    IncDec {
        /// Lvalue, evaluated once.
        lhs: Box<Expr>,
        /// Whether 1 is subtracted.
        decrement: bool,
        /// Whether the value is the old one.
        postfix: bool,
        /// For pointers.
        elem_size: Option<Size>,
    },
    /// Call; arguments converted to the parameter types, or promoted where there is no prototype or behind `...`.
    /// Record arguments
    /// are record rvalues. Where the function has no prototype, number and types of arguments may differ from those
    /// of the
    /// definition, and the result may, too (a call before a conflicting definition): the lowering converts.
    Call {
        /// What is called.
        callee: Callee,
        /// Arguments, in order.
        args: Vec<Expr>,
    },
    /// `({ … })`: the statements, then the value of `value` (an rvalue) if there is one.
    StmtExpr { stmts: Vec<Stmt>, value: Option<Box<Expr>> },
    /// `__builtin_va_arg(ap, ty)`; `ap` is an lvalue of type `VaList`.
    VaArg(Box<Expr>),
    /// `&&label`; type `void *`.
    LabelAddr(LabelId),
    /// CBMC's quantifiers; type `int`.
    Quantified(Box<contract::Quantified>),
    /// Size in bytes of a variable-length array type: the product, an rvalue of `size_t`.
    VlaSize(Box<Expr>),
    /// Not modelled: construct and detail. Its value is never used, because the path ends.
    Unsupported(Name, String),
}

/// What a call calls.
#[derive(Debug, Clone)]
pub enum Callee {
    /// A function by name; builtins (`__builtin_expect`, `__sync_fetch_and_add`, …) too, with their names as written.
    /// Their
    /// [`Function`] is `implicit`, and type-generic ones have an unprototyped type there; the type of the call is its
    /// result
    /// type all the same. `__builtin_va_start(ap, …)`, `__builtin_va_end(ap)` and the first argument of
    /// `__builtin_va_copy` are passed as `AddrOf` of the lvalue of type `VaList`.
    Direct(FunctionId),
    /// A rvalue of pointer-to-function type.
    Pointer(Box<Expr>),
}

/// Size of an element in bytes: constant, or an rvalue of `size_t` for variable-length arrays.
#[derive(Debug, Clone)]
pub enum Size {
    /// Known size; 1 for `void` and functions (GNU).
    Const(u64),
    /// Computed.
    Expr(Box<Expr>),
}
