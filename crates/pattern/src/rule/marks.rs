//! A set of small numbers.

/// Up to 64 of them take no memory of their own.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    few: u64,
    /// For the numbers from 64 on.
    more: Vec<u64>,
}

impl Marks {
    /// For numbers below `count`, none of which is in.
    pub(super) fn none(count: usize) -> Self {
        Self { few: 0, more: vec![0; count.div_ceil(64).saturating_sub(1)] }
    }

    /// Those below `count` that are not in.
    pub(super) fn others(mut self) -> Self {
        self.few = !self.few;
        self.more.iter_mut().for_each(|word| *word = !*word);
        self
    }

    pub(super) fn set(&mut self, number: usize) {
        match number.checked_sub(64) {
            None => self.few |= 1 << number,
            Some(number) => {
                if let Some(word) = self.more.get_mut(number / 64) {
                    *word |= 1 << (number % 64);
                }
            }
        }
    }

    pub(super) fn has(&self, number: usize) -> bool {
        match number.checked_sub(64) {
            None => self.few >> number & 1 == 1,
            Some(number) => self.more.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1),
        }
    }
}
