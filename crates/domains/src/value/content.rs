//! What the steps of a function depend on, as content addresses: its operations, and what is known of the whole program where it matters to
//! them.
//!
//! A step reads the operation of its edge, the values of its state, and four things that other functions may change:
//!
//! * which globals are constants, with their initial values;
//! * which objects an unknown pointer may lead to, by points-to analysis;
//! * which cells of these objects belong to the same class;
//! * where the graph has nodes, which blocks begin, and what the property observes (written by the caller).
//!
//! Whether somebody reads a register, or it is live, only decides what is forgotten; states that know more or less are as true.

use super::ValueDomain;
use base::bytes::{Digest, Writer};
use cfa::content::{for_each_global, write_function};
use cfa::layout::function_address;
use cfa::names::Names;
use cfa::points_to::{CellRange, ClassId, Object};
use cfa::{FuncId, InitValue, Op, Reach, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names and addresses of a program's parts, computed when they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Names.
    pub names: Names,
    globals: FxHashMap<VarId, Digest>,
    /// Globals whose address is being computed: pointers may lead in circles.
    open: FxHashSet<VarId>,
    classes: FxHashMap<ClassId, Digest>,
}

impl Contents {
    /// Nothing is computed but the names.
    pub fn new(names: Names) -> Self {
        Self { names, ..Self::default() }
    }
}

impl ValueDomain<'_> {
    /// Writes what the steps of a function depend on.
    pub(crate) fn write_content(&mut self, w: &mut Writer, contents: &mut Contents, func: FuncId) {
        let program = self.program;
        write_function(w, program, &contents.names, func);
        let mut globals = Vec::new();
        for_each_global(program, &contents.names, func, |var| globals.push(var));
        globals.sort_unstable();
        globals.dedup();
        let mut digests: Vec<Digest> = globals.into_iter().map(|var| self.global(contents, var)).collect();
        digests.sort_unstable();
        digests.iter().for_each(|digest| w.digest(digest));
        for edge in contents.names.edges(func).to_vec() {
            match &program.edges[edge].op {
                Op::Store { addr, .. } => self.write_class(w, contents, self.points_to.class_of_address(*addr)),
                Op::MemHavoc { dst, len: Reach::Object, .. } => {
                    for class in self.points_to.classes_of_objects(*dst) {
                        self.write_class(w, contents, class);
                    }
                }
                Op::MemCopy { dst, len, .. }
                | Op::MemSet { dst, len, .. }
                | Op::MemHavoc { dst, len: Reach::Bytes(len), .. } => {
                    self.write_class(w, contents, self.points_to.class_of_address(*dst));
                    let ranges = self.points_to.cells(*dst, *len);
                    self.write_ranges(w, contents, &ranges);
                }
                Op::Alloc { .. } | Op::Realloc { .. } => self.write_origin(w, contents, Object::Alloc(edge)),
                _ => {}
            }
        }
        for var in self.facts.memory_vars(func).to_vec() {
            self.write_origin(w, contents, Object::Var(var));
        }
    }

    /// Writes an origin of objects with the classes of its cells.
    pub(crate) fn write_origin(&mut self, w: &mut Writer, contents: &mut Contents, origin: Object) {
        contents.names.write_object(w, self.program, origin);
        if let Object::Var(var) = origin {
            w.text(&format!("{:?}", self.program.vars[var].storage));
            if self.program.vars[var].is_global() {
                let content = self.global(contents, var);
                w.digest(&content);
            }
        }
        let ranges = self.ranges_of(origin);
        self.write_ranges(w, contents, &ranges);
    }

    fn write_ranges(&self, w: &mut Writer, contents: &mut Contents, ranges: &[CellRange]) {
        w.index(ranges.len());
        for range in ranges {
            self.write_class(w, contents, range.class);
            w.signed(range.offset);
            w.number(range.size);
            w.number(range.stride);
        }
    }

    /// A class is known by its objects, which no other node of points-to analysis has, and its place in them.
    fn write_class(&self, w: &mut Writer, contents: &mut Contents, class: ClassId) {
        if let Some(digest) = contents.classes.get(&class) {
            return w.digest(digest);
        }
        let name = |object: &Object| {
            let mut w = Writer::default();
            contents.names.write_object(&mut w, self.program, *object);
            w.bytes
        };
        let mut objects: Vec<Vec<u8>> = self.points_to.objects(class).iter().map(name).collect();
        objects.sort_unstable();
        let (offset, size) = self.points_to.position(class);
        let mut own = Writer::default();
        own.text(if objects.is_empty() { "nothing" } else { "class" });
        own.signed(offset);
        own.number(size);
        objects.iter().for_each(|object| own.blob(object));
        let digest = own.address();
        contents.classes.insert(class, digest);
        w.digest(&digest);
    }

    /// What runs may rely on about a global variable.
    pub(crate) fn global(&mut self, contents: &mut Contents, var: VarId) -> Digest {
        if let Some(digest) = contents.globals.get(&var) {
            return *digest;
        }
        let program = self.program;
        let mut w = Writer::default();
        contents.names.write_var(&mut w, program, var);
        if !contents.open.insert(var) {
            return w.address();
        }
        let info = &program.vars[var];
        w.text(&format!("{:?}", info.storage));
        w.number(u8::from(self.facts.is_left_to_environment(var)));
        let is_constant = self.facts.is_constant(var);
        w.number(u8::from(is_constant));
        if let (true, Some(init)) = (is_constant, &info.init) {
            w.index(init.cells.len());
            for (offset, ty, value) in &init.cells {
                w.number(*offset);
                w.text(&format!("{ty:?}"));
                match value {
                    InitValue::Scalar(value) => {
                        w.number(0u8);
                        w.number(value.0);
                    }
                    InitValue::Address(target, add) => {
                        w.number(1u8);
                        let target = self.global(contents, *target);
                        w.digest(&target);
                        w.signed(*add);
                    }
                    InitValue::Function(func) => {
                        w.number(2u8);
                        w.number(function_address(*func));
                    }
                }
            }
            for (offset, bytes) in &init.bytes {
                w.number(*offset);
                w.blob(bytes);
            }
        }
        contents.open.remove(&var);
        let digest = w.address();
        contents.globals.insert(var, digest);
        digest
    }
}
