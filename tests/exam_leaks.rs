//! Tests that an answer follows only from the content of the picture. Other pictures, file names,
//! the order of options, the words of the question, corners and the mean colour must not reveal it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a test ends there"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use eyechart::exam::abilities::{Exam, Split, TopDown};
use eyechart::exam::gepbench::question::Aspect;
use eyechart::exam::gepbench::{Gepbench, Noise};
use eyechart::exam::runs::{PicturedItem, pictured_items};
use eyechart::exam::{Benchmark, Item};
use eyechart::record::{Content, Target, Value};

/// Maximum excess of an accuracy over the expected accuracy, in standard errors.
const SIGMAS: f64 = 3.3;

/// Training and test questions of an ability.
struct Ability {
    name: &'static str,
    known: Vec<PicturedItem>,
    test: Vec<PicturedItem>,
}

fn is_upright(item: &Item) -> bool {
    let rotation = item.condition.get("rotation");
    rotation.is_none() || rotation == Some(&Value::Number(0.0))
}

/// Questions of each ability, from a training and a test set.
fn of_sets(
    names: impl Iterator<Item = &'static str>,
    known: &dyn Benchmark,
    test: &dyn Benchmark,
) -> Vec<Ability> {
    let (known, test) = (
        pictured_items(known, is_upright),
        pictured_items(test, is_upright),
    );
    let of = |set: &[PicturedItem], name: &str| {
        let of_ability = set.iter().filter(|asked| asked.item.ability == name);
        of_ability.cloned().collect()
    };
    names
        .map(|name| Ability {
            name,
            known: of(&known, name),
            test: of(&test, name),
        })
        .collect()
}

/// Questions that all tests use, drawn only once.
type AbilityQuestions = LazyLock<Vec<Ability>>;

static EXAM: AbilityQuestions = LazyLock::new(|| {
    let exam = Exam::new(14 * 300, 31);
    let of = |ability, split| pictured_items(&exam.clone().only(ability, split), |_| true);
    Exam::abilities()
        .map(|name| Ability {
            name,
            known: of(name, Split::Train),
            test: of(name, Split::Test),
        })
        .collect()
});

static TOP_DOWN: AbilityQuestions = LazyLock::new(|| {
    let (known, test) = (TopDown::new(6 * 150, 32), TopDown::new(6 * 60, 33));
    of_sets(TopDown::abilities(), &known, &test)
});

static GEPBENCH: AbilityQuestions = LazyLock::new(|| {
    let (known, test) = (
        Gepbench::new(6 * 700, 34, Noise::None),
        Gepbench::new(6 * 250, 35, Noise::None),
    );
    of_sets(Aspect::ALL.map(Aspect::name).into_iter(), &known, &test)
});

fn right(content: &Content) -> Option<usize> {
    let Some(Target::Text(target)) = &content.target else {
        return None;
    };
    content
        .choices
        .iter()
        .position(|choice| choice.letter == *target)
}

/// Asserts that the share of right guesses does not exceed `expected`, except by chance.
fn assert_near(name: &str, guesses: &[(Option<usize>, &Content)], expected: f64) {
    let n = guesses.len() as f64;
    let hits = guesses
        .iter()
        .filter(|(guess, content)| *guess == right(content));
    let share = hits.count() as f64 / n;
    let most = expected + SIGMAS * (expected * (1.0 - expected) / n).sqrt();
    assert!(
        share <= most,
        "{name}: {share:.3} of {n} are guessed, at most {most:.3} expected"
    );
}

/// Mean over the questions of one divided by the number of options.
fn uniform(test: &[PicturedItem]) -> f64 {
    let shares = test
        .iter()
        .map(|asked| 1.0 / asked.item.content.choices.len() as f64);
    shares.sum::<f64>() / test.len() as f64
}

fn argmax(scores: impl Iterator<Item = f64>) -> Option<usize> {
    scores
        .enumerate()
        .max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)))
        .map(|(at, _)| at)
}

#[test]
fn no_picture_is_learnt_from_and_asked() {
    for ability in EXAM.iter().chain(&*TOP_DOWN) {
        let known: BTreeSet<&[u8]> = ability
            .known
            .iter()
            .map(|asked| asked.picture.as_raw().as_slice())
            .collect();
        assert_eq!(known.len(), ability.known.len(), "{}: twice", ability.name);
        for asked in &ability.test {
            assert!(
                !known.contains(asked.picture.as_raw().as_slice()),
                "{}",
                asked.item.id
            );
        }
    }
    // Several questions share a figure, but no figure is in both the training and the test set.
    for ability in &*GEPBENCH {
        let known: BTreeSet<&[u8]> = ability
            .known
            .iter()
            .map(|asked| asked.picture.as_raw().as_slice())
            .collect();
        for asked in &ability.test {
            assert!(
                !known.contains(asked.picture.as_raw().as_slice()),
                "{}",
                asked.item.id
            );
        }
    }
}

/// Paths consist of the ability's name and a number.
#[test]
fn names_tell_nothing() {
    for ability in EXAM.iter().chain(&*TOP_DOWN).chain(&*GEPBENCH) {
        for asked in ability.known.iter().chain(&ability.test) {
            let fixed = ["images", "topdown", "png", ability.name];
            for name in [asked.item.picture().unwrap(), &asked.item.id] {
                let parts = name.split(['/', '.', '-', '_']);
                let name = name.replace(ability.name, "");
                let rest = parts.filter(|part| {
                    !part
                        .trim_start_matches('f')
                        .chars()
                        .all(|c| c.is_ascii_digit())
                        && !fixed.contains(part)
                        && !ability.name.contains(part)
                });
                assert_eq!(rest.collect::<Vec<_>>(), [""; 0], "{name}");
            }
        }
    }
}

/// The letter that is right most often in training is not right more often in the test than others.
#[test]
fn letters_tell_nothing() {
    for ability in EXAM.iter().chain(&*TOP_DOWN).chain(&*GEPBENCH) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for asked in &ability.known {
            if let Some(right) = right(&asked.item.content) {
                *counts.entry(right).or_default() += 1;
            }
        }
        let Some((&most, _)) = counts.iter().max_by_key(|(_, count)| **count) else {
            continue;
        };
        let guesses: Vec<_> = ability
            .test
            .iter()
            .map(|asked| (Some(most), &asked.item.content))
            .collect();
        assert_near(ability.name, &guesses, uniform(&ability.test));
    }
}

/// Allowed accuracy of answers from words alone. Words reveal a little. A line and a square can
/// only be diagonal and quadrilateral, or unrelated. A triangle is small more often than a circle,
/// and three circles are rare.
fn by_words(ability: &str, uniform: f64) -> f64 {
    match ability {
        "relationship" => 0.58,
        "reference" | "size" | "existence" => 0.40,
        "counting" => uniform.max(0.34),
        _ => uniform,
    }
}

/// A classifier that sees only questions and options. It uses how often an option was right with
/// this question, and with any question.
#[test]
fn words_tell_little() {
    for ability in EXAM.iter().chain(&*TOP_DOWN).chain(&*GEPBENCH) {
        let mut seen: BTreeMap<(String, String), (f64, f64)> = BTreeMap::new();
        for asked in &ability.known {
            let content = &asked.item.content;
            for (at, choice) in content.choices.iter().enumerate() {
                for question in [content.question.as_str(), ""] {
                    let (hits, offered) = seen
                        .entry((question.to_owned(), choice.text.clone()))
                        .or_default();
                    *offered += 1.0;
                    *hits += f64::from(u8::from(right(content) == Some(at)));
                }
            }
        }
        if seen.is_empty() {
            continue;
        }
        let expected = uniform(&ability.test);
        let share = |question: &str, option: &str, prior: f64| {
            let (hits, offered) = seen
                .get(&(question.to_owned(), option.to_owned()))
                .copied()
                .unwrap_or_default();
            (hits + 4.0 * prior) / (offered + 4.0)
        };
        let guess = |content: &Content| {
            let options = content.choices.iter();
            argmax(options.map(|choice| {
                share(
                    &content.question,
                    &choice.text,
                    share("", &choice.text, expected),
                )
            }))
        };
        let guesses: Vec<_> = ability
            .test
            .iter()
            .map(|asked| (guess(&asked.item.content), &asked.item.content))
            .collect();
        assert_near(ability.name, &guesses, by_words(ability.name, expected));
    }
}

/// Features of a picture: size, corners and, optionally, mean colour.
fn superficial(asked: &PicturedItem, mean: bool) -> Vec<f64> {
    let picture = &asked.picture;
    let (width, height) = picture.dimensions();
    let corners = [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
    ];
    let mut features = vec![f64::from(width), f64::from(height)];
    for (x, y) in corners {
        features.extend(
            picture.get_pixel(x, y).0[..3]
                .iter()
                .map(|&channel| f64::from(channel)),
        );
    }
    if mean {
        let n = f64::from(width * height);
        for channel in 0..3 {
            let sum: f64 = picture
                .pixels()
                .map(|pixel| f64::from(pixel.0[channel]))
                .sum();
            // Scale the features to a tenth of the spread of the corners.
            features.push(10.0 * sum / n);
        }
    }
    features
}

/// Guesses are the answers to the most similar training pictures.
#[test]
fn corners_and_mean_colors_tell_nothing() {
    for ability in EXAM.iter().chain(&*TOP_DOWN) {
        // Places and roofs are recognised by their colour, and the corners of a texture show the
        // texture.
        let is_content = matches!(
            ability.name,
            "scene_recognition" | "attribute_recognition" | "object_presence" | "texture"
        );
        if ability.known[0].item.content.choices.is_empty() || is_content {
            continue;
        }
        let known: Vec<(Vec<f64>, &str)> = ability
            .known
            .iter()
            .map(|asked| {
                let content = &asked.item.content;
                let answer = content.choices[right(content).unwrap()].text.as_str();
                (superficial(asked, true), answer)
            })
            .collect();
        let guess = |asked: &PicturedItem| {
            let own = superficial(asked, true);
            let mut near: Vec<(f64, &str)> = known
                .iter()
                .map(|(features, answer)| {
                    let parts = features.iter().zip(&own);
                    (
                        parts.map(|(one, other)| (one - other).powi(2)).sum(),
                        *answer,
                    )
                })
                .collect();
            near.sort_by(|one, other| one.0.total_cmp(&other.0));
            let votes = |text: &str| {
                near[..9]
                    .iter()
                    .filter(|(_, answer)| *answer == text)
                    .count()
            };
            let options = asked.item.content.choices.iter();
            argmax(options.map(|choice| votes(&choice.text) as f64))
        };
        let guesses: Vec<_> = ability
            .test
            .iter()
            .map(|asked| (guess(asked), &asked.item.content))
            .collect();
        assert_near(ability.name, &guesses, uniform(&ability.test));
    }
}
