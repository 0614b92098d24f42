//! Addresses and values in the user's words.

use crate::machine::Interpreter;
use crate::memory::{ObjectInfo, ObjectKind};
use cfa::{CType, CTypeId, Program, Scalar, Value, VarId, VarKind, eval, layout};

/// Longest part of a string literal that is shown.
const MAX_LITERAL: usize = 24;

/// Name of an object: the variable's, the text of a string literal, `heap#n` or `alloca#n`.
pub fn object_name(program: &Program, kind: ObjectKind) -> String {
    match kind {
        ObjectKind::Heap(n) => format!("heap#{n}"),
        ObjectKind::Stack(n) => format!("alloca#{n}"),
        ObjectKind::Array(var) => source_name(&program.vars[var].name).to_owned(),
        ObjectKind::Argument(var) => argument_name(program, var),
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

/// The name of the object that a pointer argument of the entry function leads to.
pub fn argument_name(program: &Program, pointer: VarId) -> String {
    format!("{}_object", source_name(&program.vars[pointer].name))
}

/// The name of a register without the number that makes it unique.
pub fn source_name(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Config;
    use crate::testing::{Builder, INT};
    use base::Id;
    use cfa::ctype::CField;
    use cfa::{FloatFormat, Storage};

    /// `struct node { int v; struct node *next; char name[4]; } s, t[2]; int a[4]; char c; double d;` and a union.
    struct Types {
        b: Builder,
        node: CTypeId,
        int: CTypeId,
        char: CTypeId,
        double: CTypeId,
        node_pointer: CTypeId,
        int_pointer: CTypeId,
        void_pointer: CTypeId,
    }

    fn types() -> Types {
        let mut b = Builder::new();
        let types = &mut b.program.ctypes;
        let mut scalar =
            |name: &str, scalar: Scalar, size| types.add(CType::Scalar { name: name.into(), scalar }, size);
        let int = scalar("int", INT, 4);
        let char = scalar("char", Scalar::Int { bits: 8, signed: true }, 1);
        let double = scalar("double", Scalar::Float(FloatFormat::F64), 8);
        let void = types.add(CType::Void, 0);
        let node = types.add(CType::Void, 0);
        let (node_pointer, int_pointer) = (types.add(CType::Pointer(node), 8), types.add(CType::Pointer(int), 8));
        let void_pointer = types.add(CType::Pointer(void), 8);
        let name = types.add(CType::Array(char, Some(4)), 4);
        let field = |name: &str, ty, offset| CField { name: name.into(), ty, offset, bits: None };
        let fields = vec![field("v", int, 0), field("next", node_pointer, 8), field("name", name, 16)];
        types.set(node, CType::Record { name: "struct node".into(), fields, is_union: false }, 24);
        Types { b, node, int, char, double, node_pointer, int_pointer, void_pointer }
    }

    #[test]
    fn pointers_and_places() {
        let mut t = types();
        let (nodes, ints) = {
            let types = &mut t.b.program.ctypes;
            (types.add(CType::Array(t.node, Some(2)), 48), types.add(CType::Array(t.int, Some(4)), 16))
        };
        let fields = [("i", t.int), ("n", t.node)]
            .map(|(name, ty)| CField { name: name.into(), ty, offset: 0, bits: None })
            .to_vec();
        let union = t.b.program.ctypes.add(CType::Record { name: "union u".into(), fields, is_union: true }, 24);
        let variables = [("s", t.node, 24), ("t", nodes, 48), ("a", ints, 16), ("u", union, 24), ("x", t.int, 4)];
        let first = t.b.program.vars.len();
        for (name, ctype, size) in variables {
            let var = t.b.var(None, name, Storage::Memory { size, align: 8 });
            t.b.program.vars[var].ctype = ctype;
        }
        t.b.string("hello");
        let func = t.b.external("func");
        let program = &t.b.program;
        let run = Interpreter::new(program, None, &Config::default()).unwrap();
        let (void, node, int, char) = (None, Some(t.node), Some(t.int), Some(t.char));
        for (var, offset, want, pointer, place) in [
            (0, 0, node, "&s", "s"),
            (0, 0, void, "&s", "s"),
            (0, 0, int, "&s.v", "s.v"),
            (0, 8, void, "&s.next", "s.next"),
            (0, 18, char, "&s.name[2]", "s.name[2]"),
            (0, 5, void, "&s+5", "s+5"),
            (0, 10, void, "&s.next+2", "s.next+2"),
            (1, 24, node, "&t[1]", "t[1]"),
            (1, 32, void, "&t[1].next", "t[1].next"),
            (2, 12, int, "&a[3]", "a[3]"),
            (2, 16, int, "&a[4]", "a[4]"),
            (2, 6, void, "&a[1]+2", "a[1]+2"),
            (3, 0, int, "&u.i", "u.i"),
            (3, 8, void, "&u.n.next", "u.n.next"),
            (4, 0, int, "&x", "x"),
            (5, 2, void, "\"hello\"+2", "\"hello\"+2"),
        ] {
            let address = run.address_of(Id::from_index(first + var)).unwrap() + offset;
            assert_eq!((&*run.describe(address, want), &*run.describe_place(address, want)), (pointer, place));
        }
        assert_eq!(run.describe(layout::function_address(func), None), "&func");
        assert_eq!(run.describe(0, None), "NULL");
        assert_eq!(run.describe(0x7000_0000_0040, None), "external+0x40");
        assert_eq!(run.describe(0x1234, None), "0x1234");
        let heap = ObjectInfo { base: 0, size: 48, kind: ObjectKind::Heap(2) };
        for (offset, want, pointer, place) in [
            (0, node, "heap#2", "*heap#2"),
            (24, node, "&heap#2[1]", "heap#2[1]"),
            (4, int, "&heap#2[1]", "heap#2[1]"),
            (6, int, "heap#2+6", "heap#2+6"),
        ] {
            assert_eq!(pointer_to(program, heap, offset, want), pointer);
            assert_eq!(lvalue(program, heap, offset, want), place);
        }
    }

    #[test]
    fn values() {
        let t = types();
        let run = Interpreter::new(&t.b.program, None, &Config::default()).unwrap();
        for (ctype, value, expected) in [
            (t.int, 0xffff_ffff, "-1"),
            (t.char, 97, "97 'a'"),
            (t.char, 10, "10 '\\n'"),
            (t.char, 39, "39 '\\''"),
            (t.char, 0xff, "-1"),
            (t.char, 0, "0"),
            (t.double, u128::from(0.1f64.to_bits()), "0.1"),
            (t.double, u128::from((-0.0f64).to_bits()), "-0.0"),
            (t.node_pointer, 0, "NULL"),
            (t.int_pointer, 0x40_0000, "&start"),
            (t.void_pointer, 0x10, "0x10"),
        ] {
            assert_eq!(run.print(ctype, Value(value)), expected);
        }
    }
}
