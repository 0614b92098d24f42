//! How a harness is compiled and run, so that the error shows.

use cfa::Check;
use outcome::Property;

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
    let of_memory = Tools {
        flags: "-w -g -fsanitize=address,undefined -fno-sanitize-recover=undefined",
        runner: "",
        promise: "tells the error as the sanitizers do, and exits with status 1",
    };
    let of_operations = Tools {
        flags: "-w -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow",
        runner: "",
        promise: "tells the error as the sanitizer does, and exits with status 1",
    };
    let Property::Check(check) = violated else {
        return Tools { flags: "-w -fwrapv", runner: "", promise: "prints \"error reached\" and exits with status 1" };
    };
    match check {
        Check::Memory | Check::Free | Check::Leak | Check::Cleanup => of_memory,
        Check::Uninitialised => Tools {
            flags: "-w -g",
            runner: "valgrind -q --error-exitcode=1 ",
            promise: "tells the error as valgrind does, and exits with status 1",
        },
        Check::Call | Check::Return | Check::UnsignedOverflow | Check::Conversion => {
            Tools { promise: "meets the error, which gcc's sanitizers have no check for", ..of_operations }
        }
        _ => of_operations,
    }
}

/// What sanitizers of memory ask the program for.
pub(super) fn sanitizer_options(violated: Property) -> &'static str {
    match violated {
        Property::Check(check) if check.is_of_memory() => {
            "const char *__asan_default_options(void) { return \"exitcode=1:detect_leaks=1\"; }\n\
             const char *__lsan_default_options(void) { return \"exitcode=1\"; }\n\n"
        }
        _ => "",
    }
}
