//! Tests that denied, retracted, conditional and incomplete answers are invalid. All responses are
//! invented.

use super::explain;
use record::benchmark::Metric;
use record::{Choice, Content, Record, Target};

/// Returns the answer that is read from a response in an ability; `None` if it is invalid.
fn read(ability: &str, target: Target, options: &[&str], response: &str) -> Option<String> {
    let choices = (options.iter().enumerate()).map(|(place, text)| Choice {
        letter: Choice::letters(place),
        text: (*text).to_owned(),
    });
    let metric = match (ability, &target) {
        (_, Target::Number(_)) => Metric::MaeOverGt,
        ("ocr", _) => Metric::Anls,
        _ => Metric::Accuracy,
    };
    let record = Record {
        ability: ability.to_owned(),
        content: Content {
            choices: choices.collect(),
            target: Some(target),
            ..Content::default()
        },
        response: Some(response.to_owned()),
        ..Record::default()
    };
    let reading = explain(&record, metric).ok()?;
    Some(reading.answer.to_string())
}

/// Asserts that each response is invalid.
fn assert_invalid(responses: &[&str], read: impl Fn(&str) -> Option<String>) {
    let wrong: Vec<String> = (responses.iter())
        .filter_map(|response| Some(format!("{response}: {}", read(response)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_option_that_is_denied_or_unreal_is_no_answer() {
    let choice = |response: &str| {
        let options = ["truck", "bus", "tram", "van"];
        read("x", Target::Text("A".to_owned()), &options, response)
    };
    assert_invalid(
        &[
            "I see no reason to choose C.",
            "Everything speaks against A.",
            "I doubt that it is B.",
            "It would be wrong to say A.",
            "C contradicts the shadow.",
            "It is too long for a bus.",
            "Everything but the bus.",
            "If it were a bus, it would have windows.",
            "Option B describes a different vehicle.",
            "(B) bus or (C) tram",
            "C or maybe D",
            "B but it could just as well be C",
            "C, unless it has rails, then D",
            "Bus. Or is it a tram?",
            "B\nC",
            "B. Wait, I misread the picture.",
            "{\"A\": 0.1, \"B\": 0.9}",
        ],
        choice,
    );
    for (response, letter) in [
        ("It shines like a bus but it is really a tram.", "C"),
        ("D is less likely than C.", "C"),
        (
            "B is the answer if only one side counts. As both do, I answer C.",
            "C",
        ),
        ("Many would call this a truck. It is a van.", "D"),
    ] {
        assert_eq!(choice(response).as_deref(), Some(letter), "{response}");
    }
}

#[test]
fn a_list_that_shares_its_first_words_names_several_options() {
    let options = ["Image 1", "Image 2", "Image 3", "Image 4"];
    let choice = |response: &str| read("x", Target::Text("A".to_owned()), &options, response);
    assert_invalid(&["Images 1 and 3", "Image 1 or 2", "Images 2, 4"], choice);
    assert_eq!(choice("Image 2 and a person").as_deref(), Some("B"));
}

#[test]
fn a_part_of_a_count_is_no_count() {
    let count = |response: &str| read("counting", Target::Number(9.0), &[], response);
    assert_invalid(
        &[
            "There are 4 shelves with 6 books each.",
            "3 rows with 4 chairs each",
            "I count 3. Behind the tree, there are 2 more.",
            "5 or more",
            "Half of the 8 chairs are taken.",
            "All but one of the six.",
            "5 minus 1",
            "3 red, 2 blue",
            "it is not 5",
            "5 more than in the other picture",
            "The first row holds 4 screws, the second row holds",
        ],
        count,
    );
    for (response, number) in [
        (
            "There are 4 shelves with 6 books each. This results in 24 books.",
            "24",
        ),
        ("None of the 4 chairs is red.", "0"),
        ("In the picture from 2014, 6 players wear helmets.", "6"),
        ("5 at 10:30", "5"),
        ("trente et un", "31"),
        ("三百二十", "320"),
    ] {
        assert_eq!(count(response).as_deref(), Some(number), "{response}");
    }
}

#[test]
fn a_size_or_a_difference_is_no_distance() {
    let distance = |response: &str| read("absolute_depth", Target::Number(9.0), &[], response);
    assert_invalid(
        &[
            "The person is 1.8 m tall.",
            "The lamp is 2 m further than the sofa, which is at 3 m.",
            "At 10 km/h it takes 2 s.",
            "5 steps",
            "2 m, maybe 3",
        ],
        distance,
    );
    for (response, metres) in [
        ("3 m, which is about 9.8 feet", "3"),
        ("A door of a height of 2 m, and 8 m away", "8"),
        ("1 m 20", "1.2"),
        ("1m20", "1.2"),
    ] {
        assert_eq!(distance(response).as_deref(), Some(metres), "{response}");
    }
}

#[test]
fn a_report_on_a_text_is_not_the_text() {
    let text = |response: &str| read("ocr", Target::Text("Bus 42".to_owned()), &[], response);
    assert_invalid(
        &[
            "Bus 42 is written there.",
            "Bus 42, in yellow letters",
            "It might be Bus 42 or Bus 43",
            "I'm sorry, I'm not able to read this label.",
            "I can't tell.",
        ],
        text,
    );
    for response in [
        "The display says Bus 42",
        "Le texte est « Bus 42 ».",
        "文本：Bus 42",
        "It's Bus 42",
        "\"Bus 42\" is written on it.",
    ] {
        assert_eq!(text(response).as_deref(), Some("Bus 42"), "{response}");
    }
}

#[test]
fn an_abstention_is_neither_yes_nor_no() {
    let says = |response: &str| read("yn", Target::Text("yes".to_owned()), &[], response);
    assert_invalid(
        &[
            "N/A",
            "No comment",
            "No image provided.",
            "The image quality does not allow an answer.",
            "The answer is not yes.",
            "There is no dog, I think. Oh wait, there is one behind the sofa.",
        ],
        says,
    );
    assert_eq!(says("Without a doubt.").as_deref(), Some("yes"));
    assert_eq!(says("Indeed it is.").as_deref(), Some("yes"));
}

#[test]
fn a_number_counts_only_if_known_words_govern_it() {
    let count = |response: &str| read("counting", Target::Number(4.0), &[], response);
    assert_invalid(
        &[
            "It exceeds 10.",
            "Somewhere north of 20.",
            "I see 3 cars plus a few more in the distance.",
            "The sign says 50.",
            "Lane 2 has the cars.",
            "Two at the left side and some at the right.",
        ],
        count,
    );
    for response in [
        "The photo captures 4 cars.",
        "I can distinguish 4 cars.",
        "Excluding the truck, there are 4 cars.",
        "There are 4 cars besides the bus.",
        "## 4",
        "a quartet",
    ] {
        assert_eq!(count(response).as_deref(), Some("4"), "{response}");
    }
    assert_eq!(count("I do not see a single car.").as_deref(), Some("0"));
    let length = |response: &str| read("absolute_depth", Target::Number(4.0), &[], response);
    assert_invalid(
        &[
            "The lamp hangs 2 m above the table.",
            "Farther than 4 m.",
            "Within 5 m.",
            "Twice as far as the chair, which is at 2 m.",
            "Somewhere between the chair (2 m) and the wall (6 m).",
        ],
        length,
    );
    for response in ["The distance measures 4 m.", "It's some 4 metres out."] {
        assert_eq!(length(response).as_deref(), Some("4"), "{response}");
    }
}

#[test]
fn an_option_that_only_would_be_is_no_answer() {
    let choice = |response: &str| {
        let options = ["dog", "cat", "horse", "sheep"];
        read("x", Target::Text("A".to_owned()), &options, response)
    };
    assert_invalid(
        &[
            "If I squint it could pass for a cat.",
            "I would have said dog, had I not seen the hooves.",
            "I refuse to choose between dog and cat.",
            "B or, failing that, C.",
            "A - hmm, the tail is short. B.",
            "| A | B | C | D |\n|---|---|---|---|\n| x | x | | |",
        ],
        choice,
    );
    for (response, letter) in [
        ("That could only be a cat.", "B"),
        ("A is tempting, though D is what the picture shows.", "D"),
        (
            "C would be the obvious guess, but the ears show that it is B.",
            "B",
        ),
        (
            "| A | B | C | D |\n|---|---|---|---|\n| ✗ | ✗ | ✗ | ✓ |",
            "D",
        ),
        (
            "| A | B | C | D |\n|---|---|---|---|\n| x | ✓ | x | x |",
            "B",
        ),
        ("A. It is neither in B nor in C, and D is empty.", "A"),
    ] {
        assert_eq!(choice(response).as_deref(), Some(letter), "{response}");
    }
    let weight = |response: &str| {
        read(
            "x",
            Target::Text("A".to_owned()),
            &["12 kg", "24 kg"],
            response,
        )
    };
    assert_eq!(weight("24 kilograms").as_deref(), Some("B"));
}
