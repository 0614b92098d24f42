//! Headers of the C library with declarations only, for machines on which the system has none.
//!
//! The C preprocessor reads them from files, so they are written into the user's folder of caches when they are needed.
#![allow(clippy::disallowed_methods)] // These files are Hone's own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

macro_rules! headers {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../headers/", $name)))),+]
    };
}

/// Names and texts.
const HEADERS: &[(&str, &str)] = headers![
    "assert.h",
    "ctype.h",
    "endian.h",
    "errno.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "sys/types.h",
    "arpa/inet.h"
];

/// The folder with the headers. `None` if it can't be written.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
    let folder = caches.join("hone").join(concat!("headers-", env!("CARGO_PKG_VERSION")));
    write_all(&folder).is_ok().then_some(folder)
}

/// Writes what is not there, or not as it should be.
fn write_all(folder: &Path) -> io::Result<()> {
    for name in ["sys", "arpa"] {
        fs::create_dir_all(folder.join(name))?;
    }
    for (name, text) in HEADERS {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        // Renamed when it is complete: other processes may be reading.
        let unfinished = folder.join(format!("{name}.{}.unfinished", std::process::id()));
        fs::write(&unfinished, text)?;
        fs::rename(&unfinished, &path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_written_and_repaired() {
        let folder = tempfile::tempdir().expect("a folder");
        write_all(folder.path()).expect("headers");
        let path = folder.path().join("stdint.h");
        fs::write(&path, "damaged").expect("a file");
        write_all(folder.path()).expect("headers");
        assert!(fs::read_to_string(&path).expect("a header").contains("uint32_t"));
    }
}
