use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::Answers;
use crate::mme::Mme;
use crate::mmmu::Mmmu;
use crate::testing::{damaged, fixture, read_all};
use crate::{Reader, find};

/// Fixture folders whose files are damaged, for each reader.
const DAMAGED: [&str; 4] = [
    "llava/pope",
    "vqa_v2",
    "llava/mme",
    "mmmu/example_outputs/beta-vl-2b",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_damage_ends_a_reader(
        folder in 0..DAMAGED.len(),
        file: Index,
        hits in vec(any::<(Index, u8, u8)>(), 1..6),
    ) {
        let root = fixture(DAMAGED[folder]);
        let names: Vec<_> = find(&[root.clone()]).0.into_iter().map(|file| file.path).collect();
        let copy = tempfile::tempdir().unwrap();
        for (at, path) in names.iter().enumerate() {
            let to = copy.path().join(path.strip_prefix(&root).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            let bytes = fs::read(path).unwrap();
            let is_hit = at == file.index(names.len());
            fs::write(to, if is_hit { damaged(&bytes, &hits) } else { bytes }).unwrap();
        }
        let readers: [&dyn Reader; 3] = [&Answers, &Mme, &Mmmu];
        for reader in readers {
            let found = read_all(reader, copy.path());
            let is_share = |score: f64| (0.0..=1.0).contains(&score);
            prop_assert!(found.records.iter().all(|(record, _)| scorer::judge(record).harness.outcome.score.is_none_or(is_share)));
        }
    }
}
