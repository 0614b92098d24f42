//! Files that a run opens: whether that succeeds is up to the run, whatever files there are.

use outcome::{Step, StepKind};
use std::fmt::Write;

/// Functions that open a file by its path.
const OPEN: [&str; 2] = ["fopen", "fopen64"];

/// The functions that open files in a run, and whether each of their calls succeeds.
pub(super) fn opened(steps: &[Step]) -> Vec<(&'static str, Vec<bool>)> {
    let calls = |name: &'static str| {
        let of = |step: &Step| match &step.kind {
            StepKind::Return { function, value: Some(value) } if **function == *name => Some(value != "NULL"),
            _ => None,
        };
        Some((name, steps.iter().filter_map(of).collect::<Vec<bool>>())).filter(|(_, calls)| !calls.is_empty())
    };
    OPEN.into_iter().filter_map(calls).collect()
}

/// Flags for the linker.
pub(super) fn flags(opened: &[(&str, Vec<bool>)]) -> String {
    opened.iter().map(|(name, _)| format!(" -Wl,--wrap={name}")).collect()
}

/// The functions that the linker puts in their place.
pub(super) fn define(out: &mut String, opened: &[(&str, Vec<bool>)]) {
    for (name, calls) in opened {
        let opens: Vec<&str> = calls.iter().map(|opens| if *opens { "1" } else { "0" }).collect();
        let _ = write!(
            out,
            "\n/* An empty file stands for those that are opened. */\n\
             extern void *__real_{name}(const char *, const char *);\n\
             void *__wrap_{name}(const char *path, const char *mode) {{\n    \
             static const char opens[] = {{{}}};\n    static unsigned next;\n    \
             return next < sizeof opens && opens[next++] ? __real_{name}(\"/dev/null\", mode) : (void *)0;\n}}\n",
            opens.join(", ")
        );
    }
}
