//! Which header of the C library declares a function, for programs that forgot to include it.

/// Headers and the functions that programs call most.
const HEADERS: [(&str, &[&str]); 9] = [
    ("assert.h", &["assert", "static_assert"]),
    (
        "ctype.h",
        &[
            "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
            "isspace", "isupper", "isxdigit", "tolower", "toupper",
        ],
    ),
    (
        "math.h",
        &["ceil", "cos", "exp", "fabs", "floor", "fmod", "isnan", "log", "pow", "round", "sin", "sqrt", "tan", "trunc"],
    ),
    ("setjmp.h", &["longjmp", "setjmp"]),
    (
        "stdio.h",
        &[
            "fclose",
            "fgets",
            "fopen",
            "fprintf",
            "fputs",
            "fread",
            "fwrite",
            "getchar",
            "printf",
            "putchar",
            "puts",
            "scanf",
            "snprintf",
            "sprintf",
            "sscanf",
            "vsnprintf",
        ],
    ),
    (
        "stdlib.h",
        &[
            "abort", "abs", "atoi", "atol", "bsearch", "calloc", "exit", "free", "getenv", "labs", "malloc", "qsort",
            "rand", "realloc", "srand", "strtod", "strtol", "strtoul",
        ],
    ),
    (
        "string.h",
        &[
            "memchr", "memcmp", "memcpy", "memmove", "memset", "strcat", "strchr", "strcmp", "strcpy", "strdup",
            "strlen", "strncat", "strncmp", "strncpy", "strrchr", "strstr", "strtok",
        ],
    ),
    ("time.h", &["clock", "difftime", "time"]),
    ("unistd.h", &["close", "getpid", "read", "sleep", "usleep", "write"]),
];

/// The header that declares a function of the C library.
pub(super) fn of_function(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(_, functions)| functions.contains(&name)).map(|(header, _)| *header)
}
