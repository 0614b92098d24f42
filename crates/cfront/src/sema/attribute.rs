//! GNU attributes that matter for types and declarations.

use super::Sema;
use crate::typed::{NonNull, Startup};
use crate::types::{Type, TypeId};
use base::Diagnostic;
use syntax::ast::{AttrArg, Attribute, ExprKind, Symbol};
use syntax::machine_model::{FloatKind, IntKind};

/// What the attributes of a declaration or a record say.
#[derive(Clone, Debug, Default)]
pub(super) struct Attrs {
    /// `aligned`, `_Alignas`: in bytes.
    pub align: Option<u32>,
    pub packed: bool,
    pub noreturn: bool,
    pub transparent_union: bool,
    pub gnu_inline: bool,
    /// `mode (M)`: the type of another size.
    pub mode: Option<Symbol>,
    /// `vector_size (n)`: in bytes.
    pub vector_size: Option<u64>,
    /// `alias ("f")`, where the name occurs in the program.
    pub alias: Option<Symbol>,
    /// `weakref ("f")`: the name for the assembler.
    pub symbol: Option<String>,
    /// `cleanup (f)`.
    pub cleanup: Option<Symbol>,
    /// `weak`: the linker may leave the address null.
    pub weak: bool,
    pub startup: Startup,
    /// `nonnull`, `nonnull (n, …)`: which parameters are not null.
    pub nonnull: NonNull,
    /// Objects of this type, or these objects, are laid out or set in a way that is not modelled.
    pub unmodelled_object: Option<Symbol>,
    /// The function does something other than its body says.
    pub unmodelled_function: Option<Symbol>,
    /// `section` of addresses of functions that run before or after `main`.
    pub startup_section: bool,
}

/// Sections of addresses of functions that the C runtime calls.
const STARTUP_SECTIONS: [&str; 5] = [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"];

/// Whether a text names a section of addresses of functions that the C runtime calls.
pub(super) fn is_startup(text: &str) -> bool {
    STARTUP_SECTIONS.iter().any(|section| text.contains(section))
}

/// Alignment by `aligned` without an argument: `__BIGGEST_ALIGNMENT__`.
const BIGGEST_ALIGNMENT: u32 = 16;

impl<'a> Sema<'a> {
    pub(super) fn attrs(&mut self, lists: &[&'a [Attribute]]) -> Attrs {
        let mut attrs = Attrs::default();
        for attr in lists.iter().copied().flatten() {
            match &self.names[attr.name] {
                "aligned" | "_Alignas" => {
                    let align = self.alignment(attr);
                    attrs.align = attrs.align.max(align);
                }
                "packed" => attrs.packed = true,
                "noreturn" => attrs.noreturn = true,
                "transparent_union" => attrs.transparent_union = true,
                "gnu_inline" => attrs.gnu_inline = true,
                "cleanup" => attrs.cleanup = ident_arg(attr),
                "weak" => attrs.weak = true,
                "constructor" => attrs.startup.before_main = Some(self.priority(attr)),
                "destructor" => attrs.startup.after_main = Some(self.priority(attr)),
                "nonnull" if attr.args.is_empty() => attrs.nonnull.all = true,
                "nonnull" => attrs.nonnull.some.extend(self.constant_args(attr)),
                "scalar_storage_order" if text_arg(attr) == self.byte_order.name() => {}
                "scalar_storage_order" | "ms_struct" | "hardbool" | "noinit" | "persistent" | "ext_vector_type" => {
                    attrs.unmodelled_object = Some(attr.name)
                }
                "ifunc" | "naked" => attrs.unmodelled_function = Some(attr.name),
                "section" => {
                    let section = text_arg(attr);
                    attrs.startup_section = is_startup(&section);
                    if section.contains("noinit") {
                        attrs.unmodelled_object = Some(attr.name);
                    }
                }
                "mode" => attrs.mode = ident_arg(attr),
                "vector_size" => attrs.vector_size = self.constant_arg(attr).and_then(|n| u64::try_from(n).ok()),
                "alias" => attrs.alias = self.names.lookup(&text_arg(attr)),
                "weakref" if !attr.args.is_empty() => {
                    attrs.symbol = Some(text_arg(attr));
                    attrs.weak = true;
                }
                _ => {}
            }
        }
        attrs
    }

    fn alignment(&mut self, attr: &'a Attribute) -> Option<u32> {
        let value = match attr.args.first() {
            None => return Some(BIGGEST_ALIGNMENT),
            Some(AttrArg::Type(name)) => {
                let ty = self.type_name(name);
                return Some(self.types.member_align_of(self.machine, ty));
            }
            Some(AttrArg::Expr(_)) => self.constant_arg(attr)?,
        };
        match u32::try_from(value) {
            Ok(0) => None,
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Some(align),
            _ => {
                let text = format!("requested alignment {value} is not a power of two");
                self.error(Diagnostic::error("E0307", attr.span, text));
                None
            }
        }
    }

    fn constant_arg(&mut self, attr: &'a Attribute) -> Option<i128> {
        let Some(AttrArg::Expr(e)) = attr.args.first() else { return None };
        self.integer_constant(e, "an attribute's argument")
    }

    /// The numbers that an attribute lists.
    fn constant_args(&mut self, attr: &'a Attribute) -> Vec<i128> {
        let mut number = |arg: &'a AttrArg| match arg {
            AttrArg::Expr(e) => self.integer_constant(e, "an attribute's argument"),
            _ => None,
        };
        attr.args.iter().filter_map(&mut number).collect()
    }

    /// Of a constructor or destructor; those without a number come last before `main` and first after it.
    fn priority(&mut self, attr: &'a Attribute) -> u32 {
        self.constant_arg(attr).and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX)
    }

    /// The type after `mode`, `vector_size` and attributes that are not modelled.
    pub(super) fn apply_type_attrs(&mut self, ty: TypeId, attrs: &Attrs) -> TypeId {
        let ty = match attrs.mode {
            Some(mode) => self.apply_mode(ty, mode),
            None => ty,
        };
        let ty = match attrs.unmodelled_object {
            Some(attribute) => self.unmodelled_type(ty, attribute),
            None => ty,
        };
        match attrs.vector_size {
            Some(size) => {
                let name = format!("vector of {size} bytes of {}", self.types.display(ty));
                self.types.intern_unsupported(name.into(), size, u32::try_from(size).unwrap_or(1).max(1))
            }
            None => ty,
        }
    }

    /// A type of the same size whose objects can't be accessed.
    pub(super) fn unmodelled_type(&mut self, ty: TypeId, attribute: Symbol) -> TypeId {
        let size = self.types.size_of(self.machine, ty).unwrap_or(0);
        let align = self.types.member_align_of(self.machine, ty);
        let name = format!("{} of {size} bytes with attribute {}", self.types.display(ty), &self.names[attribute]);
        self.types.intern_unsupported(name.into(), size, align)
    }

    fn apply_mode(&mut self, ty: TypeId, mode: Symbol) -> TypeId {
        let is_signed = self.types.int_kind(ty).is_some_and(IntKind::is_signed);
        let kind = match self.names[mode].trim_matches('_') {
            "QI" | "byte" => IntKind::SChar,
            "HI" => self.machine.kind_of_size(2),
            "SI" => self.machine.kind_of_size(4),
            "DI" => self.machine.kind_of_size(8),
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => self.machine.kind_of_size(self.machine.pointer_size()),
            "SF" => return self.types.intern(Type::Float(FloatKind::Float)),
            "DF" => return self.types.intern(Type::Float(FloatKind::Double)),
            "XF" => return self.types.intern(Type::Float(FloatKind::LongDouble)),
            "TF" => return self.types.intern(Type::Float(FloatKind::Float128)),
            "SC" => return self.complex(FloatKind::Float),
            "DC" => return self.complex(FloatKind::Double),
            "XC" => return self.complex(FloatKind::LongDouble),
            "TC" => return self.complex(FloatKind::Float128),
            _ => return self.unmodelled_type(ty, mode),
        };
        if self.types.int_kind(ty).is_none() {
            return ty;
        }
        self.types.intern(Type::Int(if is_signed { kind } else { kind.to_unsigned() }))
    }

    pub(super) fn complex(&mut self, kind: FloatKind) -> TypeId {
        let (size, align) = (self.machine.float_size(kind), self.machine.float_align(kind));
        self.types.intern_unsupported(format!("_Complex {}", kind.name()).into(), 2 * size, align)
    }
}

fn ident_arg(attr: &Attribute) -> Option<Symbol> {
    match attr.args.first() {
        Some(AttrArg::Expr(e)) => match e.kind {
            ExprKind::Ident(symbol) => Some(symbol),
            _ => None,
        },
        _ => None,
    }
}

/// The string that the first argument is, or nothing.
fn text_arg(attr: &Attribute) -> String {
    match attr.args.first() {
        Some(AttrArg::Expr(e)) => match &e.kind {
            ExprKind::Str(literal) => literal.text(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
