//! Storage of many short texts with few allocations.

use std::sync::Arc;

/// Number of texts in a chunk.
const CHUNK: usize = 4096;

/// An append-only list of texts. Clones share their chunks; when a clone grows, only its last chunk
/// is copied.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    chunks: Vec<Arc<Chunk>>,
    len: usize,
    bytes: usize,
}

/// Up to [`CHUNK`] texts.
#[derive(Clone, Debug, Default)]
struct Chunk {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a text at the end.
    pub fn push(&mut self, text: &str) {
        if self.len.is_multiple_of(CHUNK) {
            if let Some(full) = self.chunks.last_mut().and_then(Arc::get_mut) {
                full.bytes.shrink_to_fit();
            }
            self.chunks.push(Arc::default());
        }
        if let Some(chunk) = self.chunks.last_mut() {
            let chunk = Arc::make_mut(chunk);
            chunk.bytes.push_str(text);
            chunk.ends.push(chunk.bytes.len());
        }
        self.len += 1;
        self.bytes += text.len();
    }

    /// Returns the text at `index`; empty beyond the end.
    pub fn get(&self, index: usize) -> &str {
        let chunk = self.chunks.get(index / CHUNK);
        chunk.map_or("", |chunk| chunk.get(index % CHUNK))
    }

    /// Returns the total length in bytes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of texts.
    pub const fn len(&self) -> usize {
        self.len
    }
}

impl Chunk {
    fn get(&self, index: usize) -> &str {
        let start = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_grow_keep_their_own_texts_and_share_full_chunks() {
        let mut texts = Texts::default();
        for at in 0..CHUNK + 3 {
            texts.push(&at.to_string());
        }
        let mut copy = texts.clone();
        copy.push("more");
        texts.push("");
        let [chunks, of_copy] = [&texts, &copy].map(|texts| &texts.chunks);
        assert!(Arc::ptr_eq(&chunks[0], &of_copy[0]) && !Arc::ptr_eq(&chunks[1], &of_copy[1]));
        let around =
            |texts: &Texts| [0, CHUNK - 1, CHUNK, CHUNK + 2].map(|at| texts.get(at).to_owned());
        assert_eq!(around(&texts), ["0", "4095", "4096", "4098"]);
        assert_eq!(around(&copy), around(&texts));
        assert_eq!([texts.get(CHUNK + 3), copy.get(CHUNK + 3)], ["", "more"]);
        assert_eq!([copy.get(CHUNK + 4), copy.get(9 * CHUNK)], ["", ""]);
        assert_eq!((copy.len(), copy.bytes()), (CHUNK + 4, texts.bytes() + 4));
    }
}
