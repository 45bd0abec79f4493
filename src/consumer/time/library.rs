//! The preloaded library on disk, and the variables that have it loaded.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use havoq_base::{Clock, StackDuration};

use super::shared::SharedFile;

/// Compiled by build.rs; empty where there is none for this system.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libhavoq_time.so"));

const PRELOAD: &str = "LD_PRELOAD";

/// The library and its shared file, ready to be handed to processes. One for each attempt, since
/// each has a clock of its own.
#[derive(Clone, Debug)]
pub struct Preload {
    library: PathBuf,
    pub(super) shared: Arc<SharedFile>,
}

impl Preload {
    /// Puts the library into `folder` and has it show `clock`; or says why that cannot be.
    pub fn prepare(folder: &Path, clock: &Clock) -> Result<Self, String> {
        if LIBRARY.is_empty() {
            return Err("this havoq cannot show its clock to consumers: that takes 64-bit Linux".to_owned());
        }
        let prepared = Self::write_out(folder).map_err(|error| {
            format!("the clock library could not be put into {}: {error}", folder.display())
        })?;
        let shared = Arc::clone(&prepared.shared);
        shared.show_ahead(clock.skipped());
        clock.on_jump(move |skipped: StackDuration| shared.show_ahead(skipped));
        Ok(prepared)
    }

    fn write_out(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        // A consumer may change its working directory.
        let folder = folder.canonicalize()?;
        if let Some(bad) = unfit_for_preload(&folder) {
            let why = format!("its path contains {bad:?}, which {PRELOAD} cannot hold");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let library = folder.join("libhavoq_time.so");
        std::fs::write(&library, LIBRARY)?;
        let shared = Arc::new(SharedFile::create(&folder.join("clock"))?);
        Ok(Self { library, shared })
    }

    /// Adds the variables to a process's environment. What the user preloads comes first.
    pub fn add_to(&self, env: &mut BTreeMap<OsString, OsString>) {
        let mut preload = env.remove(OsStr::new(PRELOAD)).unwrap_or_default();
        if !preload.is_empty() {
            preload.push(":");
        }
        preload.push(&self.library);
        env.insert(PRELOAD.into(), preload);
        env.insert("HAVOQ_TIME_FILE".into(), self.shared.path().into());
    }
}

/// The dynamic linker splits the variable at spaces and colons, and expands dollars.
fn unfit_for_preload(folder: &Path) -> Option<char> {
    folder.to_string_lossy().chars().find(|c| c.is_whitespace() || matches!(c, ':' | '$'))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use havoq_base::{Pace, RunStart, StackTime};

    fn clock() -> Clock {
        Clock::new(Pace::Virtual, StackTime::from_secs(1_000_000), RunStart::now())
    }

    #[test]
    fn what_the_user_preloads_is_kept_and_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let preload = Preload::prepare(folder.path(), &clock()).expect("a library");
        let mut env = BTreeMap::new();
        preload.add_to(&mut env);
        let alone = env[OsStr::new(PRELOAD)].to_string_lossy().into_owned();
        assert!(alone.starts_with('/') && Path::new(&alone).is_file(), "{alone}");
        env.insert(PRELOAD.into(), "/usr/lib/theirs.so".into());
        preload.add_to(&mut env);
        assert_eq!(env[OsStr::new(PRELOAD)].to_string_lossy(), format!("/usr/lib/theirs.so:{alone}"));
    }

    #[test]
    fn a_jump_of_the_clock_reaches_the_shared_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = clock();
        let preload = Preload::prepare(folder.path(), &clock).expect("a library");
        clock.jump_to(clock.now() + StackDuration::from_secs(900)).expect("a jump ahead is made");
        let bytes = std::fs::read(preload.shared.path()).expect("its bytes");
        let nanos = (clock.skipped().as_micros() * 1_000) as i64;
        assert_eq!(bytes[8..16], nanos.to_ne_bytes());
    }

    #[test]
    fn a_folder_that_the_variable_cannot_hold_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = Preload::prepare(&folder.path().join("a b"), &clock()).expect_err("a space");
        assert!(error.contains("a b") && error.contains("' '"), "{error}");
    }
}
