//! The result of the analysis as numbered classes of cells.

use super::slots::{NONE, Ptr, TypeMask};
use super::unify::Solver;
use crate::value::{FloatFormat, Scalar};
use base::{IdVec, new_id};

new_id! {
    /// A class of memory cells: a field of the objects of a node, or the bytes of a node that no scalar access touches.
    pub struct ClassId;
}

/// How the memory of a class can be modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// Every access reads or writes whole cells of this type, and cells never overlap in part. Integers are given as
    /// unsigned; where both integers of pointer width and pointers occur, it is the integer type.
    Typed(Scalar),
    /// Accesses of several types, overlapping cells, or none: an array of bytes.
    Bytes,
}

/// Cells of one class in a range of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellRange {
    /// Their class.
    pub class: ClassId,
    /// First byte relative to the start of the range; may be negative for a cell that begins before the range.
    pub offset: i64,
    /// Bytes of a cell.
    pub size: u32,
    /// Distance to the next cell of the class; 0 if there is only one. With stride 1, `size` is 1: all bytes.
    pub stride: u64,
}

/// A class and where it lies in its node.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub node: u32,
    /// Offset and size; size 0 stands for the bytes that belong to no cell.
    pub offset: i64,
    pub size: u32,
    pub kind: RegionKind,
}

/// All classes.
pub(super) struct Numbering {
    pub classes: IdVec<ClassId, Class>,
    /// First class of each node, by node.
    pub first: Vec<u32>,
    /// Class of each cell, by slot.
    pub of_cell: Vec<u32>,
}

/// Numbers all classes. Class 0 is memory that no pointer leads to; each other node has a class for untouched bytes and one
/// for each cell.
pub(super) fn number(solver: &Solver, pointer_bits: u32) -> Numbering {
    let mut of_cell = vec![NONE; solver.slots.len()];
    let mut classes = IdVec::new();
    let nowhere = Class { node: NONE, offset: 0, size: 0, kind: RegionKind::Bytes };
    classes.push(nowhere);
    let mut first = vec![NONE; solver.nodes.len()];
    for (id, node) in solver.nodes.iter().enumerate() {
        if !solver.is_root(id as u32) {
            continue;
        }
        first[id] = classes.len() as u32;
        classes.push(Class { node: id as u32, offset: 0, size: 0, kind: RegionKind::Bytes });
        for (offset, cell) in &node.cells {
            let slot = &solver.slots[*cell as usize];
            let size = i64::from(slot.size);
            let is_cut = match node.stride as i64 {
                0 => {
                    let next = node.cuts.partition_point(|c| c <= offset);
                    node.cuts.get(next).is_some_and(|c| *c < offset.saturating_add(size))
                }
                k => node.cuts.iter().any(|c| (1..size).contains(&(c - offset).rem_euclid(k))),
            };
            let kind = match single_type(slot.types, pointer_bits) {
                Some(ty) if ty.access_bytes(pointer_bits) == slot.size && !is_cut => RegionKind::Typed(ty),
                _ => RegionKind::Bytes,
            };
            of_cell[*cell as usize] = classes.len() as u32;
            classes.push(Class { node: id as u32, offset: *offset, size: slot.size, kind });
        }
    }
    Numbering { classes, first, of_cell }
}

/// The cell that a place is in.
pub(super) fn cell_at(solver: &Solver, at: Ptr) -> Option<u32> {
    let (start, cell) = solver.nodes[at.node as usize].cells.range(..=at.off).next_back()?;
    (at.off - start < i64::from(solver.slots[*cell as usize].size)).then_some(*cell)
}

const INTS: [u16; 5] = [8, 16, 32, 64, 128];
const FLOATS: [FloatFormat; 5] =
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F80, FloatFormat::F128];

/// The bit of a type in a [`TypeMask`].
pub(super) fn type_bit(ty: Scalar) -> TypeMask {
    let index = match ty {
        Scalar::Bool => 0,
        Scalar::Int { bits, .. } => INTS.iter().position(|b| *b == bits).unwrap_or(0),
        Scalar::Float(format) => 5 + FLOATS.iter().position(|f| *f == format).unwrap_or(0),
        Scalar::Ptr => 10,
    };
    1 << index
}

/// The one type of all accesses.
fn single_type(mut types: TypeMask, pointer_bits: u32) -> Option<Scalar> {
    let pointer = type_bit(Scalar::Ptr);
    let address = type_bit(Scalar::Int { bits: pointer_bits as u16, signed: false });
    if types == pointer | address {
        types = address;
    }
    if types.count_ones() != 1 {
        return None;
    }
    Some(match types.trailing_zeros() as usize {
        i @ 0..5 => Scalar::Int { bits: INTS[i], signed: false },
        i @ 5..10 => Scalar::Float(FLOATS[i - 5]),
        _ => Scalar::Ptr,
    })
}
