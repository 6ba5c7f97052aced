//! Tags of items as columns: numbers as `f64`, texts as codes.

use std::collections::BTreeMap;

use base::limits::Limit;

use super::tag_values::{Cells, TagValue as _, TagValues};
use super::{DroppedValues, Key, Labels, Value};

/// Read-only view of one tag's values for all items.
#[derive(Clone, Copy, Debug)]
pub enum TagColumn<'a> {
    /// Numbers; `NaN` stands for a missing value.
    Number(TagValues<'a, f64>),
    /// Texts as codes; a code beyond `names` stands for a missing value.
    Text {
        /// Distinct texts, indexed by code.
        names: &'a [String],
        /// One code per item.
        codes: TagValues<'a, u32>,
    },
}

impl<'a> TagColumn<'a> {
    /// Returns the text of an item, if the tag is text and the item has a value.
    pub fn text(self, item: usize) -> Option<&'a str> {
        match self {
            Self::Number(_) => None,
            Self::Text { names, codes } => names.get(codes.get(item)? as usize).map(String::as_str),
        }
    }

    /// Returns the number of an item, if the tag is numeric and the item has a value.
    pub fn number(self, item: usize) -> Option<f64> {
        match self {
            Self::Number(values) => values.get(item).filter(|value| !value.is_nan()),
            Self::Text { .. } => None,
        }
    }
}

/// Storage of one tag's values.
#[derive(Clone, Debug)]
pub enum Tag {
    /// Values of a numeric tag.
    Number(Cells<f64>),
    /// Distinct texts with their codes, and the code of each item's text.
    Text(Key<String>, Cells<u32>),
}

impl Tag {
    const fn is_text(&self) -> bool {
        matches!(self, Self::Text(..))
    }

    fn new(value: &Value) -> Self {
        match value {
            Value::Number(_) => Self::Number(Cells::new()),
            Value::Text(_) | Value::Flag(_) => Self::Text(Key::default(), Cells::new()),
        }
    }

    /// Returns a view of the values for `items` items.
    pub fn column(&self, items: usize) -> TagColumn<'_> {
        match self {
            Self::Number(values) => TagColumn::Number(TagValues::new(values, items)),
            Self::Text(names, codes) => TagColumn::Text {
                names: names.values(),
                codes: TagValues::new(codes, items),
            },
        }
    }

    fn finish(self, items: usize) -> Self {
        match self {
            Self::Number(values) => Self::Number(values.finish(items)),
            Self::Text(names, codes) => Self::Text(names, codes.finish(items)),
        }
    }
}

/// Tags under construction, by name.
#[derive(Clone, Debug, Default)]
pub struct GrowingTags {
    tags: BTreeMap<String, Tag>,
    /// Total length of all distinct texts in bytes.
    texts: usize,
    left_out: DroppedValues,
}

impl GrowingTags {
    /// Adds the tags of one item; items must be added in ascending order.
    pub fn push(&mut self, item: usize, labels: &Labels) {
        for (name, value) in labels {
            if matches!(value, Value::Number(number) if number.is_nan()) {
                continue;
            }
            if !self.tags.contains_key(name) {
                if self.tags.len() >= Limit::Tags.length() {
                    self.left_out.tags += 1;
                    continue;
                }
                self.tags.insert(name.clone(), Tag::new(value));
            }
            if !self.add(name, item, value) {
                self.left_out.tag_texts += 1;
            }
        }
    }

    /// Adds a value to a tag. Returns false if the text would exceed [`Limit::TagTexts`].
    fn add(&mut self, name: &str, item: usize, value: &Value) -> bool {
        let Some(tag) = self.tags.get_mut(name) else {
            return false;
        };
        if !tag.is_text() && !matches!(value, Value::Number(_)) {
            become_text(tag, &mut self.texts);
        }
        match (tag, value) {
            (Tag::Number(values), Value::Number(number)) => {
                values.push(item, *number);
                true
            }
            (Tag::Number(_), _) => false,
            (Tag::Text(names, codes), value) => {
                let shown;
                let text = if let Value::Text(text) = value {
                    text.as_str()
                } else {
                    shown = value.to_string();
                    &shown
                };
                let code = code(names, text, &mut self.texts);
                if let Some(code) = code {
                    codes.push(item, code);
                }
                code.is_some()
            }
        }
    }

    /// Continues with tags from a finished table.
    pub fn resume(tags: BTreeMap<String, Tag>, left_out: DroppedValues) -> Self {
        let length = |tag: &Tag| match tag {
            Tag::Number(_) => 0,
            Tag::Text(names, _) => names.values().iter().map(String::len).sum(),
        };
        Self {
            texts: tags.values().map(length).sum(),
            tags,
            left_out,
        }
    }

    /// Returns the counts of dropped values.
    pub const fn left_out(&self) -> DroppedValues {
        self.left_out
    }

    /// Returns all tags, in columns for `items` items.
    pub fn finish(self, items: usize) -> BTreeMap<String, Tag> {
        let tags = self.tags.into_iter();
        tags.map(|(name, tag)| (name, tag.finish(items))).collect()
    }
}

/// Returns the code of a text; `None` if the text is new and would exceed [`Limit::TagTexts`].
fn code(names: &mut Key<String>, text: &str, texts: &mut usize) -> Option<u32> {
    if let Some(code) = names.find(text) {
        return Some(code);
    }
    let length = *texts + text.len();
    if length > Limit::TagTexts.length() {
        return None;
    }
    *texts = length;
    Some(names.code(text))
}

/// Converts a numeric tag to text, including the values of earlier items.
fn become_text(tag: &mut Tag, texts: &mut usize) {
    if let Tag::Number(values) = tag {
        let mut names = Key::default();
        let mut code = |number: &f64| {
            if number.is_nan() {
                u32::NONE
            } else {
                code(&mut names, number.to_string().as_str(), texts).unwrap_or(u32::NONE)
            }
        };
        let codes = values.map(&mut code);
        *tag = Tag::Text(names, codes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(name: &str, value: Value) -> Labels {
        Labels::from([(name.to_owned(), value)])
    }

    #[test]
    fn a_number_becomes_text_when_a_text_comes() {
        let mut tags = GrowingTags::default();
        for item in 0..10 {
            tags.push(item, &labels("a", Value::Number(item as f64)));
        }
        tags.push(10, &labels("a", "x".into()));
        let tags = tags.finish(12);
        let column = tags["a"].column(12);
        assert_eq!(column.text(3), Some("3"));
        assert_eq!(column.text(10), Some("x"));
        assert_eq!(column.text(11), None);
    }

    #[test]
    fn tags_of_few_items_take_memory_for_these_alone() {
        let mut tags = GrowingTags::default();
        let most = Limit::Tags.length();
        for item in 0..most + 5 {
            tags.push(item, &labels(&format!("own {item}"), Value::Number(1.0)));
        }
        assert_eq!(tags.left_out().tags, 5);
        let tags = tags.finish(most + 5);
        let cells = |tag: &Tag| match tag {
            Tag::Number(Cells::Sparse(_, values) | Cells::Dense(values, _)) => values.len(),
            Tag::Text(..) => 0,
        };
        assert!(tags.values().map(cells).sum::<usize>() < 2 * most);
    }

    #[test]
    fn texts_have_a_bound_in_all() {
        let mut tags = GrowingTags::default();
        let text = "x".repeat(1 << 20);
        let most = Limit::TagTexts.length() >> 20;
        for item in 0..2 * most {
            tags.push(
                item,
                &labels("a", format!("{item:04}{text}").as_str().into()),
            );
        }
        assert!(tags.left_out().tag_texts as usize > most);
    }
}
