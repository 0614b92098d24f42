//! Configurations: what to run with which settings. Presets are TOML files inside the binary.
//!
//! This is the only place that knows how configurations are written; everything below gets typed values.

use crate::bam::{Bam, BamRefinement, BamTable, Wrapped};
use crate::failure::Failure;
use crate::impact::Impact;
use crate::predicate::Predicate;
use crate::suggest;
use base::Diagnostic;
use cegar::refinement_loop::CegarConfig;
use cegar::value;
use serde::Deserialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// A configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Name of the preset that it began as.
    pub name: String,
    /// What to run.
    pub algorithm: Algorithm,
    /// Whether proofs are checked again.
    pub check_proof: ProofCheck,
    /// Whether abstract reachability graphs are kept for the report.
    pub graph: Graph,
    /// Whether the invariants of a proof have to suffice alone.
    pub invariants: Invariants,
    /// How many analyses of a sequence may run at the same time.
    pub threads: NonZeroUsize,
    /// Folder in which block abstractions are kept from run to run.
    pub cache: Option<PathBuf>,
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

/// Whether proofs are checked again, independently of what found them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofCheck {
    /// They are not.
    #[default]
    Skip,
    /// They are, and only confirmed ones count.
    Demand,
}

/// Whether abstract reachability graphs are kept for the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Graph {
    /// They are not.
    #[default]
    Omit,
    /// They are.
    Keep,
}

/// An algorithm with its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Bounded model checking.
    Bmc(Bmc),
    /// k-induction.
    KInduction,
    /// Interval analysis.
    Interval,
    /// Explicit-value analysis.
    Value(Value),
    /// Predicate analysis.
    Predicate(Predicate),
    /// Both together.
    ValuePredicate(ValuePredicate),
    /// Lazy abstraction with interpolants.
    Impact(Impact),
    /// Block-abstraction memoisation over another one.
    Bam(Bam),
    /// Another one, with loops abstracted by strategies.
    LoopAbstraction(Box<Algorithm>),
    /// One after another, or several at the same time, until one answers.
    Sequence(Vec<Stage>),
}

/// A part of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Name of the preset.
    pub name: &'static str,
    /// What runs; not a sequence.
    pub algorithm: Algorithm,
    /// Percent of the time that is left when it begins.
    pub share: u32,
    /// Longest time.
    pub at_most: Option<Duration>,
    /// Which programs it is for.
    pub programs: Programs,
    /// Stages of different lanes may run at the same time; those of one lane run in order. Without a lane: alone.
    pub lane: Option<u32>,
}

/// Settings of the value analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// What is tracked.
    pub tracking: Tracking,
    /// Order of exploration; by the program if there is none.
    pub order: Option<Order>,
    /// Where a discovered variable is tracked.
    pub scope: Scope,
    /// What a refinement makes explored again.
    pub prune: Prune,
    /// Which contradiction of an error path is interpolated.
    pub prefixes: Prefixes,
    /// Whether violations are sought near paths that only the solver refutes.
    pub search: Search,
    /// Whether the stacks of recursive calls are abstracted; the preset says so outside of its table.
    pub stack_abstraction: Switch,
}

/// Which contradiction of an error path is interpolated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prefixes {
    /// The best one, and others while exploration is expensive.
    #[default]
    Best,
    /// The first one.
    First,
}

/// Whether violations are sought near paths that only the solver refutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// With bounded model checking of the edges near them.
    #[default]
    Bounded,
    /// They are not.
    None,
}

/// Settings of the combination of values and predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuePredicate {
    /// Of its value part, and of exploration.
    pub value: Value,
    /// Of its predicate part; blocks end at loop heads.
    pub predicate: Predicate,
    /// A variable with more values than this on a path is left to predicates.
    pub values_per_variable: Option<u32>,
    /// If this (or an eighth of the time) is not enough for an answer, all values are tracked for as long, before the analysis begins again.
    pub first_attempt: Option<Duration>,
}

/// What an abstraction tracks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tracking {
    /// What refinement finds necessary.
    #[default]
    Refined,
    /// Everything.
    Everything,
}

/// Order in which abstract states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Reverse postorder, deeper calls first.
    #[default]
    Rpo,
    /// Deeper calls first, otherwise depth first.
    Calls,
}

/// Where a variable that refinement discovers is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// In its whole scope.
    #[default]
    Variable,
    /// Where it was discovered.
    Location,
}

/// What a refinement makes explored again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prune {
    /// The part below the first refined state.
    #[default]
    Lazy,
    /// Everything.
    Restart,
}

/// What these settings mean to a refinement loop.
pub(crate) fn cegar(order: Order, prune: Prune) -> CegarConfig {
    CegarConfig {
        order: self::order(order),
        prune: match prune {
            Prune::Lazy => value::PruneStrategy::Lazy,
            Prune::Restart => value::PruneStrategy::Restart,
        },
        most_successors: None,
    }
}

/// The order as the algorithms have it.
pub(crate) fn order(order: Order) -> value::Order {
    match order {
        Order::Bfs => value::Order::Bfs,
        Order::Dfs => value::Order::Dfs,
        Order::Rpo => value::Order::ReversePostorder,
        Order::Calls => value::Order::CallDepth,
    }
}

/// Settings of bounded model checking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bmc {
    /// How far loops and recursion are unwound.
    pub unwind: Unwind,
    /// What is done to loops before.
    pub acceleration: Acceleration,
}

/// What is done to loops before they are unwound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceleration {
    /// Nothing.
    #[default]
    Off,
    /// Accelerated paths are added.
    Paths,
    /// Accelerated paths are added, and what they make redundant is removed.
    TraceAutomata,
}

/// How far loops and recursion are unwound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// 1, 2, 4, … until the program is exhausted or a limit reached.
    Doubling,
    /// Up to this bound, and no further.
    UpTo(u32),
}

/// A preset inside the binary.
struct Preset {
    name: &'static str,
    text: &'static str,
}

/// All presets, the default one first.
const PRESETS: &[Preset] = &[
    Preset { name: "portfolio", text: include_str!("../presets/portfolio.toml") },
    Preset { name: "bmc", text: include_str!("../presets/bmc.toml") },
    Preset { name: "bmc-acceleration", text: include_str!("../presets/bmc-acceleration.toml") },
    Preset { name: "bmc-trace-automata", text: include_str!("../presets/bmc-trace-automata.toml") },
    Preset { name: "k-induction", text: include_str!("../presets/k-induction.toml") },
    Preset { name: "interval", text: include_str!("../presets/interval.toml") },
    Preset { name: "value", text: include_str!("../presets/value.toml") },
    Preset { name: "value-plain", text: include_str!("../presets/value-plain.toml") },
    Preset { name: "predicate", text: include_str!("../presets/predicate.toml") },
    Preset { name: "predicate-bw", text: include_str!("../presets/predicate-bw.toml") },
    Preset { name: "predicate-newton", text: include_str!("../presets/predicate-newton.toml") },
    Preset { name: "predicate-horn", text: include_str!("../presets/predicate-horn.toml") },
    Preset { name: "impact", text: include_str!("../presets/impact.toml") },
    Preset { name: "value-predicate", text: include_str!("../presets/value-predicate.toml") },
    Preset { name: "plain-value-predicate", text: include_str!("../presets/plain-value-predicate.toml") },
    Preset { name: "bam-value", text: include_str!("../presets/bam-value.toml") },
    Preset { name: "bam-predicate", text: include_str!("../presets/bam-predicate.toml") },
    Preset { name: "explicit-bfs", text: include_str!("../presets/explicit-bfs.toml") },
    Preset { name: "explicit-dfs", text: include_str!("../presets/explicit-dfs.toml") },
];

/// The file format of presets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    description: String,
    algorithm: AlgorithmName,
    #[serde(default)]
    bmc: BmcTable,
    #[serde(default)]
    value: ValueTable,
    #[serde(default)]
    predicate: Option<Predicate>,
    /// Whether loops are abstracted.
    #[serde(default)]
    loop_abstraction: Switch,
    /// Whether the stacks of recursive calls are abstracted.
    #[serde(default = "on")]
    stack_abstraction: Switch,
    #[serde(default)]
    combination: CombinationTable,
    #[serde(default)]
    impact: Option<Impact>,
    /// Whether the analysis is that of blocks.
    #[serde(default)]
    bam: Option<BamTable>,
    #[serde(default)]
    stage: Vec<StageTable>,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// Off.
    #[default]
    Off,
    /// On.
    On,
}

/// The default of `stack_abstraction`: it costs nothing where nothing is recursive.
pub(crate) fn on() -> Switch {
    Switch::On
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AlgorithmName {
    Bmc,
    KInduction,
    Interval,
    Value,
    Predicate,
    ValuePredicate,
    Impact,
    Sequence,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StageTable {
    preset: String,
    #[serde(default = "all")]
    share: u32,
    at_most_seconds: Option<f64>,
    lane: Option<u32>,
    #[serde(default)]
    programs: Programs,
    #[serde(default)]
    loop_abstraction: Switch,
}

/// Which programs a stage is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Programs {
    /// All.
    #[default]
    All,
    /// Those with recursive functions.
    Recursive,
}

fn all() -> u32 {
    100
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct BmcTable {
    unwind: Option<u32>,
    #[serde(default)]
    acceleration: Acceleration,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct ValueTable {
    #[serde(default)]
    tracking: Tracking,
    #[serde(default)]
    order: Option<Order>,
    #[serde(default)]
    scope: Scope,
    #[serde(default)]
    prune: Prune,
    #[serde(default)]
    prefixes: Prefixes,
    #[serde(default)]
    search: Search,
}

impl From<ValueTable> for Value {
    fn from(table: ValueTable) -> Self {
        let ValueTable { tracking, order, scope, prune, prefixes, search } = table;
        Value { tracking, order, scope, prune, prefixes, search, stack_abstraction: Switch::Off }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct CombinationTable {
    values_per_variable: Option<u32>,
    first_attempt_seconds: Option<f64>,
}

/// Names and descriptions of the presets, the default one first.
pub fn presets() -> Vec<(&'static str, String)> {
    PRESETS
        .iter()
        .map(|preset| (preset.name, parse(preset.text).map_or_else(|_| String::new(), |d| d.description)))
        .collect()
}

/// The configuration of a preset; `None` is the default one.
///
/// # Errors
/// If there is no preset of this name.
pub fn preset(name: Option<&str>) -> Result<Config, Failure> {
    let found = match name {
        None => PRESETS.first(),
        Some(name) => PRESETS.iter().find(|preset| preset.name == name),
    };
    let Some(found) = found else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let message = format!("there is no configuration `{}`", name.unwrap_or_default());
        let similar = suggest::similar(name.unwrap_or_default(), names.iter().copied());
        let meant = similar.map_or_else(String::new, |name| format!("did you mean `{name}`? "));
        let help = format!("{meant}choose one of: {}", names.join(", "));
        return Err(Failure::new(Diagnostic::error("E0031", None, message).help(help)));
    };
    let algorithm = algorithm(found, Sequences::Allowed)
        .map_err(|error| Failure::new(Diagnostic::error("E0032", None, format!("preset `{}`: {error}", found.name))))?;
    Ok(Config {
        name: found.name.to_owned(),
        algorithm,
        check_proof: ProofCheck::Skip,
        graph: Graph::Omit,
        invariants: Invariants::AsProved,
        threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        cache: None,
    })
}

/// Whether a preset may be a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequences {
    Allowed,
    Refused,
}

fn algorithm(preset: &Preset, sequences: Sequences) -> Result<Algorithm, String> {
    let document = parse(preset.text).map_err(|error| error.to_string())?;
    let switch = document.loop_abstraction;
    let stacks = document.stack_abstraction;
    let algorithm = match document.algorithm {
        AlgorithmName::Bmc => {
            let BmcTable { unwind, acceleration } = document.bmc;
            Algorithm::Bmc(Bmc { unwind: unwind.map_or(Unwind::Doubling, Unwind::UpTo), acceleration })
        }
        AlgorithmName::KInduction => Algorithm::KInduction,
        AlgorithmName::Interval => Algorithm::Interval,
        AlgorithmName::Value => Algorithm::Value(document.value.into()),
        AlgorithmName::Predicate => {
            let table = document.predicate.ok_or("the table `predicate` is missing")?;
            Algorithm::Predicate(table)
        }
        AlgorithmName::ValuePredicate => {
            let predicate = document.predicate.ok_or("the table `predicate` is missing")?;
            let CombinationTable { values_per_variable, first_attempt_seconds } = document.combination;
            let first_attempt = first_attempt_seconds.map(Duration::try_from_secs_f64).transpose();
            let first_attempt = first_attempt.map_err(|error| error.to_string())?;
            let value = document.value.into();
            Algorithm::ValuePredicate(ValuePredicate { value, predicate, values_per_variable, first_attempt })
        }
        AlgorithmName::Impact => Algorithm::Impact(document.impact.ok_or("the table `impact` is missing")?),
        AlgorithmName::Sequence if sequences == Sequences::Allowed => {
            let stages: Result<Vec<Stage>, String> = document.stage.iter().map(stage).collect();
            Algorithm::Sequence(stages?)
        }
        AlgorithmName::Sequence => return Err("a sequence within a sequence".to_owned()),
    };
    let mut algorithm = match (document.bam, algorithm) {
        (None, algorithm) => algorithm,
        (Some(table), Algorithm::Value(value)) => Algorithm::Bam(Bam { table, wrapped: Wrapped::Value(value) }),
        (Some(table), Algorithm::Predicate(predicate)) => {
            Algorithm::Bam(Bam { table, wrapped: Wrapped::Predicate(predicate) })
        }
        (Some(_), _) => return Err("blocks of an analysis that has none".to_owned()),
    };
    algorithm.set_stack_abstraction(stacks);
    Ok(match switch {
        Switch::On => algorithm.with_loop_abstraction(switch),
        Switch::Off => algorithm,
    })
}

fn stage(table: &StageTable) -> Result<Stage, String> {
    let found = PRESETS.iter().find(|preset| preset.name == table.preset);
    let found = found.ok_or_else(|| format!("there is no preset `{}`", table.preset))?;
    let at_most =
        table.at_most_seconds.map(Duration::try_from_secs_f64).transpose().map_err(|error| error.to_string())?;
    let StageTable { share, lane, programs, loop_abstraction, .. } = *table;
    let mut algorithm = algorithm(found, Sequences::Refused)?;
    if loop_abstraction == Switch::On {
        algorithm = algorithm.with_loop_abstraction(Switch::On);
    }
    Ok(Stage { name: found.name, algorithm, share, at_most, lane, programs })
}

fn parse(text: &str) -> Result<Document, toml::de::Error> {
    toml::from_str(text)
}

impl Config {
    /// Limits unwinding. Only analyses that unwind loops as they are remain of a sequence: others would not keep the limit.
    pub fn set_unwind(&mut self, bound: u32) {
        if let Algorithm::Sequence(stages) = &mut self.algorithm {
            stages.retain(|stage| match &stage.algorithm {
                Algorithm::LoopAbstraction(inner) => inner.unwinds(),
                algorithm => algorithm.unwinds(),
            });
        }
        self.algorithm.for_each(&mut |algorithm| {
            if let Algorithm::Bmc(bmc) = algorithm {
                bmc.unwind = Unwind::UpTo(bound);
            }
        });
    }

    /// Abstracts loops in all algorithms, or in none.
    pub fn set_loop_abstraction(&mut self, switch: Switch) {
        let algorithm = std::mem::replace(&mut self.algorithm, Algorithm::Sequence(Vec::new()));
        self.algorithm = algorithm.with_loop_abstraction(switch);
    }

    /// Abstracts the stacks of recursive calls in all algorithms that can, or in none.
    pub fn set_stack_abstraction(&mut self, switch: Switch) {
        self.algorithm.set_stack_abstraction(switch);
    }

    /// Sets how block abstractions are refined.
    pub fn set_bam_refinement(&mut self, refinement: BamRefinement) {
        self.algorithm.for_each(&mut |algorithm| {
            if let Algorithm::Bam(bam) = algorithm {
                bam.table.refinement = refinement;
            }
        });
    }

    /// Keeps block abstractions in a folder.
    ///
    /// # Errors
    /// If the configuration has no blocks.
    pub fn set_cache(&mut self, folder: PathBuf) -> Result<(), Failure> {
        if !self.algorithm.has_blocks() {
            let has_blocks = |preset: &&Preset| algorithm(preset, Sequences::Allowed).is_ok_and(|a| a.has_blocks());
            let names: Vec<&str> = PRESETS.iter().filter(has_blocks).map(|preset| preset.name).collect();
            let message = format!("configuration `{}` has no blocks, so `--cache` has nothing to keep", self.name);
            let help = format!("use `--config {}`, or leave out `--cache`", names.join("` or `--config "));
            return Err(Failure::new(Diagnostic::error("E0033", None, message).help(help)));
        }
        self.cache = Some(folder);
        Ok(())
    }

    /// Sets the order of exploration.
    pub fn set_order(&mut self, order: Order) {
        self.algorithm.for_each(&mut |algorithm| match algorithm {
            Algorithm::Value(value) => value.order = Some(order),
            Algorithm::Predicate(predicate) => predicate.order = order,
            Algorithm::ValuePredicate(both) => both.value.order = Some(order),
            Algorithm::Impact(impact) => impact.order = order,
            Algorithm::Bam(bam) => bam.set_order(order),
            Algorithm::Bmc(_)
            | Algorithm::KInduction
            | Algorithm::Interval
            | Algorithm::LoopAbstraction(_)
            | Algorithm::Sequence(_) => {}
        });
    }
}

impl Algorithm {
    /// Whether it explores blocks on their own.
    fn has_blocks(&self) -> bool {
        match self {
            Algorithm::Bam(_) => true,
            Algorithm::LoopAbstraction(inner) => inner.has_blocks(),
            _ => false,
        }
    }

    /// Whether it is bounded model checking of loops as they are.
    fn unwinds(&self) -> bool {
        matches!(self, Algorithm::Bmc(Bmc { acceleration: Acceleration::Off, .. }))
    }

    /// The same with or without loop abstraction.
    fn with_loop_abstraction(self, switch: Switch) -> Self {
        match (self, switch) {
            (Algorithm::Sequence(stages), _) if stages.is_empty() => Algorithm::Sequence(stages),
            (Algorithm::Sequence(stages), _) => {
                let with = |stage: Stage| Stage { algorithm: stage.algorithm.with_loop_abstraction(switch), ..stage };
                Algorithm::Sequence(stages.into_iter().map(with).collect())
            }
            (Algorithm::LoopAbstraction(inner), Switch::Off) => *inner,
            (Algorithm::LoopAbstraction(inner), Switch::On) => Algorithm::LoopAbstraction(inner),
            (other, Switch::Off) => other,
            (other, Switch::On) => Algorithm::LoopAbstraction(Box::new(other)),
        }
    }

    fn set_stack_abstraction(&mut self, switch: Switch) {
        self.for_each(&mut |algorithm| match algorithm {
            Algorithm::Predicate(predicate) => predicate.stack_abstraction = switch,
            Algorithm::Value(value) => value.stack_abstraction = switch,
            _ => {}
        });
    }

    /// Calls `f` for the algorithm, or for those of its stages.
    fn for_each(&mut self, f: &mut impl FnMut(&mut Algorithm)) {
        match self {
            Algorithm::Sequence(stages) => stages.iter_mut().for_each(|stage| stage.algorithm.for_each(f)),
            Algorithm::LoopAbstraction(inner) => inner.for_each(f),
            one => f(one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_readable_and_described() {
        for (name, description) in presets() {
            assert!(!description.is_empty(), "{name}");
            assert!(preset(Some(name)).is_ok_and(|config| config.name == name));
        }
    }

    #[test]
    fn unknown_preset() {
        let failure = preset(Some("magic")).expect_err("no such preset");
        let error = &failure.diagnostics[0];
        assert_eq!(error.message, "there is no configuration `magic`");
        assert!(error.help.as_ref().is_some_and(|help| help.contains("bmc")));
    }

    #[test]
    fn default_is_a_sequence_that_options_reach() {
        let mut config = preset(None).expect("the default");
        config.set_order(Order::Bfs);
        let Algorithm::Sequence(stages) = config.algorithm.clone() else { panic!("{config:?}") };
        assert_eq!(
            stages.iter().map(|stage| stage.name).collect::<Vec<_>>(),
            [
                "value-plain",
                "predicate",
                "k-induction",
                "value-plain",
                "bmc-trace-automata",
                "value",
                "bmc-trace-automata",
                "value-predicate",
                "value-predicate",
                "bmc"
            ]
        );
        assert!(matches!(stages[8].algorithm, Algorithm::LoopAbstraction(_)));
        assert_eq!(
            stages.iter().map(|stage| stage.lane).collect::<Vec<_>>(),
            [None, Some(1), Some(1), Some(2), Some(2), Some(2), Some(2), Some(1), Some(1), Some(2)]
        );
        assert!(matches!(stages[5].algorithm, Algorithm::Value(Value { order: Some(Order::Bfs), .. })));
        assert!(
            matches!(&stages[7].algorithm, Algorithm::ValuePredicate(both) if both.value.order == Some(Order::Bfs))
        );
        assert!(stages[..9].iter().all(|stage| stage.share < 100) && stages[9].share == 100);
        let only: Vec<&str> =
            stages.iter().filter(|stage| stage.programs == Programs::Recursive).map(|stage| stage.name).collect();
        assert_eq!(only, ["predicate", "bmc-trace-automata"]);
        config.set_unwind(3);
        let Algorithm::Sequence(stages) = &config.algorithm else { panic!("{config:?}") };
        let algorithms: Vec<&Algorithm> = stages.iter().map(|stage| &stage.algorithm).collect();
        assert_eq!(algorithms, [&Algorithm::Bmc(Bmc { unwind: Unwind::UpTo(3), acceleration: Acceleration::Off })]);
    }
}
