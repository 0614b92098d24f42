//! Executes a program with the concrete interpreter.

use crate::failure::Failure;
use crate::job::Job;
use crate::limits::{GRACE, Interrupts, Limits, Watchdog, exit_now};
use crate::run;
use crate::stack::on_large_stack;
use base::{Diagnostic, Stop};
use cfa::{FloatFormat, Program, Scalar, Value};
use interp::{Config, Env, Interpreter, Library, RandomInputs, Request, Run, Source};
use outcome::Silent;
use replay::lives::Lives;
use std::collections::VecDeque;
use std::io::Write;

/// A number that the user gives as input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Integer, truth value or address.
    Int(i128),
    /// Floating-point number.
    Float(f64),
}

impl Number {
    /// Reads a number such as `-1`, `0xff`, `1.5`, `true` or `NULL`.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u128>().ok(),
        };
        match (parsed, text) {
            // The bits of unsigned 128-bit numbers are kept.
            (Some(number), _) => {
                Ok(Number::Int(if negative { (number as i128).wrapping_neg() } else { number as i128 }))
            }
            (None, "true") => Ok(Number::Int(1)),
            (None, "false" | "null" | "NULL") => Ok(Number::Int(0)),
            (None, _) => text.parse().map(Number::Float).map_err(|_| "expected a number".to_owned()),
        }
    }
}

/// Where inputs come from.
#[derive(Clone, PartialEq, Debug)]
pub enum InputChoice {
    /// These, in the order of the calls; then zeros.
    List(Vec<Number>),
    /// Random ones, the same for the same seed.
    Random(u64),
}

/// How a run ended, as far as the exit code needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The program ended.
    Normal,
    /// The property is violated.
    Violation,
    /// Undefined behaviour, something that is not modelled, or a limit.
    Other,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// In short.
    pub ending: Ending,
    /// In words, without a full stop.
    pub text: String,
}

/// Runs a program; what it prints goes to `output` and `errors`.
///
/// # Errors
/// If the program text is no C program with the entry function.
pub fn execute(
    job: &Job,
    choice: &InputChoice,
    limits: Limits,
    interrupts: &Interrupts,
    output: &mut (dyn Write + Send),
    errors: &mut (dyn Write + Send),
) -> Result<Executed, Failure> {
    let budget = limits.budget();
    // The interpreter looks at the budget all the time; only the front end may not come back.
    let overrun = |stop: Stop| -> () { exit_now(if stop == Stop::Interrupted { 130 } else { 3 }) };
    let _watchdog = Watchdog::start(budget.clone(), interrupts.clone(), GRACE, Box::new(overrun));
    let loaded = run::load(job, &Silent)?;
    let config = Config {
        library: Library::Execute,
        memory_limit: limits.memory.unwrap_or(Config::default().memory_limit),
        ..Config::default()
    };
    let executed = on_large_stack(|| {
        let mut list;
        let mut random;
        let inputs: &mut dyn interp::Inputs = match choice {
            InputChoice::List(numbers) => {
                list = Listed { numbers: numbers.iter().copied().collect() };
                &mut list
            }
            InputChoice::Random(seed) => {
                random = RandomInputs::new(*seed);
                &mut random
            }
        };
        let mut lives = Lives::new(&loaded.program);
        let (mut output, mut errors) = (output, errors);
        let mut env = Env { inputs, output: &mut output, errors: &mut errors, budget: &budget, observe: &mut lives };
        let (program, observer) = (&loaded.program, &job.property.observer);
        let mut interpreter = match Interpreter::new(program, Some(observer), &config) {
            Ok(interpreter) => interpreter,
            Err(stop) => return describe(program, &Run { outcome: interp::Outcome::Stopped(stop), steps: 0 }, None),
        };
        let run = interpreter.run(&mut env);
        let violation = match run.outcome {
            interp::Outcome::Violation { edge } => {
                Some(replay::violation(program, observer, edge, &interpreter, &lives))
            }
            _ => None,
        };
        describe(program, &run, violation)
    });
    executed.ok_or_else(|| {
        let message = format!("{}: internal error while running", job.name());
        Failure::new(Diagnostic::error("E0099", None, message).help("please report this with the program"))
    })
}

/// How a run ended; `violation` is what it violates, in words.
fn describe(program: &Program, run: &Run, violation: Option<String>) -> Executed {
    let (ending, text) = match (&run.outcome, violation) {
        (interp::Outcome::Exited { status: Some(status) }, _) => (Ending::Normal, format!("main returned {status}")),
        (interp::Outcome::Exited { status: None }, _) => (Ending::Normal, "the program ended itself".to_owned()),
        (interp::Outcome::Blocked, _) => (Ending::Normal, "an assumption did not hold".to_owned()),
        (_, Some(violation)) => (Ending::Violation, violation),
        (outcome, None) => (Ending::Other, replay::instead(program, outcome)),
    };
    Executed { ending, text: format!("{text} after {} steps", run.steps) }
}

/// The user's numbers, converted to the type that the program asks for.
struct Listed {
    numbers: VecDeque<Number>,
}

impl interp::Inputs for Listed {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        interp::inputs::convention(request, ty).or_else(|| match request.source {
            Source::Extern(_) => {
                self.numbers.pop_front().map(|number| convert(number, ty, request.program.pointer_bits()))
            }
            _ => None,
        })
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        interp::inputs::convention_bytes(request, bytes);
    }
}

fn convert(number: Number, ty: Scalar, pointer_bits: u32) -> Value {
    const WIDE: Scalar = Scalar::Int { bits: 128, signed: true };
    const DOUBLE: Scalar = Scalar::Float(FloatFormat::F64);
    let (value, from) = match number {
        Number::Int(n) => (Value(n as u128), WIDE),
        Number::Float(x) => (Value(u128::from(x.to_bits())), DOUBLE),
    };
    // Floats out of the type's range have no value in C.
    cfa::eval::eval_cast(from, ty, value, pointer_bits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(Number::read("-1"), Ok(Number::Int(-1)));
        assert_eq!(Number::read("0xff"), Ok(Number::Int(255)));
        assert_eq!(Number::read("1.5"), Ok(Number::Float(1.5)));
        assert!(Number::read("x").is_err());
    }

    #[track_caller]
    fn check(number: Number, ty: Scalar, bits: u128) {
        assert_eq!(convert(number, ty, 64), Value(bits));
    }

    #[test]
    fn conversions() {
        check(Number::Int(-1), Scalar::INT, 0xffff_ffff);
        check(Number::Int(300), Scalar::Int { bits: 8, signed: false }, 44);
        check(Number::Int(2), Scalar::Float(FloatFormat::F64), u128::from(2_f64.to_bits()));
        check(Number::Float(1.5), Scalar::Float(FloatFormat::F32), u128::from(1.5_f32.to_bits()));
        check(Number::Float(1.5), Scalar::INT, 1);
    }
}
