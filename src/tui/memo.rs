//! Caches a value until its key changes.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A cache of one value with its key, for values that every frame needs.
pub struct Memo<K, V>(RefCell<Option<(K, Rc<V>)>>);

impl<K: PartialEq, V> Memo<K, V> {
    /// Returns the value of a key: the cached one if the key is unchanged, otherwise a new one from
    /// `make`.
    pub fn of(&self, key: K, make: impl FnOnce(&K) -> V) -> Rc<V> {
        let known = self.0.borrow().as_ref().and_then(|(last, value)| {
            let same = *last == key;
            same.then(|| Rc::clone(value))
        });
        known.unwrap_or_else(|| {
            let value = Rc::new(make(&key));
            self.0.replace(Some((key, Rc::clone(&value))));
            value
        })
    }
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

/// A clone starts empty, because most clones are stored and never drawn.
impl<K, V> Clone for Memo<K, V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<K, V> fmt::Debug for Memo<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_worked_out_once_until_another_one_comes() {
        let (memo, mut made) = (Memo::default(), 0);
        for key in [1, 1, 2, 2, 1] {
            let value = memo.of(key, |key| {
                made += 1;
                key * 10
            });
            assert_eq!(*value, key * 10);
        }
        assert_eq!(made, 3);
    }
}
