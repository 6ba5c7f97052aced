//! Determines the category of a sample from its document.

use serde_json::Value as Json;

use crate::json;

/// Keys of a sample's category, most important first.
const KEYS: [&str; 3] = ["category", "subdomain", "subject"];

/// Returns the first category found in an object; `None` if there is none.
pub fn of(object: &Json) -> Option<String> {
    let named = KEYS.into_iter().filter_map(|key| object.get(key));
    let mut texts = named
        .filter(|value| value.is_string() || value.is_number())
        .map(json::plain);
    texts.find(|category| !category.is_empty())
}
