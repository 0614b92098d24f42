//! Arguments of an entry function that is not `main`: pointers are null, or lead to objects that are made for them.
//!
//! An object has any number of elements up to a bound, and holds anything; pointers in it are made in the same way, to a bounded depth, and
//! are null beyond. What is taken for granted with that is listed.

use crate::context::Lowerer;
use base::Span;
use cfa::layout::ALLOCATED;
use cfa::{AllocKind, BinOp, ExprId, HavocSource, Op, Scalar, Storage, VarId, VarKind};
use cfront::types::{ArrayLen, Type, TypeId};

/// Most pointers and truth values in one element that something is said of.
const MOST_PARTS: usize = 64;

/// What can't hold just anything.
pub(crate) enum Part {
    Pointer(TypeId),
    Truth,
}

/// A part with its offset and what stands behind the name of the object.
pub(crate) type Placed = (u64, String, Part);

impl Lowerer<'_> {
    /// A pointer argument of the entry function, if objects are made for it.
    pub fn argument_pointer(&mut self, name: &str, ty: TypeId, depth: u32, span: Span) -> Option<VarId> {
        let arguments = self.environment.arguments;
        let pointee = self.unit.types.pointee(ty)?;
        let size = match self.unit.types.get(pointee) {
            Type::Function(_) => return None,
            Type::Void => 1,
            _ => self.size(pointee).filter(|size| *size > 0)?,
        };
        if arguments.max_elements == 0 {
            return None;
        }
        let dst = self.pointer_register(name, ty, span);
        let (null, some, end) = (self.node(), self.node(), self.node());
        let is_null = self.choice(&format!("{name} is null"), span);
        self.branch_on(is_null, null, some, span);
        self.enter(null);
        let zero = self.zero(Scalar::Ptr);
        self.assign(dst, zero, span);
        self.goto(end, span);
        self.enter(some);
        if arguments.shared && depth == 0 {
            for earlier in
                self.argument_objects.clone().into_iter().filter(|(of, _)| *of == self.unit.types.plain(pointee))
            {
                let (same, other) = (self.node(), self.node());
                let is_same = self.choice(&format!("{name} is shared"), span);
                self.branch_on(is_same, same, other, span);
                self.enter(same);
                let value = self.var(earlier.1);
                self.assign(dst, value, span);
                self.goto(end, span);
                self.enter(other);
            }
        }
        self.new_elements(dst, (name, pointee, size), depth, span);
        self.goto(end, span);
        self.enter(end);
        if depth == 0 {
            self.argument_objects.push((self.unit.types.plain(pointee), dst));
        }
        Some(dst)
    }

    /// `dst` := address of an object of any number of elements.
    fn new_elements(&mut self, dst: VarId, (name, pointee, size): (&str, TypeId, u64), depth: u32, span: Span) {
        let ty = self.usize_ty();
        let length = self.register(ty, &format!("elements of {name}"), span);
        self.emit(Op::Havoc { dst: length, source: HavocSource::Environment }, span);
        let length = self.var(length);
        let some = self.with_constant(BinOp::Ge, length, 1);
        let few = self.with_constant(BinOp::Le, length, i128::from(self.environment.arguments.max_elements));
        let fits = self.binary(BinOp::And, some, few);
        self.require(fits, span);
        let bytes = self.with_constant(BinOp::Mul, length, i128::from(size));
        self.emit(Op::Alloc { dst, size: bytes, align: ALLOCATED, kind: AllocKind::Stack }, span);
        let start = self.var(dst);
        let is_text = size == 1 && matches!(self.unit.types.get(pointee), Type::Int(_));
        if is_text && self.environment.arguments.terminated {
            let last = self.with_constant(BinOp::Sub, length, 1);
            let last = self.ptr_add(start, last);
            let zero = self.zero(Scalar::Int { bits: 8, signed: false });
            self.store(last, zero, span);
        }
        let mut parts = Vec::new();
        self.parts(pointee, 0, "", &mut parts);
        if !parts.is_empty() {
            self.each_element(start, (length, size), span, |this, element| {
                this.fill(element, &parts, name, depth + 1, span);
            });
        }
    }

    /// A register of the start function for a pointer of a C type.
    pub fn pointer_register(&mut self, name: &str, ty: TypeId, span: Span) -> VarId {
        self.f.n_temps += 1;
        let name = format!("{name}${}", self.f.n_temps).into();
        self.local_named(name, Storage::Register(Scalar::Ptr), VarKind::Temp, ty, span)
    }

    /// Does something for each element of an array.
    fn each_element(
        &mut self,
        start: ExprId,
        (length, size): (ExprId, u64),
        span: Span,
        fill: impl FnOnce(&mut Self, ExprId),
    ) {
        let ty = self.usize_ty();
        let counter = self.register(ty, "i", span);
        let zero = self.zero(ty);
        self.assign(counter, zero, span);
        let (head, inside, end) = (self.node(), self.node(), self.node());
        self.goto(head, span);
        self.enter(head);
        let i = self.var(counter);
        let more = self.binary(BinOp::Lt, i, length);
        self.branch_on(more, inside, end, span);
        self.enter(inside);
        let offset = self.with_constant(BinOp::Mul, i, i128::from(size));
        let element = self.ptr_add(start, offset);
        fill(self, element);
        let next = self.with_constant(BinOp::Add, i, 1);
        self.assign(counter, next, span);
        self.goto(head, span);
        self.enter(end);
    }

    /// Pointers and truth values in a record argument that is given by value.
    pub fn fill_record(&mut self, addr: ExprId, ty: TypeId, name: &str, span: Span) {
        let mut parts = Vec::new();
        self.parts(ty, 0, "", &mut parts);
        self.fill(addr, &parts, name, 0, span);
    }

    fn fill(&mut self, element: ExprId, parts: &[Placed], name: &str, depth: u32, span: Span) {
        for (offset, suffix, part) in parts {
            let name = &format!("{name}{suffix}");
            let at = self.ptr_offset(element, i128::from(*offset));
            match part {
                Part::Truth => {
                    let byte = Scalar::Int { bits: 8, signed: false };
                    let choice = self.choice(name, span);
                    let value = self.cast(choice, byte);
                    self.store(at, value, span);
                }
                Part::Pointer(ty) => {
                    let is_function = self
                        .unit
                        .types
                        .pointee(*ty)
                        .is_some_and(|to| matches!(self.unit.types.get(to), Type::Function(_)));
                    let made = if depth < self.environment.arguments.max_depth {
                        self.argument_pointer(name, *ty, depth, span)
                    } else {
                        None
                    };
                    let value = match made {
                        Some(made) => self.var(made),
                        None if is_function => {
                            let function = self.register(Scalar::Ptr, name, span);
                            self.external_pointer(function, name, *ty, span);
                            self.var(function)
                        }
                        None => self.zero(Scalar::Ptr),
                    };
                    self.store(at, value, span);
                }
            }
        }
    }

    /// Pointers and truth values in an object of a type, with their offsets. Of unions nothing is said.
    pub fn parts(&self, ty: TypeId, offset: u64, suffix: &str, found: &mut Vec<Placed>) {
        if found.len() >= MOST_PARTS {
            return;
        }
        match self.unit.types.get(ty) {
            Type::Bool => found.push((offset, suffix.to_owned(), Part::Truth)),
            Type::Pointer(_) => found.push((offset, suffix.to_owned(), Part::Pointer(ty))),
            Type::Array(elem, ArrayLen::Fixed(n)) => {
                let Some(size) = self.size(*elem).filter(|size| *size > 0) else { return };
                for i in 0..*n {
                    let before = found.len();
                    self.parts(*elem, offset + i * size, &format!("{suffix}_{i}"), found);
                    if found.len() == before || found.len() >= MOST_PARTS {
                        return;
                    }
                }
            }
            Type::Record(id) => {
                let record = &self.unit.types.records[*id];
                for field in record.layout.iter().filter(|_| !record.is_union).flat_map(|layout| &layout.fields) {
                    if field.bits.is_none() {
                        let name = field.name.as_deref().map_or_else(String::new, |name| format!("_{name}"));
                        self.parts(field.ty, offset + field.offset, &format!("{suffix}{name}"), found);
                    }
                }
            }
            _ => {}
        }
    }

    fn choice(&mut self, name: &str, span: Span) -> ExprId {
        let choice = self.register(Scalar::Bool, name, span);
        self.emit(Op::Havoc { dst: choice, source: HavocSource::Environment }, span);
        self.var(choice)
    }

    /// Lists what was taken for granted of arguments.
    pub fn note_arguments(&mut self, entry: &str, span: Span) {
        if self.argument_objects.is_empty() {
            return;
        }
        let arguments = self.environment.arguments;
        let apart = if arguments.shared { "" } else { "separate " };
        let text = if arguments.terminated { ", where texts end with a zero" } else { "" };
        let depth = match arguments.max_depth {
            1 => "; pointers in these are null".to_owned(),
            depth => format!("; pointers in these, too, to a depth of {depth}"),
        };
        let most = arguments.max_elements;
        let all = format!(
            "pointer arguments of `{entry}` are null or lead to {apart}objects of 1 to {most} elements{text}{depth}"
        );
        self.p.assumed.push((all.into(), span));
    }
}
