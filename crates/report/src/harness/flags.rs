//! How a harness is compiled and run, so that the error shows.

use cfa::{Check, ExprKind, Program, UnOp};
use outcome::Property;

/// What to link the program with: square roots are computed by the library.
pub(super) fn libraries(program: &Program) -> &'static str {
    let is_root = |e| matches!(program.exprs.kind(e), ExprKind::Unary(UnOp::Sqrt, _));
    if program.exprs.ids().any(is_root) { " -lm" } else { "" }
}

/// What shows the error.
pub(super) struct Tools {
    /// Flags for the compiler.
    pub flags: &'static str,
    /// Stands before the program where it is run.
    pub runner: &'static str,
    /// What the program does then.
    pub promise: &'static str,
}

/// The tools for a property.
pub(super) fn tools(violated: Property) -> Tools {
    // Compilers put code of their own in place of calls of the library, which sanitizers would see.
    let of_memory = Tools {
        flags: "-w -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
                -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-strcpy",
        runner: "",
        promise: "tells the error as the sanitizers do, and exits with status 1",
    };
    // Nothing else ends the run before.
    let of_operations = Tools {
        flags: "-w -fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,float-cast-overflow \
                -fno-sanitize-recover=all",
        runner: "",
        promise: "tells the error as the sanitizer does, and exits with status 1",
    };
    let Property::Check(check) = violated else {
        return Tools { flags: "-w -fwrapv", runner: "", promise: "prints \"error reached\" and exits with status 1" };
    };
    match check {
        Check::Memory | Check::Free | Check::Leak => of_memory,
        Check::Cleanup => {
            Tools { promise: "tells all blocks that are left as a leak, and exits with status 1", ..of_memory }
        }
        Check::Uninitialised => Tools {
            flags: "-w -g",
            runner: "valgrind -q --error-exitcode=1 ",
            promise: "tells the error as valgrind does, and exits with status 1",
        },
        Check::Call | Check::Return | Check::UnsignedOverflow | Check::Conversion => {
            Tools { promise: "meets the error, which gcc's sanitizers have no check for", ..of_operations }
        }
        Check::Alignment | Check::Fields | Check::PointerOverflow => Tools {
            flags: "-w -fsanitize=alignment,bounds,object-size,pointer-overflow -fno-sanitize-recover=all",
            ..of_operations
        },
        _ => of_operations,
    }
}

/// What sanitizers of memory ask the program for.
pub(super) fn sanitizer_options(violated: Property) -> &'static str {
    match violated {
        // Nothing but the heap keeps a block.
        Property::Check(Check::Cleanup) => {
            "const char *__asan_default_options(void) { return \"exitcode=1:detect_leaks=1\"; }\n\
             const char *__lsan_default_options(void) {\n    \
             return \"exitcode=1:use_globals=0:use_stacks=0:use_registers=0:use_tls=0\";\n}\n\n"
        }
        Property::Check(check) if check.is_of_memory() => {
            "const char *__asan_default_options(void) {\n    \
             return \"exitcode=1:detect_leaks=1:detect_stack_use_after_return=1\";\n}\n\
             const char *__lsan_default_options(void) { return \"exitcode=1\"; }\n\n"
        }
        _ => "",
    }
}
