//! Detects a terminal's colour depth and quantises colours to it.

use crate::widget::theme::{LEVELS, value_of_index};

/// Colour depth of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorDepth {
    /// 24-bit colours.
    True,
    /// xterm's 256 colours.
    Indexed,
    /// The 16 ANSI colours.
    Ansi,
    /// No colours; brightness is drawn with shade characters.
    None,
}

impl ColorDepth {
    /// Detects the depth from the values of `COLORTERM` and `TERM`.
    pub fn from_words(colorterm: &str, term: &str) -> Self {
        let direct = term.ends_with("-direct") || term.contains("kitty");
        if direct || colorterm.contains("truecolor") || colorterm.contains("24bit") {
            return Self::True;
        }
        match term {
            "" | "dumb" => Self::None,
            term if term.starts_with("vt") => Self::None,
            term if term.contains("256") => Self::Indexed,
            _ => Self::Ansi,
        }
    }
}

/// Returns the nearest of the 256 colours, from the cube or the grey ramp.
pub(super) fn nearest_indexed(color: [u8; 3]) -> u8 {
    let [red, green, blue] = color.map(nearest_step);
    let index = 16 + 36 * red + 6 * green + blue;
    let cube = value_of_index(index);
    let mean = color.iter().map(|channel| u16::from(*channel)).sum::<u16>() / 3;
    let rung = u8::try_from(mean.saturating_sub(3) / 10)
        .unwrap_or(u8::MAX)
        .min(23);
    let grey = [8 + 10 * rung; 3];
    if distance(color, grey) < distance(color, cube) {
        232 + rung
    } else {
        index
    }
}

fn nearest_step(channel: u8) -> u8 {
    let near = (0_u8..)
        .zip(LEVELS)
        .min_by_key(|(_, step)| step.abs_diff(channel));
    near.map_or(0, |(at, _)| at)
}

/// Returns the nearest of the 16 ANSI colours.
pub(super) fn nearest_ansi(color: [u8; 3]) -> u8 {
    let near = (0..16).min_by_key(|at| distance(color, value_of_index(*at)));
    near.unwrap_or(0)
}

/// Squared distance, weighted by the eye's sensitivity to each channel.
fn distance(left: [u8; 3], right: [u8; 3]) -> u32 {
    let apart = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
    let [red, green, blue] = left;
    let [other_red, other_green, other_blue] = right;
    3 * apart(red, other_red) + 6 * apart(green, other_green) + apart(blue, other_blue)
}

/// Returns a colour's brightness from 0 to 255.
pub(super) fn luminance([red, green, blue]: [u8; 3]) -> u8 {
    let sum = 2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue);
    u8::try_from(sum / 10_000).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_comes_from_the_usual_words() {
        assert_eq!(
            ColorDepth::from_words("truecolor", "xterm"),
            ColorDepth::True
        );
        assert_eq!(ColorDepth::from_words("", "xterm-kitty"), ColorDepth::True);
        assert_eq!(
            ColorDepth::from_words("", "tmux-256color"),
            ColorDepth::Indexed
        );
        assert_eq!(ColorDepth::from_words("", "linux"), ColorDepth::Ansi);
        assert_eq!(ColorDepth::from_words("", "vt220"), ColorDepth::None);
    }

    #[test]
    fn colours_of_the_cube_and_the_ramp_are_their_own_nearest() {
        assert_eq!(nearest_indexed([0, 0, 0]), 16);
        assert_eq!(nearest_indexed([255, 255, 255]), 231);
        assert_eq!(nearest_indexed([255, 0, 0]), 196);
        assert_eq!(nearest_indexed([95, 135, 175]), 67);
        assert_eq!(nearest_indexed([118, 118, 118]), 243);
        assert_eq!(nearest_indexed([8, 8, 8]), 232);
    }

    #[test]
    fn colours_of_ansi_are_their_own_nearest() {
        for at in 0..16 {
            assert_eq!(nearest_ansi(value_of_index(at)), at);
        }
    }

    #[test]
    fn white_is_brightest() {
        assert_eq!([luminance([0; 3]), luminance([255; 3])], [0, 255]);
        assert!(luminance([0, 255, 0]) > luminance([255, 0, 0]));
    }
}
