//! Tests that published data sets open with the same numbers, or that missing content is reported.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Barrier;

use tempfile::TempDir;

use super::{Folder, PictureCopies, PublicationResult, Target, publish};
use crate::load::{Request, load};
use analysis::{Depth, Metrics, Selection, scores};
use reader::data_set::{Manifest, Run};
use record::{Problem, Scoring, Table};

fn read(paths: &[&Path]) -> Table {
    let request = Request {
        paths: paths.iter().map(|path| path.to_path_buf()).collect(),
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

/// Writes the log of a model. All answers are right, except every `wrong`th answer.
fn log(folder: &Path, model: &str, samples: usize, wrong: usize) -> PathBuf {
    let line = |at: usize| {
        format!(
            "{{\"sample_id\": \"s{at}\", \"benchmark\": \"bench\", \"ability\": \"{}\", \"model\": \"{model}\", \"image\": \
             \"i{}.png\", \"question\": \"Which of {at}?\", \"target\": \"A\", \"response\": \"A {at}\", \"metric\": \"accuracy\", \
             \"score\": {}, \"tags\": {{\"size\": {}}}}}\n",
            ["ocr", "counting"][at % 2],
            at / 3,
            u8::from(!at.is_multiple_of(wrong)),
            at % 7,
        )
    };
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(format!("{model}.eyechart.jsonl"));
    fs::write(&path, (0..samples).map(line).collect::<String>()).unwrap();
    path
}

struct Setting {
    all: TempDir,
}

impl Setting {
    fn new() -> Self {
        let all = tempfile::tempdir().unwrap();
        let setting = Self { all };
        log(&setting.logs(), "a", 60, 5);
        log(&setting.logs(), "b", 60, 3);
        setting
    }

    fn logs(&self) -> PathBuf {
        self.all.path().join("logs")
    }

    fn set(&self) -> PathBuf {
        self.all.path().join("set")
    }

    fn publish(&self) -> PublicationResult {
        self.publish_of(&self.logs())
    }

    fn publish_of(&self, logs: &Path) -> PublicationResult {
        publish(
            &read(&[logs]),
            &Folder::new(&self.set()),
            PictureCopies::Skip,
            &|_| (),
        )
        .unwrap()
    }

    fn manifest(&self) -> Manifest {
        let (_, bytes) = Folder::new(&self.set()).newest().unwrap().unwrap();
        Manifest::parse(&bytes).unwrap()
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut found, mut open) = (BTreeMap::new(), vec![self.set()]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    found.insert(path, bytes);
                }
            }
        }
        found
    }
}

/// Formats all scores of the models, sorted.
fn told(table: &Table) -> Vec<String> {
    let found = scores(Selection::all(table, Scoring::Harness), Depth::Intervals);
    let mut found: Vec<String> = found.iter().map(|score| format!("{score:?}")).collect();
    found.sort();
    found
}

fn problems(table: &Table) -> Vec<&Problem> {
    let sources = table.sources().iter();
    sources.flat_map(|source| &source.problems).collect()
}

#[test]
fn a_data_set_opens_with_the_numbers_of_its_logs() {
    let setting = Setting::new();
    let published = setting.publish();
    assert_eq!(
        (published.runs, published.changed, published.n),
        (2, 2, 120)
    );
    assert_eq!((published.manifest, published.all), (1, 120));
    let (logs, set) = (read(&[&setting.logs()]), read(&[&setting.set()]));
    assert_eq!((problems(&set), set.len()), (Vec::new(), 120));
    assert_eq!(told(&set), told(&logs));
    for (row, source) in (0..).zip(set.sources()) {
        assert_eq!((source.format, source.rows), ("data set", 60), "{row}");
    }
    let columns = setting.manifest().columns;
    assert_eq!(columns["rows"]["tag.size"], "number");
    assert_eq!(columns["texts"]["response"], "text");
    assert!(!columns["rows"].contains_key("response"));
}

#[test]
fn what_is_there_is_not_written_again() {
    let setting = Setting::new();
    setting.publish();
    let before = setting.files();
    let again = setting.publish();
    assert_eq!((again.changed, again.files, again.manifest), (0, 0, 1));
    assert_eq!(setting.files(), before);
    // One log has grown, and another log is new.
    log(&setting.logs(), "b", 70, 3);
    log(&setting.logs(), "c", 60, 2);
    let more = setting.publish();
    assert_eq!((more.changed, more.manifest, more.all), (2, 2, 190));
    assert_eq!(more.files, 8, "rows, texts, cells and totals of two runs");
    let after = setting.files();
    assert!(
        before
            .iter()
            .all(|(path, bytes)| after.get(path) == Some(bytes))
    );
    let (logs, set) = (read(&[&setting.logs()]), read(&[&setting.set()]));
    assert_eq!(told(&set), told(&logs));
    assert_eq!(problems(&set), Vec::<&Problem>::new());
}

#[test]
fn of_two_who_publish_at_a_time_none_loses_anything() {
    let setting = Setting::new();
    let places: Vec<PathBuf> = (0..6)
        .map(|at| {
            let folder = setting.all.path().join(format!("logs{at}"));
            log(&folder, &format!("m{at}"), 40, at + 2);
            folder
        })
        .collect();
    let together = Barrier::new(places.len());
    std::thread::scope(|scope| {
        for place in &places {
            scope.spawn(|| {
                let table = read(&[place]);
                together.wait();
                publish(
                    &table,
                    &Folder::new(&setting.set()),
                    PictureCopies::Skip,
                    &|_| (),
                )
                .unwrap();
            });
        }
    });
    let manifest = setting.manifest();
    let mut models: Vec<&str> = manifest.runs.iter().map(|run| run.model.as_str()).collect();
    models.sort_unstable();
    assert_eq!(models, ["m0", "m1", "m2", "m3", "m4", "m5"]);
    let set = read(&[&setting.set()]);
    assert_eq!((set.len(), problems(&set)), (240, Vec::new()));
    let names = setting.files();
    let manifests = names.keys().filter(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        Manifest::number(name).is_some()
    });
    // The first manifest is empty.
    assert_eq!(manifests.count(), 7, "each added its own to another's");
}

#[test]
fn what_is_damaged_or_missing_is_named_and_is_not_silently_less() {
    let setting = Setting::new();
    setting.publish();
    let whole = setting.files();
    let runs: Vec<Run> = setting.manifest().runs;
    for run in &runs {
        let sums = [run.cells.as_ref(), run.totals.as_ref()];
        for file in run.files().filter(|file| !sums.contains(&Some(*file))) {
            let path = file.below(&setting.set());
            let bytes = &whole[&path];
            let mut flipped = bytes.clone();
            let middle = flipped.len() / 2;
            flipped[middle] ^= 1;
            for damaged in [Some(flipped), Some(bytes[..bytes.len() - 1].to_vec()), None] {
                match damaged {
                    Some(damaged) => fs::write(&path, damaged).unwrap(),
                    None => fs::remove_file(&path).unwrap(),
                }
                let table = read(&[&setting.set()]);
                let found = problems(&table);
                assert_eq!(found.len(), 1, "{found:?}");
                assert_eq!(found[0].file, path);
                assert!(
                    found[0].what.contains("60 answers are not shown"),
                    "{}",
                    found[0].what
                );
                assert_eq!(table.len(), 60, "the other run is there");
                // Publishing again repairs it.
                assert_eq!(setting.publish().files, 1);
                assert_eq!(fs::read(&path).unwrap(), *bytes);
            }
        }
    }
    assert_eq!(problems(&read(&[&setting.set()])), Vec::<&Problem>::new());
}

#[test]
fn fewer_rows_than_the_manifest_says_are_a_problem() {
    let setting = Setting::new();
    setting.publish();
    let path = setting.set().join(Manifest::name(1));
    let mut manifest = setting.manifest();
    let run = &mut manifest.runs[0];
    run.parts[0].n = 61;
    run.n = 61;
    run.abilities.clear();
    fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
    let table = read(&[&setting.set()]);
    let what = &problems(&table)[0].what;
    assert!(what.contains("60 answers") && what.contains("61"), "{what}");
}

#[test]
fn a_damaged_manifest_is_named_and_added_to_by_nobody() {
    let setting = Setting::new();
    setting.publish();
    log(&setting.logs(), "c", 60, 2);
    setting.publish();
    let newest = setting.set().join(Manifest::name(2));
    let half = fs::read(&newest).unwrap();
    fs::write(&newest, &half[..half.len() / 2]).unwrap();
    let table = read(&[&setting.set()]);
    assert!(table.is_empty(), "an older state is not shown in its place");
    let found = problems(&table);
    assert!(found[0].what.contains("manifest is damaged"), "{found:?}");
    assert_eq!(found[0].file, newest);
    let refused = publish(
        &read(&[&setting.logs()]),
        &Folder::new(&setting.set()),
        PictureCopies::Skip,
        &|_| (),
    );
    assert!(refused.unwrap_err().to_string().contains("damaged"));
}

#[test]
fn what_a_stopped_publishing_left_does_not_count() {
    let setting = Setting::new();
    setting.publish();
    let other = Setting::new();
    log(&other.logs(), "c", 60, 2);
    other.publish();
    // Copy all files of a second publication except its manifest.
    for (path, bytes) in other.files() {
        let name = path.strip_prefix(other.set()).unwrap();
        if name.components().count() > 1 {
            fs::write(setting.set().join(name), bytes).unwrap();
        }
    }
    let set = read(&[&setting.set()]);
    assert_eq!((set.len(), problems(&set)), (120, Vec::new()));
    // The same test without a first publication.
    fs::remove_file(setting.set().join(Manifest::name(1))).unwrap();
    let set = read(&[&setting.set()]);
    assert!(set.is_empty(), "{:?}", set.sources());
    assert_eq!(setting.publish().files, 0, "its files are found again");
}

#[test]
fn pictures_are_kept_once_by_content() {
    let setting = Setting::new();
    for at in 0..20 {
        let bytes = [b"\x89PNG", format!("{}", at % 4).as_bytes()].concat();
        fs::write(setting.logs().join(format!("i{at}.png")), bytes).unwrap();
    }
    let table = read(&[&setting.logs()]);
    let published = publish(
        &table,
        &Folder::new(&setting.set()),
        PictureCopies::Write,
        &|_| (),
    )
    .unwrap();
    assert_eq!(published.missing, 0);
    let files = setting.files();
    let pictures: Vec<&PathBuf> = files
        .keys()
        .filter(|path| path.extension().is_some_and(|ending| ending == "png"))
        .collect();
    assert_eq!(pictures.len(), 20, "each with its own name");
    fs::remove_dir_all(setting.logs()).unwrap();
    let set = read(&[&setting.set()]);
    let detail = crate::page::detail(&set, record::Row(0), Scoring::Harness).unwrap();
    let sources = crate::picture::sources(&set, &detail);
    assert_eq!(sources[0].read().unwrap(), b"\x89PNG0");
    // Without pictures, the number of missing pictures is reported.
    let bare = Setting::new();
    let table = read(&[&bare.logs()]);
    let published = publish(
        &table,
        &Folder::new(&bare.set()),
        PictureCopies::Write,
        &|_| (),
    )
    .unwrap();
    assert_eq!(published.missing, 20);
}

/// Reads the rows of a file of cells, by column name.
fn cells_in(path: &Path) -> Vec<BTreeMap<String, serde_json::Value>> {
    let file = reader::tabular::TableFile::open(path, 1 << 30).unwrap();
    let mut found = Vec::new();
    for batch in file.batches(|_| true) {
        let batch = batch.unwrap();
        for row in 0..batch.rows() {
            let names = batch.names().iter().cloned();
            found.push(names.zip(batch.row(row).unwrap()).collect());
        }
    }
    found
}

/// Number, sum and unreadable answers by model, ability, metric, split and bin, from the cells.
type Sums = BTreeMap<String, (f64, f64, f64)>;

fn sums(setting: &Setting) -> Sums {
    let mut found = Sums::new();
    for run in &setting.manifest().runs {
        for cell in cells_in(&run.cells.as_ref().unwrap().below(&setting.set())) {
            let text = |name: &str| cell[name].as_str().unwrap_or_default();
            let number = |name: &str| cell[name].as_f64().unwrap();
            let cluster = cell["cluster"].as_f64().unwrap();
            assert_eq!(cluster.fract(), 0.0);
            let key = ["model", "ability", "metric", "axis", "bin"]
                .map(text)
                .join("|");
            let known = found.entry(key).or_default();
            known.0 += number("n");
            known.1 += number("total");
            known.2 += number("invalid");
            assert!(number("ones") + number("others") <= number("n"));
        }
    }
    found
}

/// Computes the same sums from the rows.
fn sums_of_rows(table: &Table) -> Sums {
    let selection = Selection::all(table, Scoring::Harness);
    let mut found = Sums::new();
    for score in scores(selection, Depth::Intervals) {
        let key = [&*score.model, &score.ability, &score.metric, "", ""].join("|");
        let sum = score.score.unwrap_or(0.0) * score.n as f64;
        found.insert(key, (score.n as f64, sum, score.invalid as f64));
    }
    for part in analysis::subgroups(
        selection,
        &analysis::stable_splits(table),
        Metrics::Headline,
    ) {
        let key = [
            &*part.model,
            &part.ability,
            &part.metric,
            &part.by,
            &part.bin,
        ]
        .join("|");
        let sum = part.score.unwrap_or(0.0) * part.n as f64;
        found.insert(key, (part.n as f64, sum, part.invalid as f64));
    }
    found
}

fn assert_same_sums(cells: &Sums, rows: &Sums) {
    let is_any = |(_, sums): &(&String, &(f64, f64, f64))| sums.0 + sums.2 > 0.0;
    let rows: Vec<_> = rows.iter().filter(is_any).collect();
    let cells: BTreeMap<_, _> = cells.iter().filter(is_any).collect();
    assert_eq!(cells.len(), rows.len(), "{:?}", cells.keys());
    for (key, (n, sum, invalid)) in rows {
        let found = cells[key];
        assert_eq!((found.0, found.2), (*n, *invalid), "{key}");
        assert!(
            (found.1 - sum).abs() <= 1e-9 * n.max(1.0),
            "{key}: {found:?} {sum}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]

    /// For any rows, the cells have the same counts and sums.
    #[test]
    fn cells_and_rows_have_the_same_sums(
        rows in proptest::collection::vec((0_usize..3, 0_usize..40, 0_u8..6, 0_usize..4), 1..200)
    ) {
        let setting = Setting { all: tempfile::tempdir().unwrap() };
        let mut logs: BTreeMap<usize, String> = BTreeMap::new();
        for (model, sample, score, tag) in rows {
            let answer = match score {
                0 => "\"parsed\": null, \"score\": 0",
                1 => "\"parsed\": \"A\", \"score\": 1",
                2 => "\"parsed\": \"A\", \"score\": 0",
                3 => "\"parsed\": \"A\", \"score\": 0.3",
                4 => "\"parsed\": \"A\", \"score\": -0.125",
                _ => "\"parsed\": \"A\", \"score\": 0.7000000001",
            };
            let line = format!(
                "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"b\", \"ability\": \"a{}\", \"model\": \"m{model}\", \"image\": \
                 \"{}.png\", \"question\": \"?\", \"target\": \"A\", \"response\": \"r\", \"metric\": \"quality\", {answer}, \
                 \"tags\": {{\"kind\": \"k{tag}\", \"count\": {}}}}}\n",
                sample % 2, sample / 4, sample % 13,
            );
            logs.entry(model).or_default().push_str(&line);
        }
        fs::create_dir_all(setting.logs()).unwrap();
        for (model, text) in logs {
            fs::write(setting.logs().join(format!("{model}.eyechart.jsonl")), text).unwrap();
        }
        setting.publish();
        assert_same_sums(&sums(&setting), &sums_of_rows(&read(&[&setting.logs()])));
    }
}
