//! A sample's own category.

use serde_json::Value as Json;

use crate::json;

/// Members that name a sample's category.
const KEYS: [&str; 3] = ["category", "subdomain", "subject"];

/// The category that an object names.
pub fn of(object: &Json) -> Option<String> {
    let named = KEYS.into_iter().filter_map(|key| object.get(key));
    let mut texts = named
        .filter(|value| value.is_string() || value.is_number())
        .map(json::plain);
    texts.find(|category| !category.is_empty())
}
