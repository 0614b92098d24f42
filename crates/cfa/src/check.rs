//! Kinds of checks that are made explicit, besides assertions.
//!
//! In front of an operation that a kind speaks of stands a branch; where its condition holds, the run enters a location with the kind's
//! label, and ends. A property forbids these labels as it forbids those of the source, which have no `-`.

use std::fmt;

/// Behind the name of a variable, the name of the register that says whether it was written.
pub const WRITTEN: &str = "$is_written";

/// The label of where a run ends that would break a check which is looked at elsewhere.
pub const SETTLED: &str = "settled-check";

/// Name of the register that counts the heap blocks.
pub const BLOCKS: &str = "blocks";

/// A kind of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Memory is accessed within live objects only.
    Memory,
    /// `free` and `realloc` get heap blocks that are alive.
    Free,
    /// Heap blocks are freed, or can be reached.
    Leak,
    /// Heap blocks are freed.
    Cleanup,
    /// The result of `+`, `-`, `*`, `/`, `%`, `++` or `--` on signed integers fits its type.
    Overflow,
    /// No integer is divided by zero.
    Division,
    /// Integers are shifted by less than their width, and not by a negative amount.
    Shift,
    /// Pointers that are called lead to functions of a fitting type.
    Call,
    /// Functions whose value is used return one, and what the program calls unreachable is.
    Return,
    /// Automatic variables in registers are written before they are read.
    Uninitialised,
    /// Floating-point numbers that become integers fit their type.
    FloatCast,
    /// An index of an array that is a member of a record stays in that array.
    Fields,
    /// Addresses of scalars that are accessed are multiples of their alignment.
    Alignment,
    /// No negative number is shifted to the left.
    NegativeShift,
    /// The result of `+`, `-`, `*`, `++`, `--` or `<<` on unsigned integers fits its type.
    UnsignedOverflow,
    /// Conversions that the program does not write keep the value of integers.
    Conversion,
    /// Pointer arithmetic does not wrap around the address space.
    PointerOverflow,
}

/// What is said about a kind of checks.
#[derive(Debug)]
pub struct Words {
    /// What the command line calls it.
    pub option: &'static str,
    /// What it looks for, behind the option.
    pub about: &'static str,
    /// The name of the property, which is the label of where a run breaks it.
    pub property: &'static str,
    /// What happens where a run breaks it.
    pub fault: &'static str,
    /// What holds where no run breaks it.
    pub promise: &'static str,
    /// The name of a rule of static analysis, what it says, and the weaknesses of the CWE that it finds.
    pub rule: (&'static str, &'static str, &'static str),
}

impl Check {
    /// All kinds.
    pub const ALL: [Check; 17] = [
        Check::Memory,
        Check::Free,
        Check::Leak,
        Check::Cleanup,
        Check::Overflow,
        Check::Division,
        Check::Shift,
        Check::Call,
        Check::Return,
        Check::Uninitialised,
        Check::FloatCast,
        Check::Fields,
        Check::Alignment,
        Check::NegativeShift,
        Check::UnsignedOverflow,
        Check::Conversion,
        Check::PointerOverflow,
    ];

    /// What is said about it.
    pub const fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }

    /// The name of the property, which is the label of where a run breaks it.
    pub const fn property(self) -> &'static str {
        self.words().property
    }

    /// Whether C programs are checked for it where nobody says what to check.
    pub const fn is_default(self) -> bool {
        !matches!(
            self,
            Check::Cleanup
                | Check::Fields
                | Check::Alignment
                | Check::NegativeShift
                | Check::UnsignedOverflow
                | Check::Conversion
                | Check::PointerOverflow
        )
    }

    /// Whether it is about an operation on numbers.
    pub const fn is_of_operation(self) -> bool {
        use Check::{Division, NegativeShift, Overflow, Shift, UnsignedOverflow};
        matches!(self, Overflow | Division | Shift | NegativeShift | UnsignedOverflow)
    }

    /// Whether it is about objects in memory.
    pub const fn is_of_memory(self) -> bool {
        matches!(self, Check::Memory | Check::Free | Check::Leak | Check::Cleanup)
    }

    /// What SV-COMP writes where no run breaks it; `None` if it has no words for that.
    pub const fn formula(self) -> Option<&'static str> {
        match self {
            Check::Memory => Some("G valid-deref"),
            Check::Free => Some("G valid-free"),
            Check::Leak => Some("G valid-memtrack"),
            Check::Cleanup => Some("G valid-memcleanup"),
            Check::Overflow => Some("G ! overflow"),
            _ => None,
        }
    }

    /// The kind of a label.
    pub fn of_label(label: &str) -> Option<Check> {
        Self::ALL.into_iter().find(|check| check.property() == label)
    }
}

/// In the order of the kinds.
const WORDS: [Words; Check::ALL.len()] = [
    Words {
        option: "memory",
        about: "accesses that leave their objects, or come before or after their lives",
        property: "valid-deref",
        fault: "an access leaves its object",
        promise: "every access stays in its object",
        rule: ("InvalidAccess", "An access can leave its object, or come outside of its life", "CWE-119"),
    },
    Words {
        option: "free",
        about: "`free` and `realloc` of what is no live heap block",
        property: "valid-free",
        fault: "what is no live heap block is freed",
        promise: "only live heap blocks are freed",
        rule: ("InvalidFree", "What is no live heap block can be freed", "CWE-415, CWE-590"),
    },
    Words {
        option: "leak",
        about: "heap blocks that no pointer leads to any more",
        property: "valid-memtrack",
        fault: "a heap block is lost",
        promise: "no heap block is lost",
        rule: ("MemoryLeak", "A heap block can be lost", "CWE-401"),
    },
    Words {
        option: "cleanup",
        about: "heap blocks that are not freed at the end",
        property: "valid-memcleanup",
        fault: "a heap block is not freed",
        promise: "every heap block is freed",
        rule: ("MissingFree", "A heap block can be left at the end", "CWE-401"),
    },
    Words {
        option: "overflow",
        about: "signed operations whose result does not fit",
        property: "no-overflow",
        fault: "a signed operation overflows",
        promise: "no signed operation overflows",
        rule: ("SignedOverflow", "An operation on signed integers can overflow", "CWE-190"),
    },
    Words {
        option: "division",
        about: "integers divided by zero",
        property: "no-division-by-zero",
        fault: "an integer is divided by zero",
        promise: "no integer is divided by zero",
        rule: ("DivisionByZero", "An integer can be divided by zero", "CWE-369"),
    },
    Words {
        option: "shift",
        about: "shifts out of range",
        property: "no-invalid-shift",
        fault: "a shift is out of range",
        promise: "no shift is out of range",
        rule: ("InvalidShift", "A shift can be out of range", "CWE-1335"),
    },
    Words {
        option: "call",
        about: "calls through pointers to no function of a fitting type",
        property: "valid-call",
        fault: "a pointer to no function of a fitting type is called",
        promise: "every call finds a function of a fitting type",
        rule: ("InvalidCall", "A pointer to no function of a fitting type can be called", "CWE-628"),
    },
    Words {
        option: "return",
        about: "missing results of functions, `_Noreturn` functions that return, and `__builtin_unreachable`",
        property: "valid-return",
        fault: "a function ends without the value that is used, or though it must not, or what is called unreachable is reached",
        promise: "every function whose value is used returns one",
        rule: ("MissingReturn", "A function whose value is used can end without one", "CWE-394"),
    },
    Words {
        option: "uninitialised",
        about: "automatic variables that are read before they are written",
        property: "no-uninitialised-read",
        fault: "a variable is read before it is written",
        promise: "no automatic variable is read before it is written",
        rule: ("UninitialisedRead", "A variable can be read before it is written", "CWE-457"),
    },
    Words {
        option: "float-cast",
        about: "floating-point numbers that don't fit the integer that they become",
        property: "no-invalid-conversion",
        fault: "a floating-point number does not fit the integer that it becomes",
        promise: "every floating-point number fits the integer that it becomes",
        rule: ("FloatCastOverflow", "A floating-point number may not fit the integer that it becomes", "CWE-681"),
    },
    Words {
        option: "memory+fields",
        about: "indices that leave an array for the next member of its record",
        property: "valid-index",
        fault: "an index leaves its array",
        promise: "every index stays in its array",
        rule: ("InvalidIndex", "An index can leave its array", "CWE-129"),
    },
    Words {
        option: "memory+alignment",
        about: "accesses at addresses that are not aligned",
        property: "valid-alignment",
        fault: "an access is not aligned",
        promise: "every access is aligned",
        rule: ("MisalignedAccess", "An access may not be aligned", "CWE-704"),
    },
    Words {
        option: "shift+negative",
        about: "negative numbers that are shifted to the left",
        property: "no-negative-shift",
        fault: "a negative number is shifted to the left",
        promise: "no negative number is shifted to the left",
        rule: ("NegativeShift", "A negative number can be shifted to the left", "CWE-758"),
    },
    Words {
        option: "unsigned-overflow",
        about: "unsigned operations that wrap around",
        property: "no-unsigned-overflow",
        fault: "an unsigned operation wraps around",
        promise: "no unsigned operation wraps around",
        rule: ("UnsignedOverflow", "An operation on unsigned integers can wrap around", "CWE-190"),
    },
    Words {
        option: "conversion",
        about: "implicit conversions that change the value of an integer",
        property: "no-lossy-conversion",
        fault: "an implicit conversion changes the value",
        promise: "no implicit conversion changes a value",
        rule: ("LossyConversion", "An implicit conversion can change a value", "CWE-681"),
    },
    Words {
        option: "pointer-overflow",
        about: "pointer arithmetic that wraps around",
        property: "no-pointer-overflow",
        fault: "pointer arithmetic wraps around",
        promise: "no pointer arithmetic wraps around",
        rule: ("PointerOverflow", "Pointer arithmetic can wrap around", "CWE-468"),
    },
];

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.property())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (i, check) in Check::ALL.into_iter().enumerate() {
            assert_eq!((check as usize, Check::of_label(check.property())), (i, Some(check)));
            for other in &Check::ALL[i + 1..] {
                assert_ne!(check.words().option, other.words().option);
                assert_ne!(check.words().rule.0, other.words().rule.0);
            }
        }
    }
}
