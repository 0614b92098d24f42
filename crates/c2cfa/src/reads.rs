//! What functions of the library read through pointers, where memory is checked: strings to their end, blocks as a whole, other objects by
//! their types. Where that does not tell how much is accessed, a call is not modelled.

use crate::context::Lowerer;
use crate::known::{LIBRARY, writers};
use crate::library::Effects;
use base::Span;
use cfa::{Access, BinOp, Check, ExprId, ExprKind as CfaKind, Op, Scalar, VarKind};
use cfront::typed::{Expr, ExprKind, FunctionId};
use cfront::types::Type;

/// Which arguments of a function are strings, which is a format whose `%s` are strings, too, and which a block, with the arguments whose
/// product is its length.
struct Reader {
    name: &'static str,
    strings: &'static [u8],
    format: Option<u8>,
    block: Option<(u8, &'static [u8])>,
}

const fn reader(name: &'static str, strings: &'static [u8]) -> Reader {
    Reader { name, strings, format: None, block: None }
}

const fn printer(name: &'static str, format: u8) -> Reader {
    Reader { name, strings: &[], format: Some(format), block: None }
}

const fn block(name: &'static str, at: u8, len: &'static [u8]) -> Reader {
    Reader { name, strings: &[], format: None, block: Some((at, len)) }
}

/// Sorted by name.
const READERS: &[Reader] = &[
    reader("__isoc23_sscanf", &[0]),
    reader("access", &[0]),
    reader("chdir", &[0]),
    reader("creat", &[0]),
    printer("dprintf", 1),
    reader("fdopen", &[1]),
    reader("fopen", &[0, 1]),
    printer("fprintf", 1),
    reader("fputs", &[0]),
    reader("freopen", &[1]),
    block("fwrite", 0, &[1, 2]),
    reader("getenv", &[0]),
    reader("lstat", &[0]),
    reader("mkdir", &[0]),
    reader("open", &[0]),
    reader("opendir", &[0]),
    reader("perror", &[0]),
    reader("popen", &[0, 1]),
    printer("printf", 0),
    reader("puts", &[0]),
    reader("remove", &[0]),
    reader("rename", &[0, 1]),
    reader("rmdir", &[0]),
    block("send", 1, &[2]),
    reader("setenv", &[0, 1]),
    reader("stat", &[0]),
    printer("syslog", 1),
    reader("system", &[0]),
    reader("unlink", &[0]),
    block("write", 1, &[2]),
];

/// Whether a function of the library reads strings.
pub fn reads_strings(name: &str) -> bool {
    named(name).is_some()
}

fn named(name: &str) -> Option<&'static Reader> {
    READERS.binary_search_by(|reader| reader.name.cmp(name)).ok().map(|at| &READERS[at])
}

impl<'u> Lowerer<'u> {
    /// What a function of the library reads through its arguments is read; what it does with other pointers must be known.
    pub fn read_arguments(&mut self, f: FunctionId, args: &'u [Expr], values: &[ExprId], span: Span) {
        let name = &self.unit.functions[f].name;
        if !self.checks(Check::Memory) {
            return;
        }
        let reader = named(name);
        let writer = writers::named(name);
        let is_scanner = name.contains("scanf");
        if reader.is_none() && writer.is_none() && !is_scanner && Effects::of(name).is_none() {
            return;
        }
        let mut known: Vec<usize> = writer.iter().map(|writer| usize::from(writer.dst)).collect();
        if let Some(reader) = reader {
            let mut strings: Vec<usize> = reader.strings.iter().map(|i| usize::from(*i)).collect();
            if let Some(format) = reader.format.map(usize::from).filter(|format| *format < args.len()) {
                match self.literal(&args[format]) {
                    Some(text) => {
                        strings.extend(strings_of(text).into_iter().map(|i| format + 1 + i));
                        // Others are printed, or what is stored there is another question.
                        known.extend(format + 1..args.len());
                    }
                    None => strings.push(format),
                }
            }
            for i in &strings {
                if let Some(value) = values.get(*i).copied() {
                    self.read_string(value, span);
                }
            }
            known.extend(strings);
            if let Some((at, len)) = reader.block.filter(|_| values.len() > 2) {
                let one = self.size_constant(1);
                let len = len.iter().fold(one, |product, i| {
                    let factor = self.as_size(values[usize::from(*i)]);
                    self.binary(BinOp::Mul, product, factor)
                });
                let from = self.as_pointer(values[usize::from(at)]);
                self.check_range(from, len, Access::Read, span);
                known.push(usize::from(at));
            }
        }
        // Targets of `scanf` are written.
        let others = if is_scanner { 0 } else { args.len() };
        for i in (0..others).filter(|i| !known.contains(i)) {
            self.access_argument(&args[i], values[i], name, span);
        }
    }

    /// A function accesses an object that an argument points to: as much as its type tells.
    fn access_argument(&mut self, arg: &'u Expr, value: ExprId, function: &str, span: Span) {
        let mut arg = arg;
        while let ExprKind::Cast(inner) = &arg.kind {
            arg = inner;
        }
        if self.ty(value) != Scalar::Ptr || self.as_int(value) == Some(0) || self.literal(arg).is_some() {
            return;
        }
        let (pointee, is_exact) = match &arg.kind {
            // Of a variable or member; the address of an element stands for an array.
            ExprKind::AddrOf(lvalue) => {
                (Some(lvalue.ty), matches!(lvalue.kind, ExprKind::Var(_) | ExprKind::Member { .. }))
            }
            _ => (self.unit.types.pointee(arg.ty), false),
        };
        let Some(pointee) = pointee else { return };
        let size = match self.unit.types.get(pointee) {
            Type::Function(_) => return,
            Type::Record(record) if self.unit.types.records[*record].layout.is_none() => return,
            Type::Record(record) if self.is_stream(*record) => return,
            Type::Record(_) => self.size(pointee),
            _ if is_exact => self.size(pointee),
            _ => None,
        };
        let set = self.truth(value);
        self.when(set, span, |this| match size {
            Some(size) => this.check_access(value, size, Access::Read, span),
            None => this.unsupported(LIBRARY, function, span),
        });
    }

    /// Streams belong to the library: programs have pointers to them only.
    fn is_stream(&self, record: cfront::types::RecordId) -> bool {
        self.unit.types.records[record].name.as_deref() == Some("_IO_FILE")
    }

    /// Reads a string to its end.
    fn read_string(&mut self, value: ExprId, span: Span) {
        let string = self.as_pointer(value);
        let is_literal = |var| self.p.vars[var].kind == VarKind::Literal;
        if matches!(self.p.exprs.kind(string), CfaKind::AddrOf(var) if is_literal(var)) {
            return;
        }
        if let Some(strlen) = self.library_function("strlen") {
            let func = self.func(strlen);
            self.emit(Op::Call { func, args: [string].into(), dst: None }, span);
        }
    }
}

/// Which of the arguments behind a format are strings that are read to their end.
fn strings_of(format: &[u8]) -> Vec<usize> {
    let (mut found, mut argument) = (Vec::new(), 0);
    let mut rest = format.iter().copied().take_while(|c| *c != 0).peekable();
    while let Some(c) = rest.next() {
        if c != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let mut is_cut = false;
        for c in rest.by_ref() {
            match c {
                b'*' => argument += 1,
                b'.' => is_cut = true,
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'h' | b'l' | b'L' | b'z' | b'j' | b't' => {}
                b's' => {
                    found.extend((!is_cut).then_some(argument));
                    argument += 1;
                    break;
                }
                _ => {
                    argument += 1;
                    break;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn table_is_sorted() {
        assert!(super::READERS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn strings_of_formats() {
        let check = |format: &str, expected: &[usize]| {
            assert_eq!(super::strings_of(format.as_bytes()), expected, "{format}");
        };
        check("%s", &[0]);
        check("%d %%s %-5s%c", &[1]);
        check("%.3s %*s%s", &[2, 3]);
        check("100%", &[]);
    }
}
