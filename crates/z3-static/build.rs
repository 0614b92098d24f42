//! Builds Z3 4.15.4 once a target folder; see `src/lib.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_SYSTEM_Z3").is_none() {
        z3_src::build().print_cargo_metadata();
    }
}
