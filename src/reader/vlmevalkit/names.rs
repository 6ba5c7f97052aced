//! Parses model, data set, judge and run id from file and folder names.
//!
//! Names of models and data sets can contain `_`, `-` and `.`, and the name of a data set can be a
//! prefix of another's. A name is therefore split only at the name of a folder or of a known data
//! set.

use std::path::Path;

/// Data sets of `TDBench`. The names of other data sets come from `status.json` and from data set
/// files.
pub const TDBENCH: [&str; 12] = [
    "tdbench_rot0",
    "tdbench_rot90",
    "tdbench_rot180",
    "tdbench_rot270",
    "tdbench_grounding_rot0",
    "tdbench_grounding_rot90",
    "tdbench_grounding_rot180",
    "tdbench_grounding_rot270",
    "tdbench_cs_zoom",
    "tdbench_cs_height",
    "tdbench_cs_integrity",
    "tdbench_cs_depth",
];

/// Names of judges in the names of result files. They are used if no known data set separates model
/// and judge.
const JUDGES: [&str; 8] = [
    "exact_matching",
    "centroid",
    "iou",
    "openai",
    "gpt4omini",
    "gpt4",
    "chatgpt-0125",
    "gpt-4o-mini",
];

/// Suffixes of the stems of files that contain aggregates, settings or caches instead of
/// predictions.
const AUXILIARY: [&str; 12] = [
    "_acc",
    "_fine",
    "_metrics",
    "_rating",
    "_score",
    "_config",
    "_meta",
    "_tmp",
    "_response",
    "_processed",
    "_REresult",
    "_checkpoint",
];

/// Suffix of the stem of a result file.
pub const RESULT: &str = "_result";
/// Suffixes of the stems of tables with answers extracted by the harness. These stems contain no
/// judge.
const MATCHED: [&str; 2] = ["_auxmatch", "_results"];
/// Suffixes of the stems of a judge's tables. They follow the judge's name.
const STAGES: [&str; 2] = ["_extract", "_score"];
/// Prefixes of the names of judges.
const JUDGES_BEGIN: [&str; 2] = ["gpt", "chatgpt"];
/// Suffix of the stem of a file with a rotational evaluation.
pub const ROTATIONS: &str = "_REresult";

/// Returns the start time of a run from its folder's name. The name is `T20261121-001510`, or
/// `T20261121_G1a2b3c4d` in older versions.
///
/// The time is a number with the decimal digits from year to second, so that runs can be sorted. It
/// is midnight if the name contains only a date.
pub fn run_time(folder: &str) -> Option<u64> {
    let name = folder.strip_prefix('T')?;
    let (day, rest) = name.split_at_checked(8)?;
    let day = number(day)?;
    let second = match rest.split_at_checked(1)? {
        ("-", time) if time.len() == 6 => number(time)?,
        ("_", hash) => {
            let hash = hash.strip_prefix('G')?;
            if hash.is_empty() || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            0
        }
        _ => return None,
    };
    Some(day * 1_000_000 + second)
}

fn number(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

/// True if a file's stem has a suffix from [`AUXILIARY`].
pub fn is_auxiliary(stem: &str) -> bool {
    AUXILIARY.iter().any(|suffix| stem.ends_with(suffix))
}

/// True for the name of a run's log, such as `T20261121-001510_20261121001510.log`.
pub fn is_run_log(name: &str) -> bool {
    name.strip_suffix(".log")
        .and_then(|stem| stem.rsplit_once('_'))
        .is_some_and(|(run, stamp)| run_time(run).is_some() && number(stamp).is_some())
}

/// Names in the path of a file: its run folder, and the folder named after the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLocation {
    /// Start time of the run; `None` outside a run folder.
    pub run: Option<u64>,
    /// Name of the model, if a folder is named after it.
    pub model: Option<String>,
}

impl RunLocation {
    /// Returns the names in the path of a file. The path must be canonical.
    pub fn of(real: &Path) -> Self {
        let parent = real.parent();
        let folder = folder_name(parent);
        let run = folder.and_then(run_time);
        let model = if run.is_some() {
            folder_name(parent.and_then(Path::parent))
        } else {
            folder.filter(|name| after_model(stem(real), name).is_some())
        };
        Self {
            run,
            model: model.map(str::to_owned),
        }
    }
}

fn folder_name(folder: Option<&Path>) -> Option<&str> {
    folder?.file_name()?.to_str()
}

/// Returns a file name without its extension.
pub fn stem(path: &Path) -> &str {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

fn after_model<'a>(stem: &'a str, model: &str) -> Option<&'a str> {
    stem.strip_prefix(model)?.strip_prefix('_')
}

/// True for the stem of a table with answers extracted by the harness.
pub fn is_matched(stem: &str) -> bool {
    MATCHED.iter().any(|suffix| stem.ends_with(suffix))
}

/// True for the stem of a judge's table that does not contain scores yet.
pub fn is_extract(stem: &str) -> bool {
    stem.ends_with("_extract")
}

/// Returns the judge in the stem of a table of scores: `gpt-4o` in `M_MathVerse_gpt-4o_score`.
pub fn judge<'a>(stem: &'a str, dataset: &str) -> Option<&'a str> {
    let (_, rest) = stem.rsplit_once(&format!("{dataset}_"))?;
    let rest = rest.strip_suffix(RESULT).unwrap_or(rest);
    let staged = STAGES.iter().find_map(|stage| rest.strip_suffix(stage));
    let rest = staged.unwrap_or(rest);
    let is_stage = |name: &&str| name.get(1..) == Some(rest);
    let own = ["_result"].iter().chain(&MATCHED).chain(&STAGES);
    (!own.clone().any(is_stage)).then_some(rest)
}

/// Splits the stem of a judge's table into model and data set. `known` contains names of data sets,
/// in any order. `None` if it is unclear where the name of the data set ends.
pub fn split_judged<'a>(
    stem: &'a str,
    location: &'a RunLocation,
    known: &[&str],
) -> Option<(&'a str, &'a str)> {
    if let Some(name) = MATCHED.iter().find_map(|suffix| stem.strip_suffix(suffix)) {
        return Some(split(name, location, known));
    }
    let folder = location.model.as_deref();
    let after = folder.and_then(|model| after_model(stem, model));
    let found = match after {
        Some(rest) => {
            longest_known(rest, known).map(|dataset| (folder.unwrap_or_default(), dataset))
        }
        None => find_known(stem, known, true),
    };
    found.or_else(|| {
        let stage = STAGES.iter().find_map(|stage| stem.strip_suffix(stage));
        let name = stage.unwrap_or(stem);
        let name = without_known_judge(name).or(stage)?;
        Some(split(name, location, known))
    })
}

/// Splits the stem of a table into model and data set. `known` contains names of data sets, in any
/// order.
///
/// If a folder is named after the model, its name determines the split. Otherwise, the stem is
/// split at a known data set, or else at the last `_`.
pub fn split<'a>(stem: &'a str, location: &'a RunLocation, known: &[&str]) -> (&'a str, &'a str) {
    let stem_without_result = stem.strip_suffix(RESULT);
    let (name, judged) = (
        stem_without_result.unwrap_or(stem),
        stem_without_result.is_some(),
    );
    let folder = location.model.as_deref();
    if let Some(rest) = folder.and_then(|model| after_model(name, model)) {
        return (folder.unwrap_or_default(), data_set(rest, known, judged));
    }
    let (model, dataset) = find_known(name, known, judged).unwrap_or_else(|| {
        let name = if judged { without_judge(name) } else { name };
        name.rsplit_once('_').unwrap_or((name, name))
    });
    (folder.unwrap_or(model), dataset)
}

/// Returns the data set at the start of `rest`, the text after the model's name.
fn data_set<'a>(rest: &'a str, known: &[&str], judged: bool) -> &'a str {
    if !judged {
        return rest;
    }
    longest_known(rest, known).unwrap_or_else(|| without_judge(rest))
}

/// Returns the longest known data set with which a text starts.
fn longest_known<'a>(rest: &'a str, known: &[&str]) -> Option<&'a str> {
    let longest = known
        .iter()
        .filter(|name| {
            rest.strip_prefix(**name)
                .is_some_and(|tail| tail.is_empty() || tail.starts_with('_'))
        })
        .map(|name| name.len())
        .max();
    longest.and_then(|length| rest.get(..length))
}

/// Removes the name of a known judge from the end of a name. `None` if the name does not end with a
/// known judge.
fn without_known_judge(name: &str) -> Option<&str> {
    let listed = JUDGES
        .iter()
        .find_map(|judge| name.strip_suffix(judge)?.strip_suffix('_'));
    listed.or_else(|| {
        let (before, judge) = name.rsplit_once('_')?;
        let begins = JUDGES_BEGIN.iter().any(|begin| judge.starts_with(begin));
        begins.then_some(before)
    })
}

/// True for a stem that ends with the name of a known judge.
pub fn ends_with_judge(stem: &str) -> bool {
    without_known_judge(stem).is_some()
}

fn without_judge(name: &str) -> &str {
    without_known_judge(name)
        .or_else(|| name.rsplit_once('_').map(|(before, _)| before))
        .unwrap_or(name)
}

/// Returns the longest known data set that follows a `_` in the name, and the model before it.
fn find_known<'a>(name: &'a str, known: &[&str], judged: bool) -> Option<(&'a str, &'a str)> {
    known
        .iter()
        .flat_map(|dataset| name.match_indices(*dataset))
        .filter(|(at, dataset)| {
            let tail = name.get(at + dataset.len()..).unwrap_or_default();
            let ends = tail.is_empty() || (judged && tail.starts_with('_'));
            ends && name
                .get(..*at)
                .is_some_and(|model| model.len() > 1 && model.ends_with('_'))
        })
        .max_by_key(|(_, dataset)| dataset.len())
        .and_then(|(at, dataset)| Some((name.get(..at - 1)?, dataset)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> RunLocation {
        RunLocation::of(Path::new(path))
    }

    #[test]
    fn run_folders_of_both_ages_are_told_and_ordered() {
        assert_eq!(run_time("T20261121-001510"), Some(20_261_121_001_510));
        assert_eq!(run_time("T20261121_G1a2b3c4d"), Some(20_261_121_000_000));
        for other in [
            "T20261121",
            "T2026112-001510",
            "T20261121_Gxyz",
            "T20261121_G",
            "Tä261121-001510",
            "",
        ] {
            assert_eq!(run_time(other), None, "{other}");
        }
    }

    #[test]
    fn the_folder_above_the_run_is_the_model() {
        let run = place("/out/InternVL2_5-4B/T20261121-001510/InternVL2_5-4B_tdbench_rot0.xlsx");
        assert_eq!(run.run, Some(20_261_121_001_510));
        assert_eq!(
            split("InternVL2_5-4B_tdbench_rot0", &run, &TDBENCH),
            ("InternVL2_5-4B", "tdbench_rot0")
        );
        assert_eq!(
            split("InternVL2_5-4B_MMBench_V11", &run, &[]),
            ("InternVL2_5-4B", "MMBench_V11")
        );
        assert_eq!(
            split("Renamed_tdbench_rot0", &run, &TDBENCH),
            ("InternVL2_5-4B", "tdbench_rot0")
        );
    }

    #[test]
    fn a_loose_file_is_cut_at_the_folder_the_data_set_or_the_last_underscore() {
        let beside = place("/logs/llava_v1.5_7b/llava_v1.5_7b_MME.xlsx");
        assert_eq!(
            split("llava_v1.5_7b_MME", &beside, &[]),
            ("llava_v1.5_7b", "MME")
        );
        let loose = place("/logs/a_b_tdbench_rot0.xlsx");
        assert_eq!(loose, RunLocation::default());
        assert_eq!(
            split("a_b_tdbench_rot0", &loose, &TDBENCH),
            ("a_b", "tdbench_rot0")
        );
        assert_eq!(split("a_b_My_Set", &loose, &["My_Set"]), ("a_b", "My_Set"));
        assert_eq!(split("a_b_MME", &loose, &TDBENCH), ("a_b", "MME"));
    }

    #[test]
    fn judges_are_cut_off_result_files() {
        let run = place("/out/M/T20261121-001510/M_x.xlsx");
        for (stem, dataset) in [
            ("M_tdbench_rot0_exact_matching_result", "tdbench_rot0"),
            (
                "M_tdbench_grounding_rot90_iou_result",
                "tdbench_grounding_rot90",
            ),
            ("M_MiniMulti_gpt-4o-mini_result", "MiniMulti"),
            ("M_Mini_Multi_some-model_result", "Mini_Multi"),
        ] {
            assert_eq!(split(stem, &run, &TDBENCH), ("M", dataset));
        }
        let known = ["MMBench", "MMBench_V11"];
        assert_eq!(
            split("M_MMBench_V11_my_judge_result", &run, &known),
            ("M", "MMBench_V11")
        );
    }

    #[test]
    fn run_logs_are_told() {
        assert!(is_run_log("T20261121-001510_20261121001510.log"));
        assert!(!is_run_log("server.log"));
    }

    #[test]
    fn the_judge_is_told_from_the_stage() {
        for (stem, name) in [
            ("M_d_exact_matching_result", Some("exact_matching")),
            ("M_d_gpt-4o_score", Some("gpt-4o")),
            ("M_d_gpt-4-turbo", Some("gpt-4-turbo")),
            ("M_d_auxmatch", None),
            ("M_d_score", None),
            ("M_d", None),
        ] {
            assert_eq!(judge(stem, "d"), name, "{stem}");
        }
    }
}
