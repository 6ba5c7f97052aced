use std::fs;
use std::path::Path;

use super::*;

/// Creates a folder with these files. A content that starts with `->` is the target of a link.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content.strip_prefix("->") {
            #[cfg(unix)]
            Some(target) => std::os::unix::fs::symlink(target, path).unwrap(),
            _ => fs::write(path, content).unwrap(),
        }
    }
    folder
}

fn candidate(root: &Path, path: &str) -> Candidate {
    let path = root.join(path);
    let head = fs::read(&path).unwrap();
    Candidate {
        root: 0,
        real: path.canonicalize().unwrap(),
        path,
        length: head.len() as u64,
        head: Some(head.into()),
        modified: 0,
        is_pipe: false,
    }
}

/// Plans the files below `root`. Returns model, data set, path, companions and superseded flag of
/// each unit, and the number of files that no unit contains.
fn planned(
    root: &Path,
    paths: &[&str],
) -> (Vec<(String, String, String, Vec<String>, bool)>, usize) {
    let mut files: Vec<Candidate> = paths.iter().map(|path| candidate(root, path)).collect();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let units = plan(&mut files, &Context::default());
    let told = units.into_iter().map(|unit| {
        let path = unit
            .path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let companions = unit.companions.iter().map(|path| name(path)).collect();
        (
            unit.model.unwrap(),
            unit.dataset.unwrap(),
            path,
            companions,
            unit.superseded,
        )
    });
    (told.collect(), files.len())
}

const TABLE: &str = "index\tprediction\n1\tA\n";
const HITS: &str = "index\tprediction\thit\n1\tA\t1\n";

#[test]
fn a_run_is_read_through_its_links() {
    let files = [
        ("M/T20261121-000001/M_MME.tsv", TABLE),
        ("M/T20261121-000001/M_MME_my_judge_result.tsv", HITS),
        (
            "M/T20261121-000001/status.json",
            r#"{"datasets": {"MME": {"status": "done"}}}"#,
        ),
        ("M/M_MME.tsv", "->T20261121-000001/M_MME.tsv"),
        ("LMUData/MME.tsv", "index\tquestion\tanswer\n1\tq\tA\n"),
        ("other.txt", "left alone"),
    ];
    let folder = tree(&files);
    let paths = [
        "LMUData/MME.tsv",
        "M/M_MME.tsv",
        files[1].0,
        files[2].0,
        "other.txt",
    ];
    let (units, left) = planned(folder.path(), &paths);
    let companions = ["M_MME_my_judge_result.tsv", "status.json", "MME.tsv"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(
        units,
        [(
            "M".to_owned(),
            "MME".to_owned(),
            "M/M_MME.tsv".to_owned(),
            companions,
            false
        )]
    );
    assert_eq!(left, 1);
}

#[test]
fn loose_files_work_without_a_run() {
    let folder = tree(&[
        ("any/where/a_b_tdbench_rot90.tsv", TABLE),
        (
            "llava_7b/llava_7b_MME_x_result.csv",
            "index,prediction,hit\n",
        ),
    ]);
    let paths = [
        "any/where/a_b_tdbench_rot90.tsv",
        "llava_7b/llava_7b_MME_x_result.csv",
    ];
    let (units, _) = planned(folder.path(), &paths);
    let names: Vec<_> = units.iter().map(|unit| (&*unit.0, &*unit.1)).collect();
    assert_eq!(names, [("a_b", "tdbench_rot90"), ("llava_7b", "MME")]);
}

#[test]
fn older_runs_pickles_and_working_copies() {
    let files = [
        ("M/T20261121-000001/M_d.tsv", TABLE),
        ("M/T20261121-000002/M_d.tsv", TABLE),
        ("M/T20261121-000002/M_d_gpt-4-turbo.tsv", TABLE),
        (
            "M/T20261121-000002/status.json",
            r#"{"datasets": {"d": {"status": "done"}}}"#,
        ),
        ("M/T20261121-000003/M_d.pkl", "\u{80}"),
        ("M/T20261121-000003/M_e.pkl", "\u{80}"),
    ];
    let folder = tree(&files);
    let (units, left) = planned(folder.path(), &files.map(|(path, _)| path));
    let told: Vec<_> = units.iter().map(|unit| (&*unit.2, unit.4)).collect();
    assert_eq!(
        told,
        [
            ("M/T20261121-000001/M_d.tsv", true),
            ("M/T20261121-000002/M_d.tsv", false),
            ("M/T20261121-000003/M_d.pkl", true),
            ("M/T20261121-000003/M_e.pkl", false),
        ]
    );
    assert_eq!(left, 0);
}

#[test]
fn figures_go_with_their_data_set_and_with_the_first_of_the_rotations() {
    let acc = "\"split\",\"Overall\"\n";
    let all = "category,total_questions,hit_all,miss_all\n";
    let files = [
        ("any/a_tdbench_rot0.tsv", TABLE),
        ("any/a_tdbench_rot90.tsv", TABLE),
        ("any/a_tdbench_grounding_rot90.tsv", TABLE),
        ("any/b_tdbench_rot0.tsv", TABLE),
        ("any/a_tdbench_rot90_acc.csv", acc),
        ("any/a_tdbench_REresult.csv", all),
        ("any/a_tdbench_grounding_REresult.csv", all),
        ("any/c_tdbench_REresult.csv", all),
    ];
    let folder = tree(&files);
    let (units, left) = planned(folder.path(), &files.map(|(path, _)| path));
    let told: Vec<_> = units
        .iter()
        .map(|unit| (&*unit.2, unit.3.join(" ")))
        .collect();
    let of = |path, files: &str| (path, files.to_owned());
    assert_eq!(
        told,
        [
            of(
                "any/a_tdbench_grounding_rot90.tsv",
                "a_tdbench_grounding_REresult.csv"
            ),
            of("any/a_tdbench_rot0.tsv", "a_tdbench_REresult.csv"),
            of("any/a_tdbench_rot90.tsv", "a_tdbench_rot90_acc.csv"),
            of("any/b_tdbench_rot0.tsv", ""),
        ]
    );
    assert_eq!(left, 0);
}

#[test]
fn a_second_judge_is_named_and_not_read() {
    let files = [
        ("M/M_tdbench_grounding_rot0.tsv", TABLE),
        ("M/M_tdbench_grounding_rot0_iou_result.tsv", HITS),
        ("M/M_tdbench_grounding_rot0_centroid_result.tsv", HITS),
    ];
    let folder = tree(&files);
    let (units, _) = planned(folder.path(), &files.map(|(path, _)| path));
    assert_eq!(units[0].3, ["M_tdbench_grounding_rot0_centroid_result.tsv"]);
    assert_eq!((&*units[1].2, units[1].4), (files[1].0, true));
}

#[test]
fn tables_of_judges_belong_to_the_predictions_of_their_data_set() {
    let judged = "index\tprediction\textracted\tscore\n1\tyes\tYes\tTrue\n";
    let files = [
        ("M/M_MME.tsv", TABLE),
        ("M/M_MME_auxmatch.tsv", judged),
        ("M/M_MME_score.csv", "perception\n100.0\n"),
        ("M/M_MathVista_MINI.tsv", TABLE),
        (
            "M/M_MathVista_MINI_qwen-72b.tsv",
            "index\tprediction\tres\tlog\n1\tA\tA\tok\n",
        ),
        (
            "M/M_MathVista_MINI_qwen-72b_score.csv",
            "Task&Skill,acc\nOverall,50\n",
        ),
        (
            "M/M_MathVerse_gpt-4o_extract.tsv",
            "index\tprediction\textract\n1\tA\tA\n",
        ),
        (
            "M/M_MathVerse_gpt-4o_score.tsv",
            "index\tprediction\tscore\n1\tA\tTrue\n",
        ),
        ("M/M_MathVerse.tsv", TABLE),
        ("M/M_POPE_auxmatch.tsv", judged),
        ("M/M_MMBench.tsv", TABLE),
        ("M/M_MMBench_V11_auxmatch.tsv", judged),
        ("M/M_Own.tsv", "index\tprediction\tscore\n1\tA\t3\n"),
    ];
    let folder = tree(&files);
    let (units, left) = planned(folder.path(), &files.map(|(path, _)| path));
    let told: Vec<_> = units
        .iter()
        .map(|unit| (&*unit.1, &unit.2[2..], unit.3.join(" "), unit.4))
        .collect();
    let of = |dataset, path, files: &str, superseded| (dataset, path, files.to_owned(), superseded);
    assert_eq!(
        told,
        [
            of("MMBench", "M_MMBench.tsv", "", false),
            of("MMBench_V11", "M_MMBench_V11_auxmatch.tsv", "", false),
            of(
                "MME",
                "M_MME.tsv",
                "M_MME_auxmatch.tsv M_MME_score.csv",
                false
            ),
            of(
                "MathVerse",
                "M_MathVerse.tsv",
                "M_MathVerse_gpt-4o_score.tsv",
                false
            ),
            of("MathVerse", "M_MathVerse_gpt-4o_extract.tsv", "", true),
            of(
                "MathVista_MINI",
                "M_MathVista_MINI.tsv",
                "M_MathVista_MINI_qwen-72b.tsv M_MathVista_MINI_qwen-72b_score.csv",
                false
            ),
            of("Own", "M_Own.tsv", "", false),
            of("POPE", "M_POPE_auxmatch.tsv", "", false),
        ]
    );
    assert_eq!(left, 0);
}
