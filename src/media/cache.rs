//! Picture cache, limited by bytes.
//!
//! Not thread-safe. The caller chooses the keys and states the size of each value.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Keeps the most recently used values that fit in a byte limit.
///
/// The newest value stays even if it alone exceeds the limit, because the user is looking at it.
#[derive(Clone, Debug)]
pub struct PictureCache<K, V> {
    entries: HashMap<K, Entry<V>>,
    limit: usize,
    held: usize,
    clock: u64,
}

#[derive(Clone, Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Eq + Hash + Clone, V> PictureCache<K, V> {
    /// Returns an empty cache with a limit in bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            entries: HashMap::new(),
            limit,
            held: 0,
            clock: 0,
        }
    }

    /// Returns the value of a key and marks it as used.
    pub fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        Some(&entry.value)
    }

    /// Returns the value of a key without marking it as used.
    pub fn peek<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Returns true if a key has a value, without marking it as used.
    pub fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.entries.contains_key(key)
    }

    /// Inserts a value of `bytes`, then evicts the least recently used values above the limit.
    pub fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.clock += 1;
        let entry = Entry {
            value,
            bytes,
            used: self.clock,
        };
        self.held = self.held.saturating_add(bytes);
        if let Some(old) = self.entries.insert(key, entry) {
            self.held = self.held.saturating_sub(old.bytes);
        }
        while self.held > self.limit && self.entries.len() > 1 {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
        if let Some(key) = oldest.map(|(key, _)| key.clone()) {
            self.remove(&key);
        }
    }

    /// Removes and returns a value.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let entry = self.entries.remove(key)?;
        self.held = self.held.saturating_sub(entry.bytes);
        Some(entry.value)
    }

    /// Removes all values and releases their bytes.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.held = 0;
    }

    /// Bytes of all cached values.
    pub const fn held(&self) -> usize {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut cache = PictureCache::new(30);
        for key in ["a", "b", "c"] {
            cache.insert(key, key.to_uppercase(), 10);
        }
        assert_eq!(cache.get("a").map(String::as_str), Some("A"));
        cache.insert("d", "D".to_owned(), 10);
        assert!(!cache.contains("b"));
        assert!(["a", "c", "d"].iter().all(|key| cache.contains(key)));
        assert_eq!(cache.held(), 30);
    }

    #[test]
    fn the_newest_stays_even_when_it_is_too_large() {
        let mut cache = PictureCache::new(30);
        cache.insert(1, (), 10);
        cache.insert(2, (), 50);
        assert_eq!(
            (cache.contains(&1), cache.contains(&2), cache.held()),
            (false, true, 50)
        );
        cache.insert(3, (), 10);
        assert_eq!((cache.contains(&2), cache.held()), (false, 10));
    }

    #[test]
    fn a_new_value_replaces_the_old_one_and_its_cost() {
        let mut cache = PictureCache::new(30);
        cache.insert(1, 'a', 20);
        cache.insert(1, 'b', 5);
        assert_eq!(cache.get(&1), Some(&'b'));
        assert_eq!(cache.held(), 5);
        assert_eq!((cache.remove(&1), cache.held()), (Some('b'), 0));
        cache.insert(2, 'c', 5);
        cache.clear();
        assert_eq!(cache.get(&2), None);
        assert_eq!(cache.held(), 0);
    }

    proptest! {
        #[test]
        fn the_bound_holds(steps in prop::collection::vec((0_u8..20, 0_usize..40), 1..200)) {
            let mut cache = PictureCache::new(100);
            for (key, bytes) in steps {
                cache.insert(key, (), bytes);
                prop_assert!(cache.contains(&key));
                prop_assert!(cache.held() <= 100);
                let sum: usize = cache.entries.values().map(|entry| entry.bytes).sum();
                prop_assert_eq!(sum, cache.held());
            }
        }
    }
}
