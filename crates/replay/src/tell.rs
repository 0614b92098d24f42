//! Tells a recorded run in the user's words.

use crate::path::part;
use crate::record::{RawInput, RawKind, RawStep, RawValue, Recorded};
use base::{Name, Place, Span};
use cfa::{CType, CTypeId, EdgeId, ExprId, FuncId, Observer, Op, Pattern, Program, Scalar, Value, VarKind, display};
use interp::{ObjectInfo, ObjectKind, Source};
use outcome::{Counterexample, Input, InputSource, Step, StepKind, Visibility};

/// Characters of source text that a step quotes.
const MAX_TEXT: usize = 120;

/// The counterexample that ends on `violation`.
pub fn counterexample(
    program: &Program,
    observer: &Observer,
    violation: EdgeId,
    recorded: &Recorded,
    inputs: &[RawInput],
) -> Counterexample {
    let mut steps: Vec<Step> = Vec::new();
    let teller = Teller { program };
    steps.extend(recorded.head.iter().filter_map(|step| teller.step(step)));
    if recorded.omitted > 0 {
        steps.push(Step {
            edge: violation,
            place: None,
            function: Name::from(""),
            depth: 0,
            visibility: Visibility::User,
            kind: StepKind::Omitted(recorded.omitted),
            text: String::new(),
            arrivals: Vec::new(),
        });
    }
    steps.extend(recorded.tail.iter().filter_map(|step| teller.step(step)));
    let depth = recorded.tail.back().or(recorded.head.last()).map_or(0, |step| step.depth);
    let error = teller.error(observer, violation);
    // The call that is the violation is told once.
    if let Some(Step { kind: StepKind::Call { .. } | StepKind::External { .. } | StepKind::Input(_), edge, .. }) =
        steps.last()
        && *edge == violation
    {
        steps.pop();
    }
    steps.push(teller.make(violation, depth, error));
    Counterexample {
        property: observer.property.clone(),
        steps,
        inputs: inputs.iter().map(|input| teller.input(input)).collect(),
    }
}

/// What happened instead of the error.
pub fn instead(program: &Program, outcome: &interp::Outcome) -> String {
    let at =
        |edge: EdgeId| place(program, program.edges[edge].span).map_or(String::new(), |place| format!(" at {place}"));
    match outcome {
        interp::Outcome::Violation { edge } => format!("the error was reached{}", at(*edge)),
        interp::Outcome::Exited { .. } => "the program ended normally".to_owned(),
        interp::Outcome::Undefined { what, edge, detail } => {
            let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            format!("undefined behaviour{}: {}{detail}", at(*edge), display::undefined(*what))
        }
        interp::Outcome::Blocked => "an assumption did not hold".to_owned(),
        interp::Outcome::Unsupported { what, edge } => {
            format!("{} is not modelled{}", program.unsupported[*what].construct, at(*edge))
        }
        interp::Outcome::Stopped(stop) => format!("the replay was stopped ({stop:?})"),
        interp::Outcome::StepLimit => "the replay took too many steps".to_owned(),
    }
}

fn place(program: &Program, span: Span) -> Option<Place> {
    if span == Span::NONE { None } else { program.source.place(span.lo) }
}

struct Teller<'p> {
    program: &'p Program,
}

impl Teller<'_> {
    fn make(&self, edge: EdgeId, depth: u32, kind: StepKind) -> Step {
        let program = self.program;
        let span = program.edges[edge].span;
        let func = program.locs[program.edges[edge].src].func;
        let place = place(program, span);
        // Code that Hone adds for the C library names files that no user has.
        let library = place.as_ref().is_some_and(|place| place.file.starts_with('<')) || func == program.start;
        let text = self.text(span);
        Step {
            edge,
            place,
            function: program.functions[func].name.clone(),
            // The start function, which calls `main`, is no caller to users.
            depth: depth.saturating_sub(1),
            visibility: if library { Visibility::Library } else { Visibility::User },
            kind,
            text,
            arrivals: Vec::new(),
        }
    }

    fn step(&self, step: &RawStep) -> Option<Step> {
        let program = self.program;
        let kind = match &step.kind {
            RawKind::Branch => {
                let Op::Assume { cond, truth } = program.edges[step.edge].op else { return None };
                StepKind::Branch { condition: self.condition(step.edge, cond), taken: truth }
            }
            RawKind::Assign(var, value) => {
                let var = &program.vars[*var];
                let value = self.value(value, var.register().unwrap_or(Scalar::Ptr), var.ctype);
                StepKind::Assign { target: var.name.to_string(), value }
            }
            RawKind::Write { object, address, len, bytes, value } => {
                self.write(step.edge, *object, *address, *len, bytes, value)
            }
            RawKind::Call(func, arguments) => StepKind::Call {
                function: program.functions[*func].name.clone(),
                arguments: self.arguments(*func, arguments),
            },
            RawKind::Return(func, value) => {
                let function = &program.functions[*func];
                let ty = function.ret.and_then(|ret| program.vars[ret].register());
                let value = value.zip(ty).map(|(value, ty)| self.value(&value, ty, function.ret_ctype));
                StepKind::Return { function: function.name.clone(), value }
            }
            RawKind::Extern(_, Some(input)) | RawKind::Input(input) => StepKind::Input(*input),
            RawKind::Extern(func, None) => StepKind::External { function: program.functions[*func].name.clone() },
            RawKind::Outside(what) => StepKind::Undefined { what: what.clone() },
        };
        Some(Step { arrivals: step.arrivals.clone(), ..self.make(step.edge, step.depth, kind) })
    }

    /// Source text on one line, not too long.
    fn text(&self, span: Span) -> String {
        let words: Vec<&str> = self.program.source.snippet(span).split_whitespace().collect();
        words.join(" ").chars().take(MAX_TEXT).collect()
    }

    /// What is assigned; as in the source where the program's own form of it speaks of temporaries or casts.
    fn target(&self, edge: EdgeId, shown: String) -> String {
        let text = self.text(self.program.edges[edge].span);
        let left = text
            .split_once('=')
            .map(|(left, _)| left.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']));
        match left.map(str::trim).filter(|left| !left.is_empty() && !left.contains(['!', '(', ',', ';'])) {
            Some(left) if is_internal(&shown) => left.to_owned(),
            _ => shown,
        }
    }

    /// A condition; its source text where it speaks of temporaries, as `tmp$1 != 0` for `f()` does.
    fn condition(&self, edge: EdgeId, cond: ExprId) -> String {
        let shown = display::expr(self.program, cond);
        let text = self.text(self.program.edges[edge].span);
        // Checks that lowering adds (division by zero), and cases of a switch, have spans that are no conditions.
        let operator = [" != ", " == ", " <= ", " >= ", " < ", " > "].into_iter().find(|op| shown.contains(op));
        let is_condition = !text.is_empty()
            && !["case", "default", "switch"].iter().any(|word| text.starts_with(word))
            && operator.is_none_or(|op| op == " != " || text.contains(op.trim()) && !text.contains(['/', '%']));
        if is_internal(&shown) && is_condition { text } else { shown }
    }

    fn arguments(&self, func: FuncId, values: &[RawValue]) -> Vec<String> {
        let params = self.program.functions[func].params.iter();
        params
            .zip(values)
            .map(|(param, value)| (&self.program.vars[*param], value))
            .filter(|(var, _)| var.kind == VarKind::Param)
            .map(|(var, value)| {
                format!("{} = {}", var.name, self.value(value, var.register().unwrap_or(Scalar::Ptr), var.ctype))
            })
            .collect()
    }

    fn write(
        &self,
        edge: EdgeId,
        object: Option<(ObjectInfo, u64)>,
        address: u64,
        len: u64,
        bytes: &[u8],
        value: &RawValue,
    ) -> StepKind {
        let program = self.program;
        let stored = match program.edges[edge].op {
            Op::Store { addr, value } => Some((addr, program.exprs.ty(value))),
            _ => None,
        };
        let named = object.and_then(|(object, offset)| {
            let var = &program.vars[object.kind.var()?];
            let part = part(program, var.ctype, offset, len);
            Some((format!("{}{}", var.name, part.suffix), part.ty))
        });
        let (target, ty) = match (named, stored) {
            (Some((name, ty)), _) => (name, ty),
            (None, Some((addr, ty))) => (self.target(edge, display::place(program, addr, ty)), None),
            (None, None) => (self.address(address, object), None),
        };
        let scalar = ty.and_then(|ty| scalar_of(program, ty));
        let text = match (scalar, stored, ty) {
            (Some(scalar), _, Some(ty)) if len <= 16 => self.value(value, scalar, ty),
            (_, Some((_, scalar)), _) => self.plain(value, scalar),
            _ => bytes_text(program, ty, bytes, len),
        };
        StepKind::Assign { target, value: text }
    }

    fn error(&self, observer: &Observer, edge: EdgeId) -> StepKind {
        let program = self.program;
        let forbidden =
            |pattern: &Pattern| observer.transitions.iter().any(|t| t.to == observer.error && &t.on == pattern);
        let edge = &program.edges[edge];
        if let Op::Call { func, .. } | Op::CallExtern { func, .. } = &edge.op {
            let name = &program.functions[*func].name;
            if forbidden(&Pattern::Call(name.clone())) {
                let what = match &**name {
                    "__assert_fail" | "__assert_rtn" => "an assertion fails".to_owned(),
                    name => format!("{name}() is called"),
                };
                return StepKind::Error { what };
            }
        }
        let label = program.locs[edge.dst].labels.iter().find(|label| forbidden(&Pattern::Label((*label).clone())));
        StepKind::Error {
            what: label
                .map_or_else(|| "the property is violated".to_owned(), |label| format!("label {label} is reached")),
        }
    }

    fn input(&self, input: &RawInput) -> Input {
        let program = self.program;
        let unknown = || base::Id::from_index(0);
        let starting = program.locs[program.edges[input.edge].src].func == program.start;
        let (source, ctype) = match input.source {
            // The start function asks for the arguments of `main`.
            Source::Extern(func) if starting => {
                let function = &program.functions[func];
                (InputSource::Environment(format!("{}, from outside", function.name)), function.ret_ctype)
            }
            Source::Havoc(var, _) if starting && program.vars[var].kind == VarKind::Temp => {
                (InputSource::Environment("an argument of the first function".to_owned()), program.vars[var].ctype)
            }
            Source::Extern(func) => {
                let function = &program.functions[func];
                (InputSource::Call(function.name.clone()), function.ret_ctype)
            }
            Source::Havoc(var, why) => {
                let var = &program.vars[var];
                let source = match why {
                    cfa::HavocSource::Uninitialised => InputSource::Uninitialised(var.name.clone()),
                    cfa::HavocSource::Asm => InputSource::Environment(format!("{} from assembler", var.name)),
                    cfa::HavocSource::Environment if var.is_global() => InputSource::Variable(var.name.clone()),
                    cfa::HavocSource::Environment => InputSource::Environment(var.name.to_string()),
                };
                (source, var.ctype)
            }
            Source::Declared(var) => {
                (InputSource::Uninitialised(program.vars[var].name.clone()), program.vars[var].ctype)
            }
            Source::MemHavoc(..)
            | Source::Allocated(_)
            | Source::Reallocated
            | Source::External(_)
            | Source::Outside(_) => (InputSource::Memory, unknown()),
        };
        let scalar = input.ty.unwrap_or(Scalar::Int { bits: 128, signed: false });
        let text = match input.ty {
            Some(ty) => self.plain(&RawValue { value: input.value, pointee: None }, ty),
            None => bytes_text(program, None, &input.value.0.to_le_bytes(), 16) + " ...",
        };
        Input {
            source,
            c_type: if input.ty.is_some() { spelling(program, ctype) } else { "unsigned char[]".to_owned() },
            ctype,
            scalar,
            value: input.value,
            text,
            place: place(program, program.edges[input.edge].span),
        }
    }

    /// A value of a C type.
    fn value(&self, value: &RawValue, ty: Scalar, ctype: CTypeId) -> String {
        let ty = scalar_of(self.program, ctype).filter(|known| same_width(*known, ty, self.program)).unwrap_or(ty);
        self.plain(value, ty)
    }

    fn plain(&self, value: &RawValue, ty: Scalar) -> String {
        match ty {
            Scalar::Ptr if value.value.0 == 0 => "NULL".to_owned(),
            Scalar::Ptr => self.address(value.value.0 as u64, value.pointee),
            _ => {
                let bits = ty.bits(self.program.pointer_bits());
                display::value(Value::truncated(value.value.0, bits), ty)
            }
        }
    }

    /// An address in the user's words.
    fn address(&self, address: u64, object: Option<(ObjectInfo, u64)>) -> String {
        let program = self.program;
        let Some((object, offset)) = object else {
            let function = program
                .functions
                .iter_enumerated()
                .find(|(id, f)| f.address_taken && cfa::layout::function_address(*id) == address);
            return function.map_or_else(|| format!("{address:#x}"), |(_, function)| function.name.to_string());
        };
        let name = interp::describe::object_name(program, object.kind);
        let ctype = match object.kind {
            ObjectKind::Global(var) | ObjectKind::Local(var) => Some(program.vars[var].ctype),
            ObjectKind::Heap(_) | ObjectKind::Stack(_) => None,
        };
        if name.starts_with('"') {
            return if offset == 0 { name } else { format!("{name}+{offset}") };
        }
        let (part, rest) = match ctype.map(|ctype| (ctype, program.ctypes.get(ctype))) {
            // An element of an array is a better name for its beginning than the array.
            Some((ctype, CType::Array(..))) => interp::describe::path(program, ctype, offset, None),
            Some((ctype, CType::Record { .. })) if offset > 0 => interp::describe::path(program, ctype, offset, None),
            _ => (String::new(), offset),
        };
        let plus = if rest == 0 { String::new() } else { format!("+{rest}") };
        format!("&{name}{part}{plus}")
    }
}

/// Whether a text in C says what users do not know: temporaries, or casts of addresses.
fn is_internal(text: &str) -> bool {
    text.contains('$') || text.contains("*(") || text.contains("*)")
}

fn same_width(a: Scalar, b: Scalar, program: &Program) -> bool {
    let bits = program.pointer_bits();
    a.bits(bits) == b.bits(bits) && a.is_float() == b.is_float()
}

fn scalar_of(program: &Program, ctype: CTypeId) -> Option<Scalar> {
    match program.ctypes.get(ctype) {
        CType::Scalar { scalar, .. } => Some(*scalar),
        CType::Pointer(_) => Some(Scalar::Ptr),
        _ => None,
    }
}

/// A type as C spells it, without declarator subtleties.
fn spelling(program: &Program, ctype: CTypeId) -> String {
    let (mut stars, mut ctype) = (String::new(), ctype);
    for _ in 0..16 {
        match program.ctypes.get(ctype) {
            CType::Pointer(target) => {
                stars.push('*');
                ctype = *target;
            }
            _ => break,
        }
    }
    let base = match program.ctypes.get(ctype) {
        CType::Void => "void".to_owned(),
        CType::Scalar { name, .. } | CType::Record { name, .. } | CType::Function(name) => name.to_string(),
        CType::Array(..) | CType::Pointer(_) => "...".to_owned(),
    };
    if stars.is_empty() { base } else { format!("{base} {stars}") }
}

/// Bytes as a string, if they look like one, or in hexadecimal.
fn bytes_text(program: &Program, ty: Option<CTypeId>, bytes: &[u8], len: u64) -> String {
    const SHOWN: usize = 16;
    let is_char_array = matches!(ty.map(|ty| program.ctypes.get(ty)), Some(CType::Array(element, _)) if program.ctypes.size(*element) == 1);
    if is_char_array
        && let Some(end) = bytes.iter().position(|b| *b == 0)
        && bytes[..end].iter().all(|b| (0x20..0x7f).contains(b))
    {
        return format!("{:?}", String::from_utf8_lossy(&bytes[..end]));
    }
    if bytes.iter().all(|b| *b == 0) {
        return format!("{len} zero bytes");
    }
    let hex: Vec<String> = bytes.iter().take(SHOWN).map(|b| format!("{b:02x}")).collect();
    let more = if len as usize > SHOWN { " ..." } else { "" };
    format!("{len} bytes: {}{more}", hex.join(" "))
}
