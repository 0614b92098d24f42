//! Properties: `.prp` files and the default, as observers.
//!
//! Grammar of SV-COMP (white space is free): `CHECK( init(main()), LTL(G ! call(f())) )`, `… LTL(G ! label(L)) )`, `… LTL(G ! overflow) )` and
//! `… LTL(G valid-deref) )` with its like.
//! Several `CHECK`s in a file are one property each; all must be ones that Hone checks.

use crate::failure::Failure;
use crate::input;
use crate::text_form::Choice;
use base::{Diagnostic, Name, SourceMap, Span};
use cfa::{Check, Observer, Pattern};
use std::path::Path;

/// A property to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// What is forbidden.
    pub observer: Observer,
    /// Function at which runs begin.
    pub entry: Name,
}

impl Property {
    /// The kinds of checks that it speaks of.
    pub fn checks(&self) -> Vec<Check> {
        let kinds = self.observer.transitions.iter().filter_map(|transition| match &transition.on {
            Pattern::Label(name) => Check::of_label(name),
            Pattern::Call(_) => None,
        });
        kinds.collect()
    }

    /// The functions whose call is an error.
    pub fn error_functions(&self) -> Vec<Name> {
        let names = self.observer.transitions.iter().filter_map(|transition| match &transition.on {
            Pattern::Call(name) => Some(name.clone()),
            Pattern::Label(_) => None,
        });
        names.collect()
    }

    /// What is asked, in words that follow `not decided:`.
    pub fn question(&self) -> String {
        let mut functions = Vec::new();
        let mut labels = Vec::new();
        let mut checks = Vec::new();
        for transition in &self.observer.transitions {
            match &transition.on {
                Pattern::Call(name) => functions.push(&**name),
                Pattern::Label(name) => match Check::of_label(name) {
                    Some(check) => checks.push(check),
                    None => labels.push(&**name),
                },
            }
        }
        let (assertions, functions): (Vec<&str>, Vec<&str>) =
            functions.into_iter().partition(|name| ASSERTIONS.contains(name));
        let functions: Vec<String> = functions.iter().map(|name| format!("{name}()")).collect();
        let parts = [
            (!assertions.is_empty()).then(|| "an assertion can fail".to_owned()),
            (!functions.is_empty()).then(|| format!("{} can be called", functions.join(" or "))),
            (!labels.is_empty()).then(|| format!("label {} can be reached", labels.join(" or "))),
        ];
        let faults: Vec<String> = if checks.len() > SPELLED_OUT {
            vec![format!("a check of {} can be broken", listed(&checks))]
        } else {
            checks.into_iter().map(|check| check.words().fault.to_owned()).collect()
        };
        let parts: Vec<String> = parts.into_iter().flatten().chain(faults).collect();
        match parts.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("whether {}, or {last}", rest.join(", ")),
            _ => format!("whether {}", parts.concat()),
        }
    }
}

/// Functions that failed assertions call.
const ASSERTIONS: [&str; 2] = ["__assert_fail", "__assert_rtn"];

/// Functions whose call is an error by default.
const ERROR_FUNCTIONS: [&str; 4] = ["reach_error", "__VERIFIER_error", "__assert_fail", "__assert_rtn"];

/// Label that is an error by default.
const ERROR_LABEL: &str = "ERROR";

/// Properties of SV-COMP that Hone doesn't check, by what identifies them in the formula without white space.
const KNOWN_UNSUPPORTED: [(&str, &str); 4] = [
    ("Fend", "termination"),
    ("data-race", "absence of data races"),
    ("def-behavior", "defined behaviour"),
    ("COVEREDGES", "coverage"),
];

/// Kinds of checks that users choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// Failed assertions, error functions and the label `ERROR`.
    Assertions,
    /// Operations.
    Of(Check),
}

impl Choice for CheckKind {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = {
        const ASSERTIONS: (CheckKind, &str, &str) =
            (CheckKind::Assertions, "assertions", "failed assertions, error functions, label ERROR");
        const ALL: [(CheckKind, &str, &str); Check::ALL.len() + 1] = {
            let mut all = [ASSERTIONS; Check::ALL.len() + 1];
            let mut i = 0;
            while i < Check::ALL.len() {
                let words = Check::ALL[i].words();
                all[i + 1] = (CheckKind::Of(Check::ALL[i]), words.option, words.about);
                i += 1;
            }
            all
        };
        &ALL
    };
}

impl CheckKind {
    /// The kinds that C programs are checked for where nobody says which.
    pub fn defaults() -> Vec<CheckKind> {
        let checks = Check::ALL.into_iter().filter(|check| check.is_default()).map(CheckKind::Of);
        std::iter::once(CheckKind::Assertions).chain(checks).collect()
    }

    /// The same for harnesses in CBMC's dialect: what was not written, or not returned, is any value there, and harnesses free nothing.
    pub fn defaults_of_dialect() -> Vec<CheckKind> {
        let is_meant =
            |kind: &CheckKind| matches!(kind, CheckKind::Of(Check::Uninitialised | Check::Return | Check::Leak));
        Self::defaults().into_iter().filter(|kind| !is_meant(kind)).collect()
    }
}

/// What is checked where no file says it; of no kinds, assertions.
pub fn of_kinds(entry: &str, kinds: &[CheckKind]) -> Property {
    let mut checks: Vec<Check> = kinds
        .iter()
        .filter_map(|kind| match kind {
            CheckKind::Assertions => None,
            CheckKind::Of(check) => Some(*check),
        })
        .collect();
    checks.sort_unstable();
    checks.dedup();
    let assertions = (kinds.is_empty() || kinds.contains(&CheckKind::Assertions)).then(|| default_property(entry));
    let patterns = checks.iter().map(|check| Pattern::Label(check.property().into()));
    let observer = match assertions {
        Some(property) if checks.is_empty() => return property,
        Some(Property { observer, .. }) if checks.len() > SPELLED_OUT => {
            let text = format!("no run breaks a check of assertions, {}", listed(&checks));
            Observer::never(text, observer.transitions.into_iter().map(|t| t.on).chain(patterns))
        }
        Some(Property { observer, .. }) => {
            let text = format!("{}, and {}", observer.property, all_hold(&checks));
            Observer::never(text, observer.transitions.into_iter().map(|t| t.on).chain(patterns))
        }
        None => Observer::never(all_hold(&checks), patterns),
    };
    Property { observer, entry: Name::from(entry) }
}

/// Most kinds of checks that are spelled out.
const SPELLED_OUT: usize = 3;

/// Kinds of checks as the command line calls them.
fn listed(checks: &[Check]) -> String {
    let names: Vec<&str> = checks.iter().map(|check| check.words().option).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// That no run breaks the checks, in words.
fn all_hold(checks: &[Check]) -> String {
    if checks.len() > SPELLED_OUT {
        return format!("no run breaks a check of {}", listed(checks));
    }
    let holds: Vec<&str> = checks.iter().map(|check| check.words().promise).collect();
    holds.join(", and ")
}

/// What is checked without a `.prp` file: no failed assertion, no call of an error function, no label `ERROR`.
pub fn default_property(entry: &str) -> Property {
    let calls = ERROR_FUNCTIONS.iter().map(|name| Pattern::Call(Name::from(*name)));
    let patterns = calls.chain([Pattern::Label(Name::from(ERROR_LABEL))]);
    let text = "no assertion fails, no error function is called, and label ERROR is not reached";
    Property { observer: Observer::never(text, patterns), entry: Name::from(entry) }
}

/// Reads a `.prp` file.
///
/// # Errors
/// If it can't be read, is no property, or none that Hone checks.
pub fn read(path: &Path) -> Result<Property, Failure> {
    let (input, text) = input::read_text(path)?;
    parse(&text).map_err(|problem| {
        let span = Span::new(0, text.trim_end().len().min(u32::MAX as usize) as u32);
        let first_line = Span::new(0, span.hi.min(text.find('\n').unwrap_or(text.len()) as u32));
        let diagnostic = match problem {
            Problem::Unsupported(what) => Diagnostic::error("E0012", first_line, format!("Hone does not check {what}"))
                .help("it checks `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref` and its like"),
            Problem::Syntax(why) => Diagnostic::error("E0011", first_line, format!("unknown property: {why}"))
                .help("expected `CHECK( init(main()), LTL(G ! call(reach_error())) )` or the same with `label(ERROR)`"),
        };
        Failure::in_source(vec![diagnostic], SourceMap::new(input.name.as_str().into(), text.clone(), Vec::new()))
    })
}

/// Why a text is no property that can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is one of SV-COMP's that Hone doesn't check.
    Unsupported(&'static str),
    /// It is none at all.
    Syntax(String),
}

/// Parses the text of a `.prp` file.
///
/// # Errors
/// If the text is no property, or none that Hone checks.
pub fn parse(text: &str) -> Result<Property, Problem> {
    let mut patterns = Vec::new();
    let mut entry: Option<String> = None;
    // Whole-line comments are not in the grammar, but some tools write them.
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.trim_start().starts_with('#'));
    let compact: String = lines.flat_map(|line| line.chars()).filter(|c| !c.is_whitespace()).collect();
    let mut rest = compact.trim_start_matches('\u{feff}');
    if rest.is_empty() {
        return Err(Problem::Syntax("the file is empty".to_owned()));
    }
    if rest.starts_with("COVER(") {
        return Err(Problem::Unsupported("coverage"));
    }
    if rest.starts_with("CHECK(annotations") {
        return Err(Problem::Unsupported("annotations"));
    }
    while !rest.is_empty() {
        let mut scanner = Scanner { rest };
        scanner.expect("CHECK(init(")?;
        let start = scanner.identifier()?;
        scanner.expect("()),LTL(")?;
        match &entry {
            Some(first) if first != start => {
                return Err(Problem::Syntax(format!("two entry functions, `{first}` and `{start}`")));
            }
            _ => entry = Some(start.to_owned()),
        }
        let formula = scanner.balanced()?;
        scanner.expect("))")?;
        patterns.push(parse_formula(formula)?);
        rest = scanner.rest;
    }
    let entry = Name::from(entry.unwrap_or_default());
    // As witnesses spell out the property without a file.
    let default = default_property(&entry);
    let is_default = patterns.len() == default.observer.transitions.len()
        && default.observer.transitions.iter().all(|transition| patterns.contains(&transition.on));
    if is_default {
        return Ok(default);
    }
    let formulas: Vec<String> = patterns.iter().map(formula).collect();
    Ok(Property { observer: Observer::never(formulas.join(" and "), patterns), entry })
}

/// What is forbidden, as SV-COMP writes it.
pub fn formula(on: &Pattern) -> String {
    match on {
        Pattern::Call(name) => format!("G ! call({name}())"),
        Pattern::Label(name) => match Check::of_label(name).and_then(Check::formula) {
            Some(formula) => formula.to_owned(),
            None => format!("G ! label({name})"),
        },
    }
}

fn parse_formula(formula: &str) -> Result<Pattern, Problem> {
    // As witnesses tell a check that SV-COMP has no words for.
    let named = |check: &Check| match check.formula() {
        Some(text) => formula == text.replace(' ', ""),
        None => formula == format!("G!label({})", check.property()),
    };
    if let Some(check) = Check::ALL.into_iter().find(named) {
        return Ok(Pattern::Label(check.property().into()));
    }
    let mut scanner = Scanner { rest: formula };
    if scanner.expect("G!call(").is_ok() {
        let name = scanner.identifier()?.to_owned();
        scanner.expect("()")?;
        scanner.expect(")")?;
        scanner.end()?;
        return Ok(Pattern::Call(name.into()));
    }
    if scanner.expect("G!label(").is_ok() {
        let name = scanner.identifier()?.to_owned();
        scanner.expect(")")?;
        scanner.end()?;
        return Ok(Pattern::Label(name.into()));
    }
    match KNOWN_UNSUPPORTED.iter().find(|(key, _)| formula.contains(key)) {
        Some((_, what)) => Err(Problem::Unsupported(what)),
        None => Err(Problem::Syntax(format!("`{formula}` is no formula that Hone knows"))),
    }
}

/// Reads text without white space from left to right.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn expect(&mut self, token: &str) -> Result<(), Problem> {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => {
                let found: String = self.rest.chars().take(20).collect();
                Err(Problem::Syntax(format!("expected `{token}`, found `{found}`")))
            }
        }
    }

    fn identifier(&mut self) -> Result<&'a str, Problem> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            let found: String = self.rest.chars().take(20).collect();
            return Err(Problem::Syntax(format!("expected a name, found `{found}`")));
        }
        self.rest = rest;
        Ok(name)
    }

    /// Everything up to the parenthesis that closes the one already opened.
    fn balanced(&mut self) -> Result<&'a str, Problem> {
        let mut depth = 0_u32;
        for (at, c) in self.rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    let (formula, rest) = self.rest.split_at(at);
                    self.rest = rest;
                    return Ok(formula);
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        Err(Problem::Syntax("a parenthesis is not closed".to_owned()))
    }

    fn end(&self) -> Result<(), Problem> {
        if self.rest.is_empty() { Ok(()) } else { Err(Problem::Syntax(format!("`{}` is too much", self.rest))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, property: &str, entry: &str, pattern: Pattern) {
        let parsed = parse(text).expect("a property");
        assert_eq!(&*parsed.observer.property, property);
        assert_eq!(&*parsed.entry, entry);
        assert_eq!(parsed.observer.transitions[0].on, pattern);
    }

    #[track_caller]
    fn check_error(text: &str, expected: &Problem) {
        assert_eq!(parse(text).as_ref(), Err(expected));
    }

    #[test]
    fn calls_and_labels() {
        let call = || Pattern::Call("reach_error".into());
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", "G ! call(reach_error())", "main", call());
        check("CHECK(init(main()),LTL(G!call(reach_error())))", "G ! call(reach_error())", "main", call());
        check(
            "\tCHECK ( init( main ( ) ) ,\n LTL( G ! label( ERROR ) ) )",
            "G ! label(ERROR)",
            "main",
            Pattern::Label("ERROR".into()),
        );
        check("CHECK( init(entry()), LTL(G ! call(f())) )", "G ! call(f())", "entry", Pattern::Call("f".into()));
    }

    #[test]
    fn several_checks() {
        let text = "CHECK( init(main()), LTL(G ! call(a())) )\nCHECK( init(main()), LTL(G ! label(B)) )";
        let parsed = parse(text).expect("two properties");
        assert_eq!(parsed.observer.transitions.len(), 2);
        assert_eq!(&*parsed.observer.property, "G ! call(a()) and G ! label(B)");
    }

    #[test]
    fn questions() {
        let question = |text: &str| parse(text).expect("a property").question();
        let call = "CHECK( init(main()), LTL(G ! call(f())) )";
        assert_eq!(question(call), "whether f() can be called");
        let both = format!("{call} CHECK( init(main()), LTL(G ! label(ERROR)) )");
        assert_eq!(question(&both), "whether f() can be called, or label ERROR can be reached");
        let default = default_property("main");
        let words = "whether an assertion can fail, reach_error() or __VERIFIER_error() can be called, or label ERROR can be reached";
        assert_eq!(default.question(), words);
        let spelled = default.observer.transitions.iter().map(|transition| match &transition.on {
            Pattern::Call(name) => format!("CHECK( init(main()), LTL(G ! call({name}())) )"),
            Pattern::Label(name) => format!("CHECK( init(main()), LTL(G ! label({name})) )"),
        });
        assert_eq!(parse(&spelled.collect::<String>()), Ok(default));
    }

    #[test]
    fn known_but_not_checked() {
        check(
            "CHECK( init(main()), LTL(G valid-deref) )",
            "G valid-deref",
            "main",
            Pattern::Label("valid-deref".into()),
        );
        check_error("CHECK( init(main()), LTL(F end) )", &Problem::Unsupported("termination"));
        check("CHECK( init(main()), LTL(G ! overflow) )", "G ! overflow", "main", Pattern::Label("no-overflow".into()));
        check_error("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", &Problem::Unsupported("coverage"));
    }

    #[test]
    fn not_a_property() {
        check_error("", &Problem::Syntax("the file is empty".into()));
        check_error("hello", &Problem::Syntax("expected `CHECK(init(`, found `hello`".into()));
        check_error("CHECK( init(main()), LTL(G ! call(f()) )", &Problem::Syntax("expected `))`, found `)`".into()));
        check_error("CHECK( init(main()), LTL(X y) )", &Problem::Syntax("`Xy` is no formula that Hone knows".into()));
    }
}
