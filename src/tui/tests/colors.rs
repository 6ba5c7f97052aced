//! Tests the colours of two models.

use crate::widget::theme::Theme;
use media::Letter;
use ratatui::style::Color;
use workspace::picture::Meaning;

/// A and B have the same colours in the comparison and on pictures. In every theme, the picture's A
/// is closer to the comparison's A than to its B.
#[test]
fn two_models_have_the_colours_of_compare() {
    let far = |[a, b, c]: [u8; 3], other: [u8; 3]| -> u32 {
        let parts = [(a, other[0]), (b, other[1]), (c, other[2])];
        parts
            .iter()
            .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
            .sum()
    };
    let ink = |style: ratatui::style::Style| match style.fg {
        Some(Color::Rgb(red, green, blue)) => [red, green, blue],
        other => panic!("{other:?}"),
    };
    let [a, b] = [Letter::A, Letter::B].map(|letter| Meaning::Model(letter).color());
    for name in Theme::NAMES
        .into_iter()
        .filter(|name| *name != "monochrome")
    {
        let theme = Theme::named(name).unwrap();
        let (first, second) = (ink(theme.model_a()), ink(theme.model_b()));
        assert!(far(a, first) < far(a, second), "{name}: A");
        assert!(far(b, second) < far(b, first), "{name}: B");
    }
    let dark = Theme::named("dark").unwrap();
    assert_eq!([a, b], [ink(dark.model_a()), ink(dark.model_b())]);
}
