//! No process outlived the one that havoq had started. What such a process does, nobody waits for,
//! and no fault reaches it; one that was ended with its parent might have gone on elsewhere.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "nobody_left_behind", text: "no consumer left a process behind", look };

fn look(index: &Index) -> Option<Failed> {
    let mut exits = index.processes.iter().filter_map(|(by, process)| Some((by, process.exited.as_ref()?)));
    let (by, exit) = exits.find(|(_, exit)| exit.left_behind)?;
    let reason = format!(
        "{by} exited and left a process behind that was still at work\n\
         hint: let the command run in the foreground, so that it ends when the work does"
    );
    Some(Failed::inconclusive(reason, vec![exit.when.seq], Spoils::Everything))
}
