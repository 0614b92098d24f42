//! Names of places that outlive a program text: they do not change when another function is edited.
//!
//! Functions and global variables have their names in the source, string literals their content; everything else is counted
//! within its function. Ids are positions in arenas of the whole program, so they are no names.

use crate::points_to::Object;
use crate::program::{EdgeId, FuncId, LocId, Program, VarId, VarKind};
use base::bytes::{Digest, Reader, Writer};
use base::{IdVec, Name};
use rustc_hash::FxHashMap;

/// The names of a program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    funcs: IdVec<FuncId, Name>,
    func_ids: FxHashMap<Name, FuncId>,
    /// Names of global variables.
    globals: FxHashMap<VarId, Name>,
    global_ids: FxHashMap<Name, VarId>,
    /// Numbers within the function.
    loc_ranks: IdVec<LocId, u32>,
    edge_ranks: FxHashMap<EdgeId, (FuncId, u32)>,
    var_ranks: IdVec<VarId, u32>,
    members: IdVec<FuncId, Members>,
}

/// What belongs to a function, in order.
#[derive(Clone, Debug, Default)]
struct Members {
    locs: Vec<LocId>,
    edges: Vec<EdgeId>,
    vars: Vec<VarId>,
}

impl Names {
    /// Names everything.
    pub fn new(program: &Program) -> Self {
        let mut this =
            Self { members: IdVec::from_elem(Members::default(), program.functions.len()), ..Self::default() };
        for (id, function) in program.functions.iter_enumerated() {
            let name = unused(&function.name, &this.func_ids);
            this.func_ids.insert(name.clone(), id);
            this.funcs.push(name);
        }
        for (id, loc) in program.locs.iter_enumerated() {
            let members = &mut this.members[loc.func];
            this.loc_ranks.push(members.locs.len() as u32);
            members.locs.push(id);
            for edge in &loc.out {
                this.edge_ranks.insert(*edge, (loc.func, members.edges.len() as u32));
                members.edges.push(*edge);
            }
        }
        for (id, var) in program.vars.iter_enumerated() {
            let mut rank = 0;
            match var.func {
                Some(func) => {
                    let vars = &mut this.members[func].vars;
                    rank = vars.len() as u32;
                    vars.push(id);
                }
                None => {
                    let name = match var.kind {
                        VarKind::Literal => format!("literal {}", literal(program, id).hex()).into(),
                        _ => var.name.clone(),
                    };
                    let name = unused(&name, &this.global_ids);
                    this.global_ids.insert(name.clone(), id);
                    this.globals.insert(id, name);
                }
            }
            this.var_ranks.push(rank);
        }
        this
    }

    /// The locations of a function.
    pub fn locs(&self, func: FuncId) -> &[LocId] {
        &self.members[func].locs
    }

    /// The variables of a function.
    pub fn vars(&self, func: FuncId) -> &[VarId] {
        &self.members[func].vars
    }

    /// The edges of a function.
    pub fn edges(&self, func: FuncId) -> &[EdgeId] {
        &self.members[func].edges
    }

    /// Number of a location in its function.
    pub fn rank(&self, loc: LocId) -> u32 {
        self.loc_ranks[loc]
    }

    /// The name of a function.
    pub fn func_name(&self, func: FuncId) -> &Name {
        &self.funcs[func]
    }

    /// Writes a function.
    pub fn write_func(&self, w: &mut Writer, func: FuncId) {
        w.text(&self.funcs[func]);
    }

    /// Reads a function.
    pub fn read_func(&self, r: &mut Reader<'_>) -> Option<FuncId> {
        self.func_ids.get(r.text()?).copied()
    }

    /// Writes a location.
    pub fn write_loc(&self, w: &mut Writer, program: &Program, loc: LocId) {
        self.write_func(w, program.locs[loc].func);
        w.number(self.loc_ranks[loc]);
    }

    /// Reads a location.
    pub fn read_loc(&self, r: &mut Reader<'_>) -> Option<LocId> {
        let func = self.read_func(r)?;
        self.members[func].locs.get(r.narrow::<usize>()?).copied()
    }

    /// Writes an edge; one that is no part of the program any more has no name.
    pub fn write_edge(&self, w: &mut Writer, edge: EdgeId) {
        match self.edge_ranks.get(&edge) {
            Some((func, rank)) => {
                self.write_func(w, *func);
                w.number(*rank);
            }
            None => w.text(""),
        }
    }

    /// Reads an edge.
    pub fn read_edge(&self, r: &mut Reader<'_>) -> Option<EdgeId> {
        let func = self.read_func(r)?;
        self.members[func].edges.get(r.narrow::<usize>()?).copied()
    }

    /// Writes a variable.
    pub fn write_var(&self, w: &mut Writer, program: &Program, var: VarId) {
        match program.vars[var].func {
            None => {
                w.number(0u8);
                w.text(self.globals.get(&var).map_or("", |name| name));
            }
            Some(func) => {
                w.number(1u8);
                self.write_func(w, func);
                w.number(self.var_ranks[var]);
            }
        }
    }

    /// Reads a variable.
    pub fn read_var(&self, r: &mut Reader<'_>) -> Option<VarId> {
        match r.narrow::<u8>()? {
            0 => self.global_ids.get(r.text()?).copied(),
            1 => {
                let func = self.read_func(r)?;
                self.members[func].vars.get(r.narrow::<usize>()?).copied()
            }
            _ => None,
        }
    }

    /// Writes an object of points-to analysis.
    pub fn write_object(&self, w: &mut Writer, program: &Program, object: Object) {
        match object {
            Object::Var(var) => {
                w.number(0u8);
                self.write_var(w, program, var);
            }
            Object::Alloc(edge) => {
                w.number(1u8);
                self.write_edge(w, edge);
            }
            Object::Function(func) => {
                w.number(2u8);
                self.write_func(w, func);
            }
            Object::External => w.number(3u8),
        }
    }

    /// Reads an object of points-to analysis.
    pub fn read_object(&self, r: &mut Reader<'_>) -> Option<Object> {
        Some(match r.narrow::<u8>()? {
            0 => Object::Var(self.read_var(r)?),
            1 => Object::Alloc(self.read_edge(r)?),
            2 => Object::Function(self.read_func(r)?),
            3 => Object::External,
            _ => return None,
        })
    }
}

/// The name, or one with a number if it is taken.
fn unused<I>(name: &Name, taken: &FxHashMap<Name, I>) -> Name {
    if !taken.contains_key(name) {
        return name.clone();
    }
    let numbered = (2u32..).map(|n| Name::from(format!("{name}#{n}")));
    numbered.into_iter().find(|name| !taken.contains_key(name)).unwrap_or_else(|| name.clone())
}

/// The content of a literal; what it points to counts by its place.
fn literal(program: &Program, var: VarId) -> Digest {
    let mut w = Writer::default();
    w.text(&format!("{:?}", program.vars[var].storage));
    if let Some(init) = &program.vars[var].init {
        for (offset, ty, value) in &init.cells {
            w.text(&format!("{offset} {ty:?} {value:?}"));
        }
        for (offset, bytes) in &init.bytes {
            w.number(*offset);
            w.blob(bytes);
        }
    }
    w.address()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Builder;
    use crate::op::Op;
    use crate::value::Scalar;

    /// Functions with one local and one edge each, after globals.
    fn sample(functions: &[&str]) -> (Program, Vec<VarId>) {
        let mut b = Builder::new();
        let mut vars = vec![b.reg(None, "g", Scalar::INT), b.reg(None, "g", Scalar::INT)];
        for name in functions {
            let func = b.func(name, &[]);
            let (entry, exit) = (b.entry(func), b.exit(func));
            vars.push(b.reg(Some(func), "x", Scalar::INT));
            b.edge(entry, exit, Op::Skip);
        }
        (b.program, vars)
    }

    #[test]
    fn names_come_back_in_another_program() {
        let (first, firsts) = sample(&["f", "h"]);
        let (second, seconds) = sample(&["new", "f", "h"]);
        let (names, others) = (Names::new(&first), Names::new(&second));
        let expected = [seconds[0], seconds[1], seconds[3], seconds[4]];
        for (var, expected) in firsts.iter().zip(expected) {
            let mut w = Writer::default();
            names.write_var(&mut w, &first, *var);
            assert_eq!(others.read_var(&mut Reader::new(&w.bytes)), Some(expected));
        }
        let h = first.function_named("h").expect("a function");
        let mut w = Writer::default();
        names.write_edge(&mut w, names.edges(h)[0]);
        let edge = others.read_edge(&mut Reader::new(&w.bytes)).expect("an edge");
        assert_eq!(Some(second.locs[second.edges[edge].src].func), second.function_named("h"));
        let mut w = Writer::default();
        w.text("gone");
        w.number(0u8);
        assert_eq!(others.read_loc(&mut Reader::new(&w.bytes)), None);
    }
}
