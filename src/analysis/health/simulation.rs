//! Simulates benchmarks with planted faults, to test that the checks find them and stay silent
//! without faults.

use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::checks::results;
use super::parts::Parts;
use super::{
    Check, CheckResult, Contents, Health, Outcome, SIDE, SampleContent, SmallPicture, health,
};
use crate::Selection;
use record::{
    Ability, Content, Labels, Prediction, RequestFingerprint, Scoring, Table, TableBuilder,
};

/// Number of options per question.
const OPTIONS: usize = 4;
/// Number of simulated models.
const MODELS: usize = 12;
/// Number of objects that always have the same colour, so that a model can guess it without the
/// picture.
const KNOWN: usize = 25;
/// Number of objects without a fixed colour.
const OTHERS: usize = 60;
/// Number of colours to choose from.
const COLORS: usize = 14;

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }
}

/// Number of samples, and the shares of samples with each planted fault.
#[derive(Clone, Copy)]
struct Plan {
    samples: usize,
    flipped: f64,
    blind: f64,
    twins: f64,
    leaked: f64,
}

const SOUND: Plan = Plan {
    samples: 400,
    flipped: 0.0,
    blind: 0.0,
    twins: 0.0,
    leaked: 0.0,
};

const FAULTY: Plan = Plan {
    samples: 1_000,
    flipped: 0.05,
    blind: 0.2,
    twins: 0.03,
    leaked: 0.15,
};

/// A simulated sample.
#[derive(Clone)]
struct Simulated {
    content: SampleContent,
    picture: SmallPicture,
    /// Index of the true answer; a flipped label differs from it.
    truth: usize,
    difficulty: f64,
    /// Popularity of the options among wrong answers.
    popular: Vec<f64>,
}

struct Benchmark {
    table: Table,
    contents: Contents,
    /// Codes of the samples with each fault.
    faults: BTreeMap<Check, BTreeSet<u32>>,
}

/// Draws a picture of a few waves.
fn picture(random: &mut Random) -> SmallPicture {
    let waves: Vec<[f64; 3]> = (0..6)
        .map(|_| [random.normal(), random.normal(), 6.0 * random.share()])
        .collect();
    let mut pixels = [0; SIDE * SIDE];
    for (at, pixel) in pixels.iter_mut().enumerate() {
        let (x, y) = ((at % SIDE) as f64 / 4.0, (at / SIDE) as f64 / 4.0);
        let sum: f64 = waves
            .iter()
            .map(|[a, b, phase]| (a * x + b * y + phase).sin())
            .sum();
        *pixel = (128.0 + 20.0 * sum).clamp(0.0, 255.0) as u8;
    }
    pixels
}

fn sample(random: &mut Random, known: &[usize], plan: Plan) -> (Simulated, [bool; 2]) {
    let is_blind = random.share() < plan.blind;
    let is_leaked = !is_blind && random.share() < plan.leaked;
    let (thing, color) = if is_blind {
        let thing = random.below(KNOWN);
        (format!("known{thing}"), known[thing])
    } else {
        (
            format!("thing{}", random.below(OTHERS)),
            random.below(COLORS),
        )
    };
    let mut colors = vec![color];
    while colors.len() < OPTIONS {
        let other = random.below(COLORS);
        if !colors.contains(&other) {
            colors.push(other);
        }
    }
    let right = random.below(OPTIONS);
    colors.swap(0, right);
    let mut options: Vec<String> = colors
        .iter()
        .map(|it| format!("color{}", (b'a' + *it as u8) as char))
        .collect();
    if is_leaked {
        options[right].push_str(" no 7");
    } else if random.share() < 0.03 {
        options[random.below(OPTIONS)].push_str(" no 7");
    }
    let templates = [
        "What colour is the {} in the picture?",
        "Which colour has the {} on the left?",
        "Tell me the colour of the {}.",
        "What is shown next to the {}?",
    ];
    let simulated = Simulated {
        content: SampleContent {
            question: templates[random.below(templates.len())].replace("{}", &thing),
            target: options[right].clone(),
            options,
            right: Some(right),
            pictures: Vec::new(),
        },
        picture: picture(random),
        truth: right,
        difficulty: random.normal(),
        popular: (0..OPTIONS).map(|_| -(1.0 - random.share()).ln()).collect(),
    };
    (simulated, [is_blind, is_leaked])
}

/// Returns a copy with small edits of question and picture.
fn twin(random: &mut Random, of: &Simulated) -> Simulated {
    let mut twin = of.clone();
    twin.content.question = twin
        .content
        .question
        .replace(" the ", " that ")
        .to_uppercase();
    for pixel in &mut twin.picture {
        *pixel = pixel.saturating_add((3.0 * random.share()) as u8);
    }
    twin
}

/// Returns the option that a model of this ability chooses.
fn answer(random: &mut Random, of: &Simulated, ability: f64) -> usize {
    let guess = 1.0 / OPTIONS as f64;
    let skill = 1.0 / (1.0 + (-1.3 * (ability - of.difficulty)).exp());
    if random.share() < guess + (1.0 - guess) * skill {
        return of.truth;
    }
    let others: Vec<usize> = (0..OPTIONS).filter(|at| *at != of.truth).collect();
    let sum: f64 = others.iter().map(|at| of.popular[*at]).sum();
    let mut rest = sum * random.share();
    for &at in &others {
        rest -= of.popular[at];
        if rest <= 0.0 {
            return at;
        }
    }
    others[0]
}

fn simulate(seed: u64, plan: Plan) -> Benchmark {
    let random = &mut Random::new(seed);
    let known: Vec<usize> = (0..KNOWN).map(|_| random.below(COLORS)).collect();
    let mut faults: BTreeMap<Check, BTreeSet<u32>> = BTreeMap::new();
    let mut samples: Vec<Simulated> = Vec::new();
    for at in 0..plan.samples {
        let (mut simulated, [is_blind, is_leaked]) = sample(random, &known, plan);
        // Cues and word hints point to the true answer, so these labels are not flipped.
        if is_blind {
            faults.entry(Check::Blind).or_default().insert(at as u32);
        } else if is_leaked {
            faults
                .entry(Check::OptionCue)
                .or_default()
                .insert(at as u32);
        } else if random.share() < plan.flipped / (1.0 - plan.blind - plan.leaked) {
            let label = (simulated.truth + 1 + random.below(OPTIONS - 1)) % OPTIONS;
            simulated.content.right = Some(label);
            simulated.content.target = simulated.content.options[label].clone();
            faults.entry(Check::Label).or_default().insert(at as u32);
        }
        samples.push(simulated);
    }
    for _ in 0..(plan.twins * plan.samples as f64) as usize {
        let first = random.below(plan.samples);
        let of = samples[first].clone();
        let at = samples.len();
        faults
            .entry(Check::Duplicate)
            .or_default()
            .insert(at as u32);
        faults
            .entry(Check::DuplicatePicture)
            .or_default()
            .insert(at as u32);
        samples.push(twin(random, &of));
        for check in [Check::Blind, Check::OptionCue, Check::Label] {
            if faults
                .get(&check)
                .is_some_and(|samples| samples.contains(&(first as u32)))
            {
                faults.entry(check).or_default().insert(at as u32);
            }
        }
    }
    let (table, contents) = answered(random, samples);
    Benchmark {
        table,
        contents,
        faults,
    }
}

/// Answers all samples with all models.
fn answered(random: &mut Random, samples: Vec<Simulated>) -> (Table, Contents) {
    let mut builder = TableBuilder::default();
    let ability = Ability {
        benchmark: "b".to_owned(),
        name: "a".to_owned(),
    };
    let ability = builder.ability(&ability).unwrap();
    let condition = builder.condition(&Labels::new()).unwrap();
    let metric = builder.metric("accuracy").unwrap();
    let abilities: Vec<f64> = (0..MODELS)
        .map(|model| 2.5 * model as f64 / (MODELS - 1) as f64 + 0.1 * random.normal())
        .collect();
    let (mut contents, mut row) = (Contents::default(), 0);
    for (at, mut simulated) in samples.into_iter().enumerate() {
        let id = format!("s{at}");
        let item = builder.item(ability, condition, &id, RequestFingerprint::default());
        builder.describe(&Content::default(), None, f64::NAN);
        for (model, ability) in abilities.iter().enumerate() {
            let chosen = answer(random, &simulated, *ability);
            let is_right = Some(chosen) == simulated.content.right;
            let model = builder.model(&format!("m{model}")).unwrap();
            let score = f64::from(u8::from(is_right));
            builder.push(item.id, &Prediction::scored(model, metric, score), &[]);
            if !is_right {
                contents.add_answer(row, &simulated.content.options[chosen]);
            }
            row += 1;
        }
        simulated.content.pictures = vec![at];
        contents.pictures.push(Some(simulated.picture));
        contents.samples.insert(at as u32, simulated.content);
    }
    (builder.finish(), contents)
}

fn checked(benchmark: &Benchmark) -> Vec<CheckResult> {
    let selection = Selection::all(&benchmark.table, Scoring::Harness);
    let blank = vec![false; benchmark.table.len()];
    results(
        selection,
        &Parts::new(selection, &blank, &benchmark.contents),
    )
}

#[test]
fn planted_faults_are_named_and_little_else_is() {
    let checks = [
        Check::Label,
        Check::Blind,
        Check::OptionCue,
        Check::Duplicate,
        Check::DuplicatePicture,
    ];
    // Counts of true findings, of all findings, and of planted faults.
    let mut counts: BTreeMap<Check, [usize; 3]> = BTreeMap::new();
    for seed in 0..4 {
        let benchmark = simulate(seed, FAULTY);
        for result in checked(&benchmark) {
            if !checks.contains(&result.check) {
                continue;
            }
            let planted = &benchmark.faults[&result.check];
            let named: BTreeSet<u32> = result.samples.iter().map(|it| it.0).collect();
            let mut right = planted.clone();
            if result.check == Check::Blind {
                // The number that leaks the answer is also a word of the question.
                right.extend(&benchmark.faults[&Check::OptionCue]);
            }
            let [hits, all, faults] = counts.entry(result.check).or_default();
            // Findings that are right but not planted for this check are not counted.
            *hits += named.intersection(planted).count();
            *all += named.intersection(planted).count() + named.difference(&right).count();
            *faults += planted.len();
        }
    }
    for check in checks {
        let [hits, all, faults] = counts[&check].map(|count| count as f64);
        let (precision, recall) = (hits / all, hits / faults);
        println!(
            "{}: precision {precision:.3}, recall {recall:.3}",
            check.name()
        );
        assert!(
            precision >= 0.9 && recall >= 0.8,
            "{check:?}: {precision} {recall}"
        );
    }
}

#[test]
fn sound_benchmarks_pass_every_check_in_nineteen_of_twenty() {
    let mut alarms: BTreeMap<Check, usize> = BTreeMap::new();
    for seed in 100..120 {
        for result in checked(&simulate(seed, SOUND)) {
            *alarms.entry(result.check).or_default() +=
                usize::from(result.outcome == Outcome::Found);
        }
    }
    for (check, count) in alarms {
        let is_count = matches!(check, Check::AllRight | Check::AllWrong);
        assert!(is_count || count <= 1, "{check:?} in {count} of 20");
    }
}

#[test]
fn faulty_samples_are_left_out_and_the_rest_keeps_the_order() {
    let benchmark = simulate(7, FAULTY);
    let selection = Selection::all(&benchmark.table, Scoring::Harness);
    let Health {
        flagged,
        sound,
        powers,
        subsets,
        ..
    } = health(selection, &benchmark.contents);
    let faulty: BTreeSet<u32> = flagged
        .iter()
        .filter(|it| it.is_faulty())
        .map(|it| it.item.0)
        .collect();
    assert!(!faulty.is_empty());
    assert!(sound.iter().all(|item| !faulty.contains(&item.0)));
    assert_eq!(sound.len() + faulty.len(), benchmark.contents.samples.len());
    let [power] = powers.as_slice() else {
        panic!("one ability")
    };
    assert!(
        power.models == MODELS && power.detectable.unwrap() < 0.1,
        "{power:?}"
    );
    assert_eq!(subsets[0].of, sound.len());
    assert!(subsets[0].chosen.len() < sound.len());
}

#[test]
fn checks_without_data_are_refused_with_the_reason() {
    let benchmark = simulate(1, SOUND);
    let selection = Selection::all(&benchmark.table, Scoring::Harness);
    let without = health(selection, &Contents::default());
    for result in &without.checks {
        let is_refused = matches!(result.outcome, Outcome::Refused(_));
        let needs_content = !matches!(
            result.check,
            Check::AllRight | Check::AllWrong | Check::Reversed
        );
        assert_eq!(is_refused, needs_content, "{result:?}");
    }
}
