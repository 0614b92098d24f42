//! The syntax tree of GNU C11 after preprocessing.
//!
//! It follows the grammar, with these simplifications: parentheses and `__extension__` leave no node (a
//! parenthesised expression keeps the span with its parentheses); type specifiers are normalised to one [`TypeSpec`];
//! declarators are lists of [`Derived`] parts from the name outward; `else if` chains, `case`/label chains and comma
//! chains are flat. What is left of nesting (operands, blocks, initialisers, declarators) is at most
//! [`crate::parse::MAX_DEPTH`] deep, so that recursive consumers can size their stack.

use base::Span;

pub use crate::intern::{Interner, Symbol};

/// An identifier at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// Its name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A whole translation unit.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// Names of all identifiers in it.
    pub names: Interner,
    /// In source order.
    pub items: Vec<ExternalItem>,
}

/// What stands at file scope.
#[derive(Clone, Debug)]
pub enum ExternalItem {
    /// A function with its body.
    Function(Box<FunctionDef>),
    /// Variables, functions without body, types.
    Declaration(Declaration),
    /// `asm("…");`
    Asm(Box<Asm>),
    /// `_Static_assert(…);`
    StaticAssert(Box<StaticAssert>),
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

// ---------------------------------------------------------------------------------------------------- declarations

/// `specs declarator = init, …;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// With the semicolon.
    pub span: Span,
    /// What all declarators share.
    pub specs: DeclSpecs,
    /// Empty for declarations of types only.
    pub declarators: Vec<InitDeclarator>,
}

/// One declared name with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// Always with a name.
    pub declarator: Declarator,
    /// After `=`.
    pub init: Option<Initializer>,
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// A set of type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quals(u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic` as a qualifier
    pub const ATOMIC: Quals = Quals(8);

    /// Whether all of `other` are in.
    pub fn contains(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::ops::BitOr for Quals {
    type Output = Quals;
    fn bitor(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Quals {
    fn bitor_assign(&mut self, other: Quals) {
        self.0 |= other.0;
    }
}

impl std::fmt::Debug for Quals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile")];
        let more = [(Quals::RESTRICT, "restrict"), (Quals::ATOMIC, "_Atomic")];
        f.debug_set().entries(names.iter().chain(&more).filter(|(q, _)| self.contains(*q)).map(|(_, n)| n)).finish()
    }
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct DeclSpecs {
    /// From the first to the last specifier; an empty span at the declarator if there is none.
    pub span: Span,
    /// At most one.
    pub storage: Option<Storage>,
    /// `_Thread_local`, `__thread`
    pub thread_local: bool,
    /// `inline`
    pub inline: bool,
    /// `_Noreturn` (the attribute `noreturn` is in `attrs`)
    pub noreturn: bool,
    /// Qualifiers of the type.
    pub quals: Quals,
    /// The type.
    pub ty: TypeSpec,
    /// `__attribute__`s among the specifiers; `_Alignas(x)` is given as the attribute `_Alignas`.
    pub attrs: Vec<Attribute>,
}

/// A type specifier, normalised: `long unsigned int` and `unsigned long` are both `Builtin(ULong)`.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// None given: implicit `int`.
    Implicit,
    /// An arithmetic type or `void`.
    Builtin(Builtin),
    /// `_Complex` of a floating or (GNU) integer type.
    Complex(Builtin),
    /// A typedef name.
    Typedef(Ident),
    /// `struct` or `union`.
    Record(Box<RecordSpec>),
    /// `enum`
    Enum(Box<EnumSpec>),
    /// `typeof (expression)`
    TypeofExpr(Box<Expr>),
    /// `typeof (type)`
    TypeofType(Box<TypeName>),
    /// `_Atomic (type)`
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`
    VaList,
    /// `__auto_type`
    AutoType,
}

/// The types that have keywords. `long int`, `signed long` etc. are all `Long`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char` without sign
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
    /// `_Float16`
    Float16,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `_Float32`
    Float32,
    /// `_Float64`
    Float64,
    /// `_Float32x`
    Float32x,
    /// `_Float64x`
    Float64x,
    /// `_Float128`, `__float128`
    Float128,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A structure or union specifier.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// From the keyword to the closing brace or the tag.
    pub span: Span,
    /// Structure or union.
    pub kind: RecordKind,
    /// The tag, if it has one.
    pub tag: Option<Ident>,
    /// `None` for a reference or forward declaration, `Some` (maybe empty) for a definition.
    pub members: Option<Vec<Member>>,
    /// Attributes after the keyword and after the closing brace.
    pub attrs: Vec<Attribute>,
    /// Largest alignment of a member in bytes, where a definition stands in the range of a `#pragma pack`.
    pub pack: Option<u32>,
}

/// One line of a structure.
#[derive(Clone, Debug)]
pub enum Member {
    /// Fields that share their specifiers.
    Fields(FieldDeclaration),
    /// `_Static_assert`
    StaticAssert(Box<StaticAssert>),
}

/// `specs declarator : width, …;` in a structure.
#[derive(Clone, Debug)]
pub struct FieldDeclaration {
    /// With the semicolon.
    pub span: Span,
    /// What all fields share.
    pub specs: DeclSpecs,
    /// Empty for anonymous structures and unions (and for useless declarations).
    pub fields: Vec<Field>,
}

/// One field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Without name only for unnamed bit-fields.
    pub declarator: Declarator,
    /// Width of a bit-field.
    pub width: Option<Expr>,
}

/// An enumeration specifier.
#[derive(Clone, Debug)]
pub struct EnumSpec {
    /// From the keyword to the closing brace or the tag.
    pub span: Span,
    /// The tag, if it has one.
    pub tag: Option<Ident>,
    /// `None` for a reference.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes after the keyword and after the closing brace.
    pub attrs: Vec<Attribute>,
}

/// One enumeration constant.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub ident: Ident,
    /// `= value`
    pub value: Option<Expr>,
}

/// One GNU attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Name and arguments.
    pub span: Span,
    /// Without the `__` around it: `__aligned__` is `aligned`.
    pub name: Symbol,
    /// Arguments; identifiers such as in `mode(DI)` are [`ExprKind::Ident`].
    pub args: Vec<AttrArg>,
}

/// Argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttrArg {
    /// An expression.
    Expr(Expr),
    /// A type, such as in `_Alignas(double)`.
    Type(TypeName),
}

/// A declarator; abstract (without name) in casts and prototypes.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The whole declarator; an empty span where it would stand if there is none.
    pub span: Span,
    /// The declared name.
    pub name: Option<Ident>,
    /// From the name outward: `int *a[3]` has `[Array(3), Pointer]` (array of three pointers to `int`).
    pub derived: Vec<Derived>,
    /// `asm("name")`
    pub asm_label: Option<Box<StrLit>>,
    /// Attributes in and after the declarator, except those of pointers.
    pub attrs: Vec<Attribute>,
}

impl Declarator {
    /// The parameters if the declared entity is a function.
    pub fn params(&self) -> Option<&Params> {
        match self.derived.first() {
            Some(Derived::Function(part)) => Some(&part.params),
            _ => None,
        }
    }
}

/// One step from the declared name to the specifiers.
#[derive(Clone, Debug)]
pub enum Derived {
    /// "pointer to"; qualifiers and attributes are those of the pointer itself.
    Pointer(Quals, Vec<Attribute>),
    /// "array of"
    Array(Box<ArrayPart>),
    /// "function returning"
    Function(Box<FunctionPart>),
}

/// `[static const size]`
#[derive(Clone, Debug)]
pub struct ArrayPart {
    /// With the brackets.
    pub span: Span,
    /// What stands in them.
    pub size: ArraySize,
    /// `static`: at least this many (parameters only).
    pub at_least: bool,
    /// Qualifiers of the pointer that the parameter becomes.
    pub quals: Quals,
}

/// Size of an array.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[e]`
    Expr(Expr),
}

/// `(parameters)`
#[derive(Clone, Debug)]
pub struct FunctionPart {
    /// With the parentheses.
    pub span: Span,
    /// What stands in them.
    pub params: Params,
}

/// Parameters of a function declarator.
#[derive(Clone, Debug)]
pub enum Params {
    /// `()`: nothing known.
    Unspecified,
    /// `(int a, char *b, ...)`; `(void)` has no parameters.
    Prototype {
        /// In order.
        params: Vec<ParamDecl>,
        /// Ends in `...`.
        variadic: bool,
    },
    /// K&R: `(a, b)`.
    Identifiers(Vec<Ident>),
}

/// One parameter of a prototype.
#[derive(Clone, Debug)]
pub struct ParamDecl {
    /// Specifiers and declarator.
    pub span: Span,
    /// Its specifiers.
    pub specs: DeclSpecs,
    /// May be abstract.
    pub declarator: Declarator,
}

/// A type in a cast, `sizeof` and so on.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Without the parentheses around it.
    pub span: Span,
    /// Without storage class.
    pub specs: DeclSpecs,
    /// Without name.
    pub declarator: Declarator,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= e`
    Expr(Expr),
    /// `= { … }`
    List(InitList),
}

impl Initializer {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Initializer::Expr(e) => e.span,
            Initializer::List(list) => list.span,
        }
    }
}

/// A braced initialiser list.
#[derive(Clone, Debug)]
pub struct InitList {
    /// With the braces.
    pub span: Span,
    /// In source order; may be empty.
    pub items: Vec<InitItem>,
}

/// One element of an initialiser list.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// Empty for positional elements.
    pub designators: Box<[Designator]>,
    /// The value.
    pub value: Initializer,
}

/// A step of a designation, also of `offsetof`.
#[derive(Clone, Debug)]
pub struct Designator {
    /// With dot or brackets.
    pub span: Span,
    /// What it selects.
    pub kind: DesignatorKind,
}

/// Kinds of designators.
#[derive(Clone, Debug)]
pub enum DesignatorKind {
    /// `.name` or the old `name:`
    Field(Symbol),
    /// `[e]`
    Index(Expr),
    /// `[a ... b]`, both included
    Range(Expr, Expr),
}

// ------------------------------------------------------------------------------------------------------ statements

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

// ----------------------------------------------------------------------------------------------------- expressions

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
