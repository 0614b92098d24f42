//! Tells a recorded run in the user's words.

mod arguments;
mod values;

use crate::bytes::{bytes_text, hex_text};
use crate::path::part;
use crate::record::{RawArgument, RawInput, RawKind, RawStep, RawValue, Recorded};
use crate::violated::{check_at, event_with};
use base::{Budget, Name, Place, Span};
use cfa::check::SETTLED;
use cfa::library::ASSEMBLER;
use cfa::{
    Check, Edge, EdgeId, ExprId, ExprKind, FuncId, Observer, Op, Program, Scalar, Undefined, Value, VarKind, display,
};
use interp::{ObjectInfo, Source};
use outcome::{
    Counterexample, Input, InputSource, Operand, OperandKind, Property, Step, StepKind, StopReason, Visibility,
};
use values::{first_bytes, scalar_of, spelling};

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
    let teller = Teller { program };
    let mut steps = teller.steps(recorded, violation);
    let depth = recorded.tail.back().or(recorded.head.last()).map_or(0, |step| step.depth);
    let last = recorded.fault.as_ref().map(|(branch, fault)| (*branch, fault));
    let error = StepKind::Error { what: event_with(program, observer, violation, last) };
    // The call that is the violation is told once.
    if let Some(Step { kind: StepKind::Call { .. } | StepKind::External { .. } | StepKind::Input(_), edge, .. }) =
        steps.last()
        && *edge == violation
    {
        steps.pop();
    }
    let mut last = teller.make(violation, depth, error);
    let caller = steps.iter().rev().find(|step| step.visibility == Visibility::User && step.place.is_some());
    if let Some(caller) = caller {
        // Users know the call of the library, and no function behind `main`.
        if is_in_library(&last) {
            (last.place, last.function) = (caller.place.clone(), caller.function.clone());
        } else if program.locs[program.edges[violation].src].func == program.start {
            last.function = caller.function.clone();
        }
    }
    steps.push(last);
    Counterexample {
        property: observer.property.clone(),
        violated: check_at(program, observer, violation).map_or(Property::UnreachCall, Property::Check),
        steps,
        inputs: inputs.iter().map(|input| teller.input(input)).collect(),
    }
}

fn is_in_library(step: &Step) -> bool {
    step.place.as_ref().is_some_and(|place| place.file.starts_with('<'))
}

/// The run to the first undefined behaviour that it meets.
pub fn undefined(
    program: &Program,
    observer: &Observer,
    outcome: &interp::Outcome,
    mut recorded: Recorded,
    inputs: &[RawInput],
) -> Option<Counterexample> {
    let teller = Teller { program };
    let is_outside = |step: &RawStep| matches!(step.kind, RawKind::Outside(_));
    // Reads out of bounds go on: what comes behind the first one is no run that users can rely on.
    let steps = if let Some(first) = recorded.head.iter().position(is_outside) {
        recorded.head.truncate(first + 1);
        recorded.head.iter().filter_map(|step| teller.step(step)).collect()
    } else {
        let edge = match outcome {
            interp::Outcome::Undefined { edge, .. } => *edge,
            _ => recorded.tail.iter().find(|step| is_outside(step))?.edge,
        };
        if let Some(first) = recorded.tail.iter().position(is_outside) {
            recorded.tail.truncate(first + 1);
            teller.steps(&recorded, edge)
        } else {
            let interp::Outcome::Undefined { what, detail, .. } = outcome else { return None };
            let depth = recorded.tail.back().or(recorded.head.last()).map_or(0, |step| step.depth);
            let kind = StepKind::Undefined { what: undefined_text(*what, detail) };
            let mut steps = teller.steps(&recorded, edge);
            steps.push(teller.make(edge, depth, kind));
            steps
        }
    };
    let asked = |step: &Step| match step.kind {
        StepKind::Input(index) => Some(index),
        _ => None,
    };
    let given = steps.iter().filter_map(asked).max().map_or(0, |last| last + 1);
    Some(Counterexample {
        property: observer.property.clone(),
        violated: Property::UnreachCall,
        steps,
        inputs: inputs.iter().take(given).map(|input| teller.input(input)).collect(),
    })
}

/// Why a run is no counterexample.
pub(crate) fn reason(program: &Program, outcome: &interp::Outcome, budget: &Budget) -> StopReason {
    let at = |edge: EdgeId| place(program, program.edges[edge].span);
    match outcome {
        interp::Outcome::Undefined { what, edge, detail } => {
            StopReason::Undefined { what: undefined_text(*what, detail), place: at(*edge) }
        }
        interp::Outcome::Stopped(stop) => StopReason::from_stop(*stop, budget),
        other => StopReason::ReplayFailed { why: instead(program, other) },
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
            format!("undefined behaviour{}: {}", at(*edge), undefined_text(*what, detail))
        }
        interp::Outcome::Blocked => "an assumption did not hold".to_owned(),
        interp::Outcome::Unsupported { what, edge } => {
            format!("{} is not modelled{}", program.unsupported[*what].construct, at(*edge))
        }
        interp::Outcome::Contradicted { edge } => {
            format!("a function of C's library gives another value{}", at(*edge))
        }
        interp::Outcome::Stopped(stop) => format!("the replay was stopped ({stop:?})"),
        interp::Outcome::StepLimit => "the replay took too many steps".to_owned(),
    }
}

fn undefined_text(what: Undefined, detail: &str) -> String {
    let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
    format!("{}{detail}", display::undefined(what))
}

fn place(program: &Program, span: Span) -> Option<Place> {
    if span == Span::NONE { None } else { program.source.place(span.lo) }
}

struct Teller<'p> {
    program: &'p Program,
}

impl Teller<'_> {
    /// The recorded steps; `edge` is the place of those that were not kept.
    fn steps(&self, recorded: &Recorded, edge: EdgeId) -> Vec<Step> {
        let mut steps: Vec<Step> = recorded.head.iter().filter_map(|step| self.step(step)).collect();
        if recorded.omitted > 0 {
            steps.push(Step {
                edge,
                place: None,
                function: Name::from(""),
                depth: 0,
                visibility: Visibility::User,
                kind: StepKind::Omitted(recorded.omitted),
                text: String::new(),
                arrivals: Vec::new(),
            });
        }
        steps.extend(recorded.tail.iter().filter_map(|step| self.step(step)));
        steps
    }

    /// Whether the edge goes past a check that holds, which no statement of the user's says, or to one that fails where only Hone's own words
    /// tell why.
    fn is_of_check(&self, edge: EdgeId) -> bool {
        let program = self.program;
        let is_check = |other: EdgeId| {
            let end = program.edges[other].dst;
            let behind = match program.locs[end].out[..] {
                [only] => Some(&program.edges[only]),
                _ => None,
            };
            let is_guard = |end: &Edge| matches!(end.op, Op::Undefined(_)) && end.span == program.edges[other].span;
            let locs = std::iter::once(end).chain(behind.map(|edge| edge.dst));
            let mut labels = locs.flat_map(|loc| &program.locs[loc].labels);
            behind.is_some_and(is_guard) || labels.any(|label| &**label == SETTLED || Check::of_label(label).is_some())
        };
        let Op::Assume { cond, .. } = program.edges[edge].op else { return false };
        let beside = &program.locs[program.edges[edge].src].out;
        match is_check(edge) {
            true => is_internal(&display::expr(program, cond)),
            false => beside.iter().any(|other| *other != edge && is_check(*other)),
        }
    }

    /// Whether the edge asks for nothing but what no text of the program names.
    fn asks_hidden(&self, edge: EdgeId) -> bool {
        let program = self.program;
        let Op::Assume { cond, .. } = program.edges[edge].op else { return false };
        let (mut hidden, mut other) = (false, false);
        program.exprs.walk(cond, |_, e| match e.kind {
            ExprKind::Var(var) if program.vars[var].func.is_none() && program.vars[var].kind == VarKind::Temp => {
                hidden = true;
            }
            ExprKind::Const(_) | ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Cast(_) => {}
            _ => other = true,
        });
        hidden && !other
    }

    fn make(&self, edge: EdgeId, depth: u32, kind: StepKind) -> Step {
        let program = self.program;
        let span = program.edges[edge].span;
        let func = program.locs[program.edges[edge].src].func;
        let place = place(program, span);
        // Code that Hone adds for the C library names files that no user has.
        let is_hidden = |func: FuncId| *program.functions[func].name == *cfa::INTERRUPTS;
        let runs_interrupts = is_hidden(func) && !matches!(kind, StepKind::Call { .. })
            || matches!(program.edges[edge].op, Op::Call { func, .. } if is_hidden(func));
        let library =
            place.as_ref().is_some_and(|place| place.file.starts_with('<')) || func == program.start || runs_interrupts;
        let text = self.text(span);
        Step {
            edge,
            place,
            function: program.functions[func].name.clone(),
            // The start function, which calls `main`, is no caller to users.
            depth: depth.saturating_sub(1),
            visibility: match library || self.is_of_check(edge) || self.asks_hidden(edge) {
                true => Visibility::Library,
                false => Visibility::User,
            },
            kind,
            text,
            arrivals: Vec::new(),
        }
    }

    fn step(&self, step: &RawStep) -> Option<Step> {
        let program = self.program;
        // What the start function does to call the first one is no step of the program.
        let is_start = program.locs[program.edges[step.edge].src].func == program.start;
        if is_start && matches!(step.kind, RawKind::Branch(_) | RawKind::Call(..) | RawKind::Extern(_, None, _)) {
            return None;
        }
        let kind = match &step.kind {
            RawKind::Branch(operands) => {
                let Op::Assume { cond, truth } = program.edges[step.edge].op else { return None };
                let condition = self.condition(step.edge, cond);
                let operands = operands.iter().filter_map(|(expr, value)| self.operand(*expr, value)).collect();
                StepKind::Branch { condition, taken: truth, operands }
            }
            RawKind::Choice(cond, taken) => {
                StepKind::Choice { condition: self.choice(step.edge, *cond)?, taken: *taken }
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
            RawKind::Extern(_, Some(input), _) | RawKind::Input(input) => StepKind::Input(*input),
            RawKind::Extern(func, None, arguments) => StepKind::External {
                function: program.functions[*func].name.clone(),
                arguments: self.extern_arguments(arguments),
            },
            RawKind::Outside(what) => StepKind::Undefined { what: what.clone() },
        };
        let told = Step { arrivals: step.arrivals.clone(), ..self.make(step.edge, step.depth, kind) };
        Some(match cfa::start::argument(program, step.edge).filter(|_| is_start) {
            // An argument is given to the first function, and users know its name.
            Some((_, param)) => {
                let function =
                    program.vars[param].func.map_or(told.function, |func| program.functions[func].name.clone());
                Step { function, visibility: Visibility::User, ..told }
            }
            None => told,
        })
    }

    /// An operand of a condition; `None` if users do not know it.
    fn operand(&self, expr: ExprId, value: &RawValue) -> Option<Operand> {
        let program = self.program;
        let text = display::expr(program, expr);
        let kind = match program.exprs.kind(expr) {
            ExprKind::Var(_) => OperandKind::Variable,
            _ => OperandKind::Computed,
        };
        let value = self.plain(value, program.exprs.ty(expr));
        (!is_internal(&text) && !text.contains('…')).then_some(Operand { text, value, kind })
    }

    /// The condition of a conditional expression of the source.
    fn choice(&self, edge: EdgeId, cond: ExprId) -> Option<String> {
        let text = self.text(self.program.edges[edge].span);
        let (before, _) = text.split_once('?')?;
        let condition = before.rsplit_once(" = ").map_or(before, |(_, condition)| condition).trim();
        let is_whole =
            text.matches('?').count() == 1 && condition.matches('(').count() == condition.matches(')').count();
        let shown = if is_whole { condition.to_owned() } else { display::expr(self.program, cond) };
        (!shown.is_empty() && !is_internal(&shown)).then_some(shown)
    }

    fn extern_arguments(&self, arguments: &[RawArgument]) -> Vec<String> {
        arguments.iter().map(|(ty, value)| self.plain(value, *ty)).collect()
    }

    /// Source text on one line, not too long.
    fn text(&self, span: Span) -> String {
        let words: Vec<&str> = self.program.source.snippet(span).split_whitespace().collect();
        words.join(" ").chars().take(MAX_TEXT).collect()
    }

    /// What is assigned; as in the source where the program's own form of it speaks of temporaries or casts.
    fn target(&self, edge: EdgeId, shown: String) -> String {
        let text = self.text(self.program.edges[edge].span);
        let left = text.split_once('=').map(|(left, _)| values::place_of(left));
        match left.filter(|left| !left.is_empty() && !left.contains(['!', '(', ',', ';'])) {
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
        if !is_internal(&shown) {
            return shown;
        }
        self.validity(cond, &text).unwrap_or(if is_condition { text } else { shown })
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

    fn input(&self, input: &RawInput) -> Input {
        let program = self.program;
        let unknown = || base::Id::from_index(0);
        let starting = program.locs[program.edges[input.edge].src].func == program.start;
        let place = place(program, program.edges[input.edge].span);
        if let Some(input) = self.written(input).or_else(|| self.argument_object(input)) {
            return Input { place, ..input };
        }
        let argument = cfa::start::argument(program, input.edge);
        let (source, ctype) = match (input.source, argument) {
            // The start function asks for the arguments of `main`.
            (Source::Extern(_) | Source::Havoc(..), Some((number, param))) => {
                let param = &program.vars[param];
                (InputSource::Argument(number, param.name.clone()), param.ctype)
            }
            (Source::Extern(func), _) if starting => {
                let function = &program.functions[func];
                let source = match function.name.contains('[') {
                    true => InputSource::Environment(function.name.to_string()),
                    false => InputSource::Variable(function.name.clone()),
                };
                (source, function.ret_ctype)
            }
            (Source::Extern(func), _) => {
                let function = &program.functions[func];
                let source = match &*function.name {
                    ASSEMBLER => InputSource::Environment("output of assembler".to_owned()),
                    _ => InputSource::Call(function.name.clone()),
                };
                (source, function.ret_ctype)
            }
            (Source::Havoc(var, why), _) => {
                let var = &program.vars[var];
                let source = match why {
                    cfa::HavocSource::Uninitialised => InputSource::Uninitialised(var.name.clone()),
                    cfa::HavocSource::Asm => {
                        InputSource::Environment(format!("{} from assembler", interp::describe::source_name(&var.name)))
                    }
                    cfa::HavocSource::Allocation => {
                        InputSource::Allocation(interp::describe::source_name(&var.name).into())
                    }
                    cfa::HavocSource::Environment if var.is_global() => InputSource::Variable(var.name.clone()),
                    cfa::HavocSource::Environment | cfa::HavocSource::Unmapped => {
                        InputSource::Environment(interp::describe::source_name(&var.name).to_string())
                    }
                };
                (source, var.ctype)
            }
            (Source::Declared(var), _) => {
                (InputSource::Uninitialised(program.vars[var].name.clone()), program.vars[var].ctype)
            }
            (Source::External(address), _) => (InputSource::Outside { address, bytes: input.bytes.clone() }, unknown()),
            (Source::MemHavoc(..) | Source::Allocated(_) | Source::Reallocated(_) | Source::Outside(_), _) => {
                (InputSource::Memory, unknown())
            }
        };
        let scalar = input.ty.unwrap_or(BYTES);
        let c_type = if input.ty.is_some() { spelling(program, ctype) } else { "unsigned char[]".to_owned() };
        // Whatever byte external code returns is made a truth value.
        let is_truth = c_type == "_Bool" && matches!(input.source, Source::Extern(_) | Source::Havoc(..));
        let value = if is_truth { Value::from(input.value.0 != 0) } else { input.value };
        let text = match input.ty {
            Some(Scalar::Bool) if matches!(source, InputSource::Environment(_)) => {
                if input.value.0 == 0 { "no" } else { "yes" }.to_owned()
            }
            Some(ty) => self.plain(&RawValue { value, pointee: None }, ty),
            None => hex_text(first_bytes(input), input.len),
        };
        Input { source, arguments: self.extern_arguments(&input.arguments), c_type, ctype, scalar, value, text, place }
    }
}

/// The type under which the first bytes of larger inputs are kept.
const BYTES: Scalar = Scalar::Int { bits: 128, signed: false };

/// Whether a text in C says what users do not know: temporaries, or casts of addresses.
fn is_internal(text: &str) -> bool {
    // `<array size>` is a variable that the front end names.
    let mut behind = text.split('<').skip(1);
    ["$", "*(", "*)"].iter().any(|word| text.contains(word)) || behind.any(|text| text.starts_with(char::is_alphabetic))
}
