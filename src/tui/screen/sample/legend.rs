//! The legend of the picture: the meaning of its lines and colours.

use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use super::scale;
use crate::widget::theme::{ColorDepth, Theme};
use crate::widget::{fit, width};
use base::format::{compact, visible};
use media::{Letter, Stroke};
use workspace::picture::{Layers, MarkedBox, Meaning};
use workspace::sample_panel::caption;
use workspace::surface::{Key, MapRole, Surface};

/// Maximum number of boxes with the same meaning for which each box is listed.
const FEW: usize = 3;

/// Boxes, maps and layers that the legend explains.
pub struct Legend<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Colour depth of the terminal.
    pub depth: ColorDepth,
    /// All boxes, including hidden boxes.
    pub known: &'a [MarkedBox],
    /// All maps, including hidden maps.
    pub surfaces: Vec<(Letter, &'a Surface)>,
    /// Visible layers.
    pub layers: Layers,
    /// Names of the models A and B.
    pub models: [&'a str; 2],
}

/// A symbol, its description, and the description's style.
pub type Entry = (Span<'static>, String, Style);

/// Returns a sample of a line style, as drawn on the picture.
const fn sign(stroke: Stroke) -> &'static str {
    match stroke {
        Stroke::Solid => "━━",
        Stroke::Dashed => "╍╍",
        Stroke::Dotted => "┅┅",
        Stroke::Thin => "──",
    }
}

impl Legend<'_> {
    /// Returns lines of symbols that fit the width, and a line with scale or error for each map.
    pub fn lines(&self, columns: u16) -> Vec<Line<'static>> {
        let mut axes_are_told = false;
        let maps = self.surfaces.iter().filter(|(_, surface)| {
            let axes = surface
                .shown
                .as_ref()
                .is_ok_and(|shown| shown.key == Key::Axes);
            !axes || !std::mem::replace(&mut axes_are_told, true)
        });
        let maps = maps.filter_map(|(letter, map)| self.map(*letter, map, columns));
        self.signs(columns).into_iter().chain(maps).collect()
    }

    /// Returns the entries for lines and areas on the picture, without duplicates.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let boxes = self.known.iter().map(|marked| self.of_box(marked));
        let maps = self.surfaces.iter();
        let masks = maps.filter_map(|(letter, map)| self.of_mask(*letter, map));
        for entry in boxes.chain(masks) {
            if !entries.iter().any(|(_, known, _)| *known == entry.1) {
                entries.push(entry);
            }
        }
        entries
    }

    /// Returns the entries in up to two lines if shorter names permit that. An entry is not split.
    fn signs(&self, columns: u16) -> Vec<Line<'static>> {
        let entries = self.entries();
        let widths = entries.iter().map(|(_, words, _)| width(words));
        let mut most = widths.max().unwrap_or_default();
        let mut lines = packed(&entries, most, columns);
        while most > 6 && lines.len() > 2 {
            most -= 1;
            lines = packed(&entries, most, columns);
        }
        lines
    }

    fn of_box(&self, marked: &MarkedBox) -> Entry {
        let meaning = marked.meaning;
        let alike = self.known.iter().filter(|other| other.meaning == meaning);
        let label = if alike.count() > FEW {
            "".into()
        } else {
            visible(&marked.label)
        };
        let words = match meaning {
            Meaning::Target if !label.is_empty() => format!("target {label}"),
            Meaning::Reference if !label.is_empty() => label.into_owned(),
            _ => visible(&caption(meaning, self.models)).into_owned(),
        };
        let overlay = &marked.overlay;
        self.entry(meaning, overlay.color, overlay.style, words)
    }

    /// Returns the entry for a mask, with its size.
    fn of_mask(&self, letter: Letter, surface: &Surface) -> Option<Entry> {
        let meaning = surface.meaning(letter);
        let Key::Pixels(pixels) = surface.shown.as_ref().ok()?.key else {
            return None;
        };
        let name = caption(meaning, self.models);
        let words = format!("{} {} px", visible(&name), compact(pixels as u64));
        let (sign, _, style) =
            self.entry(meaning, meaning.color(), meaning.stroke(), String::new());
        Some((sign, words, style))
    }

    fn entry(&self, meaning: Meaning, color: [u8; 3], stroke: Stroke, words: String) -> Entry {
        if self.layers.show(meaning) {
            let [red, green, blue] = color;
            let color = self.depth.color(Color::Rgb(red, green, blue));
            let sign = Span::styled(sign(stroke), Style::new().fg(color));
            (sign, words, self.theme.text())
        } else {
            let hidden = Span::styled("  ", self.theme.dim());
            (hidden, format!("{words} hidden"), self.theme.dim())
        }
    }

    /// Explains a map's colours, or why it is not drawn.
    fn map(&self, letter: Letter, surface: &Surface, columns: u16) -> Option<Line<'static>> {
        let name = match surface.what {
            // The line above contains the model's name.
            MapRole::Error => format!("error {}", letter.sign()),
            _ => caption(surface.meaning(letter), self.models),
        };
        let mut spans = vec![Span::styled(
            format!("{}  ", visible(&name)),
            self.theme.text(),
        )];
        match &surface.shown {
            Err(why) => {
                let words = format!("not drawn: {}", visible(why));
                spans.push(Span::styled(words, self.theme.dim()));
            }
            Ok(shown) if matches!(shown.key, Key::Pixels(_)) => return None,
            Ok(shown) => {
                // Limit the names to two lines; the most important names come first.
                let room = (2 * usize::from(columns)).saturating_sub(name.chars().count() + 2);
                spans.extend(scale::spans(shown, room, self.theme, self.depth));
            }
        }
        Some(spans.into())
    }
}

/// Packs entries with names of at most `most` cells into lines.
fn packed(entries: &[Entry], most: u16, columns: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (sign, words, style) in entries {
        // A space, and two more to the next entry.
        let most = most.min(columns.saturating_sub(width(&sign.content) + 1));
        let words = Span::styled(format!(" {}", fit(words, most)), *style);
        let needed = sign.width() + words.width();
        match lines.last_mut() {
            Some(line) if line.width() + 2 + needed <= usize::from(columns) => {
                line.extend([Span::raw("  "), sign.clone(), words]);
            }
            _ => lines.push(Line::from_iter([sign.clone(), words])),
        }
    }
    lines
}
