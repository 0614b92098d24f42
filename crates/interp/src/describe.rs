//! Addresses and values in the user's words.

use crate::machine::Interpreter;
use crate::memory::{ObjectInfo, ObjectKind};
use cfa::{CType, CTypeId, Program, Scalar, Value, VarKind, eval, layout};

/// Longest part of a string literal that is shown.
const MAX_LITERAL: usize = 24;

/// Name of an object: the variable's, the text of a string literal, `heap#n` or `alloca#n`.
pub fn object_name(program: &Program, kind: ObjectKind) -> String {
    match kind {
        ObjectKind::Heap(n) => format!("heap#{n}"),
        ObjectKind::Stack(n) => format!("alloca#{n}"),
        ObjectKind::Global(var) | ObjectKind::Local(var) => {
            let var = &program.vars[var];
            let literal = var.init.as_deref().filter(|_| var.kind == VarKind::Literal).and_then(|i| i.bytes.first());
            match literal {
                Some((0, bytes)) => {
                    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                    let shown = &text[..text.len().min(MAX_LITERAL)];
                    let dots = if shown.len() < text.len() { "..." } else { "" };
                    format!("\"{}{dots}\"", shown.escape_ascii())
                }
                _ => var.name.to_string(),
            }
        }
    }
}

/// Whether an object of type `ty` is what a pointer to `want` is meant to point to.
fn is_wanted(program: &Program, ty: CTypeId, want: Option<CTypeId>) -> bool {
    let Some(want) = want else { return matches!(program.ctypes.get(ty), CType::Record { .. }) };
    ty == want
        || match (program.ctypes.get(ty), program.ctypes.get(want)) {
            (CType::Record { name: a, .. }, CType::Record { name: b, .. }) => a == b,
            (CType::Record { .. }, CType::Void) => true,
            _ => false,
        }
}

/// The way from an object of type `ty` to the part at `offset`: `[3].next` and the bytes that are left.
pub fn path(program: &Program, mut ty: CTypeId, mut offset: u64, want: Option<CTypeId>) -> (String, u64) {
    let types = &program.ctypes;
    let mut text = String::new();
    loop {
        if offset == 0 && is_wanted(program, ty, want) {
            return (text, 0);
        }
        match types.get(ty) {
            CType::Array(element, _) if types.size(*element) > 0 => {
                text.push_str(&format!("[{}]", offset / types.size(*element)));
                offset %= types.size(*element);
                ty = *element;
            }
            CType::Record { fields, .. } => {
                let holds = |f: &&cfa::ctype::CField| {
                    let end = f.offset + types.size(f.ty).max(u64::from(offset == f.offset));
                    f.offset <= offset && offset < end
                };
                let exact = fields.iter().filter(holds).find(|f| f.offset == offset && is_wanted(program, f.ty, want));
                let flexible = || fields.last().filter(|f| offset >= f.offset && types.size(f.ty) == 0);
                let Some(field) = exact.or_else(|| fields.iter().find(holds)).or_else(flexible) else {
                    return (text, offset);
                };
                if !field.name.is_empty() {
                    text.push_str(&format!(".{}", field.name));
                }
                offset -= field.offset;
                ty = field.ty;
            }
            _ => return (text, offset),
        }
    }
}

/// A place in memory as an lvalue: `a[3]`, `s.next`, `*heap#2`, or `heap#2+8` where the type doesn't say more.
pub fn lvalue(program: &Program, object: ObjectInfo, offset: u64, want: Option<CTypeId>) -> String {
    let name = object_name(program, object.kind);
    let ctype = object.kind.var().map(|v| program.vars[v].ctype);
    match ctype.map(|ty| path(program, ty, offset, want)) {
        Some((path, 0)) => format!("{name}{path}"),
        Some((path, rest)) => format!("{name}{path}+{rest}"),
        None => match want.map(|ty| program.ctypes.size(ty)) {
            _ if offset == 0 => format!("*{name}"),
            Some(size) if size > 0 && offset.is_multiple_of(size) => format!("{name}[{}]", offset / size),
            _ => format!("{name}+{offset}"),
        },
    }
}

/// Formats a value by its C type: integers in decimal, characters with their glyph, the shortest text of floats; `pointer`
/// names addresses.
pub fn print_value(
    program: &Program,
    ctype: CTypeId,
    value: Value,
    pointer: impl Fn(u64, Option<CTypeId>) -> String,
) -> String {
    match program.ctypes.get(ctype) {
        CType::Scalar { name, scalar } => {
            let text = print_scalar(program, *scalar, value);
            match (&**name, u8::try_from(value.0)) {
                ("char" | "signed char" | "unsigned char", Ok(byte)) if byte.is_ascii() && byte != 0x7f => match byte {
                    b'\'' => format!("{text} '\\''"),
                    b' '..=b'~' if byte != b'\\' => format!("{text} '{}'", char::from(byte)),
                    b'\n' | b'\t' | b'\r' | b'\\' => format!("{text} '{}'", byte.escape_ascii()),
                    _ => text,
                },
                _ => text,
            }
        }
        CType::Pointer(target) => pointer(value.0 as u64, Some(*target)),
        CType::Function(_) => pointer(value.0 as u64, None),
        _ => value.0.to_string(),
    }
}

/// Formats a value that has no C type.
pub fn print_scalar(program: &Program, ty: Scalar, value: Value) -> String {
    match ty {
        Scalar::Bool => if value.0 == 0 { "false" } else { "true" }.into(),
        Scalar::Int { signed: true, .. } => value.signed(ty.bits(program.pointer_bits())).to_string(),
        Scalar::Int { .. } => value.0.to_string(),
        Scalar::Float(format) => eval::print_float(format, value),
        Scalar::Ptr => print_address(value.0 as u64),
    }
}

fn print_address(address: u64) -> String {
    if address == 0 { "NULL".into() } else { format!("{address:#x}") }
}

impl Interpreter<'_> {
    /// A pointer in the user's words: `NULL`, `&f`, `&a[3]`, `heap#2`, `heap#2+8`; `pointee` is the type it points to.
    pub fn describe(&self, address: u64, pointee: Option<CTypeId>) -> String {
        if let Some(func) = layout::function_at(self.program, address) {
            return format!("&{}", self.program.functions[func].name);
        }
        if let Some(object) = self.memory.object_at(address) {
            return pointer_to(self.program, object, address - object.base, pointee);
        }
        if let Some(object) = self.memory.dead_object_at(address) {
            return format!("{} (dead)", pointer_to(self.program, object, address - object.base, pointee));
        }
        let external = layout::external_range(self.program.machine);
        if external.contains(&address) {
            return format!("external+{:#x}", address - external.start);
        }
        print_address(address)
    }

    /// A place in memory in the user's words: `a[3]`, `s.next`, `*heap#2`; `ty` is the type of what is there.
    pub fn describe_place(&self, address: u64, ty: Option<CTypeId>) -> String {
        match self.memory.object_at(address) {
            Some(object) => lvalue(self.program, object, address - object.base, ty),
            None => format!("*{}", self.describe(address, ty)),
        }
    }

    /// Formats a value by its C type.
    pub fn print(&self, ctype: CTypeId, value: Value) -> String {
        print_value(self.program, ctype, value, |address, pointee| self.describe(address, pointee))
    }
}

fn pointer_to(program: &Program, object: ObjectInfo, offset: u64, pointee: Option<CTypeId>) -> String {
    let pointee = pointee.filter(|ty| *program.ctypes.get(*ty) != CType::Void);
    match lvalue(program, object, offset, pointee) {
        // A string literal is its own address; offsets in it and in heap objects stay as they are.
        text if text.starts_with('"') => text,
        text if text.starts_with('*') => text[1..].into(),
        text if object.kind.var().is_none() && !text.ends_with(']') => text,
        text => format!("&{text}"),
    }
}
