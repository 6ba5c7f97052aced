//! Tests listed options, options in questions, and the options that targets name.

use super::{in_question, named_by, of};
use record::{Choice, Content, Target};

fn choices(texts: &[&str]) -> Vec<Choice> {
    let labelled = ('A'..='Z').zip(texts);
    labelled
        .map(|(letter, text)| Choice {
            letter: letter.to_string(),
            text: (*text).to_owned(),
        })
        .collect()
}

const ACTIONS: &str = "What is the person doing?\n0. archery\n15. bulldozing\r\n45. juggling balls";

#[test]
fn questions_can_list_options() {
    let options = in_question(ACTIONS);
    let labels: Vec<_> = options
        .iter()
        .map(|option| option.letter.as_str())
        .collect();
    assert_eq!(labels, ["0", "15", "45"]);
}

#[test]
fn targets_name_options_in_many_ways() {
    let options = choices(&["to the left of", "Above", "7"]);
    let letter = |target: Target| named_by(&target, &options).map(|option| option.letter.clone());
    for (target, expected) in [
        ("B", "B"),
        ("(b)", "B"),
        ("above.", "B"),
        ("A. to the left of", "A"),
        ("B) something else", "B"),
    ] {
        assert_eq!(
            letter(Target::Text(target.into())).as_deref(),
            Some(expected),
            "{target}"
        );
    }
    assert_eq!(letter(Target::Number(7.0)).as_deref(), Some("C"));
    assert_eq!(letter(Target::Text("below".into())), None);
    assert_eq!(letter(Target::Box([0.0; 4])), None);
}

#[test]
fn lines_count_as_options_only_for_a_target_among_them() {
    let mut content = Content {
        question: ACTIONS.into(),
        target: Some(Target::Text("45. juggling balls".into())),
        ..Content::default()
    };
    assert_eq!(of(&content).len(), 3);
    content.target = Some(Target::Text("kitchen".into()));
    assert!(of(&content).is_empty());
    content.choices = choices(&["3", "4"]);
    content.target = Some(Target::Number(4.0));
    assert_eq!(of(&content).len(), 2);
    content.target = Some(Target::Number(5.0));
    assert_eq!(of(&content).len(), 2);
}

#[test]
fn the_templates_of_the_paper_list_their_options_in_a_sentence() {
    let question = "Which object is closer to the camera, the van (highlighted in red) or the cyclist \
                    (highlighted in blue)? Choose one: 1. red, 2. blue.";
    let options: Vec<_> = super::in_question(question)
        .into_iter()
        .map(|o| (o.letter, o.text))
        .collect();
    let expected =
        [("1", "red"), ("2", "blue")].map(|(letter, text)| (letter.to_owned(), text.to_owned()));
    assert_eq!(options, expected);
    assert_eq!(super::in_question("How many apples are in the image?"), []);
}
