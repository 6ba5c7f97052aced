//! Checks every embedded theme: all slots exist, text is readable, and correct and wrong are
//! distinguishable.

use super::color::{BLACK, WHITE, blindness, distance};
use super::*;

/// Parses every embedded theme.
fn themes() -> impl Iterator<Item = Theme> {
    EMBEDDED
        .iter()
        .map(|(name, text)| match Theme::parse_whole(name, text) {
            Ok(theme) => theme,
            Err(error) => panic!("{name}: {error}"),
        })
}

/// Returns the text colour of a style. If the style has none, returns the colour of plain text.
fn ink(theme: &Theme, style: Style) -> Rgb {
    let text = style.fg.or(theme.text().fg);
    let own = if theme.ground == WHITE { BLACK } else { WHITE };
    text.and_then(depth::value_of).unwrap_or(own)
}

#[test]
fn every_theme_is_whole_and_found_by_name() {
    assert_eq!(
        themes()
            .map(|theme| theme.name().to_owned())
            .collect::<Vec<_>>(),
        Theme::NAMES
    );
    for name in Theme::NAMES {
        assert!(Theme::named(name).is_some(), "{name}");
    }
    assert!(Theme::named("neon").is_none());
}

#[test]
fn every_theme_paints_its_own_background_where_colours_are_its_own() {
    for theme in themes() {
        for depth in [ColorDepth::True, ColorDepth::Ansi256] {
            let screen = theme.clone().at_depth(depth).screen();
            let ratio = [screen.fg, screen.bg].map(|color| color.and_then(depth::value_of));
            let [Some(text), Some(ground)] = ratio else {
                panic!("{} {depth:?}: {screen:?}", theme.name());
            };
            assert!(contrast(text, ground) >= 7.0, "{} {depth:?}", theme.name());
        }
        assert_eq!(
            theme.at_depth(ColorDepth::Ansi16).screen(),
            Style::new().fg(Color::Reset).bg(Color::Reset)
        );
    }
}

#[test]
fn text_can_be_read_in_every_slot() {
    for theme in themes() {
        for slot in Slot::ALL {
            if matches!(slot, Slot::Background | Slot::Border) {
                continue;
            }
            let style = theme.style(*slot);
            let ground = style.bg.and_then(depth::value_of).unwrap_or(theme.ground);
            let ratio = contrast(ink(&theme, style), ground);
            assert!(
                ratio >= READABLE,
                "{} {}: {ratio:.2}",
                theme.name(),
                slot.name()
            );
        }
    }
}

#[test]
fn text_can_be_read_in_every_slot_with_fewer_colours() {
    for (depth, least) in [(ColorDepth::Ansi256, 4.0), (ColorDepth::Ansi16, LEGIBLE)] {
        for theme in themes() {
            let theme = theme.at_depth(depth);
            let is_light = contrast(theme.ground, BLACK) > contrast(theme.ground, WHITE);
            let own = if is_light { BLACK } else { WHITE };
            for slot in Slot::ALL {
                if matches!(slot, Slot::Background | Slot::Border) {
                    continue;
                }
                let style = theme.style(*slot);
                let ground = style.bg.and_then(depth::value_of).unwrap_or(theme.ground);
                let text = style.fg.or(theme.text().fg).and_then(depth::value_of);
                let ratio = contrast(text.unwrap_or(own), ground);
                assert!(
                    ratio >= least,
                    "{} {depth:?} {}: {ratio:.2} {style:?}",
                    theme.name(),
                    slot.name()
                );
            }
        }
    }
}

#[test]
fn text_can_be_read_on_every_cell_at_every_depth() {
    for theme in themes() {
        for depth in [ColorDepth::True, ColorDepth::Ansi256, ColorDepth::Ansi16] {
            let theme = theme.clone().at_depth(depth);
            for step in 0..=20 {
                let t = f64::from(step) / 20.0;
                for style in [theme.heat(t), theme.difference(2.0 * t - 1.0)] {
                    let [fg, bg] =
                        [style.fg, style.bg].map(|color| color.and_then(depth::value_of));
                    let plain = depth == ColorDepth::Ansi16 && (fg, bg) == (None, None);
                    let ratio = fg.zip(bg).map_or(0.0, |(fg, bg)| contrast(fg, bg));
                    assert!(
                        plain || ratio >= READABLE,
                        "{} {depth:?} {t}: {style:?}",
                        theme.name()
                    );
                }
            }
        }
    }
}

#[test]
fn correct_and_wrong_look_different() {
    for theme in themes() {
        let (correct, wrong) = (ink(&theme, theme.correct()), ink(&theme, theme.wrong()));
        assert!(distance(correct, wrong) >= 30.0, "{}", theme.name());
    }
}

#[test]
fn pairs_look_different_to_colour_blind_eyes() {
    let cases = [
        ("deuteranopia", &blindness::DEUTERANOPIA),
        ("tritanopia", &blindness::TRITANOPIA),
    ];
    for (name, matrix) in cases {
        let theme = Theme::named(name).expect("embedded");
        let pairs = [
            (theme.correct(), theme.wrong()),
            (theme.model_a(), theme.model_b()),
            (theme.target(), theme.prediction()),
        ];
        for (first, second) in pairs {
            let seen = blindness::distance(matrix, ink(&theme, first), ink(&theme, second));
            assert!(seen >= 40.0, "{name}: {first:?} and {second:?}: {seen:.0}");
        }
    }
}

#[test]
fn without_colours_no_style_has_a_colour() {
    for theme in themes() {
        let theme = theme.at_depth(ColorDepth::None);
        let scales = (0..=20).flat_map(|step| {
            let t = f64::from(step) / 20.0;
            [theme.heat(t), theme.difference(t)]
        });
        for style in Slot::ALL
            .iter()
            .map(|slot| theme.style(*slot))
            .chain(scales)
        {
            assert_eq!((style.fg, style.bg), (None, None), "{}", theme.name());
        }
        assert!(theme.cursor().add_modifier.contains(Modifier::REVERSED));
    }
}

#[test]
fn a_score_that_is_missing_has_no_heat() {
    let theme = Theme::named("dark").expect("embedded");
    assert_eq!(theme.heat(f64::NAN), theme.dim());
}
