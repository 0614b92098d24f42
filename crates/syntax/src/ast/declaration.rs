//! Declarations: specifiers, types, declarators, initialisers.

use base::Span;

use super::{Contract, Expr, Ident, StaticAssert, StrLit, Symbol};

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
    /// `size_t`
    Size,
    /// The signed type of the same width
    SignedSize,
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
    /// `_Decimal32`
    Decimal32,
    /// `_Decimal64`
    Decimal64,
    /// `_Decimal128`
    Decimal128,
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
    /// Clauses behind the declarator of a function.
    pub contract: Option<Box<Contract>>,
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
