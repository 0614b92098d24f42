//! Bytes of memory as users read them.

use cfa::{CType, CTypeId, Program};

/// Bytes as a string, if they look like one, or in hexadecimal. No bytes stand for zeros.
pub fn bytes_text(program: &Program, ty: Option<CTypeId>, bytes: &[u8], len: u64) -> String {
    let is_array_of_chars = ty.is_some_and(|ty| match program.ctypes.get(ty) {
        CType::Array(element, _) => program.ctypes.size(*element) == 1,
        _ => false,
    });
    let is_zero = bytes.iter().all(|b| *b == 0) && (bytes.is_empty() || bytes.len() as u64 == len);
    if is_zero {
        return match ty {
            Some(_) if is_array_of_chars => "\"\"".to_owned(),
            Some(_) => "{0}".to_owned(),
            None => format!("{len} zero bytes"),
        };
    }
    let end = bytes.iter().position(|b| *b == 0);
    let text = &bytes[..end.unwrap_or(bytes.len())];
    // A part of an array is a string without its end, as an initialiser copies it.
    let is_part = ty.is_none() && text.len() as u64 == len;
    if (is_array_of_chars && end.is_some() || is_part) && text.iter().all(|b| (0x20..0x7f).contains(b)) {
        return format!("{:?}", String::from_utf8_lossy(text));
    }
    hex_text(bytes, len)
}

/// Bytes in hexadecimal.
pub fn hex_text(bytes: &[u8], len: u64) -> String {
    const SHOWN: usize = 16;
    let hex: Vec<String> = bytes.iter().take(SHOWN).map(|b| format!("{b:02x}")).collect();
    let more = if len > SHOWN as u64 { " ..." } else { "" };
    let unit = if len == 1 { "byte" } else { "bytes" };
    let is_text = bytes.len() as u64 == len && bytes.iter().all(|b| (0x20..0x7f).contains(b));
    let text = if is_text { format!(" ({:?})", String::from_utf8_lossy(bytes)) } else { String::new() };
    format!("{len} {unit}: {}{more}{text}", hex.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let source = base::SourceMap::new("t.c".into(), String::new(), Vec::new());
        let mut program = Program::new(cfa::MachineModel::Lp64, source);
        let scalar = cfa::Scalar::Int { bits: 8, signed: true };
        let char = program.ctypes.add(CType::Scalar { name: "char".into(), scalar }, 1);
        let chars = program.ctypes.add(CType::Array(char, Some(8)), 8);
        let text = |ty, bytes: &[u8], len| bytes_text(&program, ty, bytes, len);
        assert_eq!(text(Some(chars), b"sav\0\0\0\0\0", 8), "\"sav\"");
        assert_eq!(text(None, b"sav", 3), "\"sav\"");
        assert_eq!(text(None, &[1, 2], 2), "2 bytes: 01 02");
        assert_eq!(text(Some(chars), &[], 8), "\"\"");
        assert_eq!(text(Some(char), &[], 24), "{0}");
        assert_eq!(text(None, &[], 1000), "1000 zero bytes");
        assert_eq!(hex_text(b"s", 1), "1 byte: 73 (\"s\")");
        assert_eq!(hex_text(&[1; 64], 100), format!("100 bytes: {}...", "01 ".repeat(16)));
    }
}
