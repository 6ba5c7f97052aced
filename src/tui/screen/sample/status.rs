//! The part of the status line that the sample view provides.

use crate::meter::compact_bytes;
use crate::picture::Cost;
use crate::shared::AppState;
use crate::widget::line::Piece;
use media::Letter;
use workspace::picture::{Layers, source_count};

use super::SampleView;
use super::answers::AnswerPair;

/// Returns zoom, visible layers and the picture's cost.
pub fn pieces(sample: &SampleView, shared: &AppState) -> Vec<Piece<'static>> {
    let theme = &shared.theme;
    let mut pieces = Vec::new();
    let view = sample.view;
    let pictures = AnswerPair::here(shared);
    let pictures = pictures.map_or(0, |it| source_count(it.first));
    if pictures > 1 {
        let words = format!("( ) step through {pictures} pictures");
        pieces.push(Piece::new(words, theme.dim()));
    }
    if view.region.is_some() {
        let zoomed = format!("{:.1}x, arrows pan, 0 resets", view.magnification());
        pieces.push(Piece::new(zoomed, theme.accent()));
    }
    if view.turn.degrees() > 0 {
        let turned = format!("turned {}°", view.turn.degrees());
        pieces.push(Piece::new(turned, theme.accent()));
    }
    let hidden = match sample.layers {
        Layers::All => None,
        Layers::First => Some("only A's answer"),
        Layers::Second => Some("only B's answer"),
        Layers::Target => Some("no model's answer"),
        Layers::Error(Letter::A) => Some("where A is wrong"),
        Layers::Error(Letter::B) => Some("where B is wrong"),
        Layers::None => Some("nothing drawn"),
    };
    pieces.extend(hidden.map(|words| Piece::new(words, theme.warning())));
    if let (Some(_), Some(cost)) = (shared.pictures.budget(), shared.pictures.cost) {
        let total = compact_bytes(shared.meter.total());
        let words = format!("picture {}, {total} sent", cost_words(cost));
        pieces.push(Piece::new(words, theme.dim()));
    }
    pieces
}

/// Formats the cost of a picture: `43 kB in 0.2 s`. A very short time is omitted.
fn cost_words(cost: Cost) -> String {
    let bytes = compact_bytes(cost.bytes);
    let seconds = cost.took.as_secs_f64();
    if seconds < 0.05 {
        return bytes;
    }
    format!("{bytes} in {seconds:.1} s")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn costs_are_short() {
        let cost = |bytes, milliseconds| {
            cost_words(Cost {
                bytes,
                took: Duration::from_millis(milliseconds),
            })
        };
        assert_eq!(cost(812, 3), "812 B");
        assert_eq!(cost(43_017, 210), "44 kB in 0.2 s");
        assert_eq!(compact_bytes(1_234_567), "1.2 MB");
    }
}
