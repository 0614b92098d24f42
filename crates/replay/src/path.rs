//! Names of parts of objects: `s.next`, `a[3].x`.

use cfa::{CType, CTypeId, Program};
use std::fmt::Write;

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What stands behind the object's name: `.next`, `[3].x`; empty for the whole.
    pub suffix: String,
    /// Type of the part, if a part of exactly this size begins at the offset.
    pub ty: Option<CTypeId>,
}

/// The smallest part of an object of type `ty` that holds the `len` bytes at `offset`.
pub fn part(program: &Program, ty: CTypeId, offset: u64, len: u64) -> Part {
    let mut suffix = String::new();
    let (mut ty, mut offset) = (ty, offset);
    loop {
        let size = program.ctypes.size(ty);
        let next = match program.ctypes.get(ty) {
            CType::Array(element, _) if (offset, len) != (0, size) => {
                let step = program.ctypes.size(*element);
                // A range over several elements is no part.
                if step == 0 || offset % step + len > step {
                    None
                } else {
                    let _ = write!(suffix, "[{}]", offset / step);
                    Some((*element, offset % step))
                }
            }
            CType::Record { fields, .. } if (offset, len) != (0, size) || fields.len() == 1 => {
                let fits = |f: &&cfa::ctype::CField| {
                    f.bits.is_none() && f.offset <= offset && offset + len <= f.offset + program.ctypes.size(f.ty)
                };
                fields.iter().find(fits).map(|field| {
                    if !field.name.is_empty() {
                        let _ = write!(suffix, ".{}", field.name);
                    }
                    (field.ty, offset - field.offset)
                })
            }
            _ => {
                let exact = offset == 0 && len == size;
                if !exact && offset > 0 {
                    let _ = write!(suffix, " + {offset}");
                }
                return Part { suffix, ty: exact.then_some(ty) };
            }
        };
        match next {
            Some((inner, rest)) => (ty, offset) = (inner, rest),
            None => {
                let exact = offset == 0 && len == size;
                if offset > 0 {
                    let _ = write!(suffix, " + {offset}");
                }
                return Part { suffix, ty: exact.then_some(ty) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::ctype::CField;
    use cfa::{MachineModel, Scalar};

    /// `struct { int a; struct { char c; int d[3]; } s; }`
    fn program() -> (Program, CTypeId) {
        let source = base::SourceMap::new("t.c".into(), String::new(), Vec::new());
        let mut program = Program::new(MachineModel::Lp64, source);
        let scalar = |name: &str, bits| CType::Scalar { name: name.into(), scalar: Scalar::Int { bits, signed: true } };
        let int = program.ctypes.add(scalar("int", 32), 4);
        let char = program.ctypes.add(scalar("char", 8), 1);
        let array = program.ctypes.add(CType::Array(int, Some(3)), 12);
        let field = |name: &str, ty, offset| CField { name: name.into(), ty, offset, bits: None };
        let record = |fields| CType::Record { name: "struct".into(), fields, is_union: false };
        let inner = program.ctypes.add(record(vec![field("c", char, 0), field("d", array, 4)]), 16);
        let outer = program.ctypes.add(record(vec![field("a", int, 0), field("s", inner, 4)]), 20);
        (program, outer)
    }

    #[track_caller]
    fn check(offset: u64, len: u64, suffix: &str, exact: bool) {
        let (program, ty) = program();
        let found = part(&program, ty, offset, len);
        assert_eq!((found.suffix.as_str(), found.ty.is_some()), (suffix, exact));
    }

    #[test]
    fn parts() {
        check(0, 4, ".a", true);
        check(4, 1, ".s.c", true);
        check(8, 4, ".s.d[0]", true);
        check(16, 4, ".s.d[2]", true);
        check(13, 1, ".s.d[1] + 1", false);
        check(0, 20, "", true);
        check(4, 16, ".s", true);
        check(8, 12, ".s.d", true);
        check(2, 4, " + 2", false);
        check(100, 4, " + 100", false);
    }
}
