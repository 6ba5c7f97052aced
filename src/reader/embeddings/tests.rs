use std::fs;

use polars_core::prelude::*;
use polars_io::parquet::write::ParquetWriter;
use tempfile::TempDir;

use super::*;

/// Writes a NumPy file of version 1.
fn npy(folder: &TempDir, header: &str, values: &[u8], ids: Option<&str>) -> PathBuf {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values);
    let path = folder.path().join("codes.npy");
    fs::write(&path, bytes).unwrap();
    if let Some(ids) = ids {
        fs::write(folder.path().join("codes.ids.txt"), ids).unwrap();
    }
    path
}

fn header(kind: &str, shape: &str) -> String {
    format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}  \n")
}

fn parquet(folder: &TempDir, columns: Vec<Column>) -> PathBuf {
    let path = folder.path().join("codes.parquet");
    let mut frame = DataFrame::new_infer_height(columns).unwrap();
    let file = fs::File::create(&path).unwrap();
    ParquetWriter::new(file).finish(&mut frame).unwrap();
    path
}

fn why(path: &Path) -> String {
    Embeddings::read(path).unwrap_err().why
}

#[test]
fn floats_of_three_sizes_are_read_with_the_ids_of_their_rows() {
    let singles = [1.0_f32, -2.0, 0.5, 4.0].map(f32::to_le_bytes).concat();
    let doubles = [1.0_f64, -2.0, 0.5, 4.0].map(f64::to_le_bytes).concat();
    // The 16-bit floats 1, -2, 0.5 and 4.
    let halves = [0x3c00_u16, 0xc000, 0x3800, 0x4400]
        .map(u16::to_le_bytes)
        .concat();
    for (kind, values) in [("<f4", singles), ("<f8", doubles), ("<f2", halves)] {
        let folder = tempfile::tempdir().unwrap();
        let path = npy(&folder, &header(kind, "(2, 2)"), &values, Some("a\nb c\n"));
        let found = Embeddings::read(&path).unwrap();
        assert_eq!(found.get("a"), Some([1.0, -2.0].as_slice()), "{kind}");
        assert_eq!(found.get("b c"), Some([0.5, 4.0].as_slice()), "{kind}");
        assert_eq!(found.get("b"), None);
    }
}

#[test]
fn a_matrix_whose_rows_cannot_be_named_is_refused() {
    let values = [1.0_f32, 2.0].map(f32::to_le_bytes).concat();
    let refused = |header: &str, ids: Option<&str>| {
        let folder = tempfile::tempdir().unwrap();
        why(&npy(&folder, header, &values, ids))
    };
    let two = header("<f4", "(2, 1)");
    assert!(refused(&two, None).starts_with("its sample ids must be in codes.ids.txt"));
    assert_eq!(
        refused(&two, Some("a\n")),
        "codes.ids.txt has 1 lines for 2 rows of the matrix"
    );
    assert_eq!(
        refused(&two, Some("a\na\n")),
        "an id occurs twice (a, line 2 of codes.ids.txt)"
    );
    assert_eq!(
        refused(&two, Some("a\n\n")),
        "line 2 of codes.ids.txt is empty"
    );
    let ids = Some("a\nb\n");
    assert_eq!(
        refused(&header("<f4", "(2,)"), ids),
        "it is not a matrix with a row per sample"
    );
    assert!(refused(&header("<i8", "(2, 1)"), ids).starts_with("its values are <i8"));
    assert_eq!(
        refused(&header("<f4", "(2, 9)"), ids),
        "the file is cut short"
    );
    let columns_first = two.replace("False", "True");
    assert!(refused(&columns_first, ids).starts_with("it is in Fortran order"));
}

#[test]
fn a_value_that_is_not_finite_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let values = [1.0, f32::NAN].map(f32::to_le_bytes).concat();
    let path = npy(&folder, &header("<f4", "(2, 1)"), &values, Some("a\nb\n"));
    assert!(why(&path).starts_with("the vector of b contains a value"));
}

#[test]
fn tables_hold_lists_or_columns_of_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let ids = || Column::new("sample_id".into(), ["a", "b"]);
    let vector = |values: [f32; 2]| Series::new("".into(), values);
    let lists = vec![vector([1.0, 2.0]), vector([3.0, 4.0])];
    let lists = Series::new("embedding".into(), lists).into();
    let note = Column::new("note".into(), ["x", "y"]);
    let path = parquet(&folder, vec![ids(), lists, note]);
    let found = Embeddings::read(&path).unwrap();
    assert_eq!(found.get("b"), Some([3.0, 4.0].as_slice()));

    let first = Column::new("x".into(), [0.5_f64, 1.5]);
    let second = Column::new("y".into(), [7_i32, 8]);
    let path = parquet(&folder, vec![ids(), first.clone(), second]);
    let found = Embeddings::read(&path).unwrap();
    assert_eq!(found.get("a"), Some([0.5, 7.0].as_slice()));

    let note = Column::new("note".into(), ["x", "y"]);
    let path = parquet(&folder, vec![ids(), first.clone(), note]);
    assert_eq!(why(&path), "row 1: column note is not a number");
    let path = parquet(&folder, vec![first]);
    assert_eq!(why(&path), "it has no column sample_id or id");
    fs::write(&path, "text").unwrap();
    assert_eq!(
        why(&path),
        "it is neither a .npy, a Parquet nor an Arrow IPC file"
    );
}
