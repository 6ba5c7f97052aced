//! Tests chains with perfect answers, in any order, with a truncated
//! journal, and with other answers.

mod batch;
mod killed;
mod scenes;
mod unread;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::*;
use crate::chain::{AskPath, JudgedAnswer, Outcome};
use crate::client::{Part as Message, Role as Speaker};
use crate::item::JournalEntry;
use crate::kind::{AnswerGrade, Kind};
use crate::picture_rules::PictureRules;
use crate::question::Question;
use crate::sample::Sample;
use media::{PictureLimits, Superpixels};
use record::{Content, ImageRef, MapValues, Record};
use scenes::{HEIGHT, THING, WIDTH, fixtures, is_thing, map, sample, scene, source, tasks};

fn said(text: &str) -> JudgedAnswer {
    JudgedAnswer {
        judged: AnswerGrade {
            kind: Kind::Ok,
            right: None,
            read: None,
        },
        done: Arc::new(JournalEntry {
            text: text.to_owned(),
            ..JournalEntry::default()
        }),
    }
}

/// Answers a question in a test.
type Answers<'a> = &'a dyn Fn(&Question) -> String;

/// Answers of a chain in order of arrival.
type Journal = Vec<(AskPath, String)>;

/// Runs a chain to its end. Answers in the journal are not asked again. `newest` answers the newest
/// ready question first instead of the oldest.
fn asked(
    chain: TaskChain,
    sample: &Arc<Sample>,
    journal: &[(AskPath, String)],
    newest: bool,
    answers: Answers<'_>,
) -> (Option<Outcome>, Journal) {
    let mut fold = chain.begin(sample, &Arc::default());
    let known: BTreeMap<&AskPath, &String> =
        journal.iter().map(|(path, text)| (path, text)).collect();
    let mut log = Journal::new();
    let mut open = std::collections::VecDeque::from(fold.ready());
    loop {
        let next = if newest {
            open.pop_back()
        } else {
            open.pop_front()
        };
        let Some(ask) = next else { break };
        let path = ask.path.clone();
        let question = ask.question().unwrap();
        let text = match known.get(&path) {
            Some(text) => (*text).clone(),
            None => {
                let text = answers(&question);
                log.push((path.clone(), text.clone()));
                text
            }
        };
        fold.receive(&path, Some(&said(&text)));
        open.extend(fold.ready());
    }
    (fold.end(), log)
}

fn knows(whose: ReferenceSource) -> impl Fn(&Question) -> String {
    move |question| question.part.as_ref().unwrap().answer(whose).unwrap()
}

fn oracle(chain: TaskChain, sample: &Arc<Sample>) -> (Outcome, Journal) {
    let (outcome, log) = asked(chain, sample, &[], false, &knows(ReferenceSource::Truth));
    (outcome.unwrap(), log)
}

fn figure(record: &Record, name: &str) -> f64 {
    let own = (record.metric.as_deref() == Some(name))
        .then_some(record.stored)
        .flatten();
    let beside = record.beside.iter().find(|(known, _)| known == name);
    own.or_else(|| Some(beside?.1))
        .unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_logs_own_orders_give_back_the_figures_of_the_harness() {
    let text = |path: &str| std::fs::read_to_string(fixtures().join(path)).unwrap();
    let expected: Json = serde_json::from_str(&text("taskit/expected.json")).unwrap();
    for (log, chain, kind, truth) in [
        (
            "gpt-4o_depth_20261121_001646.json",
            "depth,segments=40,pairs=60",
            MapKind::Depth,
            "depth",
        ),
        (
            "gpt-4o_normals_20261121_001706.json",
            "normals,segments=40,pairs=60",
            MapKind::Normals,
            "normals",
        ),
    ] {
        let chain = TaskChain::parse(chain).unwrap();
        let document: Json =
            serde_json::from_str(&text(&format!("taskit/logs/outputs/{log}"))).unwrap();
        let mut records = Vec::new();
        for one in document["data"].as_array().unwrap() {
            let file = one["file_name"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap();
            let truth = format!("{}.{truth}.png", file.strip_suffix(".png").unwrap());
            let record = Record {
                benchmark: "fm-vision-evals".to_owned(),
                ability: chain.task.name().to_owned(),
                sample_id: file.to_owned(),
                response: Some(one.to_string()),
                content: Content {
                    maps: vec![map(kind, Role::Target, &truth, &[])],
                    ..Content::default()
                },
                ..Record::default()
            };
            let sample = sample(&fixtures().join("chains"), file, record);
            // The log has an answer to every pair drawn here.
            let (outcome, log) = asked(chain, &sample, &[], true, &knows(ReferenceSource::Log));
            assert_eq!(log.len(), 60);
            records.push(outcome.unwrap().record);
        }
        let figures = &expected[log]["eval_metric"];
        let mean = |name: &str| {
            let sum: f64 = records.iter().map(|record| figure(record, name)).sum();
            sum / records.len() as f64
        };
        let mut pairs: Vec<(String, f64)> = Vec::new();
        let number = |value: &Json| value.as_f64().unwrap();
        for (theirs, ours) in [
            ("avg_accuracy", "pairwise_accuracy"),
            ("avg_local_kendall_tau", "local_tau"),
            ("avg_local_spearman_rank", "local_rho"),
            ("avg_global_kendall_tau", "tau"),
            ("avg_global_spearman_rank", "rho"),
        ] {
            match &figures[theirs] {
                Json::Object(axes) => {
                    for (axis, name) in [("right", "x"), ("up", "y"), ("out", "z")] {
                        pairs.push((format!("{ours}_{name}"), number(&axes[axis])));
                    }
                }
                value => pairs.push((ours.to_owned(), number(value))),
            }
        }
        if let Json::Array(deltas) = &figures["delta_errors"] {
            pairs.extend(
                (1..)
                    .zip(deltas)
                    .map(|(at, delta): (usize, _)| (format!("delta{at}"), number(delta))),
            );
            pairs.push(("abs_rel".to_owned(), number(&figures["abs_rel_errors"])));
        }
        if let Json::Array(all) = &figures["all_average_global_spearman_rank"] {
            for (record, known) in records.iter().zip(all) {
                assert!((figure(record, "rho_mean") - number(known)).abs() < 1e-6);
            }
        }
        assert!(pairs.len() >= 9, "{pairs:?}");
        for (name, known) in pairs {
            let found = mean(&name);
            assert!(
                (found - known).abs() < 1e-4,
                "{log} {name}: {found} {known}"
            );
        }
    }
}

#[test]
fn pictures_of_a_chain_keep_the_limits_and_the_question_says_how() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    let limits = PictureLimits {
        max_side: Some(48),
        ..PictureLimits::default()
    };
    let limited = Arc::new(Asking {
        pictures: PictureRules::new(limits, "http://localhost:8000/v1"),
        ..Asking::default()
    });
    // Half of the whole picture; a classified picture is a square of 224 pixels.
    let label = |chain: TaskChain| match chain.task {
        Task::Classify => "PNG, scaled from 224 x 224 to 48 x 48".to_owned(),
        _ => format!("PNG, scaled from {WIDTH} x {HEIGHT} to 48 x 36"),
    };
    for chain in tasks() {
        let first = |asking: &Arc<Asking>| {
            let ask = chain.begin(&sample, asking).ready().swap_remove(0);
            ask.question().unwrap()
        };
        let question = first(&limited);
        let sizes = question.request.pictures().map(|picture| picture.size);
        let sizes: Vec<(u32, u32)> = sizes.collect();
        assert!(!sizes.is_empty(), "{}", chain.name());
        assert!(
            sizes.iter().all(|(wide, tall)| *wide.max(tall) <= 48),
            "{}: {sizes:?}",
            chain.name()
        );
        let label = label(chain);
        assert!(question.made.contains(&label), "{:?}", question.made);
        assert_eq!(first(&Arc::default()).made, [""; 0], "{}", chain.name());
    }
}

#[test]
fn whatever_order_answers_come_in_and_wherever_a_journal_ends_the_result_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    for chain in tasks() {
        let (whole, journal) = oracle(chain, &sample);
        let (reversed, _) = asked(chain, &sample, &[], true, &knows(ReferenceSource::Truth));
        assert_eq!(reversed.as_ref(), Some(&whole), "{}", chain.name());
        let paths: BTreeSet<&AskPath> = journal.iter().map(|(path, _)| path).collect();
        assert_eq!(
            paths.len(),
            journal.len(),
            "{}: no path twice",
            chain.name()
        );
        let bound = chain.bound(&sample);
        assert!(
            (bound.low..=bound.high).contains(&journal.len()) && bound.likely <= bound.high,
            "{}: {bound:?} {}",
            chain.name(),
            journal.len()
        );
        for cut in 0..=journal.len() {
            let begun = journal[..cut].to_vec();
            let (resumed, log) = asked(
                chain,
                &sample,
                &begun,
                cut % 2 == 0,
                &knows(ReferenceSource::Truth),
            );
            let again = log
                .iter()
                .filter(|(path, _)| begun.iter().any(|(known, _)| known == path));
            assert_eq!(again.count(), 0);
            assert_eq!(log.len(), journal.len() - cut, "{} {cut}", chain.name());
            assert_eq!(resumed.as_ref(), Some(&whole), "{} {cut}", chain.name());
        }
    }
}

#[test]
fn with_right_answers_chains_reach_the_ceiling_of_grid_and_superpixels() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    let [classify, detect, segment, group, depth, normals]: [TaskChain; 6] =
        tasks().try_into().unwrap();
    let (class, _) = oracle(classify, &sample);
    assert_eq!(
        (class.record.stored, class.judged.right),
        (Some(1.0), Some(true))
    );
    assert_eq!(class.record.parsed.as_deref(), Some("thing"));

    let (boxes, _) = oracle(detect, &sample);
    let found = boxes.record.detections.unwrap().found;
    assert_eq!((found.len(), found[0].class), (1, 1));
    let [x, y, width, height] = found[0].xywh;
    let [x0, y0, x1, y1] = THING.map(f64::from);
    assert!(x <= x0 && y <= y0 && x + width >= x1 && y + height >= y1);
    assert!(
        (x1 - x0) * (y1 - y0) / (width * height) > 0.5625,
        "{:?}",
        found[0].xywh
    );
    assert_eq!(boxes.record.stored, Some(1.0));

    // Upper bounds, counted pixel by pixel.
    let bytes = source(folder.path(), "scene.png").read().unwrap();
    let picture = media::decode(&bytes, "scene").unwrap().pixels;
    let regions = Superpixels::slic(&picture, 60, 5.0);
    let label = |place: usize| {
        let (x, y) = (place as u32 % WIDTH, place as u32 / WIDTH);
        if is_thing(x, y) {
            2
        } else {
            usize::from(y >= HEIGHT / 2)
        }
    };
    let mut counts = vec![[0_usize; 3]; regions.count() as usize];
    for (place, number) in regions.numbers().iter().enumerate() {
        counts[*number as usize][label(place)] += 1;
    }
    let most: usize = counts
        .iter()
        .map(|counts| counts.iter().max().unwrap())
        .sum();
    let ceiling = most as f64 / f64::from(WIDTH * HEIGHT);
    let (labels, _) = oracle(segment, &sample);
    assert!((figure(&labels.record, "pixel_accuracy") - ceiling).abs() < 1e-12);
    assert!(labels.record.stored.unwrap() > 0.7);

    let is_in = |counts: &[usize; 3]| 2 * counts[2] > counts.iter().sum::<usize>();
    let area = |of: &dyn Fn(&[usize; 3]) -> usize| {
        counts
            .iter()
            .filter(|one| is_in(one))
            .map(of)
            .sum::<usize>()
    };
    let (inside, all) = (area(&|one| one[2]), area(&|one| one.iter().sum()));
    let thing = (x1 - x0) * (y1 - y0);
    let ceiling = inside as f64 / (all as f64 + thing - inside as f64);
    let (mask, _) = oracle(group, &sample);
    assert!(
        (mask.record.stored.unwrap() - ceiling).abs() < 1e-12,
        "{:?} {ceiling}",
        mask.record.stored
    );
    assert!(ceiling > 0.6);

    let (deep, _) = oracle(depth, &sample);
    assert_eq!(figure(&deep.record, "pairwise_accuracy"), 1.0);
    assert!(
        figure(&deep.record, "rho") > 0.8,
        "{:?}",
        deep.record.beside
    );
    let (facing, _) = oracle(normals, &sample);
    for axis in ["x", "y", "z"] {
        assert_eq!(
            figure(&facing.record, &format!("pairwise_accuracy_{axis}")),
            1.0
        );
        assert!(
            figure(&facing.record, &format!("rho_{axis}")) > 0.4,
            "{:?}",
            facing.record.beside
        );
    }
}

#[test]
fn records_name_the_pictures_that_are_kept_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    for chain in tasks() {
        let (outcome, journal) = oracle(chain, &sample);
        let kept: Vec<String> = outcome
            .pictures
            .iter()
            .map(|one| crate::question::kept_as(one))
            .collect();
        let named = |image: &ImageRef| match image {
            ImageRef::Path(path) => kept.contains(path),
            _ => false,
        };
        assert!(outcome.record.content.images.iter().all(named));
        let is_dense = !matches!(chain.task, Task::Classify | Task::Detect);
        if is_dense {
            let roles: Vec<Role> = outcome
                .record
                .content
                .maps
                .iter()
                .map(|map| map.role)
                .collect();
            assert_eq!(roles, [Role::Target, Role::Prediction], "{}", chain.name());
            let mut maps = outcome.record.content.maps.iter();
            assert!(maps.all(|map| match &map.values {
                MapValues::Picture(image) => named(image),
                values => matches!(values, MapValues::Runs { .. }),
            }));
        }
        let response = outcome.record.response.unwrap();
        let (_, steps) = response.split_once("\n\nsteps:\n").unwrap();
        assert_eq!(steps.lines().count(), journal.len(), "{}", chain.name());
    }
}

#[test]
fn a_specialist_answers_from_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let whole = scene(folder.path());
    let mut other = Sample::clone(&whole);
    other.record.response = Some("B".to_owned());
    let last = other.record.content.maps.len();
    other.record.content.maps.extend_from_within(1..last);
    for map in &mut other.record.content.maps[last..] {
        map.role = Role::Prediction;
    }
    let other = Arc::new(other);
    let [classify, detect, segment, _, depth, _]: [TaskChain; 6] = tasks().try_into().unwrap();
    let of = |chain| {
        asked(chain, &other, &[], false, &knows(ReferenceSource::Log))
            .0
            .unwrap()
    };
    assert_eq!(of(classify).judged.right, Some(false));
    let found = of(detect).record.detections.unwrap().found;
    assert_eq!(found[0].class, 2);
    let deep = of(depth);
    assert_eq!(deep.record.beside, oracle(depth, &whole).0.record.beside);
    // The sample has no labels, so there is no answer.
    let mut fold = segment.begin(&other, &Arc::default());
    let question = fold.ready().remove(0).question().unwrap();
    assert_eq!(question.part.unwrap().answer(ReferenceSource::Log), None);
}

#[test]
fn questions_show_what_the_harness_shows_and_want_a_strict_form() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    let mut first = BTreeMap::new();
    for chain in tasks() {
        let seen = std::cell::RefCell::new(Vec::new());
        let answers = |question: &Question| {
            let request = &question.request;
            let schema = request.schema.as_ref().unwrap();
            assert_eq!(schema.schema["additionalProperties"], false);
            let fields = schema.schema["properties"].as_object().unwrap().len();
            assert_eq!(schema.schema["required"].as_array().unwrap().len(), fields);
            assert_eq!(
                (request.sampling.temperature, request.sampling.seed),
                (Some(0.0), Some(42))
            );
            assert!(request.turns.iter().all(|turn| turn.role == Speaker::User));
            assert!(request.system.as_ref().unwrap().contains("JSON"));
            let texts = request
                .parts()
                .filter(|part| matches!(part, Message::Text(_)));
            assert!(texts.count() >= 1);
            seen.borrow_mut().push(request.pictures().count());
            knows(ReferenceSource::Truth)(question)
        };
        asked(chain, &sample, &[], false, &answers);
        first.insert(chain.task.name(), seen.into_inner());
    }
    assert_eq!(first["classify"], [1]);
    assert_eq!(first["detect"][..5], [2; 5]);
    assert!(first["detect"][5..].iter().all(|pictures| *pictures == 10));
    assert_eq!(first["segment"][0], 1 + 2 * 8);
    // The picture and three crops of the start, then three pictures for each
    // of its three neighbours.
    assert_eq!(first["group"][0], 4 + 3 * 3);
    assert!(
        first["depth"]
            .iter()
            .chain(&first["normals"])
            .all(|pictures| *pictures == 1)
    );
}

#[test]
fn a_blank_picture_has_the_same_superpixels_and_shows_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    let plain = tasks()[4];
    let blank = TaskChain {
        is_blank: true,
        ..plain
    };
    let first = |chain: TaskChain| {
        let question = chain.begin(&sample, &Arc::default()).ready().remove(0);
        question.question().unwrap()
    };
    let digest = |question: &Question| question.request.pictures().next().unwrap().digest.clone();
    assert_ne!(digest(&first(plain)), digest(&first(blank)));
    let (a, b) = (oracle(plain, &sample).0, oracle(blank, &sample).0);
    assert_eq!(a.record.beside, b.record.beside);
}

#[test]
fn samples_without_what_a_task_needs_are_unfit() {
    let folder = tempfile::tempdir().unwrap();
    let whole = scene(folder.path());
    assert!(tasks().iter().all(|chain| chain.unfit(&whole).is_none()));
    let empty = Sample {
        record: Record::default(),
        ..Sample::clone(&whole)
    };
    assert!(tasks().iter().all(|chain| chain.unfit(&empty).is_some()));
    let unseen = Sample {
        pictures: Vec::new(),
        ..Sample::clone(&whole)
    };
    assert!(
        tasks()
            .iter()
            .all(|chain| chain.unfit(&unseen) == Some("no picture"))
    );
}
