//! Tests that everyday words for the right answer count as right, and words for another answer do
//! not.

use record::benchmark::{RightThreshold, metric_of};
use record::{Choice, Content, Record, Target};
use scorer::judge;

use super::levels::names::{ACTIONS, FEELINGS, PLACES, SITES, SURFACES};
use super::{icons, orientation};

/// Lists of labels of an ability with options.
fn labels(ability: &str) -> Vec<Vec<&'static str>> {
    match ability {
        "object_recognition" => vec![icons::ICONS.iter().map(|icon| icon.name).collect()],
        "action_recognition" => vec![ACTIONS.to_vec()],
        "texture" => vec![SURFACES.to_vec()],
        "emotion" => vec![FEELINGS.to_vec()],
        "orientation" => vec![orientation::VIEWS.to_vec()],
        _ => vec![PLACES.to_vec(), SITES.to_vec()],
    }
}

/// Returns true if the response is judged right when the target is `right`, one of the ability's
/// labels.
fn is_right(ability: &str, right: &str, response: &str) -> bool {
    let mut groups = labels(ability).into_iter();
    let group = groups.find(|labels| labels.contains(&right)).unwrap();
    let choices = group.iter().enumerate().map(|(place, text)| Choice {
        letter: Choice::letters(place),
        text: (*text).to_owned(),
    });
    let place = group.iter().position(|label| *label == right).unwrap();
    let record = Record {
        ability: ability.to_owned(),
        content: Content {
            choices: choices.collect(),
            target: Some(Target::Text(Choice::letters(place))),
            ..Content::default()
        },
        response: Some(response.to_owned()),
        ..Record::default()
    };
    let outcome = judge(&record).strict.outcome;
    let metric = metric_of(ability, &record.content);
    let score = outcome.score.unwrap_or(f64::NAN);
    RightThreshold::in_exam(ability, metric.name()).judge(score, f64::NAN) == Some(true)
}

/// Ability, label, and responses of models that mean this label.
const SAID: [(&str, &str, &[&str]); 62] = [
    (
        "action_recognition",
        "running",
        &[
            "run",
            "runs",
            "The person ran.",
            "The person is running.",
            "A person runs",
            "running fast",
            "jogging",
        ],
    ),
    (
        "action_recognition",
        "skipping rope",
        &[
            "jump rope",
            "Jumping rope",
            "jumps rope",
            "skipping",
            "The person is jumping over a rope",
        ],
    ),
    (
        "action_recognition",
        "sitting",
        &[
            "sits",
            "sit",
            "The person is sitting down.",
            "sitting on the ground",
        ],
    ),
    (
        "action_recognition",
        "waving",
        &["wave", "waves", "The figure waves.", "waving their hand"],
    ),
    (
        "action_recognition",
        "kicking a ball",
        &[
            "kicks a ball",
            "kick ball",
            "Kicking the ball",
            "kicking a soccer ball",
            "ball kicking",
        ],
    ),
    (
        "action_recognition",
        "lifting weights",
        &[
            "lift weights",
            "weightlifting",
            "Weight-lifting",
            "lifting a weight",
            "lifting heavy weights",
        ],
    ),
    (
        "action_recognition",
        "swimming",
        &["swim", "swims", "The person swims."],
    ),
    (
        "action_recognition",
        "ladder climbing",
        &[
            "climbs a ladder",
            "climbing a ladder",
            "climbing the ladder",
            "climbing up a ladder",
            "ladder climbing",
        ],
    ),
    (
        "action_recognition",
        "sleeping",
        &[
            "sleep",
            "asleep",
            "The person sleeps",
            "The person is asleep.",
        ],
    ),
    (
        "action_recognition",
        "cycling",
        &[
            "biking",
            "bicycling",
            "riding a bike",
            "The person rides a bicycle.",
            "cycles",
        ],
    ),
    (
        "action_recognition",
        "fishing",
        &["fishes", "The man is fishing.", "angling"],
    ),
    (
        "action_recognition",
        "pushing a box",
        &[
            "push a box",
            "pushes a box",
            "pushing boxes",
            "pushing a large box",
        ],
    ),
    (
        "texture",
        "striped",
        &[
            "stripes",
            "stripe",
            "stripy",
            "vertical stripes",
            "A striped pattern",
        ],
    ),
    (
        "texture",
        "chequered",
        &[
            "checkered",
            "checked",
            "checkerboard",
            "chequerboard",
            "checks",
            "checker",
            "chess board",
            "a checked pattern",
        ],
    ),
    (
        "texture",
        "dotted",
        &[
            "polka-dotted",
            "polka dots",
            "polka dot",
            "polka-dot",
            "dotted",
            "dots",
            "polka dotted",
            "The texture is dotted.",
        ],
    ),
    (
        "texture",
        "zigzagged",
        &["zigzag", "zig-zag", "zigzags", "Zig zag pattern", "chevron"],
    ),
    (
        "texture",
        "honeycombed",
        &["honeycomb", "honeycombs", "honeycomb pattern"],
    ),
    ("texture", "cracked", &["cracks", "crack", "crackled"]),
    ("texture", "marbled", &["marble", "marbling"]),
    (
        "texture",
        "woven",
        &["weave", "weaving", "basket-weave", "woven fabric"],
    ),
    (
        "texture",
        "scaly",
        &["scales", "fish scales", "scaled", "scale-like"],
    ),
    (
        "texture",
        "spiralled",
        &["spiral", "spiraled", "spirals", "a spiral pattern"],
    ),
    ("texture", "bubbly", &["bubbles", "bubble"]),
    (
        "texture",
        "grid",
        &["grids", "grid lines", "gridded", "grid-like"],
    ),
    (
        "object_recognition",
        "car",
        &["cars", "a car", "automobile"],
    ),
    (
        "object_recognition",
        "bicycle",
        &["bike", "a bike", "bicycles"],
    ),
    (
        "object_recognition",
        "airplane",
        &["aeroplane", "plane", "an airplane", "It is a plane."],
    ),
    ("object_recognition", "house", &["a house", "home"]),
    (
        "object_recognition",
        "mug",
        &["cup", "coffee mug", "coffee cup", "a cup"],
    ),
    ("object_recognition", "lamp", &["table lamp", "lamps"]),
    ("object_recognition", "umbrella", &["parasol"]),
    (
        "object_recognition",
        "sailboat",
        &["sailing boat", "sail boat", "a sailboat", "boat"],
    ),
    (
        "object_recognition",
        "mushroom",
        &["toadstool", "mushrooms"],
    ),
    (
        "object_recognition",
        "butterfly",
        &["butterflies", "a butterfly"],
    ),
    ("object_recognition", "key", &["keys"]),
    ("object_recognition", "bus", &["buses", "the bus"]),
    (
        "scene_recognition",
        "seaside",
        &["seashore", "a beach", "beach"],
    ),
    (
        "scene_recognition",
        "forest",
        &["woods", "woodland", "forests"],
    ),
    (
        "scene_recognition",
        "mountain",
        &["mountains", "mountainous"],
    ),
    (
        "scene_recognition",
        "city street",
        &["street", "urban street", "city streets"],
    ),
    ("scene_recognition", "desert", &["a desert"]),
    (
        "scene_recognition",
        "snowy field",
        &["snow field", "snow-covered field", "snowfield"],
    ),
    (
        "scene_recognition",
        "living room",
        &["lounge", "sitting room"],
    ),
    (
        "scene_recognition",
        "underwater",
        &["under water", "under the water", "undersea"],
    ),
    ("scene_recognition", "farmland", &["farm land", "farm"]),
    (
        "scene_recognition",
        "car park",
        &["parking lot", "parking lots", "carpark"],
    ),
    ("scene_recognition", "harbor", &["harbour", "port"]),
    (
        "scene_recognition",
        "suburb",
        &[
            "residential area",
            "residential neighbourhood",
            "residential areas",
            "neighborhood",
        ],
    ),
    ("emotion", "happy", &["happiness", "joy", "smiling"]),
    ("emotion", "sadness", &["sad", "The person looks sad"]),
    ("emotion", "angry", &["anger", "furious"]),
    ("emotion", "fearful", &["afraid", "scared", "fear"]),
    ("emotion", "surprise", &["surprised", "astonished"]),
    ("emotion", "disgust", &["disgusted"]),
    (
        "orientation",
        "front left",
        &["left front", "front-left", "Left-front"],
    ),
    (
        "orientation",
        "front right",
        &["right front", "It faces front-right."],
    ),
    (
        "orientation",
        "back left",
        &["left back", "rear left", "back-left"],
    ),
    ("orientation", "back right", &["right back", "right rear"]),
    ("orientation", "back", &["rear", "the back"]),
    ("orientation", "top", &["from above", "the top", "top view"]),
    ("orientation", "left", &["to the left", "the left"]),
    ("orientation", "front", &["the front", "front view"]),
];

#[test]
fn ordinary_words_count_for_the_label_that_they_mean_and_for_no_other() {
    let mut wrong = Vec::new();
    for (ability, right, responses) in SAID {
        for response in responses {
            for label in labels(ability).concat() {
                if is_right(ability, label, response) != (label == right) {
                    wrong.push(format!("{response:?} for {label}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_label_counts_for_itself_alone() {
    for ability in [
        "object_recognition",
        "action_recognition",
        "texture",
        "emotion",
        "orientation",
        "scene_recognition",
    ] {
        for group in labels(ability) {
            for right in &group {
                for said in &group {
                    for response in [
                        said.to_string(),
                        format!("The answer is {said}."),
                        said.to_uppercase(),
                    ] {
                        assert_eq!(
                            is_right(ability, right, &response),
                            right == said,
                            "{response} for {right}"
                        );
                    }
                    let not = format!("not {said}");
                    assert!(!is_right(ability, right, &not), "{not} for {right}");
                    if said != right {
                        let both = format!("{right} or {said}");
                        assert!(!is_right(ability, right, &both), "{both} for {right}");
                    }
                }
            }
        }
    }
}
