//! Which functions there are. An id is never used again, so what still refers to a deleted function
//! finds nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::FunctionId;
use super::function::Function;
use crate::place::Place;

#[derive(Debug, Default)]
pub(crate) struct Registry {
    functions: Vec<Option<Function>>,
    names: BTreeMap<Place, BTreeMap<Arc<str>, FunctionId>>,
}

impl Registry {
    pub(super) fn next_id(&self) -> FunctionId {
        FunctionId(self.functions.len() as u32)
    }

    pub(super) fn insert(&mut self, function: Function) {
        let names = self.names.entry(function.place).or_default();
        names.insert(Arc::from(&*function.spec.name), function.id);
        self.functions.push(Some(function));
    }

    pub(super) fn remove(&mut self, id: FunctionId) {
        let Some(gone) = self.functions.get_mut(id.0 as usize).and_then(Option::take) else { return };
        if let Some(names) = self.names.get_mut(&gone.place) {
            names.remove(&*gone.spec.name);
        }
    }

    pub(super) fn find(&self, place: Place, name: &str) -> Option<FunctionId> {
        self.names.get(&place)?.get(name).copied()
    }

    pub(super) fn get(&self, id: FunctionId) -> Option<&Function> {
        self.functions.get(id.0 as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: FunctionId) -> Option<&mut Function> {
        self.functions.get_mut(id.0 as usize)?.as_mut()
    }

    /// The functions of a place, by name.
    pub(super) fn of(&self, place: Place) -> impl Iterator<Item = &Function> {
        let names = self.names.get(&place).into_iter().flat_map(BTreeMap::values);
        names.filter_map(|id| self.get(*id))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Function> {
        self.functions.iter_mut().flatten()
    }
}
