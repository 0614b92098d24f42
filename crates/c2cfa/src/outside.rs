//! What code that is not C, or not there, does to memory that it is given: library functions without a model, and inline assembler.

use crate::builtin::writer::stored_integer;
use crate::call::Want;
use crate::context::Lowerer;
use crate::layout::Class;
use crate::lvalue::LValue;
use base::{Id, Span};
use cfa::flow::Node;
use cfa::{Access, ExprId, HavocSource, MachineModel, Op, Reach, Scalar, VarId};
use cfront::typed::{AsmOutput, Assembler, Expr, ExprKind, FunctionId};
use cfront::types::Type;
use clib::known::LIBRARY;
use clib::library::{ASSEMBLER, Effect, Effects, Exit};
use syntax::format::{self, Directive};

impl<'u> Lowerer<'u> {
    /// Calls a library function that has no model.
    pub fn library_effects(
        &mut self,
        effects: Effects,
        f: FunctionId,
        e: &'u Expr,
        args: &'u [Expr],
        want: Want,
    ) -> Option<ExprId> {
        // Those that return records change nothing.
        if let Class::Record { .. } = self.class(e.ty) {
            return self.call_extern(f, e, args, want);
        }
        // Whether a record was filled, only the result tells.
        let fills = args.iter().any(|arg| self.is_filled(arg.ty));
        let values = self.external_arguments(f, e, args);
        let result = self.external_call(f, e, args, &values, if fills { Want::Value } else { want });
        let mut is_modelled = !effects.is_unknown();
        // A function of the user's may have the name, and take something else.
        let exit = effects.status().and_then(|(i, exit)| Some((*values.get(i)?, exit)));
        let exit = exit.filter(|(status, _)| self.ty(*status).is_int());
        for (i, (arg, value)) in args.iter().zip(values.iter().copied()).enumerate() {
            match effects.through(i) {
                Effect::Object if self.may_be_address(value) => {
                    self.write_object(value, arg, e.span);
                    if let Some(result) = result {
                        self.keep_filled(f, (args, i), &values, result);
                    }
                }
                Effect::Reachable if self.may_be_address(value) => {
                    // Nobody knows how far it goes.
                    self.check_room(value, None, &self.unit.functions[f].name, e.span);
                    self.write_reachable(value, e.span);
                }
                Effect::Kept => is_modelled &= self.as_int(value) == Some(0),
                _ if let Some(format) = effects.format().filter(|format| self.is_counted(args, *format, i)) => {
                    // How many characters were written is known too well that any number would do.
                    match self.literal(&args[format]).and_then(|text| count_of_text(text, self.machine)) {
                        Some((count, bytes)) if i == format + 1 => {
                            let (to, ty) =
                                (self.as_pointer(value), Scalar::Int { bits: 8 * bytes as u16, signed: true });
                            let count = self.constant(count, ty);
                            self.store(to, count, e.span);
                        }
                        _ => is_modelled = false,
                    }
                }
                _ => {}
            }
        }
        if let Some(result) = result {
            self.keep_returned_through(&self.unit.functions[f].name, args, &values, result);
        }
        if !is_modelled {
            self.unsupported(LIBRARY, &*self.unit.functions[f].name, e.span);
        }
        if let Some((status, exit)) = exit {
            let exits = match exit {
                Exit::Always => self.constant(1, Scalar::Bool),
                Exit::UnlessZero => self.truth(status),
            };
            self.when(exits, e.span, |this| {
                this.call_destructors(e.span);
                this.halt(e.span);
            });
        }
        result
    }

    /// Whether `printf` may store a number of characters where an argument points to: its format has a conversion `%n`, or is unknown and
    /// the argument points to an integer that is no character.
    pub fn is_counted(&self, args: &'u [Expr], format: usize, i: usize) -> bool {
        if i <= format || i >= args.len() {
            return false;
        }
        let mut arg = &args[i];
        while let ExprKind::Cast(inner) = &arg.kind {
            arg = inner;
        }
        let Some(to) = self.unit.types.pointee(arg.ty) else { return false };
        match self.literal(&args[format]) {
            // Wide characters, too.
            Some(bytes) => stores_count(bytes.iter().copied().filter(|byte| *byte != 0)),
            None => matches!(self.unit.types.get(to), Type::Int(_)) && self.size(to).is_some_and(|size| size > 1),
        }
    }

    /// Whether a value can be an address, as a pointer or a number of its size.
    fn may_be_address(&self, value: ExprId) -> bool {
        let is_wide = match self.ty(value) {
            Scalar::Ptr => true,
            Scalar::Int { bits, .. } => u32::from(bits) >= self.pointer_bits,
            _ => false,
        };
        is_wide && self.as_int(value).is_none()
    }

    /// The rest of the object that an argument points to becomes arbitrary, unless it is null.
    pub fn write_object(&mut self, value: ExprId, arg: &Expr, span: Span) {
        let dst = self.as_pointer(value);
        let set = self.truth(dst);
        self.when(set, span, |this| this.written(dst, arg, None, span));
    }

    /// All memory that an address leads to becomes arbitrary: any number of times, the object is written, or an address that lies
    /// in the object is followed. Both stay inside of the object.
    fn write_reachable(&mut self, from: ExprId, span: Span) {
        if self.may_be_interrupted("while memory is written by other code", span) {
            return;
        }
        let from = self.as_pointer(from);
        let at = self.register(Scalar::Ptr, "at", span);
        self.assign(at, from, span);
        let (head, more, follow, write, end) = (self.node(), self.node(), self.node(), self.node(), self.node());
        self.goto(head, span);
        self.enter(head);
        let goes_on = self.chosen(Scalar::INT, span);
        let goes_on = self.truth(goes_on);
        self.branch_on(goes_on, more, end, span);
        self.enter(more);
        let (base, offset) = (self.var(at), self.chosen(self.usize_ty(), span));
        let here = self.ptr_add(base, offset);
        let follows = self.chosen(Scalar::INT, span);
        let follows = self.truth(follows);
        self.branch_on(follows, follow, write, span);
        self.enter(follow);
        self.go_on_if_inside(Access::Read, here, u64::from(self.pointer_bits / 8), head, span);
        let next = self.load(here, Scalar::Ptr);
        self.assign(at, next, span);
        self.goto(head, span);
        self.enter(write);
        self.go_on_if_inside(Access::Write, here, 1, head, span);
        self.emit(Op::MemHavoc { dst: here, len: Reach::Object, source: HavocSource::Environment }, span);
        self.goto(head, span);
        self.enter(end);
    }

    /// Control goes to `otherwise` where an access leaves its object.
    fn go_on_if_inside(&mut self, access: Access, address: ExprId, len: u64, otherwise: Node, span: Span) {
        let len = self.size_constant(len);
        let inside = self.p.exprs.add(cfa::ExprKind::Valid(access, address, len), Scalar::Bool);
        let then = self.node();
        self.branch_on(inside, then, otherwise, span);
        self.enter(then);
    }

    /// A value that is free to choose each time that control gets here.
    fn chosen(&mut self, ty: Scalar, span: Span) -> ExprId {
        let dst = self.register(ty, "any", span);
        self.emit(Op::Havoc { dst, source: HavocSource::Environment }, span);
        self.var(dst)
    }

    /// Inline assembler: outputs whose value is not known, and memory that the text can reach and says that it changes, become arbitrary.
    pub fn assembler(&mut self, asm: &'u Assembler, span: Span) {
        if !self.is_reachable() {
            return;
        }
        if asm.jumps {
            self.unsupported("asm goto", &*asm.text, span);
            return;
        }
        let mut inputs = self.values(&asm.inputs);
        inputs.retain(|value| self.may_be_address(*value));
        for input in &mut inputs {
            *input = self.stable(*input, span);
        }
        self.interrupt_point(span);
        let values: Vec<Option<ExprId>> = asm.outputs.iter().map(|output| self.known_value(output, span)).collect();
        if asm.changes_memory {
            self.pass_to_assembler(&inputs, None, span);
            for input in &inputs {
                self.write_reachable(*input, span);
            }
        }
        for (output, value) in asm.outputs.iter().zip(values) {
            let target = self.lvalue(&output.target);
            match (value, self.class(output.target.ty)) {
                (Some(value), Class::Scalar(ty)) => self.write(target, value, ty, output.target.span),
                _ => self.arbitrary_output(target, output, &inputs),
            }
        }
        self.interrupt_point(span);
        if asm.outputs.is_empty() && inputs.is_empty() && !asm.text.trim().is_empty() {
            if self.ignored_asm.0 == 0 {
                self.ignored_asm.1 = span;
            }
            self.ignored_asm.0 += 1;
        }
    }

    fn known_value(&mut self, output: &'u AsmOutput, span: Span) -> Option<ExprId> {
        let value = self.rvalue(output.value.as_ref()?);
        Some(self.stable(value, span))
    }

    fn arbitrary_output(&mut self, target: LValue, output: &'u AsmOutput, inputs: &[ExprId]) {
        let (ty, span) = (output.target.ty, output.target.span);
        match (target, self.class(ty)) {
            // It may be computed from the addresses.
            (target, Class::Scalar(scalar))
                if !inputs.is_empty() && scalar.bits(self.pointer_bits) >= self.pointer_bits =>
            {
                let temp = self.temp(scalar, span);
                self.pass_to_assembler(inputs, Some(temp), span);
                let value = self.var(temp);
                self.write(target, value, scalar, span);
            }
            (LValue::Register(var), _) => self.havoc(var, Some(ty), HavocSource::Asm, span),
            (LValue::Memory(addr), _) => {
                if let Some(len) = self.size(ty).filter(|len| *len > 0) {
                    self.pass_to_assembler(inputs, None, span);
                    self.emit(Op::MemHavoc { dst: addr, len: Reach::Bytes(len), source: HavocSource::Asm }, span);
                }
            }
            (target @ LValue::Bits { .. }, Class::Scalar(scalar)) => {
                let temp = self.temp(scalar, span);
                self.emit(Op::Havoc { dst: temp, source: HavocSource::Asm }, span);
                let value = self.var(temp);
                self.write(target, value, scalar, span);
            }
            (LValue::Bits { .. }, _) => {}
        }
    }

    /// The text sees these addresses, and may give them back.
    fn pass_to_assembler(&mut self, inputs: &[ExprId], dst: Option<VarId>, span: Span) {
        if !inputs.is_empty() {
            let func = self.made_function(ASSEMBLER, self.void_ctype);
            self.emit(Op::CallExtern { func, args: inputs.into(), dst }, span);
        }
    }

    /// All bytes of the string literal that an argument is.
    pub fn literal(&self, arg: &'u Expr) -> Option<&'u [u8]> {
        let mut arg = arg;
        loop {
            match &arg.kind {
                ExprKind::Cast(inner) => arg = inner,
                ExprKind::Decay(inner) => match &inner.kind {
                    ExprKind::String(id) if id.index() < self.unit.strings.len() => {
                        return Some(&self.unit.strings[*id].bytes);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

/// The number that the first conversion of a format stores, which is `%n`, and the bytes of the integer.
fn count_of_text(format: &[u8], machine: MachineModel) -> Option<(i128, u64)> {
    let directives = format::parse(format.iter().copied()).0;
    let (text, how) = match &directives[..] {
        [Directive::Conversion(how), ..] => (0, how),
        [Directive::Text(text), Directive::Conversion(how), ..] => (text.len(), how),
        _ => return None,
    };
    let is_plain = how.letter == b'n' && how.flags == 0 && how.counts().next().is_none();
    stored_integer(how.length, machine).filter(|_| is_plain).map(|bytes| (text as i128, bytes))
}

/// Whether a format has a conversion `%n`.
fn stores_count(format: impl Iterator<Item = u8>) -> bool {
    let stores =
        |directive| matches!(directive, Directive::Conversion(how) if [how.letter, how.numbered].contains(&b'n'));
    format::parse(format).0.into_iter().any(stores)
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_of_text() {
        let check = |format: &str| super::count_of_text(format.as_bytes(), cfa::MachineModel::Lp64);
        assert_eq!(check("abc%n%d"), Some((3, 4)));
        assert_eq!(check("%%b%%%hhn"), Some((3, 1)));
        assert_eq!(check("%ln"), Some((0, 8)));
        assert_eq!((check("%d%n"), check("a%"), check("%l")), (None, None, None));
    }

    #[test]
    fn formats_that_store() {
        for (format, expected) in
            [("%n", true), ("%d%%n", false), ("n%s", false), ("%-5hhn", true), ("%sn %2$ln", true)]
        {
            assert_eq!(super::stores_count(format.bytes()), expected, "{format}");
        }
    }
}
