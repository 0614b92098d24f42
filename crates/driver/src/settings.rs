//! From options to the settings that algorithms take: the only place where these are filled in.

use crate::config::{Config, Graph, Part};
use crate::options::Analysis;
use crate::text_form::{Engine, Switch};
use base::Effort;
use bmc::kinduction::KInductionConfig;
use bmc::unrolling::{BmcConfig, Unwind};
use cegar::bam::value::BamSettings;
use cegar::impact::ImpactConfig;
use cegar::predicate::{self, PredicateConfig, Prepass};
use cegar::refinement_loop::CegarConfig;
use cegar::value::{self, Order, ValueConfig};
use cegar::value_predicate::ValuePredicateConfig;
use refine::formula::binary::Binary;
use refine::formula::horn::SequenceHorn;
use refine::formula::linear::LinearGuess;
use refine::formula::newton::{Core, Live, Newton, NewtonOptions};
use refine::formula::{Direction, SequenceEngine};
use task::evidence::{Invariants, ProofCheck, Wanted};

/// What becomes of a proof.
pub(crate) fn wanted(config: &Config) -> Wanted {
    let proof = match config.options.check_proof {
        Switch::On => ProofCheck::Demand,
        Switch::Off => ProofCheck::Skip,
    };
    Wanted { graph: config.graph, proof, invariants: Invariants::List }
}

/// Who wants to see a proof wants the strategies for loops that it takes.
fn wants_strategies(wanted: Wanted) -> bool {
    wanted.graph == Graph::Keep || wanted.proof == ProofCheck::Demand
}

impl Part {
    /// How far an analysis that abstracts loops first goes without. The predicate analysis does so itself, and keeps its predicates.
    pub(crate) fn prepass(&self, wanted: Wanted) -> Option<Effort> {
        let comes_first = self.analysis != Analysis::Predicate && !wants_strategies(wanted);
        self.options.prepass.filter(|_| comes_first && self.options.loop_abstraction == Switch::On)
    }

    /// Of bounded model checking.
    pub(crate) fn bmc(&self) -> BmcConfig {
        let unwind = self.options.unwind.map_or(Unwind::Doubling, |bound| Unwind::Fixed(bound.get()));
        BmcConfig { unwind, origins: None }
    }

    /// Of k-induction.
    pub(crate) fn kinduction(&self, wanted: Wanted) -> KInductionConfig {
        KInductionConfig { proof: wanted.proof }
    }

    fn cegar(&self, default: Order) -> CegarConfig {
        CegarConfig {
            order: self.options.order.unwrap_or(default),
            most_successors: self.options.most_successors,
            ..CegarConfig::default()
        }
    }

    /// Of the value analysis; `order` is the default.
    pub(crate) fn value(&self, wanted: Wanted, order: Order) -> ValueConfig {
        ValueConfig {
            wanted,
            tracking: self.options.tracking,
            cegar: self.cegar(order),
            prefixes: self.options.prefixes,
            search: self.options.search,
            stacks: match self.options.stack_abstraction {
                Switch::On => value::StackAbstraction::On,
                Switch::Off => value::StackAbstraction::Off,
            },
            ..ValueConfig::default()
        }
    }

    /// Of the predicate analysis.
    pub(crate) fn predicate(&self, wanted: Wanted) -> PredicateConfig {
        let prepass = |effort| Prepass { effort, unwind: self.options.prepass_visits };
        PredicateConfig {
            stacks: match self.options.stack_abstraction {
                Switch::On => predicate::StackAbstraction::On,
                Switch::Off => predicate::StackAbstraction::Off,
            },
            cegar: self.cegar(Order::ReversePostorder),
            prepass: self.options.prepass.map(prepass).filter(|_| !wants_strategies(wanted)),
            wanted,
            ..PredicateConfig::default()
        }
    }

    /// Of values with predicates; `order` is the default.
    pub(crate) fn value_predicate(&self, wanted: Wanted, order: Order) -> ValuePredicateConfig {
        ValuePredicateConfig {
            tracking: self.options.tracking,
            prefixes: self.options.prefixes,
            search: self.options.search,
            wanted,
            values_per_variable: self.options.values_per_variable,
            cegar: self.cegar(order),
            ..ValuePredicateConfig::default()
        }
    }

    /// Of lazy abstraction with interpolants.
    pub(crate) fn impact(&self, wanted: Wanted) -> ImpactConfig {
        let order = self.options.order.unwrap_or(Order::Dfs);
        ImpactConfig { order, wanted, ..ImpactConfig::default() }
    }

    /// Of block-abstraction memoisation.
    pub(crate) fn bam(&self) -> BamSettings {
        BamSettings { refinement: self.options.bam_refinement, ..BamSettings::default() }
    }

    /// What refutes error paths.
    pub(crate) fn engines(&self) -> Vec<Box<dyn SequenceEngine>> {
        let newton =
            |direction| Box::new(Newton::new(NewtonOptions { direction, core: Core::Conjuncts, live: Live::On }));
        let engine = |engine: &Engine| -> Box<dyn SequenceEngine> {
            match engine {
                Engine::Horn => Box::new(SequenceHorn),
                Engine::Linear => Box::new(LinearGuess),
                Engine::ForwardBinary => Box::new(Binary::new(Direction::Forward)),
                Engine::BackwardBinary => Box::new(Binary::new(Direction::Backward)),
                Engine::NewtonPosts => newton(Direction::Forward),
                Engine::NewtonPreconditions => newton(Direction::Backward),
            }
        };
        self.options.engines.iter().map(engine).collect()
    }
}
