//! The tiles of a sheet: each sample of the list once per group, with its answers.

use std::collections::HashMap;

use record::{Row, Table};
use workspace::answered::Group;

/// The samples of a list, in the order of their first answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiles {
    /// Groups with their number of samples; empty without grouping.
    pub groups: Vec<Group>,
    /// Index of the tile for each list position.
    tile_of: Vec<usize>,
    /// Start of each tile in `positions`, followed by the end of the last tile.
    starts: Vec<usize>,
    positions: Vec<usize>,
}

impl Tiles {
    /// Collects the tiles of a list whose groups are contiguous.
    pub fn new(table: &Table, rows: &[u32], groups: &[Group]) -> Self {
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.count;
            Some(*end)
        });
        let mut ends = ends.peekable();
        let mut known: HashMap<u32, usize> = HashMap::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut groups = groups.to_vec();
        let mut before = 0;
        let mut group = 0;
        let mut tile_of = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            while ends.next_if(|end| *end <= at).is_some() {
                count(&mut groups, group, counts.len() - before);
                (before, group) = (counts.len(), group + 1);
                known.clear();
            }
            let tile = *known.entry(table.item(Row(*row)).0).or_insert(counts.len());
            if tile == counts.len() {
                counts.push(0);
            }
            if let Some(count) = counts.get_mut(tile) {
                *count += 1;
            }
            tile_of.push(tile);
        }
        count(&mut groups, group, counts.len() - before);
        Self {
            groups,
            positions: sorted(&tile_of),
            starts: starts(&counts),
            tile_of,
        }
    }

    /// Returns the number of tiles.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the tile of a list position. Returns 0 for a position outside the list.
    pub fn tile_of(&self, position: usize) -> usize {
        self.tile_of.get(position).copied().unwrap_or_default()
    }

    /// Returns the list positions of a tile's answers.
    pub fn answers(&self, tile: usize) -> &[usize] {
        let ends = self.starts.get(tile).zip(self.starts.get(tile + 1));
        let range = ends.map(|(start, end)| *start..*end);
        range
            .and_then(|range| self.positions.get(range))
            .unwrap_or_default()
    }

    /// Returns the list position of a tile's first answer.
    pub fn first(&self, tile: usize) -> usize {
        self.answers(tile).first().copied().unwrap_or_default()
    }
}

/// Sets the number of tiles of a group.
fn count(groups: &mut [Group], group: usize, tiles: usize) {
    if let Some(group) = groups.get_mut(group) {
        group.count = tiles;
    }
}

/// Returns the list positions, sorted by their tile.
fn sorted(tile_of: &[usize]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..tile_of.len()).collect();
    positions.sort_by_key(|at| tile_of.get(*at));
    positions
}

/// Returns the start of each tile, followed by the end of the last tile.
fn starts(counts: &[usize]) -> Vec<usize> {
    let ends = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}
