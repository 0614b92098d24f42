//! Facts as C expressions that mean in C what the facts mean, with its types and its limits: no operation overflows, and each constant is of a type that
//! the machine has. What can't be written so has no text.

use crate::kinduction::facts::{Fact, Reg, is_same_type, range};
use cfa::{MachineModel, Program, Scalar, Var, VarKind};
use domains::numerical::{Relation, Signs};

/// A variable's name and type.
struct Named {
    name: String,
    ty: Scalar,
}

impl Named {
    fn of(reg: Reg, program: &Program) -> Option<Self> {
        let ty = reg.ty(program).filter(|ty| matches!(ty, Scalar::Bool | Scalar::Int { bits: ..=64, .. }))?;
        Some(Self { name: shown(reg, program)?.name.to_string(), ty })
    }

    fn bits(&self) -> u32 {
        self.ty.bits(0)
    }

    /// A comparison with a number of its type.
    fn compared(&self, operator: &str, number: i128) -> Option<String> {
        let (lo, hi) = range(self.ty);
        let number = Some(number).filter(|number| (lo..=hi).contains(number)).and_then(literal)?;
        Some(format!("{} {operator} {number}", self.name))
    }
}

/// The variable, if users know it.
fn shown(reg: Reg, program: &Program) -> Option<&Var> {
    let var = &program.vars[reg.var];
    let is_shown = matches!(var.kind, VarKind::Global | VarKind::Local | VarKind::Param);
    (is_shown && reg.part.is_none()).then_some(var)
}

/// Two pointers, of one type in C.
fn pointers(x: Reg, y: Reg, program: &Program) -> Option<(String, String)> {
    let (x, y) = (shown(x, program)?, shown(y, program)?);
    let cast = if x.ctype == y.ctype { "" } else { "(char *)" };
    Some((format!("{cast}{}", x.name), format!("{cast}{}", y.name)))
}

/// The fact, if all of its registers are variables of the source.
pub fn text(fact: &Fact, program: &Program) -> Option<String> {
    let name = |reg: &Reg| Named::of(*reg, program);
    Some(match fact {
        Fact::AtLeast(reg, bound) => name(reg)?.compared(">=", *bound)?,
        Fact::AtMost(reg, bound) => name(reg)?.compared("<=", *bound)?,
        Fact::Not(reg, value) => name(reg)?.compared("!=", *value)?,
        Fact::OneOf(reg, values) => {
            let name = name(reg)?;
            let parts: Option<Vec<String>> = values.iter().map(|v| name.compared("==", *v)).collect();
            parts?.join(" || ")
        }
        Fact::Congruent { reg, modulus, rest } => congruent(&name(reg)?, *modulus, *rest, program.machine)?,
        // The object is known by an address only.
        Fact::UpToEnd(..) => return None,
        Fact::Apart { x, y, modulus } => {
            let (x, y) = (shown(*x, program)?, shown(*y, program)?);
            format!("((char *){} - (char *){}) % {modulus} == 0", x.name, y.name)
        }
        Fact::Octagon(relation) => octagon(*relation, program, "<=")?,
        Fact::Weighted { sum: [(x, a), (y, b)], bound } => {
            weighted([(*a, name(x)?), (*b, name(y)?)], *bound, program.machine)?
        }
        Fact::Exclusive((x, a), (y, b)) => {
            format!("{} || {}", name(x)?.compared("!=", *a)?, name(y)?.compared("!=", *b)?)
        }
        Fact::Linear { sum, constant } => {
            let parts: Option<Vec<(i128, Named)>> = sum.iter().map(|(reg, c)| Some((*c, name(reg)?))).collect();
            linear(&parts?, *constant, program.machine)?
        }
    })
}

/// The equation of a sum or difference with its bound.
pub fn equation(relation: Relation<Reg>, program: &Program) -> Option<String> {
    octagon(relation, program, "==")
}

/// A number in a type that holds it. C has no negative constants, and the least number is more than one.
fn literal(number: i128) -> Option<String> {
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(i64::MIN), _) => Some(format!("{} - 1", number + 1)),
        (Ok(_), _) => Some(number.to_string()),
        (_, Ok(_)) => Some(format!("{number}U")),
        _ => None,
    }
}

/// Remainders have the sign of the dividend.
fn congruent(x: &Named, modulus: u64, rest: u64, machine: MachineModel) -> Option<String> {
    let (name, of) = (&x.name, literal(i128::from(modulus))?);
    if !x.ty.is_signed() || rest == 0 && modulus <= i64::MAX as u64 {
        return Some(format!("{name} % {of} == {}", literal(i128::from(rest))?));
    }
    let (modulus, rest) = (i64::try_from(modulus).ok()?, i64::try_from(rest).ok()?);
    // The sum of a remainder and the modulus is less than twice that.
    if modulus <= 1 << (x.bits().max(machine.int_bits()) - 2) {
        return Some(format!("({name} % {of} + {of}) % {of} == {rest}"));
    }
    Some(format!("{name} % {of} == {rest} || {name} % {of} == {}", rest - modulus))
}

/// A bound of a sum or difference, which is an equation if the operator says so.
fn octagon(relation: Relation<Reg>, program: &Program, operator: &str) -> Option<String> {
    let Relation { x, y, signs, bound } = relation;
    if x.ty(program) == Some(Scalar::Ptr) {
        let operator = match (signs, bound, operator) {
            (Signs::Difference, 0, _) => operator,
            (Signs::Difference, -1, "<=") => "<",
            _ => return None,
        };
        let (x, y) = pointers(x, y, program)?;
        return Some(format!("{x} {operator} {y}"));
    }
    let is_plain = signs == Signs::Difference && bound == 0 && is_same_type(program, x, y);
    let (x, y) = (Named::of(x, program)?, Named::of(y, program)?);
    if is_plain {
        return Some(format!("{} {operator} {}", x.name, y.name));
    }
    let wide = match x.bits().max(y.bits()) {
        ..=32 => "long long",
        _ if program.machine.pointer_bits() == 64 => "__int128",
        _ => return guarded((&x, &y), (signs, bound), operator),
    };
    let (x, y, bound) = (format!("({wide}){}", x.name), y.name, literal(bound)?);
    Some(match signs {
        Signs::Difference => format!("{x} - {y} {operator} {bound}"),
        Signs::Sum => format!("{x} + {y} {operator} {bound}"),
        Signs::Negated => format!("-{x} - {y} {operator} {bound}"),
    })
}

/// The same of numbers of 64 bits where no type is wider: one is compared with what the other one and the bound give, where that is a number of the type.
fn guarded((x, y): (&Named, &Named), (signs, bound): (Signs, i128), operator: &str) -> Option<String> {
    let fits_signed = |of: &Named| of.ty.is_signed() || of.bits() < 64;
    let (wide, (lo, hi)) = if fits_signed(x) && fits_signed(y) {
        ("long long", (i128::from(i64::MIN), i128::from(i64::MAX)))
    } else if !x.ty.is_signed() && !y.ty.is_signed() {
        ("unsigned long long", (0, i128::from(u64::MAX)))
    } else {
        return None;
    };
    let added = if signs == Signs::Negated { -bound } else { bound };
    if added.abs() > hi || signs != Signs::Difference && added < lo {
        return None;
    }
    let name = if y.bits() == 64 { y.name.clone() } else { format!("({wide}){}", y.name) };
    // The other side, the last or first number of `y` for which the type holds it, and whether it is too great beyond that.
    let (other, (is_last, limit), is_greater) = match signs {
        Signs::Difference if added >= 0 => (format!("{name} + {}", literal(added)?), (true, hi - added), true),
        Signs::Difference => (format!("{name} - {}", literal(-added)?), (false, lo - added), false),
        _ if lo < 0 && added >= 0 => (format!("{} - {name}", literal(added)?), (false, added - hi), true),
        _ => (format!("{} - {name}", literal(added)?), (true, added - lo), false),
    };
    let operator = if operator == "<=" && signs == Signs::Negated { ">=" } else { operator };
    let (compared, limit) = (format!("{} {operator} {other}", x.name), literal(limit)?);
    let holds_beyond = operator == if is_greater { "<=" } else { ">=" };
    Some(match (holds_beyond, is_last) {
        (true, true) => format!("{name} > {limit} || {compared}"),
        (true, false) => format!("{name} < {limit} || {compared}"),
        (false, true) => format!("{name} <= {limit} && {compared}"),
        (false, false) => format!("{name} >= {limit} && {compared}"),
    })
}

/// A bound of a sum of multiples, without negative numbers, computed in a type in which nothing overflows.
fn weighted(parts: [(i128, Named); 2], bound: i128, machine: MachineModel) -> Option<String> {
    let wide = match parts.iter().map(|(_, x)| x.bits()).max()? {
        ..=32 => "long long",
        _ if machine.pointer_bits() == 64 => "__int128",
        _ => return None,
    };
    let mut sides = [Vec::new(), Vec::new()];
    for (coefficient, x) in &parts {
        let cast = format!("({wide}){}", x.name);
        let product = if coefficient.abs() == 1 { cast } else { format!("{} * {cast}", coefficient.abs()) };
        sides[usize::from(*coefficient < 0)].push(product);
    }
    if bound != 0 {
        sides[usize::from(bound > 0)].push(literal(bound.abs())?);
    }
    let [left, right] = sides.map(|side| match side.as_slice() {
        [] => "0".to_owned(),
        // What is only compared needs no conversion.
        [alone] => alone.strip_prefix(&format!("({wide})")).unwrap_or(alone).to_owned(),
        _ => side.join(" + "),
    });
    Some(format!("{left} <= {right}"))
}

/// A sum that is 0, as an equation without negative numbers. Its registers are made unsigned, so that C computes as the term does: modulo two to the power
/// of their width, which is 32 or 64.
fn linear(parts: &[(i128, Named)], constant: i128, machine: MachineModel) -> Option<String> {
    let bits = parts.first()?.1.bits();
    let unsigned = match bits {
        64 => "(unsigned long long)",
        32 if machine.int_bits() == 32 => "(unsigned)",
        32 => "(unsigned long)",
        _ => return None,
    };
    // A constant of a wider type would make C compute in that.
    let is_small = |number: i128| number.abs() < 1 << bits;
    if !parts.iter().all(|(c, x)| is_small(*c) && x.bits() == bits) || !is_small(constant) {
        return None;
    }
    let number = |number: i128| if number > i128::from(i32::MAX) { format!("{number}U") } else { number.to_string() };
    let product = |(coefficient, x): &(i128, Named)| {
        let unsigned = if x.ty.is_signed() { unsigned } else { "" };
        match coefficient.abs() {
            1 => format!("{unsigned}{}", x.name),
            times => format!("{} * {unsigned}{}", number(times), x.name),
        }
    };
    let mut sides = [Vec::new(), Vec::new()];
    for part in parts {
        sides[usize::from(part.0 < 0)].push(product(part));
    }
    if constant != 0 {
        sides[usize::from(constant < 0)].push(number(constant.abs()));
    }
    let [left, right] = sides.map(|side| if side.is_empty() { "0".to_owned() } else { side.join(" + ") });
    Some(format!("{left} == {right}"))
}

#[cfg(test)]
mod tests;
