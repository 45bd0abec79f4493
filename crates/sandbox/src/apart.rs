//! Inputs of which one member is read apart from the others, in one pass over the text: an entry of
//! a batch is the input of the single operation and an id, and what acts on a queue names it beside
//! its own members.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor,
};

/// The member that is read apart.
pub(crate) trait Member {
    const NAME: &'static str;
    /// It may be absent.
    type Value: Default + DeserializeOwned;
}

/// A member, and an input made of all the others.
#[derive(Debug)]
pub(crate) struct Apart<M: Member, T> {
    pub(crate) member: M::Value,
    pub(crate) rest: T,
}

impl<'de, M: Member, T: Deserialize<'de>> Deserialize<'de> for Apart<M, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Structure(PhantomData))
    }
}

struct Structure<M, T>(PhantomData<(M, T)>);

impl<'de, M: Member, T: Deserialize<'de>> Visitor<'de> for Structure<M, T> {
    type Value = Apart<M, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a structure")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        let mut member = M::Value::default();
        let others = Others::<M, A> { members, member: &mut member };
        let rest = T::deserialize(MapAccessDeserializer::new(others))?;
        Ok(Apart { member, rest })
    }
}

/// All members but one, which it puts aside as it comes by.
struct Others<'a, M: Member, A> {
    members: A,
    member: &'a mut M::Value,
}

impl<'de, M: Member, A: MapAccess<'de>> MapAccess<'de> for Others<'_, M, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            match self.members.next_key_seed(Key { name: M::NAME, seed })? {
                None => return Ok(None),
                Some(Found::Other(key)) => return Ok(Some(key)),
                Some(Found::Member(again)) => {
                    *self.member = self.members.next_value()?;
                    seed = again;
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.members.next_value_seed(seed)
    }
}

/// Reads a key for those who want the others' keys.
struct Key<K> {
    name: &'static str,
    seed: K,
}

enum Found<K, V> {
    Member(K),
    Other(V),
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<K> {
    type Value = Found<K, K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for Key<K> {
    type Value = Found<K, K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        if key == self.name {
            return Ok(Found::Member(self.seed));
        }
        let key: StrDeserializer<'_, E> = key.into_deserializer();
        self.seed.deserialize(key).map(Found::Other)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[derive(Debug)]
    struct Id;

    impl Member for Id {
        const NAME: &'static str = "Id";
        type Value = Option<String>;
    }

    #[derive(Debug, Deserialize)]
    struct Rest {
        a: u32,
        #[serde(default)]
        b: BTreeMap<String, String>,
    }

    #[test]
    fn a_member_is_taken_apart_wherever_it_stands() {
        for text in [r#"{"Id":"x","a":1}"#, r#"{"a":1,"Id":"x"}"#, r#"{"a":1,"Id":"x","c":[{"Id":2}]}"#] {
            let read: Apart<Id, Rest> = serde_json::from_str(text).expect("an input");
            assert_eq!((read.member.as_deref(), read.rest.a), (Some("x"), 1), "{text}");
        }
        let read: Apart<Id, Rest> =
            serde_json::from_value(json!({ "a": 1, "b": { "Id": "inner" } })).expect("an input");
        assert_eq!((read.member, read.rest.b["Id"].as_str()), (None, "inner"));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for text in ["{}", "[]", r#"{"a":"x"}"#, r#"{"a":1,"Id":2}"#, r#"{"a":1"#] {
            assert!(serde_json::from_str::<Apart<Id, Rest>>(text).is_err(), "{text}");
        }
    }
}
