//! EventBridge Pipes' operations.

use super::{Answer, Dispatch, unknown};

impl Dispatch<'_> {
    pub(super) fn pipes(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "CreatePipe" => self.plain(|core, now, input| core.create_pipe(now, place, input)),
            "DescribePipe" => self.plain(|core, _, input| core.describe_pipe(place, input)),
            "UpdatePipe" => self.plain(|core, now, input| core.update_pipe(now, place, input)),
            "DeletePipe" => self.plain(|core, now, input| core.delete_pipe(now, place, input)),
            "ListPipes" => self.plain(|core, _, input| core.list_pipes(place, input)),
            "StartPipe" => self.plain(|core, now, input| core.start_pipe(now, place, input)),
            "StopPipe" => self.plain(|core, now, input| core.stop_pipe(now, place, input)),
            "TagResource" => self.plain(|core, _, input| core.tag_pipe(place, input)),
            "UntagResource" => self.plain(|core, _, input| core.untag_pipe(place, input)),
            "ListTagsForResource" => self.plain(|core, _, input| core.list_pipe_tags(place, input)),
            operation => Err(unknown(operation)),
        }
    }
}
