//! Name resolution and type checking: from the syntax tree to the typed tree.
//!
//! One pass in source order over all declarations, as C demands. Scopes are a table indexed by [`Symbol`] with an undo log, so
//! that a look-up is one array access. Errors are only reported for programs that GCC rejects, too; what Hone doesn't model
//! has the type [`Type::Unsupported`], which every operator passes on, and so has what was erroneous already.

mod alignment;
mod assembler;
mod attribute;
mod bit_field;
mod builtin;
mod builtin_call;
mod call;
mod compat;
mod constant;
mod contract;
mod convert;
mod cprover;
mod declaration;
mod declarator;
mod enclosed;
mod exact;
mod expr;
mod float;
mod function;
mod header;
mod init;
mod link;
mod linkage;
mod literal;
mod message;
mod operator;
mod pointer;
mod quantifier;
mod record;
mod record_equality;
mod scope;
mod statement;
mod type_query;

#[cfg(test)]
mod tests;

use crate::typed::{Expr, Function, FunctionId, StringId, StringLiteral, TypedUnit, Var, VarId, VarKind};
use crate::types::{ArrayLen, RecordId, Type, TypeId, Types};
use base::{ByteOrder, Diagnostic, IdVec, Name, SourceMap, Span};
pub use contract::Contracts;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Binding, Constant, Scopes, Typedef, TypedefId};
use statement::FuncCtx;
use syntax::ast::{self, Interner, Symbol};
use syntax::machine_model::{Abi, Machine};
use syntax::machine_model::{FloatKind, IntKind};

/// Checks the translation units of a program, and links them. Returns the typed tree and warnings, or all errors (at most 50).
///
/// Its recursion is as deep as the syntax tree (see [`syntax::ast`]): the caller provides the stack.
///
/// # Errors
/// If GCC would reject the program, too.
pub fn check(
    unit: ast::TranslationUnit,
    source: SourceMap,
    abi: impl Into<Abi>,
) -> Result<(TypedUnit, Vec<Diagnostic>), Vec<Diagnostic>> {
    check_contracts(unit, source, abi, &Contracts::default())
}

/// As [`check`], with functions whose contracts are checked or used; then contracts of loops are checked, too.
///
/// # Errors
/// If GCC would reject the program, or one of the functions has no contract.
pub fn check_contracts(
    unit: ast::TranslationUnit,
    source: SourceMap,
    abi: impl Into<Abi>,
    contracts: &Contracts,
) -> Result<(TypedUnit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut abi = abi.into();
    abi.qualifiers |= unit.asks_for_types;
    let mut sema = Sema::new(&unit.names, &source, abi, contracts);
    for (i, item) in unit.items.iter().enumerate() {
        if i > 0 && matches!(item, ast::ExternalItem::File(_)) {
            sema.end_file();
        }
        sema.external_item(item);
    }
    sema.end_file();
    sema.link();
    sema.write_out_predicates();
    sema.check_stand_ins();
    let Sema { types, vars, functions, strings, errors, warnings, unmodelled, thread_locals, .. } = sema;
    if !errors.is_empty() {
        return Err(errors);
    }
    let (machine, unchecked) = (abi.machine, unit.unchecked);
    Ok((TypedUnit { types, vars, functions, strings, source, machine, unmodelled, thread_locals, unchecked }, warnings))
}

/// More errors are not reported.
const MAX_ERRORS: usize = 50;
/// More warnings are not reported.
const MAX_WARNINGS: usize = 200;

/// Ids of types that are needed all the time.
struct Common {
    void: TypeId,
    bool: TypeId,
    char: TypeId,
    int: TypeId,
    uint: TypeId,
    long: TypeId,
    ulong: TypeId,
    float: TypeId,
    double: TypeId,
    size: TypeId,
    ptrdiff: TypeId,
    wchar: TypeId,
    void_ptr: TypeId,
    char_ptr: TypeId,
    va_list: TypeId,
    /// `int ()`
    implicit_function: TypeId,
    /// Type of what was reported as an error.
    error: TypeId,
}

impl Common {
    fn new(types: &mut Types, Abi { machine, char, .. }: Abi) -> Self {
        let mut int = |kind| types.intern(Type::Int(kind));
        let (char, int_, uint) = (int(char), int(IntKind::Int), int(IntKind::UInt));
        let (long, ulong) = (int(IntKind::Long), int(IntKind::ULong));
        let (size, ptrdiff, wchar) = (int(machine.size_kind()), int(machine.ptrdiff_kind()), int(machine.wchar_kind()));
        let void = types.intern(Type::Void);
        let implicit =
            crate::types::FunctionType { ret: int_, params: Box::default(), variadic: false, prototyped: false };
        Self {
            void,
            bool: types.intern(Type::Bool),
            char,
            int: int_,
            uint,
            long,
            ulong,
            float: types.intern(Type::Float(FloatKind::Float)),
            double: types.intern(Type::Float(FloatKind::Double)),
            size,
            ptrdiff,
            wchar,
            void_ptr: types.intern(Type::Pointer(void)),
            char_ptr: types.intern(Type::Pointer(char)),
            va_list: types.intern(Type::VaList),
            implicit_function: types.intern(Type::Function(implicit)),
            error: types.intern(Type::Unsupported("<error>".into())),
        }
    }
}

/// Whether expressions are for their type only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Evaluation {
    /// They are executed.
    Evaluated,
    /// Operand of `sizeof`, `typeof` and the like.
    TypeOnly,
}

/// The state of the checker.
struct Sema<'a> {
    names: &'a Interner,
    source: &'a SourceMap,
    machine: Machine,
    byte_order: ByteOrder,
    /// The smallest type that represents an enumeration.
    smallest_enum: IntKind,
    /// Whether types with qualifiers are types of their own.
    qualifiers: bool,
    types: Types,
    common: Common,
    vars: IdVec<VarId, Var>,
    functions: IdVec<FunctionId, Function>,
    strings: IdVec<StringId, StringLiteral>,
    string_ids: FxHashMap<StringLiteral, StringId>,
    scopes: Scopes,
    typedefs: IdVec<TypedefId, Typedef>,
    /// Alignments that come with the types of variables.
    typedef_aligns: FxHashMap<VarId, u32>,
    constants: IdVec<scope::ConstantId, Constant>,
    /// Members by record and name, those of anonymous members included.
    members: FxHashMap<(RecordId, Symbol), record::MemberRef>,
    transparent_unions: FxHashSet<RecordId>,
    /// Functions and variables that are defined as another name of one of their file.
    aliases: Vec<(Binding, Symbol)>,
    /// Names for the assembler, of what has another one than in C.
    symbols: FxHashMap<Binding, Name>,
    /// Assembler outside of functions.
    assembler: Vec<&'a ast::Asm>,
    /// See [`TypedUnit::unmodelled`].
    unmodelled: Vec<(Name, String, Span)>,
    /// See [`TypedUnit::thread_locals`].
    thread_locals: Vec<Span>,
    /// Functions whose definition may be replaced (`extern inline` in GNU style).
    replaceable: FxHashSet<FunctionId>,
    /// Functions that are declared in their file, and whether each declaration says `inline` and none `extern`: then the definition is none for
    /// other files.
    inline: FxHashMap<FunctionId, bool>,
    /// Names of the file with internal linkage.
    internal: FxHashSet<Symbol>,
    external: link::External,
    /// Number of variables of the files before.
    first_of_file: usize,
    func: Option<Box<FuncCtx>>,
    evaluation: Evaluation,
    /// Whether an initialiser of an object with static lifetime is checked.
    in_static_init: bool,
    /// Assignments to size variables of variable-length arrays, to be executed before what is being checked.
    pending: Vec<Expr>,
    /// Functions whose contracts matter.
    contracts: &'a Contracts,
    /// What was said of functions whose contracts matter.
    contract_texts: FxHashMap<FunctionId, String>,
    /// The clause of a contract that is being checked.
    clause: contract::ClauseState,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'a> Sema<'a> {
    fn new(names: &'a Interner, source: &'a SourceMap, abi: Abi, contracts: &'a Contracts) -> Self {
        let mut types = Types::default();
        let common = Common::new(&mut types, abi);
        Self {
            names,
            source,
            machine: abi.machine,
            byte_order: abi.byte_order,
            smallest_enum: abi.smallest_enum,
            qualifiers: abi.qualifiers,
            types,
            common,
            vars: IdVec::new(),
            functions: IdVec::new(),
            strings: IdVec::new(),
            string_ids: FxHashMap::default(),
            scopes: Scopes::new(names.len()),
            typedefs: IdVec::new(),
            typedef_aligns: FxHashMap::default(),
            constants: IdVec::new(),
            members: FxHashMap::default(),
            transparent_unions: FxHashSet::default(),
            aliases: Vec::new(),
            symbols: FxHashMap::default(),
            assembler: Vec::new(),
            unmodelled: Vec::new(),
            thread_locals: Vec::new(),
            replaceable: FxHashSet::default(),
            inline: FxHashMap::default(),
            internal: FxHashSet::default(),
            external: link::External::new(),
            first_of_file: 0,
            func: None,
            evaluation: Evaluation::Evaluated,
            in_static_init: false,
            pending: Vec::new(),
            contracts,
            contract_texts: FxHashMap::default(),
            clause: contract::ClauseState::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn external_item(&mut self, item: &'a ast::ExternalItem) {
        match item {
            ast::ExternalItem::File(_) => {}
            ast::ExternalItem::Function(def) => self.function_definition(def),
            ast::ExternalItem::Declaration(declaration) => self.global_declaration(declaration),
            ast::ExternalItem::StaticAssert(assert) => self.static_assert(assert),
            ast::ExternalItem::Asm(asm) => self.assembler.push(asm),
            ast::ExternalItem::Pragma(pragma) => self.pragma(pragma),
        }
        self.pending.clear();
    }

    fn static_assert(&mut self, assert: &'a ast::StaticAssert) {
        let condition = self.type_only(|s| s.rvalue_expr(&assert.condition));
        if self.types.is_unsupported(condition.ty) {
            return;
        }
        match self.fold_int(&condition) {
            Some(0) => {
                let text = match &assert.message {
                    Some(ast::StrLit { data: ast::StrData::Bytes(bytes), .. }) => {
                        format!("static assertion failed: {}", String::from_utf8_lossy(bytes))
                    }
                    _ => "static assertion failed".to_string(),
                };
                self.error(Diagnostic::error("E0350", assert.condition.span, text).label("this is zero"));
            }
            Some(_) => {}
            None => {
                let text = "the condition of a static assertion is not constant";
                self.error(Diagnostic::error("E0351", assert.condition.span, text));
            }
        }
    }

    /// Completes the tentative definitions of a file, and finds what aliases are names of.
    fn finish(&mut self) {
        self.resolve_aliases();
        self.check_assembler();
        for var in self.vars.ids().skip(self.first_of_file) {
            if !matches!(self.vars[var].kind, VarKind::Global) {
                continue;
            }
            let (ty, span) = (self.vars[var].ty, self.vars[var].span);
            if let Type::Array(elem, ArrayLen::Incomplete) = *self.types.get(ty) {
                self.vars[var].ty = self.types.intern(Type::Array(elem, ArrayLen::Fixed(1)));
            } else if self.types.size_of(self.machine, ty).is_none() && !self.types.is_unsupported(ty) {
                let text = format!("storage size of `{}` isn't known", self.vars[var].name);
                let label = format!("type `{}` is incomplete", self.types.display(ty));
                self.error(Diagnostic::error("E0304", span, text).label(label));
            }
        }
    }
}
