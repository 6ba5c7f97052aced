//! Splits texts into words, and hashes them.

use std::hash::{DefaultHasher, Hash, Hasher as _};

/// Function words, which do not make two questions different.
const EMPTY: [&str; 24] = [
    "a", "an", "the", "is", "are", "was", "were", "be", "do", "does", "did", "of", "in", "on",
    "at", "to", "this", "that", "there", "please", "image", "picture", "photo", "shown",
];

/// Returns the words of a text in lower case, without punctuation.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns the words of a text without function words.
pub fn content_words(text: &str) -> Vec<String> {
    let mut words = words(text);
    words.retain(|word| !EMPTY.contains(&word.as_str()));
    words
}

/// Returns a text without case, punctuation and repeated spaces. A text without letters and digits
/// is only trimmed.
pub fn plain(text: &str) -> String {
    let words = words(text);
    if words.is_empty() {
        return text.trim().to_owned();
    }
    let sign = text.trim().starts_with('-').then_some("-");
    let mut plain = sign.unwrap_or_default().to_owned();
    plain.push_str(&words.join(" "));
    plain
}

/// Returns the hash of a value, the same in every run.
pub fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
