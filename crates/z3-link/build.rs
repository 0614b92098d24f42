//! Tells cargo where Z3 4.15.4 is; see `src/lib.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "static")]
    {
        z3_src::build().print_cargo_metadata();
        println!("cargo:rustc-link-lib=stdc++");
    }
    #[cfg(not(feature = "static"))]
    shared();
}

/// Copies the library that `fetch` put into the target folder beside the binaries, whose rpath is `$ORIGIN` (`.cargo/config.toml`).
///
/// `cargo check` and clippy link nothing, so that a missing library is an error of the linker only, and a warning here.
#[cfg(not(feature = "static"))]
#[allow(clippy::disallowed_methods, reason = "what is written is for the linker")]
fn shared() {
    use std::path::{Path, PathBuf};

    const SONAME: &str = "libz3.so.4.15";

    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    // OUT_DIR is <target>/<profile>/build/<package>/out.
    let profile = out.ancestors().nth(3).unwrap_or(Path::new(".")).to_owned();
    let target = profile.parent().unwrap_or(Path::new("."));
    let library = target.join("z3-4.15.4/libz3.so");
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", out.display());
    if !library.exists() {
        println!("cargo:warning=Z3 is not here yet: run ./install, or build with `--features smt-z3/static`");
        // A linker script that can't be resolved, so that no other Z3 of the system is taken.
        if let Err(error) = std::fs::write(out.join("libz3.so"), "INPUT(-lz3-is-missing-run-install)\n") {
            println!("cargo:warning={error}");
        }
        return;
    }
    for copy in [out.join("libz3.so"), profile.join(SONAME)] {
        // Removed first, because a program may have the old one mapped.
        let _ = std::fs::remove_file(&copy);
        if let Err(error) = std::fs::copy(&library, &copy) {
            println!("cargo:warning={}: {error}", copy.display());
        }
    }
}
