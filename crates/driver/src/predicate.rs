//! Settings of the predicate analysis: how they are written, and what they mean.

use crate::config::{Order, Prune, Switch, cegar};
use cegar::predicate;
use refine::formula::binary::Binary;
use refine::formula::horn::SequenceHorn;
use refine::formula::linear::LinearGuess;
use refine::formula::newton::{Core, Live, Newton, NewtonOptions};
use refine::formula::{Direction, SequenceEngine};
use serde::Deserialize;

/// Settings of the predicate analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// Where blocks end.
    #[serde(default)]
    pub blocks: Blocks,
    /// How predicates are combined.
    #[serde(default)]
    pub abstraction: Abstraction,
    /// Where a discovered predicate is used.
    #[serde(default)]
    pub scope: PredicateScope,
    /// Order of exploration.
    #[serde(default)]
    pub order: Order,
    /// What a refinement makes explored again.
    #[serde(default)]
    pub prune: Prune,
    /// What refutes error paths, in the order in which it is asked.
    #[serde(default = "all_engines")]
    pub engines: Vec<Engine>,
    /// Whether the stacks of recursive calls are abstracted; the preset says so outside of its table.
    #[serde(skip)]
    pub stack_abstraction: Switch,
}

/// Where blocks end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocks {
    /// After every edge.
    Edges,
    /// At loop heads.
    #[default]
    Loops,
    /// At loop heads and joins.
    Joins,
    /// At loop heads, and at entries and exits of functions.
    Functions,
}

/// How predicates are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Abstraction {
    /// In any way.
    #[default]
    Boolean,
    /// As a conjunction.
    Cartesian,
}

/// Where a predicate that refinement discovers is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredicateScope {
    /// Where it was discovered.
    #[default]
    Location,
    /// In its function.
    Function,
    /// Everywhere.
    Global,
}

/// What refutes error paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The path as one system of Horn clauses.
    Horn,
    /// The same over linear integers, as a guess.
    Linear,
    /// Binary interpolation, forwards.
    FwBin,
    /// Binary interpolation, backwards.
    BwBin,
    /// Strongest postconditions of an unsatisfiable core.
    NewtonSp,
    /// Weakest existential preconditions of an unsatisfiable core.
    NewtonWp,
}

pub(crate) fn all_engines() -> Vec<Engine> {
    vec![Engine::BwBin, Engine::Linear, Engine::Horn, Engine::NewtonSp, Engine::NewtonWp]
}

impl Predicate {
    /// The settings as the algorithm has them.
    pub fn config(&self) -> predicate::PredicateConfig {
        predicate::PredicateConfig {
            blocks: self.blocks.ends(),
            abstraction: match self.abstraction {
                Abstraction::Boolean => predicate::Abstraction::Boolean,
                Abstraction::Cartesian => predicate::Abstraction::Cartesian,
            },
            scope: match self.scope {
                PredicateScope::Location => predicate::PredicateScope::Location,
                PredicateScope::Function => predicate::PredicateScope::Function,
                PredicateScope::Global => predicate::PredicateScope::Global,
            },
            stacks: match self.stack_abstraction {
                Switch::On => predicate::StackAbstraction::On,
                Switch::Off => predicate::StackAbstraction::Off,
            },
            cegar: cegar(self.order, self.prune),
            ..predicate::PredicateConfig::default()
        }
    }

    /// The engines.
    pub fn engines(&self) -> Vec<Box<dyn SequenceEngine>> {
        make_engines(&self.engines)
    }
}

impl Blocks {
    /// The same as the algorithms have it.
    pub fn ends(self) -> predicate::BlockEnds {
        match self {
            Blocks::Edges => predicate::BlockEnds::Edges,
            Blocks::Loops => predicate::BlockEnds::Loops,
            Blocks::Joins => predicate::BlockEnds::LoopsAndJoins,
            Blocks::Functions => predicate::BlockEnds::LoopsAndFunctions,
        }
    }
}

/// Engines by their names.
pub(crate) fn make_engines(engines: &[Engine]) -> Vec<Box<dyn SequenceEngine>> {
    let newton = |direction| Box::new(Newton::new(NewtonOptions { direction, core: Core::Conjuncts, live: Live::On }));
    let engine = |engine: &Engine| -> Box<dyn SequenceEngine> {
        match engine {
            Engine::Horn => Box::new(SequenceHorn),
            Engine::Linear => Box::new(LinearGuess),
            Engine::FwBin => Box::new(Binary::new(Direction::Forward)),
            Engine::BwBin => Box::new(Binary::new(Direction::Backward)),
            Engine::NewtonSp => newton(Direction::Forward),
            Engine::NewtonWp => newton(Direction::Backward),
        }
    };
    engines.iter().map(engine).collect()
}
