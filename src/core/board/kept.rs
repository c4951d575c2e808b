//! Values that are computed for a key when they are first needed, and then live as long as the program.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{LazyLock, PoisonError, RwLock};

/// One value for each key.
pub(crate) struct Kept<K, V: ?Sized + 'static>(LazyLock<RwLock<HashMap<K, &'static V>>>);

impl<K: Eq + Hash + Copy, V: ?Sized> Kept<K, V> {
    pub(crate) const fn new() -> Self {
        Kept(LazyLock::new(RwLock::default))
    }

    /// The value of a key, computed at the first call. Threads may compute it at the same time; one is kept.
    pub(crate) fn get(&self, key: K, compute: impl FnOnce() -> Box<V>) -> &'static V {
        let value = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        value.unwrap_or_else(|| {
            let computed = compute();
            let mut values = self.0.write().unwrap_or_else(PoisonError::into_inner);
            values.entry(key).or_insert_with(|| Box::leak(computed))
        })
    }
}
