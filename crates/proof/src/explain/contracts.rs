//! Contracts of recursive procedures that a proof graph explores on stacks of their own, as C over parameters and global variables.
//!
//! What the nodes at a procedure's entry claim holds whenever it is entered, because calls are covered by them; what those at its exit claim
//! holds whenever it returns. As for loops, what can't be written in C is left out only where that makes a contract weaker.

use super::boolean::MAX_ATOMS;
use super::invariants::{Gate, Head, MAX_NODES};
use super::names::{Spot, Vocabulary};
use crate::graph::{Next, ProofGraph};
use cfa::callgraph::CallGraph;
use cfa::{FuncId, Program};
use outcome::{Contract, Extent};
use std::collections::BTreeMap;

/// Longest text of one side of a contract: many cases may be what a function does.
const MAX_TEXT: usize = 4000;

/// Nodes at entries and at exits of a procedure.
#[derive(Default)]
struct Ends {
    entries: Vec<usize>,
    exits: Vec<usize>,
}

/// The contracts of a graph, in the order of the text.
pub fn contracts(program: &Program, graph: &ProofGraph) -> Vec<Contract> {
    let mut procedures: BTreeMap<FuncId, Ends> = BTreeMap::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let Some(func) = node.bottom.filter(|func| *func != program.start && node.calls.is_empty()) else { continue };
        let Some(body) = program.functions[func].body else { continue };
        if matches!(node.next, Next::Covered(_)) || !(node.loc == body.entry || node.loc == body.exit) {
            continue;
        }
        let ends = procedures.entry(func).or_default();
        if node.loc == body.entry { ends.entries.push(index) } else { ends.exits.push(index) }
    }
    if procedures.is_empty() {
        return Vec::new();
    }
    let calls = CallGraph::new(program, None);
    let vocabulary = Vocabulary::new(program, graph);
    let mut found = Vec::new();
    for (func, ends) in procedures {
        let function = &program.functions[func];
        let few = ends.entries.len() <= MAX_NODES && ends.exits.len() <= MAX_NODES;
        let place = program.source.place(function.span.lo).filter(|place| !place.file.starts_with('<'));
        let Some(place) = place.filter(|_| few && calls.is_recursive(func) && !ends.entries.is_empty()) else {
            continue;
        };
        let side = |nodes: &[usize], spot: Spot| {
            let mut head = Head::new(&vocabulary, program, graph, spot);
            (head.side(nodes), head.extent)
        };
        let (requires, before) = side(&ends.entries, Spot::Entry);
        let (ensures, after) = side(&ends.exits, Spot::Exit);
        let extent = if before == after { before } else { Extent::Part };
        if requires.is_some() || ensures.is_some() || extent == Extent::Part {
            found.push(Contract { place, function: function.name.clone(), requires, ensures, extent });
        }
    }
    found.sort_by_key(|contract| (contract.place.line, contract.place.column));
    found
}

impl Head<'_> {
    /// What one of the nodes claims; `None` if that is nothing.
    fn side(&mut self, nodes: &[usize]) -> Option<String> {
        let (_, gates) = self.gates(nodes);
        if self.atoms.atoms_of(&gates).len() <= MAX_ATOMS {
            let parts = self.whole(&gates)?;
            return self.joined(&parts, MAX_TEXT);
        }
        let mut parts = Vec::new();
        match gates[..] {
            [only] => self.conjuncts(only, &mut parts),
            _ => parts.push(self.alternatives(&gates)),
        }
        let parts: Vec<String> = parts.into_iter().map(|part| part.unwrap_or_default()).collect();
        if parts.iter().any(String::is_empty) {
            self.extent = Extent::Part;
        }
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty() && part != "1").collect();
        self.joined(&parts, MAX_TEXT)
    }

    /// The facts that a gate joins, each of them short if it can be; `None` for one that is too long.
    fn conjuncts(&self, gate: u32, out: &mut Vec<Option<String>>) {
        match &self.atoms.gates[gate as usize] {
            Gate::And(parts) => parts.iter().for_each(|part| self.conjuncts(*part, out)),
            _ => match self.whole(&[gate]) {
                Some(parts) => out.extend(parts.into_iter().map(Some)),
                None => out.push(self.structure(gate)),
            },
        }
    }

    /// A gate as it is built; `None` if that is too long.
    fn structure(&self, gate: u32) -> Option<String> {
        let text = match &self.atoms.gates[gate as usize] {
            Gate::Constant(value) => u8::from(*value).to_string(),
            Gate::Literal(literal) => self.atoms.text(*literal).to_owned(),
            Gate::And(parts) => {
                let mut texts = Vec::new();
                for part in parts {
                    let text = self.structure(*part)?;
                    texts.extend((text != "1").then(|| if text.contains("||") { format!("({text})") } else { text }));
                }
                match texts.iter().any(|text| text == "0") {
                    true => "0".to_owned(),
                    false if texts.is_empty() => "1".to_owned(),
                    false => texts.join(" && "),
                }
            }
            Gate::Or(parts) => self.alternatives(parts)?,
        };
        (text.len() <= MAX_TEXT).then_some(text)
    }

    /// One of some gates, as they are built.
    fn alternatives(&self, gates: &[u32]) -> Option<String> {
        let mut texts = Vec::new();
        for gate in gates {
            let text = self.structure(*gate)?;
            if text == "1" {
                return Some(text);
            }
            texts.extend((text != "0").then(|| if text.contains("&&") { format!("({text})") } else { text }));
        }
        Some(if texts.is_empty() { "0".to_owned() } else { texts.join(" || ") })
    }
}
