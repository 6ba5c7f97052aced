//! Themes: colours by meaning, so that no widget names a colour.
//!
//! A theme is data (`themes/*.toml`, embedded): a style per [`Slot`] and two colour scales. Colour
//! never carries meaning alone, so the signs that stand beside it live here too. A theme knows no
//! screen and no widget.

mod color;
mod depth;
mod parse;
mod ramp;
mod slot;

#[cfg(test)]
mod tests;

use ratatui::style::{Color, Modifier, Style};

pub use self::depth::ColorDepth;
pub use self::parse::ThemeError;
pub use self::slot::Slot;

use self::color::{Rgb, contrast, grey_of, ink_on, mix};
use self::ramp::Ramp;

/// The sign of a correct prediction.
pub const CORRECT: &str = "✓";
/// The sign of a wrong prediction.
pub const WRONG: &str = "✗";
/// The line of a target.
pub const TARGET: &str = "━";
/// The line of a prediction.
pub const PREDICTION: &str = "╍";

const EMBEDDED: [(&str, &str); 6] = [
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    (
        "deuteranopia",
        include_str!("../../../themes/deuteranopia.toml"),
    ),
    (
        "tritanopia",
        include_str!("../../../themes/tritanopia.toml"),
    ),
    (
        "high-contrast",
        include_str!("../../../themes/high-contrast.toml"),
    ),
    (
        "monochrome",
        include_str!("../../../themes/monochrome.toml"),
    ),
];

/// How far a cell that the data cannot tell apart moves towards the background, after it has lost
/// most of its hue: a paler hue alone would be another rank.
const FADE: f64 = 0.68;
/// The contrast that text needs (WCAG AA).
const READABLE: f64 = 4.5;
/// The contrast that a palette of 16 colours, which users change, must be taken to keep.
const LEGIBLE: f64 = 3.0;

/// A style for every meaning, in the colours of this terminal.
#[derive(Clone, Debug)]
pub struct Theme {
    name: String,
    depth: ColorDepth,
    /// The background's colour, or what the terminal's own is taken to be.
    ground: Rgb,
    /// By [`Slot`], in its order.
    styles: Vec<Style>,
    ranks: Ramp,
    differences: Ramp,
}

impl Theme {
    /// The embedded themes, in the order in which they are offered.
    pub const NAMES: [&'static str; EMBEDDED.len()] = {
        let mut names = [""; EMBEDDED.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = EMBEDDED[i].0;
            i += 1;
        }
        names
    };

    /// An embedded theme, in 24-bit colours.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (name, text) = EMBEDDED.iter().find(|(known, _)| *known == name)?;
        Self::parse_whole(name, text).ok()
    }

    /// The theme's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same theme in the colours of a poorer terminal.
    #[must_use]
    pub fn at_depth(mut self, depth: ColorDepth) -> Self {
        for (slot, style) in Slot::ALL.iter().zip(&mut self.styles) {
            *style = depth.style(*style, slot.plain());
        }
        if depth == ColorDepth::Ansi16 {
            self.leave_out_the_unreadable();
            // What black and white are in a palette of 16 colours is the terminal's affair.
            for slot in [Slot::Background, Slot::Text] {
                let style = &mut self.styles[slot as usize];
                *style = style.fg.map_or(*style, |_| style.fg(Color::Reset));
                *style = style.bg.map_or(*style, |_| style.bg(Color::Reset));
            }
        }
        self.depth = depth;
        self
    }

    /// The bright colours of a palette cannot be read on white: there, attributes say what the colour would.
    fn leave_out_the_unreadable(&mut self) {
        for (slot, style) in Slot::ALL.iter().zip(&mut self.styles) {
            let ground = style.bg.and_then(depth::value_of).unwrap_or(self.ground);
            let ink = style.fg.and_then(depth::value_of);
            if ink.is_some_and(|ink| contrast(ink, ground) < LEGIBLE) {
                *style = style.fg(Color::Reset).add_modifier(slot.plain());
            }
        }
    }

    /// The style of a slot.
    #[must_use]
    pub fn style(&self, slot: Slot) -> Style {
        self.styles.get(slot as usize).copied().unwrap_or_default()
    }

    /// Plain text on the screen's background: what an empty screen is filled with.
    #[must_use]
    pub fn screen(&self) -> Style {
        self.background().patch(self.text())
    }

    /// A heat cell, from 0 (best) to 1 (worst), with text that can be read on it.
    #[must_use]
    pub fn heat(&self, t: f64) -> Style {
        self.cell(self.ranks.at(t), t, Modifier::empty())
    }

    /// A heat cell that the data cannot tell from its neighbours.
    #[must_use]
    pub fn dimmed_heat(&self, t: f64) -> Style {
        let color = self.ranks.at(t);
        let faded = mix(mix(color, grey_of(color), 0.6), self.ground, FADE);
        self.cell(faded, t, Modifier::DIM)
    }

    /// A difference, from -1 (A is better) over 0 (none) to 1 (B is better).
    #[must_use]
    pub fn difference(&self, d: f64) -> Style {
        self.cell(
            self.differences.at(f64::midpoint(d, 1.0)),
            1.0 - d.abs(),
            Modifier::empty(),
        )
    }

    /// Readable text on `ground`. Where cells stay plain, `plain` or, for a small `t`, bold says it.
    fn cell(&self, ground: Rgb, t: f64, plain: Modifier) -> Style {
        if t.is_nan() {
            return self.dim();
        }
        let shown = self.depth.color(rgb(ground));
        if self.depth.leaves_plain(shown) {
            let bold = plain.is_empty() && t < 1.0 / 3.0;
            return Style::new().add_modifier(if bold { Modifier::BOLD } else { plain });
        }
        let ground = depth::value_of(shown).unwrap_or(ground);
        let ink = ink_on(ground);
        // Pure black and white are hard on the eye where the contrast can spare some.
        let soft = mix(ink, ground, 0.15);
        let soften = self.depth == ColorDepth::True && contrast(soft, ground) >= READABLE + 1.0;
        let ink = if soften { soft } else { ink };
        Style::new().fg(self.depth.color(rgb(ink))).bg(shown)
    }

    /// The colour of the `i`th series of a chart.
    #[must_use]
    pub fn series(&self, i: usize) -> Style {
        match i % 3 {
            0 => self.model_a(),
            1 => self.model_b(),
            _ => self.model_c(),
        }
    }

    /// The letter of the `i`th series: it says what its colour says.
    #[must_use]
    pub fn marker(&self, i: usize) -> &'static str {
        ["A", "B", "C"][i % 3]
    }

    /// A verdict's sign and style.
    #[must_use]
    pub fn verdict(&self, correct: bool) -> (&'static str, Style) {
        if correct {
            (CORRECT, self.correct())
        } else {
            (WRONG, self.wrong())
        }
    }
}

/// A colour value as ratatui's.
const fn rgb([r, g, b]: Rgb) -> Color {
    Color::Rgb(r, g, b)
}
