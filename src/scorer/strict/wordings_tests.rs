//! Tests options in other words: only wordings with the same meaning count.

use super::read_choice;
use super::wordings::Wordings;
use crate::Answer;
use record::Choice;

/// Vocabularies of options; vocabularies of exams come first.
const VOCABULARIES: [&str; 15] = [
    "running|jumping rope|sitting|waving|kicking a ball|lifting weights|swimming|climbing a ladder|sleeping|cycling|fishing|pushing a box",
    "striped|chequered|polka-dotted|zigzagged|honeycombed|cracked|marbled|woven|scaly|spiralled|bubbly|grid",
    "car|bus|bicycle|house|tree|fish|bird|mug|chair|lamp|umbrella|sailboat|apple|clock|mushroom|kite|butterfly|airplane|key|cat",
    "beach|forest|mountain|city street|desert|snowy field|living room|underwater",
    "farmland|river|parking lot|airport|harbor|residential area",
    "happy|sad|angry|fear|surprise|neutral|disgust",
    "front|front right|right|back right|back|back left|left|front left|top",
    "Left above|Left below|Right above|Right below",
    "running|skipping rope|sitting|waving|kicking a ball|lifting weights|swimming|ladder climbing|sleeping|cycling|fishing|pushing a box",
    "striped|chequered|dotted|zigzagged|honeycombed|cracked|marbled|woven|scaly|spiralled|bubbly|grid",
    "seaside|forest|mountain|city street|desert|snowy field|living room|underwater",
    "farmland|river|car park|airport|harbor|suburb",
    "happy|sadness|angry|fearful|surprise|neutral|disgust",
    "banded|blotchy|braided|bubbly|bumpy|chequered|cobwebbed|cracked|crosshatched|crystalline|dotted|fibrous|flecked|freckled|\
     frilly|gauzy|grid|grooved|honeycombed|interlaced|knitted|lacelike|lined|marbled|matted|meshed|paisley|perforated|pitted|\
     pleated|polka-dotted|porous|potholed|scaly|smeared|spiralled|sprinkled|stained|stratified|striped|studded|swirly|veined|\
     waffled|woven|wrinkled|zigzagged",
    "riding a bike|riding a horse|jogging|running|jumping rope|fishing|cooking|cutting trees|washing dishes",
];

/// Number of exam vocabularies; the labels of each are not synonyms of one another.
const OF_EXAM: usize = 13;

fn choices<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Choice> {
    let labelled = texts.enumerate();
    labelled
        .map(|(place, text)| Choice {
            letter: Choice::letters(place),
            text: text.to_owned(),
        })
        .collect()
}

/// Returns the text of the option that a response is read as; `None` if no option is read.
fn read(options: &[Choice], response: &str) -> Option<String> {
    let Answer::Choice(letter) = read_choice(response, options, "").ok()?.answer else {
        return None;
    };
    let chosen = options.iter().find(|option| option.letter == letter);
    chosen.map(|option| option.text.clone())
}

#[test]
fn no_way_to_say_an_option_says_another_one() {
    let mut wrong = Vec::new();
    for (place, vocabulary) in VOCABULARIES.into_iter().enumerate() {
        let all = choices(vocabulary.split('|'));
        let akin = Wordings::of(&all);
        assert!(akin.ways.len() > all.len() / 2, "{vocabulary}");
        for way in &akin.ways {
            let (said, meant) = (way.words.join(" "), all[way.option].text.as_str());
            let chosen = read(&all, &said);
            if chosen.as_ref().is_some_and(|chosen| chosen != meant) {
                wrong.push(format!("{said} means {meant}, not {chosen:?}"));
            }
            // Without the intended option among the choices, no option is read.
            if place >= OF_EXAM {
                continue;
            }
            let others = choices(vocabulary.split('|').filter(|text| *text != meant));
            if let Some(chosen) = read(&others, &said) {
                wrong.push(format!("{said} means {meant}, not {chosen}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ordinary_forms_of_an_option_are_read() {
    let mut wrong = Vec::new();
    for (vocabulary, response, meant) in [
        (1, "checkered", "chequered"),
        (1, "Checked", "chequered"),
        (1, "A checkerboard pattern.", "chequered"),
        (1, "The surface has a chequerboard texture", "chequered"),
        (1, "stripes", "striped"),
        (1, "The image shows diagonal stripes.", "striped"),
        (1, "polka dots", "polka-dotted"),
        (1, "Dotted", "polka-dotted"),
        (1, "zig-zag", "zigzagged"),
        (1, "honeycomb", "honeycombed"),
        (1, "It is a spiral.", "spiralled"),
        (1, "spiraled", "spiralled"),
        (1, "scales", "scaly"),
        (1, "Bubbles", "bubbly"),
        (1, "It has a basket weave", "woven"),
        (1, "Not stripes but cracks.", "cracked"),
        (0, "jump rope", "jumping rope"),
        (0, "skipping rope", "jumping rope"),
        (0, "The person is skipping rope.", "jumping rope"),
        (0, "He kicks a ball", "kicking a ball"),
        (0, "Kicking the soccer ball", "kicking a ball"),
        (0, "The man kicked the ball.", "kicking a ball"),
        (0, "run", "running"),
        (0, "The person runs.", "running"),
        (0, "jogging", "running"),
        (0, "weightlifting", "lifting weights"),
        (0, "weight lifting", "lifting weights"),
        (0, "riding a bike", "cycling"),
        (0, "biking", "cycling"),
        (0, "Riding a bicycle", "cycling"),
        (0, "climbs up the ladder", "climbing a ladder"),
        (0, "He pushes a big box", "pushing a box"),
        (0, "The person waves", "waving"),
        (0, "asleep", "sleeping"),
        (0, "sits", "sitting"),
        (2, "bike", "bicycle"),
        (2, "A plane", "airplane"),
        (2, "an aeroplane", "airplane"),
        (2, "Answer: aeroplane", "airplane"),
        (2, "a coffee mug", "mug"),
        (2, "automobile", "car"),
        (3, "woods", "forest"),
        (3, "A snow-covered field", "snowy field"),
        (3, "the street", "city street"),
        (4, "harbour", "harbor"),
        (4, "A car park", "parking lot"),
        (4, "residential neighbourhood", "residential area"),
        (5, "furious", "angry"),
        (5, "She looks scared", "fear"),
        (6, "left front", "front left"),
        (6, "front-left", "front left"),
        (6, "It faces right back.", "back right"),
        (6, "rear", "back"),
        (6, "rear left", "back left"),
        (7, "above left", "Left above"),
        (7, "above and to the left", "Left above"),
        (7, "Lower right", "Right below"),
        (7, "To the right, below", "Right below"),
        (2, "a boat", "sailboat"),
        (2, "It is a ship.", "sailboat"),
        (2, "insect", "butterfly"),
        (2, "A building", "house"),
        (0, "The person ran.", "running"),
        (0, "He slept", "sleeping"),
        (0, "She swam", "swimming"),
        (0, "The man rode a bike.", "cycling"),
        (0, "sat", "sitting"),
        (8, "jumping rope", "skipping rope"),
        (8, "climbing a ladder", "ladder climbing"),
        (8, "The person climbs up a ladder", "ladder climbing"),
        (9, "polka dots", "dotted"),
        (9, "polka-dotted", "dotted"),
        (9, "The texture is polka-dotted.", "dotted"),
        (9, "dots", "dotted"),
        (10, "beach", "seaside"),
        (10, "The seashore", "seaside"),
        (11, "parking lot", "car park"),
        (11, "a residential area", "suburb"),
        (11, "suburbs", "suburb"),
        (12, "sad", "sadness"),
        (12, "The face looks sad.", "sadness"),
        (12, "fear", "fearful"),
        (12, "scared", "fearful"),
        (14, "riding a bicycle", "riding a bike"),
        (14, "cuts a tree", "cutting trees"),
    ] {
        let options = choices(VOCABULARIES[vocabulary].split('|'));
        let chosen = read(&options, response);
        if chosen.as_deref() != Some(meant) {
            wrong.push(format!("{response}: {chosen:?}, not {meant}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_means_something_else_is_not_read() {
    let mut wrong = Vec::new();
    for (vocabulary, response) in [
        (0, "not running"),
        (0, "The person does not run"),
        (0, "He isn't riding a bike."),
        (0, "running or biking"),
        (0, "running, maybe biking"),
        (0, "biking and fishing and jogging"),
        (0, "The person jumps"),
        (0, "A man in front of the waves"),
        (0, "A run-down place with a lot of fish"),
        (0, "kicking"),
        (0, "walking"),
        (0, "pushing a ball"),
        (1, "I checked the image twice."),
        (1, "no stripes"),
        (1, "striped or checked"),
        (1, "stripes and dots"),
        (1, "It is drawn to a large scale"),
        (1, "smooth"),
        (2, "a vehicle"),
        (2, "an animal"),
        (2, "no boat"),
        (2, "a boat or a bike"),
        (0, "run over"),
        (11, "a car"),
        (2, "bike lane"),
        (2, "the ground plane"),
        (2, "bike or plane"),
        (2, "a car or a bike"),
        (2, "motorbike"),
        (2, "planet"),
        (2, "plan"),
        (2, "teapot"),
        (4, "airplane"),
        (4, "passport"),
        (5, "neither furious nor sad"),
        (6, "front, left"),
        (6, "left or front"),
        (6, "not left front"),
        (6, "front left or left back"),
        (7, "left"),
        (7, "above left or below left"),
        (14, "kicking trees"),
        (14, "not riding a bicycle"),
    ] {
        let options = choices(VOCABULARIES[vocabulary].split('|'));
        if let Some(chosen) = read(&options, response) {
            wrong.push(format!("{response}: {chosen}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn half_of_a_direction_is_no_direction() {
    let options = choices(["left", "back left", "top", "right"].into_iter());
    for response in ["front left", "left front", "front-right"] {
        assert_eq!(read(&options, response), None, "{response}");
    }
    assert_eq!(read(&options, "left back").as_deref(), Some("back left"));
    assert_eq!(read(&options, "left").as_deref(), Some("left"));
}

#[test]
fn a_kind_says_the_one_option_that_is_of_it() {
    let read = |texts: &[&str], response: &str| read(&choices(texts.iter().copied()), response);
    let one = ["sailboat", "umbrella", "mushroom", "airplane"];
    assert_eq!(read(&one, "A boat").as_deref(), Some("sailboat"));
    assert_eq!(read(&one, "boats on the sea").as_deref(), Some("sailboat"));
    assert_eq!(read(&one, "an aircraft").as_deref(), Some("airplane"));
    // Both options are vehicles.
    assert_eq!(read(&one, "a vehicle"), None);
    let two = ["sailboat", "canoe", "mushroom", "airplane"];
    assert_eq!(read(&two, "a boat"), None);
    let named = ["boat", "sailboat", "house"];
    assert_eq!(read(&named, "a boat").as_deref(), Some("boat"));
    assert_eq!(read(&named, "a sailboat").as_deref(), Some("sailboat"));
    // An option's own word takes precedence.
    assert_eq!(
        read(&one, "An umbrella on a boat").as_deref(),
        Some("umbrella")
    );
}

#[test]
fn an_options_own_word_comes_before_another_word_for_one() {
    let read = |texts: &[&str], response: &str| read(&choices(texts.iter().copied()), response);
    // If two options have the same meaning, only their own words distinguish them.
    let bikes = ["bike", "bicycle", "car"];
    assert_eq!(read(&bikes, "a bicycle").as_deref(), Some("bicycle"));
    assert_eq!(read(&bikes, "bikes").as_deref(), Some("bike"));
    assert_eq!(read(&["cup", "mug"], "a mug").as_deref(), Some("mug"));
    assert_eq!(read(&["cup", "mug"], "coffee cup").as_deref(), Some("cup"));
    assert_eq!(
        read(&["dotted", "polka-dotted"], "dots").as_deref(),
        Some("dotted")
    );
    assert_eq!(
        read(&["running", "jogging"], "jogging").as_deref(),
        Some("jogging")
    );
    assert_eq!(
        read(&["running", "jogging"], "He runs").as_deref(),
        Some("running")
    );
    // Other objects in the picture are ignored if the option's own word occurs.
    let things = ["bus", "airplane", "house"];
    assert_eq!(
        read(&things, "A bus with a plane above").as_deref(),
        Some("bus")
    );
    let deeds = ["swimming", "waving", "fishing"];
    assert_eq!(
        read(&deeds, "He is swimming like a fish").as_deref(),
        Some("swimming")
    );
    // Words in 'ing' that are not actions have no other verb forms.
    let places = ["building", "tree", "car"];
    assert_eq!(read(&places, "They build"), None);
}
