//! Strategies as C text: a loop statement is rewritten, and everything else stays as it is.
//!
//! A counter before the loop tells its rounds apart, and what a strategy does is put in front of the body, so that `break`, `continue`, `goto` and
//! `return` in the body need no change. `abort()` ends runs that the strategy does not follow.
//!
//! ```c
//! { int hone_1 = 0; while (C) { if (hone_1++) abort(); x = hone_any_i32(); if (!(C)) abort(); B } }   // naive
//! ```

use super::source::{Kind, SourceLoop};
use cfa::{CType, FloatFormat, FuncId, MachineModel, Program, Scalar, VarId, VarKind};
use ctext::Overflow;
use std::fmt::Write;
use transform::strategies::facts::{Havocked, LoopFacts};
use transform::strategies::{Refusal, Strategy, constant};

/// A change of the text: `lo..hi` becomes `text`.
#[derive(Clone, Debug)]
pub struct Edit {
    /// First byte.
    pub lo: usize,
    /// Byte after the last one.
    pub hi: usize,
    /// What stands there afterwards.
    pub text: String,
    /// Order of insertions at one place.
    rank: isize,
    /// Number of loops around the changed one.
    depth: usize,
}

impl Edit {
    /// The same change of the part of the text that begins at `start`.
    pub fn moved(&self, start: usize) -> Self {
        Self { lo: self.lo - start, hi: self.hi - start, ..self.clone() }
    }
}

/// Applies edits; those within a replaced part are dropped.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|e| (e.lo, e.hi, e.rank));
    let replaced: Vec<Edit> = edits.iter().filter(|e| e.hi > e.lo).cloned().collect();
    let is_within = |e: &Edit| replaced.iter().any(|r| r.depth < e.depth && r.lo <= e.lo && e.hi <= r.hi);
    let mut out = String::with_capacity(text.len() + 256);
    let mut at = 0;
    for edit in edits.iter().filter(|e| !is_within(e)) {
        if edit.lo < at {
            continue;
        }
        out.push_str(&text[at..edit.lo]);
        out.push_str(&edit.text);
        at = edit.hi;
    }
    out.push_str(&text[at..]);
    out
}

/// Text, loop and what is known of it.
pub struct Site<'a> {
    /// The text.
    pub text: &'a str,
    /// The statement.
    pub statement: &'a SourceLoop,
    /// Facts about the loop.
    pub facts: &'a LoopFacts<'a>,
    /// Number for names.
    pub number: usize,
}

/// The edits that make a loop what a strategy makes of it.
///
/// # Errors
/// Why it can't be written in C.
pub fn rewrite(site: &Site<'_>, strategy: Strategy) -> Result<Vec<Edit>, Refusal> {
    let Site { text, statement, facts, number } = site;
    let cond = statement.cond.map_or("1", |span| &text[span.lo as usize..span.hi as usize]);
    let tests_first = statement.kind != Kind::DoWhile;
    let depth = statement.depth as isize;
    let (lo, hi) = (statement.span.lo as usize, statement.span.hi as usize);
    let (body_lo, body_hi) = (statement.body.lo as usize, statement.body.hi as usize);
    let insert = |at: usize, text: String, rank: isize| Edit { lo: at, hi: at, text, rank, depth: statement.depth };
    if strategy == Strategy::Constant {
        return closed_form(site, cond);
    }
    let havoc = havoc(facts)?;
    let unless = |what: &str| if tests_first { format!("if (!({cond})) {what} ") } else { String::new() };
    let abort = "extern void abort(void);";
    let only_exit_at_head = facts.l.exits.iter().all(|e| facts.program.edges[*e].src == facts.l.head);
    if strategy == Strategy::Havoc && tests_first && !facts.violates && only_exit_at_head && !statement.jumps {
        let text = format!("{{ {abort} {havoc}if ({cond}) abort(); break; }}");
        return Ok(vec![Edit { lo: body_lo, hi: body_hi, text, rank: 0, depth: statement.depth }]);
    }
    let counter = format!("hone_{number}");
    let before = match strategy {
        Strategy::Havoc => format!("if ({counter}++) abort(); {havoc}{}", unless("break;")),
        Strategy::Naive if tests_first => format!("if ({counter}++) abort(); {havoc}{}", unless("abort();")),
        Strategy::Naive => return Err(Refusal("it is the havoc abstraction here")),
        Strategy::Output if facts.violates => {
            return Err(Refusal("checks that are assumed to hold can't be written in C"));
        }
        Strategy::Output => {
            let inner = unless("abort();");
            format!("if ({counter} == 3) abort(); if ({counter}++ == 1) {{ {havoc}{inner}}} ")
        }
        Strategy::Base | Strategy::Constant => return Ok(Vec::new()),
    };
    // Begins: outer loops first. Ends: inner loops first, and before what begins there.
    Ok(vec![
        insert(lo, format!("{{ {abort} int {counter} = 0; "), 2 * depth),
        insert(body_lo, format!("{{ {before}"), 2 * depth + 1),
        insert(body_hi, " }".to_owned(), -2 * depth - 1_000_001),
        insert(hi, " }".to_owned(), -2 * depth - 1_000_000),
    ])
}

/// Assigns arbitrary values.
fn havoc(facts: &LoopFacts<'_>) -> Result<String, Refusal> {
    let program = facts.program;
    let mut out = String::new();
    for part in &facts.havocked {
        match part {
            Havocked::Register(var) => {
                let name = name(program, facts, *var)?;
                let Some((suffix, ty)) = program.vars[*var].register().and_then(|ty| external(ty, program.machine))
                else {
                    return Err(Refusal("a pointer or a wide number changes"));
                };
                let _ = write!(out, "{{ extern {ty} hone_any_{suffix}(void); {name} = hone_any_{suffix}(); }} ");
            }
            Havocked::Memory(var, _) => {
                let name = name(program, facts, *var)?;
                let _ = write!(
                    out,
                    "{{ __typeof__({name}) hone_any; __builtin_memcpy(&{name}, &hone_any, sizeof({name})); }} "
                );
            }
        }
    }
    Ok(out)
}

/// The name of a variable at the loop, if it means the variable there.
fn name<'p>(program: &'p Program, facts: &LoopFacts<'_>, var: VarId) -> Result<&'p str, Refusal> {
    let info = &program.vars[var];
    if !matches!(info.kind, VarKind::Global | VarKind::Local | VarKind::Param) || info.name.contains(':') {
        return Err(Refusal("a variable without a name changes"));
    }
    let same = |other: &cfa::Var| other.name == info.name && (other.is_global() || other.func == Some(facts.l.func));
    if program.vars.iter().filter(|other| same(other)).count() > 1 {
        return Err(Refusal("two variables have one name"));
    }
    Ok(&info.name)
}

/// Suffix of the function that gives values of a type, and the type in C.
fn external(ty: Scalar, machine: MachineModel) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Scalar::Int { bits: 8, signed: true } => ("i8", "signed char"),
        Scalar::Int { bits: 8, signed: false } => ("u8", "unsigned char"),
        Scalar::Int { bits: 16, signed: true } => ("i16", "short"),
        Scalar::Int { bits: 16, signed: false } => ("u16", "unsigned short"),
        Scalar::Int { bits: 32, signed: true } if machine.int_bits() == 32 => ("i32", "int"),
        Scalar::Int { bits: 32, signed: false } if machine.int_bits() == 32 => ("u32", "unsigned int"),
        Scalar::Int { bits: 32, signed: true } => ("i32", "long"),
        Scalar::Int { bits: 32, signed: false } => ("u32", "unsigned long"),
        Scalar::Int { bits: 64, signed: true } => ("i64", "long long"),
        Scalar::Int { bits: 64, signed: false } => ("u64", "unsigned long long"),
        Scalar::Float(FloatFormat::F32) => ("f32", "float"),
        Scalar::Float(FloatFormat::F64) => ("f64", "double"),
        _ => return None,
    })
}

/// `if (C) { if (fits) { closed form } else loop }`
fn closed_form(site: &Site<'_>, cond: &str) -> Result<Vec<Edit>, Refusal> {
    let Site { text, statement, facts, number } = site;
    if statement.kind == Kind::DoWhile {
        return Err(Refusal("its condition is not at its begin"));
    }
    let plan = constant::plan(facts)?;
    let mut program = facts.program.clone();
    let form = constant::closed_form(&mut program, facts, &plan).ok_or(Refusal("it has no closed form"))?;
    let refusal = Refusal("its closed form can't be written in C");
    let counter = format!("hone_{number}");
    let names = NamesAt { facts, rounds: form.rounds.map(|(var, _)| (var, counter.as_str())) };
    let (exprs, machine) = (&program.exprs, program.machine);
    let writer = ctext::Writer { exprs, names: &names, machine, overflow: Overflow::Undefined };
    let mut result = String::new();
    if let Some((rounds, count)) = form.rounds {
        let (_, ty) =
            program.vars[rounds].register().and_then(|ty| external(ty, program.machine)).ok_or(refusal.clone())?;
        let count = writer.initial_value(count).ok_or(refusal.clone())?;
        let _ = write!(result, "{ty} {counter} = {count}; ");
    }
    for (var, value) in &form.changes {
        let name = name(facts.program, facts, *var)?;
        // A value that is converted to `_Bool` is not cut to its bits.
        let is_truth = match program.ctypes.get(program.vars[*var].ctype) {
            CType::Scalar { name, scalar } => *scalar == Scalar::Bool || **name == *"_Bool",
            _ => false,
        };
        let change = match is_truth {
            true => writer.text(*value).map(|value| format!("{name} = {value}")),
            false => writer.assignment(name, *value),
        };
        let _ = write!(result, "{}; ", change.ok_or(refusal.clone())?);
    }
    let (lo, hi) = (statement.span.lo as usize, statement.span.hi as usize);
    let mut init = "";
    let mut init_at = None;
    if statement.kind == Kind::For {
        let cond_lo = statement.cond.map_or(lo, |span| span.lo as usize);
        let open = text[lo..cond_lo].find('(').map(|at| lo + at + 1);
        let (Some(open), Some(end)) = (open, text[lo..cond_lo].rfind(';').map(|at| lo + at)) else {
            return Err(refusal);
        };
        init = text[open..end].trim();
        init_at = Some((open, end));
    }
    let depth = statement.depth as isize;
    let init = if init.is_empty() { String::new() } else { format!("{init}; ") };
    let Some(fits) = form.fits else {
        let text = format!("{{ {init}if ({cond}) {{ {result}}} }}");
        return Ok(vec![Edit { lo, hi, text, rank: 0, depth: statement.depth }]);
    };
    let begin = format!("{{ {init}if ({cond}) {{ if ({}) {{ {result}}} else ", writer.text(fits).ok_or(refusal)?);
    let mut edits = vec![
        Edit { lo, hi: lo, text: begin, rank: 2 * depth, depth: statement.depth },
        Edit { lo: hi, hi, text: " } }".to_owned(), rank: -2 * depth - 1_000_000, depth: statement.depth },
    ];
    if let Some((lo, hi)) = init_at {
        edits.push(Edit { lo, hi, text: String::new(), rank: 0, depth: statement.depth });
    }
    Ok(edits)
}

/// The names of variables at a loop.
struct NamesAt<'a> {
    facts: &'a LoopFacts<'a>,
    /// The number of rounds, and its name.
    rounds: Option<(VarId, &'a str)>,
}

impl ctext::expr::Names for NamesAt<'_> {
    fn register(&self, var: VarId) -> Option<String> {
        match self.rounds {
            Some((rounds, name)) if rounds == var => Some(name.to_owned()),
            _ => name(self.facts.program, self.facts, var).ok().map(str::to_owned),
        }
    }

    fn object(&self, _: VarId) -> Option<String> {
        None
    }

    fn function(&self, _: FuncId) -> Option<String> {
        None
    }
}
