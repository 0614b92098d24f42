//! Configurations: which analyses run, with which options, in which order. Presets are TOML files inside the binary.
//!
//! A preset names an `analysis`, or begins as another `preset`, and sets options of it. Or it is a sequence of stages, each of
//! which is written in the same way and says when it runs, how long, and beside which others ([`Stage`]).

use crate::failure::Failure;
use crate::options::{self, Analysis, DECLARED, Declared, Level, Options, Written};
use crate::suggest;
use crate::text_form::{Choice, TextForm, Transformation, with_unit};
use base::Diagnostic;
use base::Effort;
pub use task::evidence::Graph;

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Name of the preset that it began as.
    pub name: String,
    /// What runs.
    pub plan: Plan,
    /// Options of the run as a whole.
    pub options: Options,
    /// Whether abstract reachability graphs are kept for the report.
    pub graph: Graph,
    /// Whether the invariants of a proof have to suffice alone.
    pub invariants: Invariants,
}

/// Whether the invariants of a proof have to suffice alone, as those of a witness should.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Invariants {
    /// They are what the proof says.
    #[default]
    AsProved,
    /// Where they do not suffice, other analyses look for some that do.
    Sufficing,
}

/// What runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// One analysis.
    Single(Part),
    /// One after another, or several at the same time, until one answers.
    Sequence(Vec<Stage>),
}

/// An analysis with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The analysis.
    pub analysis: Analysis,
    /// Its options.
    pub options: Options,
}

/// A part of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Name of the preset, or of the analysis.
    pub name: &'static str,
    /// What runs.
    pub part: Part,
    /// How long; the shortest counts.
    pub limits: Vec<Limit>,
    /// When; all of these have to hold.
    pub when: Vec<Condition>,
    /// Stages of different lanes may run at the same time; those of one lane run in order. Without a lane: alone.
    pub lane: Option<u32>,
}

/// How far a stage goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Percent of the effort that is left when it begins; the last stage has all of it.
    Share(u32),
    /// An amount.
    Amount(Effort),
}

/// `30 %`, or what is usually done in a time.
impl TextForm for Limit {
    fn read(text: &str) -> Result<Self, String> {
        match with_unit(text, &[("%", 1.0)]) {
            Some(percent @ 0.0..=100.0) => Ok(Limit::Share(percent as u32)),
            _ => Effort::read(text).map(Limit::Amount),
        }
    }

    fn write(&self) -> Option<String> {
        match self {
            Limit::Share(percent) => Some(format!("{percent} %")),
            Limit::Amount(effort) => effort.write(),
        }
    }
}

/// When a stage runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// If a function may call itself.
    Recursion,
    /// Functions or loops are checked by contracts.
    Contracts,
    /// If none may.
    NoRecursion,
    /// Loops make objects on the heap.
    AllocatingLoops,
    /// Loops read or write along arrays.
    MovingAccesses,
    /// None does.
    NoMovingAccesses,
    /// The property can be broken at several places.
    SeveralChecks,
    /// It can be broken at one place at most.
    OneCheck,
}

impl Choice for Condition {
    const CHOICES: &'static [(Self, &'static str, &'static str)] = &[
        (Condition::Recursion, "recursion", "A function may call itself"),
        (Condition::Contracts, "contracts", "Functions or loops are checked by contracts"),
        (Condition::NoRecursion, "no-recursion", "No function may call itself"),
        (Condition::AllocatingLoops, "allocating-loops", "Loops make objects on the heap"),
        (
            Condition::MovingAccesses,
            "moving-accesses",
            "Loops access memory at addresses that change with their iterations",
        ),
        (Condition::NoMovingAccesses, "no-moving-accesses", "No loop does"),
        (Condition::SeveralChecks, "several-checks", "The property can be broken at several places"),
        (Condition::OneCheck, "one-check", "It can be broken at one place at most"),
    ];
}

/// A preset inside the binary.
struct Preset {
    name: &'static str,
    text: &'static str,
}

macro_rules! presets {
    ($($name:literal),+) => {
        &[$(Preset { name: $name, text: include_str!(concat!("../presets/", $name, ".toml")) }),+]
    };
}

/// Presets that can be asked for, the default one first.
const PRESETS: &[Preset] = presets! {
    "portfolio", "bmc", "bmc-acceleration", "bmc-trace-automata", "k-induction", "interval", "octagon", "shape", "value",
    "value-plain", "predicate", "predicate-bw", "predicate-newton", "predicate-horn", "impact", "value-predicate",
    "plain-value-predicate", "bam-value", "bam-predicate", "explicit-bfs", "explicit-dfs"
};

/// What looks for invariants of proofs (`driver::invariants`).
const INVARIANTS: &Preset = &presets!["internal/invariants"][0];
/// What checks correctness witnesses (`driver::validate`).
const VALIDATION: &Preset = &presets!["internal/validation"][0];

/// Names and descriptions of the presets, the default one first.
pub fn presets() -> Vec<(&'static str, String)> {
    let description = |preset: &Preset| preset.table().ok().and_then(|table| text(table.get("description")?).ok());
    PRESETS.iter().map(|preset| (preset.name, description(preset).unwrap_or_default())).collect()
}

/// The configuration of a preset; `None` is the default one.
///
/// # Errors
/// If there is no preset of this name.
pub fn preset(name: Option<&str>) -> Result<Config, Failure> {
    let name = name.unwrap_or(PRESETS[0].name);
    let Some(found) = find(name) else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let message = format!("there is no configuration `{name}`");
        let similar = suggest::similar(name, names.iter().copied());
        let meant = similar.map_or_else(String::new, |name| format!("did you mean `{name}`? "));
        let help = format!("{meant}choose one of: {}", names.join(", "));
        return Err(Failure::new(Diagnostic::error("E0031", None, message).help(help)));
    };
    found.config()
}

/// The sequence that looks for invariants of proofs.
pub(crate) fn invariants() -> Result<Config, Failure> {
    INVARIANTS.config()
}

/// The sequence that checks correctness witnesses.
pub(crate) fn validation() -> Result<Config, Failure> {
    VALIDATION.config()
}

fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    fn config(&self) -> Result<Config, Failure> {
        let plan = self.table().and_then(|table| plan(&table)).map_err(|error| {
            Failure::new(Diagnostic::error("E0032", None, format!("preset `{}`: {error}", self.name)))
        })?;
        Ok(Config {
            name: self.name.to_owned(),
            plan,
            options: Options::default(),
            graph: Graph::Omit,
            invariants: Invariants::AsProved,
        })
    }

    fn table(&self) -> Result<toml::Table, String> {
        self.text.parse().map_err(|error: toml::de::Error| error.to_string())
    }
}

fn plan(table: &toml::Table) -> Result<Plan, String> {
    let Some(stages) = table.get("stage") else { return Ok(Plan::Single(part(table)?.1)) };
    let tables = stages.as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(toml::Value::as_table);
    tables.map(stage).collect::<Result<_, _>>().map(Plan::Sequence)
}

/// Keys of a preset or a stage that are no options.
const KEYS: [&str; 6] = ["description", "analysis", "preset", "limits", "when", "lane"];

/// An analysis with its options, and the name of the preset that it began as.
fn part(table: &toml::Table) -> Result<(&'static str, Part), String> {
    let (name, mut part) = match (table.get("preset"), table.get("analysis")) {
        (Some(name), None) => {
            let name = text(name)?;
            let found = find(&name).ok_or_else(|| format!("there is no preset `{name}`"))?;
            (found.name, self::part(&found.table()?)?.1)
        }
        (None, Some(name)) => {
            let analysis = Analysis::read(&text(name)?)?;
            (analysis.name(), Part { analysis, options: Options::default() })
        }
        _ => return Err("it names an analysis or another preset that is no sequence".to_owned()),
    };
    for (name, value) in table.iter().filter(|(name, _)| !KEYS.contains(&name.as_str())) {
        if options::declared(name).is_some_and(|option| !option.of.contains(&part.analysis)) {
            return Err(format!("`{}` has no option `{name}`", part.analysis.name()));
        }
        part.options.set(name, &text(value)?).map_err(|error| format!("`{name}`: {error}"))?;
    }
    part.check()?;
    Ok((name, part))
}

fn stage(table: &toml::Table) -> Result<Stage, String> {
    fn value<T: TextForm>(table: &toml::Table, key: &str) -> Result<Option<T>, String> {
        table.get(key).map(|value| T::read(&text(value)?).map_err(|error| format!("`{key}`: {error}"))).transpose()
    }
    let (name, part) = part(table)?;
    let limits = value(table, "limits")?.unwrap_or_default();
    Ok(Stage { name, part, limits, when: value(table, "when")?.unwrap_or_default(), lane: value(table, "lane")? })
}

/// A value as options read it.
fn text(value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Array(values) => {
            values.iter().map(text).collect::<Result<Vec<_>, _>>().map(|parts| parts.join(","))
        }
        other => Err(format!("unexpected {}", other.type_str())),
    }
}

impl Config {
    /// Sets an option of all analyses that have it, or of the run.
    ///
    /// # Errors
    /// If nothing that runs has it, or it has no such value.
    pub fn set(&mut self, option: &Declared, text: &str) -> Result<(), Failure> {
        if !self.has(option) {
            let has = |preset: &&Preset| self::preset(Some(preset.name)).is_ok_and(|config| config.has(option));
            let names: Vec<&str> = PRESETS.iter().filter(has).map(|preset| preset.name).collect();
            let flag = option.flag();
            let message = format!("configuration `{}` has no option `--{flag}`", self.name);
            let help = format!("use `--config {}`, or leave out `--{flag}`", names.join("` or `--config "));
            return Err(Failure::new(Diagnostic::error("E0033", None, message).help(help)));
        }
        if let (Plan::Sequence(stages), "unwind") = (&mut self.plan, option.name) {
            // Others would not keep the limit, and the last one has all of the time.
            stages.retain(|stage| stage.part.unwinds());
            stages.drain(..stages.len().saturating_sub(1));
        }
        let fail = |why| Failure::new(Diagnostic::error("E0033", None, format!("`--{}`: {why}", option.flag())));
        let mut parts = self.plan.parts_mut().into_iter().filter(|part| option.of.contains(&part.analysis));
        match option.level {
            Level::Analysis => parts.try_for_each(|part| part.options.set(option.name, text)).map_err(fail),
            Level::Run => self.options.set(option.name, text).map_err(fail),
        }
    }

    /// Whether something that runs has an option.
    pub fn has(&self, option: &Declared) -> bool {
        self.plan.parts().iter().any(|part| option.of.contains(&part.analysis))
    }

    /// The options with their values, where all analyses that have them agree.
    pub fn settings(&self) -> Vec<(String, String)> {
        let setting = |option: &Declared| {
            let of = |part: &&Part| option.of.contains(&part.analysis);
            let mut values = self.plan.parts().into_iter().filter(of).map(|part| match option.level {
                Level::Analysis => part.options.get(option.name),
                Level::Run => self.options.get(option.name),
            });
            let value = values.next()??;
            let name = match option.written {
                Written::Preset => option.name.to_owned(),
                _ => format!("--{}", option.flag()),
            };
            values.all(|other| other.as_ref() == Some(&value)).then_some((name, value))
        };
        DECLARED.iter().filter_map(setting).collect()
    }
}

impl Plan {
    /// The analyses.
    fn parts(&self) -> Vec<&Part> {
        match self {
            Plan::Single(part) => vec![part],
            Plan::Sequence(stages) => stages.iter().map(|stage| &stage.part).collect(),
        }
    }

    fn parts_mut(&mut self) -> Vec<&mut Part> {
        match self {
            Plan::Single(part) => vec![part],
            Plan::Sequence(stages) => stages.iter_mut().map(|stage| &mut stage.part).collect(),
        }
    }
}

impl Part {
    /// Whether it is bounded model checking of loops as they are.
    fn unwinds(&self) -> bool {
        self.analysis == Analysis::Bmc && !self.accelerates()
    }

    fn accelerates(&self) -> bool {
        let accelerating = [Transformation::Accelerate, Transformation::Restrict];
        self.options.transformations.iter().any(|transformation| accelerating.contains(transformation))
    }

    /// Whether the transformations fit together, and the analysis.
    fn check(&self) -> Result<(), String> {
        let transformations = &self.options.transformations;
        if transformations.iter().skip(1).any(|other| *other == Transformation::Slice) {
            return Err("`slice` comes first: the slice is one of the program as it is".to_owned());
        }
        if self.accelerates() && self.analysis != Analysis::Bmc {
            return Err("only bounded model checking knows where accelerated loops come from".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::declared;
    use cegar::value::Order;

    fn set(config: &mut Config, name: &str, value: &str) -> Result<(), Failure> {
        config.set(declared(name).expect("an option"), value)
    }

    #[test]
    fn every_preset_is_readable_and_described() {
        for (name, description) in presets() {
            assert!(!description.is_empty(), "{name}");
            assert!(preset(Some(name)).is_ok_and(|config| config.name == name));
        }
        let invariants = invariants().expect("a preset");
        assert!(matches!(invariants.plan, Plan::Sequence(stages) if stages.iter().all(|stage| stage.lane.is_none())));
    }

    #[test]
    fn unknown_preset() {
        let failure = preset(Some("magic")).expect_err("no such preset");
        let error = &failure.diagnostics[0];
        assert_eq!(error.message, "there is no configuration `magic`");
        assert!(error.help.as_ref().is_some_and(|help| help.contains("bmc")));
    }

    #[track_caller]
    fn check_refused(preset: &str, why: &str) {
        let plan = plan(&preset.parse().expect("a table"));
        assert!(plan.as_ref().is_err_and(|error| error.contains(why)), "{plan:?}");
    }

    #[test]
    fn contradictory_presets() {
        check_refused("description = 'x'", "it names an analysis or another preset");
        check_refused("preset = 'bmc'\nanalysis = 'bmc'", "it names an analysis or another preset");
        check_refused("preset = 'portfolio'", "it names an analysis or another preset");
        check_refused("preset = 'magic'", "there is no preset `magic`");
        check_refused("analysis = 'bmc'\nengines = ['horn']", "`bmc` has no option `engines`");
        check_refused("analysis = 'bmc'\nmagic = 1", "there is no option `magic`");
        check_refused("analysis = 'bmc'\ntransformations = ['tail-calls', 'slice']", "`slice` comes first");
        check_refused("analysis = 'value'\ntransformations = ['accelerate']", "only bounded model checking");
        check_refused("[[stage]]\npreset = 'bmc'\nlimits = ['1 parsec']", "`limits`: expected a time");
    }

    #[test]
    fn options_are_for_what_has_them() {
        let mut config = preset(Some("value")).expect("a preset");
        let failure = set(&mut config, "unwind", "3").expect_err("no unwinding");
        assert_eq!(failure.diagnostics[0].message, "configuration `value` has no option `--unwind`");
        assert!(set(&mut config, "order", "bfs").is_ok());
        assert!(config.settings().contains(&("--order".to_owned(), "bfs".to_owned())));
        assert!(config.settings().contains(&("tracking".to_owned(), "refined".to_owned())));
    }

    #[test]
    fn default_is_a_sequence_that_options_reach() {
        let mut config = preset(None).expect("the default");
        assert!(set(&mut config, "order", "bfs").is_ok());
        let Plan::Sequence(stages) = config.plan.clone() else { panic!("{config:?}") };
        let lane = |lane| stages.iter().filter(move |stage| stage.lane == lane).map(|stage| stage.name);
        assert_eq!(lane(None).collect::<Vec<_>>(), ["value-plain", "octagon"]);
        assert_eq!(
            lane(Some(1)).collect::<Vec<_>>(),
            [
                "predicate",
                "bmc-trace-automata",
                "shape",
                "octagon",
                "k-induction",
                "k-induction",
                "value-predicate",
                "value-predicate"
            ]
        );
        assert_eq!(
            lane(Some(2)).collect::<Vec<_>>(),
            [
                "bmc",
                "value",
                "random-testing",
                "value-plain",
                "bmc-trace-automata",
                "bmc",
                "bmc-trace-automata",
                "value",
                "bmc-trace-automata",
                "bmc"
            ]
        );
        let refining = stages.iter().filter(|stage| stage.name.contains("value"));
        assert!(refining.into_iter().all(|stage| stage.part.options.order == Some(Order::Bfs)));
        let (last, others) = stages.split_last().expect("stages");
        assert!(last.limits.is_empty() && others.iter().all(|stage| matches!(stage.limits[0], Limit::Share(..100))));
        let recursive: Vec<&str> =
            stages.iter().filter(|stage| stage.when == [Condition::Recursion]).map(|stage| stage.name).collect();
        assert_eq!(recursive, ["predicate", "bmc-trace-automata"]);
        assert!(set(&mut config, "unwind", "3").is_ok());
        let Plan::Sequence(stages) = &config.plan else { panic!("{config:?}") };
        assert_eq!(stages.iter().map(|stage| stage.name).collect::<Vec<_>>(), ["bmc"]);
        assert_eq!(stages[0].part.options.unwind.map(std::num::NonZero::get), Some(3));
    }
}
