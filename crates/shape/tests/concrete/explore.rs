//! From C text to a finished exploration, with the states of its runs.

use crate::state::{Place, State, record};
use analysis::{Order, Reachability, Status, Target};
use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::loops::Wto;
use cfa::points_to::PointsTo;
use cfa::{Check, MachineModel, Observer, Pattern, Program};
use cfront::sema;
use interp::Outcome;
use shape::cpa::ShapeCpa;
use shape::graph::Graph;
use std::collections::BTreeMap;
use std::rc::Rc;
use step::{Blocks, Locations, Point};
use syntax::machine_model::Machine;
use syntax::{parse, preprocess};
use transform::resolve_calls::resolve_calls;
use transform::simplify_graph::simplify_graph;

/// Runs of each program.
const SEEDS: u64 = 20;

/// What is made explicit: graphs have to know that accesses are valid, and that nothing is lost.
const CHECKS: [Check; 3] = [Check::Memory, Check::Free, Check::Leak];

/// A program with all graphs and with some of its runs.
pub struct Explored {
    /// Graphs by place.
    pub graphs: BTreeMap<Place, Vec<Rc<Graph>>>,
    /// Different states where the exploration has nodes.
    pub states: BTreeMap<Place, Vec<State>>,
}

/// The automata of a program without directives.
fn lower(text: &str) -> Program {
    let mut source = preprocess::source_from_text("test.c", text);
    clib::libc::append_to(&mut source);
    let unit = parse::parse(&source).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let (unit, _) = sema::check(unit, source.map, Machine::Lp64).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let options = c2cfa::LowerOptions {
        machine: MachineModel::Lp64,
        byte_order: base::ByteOrder::Little,
        entry: "main".into(),
        checks: CHECKS.into(),
        error_functions: Vec::new(),
        allocation_may_fail: true,
        environment: c2cfa::Environment::default(),
    };
    let mut program = c2cfa::lower(unit, &options).unwrap_or_else(|e| panic!("{text}\n{e:?}")).program;
    let points_to = PointsTo::new(&program);
    resolve_calls(&mut program, &points_to);
    simplify_graph(&mut program);
    program
}

/// Explores a program to the end, and runs it.
pub fn explore(text: &str) -> Explored {
    let program = lower(text);
    let (points_to, wto) = (PointsTo::new(&program), Wto::new(&program));
    let calls = CallGraph::new(&program, Some(&points_to));
    let locations = Locations::new(&program, &wto, &calls, Blocks::Joins);
    let patterns = CHECKS.map(|check| Pattern::Label(check.property().into()));
    let observer = Observer::never("checks", patterns.into_iter().chain([Pattern::Call("reach_error".into())]));
    let budget = Budget::unlimited();
    let branchings = shape::branch::branchings(&program, &wto, &points_to);
    let mut cpa = ShapeCpa::new(&program, (locations.clone(), calls), branchings, &observer, &budget);
    let mut reachability = Reachability::new(Order::ReversePostorder);
    let found = reachability.explore(&mut cpa, &(), &budget).expect("nothing ends it");
    if let Some((node, target)) = found {
        let what = match target {
            Target::Unmodelled(edge) => {
                let edge = &program.edges[edge];
                format!("{} at {:?}", cfa::display::op(&program, &edge.op), program.source.place(edge.span.lo))
            }
            Target::Violation => "violation".to_owned(),
        };
        panic!("the exploration stops: {what} in {:#?}", reachability.arg.state(node).graph);
    }
    let mut graphs: BTreeMap<Place, Vec<Rc<Graph>>> = BTreeMap::new();
    for id in reachability.arg.ids().filter(|id| reachability.arg.status(*id) != Status::Removed) {
        let state = reachability.arg.state(id);
        graphs.entry((state.loc, state.stack)).or_default().push(state.graph.clone());
    }
    let mut states: BTreeMap<Place, Vec<State>> = BTreeMap::new();
    for seed in 0..SEEDS {
        let (seen, outcome) = record(&program, &cpa.stacks, seed, &|loc| locations.point(loc) != Point::Through);
        let is_defined = matches!(outcome, Outcome::Exited { .. } | Outcome::StepLimit | Outcome::Blocked);
        assert!(is_defined, "a program with undefined behaviour tells nothing: {outcome:?}");
        for (place, state) in seen {
            let known = states.entry(place).or_default();
            if !known.contains(&state) {
                known.push(state);
            }
        }
    }
    Explored { graphs, states }
}
