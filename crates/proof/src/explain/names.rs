//! Names of places in C at a node of a proof graph.

use crate::graph::{Fact, FactPlace, FactValue, FormulaPlace, ObjectRef, PlacedName, ProofGraph, ProofNode};
use base::IdVec;
use cfa::layout::{AddressSpace, function_at};
use cfa::{CType, CTypeId, FuncId, Program, Scalar, VarId, VarKind};
use ctext::term::{Leaf, LeafType, Names};
use rustc_hash::FxHashMap;
use smt::TermId;

/// What is the same at all nodes.
pub struct Vocabulary<'g> {
    program: &'g Program,
    graph: &'g ProofGraph,
    /// Addresses of global memory variables.
    bases: IdVec<VarId, u64>,
    /// Variables by the last part of their names.
    by_name: FxHashMap<&'g str, Vec<VarId>>,
}

fn last_part(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, last)| last)
}

fn leaf_type(ty: Scalar) -> LeafType {
    match ty {
        Scalar::Bool => LeafType::Truth,
        Scalar::Int { bits, signed } => LeafType::Int { bits: u32::from(bits), signed },
        Scalar::Float(_) => LeafType::Float,
        Scalar::Ptr => LeafType::Pointer,
    }
}

impl<'g> Vocabulary<'g> {
    /// Prepares for a graph.
    pub fn new(program: &'g Program, graph: &'g ProofGraph) -> Self {
        let bases = AddressSpace::with_globals(program).map(|(_, bases)| bases);
        let bases = bases.unwrap_or_else(|| IdVec::from_elem(0, program.vars.len()));
        let mut by_name: FxHashMap<&str, Vec<VarId>> = FxHashMap::default();
        for (id, var) in program.vars.iter_enumerated() {
            by_name.entry(last_part(&var.name)).or_default().push(id);
        }
        Self { program, graph, bases, by_name }
    }
}

/// What a node's names are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// What holds where the node is.
    Inside,
    /// What holds where a procedure is entered, at whose entry the node is.
    Entry,
    /// What holds where a procedure returns, at whose exit the node is: also of its result, and of what variables held at the entry.
    Exit,
}

/// The names at a node: those of its function and of globals.
pub struct Scope<'g> {
    vocabulary: &'g Vocabulary<'g>,
    node: &'g ProofNode,
    func: FuncId,
    frame: u32,
    /// Where the node is in the text.
    position: Option<u32>,
    spot: Spot,
}

impl<'g> Scope<'g> {
    /// The names at a node.
    pub fn new(vocabulary: &'g Vocabulary<'g>, node: &'g ProofNode, spot: Spot) -> Self {
        let program = vocabulary.program;
        let loc = &program.locs[node.loc];
        let edge = loc.out.first().or(loc.inc.first());
        let position = edge.map(|edge| program.edges[*edge].span.lo);
        Self { vocabulary, node, func: loc.func, frame: node.calls.len() as u32, position, spot }
    }

    /// The name of a variable; `None` if it has none here, or another variable has the same.
    fn name(&self, var: VarId) -> Option<String> {
        let program = self.vocabulary.program;
        let info = &program.vars[var];
        if self.spot == Spot::Exit && program.functions[self.func].ret == Some(var) {
            return Some("\\result".to_owned());
        }
        if !matches!(info.kind, VarKind::Global | VarKind::Local | VarKind::Param) {
            return None;
        }
        let name: &str = match info.name.split_once("::") {
            // A static variable of a function.
            Some((func, name)) if *program.functions[self.func].name == *func => name,
            Some(_) => return None,
            None => &info.name,
        };
        let here = |other: &cfa::Var| other.func == Some(self.func) || other.is_global();
        let mut same = self.vocabulary.by_name.get(name).into_iter().flatten();
        let shadowed = same.any(|other| *other != var && here(&program.vars[*other]));
        let late = !info.is_global()
            && info.kind == VarKind::Local
            && self.position.is_some_and(|position| info.span.lo > position);
        (!shadowed && !late).then(|| name.to_owned())
    }

    fn register(&self, place: FactPlace) -> Option<(VarId, String)> {
        match place {
            FactPlace::Global(var) => Some((var, self.name(var)?)),
            FactPlace::Local { frame, var } if frame == self.frame => Some((var, self.name(var)?)),
            _ => None,
        }
    }

    /// The variable that is an object, if it has a name here.
    fn variable(&self, object: ObjectRef) -> Option<VarId> {
        match object {
            ObjectRef::Global(var) => Some(var),
            ObjectRef::Local { frame, var } if frame == self.frame => Some(var),
            ObjectRef::Placed(index) => match &self.vocabulary.graph.objects.get(index as usize)?.name {
                PlacedName::Local(calls, var) if *calls == self.node.calls => Some(*var),
                _ => None,
            },
            _ => None,
        }
    }

    /// An lvalue for an object and its type: the variable, or what a pointer is known to point to.
    fn object(&self, object: ObjectRef) -> Option<(String, CTypeId)> {
        let program = self.vocabulary.program;
        if let Some(var) = self.variable(object) {
            return Some((self.name(var)?, program.vars[var].ctype));
        }
        let base = match object {
            ObjectRef::Placed(index) => Some(self.vocabulary.graph.objects.get(index as usize)?.base),
            _ => None,
        };
        self.node.facts.iter().find_map(|fact| {
            let leads = match fact.value {
                FactValue::Bits(bits) => base.is_some_and(|base| bits == u128::from(base)),
                FactValue::Address(target, offset) => target == object && offset == 0,
            };
            let (var, name) = self.register(fact.place).filter(|_| leads)?;
            match program.ctypes.get(program.vars[var].ctype) {
                CType::Pointer(target) => Some((format!("(*{name})"), *target)),
                _ => None,
            }
        })
    }

    /// The scalar at an offset of something: its text and type.
    fn part(&self, (mut text, mut ty): (String, CTypeId), mut offset: u64, bytes: u32) -> Option<(String, CTypeId)> {
        let types = &self.vocabulary.program.ctypes;
        loop {
            match types.get(ty) {
                CType::Array(element, count) if types.size(*element) > 0 => {
                    let size = types.size(*element);
                    let index = offset / size;
                    if count.is_some_and(|count| index >= count) {
                        return None;
                    }
                    text.push_str(&format!("[{index}]"));
                    offset %= size;
                    ty = *element;
                }
                CType::Record { fields, is_union: false, .. } => {
                    let holds = |f: &&cfa::ctype::CField| f.offset <= offset && offset < f.offset + types.size(f.ty);
                    let field = fields.iter().find(holds).filter(|f| f.bits.is_none() && !f.name.is_empty())?;
                    text = match text.strip_prefix("(*").and_then(|inner| inner.strip_suffix(')')) {
                        Some(pointer) if !pointer.contains(')') => format!("{pointer}->{}", field.name),
                        _ => format!("{text}.{}", field.name),
                    };
                    offset -= field.offset;
                    ty = field.ty;
                }
                CType::Scalar { .. } | CType::Pointer(_) if offset == 0 && types.size(ty) == u64::from(bytes) => {
                    return Some((text, ty));
                }
                _ => return None,
            }
        }
    }

    /// What a place is in C.
    fn place(&self, place: FactPlace) -> Option<Leaf> {
        let program = self.vocabulary.program;
        match place {
            FactPlace::Memory { object, offset, bytes } => {
                let (text, ty) = self.part(self.object(object)?, u64::try_from(offset).ok()?, bytes)?;
                let ty = match program.ctypes.get(ty) {
                    CType::Scalar { scalar: Scalar::Bool, .. } => LeafType::Int { bits: 8, signed: false },
                    CType::Scalar { scalar: ty, .. } => leaf_type(*ty),
                    _ => LeafType::Pointer,
                };
                Some(Leaf { text, ty })
            }
            register => {
                let (var, text) = self.register(register)?;
                self.of_register(var, text)
            }
        }
    }

    /// What a register is in C that has this text.
    fn of_register(&self, var: VarId, text: String) -> Option<Leaf> {
        let program = self.vocabulary.program;
        let ty = program.vars[var].register()?;
        // A pointer's register, or a number: what the type in C says.
        let fits = match program.ctypes.get(program.vars[var].ctype) {
            CType::Scalar { scalar: Scalar::Bool, .. } => matches!(ty, Scalar::Bool | Scalar::Int { .. }),
            CType::Scalar { scalar, .. } => *scalar == ty,
            CType::Pointer(_) => ty == Scalar::Ptr,
            _ => false,
        };
        fits.then(|| Leaf { text, ty: leaf_type(ty) })
    }

    /// The address of an object.
    fn address_of(&self, object: ObjectRef) -> Option<String> {
        let var = self.variable(object)?;
        let name = self.name(var)?;
        let program = self.vocabulary.program;
        let is_array = matches!(program.ctypes.get(program.vars[var].ctype), CType::Array(..));
        Some(if is_array { name } else { format!("&{name}") })
    }

    /// The name of a place, and its value if that is a known address.
    pub fn pointer_fact(&self, fact: &Fact) -> Option<String> {
        let leaf = self.place(fact.place).filter(|leaf| leaf.ty == LeafType::Pointer)?;
        let address = match fact.value {
            FactValue::Bits(0) => "0".to_owned(),
            FactValue::Bits(bits) => self.address(u64::try_from(bits).ok()?)?,
            FactValue::Address(object, 0) => self.address_of(object)?,
            FactValue::Address(..) => return None,
        };
        Some(format!("{} == {address}", leaf.text))
    }

    /// What a place is in C, if it holds a number.
    pub fn number(&self, place: FactPlace) -> Option<Leaf> {
        self.place(place).filter(|leaf| leaf.ty != LeafType::Pointer)
    }
}

impl Names for Scope<'_> {
    fn leaf(&self, var: TermId) -> Option<Leaf> {
        match self.vocabulary.graph.formulas.place(var)? {
            FormulaPlace::Holds(place) => self.place(place),
            FormulaPlace::Entry(var) => match self.spot {
                Spot::Inside => None,
                Spot::Entry => self.of_register(var, self.name(var)?),
                Spot::Exit => self.of_register(var, format!("\\at({}, Pre)", self.name(var)?)),
            },
            _ => None,
        }
    }

    fn element(&self, array: TermId, index: u64) -> Option<Leaf> {
        let FormulaPlace::Array(object) = self.vocabulary.graph.formulas.place(array)? else { return None };
        let (_, bytes) = self.vocabulary.graph.arrays.iter().find(|(other, _)| *other == object)?;
        let offset = i64::try_from(index.checked_mul(u64::from(*bytes))?).ok()?;
        self.place(FactPlace::Memory { object, offset, bytes: *bytes })
    }

    fn address(&self, address: u64) -> Option<String> {
        let program = self.vocabulary.program;
        if let Some(func) = function_at(program, address) {
            return Some(program.functions[func].name.to_string());
        }
        let global = |(id, var): (VarId, &cfa::Var)| {
            let is_object = var.is_global() && var.register().is_none() && self.vocabulary.bases[id] == address;
            is_object.then(|| self.address_of(ObjectRef::Global(id)))
        };
        let found = program.vars.iter_enumerated().find_map(global);
        found.unwrap_or_else(|| {
            let index = self.vocabulary.graph.objects.iter().position(|object| object.base == address)?;
            self.address_of(ObjectRef::Placed(index as u32))
        })
    }
}
