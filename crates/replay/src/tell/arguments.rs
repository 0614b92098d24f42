//! Objects that arguments of the entry function lead to, as C declares them.

use super::values::{first_bytes, scalar_of, spelling};
use super::{BYTES, Teller};
use crate::bytes::hex_text;
use crate::record::RawInput;
use cfa::{CType, CTypeId, Op, Value, display};
use interp::Source;
use interp::describe::argument_name;
use outcome::{Input, InputSource};

impl Teller<'_> {
    /// What a new object held that the start function made for an argument.
    pub(super) fn argument_object(&self, input: &RawInput) -> Option<Input> {
        let program = self.program;
        let edge = &program.edges[input.edge];
        let (Source::Allocated(_), Op::Alloc { dst, .. }) = (input.source, &edge.op) else { return None };
        if program.locs[edge.src].func != program.start {
            return None;
        }
        let CType::Pointer(element) = *program.ctypes.get(program.vars[*dst].ctype) else { return None };
        let size = program.ctypes.size(element);
        let name = argument_name(program, *dst);
        let bytes = first_bytes(input);
        let (declared, text) = match input.len.checked_div(size) {
            Some(length) => {
                let elements: Option<Vec<String>> =
                    bytes.chunks_exact(size as usize).map(|bytes| self.initializer(element, bytes)).collect();
                let is_whole = bytes.len() as u64 == input.len;
                let more = if is_whole { "" } else { ", ..." };
                let text =
                    elements.filter(|elements| !elements.is_empty()).map(|e| format!("{{{}{more}}}", e.join(", ")));
                (format!("{} {name}[{length}]", spelling(program, element)), text)
            }
            None => (format!("unsigned char {name}[{}]", input.len), None),
        };
        Some(Input {
            source: InputSource::Object { declared, bytes: input.bytes.clone() },
            arguments: Vec::new(),
            c_type: "unsigned char[]".to_owned(),
            ctype: base::Id::from_index(0),
            scalar: BYTES,
            value: input.value,
            text: text.unwrap_or_else(|| hex_text(bytes, input.len)),
            place: None,
        })
    }

    /// Bytes as an initialiser of a type; pointers are left out, because they are told where they are set.
    fn initializer(&self, ty: CTypeId, bytes: &[u8]) -> Option<String> {
        let program = self.program;
        if let CType::Record { fields, .. } = program.ctypes.get(ty) {
            let mut told = Vec::new();
            for field in fields {
                let size = program.ctypes.size(field.ty) as usize;
                let at = usize::try_from(field.offset).ok()?;
                match program.ctypes.get(field.ty) {
                    CType::Pointer(_) => {}
                    _ if field.bits.is_some() || field.name.is_empty() => return None,
                    _ => told.push(format!(
                        ".{} = {}",
                        field.name,
                        self.initializer(field.ty, bytes.get(at..at + size)?)?
                    )),
                }
            }
            return Some(format!("{{{}}}", told.join(", ")));
        }
        if let CType::Array(element, _) = program.ctypes.get(ty) {
            let size = (program.ctypes.size(*element) as usize).max(1);
            let elements: Option<Vec<String>> =
                bytes.chunks_exact(size).map(|bytes| self.initializer(*element, bytes)).collect();
            return Some(format!("{{{}}}", elements?.join(", ")));
        }
        let scalar = scalar_of(program, ty).filter(|scalar| *scalar != cfa::Scalar::Ptr)?;
        let bits = scalar.bits(program.pointer_bits());
        Some(display::value(Value::truncated(program.byte_order.number(bytes), bits), scalar))
    }
}
