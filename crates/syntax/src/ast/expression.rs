//! Expressions and constants.

use base::Span;

use super::{Block, Builtin, Declaration, Designator, Ident, InitList, Symbol, TypeName};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// With its parentheses, if there are any.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name, including `__func__` and the like.
    Ident(Symbol),
    /// An integer constant.
    Int(IntLit),
    /// A floating constant.
    Float(Box<FloatLit>),
    /// A character constant.
    Char(CharLit),
    /// String literals, concatenated.
    Str(Box<StrLit>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`, including `&&` and `||`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a op= b`
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a ? b : c` and `a ?: c`
    Conditional(Box<Conditional>),
    /// `a, b, …`: at least two.
    Comma(Box<[Expr]>),
    /// `(T)e`
    Cast(Box<TypeName>, Box<Expr>),
    /// `(T){ … }`
    CompoundLiteral(Box<TypeName>, Box<InitList>),
    /// `sizeof e`
    SizeofExpr(Box<Expr>),
    /// `sizeof (T)`
    SizeofType(Box<TypeName>),
    /// `__alignof__ e`
    AlignofExpr(Box<Expr>),
    /// `_Alignof (T)`
    AlignofType(Box<TypeName>),
    /// `f(a, b)`
    Call(Box<Call>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `e.f`
    Member(Box<Expr>, Ident),
    /// `e->f`
    Arrow(Box<Expr>, Ident),
    /// `({ … })`
    Statement(Box<Block>),
    /// `&&l`
    LabelAddress(Ident),
    /// `_Generic(…)`
    Generic(Box<Generic>),
    /// `__builtin_va_arg(e, T)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(T, designator)`
    Offsetof(Box<Offsetof>),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Choose>),
    /// `__CPROVER_forall { T i; e }` and `__CPROVER_exists { T i; e }`
    Quantified(Box<Quantified>),
    /// The same in mathematical integers: no operator on integers wraps around.
    Exact(Box<Expr>),
}

/// What CBMC's quantifiers say.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// Whether `e` holds for all values, or for one.
    pub quantifier: Quantifier,
    /// Declares the variable.
    pub variable: Declaration,
    /// The values that it has.
    pub values: Values,
    /// What holds.
    pub body: Expr,
}

/// The values of a quantified variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Those of the type by which it is declared.
    OfType,
    /// All integers.
    Integers,
}

/// A quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all values.
    All,
    /// For at least one value.
    Some,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    /// `*`
    Deref,
    /// `&`
    AddressOf,
    /// `++e`
    PreInc,
    /// `--e`
    PreDec,
    /// `e++`
    PostInc,
    /// `e--`
    PostDec,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// Operators with two operands, without assignments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
}

/// `condition ? then : otherwise`
#[derive(Clone, Debug)]
pub struct Conditional {
    /// First operand.
    pub condition: Expr,
    /// `None` for `a ?: c`: the value of the condition.
    pub then: Option<Expr>,
    /// Last operand.
    pub otherwise: Expr,
}

/// A function call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: Expr,
    /// Arguments in order.
    pub args: Vec<Expr>,
}

/// A generic selection.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Only its type matters.
    pub control: Expr,
    /// `None` is `default`.
    pub associations: Vec<(Option<TypeName>, Expr)>,
}

/// `__builtin_offsetof`
#[derive(Clone, Debug)]
pub struct Offsetof {
    /// Structure or union.
    pub ty: TypeName,
    /// Fields and indices; the first is a field. No ranges.
    pub path: Vec<Designator>,
}

/// `__builtin_choose_expr`
#[derive(Clone, Debug)]
pub struct Choose {
    /// Constant.
    pub condition: Expr,
    /// If it isn't zero.
    pub then: Expr,
    /// If it is zero.
    pub otherwise: Expr,
}

/// An integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLit {
    /// Its value; larger ones are rejected.
    pub value: u64,
    /// Decides which types are tried.
    pub radix: Radix,
    /// Suffix `u`.
    pub unsigned: bool,
    /// Suffix `l` or `ll`.
    pub length: IntLength,
    /// Suffix `i` or `j` (GNU).
    pub imaginary: bool,
}

/// Whether an integer constant is decimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Radix {
    /// Never becomes unsigned by itself.
    Decimal,
    /// Octal, hexadecimal or binary.
    Other,
}

/// Length suffix of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntLength {
    /// None.
    Int,
    /// `l`
    Long,
    /// `ll`
    LongLong,
}

/// A floating constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLit {
    /// Decimal (`1.5e3`) or hexadecimal (`0x1.8p3`), without suffix.
    pub text: Box<str>,
    /// `Double` without suffix.
    pub ty: Builtin,
    /// Suffix `i` or `j` (GNU).
    pub imaginary: bool,
}

/// Element type of character constants and string literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CharKind {
    /// No prefix: `char` (the constant has type `int`).
    Narrow,
    /// `u8`: `char`
    Utf8,
    /// `L`: `wchar_t`
    Wide,
    /// `u`: `char16_t`
    U16,
    /// `U`: `char32_t`
    U32,
}

/// A character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLit {
    /// As GCC on x86 gives it: plain characters are signed, several are packed into an `int`.
    pub value: i64,
    /// Its prefix.
    pub kind: CharKind,
}

/// A string literal, without the terminating zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrLit {
    /// From the first to the last of the concatenated literals.
    pub span: Span,
    /// The widest prefix of them.
    pub kind: CharKind,
    /// The elements.
    pub data: StrData,
}

/// Elements of a string literal, without the terminating zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrData {
    /// Of `Narrow` and `Utf8` literals.
    Bytes(Vec<u8>),
    /// Of `Wide`, `U16` and `U32` literals: code units.
    Units(Vec<u32>),
}

impl StrLit {
    /// The text of a literal without prefix; what isn't UTF-8 is replaced.
    pub fn text(&self) -> String {
        match &self.data {
            StrData::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            StrData::Units(_) => String::new(),
        }
    }
}

impl StrData {
    /// Number of elements without the terminating zero.
    pub fn len(&self) -> usize {
        match self {
            StrData::Bytes(bytes) => bytes.len(),
            StrData::Units(units) => units.len(),
        }
    }

    /// Whether the string is `""`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
