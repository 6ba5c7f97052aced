//! Options listed, options in questions, and how responses choose among them.

use super::{in_question, named_by, of, read};
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

fn chosen(response: &str, options: &[Choice]) -> Option<String> {
    read(response, options).map(|reading| reading.answer.to_string())
}

const ACTIONS: &str = "What is the person doing?\n0. archery\n15. bulldozing\r\n45. juggling balls";

#[test]
fn the_last_standalone_letter_counts() {
    let options = choices(&["left", "right", "above", "below"]);
    for (response, letter) in [
        ("B", "B"),
        ("(b).", "B"),
        ("Not A but C.", "C"),
        ("**D**", "D"),
        ("The answer is B: right", "B"),
        ("\\boxed{C}", "C"),
        ("a truck, to the left", "A"),
        ("It is RIGHT", "B"),
    ] {
        assert_eq!(
            chosen(response, &options).as_deref(),
            Some(letter),
            "{response}"
        );
    }
    for unreadable in ["", "E", "BC", "a truck", "left or right", "leftmost", "Dog"] {
        assert_eq!(chosen(unreadable, &options), None, "{unreadable}");
    }
}

#[test]
fn longer_texts_come_first() {
    let options = choices(&["red", "dark red", "blue"]);
    assert_eq!(chosen("it looks dark red", &options).as_deref(), Some("B"));
    assert_eq!(chosen("it looks red", &options).as_deref(), Some("A"));
    assert_eq!(chosen("dark red, a kind of red", &options), None);
    let response = "İt is Dark Red";
    let place = read(response, &options).and_then(|reading| reading.span);
    assert_eq!(place.map(|span| &response[span]), Some("Dark Red"));
}

#[test]
fn questions_can_list_options() {
    let options = in_question(ACTIONS);
    let labels: Vec<_> = options
        .iter()
        .map(|option| option.letter.as_str())
        .collect();
    assert_eq!(labels, ["0", "15", "45"]);
    for (response, label) in [
        ("45. juggling balls", "45"),
        ("15) bulldozing", "15"),
        ("0", "0"),
        ("Bulldozing.", "15"),
        ("600. archery", "0"),
        ("The answer is 45. juggling balls", "45"),
    ] {
        assert_eq!(
            chosen(response, &options).as_deref(),
            Some(label),
            "{response}"
        );
    }
    assert_eq!(chosen("washing dishes", &options), None);
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
    assert!(of(&content).is_empty());
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
