use image::{Rgba, RgbaImage};

use super::*;
use record::{Choice, Content, Target};

/// A coloured square on gray.
fn square(at: (u32, u32), side: u32, color: [u8; 3]) -> RgbaImage {
    RgbaImage::from_fn(96, 96, |x, y| {
        let inside = (at.0..at.0 + side).contains(&x) && (at.1..at.1 + side).contains(&y);
        let [r, g, b] = if inside { color } else { [120, 120, 120] };
        Rgba([r, g, b, 255])
    })
}

fn answered(target: Target, choices: &[&str]) -> Content {
    let choice = |(text, letter): (&&str, char)| Choice {
        letter: letter.to_string(),
        text: (*text).to_owned(),
    };
    Content {
        target: Some(target),
        choices: choices.iter().zip('A'..).map(choice).collect(),
        ..Content::default()
    }
}

/// Trains on all questions except the last, and answers the last one.
fn last(encoder: Encoder, ability: &str, questions: &[(Content, RgbaImage)]) -> String {
    let (asked, known) = questions.split_last().unwrap();
    let examples: Vec<Example<'_>> = known
        .iter()
        .map(|(content, picture)| Example { content, picture })
        .collect();
    let mut heads = Heads::new(encoder);
    heads.learn(ability, &examples);
    assert_eq!(heads.predict("unheard", &asked.0, &asked.1), None);
    heads.predict(ability, &asked.0, &asked.1).unwrap()
}

#[test]
fn every_encoder_is_found_by_its_name() {
    for encoder in Encoder::ALL {
        assert_eq!(Encoder::from_name(encoder.name()), Some(encoder));
    }
    assert_eq!(Encoder::from_name("dinov2"), None);
}

#[test]
fn features_are_finite_and_as_many_for_every_picture() {
    let plain = square((10, 10), 0, [0; 3]);
    let mut boxed = square((10, 10), 30, [200, 40, 90]);
    for (x, y) in (20..50).flat_map(|at| [(at, 20), (at, 49), (20, at), (49, at)]) {
        boxed.put_pixel(x, y, Rgba([255, 0, 0, 255]));
    }
    for encoder in Encoder::ALL {
        let (without, with) = (encoder.features(&plain), encoder.features(&boxed));
        assert_eq!(without.len(), with.len(), "{encoder:?}");
        assert!(with.iter().chain(&without).all(|value| value.is_finite()));
        let third = with.len() / 3;
        assert!(without[third..].iter().all(|value| *value == 0.0));
        assert!(with[third..2 * third].iter().any(|value| *value != 0.0));
        assert_eq!(encoder.features(&boxed), with);
    }
}

#[test]
fn a_drawn_box_is_found_without_its_line() {
    let mut picture = square((0, 0), 0, [0; 3]);
    for (x, y) in (24..72).flat_map(|at| [(at, 24), (at, 71), (24, at), (71, at)]) {
        picture.put_pixel(x, y, Rgba([255, 4, 0, 255]));
    }
    let found = view::drawn_box(&picture, [255, 0, 0]).unwrap().xyxy();
    let expected = [26.0 / 96.0, 26.0 / 96.0, 70.0 / 96.0, 70.0 / 96.0];
    assert_eq!(found, expected);
    assert_eq!(view::drawn_box(&picture, [0, 0, 255]), None);
}

#[test]
fn options_are_answered_by_letter_wherever_they_stand() {
    let mut questions: Vec<(Content, RgbaImage)> = (0..12)
        .map(|at| {
            let (name, color) =
                [("lilac", [200, 160, 220]), ("olive", [110, 120, 20])][at as usize % 2];
            let content = answered(Target::Text(name.to_owned()), &["lilac", "olive"]);
            (content, square((at * 4, 50 - at * 3), 40, color))
        })
        .collect();
    questions.push((
        answered(
            Target::Text("B".to_owned()),
            &["olive", "lilac", "never seen"],
        ),
        square((30, 20), 40, [200, 160, 220]),
    ));
    assert_eq!(last(Encoder::Color, "object", &questions), "B. lilac");
}

#[test]
fn numbers_boxes_and_colors_are_answered_in_their_form() {
    let boxes: Vec<(Content, RgbaImage)> = (0..40)
        .map(|at| {
            let (x, y) = (at * 7 % 60, at * 11 % 60);
            let corners = [x, y, x + 30, y + 30].map(f64::from);
            (
                answered(Target::Box(corners), &[]),
                square((x, y), 30, [250, 250, 10]),
            )
        })
        .collect();
    let read = |response: &str| -> Vec<f64> {
        let inside = response.trim_matches(['[', ']']);
        inside
            .split(", ")
            .map(|part| part.parse().unwrap())
            .collect()
    };
    let (Some(Target::Box(expected)), response) = (
        boxes.last().unwrap().0.target.clone(),
        last(Encoder::Pixels, "localization", &boxes),
    ) else {
        panic!("a box")
    };
    for (found, expected) in read(&response).into_iter().zip(expected) {
        assert!((found - expected).abs() < 12.0, "{response} {expected}");
    }
    let colors: Vec<(Content, RgbaImage)> = (0..30)
        .map(|at: u8| {
            let color = [
                at.wrapping_mul(37),
                at.wrapping_mul(91),
                at.wrapping_mul(59),
            ];
            (
                answered(Target::Color(color.map(f64::from)), &[]),
                square((0, 0), 96, color),
            )
        })
        .collect();
    let response = last(Encoder::Color, "color", &colors);
    let expected = colors.last().unwrap().1.get_pixel(0, 0).0;
    for (found, expected) in read(&response).into_iter().zip(expected) {
        assert!(
            (found - f64::from(expected)).abs() < 25.0,
            "{response} {expected}"
        );
    }
    let counts: Vec<(Content, RgbaImage)> = (1..30)
        .map(|at: u32| {
            let content = answered(Target::Number(f64::from(at)), &[]);
            (content, square((0, 0), at * 3, [255; 3]))
        })
        .collect();
    let response: i64 = last(Encoder::Pixels, "counting", &counts).parse().unwrap();
    assert!((20..=28).contains(&response), "{response}");
}

/// The same picture and options with another question get another answer.
#[test]
fn a_question_turns_the_answer_round() {
    let colors = [("lilac", [200, 160, 220]), ("olive", [110, 120, 20])];
    let question = |at: usize| {
        let (color, asked) = (at / 3 % 2, at / 5 % 2);
        let (right, wrong) = (
            colors[(color + asked) % 2].0,
            colors[(color + asked + 1) % 2].0,
        );
        let options = if (at / 7).is_multiple_of(2) {
            [right, wrong]
        } else {
            [wrong, right]
        };
        let mut content = answered(Target::Text(right.to_owned()), &options);
        content.question = ["Which color is it?", "Which color is missing?"][asked].to_owned();
        let place = (at * 5 % 50) as u32;
        (content, square((place, 50 - place), 40, colors[color].1))
    };
    for asked in 40..44 {
        let questions: Vec<_> = (0..40).chain([asked]).map(question).collect();
        let Some(Target::Text(right)) = &questions[40].0.target else {
            panic!("a text")
        };
        let response = last(Encoder::Color, "object", &questions);
        assert!(response.ends_with(right.as_str()), "{response} {right}");
    }
}

/// Two objects are visible; the question names one of them.
#[test]
fn a_named_thing_is_found() {
    let question = |at: u32| {
        let places = [
            (at * 37 % 72, at * 53 % 72),
            ((at * 37 + 40) % 72, (at * 53 + 35) % 72),
        ];
        let mut picture = square(places[0], 24, [250, 30, 160]);
        let other = square(places[1], 24, [30, 220, 60]);
        for (x, y, pixel) in other.enumerate_pixels() {
            if pixel.0 != [120, 120, 120, 255] {
                picture.put_pixel(x, y, *pixel);
            }
        }
        let (x, y) = places[at as usize % 2];
        let corners = [x, y, x + 24, y + 24].map(f64::from);
        let mut content = answered(Target::Box(corners), &[]);
        content.question =
            ["Where is the pink thing?", "Where is the green thing?"][at as usize % 2].to_owned();
        ((content, picture), corners)
    };
    let mut found = 0;
    for asked in 60..64 {
        let questions: Vec<_> = (0..60).chain([asked]).map(|at| question(at).0).collect();
        let response = last(Encoder::Color, "visual_grounding", &questions);
        let numbers: Vec<f64> = response
            .trim_matches(['[', ']'])
            .split(", ")
            .map(|part| part.parse().unwrap())
            .collect();
        let [x0, y0, x1, y1] = question(asked).1;
        let (x, y) = (
            f64::midpoint(numbers[0], numbers[2]),
            f64::midpoint(numbers[1], numbers[3]),
        );
        found += usize::from((x0..x1).contains(&x) && (y0..y1).contains(&y));
    }
    assert!(found >= 3, "{found} of 4");
}
