//! The program: all of it is in `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    havoq::cli::main()
}
