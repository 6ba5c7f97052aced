//! Formats the scale of a map: colours with their values or class names.

use ratatui::style::{Color, Style};
use ratatui::text::Span;

use crate::widget::theme::{ColorDepth, Theme};
use base::format::{significant, visible};
use media::Ramp;
use workspace::surface::{Key, PaintedMap, Part};

/// Characters for brightness on a terminal without colours.
const SHADES: [&str; 5] = [" ", "░", "▒", "▓", "█"];

/// Returns the scale of a map and its figures, shortened to about `room` columns if possible.
pub fn spans(
    shown: &PaintedMap,
    room: usize,
    theme: &Theme,
    depth: ColorDepth,
) -> Vec<Span<'static>> {
    let mut spans = match &shown.key {
        Key::Pixels(_) => Vec::new(),
        Key::Fitted => vec![Span::styled("fitted to the target's scale  ", theme.dim())],
        Key::Parts(parts) => named(parts, room, theme, depth),
        Key::Scale {
            what,
            low,
            high,
            ramp,
        } => {
            let value = |value: f64| Span::styled(significant(value, 4), theme.text());
            let mut scale = vec![value(*low), Span::raw(" ")];
            scale.extend(cells(ramp, depth));
            scale.extend([Span::raw(" "), value(*high)]);
            scale.push(Span::styled(format!(" {what}  "), theme.dim()));
            scale
        }
        Key::Axes => {
            let axes = [
                ([255, 128, 128], "right"),
                ([128, 255, 128], "up"),
                ([128, 128, 255], "out"),
            ];
            let one = |(color, name)| swatch(color, &format!(" {name}  "), theme, depth);
            axes.into_iter().flat_map(one).collect()
        }
    };
    for (name, value) in &shown.figures {
        let value = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        spans.push(Span::styled(format!("{name}\u{a0}"), theme.dim()));
        spans.push(Span::styled(format!("{value}  "), theme.text()));
    }
    if let Some(last) = spans.last_mut() {
        last.content = last.content.trim_end().to_owned().into();
    }
    spans
}

fn cells(ramp: &Ramp, depth: ColorDepth) -> Vec<Span<'static>> {
    if depth == ColorDepth::None {
        let shades = SHADES.iter().flat_map(|shade| [*shade, *shade]);
        return vec![Span::raw(shades.collect::<String>())];
    }
    let cell = |color: &[u8; 3]| Span::styled("█", Style::new().fg(ink(*color, depth)));
    ramp.iter().map(cell).collect()
}

/// Returns as many names as fit, with colours and shares, and the number of hidden names.
fn named(parts: &[Part], room: usize, theme: &Theme, depth: ColorDepth) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut taken = 0;
    for (at, part) in parts.iter().enumerate() {
        let words = format!(" {} {:.1} %  ", visible(&part.name), 100.0 * part.share);
        let length = words.chars().count() + 1;
        if at > 0 && taken + length + 4 > room {
            spans.push(Span::styled(
                format!("+{}  ", parts.len() - at),
                theme.dim(),
            ));
            break;
        }
        taken += length;
        spans.extend(swatch(part.color, &words, theme, depth));
    }
    spans
}

fn swatch(color: [u8; 3], words: &str, theme: &Theme, depth: ColorDepth) -> [Span<'static>; 2] {
    let square = Span::styled("■", Style::new().fg(ink(color, depth)));
    [square, Span::styled(together(words), theme.text())]
}

/// Replaces spaces between words by no-break spaces. Trailing spaces stay unchanged.
fn together(words: &str) -> String {
    let kept = words.trim_end();
    let spaces = words.get(kept.len()..).unwrap_or_default();
    format!("{}{spaces}", kept.replace(' ', "\u{a0}"))
}

fn ink([red, green, blue]: [u8; 3], depth: ColorDepth) -> Color {
    depth.color(Color::Rgb(red, green, blue))
}
