//! Reduces the pictures of a page until its size is within the limit.

use std::io::{self, Write};

use rayon::prelude::*;

use super::{Block, Page, write};
use base::format::counted;
use base::limits::Limit;
use media::EncodedPicture;

/// Minimum size of a recognisable picture in bytes. Pictures are left out, the last ones first,
/// before all become smaller than this.
const SMALLEST: usize = 2_000;

impl Page {
    /// Shrinks or removes pictures until the page is within its size limit. Text stays. If it needs
    /// almost the whole limit, pictures still get a fifth of the limit.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        let most = Limit::ReportPictures.length();
        let mut length = Length(0);
        if write(&self, &mut length).is_err() || length.0 <= most {
            return self;
        }
        let pictures = pictures(&mut self.blocks);
        let sizes: Vec<usize> = pictures.iter().map(|one| bytes(one.as_ref())).collect();
        let embedded: usize = sizes.iter().map(|size| embedded(*size)).sum();
        let text = length.0.saturating_sub(embedded);
        let room = most.saturating_sub(text).max(most / 5) / 4 * 3;
        let kept = sizes.len().min(room / SMALLEST);
        let each = allowance(sizes.get(..kept).unwrap_or_default(), room);
        let pictures: Vec<_> = pictures.into_iter().zip(0..).collect();
        let changes = pictures.into_par_iter().map(|(picture, at)| {
            let most = if at < kept { each } else { 0 };
            shrink(picture, most)
        });
        let changes: Vec<Change> = changes.collect();
        remove_empty(&mut self.blocks);
        let count = |change: Change| changes.iter().filter(|it| **it == change).count() as u64;
        let (smaller, left_out) = (count(Change::Smaller), count(Change::LeftOut));
        if smaller > 0 {
            let pictures = counted(smaller, "picture");
            self.about.push(format!("{pictures} reduced to fit"));
        }
        if left_out > 0 {
            let (pictures, limit) = (
                counted(left_out, "picture"),
                Limit::ReportPictures.message(),
            );
            self.about.push(format!("{pictures} left out: {limit}"));
        }
        self
    }
}

/// What happened to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Kept,
    Smaller,
    LeftOut,
}

/// Counts written bytes.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Number of bytes of a picture; 0 if there is none.
fn bytes(picture: Option<&EncodedPicture>) -> usize {
    picture.map_or(0, |picture| picture.bytes.len())
}

/// Length of this many bytes in base64.
const fn embedded(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// Shrinks a picture to at most `most` bytes, or removes it.
fn shrink(picture: &mut Option<EncodedPicture>, most: usize) -> Change {
    if bytes(picture.as_ref()) <= most {
        return Change::Kept;
    }
    *picture = picture.as_ref().and_then(|picture| picture.at_most(most));
    if picture.is_some() {
        Change::Smaller
    } else {
        Change::LeftOut
    }
}

/// Maximum size of a single picture so that all fit into `room` bytes. Small pictures leave their
/// unused share to larger ones.
fn allowance(sizes: &[usize], room: usize) -> usize {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let mut room = room;
    for (size, left) in sorted.iter().zip((1..=sorted.len()).rev()) {
        let fair = room / left;
        if *size > fair {
            return fair;
        }
        room -= size;
    }
    usize::MAX
}

/// Pictures of a page, in page order.
fn pictures(blocks: &mut [Block]) -> Vec<&mut Option<EncodedPicture>> {
    let mut found = Vec::new();
    for block in blocks {
        match block {
            Block::Cards(cards) => {
                let pictures = cards.iter_mut().flat_map(|card| &mut card.pictures);
                found.extend(pictures.map(|picture| &mut picture.encoded));
            }
            Block::Sheet(sheet) => {
                let pictures = sheet.pictures.iter_mut();
                found.extend(pictures.map(|one| &mut one.picture));
            }
            other => found.extend(pictures(other.inner_mut())),
        }
    }
    found
}

/// Replaces pictures that were removed from cards with a sentence.
fn remove_empty(blocks: &mut [Block]) {
    for block in blocks {
        match block {
            Block::Cards(cards) => {
                for card in cards {
                    let before = card.pictures.len();
                    card.pictures.retain(|picture| picture.encoded.is_some());
                    if card.pictures.len() < before {
                        card.missing.push("The picture is left out.".to_owned());
                    }
                }
            }
            other => remove_empty(other.inner_mut()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::allowance;

    #[test]
    fn small_pictures_leave_their_rest_to_larger_ones() {
        assert_eq!(allowance(&[10, 20, 30], 60), usize::MAX);
        let sizes = [10, 100, 200, 300];
        let each = allowance(&sizes, 400);
        assert_eq!(each, 145);
        let used: usize = sizes.iter().map(|size| *size.min(&each)).sum();
        assert_eq!(used, 400);
        assert_eq!(allowance(&[], 0), usize::MAX);
        assert_eq!(allowance(&[5, 5], 0), 0);
    }
}
