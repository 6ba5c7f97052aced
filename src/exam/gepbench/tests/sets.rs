//! Checks sets: reproducible bytes, balance, and the wanted number of items.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::question::Aspect;
use super::super::{Gepbench, Noise};
use crate::Benchmark as _;
use crate::set::{self, ITEMS};
use record::{Target, Value};

/// All files of a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.extend(
                files(&path)
                    .into_iter()
                    .map(|(file, bytes)| (format!("{name}/{file}"), bytes)),
            );
        } else {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    found
}

fn written(benchmark: Gepbench, threads: usize) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    threads
        .install(|| set::write(&benchmark, folder.path(), &mut |_| {}))
        .unwrap();
    files(folder.path())
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let benchmark = Gepbench::new(40, 5, Noise::Some);
    let one = written(benchmark, 1);
    assert_eq!(one, written(benchmark, 4));
    assert_ne!(
        one[ITEMS],
        written(Gepbench::new(40, 6, Noise::Some), 4)[ITEMS]
    );
    assert_eq!(one[ITEMS].iter().filter(|byte| **byte == b'\n').count(), 40);
    assert_eq!(one.len(), 2 + benchmark.pages());
}

#[test]
fn a_folder_with_items_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let benchmark = Gepbench::new(2, 5, Noise::None);
    set::write(&benchmark, folder.path(), &mut |_| {}).unwrap();
    let before = files(folder.path());
    assert!(
        set::write(
            &Gepbench::new(2, 6, Noise::None),
            folder.path(),
            &mut |_| {}
        )
        .is_err()
    );
    assert_eq!(files(folder.path()), before);
}

#[test]
fn the_same_figure_exists_with_and_without_noise() {
    let page = |noise: Noise| Gepbench::new(30, 5, noise).page(3);
    let (without, with, both) = (page(Noise::None), page(Noise::All), page(Noise::Both));
    assert_ne!(without.pictures[0].pixels, with.pictures[0].pixels);
    assert_eq!(both.pictures[0].pixels, without.pictures[0].pixels);
    assert_eq!(both.pictures[1].pixels, with.pictures[0].pixels);
    let half = both.items.len() / 2;
    for (one, other) in both.items[..half].iter().zip(&both.items[half..]) {
        assert_eq!(one.id, other.id);
        assert_eq!(one.condition["noise"], Value::Flag(false));
        assert_eq!(other.condition["noise"], Value::Flag(true));
        assert_eq!(one.content.question, other.content.question);
        assert_eq!(one.content.choices, other.content.choices);
        assert_eq!(one.content.target, other.content.target);
        assert_eq!(one.content.tags, other.content.tags);
    }
    for (one, other) in without.items.iter().zip(&with.items) {
        assert_eq!(one.content.question, other.content.question);
        assert_eq!(one.content.target, other.content.target);
    }
}

#[test]
fn a_set_has_as_many_items_as_were_wanted() {
    for count in [1, 2, 5, 57, 58, 100] {
        let benchmark = Gepbench::new(count, 1, Noise::None);
        let items: usize = (0..benchmark.pages())
            .map(|page| benchmark.asked(page).questions.len())
            .sum();
        assert_eq!(items, count);
    }
    assert_eq!(
        Gepbench::new(285_000, 1, Noise::Some).pages(),
        80_000,
        "the paper's scale"
    );
    assert_eq!(Gepbench::new(0, 1, Noise::Some).pages(), 0);
}

#[test]
fn what_is_right_is_balanced() {
    let benchmark = Gepbench::new(6_000, 2, Noise::None);
    let mut letters: BTreeMap<(Aspect, usize), usize> = BTreeMap::new();
    let mut answers: BTreeMap<(Aspect, String), usize> = BTreeMap::new();
    let mut easy = 0;
    let mut given_up = 0;
    let mut ids = BTreeSet::new();
    let mut size_ranks = [0_usize; 4];
    for number in 0..benchmark.pages() {
        let asked = benchmark.asked(number);
        given_up += asked.questions.len() - asked.exact;
        easy += usize::from(asked.figure.shapes.len() <= 4);
        for (want, question) in &asked.questions {
            *letters.entry((want.aspect, want.place)).or_default() += 1;
            let answer = match want.aspect {
                Aspect::Relationship => question.tags["relationship"].to_string(),
                Aspect::Existence | Aspect::Size | Aspect::Reference => {
                    question.tags["form"].to_string()
                }
                _ => question.right.clone(),
            };
            *answers.entry((want.aspect, answer)).or_default() += 1;
            assert!(ids.insert((number, want.aspect)));
            if want.aspect == Aspect::Size {
                let right: f64 = question.right.parse().unwrap();
                let smaller = |text: &&String| text.parse::<f64>().unwrap() < right;
                size_ranks[question.wrong.iter().filter(smaller).count()] += 1;
            }
        }
    }
    assert!(letters.values().all(|count| *count == 250), "{letters:?}");
    let share =
        |aspect: Aspect, answer: &str| answers[&(aspect, answer.to_owned())] as f64 / 1_000.0;
    for quadrant in ["upper left", "upper right", "lower left", "lower right"] {
        assert!(
            (0.22..0.28).contains(&share(Aspect::Location, quadrant)),
            "{answers:?}"
        );
    }
    for count in ["0", "1", "2"] {
        let share = share(Aspect::Counting, count);
        assert!((0.2..0.33).contains(&share), "{answers:?}");
    }
    assert!(share(Aspect::Counting, "3") > 0.12, "{answers:?}");
    let even = |count: &usize| (180..330).contains(count);
    assert!(
        size_ranks.iter().all(even),
        "the smallest is not right most often: {size_ranks:?}"
    );
    assert_eq!(share(Aspect::Relationship, "none"), 0.25);
    for relationship in super::super::Relationship::ALL {
        assert!(
            (0.05..0.14).contains(&share(Aspect::Relationship, relationship.name())),
            "{answers:?}"
        );
    }
    for form in ["horizontal span", "vertical span", "area"] {
        assert!(
            (0.28..0.39).contains(&share(Aspect::Size, form)),
            "{answers:?}"
        );
    }
    assert!((0.55..0.65).contains(&(easy as f64 / benchmark.pages() as f64)));
    assert!(given_up * 5 < 6_000, "{given_up}");
}

#[test]
fn items_carry_what_views_split_by() {
    let page = Gepbench::new(30, 5, Noise::Some).page(0);
    for item in &page.items {
        assert_eq!(item.benchmark, "gepbench");
        assert!(
            matches!(&item.content.target, Some(Target::Text(letter)) if "ABCD".contains(letter.as_str()))
        );
        let tags = &item.content.tags;
        let hard = tags["shapes"].number().unwrap() > 4.0 || tags["noise"] == Value::Flag(true);
        assert_eq!(
            tags["split"],
            Value::Text(if hard { "hard" } else { "easy" }.to_owned())
        );
        assert_eq!(tags["wording"], Value::Text("eyechart-1".to_owned()));
    }
    let line: serde_json::Value = serde_json::from_str(&page.beside[0].1).unwrap();
    let shapes = page.items[0].content.tags["shapes"].number().unwrap();
    assert_eq!(line["shapes"].as_array().unwrap().len() as f64, shapes);
    assert!(
        line["caption"]
            .as_str()
            .unwrap()
            .starts_with("The figure shows")
    );
}

/// The engine's output is pinned byte for byte; a change needs new runs in `sample_runs`.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn what_the_engine_makes_is_known() {
    let benchmark = Gepbench::new(57, 17, Noise::Both);
    let mut hasher = blake3::Hasher::new();
    for number in 0..benchmark.pages() {
        let page = benchmark.page(number);
        for item in page.items {
            hasher.update(item.line().as_bytes());
        }
        for picture in page.pictures {
            hasher.update(picture.pixels.as_raw());
        }
    }
    assert_eq!(&hasher.finalize().to_hex()[..16], "49d5d709463251dc");
}
