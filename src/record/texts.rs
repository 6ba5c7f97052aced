//! Storage of many short texts in one allocation.

/// An append-only list of texts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a text at the end.
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    /// Returns the text at `index`; empty beyond the end.
    #[must_use]
    pub fn get(&self, index: usize) -> &str {
        let start = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or("")
    }

    /// Returns the total length in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of texts.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }
}
