//! Themes: colours by meaning, so that widgets do not name colours.
//!
//! A theme is data (`themes/*.toml`, embedded): a style per [`Slot`] and two colour scales. No
//! meaning depends on colour alone, so this module also defines the symbols for each meaning. A
//! theme does not depend on screens or widgets.

mod color;
mod depth;
mod parse;
mod ramp;
mod slot;

#[cfg(test)]
mod tests;

use ratatui::style::{Color, Modifier, Style};

pub use self::depth::{ColorDepth, LEVELS, value_of_index};
pub use self::parse::ThemeError;
pub use self::slot::Slot;

use self::color::{Rgb, contrast, ink_on, mix};
use self::ramp::Ramp;

/// Symbol of a correct prediction.
pub const CORRECT: &str = "✓";
/// Symbol of a wrong prediction.
pub const WRONG: &str = "✗";
/// Line symbol of a target.
pub const TARGET: &str = "━";
/// Line symbol of a prediction.
pub const PREDICTION: &str = "╍";

const EMBEDDED: [(&str, &str); 6] = [
    ("dark", include_str!("../../../../themes/dark.toml")),
    ("light", include_str!("../../../../themes/light.toml")),
    (
        "deuteranopia",
        include_str!("../../../../themes/deuteranopia.toml"),
    ),
    (
        "tritanopia",
        include_str!("../../../../themes/tritanopia.toml"),
    ),
    (
        "high-contrast",
        include_str!("../../../../themes/high-contrast.toml"),
    ),
    (
        "monochrome",
        include_str!("../../../../themes/monochrome.toml"),
    ),
];

/// Minimum contrast of text (WCAG AA).
const READABLE: f64 = 4.5;
/// Minimum contrast in a palette of 16 colours. It is lower, because users change the palette.
const LEGIBLE: f64 = 3.0;

/// A style for each meaning, in the colours of the terminal.
#[derive(Clone, Debug)]
pub struct Theme {
    name: String,
    depth: ColorDepth,
    /// The background colour; an assumed one if the theme leaves it to the terminal.
    ground: Rgb,
    /// Styles in the order of [`Slot::ALL`].
    styles: Vec<Style>,
    ranks: Ramp,
    differences: Ramp,
}

impl Theme {
    /// Names of the embedded themes, in menu order.
    pub const NAMES: [&'static str; EMBEDDED.len()] = {
        let mut names = [""; EMBEDDED.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = EMBEDDED[i].0;
            i += 1;
        }
        names
    };

    /// Returns an embedded theme in 24-bit colours.
    pub fn named(name: &str) -> Option<Self> {
        let (name, text) = EMBEDDED.iter().find(|(known, _)| *known == name)?;
        Self::parse_whole(name, text).ok()
    }

    /// Returns the theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Converts the theme to a terminal with fewer colours.
    #[must_use]
    pub fn at_depth(mut self, depth: ColorDepth) -> Self {
        for (slot, style) in Slot::ALL.iter().zip(&mut self.styles) {
            *style = depth.style(*style, slot.plain());
        }
        if depth == ColorDepth::Ansi16 {
            self.leave_out_the_unreadable();
            // In a palette of 16 colours, the terminal decides which colours are background and
            // text.
            for slot in [Slot::Background, Slot::Text] {
                let style = &mut self.styles[slot as usize];
                *style = style.fg.map_or(*style, |_| style.fg(Color::Reset));
                *style = style.bg.map_or(*style, |_| style.bg(Color::Reset));
            }
        }
        self.depth = depth;
        self
    }

    /// Replaces palette colours that are unreadable on their background with text attributes.
    fn leave_out_the_unreadable(&mut self) {
        for (slot, style) in Slot::ALL.iter().zip(&mut self.styles) {
            let ground = style.bg.and_then(depth::value_of).unwrap_or(self.ground);
            let ink = style.fg.and_then(depth::value_of);
            if ink.is_some_and(|ink| contrast(ink, ground) < LEGIBLE) {
                *style = style.fg(Color::Reset).add_modifier(slot.plain());
            }
        }
    }

    /// Returns the style of a slot.
    pub fn style(&self, slot: Slot) -> Style {
        self.styles.get(slot as usize).copied().unwrap_or_default()
    }

    /// Returns the style of an empty screen: plain text on the background.
    pub fn screen(&self) -> Style {
        self.background().patch(self.text())
    }

    /// Returns the style of a heat cell, from 0 (best) to 1 (worst), with readable text.
    pub fn heat(&self, t: f64) -> Style {
        self.cell(self.ranks.at(t), t)
    }

    /// Returns the style of a difference, from -1 (A is better) over 0 (none) to 1 (B is
    /// better).
    pub fn difference(&self, d: f64) -> Style {
        self.cell(self.differences.at(f64::midpoint(d, 1.0)), 1.0 - d.abs())
    }

    /// Returns the style of readable text on `ground`. Where the background is left out, text
    /// with a small `t` is bold.
    fn cell(&self, ground: Rgb, t: f64) -> Style {
        if t.is_nan() {
            return self.dim();
        }
        let shown = self.depth.color(rgb(ground));
        if self.depth.leaves_plain(shown) {
            let is_bold = t < 1.0 / 3.0;
            return Style::new().add_modifier(if is_bold {
                Modifier::BOLD
            } else {
                Modifier::empty()
            });
        }
        let ground = depth::value_of(shown).unwrap_or(ground);
        let ink = ink_on(ground);
        // Pure black and white strain the eyes, so soften them if the contrast allows it.
        let soft = mix(ink, ground, 0.15);
        let soften = self.depth == ColorDepth::True && contrast(soft, ground) >= READABLE + 1.0;
        let ink = if soften { soft } else { ink };
        Style::new().fg(self.depth.color(rgb(ink))).bg(shown)
    }

    /// Returns the style of the `i`th series of a chart.
    pub fn series(&self, i: usize) -> Style {
        match i % 3 {
            0 => self.model_a(),
            1 => self.model_b(),
            _ => self.model_c(),
        }
    }

    /// Returns the letter of the `i`th series, shown together with its colour.
    pub fn marker(&self, i: usize) -> &'static str {
        ["A", "B", "C"][i % 3]
    }

    /// Returns the symbol and style of a verdict.
    pub fn verdict(&self, correct: bool) -> (&'static str, Style) {
        if correct {
            (CORRECT, self.correct())
        } else {
            (WRONG, self.wrong())
        }
    }
}

/// Converts an RGB value to ratatui's type.
const fn rgb([r, g, b]: Rgb) -> Color {
    Color::Rgb(r, g, b)
}
