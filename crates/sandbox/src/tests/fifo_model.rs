//! A FIFO queue and its dead-letter queue, too simple to be wrong: one list a queue, looked through
//! from end to end each time, and the rule of semantics 1.13 as it stands there.

#[derive(Clone, Debug)]
pub(super) struct Message {
    body: String,
    group: usize,
    sent: u64,
    pub(super) receives: u32,
    /// In the order of arrival.
    pub(super) seq: u64,
    /// Its place in line.
    place: u64,
    hidden: Option<Hidden>,
}

#[derive(Clone, Copy, Debug)]
struct Hidden {
    until: u64,
    /// Which hiding this is: those that end together end in this order.
    order: u64,
    in_flight: bool,
}

/// A message as a receive gave it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Taken {
    pub(super) body: String,
    pub(super) receives: u32,
    pub(super) seq: u64,
    order: u64,
}

/// A receive that can be tried again.
struct Attempt {
    queue: usize,
    id: usize,
    at: u64,
    taken: Vec<Taken>,
}

pub(super) struct Model {
    pub(super) now: u64,
    pub(super) max_receives: u32,
    pub(super) retention: u64,
    pub(super) by_group: bool,
    pub(super) delay: u64,
    order: u64,
    queues: [Vec<Message>; 2],
    /// What was sent, to which group and when.
    sends: Vec<(String, usize, u64)>,
    attempts: Vec<Attempt>,
}

const FIVE_MINUTES: u64 = 300;

impl Model {
    pub(super) fn new(max_receives: u32, retention: u64, by_group: bool) -> Self {
        let (sends, attempts) = (Vec::new(), Vec::new());
        let queues = [Vec::new(), Vec::new()];
        Self { now: 0, max_receives, retention, by_group, delay: 0, order: 0, queues, sends, attempts }
    }

    fn next(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// Everything that is due by now, in order.
    pub(super) fn settle(&mut self) {
        let (now, retention) = (self.now, self.retention);
        for queue in 0..2 {
            let hidden = self.queues[queue].iter().filter_map(|message| Some((message.hidden?, message.seq)));
            let mut due: Vec<_> = hidden
                .filter(|(hidden, _)| hidden.until <= now)
                .map(|(hidden, seq)| (hidden.until, hidden.order, seq))
                .collect();
            due.sort_unstable();
            due.into_iter().for_each(|(.., seq)| self.reveal(queue, seq));
            self.queues[queue].retain(|message| message.sent + retention > now);
        }
    }

    fn find(&mut self, queue: usize, seq: u64) -> Option<&mut Message> {
        self.queues[queue].iter_mut().find(|message| message.seq == seq)
    }

    fn reveal(&mut self, queue: usize, seq: u64) {
        let back = self.next();
        let Some(message) = self.find(queue, seq) else { return };
        let was_in_flight = message.hidden.take().is_some_and(|hidden| hidden.in_flight);
        message.place = if was_in_flight { back } else { message.seq };
    }

    /// Whether it was stored.
    pub(super) fn send(&mut self, body: &str, group: usize) -> bool {
        let (now, by_group) = (self.now, self.by_group);
        let is_same = |(sent, to, at): &(String, usize, u64)| {
            sent == body && (!by_group || *to == group) && at + FIVE_MINUTES > now
        };
        if self.sends.iter().any(is_same) {
            return false;
        }
        self.sends.push((body.to_owned(), group, now));
        let (seq, order) = (self.next(), self.next());
        let hidden = Hidden { until: now + self.delay, order, in_flight: false };
        let hidden = (self.delay > 0).then_some(hidden);
        let body = body.to_owned();
        self.queues[0].push(Message { body, group, sent: now, receives: 0, seq, place: seq, hidden });
        true
    }

    /// The groups' first messages, as far as they are visible, by their places; the group of the
    /// first of them is next.
    fn next_group(&self, queue: usize) -> Option<usize> {
        let messages = &self.queues[queue];
        let first = |message: &&Message| {
            !messages.iter().any(|other| other.group == message.group && other.seq < message.seq)
        };
        let ready = messages.iter().filter(first).filter(|message| message.hidden.is_none());
        ready.min_by_key(|message| message.place).map(|message| message.group)
    }

    pub(super) fn receive(&mut self, queue: usize, max: usize, visibility: u64) -> Vec<Taken> {
        let mut taken = Vec::new();
        while taken.len() < max
            && let Some(group) = self.next_group(queue)
        {
            let of_group = self.queues[queue].iter().filter(|message| message.group == group);
            let mut visible: Vec<_> =
                of_group.map(|message| (message.seq, message.hidden.is_none())).collect();
            visible.sort_unstable();
            for (seq, _) in visible.into_iter().take_while(|(_, visible)| *visible) {
                if taken.len() < max {
                    taken.extend(self.take(queue, seq, visibility));
                }
            }
        }
        if visibility == 0 {
            taken.iter().for_each(|taken| self.reveal(queue, taken.seq));
        }
        taken
    }

    /// Takes one message, or dead-letters it.
    fn take(&mut self, queue: usize, seq: u64, visibility: u64) -> Option<Taken> {
        let (now, order, limit) = (self.now, self.next(), self.max_receives);
        let message = self.find(queue, seq)?;
        if queue == 0 && message.receives >= limit {
            let moved = Message { sent: now, seq: order, place: order, ..message.clone() };
            self.queues[0].retain(|message| message.seq != seq);
            self.queues[1].push(moved);
            return None;
        }
        message.receives += 1;
        message.hidden = Some(Hidden { until: now + visibility, order, in_flight: true });
        Some(Taken { body: message.body.clone(), receives: message.receives, seq, order })
    }

    /// A receive that can be tried again, or is tried again.
    pub(super) fn attempt(&mut self, queue: usize, id: usize, max: usize, visibility: u64) -> Vec<Taken> {
        let now = self.now;
        self.attempts.retain(|attempt| attempt.at + FIVE_MINUTES > now);
        let index = self.attempts.iter().position(|attempt| (attempt.queue, attempt.id) == (queue, id));
        if let Some(mut attempt) = index.map(|index| self.attempts.remove(index))
            && attempt.taken.iter().all(|taken| self.is_held(queue, taken))
        {
            for taken in &mut attempt.taken {
                taken.order = self.next();
                let hidden = Hidden { until: now + visibility, order: taken.order, in_flight: true };
                if visibility == 0 {
                    self.reveal(queue, taken.seq);
                } else if let Some(message) = self.find(queue, taken.seq) {
                    message.hidden = Some(hidden);
                }
            }
            let taken = attempt.taken.clone();
            self.attempts.push(attempt);
            return taken;
        }
        let taken = self.receive(queue, max, visibility);
        if !taken.is_empty() && visibility > 0 {
            self.attempts.push(Attempt { queue, id, at: now, taken: taken.clone() });
        }
        taken
    }

    fn is_held(&mut self, queue: usize, taken: &Taken) -> bool {
        let hidden = self.find(queue, taken.seq).and_then(|message| message.hidden);
        hidden.is_some_and(|hidden| hidden.order == taken.order)
    }

    /// Whether the handle has not expired.
    pub(super) fn delete(&mut self, queue: usize, seq: u64, receive: u32) -> bool {
        let expired = self.find(queue, seq).is_some_and(|message| {
            message.receives != receive || !message.hidden.is_some_and(|hidden| hidden.in_flight)
        });
        if !expired {
            self.queues[queue].retain(|message| message.seq != seq);
        }
        !expired
    }

    /// Whether the message is still held by this handle.
    pub(super) fn change(&mut self, queue: usize, seq: u64, receive: u32, timeout: u64) -> bool {
        let (now, order) = (self.now, self.next());
        let Some(message) = self.find(queue, seq) else { return false };
        if message.receives != receive || !message.hidden.is_some_and(|hidden| hidden.in_flight) {
            return false;
        }
        message.hidden = Some(Hidden { until: now + timeout, order, in_flight: true });
        if timeout == 0 {
            self.reveal(queue, seq);
        }
        true
    }

    pub(super) fn set_delay(&mut self, delay: u64) {
        self.delay = delay;
        let now = self.now;
        let waiting = self.queues[0].iter().filter(|message| message.receives == 0);
        let mut waiting: Vec<_> = waiting.map(|message| message.seq).collect();
        waiting.sort_unstable();
        for seq in waiting {
            let order = self.next();
            let Some(message) = self.find(0, seq) else { continue };
            let until = message.sent + delay;
            message.hidden = (until > now).then_some(Hidden { until, order, in_flight: false });
        }
    }

    pub(super) fn purge(&mut self, queue: usize) {
        self.queues[queue].clear();
        self.attempts.retain(|attempt| attempt.queue != queue);
        if queue == 0 {
            self.sends.clear();
        }
    }

    pub(super) fn depth(&self, queue: usize) -> (u64, u64, u64) {
        let count = |test: fn(Option<bool>) -> bool| {
            let states =
                self.queues[queue].iter().map(|message| message.hidden.map(|hidden| hidden.in_flight));
            states.filter(|state| test(*state)).count() as u64
        };
        (count(|s| s.is_none()), count(|s| s == Some(true)), count(|s| s == Some(false)))
    }
}
