//! Compiles the library that shows consumers the stack's clock; `src/consumer/time` embeds it.

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "preload/havoq_time.c";

/// Nothing of a C library is linked in: what it needs, it finds in the process that it is loaded
/// into, whichever C library that has.
const FLAGS: &[&str] = &[
    "-shared",
    "-fPIC",
    "-O2",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Wno-nonnull-compare",
    "-fvisibility=hidden",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-delete-null-pointer-checks",
    "-fasynchronous-unwind-tables",
    "-U_FORTIFY_SOURCE",
    "-nostdlib",
    "-Wl,-z,noexecstack",
];

/// Before glibc 2.34 dlsym lived there; later ones keep it as an empty stub, other C libraries
/// have none.
const LIBDL: &[&str] = &["-Wl,--no-as-needed", "-l:libdl.so.2"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    let out = PathBuf::from(variable("OUT_DIR")).join("libhavoq_time.so");
    let here =
        variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_POINTER_WIDTH") == "64";
    let built = if here { build(&out) } else { std::fs::write(&out, []).map_err(|error| error.to_string()) };
    if let Err(error) = built {
        println!("cargo::error=cannot build {SOURCE}, which shows consumers the stack's clock: {error}");
    }
}

fn build(out: &Path) -> Result<(), String> {
    let compiler =
        cc::Build::new().cargo_metadata(false).try_get_compiler().map_err(|error| missing(&error))?;
    let tried = compile(compiler.to_command(), LIBDL, out)?;
    if tried.is_ok() {
        return Ok(());
    }
    compile(compiler.to_command(), &[], out)?
}

/// Outer: the compiler did not start. Inner: it did, and refused.
fn compile(mut compiler: Command, libraries: &[&str], out: &Path) -> Result<Result<(), String>, String> {
    let output = compiler
        .args(FLAGS)
        .arg(SOURCE)
        .args(libraries)
        .arg("-o")
        .arg(out)
        .output()
        .map_err(|error| missing(&error))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let text = String::from_utf8_lossy(&output.stderr).replace('\n', "; ");
    Ok(Err(format!("the C compiler refused it: {text}")))
}

fn missing(error: &dyn std::fmt::Display) -> String {
    format!("no C compiler to be had ({error}); hint: install gcc or clang, or name one in CC")
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
