//! Reduces a theme to the colours of the terminal.
//!
//! Terminals with 256 or 16 colours get the nearest colour. Without colours, bold, dim, underline
//! or reverse distinguish the slots.

use ratatui::style::{Color, Modifier, Style};

use super::color::{Rgb, distance};

/// Number of colours of the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorDepth {
    /// 24-bit colours.
    #[default]
    True,
    /// xterm's 256 colours.
    Ansi256,
    /// The 16 colours of the terminal's own palette.
    Ansi16,
    /// Bold, dim, underline and reverse only.
    None,
}

/// xterm's default values of the 16 palette colours, in order.
const PALETTE: [(Color, Rgb); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

impl ColorDepth {
    /// Detects the depth from environment variables. `variable` returns the value of a variable.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| variable(name).unwrap_or_default();
        let term = value("TERM");
        if !value("NO_COLOR").is_empty() || term == "dumb" {
            Self::None
        } else if matches!(value("COLORTERM").as_str(), "truecolor" | "24bit")
            || term.ends_with("-direct")
            || !value("WT_SESSION").is_empty()
        {
            Self::True
        } else if term.contains("256") {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }

    /// Returns the nearest colour at this depth.
    pub fn color(self, color: Color) -> Color {
        match (self, color) {
            (Self::None, _) => Color::Reset,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Color::Indexed(indexed([r, g, b])),
            (Self::Ansi16, Color::Rgb(r, g, b)) => of_palette([r, g, b]),
            (Self::Ansi16, Color::Indexed(index)) => of_palette(value_of_index(index)),
            _ => color,
        }
    }

    /// Returns true if a cell of this colour should have no background. Users can change the greys
    /// of their palette, so a grey could equal the background.
    pub const fn leaves_plain(self, color: Color) -> bool {
        match self {
            Self::None => true,
            Self::Ansi16 => matches!(
                color,
                Color::Black | Color::DarkGray | Color::Gray | Color::White
            ),
            Self::Ansi256 | Self::True => false,
        }
    }

    /// Converts a style to this depth. Without colours, `plain` replaces them.
    pub fn style(self, style: Style, plain: Modifier) -> Style {
        if self == Self::None {
            return Style::new().add_modifier(style.add_modifier | plain);
        }
        let mut nearest = Style {
            fg: style.fg.map(|color| self.color(color)),
            bg: style.bg.map(|color| self.color(color)),
            ..style
        };
        // In some palettes, bright black equals the background.
        if self == Self::Ansi16 && nearest.fg == Some(Color::DarkGray) {
            nearest = nearest.fg(Color::Reset).add_modifier(Modifier::DIM);
        }
        nearest
    }
}

/// Returns the usual RGB value of a colour, or `None` for the terminal's default.
pub fn value_of(color: Color) -> Option<Rgb> {
    match color {
        Color::Reset => None,
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index) => Some(value_of_index(index)),
        named => PALETTE
            .iter()
            .find(|(color, _)| *color == named)
            .map(|(_, rgb)| *rgb),
    }
}

/// Channel levels of xterm's 6 x 6 x 6 colour cube.
pub const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the RGB value of one of the 256 colours. The first 16 are approximate, because users
/// change them.
pub fn value_of_index(index: u8) -> Rgb {
    match index {
        0..16 => PALETTE[usize::from(index)].1,
        16..232 => {
            let cube = usize::from(index - 16);
            [LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6]]
        }
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// Returns the nearest of the 240 fixed colours, from the cube or the greys.
fn indexed(color: Rgb) -> u8 {
    let level = |channel: u8| {
        (0u8..6)
            .min_by_key(|i| LEVELS[usize::from(*i)].abs_diff(channel))
            .unwrap_or(0)
    };
    let [r, g, b] = color.map(level);
    let cube = 16 + 36 * r + 6 * g + b;
    let mean = color.iter().map(|channel| u16::from(*channel)).sum::<u16>() / 3;
    let grey = 232 + u8::try_from((mean.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let off = |index: u8| distance(value_of_index(index), color);
    if off(grey) < off(cube) { grey } else { cube }
}

/// Returns the nearest of the 16 palette colours. A vivid colour never becomes grey, because it
/// would no longer be recognised.
fn of_palette(color: Rgb) -> Color {
    let vivid = spread(color) > 60;
    let near = |value: &Rgb| distance(*value, color);
    let allowed = PALETTE
        .iter()
        .filter(|(_, value)| !vivid || spread(*value) > 0);
    let nearest = allowed.min_by(|(_, a), (_, b)| near(a).total_cmp(&near(b)));
    nearest.map_or(Color::Reset, |(color, _)| *color)
}

/// Returns how far a colour is from grey, from 0 to 255.
fn spread([r, g, b]: Rgb) -> u8 {
    r.max(g).max(b) - r.min(g).min(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(variables: &[(&str, &str)]) -> ColorDepth {
        ColorDepth::of_environment(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_tells_the_depth() {
        assert_eq!(
            depth(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]),
            ColorDepth::True
        );
        assert_eq!(depth(&[("TERM", "screen-256color")]), ColorDepth::Ansi256);
        assert_eq!(depth(&[("TERM", "linux")]), ColorDepth::Ansi16);
        assert_eq!(depth(&[("TERM", "dumb")]), ColorDepth::None);
        assert_eq!(
            depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]),
            ColorDepth::None
        );
        assert_eq!(
            depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "")]),
            ColorDepth::True
        );
    }

    #[test]
    fn fixed_colours_are_their_own_nearest() {
        for index in 16..=255 {
            let found = indexed(value_of_index(index));
            assert_eq!(value_of_index(found), value_of_index(index), "{index}");
        }
    }

    #[test]
    fn the_palette_takes_the_nearest() {
        assert_eq!(
            ColorDepth::Ansi16.color(Color::Rgb(250, 240, 20)),
            Color::LightYellow
        );
        assert_eq!(
            ColorDepth::Ansi16.color(Color::Rgb(116, 179, 255)),
            Color::Cyan
        );
        assert_eq!(ColorDepth::Ansi16.color(Color::Reset), Color::Reset);
        assert_eq!(
            ColorDepth::True.color(Color::Rgb(1, 2, 3)),
            Color::Rgb(1, 2, 3)
        );
    }

    #[test]
    fn grey_text_is_dim_in_sixteen_colours() {
        let style = ColorDepth::Ansi16.style(
            Style::new().fg(Color::Rgb(128, 128, 128)),
            Modifier::empty(),
        );
        assert_eq!(
            style,
            Style::new().fg(Color::Reset).add_modifier(Modifier::DIM)
        );
    }

    #[test]
    fn without_colours_only_attributes_stay() {
        let style = Style::new().fg(Color::Red).bg(Color::Blue).bold();
        assert_eq!(
            ColorDepth::None.style(style, Modifier::UNDERLINED),
            Style::new().bold().underlined()
        );
    }
}
