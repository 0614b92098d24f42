//! Sizes, alignments and the layout of records, as GCC lays them out by the System V ABI of i386 and x86-64.
//!
//! The rules for records follow `stor-layout.cc` of GCC (`layout_decl`, `update_alignment_for_field`, `place_field`),
//! with
//! `PCC_BITFIELD_TYPE_MATTERS` and i386's `ADJUST_FIELD_ALIGN`; a test compares them with the installed GCC.

use crate::types::{ArrayLen, BitField, Field, RecordLayout, Type, TypeId, Types};
use base::Name;
use syntax::machine_model::Machine;
use syntax::machine_model::{FloatKind, IntKind};

/// A member of a record before layout.
#[derive(Clone, Debug)]
pub struct MemberSpec {
    /// `None` for anonymous records and unnamed bit-fields.
    pub name: Option<Name>,
    /// Declared type.
    pub ty: TypeId,
    /// Alignment that the typedef which names the type demands.
    pub type_align: Option<u32>,
    /// Alignment by an attribute of the member.
    pub align: Option<u32>,
    /// Attribute `packed` of the member.
    pub packed: bool,
    /// Width of a bit-field.
    pub width: Option<u32>,
}

/// What the attributes of a record say about its layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions {
    /// Members overlap.
    pub is_union: bool,
    /// Attribute `packed`.
    pub packed: bool,
    /// Attribute `aligned`.
    pub align: Option<u32>,
    /// `#pragma pack`
    pub pack: Option<u32>,
}

impl Types {
    /// Size in bytes; `None` for incomplete types, functions, and variable-length arrays. `void` has size 1 (GNU).
    pub fn size_of(&self, machine: Machine, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Void | Type::Bool => Some(1),
            Type::Int(kind) => Some(machine.int_size(*kind)),
            Type::Float(kind) => Some(machine.float_size(*kind)),
            Type::Enum(id) => Some(machine.int_size(self.enum_repr(*id))),
            Type::Pointer(_) => Some(machine.pointer_size()),
            Type::Array(elem, ArrayLen::Fixed(len)) => self.size_of(machine, *elem)?.checked_mul(*len),
            Type::Array(..) | Type::Function(_) => None,
            Type::Record(id) => self.records[*id].layout.as_ref().map(|l| l.size),
            Type::VaList => Some(machine.va_list_layout().0),
            Type::Unsupported(_) => self.unsupported_layout(ty).map(|l| l.0),
        }
    }

    /// Alignment in bytes as `__alignof__` gives it (`long long` on i386: 8); 1 for what has none.
    pub fn align_of(&self, machine: Machine, ty: TypeId) -> u32 {
        self.align_and_origin(machine, ty).0
    }

    /// Alignment as `_Alignof` gives it: that of a member of this type (`long long` on i386: 4).
    pub fn member_align_of(&self, machine: Machine, ty: TypeId) -> u32 {
        match self.align_and_origin(machine, ty) {
            (align, Origin::Natural) => self.adjust_member_align(machine, ty, align),
            (align, Origin::User) => align,
        }
    }

    fn align_and_origin(&self, machine: Machine, ty: TypeId) -> (u32, Origin) {
        let align = match self.get(ty) {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int(kind) => machine.int_size(*kind) as u32,
            Type::Float(kind) => machine.float_align(*kind),
            Type::Enum(id) => machine.int_size(self.enum_repr(*id)) as u32,
            Type::Pointer(_) => machine.pointer_size() as u32,
            Type::Array(elem, _) => return self.align_and_origin(machine, *elem),
            Type::Record(id) => {
                return match &self.records[*id].layout {
                    Some(l) if l.user_aligned => (l.align, Origin::User),
                    Some(l) => (l.align, Origin::Natural),
                    None => (1, Origin::Natural),
                };
            }
            Type::VaList => machine.va_list_layout().1,
            Type::Unsupported(_) => self.unsupported_layout(ty).map_or(1, |l| l.1),
        };
        (align, Origin::Natural)
    }

    /// `x86_field_alignment` of GCC: on i386 members of scalar type are aligned to 4 bytes at most.
    fn adjust_member_align(&self, machine: Machine, ty: TypeId, align: u32) -> u32 {
        if machine != Machine::Ilp32 {
            return align;
        }
        let mut ty = ty;
        while let Type::Array(elem, _) = self.get(ty) {
            ty = *elem;
        }
        match self.get(ty) {
            Type::Int(IntKind::LongLong | IntKind::ULongLong) | Type::Enum(_) => align.min(4),
            Type::Float(FloatKind::Double) => align.min(4),
            // `_Complex double`; vectors keep their alignment.
            Type::Unsupported(name) if name.starts_with("_Complex") => align.min(4),
            _ => align,
        }
    }

    /// Places the members of a record. Types that have no size count as empty.
    pub fn lay_out(&self, machine: Machine, members: &[MemberSpec], options: RecordOptions) -> RecordLayout {
        let mut placer = Placer {
            types: self,
            machine,
            options,
            pos: 0,
            end: 0,
            align: options.align.unwrap_or(1).max(1) * 8,
            user_aligned: options.align.is_some(),
        };
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            let start = placer.place(member);
            let is_unnamed_bit_field = member.name.is_none() && member.width.is_some();
            if is_unnamed_bit_field {
                continue;
            }
            let bits = member.width.map(|width| BitField { shift: (start % 8) as u32, width });
            let (name, offset) = (member.name.clone(), (start / 8) as u64);
            fields.push(Field { name, ty: member.ty, offset, bits, type_align: member.type_align });
        }
        let end = placer.end.max(placer.pos);
        let size = end.next_multiple_of(u128::from(placer.align)) / 8;
        RecordLayout {
            fields,
            size: u64::try_from(size).unwrap_or(u64::MAX),
            align: placer.align / 8,
            user_aligned: placer.user_aligned,
        }
    }
}

/// Where an alignment comes from: GCC's `TYPE_USER_ALIGN`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Natural,
    User,
}

/// What is known of a member before it is placed; alignments in bits.
#[derive(Clone, Copy)]
struct Measured {
    /// `TYPE_ALIGN`
    type_align: u32,
    origin: Origin,
    /// `type_align` as far as the machine has it in records.
    field_align: u32,
    /// `DECL_PACKED`
    packed: bool,
    /// Width of an integer type as which GCC takes the bit-field.
    own_unit: Option<u32>,
}

/// The state of GCC's `record_layout_info`; positions and alignments in bits.
struct Placer<'a> {
    types: &'a Types,
    machine: Machine,
    options: RecordOptions,
    pos: u128,
    end: u128,
    align: u32,
    user_aligned: bool,
}

impl Placer<'_> {
    /// First bit of the member.
    fn place(&mut self, member: &MemberSpec) -> u128 {
        let measured = self.measure(member);
        let size = u128::from(self.types.size_of(self.machine, member.ty).unwrap_or(0)) * 8;
        let desired = self.desired_align(member, measured);
        if let Some(width) = member.width {
            return self.place_bit_field(member, width, size, desired, measured);
        }
        self.align = self.align.max(desired);
        self.user_aligned |= measured.origin == Origin::User || member.align.is_some();
        if self.options.is_union {
            self.end = self.end.max(size);
            return 0;
        }
        self.pos = self.pos.next_multiple_of(u128::from(desired));
        let start = self.pos;
        self.pos += size;
        start
    }

    fn place_bit_field(
        &mut self,
        member: &MemberSpec,
        width: u32,
        size: u128,
        desired: u32,
        measured: Measured,
    ) -> u128 {
        if member.name.is_some() {
            let align = match self.options.pack {
                Some(pack) => measured.field_align.min(pack * 8),
                None if measured.packed => measured.field_align.min(8),
                None => measured.field_align,
            };
            self.align = self.align.max(desired).max(align);
            self.user_aligned |= measured.origin == Origin::User || member.align.is_some();
        }
        if self.options.is_union {
            self.end = self.end.max(u128::from(width).next_multiple_of(8));
            return 0;
        }
        self.pos = self.pos.next_multiple_of(u128::from(desired));
        let may_straddle = measured.packed || self.options.pack.is_some() || measured.own_unit.is_some();
        if !may_straddle && width != 0 {
            // It may not span more units of its type's alignment than the type itself.
            let align = u128::from(measured.field_align);
            let units = (self.pos % align + u128::from(width)).div_ceil(align);
            if units > size / align {
                self.pos = self.pos.next_multiple_of(align);
            }
        }
        let start = self.pos;
        self.pos += u128::from(width);
        start
    }

    fn measure(&self, member: &MemberSpec) -> Measured {
        let (align, origin) = match member.type_align {
            Some(align) => (align, Origin::User),
            None => self.types.align_and_origin(self.machine, member.ty),
        };
        let field_align = match origin {
            Origin::User => align,
            Origin::Natural => self.types.adjust_member_align(self.machine, member.ty, align),
        };
        let packed = member.packed || (self.options.packed && (member.width.is_some() || align > 1));
        // A bit-field as wide as an integer type that stands where one could is an ordinary member for GCC.
        let widest = if self.machine.pointer_size() == 8 { 128 } else { 64 };
        let own_unit = member.width.filter(|width| {
            let is_unit = *width >= 8 && width.is_power_of_two() && *width <= widest;
            let stands_well = self.options.is_union || self.pos.is_multiple_of(u128::from(*width).max(1));
            is_unit && stands_well && (*width == 8 || !packed)
        });
        Measured { type_align: align * 8, origin, field_align: field_align * 8, packed, own_unit }
    }

    /// `DECL_ALIGN` after `layout_decl`.
    fn desired_align(&self, member: &MemberSpec, measured: Measured) -> u32 {
        let is_zero_width = member.width == Some(0);
        let packed = measured.packed && !is_zero_width;
        let smallest = if member.width.is_some() { 1 } else { 8 };
        let mut align = member.align.map_or(smallest, |a| a * 8);
        let mut user = member.align.is_some();
        let takes_type_align = if member.width.is_some() { is_zero_width } else { !(packed && user) };
        if takes_type_align && measured.type_align > align {
            align = measured.type_align;
            user = measured.origin == Origin::User;
        }
        align = align.max(measured.own_unit.unwrap_or(1));
        if packed && member.align.is_none() {
            align = smallest;
        }
        if !packed && !user {
            align = self.types.adjust_member_align(self.machine, member.ty, align / 8) * 8;
        }
        if let (Some(pack), false) = (self.options.pack, is_zero_width) {
            align = align.min(pack * 8);
        }
        align.max(1)
    }
}
