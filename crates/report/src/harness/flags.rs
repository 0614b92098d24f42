//! How a harness is compiled and run, so that the error shows.

use super::calls;
use cfa::{Check, Program};
use outcome::{Counterexample, Property};

/// What shows the error.
pub(super) struct Tools {
    /// Flags for the compiler.
    pub flags: &'static str,
    /// Stands before the program where it is run.
    pub runner: &'static str,
    /// What the program does then.
    pub promise: &'static str,
}

/// The tools for a violation. Nothing but its own check may end the run: others may not have been asked for.
pub(super) fn tools(program: &Program, cex: &Counterexample) -> Tools {
    // Compilers put code of their own in place of calls of the library, which sanitizers would see.
    let of_memory = Tools {
        flags: "-w -g -fwrapv -fsanitize=address,null,object-size,vla-bound -fno-sanitize-recover=all \
                -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-strcpy",
        runner: "",
        promise: "tells the error as the sanitizers do, and exits with status 1",
    };
    let of_operations =
        |flags| Tools { flags, runner: "", promise: "tells the error as the sanitizer does, and exits with status 1" };
    let Property::Check(check) = cex.violated else {
        return Tools { flags: "-w -fwrapv", runner: "", promise: "prints \"error reached\" and exits with status 1" };
    };
    match check {
        // The check compares an offset. Far behind a variable, there may be another one; but whether an index leaves an inner array is another check.
        Check::Memory if calls::questions(program, cex).is_empty() => Tools {
            flags: "-w -g -fwrapv -fsanitize=address,null,object-size,vla-bound,bounds -fno-sanitize-recover=all \
                    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-strcpy",
            ..of_memory
        },
        Check::Memory | Check::Free | Check::Leak => of_memory,
        Check::Cleanup => {
            Tools { promise: "tells all blocks that are left as a leak, and exits with status 1", ..of_memory }
        }
        Check::Uninitialised => Tools {
            flags: "-w -g",
            runner: "valgrind -q --error-exitcode=1 ",
            promise: "tells the error as valgrind does, and exits with status 1",
        },
        Check::Call | Check::Return | Check::UnsignedOverflow | Check::Conversion => Tools {
            promise: "meets the error, which gcc's sanitizers have no check for",
            ..of_operations("-w -fwrapv")
        },
        Check::Overflow => of_operations(
            "-w -fsanitize=signed-integer-overflow,integer-divide-by-zero,shift -fno-sanitize-recover=all",
        ),
        Check::Division => of_operations("-w -fwrapv -fsanitize=integer-divide-by-zero -fno-sanitize-recover=all"),
        Check::Shift | Check::NegativeShift => of_operations("-w -fsanitize=shift -fno-sanitize-recover=all"),
        Check::FloatCast => of_operations("-w -fwrapv -fsanitize=float-cast-overflow -fno-sanitize-recover=all"),
        Check::Alignment => of_operations("-w -fwrapv -fsanitize=alignment -fno-sanitize-recover=all"),
        Check::Fields => of_operations("-w -fwrapv -fsanitize=bounds,object-size -fno-sanitize-recover=all"),
        Check::PointerOverflow => of_operations("-w -fsanitize=pointer-overflow -fno-sanitize-recover=all"),
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

/// Looks for leaks where the run ends without `exit`: a definition, and its call.
pub(super) fn leak_check(violated: Property) -> (&'static str, &'static str) {
    match violated {
        Property::Check(Check::Leak | Check::Cleanup) => (
            "extern void __lsan_do_leak_check(void) __attribute__((weak));\n\
             static void hone_leaks(void) {\n    if (__lsan_do_leak_check) {\n        __lsan_do_leak_check();\n    }\n}\n\n",
            "hone_leaks();\n    ",
        ),
        _ => ("", ""),
    }
}
