//! How the subcommands that wait for things begin, and how they say what went wrong.

use std::fmt::Display;

use tokio::runtime::Builder;

use crate::report::Exit;

/// Carries out the work on a runtime of its own. Nothing that is left open at its end, such as a
/// poll that waits, keeps the process from ending.
pub(super) fn block_on<T>(
    builder: &mut Builder,
    work: impl Future<Output = Result<T, Exit>>,
) -> Result<T, Exit> {
    let runtime = builder.enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start: {error}")).map_err(told(Exit::Error))?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

/// Prints what went wrong, which ends the subcommand like this.
pub(super) fn told<E: Display>(exit: Exit) -> impl FnOnce(E) -> Exit {
    move |error| {
        eprintln!("error: {error}");
        exit
    }
}
