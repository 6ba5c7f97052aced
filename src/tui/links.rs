//! Hyperlinks (OSC 8) on the names of files on screen.

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

use ratatui::buffer::{Buffer, CellDiffOption, CellWidth as _};
use url::Url;

use record::{Generation, Source};

/// Files that are linked where their names appear on screen, by the displayed name.
#[derive(Clone, Debug, Default)]
pub struct FileLinks {
    /// Generation of the table to which the stored logs belong.
    of: Option<Generation>,
    logs: HashMap<String, PathBuf>,
    written: HashMap<String, PathBuf>,
}

impl FileLinks {
    /// Updates the open logs if the table has changed.
    pub fn know_logs(&mut self, generation: Generation, sources: &[Source]) {
        if self.of.replace(generation) != Some(generation) {
            let paths = sources.iter().map(|source| &source.path);
            self.logs = paths
                .map(|path| (base::format::path(path), path.clone()))
                .collect();
        }
    }

    /// Adds a file that was written.
    pub fn add(&mut self, path: &Path) {
        let name = base::format::path(path);
        self.written.insert(name, path.to_owned());
    }

    /// Returns the `file:` address for the name of a known file.
    fn address(&self, text: &str) -> Option<String> {
        let path = self.logs.get(text).or_else(|| self.written.get(text))?;
        let path = std::path::absolute(path).ok()?;
        Url::from_file_path(path).ok().map(String::from)
    }

    /// Turns the names of known files in a frame into links. A name is a word without spaces,
    /// optionally followed by a colon and a line number.
    pub fn put_into(&self, buffer: &mut Buffer) {
        let area = buffer.area;
        for y in area.top()..area.bottom() {
            let mut x = area.left();
            while x < area.right() {
                let width = word_width(buffer, x, y);
                if width > 0 {
                    self.link(buffer, [x, y], width);
                }
                x = x.saturating_add(width).saturating_add(1);
            }
        }
    }

    /// Turns the file name at the start of a word into a link. Each cell is a separate link, so
    /// that text drawn over a part of the name removes the link only there.
    fn link(&self, buffer: &mut Buffer, [x, y]: [u16; 2], width: u16) {
        let cells = (x..x + width).map(|x| buffer[(x, y)].symbol());
        let word: String = cells.collect();
        let name = word.split_once(':').map_or(word.as_str(), |(name, _)| name);
        let name = name.trim_end_matches([',', ';', '.']);
        let Some(address) = self.address(name) else {
            return;
        };
        let mut left = name.len();
        for x in x..x + width {
            let cell = &mut buffer[(x, y)];
            let Some(after) = left.checked_sub(cell.symbol().len()).filter(|_| left > 0) else {
                return;
            };
            left = after;
            let width = NonZeroU16::new(cell.symbol().cell_width());
            let link = format!("\x1b]8;;{address}\x1b\\{}\x1b]8;;\x1b\\", cell.symbol());
            cell.set_symbol(&link);
            cell.set_diff_option(CellDiffOption::ForcedWidth(
                width.unwrap_or(NonZeroU16::MIN),
            ));
        }
    }
}

/// Returns the number of cells up to the next space.
fn word_width(buffer: &Buffer, x: u16, y: u16) -> u16 {
    let cells = (x..buffer.area.right()).map(|x| buffer[(x, y)].symbol());
    let word = cells.take_while(|symbol| !matches!(*symbol, " " | ""));
    u16::try_from(word.count()).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn names_of_known_files_become_links_and_keep_their_width() {
        let mut links = FileLinks::default();
        links.add(Path::new("/runs/a b/räport.html"));
        links.add(Path::new("/runs/a.jsonl"));
        let area = Rect::new(0, 0, 40, 2);
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, "in /runs/a.jsonl:12: a fault", Style::new());
        buffer.set_string(0, 1, "/runs/b.jsonl a.jsonl", Style::new());
        let before = buffer.clone();
        links.put_into(&mut buffer);
        let link = "\x1b]8;;file:///runs/a.jsonl\x1b\\/\x1b]8;;\x1b\\";
        assert_eq!(buffer[(3, 0)].symbol(), link);
        let count = "/runs/a.jsonl".len();
        assert_eq!(before.diff(&buffer).len(), count);
        assert_eq!(buffer.diff(&before).len(), count, "no link stays");
        assert_eq!(buffer.diff(&buffer).len(), 0);
    }

    #[test]
    fn a_name_with_spaces_is_no_link() {
        let mut links = FileLinks::default();
        links.add(Path::new("/a b"));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 9, 1));
        buffer.set_string(0, 0, "/a b /c", Style::new());
        let before = buffer.clone();
        links.put_into(&mut buffer);
        assert_eq!(buffer, before);
    }
}
