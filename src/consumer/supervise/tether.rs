//! Ties a command's life to its supervisor's, for the case that the supervisor is killed.

use std::process::Command;

/// The command dies with the supervisor, and starts with no signal blocked.
#[expect(unsafe_code, reason = "only between fork and exec can a child be given a parent-death signal")]
pub(super) fn tie(command: &mut Command) {
    use nix::sys::signal::SigSet;
    use std::os::unix::process::CommandExt;
    let prepare = || {
        SigSet::empty().thread_set_mask()?;
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
        Ok(())
    };
    // SAFETY: the closure makes two system calls, both async-signal-safe, and allocates nothing.
    unsafe { command.pre_exec(prepare) };
}
