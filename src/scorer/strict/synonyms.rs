//! Lists words with the same meaning: spelling variants, and synonyms of options.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// Names of colours.
pub(super) const COLORS: &[&str] = &[
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "gray",
];

/// Words with the same meaning in any context; the first word represents the others.
const WORDS: [&[&str]; 30] = [
    &["happy", "happiness", "joyful", "joy"],
    &["sad", "sadness"],
    &["angry", "anger"],
    &["fear", "fearful", "afraid", "scared", "frightened"],
    &["surprise", "surprised"],
    &["disgust", "disgusted"],
    &["bicycle", "bike"],
    &["airplane", "aeroplane", "plane"],
    &["car", "automobile"],
    &["motorcycle", "motorbike"],
    &["truck", "lorry"],
    &["sofa", "couch"],
    &["television", "tv"],
    &["refrigerator", "fridge"],
    &["taxi", "cab"],
    &["rear", "back"],
    &["gray", "grey"],
    &["tire", "tyre"],
    &["mustache", "moustache"],
    &["pajama", "pyjama"],
    &["plow", "plough"],
    &["jewelry", "jewellery"],
    &["aluminum", "aluminium"],
    &["theater", "theatre"],
    &["center", "centre"],
    &["meter", "metre"],
    &["fiber", "fibre"],
    &["bus", "buses"],
    &["draft", "draught"],
    &["cozy", "cosy"],
];

/// Number of first entries in [`WORDS`] that count as an option's own word. These are emotions,
/// which are named by nouns, adjectives or participles.
const OWN: usize = 6;

/// Synonyms of options: the option's names, a colon, and synonyms. A synonym after '=' also has
/// another meaning, so it counts only in a description or alone.
const NAMES: &[&str] = &[
    // Facial expressions.
    "happy:cheerful|smiling|glad",
    "sad:sorrow|sorrowful|unhappy",
    "angry:furious|rage",
    "fear:terrified|terror",
    "surprise:astonished|astonishment|amazed|amazement",
    "disgust:disgusting|revulsion",
    "neutral:expressionless|emotionless|neutrality",
    // Weather, and other options.
    "snowy:snow|snowing|snowfall",
    "rainy:rain|raining|rainfall",
    "foggy:fog|mist|misty",
    "cannot be determined|can't be determined:can't determine|cannot determine|can't be determined|impossible to determine",
    "wood:wooden",
    "lying down:=lying",
    "autumn:=fall",
    "great britain|united kingdom:uk|britain|great britain|united kingdom",
    // Actions.
    "running|jogging:=a run|runner|jogger",
    "jumping rope|skipping rope:=skipping|rope jumping|rope skipping|jump rope|skip rope|skipping with a rope|jumping over a rope|jumping with a rope|jumps over a rope|skips with a rope",
    "sitting:seated|=sat",
    "waving:waving hand|hand waving",
    "lifting weights|weightlifting|weight lifting:weightlifter|lifting a barbell|lifting dumbbells|lifts a barbell",
    "swimming:swimmer",
    "sleeping:asleep",
    "cycling|biking|riding a bicycle|bicycling:rides a bicycle|ride a bicycle|bicycle riding|riding on a bicycle|cyclist",
    "fishing:angling|angler",
    "climbing a ladder|ladder climbing:climbing up a ladder|climbs up a ladder|climb up a ladder",
    // Surfaces.
    "striped:stripe|stripy|stripey|striping",
    "chequered|checkered|=checked|checkerboard|chessboard:checker|checker board|chess board|checquered|check pattern|checked pattern|checked texture|checked surface|=check",
    "polka-dotted|polka dot:polkadot|polkadotted|polka dotted|=dotted|=dot",
    "dotted:dot|=polka dot|=polka dotted|=polkadot|=polkadotted",
    "zigzagged|zigzag:zig zag|zig zagged|zigzagging|chevron",
    "honeycombed|honeycomb:honey comb",
    "cracked:crack|crackle|crackled",
    "marbled|marble:marbling",
    "woven:weave|weaving|basketweave|basket weave",
    "scaly|scaled|fish scales:scale like|scalelike|=scale",
    "spiralled|spiral:spiraling",
    "bubbly:bubble|bubbled",
    "grid:gridded|grid like|gridlike|grid line|gridline",
    "banded:=band",
    "lined:=line",
    "veined:vein",
    "wrinkled:wrinkle|wrinkly",
    "bumpy:bump",
    "swirly:swirl|swirled|swirling",
    "knitted:knit",
    "meshed:mesh",
    "pleated:pleat",
    "grooved:groove",
    "freckled:freckle",
    "braided:braid",
    "cobwebbed:cobweb",
    "crosshatched:crosshatch|cross hatched|cross hatch|crosshatching",
    // Everyday objects.
    "house:=home",
    "mug:cup|coffee cup",
    "lamp:lampshade",
    "umbrella:parasol",
    "sailboat|sailing boat:sail boat|sailing ship|yacht",
    "mushroom:toadstool",
    "butterfly:butterflies",
    // Places and scenes.
    "beach|seaside:seashore|sea shore",
    "forest:woods|woodland",
    "mountain:mountainous",
    "city street|urban street:street in a city|street|street scene",
    "snowy field:snow field|snowfield|snow covered field|field of snow|field covered in snow",
    "living room|sitting room:lounge",
    "underwater:under water|undersea",
    "farmland|cropland:agricultural land|farm land|farm",
    "parking lot|car park:carpark|parking area",
    "harbor:port|seaport",
    "residential area|residential neighborhood|residential district|suburb:residential zone|housing area|neighborhood|suburban area|suburbia",
    // Directions and positions.
    "above:on top of|atop|=over",
    "over:on top of|atop|=above",
    "below:underneath|beneath|=under",
    "under:underneath|beneath|=below",
    "top:from above|overhead|topdown|top down",
];

static STANDS_FOR: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let named = |words: &&'static [&'static str]| {
        let first = words.first().copied().unwrap_or_default();
        words.iter().map(move |word| (*word, first))
    };
    WORDS.iter().flat_map(named).collect()
});

static NAMED: LazyLock<HashMap<String, Vec<Synonym>>> = LazyLock::new(|| {
    let mut named: HashMap<String, Vec<Synonym>> = HashMap::new();
    for row in NAMES {
        let (heads, others) = row.split_once(':').unwrap_or((row, ""));
        for head in heads.split('|') {
            let all = heads.split('|').chain(others.split('|'));
            let all = all.filter(|name| *name != head && !name.is_empty());
            let names = all.map(|name| Synonym {
                words: plain_words(name.trim_start_matches('=')),
                is_ambiguous: name.starts_with('='),
            });
            let key = plain_words(head.trim_start_matches('=')).join(" ");
            named.entry(key).or_default().extend(names);
        }
    }
    named
});

/// Synonym of an option's text.
pub(super) struct Synonym {
    /// Words in plain form, without articles.
    pub words: Vec<String>,
    /// True if the synonym also has another meaning.
    pub is_ambiguous: bool,
}

/// Returns the synonyms of an option, given its words in plain form.
pub(super) fn names(words: &[String]) -> &'static [Synonym] {
    NAMED.get(&words.join(" ")).map_or(&[], Vec::as_slice)
}

/// Names of a kind, and objects of that kind: 'a boat' can mean a sailboat. Objects that no exam
/// shows are listed too, because a kind is ambiguous if two options belong to it.
const KINDS: [(&str, &str); 12] = [
    (
        "boat|ship|vessel|watercraft",
        "sailboat|sailing boat|sail boat|rowboat|rowing boat|motorboat|speedboat|boat|ship|yacht|canoe|kayak|ferry|barge|raft|dinghy|gondola|tanker|cruise ship|container ship|fishing boat|submarine|catamaran|trawler|tugboat|lifeboat|warship|aircraft carrier|jet ski",
    ),
    (
        "aircraft",
        "airplane|jet|helicopter|glider|drone|airship|blimp|zeppelin|hot air balloon|fighter jet|airliner|biplane|seaplane|aircraft",
    ),
    (
        "vehicle",
        "car|bus|truck|van|bicycle|motorcycle|airplane|train|tram|taxi|tractor|sailboat|boat|ship|helicopter|scooter|ambulance|fire truck|pickup truck|jeep|minivan|trolley|vehicle|cart|wagon|yacht|jet|moped|tricycle|submarine|ferry|rocket|tank|bulldozer|forklift|police car|race car|sports car|school bus|excavator|limousine|snowmobile|canoe|kayak|airliner|subway",
    ),
    (
        "insect|bug",
        "butterfly|bee|ant|fly|beetle|moth|dragonfly|wasp|mosquito|grasshopper|cricket|ladybug|ladybird|caterpillar|cockroach|bumblebee|hornet|mantis|insect|bug|spider|firefly|locust|cicada|termite|flea|damselfly|centipede|scorpion",
    ),
    (
        "fruit",
        "apple|banana|orange|pear|grape|strawberry|cherry|lemon|lime|peach|plum|mango|pineapple|watermelon|melon|kiwi|apricot|fig|fruit|raspberry|blueberry|blackberry|coconut|pomegranate|papaya|tomato|avocado|date|grapefruit|nectarine|cranberry|lychee|guava|passion fruit|cantaloupe|olive",
    ),
    (
        "fungus|fungi",
        "mushroom|toadstool|fungus|truffle|chanterelle|mold|morel|bolete|yeast|puffball|agaric",
    ),
    (
        "building",
        "house|church|castle|tower|school|hospital|barn|skyscraper|hotel|factory|temple|mosque|cathedral|palace|cottage|building|apartment|office|store|shop|library|museum|garage|shed|warehouse|stadium|cabin|hut|lighthouse|mansion|villa|bungalow|restaurant|greenhouse|hangar|chapel|pagoda|station|home|igloo|mall|supermarket|theater|windmill|monastery|hall|bank|bakery",
    ),
    (
        "timepiece",
        "clock|watch|wristwatch|alarm clock|stopwatch|timer|hourglass|sundial|timepiece|wall clock|grandfather clock",
    ),
    (
        "seat",
        "chair|bench|stool|sofa|armchair|seat|couch|throne|rocking chair|saddle|pew|ottoman|swing|recliner|car seat|folding chair|beanbag",
    ),
    (
        "street sign|road sign|traffic sign",
        "stop sign|yield sign|speed limit sign|street sign|road sign|traffic sign",
    ),
    (
        "plant",
        "tree|flower|bush|shrub|fern|cactus|grass|palm|vine|moss|plant|rose|tulip|sunflower|daisy|potted plant|houseplant|weed|herb|bamboo|ivy|oak|pine|leaf|mushroom|palm tree|orchid|lily|clover|hedge|seedling|corn|wheat|houseplants|bonsai|succulent|algae",
    ),
    (
        "tableware",
        "mug|cup|plate|bowl|glass|saucer|tableware|fork|spoon|knife|dish|teapot|jug|pitcher",
    ),
];

static KINDS_OF: LazyLock<HashMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let mut kinds: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for (names, members) in KINDS {
        for member in members.split('|') {
            let known = kinds.entry(plain_words(member).join(" ")).or_default();
            known.extend(names.split('|').map(plain_words));
        }
    }
    kinds
});

/// Returns the names of an option's kinds, given its words in plain form.
pub(super) fn kinds(words: &[String]) -> &'static [Vec<String>] {
    KINDS_OF.get(&words.join(" ")).map_or(&[], Vec::as_slice)
}

/// Returns the synonyms of a word that count as the word itself; empty if there are none.
pub(super) fn akin(word: &str) -> &'static [&'static str] {
    WORDS
        .into_iter()
        .take(OWN)
        .find(|words| words.contains(&word))
        .unwrap_or_default()
}

/// Returns the words of a phrase in plain form, without articles; the phrase must be in lower case.
pub(super) fn plain_words(phrase: &str) -> Vec<String> {
    let words = phrase.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words = words.filter(|word| !word.is_empty() && !matches!(*word, "a" | "an" | "the"));
    words.map(plain).collect()
}

/// Returns the plain form of a lower-case word: singular, in American spelling, and replaced by the
/// first of its synonyms.
pub(super) fn plain(word: &str) -> String {
    let stands_for = |word: &str| STANDS_FOR.get(word).map(|first| (*first).to_owned());
    if let Some(first) = stands_for(word) {
        return first;
    }
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let one = american(singular(word));
    stands_for(&one).unwrap_or(one)
}

/// Returns true if a word has the ending of a plural or of a verb after 'it': 'cars', 'shows'.
pub(super) fn ends_in_s(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
}

fn singular(word: &str) -> String {
    if word.len() < 4 {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    let hisses = ["sses", "xes", "zes", "ches", "shes"];
    let stem = if hisses.iter().any(|end| word.ends_with(end)) {
        word.strip_suffix("es")
    } else if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        None
    } else {
        word.strip_suffix('s')
    };
    stem.unwrap_or(word).to_owned()
}

/// Converts British to American spelling. Other words are also changed, but consistently, so the
/// result can be a word that does not exist.
fn american(mut word: String) -> String {
    if word.contains('q') {
        word = word.replace("chequ", "check");
    }
    if word.contains('u') && word.rfind("our").is_some_and(|at| at > 2) {
        word = word.replace("our", "or");
    }
    for (british, ending) in [
        ("lled", "led"),
        ("lling", "ling"),
        ("ised", "ized"),
        ("ising", "izing"),
        ("ise", "ize"),
    ] {
        if let Some(stem) = word.strip_suffix(british).filter(|stem| stem.len() > 3) {
            return format!("{stem}{ending}");
        }
    }
    word
}

/// Past forms that do not end in 'ed', by the verb's form in 'ing'.
const PASTS: [(&str, &str); 47] = [
    ("running", "ran"),
    ("sitting", "sat"),
    ("swimming", "swam|swum"),
    ("sleeping", "slept"),
    ("riding", "rode|ridden"),
    ("standing", "stood"),
    ("throwing", "threw|thrown"),
    ("catching", "caught"),
    ("holding", "held"),
    ("eating", "ate|eaten"),
    ("drinking", "drank|drunk"),
    ("driving", "drove|driven"),
    ("writing", "wrote|written"),
    ("drawing", "drew|drawn"),
    ("flying", "flew|flown"),
    ("singing", "sang|sung"),
    ("speaking", "spoke|spoken"),
    ("shooting", "shot"),
    ("falling", "fell|fallen"),
    ("lying", "lay|lain"),
    ("kneeling", "knelt"),
    ("bending", "bent"),
    ("swinging", "swung"),
    ("spinning", "spun"),
    ("leaping", "leapt"),
    ("diving", "dove"),
    ("sliding", "slid"),
    ("feeding", "fed"),
    ("fighting", "fought"),
    ("building", "built"),
    ("digging", "dug"),
    ("sweeping", "swept"),
    ("blowing", "blew|blown"),
    ("shaking", "shook|shaken"),
    ("taking", "took|taken"),
    ("giving", "gave|given"),
    ("breaking", "broke|broken"),
    ("wearing", "wore|worn"),
    ("hanging", "hung"),
    ("winding", "wound"),
    ("hitting", "hit"),
    ("cutting", "cut"),
    ("putting", "put"),
    ("making", "made"),
    ("buying", "bought"),
    ("selling", "sold"),
    ("leading", "led"),
];

/// Returns the other forms of a verb that is given in its form in 'ing': kick, kicks and kicked for
/// kicking. Forms that are not words do no harm.
pub(super) fn verb_forms(word: &str) -> Vec<String> {
    let stem = word.strip_suffix("ing").filter(|stem| {
        stem.len() > 1 && stem.bytes().any(|byte| b"aeiouy".contains(&byte)) && stem.is_ascii()
    });
    let Some(stem) = stem else {
        return Vec::new();
    };
    let mut forms = vec![stem.to_owned(), format!("{stem}e"), format!("{stem}ed")];
    let doubled = matches!(stem.as_bytes(), [.., a, b] if a == b);
    if doubled {
        forms.extend(stem.get(..stem.len() - 1).map(str::to_owned));
    }
    if let Some(short) = stem.strip_suffix('y') {
        forms.push(format!("{short}ied"));
    }
    let pasts = PASTS.iter().filter(|(verb, _)| *verb == word);
    forms.extend(pasts.flat_map(|(_, pasts)| pasts.split('|').map(str::to_owned)));
    forms.iter().map(|form| plain(form)).collect()
}

#[cfg(test)]
mod tests {
    use super::{plain, verb_forms};

    #[test]
    fn spellings_and_numbers_of_a_word_are_alike() {
        for (one, other) in [
            ("harbour", "harbor"),
            ("harbours", "harbor"),
            ("colour", "color"),
            ("chequered", "checkered"),
            ("spiralled", "spiraled"),
            ("bikes", "bicycle"),
            ("aeroplanes", "plane"),
            ("organised", "organized"),
            ("buses", "bus"),
            ("boxes", "box"),
            ("houses", "house"),
            ("berries", "berry"),
            ("glasses", "glass"),
        ] {
            assert_eq!(plain(one), plain(other), "{one} {other}");
        }
    }

    #[test]
    fn other_words_stay_other_words() {
        for (one, other) in [
            ("four", "for"),
            ("hour", "hor"),
            ("filled", "filed"),
            ("plane", "plan"),
            ("glass", "glas"),
            ("bus", "bu"),
            ("planet", "airplane"),
            ("wise", "wize"),
        ] {
            assert_ne!(plain(one), plain(other), "{one} {other}");
        }
    }

    #[test]
    fn verbs_have_forms() {
        for (word, form) in [
            ("running", "run"),
            ("kicking", "kick"),
            ("waving", "wave"),
            ("waving", "waved"),
            ("carrying", "carried"),
            ("swimming", "swim"),
            ("running", "ran"),
            ("sleeping", "slept"),
            ("riding", "ridden"),
        ] {
            assert!(verb_forms(word).iter().any(|one| one == form), "{word}");
        }
        for word in ["spring", "king", "string", "thing"] {
            assert!(verb_forms(word).is_empty(), "{word}");
        }
    }
}
